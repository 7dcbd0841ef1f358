//! Modes over a step, exactly, under a force that is linear over it.
//!
//! ```text
//! q⁺ = c11 q + c12 p + a1 f_n + b1 f_{n+1},     p⁺ = c21 q + c22 p + a2 f_n + b2 f_{n+1}
//! ```

use crate::mode::Mode;

/// What one mode does over a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Row {
    c11: f64,
    c12: f64,
    a1: f64,
    b1: f64,
    c21: f64,
    c22: f64,
    a2: f64,
    b2: f64,
}

impl Row {
    /// Over a time h, from the closed form of a damped oscillator and its integrals:
    /// Φ = ∫ e^{As} ds B = A⁻¹(e^{Ah} − I)B, Ψ = A⁻¹(Φ − hB), b = Ψ/h, a = Φ − b.
    fn over(mode: &Mode, h: f64) -> Row {
        let (w, z) = (mode.omega(), mode.damping);
        let damped = w * (1.0 - z * z).sqrt();
        let (sin, cos) = (damped * h).sin_cos();
        let decay = (-z * w * h).exp();
        let (s, c) = (decay * sin / damped, decay * cos);
        let (c11, c12, c21, c22) = (c + z * w * s, s, -w * w * s, c - z * w * s);
        // A⁻¹ (x, y) = (−(2ζ/ω) x − y/ω², x), and (e^{Ah} − I) B = (c12, c22 − 1).
        let inverse = |x: f64, y: f64| (-(2.0 * z / w) * x - y / (w * w), x);
        let (phi1, phi2) = inverse(c12, c22 - 1.0);
        let (psi1, psi2) = inverse(phi1, phi2 - h);
        let (b1, b2) = (psi1 / h, psi2 / h);
        Row { c11, c12, a1: phi1 - b1, b1, c21, c22, a2: phi2 - b2, b2 }
    }
}

/// Modes over steps of one size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Propagator {
    rows: Vec<Row>,
    /// What forces at the end of a step do within it: velocity ẏ of F_y and of N, height z of F_y and of N.
    pub yy: f64,
    /// ẏ of N.
    pub yz: f64,
    /// z of F_y.
    pub zy: f64,
    /// z of N.
    pub zz: f64,
    /// Σ φ_y (ω² q + 2ζω p) of F_y: what holds the contact.
    pub hold_y: f64,
    /// The same of N.
    pub hold_z: f64,
}

/// Forces on the modes beyond those of the steady state: F_y + μ0 N0, N − N0 \[N\].
pub type Forces = [f64; 2];

/// What a step leads to without the forces at its end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Free {
    /// ẏ [m/s].
    pub lateral: f64,
    /// z \[m\].
    pub height: f64,
    /// Σ φ_y (ω² q + 2ζω p) [N^1/2 …].
    pub hold: f64,
}

impl Propagator {
    /// Over steps of size h.
    pub fn new(modes: &[Mode], h: f64) -> Propagator {
        let mut this = Propagator::default();
        this.fit(modes, h);
        this
    }

    /// Over steps of another size, in the same memory.
    pub fn fit(&mut self, modes: &[Mode], h: f64) {
        let rows = std::mem::take(&mut self.rows);
        *self = Propagator { rows, ..Propagator::default() };
        self.rows.clear();
        for mode in modes {
            let row = Row::over(mode, h);
            let (y, z, w, c) = (mode.lateral, mode.vertical, mode.omega(), mode.rate());
            self.yy += y * y * row.b2;
            self.yz += y * z * row.b2;
            self.zy += z * y * row.b1;
            self.zz += z * z * row.b1;
            let hold = y * (w * w * row.b1 + c * row.b2);
            self.hold_y += hold * y;
            self.hold_z += hold * z;
            self.rows.push(row);
        }
    }

    /// Moves the modes as far as forces at the beginning say.
    #[inline]
    pub fn free(&self, modes: &[Mode], [gy, gz]: Forces, (q, p): (&mut [f64], &mut [f64])) -> Free {
        let mut free = Free::default();
        for (((row, mode), q), p) in self.rows.iter().zip(modes).zip(q).zip(p) {
            let f = mode.lateral * gy + mode.vertical * gz;
            let place = row.c11 * *q + row.c12 * *p + row.a1 * f;
            let speed = row.c21 * *q + row.c22 * *p + row.a2 * f;
            free.lateral += mode.lateral * speed;
            free.height += mode.vertical * place;
            (*q, *p) = (place, speed);
        }
        free
    }

    /// The pull that a contact that sticks must hold, of modes moved by [`Propagator::free`].
    pub fn hold(modes: &[Mode], (q, p): (&[f64], &[f64])) -> f64 {
        let each = modes.iter().zip(q).zip(p);
        each.map(|((mode, q), p)| mode.lateral * (mode.omega() * mode.omega() * q + mode.rate() * p)).sum()
    }

    /// Adds what forces at the end do.
    #[inline]
    pub fn add_end(&self, modes: &[Mode], [gy, gz]: Forces, (q, p): (&mut [f64], &mut [f64])) {
        for (((row, mode), q), p) in self.rows.iter().zip(modes).zip(q).zip(p) {
            let f = mode.lateral * gy + mode.vertical * gz;
            *q += row.b1 * f;
            *p += row.b2 * f;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a fine Runge–Kutta integration of the oscillator under a linear force.
    #[test]
    fn a_step_is_exact_under_a_linear_force() {
        let mode = Mode { name: "m".into(), frequency: 800.0, damping: 0.02, lateral: 1.0, vertical: 0.5 };
        let (h, f0, f1) = (1e-4, 3.0, -5.0);
        let (mut q, mut p) = (2e-7, 1e-3);
        let (w, c) = (mode.omega(), mode.rate());
        let n = 4000;
        let dt = h / f64::from(n);
        for k in 0..n {
            let t = f64::from(k) * dt;
            let rate = |t: f64, q: f64, p: f64| [p, f0 + (f1 - f0) * t / h - c * p - w * w * q];
            let k1 = rate(t, q, p);
            let k2 = rate(t + dt / 2.0, q + dt / 2.0 * k1[0], p + dt / 2.0 * k1[1]);
            let k3 = rate(t + dt / 2.0, q + dt / 2.0 * k2[0], p + dt / 2.0 * k2[1]);
            let k4 = rate(t + dt, q + dt * k3[0], p + dt * k3[1]);
            q += dt / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0]);
            p += dt / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1]);
        }
        let modes = [mode];
        let step = Propagator::new(&modes, h);
        let (mut a, mut b) = ([2e-7], [1e-3]);
        let free = step.free(&modes, [f0, 0.0], (&mut a, &mut b));
        let lateral = free.lateral + step.yy * f1;
        step.add_end(&modes, [f1, 0.0], (&mut a, &mut b));
        assert!((a[0] / q - 1.0).abs() < 1e-11 && (b[0] / p - 1.0).abs() < 1e-11, "{a:?} {b:?} {q} {p}");
        assert!((lateral - b[0]).abs() < 1e-18);
    }
}
