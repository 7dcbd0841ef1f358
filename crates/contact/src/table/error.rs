//! Why there is no table, or no force from it.

use crate::error::Error;

/// Why there is no table, or no force from it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// What was asked for is no table.
    #[error("{message}")]
    Spec {
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: String,
    },
    /// A point was not solved.
    #[error("a/b = {ratio}, spin angle {spin_angle:.1}°, direction {direction:.1}°, t = {t}: {error}")]
    Point {
        /// a/b.
        ratio: f64,
        /// β [°].
        spin_angle: f64,
        /// α [°].
        direction: f64,
        /// t.
        t: f64,
        /// Why.
        error: Error,
    },
    /// Lines are missing.
    #[error("{found} lines of {wanted}")]
    Lines {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// A file that is no table.
    #[error("line {line}: {message}")]
    File {
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A file that was changed after it was written.
    #[error("the table is damaged, or somebody has changed it: its lines do not have the checksum that its head says")]
    Damaged,
    /// Another Poisson's ratio.
    #[error("the table is for Poisson's ratio {table}, and the bodies have {found}")]
    Poisson {
        /// Of the table.
        table: f64,
        /// Of the contact.
        found: f64,
    },
    /// An ellipse that the table does not cover.
    #[error("the table has a/b from {least:.4} to {most:.4}, and the contact has {found:.4}")]
    Ratio {
        /// Least.
        least: f64,
        /// Greatest.
        most: f64,
        /// Of the contact.
        found: f64,
    },
}

impl TableError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            TableError::Spec { help, .. } => help.clone(),
            TableError::Point { .. } => "take more elements, or a tolerance of 1e-6".into(),
            TableError::Lines { .. } | TableError::File { .. } => {
                "name a file creep-table.csv that `stickslip table` has written".into()
            }
            TableError::Damaged => "take the file as `stickslip table` wrote it, or make it again; a table that you change on purpose, or write \
                                    yourself, has no line `# sha256: …`"
                .into(),
            TableError::Poisson { found, .. } => format!(
                "make a table for it: stickslip table creep-table --set first.poisson={found} --set second.poisson={found}"
            ),
            TableError::Ratio { found, .. } => {
                format!(
                    "make a table that reaches as far: stickslip table creep-table --set \"table.ratios=[…, {found:.4}, …]\""
                )
            }
        }
    }
}
