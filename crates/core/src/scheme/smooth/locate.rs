//! The first event within a step.

mod group;

use super::collocation::{FINE, Rule, STAGES};
use super::evaluate::Evaluator;
use super::layout::{ContactMode, Point, norm};
use super::step::Step;
use crate::mechanics::{At, Smooth, SystemError};

/// What is watched: a function that is positive until its event.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) enum Watch {
    /// The slip of a contact on a line, times its sign.
    Slip(usize),
    /// What is left of the bound of a contact that sticks.
    Bound(usize),
    /// Whether contacts that stick with forces that are not unique can hold together.
    Group,
    /// A contact that transmits nothing begins to.
    Wakes(usize),
    /// A guard, on its side.
    Guard(usize),
}

/// An event: which watch, and at which share of the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub watch: Watch,
    pub theta: f64,
}

/// Looks for events in steps.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct EventSearch {
    pub watches: Vec<Watch>,
    /// Watches whose function is zero at the start of the step: it has only just left zero.
    pub fresh: Vec<bool>,
    /// Bound from which on a contact transmits something.
    pub wakes: Vec<f64>,
    /// How far beyond its bound rounding may carry the force of a contact that sticks on the edge of its set.
    pub edges: Vec<f64>,
    y: Vec<f64>,
    point: Point,
    guards: Vec<f64>,
}

/// A watch whose polynomial does not come closer to zero than this share of its greatest value is not looked at between
/// the points of a step.
const NEAR: f64 = 0.1;

/// Share of the way to the first instant between two points at which it shows whether a watch begins towards zero: it may come to zero
/// and back before that instant, where a step is long beside what happens at its beginning.
const EARLY: f64 = 1e-6;

/// Rounds in which an instant is located at the most; halving alone needs some fifty, and every third round halves.
pub(super) const BISECTIONS: usize = 200;

/// Golden section: rounds in which the least value between two instants is sought. The interval shrinks to 1e-8 of
/// itself, where a smooth function is flat to rounding.
const ROUNDS: usize = 40;

impl EventSearch {
    pub fn new(evaluator: &Evaluator) -> EventSearch {
        let layout = &evaluator.layout;
        EventSearch {
            watches: Vec::new(),
            fresh: Vec::new(),
            wakes: vec![0.0; layout.contacts()],
            edges: vec![0.0; layout.contacts()],
            y: vec![0.0; layout.size()],
            point: Point::new(layout),
            guards: vec![0.0; evaluator.sides.len()],
        }
    }

    /// Watches for contacts in the evaluator's modes. `fresh` tells for each contact whether it has just begun.
    pub fn set(&mut self, evaluator: &Evaluator, fresh: impl Fn(usize) -> bool, guard: Option<usize>) {
        self.watches.clear();
        self.fresh.clear();
        for (contact, mode) in evaluator.modes.iter().enumerate() {
            let watch = match mode {
                ContactMode::Stick if evaluator.open[contact] => continue,
                ContactMode::Stick => Watch::Bound(contact),
                ContactMode::Line(_) => Watch::Slip(contact),
                ContactMode::Free => Watch::Wakes(contact),
                ContactMode::Plane => continue,
            };
            self.watches.push(watch);
            self.fresh.push(fresh(contact));
        }
        if evaluator.open.contains(&true) {
            self.watches.push(Watch::Group);
            self.fresh.push(false);
        }
        for k in 0..evaluator.sides.len() {
            self.watches.push(Watch::Guard(k));
            self.fresh.push(guard == Some(k));
        }
    }

    /// Value of a watch where rates and forces are known.
    pub fn value(
        &mut self,
        system: &dyn Smooth,
        evaluator: &Evaluator,
        watch: Watch,
        t: f64,
        y: &[f64],
        point: &Point,
    ) -> f64 {
        let layout = &evaluator.layout;
        match watch {
            Watch::Slip(c) => {
                let ContactMode::Line(sign) = evaluator.modes[c] else { return 1.0 };
                sign * y[layout.positions + layout.velocities + layout.offsets[c]]
            }
            Watch::Bound(c) => point.bounds[c] - norm(&point.forces[layout.of(c)]),
            Watch::Wakes(c) => self.wakes[c] - point.bounds[c],
            Watch::Group => 1.0,
            Watch::Guard(k) => {
                let (q, v, _) = layout.split(y);
                system.guards(At { t, q, v, sides: &evaluator.sides, transfer: evaluator.transfer }, &mut self.guards);
                towards(evaluator.sides[k], self.guards[k])
            }
        }
    }

    /// Value of a watch anywhere in the step.
    fn within(
        &mut self,
        system: &dyn Smooth,
        rule: &Rule,
        evaluator: &mut Evaluator,
        step: &Step,
        watch: Watch,
        theta: f64,
    ) -> Result<f64, SystemError> {
        if let Watch::Slip(c) = watch {
            let ContactMode::Line(sign) = evaluator.modes[c] else { return Ok(1.0) };
            let layout = &evaluator.layout;
            return Ok(sign * step.component_at(rule, theta, layout.positions + layout.velocities + layout.offsets[c]));
        }
        let (mut y, mut point) = (std::mem::take(&mut self.y), std::mem::take(&mut self.point));
        step.at(rule, theta, &mut y);
        let t = step.t + theta * step.h;
        if matches!(watch, Watch::Bound(_) | Watch::Wakes(_)) {
            let evaluated = evaluator.evaluate(system, t, &y, &mut point);
            if evaluated.is_err() {
                (self.y, self.point) = (y, point);
                return evaluated.map(|()| 0.0);
            }
        }
        let value = self.value(system, evaluator, watch, t, &y, &point);
        (self.y, self.point) = (y, point);
        Ok(value)
    }

    /// Slip rate that contacts which stick cannot hold back together with a share of their bounds, anywhere in the step.
    fn excess(
        &mut self,
        system: &dyn Smooth,
        (rule, step): (&Rule, &Step),
        evaluator: &mut Evaluator,
        share: f64,
        theta: f64,
    ) -> Result<f64, SystemError> {
        let (mut y, mut point) = (std::mem::take(&mut self.y), std::mem::take(&mut self.point));
        step.at(rule, theta, &mut y);
        let excess = evaluator.excess(system, step.t + theta * step.h, &y, &mut point, share);
        (self.y, self.point) = (y, point);
        excess
    }

    /// The first event of the step, if there is one.
    pub fn first(
        &mut self,
        system: &dyn Smooth,
        rule: &Rule,
        evaluator: &mut Evaluator,
        step: &Step,
        start: &Point,
    ) -> Result<Option<Found>, SystemError> {
        let mut found: Option<Found> = None;
        // All guards together, point after point: there may be many.
        let mut guards = vec![0.0; (STAGES + 1) * self.guards.len()];
        for (j, guards) in guards.chunks_exact_mut(self.guards.len().max(1)).enumerate() {
            let (t, y) = match j {
                0 => (step.t, &step.start),
                j => (step.t + rule.nodes[j - 1] * step.h, &step.stages[j - 1]),
            };
            let (q, v, _) = evaluator.layout.split(y);
            system.guards(At { t, q, v, sides: &evaluator.sides, transfer: evaluator.transfer }, guards);
        }
        let early = EARLY * rule.fine[0].theta;
        let mut soon = vec![0.0; self.guards.len()];
        if !soon.is_empty() {
            step.at(rule, early, &mut self.y);
            let (q, v, _) = evaluator.layout.split(&self.y);
            let t = step.t + early * step.h;
            system.guards(At { t, q, v, sides: &evaluator.sides, transfer: evaluator.transfer }, &mut soon);
        }
        for n in 0..self.watches.len() {
            let watch = self.watches[n];
            if watch == Watch::Group {
                if let Some(theta) = self.group(system, rule, evaluator, step)?
                    && found.is_none_or(|f| theta < f.theta)
                {
                    found = Some(Found { watch, theta });
                }
                continue;
            }
            let mut values = [0.0; STAGES + 1];
            if let Watch::Guard(k) = watch {
                let of = |j: usize| towards(evaluator.sides[k], guards[j * self.guards.len() + k]);
                values = std::array::from_fn(of);
            } else {
                values[0] = self.value(system, evaluator, watch, step.t, &step.start, start);
                for j in 0..STAGES {
                    let t = step.t + rule.nodes[j] * step.h;
                    values[j + 1] = self.value(system, evaluator, watch, t, &step.stages[j], &step.points[j]);
                }
            }
            let edge = match watch {
                Watch::Bound(c) => self.edges[c],
                _ => 0.0,
            };
            let gone = |value: f64| value < -edge;
            // What rests on its edge is watched at the points only: between them there is nothing but rounding.
            if values.iter().all(|value| value.abs() <= edge) {
                continue;
            }
            let approaches = match watch {
                Watch::Guard(k) => towards(evaluator.sides[k], soon[k]) < values[0],
                Watch::Slip(_) => self.within(system, rule, evaluator, step, watch, early)? < values[0],
                _ => false,
            };
            let bracket = self.bracket(system, (rule, step), evaluator, (n, approaches), &values, &gone)?;
            let Some((mut lo, mut hi)) = bracket else {
                continue;
            };
            if found.is_some_and(|f| f.theta <= lo) {
                continue;
            }
            // Bisection with secants in between, until the bracket is rounding: the zero, or where the watch begins on
            // the edge the end of what may be rounding.
            let (mut at_lo, mut at_hi) = (self.within(system, rule, evaluator, step, watch, lo)?, f64::NAN);
            // The polynomial may have missed the first of it: back to where the watch itself is not gone.
            for between in rule.fine.iter().rev() {
                if between.theta >= lo || !gone(at_lo) {
                    continue;
                }
                (hi, lo) = (lo, between.theta);
                at_lo = self.within(system, rule, evaluator, step, watch, lo)?;
            }
            if gone(at_lo) && lo > 0.0 {
                (hi, lo) = (lo, 0.0);
                at_lo = self.within(system, rule, evaluator, step, watch, lo)?;
            }
            let level = if at_lo > 0.0 { 0.0 } else { -edge };
            for round in 0..BISECTIONS {
                if hi - lo <= 4.0 * f64::EPSILON * (1.0 + step.t / step.h) {
                    break;
                }
                let secant = hi - (at_hi - level) * (hi - lo) / (at_hi - at_lo);
                let inside = secant > lo && secant < hi && round % 3 != 2;
                let middle = if inside { secant } else { 0.5 * (lo + hi) };
                let value = self.within(system, rule, evaluator, step, watch, middle)?;
                if value <= level {
                    (hi, at_hi) = (middle, value);
                } else {
                    (lo, at_lo) = (middle, value);
                }
            }
            if found.is_none_or(|f| hi < f.theta) {
                found = Some(Found { watch, theta: hi });
            }
        }
        Ok(found)
    }

    /// Where a watch first goes: before and after. It may begin towards zero.
    fn bracket(
        &mut self,
        system: &dyn Smooth,
        (rule, step): (&Rule, &Step),
        evaluator: &mut Evaluator,
        (watch, approaches): (usize, bool),
        values: &[f64; STAGES + 1],
        gone: &impl Fn(f64) -> bool,
    ) -> Result<Option<(f64, f64)>, SystemError> {
        let first = (1..=STAGES).find(|&j| gone(values[j]));
        let bracket = first.map(|j| (if j == 1 { 0.0 } else { rule.nodes[j - 2] }, rule.nodes[j - 1]));
        let until = bracket.map_or(1.0, |(_, hi)| hi);
        // A dip between points, where the polynomial through them comes near zero.
        let scale = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let fine: [f64; FINE] =
            std::array::from_fn(|n| rule.fine[n].values.iter().zip(&values[1..]).map(|(l, x)| l * x).sum());
        let begin = if self.fresh[watch] { rule.nodes[0] } else { 0.0 };
        for n in 0..FINE {
            let before = if n == 0 { values[0] } else { fine[n - 1] };
            let after = if n + 1 == FINE { values[STAGES] } else { fine[n + 1] };
            let theta = rule.fine[n].theta;
            if theta >= until {
                break;
            }
            let from = if n == 0 { 0.0 } else { rule.fine[n - 1].theta };
            if theta <= begin {
                continue;
            }
            if gone(fine[n]) && gone(self.within(system, rule, evaluator, step, self.watches[watch], theta)?) {
                return Ok(Some((from, theta)));
            }
            if n == 0 && approaches && fine[n] > before {
                let (theta, value) =
                    self.least(system, (rule, step), evaluator, self.watches[watch], (from, theta), gone)?;
                if gone(value) {
                    return Ok(Some((from, theta)));
                }
            }
            if fine[n] > before || fine[n] > after || fine[n] > NEAR * scale {
                continue;
            }
            let to = if n + 1 == FINE { 1.0 } else { rule.fine[n + 1].theta };
            let (theta, value) = self.least(system, (rule, step), evaluator, self.watches[watch], (from, to), gone)?;
            if gone(value) && theta < until {
                return Ok(Some((from, theta)));
            }
        }
        Ok(bracket)
    }

    /// Where a watch is least between two instants, by golden section; the first instant at which it is found gone.
    fn least(
        &mut self,
        system: &dyn Smooth,
        (rule, step): (&Rule, &Step),
        evaluator: &mut Evaluator,
        watch: Watch,
        (mut from, mut to): (f64, f64),
        gone: &impl Fn(f64) -> bool,
    ) -> Result<(f64, f64), SystemError> {
        let section = 0.5 * (5.0_f64.sqrt() - 1.0);
        let mut at = |search: &mut EventSearch, theta: f64| search.within(system, rule, evaluator, step, watch, theta);
        let (mut left, mut right) = (to - section * (to - from), from + section * (to - from));
        let (mut at_left, mut at_right) = (at(self, left)?, at(self, right)?);
        for _ in 0..ROUNDS {
            if gone(at_left) {
                return Ok((left, at_left));
            }
            if gone(at_right) {
                return Ok((right, at_right));
            }
            if at_left < at_right {
                (to, right, at_right) = (right, left, at_left);
                left = to - section * (to - from);
                at_left = at(self, left)?;
            } else {
                (from, left, at_left) = (left, right, at_right);
                right = from + section * (to - from);
                at_right = at(self, right)?;
            }
        }
        Ok(if at_left < at_right { (left, at_left) } else { (right, at_right) })
    }

    /// How much of the forces and bounds of contacts that stick the polynomials through the points of the step leave
    /// out, as a share of the bounds. Such contacts do not move, so that the error of the motion says nothing of them.
    pub fn unresolved(&self, rule: &Rule, evaluator: &Evaluator, step: &Step) -> f64 {
        let layout = &evaluator.layout;
        let sticking = (0..layout.contacts()).filter(|&c| evaluator.modes[c].sticks());
        sticking.fold(0.0_f64, |m, c| {
            let bound = step.points.iter().fold(0.0_f64, |m, p| m.max(p.bounds[c]));
            let tail = |quantity: &dyn Fn(&Point) -> f64| {
                let greatest = step.points.iter().fold(0.0_f64, |m, p| m.max(quantity(p).abs()));
                let rounding = step.blur(rule, |j| quantity(&step.points[j])) + 64.0 * f64::EPSILON * greatest;
                (rule.tail(|j| quantity(&step.points[j])) - rounding).max(0.0)
            };
            let forces = layout.of(c).map(|k| tail(&|p| p.forces[k]));
            let tail = forces.fold(tail(&|p| p.bounds[c]), f64::max);
            if tail > self.wakes[c] { m.max(tail / bound) } else { m }
        })
    }
}

/// A guard as a function that is positive on its side.
fn towards(side: bool, value: f64) -> f64 {
    if side { value } else { -value }
}
