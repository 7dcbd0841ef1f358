//! Straight lines between points.

use super::{Extremes, Jump, Piece};

/// Straight lines between points, held constant outside; two points at one time make a jump.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Listed")]
pub struct Points {
    times: Vec<f64>,
    values: Vec<f64>,
}

/// Why a list of points is not a signal. Indices count from 0.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PointsError {
    /// No point at all.
    #[error("a signal needs at least one point")]
    Empty,
    /// Not as many times as values.
    #[error("{times} times but {values} values")]
    Lengths {
        /// How many times there are.
        times: usize,
        /// How many values there are.
        values: usize,
    },
    /// A time or value is NaN or infinite.
    #[error("point {index} is not finite")]
    NotFinite {
        /// Which point.
        index: usize,
    },
    /// A time lies before the one in front of it.
    #[error("point {index} at t = {time} comes after t = {previous}: times must not fall")]
    Unsorted {
        /// Which point.
        index: usize,
        /// Its time.
        time: f64,
        /// The time of the point before it.
        previous: f64,
    },
    /// More than two points share one time.
    #[error("point {index}: more than two points at t = {time} (two make a jump)")]
    Crowded {
        /// Which point.
        index: usize,
        /// The time they share.
        time: f64,
    },
}

impl PointsError {
    /// Index of the point to blame, where there is one.
    pub fn index(&self) -> Option<usize> {
        match *self {
            PointsError::Empty | PointsError::Lengths { .. } => None,
            PointsError::NotFinite { index }
            | PointsError::Unsorted { index, .. }
            | PointsError::Crowded { index, .. } => Some(index),
        }
    }
}

/// Points as they were saved: to be looked at as any others.
#[derive(serde::Deserialize)]
struct Listed {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl TryFrom<Listed> for Points {
    type Error = PointsError;

    fn try_from(listed: Listed) -> Result<Points, PointsError> {
        Points::new(listed.times, listed.values)
    }
}

impl Points {
    /// The signal through the points (time, value); times must not fall, two equal times make a jump.
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Points, PointsError> {
        if times.len() != values.len() {
            return Err(PointsError::Lengths { times: times.len(), values: values.len() });
        }
        if times.is_empty() {
            return Err(PointsError::Empty);
        }
        for index in 0..times.len() {
            if !(times[index].is_finite() && values[index].is_finite()) {
                return Err(PointsError::NotFinite { index });
            }
            if index >= 1 && times[index] < times[index - 1] {
                return Err(PointsError::Unsorted { index, time: times[index], previous: times[index - 1] });
            }
            if index >= 2 && times[index] == times[index - 2] {
                return Err(PointsError::Crowded { index, time: times[index] });
            }
        }
        Ok(Points { times, values })
    }

    /// Times of the points, in order.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values at the points.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The straight piece that holds at `t`.
    pub fn piece(&self, t: f64) -> Piece {
        let after = self.times.partition_point(|&time| time <= t);
        let held = |value, until| Piece { start: t, value, slope: 0.0, until };
        if after == 0 {
            return held(self.values[0], self.times[0]);
        }
        if after == self.times.len() {
            return held(self.values[after - 1], f64::INFINITY);
        }
        let (t0, t1) = (self.times[after - 1], self.times[after]);
        let (v0, v1) = (self.values[after - 1], self.values[after]);
        // Halves first: the difference of two large values of opposite sign must not overflow.
        let slope = 2.0 * ((0.5 * v1 - 0.5 * v0) / (t1 - t0));
        let share = (t - t0) / (t1 - t0);
        // A support that stands still must not move by rounding.
        let value = if v0 == v1 { v0 } else { v0 * (1.0 - share) + v1 * share };
        Piece { start: t, value, slope, until: t1 }
    }

    /// The jump at `t`, or no further from it than this.
    pub(super) fn jump_near(&self, t: f64, distance: f64) -> Option<Jump> {
        let first = self.times.partition_point(|&time| time < t - distance);
        let (at, values) = (*self.times.get(first)?, self.values.get(first..first + 2)?);
        let jumps = at == *self.times.get(first + 1)? && values[0] != values[1];
        (jumps && at <= t + distance).then_some(Jump { at, before: values[0] })
    }

    /// Whether its value jumps somewhere.
    pub fn jumps(&self) -> bool {
        let pairs = self.times.windows(2).zip(self.values.windows(2));
        pairs.into_iter().any(|(times, values)| times[0] == times[1] && values[0] != values[1])
    }

    /// Least and greatest value and where they are taken first.
    pub fn extremes(&self) -> Extremes {
        let mut found = Extremes { least: (self.times[0], self.values[0]), greatest: (self.times[0], self.values[0]) };
        for (&t, &v) in self.times.iter().zip(&self.values) {
            if v < found.least.1 {
                found.least = (t, v);
            }
            if v > found.greatest.1 {
                found.greatest = (t, v);
            }
        }
        found
    }

    pub(super) fn scaled(&self, factor: f64) -> Points {
        Points { times: self.times.clone(), values: self.values.iter().map(|v| v * factor).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_and_hold_outside() {
        let p = Points::new(vec![1.0, 2.0, 4.0], vec![0.0, 6.0, -2.0]).expect("sorted");
        assert_eq!(p.piece(-5.0), Piece { start: -5.0, value: 0.0, slope: 0.0, until: 1.0 });
        assert_eq!(p.piece(1.5).value, 3.0);
        assert_eq!(p.piece(1.5).slope, 6.0);
        assert_eq!(p.piece(2.0).value, 6.0);
        assert_eq!(p.piece(3.0), Piece { start: 3.0, value: 2.0, slope: -4.0, until: 4.0 });
        assert_eq!(p.piece(4.0).value, -2.0);
        assert_eq!(p.piece(9.0).until, f64::INFINITY);
    }

    #[test]
    fn level_pieces_are_level_to_the_last_bit() {
        let p = Points::new(vec![3.37, 3.9], vec![-0.122, -0.122]).expect("sorted");
        assert!((0..1000).all(|k| p.piece(3.37 + 0.000_53 * f64::from(k)).value == -0.122));
    }

    #[test]
    fn two_points_at_one_time_jump_to_the_later_value() {
        let p = Points::new(vec![0.0, 1.0, 1.0, 2.0], vec![1.0, 1.0, 5.0, 5.0]).expect("a jump");
        assert_eq!(p.piece(0.999).value, 1.0);
        assert_eq!(p.piece(0.5).until, 1.0);
        assert_eq!(p.piece(1.0).value, 5.0);
    }

    #[test]
    fn faults_name_the_point() {
        let fault = |t: &[f64], v: &[f64]| Points::new(t.to_vec(), v.to_vec()).expect_err("bad");
        assert_eq!(fault(&[], &[]), PointsError::Empty);
        assert_eq!(fault(&[0.0, 2.0, 1.0], &[0.0; 3]).index(), Some(2));
        assert_eq!(fault(&[0.0, f64::NAN], &[0.0; 2]).index(), Some(1));
        assert_eq!(fault(&[0.0, 1.0, 1.0, 1.0], &[0.0; 4]).index(), Some(3));
    }
}
