//! The star against reference vectors, enumeration of all patterns and the single wheel.

use proptest::prelude::*;
use stickslip_core::inclusion::star::{Answer, Load};
use stickslip_core::inclusion::{NineRegions, Star};

/// A problem that owns its data.
#[derive(Debug, Clone)]
struct Case {
    z0: f64,
    d0: f64,
    z: Vec<f64>,
    d: Vec<f64>,
    a_g: Vec<f64>,
    a_b: Vec<f64>,
}

impl Case {
    fn load(&self) -> Load<'_> {
        Load { z0: self.z0, a_0: 0.0, z: &self.z, a_g: &self.a_g, a_b: &self.a_b }
    }

    /// The solution, found from the answer of another problem.
    fn solve_from(&self, answer: &mut Answer) {
        Star::new(self.d0, self.d.clone()).solve(self.load(), answer);
    }

    fn solve(&self) -> Answer {
        let mut answer = Answer::new(self.z.len());
        self.solve_from(&mut answer);
        answer
    }

    fn mirrored(&self) -> Case {
        Case { z0: -self.z0, z: self.z.iter().map(|z| -z).collect(), ..self.clone() }
    }

    /// Size of the speeds that rounding has to do with.
    fn speed(&self) -> f64 {
        let greatest = (0..self.z.len()).fold(0.0_f64, |m, i| {
            m.max(self.z[i].abs() + self.d[i] * (self.a_g[i] + self.a_b[i]) + self.d0 * self.a_g[i])
        });
        self.z0.abs() + greatest
    }
}

fn wheel() -> impl Strategy<Value = [f64; 4]> {
    let bound = || prop_oneof![1 => Just(0.0), 1 => Just(1.0), 4 => 0.0..4.0_f64];
    (-6.0..6.0_f64, 0.02..0.3_f64, bound(), bound()).prop_map(|(p, d, a_g, a_b)| [p * d, d, a_g, a_b])
}

fn case(wheels: Vec<[f64; 4]>, p0: f64, d0: f64) -> Case {
    let column = |k: usize| wheels.iter().map(|w| w[k]).collect();
    Case { z0: p0 * d0, d0, z: column(0), d: column(1), a_g: column(2), a_b: column(3) }
}

#[test]
fn reference_vectors() {
    let text = include_str!("../../../reference/vehicle/resolvent-vectors.csv");
    let mut answers: Vec<Answer> = (0..17).map(Answer::new).collect();
    let mut lines = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |cell: &str| cell.parse::<f64>().expect("a number");
        let wheels: Vec<Vec<f64>> = cells[5..].iter().map(|cell| cell.split(';').map(number).collect()).collect();
        let column = |k: usize| wheels.iter().map(|w| w[k]).collect::<Vec<f64>>();
        let case = Case {
            z0: number(cells[1]),
            d0: number(cells[2]),
            z: column(0),
            d: column(1),
            a_g: column(2),
            a_b: column(3),
        };
        let n = case.z.len();
        assert_eq!(n as f64, number(cells[0]));
        // From whatever the line before has left.
        let y = &mut answers[n];
        case.solve_from(y);
        assert!((y.y1 - number(cells[3])).abs() <= 1e-12, "{line}");
        assert_eq!(y.y1 == 0.0, number(cells[3]) == 0.0);
        assert!((y.f.iter().sum::<f64>() - number(cells[4])).abs() <= 1e-12 * n as f64, "{line}");
        for (i, w) in wheels.iter().enumerate() {
            for (got, expected) in [(y.v[i], w[4]), (y.f[i], w[5]), (y.g[i], w[6])] {
                assert!((got - expected).abs() <= 1e-12, "{got} {expected} of wheel {i} in {line}");
            }
            assert_eq!(w[4] == 0.0, y.v[i] == 0.0);
        }
        lines += 1;
    }
    assert!(lines >= 8, "{lines}");
}

/// A pattern's solution and by how much it violates the laws; forces of wheels (0, 0) are free.
struct Pattern {
    violation: f64,
    y1: f64,
    v: Vec<f64>,
}

/// Solves the equations of a pattern: one pair (ε_G, ε_B) per wheel.
fn pattern(case: &Case, states: &[(i8, i8)]) -> Pattern {
    let Case { z0, d0, z, d, a_g, a_b } = case;
    let held = states.contains(&(0, 0));
    let (mut fixed, mut slope) = (0.0, 0.0);
    for (i, &(e, b)) in states.iter().enumerate() {
        match (e, b) {
            (0, 0) => {}
            (0, b) => {
                fixed += z[i] / d[i] - f64::from(b) * a_b[i];
                slope += 1.0 / d[i];
            }
            (e, _) => fixed += f64::from(e) * a_g[i],
        }
    }
    let y1 = if held { 0.0 } else { (z0 / d0 - fixed) / (1.0 / d0 + slope) };
    // A violation is a speed: forces count by the speed they make.
    let mut violation = 0.0_f64;
    let mut note = |amount: f64| violation = violation.max(amount);
    let (mut least, mut greatest) = (0.0, 0.0);
    let mut v = Vec::new();
    for (i, &(e, b)) in states.iter().enumerate() {
        let (e, b) = (f64::from(e), f64::from(b));
        let speed = match (e == 0.0, b == 0.0) {
            (true, true) => {
                let p = z[i] / d[i];
                let (lo, hi) = ((p - a_b[i]).max(-a_g[i]), (p + a_b[i]).min(a_g[i]));
                note((lo - hi) * d[i]);
                least += lo;
                greatest += hi;
                0.0
            }
            (true, false) => {
                let f = (z[i] + y1) / d[i] - b * a_b[i];
                note((f.abs() - a_g[i]) * d[i]);
                note(b * y1);
                -y1
            }
            (false, true) => {
                note(((z[i] / d[i] - e * a_g[i]).abs() - a_b[i]) * d[i]);
                note(-e * y1);
                0.0
            }
            (false, false) => {
                let speed = z[i] - d[i] * (e * a_g[i] + b * a_b[i]);
                note(-b * speed);
                note(-e * (y1 + speed));
                speed
            }
        };
        v.push(speed);
    }
    if held {
        let wanted = z0 / d0 - fixed;
        note((least - wanted) * d0);
        note((wanted - greatest) * d0);
    }
    Pattern { violation, y1, v }
}

/// The pattern that violates the laws least, of all 9ⁿ.
fn by_enumeration(case: &Case) -> Pattern {
    let n = case.z.len();
    let mut best: Option<Pattern> = None;
    for number in 0..9_usize.pow(n as u32) {
        let states: Vec<(i8, i8)> = (0..n)
            .map(|i| {
                let code = (number / 9_usize.pow(i as u32)) % 9;
                ((code / 3) as i8 - 1, (code % 3) as i8 - 1)
            })
            .collect();
        let found = pattern(case, &states);
        if best.as_ref().is_none_or(|b| found.violation < b.violation) {
            best = Some(found);
        }
    }
    best.expect("9ⁿ ≥ 1")
}

fn equals_enumeration(case: &Case) -> Result<(), TestCaseError> {
    let (found, y) = (by_enumeration(case), case.solve());
    prop_assert!(found.violation <= 1e-14, "{case:?}");
    prop_assert!((found.y1 - y.y1).abs() <= 1e-12, "{} {} {case:?}", found.y1, y.y1);
    for i in 0..case.z.len() {
        prop_assert!((found.v[i] - y.v[i]).abs() <= 1e-12, "wheel {i}: {} {} {case:?}", found.v[i], y.v[i]);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn up_to_three_wheels_equal_enumeration(
        wheels in prop::collection::vec(wheel(), 1..=3), p0 in -12.0..12.0_f64, d0 in 0.005..0.5_f64,
    ) {
        equals_enumeration(&case(wheels, p0, d0))?;
    }

    #[test]
    fn one_wheel_equals_the_nine_regions(
        w in wheel(), p0 in -6.0..6.0_f64, e in (-6.0..6.0_f64, -6.0..6.0_f64), speed in -1e3..1e3_f64,
    ) {
        let (d0, d) = (10_f64.powf(e.0), 10_f64.powf(e.1));
        // Slow, where the vehicle may rest, and at speed.
        for (z0, z) in [(p0 * d0, w[0] / w[1] * d), (speed, p0 * d - speed)] {
            let case = Case { z0, d0, z: vec![z], d: vec![d], a_g: vec![w[2]], a_b: vec![w[3]] };
            let (star, one) = (case.solve(), NineRegions::new(d0, d).solve(z0, z, w[2], w[3]));
            let slack = 1e-14 * case.speed();
            prop_assert!((star.y1 - one.y1).abs() <= slack && (star.v[0] - one.y2).abs() <= slack, "{star:?} {one:?}");
            prop_assert!((star.f[0] - one.f).abs() * (d0 + d) <= slack, "{star:?} {one:?}");
            prop_assert!((star.g[0] - one.g).abs() * d <= slack, "{star:?} {one:?}");
            prop_assert!(star.unique);
        }
    }

    #[test]
    fn mirrored_problems_have_mirrored_bits(
        wheels in prop::collection::vec(wheel(), 1..=40), p0 in -40.0..40.0_f64, d0 in 0.005..0.5_f64,
    ) {
        let one = case(wheels, p0, d0);
        let (a, b) = (one.solve(), one.mirrored().solve());
        prop_assert_eq!(a.y1, -b.y1);
        for i in 0..one.z.len() {
            prop_assert_eq!((a.v[i], a.slip[i], a.f[i], a.g[i]), (-b.v[i], -b.slip[i], -b.f[i], -b.g[i]));
            let mirrored = (-b.regions[i].ground(), -b.regions[i].brake());
            prop_assert_eq!((a.regions[i].ground(), a.regions[i].brake()), mirrored);
        }
        prop_assert_eq!((a.residual, a.unique), (b.residual, b.unique));
    }

    #[test]
    fn the_start_of_the_search_does_not_matter(
        wheels in prop::collection::vec(wheel(), 1..=40), others in prop::collection::vec(wheel(), 40),
        p0 in (-40.0..40.0_f64, -40.0..40.0_f64), d0 in 0.005..0.5_f64,
    ) {
        let other = case(others[..wheels.len()].to_vec(), p0.1, d0);
        let one = case(wheels, p0.0, d0);
        let cold = one.solve();
        let mut warm = other.solve();
        one.solve_from(&mut warm);
        prop_assert!((cold.y1 - warm.y1).abs() <= 1e-14 * one.speed());
        for i in 0..one.z.len() {
            prop_assert!((cold.v[i] - warm.v[i]).abs() <= 1e-14 * one.speed());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn four_wheels_equal_enumeration(
        wheels in prop::collection::vec(wheel(), 4), p0 in -16.0..16.0_f64, d0 in 0.005..0.5_f64,
    ) {
        equals_enumeration(&case(wheels, p0, d0))?;
    }
}

#[test]
fn locked_wheels_at_rest_share_by_one_theta() {
    // Four equal locked wheels: a quarter each; forces are not unique, and the answer says so.
    let four = case(vec![[0.0, 0.1, 2.0, 5.0]; 4], 6.0, 0.01);
    let y = four.solve();
    assert_eq!((y.y1, y.unique), (0.0, false));
    assert!(y.f.iter().all(|f| (f - 1.5).abs() <= 1e-15) && y.g.iter().all(|g| (g + 1.5).abs() <= 1e-15), "{y:?}");
    // Unequal bounds: in proportion to what each can hold.
    let two = case(vec![[0.0, 0.1, 1.0, 5.0], [0.0, 0.2, 3.0, 5.0]], 2.0, 0.01);
    let y = two.solve();
    assert!((y.f[0] - 0.5).abs() <= 1e-15 && (y.f[1] - 1.5).abs() <= 1e-15, "{y:?}");
    // One that holds beside free ones: unique.
    let one = case(vec![[0.0, 0.1, 2.0, 5.0], [0.0, 0.1, 2.0, 0.0]], 1.5, 0.01);
    let y = one.solve();
    assert_eq!((y.y1, y.unique, y.f[1]), (0.0, true, 0.0));
    assert!((y.f[0] - 1.5).abs() <= 1e-15);
    // At the very limit every force is at its bound, and there is no choice left.
    let limit = case(vec![[0.0, 0.1, 2.0, 5.0]; 4], 8.0, 0.0078125);
    let y = limit.solve();
    assert_eq!((y.y1, y.unique, y.f), (0.0, true, vec![2.0; 4]));
    // No wheel at all: a body on rolling resistance.
    let star = Star::new(0.5, Vec::new());
    let mut y = Answer::new(0);
    for (z0, y1, r) in [(0.25, 0.0, 0.5), (2.0, 1.5, 1.0), (-2.0, -1.5, -1.0)] {
        star.solve(Load { z0, a_0: 1.0, z: &[], a_g: &[], a_b: &[] }, &mut y);
        assert_eq!((y.y1, y.r, y.unique), (y1, r, true));
    }
}
