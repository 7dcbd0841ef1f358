//! Unilateral support.

use super::{Set, State};

/// C = [0, ∞): a support pushes and never pulls. s is the speed at which the gap opens; the law is
/// Signorini's, 0 ≤ r ⟂ s ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfLine;

impl Set for HalfLine {
    fn dim(&self) -> usize {
        1
    }

    fn project(&self, x: &mut [f64]) {
        x[0] = x[0].max(0.0);
    }

    fn contains(&self, r: &[f64]) -> bool {
        r[0] >= 0.0
    }

    fn way_out(&self, r: &[f64], d: &[f64]) -> f64 {
        if d[0] < 0.0 { (r[0] / -d[0]).max(0.0) } else { f64::INFINITY }
    }

    fn support(&self, d: &[f64]) -> f64 {
        if d[0] > 0.0 { f64::INFINITY } else { 0.0 }
    }

    fn state(&self, x: &[f64]) -> State {
        if x[0] < 0.0 { State::Open } else { State::Stick }
    }

    fn derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        jacobian[0] = f64::from(x[0] >= 0.0);
    }
}
