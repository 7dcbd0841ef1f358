//! `summary.json`: what happened and how far to trust it.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use stickslip_core::Name;
use stickslip_core::mechanics::{Judged, Ledger, Uniqueness};
use stickslip_core::record::{Column, Grip};
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::Simulation;
use stickslip_scenario::{Scheme, Theta};

use crate::balance::{closure, recorded_energy};
use crate::check::Check;
use crate::order::Order;
use crate::refinement::Refinement;
use crate::study::Study;
use crate::trust::{Severity, Warning};
use crate::view::ExponentNote;
use crate::{Measure, Measures, Scenario, Trace, VERSION};

/// Values by name, in the order of the model; a map in JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T>(pub Vec<(Name, T)>);

impl<T> Named<T> {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All pairs, in order.
    pub fn iter(&self) -> impl Iterator<Item = &(Name, T)> {
        self.0.iter()
    }
}

impl<T> FromIterator<(Name, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (Name, T)>>(pairs: I) -> Named<T> {
        Named(pairs.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Everything that `summary.json` says. Nothing in it depends on the clock: the same input gives the same bits.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// SHA-256 of the scenario as it was run, with the files it names.
    pub scenario_hash: String,
    /// Name of the model.
    pub model: &'static str,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// For the scheme `theta`: θ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theta: Option<f64>,
    /// For the scheme `theta`: where walls are judged, `shifted` or `end`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<&'static str>,
    /// Steps made; for the scheme `events`, instants that could be recorded.
    pub steps: u64,
    /// Size of a step \[s\]; the duration divided by the steps where the one asked for does not fit.
    pub step: f64,
    /// Step asked for \[s\].
    pub step_asked: f64,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Whether the scenario could be run from event to event; assumed where nobody has asked.
    #[serde(skip)]
    pub by_events: bool,
    /// What makes the result doubtful or void, in words; empty if nothing does.
    pub warnings: Vec<Warning>,
    /// Every how many steps a row was recorded.
    pub recorded_every: u64,
    /// Rows in the trajectory: t = 0 and one for every so many steps, the last in any case.
    pub rows: u64,
    /// What the run comes to: `measures`, `measure_units` and, where the scenario expects something, `expected`.
    #[serde(flatten)]
    pub measures: Measures,
    /// End state, by name, in SI units.
    pub end: Named<f64>,
    /// Least and greatest recorded value of every column, with times.
    pub extremes: Named<Extreme>,
    /// Share of the time that each contact stuck, 0…1.
    pub stuck_fraction: Named<f64>,
    /// What it means that a contact sticks, where that is not plain.
    #[serde(skip)]
    pub stuck_means: Option<&'static str>,
    /// Changes of contact states.
    pub events: u64,
    /// For the scheme `events`: how the motion between them is found, `closed form` or `integrated` (each step with a
    /// tolerance of 1e-12); `achieved` says how well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between_events: Option<&'static str>,
    /// For the scheme `events`: how exact the run came out, the greater of worst residual and closure of the energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub achieved: Option<f64>,
    /// For the scheme `events`: clusters of events that implicit steps had to lead out of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handovers: Option<u64>,
    /// Worst residual of all inclusions solved, relative to the greatest speed.
    pub worst_residual: f64,
    /// Where the energy went \[J\].
    pub energy: Energy,
    /// How much of its friction |f|/(μN) each wheel used; absent for models that do not record it.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub friction_used: Named<Used>,
    /// tan θ/μ at the end, on a slope: the friction that the vehicle would use at rest with all wheels locked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked_wheels_use: Option<f64>,
    /// What else the model tells, by name.
    #[serde(flatten)]
    pub more: BTreeMap<&'static str, serde_json::Value>,
    /// The same in words, for the terminal.
    #[serde(skip)]
    pub lines: Vec<String>,
    /// What of the result is unique.
    pub uniqueness: Verdict,
    /// Whether errors at several step sizes were measured.
    pub studied: bool,
    /// Errors at several step sizes; absent where nothing changes with the step.
    pub convergence: Option<Order>,
    /// Why there is no order of convergence, for runs by steps without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_order: Option<String>,
    /// What a finer step changes; absent where the order of convergence was measured at steps as coarse as this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<Refinement>,
    /// Physics or numerics, feature by feature; absent unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// Largest Lyapunov exponents, where the scenario asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exponents: Vec<ExponentNote>,
    /// What the columns of the trajectory are.
    pub columns: Vec<ColumnNote>,
    /// Program and version.
    pub version: &'static str,
}

/// What a column is.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnNote {
    /// Its name in the header.
    pub name: Name,
    /// Its SI unit, `1` for pure numbers.
    pub unit: &'static str,
    /// Its meaning.
    pub meaning: Name,
}

/// Least and greatest value of a column.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Extreme {
    /// Least recorded value.
    pub min: f64,
    /// When it was first recorded \[s\].
    pub t_min: f64,
    /// Greatest recorded value.
    pub max: f64,
    /// When it was first recorded \[s\].
    pub t_max: f64,
}

/// How much of its friction a wheel used, of 1.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Used {
    /// At the end.
    pub end: f64,
    /// The most of all recorded rows.
    pub max: f64,
    /// When that was first recorded \[s\].
    pub t_max: f64,
    /// What was left then, 1 − max.
    pub margin: f64,
}

/// The energy ledger \[J\].
#[derive(Debug, Clone, Serialize)]
pub struct Energy {
    /// Stored at t = 0.
    pub start: f64,
    /// Work of the drives.
    pub work: f64,
    /// Dissipated in each contact.
    pub dissipated: Named<f64>,
    /// Stored at the end.
    pub stored: f64,
    /// start + work − dissipated − stored: what the scheme lost.
    pub lost: f64,
    /// |lost| over the greatest of the amounts.
    pub closure: f64,
}

/// What is unique.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// Whether velocities are.
    pub velocities: &'static str,
    /// Whether contact forces are.
    pub forces: &'static str,
    /// Why, or how the others were chosen.
    pub reason: Name,
}

impl Summary {
    pub(crate) fn new(scenario: &Scenario, run: &dyn Simulation, grid: Grid, every: u64, trace: &Trace) -> Summary {
        let worst_residual = run.worst_residual();
        let energy = Energy::new(&run.ledger(), recorded_energy(&trace.columns, &trace.extremes));
        let share = |time: f64| time / trace.end;
        let by_events = run.by_events();
        Summary {
            scenario: scenario.name.clone(),
            scenario_hash: scenario.hash.clone(),
            model: scenario.model.name(),
            scheme: scenario.run.scheme.name(),
            theta: matches!(scenario.run.scheme, Scheme::Theta(_)).then(|| scenario.run.scheme.theta()),
            judged: match scenario.run.scheme {
                Scheme::Theta(Theta { judged: Judged::End, .. }) => Some("end"),
                Scheme::Theta(_) => Some("shifted"),
                _ => None,
            },
            steps: grid.steps,
            step: grid.h,
            step_asked: scenario.run.step,
            duration: scenario.run.duration,
            by_events: true,
            warnings: Vec::new(),
            recorded_every: every,
            rows: trace.rows,
            measures: Measures::default(),
            end: run.values().into_iter().map(|(k, v)| (k, v + 0.0)).collect(),
            extremes: extremes(trace),
            stuck_fraction: run.contacts().iter().cloned().zip(run.stuck().into_iter().map(share)).collect(),
            events: trace.event_count,
            between_events: by_events.map(|run| if run.closed_form { "closed form" } else { "integrated" }),
            handovers: by_events.map(|run| run.handovers),
            achieved: by_events.map(|_| worse(worst_residual, energy.closure)),
            worst_residual,
            energy,
            studied: false,
            friction_used: friction_used(run, trace),
            locked_wheels_use: run.use_of_locked_wheels(),
            stuck_means: None,
            more: BTreeMap::new(),
            lines: Vec::new(),
            uniqueness: Verdict::new(&run.uniqueness()),
            convergence: None,
            no_order: None,
            refinement: None,
            check: None,
            exponents: Vec::new(),
            columns: trace.columns.iter().map(ColumnNote::new).collect(),
            version: VERSION,
        }
    }

    pub(crate) fn add_study(&mut self, study: Study, scheme: Scheme) {
        match study {
            Study::Order(study) => {
                self.convergence = Some(Order::new(&study, scheme, self.step, self.events > 0));
                self.studied = true;
            }
            Study::Exact => self.studied = true,
            Study::None(reason) => self.no_order = Some(reason),
        }
    }

    /// Whether errors were measured at steps as coarse as that of this run.
    pub(crate) fn step_is_measured(&self) -> bool {
        self.convergence.as_ref().is_some_and(|order| !order.coarser())
    }

    /// The most important measures, up to four, in order: what a report begins with.
    pub fn key_measures(&self) -> Vec<&Measure> {
        self.measures.key()
    }

    /// Whether the result means nothing: some warning is an error.
    pub fn is_void(&self) -> bool {
        self.warnings.iter().any(|warning| warning.severity == Severity::Error)
    }

    /// The file's text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

/// The greater of two measures; what is not a number is worse than any.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn friction_used(run: &dyn Simulation, trace: &Trace) -> Named<Used> {
    let used = |grip: Grip| {
        let (t_max, max) = trace.extremes[grip.column][1];
        let end = trace.last_row[grip.column];
        (Name::Owned(grip.wheel), Used { end, max, t_max, margin: 1.0 - max })
    };
    run.grips().into_iter().map(used).collect()
}

fn extremes(trace: &Trace) -> Named<Extreme> {
    let named = trace.columns.iter().zip(&trace.extremes).skip(1);
    named
        .map(|(column, [least, greatest])| {
            let extreme = Extreme { min: least.1 + 0.0, t_min: least.0, max: greatest.1 + 0.0, t_max: greatest.0 };
            (column.name.clone(), extreme)
        })
        .collect()
}

impl ColumnNote {
    fn new(column: &Column) -> ColumnNote {
        ColumnNote { name: column.name.clone(), unit: column.unit, meaning: column.meaning.clone() }
    }
}

impl Energy {
    /// From the ledger and the greatest energy recorded: a motion may give back all it took.
    fn new(ledger: &Ledger, recorded: f64) -> Energy {
        Energy {
            start: ledger.start,
            work: ledger.work + 0.0,
            dissipated: ledger.dissipated.iter().map(|d| (d.contact.clone(), d.energy)).collect(),
            stored: ledger.stored,
            lost: ledger.lost(),
            closure: closure(ledger, recorded),
        }
    }
}

impl Verdict {
    fn new(uniqueness: &Uniqueness) -> Verdict {
        let word = |unique| if unique { "unique" } else { "not unique" };
        Verdict {
            velocities: word(uniqueness.velocities),
            forces: word(uniqueness.forces),
            reason: uniqueness.reason.clone(),
        }
    }
}
