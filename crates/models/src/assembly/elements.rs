//! Friction elements of pads: springs that saturate.

use super::Assembly;
use super::parts::Element;
use super::state::{AssemblyState, AssemblyWorkspace};
use stickslip_core::law::State;

impl Assembly {
    /// Forces of the spring elements of pads.
    #[inline]
    pub(super) fn gather_elements(&self, u: &AssemblyState, w: &mut AssemblyWorkspace, ahead: f64) {
        for &pad in &self.elements {
            for k in self.components(pad) {
                let force = match self.parameters.pads[pad].element {
                    Element::Exact => continue,
                    Element::Vampire { .. } => 0.0 - u.force[k],
                    Element::Kolsch { parallel, .. } => u.memory[k] + parallel * (u.moved[k] + ahead * u.slip[k]),
                };
                self.network.pads.own.add(k, -force, &mut w.load);
            }
        }
    }

    /// Steps the spring elements of pads.
    pub(super) fn follow_elements(&self, u: &mut AssemblyState, w: &AssemblyWorkspace, h: f64) -> bool {
        let net = &self.network;
        let mut changed = false;
        for &pad in &self.elements {
            let bound = u.bound[pad];
            let at = self.components(pad);
            let mut mode = State::Stick;
            let mut heat = 0.0;
            for k in at.clone() {
                let slip = net.pads.dot(k, &u.v, &u.support_speed);
                let mean = net.pads.dot(k, &w.mean, &u.support_speed);
                heat -= u.force[k] * mean;
                u.work -= h * u.force[k] * net.pads.supports.dot(k, &u.support_speed);
                u.slip[k] = slip;
                u.moved[k] += h * mean;
            }
            match self.parameters.pads[pad].element {
                Element::Exact => {}
                Element::Vampire { stiffness, damping } => {
                    let mut size = 0.0;
                    for k in at.clone() {
                        u.memory[k] += h * u.slip[k];
                        u.force[k] = -(stiffness * u.memory[k] + damping * u.slip[k]);
                        size += u.force[k] * u.force[k];
                    }
                    let size = size.sqrt();
                    if size > bound {
                        for k in at.clone() {
                            // Direction first: along a line the force is the bound exactly.
                            u.force[k] = bound * (u.force[k] / size);
                            u.memory[k] = (-u.force[k] - damping * u.slip[k]) / stiffness;
                        }
                        mode = State::Slip([0.0; 2]);
                        if at.len() == 1 {
                            mode = State::Slip([-u.force[at.start].signum(), 0.0]);
                        }
                    }
                }
                Element::Kolsch { stiffness, parallel, exponent } => {
                    let k = at.start;
                    let step = |f: f64, slip: f64| {
                        if bound <= 0.0 {
                            return 0.0;
                        }
                        let opposed = if slip * f > 0.0 { (f / bound).abs().powf(exponent) } else { 0.0 };
                        stiffness * slip * (1.0 - opposed)
                    };
                    // Heun's rule for the force with the new slip: velocities with the old force, then the force with the
                    // new velocities, so that an undamped oscillation neither grows nor decays.
                    let first = step(u.memory[k], u.slip[k]);
                    let second = step(u.memory[k] + h * first, u.slip[k]);
                    u.memory[k] += 0.5 * h * (first + second);
                    u.force[k] = -(u.memory[k] + parallel * u.moved[k]);
                    if u.memory[k].abs() > 0.99 * bound {
                        mode = State::Slip([u.memory[k].signum(), 0.0]);
                    }
                }
            }
            u.dissipated[pad] += h * heat;
            changed |= u.modes[pad] != mode;
            u.modes[pad] = mode;
        }
        changed
    }
}
