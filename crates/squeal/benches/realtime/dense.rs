//! The contact patch with a dense W: what a force at one place does at all others. It is moved by the slip velocities and loads of a limit
//! cycle, so that what is measured is its own work.
//!
//! ```text
//! u = W F,   u_i − u_{i−1, before} = h (v − s_i),   s_i ∈ N_C(F_i),   C_i = [−μ p_i N, μ p_i N]
//! ```

use std::time::Instant;

/// A patch of elements with a dense W.
pub struct Dense {
    n: usize,
    /// Row after row; the first row is of the place ahead of the leading edge.
    w: Vec<f64>,
    /// μ p_i of a load of 1 N.
    bounds: Vec<f64>,
    h: f64,
}

impl Dense {
    /// A half-space in antiplane shear: −ln|x|, integrated over elements, with the same mean compliance under an even force as bristles.
    pub fn new(n: usize, a: f64, flexibility: f64, friction: f64, h: f64) -> Dense {
        let cell = 2.0 * a / n as f64;
        let kernel = |d: f64| {
            let part = |x: f64| if x == 0.0 { 0.0 } else { x * (x.abs().ln() - 1.0) };
            part(d - 0.5 * cell) - part(d + 0.5 * cell)
        };
        // Nothing moves a whole contact length and a cell away.
        let far = kernel(2.0 * a + cell);
        let place = |i: usize, j: usize| (i as f64 - 1.0 - j as f64).abs() * cell;
        let mut w: Vec<f64> = (0..(n + 1) * n).map(|k| kernel(place(k / n, k % n)) - far).collect();
        let mean = w[n..].iter().sum::<f64>() / n as f64;
        w.iter_mut().for_each(|w| *w *= flexibility / cell / mean);
        let carried = |x: f64| x * x * (3.0 - 2.0 * x);
        let share = |j: usize| carried((j + 1) as f64 / n as f64) - carried(j as f64 / n as f64);
        Dense { n, w, bounds: (0..n).map(|j| friction * share(j)).collect(), h }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.w[i * self.n..(i + 1) * self.n]
    }

    fn displacement(&self, i: usize, force: &[f64]) -> f64 {
        self.row(i).iter().zip(force).map(|(w, f)| w * f).sum()
    }

    /// Projected Gauss–Seidel from the forces of the last step on: seconds and sweeps a step, and share of the nodes that slide.
    pub fn run(&self, course: &[[f64; 2]], tolerance: f64) -> (f64, f64, f64) {
        let n = self.n;
        let (mut force, mut target) = (vec![0.0; n], vec![0.0; n]);
        let (mut sweeps, mut slides) = (0_u64, 0_usize);
        let begun = Instant::now();
        for [slip, load] in course {
            // Each node goes where its neighbour towards the leading edge was, and on.
            for (i, target) in target.iter_mut().enumerate() {
                *target = self.displacement(i, &force) + self.h * slip;
            }
            let most = self.bounds.iter().fold(0.0_f64, |m, b| m.max(*b)) * load;
            for _ in 0..1000 {
                sweeps += 1;
                let mut change = 0.0_f64;
                for i in 0..n {
                    let row = self.row(i + 1);
                    let miss = target[i] - self.displacement(i + 1, &force);
                    let bound = self.bounds[i] * load;
                    let next = (force[i] + miss / row[i]).clamp(-bound, bound);
                    change = change.max((next - force[i]).abs());
                    force[i] = next;
                }
                if change <= tolerance * most {
                    break;
                }
            }
            slides += force.iter().zip(&self.bounds).filter(|(f, b)| f.abs() >= *b * load).count();
        }
        let steps = course.len().max(1) as f64;
        (begun.elapsed().as_secs_f64() / steps, sweeps as f64 / steps, slides as f64 / (steps * n as f64))
    }
}
