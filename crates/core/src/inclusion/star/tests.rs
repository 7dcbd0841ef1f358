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
