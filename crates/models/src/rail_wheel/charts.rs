//! The pictures of a railway wheel on a creep-force curve.

use crate::rail_wheel::RailWheel;
use crate::wheel::picture::picture;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use stickslip_run::text::{number, number_to};
use stickslip_run::view::{View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 1500;

/// One curve: name, colour, values.
type Curve = (&'static str, Role, Vec<f64>);

/// Figures and sections of a rail wheel's run.
pub(crate) fn rail_wheel(wheel: &RailWheel, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(wheel, trace);
    let mut figures = vec![("time", data.time_figure(trace)), ("creep-curve", data.curve_figure(wheel))];
    if let Some(order) = &summary.convergence {
        figures.push(("order", order_figure(order, summary.step)));
    }
    let figure = |name: &str| {
        let found = figures.iter().find(|(n, _)| *n == name);
        found.map(|(_, f)| Content::Figure(Figure { title: String::new(), ..f.clone() }))
    };
    let p = wheel.parameters();
    let sections = vec![
        Section {
            heading: "Speeds, forces and creepage".into(),
            text: format!(
                "A part of the contact area sticks, and rim and centre differ by creepage only, until the force reaches \
                 μN = {} N; then the wheel slides as a whole. At rest the contact is a spring of {} N/m. Creepage is drawn \
                 while the wheel turns and does not slide, up to one and a half times that of full slip.",
                number(p.curve.limit()),
                number(p.stiffness)
            ),
            content: data.charts(trace),
        },
        Section {
            heading: "The wheel on its creep curve".into(),
            text: format!(
                "Ground force against creepage (x_1 + x_2)/V of all recorded steps, on the curve of steady rolling that \
                 the wheel was given, without those that slide. Points beside it are changes faster than the contact can \
                 follow. All of it slips from a creepage of {} % on.",
                number_to(100.0 * p.curve.full_slip(), 3)
            ),
            content: figure("creep-curve").into_iter().collect(),
        },
    ];
    let order =
        order_section(summary, "How a stopped wheel swings on its contact takes steps far below a millisecond.");
    let assumptions = vec![
        "The load on the wheel is constant; the force of the ground follows the creep curve given, without hunting or curves.".to_string(),
    ];
    let motion = picture(p.radius, trace, &data.rows);
    View { folded: order.into_iter().collect(), assumptions, ..View::new(figures, sections) }.moving(motion)
}

/// The thinned columns of a run.
struct Data {
    /// The rows that are kept.
    rows: Vec<usize>,
    t: Vec<f64>,
    groups: [(&'static str, &'static str, Vec<Curve>); 3],
    /// Creepage and force of the rows.
    path: Vec<[f64; 2]>,
    /// Creepages between which figures are drawn.
    range: [f64; 2],
    duration: f64,
}

impl Data {
    fn new(wheel: &RailWheel, trace: &Trace) -> Data {
        let columns = ["x1", "x2", "f", "g", "xi"].map(|name| trace.column(name));
        let marks: Vec<Vec<i8>> =
            ["eps_G", "eps_B"].iter().map(|name| trace.column(name).iter().map(|v| *v as i8).collect()).collect();
        let marks: Vec<&[i8]> = marks.iter().map(Vec::as_slice).collect();
        let rows = rows_to_keep(&columns, &marks, CURVE_POINTS);
        let take = |name: &str, scale: f64| -> Vec<f64> {
            rows.iter().map(|&i| scale * trace.column(name)[i] + 0.0).collect()
        };
        let limit = 1e-3 * wheel.parameters().curve.limit();
        let f = take("f", 1e-3);
        // Of a wheel that slides or stands still the creepage says nothing; a gap is drawn.
        let meant = |&i: &usize| trace.column("slide")[i] == 0.0 && trace.column("x2")[i] != 0.0;
        let xi: Vec<f64> =
            rows.iter().map(|i| if meant(i) { trace.column("xi")[*i] + 0.0 } else { f64::NAN }).collect();
        let speeds =
            vec![("wheel centre (x_1)", Role::First, take("x1", 1.0)), ("rim (−x_2)", Role::Second, take("x2", -1.0))];
        let forces = vec![
            ("±μN", Role::Reference, vec![limit; rows.len()]),
            ("", Role::Reference, vec![-limit; rows.len()]),
            ("brake (−g)", Role::Second, take("g", -1e-3)),
            ("ground (f)", Role::First, f.clone()),
        ];
        // One and a half times full slip on the sides that were used.
        let reach = 1.5 * wheel.parameters().curve.full_slip();
        let percent = xi.iter().map(|xi| if xi.abs() <= reach { 100.0 * xi } else { f64::NAN }).collect();
        let side = |sign: f64| if xi.iter().any(|xi| sign * xi > 0.1 * reach) { reach } else { 0.1 * reach };
        Data {
            range: [-side(-1.0), side(1.0)],
            t: take("t", 1.0),
            path: xi.iter().zip(&f).map(|(x, f)| [*x, *f]).collect(),
            groups: [
                ("speed", "m/s", speeds),
                ("force", "kN", forces),
                ("creepage ξ", "%", vec![("", Role::First, percent)]),
            ],
            duration: trace.end,
            rows,
        }
    }

    fn time_figure(&self, trace: &Trace) -> Figure {
        let strips = trace.strips();
        let mut panels = Vec::new();
        for (k, (label, unit, curves)) in self.groups.iter().enumerate() {
            let y = Axis::linear(*label, *unit);
            let y = if *unit == "%" { y.from_to(100.0 * self.range[0], 100.0 * self.range[1]) } else { y };
            let mut panel = Panel::new(Axis::linear("time", "s").from_to(0.0, self.duration), y);
            panel.height = 130.0;
            if k == 0 {
                panel.strips = strips.clone();
            }
            panel.bands = strips.first().map_or_else(Vec::new, |ground| ground.bands.clone());
            for (name, role, values) in curves {
                let points = self.t.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
                panel.series.push(Series::line(*name, *role, points));
            }
            panels.push(panel);
        }
        Figure::stacked(panels).titled("Speeds, forces and creepage")
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |(label, unit, curves): &(&'static str, &'static str, Vec<Curve>)| {
            let mut chart = TimeChart::new(*label, *unit, self.t.clone());
            for (name, role, values) in curves {
                let name = match (name.is_empty(), *label) {
                    (true, "force") => "−μN",
                    (true, _) => "creepage ξ",
                    _ => name.trim_start_matches('±'),
                };
                chart = chart.with(name, *role, values.clone());
            }
            chart.strips = trace.strips();
            Content::Chart(chart)
        };
        self.groups.iter().map(chart).collect()
    }

    /// Force against creepage.
    fn curve_figure(&self, wheel: &RailWheel) -> Figure {
        let curve = &wheel.parameters().curve;
        let [left, right] = self.range;
        let points = (0..=400).map(|k| left + (right - left) * f64::from(k) / 400.0);
        let law = points.map(|xi| [100.0 * xi, 1e-3 * curve.force(xi)]).collect();
        let shown = self.path.iter().filter(|p| (left..=right).contains(&p[0]));
        let steps = shown.map(|p| [100.0 * p[0], p[1]]).collect();
        let axis = Axis::linear("creepage ξ", "%").from_to(100.0 * left, 100.0 * right);
        let mut panel = Panel::new(axis, Axis::linear("ground force f", "kN"))
            .with(Series::line("steady rolling", Role::Reference, law).wide(5.0))
            .with(Series::markers("simulated", Role::Second, steps));
        panel.height = 260.0;
        Figure::stacked(vec![panel]).titled("The wheel on its creep curve")
    }
}
