//! What is measured of an oscillation that repeats itself: period, amplitude, duty of stick.
//!
//! A motion repeats itself where, between equal events (the same contact changes in the same way), everything that its
//! future depends on comes back, three periods in a row:
//!
//! ```text
//! |y_i(t_n) − y_i(t_{n−k})| ≤ 1e-6 range_i                              from event to event,
//!                           ≤ 1e-6 range_i + 2 h max|ẏ_i|               by steps, which date events to their ends,
//! ```
//!
//! for all y_i and the smallest k ≤ 16 of which that holds. The period is the mean of the last three, by steps of all that
//! repeat. A motion that does not repeat, or has come to rest, has no period.

use std::collections::VecDeque;

use stickslip_core::law::State;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::view::DataTable;
use stickslip_run::{Gauge, Measure, Place, Rerun, Seen};
use stickslip_scenario::Measurable;

/// Period of an oscillation.
pub(crate) const PERIOD: Measurable =
    Measurable::whole("period", "s", "period: time between equal events after which the motion repeats itself");
/// Duty of stick.
pub(crate) const STICK_DUTY: Measurable =
    Measurable::each("stick_duty", "1", "share of a period that a contact sticks");

/// Events and extremes that are remembered.
const MOST: usize = 4096;

/// Periods in a row that must repeat.
const REPEATS: usize = 3;

/// Equal events within a period at the most.
const MOST_EQUAL: usize = 16;

/// How close a state must come back, as a share of its range; and at the most, by steps.
const CLOSE: f64 = 1e-6;
const MOST_APART: f64 = 1e-2;

/// A coordinate whose amplitude is measured, and its rate.
pub(crate) struct Coordinate {
    /// Columns of the coordinate and of its rate.
    pub columns: [usize; 2],
    /// What its amplitude is called where there are several.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its last turning points, and the last value and rate seen.
    turns: VecDeque<(f64, f64)>,
    last: [f64; 2],
}

impl Coordinate {
    /// With these columns.
    pub fn new(columns: [usize; 2], name: impl Into<String>, unit: &'static str) -> Coordinate {
        Coordinate { columns, name: name.into(), unit, turns: VecDeque::new(), last: [0.0; 2] }
    }

    /// Notes where the coordinate turns round between two instants: on the cubic through both values and rates.
    fn see(&mut self, before: f64, t: f64, row: &[f64]) {
        let [x0, v0] = self.last;
        let [x1, v1] = self.columns.map(|column| row[column]);
        self.last = [x1, v1];
        let span = t - before;
        if span <= 0.0 || v0 == 0.0 || v0 * v1 > 0.0 {
            return;
        }
        let turn = if v1 == 0.0 { (t, x1) } else { turn([x0, v0], [x1, v1], span, before) };
        if self.turns.len() == MOST {
            self.turns.pop_front();
        }
        self.turns.push_back(turn);
    }

    /// Half of the distance between the greatest and the least turning point of a stretch of time; none where not all of it
    /// is remembered, or where it does not turn both ways.
    fn amplitude(&self, from: f64, to: f64) -> Option<f64> {
        let all = self.turns.len() < MOST || self.turns.front().is_some_and(|turn| turn.0 <= from);
        let own: Vec<f64> = self.turns.iter().filter(|turn| turn.0 > from && turn.0 <= to).map(|turn| turn.1).collect();
        let least = own.iter().copied().reduce(f64::min)?;
        let greatest = own.iter().copied().reduce(f64::max)?;
        (all && own.len() > 1).then_some(0.5 * (greatest - least))
    }
}

/// Where a cubic with these values and rates at its ends, a span apart, has its extreme.
fn turn([x0, v0]: [f64; 2], [x1, v1]: [f64; 2], span: f64, begin: f64) -> (f64, f64) {
    let (rise, first, last) = (x1 - x0, span * v0, span * v1);
    let (a, b) = (first + last - 2.0 * rise, 3.0 * rise - 2.0 * first - last);
    // The root of 3a s² + 2b s + first at which the rate changes its sign, without cancellation.
    let root = (b * b - 3.0 * a * first).max(0.0).sqrt();
    let q = -(b + if b < 0.0 { -root } else { root });
    let inside = |s: f64| (0.0..=1.0).contains(&s);
    let candidates = [q / (3.0 * a), first / q];
    let s = candidates.into_iter().find(|s| inside(*s)).unwrap_or(v0 / (v0 - v1));
    (begin + s * span, x0 + s * (first + s * (b + s * a)))
}

/// An event and what the motion was like there.
struct Mark {
    t: f64,
    contact: usize,
    from: &'static str,
    to: State,
    values: Vec<f64>,
}

impl Mark {
    fn is_like(&self, other: &Mark) -> bool {
        self.contact == other.contact && self.from == other.from && self.to.name() == other.to.name()
    }
}

/// A motion that repeats itself.
struct Repeating {
    period: f64,
    /// Equal events in a period.
    equal: usize,
    /// Its last period.
    from: f64,
    to: f64,
}

/// What looks on at an oscillation.
pub(crate) struct Oscillation {
    /// Columns of all that the future depends on.
    state: Vec<usize>,
    coordinates: Vec<Coordinate>,
    amplitude: Measurable,
    contacts: Vec<String>,
    marks: VecDeque<Mark>,
    /// Least and greatest value of each column of the state, its fastest change, and its last value.
    least: Vec<f64>,
    greatest: Vec<f64>,
    fastest: Vec<f64>,
    last: Vec<f64>,
    /// The last instant, and the shortest time between two.
    t: f64,
    shortest: f64,
    begun: bool,
}

impl Oscillation {
    /// Of a motion whose future depends on these columns.
    pub fn new(
        state: Vec<usize>,
        coordinates: Vec<Coordinate>,
        amplitude: Measurable,
        contacts: Vec<String>,
    ) -> Oscillation {
        let size = state.len();
        Oscillation {
            state,
            coordinates,
            amplitude,
            contacts,
            marks: VecDeque::new(),
            least: vec![f64::INFINITY; size],
            greatest: vec![f64::NEG_INFINITY; size],
            fastest: vec![0.0; size],
            last: vec![0.0; size],
            t: 0.0,
            shortest: f64::INFINITY,
            begun: false,
        }
    }

    fn see_state(&mut self, t: f64, row: &[f64]) {
        let span = t - self.t;
        for (k, column) in self.state.iter().enumerate() {
            let value = row[*column];
            self.least[k] = self.least[k].min(value);
            self.greatest[k] = self.greatest[k].max(value);
            if self.begun && span > 0.0 {
                self.fastest[k] = self.fastest[k].max((value - self.last[k]).abs() / span);
            }
            self.last[k] = value;
        }
    }

    /// How far apart states may be that are the same.
    fn tolerances(&self, by_steps: bool) -> Vec<f64> {
        let step = if by_steps { self.shortest } else { 0.0 };
        let ranges = self.least.iter().zip(&self.greatest).map(|(a, b)| b - a);
        let each = ranges.zip(&self.fastest);
        each.map(|(range, rate)| (CLOSE * range + 2.0 * step * rate).min(MOST_APART * range)).collect()
    }

    /// How the motion repeats itself at the end of the run, if it does.
    fn repeating(&self, by_steps: bool) -> Option<Repeating> {
        let last = self.marks.back()?;
        let equal: Vec<&Mark> = self.marks.iter().filter(|mark| mark.is_like(last)).collect();
        let tolerances = self.tolerances(by_steps);
        let same = |a: &Mark, b: &Mark| {
            let pairs = a.values.iter().zip(&b.values).zip(&tolerances);
            pairs.into_iter().all(|((a, b), allowed)| (a - b).abs() <= *allowed)
        };
        let n = equal.len().checked_sub(1)?;
        for k in 1..=MOST_EQUAL.min(n / REPEATS) {
            let repeats = (0..=n - k).take_while(|j| same(equal[n - j], equal[n - j - k])).count();
            if repeats <= (REPEATS - 1) * k {
                continue;
            }
            let periods = if by_steps { (repeats - 1) / k + 1 } else { REPEATS };
            let period = (last.t - equal[n - periods * k].t) / periods as f64;
            // What has not come again for a whole period has ended.
            let goes_on = self.t - last.t < 1.5 * period;
            return goes_on.then_some(Repeating { period, equal: k, from: last.t - period, to: last.t });
        }
        None
    }

    /// Share of a stretch of time that a contact sticks; none where it does not change.
    fn duty(&self, contact: usize, repeating: &Repeating) -> Option<f64> {
        let own = || self.marks.iter().filter(|mark| mark.contact == contact);
        let within = || own().filter(|mark| mark.t > repeating.from && mark.t <= repeating.to);
        let first = within().next()?;
        let (mut sticks, mut since, mut stuck) = (first.from == State::Stick.name(), repeating.from, 0.0);
        for mark in within() {
            if sticks {
                stuck += mark.t - since;
            }
            (sticks, since) = (mark.to == State::Stick, mark.t);
        }
        if sticks {
            stuck += repeating.to - since;
        }
        Some(stuck / repeating.period)
    }
}

impl Gauge for Oscillation {
    fn see(&mut self, seen: &Seen<'_>) {
        let (t, row) = (seen.t, seen.row);
        self.see_state(t, row);
        for coordinate in &mut self.coordinates {
            coordinate.see(if self.begun { self.t } else { t }, t, row);
        }
        if t > self.t {
            self.shortest = self.shortest.min(t - self.t);
        }
        for event in seen.changes {
            if self.marks.len() == MOST {
                self.marks.pop_front();
            }
            let values = self.state.iter().map(|column| row[*column]).collect();
            let (contact, from, to) = (event.contact, event.from.name(), event.to);
            self.marks.push_back(Mark { t: event.t, contact, from, to, values });
        }
        (self.t, self.begun) = (t, true);
    }

    fn measures(&self, ended: &dyn Simulation, _: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let Some(repeating) = self.repeating(ended.by_events().is_none()) else { return Ok(Vec::new()) };
        let mut measures = vec![Measure::new(&PERIOD, repeating.period).at(Place::Key)];
        let amplitudes = self.coordinates.iter();
        let amplitudes: Vec<(&Coordinate, f64)> =
            amplitudes.filter_map(|c| Some((c, c.amplitude(repeating.from, repeating.to)?))).collect();
        match &amplitudes[..] {
            [(only, value)] => {
                let measure = Measure::new(&self.amplitude, *value).at(Place::Key);
                measures.push(Measure { unit: only.unit, ..measure });
            }
            several => measures.extend(several.iter().map(|(coordinate, value)| {
                let measure = Measure::of_part(&self.amplitude, &coordinate.name, *value);
                Measure { unit: coordinate.unit, ..measure }
            })),
        }
        let duties = (0..self.contacts.len()).filter_map(|k| Some((k, self.duty(k, &repeating)?)));
        measures.extend(duties.map(|(contact, duty)| match self.contacts.len() {
            1 => Measure::new(&STICK_DUTY, duty).at(Place::Key),
            _ => Measure::of_part(&STICK_DUTY, &self.contacts[contact], duty),
        }));
        Ok(measures)
    }

    /// The times between equal events, a period apart, from the beginning on: how the motion settles.
    fn tables(&self, ended: &dyn Simulation, _: Rerun<'_>) -> Result<Vec<DataTable>, SimulationError> {
        let Some(repeating) = self.repeating(ended.by_events().is_none()) else { return Ok(Vec::new()) };
        let Some(last) = self.marks.back() else { return Ok(Vec::new()) };
        let equal: Vec<f64> = self.marks.iter().filter(|mark| mark.is_like(last)).map(|mark| mark.t).collect();
        let mut table = DataTable::new("periods", &["t [s]", "period [s]"]);
        for pair in equal.iter().zip(equal.iter().skip(repeating.equal)) {
            table.push(&[*pair.1, pair.1 - pair.0]);
        }
        Ok(vec![table])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turning_point_between_two_instants() {
        let (a, b) = (1.2_f64, 1.25_f64);
        let at = |t: f64| [a * (b * t).sin(), a * b * (b * t).cos()];
        let peak = std::f64::consts::FRAC_PI_2 / b;
        // The cubic is off by at most T⁴ x⁗/384.
        let (t, x) = turn(at(peak - 0.005), at(peak + 0.007), 0.012, peak - 0.005);
        assert!((t - peak).abs() < 1e-7 && (x - a).abs() < 2e-10, "{t} {peak} {x}");
    }

    #[test]
    fn a_straight_turn_has_its_middle() {
        // x = −t²/2 about t = 1: a parabola, on which the cubic has no cube.
        let (t, x) = turn([-0.5, 1.0], [-0.5, -1.0], 2.0, 0.0);
        assert!((t - 1.0).abs() < 1e-15 && x.abs() < 1e-15, "{t} {x}");
    }
}
