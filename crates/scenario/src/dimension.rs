//! Dimensions: what kind of quantity a unit measures.

use std::fmt;

/// Exponents of metre, kilogram and second; `angle` counts radians, which are pure numbers but worth
/// telling apart where a mix-up costs a factor of 2π (10 rpm is no frequency in Hz).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dimension {
    pub metre: i32,
    pub kilogram: i32,
    pub second: i32,
    pub angle: i32,
}

/// The dimension m^a kg^b s^c.
pub const fn dimension(metre: i32, kilogram: i32, second: i32) -> Dimension {
    Dimension { metre, kilogram, second, angle: 0 }
}

/// The same with radians to the first power.
pub const fn angular(metre: i32, kilogram: i32, second: i32) -> Dimension {
    Dimension { metre, kilogram, second, angle: 1 }
}

const NAMES: &[(Dimension, &str)] = &[
    (dimension(0, 0, 0), "a pure number"),
    (angular(0, 0, 0), "an angle"),
    (dimension(1, 0, 0), "a length"),
    (dimension(2, 0, 0), "an area"),
    (dimension(3, 0, 0), "a volume"),
    (dimension(0, 1, 0), "a mass"),
    (dimension(0, 0, 1), "a time"),
    (dimension(0, 0, -1), "a frequency"),
    (angular(0, 0, -1), "an angular speed"),
    (angular(0, 0, -2), "an angular acceleration"),
    (dimension(1, 0, -1), "a speed"),
    (dimension(1, 0, -2), "an acceleration"),
    (dimension(1, 1, -2), "a force"),
    (dimension(1, 1, -1), "a momentum"),
    (dimension(2, 1, -2), "a torque or energy"),
    (dimension(2, 1, -3), "a power"),
    (dimension(2, 1, 0), "a moment of inertia"),
    (dimension(0, 1, -2), "a stiffness"),
    (dimension(0, 1, -1), "a damping"),
    (dimension(-1, 1, -2), "a pressure"),
    (dimension(-3, 1, 0), "a density"),
];

impl Dimension {
    /// The dimension raised to a power.
    pub fn power(self, n: i32) -> Dimension {
        Dimension { metre: self.metre * n, kilogram: self.kilogram * n, second: self.second * n, angle: self.angle * n }
    }

    /// The dimension of a product.
    pub fn times(self, other: Dimension) -> Dimension {
        Dimension {
            metre: self.metre + other.metre,
            kilogram: self.kilogram + other.kilogram,
            second: self.second + other.second,
            angle: self.angle + other.angle,
        }
    }

    /// Whether a unit of dimension `unit` may be written where `self` is expected. Radians may be left
    /// out (0.5 is an angle) but not put in (5 deg is no friction coefficient).
    pub fn accepts(self, unit: Dimension) -> bool {
        let plain = |d: Dimension| Dimension { angle: 0, ..d };
        plain(self) == plain(unit) && (unit.angle == self.angle || unit.angle == 0)
    }
}

impl fmt::Display for Dimension {
    /// With an article: "a speed"; or, where there is no name, "a quantity in m^2 s^-1".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, name)) = NAMES.iter().find(|(d, _)| d == self) {
            return f.write_str(name);
        }
        f.write_str("a quantity in")?;
        let parts = [("m", self.metre), ("kg", self.kilogram), ("s", self.second), ("rad", self.angle)];
        for (symbol, power) in parts.into_iter().filter(|(_, n)| *n != 0) {
            match power {
                1 => write!(f, " {symbol}")?,
                n => write!(f, " {symbol}^{n}")?,
            }
        }
        Ok(())
    }
}
