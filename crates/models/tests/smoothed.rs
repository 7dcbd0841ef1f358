//! The smoothed vehicle against its closed forms, an explicit integration, and the exact vehicle.

use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::vehicle::road::Road;
use stickslip_models::vehicle::smoothed::{Smoothed, SmoothedError};
use stickslip_models::vehicle::{Parameters, Start, Vehicle, WheelData};

const GRAVITY: f64 = 9.81;

fn wheel(name: &str, share: f64, motor: f64, brake: Signal) -> WheelData {
    WheelData { name: name.into(), share, motor: Signal::Constant(motor), brake, ..WheelData::default() }
}

fn vehicle(wheels: Vec<WheelData>, slope: f64, rolling: f64, x1: f64) -> Vehicle {
    Vehicle::new(Parameters {
        gravity: GRAVITY,
        wheels,
        slope: Signal::Constant(slope),
        road: Road { rolling, ..Road::default() },
        start: Start { x1, ..Start::default() },
        ..Parameters::default()
    })
    .expect("valid")
}

#[test]
fn a_parked_car_creeps_at_the_speed_of_the_closed_form() {
    let locked = Signal::Constant(1e5);
    for (slope, front, rolling) in
        [(10_f64.to_radians(), 1e5, 0.0), (-0.3, 0.0, 0.0), (0.1, 0.0, 0.02), (0.6, 1e5, 0.0)]
    {
        let wheels = vec![wheel("front", 0.6, 0.0, Signal::Constant(front)), wheel("rear", 0.4, 0.0, locked.clone())];
        let car = vehicle(wheels, slope, rolling, 0.0);
        let smoothed = Smoothed::new(&car, 1e-3).expect("a speed");
        let held = if front > 0.0 { 0.8 } else { 0.32 } + rolling;
        let expected = -1e-3 * (slope.tan() / held).atanh();
        let creep = smoothed.creep(0.0, 0.0);
        if slope.tan().abs() >= held {
            assert_eq!(creep, None);
            continue;
        }
        assert!((creep.expect("held") / expected - 1.0).abs() < 1e-13);
        let mut rows = Vec::new();
        let end = smoothed.run(Grid { h: 1e-2, steps: 6000 }, 1000, |t, u| rows.push((t, u.x))).expect("runs");
        // At rest the force and the pull balance: what is left is rounding of forces of 1e4 N against a slope of
        // 3e6 N s/m, 1e-13 of the speed.
        assert!((end.x1 / expected - 1.0).abs() < 1e-12, "{} {expected}", end.x1);
        // Speed is reached within some ε m/a_G = 0.4 ms, less than a step: the distance lacks a few steps of 6000.
        assert!((end.x / (60.0 * expected) - 1.0).abs() < 5.0 / 6000.0);
        assert_eq!((rows.len(), rows[0], end.v[1]), (7, (0.0, 0.0), 0.0));
        // The exact car stands.
        assert_eq!(
            implicit_euler(&car, Grid { h: 1e-2, steps: 6000 }, &mut NullObserver).expect("runs").state.x(),
            0.0
        );
    }
}

#[test]
fn steps_follow_the_smooth_equations() {
    // Two wheels, one driven into slip, one with a brake that it turns against: explicit Euler with small steps.
    let wheels = vec![wheel("a", 0.4, -2000.0, Signal::ZERO), wheel("b", 0.6, 0.0, Signal::Constant(60.0))];
    let car = vehicle(wheels, 0.02, 0.01, 3.0);
    let (m, j, speed) = (1200.0, 1.2 / 0.09, 0.1);
    let weight = m * GRAVITY * 0.02_f64.cos();
    let (mut x1, mut v) = (3.0_f64, [-3.0_f64; 2]);
    let h = 2e-6;
    for _ in 0..250_000 {
        let f = [0.4, 0.6].map(|share| share * 0.8 * weight);
        let f = [f[0] * ((x1 + v[0]) / speed).tanh(), f[1] * ((x1 + v[1]) / speed).tanh()];
        let r = 0.01 * weight * (x1 / speed).tanh();
        x1 += h * (-m * GRAVITY * 0.02_f64.sin() - f[0] - f[1] - r) / m;
        v[0] += h * (-2000.0 / 0.3 - f[0]) / j;
        v[1] += h * (200.0 - f[1]) / j;
    }
    let smoothed = Smoothed::new(&car, speed).expect("a speed");
    let error = |steps: u64| {
        let end = smoothed.run(Grid { h: 0.5 / steps as f64, steps }, u64::MAX, |_, _| {}).expect("runs");
        (end.x1 - x1).abs().max((end.v[0] - v[0]).abs()).max((end.v[1] - v[1]).abs())
    };
    // The driven wheel passes from rolling to slip within ε J/a_G, about a millisecond: steps must resolve that.
    let errors = [error(8000), error(16_000)];
    assert!(errors[1] < 0.02 && ((errors[0] / errors[1]).log2() - 1.0).abs() < 0.15, "{errors:?}");
}

#[test]
fn a_moving_car_hardly_notices() {
    // Braking from 20 m/s: with ε → 0 the exact speeds, the difference falling with ε.
    let brake = |max| Signal::trapezoid([0.2, 0.3, 1.0, 1.1], max).expect("sorted");
    let car = vehicle(vec![wheel("a", 0.5, 0.0, brake(2500.0)), wheel("b", 0.5, 0.0, brake(600.0))], 0.0, 0.0, 20.0);
    let grid = Grid { h: 1e-3, steps: 1500 };
    let exact = implicit_euler(&car, grid, &mut NullObserver).expect("runs").state;
    let difference = |speed: f64| {
        let end = Smoothed::new(&car, speed).expect("a speed").run(grid, u64::MAX, |_, _| {}).expect("runs");
        (end.x1 - exact.x1()).abs()
    };
    let differences = [1e-2, 1e-3, 1e-4].map(difference);
    assert!(differences[0] < 0.02 && differences[2] < 0.1 * differences[0], "{differences:?}");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Smoothed::new(&car, bad), Err(SmoothedError::Speed(_))));
    }
}
