//! The models, one room each.

pub mod assembly;
pub mod bodies;
pub mod friction_oscillator;
pub mod rail_wheel;
mod response;
pub mod towed_wheel;
pub mod vehicle;
pub mod wheel;
