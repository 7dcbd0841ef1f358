//! A run from event to event.
//!
//! In closed form the run stands at the beginning of a span and looks ahead to its end. Integrated, it goes in units (a step
//! of collocation, a stretch of implicit steps where events crowd) that do not depend on when anyone looks: an instant
//! within a unit is read off it, and the unit is made again when the next is asked for. So the motion has the same bits
//! however often it is looked at.

use std::convert::Infallible;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::events::{Ahead, ClosedForm, Settings, mode_of};
use super::smooth::Paused;
use super::{ByEvents, Event, EventRun, Integrator, Observer, RunError, Samples, unseen};
use crate::law::State;
use crate::mechanics::{Affine, Stop, System, SystemError, Vector};

type Velocities<S> = <<S as ByEvents>::Closed as Affine>::Velocities;
type Contacts<S> = <<S as ByEvents>::Closed as Affine>::Contacts;
type StateOf<S> = <S as System>::State;

/// A run from event to event: all that the motion from here on depends on.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "StateOf<S>: Serialize, Velocities<S>: Serialize, Contacts<S>: Serialize",
    deserialize = "StateOf<S>: DeserializeOwned, Velocities<S>: DeserializeOwned, Contacts<S>: DeserializeOwned"
))]
pub struct EventToEvent<S: ByEvents> {
    /// Where it stands \[s\].
    now: f64,
    state: StateOf<S>,
    /// What the contacts do now.
    known: Vec<State>,
    /// Time that each contact stuck so far \[s\].
    stuck: Vec<f64>,
    flow: Flow<Velocities<S>, Contacts<S>>,
}

#[derive(Clone, Serialize, Deserialize)]
enum Flow<V, C> {
    /// At the beginning of a span, and the span.
    Closed(Box<(ClosedForm<V, C>, Ahead<V, C>)>),
    /// At the beginning of a unit, and how many of its events were told already.
    Integrated(Box<Paused>, usize),
}

impl<S: ByEvents> EventToEvent<S> {
    /// From the start of a system.
    pub fn new(system: &S) -> Result<EventToEvent<S>, RunError<Infallible>> {
        let mut first = Last { state: None };
        let (flow, decided) = match system.closed_form() {
            Some(closed) => {
                let mut run = ClosedForm::begin(closed).map_err(RunError::System)?;
                let ahead = run.look(closed, &Settings::default(), |_| Ok::<_, Infallible>(()))?;
                let state = Affine::state(closed, &run.at(closed, &ahead, 0.0));
                (Flow::Closed(Box::new((run, ahead))), Some(state))
            }
            None => {
                let run = Paused::begin(system, &mut first)?;
                (Flow::Integrated(Box::new(run), 0), first.state)
            }
        };
        let state = decided.unwrap_or_else(|| system.start());
        let stuck = vec![0.0; system.contacts().len()];
        Ok(EventToEvent { now: 0.0, known: states(system, &state), state, stuck, flow })
    }

    /// Goes on in closed form.
    fn advance_closed<O: Observer<StateOf<S>>>(
        &mut self,
        closed: &S::Closed,
        (mut run, mut ahead): Standing<S>,
        (samples, until_event): (Samples, bool),
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        let mut next = samples.first_after(self.now);
        let mut stop = Stop::Time;
        let t = loop {
            while let Some(n) = next.filter(|&n| n < samples.grid.steps && samples.grid.time(n) < ahead.until) {
                let t = samples.grid.time(n);
                let state = Affine::state(closed, &run.at(closed, &ahead, t));
                observer.sample(n, t, &state).map_err(RunError::Observer)?;
                next = samples.after(n);
            }
            if ahead.until >= end {
                break end;
            }
            run.pass(closed, ahead)?;
            let mut changed = false;
            ahead = run.look(closed, &Settings::default(), |event| {
                changed = true;
                observer.event(&event)
            })?;
            if O::SEES_CHANGES && changed {
                let state = Affine::state(closed, &run.at(closed, &ahead, run.t));
                observer.changed(run.t, &state).map_err(RunError::Observer)?;
            }
            if changed && until_event {
                stop = Stop::Event;
                break run.t;
            }
        };
        let motion = run.at(closed, &ahead, t);
        if !motion.is_finite() {
            return Err(RunError::Overflow { t });
        }
        self.now = t;
        self.state = Affine::state(closed, &motion);
        self.known = (0..motion.signs.size()).map(|i| mode_of(motion.signs[i])).collect();
        self.stuck = run.stuck_at(&ahead, t);
        self.flow = Flow::Closed(Box::new((run, ahead)));
        if stop == Stop::Time {
            observer.sample(samples.grid.steps, t, &self.state).map_err(RunError::Observer)?;
        }
        Ok(stop)
    }

    /// Goes on by integration, from the beginning of a unit of which some events are told already.
    fn integrate<O: Observer<StateOf<S>>>(
        &mut self,
        system: &S,
        (mut run, mut told): (Paused, usize),
        samples: Samples,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        let settings = Settings::default();
        let end = samples.grid.time(samples.grid.steps);
        let Some(mut next) = samples.first_after(self.now) else { return Ok(()) };
        loop {
            let kept = run.may_reach(end, &settings).then(|| run.clone());
            let mut listener = Listener { observer, every: samples.every.max(1), told, seen: 0 };
            let (after, number) = run.unit(system, &mut listener, &settings, (samples.grid, next))?;
            next = number;
            if after.begins() < end {
                (run, told) = (after, 0);
                continue;
            }
            let seen = listener.seen;
            self.stand_at(system, end, &after);
            self.flow = match kept {
                Some(kept) => Flow::Integrated(Box::new(kept), seen),
                None => Flow::Integrated(Box::new(after), 0),
            };
            return observer.sample(samples.grid.steps, end, &self.state).map_err(RunError::Observer);
        }
    }

    /// The same to the first event, if there is one before t.
    fn integrate_to_event<O: Observer<StateOf<S>>>(
        &mut self,
        system: &S,
        (mut run, mut told): (Paused, usize),
        t: f64,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let samples = Samples::once(t);
        loop {
            let begun = run.clone();
            let mut heard = Heard(Vec::new());
            let unit = run.unit(system, &mut heard, &Settings::default(), (samples.grid, 1));
            let (after, _) = unit.map_err(without_observer)?;
            if let Some(first) = heard.0.get(told).map(|event| event.t) {
                let at_once = heard.0.iter().take_while(|event| event.t <= first).count();
                for event in &heard.0[told..at_once] {
                    observer.event(event).map_err(RunError::Observer)?;
                }
                let once = (Samples::once(first).grid, 1);
                let at = begun.clone().unit(system, &mut Heard(Vec::new()), &Settings::default(), once);
                self.stand_at(system, first, &at.map_err(without_observer)?.0);
                self.flow = Flow::Integrated(Box::new(begun), at_once);
                return Ok(Stop::Event);
            }
            if after.begins() >= t {
                self.stand_at(system, t, &after);
                self.flow = Flow::Integrated(Box::new(begun), heard.0.len());
                return Ok(Stop::Time);
            }
            (run, told) = (after, 0);
        }
    }

    /// Takes over the motion at t.
    fn stand_at(&mut self, system: &S, t: f64, run: &Paused) {
        self.now = t;
        self.state = run.state(system);
        self.known = states(system, &self.state);
        self.stuck = run.stuck().to_vec();
    }
}

/// At the beginning of a span, and the span.
type Standing<S> = (ClosedForm<Velocities<S>, Contacts<S>>, Ahead<Velocities<S>, Contacts<S>>);

impl<S> Integrator<S> for EventToEvent<S>
where
    S: ByEvents + Clone,
    StateOf<S>: Serialize + DeserializeOwned,
{
    fn time(&self) -> f64 {
        self.now
    }

    fn state(&self) -> &StateOf<S> {
        &self.state
    }

    fn contact_states(&self) -> Option<&[State]> {
        Some(&self.known)
    }

    fn stuck(&self) -> Vec<f64> {
        self.stuck.clone()
    }

    fn words(&self) -> String {
        "events".to_string()
    }

    fn by_events(&self) -> Option<EventRun> {
        Some(match &self.flow {
            Flow::Closed(standing) => EventRun { closed_form: true, handovers: standing.0.handovers },
            Flow::Integrated(run, _) => EventRun { closed_form: false, handovers: run.handovers() },
        })
    }

    fn decided(&self, _: &S, _: &mut S::Workspace) -> Result<StateOf<S>, SystemError> {
        Ok(self.state.clone())
    }

    fn advance<O: Observer<StateOf<S>>>(
        &mut self,
        system: &S,
        _: &mut S::Workspace,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        if end <= self.now {
            return Ok(Stop::Time);
        }
        let known = system.known_until();
        // The last instant of a grid may be off by rounding.
        if end > known * (1.0 + 1e-9) {
            return Err(RunError::System(SystemError::Unexplored { until: known, asked: end }));
        }
        match (self.flow.clone(), system.closed_form()) {
            (Flow::Closed(standing), Some(closed)) => {
                self.advance_closed(closed, *standing, (samples, until_event), observer)
            }
            (Flow::Integrated(run, told), _) if until_event => {
                self.integrate_to_event(system, (*run, told), end, observer)
            }
            (Flow::Integrated(run, told), _) => {
                self.integrate(system, (*run, told), samples, observer).map(|()| Stop::Time)
            }
            (Flow::Closed(_), None) => Err(RunError::System(SystemError::NotAffine { what: "a signal", t: self.now })),
        }
    }

    fn step<O: Observer<StateOf<S>>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        let samples = Samples::once(self.now + h);
        self.advance(system, work, samples, false, observer).map(|_| ())
    }

    /// In closed form only as long as nobody interferes: from here on the motion is integrated.
    fn switch(&mut self, old: &S, new: &S, tell: &mut Vec<Event>) -> Result<(), SystemError> {
        let t = self.now;
        let (run, told) = match (self.flow.clone(), old.closed_form()) {
            (Flow::Closed(standing), Some(closed)) => {
                let (mut run, mut ahead) = *standing;
                if ahead.until <= t {
                    run.pass(closed, ahead).map_err(unseen)?;
                    ahead = run
                        .look(closed, &Settings::default(), |event| {
                            tell.push(event);
                            Ok::<_, Infallible>(())
                        })
                        .map_err(unseen)?;
                }
                let motion = run.at(closed, &ahead, t);
                let stuck = run.stuck_at(&ahead, t);
                (Paused::from_closed_form(closed, old, t, &motion, stuck, run.handovers)?, 0)
            }
            (Flow::Closed(_), None) => return Err(SystemError::NotAffine { what: "a signal", t }),
            (Flow::Integrated(run, told), _) => (*run, told),
        };
        let mut heard = Heard(Vec::new());
        let run = run.switch((old, new), &mut heard, &Settings::default(), t).map_err(unseen)?;
        tell.extend(heard.0.into_iter().skip(told));
        self.stand_at(new, t, &run);
        self.flow = Flow::Integrated(Box::new(run), 0);
        Ok(())
    }
}

fn states<S: System>(system: &S, state: &S::State) -> Vec<State> {
    let mut states = vec![State::Open; system.contacts().len()];
    system.contact_states(state, &mut states);
    states
}

fn without_observer<E>(error: RunError<Infallible>) -> RunError<E> {
    match error {
        RunError::System(error) => RunError::System(error),
        RunError::Overflow { t } => RunError::Overflow { t },
        RunError::Observer(never) => match never {},
    }
}

/// Keeps the state at the start.
struct Last<T> {
    state: Option<T>,
}

impl<T: Clone> Observer<T> for Last<T> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        1
    }

    fn start(&mut self, state: &T) -> Result<(), Infallible> {
        self.state = Some(state.clone());
        Ok(())
    }

    fn sample(&mut self, _: u64, _: f64, _: &T) -> Result<(), Infallible> {
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Keeps events.
struct Heard(Vec<Event>);

impl<T> Observer<T> for Heard {
    type Error = Infallible;

    fn every(&self) -> u64 {
        1
    }

    fn sample(&mut self, _: u64, _: f64, _: &T) -> Result<(), Infallible> {
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Infallible> {
        self.0.push(*event);
        Ok(())
    }
}

/// Passes on what a unit tells, but for the events of it that were told before.
struct Listener<'a, O> {
    observer: &'a mut O,
    every: u64,
    told: usize,
    seen: usize,
}

impl<T, O: Observer<T>> Observer<T> for Listener<'_, O> {
    type Error = O::Error;

    fn every(&self) -> u64 {
        self.every
    }

    fn sample(&mut self, n: u64, t: f64, state: &T) -> Result<(), O::Error> {
        self.observer.sample(n, t, state)
    }

    fn event(&mut self, event: &Event) -> Result<(), O::Error> {
        self.seen += 1;
        if self.seen > self.told { self.observer.event(event) } else { Ok(()) }
    }

    const SEES_CHANGES: bool = O::SEES_CHANGES;

    fn changed(&mut self, t: f64, state: &T) -> Result<(), O::Error> {
        if self.seen > self.told { self.observer.changed(t, state) } else { Ok(()) }
    }
}
