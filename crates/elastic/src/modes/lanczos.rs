//! Lanczos's method in blocks: the greatest eigenvalues θ = 1/(ω² + s) of A = (K + sM)⁻¹M, which is self-adjoint in xᵀMy.
//!
//! The basis V = [V₁ V₂ …] is M-orthonormal; V_{j+1} is what A V_j has beyond it. Of T = VᵀMAV only eigenpairs count whose residual, what A
//! leads out of the basis, is rounding.

use stickslip_linalg::{Matrix, SplitMix64, symmetric_eigen};

use super::ModesError;
use super::factor::Factorised;
use super::operator::Operator;

/// Vectors of a block: the rigid motions of a body in space.
const BLOCK: usize = 6;

/// Residual |Ax − θx| over θ at which a pair is found.
const FOUND: f64 = 1e-12;

/// Vectors whose length falls by this factor when the basis is taken out of them lie within it.
const WITHIN: f64 = 1e-10;

/// Vectors beyond those wanted, times the wanted ones, that the basis may have.
const MOST: (usize, usize) = (60, 6);

/// Eigenpairs of A, greatest first.
pub(super) struct Found {
    pub values: Vec<f64>,
    /// M-orthonormal.
    pub vectors: Vec<Vec<f64>>,
}

/// A start that no mode is orthogonal to but by chance.
fn anything(random: &mut SplitMix64, operator: &Operator<'_>) -> Vec<f64> {
    (0..operator.size()).map(|k| if operator.is_free(k) { random.between(-1.0, 1.0) } else { 0.0 }).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn subtract(x: &mut [f64], factor: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= factor * y);
}

/// An M-orthonormal basis, with M times its vectors.
#[derive(Default)]
struct Basis {
    vectors: Vec<Vec<f64>>,
    heavy: Vec<Vec<f64>>,
}

impl Basis {
    /// Takes the basis out of x, twice, so that rounding leaves nothing of it; adds the coefficients up.
    fn take_out(&self, x: &mut [f64], coefficients: &mut [f64]) {
        for _ in 0..2 {
            for ((v, heavy), sum) in self.vectors.iter().zip(&self.heavy).zip(coefficients.iter_mut()) {
                let c = dot(heavy, x);
                *sum += c;
                subtract(x, c, v);
            }
        }
    }

    /// Adds what x has beyond the basis, of length 1; returns that length, 0 if it lies within (another vector takes its place).
    fn push(
        &mut self,
        operator: &Operator<'_>,
        mut x: Vec<f64>,
        coefficients: &mut [f64],
        random: &mut SplitMix64,
    ) -> f64 {
        let length = |x: &[f64], heavy: &[f64]| dot(x, heavy).max(0.0).sqrt();
        let before = length(&x, &operator.mass(&x));
        self.take_out(&mut x, coefficients);
        let mut heavy = operator.mass(&x);
        let mut beyond = length(&x, &heavy);
        let mut told = beyond;
        if beyond <= WITHIN * before {
            told = 0.0;
            x = anything(random, operator);
            self.take_out(&mut x, &mut vec![0.0; self.vectors.len()]);
            heavy = operator.mass(&x);
            beyond = length(&x, &heavy);
        }
        x.iter_mut().chain(&mut heavy).for_each(|x| *x /= beyond);
        self.vectors.push(x);
        self.heavy.push(heavy);
        told
    }
}

/// The lowest so many modes; more, if the next one has the same frequency. `all` is the number of free unknowns.
pub(super) fn lowest(
    operator: &Operator<'_>,
    factorised: &Factorised<'_>,
    wanted: usize,
    all: usize,
    same: f64,
) -> Result<Found, ModesError> {
    let mut random = SplitMix64(1);
    let mut basis = Basis::default();
    let block = BLOCK.min(all);
    for _ in 0..block {
        let x = anything(&mut random, operator);
        let mut none = vec![0.0; basis.vectors.len()];
        basis.push(operator, x, &mut none, &mut random);
    }
    let most = (MOST.0 + MOST.1 * wanted).min(all);
    // Columns of T: what A makes of the vectors, in the basis as it then is.
    let mut columns: Vec<Vec<f64>> = Vec::new();
    loop {
        let first = columns.len();
        let mut images: Vec<Vec<f64>> = basis.heavy[first..].to_vec();
        factorised.solve(&mut images);
        let from = basis.vectors.len();
        let grow = from < most;
        let mut beyond: Vec<Vec<f64>> = Vec::new();
        for mut image in images {
            let mut coefficients = vec![0.0; basis.vectors.len()];
            if grow && basis.vectors.len() < all {
                let length = basis.push(operator, image, &mut coefficients, &mut random);
                coefficients.push(length);
            } else {
                basis.take_out(&mut image, &mut coefficients);
            }
            beyond.push(coefficients.get(from..).unwrap_or_default().to_vec());
            columns.push(coefficients);
        }
        let size = columns.len();
        let (settled, values, vectors) = ritz(&columns, size, first, &beyond)?;
        let enough = enough(&values, wanted.min(size), same);
        let found = settled.iter().take(enough).filter(|settled| **settled).count();
        // The whole space: all that is left is rounding.
        if found == enough && (size > enough || size == all) || size >= all {
            return Ok(collect(&basis, &values[..enough], &vectors, size));
        }
        if !grow {
            return Err(ModesError::Unsettled { found, wanted });
        }
    }
}

/// How many of the values must be found so that none is cut off from those of the same frequency.
fn enough(values: &[f64], wanted: usize, same: f64) -> usize {
    let next = |count: usize| count < values.len() && values[count] >= values[count - 1] * (1.0 - same);
    let mut count = wanted;
    while count > 0 && next(count) {
        count += 1;
    }
    count
}

type Ritz = (Vec<bool>, Vec<f64>, Matrix);

/// Eigenpairs of T, greatest first (columns of the matrix from the last on), and which of them are found.
fn ritz(columns: &[Vec<f64>], size: usize, first: usize, beyond: &[Vec<f64>]) -> Result<Ritz, ModesError> {
    let entry = |i: usize, j: usize| columns[j].get(i).copied().unwrap_or(0.0);
    let t = Matrix::from_fn(size, size, |i, j| 0.5 * (entry(i, j) + entry(j, i)));
    let unsettled = ModesError::Unsettled { found: 0, wanted: size };
    let (rising, vectors) = symmetric_eigen(&t).map_err(|_| unsettled)?;
    let values: Vec<f64> = rising.iter().rev().copied().collect();
    let settled = values.iter().enumerate().map(|(k, theta)| {
        let column = size - 1 - k;
        let rows = beyond.iter().map(Vec::len).max().unwrap_or(0);
        let out = |row: usize| -> f64 {
            let each = beyond.iter().enumerate();
            each.map(|(j, column_of)| column_of.get(row).copied().unwrap_or(0.0) * vectors[(first + j, column)]).sum()
        };
        (0..rows).map(|row| out(row).powi(2)).sum::<f64>().sqrt() <= FOUND * theta
    });
    Ok((settled.collect(), values.clone(), vectors))
}

fn collect(basis: &Basis, values: &[f64], vectors: &Matrix, size: usize) -> Found {
    let of = |k: usize| {
        let mut x = vec![0.0; basis.vectors.first().map_or(0, Vec::len)];
        for (j, v) in basis.vectors.iter().enumerate().take(size) {
            subtract(&mut x, -vectors[(j, size - 1 - k)], v);
        }
        x
    };
    Found { values: values.to_vec(), vectors: (0..values.len()).map(of).collect() }
}
