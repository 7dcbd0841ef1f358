//! Small motions of an assembly about steady sliding ([`super::steady`]).
//!
//! About it, δv' = −M⁻¹(K δq + C δv) with K = −∂F/∂q, C = −∂F/∂v; a pad that slips with s = |s| ŝ under the load N gives
//!
//! ```text
//! r = −μ(|s|) N ŝ,     δr = −N [μ' ŝŝᵀ + (μ/|s|)(1 − ŝŝᵀ)] δs − μ ŝ δN,     δN = −δF of the spring that presses it
//! ```
//!
//! so that falling friction is negative damping and a load that depends on the place makes K unsymmetric. Pads that stick hold:
//! coordinates that follow from others by H_s δq = 0 are left out.

use stickslip_core::analysis::stability::Linearised;
use stickslip_core::record::column_part;
use stickslip_linalg::{Lu, Matrix};
use stickslip_run::text::number;

use super::Assembly;
use super::facts::DEPENDENT;
use super::steady::{NotSteady, Steady};

impl Assembly {
    /// Small motions about steady sliding.
    pub fn linearised(&self) -> Result<Linearised, NotSteady> {
        let steady = self.steady()?;
        let n = self.network.n;
        let (free, basis) = self.free_coordinates(&steady.sticking);
        let f = free.len();
        let reduced = |m: &dyn Fn(usize, usize) -> f64| {
            Matrix::from_fn(f, f, |a, b| {
                let column: Vec<f64> = (0..n).map(|i| (0..n).map(|j| m(i, j) * basis[(j, b)]).sum()).collect();
                (0..n).map(|i| basis[(i, a)] * column[i]).sum()
            })
        };
        let mass = reduced(&|i, j| if i == j { self.network.mass[i] } else { 0.0 });
        let (dq, dv) = (reduced(&|i, j| steady.forces.dq[(i, j)]), reduced(&|i, j| steady.forces.dv[(i, j)]));
        let lu = Lu::new(&mass);
        let mut matrix = Matrix::zeros(2 * f, 2 * f);
        for b in 0..f {
            matrix[(b, f + b)] = 1.0;
            for (block, from) in [(&dq, 0), (&dv, f)] {
                let mut column: Vec<f64> = (0..f).map(|a| block[(a, b)]).collect();
                lu.solve(&mut column);
                (0..f).for_each(|a| matrix[(f + a, from + b)] = column[a]);
            }
        }
        let names = self.coordinate_names();
        let rates = free.iter().map(|&i| names[i].1.clone());
        let names = free.iter().map(|&i| names[i].0.clone()).chain(rates).collect();
        Ok(Linearised { names, positions: f, matrix, state: self.told(&steady) })
    }

    /// Names of coordinates and of their rates.
    fn coordinate_names(&self) -> Vec<(String, String)> {
        let of = |body: &super::Body| {
            let name = body.name.clone();
            let axes = ["x", "y", "yaw"].iter().take(body.freedom.dim()).enumerate();
            let named = move |(k, axis): (usize, &&str)| {
                let unit = if k == 2 { "rad" } else { "m" };
                let part = |text: String| column_part(&text);
                (
                    format!("{} [{unit}]", part(format!("{axis}_{name}"))),
                    format!("{} [{unit}/s]", part(format!("v{axis}_{name}"))),
                )
            };
            axes.map(named).collect::<Vec<_>>()
        };
        self.parameters.bodies.iter().flat_map(of).collect()
    }

    fn told(&self, steady: &Steady) -> String {
        let name = |pad: usize| self.parameters.pads[pad].name.as_str();
        let slipping = steady.slipping.iter().zip(&steady.slips);
        let slipping = slipping.map(|(&pad, slip)| format!("{} slips with {} m/s", name(pad), number(*slip)));
        let sticking = steady.sticking.iter().map(|&pad| format!("{} sticks", name(pad)));
        format!("steady sliding: {}", slipping.chain(sticking).collect::<Vec<_>>().join(", "))
    }

    /// Coordinates that stay free while pads stick, and all coordinates as multiples of them.
    fn free_coordinates(&self, sticking: &[usize]) -> (Vec<usize>, Matrix) {
        let n = self.network.n;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut pivots: Vec<usize> = Vec::new();
        for k in sticking.iter().flat_map(|&pad| self.components(pad)) {
            let mut row = vec![0.0; n];
            self.network.pads.own.row(k).for_each(|(i, a)| row[i] += a);
            let size = row.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
            for (done, &pivot) in rows.iter().zip(&pivots) {
                let factor = row[pivot];
                row.iter_mut().zip(done).for_each(|(a, b)| *a -= factor * b);
            }
            let Some(pivot) = (0..n).max_by(|&i, &j| row[i].abs().total_cmp(&row[j].abs()).then(j.cmp(&i))) else {
                continue;
            };
            // A row that follows from others says nothing new.
            if row[pivot].abs() <= DEPENDENT * size {
                continue;
            }
            let per = 1.0 / row[pivot];
            row.iter_mut().for_each(|a| *a *= per);
            for done in &mut rows {
                let factor = done[pivot];
                done.iter_mut().zip(&row).for_each(|(a, b)| *a -= factor * b);
            }
            rows.push(row);
            pivots.push(pivot);
        }
        let free: Vec<usize> = (0..n).filter(|i| !pivots.contains(i)).collect();
        let entry = |i: usize, c: usize| match pivots.iter().position(|&p| p == i) {
            Some(at) => -rows[at][free[c]],
            None => f64::from(u8::from(free[c] == i)),
        };
        let basis = Matrix::from_fn(n, free.len(), entry);
        (free, basis)
    }
}
