//! A run as an object.

use pyo3::prelude::*;

/// Adds what this file holds.
pub fn add(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
