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
//! P(λ) = D Π d_k · det(I + H G) is a polynomial of degree 2n (2n + 1 with a lag), the characteristic one of the matrix of [`crate::linear`],
//! and its zeros are found as eigenvalues of that. The same formulas hold for a patch that sticks in part, whose G has a delay, and which has no
//! matrix: its zeros beside the modes, of infinitely many, are found at once by the iteration of Ehrlich and Aberth from those of the wheel
//! without contact; one evaluation of P'/P costs O(n).

use num_complex::Complex64 as C;
use stickslip_core::analysis::stability::{Linearised, Root, Tendency};

use crate::contact::Contact;
use crate::linear::NotLinear;
use crate::wheel::{SquealError, Wheel};

/// Share of what its modes do at the contact above which a lateral motion is one.
const SIDEWAYS: f64 = 1e-9;

/// Steps of the iteration at the most; a dozen are usual.
const MOST_ITERATIONS: usize = 200;

/// An eigenvalue counts as found when a step moves it by no more than this share of its size.
const FOUND: f64 = 4.0 * f64::EPSILON;

/// What stays of the steps when rounding alone moves an eigenvalue: nearly double ones are known no better.
const ROUNDING: f64 = 1e-10;

/// Modes of one frequency whose amplitudes leave less than this share across each other are one mode but for rounding.
const RANK: f64 = 1e-14;

/// Real parts nearer to each other than this share of the greatest eigenvalue are equal but for rounding.
const TIED: f64 = 1e-13;

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

/// Eigenvalues by falling real parts; of those that are equal but for rounding the slower oscillation comes first.
pub fn fastest_first(mut values: Vec<C>) -> Vec<C> {
    values.sort_by(|a, b| b.re.total_cmp(&a.re).then(a.im.total_cmp(&b.im)));
    let tied = TIED * values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let mut from = 0;
    while from < values.len() {
        let count = values[from..].iter().take_while(|value| values[from].re - value.re <= tied).count();
        values[from..from + count].sort_by(|a, b| a.im.total_cmp(&b.im));
        from += count;
    }
    values
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
                let gain = load * friction.slope(self.slip());
                if stuck <= 0.0 {
                    return one(lambda * gain, C::from(-mu * k), C::from(gain), C::ZERO);
                }
                // Bristles stick up to ξ*: e = v̂ (1 − e^{−λξ/V})/λ there; behind it they follow μ p̂ N, and N0 μ' ẏ.
                let (end, v) = (2.0 * half_length * stuck, self.speed);
                let decay = (-lambda * end / v).exp();
                let mean = (C::ONE - decay) * v / lambda;
                let slope = (mean - decay * end) / lambda;
                let slides = 1.0 - stuck * stuck * (3.0 - 2.0 * stuck);
                one(
                    (C::from(end) - mean) / *flexibility + lambda * (gain * slides),
                    C::from(-friction.at(self.slip()) * slides * k),
                    slope / *flexibility + gain * slides,
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

    /// Eigenvalues with positive imaginary part, by rising frequency, then the real ones, the greatest first: of the matrix of
    /// [`Wheel::linearise`], as for every other system; a real part that is rounding is 0. A patch that sticks in part has no matrix: of
    /// its eigenvalues, infinitely many, those beside the modes by [`Wheel::beside_the_modes`]. Of modes of one frequency and damping those
    /// combinations that the contact does not feel are put beside the others as they are: nothing of them is left to rounding.
    pub fn eigenvalues(&self) -> Result<Vec<C>, SquealError> {
        let (felt, silent) = self.felt();
        let mut all = felt.of_matrix()?;
        if !silent.is_empty() {
            all.extend(silent);
            // Stable: real ones, and they alone, stay in their order.
            all.sort_by(|a, b| (a.im == 0.0).cmp(&(b.im == 0.0)).then(a.im.total_cmp(&b.im)));
        }
        Ok(all)
    }

    fn of_matrix(&self) -> Result<Vec<C>, SquealError> {
        let crate::linear::Linearised { names, matrix, .. } = match self.linearise() {
            Ok(linear) => linear,
            Err(NotLinear::Delayed { .. }) => return self.beside_the_modes(),
            Err(corner) => return Err(corner.into()),
        };
        let linear = Linearised { names, positions: self.modes.len(), matrix, state: String::new() };
        let found = linear.roots().map_err(|_| SquealError::Eigenvalues(linear.matrix.rows()))?;
        let value = |root: &Root| {
            let real = if root.tendency() == Tendency::Neutral { 0.0 } else { root.real };
            C::new(real, root.frequency)
        };
        let (mut roots, mut real): (Vec<C>, Vec<C>) = found.iter().map(value).partition(|own| own.im > 0.0);
        roots.sort_by(|a, b| a.im.total_cmp(&b.im));
        real.sort_by(|a, b| b.re.total_cmp(&a.re));
        roots.extend(real);
        Ok(roots)
    }

    /// The eigenvalues that grow out of those of the modes, by the iteration of Ehrlich and Aberth over pairs, and the real one of a lag: all
    /// there are, unless a patch sticks in part. An error where some of them are no pairs.
    pub fn beside_the_modes(&self) -> Result<Vec<C>, SquealError> {
        let (felt, mut silent) = self.felt();
        let (mut roots, real) = felt.iterated()?;
        roots.append(&mut silent);
        roots.sort_by(|a, b| a.im.total_cmp(&b.im));
        roots.extend(real.map(C::from));
        Ok(roots)
    }

    /// The wheel that the contact feels, and the eigenvalues of what it does not. H knows of modes of one frequency and damping only
    /// Σ φφᵀ, of rank two at the most: as many modes do the same, and the others do not move the contact.
    fn felt(&self) -> (Wheel, Vec<C>) {
        let (mut felt, mut silent) = (Wheel { modes: Vec::new(), ..self.clone() }, Vec::new());
        let mut left: Vec<&crate::Mode> = self.modes.iter().collect();
        while let Some(first) = left.first().copied() {
            let same = |mode: &&crate::Mode| mode.frequency == first.frequency && mode.damping == first.damping;
            let (group, others): (Vec<_>, Vec<_>) = left.into_iter().partition(same);
            left = others;
            let sum = |of: fn(&crate::Mode) -> f64| group.iter().map(|mode| of(mode)).sum::<f64>();
            let [yy, yz, zz] = [
                sum(|mode| mode.lateral * mode.lateral),
                sum(|mode| mode.lateral * mode.vertical),
                sum(|mode| mode.vertical * mode.vertical),
            ];
            // Σ φφᵀ = a aᵀ + b bᵀ with b across the rail only.
            let along = if yy > 0.0 { [yy.sqrt(), yz / yy.sqrt()] } else { [0.0; 2] };
            let rest = zz - along[1] * along[1];
            let across = if rest > RANK * zz { [0.0, rest.sqrt()] } else { [0.0; 2] };
            let amplitudes = if group.len() == 1 { vec![[first.lateral, first.vertical]] } else { vec![along, across] };
            let seen = amplitudes.into_iter().filter(|phi| *phi != [0.0; 2]);
            let before = felt.modes.len();
            felt.modes.extend(seen.map(|[lateral, vertical]| crate::Mode { lateral, vertical, ..first.clone() }));
            let half = 0.5 * first.rate();
            let alone = C::new(0.0 - half, (first.omega().powi(2) - half * half).max(0.0).sqrt());
            silent.extend((felt.modes.len() - before..group.len()).map(|_| alone));
        }
        (felt, silent)
    }

    /// Pairs by the iteration of Ehrlich and Aberth, and the real eigenvalue of a lag.
    fn iterated(&self) -> Result<(Vec<C>, Option<f64>), SquealError> {
        // Beside the modes without contact, not upon them: P'/P has no value there. And no two upon each other: they would never part.
        let start = |(k, mode): (usize, &crate::Mode)| {
            let apart = 1.0 + k as f64 / self.modes.len() as f64;
            C::new(-mode.rate() - 1e-3 * apart * mode.omega(), (1.0 + 3e-3 * apart) * mode.omega())
        };
        let mut roots: Vec<C> = self.modes.iter().enumerate().map(start).collect();
        let mut real = match self.contact {
            Contact::Creep { lag, .. } if lag > 0.0 => Some(-1.01 * self.speed / lag),
            _ => None,
        };
        for _ in 0..MOST_ITERATIONS {
            let mut moving = 0;
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
        // What has come to rest need not be a root.
        let off = |own: &C| self.correction(*own).norm() > ROUNDING * own.norm();
        let left = roots.iter().copied().chain(real.map(C::from)).filter(off).count();
        if left > 0 {
            return Err(SquealError::Eigenvalues(left));
        }
        Ok((roots, real))
    }

    /// Newton's correction of an eigenvalue.
    fn correction(&self, lambda: C) -> C {
        finite_inverse(self.logarithmic_slope(lambda))
    }

    /// The eigenvalue with the greatest real part, of motions that the contact feels: others decay, each by its own damping.
    pub fn least_stable(&self) -> Result<C, SquealError> {
        fastest_first(self.felt().0.of_matrix()?).first().copied().ok_or(SquealError::NoModes)
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

    /// Whether it moves the contact sideways, beyond rounding.
    pub fn moves_sideways(&self, wheel: &Wheel) -> bool {
        let moved = self.modes.iter().zip(&wheel.modes);
        let most: f64 = moved.map(|(q, mode)| q.norm() * mode.lateral.abs().max(mode.vertical.abs())).sum();
        self.lateral(wheel).norm() > SIDEWAYS * most
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
