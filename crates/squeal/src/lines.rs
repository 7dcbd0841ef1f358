//! How much of a signal is at given frequencies: all of them fitted at once.
//!
//! ```text
//! min  Σ_k w_k (x_k − a_0 − Σ_j a_j cos ω_j m_k − b_j sin ω_j m_k)²,   m_k = k − n/2,   w_k = ½ + ½ cos(2π m_k/n)
//! ```
//!
//! Counted from the middle, sines and cosines are orthogonal to each other, and the normal equations have closed forms,
//!
//! ```text
//! 2 Σ w cos ω_i m cos ω_j m = S(ω_i − ω_j) + S(ω_i + ω_j),   2 Σ w sin ω_i m sin ω_j m = S(ω_i − ω_j) − S(ω_i + ω_j)
//! S(ω) = Σ w cos ω m = D(ω)/2 + D(ω + 2π/n)/4 + D(ω − 2π/n)/4,   D(ω) = sin((n − 1) ω/2)/sin(ω/2)
//! ```
//!
//! Lines that are fitted do not spoil each other, however loud one of them is; of what is not, the Hann window keeps 2/(π d³) at a distance
//! of d/(nΔ). The strongest lines of what is left, those that the system has of itself, are therefore fitted, too. What is left in the
//! end beside a line, and how badly its neighbours can be told from it (the diagonal of the inverse), say how far it is known.

use std::f64::consts::{PI, TAU};

use num_complex::Complex64;
use stickslip_linalg::{Lu, Matrix};

use crate::spectrum::{near, spectrum, strongest};

/// Lines of its own that are taken out of a signal at the most.
const OWN: usize = 8;

/// Lines nearer than this to one that is fitted are not told from it \[1/(nΔ)\].
const APART: f64 = 2.0;

/// Lines nearer than this to each other are one \[1/(nΔ)\].
const SAME: f64 = 0.25;

/// A line of its own that is smaller than this share of the smallest line that was asked for spoils nothing.
const SPOILS: f64 = 1e-3;

/// Samples of which something can be fitted.
const FEWEST: usize = 16;

/// A line of a signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Its amplitude.
    pub amplitude: f64,
    /// By how much that may be wrong; infinite where it cannot be told from its neighbours.
    pub uncertainty: f64,
}

/// The lines at some frequencies \[Hz\], > 0 and below half the rate, of a signal with so many samples a second.
pub fn fitted(samples: &[f64], rate: f64, frequencies: &[f64]) -> Vec<Fitted> {
    let n = samples.len();
    if n < FEWEST || frequencies.is_empty() {
        return vec![Fitted { amplitude: 0.0, uncertainty: f64::INFINITY }; frequencies.len()];
    }
    let bin = rate / n as f64;
    // Of lines at one place the first stands for all, and none is known.
    let same = |k: usize, other: usize| (frequencies[k] - frequencies[other]).abs() < SAME * bin;
    let stands: Vec<usize> =
        (0..frequencies.len()).map(|k| (0..k).find(|other| same(k, *other)).unwrap_or(k)).collect();
    let used: Vec<usize> = (0..frequencies.len()).filter(|k| stands[*k] == *k).collect();
    let mut all: Vec<f64> = used.iter().map(|k| frequencies[*k]).collect();
    let mut fit = Fit::new(samples, rate, &all);
    let mut left = fit.left(samples);
    for _ in 0..OWN {
        let Some([frequency, amplitude]) = strongest(&spectrum(&left, rate)) else { break };
        let least = fit.amplitudes().take(used.len()).fold(f64::INFINITY, f64::min);
        let known = all.iter().any(|own| (own - frequency).abs() < APART * bin);
        if known || amplitude <= SPOILS * least || frequency < APART * bin {
            break;
        }
        all.push(frequency);
        fit = Fit::new(samples, rate, &all);
        left = fit.left(samples);
    }
    let beside = spectrum(&left, rate);
    let (spread, amplitudes) = (fit.spread(), fit.amplitudes().collect::<Vec<f64>>());
    let line = |k: usize| {
        let alone = (0..frequencies.len()).all(|other| other == k || !same(k, other));
        let place = used.iter().position(|own| *own == k).filter(|_| alone);
        let found = place.map(|place| Fitted {
            amplitude: amplitudes[place],
            uncertainty: spread[place] * near(&beside, frequencies[k]),
        });
        let known = found.filter(|found| found.amplitude.is_finite() && found.uncertainty.is_finite());
        known.unwrap_or(Fitted { amplitude: 0.0, uncertainty: f64::INFINITY })
    };
    (0..frequencies.len()).map(line).collect()
}

/// A least-squares fit: the mean first, then lines.
struct Fit {
    /// Radians a sample.
    omega: Vec<f64>,
    cosines: Vec<f64>,
    sines: Vec<f64>,
    of_cosines: Lu,
    of_sines: Lu,
}

/// Σ w cos ωm over n samples, of their weights' sum n/2.
fn kernel(omega: f64, n: usize) -> f64 {
    let n = n as f64;
    let sum = |omega: f64| {
        let half = 0.5 * omega;
        // Half a turn a sample is a whole one of its square: the same sum, with alternating signs where n is even.
        if half.sin().abs() < 1e-12 {
            (n - 1.0) * ((n - 2.0) * half).cos().signum()
        } else {
            ((n - 1.0) * half).sin() / half.sin()
        }
    };
    let turn = TAU / n;
    (0.5 * sum(omega) + 0.25 * (sum(omega + turn) + sum(omega - turn))) / (0.5 * n)
}

impl Fit {
    fn new(samples: &[f64], rate: f64, frequencies: &[f64]) -> Fit {
        let n = samples.len();
        let omega: Vec<f64> = std::iter::once(0.0).chain(frequencies.iter().map(|f| TAU * f / rate)).collect();
        let gram = |side: f64, list: &[f64]| {
            Matrix::from_fn(list.len(), list.len(), |i, j| {
                kernel(list[i] - list[j], n) + side * kernel(list[i] + list[j], n)
            })
        };
        // The mean has no sine.
        let (of_cosines, of_sines) = (Lu::new(&gram(1.0, &omega)), Lu::new(&gram(-1.0, &omega[1..])));
        let mut parts: Vec<Complex64> = omega.iter().map(|omega| projected(samples, *omega)).collect();
        let mut cosines: Vec<f64> = parts.iter().map(|part| part.re).collect();
        of_cosines.solve(&mut cosines);
        let mut sines: Vec<f64> = parts.drain(1..).map(|part| part.im).collect();
        of_sines.solve(&mut sines);
        Fit { omega, cosines, sines, of_cosines, of_sines }
    }

    /// Amplitudes of the lines.
    fn amplitudes(&self) -> impl Iterator<Item = f64> {
        self.cosines[1..].iter().zip(&self.sines).map(|(a, b)| a.hypot(*b))
    }

    /// The signal without the mean and the lines.
    fn left(&self, samples: &[f64]) -> Vec<f64> {
        let half = 0.5 * samples.len() as f64;
        let mut left: Vec<f64> = samples.iter().map(|x| x - self.cosines[0]).collect();
        for ((omega, a), b) in self.omega[1..].iter().zip(&self.cosines[1..]).zip(&self.sines) {
            // Re (a − ib) e^{iωm}.
            let (mut line, turn) = (Complex64::new(*a, -b) * Complex64::cis(-omega * half), Complex64::cis(*omega));
            for x in &mut left {
                *x -= line.re;
                line *= turn;
            }
        }
        left
    }

    /// How many times more of what is beside a line is in it than if it were alone.
    fn spread(&self) -> Vec<f64> {
        let count = self.sines.len();
        let diagonal = |lu: &Lu, size: usize, k: usize| {
            let mut unit = vec![0.0; size];
            unit[k] = 1.0;
            lu.solve(&mut unit);
            if unit[k] >= 0.0 { unit[k].sqrt() } else { f64::INFINITY }
        };
        let of = |k: usize| diagonal(&self.of_cosines, count + 1, k + 1).max(diagonal(&self.of_sines, count, k));
        (0..count).map(of).collect()
    }
}

/// 2 Σ w x e^{iωm} over Σ w.
fn projected(samples: &[f64], omega: f64) -> Complex64 {
    let n = samples.len();
    let half = 0.5 * n as f64;
    let (mut wave, turn) = (Complex64::cis(-omega * half), Complex64::cis(omega));
    let mut sum = Complex64::new(0.0, 0.0);
    for (k, x) in samples.iter().enumerate() {
        let weight = 0.5 + 0.5 * (PI * (k as f64 - half) / half).cos();
        sum += weight * x * wave;
        wave *= turn;
    }
    sum * (4.0 / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 50_000.0;

    fn sum(lines: &[[f64; 3]], n: usize) -> Vec<f64> {
        let at = |t: f64| lines.iter().map(|[f, a, phase]| a * (TAU * f * t + phase).sin()).sum::<f64>();
        (0..n).map(|k| 0.7 + at(k as f64 / RATE)).collect()
    }

    /// One line 10⁵ times as loud as the others, and none of them on a bin: each is what it was made of.
    #[test]
    fn lines_beside_a_loud_one_are_what_they_are() {
        let made = [
            [721.465, 5.6e-8, 0.3],
            [1000.3, 8e-8, 1.0],
            [1018.9, 3e-8, 2.0],
            [2046.27, 9e-3, 0.1],
            [2049.1, 4e-8, 0.9],
        ];
        let frequencies = made.map(|line| line[0]);
        for n in [50_000, 49_999] {
            for (found, [f, a, _]) in fitted(&sum(&made, n), RATE, &frequencies).into_iter().zip(made) {
                assert!((found.amplitude / a - 1.0).abs() < 1e-6, "{f} Hz: {found:?}");
                assert!(found.uncertainty < 1e-3 * a, "{f} Hz: {found:?}");
            }
        }
    }

    /// A loud line that nobody asked for, and one that dies away: what they leave does not pass for a line.
    #[test]
    fn what_drowns_is_told() {
        let asked = [[721.465, 5e-8, 0.3], [1500.0, 2e-8, 1.0], [2044.9, 1e-6, 2.0]];
        let mut samples = sum(&[&asked[..], &[[1870.33, 0.2, 0.4]]].concat(), 50_000);
        let clear = fitted(&samples, RATE, &asked.map(|line| line[0]));
        for (found, [f, a, _]) in clear.iter().zip(asked) {
            assert!((found.amplitude / a - 1.0).abs() < 1e-2 && found.uncertainty < 0.1 * a, "{f} Hz: {found:?}");
        }
        for (k, x) in samples.iter_mut().enumerate() {
            let t = k as f64 / RATE;
            *x += 3e-5 * (-4.0 * t).exp() * (TAU * 2046.0 * t).sin();
        }
        let found = fitted(&samples, RATE, &asked.map(|line| line[0]));
        assert!((found[0].amplitude / 5e-8 - 1.0).abs() < 1e-2, "far from it: {found:?}");
        assert!(found[2].uncertainty > 0.1 * found[2].amplitude, "beside it: {found:?}");
    }

    /// Lines nearer to each other than the length of the signal tells them apart, or the same one twice.
    #[test]
    fn lines_that_cannot_be_told_apart_are_not() {
        let samples = sum(&[[1000.0, 1.0, 0.0], [1300.0, 1e-3, 0.0]], 5000);
        let found = fitted(&samples, RATE, &[1000.0, 1000.0, 1300.0]);
        assert!(found[..2].iter().all(|line| line.uncertainty > 0.1 * line.amplitude), "{found:?}");
        assert!((found[2].amplitude / 1e-3 - 1.0).abs() < 1e-2, "{found:?}");
        assert!(fitted(&[1.0; 3], RATE, &[1000.0])[0].uncertainty.is_infinite());
    }
}
