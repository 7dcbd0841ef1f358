//! Band matrices: factorisations whose cost grows with the size times the square of the band.

/// A square band matrix A = L U with row exchanges; built, factorised and solved in place, without allocating.
///
/// Row i keeps the columns i − w … i + 2 w (the exchanges fill up to w more to the right).
#[derive(Debug, Clone)]
pub struct BandLu {
    size: usize,
    width: usize,
    data: Vec<f64>,
    pivots: Vec<usize>,
}

impl BandLu {
    /// A zero matrix of `size` rows with `width` diagonals on either side.
    pub fn new(size: usize, width: usize) -> BandLu {
        let width = width.min(size.saturating_sub(1));
        BandLu { size, width, data: vec![0.0; size * (3 * width + 1)], pivots: vec![0; size] }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Diagonals on either side.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All entries zero again.
    pub fn clear(&mut self) {
        self.data.fill(0.0);
    }

    #[inline]
    fn at(&self, i: usize, j: usize) -> usize {
        i * (3 * self.width + 1) + j + self.width - i
    }

    /// Adds to the entry (i, j), which must lie in the band.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        let at = self.at(i, j);
        self.data[at] += value;
    }

    /// Factorises what has been added. False if a pivot vanishes or is no number: then there is nothing to solve with.
    pub fn factorise(&mut self) -> bool {
        let (n, w) = (self.size, self.width);
        for k in 0..n {
            let last = (k + w).min(n - 1);
            let mut pivot = k;
            let mut greatest = self.data[self.at(k, k)].abs();
            for i in k + 1..=last {
                let size = self.data[self.at(i, k)].abs();
                if size > greatest {
                    (pivot, greatest) = (i, size);
                }
            }
            self.pivots[k] = pivot;
            if !(greatest > 0.0 && greatest.is_finite()) {
                return false;
            }
            let right = (k + 2 * w).min(n - 1);
            if pivot != k {
                for j in k..=right {
                    let (a, b) = (self.at(k, j), self.at(pivot, j));
                    self.data.swap(a, b);
                }
            }
            let (row, count) = (self.at(k, k), right - k);
            let inverse = 1.0 / self.data[row];
            for i in k + 1..=last {
                let below = self.at(i, k);
                if self.data[below] == 0.0 {
                    continue;
                }
                let factor = self.data[below] * inverse;
                self.data[below] = factor;
                let (upper, lower) = self.data.split_at_mut(below);
                for (x, y) in lower[1..=count].iter_mut().zip(&upper[row + 1..=row + count]) {
                    *x -= factor * y;
                }
            }
        }
        true
    }

    /// Replaces b by the solution of A x = b, after [`BandLu::factorise`].
    pub fn solve(&self, b: &mut [f64]) {
        let (n, w) = (self.size, self.width);
        for k in 0..n {
            b.swap(k, self.pivots[k]);
            let value = b[k];
            if value != 0.0 {
                let last = (k + w).min(n - 1);
                for (i, b) in b.iter_mut().enumerate().take(last + 1).skip(k + 1) {
                    *b -= self.data[self.at(i, k)] * value;
                }
            }
        }
        for k in (0..n).rev() {
            let row = self.at(k, k);
            let right = (k + 2 * w).min(n - 1);
            let sum: f64 = self.data[row + 1..=row + right - k].iter().zip(&b[k + 1..=right]).map(|(a, x)| a * x).sum();
            b[k] = (b[k] - sum) / self.data[row];
        }
    }
}

/// A symmetric positive definite band matrix A = L Lᵀ.
#[derive(Debug, Clone)]
pub struct BandCholesky {
    size: usize,
    width: usize,
    /// Row i of L: columns i − w … i.
    data: Vec<f64>,
}

impl BandCholesky {
    /// Factorises the matrix whose lower half is given entry by entry, (i, j, value) with j ≤ i; equal places add
    /// up. None if it is not positive definite.
    pub fn new(
        size: usize,
        width: usize,
        entries: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Option<BandCholesky> {
        let mut data = vec![0.0; size * (width + 1)];
        for (i, j, value) in entries {
            data[i * (width + 1) + j + width - i] += value;
        }
        let at = |i: usize, j: usize| i * (width + 1) + j + width - i;
        for i in 0..size {
            let first = i.saturating_sub(width);
            for j in first..=i {
                let from = first.max(j.saturating_sub(width));
                let sum: f64 = (from..j).map(|k| data[at(i, k)] * data[at(j, k)]).sum();
                let value = data[at(i, j)] - sum;
                data[at(i, j)] = if i == j {
                    if !(value > 0.0 && value.is_finite()) {
                        return None;
                    }
                    value.sqrt()
                } else {
                    value / data[at(j, j)]
                };
            }
        }
        Some(BandCholesky { size, width, data })
    }

    /// Diagonals on either side.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The entries of A⁻¹ within the band (Takahashi): row i holds the columns i … i + w.
    ///
    /// From Lᵀ A⁻¹ = L⁻¹, whose entries above the diagonal are zero, row by row from the last.
    pub fn inverse_in_band(&self) -> Vec<f64> {
        let (n, w) = (self.size, self.width);
        let lower = |i: usize, j: usize| self.data[i * (w + 1) + j + w - i];
        let mut inverse = vec![0.0; n * (w + 1)];
        for i in (0..n).rev() {
            let last = (i + w).min(n - 1);
            for j in (i..=last).rev() {
                let entry = |k: usize| inverse[k.min(j) * (w + 1) + k.abs_diff(j)];
                let sum: f64 = (i + 1..=last).map(|k| lower(k, i) * entry(k)).sum();
                let own = if i == j { 1.0 / lower(i, i) } else { 0.0 };
                inverse[i * (w + 1) + j - i] = (own - sum) / lower(i, i);
            }
        }
        inverse
    }

    /// Replaces b by the solution of A x = b.
    pub fn solve(&self, b: &mut [f64]) {
        let w = self.width;
        let at = |i: usize, j: usize| i * (w + 1) + j + w - i;
        for i in 0..self.size {
            let first = i.saturating_sub(w);
            let row = &self.data[at(i, first)..at(i, i)];
            let sum: f64 = row.iter().zip(&b[first..i]).map(|(a, x)| a * x).sum();
            b[i] = (b[i] - sum) / self.data[at(i, i)];
        }
        for i in (0..self.size).rev() {
            let first = i.saturating_sub(w);
            let value = b[i] / self.data[at(i, i)];
            b[i] = value;
            let row = &self.data[at(i, first)..at(i, i)];
            for (x, a) in b[first..i].iter_mut().zip(row) {
                *x -= a * value;
            }
        }
    }
}

/// An order of the nodes of a graph in which neighbours are close (reverse Cuthill–McKee): `order[k]` is the node
/// that comes k-th. Every component of the graph begins at a node with the fewest neighbours.
pub fn near_order(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let n = neighbours.len();
    let mut seen = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut by_degree: Vec<usize> = (0..n).collect();
    by_degree.sort_by_key(|&i| neighbours[i].len());
    for &root in &by_degree {
        if seen[root] {
            continue;
        }
        let mut head = order.len();
        seen[root] = true;
        order.push(root);
        while head < order.len() {
            let mut next: Vec<usize> = neighbours[order[head]].iter().copied().filter(|&j| !seen[j]).collect();
            next.sort_by_key(|&j| (neighbours[j].len(), j));
            next.dedup();
            for j in next {
                seen[j] = true;
                order.push(j);
            }
            head += 1;
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repeatable matrix with entries in the band only.
    fn entry(i: usize, j: usize) -> f64 {
        let x = (i * 37 + j * 101 + 7) as f64;
        (x * 0.618_033_988_749_895).fract() - 0.5
    }

    #[test]
    fn lu_solves_matrices_that_need_exchanges() {
        for (n, w) in [(1, 0), (2, 1), (7, 2), (30, 5), (12, 11)] {
            let mut lu = BandLu::new(n, w);
            let near = |i: usize, j: usize| i.abs_diff(j) <= w;
            // Zeros on the diagonal force exchanges.
            let a = |i: usize, j: usize| if !near(i, j) || (i == j && w > 0) { 0.0 } else { entry(i, j) };
            let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a(i, j) * x[j]).sum()).collect();
            for i in 0..n {
                for j in (0..n).filter(|&j| near(i, j)) {
                    lu.add(i, j, a(i, j));
                }
            }
            assert!(lu.factorise(), "{n} {w}");
            lu.solve(&mut b);
            for (b, x) in b.iter().zip(&x) {
                assert!((b - x).abs() < 1e-9 * n as f64, "{n} {w}: {b} {x}");
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_told() {
        let mut lu = BandLu::new(2, 1);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            lu.add(i, j, 1.0);
        }
        assert!(!lu.factorise());
    }

    #[test]
    fn cholesky_solves_and_refuses() {
        let (n, w) = (20, 3);
        let lower = |i: usize, j: usize| if i == j { 4.0 } else { entry(i, j) };
        let entries = (0..n).flat_map(|i| (0..=i).filter(move |j| i - j <= w).map(move |j| (i, j, lower(i, j))));
        let cholesky = BandCholesky::new(n, w, entries).expect("dominant diagonal");
        let a = |i: usize, j: usize| if i.abs_diff(j) > w { 0.0 } else { lower(i.max(j), i.min(j)) };
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a(i, j) * j as f64).sum()).collect();
        cholesky.solve(&mut b);
        assert!((0..n).all(|i| (b[i] - i as f64).abs() < 1e-12));
        assert!(BandCholesky::new(1, 0, [(0, 0, -1.0)]).is_none());
        let inverse = cholesky.inverse_in_band();
        for i in 0..n {
            let mut column = vec![0.0; n];
            column[i] = 1.0;
            cholesky.solve(&mut column);
            for j in i..(i + w + 1).min(n) {
                assert!((inverse[i * (w + 1) + j - i] - column[j]).abs() < 1e-14, "{i} {j}");
            }
        }
    }

    #[test]
    fn a_shuffled_chain_gets_a_narrow_band() {
        let n = 100;
        let name = |i: usize| (i * 37) % n;
        let mut neighbours = vec![Vec::new(); n];
        for i in 1..n {
            neighbours[name(i - 1)].push(name(i));
            neighbours[name(i)].push(name(i - 1));
        }
        let order = near_order(&neighbours);
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, &i)| place[i] = k);
        assert!((1..n).all(|i| place[name(i - 1)].abs_diff(place[name(i)]) == 1));
    }
}
