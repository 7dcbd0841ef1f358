//! Sparse rows: which coordinates a contact or a spring sees.

use stickslip_linalg::Matrix;

/// Rows of a matrix with few entries each, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    start: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Default for Rows {
    fn default() -> Rows {
        Rows { start: vec![0], entries: Vec::new() }
    }
}

impl Rows {
    /// Adds a row; entries of one column add up, zeros are left out.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (usize, f64)>) {
        let mut row: Vec<(usize, f64)> = Vec::new();
        for (index, value) in entries {
            match row.iter_mut().find(|(i, _)| *i == index) {
                Some((_, sum)) => *sum += value,
                None => row.push((index, value)),
            }
        }
        self.entries.extend(row.into_iter().filter(|(_, value)| *value != 0.0));
        self.start.push(self.entries.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no row has an entry.
    #[inline(always)]
    pub fn is_zero(&self) -> bool {
        self.entries.is_empty()
    }

    #[inline(always)]
    fn slice(&self, k: usize) -> &[(usize, f64)] {
        &self.entries[self.start[k]..self.start[k + 1]]
    }

    /// The entries of a row, (column, value).
    #[inline]
    pub fn row(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.slice(k).iter().copied()
    }

    /// Row k times x.
    #[inline(always)]
    pub fn dot(&self, k: usize, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &(i, a) in self.slice(k) {
            sum += a * x[i];
        }
        sum
    }

    /// Adds A Hᵀ r to y, where these rows are H and A the inverse of a diagonal of masses.
    pub fn accelerate(&self, mass: &[f64], forces: &[f64], y: &mut [f64]) {
        for (k, r) in forces.iter().enumerate() {
            for (i, h) in self.row(k) {
                y[i] += h * r / mass[i];
            }
        }
    }

    /// W = H A Hᵀ, likewise.
    pub fn influence(&self, mass: &[f64]) -> Matrix {
        Matrix::from_fn(self.len(), self.len(), |k, l| {
            let shared = |i: usize| self.row(l).find(|(j, _)| *j == i).map_or(0.0, |(_, h)| h);
            self.row(k).map(|(i, h)| h * shared(i) / mass[i]).fold(0.0, |sum, part| sum + part)
        })
    }

    /// out += factor × row k.
    #[inline(always)]
    pub fn add(&self, k: usize, factor: f64, out: &mut [f64]) {
        for &(i, a) in self.slice(k) {
            out[i] += factor * a;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_multiply_and_scatter() {
        let mut rows = Rows::default();
        rows.push([(0, 1.0), (2, 2.0), (0, 3.0), (1, 0.0)]);
        rows.push([(1, -1.0), (1, 1.0)]);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows.dot(0, &[1.0, 9.0, 10.0]), 24.0);
        assert_eq!(rows.row(1).count(), 0);
        let mut out = [0.0; 3];
        rows.add(0, 2.0, &mut out);
        assert_eq!(out, [8.0, 0.0, 4.0]);
    }
}
