//! A run that is taken over: from the closed form, or with another system from here on.

use std::convert::Infallible;

use super::layout::Layout;
use super::{Collocation, Evaluator, Event, FIRST, RunError, Settings, sides_at};
use crate::law::State;
use crate::mechanics::{Affine, Flow, Motion, Smooth, SystemError, Vector};
use crate::scheme::events::mode_of;

/// How much longer than what was used of the last step the first one of another system may be.
const LONGER: f64 = 4.0;

impl Collocation {
    /// A motion in closed form, to be integrated from here on.
    pub(crate) fn from_closed_form<S: Affine>(
        (system, smooth): (&S, &dyn Smooth),
        t: f64,
        motion: &Motion<S::Velocities, S::Contacts>,
        (stuck, handovers): (Vec<f64>, u64),
    ) -> Result<Collocation, SystemError> {
        let list = |x: &S::Contacts| (0..x.size()).map(|i| x[i]).collect::<Vec<f64>>();
        let each = |x: &S::Velocities| (0..x.size()).map(|i| x[i]).collect::<Vec<f64>>();
        let (q, v) = (each(&motion.paths), each(&motion.velocities));
        let states: Vec<State> = list(&motion.signs).into_iter().map(mode_of).collect();
        let slips = system.slips(&motion.velocities);
        let flow = Flow {
            t,
            s: (0..states.len()).map(|i| if states[i] == State::Stick { 0.0 } else { slips[i] }).collect(),
            forces: list(&motion.forces),
            slid: list(&system.slips(&motion.paths)),
            work: system.works(motion),
            dissipated: list(&motion.dissipated),
            residual: motion.residual,
            speed: motion.speed,
            sides: sides_at(smooth, t, &q, &v),
            transfer: 0.0,
            q,
            v,
            states,
        };
        let mut run = Collocation::at(smooth, &Settings::default(), flow)?;
        run.decide(smooth)?;
        run.announce(&mut |_| {});
        (run.log.stuck, run.log.counts.handovers) = (stuck, handovers);
        Ok(run)
    }

    /// Stands at t, within the unit, with another system from there on.
    pub(crate) fn switch(
        &mut self,
        (old, new): (&dyn Smooth, &dyn Smooth),
        t: f64,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        self.leave_unit(old, t, tell)?;
        self.mark(old, None);
        // A step of which only the beginning was used says nothing of what is beyond: one that grew on and on from one change to
        // the next would be resolved to the tolerance at its far end only.
        self.h = self.h.min(FIRST.max(LONGER * (t - self.step.t)));
        // Until the new system has its own pieces, signals are not looked at beyond those of the old one.
        let limit = self.evaluator.limit;
        self.evaluator = Evaluator::new(new, Layout::new(new), self.flow.sides.clone());
        self.evaluator.limit = limit;
        self.pass_from(new, old).map_err(RunError::System)?;
        self.decide(new).map_err(RunError::System)?;
        self.announce(tell);
        Ok(())
    }
}
