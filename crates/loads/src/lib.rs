//! Loads that depend on forces, and what stands on them: tyres, axles, warm brakes, controllers.
pub mod control;
pub mod error;
pub mod half_car;
pub mod heat;
pub mod lift;
pub mod ode;
pub mod planar;
mod root;
mod small;
pub mod transfer;
pub mod tyre;
