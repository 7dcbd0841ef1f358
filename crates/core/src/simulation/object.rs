//! The object that holds a run.

use std::convert::Infallible;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Driven, Input, Simulation, SimulationError, Sink, SinkError, input_by_name, no_input};
use crate::Name;
use crate::law::State;
use crate::mechanics::{Judged, Ledger, Stop, System, SystemError, Uniqueness};
use crate::record::{Column, Grip, Record};
use crate::scheme::{
    ByEvents, EndOfRun, Event, EventCollector, EventRun, EventToEvent, FlowsOf, Integrator, Observer, Samples, Steps,
};
use crate::signal::Signal;

/// A step of less than this share of the time is lost in its rounding: it is off by more than a thousandth.
const LOST: f64 = 1024.0 * f64::EPSILON;

/// Forces are impulses over the step, which must not overflow for shorter ones \[s\].
const LEAST_STEP: f64 = 1e-150;

/// A run of a system that can be advanced, by any integrator.
#[derive(Debug, Clone)]
pub struct SimulationOf<S: System, I> {
    /// As it was built, before any input changed.
    built: S,
    system: S,
    work: S::Workspace,
    run: I,
    /// Inputs that were changed, by number, in the order of the changes.
    inputs: Vec<(usize, Signal)>,
    /// Events since they were last taken.
    events: Vec<Event>,
    /// When an input was changed last, and which of the events was the first to be told by that or by another change at the same instant.
    changed: Option<(f64, usize)>,
}

/// A run by implicit steps.
pub type Stepped<S> = SimulationOf<S, Steps<<S as System>::State>>;

/// A run from event to event.
pub type ByEvent<S> = SimulationOf<S, EventToEvent<S, FlowsOf<S>>>;

/// What is saved: plain data.
#[derive(Serialize, Deserialize)]
struct Saved<I> {
    /// Of the model and the scheme, by which strangers are told.
    fingerprint: u64,
    run: I,
    inputs: Vec<(usize, Signal)>,
}

impl<S: System + Clone> Stepped<S> {
    /// From the start of a system, with steps of size h.
    pub fn new(system: S, h: f64) -> Stepped<S> {
        let run = Steps::new(&system, h);
        SimulationOf::hold(system, run)
    }

    /// A run that was stepped beside others, where it ended.
    pub fn ended(system: S, end: EndOfRun<S::State>) -> Stepped<S> {
        SimulationOf { events: end.events, ..SimulationOf::hold(system, end.run) }
    }

    /// The same by θ-steps: ½ is the scheme of Moreau and Jean, for models that know it.
    pub fn with_theta(system: S, h: f64, theta: f64) -> Result<Stepped<S>, SimulationError> {
        let run = Steps::with_theta(&system, h, theta)?;
        Ok(SimulationOf::hold(system, run))
    }

    /// The same with unilateral contacts judged by their gaps.
    pub fn judged(system: S, h: f64, theta: f64, judged: Judged) -> Result<Stepped<S>, SimulationError> {
        let run = Steps::judged(&system, h, theta, judged)?;
        Ok(SimulationOf::hold(system, run))
    }
}

/// Runs of a system by steps of any size, from its start.
pub fn by_steps<S>(system: &S) -> impl Fn(f64) -> Result<Box<dyn Simulation>, SimulationError>
where
    S: Record + Driven + Clone + std::fmt::Debug + 'static,
    S::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    |h| Ok(Box::new(Stepped::new(system.clone(), h)))
}

impl<S: ByEvents + Clone> ByEvent<S> {
    /// From the start of a system.
    pub fn new(system: S) -> Result<ByEvent<S>, SimulationError> {
        let run = EventToEvent::begin(&system)?;
        Ok(SimulationOf::hold(system, run))
    }
}

impl<S: System + Clone, I> SimulationOf<S, I> {
    /// A run of a system by an integrator that stands at its start.
    pub fn hold(system: S, run: I) -> SimulationOf<S, I> {
        SimulationOf {
            work: system.workspace(),
            built: system.clone(),
            system,
            run,
            inputs: Vec::new(),
            events: Vec::new(),
            changed: None,
        }
    }

    /// The system as it is now driven.
    pub fn system(&self) -> &S {
        &self.system
    }
}

impl<S: System + std::fmt::Debug, I: Integrator<S>> SimulationOf<S, I> {
    /// Of all data of the model as it was built, of the scheme and its step.
    fn fingerprint(&self) -> u64 {
        super::checksum(format!("{:?} {}", self.built, self.run.words()).as_bytes())
    }
}

impl<S: System, I: Integrator<S>> SimulationOf<S, I> {
    /// The present state.
    pub fn state(&self) -> &S::State {
        self.run.state()
    }

    fn advance(&mut self, t: f64, until_event: bool) -> Result<Stop, SimulationError> {
        let now = self.run.time();
        // A clock without a step has no time; the run says so itself.
        if !(now.is_nan() || t >= now - self.run.slack()) || !t.is_finite() {
            return Err(SimulationError::Backward { asked: t, now });
        }
        let mut heard = EventCollector::<Infallible>::into(&mut self.events);
        Ok(self.run.advance(&self.system, &mut self.work, Samples::once(t), until_event, &mut heard)?)
    }
}

impl<S, I> Simulation for SimulationOf<S, I>
where
    S: Record + Driven + Clone + std::fmt::Debug + 'static,
    S::State: 'static,
    S::Workspace: 'static,
    I: Integrator<S> + 'static,
{
    fn time(&self) -> f64 {
        self.run.time()
    }

    fn advance_to(&mut self, t: f64) -> Result<(), SimulationError> {
        self.advance(t, false).map(|_| ())
    }

    fn advance_to_event(&mut self, t: f64) -> Result<Stop, SimulationError> {
        self.advance(t, true)
    }

    fn step(&mut self, h: f64) -> Result<(), SimulationError> {
        let now = self.run.time();
        if !(h > 0.0 && h.is_finite()) {
            return Err(SimulationError::Backward { asked: now + h, now });
        }
        if h < (LOST * now).max(LEAST_STEP) {
            return Err(SystemError::BadStep { h }.into());
        }
        Ok(self.run.step(&self.system, &mut self.work, h, &mut EventCollector::<Infallible>::into(&mut self.events))?)
    }

    fn record(&mut self, samples: Samples, sink: &mut dyn Sink) -> Result<(), SimulationError> {
        let h = samples.grid.h;
        if !(h > 0.0 && h.is_finite()) {
            return Err(SystemError::BadStep { h }.into());
        }
        let (columns, contacts) = (self.system.columns().len(), self.system.contacts().len());
        let states = vec![State::Open; contacts];
        let mut rows = Rows { system: &self.system, row: vec![0.0; columns], states, sink };
        if self.run.time() == 0.0 {
            let decided = self.run.decided(&self.system, &mut self.work)?;
            self.work = self.system.workspace();
            self.system.first_row(&decided, &mut rows.row);
            self.system.contact_states(&decided, &mut rows.states);
            rows.sink.row(0, 0.0, &rows.row, &rows.states).map_err(SimulationError::Sink)?;
        }
        self.run.advance(&self.system, &mut self.work, samples, false, &mut rows)?;
        Ok(())
    }

    fn inputs(&self) -> Vec<Input> {
        self.system.inputs()
    }

    fn input(&self, name: &str) -> Result<Signal, SimulationError> {
        let inputs = self.system.inputs();
        let input = input_by_name(&inputs, name)?;
        self.system.input(input).ok_or_else(|| no_input(&inputs, name))
    }

    fn set_input(&mut self, name: &str, signal: Signal) -> Result<(), SimulationError> {
        let input = input_by_name(&self.system.inputs(), name)?;
        let wrong = |reason: String| SimulationError::Input { name: name.to_string(), reason };
        let (now, until) = (self.run.time(), signal.known_until());
        if !signal.at(now).is_finite() {
            return Err(wrong(format!("it has no finite value at t = {now} s")));
        }
        if self.run.by_events().is_some() && until <= now {
            return Err(SystemError::Unexplored { until, asked: now }.into());
        }
        let system = self.system.with_input(input, signal.clone()).map_err(wrong)?;
        let told = self.events.len();
        let first = self.changed.filter(|(t, _)| *t == now).map_or(told, |(_, first)| first);
        self.run.switch(&self.system, &system, &mut self.events)?;
        self.changed = Some((now, first));
        join(&mut self.events, first, told);
        self.work = system.workspace();
        self.system = system;
        self.inputs.retain(|(other, _)| *other != input);
        self.inputs.push((input, signal));
        Ok(())
    }

    fn changed_inputs(&self) -> Vec<(String, Signal)> {
        let all = self.system.inputs();
        let changed = self.inputs.iter();
        changed.filter_map(|(input, signal)| Some((all.get(*input)?.name.clone(), signal.clone()))).collect()
    }

    fn columns(&self) -> &[Column] {
        self.system.columns()
    }

    fn row(&self, out: &mut [f64]) {
        self.system.row(self.run.time(), self.run.state(), out);
    }

    fn contacts(&self) -> &[Name] {
        self.system.contacts()
    }

    fn is_planar(&self, contact: usize) -> bool {
        self.system.is_planar(contact)
    }

    fn contact_states(&self, out: &mut [State]) {
        match self.run.contact_states() {
            Some(known) => out.copy_from_slice(known),
            None => out.fill(State::Open),
        }
    }

    fn stuck(&self) -> Vec<f64> {
        self.run.stuck()
    }

    fn take_events(&mut self) -> Vec<Event> {
        // What another input changes at the same instant is told beside nothing that is known already.
        self.changed = self.changed.map(|(t, _)| (t, 0));
        std::mem::take(&mut self.events)
    }

    fn velocities(&self) -> Vec<f64> {
        let mut velocities = vec![0.0; self.system.dim()];
        self.system.velocities(self.run.state(), &mut velocities);
        velocities
    }

    fn values(&self) -> Vec<(Name, f64)> {
        self.system.end(self.run.state())
    }

    fn ledger(&self) -> Ledger {
        self.system.ledger(self.run.state())
    }

    fn worst_residual(&self) -> f64 {
        self.system.worst_residual(self.run.state())
    }

    fn step_size(&self) -> Option<f64> {
        self.run.step_size()
    }

    fn by_events(&self) -> Option<EventRun> {
        self.run.by_events()
    }

    fn step_work(&self, steps: u64) -> f64 {
        self.system.step_work(self.run.state(), steps)
    }

    fn uniqueness(&self) -> Uniqueness {
        self.system.uniqueness_so_far(self.run.state())
    }

    fn doubts(&self) -> Vec<String> {
        self.system.doubts(self.run.state())
    }

    fn grips(&self) -> Vec<Grip> {
        self.system.grips()
    }

    fn use_of_locked_wheels(&self) -> Option<f64> {
        self.system.use_of_locked_wheels(self.run.time(), self.run.state())
    }

    fn save(&self) -> Result<Vec<u8>, SimulationError> {
        let fingerprint = self.fingerprint();
        super::to_bytes(&Saved { fingerprint, run: self.run.clone(), inputs: self.inputs.clone() })
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError> {
        let saved: Saved<I> = super::from_bytes(saved)?;
        if saved.fingerprint != self.fingerprint() {
            let reason = "it is of another model, of other data or of another scheme".to_string();
            return Err(SimulationError::Foreign { reason });
        }
        self.system = super::driven_by(&self.built, &saved.inputs)?;
        self.work = self.system.workspace();
        (self.run, self.inputs) = (saved.run, saved.inputs);
        self.events.clear();
        self.changed = None;
        Ok(())
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}

/// Several inputs that change at one instant are one change: what the first of them told of a contact, from `first` to before `told`, and a
/// later one tells again, from `told` on, is told once, and not at all where the contact does what it did before.
fn join(events: &mut Vec<Event>, first: usize, mut told: usize) {
    let mut k = told;
    while let Some(Event { t, contact, to, .. }) = events.get(k).copied() {
        let earlier = (first..told).rev().find(|j| events[*j].contact == contact && events[*j].t == t);
        let Some(j) = earlier else {
            k += 1;
            continue;
        };
        events.remove(k);
        events[j].to = to;
        if events[j].from == to {
            events.remove(j);
            (told, k) = (told - 1, k - 1);
        }
    }
}

/// Shows states as rows.
struct Rows<'a, S> {
    system: &'a S,
    row: Vec<f64>,
    states: Vec<State>,
    sink: &'a mut dyn Sink,
}

impl<S: Record> Observer<S::State> for Rows<'_, S> {
    type Error = SinkError;

    fn every(&self) -> u64 {
        1
    }

    fn sample(&mut self, n: u64, t: f64, state: &S::State) -> Result<(), SinkError> {
        self.system.row(t, state, &mut self.row);
        self.system.contact_states(state, &mut self.states);
        self.sink.row(n, t, &self.row, &self.states)
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.sink.event(event)
    }

    fn sees_changes(&self) -> bool {
        true
    }

    fn changed(&mut self, t: f64, state: &S::State) -> Result<(), SinkError> {
        self.system.row(t, state, &mut self.row);
        self.system.contact_states(state, &mut self.states);
        self.sink.changed(t, &self.row, &self.states)
    }
}
