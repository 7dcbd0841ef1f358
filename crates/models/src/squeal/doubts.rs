//! What makes the run of a squealing wheel doubtful, in sentences.

use std::f64::consts::TAU;

use stickslip_run::text::{number_to, percent};
use stickslip_squeal::Wheel;
use stickslip_squeal::sound::level;
use stickslip_squeal::step::Start;

use super::Parameters;
use super::listening::{AUDIBLE, Heard};

/// By how much growth may miss the eigenvalue: a share of it, and of 2πf what steps of the coarsest kind allowed do to it.
const MISSED: [f64; 2] = [0.1, 1e-3];

/// The same of the frequency, a share of it.
const MISSED_FREQUENCY: f64 = 0.02;

/// Change of the root mean square from the first half of what measures are of to the second, from which on a motion has not settled.
const UNSETTLED: f64 = 0.05;

/// Ends of a file and of a run this share apart are the same.
const ROUNDING: f64 = 1e-9;

/// What is doubtful of a run that ended at a time \[s\], as far as it was heard.
pub(super) fn doubts(parameters: &Parameters, heard: Option<&Heard>, end: f64) -> Vec<String> {
    let wheel = &parameters.wheel;
    let short = |value: f64| number_to(value, 4);
    let mut doubts = Vec::new();
    if let [[begin, _], .., [last, _]] = wheel.roughness.points[..]
        && (begin > 0.0 || last < end * (1.0 - ROUNDING))
    {
        let place = |t: f64| short(t * wheel.speed);
        doubts.push(format!(
            "the file of roughness goes from x = {} m to {} m, and the wheel rolls from 0 to {} m: where the file has nothing its first or last \
             height is held; lengthen it, or shorten run.duration",
            place(begin),
            place(last),
            place(end)
        ));
    }
    doubts.extend(heard.and_then(|heard| unsettled(wheel, heard, end)));
    let value = match (wheel.eigenvalues(), wheel.least_stable()) {
        (Ok(_), Ok(value)) => value,
        (Err(none), _) | (_, Err(none)) => {
            doubts.push(format!("no eigenvalue to hold the run against: {none}"));
            return doubts;
        }
    };
    let (Start::Eigenvector(_), Some(heard), true) = (parameters.start, heard, wheel.roughness.is_none()) else {
        return doubts;
    };
    match heard.growth {
        None if heard.faded => doubts.push(format!(
            "no growth rate: the motion died away to rounding, below {} m/s, within fewer periods than a rate is found from; begin with more, or take \
             the eigenvalue",
            short(AUDIBLE * wheel.slip())
        )),
        Some([rate, frequency]) => {
            let size = value.re.abs().max(rate.abs());
            let same = (rate - value.re).abs() <= MISSED[0] * size + MISSED[1] * value.im
                && (frequency * TAU - value.im).abs() <= MISSED_FREQUENCY * value.im;
            if !same {
                doubts.push(format!(
                    "small motion grew by {} 1/s at {} Hz, and the eigenvalue is {} 1/s at {} Hz: the step is too long for this contact, or another \
                     motion was stronger; compare with half the step",
                    short(rate),
                    short(frequency),
                    short(value.re),
                    short(value.im / TAU)
                ));
            }
        }
        None => {}
    }
    doubts
}

/// A motion that still grows or dies away while it is measured; of one that nobody hears nothing is said. What roughness shakes comes and
/// goes for ever: there it is asked what is left of the start.
fn unsettled(wheel: &Wheel, heard: &Heard, end: f64) -> Option<String> {
    let close = heard.close();
    let stable = wheel.least_stable().ok().filter(|value| value.re < 0.0);
    if let Some(value) = stable.filter(|_| !wheel.roughness.is_none()) {
        let from = end - close.len() as f64 / heard.rate;
        let left = (value.re * from).exp();
        return (level(close) > 0.0 && left > UNSETTLED).then(|| {
            format!(
                "the start has not died away: the measures begin at t = {} s, where {} of the slowest motion ({} 1/s at {} Hz) is left of the start, \
                 and as much is missing of the answer to roughness there; a longer run.duration",
                number_to(from, 3),
                percent(left),
                number_to(value.re, 3),
                number_to(value.im / TAU, 5)
            )
        });
    }
    let (before, after) = close.split_at(close.len() / 2);
    let change = 10.0_f64.powf((level(after) - level(before)) / 20.0) - 1.0;
    (level(close) > 0.0 && change.abs() > UNSETTLED).then(|| {
        format!(
            "the motion has not settled: within the {} s that the measures are of, its root mean square changed by {} % from the first half to the \
             second; they are of this stretch and of no cycle: a longer run.duration",
            number_to(close.len() as f64 / heard.rate, 3),
            number_to(100.0 * change, 3)
        )
    })
}
