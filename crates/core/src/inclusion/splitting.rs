//! Douglas–Rachford splitting: slow and sure.

use stickslip_linalg::{Lu, Matrix};

use super::Problem;

/// z ← z + y − q with q = Proj_C(z), y = (I + Ŵ)⁻¹(2q − z − b̂), in forces scaled by √w (then the diagonal of
/// Ŵ is 1 and one step length serves all contacts). It converges for every monotone W that has a solution.
pub(super) struct Splitting {
    resolvent: Lu,
    /// √w_i.
    scale: Vec<f64>,
}

impl Splitting {
    pub(super) fn new(w: &Matrix, weights: &[f64]) -> Splitting {
        let scale: Vec<f64> = weights.iter().map(|w| w.sqrt()).collect();
        let shifted = Matrix::from_fn(w.rows(), w.cols(), |i, j| f64::from(i == j) + w[(i, j)] / (scale[i] * scale[j]));
        Splitting { resolvent: Lu::new(&shifted), scale }
    }

    /// Improves r by some iterations, or fewer if `stop` says so.
    pub(super) fn run(&self, problem: &Problem<Matrix>, r: &mut [f64], iterations: usize, stop: &dyn Fn() -> bool) {
        let n = r.len();
        let mut slip = vec![0.0; n];
        problem.slip(r, &mut slip);
        problem.c.correct(&mut slip);
        // z = r − ρ s reproduces r as its projection at a solution.
        let mut z: Vec<f64> = (0..n).map(|i| self.scale[i] * r[i] - slip[i] / self.scale[i]).collect();
        let mut y = vec![0.0; n];
        for _ in 0..iterations {
            if stop() {
                break;
            }
            // r = Proj_C(z), in unscaled forces.
            for i in 0..n {
                r[i] = z[i] / self.scale[i];
            }
            problem.c.project(r);
            // De Saxcé's correction is taken from the last forces.
            problem.slip(r, &mut slip);
            let plain = slip.clone();
            problem.c.correct(&mut slip);
            for i in 0..n {
                let b = problem.b[i] + (slip[i] - plain[i]);
                y[i] = 2.0 * self.scale[i] * r[i] - z[i] - b / self.scale[i];
            }
            self.resolvent.solve(&mut y);
            for i in 0..n {
                z[i] += y[i] - self.scale[i] * r[i];
            }
        }
        for i in 0..n {
            r[i] = z[i] / self.scale[i];
        }
        problem.c.project(r);
    }
}
