//! Models: mechanical systems built on the layers above, and what is recorded of them.

pub mod wheel;

use crate::mechanics::System;

/// One column of a trajectory: what a model records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Short name, as in the CSV header.
    pub name: &'static str,
    /// SI unit, `1` for pure numbers.
    pub unit: &'static str,
    /// What it is, in a few words.
    pub meaning: &'static str,
    /// Whether only whole numbers occur (contact states, regions).
    pub integer: bool,
}

/// A system that can write down its states.
pub trait Record: System {
    /// What is recorded; the first column is the time.
    fn columns(&self) -> &[Column];

    /// The row for the state at time t.
    fn row(&self, t: f64, state: &Self::State, out: &mut [f64]);

    /// The end state, by name.
    fn end(&self, state: &Self::State) -> Vec<(&'static str, f64)>;
}
