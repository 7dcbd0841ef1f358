//! Implicit Euler against events.

use super::*;
use stickslip_core::analysis::convergence;
use stickslip_core::mechanics::System;
use stickslip_core::scheme::{NullObserver, implicit_euler};
use stickslip_core::simulation::by_steps;

fn end(wheel: &TowedWheel, duration: f64, steps: u64) -> TowedState {
    let grid = Grid { h: duration / steps as f64, steps };
    implicit_euler(wheel, grid, &mut NullObserver).expect("runs").state
}

/// Slope of the least-squares line through (log steps, −log error), against the motion from event to event.
fn order(w: &TowedWheel, duration: f64, powers: std::ops::RangeInclusive<u32>) -> f64 {
    let exact = go(w, duration, 1).0.state;
    let points: Vec<[f64; 2]> = powers
        .map(|power| {
            let e = end(w, duration, 1 << power);
            // In shares of what ψ, w and Ω reach in P1.
            let errors = [(e.psi - exact.psi) / 0.12, (e.w - exact.w) / 0.008, (e.omega - exact.omega) / 3.5];
            [f64::from(power), -errors.iter().fold(0.0_f64, |m, e| m.max(e.abs())).log2()]
        })
        .collect();
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p[0] - x) * (p[1] - y)) / sum(&|p| (p[0] - x).powi(2))
}

#[test]
fn first_order_before_decorrelation() {
    for form in [Form::Small, Form::Exact] {
        let w = wheel(Parameters { form, ..p1() });
        // Rolling, then one event.
        for duration in [0.13, 0.17] {
            let order = order(&w, duration, 13..=17);
            assert!((order - 1.0).abs() < 0.05, "{form:?}, {duration} s: {order}");
        }
        // Five events. Each is dated to a whole step, so that the constant of the error jumps between about half and
        // twice its mean from step to step: over 2⁸ that bends the slope by at most ln 4/ln 256 = 0.25, in a fit of
        // nine points by half of that.
        let order = order(&w, 0.45, 11..=19);
        assert!((order - 1.0).abs() < 0.13, "{form:?}: {order}");
    }
}

#[test]
fn the_order_of_the_study_is_one() {
    let w = wheel(p3());
    let study = convergence(&by_steps(&w), 1.0, &[1024, 2048, 4096, 8192], 1 << 19).expect("runs").expect("errors");
    assert!((study.order - 1.0).abs() < 0.05, "{study:?}");
}

#[test]
fn rolling_is_exact_and_residuals_are_rounding() {
    for form in [Form::Small, Form::Exact] {
        let w = wheel(Parameters { form, ..p2() });
        let mut keep = Keep::every(1);
        let out = implicit_euler(&w, Grid { h: 1e-4, steps: 20_000 }, &mut keep).expect("runs");
        assert!(keep.samples.iter().all(|(_, s)| !s.rolls() || (s.u1 == 0.0 && s.u2 == 0.0)));
        let slipping = keep.samples.iter().filter(|(_, s)| !s.rolls());
        for (t, s) in slipping {
            assert!((s.f1.hypot(s.f2) / 400.0 - 1.0).abs() < 1e-14, "{t}");
            assert!((s.f1 * s.u2 - s.f2 * s.u1).abs() <= 1e-12 && s.f1 * s.u1 + s.f2 * s.u2 <= 0.0);
        }
        assert!(out.stuck[0] > 2000 && out.stuck[0] < 18_000, "{out:?}");
        assert!(w.worst_residual(&out.state) <= 1e-14, "{:e}", w.worst_residual(&out.state));
        assert!(w.ledger(&out.state).closure() < 0.02, "{}", w.ledger(&out.state).closure());
    }
}

/// Stiff bars, fast towing and next to no friction are made in short parts of steps, and agree with the motion from event
/// to event to first order of those.
#[test]
fn stiff_and_tiny_parameters_run_and_are_right() {
    let near = |name: &str, parameters: Parameters, duration: f64, steps: u64, tolerance: f64| {
        let w = wheel(parameters);
        let (state, exact) = (end(&w, duration, steps), go(&w, duration, 1).0.state);
        let pairs = [(state.psi, exact.psi), (state.omega * duration, exact.omega * duration), (state.w, exact.w)];
        for (got, wanted) in pairs {
            // ψ and Ωt in radians; w against the length of the bar.
            assert!((got - wanted).abs() <= tolerance, "{name}: {got:e}, {wanted:e}");
        }
        assert!(w.worst_residual(&state) <= 1e-9, "{name}: {:e}", w.worst_residual(&state));
        assert!(w.is_finite(&state), "{name}");
    };
    // ω = 2e4/s and 1e6/s beside steps of 1 ms.
    for stiffness in [1e8, 1e12] {
        near("stiff", Parameters { stiffness, ..p1() }, 0.02, 20, 2e-3);
    }
    near("fast", Parameters { speed: 1e4, ..p1() }, 2e-4, 20, 2e-3);
    for form in [Form::Small, Form::Exact] {
        let free = wheel(Parameters { friction: 0.0, form, ..p1() });
        for friction in [1e-300, 1e-310, f64::from_bits(1)] {
            let tiny = wheel(Parameters { friction, form, ..p1() });
            let (a, b) = (end(&tiny, 0.1, 1000), end(&free, 0.1, 1000));
            assert_eq!([a.psi, a.omega, a.w, a.u1, a.u2], [b.psi, b.omega, b.w, b.u1, b.u2], "{friction:e}");
            assert!(tiny.is_finite(&a) && tiny.worst_residual(&a) < 1e-15);
        }
    }
}

/// A step that would need more than a million parts is refused with the one that would do.
#[test]
fn steps_that_are_far_too_long_are_refused() {
    let w = wheel(Parameters { stiffness: 1e30, ..p1() });
    let refused = implicit_euler(&w, Grid { h: 1e-3, steps: 10 }, &mut NullObserver).expect_err("too long");
    assert!(refused.to_string().contains("write a step of at most"), "{refused}");
}
