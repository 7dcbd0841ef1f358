//! The theory of Shen, Hedrick and Elkins.

use super::{Linear, Theory, TheoryError};
use crate::patch::{Creepage, Forces, Patch};

/// Direction from the linear theory, magnitude from the saturation law of Vermeulen and Johnson:
///
/// ```text
/// f = |F_lin|/(μN),    |F|/(μN) = f − f²/3 + f³/27  for f ≤ 3,   1 beyond
/// ```
///
/// For small spin: large spin only saturates F_y here, while in truth it lowers it again. No moment. Friction that falls
/// with slip is taken at the given creepages. Source: Shen, Hedrick and Elkins 1983.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShenHedrickElkins;

impl Theory for ShenHedrickElkins {
    fn name(&self) -> &'static str {
        "Shen–Hedrick–Elkins"
    }

    #[inline]
    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        let linear = Linear.forces(patch, creepage)?;
        let limit = patch.friction().at(creepage) * patch.load();
        let size = linear.magnitude();
        // |F|/|F_lin|, written so that vanishing forces divide nothing.
        let factor = if size >= 3.0 * limit {
            if size > 0.0 { limit / size } else { 0.0 }
        } else {
            let f = size / limit;
            1.0 - f / 3.0 + f * f / 27.0
        };
        Ok(Forces { fx: linear.fx * factor, fy: linear.fy * factor, mz: None, stick: None })
    }
}
