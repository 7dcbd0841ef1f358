//! Schemes: from a system to a sequence of inclusions.
//!
//! | file | scheme | order |
//! |---|---|---|
//! | `steps.rs` | U⁺ = (I + hDA)⁻¹(U + h𝒢(t)), the sources' own | 1 |
//! | `steps.rs` with θ = ½ | the scheme of Moreau and Jean | 2 where the motion is smooth |
//! | `side_by_side.rs` | the first, many runs at a time, to the same bits | 1 |
//! | `theta.rs` | the modified θ-method on M, C, K, H with contacts that may be carried along (Eulerian frame) | 2 for θ = ½, else 1; 1 across shocks |
//! | `events/` | closed form from event to event, for [`crate::mechanics::Affine`] systems | exact but for rounding |
//! | `smooth/` | collocation from event to event, for [`crate::mechanics::Smooth`] systems | 17 |

//!
//! `event_to_event.rs` joins the two ways from event to event, `integrator.rs` says what a simulation needs of any scheme.

mod cluster;
mod driver;
mod event_to_event;
pub mod events;
mod integrator;
mod observer;
mod room;
mod side_by_side;
pub(crate) mod smooth;
mod steps;
pub mod theta;

pub use cluster::Settings;
pub use driver::{Arrived, Counts, EventRunResult, Log, Units};
pub use event_to_event::{EventToEvent, FlowsOf, SwitchedUnits};
pub use events::events;
pub use integrator::{EventRun, Integrator, Samples};
pub(crate) use observer::EventCollector;
pub use observer::{Event, NullObserver, Observer, Recording};
pub use side_by_side::{Block, EndOfRun, SideBySide, side_by_side};
pub use smooth::smooth_events;
pub use steps::ROUNDING;
pub use steps::{Steps, implicit_euler, judged_steps, theta_steps};

use std::convert::Infallible;

use crate::mechanics::{Affine, Flow, Smooth, System, SystemError};

/// A system that can be run from event to event: in closed form where its data allow that, else by integration.
pub trait ByEvents: System + Smooth + Sized {
    /// The system as one whose motion between events has a closed form; [`NoClosedForm`](crate::mechanics::NoClosedForm)
    /// where there never is one.
    type Closed: Affine<State = <Self as System>::State>;

    /// That, if its data allow it.
    fn closed_form(&self) -> Option<&Self::Closed>;

    /// The same for a run that began in closed form: what its data allow is not looked through again.
    fn begun_in_closed_form(&self) -> Option<&Self::Closed> {
        self.closed_form()
    }

    /// The state that a smooth motion of the system is seen as.
    fn state_at(&self, flow: &Flow) -> <Self as System>::State;

    /// Runs the system to the end of the grid, as [`events()`] and [`smooth_events`] do.
    fn by_events<O: Observer<<Self as System>::State>>(
        &self,
        grid: Grid,
        settings: &events::Settings,
        observer: &mut O,
    ) -> Result<EventRunResult<<Self as System>::State>, RunError<O::Error>> {
        match self.closed_form() {
            Some(closed) => events(closed, grid, settings, observer),
            None => smooth_events(self, |flow| self.state_at(flow), grid, settings, observer),
        }
    }
}

/// A run of equal steps.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Grid {
    /// Size of a step \[s\].
    pub h: f64,
    /// How many steps.
    pub steps: u64,
}

impl Grid {
    /// The fewest equal steps that cover `duration` and are not longer than `step`. A step that divides the
    /// duration to within rounding is taken as it is.
    pub fn cover(duration: f64, step: f64) -> Grid {
        let ratio = duration / step;
        let whole = ratio.round();
        let steps = if (ratio - whole).abs() <= 1e-9 * whole { whole } else { ratio.ceil() };
        let steps = steps.max(1.0);
        let h = if (steps * step - duration).abs() <= 4.0 * f64::EPSILON * duration { step } else { duration / steps };
        Grid { h, steps: steps as u64 }
    }

    /// Time after n steps.
    #[inline]
    pub fn time(&self, n: u64) -> f64 {
        n as f64 * self.h
    }
}

/// What a run ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<S> {
    /// State after the last step.
    pub state: S,
    /// Steps that each contact stuck.
    pub stuck: Vec<u64>,
    /// Changes of state of all contacts together.
    pub events: u64,
}

/// Why a run did not come to its end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RunError<E> {
    /// The system could not be stepped.
    #[error(transparent)]
    System(SystemError),
    /// Numbers left the range of floating point.
    #[error("the state is no longer finite at t = {t} s: the parameters drive it out of the range of numbers")]
    Overflow {
        /// When it was noticed.
        t: f64,
    },
    /// Whoever looked on could not go on (a full disk, for instance).
    #[error("{0}")]
    Observer(E),
}

impl RunError<Infallible> {
    /// The same, of a run that somebody looks on at.
    pub(crate) fn unobserved<E>(self) -> RunError<E> {
        match self {
            RunError::System(error) => RunError::System(error),
            RunError::Overflow { t } => RunError::Overflow { t },
            RunError::Observer(never) => match never {},
        }
    }
}

/// An error of a run whose observer, if there is one, never fails.
pub(crate) fn unseen<E>(error: RunError<E>) -> SystemError {
    let t = match error {
        RunError::System(error) => return error,
        RunError::Overflow { t } => t,
        RunError::Observer(_) => f64::NAN,
    };
    SystemError::NotFinite { what: "the motion", t, value: f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_covers_the_duration() {
        assert_eq!(Grid::cover(6.0, 1e-3), Grid { h: 1e-3, steps: 6000 });
        assert_eq!(Grid::cover(1.0, 0.1), Grid { h: 0.1, steps: 10 });
        assert_eq!(Grid::cover(1.0, 0.3), Grid { h: 0.25, steps: 4 });
        assert_eq!(Grid::cover(1.0, 1.0), Grid { h: 1.0, steps: 1 });
        assert_eq!(Grid::cover(1.0, 5.0), Grid { h: 1.0, steps: 1 });
    }
}
