//! Tabled functions: straight lines between points.

/// A function through points with rising abscissae, straight between them. Beyond the ends it goes on as the caller
/// says: held, or along the last line.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    extended: bool,
}

/// Why points make no curve. Indices count from 0.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// No point at all.
    #[error("a table needs at least one point")]
    Empty,
    /// A number is NaN or infinite.
    #[error("point {index} of the table is not finite")]
    NotFinite {
        /// Which point.
        index: usize,
    },
    /// An abscissa is not greater than the one before it.
    #[error("point {index} of the table at {x} comes after {previous}: the first numbers must rise")]
    Unsorted {
        /// Which point.
        index: usize,
        /// Its abscissa.
        x: f64,
        /// The abscissa before it.
        previous: f64,
    },
}

impl CurveError {
    /// Index of the point to blame, where there is one.
    pub fn index(&self) -> Option<usize> {
        match *self {
            CurveError::Empty => None,
            CurveError::NotFinite { index } | CurveError::Unsorted { index, .. } => Some(index),
        }
    }
}

impl Curve {
    /// A curve that keeps its first and last value outside: coefficients of friction.
    pub fn held(points: &[(f64, f64)]) -> Result<Curve, CurveError> {
        Curve::new(points, false)
    }

    /// A curve that goes on straight outside: characteristics of springs and dampers.
    pub fn extended(points: &[(f64, f64)]) -> Result<Curve, CurveError> {
        Curve::new(points, true)
    }

    fn new(points: &[(f64, f64)], extended: bool) -> Result<Curve, CurveError> {
        if points.is_empty() {
            return Err(CurveError::Empty);
        }
        for (index, &(x, y)) in points.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(CurveError::NotFinite { index });
            }
            if index > 0 && x <= points[index - 1].0 {
                return Err(CurveError::Unsorted { index, x, previous: points[index - 1].0 });
            }
        }
        let (x, y) = points.iter().copied().unzip();
        Ok(Curve { x, y, extended })
    }

    /// Ordinates at the points.
    pub fn values(&self) -> &[f64] {
        &self.y
    }

    /// Abscissae of the points.
    pub fn places(&self) -> &[f64] {
        &self.x
    }

    /// Value at x.
    #[inline]
    pub fn at(&self, x: f64) -> f64 {
        self.on_piece(self.x.partition_point(|p| *p <= x), x)
    }

    /// How many points lie below all corners, and the abscissae of the corners.
    pub fn corners(&self) -> (usize, &[f64]) {
        let n = self.x.len();
        match (n, self.extended) {
            (1, _) => (0, &[]),
            (_, true) => (1, &self.x[1..n - 1]),
            (_, false) => (0, &self.x),
        }
    }

    /// The same of a curve that is only read at x ≥ 0.
    pub fn corners_above_zero(&self) -> (usize, &[f64]) {
        let (below, corners) = self.corners();
        let passed = corners.partition_point(|p| *p <= 0.0);
        (below + passed, &corners[passed..])
    }

    /// Value at x of the straight piece that holds where `after` of the points are at most x; straight beyond its ends.
    #[inline]
    pub fn on_piece(&self, after: usize, x: f64) -> f64 {
        let n = self.x.len();
        if n == 1 || (!self.extended && (after == 0 || after == n)) {
            return self.y[after.clamp(1, n) - 1];
        }
        let k = after.clamp(1, n - 1);
        let (x0, x1, y0, y1) = (self.x[k - 1], self.x[k], self.y[k - 1], self.y[k]);
        let share = (x - x0) / (x1 - x0);
        y0 * (1.0 - share) + y1 * share
    }

    /// dy/dx at x; none at a corner, where there are two.
    pub fn slope(&self, x: f64) -> Option<f64> {
        let (_, corners) = self.corners();
        let after = self.x.partition_point(|p| *p <= x);
        let n = self.x.len();
        if n == 1 || (!self.extended && (x < self.x[0] || x > self.x[n - 1])) {
            return Some(0.0);
        }
        let k = after.clamp(1, n - 1);
        let slope = |k: usize| (self.y[k] - self.y[k - 1]) / (self.x[k] - self.x[k - 1]);
        if !corners.contains(&x) {
            return Some(slope(k));
        }
        // A corner of a straight line is none.
        let left = if after >= 2 { slope(after - 1) } else { 0.0 };
        let right = if after < n { slope(after) } else { 0.0 };
        (left == right).then_some(left)
    }

    /// ∫₀ˣ y dx: the energy in a spring of this characteristic.
    pub fn integral(&self, x: f64) -> f64 {
        let (from, to, sign) = if x < 0.0 { (x, 0.0, -1.0) } else { (0.0, x, 1.0) };
        let mut sum = 0.0;
        let mut left = from;
        let inner = self.x.iter().copied().filter(|p| *p > from && *p < to);
        for right in inner.chain([to]) {
            // Exact on a straight piece; the value is taken inside it, away from the corners.
            sum += self.at(0.5 * (left + right)) * (right - left);
            left = right;
        }
        sign * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_between_points_held_or_extended_outside() {
        let points = [(-1.0, -2.0), (0.0, 0.0), (2.0, 1.0)];
        let held = Curve::held(&points).expect("rising");
        let extended = Curve::extended(&points).expect("rising");
        assert_eq!([held.at(-5.0), held.at(-0.5), held.at(1.0), held.at(9.0)], [-2.0, -1.0, 0.5, 1.0]);
        assert_eq!([extended.at(-2.0), extended.at(4.0)], [-4.0, 2.0]);
        assert_eq!([extended.integral(2.0), extended.integral(-1.0), extended.integral(0.0)], [1.0, 1.0, 0.0]);
        assert_eq!(extended.integral(4.0), 4.0);
    }

    #[test]
    fn slopes_are_those_of_the_pieces_and_none_at_corners() {
        let points = [(-1.0, -2.0), (0.0, 0.0), (2.0, 1.0), (4.0, 2.0)];
        let (held, extended) = (Curve::held(&points).expect("rising"), Curve::extended(&points).expect("rising"));
        let slopes = |curve: &Curve| [-5.0, -1.0, -0.5, 0.0, 1.0, 2.0, 3.0, 4.0, 9.0].map(|x| curve.slope(x));
        let inner = [Some(2.0), None, Some(0.5), Some(0.5), Some(0.5)];
        assert_eq!(slopes(&held)[2..7], inner);
        assert_eq!(slopes(&extended)[2..7], inner);
        assert_eq!(slopes(&held).map(|s| s.is_none()), [false, true, false, true, false, false, false, true, false]);
        assert_eq!((slopes(&held)[0], slopes(&held)[8]), (Some(0.0), Some(0.0)));
        assert_eq!(
            (slopes(&extended)[0], slopes(&extended)[1], slopes(&extended)[8]),
            (Some(2.0), Some(2.0), Some(0.5))
        );
        assert_eq!(Curve::held(&[(0.0, 3.0)]).expect("a point").slope(0.0), Some(0.0));
    }

    #[test]
    fn faults_name_the_point() {
        assert_eq!(Curve::held(&[]), Err(CurveError::Empty));
        assert_eq!(Curve::held(&[(0.0, 1.0), (0.0, 2.0)]).map_err(|e| e.index()), Err(Some(1)));
        assert_eq!(Curve::held(&[(0.0, f64::NAN)]).map_err(|e| e.index()), Err(Some(0)));
    }
}
