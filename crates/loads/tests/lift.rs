//! Which axles carry: the chart of E1, its boundaries, lift-off in closed form.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::cells;
use stickslip_loads::lift::{Sliding, SlidingContact, lifting_friction, overshoot, painleve_free, rear_lifts_at};
use stickslip_loads::transfer::{Branch, Memory, Select, Solution, choose};

const G: f64 = 9.81;

/// E1 at (μ, h): front locked, rear spinning with M2 = −50 N·m, or both locked.
fn e1(mu: f64, height: f64, both_locked: bool) -> Sliding {
    let contact = |place, direction, arm| SlidingContact { place, friction: mu, direction, arm };
    let rear = if both_locked { contact(-0.5, 1.0, height) } else { contact(-0.5, -1.0, height - 0.3) };
    Sliding {
        mass: 100.0,
        pitch_inertia: 60.0,
        gravity: G,
        motor: if both_locked { 0.0 } else { -50.0 },
        contacts: [contact(0.5, 1.0, height), rear],
    }
}

fn count(sliding: &Sliding, branch: Option<Branch>) -> usize {
    sliding.solutions().filter(|s| branch.is_none_or(|branch| s.branch == branch)).count()
}

#[test]
fn e1_has_three_solutions_with_indices() {
    let found: Vec<Solution<[f64; 2]>> = e1(0.9, 1.2, false).solutions().collect();
    let expected = [
        (Branch::Closed, [397.876404, 583.123596], -1),
        (Branch::RearLifted, [1818.064516, 0.0], 1),
        (Branch::FrontLifted, [0.0, 1378.876404], 1),
    ];
    assert_eq!(found.len(), 3);
    for (found, (branch, loads, index)) in found.iter().zip(expected) {
        assert_eq!((found.branch, found.index), (branch, index));
        assert!((0..2).all(|i| (found.place[i] - loads[i]).abs() < 5e-7), "{:?}", found.place);
    }
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let start = Memory { last: None, unique: [490.5, 490.5] };
    let chosen = |select, memory: &Memory<[f64; 2]>| {
        let choice = choose(&found, select, memory, distance).unwrap();
        (found[choice.which].branch, choice.unstable)
    };
    assert_eq!(chosen(Select::Nearest, &start), (Branch::FrontLifted, false), "nearest of the stable ones");
    assert_eq!(chosen(Select::Rear, &start), (Branch::RearLifted, false));
    assert_eq!(chosen(Select::Both, &start), (Branch::Closed, true));
    let on_branch = Memory { last: Some(found[1]), ..start };
    assert_eq!(chosen(Select::Nearest, &on_branch), (Branch::RearLifted, false), "the branch it is on");
    let ended = Memory { last: Some(Solution { branch: Branch::Airborne, ..found[1] }), ..start };
    assert_eq!(chosen(Select::Nearest, &ended), (Branch::FrontLifted, false));
}

#[test]
fn the_chart_of_e1() {
    let text = include_str!("../../../reference/loads/e1-chart.csv");
    let heights: Vec<f64> = text.lines().next().unwrap().split(',').skip(1).map(|h| h.parse().unwrap()).collect();
    let mut counts = [0; 4];
    for row in cells(text) {
        let mu: f64 = row[0].parse().unwrap();
        for (height, cell) in heights.iter().zip(&row[1..]) {
            let expected: usize = cell.parse().unwrap();
            let found = count(&e1(mu, *height, false), None);
            // A point on a boundary may count either way.
            let near = [-1e-6, 1e-6].map(|d| count(&e1(mu, height + d, false), None));
            assert!(found == expected || near.contains(&expected), "μ = {mu}, h = {height}: {found} {expected}");
            counts[expected] += 1;
        }
    }
    assert_eq!(counts.iter().sum::<i32>(), 30 * 34);
    assert!(counts[1] > 0 && counts[2] > 0 && counts[3] > 0);
}

/// The height between two at which a property of the solutions changes.
fn boundary(mut low: f64, mut high: f64, property: impl Fn(f64) -> bool) -> f64 {
    let at_low = property(low);
    assert_ne!(at_low, property(high));
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if property(middle) == at_low { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn boundaries_of_the_chart_by_bisection() {
    let rows = cells(include_str!("../../../reference/loads/boundary-points.csv"));
    assert_eq!(rows.len(), 30);
    for row in rows {
        let (mu, expected): (f64, f64) = (row[1].parse().unwrap(), row[3].parse().unwrap());
        let locked = row[0] == "both locked";
        let has = |branch| move |h: f64| count(&e1(mu, h, locked), branch) > 0;
        let (low, high) = (expected - 0.05, expected + 0.05);
        let found = match row[2].split(':').next().unwrap().split(" solution").next().unwrap() {
            "rear-lifted" | "rear lifts from" => boundary(low, high, has(Some(Branch::RearLifted))),
            "front-lifted" => boundary(low, high, has(Some(Branch::FrontLifted))),
            "3 to 2" => boundary(low, high, |h| count(&e1(mu, h, locked), None) == 3),
            "2 to 1" => boundary(low, high, |h| count(&e1(mu, h, locked), None) == 2),
            "1 to 0" => boundary(low, high, |h| count(&e1(mu, h, locked), None) == 1),
            other => panic!("{other}"),
        };
        assert!((found - expected).abs() < 1e-6, "{row:?}: {found}");
    }
}

#[test]
fn none_beyond_a11_with_both_wheels_locked() {
    assert_eq!(count(&e1(0.9, 1.9, true), None), 0);
    assert_eq!(count(&e1(0.9, 1.88, true), None), 1);
    assert!(!painleve_free(100.0, 60.0, &e1(0.9, 1.9, true).contacts[0]));
    assert!(painleve_free(100.0, 60.0, &e1(0.9, 1.88, true).contacts[0]));
}

#[test]
fn lift_off_in_closed_form() {
    // Locked or massless wheels: bisection on the enumerated problem.
    let (a, height) = (0.72, 0.70);
    let lifts = |mu: f64, direction: f64, branch: Branch| {
        let contact = |place| SlidingContact { place, friction: mu, direction, arm: height };
        let sliding = Sliding {
            mass: 250.0,
            pitch_inertia: 45.0,
            gravity: G,
            motor: 0.0,
            contacts: [contact(a), contact(-0.73)],
        };
        count(&sliding, Some(branch)) > 0
    };
    let rear_lifts = |mu| lifts(mu, 1.0, Branch::RearLifted);
    assert!((boundary(0.8, 1.2, rear_lifts) - lifting_friction(a, height)).abs() < 1e-9);
    // Wheels that push forward lift the front: μh > b.
    let front_lifts = |mu| lifts(mu, -1.0, Branch::FrontLifted);
    assert!((boundary(0.8, 1.2, front_lifts) - lifting_friction(0.73, height)).abs() < 1e-9);
    // The front brake of the motorcycle rises with 4500 N·m/s from 0.1 s on: the rear lifts at 0.27070508 s.
    let torque = rear_lifts_at(250.0, G, a, height, 0.3, 0.6 / 0.09);
    assert!((0.1 + torque / 4500.0 - 0.270705084746).abs() < 1e-11);
}

#[test]
fn springs_hand_on_more_than_the_lasting_moment() {
    for (ratio, expected) in [(0.0, 2.0), (0.1, 1.744079398), (0.3, 1.450975453), (0.7, 1.210284564)] {
        assert!((overshoot(ratio) - expected).abs() < 1e-9);
    }
    assert!((G * 0.72 / 0.70 / overshoot(0.3) - 6.954139503).abs() < 1e-9);
}
