//! The pictures of a towed wheel.

use stickslip_core::analysis::limit_directions::{LimitDirection, SlipField, portrait};
use stickslip_core::analysis::lyapunov::{Arrivals, Exponent, LyapunovError, Nearby, by_arrivals, nearby_runs};
use stickslip_core::analysis::orbit::{Arrival, Point, advance};
use stickslip_core::analysis::poincare;
use stickslip_core::analysis::stuck::stuck_times;
use stickslip_core::law::State;
use stickslip_core::mechanics::At;
use stickslip_core::model::towed_wheel::{Parameters, Start, TowedWheel};
use stickslip_core::scheme::Event;
use stickslip_report::figure::{Anchor, Axis, Figure, Note, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use super::{View, order_figure};
use crate::text::{number_to, percent};
use crate::{Summary, Trace};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 3000;

/// Changes of state whose limit directions are listed.
const LISTED: usize = 24;

/// Arrivals of the Poincaré section at the most.
const SECTION: usize = 200;

/// One curve: name, colour, values.
type Curve = (&'static str, Role, Vec<f64>);

/// Figures and sections of a towed wheel's run.
pub(crate) fn towed_wheel(wheel: &TowedWheel, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(trace);
    let points = at_events(wheel, &trace.events);
    let mut figures = vec![("time", data.time_figure(trace)), ("phase", data.phase_figure())];
    figures.extend(slip_plane(wheel, &points).map(|figure| ("slip-plane", figure)));
    let seen = section(wheel, trace);
    figures.extend(section_figure(&seen).map(|figure| ("poincare", figure)));
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
                 exactly zero and the force stays below C. Drag to zoom, double-click to reset.",
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
            content: figure("slip-plane").into_iter().chain(directions_table(wheel, &points)).collect(),
        },
        Section {
            heading: "Poincaré section".into(),
            text: "The state at each arrival of the slip at zero: a periodic motion shows as few points.".into(),
            content: figure("poincare").into_iter().collect(),
        },
        Section {
            heading: "Rolling times and Lyapunov exponent".into(),
            text: "The largest Lyapunov exponent by two methods, from the middle of the run on: two runs a share of \
                   1e-7 apart (a direction along the motion itself neither grows nor decays, so a periodic motion \
                   gives zero), and the derivative of the map from arrival to arrival (that direction is left out). \
                   The stretch is short: errors are standard errors from its 16 parts and one e-fold for its ends, and the example `chaos` of the \
                   library measures longer."
                .into(),
            content: vec![Content::Table(statistics(wheel, trace, &seen))],
        },
    ];
    if let Some(order) = figure("order") {
        sections.push(Section {
            heading: "How the error falls with the step".into(),
            text: "Greatest error of any velocity at any time against a run of a million steps. Implicit Euler is of \
                   first order as long as errors stay small; a chaotic motion forgets its start, and then no step is \
                   small enough."
                .into(),
            content: vec![order],
        });
    }
    sections.retain(|section| !section.content.is_empty());
    View { figures, sections }
}

/// The thinned columns of a run.
struct Data {
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
        let rows = rows_to_keep(&curves, &[&marks], CURVE_POINTS);
        let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i] + 0.0).collect() };
        Data {
            t: take("t"),
            psi: take("psi"),
            omega: take("Omega"),
            slips: rows.iter().map(|&i| marks[i] != 0).collect(),
            angles: vec![("angle ψ", Role::First, take("psi"))],
            slip: vec![("along the bar u_1", Role::Second, take("u1")), ("across u_2", Role::First, take("u2"))],
            force: vec![("|F|/C", Role::First, take("demand"))],
            duration: trace.end,
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
        let mut panel = Panel::new(Axis::linear("angle ψ", "rad"), Axis::linear("rate Ω", "rad/s"))
            .with(Series::line("slipping", Role::Slip, part(true)).wide(0.9))
            .with(Series::line("rolling", Role::Stick, part(false)).wide(1.4));
        panel.height = 380.0;
        Figure { width: 560.0, ..Figure::stacked(vec![panel]) }.titled("Phase portrait")
    }
}

/// The first changes of state, each with the motion there.
fn at_events(wheel: &TowedWheel, events: &[Event]) -> Vec<(Event, Point)> {
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
    SlipField::of(wheel, At { t: point.t, q: &point.q, v: &point.v, sides: &[] })
}

/// Whether slips arrive along a limit direction. Where rolling is lost R is zero, and rounding may say either: slips leave
/// along that one.
fn arrives(field: &SlipField, limit: &LimitDirection) -> bool {
    let all = field.limit_directions();
    let greatest = all.as_slice().iter().fold(0.0_f64, |m, d| m.max(d.rate.abs()));
    limit.rate < -1e-6 * greatest
}

fn kind(event: &Event) -> &'static str {
    match (event.from, event.to) {
        (State::Stick, _) => "rolling → slipping",
        (_, State::Stick) => "slipping → rolling",
        _ => "slipping → slipping",
    }
}

/// The plane of slips at the first event of each kind.
fn slip_plane(wheel: &TowedWheel, points: &[(Event, Point)]) -> Option<Figure> {
    let kinds = ["rolling → slipping", "slipping → rolling", "slipping → slipping"];
    let firsts = kinds.iter().filter_map(|name| points.iter().find(|(event, _)| kind(event) == *name));
    let mut panels = Vec::new();
    for (event, point) in firsts {
        let field = field(wheel, point)?;
        let axis = |label: &str| Axis::linear(label, "").from_to(-1.0, 1.0);
        let mut panel = Panel::new(axis("u_1, scaled"), axis("u_2, scaled"));
        panel.title = format!("t = {} s: {}", number_to(event.t, 6), kind(event));
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
    panels[0].series.push(Series::line("attracting", Role::Stick, none()).wide(3.0));
    if let Some(panel) = panels.get_mut(1) {
        panel.series.push(Series::line("repelling", Role::Slip, none()).wide(3.0));
    }
    if let Some(panel) = panels.last_mut() {
        panel.series.push(Series::line("orbits of the slip", Role::Reference, none()));
    }
    let title = "Limit directions in the plane of slips (thick: generic)";
    Some(Figure { width: 860.0, ..Figure::side_by_side(panels) }.titled(title))
}

fn directions_table(wheel: &TowedWheel, points: &[(Event, Point)]) -> Option<Content> {
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

/// Arrivals of the slip at zero within the run; fewer where one cannot be followed.
fn section(wheel: &TowedWheel, trace: &Trace) -> Vec<Arrival> {
    if trace.event_count == 0 {
        return Vec::new();
    }
    let start = Point::start(wheel);
    let mut seen = poincare::arrivals(wheel, &start, 0, SECTION, trace.end, |_| true).unwrap_or_default();
    seen.retain(|arrival| arrival.point.t <= trace.end);
    seen
}

fn section_figure(seen: &[Arrival]) -> Option<Figure> {
    if seen.is_empty() {
        return None;
    }
    let half = seen.len() / 2;
    let dots = |part: &[Arrival], rolls: bool| -> Vec<[f64; 2]> {
        let mine = part.iter().filter(|a| (a.event.to == State::Stick) == rolls);
        mine.map(|a| [a.point.q[0], a.point.v[2]]).collect()
    };
    let mut panel = Panel::new(Axis::linear("angle ψ", "rad"), Axis::linear("rate Ω", "rad/s"));
    panel.series.push(Series::markers(
        "first half of the arrivals",
        Role::Reference,
        [dots(&seen[..half], true), dots(&seen[..half], false)].concat(),
    ));
    panel.series.push(Series::markers("second half: begins to roll", Role::Stick, dots(&seen[half..], true)));
    panel.series.push(Series::markers("second half: slips on", Role::Slip, dots(&seen[half..], false)));
    panel.height = 340.0;
    Some(Figure { width: 560.0, ..Figure::stacked(vec![panel]) }.titled("State at arrivals of the slip at zero"))
}

/// Rolling times and exponents.
fn statistics(wheel: &TowedWheel, trace: &Trace, seen: &[Arrival]) -> TextTable {
    let period = wheel.coefficients().period();
    let rolls = trace.last.first() == Some(&State::Stick);
    let times = stuck_times(&trace.events, 0, rolls, 0.5 * trace.end, trace.end);
    let header = vec!["quantity".to_string(), "value".to_string()];
    let mut rows = vec![
        vec!["rolling, second half of the run".into(), percent(times.share)],
        vec!["stretches of rolling that begin and end in it: mean".into(), format!("{} s", number_to(times.mean, 4))],
        vec![
            "shortest, longest".into(),
            format!("{} s, {} s", number_to(times.shortest, 4), number_to(times.longest, 4)),
        ],
        vec!["period of the linear motion P".into(), format!("{} s", number_to(period, 6))],
    ];
    let Some(late) = late(wheel, seen) else { return TextTable { header, rows } };
    let nearby = Nearby { transient: 0.0, interval: period, intervals: 16, separation: 1e-7 };
    rows.push(vec!["exponent, two nearby runs".into(), told(nearby_runs(&late, &nearby), period)]);
    if seen.len() > 8 {
        let settings =
            Arrivals { contact: 0, transient: 1, arrivals: 16, difference: 1e-6, forced: false, horizon: trace.end };
        rows.push(vec!["exponent, map of arrivals".into(), told(by_arrivals(&late, &settings), period)]);
    }
    TextTable { header, rows }
}

/// The same wheel, started where the run was half-way; at its own start if it never arrived at zero slip.
fn late(wheel: &TowedWheel, seen: &[Arrival]) -> Option<TowedWheel> {
    let parameters = *wheel.parameters();
    let Some(Arrival { point: Point { q, v, .. }, .. }) = seen.get(seen.len() / 2) else { return Some(wheel.clone()) };
    let start = Start { psi: q[0], w: q[1], u1: v[0], u2: v[1], omega: v[2] };
    TowedWheel::new(Parameters { start, ..parameters }).ok()
}

fn told(result: Result<Exponent, LyapunovError>, period: f64) -> String {
    match result {
        Ok(e) => format!(
            "{} ± {} per second, {} per P, over {} s",
            number_to(e.value, 3),
            number_to(e.error, 2),
            number_to(e.value * period, 3),
            number_to(e.time, 3)
        ),
        Err(error) => error.to_string(),
    }
}
