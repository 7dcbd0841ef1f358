//! Poincaré sections: a motion seen at chosen instants only.

use std::convert::Infallible;

use super::orbit::{Arrival, Point, advance, next_arrival};
use crate::mechanics::Smooth;
use crate::scheme::{Event, RunError};

/// The arrivals of a contact at rest that `section` lets pass, `count` of them or as many as come within the horizon of
/// each other. A periodic motion shows as few points, a chaotic one as a cloud with a structure.
pub fn arrivals(
    system: &dyn Smooth,
    from: &Point,
    contact: usize,
    count: usize,
    horizon: f64,
    section: impl Fn(&Event) -> bool + Copy,
) -> Result<Vec<Arrival>, RunError<Infallible>> {
    let mut all: Vec<Arrival> = Vec::with_capacity(count);
    while all.len() < count {
        let last = all.last().map_or(from, |arrival| &arrival.point);
        match next_arrival(system, last, contact, horizon, section)? {
            Some(arrival) => all.push(arrival),
            None => break,
        }
    }
    Ok(all)
}

/// The motion at `count` instants, a period apart: for systems that are driven with that period.
pub fn strobe(
    system: &dyn Smooth,
    from: &Point,
    period: f64,
    count: usize,
) -> Result<Vec<Point>, RunError<Infallible>> {
    let mut all: Vec<Point> = Vec::with_capacity(count);
    for _ in 0..count {
        let next = advance(system, all.last().unwrap_or(from), period)?;
        all.push(next);
    }
    Ok(all)
}

/// A number of arrivals after which a motion repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cycle {
    /// How many arrivals it has.
    pub arrivals: usize,
    /// Its period \[s\].
    pub period: f64,
    /// Greatest difference between two rounds, as a share of the size of each coordinate.
    pub mismatch: f64,
}

/// The shortest cycle that the last arrivals repeat twice to within the tolerance; none if there is none. `mirror` is
/// applied to the later round: the identity for full periods, a symmetry of the system for half ones.
pub fn cycle(arrivals: &[Arrival], tolerance: f64, mirror: impl Fn(&Point) -> Point) -> Option<Cycle> {
    let points: Vec<Vec<f64>> = arrivals.iter().map(|a| a.point.coordinates()).collect();
    let sizes = points.first()?.iter().enumerate().map(|(k, _)| points.iter().fold(0.0_f64, |m, p| m.max(p[k].abs())));
    let sizes: Vec<f64> = sizes.collect();
    let count = arrivals.len();
    (1..=count / 2).find_map(|length| {
        let mut mismatch = 0.0_f64;
        for k in 0..length {
            let (late, early) = (count - 1 - k, count - 1 - k - length);
            let seen = mirror(&arrivals[late].point).coordinates();
            for (i, size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0.0) {
                mismatch = mismatch.max((seen[i] - points[early][i]).abs() / size);
            }
        }
        let period = arrivals[count - 1].point.t - arrivals[count - 1 - length].point.t;
        (mismatch <= tolerance).then_some(Cycle { arrivals: length, period, mismatch })
    })
}
