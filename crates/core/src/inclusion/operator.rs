//! How forces change slips.

use stickslip_linalg::Matrix;

/// A linear map from contact forces to slips, stored or not: a small matrix, or a convolution over
/// thousands of contacts.
pub trait Operator {
    /// Number of components.
    fn dim(&self) -> usize;

    /// s = W r.
    fn apply(&self, r: &[f64], s: &mut [f64]);

    /// W_ii: how much the force component i changes its own slip.
    fn self_influence(&self, i: usize) -> f64;

    /// What a force changes at the most, which residuals are weighed by where no force changes its own slip.
    fn greatest_influence(&self) -> f64 {
        1.0
    }
}

impl Operator for Matrix {
    fn dim(&self) -> usize {
        self.rows()
    }

    fn apply(&self, r: &[f64], s: &mut [f64]) {
        Matrix::apply(self, r, s);
    }

    fn self_influence(&self, i: usize) -> f64 {
        self[(i, i)]
    }

    fn greatest_influence(&self) -> f64 {
        let greatest = self.data().iter().fold(0.0_f64, |m, w| m.max(w.abs()));
        if greatest > 0.0 && greatest.is_finite() { greatest } else { 1.0 }
    }
}
