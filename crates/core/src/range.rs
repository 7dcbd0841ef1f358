//! Ranges of numbers, and numbers that are not in them: the same words and the same limits in code and in files.

use crate::signal::Signal;

/// Which numbers are admissible. NaN and what is infinite never are.
pub trait Range {
    /// What a number must be: "a finite number > 0".
    const WANTED: &'static str;
    /// What it may not do at any time, where it is a signal: "must not be negative".
    const NEVER: &'static str;
    /// Whether a number is admissible.
    fn admits(value: f64) -> bool;
}

/// Any finite number.
#[derive(Debug, Clone, Copy)]
pub struct Any;
/// Numbers > 0.
#[derive(Debug, Clone, Copy)]
pub struct Positive;
/// Numbers ≥ 0.
#[derive(Debug, Clone, Copy)]
pub struct NonNegative;
/// Numbers < 0.
#[derive(Debug, Clone, Copy)]
pub struct Negative;
/// Parts of a whole: numbers from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Fraction;
/// Slopes of a road \[rad\]: angles from which it does not stand upright.
#[derive(Debug, Clone, Copy)]
pub struct Slope;

impl Range for Any {
    const WANTED: &'static str = "a finite number";
    const NEVER: &'static str = "must be finite";
    fn admits(value: f64) -> bool {
        value.is_finite()
    }
}

impl Range for Positive {
    const WANTED: &'static str = "a finite number > 0";
    const NEVER: &'static str = "must be greater than 0";
    fn admits(value: f64) -> bool {
        value.is_finite() && value > 0.0
    }
}

impl Range for NonNegative {
    const WANTED: &'static str = "a finite number ≥ 0";
    const NEVER: &'static str = "must not be negative";
    fn admits(value: f64) -> bool {
        value.is_finite() && value >= 0.0
    }
}

impl Range for Negative {
    const WANTED: &'static str = "a finite number < 0";
    const NEVER: &'static str = "must be less than 0";
    fn admits(value: f64) -> bool {
        value.is_finite() && value < 0.0
    }
}

impl Range for Fraction {
    const WANTED: &'static str = "between 0 and 1";
    const NEVER: &'static str = "must lie between 0 and 1";
    fn admits(value: f64) -> bool {
        (0.0..=1.0).contains(&value)
    }
}

impl Range for Slope {
    const WANTED: &'static str = "between -90 and 90 deg";
    const NEVER: &'static str = "must lie between -90 and 90 deg";
    fn admits(value: f64) -> bool {
        value.abs() < std::f64::consts::FRAC_PI_2
    }
}

/// A number that cannot be what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{what} = {}: it must be {wanted}", quantity(*value, unit))]
pub struct OutOfRange {
    /// Which number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// Its SI unit; empty if it has none.
    pub unit: &'static str,
    /// What it must be.
    pub wanted: &'static str,
}

/// A signal that leaves its range.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{what} is {}{}: it {never}", quantity(*value, unit), at(*t))]
pub struct SignalOutOfRange {
    /// Which signal.
    pub what: &'static str,
    /// When \[s\]; absent where it is the same at all times.
    pub t: Option<f64>,
    /// Its value there.
    pub value: f64,
    /// Its SI unit; empty if it has none.
    pub unit: &'static str,
    /// What it must never be.
    pub never: &'static str,
}

fn at(t: Option<f64>) -> String {
    t.map_or_else(String::new, |t| format!(" at t = {t} s"))
}

/// Sizes that are written without an exponent.
const PLAIN: std::ops::Range<f64> = 1e-4..1e15;

/// A number, for messages.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let plain = size == 0.0 || PLAIN.contains(&size) || !size.is_finite();
    if plain { format!("{value}") } else { format!("{value:e}") }
}

/// A number with its unit, for messages.
pub fn quantity(value: f64, unit: &str) -> String {
    let number = number(value);
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// The number, if it is in its range.
pub fn in_range<R: Range>(what: &'static str, value: f64, unit: &'static str) -> Result<f64, OutOfRange> {
    demand(R::admits(value), what, value, unit, R::WANTED)
}

/// Whether a signal stays in its range, as far as that can be told ahead ([`Signal::extremes`]).
pub fn stays_in_range<R: Range>(
    what: &'static str,
    signal: &Signal,
    unit: &'static str,
) -> Result<(), SignalOutOfRange> {
    let extremes = signal.extremes().map_or_else(Vec::new, |e| vec![e.least, e.greatest]);
    match extremes.into_iter().find(|(_, value)| !R::admits(*value)) {
        Some((t, value)) => {
            let t = Some(t).filter(|_| !matches!(signal, Signal::Constant(_)));
            Err(SignalOutOfRange { what, t, value, unit, never: R::NEVER })
        }
        None => Ok(()),
    }
}

/// The number, if it is finite and > 0.
pub fn positive(what: &'static str, value: f64, unit: &'static str) -> Result<f64, OutOfRange> {
    in_range::<Positive>(what, value, unit)
}

/// The number, if it is finite and ≥ 0.
pub fn not_negative(what: &'static str, value: f64, unit: &'static str) -> Result<f64, OutOfRange> {
    in_range::<NonNegative>(what, value, unit)
}

/// The number, if it is finite.
pub fn finite(what: &'static str, value: f64, unit: &'static str) -> Result<f64, OutOfRange> {
    in_range::<Any>(what, value, unit)
}

/// The number, if what is demanded of it holds.
pub fn demand(
    holds: bool,
    what: &'static str,
    value: f64,
    unit: &'static str,
    wanted: &'static str,
) -> Result<f64, OutOfRange> {
    if holds { Ok(value) } else { Err(OutOfRange { what, value, unit, wanted }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_in_no_range() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!Any::admits(value) && !Positive::admits(value) && !NonNegative::admits(value));
            assert!(!Fraction::admits(value) && !Negative::admits(value));
            assert!(stays_in_range::<Any>("a torque", &Signal::Constant(value), "N m").is_err());
        }
        assert!(NonNegative::admits(0.0) && !Positive::admits(0.0) && Any::admits(-1.0));
        assert!(Negative::admits(-1.0) && !Negative::admits(0.0));
        assert!(Fraction::admits(0.0) && Fraction::admits(1.0) && !Fraction::admits(-0.1) && !Fraction::admits(1.1));
    }

    #[test]
    fn what_is_said_of_them() {
        let said = |result: Result<f64, OutOfRange>| result.expect_err("out of its range").to_string();
        assert_eq!(said(positive("mass", -1.0, "kg")), "mass = -1 kg: it must be a finite number > 0");
        assert_eq!(said(not_negative("friction", -1e-9, "")), "friction = -1e-9: it must be a finite number ≥ 0");
        let negative = stays_in_range::<NonNegative>("friction", &Signal::Constant(-0.5), "").expect_err("negative");
        assert_eq!(negative.to_string(), "friction is -0.5: it must not be negative");
        let points = crate::signal::Points::new(vec![0.0, 2.0], vec![0.5, -0.5]).expect("sorted");
        let falls = stays_in_range::<NonNegative>("friction", &Signal::Points(points), "").expect_err("negative");
        assert_eq!(falls.to_string(), "friction is -0.5 at t = 2 s: it must not be negative");
        assert!(Slope::admits(-1.57) && !Slope::admits(1.6) && !Slope::admits(f64::NAN));
    }
}
