//! A few implicit steps where events are too many for the closed form.

use super::mode::Mode;
use super::span::Span;
use super::{SpanEnd, Standing, Unit};
use crate::mechanics::{Affine, SystemError, Vector, sign};

impl<V: Vector, C: Vector> Standing<V, C> {
    /// Implicit steps are next.
    pub(super) fn hand_over(&mut self) -> Result<(), SystemError> {
        self.at_bound = self.at_bound.map(|_| 0.0);
        self.carried = None;
        self.cluster.hand_over(self.t, &mut self.log.counts)
    }
}

/// An implicit step, cut at breaks of the signals.
///
/// A step of size h solves y = v + h A F + A Hᵀ p with impulses p_i ∈ [−h a_i, h a_i] and leads straight from v to
/// y under the constant forces F and p/h: a span like others, so that energy is tallied alike and closes.
pub(super) fn step<S: Affine>(
    run: &Standing<S::Velocities, S::Contacts>,
    system: &S,
) -> Result<Unit<S::Velocities, S::Contacts>, SystemError> {
    let (h, until) = run.cluster.step(run.t, run.piece.until);
    let mut loads = run.piece.after(run.t - run.since);
    let bound = run.piece.after(run.t - run.since + h).bound;
    let velocities = &run.motion.velocities;
    let free = system.acceleration(&loads.force);
    let free = S::Velocities::from_fn(free.size(), |i| velocities[i] + h * free[i]);
    let response = system.respond(&free, &bound.map(|a| -h * a), &bound.map(|a| h * a))?;
    let slips = system.slips(velocities);
    let (none_v, none_c) = (velocities.map(|_| 0.0), slips.map(|_| 0.0));
    let mode = Mode {
        forces: response.forces.map(|p| p / h),
        force_slopes: none_c.clone(),
        acceleration: S::Velocities::from_fn(free.size(), |i| (response.motion[i] - velocities[i]) / h),
        jerk: none_v.clone(),
        slip_rates: S::Contacts::from_fn(slips.size(), |i| (response.slips[i] - slips[i]) / h),
        slip_curvatures: none_c.clone(),
        least_slopes: none_c.clone(),
        greatest_slopes: none_c.clone(),
        signs: response.slips.map(sign),
    };
    loads.force_slope = none_v;
    loads.bound_slope = none_c;
    Ok(Unit { span: Span { slips, loads, mode }, dt: h, until, end: SpanEnd::Step { velocities: response.motion } })
}
