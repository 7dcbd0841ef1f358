//! Pictures of tyres, brake discs and controllers.

use stickslip_core::record::column_part;
use stickslip_report::figure::{Axis, Band, Figure, Panel, Series, Strip};
use stickslip_report::html::Section;
use stickslip_report::palette::{Role, State};
use stickslip_run::Trace;
use stickslip_run::text::number;
use stickslip_run::view::{Curve, Group, untitled};

use super::{Data, MOST_WHEELS, ROLES};
use crate::vehicle::Vehicle;
use crate::vehicle::record::temperature_column;

/// Points of the curve of a tyre.
const POINTS: usize = 400;

/// Strips of the modes of controllers.
pub(super) fn controller_strips(trace: &Trace) -> Vec<Strip> {
    let modes = trace.columns.iter().filter(|column| column.name.starts_with("mode_"));
    let strip = |name: &str| {
        let word = |mode: &f64| match *mode {
            mode if mode > 0.0 => State::Rises,
            mode if mode < 0.0 => State::Falls,
            _ => State::Held,
        };
        // What is recorded at a row holds from there to the next.
        let (t, modes) = (trace.column("t"), trace.column(name));
        let mut bands: Vec<Band> = Vec::new();
        for (from, mode) in t.iter().zip(modes) {
            let state = word(mode);
            match bands.last_mut() {
                Some(band) if band.state == state => band.to = *from,
                last => {
                    if let Some(band) = last {
                        band.to = *from;
                    }
                    bands.push(Band { from: *from, to: *from, state });
                }
            }
        }
        if let Some(band) = bands.last_mut() {
            band.to = trace.end;
        }
        Strip { contact: name.trim_start_matches("mode_").to_string(), bands }
    };
    modes.map(|column| strip(&column.name)).collect()
}

/// Temperatures of brake discs over time, and what controllers command.
pub(super) fn curves(vehicle: &Vehicle, trace: &Trace, data: &Data<'_>) -> Vec<Group> {
    let curve = |name: &str, k: usize, column: &str| Curve {
        name: name.to_string(),
        role: ROLES[k % ROLES.len()],
        values: data.thinned.column(column),
    };
    let shown = vehicle.parameters().wheels.iter().enumerate().take(MOST_WHEELS);
    let discs = shown.filter(|(_, wheel)| wheel.disc.is_some());
    let warm: Vec<Curve> = discs.map(|(i, wheel)| curve(&wheel.name, i, &temperature_column(&wheel.name))).collect();
    // Commands in one unit share an axis.
    let mut by_unit: Vec<(&'static str, Vec<Curve>)> = Vec::new();
    let commands = trace.columns.iter().filter(|column| column.name.starts_with("command_")).take(ROLES.len());
    for (k, column) in commands.enumerate() {
        let curve = curve(column.name.trim_start_matches("command_"), k, &column.name);
        match by_unit.iter_mut().find(|(unit, _)| *unit == column.unit) {
            Some((_, curves)) => curves.push(curve),
            None => by_unit.push((column.unit, vec![curve])),
        }
    }
    let temperatures = (!warm.is_empty()).then(|| Group::new("temperature of the brake disc", "°C", warm));
    let commands = by_unit.into_iter().map(|(unit, curves)| Group::new("command of the controller", unit, curves));
    temperatures.into_iter().chain(commands).collect()
}

/// Force over slip, with the run drawn on it.
pub(super) fn force_over_slip(vehicle: &Vehicle, trace: &Trace, data: &Data<'_>) -> Option<(Figure, Section)> {
    let wheels = &vehicle.parameters().wheels;
    let tyres: Vec<usize> = (0..wheels.len().min(MOST_WHEELS)).filter(|&i| wheels[i].tyre.is_some()).collect();
    let mut panel = Panel::new(Axis::linear("slip ratio", ""), Axis::linear("force on the vehicle", "N"));
    for &i in &tyres {
        let part = column_part(&wheels[i].name);
        let (slip, force) = (trace.column(&format!("slip_{part}")), trace.column(&format!("f_{part}")));
        // Slip ratios tell something while the vehicle moves.
        let moves = |row: &&usize| trace.column("x1")[**row].abs() > SLOW;
        let run: Vec<[f64; 2]> =
            data.thinned.rows.iter().filter(moves).map(|&row| [slip[row], 0.0 - force[row]]).collect();
        let ends = run.iter().fold([-0.05_f64, 0.05_f64], |m, [s, _]| [m[0].min(*s), m[1].max(*s)]);
        let formula = vehicle.tyre_curve(i, ends.map(|end| end.clamp(-1.0, 0.95)), POINTS)?;
        let many = |what: &str| if tyres.len() > 1 { format!("{what}, {}", wheels[i].name) } else { what.to_string() };
        panel = panel.with(Series::line(many("steady formula"), Role::Reference, formula)).with(Series::line(
            many("run"),
            ROLES[i % ROLES.len()],
            run,
        ));
    }
    panel.height = 260.0;
    let figure = Figure::stacked(vec![panel]).titled("Force over slip");
    let section = Section {
        heading: "Force over slip".into(),
        text: format!(
            "The force of the tyre over its slip ratio, forward positive: what the Magic Formula says of a steady slip at the load on \
             the level, and what happened, as long as the vehicle was faster than {} m/s. A tread needs a way to bend, so \
             that the run lags behind the formula where the slip changes fast.",
            number(SLOW)
        ),
        content: vec![untitled(&figure)],
    };
    (!tyres.is_empty()).then_some((figure, section))
}

/// Speed below which slip ratios are not drawn [m/s].
const SLOW: f64 = 0.5;
