//! Analysis: what can be said of a run from several runs.

mod convergence;

pub use convergence::{Convergence, convergence};
