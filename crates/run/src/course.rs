//! One quantity of a run over time, read back from its tables: every row and every event, not what memory keeps of them.

use std::path::Path;

use crate::RunFailure;
use crate::Trace;
use stickslip_core::law::State;

/// Distance of two instants that are the same, as a share of the duration.
const SAME_INSTANT: f64 = 1e-12;

/// A column of a trajectory with its times, and when all contacts stuck.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Course {
    /// Times of the rows \[s\].
    pub t: Vec<f64>,
    /// The quantity.
    pub v: Vec<f64>,
    /// Stretches in which all contacts stuck, (from, to) \[s\], in order.
    pub stuck: Vec<[f64; 2]>,
    /// Times of all events \[s\], in order: forces and states may jump there.
    pub events: Vec<f64>,
}

impl Course {
    /// Reads `trajectory.csv` and `events.csv` of a run in `folder`.
    pub fn read(folder: &Path, trace: &Trace, column: &str) -> Result<Course, RunFailure> {
        let (mut t, mut v) = (Vec::new(), Vec::new());
        let place = trace.columns.iter().position(|c| c.name == column).unwrap_or(0);
        each_row(&folder.join("trajectory.csv"), |row| {
            let number = |k: usize| row.get(k)?.parse::<f64>().ok();
            t.push(number(0)?);
            v.push(number(place)?);
            Some(())
        })?;
        let mut events = Vec::new();
        each_row(&folder.join("events.csv"), |row| {
            let contact = trace.contacts.iter().position(|name| row.get(1) == Some(name.as_ref()))?;
            let [from, to] = [2, 3].map(|k| row.get(k) == Some(State::Stick.name()));
            events.push(Change { t: row.get(0)?.parse().ok()?, contact, from, to });
            Some(())
        })?;
        let last: Vec<bool> = trace.last.iter().map(|state| *state == State::Stick).collect();
        let stuck = stretches(&events, &last, trace.end);
        Ok(Course { t, v, stuck, events: events.iter().map(|event| event.t).collect() })
    }

    /// Value at time t: that of a row, or on the straight line between two rows. There is none outside the run, nor between
    /// two rows with an event between them, where the quantity may have jumped.
    pub fn at(&self, t: f64) -> Option<f64> {
        // Multiples of different steps that are the same instant differ by rounding.
        let close = SAME_INSTANT * self.t.last()?.abs();
        let k = self.t.partition_point(|time| *time < t - close);
        let (&t1, &v1) = (self.t.get(k)?, self.v.get(k)?);
        let here = (t1 - t).abs() <= close;
        if here || k == 0 {
            return here.then_some(v1);
        }
        let (t0, v0) = (self.t[k - 1], self.v[k - 1]);
        // A run by steps dates an event to the end of the step that has the jump.
        let next = self.events.partition_point(|event| *event <= t0);
        if self.events.get(next).is_some_and(|event| *event <= t1) {
            return None;
        }
        Some(v0 + (v1 - v0) * (t - t0) / (t1 - t0))
    }

    /// Whether all contacts stick at time t, within a stretch.
    pub fn all_stick(&self, t: f64) -> bool {
        let k = self.stuck.partition_point(|[_, to]| *to <= t);
        self.stuck.get(k).is_some_and(|[from, _]| *from < t)
    }

    /// Points of the curve from one time to another.
    pub fn points(&self, from: f64, to: f64) -> Vec<[f64; 2]> {
        let rows = self.t.iter().zip(&self.v);
        rows.filter(|(t, _)| (from..=to).contains(*t)).map(|(t, v)| [*t, *v]).collect()
    }
}

/// A contact came to stick or ceased to; or one way of slipping became another.
struct Change {
    t: f64,
    contact: usize,
    /// Whether it stuck before, and after.
    from: bool,
    to: bool,
}

/// When all contacts stick. `last` says which do at the end.
fn stretches(events: &[Change], last: &[bool], end: f64) -> Vec<[f64; 2]> {
    let mut sticks = last.to_vec();
    for event in events.iter().rev() {
        sticks[event.contact] = event.from;
    }
    let mut slipping = sticks.iter().filter(|sticks| !**sticks).count();
    let all = |slipping: usize| slipping == 0 && !last.is_empty();
    let mut since = all(slipping).then_some(0.0);
    let mut found = Vec::new();
    for event in events {
        if sticks[event.contact] != event.to {
            sticks[event.contact] = event.to;
            slipping = if event.to { slipping - 1 } else { slipping + 1 };
        }
        match (since, all(slipping)) {
            (None, true) => since = Some(event.t),
            (Some(from), false) => {
                found.push([from, event.t]);
                since = None;
            }
            _ => {}
        }
    }
    found.extend(since.map(|from| [from, end]));
    found
}

/// Hands every row below the header to `take`, which says whether it could be read.
fn each_row(path: &Path, mut take: impl FnMut(&csv::StringRecord) -> Option<()>) -> Result<(), RunFailure> {
    let failed = |source: std::io::Error| RunFailure::File { path: path.to_path_buf(), source };
    let mut reader = csv::Reader::from_path(path).map_err(|e| failed(e.into()))?;
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(|e| failed(e.into()))? {
        take(&row).ok_or_else(|| failed(std::io::Error::other("a row that was just written cannot be read")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_rows_are_on_straight_lines() {
        let stuck = vec![[1.0, 2.0], [3.0, 4.0]];
        let course = Course { t: vec![1.0, 2.0, 4.0], v: vec![10.0, 20.0, 40.0], stuck, events: Vec::new() };
        assert_eq!(course.at(3.0), Some(30.0));
        assert_eq!(course.at(1.0), Some(10.0));
        assert_eq!(course.at(4.0), Some(40.0));
        assert_eq!((course.at(0.5), course.at(4.5)), (None, None));
        assert_eq!(
            [0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 4.0].map(|t| course.all_stick(t)),
            [false, false, true, false, false, true, false]
        );
    }

    #[test]
    fn there_is_no_line_across_an_event() {
        let (t, v) = (vec![0.0, 1.0, 2.0, 3.0], vec![5.0, 5.0, -5.0, -5.0]);
        let course = Course { t, v, stuck: Vec::new(), events: vec![1.25] };
        assert_eq!(
            [0.5, 1.0, 1.1, 1.9, 2.0, 2.5].map(|t| course.at(t)),
            [Some(5.0), Some(5.0), None, None, Some(-5.0), Some(-5.0)]
        );
        // An event at a row belongs to the step that ends there.
        let course = Course { events: vec![2.0], ..course };
        assert_eq!([0.5, 1.5, 2.5].map(|t| course.at(t)), [Some(5.0), None, Some(-5.0)]);
    }

    #[test]
    fn all_contacts_stick_between_the_last_to_stick_and_the_first_to_slip() {
        let change = |t, contact, to: bool| Change { t, contact, from: !to, to };
        let events = [change(1.0, 0, true), change(2.0, 1, true), change(3.0, 0, false), change(5.0, 0, true)];
        assert_eq!(stretches(&events, &[true, true], 6.0), [[2.0, 3.0], [5.0, 6.0]]);
        assert_eq!(stretches(&[change(2.0, 0, false)], &[false, true], 6.0), [[0.0, 2.0]]);
        assert!(stretches(&[], &[], 6.0).is_empty());
    }
}
