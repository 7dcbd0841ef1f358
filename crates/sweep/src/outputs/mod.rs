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
//! | `late.min.x1`, `late.max.x1`, `late.mean.x1` | of the recorded rows of the second half |
//! | `frequency.x1`, `amplitude.x1` | of the strongest line in the spectrum of the second half |
//! | `growth`, `growth_frequency` | of the fastest growing small motion about the steady state; no run is needed for these |
//! | names of varied keys | their values |

mod atom;
pub(crate) mod line;

pub(crate) use atom::{Atom, Catalogue};

use stickslip_core::signal::Formula;
use stickslip_run::{Watch, Watched};

use crate::SweepError;

/// What is computed of each run.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// What the formulas are made of.
    atoms: Vec<Atom>,
    /// The outputs: name, formula.
    formulas: Vec<(String, Formula)>,
    /// The classes: name, condition.
    classes: Vec<(String, Formula)>,
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
            if outputs.formulas.iter().any(|(known, _)| known == name) || ["error", "class"].contains(&name.as_str()) {
                let message = format!("there are two outputs called `{name}`, or it has the name of another column");
                return Err(SweepError::input(message, "give each a name of its own: --output name=formula"));
            }
            let formula = outputs.read(catalogue, text, &format!("output `{name}`"))?;
            outputs.formulas.push((name.clone(), formula));
        }
        for (name, text) in classes {
            let condition = outputs.read(catalogue, text, &format!("class `{name}`"))?;
            outputs.classes.push((name.clone(), condition));
        }
        Ok(outputs)
    }

    fn read(&mut self, catalogue: &Catalogue, text: &str, what: &str) -> Result<Formula, SweepError> {
        let atoms = &mut self.atoms;
        let mut resolve = |name: &str| {
            let atom = catalogue.find(name)?;
            let known = atoms.iter().position(|known| *known == atom);
            Ok(known.unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            }))
        };
        Formula::new(text, &mut resolve).map_err(|error| SweepError::input(format!("{what}: {error}"), error.help()))
    }

    /// What must be looked at in a run.
    pub(crate) fn watch(&self) -> Watch {
        self.atoms.iter().fold(Watch::default(), |watch, atom| atom.needs(watch))
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
        let describe = |(name, formula): &(String, Formula)| {
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
        let line = |(name, formula): &(String, Formula)| format!("{name} = {}\n", formula.text());
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
        self.classes.iter().map(|(name, _)| name.as_str())
    }

    /// The values of all atoms for a run.
    pub(crate) fn atoms(&self, seen: &Seen<'_>, varied: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.atoms.iter().map(|atom| atom.value(seen, varied)));
    }

    /// The outputs from the values of the atoms; NaN for what is missing.
    pub(crate) fn values<'s>(&'s self, atoms: &'s [f64]) -> impl Iterator<Item = (&'s str, f64)> {
        self.formulas.iter().map(|(name, formula)| (name.as_str(), formula.at(atoms)))
    }

    /// The class of a run: the first whose condition holds.
    pub(crate) fn class(&self, atoms: &[f64]) -> Option<&str> {
        let holds = |(_, condition): &&(String, Formula)| {
            let value = condition.at(atoms);
            value.is_finite() && value != 0.0
        };
        self.classes.iter().find(holds).map(|(name, _)| name.as_str())
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
