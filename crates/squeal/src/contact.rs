//! What happens between wheel and rail: a spring across, friction along.

use crate::friction::Friction;

/// The contact in the lateral direction.
#[derive(Debug, Clone, PartialEq)]
pub enum Contact {
    /// A point with set-valued friction: F_y ∈ −μ(|v|) N Sgn v; it sticks with v = 0.0 while |F_y| ≤ μ(0) N.
    Point {
        /// μ(|v|).
        friction: Friction,
    },
    /// A creep law with a lag: F_y = −T, (σ/V) Ṫ + T = N Γ(s), s = v/V, Γ(s) = μ(V|s|) tanh(κ s).
    Creep {
        /// μ(|v|).
        friction: Friction,
        /// κ > 0: initial slope of the creep curve over μ.
        slope: f64,
        /// Relaxation length σ ≥ 0 \[m\]; at 0 the force follows at once.
        lag: f64,
    },
    /// A patch of bristles of length 2a: ξ is the distance from the leading edge, p = N ¾ ξ(2a − ξ)/a³ the load per length, e = 0 at ξ = 0,
    /// ∂e/∂t + V ∂e/∂ξ = v, clipped to |e| ≤ μ(|v|) p L, F_y = −∫ e/L dξ. All bristles have the coefficient of the slip velocity v of
    /// wheel over rail: with one of their own slip massless bristles on falling friction would jump, and have no motion.
    Patch {
        /// μ(|v|), without a jump.
        friction: Friction,
        /// Half length a > 0 \[m\].
        half_length: f64,
        /// Flexibility L > 0 of the bristles [m²/N].
        flexibility: f64,
    },
}

impl Contact {
    /// μ(|v|).
    pub fn friction(&self) -> &Friction {
        match self {
            Contact::Point { friction } | Contact::Creep { friction, .. } | Contact::Patch { friction, .. } => friction,
        }
    }

    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Contact::Point { .. } => "point",
            Contact::Creep { .. } => "creep",
            Contact::Patch { .. } => "patch",
        }
    }
}

/// The spring across the contact: N = N0 (δ/δ0)_+^{3/2}, and the residual compliance c of the body in series:
/// δ = δ0 + x − c (N − N0), x = r − z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// N0 > 0 \[N\].
    pub load: f64,
    /// δ0 > 0 \[m\].
    pub approach: f64,
    /// Static compliance c ≥ 0 of the body that the modes do not hold [m/N].
    pub residual: f64,
}

impl Spring {
    /// Load at x = r − z; exactly 0.0 where wheel and rail are apart.
    #[inline]
    pub fn load(&self, x: f64) -> f64 {
        let u = self.share(x);
        if u > 0.0 { self.load * u * u.sqrt() } else { 0.0 }
    }

    /// δ/δ0, below 0 where they are apart.
    #[inline]
    fn share(&self, x: f64) -> f64 {
        let kappa = self.residual * self.load / self.approach;
        let s = 1.0 + x / self.approach + kappa;
        if kappa == 0.0 || s <= 0.0 {
            return s;
        }
        // u + κ u^{3/2} = s, rising and convex: Newton from the right comes down and never passes the root.
        let mut u = s;
        for _ in 0..60 {
            let root = u.sqrt();
            let next = u - (u + kappa * u * root - s) / (1.0 + 1.5 * kappa * root);
            if next >= u || next.is_nan() {
                break;
            }
            u = next.max(0.0);
        }
        u
    }

    /// dN/dx at rest [N/m]: Hertz spring 3N0/(2δ0) and residual in series.
    pub fn stiffness(&self) -> f64 {
        let hertz = 1.5 * self.load / self.approach;
        hertz / (1.0 + hertz * self.residual)
    }

    /// Energy of both springs above that at rest \[J\]: its derivative over x is N.
    pub fn energy(&self, x: f64) -> f64 {
        let u = self.share(x).max(0.0);
        let over = self.load * (u * u.sqrt() - 1.0);
        // ½ c (N² − N0²) = ½ c (N − N0)(N + N0).
        0.4 * self.load * self.approach * (u * u * u.sqrt() - 1.0)
            + 0.5 * self.residual * over * (over + 2.0 * self.load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_is_the_slope_of_the_energy() {
        for residual in [0.0, 3e-10, 2e-9] {
            let spring = Spring { load: 42e3, approach: 73.571e-6, residual };
            assert!((spring.load(0.0) - 42e3).abs() < 1e-9);
            for x in [-6e-5, -2e-5, 0.0, 1e-5, 5e-5] {
                let d = 1e-10;
                let slope = (spring.energy(x + d) - spring.energy(x - d)) / (2.0 * d);
                assert!((slope - spring.load(x)).abs() < 1e-2, "{x} {slope} {}", spring.load(x));
            }
            let d = 1e-9;
            let slope = (spring.load(d) - spring.load(-d)) / (2.0 * d);
            assert!((slope / spring.stiffness() - 1.0).abs() < 1e-6);
            assert_eq!(spring.load(-1e-3), 0.0);
        }
    }
}
