//! Motion in closed form, from event to event.

mod against_steps;
mod bodies;
mod closed_forms;
mod integrated;
mod masses;
mod ties;
mod vehicles;

use stickslip_core::mechanics::{Ledger, System};
use stickslip_core::scheme::events::{EventRunResult, Settings, events};
use stickslip_core::scheme::{Event, Grid, Recording as Keep};
use stickslip_core::signal::{Points, Signal};
use stickslip_models::wheel::{Parameters, Start, Wheel, WheelState};

/// Data of section 7.1 of the equations.
const MASS: f64 = 400.0;
const INERTIA: f64 = 1.2;
const RADIUS: f64 = 0.3;
const J: f64 = INERTIA / (RADIUS * RADIUS);
const A_G: f64 = 0.8 * MASS * 9.81;

fn wheel(motor: Signal, brake: Signal, x1: f64, x2: f64) -> Wheel {
    Wheel::new(Parameters {
        mass: MASS,
        inertia: INERTIA,
        radius: RADIUS,
        motor,
        brake,
        start: Start { x1, x2, ..Start::default() },
        ..Parameters::default()
    })
    .expect("valid")
}

/// The torque of a force at the circumference.
fn torque(times: [f64; 4], force: f64) -> Signal {
    Signal::trapezoid(times, force * RADIUS).expect("sorted")
}

fn points(times: &[f64], values: &[f64]) -> Signal {
    Signal::Points(Points::new(times.to_vec(), values.to_vec()).expect("sorted"))
}

fn run(wheel: &Wheel, duration: f64, samples: u64) -> (EventRunResult<WheelState>, Keep<WheelState>) {
    let mut keep = Keep::every(1);
    let grid = Grid { h: duration / samples as f64, steps: samples };
    let passage = events(wheel, grid, &Settings::default(), &mut keep).expect("runs");
    (passage, keep)
}

fn ledger(wheel: &Wheel, passage: &EventRunResult<WheelState>) -> Ledger {
    wheel.ledger(&passage.state)
}

/// (t, contact, sign before, sign after).
fn list(events: &[Event]) -> Vec<(f64, usize, i8, i8)> {
    events.iter().map(|e| (e.t, e.contact, e.from.sign(), e.to.sign())).collect()
}

fn assert_events(found: &[Event], expected: &[(f64, usize, i8, i8)]) {
    let found = list(found);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f.0 - e.0).abs() <= 1e-10 && (f.1, f.2, f.3) == (e.1, e.2, e.3), "{f:?} {e:?}");
    }
}
