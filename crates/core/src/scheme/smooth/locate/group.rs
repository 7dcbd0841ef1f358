//! Contacts that share a load: when they cannot hold it together any more.

use super::super::collocation::{Between, Rule, STAGES};
use super::super::evaluate::Evaluator;
use super::super::layout::{Point, norm};
use super::super::step::Step;
use super::{BISECTIONS, EventSearch, NEAR};
use crate::mechanics::{Smooth, SystemError};

/// How close contacts that share a load are to the end of their strength, in powers of [`NEAR`], until an instant at which
/// they pass it is given up.
const LEVELS: i32 = 8;

/// Rounds of golden section for each of them: to a fifteenth of the interval.
const ROUNDS_OF_LEVEL: usize = 7;

impl EventSearch {
    /// The share of the step at which contacts whose forces are not unique cannot hold together any more.
    ///
    /// Forces of least norm inside their sets say that they can. Where those leave their sets, slip rates that the
    /// inclusion cannot take away say that they cannot; these grow straight from the instant that is sought.
    pub(super) fn group(
        &mut self,
        system: &dyn Smooth,
        rule: &Rule,
        evaluator: &mut Evaluator,
        step: &Step,
    ) -> Result<Option<f64>, SystemError> {
        let on = (rule, step);
        let margins = margins(evaluator, step);
        let mut lo = 0.0;
        let mut beyond = None;
        // The last two instants and how far the contacts are from holding with a little less of their bounds.
        let mut close = [(0.0_f64, 0.0_f64); 2];
        for between in rule.fine.iter().map(Some).chain([None]) {
            let theta = between.map_or(1.0, |between| between.theta);
            let near = margins.iter().any(|m| m.at(between) <= NEAR * m.scale);
            let excess = if near { self.excess(system, on, evaluator, 1.0, theta)? } else { 0.0 };
            let tight =
                if near && excess == 0.0 { self.excess(system, on, evaluator, 1.0 - NEAR, theta)? } else { excess };
            let [before, last] = close;
            if last.1 > before.1.max(tight)
                && let Some(dip) = self.weakest(system, on, evaluator, (before.0, theta))?
            {
                beyond = Some(dip);
                lo = before.0;
                break;
            }
            if excess > 0.0 {
                beyond = Some((theta, excess));
                break;
            }
            close = [last, (theta, tight)];
            lo = theta;
        }
        let Some((mut hi, mut at_hi)) = beyond else { return Ok(None) };
        // The polynomial may have missed the first of it.
        let thought = lo;
        for theta in rule.fine.iter().rev().map(|between| between.theta).filter(|theta| *theta <= thought) {
            let excess = self.excess(system, on, evaluator, 1.0, theta)?;
            if excess == 0.0 {
                lo = theta;
                break;
            }
            (hi, at_hi, lo) = (theta, excess, 0.0);
        }
        let mut earlier: Option<(f64, f64)> = None;
        for round in 0..BISECTIONS {
            if hi - lo <= 4.0 * f64::EPSILON * (1.0 + step.t / step.h) {
                break;
            }
            let line = earlier.map(|(theta, excess)| hi - at_hi * (theta - hi) / (excess - at_hi));
            let middle = match line {
                Some(line) if line > lo && line < hi && round % 3 != 2 => line,
                _ => 0.5 * (lo + hi),
            };
            let excess = self.excess(system, on, evaluator, 1.0, middle)?;
            if excess > 0.0 {
                earlier = Some((hi, at_hi));
                (hi, at_hi) = (middle, excess);
            } else {
                lo = middle;
            }
        }
        Ok(Some(hi))
    }

    /// An instant between two others at which contacts cannot hold together, with what is left over, where they can at
    /// both ends: where they would be farthest from holding with less of their bounds, by golden section, and with
    /// less and less of that less.
    fn weakest(
        &mut self,
        system: &dyn Smooth,
        on: (&Rule, &Step),
        evaluator: &mut Evaluator,
        (mut from, mut to): (f64, f64),
    ) -> Result<Option<(f64, f64)>, SystemError> {
        let section = 0.5 * (5.0_f64.sqrt() - 1.0);
        for level in 1..=LEVELS {
            let share = 1.0 - NEAR.powi(level);
            let (mut left, mut right) = (to - section * (to - from), from + section * (to - from));
            let mut at_left = self.excess(system, on, evaluator, share, left)?;
            let mut at_right = self.excess(system, on, evaluator, share, right)?;
            for _ in 0..ROUNDS_OF_LEVEL {
                if at_left > at_right {
                    (to, right, at_right) = (right, left, at_left);
                    left = to - section * (to - from);
                    at_left = self.excess(system, on, evaluator, share, left)?;
                } else {
                    (from, left, at_left) = (left, right, at_right);
                    right = from + section * (to - from);
                    at_right = self.excess(system, on, evaluator, share, right)?;
                }
            }
            let (theta, value) = if at_left > at_right { (left, at_left) } else { (right, at_right) };
            if value == 0.0 {
                return Ok(None);
            }
            let excess = self.excess(system, on, evaluator, 1.0, theta)?;
            if excess > 0.0 {
                return Ok(Some((theta, excess)));
            }
            // With more of the bounds the weakest instant is a little elsewhere.
            let width = to - from;
            (from, to) = ((from - width).max(0.0), (to + width).min(1.0));
        }
        Ok(None)
    }
}

/// What a force of least norm leaves of its bound, at the points of a step.
struct Margin {
    values: [f64; STAGES],
    /// The greatest of them.
    scale: f64,
}

impl Margin {
    /// Between the points by the polynomial through them, which is good to what it resolves of the forces; or at the end.
    fn at(&self, between: Option<&Between>) -> f64 {
        let sum = |between: &Between| between.values.iter().zip(&self.values).map(|(l, x)| l * x).sum();
        between.map_or(self.values[STAGES - 1], sum)
    }
}

/// Margins of the contacts whose forces are not unique.
fn margins(evaluator: &Evaluator, step: &Step) -> Vec<Margin> {
    let layout = &evaluator.layout;
    let margin = |c: usize| {
        let value = |point: &Point| point.bounds[c] - norm(&point.forces[layout.of(c)]);
        let values: [f64; STAGES] = std::array::from_fn(|j| value(&step.points[j]));
        Margin { values, scale: values.iter().fold(0.0, |m, x| m.max(x.abs())) }
    };
    (0..layout.contacts()).filter(|&c| evaluator.open[c]).map(margin).collect()
}
