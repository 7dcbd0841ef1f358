//! The two masses of Xia, Wolfs and Cole (2005), driven by a sine.

use super::masses::{Bodies, Body, Contact};
use super::*;
use stickslip_core::mechanics::Motion;
use stickslip_core::mechanics::motion;
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{Grid, smooth_events};
use stickslip_core::signal::{Signal, Sine};

type BodyMotion = Motion<Vec<f64>, Vec<f64>>;

/// m1 = m2 = 1 kg, N = 1 N, μ = 0.4, F1 = sin t.
fn pair() -> Bodies {
    let sine = Signal::Sine(Sine { offset: 0.0, amplitude: 1.0, omega: 1.0, phase: 0.0 });
    let body = |force| Body { mass: 1.0, force, velocity: 0.0 };
    let contact = Contact { body: 0, on: Some(1), bound: Signal::Constant(0.4) };
    Bodies::new(vec![body(sine), body(Signal::ZERO)], vec![contact]).expect("valid")
}

fn go(duration: f64, steps: u64) -> (EventRunResult<BodyMotion>, Keep<BodyMotion>) {
    let mut keep = Keep::every(1);
    let grid = Grid { h: duration / steps as f64, steps };
    let passage = smooth_events(&pair(), motion, grid, &Settings::default(), &mut keep).expect("runs");
    (passage, keep)
}

#[test]
fn sticks_and_slips_when_the_closed_form_does() {
    let (passage, keep) = go(20.0, 400);
    // Slip from sin t = 0.8 until cos t0 − cos t = 0.8 (t − t0), and mirrored half a period later.
    let t0 = 0.8_f64.asin();
    let t1 = zero(|t| t0.cos() - t.cos() - 0.8 * (t - t0), t0 + 0.5, 4.0);
    let pi = std::f64::consts::PI;
    let expected: Vec<(f64, i8, i8)> = (0..7)
        .flat_map(|n| {
            let (late, sign) = (n as f64 * pi, if n % 2 == 0 { 1 } else { -1 });
            [(t0 + late, 0, sign), (t1 + late, sign, 0)]
        })
        .filter(|e| e.0 < 20.0)
        .collect();
    let seen = signs(&keep.events);
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    for (seen, expected) in seen.iter().zip(&expected) {
        assert_eq!((seen.1, seen.2), (expected.1, expected.2));
        assert!((seen.0 - expected.0).abs() <= 1e-11, "{seen:?} {expected:?}");
    }
    // The figures of the reference file, to its digits.
    assert!((t1 - 2.887003906).abs() < 1e-9);
    let stroke = keep.samples.iter().map(|(_, m)| m.paths[0] - m.paths[1]).fold(0.0, f64::max);
    assert!((stroke - 0.187794523).abs() < 1e-9, "{stroke}");
    // While the masses stick they have one velocity to the bit and their distance does not change.
    for (t, motion) in &keep.samples {
        if motion.signs[0] == 0.0 {
            assert_eq!(motion.velocities[0], motion.velocities[1], "t = {t}");
            let force = -0.5 * t.sin();
            assert!((motion.forces[0] - force).abs() <= 1e-12, "t = {t}: {:?}", motion.forces);
        }
    }
    assert_eq!(passage.handovers, 0);
    // Energy closes: work − heat − kinetic energy, of a motion with an error of 1e-12.
    let end = &passage.state;
    let closure = end.work - end.dissipated[0] - pair().kinetic(&end.velocities);
    assert!(closure.abs() <= 1e-11, "{closure:e}");
}

#[test]
fn momentum_is_that_of_the_force() {
    let (passage, _) = go(7.0, 7);
    // ∫ sin t = 1 − cos t on 2 kg.
    let total: f64 = passage.state.velocities.iter().sum();
    assert!((total - (1.0 - 7.0_f64.cos())).abs() <= 1e-12);
}
