//! Contacts that turn round within a step, where the friction of rest is greater than that of slip.

use stickslip_core::inclusion::star::{Answer, Load};

use super::{VehicleKernel, solve};
use crate::vehicle::state::VehicleWorkspace;

/// A slip that is none, but slip [m/s].
const BARELY: f64 = f64::MIN_POSITIVE;

impl VehicleKernel<'_> {
    /// Contacts that turned round in the step just solved passed through rest: those that the friction of rest holds
    /// stay there.
    pub(super) fn hold_reversals(
        &self,
        (x1, z0, resistance): (f64, f64, f64),
        answer: &mut Answer,
        a_g: &mut [f64],
        work: &mut VehicleWorkspace,
    ) {
        let wheels = &self.vehicle.parameters.wheels;
        let before = |i: usize| {
            let v = if work.idle { work.z[i] } else { work.z[i] - work.push[i] };
            [x1 + v, v]
        };
        let factors = |i: usize| {
            let [ground, brake] = before(i);
            (wheels[i].over_slip.at(ground, brake), wheels[i].over_slip.at(0.0, 0.0))
        };
        // Contacts to be held, with the factors by which their bounds rise.
        let mut held = Vec::new();
        for i in 0..wheels.len() {
            let (from, after) = (before(i), [answer.slip[i], answer.v[i]]);
            for k in (0..2).filter(|&k| from[k] * after[k] < 0.0) {
                let (slipping, resting) = factors(i);
                if resting[k] > slipping[k] && slipping[k] > 0.0 {
                    held.push((i, k, resting[k] / slipping[k]));
                }
            }
        }
        let mut loose: Vec<(usize, usize)> = Vec::new();
        // Each solution tells what changed since the one before.
        let mut changed = answer.changed;
        while !held.is_empty() {
            let mut kinetic = Vec::new();
            for &(i, k, factor) in &held {
                let bound = if k == 0 { &mut a_g[i] } else { &mut work.a_b[i] };
                kinetic.push(*bound);
                *bound *= factor;
            }
            let load = Load { z0, a_0: resistance, z: &work.z, a_g, a_b: &work.a_b };
            solve((&work.star, &work.dampers, &mut work.damped), load, answer);
            changed |= answer.changed;
            answer.changed = changed;
            let slips = |i: usize, k: usize| [answer.slip[i], answer.v[i]][k] != 0.0;
            if !held.iter().any(|&(i, k, _)| slips(i, k)) {
                return;
            }
            // Those that slip all the same have the friction of slip.
            for (&(i, k, _), bound) in held.iter().zip(&kinetic) {
                *(if k == 0 { &mut a_g[i] } else { &mut work.a_b[i] }) = *bound;
            }
            // What was at rest and cannot hold the friction of rest of others, felt for an instant, slips as well.
            let begins: Vec<(usize, usize, f64)> = (0..wheels.len())
                .flat_map(|i| [(i, 0), (i, 1)])
                .filter(|&(i, k)| before(i)[k] == 0.0 && slips(i, k))
                .map(|(i, k)| {
                    let (resting, slipping) = (factors(i).1[k], wheels[i].over_slip.at(BARELY, BARELY)[k]);
                    (i, k, if resting > 0.0 { slipping / resting } else { 1.0 })
                })
                .filter(|&(i, k, factor)| factor < 1.0 && !loose.contains(&(i, k)))
                .collect();
            held.retain(|&(i, k, _)| !slips(i, k));
            for (i, k, factor) in begins {
                loose.push((i, k));
                *(if k == 0 { &mut a_g[i] } else { &mut work.a_b[i] }) *= factor;
            }
            if held.is_empty() {
                let load = Load { z0, a_0: resistance, z: &work.z, a_g, a_b: &work.a_b };
                solve((&work.star, &work.dampers, &mut work.damped), load, answer);
                answer.changed |= changed;
            }
        }
    }
}
