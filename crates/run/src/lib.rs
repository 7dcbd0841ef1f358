//! Running scenarios of any model: into a folder with tables, summary, figures and report, beside each other, or as a
//! [`simulation()`] that can be advanced.
//!
//! What a model must tell is the trait [`Model`] and, for models in time, [`TimeModel`]; a [`Registry`] of [`Kind`]s makes
//! models known to everything else. This crate knows no model.

mod balance;
mod check;
mod course;
mod failure;
mod files;
mod folder;
mod measures;
mod memory;
mod model;
mod order;
mod part;
mod recorder;
mod refinement;
mod run;
mod side_by_side;
mod spent;
pub mod stability;
mod study;
mod summary;
pub mod text;
pub mod trust;
pub mod view;
mod watch;

pub use balance::{closure, recorded_energy, void};
pub use check::Kind as FeatureKind;
pub use check::{Check, Features, Finding, Listed, Samples, Summed, Verdict, compare};
pub use failure::RunFailure;
pub use files::{write, write_scenario};
pub use folder::{FolderError, OutputFolder};
pub use measures::{Again, Ear, Gauge, Measure, Measures, Place, Seen, measure, record_measured};
pub use memory::{Kept, keep};
pub use model::{
    Beside, Instance, Kind, Model, Registry, Scenario, TimeModel, by_any_scheme, by_steps_or, explain, other_scheme,
    run_to_end, simulation, stepped_together,
};
pub use order::{Order, OrderVerdict};
pub use part::Part;
pub use recorder::{Recorder, Trace, seen};
pub use refinement::Refinement;
pub use run::{Finished, Job, Options, Outcome, Step, run};
pub use side_by_side::{
    CompareFailure, Compared, ComparedColumn, ComparedMeasure, ComparedRun, Deviation, Variant, side_by_side,
};
pub use spent::Spent;
pub use summary::{Summary, Used};
pub use view::{ExponentNote, View, ended};
pub use watch::{ContactTally, Late, Watch, Watched, beside, recorded_every, watch};

/// The program and its version, as written into every output.
pub const VERSION: &str = concat!("stickslip ", env!("CARGO_PKG_VERSION"));
