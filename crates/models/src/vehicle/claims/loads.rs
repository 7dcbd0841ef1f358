//! Loads that move between wheels (docs/vehicle.md 5).

use stickslip_core::scheme::{ByEvents, Event, Grid, NullObserver, Recording, implicit_euler};
use stickslip_verify::Basis::{ClosedForm, Consistency, Law, Program};
use stickslip_verify::Expected::{AtMost, Near};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured};

use super::builtin;
use crate::vehicle::VehicleState;

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Vehicles: loads that follow the forces",
    claims: &[
        Claim::that("car-brake-ramp by events: way to the stop (m)")
            .by(Program, "reference/loads/car-brake-ramp-events.csv, polynomials in 40 digits")
            .expects(Near(68.112_971_538_837, 1e-8), |_| way("car-brake-ramp")),
        Claim::that("the same: the front axle locks at (s)")
            .by(Program, "reference/loads/car-brake-ramp-events.csv")
            .expects(Near(1.071_500_623_879_5, 1e-8), |_| {
                Ok(Number(by_events("car-brake-ramp")?.1.get(2).ok_or("too few events")?.t))
            }),
        Claim::that("car-brake-release by events: way to the stop (m)")
            .by(Program, "reference/loads/car-brake-release-events.csv")
            .expects(Near(81.662_798_240_42, 1e-8), |_| way("car-brake-release")),
        Claim::that("truck-three-axles by events: way to the stop (m)")
            .by(Program, "reference/loads/truck-three-axles-events.csv")
            .expects(Near(35.055_729_035_657, 1e-8), |_| way("truck-three-axles")),
        Claim::that("car-brake-ramp, all wheels locked: load of the front axle over N⁰ + h μ m g/L")
            .by(ClosedForm, "docs/vehicle.md 5, moments about the centre of mass")
            .expects(Near(1.0, 1e-12), |_| {
                let (car, _) = builtin("car-brake-ramp")?;
                let run = car.by_events(Grid { h: 2.0, steps: 1 }, &Default::default(), &mut NullObserver);
                let state = run.map_err(|e| e.to_string())?.state;
                let weight = 1200.0 * 9.81;
                Ok(Number(car.load(0, 2.0, &state) / (weight * 1.4 / 2.6 + 0.55 * 0.8 * weight / 2.6)))
            }),
        Claim::that("the same by steps: order of the way to the stop").by(Consistency, "implicit Euler").expects(
            Near(1.0, 0.05),
            |_| {
                let (car, duration) = builtin("car-brake-ramp")?;
                let miss = |steps: u64| -> Result<f64, String> {
                    let grid = Grid { h: duration / steps as f64, steps };
                    let run = implicit_euler(&car, grid, &mut NullObserver).map_err(|e| e.to_string())?;
                    Ok(run.state.x() - 68.112_971_538_837)
                };
                Ok(Number((miss(5000)? / miss(10_000)?).log2()))
            },
        ),
        Claim::that("the same: greatest force beyond μN in any step, relative")
            .by(Law, "Coulomb's law, from forces and loads given out")
            .expects(AtMost(1e-12), |_| {
                let (car, duration) = builtin("car-brake-ramp")?;
                let mut seen = Recording::every(1);
                let grid = Grid { h: duration / 5000.0, steps: 5000 };
                implicit_euler(&car, grid, &mut seen).map_err(|e| e.to_string())?;
                let beyond = |(t, u): &(f64, VehicleState), i: usize| u.f()[i].abs() / (0.8 * car.load(i, *t, u)) - 1.0;
                let worst = seen.samples.iter().flat_map(|sample| [beyond(sample, 0), beyond(sample, 1)]);
                Ok(Number(worst.fold(0.0, f64::max)))
            }),
    ],
};

fn by_events(name: &str) -> Result<(VehicleState, Vec<Event>), String> {
    let (car, duration) = builtin(name)?;
    let mut seen = Recording::of_events();
    let run = car.by_events(Grid { h: duration, steps: 1 }, &Default::default(), &mut seen);
    Ok((run.map_err(|e| e.to_string())?.state, seen.events))
}

fn way(name: &str) -> Measured {
    Ok(Number(by_events(name)?.0.x()))
}
