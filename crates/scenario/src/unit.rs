//! Units: products and quotients of SI-prefixed symbols, such as `kg m^2`, `km/h`, `N/(m/s)`.
//!
//! A factor is kept as `num/den · 10^shift`, and the power of ten is applied to the digits of the number
//! before they become binary: `"4 mm"` is the same number as `0.004`, bit for bit, and `"35 km/h"` is
//! rounded once.

use crate::decimal::{Decimal, LONGEST};
use crate::dimension::{Dimension, dimension};
use crate::fault::{Fault, quote};
use crate::symbol::find;

/// A unit: its factor to SI and its dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    pub num: f64,
    pub den: f64,
    pub shift: i32,
    pub dimension: Dimension,
}

/// Greatest power a symbol may have, up or down.
const GREATEST_POWER: i32 = 9;

impl Unit {
    /// The number one: what no unit at all means.
    pub const ONE: Unit = Unit { num: 1.0, den: 1.0, shift: 0, dimension: dimension(0, 0, 0) };

    /// Reads a unit such as `kg m^2/s`.
    pub fn parse(text: &str) -> Result<Unit, Fault> {
        if text.len() > LONGEST {
            return Err(Fault::new("a unit longer than 200 characters").help("write a unit such as kg, N m or km/h"));
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
        let (num, den) = if n < 0 { (self.den, self.num) } else { (self.num, self.den) };
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
                return Err(Fault::new(format!("a `)` is missing in the unit {}", quote(self.text)))
                    .help("close the bracket, as in N/(m/s)"));
            }
            self.skip(')');
            inner
        } else {
            let length = self
                .rest
                .find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%' | '‰')))
                .unwrap_or(self.rest.len());
            let length = if length == 0 && self.rest.starts_with('1') { 1 } else { length };
            if length == 0 {
                return Err(match self.rest.chars().next() {
                    Some(c) => self.unexpected(c),
                    None => Fault::new(format!("the unit {} breaks off", quote(self.text)))
                        .help("write a unit such as kg, N m or km/h"),
                });
            }
            let (name, rest) = self.rest.split_at(length);
            self.rest = rest;
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits > 0 {
                let power = format!("{name}^{}", &rest[..digits]);
                return Err(Fault::new(format!("a power in the unit {} lacks its `^`", quote(self.text)))
                    .help(format!("write {power}")));
            }
            find(name)?
        };
        Ok(unit.power(self.exponent()?))
    }

    /// `^2`, `^-1`, `²`, `⁻¹` or nothing.
    fn exponent(&mut self) -> Result<i32, Fault> {
        let mut digits = String::new();
        if self.rest.starts_with('^') {
            self.skip('^');
            let length =
                self.rest.find(|c: char| !(c.is_ascii_digit() || c == '-' || c == '+')).unwrap_or(self.rest.len());
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
        _ => digits.chars().zip('0'..='9').find_map(|(raised, plain)| (raised == c).then_some(plain)),
    }
}
