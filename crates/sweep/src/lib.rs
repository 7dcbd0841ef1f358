//! Runs with varied values.
//!
//! A sweep is a scenario, points and outputs: at each point some values of the scenario are replaced, the scenario is run, and
//! outputs are computed. The row of point i,
//!
//! ```text
//! row(i) = (varied values, outputs, class, error) = f(scenario, i),
//! ```
//!
//! is a function of the scenario and of i alone. So rows may be made in any order, by any number of threads, in parts on several
//! machines, before and after a kill, and the dataset is the same, bit for bit.
//!
//! [`Plan`] is what is to be done, [`run_block`] does a block of it, [`run()`] all of it into a [`Folder`], [`merge()`] joins parts,
//! [`find`](mod@find) searches instead of scanning, [`picture`] draws.

mod block;
mod branch;
mod error;
mod estimate;
pub mod find;
mod folder;
mod gather;
mod journal;
mod keys;
mod manifest;
mod merge;
mod outputs;
pub mod picture;
mod plan;
mod points;
mod request;
mod share;
mod sums;
mod tally;
mod work;

pub use block::{Evaluation, evaluate, run_block};
pub use branch::{Branches, Trust, draw_paths, run_paths};
pub use error::SweepError;
pub use estimate::{Estimate, estimate};
pub use folder::{CSV_ROWS, DATA, Folder, Opened};
pub use gather::Gathering;
pub use journal::{Journal, Piece};
pub use manifest::Manifest;
pub use merge::merge;
pub use outputs::{Described, Outputs};
pub use plan::{Plan, outputs_of};
pub use points::Points;
pub use request::{Request, named, pair};
pub use share::Share;
pub use sums::read_block;
pub use tally::{Column, MOST_SORTED, SHARES, Tally, tally};
pub use work::{Progress, keep_scenario, run, run_while};

pub use stickslip_report::table::dataset::{Cells, DataColumn, ENDING};
