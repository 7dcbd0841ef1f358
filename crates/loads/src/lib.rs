//! Loads that depend on forces, and what stands on them: tyres, axles, warm brakes, controllers.
pub mod control;
pub mod error;
pub mod heat;
pub mod ode;
mod root;
pub mod transfer;
pub mod tyre;
