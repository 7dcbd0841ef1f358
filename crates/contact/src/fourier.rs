//! Two-dimensional convolution of fields that live on a small box of a padded grid.
//!
//! Two real fields a, b travel as one complex field a + ib. Only the box goes in and comes out, so transforms along x
//! are made for its rows alone; columns are then taken a few at a time, transformed along y, worked on and
//! transformed back while they are in the cache. A column is kept as the transforms of the two real fields,
//! separated by â(k) = (v(k) + v̄(−k))/2, b̂(k) = (v(k) − v̄(−k))/(2i), of which only k_x = 0…P_x/2 are needed.

use std::f64::consts::PI;
use std::sync::Arc;

use pulp::{Arch, NullaryFnOnce};
use rustfft::{Fft, FftPlanner, num_complex::Complex};

use crate::influence::Influence;

pub(crate) type C = Complex<f64>;
const ZERO: C = C { re: 0.0, im: 0.0 };

/// Columns worked on together: one cache line of each row.
const TOGETHER: usize = 4;

/// Transforms of a box of nx × ny elements in a periodic grid of px × py.
pub(crate) struct Plane {
    pub nx: usize,
    pub ny: usize,
    pub px: usize,
    pub py: usize,
    along_x: [Arc<dyn Fft<f64>>; 2],
    along_y: [Arc<dyn Fft<f64>>; 2],
    /// The box along y, transformed along x or not: ny rows of px.
    rows: Vec<C>,
    columns: Vec<C>,
    scratch: Vec<C>,
    /// Vector instructions of this processor.
    pub arch: Arch,
}

impl Plane {
    /// For convolutions exact up to the distances nx + 1 and ny − 1: the padded grid has at least 2nx + 3 by 2ny − 1
    /// elements (one if there is one row). Half the period itself is too far: odd influence numbers vanish there.
    pub(crate) fn new(planner: &mut FftPlanner<f64>, nx: usize, ny: usize) -> Plane {
        let px = swift_length(2 * nx + 3);
        let py = if ny == 1 { 1 } else { swift_length(2 * ny - 1) };
        let along_x = [planner.plan_fft_forward(px), planner.plan_fft_inverse(px)];
        let along_y = [planner.plan_fft_forward(py), planner.plan_fft_inverse(py)];
        let scratch = along_x.iter().chain(&along_y).map(|f| f.get_inplace_scratch_len()).max().unwrap_or(0);
        Plane {
            nx,
            ny,
            px,
            py,
            along_x,
            along_y,
            rows: vec![ZERO; ny * px],
            columns: vec![ZERO; 2 * TOGETHER * py],
            scratch: vec![ZERO; scratch],
            arch: Arch::new(),
        }
    }

    /// Columns kept, k_x = 0…P_x/2.
    pub(crate) fn half(&self) -> usize {
        self.px / 2 + 1
    }

    /// Entries of one field in Fourier space.
    pub(crate) fn modes(&self) -> usize {
        self.half() * self.py
    }

    /// Row j, to be filled: its first nx entries with a + ib, the rest with zeros.
    pub(crate) fn row_mut(&mut self, j: usize) -> &mut [C] {
        &mut self.rows[j * self.px..(j + 1) * self.px]
    }

    /// Row j after [`Plane::vector`]: a + ib at x = 0…; entry px − 1 lies at x = −1.
    pub(crate) fn row(&self, j: usize) -> &[C] {
        &self.rows[j * self.px..(j + 1) * self.px]
    }

    /// Fills the rows from two fields on the box.
    pub(crate) fn load(&mut self, a: &[f64], b: &[f64]) {
        let nx = self.nx;
        for j in 0..self.ny {
            let at = j * nx..(j + 1) * nx;
            let row = self.row_mut(j);
            for ((v, a), b) in row.iter_mut().zip(&a[at.clone()]).zip(&b[at]) {
                *v = C::new(*a, *b);
            }
            row[nx..].fill(ZERO);
        }
    }

    /// Transforms the rows, lets `work(k_x, â, b̂)` change every column of both fields, transforms back.
    pub(crate) fn vector(&mut self, mut work: impl FnMut(usize, &mut [C], &mut [C])) {
        let (px, py, ny) = (self.px, self.py, self.ny);
        self.along_x[0].process_with_scratch(&mut self.rows, &mut self.scratch);
        let scale = 1.0 / (px * py) as f64;
        let half = self.half();
        let mut first = 0;
        while first < half {
            let some = TOGETHER.min(half - first);
            self.arch.dispatch(TakeApart {
                rows: &self.rows,
                columns: &mut self.columns[..2 * some * py],
                first,
                px,
                py,
            });
            let columns = &mut self.columns[..2 * some * py];
            for column in columns.chunks_exact_mut(py) {
                column[ny..].fill(ZERO);
            }
            self.along_y[0].process_with_scratch(columns, &mut self.scratch);
            for (c, pair) in columns.chunks_exact_mut(2 * py).enumerate() {
                let (a, b) = pair.split_at_mut(py);
                work(first + c, a, b);
            }
            self.along_y[1].process_with_scratch(columns, &mut self.scratch);
            self.arch.dispatch(PutTogether { columns, rows: &mut self.rows, first, scale, px, py });
            first += some;
        }
        self.along_x[1].process_with_scratch(&mut self.rows, &mut self.scratch);
    }

    /// out = symbol ∗ field for one real field and a real even symbol given by columns: two rows travel together.
    pub(crate) fn scalar(&mut self, field: &[f64], symbol: &[f64], out: &mut [f64]) {
        let (nx, px, py, ny) = (self.nx, self.px, self.py, self.ny);
        let h = ny.div_ceil(2);
        for j in 0..h {
            let upper = (j + h) * nx;
            let row = &mut self.rows[j * px..(j + 1) * px];
            for i in 0..nx {
                row[i] = C::new(field[j * nx + i], if j + h < ny { field[upper + i] } else { 0.0 });
            }
            row[nx..].fill(ZERO);
        }
        let rows = &mut self.rows[..h * px];
        self.along_x[0].process_with_scratch(rows, &mut self.scratch);
        let scale = 1.0 / (px * py) as f64;
        let half = px / 2 + 1;
        let mut first = 0;
        while first < half {
            let some = TOGETHER.min(half - first);
            let columns = &mut self.columns[..some * py];
            for j in 0..h {
                let row = &rows[j * px..(j + 1) * px];
                for c in 0..some {
                    let k = first + c;
                    let (v, m) = (row[k], row[if k == 0 { 0 } else { px - k }]);
                    columns[c * py + j] = C::new(0.5 * (v.re + m.re), 0.5 * (v.im - m.im));
                    if j + h < ny {
                        columns[c * py + j + h] = C::new(0.5 * (v.im + m.im), 0.5 * (m.re - v.re));
                    }
                }
            }
            for column in columns.chunks_exact_mut(py) {
                column[ny..].fill(ZERO);
            }
            self.along_y[0].process_with_scratch(columns, &mut self.scratch);
            for (v, w) in columns.iter_mut().zip(&symbol[first * py..]) {
                *v *= w * scale;
            }
            self.along_y[1].process_with_scratch(columns, &mut self.scratch);
            for j in 0..h {
                let row = &mut rows[j * px..(j + 1) * px];
                for c in 0..some {
                    let k = first + c;
                    let a = columns[c * py + j];
                    let b = if j + h < ny { columns[c * py + j + h] } else { ZERO };
                    row[k] = C::new(a.re - b.im, a.im + b.re);
                    if k > 0 {
                        row[px - k] = C::new(a.re + b.im, b.re - a.im);
                    }
                }
            }
            first += some;
        }
        self.along_x[1].process_with_scratch(rows, &mut self.scratch);
        for j in 0..h {
            let row = &rows[j * px..(j + 1) * px];
            for i in 0..nx {
                out[j * nx + i] = row[i].re;
                if j + h < ny {
                    out[(j + h) * nx + i] = row[i].im;
                }
            }
        }
    }

    /// Transforms of two tables that are even, or one that is odd, in both directions, given for 0…px/2 by 0…py/2
    /// as in [`Influence`]. They are real: returned as columns k_x = 0…P_x/2 of all k_y.
    pub(crate) fn symbols(&self, influence: &Influence, a: &[f64], b: &[f64], odd: bool) -> [Vec<f64>; 2] {
        let (px, py, half) = (self.px, self.py, self.half());
        let mut scratch = self.scratch.clone();
        let below = py / 2;
        let mut rows = vec![ZERO; (below + 1) * px];
        for j in 0..=below {
            for i in 0..px {
                let (near, sign) = if 2 * i <= px { (i, 1.0) } else { (px - i, if odd { -1.0 } else { 1.0 }) };
                // An odd table is zero at half the period.
                let middle = odd && (2 * i == px || 2 * j == py);
                let at = influence.index(near, j);
                rows[j * px + i] = if middle { ZERO } else { C::new(sign * a[at], sign * b[at]) };
            }
        }
        self.along_x[0].process_with_scratch(&mut rows, &mut scratch);
        let mut out = [vec![0.0; half * py], vec![0.0; half * py]];
        let mut column = vec![ZERO; py];
        for k in 0..half {
            for j in 0..=below {
                let v = rows[j * px + k];
                column[j] = v;
                if j > 0 && 2 * j != py {
                    column[py - j] = if odd { -v } else { v };
                }
            }
            self.along_y[0].process_with_scratch(&mut column, &mut scratch);
            for (j, v) in column.iter().enumerate() {
                out[0][k * py + j] = v.re;
                out[1][k * py + j] = v.im;
            }
        }
        out
    }

    /// e^{iθ} of column k_x, θ = 2πk_x/P_x: the shift towards +x by one element.
    pub(crate) fn shift(&self, k: usize) -> C {
        C::from_polar(1.0, 2.0 * PI * k as f64 / self.px as f64)
    }
}

/// Columns `first…` of both fields out of rows that carry a + ib. (A structure rather than a closure: closures cannot be
/// told to be inlined where the processor's vector instructions are on.)
struct TakeApart<'a> {
    rows: &'a [C],
    columns: &'a mut [C],
    first: usize,
    px: usize,
    py: usize,
}

impl NullaryFnOnce for TakeApart<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (c, pair) in self.columns.chunks_exact_mut(2 * self.py).enumerate() {
            let (a, b) = pair.split_at_mut(self.py);
            let k = self.first + c;
            let mirror = if k == 0 { 0 } else { self.px - k };
            for ((row, a), b) in self.rows.chunks_exact(self.px).zip(a).zip(b) {
                let (v, m) = (row[k], row[mirror]);
                *a = C::new(0.5 * (v.re + m.re), 0.5 * (v.im - m.im));
                *b = C::new(0.5 * (v.im + m.im), 0.5 * (m.re - v.re));
            }
        }
    }
}

/// The reverse of [`TakeApart`], times `scale`.
struct PutTogether<'a> {
    columns: &'a [C],
    rows: &'a mut [C],
    first: usize,
    scale: f64,
    px: usize,
    py: usize,
}

impl NullaryFnOnce for PutTogether<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let scale = self.scale;
        for (c, pair) in self.columns.chunks_exact(2 * self.py).enumerate() {
            let (a, b) = pair.split_at(self.py);
            let k = self.first + c;
            let mirror = if k == 0 { 0 } else { self.px - k };
            for ((row, a), b) in self.rows.chunks_exact_mut(self.px).zip(a).zip(b) {
                // The zero column is its own mirror: both lines write the same there, up to rounding.
                row[mirror] = C::new(scale * (a.re + b.im), scale * (b.re - a.im));
                row[k] = C::new(scale * (a.re - b.im), scale * (a.im + b.re));
            }
        }
    }
}

/// An even length of at least n for which transforms are swift, as measured: 2s and 3s with at most one 5, 7, 11 or 25.
fn swift_length(n: usize) -> usize {
    let swift = |mut m: usize| {
        for prime in [2, 3] {
            while m.is_multiple_of(prime) {
                m /= prime;
            }
        }
        [1, 5, 7, 11, 25].contains(&m)
    };
    (n..).find(|m| m.is_multiple_of(2) && swift(*m)).unwrap_or(n)
}

#[cfg(test)]
mod tests;
