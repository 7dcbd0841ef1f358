//! The wheel against the reference data, closed forms and its own laws.

use stickslip_core::analysis::convergence;
use stickslip_core::inclusion::NineRegions;
use stickslip_core::law::State;
use stickslip_core::mechanics::System;
use stickslip_core::record::Record;
use stickslip_core::scheme::{Event, Grid, NullObserver, Recording, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_core::simulation::by_steps;
use stickslip_models::wheel::{Parameters, Start, Wheel, WheelState};

/// a_G = μ m g of docs/wheel.md 4.
const A_G: f64 = 0.8 * 400.0 * 9.81;
const RADIUS: f64 = 0.3;

/// A manoeuvre of docs/wheel.md 4 with its reference file and numbers.
struct Manoeuvre {
    wheel: Wheel,
    duration: f64,
    reference: &'static str,
    /// Error of 1024 steps in reference/wheel/summary.csv.
    error_1024: f64,
    end: f64,
    states: &'static [(i8, i8)],
}

fn torque(times: [f64; 4], force: f64) -> Signal {
    Signal::trapezoid(times, force * RADIUS).expect("sorted")
}

fn wheel(motor: Signal, brake: Signal, speed: f64) -> Wheel {
    Wheel::new(Parameters {
        radius: RADIUS,
        motor,
        brake,
        start: Start { x1: speed, x2: -speed, ..Start::default() },
        ..Parameters::default()
    })
    .expect("valid")
}

const SPORT: [f64; 4] = [0.5, 0.7, 2.0, 2.4];

fn manoeuvres() -> [Manoeuvre; 3] {
    [
        Manoeuvre {
            wheel: wheel(torque(SPORT, -2.0 * A_G), Signal::ZERO, 0.0),
            duration: 6.0,
            reference: include_str!("../../../reference/wheel/sport-drive.csv"),
            error_1024: 6.983e-1,
            end: 24.303484,
            states: &[(0, 0), (0, -1), (-1, -1), (0, -1)],
        },
        Manoeuvre {
            wheel: wheel(Signal::ZERO, torque(SPORT, 2.0 * A_G), 20.0),
            duration: 6.0,
            reference: include_str!("../../../reference/wheel/sport-braking.csv"),
            error_1024: 6.811e-1,
            end: 6.076529,
            states: &[(0, -1), (1, -1), (1, 0), (1, -1), (0, -1)],
        },
        Manoeuvre {
            wheel: wheel(torque([0.5, 3.0, 6.0, 9.0], -0.4 * A_G), torque([10.0, 13.0, 18.0, 19.5], 0.5 * A_G), 0.0),
            duration: 20.0,
            reference: include_str!("../../../reference/wheel/smooth-ride.csv"),
            error_1024: 3.702e-2,
            end: 0.0,
            states: &[(0, 0), (0, -1), (0, 0)],
        },
    ]
}

/// What was seen of a run.
struct Seen {
    rows: Vec<Vec<f64>>,
    events: Vec<Event>,
}

fn run(wheel: &Wheel, duration: f64, steps: u64, every: u64) -> (Seen, WheelState) {
    let mut seen = Recording::every(every);
    let grid = Grid { h: duration / steps as f64, steps };
    let state = implicit_euler(wheel, grid, &mut seen).expect("runs").state;
    let row = |(t, state): &(f64, WheelState)| {
        let mut row = vec![0.0; wheel.columns().len()];
        wheel.row(*t, state, &mut row);
        row
    };
    (Seen { rows: seen.samples.iter().map(row).collect(), events: seen.events }, state)
}

fn table(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|l| l.split(',').map(|v| v.parse().expect("a number")).collect()).collect()
}

#[test]
fn resolvent_vectors() {
    let rows = table(include_str!("../../../reference/wheel/resolvent-vectors.csv"));
    assert_eq!(rows.len(), 36);
    for row in rows {
        let [z1, z2, d1, d2, a_g, a_b, y1, y2, f, g, eps_g, eps_b, region] = row[..] else { panic!("13 columns") };
        let y = NineRegions::new(d1, d2).solve(z1, z2, a_g, a_b);
        for (got, expected) in [(y.y1, y1), (y.y2, y2), (y.f, f), (y.g, g)] {
            assert!((got - expected).abs() <= 1e-12, "{got} {expected}");
        }
        assert_eq!((f64::from(y.region.ground()), f64::from(y.region.brake())), (eps_g, eps_b));
        assert_eq!(f64::from(y.region.number()), region);
        // Exact is exact.
        assert_eq!(y1 == 0.0, y.y1 == 0.0);
        assert_eq!(y2 == 0.0, y.y2 == 0.0);
    }
}

#[test]
fn manoeuvres_lie_within_the_first_order_error_of_the_reference() {
    for m in manoeuvres() {
        let reference = table(m.reference);
        let steps = 65_536;
        let (keep, _) = run(&m.wheel, m.duration, steps, steps / 1024);
        assert_eq!(keep.rows.len(), reference.len());
        // First order: the error of 1024 steps shrinks in proportion. 5 % for what is not yet asymptotic.
        let allowed = 1.05 * m.error_1024 * 1024.0 / steps as f64;
        for (row, expected) in keep.rows.iter().zip(&reference) {
            // Times are printed with nine digits or so.
            assert!((row[0] - expected[0]).abs() <= 1e-8 * m.duration);
            for column in [1, 2] {
                assert!((row[column] - expected[column]).abs() <= allowed, "{row:?} {expected:?}");
            }
        }
    }
}

#[test]
fn errors_of_the_reference_study_are_reproduced() {
    // summary.csv was made against 2^23 steps; 2^21 change the error of 1024 steps by 5e-4 of itself.
    for m in manoeuvres() {
        let study = convergence(&by_steps(&m.wheel), m.duration, &[1024, 2048, 4096, 8192, 16384], 1 << 21)
            .expect("runs")
            .expect("errors");
        assert!((study.errors[0].1 / m.error_1024 - 1.0).abs() < 2e-3, "{study:?}");
        assert!((study.order - 1.0).abs() <= 0.05, "{study:?}");
        assert!(study.pairwise.iter().all(|p| (p - 1.0).abs() <= 0.05), "{study:?}");
    }
}

#[test]
fn state_sequences_of_the_sources() {
    for m in manoeuvres() {
        let (keep, _) = run(&m.wheel, m.duration, 60_000, 1);
        let mut seen: Vec<(i8, i8)> = keep.rows.iter().map(|r| (r[6] as i8, r[7] as i8)).collect();
        seen.dedup();
        assert_eq!(seen, m.states);
        let changes: usize =
            m.states.windows(2).map(|w| usize::from(w[0].0 != w[1].0) + usize::from(w[0].1 != w[1].1)).sum();
        assert_eq!(keep.events.len(), changes);
    }
}

#[test]
fn end_speeds_tend_to_the_reference_at_first_order() {
    for m in manoeuvres() {
        let end = |steps| run(&m.wheel, m.duration, steps, u64::MAX).1.x1;
        if m.end == 0.0 {
            assert_eq!(end(2000), 0.0);
            continue;
        }
        // The reference is printed to 5e-7 and was itself made with 2^23 steps.
        let finest = end(1 << 22);
        assert!((finest - m.end).abs() <= 5e-7 + m.error_1024 * 1024.0 / f64::from(1 << 22), "{finest}");
        let (coarse, fine) = ((end(4096) - finest).abs(), (end(65_536) - finest).abs());
        // Sixteen times the steps: a sixteenth of the error, or rounding (under drive the sum of forces
        // is exact whenever the wheel rolls in the end).
        assert!(fine <= 1.1 * coarse / 16.0 + 1e-10, "{coarse} {fine}");
    }
}

#[test]
fn a_locked_wheel_is_exactly_locked_and_a_rolling_one_exactly_rolls() {
    let [_, braking, _] = manoeuvres();
    let (keep, _) = run(&braking.wheel, 6.0, 6000, 1);
    let locked: Vec<_> = keep.rows.iter().filter(|r| r[7] == 0.0).collect();
    assert!(locked.len() > 1400);
    assert!(locked.iter().all(|row| row[2] == 0.0));
    // The step that locks the wheel also takes what is left of its speed; the plateau begins after it.
    for row in &locked[1..] {
        // g = −f = −a_G on the plateau, so G = −a_G/a_B; a_B is the bound at the end of the step.
        let a_b = braking.wheel.brake_bound(row[0]);
        assert!((row[5] + A_G / a_b).abs() <= 1e-14, "{row:?}");
        assert!(row[5] > -1.0 && row[5] < 0.0);
    }
    for row in keep.rows.iter().filter(|r| r[6] == 0.0) {
        assert_eq!(row[1] + row[2], 0.0);
    }
    for row in keep.rows.iter().filter(|r| r[7] != 0.0 && braking.wheel.brake_bound(r[0]) > 0.0) {
        assert_eq!(row[5], row[7]);
    }
}

#[test]
fn a_parked_wheel_stays_parked_for_ever() {
    let parked = wheel(Signal::Constant(100.0), Signal::Constant(150.0), 0.0);
    let end = implicit_euler(&parked, Grid::cover(3600.0, 1e-2), &mut NullObserver).expect("runs");
    assert_eq!((end.state.x1, end.state.x2, end.state.x(), end.state.theta()), (0.0, 0.0, 0.0, 0.0));
    assert_eq!((end.stuck, end.events), (vec![360_000, 360_000], 0));
}

#[test]
fn phase_formulas() {
    // Rolling under the brake, m x1' = −f with f = (m/(m+J)) a_B (1.1): exact between breaks.
    let (m, j) = (400.0, 1.2 / (RADIUS * RADIUS));
    let a_b = 0.7 * A_G;
    let rolling = wheel(Signal::ZERO, Signal::Constant(a_b * RADIUS), 20.0);
    let (keep, end) = run(&rolling, 1.0, 1000, 1);
    assert!((end.f - m / (m + j) * a_b).abs() < 1e-9);
    assert!((end.x1 - (20.0 - a_b / (m + j))).abs() < 1e-11, "{}", end.x1);
    assert!(keep.rows.iter().all(|r| r[6] == 0.0));
    // Rolls if and only if a_B ≤ a_G (1 + J/m).
    for (factor, slips) in [(0.999_999, false), (1.000_001, true)] {
        let a_b = factor * A_G * (1.0 + j / m);
        let (keep, _) = run(&wheel(Signal::ZERO, Signal::Constant(a_b * RADIUS), 20.0), 0.1, 100, 1);
        assert_eq!(keep.rows.iter().any(|r| r[6] != 0.0), slips);
    }
    // Ground and brake slip: x1' = −a_G/m, x2' = (a_B − a_G)/J until the wheel locks.
    let (keep, _) = run(&wheel(Signal::ZERO, Signal::Constant(3.0 * A_G * RADIUS), 20.0), 0.01, 100, 1);
    let last = keep.rows.last().expect("rows");
    assert!((last[1] - (20.0 - 0.01 * A_G / m)).abs() < 1e-11);
    assert!((last[2] - (-20.0 + 0.01 * 2.0 * A_G / j)).abs() < 1e-10);
    // Wheel spin under drive: x1' = a_G/m, x2' = (𝓜 + a_G)/J.
    let (keep, _) = run(&wheel(Signal::Constant(-3.0 * A_G * RADIUS), Signal::ZERO, 0.0), 0.5, 500, 1);
    let last = keep.rows.last().expect("rows");
    assert!((last[1] - 0.5 * A_G / m).abs() < 1e-11);
    assert!((last[2] + 0.5 * 2.0 * A_G / j).abs() < 1e-9);
}

#[test]
fn energy_closes_at_first_order_and_no_contact_gives_any() {
    for m in manoeuvres() {
        let closure = |steps| {
            let (keep, state) = run(&m.wheel, m.duration, steps, 1);
            for pair in keep.rows.windows(2) {
                assert!(pair[1][12] >= pair[0][12] && pair[1][13] >= pair[0][13], "a contact gives energy");
            }
            let ledger = m.wheel.ledger(&state);
            assert!(ledger.dissipated.iter().all(|d| d.energy >= 0.0));
            assert!(ledger.lost() >= 0.0);
            // The loss is Σ ½ Δvᵀ M Δv, term by term.
            let mut before = (m.wheel.parameters().start.x1, m.wheel.parameters().start.x2);
            let mut loss = 0.0;
            for row in &keep.rows {
                let (d1, d2) = (row[1] - before.0, row[2] - before.1);
                loss += 200.0 * d1 * d1 + 0.5 * m.wheel.j() * d2 * d2;
                before = (row[1], row[2]);
            }
            let scale = ledger.stored.max(ledger.start) + ledger.dissipated_total();
            assert!((loss - ledger.lost()).abs() <= 1e-10 * scale, "{loss} {}", ledger.lost());
            ledger.closure()
        };
        let closures: Vec<f64> = [4000, 8000, 16_000, 32_000].map(closure).to_vec();
        for pair in closures.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 1.0).abs() < 0.05, "{closures:?}");
        }
    }
}

#[test]
fn residuals_are_rounding() {
    for m in manoeuvres() {
        let (_, state) = run(&m.wheel, m.duration, 6000, 1);
        assert!(m.wheel.worst_residual(&state) <= 1e-14, "{}", m.wheel.worst_residual(&state));
    }
}

#[test]
fn mirrored_wheels_run_mirrored_bit_by_bit() {
    let forward = wheel(torque(SPORT, -2.0 * A_G), torque([2.5, 2.6, 4.0, 4.5], A_G), 3.0);
    let backward = wheel(torque(SPORT, 2.0 * A_G), torque([2.5, 2.6, 4.0, 4.5], A_G), -3.0);
    let (a, _) = run(&forward, 6.0, 6000, 1);
    let (b, _) = run(&backward, 6.0, 6000, 1);
    for (a, b) in a.rows.iter().zip(&b.rows) {
        for column in [1, 2, 3, 4, 5, 6, 7, 8, 9] {
            assert_eq!(a[column], -b[column], "column {column} at t = {}", a[0]);
        }
        assert_eq!(a[10..14], b[10..14]);
    }
}

#[test]
fn signals_that_are_not_straight_lines_are_read_at_every_step() {
    use stickslip_core::signal::{Expression, Sine};
    let sine = Sine { offset: 100.0, amplitude: 50.0, omega: 7.0, phase: 0.3 };
    let text = "100 + 50*sin(7*t + 0.3)";
    let brake = Signal::Expression(Box::new(Expression::new(text).expect("a formula")));
    let (_, a) = run(&wheel(Signal::ZERO, Signal::Sine(sine), 5.0), 2.0, 2000, u64::MAX);
    let (_, b) = run(&wheel(Signal::ZERO, brake, 5.0), 2.0, 2000, u64::MAX);
    assert!((a.x1 - b.x1).abs() < 1e-12);
    // Rolling: (m + J) x1' = −a_B(t); implicit Euler takes a_B at the end of each step.
    let h = 1e-3;
    let sum: f64 = (1..=2000).map(|n| (100.0 + 50.0 * (7.0 * h * f64::from(n) + 0.3).sin()) / RADIUS).sum();
    assert!((a.x1 - (5.0 - h * sum / (400.0 + 1.2 / 0.09))).abs() < 1e-12);
}

#[test]
fn data_that_describe_no_wheel_are_refused() {
    let base = manoeuvres()[0].wheel.parameters().clone();
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = base.clone();
        change(&mut parameters);
        Wheel::new(parameters).expect_err("no wheel").to_string()
    };
    // In the words and units of the fields of files, which are what is asked.
    assert_eq!(refused(|p| p.mass = 0.0), "mass = 0 kg: it must be a finite number > 0");
    assert_eq!(refused(|p| p.inertia = -1.0), "inertia = -1 kg m^2: it must be a finite number > 0");
    assert_eq!(refused(|p| p.radius = f64::NAN), "radius = NaN m: it must be a finite number > 0");
    assert_eq!(refused(|p| p.gravity = -1.0), "gravity = -1 m/s^2: it must be a finite number ≥ 0");
    assert!(refused(|p| p.gravity = f64::INFINITY).contains("gravity"));
    assert_eq!(refused(|p| p.friction = Signal::Constant(-0.1)), "friction is -0.1: it must not be negative");
    assert!(
        refused(|p| p.motor = Signal::Constant(f64::INFINITY)).contains("motor torque is inf N m: it must be finite")
    );
    assert!(refused(|p| p.brake = Signal::Constant(f64::NAN)).contains("brake torque"));
    assert!(refused(|p| p.start.x1 = f64::NAN).contains("speed = NaN m/s"));
    assert!(refused(|p| p.start.theta = f64::INFINITY).contains("angle"));
    // An expression is only known while it runs: the run says so and stops.
    let mut parameters = base.clone();
    let formula = stickslip_core::signal::Expression::new("1 - t").expect("a formula");
    parameters.brake = Signal::Expression(Box::new(formula));
    let wheel = Wheel::new(parameters).expect("not known ahead");
    let error = implicit_euler(&wheel, Grid::cover(3.0, 1e-2), &mut NullObserver).expect_err("negative from t = 1");
    assert!(error.to_string().contains("must not be negative"), "{error}");
    assert_eq!(State::Stick.sign(), 0);
}
