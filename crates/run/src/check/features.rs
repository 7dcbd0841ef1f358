//! What runs are compared by, and the runs.

use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::simulation::{self, Simulation, SimulationError, Sink, SinkError};
use stickslip_scenario::Scheme;

use crate::RunFailure;
use crate::measures::{Measure, StepGauge};
use crate::model::{Beside, TimeModel};
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

    /// Greatest distance of a quantity in two runs at the instants to look at; 0 if it was not seen.
    pub fn greatest_distance(a: &Samples, b: &Samples, name: &str, look: &dyn Fn(f64) -> bool) -> f64 {
        let find = |run: &'_ Samples| run.columns.iter().position(|(n, _, _)| n == name);
        let (Some(p), Some(q)) = (find(a), find(b)) else { return 0.0 };
        let pairs = Samples::common(&a.t, &b.t).into_iter().filter(|(i, _)| look(a.t[*i]));
        pairs.fold(0.0, |m: f64, (i, j)| m.max((a.columns[p].2[i] - b.columns[q].2[j]).abs()))
    }
}

impl Features {
    /// Whether a contact changes within so much time of an instant.
    pub fn changes_near(&self, t: f64, time: f64) -> bool {
        let first = self.events.partition_point(|event| event.t < t - time);
        self.events.get(first).is_some_and(|event| event.t <= t + time)
    }
}

/// A run that was made, as it ended.
pub(crate) struct Made {
    /// What it is compared by.
    pub features: Features,
    /// The run at its end.
    pub ended: Box<dyn Simulation>,
    /// What it comes to, where that was heard on the way.
    pub measures: Option<Vec<Measure>>,
    /// How it was made.
    pub scheme: Scheme,
    pub grid: Grid,
}

/// A run by steps.
pub(crate) fn stepped(
    model: &dyn TimeModel,
    scheme: Scheme,
    grid: Grid,
    name: &'static str,
) -> Result<Made, RunFailure> {
    let run = model.simulation(scheme, grid.h)?;
    Ok(made(model, run, (name, grid.h), scheme, grid)?)
}

/// The grid with each step in this many parts.
pub(crate) fn finer(grid: Grid, parts: u32) -> Grid {
    Grid { h: grid.h / f64::from(parts), steps: grid.steps * u64::from(parts) }
}

/// Parts that a step is cut into for the run that is taken for exact where there is none from event to event: of the other integrator,
/// or else of the same.
const BESIDE: u32 = 4;
const FINEST: u32 = 8;

/// The run that is taken for exact: from event to event, or where the model has none by another integrator or with a small part of the step.
pub(crate) fn exact(model: &dyn TimeModel, scheme: Scheme, grid: Grid) -> Result<Made, RunFailure> {
    let run = model.simulation(Scheme::Events, grid.h).map_err(|e| e.to_string());
    let reason = match run
        .and_then(|run| made(model, run, ("events", 0.0), Scheme::Events, grid).map_err(|error| error.to_string()))
    {
        Ok(made) => return Ok(made),
        Err(reason) => reason,
    };
    // What to write instead is no help here: the run asked for goes by steps already.
    let reason = reason.split(": take the scheme").next().unwrap_or_default();
    let fine = finer(grid, BESIDE);
    let (mut made, part) = match model.beside(scheme, fine.h) {
        Some(Beside { name, does, run }) => {
            let words = format!("{does}, with a quarter of the step");
            (made(model, run?, (name, fine.h), scheme, fine)?, words)
        }
        None => (stepped(model, scheme, finer(grid, FINEST), "h/8")?, "has an eighth of the step".into()),
    };
    made.features.doubt.get_or_insert(format!("there is none from event to event ({reason}), so it {part}"));
    Ok(made)
}

/// Makes a run, keeps all its events and the quantities of the end over time, and measures it where it is heard.
fn made(
    model: &dyn TimeModel,
    mut run: Box<dyn Simulation>,
    (name, step): (&'static str, f64),
    scheme: Scheme,
    grid: Grid,
) -> Result<Made, SimulationError> {
    let columns = run.columns();
    let place = |name: &Name| columns.iter().position(|column| column.name == *name);
    let places: Vec<usize> = run.values().iter().filter_map(|(name, _)| place(name)).collect();
    let column = |&k: &usize| (columns[k].name.clone(), columns[k].unit, Vec::new());
    let samples = Samples { t: Vec::new(), columns: places.iter().map(column).collect() };
    let thinned = (grid.steps.div_ceil(INSTANTS), grid.steps);
    let gauge = if model.checked().is_empty() { None } else { model.step_gauge(&*run, grid) };
    let every = if gauge.is_some() { 1 } else { thinned.0 };
    let mut seen = Seen { events: Vec::new(), samples, places, thinned, gauge };
    run.record(simulation::Samples { grid, every }, &mut seen)?;
    let contacts = run.contacts().to_vec();
    let mut last = vec![State::Open; contacts.len()];
    run.contact_states(&mut last);
    let (residual, closure) = (run.worst_residual(), run.ledger().closure());
    let void = residual.is_nan() || residual >= RESIDUAL_VOID || closure.is_nan() || closure > CLOSURE_VOID;
    let features = Features {
        name,
        step,
        duration: grid.time(grid.steps),
        contacts,
        end: run.values(),
        events: seen.events,
        last,
        samples: seen.samples,
        doubt: void.then(|| {
            format!("its residual is {}, its energy closes to {}", number_to(residual, 2), number_to(closure, 2))
        }),
    };
    let measures = seen.gauge.map(StepGauge::measures);
    Ok(Made { features, ended: run, measures, scheme, grid })
}

/// Keeps what [`features`] needs.
struct Seen<'a> {
    events: Vec<Event>,
    samples: Samples,
    /// Places of the sampled quantities in a row.
    places: Vec<usize>,
    /// How many steps lie between samples, and the last step.
    thinned: (u64, u64),
    /// What hears all of them.
    gauge: Option<Box<dyn StepGauge + 'a>>,
}

impl Sink for Seen<'_> {
    fn row(&mut self, n: u64, t: f64, row: &[f64], states: &[State]) -> Result<(), SinkError> {
        if let Some(gauge) = &mut self.gauge {
            gauge.row(n, t, row, states)?;
        }
        if n > 0 && (n.is_multiple_of(self.thinned.0) || n == self.thinned.1) {
            self.samples.t.push(t);
            for (column, &place) in self.samples.columns.iter_mut().zip(&self.places) {
                column.2.push(row[place]);
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.events.push(*event);
        Ok(())
    }
}
