//! A simulation from event to event.
//!
//! The run goes in units (a step of collocation, a stretch of implicit steps where events crowd) that do not depend on when
//! anyone looks. An instant within a unit is read off it, and the unit is made again when the next is asked for: so the
//! motion has the same bits however often it is looked at.

use std::convert::Infallible;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Driven, Input, Simulation, SimulationError, input_by_name};
use crate::Name;
use crate::law::State;
use crate::mechanics::{Ledger, Smooth, System};
use crate::model::{Column, Record};
use crate::scheme::events::Settings;
use crate::scheme::smooth::Paused;
use crate::scheme::{Event, Observer, RunError};
use crate::signal::Signal;

/// A run of a system from event to event that can be advanced.
#[derive(Clone)]
pub struct ByEvent<S: System> {
    /// As it was built, before any input changed.
    built: S,
    system: S,
    progress: ByEventSave<S::State>,
    /// Events since they were last taken.
    events: Vec<Event>,
}

/// All that the motion from here on depends on: plain data.
#[derive(Clone, Serialize, Deserialize)]
pub struct ByEventSave<T> {
    /// Where it stands \[s\].
    now: f64,
    state: T,
    /// What the contacts do now.
    known: Vec<State>,
    /// The run at the beginning of the unit in which it stands.
    run: Paused,
    /// Events of that unit that were told already.
    told: usize,
    /// Inputs that were changed, by number, in the order of the changes.
    inputs: Vec<(usize, Signal)>,
}

/// Keeps a sample and what happens.
struct Listener<T> {
    sampled: Option<T>,
    events: Vec<Event>,
}

impl<T> Listener<T> {
    fn new() -> Listener<T> {
        Listener { sampled: None, events: Vec::new() }
    }
}

impl<T: Clone> Observer<T> for Listener<T> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        1
    }

    fn start(&mut self, state: &T) -> Result<(), Infallible> {
        self.sampled = Some(state.clone());
        Ok(())
    }

    fn sample(&mut self, _: u64, _: f64, state: &T) -> Result<(), Infallible> {
        self.sampled = Some(state.clone());
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Infallible> {
        self.events.push(*event);
        Ok(())
    }
}

impl From<RunError<Infallible>> for SimulationError {
    fn from(error: RunError<Infallible>) -> SimulationError {
        match error {
            RunError::System(error) => SimulationError::System(error),
            RunError::Overflow { t } => SimulationError::Overflow { t },
            RunError::Observer(never) => match never {},
        }
    }
}

impl<S> ByEvent<S>
where
    S: System + Smooth<State = <S as System>::State> + Clone,
{
    /// From the start of a system.
    pub fn new(system: S) -> Result<ByEvent<S>, SimulationError> {
        let mut listener = Listener::new();
        let run = Paused::begin(&system, &mut listener)?;
        let state = listener.sampled.unwrap_or_else(|| system.start());
        let known = states(&system, &state);
        let progress = ByEventSave { now: 0.0, state, known, run, told: 0, inputs: Vec::new() };
        Ok(ByEvent { built: system.clone(), system, progress, events: Vec::new() })
    }

    /// The system as it is now driven.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The present state.
    pub fn state(&self) -> &<S as System>::State {
        &self.progress.state
    }

    fn advance(&mut self, t: f64) -> Result<(), SimulationError> {
        let now = self.progress.now;
        if !(t >= now && t.is_finite()) {
            return Err(SimulationError::Backward { asked: t, now });
        }
        if t == now {
            return Ok(());
        }
        loop {
            let mut listener = Listener::new();
            let unit = self.progress.run.clone();
            let next = unit.unit(&self.system, &mut listener, &Settings::default(), t)?;
            let p = &mut self.progress;
            let Some(state) = listener.sampled else {
                self.events.extend(listener.events.into_iter().skip(p.told));
                (p.run, p.told) = (next, 0);
                continue;
            };
            let told: Vec<Event> = listener.events.into_iter().take_while(|event| event.t <= t).collect();
            self.events.extend(told.iter().skip(p.told));
            p.told = told.len();
            (p.now, p.known, p.state) = (t, states(&self.system, &state), state);
            return Ok(());
        }
    }
}

fn states<S: System>(system: &S, state: &S::State) -> Vec<State> {
    let mut states = vec![State::Open; system.contacts().len()];
    system.contact_states(state, &mut states);
    states
}

impl<S> Simulation for ByEvent<S>
where
    S: Record + Driven + Smooth<State = <S as System>::State> + Clone + 'static,
    <S as System>::State: Serialize + DeserializeOwned + 'static,
{
    fn time(&self) -> f64 {
        self.progress.now
    }

    fn advance_to(&mut self, t: f64) -> Result<(), SimulationError> {
        self.advance(t)
    }

    fn step(&mut self, h: f64) -> Result<(), SimulationError> {
        self.advance(self.progress.now + h)
    }

    fn inputs(&self) -> Vec<Input> {
        self.system.inputs()
    }

    fn set_input(&mut self, name: &str, signal: Signal) -> Result<(), SimulationError> {
        let input = input_by_name(&self.system.inputs(), name)?;
        let wrong = |reason: String| SimulationError::Input { name: name.to_string(), reason };
        let system = self.system.with_input(input, signal.clone()).map_err(wrong)?;
        let p = &mut self.progress;
        let mut listener = Listener::new();
        let run = p.run.clone();
        let run = run.switch((&self.system, &system), &mut listener, &Settings::default(), p.now)?;
        self.events.extend(listener.events.into_iter().skip(p.told));
        p.state = run.state(&system);
        p.known = states(&system, &p.state);
        (p.run, p.told) = (run, 0);
        p.inputs.retain(|(other, _)| *other != input);
        p.inputs.push((input, signal));
        self.system = system;
        Ok(())
    }

    fn columns(&self) -> &[Column] {
        self.system.columns()
    }

    fn row(&self, out: &mut [f64]) {
        self.system.row(self.progress.now, &self.progress.state, out);
    }

    fn contacts(&self) -> &[Name] {
        self.system.contacts()
    }

    fn contact_states(&self, out: &mut [State]) {
        out.copy_from_slice(&self.progress.known);
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn ledger(&self) -> Ledger {
        self.system.ledger(&self.progress.state)
    }

    fn worst_residual(&self) -> f64 {
        self.system.worst_residual(&self.progress.state)
    }

    fn save(&self) -> Result<Vec<u8>, SimulationError> {
        super::to_bytes(&self.progress)
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError> {
        let progress: ByEventSave<<S as System>::State> = super::from_bytes(saved)?;
        if progress.known.len() != self.system.contacts().len() {
            return Err(SimulationError::Foreign { reason: "it has another number of contacts".to_string() });
        }
        self.system = super::driven_by(&self.built, &progress.inputs)?;
        self.progress = progress;
        self.events.clear();
        Ok(())
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}
