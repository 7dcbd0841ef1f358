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

mod collocation;
mod coupling;
mod evaluate;
mod frame;
mod handover;
mod locate;
mod mode;
mod selection;
mod step;
mod stepping;
mod telling;

use self::collocation::{Rule, STAGES};
use self::evaluate::{Evaluator, Grasp, Layout, Point, norm};
use self::locate::{Lookout, Watch};
use self::mode::{Decision, Direction, Instant, opposite};
use self::step::Step;
use super::events::{Passage, Settings};
use super::{Grid, Observer, RunError};
use crate::law::State;
use crate::mechanics::{At, Flow, Smooth, SystemError};

/// Events closer than this, or than the rounding of the time, are one event \[s\].
const TOGETHER: f64 = 1e-12;

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

/// Differences over so many times the rounding of the time tell a slope.
const RESOLVED_TIME: f64 = 1e6;

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
    let state = run.system.state(&run.flow);
    run.observer.start(&state).map_err(RunError::Observer)?;
    let mut crowd = 0;
    let mut stage = (run.flow.t, run.spans, run.events);
    while run.flow.t < run.end {
        let before = run.flow.t;
        if run.spans - stage.1 >= CREEPING || run.events - stage.2 >= u64::from(settings.cluster) {
            if run.flow.t - stage.0 < settings.step * f64::from(settings.steps) {
                handover::stretch(&mut run, settings)?;
            }
            stage = (run.flow.t, run.spans, run.events);
            continue;
        }
        match run.advance() {
            // Contacts on the edge of their sets that share a load, or a force that is not smooth.
            Err(RunError::System(SystemError::StepTooSmall { .. })) => handover::stretch(&mut run, settings)?,
            other => other?,
        }
        if run.flow.t >= run.end {
            break;
        }
        crowd = if run.flow.t - before > run.together() { 0 } else { crowd + 1 };
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
    handed_over: HandedOver,
    tallied: Tallied,
}

/// Powers and heats at the points of a step.
struct Tallied {
    /// Time and size of the step.
    of: (f64, f64),
    rates: [Vec<f64>; STAGES],
}

/// The last handovers, one soon after the other.
struct HandedOver {
    /// When the first of them began, and the last ended.
    since: f64,
    until: f64,
    /// How many there were after the first.
    times: u32,
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
        // A start at rest whose slips are differences of velocities: what rounding leaves of them is no slip.
        let rounding = 8.0 * f64::EPSILON * norm(&v);
        for c in 0..layout.contacts() {
            if norm(&s[layout.of(c)]) <= rounding {
                s[layout.of(c)].fill(0.0);
            }
        }
        let evaluator = Evaluator::new(system, layout.clone(), sides.clone());
        let end = grid.time(grid.steps);
        let contacts = layout.contacts();
        Ok(Run {
            lookout: Lookout::new(&evaluator),
            step: Step::new(&layout),
            now: Point::new(&layout),
            greatest: [&q[..], &v, &s].concat().iter().map(|y| y.abs()).collect(),
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
            h: FIRST,
            last: FIRST,
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
            tallied: Tallied { of: (f64::NAN, f64::NAN), rates: Default::default() },
            handed_over: HandedOver { since: 0.0, until: f64::NEG_INFINITY, times: 0 },
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
            short: self.short(),
            limit: self.evaluator.limit,
        };
        let decision = instant.decide().map_err(RunError::System)?;
        let flow = &self.flow;
        self.evaluator.set(&decision.grasps, flow.t, &flow.q, &flow.v).map_err(RunError::System)?;
        self.evaluator.open.iter_mut().zip(&decision.open).for_each(|(open, decided)| *open |= decided);
        let fresh = |c: usize| {
            let own = self.evaluator.layout.of(c);
            decision.on_edge[c] || (!decision.grasps[c].sticks() && flow.s[own].iter().all(|s| *s == 0.0))
        };
        self.lookout.set(&self.evaluator, fresh, self.guard);
        self.lookout.wakes.clone_from(&decision.wakes);
        let sizes = decision.sizes.iter().zip(&mut self.lookout.edges);
        sizes.for_each(|(size, edge)| *edge = EDGE * size);
        self.at_bound.fill(None);
        self.guard = None;
        self.decision = Some(decision);
        self.look();
        self.look_at_forces()?;
        self.announce()
    }

    /// A time short against that in which anything changes, but far longer than rounding of the time: where events crowd
    /// the last step says nothing of the motion.
    fn short(&self) -> f64 {
        let known = RESOLVED_TIME * f64::EPSILON * self.flow.t;
        (1e-4 * self.last).max(known).min(1e-5 * (self.piece - self.flow.t))
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

    /// Events closer than this are one event \[s\].
    fn together(&self) -> f64 {
        TOGETHER.max(8.0 * f64::EPSILON * self.flow.t)
    }

    /// One step, with a decision at its end where it ends with an event. A step is not cut at the end of the run: the
    /// motion there is read off its polynomial.
    fn advance(&mut self) -> Result<(), RunError<O::Error>> {
        let mut stop = self.attempt_to_break()?;
        let mut found =
            self.lookout.first(&self.rule, &mut self.evaluator, &self.step, &self.now).map_err(RunError::System)?;
        if let Some(event) = found {
            stop = None;
            if !self.shorten(&event)? {
                found = None;
            }
        }
        let (t, h) = (self.step.t, self.step.h);
        // An event that cannot be told from the break after it happens there: between the two there is no time in which a
        // slope could be seen.
        if t + h >= self.piece - self.together() {
            stop = Some(self.piece);
        }
        let to = stop.unwrap_or(t + h);
        if to > self.end {
            self.samples(self.end)?;
            return self.accept((self.end - t) / h, self.end);
        }
        self.samples(to)?;
        self.accept(1.0, to)?;
        let arrived = self.arrivals();
        let breaks = stop.is_some() && self.flow.t >= self.piece;
        if found.is_none() && !breaks && !arrived {
            return Ok(());
        }
        self.mark(found.map(|f| f.watch));
        if breaks {
            self.pass_break()?;
        }
        self.decide()
    }

    /// A step up to the next break at most; where it stops, if it does. Signals may have no value after the end of the
    /// run: then it stops there.
    fn attempt_to_break(&mut self) -> Result<Option<f64>, RunError<O::Error>> {
        let h = self.h;
        let stop = |stop: f64| move |stops: bool| stops.then_some(stop);
        match self.attempt(self.piece).map(stop(self.piece)) {
            Err(RunError::System(SystemError::NotFinite { .. } | SystemError::Negative { .. }))
                if self.flow.t + self.h > self.end && self.piece > self.end =>
            {
                self.h = h;
                self.attempt(self.end).map(stop(self.end))
            }
            other => other,
        }
    }

    /// Goes from one piece of the signals to the next: positions that are led may jump, and with the speeds of supports
    /// the slips on them. Contact forces are bounded, so that velocities do not jump.
    fn pass_break(&mut self) -> Result<(), RunError<O::Error>> {
        let t = self.flow.t;
        let slips = self.evaluator.layout.slips();
        let (mut before, mut after) = (vec![0.0; slips], vec![0.0; slips]);
        let earlier = At { t: t.min(self.evaluator.limit), ..self.flow.at() };
        self.system.slips(earlier, &mut before);
        let mut q = self.flow.q.clone();
        self.system.place(earlier.t, &mut q);
        let mut to = q.clone();
        self.system.place(t, &mut to);
        self.system.check(t).map_err(RunError::System)?;
        self.piece = self.system.next_break(t);
        if q != to {
            self.system.jump_work(&q, &to, &mut self.flow.work);
            self.flow.q = to;
            let mut guards = vec![0.0; self.flow.sides.len()];
            self.system.guards(self.flow.at(), &mut guards);
            self.flow.sides.iter_mut().zip(&guards).for_each(|(side, value)| *side = *value >= 0.0);
        }
        self.system.slips(self.flow.at(), &mut after);
        let speed = norm(&self.flow.v);
        for c in 0..self.evaluator.layout.contacts() {
            let own = self.evaluator.layout.of(c);
            let change: Vec<f64> = own.clone().map(|k| after[k] - before[k]).collect();
            // What is not more than rounding of the speeds is no jump, and no slip after one.
            let rounding = 8.0 * f64::EPSILON * (speed + norm(&before[own.clone()]) + norm(&after[own.clone()]));
            if norm(&change) <= rounding {
                continue;
            }
            let slip = &mut self.flow.s[own];
            slip.iter_mut().zip(change).for_each(|(s, change)| *s += change);
            if norm(slip) <= rounding {
                slip.fill(0.0);
            }
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
        self.system.place(t.min(self.evaluator.limit), &mut flow.q);
        let weights = self.rule.integral(theta);
        self.tally();
        for (weight, rates) in weights.iter().zip(&self.tallied.rates) {
            let dt = weight * self.step.h;
            let (powers, heats) = rates.split_at(flow.work.len());
            flow.work.iter_mut().zip(powers).for_each(|(work, power)| *work += dt * power);
            flow.dissipated.iter_mut().zip(heats).for_each(|(heat, power)| *heat += dt * power);
        }
        for (j, weight) in weights.iter().enumerate() {
            let (_, _, s) = layout.split(&self.step.stages[j]);
            let dt = weight * self.step.h;
            flow.slid.iter_mut().zip(s).for_each(|(slid, s)| *slid += dt * s);
        }
        let left = self.evaluator.settle(t, &flow.q, &mut flow.v, &flow.s);
        flow.residual = flow.residual.max(left - self.step.rounding());
        flow.speed = flow.v.iter().fold(flow.speed, |m, v| m.max(v.abs()));
        // Slips that the velocities resolve are taken from them; small ones are known better as they are.
        let mut slips = vec![0.0; layout.slips()];
        self.system.slips(At { t: t.min(self.evaluator.limit), ..flow.at() }, &mut slips);
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            if self.evaluator.grasps[c].sticks() {
                flow.s[own].fill(0.0);
            } else if norm(&slips[own.clone()]) > RESOLVED * flow.speed {
                flow.s[own.clone()].copy_from_slice(&slips[own]);
            }
        }
        y[first..].copy_from_slice(&flow.s);
        y[layout.positions..first].copy_from_slice(&flow.v);
        self.evaluator.carry(t, &y, &mut self.now).map_err(RunError::System)?;
        flow.forces.copy_from_slice(&self.now.forces);
        Ok(flow)
    }

    /// Powers, and heat of the contacts, at the points of the step: once for all samples in it.
    fn tally(&mut self) {
        let of = (self.step.t, self.step.h);
        if self.tallied.of == of {
            return;
        }
        self.tallied.of = of;
        let layout = &self.evaluator.layout;
        let powers = self.flow.work.len();
        for (j, rates) in self.tallied.rates.iter_mut().enumerate() {
            rates.resize(powers + layout.contacts(), 0.0);
            let (q, v, s) = layout.split(&self.step.stages[j]);
            let time = (self.step.t + self.rule.nodes[j] * self.step.h).min(self.evaluator.limit);
            let at = At { t: time, q, v, sides: &self.evaluator.sides };
            let forces = &self.step.points[j].forces;
            self.system.powers(at, forces, &mut rates[..powers]);
            for (c, heat) in rates[powers..].iter_mut().enumerate() {
                *heat = -layout.of(c).map(|k| forces[k] * s[k]).sum::<f64>();
            }
        }
    }

    /// Goes to a share of the step, at the instant `to`.
    fn accept(&mut self, theta: f64, to: f64) -> Result<(), RunError<O::Error>> {
        let begun_free: Vec<bool> = self.flow.states.iter().map(|s| *s == State::Stick).collect();
        let from = self.flow.t;
        self.flow = self.flow_at(theta, to)?;
        self.decision = None;
        self.spans += 1;
        for c in 0..self.stuck.len() {
            if self.evaluator.grasps[c].sticks() {
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
        if !(0..self.crossed.len()).any(|c| self.arrives(c, 1.0)) {
            return false;
        }
        // Others that are nearly there arrive with it: bodies may tie their slips to each other.
        for c in 0..self.crossed.len() {
            if self.arrives(c, 1e3) {
                let slip = &mut self.flow.s[self.evaluator.layout.of(c)];
                let size = norm(slip);
                self.crossed[c] = (size > 0.0).then(|| [slip[0] / size, slip[1] / size]);
                slip.fill(0.0);
            }
        }
        true
    }

    /// Whether a slip in the plane is zero to rounding, or will be in less than a tenth of what counts as one instant;
    /// with `wide` times those limits.
    fn arrives(&self, contact: usize, wide: f64) -> bool {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let own = layout.of(contact);
        if self.evaluator.grasps[contact] != Grasp::Plane {
            return false;
        }
        let slip = &self.flow.s[own.clone()];
        let size = norm(slip);
        let scale = own.clone().fold(0.0_f64, |m, k| m.max(self.greatest[first + k]));
        let closing: f64 = -own.clone().zip(slip).map(|(k, s)| self.now.rate[first + k] * s).sum::<f64>() / size;
        let instant = 0.1 * TOGETHER.max(1e3 * f64::EPSILON * self.flow.t);
        // One that has just left its rest is as small, but grows.
        let shrinks = size <= norm(&self.step.start[first + own.start..first + own.end]);
        (shrinks && size <= wide * ARRIVED * scale) || (closing > 0.0 && size <= wide * instant * closing)
    }

    /// Changes the sides of guards that reach zero at the same instant as another one.
    fn flip_guards(&mut self) {
        let Some(found) = self.guard else { return };
        let (mut before, mut now) = (vec![0.0; self.flow.sides.len()], vec![0.0; self.flow.sides.len()]);
        let (q, v, _) = self.evaluator.layout.split(&self.step.stages[STAGES - 2]);
        let since = (1.0 - self.rule.nodes[STAGES - 2]) * self.step.h;
        let earlier = At { t: self.flow.t - since, q, v, sides: &self.evaluator.sides };
        self.system.guards(earlier, &mut before);
        self.system.guards(self.flow.at(), &mut now);
        for k in (0..now.len()).filter(|&k| k != found) {
            let sign = if self.flow.sides[k] { 1.0 } else { -1.0 };
            let closing = sign * (before[k] - now[k]) / since;
            if closing > 0.0 && sign * now[k] <= self.together() * closing {
                self.flow.sides[k] = !self.flow.sides[k];
            }
        }
    }

    /// Selects what has become zero and what has come to its bound now.
    fn mark(&mut self, watch: Option<Watch>) {
        let layout = self.evaluator.layout.clone();
        let first = layout.positions + layout.velocities;
        if let Some(Watch::Guard(k)) = watch {
            self.flow.sides[k] = !self.flow.sides[k];
            self.guard = Some(k);
        }
        self.flip_guards();
        let together = self.together();
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            match self.evaluator.grasps[c] {
                Grasp::Line(_) => {
                    let k = own.start;
                    let near = together * self.now.rate[first + k].abs() + 1e-15 * self.flow.speed;
                    if watch == Some(Watch::Slip(c)) || self.flow.s[k].abs() <= near {
                        self.flow.s[k] = 0.0;
                    }
                }
                // Where forces are not unique none of them is at its bound by itself.
                Grasp::Stick if self.evaluator.open[c] => {}
                Grasp::Stick => {
                    let force = &self.now.forces[own.clone()];
                    let gap = self.now.bounds[c] - norm(force);
                    // How fast it closes, from the point before the end of the step.
                    let before = &self.step.points[STAGES - 2];
                    let since = (1.0 - self.rule.nodes[STAGES - 2]) * self.step.h;
                    let closing = (before.bounds[c] - norm(&before.forces[own]) - gap) / since;
                    let soon = closing > 0.0 && gap <= together * closing;
                    if watch == Some(Watch::Bound(c)) || soon || gap <= 1e-12 * self.now.bounds[c] {
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
            let left = self.evaluator.settle(self.flow.t, &self.flow.q, &mut v, &self.flow.s);
            self.flow.v = v;
            self.flow.residual = self.flow.residual.max(left);
        }
        // What has come to rest may take others along (a wheel that rolls when the vehicle stops): their slips are zero
        // exactly, and what is carried of them is rounding.
        let mut slips = vec![0.0; layout.slips()];
        self.system.slips(self.flow.at(), &mut slips);
        for c in 0..layout.contacts() {
            let k = layout.of(c).start;
            let rounding = 1e-12 * self.flow.speed;
            if layout.of(c).len() == 1 && slips[k] == 0.0 && self.flow.s[k].abs() <= rounding {
                self.flow.s[k] = 0.0;
            }
        }
        // Forces that jump (a guard, a slip that has come to rest) are not at their bounds any more.
        let jumps = !matches!(watch, Some(Watch::Bound(_)));
        if jumps {
            self.at_bound.fill(None);
        }
    }
}
