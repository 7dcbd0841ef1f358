//! Several scenarios run side by side: one quantity of each, and how far it is from the first's.

mod measure;
mod measures;

use std::path::{Path, PathBuf};

use crate::Scenario;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Fact, Report, Section, TextTable, Verdict};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use crate::course::Course;
use crate::run::write;
use crate::text::{number, number_to, seconds};
use crate::trust::Warning;
use crate::view::warned;
use crate::{Measures, Options, Outcome, OutputFolder, RunFailure, Step, Trace, VERSION, run};
pub use measure::Deviation;
use measure::{common_end, densely, deviation, differences, notes, warnings as doubtful};
pub use measures::ComparedMeasure;

/// Points that a curve has at the most.
const CURVE_POINTS: usize = 3000;

/// Share of the duration that the enlarged panel shows.
const ENLARGED: f64 = 0.02;

/// Why scenarios cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareFailure {
    /// One of the runs failed.
    #[error("{scenario}: {failure}")]
    Run {
        /// Which scenario.
        scenario: String,
        /// Why.
        failure: RunFailure,
    },
    /// The figure or the table could not be written.
    #[error(transparent)]
    Output(#[from] RunFailure),
    /// There is no such column.
    #[error("{scenario} has no column `{column}`; it has {has}")]
    NoColumn {
        /// Which scenario.
        scenario: String,
        /// What was asked for.
        column: String,
        /// What there is.
        has: String,
    },
    /// No column is in all of them.
    #[error("{scenario} has no column in common with {first}")]
    Nothing {
        /// Which scenario.
        scenario: String,
        /// The first.
        first: String,
    },
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Where everything is.
    pub folder: PathBuf,
    /// Which quantity was compared, and its unit.
    pub column: (String, String),
    /// One row for each scenario, the first among them.
    pub rows: Vec<Deviation>,
    /// What the runs come to, one beside the other.
    pub measures: Vec<ComparedMeasure>,
    /// Over which time and at which instants was measured, in sentences.
    pub notes: Vec<String>,
    /// What makes the comparison itself doubtful.
    pub warnings: Vec<Warning>,
}

/// A run, and the quantity in question.
struct Ran {
    name: String,
    trace: Trace,
    warnings: Vec<Warning>,
    measures: Measures,
    course: Course,
}

/// Runs the scenarios, each into a folder of its own within `folder`, and draws what they have in common. What is asked for
/// is a column of the trajectories, or a measure.
pub fn side_by_side(
    scenarios: &[Scenario],
    asked: Option<&str>,
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<Compared, CompareFailure> {
    let mut traces: Vec<(String, Trace)> = Vec::new();
    let mut told = Vec::new();
    let mut finer = Vec::new();
    for (k, scenario) in scenarios.iter().enumerate() {
        let failed = |failure: RunFailure| CompareFailure::Run { scenario: scenario.name.clone(), failure };
        let stem = std::path::Path::new(&scenario.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = format!("{}-{}", k + 1, stem.unwrap_or_else(|| "run".into()));
        let own = OutputFolder::create(&folder.path().join(&name), false).map_err(|e| failed(e.into()))?;
        // Its warnings are wanted, so its step is studied; what comes again in its motion is not asked.
        let options = Options { no_analyses: true, ..Options::default() };
        let (recorded, parts) = densely(scenario);
        let finished = run(&recorded, own, options, progress).map_err(failed)?;
        if parts > 1 {
            finer.push((name.clone(), parts));
        }
        let Outcome::InTime { summary, trace } = finished.result else { return Err(failed(RunFailure::Timeless)) };
        traces.push((name, *trace));
        told.push((summary.warnings, summary.measures));
    }
    let is_measure = |name: &&str| told.iter().any(|(_, measures): &(_, Measures)| measures.value(name).is_some());
    let is_column = |name: &&str| traces.iter().all(|(_, trace)| trace.columns.iter().any(|c| c.name == *name));
    let measure = asked.filter(|name| is_measure(name) && !is_column(name));
    let column = choose(&traces, asked.filter(|_| measure.is_none()))?;
    let unit = traces[0].1.columns.iter().find(|c| c.name == column).map_or(String::new(), |c| c.unit.to_string());
    progress(Step::Report);
    let runs = traces.into_iter().zip(told).map(|((name, trace), (warnings, measures))| {
        let course = Course::read(&folder.path().join(&name), &trace, &column)?;
        Ok(Ran { name, trace, warnings, measures, course })
    });
    let runs = runs.collect::<Result<Vec<Ran>, RunFailure>>()?;
    let rows: Vec<Deviation> = runs.iter().map(|run| deviation(run, &runs[0])).collect();
    let figures = [
        ("all", whole(&runs, &column, &unit)),
        ("enlarged", enlarged(&runs, &column, &unit, &rows)),
        ("difference", difference(&runs, &column, &unit)),
    ];
    for (name, figure) in &figures {
        write(folder.path(), &format!("figures/{name}.svg"), figure.to_svg())?;
    }
    write_table(&folder.path().join("compare.csv"), &rows)?;
    let measures = measures::compared(&runs.iter().map(|run| &run.measures).collect::<Vec<_>>(), measure);
    if !measures.is_empty() {
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        write(folder.path(), "measures.csv", measures::data(&names, &measures).to_csv()?)?;
    }
    let (notes, warnings) = (notes(&runs, &rows, &finer), doubtful(&runs, &rows));
    let compared = Compared { folder: PathBuf::new(), column: (column, unit), rows, measures, notes, warnings };
    write(folder.path(), "report.html", report(&runs, &compared, figures.map(|(_, f)| f)).to_html())?;
    let folder = folder.publish().map_err(RunFailure::from)?;
    Ok(Compared { folder, ..compared })
}

/// The column asked for; else the first force that all have, else the first quantity.
fn choose(traces: &[(String, Trace)], asked: Option<&str>) -> Result<String, CompareFailure> {
    let has = |trace: &Trace, name: &str| trace.columns.iter().any(|c| c.name == name);
    if let Some(name) = asked {
        return match traces.iter().find(|(_, trace)| !has(trace, name)) {
            None => Ok(name.to_string()),
            Some((scenario, trace)) => Err(CompareFailure::NoColumn {
                scenario: scenario.clone(),
                column: name.to_string(),
                has: trace.columns.iter().map(|c| c.name.as_ref()).collect::<Vec<_>>().join(", "),
            }),
        };
    }
    let first = &traces[0].1.columns;
    let shared = |name: &str| name != "t" && traces.iter().all(|(_, trace)| has(trace, name));
    let friction = first.iter().find(|c| c.unit == "N" && c.name.starts_with('f') && shared(&c.name));
    let any = friction.or_else(|| first.iter().find(|c| shared(&c.name)));
    any.map(|c| c.name.to_string()).ok_or_else(|| CompareFailure::Nothing {
        scenario: traces[traces.len() - 1].0.clone(),
        first: traces[0].0.clone(),
    })
}

/// As many points as a picture can show.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let values: Vec<f64> = points.iter().map(|p| p[1]).collect();
    rows_to_keep(&[&values], &[], CURVE_POINTS).into_iter().map(|i| points[i]).collect()
}

fn curve(run: &Ran, from: f64, to: f64) -> Vec<[f64; 2]> {
    thinned(&run.course.points(from, to))
}

fn role(k: usize) -> Role {
    Role::DATA[k % Role::DATA.len()]
}

fn end(runs: &[Ran]) -> f64 {
    runs.iter().map(|run| run.trace.end).fold(0.0, f64::max)
}

/// A panel for each run, all with the same axes, the first in grey behind the others.
fn whole(runs: &[Ran], column: &str, unit: &str) -> Figure {
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    for v in runs.iter().flat_map(|run| &run.course.v) {
        (lo, hi) = (lo.min(*v), hi.max(*v));
    }
    let margin = if hi > lo { 0.05 * (hi - lo) } else { 1.0 };
    let mut panels = Vec::new();
    for (k, run) in runs.iter().enumerate() {
        let x = Axis::linear("time", "s").from_to(0.0, end(runs));
        let mut panel = Panel::new(x, Axis::linear(column, unit).from_to(lo - margin, hi + margin));
        panel.height = 150.0;
        panel.strips = run.trace.strips().into_iter().take(4).collect();
        // What comes later lies above.
        if k > 0 {
            let first = &runs[0];
            panel.series.push(Series::line(first.name.clone(), Role::Reference, curve(first, 0.0, first.trace.end)));
        }
        panel.series.push(Series::line(run.name.clone(), role(k), curve(run, 0.0, run.trace.end)));
        panels.push(panel);
    }
    Figure::stacked(panels).titled(format!("{column}, one run below the other"))
}

/// All runs about the time at which one of them differs most from the first.
fn enlarged(runs: &[Ran], column: &str, unit: &str, rows: &[Deviation]) -> Figure {
    let worst = rows.iter().fold((0.0, 0.0), |w: (f64, f64), row| if row.greatest.0 > w.0 { row.greatest } else { w });
    let (width, until) = (ENLARGED * common_end(runs), common_end(runs));
    let (from, to) = ((worst.1 - 0.25 * width).max(0.0), (worst.1 + width).min(until));
    let mut panel = Panel::new(Axis::linear("time", "s").from_to(from, to), Axis::linear(column, unit));
    panel.height = 260.0;
    for (k, run) in runs.iter().enumerate() {
        panel.series.push(Series::line(run.name.clone(), role(k), curve(run, from, to)));
    }
    Figure::stacked(vec![panel]).titled("Where they differ most")
}

/// The differences from the first over time.
fn difference(runs: &[Ran], column: &str, unit: &str) -> Figure {
    let label = format!("{column} − that of {}", runs[0].name);
    let x = Axis::linear("time", "s").from_to(0.0, end(runs));
    let mut panel = Panel::new(x, Axis::linear(label, unit));
    panel.height = 200.0;
    for (k, run) in runs.iter().enumerate().skip(1) {
        panel.series.push(Series::line(run.name.clone(), role(k), thinned(&differences(run, &runs[0]))));
    }
    Figure::stacked(vec![panel]).titled("Differences from the first")
}

/// Writes `compare.csv`; names with commas or quotation marks are quoted.
fn write_table(path: &Path, rows: &[Deviation]) -> Result<(), RunFailure> {
    let failed = |source: std::io::Error| RunFailure::File { path: path.to_path_buf(), source };
    let mut table = csv::Writer::from_path(path).map_err(|e| failed(e.into()))?;
    let header = [
        "scenario",
        "rms",
        "rms_while_first_sticks",
        "greatest",
        "greatest_at",
        "events",
        "compared_until",
        "instants",
        "instants_left_out",
    ];
    table.write_record(header).map_err(|e| failed(e.into()))?;
    for row in rows {
        let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
        let Deviation { scenario, greatest, events, until, instants, left_out, .. } = row;
        let numbers = [
            number(row.rms),
            number(row.rms_stuck),
            greatest.0.to_string(),
            greatest.1.to_string(),
            events.to_string(),
            until.to_string(),
            instants.to_string(),
            left_out.to_string(),
        ];
        table.write_record(std::iter::once(scenario).chain(&numbers)).map_err(|e| failed(e.into()))?;
    }
    table.flush().map_err(failed)
}

/// What makes a run doubtful or void, under its name.
fn doubts(run: &Ran) -> impl Iterator<Item = Verdict> {
    run.warnings
        .iter()
        .map(warned)
        .map(|Verdict { grade, text }| Verdict { grade, text: format!("{}: {text}", run.name) })
}

fn report(runs: &[Ran], compared: &Compared, [whole, enlarged, difference]: [Figure; 3]) -> Report {
    let Compared { column: (column, unit), rows, .. } = compared;
    let meaning = runs[0].trace.columns.iter().find(|c| c.name == *column).map_or("", |c| c.meaning.as_ref());
    let section = |heading: &str, text: &str, figure: Figure| Section {
        heading: heading.into(),
        text: text.into(),
        content: vec![Content::Figure(Figure { title: String::new(), ..figure })],
    };
    let header = ["run", "rms", "rms while the first sticks", "greatest", "at", "changes of state"];
    let row = |row: &Deviation| {
        vec![
            row.scenario.clone(),
            row.rms.map_or_else(|| "–".into(), |v| number_to(v, 5)),
            row.rms_stuck.map_or_else(|| "–".into(), |v| number_to(v, 5)),
            number_to(row.greatest.0, 5),
            seconds(row.greatest.1),
            row.events.to_string(),
        ]
    };
    let numbers = Section {
        heading: "How far from the first".into(),
        text: format!(
            "Differences of {column} in {unit}, by all rows of the trajectories and all events. {}",
            compared.notes.join(" ")
        ),
        content: vec![Content::Table(TextTable {
            header: header.map(String::from).to_vec(),
            rows: rows.iter().map(row).collect(),
        })],
    };
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let links = runs.iter().map(|run| format!("{}/report.html", run.name)).collect::<Vec<_>>().join(", ");
    Report {
        title: format!("{column} of {} runs", runs.len()),
        subtitle: format!("{meaning}. The runs themselves: {links}."),
        facts: runs
            .iter()
            .map(|Ran { name, trace, .. }| {
                Fact::new(name, number(trace.end) + " s").noted(format!("{} rows", trace.rows))
            })
            .collect(),
        verdicts: compared.warnings.iter().map(warned).chain(runs.iter().flat_map(doubts)).collect(),
        sections: measures::section(&names, &compared.measures)
            .into_iter()
            .chain([
                numbers,
                section("One below the other", "The first in grey behind the others.", whole),
                section("Where they differ most", "Enlarged about the greatest difference.", enlarged),
                section("Differences from the first", "", difference),
            ])
            .collect(),
        scenario: String::new(),
        version: VERSION.to_string(),
    }
}
