//! The pictures of a towed wheel.

mod slip_plane;

use crate::towed_wheel::TowedWheel;
use crate::towed_wheel::picture::picture;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::{rows_to_keep, with_last_periods};

use self::slip_plane::{at_events, directions_data, directions_table, slip_plane};
use stickslip_run::text::number_to;
use stickslip_run::view::{View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 3000;

/// One curve: name, colour, values.
type Curve = (&'static str, Role, Vec<f64>);

/// Figures and sections of a towed wheel's run.
pub(crate) fn towed_wheel(wheel: &TowedWheel, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(trace);
    let points = at_events(wheel, &trace.events);
    let mut figures = vec![("time", data.time_figure(trace)), ("phase", data.phase_figure())];
    figures.extend(slip_plane(wheel, &points).map(|figure| ("slip-plane", figure)));
    if let Some(order) = &summary.convergence {
        figures.push(("order", order_figure(order, summary.step)));
    }
    let figure = |name: &str| -> Option<Content> {
        let found = figures.iter().find(|(n, _)| *n == name);
        found.map(|(_, f)| Content::Figure(Figure { title: String::new(), ..f.clone() }))
    };
    let mut sections = vec![
        Section {
            heading: "Angle, slips and force".into(),
            text: format!(
                "Straight rolling is {}: small motions change by {} per second. While the wheel rolls both slips are \
                 exactly zero and the force stays below C, the greatest that friction can give.",
                if wheel.coefficients().growth() > 0.0 { "unstable" } else { "stable" },
                number_to(wheel.coefficients().growth(), 5)
            ),
            content: data.charts(trace),
        },
        Section {
            heading: "Phase portrait".into(),
            text: "Rate against angle of the bar.".into(),
            content: figure("phase").into_iter().collect(),
        },
        Section {
            heading: "How slips leave zero and arrive there".into(),
            text:
                "The plane of slips at changes of state. Along a limit direction a slip reaches zero (attracting) or \
                   leaves it (repelling); nearly all slips use the generic ones. Rolling goes on if and only if all of \
                   them attract, which is where the force it needs, as a share of C, is below 1."
                    .into(),
            content: figure("slip-plane").into_iter().collect(),
        },
    ];
    sections.retain(|section| !section.content.is_empty());
    let table = directions_table(wheel, &points).map(|table| Section {
        heading: "Limit directions as numbers".into(),
        text: String::new(),
        content: vec![table],
    });
    let order = order_section(summary, "A chaotic motion forgets its start, and then no step is small enough.");
    let folded = table.into_iter().chain(order).collect();
    let assumptions = vec![
        "The load on the wheel is constant, and friction is the same in all directions.".to_string(),
        "The towing vehicle goes on with constant speed, whatever the wheel does.".to_string(),
    ];
    let tables = directions_data(wheel, &points).into_iter().collect();
    View { tables, folded, assumptions, ..View::new(figures, sections) }.moving(picture(wheel, trace, &data.rows))
}

/// The thinned columns of a run.
struct Data {
    /// The rows that are kept.
    rows: Vec<usize>,
    /// Times that a long run is opened on.
    opens_on: Option<[f64; 2]>,
    t: Vec<f64>,
    psi: Vec<f64>,
    omega: Vec<f64>,
    slips: Vec<bool>,
    angles: Vec<Curve>,
    slip: Vec<Curve>,
    force: Vec<Curve>,
    duration: f64,
}

impl Data {
    fn new(trace: &Trace) -> Data {
        let curves = ["psi", "Omega", "u1", "u2", "demand"].map(|name| trace.column(name));
        let marks: Vec<i8> = trace.column("slips").iter().map(|v| *v as i8).collect();
        let (rows, late) = with_last_periods(rows_to_keep(&curves, &[&marks], CURVE_POINTS), &curves);
        let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i] + 0.0).collect() };
        Data {
            t: take("t"),
            psi: take("psi"),
            omega: take("Omega"),
            slips: rows.iter().map(|&i| marks[i] != 0).collect(),
            angles: vec![("angle of the bar (ψ)", Role::First, take("psi"))],
            slip: vec![("along the bar (u_1)", Role::Second, take("u1")), ("across (u_2)", Role::First, take("u2"))],
            force: vec![("|F|/C", Role::First, take("demand"))],
            duration: trace.end,
            opens_on: late.map(|row| [trace.column("t")[row], trace.end]),
            rows,
        }
    }

    fn panels(&self) -> [(&'static str, &'static str, &[Curve]); 3] {
        [("angle", "rad", &self.angles), ("slip", "m/s", &self.slip), ("force over C", "", &self.force)]
    }

    fn time_figure(&self, trace: &Trace) -> Figure {
        let strips = trace.strips();
        let mut panels = Vec::new();
        for (k, (label, unit, curves)) in self.panels().into_iter().enumerate() {
            let axis = Axis::linear("time", "s").from_to(0.0, self.duration);
            let mut panel = Panel::new(axis, Axis::linear(label, unit));
            panel.height = 130.0;
            if k == 0 {
                panel.strips = strips.clone();
            }
            panel.bands = strips.first().map_or_else(Vec::new, |strip| strip.bands.clone());
            for (name, role, values) in curves {
                let points = self.t.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
                panel.series.push(Series::line(*name, *role, points).wide(1.0));
            }
            panels.push(panel);
        }
        Figure::stacked(panels).titled("Angle, slips and force")
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |(label, unit, curves): (&str, &str, &[Curve])| {
            let mut chart = TimeChart::new(label, unit, self.t.clone());
            for (name, role, values) in curves {
                chart = chart.with(*name, *role, values.clone());
            }
            chart.strips = trace.strips();
            chart.opens_on = self.opens_on;
            chart.height = 200;
            Content::Chart(chart)
        };
        self.panels().map(chart).into()
    }

    /// Ω against ψ, rolling and slipping told apart.
    fn phase_figure(&self) -> Figure {
        let part = |slipping: bool| -> Vec<[f64; 2]> {
            (0..self.t.len())
                .map(|i| {
                    // A segment belongs to the state at its end; its beginning is drawn with it.
                    let mine = self.slips[i] == slipping || self.slips.get(i + 1) == Some(&slipping);
                    if mine { [self.psi[i], self.omega[i]] } else { [f64::NAN, f64::NAN] }
                })
                .collect()
        };
        let mut panel = Panel::new(Axis::linear("angle ψ", "rad"), Axis::linear("rate Ω", "rad/s"));
        if self.slips.contains(&true) {
            panel = panel.with(Series::line("slipping", Role::Slip, part(true)).wide(0.9));
        }
        panel = panel.with(Series::line("rolling", Role::Stick, part(false)).wide(1.4));
        panel.height = 380.0;
        Figure { width: 560.0, ..Figure::stacked(vec![panel]) }.titled("Phase portrait")
    }
}
