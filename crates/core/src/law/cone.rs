//! Friction under a support's own load.

use super::{HalfLine, LawError, Set, State, bound};

/// C = { (n, t₁, t₂) : |t| ≤ μ n }: a unilateral support with Coulomb friction. The first component is
/// normal.
///
/// Taken alone the cone gives an associated law, in which slipping bodies separate. With the slip
/// corrected to (s_n + μ|s_t|, s_t) (de Saxcé) the law is Coulomb's: s_n ≥ 0 ⟂ n ≥ 0 and friction μn
/// against s_t. Every residual and solver applies [`Set::correct`] for that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    friction: f64,
}

impl Cone {
    /// The cone of friction coefficient μ ≥ 0.
    pub fn new(friction: f64) -> Result<Cone, LawError> {
        bound("friction coefficient", friction).map(|friction| Cone { friction })
    }

    /// Friction coefficient μ.
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// Inside the cone; inside its polar (the projection is 0); or on the mantle.
    fn side(&self, x: &[f64]) -> Side {
        let t = x[1].hypot(x[2]);
        if t <= self.friction * x[0] {
            Side::Inside
        } else if self.friction * t <= -x[0] {
            Side::Polar
        } else {
            Side::Mantle(t)
        }
    }
}

enum Side {
    Inside,
    Polar,
    /// With the length of the tangential part.
    Mantle(f64),
}

impl Set for Cone {
    fn dim(&self) -> usize {
        3
    }

    fn project(&self, x: &mut [f64]) {
        match self.side(x) {
            Side::Inside => {}
            Side::Polar => x.fill(0.0),
            Side::Mantle(t) => {
                let mu = self.friction;
                let n = (x[0] + mu * t) / (1.0 + mu * mu);
                let direction = [x[1] / t, x[2] / t];
                x.copy_from_slice(&[n, mu * n * direction[0], mu * n * direction[1]]);
            }
        }
    }

    fn contains(&self, r: &[f64]) -> bool {
        r[0] >= 0.0 && r[1].hypot(r[2]) <= self.friction * r[0] * (1.0 + 4.0 * f64::EPSILON)
    }

    /// From inside the line leaves where |t|² = μ²n² first: an equation of second order.
    fn way_out(&self, r: &[f64], d: &[f64]) -> f64 {
        if self.friction == 0.0 {
            return if d[1] == 0.0 && d[2] == 0.0 { HalfLine.way_out(r, d) } else { 0.0 };
        }
        let square = self.friction * self.friction;
        let product = |a: &[f64], b: &[f64]| square * a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
        // What is left, inside + 2 t along + t² ahead, is not negative in the cone.
        let (inside, along, ahead) = (product(r, r).max(0.0), product(r, d), product(d, d));
        if ahead >= 0.0 && d[0] >= 0.0 {
            return f64::INFINITY;
        }
        // Of the roots the first that is not negative, without cancellation.
        let root = (along * along - ahead * inside).max(0.0).sqrt();
        let way = if along > 0.0 { -(along + root) / ahead } else { inside / (root - along) };
        if way.is_nan() { 0.0 } else { way.max(0.0) }
    }

    fn support(&self, d: &[f64]) -> f64 {
        if d[0] + self.friction * d[1].hypot(d[2]) > 0.0 { f64::INFINITY } else { 0.0 }
    }

    fn state(&self, x: &[f64]) -> State {
        match self.side(x) {
            Side::Inside => State::Stick,
            Side::Polar => State::Open,
            Side::Mantle(t) => State::Slip([-x[1] / t, -x[2] / t]),
        }
    }

    fn derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        jacobian.fill(0.0);
        match self.side(x) {
            Side::Inside => (0..3).for_each(|i| jacobian[4 * i] = 1.0),
            Side::Polar => {}
            Side::Mantle(t) => {
                let mu = self.friction;
                let scale = 1.0 / (1.0 + mu * mu);
                // Proj(x) = n (1, μ e) with n = x·(1, μ e)/(1 + μ²); along the mantle and around it.
                let e = [x[1] / t, x[2] / t];
                let along = [1.0, mu * e[0], mu * e[1]];
                let around = mu * scale * (x[0] + mu * t) / t;
                for i in 0..3 {
                    for j in 0..3 {
                        jacobian[3 * i + j] = scale * along[i] * along[j];
                    }
                }
                jacobian[4] += around * e[1] * e[1];
                jacobian[5] -= around * e[0] * e[1];
                jacobian[7] -= around * e[0] * e[1];
                jacobian[8] += around * e[0] * e[0];
            }
        }
    }

    fn correct(&self, slip: &mut [f64]) {
        slip[0] += self.friction * slip[1].hypot(slip[2]);
    }
}
