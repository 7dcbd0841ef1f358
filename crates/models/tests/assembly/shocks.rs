//! Walls judged by their gaps: the modified θ-method and the plain one.

use std::f64::consts::PI;

use stickslip_core::law::{Coefficient, State};
use stickslip_core::mechanics::{Judged, System};
use stickslip_core::scheme::theta::{Contact, Linear, ThetaMethod};
use stickslip_core::scheme::{Grid, judged_steps};
use stickslip_linalg::Matrix;
use stickslip_models::assembly::{Assembly, AssemblyState, Buffer, End, Face, Link, Parameters, Spring, Stop};

use crate::{Watch, build, mass, pad, spring};

const K: f64 = 4.0 * PI * PI;

fn stop(name: &str, of: usize, against: End, clearance: f64) -> Stop {
    let link = Link { of: End::body(of), against };
    Stop { name: name.into(), link, along: [1.0, 0.0], clearance, buffer: Buffer::Wall(0.0) }
}

/// The mass on a spring that meets a stop, x = u − 1.
fn mass_on_stop() -> Assembly {
    build(Parameters {
        bodies: vec![mass("mass", 1.0, 0.5, 0.0)],
        springs: vec![Spring { preload: 0.5 * K, ..spring(K) }],
        stops: vec![stop("wall", 0, End::GROUND, 1.0)],
        ..Parameters::default()
    })
}

fn run(
    assembly: &Assembly,
    (theta, judged): (f64, Judged),
    (duration, steps): (f64, u64),
    look: impl FnMut(f64, &AssemblyState),
) -> (AssemblyState, Vec<crate::Change>) {
    let mut seen = Watch { look, events: Vec::new() };
    let grid = Grid { h: duration / steps as f64, steps };
    let outcome = judged_steps(assembly, (theta, judged), grid, &mut seen).expect("runs");
    (outcome.state, seen.events)
}

#[test]
fn the_shock_is_that_of_the_reference() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/squeal/theta-shock.csv"));
    let assembly = mass_on_stop();
    for line in text.expect("reference").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().expect("number");
        let judged = if cells[0] == "modified" { Judged::Shifted } else { Judged::End };
        let (state, _) = run(&assembly, (number(1), judged), (1.0, number(2) as u64), |_, _| ());
        let ledger = assembly.ledger(&state);
        assert!((state.coordinates()[0] + 1.0 - number(3)).abs() < 1e-9, "{line}: {}", state.coordinates()[0] + 1.0);
        assert!((state.heat()[0] - number(6)).abs() < 1e-7, "{line}: {}", state.heat()[0]);
        let numerical = ledger.dissipated_total() - state.heat()[0];
        assert!((numerical - number(7)).abs() < 1e-7, "{line}: {numerical}");
        assert!(ledger.lost().abs() < 1e-10, "{line}: {}", ledger.lost());
    }
}

#[test]
fn it_agrees_with_the_method_on_matrices() {
    // Two masses, damped, one on a stop, the other on a pad; driven by nothing but where they start.
    let link = Link { of: End::body(1), against: End::body(0) };
    let between = Spring { link, preload: 0.0, ..spring(30.0) };
    let damper = stickslip_models::assembly::Damper {
        name: "damper".into(),
        link,
        along: [1.0, 0.0],
        characteristic: stickslip_models::assembly::Characteristic::Linear(0.4),
    };
    let assembly = build(Parameters {
        bodies: vec![mass("a", 1.0, 0.1, -3.0), mass("b", 2.0, 0.4, 1.0)],
        springs: vec![spring(K), between],
        dampers: vec![damper],
        pads: vec![pad(
            "pad",
            Link { of: End::body(1), against: End::GROUND },
            Face::Along([1.0, 0.0]),
            2.0,
            Coefficient::Constant(0.5),
        )],
        stops: vec![stop("wall", 0, End::GROUND, 0.3)],
        ..Parameters::default()
    });
    for (theta, judged) in [(0.5, Judged::Shifted), (0.8, Judged::Shifted), (1.0, Judged::Shifted), (0.5, Judged::End)]
    {
        let system = Linear {
            mass: Matrix::from_rows(&[&[1.0, 0.0], &[0.0, 2.0]]),
            damping: Matrix::from_rows(&[&[0.4, -0.4], &[-0.4, 0.4]]),
            stiffness: Matrix::from_rows(&[&[K + 30.0, -30.0], &[-30.0, 30.0]]),
            // Pad, upper wall, lower wall.
            rows: Matrix::from_rows(&[&[0.0, 1.0], &[-1.0, 0.0], &[1.0, 0.0]]),
            carried: None,
            contacts: vec![
                Contact::Along { bound: 1.0 },
                Contact::Unilateral { gap: 0.3 },
                Contact::Unilateral { gap: 0.3 },
            ],
        };
        let steps = 1500;
        let mut method = ThetaMethod::new(system, 3.0 / steps as f64, theta, judged).expect("valid");
        let mut motion = method.start(&[0.1, 0.4], &[-3.0, 1.0]);
        let mut touched = 0;
        let mut worst: f64 = 0.0;
        let (state, _) = run(&assembly, (theta, judged), (3.0, steps), |_, u| {
            method.step(&mut motion, &[0.0; 2], &[0.0; 3]).expect("solved");
            touched += usize::from(u.modes()[1] == State::Stick);
            for (a, b) in u.coordinates().iter().chain(u.velocities()).zip(motion.u.iter().chain(&motion.v)) {
                worst = worst.max((a - b).abs());
            }
        });
        assert!(worst < 1e-9, "θ = {theta}: {worst}");
        assert!(touched > 1, "the wall was never touched");
        let ledger = assembly.ledger(&state);
        assert!(ledger.lost().abs() < 1e-10 && motion.energy.missing().abs() < 1e-10, "{}", ledger.lost());
    }
}

#[test]
fn what_is_pressed_against_a_wall_rests_exactly() {
    // Two bodies, a wall between them: a row with two entries, which no single velocity decides.
    let link = Link { of: End::body(1), against: End::body(0) };
    let assembly = build(Parameters {
        bodies: vec![mass("a", 1.0, 0.0, 0.0), mass("b", 1.0, 0.2, 0.0)],
        springs: vec![spring(K), Spring { link, preload: 40.0, ..spring(1.0) }],
        stops: vec![stop("wall", 1, End::body(0), 0.3)],
        ..Parameters::default()
    });
    let mut closed = 0;
    let mut before = f64::NAN;
    run(&assembly, (0.5, Judged::Shifted), (2.0, 4001), |_, u| {
        if u.modes()[0] == State::Stick {
            closed += 1;
            assert!(closed <= 1 || u.slips()[0] == 0.0, "{closed}: {:?}", u.slips());
            assert!(closed <= 2 || u.displacements()[0] == before, "the wall drifts");
        } else {
            assert_eq!(closed, 0, "it came off");
        }
        before = u.displacements()[0];
    });
    assert!(closed > 3000, "{closed}");
}

#[test]
fn steps_longer_than_the_play_do_not_leave_it() {
    // A body between two walls, faster than its play in a step: the wall that is met holds, whichever was looked at first.
    let assembly = build(Parameters {
        bodies: vec![mass("a", 1.0, 0.009, -40.0)],
        springs: vec![spring(10.0)],
        stops: vec![stop("wall", 0, End::GROUND, 0.01)],
        ..Parameters::default()
    });
    let (state, events) = run(&assembly, (1.0, Judged::Shifted), (0.1, 100), |_, u| {
        assert!(u.coordinates()[0].abs() <= 0.01 * (1.0 + 1e-9), "{:?}", u.coordinates());
    });
    assert!(!events.is_empty() && state.coordinates()[0].abs() <= 0.01);
    // From rest beside one wall thrown beyond the other within a step.
    let thrown = build(Parameters {
        bodies: vec![mass("a", 1.0, 0.009, 0.0)],
        forces: vec![crate::sine(0, 0, -1e5, 0.0, std::f64::consts::FRAC_PI_2)],
        stops: vec![stop("wall", 0, End::GROUND, 0.01)],
        ..Parameters::default()
    });
    run(&thrown, (0.5, Judged::Shifted), (0.1, 100), |_, u| {
        // In the shifted configuration; where it is, half a step of its speed may be beyond.
        let ahead = u.coordinates()[0] + 0.5e-3 * u.velocities()[0];
        assert!(ahead.abs() <= 0.01 * (1.0 + 1e-9), "{:?} {:?}", u.coordinates(), u.velocities());
    });
    // Without play it is held both ways.
    let held = build(Parameters {
        bodies: vec![mass("a", 1.0, 0.0, 0.0)],
        forces: vec![crate::sine(0, 0, 5.0, 9.0, 0.0)],
        stops: vec![stop("wall", 0, End::GROUND, 0.0)],
        ..Parameters::default()
    });
    run(&held, (0.5, Judged::Shifted), (3.0, 300), |_, u| assert!(u.coordinates()[0].abs() < 1e-15));
}

#[test]
fn dry_friction_gains_at_most_its_bound() {
    let assembly = build(Parameters {
        bodies: vec![mass("a", 1.0, 1.5, 0.0)],
        springs: vec![spring(K)],
        pads: vec![pad(
            "pad",
            Link { of: End::body(0), against: End::GROUND },
            Face::Along([1.0, 0.0]),
            4.0,
            Coefficient::Constant(1.0),
        )],
        ..Parameters::default()
    });
    let gain = |theta: f64, steps: u64| {
        let (mut heat, mut gain) = (0.0, 0.0_f64);
        run(&assembly, (theta, Judged::Shifted), (3.0, 3 * steps), |_, u| {
            gain = gain.max(heat - u.heat()[0]);
            heat = u.heat()[0];
        });
        gain
    };
    for (steps, reference) in [(211, 8.2e-4), (433, 1.8e-4), (857, 4.5e-5)] {
        assert_eq!(gain(1.0, steps), 0.0);
        assert!((gain(0.5, steps) / reference - 1.0).abs() < 0.03, "{}", gain(0.5, steps));
    }
}

#[test]
fn a_start_on_a_wall_is_as_inelastic_as_any_blow() {
    for theta in [0.5, 0.75, 1.0] {
        // Two bodies that touch, or nearly: the blow falls within the first step.
        for near in [0.0, 1e-4, 4e-4] {
            let assembly = build(Parameters {
                bodies: vec![mass("a", 1.0, 0.1 - near, 2.0), mass("b", 1.0, 0.0, 0.0)],
                stops: vec![stop("wall", 0, End::body(1), 0.1)],
                ..Parameters::default()
            });
            let mut step = 0;
            let (state, _) = run(&assembly, (theta, Judged::Shifted), (0.1, 100), |_, u| {
                step += 1;
                assert!(step < 2 || u.velocities().iter().all(|v| (v - 1.0).abs() < 1e-13), "{step}: {u:?}");
            });
            let beyond = state.displacements()[0] - 0.1;
            assert!(beyond > -1e-12 && beyond <= 1e-3 * (1.0 - theta) * 2.0 + 1e-12, "θ = {theta}: {beyond}");
            let ledger = assembly.ledger(&state);
            assert!((ledger.dissipated_total() - 1.0).abs() < 1e-12 && ledger.lost().abs() < 1e-12, "θ = {theta}");
        }
        // What has no play has no speed.
        let held = build(Parameters {
            bodies: vec![mass("a", 1.0, 0.0, 2.0)],
            stops: vec![stop("wall", 0, End::GROUND, 0.0)],
            ..Parameters::default()
        });
        run(&held, (theta, Judged::Shifted), (0.1, 100), |_, u| assert_eq!(u.velocities(), [0.0], "θ = {theta}"));
    }
}
