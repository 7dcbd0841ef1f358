//! What must hold of a run by itself.

use stickslip_core::law::State;

use super::Verdict;
use crate::run::Run;

/// Energy that may be lost by events, relative to the greatest amount in the balance.
const CLOSURE: f64 = 1e-7;

/// Greatest residual of a run by events.
const RESIDUAL: f64 = 1e-8;

/// More handovers than this in one short run are no exception any more.
const HANDOVERS: u64 = 20;

/// Looks at rows, events, states and energy of a run by events.
pub fn consistent(run: &Run) -> Verdict {
    let finding = |kind, words| Verdict::Finding { kind, words };
    if let Some(words) = rows(run) {
        return finding("rows", words);
    }
    if let Some(words) = story(run) {
        return finding("events-contradict", words);
    }
    if let Some(words) = at_rest(run) {
        return finding("stuck-moves", words);
    }
    if let Some(words) = beyond_bound(run) {
        return finding("beyond-bound", words);
    }
    let ledger = &run.ledger;
    if let Some(part) = ledger.dissipated.iter().find(|d| d.energy < -1e-9) {
        return finding("negative-heat", format!("{}: {:e} J", part.contact, part.energy));
    }
    let greatest = [ledger.start, ledger.stored, ledger.work, ledger.dissipated_total()];
    let greatest = greatest.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    if ledger.lost().abs() > CLOSURE * greatest + 1e-12 {
        return finding("energy", format!("{:e} J lost of {greatest:e} J", ledger.lost()));
    }
    if run.residual.is_nan() || run.residual > RESIDUAL {
        return finding("residual", format!("{:e}", run.residual));
    }
    if run.handovers > HANDOVERS {
        return finding("handovers", format!("{} of them", run.handovers));
    }
    Verdict::Agrees
}

/// Heat below zero that steps may show, relative to the greatest amount in the balance.
const COOLING: f64 = 1e-6;

/// Looks at a run by steps, whose events and energies are as coarse as its steps: rows, numbers, heat.
pub fn sound(run: &Run) -> Verdict {
    if let Some(words) = rows(run) {
        return Verdict::Finding { kind: "rows", words };
    }
    let ledger = &run.ledger;
    let greatest = [ledger.start, ledger.stored, ledger.work].iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    match ledger.dissipated.iter().find(|d| d.energy.is_nan() || d.energy < -COOLING * (1.0 + greatest)) {
        Some(part) => {
            Verdict::Finding { kind: "negative-heat", words: format!("{}: {:e} J", part.contact, part.energy) }
        }
        None => Verdict::Agrees,
    }
}

/// Rows are all there, once each, and finite.
fn rows(run: &Run) -> Option<String> {
    if run.rows.len() as u64 != run.asked {
        return Some(format!("{} of {} rows", run.rows.len(), run.asked));
    }
    let wrong = run.rows.iter().zip(1..).find(|(row, n)| row.n != *n);
    if let Some((row, n)) = wrong {
        return Some(format!("row {} at t = {} where row {n} is due", row.n, row.t));
    }
    let bad = run.rows.iter().find(|row| row.values.iter().any(|v| !v.is_finite()));
    bad.map(|row| format!("a number that is not finite at t = {}", row.t))
}

fn alike(a: State, b: State) -> bool {
    // Directions in the plane change all the time; only that they slip counts.
    match (a, b) {
        (State::Slip(a), State::Slip(b)) => {
            let line = |d: [f64; 2]| d[1] == 0.0 && d[0].abs() == 1.0;
            !line(a) || !line(b) || a == b
        }
        _ => a == b,
    }
}

/// Events follow on each other, and rows between them show the states that they say.
fn story(run: &Run) -> Option<String> {
    let mut last: Vec<Option<State>> = vec![None; run.contacts.len()];
    let mut time = 0.0;
    let mut events = run.events.iter().peekable();
    for row in &run.rows {
        // What happens at the very instant of a row may be told before or after it.
        while let Some(event) = events.next_if(|event| event.t <= row.t) {
            let name = &run.contacts[event.contact];
            if event.t < time {
                return Some(format!("{name} at t = {} after an event at {time}", event.t));
            }
            time = event.t;
            if let Some(known) = last[event.contact].filter(|known| !alike(*known, event.from)) {
                let (from, to) = (event.from.name(), event.to.name());
                return Some(format!("{name} at t = {}: {from} to {to} after {}", event.t, known.name()));
            }
            last[event.contact] = Some(event.to);
        }
        if (row.t - time).abs() <= 1e-9 {
            continue;
        }
        for (c, state) in row.states.iter().enumerate() {
            match last[c] {
                Some(known) if !alike(known, *state) => {
                    let name = &run.contacts[c];
                    return Some(format!("{name} is {} at t = {}, by events {}", state.name(), row.t, known.name()));
                }
                Some(_) => {}
                None => last[c] = Some(*state),
            }
        }
    }
    None
}

/// What sticks has no slip: its column is zero wherever its state says so.
fn at_rest(run: &Run) -> Option<String> {
    for (c, name) in run.contacts.iter().enumerate() {
        let slips = ["s_", "sx_", "sy_"].map(|start| format!("{start}{name}"));
        let columns = run.columns.iter().enumerate().filter(|(_, column)| slips.iter().any(|s| column.name == *s));
        for (k, column) in columns {
            let moving = |row: &&crate::run::Row| row.states[c] == State::Stick && row.values[k] != 0.0;
            if let Some(row) = run.rows.iter().find(moving) {
                return Some(format!("{} = {:e} at t = {}, where it sticks", column.name, row.values[k], row.t));
            }
        }
    }
    None
}

/// Friction that a force may have beyond its bound, as a share of it: where contacts share a load their forces are found to a
/// residual.
const BEYOND: f64 = 1e-6;

/// No friction force is greater than its bound in any row.
fn beyond_bound(run: &Run) -> Option<String> {
    let place = |name: String| run.columns.iter().position(|column| column.name == name);
    for name in &run.contacts {
        let Some(bound) = place(format!("bound_{name}")) else { continue };
        let forces: Vec<usize> =
            ["f_", "fx_", "fy_"].iter().filter_map(|start| place(format!("{start}{name}"))).collect();
        let greatest = run.rows.iter().fold(0.0_f64, |m, row| m.max(row.values[bound]));
        let force = |row: &crate::run::Row| forces.iter().fold(0.0_f64, |m, &k| m.hypot(row.values[k]));
        let over = |row: &&crate::run::Row| force(row) > row.values[bound] * (1.0 + BEYOND) + 1e-9 * greatest;
        if let Some(row) = run.rows.iter().find(over) {
            return Some(format!(
                "friction of {name} is {} at t = {}, its bound {}",
                force(row),
                row.t,
                row.values[bound]
            ));
        }
    }
    None
}
