//! Events where the motion between them is smooth but has no closed form.
//!
//! For systems that are [`Smooth`]: springs, sines, drag, friction that depends on speed, slips in the plane. Between
//! two events the motion is integrated by collocation of high order (`collocation.rs`, `step.rs`) with the modes of the
//! contacts fixed. A step ends early where
//!
//! * a slip on a line reaches zero, or one in the plane has shrunk to rounding,
//! * the force of a contact that sticks reaches its bound, or contacts that share a load cannot hold it together any more,
//! * a guard of the system changes its sign, or a signal breaks.
//!
//! Such an instant is located on the polynomial of the step, and the step is made again up to there, so that the state
//! at an event has the order of a step's end. There the modes are chosen by the inclusion (`mode.rs`). Slips are
//! integrated along with the velocities: a slip that leaves zero in the plane has a direction from its first instant
//! on, to the precision of its own size.

mod arrival;
mod breaks;
mod collocation;
mod coupling;
mod evaluate;
mod frame;
mod handover;
mod jump;
mod layout;
mod locate;
mod mode;
mod seen;
mod selection;
mod step;
mod stepping;
mod switch;
mod tally;
mod units;

use self::collocation::Rule;
use self::evaluate::Evaluator;
use self::jump::Jump;
use self::layout::{ContactMode, Layout, Point, norm};
use self::locate::{EventSearch, Watch};
use self::mode::{Decision, Direction, Instant};
use self::step::Step;
use self::tally::Tallied;
use super::cluster::{Cluster, TOGETHER};
use super::driver::{self, Log};
use super::{Event, EventRunResult, Grid, Observer, RunError, Settings};
use crate::law::State;
use crate::mechanics::{At, Flow, Smooth, SystemError};

/// The first step that is tried, whatever the run's duration: what happens before t must not depend on what is asked
/// after t \[s\].
const FIRST: f64 = 1e-2;

/// Forces this share of the greatest in the problem beyond a bound are rounding.
const EDGE: f64 = 1e-13;

/// So many steps (or events, as many as make a cluster) in less time than a handover takes, and implicit steps get on
/// faster.
const CREEPING: u64 = 512;

/// Error of a step that is allowed, relative to the greatest value of each quantity so far.
const TOLERANCE: f64 = 1e-12;

/// Quantities below this share of the greatest of their kind are not resolved to the tolerance.
const FLOOR: f64 = 1e-6;

/// A slip in the plane that has shrunk to this share of the greatest slip so far has arrived at zero.
const ARRIVED: f64 = 1e-14;

/// A carried slip is taken from the velocities again when it is greater than this share of the greatest speed.
const RESOLVED: f64 = 1e-4;

/// Differences that tell a slope are taken over this share of the last step, over which motion is resolved to 1e-12, and of what is left
/// of a piece of the signals.
const SHORT_OF_STEP: f64 = 1e-4;
const SHORT_OF_PIECE: f64 = 1e-5;

/// Differences over so many times the rounding of the time tell a slope.
const RESOLVED_TIME: f64 = 1e6;

/// Runs the system to the end of the grid. The observer sees samples at instants of the grid (every
/// [`Observer::every`]-th and the last), as the states that `seen` makes of the flow, and every event when it happens. A
/// sample at the instant of an event shows the state after it.
pub fn smooth_events<T, O: Observer<T>>(
    system: &dyn Smooth,
    seen: impl Fn(&Flow) -> T,
    grid: Grid,
    settings: &Settings,
    observer: &mut O,
) -> Result<EventRunResult<T>, RunError<O::Error>> {
    let run = Collocation::begin(system, settings).map_err(RunError::System)?;
    driver::run((&(system, seen), &mut ()), run, grid, observer)
}

/// A run by collocation, at the beginning of a unit: plain data, all that the motion from here on depends on. It is compiled
/// once, for all systems and all observers.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct Collocation {
    #[serde(skip)]
    rule: Rule,
    evaluator: Evaluator,
    search: EventSearch,
    step: Step,
    flow: Flow,
    /// Rates and forces now.
    now: Point,
    /// Greatest value of each component of y so far.
    greatest: Vec<f64>,
    /// Size of the next step, and of the last one that stood.
    h: f64,
    last: f64,
    /// First break of a signal after now.
    piece: f64,
    /// Modes just decided and not stepped from yet.
    decision: Option<Decision>,
    at_bound: Vec<Option<Direction>>,
    /// Whether a slip in the plane has passed through zero, by contact.
    crossed: Vec<Option<Direction>>,
    guard: Option<usize>,
    /// Slips before they jumped, at this very instant.
    before_jump: Option<Vec<f64>>,
    /// What contacts were told to do.
    known: Vec<State>,
    tallied: Tallied,
    /// The unit, if it was made.
    ahead: Option<Unit>,
    log: Log<Vec<f64>>,
    cluster: Cluster,
    /// Time, steps and events at the beginning of the present stage, by which the pace is judged.
    stage: (f64, u64, u64),
}

/// A unit that begins where a run stands.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
enum Unit {
    /// A step of collocation: when it ends, and with which event.
    Step { until: f64, watch: Option<Watch> },
    /// A step no further than to where somebody looks, beyond which signals have no value: for this once. What the sizes of the next
    /// and of the last step were before it.
    Cut { h: f64, last: f64 },
    /// An implicit step, and where it leads.
    Short(Box<Flow>),
}

/// Side of each guard at a point.
fn sides_at(system: &dyn Smooth, t: f64, q: &[f64], v: &[f64]) -> Vec<bool> {
    let sides = vec![false; system.sizes().guards];
    let mut guards = vec![0.0; sides.len()];
    system.guards(At { t, q, v, sides: &sides, transfer: 0.0 }, &mut guards);
    guards.iter().map(|value| *value >= 0.0).collect()
}

impl Collocation {
    /// At the start of a system, with the modes decided.
    pub(crate) fn begin(system: &dyn Smooth, settings: &Settings) -> Result<Collocation, SystemError> {
        let (q, v) = system.initial();
        let layout = Layout::new(system);
        let mut s = vec![0.0; layout.slips()];
        let sides = sides_at(system, 0.0, &q, &v);
        system.slips(At { t: 0.0, q: &q, v: &v, sides: &sides, transfer: 0.0 }, &mut s);
        // A start at rest whose slips are differences of velocities: what rounding leaves of them is no slip.
        let rounding = 8.0 * f64::EPSILON * norm(&v);
        for c in 0..layout.contacts() {
            if norm(&s[layout.of(c)]) <= rounding {
                s[layout.of(c)].fill(0.0);
            }
        }
        let flow = Flow {
            t: 0.0,
            forces: vec![0.0; layout.slips()],
            states: vec![State::Open; layout.contacts()],
            slid: vec![0.0; layout.slips()],
            work: vec![0.0; system.sizes().powers],
            dissipated: vec![0.0; layout.contacts()],
            residual: 0.0,
            speed: v.iter().fold(0.0, |m, v| m.max(v.abs())),
            q,
            v,
            s,
            sides,
            transfer: 0.0,
        };
        let mut run = Collocation::at(system, settings, flow)?;
        run.decide(system)?;
        run.known.clone_from(&run.flow.states);
        Ok(run)
    }

    /// At a point of a motion, as if it had begun there; nothing is decided yet.
    fn at(system: &dyn Smooth, settings: &Settings, flow: Flow) -> Result<Collocation, SystemError> {
        system.check(flow.t)?;
        let layout = Layout::new(system);
        let evaluator = Evaluator::new(system, layout.clone(), flow.sides.clone());
        let contacts = layout.contacts();
        Ok(Collocation {
            search: EventSearch::new(&evaluator),
            step: Step::new(&layout),
            now: Point::new(&layout),
            greatest: [&flow.q[..], &flow.v, &flow.s].concat().iter().map(|y| y.abs()).collect(),
            rule: Rule::new(),
            h: FIRST,
            last: FIRST,
            piece: system.next_break(flow.t),
            decision: None,
            at_bound: vec![None; contacts],
            crossed: vec![None; contacts],
            guard: None,
            before_jump: None,
            known: flow.states.clone(),
            tallied: Tallied { of: None, rates: Default::default() },
            ahead: None,
            log: Log::new(contacts),
            cluster: Cluster::new(settings),
            stage: (flow.t, 0, 0),
            flow,
            evaluator,
        })
    }

    fn y(&self) -> Vec<f64> {
        [&self.flow.q[..], &self.flow.v, &self.flow.s].concat()
    }

    /// Chooses the modes from now on.
    fn decide(&mut self, system: &dyn Smooth) -> Result<(), SystemError> {
        self.evaluator.limit = self.piece.next_down();
        self.evaluator.sides.clone_from(&self.flow.sides);
        let layout = &self.evaluator.layout;
        let jump = Jump::new(layout, self.before_jump.take().as_deref(), &self.flow.s);
        let instant = Instant {
            system,
            layout,
            flow: &self.flow,
            at_bound: &self.at_bound,
            jump: &jump,
            passing: &vec![false; layout.contacts()],
            short: self.short(),
            limit: self.evaluator.limit,
        };
        let decision = instant.decide()?;
        let flow = &self.flow;
        self.evaluator.set(system, &decision.modes, flow.t, &flow.q, &flow.v)?;
        self.evaluator.open.iter_mut().zip(&decision.open).for_each(|(open, decided)| *open |= decided);
        let fresh = |c: usize| {
            let own = self.evaluator.layout.of(c);
            decision.on_edge[c] || (!decision.modes[c].sticks() && flow.s[own].iter().all(|s| *s == 0.0))
        };
        self.search.set(&self.evaluator, fresh, self.guard);
        self.search.wakes.clone_from(&decision.wakes);
        let sizes = decision.sizes.iter().zip(&mut self.search.edges);
        sizes.for_each(|(size, edge)| *edge = EDGE * size);
        self.at_bound.fill(None);
        self.guard = None;
        self.decision = Some(decision);
        self.look();
        self.look_at_forces(system)
    }

    /// A time short against that in which anything changes, but far longer than rounding of the time: where events crowd
    /// the last step says nothing of the motion.
    fn short(&self) -> f64 {
        let known = RESOLVED_TIME * f64::EPSILON * self.flow.t;
        (SHORT_OF_STEP * self.last).max(known).min(SHORT_OF_PIECE * (self.piece - self.flow.t))
    }

    /// Rates and forces now. A slip in the plane that is about to leave zero has its direction already.
    fn look_at_forces(&mut self, system: &dyn Smooth) -> Result<(), SystemError> {
        let mut y = self.y();
        if let Some(decision) = &self.decision {
            let first = self.evaluator.layout.positions + self.evaluator.layout.velocities;
            for (c, mode) in decision.modes.iter().enumerate() {
                let own = self.evaluator.layout.of(c);
                if *mode == ContactMode::Plane && self.flow.s[own.clone()].iter().all(|s| *s == 0.0) {
                    let rates = norm(&decision.rates[own.clone()]) > 0.0;
                    let ahead = if rates { &decision.rates } else { &decision.curvatures };
                    let size = norm(&ahead[own.clone()]);
                    own.for_each(|k| y[first + k] = f64::MIN_POSITIVE.sqrt() * ahead[k] / size);
                }
            }
        }
        self.evaluator.carry(system, self.flow.t, &y, &mut self.now)?;
        self.flow.forces.copy_from_slice(&self.now.forces);
        self.flow.transfer = self.evaluator.transfer;
        system.describes(&self.flow)
    }

    /// Events closer than this, or than the rounding of the time, are one event \[s\].
    fn together(&self) -> f64 {
        TOGETHER.max(8.0 * f64::EPSILON * self.flow.t)
    }
}
