//! Signals in scenario files: a constant, or a table in one of the forms below.
//!
//! ```toml
//! torque = "10 N m"
//! torque = { points = [[0, 0], ["0.5 s", "10 N m"]] }
//! torque = { trapezoid = ["0.5 s", "0.7 s", "2 s", "2.4 s"], max = "1883.52 N m" }
//! torque = { sine = { amplitude = "10 N m", frequency = "2 Hz", phase = "90 deg", offset = 0 } }
//! torque = { expression = "100*sin(2*pi*t)" }
//! torque = { csv = "torque.csv", time = "t", column = "M", unit = "kN m" }
//! torque = { csv = "pedal.csv", column = "p", unit = "bar", scale = "15 N m/bar", offset = 0, shift = "0.2 s" }
//! ```
//!
//! serde checks the shape and every single number; what concerns several of them (order of times, one
//! form only, signs) is checked in `read`, which knows all their places.

mod change;
mod column;
mod schema;
mod sine;
mod table;

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::{Deserialize, Deserializer, de};
use stickslip_core::signal::{Expression, Signal};
use toml::Spanned;

use crate::fault::Fault;
use crate::format::Context;
use crate::input::NamedSignal;
use crate::kind::Kind;
use crate::quantity::{Any, Bounds, Numbers, advice, out_of_bounds};
pub use column::delimiter;
use table::Table;

/// A signal whose values are of kind `K` within bounds `B`.
#[derive(Debug)]
pub struct SignalOf<K, B = Any> {
    form: Form<K, B>,
    span: Range<usize>,
}

#[derive(Debug)]
enum Form<K, B> {
    Constant(f64),
    Table(Box<Table<K>>, PhantomData<B>),
}

impl<K, B> Default for SignalOf<K, B> {
    fn default() -> Self {
        SignalOf { form: Form::Constant(0.0), span: 0..0 }
    }
}

impl<K: Kind, B: Bounds> SignalOf<K, B> {
    /// Its place in the file.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The signal; `what` it is goes into messages ("the brake torque").
    pub fn read(&self, what: &str, context: &mut Context<'_>) -> Result<Signal, Fault> {
        let signal = match &self.form {
            Form::Constant(value) => Signal::Constant(*value),
            Form::Table(table, _) => table.read::<B>(what, context).map_err(|fault| fault.at(&self.span))?,
        };
        context.gathered.signals.push(NamedSignal { what: what.to_string(), signal: signal.clone() });
        Ok(signal)
    }
}

impl<'de, K: Kind, B: Bounds> Deserialize<'de> for SignalOf<K, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Form<K, B>>::deserialize(deserializer)?;
        Ok(SignalOf { span: spanned.span(), form: spanned.into_inner() })
    }
}

impl<'de, K: Kind, B: Bounds> Deserialize<'de> for Form<K, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms(PhantomData))
    }
}

/// Accepts numbers, strings with units, and tables.
struct Forms<K, B>(PhantomData<(K, B)>);

impl<K: Kind, B: Bounds> Forms<K, B> {
    fn constant<E: de::Error>((value, shown): (f64, String)) -> Result<Form<K, B>, E> {
        if B::admits(value) { Ok(Form::Constant(value)) } else { Err(out_of_bounds::<K, B>(&shown).raise()) }
    }
}

impl<'de, K: Kind, B: Bounds> de::Visitor<'de> for Forms<K, B> {
    type Value = Form<K, B>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} or a table that describes a signal", K::NAME)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Numbers::<K>(PhantomData).visit_f64(value).and_then(Self::constant)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Numbers::<K>(PhantomData).visit_u64(value).and_then(Self::constant)
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Self::Value, E> {
        Numbers::<K>(PhantomData).visit_i128(value).and_then(Self::constant)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Self::Value, E> {
        Numbers::<K>(PhantomData).visit_u128(value).and_then(Self::constant)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let (value, shown) = Numbers::<K>(PhantomData).visit_str(text).map_err(|error: E| {
            // A formula without its table is the likeliest slip.
            if text.trim().parse::<f64>().is_err() && Expression::new(text).is_ok() {
                Fault::new(format!("{} is not {}", crate::fault::quote(text), K::NAME))
                    .help(format!(
                        "a formula is written {{ expression = {} }}; for a constant {}",
                        crate::fault::quote(text),
                        advice::<K>()
                    ))
                    .raise()
            } else {
                error
            }
        })?;
        Self::constant((value, shown))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let table = Table::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(Form::Table(Box::new(table), PhantomData))
    }
}
