//! The linear system over a whole run, against closed forms and against itself on finer steps.

use std::f64::consts::TAU;

use num_complex::Complex64 as C;
use stickslip_core::law::Coefficient;
use stickslip_squeal::contact::{Contact, Spring};
use stickslip_squeal::roughness::{Line, Roughness};
use stickslip_squeal::step::{Start, Stepper, Workspace, lateral};
use stickslip_squeal::{Friction, Mode, Wheel};

fn wheel(damping: f64, contact: Contact, roughness: Roughness) -> Wheel {
    let mode = |name: &str, frequency: f64, lateral: f64, vertical: f64| Mode {
        name: name.into(),
        frequency,
        damping,
        lateral,
        vertical,
    };
    Wheel {
        modes: vec![mode("4L0", 2050.0, 0.175, 0.03), mode("R", 1900.0, 0.04, 0.15)],
        speed: 10.0,
        creepage: 0.01,
        spring: Spring { load: 42e3, approach: 73.571e-6, residual: 1e-10 },
        contact,
        roughness,
    }
}

fn contacts() -> [Contact; 3] {
    let law = Coefficient::Stribeck { sticking: 0.22, slipping: 0.2, speed: 0.5, exponent: 1.0 };
    let friction = || Friction::Law(law.clone());
    [
        Contact::Point { friction: friction() },
        Contact::Creep { friction: friction(), slope: 335.0, lag: 4.25684e-3 },
        Contact::Creep { friction: friction(), slope: 100.0, lag: 0.0 },
    ]
}

/// After the start has died away a line has the amplitude and the phase of the response in closed form, with steps of the coarsest kind.
#[test]
fn a_line_settles_to_the_response() {
    let line = Line { frequency: 1500.0, amplitude: 1e-8, phase: 0.7 };
    for contact in contacts() {
        let own = wheel(0.03, contact, Roughness { lines: vec![line], points: vec![] });
        let shape = own.response(line.frequency);
        let velocity = shape.lateral(&own) * shape.value * C::from_polar(line.amplitude, line.phase);
        let (h, first) = (1.0 / (10.0 * line.frequency), 6000);
        let found = own.linear_course(Start::Kick(1e-6), h, first, 500).expect("linear");
        for (k, found) in found.iter().enumerate() {
            let t = (first as f64 + k as f64) * h;
            let wanted = (velocity * C::cis(TAU * line.frequency * t)).im;
            assert!((found - wanted).abs() < 1e-6 * velocity.norm(), "{:?} {k}: {found} {wanted}", own.contact);
        }
    }
}

/// Points within steps are taken as they are: steps eight times as fine make the same motion.
#[test]
fn points_within_steps_are_taken_as_they_are() {
    let points: Vec<[f64; 2]> = (0..60).map(|k| [1e-4 * f64::from(k) + 1.3e-5, 1e-8 * f64::from(k * k % 7)]).collect();
    for contact in contacts() {
        let own = wheel(3e-4, contact, Roughness { lines: vec![], points: points.clone() });
        let run = |h: f64, steps: u64| own.linear_course(Start::Kick(1e-6), h, steps, 1).expect("linear")[0];
        let end = 8e-3;
        let (coarse, fine) = (run(end / 1000.0, 1000), run(end / 8000.0, 8000));
        assert!((coarse / fine - 1.0).abs() < 1e-9, "{:?} {coarse} {fine}", own.contact);
    }
}

/// Small motion by the steps of a run, on lines and points at once and at resonance, long before it has settled: off by what steps of second order are, a quarter
/// of it with half the step.
#[test]
fn a_run_of_small_motion_is_the_linear_one() {
    let lines =
        [(2046.0, 1e-12), (700.0, 3e-11)].map(|(frequency, amplitude)| Line { frequency, amplitude, phase: 1.0 });
    let points: Vec<[f64; 2]> = (0..40).map(|k| [5e-4 * f64::from(k), 1e-11 * f64::from(k % 3)]).collect();
    for contact in contacts() {
        let own = wheel(3e-4, contact, Roughness { lines: lines.to_vec(), points: points.clone() });
        let off = |h: f64| {
            let steps = (0.05 / h).round() as usize;
            let stepper = Stepper::new(&own, h, own.speed * h).expect("steps");
            let start = Start::Kick(1e-9);
            let linear = own.linear_course(start, h, 0, steps + 1).expect("linear");
            let mut motion = stepper.start(start).expect("a start");
            let mut work = Workspace::default();
            let (mut off, mut size) = (0.0_f64, 0.0_f64);
            for (n, linear) in linear.iter().enumerate() {
                off = off.max((lateral(&own, &motion.p) - linear).abs());
                size = size.max(linear.abs());
                stepper.step(n as f64 * h, &mut motion, &mut work).expect("a step");
            }
            off / size
        };
        let [coarse, fine] = [8e-6, 4e-6].map(off);
        assert!(coarse < 2e-2 && (3.5..4.5).contains(&(coarse / fine)), "{:?} {coarse} {fine}", own.contact);
    }
}

/// A force that lags by less and less becomes one that follows at once, however little that is beside a step.
#[test]
fn a_lag_that_vanishes_is_none() {
    let line = Line { frequency: 2000.0, amplitude: 1e-9, phase: 0.3 };
    let points: Vec<[f64; 2]> = (0..40).map(|k| [1.7e-4 * f64::from(k), 1e-9 * f64::from(k % 3)]).collect();
    let run = |lag: f64| {
        let friction = Friction::Law(Coefficient::Constant(0.2));
        let contact = Contact::Creep { friction, slope: 100.0, lag };
        let own = wheel(1e-3, contact, Roughness { lines: vec![line], points: points.clone() });
        own.linear_course(Start::Kick(1e-6), 8e-6, 0, 5000).expect("linear")
    };
    let none = run(0.0);
    let most = none.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let off = |lag: f64| none.iter().zip(run(lag)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most;
    let found = [1e-6, 1e-8, 1e-12].map(off);
    // By the time σ/V of the lag, times the frequency.
    assert!(found[0] < 2e-2 && found[1] < 0.02 * found[0] && found[2] < 1e-7, "{found:?}");
}
