//! Small motions about the steady state: `stickslip.stability`.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use stickslip::models::MODELS;
use stickslip::run::stability::{StabilityFailure, StabilityOptions, stability};
use stickslip::run::{OutputFolder, RunFailure};
use stickslip::scenario::Interval;

use crate::border::wait;
use crate::error;
use crate::scenario::PyScenario;

/// Keys and their ranges.
fn intervals(what: &str, texts: &[String], counted: bool) -> PyResult<Vec<Interval>> {
    let read = |text: &String| {
        Interval::read(text, counted)
            .map_err(|fault| error::helped(&format!("{what} {}", fault.message), fault.help.as_deref()))
    };
    texts.iter().map(read).collect()
}

/// Looks at the small motions of a scenario and writes what the command writes into a folder; says where.
#[pyfunction]
fn stability_into(
    py: Python<'_>,
    scenario: &PyScenario,
    folder: PathBuf,
    vary: Vec<String>,
    find: Vec<String>,
    threads: Option<usize>,
    force: bool,
) -> PyResult<PathBuf> {
    let options = StabilityOptions {
        vary: intervals("vary", &vary, true)?,
        find: intervals("find", &find, false)?,
        threads: threads.unwrap_or(0),
    };
    let own = Arc::clone(&scenario.scenario);
    let found = wait(py, move |watch| {
        let mut folder = OutputFolder::create(&folder, force).map_err(RunFailure::from)?;
        folder.protect(&own).map_err(RunFailure::from)?;
        stability(&MODELS, &own, &options, folder, &mut |_| watch.or_end())
    })?;
    match found {
        Ok(found) => Ok(found.folder),
        Err(StabilityFailure::Asked { message, help }) => Err(error::helped(&message, Some(&help))),
        Err(StabilityFailure::Run(failure)) => Err(error::run_of(&failure, &scenario.scenario)),
    }
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(stability_into, module)?)
}
