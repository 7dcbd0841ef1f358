//! Axes along and across the directions in which contacts would slip.

use stickslip_linalg::Matrix;

use super::evaluate::Layout;
use super::mode::Direction;

/// Axes along and across the direction in which a contact would slip.
pub(super) struct Frame<'a> {
    layout: &'a Layout,
    directions: Vec<Direction>,
}

impl Frame<'_> {
    pub fn new(layout: &Layout) -> Frame<'_> {
        Frame { layout, directions: vec![[1.0, 0.0]; layout.contacts()] }
    }

    pub fn turn(&mut self, contact: usize, direction: Direction) {
        self.directions[contact] = direction;
    }

    /// Entry (row, column) of the matrix whose rows are the new axes.
    fn matrix(&self) -> Matrix {
        let n = self.layout.slips();
        let mut q = Matrix::zeros(n, n);
        for (contact, [x, y]) in self.directions.iter().copied().enumerate() {
            let own = self.layout.of(contact);
            let k = own.start;
            if own.len() == 1 {
                q[(k, k)] = x;
            } else {
                (q[(k, k)], q[(k, k + 1)], q[(k + 1, k)], q[(k + 1, k + 1)]) = (x, y, -y, x);
            }
        }
        q
    }

    pub fn seen(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        self.matrix().apply(x, &mut out);
        out
    }

    pub fn back(&self, x: &[f64]) -> Vec<f64> {
        let q = self.matrix();
        (0..x.len()).map(|j| (0..x.len()).map(|i| q[(i, j)] * x[i]).sum()).collect()
    }

    /// Q W Qᵀ.
    pub fn turned(&self, w: &Matrix) -> Matrix {
        let (q, n) = (self.matrix(), self.layout.slips());
        let half = Matrix::from_fn(n, n, |i, j| (0..n).map(|k| q[(i, k)] * w[(k, j)]).sum());
        Matrix::from_fn(n, n, |i, j| (0..n).map(|k| half[(i, k)] * q[(j, k)]).sum())
    }
}
