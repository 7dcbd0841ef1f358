//! Projection onto the disks, with creepages that make total forces come out as prescribed.
//!
//! A prescribed total force is a plane that C is cut with. Its multiplier is the creepage c: the projection is
//! r = Proj_C(x − ρc) with Σ r = F, and c minimises the convex function
//!
//! ```text
//! Ψ(c) = Σ m(x_i − ρc)/ρ + c·F,     m(z) = ½|z|² inside the disk, μp|z| − ½(μp)² outside,     ∇m = Proj.
//! ```
//!
//! (Before the leading edge r and m are those of [`super::leading`].)
//! Newton's method with a bounded step and a line search finds it. Forces here are sums of tractions (F/ΔxΔy).

use pulp::NullaryFnOnce;

use super::leading::Leading;

/// Total forces are met to this share of all tractions together: their rounding.
const CLOSE: f64 = 1e-14;

/// A field in full slip has no stiffness along its slip: keep this share of that of sticking elements.
const STIFFNESS: f64 = 1e-9;

/// Share of the descent promised by the gradient that a step must keep (Armijo).
const DESCENT: f64 = 1e-4;

/// Steps this share of the longest are near the end.
const NEAR: f64 = 1e-6;

/// Creepages or total forces of one problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Totals {
    /// Σ r wanted along x and y, where it is prescribed.
    pub sum: [Option<f64>; 2],
    /// Creepage: given, or found so far.
    pub creepage: [f64; 2],
}

/// What C is on the box: disks, and the elements before the leading edge with their compliance.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// Radii.
    pub bound: &'a [f64],
    /// In the order of their numbers.
    pub leading: &'a [Leading],
}

/// A field of two components on the box.
pub(super) type Pair<'a> = [&'a [f64]; 2];

/// Σ r, Ψ and their derivative at one c.
struct Sums {
    value: f64,
    gradient: [f64; 2],
    hessian: [f64; 3],
}

impl Totals {
    /// Whether a total force is prescribed.
    pub(super) fn forced(&self) -> bool {
        self.sum[0].is_some() || self.sum[1].is_some()
    }

    /// Finds the creepage for x = w − ρb.
    pub(super) fn find(&mut self, w: Pair, b: Pair, limits: Limits, rho: f64) {
        let bound = limits.bound;
        let (mut whole, mut reach) = (0.0, 0.0_f64);
        for k in 0..bound.len() {
            if bound[k] > 0.0 {
                whole += bound[k];
                reach = reach.max((w[0][k] - rho * b[0][k]).hypot(w[1][k] - rho * b[1][k]) + bound[k]);
            }
        }
        let close = CLOSE * whole;
        let longest = 2.0 * (reach / rho + self.creepage[0].hypot(self.creepage[1]));
        let mut now = self.sums(self.creepage, w, b, limits, rho);
        for _ in 0..60 {
            let size = now.gradient[0].hypot(now.gradient[1]);
            if size <= close {
                return;
            }
            let [gx, gy] = now.gradient;
            let floor = STIFFNESS * rho * bound.len() as f64;
            let [a, o, d] = [now.hessian[0] + floor, now.hessian[1], now.hessian[2] + floor];
            let determinant = a * d - o * o;
            let mut step = [-(d * gx - o * gy) / determinant, -(a * gy - o * gx) / determinant];
            let length = step[0].hypot(step[1]);
            if length > longest {
                step = step.map(|s| s * longest / length);
            }
            let slope = step[0] * gx + step[1] * gy;
            let mut part = 1.0;
            let mut moved = false;
            for _ in 0..40 {
                let trial = [self.creepage[0] + part * step[0], self.creepage[1] + part * step[1]];
                let next = self.sums(trial, w, b, limits, rho);
                let smaller = next.gradient[0].hypot(next.gradient[1]) < size;
                // Near the end Ψ is flat to rounding: then the gradient decides.
                let near = part == 1.0 && smaller && length < NEAR * longest;
                if next.value <= now.value + DESCENT * part * slope || near {
                    self.creepage = trial;
                    now = next;
                    moved = true;
                    break;
                }
                part *= 0.5;
            }
            if !moved {
                return;
            }
        }
    }

    fn sums(&self, c: [f64; 2], w: Pair, b: Pair, limits: Limits, rho: f64) -> Sums {
        let bound = limits.bound;
        let mut leading = limits.leading.iter().peekable();
        let (mut value, mut sum, mut h) = (0.0, [0.0; 2], [0.0; 3]);
        for k in 0..bound.len() {
            let mu_p = bound[k];
            let leads = leading.next_if(|leading| leading.at == k);
            if mu_p == 0.0 {
                continue;
            }
            let (x, y) = (w[0][k] - rho * (b[0][k] + c[0]), w[1][k] - rho * (b[1][k] + c[1]));
            if let Some(leading) = leads {
                let found = leading.project([x, y], mu_p, rho);
                value += found.value;
                sum = [sum[0] + found.r[0], sum[1] + found.r[1]];
                h = [h[0] + found.slope[0], h[1] + found.slope[1], h[2] + found.slope[2]];
                continue;
            }
            let size = (x * x + y * y).sqrt();
            if size > mu_p {
                let (ex, ey, f) = (x / size, y / size, mu_p / size);
                value += mu_p * (size - 0.5 * mu_p);
                sum = [sum[0] + mu_p * ex, sum[1] + mu_p * ey];
                h = [h[0] + f * ey * ey, h[1] - f * ex * ey, h[2] + f * ex * ex];
            } else {
                value += 0.5 * size * size;
                sum = [sum[0] + x, sum[1] + y];
                h = [h[0] + 1.0, h[1], h[2] + 1.0];
            }
        }
        let mut out = Sums { value: value / rho, gradient: [0.0; 2], hessian: h.map(|h| rho * h) };
        for k in 0..2 {
            if let Some(wanted) = self.sum[k] {
                out.value += c[k] * wanted;
                out.gradient[k] = wanted - sum[k];
            } else {
                // A given creepage does not move.
                out.hessian[2 * k] = 1.0;
                out.hessian[1] = 0.0;
            }
        }
        out
    }
}

/// r = Proj_C(w − ρ(b + c)); gives max|r|².
pub(super) struct Project<'a> {
    pub w: Pair<'a>,
    pub b: Pair<'a>,
    pub c: [f64; 2],
    pub limits: Limits<'a>,
    pub rho: f64,
    pub r: [&'a mut [f64]; 2],
}

impl NullaryFnOnce for Project<'_> {
    type Output = f64;

    #[inline(always)]
    fn call(self) -> f64 {
        let Project { w, b, c, limits: Limits { bound, leading }, rho, r: [rx, ry] } = self;
        let n = bound.len();
        let (wx, wy, bx, by) = (&w[0][..n], &w[1][..n], &b[0][..n], &b[1][..n]);
        let (rx, ry) = (&mut rx[..n], &mut ry[..n]);
        // Eight running maxima, which do not wait for each other.
        let mut greatest = [0.0_f64; 8];
        for k in 0..n {
            let (x, y) = (wx[k] - rho * (bx[k] + c[0]), wy[k] - rho * (by[k] + c[1]));
            // Exactly 1 inside; the smallest number keeps 0/0 out.
            let factor = bound[k] / (x * x + y * y).sqrt().max(bound[k]).max(f64::MIN_POSITIVE);
            rx[k] = factor * x;
            ry[k] = factor * y;
        }
        for leading in leading {
            let k = leading.at;
            let x = [wx[k] - rho * (bx[k] + c[0]), wy[k] - rho * (by[k] + c[1])];
            [rx[k], ry[k]] = leading.project(x, bound[k], rho).r;
        }
        for (x, y) in rx.chunks(8).zip(ry.chunks(8)) {
            for ((m, x), y) in greatest.iter_mut().zip(x).zip(y) {
                *m = m.max(x * x + y * y);
            }
        }
        greatest.into_iter().fold(0.0, f64::max)
    }
}
