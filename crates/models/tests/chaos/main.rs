//! Lyapunov exponents, cycles and sections where their values are known.

#[path = "../../examples/chaos/departures.rs"]
mod departures;
#[path = "../../examples/chaos/in_pieces.rs"]
mod in_pieces;
mod models;
mod oscillator;

use std::f64::consts::TAU;

use departures::{half_period, mirror, started};
use stickslip_core::analysis::lyapunov::{Arrivals, LyapunovError, Nearby, by_arrivals, nearby_runs};
use stickslip_core::analysis::orbit::{Point, advance, next_arrival};
use stickslip_core::analysis::poincare::{arrivals, cycle, strobe};
use stickslip_core::law::State;
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{ByEvents, Grid, NullObserver};
use stickslip_models::assembly::Assembly;
use stickslip_models::towed_wheel::{Parameters, Start, TowedWheel};

fn towed(parameters: Parameters) -> TowedWheel {
    TowedWheel::new(parameters).expect("valid")
}

fn p1() -> Parameters {
    Parameters::default()
}

fn p3(psi: f64) -> Parameters {
    let start = Start { psi, ..Start::default() };
    Parameters { bar_mass: 16.0, length: 0.3, stiffness: 6.5e4, start, ..p1() }
}

/// x'' + x + max(0, friction + slope x) σ(x') ∋ drive cos(frequency t), from the parts of an assembly.
#[derive(Clone, Copy)]
struct Oscillator {
    friction: f64,
    slope: f64,
    drive: f64,
    frequency: f64,
    start: [f64; 2],
}

impl Default for Oscillator {
    /// Feeny and Moon's chaotic set, from rest.
    fn default() -> Oscillator {
        Oscillator { friction: 1.0, slope: 1.5, drive: 1.9, frequency: 1.25, start: [0.0; 2] }
    }
}

fn oscillator(data: Oscillator) -> Assembly {
    models::oscillator(data)
}

#[test]
fn a_linear_motion_has_its_eigenvalue_for_exponent() {
    let wheel = towed(p3(1e-5));
    let (growth, [c2, c1, _]) = (wheel.coefficients().growth(), wheel.coefficients().cubic());
    // After a whole turn of the pair its directions are what they were, times e^{g T}.
    let real = -c2 - 2.0 * growth;
    let turn = TAU / (c1 - 2.0 * growth * real - growth * growth).sqrt();
    let settings = Nearby { transient: 20.0 * turn, interval: turn, intervals: 16, separation: 1e-3 };
    let exponent = nearby_runs(&wheel, &Point::start(&wheel), &settings).expect("runs");
    // What is left of the real root after 20 + 20 turns: e^{−(16.8 − 2)·2.5}; ψ² is 1e-10.
    assert!((exponent.value / growth - 1.0).abs() < 1e-6, "{exponent:?} {growth}");
    // All parts are alike: what is left of the error is the e-fold for the ends.
    assert!((exponent.time / turn - 16.0).abs() < 1e-9 && (exponent.error * exponent.time - 1.0).abs() < 1e-3);
}

#[test]
fn p1_settles_on_its_periodic_orbit() {
    let wheel = towed(p1());
    let period = wheel.coefficients().period();
    // The irregular start lasts 15 to 45 P, now and then longer: rounding decides.
    let start = advance(&wheel, &Point::start(&wheel), 200.0 * period).expect("runs");
    let seen = arrivals(&wheel, &start, 0, 12, 5.0 * period, |_| true).expect("runs");
    let half = cycle(&seen, 1e-5, mirror).expect("a cycle");
    // Implicit steps of P/64000, P/256000 and P/1024000 give 1.684327, 1.684352 and 1.684355 (example chaos, p1).
    assert!((half.period / period - 1.684_354_957).abs() <= 1e-8, "{half:?}");
    assert_eq!(half.arrivals, 3);
    let full = cycle(&seen, 1e-5, Clone::clone).expect("a cycle");
    assert!((full.period - 2.0 * half.period).abs() <= 1e-6 && full.arrivals == 6);
    // Rolling for 29.3306 % of it (reference/towed-wheel/exponents.csv).
    let grid = Grid { h: full.period, steps: 1 };
    let from = &seen[0].point;
    let orbit = towed(started(&p1(), from));
    let out = orbit.by_events(grid, &Settings::default(), &mut NullObserver).expect("runs");
    assert!((out.stuck[0] / full.period - 0.293_306).abs() <= 2e-6, "{}", out.stuck[0] / full.period);
    // Its neighbours come nearer: the exponent across the motion is negative. Batches of whole cycles.
    let settings = Arrivals { contact: 0, transient: 6, arrivals: 48, difference: 1e-6, forced: false, horizon: 1.0 };
    let exponent = by_arrivals(&orbit, &Point::start(&orbit), &settings).expect("runs");
    assert!(exponent.value + 3.0 * exponent.error < 0.0, "{exponent:?}");
    assert_eq!(exponent.skipped, 0);
    // The reference says 1.68432 P. Its slips begin and end at 1e-6 m/s: that makes the period shorter by some 1e-5 P, and
    // by less than a third of that at a tenth of the size (between ε and its root).
    let short = |epsilon| {
        let found = half_period(&p1(), from, epsilon, 12.0 * period).expect("a cycle");
        half.period / period - found.period / period
    };
    let (coarse, fine) = (short(1e-6), short(1e-7));
    assert!((1e-5..4e-5).contains(&coarse), "{coarse:e}");
    assert!(fine > 0.0 && fine < coarse / 3.0, "{fine:e}");
}

#[test]
fn a_map_of_arrivals_with_a_closed_form() {
    // x'' + x + a sgn x' = 0 (no drive), a = 0.1: from rest at x the next arrival is at −x + 2a sgn x: slope −1, and so
    // long as it moves the exponent is exactly 0 while |x| shrinks.
    let swing =
        oscillator(Oscillator { friction: 0.1, slope: 0.0, drive: 0.0, start: [30.0, 0.0], ..Oscillator::default() });
    let settings = Arrivals { contact: 0, transient: 4, arrivals: 32, difference: 1e-5, forced: false, horizon: 10.0 };
    let exponent = by_arrivals(&swing, &Point::start(&swing), &settings).expect("runs");
    assert!(exponent.value.abs() <= 1e-9, "{exponent:?}");
    // It comes to rest for ever in the end, and that is said.
    let settings = Arrivals { arrivals: 1000, ..settings };
    assert!(matches!(
        by_arrivals(&swing, &Point::start(&swing), &settings),
        Err(LyapunovError::NoArrival { contact: 0, .. })
    ));
    // Friction that depends on x: a = a₀ + a₁ x. From rest at x > 0 (moving back) to −y: centre of the half circle
    // solves x'' = −x + a₀ + a₁ x: frequency sqrt(1 − a₁), centre c = a₀/(1 − a₁): y = x − 2c: slope −1 again; moving
    // forward sqrt(1 + a₁), centre −a₀/(1 + a₁): slope −1. Times differ: π/sqrt(1 ∓ a₁).
    let tilted =
        oscillator(Oscillator { friction: 1.0, slope: 0.02, drive: 0.0, start: [30.0, 0.0], ..Oscillator::default() });
    let first = next_arrival(&tilted, &Point::start(&tilted), 0, 10.0, |_| true).expect("runs").expect("an arrival");
    let pi = std::f64::consts::PI;
    assert!((first.point.t - pi / 0.98_f64.sqrt()).abs() <= 1e-11, "{first:?}");
    assert!((first.point.q[0] - (2.0 / 0.98 - 30.0)).abs() <= 1e-11, "{first:?}");
    assert!(matches!(first.event.to, State::Slip([s, _]) if s == 1.0));
}

#[test]
fn the_strobe_sees_a_forced_motion_stand_still() {
    // Den Hartog: one point per period once the transient has gone.
    let system =
        oscillator(Oscillator { friction: 0.3, slope: 0.0, drive: 1.0, frequency: 0.8, ..Oscillator::default() });
    let period = TAU / 0.8;
    let settled = advance(&system, &Point::start(&system), 100.0 * period).expect("runs");
    let seen = strobe(&system, &settled, period, 3).expect("runs");
    for point in &seen {
        assert!((point.q[0] - settled.q[0]).abs() < 1e-9 && (point.v[0] - settled.v[0]).abs() < 1e-9);
    }
}

#[test]
fn settings_that_make_no_sense() {
    let wheel = towed(p3(0.01));
    let nearby = Nearby { transient: 0.0, interval: 0.0, intervals: 16, separation: 1e-7 };
    assert!(matches!(
        nearby_runs(&wheel, &Point::start(&wheel), &nearby),
        Err(LyapunovError::Setting { what: "interval", .. })
    ));
    let map = Arrivals { contact: 0, transient: 0, arrivals: 16, difference: f64::NAN, forced: false, horizon: 1.0 };
    assert!(matches!(
        by_arrivals(&wheel, &Point::start(&wheel), &map),
        Err(LyapunovError::Setting { what: "difference", .. })
    ));
    let map = Arrivals { difference: 1e-6, ..map };
    assert!(matches!(by_arrivals(&wheel, &Point::start(&wheel), &map), Err(LyapunovError::NoArrival { .. })));
}
