//! What observers see of a run: samples, changes of state, and the end.

use super::Run;
use super::layout::{ContactMode, norm};
use crate::law::State;
use crate::mechanics::Flow;
use crate::scheme::events::EventRunResult;
use crate::scheme::{Event, Halted, RunError, Samples};

impl Run<'_> {
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

    /// Samples before the instant `to`.
    pub(super) fn samples(&mut self, to: f64) -> Result<(), RunError<Halted>> {
        // Q of the last point is where the next search begins, which must not depend on who looks.
        let transfer = self.evaluator.transfer;
        while let Some((number, time)) = self.due(to) {
            let mut flow = self.flow_at((time - self.step.t) / self.step.h, time)?;
            std::mem::swap(&mut flow, &mut self.flow);
            self.look();
            std::mem::swap(&mut flow, &mut self.flow);
            self.sample(number, time, &flow)?;
        }
        self.evaluator.transfer = transfer;
        Ok(())
    }

    /// The next sample before the instant `to`: its number and its time.
    pub(super) fn due(&self, to: f64) -> Option<(u64, f64)> {
        Samples { grid: self.grid, every: 1 }.due(Some(self.next_sample), to)
    }

    /// Shows a sample and goes to the next.
    pub(super) fn sample(&mut self, number: u64, time: f64, flow: &Flow) -> Result<(), RunError<Halted>> {
        self.observer.sample(number, time, flow).map_err(RunError::Observer)?;
        self.next_sample = number.saturating_add(self.observer.every().max(1)).min(self.grid.steps);
        Ok(())
    }

    /// Tells the observer which contacts have changed.
    pub(super) fn announce(&mut self) -> Result<(), RunError<Halted>> {
        let states = self.flow.states.clone();
        let before = self.events;
        if let Some(known) = self.known.take() {
            for (contact, (from, to)) in known.into_iter().zip(&states).enumerate() {
                let line = self.evaluator.layout.of(contact).len() == 1;
                let changed = match (from, *to, self.crossed[contact]) {
                    (State::Slip(_), State::Slip(_), crossed) if !line => crossed.is_some(),
                    _ => from != *to,
                };
                if changed {
                    let from = match self.crossed[contact] {
                        Some(direction) => State::Slip(direction),
                        None => from,
                    };
                    self.tell(self.flow.t, contact, from, *to)?;
                }
            }
        }
        self.crossed.fill(None);
        self.known = Some(states);
        if self.events > before && self.observer.sees_changes() {
            self.observer.changed(self.flow.t, &self.flow).map_err(RunError::Observer)?;
        }
        Ok(())
    }

    pub(super) fn tell(&mut self, t: f64, contact: usize, from: State, to: State) -> Result<(), RunError<Halted>> {
        self.events += 1;
        if let Some(known) = &mut self.known {
            known[contact] = to;
        }
        self.observer.event(&Event { t, contact, from, to }).map_err(RunError::Observer)
    }

    pub(super) fn finish(self) -> Result<EventRunResult<Flow>, RunError<Halted>> {
        self.observer.sample(self.grid.steps, self.end, &self.flow).map_err(RunError::Observer)?;
        Ok(EventRunResult {
            state: self.flow,
            stuck: self.stuck,
            events: self.events,
            spans: self.spans,
            handovers: self.handovers,
        })
    }
}

/// The mode of a contact with this slip.
pub(super) fn slipping(slip: &[f64]) -> State {
    let size = norm(slip);
    if size == 0.0 { State::Stick } else { State::Slip([slip[0] / size, slip.get(1).map_or(0.0, |y| y / size)]) }
}
