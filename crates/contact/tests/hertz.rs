//! Hertz contact against closed forms, an independent quadrature and its own symmetries.

use proptest::prelude::*;
use stickslip_contact::elliptic::{rd, rf};
use stickslip_contact::hertz::{Ellipse, HertzError, Radii, Strip};
use stickslip_contact::material::Material;

fn steel() -> Material {
    Material::from_young(210e9, 0.3).expect("valid")
}

/// ∫₀^{π/2} f(θ) dθ by the trapezium rule, exponentially accurate for smooth functions of sin² and cos².
fn quadrature(f: impl Fn(f64, f64) -> f64) -> f64 {
    let n = 4000;
    let step = std::f64::consts::FRAC_PI_2 / f64::from(n);
    let at = |i: i32| {
        let (s, c) = (f64::from(i) * step).sin_cos();
        f(s * s, c * c)
    };
    step * (0.5 * (at(0) + at(n)) + (1..n).map(at).sum::<f64>())
}

#[test]
fn elliptic_integrals_equal_quadrature() {
    for ratio in [1.0, 0.999_999, 0.9, 0.5, 0.1, 0.01, 2.0, 50.0_f64] {
        let square = ratio * ratio;
        let (f, d) = (rf(1.0, square), rd(1.0, square));
        let f2 = quadrature(|s, c| 1.0 / (c + square * s).sqrt());
        let d2 = 3.0 * quadrature(|s, c| s / ((c + square * s) * (c + square * s).sqrt()));
        assert!((f / f2 - 1.0).abs() < 1e-13, "R_F {ratio}: {f} {f2}");
        assert!((d / d2 - 1.0).abs() < 1e-13, "R_D {ratio}: {d} {d2}");
    }
    let pi = std::f64::consts::PI;
    assert!((rf(4.0, 4.0) - pi / 4.0).abs() < 1e-15);
    assert!((rd(1.0, 1.0) - 0.75 * pi).abs() < 1e-14);
}

#[test]
fn legendres_relation_holds() {
    // K E' + K' E − K K' = π/2.
    for k in [0.9_f64, 0.3, 1e-3] {
        let c = k * k;
        // Perimeter integral: E(1−c) = ∫√(cos² + c sin²) = (c/3)(R_D(0,c,1) + R_D(0,1,c)).
        let full = |c: f64| c / 3.0 * (rd(c, 1.0) + rd(1.0, c));
        let (kk, ke) = (rf(1.0, c), full(c));
        let complement = 1.0 - c;
        let (pk, pe) = (rf(1.0, complement), full(complement));
        let relation = kk * pe + pk * ke - kk * pk;
        assert!((relation - std::f64::consts::FRAC_PI_2).abs() < 1e-13, "{k}: {relation}");
    }
}

#[test]
fn the_42_kn_wheel() {
    let radii = Radii { x: 0.46, y: 0.30 };
    let e = Ellipse::under_load(radii, radii, steel(), 42e3).expect("valid");
    // Printed to six digits in docs/creep.md.
    assert!((e.a - 4.25684e-3).abs() < 0.6e-8, "{e:?}");
    assert!((e.b - 3.20209e-3).abs() < 0.6e-8, "{e:?}");
    assert!((e.p0 - 1471.19e6).abs() < 0.6e4, "{e:?}");
    assert!((e.approach - 0.073571e-3).abs() < 0.6e-9, "{e:?}");
    let back = Ellipse::at_approach(radii, radii, steel(), e.approach).expect("valid");
    for (there, here) in [(back.a, e.a), (back.b, e.b), (back.p0, e.p0), (back.load, e.load)] {
        assert!((there / here - 1.0).abs() < 1e-13);
    }
}

#[test]
fn equal_cylinders() {
    let s = Strip::under_load(0.5, 0.5, steel(), 7.05e6).expect("valid");
    assert!((s.a - 4.41007e-3).abs() < 0.6e-8 && (s.p0 - 1017.71e6).abs() < 0.6e4, "{s:?}");
    let wheel_on_plane = Strip::under_load(0.25, f64::INFINITY, steel(), 7.05e6).expect("valid");
    assert_eq!(s, wheel_on_plane);
}

#[test]
fn spheres() {
    // a³ = 3NR/(4E*), δ = a²/R, p₀ = 3N/(2πa²).
    let (r, n) = (0.2, 1000.0);
    let sphere = Radii { x: r, y: r };
    let plane = Radii { x: f64::INFINITY, y: f64::INFINITY };
    let e = Ellipse::under_load(sphere, plane, steel(), n).expect("valid");
    let a = (3.0 * n * r / (4.0 * steel().contact_modulus())).cbrt();
    for (found, wanted) in
        [(e.a, a), (e.b, a), (e.approach, a * a / r), (e.p0, 1.5 * n / (std::f64::consts::PI * a * a))]
    {
        assert!((found / wanted - 1.0).abs() < 1e-14, "{found} {wanted}");
    }
}

#[test]
fn a_long_ellipse_tends_to_the_strip() {
    // At its middle a long ellipse carries P' = (π/2) a p₀ per length, and there is the strip of that load, to the
    // order (a/b)² ln(b/a).
    let r = 0.5;
    for (long, tolerance) in [(1e3, 1e-2), (1e5, 2e-4), (1e7, 5e-6)] {
        let e = Ellipse::under_load(Radii { x: r, y: long }, Radii { x: r, y: long }, steel(), 42e3).expect("valid");
        let strip = Strip::under_load(r, r, steel(), 0.5 * std::f64::consts::PI * e.a * e.p0).expect("valid");
        assert!((e.a / strip.a - 1.0).abs() < tolerance, "{} {} {}", e.a, strip.a, e.a / e.b);
    }
}

#[test]
fn the_surfaces_are_flattened_where_they_touch() {
    // Independent of all elliptic integrals: displacement under the pressure, by quadrature over the directions of chords
    // through a point, must be δ − A x² − B y².
    let (first, second) = (Radii { x: 0.46, y: f64::INFINITY }, Radii { x: f64::INFINITY, y: 0.3 });
    let e = Ellipse::under_load(first, second, steel(), 42e3).expect("valid");
    let (gap_x, gap_y) = (0.5 / 0.46, 0.5 / 0.3);
    for (x, y) in [(0.0, 0.0), (0.5 * e.a, 0.0), (0.0, -0.7 * e.b), (0.4 * e.a, 0.6 * e.b)] {
        // w = 1/(πE*) ∫∫ p dA/r = 1/(πE*) ∫₀^π dθ ∫ p dr along chords.
        let turn = std::f64::consts::PI;
        let angles = 720;
        let mut sum = 0.0;
        for i in 0..angles {
            let (s, c) = (turn * f64::from(i) / f64::from(angles)).sin_cos();
            // 1 − (x+rc)²/a² − (y+rs)²/b² = q0 − 2 q1 r − q2 r²; ∫√ dr over the chord = (π/2)(q0 + q1²/q2)/√q2.
            let q2 = (c / e.a).powi(2) + (s / e.b).powi(2);
            let q1 = x * c / (e.a * e.a) + y * s / (e.b * e.b);
            let q0 = 1.0 - (x / e.a).powi(2) - (y / e.b).powi(2);
            sum += 0.5 * turn * (q0 + q1 * q1 / q2) / q2.sqrt();
        }
        let w = e.p0 * sum * turn / f64::from(angles) / (turn * steel().contact_modulus());
        let wanted = e.approach - gap_x * x * x - gap_y * y * y;
        assert!((w / wanted - 1.0).abs() < 1e-12, "({x}, {y}): {w} {wanted}");
    }
}

#[test]
fn bad_bodies_are_errors() {
    let round = Radii { x: 0.46, y: 0.3 };
    let flat = Radii { x: f64::INFINITY, y: f64::INFINITY };
    let hollow = Radii { x: f64::INFINITY, y: -0.2 };
    let found = |first, second, load| Ellipse::under_load(first, second, steel(), load);
    assert!(matches!(found(flat, flat, 1.0), Err(HertzError::Curvature { direction: "x", .. })));
    assert!(matches!(found(round, hollow, 1.0), Err(HertzError::Curvature { direction: "y", .. })));
    assert!(found(round, flat, 0.0).is_err() && found(round, flat, f64::NAN).is_err());
    assert!(found(Radii { x: 0.0, y: 1.0 }, flat, 1.0).is_err());
    assert!(found(Radii { x: 0.46, y: 1e12 }, flat, 1.0).is_err());
    assert!(Ellipse::at_approach(round, flat, steel(), -1.0).is_err());
}

#[test]
fn a_pair_of_unlike_bodies() {
    let (hard, soft) =
        (Material::from_young(210e9, 0.3).expect("valid"), Material::from_young(5e6, 0.48).expect("valid"));
    let pair = Material::pair(hard, soft);
    // 1/E* = (1−ν₁²)/E₁ + (1−ν₂²)/E₂.
    let direct = 1.0 / ((1.0 - 0.09) / 210e9 + (1.0 - 0.48 * 0.48) / 5e6);
    assert!((pair.contact_modulus() / direct - 1.0).abs() < 1e-14);
    let other = Material::pair(soft, hard);
    assert_eq!((pair.shear_modulus(), pair.poisson()), (other.shear_modulus(), other.poisson()));
    // (G/4)((1−2ν₁)/G₁ − (1−2ν₂)/G₂): of opposite sign, and 0 for one material.
    let direct = 0.25 * pair.shear_modulus() * (0.4 / hard.shear_modulus() - 0.04 / soft.shear_modulus());
    assert!((pair.difference() / direct - 1.0).abs() < 1e-12 && other.difference() == -pair.difference());
    assert_eq!(Material::pair(hard, hard), hard);
    assert_eq!(hard.difference(), 0.0);
}

proptest! {
    #[test]
    fn exchanging_the_axes_exchanges_the_ellipse(x in -6.0..6.0_f64, y in -6.0..6.0_f64, n in 0.0..6.0_f64) {
        let (x, y, n) = (10f64.powf(x), 10f64.powf(y), 10f64.powf(n));
        prop_assume!((x / y).ln().abs() < 20.0);
        let flat = Radii { x: f64::INFINITY, y: f64::INFINITY };
        let e = Ellipse::under_load(Radii { x, y }, flat, steel(), n).expect("valid");
        let f = Ellipse::under_load(Radii { x: y, y: x }, flat, steel(), n).expect("valid");
        for (p, q) in [(e.a, f.b), (e.b, f.a), (e.p0, f.p0), (e.approach, f.approach)] {
            prop_assert!((p / q - 1.0).abs() < 1e-13, "{} {}", p, q);
        }
        // The longer axis lies along the larger radius, and the load scales by powers of ⅓.
        prop_assert!((e.a >= e.b) == (x >= y) || (x / y - 1.0).abs() < 1e-12);
        let g = Ellipse::under_load(Radii { x, y }, flat, steel(), 8.0 * n).expect("valid");
        prop_assert!((g.a / e.a - 2.0).abs() < 1e-12 && (g.p0 / e.p0 - 2.0).abs() < 1e-12);
        prop_assert!((g.approach / e.approach - 4.0).abs() < 1e-12);
    }
}
