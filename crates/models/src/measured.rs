//! Measures of scenarios, for claims about them.

use stickslip_run::measure;
use stickslip_scenario::Override;
use stickslip_verify::{Measured, Value};

/// A measure of a built-in scenario with some values changed.
pub(crate) fn measured(scenario: &str, changes: &[&str], name: &str) -> Measured {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    let scenario = crate::MODELS.builtin(scenario, &changes).map_err(|error| error.to_string())?;
    let measures = measure(&scenario).map_err(|error| error.to_string())?;
    measures.value(name).map(Value::Number).ok_or_else(|| format!("the run has no {name}"))
}
