//! Outputs: what is asked of each run, as formulas of what a run comes to.
//!
//! | name | what it is |
//! |---|---|
//! | `stopping_distance`, `period`, … | the measures of the model, by their names |
//! | `end.x1` | an end value, or a column of the last row |
//! | `min.x1`, `max.x1`, `t_min.x1`, `t_max.x1` | extremes of the recorded rows, and when they were first recorded |
//! | `stuck.pad` | share of the time that a contact stuck |
//! | `events`, `first_event`, `last_event` | changes of all contacts |
//! | `events.pad`, `slips.pad`, `sticks.pad` | how often a contact changed, began to slip, came to stick |
//! | `first_slip.pad`, `last_slip.pad`, `first_stick.pad`, `last_stick.pad` | when |
//! | `energy.start`, `energy.stored`, `energy.work`, `energy.dissipated`, `energy.lost`, `energy.closure` | the ledger |
//! | `heat.pad` | energy dissipated in a contact |
//! | `residual`, `steps`, `duration` | worst residual, steps, time at the end |
//! | `late.min.x1`, `late.max.x1`, `late.mean.x1` | of every step of the second half |
//! | `frequency.x1`, `amplitude.x1` | of the strongest line in the spectrum of the second half |
//! | `growth`, `growth_frequency` | of the fastest growing small motion about the steady state; no run is needed for these |
//! | names of varied keys | their values |

mod atom;
mod each;
pub(crate) mod line;

pub(crate) use atom::{Atom, Catalogue};
pub(crate) use each::watch_each;

use stickslip_core::signal::Formula;
use stickslip_run::{Watch, Watched};

use crate::SweepError;

/// What is computed of each run.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// What the formulas are made of.
    atoms: Vec<Atom>,
    /// The outputs.
    formulas: Vec<Own>,
    /// The classes: the formula is a condition.
    classes: Vec<Own>,
}

/// A formula with its name.
#[derive(Debug, Clone)]
struct Own {
    name: String,
    formula: Formula,
    /// Numbers of the atoms in it.
    atoms: Vec<usize>,
}

impl Own {
    /// Its value; NaN where the run lacks something in it. What a run has all of and has no value nevertheless is an error.
    fn value(&self, atoms: &[f64]) -> Result<f64, String> {
        let value = self.formula.at(atoms);
        let missing = self.atoms.iter().any(|atom| atoms.get(*atom).is_none_or(|value| value.is_nan()));
        match value.is_finite() || (value.is_nan() && missing) {
            true => Ok(value),
            false if self.name == self.formula.text() => Err(format!("{} has no value", self.name)),
            false => Err(format!("{} = {} has no value", self.name, self.formula.text())),
        }
    }

    /// Whether a condition holds; what is missing does not. Comparisons are 1 or 0, and sums and products of them whole numbers: others are
    /// no conditions.
    fn holds(&self, atoms: &[f64]) -> Result<bool, String> {
        holds(self.value(atoms)?).map_err(|value| {
            format!("{}: {} is {value}, neither true (1) nor false (0)", self.name, self.formula.text())
        })
    }
}

/// Whether the value of a condition says that it holds; the value where it is none of a condition.
pub(crate) fn holds(value: f64) -> Result<bool, f64> {
    match value {
        value if value.is_nan() => Ok(false),
        value if value >= 0.0 && value.fract() == 0.0 => Ok(value != 0.0),
        value => Err(value),
    }
}

/// What an output is made of, for its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// Its unit; empty where a formula has none that is known.
    pub unit: String,
    /// What it is.
    pub meaning: String,
}

impl Outputs {
    /// Reads formulas; names are looked up in the catalogue.
    pub(crate) fn new(
        catalogue: &Catalogue,
        formulas: &[(String, String)],
        classes: &[(String, String)],
    ) -> Result<Outputs, SweepError> {
        let mut outputs = Outputs { atoms: Vec::new(), formulas: Vec::new(), classes: Vec::new() };
        for (name, text) in formulas {
            nameable("output", name, text)?;
            // That it is both varied and something else is told of what is varied.
            let is_known = catalogue.find(name).is_ok_and(|atom| !matches!(atom, Atom::Varied(_)));
            if name != text && is_known {
                return Err(SweepError::input(
                    format!("`{name}` is an output that runs have, and here another formula has its name"),
                    format!("give the formula a name of its own: --output \"my_{}={text}\"", name.replace('.', "_")),
                ));
            }
            if outputs.formulas.iter().any(|known| known.name == *name) || ["error", "class"].contains(&name.as_str()) {
                let message = format!("there are two outputs called `{name}`, or it has the name of another column");
                return Err(SweepError::input(message, "give each a name of its own: --output name=formula"));
            }
            let (formula, atoms) = outputs.read(catalogue, text, &format!("output `{name}`"))?;
            outputs.formulas.push(Own { name: name.clone(), formula, atoms });
        }
        for (name, text) in classes {
            nameable("class", name, text)?;
            let (formula, atoms) = outputs.read(catalogue, text, &format!("class `{name}`"))?;
            outputs.classes.push(Own { name: name.clone(), formula, atoms });
        }
        Ok(outputs)
    }

    fn read(&mut self, catalogue: &Catalogue, text: &str, what: &str) -> Result<(Formula, Vec<usize>), SweepError> {
        let atoms = &mut self.atoms;
        let mut used = Vec::new();
        let mut resolve = |name: &str| {
            let atom = catalogue.find(name)?;
            let known = atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            });
            used.push(known);
            Ok(known)
        };
        match Formula::new(text, &mut resolve) {
            Ok(formula) => Ok((formula, used)),
            Err(error) => Err(SweepError::input(format!("{what}: {error}"), error.help())),
        }
    }

    /// What must be looked at in a run.
    pub(crate) fn watch(&self) -> Watch {
        self.atoms.iter().fold(Watch::default(), |watch, atom| atom.needs(watch))
    }

    /// Columns of which a line of the spectrum is asked for.
    pub(crate) fn lines(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = self.atoms.iter().filter_map(Atom::line).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Whether the output of this number is a formula of what is varied alone: something to compare runs with.
    pub(crate) fn is_of_varied_alone(&self, number: usize) -> bool {
        let own = self.formulas.get(number).map_or(&[][..], |own| &own.atoms);
        !own.is_empty() && own.iter().all(|atom| matches!(self.atoms.get(*atom), Some(Atom::Varied(_))))
    }

    /// Whether somebody must run the scenario.
    pub(crate) fn needs_a_run(&self) -> bool {
        self.atoms.is_empty() || self.atoms.iter().any(Atom::needs_a_run)
    }

    /// Whether small motions are asked about.
    pub(crate) fn asks_growth(&self) -> bool {
        self.atoms.iter().any(|atom| matches!(atom, Atom::Growth { .. }))
    }

    /// The columns of the outputs.
    pub(crate) fn described(&self, catalogue: &Catalogue) -> Vec<Described> {
        let describe = |Own { name, formula, .. }: &Own| {
            let (unit, meaning) = match catalogue.find(formula.text()) {
                Ok(atom) => catalogue.described(&atom),
                Err(_) => (String::new(), formula.text().to_string()),
            };
            Described { name: name.clone(), unit, meaning }
        };
        self.formulas.iter().map(describe).collect()
    }

    /// Names and formulas, as text: for the hash of a sweep.
    pub fn written(&self) -> String {
        let line = |own: &Own| format!("{} = {}\n", own.name, own.formula.text());
        let outputs: String = self.formulas.iter().map(line).collect();
        let classes: String = self.classes.iter().map(line).collect();
        format!("{outputs}[classes]\n{classes}")
    }

    /// How many outputs there are.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// Names of the classes, in order; empty where runs are not told apart.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|own| own.name.as_str())
    }

    /// The values of all atoms for a run.
    pub(crate) fn atoms(&self, seen: &Seen<'_>, varied: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.atoms.iter().map(|atom| atom.value(seen, varied)));
    }

    /// The outputs from the values of the atoms: NaN for what is missing, and why one has no value.
    pub(crate) fn values<'s>(&'s self, atoms: &'s [f64]) -> impl Iterator<Item = (&'s str, Result<f64, String>)> {
        self.formulas.iter().map(|own| (own.name.as_str(), own.value(atoms)))
    }

    /// The class of a run: the first whose condition holds.
    pub(crate) fn class(&self, atoms: &[f64]) -> Result<Option<&str>, String> {
        for own in &self.classes {
            if own.holds(atoms)? {
                return Ok(Some(&own.name));
            }
        }
        Ok(None)
    }
}

/// Refuses names and formulas of nothing.
fn nameable(what: &str, name: &str, text: &str) -> Result<(), SweepError> {
    let help = || format!("write --{what} NAME=FORMULA");
    match (name.trim().is_empty(), text.trim().is_empty()) {
        (true, true) => Err(SweepError::input(format!("`{what}` without a name and a formula is none"), help())),
        (true, false) => Err(SweepError::input(format!("the {what} `{text}` has an empty name"), help())),
        (false, true) => Err(SweepError::input(format!("the {what} `{name}` has no formula"), help())),
        (false, false) => Ok(()),
    }
}

/// What is known of a point.
pub(crate) struct Seen<'a> {
    /// Its run.
    pub run: Ran<'a>,
    /// Growth \[1/s\] and frequency \[Hz\] of small motions; NaN where nobody asks, or there is no steady state.
    pub growth: [f64; 2],
}

/// What is known of a run.
pub(crate) enum Ran<'a> {
    /// One in time.
    InTime(&'a Watched),
    /// Something that was solved once.
    Once(&'a [stickslip_run::Measure]),
    /// Nobody asks for it.
    Not,
}
