//! Energy in both forms, standing still, ice, mirror images.

use super::*;
use stickslip_core::mechanics::System;

#[test]
fn energy_closes_in_both_forms() {
    for form in [Form::Small, Form::Exact] {
        for p in [p1(), p2()] {
            let w = wheel(Parameters { form, ..p });
            let (passage, keep) = go(&w, 1.0, 100);
            let ledger = w.ledger(&passage.state);
            let size = keep.samples.iter().map(|(_, s)| s.heat()).fold(ledger.stored, f64::max);
            assert!(ledger.lost().abs() <= 1e-9 * size, "{form:?}: {:e} of {size}", ledger.lost());
            assert!(keep.samples.windows(2).all(|s| s[1].1.heat() >= s[0].1.heat()));
        }
    }
}

#[test]
fn the_exact_form_is_the_small_one_for_small_motions() {
    // wΩ is of second order: at a hundredth of the motion the forms differ a hundred times less, relatively.
    let apart = |scale: f64| {
        let end = |form| {
            let start = Start { psi: 0.005 * scale, ..Start::default() };
            let w = wheel(Parameters { form, start, friction: 100.0 * scale, ..p1() });
            go(&w, 0.18, 1).0.state
        };
        let (small, exact) = (end(Form::Small), end(Form::Exact));
        (small.omega - exact.omega).abs() / scale
    };
    let (coarse, fine) = (apart(1.0), apart(0.01));
    assert!(coarse > 1e-5, "{coarse:e}: the forms do not differ");
    assert!(fine < 0.02 * coarse, "{coarse:e} {fine:e}");
}

#[test]
fn standing_still_it_swings_on_its_spring() {
    // v = 0, rolling: Ω' = −(A1 k/mL) w, w' = LΩ: an oscillation with ω = sqrt(A1 k/m), for ever.
    let start = Start { w: 1e-4, ..Start::default() };
    let w = wheel(Parameters { speed: 0.0, friction: 1e3, start, ..p1() });
    let period = w.coefficients().period();
    let (passage, keep) = go(&w, 10.25 * period, 41);
    assert!(keep.events.is_empty());
    for (t, state) in &keep.samples {
        let expected = 1e-4 * (w.coefficients().frequency() * t).cos();
        assert!((state.w - expected).abs() <= 1e-13, "{t}: {} {expected}", state.w);
    }
    // Without enough friction it slides until the spring can hold no longer, and then stands for ever.
    let start = Start { w: 0.05, ..Start::default() };
    let w = wheel(Parameters { speed: 0.0, start, ..p1() });
    let (end, _) = go(&w, 20.0 * period, 20);
    assert!(end.state.rolls() || end.state.heat() > 0.0);
    assert!(passage.state.heat() == 0.0);
}

#[test]
fn on_ice_nothing_resists() {
    let w = wheel(Parameters { friction: 0.0, ..p1() });
    let (passage, keep) = go(&w, 0.5, 50);
    assert!(keep.samples.iter().all(|(_, s)| s.f1 == 0.0 && s.f2 == 0.0 && s.u2.is_finite()));
    assert_eq!(passage.state.heat(), 0.0);
    assert!(w.ledger(&passage.state).lost().abs() <= 1e-10);
}

#[test]
fn left_and_right_are_mirror_images() {
    let (a, first) = go(&wheel(p2()), 0.7, 70);
    let (b, second) = go(&wheel(Parameters { start: Start { psi: -0.02, ..Start::default() }, ..p2() }), 0.7, 70);
    assert_eq!(first.events.len(), second.events.len());
    let (a, b) = (a.state, b.state);
    for (a, b) in [(a.psi, -b.psi), (a.omega, -b.omega), (a.w, -b.w), (a.u1, b.u1), (a.u2, -b.u2)] {
        assert!((a - b).abs() <= 1e-9, "{a} {b}");
    }
}
