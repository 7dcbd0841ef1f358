//! Friction of wheels and brakes that changes with slip, against formulas and an independent integration.

use stickslip_core::law::{Coefficient, Curve, OverSlip};
use stickslip_core::scheme::{ByEvents, Grid, NullObserver, Recording, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::vehicle::{self, Vehicle, WheelData};
use stickslip_models::wheel::{Parameters, Start, Wheel, WheelState};

const G: f64 = 9.81;

fn sliding(over_slip: OverSlip) -> Parameters {
    Parameters {
        over_slip,
        gravity: G,
        brake: Signal::Constant(5000.0),
        start: Start { x1: 10.0, ..Start::default() },
        ..Parameters::default()
    }
}

fn on_ground(law: Coefficient) -> OverSlip {
    OverSlip { ground: Some(law), brake: None }
}

fn by_events(wheel: &Wheel, duration: f64) -> (WheelState, Vec<f64>) {
    let mut seen = Recording::of_events();
    let grid = Grid { h: duration / 50.0, steps: 50 };
    let state = wheel.by_events(grid, &Default::default(), &mut seen).expect("runs").state;
    (state, seen.events.iter().map(|event| event.t).collect())
}

fn by_steps(wheel: &Wheel, duration: f64, steps: u64) -> WheelState {
    implicit_euler(wheel, Grid { h: duration / steps as f64, steps }, &mut NullObserver).expect("runs").state
}

/// Time and way of a mass that slides to rest from v under v' = −c(v): ∫ dv/c and ∫ v dv/c, by Simpson's rule.
fn stop(v: f64, c: impl Fn(f64) -> f64) -> (f64, f64) {
    let n = 20_000;
    let (mut time, mut way) = (0.0, 0.0);
    for k in 0..=n {
        let weight = if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
        let speed = v * f64::from(k) / f64::from(n);
        time += weight / c(speed);
        way += weight * speed / c(speed);
    }
    let h = v / f64::from(n) / 3.0;
    (time * h, way * h)
}

#[test]
fn a_locked_wheel_slides_to_rest_under_every_law() {
    let table = Curve::held(&[(0.0, 1.0), (2.0, 0.8), (6.0, 0.5)]).expect("rising");
    let laws = [
        Coefficient::StaticKinetic { sticking: 1.0, slipping: 0.6 },
        Coefficient::Sech { sticking: 1.0, slipping: 0.6, alpha: 0.7 },
        Coefficient::Stribeck { sticking: 1.0, slipping: 0.6, speed: 2.0, exponent: 2.0 },
        Coefficient::Table(table),
    ];
    for law in laws {
        let wheel = Wheel::new(sliding(on_ground(law.clone()))).expect("valid");
        assert!(wheel.closed_form().is_none());
        let kinetic = |speed: f64| match &law {
            Coefficient::StaticKinetic { slipping, .. } => *slipping,
            law => law.at(speed),
        };
        let (time, way) = stop(10.0, |v| 0.8 * G * kinetic(v));
        let duration = 1.5 * time;
        let (state, times) = by_events(&wheel, duration);
        // Simpson's rule with 20 000 intervals is good to 1e-12 for smooth laws; a table's corners lie on its points.
        assert!(times.iter().any(|t| (t - time).abs() < 1e-9), "{law:?}: {times:?} {time}");
        assert!((state.x() - way).abs() < 1e-8, "{law:?}: {} {way}", state.x());
        assert_eq!((state.x1, state.x2), (0.0, 0.0));
        // Steps: first order, and exactly at rest.
        let error = |steps: u64| {
            let end = by_steps(&wheel, duration, steps);
            assert_eq!((end.x1, end.x2), (0.0, 0.0));
            (end.x() - way).abs()
        };
        let (coarse, fine) = (error(4000), error(16_000));
        let order = (coarse / fine).log2() / 2.0;
        assert!((order - 1.0).abs() < 0.1, "{law:?}: {coarse} {fine}");
    }
}

#[test]
fn a_brake_that_fades_stops_a_free_wheel_later() {
    let law = Coefficient::Stribeck { sticking: 1.0, slipping: 0.4, speed: 5.0, exponent: 1.0 };
    let mut p = sliding(OverSlip { ground: None, brake: Some(law.clone()) });
    (p.gravity, p.brake, p.start) = (0.0, Signal::Constant(30.0), Start { x2: -10.0, ..Start::default() });
    let j = p.inertia / (p.radius * p.radius);
    let wheel = Wheel::new(p).expect("valid");
    let (time, _) = stop(10.0, |v| 100.0 * law.at(v) / j);
    let (state, times) = by_events(&wheel, 1.5 * time);
    assert!(times.iter().any(|t| (t - time).abs() < 1e-9), "{times:?} {time}");
    assert_eq!(state.x2, 0.0);
    let [ground, brake] = state.dissipated();
    assert!(ground == 0.0 && (brake - 0.5 * j * 100.0).abs() < 1e-8, "{ground} {brake}");
}

/// A motor that grows until the wheel spins: rolling holds up to the friction of rest, f = m 𝓜/(m + J).
#[test]
fn rolling_breaks_at_the_friction_of_rest() {
    let mut p = sliding(on_ground(Coefficient::StaticKinetic { sticking: 1.0, slipping: 0.5 }));
    (p.brake, p.start) = (Signal::ZERO, Start::default());
    let slope = 2000.0;
    let points = stickslip_core::signal::Points::new(vec![0.0, 10.0], vec![0.0, -10.0 * slope]).expect("sorted");
    p.motor = Signal::Points(points);
    let (m, j) = (p.mass, p.inertia / (p.radius * p.radius));
    let breaks = 0.8 * m * G * (m + j) / m * p.radius / slope;
    let wheel = Wheel::new(p).expect("valid");
    let (state, times) = by_events(&wheel, 1.2 * breaks);
    assert!(times.iter().any(|t| (t - breaks).abs() < 1e-10), "{times:?} {breaks}");
    // From then on half of the friction drives.
    assert!((state.f.abs() - 0.4 * m * G).abs() < 1e-9, "{}", state.f);
    let spinning = 0.2 * breaks;
    let speed = 0.5 * slope / 0.3 / (m + j) * breaks * breaks + 0.4 * G * spinning;
    assert!((state.x1 - speed).abs() < 1e-9, "{} {speed}", state.x1);
}

fn car(over_slip: OverSlip) -> Vehicle {
    let p = sliding(OverSlip::default());
    let wheel = WheelData {
        over_slip,
        name: "wheel".into(),
        radius: p.radius,
        inertia: p.inertia,
        friction: p.friction,
        motor: p.motor,
        brake: p.brake,
        ..WheelData::default()
    };
    Vehicle::new(vehicle::Parameters {
        mass: p.mass,
        gravity: p.gravity,
        wheels: vec![wheel],
        start: vehicle::Start { x1: 10.0, x: 0.0, v: Some(vec![0.0]) },
        ..vehicle::Parameters::default()
    })
    .expect("valid")
}

#[test]
fn a_vehicle_on_one_wheel_is_the_wheel_and_a_factor_of_one_is_none() {
    let law = on_ground(Coefficient::Sech { sticking: 1.0, slipping: 0.6, alpha: 0.7 });
    let one = OverSlip { ground: Some(Coefficient::Constant(1.0)), brake: Some(Coefficient::Constant(1.0)) };
    let grid = Grid { h: 1e-3, steps: 1000 };
    let of_car = |law: &OverSlip| {
        let state = implicit_euler(&car(law.clone()), grid, &mut NullObserver).expect("runs").state;
        (state.x1(), state.x())
    };
    let of_wheel = |law: &OverSlip| {
        let wheel = Wheel::new(sliding(law.clone())).expect("valid");
        let state = implicit_euler(&wheel, grid, &mut NullObserver).expect("runs").state;
        (state.x1, state.x())
    };
    assert_eq!(of_car(&one), of_car(&OverSlip::default()));
    assert_eq!(of_wheel(&one), of_wheel(&OverSlip::default()));
    let ((v1, x1), (v2, x2)) = (of_car(&law), of_wheel(&law));
    assert!((v1 - v2).abs() < 1e-12 && (x1 - x2).abs() < 1e-11, "{v1} {v2} {x1} {x2}");
    assert!(v1 > of_car(&OverSlip::default()).0 + 0.5);
    let (state, _) = by_events(&Wheel::new(sliding(law.clone())).expect("valid"), 1.0);
    let sliding =
        car(law).by_events(Grid { h: 0.02, steps: 50 }, &Default::default(), &mut NullObserver).expect("runs");
    assert!((sliding.state.x1() - state.x1).abs() < 1e-10, "{} {}", sliding.state.x1(), state.x1);
}

#[test]
fn laws_that_make_no_sense_are_refused() {
    let bad = on_ground(Coefficient::StaticKinetic { sticking: 0.5, slipping: 1.0 });
    assert!(Wheel::new(sliding(bad.clone())).is_err());
    let negative = on_ground(Coefficient::Constant(-1.0));
    assert!(Wheel::new(sliding(negative)).is_err());
}
