//! A simulation by implicit steps.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Driven, Input, Simulation, SimulationError, input_by_name};
use crate::Name;
use crate::law::State;
use crate::mechanics::{Clock, Kernel, Ledger, Stop, System};
use crate::model::{Column, Record};
use crate::scheme::Event;
use crate::signal::Signal;

/// A share of a step that is none: rounding of times that were added up.
const ROUNDING: f64 = 1e-9;

/// A run of a system by implicit steps that can be advanced.
#[derive(Debug, Clone)]
pub struct Stepped<S: System> {
    /// As it was built, before any input changed.
    built: S,
    system: S,
    work: S::Workspace,
    progress: SteppedSave<S::State>,
    /// Events since they were last taken.
    events: Vec<Event>,
}

/// All that the motion from here on depends on: plain data.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SteppedSave<T> {
    /// The usual size of a step \[s\].
    usual: f64,
    /// The clock in use, and the number of its step to be made next.
    clock: Clock,
    next: u64,
    /// The step from which on the present pieces of the signals are counted.
    from: u64,
    state: T,
    /// What the contacts do, once a step has decided it.
    known: Option<Vec<State>>,
    /// Inputs that were changed, by number, in the order of the changes.
    inputs: Vec<(usize, Signal)>,
}

impl<S: System> Stepped<S> {
    /// From the start of a system, with steps of size h.
    pub fn new(system: S, h: f64) -> Stepped<S>
    where
        S: Clone,
    {
        let progress = SteppedSave {
            usual: h,
            clock: Clock::new(h),
            next: 0,
            from: 0,
            state: system.start(),
            known: None,
            inputs: Vec::new(),
        };
        Stepped { work: system.workspace(), built: system.clone(), system, progress, events: Vec::new() }
    }

    /// The system as it is now driven.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The present state.
    pub fn state(&self) -> &S::State {
        &self.progress.state
    }

    /// Where it stands \[s\].
    pub fn time(&self) -> f64 {
        self.progress.clock.time(self.progress.next)
    }

    /// Steps until the clock's step number `end` is the next, or to the next event where that is asked for.
    fn go(&mut self, end: u64, until_event: bool) -> Result<Stop, SimulationError> {
        let p = &mut self.progress;
        let (mut kernel, mut valid) = self.system.kernel(p.from, p.clock)?;
        while p.next < end {
            if p.next >= valid {
                p.from = p.next;
                (kernel, valid) = self.system.kernel(p.from, p.clock)?;
            }
            let (next, stop) = kernel.advance(p.next, valid.min(end), &mut p.state, &mut self.work)?;
            p.next = next;
            if stop == Stop::Event {
                let happened = note(&self.system, p, &mut self.events);
                if happened && until_event {
                    return Ok(Stop::Event);
                }
            }
        }
        if !self.system.is_finite(&p.state) || self.system.worst_residual(&p.state).is_nan() {
            return Err(SimulationError::Overflow { t: self.time() });
        }
        Ok(Stop::Time)
    }

    /// Steps of another size, or on other pieces of the signals, from now on.
    fn begin_anew(&mut self, h: f64) {
        let p = &mut self.progress;
        if p.clock.h == h {
            p.from = p.next;
        } else {
            p.clock = Clock { begin: p.clock.time(p.next), h };
            (p.next, p.from) = (0, 0);
        }
    }

    /// As [`Simulation::advance_to`], but no further than the first change of a contact; says which it was.
    pub fn advance_to_event(&mut self, t: f64) -> Result<Stop, SimulationError> {
        self.advance(t, true)
    }

    fn advance(&mut self, t: f64, until_event: bool) -> Result<Stop, SimulationError> {
        let now = self.time();
        if t.is_nan() || t < now {
            return Err(SimulationError::Backward { asked: t, now });
        }
        let usual = self.progress.usual;
        if self.progress.clock.h != usual {
            self.begin_anew(usual);
        }
        // As many steps as fit, one that fits but for rounding included.
        let end = self.progress.clock.first_at_or_after(t);
        let late = self.progress.clock.time(end) - t;
        let end = if late > ROUNDING * usual { end - 1 } else { end };
        if end > self.progress.next && self.go(end, until_event)? == Stop::Event {
            return Ok(Stop::Event);
        }
        let left = t - self.time();
        if left > ROUNDING * usual {
            self.begin_anew(left);
            return self.go(self.progress.next + 1, until_event);
        }
        Ok(Stop::Time)
    }
}

/// Takes the states after a step and notes what changed; the first states change nothing. True if something did.
fn note<S: System>(system: &S, p: &mut SteppedSave<S::State>, events: &mut Vec<Event>) -> bool {
    let mut now = vec![State::Open; system.contacts().len()];
    system.contact_states(&p.state, &mut now);
    let t = p.clock.time(p.next);
    let before = events.len();
    if let Some(known) = &p.known {
        let pairs = known.iter().zip(&now).enumerate();
        events.extend(pairs.filter(|(_, (from, to))| from != to).map(|(contact, (&from, &to))| Event {
            t,
            contact,
            from,
            to,
        }));
    }
    p.known = Some(now);
    events.len() > before
}

impl<S: Driven + System + Clone> Stepped<S> {
    /// From now on an input, by its number, is this function of time.
    fn drive(&mut self, input: usize, signal: Signal) -> Result<(), String> {
        self.system = self.system.with_input(input, signal.clone())?;
        self.work = self.system.workspace();
        self.begin_anew(self.progress.clock.h);
        self.progress.inputs.retain(|(other, _)| *other != input);
        self.progress.inputs.push((input, signal));
        Ok(())
    }

    /// Takes the place of the simulation that was saved.
    pub fn resume(&mut self, saved: SteppedSave<S::State>) -> Result<(), SimulationError> {
        if saved.known.as_ref().is_some_and(|known| known.len() != self.system.contacts().len()) {
            return Err(SimulationError::Foreign { reason: "it has another number of contacts".to_string() });
        }
        self.system = super::driven_by(&self.built, &saved.inputs)?;
        self.work = self.system.workspace();
        self.progress = saved;
        self.events.clear();
        Ok(())
    }
}

impl<S> Simulation for Stepped<S>
where
    S: Record + Driven + Clone + 'static,
    S::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    fn time(&self) -> f64 {
        Stepped::time(self)
    }

    fn advance_to(&mut self, t: f64) -> Result<(), SimulationError> {
        self.advance(t, false).map(|_| ())
    }

    fn step(&mut self, h: f64) -> Result<(), SimulationError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(SimulationError::Backward { asked: self.time() + h, now: self.time() });
        }
        if self.progress.clock.h != h {
            self.begin_anew(h);
        }
        self.go(self.progress.next + 1, false).map(|_| ())
    }

    fn inputs(&self) -> Vec<Input> {
        self.system.inputs()
    }

    fn set_input(&mut self, name: &str, signal: Signal) -> Result<(), SimulationError> {
        let input = input_by_name(&self.system.inputs(), name)?;
        self.drive(input, signal).map_err(|reason| SimulationError::Input { name: name.to_string(), reason })
    }

    fn columns(&self) -> &[Column] {
        self.system.columns()
    }

    fn row(&self, out: &mut [f64]) {
        self.system.row(self.time(), &self.progress.state, out);
    }

    fn contacts(&self) -> &[Name] {
        self.system.contacts()
    }

    fn contact_states(&self, out: &mut [State]) {
        match &self.progress.known {
            Some(known) => out.copy_from_slice(known),
            None => out.fill(State::Open),
        }
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
        self.resume(super::from_bytes(saved)?)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}
