//! A sled on level ground, pushed by a force: m v' = F(t) + r, r ∈ [−μ m g, μ m g], −v ∈ N(r).

mod file;
mod model;
mod system;

pub use model::{BOUND, KIND, MASS, TEXT, stops_at};
pub use system::{Parameters, Sled};
