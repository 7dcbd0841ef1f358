//! The first event within a step.

use super::collocation::{Rule, STAGES};
use super::evaluate::{Evaluator, Grasp, Point, norm};
use super::step::Step;
use crate::mechanics::{At, Smooth, SystemError};

/// What is watched: a function that is positive until its event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Watch {
    /// The slip of a contact on a line, times its sign.
    Slip(usize),
    /// What is left of the bound of a contact that sticks.
    Bound(usize),
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
pub(super) struct Lookout {
    pub watches: Vec<Watch>,
    /// Watches whose function is zero at the start of the step: it has only just left zero.
    pub fresh: Vec<bool>,
    /// Bound from which on a contact transmits something.
    pub wakes: Vec<f64>,
    y: Vec<f64>,
    point: Point,
    guards: Vec<f64>,
}

impl Lookout {
    pub fn new<S: Smooth>(evaluator: &Evaluator<S>) -> Lookout {
        let layout = &evaluator.layout;
        Lookout {
            watches: Vec::new(),
            fresh: Vec::new(),
            wakes: vec![0.0; layout.contacts()],
            y: vec![0.0; layout.size()],
            point: Point::new(layout),
            guards: vec![0.0; evaluator.sides.len()],
        }
    }

    /// Watches for contacts in the evaluator's modes. `fresh` tells for each contact whether it has just begun.
    pub fn set<S: Smooth>(&mut self, evaluator: &Evaluator<S>, fresh: impl Fn(usize) -> bool, guard: Option<usize>) {
        self.watches.clear();
        self.fresh.clear();
        for (contact, grasp) in evaluator.grasps.iter().enumerate() {
            let watch = match grasp {
                Grasp::Stick => Watch::Bound(contact),
                Grasp::Line(_) => Watch::Slip(contact),
                Grasp::Free => Watch::Wakes(contact),
                Grasp::Plane | Grasp::Edge(_) => continue,
            };
            self.watches.push(watch);
            self.fresh.push(fresh(contact));
        }
        for k in 0..evaluator.sides.len() {
            self.watches.push(Watch::Guard(k));
            self.fresh.push(guard == Some(k));
        }
    }

    /// Value of a watch where rates and forces are known.
    pub fn value<S: Smooth>(
        &mut self,
        evaluator: &Evaluator<S>,
        watch: Watch,
        t: f64,
        y: &[f64],
        point: &Point,
    ) -> f64 {
        let layout = &evaluator.layout;
        match watch {
            Watch::Slip(c) => {
                let Grasp::Line(sign) = evaluator.grasps[c] else { return 1.0 };
                sign * y[layout.positions + layout.velocities + layout.offsets[c]]
            }
            Watch::Bound(c) => point.bounds[c] - norm(&point.forces[layout.of(c)]),
            Watch::Wakes(c) => self.wakes[c] - point.bounds[c],
            Watch::Guard(k) => {
                let (q, v, _) = layout.split(y);
                evaluator.system.guards(At { t, q, v, sides: &evaluator.sides }, &mut self.guards);
                towards(evaluator.sides[k], self.guards[k])
            }
        }
    }

    /// Value of a watch anywhere in the step.
    fn within<S: Smooth>(
        &mut self,
        rule: &Rule,
        evaluator: &mut Evaluator<S>,
        step: &Step,
        watch: Watch,
        theta: f64,
    ) -> Result<f64, SystemError> {
        let (mut y, mut point) = (std::mem::take(&mut self.y), self.point.clone());
        step.at(rule, theta, &mut y);
        let t = step.t + theta * step.h;
        if matches!(watch, Watch::Bound(_) | Watch::Wakes(_)) {
            evaluator.evaluate(t, &y, &mut point)?;
        }
        let value = self.value(evaluator, watch, t, &y, &point);
        (self.y, self.point) = (y, point);
        Ok(value)
    }

    /// The first event of the step, if there is one.
    pub fn first<S: Smooth>(
        &mut self,
        rule: &Rule,
        evaluator: &mut Evaluator<S>,
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
            evaluator.system.guards(At { t, q, v, sides: &evaluator.sides }, guards);
        }
        for n in 0..self.watches.len() {
            let (watch, fresh) = (self.watches[n], self.fresh[n]);
            let mut values = [0.0; STAGES + 1];
            if let Watch::Guard(k) = watch {
                let of = |j: usize| towards(evaluator.sides[k], guards[j * self.guards.len() + k]);
                values = std::array::from_fn(of);
            } else {
                values[0] = self.value(evaluator, watch, step.t, &step.start, start);
                for j in 0..STAGES {
                    let t = step.t + rule.nodes[j] * step.h;
                    values[j + 1] = self.value(evaluator, watch, t, &step.stages[j], &step.points[j]);
                }
            }
            let theta = |j: usize| if j == 0 { 0.0 } else { rule.nodes[j - 1] };
            let gone = |value: f64| value <= 0.0;
            let mut bracket = None;
            for j in 1..=STAGES {
                if gone(values[j]) {
                    bracket = Some((theta(j - 1), theta(j)));
                    break;
                }
                // A dip between points: the parabola through three of them.
                if j >= 2 && values[j - 1] < values[j] && values[j - 1] < values[j - 2] && !(j == 2 && fresh) {
                    let least =
                        parabola([theta(j - 2), theta(j - 1), theta(j)], [values[j - 2], values[j - 1], values[j]]);
                    if least.1 <= 0.1 * values[j - 1] && gone(self.within(rule, evaluator, step, watch, least.0)?) {
                        bracket = Some((theta(j - 2), least.0));
                        break;
                    }
                }
            }
            let Some((mut lo, mut hi)) = bracket else { continue };
            if found.is_some_and(|f| f.theta <= lo) {
                continue;
            }
            // Bisection with secants in between, until the bracket is rounding.
            let (mut at_lo, mut at_hi) = (self.within(rule, evaluator, step, watch, lo)?, f64::NAN);
            for round in 0..200 {
                if hi - lo <= 4.0 * f64::EPSILON * (1.0 + step.t / step.h) {
                    break;
                }
                let secant = hi - at_hi * (hi - lo) / (at_hi - at_lo);
                let inside = secant > lo && secant < hi && round % 3 != 2;
                let middle = if inside { secant } else { 0.5 * (lo + hi) };
                let value = self.within(rule, evaluator, step, watch, middle)?;
                if gone(value) {
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
}

/// A guard as a function that is positive on its side.
fn towards(side: bool, value: f64) -> f64 {
    if side { value } else { -value }
}

/// Place and value of the least point of the parabola through three points, of which the middle one is least.
fn parabola(x: [f64; 3], y: [f64; 3]) -> (f64, f64) {
    let (left, right) = ((y[1] - y[0]) / (x[1] - x[0]), (y[2] - y[1]) / (x[2] - x[1]));
    let curvature = (right - left) / (x[2] - x[0]);
    let place = 0.5 * (x[0] + x[1] - left / curvature);
    (place, y[0] + left * (place - x[0]) + curvature * (place - x[0]) * (place - x[1]))
}
