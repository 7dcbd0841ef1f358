//! A block of points of one scenario and what comes of them.

use std::sync::Arc;

use stickslip_core::analysis::stability::leading;
use stickslip_core::scheme::Grid;
use stickslip_report::table::dataset::Cells;
use stickslip_run::trust::unseen_by_steps;
use stickslip_run::{Instance, Model, RunFailure, Watched, beside};
use stickslip_scenario::sweep::Value;
use stickslip_scenario::{Run, Scheme};

use crate::Plan;
use crate::outputs::{Ran, Seen, watch_each};
use crate::plan::numbers;

/// The rows of the points first…first + count − 1: one list of cells for each column of the plan.
///
/// This is the one place where points are run. Where the model can step several runs side by side, and the outputs ask for no more than such
/// runs tell, that is done: the bits are those of points run one by one. A row is a function of its number alone, so that blocks may be
/// cut anywhere.
pub fn run_block(plan: &Plan<'_>, first: u64, count: usize) -> Vec<Cells> {
    let mut cells: Vec<Cells> = plan.columns().iter().map(Cells::of).collect();
    let mut scratch = Scratch::default();
    let numbers: Vec<u64> = (first..).take(count).collect();
    for together in numbers.chunks(TOGETHER) {
        let mut done = side_by_side(plan, together).into_iter();
        for index in together {
            plan.points().values(*index, &mut scratch.values);
            let error = at_values(plan, done.next().unwrap_or_default(), &mut scratch);
            put(plan, &scratch, error, &mut cells);
        }
    }
    cells
}

/// What is there of a point before it is run alone: its run, or else what was read of it; nothing of points that only run alone.
#[derive(Default)]
enum Done {
    #[default]
    Nothing,
    Read(Result<Instance, String>),
    /// With what its steps do not see of its signals.
    Run(Watched, Option<String>),
}

/// Points that are handed to a model at once.
pub(crate) const TOGETHER: usize = 64;

/// Runs of these points side by side; those that must be run alone are read.
fn side_by_side(plan: &Plan<'_>, points: &[u64]) -> Vec<Done> {
    if !plan.goes_together() {
        return Vec::new();
    }
    let mut values = Vec::new();
    let read: Vec<Result<Instance, String>> = points.iter().map(|index| plan.instance(*index, &mut values)).collect();
    let Some(first) = read.iter().flatten().next().cloned() else { return read.into_iter().map(Done::Read).collect() };
    let alike = |instance: &Instance| instance.run == first.run && instance.output == first.output;
    let together = || read.iter().flatten().filter(|instance| alike(instance));
    let models: Vec<Arc<dyn Model>> = together().map(|instance| instance.model.clone()).collect();
    let mut watched = beside(&models, &first.run, &first.output, plan.watch()).into_iter();
    let done = |read: Result<Instance, String>| match read.as_ref().is_ok_and(alike).then(|| watched.next().flatten()) {
        Some(Some(watched)) => Done::Run(watched, read.as_ref().ok().and_then(unseen)),
        _ => Done::Read(read),
    };
    read.into_iter().map(done).collect()
}

/// What a point is worked out in.
#[derive(Default)]
struct Scratch {
    values: Vec<Value>,
    atoms: Vec<f64>,
    outputs: Vec<f64>,
    class: Option<String>,
    warning: Option<String>,
}

/// Runs the scenario with the values of the scratch, unless that was done; says what went wrong, if anything did.
fn at_values(plan: &Plan<'_>, done: Done, scratch: &mut Scratch) -> Option<String> {
    scratch.outputs.clear();
    scratch.outputs.resize(plan.outputs().len(), f64::NAN);
    (scratch.class, scratch.warning) = (None, None);
    let ran = match done {
        Done::Run(watched, unseen) => {
            let seen = Seen { run: Ran::InTime(&watched), growth: [f64::NAN; 2] };
            plan.outputs().atoms(&seen, &numbers(&scratch.values), &mut scratch.atoms);
            Ok(Came { early: watched.early, doubts: unseen.into_iter().chain(watched.doubts).collect() })
        }
        Done::Read(read) => read.and_then(|instance| run_point(plan, &instance, &scratch.values, &mut scratch.atoms)),
        Done::Nothing => plan
            .instance_at(&scratch.values)
            .and_then(|instance| run_point(plan, &instance, &scratch.values, &mut scratch.atoms)),
    };
    let mut error = match ran {
        Ok(came) => {
            scratch.warning = (!came.doubts.is_empty()).then(|| one_line(&came.doubts.join("; ")));
            came.early
        }
        Err(error) => return Some(one_line(&error)),
    };
    for (slot, (_, value)) in scratch.outputs.iter_mut().zip(plan.outputs().values(&scratch.atoms)) {
        match value {
            Ok(value) => *slot = value,
            Err(why) => drop(error.get_or_insert(why)),
        }
    }
    match plan.outputs().class(&scratch.atoms) {
        Ok(class) => scratch.class = class.map(String::from),
        Err(why) => drop(error.get_or_insert(why)),
    }
    error.map(|error| one_line(&error))
}

/// What came of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The outputs; NaN for what is missing.
    pub outputs: Vec<f64>,
    /// What went wrong; outputs of a run that ended before its time are there nevertheless.
    pub error: Option<String>,
}

impl Evaluation {
    /// Whether nothing came of the run.
    pub fn failed(&self) -> bool {
        self.error.is_some() && self.outputs.iter().all(|value| value.is_nan())
    }
}

/// Runs the scenario of a plan with any varied values, not only with those of its points.
pub fn evaluate(plan: &Plan<'_>, values: Vec<Value>) -> Evaluation {
    let mut scratch = Scratch { values, ..Scratch::default() };
    let error = at_values(plan, Done::Nothing, &mut scratch);
    Evaluation { outputs: scratch.outputs, error }
}

/// Runs a point and works out what outputs are made of. What is wrong with a run that has outputs nevertheless comes back beside them.
fn run_point(plan: &Plan<'_>, instance: &Instance, values: &[Value], atoms: &mut Vec<f64>) -> Result<Came, String> {
    let varied = numbers(values);
    let (growth, no_growth) =
        if plan.outputs().asks_growth() { growth(&*instance.model) } else { ([f64::NAN; 2], None) };
    let mut tell = |run: Ran<'_>| plan.outputs().atoms(&Seen { run, growth }, &varied, atoms);
    if !plan.outputs().needs_a_run() {
        tell(Ran::Not);
        return Ok(Came { early: no_growth, doubts: Vec::new() });
    }
    match instance.model.in_time() {
        Ok(model) => {
            let lines = plan.outputs().lines();
            let unseen = unseen(instance);
            if let (Some(words), false) = (&unseen, lines.is_empty()) {
                return Err(format!("{words}; frequency and amplitude would be those of a folded line"));
            }
            let watched = watch_each(&*model, (&instance.run, &instance.output), plan.watch(), &lines)?;
            if let Some(void) = watched.void {
                return Err(void);
            }
            tell(Ran::InTime(&watched));
            Ok(Came { early: watched.early.or(no_growth), doubts: unseen.into_iter().chain(watched.doubts).collect() })
        }
        Err(RunFailure::Timeless) => {
            let measures = instance.model.solve_once().map_err(|e| e.to_string())?;
            tell(Ran::Once(&measures));
            Ok(Came { early: no_growth, doubts: Vec::new() })
        }
        Err(other) => Err(other.to_string()),
    }
}

/// What is told of a run besides its outputs.
struct Came {
    /// What is wrong with it although it has outputs.
    early: Option<String>,
    /// What makes them doubtful.
    doubts: Vec<String>,
}

/// What the steps of a run do not see of its signals.
fn unseen(instance: &Instance) -> Option<String> {
    let grid = Grid::cover(instance.run.duration, instance.run.step);
    let run = Run { step: grid.h, ..instance.run };
    let by_events = || {
        let model = instance.model.in_time();
        model.is_ok_and(|model| model.simulation(Scheme::Events, grid.h).is_ok())
    };
    unseen_by_steps(&instance.signals, &run, by_events)
}

/// Growth \[1/s\] and frequency \[Hz\] of the small motion that grows fastest, or why there is none.
fn growth(model: &dyn Model) -> ([f64; 2], Option<String>) {
    let leading = model.linearise().map_err(|error| error.to_string()).and_then(|linear| {
        let roots = linear.roots().map_err(|error| error.to_string())?;
        leading(&roots, true).ok_or_else(|| "the linearised system has no states".to_string())
    });
    match leading {
        Ok(root) => ([root.real, root.hertz()], None),
        Err(error) => ([f64::NAN; 2], Some(format!("growth: {error}"))),
    }
}

/// Appends a row.
fn put(plan: &Plan<'_>, scratch: &Scratch, error: Option<String>, cells: &mut [Cells]) {
    let (varied, rest) = cells.split_at_mut(plan.varied());
    for (cells, value) in varied.iter_mut().zip(&scratch.values) {
        match cells {
            Cells::Numbers(values) => values.push(value.number().map_or(f64::NAN, |value| value + 0.0)),
            Cells::Texts(texts) => texts.push(Some(match value {
                Value::Text(text) => text.clone(),
                other => other.written(),
            })),
        }
    }
    let doubt = || scratch.warning.as_ref().map(|warning| format!("{WARNED}{warning}"));
    let mut told = Some(error.or_else(doubt));
    let mut class = plan.outputs().classes().next().is_some();
    let mut outputs = scratch.outputs.iter();
    for cells in rest {
        match cells {
            Cells::Numbers(values) => values.push(outputs.next().map_or(f64::NAN, |value| value + 0.0)),
            Cells::Texts(column) => {
                // The class, where there are classes, then what is wrong.
                let is_class = std::mem::take(&mut class);
                column.push(if is_class { scratch.class.clone() } else { told.take().flatten() });
            }
        }
    }
}

/// What the column `error` begins with where a run has its outputs, and only makes them doubtful.
pub(crate) const WARNED: &str = "warning: ";

/// A message on one line.
pub(crate) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
