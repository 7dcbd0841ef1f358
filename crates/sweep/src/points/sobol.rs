//! The sequence of Sobol with the direction numbers of Joe and Kuo (2008), which any point of it is made from by itself.

/// Bits of a coordinate.
const BITS: usize = 52;

/// Most axes.
pub(crate) const MOST: usize = 21;

/// Degree, coefficients of the primitive polynomial, and first direction numbers of the axes after the first.
const START: [(u32, u64, [u64; 7]); MOST - 1] = [
    (1, 0, [1, 0, 0, 0, 0, 0, 0]),
    (2, 1, [1, 3, 0, 0, 0, 0, 0]),
    (3, 1, [1, 3, 1, 0, 0, 0, 0]),
    (3, 2, [1, 1, 1, 0, 0, 0, 0]),
    (4, 1, [1, 1, 3, 3, 0, 0, 0]),
    (4, 4, [1, 3, 5, 13, 0, 0, 0]),
    (5, 2, [1, 1, 5, 5, 17, 0, 0]),
    (5, 4, [1, 1, 5, 5, 5, 0, 0]),
    (5, 7, [1, 1, 7, 11, 19, 0, 0]),
    (5, 11, [1, 1, 5, 1, 1, 0, 0]),
    (5, 13, [1, 1, 1, 3, 11, 0, 0]),
    (5, 14, [1, 3, 5, 5, 31, 0, 0]),
    (6, 1, [1, 3, 3, 9, 7, 49, 0]),
    (6, 13, [1, 1, 1, 15, 21, 21, 0]),
    (6, 16, [1, 3, 1, 13, 27, 49, 0]),
    (6, 19, [1, 1, 1, 15, 7, 5, 0]),
    (6, 22, [1, 3, 1, 15, 13, 25, 0]),
    (6, 25, [1, 1, 5, 5, 19, 61, 0]),
    (7, 1, [1, 3, 7, 11, 23, 15, 103]),
    (7, 4, [1, 3, 7, 13, 13, 15, 69]),
];

/// Direction numbers of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Directions([u64; BITS]);

impl Directions {
    /// Of the axis of this number, below [`MOST`].
    pub fn of(axis: usize) -> Directions {
        let mut v = [0_u64; BITS];
        let Some((degree, polynomial, first)) = axis.checked_sub(1).and_then(|axis| START.get(axis)) else {
            v.iter_mut().enumerate().for_each(|(i, v)| *v = 1 << (BITS - 1 - i));
            return Directions(v);
        };
        let s = *degree as usize;
        for i in 0..BITS {
            v[i] = if i < s {
                first[i] << (BITS - 1 - i)
            } else {
                let chosen = (1..s).filter(|k| polynomial >> (s - 1 - k) & 1 == 1);
                chosen.fold(v[i - s] ^ (v[i - s] >> s), |sum, k| sum ^ v[i - k])
            };
        }
        Directions(v)
    }

    /// The bits of the i-th point, in the order of Gray's code.
    pub fn bits(&self, i: u64) -> u64 {
        let gray = i ^ (i >> 1);
        let chosen = self.0.iter().enumerate().filter(|(k, _)| gray >> k & 1 == 1);
        chosen.fold(0, |sum, (_, v)| sum ^ v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_points_are_those_of_the_literature() {
        // As `scipy.stats.qmc.Sobol(d=21, scramble=False)` gives them.
        let point = |i: u64| {
            (0..5).map(|axis| Directions::of(axis).bits(i) as f64 / (1_u64 << BITS) as f64).collect::<Vec<_>>()
        };
        assert_eq!(point(0), [0.0; 5]);
        assert_eq!(point(1), [0.5; 5]);
        assert_eq!(point(2), [0.75, 0.25, 0.25, 0.25, 0.75]);
        assert_eq!(point(3), [0.25, 0.75, 0.75, 0.75, 0.25]);
    }

    #[test]
    fn every_share_of_every_axis_has_one_of_so_many_points() {
        for axis in 0..MOST {
            let directions = Directions::of(axis);
            let mut shares: Vec<u64> = (0..1024).map(|i| directions.bits(i) >> (BITS - 10)).collect();
            shares.sort_unstable();
            assert!(shares.into_iter().eq(0..1024), "axis {axis}");
        }
    }
}
