//! Arrays that come in and go out. The Python half has made them contiguous and of float64.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A copy of what came in: another thread may write to the array while the interpreter is released.
pub fn copied(array: &PyReadonlyArray1<'_, f64>) -> PyResult<Vec<f64>> {
    let slice = array.as_slice().map_err(|_| PyValueError::new_err("an array is not contiguous"))?;
    Ok(slice.to_vec())
}

/// An array that owns the list, without a copy.
pub fn owned(py: Python<'_>, list: Vec<f64>) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_vec(py, list)
}

/// The same as rows of a table.
pub fn rows(py: Python<'_>, list: Vec<f64>, rows: usize, columns: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    owned(py, list).reshape([rows, columns])
}
