//! Where the energy of a step goes.

use super::touching::Pace;
use super::{Transient, carried};
use crate::finite_elements::normal::Normal;

impl Transient<'_> {
    /// ½ FᵀWF; of unlike bodies with the pressure.
    pub(super) fn stored(&self) -> f64 {
        let along: f64 = self.force.iter().zip(&self.u).map(|(f, u)| 0.5 * f * u).sum();
        let across = |_: &Vec<f64>| {
            let forces = self.normal.force.iter().enumerate();
            forces.map(|(i, f)| 0.5 * f * self.raised(&self.normal, i)).sum::<f64>()
        };
        along + self.pressed.as_ref().map_or(0.0, across)
    }

    /// u_n = g − g₀ + δ of a node.
    fn raised(&self, normal: &Normal, i: usize) -> f64 {
        normal.gap[i] - self.pair.surface.gap[i] + normal.approach
    }

    /// Books the step just made, with the pressure before it, where that changes.
    pub(super) fn book(&mut self, pressure: Option<&Normal>) {
        let (t, Pace { length, shifts, .. }) = (self.pair.normal(), self.pace);
        let touching = &self.touching;
        let [mut heat, mut drive, mut convection, mut numerical] = [0.0; 4];
        for (k, r) in touching.r.iter().enumerate() {
            let (i, a) = (touching.nodes[k / t], k % t);
            let edge: f64 = touching.edge.row(k).iter().zip(&touching.r).map(|(e, r)| e * r).sum();
            let carried = carried(&self.pace, self.pair, if shifts { &self.before } else { &self.u }, i, a);
            heat -= length * r * touching.slip[k];
            drive -= length * r * touching.rigid[k];
            convection += length * r * (carried + edge);
        }
        let forces = self.force.iter().zip(&self.force_before);
        for ((f, before), (u, u_before)) in forces.zip(self.u.iter().zip(&self.before)) {
            numerical += 0.5 * (f - before) * (u - u_before);
        }
        if let Some(before) = pressure {
            let now = &self.normal;
            drive += now.load * (now.approach - before.approach);
            for (i, (f, old)) in now.force.iter().zip(&before.force).enumerate() {
                numerical += 0.5 * (f - old) * (self.raised(now, i) - self.raised(before, i)) + f * before.gap[i];
            }
        }
        let mut stored = self.stored();
        if let Some(swing) = &mut self.swing {
            let force: f64 = self.touching.r.iter().step_by(t).sum();
            let [damped, lost, besides] = swing.take(force);
            self.energy.damping += damped;
            (numerical, heat, stored) = (numerical + lost, heat + besides, stored + swing.stored());
        }
        let energy = &mut self.energy;
        energy.stored = stored;
        energy.heat += heat;
        energy.drive += drive;
        energy.convection += convection;
        energy.numerical += numerical;
    }
}
