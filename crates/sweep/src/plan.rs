//! What is to be done: scenario, points, outputs, checked before anything runs.

use std::path::Path;
use std::sync::Arc;

use stickslip_core::scheme::Grid;
use stickslip_core::signal::Formula;
use stickslip_report::table::dataset::DataColumn;
use stickslip_run::{Instance, Model, Place, Registry, RunFailure, Scenario, Watch, watch};
use stickslip_scenario::sweep::{Axis, KeyPath, Sweep, Template, Value};
use stickslip_scenario::tables::nearest;
use stickslip_scenario::{Input, Scheme};

use crate::keys::{apart, check_follow, check_keys, starts_apart};
use crate::outputs::{Catalogue, Outputs};
use crate::picture::FEATURES;
use crate::{Points, SweepError};

/// A sweep that can be run.
pub struct Plan<'a> {
    /// The scenario that is varied.
    pub scenario: &'a Scenario,
    template: Template<'a, Arc<dyn Model>>,
    points: Points,
    total: u64,
    /// Where each varied value goes; none for variables, which only formulas know.
    keys: Vec<Option<KeyPath>>,
    follow: Vec<(KeyPath, Formula)>,
    outputs: Outputs,
    columns: Vec<DataColumn>,
    catalogue: Catalogue,
    /// Whether the model can step several runs side by side.
    together: bool,
    /// Whether runs are grouped by what they do in the end.
    groups: bool,
    /// Variables that hide something else of their names, in sentences.
    hidden: Vec<String>,
}

impl<'a> Plan<'a> {
    /// Checks a sweep: keys, units, formulas, outputs. Paths are relative to the folder `base`.
    pub fn new(
        registry: &Registry,
        scenario: &'a Scenario,
        sweep: &Sweep,
        base: &Path,
    ) -> Result<Plan<'a>, SweepError> {
        let points = Points::new(sweep, base)?;
        let total = u64::try_from(points.total()).ok().filter(|total| *total < 1 << 52).ok_or_else(|| {
            SweepError::input(
                format!("{:.1e} points are more than can be counted", points.total() as f64),
                "vary fewer keys, or use fewer points; random samples fill many dimensions with few points",
            )
        })?;
        let mut template = registry.template(scenario).map_err(|fault| SweepError::about(&scenario.name, fault))?;
        let names: Vec<String> = points.names().map(String::from).collect();
        let (follow, used) = follow(&sweep.follow, &names)?;
        let keys = keys(&names, &used)?;
        still_used(&names, &used, &sweep.replaced)?;
        let texts = points.texts();
        let of_key = |(name, values): &'_ (String, Vec<String>)| {
            let key = names.iter().position(|known| known == name).and_then(|k| keys[k].as_ref());
            key.map(|key| values.iter().map(move |value| (key, value.clone())).collect::<Vec<_>>()).unwrap_or_default()
        };
        let texts: Vec<(&KeyPath, String)> = texts.iter().flat_map(of_key).collect();
        template.name_files(texts.iter().map(|(key, value)| (*key, value.as_str())));
        let columns = keys.len() - points.axes().len();
        let following: Vec<&KeyPath> = follow.iter().map(|(path, _)| path).collect();
        apart(&template, &scenario.set, (&names, &keys, columns), &following)?;
        // What the command line varies takes the place of all that the file varies.
        let own = scenario.sweep.as_ref().is_some_and(|own| own.vary == sweep.vary);
        check_keys(&template, &points, &keys).map_err(|wrong| wrong.error(own.then_some(scenario)))?;
        let mut plan = Plan {
            scenario,
            template,
            points,
            total,
            keys,
            follow,
            outputs: Outputs::new(&Catalogue::default(), &[], &[])?,
            columns: Vec::new(),
            catalogue: Catalogue::default(),
            together: false,
            groups: !sweep.orbits.is_empty(),
            hidden: Vec::new(),
        };
        let mut values = Vec::new();
        if plan.few().into_iter().all(|index| plan.instance(index, &mut values).is_err()) {
            check_follow(&plan.template, &plan.points, &plan.follow, plan.few())?;
        }
        let varied = plan.varied_columns(&names);
        let instance = plan.first_instance()?;
        let step = Grid { h: instance.run.step, steps: 1 };
        plan.together =
            instance.model.side_by_side(std::slice::from_ref(&instance.model), step).iter().any(Option::is_some);
        plan.catalogue = Catalogue::new(registry, &instance, &varied)?;
        plan.hidden = hidden(&names, &plan.keys, &plan.catalogue);
        let asked = !sweep.outputs.is_empty() || plan.groups;
        let mut usual = if asked { sweep.outputs.clone() } else { plan.usual_outputs() };
        for column in &sweep.orbits {
            usual.extend(FEATURES.map(|word| format!("{word}{column}")).map(|name| (name.clone(), name)));
        }
        plan.outputs = Outputs::new(&plan.catalogue, &usual, &sweep.classes)?;
        plan.columns = plan.all_columns(varied)?;
        Ok(plan)
    }

    /// How many points there are.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// What is computed at each.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The columns of the dataset: what is varied, outputs, class, error.
    pub fn columns(&self) -> &[DataColumn] {
        &self.columns
    }

    /// How many columns are varied values.
    pub fn varied(&self) -> usize {
        self.keys.len()
    }

    /// All outputs that runs of the scenario have: name, unit, meaning.
    pub fn possible_outputs(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.catalogue.all()
    }

    /// Whether points may be stepped side by side: by implicit steps, with outputs that need no rows and no measures.
    pub fn goes_together(&self) -> bool {
        let watch = self.watch();
        self.scenario.run.scheme == Scheme::ImplicitEuler
            && !watch.rows
            && !watch.measures
            && watch.late.is_empty()
            && !self.outputs.asks_growth()
            && self.together
    }

    /// Whether runs are grouped by what they do in the end.
    pub fn groups(&self) -> bool {
        self.groups
    }

    /// The same with every point run alone: for comparison.
    #[must_use]
    pub fn one_by_one(self) -> Plan<'a> {
        Plan { together: false, ..self }
    }

    /// How points are run, in words.
    pub fn way(&self) -> &'static str {
        match self.scenario.run.scheme {
            _ if !self.outputs.needs_a_run() && self.outputs.asks_growth() => "roots of small motions, without runs",
            _ if !self.outputs.needs_a_run() => "formulas of what is varied, without runs",
            _ if self.goes_together() => "runs stepped side by side, several in one instruction",
            Scheme::Events => "each run from event to event",
            _ => "each run by itself",
        }
    }

    /// What must be looked at in each run.
    pub(crate) fn watch(&self) -> Watch {
        self.outputs.watch()
    }

    /// The scenario at a point, and its varied values.
    pub(crate) fn instance(&self, index: u64, values: &mut Vec<Value>) -> Result<Instance, String> {
        self.points.values(index, values);
        self.instance_at(values)
    }

    /// The scenario with these varied values, wherever they come from.
    pub(crate) fn instance_at(&self, values: &[Value]) -> Result<Instance, String> {
        let set = self.settings(values)?;
        finite(&set)?;
        self.template.at(set.iter().map(|(path, value)| (*path, value))).map_err(|fault| fault.message)
    }

    /// The scenario with these varied values, and with further keys set.
    pub(crate) fn instance_from(&self, values: &[Value], more: &[(&KeyPath, Value)]) -> Result<Instance, String> {
        let mut set = self.settings(values)?;
        set.extend(more.iter().cloned());
        finite(&set)?;
        self.template.at(set.iter().map(|(path, value)| (*path, value))).map_err(|fault| fault.message)
    }

    /// Refuses a start whose keys are varied, or follow from what is.
    pub(crate) fn check_start(&self, carry: &[KeyPath]) -> Result<(), SweepError> {
        let varied = self.keys.iter().flatten().chain(self.follow.iter().map(|(path, _)| path));
        starts_apart(&self.template, varied, carry)
    }

    /// The SI unit of a key; empty where nobody knows.
    pub(crate) fn unit_of(&self, key: &KeyPath) -> String {
        self.template.unit(key).unwrap_or_default()
    }

    /// Varied keys where the scenario has a signal or another table, which a number replaces as a whole, and what to vary instead: in
    /// sentences.
    pub fn replaced(&self) -> Vec<String> {
        let keys = self.keys.iter().flatten().chain(self.follow.iter().map(|(key, _)| key));
        let told = |key: &KeyPath| {
            let table = self.template.table_at(key)?;
            let name = key.text();
            let instead = table
                .inside
                .map_or_else(String::new, |inside| format!("; to keep the rest of it, vary {name}.{inside}"));
            Some(match table.signal {
                Some(kind) => format!(
                    "{name} changes with time in the scenario ({kind}), and every run replaces it by a constant{instead}"
                ),
                None => {
                    format!("{name} is a table in the scenario, and every run replaces all of it by a number{instead}")
                }
            })
        };
        keys.filter_map(told).collect()
    }

    /// Variables that hide an output, a constant or a function of their names in all formulas, in sentences.
    pub fn hidden(&self) -> &[String] {
        &self.hidden
    }

    /// What is set at a point: varied keys, and those that follow from them.
    pub fn settings(&self, values: &[Value]) -> Result<Vec<(&KeyPath, Value)>, String> {
        let own = self.keys.iter().zip(values).filter_map(|(key, value)| Some((key.as_ref()?, value.clone())));
        let mut set: Vec<(&KeyPath, Value)> = own.collect();
        if !self.follow.is_empty() {
            let numbers = numbers(values);
            for (path, formula) in &self.follow {
                let value = formula.at(&numbers);
                if !value.is_finite() {
                    return Err(format!("{}: {} has no value here", path.text(), formula.text()));
                }
                set.push((path, Value::Number(value + 0.0)));
            }
        }
        Ok(set)
    }

    /// The arguments `--set key=value` that make a point.
    pub fn arguments(&self, values: &[Value]) -> Vec<String> {
        let set = self.settings(values).unwrap_or_default();
        set.iter().map(|(path, value)| format!("{}={}", path.text(), value.written())).collect()
    }

    /// The files that points name, each as it is written; none of one that could not be read. They are read once, before the first run.
    pub fn named_files(&self) -> impl Iterator<Item = (&str, Option<&Input>)> {
        self.template.named_files()
    }

    /// What follows from what is varied, as text: for the hash.
    pub(crate) fn follow_written(&self) -> String {
        self.follow.iter().map(|(path, formula)| format!("{} = {}\n", path.text(), formula.text())).collect()
    }

    /// The first point that can be built, of a few, or the scenario itself: what outputs there are does not depend on which.
    pub(crate) fn first_instance(&self) -> Result<Instance, SweepError> {
        let mut values = Vec::new();
        for index in self.few() {
            if let Ok(instance) = self.instance(index, &mut values) {
                return Ok(instance);
            }
        }
        self.template.at([]).map_err(|fault| SweepError::about(&self.scenario.name, fault))
    }

    /// First, middle, last.
    fn few(&self) -> [u64; 3] {
        [0, self.total / 2, self.total - 1]
    }

    /// Measures that runs list, where nobody asks for anything; end values where there are none.
    fn usual_outputs(&self) -> Vec<(String, String)> {
        let mut found: Vec<String> = Vec::new();
        let mut values = Vec::new();
        for index in self.few() {
            let Ok(instance) = self.instance(index, &mut values) else { continue };
            let measures = match instance.model.in_time() {
                Ok(model) => {
                    let all = Watch { measures: true, ..Watch::default() };
                    watch(&*model, &instance.run, &instance.output, all).map(|watched| watched.measures)
                }
                Err(RunFailure::Timeless) => instance.model.solve_once(),
                Err(other) => Err(other),
            };
            for measure in measures.unwrap_or_default() {
                let wanted = measure.place != Place::File && measure.value.is_finite();
                if wanted && !found.contains(&measure.name) && self.catalogue.find(&measure.name).is_ok() {
                    found.push(measure.name);
                }
            }
        }
        if found.is_empty() {
            let ends = self.catalogue.all().filter(|(name, ..)| name.starts_with("end."));
            found = ends.map(|(name, ..)| name.to_string()).take(USUAL).collect();
        }
        found.into_iter().map(|name| (name.clone(), name)).collect()
    }

    fn varied_columns(&self, names: &[String]) -> Vec<DataColumn> {
        let mut values = Vec::new();
        self.points.values(0, &mut values);
        let axis = |name: &str| self.points.axes().iter().find(|(key, _)| key == name).map(|(_, axis)| axis);
        let column = |(name, key): (&String, &Option<KeyPath>)| {
            let unit = key.as_ref().and_then(|key| self.template.unit(key));
            let unit = unit.or_else(|| axis(name)?.unit().map(String::from)).unwrap_or_default();
            let text = match axis(name) {
                Some(Axis::List(entries)) => entries.iter().any(|(value, _)| value.number().is_none()),
                Some(_) => false,
                None => self.points.column_is_text(name),
            };
            let meaning = if key.is_some() { "varied key of the scenario" } else { "varied variable" };
            DataColumn {
                name: name.clone(),
                unit: if text { String::new() } else { unit },
                meaning: meaning.into(),
                text,
            }
        };
        names.iter().zip(&self.keys).map(column).collect()
    }

    fn all_columns(&self, mut columns: Vec<DataColumn>) -> Result<Vec<DataColumn>, SweepError> {
        for output in self.outputs.described(&self.catalogue) {
            if columns.iter().any(|column| column.name == output.name) {
                let message = format!("`{}` is both varied and an output", output.name);
                return Err(SweepError::input(message, "what is varied has a column anyway: leave the output out"));
            }
            columns.push(DataColumn { name: output.name, unit: output.unit, meaning: output.meaning, text: false });
        }
        let text = |name: &str, meaning: &str| DataColumn {
            name: name.into(),
            unit: String::new(),
            meaning: meaning.into(),
            text: true,
        };
        if self.outputs.classes().next().is_some() {
            columns.push(text("class", "the first class whose condition holds"));
        }
        columns.push(text(
            "error",
            "why the point has no outputs, or what is wrong with them; after `warning: ` what makes them doubtful",
        ));
        named_once(columns)
    }
}

/// All outputs that runs of a scenario have where nothing is varied: name, unit, meaning.
pub fn outputs_of(registry: &Registry, scenario: &Scenario) -> Result<Vec<[String; 3]>, SweepError> {
    let about = |fault| SweepError::about(&scenario.name, fault);
    let instance = registry.template(scenario).map_err(about)?.at([]).map_err(about)?;
    let catalogue = Catalogue::new(registry, &instance, &[])?;
    Ok(catalogue.all().map(|(name, unit, words)| [name, unit, words].map(String::from)).collect())
}

/// Columns whose names are not taken twice: by a variable and by the dataset itself.
pub(crate) fn named_once(columns: Vec<DataColumn>) -> Result<Vec<DataColumn>, SweepError> {
    let twice = |(k, column): &(usize, &DataColumn)| columns[..*k].iter().any(|other| other.name == column.name);
    match columns.iter().enumerate().find(twice) {
        Some((_, column)) => Err(SweepError::input(
            format!(
                "`{}` is the name of something varied and of a column that the dataset has of its own",
                column.name
            ),
            "call the variable something else",
        )),
        None => Ok(columns),
    }
}

/// Outputs where nobody asks for anything, at the most.
const USUAL: usize = 12;

/// Refuses what is no number: a sample far out, or a ratio beyond the numbers there are.
fn finite(set: &[(&KeyPath, Value)]) -> Result<(), String> {
    let wild = set.iter().find(|(_, value)| value.number().is_some_and(|value| !value.is_finite()));
    wild.map_or(Ok(()), |(path, _)| Err(format!("{}: the value is beyond the greatest number, 1.8e308", path.text())))
}

/// Varied values as numbers; NaN for words.
pub(crate) fn numbers(values: &[Value]) -> Vec<f64> {
    values.iter().map(|value| value.number().unwrap_or(f64::NAN)).collect()
}

/// Variables with names that formulas know already.
fn hidden(names: &[String], keys: &[Option<KeyPath>], catalogue: &Catalogue) -> Vec<String> {
    let told = |(name, key): (&String, &Option<KeyPath>)| {
        let what = match name.as_str() {
            _ if key.is_some() => return None,
            name if catalogue.hidden.iter().any(|hidden| hidden == name) => "an output of the runs",
            name if KNOWN.contains(&name) => "a constant of formulas",
            _ => return None,
        };
        Some(format!(
            "the variable `{name}` hides {what}: in all formulas `{name}` is what is varied; call it something else to have both"
        ))
    };
    names.iter().zip(keys).filter_map(told).collect()
}

/// Constants of formulas.
const KNOWN: [&str; 8] = ["pi", "PI", "π", "tau", "TAU", "τ", "e", "E"];

/// A key and the formula it follows.
pub(crate) type Follow = (KeyPath, Formula);

/// Reads what follows from what is varied; says which names it uses.
fn follow(written: &[(String, String)], names: &[String]) -> Result<(Vec<Follow>, Vec<bool>), SweepError> {
    let mut used = vec![false; names.len()];
    let mut all = Vec::new();
    for (key, text) in written {
        let path = KeyPath::read(key).map_err(|fault| SweepError::about(key, fault))?;
        let mut resolve = |name: &str| match names.iter().position(|known| known == name) {
            Some(number) => {
                used[number] = true;
                Ok(number)
            }
            None => Err((
                format!("`{name}` is not varied"),
                match nearest(name, names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("vary it: --vary {name}=a:b:n"),
                },
            )),
        };
        let formula = Formula::new(text, &mut resolve)
            .map_err(|error| SweepError::input(format!("let {key}: {error}"), error.help()))?;
        all.push((path, formula));
    }
    Ok((all, used))
}

/// Refuses a variable whose only formulas overrides have taken the place of: it would be taken for a key.
fn still_used(names: &[String], used: &[bool], replaced: &[(String, String)]) -> Result<(), SweepError> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    for name in names.iter().zip(used).filter(|(name, used)| !**used && !name.contains('.')).map(|(name, _)| name) {
        if let Some((key, formula)) = replaced.iter().find(|(_, formula)| formula.split(word).any(|part| part == name))
        {
            return Err(SweepError::input(
                format!(
                    "`{name}` is varied, and nothing follows from it any more: {key} = {formula} was replaced by --set"
                ),
                "say what to vary instead: --vary KEY=RANGE replaces all that the file varies",
            ));
        }
    }
    Ok(())
}

/// Names that are keys; a name without dots that a formula uses is a variable.
fn keys(names: &[String], used: &[bool]) -> Result<Vec<Option<KeyPath>>, SweepError> {
    let key = |(name, used): (&String, &bool)| {
        if *used && !name.contains('.') {
            return Ok(None);
        }
        KeyPath::read(name).map(Some).map_err(|fault| SweepError::about(name, fault))
    };
    names.iter().zip(used).map(key).collect()
}
