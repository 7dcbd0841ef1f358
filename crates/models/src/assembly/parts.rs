//! The parts of an assembly, as data.

use stickslip_core::law::{Coefficient, Curve};
use stickslip_core::signal::Signal;

/// A rigid body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Name, in reports and columns; no two bodies or supports share one.
    pub name: String,
    /// Mass \[kg\], > 0.
    pub mass: f64,
    /// In which ways it moves.
    pub freedom: Freedom,
    /// x, y \[m\] and yaw \[rad\] at t = 0; zero where it cannot move.
    pub position: [f64; 3],
    /// ẋ, ẏ [m/s] and yaw rate [rad/s] at t = 0.
    pub velocity: [f64; 3],
}

/// In which ways a body moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// Along x.
    Line,
    /// Along x and y, without turning.
    Point,
    /// Along x and y, and in yaw ψ, positive from x to y.
    Plane {
        /// Yaw inertia [kg·m²], > 0.
        inertia: f64,
    },
}

impl Freedom {
    /// Number of coordinates: 1, 2 or 3.
    pub fn dim(&self) -> usize {
        match self {
            Freedom::Line => 1,
            Freedom::Point => 2,
            Freedom::Plane { .. } => 3,
        }
    }
}

/// Something whose motion is prescribed: a belt, a shaker.
#[derive(Debug, Clone)]
pub struct Support {
    /// Name, in reports.
    pub name: String,
    /// Motion along x and along y.
    pub motion: [Motion; 2],
}

/// A prescribed motion along one axis.
#[derive(Debug, Clone)]
pub enum Motion {
    /// None.
    Still,
    /// The speed is given [m/s]; the position is its sum over the steps, from 0.
    Speed(Signal),
    /// The position is given \[m\]; the speed is its change over a step.
    Position(Signal),
}

/// What a link is fastened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixture {
    /// A body, by its number.
    Body(usize),
    /// A support, by its number.
    Support(usize),
    /// The ground.
    Ground,
}

/// One end of a link: a point of a body, of a support or of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// What it is fastened to.
    pub on: Fixture,
    /// Where on the body, from its centre of mass \[m\]: the point (p_x, p_y) moves by (x − p_y ψ, y + p_x ψ).
    pub at: [f64; 2],
}

impl End {
    /// The centre of body i.
    pub fn body(i: usize) -> End {
        End { on: Fixture::Body(i), at: [0.0; 2] }
    }

    /// The ground.
    pub const GROUND: End = End { on: Fixture::Ground, at: [0.0; 2] };
}

/// Two ends. What counts as positive is the motion of the first against the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The end whose motion counts as positive.
    pub of: End,
    /// The other end.
    pub against: End,
}

/// A spring: the force on `of` is −(k e + F₀) along its direction, e the displacement of `of` against `against`.
#[derive(Debug, Clone)]
pub struct Spring {
    /// Name, in reports.
    pub name: String,
    /// Its ends.
    pub link: Link,
    /// Direction (unit vector) along which it acts.
    pub along: [f64; 2],
    /// Force over displacement.
    pub characteristic: Characteristic,
    /// Force F₀ at zero displacement \[N\].
    pub preload: f64,
}

/// A damper: the force on `of` is −c ė.
#[derive(Debug, Clone)]
pub struct Damper {
    /// Name, in reports.
    pub name: String,
    /// Its ends.
    pub link: Link,
    /// Direction (unit vector) along which it acts.
    pub along: [f64; 2],
    /// Force over speed.
    pub characteristic: Characteristic,
}

/// Force over displacement or speed.
#[derive(Debug, Clone, PartialEq)]
pub enum Characteristic {
    /// Proportional, ≥ 0 [N/m or N·s/m]; taken at the end of the step, so that any stiffness is stable.
    Linear(f64),
    /// Tabled, extended straight; taken at the beginning of the step, so that steps must resolve it.
    Table(Curve),
}

/// A stop with clearance on both sides: nothing while |d| ≤ c, beyond it a stiff spring or a hard wall.
#[derive(Debug, Clone)]
pub struct Stop {
    /// Name, in reports.
    pub name: String,
    /// Its ends.
    pub link: Link,
    /// Direction (unit vector) along which it acts.
    pub along: [f64; 2],
    /// Clearance c \[m\], ≥ 0, either way.
    pub clearance: f64,
    /// What is beyond.
    pub buffer: Buffer,
}

impl Stop {
    /// Whether it is a wall that throws back.
    pub fn rebounds(&self) -> bool {
        matches!(self.buffer, Buffer::Wall(e) if e > 0.0)
    }
}

/// What is beyond the clearance of a stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Buffer {
    /// A spring k·sgn(d)·max(|d| − c, 0) with k > 0 [N/m], taken at the beginning of the step.
    Spring(f64),
    /// A wall: d cannot pass, and comes back with e times the speed it arrived with, 0 ≤ e ≤ 1 (Newton's law).
    Wall(f64),
}

/// A friction pad.
#[derive(Debug, Clone)]
pub struct Pad {
    /// Name, in reports and columns; no two pads share one.
    pub name: String,
    /// Its ends.
    pub link: Link,
    /// In which directions it rubs.
    pub face: Face,
    /// Normal load N(t) \[N\], ≥ 0.
    pub load: Signal,
    /// A spring whose compression adds to the load: N = max(0, N(t) − F_spring), taken at the beginning of the step.
    pub pressed_by: Option<usize>,
    /// μ over the slip speed.
    pub coefficient: Coefficient,
    /// A factor of μ over time, ≥ 0.
    pub over_time: Signal,
    /// A factor of μ over the slipped distance (along x for disks), ≥ 0.
    pub over_place: Option<Curve>,
    /// Viscous part c_v [N·s/m], ≥ 0: adds c_v s, linear and so taken at the end of the step.
    pub viscous: f64,
    /// How friction is modelled.
    pub element: Element,
}

/// In which directions a pad rubs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Face {
    /// Along one direction (unit vector): forces in an interval.
    Along([f64; 2]),
    /// Along x and y: forces in a disk.
    Disk,
}

impl Face {
    /// Number of force components: 1 or 2.
    pub fn dim(&self) -> usize {
        match self {
            Face::Along(_) => 1,
            Face::Disk => 2,
        }
    }
}

/// How friction is modelled: exactly, or by one of the elements that railway programs use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Element {
    /// The set-valued law.
    Exact,
    /// Spring and damper with saturation: e += h s, F = k₁ e + c s; beyond the bound a the force is a and
    /// e = (±a − c s)/k₁, so that the spring can unload. In stick an oscillator of its own.
    Vampire {
        /// k₁ > 0 [N/m].
        stiffness: f64,
        /// c ≥ 0 [N·s/m].
        damping: f64,
    },
    /// Ḟ = K₁ s {1 − ½(1 + sgn(sF)) |F/a|ⁿ}, plus K₀ d (Kolsch; ADAMS/Rail). One-dimensional pads only.
    Kolsch {
        /// K₁ > 0 [N/m].
        stiffness: f64,
        /// K₀ ≥ 0 [N/m], parallel.
        parallel: f64,
        /// n > 0.
        exponent: f64,
    },
}

/// A force on a body.
#[derive(Debug, Clone)]
pub struct Force {
    /// Number of the body.
    pub body: usize,
    /// 0: along x, 1: along y \[N\], 2: yaw moment [N·m].
    pub component: usize,
    /// Its value.
    pub signal: Signal,
}
