//! Numbers that look random and are the same on every machine.

/// What the state of [`SplitMix64`] grows by: 2⁶⁴/φ, of which consecutive multiples are spread evenly.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of numbers given by its seed alone (Steele, Lea and Flood 2014; finaliser by Stafford).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next sixty-four bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of Vigna's reference program for seed 1234567.
    #[test]
    fn numbers_of_the_reference() {
        let mut stream = SplitMix64(1_234_567);
        let reference = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(reference, [(); 3].map(|()| stream.bits()));
    }

    #[test]
    fn numbers_fill_their_interval() {
        let mut stream = SplitMix64(1);
        let drawn: Vec<f64> = (0..10_000).map(|_| stream.between(-2.0, 3.0)).collect();
        let (least, most) = drawn.iter().fold((9.0_f64, -9.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        assert!((-2.0..-1.99).contains(&least) && most < 3.0 && most > 2.99);
        // The mean of so many has a standard deviation of 5/√12/100.
        assert!((drawn.iter().sum::<f64>() / 1e4 - 0.5).abs() < 4.0 * 0.0144);
    }
}
