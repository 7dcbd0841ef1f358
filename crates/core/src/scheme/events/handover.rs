//! A few implicit steps where events are too many for the closed form.

use super::mode::Mode;
use super::span::Span;
use super::{Run, Settings};
use crate::mechanics::{Affine, Vector, sign};
use crate::scheme::{Observer, RunError};

/// Makes the implicit steps of the settings, cut at breaks of the signals and at the end of the run.
///
/// A step of size h solves y = v + h A F + A Hᵀ p with impulses p_i ∈ [−h a_i, h a_i] and leads straight from v to
/// y under the constant forces F and p/h: a span like others, so that energy is tallied alike and closes.
pub(super) fn stretch<S: Affine, O: Observer<S::State>>(
    run: &mut Run<'_, S, O>,
    settings: &Settings,
) -> Result<(), RunError<O::Error>> {
    run.handovers += 1;
    run.at_bound = run.at_bound.map(|_| 0.0);
    run.carried = None;
    for _ in 0..settings.steps {
        let stop = run.piece.until.min(run.end);
        // Never so small that the clock stands still.
        let h = settings.step.max(4.0 * f64::EPSILON * run.t);
        let (h, t) = if run.t + h < stop { (h, run.t + h) } else { (stop - run.t, stop) };
        step(run, h, t)?;
        if run.t >= run.end {
            break;
        }
        run.renew()?;
    }
    Ok(())
}

fn step<S: Affine, O: Observer<S::State>>(run: &mut Run<'_, S, O>, h: f64, t: f64) -> Result<(), RunError<O::Error>> {
    let system = run.system;
    let mut loads = run.piece.after(run.t - run.since);
    let bound = run.piece.after(run.t - run.since + h).bound;
    let velocities = run.motion.velocities.clone();
    let free = system.acceleration(&loads.force);
    let free = S::Velocities::from_fn(free.size(), |i| velocities[i] + h * free[i]);
    let response = system.respond(&free, &bound.map(|a| -h * a), &bound.map(|a| h * a)).map_err(RunError::System)?;
    let slips = system.slips(&velocities);
    let (none_v, none_c) = (velocities.map(|_| 0.0), slips.map(|_| 0.0));
    let signs = response.slips.map(sign);
    let mode = Mode {
        forces: response.forces.map(|p| p / h),
        force_slopes: none_c.clone(),
        acceleration: S::Velocities::from_fn(free.size(), |i| (response.motion[i] - velocities[i]) / h),
        jerk: none_v.clone(),
        slip_rates: S::Contacts::from_fn(slips.size(), |i| (response.slips[i] - slips[i]) / h),
        slip_curvatures: none_c.clone(),
        least_slopes: none_c.clone(),
        greatest_slopes: none_c.clone(),
        signs,
    };
    loads.force_slope = none_v;
    loads.bound_slope = none_c;
    run.announce(&mode.signs)?;
    let span = Span { slips, loads, mode };
    run.pass(&span, h, t)?;
    run.motion.velocities = response.motion;
    run.select_zeros();
    Ok(())
}
