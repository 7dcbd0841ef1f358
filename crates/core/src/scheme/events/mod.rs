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
use serde::{Deserialize, Serialize};

use super::{Event, Grid, Observer, RunError, Samples};
use crate::law::State;
use crate::mechanics::{Affine, Loads, Motion, Response, Stop, SystemError, Vector};

/// Events closer than this are one event \[s\].
pub(super) const TOGETHER: f64 = 1e-12;

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

impl<S> EventRunResult<S> {
    /// The same, with its state seen otherwise.
    pub(crate) fn seen_as<T>(self, seen: impl FnOnce(&S) -> T) -> EventRunResult<T> {
        let EventRunResult { state, stuck, events, spans, handovers } = self;
        EventRunResult { state: seen(&state), stuck, events, spans, handovers }
    }
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
    let mut run = ClosedForm::begin(system).map_err(RunError::System)?;
    let mut ahead = run.look(system, settings, |event| observer.event(&event))?;
    observer.start(&system.state(&run.at(system, &ahead, 0.0))).map_err(RunError::Observer)?;
    let samples = Samples { grid, every: observer.every() };
    let arrived = run.advance(system, &mut ahead, settings, 0.0, (samples, false), observer)?;
    let state = system.state(&arrived.motion);
    observer.sample(grid.steps, arrived.t, &state).map_err(RunError::Observer)?;
    let ClosedForm { events, spans, handovers, .. } = run;
    Ok(EventRunResult { state, stuck: arrived.stuck, events, spans: spans + 1, handovers })
}

/// Where a run in closed form has come to, within the span ahead of it.
pub(crate) struct Arrived<V, C> {
    pub(crate) t: f64,
    /// Why it stopped there.
    pub(crate) stop: Stop,
    pub(crate) motion: Motion<V, C>,
    /// Time that each contact stuck so far \[s\].
    pub(crate) stuck: Vec<f64>,
}

/// Where a run in closed form stands, at the beginning of a span: plain data, all that the motion from here on depends
/// on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ClosedForm<V, C> {
    /// Now.
    pub(crate) t: f64,
    motion: Motion<V, C>,
    /// The straight pieces that hold now, and since when.
    piece: Loads<V, C>,
    since: f64,
    /// e where a force has just reached −e a_i, else 0.
    at_bound: C,
    /// Contact forces and accelerations, where no contact has come to rest and no signal has broken.
    carried: Option<Response<V, C>>,
    /// Modes that were told; none before the first.
    known: Option<C>,
    /// Time that each contact stuck \[s\].
    stuck: C,
    events: u64,
    spans: u64,
    pub(crate) handovers: u64,
    /// Events one after the other in no time.
    crowd: u32,
    /// Implicit steps still to be made to lead out of a cluster of events.
    short_steps: u32,
}

/// The span that begins where a run stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Ahead<V, C> {
    span: Span<V, C>,
    /// How long it lasts, and when it ends \[s\].
    dt: f64,
    pub(crate) until: f64,
    end: SpanEnd<V, C>,
}

/// What ends a span.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum SpanEnd<V, C> {
    /// The first of these instants, one for each contact; or, where `stops`, a break of a signal.
    Event { ends: C, stops: bool },
    /// The end of an implicit step, with the velocities it leads to.
    Step { velocities: V },
}

impl<V: Vector, C: Vector> ClosedForm<V, C> {
    /// At the start of a system, before anything has moved.
    pub(crate) fn begin<S: Affine<Velocities = V, Contacts = C>>(system: &S) -> Result<Self, SystemError> {
        let motion = Motion::start(system);
        let none = motion.signs.map(|_| 0.0);
        Ok(ClosedForm {
            t: 0.0,
            piece: loads(system, 0.0)?,
            since: 0.0,
            at_bound: none.clone(),
            carried: None,
            known: None,
            stuck: none,
            events: 0,
            spans: 0,
            handovers: 0,
            crowd: 0,
            short_steps: 0,
            motion,
        })
    }

    /// Chooses the modes from now on, tells which contacts have changed, and finds where the span ends.
    #[inline(always)]
    pub(crate) fn look<S: Affine<Velocities = V, Contacts = C>, E>(
        &mut self,
        system: &S,
        settings: &Settings,
        tell: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Ahead<V, C>, RunError<E>> {
        if self.crowd >= settings.cluster {
            self.crowd = 0;
            self.hand_over(settings);
        }
        if self.short_steps > 0 {
            let ahead = handover::step(self, system, settings).map_err(RunError::System)?;
            self.announce(&ahead.span.mode.signs, tell)?;
            return Ok(ahead);
        }
        let loads = self.piece.after(self.t - self.since);
        let ClosedForm { motion, at_bound, carried, .. } = &*self;
        let now = Instant { signs: &motion.signs, at_bound, loads: &loads, carried };
        let mode = Mode::choose(system, &now).map_err(RunError::System)?;
        let slips = system.slips(&self.motion.velocities);
        // A contact that has only just left zero has no slip yet.
        let slips = C::from_fn(slips.size(), |i| if self.motion.signs[i] == 0.0 { 0.0 } else { slips[i] });
        let span = Span { slips, loads, mode };
        self.announce(&span.mode.signs, tell)?;

        let contacts = span.slips.size();
        let ends = C::from_fn(contacts, |i| span.end(i));
        let first = (0..contacts).fold(f64::INFINITY, |m, i| if ends[i] < m { ends[i] } else { m });
        let to_stop = self.piece.until - self.t;
        let stops = first + TOGETHER >= to_stop;
        let (dt, until) = if stops { (to_stop, self.piece.until) } else { (first, self.t + first) };
        Ok(Ahead { span, dt, until, end: SpanEnd::Event { ends, stops } })
    }

    /// Goes on from `now`, an instant of the span ahead, to the last of the samples, or no further than the first event where that
    /// is asked for. The observer sees all of it but the last sample.
    #[inline(always)]
    pub(crate) fn advance<S: Affine<Velocities = V, Contacts = C>, O: Observer<S::State>>(
        &mut self,
        system: &S,
        ahead: &mut Ahead<V, C>,
        settings: &Settings,
        now: f64,
        (samples, until_event): (Samples, bool),
        observer: &mut O,
    ) -> Result<Arrived<V, C>, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        let mut next = samples.first_after(now);
        let (t, stop) = loop {
            while let Some((n, t)) = samples.due(next, ahead.until) {
                observer.sample(n, t, &system.state(&self.at(system, ahead, t))).map_err(RunError::Observer)?;
                next = samples.after(n);
            }
            if ahead.until >= end {
                break (end, Stop::Time);
            }
            self.pass(system, ahead)?;
            let mut changed = false;
            *ahead = self.look(system, settings, |event| {
                changed = true;
                observer.event(&event)
            })?;
            if changed && observer.sees_changes() {
                let state = system.state(&self.at(system, ahead, self.t));
                observer.changed(self.t, &state).map_err(RunError::Observer)?;
            }
            if changed && until_event {
                break (self.t, Stop::Event);
            }
        };
        let motion = self.at(system, ahead, t);
        if !motion.is_finite() {
            return Err(RunError::Overflow { t });
        }
        Ok(Arrived { t, stop, motion, stuck: self.stuck_at(ahead, t) })
    }

    /// The motion at an instant of the span ahead.
    #[inline(always)]
    pub(crate) fn at<S: Affine<Velocities = V, Contacts = C>>(
        &self,
        system: &S,
        ahead: &Ahead<V, C>,
        t: f64,
    ) -> Motion<V, C> {
        ahead.span.after(system, &self.motion, t - self.t)
    }

    /// Time that each contact stuck until t, in the span ahead \[s\].
    pub(crate) fn stuck_at(&self, ahead: &Ahead<V, C>, t: f64) -> Vec<f64> {
        let more = |i: usize| if ahead.span.mode.signs[i] == 0.0 { t - self.t } else { 0.0 };
        (0..self.stuck.size()).map(|i| self.stuck[i] + more(i)).collect()
    }

    /// Goes to the end of the span ahead, which is not infinite.
    #[inline(always)]
    pub(crate) fn pass<S: Affine<Velocities = V, Contacts = C>, E>(
        &mut self,
        system: &S,
        ahead: &Ahead<V, C>,
    ) -> Result<(), RunError<E>> {
        let Ahead { span, dt, until, end } = ahead;
        self.spans += 1;
        for i in 0..self.stuck.size() {
            if span.mode.signs[i] == 0.0 {
                self.stuck[i] += until - self.t;
            }
        }
        self.crowd = if *dt <= TOGETHER { self.crowd + 1 } else { 0 };
        self.motion = span.after(system, &self.motion, *dt);
        self.t = *until;
        if !self.motion.is_finite() {
            return Err(RunError::Overflow { t: self.t });
        }
        match end {
            SpanEnd::Event { ends, stops } => self.arrive(system, span, ends, *dt, *stops),
            SpanEnd::Step { velocities } => {
                self.motion.velocities = velocities.clone();
                self.short_steps -= 1;
                self.crowd = 0;
                self.select_zeros(system);
            }
        }
        self.renew(system).map_err(RunError::System)
    }

    /// Selects what has become zero and what has come to its bound at the end of a span.
    #[inline(always)]
    fn arrive<S: Affine<Velocities = V, Contacts = C>>(
        &mut self,
        system: &S,
        span: &Span<V, C>,
        ends: &C,
        dt: f64,
        stops: bool,
    ) {
        let contacts = ends.size();
        let reached = dt + TOGETHER;
        let mut forces_jump = stops;
        for i in 0..contacts {
            if self.motion.signs[i] != 0.0 && ends[i] <= reached {
                self.motion.signs[i] = 0.0;
                forces_jump = true;
            }
        }
        forces_jump |= self.select_zeros(system);
        // Where forces jump (another contact has come to rest, a signal breaks) the first order tells anew.
        self.at_bound = C::from_fn(contacts, |i| match () {
            () if forces_jump || span.mode.signs[i] != 0.0 || ends[i] > reached => 0.0,
            () if span.reach(i, 1.0) <= reached => 1.0,
            () => -1.0,
        });
        self.carried = if forces_jump { None } else { Some(span.response(&self.motion.forces, dt)) };
    }

    /// Takes the next straight pieces where the present ones end.
    #[inline(always)]
    fn renew<S: Affine<Velocities = V, Contacts = C>>(&mut self, system: &S) -> Result<(), SystemError> {
        if self.t >= self.piece.until {
            self.piece = loads(system, self.t)?;
            self.since = self.t;
        }
        Ok(())
    }

    /// Slips with sign 0 become exactly zero; a slip that rounding gives another sign than its contact has is zero.
    /// True if there was one of those.
    #[inline(always)]
    fn select_zeros<S: Affine<Velocities = V, Contacts = C>>(&mut self, system: &S) -> bool {
        let mut found = false;
        loop {
            let left = settle(system, &self.motion.signs, &mut self.motion.velocities);
            self.motion.residual = self.motion.residual.max(left);
            let slips = system.slips(&self.motion.velocities);
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

    /// Tells which contacts have changed.
    #[inline(always)]
    fn announce<E>(&mut self, signs: &C, mut tell: impl FnMut(Event) -> Result<(), E>) -> Result<(), RunError<E>> {
        if let Some(known) = &self.known {
            for contact in 0..signs.size() {
                if known[contact] != signs[contact] {
                    let (from, to) = (mode_of(known[contact]), mode_of(signs[contact]));
                    self.events += 1;
                    tell(Event { t: self.t, contact, from, to }).map_err(RunError::Observer)?;
                }
            }
        }
        self.known = Some(signs.clone());
        Ok(())
    }
}

/// The straight pieces that hold at t, which must have a length.
fn loads<S: Affine>(system: &S, t: f64) -> Result<Loads<S::Velocities, S::Contacts>, SystemError> {
    let loads = system.loads(t)?;
    if loads.until > t { Ok(loads) } else { Err(SystemError::NotAffine { what: "a signal", t }) }
}

/// The mode that belongs to the sign of a slip.
#[inline(always)]
pub(crate) fn mode_of(sign: f64) -> State {
    if sign == 0.0 { State::Stick } else { State::Slip([sign, 0.0]) }
}
