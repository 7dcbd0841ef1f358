//! Random numbers by their place: the i-th is made without the others.

/// 2⁶⁴/φ: consecutive multiples of it are spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014; constants by Stafford).
pub(super) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Where the numbers of an axis begin.
pub(super) fn stream(seed: u64, axis: usize) -> u64 {
    mix(mix(seed.wrapping_add(GOLDEN)).wrapping_add(GOLDEN.wrapping_mul(axis as u64 + 1)))
}

/// The i-th number of a stream, in ]0, 1[.
pub(super) fn unit(stream: u64, i: u64) -> f64 {
    open_unit(mix(stream.wrapping_add(GOLDEN.wrapping_mul(i.wrapping_add(1)))) >> 12)
}

/// A number of 52 bits as the middle of its share of ]0, 1[: neither end is reached, not even by rounding.
pub(super) fn open_unit(bits: u64) -> f64 {
    (bits as f64 + 0.5) / (1_u64 << 52) as f64
}

/// Rounds of the network; four are enough to be told from chance by nobody here, two more cost little.
const ROUNDS: u64 = 6;

/// The place of i in a random order of 0…n−1, i < n: a Feistel network on the least power of four that holds n, walked until it
/// comes back below n.
pub(super) fn shuffled(stream: u64, i: u64, n: u64) -> u64 {
    let half = (64 - n.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut place = i;
    loop {
        let (mut left, mut right) = (place >> half, place & mask);
        for round in 0..ROUNDS {
            let key = stream.wrapping_add(GOLDEN.wrapping_mul(round + 1));
            (left, right) = (right, left ^ (mix(key ^ right) & mask));
        }
        place = (left << half) | right;
        if place < n {
            return place;
        }
    }
}

/// The standard normal number that a share p of all are below: algorithm AS 241 (Wichura 1988), right to 1e-16.
#[allow(clippy::excessive_precision, reason = "the digits of the source")]
pub(super) fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * ratio(
            r,
            [
                3.3871328727963666080,
                1.3314166789178437745e2,
                1.9715909503065514427e3,
                1.3731693765509461125e4,
                4.5921953931549871457e4,
                6.7265770927008700853e4,
                3.3430575583588128105e4,
                2.5090809287301226727e3,
            ],
            [
                1.0,
                4.2313330701600911252e1,
                6.8718700749205790830e2,
                5.3941960214247511077e3,
                2.1213794301586595867e4,
                3.9307895800092710610e4,
                2.8729085735721942674e4,
                5.2264952788528545610e3,
            ],
        );
    }
    let r = (-(if q < 0.0 { p } else { 1.0 - p }).ln()).sqrt();
    let far = if r <= 5.0 {
        ratio(
            r - 1.6,
            [
                1.42343711074968357734,
                4.63033784615654529590,
                5.76949722146069140550,
                3.64784832476320460504,
                1.27045825245236838258,
                2.41780725177450611770e-1,
                2.27238449892691845833e-2,
                7.74545014278341407640e-4,
            ],
            [
                1.0,
                2.05319162663775882187,
                1.67638483018380384940,
                6.89767334985100004550e-1,
                1.48103976427480074590e-1,
                1.51986665636164571966e-2,
                5.47593808499534494600e-4,
                1.05075007164441684324e-9,
            ],
        )
    } else {
        ratio(
            r - 5.0,
            [
                6.65790464350110377720,
                5.46378491116411436990,
                1.78482653991729133580,
                2.96560571828504891230e-1,
                2.65321895265761230930e-2,
                1.24266094738807843860e-3,
                2.71155556874348757815e-5,
                2.01033439929228813265e-7,
            ],
            [
                1.0,
                5.99832206555887937690e-1,
                1.36929880922735805310e-1,
                1.48753612908506148525e-2,
                7.86869131145613259100e-4,
                1.84631831751005468180e-5,
                1.42151175831644588870e-7,
                2.04426310338993978564e-15,
            ],
        )
    };
    if q < 0.0 { -far } else { far }
}

/// The quotient of two polynomials, lowest power first.
fn ratio(x: f64, above: [f64; 8], below: [f64; 8]) -> f64 {
    let value = |of: [f64; 8]| of.iter().rev().fold(0.0, |sum, c| sum * x + c);
    value(above) / value(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_every_place_once() {
        for n in [1, 2, 3, 5, 64, 100, 1000] {
            let mut seen: Vec<u64> = (0..n).map(|i| shuffled(stream(7, 1), i, n)).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..n), "{n}");
        }
        let order: Vec<u64> = (0..100).map(|i| shuffled(stream(7, 1), i, 100)).collect();
        assert!(order.windows(2).filter(|two| two[1] == two[0] + 1).count() < 10, "{order:?}");
    }

    #[test]
    fn quantiles_are_those_of_the_source() {
        // The check values of AS 241, and symmetry.
        for (p, z) in [(0.25, -0.6744897501960817), (0.001, -3.090232306167814), (1e-20, -9.262340089798408)] {
            assert!((normal_quantile(p) / z - 1.0).abs() < 1e-15, "{p}: {}", normal_quantile(p));
        }
        assert_eq!(normal_quantile(0.5), 0.0);
        assert_eq!(normal_quantile(0.75), -normal_quantile(0.25));
    }

    #[test]
    fn streams_differ() {
        let mut all: Vec<u64> = (0..50).flat_map(|seed| (0..21).map(move |axis| stream(seed, axis))).collect();
        assert!(!all.contains(&0));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 50 * 21);
    }

    #[test]
    fn random_numbers_fill_their_range() {
        let n = 100_000_u64;
        let numbers: Vec<f64> = (0..n).map(|i| unit(stream(1, 0), i)).collect();
        assert!(numbers.iter().all(|u| *u > 0.0 && *u < 1.0));
        let mean = numbers.iter().sum::<f64>() / n as f64;
        let square = numbers.iter().map(|u| (u - 0.5).powi(2)).sum::<f64>() / n as f64;
        // Four standard deviations of either: 1/√(12 n), and √(1/180 n).
        assert!((mean - 0.5).abs() < 4.0 / (12.0 * n as f64).sqrt(), "{mean}");
        assert!((square - 1.0 / 12.0).abs() < 4.0 / (180.0 * n as f64).sqrt(), "{square}");
        // Streams of neighbouring axes and seeds have nothing to do with each other.
        for (a, b) in [(stream(1, 0), stream(1, 1)), (stream(1, 0), stream(2, 0)), (stream(0, 1), stream(1, 0))] {
            let together: f64 = (0..n).map(|i| (unit(a, i) - 0.5) * (unit(b, i) - 0.5)).sum::<f64>() / n as f64;
            assert!(together.abs() < 4.0 / 12.0 / (n as f64).sqrt(), "{together}");
        }
    }
}
