//! How a run gets on: by implicit steps, or from event to event.

use serde::{Serialize, de::DeserializeOwned};

use super::{Event, Grid, Observer, RunError};
use crate::law::State;
use crate::mechanics::{Stop, System, SystemError};

/// Instants of a grid at which a run is looked at: every so many steps, and the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Samples {
    /// The instants that can be chosen; the run goes to the last.
    pub grid: Grid,
    /// How many steps lie between two that are.
    pub every: u64,
}

impl Samples {
    /// One look, at t.
    pub fn once(t: f64) -> Samples {
        Samples { grid: Grid { h: t, steps: 1 }, every: 1 }
    }

    /// The number of the first one after t; none if all lie before it.
    pub fn first_after(&self, t: f64) -> Option<u64> {
        let Samples { grid, every } = *self;
        let every = every.max(1);
        if grid.time(grid.steps) <= t {
            return None;
        }
        let mut n = ((t / grid.h) as u64 / every) * every;
        while n < grid.steps && grid.time(n) <= t {
            n = n.saturating_add(every);
        }
        Some(n.min(grid.steps))
    }

    /// Number n and its instant, if it lies before `to` and is not the last.
    #[inline]
    pub(crate) fn due(&self, n: Option<u64>, to: f64) -> Option<(u64, f64)> {
        let n = n.filter(|&n| n < self.grid.steps)?;
        Some((n, self.grid.time(n))).filter(|(_, t)| *t < to)
    }

    /// The one after number n.
    pub fn after(&self, n: u64) -> Option<u64> {
        (n < self.grid.steps).then(|| n.saturating_add(self.every.max(1)).min(self.grid.steps))
    }
}

/// How a run from event to event was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventRun {
    /// Whether the motion between events has a closed form, or is integrated.
    pub closed_form: bool,
    /// Clusters of events that implicit steps had to lead out of so far.
    pub handovers: u64,
}

/// The state of a run and the way it gets on: plain data, all that the motion from here on depends on.
pub trait Integrator<S: System>: Clone + Send + Serialize + DeserializeOwned {
    /// Where it stands \[s\].
    fn time(&self) -> f64;

    /// The state there.
    fn state(&self) -> &S::State;

    /// What the contacts do; none before it is decided.
    fn contact_states(&self) -> Option<&[State]>;

    /// Time that each contact stuck so far \[s\].
    fn stuck(&self) -> Vec<f64>;

    /// Size of its steps \[s\]; none from event to event.
    fn step_size(&self) -> Option<f64> {
        None
    }

    /// The scheme and its step, in words.
    fn words(&self) -> String;

    /// Instants that differ by no more are one \[s\]: steps of a clock are met but for rounding.
    fn slack(&self) -> f64 {
        0.0
    }

    /// How it goes from event to event; none by steps.
    fn by_events(&self) -> Option<EventRun>;

    /// The state whose forces and contact states hold at the start: by events those decided there, by steps those of
    /// the first step, which hold from the start to its end.
    fn decided(&self, system: &S, work: &mut S::Workspace) -> Result<S::State, SystemError>;

    /// Goes to the last of the samples, or no further than the first event where that is asked for.
    fn advance<O: Observer<S::State>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>>;

    /// Makes one step of size h, whatever the usual size is.
    fn step<O: Observer<S::State>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>>;

    /// From now on the system is another one that is driven otherwise. Tells what that changes at once.
    fn switch(&mut self, old: &S, new: &S, tell: &mut Vec<Event>) -> Result<(), SystemError>;
}
