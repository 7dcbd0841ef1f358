//! Contacts whose force is their bound but for rounding, where the friction of rest is greater than that of slip.
//!
//! Rounding of a sum of forces decides whether such a contact begins to slip, and with less friction of slip it never comes back. It
//! sticks: the step is solved again with bounds that are greater by what rounding may have made of the forces.

use stickslip_core::inclusion::nine_regions::clamp;
use stickslip_core::inclusion::star::{Answer, Load};

use super::{VehicleKernel, solve};
use crate::vehicle::state::VehicleWorkspace;

/// Roundings that a sum of several forces may gather.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl VehicleKernel<'_> {
    /// Holds contacts that rested and that rounding alone has let slip in the step just solved.
    pub(super) fn hold_ties(
        &self,
        (x1, z0, resistance): (f64, f64, f64),
        answer: &mut Answer,
        a_g: &mut [f64],
        work: &mut VehicleWorkspace,
    ) {
        let lets_go = |i: usize, k: usize, work: &VehicleWorkspace, answer: &Answer, a_g: &[f64]| {
            let v = if work.idle { work.z[i] } else { work.z[i] - work.push[i] };
            let (before, after) = ([x1 + v, v][k], [answer.slip[i], answer.v[i]][k]);
            before == 0.0 && after != 0.0 && [a_g[i], work.a_b[i]][k] > 0.0
        };
        let contacts = || (0..a_g.len()).flat_map(|i| [(i, 0), (i, 1)]);
        if !contacts().any(|(i, k)| lets_go(i, k, work, answer, a_g)) {
            return;
        }
        let contacts: Vec<(usize, usize)> = contacts().filter(|&(i, k)| lets_go(i, k, work, answer, a_g)).collect();
        let sizes: Vec<f64> = (0..a_g.len())
            .map(|i| {
                let drive = if work.idle { 0.0 } else { work.drive[i].abs() };
                drive + a_g[i] + work.a_b[i] + (work.z[i].abs() + x1.abs()) / (work.star.d0() + work.star.d()[i])
            })
            .collect();
        // A vehicle at rest adds up the forces of all its wheels.
        let whole = z0.abs() / work.star.d0() + resistance + sizes.iter().sum::<f64>();
        let (exact, before) = ((a_g.to_vec(), work.a_b.clone()), answer.clone());
        for &(i, k) in &contacts {
            let rounding = ROUNDING * if x1 == 0.0 { whole } else { sizes[i] };
            *(if k == 0 { &mut a_g[i] } else { &mut work.a_b[i] }) += rounding;
        }
        let load = Load { z0, a_0: resistance, z: &work.z, a_g, a_b: &work.a_b };
        solve((&work.star, &work.dampers, &mut work.damped), load, answer);
        let stays = contacts.iter().any(|&(i, k)| [answer.slip[i], answer.v[i]][k] == 0.0);
        a_g.copy_from_slice(&exact.0);
        work.a_b.copy_from_slice(&exact.1);
        if !stays {
            *answer = before;
            return;
        }
        // Each solution tells what changed since the one before.
        answer.changed |= before.changed;
        answer.f.iter_mut().zip(a_g.iter()).for_each(|(f, most)| *f = clamp(*f, *most));
        answer.g.iter_mut().zip(&work.a_b).for_each(|(g, most)| *g = clamp(*g, *most));
    }
}
