//! Whether a motion has settled: its last part against the part before.
//!
//! Of n values x₁ … xₙ of one kind the first and the last n/2 are compared. Their means differ if
//!
//! ```text
//! |mean₂ − mean₁| > 4 √(s₁²/n₁ + s₂²/n₂),        s: standard deviation,
//! ```
//!
//! which values on their way from one place to another fulfil, and values that wander about one do not; few values on their way are known by
//! rising, or falling, from each to the next. A swing that grows by more than 1 % is
//! on its way, however small it is: what it leaves is no attractor. What dies away, or drifts, by less than 1 % of all that the column went
//! through in the run has arrived.

use super::collect::{Collected, Sample};

/// Whether a motion has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Yes,
    /// It swings more and more.
    Grows,
    /// It dies away, or drifts.
    No,
}

impl Settled {
    /// As the dataset has it.
    pub fn word(self) -> &'static str {
        match self {
            Settled::Yes => "yes",
            Settled::Grows => "grows",
            Settled::No => "no",
        }
    }

    /// `No` where it has not.
    fn unless(moves: bool) -> Settled {
        if moves { Settled::No } else { Settled::Yes }
    }
}

/// What a swing may grow, and other values drift as a share of the whole span.
const DRIFT: f64 = 0.01;

/// Standard errors that means are apart where chance alone does not set them apart.
const SURE: f64 = 4.0;

/// Fewest values of a kind that are compared: two and two.
const FEWEST: usize = 4;

/// Mean and the square of its standard error.
type Mean = [f64; 2];

/// Means of the first and of the last half.
#[derive(Clone, Copy)]
struct Halves {
    means: [Mean; 2],
    /// Whether all values rise, or all fall, from each to the next.
    steady: bool,
}

/// Means of the first and of the last half; none of too few values.
fn halves(values: &[f64]) -> Option<Halves> {
    if values.len() < FEWEST {
        return None;
    }
    let half = values.len() / 2;
    let mean = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        [mean, squares / (n - 1.0) / n]
    };
    let all = |way: fn(&[f64]) -> bool| values.windows(2).all(way);
    Some(Halves {
        means: [mean(&values[..half]), mean(&values[values.len() - half..])],
        steady: all(|two| two[0] < two[1]) || all(|two| two[0] > two[1]),
    })
}

/// How far the second mean is above the first, where that is not chance; else 0.
fn moved(Halves { means: [[before, error], [after, other]], steady }: Halves) -> f64 {
    let moved = after - before;
    if steady || moved.abs() > SURE * (error + other).sqrt() { moved } else { 0.0 }
}

/// By the extremes of a column whose values in the whole run span so much. A column that rests has settled; one that moves without extremes
/// has where it does not get far any more.
pub(super) fn by_extremes(all: &[Collected], series: &[Sample], whole: f64) -> Option<Settled> {
    let of = |kind: &str| -> Vec<f64> {
        all.iter().filter(|collected| collected.kind == kind).map(|collected| collected.value).collect()
    };
    match all.first().map(|collected| collected.kind) {
        Some("steady") => return Some(Settled::Yes),
        Some("end") => {
            let [first, last] = [series.first()?, series.last()?];
            return Some(Settled::unless((last.value - first.value).abs() > DRIFT * whole));
        }
        _ => {}
    }
    let [least, greatest] = [halves(&of("least"))?, halves(&of("greatest"))?];
    let swing = |k: usize| [greatest.means[k][0] - least.means[k][0], greatest.means[k][1] + least.means[k][1]];
    let swings = Halves { means: [swing(0), swing(1)], steady: least.steady && greatest.steady };
    let grows = moved(swings) > DRIFT * swings.means[0][0];
    let drifts = [least, greatest].into_iter().any(|halves| moved(halves).abs() > DRIFT * whole);
    Some(if grows { Settled::Grows } else { Settled::unless(drifts) })
}

/// By values at events, or once in a period; at events, where `times` says so, also by what lies between them.
pub(super) fn by_values(all: &[Collected], whole: f64, times: bool) -> Option<Settled> {
    let values: Vec<f64> = all.iter().map(|collected| collected.value).collect();
    let drifts = moved(halves(&values)?).abs() > DRIFT * whole;
    let between: Vec<f64> = all.windows(2).map(|two| two[1].at - two[0].at).collect();
    let longer =
        halves(&between).filter(|_| times).is_some_and(|halves| moved(halves).abs() > DRIFT * halves.means[0][0]);
    Some(Settled::unless(drifts || longer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(n: usize, f: impl Fn(f64) -> f64) -> Vec<Collected> {
        (0..n).map(|k| Collected { at: k as f64, value: f(k as f64), kind: "every" }).collect()
    }

    /// Least and greatest values of a swing of this amplitude.
    fn swing(n: usize, amplitude: impl Fn(f64) -> f64) -> Vec<Collected> {
        let one = |k: usize| {
            let (sign, kind) = if k.is_multiple_of(2) { (1.0, "greatest") } else { (-1.0, "least") };
            Collected { at: k as f64, value: sign * amplitude(k as f64), kind }
        };
        (0..n).map(one).collect()
    }

    #[test]
    fn what_swings_alike_has_settled() {
        assert_eq!(by_extremes(&swing(20, |_| 0.3), &[], 0.6), Some(Settled::Yes));
        // Two amplitudes by turns, an odd number of them in each half.
        assert_eq!(by_extremes(&swing(20, |k| 0.3 + 0.1 * ((k / 2.0).floor() % 2.0)), &[], 0.8), Some(Settled::Yes));
        // Chaos: the logistic map.
        let mut x = 0.3;
        let chaos: Vec<f64> = (0..200)
            .map(|_| {
                x = 3.9 * x * (1.0 - x);
                x
            })
            .collect();
        assert_eq!(by_extremes(&swing(200, |k| chaos[k as usize]), &[], 2.0), Some(Settled::Yes));
        assert_eq!(by_values(&values(200, |k| chaos[k as usize]), 1.0, false), Some(Settled::Yes));
    }

    #[test]
    fn what_grows_has_not_however_small_it_is() {
        for size in [1.0, 1e-6] {
            // By e^0.02 from each half to the next.
            assert_eq!(by_extremes(&swing(20, |k| size * (0.002 * k).exp()), &[], 1.0), Some(Settled::Grows), "{size}");
            assert_eq!(by_extremes(&swing(20, |k| size * (0.0005 * k).exp()), &[], 1.0), Some(Settled::Yes), "{size}");
        }
        // What dies away has settled where nothing is seen of it any more.
        assert_eq!(by_extremes(&swing(20, |k| (-0.1 * k).exp()), &[], 1.0), Some(Settled::No));
        assert_eq!(by_extremes(&swing(8, |k| (-0.2 * k).exp()), &[], 1.0), Some(Settled::No));
        assert_eq!(by_extremes(&swing(20, |k| 1e-3 * (-0.1 * k).exp()), &[], 1.0), Some(Settled::Yes));
    }

    #[test]
    fn too_little_does_not_tell() {
        assert_eq!(by_extremes(&swing(7, |_| 0.3), &[], 0.6), None);
        assert_eq!(by_values(&values(3, |_| 1.0), 1.0, true), None);
        let steady = [Collected { at: 1.0, value: 2.0, kind: "steady" }];
        assert_eq!(by_extremes(&steady, &[], 1.0), Some(Settled::Yes));
        let sample = |t: f64, value: f64| Sample { t, value, event: false };
        let end = [Collected { at: 1.0, value: 2.0, kind: "end" }];
        assert_eq!(by_extremes(&end, &[sample(0.0, 1.0), sample(1.0, 2.0)], 5.0), Some(Settled::No));
        assert_eq!(by_extremes(&end, &[sample(0.0, 1.99), sample(1.0, 2.0)], 5.0), Some(Settled::Yes));
    }

    #[test]
    fn events_that_come_later_and_later_are_no_period() {
        let later: Vec<Collected> =
            (0..12).map(|k| Collected { at: 1.05_f64.powi(k), value: 1.0, kind: "sticks" }).collect();
        assert_eq!(
            (by_values(&later, 1.0, true), by_values(&later, 1.0, false)),
            (Some(Settled::No), Some(Settled::Yes))
        );
    }
}
