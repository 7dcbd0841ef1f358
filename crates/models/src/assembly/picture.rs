//! Assemblies in motion: blocks on a line from the side, as well as one that a spring presses on a belt; bodies in the plane from above.

mod line;
mod plan;
mod pressed;

use stickslip_report::motion::{Channel, Motion, Tone};
use stickslip_report::palette::Role;
use stickslip_run::Trace;
use stickslip_run::view::moving::{events, greatest};

use super::charts::key;
use super::{Assembly, Face, Freedom, Pad};

/// Bodies and pads beyond which a picture would only be crowded.
const MOST: usize = 12;

/// Colours of the arrows.
const FRICTION: Tone = Tone::Data(Role::Second);
const GIVEN: Tone = Tone::Data(Role::Third);
const MOVING: Tone = Tone::Muted;

/// The assembly at these rows of its trace; none where there are too many bodies or pads to be told apart.
pub(super) fn picture(assembly: &Assembly, trace: &Trace, rows: &[usize]) -> Option<Motion> {
    let p = assembly.parameters();
    if p.bodies.len() > MOST || p.pads.len() > MOST || rows.is_empty() {
        return None;
    }
    let on_a_line = p.bodies.iter().all(|body| body.freedom == Freedom::Line);
    let mut motion = match pressed::block(assembly) {
        Some(block) => pressed::picture(assembly, &block, trace, rows),
        None if on_a_line => line::picture(assembly, trace, rows),
        None => plan::picture(assembly, trace, rows),
    };
    motion.events = events(trace);
    Some(motion)
}

/// The rows of a column.
fn take(trace: &Trace, rows: &[usize], name: &str) -> Vec<f64> {
    let values = trace.column(name);
    rows.iter().map(|&i| values.get(i).copied().unwrap_or(0.0) + 0.0).collect()
}

/// Whether a pad sticks (0) or slips (1).
fn state(motion: &mut Motion, trace: &Trace, rows: &[usize], pad: &Pad) -> Channel {
    let values = take(trace, rows, &key("eps", "", &pad.name));
    motion.state_channel(values.iter().map(|eps| f64::from(u8::from(*eps != 0.0))).collect())
}

/// The states of pads and their colours.
fn explain(assembly: &Assembly, motion: &mut Motion) {
    if assembly.parameters().pads.is_empty() {
        return;
    }
    motion.state("sticks", Tone::Stick);
    motion.state("slips", Tone::Slip);
}

/// Columns of a pad's friction.
fn frictions(pad: &Pad) -> Vec<String> {
    match pad.face {
        Face::Disk => ["x", "y"].map(|axis| key("f", axis, &pad.name)).to_vec(),
        Face::Along(_) => vec![key("f", "", &pad.name)],
    }
}

/// The greatest of all frictions \[N\].
fn strongest(assembly: &Assembly, trace: &Trace) -> f64 {
    let columns = assembly.parameters().pads.iter().flat_map(frictions);
    let most =
        columns.map(|name| trace.column(&name).iter().fold(0.0_f64, |most, v| most.max(v.abs()))).fold(0.0, f64::max);
    let given = trace.columns.iter().filter(|column| column.name.starts_with('F') && column.unit == "N");
    let given = given.map(|column| greatest(trace, &column.name)).fold(0.0, f64::max);
    let most = most.max(given);
    if most > 0.0 { most } else { 1.0 }
}

impl Assembly {
    /// Names of the columns of prescribed forces, in their order.
    fn force_columns(&self) -> Vec<String> {
        let from = self.first_force_column();
        let columns = self.columns.get(from..from + self.parameters.forces.len()).unwrap_or_default();
        columns.iter().map(|column| column.name.to_string()).collect()
    }
}
