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
//!
//! The other coordinates move as one system with them: with S = −T and the diagonal masses M,
//!
//! ```text
//! (M_j + Sᵀ M_i S) v_j' = F_j + Sᵀ (F_i + M_i E c')
//! ```
//!
//! in which the forces of the contacts do not occur. What they would cancel but for rounding (the moments that turn a
//! symmetric bogie) is not there in the first place.

use stickslip_linalg::{Lu, Matrix};

use crate::inclusion::Rows;

/// Entries below this share of the greatest of their row are rounding of the elimination.
const ROUNDING: f64 = 1e-12;

/// Entries that differ by no more than this share are equally good pivots.
const ALIKE: f64 = 1e-9;

/// What elimination leaves of zeros and of ones, as a share of the entries it had to do with: some tens of roundings.
const LEFT_OVER: f64 = 1e-14;

/// A coordinate that is determined.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
struct Row {
    coordinate: usize,
    /// −T: other coordinates and their factors.
    others: Vec<(usize, f64)>,
    /// −E: slip components and the factors of their own parts c.
    parts: Vec<(usize, f64)>,
}

/// The coordinates that a set of contacts determines.
#[derive(Default, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Selection {
    rows: Vec<Row>,
    /// Coordinates that are joined to those that are determined, and the factors of their masses.
    joined: Vec<usize>,
    mass: Option<Lu>,
    loads: Vec<f64>,
}

impl Selection {
    /// From those rows of H that belong to the slip components `held`. Of coordinates that would do alike the lightest is
    /// determined by the others: so a frame leads the wheelsets that stick to it, and what is symmetric about it stays so.
    pub fn new(held: &[usize], rows: &Rows, mass: &[f64]) -> Selection {
        let coordinates = mass.len();
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
                    let alike = share >= (1.0 - ALIKE) * best.0 && mass[j] < mass[best.2];
                    if share > ROUNDING && (share > (1.0 + ALIKE) * best.0 || alike) {
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
        Selection { rows: pivots.iter().map(kept).collect(), ..Selection::default() }.joined(mass)
    }

    /// With the masses of the coordinates that are joined to those that are determined.
    fn joined(mut self, mass: &[f64]) -> Selection {
        let mut joined: Vec<usize> = self.rows.iter().flat_map(|row| row.others.iter().map(|(j, _)| *j)).collect();
        joined.sort_unstable();
        joined.dedup();
        let place = |j: usize| joined.iter().position(|other| *other == j);
        let mut matrix = Matrix::zeros(joined.len(), joined.len());
        joined.iter().enumerate().for_each(|(a, &j)| matrix[(a, a)] = mass[j]);
        for row in &self.rows {
            for (i, x) in &row.others {
                for (j, y) in &row.others {
                    if let (Some(a), Some(b)) = (place(*i), place(*j)) {
                        matrix[(a, b)] += x * mass[row.coordinate] * y;
                    }
                }
            }
        }
        self.mass = (!joined.is_empty()).then(|| Lu::new(&matrix));
        self.loads = vec![0.0; joined.len()];
        self.joined = joined;
        self
    }

    /// Accelerations under `free` accelerations (of all forces but those of contacts that stick), where the contacts
    /// have the slip rates `parts` by themselves.
    pub fn accelerate(&mut self, mass: &[f64], free: &[f64], parts: &[f64], acceleration: &mut [f64]) {
        if let Some(factors) = &self.mass {
            self.loads.iter_mut().zip(&self.joined).for_each(|(load, &j)| *load = mass[j] * free[j]);
            for row in &self.rows {
                let own: f64 = row.parts.iter().map(|(k, factor)| factor * parts[*k]).sum();
                let load = mass[row.coordinate] * (free[row.coordinate] - own);
                for (j, factor) in &row.others {
                    if let Ok(a) = self.joined.binary_search(j) {
                        self.loads[a] += factor * load;
                    }
                }
            }
            factors.solve(&mut self.loads);
            self.joined.iter().zip(&self.loads).for_each(|(&j, a)| acceleration[j] = *a);
        }
        self.apply(parts, acceleration);
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
    if (x - whole).abs() <= LEFT_OVER * whole.abs() {
        whole
    } else if x.abs() <= LEFT_OVER * size {
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
        let both = Selection::new(&[0, 1], &rows(&[&[1.0, 0.0], &[-1.0, 1.0]]), &[1.0, 2.0]);
        let mut v = [1e-17, 3e-18];
        both.apply(&[0.0, 0.0], &mut v);
        assert_eq!(v, [0.0, 0.0]);
        let pair = Selection::new(&[1], &rows(&[&[1.0, 0.0], &[-1.0, 1.0]]), &[1.0, 2.0]);
        let mut v = [0.1, 0.1 + 1e-17];
        pair.apply(&[0.0; 4], &mut v);
        assert_eq!(v[0], v[1]);
        // A belt: s = v − u.
        let belt = Selection::new(&[0], &rows(&[&[1.0]]), &[1.0]);
        let mut v = [0.3];
        belt.apply(&[-0.7], &mut v);
        assert_eq!(v, [0.7]);
    }

    #[test]
    fn bodies_that_stick_together_accelerate_as_one() {
        // Two masses on a belt that accelerates, the second stuck to the first only.
        let mass = [2.0, 3.0];
        let mut pair = Selection::new(&[0], &rows(&[&[-1.0, 1.0]]), &mass);
        let mut a = [0.0; 2];
        pair.accelerate(&mass, &[5.0, 0.0], &[0.0], &mut a);
        assert_eq!(a, [2.0, 2.0]);
        // The contact itself moves with 1 m/s²: a₁ − a₀ + 1 = 0 and 2 a₀ + 3 a₁ = 10.
        pair.accelerate(&mass, &[5.0, 0.0], &[1.0], &mut a);
        assert!((a[0] - 2.6).abs() < 1e-15 && (a[1] - 1.6).abs() < 1e-15, "{a:?}");
    }

    #[test]
    fn dependent_rows_do_no_harm() {
        // Three pads on one line and a body in the plane held by two pads: three freedoms, four rows.
        let lever = 0.8;
        let rows = rows(&[&[1.0, 0.0, lever], &[0.0, 1.0, 0.0], &[1.0, 0.0, -lever], &[0.0, 1.0, 0.0]]);
        let held = Selection::new(&[0, 1, 2, 3], &rows, &[3.0, 3.0, 1.0]);
        let mut v = [1e-16, -2e-17, 4e-16];
        held.apply(&[0.0; 4], &mut v);
        assert_eq!(v, [0.0; 3]);
    }
}
