//! The pictures of a towed wheel.

mod slip_plane;

use crate::towed_wheel::TowedWheel;
use crate::towed_wheel::picture::picture;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section};
use stickslip_report::palette::Role;
use stickslip_report::thinning::{rows_to_keep, with_last_periods};

use self::slip_plane::{at_events, directions_data, directions_table, slip_plane};
use stickslip_run::text::number_to;
use stickslip_run::view::{Group, Thinned, View, found, order_figure, order_section};
use stickslip_run::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 3000;

/// Figures and sections of a towed wheel's run.
pub(crate) fn towed_wheel(wheel: &TowedWheel, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(trace);
    let points = at_events(wheel, &trace.events);
    let mut figures = vec![("time", data.time_figure(trace)), ("phase", data.phase_figure())];
    figures.extend(slip_plane(wheel, &points).map(|figure| ("slip-plane", figure)));
    figures.extend(order_figure(summary));
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
            content: found(&figures, "phase"),
        },
        Section {
            heading: "How slips leave zero and arrive there".into(),
            text:
                "The plane of slips at changes of state. Along a limit direction a slip reaches zero (attracting) or \
                   leaves it (repelling); nearly all slips use the generic ones. Rolling goes on if and only if all of \
                   them attract, which is where the force it needs, as a share of C, is below 1."
                    .into(),
            content: found(&figures, "slip-plane"),
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
    View { tables, folded, assumptions, ..View::new(figures, sections) }.moving(picture(
        wheel,
        trace,
        &data.thinned.rows,
    ))
}

/// The thinned columns of a run.
struct Data<'a> {
    thinned: Thinned<'a>,
    /// Times that a long run is opened on.
    opens_on: Option<[f64; 2]>,
    groups: [Group; 3],
}

impl<'a> Data<'a> {
    fn new(trace: &'a Trace) -> Data<'a> {
        let curves = ["psi", "Omega", "u1", "u2", "demand"].map(|name| trace.column(name));
        let marks: Vec<i8> = trace.column("slips").iter().map(|v| *v as i8).collect();
        let (rows, late) = with_last_periods(rows_to_keep(&curves, &[&marks], CURVE_POINTS), &curves);
        let thinned = Thinned::to(trace, rows);
        let curve = |name, role, column| thinned.curve(name, role, column, 1.0);
        let slips = vec![curve("along the bar (u_1)", Role::Second, "u1"), curve("across (u_2)", Role::First, "u2")];
        Data {
            groups: [
                Group::new("angle", "rad", vec![curve("angle of the bar (ψ)", Role::First, "psi")]),
                Group::new("slip", "m/s", slips),
                Group::new("force over C", "", vec![curve("|F|/C", Role::First, "demand")]),
            ],
            opens_on: late.map(|row| [trace.column("t")[row], trace.end]),
            thinned,
        }
    }

    fn time_figure(&self, trace: &Trace) -> Figure {
        let strips = trace.strips();
        let mut panels: Vec<Panel> = self.groups.iter().map(|group| self.thinned.panel(group)).collect();
        for panel in &mut panels {
            panel.height = 130.0;
            panel.bands = strips.first().map_or_else(Vec::new, |strip| strip.bands.clone());
            panel.series.iter_mut().for_each(|series| series.width = 1.0);
        }
        panels[0].strips = strips;
        Figure::stacked(panels).titled("Angle, slips and force")
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |group: &Group| {
            let mut chart = self.thinned.chart(group);
            (chart.strips, chart.opens_on, chart.height) = (trace.strips(), self.opens_on, 200);
            Content::Chart(chart)
        };
        self.groups.iter().map(chart).collect()
    }

    /// Ω against ψ, rolling and slipping told apart.
    fn phase_figure(&self) -> Figure {
        let [psi, omega] = ["psi", "Omega"].map(|name| self.thinned.scaled(name, 1.0));
        let slips: Vec<bool> = self.thinned.column("slips").iter().map(|v| *v as i8 != 0).collect();
        let part = |slipping: bool| -> Vec<[f64; 2]> {
            (0..slips.len())
                .map(|i| {
                    // A segment belongs to the state at its end; its beginning is drawn with it.
                    let mine = slips[i] == slipping || slips.get(i + 1) == Some(&slipping);
                    if mine { [psi[i], omega[i]] } else { [f64::NAN, f64::NAN] }
                })
                .collect()
        };
        let mut panel = Panel::new(Axis::linear("angle ψ", "rad"), Axis::linear("rate Ω", "rad/s"));
        if slips.contains(&true) {
            panel = panel.with(Series::line("slipping", Role::Slip, part(true)).wide(0.9));
        }
        panel = panel.with(Series::line("rolling", Role::Stick, part(false)).wide(1.4));
        panel.height = 380.0;
        Figure { width: 560.0, ..Figure::stacked(vec![panel]) }.titled("Phase portrait")
    }
}
