//! Bifurcation diagrams and spectra: several values of each run, and runs that start where their neighbour ended.
//!
//! The last varied key is gone along; what else is varied makes *paths*. On a path with a carried start, the key goes up and then down
//! again, and run i starts where run i − 1 ended:
//!
//! ```text
//! start(0) = the scenario's own,   (values(i), end(i)) = f(scenario, keys(i), start(i)),   start(i + 1) = carry(end(i))
//! ```
//!
//! A start is a list of ordinary keys (`initial.angle = "end.psi"`), so that each run is one that `stickslip run --set …` makes again, and
//! a path is a function of its number alone. Runs of one path come after each other; several paths run side by side.

mod collect;
mod follow;
mod picture;
mod settled;
mod trust;

pub use follow::run_paths;
pub use picture::draw_paths;
pub use trust::Trust;

use std::cmp::Ordering;
use std::path::Path;

use stickslip_core::record::column_part;
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::Simulation;
use stickslip_report::table::dataset::{Cells, DataColumn};
use stickslip_run::{Instance, Registry, RunFailure, Scenario, Watch, Watched, void, watch};
use stickslip_scenario::sweep::{At, Axis, KeyPath, Section, Sweep, Value};
use stickslip_scenario::tables::{listed, nearest};

use crate::outputs::{Ran, Seen};
use crate::picture::Data;
use crate::plan::{named_once, numbers};
use crate::{Manifest, Plan, Share, SweepError};
use collect::{Found, Place};

/// A sweep along paths that can be run.
pub struct Branches<'a> {
    /// The points; its outputs are what is carried on.
    plan: Plan<'a>,
    section: Section,
    /// Number, name, unit and meaning of the column.
    column: (usize, String, String),
    place: Place,
    carry: Vec<KeyPath>,
    /// Values of the key that is gone along.
    along: u64,
    /// Whether they fall: then the way there goes down, and the way back up.
    falls: bool,
    columns: Vec<DataColumn>,
    not_carried: Vec<String>,
}

/// Values of a run, and lines of a spectrum, where nobody says how many.
const USUAL: (u64, u64) = (200, 500);

/// Steps after which it is looked at what of a state a start takes over.
const LOOK: u64 = 10;

impl<'a> Branches<'a> {
    /// Checks a sweep along paths: besides what [`Plan::new`] checks, the column, the contact and what is carried.
    pub fn new(
        registry: &Registry,
        scenario: &'a Scenario,
        sweep: &Sweep,
        base: &Path,
    ) -> Result<Branches<'a>, SweepError> {
        let section = sweep
            .section
            .clone()
            .ok_or_else(|| SweepError::input("no column is asked for", "say --bifurcation COLUMN"))?;
        let carried = section.carry.clone();
        let inner =
            Sweep { outputs: carried.clone(), classes: Vec::new(), section: None, orbits: Vec::new(), ..sweep.clone() };
        let plan = if carried.is_empty() {
            // Outputs that cost nothing, so that nobody looks for measures.
            Plan::new(registry, scenario, &Sweep { outputs: vec![("time".into(), "duration".into())], ..inner }, base)?
        } else {
            Plan::new(registry, scenario, &inner, base)?
        };
        if !carried.is_empty() && plan.watch() != Watch::default() {
            return Err(SweepError::input(
                "a start is carried from the end of a run, and its formulas ask for more",
                "use end values alone: --carry initial.angle=end.psi",
            ));
        }
        let (along, order) = along(&plan)?;
        let falls = order == Some(Ordering::Greater);
        if !carried.is_empty() && order.is_none() {
            return Err(SweepError::input(
                "starts are carried on along a key whose values neither rise nor fall from each to the next",
                "write its list in order, as in [0.1, 0.2, 0.4]",
            ));
        }
        let carry = carried
            .iter()
            .map(|(key, _)| KeyPath::read(key).map_err(|fault| SweepError::about(key, fault)))
            .collect::<Result<Vec<_>, _>>()?;
        plan.check_start(&carry)?;
        let first = plan.first_instance()?;
        let run = simulation(&first)?;
        let column = column(&*run, &section.column)?;
        let place = Place::new(&*run, &section)?;
        let mut branches = Branches {
            plan,
            section,
            column,
            place,
            carry,
            along,
            falls,
            columns: Vec::new(),
            not_carried: Vec::new(),
        };
        branches.columns = branches.all_columns()?;
        if let Some(transient) = branches.section.transient.filter(|transient| *transient >= first.run.duration) {
            return Err(SweepError::input(
                format!(
                    "the transient of {transient} s is as long as a run, {} s: nothing would be collected",
                    first.run.duration
                ),
                "make it shorter, or the runs longer: --set run.duration=…",
            ));
        }
        branches.not_carried = branches.look(run, &first)?;
        Ok(branches)
    }

    /// How many paths there are.
    pub fn paths(&self) -> u64 {
        self.plan.total() / self.along
    }

    /// Runs of one path: once along the key, and back where starts are carried on.
    pub fn runs_of_path(&self) -> u64 {
        if self.carry.is_empty() { self.along } else { 2 * self.along }
    }

    /// Whether lines of spectra are collected.
    fn is_of_spectra(&self) -> bool {
        self.place == Place::Spectrum
    }

    /// Whether runs start where their neighbour ended.
    pub(crate) fn is_carried(&self) -> bool {
        !self.carry.is_empty()
    }

    /// The columns of the dataset.
    pub fn columns(&self) -> &[DataColumn] {
        &self.columns
    }

    /// The points.
    pub fn plan(&self) -> &Plan<'a> {
        &self.plan
    }

    /// Parts of the state that a start does not take over, by their names.
    pub fn not_carried(&self) -> &[String] {
        &self.not_carried
    }

    /// What belongs into a folder of it.
    pub fn manifest(&self, part: Share) -> Manifest {
        let asked = format!("{:?}\n{}", self.section, self.plan.outputs().written());
        Manifest::of_paths(&self.plan, part, self.paths(), &self.columns, &asked)
    }

    /// The rows of a path, without files.
    pub fn path(&self, path: u64) -> Vec<Cells> {
        follow::path(self, path)
    }

    /// What is done, in words.
    pub fn way(&self) -> String {
        if self.carry.is_empty() {
            "each run from the scenario's own start, by all threads".to_string()
        } else {
            format!(
                "each run from where its neighbour ended, {}: runs of a path come one after the other, and one path after the other is given \
                 to each thread",
                if self.falls { "down and up again" } else { "up and down again" }
            )
        }
    }

    /// Number of the point of the i-th run of a path, and whether the key goes down.
    fn point(&self, path: u64, i: u64) -> (u64, bool) {
        let back = i >= self.along;
        let k = if back { 2 * self.along - 1 - i } else { i };
        let samples = self.plan.points().samples();
        (((path / samples) * self.along + k) * samples + path % samples, back != self.falls)
    }

    /// What a run begins with besides what is varied.
    fn start(&self, from: Option<&[f64]>) -> Vec<(&KeyPath, Value)> {
        let values = from.into_iter().flatten();
        self.carry.iter().zip(values).map(|(key, value)| (key, Value::Number(*value))).collect()
    }

    /// The arguments `--set key=value` that make a run.
    fn arguments(&self, values: &[Value], from: Option<&[f64]>) -> Vec<String> {
        let mut all = self.plan.arguments(values);
        all.extend(self.start(from).iter().map(|(key, value)| format!("{}={}", key.text(), value.written())));
        all
    }

    /// Runs a point from a start: what was collected, and what the next one starts from.
    fn run(&self, values: &[Value], from: Option<&[f64]>) -> Result<(Found, Option<Vec<f64>>), String> {
        let instance = self.plan.instance_from(values, &self.start(from))?;
        let (collected, run) = self.collected(&instance)?;
        let next = self.carried(run, instance.run.duration, values)?;
        Ok((collected, next))
    }

    /// How many rows the i-th run of a path has from the scenario's own start.
    pub(crate) fn rows_of(&self, path: u64, i: u64) -> u64 {
        let mut values = Vec::new();
        self.plan.points().values(self.point(path, i).0, &mut values);
        self.run(&values, None).map_or(1, |(found, _)| found.values.len() as u64)
    }

    /// What is collected of a run, and the run at its end.
    fn collected(&self, instance: &Instance) -> Result<(Found, Box<dyn Simulation>), String> {
        let mut run = simulation(instance).map_err(|error| error.to_string())?;
        let grid = Grid::cover(instance.run.duration, instance.run.step);
        // Each step: what a trajectory records says nothing about extremes and lines.
        let every = 1;
        let transient = self.section.transient.unwrap_or(0.5 * instance.run.duration);
        if transient >= instance.run.duration {
            return Err(format!("the transient of {transient} s is as long as the run, {} s", instance.run.duration));
        }
        let most = self.section.most.unwrap_or(if self.place == Place::Spectrum { USUAL.1 } else { USUAL.0 }) as usize;
        let collected = collect::collect(
            &mut *run,
            &self.place,
            (self.column.0, transient, most),
            (grid, every),
            instance.run.duration,
        )?;
        sound(instance, &*run)?;
        Ok((collected, run))
    }

    /// What the next run starts from; none where nothing is carried on.
    fn carried(&self, run: Box<dyn Simulation>, end: f64, values: &[Value]) -> Result<Option<Vec<f64>>, String> {
        if self.carry.is_empty() {
            return Ok(None);
        }
        let watched = Watched {
            ended: run,
            extremes: Vec::new(),
            contacts: Vec::new(),
            events: None,
            measures: Vec::new(),
            late: Vec::new(),
            steps: 0,
            end,
            early: None,
            void: None,
            doubts: Vec::new(),
        };
        let mut atoms = Vec::new();
        let seen = Seen { run: Ran::InTime(&watched), growth: [f64::NAN; 2] };
        self.plan.outputs().atoms(&seen, &numbers(values), &mut atoms);
        let mut next = Vec::new();
        for (name, value) in self.plan.outputs().values(&atoms) {
            match value {
                Ok(value) if value.is_finite() => next.push(value + 0.0),
                _ => {
                    return Err(format!(
                        "{name} has no value at the end of the run, so that nothing can start from it"
                    ));
                }
            }
        }
        Ok(Some(next))
    }

    /// Carries the state after a few steps into a new start, and says what of it did not arrive.
    fn look(&self, mut run: Box<dyn Simulation>, instance: &Instance) -> Result<Vec<String>, SweepError> {
        if self.carry.is_empty() {
            return Ok(Vec::new());
        }
        let grid = Grid::cover(instance.run.duration, instance.run.step);
        let wrong = |error: String| {
            SweepError::input(format!("the carried start: {error}"), "look at [sweep.bifurcation.carry]")
        };
        run.advance_to(grid.time(LOOK.min(grid.steps))).map_err(|error| wrong(error.to_string()))?;
        let ended = run.values();
        let mut values = Vec::new();
        self.plan.points().values(0, &mut values);
        let start = self.carried(run, instance.run.duration, &values).map_err(wrong)?;
        let again = self.plan.instance_from(&values, &self.start(start.as_deref())).map_err(wrong)?;
        let begun = simulation(&again)?.values();
        let same = |name: &str, value: f64| begun.iter().any(|(other, begun)| other == name && *begun == value);
        Ok(ended.iter().filter(|(name, value)| !same(name, *value)).map(|(name, _)| name.to_string()).collect())
    }

    fn all_columns(&self) -> Result<Vec<DataColumn>, SweepError> {
        let mut columns = self.plan.columns()[..self.plan.varied()].to_vec();
        let number = |name: &str, unit: &str, meaning: String| DataColumn {
            name: name.into(),
            unit: unit.into(),
            meaning,
            text: false,
        };
        let text = |name: &str, meaning: &str| DataColumn {
            name: name.into(),
            unit: String::new(),
            meaning: meaning.into(),
            text: true,
        };
        columns.push(text("direction", "up, down, or own where each run has the scenario's own start"));
        for key in &self.carry {
            let clash = columns.iter().any(|column| column.name == key.text());
            if clash || ["direction", "t", "frequency", "value", "section", SETTLED, "error"].contains(&key.text()) {
                return Err(SweepError::input(
                    format!("`{}` is both varied and carried on", key.text()),
                    "leave one of them out: what is varied has its value from the sweep",
                ));
            }
            let unit = self.plan.unit_of(key);
            columns.push(number(key.text(), &unit, "start of the run; empty where it is the scenario's own".into()));
        }
        let (_, name, unit) = &self.column;
        if self.place == Place::Spectrum {
            columns.push(number("frequency", "Hz", "frequency of the line".into()));
            columns.push(number("value", unit, format!("{name} less its mean: amplitude of the line")));
        } else {
            columns.push(number("t", "s", "when, in the run".into()));
            columns.push(number("value", unit, format!("{name}, {}", self.section.at.written())));
        }
        columns.push(text(
            "section",
            "what was found: greatest, least, sticks, slips, every, line; steady and end where nothing was",
        ));
        columns.push(text(
            SETTLED,
            "whether the last half of what was collected is as the half before: yes, grows or no; empty where too few values tell",
        ));
        columns.push(text("error", "why a run has no values"));
        named_once(columns)
    }

    /// The varied values of a row of the dataset.
    fn values_of(&self, data: &Data, row: usize) -> Vec<Value> {
        let value = |k: usize| match self.columns[k].text {
            true => Value::Text(data.texts(k).get(row).cloned().flatten().unwrap_or_default()),
            false => Value::Number(data.numbers(k).get(row).copied().unwrap_or(f64::NAN)),
        };
        (0..self.plan.varied()).map(value).collect()
    }

    fn key_column(&self) -> usize {
        let first = self.plan.varied() - self.plan.points().axes().len();
        let last = self.plan.points().axes().iter().rposition(|(_, axis)| !matches!(axis, Axis::Random(_)));
        first + last.unwrap_or(0)
    }
}

/// The column that says whether a run has settled.
const SETTLED: &str = "settled";

/// The column that says whether runs have settled.
fn settled_column(branches: &Branches<'_>) -> usize {
    branches.columns.len() - 2
}

/// The column of the values that were collected.
fn value_column(branches: &Branches<'_>) -> usize {
    branches.plan.varied() + 1 + branches.carry.len() + 1
}

/// How many values the last key that goes through a range or a list of numbers has, and which way they go: the first is less or greater than
/// the next, and so on; none where they do both.
fn along(plan: &Plan<'_>) -> Result<(u64, Option<Ordering>), SweepError> {
    let axes = plan.points().axes();
    let (count, order) = match axes.iter().rfind(|(_, axis)| !matches!(axis, Axis::Random(_))) {
        Some((_, Axis::Range { from, to, count, .. })) => (*count, Some(from.si.total_cmp(&to.si))),
        Some((_, Axis::List(entries))) if entries.iter().all(|(value, _)| value.number().is_some()) => {
            let values: Vec<f64> = entries.iter().filter_map(|(value, _)| value.number()).collect();
            let mut orders = values.windows(2).map(|two| two[0].total_cmp(&two[1]));
            let first = orders.next();
            (entries.len() as u64, first.filter(|first| orders.all(|order| order == *first)))
        }
        _ => (0, None),
    };
    if count < 2 {
        return Err(SweepError::input(
            "a diagram goes along a key with at least two numbers",
            "vary one by a range, such as --vary support.belt.speed=0.1:0.4:61; the last one is gone along",
        ));
    }
    Ok((count, order))
}

/// Refuses a run whose result means nothing, as `run` does: its rows are looked at where the ledger alone does not tell.
fn sound(instance: &Instance, ended: &dyn Simulation) -> Result<(), String> {
    if void(ended, 0.0).is_none() {
        return Ok(());
    }
    let again = instance
        .model
        .in_time()
        .and_then(|model| watch(&*model, &instance.run, &instance.output, Watch { rows: true, ..Watch::default() }));
    again.map_err(|error| error.to_string())?.void.map_or(Ok(()), Err)
}

fn simulation(instance: &Instance) -> Result<Box<dyn Simulation>, RunFailure> {
    let h = Grid::cover(instance.run.duration, instance.run.step).h;
    Ok(instance.model.in_time()?.simulation(instance.run.scheme, h)?)
}

/// Number, name and unit of a column.
fn column(run: &dyn Simulation, name: &str) -> Result<(usize, String, String), SweepError> {
    let columns = run.columns();
    let plain = column_part(name);
    match columns.iter().skip(1).position(|column| column.name == name || column.name == plain) {
        Some(k) => Ok((k + 1, columns[k + 1].name.to_string(), columns[k + 1].unit.to_string())),
        None => {
            let names = || columns.iter().skip(1).map(|column| column.name.as_ref());
            let message = format!("runs of this scenario have no column `{name}`");
            Err(match nearest(name, names()) {
                Some(near) => SweepError::input(format!("{message}; did you mean `{near}`?"), format!("write {near}")),
                None => SweepError::input(message, format!("there are {}", listed(names()))),
            })
        }
    }
}

impl Place {
    fn new(run: &dyn Simulation, section: &Section) -> Result<Place, SweepError> {
        let contact = |name: &str| {
            let plain = column_part(name);
            let names = || run.contacts().iter().map(|known| known.as_ref());
            names().position(|known: &str| known == name || column_part(known) == plain).ok_or_else(|| {
                let message = format!("there is no contact `{name}`");
                SweepError::input(message, format!("there are {}", listed(names())))
            })
        };
        Ok(match &section.at {
            At::Extremes => Place::Extremes { least: true, greatest: true },
            At::Greatest => Place::Extremes { least: false, greatest: true },
            At::Least => Place::Extremes { least: true, greatest: false },
            At::Sticks(name) => Place::Event { contact: contact(name)?, sticks: true },
            At::Slips(name) => Place::Event { contact: contact(name)?, sticks: false },
            At::Every(time) if *time > 0.0 => Place::Every(*time),
            At::Every(_) => {
                return Err(SweepError::input("values cannot be collected every 0 s", "write a period greater than 0"));
            }
            At::Spectrum => Place::Spectrum,
        })
    }
}
