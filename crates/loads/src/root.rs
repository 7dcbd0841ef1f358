//! Zeros of increasing functions that are straight in pieces.

/// Newton's method ends after a few iterations; beyond this many the bracket alone is halved.
const PATIENCE: u32 = 20;

/// So many halvings reduce any bracket to neighbouring numbers.
const HALVINGS: u32 = 1100;

/// The zero between `low` and `high` (either may be infinite, but not the side on which the zero is not known to lie) of a
/// function that gives its value and its slope > 0. Newton's method on straight pieces: when the piece repeats, so does the
/// point, and that is the end.
#[inline]
pub(crate) fn increasing(low: f64, high: f64, guess: f64, value_and_slope: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (low, high);
    let mut x = guess.max(low).min(high);
    for turn in 0..HALVINGS {
        let (value, slope) = value_and_slope(x);
        if value < 0.0 {
            low = x
        } else {
            high = x
        }
        let newton = x - value / slope;
        let next = if turn < PATIENCE && newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        if next == x || !next.is_finite() || (turn >= PATIENCE && (next == low || next == high)) {
            return x;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of clamped lines, on which Newton's method alone may go in circles.
    #[test]
    fn zeros_of_straight_pieces() {
        let pieces = |x: f64| {
            let (mut value, mut slope) = (0.01 * x - 0.3, 0.01);
            for (centre, rate) in [(-2.0, 50.0), (0.5, 3.0), (4.0, 1000.0)] {
                let free: f64 = rate * (x - centre);
                value += free.clamp(-1.0, 1.0);
                slope += if free.abs() < 1.0 { rate } else { 0.0 };
            }
            (value, slope)
        };
        for guess in [-100.0, -2.0, 0.0, 0.49, 3.9995, 80.0] {
            let x = increasing(f64::NEG_INFINITY, f64::INFINITY, guess, pieces);
            assert!(pieces(x).0.abs() < 1e-12, "{guess}: {x}");
        }
    }
}
