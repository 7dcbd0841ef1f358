//! Analysis: what can be said of a run, or from several runs.
//!
//! | file | what |
//! |---|---|
//! | `convergence.rs` | how fast the error falls with the step |
//! | `limit_directions.rs` | how slips in the plane arrive at zero and leave it |
//! | `lyapunov.rs` | largest Lyapunov exponent, by two methods |
//! | `orbit.rs` | a motion taken up anywhere, followed to an instant or an arrival |
//! | `poincare.rs` | sections, cycles |
//! | `stability.rs` | roots of a linearised system, where one begins to grow |
//! | `stuck.rs` | how long contacts stick |

mod convergence;
pub mod limit_directions;
pub mod lyapunov;
pub mod orbit;
pub mod poincare;
pub mod stability;
pub mod stuck;

pub use convergence::{Convergence, convergence, velocities_by_steps};
