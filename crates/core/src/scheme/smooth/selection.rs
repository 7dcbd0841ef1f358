//! Velocities that contacts which stick determine, selected instead of integrated.
//!
//! The slips are s = H v + c(t). With the rows of the contacts that stick brought to the form E H = [I T] (Gauss and
//! Jordan, on columns sorted so), s = 0 says
//!
//! ```text
//! v_i = −T v_j − E c,      v_i' = −T v_j' − E c'
//! ```
//!
//! for as many coordinates i as H has independent rows. A body that sticks to the ground has T = 0 and c = 0: its
//! velocity is 0.0, not a sum of forces that cancel but for rounding.

use crate::inclusion::Rows;

/// Entries below this share of the greatest of their row are rounding of the elimination.
const ROUNDING: f64 = 1e-12;

/// A coordinate that is determined.
#[derive(Debug, Clone, Default)]
struct Row {
    coordinate: usize,
    /// −T: other coordinates and their factors.
    others: Vec<(usize, f64)>,
    /// −E: slip components and the factors of their own parts c.
    parts: Vec<(usize, f64)>,
}

/// The coordinates that a set of contacts determines.
#[derive(Debug, Clone, Default)]
pub(super) struct Selection {
    rows: Vec<Row>,
}

impl Selection {
    /// From those rows of H that belong to the slip components `held`.
    pub fn new(held: &[usize], rows: &Rows, coordinates: usize) -> Selection {
        let count = held.len();
        // The matrix [H I], row by row.
        let mut table = vec![vec![0.0; coordinates + count]; count];
        for (i, row) in table.iter_mut().enumerate() {
            rows.row(held[i]).for_each(|(j, x)| row[j] = x);
            row[coordinates + i] = 1.0;
        }
        let size = |row: &Vec<f64>| row[..coordinates].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let sizes: Vec<f64> = table.iter().map(size).collect();
        let mut pivots: Vec<(usize, usize)> = Vec::new();
        for _ in 0..count {
            let mut best = (0.0, 0, 0);
            for i in (0..count).filter(|i| pivots.iter().all(|(row, _)| row != i)) {
                for (j, x) in table[i][..coordinates].iter().enumerate() {
                    let share = x.abs() / sizes[i];
                    if share > ROUNDING && share > best.0 {
                        best = (share, i, j);
                    }
                }
            }
            let (share, i, j) = best;
            if share == 0.0 {
                break;
            }
            pivots.push((i, j));
            let pivot = table[i][j];
            table[i].iter_mut().for_each(|x| *x /= pivot);
            let own = table[i].clone();
            for (k, row) in table.iter_mut().enumerate().filter(|(k, _)| *k != i) {
                let factor = row[j];
                if factor != 0.0 {
                    row.iter_mut().zip(&own).for_each(|(x, own)| *x = rounded(*x - factor * own, sizes[k]));
                    row[j] = 0.0;
                }
            }
        }
        let kept = |(i, j): &(usize, usize)| {
            let entries = |range: std::ops::Range<usize>| {
                range.filter(|k| table[*i][*k] != 0.0).map(|k| (k, -table[*i][k])).collect::<Vec<_>>()
            };
            let others = entries(0..coordinates).into_iter().filter(|(k, _)| k != j).collect();
            let parts = entries(coordinates..coordinates + count);
            Row { coordinate: *j, others, parts: parts.into_iter().map(|(k, x)| (held[k - coordinates], x)).collect() }
        };
        Selection { rows: pivots.iter().map(kept).collect() }
    }

    /// Whether no coordinate is determined.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Sets the coordinates of v that are determined; `parts` are the slips (or slip rates) that the contacts have
    /// where v is zero.
    pub fn apply(&self, parts: &[f64], v: &mut [f64]) {
        for row in &self.rows {
            let others: f64 = row.others.iter().map(|(j, factor)| factor * v[*j]).sum();
            let own: f64 = row.parts.iter().map(|(k, factor)| factor * parts[*k]).sum();
            // A sum that is −0.0 becomes 0.0.
            v[row.coordinate] = others + own + 0.0;
        }
    }
}

/// Without what elimination leaves of zeros and of ones, in a row whose entries had this size.
fn rounded(x: f64, size: f64) -> f64 {
    let whole = x.round();
    if (x - whole).abs() <= 1e-14 * whole.abs() {
        whole
    } else if x.abs() <= 1e-14 * size {
        0.0
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(list: &[&[f64]]) -> Rows {
        let mut rows = Rows::default();
        list.iter().for_each(|row| rows.push(row.iter().copied().enumerate()));
        rows
    }

    #[test]
    fn what_rests_on_the_ground_does_not_move_and_what_rides_along_does_so_exactly() {
        // Coordinates 0 and 1 on a line: 0 against the ground, 1 against 0; then only the latter.
        let both = Selection::new(&[0, 1], &rows(&[&[1.0, 0.0], &[-1.0, 1.0]]), 2);
        let mut v = [1e-17, 3e-18];
        both.apply(&[0.0, 0.0], &mut v);
        assert_eq!(v, [0.0, 0.0]);
        let pair = Selection::new(&[1], &rows(&[&[1.0, 0.0], &[-1.0, 1.0]]), 2);
        let mut v = [0.1, 0.1 + 1e-17];
        pair.apply(&[0.0; 4], &mut v);
        assert_eq!(v[0], v[1]);
        // A belt: s = v − u.
        let belt = Selection::new(&[0], &rows(&[&[1.0]]), 1);
        let mut v = [0.3];
        belt.apply(&[-0.7], &mut v);
        assert_eq!(v, [0.7]);
    }

    #[test]
    fn dependent_rows_do_no_harm() {
        // Three pads on one line and a body in the plane held by two pads: three freedoms, four rows.
        let lever = 0.8;
        let rows = rows(&[&[1.0, 0.0, lever], &[0.0, 1.0, 0.0], &[1.0, 0.0, -lever], &[0.0, 1.0, 0.0]]);
        let held = Selection::new(&[0, 1, 2, 3], &rows, 3);
        let mut v = [1e-16, -2e-17, 4e-16];
        held.apply(&[0.0; 4], &mut v);
        assert_eq!(v, [0.0; 3]);
    }
}
