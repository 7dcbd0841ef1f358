//! Wheels and vehicles whose motion between events has no closed form in the scheme's terms, but one on paper.

use super::*;
use stickslip_core::mechanics::System;
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Grid, implicit_euler};
use stickslip_core::signal::{Expression, Signal, Sine};
use stickslip_models::vehicle::{Parameters, Start, Vehicle, VehicleState, WheelData};
use stickslip_models::wheel::{self, Wheel};

const G: f64 = 9.81;

fn wheel_data(name: usize, motor: Signal, brake: Signal) -> WheelData {
    let friction = Signal::Constant(0.8);
    WheelData { name: format!("w{name}"), share: 0.5, friction, motor, brake, ..WheelData::default() }
}

fn car(slope: Signal, drag: f64, resistance: f64, x1: f64, brake: f64) -> Vehicle {
    let wheels = (0..2).map(|i| wheel_data(i, Signal::ZERO, Signal::Constant(brake))).collect();
    let start = Start { x1, ..Start::default() };
    Vehicle::new(Parameters {
        mass: 800.0,
        gravity: G,
        wheels,
        slope,
        drag,
        resistance,
        start,
        ..Parameters::default()
    })
    .expect("valid")
}

fn go(car: &Vehicle, duration: f64, steps: u64) -> (EventRunResult<VehicleState>, Keep<VehicleState>) {
    assert!(car.closed_form().is_none());
    let mut keep = Keep::every(1);
    let grid = Grid { h: duration / steps as f64, steps };
    let passage = car.by_events(grid, &Settings::default(), &mut keep).expect("runs");
    assert_eq!(passage.handovers, 0);
    (passage, keep)
}

#[test]
fn coasts_down_against_the_air() {
    // Rolling: (m + 2J) x1' = −c x1²: x1 = v0/(1 + c v0 t/M), x = (M/c) ln(1 + c v0 t/M).
    let (c, v0, mass) = (0.4, 50.0, 800.0 + 2.0 * 1.2 / 0.09);
    let car = car(Signal::Constant(0.0), c, 0.0, v0, 0.0);
    let (passage, keep) = go(&car, 100.0, 50);
    assert!(keep.events.is_empty());
    for (t, state) in &keep.samples {
        let q = 1.0 + c * v0 * t / mass;
        assert!((state.x1() - v0 / q).abs() <= 1e-10, "t = {t}");
        assert!((state.x() - mass / c * q.ln()).abs() <= 1e-8, "t = {t}");
        assert_eq!(state.x1() + state.v()[0], 0.0);
    }
    assert!(car.ledger(&passage.state).closure() <= 1e-11);
}

#[test]
fn stops_against_air_and_rolling_resistance() {
    // M x1' = −(r + c x1²): stops at √(M²/(r c)) atan(v0 √(c/r)), after (M/2c) ln(1 + c v0²/r).
    let (c, r, v0, mass) = (0.4, 120.0, 50.0, 800.0 + 2.0 * 1.2 / 0.09);
    let car = car(Signal::Constant(0.0), c, r, v0, 0.0);
    let (passage, keep) = go(&car, 400.0, 1);
    let stop = mass / f64::sqrt(r * c) * (v0 * f64::sqrt(c / r)).atan();
    let way = 0.5 * mass / c * (1.0 + c * v0 * v0 / r).ln();
    let last = keep.events.iter().find(|e| e.contact == 4).expect("comes to rest");
    assert!(sticks(last.to) && (last.t - stop).abs() <= 1e-9, "{last:?} {stop}");
    assert_eq!((passage.state.x1(), passage.state.v()), (0.0, [0.0; 2].as_slice()));
    assert!((passage.state.x() - way).abs() <= 1e-7, "{} {way}", passage.state.x());
    assert!(car.ledger(&passage.state).closure() <= 1e-11);
}

#[test]
fn a_locked_car_on_a_road_that_tilts() {
    // θ = 0.1 t, locked wheels: holds until tan θ = μ, then M x1'... the wheels stay locked: m x1' = −m g (sin θ − μ cos θ).
    let slope = Signal::Expression(Box::new(Expression::new("0.1*t").expect("a formula")));
    let car = car(slope, 0.0, 0.0, 0.0, 1e5);
    let (passage, keep) = go(&car, 10.0, 100);
    let slides = 10.0 * 0.8_f64.atan();
    assert_eq!(keep.events.len(), 2);
    for event in &keep.events {
        assert!((event.t - slides).abs() <= 1e-11 && event.to.sign() == -1, "{event:?} {slides}");
    }
    // Exactly at rest before; afterwards g/0.1 [cos θ − cos θ0 + μ (sin θ − sin θ0)].
    assert!(keep.samples.iter().all(|(t, s)| *t > slides || (s.x1() == 0.0 && s.x() == 0.0)));
    let (a, b) = (1.0_f64, 0.1 * slides);
    let speed = G / 0.1 * (a.cos() - b.cos() + 0.8 * (a.sin() - b.sin()));
    assert!((passage.state.x1() - speed).abs() <= 1e-10, "{} {speed}", passage.state.x1());
}

#[test]
fn a_wheel_driven_by_a_sine() {
    // Rolls while |𝓜| ≤ a_G (1 + J/m): slips where the sine is above, first at asin(a_G (1 + J/m)/𝓜max)/ω.
    let (mass, j, a_g) = (400.0, 1.2 / 0.09, 0.8 * 400.0 * G);
    let top = 1.5 * a_g;
    let motor = Signal::Sine(Sine { offset: 0.0, amplitude: -top * 0.3, omega: 2.0, phase: 0.0 });
    let wheel =
        Wheel::new(wheel::Parameters { mass, gravity: G, motor, ..wheel::Parameters::default() }).expect("valid");
    let mut keep = Keep::every(1);
    let grid = Grid { h: 0.05, steps: 120 };
    let passage = wheel.by_events(grid, &Settings::default(), &mut keep).expect("runs");
    let first = (a_g * (1.0 + j / mass) / top).asin() / 2.0;
    let seen: Vec<_> = keep.events.iter().filter(|e| e.contact == 0).collect();
    assert!((seen[0].t - first).abs() <= 1e-11, "{:?} {first}", seen[0]);
    assert_eq!(seen[0].to.sign(), -1);
    assert!(wheel.ledger(&passage.state).closure() <= 1e-10);
    // Small implicit steps come to the same end, to first order.
    let errors = [15_u32, 16, 17].map(|k| {
        let steps = 1_u64 << k;
        let end = implicit_euler(&wheel, Grid { h: 6.0 / steps as f64, steps }, &mut Keep::every(u64::MAX));
        (end.expect("runs").state.x1 - passage.state.x1).abs()
    });
    for pair in errors.windows(2) {
        assert!(((pair[0] / pair[1]).log2() - 1.0).abs() <= 0.1, "{errors:?}");
    }
    assert!(keep.samples.iter().all(|(_, s)| s.region().is_some_and(|r| r.ground() != 0) || s.x1 + s.x2 == 0.0));
}
