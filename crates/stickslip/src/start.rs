//! What the contacts do at t = 0.

use std::convert::Infallible;

use stickslip_core::mechanics::{Clock, Kernel, System, SystemError};
use stickslip_core::model::Record;
use stickslip_core::scheme::{ByEvents, Event, Grid, Observer};
use stickslip_scenario::Scheme;

/// The state whose forces and contact states stand in the row of t = 0: by events those decided there, by steps those
/// of the first step, which hold from 0 to its end.
pub(crate) fn decided<S: Record + ByEvents>(
    system: &S,
    scheme: Scheme,
    grid: Grid,
) -> Result<<S as System>::State, SystemError> {
    if scheme == Scheme::Events {
        // A run so short that nothing moves, for schemes that do not tell what they decide at t = 0.
        let instant = Grid { h: 1e-9 * grid.h, steps: 1 };
        let mut first = First(None);
        let passage = system.by_events(instant, &Default::default(), &mut first);
        if let (Some(state), _) | (None, Ok(state)) = (first.0, passage.map(|passage| passage.state)) {
            return Ok(state);
        }
    }
    let (mut state, mut work) = (system.start(), system.workspace());
    let (kernel, _) = system.kernel(0, Clock::new(grid.h))?;
    kernel.advance(0, 1, &mut state, &mut work)?;
    Ok(state)
}

/// Keeps the state at t = 0.
struct First<S>(Option<S>);

impl<S: Clone> Observer<S> for First<S> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        u64::MAX
    }

    fn start(&mut self, state: &S) -> Result<(), Infallible> {
        self.0 = Some(state.clone());
        Ok(())
    }

    fn sample(&mut self, _: u64, _: f64, _: &S) -> Result<(), Infallible> {
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }
}
