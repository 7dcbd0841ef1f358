//! Textbook oscillators with dry friction.

use std::f64::consts::PI;

use crate::{build, mass, pad, sine, spring, watch, watch_theta};
use stickslip_core::law::{Coefficient, State};
use stickslip_core::signal::Signal;
use stickslip_models::assembly::{
    Assembly, Body, End, Face, Fixture, Force, Freedom, Link, Motion, Parameters, Support,
};

const ON_GROUND: Link = Link { of: End { on: Fixture::Body(0), at: [0.0; 2] }, against: End::GROUND };

fn coulomb() -> Assembly {
    build(Parameters {
        bodies: vec![mass("block", 1.0, 12.0, 6.0)],
        springs: vec![spring(1.0)],
        pads: vec![pad("pad", ON_GROUND, Face::Along([1.0, 0.0]), 1.0, Coefficient::Constant(1.0))],
        ..Parameters::default()
    })
}

/// x'' + x = −sgn x' from (12, 6): half turns about ±1, rest at 15 − √205 after atan(6/13) + 7π.
#[test]
fn the_free_oscillator_comes_to_rest_where_it_must() {
    let (x, t) = (15.0 - 205.0_f64.sqrt(), (6.0_f64 / 13.0).atan() + 7.0 * PI);
    let errors: Vec<(f64, f64)> = [25_000_u64, 50_000]
        .map(|steps| {
            let (state, events, _) = watch(&coulomb(), 25.0, steps, |_, _| ());
            let stuck = events.last().expect("it sticks").0;
            assert_eq!(state.velocities()[0], 0.0);
            assert!((stuck - t).abs() < 60.0 * 25.0 / steps as f64, "{stuck} {t}");
            ((state.coordinates()[0] - x).abs(), (stuck - t).abs())
        })
        .to_vec();
    let order = (errors[0].0 / errors[1].0).log2();
    assert!(errors[0].0 < 0.2 && (order - 1.0).abs() < 0.15, "{errors:?} {order}");
}

/// θ = ½: between sign changes the error is of second order; the changes themselves are dated to a step, which costs
/// a kick of at most 2 F h each, second order in x.
#[test]
fn the_middle_scheme_is_more_accurate() {
    let x = 15.0 - 205.0_f64.sqrt();
    let error = |theta: f64| (watch_theta(&coulomb(), theta, 25.0, 25_000, |_, _| ()).0.coordinates()[0] - x).abs();
    assert!(error(0.5) < 0.02 * error(1.0), "{} {}", error(0.5), error(1.0));
}

/// Den Hartog: x'' + x = cos 0.8 t − 0.3 sgn x', steady amplitude 2.626104876.
#[test]
fn den_hartogs_amplitude() {
    let amplitude = |theta: f64, steps: u64| {
        let assembly = build(Parameters {
            bodies: vec![mass("block", 1.0, 0.0, 0.0)],
            springs: vec![spring(1.0)],
            pads: vec![pad("pad", ON_GROUND, Face::Along([1.0, 0.0]), 0.3, Coefficient::Constant(1.0))],
            forces: vec![sine(0, 0, 1.0, 0.8, 0.5 * PI)],
            ..Parameters::default()
        });
        let mut greatest = 0.0_f64;
        let period = 2.0 * PI / 0.8;
        watch_theta(&assembly, theta, 60.0 * period, steps, |t, u| {
            if t > 59.0 * period {
                greatest = greatest.max(u.coordinates()[0].abs());
            }
        });
        greatest
    };
    let errors = [200_000, 400_000].map(|steps| (amplitude(1.0, steps) - 2.626_104_876).abs());
    assert!(errors[0] < 0.02 && (errors[0] / errors[1]).log2() > 0.8, "{errors:?}");
    let middle = (amplitude(0.5, 200_000) - 2.626_104_876).abs();
    // A reversal inside a step takes the new friction for all of it: a kick of at most 2 · 0.3 h per reversal.
    let h = 60.0 * 2.0 * PI / 0.8 / 200_000.0;
    assert!(middle < 2.0 * 0.3 * h && middle < 0.3 * errors[0], "{middle} {errors:?}");
}

/// Block on a belt, m = k = F_s = 1, F_k = 0.5, belt 0.2: period 8.902605408, of which 5 stuck.
#[test]
fn block_on_a_belt() {
    let run = |steps: u64| {
        let link = Link { of: End::body(0), against: End { on: Fixture::Support(0), at: [0.0; 2] } };
        let friction = Coefficient::StaticKinetic { sticking: 1.0, slipping: 0.5 };
        let assembly = build(Parameters {
            bodies: vec![mass("block", 1.0, 0.0, 0.0)],
            supports: vec![Support {
                name: "belt".into(),
                motion: [Motion::Speed(Signal::Constant(0.2)), Motion::Still],
            }],
            springs: vec![spring(1.0)],
            pads: vec![pad("pad", link, Face::Along([1.0, 0.0]), 1.0, friction)],
            ..Parameters::default()
        });
        let (_, events, _) = watch(&assembly, 60.0, steps, |_, _| ());
        let slips: Vec<f64> = events.iter().filter(|e| e.2 == State::Stick).map(|e| e.0).collect();
        let sticks: Vec<f64> = events.iter().filter(|e| e.3 == State::Stick).map(|e| e.0).collect();
        let last = slips.len() - 1;
        let began = sticks.iter().copied().rfind(|t| *t < slips[last]).expect("it stuck before");
        (slips[last] - slips[last - 1], slips[last] - began)
    };
    let (coarse, fine) = (run(60_000), run(240_000));
    assert!((fine.0 - 8.902_605_408).abs() < 0.005 && (fine.1 - 5.0).abs() < 0.005, "{coarse:?} {fine:?}");
    assert!((coarse.0 - 8.902_605_408).abs() < 0.02 && (coarse.1 - 5.0).abs() < 0.02, "{coarse:?}");
}

/// A block slides across an incline (μ = 0.6, 20°, v0 = 2): it stops after 0.572131715 s.
#[test]
fn block_across_an_incline() {
    let (g, slope) = (9.81, 20_f64.to_radians());
    let assembly = build(Parameters {
        bodies: vec![Body {
            name: "block".into(),
            mass: 3.0,
            freedom: Freedom::Point,
            position: [0.0; 3],
            velocity: [2.0, 0.0, 0.0],
        }],
        pads: vec![pad("pad", ON_GROUND, Face::Disk, 3.0 * g * slope.cos(), Coefficient::Constant(0.6))],
        forces: vec![Force { body: 0, component: 1, signal: Signal::Constant(3.0 * g * slope.sin()) }],
        ..Parameters::default()
    });
    let stop = |steps: u64| {
        let (state, events, _) = watch(&assembly, 1.0, steps, |_, _| ());
        assert_eq!(state.velocities(), [0.0, 0.0]);
        assert_eq!(events.len(), 1);
        events[0].0
    };
    // The last step may be cut off anywhere.
    let errors = [4_000_u64, 64_000].map(|steps| (stop(steps) - 0.572_131_715).abs() * steps as f64);
    assert!(errors.iter().all(|e| *e < 12.0), "{errors:?}");
}
