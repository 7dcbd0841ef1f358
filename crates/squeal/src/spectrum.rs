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

/// Frequency and amplitude of the strongest line. Between the bins by the shape of a Hann window, which is A sinc(δ)/(1 − δ²) at a distance of δ
/// bins: with α the greater neighbour over the peak, δ = (2α − 1)/(1 + α).
pub fn strongest(spectrum: &[[f64; 2]]) -> Option<[f64; 2]> {
    let (k, peak) = spectrum.iter().enumerate().skip(1).max_by(|a, b| a.1[1].total_cmp(&b.1[1]))?;
    if peak[1] <= 0.0 {
        return None;
    }
    let (Some(before), Some(after)) = (k.checked_sub(1).and_then(|k| spectrum.get(k)), spectrum.get(k + 1)) else {
        return Some(*peak);
    };
    let alpha = before[1].max(after[1]) / peak[1];
    let off = ((2.0 * alpha - 1.0) / (1.0 + alpha)).clamp(0.0, 0.5);
    let arc = std::f64::consts::PI * off;
    let kept = if off > 0.0 { arc.sin() / (arc * (1.0 - off * off)) } else { 1.0 };
    let side = if after[1] > before[1] { off } else { -off };
    Some([peak[0] + side * (after[0] - peak[0]), peak[1] / kept])
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
