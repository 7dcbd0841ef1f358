//! One-dimensional friction.

use super::{LawError, Set, State, bound};

/// C = [lo, hi]: a force that holds up to a bound either way. Coulomb friction of coefficient μ under the
/// load N has lo = −μN, hi = μN; a brake of torque α_B has lo = −α_B, hi = α_B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

impl Interval {
    /// [lo, hi]; the ends may be infinite (a bilateral constraint has both).
    pub fn new(lo: f64, hi: f64) -> Result<Interval, LawError> {
        if lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY {
            Ok(Interval { lo, hi })
        } else {
            Err(LawError::Interval { lo, hi })
        }
    }

    /// [−a, a], a ≥ 0 finite.
    pub fn symmetric(a: f64) -> Result<Interval, LawError> {
        bound("friction bound", a).map(|a| Interval { lo: -a, hi: a })
    }

    /// Lower end.
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// Upper end.
    pub fn hi(&self) -> f64 {
        self.hi
    }
}

impl Set for Interval {
    fn dim(&self) -> usize {
        1
    }

    fn project(&self, x: &mut [f64]) {
        x[0] = x[0].max(self.lo).min(self.hi);
    }

    fn contains(&self, r: &[f64]) -> bool {
        self.lo <= r[0] && r[0] <= self.hi
    }

    fn way_out(&self, r: &[f64], d: &[f64]) -> f64 {
        let way = match d[0] {
            d if d > 0.0 => (self.hi - r[0]) / d,
            d if d < 0.0 => (self.lo - r[0]) / d,
            _ => f64::INFINITY,
        };
        way.max(0.0)
    }

    fn support(&self, d: &[f64]) -> f64 {
        match d[0] {
            d if d > 0.0 => d * self.hi,
            d if d < 0.0 => d * self.lo,
            _ => 0.0,
        }
    }

    /// Beyond the upper end the force is at its greatest and the slip negative, and the other way round.
    fn state(&self, x: &[f64]) -> State {
        if x[0] > self.hi {
            State::Slip([-1.0, 0.0])
        } else if x[0] < self.lo {
            State::Slip([1.0, 0.0])
        } else {
            State::Stick
        }
    }

    fn derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        jacobian[0] = f64::from(self.contains(x));
    }
}
