//! The motorcycle from event to event.

use serde::{Deserialize, Serialize};
use stickslip_core::law::State;
use stickslip_core::mechanics::{Stop, System, SystemError, known_until};
use stickslip_core::scheme::{Event, EventRun, Integrator, Observer, RunError, Samples};
use stickslip_loads::ode::Extrapolation;
use stickslip_loads::planar::{Happening, Kind, Modes, PlanarRun, Seen};

use super::state::{Story, contact_states};
use super::system::{ends, fell_over};
use super::{Motorcycle, MotorcycleState};

/// A run from event to event: plain data.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct EventToEvent {
    /// Where it stands \[s\], within the unit that the run stands at the beginning of.
    now: f64,
    state: MotorcycleState,
    known: Vec<State>,
    run: PlanarRun,
    /// Of the beginning of the unit.
    story: Story,
    stuck: [f64; 4],
}

impl EventToEvent {
    /// From the start of a motorcycle.
    pub fn new(system: &Motorcycle) -> Result<EventToEvent, SystemError> {
        let mut story = Story::default();
        let p = &system.parameters;
        let tell = &mut |event: Happening| story.take(event.t, &event.kind, event.state.v[0]);
        let run = PlanarRun::new(&system.body, p.start(), p.settings, tell).map_err(|error| ends(&error))?;
        let state = system.start();
        let mut this = EventToEvent { now: 0.0, state, known: Vec::new(), run, story, stuck: [0.0; 4] };
        this.stand_at(system, &mut system.workspace(), 0.0)?;
        Ok(this)
    }

    /// Takes over the motion at t.
    fn stand_at(&mut self, system: &Motorcycle, work: &mut Extrapolation, t: f64) -> Result<(), SystemError> {
        self.state = self.look(system, work, t)?;
        self.known = contact_states(self.run.modes()).to_vec();
        self.now = t;
        Ok(())
    }

    /// The state at t, within the unit.
    fn look(&self, system: &Motorcycle, work: &mut Extrapolation, t: f64) -> Result<MotorcycleState, SystemError> {
        let seen = self.run.at(&system.body, work, t).ok_or(SystemError::Undecided { t })?;
        Ok(self.shown(&seen))
    }

    fn shown(&self, seen: &Seen) -> MotorcycleState {
        let mut state = self.state.clone();
        (state.moved.state, state.moved.spent, state.moved.modes) = (seen.state, seen.spent, *self.run.modes());
        state.carry(&seen.loads);
        (state.missed, state.story) = (self.run.missed(), self.story.clone());
        state
    }

    /// What happens at the end of the unit: the instants of it, and whether contacts have changed.
    fn pass(
        &mut self,
        system: &Motorcycle,
        ahead: stickslip_loads::planar::Ahead,
        tell: &mut impl FnMut(Event),
    ) -> Result<Passed, SystemError> {
        let before = *self.run.modes();
        let lasted = ahead.until - self.run.t();
        for (stuck, state) in self.stuck.iter_mut().zip(contact_states(&before)) {
            *stuck += if state == State::Stick { lasted } else { 0.0 };
        }
        let mut seen = false;
        let story = &mut self.story;
        let happened = &mut |event: Happening| {
            seen |= !matches!(event.kind, Kind::Modes { .. });
            story.take(event.t, &event.kind, event.state.v[0]);
        };
        self.run.pass(&system.body, ahead, happened).map_err(|error| ends(&error))?;
        let changed = changes(self.run.t(), &before, self.run.modes(), tell);
        Ok(Passed { changed, shown: changed || seen })
    }
}

/// What the end of a unit has brought.
struct Passed {
    /// Contacts do something else.
    changed: bool,
    /// There is something to see.
    shown: bool,
}

/// Tells which contacts do something else; whether any does.
fn changes(t: f64, before: &Modes, after: &Modes, tell: &mut impl FnMut(Event)) -> bool {
    let pairs = contact_states(before).into_iter().zip(contact_states(after));
    let mut any = false;
    for (contact, (from, to)) in pairs.enumerate().filter(|(_, (from, to))| from != to) {
        tell(Event { t, contact, from, to });
        any = true;
    }
    any
}

impl Integrator<Motorcycle> for EventToEvent {
    fn time(&self) -> f64 {
        self.now
    }

    fn state(&self) -> &MotorcycleState {
        &self.state
    }

    fn contact_states(&self) -> Option<&[State]> {
        Some(&self.known)
    }

    fn stuck(&self) -> Vec<f64> {
        let lasted = self.now - self.run.t();
        let each = self.stuck.iter().zip(&self.known);
        each.map(|(stuck, state)| stuck + if *state == State::Stick { lasted } else { 0.0 }).collect()
    }

    fn words(&self) -> String {
        "events".to_string()
    }

    fn by_events(&self) -> Option<EventRun> {
        Some(EventRun { closed_form: false, handovers: self.run.clusters() })
    }

    fn decided(&self, _: &Motorcycle, _: &mut Extrapolation) -> Result<MotorcycleState, SystemError> {
        Ok(self.state.clone())
    }

    fn advance<O: Observer<MotorcycleState>>(
        &mut self,
        system: &Motorcycle,
        work: &mut Extrapolation,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        if end <= self.now {
            return Ok(Stop::Time);
        }
        let known = known_until(system.signals());
        // The last instant of a grid may be off by rounding.
        if end > known * (1.0 + 1e-9) {
            return Err(RunError::System(SystemError::Unexplored { until: known, asked: end }));
        }
        let mut next = samples.first_after(self.now);
        let mut run = self.clone();
        let (stop, t) = loop {
            let ahead = run.run.ahead(&system.body, work, known).map_err(|error| RunError::System(ends(&error)))?;
            while let Some(n) = next.filter(|&n| n < samples.grid.steps && samples.grid.time(n) < ahead.until) {
                let t = samples.grid.time(n);
                let state = run.look(system, work, t).map_err(RunError::System)?;
                observer.sample(n, t, &state).map_err(RunError::Observer)?;
                next = samples.after(n);
            }
            if ahead.until >= end {
                break (Stop::Time, end);
            }
            let mut events = Vec::new();
            let passed = run.pass(system, ahead, &mut |event| events.push(event)).map_err(RunError::System)?;
            let t = run.run.t();
            if run.run.fell_over().is_some() {
                let pitch = run.look(system, work, t).map_or(0.0, |state| state.places()[2]);
                return Err(RunError::System(fell_over(t, pitch)));
            }
            events.iter().try_for_each(|event| observer.event(event)).map_err(RunError::Observer)?;
            if passed.shown && observer.sees_changes() {
                let state = run.look(system, work, t).map_err(RunError::System)?;
                observer.changed(t, &state).map_err(RunError::Observer)?;
            }
            if passed.changed && until_event {
                break (Stop::Event, t);
            }
        };
        run.stand_at(system, work, t).map_err(RunError::System)?;
        if !system.is_finite(&run.state) {
            return Err(RunError::Overflow { t });
        }
        *self = run;
        if stop == Stop::Time {
            observer.sample(samples.grid.steps, t, &self.state).map_err(RunError::Observer)?;
        }
        Ok(stop)
    }

    fn step<O: Observer<MotorcycleState>>(
        &mut self,
        system: &Motorcycle,
        work: &mut Extrapolation,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        self.advance(system, work, Samples::once(self.now + h), false, observer).map(|_| ())
    }

    fn switch(&mut self, old: &Motorcycle, new: &Motorcycle, tell: &mut Vec<Event>) -> Result<(), SystemError> {
        let mut run = self.clone();
        let mut work = old.workspace();
        let ahead = run.run.ahead(&old.body, &mut work, known_until(old.signals())).map_err(|error| ends(&error))?;
        if ahead.until <= run.now {
            run.pass(old, ahead, &mut |event| tell.push(event))?;
        }
        let before = *run.run.modes();
        let lasted = run.now - run.run.t();
        for (stuck, state) in run.stuck.iter_mut().zip(contact_states(&before)) {
            *stuck += if state == State::Stick { lasted } else { 0.0 };
        }
        let (t, story) = (run.now, &mut run.story);
        let happened = &mut |event: Happening| story.take(event.t, &event.kind, event.state.v[0]);
        run.run.interfere((&old.body, &new.body), &mut work, t, happened).map_err(|error| ends(&error))?;
        changes(t, &before, run.run.modes(), &mut |event| tell.push(event));
        run.stand_at(new, &mut work, t)?;
        *self = run;
        Ok(())
    }
}
