//! Elastic constants of one body and of a pair.

/// Shear modulus and Poisson's ratio: of one body, or the combination of two that contact mechanics needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    shear_modulus: f64,
    poisson: f64,
}

/// A number that cannot be what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{what} = {value}: it must be {wanted}")]
pub struct BadNumber {
    /// Which number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// What it must be.
    pub wanted: &'static str,
}

/// The number, if it is finite and > 0.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, BadNumber> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(BadNumber { what, value, wanted: "a finite number > 0" })
    }
}

/// The number, if it is finite and ≥ 0.
pub(crate) fn not_negative(what: &'static str, value: f64) -> Result<f64, BadNumber> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(BadNumber { what, value, wanted: "a finite number ≥ 0" })
    }
}

impl Material {
    /// From the shear modulus G \[Pa\], > 0, and Poisson's ratio ν, 0 ≤ ν ≤ ½.
    pub fn new(shear_modulus: f64, poisson: f64) -> Result<Material, BadNumber> {
        positive("shear modulus", shear_modulus)?;
        if !(0.0..=0.5).contains(&poisson) {
            return Err(BadNumber { what: "Poisson's ratio", value: poisson, wanted: "between 0 and 0.5" });
        }
        Ok(Material { shear_modulus, poisson })
    }

    /// From Young's modulus E = 2G(1+ν) \[Pa\] and Poisson's ratio.
    pub fn from_young(young: f64, poisson: f64) -> Result<Material, BadNumber> {
        positive("Young's modulus", young)?;
        Material::new(young / (2.0 * (1.0 + poisson)), poisson)
    }

    /// The combination of two bodies: 1/G = ½(1/G₁ + 1/G₂), ν/G = ½(ν₁/G₁ + ν₂/G₂). Two bodies of one material
    /// combine to that material.
    pub fn pair(first: Material, second: Material) -> Material {
        let (c1, c2) = (0.5 / first.shear_modulus, 0.5 / second.shear_modulus);
        let shear_modulus = 1.0 / (c1 + c2);
        Material { shear_modulus, poisson: (first.poisson * c1 + second.poisson * c2) * shear_modulus }
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
}
