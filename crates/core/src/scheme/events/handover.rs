//! A few implicit steps where events are too many for the closed form.

use super::mode::Mode;
use super::span::Span;
use super::{Ahead, ClosedForm, Settings, SpanEnd};
use crate::mechanics::{Affine, SystemError, Vector, sign};

impl<V: Vector, C: Vector> ClosedForm<V, C> {
    /// The implicit steps of the settings are next.
    pub(super) fn hand_over(&mut self, settings: &Settings) {
        self.handovers += 1;
        self.at_bound = self.at_bound.map(|_| 0.0);
        self.carried = None;
        self.short_steps = settings.steps;
    }
}

/// An implicit step, cut at breaks of the signals.
///
/// A step of size h solves y = v + h A F + A Hᵀ p with impulses p_i ∈ [−h a_i, h a_i] and leads straight from v to
/// y under the constant forces F and p/h: a span like others, so that energy is tallied alike and closes.
pub(super) fn step<S: Affine>(
    run: &ClosedForm<S::Velocities, S::Contacts>,
    system: &S,
    settings: &Settings,
) -> Result<Ahead<S::Velocities, S::Contacts>, SystemError> {
    // Never so small that the clock stands still.
    let h = settings.step.max(4.0 * f64::EPSILON * run.t);
    let stop = run.piece.until;
    let (h, until) = if run.t + h < stop { (h, run.t + h) } else { (stop - run.t, stop) };
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
    Ok(Ahead { span: Span { slips, loads, mode }, dt: h, until, end: SpanEnd::Step { velocities: response.motion } })
}
