//! One run of a scenario text: rows, events, energy.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use stickslip_core::law::State;
use stickslip_core::mechanics::Ledger;
use stickslip_core::record::Column;
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::simulation::{Samples, SimulationError, Sink, SinkError};
use stickslip_models::MODELS;
use stickslip_scenario::Scheme;

use crate::clock::Clock;

/// A row of a trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number in steps of the grid.
    pub n: u64,
    /// When \[s\].
    pub t: f64,
    /// Values of all columns.
    pub values: Vec<f64>,
    /// What the contacts do.
    pub states: Vec<State>,
}

/// A finished run.
#[derive(Debug, Clone)]
pub struct Run {
    /// How it was run.
    pub way: Way,
    /// Size of its steps \[s\]; of rows, by events.
    pub h: f64,
    /// Rows that were asked for, without the one at t = 0.
    pub asked: u64,
    /// What was recorded.
    pub columns: Vec<Column>,
    /// The rows from the first after t = 0 on, numbered from 1.
    pub rows: Vec<Row>,
    /// Changes of contacts.
    pub events: Vec<Event>,
    /// Names of the contacts.
    pub contacts: Vec<String>,
    /// Energy at the end.
    pub ledger: Ledger,
    /// Worst residual.
    pub residual: f64,
    /// Handovers, by events.
    pub handovers: u64,
    /// Time it took.
    pub took: Duration,
}

/// Why there is no run.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The file is not a scenario: a fault of the campaign itself.
    Scenario(String),
    /// The scheme does not know something in it.
    Refused(String),
    /// The run stopped with an error.
    Stopped(String),
    /// It took too long or had too many events.
    Slow(String),
    /// The time of the whole case was over.
    OutOfTime,
    /// It panicked.
    Panicked(String),
}

/// How much a run may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Processor time of a run by events, looked at in every row and at every 64th event; steps have ten times as much.
    pub time: Duration,
    /// Changes of contacts.
    pub events: usize,
    /// When all work on the case ends, whatever its state.
    pub until: Option<Until>,
}

/// An end of work: so much processor time after a start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Until {
    clock: Clock,
    time: Duration,
}

impl Until {
    /// So much time from now on.
    pub fn from_now(time: Duration) -> Until {
        Until { clock: Clock::start(), time }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.clock.elapsed() >= self.time
    }
}

impl Budget {
    /// Whether the time of the whole case is over.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until.is_over())
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { time: Duration::from_secs(10), events: 200_000, until: None }
    }
}

/// How to run a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    /// By which scheme the text says it is run.
    pub scheme: Scheme,
    /// Steps within one row; 1 by events.
    pub within_row: u64,
    /// Rows to make, where not all.
    pub rows: Option<u64>,
    /// What it may cost.
    pub budget: Budget,
}

impl Way {
    /// From event to event.
    pub fn events(budget: Budget) -> Way {
        Way { scheme: Scheme::Events, within_row: 1, rows: None, budget }
    }

    /// The same way, as long as the case has time left.
    #[must_use]
    pub fn until(self, case: Budget) -> Way {
        Way { budget: Budget { until: case.until, ..self.budget }, ..self }
    }

    /// By so many steps in each row. A body that bounces within rounding on a wall that gives all of a blow back changes in each step, which no
    /// refinement makes fewer.
    pub fn steps(scheme: Scheme, within_row: u64, budget: Budget) -> Way {
        let budget = Budget { time: 10 * budget.time, events: 10 * budget.events, ..budget };
        Way { scheme, within_row, rows: None, budget }
    }
}

/// What messages about parts that a scheme has no equations for say.
const NOT_KNOWN: &str = "does not know";

/// Said by the observer where the time of the whole case is over.
const OVER: &str = "the time of the case is over";

/// Runs a scenario text. `text` must name the scheme of `way`.
pub fn run(text: &str, way: Way) -> Result<Run, Failure> {
    catch_unwind(AssertUnwindSafe(|| run_inside(text, way))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string()));
        Err(Failure::Panicked(said.unwrap_or_default()))
    })
}

fn run_inside(text: &str, way: Way) -> Result<Run, Failure> {
    let scenario = MODELS.parse("case.toml", text, Path::new(""), &[]).map_err(|error| {
        let words = error.message().to_string();
        if words.contains(NOT_KNOWN) { Failure::Refused(words) } else { Failure::Scenario(words) }
    })?;
    let mut rows = Grid::cover(scenario.run.duration, scenario.run.step);
    rows.steps = way.rows.unwrap_or(rows.steps).min(rows.steps);
    let grid = match way.scheme {
        Scheme::Events => rows,
        _ => Grid { h: rows.h / way.within_row as f64, steps: rows.steps * way.within_row },
    };
    let model = scenario.model.in_time().map_err(|error| Failure::Scenario(error.to_string()))?;
    let begin = Clock::start();
    let mut run = model.simulation(way.scheme, grid.h).map_err(failure)?;
    let contacts = run.contacts().to_vec();
    let mut watcher = Watcher {
        planar: (0..contacts.len()).map(|contact| run.is_planar(contact)).collect(),
        every: way.within_row,
        budget: way.budget,
        begin,
        rows: Vec::with_capacity(rows.steps as usize),
        events: Vec::new(),
    };
    run.record(Samples { grid, every: way.within_row }, &mut watcher).map_err(failure)?;
    let took = begin.elapsed();
    Ok(Run {
        way,
        h: grid.h,
        asked: rows.steps,
        columns: run.columns().to_vec(),
        rows: watcher.rows,
        events: watcher.events,
        contacts: contacts.iter().map(|name| name.to_string()).collect(),
        ledger: run.ledger(),
        residual: run.worst_residual(),
        handovers: run.by_events().map_or(0, |run| run.handovers),
        took,
    })
}

fn failure(error: SimulationError) -> Failure {
    let text = error.to_string();
    match error {
        SimulationError::Sink(_) if text == OVER => Failure::OutOfTime,
        SimulationError::Sink(_) => Failure::Slow(text),
        SimulationError::System(_) if text.contains(NOT_KNOWN) => Failure::Refused(text),
        _ => Failure::Stopped(text),
    }
}

/// Keeps rows and events, and ends runs that cost too much.
struct Watcher {
    planar: Vec<bool>,
    every: u64,
    budget: Budget,
    begin: Clock,
    rows: Vec<Row>,
    events: Vec<Event>,
}

impl Watcher {
    fn check(&self, t: f64) -> Result<(), SinkError> {
        if self.budget.is_over() {
            return Err(OVER.into());
        }
        let (took, events) = (self.begin.elapsed(), self.events.len());
        if took <= self.budget.time && events <= self.budget.events {
            return Ok(());
        }
        Err(format!("at t = {t:.6} s after {:.1} s of work, with {events} events", took.as_secs_f64()).into())
    }
}

impl Sink for Watcher {
    fn row(&mut self, n: u64, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError> {
        if n == 0 {
            return Ok(());
        }
        self.rows.push(Row { n: n / self.every, t, values: row.to_vec(), states: contacts.to_vec() });
        self.check(t)
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        // As files show them: a slip in the plane has no sign, and that it passed zero without sticking is no event.
        let planar = self.planar[event.contact];
        let shown = |state: State| match state {
            State::Slip(_) if planar => State::Slip([0.0; 2]),
            other => other,
        };
        let event = Event { from: shown(event.from), to: shown(event.to), ..*event };
        if event.from == event.to {
            return Ok(());
        }
        self.events.push(event);
        if self.events.len().is_multiple_of(64) { self.check(event.t) } else { Ok(()) }
    }
}
