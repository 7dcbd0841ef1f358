//! Distances between neighbours.

use crate::analysis::orbit::Point;

/// Least size of a coordinate, as a share of the greatest: one that hardly moves must not count for all.
const LEAST: f64 = 1e-6;

/// Sizes that coordinates are measured in.
pub(super) struct Scales {
    sizes: Vec<f64>,
    /// Size of times, where time is a coordinate.
    pub time: Option<f64>,
}

impl Scales {
    pub fn new(point: &Point) -> Scales {
        Scales { sizes: point.coordinates().iter().map(|x| x.abs()).collect(), time: None }
    }

    pub fn see(&mut self, point: &Point) {
        self.sizes.iter_mut().zip(point.coordinates()).for_each(|(size, x)| *size = size.max(x.abs()));
    }

    fn size(&self, k: usize) -> f64 {
        let greatest = self.sizes.iter().fold(0.0_f64, |m, x| m.max(*x));
        match (self.sizes[k], greatest) {
            (_, 0.0) => 1.0,
            (size, greatest) if size < LEAST * greatest => LEAST * greatest,
            (size, _) => size,
        }
    }

    /// A direction with no preference.
    pub fn first(&self) -> Vec<f64> {
        let count = self.sizes.len() + usize::from(self.time.is_some());
        let raw: Vec<f64> = (0..count).map(|k| 1.0 + 0.1 * k as f64).collect();
        let size = norm(&raw);
        raw.iter().map(|x| x / size).collect()
    }

    /// The point at a distance in a direction.
    pub fn moved(&self, from: &Point, direction: &[f64], distance: f64) -> Point {
        let mut point = from.clone();
        let positions = point.q.len();
        for (k, share) in direction.iter().take(self.sizes.len()).enumerate() {
            let step = distance * share * self.size(k);
            if k < positions { point.q[k] += step } else { point.v[k - positions] += step }
        }
        if let Some(time) = self.time {
            point.t += distance * direction[self.sizes.len()] * time;
        }
        point
    }

    /// (to − from) in shares.
    pub fn apart(&self, from: &Point, to: &Point) -> Vec<f64> {
        let (a, b) = (from.coordinates(), to.coordinates());
        let mut out: Vec<f64> = (0..a.len()).map(|k| (b[k] - a[k]) / self.size(k)).collect();
        out.extend(self.time.map(|time| (to.t - from.t) / time));
        out
    }
}

pub(super) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
