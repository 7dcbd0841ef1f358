//! Models: mechanical systems built on the layers above.

pub mod wheel;

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
