//! Forces at creepages that the user names, instead of the usual curves.

use stickslip_contact::chart::{Chart, Row};
use stickslip_contact::patch::{Creepage, Forces};
use stickslip_contact::table::TableFile;
use stickslip_contact::theory::Theory;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Report, Section, TextTable};
use stickslip_run::text::{number, number_to};
use stickslip_run::{OutputFolder, RunFailure, Scenario, Step, VERSION, write, write_scenario};

use super::{Creep, CreepContact, HEADER, facts, of_the_table, role, table_notes, tabulate, units};

/// Creepages to combine, each with each; where none is given, that of the scenario is held.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ranges {
    /// Longitudinal creepages ξ.
    pub xi: Vec<f64>,
    /// Lateral creepages η.
    pub eta: Vec<f64>,
    /// Spins φ \[1/m\].
    pub phi: Vec<f64>,
}

/// Points of a table at the most: so many take the exact theory an hour.
pub const MOST_POINTS: usize = 100_000;

/// Rows that the page shows.
const SHOWN: usize = 200;

/// Name, unit and values of a creepage, and how it is taken from a point.
type Along = (&'static str, &'static str, fn(&Creepage) -> f64);

const ALONG: [Along; 3] = [("ξ", "", |c| c.xi), ("η", "", |c| c.eta), ("φ", "1/m", |c| c.phi)];

impl Ranges {
    /// How many points there are.
    pub fn count(&self) -> usize {
        [&self.xi, &self.eta, &self.phi].iter().map(|values| values.len().max(1)).fold(1, usize::saturating_mul)
    }

    /// All of them, ξ running first, so that neighbours come one after the other.
    fn points(&self, held: Creepage) -> Vec<Creepage> {
        let or = |values: &[f64], held: f64| if values.is_empty() { vec![held] } else { values.to_vec() };
        let (xis, etas, phis) = (or(&self.xi, held.xi), or(&self.eta, held.eta), or(&self.phi, held.phi));
        let mut points = Vec::new();
        for &phi in &phis {
            for &eta in &etas {
                points.extend(xis.iter().map(|&xi| Creepage { xi, eta, phi }));
            }
        }
        points
    }

    /// Which of the creepages vary, by their place in [`ALONG`].
    fn varying(&self) -> Vec<usize> {
        let several = [&self.xi, &self.eta, &self.phi].map(|values| values.len() > 1);
        (0..several.len()).filter(|k| several[*k]).collect()
    }
}

/// What a table of forces shows at each point: heads of the columns and rows of text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tabulated {
    /// What the numbers are.
    pub what: &'static str,
    /// Heads: the creepages that vary, then the theories.
    pub head: Vec<String>,
    /// One row for each point.
    pub rows: Vec<Vec<String>>,
}

/// Forces at all points by all theories, as table and page.
pub(super) fn tabulated(
    scenario: &Scenario,
    contact: &CreepContact,
    (ranges, file): (&Ranges, Option<&TableFile>),
    theories: &mut [&mut dyn Theory],
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<Creep, RunFailure> {
    let patch = contact.patch;
    let points = ranges.points(contact.held);
    let mut chart = Chart { theories: theories.iter().map(|theory| theory.name()).collect(), rows: Vec::new() };
    for (k, &creepage) in points.iter().enumerate() {
        let forces = theories.iter_mut().map(|theory| theory.forces(&patch, creepage)).collect();
        chart.rows.push(Row { creepage, forces });
        progress(Step::Steps(k as u64 + 1, points.len() as u64));
    }
    progress(Step::Report);
    let (mut table, mut failures) = (String::from(HEADER), Vec::new());
    let rows = tabulate(&mut table, "range", &chart, &mut failures);
    write(folder.path(), "creep.csv", table)?;
    write_scenario(folder.path(), scenario)?;
    let told = told(ranges, &chart, patch.limit());
    let mut files = vec!["creep.csv".to_string(), "scenario.toml".into()];
    let mut sections = Vec::new();
    if let [one] = ranges.varying()[..] {
        let figure = figure(ALONG[one], &chart, patch.limit());
        write(folder.path(), "figures/range.svg", figure.to_svg())?;
        files.push("figures/range.svg".into());
        let (heading, content) =
            (figure.title.clone(), vec![Content::Figure(Figure { title: String::new(), ..figure })]);
        sections.push(Section { heading, text: String::new(), content });
    }
    let more =
        if told.rows.len() > SHOWN { format!(" The first {SHOWN} rows; all are in creep.csv.") } else { String::new() };
    sections.push(Section {
        heading: "Table".into(),
        text: format!("{} by theory. Forces, moments and shares of stick are in creep.csv.{more}", told.what),
        content: vec![Content::Table(TextTable {
            header: told.head.clone(),
            rows: told.rows.iter().take(SHOWN).cloned().collect(),
        })],
    });
    let notes = file.map_or_else(Vec::new, |file| table_notes(file, &patch, &points));
    sections.extend(of_the_table(&notes));
    let unit = units(&patch);
    let report = Report {
        title: format!("Creep forces: {}", scenario.title.as_deref().unwrap_or(&scenario.name)),
        subtitle: "Forces on body 1 over μN by several theories of rolling contact.".into(),
        facts: facts(&patch, unit, contact),
        sections,
        files,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
        ..Report::default()
    };
    write(folder.path(), "report.html", report.to_html())?;
    let folder = folder.publish()?;
    Ok(Creep { folder, rows, failures, notes, sample: Vec::new(), unit: unit.xi, tabulated: Some(told) })
}

/// Along ξ alone the longitudinal force is asked for, along η or φ alone the lateral one, and else the size.
fn asked(varying: &[usize]) -> (&'static str, fn(&Forces) -> f64) {
    match varying {
        [0] => ("−F_x/(μN)", |f| -f.fx),
        [_] => ("−F_y/(μN)", |f| -f.fy),
        _ => ("|F|/(μN)", Forces::magnitude),
    }
}

fn told(ranges: &Ranges, chart: &Chart, limit: f64) -> Tabulated {
    let varying = ranges.varying();
    let (what, force) = asked(&varying);
    // A single point is named by all its creepages.
    let shown = if varying.is_empty() { vec![0, 1, 2] } else { varying };
    let name = |k: &usize| match ALONG[*k] {
        (name, "", _) => name.to_string(),
        (name, unit, _) => format!("{name} ({unit})"),
    };
    let theories = chart.theories.iter().map(|name| name.to_string());
    let row = |row: &Row| {
        let at = shown.iter().map(|k| number((ALONG[*k].2)(&row.creepage)));
        let forces = row.forces.iter();
        let forces =
            forces.map(|f| f.as_ref().map_or_else(|_| "–".to_string(), |f| number_to(force(f) / limit + 0.0, 5)));
        at.chain(forces).collect()
    };
    Tabulated {
        what,
        head: shown.iter().map(name).chain(theories).collect(),
        rows: chart.rows.iter().map(row).collect(),
    }
}

/// The linear theory is drawn up to so many times μN.
const HIGHEST: f64 = 1.2;

fn figure((name, unit, along): Along, chart: &Chart, limit: f64) -> Figure {
    let place = ALONG.iter().position(|known| known.0 == name).unwrap_or(0);
    let (what, force) = asked(&[place]);
    let mut panel = Panel::new(Axis::linear(name, unit), Axis::linear(what, ""));
    panel.height = 300.0;
    // The linear theory lies under the others.
    for (k, theory) in chart.theories.iter().enumerate().rev() {
        let point = |row: &Row| Some([along(&row.creepage), force(row.forces[k].as_ref().ok()?) / limit]);
        // It has no bound and would press the others together: all of it is in the table.
        let point = |row: &Row| point(row).filter(|[_, f]| *theory != "linear" || f.abs() <= HIGHEST);
        panel.series.push(Series::line(*theory, role(theory), chart.rows.iter().filter_map(point).collect::<Vec<_>>()));
    }
    Figure::stacked(vec![panel]).titled(format!("{what} over {name}"))
}
