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
}
