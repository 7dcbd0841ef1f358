//! Every set against the definition of a projection: Proj(x) ∈ C and (x − Proj x)·(c − Proj x) ≤ 0 for
//! all c ∈ C; derivatives against differences; support functions against sampled points.

use super::*;
use proptest::prelude::*;

fn any_law() -> impl Strategy<Value = Law> {
    let size = prop_oneof![Just(0.0), 1e-3..1e3_f64];
    prop_oneof![
        (size.clone(), size.clone()).prop_map(|(a, b)| Law::Interval(Interval::new(-a, b).expect("ordered"))),
        Just(Law::HalfLine(HalfLine)),
        size.prop_map(|a| Law::Disk(Disk::new(a).expect("≥ 0"))),
        (0.0..2.0_f64).prop_map(|mu| Law::Cone(Cone::new(mu).expect("≥ 0"))),
    ]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn projected(law: &Law, x: &[f64]) -> Vec<f64> {
    let mut p = x[..law.dim()].to_vec();
    law.project(&mut p);
    p
}

proptest! {
    #[test]
    fn projection_is_the_nearest_point(law in any_law(), x in prop::array::uniform3(-1e3..1e3_f64), y in prop::array::uniform3(-1e3..1e3_f64)) {
        let p = projected(&law, &x);
        prop_assert!(law.contains(&p));
        let c = projected(&law, &y);
        let out: Vec<f64> = x.iter().zip(&p).map(|(a, b)| a - b).collect();
        let across: Vec<f64> = c.iter().zip(&p).map(|(a, b)| a - b).collect();
        // The largest product of two such vectors is 1e7; rounding leaves 1e-9 of it at the most.
        prop_assert!(dot(&out, &across) <= 1e-8);
        prop_assert_eq!(projected(&law, &p).iter().zip(&p).all(|(a, b)| (a - b).abs() <= 1e-12 * (1.0 + b.abs())), true);
    }

    #[test]
    fn derivative_is_the_slope_of_the_projection(law in any_law(), x in prop::array::uniform3(-1e3..1e3_f64), d in prop::array::uniform3(-1.0..1.0_f64)) {
        let n = law.dim();
        let step = 1e-5;
        let shifted = |k: f64| -> Vec<f64> { x[..n].iter().zip(&d).map(|(a, b)| a + k * step * b).collect() };
        // Only where the piece of the projection is the same on both sides and the curvature is mild.
        let kind = |s: State| std::mem::discriminant(&s);
        let states = [law.state(&shifted(-100.0)), law.state(&x[..n]), law.state(&shifted(100.0))];
        prop_assume!(states.iter().all(|s| kind(*s) == kind(states[0])));
        prop_assume!(n == 1 || x[n - 2].hypot(x[n - 1]) > 1.0);
        let mut jacobian = vec![0.0; n * n];
        law.derivative(&x[..n], &mut jacobian);
        let (before, after) = (projected(&law, &shifted(-1.0)), projected(&law, &shifted(1.0)));
        for i in 0..n {
            let slope = (after[i] - before[i]) / (2.0 * step);
            let expected = dot(&jacobian[i * n..(i + 1) * n], &d[..n]);
            prop_assert!((slope - expected).abs() <= 1e-6, "{law:?} {slope} {expected}");
        }
    }

    #[test]
    fn the_way_out_ends_at_the_edge(law in any_law(), x in prop::array::uniform3(-1e3..1e3_f64), d in prop::array::uniform3(-1.0..1.0_f64)) {
        let (n, r) = (law.dim(), projected(&law, &x));
        let at = |t: f64| -> Vec<f64> { r.iter().zip(&d).map(|(r, d)| r + t * d).collect() };
        let outside = |x: &[f64]| projected(&law, x).iter().zip(x).fold(0.0_f64, |m, (p, x)| m.max((p - x).abs()));
        let way = law.way_out(&r, &d[..n]);
        prop_assert!(way >= 0.0);
        if way.is_infinite() {
            prop_assert!(outside(&at(1e3)) <= 1e-9 && outside(&at(1e6)) <= 1e-6);
        } else {
            prop_assert!(outside(&at(way)) <= 1e-9 && outside(&at(0.5 * way)) <= 1e-9, "{law:?} {r:?} {way}");
            prop_assume!(dot(&d[..n], &d[..n]) > 1e-6);
            prop_assert!(!law.contains(&at(way + 0.1 + 1e-6 * way)), "{law:?} {r:?} {way}");
        }
    }

    #[test]
    fn support_bounds_every_point_and_is_attained(law in any_law(), d in prop::array::uniform3(-1.0..1.0_f64), y in prop::array::uniform3(-1e3..1e3_f64)) {
        let n = law.dim();
        let support = law.support(&d[..n]);
        prop_assert!(dot(&projected(&law, &y), &d[..n]) <= support + 1e-9);
        if support.is_finite() {
            // Going far along d from inside, the projection tends to the farthest point.
            let far: Vec<f64> = d[..n].iter().map(|v| v * 1e9).collect();
            prop_assert!(dot(&projected(&law, &far), &d[..n]) >= support - 1e-5 * (1.0 + support));
        }
    }

    #[test]
    fn state_tells_the_law(law in any_law(), x in prop::array::uniform3(-1e3..1e3_f64)) {
        // x = r − s with r = Proj x, so s = r − x: stick has s = 0 exactly, open has r = 0 exactly.
        let n = law.dim();
        let r = projected(&law, &x);
        let s: Vec<f64> = r.iter().zip(&x).map(|(r, x)| r - x).collect();
        match law.state(&x[..n]) {
            State::Stick => prop_assert!(s.iter().all(|s| *s == 0.0)),
            State::Open => prop_assert!(r.iter().all(|r| *r == 0.0) && s[0] >= 0.0),
            State::Slip(direction) => {
                let t = if n == 3 { &s[1..] } else { &s[..] };
                prop_assert!(dot(t, &direction[..t.len()]) >= (1.0 - 1e-12) * dot(t, t).sqrt());
            }
        }
    }
}

#[test]
fn bad_bounds_are_refused() {
    assert!(Interval::symmetric(-1.0).is_err());
    assert!(Interval::new(1.0, 0.0).is_err());
    assert!(Interval::new(f64::NAN, 0.0).is_err());
    assert!(Disk::new(f64::INFINITY).is_err());
    assert!(Cone::new(f64::NAN).is_err());
}

#[test]
fn names_of_states() {
    let interval = Interval::symmetric(2.0).expect("≥ 0");
    assert_eq!(interval.state(&[3.0]).name(), "slip-");
    assert_eq!(interval.state(&[-3.0]).sign(), 1);
    assert_eq!(interval.state(&[2.0]).name(), "stick");
    assert_eq!(HalfLine.state(&[-1.0]).name(), "open");
}
