//! Random numbers that are the same on every machine: SplitMix64.

/// A stream of random numbers, given by its seed alone.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of one case of a campaign. Cases do not depend on each other, so any of them can be made alone.
    pub fn of_case(seed: u64, case: u64) -> Random {
        let mut stream = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ case.wrapping_mul(0xD1B5_4A32_D192_ED03));
        stream.bits();
        stream
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
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
