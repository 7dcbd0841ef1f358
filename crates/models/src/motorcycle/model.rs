//! The motorcycle as everything else knows it.

use stickslip_core::scheme::EventToEvent;
use stickslip_core::simulation::{Simulation, SimulationError, SimulationOf};
use stickslip_loads::lift::rear_lifts_at;
use stickslip_run::by_steps_or;
use stickslip_run::text::number;
use stickslip_run::view::View;
use stickslip_run::{Gauge, Kind, Model, Part, RunFailure, Summary, TimeModel, Trace};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, builtin};

use super::events::PlanarUnits;
use super::file::MotorcycleTables;
use super::{Motorcycle, Parameters, WHEELS, charts, claims, measures};

/// What makes the motorcycle known.
pub const KIND: Kind = Kind { format: Format::of::<MotorcycleTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!(
        "motorcycle-stoppie",
        "A hard front brake lifts the rear wheel of a motorcycle: up, over the top of it, and down"
    ),
    builtin!(
        "motorcycle-stoppie-small",
        "The same brake for a tenth of a second: the rear wheel just leaves the ground"
    ),
    builtin!("motorcycle-wheelie", "A strong motor lifts the front wheel"),
    builtin!("motorcycle-wheelie-spin", "A wheelie with a rear wheel that spins"),
    builtin!(
        "load-transfer-three-solutions",
        "One state, three motions: friction so high that contacts have three solutions"
    ),
];

impl Model for Parameters {
    fn name(&self) -> &'static str {
        MotorcycleTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let motorcycle = Motorcycle::new(self.clone()).map_err(RunFailure::model)?;
        let d = &self.data;
        let rest = motorcycle.body.loads_at_rest();
        let mut lines = vec![
            "m X'' = sum T,  m Z'' = -m g + sum N,  J phi'' = sum (xi N - zeta T - B - M),  I theta'' = R T + B + M"
                .to_string(),
            "0 <= N perp gap >= 0,  T in -mu N sigma(slip),  B in -alpha sigma(theta' - phi'); see docs/motorcycle.md"
                .into(),
            format!(
                "m = {} kg   m g = {} N   height {} m",
                number(d.mass),
                number(d.mass * d.gravity),
                number(d.height)
            ),
        ];
        for (i, name) in WHEELS.iter().enumerate() {
            let wheel = &d.wheels[i];
            lines.push(format!(
                "{name}: {} m {} the centre of mass   load at rest {} N   mu = {}   I/R^2 = {} kg",
                number(wheel.place.abs()),
                if i == 0 { "ahead of" } else { "behind" },
                number(rest[i]),
                number(wheel.friction),
                number(wheel.inertia / (wheel.radius * wheel.radius))
            ));
        }
        let front = &d.wheels[0];
        let j = front.inertia / (front.radius * front.radius);
        let torque = rear_lifts_at(d.mass, d.gravity, front.place, d.height, front.radius, j);
        lines.push(format!(
            "the rear lifts at a front brake torque of {} N m, if the front wheel rolls",
            number(torque)
        ));
        let behind = d.wheels[1].place.abs();
        lines.push(format!(
            "locked wheels lift the rear above mu = {}, a driven rear wheel the front above mu = {}",
            number(front.place / d.height),
            number(behind / d.height)
        ));
        Ok(lines)
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(Motorcycle::new(self.clone()).map_err(RunFailure::model)?))
    }
}

impl TimeModel for Motorcycle {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_steps_or(self, scheme, h, || {
            Ok(Box::new(SimulationOf::hold(self.clone(), EventToEvent::new(self, PlanarUnits::new(self)?)?)))
        })
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(Box::new(measures::OfMotorcycle::new(self)))
    }

    fn parts(&self) -> Vec<Part> {
        measures::parts()
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        Ok(charts::motorcycle(self, trace, summary))
    }
}
