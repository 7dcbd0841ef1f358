//! Models: mechanical systems built on the layers above, and what is recorded of them.

pub mod bodies;
mod flow;
pub mod friction_oscillator;
mod line;
mod response;
pub mod towed_wheel;
pub mod vehicle;
pub mod wheel;

use crate::Name;
use crate::mechanics::System;

/// One column of a trajectory: what a model records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Short name, as in the CSV header.
    pub name: Name,
    /// SI unit, `1` for pure numbers.
    pub unit: &'static str,
    /// What it is, in a few words.
    pub meaning: Name,
    /// Whether only whole numbers occur (contact states, regions).
    pub integer: bool,
}

impl Column {
    /// A column of real numbers.
    pub const fn real(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
        Column { name: Name::Borrowed(name), unit, meaning: Name::Borrowed(meaning), integer: false }
    }

    /// A column of whole numbers.
    pub const fn whole(name: &'static str, meaning: &'static str) -> Column {
        Column { name: Name::Borrowed(name), unit: "1", meaning: Name::Borrowed(meaning), integer: true }
    }
}

/// A system that can write down its states.
pub trait Record: System {
    /// What is recorded; the first column is the time.
    fn columns(&self) -> &[Column];

    /// The row for the state at time t.
    fn row(&self, t: f64, state: &Self::State, out: &mut [f64]);

    /// The end state, by name.
    fn end(&self, state: &Self::State) -> Vec<(Name, f64)>;
}
