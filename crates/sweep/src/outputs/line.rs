//! Lines of a spectrum, between its bins by the rule of [`spectrum::strongest`].

use stickslip_squeal::spectrum::{self, spectrum};

/// Lines with less than this share of the greatest value are rounding.
const ROUNDING: f64 = 1e-12;

/// Frequency \[Hz\] and amplitude of the strongest line of values that lie `every` seconds apart; none where nothing oscillates.
pub(crate) fn strongest(values: &[f64], every: f64) -> Option<[f64; 2]> {
    let found = spectrum::strongest(&spectrum(values, 1.0 / every))?;
    let greatest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    (found[1] > ROUNDING * greatest).then_some(found)
}

/// The greatest amplitude within two lines of a frequency.
pub(crate) fn near(values: &[f64], every: f64, frequency: f64) -> f64 {
    spectrum::near(&spectrum(values, 1.0 / every), frequency)
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
