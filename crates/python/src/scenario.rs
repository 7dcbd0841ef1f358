//! Scenarios.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stickslip::core::signal::Signal;
use stickslip::prelude::{MODELS, Override, Scenario};
use stickslip::run::explain;
use stickslip::sweep::outputs_of;

use crate::border::wait;
use crate::error;

/// Where a scenario comes from.
#[derive(Clone)]
enum Source {
    /// The name of a built-in scenario.
    Builtin(String),
    /// A file.
    File(PathBuf),
    /// A text, with its name in messages and the folder that relative paths start from.
    Text { name: String, text: String, base: PathBuf },
}

impl Source {
    fn read(&self, overrides: &[String]) -> Result<Scenario, stickslip::scenario::Error> {
        let overrides: Vec<Override> = overrides.iter().map(Override::new).collect();
        match self {
            Source::Builtin(name) => MODELS.builtin(name, &overrides),
            Source::File(path) => MODELS.from_file(path, &overrides),
            Source::Text { name, text, base } => MODELS.parse(name, text, base, &overrides),
        }
    }
}

/// A scenario that was read and checked.
#[pyclass(name = "Scenario", module = "stickslip._native", frozen)]
pub struct PyScenario {
    /// The scenario itself.
    pub scenario: Arc<Scenario>,
    source: Source,
    overrides: Vec<String>,
}

impl PyScenario {
    fn read(py: Python<'_>, source: Source, overrides: Vec<String>) -> PyResult<PyScenario> {
        let scenario = Arc::new(PyScenario::scenario(py, &source, &overrides)?);
        Ok(PyScenario { scenario, source, overrides })
    }

    /// Reading may compute the modes of a body, which takes its time.
    fn scenario(py: Python<'_>, source: &Source, overrides: &[String]) -> PyResult<Scenario> {
        let (source, overrides) = (source.clone(), overrides.to_vec());
        wait(py, move |_| source.read(&overrides))?.map_err(|fault| error::scenario(&fault))
    }

    /// The signal that a file would have under a key, from what stands behind it in TOML.
    ///
    /// The scenario is read with it, and with a number in its place that no other signal has: that shows which of its signals it is.
    pub fn signal(&self, py: Python<'_>, key: &str, value: &str) -> PyResult<Signal> {
        let read = |value: &str| {
            let mut overrides = self.overrides.clone();
            overrides.push(format!("{key}={value}"));
            PyScenario::scenario(py, &self.source, &overrides)
        };
        let asked = read(value)?;
        let marked = read(&MARK.to_string())?;
        self.marked(&marked, &asked).cloned().ok_or_else(|| {
            error::SimulationError::new_err(format!(
                "{key} is an input, but no signal of scenario files: set it to a number in SI units"
            ))
        })
    }

    /// The signal of a scenario that stands where another one has the mark.
    fn marked<'a>(&self, marked: &Scenario, of: &'a Scenario) -> Option<&'a Signal> {
        let place = marked.signals.iter().position(|s| matches!(s.signal, Signal::Constant(value) if value == MARK))?;
        (marked.signals.len() == of.signals.len()).then(|| &of.signals[place].signal)
    }
}

/// A number that nobody writes, and that every input takes.
const MARK: f64 = 0.123_456_789_012_345_6;

#[pymethods]
impl PyScenario {
    /// By the name of a built-in scenario, or the path of a file.
    #[staticmethod]
    fn named(py: Python<'_>, name: PathBuf, overrides: Vec<String>) -> PyResult<PyScenario> {
        let builtin = || MODELS.builtins().find(|builtin| name.as_os_str() == builtin.name);
        let source = match builtin() {
            Some(builtin) if !name.is_file() => Source::Builtin(builtin.name.to_string()),
            _ => Source::File(name),
        };
        PyScenario::read(py, source, overrides)
    }

    /// A built-in scenario.
    #[staticmethod]
    fn builtin(py: Python<'_>, name: String, overrides: Vec<String>) -> PyResult<PyScenario> {
        PyScenario::read(py, Source::Builtin(name), overrides)
    }

    /// A file.
    #[staticmethod]
    fn file(py: Python<'_>, path: PathBuf, overrides: Vec<String>) -> PyResult<PyScenario> {
        PyScenario::read(py, Source::File(path), overrides)
    }

    /// A TOML text; relative paths in it start from `base`.
    #[staticmethod]
    fn toml(py: Python<'_>, name: String, text: String, base: PathBuf, overrides: Vec<String>) -> PyResult<PyScenario> {
        PyScenario::read(py, Source::Text { name, text, base }, overrides)
    }

    /// The same with other values.
    fn set(&self, py: Python<'_>, overrides: Vec<String>) -> PyResult<PyScenario> {
        let all = self.overrides.iter().cloned().chain(overrides).collect();
        PyScenario::read(py, self.source.clone(), all)
    }

    /// Path of the file, or name.
    #[getter]
    fn name(&self) -> &str {
        &self.scenario.name
    }

    /// The model's name.
    #[getter]
    fn model(&self) -> &'static str {
        self.scenario.model.name()
    }

    /// One line for reports.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.scenario.title.as_deref()
    }

    /// What happens and what to look at.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.scenario.description.as_deref()
    }

    /// The TOML text after all overrides.
    #[getter]
    fn text(&self) -> &str {
        &self.scenario.text
    }

    /// SHA-256 of the text and of all files that it names.
    #[getter]
    fn hash(&self) -> &str {
        &self.scenario.hash
    }

    /// Simulated time, step [s] and scheme; the first two are 0 for what is solved once.
    #[getter]
    fn run(&self) -> (f64, f64, &'static str) {
        let run = &self.scenario.run;
        (run.duration, run.step, run.scheme.name())
    }

    /// Whether it is simulated in time, and not solved once.
    #[getter]
    fn in_time(&self) -> bool {
        self.scenario.run.duration > 0.0
    }

    /// Files that it names: where its text looks for them, and their bytes.
    fn files<'py>(&self, py: Python<'py>) -> Vec<(String, Bound<'py, PyBytes>)> {
        let inputs = self.scenario.inputs.iter();
        inputs.map(|input| (input.place.clone(), PyBytes::new(py, &input.bytes))).collect()
    }

    /// All outputs that sweeps may ask of its runs: name, unit, meaning.
    fn outputs(&self, py: Python<'_>) -> PyResult<Vec<(String, String, String)>> {
        let scenario = self.scenario.clone();
        let all = wait(py, move |_| outputs_of(&MODELS, &scenario))?.map_err(|fault| error::sweep(&fault))?;
        Ok(all.into_iter().map(|[name, unit, words]| (name, unit, words)).collect())
    }

    /// The name and the text that were read, where that needs no file, and all overrides.
    fn source(&self) -> Option<(String, String, Vec<String>)> {
        let (name, text) = match &self.source {
            Source::Text { name, text, .. } if self.scenario.inputs.is_empty() => (name.clone(), text.clone()),
            Source::Builtin(name) if self.scenario.inputs.is_empty() => {
                (name.clone(), MODELS.builtins().find(|builtin| builtin.name == name)?.text.to_string())
            }
            _ => return None,
        };
        Some((name, text, self.overrides.clone()))
    }

    /// Its equations and the numbers in them.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        let own = Arc::clone(&self.scenario);
        wait(py, move |_| explain(&own))?.map_err(|failure| error::run(&failure))
    }
}

/// The built-in scenarios: model, name and text.
#[pyfunction]
fn scenarios() -> Vec<(&'static str, &'static str, &'static str)> {
    let by_model = MODELS.builtins_by_model();
    by_model.flat_map(|(model, all)| all.iter().map(move |builtin| (model, builtin.name, builtin.text))).collect()
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyScenario>()?;
    module.add_function(wrap_pyfunction!(scenarios, module)?)
}
