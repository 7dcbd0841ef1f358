//! Against the general dense solver on random problems, and by properties.

use super::*;
use crate::inclusion::{Method, Problem, Settings, solve};
use crate::law::Product;
use proptest::prelude::*;
use stickslip_linalg::{Matrix, SplitMix64};

/// A chain of unit bodies with springs, contacts on the ground, between neighbours, and some on the ground twice (so
/// that W is singular).
fn chain(n: usize, stiffness: f64, h: f64, double: bool) -> (Symmetric, Rows, Vec<usize>) {
    let k = h * h * stiffness;
    let diagonal = (0..n).map(|i| 1.0 + 0.1 * i as f64 + 2.0 * k).collect();
    let below = (1..n).map(|i| (i, i - 1, -k)).collect();
    let mut rows = Rows::default();
    for i in 0..n {
        rows.push([(i, 1.0)]);
        if i > 0 {
            rows.push([(i, 1.0), (i - 1, -1.0)]);
        }
        if double {
            rows.push([(i, 1.0)]);
        }
    }
    let dims = vec![1; rows.len()];
    (Symmetric { diagonal, below }, rows, dims)
}

fn dense(coupled: &Coupled) -> Matrix {
    let (n, m) = (coupled.shape.n, coupled.shape.rows.len());
    let mut free = coupled.free.clone();
    let mut columns = Vec::new();
    for k in 0..m {
        let mut column = vec![0.0; n];
        coupled.shape.rows.add(k, coupled.shape.h, &mut column);
        free.apply(&mut column);
        columns.push(column);
    }
    Matrix::from_fn(m, m, |i, j| coupled.shape.rows.dot(i, &columns[j]))
}

/// W, b and C.
fn parts(coupled: &mut Coupled, p: &[f64], u: &[f64], bounds: &[Bounds]) -> (Matrix, Vec<f64>, Product) {
    let mut v = p.to_vec();
    coupled.free.apply(&mut v);
    let b = (0..u.len()).map(|k| coupled.shape.rows.dot(k, &v) + u[k]).collect();
    let laws = (0..coupled.shape.contacts()).map(|c| {
        if coupled.shape.at(c).len() == 1 {
            Law::Interval(Interval::new(bounds[c].lo, bounds[c].hi).expect("ordered"))
        } else {
            Law::Disk(Disk::new(bounds[c].hi).expect("≥ 0"))
        }
    });
    (dense(coupled), b, Product::new(laws.collect()))
}

fn compare(
    coupled: &mut Coupled,
    p: &[f64],
    u: &[f64],
    bounds: &[Bounds],
    only_newton: bool,
) -> Result<(), TestCaseError> {
    let mut answer = coupled.answer();
    if only_newton {
        coupled.few = None;
    }
    coupled.solve(p, u, bounds, &mut answer).expect("solves");
    let (w, b, c) = parts(coupled, p, u, bounds);
    let problem = Problem { w: &w, b: &b, c: &c };
    prop_assert!(problem.residual(&answer.r).relative <= 1e-11, "{:?}", problem.residual(&answer.r));
    let solution = solve(&problem, &vec![0.0; b.len()], &Settings::default()).expect("solves");
    let size = b.iter().fold(1e-3_f64, |m, b| m.max(b.abs()));
    for (a, b) in answer.s.iter().zip(&solution.s) {
        prop_assert!((a - b).abs() <= 1e-9 * size, "{a} {b}");
    }
    if solution.least_norm {
        let force = solution.r.iter().fold(1e-3_f64, |m, r| m.max(r.abs()));
        for (a, b) in answer.r.iter().zip(&solution.r) {
            prop_assert!((a - b).abs() <= 1e-6 * force, "{:?} {:?}", answer.r, solution.r);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn chains_agree_with_the_general_solver(
        n in 1..6_usize,
        stiffness in 0.0..100.0_f64,
        double in any::<bool>(),
        only_newton in any::<bool>(),
        numbers in prop::collection::vec(-1.0..1.0_f64, 60),
    ) {
        let h = 0.01;
        let (s, rows, dims) = chain(n, stiffness, h, double);
        let mut coupled = Coupled::new(&s, rows, &dims, h, false).expect("definite");
        let m = dims.len();
        let bounds: Vec<Bounds> = (0..m).map(|k| Bounds::symmetric((30.0 * numbers[k]).max(0.0))).collect();
        let p: Vec<f64> = numbers[30..30 + n].iter().map(|x| x * x * x).collect();
        compare(&mut coupled, &p, &vec![0.0; m], &bounds, only_newton)?;
    }

    #[test]
    fn disks_agree_with_the_general_solver(
        only_newton in any::<bool>(),
        a in prop::collection::vec(0.0..40.0_f64, 4),
        p in prop::collection::vec(-1.0..1.0_f64, 9),
    ) {
        // The bogie's contacts: four disks between a frame and two wheelsets, W of rank 6.
        let s = Symmetric { diagonal: vec![1.36, 1.36, 0.55, 1.12, 1.12, 0.42, 1.12, 1.12, 0.42], below: Vec::new() };
        let mut rows = Rows::default();
        for (set, eta) in [(3, 1.0), (6, -1.0)] {
            for y in [-0.8, 0.8] {
                rows.push([(set, 1.0), (0, -1.0), (set + 2, -y), (2, y)]);
                rows.push([(set + 1, 1.0), (1, -1.0), (2, -0.85 * eta)]);
            }
        }
        let mut coupled = Coupled::new(&s, rows, &[2; 4], 0.01, false).expect("definite");
        let bounds: Vec<Bounds> = a.iter().map(|a| Bounds::symmetric(*a)).collect();
        compare(&mut coupled, &p, &[0.0; 8], &bounds, only_newton)?;
    }
}

#[test]
fn two_belts_under_one_body_cannot_both_hold() {
    let s = Symmetric { diagonal: vec![1.0], below: Vec::new() };
    let mut rows = Rows::default();
    rows.push([(0, 1.0)]);
    rows.push([(0, 1.0)]);
    let mut coupled = Coupled::new(&s, rows, &[1, 1], 0.01, true).expect("definite");
    let mut answer = coupled.answer();
    // Belts at +1 and −1, the first stronger: the body goes with it after some time.
    coupled
        .solve(&[1.0], &[-1.0, 1.0], &[Bounds::symmetric(9.0), Bounds::symmetric(5.0)], &mut answer)
        .expect("solves");
    assert_eq!(answer.modes, [Mode::Stick, Mode::Forward]);
    assert_eq!(answer.s[0], 0.0);
    assert!((answer.v[0] - 1.0).abs() < 1e-14 && (answer.r[0] - 5.0).abs() < 1e-9, "{answer:?}");
}

#[test]
fn a_long_chain_is_solved_in_its_band() {
    let (n, h) = (400, 1e-3);
    let (s, rows, dims) = chain(n, 1e4, h, false);
    let mut coupled = Coupled::new(&s, rows, &dims, h, false).expect("definite");
    assert!(coupled.few.is_none() && coupled.newton.lu.width() <= 8, "{}", coupled.newton.lu.width());
    let mut answer = coupled.answer();
    let p: Vec<f64> = (0..n).map(|i| (0.7 * i as f64).sin()).collect();
    let u = vec![0.0; dims.len()];
    // With 600 N in each contact the bodies can hold each other, though not with the forces of least norm alone: then
    // nothing slips, not by the last bit.
    let bounds: Vec<Bounds> = (0..dims.len()).map(|k| Bounds::symmetric(600.0 + (k % 7) as f64)).collect();
    coupled.solve(&p, &u, &bounds, &mut answer).expect("solves");
    assert!(answer.modes.iter().all(|mode| *mode == Mode::Stick) && answer.s.iter().all(|s| *s == 0.0));
    let bounds: Vec<Bounds> = (0..dims.len()).map(|k| Bounds::symmetric(200.0 + (k % 7) as f64)).collect();
    coupled.solve(&p, &u, &bounds, &mut answer).expect("solves");
    assert!(answer.modes.contains(&Mode::Stick) && answer.modes.contains(&Mode::Forward));
    let (w, c) = (dense(&coupled), bounds.iter().map(|b| Law::Interval(Interval::new(b.lo, b.hi).expect("ordered"))));
    let mut v = p.clone();
    coupled.free.apply(&mut v);
    let b: Vec<f64> = (0..u.len()).map(|k| coupled.shape.rows.dot(k, &v)).collect();
    let residual = Problem { w: &w, b: &b, c: &Product::new(c.collect()) }.residual(&answer.r);
    assert!(residual.relative < 1e-11, "{residual:?}");
}

/// What is not a number is an error: a projection that finds it on neither side of its bounds must not call it stick.
#[test]
fn not_a_number_never_sticks() {
    let (s, rows, dims) = chain(3, 10.0, 0.01, true);
    let m = dims.len();
    let good = (vec![1.0, -2.0, 0.5], vec![0.0; m], vec![Bounds::symmetric(5.0); m]);
    let solve = |(p, u, bounds): &(Vec<f64>, Vec<f64>, Vec<Bounds>)| {
        let mut coupled = Coupled::new(&s, rows.clone(), &dims, 0.01, true).expect("definite");
        let mut answer = coupled.answer();
        coupled.solve(p, u, bounds, &mut answer).map(|()| answer)
    };
    assert!(solve(&good).expect("solves").residual < 1e-12);
    for bad in [f64::NAN, f64::INFINITY] {
        for k in 0..3 {
            let mut data = good.clone();
            data.0[k] = bad;
            assert!(solve(&data).is_err(), "momentum {k}");
        }
        for k in 0..m {
            let mut data = good.clone();
            data.1[k] = bad;
            assert!(solve(&data).is_err(), "slip {k}");
        }
    }
    for k in 0..m {
        let mut data = good.clone();
        data.2[k] = Bounds::symmetric(f64::NAN);
        assert!(matches!(solve(&data), Err(SolveError::NotFinite)), "bound {k}");
    }
}

/// As many contacts as are solved with dense matrices, more than half of them beyond the 32nd.
#[test]
fn forty_eight_contacts_agree_with_newton() {
    let (n, h) = (48, 0.01);
    let s = Symmetric { diagonal: vec![1.0; n], below: (1..n).map(|i| (i, i - 1, -0.1)).collect() };
    let mut rows = Rows::default();
    (0..n).for_each(|i| rows.push([(i, 1.0)]));
    let mut coupled = Coupled::new(&s, rows, &vec![1; n], h, false).expect("definite");
    assert!(coupled.few.is_some());
    let p: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { 1.0 } else { 0.01 }).collect();
    let bounds = vec![Bounds::symmetric(20.0); n];
    compare(&mut coupled, &p, &vec![0.0; n], &bounds, false).expect("agrees");
}

/// Two belts that differ by next to nothing pull at a body with forces that cancel: the weaker one slips at its bound, however slowly.
#[test]
fn belts_of_almost_one_speed_pull_with_all_they_have() {
    let (mass, h, strong, weak) = (0.39, 5e-4, 4.54, 1.296);
    let influence = h / mass;
    for [x, y] in [[1.0, 0.0], [0.6, -0.8]] {
        for size in [3.6e-14, 1e-13, 1e-11, 1e-9, 1e-6] {
            let s = Symmetric { diagonal: vec![mass; 2], below: Vec::new() };
            let mut rows = Rows::default();
            (0..2).for_each(|_| (0..2).for_each(|axis| rows.push([(axis, 1.0)])));
            let mut coupled = Coupled::new(&s, rows, &[2, 2], h, true).expect("definite");
            let mut answer = coupled.answer();
            let u = [-size * x, -size * y, 0.0, 0.0];
            let bounds = [Bounds::symmetric(strong), Bounds::symmetric(weak)];
            coupled.solve(&[0.0, 0.0], &u, &bounds, &mut answer).expect("solves");
            assert_eq!(answer.modes, [Mode::Stick, Mode::Sliding], "{size:e}");
            // The body goes with the stronger belt, which takes the rest of its force. Slips are known to the rounding of what the
            // forces do to them, and with them the direction of the force that slips.
            let (rounding, held) = (1e-12 * influence * weak, weak + size / influence);
            let expected = [held * x, held * y, -weak * x, -weak * y];
            for (r, expected) in answer.r.iter().zip(expected) {
                assert!((r - expected).abs() <= weak * (rounding / size + 1e-12), "{size:e} {answer:?}");
            }
            assert!((answer.s[2] - size * x).abs() <= rounding && (answer.s[3] - size * y).abs() <= rounding);
            assert_eq!(answer.s[..2], [0.0; 2]);
        }
    }
}

/// The same at each of thirty bodies of a chain, the belts of each faster than those of the one before.
#[test]
fn belts_of_almost_one_speed_under_many_bodies() {
    let (n, h) = (30, 1e-3);
    let s = Symmetric { diagonal: vec![1.0; n], below: (1..n).map(|i| (i, i - 1, -0.1)).collect() };
    let mut rows = Rows::default();
    (0..n).for_each(|i| (0..2).for_each(|_| rows.push([(i, 1.0)])));
    let mut coupled = Coupled::new(&s, rows, &vec![1; 2 * n], h, true).expect("definite");
    assert!(coupled.few.is_none());
    let mut answer = coupled.answer();
    let u: Vec<f64> = (0..2 * n).map(|k| if k % 2 == 0 { -1e-12 * (1 + k / 2) as f64 } else { 0.0 }).collect();
    let bounds: Vec<Bounds> = (0..2 * n).map(|k| Bounds::symmetric([5.0, 2.0][k % 2])).collect();
    coupled.solve(&vec![0.0; n], &u, &bounds, &mut answer).expect("solves");
    for i in 0..n {
        assert_eq!(answer.modes[2 * i..2 * i + 2], [Mode::Stick, Mode::Forward], "{i}");
        assert!((answer.s[2 * i + 1] + u[2 * i]).abs() <= 1e-14, "{i} {:e}", answer.s[2 * i + 1]);
        assert!((answer.r[2 * i + 1] + 2.0).abs() <= 1e-9, "{i} {:e}", answer.r[2 * i + 1]);
    }
}

/// The general solver by itself: two disks on one body.
#[test]
fn the_general_solver_finds_forces_that_pull_at_each_other() {
    let disk = |a: f64| Law::Disk(Disk::new(a).expect("≥ 0"));
    let w = Matrix::from_fn(4, 4, |i, j| if i % 2 == j % 2 { 1.28e-3 } else { 0.0 });
    for size in [3.6e-14, 1e-11, 1e-6] {
        let problem = Problem { w: &w, b: &[-size, 0.0, 0.0, 0.0], c: &Product::new(vec![disk(4.54), disk(1.296)]) };
        let solution = solve(&problem, &[0.0; 4], &Settings::default()).expect("solves");
        assert_eq!(solution.states, [State::Stick, State::Slip([1.0, 0.0])], "{size:e}");
        assert!((solution.r[2] + 1.296).abs() <= 1e-12, "{size:e} {solution:?}");
        assert!((solution.s[2] - size).abs() <= 1e-15 && solution.residual.relative <= 1e-12, "{size:e} {solution:?}");
    }
    // Three: the weakest gives way first, then the next.
    let w = Matrix::from_fn(6, 6, |i, j| if i % 2 == j % 2 { 1.28e-3 } else { 0.0 });
    for size in [1e-13, 1e-11, 1e-8] {
        let (b, c) = ([-2.0 * size, 0.0, -size, 0.0, 0.0, 0.0], Product::new([5.0, 3.0, 1.0].map(disk).to_vec()));
        let problem = Problem { w: &w, b: &b, c: &c };
        let solution = solve(&problem, &[0.0; 6], &Settings::default()).expect("solves");
        // Not after a long search: each way out leads to the next.
        assert_eq!(solution.method, Method::Splitting(1), "{size:e} {solution:?}");
        // A slip of 1e-13 m/s is turned by the rounding of forces of some N times W.
        let along = |state: &State| matches!(state, State::Slip([x, y]) if *x > 0.0 && y.abs() <= 1e-19 / size);
        let [stick, slip @ ..] = &solution.states[..] else { panic!("three") };
        assert!(*stick == State::Stick && slip.iter().all(along), "{size:e} {solution:?}");
        assert!((solution.r[2] + 3.0).abs().max((solution.r[4] + 1.0).abs()) <= 5e-12, "{size:e} {solution:?}");
        let slow = (solution.s[2] - size).abs().max((solution.s[4] - 2.0 * size).abs());
        assert!(slow <= 1e-15 && solution.residual.relative <= 1e-12, "{size:e} {solution:?}");
    }
}

/// Three of them, of which two give way one after the other: the first no longer stands in the way of the second.
#[test]
fn the_stronger_of_three_belts_holds_the_body() {
    let (mass, h) = (0.39, 5e-4);
    for (dim, [x, y]) in [(1, [1.0, 0.0]), (2, [1.0, 0.0]), (2, [0.6, -0.8])] {
        for size in [1e-13, 1e-11, 1e-8] {
            let s = Symmetric { diagonal: vec![mass; dim], below: Vec::new() };
            let mut rows = Rows::default();
            (0..3).for_each(|_| (0..dim).for_each(|axis| rows.push([(axis, 1.0)])));
            let coupled = Coupled::new(&s, rows, &[dim; 3], h, true).expect("definite");
            let u: Vec<f64> =
                [2.0, 1.0, 0.0].iter().flat_map(|k| [x, y].map(|e| -k * size * e).into_iter().take(dim)).collect();
            let bounds = [5.0, 3.0, 1.0].map(Bounds::symmetric);
            for only_newton in [false, true] {
                let mut coupled = coupled.clone();
                if only_newton {
                    coupled.few = None;
                }
                let mut answer = coupled.answer();
                coupled.solve(&vec![0.0; dim], &u, &bounds, &mut answer).expect("solves");
                let slips = if dim == 1 { Mode::Forward } else { Mode::Sliding };
                assert_eq!(answer.modes, [Mode::Stick, slips, slips], "{size:e} {answer:?}");
                let held = 4.0 + 2.0 * size * mass / h;
                // On a line to the tolerance; in a plane as well as the slips are known, which turn the forces.
                let known = 5e-12 * if dim == 1 { 1.0 } else { 1.0 + 5.0 * h / mass / size };
                for (k, r) in answer.r.iter().enumerate() {
                    let expected = [held, -3.0, -1.0][k / dim] * [x, y][k % dim];
                    assert!((r - expected).abs() <= known, "{size:e} {only_newton} {answer:?}");
                }
            }
        }
    }
}

/// Up to five belts under each of up to four bodies, on lines and in planes, with speeds that differ by next to nothing: all is rounding beside
/// what the forces do, and each problem has its solution.
#[test]
fn belts_of_many_speeds() {
    let mut stream = SplitMix64(7);
    let mut random = || stream.unit();
    for case in 0..400 {
        let (n, dim) = (1 + (random() * 4.0) as usize, 1 + (random() * 2.0) as usize);
        let size = 10.0_f64.powf(-14.0 + 8.0 * random());
        let s = Symmetric {
            diagonal: (0..n * dim).map(|_| 0.2 + random()).collect(),
            below: (dim..n * dim).map(|i| (i, i - dim, -0.05 * random())).collect(),
        };
        let (mut rows, mut u, mut bounds) = (Rows::default(), Vec::new(), Vec::new());
        for body in 0..n {
            let (belts, alike, angle) = (1 + (random() * 5.0) as usize, random() < 0.3, 6.3 * random());
            for _ in 0..belts {
                let angle: f64 = if alike { angle } else { 6.3 * random() };
                let way = if dim == 1 { [1.0, 0.0] } else { [angle.cos(), angle.sin()] };
                // Some of them equal.
                let speed = 6.0 * random() - 3.0;
                let speed = size * if random() < 0.5 { speed.round() } else { speed };
                (0..dim).for_each(|axis| rows.push([(body * dim + axis, 1.0)]));
                u.extend(way.iter().take(dim).map(|w| speed * w));
                let bound = 5.0 * random();
                bounds.push(Bounds::symmetric(if random() < 0.3 { bound.ceil() } else { bound }));
            }
        }
        let p: Vec<f64> = (0..n * dim).map(|_| if random() < 0.5 { 0.0 } else { size * random() }).collect();
        let mut coupled = Coupled::new(&s, rows, &vec![dim; bounds.len()], 5e-4, true).expect("definite");
        let mut answer = coupled.answer();
        if let Err(error) = coupled.solve(&p, &u, &bounds, &mut answer) {
            panic!("{case}, {} contacts, {size:e}: {error}", bounds.len());
        }
        let (w, b, c) = parts(&mut coupled, &p, &u, &bounds);
        let residual = Problem { w: &w, b: &b, c: &c }.residual(&answer.r).relative;
        // Forces cancel: that much is let through, and told.
        assert!(residual <= 1e-10, "{case}, {} contacts, {size:e}: {residual:e}", bounds.len());
    }
}
