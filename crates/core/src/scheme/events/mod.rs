//! Events: the motion in closed form from one change of state to the next.
//!
//! For systems that are [`Affine`]: forces and bounds are straight lines between breaks of the signals, contacts
//! are intervals. Then velocities are quadratics of time as long as no contact changes its state, and no error
//! is made but rounding. A span of such motion ends with the first of
//!
//! * a break of a signal, or the end of the run,
//! * the slip of a contact that slips reaching zero (a root of a quadratic),
//! * the force of a contact that sticks reaching its bound (a root of a straight line).
//!
//! There the modes are chosen by the inclusion (`mode.rs`), never by a table of switches. Zeros are selected: a
//! slip that has reached zero is 0.0 from then on, and the root at the start of a span is known to be there and not
//! found again. Events within 1e-12 s of each other happen together.

mod handover;
mod mode;
mod root;
mod span;

use self::mode::{Instant, Mode};
use self::span::{Span, settle};
use super::{Event, Grid, Observer, RunError};
use crate::law::State;
use crate::mechanics::{Affine, Loads, Motion, Response, SystemError, Vector};

/// Events closer than this are one event \[s\].
const TOGETHER: f64 = 1e-12;

/// When to leave the closed form for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// So many events, each within 1e-12 s of the one before (or, where motion is integrated, all within the time that
    /// the steps below take), are a cluster that is not gone through event by event; 64 by default.
    pub cluster: u32,
    /// Size of the implicit steps that lead out of a cluster \[s\], > 0; 1e-6 by default.
    pub step: f64,
    /// How many of them are made; 16 by default.
    pub steps: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { cluster: 64, step: 1e-6, steps: 16 }
    }
}

/// What a run in closed form ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRunResult<S> {
    /// State at the end.
    pub state: S,
    /// Time that each contact stuck \[s\].
    pub stuck: Vec<f64>,
    /// Changes of state of all contacts together.
    pub events: u64,
    /// Spans of closed-form motion.
    pub spans: u64,
    /// Clusters of events that implicit steps had to lead out of. Zero means that the result is exact but for
    /// rounding.
    pub handovers: u64,
}

/// Runs the system to the end of the grid. The observer sees samples at instants of the grid (every
/// [`Observer::every`]-th and the last) and every event when it happens, to 1e-12 s. A sample at the instant of an
/// event shows the state after it.
pub fn events<S: Affine, O: Observer<S::State>>(
    system: &S,
    grid: Grid,
    settings: &Settings,
    observer: &mut O,
) -> Result<EventRunResult<S::State>, RunError<O::Error>> {
    let mut run = Run::new(system, grid, observer)?;
    let mut crowd = 0;
    while run.t < run.end {
        if crowd >= settings.cluster {
            handover::stretch(&mut run, settings)?;
            crowd = 0;
            if run.t >= run.end {
                break;
            }
        }
        let before = run.t;
        run.advance()?;
        crowd = if run.t - before <= TOGETHER { crowd + 1 } else { 0 };
    }
    run.finish()
}

/// A run under way.
struct Run<'a, S: Affine, O> {
    system: &'a S,
    grid: Grid,
    observer: &'a mut O,
    /// Now, and when to stop.
    t: f64,
    end: f64,
    motion: Motion<S::Velocities, S::Contacts>,
    /// The straight pieces that hold now, and since when.
    piece: Loads<S::Velocities, S::Contacts>,
    since: f64,
    /// e where a force has just reached −e a_i, else 0.
    at_bound: S::Contacts,
    /// Contact forces and accelerations, where no contact has come to rest and no signal has broken.
    carried: Option<Response<S::Velocities, S::Contacts>>,
    /// Modes that the observer knows of; none before the first.
    known: Option<S::Contacts>,
    next_sample: u64,
    stuck: S::Contacts,
    events: u64,
    spans: u64,
    handovers: u64,
}

impl<'a, S: Affine, O: Observer<S::State>> Run<'a, S, O> {
    fn new(system: &'a S, grid: Grid, observer: &'a mut O) -> Result<Self, RunError<O::Error>> {
        let motion = Motion::start(system);
        let none = motion.signs.map(|_| 0.0);
        Ok(Run {
            system,
            grid,
            t: 0.0,
            end: grid.time(grid.steps),
            piece: loads(system, 0.0)?,
            since: 0.0,
            at_bound: none.clone(),
            carried: None,
            known: None,
            next_sample: observer.every().max(1).min(grid.steps),
            stuck: none,
            events: 0,
            spans: 0,
            handovers: 0,
            motion,
            observer,
        })
    }

    /// One span: modes, events, samples, and on to where it ends.
    #[inline(always)]
    fn advance(&mut self) -> Result<(), RunError<O::Error>> {
        let loads = self.piece.after(self.t - self.since);
        let Run { motion, at_bound, carried, .. } = &*self;
        let now = Instant { signs: &motion.signs, at_bound, loads: &loads, carried };
        let mode = Mode::choose(self.system, &now).map_err(RunError::System)?;
        let slips = self.system.slips(&self.motion.velocities);
        // A contact that has only just left zero has no slip yet.
        let slips = S::Contacts::from_fn(slips.size(), |i| if self.motion.signs[i] == 0.0 { 0.0 } else { slips[i] });
        let span = Span { slips, loads, mode };
        if self.known.is_none() {
            let state = self.system.state(&span.after(self.system, &self.motion, 0.0));
            self.observer.start(&state).map_err(RunError::Observer)?;
        }
        self.announce(&span.mode.signs)?;

        let contacts = span.slips.size();
        let ends = S::Contacts::from_fn(contacts, |i| span.end(i));
        let first = (0..contacts).fold(f64::INFINITY, |m, i| if ends[i] < m { ends[i] } else { m });
        let stop = self.piece.until.min(self.end);
        let to_stop = stop - self.t;
        let stops = first + TOGETHER >= to_stop;
        let (dt, t) = if stops { (to_stop, stop) } else { (first, self.t + first) };
        self.pass(&span, dt, t)?;
        if self.t < self.end {
            self.arrive(&span, &ends, dt, stops)?;
        }
        Ok(())
    }

    /// Samples on the way, then the end of a span that lasts `dt` and ends at `t`.
    #[inline(always)]
    fn pass(&mut self, span: &Span<S::Velocities, S::Contacts>, dt: f64, t: f64) -> Result<(), RunError<O::Error>> {
        while self.next_sample < self.grid.steps && self.grid.time(self.next_sample) < t {
            let time = self.grid.time(self.next_sample);
            let motion = span.after(self.system, &self.motion, time - self.t);
            let state = self.system.state(&motion);
            self.observer.sample(self.next_sample, time, &state).map_err(RunError::Observer)?;
            self.next_sample = self.next_sample.saturating_add(self.observer.every().max(1)).min(self.grid.steps);
        }
        self.motion = span.after(self.system, &self.motion, dt);
        self.t = t;
        self.spans += 1;
        for i in 0..self.stuck.size() {
            if span.mode.signs[i] == 0.0 {
                self.stuck[i] += dt;
            }
        }
        if self.motion.is_finite() { Ok(()) } else { Err(RunError::Overflow { t }) }
    }

    /// Selects what has become zero and what has come to its bound at the end of a span.
    #[inline(always)]
    fn arrive(
        &mut self,
        span: &Span<S::Velocities, S::Contacts>,
        ends: &S::Contacts,
        dt: f64,
        stops: bool,
    ) -> Result<(), RunError<O::Error>> {
        let contacts = ends.size();
        let reached = dt + TOGETHER;
        let mut forces_jump = stops;
        for i in 0..contacts {
            if self.motion.signs[i] != 0.0 && ends[i] <= reached {
                self.motion.signs[i] = 0.0;
                forces_jump = true;
            }
        }
        forces_jump |= self.select_zeros();
        // Where forces jump (another contact has come to rest, a signal breaks) the first order tells anew.
        self.at_bound = S::Contacts::from_fn(contacts, |i| match () {
            () if forces_jump || span.mode.signs[i] != 0.0 || ends[i] > reached => 0.0,
            () if span.reach(i, 1.0) <= reached => 1.0,
            () => -1.0,
        });
        self.carried = if forces_jump { None } else { Some(span.response(&self.motion.forces, dt)) };
        self.renew()
    }

    /// Takes the next straight pieces where the present ones end.
    #[inline(always)]
    fn renew(&mut self) -> Result<(), RunError<O::Error>> {
        if self.t >= self.piece.until {
            self.piece = loads(self.system, self.t)?;
            self.since = self.t;
        }
        Ok(())
    }

    /// Slips with sign 0 become exactly zero; a slip that rounding gives another sign than its contact has is zero.
    /// True if there was one of those.
    #[inline(always)]
    fn select_zeros(&mut self) -> bool {
        let mut found = false;
        loop {
            let left = settle(self.system, &self.motion.signs, &mut self.motion.velocities);
            self.motion.residual = self.motion.residual.max(left);
            let slips = self.system.slips(&self.motion.velocities);
            let mut changed = false;
            for i in 0..slips.size() {
                let sign = self.motion.signs[i];
                if sign != 0.0 && sign * slips[i] <= 0.0 {
                    self.motion.signs[i] = 0.0;
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
            found = true;
        }
    }

    /// Tells the observer which contacts have changed.
    #[inline(always)]
    fn announce(&mut self, signs: &S::Contacts) -> Result<(), RunError<O::Error>> {
        if let Some(known) = &self.known {
            for contact in 0..signs.size() {
                if known[contact] != signs[contact] {
                    let (from, to) = (state(known[contact]), state(signs[contact]));
                    self.events += 1;
                    let event = Event { t: self.t, contact, from, to };
                    self.observer.event(&event).map_err(RunError::Observer)?;
                }
            }
        }
        self.known = Some(signs.clone());
        Ok(())
    }

    fn finish(self) -> Result<EventRunResult<S::State>, RunError<O::Error>> {
        let state = self.system.state(&self.motion);
        self.observer.sample(self.grid.steps, self.end, &state).map_err(RunError::Observer)?;
        let stuck = (0..self.stuck.size()).map(|i| self.stuck[i]).collect();
        Ok(EventRunResult { state, stuck, events: self.events, spans: self.spans, handovers: self.handovers })
    }
}

/// The straight pieces that hold at t, which must have a length.
fn loads<S: Affine, E>(system: &S, t: f64) -> Result<Loads<S::Velocities, S::Contacts>, RunError<E>> {
    let loads = system.loads(t).map_err(RunError::System)?;
    if loads.until > t { Ok(loads) } else { Err(RunError::System(SystemError::NotAffine { what: "a signal", t })) }
}

/// The mode that belongs to the sign of a slip.
#[inline(always)]
fn state(sign: f64) -> State {
    if sign == 0.0 { State::Stick } else { State::Slip([sign, 0.0]) }
}
