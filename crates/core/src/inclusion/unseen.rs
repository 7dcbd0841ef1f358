//! Directions of forces that W does not see: why a problem may have no solution, or many.
//!
//! **None.** Let the forces be able to grow for ever along d (d in the recession cone of C), and let Wᵀ d = 0. Any solution then has
//! s·d = r·Wᵀd + b·d = b·d, and −s ∈ N_C(r) asks for s·d ≥ 0: if b·d < 0 there is none. What solvers find in its place are forces so great
//! that b is lost in the rounding of W r, beside which the residual is nothing.
//!
//! **Many.** r and r + t d are both solutions if W d = 0 and d leads along or into the sets of contacts that stick.
//!
//! Both ask for the point of a cone nearest to some x, the cone being what a kernel and signs of components have in common
//! ([`Unseen::nearest`]). By Moreau's theorem the nearest point to x is 0 if and only if x·d ≤ 0 for all d of the cone.

use stickslip_linalg::{Matrix, NoConvergence, kernel};

use super::{Problem, greatest};
use crate::law::{Law, Product};

/// Iterations of the search for the nearest point; where no sign matters one is enough.
const ITERATIONS: usize = 2000;

/// What moves by less than this share is at its end.
const STILL: f64 = 1e-15;

/// Components below this share of the greatest are none.
const NOTHING: f64 = 1e-9;

/// Cancellation to so many roundings of each term of a row is complete.
const ROUNDINGS: f64 = 64.0;

/// b against such a direction by less than this share of its terms is rounding.
const DRIVEN: f64 = 1e-9;

/// Forces that make up to so many times max|b| have not run away.
const USUAL: f64 = 1e3;

/// What a component of a direction may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Anything.
    Any,
    /// 0 or more.
    Up,
    /// 0 or less.
    Down,
}

impl Sign {
    fn clip(self, v: f64) -> f64 {
        match self {
            Sign::Any => v,
            Sign::Up => v.max(0.0),
            Sign::Down => v.min(0.0),
        }
    }
}

/// { d : A d = 0, signs of components as given }.
pub(super) struct Unseen<'a> {
    /// Rows that must be zero.
    pub rows: &'a Matrix,
    /// One for each column.
    pub signs: &'a [Sign],
}

impl Unseen<'_> {
    /// The point nearest to x, to rounding; none where it was not found, or cannot be told from 0 or from what W sees.
    ///
    /// Dykstra's projections tell which components are not 0; among these it is a projection on a kernel.
    pub(super) fn nearest(&self, x: &[f64]) -> Result<Option<Vec<f64>>, NoConvergence> {
        let all: Vec<usize> = (0..x.len()).collect();
        let near = self.dykstra(&self.kernel_of(&all)?, x);
        let size = largest(&near);
        if size <= NOTHING * largest(x) {
            return Ok(Some(vec![0.0; x.len()]));
        }
        let some: Vec<usize> = all.into_iter().filter(|&k| near[k].abs() > NOTHING * size).collect();
        let basis = self.kernel_of(&some)?;
        let own: Vec<f64> = some.iter().map(|&k| x[k]).collect();
        let mut d = vec![0.0; x.len()];
        some.iter().zip(project(&basis, &own)).for_each(|(&k, v)| d[k] = v);
        let kept = d.iter().zip(self.signs).all(|(v, sign)| sign.clip(*v) == *v);
        Ok((kept && self.is_zero(&d)).then_some(d))
    }

    /// The kernel of some columns.
    fn kernel_of(&self, columns: &[usize]) -> Result<Matrix, NoConvergence> {
        kernel(&Matrix::from_fn(self.rows.rows(), columns.len(), |i, k| self.rows[(i, columns[k])]))
    }

    fn dykstra(&self, basis: &Matrix, x: &[f64]) -> Vec<f64> {
        let mut inside = project(basis, x);
        let (mut rest, mut near) = (vec![0.0; x.len()], inside.clone());
        for _ in 0..ITERATIONS {
            let last = near.clone();
            for k in 0..x.len() {
                let sum = inside[k] + rest[k];
                near[k] = self.signs[k].clip(sum);
                rest[k] = sum - near[k];
            }
            inside = project(basis, &near);
            let most = STILL * largest(x);
            let still = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most);
            if still(&inside, &near) || (still(&near, &last) && largest(&near) <= most) {
                break;
            }
        }
        near
    }

    /// Whether the terms of each row cancel to rounding, however large or small they are.
    fn is_zero(&self, d: &[f64]) -> bool {
        (0..self.rows.rows()).all(|i| {
            let terms = || self.rows.row(i).iter().zip(d).map(|(a, d)| a * d);
            let size: f64 = terms().map(f64::abs).sum();
            terms().sum::<f64>().abs() <= ROUNDINGS * f64::EPSILON * d.len() as f64 * size
        })
    }
}

/// On the span of orthonormal columns.
fn project(basis: &Matrix, x: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; x.len()];
    for j in 0..basis.cols() {
        let along: f64 = x.iter().enumerate().map(|(k, x)| basis[(k, j)] * x).sum();
        found.iter_mut().enumerate().for_each(|(k, v)| *v += along * basis[(k, j)]);
    }
    found
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, v| greatest(m, v.abs()))
}

impl Problem<'_, Matrix> {
    /// A direction along which forces can grow for ever, which makes no slip and which b drives on: if there is one there is no solution.
    /// None where it was not found; contacts with cones have no part in it.
    pub fn runaway(&self) -> Result<Option<Vec<f64>>, NoConvergence> {
        let (free, signs): (Vec<usize>, Vec<Sign>) = unbounded(self.c).into_iter().unzip();
        if free.is_empty() {
            return Ok(None);
        }
        // Contacts that no force moves have no scale of their own, and need none.
        let driven = |&(k, sign): &(usize, Sign)| {
            self.w.row(k).iter().all(|w| *w == 0.0) && self.b[k] != 0.0 && sign.clip(-self.b[k]) == -self.b[k]
        };
        if let Some((k, _)) = free.iter().copied().zip(signs.iter().copied()).find(driven) {
            let mut d = vec![0.0; self.b.len()];
            d[k] = -self.b[k];
            return Ok(Some(d));
        }
        // In forces scaled by √w heavy and light contacts count alike.
        let scale: Vec<f64> = self.weights().iter().map(|w| w.sqrt()).collect();
        let rows = Matrix::from_fn(self.b.len(), free.len(), |i, k| self.w[(free[k], i)] / (scale[free[k]] * scale[i]));
        let drive: Vec<f64> = free.iter().map(|&k| -self.b[k] / scale[k]).collect();
        let Some(found) = (Unseen { rows: &rows, signs: &signs }).nearest(&drive)? else { return Ok(None) };
        let (push, terms) = found.iter().zip(&drive).fold((0.0, 0.0), |(push, terms), (d, b)| {
            let term = d * b;
            (push + term, terms + term.abs())
        });
        if push.is_nan() || push <= DRIVEN * terms {
            return Ok(None);
        }
        let mut d = vec![0.0; self.b.len()];
        free.iter().zip(&found).for_each(|(&k, v)| d[k] = v / scale[k]);
        Ok(Some(d))
    }

    /// Whether forces without a bound are so great beside b that they may have run away.
    pub fn may_have_run_away(&self, r: &[f64]) -> bool {
        let (most, weights) = (USUAL * largest(self.b), self.weights());
        unbounded(self.c).iter().any(|&(k, _)| weights[k] * r[k].abs() > most)
    }
}

/// Components that can grow for ever, and which way.
fn unbounded(c: &Product) -> Vec<(usize, Sign)> {
    let sign = |law: &Law| match law {
        Law::Interval(c) => match (c.lo() == f64::NEG_INFINITY, c.hi() == f64::INFINITY) {
            (true, true) => Some(Sign::Any),
            (true, false) => Some(Sign::Down),
            (false, true) => Some(Sign::Up),
            (false, false) => None,
        },
        Law::HalfLine(_) => Some(Sign::Up),
        Law::Disk(_) | Law::Cone(_) => None,
    };
    c.iter().filter_map(|(law, at)| sign(law).map(|sign| (at.start, sign))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{HalfLine, Interval};

    fn any() -> Law {
        Law::Interval(Interval::new(f64::NEG_INFINITY, f64::INFINITY).expect("ordered"))
    }

    fn runs_away(w: &[&[f64]], b: &[f64], c: &[Law]) -> bool {
        let (w, c) = (Matrix::from_rows(w), Product::new(c.to_vec()));
        Problem { w: &w, b, c: &c }.runaway().expect("finite").is_some()
    }

    #[test]
    fn b_outside_of_the_range_of_w_has_no_solution() {
        let (row, w): (_, [&[f64]; 2]) = (any(), [&[9.0, -3.0], &[-3.0, 1.0]]);
        assert!(runs_away(&w, &[0.0, -1.0], &[row, row]));
        assert!(!runs_away(&w, &[-3.0, 1.0], &[row, row]));
        // The direction is (1, 3): half-lines can follow it forwards only.
        let half = Law::HalfLine(HalfLine);
        assert!(runs_away(&w, &[0.0, -1.0], &[half, half]));
        assert!(!runs_away(&w, &[0.0, 1.0], &[half, half]));
        // A bound ends it.
        let bounded = Law::Interval(Interval::symmetric(1.0).expect("≥ 0"));
        assert!(!runs_away(&w, &[0.0, -1.0], &[row, bounded]));
        // A contact that nothing moves, beside one of a much larger scale.
        assert!(runs_away(&[&[1e20, 0.0], &[0.0, 0.0]], &[1e9, -1e-9], &[row, half]));
        assert!(!runs_away(&[&[1e20, 0.0], &[0.0, 0.0]], &[1e9, 1e-9], &[row, half]));
        // However large or small: nothing is said of a W that is far from singular.
        assert!(!runs_away(&[&[1.0, 0.0], &[0.0, 1e-30]], &[0.0, -1.0], &[row, row]));
    }

    /// The nearest point of a cone between two directions of a plane: 0, on an edge, or inside.
    #[test]
    fn nearest_points_of_a_cone() {
        // d = (x, y, x + y): the signs leave the quarter x, y ≥ 0.
        let rows = Matrix::from_rows(&[&[1.0, 1.0, -1.0]]);
        let cone = Unseen { rows: &rows, signs: &[Sign::Up, Sign::Up, Sign::Any] };
        let near = |x: [f64; 3]| cone.nearest(&x).expect("finite").expect("found");
        assert_eq!(near([-1.0, -1.0, -2.0]), vec![0.0; 3]);
        let inside = near([1.0, 2.0, 3.0]);
        assert!(inside.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-14), "{inside:?}");
        // Of points t (1, 0, 1) the nearest to (1, −3, 0) has t = ½.
        let edge = near([1.0, -3.0, 0.0]);
        assert!(edge.iter().zip([0.5, 0.0, 0.5]).all(|(a, b)| (a - b).abs() < 1e-14), "{edge:?}");
    }
}
