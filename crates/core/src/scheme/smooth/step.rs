//! One step of collocation: the stages by iteration, Newton for slips in the plane that are close to zero.

use stickslip_linalg::{Lu, Matrix};

use super::TOLERANCE;
use super::collocation::{Rule, STAGES};
use super::evaluate::Evaluator;
use super::layout::{ContactMode, Layout, Point, norm};
use crate::mechanics::{Smooth, SystemError};

/// Iterations before a step is given up for a smaller one.
const ITERATIONS: usize = 60;

/// A slip in the plane that changes by more than this share of its least size in a step has a direction that turns too
/// fast for the simple iteration, whose convergence that share tells.
const TURNING: f64 = 0.3;

/// After so many iterations a change that is so many times the one before means that they do not converge.
const FIRST_ITERATIONS: usize = 4;
const GROWS: f64 = 2.0;

/// A Newton step takes no more than this share of a slip away.
const MOST_OF_SLIP: f64 = 0.7;

/// Where the change of the stages, relative to their scales, is rounding.
const ROUNDING: f64 = 2e-15;

/// Changes that no longer fall are rounding if they are below this.
const NEARLY: f64 = 1e-12;

/// Rounding of the forces over the tolerance of a step: 16 ε/1e-12 and some.
const ROUNDED: f64 = 0.01;

/// The polynomial of a step.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Step {
    pub t: f64,
    pub h: f64,
    pub start: Vec<f64>,
    /// y at the points, and rates and forces there.
    pub stages: Vec<Vec<f64>>,
    pub points: Vec<Point>,
    /// What the accelerations would be at the start if no force cancelled another.
    pub parts: Vec<f64>,
    next: Vec<Vec<f64>>,
}

impl Step {
    pub fn new(layout: &Layout) -> Step {
        let lists = || vec![vec![0.0; layout.size()]; STAGES];
        Step {
            t: 0.0,
            h: 0.0,
            start: vec![0.0; layout.size()],
            stages: lists(),
            points: vec![Point::new(layout); STAGES],
            parts: vec![0.0; layout.velocities],
            next: lists(),
        }
    }

    /// y at the share θ of the step.
    pub fn at(&self, rule: &Rule, theta: f64, y: &mut [f64]) {
        advance(&self.start, self.h, &rule.integral(theta), &self.points, y);
    }

    /// One component of y at the share θ of the step.
    pub fn component_at(&self, rule: &Rule, theta: f64, k: usize) -> f64 {
        let weights = rule.integral(theta);
        let sum = weights.iter().zip(&self.points).fold(0.0, |sum, (a, point)| sum + a * point.rate[k]);
        self.start[k] + self.h * sum
    }

    /// A step of no length, with these rates and forces.
    pub fn stand_still(&mut self, now: &Point) {
        self.h = 0.0;
        self.stages.iter_mut().for_each(|y| y.copy_from_slice(&self.start));
        self.points.iter_mut().for_each(|point| point.clone_from(now));
    }

    /// Solves for the stages of a step of size h from `start`, whose stages hold a guess. False if the iteration does
    /// not converge.
    pub fn solve(
        &mut self,
        system: &dyn Smooth,
        rule: &Rule,
        evaluator: &mut Evaluator,
        scales: &[f64],
    ) -> Result<bool, SystemError> {
        let stiff = self.stiff(evaluator);
        let planes = self.planes(evaluator);
        let guess = (stiff.is_empty() && !planes.is_empty()).then(|| self.stages.clone());
        if self.iterate(system, rule, evaluator, scales, &stiff)? {
            return Ok(true);
        }
        let Some(guess) = guess else { return Ok(false) };
        // A slip that is small for its forces holds its direction stiffly, also where it does not turn.
        self.stages = guess;
        self.iterate(system, rule, evaluator, scales, &planes)
    }

    /// The iteration for the stages, with Newton's method for the components `stiff`.
    fn iterate(
        &mut self,
        system: &dyn Smooth,
        rule: &Rule,
        evaluator: &mut Evaluator,
        scales: &[f64],
        stiff: &[usize],
    ) -> Result<bool, SystemError> {
        let response = (!stiff.is_empty()).then(|| evaluator.response(system, self.t, &self.start, stiff));
        let (mut before, mut noise) = (f64::INFINITY, Vec::new());
        for iteration in 0..ITERATIONS {
            for (j, c) in rule.nodes.iter().enumerate() {
                evaluator.evaluate(system, self.t + c * self.h, &self.stages[j], &mut self.points[j])?;
            }
            for (next, weights) in self.next.iter_mut().zip(&rule.integrals) {
                advance(&self.start, self.h, weights, &self.points, next);
            }
            // A Newton step that was shortened says nothing of how far the solution is.
            let whole = response.as_ref().is_none_or(|response| self.newton(rule, &evaluator.layout, response, stiff));
            let mut change = 0.0_f64;
            if iteration == 0 {
                noise = self.noise(rule, &evaluator.layout);
            }
            for (k, scale) in scales.iter().enumerate() {
                let scale = self.next.iter().fold(scale.max(noise[k]), |m, y| m.max(y[k].abs()));
                let step = self.stages.iter().zip(&self.next).fold(0.0_f64, |m, (old, new)| {
                    let step = (new[k] - old[k]).abs();
                    if step > m || step.is_nan() { step } else { m }
                });
                if step.is_nan() {
                    return Ok(false);
                }
                change = change.max(if step == 0.0 { 0.0 } else { step / scale });
            }
            std::mem::swap(&mut self.stages, &mut self.next);
            if whole && (change <= ROUNDING || (change <= NEARLY && change >= 0.5 * before)) {
                return Ok(true);
            }
            if iteration >= FIRST_ITERATIONS && change > GROWS * before {
                return Ok(false);
            }
            before = change;
        }
        Ok(false)
    }

    /// Components of slips in the plane whose direction changes fast.
    fn stiff(&self, evaluator: &Evaluator) -> Vec<usize> {
        let layout = &evaluator.layout;
        let first = layout.positions + layout.velocities;
        let slow = |own: std::ops::Range<usize>| {
            let own = first + own.start..first + own.end;
            let change = self.stages.iter().fold(0.0_f64, |m, y| {
                let d: f64 = own.clone().map(|k| (y[k] - self.start[k]).powi(2)).sum();
                m.max(d.sqrt())
            });
            let least = self.stages.iter().fold(f64::INFINITY, |m, y| m.min(norm(&y[own.clone()])));
            change > TURNING * least
        };
        let plane = |c: &usize| evaluator.modes[*c] == ContactMode::Plane;
        let turns = (0..layout.contacts()).filter(plane).any(|c| slow(layout.of(c)));
        if turns { self.planes(evaluator) } else { Vec::new() }
    }

    /// Components of all slips in the plane.
    fn planes(&self, evaluator: &Evaluator) -> Vec<usize> {
        let layout = &evaluator.layout;
        let first = layout.positions + layout.velocities;
        let plane = |c: &usize| evaluator.modes[*c] == ContactMode::Plane;
        (0..layout.contacts()).filter(plane).flat_map(|c| layout.of(c).map(|k| first + k)).collect()
    }

    /// A Newton step for the components `stiff` of all stages, which `next` holds by simple iteration:
    /// (I − h a ⊗ J) δ = next − stages with J = ∂s'/∂s at the points. Of a force −a n with n = s/|s| the direction alone
    /// is stiff: ∂r/∂s = −(a/|s|) (I − n nᵀ), and J = G ∂r/∂s with the response G of the slips to their forces.
    ///
    /// False if the step would have carried a slip through zero and was shortened.
    fn newton(&mut self, rule: &Rule, layout: &Layout, response: &Matrix, stiff: &[usize]) -> bool {
        let n = stiff.len();
        let first = layout.positions + layout.velocities;
        let slip = |stage: &[f64], pair: usize| [stage[stiff[pair]], stage[stiff[pair + 1]]];
        let mut jacobians = vec![Matrix::zeros(n, n); STAGES];
        for (j, jacobian) in jacobians.iter_mut().enumerate() {
            for pair in (0..n).step_by(2) {
                let s = slip(&self.stages[j], pair);
                let (size, k) = (norm(&s), stiff[pair] - first);
                let bound = norm(&self.points[j].forces[k..k + 2]);
                if size == 0.0 {
                    continue;
                }
                let along = s.map(|x| x / size);
                for column in 0..2 {
                    let turned = [0, 1].map(|l| -bound / size * (f64::from(l == column) - along[l] * along[column]));
                    for row in 0..n {
                        jacobian[(row, pair + column)] =
                            response[(row, pair)] * turned[0] + response[(row, pair + 1)] * turned[1];
                    }
                }
            }
        }
        let size = n * STAGES;
        let matrix = Matrix::from_fn(size, size, |a, b| {
            let ((i, row), (j, column)) = ((a / n, a % n), (b / n, b % n));
            f64::from(a == b) - self.h * rule.integrals[i][j] * jacobians[j][(row, column)]
        });
        let mut delta: Vec<f64> = (0..size)
            .map(|a| {
                let (stage, k) = (a / n, stiff[a % n]);
                self.next[stage][k] - self.stages[stage][k]
            })
            .collect();
        Lu::new(&matrix).solve(&mut delta);
        // A step that would carry a slip through zero is shortened.
        let mut share = 1.0_f64;
        for stage in 0..STAGES {
            for pair in (0..n).step_by(2) {
                let slip = norm(&slip(&self.stages[stage], pair));
                let step = norm(&delta[stage * n + pair..stage * n + pair + 2]);
                if step > MOST_OF_SLIP * slip {
                    share = share.min(MOST_OF_SLIP * slip / step);
                }
            }
        }
        for (a, d) in delta.iter().enumerate() {
            let (stage, k) = (a / n, stiff[a % n]);
            self.next[stage][k] = self.stages[stage][k] + share * d;
        }
        share == 1.0
    }

    /// Greatest acceleration i whose rounding is in the sum of all forces.
    pub fn gross(&self, i: usize) -> f64 {
        self.points.iter().fold(self.parts[i], |m, p| m.max(p.gross[i].abs()))
    }

    /// What rounding of the forces makes of each component of y in this step, over the tolerance. Where large forces
    /// cancel (a brake that holds a drive) nothing is known better than that.
    fn noise(&self, rule: &Rule, layout: &Layout) -> Vec<f64> {
        let mut noise: Vec<f64> = (0..layout.velocities).map(|i| ROUNDED * self.h * self.gross(i)).collect();
        let greatest = noise.iter().fold(0.0_f64, |m, x| m.max(*x));
        noise.extend(std::iter::repeat_n(greatest, layout.slips()));
        for (i, noise) in noise.iter_mut().enumerate() {
            let blur = self.blur(rule, |j| self.points[j].rate[layout.positions + i]);
            *noise = noise.max(self.h * blur / TOLERANCE);
        }
        let greatest = noise.iter().fold(0.0_f64, |m, x| m.max(*x));
        let mut all = vec![greatest * self.h; layout.positions];
        all.append(&mut noise);
        all
    }

    /// What rounding of the time makes of a quantity of the points: where it changes fast at a late time, it is known no
    /// better.
    pub fn blur(&self, rule: &Rule, quantity: impl Fn(usize) -> f64) -> f64 {
        let steepest = (1..STAGES)
            .fold(0.0_f64, |m, j| m.max((quantity(j) - quantity(j - 1)).abs() / (rule.nodes[j] - rule.nodes[j - 1])));
        if steepest == 0.0 { 0.0 } else { 16.0 * f64::EPSILON * self.t * steepest / self.h }
    }

    /// What rounding of the forces makes of velocities in this step.
    pub fn rounding(&self) -> f64 {
        let gross = (0..self.parts.len()).fold(0.0_f64, |m, i| m.max(self.gross(i)));
        8.0 * f64::EPSILON * self.h * gross
    }

    /// How much of y the last coefficients of its derivative make, relative to the scales: what one more point would
    /// still change in between, and far more than the error of the step's end.
    pub fn error(&self, rule: &Rule, layout: &Layout, scales: &[f64]) -> f64 {
        let noise = self.noise(rule, layout);
        scales.iter().enumerate().fold(0.0_f64, |m, (i, scale)| {
            let last = rule.tail(|j| self.points[j].rate[i]);
            let scale = self.stages.iter().fold(scale.max(noise[i]), |m, y| m.max(y[i].abs()));
            m.max(if last == 0.0 { 0.0 } else { self.h * last / scale })
        })
    }
}

/// out = start + h Σ a_j rate_j: point after point, so that all components of one go through the processor together.
fn advance(start: &[f64], h: f64, weights: &[f64], points: &[Point], out: &mut [f64]) {
    out.fill(0.0);
    for (a, point) in weights.iter().zip(points) {
        out.iter_mut().zip(&point.rate).for_each(|(y, rate)| *y += a * rate);
    }
    out.iter_mut().zip(start).for_each(|(y, start)| *y = start + h * *y);
}
