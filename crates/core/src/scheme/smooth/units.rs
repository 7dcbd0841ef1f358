//! A run by collocation from unit to unit: a step, or a short implicit step where events crowd.

use std::convert::Infallible;

use super::handover::between;
use super::{CREEPING, Collocation, Event, RunError, Unit, Watch};
use crate::law::State;
use crate::mechanics::{Flow, Smooth, SystemError};
use crate::scheme::driver::{Arrived, Counts, Units};

/// An event before this point of a step is found in a step that was looked at too coarsely: it is looked at again when it ends there.
const SEEN_BEFORE: usize = 2;

/// How often a step is looked at at the most.
const LOOKS: usize = 16;

/// A system, and the states that its flow is seen as.
impl<T, F: Fn(&Flow) -> T> Units<(&dyn Smooth, F)> for Collocation {
    type Workspace = ();
    type State = T;

    fn time(&self) -> f64 {
        self.flow.t
    }

    fn ahead(&mut self, (system, _): &(&dyn Smooth, F), (): &mut (), end: f64) -> Result<f64, SystemError> {
        self.unit(*system, end)
    }

    fn at(&mut self, (system, seen): &(&dyn Smooth, F), (): &mut (), t: f64) -> Result<T, RunError<Infallible>> {
        Ok(seen(&self.within(*system, t).map_err(RunError::System)?))
    }

    fn arrive(
        &self,
        (system, seen): &(&dyn Smooth, F),
        (): &mut (),
        t: f64,
    ) -> Result<Arrived<T>, RunError<Infallible>> {
        let (flow, stuck) = self.stop(*system, t)?;
        Ok((seen(&flow), stuck))
    }

    fn pass(
        &mut self,
        (system, _): &(&dyn Smooth, F),
        (): &mut (),
        tell: &mut impl FnMut(Event),
    ) -> Result<bool, RunError<Infallible>> {
        self.end_of_unit(*system, tell)?;
        Ok(false)
    }

    fn counts(&self) -> Counts {
        self.log.counts
    }
}

impl Collocation {
    /// Where it stands \[s\].
    pub(crate) fn time(&self) -> f64 {
        self.flow.t
    }

    /// Events, steps, clusters so far.
    pub(crate) fn counts(&self) -> Counts {
        self.log.counts
    }

    /// When the unit ends, which is made if it was not.
    pub(crate) fn unit(&mut self, system: &dyn Smooth, end: f64) -> Result<f64, SystemError> {
        if let Some(Unit::Cut { h, last }) = self.ahead {
            (self.h, self.last, self.ahead) = (h, last, None);
        }
        if self.ahead.is_none() {
            self.ahead = Some(self.make(system, end)?);
        }
        Ok(match &self.ahead {
            Some(Unit::Step { until, .. }) => *until,
            Some(Unit::Short(flow)) => flow.t,
            Some(Unit::Cut { .. }) | None => f64::INFINITY,
        })
    }

    fn make(&mut self, system: &dyn Smooth, end: f64) -> Result<Unit, SystemError> {
        if self.cluster.short_steps == 0 && self.creeps() {
            self.hand_over()?;
        }
        if self.cluster.short_steps > 0 {
            return self.short_step(system);
        }
        match self.whole_step(system, end) {
            // Contacts on the edge of their sets that share a load, or a force that is not smooth.
            Err(SystemError::StepTooSmall { .. }) => {
                self.hand_over()?;
                self.short_step(system)
            }
            other => other,
        }
    }

    /// Whether so many steps or events have not led further than a stretch of implicit steps would.
    fn creeps(&mut self) -> bool {
        let (t, steps, events) = self.stage;
        let Counts { units, events: now, .. } = self.log.counts;
        if units - steps < CREEPING && now - events < u64::from(self.cluster.settings.cluster) {
            return false;
        }
        self.begin_stage();
        self.flow.t - t < self.cluster.stretch()
    }

    fn begin_stage(&mut self) {
        self.stage = (self.flow.t, self.log.counts.units, self.log.counts.events);
    }

    fn hand_over(&mut self) -> Result<(), SystemError> {
        self.decision = None;
        self.cluster.hand_over(self.flow.t, &mut self.log.counts)
    }

    /// One step, up to the first event in it. A step is not cut where somebody looks: the motion there is read off its polynomial.
    fn whole_step(&mut self, system: &dyn Smooth, end: f64) -> Result<Unit, SystemError> {
        let (h, last) = (self.h, self.last);
        let mut stop = self.attempt_to_break(system, end)?;
        let mut found = None;
        for _ in 0..LOOKS {
            let Some(event) = self.search.first(system, &self.rule, &mut self.evaluator, &self.step, &self.now)? else {
                break;
            };
            // The end of a step that was cut before.
            if found.is_some() && (1.0 - event.theta) * self.step.h <= self.together() {
                break;
            }
            stop = None;
            found = self.shorten(system, &event)?.then_some(event);
            // Of what an event cuts short nothing beyond is known.
            self.h = self.h.min(self.last);
            // What comes and goes between two instants of a long step is seen from within a short one.
            if event.theta >= self.rule.nodes[SEEN_BEFORE] || self.step.h <= self.together() {
                break;
            }
        }
        let until = self.step.t + self.step.h;
        // An event that cannot be told from the break after it happens there: between the two there is no time in which a
        // slope could be seen.
        if until >= self.piece - self.together() {
            stop = Some(self.piece);
        }
        if stop.is_some_and(|stop| stop < self.piece) {
            return Ok(Unit::Cut { h, last });
        }
        Ok(Unit::Step { until: stop.unwrap_or(until), watch: found.map(|found| found.watch) })
    }

    /// The motion at t, within the unit.
    pub(crate) fn within(&mut self, system: &dyn Smooth, t: f64) -> Result<Flow, SystemError> {
        match &self.ahead {
            None => return Ok(self.flow.clone()),
            Some(Unit::Short(end)) => return Ok(between(&self.flow, end, t)),
            Some(Unit::Step { .. } | Unit::Cut { .. }) => {}
        }
        // Q of the last point and the forces there are where the next search begins, which must not depend on who looks.
        let (transfer, carried) = (self.evaluator.transfer, self.evaluator.carried.clone());
        let now = self.now.clone();
        let mut flow = self.flow_at(system, (t - self.step.t) / self.step.h, t)?;
        (self.evaluator.transfer, self.evaluator.carried, self.now) = (transfer, carried, now);
        std::mem::swap(&mut flow, &mut self.flow);
        self.look();
        std::mem::swap(&mut flow, &mut self.flow);
        Ok(flow)
    }

    /// The motion at t, within the unit, and the time that each contact stuck so far.
    pub(crate) fn stop(&self, system: &dyn Smooth, t: f64) -> Result<Arrived<Flow>, RunError<Infallible>> {
        let mut run = self.clone();
        run.leave_unit(system, t, &mut |_| {})?;
        Ok((run.flow, run.log.stuck))
    }

    /// Stands at t, within the unit.
    pub(super) fn leave_unit(
        &mut self,
        system: &dyn Smooth,
        t: f64,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        match self.ahead.take() {
            None => {}
            Some(Unit::Short(end)) => {
                self.log.stick(t - self.flow.t, |c| end.states[c] == State::Stick);
                self.flow = between(&self.flow, &end, t);
            }
            Some(Unit::Step { .. } | Unit::Cut { .. }) => {
                self.accept(system, (t - self.step.t) / self.step.h, t, tell)?;
            }
        }
        Ok(())
    }

    /// Stands at the end of the unit, with a decision there where it ends with an event.
    pub(crate) fn end_of_unit(
        &mut self,
        system: &dyn Smooth,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        match self.ahead.take() {
            Some(Unit::Step { until, watch }) => self.end_of_step(system, until, watch, tell),
            Some(Unit::Short(end)) => self.end_of_short_step(system, *end, tell).map_err(RunError::System),
            Some(Unit::Cut { .. }) | None => Ok(()),
        }
    }

    fn end_of_step(
        &mut self,
        system: &dyn Smooth,
        until: f64,
        watch: Option<Watch>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        let before = self.flow.t;
        let left = self.accept(system, 1.0, until, tell)?;
        let arrived = self.arrivals();
        let breaks = until >= self.piece;
        let happens = watch.is_some() || breaks || arrived;
        if happens {
            self.mark(system, watch);
        }
        if breaks {
            self.pass_break(system).map_err(RunError::System)?;
        }
        if happens || left {
            self.decide(system).map_err(RunError::System)?;
            self.announce(tell);
        }
        if self.cluster.gathers(self.flow.t - before, self.together()) {
            self.hand_over().map_err(RunError::System)?;
        }
        Ok(())
    }

    fn end_of_short_step(
        &mut self,
        system: &dyn Smooth,
        end: Flow,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), SystemError> {
        self.log.stick(end.t - self.flow.t, |c| end.states[c] == State::Stick);
        self.flow = end;
        self.announce(tell);
        if self.flow.t >= self.piece {
            self.pass_break(system)?;
        }
        if self.cluster.stepped(self.flow.t) {
            (self.h, self.last) = (self.cluster.settings.step, self.cluster.settings.step);
            self.at_bound.fill(None);
            self.begin_stage();
            self.decide(system)?;
            self.announce(tell);
        }
        Ok(())
    }
}
