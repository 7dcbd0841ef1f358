//! A run without files: what is asked of it is gathered on the way.

use std::sync::Arc;

use stickslip_core::law::State;
use stickslip_core::scheme::Event;
use stickslip_core::simulation::{Samples, Simulation, Sink, SinkError};
use stickslip_scenario::{Output, Run, Scheme};

use crate::balance::{Balance, recorded_energy};
use crate::measures::Measured;
use crate::recorder::seen;
use crate::run::{rows_before, samples_of, to_the_end};
use crate::{Measure, Model, RunFailure, TimeModel};

/// What is looked at, besides the end. What is not looked at costs nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watch {
    /// Recorded rows, for extremes.
    pub rows: bool,
    /// Changes of contacts.
    pub events: bool,
    /// Measures of the model.
    pub measures: bool,
    /// Numbers of columns whose recorded values of the second half of the run are kept.
    pub late: Vec<usize>,
}

/// Recorded values of a column in the second half of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Late {
    /// Number of the column.
    pub column: usize,
    /// Time between two values \[s\].
    pub every: f64,
    /// The values.
    pub values: Vec<f64>,
}

/// What a contact did in a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactTally {
    /// How often it changed its state.
    pub events: u64,
    /// How often it began to slip, and when first and last \[s\].
    pub slips: (u64, Option<[f64; 2]>),
    /// How often it came to stick, and when first and last \[s\].
    pub sticks: (u64, Option<[f64; 2]>),
}

/// A run that was watched.
pub struct Watched {
    /// The run at its end.
    pub ended: Box<dyn Simulation>,
    /// Least and greatest recorded value of each column, each with its time; empty unless rows were looked at.
    pub extremes: Vec<[(f64, f64); 2]>,
    /// What each contact did.
    pub contacts: Vec<ContactTally>,
    /// First and last change of any contact \[s\].
    pub events: Option<[f64; 2]>,
    /// What the model measures.
    pub measures: Vec<Measure>,
    /// Values of the second half, of the columns that were asked for.
    pub late: Vec<Late>,
    /// Steps made.
    pub steps: u64,
    /// When it ended \[s\].
    pub end: f64,
    /// Why it ended before its time, in words.
    pub early: Option<String>,
    /// Why its result means nothing, in words: what a run alone calls an error.
    pub void: Option<String>,
    /// What makes it doubtful, in sentences, as far as the run tells by itself.
    pub doubts: Vec<String>,
}

/// Every how manyth step has a row.
pub fn recorded_every(run: &Run, output: &Output) -> u64 {
    samples_of(run, output).every
}

/// Runs a model to its end and gathers what is asked for: the same numbers that its summary would have.
pub fn watch(model: &dyn TimeModel, run: &Run, output: &Output, watch: Watch) -> Result<Watched, RunFailure> {
    let samples = samples_of(run, output);
    match watched(model, run, samples, &watch, None) {
        Err(RunFailure::Ends { t, why }) => {
            let steps = rows_before(samples.grid, t);
            if steps == 0 {
                return Err(RunFailure::Ends { t, why });
            }
            // Steps that were made are the first ones of the longer run; how often rows are recorded follows the shorter one.
            let grid = stickslip_core::scheme::Grid { steps, ..samples.grid };
            let shorter = Run { duration: grid.time(steps), step: grid.h, ..*run };
            let watched = watched(model, &shorter, samples_of(&shorter, output), &watch, Some(t))?;
            let early = Some(format!("the run ends before its time: at t = {t} s {why}"));
            Ok(Watched { early, ..watched })
        }
        other => other,
    }
}

/// Runs several models of one kind side by side, where that gives all that is asked for: what [`watch`] would give of each. None for a run
/// that must be made alone.
pub fn beside(models: &[Arc<dyn Model>], run: &Run, output: &Output, watch: Watch) -> Vec<Option<Watched>> {
    let alone = || models.iter().map(|_| None).collect();
    let Some(first) = models.first() else { return Vec::new() };
    if watch.rows || watch.measures || !watch.late.is_empty() || run.scheme != Scheme::ImplicitEuler {
        return alone();
    }
    let grid = samples_of(run, output).grid;
    let ends = first.side_by_side(models, grid);
    if ends.len() != models.len() {
        return alone();
    }
    let told = |mut ended: Box<dyn Simulation>| {
        let mut tally = Tally::new(&*ended, false, &[], &Samples { grid, every: 1 });
        for event in ended.take_events().iter().filter(|_| watch.events) {
            tally.hear(event);
        }
        let (end, steps) = (run.duration, grid.steps);
        let Tally { extremes, contacts, events, .. } = tally;
        let (measures, late, doubts) = (Vec::new(), Vec::new(), ended.doubts());
        Watched { ended, extremes, contacts, events, measures, late, steps, end, early: None, void: None, doubts }
    };
    // What may be void or doubtful is run alone, where its rows decide.
    let sound = |end: &dyn Simulation| Balance::of(end, 0.0).is_sound();
    ends.into_iter().map(|end| end.filter(|end| sound(&**end)).map(told)).collect()
}

fn watched(
    model: &dyn TimeModel,
    run: &Run,
    samples: Samples,
    watch: &Watch,
    end: Option<f64>,
) -> Result<Watched, RunFailure> {
    let start = || model.simulation(run.scheme, samples.grid.h);
    let mut ended = start()?;
    let mut tally = Tally::new(&*ended, watch.rows, &watch.late, &samples);
    let mut gauge = if watch.measures { model.gauge() } else { None };
    let mut measures = Vec::new();
    let recorded = |ended: &mut dyn Simulation, samples: Samples, sink: &mut dyn Sink| {
        ended.record(samples, sink)?;
        end.map_or(Ok(0), |end| to_the_end(ended, end, samples.grid.steps + 1, sink))
    };
    match &mut gauge {
        Some(gauge) => {
            let mut sink = Measured { recorder: &mut tally, gauge: &mut **gauge, changes: Vec::new() };
            recorded(&mut *ended, samples, &mut sink)?;
            measures = gauge.measures(&*ended, &start)?;
        }
        None if watch.rows || !watch.late.is_empty() => drop(recorded(&mut *ended, samples, &mut tally)?),
        None if watch.events || end.is_some() => {
            // Only the first and the last row.
            let few = Samples { every: samples.grid.steps, ..samples };
            recorded(&mut *ended, few, &mut tally)?;
        }
        None => ended.advance_to(run.duration)?,
    }
    let steps = samples.grid.steps;
    // The end of the scenario, and not what steps add up to.
    let time = end.map_or(run.duration, |_| ended.time());
    let Tally { extremes, contacts, events, late, .. } = tally;
    let mut doubts = ended.doubts();
    doubts.extend(model.doubts(&*ended));
    let (early, void) = (None, None);
    let mut watched =
        Watched { ended, extremes, contacts, events, measures, late, steps, end: time, early, void, doubts };
    let judged = judged(&watched, watch, || {
        let mut tally = Tally::new(&*watched.ended, true, &[], &samples);
        recorded(&mut *start()?, samples, &mut tally)?;
        Ok(tally.extremes)
    })?;
    if let Some(balance) = judged {
        let balance = Balance { by_events: model.simulation(Scheme::Events, samples.grid.h).is_ok(), ..balance };
        watched.void = balance.void();
        watched.doubts.splice(0..0, balance.doubts());
    }
    Ok(watched)
}

/// What a result is judged by that means nothing, or is doubtful. Amounts of energy that only rows show are the last to decide: they are looked
/// for where the ledger alone would doubt the run, so that sound runs need no rows.
fn judged(
    watched: &Watched,
    watch: &Watch,
    rows: impl FnOnce() -> Result<Vec<[(f64, f64); 2]>, RunFailure>,
) -> Result<Option<Balance>, RunFailure> {
    let run = &*watched.ended;
    if Balance::of(run, 0.0).is_sound() {
        return Ok(None);
    }
    let recorded = match watch.rows {
        true => recorded_energy(run.columns(), &watched.extremes),
        false => recorded_energy(run.columns(), &rows()?),
    };
    Ok(Some(Balance::of(run, recorded)).filter(|balance| !balance.is_sound()))
}

/// Gathers extremes and changes.
struct Tally {
    rows: bool,
    extremes: Vec<[(f64, f64); 2]>,
    contacts: Vec<ContactTally>,
    events: Option<[f64; 2]>,
    planar: Vec<bool>,
    late: Vec<Late>,
    /// When the second half begins \[s\].
    half: f64,
}

impl Tally {
    fn new(run: &dyn Simulation, rows: bool, late: &[usize], samples: &Samples) -> Tally {
        let every = samples.every as f64 * samples.grid.h;
        let half = 0.5 * samples.grid.time(samples.grid.steps);
        let columns = if rows { run.columns().len() } else { 0 };
        let contacts = run.contacts().len();
        Tally {
            rows,
            extremes: vec![[(0.0, f64::INFINITY), (0.0, f64::NEG_INFINITY)]; columns],
            contacts: vec![ContactTally::default(); contacts],
            events: None,
            planar: (0..contacts).map(|contact| run.is_planar(contact)).collect(),
            late: late.iter().map(|column| Late { column: *column, every, values: Vec::new() }).collect(),
            half,
        }
    }
}

impl Sink for Tally {
    fn row(&mut self, _: u64, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        if t >= self.half {
            for late in &mut self.late {
                late.values.extend(row.get(late.column));
            }
        }
        if !self.rows {
            return Ok(());
        }
        for ([least, greatest], &value) in self.extremes.iter_mut().zip(row) {
            if value < least.1 {
                *least = (t, value);
            }
            if value > greatest.1 {
                *greatest = (t, value);
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.hear(event);
        Ok(())
    }
}

impl Tally {
    fn hear(&mut self, event: &Event) {
        let event = seen(*event, self.planar[event.contact]);
        if event.from == event.to {
            return;
        }
        let contact = &mut self.contacts[event.contact];
        contact.events += 1;
        let note = |(count, times): &mut (u64, Option<[f64; 2]>)| {
            *count += 1;
            *times = Some([times.map_or(event.t, |[first, _]| first), event.t]);
        };
        match (event.from, event.to) {
            (_, State::Stick) => note(&mut contact.sticks),
            (State::Slip(_), State::Slip(_)) => {}
            (_, State::Slip(_)) => note(&mut contact.slips),
            _ => {}
        }
        self.events = Some([self.events.map_or(event.t, |[first, _]| first), event.t]);
    }
}
