//! From event to event, whatever the motion in between is made of.
//!
//! A motion goes in *units*: spans in closed form (`events/`), steps of collocation (`smooth/`), steps of an integrator that a
//! model brings; short implicit steps where events crowd. It stands at the beginning of a unit that is made when it is asked
//! for. What lies within is read off it, so that the motion has the same bits however often it is looked at.
//!
//! What all of them share is here: when samples are due, which contacts have changed, how long each stuck, when events crowd so
//! that implicit steps must lead out, and why a run stops. A sample at the instant of an event shows the state after it.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use super::{Event, Grid, Observer, RunError, Samples};
use crate::law::State;
use crate::mechanics::{Stop, SystemError, Vector};

/// What a run from event to event ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRunResult<S> {
    /// State at the end.
    pub state: S,
    /// Time that each contact stuck \[s\].
    pub stuck: Vec<f64>,
    /// Changes of state of all contacts together.
    pub events: u64,
    /// Spans of closed-form motion, or steps.
    pub spans: u64,
    /// Clusters of events that implicit steps had to lead out of. Zero means that the result is exact but for
    /// rounding (in closed form), or but for the tolerance of the steps.
    pub handovers: u64,
}

/// A motion of a system S that goes in units: plain data, all that it depends on from the beginning of a unit on.
pub trait Units<S: ?Sized>: Clone + Send {
    /// What units are made in; it can be made anew at any time.
    type Workspace;
    /// What observers see.
    type State;

    /// Where it stands: the beginning of the unit \[s\].
    fn time(&self) -> f64;

    /// When the unit ends \[s\], which is made if it was not. This time nobody looks beyond `end`.
    fn ahead(&mut self, system: &S, work: &mut Self::Workspace, end: f64) -> Result<f64, SystemError>;

    /// The motion at t, within the unit. What it leaves behind are notes and room, nothing that moves.
    fn at(&mut self, system: &S, work: &mut Self::Workspace, t: f64) -> Result<Self::State, RunError<Infallible>>;

    /// The same where a run stops: it must be finite and describe the system. With the time that each contact stuck \[s\].
    fn arrive(
        &self,
        system: &S,
        work: &mut Self::Workspace,
        t: f64,
    ) -> Result<Arrived<Self::State>, RunError<Infallible>>;

    /// Instants within the unit at which observers who see changes should look, too; none by default.
    fn sights(&self, _system: &S, _work: &mut Self::Workspace) -> Vec<f64> {
        Vec::new()
    }

    /// Goes to the end of the unit, which was made, chooses what holds from there on and tells what changes: at that end, or
    /// earlier where only the unit has shown it. True if there is more to see than changes of contacts.
    fn pass(
        &mut self,
        system: &S,
        work: &mut Self::Workspace,
        tell: &mut impl FnMut(Event),
    ) -> Result<bool, RunError<Infallible>>;

    /// Changes told, units made and clusters handed over so far.
    fn counts(&self) -> Counts;
}

/// A state and the time that each contact stuck so far \[s\].
pub type Arrived<T> = (T, Vec<f64>);

/// How much has happened so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Changes of state of all contacts together.
    pub events: u64,
    /// Units that were gone through.
    pub units: u64,
    /// Clusters of events that were not gone through one by one.
    pub handovers: u64,
}

/// What is noted of a run, up to the beginning of a unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Log<C> {
    /// Time that each contact stuck \[s\].
    pub stuck: C,
    /// Events, units, clusters.
    pub counts: Counts,
}

impl<C: Vector> Log<C> {
    /// Of so many contacts, with nothing in it yet.
    #[inline(always)]
    pub fn new(contacts: usize) -> Log<C> {
        Log { stuck: C::from_fn(contacts, |_| 0.0), counts: Counts::default() }
    }

    /// A unit is over that lasted so long.
    #[inline(always)]
    pub fn over(&mut self, lasted: f64, sticks: impl Fn(usize) -> bool) {
        self.counts.units += 1;
        self.stick(lasted, sticks);
    }

    /// Time in which contacts stuck.
    #[inline(always)]
    pub fn stick(&mut self, lasted: f64, sticks: impl Fn(usize) -> bool) {
        for i in 0..self.stuck.size() {
            if sticks(i) {
                self.stuck[i] += lasted;
            }
        }
    }

    /// Time that each contact stuck until so long after the beginning of the unit \[s\].
    pub fn stuck_after(&self, lasted: f64, sticks: impl Fn(usize) -> bool) -> Vec<f64> {
        let more = |i: usize| if sticks(i) { lasted } else { 0.0 };
        (0..self.stuck.size()).map(|i| self.stuck[i] + more(i)).collect()
    }

    /// Tells which contacts do something else from t on: of each what it did and does, if that is another thing.
    #[inline(always)]
    pub fn announce<T: FnMut(Event) + ?Sized>(
        &mut self,
        t: f64,
        each: impl Iterator<Item = Option<(State, State)>>,
        tell: &mut T,
    ) {
        for (contact, change) in each.enumerate() {
            if let Some((from, to)) = change {
                self.counts.events += 1;
                tell(Event { t, contact, from, to });
            }
        }
    }
}

/// Where a run stands within the unit that its units begin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Now \[s\].
    pub now: f64,
    /// How many events of the unit were told already.
    pub told: usize,
}

/// Goes from a place to the last of the samples, or no further than the first event where that is asked for; why it stops. The observer
/// sees all of it but the last sample.
#[inline(always)]
pub(super) fn drive<S: ?Sized, U: Units<S>, O: Observer<U::State>>(
    (system, work): (&S, &mut U::Workspace),
    units: &mut U,
    place: &mut Place,
    (samples, until_event): (Samples, bool),
    observer: &mut O,
) -> Result<Stop, RunError<O::Error>> {
    let end = samples.grid.time(samples.grid.steps);
    let mut next = samples.first_after(place.now);
    loop {
        if units.time() >= end {
            place.now = end;
            return Ok(Stop::Time);
        }
        let until = units.ahead(system, work, end).map_err(RunError::System)?;
        let sights = if observer.sees_changes() { units.sights(system, work) } else { Vec::new() };
        let now = place.now;
        let mut sights = sights.into_iter().filter(|t| *t > now && *t < end).peekable();
        while let Some((n, t)) = samples.due(next, until) {
            while let Some(sight) = sights.next_if(|sight| *sight < t) {
                see((system, work), units, sight, observer)?;
            }
            let state = units.at(system, work, t).map_err(RunError::unobserved)?;
            observer.sample(n, t, &state).map_err(RunError::Observer)?;
            next = samples.after(n);
        }
        sights.try_for_each(|sight| see((system, work), units, sight, observer))?;
        if until > end {
            place.now = end;
            return Ok(Stop::Time);
        }
        let begun = until_event.then(|| units.clone());
        let mut heard = 0;
        let (mut first, mut changed, mut failed) = (f64::INFINITY, false, None);
        let more = units
            .pass(system, work, &mut |event| {
                // Where the first event is asked for, those after it are told another time.
                if failed.is_some() || (until_event && event.t > first) {
                    return;
                }
                heard += 1;
                if heard > place.told {
                    first = first.min(event.t);
                    changed |= event.t >= until;
                    failed = observer.event(&event).err();
                }
            })
            .map_err(RunError::unobserved)?;
        if let Some(error) = failed {
            return Err(RunError::Observer(error));
        }
        if let (Some(begun), true) = (begun, first < until) {
            *units = begun;
            *place = Place { now: first, told: heard };
            return Ok(Stop::Event);
        }
        *place = Place { now: until, told: 0 };
        if (changed || more) && observer.sees_changes() {
            see((system, work), units, until, observer)?;
        }
        if changed && until_event {
            return Ok(Stop::Event);
        }
    }
}

/// Shows the state at t, within the unit, where something changes.
fn see<S: ?Sized, U: Units<S>, O: Observer<U::State>>(
    (system, work): (&S, &mut U::Workspace),
    units: &mut U,
    t: f64,
    observer: &mut O,
) -> Result<(), RunError<O::Error>> {
    let state = units.at(system, work, t).map_err(RunError::unobserved)?;
    observer.changed(t, &state).map_err(RunError::Observer)
}

/// Runs from the start of a system to the end of a grid.
pub(super) fn run<S: ?Sized, U: Units<S>, O: Observer<U::State>>(
    (system, work): (&S, &mut U::Workspace),
    mut units: U,
    grid: Grid,
    observer: &mut O,
) -> Result<EventRunResult<U::State>, RunError<O::Error>> {
    let start = units.at(system, work, 0.0).map_err(RunError::unobserved)?;
    observer.start(&start).map_err(RunError::Observer)?;
    let samples = Samples { grid, every: observer.every() };
    let mut place = Place { now: 0.0, told: 0 };
    drive((system, work), &mut units, &mut place, (samples, false), observer)?;
    let (state, stuck) = units.arrive(system, work, place.now).map_err(RunError::unobserved)?;
    observer.sample(grid.steps, place.now, &state).map_err(RunError::Observer)?;
    let counts = units.counts();
    let spans = counts.units + u64::from(units.time() < place.now);
    Ok(EventRunResult { state, stuck, events: counts.events, spans, handovers: counts.handovers })
}
