//! Friction over slip velocity, with its slope.

use stickslip_core::law::Coefficient;

/// A speed this share of its size from a corner is at it, but for rounding; and so two slopes are one.
const AT_CORNER: f64 = 1e-12;

/// μ(|v|).
#[derive(Debug, Clone, PartialEq)]
pub enum Friction {
    /// The house's law of friction over slip.
    Law(Coefficient),
    /// μ(v) = μ0 (1 − ½ e^{−v1/v} − ½ e^{−v2/v}): falls in two steps around v1 and v2, flat at v = 0 (the law of
    /// reference/rolling/one-mode-squeal.csv, of the kind that squeal models of railway wheels use).
    TwoFalls {
        /// μ0.
        start: f64,
        /// v1, v2 > 0 [m/s].
        speeds: [f64; 2],
    },
}

impl Friction {
    /// μ at a slip speed ≥ 0; 0.0 means that it sticks.
    #[inline]
    pub fn at(&self, speed: f64) -> f64 {
        match self {
            Friction::Law(Coefficient::Constant(mu)) => *mu,
            // The usual exponent needs no power.
            Friction::Law(Coefficient::Stribeck { sticking, slipping, speed: scale, exponent }) if *exponent == 1.0 => {
                slipping + (sticking - slipping) * (-speed / scale).exp()
            }
            Friction::Law(law) => law.at(speed),
            Friction::TwoFalls { start, speeds } => {
                if speed <= 0.0 {
                    return *start;
                }
                start * (1.0 - 0.5 * speeds.iter().map(|own| (-own / speed).exp()).sum::<f64>())
            }
        }
    }

    /// dμ/dv at a slip speed > 0 [s/m]; of the piece to the right at a corner of a table.
    pub fn slope(&self, speed: f64) -> f64 {
        match self {
            Friction::Law(law) => match law {
                Coefficient::Constant(_) | Coefficient::StaticKinetic { .. } => 0.0,
                Coefficient::Stribeck { sticking, slipping, speed: scale, exponent } => {
                    let x = speed / scale;
                    let power = if *exponent == 1.0 { 1.0 } else { x.powf(exponent - 1.0) };
                    -(sticking - slipping) * exponent / scale * power * (-x.powf(*exponent)).exp()
                }
                Coefficient::Sech { sticking, slipping, alpha } => {
                    let x = alpha * speed;
                    -(sticking - slipping) * alpha * x.tanh() / x.cosh()
                }
                Coefficient::Table(curve) => {
                    // Straight between its points: a difference within the piece is its slope.
                    let corners = law.corners();
                    let next = corners.iter().copied().find(|corner| *corner > speed);
                    let width = next.map_or(1.0_f64.max(speed), |next| 0.5 * (next - speed));
                    (curve.at(speed + width) - curve.at(speed)) / width
                }
            },
            Friction::TwoFalls { start, speeds } => {
                if speed <= 0.0 {
                    return 0.0;
                }
                let term = |own: &f64| own / (speed * speed) * (-own / speed).exp();
                -0.5 * start * speeds.iter().map(term).sum::<f64>()
            }
        }
    }

    /// The slopes below and above a slip speed > 0 where it is, but for rounding, a corner of a table and they are two [s/m].
    pub fn corner(&self, speed: f64) -> Option<[f64; 2]> {
        let Friction::Law(law @ Coefficient::Table(curve)) = self else { return None };
        let corners = law.corners();
        let k = corners.iter().position(|corner| (corner - speed).abs() <= AT_CORNER * speed)?;
        let before = if k == 0 { 0.0 } else { corners[k - 1] };
        let after = corners.get(k + 1).copied().unwrap_or(2.0 * speed);
        // Straight between its points: the middle of a piece has the slope of all of it.
        let slopes = [0.5 * (before + corners[k]), 0.5 * (corners[k] + after)].map(|v| curve.slope(v).unwrap_or(0.0));
        let size = slopes[0].abs().max(slopes[1].abs());
        ((slopes[0] - slopes[1]).abs() > AT_CORNER * size).then_some(slopes)
    }

    /// Greatest size of the slope over all slip speeds, sampled finely enough for a bound on steps [s/m].
    pub fn steepest(&self, up_to: f64) -> f64 {
        let (least, most) = (1e-6 * up_to, up_to);
        (0..=600)
            .map(|k| least * (most / least).powf(f64::from(k) / 600.0))
            .map(|v| self.slope(v).abs())
            .fold(0.0, f64::max)
    }

    /// Whether it is one coefficient for all slip speeds.
    pub fn is_constant(&self) -> bool {
        matches!(self, Friction::Law(Coefficient::Constant(_)))
    }

    /// The least coefficient that makes sense is 0; the error says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Friction::Law(law) => law.check().map_err(|error| error.to_string()),
            Friction::TwoFalls { start, speeds } => {
                if !(*start >= 0.0 && start.is_finite()) {
                    return Err(format!("a coefficient of friction of {start}: it must be at least 0"));
                }
                match speeds.iter().find(|v| !(**v > 0.0 && v.is_finite())) {
                    Some(bad) => Err(format!("a speed of {bad} m/s in the law of friction: it must be greater than 0")),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_core::law::Curve;

    #[test]
    fn slopes_are_those_of_differences() {
        let laws = [
            Friction::Law(Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: 0.15, exponent: 1.0 }),
            Friction::Law(Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: 0.15, exponent: 2.0 }),
            Friction::Law(Coefficient::Sech { sticking: 0.35, slipping: 0.25, alpha: 5.0 }),
            Friction::Law(Coefficient::Table(Curve::held(&[(0.0, 0.4), (0.2, 0.3), (1.0, 0.2)]).expect("rises"))),
            Friction::TwoFalls { start: 0.4, speeds: [0.138, 6.9] },
        ];
        for law in laws {
            for v in [0.01, 0.05, 0.11, 0.3, 0.9] {
                let d = 1e-6;
                let difference = (law.at(v + d) - law.at(v - d)) / (2.0 * d);
                assert!((law.slope(v) - difference).abs() < 1e-8, "{law:?} {v} {} {difference}", law.slope(v));
            }
        }
    }
}
