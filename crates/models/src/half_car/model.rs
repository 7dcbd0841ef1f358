//! The half-car as everything else knows it.

use std::f64::consts::TAU;

use stickslip_core::scheme::EventToEvent;
use stickslip_core::simulation::{Simulation, SimulationError, SimulationOf};
use stickslip_run::by_steps_or;
use stickslip_run::text::number;
use stickslip_run::view::View;
use stickslip_run::{Gauge, Kind, Model, Part, RunFailure, Summary, TimeModel, Trace};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, builtin};

use super::events::HalfCarUnits;
use super::file::HalfCarTables;
use super::{Car, Parameters, WHEELS, charts, claims, measures};

/// What makes the half-car known.
pub const KIND: Kind = Kind { format: Format::of::<HalfCarTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!(
        "half-car-braking",
        "A hard brake on springs: the body pitches further than at rest, and the rear tyre lifts"
    ),
    builtin!("half-car-bump", "A car on springs goes over a speed hump: its tyres leave the ground and land"),
];

impl Model for Parameters {
    fn name(&self) -> &'static str {
        HalfCarTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let car = Car::new(self.clone()).map_err(RunFailure::model)?;
        let (d, body) = (&self.data, car.body());
        let loads = body.static_loads();
        let [a, b] = d.corners.map(|corner| corner.place);
        let mut lines = vec![
            "m_s z'' = sum S,  J phi'' = sum x S - h F,  m z_i'' = -S_i + N_i - P_i,  S = -k s - c s'".to_string(),
            "N = max(0, P - k_T (z_i - road)): 0 <= N perp gap + N/k_T >= 0; see docs/half-car.md".into(),
            format!(
                "m_s = {} kg   with wheels {} kg   height {} m   wheelbase {} m",
                number(d.sprung_mass),
                number(body.mass()),
                number(d.height),
                number(a - b)
            ),
        ];
        for (i, name) in WHEELS.iter().enumerate() {
            let corner = &d.corners[i];
            let hop = ((corner.stiffness + corner.tyre_stiffness) / corner.mass).sqrt() / TAU;
            lines.push(format!(
                "{name}: load at rest {} N   tyre pressed in by {} mm   wheel hop at {} Hz",
                number(loads[i]),
                number(1000.0 * loads[i] / corner.tyre_stiffness),
                number(hop)
            ));
        }
        // Springs and tyres in series; a load that moves from axle to axle turns the body.
        let soft: f64 = d.corners.iter().map(|c| 1.0 / c.stiffness + 1.0 / c.tyre_stiffness).sum();
        lines.push(format!(
            "a constant brake force F moves a load of {} F to the front and settles at a pitch of {} rad per kN",
            number(d.height / (a - b)),
            number(-1000.0 * d.height * soft / ((a - b) * (a - b)))
        ));
        lines.push(format!(
            "at rest in the pitch the rear lifts at F = {} N ({} m/s^2); a brake that comes at once lifts it earlier",
            number(loads[1] * (a - b) / d.height),
            number(loads[1] * (a - b) / (d.height * body.mass()))
        ));
        Ok(lines)
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(Car::new(self.clone()).map_err(RunFailure::model)?))
    }
}

impl TimeModel for Car {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_steps_or(self, scheme, h, || {
            Ok(Box::new(SimulationOf::hold(self.clone(), EventToEvent::new(self, HalfCarUnits::new(self)?)?)))
        })
    }

    fn stuck_means(&self) -> Option<&'static str> {
        Some("on the ground")
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(Box::<measures::OfHalfCar>::default())
    }

    fn parts(&self) -> Vec<Part> {
        measures::parts()
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        Ok(charts::half_car(self, trace, summary))
    }
}
