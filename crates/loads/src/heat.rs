//! Brake discs that warm up, and brakes that fade with it.
//!
//! ```text
//! C Ṫ = share·|g v| − hA (T − T0),      a_B(t, T) = a_B(t)·c(T)
//! ```
//!
//! C = m_d c_p is the heat capacity of the disc, |g v| the power of a brake that slips (one that holds makes no heat), c the
//! fade factor: straight between points of a table, constant outside. A step takes c at the temperature with which it begins;
//! a scheme from event to event integrates T along with the speeds and stops at the corners of c.

use serde::{Deserialize, Serialize};
use stickslip_core::law::curve::{Curve, CurveError};

use stickslip_core::range::{OutOfRange, finite, in_range};

/// Ranges of the numbers of a disc, in code and in files.
pub mod ranges {
    pub use stickslip_core::range::{
        Fraction as Share, NonNegative as Cooling, Positive as Mass, Positive as SpecificHeat,
    };
}

/// Data of a disc, as users give them. Temperatures are in °C, or in K if all are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscData {
    /// Mass m_d \[kg\], > 0.
    pub mass: f64,
    /// Specific heat c_p [J/(kg K)], > 0.
    pub specific_heat: f64,
    /// hA [W/K], ≥ 0: what cooling air takes.
    pub cooling: f64,
    /// T0: temperature of the air, and of the disc at the start.
    pub ambient: f64,
    /// Part of the heat that enters the disc, 0 … 1; the rest goes into the pads.
    #[serde(default = "whole")]
    pub share: f64,
    /// Points (T, c) of the fade factor, T rising, c ≥ 0; without any c = 1.
    #[serde(default)]
    pub fade: Vec<(f64, f64)>,
}

fn whole() -> f64 {
    1.0
}

/// Why data make no disc.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DiscError {
    /// A number is out of its range.
    #[error("brake disc: {0}")]
    Number(#[from] OutOfRange),
    /// The fade table is empty, unsorted or not finite.
    #[error("fade table: {0}")]
    Table(#[from] CurveError),
    /// A fade factor below zero. Points count from 0.
    #[error("fade table: point {index} has the factor {factor} at {temperature}: a brake cannot push, it must be ≥ 0")]
    Negative {
        /// Which point.
        index: usize,
        /// Its temperature.
        temperature: f64,
        /// Its factor.
        factor: f64,
    },
}

/// A brake disc.
#[derive(Debug, Clone, PartialEq)]
pub struct Disc {
    capacity: f64,
    cooling: f64,
    ambient: f64,
    share: f64,
    fade: Option<Curve>,
}

/// What is in a disc, and what has left it. Plain data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Warmth {
    /// Temperature.
    pub temperature: f64,
    /// Heat that the air has taken \[J\].
    pub cooled: f64,
    /// Heat that went into the pads \[J\].
    pub passed_by: f64,
}

impl Disc {
    /// A disc of these data.
    pub fn new(data: &DiscData) -> Result<Disc, DiscError> {
        let mass = in_range::<ranges::Mass>("mass", data.mass, "kg")?;
        let specific_heat = in_range::<ranges::SpecificHeat>("specific heat", data.specific_heat, "J/(kg K)")?;
        for (index, &(temperature, factor)) in data.fade.iter().enumerate() {
            if factor < 0.0 {
                return Err(DiscError::Negative { index, temperature, factor });
            }
        }
        Ok(Disc {
            capacity: mass * specific_heat,
            cooling: in_range::<ranges::Cooling>("cooling", data.cooling, "W/K")?,
            ambient: finite("ambient temperature", data.ambient, "°C")?,
            share: in_range::<ranges::Share>("share", data.share, "")?,
            fade: if data.fade.is_empty() { None } else { Some(Curve::held(&data.fade)?) },
        })
    }

    /// The disc as cold as the air.
    pub fn cold(&self) -> Warmth {
        Warmth { temperature: self.ambient, cooled: 0.0, passed_by: 0.0 }
    }

    /// c(T).
    #[inline]
    pub fn fade(&self, temperature: f64) -> f64 {
        self.fade.as_ref().map_or(1.0, |fade| fade.at(temperature))
    }

    /// Temperatures at which c has corners: events for a scheme that integrates from one to the next.
    pub fn corners(&self) -> &[f64] {
        self.fade.as_ref().map_or(&[], Curve::places)
    }

    /// Ṫ [K/s] while the brake turns `power` = |g v| ≥ 0 \[W\] into heat.
    #[inline]
    pub fn rate(&self, temperature: f64, power: f64) -> f64 {
        (self.share * power - self.cooling * (temperature - self.ambient)) / self.capacity
    }

    /// Power that the air takes \[W\].
    #[inline]
    pub fn cooling_power(&self, temperature: f64) -> f64 {
        self.cooling * (temperature - self.ambient)
    }

    /// Of an energy that the brake has dissipated, what went into the pads \[J\].
    pub fn into_pads(&self, energy: f64) -> f64 {
        energy - self.share * energy
    }

    /// Heat in the disc above that of the air \[J\].
    pub fn heat(&self, warmth: &Warmth) -> f64 {
        self.capacity * (warmth.temperature - self.ambient)
    }

    /// One implicit step of size h \[s\] in which the brake has dissipated `energy` ≥ 0 \[J\]:
    /// C (T⁺ − T) = share·energy − h hA (T⁺ − T0). What goes in is in the disc, in the air or in the pads, to rounding.
    #[inline]
    pub fn step(&self, warmth: &mut Warmth, energy: f64, h: f64) {
        let excess = warmth.temperature - self.ambient;
        let entered = self.share * energy;
        let after = (self.capacity * excess + entered) / (self.capacity + h * self.cooling);
        warmth.temperature = self.ambient + after;
        warmth.cooled += h * self.cooling * after;
        warmth.passed_by += energy - entered;
    }

    /// The warmth after a time t ≥ 0 \[s\] without braking, exactly.
    pub fn cool(&self, warmth: &mut Warmth, t: f64) {
        let excess = warmth.temperature - self.ambient;
        let gone = -(-self.cooling * t / self.capacity).exp_m1();
        warmth.temperature -= excess * gone;
        warmth.cooled += self.capacity * excess * gone;
    }

    /// T − T0 after braking from a cold disc with the constant force a_B \[N\], speed v0 − a t:
    ///
    /// ```text
    /// θ(t) = (a_B/hA)[(v0 + a C/hA − a t) − (v0 + a C/hA) e^{−hA t/C}]
    /// ```
    ///
    /// (share = 1, hA > 0; valid until the stop.)
    pub fn braking_from_cold(&self, force: f64, speed: f64, deceleration: f64, t: f64) -> f64 {
        let level = speed + deceleration * self.capacity / self.cooling;
        let decay = (-self.cooling * t / self.capacity).exp();
        self.share * force / self.cooling * (level - deceleration * t - level * decay)
    }
}
