//! One contact in the plane: a scalar equation.
//!
//! ```text
//! u = b − W λ,   |λ| ≤ 1,   u = s λ with s ≥ 0 (s = 0 unless |λ| = 1)
//! ```
//!
//! λ is the force against the slip as a share of the bound, W its influence (2×2, symmetric positive definite, bound
//! and step included) and b the slip without it. If |W⁻¹ b| ≤ 1 the contact sticks. Else s is the only positive root
//! of N(s) = |(W + s)⁻¹ b| = 1. 1/N is concave and increases, so that Newton's method for 1/N = 1 from the left of the
//! root never passes it; s₀ = max(0, |b| − tr W) lies to the left.

use stickslip_linalg::Matrix;

use super::{SolveError, Solved, Solver};
use crate::law::{Law, Product, State};

/// Newton steps before rounding is taken to be all that is left. Four suffice for W with a condition of 10⁴.
const STEPS: usize = 60;

/// Between these determinants of W nothing in [`OneDisk::solve`] underflows or overflows for slips that are velocities of
/// machines; beyond, W and b are scaled first.
const TINY: f64 = 1e-200;
const HUGE: f64 = 1e200;

/// An influence smaller than this share of the slip changes no digit of it.
const NEGLIGIBLE: f64 = 1e-20;

/// Newton's method ends where what it would do next is less than this share of s.
const LAST: f64 = f64::EPSILON / 8.0;

/// How a contact in the plane acts on its own slip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneDisk {
    w11: f64,
    w12: f64,
    w22: f64,
}

/// The solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// u; both components exactly 0.0 where the contact sticks.
    pub slip: [f64; 2],
    /// λ: the force on the system is −λ times the bound.
    pub share: [f64; 2],
    /// Whether the contact sticks.
    pub sticks: bool,
    /// |b − W λ − u|, in the unit of u.
    pub residual: f64,
}

impl OneDisk {
    /// W = [[w11, w12], [w12, w22]], positive definite; or zero for a contact that transmits nothing.
    pub fn new(w11: f64, w12: f64, w22: f64) -> OneDisk {
        OneDisk { w11, w12, w22 }
    }

    /// w12 x, for a diagonal W zero in the code, too.
    #[inline(always)]
    fn across(&self, diagonal: bool, x: f64) -> f64 {
        if diagonal { 0.0 } else { self.w12 * x }
    }

    /// (W + s)⁻¹ x.
    #[inline(always)]
    fn shifted_inverse(&self, diagonal: bool, s: f64, x: [f64; 2]) -> [f64; 2] {
        let (a, c) = (self.w11 + s, self.w22 + s);
        let per = 1.0 / (a * c - self.across(diagonal, self.w12));
        [(c * x[0] - self.across(diagonal, x[1])) * per, (a * x[1] - self.across(diagonal, x[0])) * per]
    }

    /// |b − W λ − u|.
    #[inline(always)]
    fn left(&self, diagonal: bool, b: [f64; 2], share: [f64; 2], slip: [f64; 2]) -> f64 {
        let left = [
            b[0] - self.w11 * share[0] - self.across(diagonal, share[1]) - slip[0],
            b[1] - self.across(diagonal, share[0]) - self.w22 * share[1] - slip[1],
        ];
        (left[0] * left[0] + left[1] * left[1]).sqrt()
    }

    /// The same where the determinant of W is out of range: bounds of 1e-300 N and 1e300 N are bounds, too.
    #[cold]
    fn rescaled(&self, b: [f64; 2]) -> Slide {
        let (own, size) = (self.w11.max(self.w22), b[0].hypot(b[1]));
        if own == 0.0 && self.w12 == 0.0 {
            let sticks = b == [0.0; 2];
            return Slide { slip: b, share: [0.0; 2], sticks, residual: 0.0 };
        }
        if own <= NEGLIGIBLE * size && size.is_finite() {
            let share = b.map(|b| b / size);
            // What the force changes is below rounding of the slip: all of the influence is in doubt.
            return Slide { slip: b, share, sticks: false, residual: own };
        }
        // Powers of two: no digit is lost. Two factors, since 1/5e-324 is beyond the greatest number.
        let (first, whole) = ((-0.5 * own.log2()).floor(), (-own.log2()).floor());
        let (one, two) = (first.exp2(), (whole - first).exp2());
        let scaled = |x: f64| x * one * two;
        let unit = OneDisk::new(scaled(self.w11), scaled(self.w12), scaled(self.w22));
        let determinant = unit.w11 * unit.w22 - unit.w12 * unit.w12;
        if !(TINY..=HUGE).contains(&determinant) {
            let nothing = [f64::NAN; 2];
            return Slide { slip: nothing, share: nothing, sticks: false, residual: f64::NAN };
        }
        let Slide { slip, share, sticks, residual } = unit.solve(b.map(scaled));
        let back = |x: f64| x / one / two;
        Slide { slip: slip.map(back), share, sticks, residual: back(residual) }
    }

    /// The slip and the force for the slip b without force.
    #[inline(always)]
    pub fn solve(&self, b: [f64; 2]) -> Slide {
        if self.w12 == 0.0 { self.solve_as(true, b) } else { self.solve_as(false, b) }
    }

    /// The same, compiled for a diagonal W and for any.
    #[inline(always)]
    fn solve_as(&self, diagonal: bool, b: [f64; 2]) -> Slide {
        let determinant = self.w11 * self.w22 - self.across(diagonal, self.w12);
        if !(TINY..=HUGE).contains(&determinant) {
            return self.rescaled(b);
        }
        let held = self.shifted_inverse(diagonal, 0.0, b);
        let square = held[0] * held[0] + held[1] * held[1];
        if square <= 1.0 {
            let residual = self.left(diagonal, b, held, [0.0; 2]);
            return Slide { slip: [0.0; 2], share: held, sticks: true, residual };
        }
        let far = (b[0] * b[0] + b[1] * b[1]).sqrt() - (self.w11 + self.w22);
        let mut s = if far > 0.0 { far } else { 0.0 };
        let mut share = held;
        let mut length = square.sqrt();
        if s > 0.0 {
            share = self.shifted_inverse(diagonal, s, b);
            length = (share[0] * share[0] + share[1] * share[1]).sqrt();
        }
        for _ in 0..STEPS {
            let turned = self.shifted_inverse(diagonal, s, share);
            let slope = share[0] * turned[0] + share[1] * turned[1];
            let step = (length - 1.0) * length * length / slope;
            // With A = (W + s)⁻¹ and λ = A b, (1/N)''/(2 (1/N)') is −3/2 (λ × Aλ)²/(|λ|² λ·Aλ): what is left after a step e is that times e².
            let turn = (share[0] * turned[1] - share[1] * turned[0]) / slope;
            let next = 1.5 * turn * turn * (length - 1.0) * step;
            // Steps only make s greater; one that does not is rounding, or none at all.
            if s + step > s {
                s += step;
            } else {
                break;
            }
            share = self.shifted_inverse(diagonal, s, b);
            length = (share[0] * share[0] + share[1] * share[1]).sqrt();
            if next <= LAST * s && step <= 0.5 * s {
                break;
            }
        }
        let share = [share[0] / length, share[1] / length];
        let slip = [s * share[0], s * share[1]];
        Slide { slip, share, sticks: false, residual: self.left(diagonal, b, share, slip) }
    }
}

/// A determinant smaller than this share of w11 w22 leaves W⁻¹ b more rounding than solutions may have.
const ROUND: f64 = 1e-2;

/// W of one disk whose bound is not in it yet.
#[derive(Debug, Clone, Copy)]
pub struct AnyBound {
    w: [f64; 3],
}

impl Solver for AnyBound {
    const NAME: &'static str = "one disk";

    fn accept(w: &Matrix, c: &Product) -> Option<AnyBound> {
        let disk = c.len() == 1 && matches!(c.iter().next(), Some((Law::Disk(_), _)));
        if !disk || w.rows() != 2 || w.cols() != 2 || w[(0, 1)] != w[(1, 0)] {
            return None;
        }
        let [w11, w12, w22] = [w[(0, 0)], w[(0, 1)], w[(1, 1)]];
        let regular = w11 > 0.0 && w11 * w22 - w12 * w12 >= ROUND * w11.max(w22) * w11.max(w22);
        regular.then_some(AnyBound { w: [w11, w12, w22] })
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, _: &Solved) -> Result<Solved, SolveError> {
        let (Some((Law::Disk(disk), _)), &[b1, b2]) = (c.iter().next(), b) else { return Err(SolveError::Form) };
        let [w11, w12, w22] = self.w.map(|w| w * disk.radius());
        let Slide { slip, share, sticks, residual } = OneDisk::new(w11, w12, w22).solve([b1, b2]);
        if residual.is_nan() {
            return Err(SolveError::NotFinite);
        }
        let state = if sticks { State::Stick } else { State::Slip(share) };
        let r = share.map(|share| -share * disk.radius()).to_vec();
        Ok(Solved { r, s: slip.to_vec(), states: vec![state], residual: Some(residual) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_round_influence_has_a_closed_form() {
        // W = w I: u = b (1 − w/|b|) outside the disk.
        let disk = OneDisk::new(0.5, 0.0, 0.5);
        let slide = disk.solve([3.0, 4.0]);
        assert!((slide.slip[0] - 2.7).abs() < 1e-15 && (slide.slip[1] - 3.6).abs() < 1e-15);
        assert!((slide.share[0] - 0.6).abs() < 1e-15 && !slide.sticks);
        let slide = disk.solve([0.3, 0.4]);
        assert_eq!((slide.slip, slide.sticks), ([0.0; 2], true));
        let nothing = OneDisk::new(0.0, 0.0, 0.0);
        assert_eq!((nothing.solve([1.0, 2.0]).slip, nothing.solve([1.0, 2.0]).share), ([1.0, 2.0], [0.0; 2]));
        assert_eq!((nothing.solve([0.0; 2]).share, nothing.solve([0.0; 2]).sticks), ([0.0; 2], true));
    }

    /// The law knows no units: influences from 5e-324 to 1e300 give the answers of 1, scaled.
    #[test]
    fn bounds_of_any_size_give_the_same_shares() {
        let at = |size: f64, b: [f64; 2]| OneDisk::new(2.0 * size, 0.5 * size, size).solve(b.map(|b| b * size));
        for b in [[0.3, -0.2], [3.0, -4.0], [0.0, 0.0]] {
            let one = at(1.0, b);
            for size in [1e-300, 1e-160, 1e-101, 1e100, 1e160, 1e300] {
                let other = at(size, b);
                assert_eq!(other.sticks, one.sticks, "{size:e}");
                for k in 0..2 {
                    assert!((other.share[k] - one.share[k]).abs() <= 1e-15, "{size:e} {other:?}");
                    assert!((other.slip[k] / size - one.slip[k]).abs() <= 4e-15, "{size:e} {other:?}");
                }
                assert!(other.residual <= 4e-15 * size, "{size:e} {other:?}");
            }
        }
        // Next to nothing against the slip, down to the smallest number there is.
        for size in [1e-300, 1e-310, f64::from_bits(1)] {
            let slide = OneDisk::new(size, 0.0, size).solve([3.0, 4.0]);
            assert!(slide.slip == [3.0, 4.0] && !slide.sticks && slide.share == [0.6, 0.8], "{slide:?}");
            assert!(OneDisk::new(size, 0.0, size).solve([0.0; 2]).sticks);
        }
        assert!(OneDisk::new(1.0, 0.0, 1.0).solve([f64::NAN, 0.0]).residual.is_nan());
        assert!(OneDisk::new(f64::NAN, 0.0, 1.0).solve([1.0, 0.0]).residual.is_nan());
    }

    proptest! {
        #[test]
        fn obeys_the_law(size in -6.0..6.0_f64, b in [-1.0..1.0_f64, -1.0..1.0_f64], w1 in 0.01..100.0_f64,
                         w2 in 0.01..100.0_f64, turn in 0.0..3.2_f64) {
            let (sin, cos) = turn.sin_cos();
            let disk = OneDisk::new(
                w1 * cos * cos + w2 * sin * sin, (w1 - w2) * sin * cos, w1 * sin * sin + w2 * cos * cos);
            let b = b.map(|x| x * 10_f64.powf(size));
            let slide = disk.solve(b);
            let scale = b[0].hypot(b[1]) + w1 + w2;
            // The forces that hold are as uncertain as W is ill-conditioned.
            let condition = if slide.sticks { (w1 / w2).max(w2 / w1) } else { 1.0 };
            prop_assert!(slide.residual <= 1e-14 * condition * scale, "{slide:?}");
            let share = slide.share[0].hypot(slide.share[1]);
            if slide.sticks {
                prop_assert!(share <= 1.0 && slide.slip == [0.0; 2]);
            } else {
                prop_assert!((share - 1.0).abs() <= 4.0 * f64::EPSILON);
                let across = slide.slip[0] * slide.share[1] - slide.slip[1] * slide.share[0];
                prop_assert!(across.abs() <= 1e-15 * scale);
                prop_assert!(slide.slip[0] * slide.share[0] + slide.slip[1] * slide.share[1] >= 0.0);
            }
        }
    }
}
