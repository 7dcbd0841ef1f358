//! Symmetric matrices that are solved with and counted, not only condensed: columns of a factor in double precision, the number
//! of negative eigenvalues, eigenvalues and eigenvectors.

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::{Lblt, Solve};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, MatMut, MatRef, Par, Side};

use crate::{Front, Matrix, NoConvergence, view};

/// The columns of a Cholesky factor that an elimination leaves, in double precision: to solve with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Columns {
    size: usize,
    pivots: usize,
    /// Column after column, each of all rows.
    data: Vec<f64>,
}

impl Front {
    /// The columns of the eliminated unknowns, to solve with.
    pub fn columns(&self, pivots: usize) -> Columns {
        Columns { size: self.size, pivots, data: self.data[..pivots * self.size].to_vec() }
    }

    /// Eliminates the first unknowns of a matrix that need not be positive, and says how many of their pivots are negative: by Sylvester's
    /// law these add up, over all fronts, to the number of negative eigenvalues. [A₁₁ ·; A₂₁ A₂₂] becomes [· ·; · A₂₂ − A₂₁A₁₁⁻¹A₁₂].
    ///
    /// Pivots of the first unknowns are chosen by Bunch and Kaufman, also as pairs; none if A₁₁ is singular to rounding.
    pub fn eliminate_counting(&mut self, pivots: usize) -> Option<usize> {
        let size = self.size;
        if pivots == 0 {
            return Some(0);
        }
        let all = MatMut::from_column_major_slice_mut(&mut self.data, size, size);
        let (first, below) = all.split_at_col_mut(pivots);
        let last = below.subrows_mut(pivots, size - pivots);
        let (top, bottom) = first.split_at_row_mut(pivots);
        let factor = Lblt::new(top.as_ref(), Side::Lower);
        let (diagonal, beside) = (factor.B_diag().column_vector(), factor.B_subdiag().column_vector());
        let (mut negative, mut k) = (0, 0);
        while k < pivots {
            let (a, b) = (diagonal[k], beside[k]);
            if b == 0.0 || k + 1 == pivots {
                if a == 0.0 || !a.is_finite() {
                    return None;
                }
                negative += usize::from(a < 0.0);
                k += 1;
                continue;
            }
            // A pair [a b; b c]: one of each sign, or both of that of a.
            let determinant = a * diagonal[k + 1] - b * b;
            if determinant == 0.0 || !determinant.is_finite() {
                return None;
            }
            negative += if determinant < 0.0 { 1 } else { 2 * usize::from(a < 0.0) };
            k += 2;
        }
        if size > pivots {
            let mut solved = bottom.as_ref().transpose().to_owned();
            factor.solve_in_place(solved.as_mut());
            matmul(last, Accum::Add, bottom.as_ref(), solved.as_ref(), -1.0, Par::Seq);
        }
        Some(negative)
    }
}

impl Columns {
    fn parts(&self) -> (MatRef<'_, f64>, MatRef<'_, f64>) {
        MatRef::from_column_major_slice(&self.data, self.size, self.pivots).split_at_row(self.pivots)
    }

    /// On the way in: x₁ ← L₁₁⁻¹ x₁, x₂ ← x₂ − L₂₁ x₁, for several right-hand sides, each of as many entries as the front has rows.
    pub fn forward(&self, x: &mut [f64]) {
        let sides = x.len() / self.size.max(1);
        let (top, bottom) = self.parts();
        let (mut first, last) = MatMut::from_column_major_slice_mut(x, self.size, sides).split_at_row_mut(self.pivots);
        solve_lower_triangular_in_place(top, first.as_mut(), Par::Seq);
        matmul(last, Accum::Add, bottom, first.as_ref(), -1.0, Par::Seq);
    }

    /// On the way back: x₁ ← L₁₁⁻ᵀ (x₁ − L₂₁ᵀ x₂).
    pub fn backward(&self, x: &mut [f64]) {
        let sides = x.len() / self.size.max(1);
        let (top, bottom) = self.parts();
        let (mut first, last) = MatMut::from_column_major_slice_mut(x, self.size, sides).split_at_row_mut(self.pivots);
        matmul(first.as_mut(), Accum::Add, bottom.transpose(), last.as_ref(), -1.0, Par::Seq);
        solve_upper_triangular_in_place(top.transpose(), first, Par::Seq);
    }
}

/// Eigenvalues of a symmetric matrix, rising, and its eigenvectors as columns; the lower triangle is read.
pub fn symmetric_eigen(a: &Matrix) -> Result<(Vec<f64>, Matrix), NoConvergence> {
    let n = a.rows();
    if a.cols() != n || a.data().iter().any(|v| !v.is_finite()) {
        return Err(NoConvergence);
    }
    let solved = view(a).self_adjoint_eigen(Side::Lower).map_err(|_| NoConvergence)?;
    let values = (0..n).map(|i| solved.S().column_vector()[i]).collect();
    Ok((values, Matrix::from_fn(n, n, |i, j| solved.U()[(i, j)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric matrix with entries of both signs.
    fn sample(n: usize, shift: f64) -> Matrix {
        Matrix::from_fn(n, n, |i, j| {
            let (i, j) = (i.max(j) as f64, i.min(j) as f64);
            (1.7 * i + 0.9 * j + 0.4).sin() + if i == j { shift } else { 0.0 }
        })
    }

    fn front(a: &Matrix) -> Front {
        let mut front = Front::zeros(a.rows());
        for i in 0..a.rows() {
            (0..=i).for_each(|j| front.add(i, j, a[(i, j)]));
        }
        front
    }

    #[test]
    fn negative_pivots_are_negative_eigenvalues() {
        for shift in [-20.0, -2.0, 0.0, 0.3, 3.0, 20.0] {
            let a = sample(17, shift);
            let (values, vectors) = symmetric_eigen(&a).expect("finite");
            let negative = values.iter().filter(|v| **v < 0.0).count();
            for pivots in [0, 1, 5, 16, 17] {
                let mut front = front(&a);
                let own = front.eliminate_counting(pivots).expect("regular");
                let rest = front.rest(pivots).eliminate_counting(17 - pivots).expect("regular");
                assert_eq!(own + rest, negative, "{shift} {pivots}");
            }
            for (k, value) in values.iter().enumerate() {
                let x: Vec<f64> = (0..17).map(|i| vectors[(i, k)]).collect();
                let mut image = vec![0.0; 17];
                a.apply(&x, &mut image);
                assert!(image.iter().zip(&x).all(|(y, x)| (y - value * x).abs() < 1e-12 * (1.0 + value.abs())));
            }
        }
        // One pair of pivots, no diagonal.
        let mut pair = front(&Matrix::from_rows(&[&[0.0, 1.0], &[1.0, 0.0]]));
        assert_eq!(pair.eliminate_counting(2), Some(1));
        assert_eq!(Front::zeros(2).eliminate_counting(2), None);
    }

    #[test]
    fn columns_solve() {
        let a = sample(9, 20.0);
        let b: Vec<f64> = (0..18).map(|i| f64::from(i) - 4.0).collect();
        for pivots in [1, 4, 9] {
            let mut first = front(&a);
            first.eliminate(pivots).expect("positive");
            let mut second = first.rest(pivots);
            second.eliminate(9 - pivots).expect("positive");
            let (first, second) = (first.columns(pivots), second.columns(9 - pivots));
            let mut x = b.clone();
            first.forward(&mut x);
            let mut rest: Vec<f64> = x.chunks(9).flat_map(|side| side[pivots..].to_vec()).collect();
            second.forward(&mut rest);
            second.backward(&mut rest);
            for (side, rest) in x.chunks_mut(9).zip(rest.chunks((9 - pivots).max(1))) {
                side[pivots..].copy_from_slice(&rest[..9 - pivots]);
            }
            first.backward(&mut x);
            for (x, b) in x.chunks(9).zip(b.chunks(9)) {
                let mut image = vec![0.0; 9];
                a.apply(x, &mut image);
                assert!(image.iter().zip(b).all(|(y, b)| (y - b).abs() < 1e-12), "{image:?} {b:?}");
            }
        }
    }
}
