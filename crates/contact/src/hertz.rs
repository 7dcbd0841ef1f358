//! Hertz contact: an ellipse between doubly curved bodies, a strip between cylinders.
//!
//! Undeformed, the bodies are A x² + B y² apart, with A = ½(1/R_x1 + 1/R_x2) and B = ½(1/R_y1 + 1/R_y2) (principal
//! directions of both bodies along x, the rolling direction, and y). The pressure p₀ √(1 − x²/a² − y²/b²) with
//! p₀ = 3N/(2πab) flattens them if
//!
//! ```text
//! A = p₀ab/(3E*) · R_D(0, b², a²),     B = p₀ab/(3E*) · R_D(0, a², b²),     δ = p₀ab/E* · R_F(0, a², b²)
//! ```
//!
//! with δ the approach of distant points and Carlson's integrals of [`crate::elliptic`]. A/B fixes b/a; the load then
//! fixes the size (a ∝ N^⅓, δ ∝ N^⅔). The formulas are symmetric under exchange of x and y. Half-space theory:
//! a, b ≪ R. Source: Johnson, *Contact Mechanics*, chapter 4, in symmetric form.

use crate::elliptic::{rd, rf};
use crate::material::Material;
use stickslip_core::range::{OutOfRange, positive};

/// Principal radii of one body's surface at the contact \[m\]: infinite where it is straight, negative where it is hollow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Radii {
    /// In the rolling direction: the wheel's rolling radius, infinite for a straight rail.
    pub x: f64,
    /// Across: the radius of tread or rail head.
    pub y: f64,
}

/// An elliptic contact area under load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipse {
    /// Half-axis in the rolling direction \[m\].
    pub a: f64,
    /// Half-axis across \[m\].
    pub b: f64,
    /// Greatest pressure \[Pa\].
    pub p0: f64,
    /// Approach of distant points of the bodies \[m\].
    pub approach: f64,
    /// Normal load \[N\].
    pub load: f64,
}

/// A strip-shaped contact area between parallel cylinders under load, plane strain.
///
/// There is no approach: two-dimensional half-spaces have no fixed points at infinity to measure it from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strip {
    /// Half-width \[m\].
    pub a: f64,
    /// Greatest pressure \[Pa\].
    pub p0: f64,
    /// Load per length [N/m].
    pub load: f64,
    /// R* \[m\]: 1/R* = 1/R₁ + 1/R₂.
    pub radius: f64,
}

/// Why there is no Hertz contact.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum HertzError {
    /// A number is out of its range.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// The surfaces do not part in one direction: they touch along a line or overlap.
    #[error(
        "the relative curvature {curvature} 1/m along {direction} is not positive: the bodies touch along a line (use a \
         strip) or conform"
    )]
    Curvature {
        /// `x` or `y`.
        direction: &'static str,
        /// A or B, twice: 1/R₁ + 1/R₂.
        curvature: f64,
    },
    /// The contact is too slender for an ellipse.
    #[error("curvatures in the ratio {ratio:e} make a contact too slender for an ellipse (1e-10 to 1e10): use a strip")]
    Slender {
        /// A/B.
        ratio: f64,
    },
    /// The ratio of the axes was not found.
    #[error("the ratio of the axes was not found to rounding: residual {residual:e} of the logarithm of A/B")]
    NotConverged {
        /// What is left of ln(A/B).
        residual: f64,
    },
}

/// Relative curvatures (A, B) of two bodies [1/m].
pub fn curvatures(first: Radii, second: Radii) -> Result<(f64, f64), HertzError> {
    let sum = |direction, r1: f64, r2: f64| {
        for value in [r1, r2] {
            if value.is_nan() || value == 0.0 {
                return Err(OutOfRange { what: "radius", value, unit: "m", wanted: "a number other than 0" }.into());
            }
        }
        let curvature = 1.0 / r1 + 1.0 / r2;
        if curvature > 0.0 && curvature.is_finite() {
            Ok(0.5 * curvature)
        } else {
            Err(HertzError::Curvature { direction, curvature })
        }
    };
    Ok((sum("x", first.x, second.x)?, sum("y", first.y, second.y)?))
}

impl Ellipse {
    /// The contact of two bodies pressed together by the load N \[N\].
    pub fn under_load(first: Radii, second: Radii, material: Material, load: f64) -> Result<Ellipse, HertzError> {
        let (along, across) = curvatures(first, second)?;
        Ellipse::from_curvatures(along, across, material, load)
    }

    /// The contact of two bodies whose distant points approach by δ \[m\].
    pub fn at_approach(first: Radii, second: Radii, material: Material, approach: f64) -> Result<Ellipse, HertzError> {
        positive("approach", approach, "m")?;
        let (along, across) = curvatures(first, second)?;
        let ratio = axis_ratio(along, across)?;
        // δ/A = 3 R_F/R_D with a = 1, both over a² otherwise.
        let a = (approach * rd(ratio * ratio, 1.0) / (3.0 * along * rf(1.0, ratio * ratio))).sqrt();
        let load = load_of(a, ratio, along, material);
        Ok(Ellipse { load, ..shape(a, ratio, load, material) })
    }

    /// The contact of surfaces A x² + B y² apart [1/m].
    pub fn from_curvatures(along: f64, across: f64, material: Material, load: f64) -> Result<Ellipse, HertzError> {
        positive("load", load, "N")?;
        positive("curvature A", along, "1/m")?;
        positive("curvature B", across, "1/m")?;
        let ratio = axis_ratio(along, across)?;
        // N = load_of(1) a³.
        let a = (load / load_of(1.0, ratio, along, material)).cbrt();
        Ok(shape(a, ratio, load, material))
    }

    /// Pressure at a point \[Pa\]; 0 outside.
    pub fn pressure(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (x / self.a, y / self.b);
        self.p0 * (1.0 - x * x - y * y).max(0.0).sqrt()
    }
}

/// N for the half-axis a: from A = N R_D/(2πE*).
fn load_of(a: f64, ratio: f64, along: f64, material: Material) -> f64 {
    let pi = std::f64::consts::PI;
    2.0 * pi * material.contact_modulus() * along * a * a * a / rd(ratio * ratio, 1.0)
}

fn shape(a: f64, ratio: f64, load: f64, material: Material) -> Ellipse {
    let b = a * ratio;
    let pi = std::f64::consts::PI;
    let p0 = 1.5 * load / (pi * a * b);
    let approach = 1.5 * load / (pi * material.contact_modulus() * a) * rf(1.0, ratio * ratio);
    Ellipse { a, b, p0, approach, load }
}

/// b/a for the curvatures A and B: the root of ln(R_D(0,κ²,1)/R_D(0,1,κ²)) = ln(A/B), which increases with κ.
///
/// Secants within a bracket that shrinks; stops when the last step is below rounding.
fn axis_ratio(along: f64, across: f64) -> Result<f64, HertzError> {
    let ratio = along / across;
    if !(1e-10..=1e10).contains(&ratio) {
        return Err(HertzError::Slender { ratio });
    }
    if ratio == 1.0 {
        return Ok(1.0);
    }
    // Exchange x and y so that exchanged bodies give the same digits.
    if ratio > 1.0 {
        return axis_ratio(across, along).map(|k| 1.0 / k);
    }
    let target = ratio.ln();
    let excess = |log: f64| {
        let square = (2.0 * log).exp();
        (rd(square, 1.0) / rd(1.0, square)).ln() - target
    };
    // b/a lies between (A/B)^(1/2) (slender) and about (A/B)^(2/3) (round), with room on both sides.
    let (mut lo, mut hi) = (target - 1e-3, 0.4 * target + 1e-3);
    let (mut last, mut log) = (hi, 2.0 / 3.0 * target);
    let mut f_last = excess(last);
    let mut f = excess(log);
    for _ in 0..100 {
        if f > 0.0 {
            hi = hi.min(log)
        } else {
            lo = lo.max(log)
        }
        let secant = log - f * (log - last) / (f - f_last);
        let next = if secant > lo && secant < hi { secant } else { 0.5 * (lo + hi) };
        (last, f_last) = (log, f);
        log = next;
        f = excess(log);
        // ln(A/B) itself is known to a few units of rounding.
        if f.abs() <= 4.0 * f64::EPSILON * (1.0 + target.abs()) {
            return Ok(log.exp());
        }
        if (log - last).abs() <= f64::EPSILON * log.abs() {
            break;
        }
    }
    if f.abs() <= 64.0 * f64::EPSILON * (1.0 + target.abs()) {
        Ok(log.exp())
    } else {
        Err(HertzError::NotConverged { residual: f.abs() })
    }
}

impl Strip {
    /// Two parallel cylinders of radii R₁ and R₂ \[m\] (infinite: a plane) under the load P' per length [N/m]:
    /// a = √(4P'R*/(πE*)), p₀ = 2P'/(πa).
    pub fn under_load(r1: f64, r2: f64, material: Material, load: f64) -> Result<Strip, HertzError> {
        positive("load per length", load, "N/m")?;
        let plane = f64::INFINITY;
        let (half, _) = curvatures(Radii { x: r1, y: 1.0 }, Radii { x: r2, y: plane })?;
        let radius = 0.5 / half;
        let pi = std::f64::consts::PI;
        let a = (4.0 * load * radius / (pi * material.contact_modulus())).sqrt();
        Ok(Strip { a, p0: 2.0 * load / (pi * a), load, radius })
    }

    /// Pressure at x \[Pa\]; 0 outside.
    pub fn pressure(&self, x: f64) -> f64 {
        let x = x / self.a;
        self.p0 * (1.0 - x * x).max(0.0).sqrt()
    }
}
