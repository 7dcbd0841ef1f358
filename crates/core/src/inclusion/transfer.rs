//! Bounds that depend on contact forces by one number Q: forces and Q have to be found together.

/// Q is known when it differs from what the forces make of it by no more than this share of the greatest seen: rounding.
const KNOWN: f64 = 1e-14;

/// Trials before the search ends; a straight line needs three.
const MOST: u32 = 100;

/// Finds Q with Q = made(Q), from a first guess, and what comes with it; none if there is none to be found.
///
/// `made` is continuous and piecewise straight: forces of contacts that slip are affine in Q, and so are those that hold.
/// Where its slope is below 1 there is one Q; where there are several, one that the guess leads to is found.
#[inline]
pub fn consistent<T, E>(guess: f64, made: impl FnMut(f64) -> Result<(f64, T), E>) -> Result<Option<(f64, T)>, E> {
    consistent_along(guess, &mut 0.0, made)
}

/// The same where the slope of `made` may be known: two trials instead of three if it is right, as it is from step to step while no contact
/// changes. Leaves the slope that was found.
#[inline]
pub fn consistent_along<T, E>(
    guess: f64,
    slope: &mut f64,
    mut made: impl FnMut(f64) -> Result<(f64, T), E>,
) -> Result<Option<(f64, T)>, E> {
    let (mut low, mut high): (Option<f64>, Option<f64>) = (None, None);
    let (mut q, mut last, mut size) = (guess, None::<[f64; 2]>, guess.abs());
    for _ in 0..MOST {
        let (value, with) = made(q)?;
        let left = value - q;
        if !left.is_finite() {
            return Ok(None);
        }
        size = size.max(value.abs());
        // Below a zero of made(Q) − Q this is positive, above it negative, where there is one zero.
        *(if left > 0.0 { &mut low } else { &mut high }) = Some(q);
        let known = left.abs() <= KNOWN * size;
        let straight = match last {
            // What is left at a Q that is known is rounding, and tells nothing about the slope.
            Some([p, before]) if !known => {
                let rises = (left - before) / (q - p);
                *slope = if rises.is_finite() { 1.0 + rises } else { 0.0 };
                Some(q - left / rises).filter(|q| q.is_finite())
            }
            _ => None,
        };
        let next = match (low, high) {
            (Some(a), Some(b)) if a < b => straight.filter(|q| *q > a && *q < b).unwrap_or(0.5 * (a + b)),
            _ => straight.unwrap_or(if *slope < 1.0 { q + left / (1.0 - *slope) } else { value }),
        };
        if known || next == q {
            return Ok(Some((q, with)));
        }
        (last, q) = (Some([q, left]), next);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(guess: f64, made: impl Fn(f64) -> f64) -> (f64, u32) {
        let mut trials = 0;
        let q = consistent(guess, |q| {
            trials += 1;
            Ok::<_, std::convert::Infallible>((made(q), ()))
        });
        (q.expect("no error").expect("a number").0, trials)
    }

    #[test]
    fn a_straight_line_needs_three_trials() {
        for slope in [-3.0, -0.5, 0.0, 0.9] {
            let (q, trials) = found(0.0, |q| 2.0 + slope * q);
            assert!((q - 2.0 / (1.0 - slope)).abs() <= 1e-13 * q.abs() && trials <= 4, "{slope}: {q}, {trials}");
        }
    }

    #[test]
    fn a_slope_that_is_known_saves_a_trial() {
        for slope in [-3.0, -0.5, 0.25, 0.9] {
            let mut known = slope;
            let mut trials = 0;
            let q = consistent_along(1.0, &mut known, |q| {
                trials += 1;
                Ok::<_, std::convert::Infallible>((2.0 + slope * q, ()))
            });
            let q = q.expect("no error").expect("a number").0;
            assert!((q - 2.0 / (1.0 - slope)).abs() <= 1e-13 * q.abs() && trials <= 3, "{slope}: {q}, {trials}");
            // One that is wrong costs no more than none, and is mended.
            for wrong in [0.5, -7.0, 1.5, f64::NAN] {
                let mut known = wrong;
                let q = consistent_along(1.0, &mut known, |q| Ok::<_, std::convert::Infallible>((2.0 + slope * q, ())));
                let q = q.expect("no error").expect("a number").0;
                assert!((q - 2.0 / (1.0 - slope)).abs() <= 1e-12 * q.abs(), "{slope} {wrong}: {q}");
                assert!((known - slope).abs() < 1e-9, "{slope} {wrong}: {known}");
            }
        }
    }

    #[test]
    fn corners_are_passed() {
        // Slopes −8, 0.9 and −0.2 about −1 and 1.
        let made = |q: f64| 0.5 + 0.9 * q.clamp(-1.0, 1.0) - 8.0 * (q + 1.0).min(0.0) - 0.2 * (q - 1.0).max(0.0);
        for guess in [-100.0, -1.0, 0.0, 1.0, 7.0, 1e6] {
            let (q, _) = found(guess, made);
            // As well as the greatest number on the way is rounded.
            let rounding = 1e-13 * guess.abs().max(1.0);
            assert!((made(q) - q).abs() <= rounding && (q - 4.0 / 3.0).abs() <= 10.0 * rounding, "{guess}: {q}");
        }
    }
}
