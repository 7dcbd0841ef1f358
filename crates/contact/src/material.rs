//! Elastic constants of one body and of a pair.

use stickslip_core::range::{OutOfRange, positive};

/// Shear modulus and Poisson's ratio: of one body, or the combination of two that contact mechanics needs.
///
/// The coupling of normal and tangential directions, which vanishes for bodies of one material (and whenever
/// (1−2ν₁)/G₁ = (1−2ν₂)/G₂), is left out everywhere in this crate; [`Material::difference`] says how large it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    shear_modulus: f64,
    poisson: f64,
    difference: f64,
}

impl Material {
    /// From the shear modulus G \[Pa\], > 0, and Poisson's ratio ν, −1 < ν ≤ ½ (Kalker's coefficients and so the fast
    /// theories need ν ≥ 0; they say so themselves).
    pub fn new(shear_modulus: f64, poisson: f64) -> Result<Material, OutOfRange> {
        if !(poisson > -1.0 && poisson <= 0.5) {
            let wanted = "greater than −1 and at most 0.5";
            return Err(OutOfRange { what: "Poisson's ratio", value: poisson, unit: "", wanted });
        }
        positive("shear modulus", shear_modulus, "Pa")?;
        // Its inverse must be a number.
        if !shear_modulus.is_normal() {
            let wanted = "a finite number > 0";
            return Err(OutOfRange { what: "shear modulus", value: shear_modulus, unit: "Pa", wanted });
        }
        Ok(Material { shear_modulus, poisson, difference: 0.0 })
    }

    /// From Young's modulus E = 2G(1+ν) \[Pa\] and Poisson's ratio.
    pub fn from_young(young: f64, poisson: f64) -> Result<Material, OutOfRange> {
        positive("Young's modulus", young, "Pa")?;
        // A ratio of −1 or less would be blamed on the modulus.
        Material::new(1.0, poisson)?;
        Material::new(young / (2.0 * (1.0 + poisson)), poisson)
    }

    /// The combination of two bodies: 1/G = ½(1/G₁ + 1/G₂), ν/G = ½(ν₁/G₁ + ν₂/G₂). Two bodies of one material
    /// combine to that material.
    pub fn pair(first: Material, second: Material) -> Material {
        if first == second {
            return first;
        }
        let (c1, c2) = (0.5 / first.shear_modulus, 0.5 / second.shear_modulus);
        let shear_modulus = 1.0 / (c1 + c2);
        let poisson = (first.poisson * c1 + second.poisson * c2) * shear_modulus;
        let difference = 0.5 * shear_modulus * ((1.0 - 2.0 * first.poisson) * c1 - (1.0 - 2.0 * second.poisson) * c2);
        Material { shear_modulus, poisson, difference }
    }

    /// G \[Pa\].
    pub fn shear_modulus(&self) -> f64 {
        self.shear_modulus
    }

    /// ν.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// E* \[Pa\] of a pair: 1/E* = (1−ν₁²)/E₁ + (1−ν₂²)/E₂ = (1−ν)/G.
    pub fn contact_modulus(&self) -> f64 {
        self.shear_modulus / (1.0 - self.poisson)
    }

    /// Kalker's difference parameter of a pair, k = (G/4)((1−2ν₁)/G₁ − (1−2ν₂)/G₂): 0 for one material; what is neglected
    /// here is of this order. It changes its sign with the order of the bodies.
    pub fn difference(&self) -> f64 {
        self.difference
    }
}
