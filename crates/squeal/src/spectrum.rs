//! Lines of a signal: amplitudes over frequency, and how they change with time.

use num_complex::Complex64;
use rustfft::FftPlanner;

/// Amplitudes of the sines in a signal sampled at a rate \[Hz\]: (frequency \[Hz\], amplitude), with a Hann window.
///
/// The mean is taken with the window's weights, Σ w x / Σ w. The plain mean of a sine over a piece that does not hold whole periods is
/// about A/(π f T): subtracted, it would itself stand at zero frequency, coming and going from piece to piece.
pub fn spectrum(samples: &[f64], rate: f64) -> Vec<[f64; 2]> {
    let n = samples.len();
    if n < 4 {
        return Vec::new();
    }
    let window = |k: usize| 0.5 - 0.5 * (std::f64::consts::TAU * k as f64 / n as f64).cos();
    // The weights add up to n/2.
    let mean = samples.iter().enumerate().map(|(k, x)| window(k) * x).sum::<f64>() / (0.5 * n as f64);
    let mut data: Vec<Complex64> =
        samples.iter().enumerate().map(|(k, x)| Complex64::from((x - mean) * window(k))).collect();
    FftPlanner::new().plan_fft_forward(n).process(&mut data);
    // A Hann window keeps half of an amplitude.
    let scale = 4.0 / n as f64;
    data.iter().take(n / 2).enumerate().map(|(k, x)| [k as f64 * rate / n as f64, scale * x.norm()]).collect()
}

/// Frequency and amplitude of the strongest line of a spectrum with a Hann window, between its bins by the two highest of them; none where
/// nothing oscillates.
///
/// A sine of amplitude A, |δ| ≤ ½ bins beside the bin k, has at the bins k and k + 1 the amplitudes
///
/// ```text
/// X_k = A sinc(δ)/(1 − δ²),   X_{k+1} = A sinc(1 − δ)/(1 − (1 − δ)²),   so   δ = (2 X_{k+1} − X_k)/(X_k + X_{k+1}),   sinc(δ) = sin πδ/(πδ)
/// ```
///
/// with X_{k−1} in place of X_{k+1} for δ < 0. That is exact but for what other lines, and its own at the negative frequency, add: less
/// than about 1/k³ of them.
pub fn strongest(spectrum: &[[f64; 2]]) -> Option<[f64; 2]> {
    let (k, [at_peak, peak]) = spectrum.iter().copied().enumerate().skip(1).max_by(|a, b| a.1[1].total_cmp(&b.1[1]))?;
    if peak <= 0.0 || peak.is_nan() {
        return None;
    }
    let at = |k: usize| spectrum.get(k).map_or(0.0, |line| line[1]);
    // The line of the mean was taken away, so the first has no neighbour below.
    let (below, above) = (if k > 1 { at(k - 1) } else { 0.0 }, at(k + 1));
    let share = |side: f64| (2.0 * side - peak) / (side + peak);
    let off = if above >= below { share(above) } else { -share(below) };
    let off = off.clamp(-0.5, 0.5);
    let arc = std::f64::consts::PI * off;
    let sinc = if off == 0.0 { 1.0 } else { arc.sin() / arc };
    let spacing = at_peak / k as f64;
    Some([at_peak + off * spacing, peak * (1.0 - off * off) / sinc])
}

/// The greatest amplitude within two bins of a frequency.
pub fn near(spectrum: &[[f64; 2]], frequency: f64) -> f64 {
    let spacing = spectrum.get(1).map_or(0.0, |line| line[0]);
    let about = |line: &&[f64; 2]| (line[0] - frequency).abs() <= 2.0 * spacing;
    spectrum.iter().filter(about).map(|line| line[1]).fold(0.0, f64::max)
}

/// Spectra of pieces of a signal, one after the other and half over each other: (time of the middle \[s\], spectrum).
pub fn spectrogram(samples: &[f64], rate: f64, piece: usize) -> Vec<(f64, Vec<[f64; 2]>)> {
    let piece = piece.max(16);
    let mut all = Vec::new();
    let mut from = 0;
    while from + piece <= samples.len() {
        all.push(((from + piece / 2) as f64 / rate, spectrum(&samples[from..from + piece], rate)));
        from += piece / 2;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn lines_have_their_frequency_and_amplitude() {
        let rate = 20_000.0;
        let signal = |k: u32| {
            let t = f64::from(k) / rate;
            0.3 * (TAU * 1153.37 * t).sin() + 0.02 * (TAU * 3050.0 * t).cos() + 5.0
        };
        let samples: Vec<f64> = (0..20_000).map(signal).collect();
        let found = strongest(&spectrum(&samples, rate)).expect("a line");
        assert!((found[0] - 1153.37).abs() < 1e-4 && (found[1] / 0.3 - 1.0).abs() < 1e-5, "{found:?}");
        assert!(strongest(&spectrum(&vec![2.0; 100], rate)).is_none());
        assert_eq!(spectrogram(&samples, rate, 4000).len(), 9);
    }

    /// A tone has nothing at low frequencies, however its periods fall into a piece: the side lobes of a Hann window fall as 1/d³ with
    /// the distance d in bins, to (2/π)/d³ of the tone at the most.
    #[test]
    fn a_tone_leaves_nothing_beside_zero() {
        let rate = 20_000.0;
        let samples: Vec<f64> = (0..8000).map(|k| 2.0 + (TAU * 1153.37 * f64::from(k) / rate).sin()).collect();
        for (t, lines) in spectrogram(&samples, rate, 400) {
            for (k, line) in lines.iter().enumerate().take(8) {
                let d = 1153.37 / (rate / 400.0) - k as f64;
                assert!(line[1] < 1.1 / d.powi(3), "{} at {} Hz and {t} s", line[1], line[0]);
            }
        }
    }
}
