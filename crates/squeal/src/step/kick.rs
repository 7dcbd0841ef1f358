//! Steps of a patch of bristles by kicks: another integrator, to hold the first against.
//!
//! Contact forces act in kicks at the ends of steps, half of one at each; between them the modes move freely, exactly (Strang's splitting):
//!
//! ```text
//! p ← p + (h/2) φ f_n,   (q, p) ← e^{Ah} (q, p),   f_{n+1} from where that leads,   p ← p + (h/2) φ f_{n+1}
//! e_j⁺ = clip(e_{j−1} + V s0 h + Δy, ± μ(|v_{n+1}|) L p_j N_{n+1})
//! ```
//!
//! Explicit and of second order: nothing is solved (but for friction that changes with the slip velocity, which the last half kick changes:
//! it is corrected twice), and bristles come along by the way of the wheel, not by the trapezoid of its velocity.
//! With [`Stepper::step`] it has in common only what cells there are and how a bristle lets go.

use super::{End, Stepper, Workspace, height, patch};
use crate::motion::{Grip, Motion};

/// Corrections of friction that changes with the slip velocity: one is enough for second order.
const CORRECTIONS: usize = 2;

impl Stepper<'_> {
    /// One step from t on by kicks; of a patch, others are left as they are.
    pub fn kick(&self, t: f64, motion: &mut Motion, work: &mut Workspace) {
        let Some(layout) = &self.patch else { return };
        let (wheel, h) = (self.wheel, self.h);
        let place = |q: &[f64]| wheel.modes.iter().zip(q).map(|(mode, q)| mode.lateral * q).sum::<f64>();
        let half_kick = |force: f64, load: f64, p: &mut [f64]| {
            let [gy, gz] = self.beyond(force, load);
            for (mode, p) in wheel.modes.iter().zip(p) {
                *p += 0.5 * h * (mode.lateral * gy + mode.vertical * gz);
            }
        };
        work.q.clone_from(&motion.q);
        work.p.clone_from(&motion.p);
        half_kick(motion.force, motion.load, &mut work.p);
        let (from, v) = (place(&work.q), super::lateral(wheel, &work.p));
        let free = self.modes.free(&wheel.modes, [0.0; 2], (&mut work.q, &mut work.p));
        let way = place(&work.q) - from;
        let roughness = wheel.roughness.at(t + h);
        let load = wheel.spring.load(roughness - height(wheel, &work.q));
        patch::shift(&motion.bristles, wheel.speed * h / layout.cell(), &mut work.base);
        // The first bristle has come half a cell: the way of the second half of the step.
        let gain = wheel.slip() * h + way;
        let first = 0.5 * gain + 0.125 * h * (free.lateral - v);
        let law = wheel.contact.friction();
        // Before the last half kick.
        let mut slip = wheel.slip() + free.lateral;
        for _ in 0..if law.is_constant() { 0 } else { CORRECTIONS } {
            self.slide(layout, ([gain, 0.0], [first, 0.0]), law.at(slip.abs()) * load, work);
            let [gy, gz] = self.beyond(layout.force(&work.next), load);
            let kicked: f64 = wheel.modes.iter().map(|m| m.lateral * (m.lateral * gy + m.vertical * gz)).sum();
            slip = wheel.slip() + free.lateral + 0.5 * h * kicked;
        }
        let (heat, sliding) = self.slide(layout, ([gain, 0.0], [first, 0.0]), law.at(slip.abs()) * load, work);
        let force = layout.force(&work.next);
        half_kick(force, load, &mut work.p);
        let slip = wheel.slip() + super::lateral(wheel, &work.p);
        motion.energies.heat += heat;
        std::mem::swap(&mut motion.bristles, &mut work.next);
        motion.grip = match sliding {
            _ if load == 0.0 => Grip::Open,
            true => Grip::slips(slip),
            false => Grip::Stick,
        };
        self.tally(h, (End { force, load, slip }, roughness), motion, work);
    }
}
