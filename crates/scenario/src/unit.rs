//! Units: products and quotients of SI-prefixed symbols, such as `kg m^2`, `km/h`, `N/(m/s)`.
//!
//! A factor is kept as `num/den · 10^shift`, and the power of ten is applied to the digits of the number
//! before they become binary: `"4 mm"` is the same number as `0.004`, bit for bit, and `"35 km/h"` is
//! rounded once.

use std::f64::consts::{PI, TAU};

use crate::dimension::{Dimension, angular, dimension};
use crate::fault::{Fault, nearest, quote};

/// A unit: its factor to SI and its dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    num: f64,
    den: f64,
    shift: i32,
    pub dimension: Dimension,
}

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
    Symbol {
        name,
        prefixed,
        unit: Unit {
            num,
            den,
            shift,
            dimension,
        },
    }
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
    "km/h", "m/s", "m/s^2", "kg", "g", "t", "m", "mm", "cm", "km", "s", "ms", "min", "h", "Hz",
    "kHz", "N", "kN", "MN", "N m", "kN m", "J", "kJ", "W", "kW", "MW", "Pa", "kPa", "MPa", "bar",
    "rad", "deg", "rev", "rpm", "%",
];

/// The longest text that is looked at; no honest quantity is longer.
const LONGEST: usize = 200;

/// Greatest power a symbol may have, up or down.
const GREATEST_POWER: i32 = 9;

impl Unit {
    /// The number one: what no unit at all means.
    pub const ONE: Unit = Unit {
        num: 1.0,
        den: 1.0,
        shift: 0,
        dimension: dimension(0, 0, 0),
    };

    /// Reads a unit such as `kg m^2/s`.
    pub fn parse(text: &str) -> Result<Unit, Fault> {
        if text.len() > LONGEST {
            return Err(Fault::new("a unit longer than 200 characters")
                .help("write a unit such as kg, N m or km/h"));
        }
        let mut reader = Reader { text, rest: text };
        let unit = reader.product(0)?;
        match reader.rest.chars().next() {
            None => Ok(unit),
            Some(c) => Err(reader.unexpected(c)),
        }
    }

    /// The SI value of a decimal number given in this unit; `None` where it overflows.
    pub fn value(&self, number: Decimal<'_>) -> Option<f64> {
        let exponent = number.exponent.saturating_add(self.shift);
        let scaled: f64 = format!("{}e{exponent}", number.digits).parse().ok()?;
        let value = scaled * self.num / self.den;
        value.is_finite().then_some(value)
    }

    fn power(self, n: i32) -> Unit {
        let (num, den) = if n < 0 {
            (self.den, self.num)
        } else {
            (self.num, self.den)
        };
        Unit {
            num: num.powi(n.abs()),
            den: den.powi(n.abs()),
            shift: self.shift * n,
            dimension: self.dimension.power(n),
        }
    }

    fn times(self, other: Unit) -> Unit {
        Unit {
            num: self.num * other.num,
            den: self.den * other.den,
            shift: self.shift + other.shift,
            dimension: self.dimension.times(other.dimension),
        }
    }
}

/// A decimal number as written: digits with sign and point, and the power of ten after `e`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal<'a> {
    digits: &'a str,
    exponent: i32,
}

impl<'a> Decimal<'a> {
    /// Splits a text into the number it begins with and what follows.
    pub fn split(text: &'a str) -> Option<(Decimal<'a>, &'a str)> {
        if text.len() > LONGEST {
            return None;
        }
        let bytes = text.as_bytes();
        let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
        let digits_from = |start: usize| {
            let run = bytes[start..].iter().take_while(|b| b.is_ascii_digit());
            start + run.count()
        };
        let whole = digits_from(sign);
        let mut end = whole;
        if bytes.get(whole) == Some(&b'.') {
            end = digits_from(whole + 1);
        }
        if !bytes[sign..end].iter().any(u8::is_ascii_digit) {
            return None;
        }
        let digits = &text[..end];
        let mut exponent = 0;
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let start = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let stop = digits_from(start.min(bytes.len()));
            if stop > start {
                let negative = bytes[end + 1] == b'-';
                let far = if negative { -100_000 } else { 100_000 };
                exponent = text[end + 1..stop]
                    .parse()
                    .unwrap_or(far)
                    .clamp(-100_000, 100_000);
                end = stop;
            }
        }
        Some((Decimal { digits, exponent }, &text[end..]))
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// `factor (· factor | / factor)*`, up to the end or a closing bracket.
    fn product(&mut self, depth: u32) -> Result<Unit, Fault> {
        let mut unit = self.factor(depth)?;
        let mut divided = false;
        loop {
            self.rest = self.rest.trim_start();
            let Some(c) = self.rest.chars().next() else {
                return Ok(unit);
            };
            match c {
                ')' => return Ok(unit),
                '/' => {
                    self.skip(c);
                    unit = unit.times(self.factor(depth)?.power(-1));
                    divided = true;
                }
                _ if divided => {
                    return Err(Fault::new(format!(
                        "the unit {} is ambiguous: a product after a `/`",
                        quote(self.text)
                    ))
                    .help("use brackets, as in N/(m s), or put the product first, as in N s/m"));
                }
                '*' | '·' | '⋅' | '.' => {
                    self.skip(c);
                    unit = unit.times(self.factor(depth)?);
                }
                _ => unit = unit.times(self.factor(depth)?),
            }
        }
    }

    /// A symbol or a bracket, with its power.
    fn factor(&mut self, depth: u32) -> Result<Unit, Fault> {
        self.rest = self.rest.trim_start();
        let unit = if self.rest.starts_with('(') && depth < 4 {
            self.skip('(');
            let inner = self.product(depth + 1)?;
            if !self.rest.starts_with(')') {
                return Err(Fault::new(format!(
                    "a `)` is missing in the unit {}",
                    quote(self.text)
                ))
                .help("close the bracket, as in N/(m/s)"));
            }
            self.skip(')');
            inner
        } else {
            let length = self
                .rest
                .find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%' | '‰')))
                .unwrap_or(self.rest.len());
            let length = if length == 0 && self.rest.starts_with('1') {
                1
            } else {
                length
            };
            if length == 0 {
                return Err(match self.rest.chars().next() {
                    Some(c) => self.unexpected(c),
                    None => Fault::new(format!("the unit {} breaks off", quote(self.text)))
                        .help("write a unit such as kg, N m or km/h"),
                });
            }
            let (name, rest) = self.rest.split_at(length);
            self.rest = rest;
            find(name)?
        };
        Ok(unit.power(self.exponent()?))
    }

    /// `^2`, `^-1`, `²`, `⁻¹` or nothing.
    fn exponent(&mut self) -> Result<i32, Fault> {
        let mut digits = String::new();
        if self.rest.starts_with('^') {
            self.skip('^');
            let length = self
                .rest
                .find(|c: char| !(c.is_ascii_digit() || c == '-' || c == '+'))
                .unwrap_or(self.rest.len());
            digits.push_str(&self.rest[..length]);
            self.rest = &self.rest[length..];
        } else {
            while let Some(c) = self.rest.chars().next() {
                let Some(plain) = superscript(c) else { break };
                digits.push(plain);
                self.skip(c);
            }
            if digits.is_empty() {
                return Ok(1);
            }
        }
        match digits.parse::<i32>() {
            Ok(n) if n != 0 && n.abs() <= GREATEST_POWER => Ok(n),
            _ => Err(Fault::new(format!(
                "a power in the unit {} is not a whole number between -9 and 9",
                quote(self.text)
            ))
            .help("write powers as in m^2, s^-1 or m²")),
        }
    }

    fn skip(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    fn unexpected(&self, c: char) -> Fault {
        let help = match c {
            ',' => "decimals are written with a point: 1.5, not 1,5",
            _ => "units are written as in kg m^2, N*m, km/h or N/(m/s)",
        };
        let c = c.escape_debug();
        Fault::new(format!("unexpected `{c}` in the unit {}", quote(self.text))).help(help)
    }
}

fn superscript(c: char) -> Option<char> {
    let digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    match c {
        '⁻' => Some('-'),
        _ => digits
            .chars()
            .zip('0'..='9')
            .find_map(|(raised, plain)| (raised == c).then_some(plain)),
    }
}

/// A symbol, or a prefix and a symbol.
fn find(name: &str) -> Result<Unit, Fault> {
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
        None => "known are m, kg, g, t, s, min, h, Hz, N, J, W, Pa, bar, rad, deg, rev, rpm, % and SI prefixes"
            .to_string(),
    };
    Err(Fault::new(format!("unknown unit {}", quote(name))).help(help))
}
