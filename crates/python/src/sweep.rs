//! Sweeps: plans, datasets, and pieces of them that run elsewhere.

mod chunk;
mod gathering;
mod search;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use stickslip::models::MODELS;
use stickslip::run::Scenario;
use stickslip::scenario::sweep::{At, Axis, KeyPath, Sweep};
use stickslip::sweep::{
    self, Branches, Cells, DataColumn, Folder, Manifest, Plan, Points, Request, Share, SweepError, estimate,
    keep_scenario, read_block, tally,
};

use crate::border::{Watch, compute, wait, wait_telling};
use crate::error;
use crate::scenario::PyScenario;

/// A request as Python has it: a dictionary of plain data.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct Asked {
    vary: Vec<String>,
    follow: Vec<String>,
    outputs: Vec<String>,
    classes: Vec<String>,
    orbits: Vec<String>,
    samples: Option<u64>,
    seed: Option<u64>,
    design: Option<String>,
    points: Option<PathBuf>,
}

impl From<Asked> for Request {
    fn from(asked: Asked) -> Request {
        let Asked { vary, follow, outputs, classes, orbits, samples, seed, design, points } = asked;
        Request { vary, follow, outputs, classes, orbits, samples, seed, design, points }
    }
}

/// What is to be done, checked.
#[pyclass(name = "Sweep", module = "stickslip._native", frozen)]
pub struct PySweep {
    own: Arc<Own>,
}

/// What threads share.
pub(crate) struct Own {
    pub scenario: Arc<Scenario>,
    pub request: Asked,
    /// The sweep with its outputs by name.
    pub asked: Sweep,
    base: PathBuf,
    pub points: Points,
    pub columns: Vec<DataColumn>,
    pub manifest: Manifest,
    varied: usize,
    way: String,
    /// The command that runs the scenario without varied values.
    command: String,
}

impl Own {
    fn new(scenario: Arc<Scenario>, request: Asked, command: String) -> Result<Own, SweepError> {
        let (mut asked, base) = Request::from(request.clone()).of(&scenario)?;
        if asked.section.is_some() {
            let branches = Branches::new(&MODELS, &scenario, &asked, &base)?;
            let (points, columns) = (branches.plan().points().clone(), branches.columns().to_vec());
            let (manifest, varied, way) = (branches.manifest(Share::ALL), branches.plan().varied(), branches.way());
            drop(branches);
            return Ok(Own { scenario, request, asked, base, points, columns, manifest, varied, way, command });
        }
        let plan = Plan::new(&MODELS, &scenario, &asked, &base)?;
        if asked.outputs.is_empty() && asked.orbits.is_empty() {
            // Found by a few runs, which need not be made again.
            let found = plan.columns().iter().skip(plan.varied()).take(plan.outputs().len());
            asked.outputs = found.map(|column| (column.name.clone(), column.name.clone())).collect();
        }
        let (points, columns) = (plan.points().clone(), plan.columns().to_vec());
        let (manifest, varied, way) = (Manifest::new(&plan, Share::ALL), plan.varied(), plan.way().to_string());
        drop(plan);
        Ok(Own { scenario, request, asked, base, points, columns, manifest, varied, way, command })
    }

    /// The plan again: it borrows the scenario, and so cannot be kept beside it.
    pub fn plan(&self) -> Result<Plan<'_>, SweepError> {
        if self.is_diagram() {
            return Err(SweepError::input(
                "this sweep is a diagram along paths: its rows are what was collected of runs, and not runs",
                "name outputs=… for a sweep of points; run a diagram on this machine, without a client",
            ));
        }
        let plan = Plan::new(&MODELS, &self.scenario, &self.asked, &self.base)?;
        self.unchanged(&Manifest::new(&plan, Share::ALL)).map(|()| plan)
    }

    fn unchanged(&self, now: &Manifest) -> Result<(), SweepError> {
        match self.manifest.differs(now) {
            None => Ok(()),
            Some(words) => Err(SweepError::input(
                format!("{words} of the sweep changed since it was made"),
                "do not change files of a sweep that goes on; make it anew",
            )),
        }
    }

    /// Whether runs go along paths: a bifurcation diagram, or spectra.
    fn is_diagram(&self) -> bool {
        self.asked.section.is_some()
    }

    pub fn folder(&self, out: &Path) -> Result<Folder, SweepError> {
        Folder::open(out, self.manifest.clone(), &self.columns).map(|(folder, _)| folder)
    }

    /// What a sweep should not begin with by mistake.
    pub fn ask(&self, plan: &Plan<'_>, threads: usize) -> Result<(), SweepError> {
        if plan.total() < SMALL {
            return Ok(());
        }
        let cost = estimate(plan, Share::ALL, threads);
        if !cost.is_large() {
            return Ok(());
        }
        Err(SweepError::input(
            format!(
                "{} points would take about {:.0} s on {threads} threads and {:.1} GB on the disk; nothing was written",
                cost.points,
                cost.seconds,
                cost.bytes / 1e9
            ),
            "say yes=True to begin nevertheless, or use fewer points",
        ))
    }
}

/// Sweeps of fewer points begin at once.
const SMALL: u64 = 100_000;

/// All points by threads of this machine; the summary as JSON.
fn run_points(
    own: &Own,
    out: &Path,
    threads: usize,
    (pages, yes): (bool, bool),
    watch: &Watch,
) -> Result<String, SweepError> {
    let plan = own.plan()?;
    if !yes {
        own.ask(&plan, threads)?;
    }
    let folder = own.folder(out)?;
    sweep::run_while(&plan, &folder, threads, &mut |told| watch.tell(told))?;
    if !folder.is_complete() {
        return Err(SweepError::input("the sweep was stopped", "the same call with the same folder goes on"));
    }
    complete(&folder, pages, &|folder| sweep::picture::draw(&plan, folder, &own.command))
}

/// All paths of a diagram.
fn run_diagram(
    own: &Own,
    out: &Path,
    threads: usize,
    (pages, yes): (bool, bool),
    watch: &Watch,
) -> Result<String, SweepError> {
    let branches = Branches::new(&MODELS, &own.scenario, &own.asked, &own.base)?;
    own.unchanged(&branches.manifest(Share::ALL))?;
    let runs = branches.paths().saturating_mul(branches.runs_of_path());
    if runs > SMALL && !yes {
        return Err(SweepError::input(
            format!("a diagram of {runs} runs is large; nothing was written"),
            "say yes=True to begin nevertheless, or use fewer points",
        ));
    }
    let folder = own.folder(out)?;
    sweep::run_paths(&branches, &folder, threads, &mut |told| {
        watch.tell(told);
        watch.or_end();
    })?;
    // Told as the command tells it: some runs made again.
    let trust = if pages { branches.trust(&folder, threads, &mut |_, _| watch.or_end())? } else { None };
    let json = complete(&folder, pages, &|folder| sweep::draw_paths(&branches, folder, trust.as_ref(), &own.command))?;
    let Some(trust) = trust else { return Ok(json) };
    let unwritten = |error: serde_json::Error| SweepError::input(error.to_string(), "this should not happen");
    let mut summary: serde_json::Value = serde_json::from_str(&json).map_err(unwritten)?;
    summary["trust"] = trust.words().into();
    summary["warnings"] = trust.doubts().into();
    serde_json::to_string_pretty(&summary).map_err(unwritten)
}

/// Draws what is in a folder; says whether it did.
type Draw<'a> = &'a dyn Fn(&Folder) -> Result<bool, SweepError>;

/// Writes what belongs to a complete dataset: its summary, and with `pages` the table as text, pictures and the report.
pub(crate) fn complete(folder: &Folder, pages: bool, draw: Draw<'_>) -> Result<String, SweepError> {
    let tally = tally(folder)?;
    let json = serde_json::to_string_pretty(&tally)
        .map_err(|error| SweepError::input(error.to_string(), "this should not happen"))?;
    folder.write("summary.json", (json.clone() + "\n").as_bytes())?;
    if pages {
        folder.write_csv()?;
        draw(folder)?;
    }
    Ok(json)
}

#[pymethods]
impl PySweep {
    /// Checks a request. `command` runs the scenario itself.
    #[new]
    fn new(py: Python<'_>, scenario: &PyScenario, request: Asked, command: String) -> PyResult<PySweep> {
        let scenario = scenario.scenario.clone();
        let own = wait(py, move |_| Own::new(scenario, request, command))?.map_err(|fault| error::sweep(&fault))?;
        Ok(PySweep { own: Arc::new(own) })
    }

    /// How many points there are; of a diagram paths.
    #[getter]
    fn total(&self) -> u64 {
        self.own.manifest.points
    }

    /// How many columns are varied values.
    #[getter]
    fn varied(&self) -> usize {
        self.own.varied
    }

    /// How points are run, in words.
    #[getter]
    fn way(&self) -> &str {
        &self.own.way
    }

    /// What is collected along paths, if that is asked for: the column, and whether as a spectrum.
    #[getter]
    fn diagram(&self) -> Option<(&str, bool)> {
        self.own.asked.section.as_ref().map(|section| (section.column.as_str(), section.at == At::Spectrum))
    }

    /// What rows depend on, as one hash.
    #[getter]
    fn hash(&self) -> String {
        self.own.manifest.hash()
    }

    /// Ranges, lists and distributions: name, kind, how many, whether in equal ratios.
    #[getter]
    fn axes(&self) -> Vec<(String, &'static str, u64, bool)> {
        let axes = self.own.points.axes().iter();
        axes.map(|(name, axis)| match axis {
            Axis::Range { count, log, .. } => (name.clone(), "range", *count, *log),
            Axis::List(entries) => (name.clone(), "list", entries.len() as u64, false),
            Axis::Random(_) => (name.clone(), "random", self.own.points.samples(), false),
        })
        .collect()
    }

    /// Whether points come from a table.
    #[getter]
    fn has_table(&self) -> bool {
        self.own.points.has_table()
    }

    /// Names of the classes, in order.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.own.asked.classes.iter().map(|(name, _)| name.clone()).collect()
    }

    /// All outputs that may be asked for: name, unit, meaning.
    fn outputs(&self, py: Python<'_>) -> PyResult<Vec<(String, String, String)>> {
        let own = self.own.clone();
        let all = wait(py, move |_| {
            let plan = own.plan()?;
            let owned = |(a, b, c): (&str, &str, &str)| (a.to_string(), b.to_string(), c.to_string());
            Ok(plan.possible_outputs().map(owned).collect())
        })?;
        all.map_err(|fault: SweepError| error::sweep(&fault))
    }

    /// What is set at a point: `key=value`.
    fn settings(&self, py: Python<'_>, index: u64) -> PyResult<Vec<String>> {
        let own = self.own.clone();
        let all = wait(py, move |_| {
            let plan = own.plan()?;
            if index >= plan.total() {
                let message = format!("there is no point {index}: they are counted from 0 to {}", plan.total() - 1);
                return Err(SweepError::input(message, "choose one of these"));
            }
            let mut values = Vec::new();
            plan.points().values(index, &mut values);
            Ok(plan.arguments(&values))
        })?;
        all.map_err(|fault| error::sweep(&fault))
    }

    /// Runs all points that are missing by threads of this machine; the summary as JSON.
    #[pyo3(signature = (out, threads, pages, yes, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        out: PathBuf,
        threads: Option<usize>,
        pages: bool,
        yes: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let own = self.own.clone();
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let ran = wait_telling(py, progress.as_ref(), move |watch| {
            let run = if own.is_diagram() { run_diagram } else { run_points };
            run(&own, &out, threads, (pages, yes), watch)
        })?;
        ran.map_err(|fault| error::sweep(&fault))
    }

    /// Takes rows that are run elsewhere into a folder.
    #[pyo3(signature = (out, threads, yes))]
    fn gather(&self, py: Python<'_>, out: PathBuf, threads: usize, yes: bool) -> PyResult<gathering::PyGathering> {
        let own = self.own.clone();
        let begun = wait(py, move |_| {
            let plan = own.plan()?;
            if !yes {
                own.ask(&plan, threads)?;
            }
            let folder = own.folder(&out)?;
            keep_scenario(&plan, &folder)?;
            drop(plan);
            Ok(gathering::PyGathering::new(own, folder))
        })?;
        begun.map_err(|fault: SweepError| error::sweep(&fault))
    }

    /// All that a worker needs but the points: plain data.
    fn luggage<'py>(&self, py: Python<'py>) -> PyResult<chunk::Luggage<'py>> {
        self.no_files_varied()?;
        Ok(chunk::luggage(py, &self.own))
    }

    /// The rows of the table that some points need, and the number that the first of them has there; none without a table.
    fn cut_table<'py>(&self, py: Python<'py>, first: u64, count: u64) -> PyResult<Option<(Bound<'py, PyBytes>, u64)>> {
        let cut = compute(py, |_| self.own.points.cut_table(&(first..first.saturating_add(count))))?;
        Ok(cut.map(|(text, at)| (PyBytes::new(py, text.as_bytes()), at)))
    }
}

impl PySweep {
    /// Files that a varied word names are on this machine only.
    fn no_files_varied(&self) -> PyResult<()> {
        let names_a_file = |column: &&DataColumn| {
            let keys = KeyPath::read(&column.name).map(|path| path.keys().map(String::from).collect::<Vec<_>>());
            let keys = keys.unwrap_or_default();
            let last = keys.last().map(String::as_str);
            let mesh = keys.iter().any(|key| key == "mesh");
            column.text && (matches!(last, Some("csv" | "file")) || mesh && matches!(last, Some("first" | "second")))
        };
        match self.own.columns.iter().take(self.own.varied).find(names_a_file) {
            None => Ok(()),
            Some(column) => Err(error::sweep(&SweepError::input(
                format!("`{}` is varied over files, which workers do not have", column.name),
                "run it on this machine, without a client, or as one sweep for each file: files that the scenario itself names do travel",
            ))),
        }
    }
}

/// A column as Python has it: name, unit, meaning, whether it holds texts.
type Described = (String, String, String, bool);

/// The cells of one file of a dataset: an array for each column of numbers, a list for each of texts.
#[pyfunction]
fn read_dataset_block<'py>(
    py: Python<'py>,
    path: PathBuf,
    columns: Vec<Described>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let column = |(name, unit, meaning, text)| DataColumn { name, unit, meaning, text };
    let columns: Vec<DataColumn> = columns.into_iter().map(column).collect();
    let cells = compute(py, |_| read_block(&path, &columns))?.map_err(|fault| error::sweep(&fault))?;
    let array = |cells: Cells| match cells {
        Cells::Numbers(values) => Ok(values.into_pyarray(py).into_any()),
        Cells::Texts(texts) => PyList::new(py, texts).map(Bound::into_any),
    };
    cells.into_iter().map(array).collect()
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PySweep>()?;
    module.add_class::<gathering::PyGathering>()?;
    module.add_function(wrap_pyfunction!(chunk::run_chunk, module)?)?;
    module.add_function(wrap_pyfunction!(search::find, module)?)?;
    module.add_function(wrap_pyfunction!(read_dataset_block, module)?)
}
