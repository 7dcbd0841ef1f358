//! Elastic constants of the two bodies, combined.

use crate::error::{Error, positive};

/// One elastic body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Shear modulus G > 0.
    pub shear_modulus: f64,
    /// Poisson's ratio ν, −1 < ν ≤ ½.
    pub poisson: f64,
}

/// Two bodies as one: 1/G = ½(1/G₁ + 1/G₂), ν/G = ½(ν₁/G₁ + ν₂/G₂).
///
/// The coupling of normal and tangential directions, which vanishes for bodies of one material (and whenever
/// (1−2ν₁)/G₁ = (1−2ν₂)/G₂), is left out, as for quasi-identical bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bodies {
    shear_modulus: f64,
    poisson: f64,
    difference: f64,
}

impl Bodies {
    /// The combination of two bodies.
    pub fn new(first: Body, second: Body) -> Result<Bodies, Error> {
        for body in [first, second] {
            positive("shear modulus", body.shear_modulus)?;
            if !(body.poisson > -1.0 && body.poisson <= 0.5) {
                return Err(Error::Poisson { value: body.poisson });
            }
        }
        let (c1, c2) = (0.5 / first.shear_modulus, 0.5 / second.shear_modulus);
        let shear_modulus = positive("combined shear modulus", 1.0 / (c1 + c2))?;
        let poisson = (first.poisson * c1 + second.poisson * c2) * shear_modulus;
        let difference = 0.5 * shear_modulus * ((1.0 - 2.0 * first.poisson) * c1 - (1.0 - 2.0 * second.poisson) * c2);
        Ok(Bodies { shear_modulus, poisson, difference })
    }

    /// Two bodies of one material.
    pub fn equal(shear_modulus: f64, poisson: f64) -> Result<Bodies, Error> {
        let body = Body { shear_modulus, poisson };
        Bodies::new(body, body)
    }

    /// Two bodies of one material, by Young's modulus E = 2G(1+ν).
    pub fn from_young(young: f64, poisson: f64) -> Result<Bodies, Error> {
        positive("Young's modulus", young)?;
        Bodies::equal(young / (2.0 * (1.0 + poisson)), poisson)
    }

    /// Combined G.
    pub fn shear_modulus(&self) -> f64 {
        self.shear_modulus
    }

    /// Combined ν.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// Kalker's difference parameter k = (G/4)((1−2ν₁)/G₁ − (1−2ν₂)/G₂): 0 for one material; what is neglected
    /// here is of this order.
    pub fn difference(&self) -> f64 {
        self.difference
    }
}
