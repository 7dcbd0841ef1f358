//! Newton's method against the sorted break points, which share nothing but the evaluation of F.

use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]
    #[test]
    fn break_points_and_newton_find_the_same_root(
        wheels in prop::collection::vec((-6.0..6.0_f64, -2.0..2.0_f64, 0.0..3.0_f64, 0.0..3.0_f64), 1..40),
        p in -20.0..20.0_f64,
    ) {
        let d: Vec<f64> = wheels.iter().map(|w| 10_f64.powf(w.1)).collect();
        let z: Vec<f64> = wheels.iter().zip(&d).map(|(w, d)| w.0 * d).collect();
        let (a_g, a_b): (Vec<f64>, Vec<f64>) = wheels.iter().map(|w| (w.2, w.3)).unzip();
        let star = Star::new(0.01, d);
        let load = Load { z0: 0.01 * p, a_0: 0.1, z: &z, a_g: &a_g, a_b: &a_b };
        let mut answer = Answer::new(z.len());
        for branch in [Branch::forward(), Branch::backward()] {
            let sorted = star.between_breaks(load, branch, &mut answer);
            let newton = star.bracketed(load, branch, &mut answer);
            // Terms of F are forces below 3 per wheel and its slope is at least 1/d0.
            let rounding = 1e-15 * (0.1 + 12.0 * z.len() as f64) * 0.01;
            prop_assert!((sorted - newton).abs() <= rounding, "{sorted} {newton}");
        }
    }
}

/// A wheel whose speed is not a number shows in the residual or in the powers that are tallied.
#[test]
fn not_a_number_stays_one() {
    let star = Star::new(0.01, vec![0.02, 0.03]);
    for (z0, z1) in [(f64::NAN, 1.0), (1.0, f64::NAN), (0.0, f64::NAN), (-9.0, f64::NAN)] {
        for (a_g, a_b) in [(1.0, 1.0), (100.0, 0.0), (0.0, 100.0), (1e6, 1e6)] {
            for start in [0.0, 1.0, -1.0] {
                let mut answer = Answer { y1: start, ..Answer::new(2) };
                let (z, a_g, a_b) = ([z1, -1.0], [a_g; 2], [a_b; 2]);
                star.solve(Load { z0, a_0: 0.1, z: &z, a_g: &a_g, a_b: &a_b }, &mut answer);
                let powers: f64 = (0..2).map(|i| answer.f[i] * answer.slip[i] + answer.g[i] * answer.v[i]).sum();
                assert!((powers + answer.y1 + answer.residual).is_nan(), "{z0} {z1} {a_g:?} {a_b:?}: {answer:?}");
            }
        }
    }
}
