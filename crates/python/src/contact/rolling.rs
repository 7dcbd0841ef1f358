//! Tractions of bodies that are shifted, or roll step by step or steadily, on the half-space.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stickslip::contact::case::{Case, Course, Elements, Moment, Outcome};
use stickslip::contact::tangential::{Drive, Motion, Settings, Solution, Status};

use super::creep::transport;
use super::{Solid, body, of_case, pressing, told};
use crate::arrays::{owned, rows};
use crate::border::wait;
use crate::law::coefficient;

/// One contact problem as the Python half writes it down.
#[derive(FromPyObject)]
struct Asked {
    first: Solid,
    second: Solid,
    by: String,
    value: f64,
    friction: (String, Vec<f64>),
    speed: f64,
    course: String,
    /// Creepages ξ, η (or shifts) and φ (or the angle).
    creepage: (f64, f64, f64),
    /// Forces in place of ξ and η.
    force: (Option<f64>, Option<f64>),
    steps: usize,
    along: Option<usize>,
    across: Option<usize>,
    length: Option<f64>,
    width: Option<f64>,
    order: String,
    tolerance: f64,
}

impl Asked {
    fn case(&self) -> PyResult<Case> {
        let drive = |creepage, force: Option<f64>| force.map_or(Drive::Creepage(creepage), Drive::Force);
        let (xi, eta, spin) = self.creepage;
        let motion = Motion { x: drive(xi, self.force.0), y: drive(eta, self.force.1), spin };
        let course = match self.course.as_str() {
            "steady" => Course::Steady(motion),
            "shift" => Course::Shift(motion),
            "transient" | "shifted" => {
                Course::Transient { motion, steps: self.steps, shifted: self.course == "shifted" }
            }
            other => return Err(PyValueError::new_err(format!("no course is called {other:?}"))),
        };
        let settings =
            Settings { transport: transport(&self.order)?, tolerance: self.tolerance, ..Settings::default() };
        Ok(Case {
            bodies: [body(self.first)?, body(self.second)?],
            pressing: pressing(&self.by, self.value)?,
            friction: coefficient(&self.friction.0, &self.friction.1)?,
            speed: self.speed,
            elements: Elements { along: self.along, across: self.across, length: self.length, width: self.width },
            course,
            settings,
        })
    }
}

/// 0 outside, 1 where the surfaces stick, 2 where they slip: CONTACT's numbers.
fn number(status: &Status) -> u8 {
    match status {
        Status::Exterior => 0,
        Status::Stick => 1,
        Status::Slip => 2,
    }
}

/// Fields and totals of a solution.
fn fields(py: Python<'_>, dict: &Bound<'_, PyDict>, solution: Solution) -> PyResult<()> {
    let power = solution.power();
    let grid = solution.grid;
    let table = |list| rows(py, list, grid.ny(), grid.nx());
    dict.set_item("x", owned(py, (0..grid.nx()).map(|i| grid.x(i)).collect()))?;
    dict.set_item("y", owned(py, (0..grid.ny()).map(|j| grid.y(j)).collect()))?;
    dict.set_item("dx", grid.dx())?;
    dict.set_item("dy", grid.dy())?;
    dict.set_item("status", PyArray1::from_vec(py, solution.status.iter().map(number).collect()))?;
    dict.set_item("traction_x", table(solution.traction_x)?)?;
    dict.set_item("traction_y", table(solution.traction_y)?)?;
    dict.set_item("slip_x", table(solution.slip_x)?)?;
    dict.set_item("slip_y", table(solution.slip_y)?)?;
    dict.set_item("slip_ahead", solution.slip_ahead)?;
    dict.set_item("xi", solution.creepage[0])?;
    dict.set_item("eta", solution.creepage[1])?;
    dict.set_item("phi", solution.spin)?;
    dict.set_item("fx", solution.force[0])?;
    dict.set_item("fy", solution.force[1])?;
    dict.set_item("mz", solution.moment)?;
    dict.set_item("limit", solution.limit)?;
    dict.set_item("stick_share", solution.stick_share)?;
    dict.set_item("power", power)?;
    dict.set_item("residual", solution.residual)?;
    dict.set_item("iterations", solution.iterations)
}

/// The steps as columns.
fn history(py: Python<'_>, moments: &[Moment]) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    let column = |of: fn(&Moment) -> f64| owned(py, moments.iter().map(of).collect());
    dict.set_item("distance", column(|m| m.distance))?;
    dict.set_item("xi", column(|m| m.creepage[0]))?;
    dict.set_item("eta", column(|m| m.creepage[1]))?;
    dict.set_item("fx", column(|m| m.force[0]))?;
    dict.set_item("fy", column(|m| m.force[1]))?;
    dict.set_item("stick_share", column(|m| m.stick_share))?;
    dict.set_item("residual", column(|m| m.residual))?;
    dict.set_item("iterations", column(|m| m.iterations as f64))?;
    Ok(dict.unbind())
}

/// Solves a contact: its fields, totals and steps by name.
#[pyfunction]
fn contact_roll(py: Python<'_>, asked: Asked) -> PyResult<Py<PyDict>> {
    let case = asked.case()?;
    case.check().map_err(|error| of_case(&error))?;
    let material = case.material();
    let solved = wait(py, move |watch| case.solve_until(&mut |_| watch.flow()))?;
    let Outcome { contact, outline, solution, history: moments, .. } = solved.map_err(|error| of_case(&error))?;
    let dict = PyDict::new(py);
    let grid = contact.grid();
    dict.set_item("pressure", rows(py, contact.pressure().to_vec(), grid.ny(), grid.nx())?)?;
    dict.set_item("load", contact.load)?;
    dict.set_item("approach", contact.approach)?;
    dict.set_item("normal_residual", contact.residual)?;
    dict.set_item("hertz", told(&outline, material))?;
    dict.set_item("history", history(py, &moments)?)?;
    fields(py, &dict, solution)?;
    Ok(dict.unbind())
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contact_roll, module)?)
}
