//! The pictures of an assembly: forces, relative displacements, hysteresis loops, the angle of the friction and the
//! number of degrees of freedom.

use stickslip_core::model::assembly::{Assembly, Face};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use super::{View, order_figure, order_section};
use crate::text::{number, number_to};
use crate::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 1500;

/// Pads, bodies and forces that are drawn; all are in the trajectory.
const MOST: usize = 4;

/// A curve: its name, its part, its values.
type Curve = (String, Role, Vec<f64>);

/// Figures and sections of an assembly's run.
pub(crate) fn assembly(assembly: &Assembly, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(assembly, trace);
    let mut figures = vec![("time", data.figure(trace))];
    if let Some(loops) = data.loops(assembly, trace) {
        figures.push(("hysteresis", loops));
    }
    if let Some(order) = &summary.convergence {
        figures.push(("order", order_figure(order, summary.step)));
    }
    let mut text = "Friction has the sign of the slip it resists. A displacement is exactly constant while its pad \
                    sticks. Drag to zoom, double-click to reset."
        .to_string();
    if assembly.parameters().pads.len() > MOST {
        text.push_str(&format!(" The first {MOST} pads are shown; all are in the trajectory."));
    }
    let mut sections = vec![
        Section { heading: "Forces, displacements, freedom".into(), text, content: data.charts(trace) },
        equations(assembly),
    ];
    let shown = |name: &str| figures.iter().find(|(n, _)| *n == name).map(|(_, f)| f.clone());
    if let Some(figure) = shown("hysteresis") {
        sections.push(Section {
            heading: "Hysteresis: friction against displacement".into(),
            text: "The area of a loop is the energy that the pad turns into heat in one cycle.".into(),
            content: vec![Content::Figure(Figure { title: String::new(), ..figure }), cycles(assembly, trace)],
        });
    }
    sections.extend(order_section(summary, ""));
    View::new(figures, sections)
}

/// What can be told before any step.
fn equations(assembly: &Assembly) -> Section {
    let facts = assembly.facts();
    let row = |name: &str, value: String| vec![name.to_string(), value];
    let mut rows = vec![
        row("degrees of freedom, nothing stuck", facts.freedoms.to_string()),
        row("degrees of freedom, all pads stuck", facts.freedoms_stuck.to_string()),
        row("friction force components", facts.components.to_string()),
        row("rank of H M⁻¹ Hᵀ", facts.rank.to_string()),
    ];
    let moving: Vec<String> = facts.frequencies.iter().filter(|f| **f > 0.0).map(|f| number_to(*f, 5)).collect();
    if !moving.is_empty() && moving.len() <= 12 {
        rows.push(row("natural frequencies without friction (Hz)", moving.join(", ")));
    }
    for threshold in facts.thresholds.iter().filter(|t| t.used > 0.0) {
        let pad = &assembly.parameters().pads[threshold.pad].name;
        let list: Vec<String> = threshold.forces.iter().map(|f| (f + 1).to_string()).collect();
        let which = if list.len() == 1 { "force".to_string() } else { "forces".to_string() };
        rows.push(row(
            &format!("{which} {} of one shape: first slip at", list.join(", ")),
            format!("{} times their greatest values (pad {pad})", number_to(threshold.factor, 6)),
        ));
    }
    Section {
        heading: "The assembled system".into(),
        text: "What follows from the data before any step.".into(),
        content: vec![Content::Table(TextTable { header: vec!["what".into(), "value".into()], rows })],
    }
}

/// Heat of each pad, in all and per period of the slowest prescribed sine.
fn cycles(assembly: &Assembly, trace: &Trace) -> Content {
    let slowest = assembly.parameters().forces.iter().filter_map(|force| match &force.signal {
        stickslip_core::signal::Signal::Sine(sine) if sine.omega != 0.0 => {
            Some(std::f64::consts::TAU / sine.omega.abs())
        }
        _ => None,
    });
    let period = slowest.fold(0.0, f64::max);
    let header = ["pad", "friction work in all (J)", "in the last cycle (J)"].map(String::from).to_vec();
    let row = |pad: usize| {
        let name = &assembly.parameters().pads[pad].name;
        let axes: &[&str] = if assembly.parameters().pads[pad].face == Face::Disk { &["x", "y"] } else { &[""] };
        let (mut all, mut last) = (0.0, 0.0);
        for axis in axes {
            let (d, f) = (trace.column(&key("d", axis, name)), trace.column(&key("f", axis, name)));
            for ((d, f), t) in d.windows(2).zip(f.windows(2)).zip(trace.column("t").windows(2)) {
                // The force of a row acted over the step that led to it.
                let work = f[1] * (d[1] - d[0]);
                all += work;
                last += if t[0] >= trace.end - period - 1e-9 { work } else { 0.0 };
            }
        }
        let cycle = if period > 0.0 && period < trace.end { number(last) } else { "–".into() };
        vec![name.clone(), number(all), cycle]
    };
    let shown = assembly.parameters().pads.len().min(MOST);
    Content::Table(TextTable { header, rows: (0..shown).map(row).collect() })
}

/// Name of a pad's column.
fn key(short: &str, axis: &str, name: &str) -> String {
    format!("{short}{axis}_{}", name.replace(char::is_whitespace, "_"))
}

/// The thinned columns of a run, in groups that share an axis.
struct Data {
    t: Vec<f64>,
    groups: Vec<(&'static str, &'static str, Vec<Curve>)>,
    duration: f64,
}

impl Data {
    fn new(assembly: &Assembly, trace: &Trace) -> Data {
        let p = assembly.parameters();
        let role = |k: usize| Role::DATA[k % Role::DATA.len()];
        // (group, legend, column).
        let mut wanted: Vec<(usize, String, String)> = Vec::new();
        for column in trace.columns.iter().filter(|c| c.name.starts_with('F') && c.unit == "N").take(MOST) {
            wanted.push((0, column.meaning.replace("prescribed force on ", ""), column.name.to_string()));
        }
        for pad in p.pads.iter().take(MOST) {
            let axes: &[&str] = if pad.face == Face::Disk { &["x", "y"] } else { &[""] };
            for (group, short) in [(1, "f"), (2, "d")] {
                for axis in axes {
                    let legend = if axis.is_empty() { pad.name.clone() } else { format!("{}, {axis}", pad.name) };
                    wanted.push((group, legend, key(short, axis, &pad.name)));
                }
            }
            if pad.face == Face::Disk {
                wanted.push((3, pad.name.clone(), key("angle", "", &pad.name)));
            }
        }
        for body in p.bodies.iter().take(MOST) {
            wanted.push((4, body.name.clone(), key("x", "", &body.name)));
        }
        if trace.columns.iter().any(|c| c.name == "freedoms") && p.pads.iter().any(|pad| pad.face == Face::Disk) {
            wanted.push((5, "degrees of freedom".into(), "freedoms".into()));
        }
        // Columns that stay zero in x or y only fill the legend.
        let lively = |name: &str| trace.column(name).iter().any(|v| *v != 0.0);
        let kept: Vec<_> = wanted.iter().filter(|(group, _, name)| ![1, 2].contains(group) || lively(name)).collect();
        let columns: Vec<&[f64]> = kept.iter().map(|(_, _, name)| trace.column(name)).collect();
        let rows = rows_to_keep(&columns, &[], CURVE_POINTS);
        let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i]).collect() };
        let axes = [
            ("prescribed force", "N"),
            ("friction", "N"),
            ("relative displacement", "m"),
            ("angle of the friction", "rad"),
            ("position x", "m"),
            ("degrees of freedom", ""),
        ];
        let mut groups: Vec<(&str, &str, Vec<Curve>)> = axes.iter().map(|(a, b)| (*a, *b, Vec::new())).collect();
        for (group, legend, name) in kept {
            let curves = &mut groups[*group].2;
            curves.push((legend.clone(), role(curves.len()), take(name)));
        }
        groups.retain(|(_, _, curves)| !curves.is_empty());
        Data { t: take("t"), groups, duration: trace.end }
    }

    fn figure(&self, trace: &Trace) -> Figure {
        let mut panels = Vec::new();
        for (k, (label, unit, curves)) in self.groups.iter().enumerate() {
            let x = Axis::linear("time", "s").from_to(0.0, self.duration);
            let mut panel = Panel::new(x, Axis::linear(*label, *unit));
            panel.height = 130.0;
            if k == 0 {
                panel.strips = trace.strips().into_iter().take(MOST).collect();
            }
            for (name, role, values) in curves {
                let points = self.t.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
                panel.series.push(Series::line(name.clone(), *role, points));
            }
            panels.push(panel);
        }
        Figure::stacked(panels).titled("Forces, displacements and freedom")
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |(label, unit, curves): &(&'static str, &'static str, Vec<Curve>)| {
            let mut chart = TimeChart::new(*label, *unit, self.t.clone());
            for (name, role, values) in curves {
                chart = chart.with(name, *role, values.clone());
            }
            chart.strips = trace.strips().into_iter().take(MOST).collect();
            Content::Chart(chart)
        };
        self.groups.iter().map(chart).collect()
    }

    /// Friction against displacement, one panel per pad and direction that moves.
    fn loops(&self, assembly: &Assembly, trace: &Trace) -> Option<Figure> {
        let mut panels = Vec::new();
        for (axis, along) in [("", ""), ("x", " along x"), ("y", " along y")] {
            let mut panel = Panel::new(
                Axis::linear(format!("relative displacement{along}"), "m"),
                Axis::linear(format!("friction{along}"), "N"),
            );
            for (k, pad) in assembly.parameters().pads.iter().take(MOST).enumerate() {
                let (d, f) = (trace.column(&key("d", axis, &pad.name)), trace.column(&key("f", axis, &pad.name)));
                if d.iter().all(|v| *v == 0.0) {
                    continue;
                }
                let points = rows_to_keep(&[d, f], &[], CURVE_POINTS).into_iter().map(|i| [d[i], f[i]]).collect();
                panel.series.push(Series::line(pad.name.clone(), Role::DATA[k % Role::DATA.len()], points));
            }
            if !panel.series.is_empty() {
                panel.height = 260.0;
                panels.push(panel);
            }
        }
        (!panels.is_empty()).then(|| Figure::side_by_side(panels).titled("Friction against displacement"))
    }
}
