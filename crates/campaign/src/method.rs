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
        let exact = match run(&case.text(Scheme::Events), Way::events(budget)) {
            Ok(exact) => Some(exact),
            Err(Failure::Refused(_)) => None,
            Err(failure) => return failed(failure),
        };
        self.judge_run(case, exact.as_ref(), budget)
    }

    /// Tries it where the run by events is known; none if the scheme has refused the case.
    pub fn judge_run(self, case: &Case, exact: Option<&Run>, budget: Budget) -> Verdict {
        let Some(exact) = exact else {
            return if self == Method::Steps { steps::against_each_other(case, budget) } else { Verdict::NotFor };
        };
        match self {
            Method::Alone => alone::consistent(exact),
            Method::Steps => steps::against_steps(case, exact, budget),
            Method::Independent => independent::independent(case, exact, budget),
            Method::Plane => pairs::plane(case, exact, budget),
            Method::Halves => pairs::halves(case, exact, budget),
            Method::Mirror => pairs::mirror(case, exact, budget),
            Method::Units => pairs::units(case, exact, budget),
            Method::Delay => pairs::delay(case, exact, budget),
            Method::Cut => pairs::cut(case, exact, budget),
            Method::GoneOn => pairs::gone_on(case, exact, budget),
        }
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
}

/// The verdict over a run that did not end.
pub fn failed(failure: Failure) -> Verdict {
    let (kind, words) = match failure {
        Failure::Scenario(words) => return Verdict::Invalid(words),
        Failure::Refused(_) => return Verdict::NotFor,
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
