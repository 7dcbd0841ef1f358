//! draft
pub mod model;
pub mod signal;
