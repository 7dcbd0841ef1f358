//! A run as an object: advanced by whoever holds it, fed, saved, restored, forked.
//!
//! ```text
//! new ──► advance_to(t) ──► row, events, energy … ──► set_input("brake.torque", …) ──► advance_to(t') …
//!                                    │
//!                                    └── save ──► (another process) ──► restore ──► goes on, bit for bit
//! ```
//!
//! [`Stepped`] goes by implicit steps, [`ByEvent`] from event to event. What happens in between calls costs nothing: a call makes its steps in the same loop
//! as a whole run does, and a run to t is the beginning of a longer one.

mod by_events;
mod stepped;

pub use by_events::{ByEvent, ByEventSave};
pub use stepped::{Stepped, SteppedSave};

use crate::Name;
use crate::law::State;
use crate::mechanics::{Ledger, SystemError};
use crate::model::Column;
use crate::scheme::Event;
use crate::signal::Signal;

/// Something that drives a model from outside, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name, as the key of a scenario file: `brake.torque`, `wheel.front.brake`, `pad.shoe.load`.
    pub name: String,
    /// Its SI unit, `1` for pure numbers.
    pub unit: &'static str,
}

/// A system with inputs that can be changed.
pub trait Driven: Sized {
    /// Its inputs, in a fixed order.
    fn inputs(&self) -> Vec<Input>;

    /// The same system with another signal for one of them, which is a function of the same time. The error says what
    /// is wrong with it.
    fn with_input(&self, input: usize, signal: Signal) -> Result<Self, String>;
}

/// Why a simulation did not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The system could not be stepped.
    #[error(transparent)]
    System(#[from] SystemError),
    /// Numbers left the range of floating point.
    #[error("the state is no longer finite at t = {t} s: the parameters drive it out of the range of numbers")]
    Overflow {
        /// When it was noticed.
        t: f64,
    },
    /// The time asked for is not after the present one.
    #[error("t = {asked} s was asked for, but the simulation stands at t = {now} s and runs forward only")]
    Backward {
        /// The time asked for.
        asked: f64,
        /// The present time.
        now: f64,
    },
    /// There is no input of this name.
    #[error("there is no input {name:?}; there are: {known}")]
    NoInput {
        /// The name asked for.
        name: String,
        /// All names.
        known: String,
    },
    /// The input does not take this signal.
    #[error("input {name:?}: {reason}")]
    Input {
        /// Which input.
        name: String,
        /// Why not.
        reason: String,
    },
    /// What was saved does not belong to this model.
    #[error("this was not saved by this simulation: {reason}")]
    Foreign {
        /// What does not fit.
        reason: String,
    },
}

/// A run that can be advanced. Object-safe: whoever holds it need not know the model.
pub trait Simulation {
    /// Where it stands \[s\].
    fn time(&self) -> f64;

    /// Goes on to t, with steps of the usual size. Where these do not lead to t, a shorter one does.
    fn advance_to(&mut self, t: f64) -> Result<(), SimulationError>;

    /// Makes one step of size h, whatever the usual size is.
    fn step(&mut self, h: f64) -> Result<(), SimulationError>;

    /// What can be fed from outside.
    fn inputs(&self) -> Vec<Input>;

    /// From now on an input is this function of time; a number is held. It is as if the signal had jumped just after the
    /// present instant: steps that were made stay as they are.
    fn set_input(&mut self, name: &str, signal: Signal) -> Result<(), SimulationError>;

    /// What a row holds; the first column is the time.
    fn columns(&self) -> &[Column];

    /// The row of the present state.
    fn row(&self, out: &mut [f64]);

    /// Names of the contacts.
    fn contacts(&self) -> &[Name];

    /// What the contacts do; open before the first step.
    fn contact_states(&self, out: &mut [State]);

    /// What the contacts have done since this was last asked.
    fn take_events(&mut self) -> Vec<Event>;

    /// Where the energy went so far.
    fn ledger(&self) -> Ledger;

    /// Worst residual of the inclusions so far, relative to the greatest speed.
    fn worst_residual(&self) -> f64;

    /// All that the motion from here on depends on, as bytes (CBOR): given to [`Simulation::restore`] of a simulation of
    /// the same model, in another process as well, it goes on with the same bits.
    fn save(&self) -> Result<Vec<u8>, SimulationError>;

    /// Takes the place of the simulation that was saved.
    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError>;

    /// Another one that stands where this one does.
    fn fork(&self) -> Box<dyn Simulation>;
}

/// The number of an input, by its name.
fn input_by_name(inputs: &[Input], name: &str) -> Result<usize, SimulationError> {
    inputs.iter().position(|input| input.name == name).ok_or_else(|| SimulationError::NoInput {
        name: name.to_string(),
        known: match inputs {
            [] => "none".to_string(),
            some => some.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(", "),
        },
    })
}

/// Saved, as CBOR.
fn to_bytes<T: serde::Serialize>(saved: &T) -> Result<Vec<u8>, SimulationError> {
    let mut bytes = Vec::new();
    ciborium::into_writer(saved, &mut bytes).map_err(|error| SimulationError::Foreign { reason: error.to_string() })?;
    Ok(bytes)
}

fn from_bytes<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, SimulationError> {
    ciborium::from_reader(bytes)
        .map_err(|error: ciborium::de::Error<std::io::Error>| SimulationError::Foreign { reason: error.to_string() })
}

/// A system with the inputs that were saved.
fn driven_by<S: Driven + Clone>(system: &S, inputs: &[(usize, Signal)]) -> Result<S, SimulationError> {
    let foreign = |reason: String| SimulationError::Foreign { reason };
    let count = system.inputs().len();
    let mut driven = system.clone();
    for (input, signal) in inputs {
        if *input >= count {
            return Err(foreign("it has other inputs".to_string()));
        }
        driven = driven.with_input(*input, signal.clone()).map_err(foreign)?;
    }
    Ok(driven)
}
