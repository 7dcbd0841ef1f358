//! Small dense matrices laid out for products with vectors.

/// Rows that are worked on together.
pub(super) const LANES: usize = 4;

/// A dense matrix: groups of `LANES` rows, column after column within each, the last group filled up with zeros.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    columns: usize,
    data: Vec<[f64; LANES]>,
}

impl Lanes {
    pub(super) fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Lanes {
        let groups = rows.div_ceil(LANES);
        let at = |i: usize, j: usize| if i < rows { entry(i, j) } else { 0.0 };
        let group = |g: usize, j: usize| std::array::from_fn(|lane| at(g * LANES + lane, j));
        Lanes { columns, data: (0..groups).flat_map(|g| (0..columns).map(move |j| group(g, j))).collect() }
    }

    /// Room for a product with a matrix of so many rows.
    pub(super) fn room(rows: usize) -> Vec<[f64; LANES]> {
        vec![[0.0; LANES]; rows.div_ceil(LANES)]
    }

    /// out = start + A x; x may have more entries than the matrix has columns, as rooms do.
    #[inline(always)]
    pub(super) fn multiply(&self, x: &[f64], start: &[[f64; LANES]], out: &mut [[f64; LANES]]) {
        let mut groups = self.data.as_slice();
        // Four columns at a time: no more counting than that.
        let (four_x, last_x) = x[..self.columns].as_chunks::<4>();
        for (out, start) in out.iter_mut().zip(start) {
            let Some((group, rest)) = groups.split_at_checked(self.columns) else { return };
            groups = rest;
            let mut sum = *start;
            let (fours, last) = group.as_chunks::<4>();
            for (a, x) in fours.iter().zip(four_x) {
                for k in 0..4 {
                    add(&mut sum, &a[k], x[k]);
                }
            }
            for (a, x) in last.iter().zip(last_x) {
                add(&mut sum, a, *x);
            }
            *out = sum;
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f64; LANES], a: &[f64; LANES], x: f64) {
    for (sum, a) in sum.iter_mut().zip(a) {
        *sum += a * x;
    }
}

/// Copies numbers into their room.
#[inline(always)]
pub(super) fn fill(room: &mut [[f64; LANES]], numbers: &[f64]) {
    room.as_flattened_mut().iter_mut().zip(numbers).for_each(|(to, from)| *to = *from);
}

/// Copies numbers out of their room.
#[inline(always)]
pub(super) fn take(room: &[[f64; LANES]], numbers: &mut [f64]) {
    numbers.iter_mut().zip(room.as_flattened()).for_each(|(to, from)| *to = *from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_every_shape() {
        for rows in 0..10 {
            for columns in 0..6 {
                let entry = |i: usize, j: usize| (i * 7 + j * 3) as f64 - 11.0;
                let a = Lanes::from_fn(rows, columns, entry);
                // Longer than need be.
                let x: Vec<f64> = (0..columns + 3).map(|j| j as f64 - 1.5).collect();
                let numbers: Vec<f64> = (0..rows).map(|i| i as f64).collect();
                let mut start = Lanes::room(rows);
                fill(&mut start, &numbers);
                let mut room = Lanes::room(rows);
                a.multiply(&x, &start, &mut room);
                let mut out = vec![f64::NAN; rows];
                take(&room, &mut out);
                for (i, out) in out.iter().enumerate() {
                    let sum = x[..columns].iter().enumerate().map(|(j, x)| entry(i, j) * x).sum::<f64>();
                    assert_eq!(*out, numbers[i] + sum, "{rows} × {columns}");
                }
            }
        }
    }
}
