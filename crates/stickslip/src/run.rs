//! Running a scenario into a folder.

use std::path::{Path, PathBuf};
use std::time::Instant;

use stickslip_core::mechanics::{Smooth, System};
use stickslip_core::model::Record;
use stickslip_core::model::assembly::{Assembly, AssemblyError};
use stickslip_core::model::towed_wheel::{TowedWheel, TowedWheelError};
use stickslip_core::model::vehicle::smoothed::SmoothedError;
use stickslip_core::model::vehicle::{Vehicle, VehicleError};
use stickslip_core::model::wheel::{Wheel, WheelError};
use stickslip_core::scheme::{ByEvents, Grid, NullObserver, RunError, implicit_euler};
use stickslip_rolling::case::CaseError;
use stickslip_rolling::wheel::{PlanError, RailWheel};
use stickslip_scenario::{Model, Scenario, Scheme};

use crate::check::{self, exact, finer, stepped};
use crate::refinement::refinement;
use crate::spent::Spent;
use crate::start::decided;
use crate::study::{self, study};
use crate::trust;
use crate::view::{self, Look, View};
use crate::{Contrast, ExponentNote, FolderError, OutputFolder, Recorder, Summary, Trace, VERSION};

/// Rows that a trajectory has at the most where the scenario does not say how many to record.
pub(crate) const USUAL_ROWS: u64 = 20_000;

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
    /// Rows are missing in the trajectory: a fault of the program, not of the scenario.
    #[error(
        "the trajectory has {found} rows where {asked} were asked for: a fault of this program, which has lost what \
         happened in between; nothing was written"
    )]
    Rows {
        /// Rows that there should be.
        asked: u64,
        /// Rows that there are.
        found: u64,
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
    /// What took how long.
    pub spent: Spent,
}

/// What to do besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Run again with half the step and by events, and tell physics from numerics.
    pub check: bool,
    /// Leave out the study of convergence, and section and exponents, too.
    pub no_study: bool,
    /// Leave out only what further runs find about the motion itself: Poincaré section and Lyapunov exponents.
    pub no_analyses: bool,
}

impl Options {
    /// Why section and exponents are left out, if they are.
    fn left_out(self) -> Option<&'static str> {
        match (self.no_study, self.no_analyses) {
            (true, _) => Some(study::LEFT_OUT),
            (false, true) => Some("it is left out here"),
            (false, false) => None,
        }
    }
}

/// What a run is doing, for whoever shows progress.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// This many steps are made, of this many.
    Steps(u64, u64),
    /// This time has been reached, of this \[s\].
    Time(f64, f64),
    /// The order of convergence is being measured.
    Convergence,
    /// Physics is being told from numerics.
    Check,
    /// Poincaré section and Lyapunov exponents are being found.
    Recurrence,
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
    let job = Job { scenario, folder, options, progress };
    let generally = || Asked { look: generally(scenario), left_out: options.left_out() };
    match &scenario.model {
        Model::Wheel(parameters) => {
            let wheel = Wheel::new(parameters.clone())?;
            let draw = drawn(view::wheel, generally());
            simulate(job, &wheel, |_| study::WHEEL, draw, |_| Ok(None))
        }
        Model::Vehicle(parameters) => {
            let vehicle = Vehicle::new(parameters.clone())?;
            let beside = |grid: Grid| match scenario.contrast {
                Some(asked) => Contrast::new(&vehicle, asked.tanh_speed, grid).map(Some),
                None => Ok(None),
            };
            let work = study::vehicle(parameters.wheels.len());
            simulate(job, &vehicle, |_| work, drawn(view::vehicle, generally()), beside)
        }
        Model::Assembly(parameters) => {
            let assembly = Assembly::new(parameters.clone())?;
            let draw = drawn(view::assembly, generally());
            let steps = Grid::cover(scenario.run.duration, scenario.run.step).steps;
            simulate(job, &assembly, |end| study::assembly(&assembly, end, steps), draw, |_| Ok(None))
        }
        Model::TowedWheel(parameters) => {
            let wheel = TowedWheel::new(*parameters)?;
            let asked = scenario.output.exponent.unwrap_or(true);
            let period = scenario.output.section_period;
            let look = asked.then(|| Look::towed_wheel(period, wheel.coefficients().period()));
            let asked = Asked { look, left_out: options.left_out() };
            simulate(job, &wheel, |_| study::CURVE, drawn(view::towed_wheel, asked), |_| Ok(None))
        }
        Model::RollingContact(_) => Err(RunFailure::Timeless),
        Model::RailWheel(plan) => {
            let wheel = plan.wheel()?;
            let draw = |wheel: &RailWheel, trace: &Trace, summary: &Summary, _: &mut dyn FnMut(Step)| {
                view::rail_wheel(wheel, trace, summary)
            };
            simulate(job, &wheel, |_| study::CURVE, draw, |_| Ok(None))
        }
    }
}

/// What is to be done, and where.
struct Job<'a> {
    scenario: &'a Scenario,
    folder: OutputFolder,
    options: Options,
    progress: &'a mut dyn FnMut(Step),
}

/// How a run ended, whatever the scheme.
pub(crate) struct Ended<S> {
    /// State at the end.
    pub state: S,
    /// Share of the time that each contact stuck, 0…1.
    pub stuck_fraction: Vec<f64>,
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
            between_events: None,
            handovers: None,
        }),
        Scheme::Events => system.by_events(grid, &Default::default(), recorder).map(|passage| Ended {
            stuck_fraction: passage.stuck.iter().map(|time| time / grid.time(grid.steps)).collect(),
            state: passage.state,
            between_events: Some(if system.closed_form() { "closed form" } else { "integrated" }),
            handovers: Some(passage.handovers),
        }),
    }
}

/// What comes again in a motion, where the scenario asks for it, and why it is left out all the same.
struct Asked {
    look: Option<Look>,
    left_out: Option<&'static str>,
}

/// Draws the run of a model, and what comes again in its motion where that is asked for.
fn drawn<S: Smooth>(
    draw: fn(&S, &Trace, &Summary) -> View,
    Asked { look, left_out }: Asked,
) -> impl Fn(&S, &Trace, &Summary, &mut dyn FnMut(Step)) -> View {
    move |system, trace, summary, progress| {
        let mut view = draw(system, trace, summary);
        match (&look, left_out) {
            (Some(_), Some(why)) => view.exponents = vec![ExponentNote::left_out(why)],
            (Some(look), None) => {
                progress(Step::Recurrence);
                view::recurrence(system, look, trace, &mut view);
            }
            (None, _) => {}
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
    job: Job<'_>,
    system: &S,
    work: impl Fn(&<S as System>::State) -> f64,
    draw: impl Fn(&S, &Trace, &Summary, &mut dyn FnMut(Step)) -> View,
    beside: impl Fn(Grid) -> Result<Option<Contrast>, SmoothedError>,
) -> Result<Finished, RunFailure>
where
    S: Record + ByEvents,
{
    let Job { scenario, folder, options, progress } = job;
    let mut spent = Spent::default();
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let every = scenario.output.every.unwrap_or(grid.steps.div_ceil(USUAL_ROWS)).clamp(1, grid.steps);
    let (trace, ended) = spent.on("run", || recorded(scenario, system, &folder, (grid, every), progress))?;
    let mut summary = Summary::new(scenario, system, grid, every, &trace, &ended);
    // Events have no step whose error or time could be measured.
    if scenario.run.scheme != Scheme::Events {
        if options.no_study {
            summary.no_order = Some(study::LEFT_OUT.into());
        } else {
            progress(Step::Convergence);
            let work = work(&ended.state);
            let study = spent.on("study", || study(system, scenario.run.duration, work));
            summary.add_study(study, scenario.run.scheme);
            if !summary.step_is_measured() {
                // A run that breaks down with half the step has nothing to compare; its own line of trust says the rest.
                summary.refinement = spent.on("study", || refinement(system, grid, work)).ok();
            }
            spent.step = Some(step_seconds(system, grid)?);
        }
    }
    summary.warnings = trust::warnings(scenario, &summary, system.doubts(&ended.state));
    if options.check {
        progress(Step::Check);
        summary.check = Some(spent.on("check", || {
            let recorded = grid;
            let by_events = scenario.run.scheme == Scheme::Events;
            let grid = if by_events { check::grid_beside_events(recorded) } else { recorded };
            let by_steps = [stepped(system, grid, "h")?, stepped(system, finer(grid, 2), "h/2")?];
            let check = check::compare(&by_steps[0], &by_steps[1], &exact(system, grid)?);
            Ok::<_, RunFailure>(if by_events { check.of_events(recorded) } else { check })
        })?);
    }
    let contrast = spent.on("analyses", || beside(grid));
    summary.contrast = contrast.map_err(|error| RunFailure::Simulation(error.to_string()))?;
    let mut view = spent.on("analyses", || draw(system, &trace, &summary, progress));
    progress(Step::Report);
    summary.exponents = std::mem::take(&mut view.exponents);
    spent.on("report", || write_all(scenario, &summary, &trace, view, folder.path()))?;
    if let Some(check) = &summary.check {
        let json = serde_json::to_string_pretty(&check.findings).map_err(|e| RunFailure::Simulation(e.to_string()))?;
        write(folder.path(), "check.json", json + "\n")?;
    }
    let folder = folder.publish()?;
    Ok(Finished { folder, summary, trace, spent })
}

/// Runs the model with its tables; every `every`-th step of the grid is to have a row.
fn recorded<S>(
    scenario: &Scenario,
    system: &S,
    folder: &OutputFolder,
    (grid, every): (Grid, u64),
    progress: &mut dyn FnMut(Step),
) -> Result<(Trace, Ended<<S as System>::State>), RunFailure>
where
    S: Record + ByEvents,
{
    let failed = |error: Failed| match error {
        RunError::Observer(error) => RunFailure::Output(error),
        other => RunFailure::Simulation(other.to_string()),
    };
    let hash = scenario.hash.as_str();
    let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name), ("stickslip.hash", hash)];
    let mut reached = |n| progress(Step::Time(grid.time(n), grid.time(grid.steps)));
    let first =
        decided(system, scenario.run.scheme, grid).map_err(|error| RunFailure::Simulation(error.to_string()))?;
    let mut recorder = Recorder::create(system, folder.path(), every, &metadata, &mut reached)?;
    recorder.start(&first)?;
    let ended = any_scheme(system, scenario.run.scheme, grid, &mut recorder).map_err(failed)?;
    let trace = recorder.finish()?;
    complete(trace.rows, grid.steps, every)?;
    Ok((trace, ended))
}

/// Whether there is a row for t = 0, for every `every`-th step and for the last.
fn complete(found: u64, steps: u64, every: u64) -> Result<(), RunFailure> {
    let asked = 1 + steps.div_ceil(every);
    if found == asked { Ok(()) } else { Err(RunFailure::Rows { asked, found }) }
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
        implicit_euler(system, grid, &mut NullObserver).map_err(|e| RunFailure::Simulation(e.to_string()))?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best / grid.steps as f64)
}

pub(crate) fn write(folder: &Path, name: &str, text: String) -> Result<(), RunFailure> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|source| RunFailure::File { path, source })
}

/// Writes a scenario and the files it names, so that it can be run again from where it lies.
pub(crate) fn write_scenario(folder: &Path, scenario: &Scenario) -> Result<(), RunFailure> {
    write(folder, "scenario.toml", scenario.text.clone())?;
    for input in &scenario.inputs {
        let path = folder.join(&input.place);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&path, &input.bytes));
        written.map_err(|source| RunFailure::File { path, source })?;
    }
    Ok(())
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
    write_scenario(folder, scenario)?;
    for (name, figure) in &view.figures {
        write(&format!("figures/{name}.svg"), figure.to_svg())?;
    }
    write("report.html", view::report(scenario, summary, trace, view.sections).to_html())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_missing_are_a_fault_in_words() {
        assert!(complete(7, 6, 1).is_ok() && complete(4, 6, 2).is_ok() && complete(3, 6, 4).is_ok());
        let lost = complete(2, 6000, 1).map_err(|e| e.to_string());
        assert!(lost.is_err_and(|text| text.contains("has 2 rows where 6001 were asked for")));
        assert!(complete(8, 6, 1).is_err());
    }
}
