//! Roads that change with the place, from event to event.

use super::*;
use stickslip_core::mechanics::System;
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{ByEvents, Grid, implicit_euler};
use stickslip_core::signal::{Points, Signal};
use stickslip_models::vehicle::road::{Patch, Place, Profile, Road, Side};
use stickslip_models::vehicle::{Parameters, Start, Vehicle, WheelData};

const G: f64 = 9.81;

fn car(road: Road, brake: f64, x1: f64) -> Vehicle {
    let wheel = |name: &str, ahead: f64| WheelData {
        name: name.into(),
        share: 0.5,
        brake: Signal::Constant(brake),
        place: Place { ahead, side: Side::Both },
        ..WheelData::default()
    };
    let start = Start { x1, ..Start::default() };
    Vehicle::new(Parameters {
        mass: 800.0,
        gravity: G,
        wheels: vec![wheel("front", 1.2), wheel("rear", -1.2)],
        road,
        start,
        ..Parameters::default()
    })
    .expect("valid")
}

#[test]
fn a_locked_car_slides_over_ice() {
    // Both wheels locked from the start; ice of μ = 0.1 from 5 m to 8 m. The deceleration is that of the two bounds:
    // v² falls by 2 a Δx on each stretch of the car's position.
    let ice = Patch { from: 5.0, to: 8.0, side: Side::Both, friction: Signal::Constant(0.1) };
    let road = Road { patches: vec![ice], ..Road::default() };
    let mut start = car(road, 1e5, 10.5);
    let mut parameters = start.parameters().clone();
    parameters.start.v = Some(vec![0.0; 2]);
    start = Vehicle::new(parameters).expect("valid");
    let mut keep = Keep::every(1);
    let passage = start.by_events(Grid { h: 0.01, steps: 500 }, &Settings::default(), &mut keep).expect("runs");
    assert_eq!(passage.handovers, 0);
    // Wheels meet the ice at 3.8 and 6.2 m of the car's position and leave it at 6.8 and 9.2 m.
    let stretches = [(3.8, 0.8), (6.2, 0.45), (6.8, 0.1), (9.2, 0.45)];
    let (mut x, mut squared) = (0.0, 110.25);
    for (until, mu) in stretches {
        squared -= 2.0 * mu * G * (until - x);
        x = until;
    }
    let stop = x + squared / (2.0 * 0.8 * G);
    assert!((passage.state.x() - stop).abs() <= 1e-9, "{} {stop}", passage.state.x());
    assert_eq!(passage.state.x1(), 0.0);
    assert!(start.ledger(&passage.state).closure() <= 1e-11);
    // Steps come to the same place, to first order.
    let errors = [12_u32, 13, 14].map(|k| {
        let steps = 1_u64 << k;
        let end = implicit_euler(&start, Grid { h: 5.0 / steps as f64, steps }, &mut Keep::every(u64::MAX));
        (end.expect("runs").state.x() - stop).abs()
    });
    assert!(errors[2] < 0.6 * errors[0] && errors[2] < 0.02, "{errors:?}");
}

#[test]
fn a_car_swings_in_a_valley() {
    // Without friction losses a rolling car keeps its energy on any profile: θ(x) = −0.2 … 0.2 rad over 40 m.
    let points = Points::new(vec![-20.0, 20.0], vec![-0.2, 0.2]).expect("sorted");
    let road = Road { profile: Some(Profile::new(points)), ..Road::default() };
    let car = car(road, 0.0, 4.0);
    let mut keep = Keep::every(1);
    let passage = car.by_events(Grid { h: 0.05, steps: 1200 }, &Settings::default(), &mut keep).expect("runs");
    assert_eq!(passage.handovers, 0);
    // (m + 2J) x'' = −m g sin(x/100): a pendulum of length 100 m. Its first integral holds to the tolerance.
    let inertia = 800.0 + 2.0 * 1.2 / 0.09;
    for (t, s) in &keep.samples {
        let height = 800.0 * G * 100.0 * (1.0 - (s.x() / 100.0).cos());
        let energy = 0.5 * inertia * s.x1() * s.x1() + height;
        assert!((energy / (0.5 * inertia * 16.0) - 1.0).abs() <= 1e-9, "t = {t}");
        assert_eq!(s.x1() + s.v()[0], 0.0);
    }
}
