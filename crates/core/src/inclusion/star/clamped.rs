//! Roots of sums of clamped straight lines: what both equations of a star come down to.

/// Evaluations of Newton's method before the break points are sorted. Two or three are usual.
const PATIENCE: u32 = 12;

/// The function clamp(at + rate·x, least, greatest) with rate > 0; the ends may be infinite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clamped {
    pub at: f64,
    pub rate: f64,
    pub least: f64,
    pub greatest: f64,
}

impl Clamped {
    /// The function before it is clamped.
    #[inline]
    pub fn free(&self, x: f64) -> f64 {
        self.at + self.rate * x
    }

    #[inline]
    pub fn value(&self, x: f64) -> f64 {
        let free = self.free(x);
        let free = if free < self.greatest { free } else { self.greatest };
        if free > self.least { free } else { self.least }
    }
}

/// `constant + rate·x + Σ terms`, which never falls.
pub(super) struct Sum<'a> {
    pub constant: f64,
    pub rate: f64,
    pub terms: &'a [Clamped],
}

impl Sum<'_> {
    /// The straight line that the sum is part of at x: its value at 0 and its rate.
    fn line(&self, x: f64) -> (f64, f64) {
        self.terms.iter().fold((self.constant, self.rate), |(at, rate), term| {
            let free = term.free(x);
            if free < term.least {
                (at + term.least, rate)
            } else if free > term.greatest {
                (at + term.greatest, rate)
            } else {
                (at + term.at, rate + term.rate)
            }
        })
    }

    /// A zero of the sum, which must have one, and how often the sum was evaluated.
    ///
    /// Newton's method kept between bounds. A step depends on nothing but the set of terms that are not clamped, so that
    /// it repeats, bit by bit, when the set does, and that is the end.
    pub fn zero(&self) -> (f64, u32) {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut x = 0.0;
        for evaluations in 1..=PATIENCE {
            let (at, rate) = self.line(x);
            let next = -at / rate;
            let value = at + rate * x;
            if next == x || value == 0.0 {
                return (x, evaluations);
            }
            if value < 0.0 {
                low = x;
            } else {
                high = x;
            }
            if !(low < next && next < high) {
                break;
            }
            x = next;
        }
        self.between_breaks()
    }

    /// The zero by bisection of the sorted break points, O(n log n) in any case.
    #[cold]
    fn between_breaks(&self) -> (f64, u32) {
        let ends = |term: &Clamped| [(term.least - term.at) / term.rate, (term.greatest - term.at) / term.rate];
        let mut breaks: Vec<f64> = self.terms.iter().flat_map(ends).filter(|x| x.is_finite()).collect();
        breaks.sort_unstable_by(f64::total_cmp);
        let mut evaluations = PATIENCE + 1;
        let below = breaks.partition_point(|&x| {
            let (at, rate) = self.line(x);
            evaluations += 1;
            at + rate * x < 0.0
        });
        let low = below.checked_sub(1).map_or(f64::NEG_INFINITY, |k| breaks[k]);
        let high = breaks.get(below).copied().unwrap_or(f64::INFINITY);
        // The sum is straight between two break points: a step from any point there leads to the zero.
        let inside = match (low.is_finite(), high.is_finite()) {
            (true, true) => 0.5 * low + 0.5 * high,
            (true, false) => low + 1.0 + low.abs(),
            (false, true) => high - 1.0 - high.abs(),
            (false, false) => 0.0,
        };
        let (at, rate) = self.line(inside);
        // Where the sum is level between the two, all of it is zero or rounding has taken the zero away: any will do.
        let zero = if rate > 0.0 { -at / rate } else { inside };
        (zero.max(low).min(high), evaluations)
    }
}
