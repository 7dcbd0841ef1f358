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

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use self::mode::{Instant, Mode};
use self::span::{Span, greater, settle};
use super::cluster::{Cluster, TOGETHER};
use super::driver::{self, Arrived, Counts, Log, Units};
use super::{Event, Grid, Observer, RunError};
pub use super::{EventRunResult, Settings};
use crate::law::State;
use crate::mechanics::{Affine, Loads, Motion, Response, SystemError, Vector};

/// Runs the system to the end of the grid. The observer sees samples at instants of the grid (every
/// [`Observer::every`]-th and the last) and every event when it happens, to 1e-12 s. A sample at the instant of an
/// event shows the state after it.
pub fn events<S: Affine, O: Observer<S::State>>(
    system: &S,
    grid: Grid,
    settings: &Settings,
    observer: &mut O,
) -> Result<EventRunResult<S::State>, RunError<O::Error>> {
    let units = ClosedForm::begin(system, settings).map_err(RunError::System)?;
    driver::run((system, &mut ()), units, grid, observer)
}

/// A run in closed form: at the beginning of a span, and the span.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClosedForm<V, C> {
    standing: Standing<V, C>,
    ahead: Unit<V, C>,
}

/// Where a run in closed form stands, at the beginning of a span: plain data, all that the motion from here on depends
/// on.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Standing<V, C> {
    /// Now.
    t: f64,
    motion: Motion<V, C>,
    /// The straight pieces that hold now, and since when.
    piece: Loads<V, C>,
    since: f64,
    /// e where a force has just reached −e a_i, else 0.
    at_bound: C,
    /// Contact forces and accelerations, where no contact has come to rest and no signal has broken.
    carried: Option<Response<V, C>>,
    log: Log<C>,
    cluster: Cluster,
}

/// The span that begins where a run stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Unit<V, C> {
    span: Span<V, C>,
    /// How long it lasts, and when it ends \[s\].
    dt: f64,
    until: f64,
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

impl<V: Vector, C: Vector> Unit<V, C> {
    /// Nothing ahead yet, where every force and every speed is zero: room for what is found.
    #[inline(always)]
    fn nothing(loads: &Loads<V, C>, none: &C) -> Unit<V, C> {
        let mode = Mode::rest(&loads.force.map(|_| 0.0), none);
        let span = Span { slips: none.clone(), loads: loads.clone(), mode };
        Unit { span, dt: 0.0, until: 0.0, end: SpanEnd::Event { ends: none.clone(), stops: true } }
    }
}

impl<V: Vector, C: Vector> ClosedForm<V, C> {
    /// At the start of a system, with the modes decided.
    #[inline(always)]
    pub(crate) fn begin<S: Affine<Velocities = V, Contacts = C>>(
        system: &S,
        settings: &Settings,
    ) -> Result<Self, SystemError> {
        let motion = Motion::start(system);
        let none = motion.signs.map(|_| 0.0);
        let piece = loads(system, 0.0)?;
        let mut ahead = Unit::nothing(&piece, &none);
        let standing = Standing {
            t: 0.0,
            piece,
            since: 0.0,
            carried: None,
            log: Log::new(none.size()),
            at_bound: none,
            cluster: Cluster::new(settings),
            motion,
        };
        standing.look(system, &mut ahead)?;
        Ok(ClosedForm { standing, ahead })
    }

    /// The motion at an instant of the span ahead.
    #[inline(always)]
    pub(crate) fn motion<S: Affine<Velocities = V, Contacts = C>>(&self, system: &S, t: f64) -> Motion<V, C> {
        self.ahead.span.after(system, &self.standing.motion, t - self.standing.t)
    }

    /// Time that each contact stuck until t, in the span ahead \[s\].
    pub(crate) fn stuck(&self, t: f64) -> Vec<f64> {
        self.standing.log.stuck_after(t - self.standing.t, |i| self.ahead.span.mode.signs[i] == 0.0)
    }

    /// When the span ahead ends \[s\].
    pub(crate) fn until(&self) -> f64 {
        self.ahead.until
    }

    /// Events, spans, clusters so far.
    pub(crate) fn counts(&self) -> Counts {
        self.standing.log.counts
    }
}

impl<S: Affine> Units<S> for ClosedForm<S::Velocities, S::Contacts> {
    type Workspace = ();
    type State = S::State;

    #[inline(always)]
    fn time(&self) -> f64 {
        self.standing.t
    }

    #[inline(always)]
    fn ahead(&mut self, _: &S, (): &mut (), _: f64) -> Result<f64, SystemError> {
        Ok(self.ahead.until)
    }

    #[inline(always)]
    fn at(&mut self, system: &S, (): &mut (), t: f64) -> Result<S::State, RunError<Infallible>> {
        Ok(system.state(&self.motion(system, t)))
    }

    #[inline(always)]
    fn arrive(&self, system: &S, (): &mut (), t: f64) -> Result<Arrived<S::State>, RunError<Infallible>> {
        let motion = self.motion(system, t);
        if motion.is_finite() { Ok((system.state(&motion), self.stuck(t))) } else { Err(RunError::Overflow { t }) }
    }

    #[inline(always)]
    fn pass(&mut self, system: &S, (): &mut (), tell: &mut impl FnMut(Event)) -> Result<bool, RunError<Infallible>> {
        self.standing.pass(system, &self.ahead)?;
        let before = self.ahead.span.mode.signs.clone();
        self.standing.look(system, &mut self.ahead).map_err(RunError::System)?;
        let after = &self.ahead.span.mode.signs;
        let change = |i: usize| (before[i] != after[i]).then(|| (mode_of(before[i]), mode_of(after[i])));
        let each = (0..before.size()).map(change);
        self.standing.log.announce(self.standing.t, each, tell);
        Ok(false)
    }

    fn counts(&self) -> Counts {
        self.standing.log.counts
    }
}

impl<V: Vector, C: Vector> Standing<V, C> {
    /// Chooses the modes from now on and finds where the span ends. That is written where it stays, which takes a tenth fewer
    /// instructions than handing it back; where it fails nothing is written.
    #[inline(always)]
    fn look<S: Affine<Velocities = V, Contacts = C>>(
        &self,
        system: &S,
        ahead: &mut Unit<V, C>,
    ) -> Result<(), SystemError> {
        if self.cluster.short_steps > 0 {
            *ahead = handover::step(self, system)?;
            return Ok(());
        }
        let loads = self.piece.after(self.t - self.since);
        let Standing { motion, at_bound, carried, .. } = self;
        let now = Instant { signs: &motion.signs, at_bound, loads: &loads, carried };
        let mode = Mode::choose(system, &now)?;
        let slips = system.slips(&self.motion.velocities);
        // A contact that has only just left zero has no slip yet.
        let slips = C::from_fn(slips.size(), |i| if self.motion.signs[i] == 0.0 { 0.0 } else { slips[i] });
        let span = &mut ahead.span;
        span.slips = slips;
        span.loads = loads;
        span.mode = mode;

        let contacts = span.slips.size();
        let ends = C::from_fn(contacts, |i| span.end(i));
        let first = (0..contacts).fold(f64::INFINITY, |m, i| if ends[i] < m { ends[i] } else { m });
        let to_stop = self.piece.until - self.t;
        let stops = first + TOGETHER >= to_stop;
        let (dt, until) = if stops { (to_stop, self.piece.until) } else { (first, self.t + first) };
        (ahead.dt, ahead.until, ahead.end) = (dt, until, SpanEnd::Event { ends, stops });
        Ok(())
    }

    /// Goes to the end of the span ahead, which is not infinite.
    #[inline(always)]
    fn pass<S: Affine<Velocities = V, Contacts = C>>(
        &mut self,
        system: &S,
        ahead: &Unit<V, C>,
    ) -> Result<(), RunError<Infallible>> {
        let Unit { span, dt, until, end } = ahead;
        self.log.over(until - self.t, |i| span.mode.signs[i] == 0.0);
        self.motion = span.after(system, &self.motion, *dt);
        self.t = *until;
        if !self.motion.is_finite() {
            return Err(RunError::Overflow { t: self.t });
        }
        match end {
            SpanEnd::Event { ends, stops } => {
                self.arrive(system, span, ends, *dt, *stops);
                if self.cluster.gathers(*dt, TOGETHER) {
                    self.hand_over().map_err(RunError::System)?;
                }
            }
            SpanEnd::Step { velocities } => {
                self.motion.velocities = velocities.clone();
                self.cluster.stepped(self.t);
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
            self.motion.residual = greater(self.motion.residual, left);
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
