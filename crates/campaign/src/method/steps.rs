//! Events against runs by small steps.

use stickslip_scenario::Scheme;

use super::{Verdict, failed, sensitive};
use crate::case::Case;
use crate::judge::{Difference, Estimate, exact_against_steps};
use crate::run::{Budget, Failure, Run, Way, run};

/// Steps within a row, coarse; the finer run has twice as many. The next pair is tried where one does not agree.
const LEVELS: [u64; 4] = [40, 160, 640, 5120];

/// A distance of neighbours that small steps cannot tell apart.
pub(super) const UNRESOLVED: f64 = 1e-6;

/// How a scheme of steps stands to an exact run, at the finest level tried.
struct Standing {
    scheme: Scheme,
    difference: Difference,
    fine: Run,
    estimate: Estimate,
}

impl Standing {
    fn agrees(&self) -> bool {
        self.difference.ratio <= 1.0
    }
}

fn standing(case: &Case, exact: &Run, scheme: Scheme, budget: Budget) -> Result<Standing, Failure> {
    let text = case.text(scheme);
    let (breaks, velocities) = (case.breaks(), !case.strikes());
    let mut last = None;
    let mut estimate = Estimate::default();
    for level in LEVELS {
        let coarse = run(&text, Way::steps(scheme, level, budget))?;
        let fine = run(&text, Way::steps(scheme, 2 * level, budget))?;
        estimate.add(&fine, &coarse, &breaks, velocities);
        let difference = exact_against_steps(exact, &fine, &estimate, case.speed(), &breaks, velocities);
        let standing = Standing { scheme, difference, fine, estimate: estimate.clone() };
        if standing.agrees() {
            return Ok(standing);
        }
        last = Some(standing);
    }
    last.ok_or_else(|| Failure::Stopped("no level".to_string()))
}

/// Events against all schemes of steps. Where only one of these differs it is the one to blame; where they agree with
/// each other and not with events, events are.
pub fn against_steps(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let mut standings = Vec::new();
    for &scheme in case.steppers() {
        match standing(case, exact, scheme, budget) {
            Ok(standing) => standings.push(standing),
            Err(failure) => return failed(failure),
        }
    }
    let off: Vec<&Standing> = standings.iter().filter(|s| !s.agrees()).collect();
    let Some(first) = off.first() else { return Verdict::Agrees };
    let mut words = off.iter().map(|s| format!("events against {}: {}", s.scheme.name(), s.difference.words()));
    let words = words.by_ref().collect::<Vec<_>>().join("; ");
    let kind = match &off[..] {
        [one] if standings.len() > 1 => one.scheme.name(),
        [one, other] => {
            let (breaks, velocities) = (case.breaks(), !case.strikes());
            let among = exact_against_steps(&one.fine, &other.fine, &other.estimate, case.speed(), &breaks, velocities);
            if among.ratio <= 2.0 { "events" } else { "all-differ" }
        }
        _ => "events",
    };
    let Difference { size, unit, .. } = first.difference;
    if sensitive(case, UNRESOLVED, unit, 0.2 * size, budget) {
        return Verdict::Sensitive { words };
    }
    Verdict::Finding { kind, words }
}

/// Where events refuse a case: the two schemes of steps against each other, the finest run of one taken as exact.
pub fn against_each_other(case: &Case, budget: Budget) -> Verdict {
    let [first, second] = case.steppers() else { return Verdict::NotFor };
    let (breaks, velocities) = (case.breaks(), !case.strikes());
    let mut estimate = Estimate::default();
    let mut verdict = Verdict::NotFor;
    for level in &LEVELS[1..] {
        let by_first = |within_row| run(&case.text(*first), Way::steps(*first, within_row, budget));
        let runs = by_first(*level).and_then(|coarse| Ok((coarse, by_first(2 * level)?)));
        let (coarse, exact) = match runs {
            Ok(runs) => runs,
            Err(failure) => return failed(failure),
        };
        let other = match standing(case, &exact, *second, budget) {
            Ok(other) => other,
            Err(failure) => return failed(failure),
        };
        // The error of the first scheme counts as well.
        estimate.add(&exact, &coarse, &breaks, velocities);
        let own = exact_against_steps(&other.fine, &exact, &estimate, case.speed(), &breaks, velocities);
        if other.agrees() || own.ratio <= 1.0 {
            return Verdict::Agrees;
        }
        let words = format!("{} against {}: {}", second.name(), first.name(), own.words());
        if sensitive(case, UNRESOLVED, own.unit, 0.2 * own.size, budget) {
            return Verdict::Sensitive { words };
        }
        verdict = Verdict::Finding { kind: "steps-differ", words };
    }
    verdict
}
