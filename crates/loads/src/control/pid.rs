//! Proportional, integral, derivative.

use serde::{Deserialize, Serialize};

use super::{ControlError, Controller, ranges};
use stickslip_core::range::{finite, in_range};

/// Data of a PID controller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PidData {
    /// Ts \[s\], > 0.
    pub period: f64,
    /// What the measurement shall be.
    pub target: f64,
    /// Command per unit of error.
    pub proportional: f64,
    /// Command per unit of error and second.
    #[serde(default)]
    pub integral: f64,
    /// Command per unit of error rate.
    #[serde(default)]
    pub derivative: f64,
    /// Least and greatest command.
    pub limits: [f64; 2],
    /// Name of the measurement.
    pub measures: [String; 1],
    /// Name of the command.
    pub commands: [String; 1],
}

/// What it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct PidState {
    /// Integral part of the command.
    pub integral: f64,
    /// The measurement before, if there was one.
    pub last: Option<f64>,
}

/// The controller: with e = target − measurement,
///
/// ```text
/// I_k = I_{k−1} + K_I Ts e_k,      u_k = clamp(K_P e_k + I_k − K_D (y_k − y_{k−1})/Ts, limits)
/// ```
///
/// The derivative is that of the measurement, so that a new target does not kick; while the command is at a limit the
/// integral does not grow further that way.
#[derive(Debug, Clone, PartialEq)]
pub struct Pid {
    data: PidData,
}

impl Pid {
    /// A controller with these data.
    pub fn new(data: PidData) -> Result<Pid, ControlError> {
        in_range::<ranges::Period>("period", data.period, "s")?;
        for (what, value) in [
            ("target", data.target),
            ("proportional", data.proportional),
            ("integral", data.integral),
            ("derivative", data.derivative),
        ] {
            finite(what, value, "")?;
        }
        let [low, high] = data.limits;
        if low.is_nan() || high.is_nan() || low >= high {
            return Err(ControlError::Order { low_name: "limits[0]", low, high_name: "limits[1]", high });
        }
        Ok(Pid { data })
    }
}

impl Controller for Pid {
    type Memory = PidState;

    fn measurements(&self) -> &[String] {
        &self.data.measures
    }

    fn commands(&self) -> &[String] {
        &self.data.commands
    }

    fn period(&self) -> f64 {
        self.data.period
    }

    fn start(&self) -> PidState {
        PidState::default()
    }

    fn sample(&self, _k: u64, measured: &[f64], memory: &mut PidState, commands: &mut [f64]) {
        let (d, [low, high]) = (&self.data, self.data.limits);
        let error = d.target - measured[0];
        let change = memory.last.map_or(0.0, |last| measured[0] - last);
        memory.last = Some(measured[0]);
        let grown = memory.integral + d.integral * d.period * error;
        let free = |integral: f64| d.proportional * error + integral - d.derivative * change / d.period;
        let (now, then) = (free(memory.integral), free(grown));
        let winds_up = (then > high && then > now) || (then < low && then < now);
        if !winds_up {
            memory.integral = grown;
        }
        commands[0] = free(memory.integral).clamp(low, high);
    }
}
