//! Eigenvalues, eigenvectors and linear response by way of the two degrees of freedom of the contact.
//!
//! For motion like e^{λt} the modes answer to forces f = (F_y, N) with u = (y, z) = H(λ) f, the contact to u with
//! f = −G(λ) u:
//!
//! ```text
//! H = Σ_k φ_k φ_kᵀ/d_k,   d_k = λ² + 2ζωλ + ω²,     det(I + H G) = 0
//! G = | N0 μ' λ/D   −μ0 k/D |     D = 1 (point),  1 + λσ/V (creep law with lag; N0 μ' is N0 Γ'/V there)
//!     |    0            k   |
//! ```
//!
//! P(λ) = D Π d_k · det(I + H G) is a polynomial of degree 2n (2n + 1 with a lag). All its zeros are found at once by the iteration
//! of Ehrlich and Aberth, from those of the wheel without contact; one evaluation of P'/P costs O(n). The same formulas hold for a patch
//! that sticks in part, whose G has a delay: its zeros beside the modes are found, of infinitely many.

use num_complex::Complex64 as C;

use crate::contact::Contact;
use crate::wheel::{SquealError, Wheel};

/// Steps of the iteration at the most; a dozen are usual.
const MOST_ITERATIONS: usize = 200;

/// An eigenvalue counts as found when a step moves it by no more than this share of its size.
const FOUND: f64 = 4.0 * f64::EPSILON;

/// What stays of the steps when rounding alone moves an eigenvalue: nearly double ones are known no better.
const ROUNDING: f64 = 1e-10;

/// Share of its size by which Newton's correction may move a root of the QR iteration.
const NEAR: f64 = 1e-6;

type Two = [[C; 2]; 2];

/// A motion like e^{λt}: amplitudes of modes and of the force that lags.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// λ [1/s].
    pub value: C,
    /// q̂ of the modes.
    pub modes: Vec<C>,
    /// T̂ of the force that lags \[N\], F̂_y = −T̂ else.
    pub force: C,
    /// N̂ \[N\].
    pub load: C,
}

/// 1/x; 0 where x is none: P is 0 to the last bit there, and nothing is left to correct.
fn finite_inverse(x: C) -> C {
    let inverse = x.inv();
    if inverse.is_finite() { inverse } else { C::ZERO }
}

impl Wheel {
    fn receptance(&self, lambda: C) -> (Two, Two) {
        let (mut h, mut dh) = ([[C::ZERO; 2]; 2], [[C::ZERO; 2]; 2]);
        for mode in &self.modes {
            let (w, c) = (mode.omega(), mode.rate());
            let d = lambda * lambda + lambda * c + w * w;
            let one = d.inv();
            let slope = -(lambda * 2.0 + c) * one * one;
            let phi = [mode.lateral, mode.vertical];
            for i in 0..2 {
                for j in 0..2 {
                    h[i][j] += one * (phi[i] * phi[j]);
                    dh[i][j] += slope * (phi[i] * phi[j]);
                }
            }
        }
        (h, dh)
    }

    /// G and its derivative.
    fn answer(&self, lambda: C) -> (Two, Two) {
        let (k, mu, load) = (self.spring.stiffness(), self.steady_friction(), self.spring.load);
        let one = |yy: C, yz: C, dyy: C, dyz: C| ([[yy, yz], [C::ZERO, C::from(k)]], [[dyy, dyz], [C::ZERO, C::ZERO]]);
        match &self.contact {
            Contact::Point { friction } => {
                let gain = load * friction.slope(self.slip());
                one(lambda * gain, C::from(-mu * k), C::from(gain), C::ZERO)
            }
            Contact::Creep { lag, .. } => {
                let (gain, delay) = (load * self.creep_slope(self.creepage) / self.speed, lag / self.speed);
                let d = (lambda * delay + 1.0).inv();
                one(lambda * gain * d, d * (-mu * k), d * d * gain, d * d * (mu * k * delay))
            }
            Contact::Patch { friction, half_length, flexibility } => {
                let stuck = 1.0 - self.share_of_full_slip().unwrap_or(1.0);
                if stuck <= 0.0 {
                    return one(C::ZERO, C::from(-mu * k), C::ZERO, C::ZERO);
                }
                // Bristles stick up to ξ*: e = v̂ (1 − e^{−λξ/V})/λ there; behind it they follow μ p̂ N.
                let (end, v) = (2.0 * half_length * stuck, self.speed);
                let decay = (-lambda * end / v).exp();
                let mean = (C::ONE - decay) * v / lambda;
                let slope = (mean - decay * end) / lambda;
                let slides = 1.0 - stuck * stuck * (3.0 - 2.0 * stuck);
                one(
                    (C::from(end) - mean) / *flexibility,
                    C::from(-friction * slides * k),
                    slope / *flexibility,
                    C::ZERO,
                )
            }
        }
    }

    /// I + H G, and the derivative of the logarithm of its determinant.
    fn coupled(&self, lambda: C) -> (Two, C) {
        let ((h, dh), (g, dg)) = (self.receptance(lambda), self.answer(lambda));
        let (mut m, mut dm) = ([[C::ZERO; 2]; 2], [[C::ZERO; 2]; 2]);
        for i in 0..2 {
            m[i][i] = C::ONE;
            for j in 0..2 {
                for l in 0..2 {
                    m[i][j] += h[i][l] * g[l][j];
                    dm[i][j] += dh[i][l] * g[l][j] + h[i][l] * dg[l][j];
                }
            }
        }
        let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        let rate = (m[1][1] * dm[0][0] - m[0][1] * dm[1][0] - m[1][0] * dm[0][1] + m[0][0] * dm[1][1]) / det;
        (m, rate)
    }

    /// P'/P.
    fn logarithmic_slope(&self, lambda: C) -> C {
        let mut sum = self.coupled(lambda).1;
        for mode in &self.modes {
            let (w, c) = (mode.omega(), mode.rate());
            sum += (lambda * 2.0 + c) / (lambda * lambda + lambda * c + w * w);
        }
        if let Contact::Creep { lag, .. } = self.contact
            && lag > 0.0
        {
            sum += (lambda + self.speed / lag).inv();
        }
        sum
    }

    /// Eigenvalues with positive imaginary part, by rising frequency, then the real ones.
    ///
    /// Where modes are so much damped, or driven, that a pair has become two real roots the iteration over pairs does not end; all are found by
    /// the QR iteration of the matrix then.
    pub fn eigenvalues(&self) -> Result<Vec<C>, SquealError> {
        self.pairs().or_else(|failure| self.by_matrix().ok_or(failure))
    }

    /// By the QR iteration of [`Wheel::linearise`], each with Newton's correction; none where there is no matrix.
    fn by_matrix(&self) -> Option<Vec<C>> {
        let found = stickslip_linalg::eigenvalues(&self.linearise().ok()?.matrix).ok()?;
        let corrected = |own: &C| {
            let next = own - self.correction(*own);
            // Close by, it is rounding that is taken away; a real root stays real.
            let near = (next - own).norm() <= NEAR * own.norm();
            if near { C::new(next.re, if own.im == 0.0 { 0.0 } else { next.im }) } else { *own }
        };
        let upper = found.values.iter().map(|value| C::new(value.re, value.im)).filter(|value| value.im >= 0.0);
        let (mut roots, mut real): (Vec<C>, Vec<C>) = upper.map(|own| corrected(&own)).partition(|own| own.im > 0.0);
        roots.sort_by(|a, b| a.im.total_cmp(&b.im));
        real.sort_by(|a, b| b.re.total_cmp(&a.re));
        roots.extend(real);
        Some(roots)
    }

    /// All but one real root of a lag in pairs: the iteration of Ehrlich and Aberth.
    fn pairs(&self) -> Result<Vec<C>, SquealError> {
        let lagging = matches!(self.contact, Contact::Creep { lag, .. } if lag > 0.0);
        // Beside the modes without contact, not upon them: P'/P has no value there.
        let start = |mode: &crate::Mode| C::new(-mode.rate() - 1e-3 * mode.omega(), 1.003 * mode.omega());
        let mut roots: Vec<C> = self.modes.iter().map(start).collect();
        let mut real = lagging.then(|| match self.contact {
            Contact::Creep { lag, .. } => -1.01 * self.speed / lag,
            _ => 0.0,
        });
        let mut moving = roots.len();
        for _ in 0..MOST_ITERATIONS {
            moving = 0;
            for k in 0..roots.len() {
                let own = roots[k];
                let mut others = (own - own.conj()).inv();
                for (_, other) in roots.iter().enumerate().filter(|(j, _)| *j != k) {
                    others += (own - other).inv() + (own - other.conj()).inv();
                }
                others += real.map_or(C::ZERO, |real| (own - real).inv());
                let step = finite_inverse(self.logarithmic_slope(own) - others);
                if step.norm() > FOUND * own.norm() {
                    moving += 1;
                }
                // Folded up: a pair is one.
                let next = own - step;
                roots[k] = if next.im < 0.0 { next.conj() } else { next };
            }
            if let Some(own) = &mut real {
                let others: C = roots.iter().map(|other| (*own - other).inv() + (*own - other.conj()).inv()).sum();
                let step = finite_inverse(self.logarithmic_slope(C::from(*own)) - others).re;
                if step.abs() > FOUND * own.abs() {
                    moving += 1;
                }
                *own -= step;
            }
            if moving == 0 {
                break;
            }
        }
        if moving > 0 {
            let still = |own: &C| self.correction(*own).norm() > ROUNDING * own.norm();
            let left = roots.iter().filter(|own| still(own)).count();
            if left > 0 {
                return Err(SquealError::Eigenvalues(left));
            }
        }
        roots.sort_by(|a, b| a.im.total_cmp(&b.im));
        roots.extend(real.map(C::from));
        Ok(roots)
    }

    /// Newton's correction of an eigenvalue.
    fn correction(&self, lambda: C) -> C {
        finite_inverse(self.logarithmic_slope(lambda))
    }

    /// The eigenvalue with the greatest real part.
    pub fn least_stable(&self) -> Result<C, SquealError> {
        let greatest = self.eigenvalues()?.into_iter().max_by(|a, b| a.re.total_cmp(&b.re));
        greatest.ok_or(SquealError::NoModes)
    }

    /// The motion of an eigenvalue.
    pub fn shape(&self, value: C) -> Shape {
        // A mode that the contact does not couple moves alone.
        let nearest = |mode: &&crate::Mode| {
            let (w, c) = (mode.omega(), mode.rate());
            (value * value + value * c + w * w).norm() <= 1e-13 * w * w
        };
        if let Some(alone) = self.modes.iter().position(|mode| nearest(&mode)) {
            let mut modes = vec![C::ZERO; self.modes.len()];
            modes[alone] = (value * self.modes[alone].lateral.max(f64::MIN_POSITIVE)).inv();
            return Shape { value, modes, force: C::ZERO, load: C::ZERO };
        }
        let (m, _) = self.coupled(value);
        // The row that says more.
        let row = if m[0][0].norm() + m[0][1].norm() > m[1][0].norm() + m[1][1].norm() { m[0] } else { m[1] };
        self.moved(value, self.forces(value, [row[1], -row[0]]))
    }

    fn forces(&self, value: C, u: [C; 2]) -> [C; 2] {
        let (g, _) = self.answer(value);
        [-(g[0][0] * u[0] + g[0][1] * u[1]), -(g[1][0] * u[0] + g[1][1] * u[1])]
    }

    fn moved(&self, value: C, [force, load]: [C; 2]) -> Shape {
        let mode = |mode: &crate::Mode| {
            let (w, c) = (mode.omega(), mode.rate());
            (force * mode.lateral + load * mode.vertical) / (value * value + value * c + w * w)
        };
        Shape { value, modes: self.modes.iter().map(mode).collect(), force: -force, load }
    }

    /// Linear response to roughness r = Re r̂ e^{iωt} with r̂ = 1: the amplitudes for a frequency \[Hz\].
    pub fn response(&self, frequency: f64) -> Shape {
        let value = C::new(0.0, std::f64::consts::TAU * frequency);
        let ((h, _), (g, _)) = (self.receptance(value), self.answer(value));
        let (m, _) = self.coupled(value);
        // f = −G (u − (0, r)): u = (I + H G)⁻¹ H G (0, 1).
        let pushed = [g[0][1], g[1][1]];
        let right = [0, 1].map(|i: usize| h[i][0] * pushed[0] + h[i][1] * pushed[1]);
        let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        let u = [(m[1][1] * right[0] - m[0][1] * right[1]) / det, (m[0][0] * right[1] - m[1][0] * right[0]) / det];
        let [force, load] = self.forces(value, [u[0], u[1] - 1.0]);
        self.moved(value, [force, load])
    }
}

impl Shape {
    /// ŷ at the contact.
    pub fn lateral(&self, wheel: &Wheel) -> C {
        self.modes.iter().zip(&wheel.modes).map(|(q, mode)| q * mode.lateral).sum()
    }

    /// ẑ at the contact.
    pub fn vertical(&self, wheel: &Wheel) -> C {
        self.modes.iter().zip(&wheel.modes).map(|(q, mode)| q * mode.vertical).sum()
    }

    /// The same with a lateral velocity of this amplitude at the contact, real and positive.
    #[must_use]
    pub fn scaled(mut self, wheel: &Wheel, speed: f64) -> Shape {
        let factor = C::from(speed) / (self.lateral(wheel) * self.value);
        if factor.is_finite() {
            self.modes.iter_mut().for_each(|q| *q *= factor);
            self.force *= factor;
            self.load *= factor;
        }
        self
    }
}
