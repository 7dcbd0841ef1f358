//! A run by collocation from unit to unit: a step, or a short implicit step where events crowd.

use std::convert::Infallible;

use super::handover::between;
use super::layout::{ContactMode, Layout, norm};
use super::{Ahead, CREEPING, Collocation, Evaluator, Event, FIRST, RunError, Settings, sides_at};
use crate::law::State;
use crate::mechanics::{Affine, Flow, Motion, Smooth, SystemError, Vector};
use crate::scheme::driver::{Arrived, Counts, Units};
use crate::scheme::events::mode_of;

/// How much longer than what was used of the last step the first one of another system may be.
const LONGER: f64 = 4.0;

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
        if let Some(Ahead::Cut { h, last }) = self.ahead {
            (self.h, self.last, self.ahead) = (h, last, None);
        }
        if self.ahead.is_none() {
            self.ahead = Some(self.make(system, end)?);
        }
        Ok(match &self.ahead {
            Some(Ahead::Step { until, .. }) => *until,
            Some(Ahead::Short(flow)) => flow.t,
            Some(Ahead::Cut { .. }) | None => f64::INFINITY,
        })
    }

    fn make(&mut self, system: &dyn Smooth, end: f64) -> Result<Ahead, SystemError> {
        if self.crowd.short_steps == 0 && self.creeps() {
            self.hand_over()?;
        }
        if self.crowd.short_steps > 0 {
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
        if units - steps < CREEPING && now - events < u64::from(self.crowd.settings.cluster) {
            return false;
        }
        self.begin_stage();
        self.flow.t - t < self.crowd.stretch()
    }

    fn begin_stage(&mut self) {
        self.stage = (self.flow.t, self.log.counts.units, self.log.counts.events);
    }

    fn hand_over(&mut self) -> Result<(), SystemError> {
        self.decision = None;
        self.crowd.hand_over(self.flow.t, &mut self.log.counts)
    }

    /// One step, up to the first event in it. A step is not cut where somebody looks: the motion there is read off its polynomial.
    fn whole_step(&mut self, system: &dyn Smooth, end: f64) -> Result<Ahead, SystemError> {
        let (h, last) = (self.h, self.last);
        let mut stop = self.attempt_to_break(system, end)?;
        let mut found = self.lookout.first(system, &self.rule, &mut self.evaluator, &self.step, &self.now)?;
        if let Some(event) = found {
            stop = None;
            if !self.shorten(system, &event)? {
                found = None;
            }
        }
        let until = self.step.t + self.step.h;
        // An event that cannot be told from the break after it happens there: between the two there is no time in which a
        // slope could be seen.
        if until >= self.piece - self.together() {
            stop = Some(self.piece);
        }
        if stop.is_some_and(|stop| stop < self.piece) {
            return Ok(Ahead::Cut { h, last });
        }
        Ok(Ahead::Step { until: stop.unwrap_or(until), watch: found.map(|found| found.watch) })
    }

    /// The motion at t, within the unit.
    pub(crate) fn within(&mut self, system: &dyn Smooth, t: f64) -> Result<Flow, SystemError> {
        match &self.ahead {
            None => return Ok(self.flow.clone()),
            Some(Ahead::Short(end)) => return Ok(between(&self.flow, end, t)),
            Some(Ahead::Step { .. } | Ahead::Cut { .. }) => {}
        }
        // Q of the last point is where the next search begins, which must not depend on who looks.
        let (transfer, now) = (self.evaluator.transfer, self.now.clone());
        let mut flow = self.flow_at(system, (t - self.step.t) / self.step.h, t)?;
        (self.evaluator.transfer, self.now) = (transfer, now);
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
    fn leave_unit(
        &mut self,
        system: &dyn Smooth,
        t: f64,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        match self.ahead.take() {
            None => {}
            Some(Ahead::Short(end)) => {
                self.log.stick(t - self.flow.t, |c| end.states[c] == State::Stick);
                self.flow = between(&self.flow, &end, t);
            }
            Some(Ahead::Step { .. } | Ahead::Cut { .. }) => {
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
            Some(Ahead::Step { until, watch }) => self.end_of_step(system, until, watch, tell),
            Some(Ahead::Short(end)) => self.end_of_short_step(system, *end, tell).map_err(RunError::System),
            Some(Ahead::Cut { .. }) | None => Ok(()),
        }
    }

    fn end_of_step(
        &mut self,
        system: &dyn Smooth,
        until: f64,
        watch: Option<super::Watch>,
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
        if self.crowd.gathers(self.flow.t - before, self.together()) {
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
        if self.crowd.stepped(self.flow.t) {
            (self.h, self.last) = (self.crowd.settings.step, self.crowd.settings.step);
            self.at_bound.fill(None);
            self.begin_stage();
            self.decide(system)?;
            self.announce(tell);
        }
        Ok(())
    }

    /// Goes to a share of the step, at the instant `to`. True if a contact that transmits nothing has left its rest: from
    /// here on the sign of its slip is watched.
    fn accept(
        &mut self,
        system: &dyn Smooth,
        theta: f64,
        to: f64,
        tell: &mut dyn FnMut(Event),
    ) -> Result<bool, RunError<Infallible>> {
        let rested: Vec<bool> = self.flow.states.iter().map(|s| *s == State::Stick).collect();
        let from = self.flow.t;
        self.flow = self.flow_at(system, theta, to).map_err(RunError::System)?;
        self.decision = None;
        let Collocation { evaluator, flow, log, .. } = self;
        let rests = |c: usize| norm(&flow.s[evaluator.layout.of(c)]) == 0.0;
        let free = |c: usize| rested[c] && evaluator.modes[c] == ContactMode::Free;
        // One that transmits nothing and rests all along sticks as others see it.
        log.over(to - from, |c| evaluator.modes[c].sticks() || (free(c) && rests(c)));
        // One that has left its rest in this step did so at its beginning.
        let leave: Vec<usize> = (0..rested.len()).filter(|&c| free(c) && !rests(c)).collect();
        for (greatest, y) in self.greatest.iter_mut().zip([&self.flow.q[..], &self.flow.v, &self.flow.s].concat()) {
            *greatest = greatest.max(y.abs());
        }
        self.look();
        for &contact in &leave {
            let to = self.flow.states[contact];
            self.known[contact] = to;
            self.log.counts.events += 1;
            tell(Event { t: from, contact, from: State::Stick, to });
        }
        self.lookout.set(&self.evaluator, |_| false, None);
        system.describes(&self.flow).map_err(RunError::System)?;
        if self.flow.is_finite() { Ok(!leave.is_empty()) } else { Err(RunError::Overflow { t: to }) }
    }

    /// Modes as observers see them.
    pub(super) fn look(&mut self) {
        let layout = &self.evaluator.layout;
        for c in 0..layout.contacts() {
            self.flow.states[c] = match self.evaluator.modes[c] {
                ContactMode::Stick => State::Stick,
                ContactMode::Line(sign) => State::Slip([sign, 0.0]),
                ContactMode::Free => slipping(&self.flow.s[layout.of(c)]),
                ContactMode::Plane => match (slipping(&self.flow.s[layout.of(c)]), &self.decision) {
                    (State::Stick, Some(decision)) => {
                        let rates = &decision.rates[layout.of(c)];
                        let ahead = if norm(rates) > 0.0 { rates } else { &decision.curvatures[layout.of(c)] };
                        slipping(ahead)
                    }
                    (state, _) => state,
                },
            };
        }
    }

    /// Tells which contacts have changed. A slip in the plane turns all the time: that is a change only where it has passed zero, and
    /// then from the direction in which it came there.
    fn announce(&mut self, tell: &mut dyn FnMut(Event)) {
        let layout = &self.evaluator.layout;
        let each = self.flow.states.iter().enumerate().map(|(c, &to)| {
            let (known, crossed) = (self.known[c], self.crossed[c]);
            let turns = layout.of(c).len() > 1 && matches!((known, to), (State::Slip(_), State::Slip(_)));
            let changed = if turns { crossed.is_some() } else { known != to };
            changed.then(|| (crossed.map_or(known, State::Slip), to))
        });
        self.log.announce(self.flow.t, each, tell);
        self.crossed.fill(None);
        self.known.clone_from(&self.flow.states);
    }

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

/// The mode of a contact with this slip.
pub(super) fn slipping(slip: &[f64]) -> State {
    let size = norm(slip);
    if size == 0.0 { State::Stick } else { State::Slip([slip[0] / size, slip.get(1).map_or(0.0, |y| y / size)]) }
}
