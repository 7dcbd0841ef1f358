//! The pictures of a vehicle.

use stickslip_core::model::vehicle::Vehicle;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use super::{View, order_figure};
use crate::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 1500;

/// Wheels that are drawn; all are in the trajectory.
const MOST_WHEELS: usize = 6;

/// Colours of wheels, in order; the chassis has the first of all colours.
const ROLES: [Role; 4] = [Role::Second, Role::Third, Role::Fourth, Role::Reference];

/// One curve: name, colour, values.
type Curve = (String, Role, Vec<f64>);

/// Figures and sections of a vehicle's run.
pub(crate) fn vehicle(vehicle: &Vehicle, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(vehicle, trace);
    let mut figures = vec![("time", data.figure(trace))];
    if let Some(order) = &summary.convergence {
        figures.push(("order", order_figure(order, summary.step)));
    }
    let mut text = "A wheel rolls where its rim speed −v lies on the speed of the chassis, and is locked where it is \
                    zero. Drag to zoom, double-click to reset."
        .to_string();
    if vehicle.parameters().wheels.len() > MOST_WHEELS {
        text.push_str(&format!(" The first {MOST_WHEELS} wheels are shown; all are in the trajectory."));
    }
    let mut sections = vec![Section { heading: "Speeds and ground forces".into(), text, content: data.charts(trace) }];
    if let Some((_, order)) = figures.iter().find(|(name, _)| *name == "order") {
        sections.push(Section {
            heading: "How the error falls with the step".into(),
            text:
                "Greatest error of any speed at any time against a run of a million steps; implicit Euler is of first \
                   order."
                    .into(),
            content: vec![Content::Figure(Figure { title: String::new(), ..order.clone() })],
        });
    }
    View { figures, sections }
}

/// The thinned columns of a run.
struct Data {
    t: Vec<f64>,
    speeds: Vec<Curve>,
    forces: Vec<Curve>,
    duration: f64,
}

impl Data {
    fn new(vehicle: &Vehicle, trace: &Trace) -> Data {
        let wheels = &vehicle.parameters().wheels;
        let shown = wheels.len().min(MOST_WHEELS);
        // t, x1, x, then v, f, g, eps_G, eps_B of each wheel.
        let column = |wheel: usize, k: usize| trace.values[3 + 5 * wheel + k].as_slice();
        let curves: Vec<&[f64]> =
            std::iter::once(trace.column("x1")).chain((0..shown).flat_map(|i| [column(i, 0), column(i, 1)])).collect();
        let marks: Vec<Vec<i8>> =
            (0..shown).flat_map(|i| [3, 4].map(|k| column(i, k).iter().map(|v| *v as i8).collect())).collect();
        let marks: Vec<&[i8]> = marks.iter().map(Vec::as_slice).collect();
        let rows = rows_to_keep(&curves, &marks, CURVE_POINTS);
        let take = |values: &[f64], sign: f64| -> Vec<f64> { rows.iter().map(|&i| 0.0 + sign * values[i]).collect() };
        let role = |k: usize| ROLES[k % ROLES.len()];
        let chassis = ("chassis x_1".to_string(), Role::First, take(trace.column("x1"), 1.0));
        let rim = |i: usize| (format!("{}, rim −v", wheels[i].name), role(i), take(column(i, 0), -1.0));
        let force = |i: usize| (format!("{}, f", wheels[i].name), role(i), take(column(i, 1), 1.0));
        Data {
            t: take(trace.column("t"), 1.0),
            speeds: std::iter::once(chassis).chain((0..shown).map(rim)).collect(),
            forces: (0..shown).map(force).collect(),
            duration: trace.end,
        }
    }

    fn figure(&self, trace: &Trace) -> Figure {
        let axis = || Axis::linear("time", "s").from_to(0.0, self.duration);
        let mut upper = Panel::new(axis(), Axis::linear("speed", "m/s"));
        upper.strips = trace.strips().into_iter().take(2 * MOST_WHEELS).collect();
        let mut lower = Panel::new(axis(), Axis::linear("ground force", "N"));
        lower.height = 150.0;
        for (panel, curves) in [(&mut upper, &self.speeds), (&mut lower, &self.forces)] {
            for (name, role, values) in curves {
                let points = self.t.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
                panel.series.push(Series::line(name.clone(), *role, points));
            }
        }
        Figure::stacked(vec![upper, lower]).titled("Speeds and ground forces")
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |label: &str, unit: &str, curves: &[Curve]| {
            let mut chart = TimeChart::new(label, unit, self.t.clone());
            for (name, role, values) in curves {
                chart = chart.with(name, *role, values.clone());
            }
            chart.strips = trace.strips().into_iter().take(2 * MOST_WHEELS).collect();
            Content::Chart(chart)
        };
        vec![chart("speed", "m/s", &self.speeds), chart("ground force", "N", &self.forces)]
    }
}
