//! Vehicles from event to event: their own solver against the general one and against implicit steps, at exact limits,
//! and what it costs.

mod against_steps;
mod cost;
mod lens;
mod limits;
mod random;
mod response;

use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Grid, Recording};
use stickslip_core::signal::{Points, Signal};
use stickslip_models::vehicle::{Parameters, Start, Vehicle, VehicleState, WheelData};

type Keep = Recording<VehicleState>;

const G: f64 = 9.81;

fn points(times: &[f64], values: &[f64]) -> Signal {
    Signal::Points(Points::new(times.to_vec(), values.to_vec()).expect("sorted"))
}

/// A wheel of 1 kg m² and 0.3 m with μ = 0.8.
fn wheel(name: usize, share: f64, motor: Signal, brake: Signal) -> WheelData {
    WheelData { name: format!("w{name}"), inertia: 1.0, share, motor, brake, ..WheelData::default() }
}

/// On a level road, without drag.
fn parameters(mass: f64, wheels: Vec<WheelData>, x1: f64) -> Parameters {
    Parameters { mass, gravity: G, wheels, start: Start { x1, ..Start::default() }, ..Parameters::default() }
}

fn car(parameters: Parameters) -> Vehicle {
    Vehicle::new(parameters).expect("valid")
}

fn by_events(car: &Vehicle, duration: f64, samples: u64) -> (EventRunResult<VehicleState>, Keep) {
    let mut keep = Keep::every(1);
    let grid = Grid { h: duration / samples as f64, steps: samples };
    let passage = car.by_events(grid, &Settings::default(), &mut keep).expect("runs");
    (passage, keep)
}
