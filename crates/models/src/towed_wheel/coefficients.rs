//! The numbers that masses and lengths reduce to.

use super::file::WheelTable;
use super::{Inertia, Parameters, TowedWheelError};
use stickslip_scenario::tables::check;

/// Numbers with a few digits that stand for equality are not refused for their last one.
const SLACK: f64 = 1.0 + 1e-9;

/// Masses and inertias of wheel and bar together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bodies {
    /// M = m_w + m_b \[kg\].
    pub mass: f64,
    /// S = m_b L/2 [kg·m].
    pub moment: f64,
    /// J = I_z + m_b L²/3, about the wheel's centre [kg·m²].
    pub inertia: f64,
    /// R²/I_a [1/kg].
    pub spin: f64,
    /// The inverse of [[M, S], [S, J]]: off the diagonal, first, second.
    pub inverse: [f64; 3],
}

impl Bodies {
    pub fn new(p: &Parameters) -> Result<Bodies, TowedWheelError> {
        let ring = p.wheel_mass * p.radius * p.radius;
        let (axle, vertical) = match p.inertia {
            Inertia::Disc => (0.5 * ring, 0.25 * ring),
            Inertia::Ring => (ring, 0.5 * ring),
            Inertia::Given { axle, vertical } => (axle, vertical),
        };
        check(|table: &WheelTable| &table.inertia, "inertia about the axle", axle)?;
        check(|table: &WheelTable| &table.inertia_vertical, "inertia about the vertical", vertical)?;
        if axle > ring * SLACK {
            return Err(TowedWheelError::TooMuchInertia { axle, most: ring });
        }
        if axle > 2.0 * vertical * SLACK {
            return Err(TowedWheelError::NoBody { axle, vertical });
        }
        let mut bodies = Bodies {
            mass: p.wheel_mass + p.bar_mass,
            moment: 0.5 * p.bar_mass * p.length,
            inertia: vertical + p.bar_mass * p.length * p.length / 3.0,
            spin: p.radius * p.radius / axle,
            inverse: [0.0; 3],
        };
        bodies.inverse = bodies.inverse_at(0.0);
        Ok(bodies)
    }

    /// Δ = M J − S² [kg²·m²].
    pub fn determinant(&self) -> f64 {
        self.mass * self.inertia - self.moment * self.moment
    }

    /// The inverse of [[M, S], [S, J + M w²]]: off the diagonal, first, second.
    #[inline(always)]
    pub fn inverse_at(&self, w: f64) -> [f64; 3] {
        let inertia = self.inertia + self.mass * w * w;
        let per = 1.0 / (self.mass * inertia - self.moment * self.moment);
        [-self.moment * per, inertia * per, self.mass * per]
    }

    /// The coefficients of the source, with the reference mass m = M.
    pub fn coefficients(&self, p: &Parameters) -> Coefficients {
        let (m, s, j, l) = (self.mass, self.moment, self.inertia, p.length);
        let per = m / self.determinant();
        Coefficients {
            mass: m,
            b1: per * l * (m * l - s),
            b2: per * l * s,
            b3: m * self.spin,
            b4: per * (j - s * l),
            b5: per * j,
            a1: m * l * l / j,
            a2: l * s / j,
            length: l,
            stiffness: p.stiffness,
            speed: p.speed,
        }
    }
}

/// B1 … B5, A1, A2 of the source, with the reference mass m = m_w + m_b, and the linear motion while rolling.
///
/// ```text
/// slipping:  Ω' = −(B1 k/mL) w − (B2/mL) r2,   u1' = −vΩ sinψ + (B3/m) r1,   u2' = −vΩ cosψ − (B4 k/m) w + (B5/m) r2
/// rolling:   Ω' = −(A1 k/mL) w − (A2 v/L) Ω cosψ,    A1 = B1 + B2 B4/B5,    A2 = B2/B5
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// Reference mass m = m_w + m_b \[kg\].
    pub mass: f64,
    /// B1.
    pub b1: f64,
    /// B2.
    pub b2: f64,
    /// B3.
    pub b3: f64,
    /// B4.
    pub b4: f64,
    /// B5.
    pub b5: f64,
    /// A1 = m L²/J.
    pub a1: f64,
    /// A2 = L S/J; rolling straight is stable if and only if A2 > 1.
    pub a2: f64,
    length: f64,
    stiffness: f64,
    speed: f64,
}

impl Coefficients {
    /// ω = sqrt(A1 k/m) [rad/s].
    pub fn frequency(&self) -> f64 {
        (self.a1 * self.stiffness / self.mass).sqrt()
    }

    /// How fast the wheel moves of itself [1/s], no less than any root of its linear motion divided by 2: the greatest of
    /// ω while rolling, sqrt((B1 + B4) k/m) while slipping, v/L and A2 v/L.
    pub fn rate(&self) -> f64 {
        let slipping = ((self.b1 + self.b4).abs() * self.stiffness / self.mass).sqrt();
        let towed = self.speed / self.length;
        self.frequency().max(slipping).max(towed).max(self.a2 * towed)
    }

    /// P = 2π/ω \[s\].
    pub fn period(&self) -> f64 {
        2.0 * std::f64::consts::PI / self.frequency()
    }

    /// c2, c1, c0 of the characteristic polynomial λ³ + c2 λ² + c1 λ + c0 of straight rolling.
    pub fn cubic(&self) -> [f64; 3] {
        let rate = self.speed / self.length;
        let square = self.frequency() * self.frequency();
        [self.a2 * rate, square, square * rate]
    }

    /// Greatest real part of the roots of [`Coefficients::cubic`]: how fast shimmy grows (or, negative, decays) [1/s].
    ///
    /// All coefficients are ≥ 0, so that the one real root that is always there is ≤ 0; Newton's method with
    /// bisection finds it, and the other two follow from their sum and product.
    pub fn growth(&self) -> f64 {
        let [c2, c1, c0] = self.cubic();
        let value = |x: f64| ((x + c2) * x + c1) * x + c0;
        let slope = |x: f64| (3.0 * x + 2.0 * c2) * x + c1;
        let (mut lo, mut hi) = (-(1.0 + c2.max(c1).max(c0)), 0.0);
        let mut x = hi;
        for _ in 0..200 {
            let newton = x - value(x) / slope(x);
            let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
            if next == x {
                break;
            }
            x = next;
            if value(x) > 0.0 { hi = x } else { lo = x }
        }
        // λ² + b λ + c is what is left.
        let (b, c) = (c2 + x, c1 + x * (c2 + x));
        let discriminant = 0.25 * b * b - c;
        let pair = -0.5 * b + if discriminant > 0.0 { discriminant.sqrt() } else { 0.0 };
        pair.max(x)
    }
}
