//! The inner loops of the splitting, compiled for the vector instructions found at run time.
//!
//! They are structures rather than closures, because only functions can be told to be inlined where those instructions
//! are on.

use pulp::NullaryFnOnce;

use crate::fourier::C;

/// to = α from, or to += α from.
pub(super) struct Mix<'a> {
    pub to: &'a mut [C],
    pub from: &'a [C],
    pub alpha: f64,
    pub first: bool,
}

impl NullaryFnOnce for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let alpha = self.alpha;
        if self.first {
            for (m, v) in self.to.iter_mut().zip(self.from) {
                *m = C::new(v.re * alpha, v.im * alpha);
            }
        } else {
            for (m, v) in self.to.iter_mut().zip(self.from) {
                *m = C::new(m.re + v.re * alpha, m.im + v.im * alpha);
            }
        }
    }
}

/// T(w) of one column: w and T(w) hold both components in turn, q comes in and T(w) goes out in `q`.
pub(super) struct Advance<'a> {
    pub table: &'a [[C; 3]],
    pub w: &'a [C],
    pub q: [&'a mut [C]; 2],
    pub t: &'a mut [C],
    pub relaxation: f64,
}

impl NullaryFnOnce for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (table, relaxation) = (self.table, self.relaxation);
        let n = table.len();
        let [qx, qy] = self.q;
        let (qx, qy) = (&mut qx[..n], &mut qy[..n]);
        let (wx, wy) = (&self.w[..n], &self.w[n..2 * n]);
        let (tx, ty) = self.t.split_at_mut(n);
        let ty = &mut ty[..n];
        for j in 0..n {
            let [rxx, rxy, ryy] = table[j];
            let (vx, vy) = (qx[j] + qx[j] - wx[j], qy[j] + qy[j] - wy[j]);
            let x = wx[j] + (rxx * vx + rxy * vy - qx[j]) * relaxation;
            let y = wy[j] + (rxy * vx + ryy * vy - qy[j]) * relaxation;
            (tx[j], ty[j], qx[j], qy[j]) = (x, y, x, y);
        }
    }
}

/// w += α v.
pub(super) struct Add<'a> {
    pub to: &'a mut [f64],
    pub from: &'a [f64],
    pub alpha: f64,
}

impl NullaryFnOnce for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (w, v) in self.to.iter_mut().zip(self.from) {
            *w += self.alpha * v;
        }
    }
}

/// a·b.
pub(super) struct Dot<'a>(pub &'a [f64], pub &'a [f64]);

impl NullaryFnOnce for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn call(self) -> f64 {
        dot(self.0, self.1)
    }
}

/// Eight running sums, so that additions do not wait for each other.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a4, b4) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a4.zip(b4) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}
