//! Contacts of which W is known, and no bodies.

use stickslip_linalg::Matrix;

use super::{Bounds, Coupled, Mode, Symmetric};
use crate::inclusion::solver::size;
use crate::inclusion::{Rows, SolveError, Solved, Solver};
use crate::law::{Law, Product, State};

/// What is left of W when it is taken apart may be this share of its greatest entry: rounding.
const ROUNDING: f64 = 1e-14;

/// Parts of W smaller than this share of its greatest entry, and no rounding, would leave W⁺ b more of it than solutions may have.
const REGULAR: f64 = 1e-3;

/// Rows H with W = H Hᵀ: of unit masses that W may belong to. None if W is not symmetric, has a negative eigenvalue or is nearly singular.
fn unit_masses(w: &Matrix) -> Option<Rows> {
    let n = w.rows();
    let small = ROUNDING * size(w.data());
    if w.cols() != n || (0..n).any(|i| (0..i).any(|j| w[(i, j)] != w[(j, i)])) {
        return None;
    }
    let mut left = w.clone();
    let mut rows = vec![Vec::new(); n];
    for mass in 0..n {
        let greatest = (0..n).max_by(|i, j| left[(*i, *i)].total_cmp(&left[(*j, *j)]))?;
        if left[(greatest, greatest)] <= small {
            break;
        }
        if left[(greatest, greatest)] < REGULAR * size(w.data()) {
            return None;
        }
        let root = left[(greatest, greatest)].sqrt();
        let column: Vec<f64> = (0..n).map(|i| left[(i, greatest)] / root).collect();
        for i in 0..n {
            rows[i].push((mass, column[i]));
            (0..n).for_each(|j| left[(i, j)] -= column[i] * column[j]);
        }
    }
    let mut sparse = Rows::default();
    rows.into_iter().for_each(|row| sparse.push(row));
    (size(left.data()) <= n as f64 * small).then_some(sparse)
}

/// Intervals and disks that are bounded.
fn bounds(c: &Product) -> Option<Vec<Bounds>> {
    let each = |law: &Law| match law {
        Law::Interval(c) if c.lo().is_finite() && c.hi().is_finite() => Some(Bounds { lo: c.lo(), hi: c.hi() }),
        Law::Disk(c) => Some(Bounds::symmetric(c.radius())),
        _ => None,
    };
    c.iter().map(|(law, _)| each(law)).collect()
}

impl Solver for Coupled {
    const NAME: &'static str = "coupled";

    fn accept(w: &Matrix, c: &Product) -> Option<Coupled> {
        bounds(c)?;
        let rows = unit_masses(w).filter(|rows| rows.len() == c.dim())?;
        let dims: Vec<usize> = c.iter().map(|(_, at)| at.len()).collect();
        let unit = Symmetric { diagonal: vec![1.0; c.dim()], below: Vec::new() };
        Coupled::new(&unit, rows, &dims, 1.0, true)
    }

    /// The masses stand still, and their supports move with b.
    fn solve_from(&mut self, b: &[f64], c: &Product, start: &Solved) -> Result<Solved, SolveError> {
        let mut answer = self.answer();
        answer.r.copy_from_slice(&start.r);
        for ((mode, state), (_, at)) in answer.modes.iter_mut().zip(&start.states).zip(c.iter()) {
            *mode = Mode::of(*state, at.len());
        }
        let still = vec![0.0; answer.v.len()];
        self.solve(&still, b, &bounds(c).ok_or(SolveError::Form)?, &mut answer)?;
        let state = |(mode, (_, at)): (&Mode, (&Law, std::ops::Range<usize>))| match (mode, &answer.s[at]) {
            (Mode::Stick, _) => State::Stick,
            (Mode::Forward, _) => State::Slip([1.0, 0.0]),
            (Mode::Backward, _) => State::Slip([-1.0, 0.0]),
            (Mode::Sliding, s) => {
                let length = s.iter().map(|s| s * s).sum::<f64>().sqrt();
                State::Slip([s[0] / length, s.get(1).map_or(0.0, |s| s / length)])
            }
        };
        let states = answer.modes.iter().zip(c.iter()).map(state).collect();
        let residual = Some(answer.residual + self.taken_apart(&answer.r));
        Ok(Solved { r: answer.r, s: answer.s, states, residual })
    }
}

impl Coupled {
    /// How far slips of H Hᵀ r may be from those of the W that was taken apart: |W − H Hᵀ|_ij is rounding of √(w_i w_j) (Cauchy–Schwarz on the rows of H).
    fn taken_apart(&self, r: &[f64]) -> f64 {
        let weights = &self.shape.weight;
        let share = |c: usize| weights[c].sqrt() * self.shape.at(c).map(|k| r[k].abs()).sum::<f64>();
        let forces: f64 = (0..weights.len()).map(share).sum();
        f64::EPSILON * (r.len() as f64 + 8.0) * size(weights).sqrt() * forces
    }
}
