//! Event times, speeds and distances against formulas derived by hand from section 1.1 of the equations.

use super::*;

const GROUND: usize = 0;
const BRAKE: usize = 1;
const SPORT: [f64; 4] = [0.5, 0.7, 2.0, 2.4];

/// Least t ≥ 0 with a t² + b t + c = 0, by the textbook.
fn root(a: f64, b: f64, c: f64) -> f64 {
    let d = (b * b - 4.0 * a * c).sqrt();
    let roots = [(-b - d) / (2.0 * a), (-b + d) / (2.0 * a)];
    roots.into_iter().filter(|t| *t >= 0.0).fold(f64::INFINITY, f64::min)
}

#[test]
fn sport_braking() {
    let braking = wheel(Signal::ZERO, torque(SPORT, 2.0 * A_G), 20.0, -20.0);
    let (passage, keep) = run(&braking, 6.0, 600);
    let k = 2.0 * A_G / 0.2;
    // Rolls, (m + J) x1' = −a_B, until a_B = k (t − 0.5) = a_G (1 + J/m).
    let tau = A_G * (1.0 + J / MASS) / k;
    let t1 = 0.5 + tau;
    let v1 = 20.0 - 0.5 * k * tau * tau / (MASS + J);
    // Slips: J x2' = a_B − a_G on the ramp to 0.7, then a_G on the plateau until x2 = 0.
    let at_plateau = -v1 + (0.5 * k * (0.2 * 0.2 - tau * tau) - A_G * (0.2 - tau)) / J;
    let t2 = 0.7 - at_plateau * J / A_G;
    // Locked, g = −a_G, until a_B = a_G at 2.2; then J x2' = −5 a_G (t − 2.2) and m x1' = −a_G until x1 + x2 = 0.
    let t3 = 2.2;
    let v3 = v1 - A_G / MASS * (t3 - t1);
    let since = root(-2.5 * A_G / J, -A_G / MASS, v3);
    let t4 = t3 + since;
    assert!(t4 < 2.4);
    // Rolls under what is left of the brake, a_B = 5 a_G (2.4 − t).
    let v4 = v3 - A_G / MASS * since;
    let end = v4 - 2.5 * A_G * (2.4 - t4) * (2.4 - t4) / (MASS + J);
    assert_events(&keep.events, &[(t1, GROUND, 0, 1), (t2, BRAKE, -1, 0), (t3, BRAKE, 0, -1), (t4, GROUND, 1, 0)]);
    assert!((passage.state.x1 - end).abs() <= 1e-12, "{} {end}", passage.state.x1);
    assert!((end - 6.076529).abs() <= 5e-7, "{end}");
    assert!((passage.stuck[GROUND] - (t1 + 6.0 - t4)).abs() <= 1e-12);
    assert!((passage.stuck[BRAKE] - (t3 - t2)).abs() <= 1e-12);
    assert_eq!((passage.events, passage.handovers), (4, 0));
    // A locked wheel is exactly locked, a rolling one exactly rolls, also between events.
    for (t, u) in &keep.samples {
        assert!((*t < t2 || *t >= t3) || u.x2 == 0.0);
        assert!((*t >= t1 && *t < t4) || u.x1 + u.x2 == 0.0);
    }
}

#[test]
fn sport_drive() {
    let drive = wheel(torque(SPORT, -2.0 * A_G), Signal::ZERO, 0.0, 0.0);
    let (passage, keep) = run(&drive, 6.0, 600);
    // Rolls, (m + J) x1' = −𝓜, until −𝓜 = k (t − 0.5) = a_G (1 + J/m).
    let k = 2.0 * A_G / 0.2;
    let tau = A_G * (1.0 + J / MASS) / k;
    let t1 = 0.5 + tau;
    let v1 = 0.5 * k * tau * tau / (MASS + J);
    // Spins, m x1' = a_G and J x2' = 𝓜 + a_G; the slip returns to zero after the drive has gone.
    let impulse = -0.5 * k * (0.2 * 0.2 - tau * tau) - 2.0 * A_G * 1.3 - 0.5 * 2.0 * A_G * 0.4;
    let rate = A_G * (1.0 / MASS + 1.0 / J);
    let slip = impulse / J + rate * (2.4 - t1);
    let t2 = 2.4 - slip / rate;
    let end = v1 + A_G / MASS * (t2 - t1);
    assert_events(&keep.events, &[(0.5, BRAKE, 0, -1), (t1, GROUND, 0, -1), (t2, GROUND, -1, 0)]);
    assert!((passage.state.x1 - end).abs() <= 1e-12, "{} {end}", passage.state.x1);
    assert!((end - 24.303484).abs() <= 5e-7, "{end}");
    assert_eq!(passage.stuck[BRAKE], 0.5);
}

#[test]
fn smooth_ride() {
    let motor = torque([0.5, 3.0, 6.0, 9.0], -0.4 * A_G);
    let ride = wheel(motor, torque([10.0, 13.0, 18.0, 19.5], 0.5 * A_G), 0.0, 0.0);
    let (passage, keep) = run(&ride, 20.0, 2000);
    // Impulses: 0.4 a_G (3 + (2.5 + 3)/2) = 2.3 a_G of the motor; the brake takes 0.75 a_G by 13 s and the rest
    // at 0.5 a_G: 3.1 s more.
    assert_events(&keep.events, &[(0.5, BRAKE, 0, -1), (16.1, BRAKE, -1, 0)]);
    assert_eq!((passage.state.x1, passage.state.x2), (0.0, 0.0));
    assert_eq!(passage.stuck[GROUND], 20.0);
    assert!((passage.stuck[BRAKE] - (0.5 + 20.0 - 16.1)).abs() <= 1e-12);
    for (t, u) in keep.samples.iter().filter(|(t, _)| *t < 0.5 || *t > 16.1 + 1e-12) {
        assert_eq!((u.x1, u.x2), (0.0, 0.0), "t = {t}");
    }
}

#[test]
fn energy_closes_to_rounding() {
    let drive = torque(SPORT, -2.0 * A_G);
    let brake = torque(SPORT, 2.0 * A_G);
    let soft = torque([10.0, 13.0, 18.0, 19.5], 0.5 * A_G);
    for (wheel, duration) in [
        (wheel(drive.clone(), Signal::ZERO, 0.0, 0.0), 6.0),
        (wheel(Signal::ZERO, brake, 20.0, -20.0), 6.0),
        (wheel(torque([0.5, 3.0, 6.0, 9.0], -0.4 * A_G), soft, 0.0, 0.0), 20.0),
        (wheel(drive, torque([1.0, 2.0, 3.0, 4.0], 2.5 * A_G), -7.0, 12.0), 8.0),
    ] {
        let (passage, keep) = run(&wheel, duration, 1000);
        let ledger = ledger(&wheel, &passage);
        assert!(ledger.closure() <= 1e-12, "{ledger:?} {}", ledger.closure());
        assert!(ledger.dissipated.iter().all(|d| d.energy >= 0.0));
        assert!(wheel.worst_residual(&passage.state) <= 1e-13);
        for pair in keep.samples.windows(2) {
            let (before, after) = (pair[0].1.dissipated(), pair[1].1.dissipated());
            assert!(after[0] >= before[0] && after[1] >= before[1], "a contact gives energy");
        }
    }
}

#[test]
fn quarter_car() {
    // Both torques are below a_G R (1 + J/m), so that the wheel rolls to the end and gravity does not enter:
    // t = v (m + J)/a_B, x = v t/2.
    let (inertia, speed) = (1.0, 30.0);
    let j = inertia / (RADIUS * RADIUS);
    for (torque, seconds, metres) in [(500.0, 7.4, 111.0), (900.0, 4.1111, 61.6667)] {
        let car = Wheel::new(Parameters {
            mass: MASS,
            inertia,
            radius: RADIUS,
            brake: Signal::Constant(torque),
            start: Start { x1: speed, x2: -speed, ..Start::default() },
            ..Parameters::default()
        })
        .expect("valid");
        assert!(torque / RADIUS < A_G * (1.0 + j / MASS));
        let (passage, keep) = run(&car, 10.0, 1);
        let stop = speed * (MASS + j) * RADIUS / torque;
        assert_events(&keep.events, &[(stop, BRAKE, -1, 0)]);
        assert!((passage.state.x() - 0.5 * speed * stop).abs() <= 1e-9);
        assert!((passage.state.theta() + 0.5 * speed * stop / RADIUS).abs() <= 1e-9);
        assert!((stop - seconds).abs() <= 5e-5 && (passage.state.x() - metres).abs() <= 5e-5);
        assert_eq!((passage.state.x1, passage.state.x2), (0.0, 0.0));
    }
    // A locked wheel slides: 2000 N m are above a_G R (1 + J/m). Gravity enters, v²/(2 μ g) but for the spin-down:
    // x2 stops at t1 = v J/(a_B − a_G) while x1' = −μ g from the start.
    let car = wheel(Signal::ZERO, Signal::Constant(2000.0), speed, -speed);
    let (passage, keep) = run(&car, 10.0, 1);
    let lock = speed * J / (2000.0 / RADIUS - A_G);
    let stop = speed / (0.8 * 9.81);
    assert_events(&keep.events, &[(lock, BRAKE, -1, 0), (stop, GROUND, 1, 0)]);
    assert!((passage.state.x() - 0.5 * speed * stop).abs() <= 1e-9);
}
