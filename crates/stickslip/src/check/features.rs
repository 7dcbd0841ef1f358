//! What runs are compared by, and the runs.

use std::convert::Infallible;

use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::System;
use stickslip_core::model::Record;
use stickslip_core::scheme::{ByEvents, Event, Grid, Observer, implicit_euler};

use crate::run::RunFailure;
use crate::text::number_to;
use crate::trust::{CLOSURE_VOID, RESIDUAL_VOID};

/// Instants at which the quantities of the end are seen during a run, at the most.
const INSTANTS: u64 = 4096;

/// What a run is compared by.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// What it is called: `h`, `h/2`, `events`.
    pub name: &'static str,
    /// Size of its steps \[s\]; 0 from event to event.
    pub step: f64,
    /// When it ended \[s\].
    pub duration: f64,
    /// Names of the contacts.
    pub contacts: Vec<Name>,
    /// End state, by name.
    pub end: Vec<(Name, f64)>,
    /// All changes of state.
    pub events: Vec<Event>,
    /// States at the end.
    pub last: Vec<State>,
    /// The quantities of the end, over time.
    pub samples: Samples,
    /// Why the run is not to be trusted itself; absent if nothing says so.
    pub doubt: Option<String>,
}

/// Quantities over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples {
    /// Instants \[s\].
    pub t: Vec<f64>,
    /// Name, unit and values of each.
    pub columns: Vec<(Name, &'static str, Vec<f64>)>,
}

impl Samples {
    /// Pairs of places in two lists of instants that are the same, to a part in 10⁹ of the run.
    pub fn common(a: &[f64], b: &[f64]) -> Vec<(usize, usize)> {
        let close = 1e-9 * a.last().copied().unwrap_or(0.0).abs();
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::with_capacity(a.len().min(b.len()));
        while i < a.len() && j < b.len() {
            if (a[i] - b[j]).abs() <= close {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            } else if a[i] < b[j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        pairs
    }

    /// Greatest size of any quantity that has the unit of the one named; 0 if that was not seen.
    pub fn greatest_beside(&self, name: &str) -> f64 {
        let unit = self.columns.iter().find(|(n, _, _)| n == name).map(|(_, unit, _)| *unit);
        let beside = self.columns.iter().filter(|(_, u, _)| Some(*u) == unit);
        beside.flat_map(|(_, _, values)| values).fold(0.0, |m: f64, v| m.max(v.abs()))
    }

    /// Greatest distance of a quantity in two runs from a time on; 0 if it was not seen.
    pub fn greatest_distance(a: &Samples, b: &Samples, name: &str, from: f64) -> f64 {
        let find = |run: &'_ Samples| run.columns.iter().position(|(n, _, _)| n == name);
        let (Some(p), Some(q)) = (find(a), find(b)) else { return 0.0 };
        let pairs = Samples::common(&a.t, &b.t).into_iter().filter(|(i, _)| a.t[*i] >= from);
        pairs.fold(0.0, |m: f64, (i, j)| m.max((a.columns[p].2[i] - b.columns[q].2[j]).abs()))
    }
}

/// A run by steps.
pub(crate) fn stepped<S: Record>(system: &S, grid: Grid, name: &'static str) -> Result<Features, RunFailure> {
    let mut seen = Seen::new(system, grid);
    let outcome = implicit_euler(system, grid, &mut seen).map_err(|e| RunFailure::Simulation(e.to_string()))?;
    Ok(seen.features(&outcome.state, name, grid.h, grid))
}

/// The grid with each step in this many parts.
pub(crate) fn finer(grid: Grid, parts: u32) -> Grid {
    Grid { h: grid.h / f64::from(parts), steps: grid.steps * u64::from(parts) }
}

/// The run that is taken for exact: from event to event, or where the model has none with an eighth of the step.
pub(crate) fn exact<S: Record + ByEvents>(system: &S, grid: Grid) -> Result<Features, RunFailure> {
    let mut seen = Seen::new(system, grid);
    match system.by_events(grid, &Default::default(), &mut seen) {
        Ok(passage) => Ok(seen.features(&passage.state, "events", 0.0, grid)),
        Err(error) => {
            let mut features = stepped(system, finer(grid, 8), "h/8")?;
            // What to write instead is no help here: the run asked for goes by steps already.
            let reason = error.to_string();
            let reason = reason.split(": take the scheme").next().unwrap_or_default();
            let doubt = format!("there is none from event to event ({reason}), so it has an eighth of the step");
            features.doubt.get_or_insert(doubt);
            Ok(features)
        }
    }
}

/// Keeps all events, and the quantities of the end over time.
struct Seen<'a, S> {
    system: &'a S,
    every: u64,
    events: Vec<Event>,
    samples: Samples,
    row: Vec<f64>,
    /// Places of the sampled quantities in a row.
    places: Vec<usize>,
}

impl<'a, S: Record> Seen<'a, S> {
    fn new(system: &'a S, grid: Grid) -> Seen<'a, S> {
        let every = grid.steps.div_ceil(INSTANTS);
        Seen {
            system,
            every,
            events: Vec::new(),
            samples: Samples::default(),
            row: vec![0.0; system.columns().len()],
            places: Vec::new(),
        }
    }

    fn features(self, state: &<S as System>::State, name: &'static str, step: f64, grid: Grid) -> Features {
        let mut last = vec![State::Open; self.system.contacts().len()];
        self.system.contact_states(state, &mut last);
        let (residual, closure) = (self.system.worst_residual(state), self.system.ledger(state).closure());
        let void = residual.is_nan() || residual >= RESIDUAL_VOID || closure.is_nan() || closure > CLOSURE_VOID;
        Features {
            name,
            step,
            duration: grid.time(grid.steps),
            contacts: self.system.contacts().to_vec(),
            end: self.system.end(state),
            events: self.events,
            last,
            samples: self.samples,
            doubt: void.then(|| {
                format!("its residual is {}, its energy closes to {}", number_to(residual, 2), number_to(closure, 2))
            }),
        }
    }
}

impl<S: Record> Observer<S::State> for Seen<'_, S> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        self.every
    }

    fn sample(&mut self, _: u64, t: f64, state: &S::State) -> Result<(), Infallible> {
        if self.samples.t.is_empty() {
            let columns = self.system.columns();
            let ends = self.system.end(state);
            let place = |name: &Name| columns.iter().position(|column| column.name == *name);
            self.places = ends.iter().filter_map(|(name, _)| place(name)).collect();
            let column = |&k: &usize| (columns[k].name.clone(), columns[k].unit, Vec::new());
            self.samples.columns = self.places.iter().map(column).collect();
        }
        self.system.row(t, state, &mut self.row);
        self.samples.t.push(t);
        for (column, &place) in self.samples.columns.iter_mut().zip(&self.places) {
            column.2.push(self.row[place]);
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Infallible> {
        self.events.push(*event);
        Ok(())
    }
}
