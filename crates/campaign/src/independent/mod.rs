//! An independent integrator: Dormand and Prince 5(4) from event to event, with modes found by trying them all.
//!
//! It shares nothing with the library under test, neither code nor method: no collocation, no inclusion solver, no least
//! norm, only the standard library. It is plain and slow, and it knows little: linear springs and dampers, stops that are
//! springs, forces, supports, and either up to three pads that each rub along one direction and do not share a load, or
//! one pad in the plane. What it cannot do it refuses.
//!
//! ```text
//! m_i q̈_i = F_i(t) − Σ k e − Σ c ė + Hᵀ r,      slipping: r = −μ(|s|) N s/|s|,      sticking: ṡ = 0, |r| ≤ μ(0) N
//! ```

mod course;
mod dormand_prince;
mod flow;
mod march;
#[cfg(test)]
mod tests;

pub use course::Course;
pub use march::{Line, march};

/// A direction in the space of coordinates and of supports' axes: e = Σ own·q + Σ supports·u.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Direction {
    /// Coordinate and factor.
    pub own: Vec<(usize, f64)>,
    /// Axis of a support and factor.
    pub supports: Vec<(usize, f64)>,
}

/// A spring (with preload) or a damper.
#[derive(Debug, Clone, PartialEq)]
pub struct Bond {
    /// What it stretches along.
    pub along: Direction,
    /// [N/m] or [N·s/m].
    pub factor: f64,
    /// Force at zero \[N\].
    pub preload: f64,
}

/// A stop that is a spring beyond its clearance.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// What it limits.
    pub along: Direction,
    /// Either way \[m\].
    pub clearance: f64,
    /// [N/m].
    pub stiffness: f64,
}

/// Motion of one axis of a support.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// By its speed; it begins at 0.
    Speed(Course),
    /// By its position.
    Position(Course),
}

/// Coefficient of friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Friction {
    /// At rest and in slip.
    Two(f64, f64),
    /// At rest, in fast slip, speed, exponent.
    Stribeck(f64, f64, f64, f64),
    /// At rest, in fast slip, slowness.
    Sech(f64, f64, f64),
}

impl Friction {
    /// At a slip speed; 0 stands for the limit of slow slip.
    fn slipping(&self, speed: f64) -> f64 {
        match *self {
            Friction::Two(_, slip) => slip,
            Friction::Stribeck(rest, slip, v, exponent) => slip + (rest - slip) * (-(speed / v).powf(exponent)).exp(),
            Friction::Sech(rest, slip, alpha) => slip + (rest - slip) / (alpha * speed).cosh(),
        }
    }

    /// At rest.
    fn sticking(&self) -> f64 {
        match *self {
            Friction::Two(rest, _) | Friction::Stribeck(rest, ..) | Friction::Sech(rest, ..) => rest,
        }
    }
}

/// A friction pad.
#[derive(Debug, Clone, PartialEq)]
pub struct Pad {
    /// One direction, or two for a disk.
    pub faces: Vec<Direction>,
    /// Normal load \[N\].
    pub load: Course,
    /// A factor of friction over time.
    pub factor: Course,
    /// The coefficient.
    pub friction: Friction,
    /// Viscous part [N·s/m].
    pub viscous: f64,
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    /// Mass of each coordinate.
    pub masses: Vec<f64>,
    /// Coordinates at t = 0.
    pub places: Vec<f64>,
    /// Velocities at t = 0.
    pub speeds: Vec<f64>,
    /// Axes of supports.
    pub axes: Vec<Axis>,
    /// Springs.
    pub springs: Vec<Bond>,
    /// Dampers.
    pub dampers: Vec<Bond>,
    /// Stops.
    pub stops: Vec<Stop>,
    /// Pads.
    pub pads: Vec<Pad>,
    /// Forces: coordinate and value.
    pub forces: Vec<(usize, Course)>,
}

/// Why the integrator gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivesUp {
    /// The problem is not one that it knows.
    Unknown,
    /// Pads share a load, or no combination of modes is consistent.
    NoModes,
    /// Too many steps or events.
    TooLong,
}
