//! Events against implicit steps, which make an error of first order.

use super::random::{DURATION, Dice};
use super::{Keep, by_events, car, parameters, wheel};
use stickslip_core::scheme::events::EventRunResult;
use stickslip_core::scheme::{Grid, implicit_euler};
use stickslip_core::signal::{Signal, Sine};
use stickslip_models::vehicle::{Parameters, Vehicle, VehicleState};

/// √(m Δx1² + Σ J Δv²): the norm in which implicit steps contract.
fn distance(car: &Vehicle, a: &VehicleState, b: &VehicleState) -> f64 {
    let wheels = a.v().iter().zip(b.v()).enumerate().map(|(i, (a, b))| car.j(i) * (a - b).powi(2));
    (car.parameters().mass * (a.x1() - b.x1()).powi(2) + wheels.sum::<f64>()).sqrt()
}

/// What implicit steps of size h may be off by: h times the total variation of all forces, which in each span is at most
/// a few times their greatest sum, over the root of the least mass.
fn first_order(car: &Vehicle, passage: &EventRunResult<VehicleState>, h: f64, duration: f64) -> f64 {
    let p = car.parameters();
    let lightest = (0..p.wheels.len()).map(|i| car.j(i)).fold(p.mass, f64::min);
    let of_wheel = |i: usize, t: f64| {
        let wheel = &p.wheels[i];
        let ground = wheel.friction.at(t).max(0.5) * wheel.share * p.mass * p.gravity;
        wheel.motor.at(t).abs() / wheel.radius + 2.0 * ground + car.brake_bound(i, t)
    };
    let weight = p.mass * p.gravity * p.slope.at(0.0).sin().abs() + p.resistance + p.drag * 100.0;
    let at = |t: f64| weight + (0..p.wheels.len()).map(|i| of_wheel(i, t)).sum::<f64>();
    let greatest = (0..=1000).map(|k| at(duration * f64::from(k) / 1e3)).fold(0.0, f64::max);
    4.0 * h * greatest * passage.spans as f64 / lightest.sqrt()
}

fn stepped(car: &Vehicle, duration: f64, steps: u64) -> VehicleState {
    let grid = Grid { h: duration / steps as f64, steps };
    implicit_euler(car, grid, &mut Keep::every(u64::MAX)).expect("runs").state
}

/// The bound holds, and the error falls with the step as an error of first order does. Returns the share of the bound.
fn agrees(car: &Vehicle, passage: &EventRunResult<VehicleState>, duration: f64, case: usize) -> f64 {
    let errors = [13, 16].map(|k| {
        let steps = 1_u64 << k;
        let allowed = first_order(car, passage, duration / steps as f64, duration);
        (distance(car, &stepped(car, duration, steps), &passage.state), allowed)
    });
    let [(coarse, _), (fine, allowed)] = errors;
    assert!(fine <= allowed, "case {case}: {errors:?}");
    // Eight times smaller in the mean; an event that falls onto an instant of the grid may spoil that by some factor.
    assert!(fine <= 0.5 * coarse || fine <= 1e-3 * allowed, "case {case}: {errors:?}");
    fine / allowed
}

#[test]
fn random_vehicles_end_where_small_steps_lead() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let tightest = (0..200).map(|case| {
        let car = dice.vehicle(case);
        let (passage, keep) = by_events(&car, DURATION, 60);
        assert_eq!((keep.samples.len(), passage.handovers), (60, 0), "case {case}");
        agrees(&car, &passage, DURATION, case)
    });
    // The bound is one of the worst case, but not an empty one.
    let tightest = tightest.fold(0.0, f64::max);
    assert!(tightest > 1e-4, "{tightest}");
}

/// A car whose brake lets go just as its motor turns round.
fn brake_meets_motor(
    brake: [f64; 4],
    torque: f64,
    amplitude: f64,
    frequency: f64,
    x1: f64,
    resistance: f64,
) -> Vehicle {
    let omega = std::f64::consts::TAU * frequency;
    let brake = Signal::trapezoid(brake, torque).expect("sorted");
    let motor = Signal::Sine(Sine { offset: 0.0, amplitude, omega, phase: 0.0 });
    let wheels = vec![wheel(0, 0.6, motor, brake.clone()), wheel(1, 0.4, Signal::ZERO, brake)];
    car(Parameters { resistance, ..parameters(1000.0, wheels, x1) })
}

#[test]
fn a_brake_that_lets_go_as_the_motor_turns_round() {
    // At t = 2 s the car is at rest, the bound of the brake comes to zero and the sine does too.
    let car = brake_meets_motor([0.3, 0.6, 1.5, 2.0], 1786.87, 1500.0, 0.5, -6.0, 100.0);
    let (passage, keep) = by_events(&car, 4.0, 400);
    assert_eq!((keep.samples.len(), passage.handovers), (400, 0));
    assert!(keep.samples.windows(2).all(|pair| pair[0].0 < pair[1].0));
    agrees(&car, &passage, 4.0, 0);
}

#[test]
fn brakes_and_motors_that_meet_at_random() {
    let mut dice = Dice(0x0bad_5eed_1234_5677);
    let mut events = 0;
    for case in 0..120 {
        // The sine has a zero at k/(2 f): there the brake ends in most cases, or begins, or is full.
        let frequency = [0.25, 0.5, 1.0, dice.in_range(0.2, 1.5)][dice.below(4)];
        let zero = 0.5 / frequency * (1.0 + dice.below(3) as f64);
        let times = match dice.below(4) {
            0 => [zero, zero + 0.2, zero + 0.7, zero + 1.0],
            1 => [0.2 * zero, zero, zero + 0.3, zero + 0.9],
            _ => [0.15 * zero, 0.3 * zero, 0.75 * zero, zero],
        };
        let torque = dice.in_range(200.0, 2500.0);
        let amplitude = dice.in_range(-1800.0, 1800.0);
        let resistance = if dice.below(2) == 0 { 0.0 } else { dice.in_range(0.0, 200.0) };
        let car = brake_meets_motor(times, torque, amplitude, frequency, dice.in_range(-8.0, 8.0), resistance);
        let (passage, keep) = by_events(&car, 4.0, 100);
        assert_eq!((keep.samples.len(), passage.handovers), (100, 0), "case {case}");
        events += keep.events.len();
        agrees(&car, &passage, 4.0, case);
    }
    assert!(events > 500, "{events}");
}
