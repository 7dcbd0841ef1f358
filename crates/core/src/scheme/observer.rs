//! Looking on at a run.

use std::convert::Infallible;

use super::RunError;
use crate::law::State;
use crate::mechanics::Flow;

/// A contact changed its state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// When: the end of the first step in the new state, or the very instant where the scheme finds it \[s\].
    pub t: f64,
    /// Which contact, as numbered by the system.
    pub contact: usize,
    /// Its state before.
    pub from: State,
    /// Its state from now on.
    pub to: State,
}

/// Sees the states that a scheme passes through.
///
/// The scheme stops its inner loop only where the observer wants a sample and where a contact changes, so
/// that looking on costs nothing in between.
pub trait Observer<S> {
    /// What can go wrong while looking on.
    type Error;

    /// How many steps lie between two samples (at least 1). The last state is always sampled.
    fn every(&self) -> u64;

    /// The state at t = 0 with the forces and states of the contacts as they are decided there, before anything else.
    /// Only schemes that decide them at an instant tell it: in a step they belong to its end.
    fn start(&mut self, _state: &S) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The state after `n` steps, at time `t`.
    fn sample(&mut self, n: u64, t: f64, state: &S) -> Result<(), Self::Error>;

    /// A contact changed its state. Comes before the sample of the same step.
    fn event(&mut self, event: &Event) -> Result<(), Self::Error>;

    /// Whether [`Observer::changed`] is to be called: the state at an event must be made for it.
    fn sees_changes(&self) -> bool {
        false
    }

    /// The state at the instant at which contacts have changed, after all events of that instant were told: what holds
    /// from there on.
    fn changed(&mut self, _t: f64, _state: &S) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Said by an observer that cannot go on and keeps the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halted;

/// An observer of any kind, as one that sees the flow itself: what integrates need not be compiled anew for each.
pub(crate) type FlowObserver<'a> = dyn Observer<Flow, Error = Halted> + 'a;

/// Makes a run that shows its flow to an observer of states, which `state` makes of it.
pub(crate) fn shown<T, O: Observer<T>, R>(
    observer: &mut O,
    state: impl Fn(&Flow) -> T,
    run: impl FnOnce(&mut FlowObserver<'_>) -> Result<R, RunError<Halted>>,
) -> Result<R, RunError<O::Error>> {
    let mut shown = Shown { observer, state, reason: None };
    let result = run(&mut shown);
    result.map_err(|error| match (error, shown.reason) {
        (RunError::System(error), _) => RunError::System(error),
        (RunError::Observer(Halted), Some(reason)) => RunError::Observer(reason),
        (RunError::Overflow { t }, _) => RunError::Overflow { t },
        // Nobody else halts a run.
        (RunError::Observer(Halted), None) => RunError::Overflow { t: f64::NAN },
    })
}

/// An observer of states that is shown a flow.
struct Shown<'a, O, F, E> {
    observer: &'a mut O,
    state: F,
    reason: Option<E>,
}

impl<O, F, E> Shown<'_, O, F, E> {
    fn keep(&mut self, result: Result<(), E>) -> Result<(), Halted> {
        result.map_err(|reason| {
            self.reason = Some(reason);
            Halted
        })
    }
}

impl<T, O: Observer<T>, F: Fn(&Flow) -> T> Observer<Flow> for Shown<'_, O, F, O::Error> {
    type Error = Halted;

    fn every(&self) -> u64 {
        self.observer.every()
    }

    fn start(&mut self, flow: &Flow) -> Result<(), Halted> {
        let result = self.observer.start(&(self.state)(flow));
        self.keep(result)
    }

    fn sample(&mut self, n: u64, t: f64, flow: &Flow) -> Result<(), Halted> {
        let result = self.observer.sample(n, t, &(self.state)(flow));
        self.keep(result)
    }

    fn event(&mut self, event: &Event) -> Result<(), Halted> {
        let result = self.observer.event(event);
        self.keep(result)
    }

    fn sees_changes(&self) -> bool {
        self.observer.sees_changes()
    }

    fn changed(&mut self, t: f64, flow: &Flow) -> Result<(), Halted> {
        let result = self.observer.changed(t, &(self.state)(flow));
        self.keep(result)
    }
}

/// Sees nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullObserver;

impl<S> Observer<S> for NullObserver {
    type Error = Infallible;

    fn every(&self) -> u64 {
        u64::MAX
    }

    fn sample(&mut self, _: u64, _: f64, _: &S) -> Result<(), Infallible> {
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Keeps events, in a list of somebody else's.
pub(crate) struct Heard<'a, E> {
    events: &'a mut Vec<Event>,
    never: std::marker::PhantomData<E>,
}

impl<'a, E> Heard<'a, E> {
    /// Adds to the list.
    pub fn into(events: &'a mut Vec<Event>) -> Heard<'a, E> {
        Heard { events, never: std::marker::PhantomData }
    }
}

impl<S, E> Observer<S> for Heard<'_, E> {
    type Error = E;

    fn every(&self) -> u64 {
        1
    }

    fn sample(&mut self, _: u64, _: f64, _: &S) -> Result<(), E> {
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), E> {
        self.events.push(*event);
        Ok(())
    }
}

/// Keeps states at samples, and all events.
#[derive(Debug, Clone)]
pub struct Recording<S> {
    every: u64,
    /// Times and states, one for each sample.
    pub samples: Vec<(f64, S)>,
    /// What the contacts did.
    pub events: Vec<Event>,
}

impl<S> Recording<S> {
    /// Of every so many steps, and the last.
    pub fn every(every: u64) -> Recording<S> {
        Recording { every, samples: Vec::new(), events: Vec::new() }
    }

    /// Of events, and of the end.
    pub fn of_events() -> Recording<S> {
        Recording::every(u64::MAX)
    }
}

impl<S: Clone> Observer<S> for Recording<S> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        self.every
    }

    fn sample(&mut self, _: u64, t: f64, state: &S) -> Result<(), Infallible> {
        self.samples.push((t, state.clone()));
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Infallible> {
        self.events.push(*event);
        Ok(())
    }
}
