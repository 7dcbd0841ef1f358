//! Portraits of a motion: speed against place of bodies on a line, the way of pads that slip in the plane.

use super::charts::{CURVE_POINTS, MOST, key};
use super::{Assembly, Face, Freedom};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::Section;
use stickslip_report::palette::Role;
use stickslip_report::thinning::{rows_to_keep, with_last_periods};
use stickslip_run::Trace;
use stickslip_run::view::rounding::{Kind, kind};
use stickslip_run::view::untitled;

/// Rows that a portrait is drawn through at the most: a turn of an oscillation that is round needs a hundred of them, and the figure
/// leaves out again those that the eye cannot tell from a straight line.
const PORTRAIT_ROWS: usize = 8 * CURVE_POINTS;

/// Figures under their file names, each with its section; none where nothing moves.
pub(super) fn portraits(assembly: &Assembly, trace: &Trace) -> Vec<(&'static str, Section, Figure)> {
    let section = |heading: &str, text: &str, figure: &Figure| Section {
        heading: heading.into(),
        text: text.into(),
        content: vec![untitled(figure)],
    };
    let mut found = Vec::new();
    if let Some(figure) = phase(assembly, trace) {
        let text = "Speed against place: a motion that repeats itself is a closed curve, and one at rest a point. Of long runs the last \
                    periods are drawn strong.";
        found.push(("phase", section("Phase portrait", text, &figure), figure));
    }
    if let Some(figure) = orbits(assembly, trace) {
        let text = "The way of each pad over what it rubs on, seen from above.";
        found.push(("orbit", section("Where pads slip", text, &figure), figure));
    }
    found
}

/// Speed against place of the first bodies on a line.
fn phase(assembly: &Assembly, trace: &Trace) -> Option<Figure> {
    let bodies = assembly.parameters().bodies.iter().filter(|body| body.freedom == Freedom::Line).take(2);
    let mut panels = Vec::new();
    for body in bodies {
        let [x, v] = [key("", "x", &body.name), key("v", "x", &body.name)];
        if [&x, &v].iter().any(|name| kind(trace, name) != Kind::Data) {
            continue;
        }
        let panel = Panel::new(
            Axis::linear(format!("place of {}", body.name), "m"),
            Axis::linear(format!("speed of {}", body.name), "m/s"),
        );
        panels.push(drawn(panel, trace.column(&x), trace.column(&v)));
    }
    (!panels.is_empty()).then(|| Figure::side_by_side(panels).titled("Phase portrait"))
}

/// Displacement along y against that along x of the first pads that slip in the plane.
fn orbits(assembly: &Assembly, trace: &Trace) -> Option<Figure> {
    let pads = assembly.parameters().pads.iter().filter(|pad| pad.face == Face::Disk).take(MOST);
    let mut panels = Vec::new();
    for pad in pads {
        let [x, y] = ["x", "y"].map(|axis| key("d", axis, &pad.name));
        // A way along one axis is a line, which the displacement over time shows better.
        if [&x, &y].iter().any(|name| kind(trace, name) != Kind::Data) {
            continue;
        }
        let mut panel = Panel::new(Axis::linear("along x", "mm"), Axis::linear("along y", "mm"));
        panel.title = format!("pad {}", pad.name);
        let [x, y] = [x, y].map(|name| trace.column(&name).iter().map(|d| 1e3 * d).collect::<Vec<f64>>());
        panels.push(drawn(panel, &x, &y));
    }
    (!panels.is_empty()).then(|| Figure::side_by_side(panels).titled("Where pads slip"))
}

/// The panel with a curve; of a long run the last periods stand out.
fn drawn(mut panel: Panel, x: &[f64], y: &[f64]) -> Panel {
    let (rows, late) = with_last_periods(rows_to_keep(&[x, y], &[], PORTRAIT_ROWS), &[x, y]);
    let points = |rows: &[usize]| rows.iter().map(|&i| [x[i], y[i]]).collect::<Vec<_>>();
    panel.height = 230.0;
    match late {
        None => panel.with(Series::line("", Role::First, points(&rows)).wide(1.2)),
        Some(from) => {
            let split = rows.partition_point(|&row| row < from);
            let early = Series::line("before", Role::Reference, points(&rows[..split])).wide(0.4);
            panel.with(early).with(Series::line("last periods", Role::First, points(&rows[split..])).wide(1.4))
        }
    }
}
