//! Why a run left nothing behind.

use std::path::PathBuf;

use stickslip_core::mechanics::SystemError;
use stickslip_core::simulation::SimulationError;

use crate::FolderError;
use crate::model::Scenario;

/// Why a run left nothing behind.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The data do not describe the model, or it has no solution.
    #[error("{0}")]
    Model(String),
    /// A value in the scenario that is admissible, but not for a run.
    #[error("{}.{}: {message}", at.0, at.1)]
    Key {
        /// Its table and its key.
        at: (&'static str, &'static str),
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: &'static str,
    },
    /// The folder is taken or cannot be written to.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file could not be written.
    #[error(transparent)]
    Output(#[from] stickslip_report::Error),
    /// A figure or the summary could not be written.
    #[error("cannot write {}: {source}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Rows are missing in the trajectory: a fault of the program, not of the scenario.
    #[error(
        "the trajectory has {found} rows where {asked} were asked for: a fault of this program, which has lost what \
         happened in between; nothing was written"
    )]
    Rows {
        /// Rows that there should be.
        asked: u64,
        /// Rows that there are.
        found: u64,
    },
    /// The model is not simulated in time.
    #[error("this model is solved once, not in time")]
    Timeless,
    /// The model has no steady sliding or rolling state to be linearised about.
    #[error("the model {0} has no steady sliding or rolling state about which small motions could be looked at")]
    NotLinear(&'static str),
    /// The motion came to where the model does not describe it any more, before anything could be recorded of it.
    #[error("at t = {t} s {why}")]
    Ends {
        /// When \[s\].
        t: f64,
        /// What happens there.
        why: String,
    },
    /// The simulation itself stopped.
    #[error("{0}")]
    Simulation(String),
}

impl RunFailure {
    /// What is wrong with the data of a model.
    pub fn model(error: impl std::fmt::Display) -> RunFailure {
        RunFailure::Model(error.to_string())
    }

    /// As an error at the value of the scenario that it lies at, where that stands in its text; none where it lies at none.
    pub fn located(&self, scenario: &Scenario) -> Option<stickslip_scenario::Error> {
        let RunFailure::Key { at, help, .. } = self else { return None };
        Some(stickslip_scenario::Error::at_key(&scenario.name, &scenario.text, *at, &self.to_string(), help))
    }
}

/// A simulation that stopped: because a file could not be written, or by itself.
impl From<SimulationError> for RunFailure {
    fn from(error: SimulationError) -> RunFailure {
        match error {
            SimulationError::Sink(error) => match error.downcast::<stickslip_report::Error>() {
                Ok(error) => RunFailure::Output(*error),
                Err(other) => RunFailure::Simulation(other.to_string()),
            },
            SimulationError::System(SystemError::Ends { t, why }) => RunFailure::Ends { t, why },
            other => RunFailure::Simulation(other.to_string()),
        }
    }
}
