//! Making a step: its size, its first guess, and its end on an event.

use super::collocation::STAGES;
use super::evaluate::{Grasp, Layout, norm};
use super::locate::Found;
use super::{FLOOR, Run, TOGETHER, TOLERANCE};
use crate::mechanics::{Smooth, SystemError};
use crate::scheme::{Observer, RunError};

impl<S: Smooth, O: Observer<S::State>> Run<'_, S, O> {
    /// Scales of the components: their greatest values so far.
    pub(super) fn scales(&self) -> Vec<f64> {
        let Layout { positions, velocities, .. } = self.evaluator.layout;
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let (q, rest) = self.greatest.split_at(positions);
        let (v, s) = rest.split_at(velocities);
        [q, v, s].into_iter().flat_map(|x| x.iter().map(move |own| own.max(FLOOR * largest(x)))).collect()
    }

    /// Makes a step from now that converges and is accurate, cut at `stop`. True if it reaches `stop`.
    pub(super) fn attempt(&mut self, stop: f64) -> Result<bool, RunError<O::Error>> {
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
            if h <= f64::EPSILON * self.end && !stops {
                return Err(RunError::System(SystemError::StepTooSmall { t, h }));
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
        Err(RunError::System(SystemError::StepTooSmall { t, h: self.h }))
    }

    /// Whether slips in the plane turn by less than a right angle from point to point.
    pub(super) fn keeps_direction(&self) -> bool {
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
    pub(super) fn arriving(&self) -> f64 {
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
    pub(super) fn guess(&mut self, h: f64) {
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
    pub(super) fn shorten(&mut self, found: &Found) -> Result<(), RunError<O::Error>> {
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
                if h <= TOGETHER {
                    // Too short to be told from no step at all: the event is now.
                    self.step.stand_still(&self.now);
                    return Ok(());
                }
                return Err(RunError::System(SystemError::StepTooSmall { t, h }));
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
}
