//! The other integrator of a patch, by kicks: against the table, and against steps that solve for their forces.

mod common;

use std::f64::consts::TAU;

use common::{cell, constant, fall, patch, patch_of, run_by, table, wheel};
use stickslip_squeal::Wheel;
use stickslip_squeal::motion::Motion;
use stickslip_squeal::step::{Start, Stepper, Workspace, lateral};

fn kick(stepper: &Stepper<'_>, t: f64, motion: &mut Motion, work: &mut Workspace) {
    stepper.kick(t, motion, work);
}

#[test]
fn kicks_squeal_as_the_table_says() {
    let (heads, rows) = table("squeal/pair-brush.csv");
    for row in [&rows[2], &rows[6]] {
        let of = |name: &str| cell(&heads, row, name);
        let wheel = wheel("pair", patch(), of("s0"));
        let start = |stepper: &Stepper<'_>| stepper.start(Start::Eigenvector(0.9 * of("v_max"))).expect("a start");
        let seen = run_by(&wheel, of("step_s"), start, kick, (1.5, 0.1));
        eprintln!("{row:?}\n{seen:?}");
        assert!((seen.frequency / of("cycle_Hz") - 1.0).abs() < 5e-4, "{seen:?}");
        assert!((seen.most / of("v_max") - 1.0).abs() < 3e-3 && (seen.least / of("v_min") - 1.0).abs() < 3e-3);
        assert!((seen.load[0] - of("N_min_over_N0")).abs() < 0.01, "{seen:?}");
        assert!((seen.friction / (0.35 * 42e3) / of("mean_F_over_muN0") - 1.0).abs() < 5e-3, "{seen:?}");
        assert!(seen.closure.abs() < 1e-3, "{seen:?}");
    }
}

#[test]
fn kicks_grow_as_the_eigenvalue_says() {
    for s0 in [0.02, 0.006] {
        let wheel = wheel("pair", patch(), s0);
        let exact = wheel.least_stable().expect("found");
        let h = 2.12842e-6;
        let stepper = Stepper::new(&wheel, h, wheel.speed * h).expect("a stepper");
        let (mut motion, mut work) =
            (stepper.start(Start::Eigenvector(1e-5 * wheel.slip())).expect("a start"), Workspace::default());
        // ẏ and ẏ a quarter of a period later make the amplitude.
        let quarter = (0.25 * TAU / exact.im / h).round() as usize;
        let steps = (0.03 / h) as usize;
        let mut course = Vec::with_capacity(steps);
        for n in 0..steps {
            stepper.kick(n as f64 * h, &mut motion, &mut work);
            course.push(lateral(&wheel, &motion.p));
        }
        let size = |k: usize| course[k].hypot(course[k + quarter] * (-exact.re * quarter as f64 * h).exp());
        // Whole periods apart: what the quarter is off by drops out.
        let period = TAU / exact.im / h;
        let from = steps / 10;
        let to = from + (((steps - quarter - 1 - from) as f64 / period).floor() * period).round() as usize;
        let rate = (size(to) / size(from)).ln() / ((to - from) as f64 * h);
        eprintln!("s0 = {s0}: {rate} {}", exact.re);
        assert!((rate / exact.re - 1.0).abs() < 1e-2, "{rate} {}", exact.re);
    }
}

/// Both integrators come to the same motion, with differences of second order in the step, on any law of friction.
#[test]
fn kicks_come_to_what_solved_steps_come_to() {
    for friction in [constant(0.35), fall()] {
        come_together(&wheel("pair", patch_of(friction), 0.02));
    }
}

fn come_together(wheel: &Wheel) {
    let off = |h: f64| {
        let stepper = Stepper::new(wheel, h, wheel.speed * h).expect("a stepper");
        let start = || stepper.start(Start::Eigenvector(0.1)).expect("a start");
        let (mut one, mut other, mut work) = (start(), start(), Workspace::default());
        let mut most = 0.0_f64;
        for n in 0..(0.01 / h).round() as u64 {
            stepper.step(n as f64 * h, &mut one, &mut work).expect("found");
            stepper.kick(n as f64 * h, &mut other, &mut work);
            most = most.max((lateral(wheel, &one.p) - lateral(wheel, &other.p)).abs());
        }
        most
    };
    let [coarse, fine] = [4.25684e-6, 2.12842e-6].map(off);
    eprintln!("{coarse:e} {fine:e}");
    assert!(coarse < 1e-2 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
}
