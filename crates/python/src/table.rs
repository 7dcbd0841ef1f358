//! Tables of numbers that a run has written, read back: the shortest decimals of the files are the same numbers to the bit.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::border::compute;
use crate::error::RunError;

/// Names and columns.
type Columns = (Vec<String>, Vec<Vec<f64>>);

/// Reads a CSV file of numbers; none where a cell is something else.
fn read(path: &PathBuf) -> Result<Option<Columns>, csv::Error> {
    let mut reader = csv::Reader::from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().map(String::from).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for record in reader.records() {
        let record = record?;
        for (column, cell) in columns.iter_mut().zip(record.iter()) {
            let value = if cell.is_empty() { Ok(f64::NAN) } else { cell.parse() };
            let Ok(value) = value else { return Ok(None) };
            column.push(value);
        }
    }
    Ok(Some((names, columns)))
}

/// The columns of a CSV file of numbers by name; none where it holds anything else.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a table for one caller")]
fn read_numbers(py: Python<'_>, path: PathBuf) -> PyResult<Option<Vec<(String, Py<PyArray1<f64>>)>>> {
    let failed = |reason: csv::Error| RunError::new_err(format!("cannot read {}: {reason}", path.display()));
    let Some((names, columns)) = compute(py, |_| read(&path))?.map_err(failed)? else { return Ok(None) };
    let arrays = columns.into_iter().map(|values| PyArray1::from_vec(py, values).unbind());
    Ok(Some(names.into_iter().zip(arrays).collect()))
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_numbers, module)?)
}
