//! The motion between two events: velocities quadratic in time, forces affine, energies quartic.

use super::mode::Mode;
use super::root::return_to_zero;
use crate::mechanics::{Affine, Loads, Motion, Response, Vector};

/// The motion from an instant on, for as long as no contact changes its state and no signal breaks. Times
/// count from that instant.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Span<V, C> {
    /// Slips at the start; exactly 0.0 where they are zero.
    pub slips: C,
    /// Forces that do work, and bounds.
    pub loads: Loads<V, C>,
    /// Modes, contact forces and accelerations.
    pub mode: Mode<V, C>,
}

impl<V: Vector, C: Vector> Span<V, C> {
    /// The first zero of the slip of contact i if it slips; the instant at which its force reaches the bound if it
    /// sticks. Infinite if neither happens.
    #[inline(always)]
    pub(super) fn end(&self, i: usize) -> f64 {
        let mode = &self.mode;
        let sign = mode.signs[i];
        if sign != 0.0 {
            return return_to_zero(sign * self.slips[i], sign * mode.slip_rates[i], sign * mode.slip_curvatures[i]);
        }
        self.reach(i, 1.0).min(self.reach(i, -1.0))
    }

    /// For a contact that sticks: when its force reaches −e a_i, beyond which it slips in the direction e.
    #[inline(always)]
    pub(super) fn reach(&self, i: usize, e: f64) -> f64 {
        let mode = &self.mode;
        let free =
            if e > 0.0 { mode.least_slopes[i] == f64::NEG_INFINITY } else { mode.greatest_slopes[i] == f64::INFINITY };
        let gap = self.loads.bound[i] + e * mode.forces[i];
        let rate = self.loads.bound_slope[i] + e * mode.force_slopes[i];
        if free && rate < 0.0 { gap.max(0.0) / -rate } else { f64::INFINITY }
    }

    /// Contact forces and accelerations `dt` after the start.
    #[inline(always)]
    pub(super) fn response(&self, forces: &C, dt: f64) -> Response<V, C> {
        let mode = &self.mode;
        let (a, j) = (&mode.acceleration, &mode.jerk);
        let (rates, curvatures) = (&mode.slip_rates, &mode.slip_curvatures);
        Response {
            forces: forces.clone(),
            motion: V::from_fn(a.size(), |i| a[i] + dt * j[i]),
            slips: C::from_fn(rates.size(), |i| rates[i] + dt * curvatures[i]),
        }
    }

    /// The motion `dt` after the start.
    #[inline(always)]
    pub(super) fn after<S>(&self, system: &S, start: &Motion<V, C>, dt: f64) -> Motion<V, C>
    where
        S: Affine<Velocities = V, Contacts = C>,
    {
        let Span { slips, loads, mode } = self;
        let (v, a, j) = (&start.velocities, &mode.acceleration, &mode.jerk);
        let half = 0.5 * dt;
        let mut velocities = V::from_fn(v.size(), |i| v[i] + dt * (a[i] + half * j[i]));
        let paths = V::from_fn(v.size(), |i| start.paths[i] + dt * (v[i] + half * (a[i] + dt / 3.0 * j[i])));
        let work = (0..v.size())
            .map(|i| integral(dt, [loads.force[i], loads.force_slope[i]], [v[i], a[i], j[i]]))
            .sum::<f64>();
        let dissipated = C::from_fn(slips.size(), |i| {
            let slip = [slips[i], mode.slip_rates[i], mode.slip_curvatures[i]];
            start.dissipated[i] + (-integral(dt, [mode.forces[i], mode.force_slopes[i]], slip)).max(0.0)
        });
        let residual = settle(system, &mode.signs, &mut velocities);
        // From rest to rest speeds are seen half-way only.
        let between = V::from_fn(v.size(), |i| v[i] + half * (a[i] + 0.5 * half * j[i]));
        Motion {
            speed: greater(greater(start.speed, velocities.greatest()), between.greatest()),
            velocities,
            paths,
            forces: C::from_fn(slips.size(), |i| mode.forces[i] + dt * mode.force_slopes[i]),
            signs: mode.signs.clone(),
            work: start.work + work,
            dissipated,
            residual: greater(start.residual, residual),
        }
    }
}

/// Sets the slips of the contacts with sign 0 to zero. Returns the greatest of what they were.
#[inline(always)]
pub(super) fn settle<S: Affine>(system: &S, signs: &S::Contacts, velocities: &mut S::Velocities) -> f64 {
    let slips = system.slips(velocities);
    let left = (0..slips.size()).fold(0.0_f64, |m, i| if signs[i] == 0.0 { greater(m, slips[i].abs()) } else { m });
    if left > 0.0 {
        system.settle(signs, velocities);
    }
    left
}

/// ∫₀^dt (f₀ + f₁ t)(s₀ + s₁ t + ½ s₂ t²) dt.
#[inline(always)]
fn integral(dt: f64, [f0, f1]: [f64; 2], [s0, s1, s2]: [f64; 3]) -> f64 {
    let linear = f0 * s1 + f1 * s0;
    let quadratic = 0.5 * f0 * s2 + f1 * s1;
    let cubic = 0.5 * f1 * s2;
    dt * (f0 * s0 + dt * (0.5 * linear + dt * (quadratic / 3.0 + dt * (0.25 * cubic))))
}

/// The greater of two numbers; x is passed over if it is NaN, which m is not.
#[inline(always)]
pub(super) fn greater(m: f64, x: f64) -> f64 {
    if x > m { x } else { m }
}
