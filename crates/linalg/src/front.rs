//! Symmetric positive definite matrices of which a part is eliminated: the dense work of a sparse factorisation.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::inverse::{inverse, inverse_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};

use crate::Matrix;

/// From this size on the work of one front is shared by two threads: below, starting them costs more.
const SHARED: usize = 800;

/// A pivot was not positive: the matrix has a direction without stiffness, or is far from symmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPositive {
    /// The pivot, counted from 0.
    pub pivot: usize,
}

/// A symmetric matrix, column after column; only the lower triangle is read and written.
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    pub(crate) size: usize,
    pub(crate) data: Vec<f64>,
}

/// The columns of a Cholesky factor that an elimination leaves, in single precision: exact enough to find displacements from
/// forces, and half as large.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Factor {
    /// Rows.
    pub size: usize,
    /// Columns.
    pub pivots: usize,
    /// Column after column, each from its diagonal on down.
    pub data: Vec<f32>,
}

impl Front {
    /// All zeros.
    pub fn zeros(size: usize) -> Front {
        Front { size, data: vec![0.0; size * size] }
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds to the entry (i, j) or (j, i), whichever is in the lower triangle.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        let (row, column) = if i >= j { (i, j) } else { (j, i) };
        self.data[column * self.size + row] += value;
    }

    /// The entry (i, j).
    pub fn at(&self, i: usize, j: usize) -> f64 {
        let (row, column) = if i >= j { (i, j) } else { (j, i) };
        self.data[column * self.size + row]
    }

    /// Column j from its diagonal on down.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.data[j * self.size + j..(j + 1) * self.size]
    }

    /// Eliminates the first unknowns: A = [A₁₁ ·; A₂₁ A₂₂] becomes [L₁₁ ·; A₂₁L₁₁⁻ᵀ, A₂₂ − A₂₁A₁₁⁻¹A₁₂].
    pub fn eliminate(&mut self, pivots: usize) -> Result<(), NotPositive> {
        let size = self.size;
        if pivots == 0 {
            return Ok(());
        }
        let all = MatMut::from_column_major_slice_mut(&mut self.data, size, size);
        let (first, below) = all.split_at_col_mut(pivots);
        let (rest, mut last) = (size - pivots, below.subrows_mut(pivots, size - pivots));
        let (mut top, mut bottom) = first.split_at_row_mut(pivots);
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(pivots, Par::Seq, Default::default()));
        cholesky_in_place(top.as_mut(), Default::default(), Par::Seq, MemStack::new(&mut memory), Default::default())
            .map_err(|faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index }| NotPositive {
            pivot: index,
        })?;
        if rest == 0 {
            return Ok(());
        }
        let top = top.as_ref();
        if size < SHARED {
            solve_lower_triangular_in_place(top, bottom.as_mut().transpose_mut(), Par::Seq);
            subtract_square(last.as_mut(), bottom.as_ref());
            return Ok(());
        }
        let half = rest / 2;
        let (upper, lower) = bottom.as_mut().split_at_row_mut(half);
        std::thread::scope(|scope| {
            scope.spawn(move || solve_lower_triangular_in_place(top, upper.transpose_mut(), Par::Seq));
            solve_lower_triangular_in_place(top, lower.transpose_mut(), Par::Seq);
        });
        let (upper, lower) = bottom.as_ref().split_at_row(half);
        let (left, right) = last.split_at_col_mut(half);
        let (upper_left, lower_left) = left.split_at_row_mut(half);
        let lower_right = right.subrows_mut(half, rest - half);
        std::thread::scope(|scope| {
            scope.spawn(move || matmul(lower_left, Accum::Add, lower, upper.transpose(), -1.0, Par::Seq));
            subtract_square(upper_left, upper);
            subtract_square(lower_right, lower);
        });
        Ok(())
    }

    /// What is left after eliminating the first unknowns.
    pub fn rest(&self, pivots: usize) -> Front {
        let mut rest = Front::zeros(self.size - pivots);
        for j in 0..rest.size {
            let (from, to) = ((pivots + j) * self.size + pivots + j, (pivots + j + 1) * self.size);
            rest.data[j * rest.size + j..(j + 1) * rest.size].copy_from_slice(&self.data[from..to]);
        }
        rest
    }

    /// The columns of the eliminated unknowns.
    pub fn factor(&self, pivots: usize) -> Factor {
        let mut data = Vec::with_capacity(Factor::entries(self.size, pivots));
        for j in 0..pivots {
            data.extend(self.column(j).iter().map(|v| *v as f32));
        }
        Factor { size: self.size, pivots, data }
    }

    /// The inverse, both triangles.
    pub fn inverse(mut self) -> Result<Matrix, NotPositive> {
        let n = self.size;
        self.eliminate(n)?;
        let mut out = vec![0.0; n * n];
        let mut memory = MemBuffer::new(inverse_scratch::<f64>(n, Par::Seq));
        let factor = MatRef::from_column_major_slice(&self.data, n, n);
        inverse(MatMut::from_column_major_slice_mut(&mut out, n, n), factor, Par::Seq, MemStack::new(&mut memory));
        // Column-major lower triangle: entry (i, j), i ≥ j, at j n + i.
        Ok(Matrix::from_fn(n, n, |i, j| out[i.min(j) * n + i.max(j)]))
    }
}

/// a −= l lᵀ in the lower triangle.
fn subtract_square(a: MatMut<'_, f64>, l: MatRef<'_, f64>) {
    let whole = BlockStructure::Rectangular;
    triangular::matmul(a, BlockStructure::TriangularLower, Accum::Add, l, whole, l.transpose(), whole, -1.0, Par::Seq);
}

impl Factor {
    /// Entries that a factor of this size has.
    pub fn entries(size: usize, pivots: usize) -> usize {
        pivots * size - pivots * pivots.saturating_sub(1) / 2
    }

    /// Finds the eliminated unknowns from the others, where no load acts on them: L₁₁ᵀ u₁ = −L₂₁ᵀ u₂. The first `pivots`
    /// entries of u are replaced.
    pub fn back(&self, u: &mut [f64]) {
        let mut end = self.data.len();
        for j in (0..self.pivots).rev() {
            let column = &self.data[end - (self.size - j)..end];
            end -= self.size - j;
            let known: f64 = column[1..].iter().zip(&u[j + 1..]).map(|(l, u)| f64::from(*l) * u).sum();
            u[j] = -known / f64::from(column[0]);
        }
    }
}
