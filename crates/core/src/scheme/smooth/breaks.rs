//! Instants at which a signal goes from one piece to the next.

use super::Collocation;
use super::layout::norm;
use crate::mechanics::{At, Smooth, SystemError};

impl Collocation {
    /// A step up to the next break at most; where it stops, if it does. Signals may have no value after the
    /// `end` of what is asked for: then it stops there.
    pub(super) fn attempt_to_break(&mut self, system: &dyn Smooth, end: f64) -> Result<Option<f64>, SystemError> {
        let h = self.h;
        let stop = |stop: f64| move |stops: bool| stops.then_some(stop);
        match self.attempt(system, self.piece).map(stop(self.piece)) {
            Err(SystemError::NotFinite { .. } | SystemError::Negative { .. })
                if self.flow.t + self.h > end && self.piece > end =>
            {
                self.h = h;
                self.attempt(system, end).map(stop(end))
            }
            other => other,
        }
    }

    /// Goes from one piece of the signals to the next: positions that are led may jump, and with the speeds of supports
    /// the slips on them. Contact forces are bounded, so that velocities do not jump.
    pub(super) fn pass_break(&mut self, system: &dyn Smooth) -> Result<(), SystemError> {
        self.pass_from(system, system)
    }

    /// The same from a system that was driven otherwise so far.
    pub(super) fn pass_from(&mut self, system: &dyn Smooth, old: &dyn Smooth) -> Result<(), SystemError> {
        let t = self.flow.t;
        let slips = self.evaluator.layout.slips();
        let (mut before, mut after) = (vec![0.0; slips], vec![0.0; slips]);
        let earlier = At { t: t.min(self.evaluator.limit), ..self.flow.at() };
        old.slips(earlier, &mut before);
        // The two instants are one rounding apart, in which supports move on.
        let mut own_rates = vec![0.0; slips];
        old.slip_rates(earlier, &vec![0.0; self.flow.v.len()], &mut own_rates);
        let mut q = self.flow.q.clone();
        old.place(earlier.t, &mut q);
        let mut to = q.clone();
        system.place(t, &mut to);
        system.check(t)?;
        self.piece = system.next_break(t);
        if q != to {
            system.jump_work(&q, &to, &mut self.flow.work);
            self.flow.q = to;
            let mut guards = vec![0.0; self.flow.sides.len()];
            system.guards(self.flow.at(), &mut guards);
            self.flow.sides.iter_mut().zip(&guards).for_each(|(side, value)| *side = *value >= 0.0);
        }
        system.slips(self.flow.at(), &mut after);
        let speed = norm(&self.flow.v);
        let slips_before = self.flow.s.clone();
        for c in 0..self.evaluator.layout.contacts() {
            let own = self.evaluator.layout.of(c);
            let change: Vec<f64> = own.clone().map(|k| after[k] - before[k]).collect();
            // What is not more than rounding of the speeds is no jump, and no slip after one.
            let speeds = speed + norm(&before[own.clone()]) + norm(&after[own.clone()]);
            let rounding = 8.0 * f64::EPSILON * (speeds + t * norm(&own_rates[own.clone()]));
            if norm(&change) <= rounding {
                continue;
            }
            let slip = &mut self.flow.s[own];
            slip.iter_mut().zip(change).for_each(|(s, change)| *s += change);
            if norm(slip) <= rounding {
                slip.fill(0.0);
            }
        }
        self.before_jump = (self.flow.s != slips_before).then_some(slips_before);
        Ok(())
    }
}
