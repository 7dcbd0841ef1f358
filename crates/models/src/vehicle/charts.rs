//! The pictures of a vehicle.

mod elements;

use crate::vehicle::Vehicle;
use stickslip_core::Name;
use stickslip_core::record::column_part;
use stickslip_report::figure::{Axis, Figure, Panel, Series, Strip};
use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::palette::Role;

use stickslip_run::Used;
use stickslip_run::text::{number, percent, seconds};
use stickslip_run::view::{Group, Thinned, View, order_figure, order_section, untitled};
use stickslip_run::{Summary, Trace};

use super::contrast::{Contrast, Uncontrolled};
use super::picture::picture;
use super::record::load_column;

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 1500;

/// Wheels that are drawn; all are in the trajectory.
const MOST_WHEELS: usize = 6;

/// Colours of wheels, in order; the chassis has the first of all colours.
const ROLES: [Role; 6] = [Role::Second, Role::Third, Role::Fourth, Role::Fifth, Role::Sixth, Role::Seventh];

/// Figures and sections of a vehicle's run.
pub(crate) fn vehicle(vehicle: &Vehicle, trace: &Trace, summary: &Summary, contrast: Option<&Contrast>) -> View {
    let data = Data::new(vehicle, trace);
    let more = elements::curves(vehicle, trace, &data);
    let mut figures = vec![("time", data.figure(trace, &more))];
    figures.extend(data.loads_figure().map(|figure| ("loads", figure)));
    figures.extend(order_figure(summary));
    let mut text = how_to_read(vehicle);
    if vehicle.parameters().wheels.len() > MOST_WHEELS {
        text.push_str(&format!(" The first {MOST_WHEELS} wheels are shown; all are in the trajectory."));
    }
    let mut content = data.charts(trace);
    content.extend(more.iter().map(|group| Content::Chart(data.thinned.chart(group))));
    let mut sections = vec![Section { heading: "Speeds and ground forces".into(), text, content }];
    if let Some((figure, section)) = elements::force_over_slip(vehicle, trace, &data) {
        figures.push(("tyre", figure));
        sections.push(section);
    }
    let mut folded: Vec<Section> = margins(summary).into_iter().collect();
    if let Some(contrast) = contrast {
        let figure = displacements(contrast, trace);
        sections.push(Section {
            heading: "Beside a smoothed law".into(),
            text: smoothed_text(contrast, summary),
            content: vec![untitled(&figure)],
        });
        figures.push(("contrast", figure));
    }
    folded.extend(order_section(summary, ""));
    let loads = match vehicle.parameters().loads_move() {
        true => {
            "Loads move between front and rear with the forces, at once: the body neither pitches nor heaves, and no wheel lifts."
        }
        false => {
            "Loads do not move: a wheel carries its share of the weight all the time, also while the vehicle brakes, so that the \
             order in which front and rear wheels lock may differ from that of a real car. With vehicle.height, the \
             height of the centre of mass, they move."
        }
    };
    let mut assumptions = vec![
        loads.to_string(),
        "Only motion along the road is described: unequal forces left and right turn nothing.".to_string(),
    ];
    if vehicle.parameters().resistance > 0.0 || vehicle.parameters().road.rolling > 0.0 {
        let words = "Rolling resistance acts on the whole vehicle, also while wheels are locked and slide.";
        assumptions.push(words.to_string());
    }
    if vehicle.treads().next().is_some() {
        let words = "Tyres have longitudinal forces only: no side force takes any of their friction. Their stiffness is that at the \
                     load on the level.";
        assumptions.push(words.to_string());
    }
    let picture = vec![picture(vehicle, trace, &data.thinned.rows)];
    View { picture, folded, assumptions, ..View::new(figures, sections) }
}

/// How the curves of rims and of the chassis tell what wheels do: on tyres, which slip by what they transmit, and without.
fn how_to_read(vehicle: &Vehicle) -> String {
    let wheels = &vehicle.parameters().wheels;
    let on_tyres = wheels.iter().filter(|wheel| wheel.tyre.is_some()).count();
    let stiff = "rolls where the speed of its rim lies on that of the chassis, and is locked where it is zero.";
    let soft = "always slips as long as it transmits a force: its rim is slower than the chassis where it brakes, and faster where it \
                drives. It is said to roll as long as it turns, and is locked where the speed of its rim is zero.";
    let forces = "Forces are those of the ground on the vehicle, forward positive.";
    match on_tyres {
        0 => format!("A wheel {stiff} {forces}"),
        all if all == wheels.len() => format!("A wheel on a tyre {soft} {forces}"),
        _ => format!("A wheel without a tyre {stiff} One on a tyre {soft} {forces}"),
    }
}

/// How much of its friction each wheel used.
fn margins(summary: &Summary) -> Option<Section> {
    let row = |(wheel, used): &(Name, Used)| {
        let shares = [used.end, used.max, used.margin].map(percent);
        let mut row = vec![wheel.to_string()];
        row.extend(shares);
        row.push(number(used.t_max));
        row
    };
    let mut text = "The share |f|/(μN) of its friction that a wheel used: at the end, and the most of all recorded \
                    steps with what was left then, its stick margin. A wheel that slips uses all of it."
        .to_string();
    if let Some(locked) = summary.locked_wheels_use {
        text.push_str(&format!(
            " With all wheels locked the vehicle would use tan θ/μ = {} on the slope it ends on{}.",
            percent(locked),
            if locked > 1.0 { ", and slide" } else { "" }
        ));
    }
    match summary.friction_used.iter().count().saturating_sub(MOST_ROWS) {
        0 => {}
        left => text.push_str(&format!(" The first {MOST_ROWS} wheels are listed; {left} more are in summary.json.")),
    }
    let header = ["wheel", "at the end", "at most", "margin", "first at t (s)"].map(String::from).to_vec();
    let table = TextTable { header, rows: summary.friction_used.iter().take(MOST_ROWS).map(row).collect() };
    (!table.rows.is_empty()).then(|| Section {
        heading: "Friction used".into(),
        text,
        content: vec![Content::Table(table)],
    })
}

/// Rows of the table of friction used; all wheels are in the summary.
const MOST_ROWS: usize = 24;

fn smoothed_text(contrast: &Contrast, summary: &Summary) -> String {
    let closed = contrast.creep.map_or(String::new(), |creep| {
        format!(", where the closed form −ε atanh(P/Σ μN) over the locked wheels gives {} m/s", number(creep))
    });
    format!(
        "The same vehicle with the law μN tanh(slip/ε), ε = {} m/s, in place of dry friction on the ground: now a force \
         needs a slip. In {} it moved {} m and ended at {} m/s{closed}.",
        number(contrast.tanh_speed),
        seconds(summary.duration),
        number(contrast.distance),
        number(contrast.x1),
    )
}

/// Positions of the exact and of the smoothed vehicle.
fn displacements(contrast: &Contrast, trace: &Trace) -> Figure {
    let exact: Vec<[f64; 2]> = trace.column("t").iter().zip(trace.column("x")).map(|(t, x)| [*t, *x]).collect();
    let keep = exact.len().div_ceil(CURVE_POINTS).max(1);
    let last = exact.last().copied();
    let thinned = exact.into_iter().step_by(keep).chain(last).collect();
    let mut panel = Panel::new(Axis::linear("time", "s").from_to(0.0, trace.end), Axis::linear("position", "m"))
        .with(Series::line("exact friction", Role::Stick, thinned))
        .with(Series::line("smoothed friction", Role::Slip, contrast.curve.clone()));
    panel.height = 220.0;
    Figure::stacked(vec![panel]).titled("Exact and smoothed friction")
}

/// Adds the same stop without control to what is shown.
pub(crate) fn beside(other: &Uncontrolled, trace: &Trace, summary: &Summary, view: &mut View) {
    let own = |column: &str| {
        let all: Vec<[f64; 2]> = trace.column("t").iter().zip(trace.column(column)).map(|(t, x)| [*t, *x]).collect();
        let last = all.last().copied();
        let keep = all.len().div_ceil(CURVE_POINTS).max(1);
        all.into_iter().step_by(keep).chain(last).collect::<Vec<_>>()
    };
    let panel = |label: &str, unit: &str, column: &str, curve: &[[f64; 2]]| {
        let mut panel = Panel::new(Axis::linear("time", "s").from_to(0.0, trace.end), Axis::linear(label, unit))
            .with(Series::line("with control", Role::First, own(column)))
            .with(Series::line("without control", Role::Second, curve.to_vec()));
        panel.height = 180.0;
        panel
    };
    let [speed, place] = &other.curves;
    let panels = vec![panel("speed", "m/s", "x1", speed), panel("position", "m", "x", place)];
    let figure = Figure::stacked(panels).titled("With and without control");
    view.sections.push(Section {
        heading: "Beside the stop without control".into(),
        text: format!(
            "The same vehicle without anti-lock control, whose brake torque rises at the same rate to what the driver asks for and \
             stays there: {}.",
            other.told(summary)
        ),
        content: vec![untitled(&figure)],
    });
    view.figures.push(("without-control", figure));
}

/// The thinned columns of a run.
struct Data<'a> {
    thinned: Thinned<'a>,
    speeds: Group,
    forces: Group,
    /// Loads and friction used, where loads move.
    loads: Option<[Group; 2]>,
}

impl<'a> Data<'a> {
    fn new(vehicle: &Vehicle, trace: &'a Trace) -> Data<'a> {
        let wheels = &vehicle.parameters().wheels;
        let shown = 0..wheels.len().min(MOST_WHEELS);
        let column = |short: &str, wheel: usize| format!("{short}_{}", column_part(&wheels[wheel].name));
        let each = |shorts: [&'static str; 2]| shown.clone().flat_map(move |i| shorts.map(|short| column(short, i)));
        let columns: Vec<String> = std::iter::once("x1".to_string()).chain(each(["v", "f"])).collect();
        let states: Vec<String> = each(["eps_G", "eps_B"]).collect();
        let thinned = Thinned::new(trace, &columns, &states, CURVE_POINTS);
        let role = |k: usize| ROLES[k % ROLES.len()];
        let curve =
            |name: String, wheel: usize, column: &str, sign: f64| thinned.curve(name, role(wheel), column, sign);
        let rim = |i: usize| curve(format!("rim of {} (−v)", wheels[i].name), i, &column("v", i), -1.0);
        let force = |i: usize| curve(wheels[i].name.clone(), i, &column("f", i), -1.0);
        let load = |i: usize| curve(wheels[i].name.clone(), i, &load_column(&wheels[i].name), 1.0);
        let used = |i: usize| curve(wheels[i].name.clone(), i, &column("use", i), 1.0);
        let chassis = thinned.curve("chassis (x_1)", Role::First, "x1", 1.0);
        let speeds = std::iter::once(chassis).chain(shown.clone().map(rim)).collect();
        Data {
            loads: vehicle.parameters().loads_move().then(|| {
                [
                    Group::new("load", "N", shown.clone().map(load).collect()),
                    Group::new("friction used", "1", shown.clone().map(used).collect()),
                ]
            }),
            speeds: Group::new("speed", "m/s", speeds),
            forces: Group::new("force of the ground on the vehicle (−f)", "N", shown.clone().map(force).collect()),
            thinned,
        }
    }

    fn figure(&self, trace: &Trace, more: &[Group]) -> Figure {
        let mut upper = self.thinned.panel(&self.speeds);
        upper.strips = strips(trace);
        let mut lower = self.thinned.panel(&self.forces);
        lower.y.label = "ground force (−f)".into();
        lower.height = 150.0;
        let more = more.iter().map(|group| Panel { height: 120.0, ..self.thinned.panel(group) });
        Figure::stacked([upper, lower].into_iter().chain(more).collect()).titled("Speeds and ground forces")
    }

    /// Loads and friction used, where loads move.
    fn loads_figure(&self) -> Option<Figure> {
        let [loads, mut used] = self.loads.as_ref()?.each_ref().map(|group| self.thinned.panel(group));
        used.y.unit = String::new();
        used.height = 150.0;
        Some(Figure::stacked(vec![loads, used]).titled("Loads and friction used"))
    }

    fn charts(&self, trace: &Trace) -> Vec<Content> {
        let chart = |group: &Group| {
            let mut chart = self.thinned.chart(group);
            chart.strips = strips(trace);
            Content::Chart(chart)
        };
        [&self.speeds, &self.forces].into_iter().chain(self.loads.iter().flatten()).map(chart).collect()
    }
}

/// What wheels and controllers do.
fn strips(trace: &Trace) -> Vec<Strip> {
    trace.strips().into_iter().take(MOST_WHEELS).chain(elements::controller_strips(trace)).collect()
}
