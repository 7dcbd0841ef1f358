//! What models on a line share when their motion between events has no closed form.

use crate::mechanics::{Flow, Motion, SystemError, Vector};
use crate::signal::Signal;

/// Until when the breaks of all signals are known.
pub fn known_until<'a>(signals: impl Iterator<Item = &'a Signal>) -> f64 {
    signals.fold(f64::INFINITY, |m, signal| m.min(signal.known_until()))
}

/// An error for the first signal that has no finite value at t.
pub fn check_signals<'a>(signals: impl Iterator<Item = (&'static str, &'a Signal)>, t: f64) -> Result<(), SystemError> {
    for (what, signal) in signals {
        let value = signal.at(t);
        if !value.is_finite() {
            return Err(SystemError::NotFinite { what, t, value });
        }
    }
    Ok(())
}

/// A flow whose contacts all are on lines, as the closed form would tell it.
pub fn motion<V: Vector, C: Vector>(flow: &Flow) -> Motion<V, C> {
    let (v, c) = (flow.v.len(), flow.states.len());
    Motion {
        velocities: V::from_fn(v, |i| flow.v[i]),
        paths: V::from_fn(v, |i| flow.q[i]),
        forces: C::from_fn(c, |i| flow.forces[i]),
        signs: C::from_fn(c, |i| f64::from(flow.states[i].sign())),
        work: flow.work.iter().sum(),
        dissipated: C::from_fn(c, |i| flow.dissipated[i]),
        residual: flow.residual,
        speed: flow.speed,
    }
}
