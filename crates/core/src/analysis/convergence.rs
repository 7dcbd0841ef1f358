//! How fast the error falls with the step.

use crate::scheme::Grid;
use crate::simulation::{Simulation, SimulationError};

/// Errors of a scheme at several step sizes, and the order they show.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence {
    /// (step size, greatest error of any velocity at any common time), coarse first.
    pub errors: Vec<(f64, f64)>,
    /// Steps of the run that was taken for exact.
    pub reference_steps: u64,
    /// log₂ of the ratio of neighbouring errors (over the log₂ of the ratio of their steps).
    pub pairwise: Vec<f64>,
    /// Slope of the least-squares line through (log h, log error).
    pub order: f64,
    /// Half the width of the 95 % confidence interval of the slope, from the scatter about the line and Student's
    /// distribution for that many points; infinite where two points leave no scatter to measure.
    pub order_error: f64,
    /// Greatest speed of the run that was taken for exact.
    pub speed: f64,
}

impl Convergence {
    /// Without the steps that are too long for the system: those whose error is greater than any speed. None if fewer
    /// than three are left.
    pub fn resolved(mut self) -> Option<Convergence> {
        let speed = self.speed;
        self.errors.retain(|e| e.1 <= speed);
        if self.errors.len() < 3 {
            return None;
        }
        self.pairwise = pairwise(&self.errors);
        (self.order, self.order_error) = slope(&self.errors);
        Some(self)
    }

    /// Whether the errors fall with the step as far as their scatter lets one say so: the 95 % confidence interval of the
    /// slope lies above zero. Errors of an unstable or chaotic motion scatter about a level that no step brings down.
    pub fn falls(&self) -> bool {
        self.order - self.order_error > 0.0
    }

    /// The error that the fitted line foretells for the step h.
    pub fn error_at(&self, h: f64) -> f64 {
        let n = self.errors.len() as f64;
        let mean = |f: fn(&(f64, f64)) -> f64| self.errors.iter().map(f).sum::<f64>() / n;
        let (x, y) = (mean(|e| e.0.ln()), mean(|e| e.1.ln()));
        (y + self.order * (h.ln() - x)).exp()
    }
}

/// Runs what `start` gives for a size of step with each of `steps` (multiples of the first) and measures the error against a run with
/// `reference_steps`: max over the times of the coarsest grid and over all velocities.
///
/// A reference of finite step h* adds its own error: with e = C h the measured C (h − h*) bends the order by
/// about h*/h. None is returned where an error vanishes, or all are rounding (nothing happens, or every step is exact).
pub fn convergence(
    start: &dyn Fn(f64) -> Result<Box<dyn Simulation>, SimulationError>,
    duration: f64,
    steps: &[u64],
    reference_steps: u64,
) -> Result<Option<Convergence>, SimulationError> {
    let Some(&coarsest) = steps.first() else { return Ok(None) };
    let sampled = |count: u64| {
        let grid = Grid { h: duration / count as f64, steps: count };
        velocities_by_steps(&mut *start(grid.h)?, grid, count / coarsest)
    };
    let exact = sampled(reference_steps)?;
    let mut errors = Vec::new();
    for &count in steps {
        let values = sampled(count)?;
        let error = values.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        errors.push((duration / count as f64, error));
    }
    let speed = exact.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    // Each step rounds once.
    let rounding = reference_steps as f64 * f64::EPSILON * speed;
    if errors.iter().any(|e| e.1 == 0.0) || errors.iter().all(|e| e.1 <= rounding) {
        return Ok(None);
    }
    let (pairwise, (order, order_error)) = (pairwise(&errors), slope(&errors));
    Ok(Some(Convergence { errors, reference_steps, pairwise, order, order_error, speed }))
}

fn pairwise(errors: &[(f64, f64)]) -> Vec<f64> {
    errors.windows(2).map(|w| (w[0].1 / w[1].1).ln() / (w[0].0 / w[1].0).ln()).collect()
}

/// 97.5 % points of Student's distribution for 1, 2, … degrees of freedom (Abramowitz and Stegun, table 26.10).
const STUDENT: [f64; 8] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306];

/// Slope of the least-squares line through the logarithms, and half the width of its 95 % confidence interval.
fn slope(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (mx, my) = logs.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let (sxx, sxy) = logs.iter().fold((0.0, 0.0), |s, (x, y)| (s.0 + (x - mx) * (x - mx), s.1 + (x - mx) * (y - my)));
    let slope = sxy / sxx;
    let Some(freedom) = points.len().checked_sub(2).filter(|freedom| *freedom > 0) else {
        return (slope, f64::INFINITY);
    };
    let off = |(x, y): &(f64, f64)| y - my - slope * (x - mx);
    let scatter = logs.iter().map(|p| off(p) * off(p)).sum::<f64>() / freedom as f64;
    (slope, STUDENT[(freedom - 1).min(STUDENT.len() - 1)] * (scatter / sxx).sqrt())
}

/// All velocities after every so many steps of a grid and at its end, one instant after the other.
pub fn velocities_by_steps(run: &mut dyn Simulation, grid: Grid, every: u64) -> Result<Vec<f64>, SimulationError> {
    let mut values = Vec::new();
    let mut n = 0;
    while n < grid.steps {
        n = n.saturating_add(every.max(1)).min(grid.steps);
        run.advance_to(grid.time(n))?;
        values.extend(run.velocities());
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(errors: Vec<(f64, f64)>, speed: f64) -> Convergence {
        let (order, order_error) = slope(&errors);
        Convergence { pairwise: pairwise(&errors), order, order_error, errors, reference_steps: 9, speed }
    }

    #[test]
    fn scatter_is_no_order() {
        let steps = [0.8, 0.4, 0.2, 0.1, 0.05];
        let with =
            |f: &dyn Fn(usize, f64) -> f64| of(steps.iter().enumerate().map(|(k, h)| (*h, f(k, *h))).collect(), 10.0);
        // A power of the step, and one with an error of a tenth: orders.
        let clean = with(&|_, h| 3.0 * h * h);
        assert!((clean.order - 2.0).abs() < 1e-12 && clean.order_error < 1e-12 && clean.falls());
        let rough = with(&|k, h| h * [1.1, 0.9, 1.05, 1.0, 0.92][k]);
        assert!(rough.falls() && (rough.order - 1.0).abs() < rough.order_error && rough.order_error < 0.25);
        // A level with scatter, whichever way the line leans: none.
        assert!(!with(&|k, _| [0.25, 0.24, 0.2, 0.26, 0.23][k]).falls());
        assert!(!with(&|k, _| [0.31, 0.2, 0.28, 0.19, 0.22][k]).falls());
        // Errors that grow as the step falls: none.
        assert!(!with(&|_, h| 0.1 / h).falls());
        // Two points are no evidence.
        assert!(!of(vec![(0.2, 0.2), (0.1, 0.1)], 1.0).falls());
    }

    #[test]
    fn steps_that_are_too_long_do_not_count() {
        let errors = vec![(0.8, 1e30), (0.4, 0.4), (0.2, 0.2), (0.1, 0.1)];
        let all = of(errors, 3.0);
        assert!(all.order > 10.0);
        let resolved = all.clone().resolved().expect("three are left");
        assert!((resolved.order - 1.0).abs() < 1e-12 && resolved.errors.len() == 3 && resolved.pairwise.len() == 2);
        assert!(Convergence { speed: 0.3, ..all }.resolved().is_none());
    }
}
