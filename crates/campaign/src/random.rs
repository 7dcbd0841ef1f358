//! Random numbers that are the same on every machine.

use stickslip_linalg::SplitMix64;
use stickslip_linalg::random::GOLDEN;

/// A stream of random numbers, given by its seed alone.
#[derive(Debug, Clone)]
pub struct Random(SplitMix64);

impl Random {
    /// The stream of one case of a campaign. Cases do not depend on each other, so any of them can be made alone.
    pub fn of_case(seed: u64, case: u64) -> Random {
        let mut stream = SplitMix64(seed.wrapping_mul(GOLDEN) ^ case.wrapping_mul(0xD1B5_4A32_D192_ED03));
        stream.bits();
        Random(stream)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// Uniform in [lo, hi), to three digits, so that files are short.
    pub fn within(&mut self, lo: f64, hi: f64) -> f64 {
        three_digits(lo + (hi - lo) * self.unit())
    }

    /// From lo to hi, uniform in the logarithm, to three digits.
    pub fn magnitude(&mut self, lo: f64, hi: f64) -> f64 {
        three_digits(lo * (hi / lo).powf(self.unit()))
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of a list that has at least one entry.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

/// The nearest number of three digits.
pub fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ_by_case() {
        let draw = |case| Random::of_case(1, case).unit();
        assert_eq!(draw(5), draw(5));
        assert_ne!(draw(5), draw(6));
        assert!((0..1000).all(|case| (0.0..1.0).contains(&draw(case))));
        assert_eq!(three_digits(0.123_456), 0.123);
    }
}
