//! The models, one room each: parameters, equations, scenario file, charts, explanation, claims.
//!
//! ```
//! use stickslip_models::{MODELS, wheel};
//! use stickslip_scenario::Override;
//!
//! let faster = Override::new("initial.speed=90 km/h");
//! let scenario = MODELS.builtin("wheel-sport-braking", &[faster])?;
//! assert!(scenario.model.of::<wheel::Parameters>().is_some_and(|wheel| wheel.start.x1 == 25.0));
//!
//! let error = MODELS.builtin("wheel-sport-braking", &["wheel.mass=-1".into()]).unwrap_err();
//! assert_eq!(error.message(), "a mass greater than 0 is expected here, found -1");
//! # Ok::<(), stickslip_scenario::Error>(())
//! ```
//!
//! A model is known to scenario files, command, report and verification by its line in [`MODELS`] and by nothing else.

pub mod assembly;
mod between_events;
mod drive;
mod explain;
pub mod half_car;
mod law;
mod measured;
pub mod motorcycle;
mod oscillation;
mod parameter_spaces;
mod passed;
pub mod rail_wheel;
mod ride;
pub mod rolling_contact;
pub mod squeal;
mod stability;
pub mod towed_wheel;
mod two_wheels;
pub mod vehicle;
pub mod wheel;
mod wheels;

use stickslip_run::Registry;

/// Gravity g where a file or a program says nothing else [m/s²].
pub const GRAVITY: f64 = 9.81;

/// All models, in the order of the documentation.
pub static MODELS: Registry = Registry::new(&[
    wheel::KIND,
    vehicle::KIND,
    motorcycle::KIND,
    half_car::KIND,
    assembly::KIND,
    towed_wheel::KIND,
    rolling_contact::KIND,
    rail_wheel::KIND,
    squeal::KIND,
]);
