//! Symbols of units and their prefixes.

use std::f64::consts::{PI, TAU};

use crate::dimension::{Dimension, angular, dimension};
use crate::fault::{Fault, nearest, quote};
use crate::unit::Unit;

struct Symbol {
    name: &'static str,
    prefixed: bool,
    unit: Unit,
}

const fn symbol(
    name: &'static str,
    prefixed: bool,
    (num, den, shift): (f64, f64, i32),
    dimension: Dimension,
) -> Symbol {
    Symbol { name, prefixed, unit: Unit { num, den, shift, dimension } }
}

const SI: (f64, f64, i32) = (1.0, 1.0, 0);

const SYMBOLS: &[Symbol] = &[
    symbol("m", true, SI, dimension(1, 0, 0)),
    symbol("g", true, (1.0, 1.0, -3), dimension(0, 1, 0)),
    symbol("t", true, (1.0, 1.0, 3), dimension(0, 1, 0)),
    symbol("s", true, SI, dimension(0, 0, 1)),
    symbol("min", false, (6.0, 1.0, 1), dimension(0, 0, 1)),
    symbol("h", false, (36.0, 1.0, 2), dimension(0, 0, 1)),
    symbol("Hz", true, SI, dimension(0, 0, -1)),
    symbol("N", true, SI, dimension(1, 1, -2)),
    symbol("Nm", true, SI, dimension(2, 1, -2)),
    symbol("J", true, SI, dimension(2, 1, -2)),
    symbol("W", true, SI, dimension(2, 1, -3)),
    symbol("Pa", true, SI, dimension(-1, 1, -2)),
    symbol("bar", true, (1.0, 1.0, 5), dimension(-1, 1, -2)),
    symbol("rad", true, SI, angular(0, 0, 0)),
    symbol("deg", false, (PI, 18.0, -1), angular(0, 0, 0)),
    symbol("°", false, (PI, 18.0, -1), angular(0, 0, 0)),
    symbol("rev", false, (TAU, 1.0, 0), angular(0, 0, 0)),
    symbol("rpm", false, (PI, 3.0, -1), angular(0, 0, -1)),
    symbol("%", false, (1.0, 1.0, -2), dimension(0, 0, 0)),
    symbol("‰", false, (1.0, 1.0, -3), dimension(0, 0, 0)),
    symbol("1", false, SI, dimension(0, 0, 0)),
];

/// `da` before `d`: the longer prefix is tried first.
const PREFIXES: &[(&str, i32)] = &[
    ("da", 1),
    ("Q", 30),
    ("R", 27),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("µ", -6),
    ("μ", -6),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
];

/// What a misspelt unit is compared with.
const COMMON: &[&str] = &[
    "km/h", "m/s", "m/s^2", "kg", "g", "t", "m", "mm", "cm", "km", "s", "ms", "min", "h", "Hz", "kHz", "N", "kN", "MN",
    "N m", "kN m", "J", "kJ", "W", "kW", "MW", "Pa", "kPa", "MPa", "bar", "rad", "deg", "rev", "rpm", "%",
];

/// A symbol, or a prefix and a symbol.
pub(crate) fn find(name: &str) -> Result<Unit, Fault> {
    if let Some(symbol) = SYMBOLS.iter().find(|s| s.name == name) {
        return Ok(symbol.unit);
    }
    for (prefix, shift) in PREFIXES {
        let rest = name.strip_prefix(prefix);
        let symbol = rest.and_then(|rest| SYMBOLS.iter().find(|s| s.prefixed && s.name == rest));
        if let Some(symbol) = symbol {
            let mut unit = symbol.unit;
            unit.shift += shift;
            return Ok(unit);
        }
    }
    let help = match nearest(name, COMMON.iter().copied()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            "known are m, kg, g, t, s, min, h, Hz, N, J, W, Pa, bar, rad, deg, rev, rpm, % and SI prefixes".to_string()
        }
    };
    Err(Fault::new(format!("unknown unit {}", quote(name))).help(help))
}
