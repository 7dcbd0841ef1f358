//! A run as an object: advanced by whoever holds it, fed, saved, restored, forked.
//!
//! ```text
//! new ──► advance_to(t) ──► row, events, energy … ──► set_input("brake.torque", …) ──► advance_to(t') …
//!                                    │
//!                                    └── save ──► (another process) ──► restore ──► goes on, bit for bit
//! ```
//!
//! [`SimulationOf`] is the object itself, over any system and any [`Integrator`](crate::scheme::Integrator): [`Stepped`] goes by
//! implicit steps, [`ByEvent`] from event to event.
//!
//! What happens in between calls costs nothing: a call makes its steps in the same loop as a whole run does, and a run to
//! t is the beginning of a longer one.

mod object;

pub use crate::scheme::{EventRun, Samples};
pub use object::{ByEvent, SimulationOf, Stepped, by_steps};

use std::convert::Infallible;

use crate::Name;
use crate::law::State;
use crate::mechanics::{Ledger, Stop, SystemError, Uniqueness};
use crate::record::{Column, Grip};
use crate::scheme::{Event, RunError};
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

    /// What drives it by way of one of them; none where there is no such input.
    fn input(&self, input: usize) -> Option<Signal>;

    /// The same system with another signal for one of them, which is a function of the same time. The error says what
    /// is wrong with it.
    fn with_input(&self, input: usize, signal: Signal) -> Result<Self, String>;
}

/// Why a simulation did not do what was asked.
#[derive(Debug, thiserror::Error)]
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
    /// There is no column of this name.
    #[error("there is no column {name:?}; there are: {known}")]
    NoColumn {
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
    /// Whoever looked on could not go on.
    #[error("{0}")]
    Sink(Box<dyn std::error::Error + Send + Sync>),
    /// What was saved does not belong to this model.
    #[error("this was not saved by this simulation: {reason}")]
    Foreign {
        /// What does not fit.
        reason: String,
    },
}

impl From<RunError<Infallible>> for SimulationError {
    fn from(error: RunError<Infallible>) -> SimulationError {
        match error {
            RunError::System(error) => SimulationError::System(error),
            RunError::Overflow { t } => SimulationError::Overflow { t },
            RunError::Observer(never) => match never {},
        }
    }
}

impl From<RunError<SinkError>> for SimulationError {
    fn from(error: RunError<SinkError>) -> SimulationError {
        match error {
            RunError::System(error) => SimulationError::System(error),
            RunError::Overflow { t } => SimulationError::Overflow { t },
            RunError::Observer(error) => SimulationError::Sink(error),
        }
    }
}

/// What can go wrong for whoever looks on.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Takes in what a run shows on its way.
pub trait Sink {
    /// The row of number `n` of the samples, at time t, and what the contacts do there.
    fn row(&mut self, n: u64, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError>;

    /// A contact changed its state. Comes before the row of the same step.
    fn event(&mut self, event: &Event) -> Result<(), SinkError>;

    /// The row at the instant of the events that were just told, and what the contacts do from there on. No row of the
    /// samples, but what measures are taken at; nothing by default.
    fn changed(&mut self, _t: f64, _row: &[f64], _contacts: &[State]) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A run that can be advanced. Object-safe: whoever holds it need not know the model. It may go on in another thread.
pub trait Simulation: Send {
    /// Where it stands \[s\].
    fn time(&self) -> f64;

    /// Goes on to t, with steps of the usual size. Where these do not lead to t, a shorter one shows what is there; the
    /// motion does not depend on when one looks. Only a [`Simulation::step`] or a changed input makes it go on from t.
    fn advance_to(&mut self, t: f64) -> Result<(), SimulationError>;

    /// The same, but no further than the first change of a contact; says which it was.
    fn advance_to_event(&mut self, t: f64) -> Result<Stop, SimulationError>;

    /// Makes one step of size h, whatever the usual size is.
    fn step(&mut self, h: f64) -> Result<(), SimulationError>;

    /// Goes on to the last of the samples (a sink that fails ends this, and what it refused is not shown again) and shows those after the present instant, and all events, on the way. At t = 0
    /// the row number 0 comes first: positions and speeds of the start, forces and contact states as they are from there
    /// on.
    fn record(&mut self, samples: Samples, sink: &mut dyn Sink) -> Result<(), SimulationError>;

    /// What can be fed from outside.
    fn inputs(&self) -> Vec<Input>;

    /// What an input is, as a function of time: that of the model as it was built, or what it was last set to.
    fn input(&self, name: &str) -> Result<Signal, SimulationError>;

    /// From now on an input is this function of time; a number is held. It is as if the signal had jumped at the present
    /// instant, and steps that were made stay as they are: bounds, which steps take at their end, jump just after it. By events,
    /// a motion in closed form is integrated from here on.
    fn set_input(&mut self, name: &str, signal: Signal) -> Result<(), SimulationError>;

    /// The inputs that were changed, by name, and what they are now.
    fn changed_inputs(&self) -> Vec<(String, Signal)>;

    /// What a row holds; the first column is the time.
    fn columns(&self) -> &[Column];

    /// The row of the present state.
    fn row(&self, out: &mut [f64]);

    /// The place of a column in the row, by its name.
    fn place(&self, column: &str) -> Result<usize, SimulationError> {
        let columns = self.columns();
        let known = || listed(columns.iter().map(|column| &*column.name));
        let found = columns.iter().position(|own| own.name == column);
        found.ok_or_else(|| SimulationError::NoColumn { name: column.to_string(), known: known() })
    }

    /// A value of the row, by the name of its column. In a loop, ask for the [`place`](Simulation::place) once instead.
    fn value(&self, column: &str) -> Result<f64, SimulationError> {
        let place = self.place(column)?;
        let mut row = vec![0.0; self.columns().len()];
        self.row(&mut row);
        Ok(row[place])
    }

    /// Names of the contacts.
    fn contacts(&self) -> &[Name];

    /// Whether a contact slips in the plane, where a slip has a direction and no sign.
    fn is_planar(&self, contact: usize) -> bool;

    /// What the contacts do; open before the first step.
    fn contact_states(&self, out: &mut [State]);

    /// Time that each contact stuck so far \[s\].
    fn stuck(&self) -> Vec<f64>;

    /// What the contacts have done since this was last asked.
    fn take_events(&mut self) -> Vec<Event>;

    /// Velocities, for measures of error.
    fn velocities(&self) -> Vec<f64>;

    /// The present state, by name.
    fn values(&self) -> Vec<(Name, f64)>;

    /// Where the energy went so far.
    fn ledger(&self) -> Ledger;

    /// Worst residual of the inclusions so far, relative to the greatest speed.
    fn worst_residual(&self) -> f64;

    /// Size of its steps \[s\]; none from event to event.
    fn step_size(&self) -> Option<f64>;

    /// How it goes from event to event; none by steps.
    fn by_events(&self) -> Option<EventRun>;

    /// Work of a step, in those of a single wheel (some 10 ns), as the run so far of so many steps has shown it.
    fn step_work(&self, steps: u64) -> f64;

    /// What of the run so far is unique.
    fn uniqueness(&self) -> Uniqueness;

    /// What makes the run so far doubtful, in sentences.
    fn doubts(&self) -> Vec<String>;

    /// Wheels whose use of friction is recorded.
    fn grips(&self) -> Vec<Grip>;

    /// The friction that the system would use now, at rest on its slope, with all wheels locked; none on level ground.
    fn use_of_locked_wheels(&self) -> Option<f64>;

    /// All that the motion from here on depends on, as bytes (CBOR and a checksum): given to [`Simulation::restore`] of a simulation of
    /// the same model, data and scheme, in another process as well, it goes on with the same bits.
    fn save(&self) -> Result<Vec<u8>, SimulationError>;

    /// Takes the place of the simulation that was saved.
    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError>;

    /// Another one that stands where this one does.
    fn fork(&self) -> Box<dyn Simulation>;
}

/// The number of an input, by its name.
fn input_by_name(inputs: &[Input], name: &str) -> Result<usize, SimulationError> {
    inputs.iter().position(|input| input.name == name).ok_or_else(|| no_input(inputs, name))
}

fn no_input(inputs: &[Input], name: &str) -> SimulationError {
    SimulationError::NoInput { name: name.to_string(), known: listed(inputs.iter().map(|input| input.name.as_str())) }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

/// Saved, as CBOR with a checksum: for simulations that are made of others.
pub fn to_bytes<T: serde::Serialize>(saved: &T) -> Result<Vec<u8>, SimulationError> {
    let mut bytes = Vec::new();
    ciborium::into_writer(saved, &mut bytes).map_err(|error| SimulationError::Foreign { reason: error.to_string() })?;
    bytes.extend(checksum(&bytes).to_le_bytes());
    Ok(bytes)
}

/// FNV-1a: tells what has changed by accident.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What [`to_bytes`] has saved.
pub fn from_bytes<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, SimulationError> {
    let foreign = || SimulationError::Foreign { reason: "it is not whole, or was changed".to_string() };
    let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or_else(foreign)?;
    if checksum(bytes) != u64::from_le_bytes(*sum) {
        return Err(foreign());
    }
    ciborium::from_reader(bytes).map_err(|error: ciborium::de::Error<std::io::Error>| {
        let reason = match error {
            ciborium::de::Error::Semantic(..) => "it is of another model, or of another scheme".to_string(),
            other => other.to_string(),
        };
        SimulationError::Foreign { reason }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_model_saved_is_told_in_words() {
        let saved = to_bytes(&1.0).expect("bytes");
        let told = from_bytes::<Vec<f64>>(&saved).expect_err("no list").to_string();
        assert_eq!(told, "this was not saved by this simulation: it is of another model, or of another scheme");
    }
}
