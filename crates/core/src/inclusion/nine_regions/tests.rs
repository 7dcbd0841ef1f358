//! The three clamps against the region table of docs/wheel.md 3, written out as it stands there.

use super::*;
use proptest::prelude::*;

/// The table: every region whose conditions hold within `slack` (a force), with its answer.
fn table(z1: f64, z2: f64, d1: f64, d2: f64, a_g: f64, a_b: f64, slack: f64) -> Vec<(u8, [f64; 4])> {
    let (p, r, s) = (z1 / d1, z2 / d2, z1 + z2);
    let sum = d1 + d2;
    let mut found = Vec::new();
    if p.abs() <= a_g + slack && (r - p).abs() <= a_b + slack {
        found.push((0, [0.0, 0.0, p, r - p]));
    }
    for (number, e) in [(1, 1.0), (5, -1.0)] {
        if e * p > a_g - slack && (r - e * a_g).abs() <= a_b + slack {
            found.push((number, [z1 - d1 * e * a_g, 0.0, e * a_g, r - e * a_g]));
        }
    }
    for (number, b) in [(3, 1.0), (7, -1.0)] {
        if b * (r - p) > a_b - slack && (s - b * d2 * a_b).abs() <= sum * (a_g + slack) {
            let f = (s - b * d2 * a_b) / sum;
            let y2 = z2 - d2 * (f + b * a_b);
            found.push((number, [-y2, y2, f, b * a_b]));
        }
    }
    for (number, e, b) in [(2, 1.0, 1.0), (4, -1.0, 1.0), (6, -1.0, -1.0), (8, 1.0, -1.0)] {
        if e * (s - b * d2 * a_b) > sum * (a_g - slack) && b * (r - e * a_g) > a_b - slack {
            found.push((number, [z1 - d1 * e * a_g, z2 - d2 * (e * a_g + b * a_b), e * a_g, b * a_b]));
        }
    }
    found
}

fn agree(z1: f64, z2: f64, d1: f64, d2: f64, a_g: f64, a_b: f64) -> Result<(), String> {
    let answer = NineRegions::new(d1, d2).solve(z1, z2, a_g, a_b);
    // Forces are known to the rounding of p and r, speeds to that of z and of d times the forces.
    let force = (z1 / d1).abs() + (z2 / d2).abs() + a_g + a_b;
    let speed = z1.abs() + z2.abs() + (d1 + d2) * (a_g + a_b);
    let candidates = table(z1, z2, d1, d2, a_g, a_b, 1e-14 * force);
    let matches = candidates.iter().any(|(number, y)| {
        *number == answer.region.number()
            && (y[0] - answer.y1).abs() <= 1e-13 * speed
            && (y[1] - answer.y2).abs() <= 1e-13 * speed
            && (y[2] - answer.f).abs() <= 1e-13 * force
            && (y[3] - answer.g).abs() <= 1e-13 * force
    });
    if matches { Ok(()) } else { Err(format!("{answer:?} is not among {candidates:?}")) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn three_clamps_equal_the_region_table(
        p in -6.0..6.0_f64, r in -9.0..9.0_f64,
        masses in (-6.0..6.0_f64, -6.0..6.0_f64),
        bounds in (prop_oneof![Just(0.0), 0.0..5.0_f64], prop_oneof![Just(0.0), 0.0..5.0_f64]),
    ) {
        let (d1, d2) = (10_f64.powf(masses.0), 10_f64.powf(masses.1));
        prop_assert_eq!(agree(p * d1, r * d2, d1, d2, bounds.0, bounds.1), Ok(()));
    }
}

#[test]
fn corners_and_edges_belong_to_a_region_that_touches_them() {
    // d1, d2 powers of two: the corners (e d1 a_G, d2 (e a_G + b a_B)) are exact numbers.
    let (d1, d2, a_g, a_b) = (0.125, 0.5, 3.0, 2.0);
    for e in [-1.0, 1.0] {
        for b in [-1.0, 1.0] {
            let corner = (e * d1 * a_g, d2 * (e * a_g + b * a_b));
            agree(corner.0, corner.1, d1, d2, a_g, a_b).expect("corner");
            let y = NineRegions::new(d1, d2).solve(corner.0, corner.1, a_g, a_b);
            assert_eq!((y.y1, y.y2, y.region.number()), (0.0, 0.0, 0));
            // Along each of the half-lines that start in the corner.
            for k in 1..50 {
                let k = f64::from(k) * 0.25;
                agree(corner.0 + e * k, corner.1, d1, d2, a_g, a_b).expect("edge to region 1 or 5");
                agree(corner.0 - b * k, corner.1 + b * k, d1, d2, a_g, a_b).expect("edge to region 3 or 7");
            }
        }
    }
}

#[test]
fn the_parallelogram_of_rest_is_exact() {
    let solver = NineRegions::new(0.01, 0.25);
    for i in -20..=20_i32 {
        let (p, q) = (0.15 * f64::from(i), 0.1 * f64::from(20 - i.abs()));
        let y = solver.solve(0.01 * p, 0.25 * (p + q), 3.0, 2.0);
        if p.abs() < 3.0 {
            assert_eq!((y.y1, y.y2), (0.0, 0.0), "p = {p}");
        }
    }
}

#[test]
fn numbers_follow_the_sources() {
    let expected = [(0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    for (number, (ground, brake)) in expected.into_iter().enumerate() {
        let region = Region::new(ground, brake);
        assert_eq!(usize::from(region.number()), number);
        assert_eq!((region.ground(), region.brake()), (ground, brake));
    }
}

/// Not a number in, not a number out: it must not become rest with a clean residual.
#[test]
fn not_a_number_stays_one() {
    let solver = NineRegions::new(0.01, 0.02);
    for (z1, z2) in [(f64::NAN, 0.0), (0.0, f64::NAN), (f64::NAN, 9.0), (9.0, f64::NAN), (-9.0, f64::NAN)] {
        for (a_g, a_b) in [(1.0, 1.0), (100.0, 0.0), (0.0, 100.0), (1e6, 1e6)] {
            let answer = solver.solve(z1, z2, a_g, a_b);
            assert!(answer.residual.is_nan(), "{z1} {z2} {a_g} {a_b}: {answer:?}");
            // A tally of powers keeps it, whatever the next step finds.
            assert!((answer.f * answer.slip + answer.g * answer.y2).is_nan(), "{z1} {z2} {a_g} {a_b}: {answer:?}");
        }
    }
}
