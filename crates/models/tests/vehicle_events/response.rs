//! One inclusion: the star with any intervals against the general solver.

use super::lens::Lens;
use super::random::Dice;
use super::{car, parameters, wheel};
use stickslip_core::inclusion::star::Found;
use stickslip_core::inclusion::{SolveError, Star};
use stickslip_core::mechanics::Affine;
use stickslip_core::signal::Signal;
use stickslip_models::vehicle::{Parameters, Vehicle};

/// Wheels of different inertia; with rolling resistance if asked.
fn some_car(dice: &mut Dice, n: usize, resists: bool) -> Vehicle {
    let mut wheels: Vec<_> = (0..n).map(|i| wheel(i, 1.0 / n as f64, Signal::ZERO, Signal::ZERO)).collect();
    wheels.iter_mut().for_each(|w| w.inertia = 10_f64.powf(dice.in_range(-1.0, 1.5)));
    let mass = 10_f64.powf(dice.in_range(1.0, 3.0));
    car(Parameters { resistance: if resists { 1.0 } else { 0.0 }, ..parameters(mass, wheels, 0.0) })
}

fn star(car: &Vehicle) -> Star {
    let n = car.parameters().wheels.len();
    Star::new(1.0 / car.parameters().mass, (0..n).map(|i| 1.0 / car.j(i)).collect())
}

/// Ends of an interval: symmetric, a half-line, all forces, a known force, nothing at all.
fn ends(dice: &mut Dice) -> (f64, f64) {
    let a = dice.in_range(0.0, 400.0);
    match dice.below(8) {
        0 => (f64::NEG_INFINITY, f64::INFINITY),
        1 => (f64::NEG_INFINITY, a),
        2 => (-a, f64::INFINITY),
        3 => (a, a),
        4 => (0.0, 0.0),
        _ => (-a, a),
    }
}

#[test]
fn any_intervals_are_solved_as_the_general_solver_does() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut rests, mut moves, mut open, mut alike, mut evaluations) = (0, 0, 0, 0, 0);
    for case in 0..4000 {
        let n = 1 + case % 5;
        let car = some_car(&mut dice, n, case % 2 == 0);
        let contacts = Affine::influence(&car).len();
        let (lo, hi): (Vec<f64>, Vec<f64>) = (0..contacts).map(|_| ends(&mut dice)).unzip();
        let force: Vec<f64> = (0..=n).map(|_| dice.in_range(-900.0, 900.0)).collect();
        let free = Affine::acceleration(&car, &force);
        let Found { forces, motion, slips, open: shared, evaluations: count } =
            star(&car).respond(&free, &lo, &hi).expect("solved");
        let general = Lens::without_star(&car).respond(&free, &lo, &hi).expect("solved");
        let speed = free.iter().chain(&general.motion).fold(0.0_f64, |m, y| m.max(y.abs()));
        for (own, other) in motion.iter().zip(&general.motion).chain(slips.iter().zip(&general.slips)) {
            assert!((own - other).abs() <= 1e-11 * speed, "case {case}: {own} {other}");
        }
        // Both make the same motion, and no forces that do are shorter; the general solver does not always find those.
        let made = Lens::without_star(&car).moved(&free, &forces);
        assert!(made.iter().zip(&motion).all(|(made, y)| (made - y).abs() <= 1e-11 * speed), "case {case}");
        let norm = |r: &[f64]| r.iter().map(|r| r * r).sum::<f64>().sqrt();
        assert!(norm(&forces) <= norm(&general.forces) * (1.0 + 1e-9), "case {case}: {forces:?} {:?}", general.forces);
        let size = forces.iter().chain(&force).fold(0.0_f64, |m, r| m.max(r.abs()));
        alike += usize::from(forces.iter().zip(&general.forces).all(|(own, other)| (own - other).abs() <= 1e-9 * size));
        for k in 0..contacts {
            assert!(lo[k] <= forces[k] && forces[k] <= hi[k], "case {case}");
            assert!(lo[k] == hi[k] || slips[k] == 0.0 || forces[k] == if slips[k] > 0.0 { lo[k] } else { hi[k] });
        }
        if motion[0] == 0.0 {
            rests += 1
        } else {
            moves += 1
        }
        open += usize::from(shared.contains(&true));
        evaluations = evaluations.max(count);
    }
    assert!(rests > 500 && moves > 500 && open > 200, "{rests} {moves} {open}");
    assert!(alike >= 3900, "{alike}");
    // Two sums over all wheels per search as a rule; at most a dozen steps and the sorted break points.
    assert!(evaluations <= 32, "{evaluations}");
}

#[test]
fn contacts_are_held_by_the_forces_of_least_norm() {
    let mut dice = Dice(0x1357_9bdf_0246_8ace);
    for case in 0..2000 {
        let n = 1 + case % 5;
        let car = some_car(&mut dice, n, case % 2 == 0);
        let contacts = Affine::influence(&car).len();
        let held: Vec<bool> = (0..contacts).map(|_| dice.below(2) == 0).collect();
        let free: Vec<f64> = (0..=n).map(|_| dice.in_range(-9.0, 9.0)).collect();
        let (mut motion, mut forces) = (free.clone(), vec![f64::NAN; contacts]);
        star(&car).holding_forces(&held, &mut motion, &mut forces);
        // Whatever comes is held; the others do nothing.
        let hi: Vec<f64> = held.iter().map(|held| if *held { f64::INFINITY } else { 0.0 }).collect();
        let lo: Vec<f64> = hi.iter().map(|hi| 0.0 - hi).collect();
        let general = Lens::without_star(&car).respond(&free, &lo, &hi).expect("solved");
        let size = general.forces.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        for (own, other) in motion.iter().zip(&general.motion) {
            assert!((own - other).abs() <= 1e-11 * 9.0, "case {case}: {motion:?} {:?}", general.motion);
        }
        for (own, other) in forces.iter().zip(&general.forces) {
            assert!((own - other).abs() <= 1e-10 * size, "case {case}: {forces:?} {:?}", general.forces);
        }
        let slips = Affine::slips(&car, &motion);
        assert!((0..contacts).all(|k| !held[k] || slips[k] == 0.0), "case {case}: {slips:?}");
    }
}

#[test]
fn what_is_not_a_number_is_an_error() {
    let star = Star::new(1.0, vec![1.0]);
    for (free, lo) in [([f64::NAN, 0.0], -1.0), ([0.0, f64::INFINITY], -1.0), ([0.0, 0.0], f64::NAN)] {
        assert_eq!(star.respond(&free, &[lo, -1.0], &[1.0, 1.0]), Err(SolveError::NotFinite));
    }
}
