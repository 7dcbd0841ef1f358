//! Controllers in discrete time: sampled at t_k = k·Ts, blind and still in between.
//!
//! A scheme cuts its steps at the sampling instants (its own step need not divide Ts), hands over the measurements of the
//! state *at* t_k, before any new command acts, and keeps the commands until t_{k+1}. t_k is k·Ts, not a sum of rounded steps
//! ([`Clock`]): a microsecond of difference in Ts moves the stop of a car with anti-lock by millimetres.
//!
//! What a controller remembers is plain data: a run can be saved, restored and repeated.
//!
//! | file | controller |
//! |---|---|
//! | `anti_lock.rs` | thresholds on the slip, a rate of the brake torque |
//! | `pid.rs` | proportional, integral, derivative, with limits |
//! | `table.rs` | a command read off a table |
//!
//! `controlled.rs` puts any number of them into the loop of any simulation, `wiring.rs` says what they read and drive there.

mod anti_lock;
mod controlled;
mod pid;
mod shown;
mod table;
mod wiring;

pub use anti_lock::{AntiLock, AntiLockData, AntiLockMode, AntiLockState};
pub use controlled::Controlled;
pub use pid::{Pid, PidData, PidState};
pub use table::{Table, TableData};
pub use wiring::{Actuator, Wiring};

use serde::{Deserialize, Serialize};

use stickslip_core::range::{OutOfRange, in_range};

/// Ranges of the numbers of controllers, in code and in files.
pub mod ranges {
    pub use stickslip_core::range::{
        Negative as Fall, NonNegative as Demand, Positive as Period, Positive as Rise, Positive as Slip,
        Positive as SpeedOff,
    };
}

/// Why data make no controller.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// A number is out of its range.
    #[error("controller: {0}")]
    Number(#[from] OutOfRange),
    /// Two thresholds in the wrong order.
    #[error("controller: {low_name} = {low} must be below {high_name} = {high}")]
    Order {
        /// The lower one.
        low_name: &'static str,
        /// Its value.
        low: f64,
        /// The upper one.
        high_name: &'static str,
        /// Its value.
        high: f64,
    },
    /// A column that is not there.
    #[error("there is no column `{name}` that it could measure")]
    NoColumn {
        /// The name asked for.
        name: String,
    },
    /// An input that is not there.
    #[error("there is no input `{name}` that it could drive")]
    NoInput {
        /// The name asked for.
        name: String,
    },
    /// A table that is none.
    #[error("controller: {0}")]
    Table(#[from] stickslip_core::law::curve::CurveError),
}

/// Sampled at k·Ts: reads measurements, gives commands, each a list in the order of its names.
pub trait Controller: Send + Sync {
    /// What it remembers from sample to sample.
    type Memory: Clone + PartialEq + std::fmt::Debug + Serialize + for<'a> Deserialize<'a> + Send + Sync;

    /// Names of the measurements it reads.
    fn measurements(&self) -> &[String];

    /// Names of the commands it gives.
    fn commands(&self) -> &[String];

    /// Ts \[s\].
    fn period(&self) -> f64;

    /// What it remembers before the first sample.
    fn start(&self) -> Self::Memory;

    /// Reads the measurements at sample k and writes the commands that hold until sample k + 1.
    fn sample(&self, k: u64, measured: &[f64], memory: &mut Self::Memory, commands: &mut [f64]);

    /// What it does now, for columns and strips: 1 where the command rises, 0 where it is held, −1 where it falls. None (by
    /// default) for controllers without modes.
    fn mode(&self, _memory: &Self::Memory) -> Option<f64> {
        None
    }

    /// What it has counted so far, by name; nothing by default.
    fn tallies(&self, _memory: &Self::Memory) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Sampling instants.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    period: f64,
    /// Number of the next sample.
    next: u64,
}

impl Clock {
    /// Samples every `period` > 0 \[s\], the first at t = 0.
    pub fn new(period: f64) -> Result<Clock, ControlError> {
        Ok(Clock { period: in_range::<ranges::Period>("period", period, "s")?, next: 0 })
    }

    /// Number of the next sample.
    pub fn number(&self) -> u64 {
        self.next
    }

    /// When the next sample is due: exactly k·Ts \[s\].
    #[inline]
    pub fn due(&self) -> f64 {
        self.next as f64 * self.period
    }

    /// The sample has been taken; its number.
    pub fn taken(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }
}
