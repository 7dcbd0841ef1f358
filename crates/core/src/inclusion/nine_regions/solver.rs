//! The wheel's problem as W, b and C.

use stickslip_linalg::Matrix;

use super::{NineRegions, TwoIntervals};
use crate::inclusion::solver::{intervals, same, size, symmetric};
use crate::inclusion::{SolveError, Solved, Solver};
use crate::law::Product;

/// d1 and d2 of W = [[d1+d2, d2], [d2, d2]].
fn recognise(w: &Matrix) -> Option<[f64; 2]> {
    if w.rows() != 2 || w.cols() != 2 {
        return None;
    }
    let [d1, d2] = [w[(0, 0)] - w[(1, 1)], w[(1, 1)]];
    let alike = |x: f64| same(x, d2, size(w.data()));
    (alike(w[(0, 1)]) && alike(w[(1, 0)]) && d1 > 0.0 && d2 > 0.0).then_some([d1, d2])
}

impl Solver for NineRegions {
    const NAME: &'static str = "nine regions";

    fn accept(w: &Matrix, c: &Product) -> Option<NineRegions> {
        let [d1, d2] = recognise(w).filter(|_| symmetric(c).is_some_and(|a| a.len() == 2))?;
        Some(NineRegions::new(d1, d2))
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, _: &Solved) -> Result<Solved, SolveError> {
        let bounds = symmetric(c).unwrap_or_default();
        let (&[b1, b2], &[a_g, a_b]) = (b, &bounds[..]) else { return Err(SolveError::Form) };
        let y = self.solve(b1 - b2, b2, a_g, a_b);
        if y.residual.is_nan() {
            return Err(SolveError::NotFinite);
        }
        let states = y.region.states().to_vec();
        Ok(Solved { r: vec![-y.f, -y.g], s: vec![y.slip, y.y2], states, residual: Some(y.residual) })
    }
}

impl Solver for TwoIntervals {
    const NAME: &'static str = "two intervals";

    fn accept(w: &Matrix, c: &Product) -> Option<TwoIntervals> {
        let [d1, d2] = recognise(w).filter(|_| intervals(c).is_some_and(|ends| ends.len() == 2))?;
        Some(TwoIntervals { m: 1.0 / d1, j: 1.0 / d2 })
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, _: &Solved) -> Result<Solved, SolveError> {
        let ends = intervals(c).unwrap_or_default();
        let (&[b1, b2], [ground, brake]) = (b, &ends[..]) else { return Err(SolveError::Form) };
        if !(b1.is_finite() && b2.is_finite()) {
            return Err(SolveError::NotFinite);
        }
        let held = self.respond([b1 - b2, b2], [ground[0], brake[0]], [ground[1], brake[1]]);
        Ok(Solved::on_lines(held.forces.to_vec(), held.slips.to_vec(), None))
    }
}
