//! Lines of a spectrum.
//!
//! A signal of n values, Δ apart, less its mean, times a Hann window: lines stand k/(nΔ) apart, and a sine of amplitude A and frequency
//! (k + δ)/(nΔ), |δ| ≤ ½, has at the lines k and k + 1 the amplitudes
//!
//! ```text
//! X_k = A sinc(δ)/(1 − δ²),   X_{k+1} = A sinc(1 − δ)/(1 − (1 − δ)²),   so   δ = (2 X_{k+1} − X_k)/(X_k + X_{k+1}),   sinc(δ) = sin πδ/(πδ)
//! ```
//!
//! with X_{k−1} in place of X_{k+1} for δ < 0. That is exact but for what other lines, and its own at the negative frequency, add: less
//! than about 1/k³ of them.

use stickslip_squeal::spectrum::spectrum;

/// Lines with less than this share of the greatest value are rounding.
const ROUNDING: f64 = 1e-12;

/// Frequency \[Hz\] and amplitude of the strongest line of values that lie `every` seconds apart; none where nothing oscillates.
pub(crate) fn strongest(values: &[f64], every: f64) -> Option<[f64; 2]> {
    let lines = spectrum(values, 1.0 / every);
    let (k, [_, peak]) = lines.iter().copied().enumerate().skip(1).max_by(|a, b| a.1[1].total_cmp(&b.1[1]))?;
    let greatest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if peak <= ROUNDING * greatest || peak.is_nan() {
        return None;
    }
    let at = |k: usize| lines.get(k).map_or(0.0, |line| line[1]);
    // The line of the mean was taken away, so the first has no neighbour below.
    let (below, above) = (if k > 1 { at(k - 1) } else { 0.0 }, at(k + 1));
    let share = |side: f64| (2.0 * side - peak) / (side + peak);
    let off = if above >= below { share(above) } else { -share(below) };
    let off = off.clamp(-0.5, 0.5);
    let sinc = if off == 0.0 { 1.0 } else { (std::f64::consts::PI * off).sin() / (std::f64::consts::PI * off) };
    Some([(k as f64 + off) / (values.len() as f64 * every), peak * (1.0 - off * off) / sinc])
}

/// The greatest amplitude within two lines of a frequency.
pub(crate) fn near(values: &[f64], every: f64, frequency: f64) -> f64 {
    let spacing = 1.0 / (values.len() as f64 * every);
    let about = |line: &&[f64; 2]| (line[0] - frequency).abs() <= 2.0 * spacing;
    spectrum(values, 1.0 / every).iter().filter(about).map(|line| line[1]).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn lines_have_their_frequency_and_amplitude_between_the_bins() {
        let every = 1e-3;
        for frequency in [40.0, 40.13, 40.25, 40.5, 40.77] {
            let values: Vec<f64> =
                (0..1000).map(|k| 3.0 + 0.2 * (TAU * frequency * every * f64::from(k) + 0.4).sin()).collect();
            let [found, amplitude] = strongest(&values, every).expect("a line");
            // 1/k³ = 1.6e-5 of the line's own image, and of the mean that is not quite the mean of whole periods.
            assert!((found - frequency).abs() < 1e-4, "{found} for {frequency}");
            assert!((amplitude / 0.2 - 1.0).abs() < 1e-4, "{amplitude}");
        }
        assert_eq!(strongest(&[2.0; 100], every), None);
        assert_eq!(strongest(&[2.0; 2], every), None);
    }
}
