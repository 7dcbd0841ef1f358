//! Errors as Python exceptions. The classes are written in Python (`stickslip/errors.py`), where they have their attributes.

use pyo3::PyErr;
use pyo3::import_exception;
use stickslip::core::simulation::SimulationError as Core;
use stickslip::run::RunFailure;

import_exception!(stickslip.errors, ScenarioError);
import_exception!(stickslip.errors, SimulationError);
import_exception!(stickslip.errors, RunError);

/// A scenario that cannot be read: the message as the command prints it, without colours, and its place.
pub fn scenario(error: &stickslip::scenario::Error) -> PyErr {
    let place = error.position();
    ScenarioError::new_err((
        error.to_string(),
        error.source_name().to_string(),
        place.map(|place| place.line),
        place.map(|place| place.column),
        error.help().map(String::from),
    ))
}

/// A simulation that did not do what was asked.
#[expect(dead_code, reason = "for the object, which comes next")]
pub fn simulation(error: &Core) -> PyErr {
    SimulationError::new_err(error.to_string())
}

/// A run that left nothing behind.
pub fn run(failure: &RunFailure) -> PyErr {
    RunError::new_err(failure.to_string())
}
