//! Two runs by events that must be equal but for rounding.

use stickslip_core::model::Column;
use stickslip_scenario::Scheme;

use super::{Verdict, failed, sensitive};
use crate::assembly::Units;
use crate::case::Case;
use crate::judge::{Comparison, equal};
use crate::run::{Budget, Run, Way, run};

/// Difference allowed, relative to the greatest value: what is integrated to 1e-12 may grow a little from event to event.
const SHARE: f64 = 1e-7;

/// Rounding, as a distance of neighbours. What it grows to is no fault.
const ROUNDING: f64 = 1e-11;

fn compare(
    case: &Case,
    exact: &Run,
    other: Option<Case>,
    how: &Comparison,
    kind: &'static str,
    budget: Budget,
) -> Verdict {
    let Some(other) = other else { return Verdict::NotFor };
    let other = match run(&other.text(Scheme::Events), Way::events(budget)) {
        Ok(run) => run,
        Err(failure) => return failed(failure),
    };
    let difference = equal(exact, &other, how, SHARE);
    if difference.ratio <= 1.0 {
        return Verdict::Agrees;
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

/// After a wait at rest.
pub fn delay(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    const ROWS: u64 = 16;
    let same = |column: &Column| Some((column.name.to_string(), 1.0));
    let breaks = case.breaks();
    let how = Comparison { behind: ROWS, ..plainly(&breaks, &same) };
    compare(case, exact, case.delayed(ROWS), &how, "delay", budget)
}

/// Cut short: what happens before t never depends on what is asked after t.
pub fn cut(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let rows = (exact.asked * 5 / 8).max(1);
    let way = Way { rows: Some(rows), ..Way::events(budget) };
    let short = match run(&case.text(Scheme::Events), way) {
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

/// Begun anew from a row in the middle.
pub fn gone_on(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let Case::Assembly(assembly) = case else { return Verdict::NotFor };
    let middle = exact.asked / 2;
    let Some(row) = exact.rows.iter().find(|row| row.n == middle) else { return Verdict::NotFor };
    let read = |rates: &str, body: usize| {
        let value = |axis: &str| {
            let name = format!("{rates}{axis}_b{body}");
            exact.columns.iter().position(|c| c.name == name).map_or(0.0, |k| row.values[k])
        };
        [value("x"), value("y"), value("yaw")]
    };
    let bodies = 0..assembly.bodies.len();
    let places: Vec<[f64; 3]> = bodies.clone().map(|i| read("", i)).collect();
    let speeds: Vec<[f64; 3]> = bodies.map(|i| read("v", i)).collect();
    let Some(later) = assembly.from_time(row.t, &places, &speeds) else { return Verdict::NotFor };
    // Displacements and energies begin anew.
    let moves = |column: &Column| {
        let moves = ["x_b", "y_b", "yaw_b", "vx_b", "vy_b", "vyaw_b", "s_p", "sx_p", "sy_p"];
        moves.iter().any(|start| column.name.starts_with(start)).then(|| (column.name.to_string(), 1.0))
    };
    let later = Case::Assembly(later);
    let run = match run(&later.text(Scheme::Events), Way::events(budget)) {
        Ok(run) => run,
        Err(failure) => return failed(failure),
    };
    let breaks: Vec<f64> = case.breaks().iter().map(|t| t - row.t).collect();
    let how = Comparison { behind: middle, ..plainly(&breaks, &moves) };
    let difference = equal(&run, exact, &how, SHARE);
    if difference.ratio <= 1.0 {
        return Verdict::Agrees;
    }
    let words = format!("from t = {}: {}", row.t, difference.words());
    if sensitive(case, 1e-8, difference.unit, (100.0 * difference.size).min(1e-2), budget) {
        return Verdict::Sensitive { words };
    }
    Verdict::Finding { kind: "gone-on", words }
}
