//! The wagon bogie: frame and two wheelsets, four pads in the plane, eight stops (docs/assembly.md).

use std::f64::consts::PI;

use crate::{build, pad, sine, watch};
use stickslip_core::law::{Coefficient, State};
use stickslip_core::mechanics::System;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::assembly::{Assembly, Body, Buffer, End, Face, Fixture, Force, Freedom, Link, Parameters, Stop};

pub const FRAME: f64 = 1359.0;
pub const WHEELSET: f64 = 1120.0;
pub const FRAME_YAW: f64 = 550.0;
pub const WHEELSET_YAW: f64 = 160.0;
pub const A: f64 = 0.85;
pub const B: f64 = 0.8;
pub const LOAD: f64 = FRAME * 9.81 / 4.0;
pub const P: f64 = 3.0 * PI;

pub fn sech() -> Coefficient {
    Coefficient::Sech { sticking: 0.4, slipping: 0.3, alpha: 50.0 }
}

/// The bogie with the given forces; without yaw it can only move symmetrically.
pub fn bogie(yaw: bool, friction: Coefficient, load: f64, forces: Vec<Force>) -> Parameters {
    let body = |name: &str, mass: f64, inertia: f64| Body {
        name: name.into(),
        mass,
        freedom: if yaw { Freedom::Plane { inertia } } else { Freedom::Point },
        position: [0.0; 3],
        velocity: [0.0; 3],
    };
    let mut p = Parameters {
        bodies: vec![
            body("frame", FRAME, FRAME_YAW),
            body("front", WHEELSET, WHEELSET_YAW),
            body("rear", WHEELSET, WHEELSET_YAW),
        ],
        forces,
        ..Parameters::default()
    };
    for (set, eta, number) in [(1, 1.0, "1"), (2, -1.0, "2")] {
        for (y, side) in [(-B, "l"), (B, "r")] {
            let link = Link {
                of: End { on: Fixture::Body(set), at: [0.0, y] },
                against: End { on: Fixture::Body(0), at: [eta * A, y] },
            };
            let name = format!("{number}{side}");
            p.pads.push(pad(&name, link, Face::Disk, load, friction.clone()));
            for (axis, along) in [("x", [1.0, 0.0]), ("y", [0.0, 1.0])] {
                p.stops.push(Stop {
                    name: format!("{name} {axis}"),
                    link,
                    along,
                    clearance: 4e-3,
                    buffer: Buffer::Spring(4e6),
                });
            }
        }
    }
    p
}

/// Both wheelsets in phase, along x and along y with a phase.
pub fn in_phase(x: f64, y: f64, phase: f64) -> Vec<Force> {
    let mut forces = Vec::new();
    for set in [1, 2] {
        forces.push(sine(set, 0, x, P, 0.0));
        if y != 0.0 {
            forces.push(sine(set, 1, y, P, phase));
        }
    }
    forces
}

struct Seen {
    x: f64,
    y: f64,
    force: f64,
    stuck: f64,
    first: Option<f64>,
}

fn see(assembly: &Assembly, h: f64) -> Seen {
    let mut seen = Seen { x: 0.0, y: 0.0, force: 0.0, stuck: 0.0, first: None };
    let mut all = 0_u64;
    let steps = (4.0 / h).round() as u64;
    let (_, events, _) = watch(assembly, 4.0, steps, |_, u| {
        for d in u.displacements().chunks_exact(2) {
            (seen.x, seen.y) = (seen.x.max(d[0].abs()), seen.y.max(d[1].abs()));
        }
        let forces: Vec<f64> = u.friction().collect();
        seen.force = forces.chunks_exact(2).fold(seen.force, |m, f| m.max(f[0].hypot(f[1])));
        all += u64::from(u.modes().iter().all(|m| *m == State::Stick));
    });
    seen.stuck = all as f64 / steps as f64;
    seen.first = events.first().map(|e| e.0);
    seen
}

/// Table of the symmetric motion, extrapolated from two steps (first order).
#[test]
fn the_symmetric_motion_gives_the_table() {
    for (x, y, max_x, max_y, stuck, first) in
        [(10_000.0, 0.0, 6.0472, 0.0, 18.37, 0.083_186), (4000.0, 12_000.0, 4.8103, 6.4042, 30.81, 0.062_841)]
    {
        let p = bogie(false, sech(), LOAD, in_phase(x, y, 0.0));
        let runs = [5e-5, 2.5e-5].map(|h| see(&build(p.clone()), h));
        let limit = |f: fn(&Seen) -> f64| 2.0 * f(&runs[1]) - f(&runs[0]);
        assert!((limit(|s| 1e3 * s.x) - max_x).abs() < 2e-4, "{}", limit(|s| 1e3 * s.x));
        assert!((limit(|s| 1e3 * s.y) - max_y).abs() < 2e-4, "{}", limit(|s| 1e3 * s.y));
        assert!((limit(|s| 1e2 * s.stuck) - stuck).abs() < 0.05, "{}", limit(|s| 1e2 * s.stuck));
        let began = runs[1].first.expect("it slips");
        assert!(began >= first && began - first <= 2.0 * 2.5e-5 + 1e-6, "{began}");
        // Peak force μ_s N, reached at the last step of stick.
        assert!((runs[1].force - 1333.2).abs() < 0.1, "{}", runs[1].force);
    }
}

#[test]
fn stuck_cases_do_not_move_at_all() {
    for (x, y, phase, force) in
        [(4000.0, 0.0, 0.0, 755.2), (2000.0, 6000.0, 0.0, 1194.1), (2000.0, 6000.0, 0.5 * PI, 1132.8)]
    {
        let seen = see(&build(bogie(true, sech(), LOAD, in_phase(x, y, phase))), 1e-4);
        assert_eq!((seen.x, seen.y, seen.stuck, seen.first), (0.0, 0.0, 1.0, None));
        assert!((seen.force - force).abs() < 0.06, "{}", seen.force);
    }
}

/// Stick forces against the closed form, on random loads.
#[test]
fn stick_forces_equal_the_closed_form() {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for _ in 0..2000 {
        let loads: Vec<f64> = (0..9).map(|_| 1000.0 * random()).collect();
        let forces = (0..9).map(|k| Force { body: k / 3, component: k % 3, signal: Signal::Constant(loads[k]) });
        let mut p = bogie(true, Coefficient::Constant(1.0), 1e6, forces.collect());
        p.stops.clear();
        let state = implicit_euler(&build(p), Grid { h: 1e-3, steps: 1 }, &mut NullObserver).expect("runs").state;
        let found: Vec<f64> = state.friction().collect();
        let expected = closed_form(&loads);
        let size = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-9 * size, "{found:?} {expected:?}");
        }
    }
}

/// F_kf… are the loads on the frame here, with their sign: no spring acts.
fn closed_form(load: &[f64]) -> Vec<f64> {
    let (fx, fy, m) = (load[0], load[1], load[2]);
    let (mf, mw, jf, jw) = (FRAME, WHEELSET, FRAME_YAW, WHEELSET_YAW);
    let tx = |i: usize| load[3 * i] / mw - fx / mf;
    let tpsi = |i: usize| load[3 * i + 2] / jw - m / jf;
    let ty = |i: usize, eta: f64| load[3 * i + 1] / mw - fy / mf - eta * A * m / jf;
    let x1 = (mw * (mw + mf) * tx(1) - mw * mw * tx(2)) / (mf + 2.0 * mw);
    let x2 = mf * tx(1) - (mf + mw) * x1 / mw;
    let (ty1, ty2) = (ty(1, 1.0), ty(2, -1.0));
    let ys = (ty1 + ty2) / (1.0 / mw + 2.0 / mf);
    let qd = jw * (tpsi(1) - tpsi(2));
    let (a11, a12, a22) = (1.0 / jw + 2.0 / jf, 2.0 * A / jf, 1.0 / mw + 2.0 * A * A / jf);
    let (b1, b2) = (tpsi(1) + tpsi(2), ty1 - ty2);
    let determinant = a11 * a22 - a12 * a12;
    let (qs, yd) = ((b1 * a22 - a12 * b2) / determinant, (a11 * b2 - a12 * b1) / determinant);
    let mut out = Vec::new();
    for (x, y, q) in [(x1, 0.5 * (ys + yd), 0.5 * (qs + qd)), (x2, 0.5 * (ys - yd), 0.5 * (qs - qd))] {
        out.extend([0.5 * x + 0.5 * q / B, 0.5 * y, 0.5 * x - 0.5 * q / B, 0.5 * y]);
    }
    out
}

/// Quadrature excitation, μ constant, no stops: a circle whose radius is known, for implicit Euler, too.
#[test]
fn the_circle_has_the_radius_of_the_scheme() {
    let (amplitude, mu) = (5_299.664_916_330, 0.3);
    let c = (1.0 / WHEELSET + 2.0 / FRAME) * mu * 2.0 * LOAD;
    let a = amplitude / WHEELSET;
    let exact = (a * a - c * c).sqrt() / (P * P);
    assert!((exact - 2e-3).abs() < 1e-9, "{exact}");
    let h = 1e-4;
    let sine2 = 4.0 * (0.5 * P * h).sin().powi(2);
    // sine2 (V² + V h c) = h² (a² − c²).
    let right = h * h * (a * a - c * c) / sine2;
    let v = -0.5 * h * c + (0.25 * h * h * c * c + right).sqrt();
    let radius = v * h / (2.0 * (0.5 * P * h).sin());
    assert!((radius - 1.975_07e-3).abs() < 1e-8, "{radius}");
    let mut p = bogie(true, Coefficient::Constant(mu), LOAD, in_phase(amplitude, amplitude, 0.5 * PI));
    p.stops.clear();
    let period = 2.0 * PI / P;
    let steps = (60.0 * period / h).round() as u64;
    let mut box_ = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    watch(&build(p), steps as f64 * h, steps, |t, u| {
        if t > 59.0 * period {
            for (span, d) in box_.iter_mut().zip(u.displacements()) {
                *span = [span[0].min(*d), span[1].max(*d)];
            }
        }
    });
    for [least, greatest] in box_ {
        let found = 0.5 * (greatest - least);
        // The extremes of sampled points miss the circle's by at most (p h)²/8.
        assert!((found / radius - 1.0).abs() < 1e-5, "{found} {radius}");
    }
}

/// Constant μ, no stop contact: left and right stay equal to rounding for 10⁶ steps.
#[test]
fn symmetry_stays_at_rounding_with_constant_friction() {
    let mut p = bogie(true, Coefficient::Constant(0.3), LOAD, in_phase(7000.0, 2000.0, 0.4));
    p.stops.clear();
    let (mut greatest, mut size) = (0.0_f64, 0.0_f64);
    watch(&build(p), 50.0, 1_000_000, |_, u| {
        let d = u.displacements();
        for set in [0, 4] {
            for k in [set, set + 1] {
                greatest = greatest.max((d[k] - d[k + 2]).abs());
                size = size.max(d[k].abs());
            }
        }
    });
    assert!(greatest <= 1e-12 * size, "{greatest:e} {size:e}");
}

/// With μ falling in |V| the difference of the wheelsets' yaw rates grows in slip with the rate 2b²N|μ'|/I_w.
#[test]
fn yaw_grows_in_slip_at_its_rate() {
    // A steady slip of 0.02 m/s: large forces, so that the slip speed changes little while the yaw grows.
    let (v, alpha) = (0.02_f64, 50.0_f64);
    let slope = 0.1 * alpha * (alpha * v).tanh() / (alpha * v).cosh();
    let rate = 2.0 * B * B * LOAD * slope / WHEELSET_YAW;
    // Friction at this speed is balanced by constant forces, so that the slip stays as it is.
    let mu = sech().at(v);
    let drag = 2.0 * mu * LOAD;
    let forces = vec![
        Force { body: 0, component: 0, signal: Signal::Constant(-2.0 * drag) },
        Force { body: 1, component: 0, signal: Signal::Constant(drag) },
        Force { body: 2, component: 0, signal: Signal::Constant(drag) },
    ];
    let mut p = bogie(true, sech(), LOAD, forces);
    p.stops.clear();
    for (set, yaw) in [(1, 1e-10), (2, -1e-10)] {
        p.bodies[set].velocity = [v, 0.0, yaw];
    }
    let difference = |t: f64| {
        let steps = (t / 2e-5).round() as u64;
        let u = implicit_euler(&build(p.clone()), Grid { h: 2e-5, steps }, &mut NullObserver).expect("runs").state;
        u.velocities()[5] - u.velocities()[8]
    };
    let measured = (difference(0.2) / difference(0.1)).ln() / 0.1;
    assert!((measured / rate - 1.0).abs() < 1e-2, "{measured} {rate}");
}

/// The same seen in case 1: from 1e-16 m to more than 1e-6 m within four seconds.
#[test]
fn case_1_loses_its_symmetry() {
    let mut p = bogie(true, sech(), LOAD, in_phase(10_000.0, 0.0, 0.0));
    p.bodies[1].position[2] = 1e-16;
    let mut times = Vec::new();
    let mut next = 1e-15;
    watch(&build(p), 4.0, 160_000, |t, u| {
        let d = u.displacements();
        let asymmetry = (d[0] - d[2]).abs().max((d[4] - d[6]).abs());
        while asymmetry > next {
            times.push((t, next));
            next *= 10.0;
        }
    });
    assert!(times.iter().any(|(_, size)| *size > 0.9e-6), "{times:?}");
}

#[test]
fn the_facts_of_the_bogie() {
    let assembly = build(bogie(true, sech(), LOAD, in_phase(10_000.0, 0.0, 0.0)));
    let facts = assembly.facts();
    assert_eq!((facts.freedoms, facts.freedoms_stuck, facts.components, facts.rank), (9, 3, 8, 6));
    assert_eq!(facts.undetermined, [0, 1, 2, 3]);
    assert_eq!(facts.frequencies, [0.0; 9]);
    // η A = 2 μ_s N_c at A = 7061.2 N.
    assert!((1e4 * facts.thresholds[0].factor - 7061.2).abs() < 0.05, "{:?}", facts.thresholds);
    assert!(!assembly.uniqueness().forces && assembly.uniqueness().reason.contains("1l, 1r, 2l, 2r"));
}

/// Other readings of the load: 5000 N per pad, only the front wheelset excited. The reference is of the same scheme
/// and step, so that its digits are those printed; the yaw inertias show here.
#[test]
fn the_front_wheelset_alone() {
    let front = |x: f64, y: f64| vec![sine(1, 0, x, P, 0.0), sine(1, 1, y, P, 0.0)];
    let stuck = see(&build(bogie(true, sech(), 5000.0, front(2000.0, 6000.0))), 1e-4);
    assert_eq!((stuck.x, stuck.y, stuck.stuck), (0.0, 0.0, 1.0));
    assert!((stuck.force - 1410.2).abs() < 0.1, "{}", stuck.force);
    let seen = see(&build(bogie(true, sech(), 5000.0, front(4000.0, 12_000.0))), 1e-4);
    assert!((1e3 * seen.x - 6.0325).abs() < 1e-4 && (1e3 * seen.y - 5.9123).abs() < 1e-4, "{} {}", seen.x, seen.y);
}

/// All readings of the load and patterns of excitation, against what the source says of them: whether 10 kN hits the
/// stops, whether smaller forces leave everything stuck. A stuck bogie does not move at all.
#[test]
fn readings_of_the_load_hold_or_slip_as_the_table_says() {
    let table = include_str!("../../../../reference/bogie/load-readings.csv");
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [load, pattern] = [cells[1], cells[2]];
        // The literal sentence with antiphase needs all of its friction, to the last bit.
        let load: f64 = if load == "3332.9" { LOAD } else { load.parse().expect("a number") };
        let forces = |x: f64, y: f64, phase: f64| {
            let (rear_x, rear_y) = match pattern {
                "in" => (x, y),
                "front" => (0.0, 0.0),
                "antix" => (-x, y),
                "antixy" => (-x, -y),
                _ => (x, -y),
            };
            [(1, 0, x, 0.0), (1, 1, y, phase), (2, 0, rear_x, 0.0), (2, 1, rear_y, phase)]
                .map(|(set, axis, amplitude, phase)| sine(set, axis, amplitude, P, phase))
                .to_vec()
        };
        let statements = [
            (forces(1e4, 0.0, 0.0), false),
            (forces(4e3, 0.0, 0.0), true),
            (forces(2e3, 6e3, 0.0), true),
            (forces(2e3, 6e3, 0.5 * PI), true),
        ];
        for (k, (forces, stuck)) in statements.into_iter().enumerate() {
            let said = cells[3 + k] == "True";
            let mut moved = 0.0_f64;
            watch(&build(bogie(true, sech(), load, forces)), 1.4, 7_000, |_, u| {
                moved = u.displacements().iter().fold(moved, |m, d| m.max(d.abs()));
            });
            let found = if stuck { moved == 0.0 } else { moved > 4e-3 };
            assert_eq!(found, said, "{line}: statement {}, moved {moved}", k + 1);
            rows += 1;
        }
    }
    assert_eq!(rows, 100);
}
