//! Coefficients of friction that depend on the slip speed.
//!
//! The bound of a contact is a = μ(|s|) N. A step takes μ at the slip it begins with and the set-valued law with that
//! bound at its end: each step is then the same monotone inclusion whatever μ does, and the scheme stays of first
//! order. A falling μ(|s|) inside the inclusion could make a step have several solutions or none.

use super::curve::Curve;
use super::{LawError, bound};

/// μ as a function of the slip speed |s| [m/s].
#[derive(Debug, Clone, PartialEq)]
pub enum Coefficient {
    /// The same at all speeds.
    Constant(f64),
    /// μ_s while the contact sticks, μ_k while it slips.
    StaticKinetic {
        /// μ_s ≥ μ_k.
        sticking: f64,
        /// μ_k ≥ 0.
        slipping: f64,
    },
    /// μ_k + (μ_s − μ_k) exp(−(|s|/v_s)^δ).
    Stribeck {
        /// μ_s ≥ 0.
        sticking: f64,
        /// μ_k ≥ 0.
        slipping: f64,
        /// v_s > 0 [m/s].
        speed: f64,
        /// δ > 0, commonly 1 or 2.
        exponent: f64,
    },
    /// μ_k + (μ_s − μ_k) sech(α|s|) (Xia, Wolfs and Cole 2005).
    Sech {
        /// μ_s ≥ 0.
        sticking: f64,
        /// μ_k ≥ 0.
        slipping: f64,
        /// α ≥ 0 [s/m].
        alpha: f64,
    },
    /// Points (|s|, μ), held outside.
    Table(Curve),
}

/// Slip speeds over which a law of friction changes.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SlipRange {
    /// Over which it changes much [m/s].
    pub scale: f64,
    /// Beyond which it does not change any more [m/s].
    pub end: f64,
}

impl Coefficient {
    /// Checks the numbers.
    pub fn check(&self) -> Result<(), LawError> {
        let coefficient = |value| bound("coefficient of friction", value).map(|_| ());
        match self {
            Coefficient::Constant(mu) => coefficient(*mu),
            Coefficient::StaticKinetic { sticking, slipping } => {
                coefficient(*slipping)?;
                // μ_k > μ_s is refused: a contact would stick and slip by turns at one force.
                bound("static minus kinetic coefficient of friction", sticking - slipping).map(|_| ())
            }
            Coefficient::Stribeck { sticking, slipping, speed, exponent } => {
                coefficient(*sticking)?;
                coefficient(*slipping)?;
                let positive = |what, value: f64| if value > 0.0 { bound(what, value) } else { bound(what, f64::NAN) };
                positive("Stribeck speed (greater than 0)", *speed)?;
                positive("Stribeck exponent (greater than 0)", *exponent).map(|_| ())
            }
            Coefficient::Sech { sticking, slipping, alpha } => {
                coefficient(*sticking)?;
                coefficient(*slipping)?;
                bound("alpha", *alpha).map(|_| ())
            }
            Coefficient::Table(curve) => {
                // What stands at negative speeds would never be read.
                curve.places().iter().try_for_each(|speed| bound("slip speed (a magnitude)", *speed).map(|_| ()))?;
                curve.values().iter().try_for_each(|mu| coefficient(*mu))
            }
        }
    }

    /// μ at the slip speed |s|; 0.0 means that the contact sticks.
    #[inline]
    pub fn at(&self, speed: f64) -> f64 {
        match self {
            Coefficient::Constant(mu) => *mu,
            Coefficient::StaticKinetic { sticking, slipping } => {
                if speed == 0.0 {
                    *sticking
                } else {
                    *slipping
                }
            }
            Coefficient::Stribeck { sticking, slipping, speed: scale, exponent } => {
                slipping + (sticking - slipping) * (-(speed / scale).powf(*exponent)).exp()
            }
            Coefficient::Sech { sticking, slipping, alpha } => {
                if speed == 0.0 {
                    return *sticking;
                }
                // sech x = 2 e^{−x}/(1 + e^{−2x}): no overflow, one exponential.
                let e = (-alpha * speed).exp();
                slipping + (sticking - slipping) * 2.0 * e / (1.0 + e * e)
            }
            Coefficient::Table(curve) => curve.at(speed),
        }
    }

    /// μ of a contact that slips with this speed > 0.
    pub fn slipping_at(&self, speed: f64) -> f64 {
        match self {
            Coefficient::StaticKinetic { slipping, .. } => *slipping,
            law => law.at(speed),
        }
    }

    /// dμ/d|s| of a contact that slips, |s| > 0 [s/m]; none at a corner of a table.
    pub fn slope(&self, speed: f64) -> Option<f64> {
        match self {
            Coefficient::Constant(_) | Coefficient::StaticKinetic { .. } => Some(0.0),
            Coefficient::Stribeck { sticking, slipping, speed: scale, exponent } => {
                let ratio = speed / scale;
                let power = ratio.powf(*exponent);
                Some(-(sticking - slipping) * exponent * power / speed * (-power).exp())
            }
            Coefficient::Sech { sticking, slipping, alpha } => {
                // −α sech x tanh x, without overflow.
                let e = (-alpha * speed).exp();
                let sech = 2.0 * e / (1.0 + e * e);
                let tanh = (1.0 - e * e) / (1.0 + e * e);
                Some(-(sticking - slipping) * alpha * sech * tanh)
            }
            Coefficient::Table(curve) => curve.slope(speed),
        }
    }

    /// μ of a contact that sticks.
    pub fn sticking(&self) -> f64 {
        self.at(0.0)
    }
}

impl Coefficient {
    /// Slip speeds at which the law has a corner.
    pub fn corners(&self) -> &[f64] {
        match self {
            Coefficient::Table(curve) => curve.corners_above_zero().1,
            _ => &[],
        }
    }

    /// Slip speeds over which a smooth law changes, and up to which it does so visibly; none where nothing is smooth.
    pub fn range(&self) -> Option<SlipRange> {
        // exp(−36) is rounding.
        match *self {
            Coefficient::Stribeck { sticking, slipping, speed, exponent } if sticking != slipping => {
                Some(SlipRange { scale: speed, end: speed * 36_f64.powf(1.0 / exponent) })
            }
            Coefficient::Sech { sticking, slipping, alpha } if sticking != slipping && alpha > 0.0 => {
                Some(SlipRange { scale: 1.0 / alpha, end: 37.0 / alpha })
            }
            _ => None,
        }
    }

    /// μ of a contact that slips with this speed, on the piece of the law behind so many corners.
    pub fn slipping(&self, speed: f64, corners: usize) -> f64 {
        match self {
            Coefficient::StaticKinetic { slipping, .. } => *slipping,
            Coefficient::Table(curve) => curve.on_piece(curve.corners_above_zero().0 + corners, speed).max(0.0),
            law => law.at(speed),
        }
    }
}

/// How the friction of a wheel changes with slip: factors of its bounds, 1 where there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OverSlip {
    /// On the ground, over the slip |x1 + R θ̇|.
    pub ground: Option<Coefficient>,
    /// In the brake, over the circumferential speed |R θ̇|.
    pub brake: Option<Coefficient>,
}

impl OverSlip {
    /// Whether friction does not change with slip.
    pub fn is_none(&self) -> bool {
        self.ground.is_none() && self.brake.is_none()
    }

    /// Checks the numbers.
    pub fn check(&self) -> Result<(), LawError> {
        self.ground.iter().chain(&self.brake).try_for_each(Coefficient::check)
    }

    /// Slip speeds at which one of the factors has a corner: of the ground, then of the brake.
    pub fn corners(&self) -> [&[f64]; 2] {
        [&self.ground, &self.brake].map(|law| law.as_ref().map_or(&[] as &[f64], Coefficient::corners))
    }

    /// Factors of ground and brake at these slip speeds.
    #[inline]
    pub fn at(&self, ground: f64, brake: f64) -> [f64; 2] {
        let factor = |law: &Option<Coefficient>, speed: f64| law.as_ref().map_or(1.0, |law| law.at(speed.abs()));
        [factor(&self.ground, ground), factor(&self.brake, brake)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sech_goes_from_static_to_kinetic() {
        let mu = Coefficient::Sech { sticking: 0.4, slipping: 0.3, alpha: 50.0 };
        assert_eq!(mu.at(0.0), 0.4);
        assert!((mu.at(0.02) - (0.3 + 0.1 / 1.0_f64.cosh())).abs() < 1e-16);
        assert_eq!(mu.at(1e6), 0.3);
        assert!((mu.at(1e-12) - 0.4).abs() < 1e-15);
    }

    #[test]
    fn stribeck_and_the_others() {
        let mu = Coefficient::Stribeck { sticking: 0.5, slipping: 0.2, speed: 0.1, exponent: 2.0 };
        assert_eq!(mu.at(0.0), 0.5);
        assert!((mu.at(0.1) - (0.2 + 0.3 * (-1.0_f64).exp())).abs() < 1e-16);
        assert_eq!(mu.at(1e9), 0.2);
        let jump = Coefficient::StaticKinetic { sticking: 1.0, slipping: 0.5 };
        assert_eq!((jump.at(0.0), jump.at(1e-300)), (1.0, 0.5));
        let table = Coefficient::Table(Curve::held(&[(0.0, 0.5), (1.0, 0.25)]).expect("rising"));
        assert_eq!((table.at(0.5), table.at(7.0)), (0.375, 0.25));
    }

    #[test]
    fn slopes_are_those_of_differences() {
        let stribeck = |exponent| Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: 0.15, exponent };
        let table = Coefficient::Table(Curve::held(&[(0.0, 0.5), (1.0, 0.25)]).expect("rising"));
        let sech = Coefficient::Sech { sticking: 0.4, slipping: 0.3, alpha: 50.0 };
        for law in [Coefficient::Constant(0.3), stribeck(1.0), stribeck(2.0), stribeck(0.7), sech, table] {
            for speed in [0.003, 0.02, 0.15, 0.6] {
                let h = 1e-5 * speed;
                let difference = (law.at(speed + h) - law.at(speed - h)) / (2.0 * h);
                let slope = law.slope(speed).expect("no corner");
                // Second order in h, and rounding over h.
                assert!(
                    (slope - difference).abs() < 1e-8 * slope.abs() + 1e-16 / h,
                    "{law:?} {speed}: {slope} {difference}"
                );
            }
        }
        let closed = -0.1 / 0.15 * (-0.2_f64 / 0.15).exp();
        assert!((stribeck(1.0).slope(0.2).expect("smooth") - closed).abs() < 1e-15);
    }

    #[test]
    fn bad_coefficients_are_refused() {
        for bad in [
            Coefficient::Constant(-0.1),
            Coefficient::Constant(f64::NAN),
            Coefficient::StaticKinetic { sticking: 0.2, slipping: 0.3 },
            Coefficient::Stribeck { sticking: 0.2, slipping: 0.3, speed: 0.0, exponent: 1.0 },
            Coefficient::Sech { sticking: 0.2, slipping: 0.3, alpha: f64::INFINITY },
            Coefficient::Table(Curve::held(&[(0.0, -1.0)]).expect("a point")),
            Coefficient::Table(Curve::held(&[(-1.0, 0.2), (0.0, 0.4), (1.0, 0.3)]).expect("rising")),
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
        assert!(Coefficient::Sech { sticking: 0.4, slipping: 0.3, alpha: 50.0 }.check().is_ok());
    }
}
