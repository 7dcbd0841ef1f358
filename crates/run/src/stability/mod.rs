//! Small motions about the steady state of a scenario: its modes, how roots move with its numbers, and where it becomes unstable.

mod find;
mod page;
mod pictures;
mod points;
mod tracks;

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use stickslip_core::analysis::stability::{Linearised, Mode, NEARLY_DEFECTIVE, Root, Tendency, leading, unstable};
use stickslip_scenario::Interval;
use stickslip_scenario::tables::Fault;

pub use find::{Critical, Everywhere, Found};
pub use points::Point;

use crate::files::{write, write_scenario};
use crate::view::DataTable;
use crate::{OutputFolder, Registry, RunFailure, Scenario, Step, VERSION};

/// What is asked about the small motions of a scenario.
#[derive(Debug, Clone, Default)]
pub struct StabilityOptions {
    /// Keys to vary, up to two, each with its numbers.
    pub vary: Vec<Interval>,
    /// Keys whose critical values are looked for, each between two numbers, with all else as in the scenario.
    pub find: Vec<Interval>,
    /// Threads that share the points; 0 for as many as there are cores. Results do not depend on it.
    pub threads: usize,
}

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum StabilityFailure {
    /// The state, or the output.
    #[error(transparent)]
    Run(#[from] RunFailure),
    /// What was asked for makes no sense.
    #[error("{message}")]
    Asked {
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: String,
    },
}

impl StabilityFailure {
    fn asked(message: impl Into<String>, help: impl Into<String>) -> StabilityFailure {
        StabilityFailure::Asked { message: message.into(), help: help.into() }
    }

    fn of(option: &str, fault: Fault) -> StabilityFailure {
        StabilityFailure::asked(format!("{option} {}", fault.message), fault.help.unwrap_or_else(|| "change it".into()))
    }
}

/// The scenario's own state.
#[derive(Debug, Clone)]
pub struct Own {
    /// The system.
    pub system: Linearised,
    /// Its modes, the fastest growing first.
    pub modes: Vec<Mode>,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Stability {
    /// Where everything is.
    pub folder: PathBuf,
    /// The state as the scenario has it, or why it has none (where keys are varied, others may have one).
    pub own: Result<Own, String>,
    /// What was varied.
    pub vary: Vec<Interval>,
    /// The SI units of the varied keys; empty where they have none.
    pub units: Vec<String>,
    /// The numbers that the varied keys took.
    pub values: Vec<Vec<f64>>,
    /// All points, the last key varying fastest; empty where nothing is varied.
    pub points: Vec<Point>,
    /// What was looked for.
    pub found: Vec<Found>,
    /// Keys of which nothing can be said, and why, where others have an answer.
    pub unanswered: Vec<(String, String)>,
    /// What is to be read with care.
    pub doubts: Vec<String>,
    /// Of each root that is followed over one varied key: its greatest component where it grows fastest.
    parts: Vec<Option<String>>,
}

/// Points at the most.
const MOST_POINTS: usize = 1_000_000;

/// Keys that can be varied together: more cannot be drawn.
const MOST_KEYS: usize = 2;

/// Looks at the small motions of a scenario and writes what came out into a folder.
pub fn stability(
    registry: &Registry,
    scenario: &Scenario,
    options: &StabilityOptions,
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<Stability, StabilityFailure> {
    let mut result = studied(registry, scenario, options, progress)?;
    progress(Step::Report);
    let path = folder.path();
    write(path, "eigenvalues.csv", result.table().to_csv(false)?)?;
    write(path, "stability.json", format!("{:#}\n", result.to_json(scenario)))?;
    write_scenario(path, scenario)?;
    let figures = pictures::figures(&result);
    figures.iter().try_for_each(|(name, figure)| write(path, &format!("figures/{name}.svg"), figure.to_svg()))?;
    write(path, "report.html", page::report(scenario, &result, &figures).to_html())?;
    result.folder = folder.publish().map_err(RunFailure::from)?;
    Ok(result)
}

/// The same without files.
pub fn studied(
    registry: &Registry,
    scenario: &Scenario,
    options: &StabilityOptions,
    progress: &mut dyn FnMut(Step),
) -> Result<Stability, StabilityFailure> {
    check(options)?;
    let own = match (own(scenario), options.vary.is_empty() && options.find.is_empty()) {
        (Ok(own), _) => Ok(own),
        // Of a model that has no such state no number makes one.
        (Err(failure @ RunFailure::NotLinear(_)), _) | (Err(failure), true) => return Err(failure.into()),
        (Err(failure), false) => Err(failure.to_string()),
    };
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let values: Vec<Vec<f64>> = options.vary.iter().map(|range| range.values(2)).collect();
    let points = points::evaluated(registry, scenario, &options.vary, &values, threads, progress)?;
    // What makes no sense is refused before anything is looked for.
    for range in &options.find {
        points::template(registry, scenario, "--find", std::slice::from_ref(range))?;
    }
    let (mut found, mut unanswered) = (Vec::new(), Vec::new());
    for range in &options.find {
        match find::found(registry, scenario, range, threads, progress) {
            Ok(answer) => found.push(answer),
            Err(failure @ StabilityFailure::Run(_)) => return Err(failure),
            Err(failure) => unanswered.push((range.key.clone(), failure)),
        }
    }
    // Each question has an answer of its own; only if none has one there is nothing to tell.
    if found.is_empty() && options.vary.is_empty() && !unanswered.is_empty() {
        return Err(unanswered.swap_remove(0).1);
    }
    let unanswered = unanswered.into_iter().map(|(key, failure)| (key, failure.to_string())).collect();
    let parts = points::parts(registry, scenario, &options.vary, &points)?;
    let units = options.vary.iter().map(|range| find::unit_of(registry, scenario, &range.key));
    let units = units.collect::<Result<Vec<String>, _>>()?;
    let mut result = Stability {
        folder: PathBuf::new(),
        own,
        vary: options.vary.clone(),
        units,
        values,
        points,
        found,
        unanswered,
        doubts: Vec::new(),
        parts,
    };
    result.doubts = doubts(&result);
    Ok(result)
}

fn own(scenario: &Scenario) -> Result<Own, RunFailure> {
    let system = scenario.model.linearise()?;
    let modes = system.modes().map_err(RunFailure::model)?;
    Ok(Own { system, modes })
}

fn check(options: &StabilityOptions) -> Result<(), StabilityFailure> {
    if options.vary.len() > MOST_KEYS {
        return Err(StabilityFailure::asked(
            format!("{} keys are varied, and at most {MOST_KEYS} can be drawn", options.vary.len()),
            "write --vary at most twice; --set changes other keys",
        ));
    }
    for list in [&options.vary, &options.find] {
        for (k, range) in list.iter().enumerate() {
            if list[..k].iter().any(|other| other.key == range.key) {
                return Err(StabilityFailure::asked(format!("`{}` is given twice", range.key), "name each key once"));
            }
        }
    }
    let count: usize = options.vary.iter().map(|range| range.count.unwrap_or(2)).product();
    if count > MOST_POINTS {
        return Err(StabilityFailure::asked(
            format!("the ranges make {count} points, and at most {MOST_POINTS} are looked at"),
            "take fewer values",
        ));
    }
    Ok(())
}

fn doubts(result: &Stability) -> Vec<String> {
    let mut doubts = Vec::new();
    if let Ok(own) = &result.own {
        let near = own.modes.iter().filter(|mode| mode.condition > NEARLY_DEFECTIVE && !mode.root.is_zero());
        doubts.extend(near.map(|mode| {
            format!(
                "the mode {} nearly coincides with another (condition {:.1e}): its shape means little, and its root moves with the \
                 square root of small changes",
                named(&mode.root),
                mode.condition
            )
        }));
    }
    let lost: Vec<&Point> = result.points.iter().filter(|point| point.roots.is_err()).collect();
    if let Some(Err(why)) = lost.first().map(|point| &point.roots) {
        doubts.push(format!(
            "{} of {} points have no matrix, and are left out; the first: {why}",
            lost.len(),
            result.points.len()
        ));
    }
    doubts.extend(result.unanswered.iter().map(|(_, why)| why.clone()));
    for found in &result.found {
        if let Some((value, why)) = found.lost.first() {
            doubts.push(format!(
                "{} of {} values of {} have no steady state, so that nothing is known about them; the first is {value}: {why}",
                found.lost.len(),
                found.scanned,
                found.range.key
            ));
        }
    }
    doubts
}

/// A root in words: `16.0 ± 2π·1.2 Hz`.
pub(crate) fn named(root: &Root) -> String {
    use crate::text::number;
    match root.frequency {
        0.0 => format!("{} 1/s", number(root.real)),
        _ => format!("{} 1/s at {} Hz", number(root.real), number(root.hertz())),
    }
}

/// The greatest component of a mode: `3L0`, `x_block`.
pub(crate) fn part(mode: &Mode, system: &Linearised) -> Option<String> {
    let sizes = mode.drawn(system.positions);
    let (k, _) = sizes.iter().enumerate().take(system.positions).max_by(|a, b| a.1[0].total_cmp(&b.1[0]))?;
    let name = system.names.get(k)?.split(" [").next()?;
    Some(name.strip_prefix("q_").unwrap_or(name).to_string())
}

impl Stability {
    /// Whether roots that are zero are there at every point: something that nothing holds, and no border.
    fn has_zeros(&self) -> bool {
        let mut known = self.points.iter().filter_map(|point| point.roots.as_ref().ok()).peekable();
        known.peek().is_some() && known.all(|roots| roots.iter().any(Root::is_zero))
    }

    /// The fastest growing root of each point, where it has a state.
    fn leads(&self) -> Vec<Option<Root>> {
        let zeros = self.has_zeros();
        self.points.iter().map(|point| point.roots.as_ref().ok().and_then(|roots| leading(roots, zeros))).collect()
    }

    /// `eigenvalues.csv`: the numbers of a point, then one of its roots; without varied keys the roots of the scenario.
    fn table(&self) -> DataTable {
        let keys: Vec<&str> = self.vary.iter().map(|range| range.key.as_str()).collect();
        let mut table = DataTable::new(EIGENVALUES, &[&keys[..], &EIGENVALUE_COLUMNS].concat());
        if self.vary.is_empty() {
            self.own.iter().flat_map(|own| &own.modes).for_each(|mode| table.push(&eigenvalue_row(&mode.root)));
        }
        for point in &self.points {
            let roots = point.roots.iter().flatten();
            roots.for_each(|root| table.push(&[&point.values[..], &eigenvalue_row(root)].concat()));
        }
        table
    }

    /// `stability.json`.
    pub fn to_json(&self, scenario: &Scenario) -> Value {
        let mut all = Map::new();
        all.insert("version".into(), json!(VERSION));
        all.insert("scenario".into(), json!(scenario.name));
        all.insert("hash".into(), json!(scenario.hash));
        all.insert("model".into(), json!(scenario.model.name()));
        match &self.own {
            Ok(own) => {
                let roots: Vec<Root> = own.modes.iter().map(|mode| mode.root).collect();
                all.insert("state".into(), json!(own.system.state));
                all.insert("unstable".into(), json!(unstable(&roots) > 0));
                all.insert("unstable_modes".into(), json!(unstable(&roots)));
                let shown = own.modes.iter().map(|mode| of_mode(mode, &own.system));
                all.insert("modes".into(), shown.collect());
            }
            Err(why) => {
                all.insert("state".into(), Value::Null);
                all.insert("no_state".into(), json!(why));
                all.insert("unstable".into(), Value::Null);
            }
        }
        let critical = |found: &Found| {
            let values: Vec<f64> = found.critical.iter().map(|critical| critical.value).collect();
            (found.range.key.clone(), alone(&values))
        };
        let found = self.found.iter().map(|found| (&found.range.key, &found.unit));
        let varied = self.vary.iter().zip(&self.units).map(|(range, unit)| (&range.key, unit));
        all.insert(
            "units".into(),
            Value::Object(found.chain(varied).map(|(k, unit)| (k.clone(), json!(unit))).collect()),
        );
        let none = self.unanswered.iter().map(|(key, _)| (key.clone(), alone(&[])));
        all.insert("critical".into(), Value::Object(self.found.iter().map(critical).chain(none).collect()));
        let why = self.unanswered.iter().map(|(key, why)| (key.clone(), json!(why)));
        all.insert("unanswered".into(), Value::Object(why.collect()));
        let crossings = |found: &Found| {
            (found.range.key.clone(), found.critical.iter().map(|critical| critical.to_json()).collect())
        };
        all.insert("crossings".into(), Value::Object(self.found.iter().map(crossings).collect()));
        let everywhere = |found: &Found| {
            let whole = found.everywhere.as_ref()?;
            Some((found.range.key.clone(), json!({ "unstable": whole.unstable, "words": whole.words })))
        };
        all.insert("everywhere".into(), Value::Object(self.found.iter().filter_map(everywhere).collect()));
        if !self.vary.is_empty() {
            let keys: Vec<&str> = self.vary.iter().map(|range| range.key.as_str()).collect();
            all.insert("varied".into(), json!(keys));
            all.insert("points".into(), self.points.iter().map(Point::to_json).collect());
        }
        all.insert("doubts".into(), json!(self.doubts));
        Value::Object(all)
    }
}

/// Name of the table of eigenvalues, without ending: of `stability`, and of runs of models that have some.
pub const EIGENVALUES: &str = "eigenvalues";

/// Its columns, behind those of varied keys.
pub const EIGENVALUE_COLUMNS: [&str; 5] =
    ["real [1/s]", "frequency [Hz]", "angular_frequency [1/s]", "damping_ratio", "unstable"];

/// A row of it: σ, ω/2π, ω, −σ/|λ|, and 1 if it grows.
pub fn eigenvalue_row(root: &Root) -> [f64; 5] {
    [
        root.real,
        root.hertz(),
        root.frequency,
        root.damping(),
        f64::from(u8::from(root.tendency() == Tendency::Unstable)),
    ]
}

/// A key's critical value: a number, `null` where there is none, a list of several.
fn alone(values: &[f64]) -> Value {
    match values {
        [] => Value::Null,
        [value] => json!(value),
        several => json!(several),
    }
}

fn of_root(root: &Root) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("real".into(), json!(root.real + 0.0));
    all.insert("frequency".into(), json!(root.hertz()));
    all.insert("angular_frequency".into(), json!(root.frequency));
    all.insert("damping_ratio".into(), json!(root.damping()));
    all.insert("tendency".into(), json!(root.tendency().word()));
    all
}

fn of_mode(mode: &Mode, system: &Linearised) -> Value {
    let mut all = of_root(&mode.root);
    all.insert("residual".into(), json!(mode.residual));
    // JSON has no infinity.
    all.insert("condition".into(), if mode.condition.is_finite() { json!(mode.condition) } else { Value::Null });
    let drawn = mode.drawn(system.positions);
    let part = |(name, [size, phase]): (&String, [f64; 2])| json!({ "name": name, "size": size, "phase_deg": phase.to_degrees() });
    all.insert("shape".into(), system.names.iter().zip(drawn).map(part).collect());
    Value::Object(all)
}
