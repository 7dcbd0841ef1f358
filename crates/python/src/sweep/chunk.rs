//! Some points of a sweep on another machine: nothing but what is handed over is needed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stickslip::models::MODELS;
use stickslip::scenario::sweep::Sweep;
use stickslip::sweep::{Manifest, Piece, Plan, Request, Share, SweepError, run_block};

use super::{Asked, Own};
use crate::border::wait;
use crate::error;

/// A file that a scenario names: its place beside the scenario, its bytes.
type File = (String, Vec<u8>);

/// Version, hashes of scenario, points and outputs, and of the files that points name.
type Hashes = (String, String, String, String, BTreeMap<String, String>);

/// What a worker needs but the points.
#[derive(IntoPyObject)]
pub struct Luggage<'py> {
    name: String,
    text: String,
    inputs: Vec<(String, Bound<'py, PyBytes>)>,
    /// With all outputs by name. Of a file of points not the file, which is cut and handed over with the points, but whether one replaces what the
    /// scenario varies.
    request: Asked,
    hashes: Hashes,
}

/// `name`, or `name=formula`.
fn written(list: &[(String, String)]) -> Vec<String> {
    let one = |(name, formula): &(String, String)| {
        if name == formula { name.clone() } else { format!("{name}={formula}") }
    };
    list.iter().map(one).collect()
}

pub(super) fn luggage<'py>(py: Python<'py>, own: &Own) -> Luggage<'py> {
    let Own { scenario, request, asked, manifest, .. } = own;
    let pairs = |list: &[(String, String)]| list.iter().map(|(key, value)| format!("{key}={value}")).collect();
    Luggage {
        name: scenario.name.clone(),
        text: scenario.text.clone(),
        inputs: scenario.inputs.iter().map(|file| (file.place.clone(), PyBytes::new(py, &file.bytes))).collect(),
        request: Asked {
            outputs: written(&asked.outputs),
            classes: pairs(&asked.classes),
            orbits: asked.orbits.clone(),
            points: request.points.as_ref().map(|_| PathBuf::from(TABLE)),
            ..request.clone()
        },
        hashes: (
            manifest.version.clone(),
            manifest.scenario_hash.clone(),
            manifest.points_hash.clone(),
            manifest.outputs_hash.clone(),
            manifest.files.clone(),
        ),
    }
}

/// Name of the file of points in a worker's folder.
const TABLE: &str = "points.csv";

/// What is handed over, read.
struct Chunk {
    name: String,
    text: String,
    inputs: Vec<File>,
    request: Request,
    table: Option<Vec<u8>>,
    hashes: Hashes,
    first: u64,
    at: u64,
    count: usize,
}

/// Runs points of a sweep; their rows as bytes. `at` is the number of the first of them with the table that is handed over.
#[pyfunction]
#[pyo3(signature = (luggage, first, count, at, table=None))]
pub fn run_chunk<'py>(
    py: Python<'py>,
    luggage: &Bound<'py, PyAny>,
    first: u64,
    count: usize,
    at: u64,
    table: Option<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let chunk = Chunk {
        name: luggage.get_item("name")?.extract()?,
        text: luggage.get_item("text")?.extract()?,
        inputs: luggage.get_item("inputs")?.extract()?,
        request: luggage.get_item("request")?.extract::<Asked>()?.into(),
        table,
        hashes: luggage.get_item("hashes")?.extract()?,
        first,
        at,
        count,
    };
    let bytes = wait(py, move |_| chunk.run())?.map_err(|fault| error::sweep(&fault))?;
    Ok(PyBytes::new(py, &bytes))
}

impl Chunk {
    fn run(&self) -> Result<Vec<u8>, SweepError> {
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            SweepError::input(format!("{what}: {error}"), "look at the disk of the worker")
        };
        // Files are read while the scenario is, and points with the plan; then the folder may go.
        let folder = tempfile::tempdir().map_err(|error| failed("no folder for files", &error))?;
        for (place, bytes) in self.inputs.iter().chain(self.table.clone().map(|bytes| (TABLE.into(), bytes)).as_ref()) {
            let path = folder.path().join(place);
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            written.and_then(|()| std::fs::write(&path, bytes)).map_err(|error| failed(place, &error))?;
        }
        let scenario = MODELS
            .parse(&self.name, &self.text, folder.path(), &[])
            .map_err(|error| SweepError::input(error.to_string(), "the worker cannot read what the caller could"))?;
        let (sweep, base) = self.request.of(&scenario)?;
        let (sweep, base) = match self.table {
            Some(_) => (Sweep { points: Some(TABLE.into()), ..sweep }, PathBuf::from(folder.path())),
            None => (sweep, base),
        };
        let plan = Plan::new(&MODELS, &scenario, &sweep, &base)?;
        self.check(&plan)?;
        Ok(Piece { first: self.first, cells: run_block(&plan, self.at, self.count) }.to_bytes())
    }

    /// Whether this is the sweep that the caller means.
    fn check(&self, plan: &Plan<'_>) -> Result<(), SweepError> {
        let own = Manifest::new(plan, Share::ALL);
        let (version, scenario, points, outputs, files) = &self.hashes;
        // A table that was cut is another one; the caller compares the varied values of the rows.
        let points = if self.table.is_some() { own.points_hash.clone() } else { points.clone() };
        // It names some of the files alone.
        let mut files = files.clone();
        files.retain(|name, _| own.files.contains_key(name));
        let asked = Manifest {
            version: version.clone(),
            scenario_hash: scenario.clone(),
            points_hash: points,
            outputs_hash: outputs.clone(),
            files,
            ..own.clone()
        };
        match own.differs(&asked) {
            None => Ok(()),
            Some(words) => Err(SweepError::input(
                format!("the worker has another sweep than the caller: they differ in {words}"),
                "install the same version of stickslip on all workers, and give all the same files",
            )),
        }
    }
}
