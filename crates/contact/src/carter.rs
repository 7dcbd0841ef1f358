//! Tangential contact in closed form: rolling and shifting cylinders, shifting spheres, the stiffness of an ellipse at rest.
//!
//! # Rolling cylinders (Carter 1926)
//! Half-width a, pressure p₀ √(1 − x²/a²), relative radius R* (1/R* = 1/R₁ + 1/R₂), like bodies, rolling towards +x. The
//! part of the strip at the leading edge sticks:
//!
//! ```text
//! full slip at ξ₁ = μa/R*,      stick half-length c = a(1 − |ξ|/ξ₁),     |Q|/(μP') = 1 − (c/a)²
//! |q| = μp₀ √(1 − x²/a²) − μp₀ (c/a) √(1 − (x−a+c)²/c²)     (the second term where |x − a + c| < c)
//! ```
//!
//! # Shifting cylinders (Cattaneo 1938, Mindlin 1949)
//! Pressed together, then sheared by Q without rolling; the middle sticks: c = a√(1 − |Q|/(μP')),
//! |q| = μp₀ √(1 − x²/a²) − μp₀ (c/a) √(1 − x²/c²).
//!
//! # Shifting spheres
//! c = a(1 − |Q|/(μN))^{⅓}, and distant points shift by
//! δ = 3μN(2−ν)/(8Ga) · (1 − (1 − |Q|/(μN))^{⅔}).
//!
//! Signs: q and Q are given for ξ ≥ 0 and Q ≥ 0 as magnitudes. Source: Johnson, *Contact Mechanics*, chapters 7 and 8.

use crate::elliptic::{rd, rf};
use crate::hertz::Strip;
use crate::material::Material;
use stickslip_core::range::{OutOfRange, not_negative, positive};

/// A strip with friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carter {
    strip: Strip,
    friction: f64,
}

/// Tractions of a strip: a slipping ellipse less a smaller one where it sticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traction {
    strip: Strip,
    friction: f64,
    /// Middle of the part that sticks \[m\].
    pub centre: f64,
    /// Half-length c of the part that sticks \[m\]; 0 if all slips.
    pub half: f64,
    /// Q/(μP'), between 0 and 1.
    pub ratio: f64,
}

impl Carter {
    /// A strip with the friction coefficient μ ≥ 0.
    pub fn new(strip: Strip, friction: f64) -> Result<Carter, OutOfRange> {
        not_negative("friction coefficient", friction, "")?;
        Ok(Carter { strip, friction })
    }

    /// ξ₁ = μa/R*: the creepage from which on all slips.
    pub fn full_slip(&self) -> f64 {
        self.friction * self.strip.a / self.strip.radius
    }

    /// Steady rolling with the creepage ξ.
    pub fn rolling(&self, xi: f64) -> Result<Traction, OutOfRange> {
        not_negative("creepage", xi, "")?;
        let full = self.full_slip();
        let share = if xi >= full { 0.0 } else { 1.0 - xi / full };
        let a = self.strip.a;
        Ok(self.traction(a * (1.0 - share), a * share, 1.0 - share * share))
    }

    /// At rest under the tangential load Q = ratio·μP', 0 ≤ ratio ≤ 1.
    pub fn shifted(&self, ratio: f64) -> Result<Traction, OutOfRange> {
        if !(0.0..=1.0).contains(&ratio) {
            return Err(OutOfRange { what: "Q/(μP')", value: ratio, unit: "", wanted: "between 0 and 1" });
        }
        Ok(self.traction(0.0, self.strip.a * (1.0 - ratio).sqrt(), ratio))
    }

    fn traction(&self, centre: f64, half: f64, ratio: f64) -> Traction {
        Traction { strip: self.strip, friction: self.friction, centre, half, ratio }
    }
}

impl Traction {
    /// Traction at x \[Pa\].
    pub fn at(&self, x: f64) -> f64 {
        let slipping = self.friction * self.strip.pressure(x);
        if !self.sticks(x) {
            return slipping;
        }
        let t = (x - self.centre) / self.half;
        let less = self.friction * self.strip.p0 * (self.half / self.strip.a) * (1.0 - t * t).max(0.0).sqrt();
        // Equal at the leading edge but for rounding.
        (slipping - less).max(0.0)
    }

    /// Whether the surfaces stick at x.
    pub fn sticks(&self, x: f64) -> bool {
        (x - self.centre).abs() < self.half
    }

    /// Share of the strip that sticks.
    pub fn stick(&self) -> f64 {
        self.half / self.strip.a
    }
}

/// Shift of distant points of two spheres (contact radius a \[m\], load N \[N\]) under the tangential load Q = ratio·μN
/// \[m\]. At ratio = 1 they begin to slide.
pub fn sphere_shift(a: f64, load: f64, material: Material, friction: f64, ratio: f64) -> Result<f64, OutOfRange> {
    positive("contact radius", a, "m")?;
    not_negative("load", load, "N")?;
    not_negative("friction coefficient", friction, "")?;
    if !(0.0..=1.0).contains(&ratio) {
        return Err(OutOfRange { what: "Q/(μN)", value: ratio, unit: "", wanted: "between 0 and 1" });
    }
    let rigid = 3.0 * friction * load * (2.0 - material.poisson()) / (8.0 * material.shear_modulus() * a);
    let left = 1.0 - ratio;
    Ok(rigid * (1.0 - (left * left).cbrt()))
}

/// Force per shift of distant points along x of an ellipse that sticks everywhere [N/m]:
///
/// ```text
/// 1/k = ((1−ν) R_F(0, a², b²) + ν a² R_D(0, b², a²)/3)/(πG)      = (2−ν)/(4Ga) for a circle
/// ```
///
/// from the traction ∝ (1 − x²/a² − y²/b²)^{−½}, which shifts all points of the ellipse alike (Mindlin 1949).
pub fn tangential_stiffness(a: f64, b: f64, material: Material) -> f64 {
    let (nu, g) = (material.poisson(), material.shear_modulus());
    let (aa, bb) = (a * a, b * b);
    // ∫ dθ/√(b²cos² + a²sin²) and ∫ cos²θ dθ/√(b²cos² + a²sin²).
    let all = rf(aa, bb);
    let along = aa * rd(bb, aa) / 3.0;
    std::f64::consts::PI * g / ((1.0 - nu) * all + nu * along)
}
