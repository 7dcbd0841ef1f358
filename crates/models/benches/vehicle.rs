//! Time per step of vehicles with 1 to 10 000 wheels through the public call that `run` uses, tallies on, beside the
//! single wheel in the same run. Times alternate, so that a noisy machine disturbs all alike.
//!
//! `cargo bench -p stickslip-models --bench vehicle`; with `count N STEPS` it makes STEPS steps of a vehicle with N wheels
//! and nothing else, for callgrind.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::{vehicle, wheel};

const DURATION: f64 = 6.0;
const TIMES: [f64; 4] = [0.5, 0.7, 2.0, 2.4];

/// Sport braking of the single wheel.
fn one() -> wheel::Wheel {
    wheel::Wheel::new(wheel::Parameters {
        brake: brake(1883.52),
        start: wheel::Start { x1: 20.0, x2: -20.0, ..wheel::Start::default() },
        ..wheel::Parameters::default()
    })
    .expect("valid")
}

fn brake(torque: f64) -> Signal {
    Signal::trapezoid(TIMES, torque).expect("sorted")
}

/// The same with n wheels whose brakes and frictions differ: some lock, some slip, some roll on.
fn many(n: usize) -> vehicle::Vehicle {
    let share = 1.0 / n as f64;
    let wheel = |i: usize| {
        // Spread evenly, in no order.
        let spread = (i as f64 * 0.618_033_988_749_895).fract();
        vehicle::WheelData {
            name: format!("{i}"),
            share,
            friction: Signal::Constant(0.5 + 0.4 * spread),
            brake: brake(1883.52 * (0.2 + spread)),
            ..vehicle::WheelData::default()
        }
    };
    vehicle::Vehicle::new(vehicle::Parameters {
        mass: 400.0 * n as f64,
        wheels: (0..n).map(wheel).collect(),
        start: vehicle::Start { x1: 20.0, ..vehicle::Start::default() },
        ..vehicle::Parameters::default()
    })
    .expect("valid")
}

/// Four axles with loads that follow the forces, or not.
fn axles(height: Option<f64>) -> vehicle::Vehicle {
    let mut p = many(4).parameters().clone();
    for (wheel, ahead) in p.wheels.iter_mut().zip([3.0, 1.0, -1.0, -3.0]) {
        wheel.place.ahead = ahead;
    }
    p.body = height.map(|height| vehicle::Body { height, stiffness: vec![1.0; 4] });
    vehicle::Vehicle::new(p).expect("valid")
}

fn steps_of(n: usize) -> u64 {
    (4_000_000 / n as u64).clamp(6_000, 1_000_000)
}

fn drive(vehicle: &vehicle::Vehicle, steps: u64) -> f64 {
    let grid = Grid { h: DURATION / steps as f64, steps };
    implicit_euler(vehicle, grid, &mut NullObserver).expect("runs").state.x1()
}

fn nanoseconds<T>(steps: u64, work: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    black_box(work());
    begin.elapsed().as_secs_f64() * 1e9 / steps as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let number = |k: usize| arguments[at + k].parse::<u64>().expect("count takes wheels and steps");
        black_box(drive(&many(number(1) as usize), number(2)));
        return;
    }
    let sizes = [1, 2, 4, 8, 16, 64, 256, 1000, 10_000];
    let vehicles: Vec<_> = sizes.iter().map(|&n| (n, many(n))).collect();
    let wheel = one();
    let single_steps = 1_000_000;
    let grid = Grid { h: DURATION / single_steps as f64, steps: single_steps };
    let mut best = vec![f64::INFINITY; sizes.len()];
    let mut single = f64::INFINITY;
    let moving = [axles(None), axles(Some(1.0))];
    let mut moved = [f64::INFINITY; 2];
    for _ in 0..7 {
        for (best, vehicle) in moved.iter_mut().zip(&moving) {
            *best = best.min(nanoseconds(single_steps, || drive(vehicle, single_steps)));
        }
        single =
            single.min(nanoseconds(single_steps, || implicit_euler(&wheel, grid, &mut NullObserver).expect("runs")));
        for (best, (n, vehicle)) in best.iter_mut().zip(&vehicles) {
            let steps = steps_of(*n);
            *best = best.min(nanoseconds(steps, || drive(vehicle, steps)));
        }
    }
    println!("single wheel {single:8.2} ns per step");
    for (n, best) in sizes.iter().zip(&best) {
        let (per_wheel, ratio) = (best / *n as f64, best / single);
        println!("{n:6} wheels {best:10.1} ns per step, {per_wheel:6.2} per wheel, {ratio:8.2} single wheels");
    }
    let of = |n: usize| sizes.iter().position(|&m| m == n).map_or(f64::NAN, |k| best[k] / n as f64);
    println!("wanted: 4 wheels at most 6 single wheels: {:.2}", 4.0 * of(4) / single);
    println!("wanted: at most 12 ns per wheel from 64 on: {:.2}, {:.2}, {:.2}", of(64), of(1000), of(10_000));
    let [still, moved] = moved;
    println!(
        "wanted: loads that move (4 axles) at most 3 times the step without: {:.2} ({moved:.1}, {still:.1} ns)",
        moved / still
    );
    println!("wanted: 10 000 at most twice 64, per wheel: {:.2}", of(10_000) / of(64));
}
