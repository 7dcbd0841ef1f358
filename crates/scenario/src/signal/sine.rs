//! Signals given as a sine.

use std::f64::consts::TAU;

use serde::Deserialize;
use stickslip_core::signal::{Signal, Sine};

use super::table::must_be;
use crate::fault::Fault;
use crate::kind::{Angle, Frequency, Kind, Time};
use crate::quantity::{Bounds, Positive, Quantity};

/// Amplitude, frequency or period, phase (default 0), offset (default 0).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "K: Kind")]
pub(super) struct SineTable<K> {
    amplitude: Quantity<K>,
    frequency: Option<Quantity<Frequency, Positive>>,
    period: Option<Quantity<Time, Positive>>,
    #[serde(default)]
    phase: Quantity<Angle>,
    #[serde(default)]
    offset: Quantity<K>,
}

impl<K: Kind> SineTable<K> {
    pub fn read<B: Bounds>(&self, what: &str) -> Result<Signal, Fault> {
        let omega = match (&self.frequency, &self.period) {
            (Some(frequency), None) => TAU * frequency.si,
            (None, Some(period)) => TAU / period.si,
            (Some(_), Some(period)) => {
                return Err(Fault::new("a sine cannot have both `frequency` and `period`")
                    .help("leave one of them out")
                    .at(&period.span));
            }
            (None, None) => {
                return Err(Fault::new("a sine needs a `frequency` or a `period`")
                    .help("write for example frequency = \"2 Hz\""));
            }
        };
        let signal =
            Signal::Sine(Sine { offset: self.offset.si, amplitude: self.amplitude.si, omega, phase: self.phase.si });
        let (least, greatest) = signal.extremes().map_or(((0.0, 0.0), (0.0, 0.0)), |e| (e.least, e.greatest));
        if ![omega, least.1, greatest.1].iter().all(|v| v.is_finite()) {
            return Err(Fault::new(format!("{what} overflows: amplitude, offset or frequency is too large"))
                .help("numbers reach to about 1.8e308"));
        }
        if !B::admits(least.1) {
            return Err(must_be::<K, B>(what, least.0, least.1));
        }
        Ok(signal)
    }
}
