//! Axes along and across the directions in which contacts would slip.

use stickslip_linalg::Matrix;

use super::layout::Layout;
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

    /// The axis of a contact on a line: 1.0 or −1.0.
    pub fn along(&self, contact: usize) -> f64 {
        self.directions[contact][0]
    }

    /// Q x: the rows of Q are the new axes, contact by contact, so that no more than a contact's components meet.
    pub fn seen(&self, x: &[f64]) -> Vec<f64> {
        self.each(x, 1.0)
    }

    /// Qᵀ x.
    pub fn back(&self, x: &[f64]) -> Vec<f64> {
        self.each(x, -1.0)
    }

    /// Turns every contact's components from the first axis to its direction, or back.
    fn each(&self, x: &[f64], sense: f64) -> Vec<f64> {
        let mut out = x.to_vec();
        for (contact, [along, across]) in self.directions.iter().copied().enumerate() {
            let across = sense * across;
            match &mut out[self.layout.of(contact)] {
                [u] => *u *= along,
                [u, v] => (*u, *v) = (along * *u + across * *v, along * *v - across * *u),
                _ => {}
            }
        }
        out
    }

    /// Q W Qᵀ.
    pub fn turned(&self, w: &Matrix) -> Matrix {
        let n = self.layout.slips();
        let half: Vec<Vec<f64>> = (0..n).map(|i| self.seen(w.row(i))).collect();
        let columns: Vec<Vec<f64>> =
            (0..n).map(|j| self.seen(&half.iter().map(|row| row[j]).collect::<Vec<f64>>())).collect();
        Matrix::from_fn(n, n, |i, j| columns[j][i])
    }
}
