//! What the command does, as library calls: run a scenario into a folder, gather its summary, draw its
//! report. The command line in `main.rs` only reads arguments and prints.

mod check;
mod contrast;
mod course;
mod explain;
mod folder;
mod model;
mod order;
mod patience;
mod recorder;
mod refinement;
pub mod rolling;
mod run;
mod side_by_side;
mod simulation;
mod spent;
mod study;
mod summary;
pub mod text;
pub mod trust;
mod view;

pub use check::{Check, Features, Finding, Kind, Samples, Verdict, compare};
pub use contrast::Contrast;
pub use explain::explain;
pub use folder::{FolderError, OutputFolder};
pub use order::{Order, OrderVerdict};
pub use patience::long_run;
pub use recorder::{Recorder, Trace};
pub use refinement::Refinement;
pub use run::{Finished, Options, RunFailure, Step, prepare, run};
pub use side_by_side::{CompareFailure, Compared, Deviation, side_by_side};
pub use simulation::simulation;
pub use spent::Spent;
pub use summary::Summary;
pub use view::{ExponentNote, ended, stuck_means};

/// The program and its version, as written into every output.
pub const VERSION: &str = concat!("stickslip ", env!("CARGO_PKG_VERSION"));
