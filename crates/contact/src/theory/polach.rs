//! Polach's theory.

use super::{Theory, TheoryError, finite};
use crate::patch::{Creepage, Forces, Patch};
use stickslip_core::range::{OutOfRange, positive};

/// Tractions grow linearly from the leading edge up to the bound; their sum in closed form:
///
/// ```text
/// F = (2μN/π) (k_A ε/(1 + (k_A ε)²) + arctan(k_S ε)),    ε = ¼ π G ab C s_C/(μN)
/// C = √((C₁₁ ξ)² + (C₂₂ η)²)/s,   s = √(ξ² + η²),   s_C = √(ξ² + η_C²),   η_C = η + aφ where that is larger than |η|
/// F_x = −F ξ/s_C,    F_y = −F η/s_C − F_S
/// F_S = −(9/16) μN a K_M (1 + 6.3 (1 − e^{−a/b})) φ/s_C,      δ = (ε_S² − 1)/(ε_S² + 1)
/// K_M = |ε_S| (δ³/3 − δ²/2 + 1/6) − ⅓ (1 − δ²)^{3/2},   ε_S = (8/3) G b √(ab) C₂₃ η_C/(μN (1 + 6.3 (1 − e^{−a/b})))
/// ```
///
/// The default k_A = k_S = 1 is the clean dry contact, whose slope at the origin is Kalker's for ξ, η and φ each alone
/// (otherwise it is (k_A + k_S)/2 of it; wet rail: about 0.3 and 0.1). Saturates slowly, like 1/ε³. No moment.
/// Source: Polach 1999, 2005.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polach {
    adhesion: f64,
    slip: f64,
}

impl Default for Polach {
    fn default() -> Polach {
        Polach { adhesion: 1.0, slip: 1.0 }
    }
}

impl Polach {
    /// With the reduction factors k_A (area of adhesion) and k_S (area of slip), 0 < k_S ≤ k_A ≤ 1.
    pub fn new(adhesion: f64, slip: f64) -> Result<Polach, OutOfRange> {
        positive("k_A", adhesion, "")?;
        positive("k_S", slip, "")?;
        if adhesion > 1.0 {
            return Err(OutOfRange { what: "k_A", value: adhesion, unit: "", wanted: "at most 1" });
        }
        if slip > adhesion {
            return Err(OutOfRange { what: "k_S", value: slip, unit: "", wanted: "at most k_A" });
        }
        Ok(Polach { adhesion, slip })
    }
}

impl Theory for Polach {
    fn name(&self) -> &'static str {
        "Polach"
    }

    #[inline]
    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        let Creepage { xi, eta, phi } = finite(creepage)?;
        let limit = patch.friction().at(creepage) * patch.load();
        let none = Forces { fx: 0.0, fy: 0.0, mz: None, stick: None };
        let (a, b) = (patch.a(), patch.b());
        let turned = eta + a * phi;
        let eta_c = if turned.abs() > eta.abs() { turned } else { eta };
        // Creepages are below 1e100: squares stay finite.
        let s_c = (xi * xi + eta_c * eta_c).sqrt();
        if s_c == 0.0 || limit == 0.0 {
            return Ok(none);
        }
        let pi = std::f64::consts::PI;
        let c = patch.coefficients();
        let g = patch.material().shear_modulus();
        let s = (xi * xi + eta * eta).sqrt();
        let mut forces = none;
        if s > 0.0 {
            let (x, y) = (c.c11 * (xi / s), c.c22 * (eta / s));
            let slope = (x * x + y * y).sqrt();
            let e = 0.25 * pi * g * a * b * slope * s_c / limit;
            let ea = self.adhesion * e;
            // x/(1 + x²) without overflow.
            let f = 2.0 * limit / pi * (1.0 / (ea + 1.0 / ea) + (self.slip * e).atan());
            forces.fx = -f * (xi / s_c);
            forces.fy = -f * (eta / s_c);
        }
        if phi != 0.0 {
            let shape = patch.spin_shape();
            let e = (8.0 / 3.0 * g * b * (a * b).sqrt() * c.c23 / (limit * shape) * eta_c).abs();
            forces.fy -= 9.0 / 16.0 * limit * a * bulge(e) * shape * (phi / s_c);
        }
        Ok(forces)
    }
}

/// −K_M(ε) ≥ 0: ⅔ε for small ε, ⅔/ε³ for large.
///
/// Its two terms cancel for large ε. With q = 1/(ε² + 1), δ = 1 − 2q, they are δ³/3 − δ²/2 + 1/6 = 2q² − (8/3)q³ and
/// (1 − δ²)^{3/2} = 8ε³q³, and so −K_M = (8/3)ε³q³ + (8/3)εq³ − 2εq² = ⅔ εq².
#[inline(always)]
fn bulge(e: f64) -> f64 {
    // ε q as 1/(ε + 1/ε): no infinity times zero.
    2.0 / 3.0 / (e + 1.0 / e) / (1.0 + e * e)
}
