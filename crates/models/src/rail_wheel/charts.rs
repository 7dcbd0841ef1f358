//! The pictures of a railway wheel on a creep-force curve.

use crate::rail_wheel::RailWheel;
use crate::wheel::picture::picture;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section};
use stickslip_report::palette::Role;

use stickslip_run::text::{number, number_to};
use stickslip_run::view::{Curve, Group, Thinned, View, found, order_figure, order_section};
use stickslip_run::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 1500;

/// Figures and sections of a rail wheel's run.
pub(crate) fn rail_wheel(wheel: &RailWheel, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(wheel, trace);
    let mut figures = vec![("time", data.time_figure(trace)), ("creep-curve", data.curve_figure(wheel))];
    figures.extend(order_figure(summary));
    let p = wheel.parameters();
    let sections = vec![
        Section {
            heading: "Speeds, forces and creepage".into(),
            text: format!(
                "A part of the contact area sticks, and rim and centre differ by creepage only, until the force reaches \
                 its limit of {} N; then the wheel slides as a whole. At rest the contact is a spring of {} N/m. Creepage is drawn \
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
                 follow. From a creepage of {} % on {}.",
                number_to(100.0 * p.curve.full_slip(), 3),
                if p.curve.slides_fully() {
                    "all of it slips"
                } else {
                    "the force grows no more within what the theory resolves, and the wheel counts as sliding"
                }
            ),
            content: found(&figures, "creep-curve"),
        },
    ];
    let order =
        order_section(summary, "How a stopped wheel swings on its contact takes steps far below a millisecond.");
    let assumptions = vec![
        "The load on the wheel is constant; the force of the ground follows the creep curve given, without hunting or curves.".to_string(),
    ];
    let motion = picture(p.radius, trace, &data.thinned.rows);
    View { folded: order.into_iter().collect(), assumptions, ..View::new(figures, sections) }.moving(motion)
}

/// The thinned columns of a run.
struct Data<'a> {
    thinned: Thinned<'a>,
    groups: [Group; 3],
    /// Creepage and force of the rows.
    path: Vec<[f64; 2]>,
    /// Creepages between which figures are drawn.
    range: [f64; 2],
}

impl<'a> Data<'a> {
    fn new(wheel: &RailWheel, trace: &'a Trace) -> Data<'a> {
        let thinned = Thinned::new(trace, &["x1", "x2", "f", "g", "xi"], &["eps_G", "eps_B"], CURVE_POINTS);
        let limit = 1e-3 * wheel.parameters().curve.limit();
        let ground = thinned.curve("ground (f)", Role::First, "f", 1e-3);
        // Of a wheel that slides or stands still the creepage says nothing; a gap is drawn.
        let meant = |&i: &usize| trace.column("slide")[i] == 0.0 && trace.column("x2")[i] != 0.0;
        let xi: Vec<f64> =
            thinned.rows.iter().map(|i| if meant(i) { trace.column("xi")[*i] + 0.0 } else { f64::NAN }).collect();
        let level = |name: &str, force: f64| Curve {
            name: name.to_string(),
            role: Role::Reference,
            values: vec![force; thinned.rows.len()],
        };
        // One and a half times full slip on the sides that were used.
        let reach = 1.5 * wheel.parameters().curve.full_slip();
        let percent = xi.iter().map(|xi| if xi.abs() <= reach { 100.0 * xi } else { f64::NAN }).collect();
        let side = |sign: f64| if xi.iter().any(|xi| sign * xi > 0.1 * reach) { reach } else { 0.1 * reach };
        let speeds = vec![
            thinned.curve("wheel centre (x_1)", Role::First, "x1", 1.0),
            thinned.curve("rim (−x_2)", Role::Second, "x2", -1.0),
        ];
        Data {
            range: [-side(-1.0), side(1.0)],
            path: xi.iter().zip(&ground.values).map(|(x, f)| [*x, *f]).collect(),
            groups: [
                Group::new("speed", "m/s", speeds),
                Group::new(
                    "force",
                    "kN",
                    vec![
                        level("±μN", limit),
                        level("", -limit),
                        thinned.curve("brake (−g)", Role::Second, "g", -1e-3),
                        ground,
                    ],
                ),
                Group::new("creepage ξ", "%", vec![Curve { name: String::new(), role: Role::First, values: percent }]),
            ],
            thinned,
        }
    }

    fn time_figure(&self, trace: &Trace) -> Figure {
        let strips = trace.strips();
        let mut panels: Vec<Panel> = self.groups.iter().map(|group| self.thinned.panel(group)).collect();
        for (panel, group) in panels.iter_mut().zip(&self.groups) {
            panel.height = 130.0;
            panel.bands = strips.first().map_or_else(Vec::new, |ground| ground.bands.clone());
            if group.unit == "%" {
                panel.y.range = Some(self.range.map(|xi| 100.0 * xi));
            }
        }
        panels[0].strips = strips;
        Figure::stacked(panels).titled("Speeds, forces and creepage")
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |group: &Group| {
            let mut chart = self.thinned.chart(group);
            for curve in &mut chart.curves {
                curve.name = match (curve.name.as_str(), group.label) {
                    ("", "force") => "−μN".to_string(),
                    ("", label) => label.to_string(),
                    (name, _) => name.trim_start_matches('±').to_string(),
                };
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
