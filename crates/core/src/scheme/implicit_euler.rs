//! Implicit Euler: one inclusion per step, first order, unconditionally stable.
//!
//! ```text
//! U⁺ = (I + hDA_{t⁺})⁻¹ (U + h𝒢(t))
//! ```
//!
//! Forces that the state does not oppose (drives) are taken at the beginning of the step, contact laws at
//! its end. A contact that sticks at the end of a step has slip 0.0 there.

use super::{Event, Grid, Observer, Outcome, RunError};
use crate::law::State;
use crate::mechanics::{Clock, Kernel, Stop, System};

/// Runs the system over the grid.
pub fn implicit_euler<S: System, O: Observer<S::State>>(
    system: &S,
    grid: Grid,
    observer: &mut O,
) -> Result<Outcome<S::State>, RunError<O::Error>> {
    let (mut state, mut work) = (system.start(), system.workspace());
    let mut contacts = Contacts::new(system.contacts().len());
    let every = observer.every().max(1);
    let mut next_sample = every.min(grid.steps);
    let mut n = 0;
    while n < grid.steps {
        let (kernel, valid) = system.kernel(n, Clock::new(grid.h)).map_err(RunError::System)?;
        let valid = valid.min(grid.steps);
        while n < valid {
            let reached = kernel.advance(n, valid.min(next_sample), &mut state, &mut work);
            let (reached, stop) = reached.map_err(RunError::System)?;
            n = reached;
            let t = grid.time(n);
            if stop == Stop::Event {
                contacts.update(system, &state, n, t, observer)?;
            }
            if n == next_sample {
                if !system.is_finite(&state) || system.worst_residual(&state).is_nan() {
                    return Err(RunError::Overflow { t });
                }
                observer.sample(n, t, &state).map_err(RunError::Observer)?;
                next_sample = n.saturating_add(every).min(grid.steps);
            }
        }
    }
    contacts.close(grid.steps);
    Ok(Outcome { state, stuck: contacts.stuck, events: contacts.events })
}

/// Which contact is in which state, since when.
struct Contacts {
    now: Vec<State>,
    seen: Vec<State>,
    /// Step that the present states were first the result of; none before the first step.
    since: Option<u64>,
    stuck: Vec<u64>,
    events: u64,
}

impl Contacts {
    fn new(count: usize) -> Contacts {
        let states = vec![State::Open; count];
        Contacts { now: states.clone(), seen: states, since: None, stuck: vec![0; count], events: 0 }
    }

    /// Takes the states after step n and tells the observer what changed. The first states change nothing.
    fn update<S: System, O: Observer<S::State>>(
        &mut self,
        system: &S,
        state: &S::State,
        n: u64,
        t: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        system.contact_states(state, &mut self.seen);
        let known = self.since.is_some();
        self.close(n - 1);
        self.since = Some(n);
        for contact in 0..self.now.len() {
            let (from, to) = (self.now[contact], self.seen[contact]);
            self.now[contact] = to;
            if known && from != to {
                self.events += 1;
                observer.event(&Event { t, contact, from, to }).map_err(RunError::Observer)?;
            }
        }
        Ok(())
    }

    /// Counts the steps up to and including number n for the contacts that stuck.
    fn close(&mut self, n: u64) {
        if let Some(since) = self.since {
            for (stuck, state) in self.stuck.iter_mut().zip(&self.now) {
                if *state == State::Stick {
                    *stuck += n + 1 - since;
                }
            }
        }
    }
}
