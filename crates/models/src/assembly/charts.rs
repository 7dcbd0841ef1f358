//! The pictures of an assembly: forces, relative displacements, the angle of the friction, positions, speeds and the
//! number of degrees of freedom over time.

use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;

use crate::assembly::{Assembly, Element, Face, Motion, Pad};
use stickslip_report::figure::{Axis, Figure, Panel, Series, Style};
use stickslip_report::html::{Content, Section, TextTable, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::{rows_to_keep, rows_within, with_last_periods};

use super::loops::friction;
use super::picture::picture;
use super::portraits::portraits;
use stickslip_run::text::number_to;
use stickslip_run::view::rounding::{Kind, kind, least_force};
use stickslip_run::view::{View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

/// Points that a curve on a screen has at the most.
pub(super) const CURVE_POINTS: usize = 1500;

/// Values that the curves of a page have together at the most.
const NUMBERS: usize = 32_000;

/// Groups of curves that are shown at once; more are folded.
const SHOWN: usize = 2;

/// Pads, bodies and forces that are drawn; all are in the trajectory.
pub(super) const MOST: usize = 4;

/// Figures and sections of an assembly's run.
pub(crate) fn assembly(assembly: &Assembly, trace: &Trace, summary: &Summary) -> View {
    let data = Data::new(assembly, trace);
    let friction = friction(assembly, trace, summary);
    let mut figures = vec![("time", data.figure(trace))];
    figures.extend(friction.figures);
    figures.extend(order_figure(summary));
    // A line has few curves; in the plane positions and speeds are for those who look closer.
    let shown = if data.groups.len() > SHOWN + 3 { 0..SHOWN } else { 0..data.groups.len() };
    let more = (shown.end < data.groups.len()).then(|| Section {
        heading: "Positions, speeds and the rest over time".into(),
        text: String::new(),
        content: data.charts(trace, shown.end..data.groups.len()),
    });
    let mut sections = vec![Section {
        heading: "Forces, displacements, speeds".into(),
        text: data.text(assembly),
        content: data.charts(trace, shown),
    }];
    for (name, section, figure) in portraits(assembly, trace) {
        sections.push(section);
        figures.push((name, figure));
    }
    sections.extend(friction.sections);
    let folded = [more, Some(equations(assembly)), order_section(summary, "")].into_iter().flatten().collect();
    let assumptions = assumptions(assembly);
    let view = View { folded, assumptions, ..View::new(figures, sections) };
    match picture(assembly, trace, &data.rows) {
        Some(motion) => view.moving(motion),
        None => view,
    }
}

/// What the model takes for granted of the data it was given.
fn assumptions(assembly: &Assembly) -> Vec<String> {
    let p = assembly.parameters();
    let pressed: Vec<&str> =
        p.pads.iter().filter(|pad| pad.pressed_by.is_some()).map(|pad| pad.name.as_str()).collect();
    let loads = match pressed.as_slice() {
        _ if p.pads.is_empty() => None,
        [] => Some("Loads on pads do not depend on the motion: each is what the scenario gives.".to_string()),
        names => Some(format!(
            "Loads follow the compression of a spring on {}; on other pads they are given.",
            names.join(", ")
        )),
    };
    let small = "Displacements are small beside the distances between points: springs and pads keep their directions.";
    loads.into_iter().chain([small.to_string()]).collect()
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

/// Name of a pad's or a body's column.
pub(super) fn key(short: &str, axis: &str, name: &str) -> String {
    format!("{short}{axis}_{}", name.replace(char::is_whitespace, "_"))
}

/// The states of pads in all rows, so that thinning keeps the rows at which they change and jumps are drawn steep; none
/// where they change more often than a curve has points.
pub(super) fn states<'a>(pads: impl Iterator<Item = &'a Pad>, trace: &Trace) -> Vec<Vec<i8>> {
    let states: Vec<Vec<i8>> =
        pads.map(|pad| trace.column(&key("eps", "", &pad.name)).iter().map(|state| *state as i8).collect()).collect();
    let changes: usize = states.iter().map(|of| of.windows(2).filter(|pair| pair[0] != pair[1]).count()).sum();
    if changes <= CURVE_POINTS { states } else { Vec::new() }
}

/// A curve of all rows in memory.
struct Curve {
    name: String,
    role: Role,
    values: Vec<f64>,
}

/// Curves that share an axis.
struct Group {
    label: &'static str,
    unit: &'static str,
    /// Whether each value holds until the next.
    step: bool,
    curves: Vec<Curve>,
}

impl Group {
    fn new(label: &'static str, unit: &'static str) -> Group {
        Group { label, unit, step: false, curves: Vec::new() }
    }

    fn add(&mut self, name: impl Into<String>, values: Vec<f64>) {
        let role = Role::DATA[self.curves.len() % Role::DATA.len()];
        self.curves.push(Curve { name: name.into(), role, values });
    }

    /// Runs of curves whose names begin alike: those of one pad.
    fn of_pads(&self) -> Vec<(&str, &[Curve])> {
        let pad = |curve: &'_ Curve| curve.name.split(", ").next().unwrap_or_default().to_owned();
        let runs = self.curves.chunk_by(|a, b| pad(a) == pad(b));
        runs.map(|run| (run[0].name.split(", ").next().unwrap_or_default(), run)).collect()
    }

    /// Adds those of the columns that hold data, each with its name in the legend. Columns of zeros would only fill the
    /// legend; those that hold rounding are returned in words.
    fn add_columns(&mut self, trace: &Trace, wanted: Vec<(String, String)>) -> Option<String> {
        let (rounding, others): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|(_, column)| kind(trace, column) == Kind::Rounding);
        for (legend, column) in others {
            if kind(trace, &column) == Kind::Data {
                self.add(legend, trace.column(&column).to_vec());
            }
        }
        let names: Vec<String> = rounding.into_iter().map(|(legend, _)| legend).collect();
        (!names.is_empty()).then(|| format!("{} ({})", self.label, names.join("; ")))
    }
}

/// The thinned columns of a run, in groups that share an axis.
struct Data {
    /// The rows that are kept.
    rows: Vec<usize>,
    /// Times that a long run is opened on.
    opens_on: Option<[f64; 2]>,
    t: Vec<f64>,
    groups: Vec<Group>,
    /// What is not drawn since it is rounding.
    rounding: Vec<String>,
    /// The number of degrees of freedom, where it never changes.
    freedoms: Option<usize>,
    duration: f64,
}

impl Data {
    fn new(assembly: &Assembly, trace: &Trace) -> Data {
        let p = assembly.parameters();
        let mut groups = Vec::new();
        let mut rounding = Vec::new();
        let mut gather = |mut group: Group, wanted: Vec<(String, String)>| {
            rounding.extend(group.add_columns(trace, wanted));
            groups.push(group);
        };
        let forces = trace.columns.iter().filter(|c| c.name.starts_with('F') && c.unit == "N").take(MOST);
        let forces = forces.map(|c| (c.meaning.replace("prescribed force on ", ""), c.name.to_string()));
        gather(Group::new("prescribed force", "N"), forces.collect());
        let of_pads = |short: &str| -> Vec<(String, String)> {
            let shown = p.pads.iter().take(MOST);
            let columns = shown.flat_map(|pad| match pad.face {
                Face::Disk => {
                    ["x", "y"].map(|axis| Some((format!("{}, {axis}", pad.name), key(short, axis, &pad.name))))
                }
                Face::Along(_) => [Some((pad.name.clone(), key(short, "", &pad.name))), None],
            });
            columns.flatten().collect()
        };
        gather(Group::new("friction f", "N"), of_pads("f"));
        gather(Group::new("relative displacement", "m"), of_pads("d"));
        let of_bodies = |short: &str, axis: &str| -> Vec<(String, String)> {
            p.bodies.iter().take(MOST).map(|body| (body.name.clone(), key(short, axis, &body.name))).collect()
        };
        gather(Group::new("position x", "m"), of_bodies("", "x"));
        gather(Group::new("position y", "m"), of_bodies("", "y"));
        gather(Group::new("speed along x", "m/s"), of_bodies("v", "x"));
        gather(Group::new("speed along y", "m/s"), of_bodies("v", "y"));
        groups.insert(3, angles(assembly, trace));
        for (axis, group) in groups.iter_mut().filter(|group| group.unit == "m/s").enumerate() {
            add_supports(assembly, trace, axis, group);
        }
        // On a line the strips of the pads say it all.
        let plane = p.pads.iter().any(|pad| pad.face == Face::Disk);
        let counts = if plane { trace.column("freedoms") } else { &[] };
        let freedoms = counts.first().copied().filter(|first| counts.iter().all(|n| n == first));
        if freedoms.is_none() && !counts.is_empty() {
            let mut group = Group { step: true, ..Group::new("degrees of freedom", "") };
            group.add("degrees of freedom", counts.to_vec());
            groups.push(group);
        }
        groups.retain(|group| !group.curves.is_empty());
        // All curves keep the same rows.
        let all: Vec<&[f64]> = groups.iter().flat_map(|group| &group.curves).map(|c| c.values.as_slice()).collect();
        let t = trace.column("t");
        let states = states(p.pads.iter().take(MOST), trace);
        let marks: Vec<&[i8]> = states.iter().map(Vec::as_slice).collect();
        let rows =
            if all.is_empty() { rows_to_keep(&[t], &[], 2) } else { rows_within(&all, &marks, CURVE_POINTS, NUMBERS) };
        // Periods are those of the motion: forces may ring far faster, and that is not what a reader looks for first.
        let places = groups.iter().filter(|group| group.unit == "m").flat_map(|group| &group.curves);
        let places: Vec<&[f64]> = places.map(|curve| curve.values.as_slice()).collect();
        let (rows, late) = with_last_periods(rows, &places);
        let opens_on = late.and_then(|row| t.get(row)).map(|from| [*from, trace.end]);
        for curve in groups.iter_mut().flat_map(|group| &mut group.curves) {
            curve.values = rows.iter().map(|&i| curve.values[i]).collect();
        }
        // After that: a gap of one row would not be kept.
        for group in groups.iter_mut().filter(|group| group.label == ANGLE) {
            turned_once(group.curves.iter_mut().map(|curve| &mut curve.values).collect());
        }
        let t = rows.iter().map(|&i| t[i]).collect();
        Data { rows, opens_on, t, groups, rounding, freedoms: freedoms.map(|n| n as usize), duration: trace.end }
    }

    fn figure(&self, trace: &Trace) -> Figure {
        let mut panels = Vec::new();
        for (k, group) in self.groups.iter().enumerate() {
            let x = Axis::linear("time", "s").from_to(0.0, self.duration);
            let mut panel = Panel::new(x, Axis::linear(group.label, group.unit));
            panel.height = 130.0;
            if k == 0 {
                panel.strips = trace.strips().into_iter().take(MOST).collect();
            }
            for curve in &group.curves {
                let points = self.t.iter().zip(&curve.values).map(|(t, v)| [*t, *v]).collect();
                let line = Series::line(curve.name.clone(), curve.role, points);
                panel.series.push(if group.step { Series { style: Style::Step, ..line } } else { line });
            }
            panels.push(panel);
        }
        Figure::stacked(panels).titled("Forces, displacements and speeds")
    }

    fn charts(&self, trace: &Trace, shown: Range<usize>) -> Vec<Content> {
        let chart = |label: &str, group: &Group, curves: &[Curve]| {
            let mut chart = TimeChart::new(label, group.unit, self.t.clone());
            for (k, curve) in curves.iter().enumerate() {
                let role = if curves.len() < group.curves.len() { Role::DATA[k] } else { curve.role };
                chart = chart.with(&curve.name, role, curve.values.clone());
            }
            chart.curves.iter_mut().for_each(|curve| curve.step = group.step);
            chart.strips = trace.strips().into_iter().take(MOST).collect();
            chart.opens_on = self.opens_on;
            chart.height = 190;
            chart
        };
        let content = |group: &Group| match group.of_pads() {
            pads if pads.len() > 1 && group.curves.len() > MOST => {
                let small = |(pad, curves): &(&str, &[Curve])| chart(&format!("{}, {pad}", group.label), group, curves);
                Content::Charts(pads.iter().map(small).collect())
            }
            _ => Content::Chart(chart(group.label, group, &group.curves)),
        };
        self.groups[shown].iter().map(content).collect()
    }

    /// What to know about the charts.
    fn text(&self, assembly: &Assembly) -> String {
        let p = assembly.parameters();
        let mut text = String::new();
        if !p.pads.is_empty() {
            text.push_str(
                "Friction f has the sign of the slip it resists: it is the force of a body on what it rubs on. On the body itself acts −f, \
                 the arrow of the picture.",
            );
        }
        if !p.pads.is_empty() && p.pads.iter().all(|pad| pad.element == Element::Exact) {
            text.push_str(" A displacement is exactly constant while its pad sticks.");
        }
        if self.groups.iter().any(|group| group.label == ANGLE) {
            text.push_str(" A pad without friction has no angle: there the curve has a gap, and another where an angle has turned \
                 round once and is drawn at the other edge.");
        }
        let turned = |group: &Group| group.curves.iter().flat_map(|curve| &curve.values).any(|angle| *angle > PI);
        if self.groups.iter().any(|group| group.label == ANGLE && turned(group)) {
            text.push_str(
                " Angles above π are drawn so that the curve is cut less often; they are the same as 2π less, which the \
                 trajectory has, from −π to π.",
            );
        }
        if let Some(freedoms) = self.freedoms {
            text.push_str(&format!(" The number of degrees of freedom is {freedoms} all the time."));
        }
        if !self.rounding.is_empty() {
            text.push_str(&format!(
                " Rounding, below a billionth of the greatest of its kind all through the run, is taken for zero and not \
                 drawn: {}.",
                self.rounding.join(", ")
            ));
        }
        let more = [(p.pads.len(), "pads"), (p.bodies.len(), "bodies")];
        for (_, what) in more.iter().filter(|(count, _)| *count > MOST) {
            text.push_str(&format!(" The first {MOST} {what} are shown; all are in the trajectory."));
        }
        text
    }
}

/// Label of the axis of angles.
const ANGLE: &str = "angle of the friction";

/// The angle of each pad's friction; none where no friction leaves the x axis.
fn angles(assembly: &Assembly, trace: &Trace) -> Group {
    let mut group = Group::new(ANGLE, "rad");
    let disks = assembly.parameters().pads.iter().take(MOST).filter(|pad| pad.face == Face::Disk);
    for pad in disks {
        let [x, y] = ["x", "y"].map(|axis| key("f", axis, &pad.name));
        if kind(trace, &y) != Kind::Data {
            continue;
        }
        // What is rounding beside the greatest force has no direction and turns none.
        let least = least_force(trace);
        let felt = |v: &f64| if v.abs() > least { *v } else { 0.0 };
        let values = trace.column(&x).iter().zip(trace.column(&y)).map(|(x, y)| match (felt(x), felt(y)) {
            (0.0, 0.0) => f64::NAN,
            (x, y) => y.atan2(x),
        });
        group.add(pad.name.clone(), values.collect());
    }
    group
}

/// Where the circle may be cut open for angles to be drawn.
const CUTS: [f64; 4] = [-PI, -FRAC_PI_2, 0.0, FRAC_PI_2];

/// Draws angles from the cut on once round, the cut that the fewest of them pass; a curve that passes it is interrupted
/// there, since a line through the whole panel would be no motion.
fn turned_once(mut curves: Vec<&mut Vec<f64>>) {
    let from = |cut: f64, angle: f64| cut + (angle - cut).rem_euclid(2.0 * PI);
    let passes = |cut: f64| {
        let of =
            |curve: &&mut Vec<f64>| curve.windows(2).filter(|w| (from(cut, w[1]) - from(cut, w[0])).abs() > PI).count();
        curves.iter().map(of).sum::<usize>()
    };
    let Some(cut) = CUTS.into_iter().min_by_key(|cut| passes(*cut)) else { return };
    for curve in &mut curves {
        curve.iter_mut().for_each(|angle| *angle = from(cut, *angle));
        for k in (1..curve.len()).rev() {
            if (curve[k] - curve[k - 1]).abs() > PI {
                curve[k] = f64::NAN;
            }
        }
    }
}

/// Adds the speeds of belts and shakers along an axis, to compare with.
fn add_supports(assembly: &Assembly, trace: &Trace, axis: usize, group: &mut Group) {
    for support in assembly.parameters().supports.iter().take(MOST) {
        let speed = |t: &f64| match &support.motion[axis] {
            Motion::Still => None,
            Motion::Speed(signal) => Some(signal.at(*t)),
            Motion::Position(signal) => signal.rate(*t),
        };
        let values: Option<Vec<f64>> = trace.column("t").iter().map(speed).collect();
        if let Some(values) = values {
            // First, so that what follows a belt is drawn above it.
            group.curves.insert(0, Curve { name: support.name.clone(), role: Role::Reference, values });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_that_turn_round_are_interrupted_not_joined() {
        // About π, where the usual cut lies: another cut has nothing to interrupt.
        let mut near = vec![3.1, -3.1, 3.0, -3.0];
        turned_once(vec![&mut near]);
        assert!(near.windows(2).all(|w| (w[1] - w[0]).abs() < 0.3), "{near:?}");
        // Two turns, in steps of 0.1 rad: no cut is without passes, and none of them is joined.
        let mut round: Vec<f64> =
            (0..126).map(|k| (0.1 * f64::from(k)).sin().atan2((0.1 * f64::from(k)).cos())).collect();
        turned_once(vec![&mut round]);
        let joined = round.windows(2).filter(|w| (w[1] - w[0]).abs() > 0.2).count();
        let gaps = round.iter().filter(|angle| angle.is_nan()).count();
        assert!(joined == 0 && (1..=2).contains(&gaps), "{joined} {gaps}");
    }
}
