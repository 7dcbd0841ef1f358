//! Roughness of wheel and rail, as the contact runs over it.

use std::f64::consts::TAU;

use stickslip_linalg::SplitMix64;

/// A sine line of the combined roughness: r = r̂ sin(2π f t + ψ), f = V/wavelength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// f \[Hz\].
    pub frequency: f64,
    /// r̂ \[m\].
    pub amplitude: f64,
    /// ψ \[rad\].
    pub phase: f64,
}

/// Height of the combined roughness under the wheel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roughness {
    /// Sine lines.
    pub lines: Vec<Line>,
    /// Points (time \[s\], height \[m\]) by rising times, straight in between, level before and after.
    pub points: Vec<[f64; 2]>,
}

impl Roughness {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.lines.is_empty() && self.points.is_empty()
    }

    /// r at time t \[m\].
    #[inline]
    pub fn at(&self, t: f64) -> f64 {
        if self.is_none() {
            return 0.0;
        }
        let lines = self.lines.iter().map(|line| line.amplitude * (TAU * line.frequency * t + line.phase).sin());
        lines.sum::<f64>() + self.between_points(t)
    }

    /// What the points alone make of it \[m\].
    pub(crate) fn between_points(&self, t: f64) -> f64 {
        let points = &self.points;
        let k = points.partition_point(|point| point[0] <= t);
        match (k.checked_sub(1).map(|k| points[k]), points.get(k).copied()) {
            (Some([a, from]), Some([b, to])) => from + (to - from) * (t - a) / (b - a),
            (Some([_, height]), None) | (None, Some([_, height])) => height,
            (None, None) => 0.0,
        }
    }

    /// The line that steps of size h do not resolve, if there is one: fewer than so many steps a period.
    pub fn unresolved(&self, h: f64, steps: f64) -> Option<&Line> {
        let shortest = self.lines.iter().max_by(|a, b| a.frequency.total_cmp(&b.frequency));
        shortest.filter(|line| line.frequency * h * steps > 1.0)
    }

    /// The least time between two points \[s\]; infinite without points.
    pub fn finest(&self) -> f64 {
        self.points.windows(2).map(|pair| pair[1][0] - pair[0][0]).fold(f64::INFINITY, f64::min)
    }
}

/// What a contact of half length a leaves of roughness with wave number k: |H| = (1 + π/4 (ka)³)^{−1/2} (Remington's
/// filter for a circular contact, as commonly fitted).
pub fn remington(wave_number: f64, half_length: f64) -> f64 {
    let ka = wave_number * half_length;
    (1.0 + std::f64::consts::FRAC_PI_4 * ka * ka * ka).powf(-0.5)
}

/// Lines of a spectrum of one-third octave bands: (centre wavelength \[m\], level \[dB re 1 µm\], root mean square). Each band becomes
/// `lines` sine lines of equal strength at seeded places and phases within it, ascending in frequency.
pub fn third_octaves(bands: &[[f64; 2]], speed: f64, lines: usize, seed: u64) -> Vec<Line> {
    let mut random = SplitMix64(seed);
    let edge = 2.0_f64.powf(1.0 / 6.0);
    let mut all = Vec::with_capacity(bands.len() * lines);
    for [wavelength, level] in bands {
        let rms = 1e-6 * 10.0_f64.powf(level / 20.0);
        let centre = speed / wavelength;
        let (low, high) = (centre / edge, centre * edge);
        for k in 0..lines {
            // One line in each part of the band: no gaps, no two at one place.
            let frequency = low + (high - low) * (k as f64 + random.unit()) / lines as f64;
            let phase = TAU * random.unit();
            all.push(Line { frequency, amplitude: rms * (2.0 / lines as f64).sqrt(), phase });
        }
    }
    all.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    all
}

/// A spectrum that falls or rises with the wavelength as a power: levels of one-third octave bands, straight over the logarithm of the
/// wavelength, L(λ) = L_ref + slope log10(λ/λ_ref).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// L_ref \[dB re 1 µm\] of the one-third octave around λ_ref, root mean square.
    pub level: f64,
    /// λ_ref > 0 \[m\].
    pub reference: f64,
    /// dB per decade of the wavelength.
    pub slope: f64,
    /// Shortest and longest wavelength \[m\].
    pub range: [f64; 2],
}

impl PowerLaw {
    /// Level of the one-third octave around a wavelength \[dB re 1 µm\].
    pub fn level(&self, wavelength: f64) -> f64 {
        self.level + self.slope * (wavelength / self.reference).log10()
    }

    /// Mean square of the wavelengths from a to b \[m²\]: the density c λ^p over ln λ, p = slope/10, with c such that one-third octaves have
    /// their levels.
    pub fn mean_square(&self, [a, b]: [f64; 2]) -> f64 {
        let p = self.slope / 10.0;
        // ∫ λ^p dlnλ between two wavelengths, also for p = 0.
        let integral = |a: f64, b: f64| {
            let (log, middle) = ((b / a).ln(), (a * b).sqrt());
            let x = 0.5 * p * log;
            (middle / self.reference).powf(p) * log * if x.abs() < 1e-8 { 1.0 } else { x.sinh() / x }
        };
        let edge = 2.0_f64.powf(1.0 / 6.0);
        1e-12 * 10.0_f64.powf(self.level / 10.0) * integral(a, b)
            / integral(self.reference / edge, self.reference * edge)
    }

    /// Sine lines, so many a one-third octave: the range is cut into equal ratios, and each cell has one line at a seeded place and phase
    /// with all of its mean square.
    pub fn lines(&self, speed: f64, lines: usize, seed: u64) -> Vec<Line> {
        let [shortest, longest] = self.range;
        let ratio = longest / shortest;
        let count = (3.0 * ratio.log2() * lines as f64).ceil().max(1.0) as usize;
        let mut random = SplitMix64(seed);
        let place = |share: f64| longest * ratio.powf(-share);
        let line = |k: usize| {
            let (from, to) = (k as f64 / count as f64, (k + 1) as f64 / count as f64);
            let at = place(from + (to - from) * random.unit());
            let amplitude = (2.0 * self.mean_square([place(to), place(from)])).sqrt();
            Line { frequency: speed / at, amplitude, phase: TAU * random.unit() }
        };
        (0..count).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_has_its_level() {
        let lines = third_octaves(&[[0.02, 6.0], [0.01, -4.0]], 10.0, 12, 7);
        let rms = |low: f64, high: f64| {
            let own = lines.iter().filter(|line| line.frequency > low && line.frequency < high);
            (own.map(|line| 0.5 * line.amplitude * line.amplitude).sum::<f64>()).sqrt()
        };
        assert!((20.0 * (rms(440.0, 565.0) / 1e-6).log10() - 6.0).abs() < 1e-9);
        assert!((20.0 * (rms(885.0, 1130.0) / 1e-6).log10() + 4.0).abs() < 1e-9);
        assert_eq!(lines, third_octaves(&[[0.02, 6.0], [0.01, -4.0]], 10.0, 12, 7));
    }

    /// Levels of one-third octaves against the law: exactly where bands end with cells, wherever they lie within a line or two of theirs.
    #[test]
    fn a_power_law_has_its_levels() {
        let third = 2.0_f64.powf(1.0 / 3.0);
        for slope in [-10.0, 0.0, 15.0, 30.0] {
            let shortest = 5e-3;
            let law = PowerLaw { level: 3.0, reference: 0.02, slope, range: [shortest, shortest * third.powi(12)] };
            let (speed, count) = (20.0, 12);
            let lines = law.lines(speed, count, 5);
            assert_eq!(lines.len(), 12 * count);
            assert_eq!(lines, law.lines(speed, count, 5));
            assert_ne!(lines, law.lines(speed, count, 6));
            let found = |low: f64, high: f64| {
                let own = lines.iter().filter(|line| speed / line.frequency > low && speed / line.frequency < high);
                10.0 * (own.map(|line| 0.5 * line.amplitude * line.amplitude).sum::<f64>() / 1e-12).log10()
            };
            for band in 0..12 {
                let low = shortest * third.powi(band);
                let centre = low * third.sqrt();
                assert!((found(low, low * third) - law.level(centre)).abs() < 1e-9, "{slope} {band}");
                if band < 11 {
                    // Half a band further: a line may lie on either side of each edge.
                    let (low, centre) = (centre, centre * third.sqrt());
                    assert!((found(low, low * third) - law.level(centre)).abs() < 0.8, "{slope} {band}");
                }
            }
            // All of it.
            let whole: f64 = lines.iter().map(|line| 0.5 * line.amplitude * line.amplitude).sum();
            assert!((whole / law.mean_square(law.range) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn points_are_joined_and_held() {
        let rough = Roughness { lines: vec![], points: vec![[1.0, 0.0], [2.0, 4.0]] };
        assert_eq!([0.0, 1.5, 9.0].map(|t| rough.at(t)), [0.0, 2.0, 4.0]);
    }
}
