//! `Coupled` and `OneDisk` on random problems of every kind, judged by the law and by other methods.
//!
//! Everything is recomputed from what the solvers give out: W and b from S and H by elimination, slips as W r + b, and
//! −s ∈ N_C(r) as a gap of powers,
//!
//! ```text
//! g_i = s_i·r_i + max { −s_i·y : y ∈ C_i } ≥ 0,      zero if and only if −s_i is normal to C_i at r_i.
//! ```
//!
//! Two answers with the gaps g and g′ have (r−r′)ᵀW(r−r′) ≤ g + g′, so that their slips differ by at most √(w_ii (g + g′)):
//! slips are compared with those of a plain projected Gauss–Seidel method to what both gaps leave open.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use stickslip_core::inclusion::coupled::{Answer, Bounds, Mode, Symmetric};
use stickslip_core::inclusion::{Coupled, OneDisk, Rows};

/// What slips may be off, as a share of the slips and of what the forces do to them: ten times the solver's tolerance, for sums
/// of a dozen terms.
const SHARE: f64 = 1e-11;

/// A problem by its data.
#[derive(Debug, Clone)]
struct Case {
    s: Symmetric,
    rows: Vec<Vec<(usize, f64)>>,
    dims: Vec<usize>,
    h: f64,
    p: Vec<f64>,
    u: Vec<f64>,
    bounds: Vec<Bounds>,
}

/// W, row after row, b, and the greatest velocity without forces, of whose rounding b may consist.
struct Dense {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
    fastest: f64,
}

impl Case {
    fn solve(&self) -> Result<Answer, TestCaseError> {
        let mut rows = Rows::default();
        self.rows.iter().for_each(|row| rows.push(row.iter().copied()));
        let moving = self.u.iter().any(|u| *u != 0.0);
        let fault = |what: String| TestCaseError::fail(format!("{what} for {self:?}"));
        let mut coupled =
            Coupled::new(&self.s, rows, &self.dims, self.h, moving).ok_or_else(|| fault("not definite".into()))?;
        let mut answer = coupled.answer();
        // The second time from a warm start.
        for _ in 0..2 {
            coupled.solve(&self.p, &self.u, &self.bounds, &mut answer).map_err(|e| fault(e.to_string()))?;
        }
        Ok(answer)
    }

    /// First component of each contact.
    fn contacts(&self) -> Vec<std::ops::Range<usize>> {
        let mut start = 0;
        let range = |dim: &usize| {
            start += dim;
            start - dim..start
        };
        self.dims.iter().map(range).collect()
    }

    /// S x.
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut y: Vec<f64> = self.s.diagonal.iter().zip(x).map(|(d, x)| d * x).collect();
        for &(i, j, value) in &self.s.below {
            y[i] += value * x[j];
            y[j] += value * x[i];
        }
        y
    }

    /// S⁻¹ x by elimination with the greatest pivots.
    fn eliminate(&self, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let mut a: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let unit: Vec<f64> = (0..n).map(|i| f64::from(i == j)).collect();
                let mut row = self.apply(&unit);
                row.push(x[j]);
                row
            })
            .collect();
        for k in 0..n {
            let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).expect("k < n");
            a.swap(k, pivot);
            let own = a[k].clone();
            for row in a.iter_mut().skip(k + 1) {
                let factor = row[k] / own[k];
                row.iter_mut().zip(&own).for_each(|(a, b)| *a -= factor * b);
            }
        }
        let mut y = vec![0.0; n];
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| a[k][j] * y[j]).sum();
            y[k] = (a[k][n] - known) / a[k][k];
        }
        y
    }

    fn dense(&self) -> Dense {
        let dot = |row: &[(usize, f64)], x: &[f64]| row.iter().map(|(i, a)| a * x[*i]).sum::<f64>();
        let columns: Vec<Vec<f64>> = self.rows.iter().map(|row| self.eliminate(&self.pushed(row, self.h))).collect();
        let w = self.rows.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect();
        let free = self.eliminate(&self.p);
        let fastest = free.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        Dense { w, b: self.rows.iter().zip(&self.u).map(|(row, u)| dot(row, &free) + u).collect(), fastest }
    }

    /// A row times a number, as a list of all velocities.
    fn pushed(&self, row: &[(usize, f64)], factor: f64) -> Vec<f64> {
        let mut list = vec![0.0; self.p.len()];
        row.iter().for_each(|(i, a)| list[*i] += factor * a);
        list
    }

    /// What slips may be off.
    fn allowed(&self, dense: &Dense, r: &[f64]) -> f64 {
        let size = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let influence = (0..r.len()).fold(0.0_f64, |m, i| m.max(dense.w[i][i] * size(r)));
        // S has conditions of some tens.
        SHARE * (size(&dense.b) + influence) + 64.0 * f64::EPSILON * dense.fastest
    }

    /// Σ g_i of forces.
    fn gap(&self, dense: &Dense, r: &[f64]) -> f64 {
        let s = dense.slips(r);
        self.contacts().into_iter().zip(&self.bounds).map(|(at, bounds)| gap(bounds, &r[at.clone()], &s[at])).sum()
    }

    /// All that is asked of an answer.
    fn accept(&self, answer: &Answer) -> Result<(), TestCaseError> {
        let dense = self.dense();
        let s = dense.slips(&answer.r);
        let allowed = self.allowed(&dense, &answer.r);
        prop_assert!(answer.residual <= allowed, "residual {} above {allowed} for {self:?}", answer.residual);
        for (c, at) in self.contacts().into_iter().enumerate() {
            let (bounds, mode) = (self.bounds[c], answer.modes[c]);
            let (r, own, law) = (&answer.r[at.clone()], &answer.s[at.clone()], &s[at.clone()]);
            let told = || format!("contact {c}, {mode:?}, r = {r:?}, s = {own:?}, by the law {law:?} for {self:?}");
            let miss = own.iter().zip(law).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            prop_assert!(miss <= allowed, "slip off by {miss} > {allowed}: {}", told());
            let most = bounds.hi.abs().max(if at.len() == 1 { bounds.lo.abs() } else { 0.0 });
            let length = r.iter().map(|r| r * r).sum::<f64>().sqrt();
            let edge = 4.0 * f64::EPSILON * most;
            let inside = if let [r] = r { *r >= bounds.lo && *r <= bounds.hi } else { length <= bounds.hi + edge };
            prop_assert!(inside, "beyond its bounds: {}", told());
            prop_assert!(gap(&bounds, r, law) <= 3.0 * most * allowed, "gap {}: {}", gap(&bounds, r, law), told());
            let right = match mode {
                Mode::Stick => own.iter().all(|s| *s == 0.0),
                Mode::Forward => (r[0] - bounds.lo).abs() <= edge && own[0] >= -allowed,
                Mode::Backward => (r[0] - bounds.hi).abs() <= edge && own[0] <= allowed,
                Mode::Sliding => (length - bounds.hi).abs() <= edge,
            };
            prop_assert!(right, "the mode does not fit: {}", told());
        }
        // Momentum: S v = p + h Hᵀ r.
        let (left, mut right) = (self.apply(&answer.v), self.p.clone());
        for (row, r) in self.rows.iter().zip(&answer.r) {
            let push = self.pushed(row, self.h * r);
            right.iter_mut().zip(push).for_each(|(p, q)| *p += q);
        }
        let own = self.s.diagonal.iter().fold(0.0_f64, |m, d| m.max(*d));
        let size = answer.v.iter().zip(&right).fold(0.0_f64, |m, (v, p)| m.max(own * v.abs()).max(p.abs()));
        for (a, b) in left.iter().zip(&right) {
            prop_assert!((a - b).abs() <= SHARE * size + own * allowed, "momentum {a} {b} for {self:?}");
        }
        self.agrees_with_gauss_seidel(&dense, answer, allowed)
    }

    /// Against a method that shares nothing with the solver.
    fn agrees_with_gauss_seidel(&self, dense: &Dense, answer: &Answer, allowed: f64) -> Result<(), TestCaseError> {
        let other = self.gauss_seidel(dense);
        let most = self.bounds.iter().fold(0.0_f64, |m, b| m.max(b.hi.abs()).max(b.lo.abs()));
        let open = self.gap(dense, &answer.r) + self.gap(dense, &other);
        let seen = SEEN.fetch_add(1, Ordering::Relaxed) + 1;
        if open > 1e-6 * most * allowed / SHARE {
            // Plain sweeps crawl where springs are stiff: counted.
            let slow = SLOW.fetch_add(1, Ordering::Relaxed) + 1;
            prop_assert!(slow <= 5 + seen / 20, "{slow} of {seen} problems are too stiff for plain sweeps");
            return Ok(());
        }
        for (i, (a, b)) in dense.slips(&answer.r).iter().zip(dense.slips(&other)).enumerate() {
            let reach = (dense.w[i][i] * open.max(0.0)).sqrt() + 2.0 * allowed;
            prop_assert!((a - b).abs() <= reach, "slip {i}: {a}, by plain sweeps {b} ± {reach} for {self:?}");
        }
        Ok(())
    }

    fn gauss_seidel(&self, dense: &Dense) -> Vec<f64> {
        let mut r = vec![0.0; dense.b.len()];
        for _ in 0..3000 {
            for (at, bounds) in self.contacts().into_iter().zip(&self.bounds) {
                let own: f64 = at.clone().map(|i| dense.w[i][i]).sum();
                if own == 0.0 {
                    continue;
                }
                let slip = |i: usize| dense.w[i].iter().zip(&r).map(|(w, r)| w * r).sum::<f64>() + dense.b[i];
                let mut next: Vec<f64> = at.clone().map(|i| r[i] - slip(i) / own).collect();
                if let [next] = &mut next[..] {
                    *next = next.clamp(bounds.lo, bounds.hi);
                } else {
                    let length = next[0].hypot(next[1]);
                    let factor = if length > bounds.hi { bounds.hi / length } else { 1.0 };
                    next.iter_mut().for_each(|x| *x *= factor);
                }
                r[at].copy_from_slice(&next);
            }
        }
        r
    }
}

/// Problems that were compared with plain sweeps, and those for which these were too slow.
static SEEN: AtomicUsize = AtomicUsize::new(0);
static SLOW: AtomicUsize = AtomicUsize::new(0);

impl Dense {
    /// W r + b.
    fn slips(&self, r: &[f64]) -> Vec<f64> {
        self.w.iter().zip(&self.b).map(|(w, b)| w.iter().zip(r).map(|(w, r)| w * r).sum::<f64>() + b).collect()
    }
}

/// s·r + max { −s·y : y ∈ C }.
fn gap(bounds: &Bounds, r: &[f64], s: &[f64]) -> f64 {
    match (r, s) {
        ([r], [s]) => s * r + (-s * bounds.lo).max(-s * bounds.hi),
        _ => s.iter().zip(r).map(|(s, r)| s * r).sum::<f64>() + bounds.hi * s[0].hypot(s[1]),
    }
}

/// Numbers to draw from, one after the other.
struct Draw<'a>(std::slice::Iter<'a, f64>);

impl Draw<'_> {
    fn unit(&mut self) -> f64 {
        *self.0.next().expect("enough numbers")
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// −1…1, or a small whole number where ties are wanted.
    fn signed(&mut self, ties: bool) -> f64 {
        let x = 2.0 * self.unit() - 1.0;
        if ties { (3.0 * x).round() } else { x }
    }
}

/// Bodies on lines and in the plane; contacts on the ground and between bodies, on lines, in the plane, or the same once more;
/// symmetric bounds, others, and none.
fn case(numbers: &[f64], ties: bool, springs: bool, moving: bool, sizes: [f64; 3]) -> Case {
    let mut draw = Draw(numbers.iter());
    let [mass, force, h] = sizes;
    let n = 2 + draw.below(5);
    let mut diagonal: Vec<f64> = (0..n).map(|_| if ties { 1.0 } else { 0.2 + 3.0 * draw.unit() }).collect();
    let mut below = Vec::new();
    if springs {
        for i in 1..n {
            let k = 2.0 * draw.unit();
            diagonal[i] += k;
            diagonal[i - 1] += k;
            below.push((i, i - 1, -k * mass));
        }
    }
    diagonal.iter_mut().for_each(|d| *d *= mass);
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let (mut dims, mut bounds) = (Vec::<usize>::new(), Vec::new());
    for _ in 0..1 + draw.below(5) {
        let (i, j) = (draw.below(n), draw.below(n));
        let kind = draw.below(5);
        match kind {
            // On the ground, and against another body.
            0 => rows.push(vec![(i, 1.0)]),
            1 if i != j => rows.push(vec![(i, 1.0), (j, -1.0)]),
            // In the plane: two velocities, one of them with a lever.
            2 if i != j => {
                let k = (j + 1) % n;
                rows.push(vec![(i, 1.0)]);
                rows.push(if k != j { vec![(j, 1.0), (k, 0.5)] } else { vec![(j, 1.0)] });
            }
            // The contact before once more: its load is shared.
            3 if !dims.is_empty() => {
                let start = rows.len() - dims[dims.len() - 1];
                rows.extend_from_within(start..);
            }
            _ => rows.push(vec![(i, 2.0)]),
        }
        dims.push(rows.len() - dims.iter().sum::<usize>());
        let a = if ties { (4.0 * draw.unit()).floor() } else { 3.0 * draw.unit() };
        let b = if ties { (4.0 * draw.unit()).floor() } else { 3.0 * draw.unit() };
        bounds.push(match draw.below(5) {
            0 => Bounds::symmetric(0.0),
            1 if dims[dims.len() - 1] == 1 => Bounds { lo: -a * force, hi: b * force },
            2 if dims[dims.len() - 1] == 1 => Bounds { lo: 0.0, hi: b * force },
            _ => Bounds::symmetric(a * force),
        });
    }
    let p = (0..n).map(|_| 4.0 * draw.signed(ties) * force * h).collect();
    let belts = force * h / mass;
    let u = rows.iter().map(|_| if moving { belts * draw.signed(ties) } else { 0.0 });
    let u = u.collect();
    Case { s: Symmetric { diagonal, below }, rows, dims, h, p, u, bounds }
}

/// Masses and forces over eight decades each, steps over four.
fn sizes() -> impl Strategy<Value = [f64; 3]> {
    [-4.0..4.0_f64, -4.0..4.0_f64, -4.0..0.0_f64].prop_map(|e| e.map(|e| 10_f64.powf(e)))
}

fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0..1.0_f64, 64)
}

/// Slips of two answers to one problem in other words.
fn same_slips(case: &Case, own: &[f64], other: &[f64], gaps: f64) -> Result<(), TestCaseError> {
    let dense = case.dense();
    let allowed = case.allowed(&dense, &case.solve()?.r);
    for (i, (a, b)) in own.iter().zip(other).enumerate() {
        let reach = (dense.w[i][i] * gaps.max(0.0)).sqrt() + 2.0 * allowed;
        prop_assert!((a - b).abs() <= reach, "slip {i}: {a}, in other words {b} ± {reach} for {case:?}");
    }
    Ok(())
}

/// A body on two belts of different speeds, with a third contact that slips: the first belt, geared two to one, holds it at
/// 0.75 m/s with 1.75 N; the second drags with all of its 1 N. Both cannot hold, though both have the forces of a compromise.
#[test]
fn two_belts_cannot_both_hold_while_a_third_contact_slips() {
    for idle in [0, 1, 2] {
        let gears = [vec![2.0], vec![1.0; idle], vec![1.0]].concat();
        let most = [vec![3.0], vec![0.0; idle], vec![1.0]].concat();
        let case = Case {
            s: Symmetric { diagonal: vec![1.0], below: Vec::new() },
            rows: gears.iter().map(|a| vec![(0, *a)]).collect(),
            dims: vec![1; gears.len()],
            h: 0.5,
            p: vec![2.0],
            u: vec![-1.5; gears.len()],
            bounds: most.iter().map(|a| Bounds::symmetric(*a)).collect(),
        };
        let answer = case.solve().expect("solves");
        case.accept(&answer).expect("by the law");
        assert!((answer.v[0] - 0.75).abs() < 1e-14, "{answer:?}");
        assert!((answer.r[0] + 1.75).abs() < 1e-11 && answer.r[idle + 1] == 1.0, "{answer:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn coupled_obeys_the_law(
        numbers in numbers(), ties in any::<bool>(), springs in any::<bool>(), moving in any::<bool>(), sizes in sizes(),
    ) {
        let case = case(&numbers, ties, springs, moving, if ties { [1.0, 1.0, 0.5] } else { sizes });
        case.accept(&case.solve()?)?;
    }

    /// Mirrored, in another order, and in other units it is the same problem.
    #[test]
    fn coupled_is_symmetric(
        numbers in numbers(), springs in any::<bool>(), moving in any::<bool>(), turn in 1..7_usize, power in -20..20_i32,
    ) {
        let case = case(&numbers, false, springs, moving, [1.0, 1.0, 0.01]);
        let answer = case.solve()?;
        let gap = case.gap(&case.dense(), &answer.r);

        let negative = |list: &[f64]| list.iter().map(|x| -x).collect::<Vec<f64>>();
        let flipped = case.bounds.iter().map(|b| Bounds { lo: -b.hi, hi: if b.lo < 0.0 || b.hi > 0.0 { -b.lo } else { 0.0 } });
        let lines = case.dims.iter().all(|dim| *dim == 1);
        let bounds = if lines { flipped.collect() } else { case.bounds.clone() };
        let symmetric = case.bounds.iter().all(|b| b.lo == -b.hi);
        if lines || symmetric {
            let mirrored = Case { p: negative(&case.p), u: negative(&case.u), bounds, ..case.clone() };
            let other = mirrored.solve()?;
            same_slips(&case, &answer.s, &negative(&other.s), 2.0 * gap)?;
        }

        // Contacts in another order.
        let order: Vec<usize> = (0..case.dims.len()).map(|c| (c + turn) % case.dims.len()).collect();
        let places = case.contacts();
        let at: Vec<usize> = order.iter().flat_map(|c| places[*c].clone()).collect();
        let permuted = Case {
            rows: at.iter().map(|i| case.rows[*i].clone()).collect(),
            u: at.iter().map(|i| case.u[*i]).collect(),
            dims: order.iter().map(|c| case.dims[*c]).collect(),
            bounds: order.iter().map(|c| case.bounds[*c]).collect(),
            ..case.clone()
        };
        let other = permuted.solve()?;
        let mut back = vec![0.0; at.len()];
        at.iter().zip(&other.s).for_each(|(i, s)| back[*i] = *s);
        same_slips(&case, &answer.s, &back, 2.0 * gap)?;

        // Masses and forces in another unit: the velocities are the same numbers.
        let unit = 2_f64.powi(power);
        let scaled = |list: &[f64]| list.iter().map(|x| x * unit).collect::<Vec<f64>>();
        let s = Symmetric {
            diagonal: scaled(&case.s.diagonal),
            below: case.s.below.iter().map(|&(i, j, value)| (i, j, value * unit)).collect(),
        };
        let bounds = case.bounds.iter().map(|b| Bounds { lo: b.lo * unit, hi: b.hi * unit }).collect();
        let other = Case { s, p: scaled(&case.p), bounds, ..case.clone() }.solve()?;
        same_slips(&case, &answer.s, &other.s, 2.0 * gap)?;
    }

    /// One disk: the law from the output, and the root by bisection in the directions of W.
    #[test]
    fn one_disk_obeys_the_law(
        size in -8.0..8.0_f64, towards in 0.0..6.3_f64, first in -4.0..4.0_f64, apart in 0.0..6.0_f64, turn in 0.0..3.2_f64,
        reach in -3.0..3.0_f64,
    ) {
        let (w1, w2) = (10_f64.powf(first), 10_f64.powf(first - apart));
        let (sin, cos) = turn.sin_cos();
        let w = [w1 * cos * cos + w2 * sin * sin, (w1 - w2) * sin * cos, w1 * sin * sin + w2 * cos * cos];
        // In the directions of W: shares of about 10^reach before they are bounded, or a slip of any size.
        let along = if size > 0.0 { 10_f64.powf(reach) } else { 10_f64.powf(size) / w2 };
        let own = [along * w1 * towards.cos(), along * w2 * towards.sin()];
        let b = [cos * own[0] - sin * own[1], sin * own[0] + cos * own[1]];
        let slide = OneDisk::new(w[0], w[1], w[2]).solve(b);
        let scale = b[0].hypot(b[1]) + w1;
        // W is known to its last bit, which is a share of the greater influence in the direction of the lesser.
        let condition = w1 / w2;
        let left = [
            b[0] - w[0] * slide.share[0] - w[1] * slide.share[1] - slide.slip[0],
            b[1] - w[1] * slide.share[0] - w[2] * slide.share[1] - slide.slip[1],
        ];
        let residual = left[0].hypot(left[1]);
        prop_assert!(residual <= 16.0 * f64::EPSILON * condition * scale, "{residual:e} {scale:e} {slide:?}");
        // Its own word is no better than that.
        prop_assert!(slide.residual >= residual - 4.0 * f64::EPSILON * scale, "{} {residual} {slide:?}", slide.residual);
        let length = slide.share[0].hypot(slide.share[1]);
        if slide.sticks {
            prop_assert!(slide.slip == [0.0; 2] && length <= 1.0 + 2.0 * f64::EPSILON);
        } else {
            prop_assert!((length - 1.0).abs() <= 4.0 * f64::EPSILON, "{slide:?}");
            let across = slide.slip[0] * slide.share[1] - slide.slip[1] * slide.share[0];
            let with = slide.slip[0] * slide.share[0] + slide.slip[1] * slide.share[1];
            prop_assert!(across.abs() <= 4.0 * f64::EPSILON * with.abs() && with >= 0.0, "{slide:?}");
        }
        // |λ|² = Σ (b_i/(w_i + s))² falls with s: the root by bisection.
        let long = |s: f64| (own[0] / (w1 + s)).hypot(own[1] / (w2 + s));
        let (mut a, mut z) = (0.0, b[0].hypot(b[1]));
        for _ in 0..2000 {
            let middle = a + 0.5 * (z - a);
            if middle <= a || middle >= z {
                break;
            }
            if long(middle) > 1.0 { a = middle } else { z = middle }
        }
        let expected = if long(0.0) <= 1.0 { 0.0 } else { a };
        let slip = slide.slip[0].hypot(slide.slip[1]);
        prop_assert!((slip - expected).abs() <= 32.0 * f64::EPSILON * condition * scale, "{slip:e} {expected:e} {slide:?}");

        // Mirrored at the origin and in other units: the same bits. Axes exchanged: the same to rounding.
        let mirrored = OneDisk::new(w[0], w[1], w[2]).solve(b.map(|x| -x));
        prop_assert!(mirrored.slip == slide.slip.map(|x| -x) && mirrored.share == slide.share.map(|x| -x));
        let unit = 2_f64.powi(9);
        let other = OneDisk::new(w[0] * unit, w[1] * unit, w[2] * unit).solve(b.map(|x| x * unit));
        prop_assert!(other.share == slide.share && other.slip == slide.slip.map(|x| x * unit), "{other:?} {slide:?}");
        let exchanged = OneDisk::new(w[2], w[1], w[0]).solve([b[1], b[0]]);
        for k in 0..2 {
            let far = (exchanged.slip[1 - k] - slide.slip[k]).abs();
            prop_assert!(far <= 32.0 * f64::EPSILON * condition * scale, "{exchanged:?} {slide:?}");
        }
    }
}
