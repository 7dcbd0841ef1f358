//! The functions and constants of formulas.

use std::f64::consts::{E, PI, TAU};

use super::program::Corner;

/// A function by the number of its arguments.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// Of one number.
    One(fn(f64) -> f64),
    /// Of two numbers.
    Two(fn(f64, f64) -> f64),
    /// Of two numbers or more, taken two by two from the left.
    Many(fn(f64, f64) -> f64),
}

/// The value of a constant.
pub(super) fn constant(name: &str) -> Option<f64> {
    match name {
        "pi" | "PI" | "π" => Some(PI),
        "tau" | "TAU" | "τ" => Some(TAU),
        "e" | "E" => Some(E),
        _ => None,
    }
}

/// The function of a name.
pub(super) fn function(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}

/// All names that a formula may have besides `t`, for messages.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name).chain(["t", "pi", "tau", "e"])
}

/// Where a function of a name has corners or jumps.
pub(super) fn corner(name: &str) -> Corner {
    match name {
        "abs" | "sign" | "signum" => Corner::Sign,
        "floor" | "ceil" | "round" | "trunc" => Corner::Value,
        "fract" => Corner::Whole,
        "min" | "max" => Corner::Order,
        "mod" => Corner::Quotient,
        "atan2" => Corner::Cut,
        _ => Corner::None,
    }
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("sin", Function::One(f64::sin)),
    ("cos", Function::One(f64::cos)),
    ("tan", Function::One(f64::tan)),
    ("asin", Function::One(f64::asin)),
    ("acos", Function::One(f64::acos)),
    ("atan", Function::One(f64::atan)),
    ("atan2", Function::Two(f64::atan2)),
    ("sinh", Function::One(f64::sinh)),
    ("cosh", Function::One(f64::cosh)),
    ("tanh", Function::One(f64::tanh)),
    ("asinh", Function::One(f64::asinh)),
    ("acosh", Function::One(f64::acosh)),
    ("atanh", Function::One(f64::atanh)),
    ("exp", Function::One(f64::exp)),
    ("ln", Function::One(f64::ln)),
    ("log", Function::One(f64::ln)),
    ("log2", Function::One(f64::log2)),
    ("log10", Function::One(f64::log10)),
    ("sqrt", Function::One(f64::sqrt)),
    ("cbrt", Function::One(f64::cbrt)),
    ("hypot", Function::Two(f64::hypot)),
    ("pow", Function::Two(f64::powf)),
    ("abs", Function::One(f64::abs)),
    ("sign", Function::One(sign)),
    ("signum", Function::One(sign)),
    ("floor", Function::One(f64::floor)),
    ("ceil", Function::One(f64::ceil)),
    ("round", Function::One(f64::round_ties_even)),
    ("trunc", Function::One(f64::trunc)),
    ("fract", Function::One(f64::fract)),
    ("mod", Function::Two(remainder)),
    ("min", Function::Many(least)),
    ("max", Function::Many(greatest)),
];

/// −1, 0 or 1, as in numpy.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The lesser of two numbers. Unlike `f64::min` it does not hide what is not a number.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// The greater of two numbers, likewise.
fn greatest(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// a − b⌊a/b⌋, with the sign of b, as `a % b` in Python.
fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}
