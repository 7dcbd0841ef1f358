//! Pictures of a table: its curves beside direct solutions, and how far it is off.

use std::path::Path;

use stickslip_contact::patch::{Creepage, Patch};
use stickslip_contact::table::{Check, Table, contact, stretch};
use stickslip_contact::theory::{Exact, Fastsim, Polach, Theory};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Fact, Report, Section, TextTable};
use stickslip_report::palette::Role;
use stickslip_run::text::number_to;
use stickslip_run::{Scenario, VERSION};
use stickslip_sweep::SweepError;

use super::work::{TABLE, put};
use super::{Made, Rival, Tabulation, failed};

/// Points of a drawn curve, and direct solutions beside it.
const DRAWN: usize = 120;
const DIRECT: usize = 12;

/// Curves are drawn up to this many times the scaled creepage at which the linear theory reaches μN.
const FAR: f64 = 3.5;

/// What is drawn over a creepage: name, which creepage, which force, sign.
struct Curve {
    title: String,
    axis: &'static str,
    along: usize,
    held: [f64; 3],
    force: usize,
}

const FORCES: [&str; 3] = ["−F_x/(μN)", "−F_y/(μN)", "M_z/(μNc)"];

/// Forces against creepage are drawn upwards, moments as they are.
fn upwards(values: [f64; 3]) -> [f64; 3] {
    [-values[0] + 0.0, -values[1] + 0.0, values[2] + 0.0]
}

/// Forces and moment at scaled creepages, by whatever a drawer has.
type Force<'f, D> = &'f mut dyn FnMut(&mut D, [f64; 3]) -> Option<[f64; 3]>;

/// What draws curves at one a/b.
struct Drawer<'a> {
    table: &'a Table,
    ratio: f64,
    patch: Patch,
    exact: Exact,
}

impl Drawer<'_> {
    fn of(&mut self, theory: Option<&mut dyn Theory>, u: [f64; 3]) -> Option<[f64; 3]> {
        let [xi, eta, phi] = u;
        let own: &mut dyn Theory = match theory {
            Some(theory) => theory,
            None => {
                // Each marker by itself, so that it does not hang on its neighbours.
                self.exact.begin();
                &mut self.exact
            }
        };
        let forces = own.forces(&self.patch, Creepage { xi, eta, phi }).ok()?;
        Some(upwards([forces.fx, forces.fy, forces.mz.unwrap_or(f64::NAN)]))
    }

    fn points(&mut self, curve: &Curve, count: usize, force: Force<'_, Self>) -> Vec<[f64; 2]> {
        let end = FAR / stretch(self.ratio)[curve.along];
        let at = |k: usize| end * k as f64 / count as f64;
        let mut points = Vec::new();
        for x in (1..=count).map(at) {
            let mut u = curve.held;
            u[curve.along] = x;
            points.extend(force(self, u).map(|f| [x, f[curve.force]]));
        }
        points
    }

    fn table_points(&mut self, curve: &Curve) -> Vec<[f64; 2]> {
        self.points(curve, DRAWN, &mut |own, u| own.table.at(own.ratio, u).ok().map(|f| upwards([f.fx, f.fy, f.mz])))
    }

    fn direct_points(&mut self, curve: &Curve) -> Vec<[f64; 2]> {
        self.points(curve, DIRECT, &mut |own, u| own.of(None, u))
    }

    fn panel(&mut self, curve: &Curve, rivals: &mut [(&'static str, Role, Box<dyn Theory>)]) -> Panel {
        let mut panel = Panel::new(Axis::linear(curve.axis, ""), Axis::linear(FORCES[curve.force], ""));
        (panel.title, panel.height) = (curve.title.clone(), 200.0);
        for (name, role, theory) in rivals {
            let points = self.points(curve, DRAWN, &mut |own, u| own.of(Some(theory.as_mut()), u));
            // A theory without moments has none to draw.
            if points.iter().all(|[_, f]| f.is_finite()) {
                panel.series.push(Series::line(*name, *role, points));
            }
        }
        panel.series.push(Series::line("table", Role::First, self.table_points(curve)));
        panel.series.push(Series::markers("direct solution", Role::Sixth, self.direct_points(curve)));
        panel
    }
}

const AXES: [&str; 3] = ["scaled longitudinal creepage u_x", "scaled lateral creepage u_y", "scaled spin u_φ"];

/// Each creepage alone, beside direct solutions, FASTSIM and Polach.
fn alone(drawer: &mut Drawer<'_>) -> [Figure; 2] {
    let mut rivals: Vec<(&'static str, Role, Box<dyn Theory>)> =
        vec![("Polach", Role::Third, Box::new(Polach::default()))];
    if let Ok(fastsim) = Fastsim::new(50, 50) {
        rivals.insert(0, ("FASTSIM", Role::Second, Box::new(fastsim)));
    }
    let curve = |along: usize, force: usize, title: &str| Curve {
        title: title.into(),
        axis: AXES[along],
        along,
        held: [0.0; 3],
        force,
    };
    let halves = [[curve(0, 0, "longitudinal"), curve(1, 1, "lateral")], [curve(2, 1, "force"), curve(2, 2, "moment")]];
    halves.map(|half| Figure::side_by_side(half.iter().map(|curve| drawer.panel(curve, &mut rivals)).collect()))
}

/// Values that a family holds, as shares of the creepage at which the linear theory reaches μN.
const HELD: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

/// The surface as a family of curves: one force over one creepage, with another one held.
fn family(drawer: &mut Drawer<'_>, along: usize, force: usize, held: usize) -> Panel {
    let mut panel = Panel::new(Axis::linear(AXES[along], ""), Axis::linear(FORCES[force], ""));
    panel.height = 240.0;
    let symbol = ["u_x", "u_y", "u_φ"][held];
    for (share, role) in HELD.into_iter().zip(Role::DATA) {
        let mut values = [0.0; 3];
        values[held] = share / stretch(drawer.ratio)[held];
        let curve = Curve { title: String::new(), axis: AXES[along], along, held: values, force };
        let name = format!("{symbol} = {}", number_to(values[held], 2));
        panel.series.push(Series::line(name, role, drawer.table_points(&curve)));
        panel.series.push(Series::markers("", role, drawer.direct_points(&curve)));
    }
    panel
}

fn rival_rows(rivals: &[Rival]) -> Vec<Vec<String>> {
    let told = |value: f64| number_to(value, 2);
    rivals
        .iter()
        .map(|rival| {
            let [most, rms] = rival.moment.map_or(["–".to_string(), "–".to_string()], |moment| moment.map(told));
            vec![rival.name.to_string(), told(rival.force[0]), told(rival.force[1]), most, rms]
        })
        .collect()
}

/// How far off the table is where nodes were filled in.
pub(super) fn filled_words(check: &Check) -> String {
    match &check.filled {
        Some(filled) => {
            let worst = filled.miss.max.map(|value| number_to(value, 2)).join(", ");
            format!(
                "{worst} at {} points; {} % of all random points rest on such nodes",
                filled.points,
                number_to(100.0 * filled.share, 2)
            )
        }
        None => "none was filled in".into(),
    }
}

/// Figures and report.
pub(super) fn write(
    tabulation: &Tabulation,
    scenario: &Scenario,
    made: &Made,
    folder: &Path,
) -> Result<(), SweepError> {
    let (spec, table) = (&tabulation.spec, &made.table);
    let ratio = tabulation.own.unwrap_or(spec.ratios[spec.ratios.len() / 2]);
    let patch = contact(ratio, spec.poisson).map_err(|error| SweepError::Run(failed(&error)))?;
    let exact =
        Exact::with_settings(spec.elements, spec.settings()).map_err(|error| SweepError::Run(failed(&error)))?;
    let mut drawer = Drawer { table, ratio, patch, exact };
    let told = number_to(ratio, 4);
    let [creepage, spin] = alone(&mut drawer);
    let figures = [
        ("creepage", creepage.titled(format!("Creepage along or across alone, a/b = {told}"))),
        ("spin", spin.titled(format!("Spin alone, a/b = {told}"))),
        (
            "surfaces-creepage",
            Figure::side_by_side(vec![family(&mut drawer, 0, 0, 1), family(&mut drawer, 1, 1, 2)])
                .titled(format!("Two creepages at once, a/b = {told}: table (lines) and direct solutions (markers)")),
        ),
        (
            "surfaces-spin",
            Figure::side_by_side(vec![family(&mut drawer, 2, 1, 1), family(&mut drawer, 2, 2, 0)])
                .titled(format!("Spin beside a creepage, a/b = {told}: table (lines) and direct solutions (markers)")),
        ),
    ];
    let mut sections = Vec::new();
    let head = ["", "force: greatest", "rms", "moment: greatest", "rms"].map(String::from).to_vec();
    sections.push(Section {
        heading: "How far it is off".into(),
        text: format!(
            "At {} random points, against direct solutions on {} × {} elements: the vector of the force over μN, the moment over μNc.",
            made.check.points,
            2 * spec.elements,
            2 * spec.elements
        ),
        content: vec![Content::Table(TextTable { header: head, rows: rival_rows(&made.rivals) })],
    });
    for (name, figure) in figures {
        put(folder, &format!("figures/{name}.svg"), figure.to_svg())?;
        let heading = figure.title.clone();
        let content = vec![Content::Figure(Figure { title: String::new(), ..figure })];
        sections.push(Section { heading, text: String::new(), content });
    }
    let worst = made.check.interpolation.max.map(|value| number_to(value, 2)).join(", ");
    let rms = made.check.interpolation.rms.map(|value| number_to(value, 2)).join(", ");
    let report = Report {
        title: scenario.title.clone().unwrap_or_else(|| scenario.name.clone()),
        subtitle: "Creep forces of the exact theory, tabulated over longitudinal and lateral creepage, spin and a/b."
            .into(),
        facts: vec![
            Fact::new("points", format!("{} lines, {} rows", spec.lines(), spec.nodes())),
            Fact::new("Poisson's ratio", number_to(spec.poisson, 6)),
            Fact::new(
                "a/b",
                format!("{} to {}", number_to(spec.ratios[0], 4), number_to(spec.ratios[spec.ratios.len() - 1], 4)),
            ),
            Fact::new("elements", format!("{0} × {0}", spec.elements)),
            Fact::new("interpolation error", worst)
                .noted("greatest of F_x, F_y over μN and M_z over μNc, same elements"),
            Fact::new("root mean square", rms),
            Fact::new("not resolved", format!("{} % of the nodes", number_to(100.0 * table.unsolved(), 2)))
                .noted("large spin: filled in between the last solution and full sliding"),
            Fact::new("error there", filled_words(&made.check))
                .noted("greatest of F_x, F_y, M_z against finer elements"),
        ],
        sections,
        files: [TABLE, "check.csv", "table.json", "scenario.toml"].map(String::from).to_vec(),
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
        ..Report::default()
    };
    put(folder, "report.html", report.to_html())
}
