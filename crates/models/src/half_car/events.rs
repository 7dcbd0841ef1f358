//! The half-car from event to event.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};
use stickslip_core::mechanics::{System, SystemError, check_signals, known_until};
use stickslip_core::scheme::{Arrived, Counts, Event, Log, RunError, SwitchedUnits, Units};
use stickslip_loads::half_car::{HalfCarRun, Steps, Unit};
use stickslip_loads::ode::Extrapolation;

use super::system::contact_states;
use super::{Car, CarState};

/// A run from event to event, at the beginning of a unit: plain data.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct HalfCarUnits {
    run: HalfCarRun,
    /// Greatest pitch, and brakes without support.
    steepest: f64,
    unsupported: Option<f64>,
    /// Of tyres "stuck" is carrying.
    log: Log<[f64; 2]>,
    /// The unit; it is made anew after a pause.
    #[serde(skip)]
    ahead: Option<Unit>,
}

impl HalfCarUnits {
    /// From the start of a half-car.
    pub fn new(system: &Car) -> Result<HalfCarUnits, SystemError> {
        check(system, 0.0)?;
        let run = HalfCarRun::new(&system.body);
        Ok(HalfCarUnits { run, steepest: 0.0, unsupported: None, log: Log::new(2), ahead: None })
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
            passed: None,
        }
    }
}

fn check(system: &Car, t: f64) -> Result<(), SystemError> {
    check_signals([("brake force", &system.parameters.data.brake)].into_iter(), t)
}

impl Units<Car> for HalfCarUnits {
    type Workspace = Extrapolation;
    type State = CarState;

    fn time(&self) -> f64 {
        self.run.t()
    }

    fn ahead(&mut self, system: &Car, work: &mut Extrapolation, _: f64) -> Result<f64, SystemError> {
        check(system, self.run.t())?;
        let ahead = self.run.ahead(&system.body, work, HalfCarUnits::known_until(system));
        let ahead = ahead.map_err(|rough| SystemError::StepTooSmall { t: rough.t, h: rough.step })?;
        Ok(self.ahead.insert(ahead).until)
    }

    fn at(&mut self, system: &Car, work: &mut Extrapolation, t: f64) -> Result<CarState, RunError<Infallible>> {
        let state = self.look(system, work, t);
        self.run.check(&system.body, state.motion());
        Ok(state)
    }

    fn arrive(
        &self,
        system: &Car,
        work: &mut Extrapolation,
        t: f64,
    ) -> Result<Arrived<CarState>, RunError<Infallible>> {
        let state = self.look(system, work, t);
        let carries = self.run.modes().carries;
        let carried = self.log.stuck_after(t - self.run.t(), |i| carries[i]);
        if system.is_finite(&state) { Ok((state, carried)) } else { Err(RunError::Overflow { t }) }
    }

    fn sights(&self, system: &Car, work: &mut Extrapolation) -> Vec<f64> {
        self.ahead.as_ref().map_or_else(Vec::new, |ahead| self.run.peaks(&system.body, work, ahead))
    }

    fn pass(
        &mut self,
        system: &Car,
        work: &mut Extrapolation,
        tell: &mut impl FnMut(Event),
    ) -> Result<bool, RunError<Infallible>> {
        let Some(ahead) = self.ahead.take() else { return Ok(false) };
        let before = self.run.modes().carries;
        self.log.over(ahead.until - self.run.t(), |i| before[i]);
        let events = self.run.pass(&system.body, ahead);
        let t = self.run.t();
        let mut now = self.look(system, work, t);
        now.took(t);
        (self.steepest, self.unsupported) = (now.steepest, now.unsupported);
        let pairs = contact_states(before).into_iter().zip(contact_states(self.run.modes().carries));
        self.log.announce(t, pairs.map(|(from, to)| (from != to).then_some((from, to))), tell);
        Ok(!events.is_empty())
    }

    fn counts(&self) -> Counts {
        self.log.counts
    }
}

impl SwitchedUnits<Car> for HalfCarUnits {
    fn known_until(system: &Car) -> f64 {
        known_until([&system.parameters.data.brake].into_iter())
    }

    fn switch(
        &mut self,
        (old, _): (&Car, &Car),
        work: &mut Extrapolation,
        t: f64,
        _: &mut impl FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        let carries = self.run.modes().carries;
        self.log.stick(t - self.run.t(), |i| carries[i]);
        self.run.interfere(&old.body, work, t);
        Ok(())
    }
}
