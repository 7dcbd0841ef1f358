//! Theories of rolling contact: from creepages to forces.
//!
//! | file | theory | moment | stick share | cost |
//! |---|---|---|---|---|
//! | `linear.rs` | Kalker's linear theory: no slip at all | yes | 1 | ns |
//! | `shen_hedrick_elkins.rs` | the linear forces, saturated by a cubic | – | – | ns |
//! | `polach.rs` | ellipsoid of tractions, with spin | – | – | 0.1 µs |
//! | `fastsim.rs` | Kalker's FASTSIM: an elastic layer, strip by strip | yes | yes | µs |
//! | `exact.rs` | the half-space on elements, [`crate::tangential`] | yes | yes | 10 ms |
//! | `table.rs` | the same from a [`crate::table`] | yes | yes | µs |
//!
//! Fast theories never fail on finite creepages; an exact one may, and says with what residual.
//!
//! ```
//! use stickslip_contact::hertz::Radii;
//! use stickslip_contact::material::Material;
//! use stickslip_contact::patch::{Creepage, Friction, Patch};
//! use stickslip_contact::theory::{Fastsim, Theory};
//!
//! let steel = Material::from_young(210e9, 0.3)?;
//! let body = Radii { x: 0.46, y: 0.30 };
//! let patch = Patch::hertz(body, body, steel, 42e3, Friction::constant(0.3)?)?;
//! let forces = Fastsim::new(50, 50)?.forces(&patch, Creepage::longitudinal(0.0017))?;
//! assert!((-forces.fx / 12_600.0 - 0.538).abs() < 0.001); // FASTSIM; the exact theory has 0.550
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod exact;
mod fastsim;
mod kind;
mod linear;
mod polach;
mod shen_hedrick_elkins;
mod table;

pub use exact::Exact;
pub use fastsim::{Fastsim, Sampling};
pub use kind::Kind;
pub use linear::Linear;
pub use polach::Polach;
pub use shen_hedrick_elkins::ShenHedrickElkins;
pub use table::FromTable;

use crate::patch::{Creepage, Forces, Patch};
use crate::progress::Watch;
use stickslip_core::range::OutOfRange;

/// A theory of steady rolling contact.
pub trait Theory {
    /// Its name, for tables and legends.
    fn name(&self) -> &'static str;

    /// Forces on body 1 for given creepages. `self` may keep what helps the next call (a warm start); it does not change
    /// results beyond the theory's own tolerance.
    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError>;

    /// The same; `watch` is told of each iteration, where the theory has any, and may break off.
    fn forces_watched(&mut self, patch: &Patch, creepage: Creepage, _watch: Watch) -> Result<Forces, TheoryError> {
        self.forces(patch, creepage)
    }
}

/// Why a theory gives no forces.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TheoryError {
    /// A creepage is not a number, or a senseless one.
    #[error("creepages ξ = {}, η = {}, φ = {} 1/m: all must be finite, and below 1e100", .0.xi, .0.eta, .0.phi)]
    NotFinite(Creepage),
    /// The iteration ended before its tolerance.
    #[error("{theory}: residual {residual:e} after {iterations} iterations, {tolerance:e} wanted")]
    NotConverged {
        /// Which theory.
        theory: &'static str,
        /// The residual reached, relative to the traction bound.
        residual: f64,
        /// The residual wanted.
        tolerance: f64,
        /// How many iterations were made.
        iterations: usize,
    },
    /// The exact theory refused the case or did not solve it.
    #[error("exact: {0}")]
    Exact(#[from] crate::error::Error),
    /// Too few elements to be right, or too many to be solved.
    #[error("{theory} on {n} × {n} elements: between {least} and {most} are needed along each side of the contact")]
    Elements {
        /// Which theory.
        theory: &'static str,
        /// How many were asked for.
        n: usize,
        /// Fewest.
        least: usize,
        /// Most.
        most: usize,
    },
    /// FASTSIM cannot have so many cells.
    #[error("FASTSIM: {0}")]
    Cells(OutOfRange),
    /// The table does not cover the case.
    #[error("table: {0}")]
    Table(#[from] crate::table::TableError),
    /// The theory does not cover the case.
    #[error("{theory}: {reason}")]
    OutOfRange {
        /// Which theory.
        theory: &'static str,
        /// What it cannot do.
        reason: &'static str,
    },
}

/// The creepages, if they are numbers of a size that can be squared.
#[inline(always)]
fn finite(c: Creepage) -> Result<Creepage, TheoryError> {
    let fits = |x: f64| x.abs() < 1e100;
    if fits(c.xi) && fits(c.eta) && fits(c.phi) { Ok(c) } else { Err(TheoryError::NotFinite(c)) }
}
