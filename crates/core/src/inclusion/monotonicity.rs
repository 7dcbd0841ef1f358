//! Whether W is monotone, and what that says about how many solutions there are.

use stickslip_linalg::{Front, Matrix};

use super::{Problem, Solution};
use crate::law::Set;

/// Rounding of a sum of n products, as a share of the greatest: what is smaller has no sign.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A force this share of the greatest away from the boundary of its set has room to change.
const ROOM: f64 = 1e-9;

/// The sign of x·Wx.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monotonicity {
    /// x·Wx > 0 for all x ≠ 0, also if entries change by rounding. Without cones there is exactly one solution.
    Strict,
    /// x·Wx ≥ 0 but for rounding: contacts may share a load. Without cones, slips of a symmetric W are the same with all solutions.
    Weak,
    /// x·Wx < 0 for some x: there may be no solution, or several.
    None,
}

impl Problem<'_, Matrix> {
    /// Whether W, square and as large as C, is monotone. Cones are not looked at.
    pub fn monotonicity(&self) -> Monotonicity {
        let weights = self.weights();
        let n = weights.len();
        let part = |i: usize, j: usize| 0.5 * (self.w[(i, j)] + self.w[(j, i)]) / (weights[i] * weights[j]).sqrt();
        let greatest =
            (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).fold(1.0_f64, |m, (i, j)| m.max(part(i, j).abs()));
        let floor = ROUNDING * n as f64 * greatest;
        let positive = |shift: f64| {
            let mut front = Front::zeros(n);
            (0..n).for_each(|i| (0..=i).for_each(|j| front.add(i, j, part(i, j) + if i == j { shift } else { 0.0 })));
            front.eliminate(n).is_ok()
        };
        match (positive(-floor), positive(floor)) {
            (true, _) => Monotonicity::Strict,
            (false, true) => Monotonicity::Weak,
            (false, false) => Monotonicity::None,
        }
    }

    /// Whether a solution of [`super::solve`] is the only one; none if that is not known.
    ///
    /// Two solutions of a monotone problem have (r − r′)·W (r − r′) = 0. If W is strictly monotone they are equal; if it is symmetric
    /// their slips are, and with them the forces of contacts that slip, so that they differ by what W does not see of those that stick.
    pub fn unique(&self, solution: &Solution) -> Option<bool> {
        if self.c.has_cones() {
            return None;
        }
        let monotonicity = self.monotonicity();
        if monotonicity == Monotonicity::Strict {
            return Some(true);
        }
        let n = self.w.rows();
        let symmetric = (0..n).all(|i| (0..i).all(|j| self.w[(i, j)] == self.w[(j, i)]));
        match solution.undetermined.is_empty() {
            true => (monotonicity == Monotonicity::Weak && symmetric).then_some(true),
            false => self.has_room(solution).then_some(false),
        }
    }

    /// Whether all forces that W does not determine lie inside their sets, so that others do as well.
    fn has_room(&self, solution: &Solution) -> bool {
        let step = ROOM * solution.r.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        let inside = |law: &crate::law::Law, r: &[f64]| {
            (0..r.len()).all(|k| {
                [step, -step].into_iter().all(|step| {
                    let mut x = [0.0; 3];
                    x[..r.len()].copy_from_slice(r);
                    x[k] += step;
                    law.contains(&x[..r.len()])
                })
            })
        };
        let touched = |(contact, _): &(usize, _)| solution.undetermined.contains(contact);
        self.c.iter().enumerate().filter(touched).all(|(_, (law, at))| inside(law, &solution.r[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inclusion::{Settings, solve};
    use crate::law::{Interval, Law, Product};

    fn asked(w: &[&[f64]], b: &[f64], bounds: &[f64]) -> (Monotonicity, Option<bool>) {
        let law = |a: &f64| Law::Interval(Interval::symmetric(*a).expect("a bound"));
        let (w, c) = (Matrix::from_rows(w), Product::new(bounds.iter().map(law).collect()));
        let problem = Problem { w: &w, b, c: &c };
        let solution = solve(&problem, &vec![0.0; b.len()], &Settings::default()).expect("a solution");
        (problem.monotonicity(), problem.unique(&solution))
    }

    #[test]
    fn strict_weak_and_negative() {
        assert_eq!(asked(&[&[2.0, 1.0], &[1.0, 2.0]], &[1.0, -3.0], &[1.0, 1.0]), (Monotonicity::Strict, Some(true)));
        // A rotation is monotone, and not symmetric: it has one solution here, which is not known from W.
        assert_eq!(asked(&[&[0.0, 1.0], &[-1.0, 0.0]], &[0.0, 0.0], &[1.0, 1.0]).0, Monotonicity::Weak);
        assert_eq!(asked(&[&[1.0, 2.0], &[2.0, 1.0]], &[0.1, 0.1], &[1.0, 1.0]).0, Monotonicity::None);
        assert_eq!(asked(&[&[-1.0]], &[0.0], &[1.0]), (Monotonicity::None, None));
    }

    /// Two pads on one body: both hold, or both are at their bounds, or the body slips.
    #[test]
    fn pads_that_share_a_load() {
        let both = |b: f64| asked(&[&[1.0, 1.0], &[1.0, 1.0]], &[b, b], &[1.0, 1.0]);
        assert_eq!(both(-1.0), (Monotonicity::Weak, Some(false)));
        assert_eq!(both(-2.0).1, None);
        assert_eq!(both(-3.0).1, Some(true));
    }
}
