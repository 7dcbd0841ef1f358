//! Loads that depend on forces, and what stands on them: tyres, axles, warm brakes, controllers.
pub mod error;
mod root;
pub mod transfer;
pub mod tyre;
