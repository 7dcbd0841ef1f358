//! The wheel's velocity as sound: a WAV file of 16 bits.

use std::f64::consts::PI;
use std::io::Cursor;

/// Samples a second of a sound file \[Hz\].
pub const RATE: u32 = 44_100;

/// Velocity of 0 dB [m/s]: that of air in a plane wave at the threshold of hearing, 20 µPa over 413 N s/m³, as commonly rounded.
pub const REFERENCE: f64 = 5e-8;

/// Highest frequency that a file keeps \[Hz\]; above it nothing is heard, and nothing may be folded down.
const CUT: f64 = 18_000.0;

/// Zeros of the interpolating sinc on either side.
const ZEROS: f64 = 24.0;

/// Share of full scale that the loudest sample has.
const HEADROOM: f64 = 0.9;

/// Level that may be lost above [`CUT`] \[dB\]: what is left below that is what a filter lets through, above all at the ends of short files.
const LEFT: f64 = 30.0;

/// Why there is no sound file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoSound {
    /// Nothing to hear.
    #[error("silent: the velocity of the wheel at the contact is {level:.0} dB re 5e-8 m/s, below what could be heard")]
    Silent {
        /// Level \[dB\].
        level: f64,
    },
    /// Nothing of it in a file.
    #[error(
        "too high to hear: {level:.0} dB re 5e-8 m/s, of which what lies below 18 kHz, and in a file, has {below:.0} dB less"
    )]
    High {
        /// Level \[dB\].
        level: f64,
        /// By how much that of what is left is lower \[dB\].
        below: f64,
    },
    /// Too short to hear.
    #[error("too short to hear: {0} s")]
    Short(f64),
    /// The file could not be put together.
    #[error("{0}")]
    File(String),
}

/// A sound file.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// The WAV file.
    pub bytes: Vec<u8>,
    /// Level of the velocity \[dB re 5e-8 m/s\], root mean square over the file.
    pub level: f64,
    /// Velocity of full scale [m/s].
    pub full_scale: f64,
    /// Its length \[s\].
    pub duration: f64,
}

/// Level of a velocity's root mean square \[dB re 5e-8 m/s\].
pub fn level(samples: &[f64]) -> f64 {
    let mean = samples.iter().map(|v| v * v).sum::<f64>() / samples.len().max(1) as f64;
    20.0 * (mean.sqrt() / REFERENCE).max(1e-30).log10()
}

/// A velocity sampled at a rate \[Hz\] as a sound file; what cannot be heard is said, not written.
pub fn sound(samples: &[f64], rate: f64) -> Result<Sound, NoSound> {
    let duration = samples.len() as f64 / rate;
    if duration < 0.02 {
        return Err(NoSound::Short(duration));
    }
    let level = self::level(samples);
    if level <= 0.0 || level.is_nan() {
        return Err(NoSound::Silent { level });
    }
    let heard = resampled(samples, rate);
    let below = level - self::level(&heard);
    if below > LEFT {
        return Err(NoSound::High { level, below });
    }
    let loudest = heard.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let full_scale = loudest / HEADROOM;
    let spec =
        hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let wrong = |error: hound::Error| NoSound::File(error.to_string());
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut bytes, spec).map_err(wrong)?;
    for v in &heard {
        writer.write_sample((v / full_scale * f64::from(i16::MAX)).round() as i16).map_err(wrong)?;
    }
    writer.finalize().map_err(wrong)?;
    Ok(Sound { bytes: bytes.into_inner(), level, full_scale, duration: heard.len() as f64 / f64::from(RATE) })
}

/// The signal at [`RATE`], by a windowed sinc that cuts at [`CUT`], or at the rate of the signal where that is lower.
fn resampled(samples: &[f64], rate: f64) -> Vec<f64> {
    let cut = CUT.min(0.45 * rate);
    let reach = ZEROS / (2.0 * cut);
    // A last sample that rounding takes away is none the less there.
    let count = (samples.len() as f64 / rate * f64::from(RATE) + 1e-6).floor() as usize;
    let last = samples.len() as i64 - 1;
    let kernel = |t: f64| {
        let x = 2.0 * cut * t;
        let sinc = if x.abs() < 1e-12 { 1.0 } else { (PI * x).sin() / (PI * x) };
        sinc * (0.5 + 0.5 * (PI * t / reach).cos()) * 2.0 * cut / rate
    };
    (0..count)
        .map(|n| {
            let t = n as f64 / f64::from(RATE);
            let (from, to) = (((t - reach) * rate).ceil() as i64, ((t + reach) * rate).floor() as i64);
            (from.max(0)..=to.min(last)).map(|k| samples[k as usize] * kernel(k as f64 / rate - t)).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_file_holds_the_line_and_nothing_folded_down() {
        let rate = 125_000.0;
        // 30 kHz would come down to 14.1 kHz if it were not cut.
        let signal = |k: u32| {
            let t = f64::from(k) / rate;
            0.2 * (TAU * 1153.3 * t).sin() + 0.2 * (TAU * 30_000.0 * t).sin()
        };
        let samples: Vec<f64> = (0..125_000).map(signal).collect();
        let sound = sound(&samples, rate).expect("a sound");
        let mut reader = hound::WavReader::new(Cursor::new(&sound.bytes)).expect("a WAV file");
        let heard: Vec<f64> = reader.samples::<i16>().map(|v| f64::from(v.expect("a sample"))).collect();
        assert_eq!(heard.len(), 44_100);
        // A sum over the file, term by term: no transform of ours.
        let line = |f: f64| {
            let (mut re, mut im) = (0.0, 0.0);
            for (k, v) in heard.iter().enumerate() {
                let (s, c) = (TAU * f * k as f64 / 44_100.0).sin_cos();
                (re, im) = (re + v * c, im + v * s);
            }
            2.0 * re.hypot(im) / 44_100.0 * sound.full_scale / 32_767.0
        };
        assert!((line(1153.3) / 0.2 - 1.0).abs() < 1e-3, "{}", line(1153.3));
        assert!(line(14_100.0) < 2e-5, "{}", line(14_100.0));
        assert!((sound.level - 20.0 * (0.2 / REFERENCE).log10()).abs() < 1e-3, "parts of a period are left over");
    }

    #[test]
    fn what_is_too_high_to_hear_is_not_folded_down_and_blown_up() {
        let rate = 5e6;
        for (tone, heard) in [(12_000.0, true), (30_000.0, false), (40_018.0, false)] {
            let samples: Vec<f64> = (0..250_000).map(|k| 0.1 * (TAU * tone * f64::from(k) / rate).sin()).collect();
            let found = sound(&samples, rate);
            assert!(
                found.is_ok() == heard && (heard || matches!(found, Err(NoSound::High { .. }))),
                "{tone}: {found:?}"
            );
        }
    }

    #[test]
    fn silence_is_said() {
        assert!(matches!(sound(&[1e-9; 10_000], 1e5), Err(NoSound::Silent { .. })));
        assert!(matches!(sound(&[1.0; 100], 1e5), Err(NoSound::Short(_))));
    }
}
