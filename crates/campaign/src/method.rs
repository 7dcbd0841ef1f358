//! The ways in which a case is run, and what must agree.

mod alone;
mod independent;
mod pairs;
mod steps;

pub(crate) use alone::consistent;

use crate::case::Case;
use crate::random::Random;
use crate::run::{Budget, Failure, Run, Way, run};
use stickslip_scenario::Scheme;

/// A way to look for faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// The run by events by itself: rows, events, states, energy.
    Alone,
    /// Events against steps of two sizes.
    Steps,
    /// Events against an integrator that shares nothing with the library.
    Independent,
    /// A line against the plane.
    Plane,
    /// Parts as two halves.
    Halves,
    /// Seen from the other side.
    Mirror,
    /// In other units.
    Units,
    /// After a wait.
    Delay,
    /// Cut short: what was before must be the same bits.
    Cut,
    /// Begun anew in the middle.
    GoneOn,
}

impl Method {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Method; 10] = [
        Method::Alone,
        Method::Steps,
        Method::Independent,
        Method::Plane,
        Method::Halves,
        Method::Mirror,
        Method::Units,
        Method::Delay,
        Method::Cut,
        Method::GoneOn,
    ];

    /// Its name in tables and file names.
    pub fn name(self) -> &'static str {
        match self {
            Method::Alone => "alone",
            Method::Steps => "steps",
            Method::Independent => "independent",
            Method::Plane => "plane",
            Method::Halves => "halves",
            Method::Mirror => "mirror",
            Method::Units => "units",
            Method::Delay => "delay",
            Method::Cut => "cut",
            Method::GoneOn => "gone-on",
        }
    }

    /// Tries it.
    pub fn judge(self, case: &Case, budget: Budget) -> Verdict {
        match references(case, budget) {
            Ok(references) => self.judge_runs(case, &references, budget),
            Err(failure) => failed(failure),
        }
    }

    /// Tries it where the [`references`] are known. The first of them that disagrees is told of.
    pub fn judge_runs(self, case: &Case, references: &[Run], budget: Budget) -> Verdict {
        let verdict = match (self, references) {
            (Method::Steps, [exact]) => steps::against_steps(case, exact, budget),
            (Method::Steps, _) => steps::against_each_other(case, budget),
            _ => self.judge_each(case, references, budget),
        };
        match verdict {
            // Whether neighbours drift apart as well can no longer be told.
            Verdict::Finding { words, .. } if budget.is_over() => Verdict::OutOfTime { words },
            verdict => verdict,
        }
    }

    fn judge_each(self, case: &Case, references: &[Run], budget: Budget) -> Verdict {
        let mut all = Verdict::NotFor;
        for reference in references {
            match self.judge_run(case, reference, budget) {
                Verdict::NotFor => {}
                Verdict::Agrees => all = Verdict::Agrees,
                Verdict::Finding { kind, words } if reference.way.scheme != Scheme::Events => {
                    return Verdict::Finding { kind, words: format!("by {}: {words}", reference.way.scheme.name()) };
                }
                other => return other,
            }
        }
        all
    }

    fn judge_run(self, case: &Case, reference: &Run, budget: Budget) -> Verdict {
        match self {
            Method::Alone if reference.way.scheme == Scheme::Events => alone::consistent(reference),
            Method::Alone => alone::sound(reference),
            Method::Steps => Verdict::NotFor,
            // It is as exact as events, so steps cannot be held against it to its digits.
            Method::Independent if reference.way.scheme != Scheme::Events => Verdict::NotFor,
            Method::Independent => independent::independent(case, reference, budget),
            Method::Plane => pairs::plane(case, reference, budget),
            Method::Halves => pairs::halves(case, reference, budget),
            Method::Mirror => pairs::mirror(case, reference, budget),
            Method::Units => pairs::units(case, reference, budget),
            Method::Delay => pairs::delay(case, reference, budget),
            Method::Cut => pairs::cut(case, reference, budget),
            Method::GoneOn => pairs::gone_on(case, reference, budget),
        }
    }
}

/// Steps within a row of the runs that stand in for events.
const STAND_IN: u64 = 80;

/// What the other ways are held against: the run by events, or one by each scheme of steps where events do not know
/// something in the case.
pub fn references(case: &Case, budget: Budget) -> Result<Vec<Run>, Failure> {
    match run(&case.text(Scheme::Events), Way::events(budget)) {
        Err(Failure::Refused(_)) => {
            let by = |scheme: &Scheme| run(&case.text(*scheme), Way::steps(*scheme, STAND_IN, budget));
            case.steppers().iter().map(by).collect()
        }
        other => other.map(|exact| vec![exact]),
    }
}

/// What a method says of a case.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// All agree.
    Agrees,
    /// The method is not for this case.
    NotFor,
    /// The campaign has made something that is no scenario, for this reason.
    Invalid(String),
    /// They disagree.
    Finding {
        /// What kind of fault.
        kind: &'static str,
        /// What disagreed.
        words: String,
    },
    /// They disagree, and so do neighbours of the case: the motion is not decided by the data to the digits compared.
    Sensitive {
        /// What disagreed.
        words: String,
    },
    /// The time of the case was over before this was decided.
    OutOfTime {
        /// What seemed to disagree by then, if anything did.
        words: String,
    },
}

/// The verdict over a run that did not end.
pub fn failed(failure: Failure) -> Verdict {
    let (kind, words) = match failure {
        Failure::Scenario(words) => return Verdict::Invalid(words),
        Failure::Refused(_) => return Verdict::NotFor,
        Failure::OutOfTime => return Verdict::OutOfTime { words: String::new() },
        Failure::Stopped(words) => ("stopped", words),
        Failure::Slow(words) => ("slow", words),
        Failure::Panicked(words) => ("panic", words),
    };
    Verdict::Finding { kind, words }
}

/// Steps of neighbours' runs within a row.
const NEIGHBOURS_STEPS: u64 = 160;

/// Whether neighbours at this distance end at least `size` from the case, in columns of this unit, by steps: what the
/// scheme under test does with the case must not excuse it.
fn sensitive(case: &Case, distance: f64, unit: &str, size: f64, budget: Budget) -> bool {
    let mut random = Random::of_case(distance.to_bits(), 1);
    case.steppers().iter().any(|&scheme| {
        let way = Way::steps(scheme, NEIGHBOURS_STEPS, budget);
        let Ok(here) = run(&case.text(scheme), way) else { return false };
        (0..4).any(|_| {
            let there = run(&case.neighbour(distance, &mut random).text(scheme), way);
            there.is_ok_and(|there| crate::judge::spread(&here, &there, unit) >= size)
        })
    })
}
