//! The pictures of a half-car.

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;
use stickslip_run::view::{View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

use super::picture::picture;
use super::{Car, WHEELS};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 2000;

/// Groups of curves that are not folded away.
const SHOWN: usize = 3;

/// One curve: name, colour, values.
type Curve = (String, Role, Vec<f64>);

/// Curves over time that belong together.
struct Group {
    label: &'static str,
    unit: &'static str,
    curves: Vec<Curve>,
}

/// Figures and sections of a half-car's run.
pub(super) fn half_car(car: &Car, trace: &Trace, summary: &Summary) -> View {
    let columns = ["heave", "pitch", "N_front", "N_rear", "z_front", "z_rear", "x1"];
    let marks =
        WHEELS.map(|name| -> Vec<i8> { trace.column(&format!("air_{name}")).iter().map(|v| *v as i8).collect() });
    let rows = rows_to_keep(&columns.map(|name| trace.column(name)), &[&marks[0], &marks[1]], CURVE_POINTS);
    let take =
        |name: &str, factor: f64| -> Vec<f64> { rows.iter().map(|&i| factor * trace.column(name)[i] + 0.0).collect() };
    let wheels = |short: &str, factor: f64| -> Vec<Curve> {
        let roles = [Role::Second, Role::Third];
        let each = WHEELS.iter().zip(roles);
        each.map(|(name, role)| ((*name).to_string(), role, take(&format!("{short}_{name}"), factor))).collect()
    };
    let one = |words: &str, name: &str, factor: f64| vec![(words.to_string(), Role::First, take(name, factor))];
    let groups = [
        Group { label: "load", unit: "N", curves: wheels("N", 1.0) },
        Group { label: "pitch", unit: "°", curves: one("pitch, nose up", "pitch", 180.0 / std::f64::consts::PI) },
        Group { label: "heave", unit: "mm", curves: one("heave of the body", "heave", 1000.0) },
        Group { label: "air under tyres", unit: "mm", curves: wheels("gap", 1000.0) },
        Group { label: "compression of springs", unit: "mm", curves: wheels("stroke", 1000.0) },
        Group { label: "road", unit: "mm", curves: wheels("road", 1000.0) },
        Group { label: "speed", unit: "m/s", curves: one("speed", "x1", 1.0) },
    ];
    let t = take("t", 1.0);
    let mut figures = vec![("time", figure(&groups, &t, trace))];
    if let Some(order) = &summary.convergence {
        figures.push(("order", order_figure(order, summary.step)));
    }
    let chart = |group: &Group| {
        let mut chart = TimeChart::new(group.label, group.unit, t.clone());
        for (name, role, values) in &group.curves {
            chart = chart.with(name, *role, values.clone());
        }
        chart.strips = trace.strips();
        chart.height = 150;
        Content::Chart(chart)
    };
    let sections = vec![Section {
        heading: "Loads, pitch and heave".into(),
        text: "A tyre that carries nothing is in the air. It lands on its own spring, without an impact.".into(),
        content: groups[..SHOWN].iter().map(chart).collect(),
    }];
    let more = Section {
        heading: "Tyres, springs, road and speed".into(),
        text: String::new(),
        content: groups[SHOWN..].iter().map(chart).collect(),
    };
    let assumptions = vec![
        "Angles are small: levers do not change, and gravity does not turn the body over.".to_string(),
        "Springs and dampers are linear, without end stops; tyres are linear springs that cannot pull, without damping.".to_string(),
        "The brake force is given and acts at road level while the vehicle rolls; bumps do not slow it down.".to_string(),
    ];
    let folded = std::iter::once(more).chain(order_section(summary, "")).collect();
    View { folded, assumptions, ..View::new(figures, sections) }.moving(picture(car, trace, &rows))
}

fn figure(groups: &[Group], t: &[f64], trace: &Trace) -> Figure {
    let panel = |(k, group): (usize, &Group)| {
        let mut panel =
            Panel::new(Axis::linear("time", "s").from_to(0.0, trace.end), Axis::linear(group.label, group.unit));
        panel.height = 120.0;
        if k == 0 {
            panel.strips = trace.strips();
        }
        for (name, role, values) in &group.curves {
            let points = t.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
            panel.series.push(Series::line(name.clone(), *role, points));
        }
        panel
    };
    Figure::stacked(groups.iter().enumerate().map(panel).collect()).titled("Loads, pitch and heave")
}
