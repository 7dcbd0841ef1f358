//! Vehicles: slopes, braking, energy (docs/vehicle.md).

mod elements;
mod loads;
mod road;

use crate::vehicle::road::Road;
use crate::vehicle::{Described, Parameters, Start, Vehicle, VehicleState, WheelData};
use stickslip_core::mechanics::System;
use stickslip_core::scheme::{Grid, NullObserver, Outcome, implicit_euler};
use stickslip_core::signal::Signal;

use crate::law::vehicle_residual;
use crate::wheel::claims::lab::Manoeuvre::Braking;
use stickslip_verify::Basis::{ClosedForm, Consistency, Law, Method};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured};

use crate::wheel::claims::lab;

const GRAVITY: f64 = 9.81;

/// What vehicles claim.
pub(super) const CHAPTERS: &[Chapter] = &[CHAPTER, loads::CHAPTER, road::CHAPTER, elements::CHAPTER];

const CHAPTER: Chapter = Chapter {
    title: "Vehicles: parked, braked, started uphill",
    claims: &[
        Claim::that("parked on 10°, μ = 0.8, all wheels locked, 3600 s: distance (m)")
            .by(ClosedForm, "docs/vehicle.md 1: rest holds below the threshold")
            .expects(Exactly(0.0), |_| Ok(Number(parked(10_f64.to_radians(), 3600.0)?.state.x()))),
        Claim::that("the same at tan θ = 0.999999 μ, 60 s: distance (m)")
            .by(ClosedForm, "docs/vehicle.md 1")
            .expects(Exactly(0.0), |_| Ok(Number(parked((0.8 * 0.999_999_f64).atan(), 60.0)?.state.x()))),
        Claim::that("the same at tan θ = 1.000001 μ, 60 s: speed over −g (sin θ − μ cos θ) t")
            .by(ClosedForm, "docs/vehicle.md 1")
            .expects(Within(1.0, 1e-8), |_| {
                let slope = (0.8 * 1.000_001_f64).atan();
                let expected = -60.0 * GRAVITY * (slope.sin() - 0.8 * slope.cos());
                Ok(Number(parked(slope, 60.0)?.state.x1() / expected))
            }),
        Claim::that("parked on 10°: greatest deviation of a wheel's force from its share of the pull, relative")
            .by(ClosedForm, "docs/vehicle.md 2: one ϑ")
            .expects(AtMost(1e-14), |_| {
                let slope = 10_f64.to_radians();
                let quarter = -0.25 * 1200.0 * GRAVITY * slope.sin();
                let out = parked(slope, 1.0)?;
                Ok(Number(out.state.f().iter().fold(0.0, |m: f64, f| m.max((f / quarter - 1.0).abs()))))
            }),
        Claim::that("built-in park-on-slope, ten minutes: distance (m)")
            .by(ClosedForm, "docs/vehicle.md 1: rest holds below the threshold")
            .expects(Exactly(0.0), |_| {
                let (car, duration) = builtin("park-on-slope")?;
                Ok(Number(run(&car, duration, 60_000)?.state.x()))
            }),
        Claim::that("one wheel on level ground, sport braking: deviation of the end speed from the wheel model (m/s)")
            .by(Method, "docs/vehicle.md 1")
            .expects(AtMost(1e-11), |_| one_wheel()),
        Claim::that("two braked axles that roll: x1' = −Σa_B/(m + ΣJ) (m/s²)")
            .by(ClosedForm, "docs/vehicle.md 2")
            .expects(Near(-2000.0 / (1200.0 + 2.0 * 1.2 / 0.09), 1e-11), |_| {
                let wheels = vec![wheel("a", 0.5, 300.0), wheel("b", 0.5, 300.0)];
                Ok(Number((run(&vehicle(wheels, 0.0, 20.0)?, 2.0, 2000)?.state.x1() - 20.0) / 2.0))
            }),
        Claim::that("all wheels locked: x1' = −μ g (m/s²)").by(ClosedForm, "docs/wheel.md 2").expects(
            Near(-0.8 * GRAVITY, 1e-10),
            |_| {
                let wheels = (0..4).map(|k| wheel(&k.to_string(), 0.25, 1e6)).collect();
                let car = vehicle(wheels, 0.0, 20.0)?;
                Ok(Number(run(&car, 2.0, 2000)?.state.x1() - run(&car, 1.0, 1000)?.state.x1()))
            },
        ),
        Claim::that("built-in car-two-wheels-braking at t = 2 s: speed of the locked front axle (m/s)")
            .by(Consistency, "rest is exact")
            .expects(Exactly(0.0), |_| {
                let (car, _) = builtin("car-two-wheels-braking")?;
                Ok(Number(run(&car, 2.0, 2000)?.state.v()[0]))
            }),
        Claim::that("the same: x1 + v of the rear axle, which rolls (m/s)").by(Consistency, "rest is exact").expects(
            Exactly(0.0),
            |_| {
                let (car, _) = builtin("car-two-wheels-braking")?;
                let out = run(&car, 2.0, 2000)?;
                Ok(Number(out.state.x1() + out.state.v()[1]))
            },
        ),
        Claim::that("built-in hill-start: position at t = 2 s, before the brakes let go (m)")
            .by(ClosedForm, "docs/vehicle.md 1: rest holds below the threshold")
            .expects(Exactly(0.0), |_| {
                let (car, _) = builtin("hill-start")?;
                Ok(Number(run(&car, 2.0, 2000)?.state.x()))
            }),
        Claim::that("built-in car-four-wheels-braking: order of the energy closure")
            .by(Consistency, "implicit Euler")
            .expects(Near(1.0, 0.05), |_| {
                let (car, duration) = builtin("car-four-wheels-braking")?;
                let closure = |steps| run(&car, duration, steps).map(|out| car.ledger(&out.state).closure());
                Ok(Number((closure(8000)? / closure(16_000)?).log2()))
            }),
        Claim::that("the same: contacts that have given energy").by(Consistency, "second law").expects(
            Exactly(0.0),
            |_| {
                let (car, duration) = builtin("car-four-wheels-braking")?;
                let ledger = car.ledger(&run(&car, duration, 8000)?.state);
                Ok(Number(ledger.dissipated.iter().filter(|d| d.energy.is_nan() || d.energy < 0.0).count() as f64))
            },
        ),
        Claim::that("the same: residual of all steps, relative")
            .by(Law, "docs/vehicle.md 1, from the states given out")
            .expects(AtMost(1e-14), |_| {
                let (car, duration) = builtin("car-four-wheels-braking")?;
                Ok(Number(vehicle_residual(&car, duration, 8000)?))
            }),
    ],
};

fn wheel(name: &str, share: f64, brake: f64) -> WheelData {
    WheelData { name: name.to_string(), share, brake: Signal::Constant(brake), ..WheelData::default() }
}

fn vehicle(wheels: Vec<WheelData>, slope: f64, x1: f64) -> Result<Vehicle, String> {
    let start = Start { x1, ..Start::default() };
    let slope = Signal::Constant(slope);
    let road = Road::default();
    Vehicle::new(Parameters { gravity: GRAVITY, wheels, slope, road, start, ..Parameters::default() })
        .map_err(|e| e.to_string())
}

fn run(car: &Vehicle, duration: f64, steps: u64) -> Result<Outcome<VehicleState>, String> {
    implicit_euler(car, Grid { h: duration / steps as f64, steps }, &mut NullObserver).map_err(|e| e.to_string())
}

fn parked(slope: f64, duration: f64) -> Result<Outcome<VehicleState>, String> {
    let wheels = (0..4).map(|k| wheel(&k.to_string(), 0.25, 1e5)).collect();
    run(&vehicle(wheels, slope, 0.0)?, duration, (100.0 * duration) as u64)
}

pub(super) fn builtin(name: &str) -> Result<(Vehicle, f64), String> {
    let scenario = crate::MODELS.builtin(name, &[]).map_err(|e| e.to_string())?;
    let Some(Described { parameters, .. }) = scenario.model.of() else {
        return Err(format!("{name} is no vehicle"));
    };
    let vehicle = Vehicle::new(parameters.clone()).map_err(|e| e.to_string())?;
    Ok((vehicle, scenario.run.duration))
}

fn one_wheel() -> Measured {
    let (single, duration) = Braking.wheel()?;
    let p = single.parameters();
    let car = Vehicle::new(Parameters {
        mass: p.mass,
        gravity: p.gravity,
        wheels: vec![WheelData {
            name: "only".into(),
            radius: p.radius,
            inertia: p.inertia,
            friction: p.friction.clone(),
            motor: p.motor.clone(),
            brake: p.brake.clone(),
            ..WheelData::default()
        }],
        start: Start { x1: p.start.x1, ..Start::default() },
        ..Parameters::default()
    })
    .map_err(|e| e.to_string())?;
    let (a, b) = (run(&car, duration, 6000)?.state, lab::end(&single, duration, 6000)?);
    Ok(Number((a.x1() - b.x1).abs().max((a.v()[0] - b.x2).abs())))
}
