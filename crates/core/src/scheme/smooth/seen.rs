//! What contacts do at the end of a step, as observers see it.

use std::convert::Infallible;

use super::layout::{ContactMode, norm};
use super::{Collocation, Event, RunError};
use crate::law::State;
use crate::mechanics::Smooth;

impl Collocation {
    /// Goes to a share of the step, at the instant `to`. True if a contact that transmits nothing has left its rest: from
    /// here on the sign of its slip is watched.
    pub(super) fn accept(
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
        self.search.set(&self.evaluator, |_| false, None);
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
    pub(super) fn announce(&mut self, tell: &mut dyn FnMut(Event)) {
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
}

/// The mode of a contact with this slip.
pub(super) fn slipping(slip: &[f64]) -> State {
    let size = norm(slip);
    if size == 0.0 { State::Stick } else { State::Slip([slip[0] / size, slip.get(1).map_or(0.0, |y| y / size)]) }
}
