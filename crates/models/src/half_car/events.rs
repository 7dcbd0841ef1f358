//! The half-car from event to event.

use serde::{Deserialize, Serialize};
use stickslip_core::law::State;
use stickslip_core::mechanics::{Stop, System, SystemError, check_signals, known_until};
use stickslip_core::scheme::{Event, EventRun, Integrator, Observer, RunError, Samples};
use stickslip_loads::half_car::{Ahead, HalfCarRun, Steps};
use stickslip_loads::ode::{Extrapolation, NotSmooth};

use super::system::contact_states;
use super::{Car, CarState};

/// A run from event to event: plain data.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct EventToEvent {
    /// Where it stands \[s\], within the unit that the run stands at the beginning of.
    now: f64,
    state: CarState,
    known: Vec<State>,
    run: HalfCarRun,
    /// Of the beginning of the unit: greatest pitch, brakes without support, times that tyres carried.
    steepest: f64,
    unsupported: Option<f64>,
    carried: [f64; 2],
}

impl EventToEvent {
    /// From the start of a half-car.
    pub fn new(system: &Car) -> Result<EventToEvent, SystemError> {
        check(system, 0.0)?;
        let run = HalfCarRun::new(&system.body);
        let (state, carried) = (system.start(), [0.0; 2]);
        let mut this =
            EventToEvent { now: 0.0, state, known: Vec::new(), run, steepest: 0.0, unsupported: None, carried };
        this.stand_at(system, &mut system.workspace(), 0.0);
        Ok(this)
    }

    /// Takes over the motion at t.
    fn stand_at(&mut self, system: &Car, work: &mut Extrapolation, t: f64) {
        self.state = self.look(system, work, t);
        self.known = contact_states(self.run.modes().carries).to_vec();
        self.now = t;
    }

    /// The state at t, within the unit.
    fn look(&self, system: &Car, work: &mut Extrapolation, t: f64) -> CarState {
        let modes = self.run.modes();
        CarState {
            moved: Steps { state: self.run.at(&system.body, work, t), carries: modes.carries },
            begun: true,
            brake: system.brake_at(t, modes.rolls),
            missed: self.run.missed(),
            steepest: self.steepest,
            unsupported: self.unsupported,
        }
    }

    /// Adds the time that tyres have carried since the beginning of the unit.
    fn tally(&mut self, until: f64) {
        let lasted = until - self.run.t();
        for (carried, carries) in self.carried.iter_mut().zip(self.run.modes().carries) {
            *carried += if carries { lasted } else { 0.0 };
        }
    }

    /// What happens at the end of the unit: whether contacts have changed, and whether there is anything to see.
    fn pass(
        &mut self,
        system: &Car,
        work: &mut Extrapolation,
        ahead: Ahead,
        tell: &mut impl FnMut(Event),
    ) -> (bool, bool) {
        self.tally(ahead.until);
        let before = self.run.modes().carries;
        let events = self.run.pass(&system.body, ahead);
        let after = self.run.modes().carries;
        let t = self.run.t();
        let mut now = self.look(system, work, t);
        now.took(t);
        (self.steepest, self.unsupported) = (now.steepest, now.unsupported);
        let pairs = contact_states(before).into_iter().zip(contact_states(after)).enumerate();
        pairs
            .filter(|(_, (from, to))| from != to)
            .for_each(|(contact, (from, to))| tell(Event { t, contact, from, to }));
        (before != after, !events.is_empty())
    }
}

fn check(system: &Car, t: f64) -> Result<(), SystemError> {
    check_signals([("brake force", &system.parameters.data.brake)].into_iter(), t)
}

fn rough(error: NotSmooth) -> SystemError {
    SystemError::StepTooSmall { t: error.t, h: error.step }
}

impl Integrator<Car> for EventToEvent {
    fn time(&self) -> f64 {
        self.now
    }

    fn state(&self) -> &CarState {
        &self.state
    }

    fn contact_states(&self) -> Option<&[State]> {
        Some(&self.known)
    }

    fn stuck(&self) -> Vec<f64> {
        let mut run = self.clone();
        run.tally(self.now);
        run.carried.to_vec()
    }

    fn words(&self) -> String {
        "events".to_string()
    }

    fn by_events(&self) -> Option<EventRun> {
        Some(EventRun { closed_form: false, handovers: 0 })
    }

    fn decided(&self, _: &Car, _: &mut Extrapolation) -> Result<CarState, SystemError> {
        Ok(self.state.clone())
    }

    fn advance<O: Observer<CarState>>(
        &mut self,
        system: &Car,
        work: &mut Extrapolation,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        if end <= self.now {
            return Ok(Stop::Time);
        }
        let known = known_until([&system.parameters.data.brake].into_iter());
        // The last instant of a grid may be off by rounding.
        if end > known * (1.0 + 1e-9) {
            return Err(RunError::System(SystemError::Unexplored { until: known, asked: end }));
        }
        let mut next = samples.first_after(self.now);
        let mut run = self.clone();
        let (stop, t) = loop {
            check(system, run.run.t()).map_err(RunError::System)?;
            let ahead = run.run.ahead(&system.body, work, known).map_err(|error| RunError::System(rough(error)))?;
            let peaks = if observer.sees_changes() { run.run.peaks(&system.body, work, &ahead) } else { Vec::new() };
            let mut peaks = peaks.into_iter().filter(|t| *t > self.now && *t < end).peekable();
            while let Some(n) = next.filter(|&n| n < samples.grid.steps && samples.grid.time(n) < ahead.until) {
                let t = samples.grid.time(n);
                while let Some(peak) = peaks.next_if(|peak| *peak < t) {
                    observer.changed(peak, &run.look(system, work, peak)).map_err(RunError::Observer)?;
                }
                let state = run.look(system, work, t);
                run.run.check(&system.body, state.motion());
                observer.sample(n, t, &state).map_err(RunError::Observer)?;
                next = samples.after(n);
            }
            for peak in peaks {
                observer.changed(peak, &run.look(system, work, peak)).map_err(RunError::Observer)?;
            }
            if ahead.until >= end {
                break (Stop::Time, end);
            }
            let mut events = Vec::new();
            let (changed, seen) = run.pass(system, work, ahead, &mut |event| events.push(event));
            let t = run.run.t();
            events.iter().try_for_each(|event| observer.event(event)).map_err(RunError::Observer)?;
            if seen && observer.sees_changes() {
                observer.changed(t, &run.look(system, work, t)).map_err(RunError::Observer)?;
            }
            if changed && until_event {
                break (Stop::Event, t);
            }
        };
        run.stand_at(system, work, t);
        if !system.is_finite(&run.state) {
            return Err(RunError::Overflow { t });
        }
        *self = run;
        if stop == Stop::Time {
            observer.sample(samples.grid.steps, t, &self.state).map_err(RunError::Observer)?;
        }
        Ok(stop)
    }

    fn step<O: Observer<CarState>>(
        &mut self,
        system: &Car,
        work: &mut Extrapolation,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        self.advance(system, work, Samples::once(self.now + h), false, observer).map(|_| ())
    }

    fn switch(&mut self, old: &Car, new: &Car, tell: &mut Vec<Event>) -> Result<(), SystemError> {
        let mut run = self.clone();
        let mut work = old.workspace();
        let known = known_until([&old.parameters.data.brake].into_iter());
        let ahead = run.run.ahead(&old.body, &mut work, known).map_err(rough)?;
        if ahead.until <= run.now {
            run.pass(old, &mut work, ahead, &mut |event| tell.push(event));
        }
        let t = run.now;
        run.tally(t);
        run.run.interfere(&old.body, &mut work, t);
        run.stand_at(new, &mut work, t);
        *self = run;
        Ok(())
    }
}
