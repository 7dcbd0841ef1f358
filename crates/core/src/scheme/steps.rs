//! Implicit Euler: one inclusion per step, first order, unconditionally stable.
//!
//! ```text
//! U⁺ = (I + hDA_{t⁺})⁻¹ (U + h𝒢(t))
//! ```
//!
//! Forces that the state does not oppose (drives) are taken at the beginning of the step, contact laws at
//! its end. A contact that sticks at the end of a step has slip 0.0 there.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::room::Room;
use super::{Event, EventRun, Grid, Integrator, Observer, Outcome, RunError, Samples};
use crate::clone_in_place;
use crate::law::State;
use crate::mechanics::{Clock, Judged, Kernel, Stop, System, SystemError};

/// A share of a step that is none: rounding of times that were added up.
pub const ROUNDING: f64 = 1e-9;

/// Runs the system over the grid.
pub fn implicit_euler<S: System, O: Observer<S::State>>(
    system: &S,
    grid: Grid,
    observer: &mut O,
) -> Result<Outcome<S::State>, RunError<O::Error>> {
    over(Steps::new(system, grid.h), system, grid, observer)
}

/// Runs the system over the grid by θ-steps, ½ ≤ θ ≤ 1: implicit Euler for 1, the scheme of Moreau and Jean for ½.
pub fn theta_steps<S: System, O: Observer<S::State>>(
    system: &S,
    theta: f64,
    grid: Grid,
    observer: &mut O,
) -> Result<Outcome<S::State>, RunError<O::Error>> {
    let run = Steps::with_theta(system, grid.h, theta).map_err(RunError::System)?;
    over(run, system, grid, observer)
}

/// The same with unilateral contacts judged by their gaps.
pub fn judged_steps<S: System, O: Observer<S::State>>(
    system: &S,
    (theta, judged): (f64, Judged),
    grid: Grid,
    observer: &mut O,
) -> Result<Outcome<S::State>, RunError<O::Error>> {
    let run = Steps::judged(system, grid.h, theta, judged).map_err(RunError::System)?;
    over(run, system, grid, observer)
}

fn over<S: System, O: Observer<S::State>>(
    mut run: Steps<S::State>,
    system: &S,
    grid: Grid,
    observer: &mut O,
) -> Result<Outcome<S::State>, RunError<O::Error>> {
    let samples = Samples { grid, every: observer.every() };
    run.advance_by_steps(system, &mut system.workspace(), samples, false, observer)?;
    run.count(grid.steps);
    Ok(Outcome { state: run.state, stuck: run.stuck_steps, events: run.events })
}

/// A run by implicit steps: all that the motion from here on depends on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Steps<T> {
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
    /// What they did before, as room for the next look.
    #[serde(skip)]
    seen: Vec<State>,
    /// The number that `next` had when it was first known.
    since: u64,
    /// Steps of this clock before that, that each contact stuck, and time before this clock \[s\].
    stuck_steps: Vec<u64>,
    stuck: Vec<f64>,
    /// Changes of state so far.
    events: u64,
    /// Where one looks between two steps: a shorter step leads there, and the run itself does not go it.
    look: Option<BetweenSteps<T>>,
    /// The instant that was asked for, where its last step leads there but for rounding \[s\].
    asked: Option<f64>,
    /// Where to go back to if a call fails.
    #[serde(skip)]
    room: Room<Steps<T>>,
}

clone_in_place!(Steps<T> {
    usual, clock, next, from, state, known, seen, since, stuck_steps, stuck, events, look, asked, room,
});

/// A run between two of its steps.
#[derive(Debug, Serialize, Deserialize)]
struct BetweenSteps<T> {
    t: f64,
    state: T,
    known: Vec<State>,
}

clone_in_place!(BetweenSteps<T> { t, state, known });

/// The kernel in use, the step after its last one, and its clock.
type Current<K> = Option<(K, u64, Clock)>;

impl<T> Steps<T> {
    /// From the start of a system, with steps of size h.
    pub fn new<S: System<State = T>>(system: &S, h: f64) -> Steps<T> {
        let contacts = system.contacts().len();
        Steps {
            usual: h,
            clock: Clock::new(h),
            next: 0,
            from: 0,
            state: system.start(),
            known: None,
            seen: vec![State::Open; contacts],
            since: 0,
            stuck_steps: vec![0; contacts],
            stuck: vec![0.0; contacts],
            events: 0,
            look: None,
            asked: None,
            room: Room::default(),
        }
    }

    /// The same by θ-steps. An error where θ is none of ½ … 1, or where the system knows implicit Euler only.
    pub fn with_theta<S: System<State = T>>(system: &S, h: f64, theta: f64) -> Result<Steps<T>, SystemError> {
        if !(0.5..=1.0).contains(&theta) || (theta < 1.0 && !S::THETA) {
            return Err(SystemError::Theta { theta });
        }
        let steps = Steps::new(system, h);
        Ok(Steps { clock: Clock { theta, ..steps.clock }, ..steps })
    }

    /// The same with unilateral contacts judged by their gaps: inelastic shocks, or those of the plain θ-method. For systems that
    /// know θ-steps.
    pub fn judged<S: System<State = T>>(
        system: &S,
        h: f64,
        theta: f64,
        judged: Judged,
    ) -> Result<Steps<T>, SystemError> {
        let steps = Steps::with_theta(system, h, theta)?;
        if !S::THETA {
            return Err(SystemError::Theta { theta });
        }
        Ok(Steps { clock: Clock { judged, ..steps.clock }, ..steps })
    }

    /// Steps until the clock's step number `end` is the next, or to the next event where that is asked for.
    fn go<'a, S: System<State = T>, O: Observer<T>>(
        &mut self,
        (system, work): (&'a S, &mut S::Workspace),
        kernel: &mut Current<S::Kernel<'a>>,
        (end, until_event): (u64, bool),
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        while self.next < end {
            let (current, valid, _) = match kernel.take() {
                Some(held) if held.2 == self.clock && self.next < held.1 => kernel.insert(held),
                held => {
                    if held.is_some_and(|held| held.2 == self.clock) {
                        self.from = self.next;
                    }
                    let mut made = system.kernel(self.from, self.clock).map_err(RunError::System)?;
                    if self.next >= made.1 {
                        self.from = self.next;
                        made = system.kernel(self.from, self.clock).map_err(RunError::System)?;
                    }
                    kernel.insert((made.0, made.1, self.clock))
                }
            };
            let reached = current.advance(self.next, (*valid).min(end), &mut self.state, work);
            let (next, stop) = reached.map_err(RunError::System)?;
            self.next = next;
            if stop == Stop::Event && self.note(system, observer)? && until_event {
                return Ok(Stop::Event);
            }
        }
        if !self.is_sound(system) {
            return Err(RunError::Overflow { t: self.clock.time(self.next) });
        }
        Ok(Stop::Time)
    }

    /// The state after its last step.
    pub fn end(&self) -> &T {
        &self.state
    }

    /// Steps were made elsewhere, up to number n: takes over their state.
    pub(super) fn reach(&mut self, n: u64, store: impl FnOnce(&mut T)) {
        self.next = n;
        store(&mut self.state);
    }

    /// The pieces of the signals change here.
    pub(super) fn begin_kernel(&mut self) {
        self.from = self.next;
    }

    /// Whether all its numbers are ones.
    pub(super) fn is_sound<S: System<State = T>>(&self, system: &S) -> bool {
        system.is_finite(&self.state) && !system.worst_residual(&self.state).is_nan()
    }

    /// Takes the states after a step and tells what changed; the first states change nothing. True if something did.
    pub(super) fn note<S: System<State = T>, O: Observer<T>>(
        &mut self,
        system: &S,
        observer: &mut O,
    ) -> Result<bool, RunError<O::Error>> {
        self.count(self.next - 1);
        self.since = self.next;
        self.seen.resize(self.stuck.len(), State::Open);
        system.contact_states(&self.state, &mut self.seen);
        let Some(known) = &mut self.known else {
            self.known = Some(self.seen.clone());
            return Ok(false);
        };
        std::mem::swap(known, &mut self.seen);
        let mut changed = false;
        let t = self.clock.time(self.next);
        for (contact, (from, to)) in self.seen.iter().zip(known).enumerate() {
            if from != to {
                changed = true;
                self.events += 1;
                observer.event(&Event { t, contact, from: *from, to: *to }).map_err(RunError::Observer)?;
            }
        }
        if changed && observer.sees_changes() {
            observer.changed(t, &self.state).map_err(RunError::Observer)?;
        }
        Ok(changed)
    }

    /// Counts the steps up to and including the one that leads to number n, for the contacts that stuck.
    fn count(&mut self, n: u64) {
        for (steps, state) in self.stuck_steps.iter_mut().zip(self.known.iter().flatten()) {
            if *state == State::Stick {
                *steps += n + 1 - self.since;
            }
        }
    }

    /// Steps of another size, or on other pieces of the signals, from now on.
    fn begin_anew(&mut self, h: f64) {
        if self.clock.h == h {
            self.from = self.next;
            return;
        }
        self.count(self.next);
        for (time, steps) in self.stuck.iter_mut().zip(&mut self.stuck_steps) {
            *time += std::mem::take(steps) as f64 * self.clock.h;
        }
        self.clock = Clock { begin: self.clock.time(self.next), h, ..self.clock };
        (self.next, self.from, self.since) = (0, 0, 1);
    }

    /// Steps of the usual size to t. Where these do not lead there, a shorter one shows what is there: the run itself goes
    /// on from its last step, so that its motion does not depend on when anyone looks.
    fn to<'a, S: System<State = T>, O: Observer<T>>(
        &mut self,
        (system, work): (&'a S, &mut S::Workspace),
        kernel: &mut Current<S::Kernel<'a>>,
        (t, until_event): (f64, bool),
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>>
    where
        T: Clone,
    {
        let usual = self.usual;
        (self.look, self.asked) = (None, None);
        if self.clock.h != usual {
            self.begin_anew(usual);
        }
        // As many steps as fit, one that fits but for rounding included.
        let end = self.clock.first_at_or_after(t);
        let late = self.clock.time(end) - t;
        let end = if late > ROUNDING * usual { end - 1 } else { end };
        if end > self.next && self.go((system, work), kernel, (end, until_event), observer)? == Stop::Event {
            return Ok(Stop::Event);
        }
        let begin = self.clock.time(self.next);
        if t - begin > ROUNDING * usual {
            let mut state = self.state.clone();
            // What the run works with remembers its last step.
            let mut aside = work.clone();
            let short = system.kernel(0, Clock { begin, h: t - begin, ..self.clock }).and_then(|(kernel, _)| {
                kernel.advance(0, 1, &mut state, &mut aside)?;
                Ok(())
            });
            short.map_err(RunError::System)?;
            if !system.is_finite(&state) || system.worst_residual(&state).is_nan() {
                return Err(RunError::Overflow { t });
            }
            let mut known = vec![State::Open; self.stuck.len()];
            system.contact_states(&state, &mut known);
            self.look = Some(BetweenSteps { t, state, known });
        } else {
            self.asked = (t != begin).then_some(t);
        }
        Ok(Stop::Time)
    }

    /// The run goes on from where one looks, with steps of size h.
    fn stay(&mut self, h: f64, mut tell: impl FnMut(Event)) {
        let Some(look) = self.look.take() else { return };
        let short = look.t - self.clock.time(self.next);
        self.begin_anew(short);
        let changed = self.known.iter().flatten().zip(&look.known).enumerate();
        for (contact, (from, to)) in changed.filter(|(_, (from, to))| from != to) {
            self.events += 1;
            tell(Event { t: look.t, contact, from: *from, to: *to });
        }
        for (time, state) in self.stuck.iter_mut().zip(&look.known) {
            if *state == State::Stick {
                *time += short;
            }
        }
        (self.state, self.known) = (look.state, Some(look.known));
        self.clock = Clock { begin: look.t, h, ..self.clock };
    }
}

impl<T: Clone> Steps<T> {
    /// A copy of the run as it stands, in the room of the last one.
    fn kept(&mut self) -> Box<Self> {
        match self.room.take() {
            Some(mut kept) => {
                Steps::clone_from(&mut kept, self);
                kept
            }
            None => Box::new(self.clone()),
        }
    }

    /// A step that failed leaves no state: the run stands where it stood.
    fn unless_failed<S: System<State = T>, E>(
        &mut self,
        mut before: Box<Self>,
        system: &S,
        work: &mut S::Workspace,
        made: &Result<Stop, RunError<E>>,
    ) {
        if let Err(RunError::System(_) | RunError::Overflow { .. }) = made {
            std::mem::swap(self, &mut before);
            *work = system.workspace();
        }
        self.room.leave(before);
    }

    /// To the last of the samples, or no further than the first event where that is asked for.
    fn advance_by_steps<S: System<State = T>, O: Observer<T>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        if !(self.usual > 0.0 && self.usual.is_finite()) {
            return Err(RunError::System(SystemError::BadStep { h: self.usual }));
        }
        let mut next = samples.first_after(self.now() + ROUNDING * self.usual);
        let mut kernel = None;
        while let Some(n) = next {
            let t = samples.grid.time(n);
            if self.to((system, work), &mut kernel, (t, until_event), observer)? == Stop::Event {
                return Ok(Stop::Event);
            }
            let state = self.look.as_ref().map_or(&self.state, |look| &look.state);
            observer.sample(n, t, state).map_err(RunError::Observer)?;
            next = samples.after(n);
        }
        // What is there already, but for rounding, is where it stands: a run that is cut next to an instant goes on from that instant.
        let end = samples.grid.time(samples.grid.steps);
        if end != self.now() && (end - self.now()).abs() <= ROUNDING * self.usual {
            return self.to((system, work), &mut kernel, (end, until_event), observer);
        }
        Ok(Stop::Time)
    }

    /// Where it stands \[s\].
    fn now(&self) -> f64 {
        self.asked.unwrap_or_else(|| self.look.as_ref().map_or_else(|| self.clock.time(self.next), |look| look.t))
    }
}

impl<S: System> Integrator<S> for Steps<S::State>
where
    S::State: Serialize + DeserializeOwned,
{
    fn time(&self) -> f64 {
        self.now()
    }

    fn state(&self) -> &S::State {
        self.look.as_ref().map_or(&self.state, |look| &look.state)
    }

    fn contact_states(&self) -> Option<&[State]> {
        self.look.as_ref().map(|look| &look.known[..]).or(self.known.as_deref())
    }

    fn stuck(&self) -> Vec<f64> {
        let mut closed = self.stuck_steps.clone();
        for (steps, state) in closed.iter_mut().zip(self.known.iter().flatten()) {
            if *state == State::Stick {
                *steps += self.next + 1 - self.since;
            }
        }
        let mut stuck: Vec<f64> =
            self.stuck.iter().zip(closed).map(|(time, steps)| time + steps as f64 * self.clock.h).collect();
        if let Some(look) = &self.look {
            let short = look.t - self.clock.time(self.next);
            let sticks = look.known.iter().map(|state| if *state == State::Stick { short } else { 0.0 });
            stuck.iter_mut().zip(sticks).for_each(|(stuck, more)| *stuck += more);
        }
        stuck
    }

    fn by_events(&self) -> Option<EventRun> {
        None
    }

    fn decided(&self, system: &S, work: &mut S::Workspace) -> Result<S::State, SystemError> {
        let mut state = self.state.clone();
        let (kernel, _) = system.kernel(self.next, self.clock)?;
        kernel.advance(self.next, self.next + 1, &mut state, work)?;
        Ok(state)
    }

    fn advance<O: Observer<S::State>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let before = self.kept();
        let reached = self.advance_by_steps(system, work, samples, until_event, observer);
        self.unless_failed(before, system, work, &reached);
        reached
    }

    fn step_size(&self) -> Option<f64> {
        Some(self.usual)
    }

    fn words(&self) -> String {
        let judged = match self.clock.judged {
            Judged::Impact => "",
            Judged::Shifted => ", contact in the shifted configuration",
            Judged::End => ", contact at the end of a step",
        };
        format!("steps of {} s, theta {}{judged}", self.usual, self.clock.theta)
    }

    fn slack(&self) -> f64 {
        ROUNDING * self.usual
    }

    fn step<O: Observer<S::State>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        let before = self.kept();
        let mut told = Ok(());
        self.asked = None;
        self.stay(h, |event| {
            if told.is_ok() {
                told = observer.event(&event);
            }
        });
        told.map_err(RunError::Observer)?;
        if self.clock.h != h {
            self.begin_anew(h);
        }
        let made = self.go((system, work), &mut None, (self.next + 1, false), observer);
        self.unless_failed(before, system, work, &made);
        made.map(|_| ())
    }

    fn switch(&mut self, _: &S, _: &S, tell: &mut Vec<Event>) -> Result<(), SystemError> {
        self.stay(self.usual, |event| tell.push(event));
        self.begin_anew(self.clock.h);
        Ok(())
    }
}
