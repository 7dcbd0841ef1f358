//! Vehicles in closed form: against the wheel, against implicit steps, and where many contacts change at once.

use super::against_steps::Dice;
use super::*;
use stickslip_core::scheme::implicit_euler;
use stickslip_models::vehicle::road::Road;
use stickslip_models::vehicle::{self, Vehicle, VehicleState, WheelData};

fn data(name: usize, share: f64, friction: f64, motor: Signal, brake: Signal) -> WheelData {
    let friction = Signal::Constant(friction);
    WheelData {
        name: format!("w{name}"),
        radius: RADIUS,
        inertia: INERTIA,
        share,
        friction,
        motor,
        brake,
        ..WheelData::default()
    }
}

fn vehicle(mass: f64, wheels: Vec<WheelData>, slope: f64, start: vehicle::Start) -> Vehicle {
    let slope = Signal::Constant(slope);
    let road = Road::default();
    let parameters = vehicle::Parameters { mass, wheels, slope, road, start, ..vehicle::Parameters::default() };
    Vehicle::new(parameters).expect("valid")
}

fn exact(vehicle: &Vehicle, duration: f64) -> (EventRunResult<VehicleState>, Vec<Event>) {
    let mut keep = Keep::every(u64::MAX);
    let grid = Grid { h: duration, steps: 1 };
    let passage = events(vehicle, grid, &Settings::default(), &mut keep).expect("runs");
    (passage, keep.events)
}

#[test]
fn a_vehicle_with_one_wheel_is_the_wheel() {
    let brake = torque([0.5, 0.7, 2.0, 2.4], 2.0 * A_G);
    let alone = wheel(Signal::ZERO, brake.clone(), 20.0, -20.0);
    let (passage, keep) = run(&alone, 6.0, 1);
    let start = vehicle::Start { x1: 20.0, ..vehicle::Start::default() };
    let car = vehicle(MASS, vec![data(1, 1.0, 0.8, Signal::ZERO, brake)], 0.0, start);
    let (same, found) = exact(&car, 6.0);
    assert_events(&found, &list(&keep.events));
    assert!((same.state.x1() - passage.state.x1).abs() <= 1e-12);
    assert!((same.state.x() - passage.state.x()).abs() <= 1e-11);
    assert_eq!(same.state.x1() + same.state.v()[0], 0.0);
    assert!(car.ledger(&same.state).closure() <= 1e-12);
}

/// All states of all contacts of at least `least` seconds, in order of their beginnings, contact by contact.
fn sequences(vehicle: &Vehicle, end: &VehicleState, events: &[Event], duration: f64, least: f64) -> Vec<Vec<i8>> {
    let count = vehicle.contacts().len();
    let mut last = vec![stickslip_core::law::State::Open; count];
    vehicle.contact_states(end, &mut last);
    (0..count)
        .map(|contact| {
            let own: Vec<&Event> = events.iter().filter(|e| e.contact == contact).collect();
            let first = own.first().map_or(last[contact], |e| e.from).sign();
            let states = [(0.0, first)].into_iter().chain(own.iter().map(|e| (e.t, e.to.sign())));
            let ends = own.iter().map(|e| e.t).chain([duration]);
            let mut long: Vec<i8> =
                states.zip(ends).filter(|((from, _), to)| to - from > least).map(|((_, sign), _)| sign).collect();
            long.dedup();
            long
        })
        .collect()
}

/// The bound of `against_steps::first_order` with all wheels: h times the total variation of forces and accelerations, in
/// the norm √(m x1² + Σ J v²) in which implicit steps contract.
fn first_order(car: &Vehicle, passage: &EventRunResult<VehicleState>, h: f64, duration: f64) -> f64 {
    let p = car.parameters();
    let lightest = (0..p.wheels.len()).map(|i| car.j(i)).fold(p.mass, f64::min);
    let weight = p.mass * p.gravity * p.slope.at(0.0).sin().abs();
    let of_wheel = |i: usize, t: f64| {
        p.wheels[i].motor.at(t).abs() / p.wheels[i].radius + 2.0 * car.ground_bound(i, t, 0.0) + car.brake_bound(i, t)
    };
    let at = |t: f64| weight + (0..p.wheels.len()).map(|i| of_wheel(i, t)).sum::<f64>();
    let greatest = (0..=1000).map(|k| at(duration * f64::from(k) / 1e3)).fold(0.0, f64::max);
    4.0 * h * greatest * passage.spans as f64 / lightest.sqrt()
}

#[test]
fn random_vehicles_pass_through_the_same_states() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let (duration, steps) = (6.0, 1_u64 << 17);
    let h = duration / steps as f64;
    let (mut compared, mut differing, mut tightest) = (0, Vec::new(), 0.0);
    for case in 0..1000 {
        let n = 1 + case % 4;
        let mass = 300.0 * n as f64;
        let wheels = (0..n).map(|i| dice.vehicle_wheel(i, n, mass)).collect();
        let start = vehicle::Start { x1: dice.in_range(-10.0, 10.0), ..vehicle::Start::default() };
        let car = vehicle(mass, wheels, dice.in_range(-0.1, 0.1), start);
        let (passage, found) = exact(&car, duration);
        assert!(car.ledger(&passage.state).closure() <= 1e-11, "case {case}: {:?}", car.ledger(&passage.state));
        let mut stepped = Keep::every(u64::MAX);
        let end = implicit_euler(&car, Grid { h, steps }, &mut stepped).expect("runs").state;
        let differ = |i: usize| end.v()[i] - passage.state.v()[i];
        let wheels: f64 = (0..n).map(|i| car.j(i) * differ(i) * differ(i)).sum();
        let error = (mass * (end.x1() - passage.state.x1()).powi(2) + wheels).sqrt();
        let allowed = first_order(&car, &passage, h, duration);
        assert!(error <= allowed, "case {case}: {error} {allowed}");
        tightest = f64::max(tightest, error / allowed);
        let least = 20.0 * h;
        let (a, b) = (
            sequences(&car, &passage.state, &found, duration, least),
            sequences(&car, &end, &stepped.events, duration, least),
        );
        compared += a.iter().map(Vec::len).sum::<usize>();
        if a != b {
            differing.push((case, a, b));
        }
    }
    // The bound is one of the worst case, but not an empty one.
    assert!(compared > 10_000 && tightest > 1e-4, "{compared} {tightest}");
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn ten_wheels_lock_at_the_same_instant() {
    let brake = torque([0.5, 0.7, 2.0, 2.4], 2.0 * A_G);
    let wheels = (0..10).map(|i| data(i, 0.1, 0.8, Signal::ZERO, brake.clone())).collect();
    let start = vehicle::Start { x1: 20.0, ..vehicle::Start::default() };
    let train = vehicle(10.0 * MASS, wheels, 0.0, start);
    let (passage, found) = exact(&train, 6.0);
    assert_eq!(passage.handovers, 0);
    // Each wheel does what the single wheel does, at the same times.
    let alone = run(&wheel(Signal::ZERO, torque([0.5, 0.7, 2.0, 2.4], 2.0 * A_G), 20.0, -20.0), 6.0, 1).1.events;
    assert_eq!(found.len(), 10 * alone.len());
    for event in &found {
        assert!(alone.iter().any(|e| e.contact == event.contact % 2 && (e.t - event.t).abs() <= 1e-9), "{event:?}");
    }
    for i in 1..10 {
        assert!((passage.state.v()[i] - passage.state.v()[0]).abs() <= 1e-12);
    }
}

#[test]
fn a_parked_car_holds_exactly_below_the_limit_and_slides_above_it() {
    for (factor, holds) in [(0.999_999, true), (1.000_001, false)] {
        let slope = (0.8_f64 * factor).atan();
        let wheels = (0..4).map(|i| data(i, 0.25, 0.8, Signal::ZERO, Signal::Constant(1e5))).collect();
        let car = vehicle(1200.0, wheels, slope, vehicle::Start::default());
        let (passage, found) = exact(&car, 3600.0);
        assert_eq!(passage.state.x() == 0.0 && found.is_empty(), holds, "{}", passage.state.x());
        if !holds {
            // All four wheels locked: x'' = −g (sin θ − μ cos θ).
            let fall = -9.81 * (slope.sin() - 0.8 * slope.cos()) * 0.5 * 3600.0 * 3600.0;
            assert!((passage.state.x() / fall - 1.0).abs() <= 1e-8, "{} {fall}", passage.state.x());
        }
    }
}
