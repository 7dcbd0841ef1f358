//! What is asked for in words, in place of what a scenario's file asks for: the same from a command line and from Python.

use std::path::PathBuf;

use stickslip_run::Scenario;
use stickslip_scenario::sweep::{Axis, Design, Place, Sweep};

use crate::SweepError;
use crate::keys::merged;

/// What is asked for, as it is written. What varies replaces all that the file varies and lets follow, outputs and classes what it asks for;
/// without it, a formula takes the place of that of the file for the same key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// Keys and what they are varied over: `ground.friction=0.2:1:17`.
    pub vary: Vec<String>,
    /// Keys that follow from what is varied: `run.duration=10/v`.
    pub follow: Vec<String>,
    /// Outputs: a name, or `name=formula`.
    pub outputs: Vec<String>,
    /// Classes: `name=condition`.
    pub classes: Vec<String>,
    /// Columns whose orbits at the end tell runs apart: groups found by the program take the place of classes.
    pub orbits: Vec<String>,
    /// How many random samples.
    pub samples: Option<u64>,
    /// Which ones.
    pub seed: Option<u64>,
    /// How they are laid out.
    pub design: Option<String>,
    /// A CSV file of points.
    pub points: Option<PathBuf>,
}

impl Request {
    /// What of the scenario's own sweep is left out although it may be meant, in sentences: formulas of its file, where something else is
    /// varied.
    pub fn left_out(&self, scenario: &Scenario) -> Vec<String> {
        let replaces = !self.vary.is_empty() || self.points.is_some();
        let Some(own) = scenario.sweep.as_ref().filter(|own| replaces && !own.follow.is_empty()) else {
            return Vec::new();
        };
        let asked: Vec<(String, String)> =
            self.follow.iter().filter_map(|text| pair(text, "KEY=FORMULA").ok()).collect();
        // Formulas of the command line count, for their keys.
        let kept = merged(&scenario.text, own.follow.clone(), asked);
        let place = |key: &str| Place::in_text(&scenario.text, key);
        let varied: Vec<Place> = self
            .vary
            .iter()
            .filter_map(|text| pair(text, "KEY=RANGE").ok())
            .filter_map(|(key, _)| place(&key))
            .collect();
        let told = |(key, formula): &(String, String)| {
            let left = format!("{key} = {formula} of [sweep.let] is left out");
            match place(key).is_some_and(|place| varied.iter().any(|varied| varied.meets(&place))) {
                true => format!("{left}, since it is varied here"),
                false => format!(
                    "{left}, since what is varied here replaces all that the file varies and lets follow: {key} is what the file, or --set, \
                     says; --let \"{key}={formula}\" keeps it"
                ),
            }
        };
        own.follow.iter().filter(|own| kept.contains(own)).map(told).collect()
    }

    /// The sweep of a scenario, and the folder from which its paths start.
    pub fn of(&self, scenario: &Scenario) -> Result<(Sweep, PathBuf), SweepError> {
        let mut sweep = scenario.sweep.clone().unwrap_or_default();
        let mut base = scenario.file.as_ref().and_then(|file| file.parent()).map(PathBuf::from).unwrap_or_default();
        let pairs =
            |list: &[String], form: &str| list.iter().map(|text| pair(text, form)).collect::<Result<Vec<_>, _>>();
        if !self.vary.is_empty() || self.points.is_some() {
            (sweep.vary, sweep.follow, sweep.points) = (Vec::new(), Vec::new(), None);
            (sweep.samples, sweep.seed, sweep.design) = (None, None, None);
        }
        for (key, text) in pairs(&self.vary, "KEY=RANGE, such as ground.friction=0.2:1:17")? {
            let axis = Axis::read(&text).map_err(|fault| {
                let help = fault.help.unwrap_or_else(|| "write KEY=A:B:N".into());
                SweepError::input(format!("--vary {key}: {}", fault.message), help)
            })?;
            sweep.vary.push((key, axis));
        }
        if let Some(points) = &self.points {
            (sweep.points, base) = (Some(points.display().to_string()), PathBuf::new());
        }
        if !self.follow.is_empty() {
            sweep.follow = merged(&scenario.text, sweep.follow, pairs(&self.follow, "KEY=FORMULA")?);
        }
        if !self.outputs.is_empty() || !self.classes.is_empty() {
            sweep.outputs = self.outputs.iter().map(|text| named(text)).collect();
            sweep.classes = pairs(&self.classes, "NAME=CONDITION")?;
            (sweep.section, sweep.orbits) = (None, Vec::new());
        }
        if !self.orbits.is_empty() {
            (sweep.orbits, sweep.section) = (self.orbits.clone(), None);
        }
        sweep.samples = self.samples.or(sweep.samples);
        sweep.seed = self.seed.or(sweep.seed);
        if let Some(name) = &self.design {
            let design =
                Design::read(name).map_err(|fault| SweepError::input(fault.message, fault.help.unwrap_or_default()))?;
            sweep.design = Some(design);
        }
        Ok((sweep, base))
    }
}

/// Key and value of `key=value`: divided at the first `=` outside quotation marks. `form` says what to write.
pub fn pair(text: &str, form: &str) -> Result<(String, String), SweepError> {
    let mut quoted = false;
    let at = text.char_indices().find(|(_, sign)| {
        quoted ^= *sign == '"';
        *sign == '=' && !quoted
    });
    match at.map(|(at, _)| (text[..at].trim(), text[at + 1..].trim())) {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key.to_string(), value.to_string())),
        _ => Err(SweepError::input(
            format!("`{text}` is not {}", form.split(',').next().unwrap_or(form)),
            format!("write {form}"),
        )),
    }
}

/// `NAME`, or `NAME=FORMULA`. A comparison is a formula without a name.
pub fn named(text: &str) -> (String, String) {
    match text.split_once('=') {
        Some((name, formula)) if !name.trim_end().ends_with(['<', '>', '!']) && !formula.starts_with('=') => {
            (name.trim().to_string(), formula.trim().to_string())
        }
        _ => (text.trim().to_string(), text.trim().to_string()),
    }
}
