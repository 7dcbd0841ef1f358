//! Pictures of finite elements: the creep curve, the deformed bodies; and the table of nodes.

use std::path::Path;

use stickslip_contact::carter::Carter;
use stickslip_contact::case::Outline;
use stickslip_contact::chart::{Chart, Sweep};
use stickslip_contact::finite_elements::case::FiniteElements;
use stickslip_contact::finite_elements::{Pair, Rolled};
use stickslip_contact::patch::{Creepage, Friction, Patch};
use stickslip_contact::tangential::Settings;
use stickslip_contact::theory::{Kind, Theory};
use stickslip_report::figure::{Axis, Cell, ColourMap, ColourScale, Figure, Panel, Series};
use stickslip_report::palette::Role;
use stickslip_report::table::{Column, Formats, TableWriter};
use stickslip_run::text::number_to;
use stickslip_run::{self as run, RunFailure, Scenario, VERSION};

use super::bodies::Deformed;

/// Points of the creep curve besides the origin.
const POINTS: usize = 12;
/// Elements of the half-space beside it.
const HALF_SPACE: usize = 22;

/// A curve of used friction over one creepage.
pub(super) struct Curve {
    /// What is varied.
    axis: &'static str,
    /// Its end.
    end: f64,
    /// Name, role, points.
    series: Vec<(&'static str, Role, Vec<[f64; 2]>)>,
    /// The case itself.
    here: [f64; 2],
    /// The creepage of free rolling along this axis, for unlike bodies.
    free: Option<f64>,
}

impl Curve {
    /// The points of the finite elements.
    pub(super) fn write(&self, path: &Path) -> Result<(), RunFailure> {
        let Some((.., points)) = self.series.iter().find(|(name, ..)| *name == "finite elements") else {
            return Ok(());
        };
        let column = self.axis.replace(' ', "_");
        let mut table = format!("{column},force_over_limit\n");
        for [creepage, force] in points {
            table += &format!("{creepage},{}\n", force + 0.0);
        }
        run::write(path, "curve.csv", table)
    }
}

/// The creep curve through a solution: its main creepage from 0 on, the others held.
pub(super) fn curve(contact: &FiniteElements, pair: &Pair, rolled: &Rolled, free: Option<&Rolled>) -> Option<Curve> {
    let rolling = contact.rolling().ok()?;
    let outline = contact.case.outline().ok()?;
    let held = rolled.creepage;
    let lateral = held.eta.abs() > held.xi.abs();
    let main = if lateral { held.eta } else { held.xi };
    let of = |s: f64| if lateral { Creepage { eta: s, ..held } } else { Creepage { xi: s, ..held } };
    let axis = usize::from(lateral);
    let limit = rolling.friction * rolled.normal.load;
    let sign = if main < 0.0 { -1.0 } else { 1.0 };
    let friction = Friction::constant(rolling.friction).ok()?;
    let patch = match outline {
        Outline::Ellipse(e) => Some(Patch::new(e.a, e.b, e.load, contact.case.material(), friction).ok()?),
        Outline::Strip(_) => None,
    };
    let carter = match outline {
        Outline::Strip(strip) => Some(Carter::new(strip, rolling.friction).ok()?),
        Outline::Ellipse(_) => None,
    };
    let unit = match (&patch, &carter) {
        (Some(patch), _) => {
            let c = patch.coefficients();
            let per = patch.limit() / (patch.material().shear_modulus() * patch.a() * patch.b());
            2.4 * per / if lateral { c.c22 } else { c.c11 }
        }
        (None, Some(carter)) => 1.25 * carter.full_slip(),
        _ => return None,
    };
    let end = sign * unit.max(1.1 * main.abs());
    let mut points = Vec::new();
    let mut last: Option<Rolled> = None;
    for s in Chart::range(end, POINTS) {
        let next = rolling.roll(pair, of(s), last.as_ref().or(Some(rolled))).ok()?;
        points.push([s.abs(), -sign * next.force[axis] / limit]);
        last = Some(next);
    }
    let mut series = Vec::new();
    if let Some(carter) = carter.filter(|_| !pair.is_coupled() && held.phi == 0.0) {
        let exact = |k: u32| {
            let s = end.abs() * f64::from(k) / 120.0;
            carter.rolling(s).ok().map(|t| [s, t.ratio])
        };
        series.push(("Carter, half-space", Role::Second, (0..=120).filter_map(exact).collect()));
    }
    if let Some(patch) = patch {
        let sweep = |s: f64| Sweep::Combined(of(s));
        for (kind, name, role) in [
            (Kind::Linear, "linear theory", Role::Reference),
            (Kind::Fastsim, "FASTSIM", Role::Third),
            (Kind::Exact, "half-space", Role::Second),
        ] {
            let settings = Settings { tolerance: 1e-6, ..Settings::default() };
            let elements = (kind == Kind::Exact).then_some(HALF_SPACE);
            let Ok(mut theory) = kind.build(elements, settings) else { continue };
            let count = if kind == Kind::Exact { POINTS } else { 60 };
            let at = |s: f64, theory: &mut dyn Theory| {
                let row = Chart::new(&mut [theory], &patch, sweep(s), &[1.0]).rows.pop()?;
                let forces = row.forces.into_iter().next()?.ok()?;
                let force = if lateral { forces.fy } else { forces.fx };
                Some([s.abs(), -sign * force / patch.limit()])
            };
            let mut found: Vec<[f64; 2]> =
                Chart::range(end, count).into_iter().filter_map(|s| at(s, theory.as_mut())).collect();
            if kind == Kind::Linear {
                found.retain(|[_, f]| *f <= 1.05);
            }
            series.push((name, role, found));
        }
    }
    series.push(("finite elements", Role::First, points));
    let axis_name = if lateral { "lateral creepage" } else { "longitudinal creepage" };
    let here = [main.abs(), -sign * rolled.force[axis] / limit];
    let free = free.filter(|_| !lateral).map(|free| sign * free.creepage.xi);
    Some(Curve { axis: axis_name, end: end.abs(), series, here, free })
}

/// Figures by name, with a sentence each.
pub(super) fn figures(
    contact: &FiniteElements,
    curve: &Option<Curve>,
    deformed: &[Deformed],
    rolled: &Rolled,
) -> Vec<(&'static str, Figure, String)> {
    let mut figures = Vec::new();
    if let Some(curve) = curve {
        // Unlike bodies have a force without creepage, which may be negative.
        let least = curve.series.iter().flat_map(|(_, _, points)| points).map(|p| p[1]).fold(0.0, f64::min);
        let mut panel = Panel::new(
            Axis::linear(curve.axis, "").from_to(0.0, 1.03 * curve.end),
            Axis::linear("force over μN", "").from_to(1.08 * least, 1.08),
        );
        panel.height = 260.0;
        if let Some(free) = curve.free.filter(|free| (0.0..=curve.end).contains(free)) {
            panel = panel.with(Series::markers("rolls freely", Role::Third, vec![[free, 0.0]]));
        }
        for (name, role, points) in &curve.series {
            let series = match *name {
                "finite elements" => Series::markers(*name, *role, points.clone()),
                _ => Series::line(*name, *role, points.clone()),
            };
            panel = panel.with(series);
        }
        panel = panel.with(Series::markers("this run", Role::Slip, vec![curve.here]));
        let mut text =
            "How much of what friction can transmit is used, as the creepage grows and the others stay.".to_string();
        if curve.series.len() > 1 {
            text += " The half-space knows nothing of the bodies' shape: what differs from it is mesh and body.";
        }
        if curve.free.is_some() {
            text += " The bodies are strained differently by the load, so that they roll freely at a creepage other than 0.";
        }
        figures.push(("creep-curve", Figure::stacked(vec![panel]).titled("Creep curve"), text));
    }
    if let Some((figure, text)) = deformed_figure(contact, deformed, rolled) {
        figures.push(("bodies", figure, text));
    }
    figures
}

/// Both bodies around the contact, deformations and gap enlarged.
fn deformed_figure(contact: &FiniteElements, deformed: &[Deformed], rolled: &Rolled) -> Option<(Figure, String)> {
    if deformed.len() < 2 {
        return None;
    }
    let a = contact.case.outline().ok()?.a();
    let (half, tall) = (2.0 * a, 1.5 * a);
    let inside = |p: &[f64; 3]| p[0].abs() <= half && p[2].abs() <= tall;
    // Where the middle of the contact has gone to: it stays at z = 0 in the picture.
    let lowest = |number: usize| {
        let d = &deformed[number];
        let middle = d.body.contact.iter().min_by(|p, q| {
            let far = |node: u32| d.body.mesh.nodes[node as usize][0].hypot(d.body.mesh.nodes[node as usize][1]);
            far(**p).total_cmp(&far(**q))
        });
        middle.map_or(0.0, |node| d.displacement[*node as usize][2])
    };
    let sunk = lowest(1);
    let mut most: f64 = 0.0;
    let mut greatest: f64 = 0.0;
    let mut shown = Vec::new();
    for (number, d) in deformed.iter().enumerate() {
        // Nodes of the middle plane.
        let near = 1e-9 * a;
        let middle = |node: u32| d.body.mesh.nodes[node as usize][1].abs() < near;
        for (k, (_, corners)) in d.body.mesh.elements().enumerate() {
            let mut face: Vec<u32> = corners.iter().copied().filter(|node| middle(*node)).collect();
            if face.len() < 3 || !face.iter().any(|node| inside(&d.body.mesh.nodes[*node as usize])) {
                continue;
            }
            let place = |node: u32| d.body.mesh.nodes[node as usize];
            let count = face.len() as f64;
            let centre = [0, 2].map(|k| face.iter().map(|n| place(*n)[k]).sum::<f64>() / count);
            let angle = |node: u32| (place(node)[2] - centre[1]).atan2(place(node)[0] - centre[0]);
            face.sort_by(|p, q| angle(*p).total_cmp(&angle(*q)));
            greatest = greatest.max(d.stress[k]);
            let shift = if number == 0 { rolled.normal.approach } else { 0.0 };
            for node in &face {
                let u = d.displacement[*node as usize];
                most = most.max((u[2] - shift - sunk).abs());
            }
            shown.push((number, face, d.stress[k], shift));
        }
    }
    if shown.is_empty() || most <= 0.0 || greatest <= 0.0 {
        return None;
    }
    // So that the largest displacement in the window is a quarter of the half-length.
    let scale = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
    let times = scale.into_iter().filter(|k| k * most <= 0.3 * a).fold(1.0, f64::max);
    let cells = shown.into_iter().map(|(number, face, stress, shift)| {
        let d = &deformed[number];
        let radius = contact.case.bodies[number].radii.x;
        let corners = face
            .iter()
            .map(|node| {
                let (p, u) = (d.body.mesh.nodes[*node as usize], d.displacement[*node as usize]);
                // The gap is enlarged as the displacements are, so that bodies that touch are drawn touching.
                let up = if number == 0 { 1.0 } else { -1.0 };
                let sagitta = up * 0.5 * p[0] * p[0] / radius;
                let z = p[2] - sagitta + times * (sagitta + u[2] - shift - sunk);
                [1e3 * (p[0] + u[0]), 1e3 * z]
            })
            .collect();
        Cell { corners, level: stress / greatest }
    });
    let mut panel = Panel::new(
        Axis::linear("x, rolling towards the right", "mm").from_to(-1e3 * half, 1e3 * half),
        Axis::linear("z", "mm").from_to(-1e3 * tall, 1e3 * tall),
    );
    panel.height = 420.0;
    panel.title = format!(
        "von Mises' stress, darkest: {} MPa; displacements along z and gap times {}",
        number_to(1e-6 * greatest, 4),
        number_to(times, 3)
    );
    panel.cells = cells.collect();
    let scale = ColourScale { axis: Axis::linear("von Mises' stress", "MPa"), ends: [0.0, 1e-6 * greatest] };
    // No map beside the cells, but the scale of their colours.
    panel.colours =
        Some(ColourMap { edges: Default::default(), tints: Vec::new(), scale: Some(scale), contours: Vec::new() });
    let text = format!(
        "Both bodies around the contact{}, with vertical displacements and gap {} times as large. Colours: von Mises' stress in ten steps, up to \
         {} MPa in the middle of an element.",
        if contact.case.is_line() { "" } else { ", cut along the middle plane" },
        number_to(times, 3),
        number_to(1e-6 * greatest, 4)
    );
    Some((Figure::stacked(vec![panel]).titled("The bodies under load"), text))
}

const NODES: [Column; 10] = [
    Column::real("x", "m", "place of the node, rolling direction"),
    Column::real("y", "m", "place of the node, across"),
    Column::real("F_n", "N", "nodal force that presses (per metre in line contact)"),
    Column::real("F_x", "N", "nodal force on body 1 along x (per metre in line contact)"),
    Column::real("F_y", "N", "nodal force on body 1 along y (per metre in line contact)"),
    Column::real("p", "Pa", "pressure: nodal force over the length or area of the node"),
    Column::real("bound", "N", "mu F_n"),
    Column::real("s_x", "1", "slip of body 1 over body 2 along x, over the rolling speed"),
    Column::real("s_y", "1", "slip of body 1 over body 2 along y, over the rolling speed"),
    Column::whole("status", "0 exterior, 1 stick, 2 slip"),
];

/// Writes the nodes as they were solved.
pub(super) fn write_nodes(
    path: &Path,
    units: bool,
    scenario: &Scenario,
    friction: f64,
    pair: &Pair,
    rolled: &Rolled,
) -> Result<(), RunFailure> {
    let formats = Formats::ALL.with_units(units);
    let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name)];
    let (surface, t) = (&pair.surface, pair.normal());
    // Per metre of width in line contact.
    let columns = NODES.map(|column| match column.unit {
        "N" if surface.plane => Column { unit: "N/m", ..column },
        _ => column,
    });
    let mut table = TableWriter::create(path, "nodes", &columns, formats, &metadata)?;
    let ys = surface.y();
    for i in 0..surface.len() {
        let force = rolled.normal.force[i];
        let component = |values: &[f64], k: usize| if k < t { values[i * t + k] + 0.0 } else { 0.0 };
        let status = match (force > 0.0, rolled.stick[i]) {
            (false, _) => 0.0,
            (true, true) => 1.0,
            (true, false) => 2.0,
        };
        let (f, s) = (&rolled.tangential, &rolled.slip);
        table.row(&[
            surface.x[i],
            ys[i],
            force,
            component(f, 0),
            component(f, 1),
            force / surface.size[i],
            friction * force,
            component(s, 0),
            component(s, 1),
            status,
        ])?;
    }
    table.finish()?;
    Ok(())
}
