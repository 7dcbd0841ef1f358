//! `scale`, `offset` and `shift`: what a measured signal needs to become the one that is asked for.
//!
//! ```toml
//! brake = { csv = "pedal.csv", column = "pressure", unit = "bar", scale = "15 N m/bar", shift = "0.2 s" }
//! ```
//!
//! value(t) = scale · signal(t − shift) + offset.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use stickslip_core::signal::{Points, Signal, Sine};

use crate::decimal::Decimal;
use crate::fault::{Fault, quote};
use crate::unit::Unit;

/// A factor, with or without a unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// In SI units.
    pub factor: f64,
    /// What it multiplies dimensions with.
    pub unit: Unit,
}

impl<'de> Deserialize<'de> for Scale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Scales)
    }
}

struct Scales;

impl de::Visitor<'_> for Scales {
    type Value = Scale;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a factor such as 0.5 or \"15 N m/bar\"")
    }

    fn visit_f64<E: de::Error>(self, factor: f64) -> Result<Scale, E> {
        if factor.is_finite() { Ok(Scale { factor, unit: Unit::ONE }) } else { Err(wrong(&factor.to_string()).raise()) }
    }

    fn visit_i64<E: de::Error>(self, factor: i64) -> Result<Scale, E> {
        self.visit_f64(factor as f64)
    }

    fn visit_u64<E: de::Error>(self, factor: u64) -> Result<Scale, E> {
        self.visit_f64(factor as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Scale, E> {
        let (digits, rest) = Decimal::split(text.trim()).ok_or_else(|| wrong(text).raise())?;
        let unit = match rest.trim() {
            "" => Unit::ONE,
            unit => Unit::parse(unit).map_err(Fault::raise)?,
        };
        let factor = unit.value(digits).ok_or_else(|| wrong(text).raise())?;
        Ok(Scale { factor, unit })
    }
}

fn wrong(text: &str) -> Fault {
    Fault::new(format!("{} is not a factor", quote(text)))
        .help("write a number, or a number with a unit: \"15 N m/bar\"")
}

/// What becomes of a signal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub factor: f64,
    pub offset: f64,
    /// Later by this \[s\].
    pub shift: f64,
}

impl Change {
    /// The changed signal.
    pub fn of(&self, signal: Signal) -> Result<Signal, Fault> {
        let Change { factor, offset, shift } = *self;
        Ok(match signal {
            Signal::Constant(value) => Signal::Constant(factor * value + offset),
            Signal::Points(points) => {
                let times = points.times().iter().map(|t| t + shift).collect();
                let values = points.values().iter().map(|value| factor * value + offset).collect();
                let points = Points::new(times, values);
                Signal::Points(points.map_err(|e| Fault::new(format!("with scale, offset and shift: {e}")))?)
            }
            Signal::Sine(sine) => Signal::Sine(Sine {
                offset: factor * sine.offset + offset,
                amplitude: factor * sine.amplitude,
                phase: sine.phase - sine.omega * shift,
                ..sine
            }),
            Signal::Expression(_) => {
                return Err(Fault::new("`scale`, `offset` and `shift` do not go with `expression`")
                    .help("write them into the formula: { expression = \"15*sin(t - 0.2) + 3\" }"));
            }
        })
    }
}
