//! A contact area with its load and friction, and what goes in and out of a theory.

use crate::hertz::{Ellipse, HertzError, Radii};
use crate::kalker::Coefficients;
use crate::material::Material;
use stickslip_core::range::{OutOfRange, not_negative, positive};

/// Creepages: rigid slip of body 1 against body 2 over the rolling speed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Creepage {
    /// Longitudinal, ξ.
    pub xi: f64,
    /// Lateral, η.
    pub eta: f64,
    /// Spin, φ [1/m].
    pub phi: f64,
}

impl Creepage {
    /// Only ξ.
    pub fn longitudinal(xi: f64) -> Creepage {
        Creepage { xi, ..Creepage::default() }
    }

    /// Only η.
    pub fn lateral(eta: f64) -> Creepage {
        Creepage { eta, ..Creepage::default() }
    }

    /// Only φ [1/m].
    pub fn spin(phi: f64) -> Creepage {
        Creepage { phi, ..Creepage::default() }
    }

    /// The same times a number.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Creepage {
        Creepage { xi: self.xi * factor, eta: self.eta * factor, phi: self.phi * factor }
    }
}

/// Forces on body 1. They oppose creepage: F_x ≤ 0 for ξ > 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forces {
    /// F_x \[N\].
    pub fx: f64,
    /// F_y \[N\].
    pub fy: f64,
    /// Moment about the normal, where the theory knows it [N·m].
    pub mz: Option<f64>,
    /// Share of the contact area that sticks, where the theory knows it.
    pub stick: Option<f64>,
}

impl Forces {
    /// √(F_x² + F_y²) \[N\].
    pub fn magnitude(&self) -> f64 {
        self.fx.hypot(self.fy)
    }
}

/// Friction coefficient: constant, or falling with the speed of slip,
///
/// ```text
/// μ(w) = μ₀ ((1 − A) e^{−Bw} + A),      w = V √(ξ² + η²)
/// ```
///
/// with A = μ_∞/μ₀ (Polach 2005; there μ₀ = 0.3–0.55, A ≈ 0.4, B ≈ 0.6–1.6 s/m). w is the slip speed of the contact as a
/// whole, not of each point, so pure spin leaves μ₀.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    coefficient: f64,
    fall: Option<Fall>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Fall {
    ratio: f64,
    /// B·V: per creepage.
    rate: f64,
}

impl Friction {
    /// μ ≥ 0 at all speeds.
    pub fn constant(coefficient: f64) -> Result<Friction, OutOfRange> {
        not_negative("friction coefficient", coefficient, "")?;
        Ok(Friction { coefficient, fall: None })
    }

    /// μ₀ at rest, falling to A μ₀ (0 ≤ A ≤ 1) with the rate B ≥ 0 [s/m], at the rolling speed V ≥ 0 [m/s].
    pub fn falling(coefficient: f64, ratio: f64, decay: f64, speed: f64) -> Result<Friction, OutOfRange> {
        not_negative("friction coefficient", coefficient, "")?;
        not_negative("decay of friction", decay, "s/m")?;
        not_negative("rolling speed", speed, "m/s")?;
        if !(0.0..=1.0).contains(&ratio) {
            return Err(OutOfRange {
                what: "friction at high slip speed over μ₀",
                value: ratio,
                unit: "",
                wanted: "between 0 and 1",
            });
        }
        Ok(Friction { coefficient, fall: Some(Fall { ratio, rate: decay * speed }) })
    }

    /// μ at given creepages.
    #[inline]
    pub fn at(&self, creepage: Creepage) -> f64 {
        match self.fall {
            None => self.coefficient,
            Some(Fall { ratio, rate }) => {
                let w = rate * (creepage.xi * creepage.xi + creepage.eta * creepage.eta).sqrt();
                self.coefficient * ((1.0 - ratio) * (-w).exp() + ratio)
            }
        }
    }

    /// μ₀, the greatest.
    pub fn greatest(&self) -> f64 {
        self.coefficient
    }
}

/// A contact area, its load, material and friction, with the numbers that all theories need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    a: f64,
    b: f64,
    load: f64,
    material: Material,
    friction: Friction,
    coefficients: Coefficients,
    /// 1 + 6.3 (1 − e^{−a/b}): Polach's spin.
    spin_shape: f64,
}

impl Patch {
    /// An ellipse with the half-axes a (rolling direction) and b \[m\] under the load N \[N\], all > 0.
    pub fn new(a: f64, b: f64, load: f64, material: Material, friction: Friction) -> Result<Patch, OutOfRange> {
        positive("load", load, "N")?;
        let coefficients = Coefficients::new(a, b, material.poisson())?;
        let spin_shape = 1.0 + 6.3 * (1.0 - (-a / b).exp());
        Ok(Patch { a, b, load, material, friction, coefficients, spin_shape })
    }

    /// The Hertz contact of two bodies.
    pub fn hertz(
        first: Radii,
        second: Radii,
        material: Material,
        load: f64,
        friction: Friction,
    ) -> Result<Patch, HertzError> {
        let Ellipse { a, b, .. } = Ellipse::under_load(first, second, material, load)?;
        Ok(Patch::new(a, b, load, material, friction)?)
    }

    /// The same with other coefficients of the linear theory, measured ones for instance.
    #[must_use]
    pub fn with_coefficients(self, coefficients: Coefficients) -> Patch {
        Patch { coefficients, ..self }
    }

    /// Half-axis in the rolling direction \[m\].
    pub fn a(&self) -> f64 {
        self.a
    }

    /// Half-axis across \[m\].
    pub fn b(&self) -> f64 {
        self.b
    }

    /// N \[N\].
    pub fn load(&self) -> f64 {
        self.load
    }

    /// The pair's elastic constants.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The friction.
    pub fn friction(&self) -> Friction {
        self.friction
    }

    /// Kalker's coefficients.
    pub fn coefficients(&self) -> Coefficients {
        self.coefficients
    }

    pub(crate) fn spin_shape(&self) -> f64 {
        self.spin_shape
    }

    /// μ₀N \[N\].
    pub fn limit(&self) -> f64 {
        self.friction.greatest() * self.load
    }

    /// Tangential stiffness of the resting contact in x [N/m], no slip: [`crate::carter::tangential_stiffness`].
    pub fn stiffness(&self) -> f64 {
        crate::carter::tangential_stiffness(self.a, self.b, self.material)
    }
}
