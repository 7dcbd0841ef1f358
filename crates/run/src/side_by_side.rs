//! Several scenarios run side by side: some quantities of each, and how far they are from the first's.

mod measure;
mod measures;
mod page;
mod pictures;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stickslip_report::figure::Figure;
use stickslip_scenario::tables::{listed, nearest};

use crate::Scenario;
use crate::course::Course;
use crate::files::write;
use crate::trust::Warning;
use crate::{Measures, Options, Outcome, OutputFolder, RunFailure, Step, Trace, run};
pub use measure::Deviation;
use measure::{densely, deviation, different_lengths, left_out, notes, recorded_finer};
pub use measures::ComparedMeasure;

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
    /// There is no such column and no such measure.
    #[error("{scenario} has no column and no measure `{asked}`{}", .near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
    NoSuch {
        /// Which scenario.
        scenario: String,
        /// What was asked for.
        asked: String,
        /// What may have been meant.
        near: Option<String>,
        /// Its columns.
        columns: Vec<String>,
        /// Its measures.
        measures: Vec<String>,
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

impl CompareFailure {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            CompareFailure::Run { .. } => "try `stickslip run` on that scenario alone".into(),
            CompareFailure::NoSuch { columns, measures, .. } => {
                let list = |names: &[String]| listed(names.iter().map(String::as_str));
                format!("its columns are {}; its measures are {}", list(columns), list(measures))
            }
            _ => "name a column that all trajectories have with --column".into(),
        }
    }
}

/// One of the scenarios to compare.
#[derive(Debug, Clone)]
pub struct Variant {
    /// What to run.
    pub scenario: Scenario,
    /// What was changed in it, `key=value`: it goes by that name. None for a scenario as it is.
    pub change: Option<String>,
}

impl Variant {
    /// What it is called as the k-th, from 0.
    fn name(&self, k: usize) -> String {
        let stem = || Path::new(&self.scenario.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        let own = self.change.clone().or_else(stem).unwrap_or_else(|| "run".into());
        format!("{}-{own}", k + 1)
    }

    /// The folder of its run: its name, without what folders and links cannot have.
    fn folder(&self, k: usize) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-=._".contains(c) { c } else { '_' };
        match &self.change {
            None => self.name(k),
            Some(_) => self.name(k).chars().take(LONGEST).map(plain).collect(),
        }
    }
}

/// Characters of a folder's name at the most.
const LONGEST: usize = 60;

/// What came of it.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Where everything is.
    pub folder: PathBuf,
    /// The runs, the first among them.
    pub runs: Vec<ComparedRun>,
    /// The quantities that were compared; none where measures alone were asked for.
    pub columns: Vec<ComparedColumn>,
    /// What the runs come to, one beside the other.
    pub measures: Vec<ComparedMeasure>,
    /// Over which time and at which instants was measured, in sentences.
    pub notes: Vec<String>,
    /// What makes the comparison itself doubtful.
    pub warnings: Vec<Warning>,
}

/// One of the runs that were compared.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRun {
    /// Its name.
    pub name: String,
    /// Its folder within that of the comparison.
    pub folder: String,
    /// What makes it doubtful or void.
    pub warnings: Vec<Warning>,
}

/// A quantity of all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedColumn {
    /// Its name in the trajectories.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// How far each run is from the first, the first among them.
    pub rows: Vec<Deviation>,
}

impl Compared {
    /// All of it as data.
    pub fn to_json(&self) -> Value {
        let run = |run: &ComparedRun| json!({ "name": run.name, "report": format!("{}/report.html", run.folder), "warnings": run.warnings });
        let row = |row: &Deviation| {
            json!({
                "run": row.scenario, "rms": row.rms, "rms_while_first_sticks": row.rms_stuck, "greatest": row.greatest.0,
                "greatest_at": row.greatest.1, "events": row.events, "compared_until": row.until,
                "instants": row.instants, "instants_left_out": row.left_out,
            })
        };
        let column = |column: &ComparedColumn| {
            let rows: Vec<Value> = column.rows.iter().map(row).collect();
            json!({ "name": column.name, "unit": column.unit, "differences": rows })
        };
        let measure = |m: &ComparedMeasure| json!({ "name": m.name, "unit": m.unit, "values": m.values });
        json!({
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
            "columns": self.columns.iter().map(column).collect::<Vec<_>>(),
            "measures": self.measures.iter().map(measure).collect::<Vec<_>>(),
            "notes": self.notes,
            "warnings": self.warnings,
        })
    }
}

/// A run.
struct Run {
    name: String,
    folder: String,
    trace: Trace,
    warnings: Vec<Warning>,
    measures: Measures,
}

/// One quantity of a run.
struct Ran<'a> {
    name: &'a str,
    trace: &'a Trace,
    course: Course,
}

/// Runs the scenarios, each into a folder of its own within `folder`, and draws what they have in common. What is asked for
/// are columns of the trajectories and measures; by default one force, and all measures.
pub fn side_by_side(
    variants: &[Variant],
    asked: &[String],
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<Compared, CompareFailure> {
    let (mut runs, mut finer) = (Vec::new(), Vec::new());
    for (k, variant) in variants.iter().enumerate() {
        let (run, parts) = ran(variant, k, variants.len(), &folder, progress)?;
        if parts > 1 {
            finer.push((run.name.clone(), parts));
        }
        runs.push(run);
    }
    progress(Step::Report);
    let Wanted { columns, measures } = wanted(&runs, asked)?;
    let (mut compared, mut figures) = (Vec::new(), Vec::new());
    let (mut words, mut doubts) = (Vec::new(), different_lengths(&runs));
    for (k, name) in columns.iter().enumerate() {
        let column = runs[0].trace.columns.iter().find(|c| c.name == *name);
        let unit = column.map_or(String::new(), |c| c.unit.to_string());
        let courses = runs.iter().map(|run| {
            let course = Course::read(&folder.path().join(&run.folder), &run.trace, name)?;
            Ok(Ran { name: &run.name, trace: &run.trace, course })
        });
        let courses = courses.collect::<Result<Vec<Ran<'_>>, RunFailure>>()?;
        let rows: Vec<Deviation> = courses.iter().map(|run| deviation(run, &courses[0])).collect();
        if k == 0 {
            // Times and instants are those of the runs, whatever the quantity.
            words.extend(notes(&courses, &rows));
            doubts.extend(left_out(&rows));
        }
        figures.push(drawn(&courses, (name, &unit), &rows, k, folder.path())?);
        compared.push(ComparedColumn { name: name.clone(), unit, rows });
    }
    if !compared.is_empty() {
        words.extend(recorded_finer(&finer));
        write_table(&folder.path().join("compare.csv"), &compared)?;
    }
    let measures = measures::compared(&runs.iter().map(|run| &run.measures).collect::<Vec<_>>(), measures.as_deref());
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    if !measures.is_empty() {
        write(folder.path(), "measures.csv", measures::data(&names, &measures).to_csv(true)?)?;
    }
    let told =
        |run: &Run| ComparedRun { name: run.name.clone(), folder: run.folder.clone(), warnings: run.warnings.clone() };
    let compared = Compared {
        folder: PathBuf::new(),
        runs: runs.iter().map(told).collect(),
        columns: compared,
        measures,
        notes: words,
        warnings: doubts,
    };
    write(folder.path(), "compare.json", format!("{:#}\n", compared.to_json()))?;
    write(folder.path(), "report.html", page::report(&runs, &compared, figures).to_html())?;
    let folder = folder.publish().map_err(RunFailure::from)?;
    Ok(Compared { folder, ..compared })
}

/// Runs one of them; and into how many parts its recording step was cut.
fn ran(
    variant: &Variant,
    k: usize,
    of: usize,
    folder: &OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<(Run, u64), CompareFailure> {
    let (name, place) = (variant.name(k), variant.folder(k));
    let failed = |failure: RunFailure| CompareFailure::Run { scenario: variant.scenario.name.clone(), failure };
    progress(Step::Run(k + 1, of, name.clone()));
    let own = OutputFolder::create(&folder.path().join(&place), false).map_err(|e| failed(e.into()))?;
    // Its warnings are wanted, so its step is studied; what comes again in its motion is not asked.
    let options = Options { no_analyses: true, compared: true, ..Options::default() };
    let (recorded, parts) = densely(&variant.scenario);
    let finished = run(&recorded, own, options, progress).map_err(failed)?;
    let Outcome::InTime { summary, trace } = finished.result else { return Err(failed(RunFailure::Timeless)) };
    let (warnings, measures) = (summary.warnings, summary.measures);
    Ok((Run { name, folder: place, trace: *trace, warnings, measures }, parts))
}

/// What is to be compared.
struct Wanted {
    columns: Vec<String>,
    /// These measures; all that are listed if none.
    measures: Option<Vec<String>>,
}

/// Columns and measures by their names; by default the first force that all have, else the first quantity, and all
/// measures. Who asks for measures alone gets no column.
fn wanted(runs: &[Run], asked: &[String]) -> Result<Wanted, CompareFailure> {
    let lacking = |name: &str| runs.iter().find(|run| !has(run, name));
    let is_measure = |name: &str| runs.iter().any(|run| run.measures.value(name).is_some());
    let mut found = Wanted { columns: Vec::new(), measures: None };
    for name in asked {
        let list = match lacking(name) {
            None => &mut found.columns,
            Some(_) if is_measure(name) => found.measures.get_or_insert_default(),
            Some(run) => return Err(no_such(run, name)),
        };
        if !list.contains(name) {
            list.push(name.clone());
        }
    }
    if asked.is_empty() {
        found.columns.push(usual(runs)?);
    }
    Ok(found)
}

fn has(run: &Run, column: &str) -> bool {
    run.trace.columns.iter().any(|c| c.name == column)
}

fn no_such(run: &Run, asked: &str) -> CompareFailure {
    let columns: Vec<String> = run.trace.columns.iter().map(|c| c.name.to_string()).collect();
    let measures: Vec<String> = run.measures.all.iter().map(|measure| measure.name.clone()).collect();
    let near = nearest(asked, columns.iter().chain(&measures).map(String::as_str)).map(String::from);
    CompareFailure::NoSuch { scenario: run.name.clone(), asked: asked.to_string(), near, columns, measures }
}

/// The first force that all have, else the first quantity.
fn usual(runs: &[Run]) -> Result<String, CompareFailure> {
    let first = &runs[0].trace.columns;
    let shared = |name: &str| name != "t" && runs.iter().all(|run| has(run, name));
    let friction = first.iter().find(|c| c.unit == "N" && c.name.starts_with('f') && shared(&c.name));
    let any = friction.or_else(|| first.iter().find(|c| shared(&c.name)));
    any.map(|c| c.name.to_string()).ok_or_else(|| CompareFailure::Nothing {
        scenario: runs[runs.len() - 1].name.clone(),
        first: runs[0].name.clone(),
    })
}

/// The figures of a quantity, with the names of their files.
type Figures = [(String, Figure); 3];

/// Draws the k-th quantity and writes its figures.
fn drawn(
    runs: &[Ran<'_>],
    (column, unit): (&str, &str),
    rows: &[Deviation],
    k: usize,
    folder: &Path,
) -> Result<Figures, RunFailure> {
    let figures = [
        ("all", pictures::whole(runs, column, unit)),
        ("enlarged", pictures::enlarged(runs, column, unit, rows)),
        ("difference", pictures::difference(runs, column, unit)),
    ];
    let figures = figures.map(|(name, figure)| {
        let file = if k == 0 { format!("figures/{name}.svg") } else { format!("figures/{name}-{column}.svg") };
        (file, figure)
    });
    figures.iter().try_for_each(|(file, figure)| write(folder, file, figure.to_svg()))?;
    Ok(figures)
}

/// Writes `compare.csv`; names with commas or quotation marks are quoted.
fn write_table(path: &Path, columns: &[ComparedColumn]) -> Result<(), RunFailure> {
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
        "column",
        "unit",
    ];
    table.write_record(header).map_err(|e| failed(e.into()))?;
    for (column, row) in columns.iter().flat_map(|column| column.rows.iter().map(move |row| (column, row))) {
        let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
        let Deviation { scenario, greatest, events, until, instants, left_out, .. } = row;
        let cells = [
            scenario.clone(),
            number(row.rms),
            number(row.rms_stuck),
            greatest.0.to_string(),
            greatest.1.to_string(),
            events.to_string(),
            until.to_string(),
            instants.to_string(),
            left_out.to_string(),
            column.name.clone(),
            column.unit.clone(),
        ];
        table.write_record(cells).map_err(|e| failed(e.into()))?;
    }
    table.flush().map_err(failed)
}
