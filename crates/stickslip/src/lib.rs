//! `stickslip` simulates wheels, vehicles and wheel/rail contacts with dry friction, in which rest is exact.
//!
//! ```
//! use stickslip::prelude::*;
//!
//! let scenario = MODELS.builtin("wheel-sport-braking", &[])?;
//! let mut run = simulation(&scenario)?;
//! run.advance_to(1.0)?;
//! run.set_input("brake.torque", Signal::ZERO)?;
//! run.advance_to(2.0)?;
//! assert!(run.worst_residual() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | crate | holds |
//! |---|---|
//! | [`core`] | laws, inclusions and their solvers, mechanics, schemes, the simulation object, signals, analyses |
//! | [`contact`] | Hertz, the half-space, theories of creep forces |
//! | [`loads`] | loads that depend on forces, tyres, warm brakes, controllers in the loop |
//! | [`models`] | one room for each model, and the list of them |
//! | [`scenario`] | scenario files: TOML with units and signals |
//! | [`report`] | tables, figures, pages |
//! | [`run`](mod@run) | a scenario into a folder, beside others, as an object |
//! | [`sweep`] | a scenario with varied values: datasets, search |
//! | [`verify`] | what is claimed, and whether it holds |

pub use stickslip_contact as contact;
pub use stickslip_core as core;
pub use stickslip_linalg as linalg;
pub use stickslip_loads as loads;
pub use stickslip_models as models;
pub use stickslip_report as report;
pub use stickslip_run as run;
pub use stickslip_scenario as scenario;
pub use stickslip_sweep as sweep;
pub use stickslip_verify as verify;

/// What most programs need.
pub mod prelude {
    pub use stickslip_core::mechanics::Stop;
    pub use stickslip_core::signal::Signal;
    pub use stickslip_core::simulation::{ByEvent, Samples, Simulation, SimulationError, Sink, SinkError, Stepped};
    pub use stickslip_models::{MODELS, assembly, rail_wheel, towed_wheel, vehicle, wheel};
    pub use stickslip_run::{Options, OutputFolder, Scenario, run, run_to_end, simulation};
    pub use stickslip_scenario::Override;
}

/// Curves of creep forces by all theories, and tables of the exact one.
pub mod creep {
    pub use stickslip_models::rolling_contact::{
        Creep, CreepContact, CreepOptions, Layout, MOST_POINTS, Made, Ranges, Rival, THEORIES, Tabulated, Tabulation,
        creep,
    };
}

/// The README's program, compiled and run as a documentation test.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct Readme;

/// The programs of docs/library.md, likewise.
#[doc = include_str!("../../../docs/library.md")]
#[cfg(doctest)]
struct Library;
