//! When a quadratic that starts on one side of zero comes back to it.

/// Least t > 0 with s0 + s1 t + ½ s2 t² = 0; infinite if there is none.
///
/// The quadratic is positive just after t = 0: of s0, s1, s2 the first that is not zero is positive. A root at
/// t = 0 itself (s0 = 0) is where the motion starts and is no answer; it is told by s0 being exactly 0.0.
#[inline(always)]
pub(super) fn return_to_zero(s0: f64, s1: f64, s2: f64) -> f64 {
    if s0 == 0.0 {
        return if s1 > 0.0 && s2 < 0.0 { -2.0 * s1 / s2 } else { f64::INFINITY };
    }
    let discriminant = s1 * s1 - 2.0 * s2 * s0;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    // Of the two forms of each root the one without cancellation.
    if s1 < 0.0 {
        2.0 * s0 / (discriminant.sqrt() - s1)
    } else if s2 < 0.0 {
        -(s1 + discriminant.sqrt()) / s2
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::return_to_zero;
    use proptest::prelude::*;

    #[test]
    fn roots_at_the_start_are_passed_over() {
        assert_eq!(return_to_zero(0.0, 0.0, 3.0), f64::INFINITY);
        assert_eq!(return_to_zero(0.0, 2.0, 1.0), f64::INFINITY);
        assert_eq!(return_to_zero(0.0, 2.0, 0.0), f64::INFINITY);
        assert_eq!(return_to_zero(0.0, 2.0, -4.0), 1.0);
    }

    #[test]
    fn straight_lines_and_parabolas() {
        assert_eq!(return_to_zero(3.0, -1.5, 0.0), 2.0);
        assert_eq!(return_to_zero(3.0, 1.5, 0.0), f64::INFINITY);
        assert_eq!(return_to_zero(3.0, 0.0, 0.0), f64::INFINITY);
        assert_eq!(return_to_zero(2.0, 0.0, -1.0), 2.0);
        assert_eq!(return_to_zero(1.0, -2.0, 2.0), 1.0); // touches
        assert_eq!(return_to_zero(1.0, -2.0, 3.0), f64::INFINITY); // stays above
    }

    proptest! {
        // (t − t1)(t − t2)·c has its least positive root where it was made. The quadratic formula is backward
        // stable: its root solves a problem whose coefficients are changed by a few roundings ε, which moves
        // the root by at most a few ε (|s0| + |s1| t + ½|s2| t²)/|s'(t)|.
        #[test]
        fn the_least_positive_root(t1 in 1e-6..1e3_f64, t2 in -1e3..1e3_f64, c in 1e-3..1e3_f64) {
            prop_assume!((t1 - t2).abs() > 1e-6 && t2.abs() > 1e-6);
            let c = if t2 > 0.0 { c } else { -c }; // positive at t = 0
            let (s0, s1, s2) = (c * t1 * t2, -c * (t1 + t2), 2.0 * c);
            let expected = if t2 > 0.0 { t1.min(t2) } else { t1 };
            let found = return_to_zero(s0, s1, s2);
            let size = s0.abs() + s1.abs() * expected + 0.5 * s2.abs() * expected * expected;
            let allowed = 8.0 * f64::EPSILON * size / (c * (t1 - t2)).abs();
            prop_assert!((found - expected).abs() <= allowed, "{found} {expected} {allowed}");
        }
    }
}
