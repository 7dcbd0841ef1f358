//! Rolling contact below the scenarios: Hertz, tractions on the half-space, creep forces.

mod creep;
mod rolling;

use pyo3::exceptions::PyValueError;
use pyo3::import_exception;
use pyo3::prelude::*;
use stickslip::contact::carter::tangential_stiffness;
use stickslip::contact::case::{Body, CaseError, Outline, Pressing};
use stickslip::contact::error::Error;
use stickslip::contact::hertz::{Ellipse, HertzError, Radii, Strip};
use stickslip::contact::material::Material;
use stickslip::contact::theory::TheoryError;

import_exception!(stickslip.inclusion, NotSolved);

/// One body: radii along and across [m], Young's modulus [Pa], Poisson's ratio.
type Solid = (f64, f64, f64, f64);

fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn body((x, y, young, poisson): Solid) -> PyResult<Body> {
    let material = Material::from_young(young, poisson).map_err(refused)?;
    Ok(Body { radii: Radii { x, y }, material })
}

/// What presses the bodies together, by name.
fn pressing(name: &str, value: f64) -> PyResult<Pressing> {
    match name {
        "load" => Ok(Pressing::Load(value)),
        "approach" => Ok(Pressing::Approach(value)),
        "load_per_length" => Ok(Pressing::LoadPerLength(value)),
        _ => {
            Err(PyValueError::new_err(format!("bodies are pressed by load, approach or load_per_length, not {name:?}")))
        }
    }
}

/// An error of the exact theory: what did not converge is told with its residual.
fn not_solved(error: &Error, text: String) -> PyErr {
    match *error {
        Error::NoConvergence { residual, tolerance, iterations, .. } => {
            NotSolved::new_err((text, Some(residual), Some(tolerance), Some(iterations)))
        }
        _ => PyValueError::new_err(text),
    }
}

fn of_case(error: &CaseError) -> PyErr {
    match error {
        CaseError::Contact(inner) => not_solved(inner, error.to_string()),
        _ => refused(error),
    }
}

fn of_theory(error: &TheoryError, at: usize) -> PyErr {
    let text = format!("point {at}: {error}");
    match error {
        TheoryError::Exact(inner) => not_solved(inner, text),
        TheoryError::NotConverged { residual, tolerance, iterations, .. } => {
            NotSolved::new_err((text, Some(*residual), Some(*tolerance), Some(*iterations)))
        }
        _ => PyValueError::new_err(text),
    }
}

fn ellipse(first: Body, second: Body, how: Pressing) -> Result<Outline, HertzError> {
    let material = Material::pair(first.material, second.material);
    let [one, two] = [first.radii, second.radii];
    Ok(match how {
        Pressing::Load(load) => Outline::Ellipse(Ellipse::under_load(one, two, material, load)?),
        Pressing::Approach(approach) => Outline::Ellipse(Ellipse::at_approach(one, two, material, approach)?),
        Pressing::LoadPerLength(load) => Outline::Strip(Strip::under_load(one.x, two.x, material, load)?),
    })
}

/// a, b, p₀, approach, load, tangential stiffness along x and across; b, approach and stiffness are none in line contact.
type Told = (f64, Option<f64>, f64, Option<f64>, f64, Option<(f64, f64)>);

fn told(outline: &Outline, material: Material) -> Told {
    match *outline {
        Outline::Ellipse(Ellipse { a, b, p0, approach, load }) => {
            let along = tangential_stiffness(a, b, material);
            (a, Some(b), p0, Some(approach), load, Some((along, tangential_stiffness(b, a, material))))
        }
        Outline::Strip(Strip { a, p0, load, .. }) => (a, None, p0, None, load, None),
    }
}

/// Hertz's contact.
#[pyfunction]
fn contact_hertz(first: Solid, second: Solid, by: &str, value: f64) -> PyResult<Told> {
    let (first, second) = (body(first)?, body(second)?);
    let outline = ellipse(first, second, pressing(by, value)?).map_err(refused)?;
    Ok(told(&outline, Material::pair(first.material, second.material)))
}

/// Both materials as one: shear modulus [Pa], Poisson's ratio, Kalker's difference parameter.
#[pyfunction]
fn contact_material(first: (f64, f64), second: (f64, f64)) -> PyResult<(f64, f64, f64)> {
    let of = |(young, poisson)| Material::from_young(young, poisson).map_err(refused);
    let pair = Material::pair(of(first)?, of(second)?);
    Ok((pair.shear_modulus(), pair.poisson(), pair.difference()))
}

/// Adds what this room holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contact_hertz, module)?)?;
    module.add_function(wrap_pyfunction!(contact_material, module)?)?;
    rolling::add(module)?;
    creep::add(module)
}
