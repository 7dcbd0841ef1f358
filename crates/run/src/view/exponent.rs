//! The largest Lyapunov exponent of a motion, with a verdict that its error allows.

use serde::Serialize;
use stickslip_core::analysis::lyapunov::{Arrivals, Exponent, LyapunovError, Nearby, by_arrivals, nearby_runs};
use stickslip_core::analysis::orbit::{Arrival, Point, advance};
use stickslip_core::analysis::poincare;
use stickslip_core::mechanics::Smooth;
use stickslip_report::html::TextTable;

use super::data::DataTable;
use super::recurrence::PoincareSection;
use crate::text::number_to;

/// Arrivals that an exponent is measured over at the most.
pub(super) const MEASURED: u64 = 64;

/// Arrivals in the second half of a run below which their map is not looked at.
const ENOUGH: usize = 8;

/// Distance of two nearby runs, as a share of the size of the motion.
const SEPARATION: f64 = 1e-7;

/// Parts of the second half after which nearby runs are scaled back; three of four are measured over.
const PARTS: u64 = 64;

/// Greatest growth between two scalings, as a logarithm: e⁸ times [`SEPARATION`] is still small beside the motion.
const LINEAR: f64 = 8.0;

/// Standard errors that zero must be away for the sign of an exponent to be decided.
const STANDARD_ERRORS: f64 = 2.0;

/// A measured exponent, as `summary.json` has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExponentNote {
    /// How it was measured.
    pub method: &'static str,
    /// The largest exponent [1/s]; absent where there is none.
    pub value: Option<f64>,
    /// Its standard error [1/s].
    pub error: Option<f64>,
    /// Time it was measured over \[s\].
    pub time: Option<f64>,
    /// `positive`, `negative` or `not decided`, by two standard errors; or why there is no exponent.
    pub verdict: String,
}

/// Whether the sign of a number is known with its standard error.
fn sign(value: f64, error: f64) -> &'static str {
    let margin = STANDARD_ERRORS * error;
    if value > margin {
        "positive"
    } else if value < -margin {
        "negative"
    } else {
        "not decided"
    }
}

impl ExponentNote {
    fn new(method: &'static str, result: Result<Exponent, LyapunovError>) -> ExponentNote {
        match result {
            Ok(e) if e.value.is_finite() && e.error.is_finite() => ExponentNote {
                method,
                value: Some(e.value),
                error: Some(e.error),
                time: Some(e.time),
                verdict: sign(e.value, e.error).into(),
            },
            Ok(_) => ExponentNote::without(method, "no arrival had a derivative".into()),
            Err(error) => ExponentNote::without(method, error.to_string()),
        }
    }

    /// None was measured, for this reason.
    pub(crate) fn left_out(why: &str) -> ExponentNote {
        ExponentNote::without("two nearby runs", why.into())
    }

    fn without(method: &'static str, verdict: String) -> ExponentNote {
        ExponentNote { method, value: None, error: None, time: None, verdict }
    }

    /// The verdict in words that say what it means.
    pub fn meaning(&self) -> String {
        match self.verdict.as_str() {
            "positive" => "positive: the motion is chaotic while it is measured".into(),
            "negative" => "negative: neighbours approach each other".into(),
            "not decided" => "not decided: zero lies within two standard errors; a longer run may decide".into(),
            why => why.into(),
        }
    }

    /// Value and error per second, and per the unit given.
    pub fn value_in_words(&self, unit: Option<(&str, f64)>) -> String {
        let (Some(value), Some(error), Some(time)) = (self.value, self.error, self.time) else {
            return "–".into();
        };
        let also = unit.map_or_else(String::new, |(name, unit)| {
            format!(" ({} ± {} per {name})", number_to(value * unit, 3), number_to(error * unit, 2))
        });
        let (value, error) = (number_to(value, 3), number_to(error, 2));
        format!("{value} ± {error} per second{also}, over {} s", number_to(time, 3))
    }
}

/// The exponents in the second half of a run that ends at `end`, from the last of the arrivals known before it.
pub(super) fn exponents(
    system: &dyn Smooth,
    section: &PoincareSection,
    end: f64,
    known: &[Arrival],
) -> Vec<ExponentNote> {
    let half = 0.5 * end;
    let start = Point::start(system);
    let last = known.iter().rev().find(|arrival| arrival.point.t < half).map_or(&start, |arrival| &arrival.point);
    let middle = match advance(system, last, half - last.t) {
        Ok(point) => point,
        Err(error) => return vec![ExponentNote::without("two nearby runs", error.to_string())],
    };
    let mut notes = vec![ExponentNote::new("two nearby runs", by_nearby_runs(system, &middle, half))];
    // Counted from the middle on: a list from the start may have ended long before.
    let late = poincare::arrivals(system, &middle, 0, MEASURED as usize, half, |_| true).unwrap_or_default();
    let late = late.iter().filter(|arrival| arrival.point.t <= end).count();
    notes.push(if late >= ENOUGH {
        let settings = Arrivals {
            contact: 0,
            transient: 4,
            arrivals: (late as u64).clamp(16, MEASURED),
            difference: 1e-6,
            forced: section.forced,
            horizon: end,
        };
        ExponentNote::new("map of arrivals", by_arrivals(system, &middle, &settings))
    } else {
        let enough = format!("{late} arrivals in the second half of the run, and {ENOUGH} are needed");
        ExponentNote::without("map of arrivals", enough)
    });
    notes
}

/// Two nearby runs, scaled back so often that their distance stays small.
fn by_nearby_runs(system: &dyn Smooth, from: &Point, half: f64) -> Result<Exponent, LyapunovError> {
    let mut parts = PARTS;
    loop {
        let interval = half / parts as f64;
        let settings = Nearby { transient: 0.0, interval, intervals: parts / 4 * 3, separation: SEPARATION };
        let found = nearby_runs(system, from, &settings)?;
        if found.value * interval <= LINEAR || parts >= PARTS << 10 {
            return Ok(found);
        }
        parts *= 4;
    }
}

/// The exponents as data.
pub(crate) fn data(notes: &[ExponentNote]) -> DataTable {
    let header = ["method", "value [1/s]", "standard_error [1/s]", "time [s]", "verdict"];
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let row = |note: &ExponentNote| {
        let [value, error, time] = [note.value, note.error, note.time].map(number);
        vec![note.method.to_string(), value, error, time, note.verdict.clone()]
    };
    DataTable { rows: notes.iter().map(row).collect(), ..DataTable::new("exponents", &header) }
}

/// The exponents as a table.
pub(super) fn table(notes: &[ExponentNote], section: &PoincareSection) -> TextTable {
    let header = ["method", "largest exponent", "verdict"].map(String::from).to_vec();
    let row = |note: &ExponentNote| vec![note.method.to_string(), note.value_in_words(section.unit), note.meaning()];
    let mut rows: Vec<Vec<String>> = notes.iter().map(row).collect();
    if let Some((name, time)) = section.unit {
        rows.push(vec![format!("{name}, period of small motions"), format!("{} s", number_to(time, 6)), String::new()]);
    }
    TextTable { header, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_decided_by_the_interval() {
        assert_eq!(sign(0.748, 0.022), "positive");
        assert_eq!(sign(0.616, 0.56), "not decided");
        assert_eq!(sign(0.066, 0.69), "not decided");
        assert_eq!(sign(-0.26, 0.05), "negative");
        assert_eq!(sign(0.0, 0.0), "not decided");
    }
}
