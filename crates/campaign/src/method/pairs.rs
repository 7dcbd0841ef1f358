//! Two runs that must be equal but for rounding: by events, or by the same steps where events do not know the case.

use stickslip_core::record::Column;
use stickslip_scenario::Scheme;

use super::steps::UNRESOLVED;
use super::{Verdict, failed, sensitive};
use crate::assembly::Units;
use crate::case::Case;
use crate::judge::{Comparison, Difference, Estimate, equal, steps_against_steps};
use crate::run::{Budget, Failure, Run, Way, run};

/// Difference allowed, relative to the greatest value: what is integrated to 1e-12 may grow a little from event to event.
const SHARE: f64 = 1e-7;

/// Rounding, as a distance of neighbours. What it grows to is no fault.
const ROUNDING: f64 = 1e-11;

/// Steps in a row become so many times as many where runs by steps differ, up to this number.
const FINER: u64 = 8;
const MOST_WITHIN_ROW: u64 = 5120;

fn compare(
    case: &Case,
    exact: &Run,
    other: Option<Case>,
    how: &Comparison,
    kind: &'static str,
    budget: Budget,
) -> Verdict {
    let Some(other) = other else { return Verdict::NotFor };
    let run_of_other = match run(&other.text(exact.way.scheme), exact.way.until(budget)) {
        Ok(run) => run,
        Err(failure) => return failed(failure),
    };
    let difference = equal(exact, &run_of_other, how, SHARE);
    if difference.ratio <= 1.0 {
        return Verdict::Agrees;
    }
    if exact.way.scheme != Scheme::Events {
        let verdict = judge_steps(case, case, exact, &run_of_other, how, kind, budget);
        return match finer(case, exact, &verdict, budget) {
            Some(Ok(finer)) => compare(case, &finer, Some(other), how, kind, budget),
            Some(Err(failure)) => failed(failure),
            None => verdict,
        };
    }
    let words = difference.words();
    // Steps resolve no such neighbours: what they grow to is taken in proportion from some that are further apart.
    let further = 1e-8;
    if sensitive(case, further, difference.unit, 0.1 * difference.size * further / ROUNDING, budget)
        || sensitive(case, further, difference.unit, 1e-2, budget)
    {
        return Verdict::Sensitive { words };
    }
    Verdict::Finding { kind, words }
}

/// The same run with far smaller steps, where some that are not small were said to differ. What is a fault differs there, too.
fn finer(case: &Case, run_so_far: &Run, verdict: &Verdict, budget: Budget) -> Option<Result<Run, Failure>> {
    let way = run_so_far.way.until(budget);
    let within_row = FINER * way.within_row;
    let again = matches!(verdict, Verdict::Finding { .. }) && within_row <= MOST_WITHIN_ROW;
    again.then(|| run(&case.text(way.scheme), Way { within_row, ..way }))
}

/// Two runs by steps that are not equal: rounding takes what happens at the end of a step into the next one, so that
/// they may be as far apart as their own error. `first` is the case of the first run, `case` that whose neighbours count.
fn judge_steps(
    case: &Case,
    first: &Case,
    a: &Run,
    b: &Run,
    how: &Comparison,
    kind: &'static str,
    budget: Budget,
) -> Verdict {
    let difference = match within_steps(first, a, b, how, budget) {
        Ok(difference) => difference,
        Err(failure) => return failed(failure),
    };
    if difference.ratio <= 1.0 {
        return Verdict::Agrees;
    }
    let words = difference.words();
    if sensitive(case, UNRESOLVED, difference.unit, 0.2 * difference.size, budget) {
        return Verdict::Sensitive { words };
    }
    Verdict::Finding { kind, words }
}

fn within_steps(first: &Case, a: &Run, b: &Run, how: &Comparison, budget: Budget) -> Result<Difference, Failure> {
    let coarser = Way { within_row: a.way.within_row.div_ceil(2), ..a.way.until(budget) };
    let coarse = run(&first.text(a.way.scheme), coarser)?;
    let velocities = !first.strikes();
    let mut estimate = Estimate::default();
    estimate.add(a, &coarse, how.breaks, velocities);
    let how = Comparison { near: 4.0 * a.h, velocities, ..*how };
    Ok(steps_against_steps(a, b, &how, &estimate, first.speed()))
}

fn plainly<'a>(breaks: &'a [f64], partner: &'a dyn Fn(&Column) -> Option<(String, f64)>) -> Comparison<'a> {
    Comparison { partner, ..Comparison::plain(breaks, 1e-9, true) }
}

/// The same motion on a line and in the plane.
pub fn plane(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    // Columns of pads in the plane have an axis: `s_p0` becomes `sx_p0`.
    let partner = |column: &Column| {
        let name = column.name.to_string();
        let name = match name.split_once("_p") {
            Some((short @ ("s" | "d" | "f"), rest)) => format!("{short}x_p{rest}"),
            _ => name,
        };
        Some((name, 1.0))
    };
    compare(case, exact, case.in_plane(), &plainly(&case.breaks(), &partner), "line-plane", budget)
}

/// Springs and pads whole and as halves.
pub fn halves(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let same = |column: &Column| Some((column.name.to_string(), 1.0));
    compare(case, exact, case.in_halves(), &plainly(&case.breaks(), &same), "whole-halves", budget)
}

/// Seen from the other side.
pub fn mirror(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let partner = |column: &Column| {
        let angle = case.model() != "assembly" && matches!(column.unit, "rad" | "rad/s");
        let turned = angle || matches!(column.unit, "m" | "m/s");
        Some((column.name.to_string(), if turned { -1.0 } else { 1.0 }))
    };
    compare(case, exact, case.mirrored(), &plainly(&case.breaks(), &partner), "mirror", budget)
}

/// In units in which all numbers are multiplied by powers of two, so that rounding is the same.
pub fn units(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let units = Units { mass: 256.0, length: 1.0 / 1024.0, time: 64.0 };
    let partner = |column: &Column| Some((column.name.to_string(), units.of(column.unit)));
    let breaks = case.breaks();
    let how = Comparison { time: units.time, ..plainly(&breaks, &partner) };
    compare(case, exact, Some(case.in_units(units)), &how, "units", budget)
}

/// After a wait.
pub fn delay(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    const ROWS: u64 = 16;
    // What moves while it waits is elsewhere afterwards, as fast as before.
    let partner = |column: &Column| {
        let place = matches!(column.unit, "m" | "rad") && case.moves_while_it_waits();
        (!place).then(|| (column.name.to_string(), 1.0))
    };
    let breaks = case.breaks();
    let how = Comparison { behind: ROWS, ..plainly(&breaks, &partner) };
    compare(case, exact, case.delayed(ROWS), &how, "delay", budget)
}

/// Cut short: what happens before t never depends on what is asked after t.
pub fn cut(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let rows = (exact.asked * 5 / 8).max(1);
    let way = Way { rows: Some(rows), ..exact.way.until(budget) };
    let short = match run(&case.text(way.scheme), way) {
        Ok(short) => short,
        Err(failure) => return failed(failure),
    };
    // The last row is the end of the shorter run, where it may round otherwise.
    for (a, b) in exact.rows.iter().zip(&short.rows).take(rows as usize - 1) {
        if a.n != b.n {
            break;
        }
        if let Some(k) = (0..a.values.len()).find(|&k| a.values[k].to_bits() != b.values[k].to_bits()) {
            let (name, t) = (&exact.columns[k].name, a.t);
            let words = format!("{name} at t = {t}: {:e} against {:e} when cut", a.values[k], b.values[k]);
            let far = (a.values[k] - b.values[k]).abs() > 1e-9 * (1.0 + a.values[k].abs());
            return Verdict::Finding { kind: if far { "cut" } else { "cut-last-bits" }, words };
        }
    }
    let end = short.rows.last().map_or(0.0, |row| row.t) - 1e-9;
    let before = |run: &Run| run.events.iter().filter(|e| e.t < end).copied().collect::<Vec<_>>();
    if before(exact) != before(&short) {
        return Verdict::Finding { kind: "cut-events", words: "events before the cut are not the same".to_string() };
    }
    Verdict::Agrees
}

/// Begun anew from a row in the middle. Not for walls: steps may end a little beyond one, where nothing can begin.
pub fn gone_on(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    if case.strikes() {
        return Verdict::NotFor;
    }
    let middle = exact.asked / 2;
    let Some(row) = exact.rows.iter().find(|row| row.n == middle) else { return Verdict::NotFor };
    let value = |name: &str| exact.columns.iter().position(|c| c.name == name).map_or(0.0, |k| row.values[k]);
    let Some(later) = case.from_row(row.t, &value) else { return Verdict::NotFor };
    // Displacements and energies begin anew, and so do the places of vehicles.
    let moves = |column: &Column| {
        let of_bodies = ["x_b", "y_b", "yaw_b", "vx_b", "vy_b", "vyaw_b", "s_p", "sx_p", "sy_p"];
        let moves = match case {
            Case::Assembly(_) => of_bodies.iter().any(|start| column.name.starts_with(start)),
            Case::Vehicle(_) => column.unit == "m/s" || column.name == "energy",
        };
        moves.then(|| (column.name.to_string(), 1.0))
    };
    let run = match run(&later.text(exact.way.scheme), exact.way.until(budget)) {
        Ok(run) => run,
        Err(failure) => return failed(failure),
    };
    let breaks: Vec<f64> = case.breaks().iter().map(|t| t - row.t).collect();
    let how = Comparison { behind: middle, ..plainly(&breaks, &moves) };
    let difference = equal(&run, exact, &how, SHARE);
    if difference.ratio <= 1.0 {
        return Verdict::Agrees;
    }
    if exact.way.scheme != Scheme::Events {
        let verdict = judge_steps(case, &later, &run, exact, &how, "gone-on", budget);
        return match finer(case, exact, &verdict, budget) {
            Some(Ok(finer)) => gone_on(case, &finer, budget),
            Some(Err(failure)) => failed(failure),
            None => verdict,
        };
    }
    let words = format!("from t = {}: {}", row.t, difference.words());
    if sensitive(case, 1e-8, difference.unit, (100.0 * difference.size).min(1e-2), budget) {
        return Verdict::Sensitive { words };
    }
    Verdict::Finding { kind: "gone-on", words }
}
