//! Scenario files: TOML with units and signals of time, checked before anything runs.
//!
//! ```
//! use stickslip_scenario::{Model, Override, Scenario};
//!
//! let faster = Override::new("initial.speed=90 km/h");
//! let scenario = Scenario::builtin("wheel-sport-braking", &[faster])?;
//! assert!(matches!(&scenario.model, Model::Wheel(wheel) if wheel.start.x1 == 25.0));
//!
//! let error = Scenario::builtin("wheel-sport-braking", &["wheel.mass=-1".into()]).unwrap_err();
//! assert_eq!(error.message(), "a mass greater than 0 is expected here, found -1");
//! # Ok::<(), stickslip_scenario::Error>(())
//! ```
//!
//! Every value is an SI number or a string with a unit ("35 km/h"). Nothing is clamped or ignored:
//! unknown keys, wrong units, values out of range are [`Error`]s that know their line and column and say
//! what to write instead. The structs that read the files also give the [`schema()`].

mod assembly;
mod builtin;
mod decimal;
mod dimension;
mod error;
mod extremes;
mod fault;
mod friction;
mod input;
mod kind;
mod model;
mod name;
mod overrides;
mod point;
mod quantity;
mod rail_wheel;
mod rolling_contact;
mod run;
mod scenario;
mod schema;
mod signal;
mod symbol;
mod table;
mod towed_wheel;
mod unit;
mod vehicle;
mod wheel;
mod wording;

pub use builtin::{Builtin, builtins};
pub use error::{Error, OVERRIDE_SOURCE, Position};
pub use extremes::ExtremeInput;
pub use input::{Input, NamedSignal};
pub use model::{Contrast, Model};
pub use overrides::Override;
pub use run::{Output, Run, Scheme};
pub use scenario::Scenario;
pub use schema::schema;
