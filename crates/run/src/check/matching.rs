//! The same events in several runs.

use std::collections::BTreeMap;

use stickslip_core::law::State;

use super::Features;

/// Names of the states before and after a change.
pub(super) type Change = (&'static str, &'static str);

/// A change of one contact's state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    /// When \[s\].
    pub t: f64,
    /// What changed.
    pub kind: Change,
    /// Time to the next change, or to the end \[s\].
    pub lasts: f64,
}

/// The changes of one contact in one run. Stick that is shorter than `short` is too short for steps of that size to show:
/// a slip that turns round passes through it for one step, and at an instant in the exact run. It counts as one change
/// from slip to slip.
pub(super) fn changes(run: &Features, contact: usize, short: f64) -> Vec<Moment> {
    let mut moments: Vec<Moment> = Vec::new();
    for event in run.events.iter().filter(|event| event.contact == contact) {
        let stick = State::Stick.name();
        if let Some(last) = moments.last_mut() {
            let passes = last.kind.1 == stick && event.from == State::Stick && event.t - last.t < short;
            if passes && last.kind.0 != stick {
                last.kind.1 = event.to.name();
                continue;
            }
        }
        moments.push(Moment { t: event.t, kind: (event.from.name(), event.to.name()), lasts: 0.0 });
    }
    for k in 0..moments.len() {
        moments[k].lasts = moments.get(k + 1).map_or(run.duration, |next| next.t) - moments[k].t;
    }
    moments
}

/// One event in three runs: its number among the changes of the contact, where a run has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Row {
    /// What changed.
    pub kind: Change,
    /// Its number in each run.
    pub events: [Option<usize>; 3],
}

impl Row {
    /// When it happened in each run.
    pub fn times(&self, changes: &[Vec<Moment>; 3]) -> [Option<f64>; 3] {
        [0, 1, 2].map(|run: usize| self.events[run].map(|k| changes[run][k].t))
    }

    /// When it happened in the exact run, or else when it first did.
    pub fn first(&self, changes: &[Vec<Moment>; 3]) -> f64 {
        let times = self.times(changes);
        times[2].unwrap_or_else(|| times.iter().flatten().copied().fold(f64::INFINITY, f64::min))
    }
}

/// The events of three runs beside each other, in order of time: those of the exact run, each with its partner in the
/// others, then those without a partner in the exact run, matched among themselves.
pub(super) fn rows(changes: &[Vec<Moment>; 3]) -> Vec<Row> {
    let mut kinds: BTreeMap<Change, [Vec<usize>; 3]> = BTreeMap::new();
    for (run, list) in changes.iter().enumerate() {
        for (number, moment) in list.iter().enumerate() {
            kinds.entry(moment.kind).or_default()[run].push(number);
        }
    }
    let mut rows = Vec::new();
    for (kind, numbers) in kinds {
        let time = |run: usize, number: usize| changes[run][number].t;
        let times = [0, 1, 2].map(|run: usize| numbers[run].iter().map(|&n| time(run, n)).collect::<Vec<f64>>());
        let of_exact = [0, 1].map(|run: usize| partners(&times[2], &times[run]));
        let mut taken = [0, 1].map(|run: usize| vec![false; numbers[run].len()]);
        for (k, &number) in numbers[2].iter().enumerate() {
            let mut events = [None, None, Some(number)];
            for run in 0..2 {
                if let Some(partner) = of_exact[run][k] {
                    events[run] = Some(numbers[run][partner]);
                    taken[run][partner] = true;
                }
            }
            rows.push(Row { kind, events });
        }
        let left = [0, 1].map(|run: usize| -> Vec<usize> {
            numbers[run].iter().zip(&taken[run]).filter(|(_, taken)| !**taken).map(|(n, _)| *n).collect()
        });
        let left_times = [0, 1].map(|run: usize| left[run].iter().map(|&n| time(run, n)).collect::<Vec<f64>>());
        let fine_of_coarse = partners(&left_times[0], &left_times[1]);
        let mut paired = vec![false; left[1].len()];
        for (k, &number) in left[0].iter().enumerate() {
            fine_of_coarse[k].into_iter().for_each(|partner| paired[partner] = true);
            rows.push(Row { kind, events: [Some(number), fine_of_coarse[k].map(|partner| left[1][partner]), None] });
        }
        for (&number, _) in left[1].iter().zip(&paired).filter(|(_, paired)| !**paired) {
            rows.push(Row { kind, events: [None, Some(number), None] });
        }
    }
    rows.sort_by(|a, b| a.first(changes).total_cmp(&b.first(changes)));
    rows
}

/// For each of the times `a`, in order, the place of its partner among the times `b`: the nearest, if nothing in `a` is
/// nearer to that.
fn partners(a: &[f64], b: &[f64]) -> Vec<Option<usize>> {
    let nearest = |list: &[f64], t: f64| -> Option<usize> {
        let after = list.partition_point(|other| *other < t);
        let candidates = [after.checked_sub(1), Some(after).filter(|k| *k < list.len())];
        candidates.into_iter().flatten().min_by(|i, j| (list[*i] - t).abs().total_cmp(&(list[*j] - t).abs()))
    };
    a.iter().enumerate().map(|(k, &t)| nearest(b, t).filter(|&partner| nearest(a, b[partner]) == Some(k))).collect()
}

/// How long a contact stuck from the start on; none if it did not.
pub(super) fn stuck_from_start(run: &Features, contact: usize) -> Option<f64> {
    match run.events.iter().find(|event| event.contact == contact) {
        Some(first) => (first.from == State::Stick).then_some(first.t),
        None => (run.last.get(contact) == Some(&State::Stick)).then_some(run.duration),
    }
}
