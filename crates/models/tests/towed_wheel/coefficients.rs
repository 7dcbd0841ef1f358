//! Coefficients, growth rates, bad data.

use super::*;
use stickslip_models::towed_wheel::TowedWheelError;

#[test]
fn coefficients_are_those_of_the_thin_disc() {
    for p in [p1(), p3()] {
        let c = *wheel(p).coefficients();
        let (mw, mb, r2, l2) = (p.wheel_mass, p.bar_mass, p.radius * p.radius, p.length * p.length);
        let m = mw + mb;
        let q = mb * mb * l2 + 4.0 * mb * mw * l2 + 3.0 * mw * r2 * m;
        let d = 4.0 * mb * l2 + 3.0 * mw * r2;
        let expected = [
            (c.b1, 6.0 * m * l2 * (mb + 2.0 * mw) / q),
            (c.b2, 6.0 * m * l2 * mb / q),
            (c.b3, 2.0 * m / mw),
            (c.b4, m * (3.0 * mw * r2 - 2.0 * mb * l2) / q),
            (c.b5, m * d / q),
            (c.a1, 12.0 * m * l2 / d),
            (c.a2, 6.0 * mb * l2 / d),
            (c.a1, c.b1 + c.b2 * c.b4 / c.b5),
            (c.a2, c.b2 / c.b5),
        ];
        for (k, (got, expected)) in expected.into_iter().enumerate() {
            assert!((got - expected).abs() <= 1e-14 * (1.0 + expected.abs()), "{k}: {got} {expected}");
        }
    }
}

#[test]
fn coefficients_and_growth_are_those_of_the_reference() {
    for row in reference("summary.csv") {
        let p = match row[0].as_str() {
            "P1" => p1(),
            "P2" => p2(),
            _ => p3(),
        };
        let c = *wheel(p).coefficients();
        for (k, got) in [(8, c.a1), (9, c.a2), (10, c.b1), (11, c.b2), (12, c.b3), (13, c.b4), (14, c.b5)] {
            assert!((got - number(&row[k])).abs() <= 0.51e-6, "{} column {k}: {got}", row[0]);
        }
        assert!((c.growth() - number(&row[15])).abs() <= 0.51e-5, "{} {}", row[0], c.growth());
        assert!((c.period() - number(&row[16])).abs() <= 0.51e-6);
    }
}

#[test]
fn growth_is_a_root_of_the_cubic() {
    // The real part g of a complex pair obeys the resolvent cubic 8g³ + 8c2 g² + 2(c2² + c1) g + c1 c2 − c0 = 0.
    for p in [p1(), p3(), Parameters { length: 0.12, bar_mass: 16.0, ..p1() }, Parameters { speed: 40.0, ..p3() }] {
        let c = *wheel(p).coefficients();
        let ([c2, c1, c0], g) = (c.cubic(), c.growth());
        let left = 8.0 * g.powi(3) + 8.0 * c2 * g * g + 2.0 * (c2 * c2 + c1) * g + c1 * c2 - c0;
        let size = 8.0 * g.abs().powi(3) + 8.0 * c2 * g * g + 2.0 * (c2 * c2 + c1) * g.abs() + c1 * c2 + c0;
        assert!(left.abs() <= 1e-12 * size, "{left:e} of {size:e}");
        // Stable if and only if A2 > 1.
        assert_eq!(g < 0.0, c.a2 > 1.0);
    }
    // Standing still: nothing grows.
    assert!(wheel(Parameters { speed: 0.0, ..p1() }).coefficients().growth().abs() < 1e-12);
}

#[test]
fn rings_and_measured_wheels() {
    let given = |axle, vertical| Parameters { inertia: Inertia::Given { axle, vertical }, ..p1() };
    let ring = Parameters { inertia: Inertia::Ring, ..p1() };
    for (a, b) in [(given(0.2, 0.1), p1()), (given(0.4, 0.2), ring)] {
        let (a, b) = (*wheel(a).coefficients(), *wheel(b).coefficients());
        let pairs = [(a.b1, b.b1), (a.b2, b.b2), (a.b3, b.b3), (a.b4, b.b4), (a.b5, b.b5), (a.a1, b.a1), (a.a2, b.a2)];
        assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-14), "{pairs:?}");
    }
    assert!((wheel(ring).coefficients().b3 - 1.8).abs() < 1e-14);
}

#[test]
fn what_is_no_towed_wheel() {
    let refused = |p: Parameters| TowedWheel::new(p).expect_err("no towed wheel");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let cases = [
            Parameters { wheel_mass: bad, ..p1() },
            Parameters { bar_mass: bad, ..p1() },
            Parameters { radius: bad, ..p1() },
            Parameters { length: bad, ..p1() },
            Parameters { stiffness: bad, ..p1() },
            Parameters { inertia: Inertia::Given { axle: bad, vertical: 0.1 }, ..p1() },
            Parameters { inertia: Inertia::Given { axle: 0.1, vertical: bad }, ..p1() },
        ];
        for case in cases {
            assert!(refused(case).to_string().contains("must be a finite number > 0"), "{case:?}");
        }
    }
    assert!(matches!(refused(Parameters { friction: -1.0, ..p1() }), TowedWheelError::Parameter { .. }));
    assert!(refused(Parameters { speed: -5.0, ..p1() }).to_string().contains("pushed"));
    assert!(refused(Parameters { speed: f64::NAN, ..p1() }).to_string().contains("finite"));
    let inertia = |axle, vertical| Parameters { inertia: Inertia::Given { axle, vertical }, ..p1() };
    assert!(matches!(refused(inertia(0.41, 0.4)), TowedWheelError::TooMuchInertia { .. }));
    assert!(matches!(refused(inertia(0.2, 0.09)), TowedWheelError::NoBody { .. }));
    let start = Start { w: f64::NAN, ..Start::default() };
    assert!(refused(Parameters { start, ..p1() }).to_string().contains("displacement"));
    let apart = Parameters { wheel_mass: 1e-300, bar_mass: 1e-300, ..p1() };
    assert!(matches!(refused(apart), TowedWheelError::Degenerate { .. }));
}
