//! Errors as Python exceptions. The classes are written in Python (`stickslip/errors.py`), where they have their attributes.

use pyo3::PyErr;
use pyo3::import_exception;
use stickslip::core::simulation::SimulationError as Core;
use stickslip::run::RunFailure;

import_exception!(stickslip.errors, ScenarioError);
import_exception!(stickslip.errors, SimulationError);
import_exception!(stickslip.errors, RunError);
import_exception!(stickslip.errors, SweepError);
import_exception!(stickslip.errors, DatasetError);

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

/// A sweep or a search that makes no sense, or whose files cannot be written. Words of the command line become those of Python.
pub fn sweep(fault: &stickslip::sweep::SweepError) -> PyErr {
    use stickslip::sweep::SweepError as Fault;
    let words = |text: &str| {
        let options =
            [("--output ", "outputs="), ("--out", "out="), ("--samples", "samples="), ("--design", "design=")];
        let other = [("--vary ", "vary "), ("--class ", "class "), ("--let ", "let ")];
        options.iter().chain(&other).fold(text.to_string(), |text, (from, to)| text.replace(from, to))
    };
    let hint = fault.help().map(words);
    match fault {
        Fault::Input { message, .. } => SweepError::new_err((words(message), hint)),
        Fault::Files { message, .. } => DatasetError::new_err((words(message), hint)),
        Fault::Run(failure) => run(failure),
    }
}
