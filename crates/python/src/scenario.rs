//! Scenarios.

use pyo3::prelude::*;
use stickslip::prelude::{MODELS, Override, Scenario};
use stickslip::run::explain;

use crate::error;

/// A scenario that was read and checked.
#[pyclass(name = "Scenario", module = "stickslip._native", frozen)]
pub struct PyScenario {
    /// The scenario itself.
    pub scenario: Scenario,
}

#[pymethods]
impl PyScenario {
    /// By the name of a built-in scenario, or the path of a file.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str, overrides: Vec<String>) -> PyResult<PyScenario> {
        read(py, || MODELS.from_name_or_path(name, &set(&overrides)))
    }

    /// The TOML text after all overrides.
    #[getter]
    fn text(&self) -> &str {
        &self.scenario.text
    }

    /// Its equations and the numbers in them.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| explain(&self.scenario)).map_err(|failure| error::run(&failure))
    }
}

/// Reads a scenario without holding the interpreter.
fn read(
    py: Python<'_>,
    how: impl FnOnce() -> Result<Scenario, stickslip::scenario::Error> + Send,
) -> PyResult<PyScenario> {
    py.detach(how).map(|scenario| PyScenario { scenario }).map_err(|fault| error::scenario(&fault))
}

fn set(overrides: &[String]) -> Vec<Override> {
    overrides.iter().map(Override::new).collect()
}

/// The built-in scenarios: model, name, title.
#[pyfunction]
fn scenarios() -> Vec<(&'static str, &'static str)> {
    let by_model = MODELS.builtins_by_model();
    by_model.flat_map(|(model, all)| all.iter().map(move |builtin| (model, builtin.name))).collect()
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyScenario>()?;
    module.add_function(wrap_pyfunction!(scenarios, module)?)
}
