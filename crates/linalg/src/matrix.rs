//! A small dense matrix, row after row.

use std::ops::{Index, IndexMut};

/// A dense matrix stored row by row.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Matrix {
        Matrix { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// Entry (i, j) is f(i, j).
    pub fn from_fn(rows: usize, cols: usize, f: impl Fn(usize, usize) -> f64) -> Matrix {
        let data = (0..rows * cols).map(|k| f(k / cols, k % cols)).collect();
        Matrix { rows, cols, data }
    }

    /// From rows of equal length (missing entries are zero, surplus ones are left out).
    pub fn from_rows(rows: &[&[f64]]) -> Matrix {
        let cols = rows.first().map_or(0, |r| r.len());
        Matrix::from_fn(rows.len(), cols, |i, j| rows[i].get(j).copied().unwrap_or(0.0))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// All entries, row after row.
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// out = A x.
    pub fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.row(i).iter().zip(x).map(|(a, x)| a * x).sum();
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}
