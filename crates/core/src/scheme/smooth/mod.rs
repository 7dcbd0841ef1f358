//! Events where the motion between them is smooth but has no closed form.
//!
//! For systems that are [`Smooth`]: springs, sines, drag, friction that depends on speed, slips in the plane. Between
//! two events the motion is integrated by collocation of high order (`collocation.rs`, `step.rs`) with the modes of the
//! contacts fixed. A step ends early where
//!
//! * a slip on a line reaches zero, or one in the plane has shrunk to rounding,
//! * the force of a contact that sticks reaches its bound,
//! * a guard of the system changes its sign, or a signal breaks.
//!
//! Such an instant is located on the polynomial of the step, and the step is made again up to there, so that the state
//! at an event has the order of a step's end. There the modes are chosen by the inclusion (`mode.rs`). Slips are
//! integrated along with the velocities: a slip that leaves zero in the plane has a direction from its first instant
//! on, to the precision of its own size.

mod collocation;
mod evaluate;
mod handover;
mod locate;
mod mode;
mod step;

use self::collocation::{Rule, STAGES};
use self::evaluate::{Evaluator, Grasp, Layout, Point, norm};
use self::locate::{Found, Lookout, Watch};
use self::mode::{Decision, Direction, Instant, opposite};
use self::step::Step;
use super::events::{Passage, Settings};
use super::{Event, Grid, Observer, RunError};
use crate::law::State;
use crate::mechanics::{At, Flow, Smooth};

/// Events closer than this are one event \[s\].
const TOGETHER: f64 = 1e-12;

/// Error of a step that is allowed, relative to the greatest value of each quantity so far.
const TOLERANCE: f64 = 1e-12;

/// A slip in the plane that has shrunk to this share of the greatest slip so far has arrived at zero.
const ARRIVED: f64 = 1e-14;

/// A carried slip is taken from the velocities again when it is greater than this share of the greatest speed.
const RESOLVED: f64 = 1e-4;

/// Runs the system to the end of the grid. The observer sees samples at instants of the grid (every
/// [`Observer::every`]-th and the last) and every event when it happens. A sample at the instant of an event shows the
/// state after it.
pub fn smooth_events<S: Smooth, O: Observer<S::State>>(
    system: &S,
    grid: Grid,
    settings: &Settings,
    observer: &mut O,
) -> Result<Passage<S::State>, RunError<O::Error>> {
    let mut run = Run::new(system, grid, observer)?;
    run.decide()?;
    let mut crowd = 0;
    while run.flow.t < run.end {
        let before = run.flow.t;
        let decided = run.advance()?;
        if run.flow.t >= run.end {
            break;
        }
        crowd = if !decided || run.flow.t - before > TOGETHER { 0 } else { crowd + 1 };
        if crowd >= settings.cluster {
            handover::stretch(&mut run, settings)?;
            crowd = 0;
        }
    }
    run.finish()
}

/// A run under way.
struct Run<'a, S: Smooth, O> {
    system: &'a S,
    grid: Grid,
    observer: &'a mut O,
    end: f64,
    rule: Rule,
    evaluator: Evaluator<'a, S>,
    lookout: Lookout,
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
    known: Option<Vec<State>>,
    next_sample: u64,
    stuck: Vec<f64>,
    events: u64,
    spans: u64,
    handovers: u64,
}

impl<'a, S: Smooth, O: Observer<S::State>> Run<'a, S, O> {
    fn new(system: &'a S, grid: Grid, observer: &'a mut O) -> Result<Self, RunError<O::Error>> {
        system.check(0.0).map_err(RunError::System)?;
        let layout = Layout::new(system);
        let sizes = system.sizes();
        let (q, v) = system.initial();
        let mut sides = vec![false; sizes.guards];
        let mut guards = vec![0.0; sizes.guards];
        system.guards(At { t: 0.0, q: &q, v: &v, sides: &sides }, &mut guards);
        sides.iter_mut().zip(&guards).for_each(|(side, value)| *side = *value >= 0.0);
        let mut s = vec![0.0; layout.slips()];
        system.slips(At { t: 0.0, q: &q, v: &v, sides: &sides }, &mut s);
        let evaluator = Evaluator::new(system, layout.clone(), sides.clone());
        let end = grid.time(grid.steps);
        let contacts = layout.contacts();
        Ok(Run {
            lookout: Lookout::new(&evaluator),
            step: Step::new(&layout),
            now: Point::new(&layout),
            greatest: vec![0.0; layout.size()],
            rule: Rule::new(),
            flow: Flow {
                t: 0.0,
                forces: vec![0.0; layout.slips()],
                states: vec![State::Open; contacts],
                slid: vec![0.0; layout.slips()],
                work: vec![0.0; sizes.powers],
                dissipated: vec![0.0; contacts],
                residual: 0.0,
                speed: 0.0,
                q,
                v,
                s,
                sides,
            },
            h: 0.01 * end,
            last: 0.01 * end,
            piece: system.next_break(0.0),
            decision: None,
            at_bound: vec![None; contacts],
            crossed: vec![None; contacts],
            guard: None,
            known: None,
            next_sample: observer.every().max(1).min(grid.steps),
            stuck: vec![0.0; contacts],
            events: 0,
            spans: 0,
            handovers: 0,
            system,
            grid,
            observer,
            end,
            evaluator,
        })
    }

    fn y(&self) -> Vec<f64> {
        [&self.flow.q[..], &self.flow.v, &self.flow.s].concat()
    }

    /// Chooses the modes from now on and tells the observer.
    fn decide(&mut self) -> Result<(), RunError<O::Error>> {
        self.evaluator.limit = self.piece.next_down();
        self.evaluator.sides.clone_from(&self.flow.sides);
        let instant = Instant {
            system: self.system,
            layout: &self.evaluator.layout,
            flow: &self.flow,
            at_bound: &self.at_bound,
            short: 1e-4 * self.last.min(0.1 * (self.piece.min(self.end) - self.flow.t)),
            limit: self.evaluator.limit,
        };
        let decision = instant.decide().map_err(RunError::System)?;
        let flow = &self.flow;
        self.evaluator.set(&decision.grasps, flow.t, &flow.q, &flow.v).map_err(RunError::System)?;
        let fresh = |c: usize| {
            let own = self.evaluator.layout.of(c);
            decision.on_edge[c] || (decision.grasps[c] != Grasp::Stick && flow.s[own].iter().all(|s| *s == 0.0))
        };
        self.lookout.set(&self.evaluator, fresh, self.guard);
        self.at_bound.fill(None);
        self.guard = None;
        self.decision = Some(decision);
        self.look();
        self.look_at_forces()?;
        self.announce()
    }

    /// Modes as observers see them.
    fn look(&mut self) {
        let layout = &self.evaluator.layout;
        for c in 0..layout.contacts() {
            let slip = |x: &[f64]| -> State {
                let size = norm(x);
                if size == 0.0 { State::Stick } else { State::Slip([x[0] / size, x.get(1).map_or(0.0, |y| y / size)]) }
            };
            self.flow.states[c] = match self.evaluator.grasps[c] {
                Grasp::Stick => State::Stick,
                Grasp::Line(sign) => State::Slip([sign, 0.0]),
                Grasp::Free => slip(&self.flow.s[layout.of(c)]),
                Grasp::Plane => match (slip(&self.flow.s[layout.of(c)]), &self.decision) {
                    (State::Stick, Some(decision)) => {
                        let rates = &decision.rates[layout.of(c)];
                        let ahead = if norm(rates) > 0.0 { rates } else { &decision.curvatures[layout.of(c)] };
                        slip(ahead)
                    }
                    (state, _) => state,
                },
            };
        }
    }

    /// Rates and forces now. A slip in the plane that is about to leave zero has its direction already.
    fn look_at_forces(&mut self) -> Result<(), RunError<O::Error>> {
        let mut y = self.y();
        if let Some(decision) = &self.decision {
            let first = self.evaluator.layout.positions + self.evaluator.layout.velocities;
            for (c, grasp) in decision.grasps.iter().enumerate() {
                let own = self.evaluator.layout.of(c);
                if *grasp == Grasp::Plane && self.flow.s[own.clone()].iter().all(|s| *s == 0.0) {
                    let rates = norm(&decision.rates[own.clone()]) > 0.0;
                    let ahead = if rates { &decision.rates } else { &decision.curvatures };
                    let size = norm(&ahead[own.clone()]);
                    own.for_each(|k| y[first + k] = f64::MIN_POSITIVE.sqrt() * ahead[k] / size);
                }
            }
        }
        self.evaluator.evaluate(self.flow.t, &y, &mut self.now).map_err(RunError::System)?;
        self.flow.forces.copy_from_slice(&self.now.forces);
        Ok(())
    }

    /// One step. True if modes were decided at its end.
    fn advance(&mut self) -> Result<bool, RunError<O::Error>> {
        let stop = self.piece.min(self.end);
        let mut stops = self.attempt(stop)?;
        let found =
            self.lookout.first(&self.rule, &mut self.evaluator, &self.step, &self.now).map_err(RunError::System)?;
        if let Some(found) = found {
            stops = false;
            self.shorten(&found)?;
        }
        let (t, h) = (self.step.t, self.step.h);
        let to = if stops { stop } else { t + h };
        self.samples(to)?;
        self.accept(to)?;
        if self.flow.t >= self.end {
            return Ok(false);
        }
        let arrived = self.arrivals();
        if found.is_none() && !stops && !arrived {
            return Ok(false);
        }
        self.mark(found.map(|f| f.watch));
        if stops && self.flow.t >= self.piece {
            self.system.check(self.flow.t).map_err(RunError::System)?;
            self.piece = self.system.next_break(self.flow.t);
        }
        self.decide()?;
        Ok(true)
    }

    /// Scales of the components: their greatest values so far.
    fn scales(&self) -> Vec<f64> {
        let largest = self.greatest.iter().fold(0.0_f64, |m, x| m.max(*x));
        self.greatest.iter().map(|x| x.max(1e-9 * largest)).collect()
    }

    /// Makes a step from now that converges and is accurate, cut at `stop`. True if it reaches `stop`.
    fn attempt(&mut self, stop: f64) -> Result<bool, RunError<O::Error>> {
        let t = self.flow.t;
        let left = stop - t;
        let arriving = self.arriving();
        for _ in 0..200 {
            let h = self.h.min(arriving);
            let stops = h >= left * (1.0 - 1e-9);
            // The last two steps before a stop are equal: no sliver is left.
            let h = if stops {
                left
            } else if h > 0.5 * left {
                0.5 * left
            } else {
                h
            };
            if h <= 4.0 * f64::EPSILON * t.abs() && !stops {
                return Err(RunError::System(crate::mechanics::SystemError::StepTooSmall { t, h }));
            }
            self.guess(h);
            let scales = self.scales();
            let solved = self.step.solve(&self.rule, &mut self.evaluator, &scales).map_err(RunError::System)?;
            let error =
                if solved { self.step.error(&self.rule, &self.evaluator.layout, &scales) } else { f64::INFINITY };
            if error <= TOLERANCE && self.keeps_direction() {
                let growth = (0.5 * TOLERANCE / error.max(1e-30)).powf(1.0 / STAGES as f64).clamp(0.2, 3.0);
                self.last = h;
                self.h = if stops { self.h.max(h * growth) } else { h * growth };
                return Ok(stops);
            }
            let shrink = if error.is_finite() && error > TOLERANCE {
                (0.3 * TOLERANCE / error).powf(1.0 / STAGES as f64).clamp(0.1, 0.7)
            } else {
                0.3
            };
            self.h = h * shrink;
        }
        Err(RunError::System(crate::mechanics::SystemError::StepTooSmall { t, h: self.h }))
    }

    /// Whether slips in the plane turn by less than a right angle from point to point.
    fn keeps_direction(&self) -> bool {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        (0..layout.contacts()).filter(|&c| self.evaluator.grasps[c] == Grasp::Plane).all(|c| {
            let own = || layout.of(c).map(|k| first + k);
            let dot = |a: &[f64], b: &[f64]| own().map(|k| a[k] * b[k]).sum::<f64>();
            let stages = &self.step.stages;
            let begins = own().all(|k| self.step.start[k] == 0.0) || dot(&self.step.start, &stages[0]) > 0.0;
            begins && stages.windows(2).all(|pair| dot(&pair[0], &pair[1]) > 0.0)
        })
    }

    /// The longest step towards the zero of a slip in the plane.
    fn arriving(&self) -> f64 {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let mut least = f64::INFINITY;
        for c in (0..layout.contacts()).filter(|&c| self.evaluator.grasps[c] == Grasp::Plane) {
            let slip = &self.flow.s[layout.of(c)];
            let size = norm(slip);
            let rate: f64 = layout.of(c).zip(slip).map(|(k, s)| self.now.rate[first + k] * s / size).sum();
            if size > 0.0 && rate < 0.0 {
                least = least.min(0.8 * size / -rate);
            }
        }
        least
    }

    /// Prepares a step of size h: the polynomial of the last one goes on, or the motion as decided.
    fn guess(&mut self, h: f64) {
        let first = self.evaluator.layout.positions + self.evaluator.layout.velocities;
        let y = self.y();
        let step = &mut self.step;
        for (j, c) in self.rule.nodes.iter().enumerate() {
            let dt = c * h;
            for (k, y) in y.iter().enumerate() {
                step.stages[j][k] = y + dt * self.now.rate[k];
            }
            if let Some(decision) = &self.decision {
                for (k, curvature) in decision.curvatures.iter().enumerate() {
                    if self.flow.s[k] == 0.0 {
                        step.stages[j][first + k] = dt * decision.rates[k] + 0.5 * dt * dt * curvature;
                    }
                }
            }
        }
        step.start = y;
        (step.t, step.h) = (self.flow.t, h);
    }

    /// Makes the step again up to the event found, and moves its end onto the event.
    fn shorten(&mut self, found: &Found) -> Result<(), RunError<O::Error>> {
        let full = self.step.h;
        let mut h = found.theta * full;
        let scales = self.scales();
        for _ in 0..4 {
            let stages: Vec<Vec<f64>> = self
                .rule
                .nodes
                .iter()
                .map(|c| {
                    let mut y = vec![0.0; self.step.start.len()];
                    self.step.at(&self.rule, c * h / self.step.h, &mut y);
                    y
                })
                .collect();
            self.step.stages = stages;
            self.step.h = h;
            if !self.step.solve(&self.rule, &mut self.evaluator, &scales).map_err(RunError::System)? {
                let t = self.step.t;
                return Err(RunError::System(crate::mechanics::SystemError::StepTooSmall { t, h }));
            }
            let last = STAGES - 1;
            let end = self.step.t + h;
            let (y, point) = (&self.step.stages[last], &self.step.points[last]);
            let value = self.lookout.value(&self.evaluator, found.watch, end, y, point);
            let (y, point) = (&self.step.stages[last - 1], &self.step.points[last - 1]);
            let gap = (1.0 - self.rule.nodes[last - 1]) * h;
            let before = self.lookout.value(&self.evaluator, found.watch, end - gap, y, point);
            let correction = value * gap / (before - value);
            if !correction.is_finite() || correction.abs() <= 1e-15 * end.abs().max(h) || h + correction <= 0.0 {
                break;
            }
            if correction.abs() > 1e-6 * full {
                break;
            }
            h += correction;
        }
        Ok(())
    }

    /// The motion at a share of the step, with its tallies.
    fn flow_at(&mut self, theta: f64, t: f64) -> Result<Flow, RunError<O::Error>> {
        let layout = self.evaluator.layout.clone();
        let first = layout.positions + layout.velocities;
        let mut y = vec![0.0; layout.size()];
        self.step.at(&self.rule, theta, &mut y);
        let mut flow = self.flow.clone();
        let (q, v, s) = layout.split(&y);
        flow.q.copy_from_slice(q);
        flow.v.copy_from_slice(v);
        flow.s.copy_from_slice(s);
        flow.t = t;
        let weights = self.rule.integral(theta);
        let mut powers = vec![0.0; flow.work.len()];
        for (j, weight) in weights.iter().enumerate() {
            let (q, v, s) = layout.split(&self.step.stages[j]);
            let time = (self.step.t + self.rule.nodes[j] * self.step.h).min(self.evaluator.limit);
            self.system.powers(At { t: time, q, v, sides: &self.evaluator.sides }, &mut powers);
            let dt = weight * self.step.h;
            flow.work.iter_mut().zip(&powers).for_each(|(w, p)| *w += dt * p);
            for c in 0..layout.contacts() {
                for k in layout.of(c) {
                    flow.slid[k] += dt * s[k];
                    flow.dissipated[c] -= dt * self.step.points[j].forces[k] * s[k];
                }
            }
        }
        let left = self.evaluator.settle(t, &flow.q, &mut flow.v);
        flow.residual = flow.residual.max(left);
        flow.speed = flow.v.iter().fold(flow.speed, |m, v| m.max(v.abs()));
        // Slips that the velocities resolve are taken from them; small ones are known better as they are.
        let mut slips = vec![0.0; layout.slips()];
        self.system.slips(At { t: t.min(self.evaluator.limit), ..flow.at() }, &mut slips);
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            if self.evaluator.grasps[c] == Grasp::Stick {
                flow.s[own].fill(0.0);
            } else if norm(&slips[own.clone()]) > RESOLVED * flow.speed {
                flow.s[own.clone()].copy_from_slice(&slips[own]);
            }
        }
        y[first..].copy_from_slice(&flow.s);
        y[layout.positions..first].copy_from_slice(&flow.v);
        self.evaluator.evaluate(t, &y, &mut self.now).map_err(RunError::System)?;
        flow.forces.copy_from_slice(&self.now.forces);
        Ok(flow)
    }

    /// Samples before the instant `to`.
    fn samples(&mut self, to: f64) -> Result<(), RunError<O::Error>> {
        while self.next_sample < self.grid.steps && self.grid.time(self.next_sample) < to {
            let time = self.grid.time(self.next_sample);
            if time < self.step.t {
                return Ok(());
            }
            let mut flow = self.flow_at((time - self.step.t) / self.step.h, time)?;
            std::mem::swap(&mut flow, &mut self.flow);
            self.look();
            std::mem::swap(&mut flow, &mut self.flow);
            let state = self.system.state(&flow);
            self.observer.sample(self.next_sample, time, &state).map_err(RunError::Observer)?;
            self.next_sample = self.next_sample.saturating_add(self.observer.every().max(1)).min(self.grid.steps);
        }
        Ok(())
    }

    /// Goes to the end of the step.
    fn accept(&mut self, to: f64) -> Result<(), RunError<O::Error>> {
        let begun_free: Vec<bool> = self.flow.states.iter().map(|s| *s == State::Stick).collect();
        let from = self.flow.t;
        self.flow = self.flow_at(1.0, to)?;
        self.decision = None;
        self.spans += 1;
        for c in 0..self.stuck.len() {
            if self.evaluator.grasps[c] == Grasp::Stick {
                self.stuck[c] += to - from;
            }
        }
        for (greatest, y) in self.greatest.iter_mut().zip([&self.flow.q[..], &self.flow.v, &self.flow.s].concat()) {
            *greatest = greatest.max(y.abs());
        }
        for (c, was) in begun_free.into_iter().enumerate() {
            // A contact that transmits nothing has left its rest in this step: it did so at its beginning.
            if self.evaluator.grasps[c] == Grasp::Free && was && norm(&self.flow.s[self.evaluator.layout.of(c)]) > 0.0 {
                self.look();
                let to = self.flow.states[c];
                self.tell(from, c, State::Stick, to)?;
            }
        }
        self.look();
        let fresh = |_: usize| false;
        self.lookout.set(&self.evaluator, fresh, None);
        if self.flow.is_finite() { Ok(()) } else { Err(RunError::Overflow { t: to }) }
    }

    /// Sets slips in the plane to zero that have arrived there. True if there was one.
    fn arrivals(&mut self) -> bool {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let mut any = false;
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            let scale = own.clone().fold(0.0_f64, |m, k| m.max(self.greatest[first + k]));
            let slip = &self.flow.s[own.clone()];
            let size = norm(slip);
            let rate: f64 = own.clone().zip(slip).map(|(k, s)| self.now.rate[first + k] * s).sum::<f64>() / size;
            let soon = rate < 0.0 && size <= -rate * 0.1 * TOGETHER.max(f64::EPSILON * 1e3 * self.flow.t);
            if self.evaluator.grasps[c] == Grasp::Plane && (soon || size <= ARRIVED * scale) {
                self.crossed[c] = (size > 0.0).then(|| [slip[0] / size, slip[1] / size]);
                self.flow.s[own].fill(0.0);
                any = true;
            }
        }
        any
    }

    /// Selects what has become zero and what has come to its bound now.
    fn mark(&mut self, watch: Option<Watch>) {
        let layout = self.evaluator.layout.clone();
        let first = layout.positions + layout.velocities;
        if let Some(Watch::Guard(k)) = watch {
            self.flow.sides[k] = !self.flow.sides[k];
            self.guard = Some(k);
        }
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            match self.evaluator.grasps[c] {
                Grasp::Line(_) => {
                    let k = own.start;
                    let near = TOGETHER * self.now.rate[first + k].abs() + 1e-15 * self.flow.speed;
                    if watch == Some(Watch::Slip(c)) || self.flow.s[k].abs() <= near {
                        self.flow.s[k] = 0.0;
                    }
                }
                Grasp::Stick => {
                    let force = &self.now.forces[own];
                    let gap = self.now.bounds[c] - norm(force);
                    if watch == Some(Watch::Bound(c)) || gap <= 1e-12 * self.now.bounds[c] {
                        self.at_bound[c] = (norm(force) > 0.0).then(|| opposite(force));
                    }
                }
                Grasp::Plane | Grasp::Free => {}
            }
        }
        // Velocities follow: contacts at rest have none.
        let grasps: Vec<Grasp> = (0..layout.contacts())
            .map(|c| match self.evaluator.grasps[c] {
                Grasp::Free => Grasp::Free,
                _ if self.flow.s[layout.of(c)].iter().all(|s| *s == 0.0) => Grasp::Stick,
                other => other,
            })
            .collect();
        if self.evaluator.set(&grasps, self.flow.t, &self.flow.q, &self.flow.v).is_ok() {
            let mut v = std::mem::take(&mut self.flow.v);
            let left = self.evaluator.settle(self.flow.t, &self.flow.q, &mut v);
            self.flow.v = v;
            self.flow.residual = self.flow.residual.max(left);
        }
        // Forces that jump (a guard, a slip that has come to rest) are not at their bounds any more.
        let jumps = !matches!(watch, Some(Watch::Bound(_)));
        if jumps {
            self.at_bound.fill(None);
        }
    }

    /// Tells the observer which contacts have changed.
    fn announce(&mut self) -> Result<(), RunError<O::Error>> {
        let states = self.flow.states.clone();
        if let Some(known) = self.known.take() {
            for (contact, (from, to)) in known.into_iter().zip(&states).enumerate() {
                let line = self.evaluator.layout.of(contact).len() == 1;
                let changed = match (from, *to, self.crossed[contact]) {
                    (State::Slip(_), State::Slip(_), crossed) if !line => crossed.is_some(),
                    _ => from != *to,
                };
                if changed {
                    let from = match self.crossed[contact] {
                        Some(direction) => State::Slip(direction),
                        None => from,
                    };
                    self.tell(self.flow.t, contact, from, *to)?;
                }
            }
        }
        self.crossed.fill(None);
        self.known = Some(states);
        Ok(())
    }

    fn tell(&mut self, t: f64, contact: usize, from: State, to: State) -> Result<(), RunError<O::Error>> {
        self.events += 1;
        if let Some(known) = &mut self.known {
            known[contact] = to;
        }
        self.observer.event(&Event { t, contact, from, to }).map_err(RunError::Observer)
    }

    fn finish(self) -> Result<Passage<S::State>, RunError<O::Error>> {
        let state = self.system.state(&self.flow);
        self.observer.sample(self.grid.steps, self.end, &state).map_err(RunError::Observer)?;
        Ok(Passage { state, stuck: self.stuck, events: self.events, spans: self.spans, handovers: self.handovers })
    }
}
