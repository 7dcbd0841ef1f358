//! The table `[expected]`: what the measures of a run should come to.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::fault::{Fault, listed, nearest, shortened};

/// A measure that runs of a model may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measurable {
    /// Its name, as in `summary.json`.
    pub name: &'static str,
    /// Its SI unit, `1` for pure numbers.
    pub unit: &'static str,
    /// What it is.
    pub words: &'static str,
    /// Whether every wheel, body or contact has its own besides, called `name_of_the_wheel`.
    pub each: bool,
}

impl Measurable {
    /// One for the whole.
    pub const fn whole(name: &'static str, unit: &'static str, words: &'static str) -> Measurable {
        Measurable { name, unit, words, each: false }
    }

    /// One for the whole, and one for every part.
    pub const fn each(name: &'static str, unit: &'static str, words: &'static str) -> Measurable {
        Measurable { name, unit, words, each: true }
    }

    /// Whether a measure of this name is this one, or that of a part.
    pub fn is(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.name);
        rest.is_some_and(|rest| rest.is_empty() || (self.each && rest.len() > 1 && rest.starts_with('_')))
    }
}

/// Takes the table out of a document and checks its names.
pub(crate) fn take(document: &mut DeTable<'_>, known: &[Measurable]) -> Result<Vec<(String, f64)>, Fault> {
    let Some(value) = document.remove("expected") else { return Ok(Vec::new()) };
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        return Err(Fault::new("a table of measures is expected here")
            .help("write [expected] and name = value")
            .at(&span));
    };
    let table = Deserializer::from(Spanned::new(span, table));
    let values = BTreeMap::<String, Spanned<f64>>::deserialize(table).map_err(Fault::from)?;
    let mut expected = Vec::new();
    for (name, value) in values {
        check(&name, *value.get_ref(), known).map_err(|fault| fault.at(&value.span()))?;
        expected.push((name, value.into_inner()));
    }
    Ok(expected)
}

fn check(name: &str, value: f64, known: &[Measurable]) -> Result<(), Fault> {
    if !value.is_finite() {
        return Err(Fault::new("a finite number is expected here").help("write it in SI units, without a unit"));
    }
    if known.iter().any(|measurable| measurable.is(name)) {
        return Ok(());
    }
    let names = || known.iter().map(|measurable| measurable.name);
    let message = format!("runs of this model have no measure `{}`", shortened(name));
    Err(match nearest(name, names()) {
        Some(near) => Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write `{near}`")),
        None => Fault::new(message).help(format!("its measures are {}", listed(names()))),
    })
}

/// The table in the schema of a model's files.
pub(crate) fn schema(known: &[Measurable]) -> Value {
    let property = |measurable: &Measurable| {
        let description = match measurable.unit {
            "1" => measurable.words.to_string(),
            unit => format!("{} [{unit}]", measurable.words),
        };
        (measurable.name.to_string(), json!({ "type": "number", "description": description }))
    };
    let parts = known.iter().filter(|measurable| measurable.each);
    let parts = parts.map(|measurable| (format!("^{}_.+$", measurable.name), property(measurable).1));
    json!({
        "type": "object",
        "description": "What measures of the run should come to, by a closed form or another source, in SI units: shown \
                        beside what came out.",
        "properties": known.iter().map(property).collect::<serde_json::Map<_, _>>(),
        "patternProperties": parts.collect::<serde_json::Map<_, _>>(),
        "additionalProperties": false
    })
}
