//! Steps on a creep law: (σ/V) Ṫ + T = N Γ(v/V) by the trapezoid.

use super::{End, NotFound, Stepper, Workspace, slipping};
use crate::contact::Contact;
use crate::motion::{Grip, Motion};

impl Stepper<'_> {
    pub(super) fn creep(&self, t: f64, motion: &mut Motion, work: &mut Workspace) -> Result<(), NotFound> {
        let Contact::Creep { friction, slope, lag } = &self.wheel.contact else { return Ok(()) };
        let (v0, h) = (self.wheel.speed, self.h);
        let gamma = |v: f64| friction.at(v.abs()) * (slope * v / v0).tanh();
        let alpha = 0.5 * h * v0 / lag;
        let kept = (1.0 - alpha) * motion.lag + alpha * motion.load * gamma(motion.slip);
        let at_end = |v: f64, load: f64| {
            if *lag > 0.0 { -(kept + alpha * load * gamma(v)) / (1.0 + alpha) } else { -load * gamma(v) }
        };
        let roughness = self.wheel.roughness.at(t + h);
        let free = self.begin(&self.modes, motion, &mut work.q, &mut work.p);
        let from = End { force: motion.force, load: motion.load, slip: motion.slip };
        let (end, residual) =
            self.end(&self.modes, &free, (from, roughness), at_end).map_err(|residual| NotFound { t, residual })?;
        motion.energies.heat -= 0.5 * h * (motion.force * motion.slip + end.force * end.slip);
        motion.residual = motion.residual.max(residual);
        self.take(&self.modes, h, (end, roughness), motion, work);
        motion.lag = -end.force;
        motion.grip = if end.slip == 0.0 && end.load > 0.0 { Grip::Stick } else { slipping(&end) };
        Ok(())
    }
}
