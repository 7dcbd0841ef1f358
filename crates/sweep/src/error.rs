//! What can go wrong with a sweep as a whole. What goes wrong at a point is in its row.

use stickslip_run::RunFailure;
use stickslip_scenario::tables::Fault;

/// Why a sweep or a search stops.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// It makes no sense as it was asked for; nothing was written.
    #[error("{message}")]
    Input {
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: String,
    },
    /// It makes no sense as the file of the scenario asks for it; nothing was written.
    #[error("{}", .0.message())]
    Located(Box<stickslip_scenario::Error>),
    /// A file could not be written or read; what was finished before stays.
    #[error("{message}")]
    Files {
        /// What happened.
        message: String,
        /// What to do.
        help: String,
    },
    /// A point that is needed to go on could not be run.
    #[error(transparent)]
    Run(#[from] RunFailure),
}

impl SweepError {
    /// Bad input.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> SweepError {
        SweepError::Input { message: message.into(), help: help.into() }
    }

    /// A file that cannot be written.
    pub fn files(message: impl Into<String>) -> SweepError {
        let help = "all points that are finished are kept: the same command with the same folder goes on where this one stopped";
        SweepError::Files { message: message.into(), help: help.into() }
    }

    /// A file of the dataset that is not what was written.
    pub fn damaged(path: &std::path::Path, why: &str) -> SweepError {
        let message = format!("{} {why}", path.display());
        let help = "delete this file and give the command of the sweep (or of its part) again with the same folder: it computes these rows \
                    anew, and keeps all others";
        SweepError::Files { message, help: help.into() }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        match self {
            SweepError::Input { help, .. } | SweepError::Files { help, .. } => Some(help),
            SweepError::Located(error) => error.help(),
            SweepError::Run(_) => None,
        }
    }

    /// A fault of something that was written on the command line or in the file.
    pub(crate) fn about(what: &str, fault: Fault) -> SweepError {
        let help = fault.help.unwrap_or_else(|| "see docs/sweep.md".to_string());
        SweepError::input(format!("{what}: {}", fault.message), help)
    }
}

impl From<stickslip_report::Error> for SweepError {
    fn from(error: stickslip_report::Error) -> SweepError {
        SweepError::files(error.to_string())
    }
}
