//! Running a scenario into a folder.

use std::path::{Path, PathBuf};
use std::time::Instant;

use stickslip_core::analysis::{Convergence, convergence};
use stickslip_core::model::Record;
use stickslip_core::model::vehicle::{Vehicle, VehicleError};
use stickslip_core::model::wheel::{Wheel, WheelError};
use stickslip_core::scheme::{Grid, RunError, implicit_euler};
use stickslip_scenario::{Model, Scenario, Scheme};

use crate::view::{self, View};
use crate::{FolderError, OutputFolder, Recorder, Summary, Trace, VERSION};

/// Rows that a trajectory has at the most where the scenario does not say how many to record.
const USUAL_ROWS: u64 = 20_000;

/// Step counts of the study of convergence, and of the run it takes for exact.
const STUDY: ([u64; 5], u64) = ([1024, 2048, 4096, 8192, 16_384], 1 << 20);

/// Why a run left nothing behind.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The parameters do not describe a wheel.
    #[error("{0}")]
    Wheel(#[from] WheelError),
    /// The parameters do not describe a vehicle.
    #[error("{0}")]
    Vehicle(#[from] VehicleError),
    /// The folder is taken or cannot be written to.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file could not be written.
    #[error(transparent)]
    Output(#[from] stickslip_report::Error),
    /// A figure or the summary could not be written.
    #[error("cannot write {}: {source}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The simulation itself stopped.
    #[error("{0}")]
    Simulation(String),
}

/// A finished run.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Where everything was written.
    pub folder: PathBuf,
    /// What happened.
    pub summary: Summary,
    /// The run in memory, thinned.
    pub trace: Trace,
}

/// What a run is doing, for whoever shows progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// This many steps are made, of this many.
    Steps(u64, u64),
    /// The order of convergence is being measured.
    Convergence,
    /// Pictures and report are being drawn.
    Report,
}

/// Builds the scenario's model without running it: what `check` does.
pub fn prepare(scenario: &Scenario) -> Result<(), RunFailure> {
    match &scenario.model {
        Model::Wheel(parameters) => Wheel::new(parameters.clone()).map(|_| ()).map_err(RunFailure::from),
        Model::Vehicle(parameters) => Vehicle::new(parameters.clone()).map(|_| ()).map_err(RunFailure::from),
    }
}

/// Runs a scenario and writes trajectory, events, summary, figures and report into the folder.
///
/// All files appear together when everything is done; a failure leaves nothing behind.
pub fn run(scenario: &Scenario, folder: OutputFolder, progress: &mut dyn FnMut(Step)) -> Result<Finished, RunFailure> {
    match &scenario.model {
        Model::Wheel(parameters) => {
            let wheel = Wheel::new(parameters.clone())?;
            simulate(scenario, &wheel, folder, progress, view::wheel)
        }
        Model::Vehicle(parameters) => {
            let vehicle = Vehicle::new(parameters.clone())?;
            simulate(scenario, &vehicle, folder, progress, view::vehicle)
        }
    }
}

fn simulate<S: Record>(
    scenario: &Scenario,
    system: &S,
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
    draw: fn(&S, &Trace, &Summary) -> View,
) -> Result<Finished, RunFailure> {
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let every = scenario.output.every.unwrap_or(grid.steps.div_ceil(USUAL_ROWS)).min(grid.steps);
    let hash = scenario.hash.as_str();
    let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name), ("stickslip.hash", hash)];
    let mut report_steps = |n| progress(Step::Steps(n, grid.steps));
    let mut recorder = Recorder::create(system, folder.path(), every, &metadata, &mut report_steps)?;
    let begin = Instant::now();
    let outcome = match scenario.run.scheme {
        Scheme::ImplicitEuler => implicit_euler(system, grid, &mut recorder),
    };
    let outcome = outcome.map_err(|error| match error {
        RunError::Observer(error) => RunFailure::Output(error),
        other => RunFailure::Simulation(other.to_string()),
    })?;
    let trace = recorder.finish()?;
    let wall_seconds = begin.elapsed().as_secs_f64();
    let mut summary = Summary::new(scenario, system, grid, every, &trace, &outcome, wall_seconds);
    progress(Step::Convergence);
    if let Some(study) = study(system, scenario.run.duration)? {
        summary.add_convergence(&study);
    }
    progress(Step::Report);
    let view = draw(system, &trace, &summary);
    write_all(scenario, &summary, &trace, view, folder.path())?;
    let folder = folder.publish()?;
    Ok(Finished { folder, summary, trace })
}

fn study<S: Record>(system: &S, duration: f64) -> Result<Option<Convergence>, RunFailure> {
    let (steps, reference) = STUDY;
    convergence(system, duration, &steps, reference).map_err(|e| RunFailure::Simulation(e.to_string()))
}

fn write_all(
    scenario: &Scenario,
    summary: &Summary,
    trace: &Trace,
    view: View,
    folder: &Path,
) -> Result<(), RunFailure> {
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|source| RunFailure::File { path, source })
    };
    let json = summary.to_json().map_err(|e| RunFailure::Simulation(e.to_string()))?;
    write("summary.json", json)?;
    write("scenario.toml", scenario.text.clone())?;
    for (name, figure) in &view.figures {
        write(&format!("figures/{name}.svg"), figure.to_svg())?;
    }
    write("report.html", view::report(scenario, summary, trace, view.sections).to_html())
}
