//! The motorcycle from event to event.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};
use stickslip_core::law::State;
use stickslip_core::mechanics::{System, SystemError, known_until};
use stickslip_core::scheme::{Arrived, Counts, Event, Log, RunError, SwitchedUnits, Units};
use stickslip_loads::ode::Extrapolation;
use stickslip_loads::planar::{Kind, PlanarEvent, PlanarRun, Unit};

use super::state::{History, contact_states};
use super::system::{ends, fell_over};
use super::{Motorcycle, MotorcycleState};

/// A run from event to event, at the beginning of a unit: plain data.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PlanarUnits {
    run: PlanarRun,
    history: History,
    log: Log<[f64; 4]>,
    /// The unit; it is made anew after a pause.
    #[serde(skip)]
    ahead: Option<Unit>,
}

impl PlanarUnits {
    /// From the start of a motorcycle.
    pub fn new(system: &Motorcycle) -> Result<PlanarUnits, SystemError> {
        let mut history = History::default();
        let p = &system.parameters;
        let tell = &mut |event: PlanarEvent| history.take(event.t, &event.kind, event.state.v[0]);
        let run = PlanarRun::new(&system.body, p.start(), p.settings, tell).map_err(|error| ends(&error))?;
        Ok(PlanarUnits { run, history, log: Log::new(4), ahead: None })
    }

    fn sticks(&self) -> [bool; 4] {
        contact_states(self.run.modes()).map(|state| state == State::Stick)
    }

    /// The state at t, within the unit.
    fn look(&self, system: &Motorcycle, work: &mut Extrapolation, t: f64) -> Result<MotorcycleState, SystemError> {
        let seen = self.run.at(&system.body, work, t).ok_or(SystemError::Undecided { t })?;
        let mut state = system.start();
        (state.moved.state, state.moved.spent, state.moved.modes) = (seen.state, seen.spent, *self.run.modes());
        state.carry(&seen.loads);
        (state.missed, state.history) = (self.run.missed(), self.history.clone());
        Ok(state)
    }

    /// Tells which contacts do something else than before.
    fn announce(&mut self, before: [State; 4], tell: &mut impl FnMut(Event)) {
        let pairs = before.into_iter().zip(contact_states(self.run.modes()));
        self.log.announce(self.run.t(), pairs.map(|(from, to)| (from != to).then_some((from, to))), tell);
    }
}

impl Units<Motorcycle> for PlanarUnits {
    type Workspace = Extrapolation;
    type State = MotorcycleState;

    fn time(&self) -> f64 {
        self.run.t()
    }

    fn ahead(&mut self, system: &Motorcycle, work: &mut Extrapolation, _: f64) -> Result<f64, SystemError> {
        let known = known_until(system.signals());
        let ahead = self.run.ahead(&system.body, work, known).map_err(|error| ends(&error))?;
        Ok(self.ahead.insert(ahead).until)
    }

    fn at(
        &mut self,
        system: &Motorcycle,
        work: &mut Extrapolation,
        t: f64,
    ) -> Result<MotorcycleState, RunError<Infallible>> {
        self.look(system, work, t).map_err(RunError::System)
    }

    fn arrive(
        &self,
        system: &Motorcycle,
        work: &mut Extrapolation,
        t: f64,
    ) -> Result<Arrived<MotorcycleState>, RunError<Infallible>> {
        let state = self.look(system, work, t).map_err(RunError::System)?;
        let sticks = self.sticks();
        let stuck = self.log.stuck_after(t - self.run.t(), |i| sticks[i]);
        if system.is_finite(&state) { Ok((state, stuck)) } else { Err(RunError::Overflow { t }) }
    }

    fn pass(
        &mut self,
        system: &Motorcycle,
        work: &mut Extrapolation,
        tell: &mut impl FnMut(Event),
    ) -> Result<bool, RunError<Infallible>> {
        let Some(ahead) = self.ahead.take() else { return Ok(false) };
        let (before, sticks) = (contact_states(self.run.modes()), self.sticks());
        self.log.over(ahead.until - self.run.t(), |i| sticks[i]);
        let mut seen = false;
        let history = &mut self.history;
        let happened = &mut |event: PlanarEvent| {
            seen |= !matches!(event.kind, Kind::Modes { .. });
            history.take(event.t, &event.kind, event.state.v[0]);
        };
        self.run.pass(&system.body, ahead, happened).map_err(|error| RunError::System(ends(&error)))?;
        let t = self.run.t();
        if self.run.fell_over().is_some() {
            let pitch = self.look(system, work, t).map_or(0.0, |state| state.places()[2]);
            return Err(RunError::System(fell_over(t, pitch)));
        }
        self.announce(before, tell);
        Ok(seen)
    }

    fn counts(&self) -> Counts {
        Counts { handovers: self.run.clusters(), ..self.log.counts }
    }
}

impl SwitchedUnits<Motorcycle> for PlanarUnits {
    fn known_until(system: &Motorcycle) -> f64 {
        known_until(system.signals())
    }

    fn switch(
        &mut self,
        (old, new): (&Motorcycle, &Motorcycle),
        work: &mut Extrapolation,
        t: f64,
        tell: &mut impl FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        let (before, sticks) = (contact_states(self.run.modes()), self.sticks());
        self.log.stick(t - self.run.t(), |i| sticks[i]);
        let history = &mut self.history;
        let happened = &mut |event: PlanarEvent| history.take(event.t, &event.kind, event.state.v[0]);
        let bodies = (&old.body, &new.body);
        self.run.interfere(bodies, work, t, happened).map_err(|error| RunError::System(ends(&error)))?;
        self.announce(before, tell);
        Ok(())
    }
}
