//! Assemblies from event to event: the numbers that steps only tend to.

use std::f64::consts::PI;

use crate::bogie::{FRAME, LOAD, P, WHEELSET, bogie, in_phase, sech};
use crate::{Watch, build, mass, pad, sine, spring};
use stickslip_core::law::{Coefficient, State};
use stickslip_core::mechanics::System;
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Grid};
use stickslip_core::signal::{Points, Signal, Sine};
use stickslip_models::assembly::{
    Assembly, AssemblyState, End, Face, Fixture, Force, Link, Motion, Parameters, Support,
};

type Changes = Vec<(f64, usize, State, State)>;

fn go(
    assembly: &Assembly,
    duration: f64,
    samples: u64,
    look: impl FnMut(f64, &AssemblyState),
) -> (EventRunResult<AssemblyState>, Changes) {
    let (passage, events) = go_on(assembly, duration, samples, look);
    assert_eq!(passage.handovers, 0);
    (passage, events)
}

/// The same where clusters of events may be passed by implicit steps.
fn go_on(
    assembly: &Assembly,
    duration: f64,
    samples: u64,
    look: impl FnMut(f64, &AssemblyState),
) -> (EventRunResult<AssemblyState>, Changes) {
    let mut seen = Watch { look, events: Vec::new() };
    let grid = Grid { h: duration / samples as f64, steps: samples };
    let passage = assembly.by_events(grid, &Settings::default(), &mut seen).expect("runs");
    (passage, seen.events)
}

#[test]
fn the_two_masses_of_the_reference_file() {
    let link = Link { of: End::body(0), against: End::body(1) };
    let pair = build(Parameters {
        bodies: vec![mass("first", 1.0, 0.0, 0.0), mass("second", 1.0, 0.0, 0.0)],
        pads: vec![pad("pad", link, Face::Along([1.0, 0.0]), 1.0, Coefficient::Constant(0.4))],
        forces: vec![sine(0, 0, 1.0, 1.0, 0.0)],
        ..Parameters::default()
    });
    let (passage, events) = go(&pair, 20.0, 1, |_, _| {});
    // Rows: state, from, to, sign, displacement at the start; nine digits.
    let file = include_str!("../../../../reference/two-mass/direct-segments.csv");
    let rows: Vec<Vec<&str>> = file.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(events.len(), rows.len() - 1);
    for (row, (t, _, _, to)) in rows.iter().skip(1).zip(&events) {
        let from: f64 = row[1].parse().expect("a number");
        assert!((t - from).abs() <= 5.1e-10, "{row:?} {t}");
        assert_eq!(f64::from(to.sign()), row[3].parse::<f64>().expect("a number"));
    }
    assert!(pair.ledger(&passage.state).closure() <= 1e-11);
}

#[test]
fn stop_springs_and_moving_supports() {
    // A block between two stops, shaken by its support through the pad: every change of the stop force is an event of
    // its own, and the energy closes although forces have corners.
    let base = Support {
        name: "shaker".into(),
        motion: [
            Motion::Position(Signal::Sine(Sine { offset: 0.0, amplitude: 0.02, omega: 9.0, phase: 0.3 })),
            Motion::Still,
        ],
    };
    let link = Link { of: End::body(0), against: End { on: Fixture::Support(0), at: [0.0; 2] } };
    let shaken = build(Parameters {
        bodies: vec![mass("block", 1.0, 0.0, 0.0)],
        supports: vec![base],
        springs: vec![spring(20.0)],
        stops: vec![stickslip_models::assembly::Stop {
            name: "stop".into(),
            link: Link { of: End::body(0), against: End::GROUND },
            along: [1.0, 0.0],
            clearance: 5e-3,
            buffer: stickslip_models::assembly::Buffer::Spring(2e3),
        }],
        pads: vec![pad("pad", link, Face::Along([1.0, 0.0]), 10.0, Coefficient::Constant(0.1))],
        ..Parameters::default()
    });
    let mut greatest = 0.0_f64;
    let (passage, events) = go(&shaken, 10.0, 1000, |_, u| {
        greatest = greatest.max(u.coordinates()[0].abs());
        assert!(u.modes()[0] != State::Stick || u.slips()[0] == 0.0);
    });
    assert!(events.len() > 20 && greatest > 5e-3, "{} {greatest}", events.len());
    let closure = shaken.ledger(&passage.state).closure();
    assert!(closure <= 1e-10, "{closure:e}");
}

#[test]
fn the_bogie_begins_to_slip_when_it_must() {
    // Longitudinal: η A sin pt = μ_s N_w, η = m_f/(m_f + 2 m_w). The table has six digits.
    let eta = FRAME / (FRAME + 2.0 * WHEELSET);
    let first = (0.4 * 2.0 * LOAD / (eta * 10_000.0)).asin() / P;
    let case_1 = build(bogie(true, sech(), LOAD, in_phase(10_000.0, 0.0, 0.0)));
    let (_, events) = go(&case_1, 0.1, 1, |_, _| {});
    assert!((events[0].0 - first).abs() <= 1e-9 && (first - 0.083_186).abs() < 1e-6, "{events:?} {first}");
    assert_eq!(events.len(), 4, "all four pads at once: {events:?}");
    // Both directions in phase: the same with √(A_x² + A_y²).
    let both = (0.4 * 2.0 * LOAD / (eta * 4000.0_f64.hypot(12_000.0))).asin() / P;
    let case_2b = build(bogie(true, sech(), LOAD, in_phase(4000.0, 12_000.0, 0.0)));
    let (_, events) = go(&case_2b, 0.08, 1, |_, _| {});
    assert!((events[0].0 - both).abs() <= 1e-9 && (both - 0.062_841).abs() < 1e-6, "{events:?} {both}");
}

#[test]
fn a_stuck_bogie_does_not_move_at_all() {
    for (x, y, phase, force) in
        [(4000.0, 0.0, 0.0, 755.2), (2000.0, 6000.0, 0.0, 1194.1), (2000.0, 6000.0, PI / 2.0, 1132.8)]
    {
        let stuck = build(bogie(true, sech(), LOAD, in_phase(x, y, phase)));
        let mut greatest = 0.0_f64;
        let (_, events) = go(&stuck, 4.0, 4000, |_, u| {
            assert!(u.displacements().iter().chain(u.slips()).all(|d| *d == 0.0));
            let forces: Vec<f64> = u.friction().collect();
            greatest = forces.chunks_exact(2).fold(greatest, |m, f| m.max(f[0].hypot(f[1])));
        });
        assert!(events.is_empty(), "{events:?}");
        assert!((greatest - force).abs() < 0.06, "{greatest} {force}");
    }
}

#[test]
fn the_symmetric_bogie_gives_the_table() {
    for (x, y, max_x, max_y, stuck) in [(10_000.0, 0.0, 6.0472, 0.0, 18.37), (4000.0, 12_000.0, 4.8103, 6.4042, 30.81)]
    {
        let symmetric = build(bogie(false, sech(), LOAD, in_phase(x, y, 0.0)));
        let (mut seen_x, mut seen_y) = (0.0_f64, 0.0_f64);
        // Front and rear come to their bounds at the same instant, with forces that are not unique. The motion in which one
        // of them is earlier grows by 50 in a period: what is symmetric must stay so to the last bit.
        let (passage, _) = go_on(&symmetric, 4.0, 40_000, |_, u| {
            for d in u.displacements().chunks_exact(2) {
                (seen_x, seen_y) = (seen_x.max(d[0].abs()), seen_y.max(d[1].abs()));
            }
        });
        assert!(passage.handovers == 0, "{}", passage.handovers);
        // Printed digits; samples every 0.1 ms miss a maximum by less than 1e-5 mm.
        assert!((1e3 * seen_x - max_x).abs() < 1e-4, "{seen_x} {max_x}");
        assert!((1e3 * seen_y - max_y).abs() < 1e-4, "{seen_y} {max_y}");
        let share = 100.0 * passage.stuck[0] / 4.0;
        assert!((share - stuck).abs() < 0.02, "{share} {stuck}");
    }
}

#[test]
fn the_bogie_slips_in_a_circle() {
    // Quadrature excitation, constant friction, no stops in reach: a relative circle of 2 mm, reached from rest.
    let kappa = 1.0 / WHEELSET + 2.0 / FRAME;
    let amplitude = 5_299.664_916_330;
    let capacity: f64 = 0.3 * 2.0 * LOAD;
    let radius = ((amplitude / WHEELSET).powi(2) - (kappa * capacity).powi(2)).sqrt() / (P * P);
    assert!((radius - 2e-3).abs() < 1e-9);
    let mut p = bogie(false, Coefficient::Constant(0.3), LOAD, in_phase(amplitude, amplitude, PI / 2.0));
    p.stops.clear();
    let circle = build(p);
    let mut last: Vec<[f64; 3]> = Vec::new();
    go(&circle, 40.0, 80_000, |t, u| {
        if t > 40.0 - 2.0 * PI / P {
            last.push([t, u.displacements()[0], u.displacements()[1]]);
        }
    });
    // The centre drifts with the start; the radius is half of the width. Samples miss it by at most (p h)²/8 of it.
    let width = |k: usize| {
        let (lo, hi) = last.iter().fold((f64::MAX, f64::MIN), |(lo, hi), p| (lo.min(p[k]), hi.max(p[k])));
        0.5 * (hi - lo)
    };
    assert!((width(1) - radius).abs() < 1e-8 && (width(2) - radius).abs() < 1e-8, "{} {}", width(1), width(2));
}

#[test]
fn the_bogie_with_yaw_goes_through_half_of_case_2b() {
    // Four pads come to their bounds within nanoseconds of each other while three bodies share their load.
    let case_2b = build(bogie(true, sech(), LOAD, in_phase(4000.0, 12_000.0, 0.0)));
    let mut seen = Watch { look: |_: f64, _: &AssemblyState| {}, events: Vec::new() };
    let grid = Grid { h: 2.0, steps: 1 };
    let passage = case_2b.by_events(grid, &Settings::default(), &mut seen).expect("runs");
    assert!(seen.events.len() > 50 && passage.handovers == 0, "{} {}", seen.events.len(), passage.handovers);
    let closure = case_2b.ledger(&passage.state).closure();
    // Some 1200 steps of 1e-12 each.
    assert!(closure <= 1.2e-9, "{closure:e}");
}

#[test]
fn pushes_of_any_shortness_are_not_stepped_over() {
    // A triangle of 1 N s and width w on a block of 1 kg that rests with μN = 0.5 N: slip begins at w²/8, rest at
    // T = 2 + w²/16, and x = (T − w/2) − (w²/32)(T − w²/12) − (T − w²/8)²/4.
    for exponent in 2..9 {
        let (start, w) = (1.0003, 10_f64.powi(-exponent));
        let times = vec![start, start + 0.5 * w, start + w];
        // The instants are rounded, and with them the width.
        let (w, rounding) = (times[2] - times[0], 4.0 * f64::EPSILON / w);
        let force = Signal::Points(Points::new(times, vec![0.0, 2.0 / w, 0.0]).expect("points"));
        let link = Link { of: End::body(0), against: End::GROUND };
        let block = build(Parameters {
            bodies: vec![mass("block", 1.0, 0.0, 0.0)],
            pads: vec![pad("pad", link, Face::Along([1.0, 0.0]), 1.0, Coefficient::Constant(0.5))],
            forces: vec![Force { body: 0, component: 0, signal: force }],
            ..Parameters::default()
        });
        let (passage, events) = go(&block, 4.0, 40, |_, _| {});
        let stop = 2.0 + w * w / 16.0;
        let x = (stop - 0.5 * w) - w * w / 32.0 * (stop - w * w / 12.0) - 0.25 * (stop - w * w / 8.0).powi(2);
        assert_eq!(events.len(), 2, "{w}");
        assert!((events[0].0 - start - w * w / 8.0).abs() <= 1e-12, "{w}: {}", events[0].0);
        assert!((events[1].0 - start - stop).abs() <= 1e-11 + 2.0 * rounding, "{w}: {}", events[1].0);
        assert!((passage.state.coordinates()[0] - x).abs() <= 1e-11 + 2.0 * rounding, "{w}: {:?} {x}", passage.state);
        assert!(block.ledger(&passage.state).closure() <= 1e-11 + rounding, "{w}");
        assert_eq!(passage.state.velocities()[0], 0.0);
    }
}

/// Where forces are not unique the search for them begins at the last ones found, which are not those that a sample has asked for.
#[test]
fn events_have_the_same_bits_however_often_one_looks() {
    let forces = vec![sine(1, 0, 4000.0, P, 0.0), sine(1, 1, 12_000.0, P, 0.0)];
    let front = build(bogie(true, sech(), 5000.0, forces));
    let [once, often] = [1, 2357].map(|samples| go_on(&front, 2.0, samples, |_, _| {}));
    assert!(once.1.len() >= 4, "{:?}", once.1);
    assert_eq!(once.1, often.1);
    assert_eq!(once.0.state.velocities(), often.0.state.velocities());
}
