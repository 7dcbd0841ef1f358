//! Random problems of every kind.

use proptest::prelude::*;
use stickslip_core::inclusion::Problem;
use stickslip_core::law::{Disk, Interval, Law, Product};
use stickslip_linalg::Matrix;

/// A problem that owns its data.
#[derive(Debug, Clone)]
pub struct Case {
    pub w: Matrix,
    pub b: Vec<f64>,
    pub c: Product,
}

impl Case {
    pub fn problem(&self) -> Problem<'_, Matrix> {
        Problem { w: &self.w, b: &self.b, c: &self.c }
    }

    /// Slips and forces with the other sign.
    pub fn mirrored(&self) -> Case {
        let law = |law: &Law| match law {
            // Not −0.0, which would be another bound to the eye only.
            Law::Interval(c) => Law::Interval(Interval::new(0.0 - c.hi(), 0.0 - c.lo()).expect("ordered")),
            other => *other,
        };
        let c = Product::new(self.c.iter().map(|(c, _)| law(c)).collect());
        Case { w: self.w.clone(), b: self.b.iter().map(|b| -b).collect(), c }
    }

    /// Whether the mirrored problem is one of ours: half-lines and cones hold one way only.
    pub fn mirrors(&self) -> bool {
        self.c.iter().all(|(law, _)| matches!(law, Law::Interval(_) | Law::Disk(_)))
    }

    pub fn is_symmetric(&self) -> bool {
        let n = self.w.rows();
        (0..n).all(|i| (0..i).all(|j| self.w[(i, j)] == self.w[(j, i)]))
    }
}

pub fn interval(lo: f64, hi: f64) -> Law {
    Law::Interval(Interval::new(lo, hi).expect("ordered"))
}

/// z and d of a wheel, the ends of ground and brake, and 1/c of a damper under it instead of the ground, or 0.
pub type Wheel = ([f64; 2], [[f64; 2]; 2], f64);

/// A chassis on wheels: z0 and d0, and the ends of its resistance.
pub fn vehicle(chassis: [f64; 2], resistance: Option<[f64; 2]>, wheels: &[Wheel]) -> Case {
    let ([z0, d0], n) = (chassis, wheels.len());
    let m = 2 * n + usize::from(resistance.is_some());
    let w = Matrix::from_fn(m, m, |k, l| {
        let shared = if k / 2 == l / 2 && k.max(l) < 2 * n { wheels[k / 2].0[1] } else { 0.0 };
        let soft = if k == l && k % 2 == 0 && k < 2 * n { wheels[k / 2].2 } else { 0.0 };
        shared + if k % 2 == 0 && l % 2 == 0 { d0 } else { 0.0 } + soft
    });
    // A damper without slip has a force: 1 N.
    let b = wheels.iter().flat_map(|([z, _], _, soft)| [z0 + z + soft, *z]).chain(resistance.map(|_| z0)).collect();
    let ends = wheels.iter().flat_map(|(_, [ground, brake], soft)| {
        let all = [f64::NEG_INFINITY, f64::INFINITY];
        [if *soft > 0.0 { all } else { *ground }, *brake]
    });
    let c = ends.chain(resistance).map(|[lo, hi]| interval(lo, hi)).collect();
    Case { w, b, c: Product::new(c) }
}

pub fn bound() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 4 => 0.01..5.0_f64]
}

pub fn both(a: f64) -> [f64; 2] {
    [0.0 - a, a]
}

pub fn wheel(z: [f64; 2], d: [f64; 2], a: [f64; 2]) -> Case {
    vehicle([z[0], d[0]], None, &[([z[1], d[1]], a.map(both), 0.0)])
}

/// An interval with any ends: none, one, the same, infinite ones.
pub fn ends() -> impl Strategy<Value = [f64; 2]> {
    let infinite = f64::INFINITY;
    prop_oneof![
        4 => (0.0..3.0_f64, 0.0..3.0_f64).prop_map(|(a, b)| [0.0 - a, b]),
        1 => (-2.0..2.0_f64, 0.0..1.0_f64).prop_map(|(a, b)| [a, a + b]),
        1 => (-2.0..2.0_f64).prop_map(|a| [a, a]),
        1 => (-2.0..2.0_f64).prop_map(move |a| [a, infinite]),
        1 => (-2.0..2.0_f64).prop_map(move |a| [-infinite, a]),
        1 => Just([-infinite, infinite]),
    ]
}

/// Contacts of all monotone kinds (no cones).
pub fn monotone_law() -> impl Strategy<Value = Law> {
    prop_oneof![
        bound().prop_map(|a| interval(-a, a)),
        (0.0..3.0_f64, 0.0..3.0_f64).prop_map(|(a, b)| interval(-a, b)),
        bound().prop_map(|a| Law::Disk(Disk::new(a).expect("≥ 0"))),
    ]
}

/// W = B diag B^T with B of `rank` columns: symmetric, monotone, perhaps rank-deficient.
pub fn symmetric(n: usize, rank: usize, entries: &[f64], masses: &[f64]) -> Matrix {
    let dot = |i: usize, j: usize| (0..rank).map(|k| entries[i * 16 + k] * entries[j * 16 + k] / masses[k]).sum();
    Matrix::from_fn(n, n, |i, j| if j < i { dot(j, i) } else { dot(i, j) })
}

/// A problem with W of a given rank, perhaps with a skew part, and slips b that forces can change.
pub fn assembly(c: Product, rank: usize, entries: &[f64], masses: &[f64], drift: &[f64], skew: f64) -> Case {
    let n = c.dim();
    let rank = rank.min(n);
    let mut w = symmetric(n, rank, entries, masses);
    let full = rank == n;
    if full && skew > 0.5 {
        // A skew part keeps W monotone.
        for i in 0..n {
            for j in 0..i {
                let k = skew * entries[255 - i * 8 - j];
                w[(i, j)] += k;
                w[(j, i)] -= k;
            }
        }
    }
    let mut b = drift[..n].to_vec();
    if !full {
        w.apply(&drift[..n], &mut b);
    }
    Case { w, b, c }
}
