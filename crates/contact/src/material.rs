//! Elastic constants of one body and of a pair.

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

/// A number that cannot be what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{what} = {}: it must be {wanted}", quantity(*value, unit))]
pub struct BadNumber {
    /// Which number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// Its SI unit; empty if it has none.
    pub unit: &'static str,
    /// What it must be.
    pub wanted: &'static str,
}

/// A number with its unit, for messages.
pub(crate) fn quantity(value: f64, unit: &str) -> String {
    let size = value.abs();
    let plain = size == 0.0 || (1e-4..1e15).contains(&size) || !size.is_finite();
    let number = if plain { format!("{value}") } else { format!("{value:e}") };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// The number, if it is finite and > 0.
pub fn positive(what: &'static str, value: f64, unit: &'static str) -> Result<f64, BadNumber> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(BadNumber { what, value, unit, wanted: "a finite number > 0" })
    }
}

/// The number, if it is finite and ≥ 0.
pub(crate) fn not_negative(what: &'static str, value: f64, unit: &'static str) -> Result<f64, BadNumber> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(BadNumber { what, value, unit, wanted: "a finite number ≥ 0" })
    }
}

impl Material {
    /// From the shear modulus G \[Pa\], > 0, and Poisson's ratio ν, −1 < ν ≤ ½ (Kalker's coefficients and so the fast
    /// theories need ν ≥ 0; they say so themselves).
    pub fn new(shear_modulus: f64, poisson: f64) -> Result<Material, BadNumber> {
        if !(poisson > -1.0 && poisson <= 0.5) {
            let wanted = "greater than −1 and at most 0.5";
            return Err(BadNumber { what: "Poisson's ratio", value: poisson, unit: "", wanted });
        }
        positive("shear modulus", shear_modulus, "Pa")?;
        // Its inverse must be a number.
        if !shear_modulus.is_normal() {
            let wanted = "a finite number > 0";
            return Err(BadNumber { what: "shear modulus", value: shear_modulus, unit: "Pa", wanted });
        }
        Ok(Material { shear_modulus, poisson, difference: 0.0 })
    }

    /// From Young's modulus E = 2G(1+ν) \[Pa\] and Poisson's ratio.
    pub fn from_young(young: f64, poisson: f64) -> Result<Material, BadNumber> {
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
