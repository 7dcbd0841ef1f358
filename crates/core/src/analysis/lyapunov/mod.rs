//! Lyapunov exponents through stick and slip.
//!
//! Two methods that share nothing but the integration from event to event:
//!
//! * [`nearby_runs`]: two runs, a small distance apart, for a fixed time; the distance is then scaled back. The exponent
//!   is the mean rate at which it grows (Benettin and others).
//! * [`by_arrivals`]: derivatives of the map from one arrival of a contact at rest to the next. An arrival is at another
//!   time for every neighbour, so that what the variational equation would call the saltation (jump) matrix
//!   S = I + (f⁺ − f⁻) ∇τᵀ is part of the map: each neighbour is integrated in its own modes to its own located events.
//!   Where a slip in the plane arrives, the direction of arrival is an attracting limit direction and is forgotten; an
//!   event in between (loss of rolling) is passed in the same way. Columns are central differences, made orthogonal at
//!   every arrival.
//!
//! Exponents that time steps of fixed size give through stick and slip are artefacts unless the separation is well above
//! the step's error; these two locate events to rounding and must not depend on separation or interval.

mod growth;
mod scales;

use std::convert::Infallible;

use self::growth::{BATCHES, Growth};
use self::scales::{Scales, norm};
use super::orbit::{Arrival, Point, advance, bring_to_rest, next_arrival, resting};
use crate::mechanics::{Smooth, SystemError};
use crate::scheme::RunError;

/// A largest Lyapunov exponent.
#[derive(Debug, Clone, PartialEq)]
pub struct Exponent {
    /// Mean rate of growth [1/s].
    pub value: f64,
    /// Standard error of the mean [1/s]: the scatter of 16 parts of the run, and one e-fold for its ends, where the
    /// directions in which distances are measured still matter.
    pub error: f64,
    /// Time it was measured over \[s\].
    pub time: f64,
    /// The mean up to the end of each part [1/s]: it should settle.
    pub history: Vec<f64>,
    /// Arrivals at which the map has no derivative at this separation: neighbours passed other events.
    pub skipped: u64,
}

/// Why there is no exponent.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LyapunovError {
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError<Infallible>),
    /// Neighbours have become one: all memory is lost, the exponent is minus infinity.
    #[error("neighbouring runs are one and the same from t = {t} s on: the exponent is minus infinity")]
    Merged {
        /// When.
        t: f64,
    },
    /// The contact no longer arrives at rest.
    #[error("contact {contact} does not come to rest again within {horizon} s after t = {t} s")]
    NoArrival {
        /// Which contact, from 0.
        contact: usize,
        /// How long was looked.
        horizon: f64,
        /// From when on.
        t: f64,
    },
    /// Settings that make no sense.
    #[error("{what} = {value}: it must be a finite number > 0")]
    Setting {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

impl From<SystemError> for LyapunovError {
    fn from(error: SystemError) -> LyapunovError {
        LyapunovError::Run(RunError::System(error))
    }
}

/// Settings of [`nearby_runs`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearby {
    /// Time before measuring begins \[s\], ≥ 0; at least eight intervals are always waited.
    pub transient: f64,
    /// Time from one scaling to the next \[s\], > 0.
    pub interval: f64,
    /// How many intervals, at least 16.
    pub intervals: u64,
    /// Distance of the two runs, as a share of the size of the motion; far above 1e-12, far below 1.
    pub separation: f64,
}

/// The largest exponent from two runs that begin near the point given.
///
/// Coordinates (q, v) are measured in shares of their greatest sizes during the transient.
pub fn nearby_runs(system: &dyn Smooth, from: &Point, settings: &Nearby) -> Result<Exponent, LyapunovError> {
    let Nearby { transient, interval, intervals, separation } = *settings;
    positive("interval", interval)?;
    positive("separation", separation)?;
    let mut base = from.clone();
    let mut scales = Scales::new(&base);
    // Coordinates that happen to be zero at the start (slips while rolling) need some time to show their sizes.
    let warm = ((transient / interval).ceil() as u64).max(8);
    for _ in 0..warm {
        base = advance(system, &base, interval)?;
        scales.see(&base);
    }
    let mut direction = scales.first();
    let mut growth = Growth::new(intervals.max(BATCHES as u64));
    // The neighbour first finds the direction that grows.
    for k in 0..growth.count + warm.clamp(4, 40) {
        let neighbour = scales.moved(&base, &direction, separation);
        let (next, other) = (advance(system, &base, interval)?, advance(system, &neighbour, interval)?);
        direction = scales.apart(&next, &other);
        let size = norm(&direction);
        if size == 0.0 {
            return Err(LyapunovError::Merged { t: next.t });
        }
        direction.iter_mut().for_each(|d| *d /= size);
        if k >= warm.clamp(4, 40) {
            growth.add((size / separation).ln(), interval);
        }
        base = next;
    }
    Ok(growth.exponent(0))
}

/// Settings of [`by_arrivals`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrivals {
    /// The contact whose arrivals at rest are looked at, from 0.
    pub contact: usize,
    /// Arrivals before measuring begins; four are always waited for.
    pub transient: u64,
    /// Arrivals measured over, at least 16.
    pub arrivals: u64,
    /// Step of the central differences, as a share of the size of the motion.
    pub difference: f64,
    /// Whether the system depends on time by itself: then the time of an arrival is a coordinate too.
    pub forced: bool,
    /// Longest time between two arrivals that is waited \[s\].
    pub horizon: f64,
}

/// The largest exponent from the map of arrivals after the point given. Directions along the motion itself are not in it: for a periodic
/// motion of a system that is not forced the result is the largest exponent that can be negative.
pub fn by_arrivals(system: &dyn Smooth, from: &Point, settings: &Arrivals) -> Result<Exponent, LyapunovError> {
    let Arrivals { contact, transient, arrivals, difference, forced, horizon } = *settings;
    positive("difference", difference)?;
    positive("horizon", horizon)?;
    let next = |from: &Point| -> Result<Arrival, LyapunovError> {
        let found = next_arrival(system, from, contact, horizon, |_| true)?;
        found.ok_or(LyapunovError::NoArrival { contact, horizon, t: from.t })
    };
    let mut base = next(from)?.point;
    let mut scales = Scales::new(&base);
    if forced {
        scales.time = Some(horizon);
    }
    let mut period = 0.0_f64;
    for _ in 0..transient.max(4) {
        let reached = next(&base)?.point;
        period = period.max(reached.t - base.t);
        base = reached;
        scales.see(&base);
    }
    scales.time = scales.time.map(|_| period);
    let mut direction = scales.first();
    let mut growth = Growth::new(arrivals.max(BATCHES as u64));
    let warm = transient.clamp(4, 40);
    for k in 0..growth.count + warm {
        let reached = next(&base)?;
        let mut image = None;
        for step in [difference, 0.1 * difference, 0.01 * difference] {
            let mut sides = [-1.0, 1.0].map(|side| (scales.moved(&base, &direction, side * step), None));
            for (point, arrival) in &mut sides {
                let rest = resting(system, &base);
                bring_to_rest(system, point, &rest)?;
                *arrival = next_arrival(system, point, contact, horizon, |_| true)?;
            }
            if let [(from, Some(first)), (to, Some(second))] = &sides
                && first.passed == reached.passed
                && second.passed == reached.passed
            {
                let before = norm(&scales.apart(from, to));
                let after = scales.apart(&first.point, &second.point);
                image = (before > 0.0).then_some((before, after));
                break;
            }
        }
        match image {
            Some((before, after)) => {
                let size = norm(&after);
                if size == 0.0 {
                    return Err(LyapunovError::Merged { t: reached.point.t });
                }
                direction = after.iter().map(|d| d / size).collect();
                if k >= warm {
                    growth.add((size / before).ln(), reached.point.t - base.t);
                }
            }
            None if k >= warm => growth.skip(reached.point.t - base.t),
            None => {}
        }
        base = reached.point;
    }
    Ok(growth.finished())
}

fn positive(what: &'static str, value: f64) -> Result<(), LyapunovError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(LyapunovError::Setting { what, value }) }
}
