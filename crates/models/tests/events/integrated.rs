//! Where the motion has a closed form, integration between events must find it.

use super::against_steps::Dice;
use super::*;
use stickslip_core::scheme::{ByEvents, smooth_events};
use stickslip_models::vehicle::{self, Vehicle};

/// Events sorted by time and contact; those of one instant come in any order.
fn sorted(events: &[Event]) -> Vec<(f64, usize, i8, i8)> {
    let mut list: Vec<_> = events.iter().map(|e| (e.t, e.contact, e.from.sign(), e.to.sign())).collect();
    list.sort_by(|a, b| if (a.0 - b.0).abs() < 1e-8 { a.1.cmp(&b.1) } else { a.0.total_cmp(&b.0) });
    list
}

/// Where the two lists differ, as text.
fn difference(exact: &[Event], found: &[Event], allowed: f64) -> Option<String> {
    let (a, b) = (sorted(exact), sorted(found));
    let same = a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| (a.1, a.2, a.3) == (b.1, b.2, b.3) && (a.0 - b.0).abs() <= allowed);
    (!same).then(|| format!("closed form {a:?}\nintegrated  {b:?}"))
}

#[test]
fn random_wheels() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut events = 0;
    for case in 0..1000 {
        let wheel = dice.wheel();
        let (exact, keep) = run(&wheel, 6.0, 1);
        let mut seen = Keep::every(1);
        let passage = smooth_events(
            &wheel,
            |flow| wheel.state_at(flow),
            Grid { h: 6.0, steps: 1 },
            &Settings::default(),
            &mut seen,
        );
        let passage = passage.unwrap_or_else(|e| panic!("case {case}: {e}"));
        if let Some(text) = difference(&keep.events, &seen.events, 1e-9) {
            panic!("case {case}\n{text}");
        }
        assert_eq!(passage.handovers, 0, "case {case}");
        assert!((exact.state.x1 - passage.state.x1).abs() <= 1e-9, "case {case}");
        assert!(ledger(&wheel, &passage).closure() <= 1e-10, "case {case}");
        events += seen.events.len();
    }
    assert!(events > 1000);
}

#[test]
fn random_vehicles() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    for case in 0..600 {
        let n = 1 + case % 4;
        let mass = 300.0 * n as f64;
        let wheels = (0..n).map(|i| dice.vehicle_wheel(i, n, mass)).collect();
        let start = vehicle::Start { x1: dice.in_range(-10.0, 10.0), ..vehicle::Start::default() };
        let slope = Signal::Constant(dice.in_range(-0.1, 0.1));
        let parameters = vehicle::Parameters { mass, wheels, slope, start, ..vehicle::Parameters::default() };
        let car = Vehicle::new(parameters).expect("valid");
        let (mut keep, mut seen) = (Keep::every(1), Keep::every(1));
        let grid = Grid { h: 6.0, steps: 1 };
        let exact = super::events(&car, grid, &Settings::default(), &mut keep).expect("runs");
        let passage = smooth_events(&car, |flow| car.state_at(flow), grid, &Settings::default(), &mut seen);
        let passage = passage.unwrap_or_else(|e| panic!("case {case}: {e}"));
        // Several contacts may share a load at rest. The last of them lets go where the load comes within 1e-10 of the
        // greatest forces in the problem of what they can carry together: some 1e-9 s early on these ramps.
        if let Some(text) = difference(&keep.events, &seen.events, 1e-8) {
            panic!("case {case}\n{text}");
        }
        assert_eq!(passage.handovers, 0, "case {case}");
        assert!((exact.state.x1() - passage.state.x1()).abs() <= 1e-9, "case {case}");
        assert!(car.ledger(&passage.state).closure() <= 1e-10, "case {case}");
    }
}
