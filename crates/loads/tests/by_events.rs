//! A braked wheel on tyres from event to event, through standstill and under an anti-lock controller.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "common/braked_wheel.rs"]
mod braked_wheel;
mod common;

use braked_wheel::{Law, Plant, Wheel};
use common::{cells, columns, synthetic};
use stickslip_loads::control::{AntiLock, AntiLockData};
use stickslip_loads::tyre::Deflection;

const LOAD: f64 = 3924.0;

fn plant(law: Law) -> Plant {
    Plant { mass: 400.0, inertia: 1.2 / 0.09, radius: 0.3, law, push: 0.0, resistance: 0.0 }
}

fn deflection(stiffness: f64) -> Law {
    Law::Deflection(Deflection::new(synthetic().at(LOAD, 0.0), stiffness))
}

/// Runs to rest and compares every event with the table: t, V, w, z, x.
fn against(mut wheel: Wheel, table: &str) {
    let rows = columns(table);
    for row in &rows[1..] {
        // Where both speeds are zero a wheel that does not rest turns round.
        let wait = if row[1] == 0.0 { 1.0 } else { 10.0 };
        assert!(wheel.advance(wheel.t + wait, 0.0), "no event before {}", wheel.t);
        let [x, v, w, z] = wheel.y;
        assert!((wheel.t - row[0]).abs() < 1e-8, "{} {}", wheel.t, row[0]);
        assert!((v - row[3]).abs() < 1e-8 && (w - row[4]).abs() < 1e-8, "{v} {w} at {}", wheel.t);
        assert!((z - row[5]).abs() < 1e-9 && (x - row[6]).abs() < 1e-7, "{z} {x} at {}", wheel.t);
    }
    assert!(wheel.rests());
    assert_eq!((wheel.y[1], wheel.y[2]), (0.0, 0.0));
    let parked = wheel.y.map(f64::to_bits);
    let modes = wheel.decide();
    assert_eq!((modes.speed, modes.wheel), (0.0, 0.0));
    wheel.advance(wheel.t + 3600.0, 0.0);
    assert_eq!(wheel.y.map(f64::to_bits), parked, "not a bit in an hour");
}

#[test]
fn brakes_to_rest_on_the_deflection() {
    let plant = Plant { resistance: 0.01 * LOAD, ..plant(deflection(358_000.0)) };
    against(Wheel::new(plant, 30.0, 900.0), include_str!("../../../reference/tyre/tyre-brake-900.csv"));
    against(Wheel::new(plant, 30.0, 1500.0), include_str!("../../../reference/tyre/tyre-brake-1500-locks.csv"));
}

#[test]
fn parks_on_ten_percent() {
    let slope = 0.1_f64.atan();
    let load = LOAD * slope.cos();
    let law = Law::Deflection(Deflection::new(synthetic().at(load, 0.0), 358_000.0));
    let plant = Plant { push: -LOAD * slope.sin(), resistance: 0.01 * load, ..plant(law) };
    against(Wheel::new(plant, 0.0, 2000.0), include_str!("../../../reference/tyre/tyre-park-10-percent.csv"));
}

/// Value of a row of the steady table.
fn steady(case: &str, quantity: &str) -> f64 {
    let rows = cells(include_str!("../../../reference/tyre/steady-braking.csv"));
    let row = rows.iter().find(|row| row[0].contains(case) && row[1] == quantity).unwrap();
    row[2].parse().unwrap()
}

#[test]
fn brakes_on_the_steady_law() {
    let law = Law::Steady(synthetic().at(LOAD, 0.0));
    for torque in [900.0, 1150.0] {
        let case = format!("torque {torque} N m");
        let mut wheel = Wheel::new(plant(law), 30.0, torque);
        // Near the stop the slip is constant and the rest of the way a parabola.
        let least = 1e-4;
        assert!(wheel.advance(10.0, least));
        let [x, v, w, _] = wheel.y;
        let deceleration = torque / 0.3 / (400.0 + 1.2 / 0.09 * w / v);
        assert!((wheel.t + v / deceleration - steady(&case, "stop")).abs() < 1e-8);
        assert!((x + v * v / (2.0 * deceleration) - steady(&case, "dist")).abs() < 1e-7);
        assert!((w / v - 1.0 - steady(&case, "kstar")).abs() < 1e-8, "{}", w / v - 1.0);
    }
    let mut wheel = Wheel::new(plant(law), 30.0, 2000.0);
    assert!(wheel.advance(10.0, 0.0));
    let case = "torque 2000 N m";
    assert!((wheel.t - steady(case, "lock")).abs() < 1e-9);
    assert!((wheel.y[1] - steady(case, "V_lock")).abs() < 1e-7 && (wheel.y[0] - steady(case, "x_lock")).abs() < 1e-8);
    assert!(wheel.advance(10.0, 0.0));
    assert!((wheel.t - steady(case, "stop")).abs() < 1e-8 && (wheel.y[0] - steady(case, "dist")).abs() < 1e-7);
}

#[test]
fn stiffer_treads_tend_to_the_steady_law() {
    // 900 N·m without resistance, x at V = 0: 62.08320525 on the steady law.
    let place = steady("torque 900 N m", "dist");
    let missed = [1.0, 10.0, 100.0].map(|factor| {
        let mut wheel = Wheel::new(plant(deflection(358_000.0 * factor)), 30.0, 900.0);
        while wheel.y[1] != 0.0 {
            wheel.advance(10.0, 0.0);
        }
        (wheel.y[0] - place).abs()
    });
    for (missed, expected) in missed.iter().zip([4.3e-4, 3.7e-5, 3.7e-6]) {
        assert!((missed / expected - 1.0).abs() < 0.03, "{missed:e} {expected:e}");
    }
}

fn anti_lock(low: f64, high: f64, off: f64) -> AntiLock {
    let data = format!(
        r#"{{"demand": 2000, "slip_low": {low}, "slip_high": {high}, "speed_off": {off},
            "measures": ["speed", "wheel.speed"], "commands": ["wheel.brake.rate"]}}"#
    );
    let data: AntiLockData = serde_json::from_str(&data).unwrap();
    AntiLock::new(data).unwrap()
}

/// The same ramp without control: a controller that is off from the start.
fn uncontrolled(plant: Plant) -> (f64, f64) {
    let mut wheel = Wheel::new(plant, 30.0, 0.0);
    wheel.controlled(&anti_lock(0.08, 0.18, 1e9));
    (wheel.t, wheel.y[0])
}

fn stops(plant: Plant, controller: &AntiLock, expected: (f64, f64, u64, f64), without: (f64, f64)) {
    let mut wheel = Wheel::new(plant, 30.0, 0.0);
    let memory = wheel.controlled(controller);
    let (t, x, cycles, margin) = expected;
    assert!((wheel.t - t).abs() < 1e-7 && (wheel.y[0] - x).abs() < 1e-6, "{} {}", wheel.t, wheel.y[0]);
    assert_eq!(memory.cycles, cycles);
    assert!((memory.margin / margin - 1.0).abs() < 0.05, "{:e}", memory.margin);
    let (t, x) = uncontrolled(plant);
    assert!((t - without.0).abs() < 1e-7 && (x - without.1).abs() < 1e-6, "{t} {x}");
    assert!(wheel.y[0] < x, "shorter with control");
}

#[test]
fn anti_lock_on_the_steady_law() {
    let plant = plant(Law::Steady(synthetic().at(LOAD, 0.0)));
    stops(plant, &anti_lock(0.08, 0.18, 2.0), (3.913737424, 58.51584053, 22, 1.6e-4), (4.299975862, 64.67010097));
}

#[test]
fn anti_lock_on_the_deflection() {
    let plant = Plant { resistance: 0.01 * LOAD, ..plant(deflection(358_000.0)) };
    stops(plant, &anti_lock(0.08, 0.18, 4.0), (3.874693195, 57.46499794, 27, 3.7e-5), (4.241451254, 63.80446374));
}

#[test]
fn anti_lock_on_dry_friction_that_falls() {
    let plant = plant(Law::Falling(0.9 * LOAD, 0.6, 6.0));
    stops(plant, &anti_lock(0.03, 0.10, 2.0), (4.460354679, 70.43089088, 27, 2.0e-4), (5.073229390, 80.72118512));
}
