//! draft
pub mod inclusion;
pub mod law;
pub mod model;
pub mod signal;
