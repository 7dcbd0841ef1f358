//! How far runs are from the first: over which time, at which instants, and what makes that doubtful.

use crate::Scenario;
use stickslip_core::scheme::Grid;
use stickslip_scenario::Scheme;

use super::{Ran, Run};
use crate::run::USUAL_ROWS;
use crate::text::{number, percent, seconds};
use crate::trust::{Severity, Warning};

/// Share of the instants left out above which a comparison is warned of.
const LEFT_OUT_WARNED: f64 = 0.1;

/// How far a run is from the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// Name of the scenario.
    pub scenario: String,
    /// Root of the mean square of the difference over the time that both have; none where no instant could be compared.
    pub rms: Option<f64>,
    /// The same while all contacts of the first stick; none if they never do.
    pub rms_stuck: Option<f64>,
    /// Greatest difference and when.
    pub greatest: (f64, f64),
    /// Changes of state of all contacts within the whole run.
    pub events: u64,
    /// Until when the two were compared, the earlier of their ends \[s\].
    pub until: f64,
    /// Instants at which they were compared: rows of this run.
    pub instants: u64,
    /// Instants left out, since between the two rows of the first about them a contact changes its state.
    pub left_out: u64,
}

/// The scenario with as many rows as pictures and means need, and into how many parts that cuts its step.
///
/// A run from event to event has forces that jump between its rows, and its step says only when to record, so that a
/// finer one costs rows and changes nothing. A run by steps keeps its step, and has a row for every step if there are not too
/// many.
pub(super) fn densely(scenario: &Scenario) -> (Scenario, u64) {
    let mut recorded = scenario.clone();
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let parts = match scenario.run.scheme {
        // So many that all of them are recorded.
        Scheme::Events => (USUAL_ROWS / grid.steps).max(1),
        _ => 1,
    };
    if parts > 1 {
        recorded.run.step = grid.h / parts as f64;
    }
    let usual = grid.steps.saturating_mul(parts).div_ceil(USUAL_ROWS).max(1);
    recorded.output.every = recorded.output.every.map(|every| every.min(usual));
    (recorded, parts)
}

/// The end of the shortest run \[s\].
pub(super) fn common_end(runs: &[Ran<'_>]) -> f64 {
    runs.iter().map(|run| run.trace.end).fold(f64::INFINITY, f64::min)
}

/// Differences from the first, (t, difference), at the run's own times within both.
pub(super) fn differences(run: &Ran<'_>, first: &Ran<'_>) -> Vec<[f64; 2]> {
    let own = run.course.t.iter().zip(&run.course.v);
    own.filter_map(|(t, v)| first.course.at(*t).map(|first| [*t, v - first])).collect()
}

pub(super) fn deviation(run: &Ran<'_>, first: &Ran<'_>) -> Deviation {
    let all = differences(run, first);
    let rms = |list: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = list.fold((0.0, 0_u64), |(sum, count), d| (sum + d * d, count + 1));
        (count > 0).then(|| (sum / count as f64).sqrt())
    };
    let greatest = all.iter().fold((0.0, 0.0), |g: (f64, f64), [t, d]| if d.abs() > g.0 { (d.abs(), *t) } else { g });
    let until = run.trace.end.min(first.trace.end);
    let within = run.course.t.iter().filter(|t| **t <= until).count();
    Deviation {
        scenario: run.name.to_string(),
        rms: rms(&mut all.iter().map(|[_, d]| *d)),
        rms_stuck: rms(&mut all.iter().filter(|[t, _]| first.course.all_stick(*t)).map(|[_, d]| *d)),
        greatest,
        events: run.trace.event_count,
        until,
        instants: all.len() as u64,
        left_out: within.saturating_sub(all.len()) as u64,
    }
}

/// Over which time and at which instants was measured.
pub(super) fn notes(runs: &[Ran<'_>], rows: &[Deviation]) -> Vec<String> {
    let first = &runs[0];
    let mut notes = Vec::new();
    let shorter = rows.iter().zip(runs).skip(1).filter(|(row, run)| row.until < run.trace.end.max(first.trace.end));
    let shorter: Vec<&Deviation> = shorter.map(|(row, _)| row).collect();
    if shorter.is_empty() {
        notes.push(format!("Measured from 0 to {}.", seconds(first.trace.end)));
    }
    notes.extend(shorter.iter().map(|row| {
        format!(
            "{}: measured from 0 to {}, the time that it and {} have in common.",
            row.scenario,
            seconds(row.until),
            first.name
        )
    }));
    notes.extend(rows.iter().filter(|row| row.left_out > 0).map(|row| {
        format!(
            "{}: {} of {} instants are left out, between rows of {} with a change of state between them.",
            row.scenario,
            row.left_out,
            row.instants + row.left_out,
            first.name
        )
    }));
    notes
}

/// Which runs were recorded more often than their files say, and into how many parts their recording step was cut.
pub(super) fn recorded_finer(finer: &[(String, u64)]) -> Vec<String> {
    let mut kinds: Vec<u64> = finer.iter().map(|(_, parts)| *parts).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let note = |parts: u64| {
        let names: Vec<&str> = finer.iter().filter(|(_, own)| *own == parts).map(|(name, _)| name.as_str()).collect();
        match names[..] {
            [name] => format!(
                "{name} goes from event to event, where its step only says when to record: it is recorded {parts} times as \
                 often as the file says, since forces jump between rows."
            ),
            _ => format!(
                "{} go from event to event, where the step only says when to record: they are recorded {parts} times as \
                 often as the file says, since forces jump between rows.",
                names.join(", ")
            ),
        }
    };
    kinds.into_iter().map(note).collect()
}

fn doubt(text: String) -> Warning {
    Warning { about: "compare", severity: Severity::Warning, text }
}

/// Durations that differ by a smaller share are the same but for rounding.
const SAME_END: f64 = 1e-9;

/// Whether a duration is longer than another by more than rounding: one that is a number of steps is rounded as their sum.
fn lasts_longer(end: f64, other: f64) -> bool {
    end > other * (1.0 + SAME_END)
}

/// Runs of different lengths make a comparison doubtful.
pub(super) fn different_lengths(runs: &[Run]) -> Vec<Warning> {
    let end = runs.iter().map(|run| run.trace.end).fold(f64::INFINITY, f64::min);
    if !runs.iter().any(|run| lasts_longer(run.trace.end, end)) {
        return Vec::new();
    }
    let ends: Vec<String> = runs.iter().map(|run| format!("{} {} s", run.name, number(run.trace.end))).collect();
    vec![doubt(format!(
        "the runs have different durations ({}): each is compared with the first over the time that both have, and what \
         comes later is not compared",
        ends.join(", ")
    ))]
}

/// So do too many instants left out.
pub(super) fn left_out(rows: &[Deviation]) -> Vec<Warning> {
    let share = |row: &Deviation| row.left_out as f64 / (row.instants + row.left_out).max(1) as f64;
    let many = rows.iter().filter(|row| share(row) > LEFT_OUT_WARNED);
    many.map(|row| {
        doubt(format!(
            "{}: {} of the instants could not be compared, since the rows of the first are too far apart for its events: \
             record it more often, or give both runs the same step",
            row.scenario,
            percent(share(row))
        ))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_the_same_but_for_rounding() {
        assert!(!lasts_longer(30.000000000000004, 30.0));
        assert!(lasts_longer(30.003, 30.0));
    }
}
