//! Looking on at a run.

use std::convert::Infallible;

use crate::law::State;

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
pub(crate) struct EventCollector<'a, E> {
    events: &'a mut Vec<Event>,
    never: std::marker::PhantomData<E>,
}

impl<'a, E> EventCollector<'a, E> {
    /// Adds to the list.
    pub fn into(events: &'a mut Vec<Event>) -> EventCollector<'a, E> {
        EventCollector { events, never: std::marker::PhantomData }
    }
}

impl<S, E> Observer<S> for EventCollector<'_, E> {
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
