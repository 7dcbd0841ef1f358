//! Vehicles that brake, side by side and one by one: other masses, frictions and brakes, 3000 steps each, on 2 and 4 wheels. The bits are
//! the same. Times are those of the processor (`common`), the least of three rounds in which both alternate.
//!
//! `cargo bench -p stickslip-models --bench vehicles_side_by_side [-- VEHICLES]`

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod common;

use common::seconds;
use stickslip_core::scheme::{Block, Grid, NullObserver, SideBySide, implicit_euler, side_by_side};
use stickslip_core::signal::Signal;
use stickslip_models::vehicle::{Parameters, Start, Vehicle, VehicleState, WheelData};

const TIMES: [f64; 4] = [0.5, 0.7, 2.0, 2.4];
const GRID: Grid = Grid { h: 1e-3, steps: 3000 };
const RADIUS: f64 = 0.3;
const GRAVITY: f64 = 9.81;
const WIDTH: usize = <<Vehicle as SideBySide>::Block as Block<Vehicle>>::WIDTH;

/// Vehicles of which some lock all wheels, some one axle, and some none.
fn vehicles(count: usize, wheels: usize) -> Vec<Vehicle> {
    let spread = |n: usize, step: f64| (n as f64 * step).fract();
    let vehicle = |n: usize| {
        let mass = 900.0 + 600.0 * spread(n, 0.618_033_988_75);
        let friction = 0.3 + 0.7 * spread(n, 0.754_877_666_25);
        let share = 1.0 / wheels as f64;
        let full = share * friction * mass * GRAVITY * RADIUS;
        let wheel = |i: usize| WheelData {
            name: format!("w{i}"),
            share,
            friction: Signal::Constant(friction * if i.is_multiple_of(2) { 1.0 } else { 0.8 }),
            brake: Signal::trapezoid(TIMES, (0.5 + spread(n + i, 0.569_840_290_998)) * full).expect("sorted"),
            ..WheelData::default()
        };
        Vehicle::new(Parameters {
            mass,
            wheels: (0..wheels).map(wheel).collect(),
            start: Start { x1: 20.0, ..Start::default() },
            ..Parameters::default()
        })
        .expect("valid")
    };
    (0..count).map(vehicle).collect()
}

fn together(vehicles: &[Vehicle]) -> Vec<Vec<f64>> {
    let mut out = Vec::with_capacity(vehicles.len());
    for block in vehicles.chunks(WIDTH) {
        for end in side_by_side(block, GRID) {
            out.push(speeds(end.expect("a sound run").run.end()));
        }
    }
    out
}

fn alone(vehicles: &[Vehicle]) -> Vec<Vec<f64>> {
    let end = |vehicle: &Vehicle| implicit_euler(vehicle, GRID, &mut NullObserver).expect("runs").state;
    vehicles.iter().map(|vehicle| speeds(&end(vehicle))).collect()
}

/// Speed and place of the chassis, then the slips of the wheels.
fn speeds(state: &VehicleState) -> Vec<f64> {
    [state.x1(), state.x()].iter().chain(state.v()).copied().collect()
}

fn main() {
    let count: usize = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(16_000);
    for wheels in [2, 4] {
        let vehicles = vehicles(count, wheels);
        let some = &vehicles[..count.min(1600)];
        let (mut block, mut single, mut two) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for _ in 0..3 {
            let (time, ours) = seconds(|| together(&vehicles));
            block = block.min(time);
            let (time, one_by_one) = seconds(|| alone(some));
            single = single.min(time);
            assert_eq!(ours[..some.len()], one_by_one[..], "the same bits");
            let (time, same) = common::on_two(&vehicles, count / 2 / WIDTH * WIDTH, together);
            two = two.min(time);
            assert!(same == ours, "the same bits");
        }
        let steps = (count as u64 * GRID.steps) as f64;
        let alone_rate = some.len() as f64 * GRID.steps as f64 / single;
        println!("{wheels} wheels, side by side  {:.2e} vehicle-steps/s ({block:.2} s)", steps / block);
        println!(
            "{wheels} wheels, one by one    {alone_rate:.2e} vehicle-steps/s: side by side is {:.1} times as fast",
            steps / block / alone_rate
        );
        println!("{wheels} wheels, on two cores  {:.2} times as fast as on one", block / two);
    }
}
