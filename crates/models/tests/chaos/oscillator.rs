//! Feeny and Moon's oscillator: the library against the closed form in pieces, and both against known numbers.

use super::in_pieces::{Data, InPieces, statistics};
use super::*;

const DATA: Data = Data { friction: 1.0, slope: 1.5, drive: 1.9, frequency: 1.25 };
const PERIOD: f64 = TAU / 1.25;

#[test]
fn the_motion_is_that_of_the_closed_form() {
    let system = oscillator(Oscillator::default());
    let mut exact = InPieces::new(DATA);
    let mut point = Point::start(&system);
    for k in 1..=8 {
        point = advance(&system, &point, PERIOD).expect("runs");
        exact.advance(f64::from(k) * PERIOD);
        // 1e-12 of the integration, times what neighbours grow by: e³ in eight periods.
        assert!((point.q[0] - exact.x).abs() <= 1e-10, "{k}: {} {}", point.q[0], exact.x);
        assert!((point.v[0] - exact.v).abs() <= 1e-10, "{k}: {} {}", point.v[0], exact.v);
    }
    let out = system.by_events(Grid { h: 8.0 * PERIOD, steps: 1 }, &Settings::default(), &mut NullObserver);
    assert!((out.expect("runs").stuck[0] - exact.stuck).abs() <= 1e-9);
}

#[test]
fn nearby_runs_grow_as_the_variational_equation_with_its_jump_matrices() {
    // From 3 to 6 periods it sticks at both ends, where only δx is left: the sizes in which runs are measured cancel.
    let settings = Nearby { transient: 0.0, interval: 3.0 / 16.0 * PERIOD, intervals: 16, separation: 1e-7 };
    let system = oscillator(Oscillator::default());
    let found = nearby_runs(&system, &Point::start(&system), &settings).expect("runs");
    let mut exact = InPieces::new(DATA);
    exact.advance(3.0 * PERIOD);
    assert_eq!(exact.v, 0.0);
    let before = exact.growth;
    exact.advance(6.0 * PERIOD);
    assert_eq!(exact.v, 0.0);
    // Runs are good to 1e-12, a share of 1e-5 of their separation, in each of 16 intervals.
    assert!((found.value * found.time - (exact.growth - before)).abs() <= 2e-4, "{found:?} {}", exact.growth - before);
    assert!((found.time - 3.0 * PERIOD).abs() < 1e-9);
}

#[test]
fn its_exponent_and_its_stuck_share() {
    // reference/towed-wheel/exponents.csv, by an independent code, within three standard errors of 38 400 periods.
    let [exponent, error, share, scatter] = statistics(DATA, 64, 600.0);
    assert!((exponent - 0.11598).abs() <= 3.0 * error && error < 6e-4, "{exponent} ± {error}");
    assert!((share - 0.456_12).abs() <= 3.0 * scatter && scatter < 1.5e-3, "{share} ± {scatter}");
    // Both methods of the library, shorter; the campaign is the example `chaos`, word `oscillator`.
    let system = oscillator(Oscillator::default());
    let nearby = Nearby { transient: 10.0 * PERIOD, interval: PERIOD, intervals: 160, separation: 1e-7 };
    let map = Arrivals { contact: 0, transient: 16, arrivals: 200, difference: 1e-6, forced: true, horizon: 60.0 };
    for found in
        [nearby_runs(&system, &Point::start(&system), &nearby), by_arrivals(&system, &Point::start(&system), &map)]
    {
        let found = found.expect("runs");
        assert!((found.value - exponent).abs() <= 3.0 * found.error.hypot(error), "{found:?}");
        assert!(found.error < 0.03, "{found:?}");
    }
}
