//! Errors as Python exceptions. The classes are written in Python (`stickslip/errors.py`), where they have their attributes.

use std::any::Any;

use pyo3::PyErr;
use pyo3::import_exception;
use stickslip::core::simulation::SimulationError as Core;
use stickslip::run::{FolderError, RunFailure, Scenario};

import_exception!(stickslip.errors, ScenarioError);
import_exception!(stickslip.errors, SimulationError);
import_exception!(stickslip.errors, RunError);
import_exception!(stickslip.errors, SweepError);
import_exception!(stickslip.errors, DatasetError);

/// A scenario that cannot be read: the message as the command prints it, without colours, and its place.
pub fn scenario(error: &stickslip::scenario::Error) -> PyErr {
    let place = error.position();
    // Drawn text is indented as a whole; Python puts the class's name in front of its first line.
    let drawn = stickslip_scenario::drawn::plain(error);
    let drawn = drawn.trim_start_matches([' ', '×']).trim_end().to_string();
    ScenarioError::new_err((
        drawn,
        error.source_name().to_string(),
        place.map(|place| place.line),
        place.map(|place| place.column),
        error.help().map(String::from),
    ))
}

/// A simulation that did not do what was asked.
pub fn simulation(error: &Core) -> PyErr {
    SimulationError::new_err(error.to_string())
}

/// The same of a simulation in motion, with the inputs of extreme size that may have led there.
pub fn simulation_of(error: &Core, scenario: &Scenario) -> PyErr {
    let by_data = matches!(error, Core::System(_) | Core::Overflow { .. });
    match extremes(scenario).filter(|_| by_data) {
        Some(words) => SimulationError::new_err(format!("{error}\n{words}")),
        None => simulation(error),
    }
}

/// A run that left nothing behind, and what to do about it.
pub fn run(failure: &RunFailure) -> PyErr {
    match failure {
        RunFailure::Folder(FolderError::Exists(_)) => RunError::new_err(format!(
            "{failure}\n  help: name another folder, or say force=True to overwrite a run's files in it"
        )),
        other => RunError::new_err(other.to_string()),
    }
}

/// Extreme inputs that a message names.
const NAMED: usize = 3;

/// The same with the inputs of extreme size that may have led there.
pub fn run_of(failure: &RunFailure, scenario: &Scenario) -> PyErr {
    let by_data = matches!(failure, RunFailure::Output(_) | RunFailure::Simulation(_) | RunFailure::Ends { .. });
    match extremes(scenario).filter(|_| by_data) {
        Some(words) => RunError::new_err(format!("{failure}\n{words}")),
        None => run(failure),
    }
}

/// Inputs of extreme size, in words.
fn extremes(scenario: &Scenario) -> Option<String> {
    let all = scenario.extreme_inputs();
    let listed: Vec<String> =
        all.iter().take(NAMED).map(|input| format!("{} = {}", input.key, input.written)).collect();
    (!listed.is_empty()).then(|| format!("  help: the likely cause is an input of extreme size: {}", listed.join(", ")))
}

/// A panic: a fault of ours.
pub fn fault(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    let words = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".into());
    RunError::new_err(format!("a fault of this program, not of what was asked of it ({words}); please report it"))
}

/// Options of the command and what they are in Python; the first that fit are taken.
const OPTIONS: [(&str, &str); 13] = [
    ("`stickslip sweep … --outputs` lists all", "stickslip.outputs(scenario) lists all"),
    ("--output ", "outputs="),
    ("--out", "out="),
    ("--samples", "samples="),
    ("--design", "design="),
    ("--bifurcation COLUMN", "bifurcation={\"column\": …}"),
    ("--spectrum COLUMN", "spectrum={\"column\": …}"),
    ("--vary ", "vary "),
    ("--vary", "vary"),
    ("--find ", "find "),
    ("--set ", "set "),
    ("--class ", "class "),
    ("--let ", "let "),
];

/// Words of the command line as those of Python.
fn in_python(text: &str) -> String {
    OPTIONS.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
}

/// What makes no sense, and what to write instead.
pub fn helped(message: &str, help: Option<&str>) -> PyErr {
    let help = help.map_or(String::new(), |help| format!("\n  help: {}", in_python(help)));
    RunError::new_err(format!("{}{help}", in_python(message)))
}

/// A sweep or a search that makes no sense, or whose files cannot be written.
pub fn sweep(fault: &stickslip::sweep::SweepError) -> PyErr {
    use stickslip::sweep::SweepError as Fault;
    let hint = fault.help().map(in_python);
    match fault {
        Fault::Input { message, .. } => SweepError::new_err((in_python(message), hint)),
        Fault::Located(error) => scenario(error),
        Fault::Files { message, .. } => DatasetError::new_err((in_python(message), hint)),
        Fault::Run(failure) => run(failure),
    }
}
