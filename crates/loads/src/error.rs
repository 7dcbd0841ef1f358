//! What can be wrong with the numbers of an element, in words.

/// A number out of its range, with its unit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} = {value}{}{unit}: it must be {wanted}", if unit.is_empty() { "" } else { " " })]
pub struct BadNumber {
    /// Which number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// What it should be.
    pub wanted: &'static str,
}

/// The number, if it is finite and greater than zero.
pub(crate) fn positive(what: &'static str, value: f64, unit: &'static str) -> Result<f64, BadNumber> {
    demand(value > 0.0 && value.is_finite(), what, value, unit, "a finite number > 0")
}

/// The number, if it is finite and not below zero.
pub(crate) fn not_negative(what: &'static str, value: f64, unit: &'static str) -> Result<f64, BadNumber> {
    demand(value >= 0.0 && value.is_finite(), what, value, unit, "a finite number ≥ 0")
}

/// The number, if it is finite.
pub(crate) fn finite(what: &'static str, value: f64, unit: &'static str) -> Result<f64, BadNumber> {
    demand(value.is_finite(), what, value, unit, "a finite number")
}

/// The number, if what is demanded of it holds.
pub(crate) fn demand(
    holds: bool,
    what: &'static str,
    value: f64,
    unit: &'static str,
    wanted: &'static str,
) -> Result<f64, BadNumber> {
    if holds { Ok(value) } else { Err(BadNumber { what, value, unit, wanted }) }
}
