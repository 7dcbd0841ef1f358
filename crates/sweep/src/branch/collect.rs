//! Values of a column in one run: at extremes, at events, once in a period, or as lines of a spectrum.

use stickslip_core::law::State;
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::simulation::{Samples, Simulation, Sink, SinkError};
use stickslip_squeal::spectrum::spectrum;

use super::settled::{self, Settled};

/// Where values are collected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    Extremes { least: bool, greatest: bool },
    Event { contact: usize, sticks: bool },
    Every(f64),
    Spectrum,
}

/// A value that was collected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Collected {
    /// When \[s\]; the frequency \[Hz\] of a line.
    pub at: f64,
    pub value: f64,
    pub kind: &'static str,
}

/// What was collected of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub values: Vec<Collected>,
    /// Whether the motion has settled; none where there is too little of it to tell.
    pub settled: Option<Settled>,
}

/// Swings below this share of the greatest value are rounding, not motion.
const SWING: f64 = 1e-9;

/// Runs to the end and collects, from `transient` on, at most so many values of a column. There is always at least one: where nothing was
/// found it is the last value of extremes, called `steady` where the column rests and `end` where it moves, and else `none`, which has no value.
pub(super) fn collect(
    run: &mut dyn Simulation,
    place: &Place,
    (column, transient, most): (usize, f64, usize),
    (grid, every): (Grid, u64),
    end: f64,
) -> Result<Found, String> {
    let (mut values, settled) = match place {
        Place::Every(period) => {
            let mut row = vec![0.0; run.columns().len()];
            run.row(&mut row);
            let first = row.get(column).copied().unwrap_or(f64::NAN);
            let found = stroboscope(run, column, *period, [transient, end], most)?;
            let whole = span(found.iter().map(|collected| collected.value).chain([first]));
            let settled = settled::by_values(&found, whole, false);
            (found, settled)
        }
        _ => {
            let mut seen = Seen {
                place: *place,
                column,
                from: transient,
                most,
                whole: [f64::INFINITY, f64::NEG_INFINITY],
                series: Vec::new(),
                events: Vec::new(),
                due: false,
            };
            run.record(Samples { grid, every }, &mut seen).map_err(|error| error.to_string())?;
            let whole = seen.whole[1] - seen.whole[0];
            match place {
                Place::Extremes { least, greatest } => {
                    let all = extremes(&seen.series, [true, true]);
                    let settled = settled::by_extremes(&all, &seen.series, whole);
                    (wanted(all, [*least, *greatest], &seen.series), settled)
                }
                Place::Spectrum => {
                    let values: Vec<f64> =
                        seen.series.iter().filter(|sample| !sample.event).map(|sample| sample.value).collect();
                    // The first line is that of the mean, which was taken away: what the window leaves there is no oscillation.
                    let lines = spectrum(&values, 1.0 / (grid.h * every as f64)).into_iter().skip(1);
                    let settled = settled::by_extremes(&extremes(&seen.series, [true, true]), &seen.series, whole);
                    (lines.map(|[at, value]| Collected { at, value, kind: "line" }).collect(), settled)
                }
                _ => {
                    let settled = settled::by_values(&seen.events, whole, true);
                    (seen.events, settled)
                }
            }
        }
    };
    values.truncate(most);
    if values.is_empty() {
        values.push(Collected { at: end, value: f64::NAN, kind: "none" });
    }
    match values.iter().find(|collected| collected.value.is_infinite()) {
        Some(_) => Err("a value is not finite".into()),
        None => Ok(Found { values, settled }),
    }
}

/// How far values are apart at the most.
fn span(values: impl Iterator<Item = f64>) -> f64 {
    let [least, greatest] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, g], v| [l.min(v), g.max(v)]);
    greatest - least
}

fn stroboscope(
    run: &mut dyn Simulation,
    column: usize,
    period: f64,
    [from, to]: [f64; 2],
    most: usize,
) -> Result<Vec<Collected>, String> {
    let mut row = vec![0.0; run.columns().len()];
    let mut found = Vec::new();
    let first = (from / period).ceil().max(1.0);
    for k in 0..most {
        let t = (first + k as f64) * period;
        // What rounding adds to a whole number of periods does not cut off the last.
        if t > to * (1.0 + 1e-12) {
            break;
        }
        run.advance_to(t.min(to)).map_err(|error| error.to_string())?;
        run.row(&mut row);
        found.push(Collected { at: t, value: row.get(column).copied().unwrap_or(f64::NAN), kind: "every" });
    }
    run.advance_to(to).map_err(|error| error.to_string())?;
    Ok(found)
}

/// A recorded value; at an event the column may have a corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub t: f64,
    pub value: f64,
    pub event: bool,
}

struct Seen {
    place: Place,
    column: usize,
    from: f64,
    most: usize,
    /// Least and greatest value of the whole run.
    whole: [f64; 2],
    series: Vec<Sample>,
    events: Vec<Collected>,
    /// The event that is asked for has come, and its row not yet.
    due: bool,
}

impl Seen {
    fn take(&mut self, t: f64, row: &[f64], event: bool) {
        let value = row.get(self.column).copied().unwrap_or(f64::NAN);
        self.whole = [self.whole[0].min(value), self.whole[1].max(value)];
        if t < self.from {
            self.due = false;
            return;
        }
        match self.place {
            Place::Event { sticks, .. } => {
                if std::mem::take(&mut self.due) && self.events.len() < self.most {
                    self.events.push(Collected { at: t, value, kind: if sticks { "sticks" } else { "slips" } });
                }
            }
            // A row at the instant of an event is that of the event.
            _ => match self.series.last_mut() {
                Some(last) if last.t == t => last.event |= event,
                _ => self.series.push(Sample { t, value, event }),
            },
        }
    }
}

impl Sink for Seen {
    fn row(&mut self, _: u64, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        self.take(t, row, false);
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        if let Place::Event { contact, sticks } = self.place
            && event.contact == contact
        {
            let slips = |state: State| matches!(state, State::Slip(_));
            self.due |= match sticks {
                true => event.to == State::Stick && event.from != State::Stick,
                false => slips(event.to) && !slips(event.from),
            };
        }
        Ok(())
    }

    fn changed(&mut self, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        self.take(t, row, true);
        Ok(())
    }
}

/// Those of the extremes that are asked for; where there are none, the last value.
fn wanted(all: Vec<Collected>, [least, greatest]: [bool; 2], series: &[Sample]) -> Vec<Collected> {
    let asked = |collected: &Collected| match collected.kind {
        "least" => least,
        "greatest" => greatest,
        _ => true,
    };
    let found: Vec<Collected> = all.into_iter().filter(asked).collect();
    match (found.is_empty(), series.last()) {
        (true, Some(last)) => vec![Collected { at: last.t, value: last.value, kind: "end" }],
        _ => found,
    }
}

/// Local extremes between which a column swings by more than rounding. Between recorded values they lie on the parabola through three of
/// them, whose vertex is off by the order h³ (value h⁴) of a smooth motion; at a corner, which an event makes, they are the value there.
fn extremes(series: &[Sample], wanted: [bool; 2]) -> Vec<Collected> {
    let swing = SWING * series.iter().fold(0.0_f64, |most, sample| most.max(sample.value.abs()));
    let mut found = Vec::new();
    let (mut low, mut high) = (0, 0);
    // Which way the column went last; unknown at first.
    let mut rising: Option<bool> = None;
    for (k, sample) in series.iter().enumerate() {
        if sample.value > series[high].value {
            high = k;
        }
        if sample.value < series[low].value {
            low = k;
        }
        if rising != Some(false) && sample.value < series[high].value - swing {
            if rising.is_some() && wanted[1] {
                found.push(vertex(series, high, "greatest"));
            }
            (rising, low) = (Some(false), k);
            high = k;
        } else if rising != Some(true) && sample.value > series[low].value + swing {
            if rising.is_some() && wanted[0] {
                found.push(vertex(series, low, "least"));
            }
            (rising, high) = (Some(true), k);
            low = k;
        }
        match rising {
            Some(true) => low = k,
            Some(false) => high = k,
            None => {}
        }
    }
    if found.is_empty()
        && let Some(last) = series.last()
    {
        let kind = if rising.is_none() { "steady" } else { "end" };
        found.push(Collected { at: last.t, value: last.value, kind });
    }
    found
}

/// The extreme about a recorded value.
fn vertex(series: &[Sample], k: usize, kind: &'static str) -> Collected {
    let b = series[k];
    let plain = Collected { at: b.t, value: b.value, kind };
    let (Some(a), Some(c)) = (k.checked_sub(1).and_then(|k| series.get(k)), series.get(k + 1)) else { return plain };
    if b.event || a.value == b.value || c.value == b.value {
        return plain;
    }
    // Newton's form about the middle: v = b + s1 (t − tb) + s2 (t − tb)².
    let (left, right) = (a.t - b.t, c.t - b.t);
    let (sl, sr) = ((a.value - b.value) / left, (c.value - b.value) / right);
    let s2 = (sr - sl) / (right - left);
    let s1 = sl - s2 * left;
    let off = -0.5 * s1 / s2;
    let bend = if kind == "greatest" { s2 < 0.0 } else { s2 > 0.0 };
    if bend && off > left && off < right {
        Collected { at: b.t + off, value: b.value + 0.5 * s1 * off, kind }
    } else {
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(count: u32, f: impl Fn(f64) -> f64) -> Vec<Sample> {
        (0..count).map(|k| 0.01 * f64::from(k)).map(|t| Sample { t, value: f(t), event: false }).collect()
    }

    #[test]
    fn extremes_of_a_sine_lie_between_the_rows() {
        let found = extremes(&series(2000, |t| 0.3 + (t + 0.003).sin()), [true, true]);
        let kinds: Vec<&str> = found.iter().map(|c| c.kind).collect();
        assert_eq!(kinds, ["greatest", "least", "greatest", "least", "greatest", "least"]);
        for (k, c) in found.iter().enumerate() {
            let t = (k as f64 + 0.5) * std::f64::consts::PI - 0.003;
            // A parabola through three values: off by h⁴/…: 1e-8 · 3/128 at the most, and h³ in time.
            assert!((c.at - t).abs() < 1e-6 && (c.value - 0.3).abs() - 1.0 < 1e-9, "{c:?}");
            assert!(((c.value - 0.3).abs() - 1.0).abs() < 1e-9, "{c:?}");
        }
        assert!(extremes(&series(2000, |t| 0.3 + t.sin()), [false, true]).iter().all(|c| c.kind == "greatest"));
    }

    #[test]
    fn rest_and_rounding_have_no_extremes() {
        let rest = extremes(&series(500, |t| 2.0 + 1e-15 * (50.0 * t).sin()), [true, true]);
        assert_eq!((rest.len(), rest[0].kind), (1, "steady"));
        let ramp = extremes(&series(500, |t| t), [true, true]);
        assert_eq!((ramp.len(), ramp[0].kind, ramp[0].value), (1, "end", 4.99));
    }

    #[test]
    fn plateaus_and_corners_keep_their_value() {
        let plateau = extremes(&series(300, |t| (t - 1.0).abs().mul_add(-1.0, 1.0).min(0.5)), [true, true]);
        assert_eq!((plateau.len(), plateau[0].value), (1, 0.5));
        let mut corner = series(300, |t| -(t - 1.004_f64).abs());
        corner.insert(101, Sample { t: 1.004, value: 0.0, event: true });
        let found = extremes(&corner, [true, true]);
        assert_eq!((found.len(), found[0].at, found[0].value), (1, 1.004, 0.0));
    }
}
