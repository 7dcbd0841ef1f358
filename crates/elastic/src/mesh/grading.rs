//! Cells that are small and equal where bodies touch and grow from there on.

use super::MeshError;

/// Sizes of cells along one direction, from the contact outwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grading {
    /// Each cell this many times the one before it, at most (it is made a little less so that the last one ends in place).
    Growth(f64),
    /// So many cells, growing as they must.
    Cells(usize),
}

/// Refuses cells that no mesh can be made of; `across` is false for plane bodies.
pub(super) fn check_cells(
    cell: [f64; 3],
    uniform: [usize; 3],
    outside: [Grading; 3],
    contact: [usize; 2],
    across: bool,
) -> Result<(), MeshError> {
    let axes = if across { [0, 1, 2].as_slice() } else { &[0, 2] };
    for &axis in axes {
        let number = |what: [&'static str; 3], value, wanted: &str| {
            Err(MeshError::Number { what: what[axis], value, wanted: wanted.to_string() })
        };
        if !(cell[axis] > 0.0 && cell[axis].is_finite()) {
            let what = ["size of the cells along x", "size of the cells across", "size of the cells in depth"];
            return number(what, cell[axis], "it must be a finite number > 0");
        }
        match outside[axis] {
            Grading::Growth(growth) if !(growth >= 1.0 && growth.is_finite()) => {
                let what =
                    ["growth of the cells along x", "growth of the cells across", "growth of the cells in depth"];
                return number(what, growth, "each cell must be at least as large as the one before it: 1 or more");
            }
            _ => {}
        }
        if axis < 2 && contact[axis] > uniform[axis] {
            let what = ["contact nodes on each side along x", "contact nodes on each side across", ""];
            let wanted = format!("there are {} equal cells on each side, and contact nodes lie on them", uniform[axis]);
            return number(what, contact[axis] as f64, &wanted);
        }
    }
    Ok(())
}

impl Grading {
    /// Places from 0 on: `uniform` cells of the size h, then growing ones up to the length.
    pub(super) fn places(self, h: f64, uniform: usize, length: f64) -> Vec<f64> {
        let mut places: Vec<f64> = (0..=uniform).map(|k| k as f64 * h).collect();
        let rest = length - uniform as f64 * h;
        if rest <= 1e-9 * length {
            return places;
        }
        let cells = match self {
            Grading::Cells(cells) => cells.max(1),
            // h (g + g² + … + g^k) = rest.
            Grading::Growth(growth) if growth < 1.0 + 1e-9 => (rest / h).round().max(1.0) as usize,
            Grading::Growth(growth) => {
                let cells = (1.0 + rest * (growth - 1.0) / (h * growth)).ln() / growth.ln();
                cells.round().max(1.0) as usize
            }
        };
        let growth = growth_of(rest / h, cells);
        let (mut size, mut at) = (h, uniform as f64 * h);
        for k in 0..cells {
            size *= growth;
            at += size;
            places.push(if k + 1 == cells { length } else { at });
        }
        places
    }
}

/// g with g + g² + … + g^k = sum, by bisection: the left side increases with g.
fn growth_of(sum: f64, cells: usize) -> f64 {
    let total = |g: f64| (1..=cells).fold((0.0, 1.0), |(sum, power), _| (sum + power * g, power * g)).0;
    let (mut lo, mut hi) = (0.0, sum.max(1.0));
    for _ in 0..200 {
        let middle = 0.5 * (lo + hi);
        if total(middle) < sum { lo = middle } else { hi = middle }
    }
    0.5 * (lo + hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_equal_then_grow_and_end_in_place() {
        let places = Grading::Growth(1.3).places(0.1, 5, 20.0);
        assert_eq!(places.last(), Some(&20.0));
        let sizes: Vec<f64> = places.windows(2).map(|p| p[1] - p[0]).collect();
        assert!(sizes[..5].iter().all(|h| (h - 0.1).abs() < 1e-15));
        for pair in sizes[4..].windows(2) {
            assert!((1.2..1.4).contains(&(pair[1] / pair[0])), "{sizes:?}");
        }
        // Growth 1 means equal cells.
        assert_eq!(Grading::Growth(1.0).places(0.1, 2, 1.0).len(), 11);
        assert_eq!(Grading::Cells(4).places(0.1, 2, 3.0).len(), 7);
        // The cells fill the length: none are added.
        assert_eq!(Grading::Growth(1.3).places(0.5, 4, 2.0).len(), 5);
    }
}
