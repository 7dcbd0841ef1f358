//! The pictures of a motorcycle.

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;
use stickslip_run::view::{View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

use super::picture::picture;
use super::system::Motorcycle;
use super::{WHEELS, solutions};

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

/// Figures and sections of a motorcycle's run.
pub(super) fn motorcycle(motorcycle: &Motorcycle, trace: &Trace, summary: &Summary) -> View {
    let columns = ["x1", "pitch", "z", "N_front", "N_rear", "T_front", "T_rear", "v_front", "v_rear"];
    let marks =
        WHEELS.map(|name| -> Vec<i8> { trace.column(&format!("eps_G_{name}")).iter().map(|v| *v as i8).collect() });
    let rows = rows_to_keep(&columns.map(|name| trace.column(name)), &[&marks[0], &marks[1]], CURVE_POINTS);
    let take =
        |name: &str, sign: f64| -> Vec<f64> { rows.iter().map(|&i| sign * trace.column(name)[i] + 0.0).collect() };
    let wheels = |short: &str, sign: f64| -> Vec<Curve> {
        let roles = [Role::Second, Role::Third];
        let each = WHEELS.iter().zip(roles);
        each.map(|(name, role)| ((*name).to_string(), role, take(&format!("{short}_{name}"), sign))).collect()
    };
    let mut speeds = vec![("centre of mass (x_1)".to_string(), Role::First, take("x1", 1.0))];
    speeds.extend(wheels("v", -1.0).into_iter().map(|(name, role, values)| (format!("rim, {name}"), role, values)));
    let pitch = vec![("pitch, nose up".to_string(), Role::First, take("pitch", 180.0 / std::f64::consts::PI))];
    let groups = [
        Group { label: "speed", unit: "m/s", curves: speeds },
        Group { label: "pitch", unit: "°", curves: pitch },
        Group { label: "load", unit: "N", curves: wheels("N", 1.0) },
        Group { label: "height of wheels", unit: "m", curves: wheels("gap", 1.0) },
        Group { label: "force of the ground, forward", unit: "N", curves: wheels("T", 1.0) },
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
    let mut sections = vec![Section {
        heading: "Speeds, pitch and loads".into(),
        text: "A wheel that carries nothing is in the air. It lands with an impact: impulses in no time, which brakes and motors do not \
               share."
            .into(),
        content: groups[..SHOWN].iter().map(chart).collect(),
    }];
    let more = Section {
        heading: "Heights of wheels and forces of the ground".into(),
        text: String::new(),
        content: groups[SHOWN..].iter().map(chart).collect(),
    };
    sections.extend(solutions::chart(motorcycle.parameters()).map(|field| {
        let p = motorcycle.parameters();
        Section {
            heading: "How many solutions".into(),
            text: format!(
                "Friction and loads decide each other. How many motions solve both at the start depends on friction and height; this \
                 scenario has friction {} (front) and {} (rear) and height {} m.",
                p.data.wheels[0].friction, p.data.wheels[1].friction, p.data.height
            ),
            content: vec![Content::Field(field)],
        }
    }));
    let assumptions = vec![
        "Frame and rider are one rigid body: no suspension, and the rider does not move.".to_string(),
        "Tyres are rigid: a wheel that lands stops at once, without bouncing (restitution 0).".to_string(),
        "The road is level, and nothing happens sideways.".to_string(),
    ];
    let folded = std::iter::once(more).chain(order_section(summary, "")).collect();
    View { folded, assumptions, ..View::new(figures, sections) }.moving(picture(motorcycle, trace, &rows))
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
    Figure::stacked(groups.iter().enumerate().map(panel).collect()).titled("Speeds, pitch and loads")
}
