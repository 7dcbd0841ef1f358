//! The θ-method of `scheme/theta.rs`: closed forms, reference data, properties.

use std::f64::consts::PI;

use stickslip_core::law::State;
use stickslip_core::mechanics::Judged;
use stickslip_core::scheme::theta::{Contact, Linear, Motion, ThetaError, ThetaMethod};
use stickslip_linalg::Matrix;

const K: f64 = 4.0 * PI * PI;

fn one(value: f64) -> Matrix {
    Matrix::from_rows(&[&[value]])
}

/// m = 1, k = 4π² (a period of 1 s), a contact on the coordinate itself.
fn oscillator(damping: f64, contact: Option<Contact>) -> Linear {
    let rows = if contact.is_some() { one(1.0) } else { Matrix::zeros(0, 1) };
    let contacts = contact.into_iter().collect();
    Linear { mass: one(1.0), damping: one(damping), stiffness: one(K), rows, carried: None, contacts }
}

/// The mass on a spring at rest at u = 0.5 that meets a stop at u = 0, as displacement from the spring's rest.
fn shock(theta: f64, judged: Judged, steps: usize, mut look: impl FnMut(&Motion)) -> Motion {
    let system = oscillator(0.0, Some(Contact::Unilateral { gap: 0.5 }));
    let mut method = ThetaMethod::new(system, 1.0 / steps as f64, theta, judged).expect("valid");
    let mut motion = method.start(&[1.0], &[0.0]);
    for _ in 0..steps {
        method.step(&mut motion, &[0.0], &[0.0]).expect("solved");
        look(&motion);
    }
    motion
}

#[test]
fn rows_of_the_shock_are_those_of_the_reference() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/squeal/theta-shock.csv"));
    let text = text.expect("reference");
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().expect("number");
        let judged = if cells[0] == "modified" { Judged::Shifted } else { Judged::End };
        let motion = shock(number(1), judged, number(2) as usize, |_| ());
        let energy = motion.energy;
        let near = |a: f64, b: f64, tolerance: f64| (a - b).abs() <= tolerance;
        assert!(near(motion.u[0] + 0.5, number(3), 1e-9), "{line}: u = {}", motion.u[0] + 0.5);
        assert!(near(energy.start - energy.stored, number(5), 1e-7), "{line}: {}", energy.start - energy.stored);
        assert!(near(energy.heat, number(6), 1e-7) && near(energy.numerical, number(7), 1e-7), "{line}: {energy:?}");
        assert!(energy.missing().abs() < 1e-10, "{line}: {}", energy.missing());
        rows += 1;
    }
    assert_eq!(rows, 24);
}

#[test]
fn the_shock_loses_what_the_closed_form_says() {
    // From u = 1.5 about 0.5 to the stop: all of the kinetic energy there, ½ k (1² − 0.5²).
    let loss = 0.5 * K * 0.75;
    assert!((loss - 14.804407).abs() < 1e-6);
    for steps in [300, 600, 1200, 2400, 2407] {
        let motion = shock(0.5, Judged::Shifted, steps, |_| ());
        let lost = motion.energy.start - motion.energy.stored;
        assert!((lost - loss).abs() < 1e-6, "{steps}: {lost}");
    }
    // The plain method bounces and keeps nearly all.
    let motion = shock(0.5, Judged::End, 2400, |_| ());
    assert!(motion.energy.start - motion.energy.stored < 0.03);
    // Order 1 across the shock: errors of u(1) = 0.75 halve.
    let error = |steps| (shock(0.5, Judged::Shifted, steps, |_| ()).u[0] + 0.5 - 0.75).abs();
    for steps in [300, 600, 1200] {
        let order = (error(steps) / error(2 * steps)).log2();
        assert!((order - 1.0).abs() < 0.05, "{order}");
    }
}

#[test]
fn smooth_motion_has_orders_two_and_one() {
    let error = |theta: f64, steps: usize| {
        let mut method =
            ThetaMethod::new(oscillator(0.3, None), 1.0 / steps as f64, theta, Judged::Shifted).expect("valid");
        let mut motion = method.start(&[1.0], &[0.0]);
        (0..steps).for_each(|_| method.step(&mut motion, &[0.0], &[]).expect("solved"));
        // e^{−δt}(cos ωt + δ/ω sin ωt).
        let delta: f64 = 0.15;
        let omega = (K - delta * delta).sqrt();
        let exact = (-delta).exp() * (omega.cos() + delta / omega * omega.sin());
        assert!(motion.energy.missing().abs() < 1e-10);
        (motion.u[0] - exact).abs()
    };
    for (theta, order) in [(0.5, 2.0), (0.6, 1.0), (1.0, 1.0)] {
        let steps = if theta == 0.5 { 200 } else { 6400 };
        let found = (error(theta, steps) / error(theta, 2 * steps)).log2();
        assert!((found - order).abs() < 0.05, "θ = {theta}: {found}");
    }
}

#[test]
fn what_lies_on_a_stop_rests_exactly() {
    // A force presses it on: after the shock, u̇ is 0.0 and the gap does not drift.
    let system = Linear { stiffness: one(0.0), ..oscillator(0.0, Some(Contact::Unilateral { gap: 0.0 })) };
    let mut method = ThetaMethod::new(system, 1e-3, 0.5, Judged::Shifted).expect("valid");
    let mut motion = method.start(&[0.01], &[0.0]);
    let mut closed = 0;
    for _ in 0..2000 {
        method.step(&mut motion, &[-9.81], &[0.0]).expect("solved");
        if motion.states[0] == State::Stick {
            closed += 1;
            // From the second closed step on the velocity is zero: no chatter.
            assert!(closed == 1 || (motion.v[0] == 0.0 && motion.slip[0] == 0.0), "{motion:?}");
            // The first closed step ends at the stop, the second takes the speed; from the third on it carries the weight.
            assert!(closed <= 2 || (motion.r[0] - 9.81).abs() < 1e-9, "{closed}: {motion:?}");
        } else {
            assert_eq!(closed, 0, "it left the stop");
        }
    }
    assert!(closed > 1900);
    assert!((motion.energy.heat - 9.81 * 0.01).abs() < 1e-3 && motion.energy.missing().abs() < 1e-12);
}

/// Dry friction of 4 N on the oscillator, from u = 1.5, for 3 s.
fn friction(theta: f64, steps: usize) -> Motion {
    let system = oscillator(0.0, Some(Contact::Along { bound: 4.0 }));
    let mut method = ThetaMethod::new(system, 1.0 / steps as f64, theta, Judged::Shifted).expect("valid");
    let mut motion = method.start(&[1.5], &[0.0]);
    for _ in 0..3 * steps {
        let before = motion.clone();
        method.step(&mut motion, &[0.0], &[0.0]).expect("solved");
        let gain = before.energy.heat - motion.energy.heat;
        let bound = (1.0 - theta) / steps as f64 * 4.0 * before.v[0].abs();
        assert!(gain <= bound + 1e-15, "θ = {theta}: gained {gain}, at most {bound}");
        assert!(motion.energy.missing().abs() < 1e-10);
        if motion.states[0] == State::Stick {
            assert!(motion.v[0] == 0.0 && motion.slip[0] == 0.0);
        }
    }
    motion
}

#[test]
fn friction_gains_nothing_or_less_than_its_bound() {
    for steps in [211, 433, 857] {
        assert_eq!(friction(1.0, steps).gain, 0.0);
    }
    for (steps, reference) in [(211, 8.2e-4), (433, 1.8e-4), (857, 4.5e-5)] {
        let gain = friction(0.5, steps).gain;
        assert!((gain / reference - 1.0).abs() < 0.03, "{steps}: {gain} instead of {reference}");
    }
}

/// A contact of n nodes of a half-plane-like compliance, carried along at V, with or without mass.
fn rolling(n: usize, mass: f64, speed: f64) -> (Linear, Matrix, f64) {
    let dx = 1e-3;
    let w = Matrix::from_fn(n, n, |i, j| 1e-9 * (4.0 - (1.0 + (i as f64 - j as f64).powi(2)).ln()));
    let stiffness = {
        let factors = stickslip_linalg::Lu::new(&w);
        let mut k = Matrix::zeros(n, n);
        for j in 0..n {
            let mut column = vec![0.0; n];
            column[j] = 1.0;
            factors.solve(&mut column);
            column.iter().enumerate().for_each(|(i, v)| k[(i, j)] = *v);
        }
        // Symmetric but for rounding of the inverse.
        Matrix::from_fn(n, n, |i, j| 0.5 * (k[(i, j)] + k[(j, i)]))
    };
    // Upwind: node i + 1 is where the material comes from; before the first nothing is displaced.
    let carried = Matrix::from_fn(n, n, |i, j| speed / dx * (f64::from(i == j) - f64::from(i + 1 == j)));
    let rows = Matrix::from_fn(n, n, |i, j| f64::from(i == j));
    let bound = |i: usize| 300.0 * (1.0 - ((i as f64 + 0.5) / n as f64 * 2.0 - 1.0).powi(2));
    let system = Linear {
        mass: Matrix::from_fn(n, n, |i, j| if i == j { mass } else { 0.0 }),
        damping: Matrix::from_fn(n, n, |i, j| if i == j { 20.0 * mass } else { 0.0 }),
        stiffness,
        rows,
        carried: Some(carried),
        contacts: (0..n).map(|i| Contact::Along { bound: bound(i) }).collect(),
    };
    (system, w, dx)
}

#[test]
fn the_ledger_of_rolling_closes_with_five_entries() {
    for (mass, theta) in [(0.0, 1.0), (0.5, 1.0), (0.5, 0.5), (0.5, 0.7)] {
        let (n, speed) = (15, 10.0);
        let (system, _, dx) = rolling(n, mass, speed);
        let mut method = ThetaMethod::new(system, 0.5 * dx / speed, theta, Judged::Shifted).expect("valid");
        let mut motion = method.start(&vec![0.0; n], &vec![0.0; n]);
        let rigid = vec![2e-4 * speed; n];
        for _ in 0..200 {
            let before = motion.energy;
            method.step(&mut motion, &vec![0.0; n], &rigid).expect("solved");
            assert!(theta < 1.0 || motion.energy.heat >= before.heat);
        }
        let energy = motion.energy;
        assert!(energy.missing().abs() <= 1e-10 * energy.drive, "{mass} {theta}: {energy:?}");
        assert!(energy.drive > 0.0 && energy.heat > 0.0 && energy.convection > 0.01 * energy.drive, "{energy:?}");
        // Without the convective entry it cannot close.
        assert!((energy.missing() + energy.convection).abs() > 0.01 * energy.drive);
    }
}

#[test]
fn without_mass_a_step_is_the_quasi_static_one() {
    // u = W r, s = w/V + D W r + (W r − u_before)/(Vh): projected iterations on that, an independent way.
    let (n, speed) = (9, 4.0);
    let (system, w, dx) = rolling(n, 0.0, speed);
    let h = dx / speed;
    let bounds: Vec<f64> =
        system.contacts.iter().map(|c| if let Contact::Along { bound } = c { *bound } else { 0.0 }).collect();
    let mut method = ThetaMethod::new(system, h, 1.0, Judged::Shifted).expect("valid");
    let mut motion = method.start(&vec![0.0; n], &vec![0.0; n]);
    let (mut u, mut r) = (vec![0.0; n], vec![0.0; n]);
    let displaced = |r: &[f64], i: usize| if i < n { (0..n).map(|j| w[(i, j)] * r[j]).sum::<f64>() } else { 0.0 };
    for _ in 0..12 {
        method.step(&mut motion, &vec![0.0; n], &vec![1e-4 * speed; n]).expect("solved");
        for _ in 0..200_000 {
            let slip =
                |i: usize| 1e-4 + (displaced(&r, i) - displaced(&r, i + 1)) / dx + (displaced(&r, i) - u[i]) / dx;
            let slips: Vec<f64> = (0..n).map(slip).collect();
            let mut change = 0.0_f64;
            for i in 0..n {
                let next = (r[i] - 2e4 * slips[i]).clamp(-bounds[i], bounds[i]);
                change = change.max((next - r[i]).abs());
                r[i] = next;
            }
            if change < 1e-10 {
                break;
            }
        }
        u = (0..n).map(|i| displaced(&r, i)).collect();
        for (a, b) in motion.r.iter().zip(&r) {
            assert!((a - b).abs() < 1e-6 * 300.0, "{a} {b}");
        }
    }
}

#[test]
fn disks_slip_against_their_slip() {
    let system = Linear {
        mass: Matrix::from_fn(2, 2, |i, j| f64::from(i == j)),
        damping: Matrix::zeros(2, 2),
        stiffness: Matrix::zeros(2, 2),
        rows: Matrix::from_fn(2, 2, |i, j| f64::from(i == j)),
        carried: None,
        contacts: vec![Contact::Disk { bound: 5.0 }],
    };
    let mut method = ThetaMethod::new(system, 0.01, 0.5, Judged::Shifted).expect("valid");
    let mut motion = method.start(&[0.0, 0.0], &[3.0, 4.0]);
    // It stops after |v|/bound = 1 s, on a straight line.
    for _ in 0..50 {
        method.step(&mut motion, &[0.0; 2], &[0.0; 2]).expect("solved");
    }
    assert!((motion.v[0] - 1.5).abs() < 1e-10 && (motion.v[1] - 2.0).abs() < 1e-10);
    method.set_bound(0, 10.0).expect("a bound");
    for _ in 0..50 {
        method.step(&mut motion, &[0.0; 2], &[0.0; 2]).expect("solved");
    }
    assert_eq!(motion.v, [0.0, 0.0]);
    assert!((motion.energy.heat - 12.5).abs() < 1e-9);
}

#[test]
fn what_cannot_be_is_refused() {
    let make = |system, h, theta| ThetaMethod::new(system, h, theta, Judged::Shifted).map(|_| ());
    assert_eq!(make(oscillator(0.0, None), 0.1, 0.4), Err(ThetaError::Theta(0.4)));
    assert!(matches!(make(oscillator(0.0, None), f64::NAN, 1.0), Err(ThetaError::Step(_))));
    let loose = Linear { mass: one(0.0), stiffness: one(0.0), ..oscillator(0.0, None) };
    assert_eq!(make(loose, 0.1, 1.0), Err(ThetaError::Singular));
    let short = Linear { rows: Matrix::zeros(0, 1), ..oscillator(0.0, Some(Contact::Unilateral { gap: 0.0 })) };
    assert!(matches!(make(short, 0.1, 1.0), Err(ThetaError::Sizes(_))));
    assert!(matches!(make(oscillator(0.0, Some(Contact::Along { bound: -1.0 })), 0.1, 1.0), Err(ThetaError::Law(_))));
}

/// A mass that begins on the stop, or so near that the shifted configuration lies beyond it: m v²/2 is lost whatever the step.
#[test]
fn a_start_on_the_stop_is_as_inelastic_as_any_blow() {
    for theta in [0.5, 0.75, 1.0] {
        for (near, h) in [(0.0, 1e-2), (0.0, 1e-5), (2.5e-4, 1e-3), (4e-4, 1e-3)] {
            let system = Linear { stiffness: one(0.0), ..oscillator(0.0, Some(Contact::Unilateral { gap: 0.0 })) };
            let mut method = ThetaMethod::new(system, h, theta, Judged::Shifted).expect("valid");
            let mut motion = method.start(&[near], &[-3.0]);
            for n in 0..4 {
                method.step(&mut motion, &[0.0], &[0.0]).expect("solved");
                // With θ = 1 a blow within a step takes two of them.
                assert!(motion.v[0] == 0.0 || (n == 0 && theta == 1.0 && near > 0.0), "θ = {theta}: {motion:?}");
            }
            let beyond = -motion.u[0];
            assert!(beyond > -1e-15 && beyond <= h * (1.0 - theta) * 3.0 + 1e-15, "θ = {theta}: {beyond}");
            let lost = motion.energy.heat + motion.energy.numerical;
            assert!((lost - 4.5).abs() < 1e-12 && motion.energy.missing().abs() < 1e-12, "{:?}", motion.energy);
        }
    }
}

/// A run that is cut anywhere about the blow, and begun there with the same step or another one.
#[test]
fn a_blow_that_is_cut_stays_inelastic() {
    // Speed of the blow.
    let speed = (0.75 * K).sqrt();
    for theta in [0.5, 0.75, 1.0] {
        for steps in [300, 2400, 2407] {
            let mut all = Vec::new();
            let whole = shock(theta, Judged::Shifted, steps, |motion| all.push(motion.clone()));
            let blow = all.iter().position(|motion| motion.states[0] == State::Stick).expect("a blow");
            for (cut, ratio) in (blow - 3..=blow + 3).flat_map(|cut| [0.5, 1.0, 1.3, 2.0, 5.0].map(|r| (cut, r))) {
                let left = (steps - cut - 1) as f64;
                let count = (left / ratio - 1e-9).ceil();
                let h = left / (count * steps as f64);
                let system = oscillator(0.0, Some(Contact::Unilateral { gap: 0.5 }));
                let mut method = ThetaMethod::new(system, h, theta, Judged::Shifted).expect("valid");
                let mut motion = method.start(&all[cut].u, &all[cut].v);
                for _ in 0..count as usize {
                    method.step(&mut motion, &[0.0], &[0.0]).expect("solved");
                }
                let off = (motion.u[0] - whole.u[0]).abs();
                // The same steps go the same way; others place the blow elsewhere within a step.
                let most = if ratio == 1.0 { 1e-12 } else { h * speed };
                assert!(off <= most, "θ = {theta}, {steps} steps, cut after {cut}, {ratio}: {off}");
                assert!(motion.energy.missing().abs() < 1e-10);
            }
        }
    }
}
