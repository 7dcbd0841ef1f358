//! The plane of slips at changes of state, with its limit directions.

use crate::towed_wheel::TowedWheel;
use stickslip_core::analysis::limit_directions::{LimitDirection, SlipField, portrait};
use stickslip_core::analysis::orbit::{Point, advance};
use stickslip_core::law::State;
use stickslip_core::mechanics::At;
use stickslip_core::scheme::Event;
use stickslip_report::figure::{Anchor, Axis, Figure, Note, Panel, Series};
use stickslip_report::html::{Content, TextTable};
use stickslip_report::palette::Role;

use stickslip_run::text::number_to;
use stickslip_run::view::DataTable;

/// A rate R this share of the greatest one is zero: events are located to half the digits of a rate.
const ROUNDING: f64 = 1e-6;

/// Changes of state whose limit directions are listed.
const LISTED: usize = 24;

/// The first changes of state, each with the motion there.
pub(super) fn at_events(wheel: &TowedWheel, events: &[Event]) -> Vec<(Event, Point)> {
    let mut found: Vec<(Event, Point)> = Vec::new();
    for event in events.iter().take(LISTED) {
        let start = Point::start(wheel);
        let last = found.last().map_or(&start, |(_, point)| point);
        let duration = event.t - last.t;
        match advance(wheel, last, duration) {
            Ok(mut point) if duration > 0.0 => {
                // At an event the slip is zero; what a step of first order has left is not drawn.
                point.v[..2].fill(0.0);
                found.push((*event, point));
            }
            _ => break,
        }
    }
    found
}

fn field(wheel: &TowedWheel, point: &Point) -> Option<SlipField> {
    SlipField::of(wheel, At { t: point.t, q: &point.q, v: &point.v, sides: &[], transfer: 0.0 })
}

/// Whether slips arrive along a limit direction. Where rolling is lost R is zero, and rounding may say either: slips leave
/// along that one.
fn arrives(field: &SlipField, limit: &LimitDirection) -> bool {
    let all = field.limit_directions();
    let greatest = all.as_slice().iter().fold(0.0_f64, |m, d| m.max(d.rate.abs()));
    limit.rate < -ROUNDING * greatest
}

fn kind(event: &Event) -> &'static str {
    match (event.from, event.to) {
        (State::Stick, _) => "rolling → slipping",
        (_, State::Stick) => "slipping → rolling",
        _ => "slipping → slipping",
    }
}

/// The plane of slips at the first event of each kind.
pub(super) fn slip_plane(wheel: &TowedWheel, points: &[(Event, Point)]) -> Option<Figure> {
    let kinds = ["rolling → slipping", "slipping → rolling", "slipping → slipping"];
    let firsts = kinds.iter().filter_map(|name| points.iter().find(|(event, _)| kind(event) == *name));
    let mut panels = Vec::new();
    for (event, point) in firsts {
        let field = field(wheel, point)?;
        let axis = |label: &str| Axis::linear(label, "").from_to(-1.0, 1.0);
        let mut panel = Panel::new(axis("u_1, scaled"), axis("u_2, scaled"));
        panel.title = format!("{} s: {}", number_to(event.t, 4), kind(event));
        panel.height = 215.0;
        for path in portrait(&field, 0.8, 36) {
            panel.series.push(Series::line("", Role::Reference, path).wide(0.7));
        }
        for limit in field.limit_directions().as_slice() {
            let (sin, cos) = limit.angle.sin_cos();
            let role = if arrives(&field, limit) { Role::Stick } else { Role::Slip };
            let width = if limit.is_generic() { 3.0 } else { 1.5 };
            panel.series.push(Series::line("", role, vec![[0.0, 0.0], [cos, sin]]).wide(width));
        }
        let slip = match (event.from, event.to) {
            (State::Slip(d), State::Stick) => vec![("from", d)],
            (_, State::Slip(d)) if event.from == State::Stick => vec![("to", d)],
            (State::Slip(from), State::Slip(to)) => vec![("from", from), ("to", to)],
            _ => Vec::new(),
        };
        for (text, [x, y]) in slip {
            let at = [0.86 * x, 0.86 * y];
            let anchor = if x > 0.5 { Anchor::End } else { Anchor::Start };
            panel.notes.push(Note { at, text: text.into(), anchor });
        }
        panels.push(panel);
    }
    if panels.is_empty() {
        return None;
    }
    // The legend stands for all panels, whichever has such a direction.
    let none = || vec![[f64::NAN, f64::NAN]];
    panels[0].series.extend([
        Series::line("attracting", Role::Stick, none()).wide(3.0),
        Series::line("repelling", Role::Slip, none()).wide(3.0),
        Series::line("orbits of the slip", Role::Reference, none()),
    ]);
    let title = "Limit directions in the plane of slips (thick: generic)";
    Some(Figure { width: 860.0, common_legend: true, ..Figure::side_by_side(panels) }.titled(title))
}

pub(super) fn directions_table(wheel: &TowedWheel, points: &[(Event, Point)]) -> Option<Content> {
    let header = ["t (s)", "change", "force needed / C", "limit directions: angle (rad), attracting − or repelling +"];
    let row = |(event, point): &(Event, Point)| {
        let field = field(wheel, point)?;
        let all = field.limit_directions();
        let word = |d: &LimitDirection| {
            let generic = if d.is_generic() { "" } else { " exceptional" };
            format!("{}{}{generic}", number_to(d.angle, 5), if arrives(&field, d) { " −" } else { " +" })
        };
        let words: Vec<String> = all.as_slice().iter().map(word).collect();
        Some(vec![number_to(event.t, 9), kind(event).into(), number_to(field.demand(), 6), words.join(", ")])
    };
    let rows: Vec<Vec<String>> = points.iter().filter_map(row).collect();
    let table = TextTable { header: header.map(String::from).to_vec(), rows };
    (!table.rows.is_empty()).then_some(Content::Table(table))
}

/// The limit directions as data, one row each.
pub(super) fn directions_data(wheel: &TowedWheel, points: &[(Event, Point)]) -> Option<DataTable> {
    let header = ["t [s]", "change", "force_needed [C]", "angle [rad]", "attracts", "generic"];
    let mut table = DataTable::new("limit-directions", &header);
    for (event, point) in points {
        let Some(field) = field(wheel, point) else { continue };
        for limit in field.limit_directions().as_slice() {
            let numbers = [event.t, field.demand(), limit.angle].map(|value| value.to_string());
            let [t, demand, angle] = numbers;
            let flags = [arrives(&field, limit), limit.is_generic()].map(|flag| u8::from(flag).to_string());
            let [attracts, generic] = flags;
            table.rows.push(vec![t, kind(event).to_string(), demand, angle, attracts, generic]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}
