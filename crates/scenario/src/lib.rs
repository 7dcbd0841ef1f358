//! Scenario files: TOML with units and signals of time, checked before anything runs.
//!
//! Every value is an SI number or a string with a unit ("35 km/h"). Nothing is clamped or ignored:
//! unknown keys, wrong units, values out of range are [`Error`]s that know their line and column and say
//! what to write instead. The structs that read the files also give the [`schema()`].

mod builtin;
mod decimal;
mod described;
mod dimension;
#[cfg(feature = "drawn")]
pub mod drawn;
mod error;
mod expected;
mod extremes;
mod fault;
mod format;
mod friction;
mod head;
mod input;
mod keys;
mod kind;
mod name;
mod overrides;
mod point;
mod quantity;
mod run;
mod scenario;
mod schema;
mod signal;
pub mod sweep;
mod symbol;
mod table;
mod unit;
mod varied;
mod wording;

pub use builtin::Builtin;
pub use error::{Error, OVERRIDE_SOURCE, Position};
pub use expected::Measurable;
pub use extremes::ExtremeInput;
pub use format::{Format, Tables};
pub use input::{Input, NamedSignal};
pub use keys::keys;
pub use overrides::Override;
pub use run::{Output, Run, Scheme, Theta};
pub use scenario::Scenario;
pub use schema::schema;
pub use signal::delimiter;
pub use varied::{Interval, Varied};

/// What the tables of a model are made of.
pub mod tables {
    pub use crate::described::{Described, check, check_signal};
    pub use crate::fault::{Fault, listed, nearest, number, quote};
    pub use crate::format::{Context, Tables};
    pub use crate::friction::{AnyRatio, FrictionOf, curve};
    pub use crate::kind::*;
    pub use crate::name::{Named, same_column};
    pub use crate::point::Point;
    pub use crate::quantity::{Any, Bounds, Fraction, Negative, NonNegative, Positive, Quantity, Slope};
    pub use crate::run::{OutputTable, RunTable, Scheme, Theta};
    pub use crate::signal::SignalOf;
    pub use crate::table::{TableOf, optional_table, table, tables};
    pub use toml::Spanned;
}
