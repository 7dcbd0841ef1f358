//! The towed wheel against its reference data, its linear theory and itself.

mod coefficients;
mod forms;
mod implicit;
mod motion;

use std::path::Path;

use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Event, Grid, Recording};
use stickslip_models::towed_wheel::{Form, Inertia, Parameters, Start, TowedState, TowedWheel};

/// The set P1 of docs/towed-wheel.md.
fn p1() -> Parameters {
    Parameters::default()
}

/// P1 with more grip and a larger start.
fn p2() -> Parameters {
    Parameters { friction: 400.0, start: Start { psi: 0.02, ..Start::default() }, ..p1() }
}

/// A stable one.
fn p3() -> Parameters {
    Parameters { bar_mass: 16.0, length: 0.3, stiffness: 6.5e4, start: Start { psi: 0.01, ..Start::default() }, ..p1() }
}

type Keep = Recording<TowedState>;

fn wheel(parameters: Parameters) -> TowedWheel {
    TowedWheel::new(parameters).expect("valid")
}

fn go(wheel: &TowedWheel, duration: f64, steps: u64) -> (EventRunResult<TowedState>, Keep) {
    let mut keep = Keep::every(1);
    let grid = Grid { h: duration / steps as f64, steps };
    let passage = wheel.by_events(grid, &Settings::default(), &mut keep).expect("runs");
    (passage, keep)
}

/// Rows of a file of the reference folder, split at commas, without the head.
fn reference(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/towed-wheel").join(name);
    let text = std::fs::read_to_string(path).expect("reference data");
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}
