//! The native half of the Python package `stickslip`: each file is one concern, and adds itself to the module.
//!
//! The other half, `python/stickslip`, is what users see; it holds what is simpler in Python (frames, pictures, dictionaries).

mod arrays;
mod border;
mod contact;
mod error;
mod inclusion;
mod law;
mod run;
mod scenario;
mod simulation;
mod stability;
mod sweep;
mod table;

use pyo3::prelude::*;

/// What the Python half stands on.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    border::add(module)?;
    scenario::add(module)?;
    run::add(module)?;
    simulation::add(module)?;
    stability::add(module)?;
    sweep::add(module)?;
    table::add(module)?;
    law::add(module)?;
    inclusion::add(module)?;
    contact::add(module)?;
    Ok(())
}
