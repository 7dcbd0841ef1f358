//! Runs of whole scenarios: into memory, and into folders.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use stickslip::core::record::Column;
use stickslip::core::scheme::Event;
use stickslip::report::figure::MAP_COLOURS;
use stickslip::report::figure::Strip;
use stickslip::report::palette::{Role, THEME};
use stickslip::run::{Finished, Kept, Options, OutputFolder, RunFailure, Summary, keep};

use crate::border::{compute, wait};
use crate::error;
use crate::scenario::PyScenario;

/// A run in memory.
#[pyclass(name = "Kept", module = "stickslip._native", frozen)]
struct PyKept {
    columns: Vec<Column>,
    /// Python and Rust share these: the lists that the run was recorded into.
    arrays: Vec<Py<PyArray1<f64>>>,
    events: Vec<Event>,
    words: Vec<Option<String>>,
    contacts: Vec<String>,
    strips: Vec<Strip>,
    by_contact: Vec<Strip>,
    summary: Summary,
    early: Option<String>,
}

/// Bands of a strip: its name, and what it does from when to when.
type Bands = (String, Vec<(f64, f64, &'static str)>);

fn bands(strips: &[Strip]) -> Vec<Bands> {
    let told = |strip: &Strip| {
        let bands = strip.bands.iter().map(|band| (band.from, band.to, band.state.word()));
        (strip.contact.clone(), bands.collect())
    };
    strips.iter().map(told).collect()
}

#[pymethods]
impl PyKept {
    /// Name, unit, meaning of every column, and whether it holds whole numbers.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &str, bool)> {
        self.columns.iter().map(|c| (&*c.name, c.unit, &*c.meaning, c.integer)).collect()
    }

    /// The columns.
    #[getter]
    fn arrays(&self, py: Python<'_>) -> Vec<Py<PyArray1<f64>>> {
        self.arrays.iter().map(|array| array.clone_ref(py)).collect()
    }

    /// Changes of contacts: time, contact, from, to, words.
    #[getter]
    fn events(&self) -> Vec<(f64, &str, &'static str, &'static str, &str)> {
        let mut told = Vec::with_capacity(self.events.len());
        for (event, words) in self.events.iter().zip(&self.words) {
            let contact = self.contacts.get(event.contact).map_or("", String::as_str);
            let words = words.as_deref().unwrap_or_default();
            told.push((event.t + 0.0, contact, event.from.name(), event.to.name(), words));
        }
        told
    }

    /// Names of the contacts.
    #[getter]
    fn contacts(&self) -> &[String] {
        &self.contacts
    }

    /// What parts of the model did over time: name, bands of state.
    #[getter]
    fn strips(&self) -> Vec<Bands> {
        bands(&self.strips)
    }

    /// The same of every contact.
    #[getter]
    fn contact_strips(&self) -> Vec<Bands> {
        bands(&self.by_contact)
    }

    /// What the run comes to: name, value, unit, words.
    #[getter]
    fn measures(&self) -> Vec<(&str, f64, &'static str, &str)> {
        self.summary.measures.all.iter().map(|m| (m.name.as_str(), m.value, m.unit, m.words.as_str())).collect()
    }

    /// What makes the run doubtful or void: about what, `warning` or `error`, in words. Without what a study of its step would find.
    #[getter]
    fn warnings(&self) -> Vec<(&'static str, &'static str, &str)> {
        use stickslip::run::trust::Severity;
        let grade = |severity| match severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        self.summary.warnings.iter().map(|w| (w.about, grade(w.severity), w.text.as_str())).collect()
    }

    /// Why it ended before its time.
    #[getter]
    fn early(&self) -> Option<&str> {
        self.early.as_deref()
    }
}

/// Runs a scenario in time and keeps all rows.
#[pyfunction]
fn run_in_memory(py: Python<'_>, scenario: &PyScenario) -> PyResult<PyKept> {
    let own = Arc::clone(&scenario.scenario);
    let kept = wait(py, move |watch| keep(&own, &mut |_| if watch.stop() { Err("stopped".into()) } else { Ok(()) }))?;
    let Kept { columns, values, events, words, strips, contacts, summary, ended, early } =
        kept.map_err(|failure| error::run_of(&failure, &scenario.scenario))?;
    let share = |values: Vec<f64>| {
        let array = PyArray1::from_vec(py, values);
        // Several results may show the same memory: nobody writes to it.
        array.readwrite().make_nonwriteable();
        array.unbind()
    };
    Ok(PyKept {
        columns,
        arrays: values.into_iter().map(share).collect(),
        events,
        words,
        contacts: ended.contacts().iter().map(|name| name.to_string()).collect(),
        strips,
        by_contact: contacts,
        summary,
        early,
    })
}

/// Runs a scenario into a folder, as the command does; says where, and what is told of it line by line.
#[pyfunction]
#[pyo3(signature = (scenario, folder, force=false, study=true))]
fn run_into(py: Python<'_>, scenario: &PyScenario, folder: PathBuf, force: bool, study: bool) -> PyResult<PathBuf> {
    let own = Arc::clone(&scenario.scenario);
    let finished = wait(py, move |watch| {
        let mut folder = OutputFolder::create(&folder, force)?;
        folder.protect(&own)?;
        let options = Options { no_study: !study, ..Options::default() };
        stickslip::run::run(&own, folder, options, &mut |_| watch.or_end())
    })?;
    match finished {
        Ok(Finished { folder, .. }) => Ok(folder),
        Err(failure) => Err(error::run_of(&failure, &scenario.scenario)),
    }
}

/// Colours by name, curves by colour and dashes, values on maps by red, green and blue.
type Palette = (Vec<(&'static str, &'static str)>, Vec<(&'static str, Vec<u8>)>, Vec<(f64, f64, f64)>);

/// The colours of figures by name, on white, those of curves in their order, with lengths of dashes and gaps, and those of values on maps.
#[pyfunction]
fn palette() -> Palette {
    let named = THEME.iter().map(|(name, light, _)| (*name, *light)).collect();
    let curves = Role::DATA.iter().map(|role| (role.colour(), role.dash().to_vec())).collect();
    (named, curves, MAP_COLOURS.iter().map(|[red, green, blue]| (*red, *green, *blue)).collect())
}

/// Runs a scenario into memory as often as asked and gives the seconds that each run took: the yardstick for what Python adds.
#[pyfunction]
fn time_of_runs(py: Python<'_>, scenario: &PyScenario, runs: usize) -> PyResult<Vec<f64>> {
    let own = &scenario.scenario;
    let time = || {
        let begin = std::time::Instant::now();
        keep(own, &mut |_| Ok(())).map(|_| begin.elapsed().as_secs_f64())
    };
    let times: Result<Vec<f64>, RunFailure> = compute(py, |_| (0..runs).map(|_| time()).collect())?;
    times.map_err(|failure| error::run_of(&failure, own))
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyKept>()?;
    module.add_function(wrap_pyfunction!(run_in_memory, module)?)?;
    module.add_function(wrap_pyfunction!(run_into, module)?)?;
    module.add_function(wrap_pyfunction!(palette, module)?)?;
    module.add_function(wrap_pyfunction!(time_of_runs, module)?)
}
