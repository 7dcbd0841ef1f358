//! Ticks: round numbers (steps of 1, 2 or 5 times a power of ten), or decades.

use super::Scale;
use super::range::Range;
use crate::label;

/// The marks of an axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Positions with their labels.
    pub(crate) major: Vec<(f64, String)>,
    /// Positions without.
    pub(crate) minor: Vec<f64>,
    /// The labels of a linear axis are to be multiplied by 10 to this power.
    pub(crate) exponent: i32,
}

/// Ticks for a range; `wanted` is roughly how many labels there is room for.
pub(crate) fn ticks(range: Range, scale: Scale, wanted: usize) -> Ticks {
    match scale {
        Scale::Linear => linear(range, wanted.max(2)),
        Scale::Log => decades(range, wanted.max(2)),
    }
}

/// The one of 1, 2, 5, 10 × 10ⁿ that is nearest to `length` by ratio; also its power of ten.
fn round_step(length: f64) -> (f64, i32) {
    let power = length.log10().floor() as i32;
    let unit = 10f64.powi(power);
    // The bounds are the geometric means of neighbours.
    match length / unit {
        share if share < 1.415 => (unit, power),
        share if share < 3.163 => (2.0 * unit, power),
        share if share < 7.072 => (5.0 * unit, power),
        _ => (10.0 * unit, power + 1),
    }
}

fn linear(range: Range, wanted: usize) -> Ticks {
    let Range { lo, hi } = range;
    let (mut step, mut power) = round_step((hi - lo) / wanted as f64);
    if !(step.is_finite() && step > 0.0) {
        return Ticks::default();
    }
    let ends = |step: f64| ((lo / step - 1e-9).ceil(), (hi / step + 1e-9).floor());
    // A single tick says nothing of the scale: the next smaller step makes two at least.
    if ends(step).1 - ends(step).0 < 1.0 {
        (step, power) = round_step(0.5 * step);
    }
    let (first, last) = ends(step);
    let count = (last - first).clamp(0.0, 4.0 * wanted as f64) as usize;
    let size = lo.abs().max(hi.abs());
    let exponent = match size.log10().floor() as i32 {
        e if !(-3..5).contains(&e) => 3 * e.div_euclid(3),
        _ => 0,
    };
    // Enough decimals to tell neighbours apart, never more than a float has.
    let digits = (exponent - power).clamp(0, 15) as usize;
    let major = (0..=count)
        .map(|i| (first + i as f64) * step)
        .filter(|value| value.is_finite())
        .map(|value| (value, label::fixed(value / 10f64.powi(exponent), digits)))
        .collect();
    Ticks { major, minor: Vec::new(), exponent }
}

fn decades(range: Range, wanted: usize) -> Ticks {
    let first = (range.lo.log10() - 1e-9).ceil() as i32;
    let last = (range.hi.log10() + 1e-9).floor() as i32;
    let inside = |value: f64| value >= range.lo * (1.0 - 1e-9) && value <= range.hi * (1.0 + 1e-9);
    let between = |factors: &[f64]| -> Vec<(f64, i32, f64)> {
        (first - 1..=last)
            .flat_map(|power| factors.iter().map(move |&f| (f, power)))
            .map(|(f, power)| (f, power, f * 10f64.powi(power)))
            .filter(|&(_, _, value)| inside(value))
            .collect()
    };
    let whole = (last - first + 1).max(0) as usize;
    if whole >= 3 {
        let stride = whole.div_ceil(wanted).max(1);
        let major = (first..=last)
            .filter(|power| power.rem_euclid(stride as i32) == 0)
            .map(|power| (10f64.powi(power), power_of_ten(power)))
            .collect();
        let minor = if stride == 1 {
            let all = between(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
            all.iter().map(|&(_, _, value)| value).collect()
        } else {
            (first..=last).map(|power| 10f64.powi(power)).collect()
        };
        return Ticks { major, minor, exponent: 0 };
    }
    let major = between(&[1.0, 2.0, 5.0]);
    if major.len() < 2 {
        // Less than a factor of two: the scale is straight at this length.
        return Ticks { exponent: 0, ..linear_with_plain_labels(range, wanted) };
    }
    // All labels of an axis are written in the same way.
    let plain = major.iter().all(|&(_, power, _)| (-4..=4).contains(&power));
    Ticks {
        major: major.iter().map(|&(factor, power, value)| (value, factor_times_power(factor, power, plain))).collect(),
        minor: between(&[3.0, 4.0, 6.0, 7.0, 8.0, 9.0]).iter().map(|&(_, _, value)| value).collect(),
        exponent: 0,
    }
}

/// Linear ticks whose labels need no factor beside the axis.
fn linear_with_plain_labels(range: Range, wanted: usize) -> Ticks {
    let mut ticks = linear(range, wanted);
    if ticks.exponent != 0 {
        for (_, label) in &mut ticks.major {
            label.push_str(&format!("×{}", power_of_ten(ticks.exponent)));
        }
    }
    ticks
}

/// `10^{−3}`.
pub(crate) fn power_of_ten(power: i32) -> String {
    format!("10^{{{}}}", label::fixed(f64::from(power), 0))
}

/// `0.02` or `2×10^{−2}`.
fn factor_times_power(factor: f64, power: i32, plain: bool) -> String {
    if plain {
        label::fixed(factor * 10f64.powi(power), (-power).max(0) as usize)
    } else if factor == 1.0 {
        power_of_ten(power)
    } else {
        format!("{}×{}", label::fixed(factor, 0), power_of_ten(power))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(lo: f64, hi: f64, scale: Scale, wanted: usize) -> Vec<String> {
        let ticks = ticks(Range { lo, hi }, scale, wanted);
        ticks.major.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(labels(0.0, 6.0, Scale::Linear, 6), ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(-0.25, 0.3, Scale::Linear, 5), ["−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(-20.0, 20.0, Scale::Linear, 4), ["−20", "−10", "0", "10", "20"]);
    }

    #[test]
    fn no_axis_has_a_single_tick() {
        // 0.7 of the range is a round step where there is room for two labels.
        assert_eq!(labels(-0.9, 1.9, Scale::Linear, 2), ["0", "1"]);
        for k in 0..200 {
            for n in 1..40 {
                let lo = -0.037 * f64::from(k);
                for wanted in [2, 3, 5] {
                    let found = labels(lo, lo + 0.13 * f64::from(n), Scale::Linear, wanted);
                    assert!(found.len() >= 2, "{lo} {n} {wanted}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn large_and_small_numbers_share_a_power() {
        let ticks = ticks(Range { lo: 0.0, hi: 2.5e6 }, Scale::Linear, 5);
        assert_eq!(ticks.exponent, 6);
        assert_eq!(ticks.major[1].1, "0.5");
    }

    #[test]
    fn logarithmic_axes_count_in_decades() {
        assert_eq!(labels(1e-3, 1.0, Scale::Log, 6), ["10^{−3}", "10^{−2}", "10^{−1}", "10^{0}"]);
        assert_eq!(labels(0.04, 0.7, Scale::Log, 6), ["0.05", "0.1", "0.2", "0.5"]);
        assert!(labels(1e-200, 1e200, Scale::Log, 6).len() <= 8);
    }

    #[test]
    fn awkward_ranges_end_and_label_distinctly() {
        let cases = [
            vec![],
            vec![0.0],
            vec![-0.0],
            vec![5.0; 3],
            vec![-7.25],
            vec![1e-320, 3e-320],
            vec![1e-30, 2e-30],
            vec![1e300, -1e300],
            vec![f64::MAX, f64::MIN],
            vec![f64::NAN, f64::INFINITY],
            vec![1e9, 1e9 + 1e-3],
            vec![1.0, 1.0 + f64::EPSILON],
            vec![-3e-9, -1e-9],
            vec![f64::MIN_POSITIVE, f64::MAX],
            vec![9.99, 10.01],
        ];
        for values in cases {
            for scale in [Scale::Linear, Scale::Log] {
                let range = Range::of(values.iter().copied(), scale).padded(0.05, scale);
                assert!(range.lo < range.hi, "{values:?} {scale:?} {range:?}");
                for wanted in [0, 1, 3, 8, 40] {
                    let ticks = ticks(range, scale, wanted);
                    assert!(ticks.major.len() <= 200, "{values:?} {scale:?}");
                    let mut labels: Vec<_> = ticks.major.iter().map(|t| &t.1).collect();
                    let count = labels.len();
                    labels.dedup();
                    assert_eq!(labels.len(), count, "{values:?} {scale:?} {ticks:?}");
                }
            }
        }
    }
}
