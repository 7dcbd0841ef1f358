//! Sets of contact forces and coefficients of friction.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stickslip::core::law::{Coefficient, Cone, Curve, Disk, HalfLine, Interval, Law, Set};

use crate::arrays::{copied, owned};
use crate::border::compute;

/// Entries of an array between two looks at the keyboard: well below a millisecond.
const PIECE: usize = 1 << 14;

/// A set as the Python half writes it down: its name and up to two numbers.
pub type Named = (String, f64, f64);

/// The set of this name.
pub fn set((name, first, second): &Named) -> PyResult<Law> {
    let law = match name.as_str() {
        "interval" => Interval::new(*first, *second).map(Law::Interval),
        "disk" => Disk::new(*first).map(Law::Disk),
        "half-line" => Ok(Law::HalfLine(HalfLine)),
        "cone" => Cone::new(*first).map(Law::Cone),
        _ => {
            let names = "interval, disk, half-line, cone";
            return Err(PyValueError::new_err(format!("no set is called {name:?}; there are {names}")));
        }
    };
    law.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The coefficient of friction of this name.
pub fn coefficient(name: &str, numbers: &[f64]) -> PyResult<Coefficient> {
    let refused = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let law = match (name, numbers) {
        ("coulomb", &[mu]) => Coefficient::Constant(mu),
        ("static-kinetic", &[sticking, slipping]) => Coefficient::StaticKinetic { sticking, slipping },
        ("stribeck", &[sticking, slipping, speed, exponent]) => {
            Coefficient::Stribeck { sticking, slipping, speed, exponent }
        }
        ("sech", &[sticking, slipping, alpha]) => Coefficient::Sech { sticking, slipping, alpha },
        ("table", points) => {
            let points: Vec<(f64, f64)> = points.as_chunks::<2>().0.iter().map(|p| (p[0], p[1])).collect();
            Coefficient::Table(Curve::held(&points).map_err(|error| refused(&error))?)
        }
        _ => return Err(PyValueError::new_err(format!("no law of friction {name:?} with {} numbers", numbers.len()))),
    };
    law.check().map_err(|error| refused(&error))?;
    Ok(law)
}

/// Refuses a set that is none; its dimension.
#[pyfunction]
fn set_dim(named: Named) -> PyResult<usize> {
    set(&named).map(|law| law.dim())
}

/// Points of the set nearest to x, point after point.
#[pyfunction]
fn set_project<'py>(py: Python<'py>, named: Named, x: PyReadonlyArray1<f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (law, mut x) = (set(&named)?, copied(&x)?);
    compute(py, |watch| {
        let pieces = x.chunks_mut(PIECE * law.dim()).take_while(|_| !watch.stop());
        pieces.for_each(|piece| piece.chunks_exact_mut(law.dim()).for_each(|x| law.project(x)));
    })?;
    Ok(owned(py, x))
}

/// Support function in directions d, one after the other.
#[pyfunction]
fn set_support<'py>(py: Python<'py>, named: Named, d: PyReadonlyArray1<f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (law, d) = (set(&named)?, copied(&d)?);
    let support = compute(py, |watch| {
        let pieces = d.chunks(PIECE * law.dim()).take_while(|_| !watch.stop());
        pieces.flat_map(|piece| piece.chunks_exact(law.dim()).map(|d| law.support(d))).collect()
    })?;
    Ok(owned(py, support))
}

/// Whether forces lie in the set, one after the other.
#[pyfunction]
fn set_contains(py: Python<'_>, named: Named, r: PyReadonlyArray1<f64>) -> PyResult<Vec<bool>> {
    let (law, r) = (set(&named)?, copied(&r)?);
    let inside = compute(py, |watch| {
        let pieces = r.chunks(PIECE * law.dim()).take_while(|_| !watch.stop());
        pieces.flat_map(|piece| piece.chunks_exact(law.dim()).map(|r| law.contains(r))).collect()
    });
    Ok(inside?)
}

/// Refuses numbers that make no law of friction.
#[pyfunction]
fn friction_check(name: &str, numbers: Vec<f64>) -> PyResult<()> {
    coefficient(name, &numbers).map(|_| ())
}

/// μ at slip speeds.
#[pyfunction]
fn friction_at<'py>(
    py: Python<'py>,
    name: &str,
    numbers: Vec<f64>,
    slip: PyReadonlyArray1<f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (law, mut slip) = (coefficient(name, &numbers)?, copied(&slip)?);
    compute(py, |watch| {
        let pieces = slip.chunks_mut(PIECE).take_while(|_| !watch.stop());
        pieces.for_each(|piece| piece.iter_mut().for_each(|s| *s = law.at(s.abs())));
    })?;
    Ok(owned(py, slip))
}

/// dμ/d|s| at slip speeds other than 0.
#[pyfunction]
fn friction_slope<'py>(
    py: Python<'py>,
    name: &str,
    numbers: Vec<f64>,
    slip: PyReadonlyArray1<f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (law, mut slip) = (coefficient(name, &numbers)?, copied(&slip)?);
    compute(py, |watch| {
        let mut pieces = slip.chunks_mut(PIECE).take_while(|_| !watch.stop());
        pieces.try_for_each(|piece| piece.iter_mut().try_for_each(|s| slope(&law, s.abs()).map(|slope| *s = slope)))
    })??;
    Ok(owned(py, slip))
}

/// dμ/d|s| at one speed.
fn slope(law: &Coefficient, speed: f64) -> PyResult<f64> {
    if speed == 0.0 {
        return Err(PyValueError::new_err("a contact that sticks has no slope: ask at slips other than 0"));
    }
    law.slope(speed).filter(|slope| slope.is_finite()).ok_or_else(|| {
        PyValueError::new_err(format!("the law has a corner at |s| = {speed} m/s, and no slope there: ask beside it"))
    })
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(set_dim, module)?)?;
    module.add_function(wrap_pyfunction!(set_project, module)?)?;
    module.add_function(wrap_pyfunction!(set_support, module)?)?;
    module.add_function(wrap_pyfunction!(set_contains, module)?)?;
    module.add_function(wrap_pyfunction!(friction_check, module)?)?;
    module.add_function(wrap_pyfunction!(friction_at, module)?)?;
    module.add_function(wrap_pyfunction!(friction_slope, module)?)
}
