//! Elements before the leading edge: their projection with the compliance E of [`crate::edge`].
//!
//! E belongs to single elements, so the splitting takes it together with the disks: where others are projected,
//! r = Proj_C(x), these solve
//!
//! ```text
//! x ∈ (I + ρE) r + N_C(r)      ⇔      r = argmin ½ rᵀ(I + ρE)r − xᵀr  over |r| ≤ μp
//! ```
//!
//! Across and along the edge I + ρE is diagonal, (m_n, m_t), and r = (x_n/(m_n+λ), x_t/(m_t+λ)) with λ = 0, or with the
//! λ > 0 that puts it on the circle. Both parts of the splitting stay monotone: E is symmetric and not negative.

use crate::edge::Compliance;

/// One element before the edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leading {
    /// Its number in the box.
    pub at: usize,
    pub compliance: Compliance,
}

/// r of one element, and ∂r/∂x as its entries xx, xy, yy; `value` is xᵀr − ½ rᵀ(I + ρE)r.
pub(super) struct Projected {
    pub r: [f64; 2],
    pub value: f64,
    pub slope: [f64; 3],
}

impl Leading {
    /// E r.
    pub(super) fn slip(&self, r: [f64; 2]) -> [f64; 2] {
        let [xx, xy, yy] = self.compliance.entries();
        [xx * r[0] + xy * r[1], xy * r[0] + yy * r[1]]
    }

    /// Solves x ∈ (I + ρE) r + N_C(r) in the disk of a radius.
    pub(super) fn project(&self, x: [f64; 2], radius: f64, rho: f64) -> Projected {
        let Compliance { across, along, normal: [nx, ny] } = self.compliance;
        let m = [1.0 + rho * across, 1.0 + rho * along];
        let y = [x[0] * nx + x[1] * ny, -x[0] * ny + x[1] * nx];
        let at = |lambda: f64| [y[0] / (m[0] + lambda), y[1] / (m[1] + lambda)];
        let mut lambda = 0.0;
        let mut q = at(lambda);
        let mut size = q[0].hypot(q[1]);
        let slips = size > radius;
        if slips {
            // 1/|r(λ)| grows and is concave: Newton's method on it comes from the left and never passes the root.
            for _ in 0..60 {
                let e = q.map(|v| v / size);
                let fall = e[0] * e[0] / (m[0] + lambda) + e[1] * e[1] / (m[1] + lambda);
                let step = (size - radius) / radius / fall;
                lambda += step;
                q = at(lambda);
                size = q[0].hypot(q[1]);
                if step.abs() <= 1e-15 * (m[0] + lambda) || size == radius {
                    break;
                }
            }
            // On the circle, not just outside it by rounding.
            let factor = if size > 0.0 { radius / size } else { 0.0 };
            q = q.map(|v| v * factor);
        }
        let h = [1.0 / (m[0] + lambda), 1.0 / (m[1] + lambda)];
        let (mut nn, mut nt, mut tt) = (h[0], 0.0, h[1]);
        if slips {
            let v = [h[0] * q[0], h[1] * q[1]];
            let per = v[0] * q[0] + v[1] * q[1];
            if per > 0.0 {
                (nn, nt, tt) = (nn - v[0] * v[0] / per, -v[0] * v[1] / per, tt - v[1] * v[1] / per);
            }
        }
        let value = y[0] * q[0] + y[1] * q[1] - 0.5 * (m[0] * q[0] * q[0] + m[1] * q[1] * q[1]);
        Projected {
            r: [q[0] * nx - q[1] * ny, q[0] * ny + q[1] * nx],
            value,
            slope: [
                nn * nx * nx - 2.0 * nt * nx * ny + tt * ny * ny,
                (nn - tt) * nx * ny + nt * (nx * nx - ny * ny),
                nn * ny * ny + 2.0 * nt * nx * ny + tt * nx * nx,
            ],
        }
    }
}
