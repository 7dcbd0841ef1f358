//! From rest to steady rolling, step by step.

use stickslip_contact::finite_elements::{Pair, Reach, RollError, Rolled, Rolling, Structure, Transient, Transport};
use stickslip_contact::patch::Creepage;
use stickslip_core::mechanics::Judged;
use stickslip_core::scheme::theta::{Contact, Linear, ThetaMethod};
use stickslip_linalg::{Lu, Matrix};

use crate::{FRICTION, by, condensed, discs, number, obeys, table, used, wheels};

fn steady(rolling: &Rolling, pair: &Pair, xi: f64) -> Rolled {
    rolling.roll(pair, Creepage { xi, ..Creepage::default() }, None).expect("rolls")
}

/// (distance over a, Q/(μP)) of every step.
fn roll(rolling: Rolling, pair: &Pair, end: &Rolled, stride: f64, reach: Reach, far: f64) -> Vec<[f64; 2]> {
    let a = end.fitted.expect("a fit").a;
    let mut transient = Transient::new(rolling, pair, end, stride, reach, None).expect("rolls");
    let mut way = vec![[0.0, 0.0]];
    while transient.distance() < far * a {
        transient.step().expect("solved");
        way.push([transient.distance() / a, -transient.force()[0] / (FRICTION * end.normal.load)]);
        let energy = transient.energy();
        assert!(energy.missing().abs() <= 1e-10 * energy.drive.abs(), "{energy:?}");
    }
    obeys(pair, &transient.rolled());
    way
}

/// Q after a distance, by a straight line between steps.
fn at(way: &[[f64; 2]], distance: f64) -> f64 {
    let k = way.iter().position(|p| p[0] >= distance).expect("rolled that far").max(1);
    let [[x0, q0], [x1, q1]] = [way[k - 1], way[k]];
    q0 + (q1 - q0) * (distance - x0) / (x1 - x0)
}

/// Where Q comes within a share of its end for good.
fn within(way: &[[f64; 2]], end: f64, share: f64) -> f64 {
    let last = way.iter().rposition(|p| (p[1] / end - 1.0).abs() > share).expect("begins elsewhere");
    way.get(last + 1).map_or(f64::INFINITY, |p| p[0])
}

#[test]
fn a_step_of_creepage_is_that_of_the_reference() {
    const PLACES: [f64; 9] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0];
    for across in [21, 41] {
        let contact = discs(across);
        let pair = condensed(&contact);
        let rolling = by(&contact, Transport::First);
        for row in table("carter-fe-transient.csv") {
            let (xi, stride) = (number(&row[1]), number(&row[2]));
            if number(&row[0]) as usize != across {
                continue;
            }
            let end = steady(&rolling, &pair, xi);
            assert!((used(&end) / number(&row[12]) - 1.0).abs() < 1e-3, "{} {}", used(&end), row[12]);
            let way = roll(rolling, &pair, &end, stride, Reach::Whole, 8.3);
            for (k, place) in PLACES.iter().enumerate() {
                let (found, expected) = (at(&way, *place), number(&row[3 + k]));
                assert!((found / expected - 1.0).abs() < 0.01, "{across} {xi} {stride} {place}: {found} {expected}");
            }
        }
    }
}

#[test]
fn the_bodies_reach_steady_rolling_by_their_compliance() {
    let contact = discs(21);
    let pair = condensed(&contact);
    for transport in [Transport::First, Transport::Edge] {
        let rolling = by(&contact, transport);
        for xi in [0.0017, 0.0005] {
            let end = steady(&rolling, &pair, xi);
            let far = |reach, far, share| within(&roll(rolling, &pair, &end, 1.0, reach, far), used(&end), share);
            let whole = [far(Reach::Whole, 52.0, 0.01), far(Reach::Whole, 90.0, 1e-4)];
            let local = [far(Reach::Local, 12.0, 0.01), far(Reach::Local, 16.0, 1e-4)];
            assert!(whole[0] < 50.0 && local[0] < 6.0, "{transport:?} {xi}: {whole:?} {local:?}");
        }
    }
}

#[test]
fn other_steps_are_near_the_exact_shift() {
    for (across, near, far) in [(21, 0.008, 0.015), (41, 0.004, 0.008)] {
        let contact = discs(across);
        let pair = condensed(&contact);
        let rolling = by(&contact, Transport::First);
        for xi in [0.0017, 0.0005] {
            let end = steady(&rolling, &pair, xi);
            let exact = roll(rolling, &pair, &end, 1.0, Reach::Whole, 30.0);
            for (stride, bar) in [(0.25, near), (0.5, near), (2.0, far)] {
                let way = roll(rolling, &pair, &end, stride, Reach::Whole, 30.0);
                let off = (2..=58).map(|k| 0.5 * f64::from(k)).map(|x| (at(&way, x) / at(&exact, x) - 1.0).abs());
                let worst = off.fold(0.0, f64::max);
                // The bars have one digit.
                assert!(worst < 1.1 * bar, "{across} {xi} {stride}: {worst}");
            }
        }
    }
}

#[test]
fn rolling_on_ends_in_steady_rolling_whatever_the_step() {
    let contact = discs(21);
    let pair = condensed(&contact);
    for transport in [Transport::First, Transport::Edge] {
        let rolling = by(&contact, transport);
        let end = steady(&rolling, &pair, 0.0017);
        for stride in [0.5, 1.0, 2.0] {
            let way = roll(rolling, &pair, &end, stride, Reach::Local, 40.0);
            let found = way.last().expect("steps")[1];
            assert!((found / used(&end) - 1.0).abs() < 1e-8, "{transport:?} {stride}: {found} {}", used(&end));
        }
    }
}

#[test]
fn crowned_wheels_roll_step_by_step() {
    let contact = wheels(11);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::Edge);
    let creepage = Creepage { xi: 0.001, eta: 0.001, phi: 0.3 };
    let end = rolling.roll(&pair, creepage, None).expect("rolls");
    for reach in [Reach::Whole, Reach::Local] {
        let mut transient = Transient::new(rolling, &pair, &end, 1.0, reach, None).expect("rolls");
        for _ in 0..120 {
            transient.step().expect("solved");
        }
        let (now, energy) = (transient.rolled(), transient.energy());
        obeys(&pair, &now);
        assert!(energy.missing().abs() <= 1e-10 * energy.drive, "{energy:?}");
        let off = (now.force[0] - end.force[0]).hypot(now.force[1] - end.force[1]);
        assert!(off < 1e-3 * end.force[0].hypot(end.force[1]), "{reach:?}: {:?} {:?}", now.force, end.force);
        assert!((now.moment - end.moment).abs() < 2e-3 * end.moment.abs());
    }
}

#[test]
fn warm_steps_take_fewer_iterations_than_cold_ones() {
    let contact = discs(41);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::Edge);
    let end = steady(&rolling, &pair, 0.0017);
    let mut transient = Transient::new(rolling, &pair, &end, 1.0, Reach::Whole, None).expect("rolls");
    let mut iterations = Vec::new();
    for _ in 0..200 {
        transient.step().expect("solved");
        iterations.push(transient.found().iterations + transient.found().steps);
    }
    let warm = iterations.iter().sum::<usize>() as f64 / 200.0;
    let cold = (end.found.iterations + end.found.steps) as f64;
    assert!(warm < 0.5 * cold, "{warm} warm, {cold} cold");
}

#[test]
fn what_steps_cannot_do_is_refused() {
    let contact = discs(21);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::First);
    let end = steady(&rolling, &pair, 0.0017);
    for stride in [0.0, -1.0, 5.0, f64::NAN] {
        let refused = Transient::new(rolling, &pair, &end, stride, Reach::Whole, None).expect_err("refused");
        assert!(matches!(refused, RollError::Number { .. }));
    }
}

/// The compliance that is taken out, given back by a structure without mass, is the whole compliance again.
#[test]
fn a_structure_without_mass_gives_back_what_was_taken_out() {
    let contact = discs(21);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::Edge);
    let end = steady(&rolling, &pair, 0.0017);
    let light = Structure { frequency: f64::INFINITY, damping_ratio: 0.0, speed: 7.0, theta: 1.0 };
    for stride in [1.0, 0.5, 2.0] {
        let new = |reach, structure| Transient::new(rolling, &pair, &end, stride, reach, structure).expect("rolls");
        let (mut whole, mut split) = (new(Reach::Whole, None), new(Reach::Local, Some(light)));
        for _ in 0..300 {
            whole.step().expect("solved");
            split.step().expect("solved");
            let [a, b] = [whole.force()[0], split.force()[0]];
            assert!((a - b).abs() <= 1e-9 * end.force[0].abs(), "{stride}: {a} {b}");
        }
        let (a, b) = (whole.energy(), split.energy());
        assert!((a.stored / b.stored - 1.0).abs() < 1e-9 && (a.heat / b.heat - 1.0).abs() < 1e-9, "{a:?} {b:?}");
    }
    let twice = Transient::new(rolling, &pair, &end, 1.0, Reach::Whole, Some(light)).expect_err("refused");
    assert_eq!(twice, RollError::Twice);
}

/// Inertia: against the θ-method on matrices, with nodes without mass and one heavy coordinate.
#[test]
fn a_structure_moves_as_the_method_on_matrices_says() {
    let contact = discs(11);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::First);
    let end = steady(&rolling, &pair, 0.0017);
    let nodes = end.normal.touching();
    let (stride, speed) = (0.5, 10.0);
    let structure = Structure { frequency: 40.0, damping_ratio: 0.05, speed, theta: 1.0 };
    let mut transient = Transient::new(rolling, &pair, &end, stride, Reach::Local, Some(structure)).expect("rolls");
    let constant = transient.constant();
    // The touching nodes and the one ahead; then the structure.
    let (first, n) = (nodes[0], nodes.len() + 1);
    let dx = pair.surface.x[first + 1] - pair.surface.x[first];
    let w = Matrix::from_fn(n, n, |i, j| pair.w((first + i, 0), (first + j, 0)) - constant);
    let inverse = {
        let factors = Lu::new(&w);
        let mut k = Matrix::zeros(n, n);
        for j in 0..n {
            let mut column = vec![0.0; n];
            column[j] = 1.0;
            factors.solve(&mut column);
            column.iter().enumerate().for_each(|(i, v)| k[(i, j)] = *v);
        }
        k
    };
    let (k, omega) = (1.0 / constant, std::f64::consts::TAU * 40.0);
    let last = |i: usize, j: usize, value: f64| if i == n && j == n { value } else { 0.0 };
    let rows = Matrix::from_fn(n - 1, n + 1, |i, j| f64::from(j == i || j == n));
    let carried = Matrix::from_fn(n - 1, n + 1, |i, j| speed / dx * (f64::from(j == i) - f64::from(j == i + 1)));
    let system = Linear {
        mass: Matrix::from_fn(n + 1, n + 1, |i, j| last(i, j, k / (omega * omega))),
        damping: Matrix::from_fn(n + 1, n + 1, |i, j| last(i, j, 0.1 * k / omega)),
        stiffness: Matrix::from_fn(n + 1, n + 1, |i, j| if i < n && j < n { inverse[(i, j)] } else { last(i, j, k) }),
        rows,
        carried: Some(carried),
        contacts: nodes.iter().map(|i| Contact::Along { bound: FRICTION * end.normal.force[*i] }).collect(),
    };
    let mut method = ThetaMethod::new(system, stride * dx / speed, 1.0, Judged::Shifted).expect("valid");
    let mut motion = method.start(&vec![0.0; n + 1], &vec![0.0; n + 1]);
    let mut most: f64 = 0.0;
    for _ in 0..600 {
        transient.step().expect("solved");
        method.step(&mut motion, &vec![0.0; n + 1], &vec![0.0017 * speed; n - 1]).expect("solved");
        let [a, b] = [transient.force()[0], motion.r.iter().sum::<f64>()];
        assert!((a - b).abs() <= 1e-7 * end.force[0].abs(), "{a} {b}");
        most = most.max(a.abs());
    }
    // It swings back and over: with the whole compliance the force rises to that of steady rolling and not beyond.
    assert!(most > 1.05 * end.force[0].abs(), "no inertia: {most}");
    assert!((motion.u[n] - transient.structure()).abs() < 1e-6 * motion.u[n].abs());
    let energy = transient.energy();
    assert!(energy.missing().abs() <= 1e-10 * energy.drive && energy.damping > 0.0, "{energy:?}");
    assert!((energy.heat / motion.energy.heat - 1.0).abs() < 1e-6, "{energy:?} {:?}", motion.energy);
}

/// With θ = ½ it neither gains nor loses by itself, and comes to rest where the steady force holds it.
#[test]
fn a_structure_comes_to_rest_in_steady_rolling() {
    let contact = discs(21);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::Edge);
    let end = steady(&rolling, &pair, 0.0017);
    let structure = Structure { frequency: 400.0, damping_ratio: 0.1, speed: 10.0, theta: 0.5 };
    let mut transient = Transient::new(rolling, &pair, &end, 1.0, Reach::Local, Some(structure)).expect("rolls");
    for _ in 0..3000 {
        transient.step().expect("solved");
    }
    let energy = transient.energy();
    assert!(energy.missing().abs() <= 1e-10 * energy.drive, "{energy:?}");
    assert!((transient.force()[0] / end.force[0] - 1.0).abs() < 1e-6);
    assert!((transient.structure() / (transient.constant() * end.force[0]) - 1.0).abs() < 1e-6);
}
