//! A run in memory: the rows that the command would write, as columns.

use stickslip_core::record::Column;
use stickslip_core::scheme::Event;
use stickslip_core::simulation::{Samples, Simulation, SinkError};
use stickslip_report::figure::Strip;
use stickslip_scenario::Scheme;

use crate::run::{Recorded, record, samples, until_end};
use crate::{Recorder, RunFailure, Scenario, Summary, study, trust};

/// A run that was kept in memory.
pub struct Kept {
    /// What the columns are.
    pub columns: Vec<Column>,
    /// One list per column: the rows of `trajectory.csv`, to the bit.
    pub values: Vec<Vec<f64>>,
    /// All changes of contacts, as in `events.csv`.
    pub events: Vec<Event>,
    /// The same in words, one for each; none where they add nothing.
    pub words: Vec<Option<String>>,
    /// What the parts of the model did over time: wheels, or the contacts themselves.
    pub strips: Vec<Strip>,
    /// The same of every contact by itself.
    pub contacts: Vec<Strip>,
    /// What happened; without studies of its step.
    pub summary: Summary,
    /// The run at its end.
    pub ended: Box<dyn Simulation>,
    /// Why it ended before its time, in words.
    pub early: Option<String>,
}

/// Runs a scenario in time and keeps every row and event in memory. `reached` hears the number of steps made at every row, and may end the
/// run.
pub fn keep(scenario: &Scenario, reached: &mut dyn FnMut(u64) -> Result<(), SinkError>) -> Result<Kept, RunFailure> {
    let model = scenario.model.in_time()?;
    let mut once = |scenario: &Scenario, end: Option<f64>| {
        let samples = samples(scenario);
        let run = model.simulation(scenario.run.scheme, samples.grid.h)?;
        let rows = 2 + samples.grid.steps.div_ceil(samples.every);
        let rows = usize::try_from(rows).unwrap_or(usize::MAX).min(MOST_AT_ONCE / run.columns().len().max(1));
        let recorder = Recorder::in_memory(&*run, model.parts(), rows, reached);
        record(scenario, &*model, run, recorder, (samples, end, false))
    };
    let (early, recorded) = match once(scenario, None) {
        Err(RunFailure::Ends { t, why }) => {
            let early = until_end(scenario, t, why)?;
            let recorded = once(&early.scenario, Some(t))?;
            (Some(early), recorded)
        }
        other => (None, other?),
    };
    let (scenario, early) = match &early {
        Some(early) => (&early.scenario, Some(early.words.clone())),
        None => (scenario, None),
    };
    let Samples { grid, every } = samples(scenario);
    let Recorded { mut trace, kept, ended, measures, .. } = recorded;
    let mut summary = Summary::new(scenario, &*ended, grid, every, &trace);
    summary.measures = measures;
    summary.stuck_means = model.stuck_means();
    summary.no_order = ended.by_events().is_none().then(|| study::LEFT_OUT.into());
    let doubts = early.iter().cloned().chain(ended.doubts()).chain(model.doubts(&*ended)).collect();
    summary.by_events = model.simulation(Scheme::Events, grid.h).is_ok();
    summary.warnings = trust::warnings(scenario, &summary, doubts);
    let (strips, contacts) = (trace.strips(), trace.contact_strips());
    let (events, words) = (std::mem::take(&mut trace.events), std::mem::take(&mut trace.words));
    Ok(Kept { columns: trace.columns, values: kept, events, words, strips, contacts, summary, ended, early })
}

/// Numbers for which memory is asked at once; lists of longer runs grow.
const MOST_AT_ONCE: usize = 1 << 24;
