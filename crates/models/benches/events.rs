//! The whole sport braking in closed form, from event to event, beside 100 implicit steps of the same wheel. Times of
//! both alternate, so that a noisy machine disturbs both alike.
//!
//! `cargo bench -p stickslip-models --bench events`; with `count N` it makes N runs and nothing else, for callgrind, and with
//! `count N lists` those of the same wheel as a vehicle, whose masses and rows of H are lists.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_core::scheme::events::{Settings, events};
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::vehicle;
use stickslip_models::wheel::{Parameters, Start, Wheel};

const RADIUS: f64 = 0.3;
const A_G: f64 = 0.8 * 400.0 * 9.81;
const DURATION: f64 = 6.0;

fn sport_braking() -> Wheel {
    Wheel::new(Parameters {
        radius: RADIUS,
        brake: Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 2.0 * A_G * RADIUS).expect("sorted"),
        start: Start { x1: 20.0, x2: -20.0, ..Start::default() },
        ..Parameters::default()
    })
    .expect("valid")
}

/// The same as a vehicle on one wheel.
fn on_lists(wheel: &Wheel) -> vehicle::Vehicle {
    let p = wheel.parameters();
    let own = vehicle::WheelData {
        name: "wheel".into(),
        friction: p.friction.clone(),
        brake: p.brake.clone(),
        inertia: p.inertia,
        radius: p.radius,
        ..vehicle::WheelData::default()
    };
    vehicle::Vehicle::new(vehicle::Parameters {
        mass: p.mass,
        wheels: vec![own],
        start: vehicle::Start { x1: p.start.x1, ..vehicle::Start::default() },
        ..vehicle::Parameters::default()
    })
    .expect("valid")
}

#[inline(never)]
fn in_closed_form(wheel: &Wheel) -> (f64, u64) {
    let grid = Grid { h: DURATION, steps: 1 };
    let passage = events(wheel, grid, &Settings::default(), &mut NullObserver).expect("runs");
    (passage.state.x1, passage.spans)
}

#[inline(never)]
fn through(vehicle: &vehicle::Vehicle) -> f64 {
    let grid = Grid { h: DURATION, steps: 1 };
    events(vehicle, grid, &Settings::default(), &mut NullObserver).expect("runs").state.x1()
}

#[inline(never)]
fn in_steps(wheel: &Wheel, steps: u64) -> f64 {
    let grid = Grid { h: DURATION / steps as f64, steps };
    implicit_euler(wheel, grid, &mut NullObserver).expect("runs").state.x1
}

/// Mean time of a call, of a thousand [s].
fn seconds<T>(work: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    for _ in 0..1000 {
        black_box(work());
    }
    begin.elapsed().as_secs_f64() / 1000.0
}

fn main() {
    let wheel = sport_braking();
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let runs: u64 = arguments[at + 1].parse().expect("count takes a number of runs");
        let lists = (arguments.get(at + 2).map(String::as_str) == Some("lists")).then(|| on_lists(&wheel));
        for _ in 0..runs {
            match &lists {
                None => black_box(in_closed_form(black_box(&wheel)).0),
                Some(vehicle) => black_box(through(black_box(vehicle))),
            };
        }
        return;
    }
    let closed = || in_closed_form(black_box(&wheel));
    let hundred = || in_steps(black_box(&wheel), black_box(100));
    let (speed, spans) = closed();
    let rounds: Vec<[f64; 2]> = (0..401).map(|_| [seconds(closed), seconds(hundred)]).collect();
    let best = |k: usize| rounds.iter().map(|r| r[k]).fold(f64::INFINITY, f64::min) * 1e6;
    let mut ratios: Vec<f64> = rounds.iter().map(|r| r[0] / r[1]).collect();
    ratios.sort_by(f64::total_cmp);
    println!("sport braking in closed form, {spans} spans   {:.3} µs, end speed {speed:.6} m/s", best(0));
    println!("100 implicit steps                        {:.3} µs, end speed {:.6} m/s", best(1), hundred());
    println!(
        "closed form / 100 steps: {:.2} at best, {:.2} in the median (at most 1 wanted)",
        best(0) / best(1),
        ratios[ratios.len() / 2]
    );
}
