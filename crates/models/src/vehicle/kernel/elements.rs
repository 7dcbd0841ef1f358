//! Tyres and brake discs in a step.

use super::VehicleKernel;
use crate::vehicle::VehicleState;
use crate::vehicle::state::VehicleWorkspace;
use crate::vehicle::tyres::InStep;

impl VehicleKernel<'_> {
    /// What the tyres are in the step that begins.
    pub(super) fn meet_tyres(&self, u: &VehicleState, work: &mut VehicleWorkspace, cosine: f64) {
        work.tyres.clear();
        for ((i, tread), z) in self.vehicle.treads().zip(&u.treads) {
            // Loads are those that the forces of the step before have made.
            let moved = self.vehicle.load_factor(i, u.transfer, cosine);
            let at = tread.under(self.vehicle.wheels[i].load * cosine * moved, || u.a_g[i] * moved);
            let tyre = InStep::new(&at, tread.form, [u.answer.y1, -u.answer.v[i], *z], self.clock.h);
            work.dampers[i] = Some(tyre.in_star());
            work.tyres.push(tyre);
        }
    }

    /// What the step just made has done to tyres and discs.
    pub(super) fn leave(&self, u: &mut VehicleState, work: &VehicleWorkspace) {
        let VehicleState { answer, sums, treads, discs, .. } = u;
        for ((tyre, (i, tread)), z) in work.tyres.iter().zip(self.vehicle.treads()).zip(treads) {
            let slip = answer.slip[i];
            *z = tyre.damper.deflection_at(slip);
            let spring = tread.stiffness * *z;
            // Of the power of the contact, which was counted, what is heat.
            sums.ground[i] += spring * tyre.relaxation * *z - answer.f[i] * slip;
            sums.shifts += spring * tyre.shift + tyre.offset * slip;
        }
        for ((i, disc), warmth) in self.vehicle.discs().zip(discs) {
            disc.step(warmth, self.clock.h * answer.g[i] * answer.v[i], self.clock.h);
        }
    }
}
