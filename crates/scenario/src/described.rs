//! Numbers made in code, checked by the fields of the tables that describe them in files.
//!
//! A parameter's unit and range are the type of its field in a table, and its meaning is that field's doc comment: from there they go
//! to the reader of files, to the schema and to the reference of keys, and, by these functions, to programs that fill in the
//! parameters themselves.

use stickslip_core::range::{OutOfRange, SignalOutOfRange, in_range, stays_in_range};
use stickslip_core::signal::Signal;

use crate::kind::Kind;
use crate::quantity::{Bounds, Quantity};
use crate::signal::SignalOf;

/// A field of a table: what kind of number it is, and within which bounds.
pub trait Described {
    /// Mass, length, …
    type Kind: Kind;
    /// Any, positive, …
    type Bounds: Bounds;
}

impl<K: Kind, B: Bounds> Described for Quantity<K, B> {
    type Kind = K;
    type Bounds = B;
}

impl<K: Kind, B: Bounds> Described for SignalOf<K, B> {
    type Kind = K;
    type Bounds = B;
}

impl<D: Described> Described for Option<D> {
    type Kind = D::Kind;
    type Bounds = D::Bounds;
}

fn unit<D: Described>() -> &'static str {
    match D::Kind::SI {
        "1" => "",
        unit => unit,
    }
}

/// Checks a number as a file's would be checked: `check(|table: &Wheel| &table.mass, "mass", mass)`.
pub fn check<T, D: Described>(_: fn(&T) -> &D, what: &'static str, value: f64) -> Result<(), OutOfRange> {
    in_range::<D::Bounds>(what, value, unit::<D>()).map(|_| ())
}

/// Checks a signal as a file's would be checked.
pub fn check_signal<T, D: Described>(
    _: fn(&T) -> &D,
    what: &'static str,
    signal: &Signal,
) -> Result<(), SignalOutOfRange> {
    stays_in_range::<D::Bounds>(what, signal, unit::<D>())
}
