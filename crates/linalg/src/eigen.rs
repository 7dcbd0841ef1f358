//! Eigenvalues and eigenvectors of real matrices that are not symmetric.

use faer::Mat;
use faer::linalg::solvers::{DenseSolveCore, Solve};

use crate::{Matrix, NoConvergence, view};

/// Share of the norm by which rounding moves an eigenvalue.
const ROUNDED: f64 = 4.0 * f64::EPSILON;

/// A complex number.
pub type Complex = faer::c64;

/// Eigenvalues of a real matrix, in no particular order.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigenvalues {
    /// λ_i; those that are not real come in conjugate pairs.
    pub values: Vec<Complex>,
    /// Frobenius norm of the balanced matrix: rounding moves λ_i by about ε times this times its condition.
    pub norm: f64,
}

/// Eigenvalues, eigenvectors, and how far to trust them.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigen {
    /// λ_i; those that are not real come in conjugate pairs.
    pub values: Vec<Complex>,
    /// x_i with A x_i = λ_i x_i and |x_i| = 1.
    pub vectors: Vec<Vec<Complex>>,
    /// |A x_i − λ_i x_i| over the norm, in balanced coordinates.
    pub residuals: Vec<f64>,
    /// |y_i||x_i|/|y_iᴴ x_i| with the left eigenvector y_i, in balanced coordinates: 1 for normal matrices, infinite where
    /// eigenvectors coincide. λ_i moves by at most this times |δA| (to first order).
    pub conditions: Vec<f64>,
    /// Frobenius norm of the balanced matrix.
    pub norm: f64,
}

/// Eigenvalues alone: about a third of the work of [`eigen`]. The matrix must be square, and its entries finite.
pub fn eigenvalues(a: &Matrix) -> Result<Eigenvalues, NoConvergence> {
    let (balanced, _) = balance(a)?;
    let values = view(&balanced).eigenvalues().map_err(|_| NoConvergence)?;
    finite(&values)?;
    Ok(Eigenvalues { values, norm: frobenius(&balanced) })
}

/// Eigenvalues and eigenvectors. The matrix must be square, and its entries finite.
pub fn eigen(a: &Matrix) -> Result<Eigen, NoConvergence> {
    let (balanced, scales) = balance(a)?;
    let n = balanced.rows();
    let norm = frobenius(&balanced);
    let solved = view(&balanced).eigen().map_err(|_| NoConvergence)?;
    let values: Vec<Complex> = (0..n).map(|i| solved.S().column_vector()[i]).collect();
    let vectors = Mat::from_fn(n, n, |i, j| solved.U()[(i, j)]);
    finite(&values)?;
    let mut columns: Vec<Vec<Complex>> = (0..n).map(|j| unit((0..n).map(|i| vectors[(i, j)]).collect())).collect();
    columns.iter().try_for_each(|column| finite(column))?;
    let mut residuals: Vec<f64> =
        values.iter().zip(&columns).map(|(value, x)| residual(&balanced, *value, x, norm)).collect();
    mend(&balanced, norm, &values, &mut columns, &mut residuals);
    let conditions = conditions(&columns);
    let scaled = |x: &Vec<Complex>| unit(x.iter().zip(&scales).map(|(x, d)| *x * *d).collect());
    Ok(Eigen { values, vectors: columns.iter().map(scaled).collect(), residuals, conditions, norm })
}

fn finite(values: &[Complex]) -> Result<(), NoConvergence> {
    if values.iter().all(|v| v.re.is_finite() && v.im.is_finite()) { Ok(()) } else { Err(NoConvergence) }
}

fn length(x: &[Complex]) -> f64 {
    // Scaled, so that nothing overflows.
    let size = x.iter().fold(0.0_f64, |m, x| m.max(x.re.abs()).max(x.im.abs()));
    if size == 0.0 {
        return 0.0;
    }
    size * x.iter().map(|x| (x.re / size).powi(2) + (x.im / size).powi(2)).sum::<f64>().sqrt()
}

fn unit(x: Vec<Complex>) -> Vec<Complex> {
    let length = length(&x);
    x.into_iter().map(|x| x / length).collect()
}

fn frobenius(a: &Matrix) -> f64 {
    let size = a.data().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if size == 0.0 { 0.0 } else { size * a.data().iter().map(|v| (v / size).powi(2)).sum::<f64>().sqrt() }
}

/// |A x − λ x| over the norm of A, for |x| = 1.
fn residual(a: &Matrix, value: Complex, x: &[Complex], norm: f64) -> f64 {
    let row = |i: usize| {
        let image: Complex = a.row(i).iter().zip(x).map(|(a, x)| *x * *a).fold(Complex::new(0.0, 0.0), |s, v| s + v);
        image - value * x[i]
    };
    let left: Vec<Complex> = (0..a.rows()).map(row).collect();
    let size = length(&left);
    if size == 0.0 { 0.0 } else { size / norm }
}

/// Eigenvectors that miss their equation by more of the norm are found anew.
const POOR: f64 = 1e-12;

/// Eigenvalues this share of the norm apart are one.
const ONE: f64 = 1e-10;

/// Steps of inverse iteration: the second takes out what the start had of other eigenvectors.
const STEPS: usize = 3;

/// Eigenvectors by inverse iteration where those of the triangular factor are none: of three and more equal eigenvalues with as many eigenvectors
/// the factor keeps differences that are rounding, and divides by them. Each begins elsewhere and is kept apart from the others of its
/// eigenvalue, so that together they span what belongs to it.
fn mend(a: &Matrix, norm: f64, values: &[Complex], columns: &mut [Vec<Complex>], residuals: &mut [f64]) {
    let n = values.len();
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let same = |i: usize, j: usize| (values[i] - values[j]).norm() <= ONE * norm;
    let poor: Vec<usize> = (0..n).filter(|i| residuals[*i] > POOR).collect();
    // All of an eigenvalue: two that solve their equations may still be one.
    let anew: Vec<usize> = (0..n).filter(|i| poor.iter().any(|j| same(*i, *j))).collect();
    for (k, &i) in anew.iter().enumerate() {
        // Beside the eigenvalue by what rounding has moved it, or the equations would have no solution.
        let shift = values[i] + Complex::new(ROUNDED * norm, 0.0);
        let shifted = Mat::from_fn(n, n, |j, k| {
            Complex::new(a[(j, k)], 0.0) - if j == k { shift } else { Complex::new(0.0, 0.0) }
        });
        let solver = shifted.partial_piv_lu();
        let mut x = unit((0..n).map(|_| Complex::new(random(), 0.0)).collect());
        for _ in 0..STEPS {
            let solved = solver.solve(Mat::from_fn(n, 1, |j, _| x[j]));
            x = unit((0..n).map(|j| solved[(j, 0)]).collect());
            // Twice is enough.
            for &other in [&anew[..k], &anew[..k]].into_iter().flatten().filter(|other| same(i, **other)) {
                let along: Complex =
                    columns[other].iter().zip(&x).map(|(y, x)| y.conj() * x).fold(Complex::new(0.0, 0.0), |s, v| s + v);
                x.iter_mut().zip(&columns[other]).for_each(|(x, y)| *x -= along * y);
            }
            x = unit(x);
        }
        let found = residual(a, values[i], &x, norm);
        if finite(&x).is_ok() && (found <= POOR || found < residuals[i]) {
            (columns[i], residuals[i]) = (x, found);
        }
    }
}

/// Rows of the inverse of the eigenvectors are left eigenvectors with y_iᴴ x_i = 1, so that conditions are their lengths.
fn conditions(columns: &[Vec<Complex>]) -> Vec<f64> {
    let n = columns.len();
    let vectors = Mat::from_fn(n, n, |i, j| columns[j][i]);
    let inverse = vectors.partial_piv_lu().inverse();
    (0..n)
        .map(|i| {
            let row: Vec<Complex> = (0..n).map(|j| inverse[(i, j)]).collect();
            if finite(&row).is_ok() { length(&row).max(1.0) } else { f64::INFINITY }
        })
        .collect()
}

/// How much smaller a row and its column must become together for another round of balancing.
const WORTHWHILE: f64 = 0.95;

/// Rounds of balancing at the most; three or four are usual.
const ROUNDS: usize = 50;

/// D⁻¹ A D and D, a diagonal of powers of two for which rows and columns are about as long as each other (Parlett and
/// Reinsch 1969, with the norms of James, Langou and Lowery 2014). Without it, positions beside velocities (1 beside ω²)
/// would cost half of the digits. Powers of two add no rounding.
fn balance(a: &Matrix) -> Result<(Matrix, Vec<f64>), NoConvergence> {
    let n = a.rows();
    if a.cols() != n || a.data().iter().any(|v| !v.is_finite()) {
        return Err(NoConvergence);
    }
    let mut b = a.clone();
    let mut scales = vec![1.0; n];
    for _ in 0..ROUNDS {
        let mut changed = false;
        for i in 0..n {
            let others = || (0..n).filter(move |j| *j != i);
            let column = others().map(|j| b[(j, i)].powi(2)).sum::<f64>().sqrt();
            let row = others().map(|j| b[(i, j)].powi(2)).sum::<f64>().sqrt();
            if !(column > 0.0 && row > 0.0 && column.is_finite() && row.is_finite()) {
                continue;
            }
            let f = (0.5 * (row / column).log2()).round().exp2();
            if f == 1.0 || (column * f).hypot(row / f) >= WORTHWHILE * column.hypot(row) {
                continue;
            }
            changed = true;
            scales[i] *= f;
            for j in 0..n {
                b[(j, i)] *= f;
                b[(i, j)] /= f;
            }
        }
        if !changed {
            break;
        }
    }
    if b.data().iter().any(|v| !v.is_finite()) {
        return Ok((a.clone(), vec![1.0; n]));
    }
    Ok((b, scales))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut values: Vec<Complex>) -> Vec<[f64; 2]> {
        values.sort_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
        values.into_iter().map(|v| [v.re, v.im]).collect()
    }

    #[test]
    fn an_oscillator_in_closed_form() {
        // λ² + 2ζωλ + ω² = 0 with ω = 2π·4130/s: entries differ by 6.7e8.
        let (omega, zeta) = (2.0 * std::f64::consts::PI * 4130.0, 2e-4);
        let a = Matrix::from_rows(&[&[0.0, 1.0], &[-omega * omega, -2.0 * zeta * omega]]);
        let found = eigen(&a).expect("finite");
        let (re, im) = (-zeta * omega, omega * (1.0 - zeta * zeta).sqrt());
        for value in &found.values {
            assert!((value.re - re).abs() < 1e-13 * omega, "{value}");
            assert!((value.im.abs() - im).abs() < 1e-13 * omega, "{value}");
        }
        assert_eq!(sorted(found.values.clone()), sorted(eigenvalues(&a).expect("finite").values));
        assert!(found.conditions.iter().all(|c| *c < 1.1), "{:?}", found.conditions);
        assert!(found.residuals.iter().all(|r| *r < 1e-15));
        for (value, x) in found.values.iter().zip(&found.vectors) {
            // Its own coordinates: the second is λ times the first.
            assert!((x[1] - value * x[0]).norm() < 1e-12);
            assert!((length(x) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_companion_matrix_has_the_roots_of_its_polynomial() {
        // (λ − 1)(λ − 2)(λ + 3)(λ² + 4): coefficients multiplied out by hand.
        let c = [24.0, -28.0, 6.0, -3.0, 0.0];
        let a = Matrix::from_fn(5, 5, |i, j| if j == 4 { -c[i] } else { f64::from(u8::from(i == j + 1)) });
        let found = sorted(eigenvalues(&a).expect("finite").values);
        for (found, wanted) in found.iter().zip([[-3.0, 0.0], [0.0, -2.0], [0.0, 2.0], [1.0, 0.0], [2.0, 0.0]]) {
            assert!((found[0] - wanted[0]).hypot(found[1] - wanted[1]) < 1e-13, "{found:?} {wanted:?}");
        }
    }

    #[test]
    fn near_coincidence_of_eigenvectors_is_told() {
        // [[1, 1], [0, 1 + d]]: the condition of both is √(1 + d²)/d in closed form, before balancing.
        for d in [1e-2, 1e-6] {
            let found = eigen(&Matrix::from_rows(&[&[1.0, 1.0], &[0.0, 1.0 + d]])).expect("finite");
            let wanted = (1.0 + d * d).sqrt() / d;
            assert!(found.conditions.iter().all(|c| (c / wanted - 1.0).abs() < 1e-9), "{:?}", found.conditions);
        }
        let jordan = eigen(&Matrix::from_rows(&[&[0.0, 1.0], &[0.0, 0.0]])).expect("finite");
        assert!(jordan.conditions.iter().all(|c| *c > 1e14), "{jordan:?}");
        assert_eq!(jordan.values, vec![Complex::new(0.0, 0.0); 2]);
    }

    /// n equal oscillators, each coupled to each: n − 1 equal pairs with as many eigenvectors.
    #[test]
    fn equal_eigenvalues_have_eigenvectors_of_their_own() {
        for n in [3_usize, 4, 5, 6, 9] {
            let (k, coupling, c) = (100.0, 33.0, 0.3);
            let a = Matrix::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
                (true, true) => 0.0,
                (true, false) => f64::from(u8::from(j == i + n)),
                (false, true) if i - n == j => -(k + (n - 1) as f64 * coupling),
                (false, true) => coupling,
                (false, false) => -c * f64::from(u8::from(i == j)),
            });
            let found = eigen(&a).expect("finite");
            assert!(found.residuals.iter().all(|r| *r < 1e-13), "{n}: {:?}", found.residuals);
            assert!(found.conditions.iter().all(|c| *c < 10.0), "{n}: {:?}", found.conditions);
            let high = (k + n as f64 * coupling - 0.25 * c * c).sqrt();
            let equal = found.values.iter().filter(|v| (v.im - high).abs() < 1e-10 && (v.re + 0.5 * c).abs() < 1e-10);
            assert_eq!(equal.count(), n - 1, "{n}: {:?}", found.values);
        }
    }

    #[test]
    fn trace_determinant_and_residuals_of_random_matrices() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for n in [1_usize, 2, 3, 7, 21, 40] {
            // Rows of very different sizes.
            let rows: Vec<Vec<f64>> =
                (0..n).map(|i| (0..n).map(|_| next() * 10_f64.powi(i as i32 % 7)).collect()).collect();
            let a = Matrix::from_rows(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let found = eigen(&a).expect("finite");
            let trace: f64 = (0..n).map(|i| a[(i, i)]).sum();
            let sum: f64 = found.values.iter().map(|v| v.re).sum();
            assert!((trace - sum).abs() < 1e-12 * found.norm, "{n}: {trace} {sum}");
            assert!(found.residuals.iter().all(|r| *r < 1e-13), "{n}: {:?}", found.residuals);
        }
    }

    #[test]
    fn what_is_no_square_matrix_of_numbers_is_an_error() {
        assert_eq!(eigen(&Matrix::from_rows(&[&[f64::NAN]])), Err(NoConvergence));
        assert_eq!(eigenvalues(&Matrix::zeros(2, 3)), Err(NoConvergence));
        assert_eq!(eigenvalues(&Matrix::zeros(0, 0)).map(|e| e.values.len()), Ok(0));
    }
}
