//! Anti-lock braking by thresholds on the slip.

use serde::{Deserialize, Serialize};

use super::{ControlError, Controller, ranges};
use stickslip_core::range::in_range;

/// Data of an anti-lock controller, with the keys of scenario files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AntiLockData {
    /// Ts \[s\], > 0.
    #[serde(default = "defaults::period")]
    pub period: f64,
    /// Brake torque that the driver asks for \[N·m\], ≥ 0.
    pub demand: f64,
    /// Rate of the torque while it rises [N·m/s], > 0.
    #[serde(default = "defaults::rise")]
    pub rise: f64,
    /// Rate while it falls [N·m/s], < 0.
    #[serde(default = "defaults::fall")]
    pub fall: f64,
    /// Slip λ = (v − w)/v below which the torque rises.
    #[serde(default = "defaults::slip_low")]
    pub slip_low: f64,
    /// Slip above which it falls.
    #[serde(default = "defaults::slip_high")]
    pub slip_high: f64,
    /// Speed below which the controller switches off for good [m/s], > 0.
    #[serde(default = "defaults::speed_off")]
    pub speed_off: f64,
    /// Names of the measured speed of the vehicle and the circumferential speed of the wheel, both positive forward.
    pub measures: [String; 2],
    /// Name of the command: the rate of the bound of the brake torque [N·m/s].
    pub commands: [String; 1],
}

impl AntiLockData {
    /// With the default of all keys that have one.
    pub fn new(demand: f64, measures: [String; 2], command: String) -> AntiLockData {
        AntiLockData {
            period: defaults::period(),
            demand,
            rise: defaults::rise(),
            fall: defaults::fall(),
            slip_low: defaults::slip_low(),
            slip_high: defaults::slip_high(),
            speed_off: defaults::speed_off(),
            measures,
            commands: [command],
        }
    }
}

/// Defaults of the keys.
mod defaults {
    pub fn period() -> f64 {
        7.3e-3
    }
    pub fn rise() -> f64 {
        12_000.0
    }
    pub fn fall() -> f64 {
        -24_000.0
    }
    pub fn slip_low() -> f64 {
        0.08
    }
    pub fn slip_high() -> f64 {
        0.18
    }
    pub fn speed_off() -> f64 {
        2.0
    }
}

/// What the controller does with the brake torque.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AntiLockMode {
    /// The torque rises: λ was below the lower threshold, or the controller is off.
    Up,
    /// It is held: λ came down from above and is between the thresholds.
    Hold,
    /// It falls: λ is above the upper threshold.
    Down,
}

/// What it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AntiLockState {
    /// What it does.
    pub mode: AntiLockMode,
    /// Whether it has switched off.
    pub off: bool,
    /// Entries into [`AntiLockMode::Down`].
    pub cycles: u64,
    /// Least distance of λ from a threshold at a sample: how far the run was from another decision; infinite before the
    /// first one.
    pub margin: f64,
}

/// The controller:
///
/// ```text
/// v < speed_off → off for good;   off → UP;   else λ = (v − w)/v:
/// λ > slip_high → DOWN;   λ < slip_low → UP;   else DOWN becomes HOLD, and anything else stays
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AntiLock {
    data: AntiLockData,
}

impl AntiLock {
    /// A controller with these data.
    pub fn new(data: AntiLockData) -> Result<AntiLock, ControlError> {
        in_range::<ranges::Period>("period", data.period, "s")?;
        in_range::<ranges::Demand>("demand", data.demand, "N·m")?;
        in_range::<ranges::Rise>("rise", data.rise, "N·m/s")?;
        in_range::<ranges::Fall>("fall", data.fall, "N·m/s")?;
        in_range::<ranges::Slip>("slip_low", data.slip_low, "")?;
        in_range::<ranges::Slip>("slip_high", data.slip_high, "")?;
        in_range::<ranges::SpeedOff>("speed_off", data.speed_off, "m/s")?;
        if data.slip_low >= data.slip_high {
            let (low, high) = (data.slip_low, data.slip_high);
            return Err(ControlError::Order { low_name: "slip_low", low, high_name: "slip_high", high });
        }
        Ok(AntiLock { data })
    }

    /// Its data.
    pub fn data(&self) -> &AntiLockData {
        &self.data
    }

    /// The torque a time t after it was `torque` with the given rate, cut exactly at 0 and at the demand \[N·m\].
    #[inline]
    pub fn torque(&self, torque: f64, rate: f64, t: f64) -> f64 {
        (torque + rate * t).clamp(0.0, self.data.demand)
    }

    /// How long the torque can go on at a rate until it is cut \[s\]; infinite if it is not.
    pub fn until_cut(&self, torque: f64, rate: f64) -> f64 {
        if rate > 0.0 && torque < self.data.demand {
            (self.data.demand - torque) / rate
        } else if rate < 0.0 && torque > 0.0 {
            -torque / rate
        } else {
            f64::INFINITY
        }
    }
}

impl Controller for AntiLock {
    type Memory = AntiLockState;

    fn measurements(&self) -> &[String] {
        &self.data.measures
    }

    fn commands(&self) -> &[String] {
        &self.data.commands
    }

    fn period(&self) -> f64 {
        self.data.period
    }

    fn start(&self) -> AntiLockState {
        AntiLockState { mode: AntiLockMode::Up, off: false, cycles: 0, margin: f64::INFINITY }
    }

    fn sample(&self, _k: u64, measured: &[f64], memory: &mut AntiLockState, commands: &mut [f64]) {
        let (speed, wheel) = (measured[0], measured[1]);
        memory.off |= speed < self.data.speed_off;
        let next = if memory.off {
            AntiLockMode::Up
        } else {
            let slip = (speed - wheel) / speed;
            let distance = (slip - self.data.slip_low).abs().min((slip - self.data.slip_high).abs());
            memory.margin = memory.margin.min(distance);
            if slip > self.data.slip_high {
                AntiLockMode::Down
            } else if slip < self.data.slip_low {
                AntiLockMode::Up
            } else if memory.mode == AntiLockMode::Down {
                AntiLockMode::Hold
            } else {
                memory.mode
            }
        };
        memory.cycles += u64::from(next == AntiLockMode::Down && memory.mode != AntiLockMode::Down);
        memory.mode = next;
        commands[0] = match next {
            AntiLockMode::Up => self.data.rise,
            AntiLockMode::Hold => 0.0,
            AntiLockMode::Down => self.data.fall,
        };
    }

    fn mode(&self, memory: &AntiLockState) -> Option<f64> {
        Some(match memory.mode {
            AntiLockMode::Up => 1.0,
            AntiLockMode::Hold => 0.0,
            AntiLockMode::Down => -1.0,
        })
    }

    fn tallies(&self, memory: &AntiLockState) -> Vec<(&'static str, f64)> {
        vec![("cycles", memory.cycles as f64), ("margin", memory.margin)]
    }
}
