//! Laws: what a contact can transmit.
//!
//! A contact is a closed convex set C of forces. With r the force on the system and s the slip velocity
//! (both seen from the same side) the law is
//!
//! ```text
//! −s ∈ N_C(r)      ⇔      r = Proj_C(r − ρ s)   for any ρ > 0
//! ```
//!
//! inside C the contact sticks (s = 0); on the boundary it may slip, against the force.
//!
//! | set | file | physical contact |
//! |---|---|---|
//! | [`Interval`] | `interval.rs` | 1-D Coulomb friction, a brake |
//! | [`Disk`] | `disk.rs` | 2-D Coulomb friction under a given load |
//! | [`HalfLine`] | `half_line.rs` | unilateral support |
//! | [`Cone`] | `cone.rs` | both: friction under a support's own load |
//!
//! The coefficients that scale them with the slip speed are in `friction.rs`.
//!
//! To add a set, copy `half_line.rs`, the shortest, and give it a line in [`Law`].

mod cone;
pub mod curve;
mod disk;
pub mod friction;
mod half_line;
mod interval;
mod product;

pub use cone::Cone;
pub use curve::Curve;
pub use disk::Disk;
pub use friction::{Coefficient, OverSlip, SlipRange};
pub use half_line::HalfLine;
pub use interval::Interval;
pub use product::Product;

/// Mode of a contact, each with the relation that defines it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// s = 0 and r in C: no relative motion.
    Stick,
    /// s ≠ 0 and r on the boundary of C; the unit vector s/|s| of the (tangential) slip.
    /// One-dimensional contacts use the first component, ±1.
    Slip([f64; 2]),
    /// r = 0 and the gap opens (only sets with a unilateral support).
    Open,
}

impl State {
    /// Sign of the slip of a one-dimensional contact: −1, 0 or 1.
    pub fn sign(&self) -> i8 {
        match self {
            State::Slip([x, _]) if *x > 0.0 => 1,
            State::Slip([x, _]) if *x < 0.0 => -1,
            _ => 0,
        }
    }

    /// Short name for tables: `stick`, `slip+`, `slip-` (1-D), `slip`, `open`.
    pub fn name(&self) -> &'static str {
        match self {
            State::Stick => "stick",
            State::Open => "open",
            State::Slip([x, y]) if *y == 0.0 && *x == 1.0 => "slip+",
            State::Slip([x, y]) if *y == 0.0 && *x == -1.0 => "slip-",
            State::Slip(_) => "slip",
        }
    }
}

/// A closed convex set of contact forces.
pub trait Set {
    /// Number of force components (1, 2 or 3).
    fn dim(&self) -> usize;

    /// Replaces x by the nearest point of the set.
    fn project(&self, x: &mut [f64]);

    /// Whether r lies in the set.
    fn contains(&self, r: &[f64]) -> bool;

    /// The greatest t with r + t d in the set: 0 at the edge and outside, infinite where d leads to no edge.
    fn way_out(&self, r: &[f64], d: &[f64]) -> f64;

    /// Support function sup { r·d : r ∈ C }, infinite where it is unbounded.
    fn support(&self, d: &[f64]) -> f64;

    /// Mode of the contact when Proj_C is taken at x = r − ρ s.
    fn state(&self, x: &[f64]) -> State;

    /// One element of the generalised Jacobian of the projection at x, row by row into `jacobian`
    /// (dim × dim).
    fn derivative(&self, x: &[f64], jacobian: &mut [f64]);

    /// De Saxcé's change of the slip, s ↦ s + μ|s_t| n, which makes the law of a cone Coulomb's instead of
    /// an associated one. Nothing for the other sets.
    fn correct(&self, _slip: &mut [f64]) {}
}

/// Any of the sets, where contacts of several kinds meet in one problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// 1-D friction, a brake.
    Interval(Interval),
    /// Unilateral support.
    HalfLine(HalfLine),
    /// 2-D friction under a given load.
    Disk(Disk),
    /// Friction under a support's own load.
    Cone(Cone),
}

impl Law {
    /// Whether the contact can transmit nothing at all: C = {0}.
    pub fn is_zero(&self) -> bool {
        match self {
            Law::Interval(c) => c.lo() == 0.0 && c.hi() == 0.0,
            Law::Disk(c) => c.radius() == 0.0,
            Law::HalfLine(_) | Law::Cone(_) => false,
        }
    }
}

macro_rules! each {
    ($law:expr, $set:ident => $answer:expr) => {
        match $law {
            Law::Interval($set) => $answer,
            Law::HalfLine($set) => $answer,
            Law::Disk($set) => $answer,
            Law::Cone($set) => $answer,
        }
    };
}

impl Set for Law {
    fn dim(&self) -> usize {
        each!(self, c => c.dim())
    }
    fn project(&self, x: &mut [f64]) {
        each!(self, c => c.project(x));
    }
    fn contains(&self, r: &[f64]) -> bool {
        each!(self, c => c.contains(r))
    }
    fn way_out(&self, r: &[f64], d: &[f64]) -> f64 {
        each!(self, c => c.way_out(r, d))
    }
    fn support(&self, d: &[f64]) -> f64 {
        each!(self, c => c.support(d))
    }
    fn state(&self, x: &[f64]) -> State {
        each!(self, c => c.state(x))
    }
    fn derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        each!(self, c => c.derivative(x, jacobian));
    }
    fn correct(&self, slip: &mut [f64]) {
        each!(self, c => c.correct(slip));
    }
}

/// Why a set cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LawError {
    /// A bound is negative, NaN or infinite where it may not be.
    #[error("{what} = {value}: it must be a finite number ≥ 0")]
    Bound {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// An interval with its ends exchanged or not a number.
    #[error("interval [{lo}, {hi}]: the lower end must not exceed the upper one")]
    Interval {
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
}

fn bound(what: &'static str, value: f64) -> Result<f64, LawError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(LawError::Bound { what, value }) }
}

#[cfg(test)]
mod tests;
