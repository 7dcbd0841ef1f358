//! Factorisations behind one small interface.
//!
//! faer does the work; it is named in this crate and nowhere else, because its interface moves and its
//! generic code is slow to compile. Dense sizes are those of contact problems: a few to a few hundred; chains of
//! thousands of bodies use the band matrices.

use faer::MatRef;
use faer::linalg::solvers::{PartialPivLu, Solve};

mod band;
mod eigen;
mod front;
mod matrix;
pub mod random;
mod symmetric;

pub use band::{BandCholesky, BandLu, near_order};
pub use eigen::{Complex, Eigen, Eigenvalues, eigen, eigenvalues};
pub use front::{Factor, Front, NotPositive};
pub use matrix::Matrix;
pub use random::SplitMix64;
pub use symmetric::{Columns, symmetric_eigen};

/// A singular value below this share of the largest one, times the size, counts as zero.
const RANK_TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// A factorisation that did not come to an end (its input was not finite).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoConvergence;

impl std::fmt::Display for NoConvergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the decomposition of a matrix did not converge (is an entry not finite?)")
    }
}

impl std::error::Error for NoConvergence {}

fn view(a: &Matrix) -> MatRef<'_, f64> {
    MatRef::from_row_major_slice(a.data(), a.rows(), a.cols())
}

/// Singular values and vectors of a, with the rank they show.
struct Decomposition {
    svd: faer::linalg::solvers::Svd<f64>,
    rank: usize,
}

fn decompose(a: &Matrix) -> Result<Decomposition, NoConvergence> {
    if a.data().iter().any(|v| !v.is_finite()) {
        return Err(NoConvergence);
    }
    let svd = view(a).svd().map_err(|_| NoConvergence)?;
    let values = svd.S().column_vector();
    let largest = if values.nrows() == 0 { 0.0 } else { values[0] };
    let floor = largest * RANK_TOLERANCE * a.rows().max(a.cols()) as f64;
    let rank = (0..values.nrows()).filter(|&i| values[i] > floor).count();
    Ok(Decomposition { svd, rank })
}

/// Of all x that minimise |a x − b|, the one of least norm.
pub fn least_norm(a: &Matrix, b: &[f64]) -> Result<Vec<f64>, NoConvergence> {
    let Decomposition { svd, rank } = decompose(a)?;
    let (u, v, s) = (svd.U(), svd.V(), svd.S().column_vector());
    let mut x = vec![0.0; a.cols()];
    for k in 0..rank {
        let coordinate: f64 = (0..a.rows()).map(|i| u[(i, k)] * b[i]).sum();
        for (j, x) in x.iter_mut().enumerate() {
            *x += v[(j, k)] * (coordinate / s[k]);
        }
    }
    Ok(x)
}

/// The pseudo-inverse a⁺: a⁺ b is the x of least norm that minimises |a x − b|.
pub fn pseudo_inverse(a: &Matrix) -> Result<Matrix, NoConvergence> {
    let Decomposition { svd, rank } = decompose(a)?;
    let (u, v, s) = (svd.U(), svd.V(), svd.S().column_vector());
    Ok(Matrix::from_fn(a.cols(), a.rows(), |i, j| (0..rank).map(|k| v[(i, k)] * (u[(j, k)] / s[k])).sum()))
}

/// Columns that span { x : a x = 0 }, orthonormal.
pub fn kernel(a: &Matrix) -> Result<Matrix, NoConvergence> {
    let Decomposition { svd, rank } = decompose(a)?;
    let v = svd.V();
    Ok(Matrix::from_fn(a.cols(), a.cols() - rank, |i, j| v[(i, rank + j)]))
}

/// Number of singular values that are not zero to rounding.
pub fn rank(a: &Matrix) -> Result<usize, NoConvergence> {
    decompose(a).map(|d| d.rank)
}

/// Singular values, greatest first; of a symmetric matrix without negative eigenvalues these are the eigenvalues.
pub fn singular_values(a: &Matrix) -> Result<Vec<f64>, NoConvergence> {
    let Decomposition { svd, .. } = decompose(a)?;
    let values = svd.S().column_vector();
    Ok((0..values.nrows()).map(|i| values[i]).collect())
}

/// A factorised square matrix: one factorisation, many right-hand sides.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(from = "Matrix", into = "Matrix")]
pub struct Lu {
    matrix: Matrix,
    factors: PartialPivLu<f64>,
}

/// Saved as what it factorises: the factors are the same to the bit when they are made again.
impl From<Lu> for Matrix {
    fn from(lu: Lu) -> Matrix {
        lu.matrix
    }
}

impl From<Matrix> for Lu {
    fn from(matrix: Matrix) -> Lu {
        Lu::new(&matrix)
    }
}

impl Lu {
    /// Factorises a, which must be square and regular.
    pub fn new(a: &Matrix) -> Lu {
        Lu { matrix: a.clone(), factors: view(a).partial_piv_lu() }
    }

    /// Replaces b by the solution x of a x = b.
    pub fn solve(&self, b: &mut [f64]) {
        let rows = b.len();
        let columns = faer::MatMut::from_column_major_slice_mut(b, rows, 1);
        self.factors.solve_in_place(columns);
    }
}

/// Replaces b by the solution x of a x = b, by elimination with partial pivoting in place: for small systems, without any
/// allocation. `a` has b.len()² entries, row after row; a singular one leaves what is not finite.
pub fn eliminate(a: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for k in 0..n {
        let size = |i: usize| a[i * n + k].abs();
        let pivot = (k..n).max_by(|i, j| size(*i).total_cmp(&size(*j))).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            b.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            if factor != 0.0 {
                for j in k + 1..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - rest) / a[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_agrees_with_the_factorisation() {
        let a = Matrix::from_fn(7, 7, |i, j| ((3 * i + 5 * j) % 7) as f64 - 0.3 * (i as f64) + f64::from(i == j));
        let right: Vec<f64> = (0..7).map(|i| f64::from(i) - 2.5).collect();
        let (mut x, mut y) = (right.clone(), right);
        Lu::new(&a).solve(&mut x);
        eliminate(&mut a.data().to_vec(), &mut y);
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12 * (1.0 + x.abs())), "{x:?} {y:?}");
        // A zero in the place of the first pivot, and a matrix that is singular.
        let mut b = [2.0, 9.0];
        eliminate(&mut [0.0, 2.0, 4.0, 1.0], &mut b);
        assert_eq!(b, [2.0, 1.0]);
        let mut b = [1.0, 0.0];
        eliminate(&mut [1.0, 1.0, 1.0, 1.0], &mut b);
        assert!(b.iter().any(|v| !v.is_finite()));
    }

    fn rank_one() -> Matrix {
        Matrix::from_rows(&[&[1.0, 1.0], &[1.0, 1.0]])
    }

    #[test]
    fn least_norm_shares_evenly_when_undetermined() {
        let x = least_norm(&rank_one(), &[2.0, 2.0]).expect("finite");
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14);
    }

    #[test]
    fn pseudo_inverse_obeys_penrose() {
        let a = Matrix::from_rows(&[&[1.0, 1.0, 0.0], &[1.0, 1.0, 0.0], &[0.0, 2.0, 5.0]]);
        let inverse = pseudo_inverse(&a).expect("finite");
        let product = |a: &Matrix, b: &Matrix| {
            Matrix::from_fn(a.rows(), b.cols(), |i, j| (0..a.cols()).map(|k| a[(i, k)] * b[(k, j)]).sum())
        };
        let (left, right) = (product(&a, &inverse), product(&inverse, &a));
        let (again, back) = (product(&left, &a), product(&right, &inverse));
        for i in 0..3 {
            for j in 0..3 {
                assert!((again[(i, j)] - a[(i, j)]).abs() < 1e-14);
                assert!((back[(i, j)] - inverse[(i, j)]).abs() < 1e-14);
                assert!((left[(i, j)] - left[(j, i)]).abs() < 1e-14 && (right[(i, j)] - right[(j, i)]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn kernel_is_orthonormal_and_maps_to_zero() {
        let a = Matrix::from_rows(&[&[1.0, 2.0, 3.0]]);
        let k = kernel(&a).expect("finite");
        assert_eq!((k.rows(), k.cols()), (3, 2));
        for j in 0..2 {
            let image: f64 = (0..3).map(|i| a[(0, i)] * k[(i, j)]).sum();
            assert!(image.abs() < 1e-14);
            for l in 0..2 {
                let product: f64 = (0..3).map(|i| k[(i, j)] * k[(i, l)]).sum();
                assert!((product - f64::from(j == l)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn pseudo_inverse_shares_evenly() {
        let inverse = pseudo_inverse(&rank_one()).expect("finite");
        assert!(inverse.data().iter().all(|v| (v - 0.25).abs() < 1e-15));
        assert_eq!(rank(&rank_one()), Ok(1));
        let values = singular_values(&rank_one()).expect("finite");
        assert!((values[0] - 2.0).abs() < 1e-15 && values[1].abs() < 1e-15);
    }

    #[test]
    fn lu_solves() {
        let lu = Lu::new(&Matrix::from_rows(&[&[0.0, 2.0], &[4.0, 1.0]]));
        let mut b = [2.0, 9.0];
        lu.solve(&mut b);
        assert_eq!(b, [2.0, 1.0]);
    }

    #[test]
    fn entries_that_are_not_finite_are_an_error() {
        assert_eq!(kernel(&Matrix::from_rows(&[&[f64::NAN]])), Err(NoConvergence));
    }
}
