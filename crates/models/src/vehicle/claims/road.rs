//! Roads by place, rolling resistance, drag, friction used, and the smoothed law (docs/vehicle.md).

use crate::vehicle::road::{Patch, Road, Side};
use crate::vehicle::smoothed::Smoothed;
use crate::vehicle::{Parameters, Start, Vehicle, VehicleState, WheelData};
use stickslip_core::mechanics::System;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;

use super::builtin;
use stickslip_verify::Basis::{ClosedForm, Consistency};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim};

const GRAVITY: f64 = 9.81;
const MASS: f64 = 1200.0;
/// Mass and wheels.
const INERTIA: f64 = MASS + 2.0 * 1.2 / 0.09;

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Roads by place, rolling resistance, drag, margins",
    claims: &[
        Claim::that("rolling resistance c = 0.012 alone from 2 m/s: speed one step after v0 (m + ΣJ)/(c m g)")
            .by(ClosedForm, "docs/vehicle.md 4")
            .expects(Exactly(0.0), |_| {
                let stop = 2.0 * INERTIA / (0.012 * MASS * GRAVITY);
                let steps = (stop / 0.01).ceil() as u64;
                Ok(Number(run(&coasting(0.012, 0.0, 0.0, 2.0)?, 0.01 * steps as f64, steps)?.x1()))
            }),
        Claim::that("free wheels on tan θ = 0.999999 c: distance in 60 s (m)")
            .by(ClosedForm, "docs/vehicle.md 1: rest holds below the threshold")
            .expects(Exactly(0.0), |_| {
                Ok(Number(run(&coasting(0.012, 0.0, (0.012 * 0.999_999_f64).atan(), 0.0)?, 60.0, 6000)?.x()))
            }),
        Claim::that("coast-down with drag and rolling resistance against v_t tan(atan(v0/v_t) − a t/v_t): order")
            .by(ClosedForm, "docs/vehicle.md 4")
            .expects(Near(1.0, 0.02), |_| {
                let force = 0.012 * MASS * GRAVITY;
                let (a, v_t) = (force / INERTIA, (force / 0.5_f64).sqrt());
                let exact = v_t * ((30.0 / v_t).atan() - a * 20.0 / v_t).tan();
                let car = coasting(0.012, 0.5, 0.0, 30.0)?;
                let error = |steps| run(&car, 20.0, steps).map(|state| (state.x1() - exact).abs());
                Ok(Number((error(2000)? / error(4000)?).log2()))
            }),
        Claim::that("locked wheels over ice, μ = 0.1 on [5, 15) m: stopping distance over that of ½ v0² = g ∫ μ dx")
            .by(ClosedForm, "docs/vehicle.md 4")
            // Each of the two edges and the stop come up to a step of 15 m/s · 0.1 ms late, on 23 m.
            .expects(Within(1.0, 3e-4), |_| {
                // 15² / 2 = g (0.8 · 5 + 0.1 · 10 + 0.8 (X − 15)).
                let exact = 15.0 + (112.5 / GRAVITY - 5.0) / 0.8;
                let ice = Patch { from: 5.0, to: 15.0, side: Side::Both, friction: Signal::Constant(0.1) };
                let road = Road { patches: vec![ice], ..Road::default() };
                let car = vehicle(road, 0.0, 0.0, 15.0, 1e6, Some(vec![0.0; 2]))?;
                Ok(Number(run(&car, 6.0, 60_000)?.x() / exact))
            }),
        Claim::that("built-in drive-off-on-ice at t = 3 s: friction used by the wheel that spins")
            .by(Consistency, "|f| = μN while it slips")
            .expects(Exactly(1.0), |_| {
                let (car, _) = builtin("drive-off-on-ice")?;
                Ok(Number(car.friction_used(1, 3.0, &run(&car, 3.0, 3000)?)))
            }),
        Claim::that("the same at the end, off the ice: x1 + v of that wheel (m/s)")
            .by(Consistency, "rest is exact")
            .expects(Exactly(0.0), |_| {
                let (car, duration) = builtin("drive-off-on-ice")?;
                let state = run(&car, duration, 8000)?;
                Ok(Number(state.x1() + state.v()[1]))
            }),
        Claim::that("built-in road-train, 200 wheels: worst residual, relative")
            .by(Consistency, "the solver's own tally")
            .expects(AtMost(1e-14), |_| {
                let (train, duration) = builtin("road-train")?;
                Ok(Number(train.worst_residual(&run(&train, duration, 4000)?)))
            }),
        Claim::that("built-in park-on-slope: friction used by the locked axle over tan θ/(0.4 μ)")
            .by(ClosedForm, "docs/vehicle.md 1")
            .expects(Within(1.0, 1e-14), |_| {
                let (car, _) = builtin("park-on-slope")?;
                let used = car.friction_used(1, 1.0, &run(&car, 1.0, 100)?);
                Ok(Number(used / (10_f64.to_radians().tan() / 0.32)))
            }),
        Claim::that("all wheels locked on 10° with μN tanh(slip/ε), ε = 1 mm/s: creep speed over −ε atanh(tan θ/μ)")
            .by(ClosedForm, "docs/vehicle.md 5")
            .expects(Within(1.0, 1e-12), |_| {
                let slope = 10_f64.to_radians();
                let car = vehicle(Road::default(), 0.0, slope, 0.0, 1e6, None)?;
                let smoothed = Smoothed::new(&car, 1e-3).map_err(|e| e.to_string())?;
                let end =
                    smoothed.run(Grid { h: 0.01, steps: 1000 }, u64::MAX, |_, _| {}).map_err(|e| e.to_string())?;
                Ok(Number(end.x1 / (-1e-3 * (slope.tan() / 0.8).atanh())))
            }),
    ],
};

/// Two wheels on a road.
fn vehicle(road: Road, drag: f64, slope: f64, x1: f64, brake: f64, v: Option<Vec<f64>>) -> Result<Vehicle, String> {
    let wheel = |name: &str| WheelData {
        name: name.into(),
        share: 0.5,
        brake: Signal::Constant(brake),
        ..WheelData::default()
    };
    Vehicle::new(Parameters {
        mass: MASS,
        gravity: GRAVITY,
        wheels: vec![wheel("a"), wheel("b")],
        slope: Signal::Constant(slope),
        drag,
        road,
        start: Start { x1, v, ..Start::default() },
        ..Parameters::default()
    })
    .map_err(|e| e.to_string())
}

fn coasting(rolling: f64, drag: f64, slope: f64, x1: f64) -> Result<Vehicle, String> {
    vehicle(Road { rolling, ..Road::default() }, drag, slope, x1, 0.0, None)
}

fn run(car: &Vehicle, duration: f64, steps: u64) -> Result<VehicleState, String> {
    let grid = Grid { h: duration / steps as f64, steps };
    implicit_euler(car, grid, &mut NullObserver).map(|out| out.state).map_err(|e| e.to_string())
}
