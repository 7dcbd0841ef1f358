//! Events that crowd, and the implicit steps that lead out of them.

use serde::{Deserialize, Serialize};

use super::Counts;
use crate::mechanics::SystemError;

/// Events closer than this are one event \[s\].
pub(crate) const TOGETHER: f64 = 1e-12;

/// The clock has moved if it has by so many roundings.
const MOVED: f64 = 4.0 * f64::EPSILON;

/// A stretch of implicit steps that begins within so many times its own length after the last goes on with the same cluster.
const SOON: f64 = 10.0;

/// How often the number of steps is doubled.
const MOST_DOUBLED: u32 = 8;

/// Stretches one soon after the other, of which the last ones have the most steps, before the run ends with an error.
const PATIENCE: u32 = 24;

/// When to leave the units of a flow for a while.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// So many events, each within 1e-12 s of the one before (or, where motion is integrated, all within the time that
    /// the steps below take), are a cluster that is not gone through event by event; 64 by default.
    pub cluster: u32,
    /// Size of the implicit steps that lead out of a cluster \[s\], > 0; 1e-6 by default.
    pub step: f64,
    /// How many of them are made; 16 by default.
    pub steps: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { cluster: 64, step: 1e-6, steps: 16 }
    }
}

/// Events that crowd, and the implicit steps that lead out of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Cluster {
    pub settings: Settings,
    /// Units one after the other in no time.
    count: u32,
    /// Implicit steps still to be made.
    pub short_steps: u32,
    /// When the first of the last stretches, one soon after the other, began, and the last ended \[s\].
    since: f64,
    until: f64,
    /// How many there were after the first.
    times: u32,
}

impl Cluster {
    /// Nothing crowds yet.
    pub fn new(settings: &Settings) -> Cluster {
        Cluster { settings: *settings, count: 0, short_steps: 0, since: 0.0, until: f64::NEG_INFINITY, times: 0 }
    }

    /// A unit that is no implicit step lasted so long; no time is less than `together`. True if that makes a cluster.
    #[inline(always)]
    pub fn gathers(&mut self, lasted: f64, together: f64) -> bool {
        self.count = if lasted <= together { self.count + 1 } else { 0 };
        self.count >= self.settings.cluster
    }

    /// How long the implicit steps take at least \[s\].
    pub fn stretch(&self) -> f64 {
        self.settings.step * f64::from(self.settings.steps)
    }

    /// From t on implicit steps are made. Soon after others the cluster is longer than those: twice as many each time.
    pub fn hand_over(&mut self, t: f64, counts: &mut Counts) -> Result<(), SystemError> {
        counts.handovers += 1;
        self.count = 0;
        let soon = t - self.until <= SOON * self.stretch();
        self.times = if soon { self.times + 1 } else { 0 };
        if self.times == 0 {
            self.since = t;
        }
        if self.times >= PATIENCE {
            return Err(SystemError::Crowded { since: self.since, t, handovers: u64::from(self.times) });
        }
        self.short_steps = self.settings.steps << self.times.min(MOST_DOUBLED);
        Ok(())
    }

    /// Size of an implicit step from t on, and where it ends: at the next break of a signal at the latest.
    pub fn step(&self, t: f64, stop: f64) -> (f64, f64) {
        let h = self.settings.step.max(MOVED * t);
        if t + h < stop { (h, t + h) } else { (stop - t, stop) }
    }

    /// An implicit step has been made that ended at t. True if it was the last.
    pub fn stepped(&mut self, t: f64) -> bool {
        self.short_steps -= 1;
        self.until = t;
        self.short_steps == 0
    }
}
