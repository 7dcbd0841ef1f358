//! The wheel on a rail as everything else knows it.

use stickslip_core::mechanics::SystemError;
use stickslip_core::simulation::{Simulation, SimulationError, Stepped};
use stickslip_run::text::number;
use stickslip_run::view::{PoincareSection, View};
use stickslip_run::{Gauge, Kind, Model, Part, RunFailure, Scenario, Summary, TimeModel, Trace};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, builtin};

use super::file::RailWheelTables;
use super::{Plan, RailWheel, charts, measures};

/// What makes the wheel on a rail known. Its claims stand with those of rolling contacts.
pub const KIND: Kind = Kind { format: Format::of::<RailWheelTables>(BUILTINS), claims: &[] };

const BUILTINS: &[Builtin] =
    &[builtin!("rail-wheel-braking", "A railway wheel brakes: creeps, slides nearly to locking, recovers, rests")];

impl Model for Plan {
    fn name(&self) -> &'static str {
        RailWheelTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let (wheel, patch) = (self.wheel().map_err(RunFailure::model)?, &self.patch);
        let curve = &wheel.parameters().curve;
        Ok(vec![
            "m x1' + f = W,  J x2' + f + g = M/R,  g in a_B sigma(x2),  |f| <= mu N".to_string(),
            "f'/k + V xi(f) + N(f) contains x1 + x2,  V = |x1 - x2|/2; see docs/creep.md 6".to_string(),
            format!(
                "contact    a = {} m, b = {} m, mu N = {} N, k = {} N/m",
                number(patch.a()),
                number(patch.b()),
                number(patch.limit()),
                number(patch.stiffness())
            ),
            format!(
                "curve      {}, {} points, {} from a creepage of {}",
                self.theory_name(),
                self.points(),
                if curve.slides_fully() { "full slip" } else { "no more force" },
                number(curve.full_slip())
            ),
            format!("J = I/R^2  {} kg", number(wheel.j())),
        ])
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(self.wheel().map_err(RunFailure::model)?))
    }

    fn no_check(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "--half-step compares steps with the scheme events, and a wheel on a creep-force curve runs by steps only",
            "leave it out; try --set run.step=... with half the step to see what the step does",
        ))
    }
}

impl TimeModel for RailWheel {
    /// The scheme `events` needs forces that are smooth between events, and this law has the kinks of a table.
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        match scheme {
            Scheme::Events => Err(SystemError::ByStepsOnly { what: "creep-force curves" }.into()),
            _ => Ok(Box::new(Stepped::new(self.clone(), h))),
        }
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(measures::gauge(self))
    }

    fn parts(&self) -> Vec<Part> {
        vec![measures::part()]
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        Ok(charts::rail_wheel(self, trace, summary))
    }

    fn stuck_means(&self) -> Option<&'static str> {
        Some(
            "ground: share of the time without sliding as a whole; it creeps meanwhile, by the creepage of the creep curve",
        )
    }

    fn section(&self, _: &Scenario) -> Option<PoincareSection> {
        None
    }
}
