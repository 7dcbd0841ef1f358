//! One creep-force curve: longitudinal force against longitudinal creepage, tabulated.
//!
//! A wheel asks for the inverse, the creepage that a force needs, several times in each step; a table answers in
//! nanoseconds whatever the theory costs, and straight lines between its points keep the step's equation solvable in closed
//! form. With n points on the bent part the error is about 1.3/n² of the limit (⅛ (4/n)² times the greatest curvature,
//! ⅔ in units of μN and μN/slope).

use crate::patch::{Creepage, Patch};
use crate::theory::{Linear, Theory, TheoryError};

/// Residual to ask of a solver whose curve is read to three digits.
pub const TOLERANCE: f64 = 1e-6;

/// A creepage so small that the linear theory, which is linear, gives its slope without rounding.
const SMALL: f64 = 1e-6;

/// A force this share of the limit below it is the limit, two creepages this share apart are one: rounding of a bisection.
const ROUNDING: f64 = 1e-9;

/// A formula that never saturates is followed as long as its force grows by this share of the limit.
const GROWS: f64 = 1e-6;

/// A solver's force of full slip is level to this share of the limit: a thousand times its tolerance.
const SOLVED: f64 = 1e3 * TOLERANCE;

/// And no further below the limit than this share of it.
const NEARLY: f64 = 0.98;

/// An odd, increasing curve of force against creepage that ends in a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Creepages, from 0, increasing.
    xi: Vec<f64>,
    /// Forces, from 0, increasing \[N\]; the last one is the limit.
    force: Vec<f64>,
    /// Whether the limit is that of friction.
    slides_fully: bool,
}

/// Why there is no curve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// The theory failed.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// The force does not grow with the creepage: friction falls, or points are out of order.
    #[error(
        "the force {force} N at creepage {xi} does not exceed the one before, {before} N: a wheel needs a curve that grows"
    )]
    Falls {
        /// Where.
        xi: f64,
        /// Force there.
        force: f64,
        /// Force at the point before.
        before: f64,
    },
    /// Too few points.
    #[error("a curve needs at least one point besides the origin, {0} asked for")]
    Few(usize),
    /// There is no friction.
    #[error("without friction (μN = {0} N) there is no creep curve")]
    NoLimit(f64),
}

impl Curve {
    /// From points (creepage, force), without the origin; both must increase.
    pub fn new(points: &[(f64, f64)]) -> Result<Curve, CurveError> {
        if points.is_empty() {
            return Err(CurveError::Few(0));
        }
        let (mut xi, mut force) = (vec![0.0], vec![0.0]);
        for (k, &(x, f)) in points.iter().enumerate() {
            if !(x > xi[k] && f > force[k] && x.is_finite() && f.is_finite()) {
                return Err(CurveError::Falls { xi: x, force: f, before: force[k] });
            }
            xi.push(x);
            force.push(f);
        }
        Ok(Curve { xi, force, slides_fully: true })
    }

    /// The longitudinal curve of a theory, with `points` points up to four times the creepage at which the linear theory
    /// reaches μN. Theories that saturate do so before; one that has not (Polach) is followed further in growing steps
    /// as long as its force grows by 1e-6 of the limit, and its last value is the limit. A curve that falls is an error,
    /// unless by no more than 1e-3 of the limit next to it (the tolerance of a solver).
    pub fn of(theory: &mut dyn Theory, patch: &Patch, points: usize) -> Result<Curve, CurveError> {
        if points < 8 {
            return Err(CurveError::Few(points));
        }
        let limit = patch.limit();
        if limit.is_nan() || limit <= 0.0 {
            return Err(CurveError::NoLimit(limit));
        }
        let mut at = |xi: f64| theory.forces(patch, Creepage::longitudinal(xi)).map(|f| -f.fx);
        let full = SMALL * limit / -Linear.forces(patch, Creepage::longitudinal(SMALL))?.fx;
        let near = limit * (1.0 - ROUNDING);
        let mut found: Vec<(f64, f64)> = Vec::with_capacity(points + 64);
        let step = 4.0 * full / points as f64;
        for k in 1.. {
            let last = found.last().copied().unwrap_or((0.0, 0.0));
            let xi = if k <= points { k as f64 * step } else { 1.1 * last.0 };
            let force = at(xi)?;
            if force >= near {
                // Full slip begins in between.
                let (mut lo, mut hi) = (last.0, xi);
                for _ in 0..60 {
                    let middle = 0.5 * (lo + hi);
                    if at(middle)? >= near { hi = middle } else { lo = middle }
                }
                // Closer than rounding to the point before: that one was the limit already.
                if hi - last.0 < ROUNDING * hi {
                    found.pop();
                }
                found.push((hi, limit));
                break;
            }
            if k > points && force <= last.1 + GROWS * limit && force >= last.1 {
                break;
            }
            if force.is_nan() || force <= last.1 {
                // A solver's full slip may end a little below the limit, level but for its tolerance, and stays there.
                let level = |f: f64| f >= NEARLY * limit && (f - last.1).abs() <= SOLVED * limit;
                if level(force) && level(at(4.0 * xi)?) {
                    break;
                }
                return Err(CurveError::Falls { xi, force, before: last.1 });
            }
            found.push((xi, force));
        }
        let curve = Curve::new(&found)?;
        Ok(Curve { slides_fully: curve.limit() >= near, ..curve })
    }

    /// The greatest force \[N\].
    pub fn limit(&self) -> f64 {
        self.force[self.force.len() - 1]
    }

    /// The creepage from which on the force is the limit.
    pub fn full_slip(&self) -> f64 {
        self.xi[self.xi.len() - 1]
    }

    /// Whether all of the contact slips from there on. A solver's curve may end a little below the limit μN, where its force no longer
    /// grows, and that of Polach's formula does.
    pub fn slides_fully(&self) -> bool {
        self.slides_fully
    }

    /// The force at a creepage \[N\], of the same sign.
    pub fn force(&self, xi: f64) -> f64 {
        let size = xi.abs();
        if size >= self.full_slip() {
            return self.limit().copysign(xi);
        }
        let i = self.xi.partition_point(|x| *x <= size) - 1;
        let share = (size - self.xi[i]) / (self.xi[i + 1] - self.xi[i]);
        (self.force[i] + share * (self.force[i + 1] - self.force[i])).copysign(xi)
    }

    /// The creepage that a force needs; at the limit and beyond, where the force no longer tells, that of full slip.
    pub fn creepage(&self, force: f64) -> f64 {
        let size = force.abs();
        if size >= self.limit() {
            return self.full_slip().copysign(force);
        }
        let i = self.force.partition_point(|f| *f <= size) - 1;
        let share = (size - self.force[i]) / (self.force[i + 1] - self.force[i]);
        (self.xi[i] + share * (self.xi[i + 1] - self.xi[i])).copysign(force)
    }

    /// How many segments there are.
    #[inline]
    pub fn segments(&self) -> usize {
        self.force.len() - 1
    }

    /// Forces between which segment i holds.
    #[inline]
    pub fn ends(&self, i: usize) -> (f64, f64) {
        (self.force[i], self.force[i + 1])
    }

    /// Creepages at the ends of segment i.
    #[inline]
    pub fn creepages(&self, i: usize) -> (f64, f64) {
        (self.xi[i], self.xi[i + 1])
    }
}
