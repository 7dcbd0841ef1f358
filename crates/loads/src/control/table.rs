//! A command read off a table.

use serde::{Deserialize, Serialize};
use stickslip_core::law::curve::Curve;

use super::{ControlError, Controller, ranges};
use stickslip_core::range::in_range;

/// Data of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableData {
    /// Ts \[s\], > 0.
    pub period: f64,
    /// Points (measurement, command), the measurements rising; straight between them, constant outside.
    pub points: Vec<(f64, f64)>,
    /// Name of the measurement.
    pub measures: [String; 1],
    /// Name of the command.
    pub commands: [String; 1],
}

/// The controller: u_k = table(y_k). It remembers nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    data: TableData,
    curve: Curve,
}

impl Table {
    /// A controller with these data.
    pub fn new(data: TableData) -> Result<Table, ControlError> {
        in_range::<ranges::Period>("period", data.period, "s")?;
        let curve = Curve::held(&data.points)?;
        Ok(Table { data, curve })
    }
}

impl Controller for Table {
    type Memory = ();

    fn measurements(&self) -> &[String] {
        &self.data.measures
    }

    fn commands(&self) -> &[String] {
        &self.data.commands
    }

    fn period(&self) -> f64 {
        self.data.period
    }

    fn start(&self) {}

    fn sample(&self, _k: u64, measured: &[f64], (): &mut (), commands: &mut [f64]) {
        commands[0] = self.curve.at(measured[0]);
    }
}
