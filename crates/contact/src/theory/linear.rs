//! Kalker's linear theory.

use super::{Theory, TheoryError, finite};
use crate::patch::{Creepage, Forces, Patch};

/// The whole contact area sticks:
///
/// ```text
/// F_x = −G ab C₁₁ ξ,    F_y = −G ab (C₂₂ η + √(ab) C₂₃ φ),    M_z = G (ab)^{3/2} (C₂₃ η − √(ab) C₃₃ φ)
/// ```
///
/// Exact for vanishing creepages; knows no bound, so it is wrong from about a third of μN on. Source: Kalker 1967, 1990.
#[derive(Debug, Clone, Copy, Default)]
pub struct Linear;

impl Theory for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    #[inline]
    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        let Creepage { xi, eta, phi } = finite(creepage)?;
        let c = patch.coefficients();
        let area = patch.a() * patch.b();
        let length = area.sqrt();
        let stiffness = patch.material().shear_modulus() * area;
        let forces = Forces {
            fx: -stiffness * c.c11 * xi,
            fy: -stiffness * (c.c22 * eta + length * c.c23 * phi),
            mz: Some(stiffness * length * (c.c23 * eta - length * c.c33 * phi)),
            stick: Some(1.0),
        };
        if forces.fx.is_finite() && forces.fy.is_finite() && forces.mz.is_some_and(f64::is_finite) {
            Ok(forces)
        } else {
            Err(TheoryError::OutOfRange { theory: "linear", reason: "the forces are too large for a number" })
        }
    }
}
