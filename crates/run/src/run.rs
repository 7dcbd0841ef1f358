//! Running a scenario into a folder.

use std::path::PathBuf;
use std::time::Instant;

use stickslip_core::law::State;
use stickslip_core::mechanics::SystemError;
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::{Samples, Simulation, SimulationError, Sink};
use stickslip_report::table::Formats;
use stickslip_scenario::Scheme;

use crate::check::{self, exact, finer, stepped};
use crate::files::{write, write_all};
use crate::measures::Measured;
use crate::model::{Scenario, TimeModel};
use crate::refinement::refinement;
use crate::spent::Spent;
use crate::study::{self, Start, study};
use crate::trust;
use crate::view::{self, DataTable};
use crate::{ExponentNote, Measures, OutputFolder, Recorder, RunFailure, Summary, Trace, VERSION};

/// Rows that a trajectory has at the most where the scenario does not say how many to record.
pub(crate) const USUAL_ROWS: u64 = 20_000;

/// A finished run.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Where everything was written.
    pub folder: PathBuf,
    /// What came out.
    pub result: Outcome,
    /// What took how long.
    pub spent: Spent,
}

/// What came out of a run.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Of a simulation in time.
    InTime {
        /// What happened.
        summary: Box<Summary>,
        /// The run in memory, thinned.
        trace: Box<Trace>,
    },
    /// Of something that is solved once.
    Once {
        /// What was solved, in a few words.
        what: String,
        /// What to tell of it, line by line.
        lines: Vec<String>,
    },
}

/// A run to be made.
pub struct Job<'a> {
    /// What to run.
    pub scenario: &'a Scenario,
    /// Where to write it.
    pub folder: OutputFolder,
    /// What to do besides.
    pub options: Options,
    /// Hears what is being done.
    pub progress: &'a mut dyn FnMut(Step),
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
    /// Write units behind the names in the headers of CSV files: `x1 [m/s]`.
    pub units: bool,
    /// It is one of several in a folder whose report is linked from that of the run.
    pub compared: bool,
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
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A run begins: its number, of how many, and its name.
    Run(usize, usize, String),
    /// This many steps are made, of this many.
    Steps(u64, u64),
    /// This time has been reached, of this \[s\].
    Time(f64, f64),
    /// About this share is done, and what is being done, in words.
    Share(f64, String),
    /// The order of convergence is being measured.
    Convergence,
    /// Physics is being told from numerics.
    Check,
    /// Poincaré section and Lyapunov exponents are being found.
    Recurrence,
    /// Pictures and report are being drawn.
    Report,
}

/// Runs a scenario and writes tables, summary, figures and report into the folder.
///
/// All files appear together when everything is done; a failure leaves nothing behind.
pub fn run(
    scenario: &Scenario,
    folder: OutputFolder,
    options: Options,
    progress: &mut dyn FnMut(Step),
) -> Result<Finished, RunFailure> {
    scenario.model.run(Job { scenario, folder, options, progress })
}

/// Simulates a model in time.
pub(crate) fn in_time(model: &dyn TimeModel, job: Job<'_>) -> Result<Finished, RunFailure> {
    let Job { scenario, folder, options, progress } = job;
    let mut spent = Spent::default();
    let record = |scenario: &Scenario, end: Option<f64>, progress: &mut dyn FnMut(Step)| {
        recorded(scenario, model, (&folder, options.units), (samples(scenario), end), progress)
    };
    let (shorter, recorded) = spent.on("run", || match record(scenario, None, progress) {
        Err(RunFailure::Ends { t, why }) => {
            let early = until_end(scenario, t, why)?;
            let recorded = record(&early.scenario, Some(t), progress)?;
            Ok((Some(early), recorded))
        }
        other => other.map(|recorded| (None, recorded)),
    })?;
    let scenario = shorter.as_ref().map_or(scenario, |early| &early.scenario);
    let Samples { grid, every } = samples(scenario);
    let Recorded { trace, ended, measures, tables, .. } = recorded;
    let mut summary = Summary::new(scenario, &*ended, grid, every, &trace);
    summary.measures = measures;
    summary.stuck_means = model.stuck_means();
    // Events have no step whose error or time could be measured.
    if scenario.run.scheme != Scheme::Events {
        if options.no_study {
            summary.no_order = Some(study::LEFT_OUT.into());
        } else {
            progress(Step::Convergence);
            let work = ended.step_work(grid.steps);
            let start = |h: f64| model.simulation(scenario.run.scheme, h);
            let velocities = ended.velocities().len();
            let study = spent.on("study", || study(&start, velocities, scenario.run.duration, work));
            summary.add_study(study, scenario.run.scheme);
            if !summary.step_is_measured() {
                // A run that breaks down with half the step has nothing to compare; its own line of trust says the rest.
                summary.refinement = spent.on("study", || refinement(&start, grid, work)).ok();
            }
            spent.step = Some(step_seconds(&start, grid)?);
        }
    }
    let ends = shorter.as_ref().map(|early| early.words.clone());
    let doubts = ends.into_iter().chain(ended.doubts()).chain(model.doubts(&*ended)).collect();
    summary.by_events = model.simulation(Scheme::Events, grid.h).is_ok();
    summary.warnings = trust::warnings(scenario, &summary, doubts);
    if options.check {
        progress(Step::Check);
        summary.check = Some(spent.on("check", || {
            let recorded = grid;
            let by_events = scenario.run.scheme == Scheme::Events;
            let grid = if by_events { check::grid_beside_events(recorded) } else { recorded };
            let scheme = if by_events { model.by_steps() } else { scenario.run.scheme };
            let by_steps = |grid: Grid, name: &'static str| stepped(model, scheme, grid, name);
            let (coarse, fine) = (by_steps(grid, "h")?, by_steps(finer(grid, 2), "h/2")?);
            let exact = exact(model, scheme, grid)?;
            let mut check = check::compare(&coarse.features, &fine.features, &exact.features);
            check.add(check::measured(model, [&coarse, &fine, &exact])?);
            Ok::<_, RunFailure>(if by_events { check.of_events(recorded) } else { check })
        })?);
    }
    let mut view = spent.on("analyses", || {
        let mut view = model.draw(&trace, &summary)?;
        match (model.section(scenario), options.left_out()) {
            (Some(_), Some(why)) => view.exponents = vec![ExponentNote::left_out(why)],
            (Some(section), None) => {
                progress(Step::Recurrence);
                model.recurrence(&section, &trace, &mut view);
            }
            (None, _) => {}
        }
        Ok::<_, RunFailure>(view)
    })?;
    progress(Step::Report);
    summary.exponents = std::mem::take(&mut view.exponents);
    summary.more = std::mem::take(&mut view.more);
    summary.lines = std::mem::take(&mut view.lines);
    view.tables.extend(tables);
    view.tables.extend((!summary.exponents.is_empty()).then(|| view::exponents_data(&summary.exponents)));
    spent.on("report", || write_all(scenario, &summary, &trace, view, (folder.path(), options)))?;
    if let Some(check) = &summary.check {
        let json = serde_json::to_string_pretty(&check.findings).map_err(|e| RunFailure::Simulation(e.to_string()))?;
        write(folder.path(), "check.json", json + "\n")?;
    }
    let folder = folder.publish()?;
    Ok(Finished { folder, result: Outcome::InTime { summary: Box::new(summary), trace: Box::new(trace) }, spent })
}

/// A run whose model ends before its time.
pub(crate) struct Early {
    /// The scenario up to the last row before that.
    pub scenario: Scenario,
    /// What happened.
    pub words: String,
}

/// The scenario up to the last row before t, where its model ends; the failure where there is none.
pub(crate) fn until_end(scenario: &Scenario, t: f64, why: String) -> Result<Early, RunFailure> {
    let Samples { grid, .. } = samples(scenario);
    let rows = rows_before(grid, t);
    if rows == 0 {
        return Err(RunFailure::Ends { t, why });
    }
    let mut shorter = scenario.clone();
    (shorter.run.duration, shorter.run.step) = (grid.time(rows), grid.h);
    let words = format!(
        "the run ends before its time: at t = {t} s {why}. All that is written goes up to there, of the {} s that were asked for",
        scenario.run.duration
    );
    Ok(Early { scenario: shorter, words })
}

/// The number of the last row before t.
pub(crate) fn rows_before(grid: Grid, t: f64) -> u64 {
    let mut rows = ((t / grid.h).ceil() as u64).min(grid.steps);
    while rows > 0 && grid.time(rows) >= t {
        rows -= 1;
    }
    rows
}

/// The rows that are recorded of a scenario.
pub(crate) fn samples(scenario: &Scenario) -> Samples {
    samples_of(&scenario.run, &scenario.output)
}

/// The same of what a scenario says about it.
pub(crate) fn samples_of(run: &stickslip_scenario::Run, output: &stickslip_scenario::Output) -> Samples {
    let grid = Grid::cover(run.duration, run.step);
    let every = output.every.unwrap_or(grid.steps.div_ceil(USUAL_ROWS)).clamp(1, grid.steps);
    Samples { grid, every }
}

/// A run that was recorded.
pub(crate) struct Recorded {
    pub trace: Trace,
    /// The columns, where they were kept in memory.
    pub kept: Vec<Vec<f64>>,
    /// The run at its end.
    pub ended: Box<dyn Simulation>,
    pub measures: Measures,
    pub tables: Vec<DataTable>,
}

/// Runs the model with its tables; every `every`-th step of the grid is to have a row.
fn recorded(
    scenario: &Scenario,
    model: &dyn TimeModel,
    (folder, units): (&OutputFolder, bool),
    (samples, end): (Samples, Option<f64>),
    progress: &mut dyn FnMut(Step),
) -> Result<Recorded, RunFailure> {
    let grid = samples.grid;
    let hash = scenario.hash.as_str();
    let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name), ("stickslip.hash", hash)];
    let mut reached = |n| {
        progress(Step::Time(grid.time(n), grid.time(grid.steps)));
        Ok(())
    };
    let run = model.simulation(scenario.run.scheme, grid.h)?;
    let formats = Formats::ALL.with_units(units);
    let recorder = Recorder::create(&*run, model.parts(), (folder.path(), formats), &metadata, &mut reached)?;
    record(scenario, model, run, recorder, (samples, end, true))
}

/// Runs the model from its start, shows it to the recorder and measures it; with tables of its own if they are wanted. Where the model ends
/// after the last row, what happens until then belongs to it, too.
pub(crate) fn record(
    scenario: &Scenario,
    model: &dyn TimeModel,
    mut run: Box<dyn Simulation>,
    mut recorder: Recorder<'_>,
    (samples, end, with_tables): (Samples, Option<f64>, bool),
) -> Result<Recorded, RunFailure> {
    let Samples { grid, every } = samples;
    let again = || model.simulation(scenario.run.scheme, grid.h);
    let record = |run: &mut dyn Simulation, sink: &mut dyn Sink| {
        run.record(samples, sink)?;
        end.map_or(Ok(0), |end| to_the_end(run, end, grid.steps + 1, sink))
    };
    let (more, measures, tables) = match model.gauge() {
        None => (record(&mut *run, &mut recorder)?, Vec::new(), Vec::new()),
        Some(mut gauge) => {
            let mut sink = Measured { recorder: &mut recorder, gauge: &mut *gauge, changes: Vec::new() };
            let more = record(&mut *run, &mut sink)?;
            let measures = gauge.measures(&*run, &again)?;
            (more, measures, if with_tables { gauge.tables(&*run, &again)? } else { Vec::new() })
        }
    };
    let (trace, kept) = recorder.finish()?;
    complete(trace.rows - more, grid.steps, every)?;
    Ok(Recorded { trace, kept, ended: run, measures: Measures::new(measures, &scenario.expected), tables })
}

/// From the last row on to just before the model ends: every event, and a row of the end with this number. Says how many rows it wrote.
pub(crate) fn to_the_end(
    run: &mut dyn Simulation,
    end: f64,
    number: u64,
    sink: &mut dyn Sink,
) -> Result<u64, SimulationError> {
    let last = end.next_down();
    let from = run.time();
    let (mut row, mut contacts) = (vec![0.0; run.columns().len()], vec![State::Open; run.contacts().len()]);
    while run.time() < last {
        let before = run.time();
        let reached = run.advance_to_event(last);
        let events = run.take_events();
        events.iter().try_for_each(|event| sink.event(event)).map_err(SimulationError::Sink)?;
        run.row(&mut row);
        run.contact_states(&mut contacts);
        if !events.is_empty() {
            sink.changed(run.time(), &row, &contacts).map_err(SimulationError::Sink)?;
        }
        match reached {
            // It ends, a rounding earlier.
            Err(SimulationError::System(SystemError::Ends { .. })) => break,
            Ok(_) if events.is_empty() && run.time() <= before => break,
            other => other.map(|_| ())?,
        }
    }
    if run.time() <= from {
        return Ok(0);
    }
    sink.row(number, run.time(), &row, &contacts).map_err(SimulationError::Sink)?;
    Ok(1)
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
fn step_seconds(start: &Start<'_>, grid: Grid) -> Result<f64, SimulationError> {
    let steps = grid.steps.min(TIMED.0);
    let mut best = f64::INFINITY;
    for _ in 0..TIMED.1 {
        let mut run = start(grid.h)?;
        let begin = Instant::now();
        run.advance_to(grid.time(steps))?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best / steps as f64)
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
