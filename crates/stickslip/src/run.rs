//! Running a scenario into a folder.

use std::path::{Path, PathBuf};
use std::time::Instant;

use stickslip_core::analysis::{Convergence, convergence};
use stickslip_core::mechanics::{Smooth, System};
use stickslip_core::model::Record;
use stickslip_core::model::assembly::{Assembly, AssemblyError};
use stickslip_core::model::towed_wheel::{TowedWheel, TowedWheelError};
use stickslip_core::model::vehicle::smoothed::SmoothedError;
use stickslip_core::model::vehicle::{Vehicle, VehicleError};
use stickslip_core::model::wheel::{Wheel, WheelError};
use stickslip_core::scheme::{ByEvents, Grid, Nobody, RunError, implicit_euler};
use stickslip_rolling::case::CaseError;
use stickslip_rolling::wheel::PlanError;
use stickslip_scenario::{Model, Scenario, Scheme};

use crate::check::{self, exact, finer, stepped};
use crate::trust;
use crate::view::{self, Look, View};
use crate::{Contrast, FolderError, OutputFolder, Recorder, Summary, Trace, VERSION};

/// Rows that a trajectory has at the most where the scenario does not say how many to record.
const USUAL_ROWS: u64 = 20_000;

/// Step counts of the study of convergence, and of the run it takes for exact.
const STUDY: ([u64; 5], u64) = ([1024, 2048, 4096, 8192, 16_384], 1 << 20);

/// The same for models whose steps cost more.
const SHORT_STUDY: ([u64; 5], u64) = ([512, 1024, 2048, 4096, 8192], 1 << 17);

/// Velocities that a system may have for its convergence to be studied.
const MOST_STUDIED: usize = 300;

/// Why a run left nothing behind.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The parameters do not describe a wheel.
    #[error("{0}")]
    Wheel(#[from] WheelError),
    /// The parameters do not describe a vehicle.
    #[error("{0}")]
    Vehicle(#[from] VehicleError),
    /// The parameters do not describe an assembly.
    #[error("{0}")]
    Assembly(#[from] AssemblyError),
    /// The parameters do not describe a towed wheel.
    #[error("{0}")]
    TowedWheel(#[from] TowedWheelError),
    /// The parameters do not describe a wheel on a rail, or its theory gave no creep curve.
    #[error("{0}")]
    RailWheel(#[from] PlanError),
    /// The contact has no solution.
    #[error("{0}")]
    Rolling(#[from] CaseError),
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
    /// The model is not simulated in time.
    #[error("a rolling contact is solved once, not in time: `rolling::run` does that")]
    Timeless,
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

/// What to do besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Run again with half the step and by events, and tell physics from numerics.
    pub check: bool,
}

/// What a run is doing, for whoever shows progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// This many steps are made, of this many.
    Steps(u64, u64),
    /// The order of convergence is being measured.
    Convergence,
    /// Physics is being told from numerics.
    Check,
    /// Pictures and report are being drawn.
    Report,
}

/// Builds the scenario's model without running it: what `check` does.
pub fn prepare(scenario: &Scenario) -> Result<(), RunFailure> {
    match &scenario.model {
        Model::Wheel(parameters) => Wheel::new(parameters.clone()).map(|_| ()).map_err(RunFailure::from),
        Model::Vehicle(parameters) => Vehicle::new(parameters.clone()).map(|_| ()).map_err(RunFailure::from),
        Model::Assembly(parameters) => Assembly::new(parameters.clone()).map(|_| ()).map_err(RunFailure::from),
        Model::TowedWheel(parameters) => TowedWheel::new(*parameters).map(|_| ()).map_err(RunFailure::from),
        Model::RollingContact(case) => case.press().map(|_| ()).map_err(RunFailure::from),
        Model::RailWheel(plan) => plan.wheel().map(|_| ()).map_err(RunFailure::from),
    }
}

/// Runs a scenario in time and writes trajectory, events, summary, figures and report into the folder.
///
/// All files appear together when everything is done; a failure leaves nothing behind.
pub fn run(
    scenario: &Scenario,
    folder: OutputFolder,
    options: Options,
    progress: &mut dyn FnMut(Step),
) -> Result<Finished, RunFailure> {
    match &scenario.model {
        Model::Wheel(parameters) => {
            let wheel = Wheel::new(parameters.clone())?;
            let draw = drawn(view::wheel, generally(scenario));
            simulate(scenario, &wheel, folder, options, progress, draw, |_| Ok(None))
        }
        Model::Vehicle(parameters) => {
            let vehicle = Vehicle::new(parameters.clone())?;
            let beside = |grid: Grid| match scenario.contrast {
                Some(asked) => Contrast::new(&vehicle, asked.tanh_speed, grid).map(Some),
                None => Ok(None),
            };
            simulate(scenario, &vehicle, folder, options, progress, drawn(view::vehicle, generally(scenario)), beside)
        }
        Model::Assembly(parameters) => {
            let assembly = Assembly::new(parameters.clone())?;
            let draw = drawn(view::assembly, generally(scenario));
            simulate(scenario, &assembly, folder, options, progress, draw, |_| Ok(None))
        }
        Model::TowedWheel(parameters) => {
            let wheel = TowedWheel::new(*parameters)?;
            let asked = scenario.output.exponent.unwrap_or(true);
            let period = scenario.output.section_period;
            let look = asked.then(|| Look::towed_wheel(period, wheel.coefficients().period()));
            simulate(scenario, &wheel, folder, options, progress, drawn(view::towed_wheel, look), |_| Ok(None))
        }
        Model::RollingContact(_) => Err(RunFailure::Timeless),
        Model::RailWheel(plan) => {
            let wheel = plan.wheel()?;
            simulate(scenario, &wheel, folder, options, progress, view::rail_wheel, |_| Ok(None))
        }
    }
}

/// How a run ended, whatever the scheme.
pub(crate) struct Ended<S> {
    /// State at the end.
    pub state: S,
    /// Share of the time that each contact stuck, 0…1.
    pub stuck_fraction: Vec<f64>,
    /// Changes of state of all contacts.
    pub events: u64,
    /// For `events`: how the motion between them was found.
    pub between_events: Option<&'static str>,
    /// For `events`: clusters of events that implicit steps had to lead out of.
    pub handovers: Option<u64>,
}

type Failed = RunError<stickslip_report::Error>;

/// Runs a model in the scheme asked for.
fn any_scheme<S>(
    system: &S,
    scheme: Scheme,
    grid: Grid,
    recorder: &mut Recorder<S>,
) -> Result<Ended<<S as System>::State>, Failed>
where
    S: Record + ByEvents,
{
    match scheme {
        Scheme::ImplicitEuler | Scheme::MoreauJean => implicit_euler(system, grid, recorder).map(|outcome| Ended {
            stuck_fraction: outcome.stuck.iter().map(|steps| *steps as f64 / grid.steps as f64).collect(),
            state: outcome.state,
            events: outcome.events,
            between_events: None,
            handovers: None,
        }),
        Scheme::Events => system.by_events(grid, &Default::default(), recorder).map(|passage| Ended {
            stuck_fraction: passage.stuck.iter().map(|time| time / grid.time(grid.steps)).collect(),
            state: passage.state,
            events: passage.events,
            between_events: Some(if system.closed_form() { "closed form" } else { "integrated" }),
            handovers: Some(passage.handovers),
        }),
    }
}

/// Draws the run of a model, and what comes again in its motion where that is asked for.
fn drawn<S: Smooth>(
    draw: fn(&S, &Trace, &Summary) -> View,
    look: Option<Look>,
) -> impl Fn(&S, &Trace, &Summary) -> View {
    move |system, trace, summary| {
        let mut view = draw(system, trace, summary);
        if let Some(look) = &look {
            view::recurrence(system, look, trace, &mut view);
        }
        view
    }
}

/// Whether the scenario asks for section and exponents, and of what.
fn generally(scenario: &Scenario) -> Option<Look> {
    let asked = scenario.output.exponent.unwrap_or(scenario.output.section_period.is_some());
    asked.then(|| Look::first_coordinate(scenario.output.section_period))
}

fn simulate<S>(
    scenario: &Scenario,
    system: &S,
    folder: OutputFolder,
    options: Options,
    progress: &mut dyn FnMut(Step),
    draw: impl Fn(&S, &Trace, &Summary) -> View,
    beside: impl Fn(Grid) -> Result<Option<Contrast>, SmoothedError>,
) -> Result<Finished, RunFailure>
where
    S: Record + ByEvents,
{
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let every = scenario.output.every.unwrap_or(grid.steps.div_ceil(USUAL_ROWS)).min(grid.steps);
    let hash = scenario.hash.as_str();
    let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name), ("stickslip.hash", hash)];
    let mut report_steps = |n| progress(Step::Steps(n, grid.steps));
    let mut recorder = Recorder::create(system, folder.path(), every, &metadata, &mut report_steps)?;
    let begin = Instant::now();
    let ended = any_scheme(system, scenario.run.scheme, grid, &mut recorder).map_err(|error| match error {
        RunError::Observer(error) => RunFailure::Output(error),
        other => RunFailure::Simulation(other.to_string()),
    })?;
    let trace = recorder.finish()?;
    let wall_seconds = begin.elapsed().as_secs_f64();
    let mut summary = Summary::new(scenario, system, grid, every, &trace, &ended, wall_seconds);
    summary.contrast = beside(grid).map_err(|error| RunFailure::Simulation(error.to_string()))?;
    // Events have no step whose error or time could be measured; of large systems the study would take too long.
    if scenario.run.scheme != Scheme::Events {
        progress(Step::Convergence);
        let seconds = step_seconds(system, grid)?;
        summary.step_seconds = Some(seconds);
        // Elements that need small steps may break down with the coarse ones of the study.
        if system.dim() <= MOST_STUDIED
            && let Ok(study) = study(system, scenario.run.duration, seconds)
        {
            let nothing = study.is_none();
            let resolved = study.and_then(Convergence::resolved);
            summary.studied = nothing || resolved.is_some();
            if let Some(study) = resolved {
                summary.add_convergence(&study, scenario.run.scheme);
            }
        }
    }
    summary.warnings = trust::warnings(&summary);
    if options.check {
        progress(Step::Check);
        let by_steps = [stepped(system, grid, "h")?, stepped(system, finer(grid, 2), "h/2")?];
        summary.check = Some(check::compare(&by_steps[0], &by_steps[1], &exact(system, grid)?));
    }
    progress(Step::Report);
    let mut view = draw(system, &trace, &summary);
    summary.exponents = std::mem::take(&mut view.exponents);
    write_all(scenario, &summary, &trace, view, folder.path())?;
    if let Some(check) = &summary.check {
        let json = serde_json::to_string_pretty(&check.findings).map_err(|e| RunFailure::Simulation(e.to_string()))?;
        write(folder.path(), "check.json", json + "\n")?;
    }
    let folder = folder.publish()?;
    Ok(Finished { folder, summary, trace })
}

/// Steps whose time is measured, and how often.
const TIMED: (u64, u32) = (4_000, 3);

/// The time of a step without anyone looking on, by the first steps of the run: the best of a few, since others use
/// the machine as well.
fn step_seconds<S: Record>(system: &S, grid: Grid) -> Result<f64, RunFailure> {
    let grid = Grid { steps: grid.steps.min(TIMED.0), ..grid };
    let mut best = f64::INFINITY;
    for _ in 0..TIMED.1 {
        let begin = Instant::now();
        implicit_euler(system, grid, &mut Nobody).map_err(|e| RunFailure::Simulation(e.to_string()))?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best / grid.steps as f64)
}

/// Measures the order of convergence, with fewer and shorter runs where a step takes long.
fn study<S: Record>(system: &S, duration: f64, step_seconds: f64) -> Result<Option<Convergence>, RunFailure> {
    let (steps, reference) = if step_seconds < 200e-9 { STUDY } else { SHORT_STUDY };
    let fewer = (step_seconds / 2e-6).max(1.0).log2().min(4.0) as u32;
    let steps: Vec<u64> = steps[if fewer > 0 { 2 } else { 0 }..].iter().map(|steps| steps >> fewer).collect();
    convergence(system, duration, &steps, reference >> fewer).map_err(|e| RunFailure::Simulation(e.to_string()))
}

pub(crate) fn write(folder: &Path, name: &str, text: String) -> Result<(), RunFailure> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|source| RunFailure::File { path, source })
}

fn write_all(
    scenario: &Scenario,
    summary: &Summary,
    trace: &Trace,
    view: View,
    folder: &Path,
) -> Result<(), RunFailure> {
    let write = |name: &str, text: String| write(folder, name, text);
    let json = summary.to_json().map_err(|e| RunFailure::Simulation(e.to_string()))?;
    write("summary.json", json)?;
    write("scenario.toml", scenario.text.clone())?;
    for (name, figure) in &view.figures {
        write(&format!("figures/{name}.svg"), figure.to_svg())?;
    }
    write("report.html", view::report(scenario, summary, trace, view.sections).to_html())
}
