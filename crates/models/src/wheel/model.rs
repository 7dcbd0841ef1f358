//! The wheel as everything else knows it.

use std::sync::Arc;

use stickslip_core::scheme::Grid;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::text::number;
use stickslip_run::view::{PoincareSection, View, recurrence};
use stickslip_run::{Gauge, Kind, Model, Part, RunFailure, Summary, TimeModel, Trace, by_any_scheme, stepped_together};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, builtin};

use super::file::WheelTables;
use super::{Parameters, Wheel, charts, claims, measures};
use crate::explain::driven;

/// What makes the wheel known.
pub const KIND: Kind = Kind { format: Format::of::<WheelTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!("wheel-sport-drive", "Full throttle from rest: the wheel spins, then grips"),
    builtin!("wheel-sport-braking", "Hard braking from 20 m/s: the wheel locks, then rolls again"),
    builtin!("wheel-smooth-ride", "A gentle ride to a stop that stays a stop: the wheel never slips"),
];

impl Model for Parameters {
    fn name(&self) -> &'static str {
        WheelTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let weight = self.mass * self.gravity;
        Ok(vec![
            "m x1' + f = 0,  J x2' + f + g = M/R,  f in a_G sigma(x1 + x2),  g in a_B sigma(x2)".to_string(),
            "J = I/R^2, a_G = mu m g, a_B = brake torque / R; see docs/wheel.md".to_string(),
            format!(
                "m = {} kg   J = {} kg   m g = {} N",
                number(self.mass),
                number(self.inertia / (self.radius * self.radius)),
                number(weight)
            ),
            driven(self.radius, weight, [&self.friction, &self.motor, &self.brake]),
        ])
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(Wheel::new(self.clone()).map_err(RunFailure::model)?))
    }

    fn side_by_side(&self, models: &[Arc<dyn Model>], grid: Grid) -> Vec<Option<Box<dyn Simulation>>> {
        stepped_together(models, grid, |model| Wheel::new(model.of::<Parameters>()?.clone()).ok())
    }
}

impl TimeModel for Wheel {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(measures::gauge(self))
    }

    fn parts(&self) -> Vec<Part> {
        vec![measures::part()]
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        Ok(charts::wheel(self, trace, summary))
    }

    fn recurrence(&self, section: &PoincareSection, trace: &Trace, view: &mut View) {
        recurrence(self, section, trace, view);
    }
}
