//! Files whose truth is known: what was once wrong stays right.
//!
//! A file of the corpus is a scenario whose comments say what is true of it, line by line:
//!
//! ```text
//! # truth: x_b = 1.9899924966 within 1e-9          a column in the last row
//! # truth: rows = 6000                             rows of the trajectory
//! # truth: heat of w = 0 within 1e-9               energy dissipated in a contact
//! # truth: work = 0.0249 within 1e-6               work of forces and supports
//! # truth: event of p to slip- at 18.975 within 1e-8
//! ```
//!
//! Truths are closed forms or come from other programs. They are asked of every scheme that the scenario can be run by:
//! of `events` as they stand, of the others to within the error of their steps.

use stickslip_models::MODELS;
use stickslip_scenario::{Override, Scheme};

use crate::method::{Verdict, consistent, failed};
use crate::run::{Budget, Failure, Run, Way, run};

/// A line of truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    what: What,
    value: f64,
    within: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Column(String),
    Rows,
    Events,
    Heat(String),
    Work,
    Event(String, String),
}

/// The truths that the comments of a text tell; a line that cannot be read is an error.
pub fn truths(text: &str) -> Result<Vec<Truth>, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("# truth:"));
    lines.map(|line| read(line).ok_or_else(|| format!("cannot read the truth `{}`", line.trim()))).collect()
}

fn read(line: &str) -> Option<Truth> {
    let (claim, within) = line.split_once(" within ").unwrap_or((line, "0"));
    let within = within.trim().parse().ok()?;
    if let Some(event) = claim.trim().strip_prefix("event of ") {
        let (contact, rest) = event.split_once(" to ")?;
        let (state, t) = rest.split_once(" at ")?;
        let what = What::Event(contact.to_string(), state.to_string());
        return Some(Truth { what, value: t.trim().parse().ok()?, within });
    }
    let (name, value) = claim.split_once('=')?;
    let name = name.trim();
    let what = match (name, name.strip_prefix("heat of ")) {
        ("rows", _) => What::Rows,
        ("events", _) => What::Events,
        ("work", _) => What::Work,
        (_, Some(contact)) => What::Heat(contact.to_string()),
        _ => What::Column(name.to_string()),
    };
    Some(Truth { what, value: value.trim().parse().ok()?, within })
}

impl Truth {
    /// What a run says instead; nothing if it has no such thing.
    fn found(&self, run: &Run) -> Option<f64> {
        match &self.what {
            What::Column(name) => {
                let column = run.columns.iter().position(|c| c.name == *name)?;
                run.rows.last().map(|row| row.values[column])
            }
            What::Rows => Some(run.rows.len() as f64),
            What::Events => Some(run.events.len() as f64),
            What::Work => Some(run.ledger.work),
            What::Heat(name) => run.ledger.dissipated.iter().find(|d| d.contact == *name).map(|d| d.energy),
            What::Event(contact, state) => {
                let contact = run.contacts.iter().position(|c| c == contact)?;
                let alike = run.events.iter().filter(|e| e.contact == contact && e.to.name() == *state);
                alike.map(|e| e.t).min_by(|a, b| (a - self.value).abs().total_cmp(&(b - self.value).abs()))
            }
        }
    }

    fn words(&self) -> String {
        let value = self.value;
        match &self.what {
            What::Column(name) => format!("{name} = {value}"),
            What::Rows => format!("{value} rows"),
            What::Events => format!("{value} events"),
            What::Heat(name) => format!("heat of {name} = {value}"),
            What::Work => format!("work = {value}"),
            What::Event(contact, state) => format!("{contact} to {state} at {value}"),
        }
    }
}

/// Steps of a row, coarse; the finer run has twice as many.
const STEPS: u64 = 2000;

/// Most steps of a run by steps.
const MOST_STEPS: u64 = 400_000;

/// Runs a file of the corpus by every scheme it can be run by, and tells what is not so.
pub fn replay(text: &str, budget: Budget) -> Result<Vec<String>, String> {
    let truths = truths(text)?;
    let given = MODELS.parse("corpus", text, "", &[]).map_err(|e| e.message().to_string())?;
    let mut wrong = Vec::new();
    for scheme in [Scheme::Events, Scheme::ImplicitEuler, Scheme::MoreauJean] {
        let choice = Override::new(format!("run.scheme={}", scheme.name()));
        let Ok(scenario) = MODELS.parse("corpus", text, "", &[choice]) else { continue };
        let rows = (given.run.duration / given.run.step).round().max(1.0) as u64;
        let within_row = if scheme == Scheme::Events { 1 } else { (MOST_STEPS / rows).clamp(1, STEPS) };
        let way = Way { scheme, within_row, rows: None, budget };
        let exact = match run(&scenario.text, way) {
            Ok(run) => run,
            Err(Failure::Refused(_)) => continue,
            Err(failure) => {
                wrong.push(format!("{}: {:?}", scheme.name(), failed(failure)));
                continue;
            }
        };
        let coarse = if scheme == Scheme::Events {
            if let Verdict::Finding { kind, words } = consistent(&exact) {
                wrong.push(format!("events: {kind}: {words}"));
            }
            None
        } else {
            let coarser = Way { within_row: within_row.div_ceil(2), ..way };
            Some(run(&scenario.text, coarser).map_err(|failure| format!("{failure:?}"))?)
        };
        for truth in &truths {
            wrong.extend(judge(truth, &exact, coarse.as_ref()).map(|words| format!("{}: {words}", scheme.name())));
        }
    }
    Ok(wrong)
}

/// What is wrong with a run, by one truth. Steps are allowed three times the difference that doubling them makes, and the
/// change of the value within three of them.
fn judge(truth: &Truth, run: &Run, coarse: Option<&Run>) -> Option<String> {
    let Some(found) = truth.found(run) else {
        // Steps show short states a little later or not at all; the truths of columns hold them to account.
        let event = matches!(truth.what, What::Event(..));
        return (coarse.is_none() || !event).then(|| format!("there is no {}", truth.words()));
    };
    // A number of events is not to hang on the step.
    let counted = matches!(truth.what, What::Events);
    let steps = coarse.filter(|_| !counted).map_or(0.0, |coarse| {
        let doubled = truth.found(coarse).map_or(0.0, |other| 3.0 * (found - other).abs());
        let rate = match &truth.what {
            What::Column(name) => {
                let column = run.columns.iter().position(|c| c.name == *name);
                let last = run.rows.len().checked_sub(2).zip(column);
                last.map_or(0.0, |(i, k)| {
                    (run.rows[i + 1].values[k] - run.rows[i].values[k]).abs() / (run.rows[i + 1].t - run.rows[i].t)
                })
            }
            What::Rows | What::Events => 0.0,
            What::Event(..) => 1.0,
            What::Heat(_) | What::Work => run.ledger.work.abs().max(run.ledger.dissipated_total()),
        };
        doubled + 3.0 * run.h * rate
    });
    let far = (found - truth.value).abs();
    let wrong = far.is_nan() || far > truth.within + steps;
    wrong.then(|| format!("{found} instead of {}", truth.words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_are_read() {
        let list = truths(
            "# truth: x_b = 2 within 1e-9\n# truth: rows = 30\n# truth: event of p to slip- at 1.5 within 1e-8\n",
        );
        let list = list.expect("they can be read");
        assert_eq!(list[0], Truth { what: What::Column("x_b".to_string()), value: 2.0, within: 1e-9 });
        assert_eq!(list[1], Truth { what: What::Rows, value: 30.0, within: 0.0 });
        assert_eq!(list[2].what, What::Event("p".to_string(), "slip-".to_string()));
        assert!(truths("# truth: nothing\n").is_err());
    }
}
