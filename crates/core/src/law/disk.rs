//! Two-dimensional friction under a given load.

use super::{LawError, Set, State, bound};

/// C = { |r| ≤ a } in the plane: Coulomb friction of bound a = μN, the same in every direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disk {
    radius: f64,
}

impl Disk {
    /// The disk of radius a ≥ 0.
    pub fn new(radius: f64) -> Result<Disk, LawError> {
        bound("friction bound", radius).map(|radius| Disk { radius })
    }

    /// Greatest force a.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Set for Disk {
    fn dim(&self) -> usize {
        2
    }

    fn project(&self, x: &mut [f64]) {
        let length = x[0].hypot(x[1]);
        if length > self.radius {
            // Direction first: x may be so long that radius/length underflows.
            x[0] = self.radius * (x[0] / length);
            x[1] = self.radius * (x[1] / length);
        }
    }

    /// Rounding of the projection is allowed for: it may end two units in the last place outside.
    fn contains(&self, r: &[f64]) -> bool {
        r[0].hypot(r[1]) <= self.radius * (1.0 + 4.0 * f64::EPSILON)
    }

    fn way_out(&self, r: &[f64], d: &[f64]) -> f64 {
        let length = d[0].hypot(d[1]);
        if length == 0.0 {
            return f64::INFINITY;
        }
        let (c, s) = (d[0] / length, d[1] / length);
        let (along, across) = (r[0] * c + r[1] * s, (r[1] * c - r[0] * s).abs());
        let square = (self.radius - across) * (self.radius + across);
        if square > 0.0 { ((square.sqrt() - along) / length).max(0.0) } else { 0.0 }
    }

    fn support(&self, d: &[f64]) -> f64 {
        self.radius * d[0].hypot(d[1])
    }

    fn state(&self, x: &[f64]) -> State {
        let length = x[0].hypot(x[1]);
        if length > self.radius { State::Slip([-x[0] / length, -x[1] / length]) } else { State::Stick }
    }

    /// Outside: (a/|x|)(I − x xᵀ/|x|²), the force turns but does not grow. Inside: the identity.
    fn derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        let length = x[0].hypot(x[1]);
        if length > self.radius {
            let (c, s, k) = (x[0] / length, x[1] / length, self.radius / length);
            jacobian.copy_from_slice(&[k * s * s, -k * c * s, -k * c * s, k * c * c]);
        } else {
            jacobian.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        }
    }
}
