//! Exactly at a limit: what rests does so to the bit, no instant is crowded with events, and no row is lost.

use super::{G, Keep, by_events, car, parameters, points, wheel};
use stickslip_core::scheme::ByEvents;
use stickslip_core::scheme::events::EventRunResult;
use stickslip_core::signal::{Signal, Sine};
use stickslip_models::vehicle::{Parameters, Vehicle, VehicleState, WheelData};

/// In closed form, and integrated: a drag of no account at rest makes the difference.
const DRAGS: [f64; 2] = [0.0, 0.4];

/// Runs a car and looks at what must hold at any limit.
fn run(data: Parameters, drag: f64, duration: f64, samples: u64) -> (Vehicle, EventRunResult<VehicleState>, Keep) {
    let car = car(Parameters { drag, ..data });
    let (passage, keep) = by_events(&car, duration, samples);
    assert_eq!(keep.samples.len() as u64, samples, "closed: {}", car.closed_form().is_some());
    assert_eq!(passage.handovers, 0, "closed: {}", car.closed_form().is_some());
    (car, passage, keep)
}

fn rests(state: &VehicleState) -> bool {
    state.x1() == 0.0 && state.x() == 0.0 && state.v().iter().all(|v| *v == 0.0)
}

fn equal_wheels(n: usize, motor: &Signal, brake: &Signal) -> Vec<WheelData> {
    (0..n).map(|i| wheel(i, 1.0 / n as f64, motor.clone(), brake.clone())).collect()
}

#[test]
fn parked_where_the_slope_is_the_friction() {
    for drag in DRAGS {
        for n in [1, 2, 3, 4, 7] {
            // tan θ = μ to rounding, with locked wheels: all contacts are on their bounds.
            let wheels = equal_wheels(n, &Signal::ZERO, &Signal::Constant(1e5));
            let slope = Signal::Constant(0.8_f64.atan());
            let data = Parameters { slope, ..parameters(1234.5, wheels, 0.0) };
            let (_, passage, keep) = run(data, drag, 3600.0, 600);
            assert!(keep.samples.iter().all(|(_, state)| rests(state)), "{n} wheels, drag {drag}");
            assert_eq!(passage.events, 0);
            assert!(passage.spans <= 100, "{}", passage.spans);
        }
    }
}

#[test]
fn a_brake_that_equals_the_drive() {
    for drag in DRAGS {
        for n in [1, 2, 5] {
            let wheels = equal_wheels(n, &Signal::Constant(-300.0), &Signal::Constant(300.0));
            let (_, passage, keep) = run(parameters(700.0, wheels, 0.0), drag, 10.0, 1000);
            assert!(keep.samples.iter().all(|(_, state)| rests(state)), "{n} wheels, drag {drag}");
            assert_eq!(passage.events, 0);
            // The motor rises to what the brake holds, waits there, and goes on rising.
            let motor = points(&[0.0, 1.0, 2.0, 3.0], &[0.0, -300.0, -300.0, -400.0]);
            let wheels = equal_wheels(n, &motor, &Signal::Constant(300.0));
            let (car, passage, keep) = run(parameters(700.0, wheels, 0.0), drag, 3.0, 300);
            assert!(keep.samples.iter().all(|(t, state)| *t > 2.0 || rests(state)), "{n} wheels, drag {drag}");
            assert_eq!(keep.events.len(), n, "{:?}", keep.events);
            assert!(keep.events.iter().all(|e| (e.t - 2.0).abs() <= 1e-9), "{:?}", keep.events);
            // (m + Σ J) x1' = n (100/R)(t − 2), but for the air.
            let speed = n as f64 * 0.5 * 100.0 / 0.3 / (700.0 + n as f64 * car.j(0));
            let air = drag * speed.powi(2) / 700.0;
            assert!((passage.state.x1() - speed).abs() <= 1e-9 + air, "{} {speed}", passage.state.x1());
        }
    }
}

#[test]
fn a_sine_that_just_reaches_the_brake() {
    for drag in DRAGS {
        for n in [1, 3] {
            let motor = Signal::Sine(Sine { offset: 0.0, amplitude: 300.0, omega: 2.0, phase: 0.0 });
            let wheels = equal_wheels(n, &motor, &Signal::Constant(300.0));
            let (_, passage, keep) = run(parameters(700.0, wheels, 0.0), drag, 20.0, 200);
            assert!(keep.samples.iter().all(|(_, state)| rests(state)), "{n} wheels, drag {drag}");
            assert_eq!(passage.events, 0);
        }
    }
}

#[test]
fn bounds_that_come_to_zero() {
    for drag in DRAGS {
        for n in [1, 2, 4] {
            // Nothing pulls: the brake lets go, and nothing happens. It takes hold again: nothing either.
            let brake = points(&[0.0, 1.0, 2.0, 3.0], &[400.0, 0.0, 0.0, 400.0]);
            let wheels = equal_wheels(n, &Signal::ZERO, &brake);
            let (_, passage, keep) = run(parameters(700.0, wheels.clone(), 0.0), drag, 4.0, 400);
            assert!(keep.samples.iter().all(|(_, state)| rests(state)), "{n} wheels, drag {drag}");
            assert_eq!(passage.events, 0);
            // On a slope the car rolls from when the brakes give way: n a_B(t) = m g sin θ.
            let slope = 0.05_f64;
            let data = Parameters { slope: Signal::Constant(slope), ..parameters(700.0, wheels, 0.0) };
            let (car, passage, keep) = run(data, drag, 2.0, 200);
            let pull = 700.0 * G * slope.sin();
            let gives = 1.0 - pull * 0.3 / (n as f64 * 400.0);
            assert!(keep.samples.iter().all(|(t, state)| *t >= gives || rests(state)), "{n} wheels, drag {drag}");
            assert!(keep.events.iter().all(|e| (e.t - gives).abs() <= 1e-9), "{:?} {gives}", keep.events);
            assert_eq!(keep.events.len(), n);
            // (m + Σ J) x1' = −(pull − n a_B(t)): a ramp until 1 s, then all of it.
            let mass = 700.0 + n as f64 * car.j(0);
            let speed = -(pull * 0.5 * (1.0 - gives) + pull) / mass;
            let air = drag * speed.powi(2) / 700.0;
            assert!((passage.state.x1() - speed).abs() <= 1e-9 + air, "{} {speed}", passage.state.x1());
        }
    }
}

#[test]
fn wheels_that_carry_nothing_and_friction_that_comes_to_zero() {
    for drag in DRAGS {
        // The second wheel carries nothing: it stands still, or spins freely if its motor turns.
        for torque in [0.0, 30.0] {
            let second = wheel(1, 0.0, Signal::Constant(torque), Signal::ZERO);
            let wheels = vec![wheel(0, 1.0, Signal::ZERO, Signal::Constant(100.0)), second];
            let (car, passage, keep) = run(parameters(500.0, wheels, 0.0), drag, 2.0, 200);
            assert!(keep.samples.iter().all(|(_, s)| s.x1() == 0.0 && s.x() == 0.0 && s.v()[0] == 0.0));
            let spins = torque / 0.3 / car.j(1) * 2.0;
            assert!((passage.state.v()[1] - spins).abs() <= 1e-11 * (1.0 + spins), "{:?}", passage.state.v());
        }
        // Friction that comes to zero under a car parked on a slope: it slides from tan θ = μ(t) on.
        let mut wheels = equal_wheels(3, &Signal::ZERO, &Signal::Constant(1e5));
        wheels.iter_mut().for_each(|w| w.friction = points(&[0.0, 1.0], &[0.8, 0.0]));
        let data = Parameters { slope: Signal::Constant(0.1), ..parameters(500.0, wheels, 0.0) };
        let (_, _, keep) = run(data, drag, 1.5, 150);
        let slides = 1.0 - 0.1_f64.tan() / 0.8;
        assert!(keep.samples.iter().all(|(t, state)| *t >= slides || rests(state)));
        assert!(!keep.events.is_empty());
        assert!(keep.events.iter().all(|e| (e.t - slides).abs() <= 1e-9), "{:?} {slides}", keep.events);
    }
}

#[test]
fn ice_without_any_friction() {
    // A car at rest stays, locked or not, and one that moves goes on: only the air holds it back, m x1' = −c x1².
    for drag in DRAGS {
        for (x1, torque) in [(0.0, 0.0), (0.0, 100.0), (3.0, 0.0)] {
            let mut wheels = equal_wheels(2, &Signal::ZERO, &Signal::Constant(torque));
            wheels.iter_mut().for_each(|w| w.friction = Signal::Constant(0.0));
            let (_, passage, _) = run(parameters(500.0, wheels, x1), drag, 2.0, 200);
            let exact = x1 / (1.0 + drag * x1 * 2.0 / 500.0);
            // In closed form, and at rest, to the bit; else to within the tolerance of the integration.
            assert!((passage.state.x1() - exact).abs() <= 1e-10 * drag * x1, "{} {exact}", passage.state.x1());
        }
    }
}
