//! The exact theory, read from a table.

use std::sync::Arc;

use super::{Theory, TheoryError, finite};
use crate::patch::{Creepage, Forces, Patch};
use crate::table::{Scaled, Table, TableError};

/// Poisson's ratios that are the same but for the rounding of 1/G = ½(1/G₁ + 1/G₂).
const SAME: f64 = 1e-9;

/// Forces of the exact theory by interpolation in a [`Table`]: in microseconds, and as exact as the table's head says.
///
/// Poisson's ratio must be that of the table, and a/b lie within it; creepages may be any, since its ends are the linear theory and full
/// sliding.
#[derive(Debug, Clone, PartialEq)]
pub struct FromTable(pub Arc<Table>);

impl FromTable {
    /// Scaled forces, and what they are to be multiplied by: μN and c; none where nothing is transmitted.
    fn scaled(&self, patch: &Patch, creepage: Creepage) -> Result<Option<(Scaled, f64, f64)>, TheoryError> {
        let Creepage { xi, eta, phi } = finite(creepage)?;
        let (table, found) = (self.0.spec().poisson, patch.material().poisson());
        if (table - found).abs() > SAME {
            return Err(TableError::Poisson { table, found }.into());
        }
        let limit = patch.friction().at(creepage) * patch.load();
        if limit <= 0.0 {
            return Ok(None);
        }
        let c = (patch.a() * patch.b()).sqrt();
        let scale = patch.material().shear_modulus() * c * c / limit;
        // Creepages beyond any sense slide as those that are only huge do.
        let scaled = |value: f64| (scale * value).clamp(-1e150, 1e150);
        let found = self.0.at(patch.a() / patch.b(), [scaled(xi), scaled(eta), scaled(c * phi)])?;
        Ok(Some((found, limit, c)))
    }

    /// Whether the forces at these creepages rest on nodes that were filled in: spin that the table's elements do not resolve.
    pub fn is_filled(&self, patch: &Patch, creepage: Creepage) -> bool {
        self.scaled(patch, creepage).is_ok_and(|found| found.is_some_and(|(found, ..)| found.filled))
    }
}

impl Theory for FromTable {
    fn name(&self) -> &'static str {
        "table"
    }

    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        let Some((found, limit, c)) = self.scaled(patch, creepage)? else {
            return Ok(Forces { fx: 0.0, fy: 0.0, mz: Some(0.0), stick: Some(0.0) });
        };
        Ok(Forces {
            fx: limit * found.fx,
            fy: limit * found.fy,
            mz: Some(limit * c * found.mz),
            stick: Some(found.stick),
        })
    }
}
