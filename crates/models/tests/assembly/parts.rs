//! Walls, tables, loads from springs, friction over time and place, energy; steps allocate nothing.

use crate::{build, mass, pad, sine, spring, watch_theta};
use stickslip_core::law::{Coefficient, Curve, State};
use stickslip_core::mechanics::System;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler, theta_steps};
use stickslip_core::signal::{Points, Signal, Sine};
use stickslip_models::assembly::{
    Assembly, AssemblyError, Buffer, Characteristic, Damper, End, Face, Fixture, Force, Link, Motion, Parameters,
    Spring, Stop, Support,
};

const ON_GROUND: Link = Link { of: End { on: Fixture::Body(0), at: [0.0; 2] }, against: End::GROUND };
const X: [f64; 2] = [1.0, 0.0];

fn run(p: Parameters, duration: f64, steps: u64) -> (Assembly, stickslip_models::assembly::AssemblyState) {
    run_theta(p, 1.0, duration, steps)
}

fn run_theta(
    p: Parameters,
    theta: f64,
    duration: f64,
    steps: u64,
) -> (Assembly, stickslip_models::assembly::AssemblyState) {
    let assembly = build(p);
    let grid = Grid { h: duration / steps as f64, steps };
    let state = theta_steps(&assembly, theta, grid, &mut NullObserver).expect("runs").state;
    (assembly, state)
}

/// Between two walls a mass keeps its speed but for the factor e at each impact.
#[test]
fn walls_throw_back_with_their_restitution() {
    for theta in [1.0, 0.5] {
        let p = Parameters {
            bodies: vec![mass("ball", 2.0, 0.0, 1.0)],
            stops: vec![Stop {
                name: "walls".into(),
                link: ON_GROUND,
                along: X,
                clearance: 0.5,
                buffer: Buffer::Wall(0.8),
            }],
            ..Parameters::default()
        };
        // Impacts at 0.5, then every 1/0.8, 1/0.64 s: three within 3.5 s.
        let (_, state) = run_theta(p, theta, 3.5, 3500);
        assert!((state.velocities()[0] + 0.512).abs() < 1e-12, "{}", state.velocities()[0]);
        // No farther beyond a wall than half a step.
        assert!(state.coordinates()[0].abs() <= 0.5 + 0.5e-3, "{}", state.coordinates()[0]);
    }
}

/// A mass pushed against a wall rests there, exactly.
#[test]
fn a_wall_holds_what_leans_on_it() {
    let p = Parameters {
        bodies: vec![mass("block", 1.0, 0.0, 0.0)],
        stops: vec![Stop { name: "wall".into(), link: ON_GROUND, along: X, clearance: 0.1, buffer: Buffer::Wall(0.0) }],
        forces: vec![Force { body: 0, component: 0, signal: Signal::Constant(3.0) }],
        ..Parameters::default()
    };
    let (assembly, state) = run(p, 2.0, 2000);
    assert_eq!(state.velocities()[0], 0.0);
    let mut modes = [State::Open];
    assembly.contact_states(&state, &mut modes);
    assert_eq!(modes, [State::Stick]);
}

/// The heat of a wall is ½ m v² (1 − e²), to rounding and by every θ, also where the wall moves; never below zero.
#[test]
fn walls_take_what_a_blow_costs() {
    for theta in [1.0, 0.75, 0.5] {
        for e in [1.0, 0.5, 0.0] {
            let p = Parameters {
                bodies: vec![mass("ball", 2.0, 0.0, 1.5)],
                stops: vec![Stop {
                    name: "wall".into(),
                    link: ON_GROUND,
                    along: X,
                    clearance: 0.5,
                    buffer: Buffer::Wall(e),
                }],
                ..Parameters::default()
            };
            let (assembly, state) = run_theta(p, theta, 0.5, 500);
            let ledger = assembly.ledger(&state);
            let wanted = 0.5 * 2.0 * 1.5 * 1.5 * (1.0 - e * e);
            assert!((ledger.dissipated[0].energy - wanted).abs() < 1e-13, "θ = {theta}, e = {e}: {ledger:?}");
            let closure = ledger.start + ledger.work - ledger.stored - ledger.dissipated[0].energy;
            assert!(closure.abs() < 1e-13, "θ = {theta}, e = {e}: {ledger:?}");
        }
    }
}

/// A mass that a sine throws against its walls: heat only grows, step by step.
#[test]
fn heat_of_walls_never_falls() {
    for theta in [1.0, 0.5] {
        for e in [1.0, 0.9, 0.3] {
            let p = Parameters {
                bodies: vec![mass("ball", 1.0, 0.0, 0.0)],
                springs: vec![spring(30.0)],
                stops: vec![Stop {
                    name: "wall".into(),
                    link: ON_GROUND,
                    along: X,
                    clearance: 0.05,
                    buffer: Buffer::Wall(e),
                }],
                forces: vec![sine(0, 0, 4.0, 5.0, 0.2)],
                ..Parameters::default()
            };
            let mut heat = 0.0;
            let assembly = build(p);
            watch_theta(&assembly, theta, 5.0, 5000, |_, state| {
                let now = assembly.ledger(state).dissipated[0].energy;
                assert!(now >= heat, "θ = {theta}, e = {e}: {heat} then {now}");
                heat = now;
            });
            assert!(e == 1.0 || heat > 0.1, "{heat}");
        }
    }
}

/// Between walls without play a mass comes to rest, exactly, instead of bouncing for ever at speeds that are rounding.
#[test]
fn a_wall_without_play_brings_rest() {
    for theta in [1.0, 0.5] {
        let p = Parameters {
            bodies: vec![mass("ball", 1.0, 0.0, 1.0)],
            stops: vec![Stop {
                name: "walls".into(),
                link: ON_GROUND,
                along: X,
                clearance: 0.0,
                buffer: Buffer::Wall(0.9),
            }],
            ..Parameters::default()
        };
        let (assembly, state) = run_theta(p, theta, 1.0, 10_000);
        assert_eq!(state.velocities()[0], 0.0, "θ = {theta}");
        assert!((assembly.ledger(&state).dissipated[0].energy - 0.5).abs() < 1e-12);
    }
}

/// A preloaded spring against a moving support: the work is the change of ½mv² + ½ke², in closed form. With p the preload
/// and the support at Vt, e = x − Vt obeys m e'' = −k e − p from e = 0, e' = −V.
#[test]
fn preload_against_a_moving_support_balances() {
    let (m, k, p, speed, t) = (2.0_f64, 8.0_f64, 1.0_f64, 0.5_f64, 3.0_f64);
    let omega = (k / m).sqrt();
    let e = -p / k * (1.0 - (omega * t).cos()) - speed / omega * (omega * t).sin();
    let v = speed - p / k * omega * (omega * t).sin() - speed * (omega * t).cos();
    let stored = 0.5 * m * v * v + 0.5 * k * e * e;
    for (theta, tolerance) in [(1.0, 5e-3), (0.5, 5e-4)] {
        let parameters = Parameters {
            bodies: vec![mass("b", m, 0.0, 0.0)],
            supports: vec![Support {
                name: "S".into(),
                motion: [Motion::Speed(Signal::Constant(speed)), Motion::Still],
            }],
            springs: vec![Spring {
                link: Link { of: End::body(0), against: End { on: Fixture::Support(0), at: [0.0; 2] } },
                preload: p,
                ..spring(k)
            }],
            ..Parameters::default()
        };
        let (assembly, state) = run_theta(parameters, theta, t, 3000);
        let ledger = assembly.ledger(&state);
        // First order of the work at the ends of steps of 1 ms; forces and speeds are below 2.
        assert!((ledger.work - stored).abs() < tolerance, "θ = {theta}: {ledger:?}, {stored}");
        assert!((ledger.stored - stored).abs() < tolerance, "θ = {theta}: {ledger:?}, {stored}");
    }
}

/// θ = ½ is of second order in smooth motion: a damped oscillator under a sine.
#[test]
fn the_middle_scheme_is_of_second_order() {
    let end = |steps: u64, theta: f64| {
        let p = Parameters {
            bodies: vec![mass("block", 1.0, 0.3, 0.0)],
            springs: vec![spring(40.0)],
            dampers: vec![Damper {
                name: "damper".into(),
                link: ON_GROUND,
                along: X,
                characteristic: Characteristic::Linear(0.7),
            }],
            forces: vec![sine(0, 0, 2.0, 3.0, 0.4)],
            ..Parameters::default()
        };
        run_theta(p, theta, 3.0, steps).1.coordinates()[0]
    };
    let order = |theta: f64| {
        let exact = end(500_000, 0.5);
        ((end(8000, theta) - exact).abs() / (end(16_000, theta) - exact).abs()).log2()
    };
    assert!((order(0.5) - 2.0).abs() < 0.05, "{}", order(0.5));
    assert!((order(1.0) - 1.0).abs() < 0.05, "{}", order(1.0));
}

/// A table through the points of a straight line is that line.
#[test]
fn tables_do_what_lines_do() {
    let line = Characteristic::Table(Curve::extended(&[(-1.0, -40.0), (0.0, 0.0), (2.0, 80.0)]).expect("rising"));
    let end = |characteristic: Characteristic| {
        let mut p = Parameters {
            bodies: vec![mass("block", 1.0, 0.3, 0.0)],
            springs: vec![spring(0.0)],
            ..Parameters::default()
        };
        p.springs[0].characteristic = characteristic;
        let (assembly, state) = run(p, 1.0, 100_000);
        assert!(assembly.ledger(&state).closure() < 1e-3, "{:?}", assembly.ledger(&state));
        state.coordinates()[0]
    };
    // Both tend to 0.3 cos(√40) with first order.
    let exact = 0.3 * 40.0_f64.sqrt().cos();
    for characteristic in [line, Characteristic::Linear(40.0)] {
        assert!((end(characteristic) - exact).abs() < 1e-4);
    }
}

/// A wedge: the spring that holds the block also presses its pad.
#[test]
fn a_spring_can_press_a_pad() {
    let mut rubbing = pad("pad", ON_GROUND, Face::Along(X), 0.0, Coefficient::Constant(0.5));
    rubbing.pressed_by = Some(0);
    let p = |push: f64| Parameters {
        bodies: vec![mass("block", 1.0, -1.0, 0.0)],
        springs: vec![spring(10.0)],
        pads: vec![rubbing.clone()],
        forces: vec![Force { body: 0, component: 0, signal: Signal::Constant(push) }],
        ..Parameters::default()
    };
    // Compressed by 1 m the spring pushes with 10 N and presses with 10 N: the pad holds 5 N either way.
    for (push, held) in [(-5.1, true), (-14.9, true), (-4.9, false), (-15.1, false)] {
        let (_, state) = run(p(push), 0.01, 10);
        assert_eq!(state.velocities()[0] == 0.0, held, "{push}");
    }
}

#[test]
fn friction_may_change_with_time_and_place() {
    let slide = |time: Signal, place: Option<Curve>| {
        let mut rubbing = pad("pad", ON_GROUND, Face::Along(X), 1.0, Coefficient::Constant(1.0));
        (rubbing.over_time, rubbing.over_place) = (time, place);
        let p = Parameters { bodies: vec![mass("block", 1.0, 0.0, 2.0)], pads: vec![rubbing], ..Parameters::default() };
        run(p, 4.0, 40_000).1.coordinates()[0]
    };
    // v²/2 = 2 m with friction 1; none for a second first: 2 m more; twice the friction beyond 1 m: 1 + ½ m.
    assert!((slide(Signal::Constant(1.0), None) - 2.0).abs() < 1e-3);
    let later = Signal::Points(Points::new(vec![0.0, 1.0, 1.0], vec![0.0, 0.0, 1.0]).expect("a jump"));
    assert!((slide(later, None) - 4.0).abs() < 1e-3);
    let rough = Curve::held(&[(0.999_999, 1.0), (1.0, 2.0)]).expect("rising");
    assert!((slide(Signal::Constant(1.0), Some(rough)) - 1.5).abs() < 1e-3);
}

/// A belt that drags a block against a spring and a damper: what it gives is stored or dissipated.
#[test]
fn energy_closes_with_moving_supports() {
    let link = Link { of: End::body(0), against: End { on: Fixture::Support(0), at: [0.0; 2] } };
    let shaker = Signal::Sine(Sine { offset: 0.0, amplitude: 0.2, omega: 4.0, phase: 0.0 });
    let p = Parameters {
        bodies: vec![mass("block", 1.0, 0.0, 0.0)],
        supports: vec![
            Support { name: "belt".into(), motion: [Motion::Speed(Signal::Constant(0.3)), Motion::Still] },
            Support { name: "shaker".into(), motion: [Motion::Position(shaker), Motion::Still] },
        ],
        springs: vec![Spring {
            link: Link { of: End::body(0), against: End { on: Fixture::Support(1), at: [0.0; 2] } },
            ..spring(20.0)
        }],
        dampers: vec![Damper {
            name: "damper".into(),
            link: ON_GROUND,
            along: X,
            characteristic: Characteristic::Linear(0.5),
        }],
        pads: vec![pad("pad", link, Face::Along(X), 2.0, Coefficient::Constant(0.6))],
        ..Parameters::default()
    };
    let closure = |steps: u64| {
        let (assembly, state) = run(p.clone(), 5.0, steps);
        let ledger = assembly.ledger(&state);
        assert!(ledger.dissipated.iter().all(|d| d.energy >= 0.0));
        ledger.closure()
    };
    let (coarse, fine) = (closure(5_000), closure(10_000));
    assert!(coarse < 0.02 && (coarse / fine).log2() > 0.9, "{coarse} {fine}");
}

#[test]
fn steps_allocate_nothing() {
    use crate::bogie::{LOAD, P, bogie, in_phase, sech};
    let front = vec![crate::sine(1, 0, 10_000.0, P, 0.0)];
    let cases = [(LOAD, in_phase(10_000.0, 0.0, 0.0)), (LOAD, in_phase(4000.0, 12_000.0, 0.3)), (5000.0, front)];
    for (load, forces) in cases {
        let count = |steps: u64| {
            let assembly = build(bogie(true, sech(), load, forces.clone()));
            let grid = Grid { h: 4.0 / steps as f64, steps };
            let mut general = 0;
            let measured = allocation_counter::measure(|| {
                general = implicit_euler(&assembly, grid, &mut NullObserver).expect("runs").state.general_steps();
            });
            // The general solver may allocate; steps as usual do without it.
            assert_eq!(general, 0);
            measured.count_total
        };
        assert_eq!(count(8_000), count(40_000));
    }
}

#[test]
fn data_that_make_no_assembly_are_refused() {
    let refused = |change: fn(&mut Parameters)| {
        let mut p = Parameters {
            bodies: vec![mass("a", 1.0, 0.0, 0.0), mass("b", 1.0, 0.0, 0.0)],
            springs: vec![spring(1.0)],
            pads: vec![pad(
                "pad",
                Link { of: End::body(0), against: End::body(1) },
                Face::Along(X),
                1.0,
                Coefficient::Constant(0.5),
            )],
            ..Parameters::default()
        };
        assert!(Assembly::new(p.clone()).is_ok());
        change(&mut p);
        Assembly::new(p).err()
    };
    assert_eq!(refused(|p| p.bodies.clear()), Some(AssemblyError::NoBodies));
    assert!(matches!(refused(|p| p.bodies[0].mass = 0.0), Some(AssemblyError::Number { .. })));
    assert!(matches!(refused(|p| p.bodies[0].velocity[0] = f64::NAN), Some(AssemblyError::Number { .. })));
    assert!(matches!(refused(|p| p.pads.clear()), Some(AssemblyError::Disconnected { .. })));
    assert!(matches!(refused(|p| p.pads[0].load = Signal::Constant(0.0)), Some(AssemblyError::NoLoad { .. })));
    assert!(matches!(refused(|p| p.pads[0].load = Signal::Constant(-1.0)), Some(AssemblyError::Signal { .. })));
    assert!(matches!(refused(|p| p.pads[0].face = Face::Disk), Some(AssemblyError::Link { .. })));
    assert!(matches!(refused(|p| p.pads[0].link.against = End::body(7)), Some(AssemblyError::Link { .. })));
    assert!(matches!(
        refused(|p| p.springs[0].characteristic = Characteristic::Linear(-1.0)),
        Some(AssemblyError::Number { .. })
    ));
    assert!(matches!(refused(|p| p.bodies[1].name = "a".into()), Some(AssemblyError::SameName { .. })));
}
