//! The inclusion itself: s = W r + b, −s ∈ N_C(r).

mod data;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::import_exception;
use pyo3::prelude::*;
use stickslip::core::inclusion::nine_regions::TwoIntervals;
use stickslip::core::inclusion::one_disk::AnyBound;
use stickslip::core::inclusion::star::{AnyIntervals, Damped};
use stickslip::core::inclusion::{
    Coupled, Dense, Method, Monotone, Monotonicity, NineRegions, Settings, SolveError, Solved, Solver, Star,
    solve_until,
};
use stickslip::core::law::{Law, Product, Set, State};
use stickslip::linalg::Matrix;

use crate::arrays::{copied, owned};
use crate::border::{Watch, compute, wait};
use crate::law::Named;

use data::Data;

import_exception!(stickslip.inclusion, NotSolved);

/// Up to this many force components the general solver is the first choice: it tells most about the solution.
const SMALL: usize = 200;

/// So many contacts are named in a message.
const LISTED: usize = 6;

/// A solution, from any of the solvers.
struct Found {
    solved: Solved,
    solver: &'static str,
    /// Newton steps, where they are counted.
    iterations: Option<usize>,
    unique: Option<bool>,
    undetermined: Vec<usize>,
}

/// By the general solver, which tells more than the others. Contacts that do not act on each other are solved apart: residuals are relative to what is
/// largest, and what has nothing to do with a contact is no measure for it.
fn general(data: &Data, start: &[f64], tolerance: f64, watch: &Watch) -> PyResult<Found> {
    let parts = data.parts();
    if parts.len() < 2 {
        return one_part(data, start, tolerance, watch);
    }
    let solved = Solved { residual: None, ..Solved::none(&data.c) };
    let mut whole =
        Found { solved, solver: "dense: Newton", iterations: Some(0), unique: Some(true), undetermined: Vec::new() };
    let all: Vec<(&Law, std::ops::Range<usize>)> = data.c.iter().collect();
    for part in parts {
        let at: Vec<usize> = part.iter().flat_map(|&contact| all[contact].1.clone()).collect();
        let own = Data {
            w: Matrix::from_fn(at.len(), at.len(), |i, j| data.w[(at[i], at[j])]),
            b: at.iter().map(|&k| data.b[k]).collect(),
            c: Product::new(part.iter().map(|&contact| *all[contact].0).collect()),
        };
        let begin: Vec<f64> = at.iter().map(|&k| start[k]).collect();
        let found = match one_part(&own, &begin, tolerance, watch) {
            // Its contacts have other numbers in the whole.
            Ok(found) => found,
            Err(error) => {
                let which: Vec<usize> = own.running_away().iter().map(|&contact| part[contact]).collect();
                return Err(if which.is_empty() { error } else { no_solution(&which, None) });
            }
        };
        for (i, &k) in at.iter().enumerate() {
            (whole.solved.r[k], whole.solved.s[k]) = (found.solved.r[i], found.solved.s[i]);
        }
        for (state, &contact) in found.solved.states.iter().zip(&part) {
            whole.solved.states[contact] = *state;
        }
        whole.iterations = whole.iterations.zip(found.iterations).map(|(a, b)| a + b);
        // The part that was most work: Newton, cases, splitting.
        whole.solver =
            [whole.solver, found.solver].into_iter().max_by_key(|name| work_of(name)).unwrap_or(found.solver);
        whole.unique = match (whole.unique, found.unique) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        whole.undetermined.extend(found.undetermined.iter().map(|&contact| part[contact]));
    }
    whole.undetermined.sort_unstable();
    Ok(whole)
}

/// Ways to a solution in the order of their work.
fn work_of(solver: &str) -> usize {
    ["dense: Newton", "dense: cases", "dense: splitting"].iter().position(|name| *name == solver).unwrap_or(0)
}

/// By the general solver, as a whole.
fn one_part(data: &Data, start: &[f64], tolerance: f64, watch: &Watch) -> PyResult<Found> {
    let problem = data.problem();
    let settings = Settings { tolerance, ..Settings::default() };
    let solution = solve_until(&problem, start, &settings, &|| watch.stop()).map_err(|error| failed(data, &error))?;
    let solver = match solution.method {
        Method::Newton => "dense: Newton",
        Method::Cases => "dense: cases",
        Method::Splitting(_) => "dense: splitting",
    };
    let unique = problem.unique(&solution.r, &solution.states);
    let (iterations, undetermined) = (Some(solution.iterations), solution.undetermined);
    let residual = Some(solution.residual.absolute);
    let solved = Solved { r: solution.r, s: solution.s, states: solution.states, residual };
    Ok(Found { solved, solver, iterations, unique, undetermined })
}

/// By a solver that is made for some problems only.
fn special<S: Solver>(data: &Data, start: &[f64]) -> PyResult<Option<Found>> {
    let Some(mut solver) = S::accept(&data.w, &data.c) else { return Ok(None) };
    let start = Solved { r: start.to_vec(), ..Solved::none(&data.c) };
    let solved = solver.solve_from(&data.b, &data.c, &start).map_err(|error| failed(data, &error))?;
    let problem = data.problem();
    if problem.may_have_run_away(&solved.r) && matches!(problem.runaway(), Ok(Some(_))) {
        return Err(failed(data, &SolveError::NoSolution { iterations: 0 }));
    }
    let unique = problem.unique(&solved.r, &solved.states);
    Ok(Some(Found { solved, solver: S::NAME, iterations: None, unique, undetermined: Vec::new() }))
}

/// The names of the solvers, in Python's spelling.
const SOLVERS: [&str; 9] = [
    "dense",
    "monotone",
    "coupled",
    "one-disk",
    "nine-regions",
    "two-intervals",
    "star",
    "star-any-intervals",
    "damped-star",
];

fn by_name(name: Option<&str>, data: &Data, start: &[f64], tolerance: f64, watch: &Watch) -> PyResult<Found> {
    let found = match name {
        None if data.c.dim() > SMALL => match special::<Monotone>(data, start)? {
            Some(found) => Some(found),
            None => Some(general(data, start, tolerance, watch)?),
        },
        None | Some("dense") => Some(general(data, start, tolerance, watch)?),
        Some("monotone") => special::<Monotone>(data, start)?,
        Some("coupled") => special::<Coupled>(data, start)?,
        Some("one-disk") => special::<AnyBound>(data, start)?,
        Some("nine-regions") => special::<NineRegions>(data, start)?,
        Some("two-intervals") => special::<TwoIntervals>(data, start)?,
        Some("star") => special::<Star>(data, start)?,
        Some("star-any-intervals") => special::<AnyIntervals>(data, start)?,
        Some("damped-star") => special::<Damped>(data, start)?,
        Some(other) => {
            let names = SOLVERS.join(", ");
            return Err(PyValueError::new_err(format!("no solver is called {other:?}; there are {names}, or None")));
        }
    };
    found.ok_or_else(|| {
        let name = name.unwrap_or(Dense::NAME);
        let remark = match (name, data.problem().monotonicity()) {
            ("monotone", Monotonicity::None) => "W has negative directions (x·Wx < 0), and it needs a monotone W",
            ("monotone", _) => {
                "it needs contacts of one size, no cones, and a W well above singular (x·Wx ≥ 0.01 of its diagonal)"
            }
            _ => "W or C are not of the form that it is made for",
        };
        PyValueError::new_err(format!("solver {name:?}: {remark}; leave `solver` out to have one chosen"))
    })
}

fn failed(data: &Data, error: &SolveError) -> PyErr {
    match *error {
        SolveError::NotConverged { reached, asked, iterations } => {
            let text = format!("not solved: {error}{}", data.remark());
            NotSolved::new_err((text, Some(reached), Some(asked), Some(iterations)))
        }
        SolveError::NoSolution { iterations } => {
            no_solution(&data.running_away(), (iterations > 0).then_some(iterations))
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Why there is no solution, in words.
fn no_solution(contacts: &[usize], iterations: Option<usize>) -> PyErr {
    let (more, which) = (contacts.len().saturating_sub(LISTED), contacts.iter().take(LISTED));
    let which = which.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let text = format!(
        "no solution: the forces of contacts {which}{more} have no bound, there is a direction in which they make no slip together (W is singular \
         there), and b drives them on in it for ever. Bound them, or change b"
    );
    NotSolved::new_err((text, None::<f64>, None::<f64>, iterations))
}

/// A contact's state: directions have a sign on a line only.
fn state_name(law: &Law, state: &State) -> &'static str {
    match state {
        State::Slip(_) if law.dim() > 1 => "slip",
        _ => state.name(),
    }
}

/// What Python is given: forces, slips, states, residuals, how it was found.
type Told<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Vec<&'static str>,
    (f64, f64),
    Option<usize>,
    &'static str,
    Option<bool>,
    Vec<usize>,
);

/// Solves the inclusion; what comes out is judged once more by what it gives out alone.
#[pyfunction]
fn inclusion_solve<'py>(
    py: Python<'py>,
    w: PyReadonlyArray1<f64>,
    b: PyReadonlyArray1<f64>,
    c: Vec<Named>,
    start: PyReadonlyArray1<f64>,
    tolerance: f64,
    solver: Option<String>,
) -> PyResult<Told<'py>> {
    let (data, start) = (Data::new(&w, &b, &c)?, copied(&start)?);
    if start.len() != data.c.dim() || start.iter().any(|r| !r.is_finite()) {
        return Err(PyValueError::new_err("start must hold one finite force for each component of C"));
    }
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(PyValueError::new_err(format!("tolerance = {tolerance}: it must be above 0 and below 1")));
    }
    let large = data.c.dim() > SMALL;
    let work = move |watch: &Watch| {
        by_name(solver.as_deref(), &data, &start, tolerance, watch).and_then(|found| {
            let problem = data.problem();
            let residual = problem.residual(&found.solved.r);
            match problem.judge(&found.solved, tolerance) {
                Ok(()) => match data.torn(&found.solved) {
                    None => {
                        let states = data.c.iter().zip(&found.solved.states);
                        let states = states.map(|((law, _), state)| state_name(law, state)).collect();
                        Ok((found, states, residual))
                    }
                    Some(_) if matches!(problem.runaway(), Ok(Some(_))) => {
                        Err(failed(&data, &SolveError::NoSolution { iterations: found.iterations.unwrap_or(0) }))
                    }
                    Some(text) => {
                        Err(NotSolved::new_err((text, Some(residual.relative), Some(tolerance), found.iterations)))
                    }
                },
                Err(breach) => {
                    let text = format!("not solved by {:?}: {breach}{}", found.solver, data.remark());
                    Err(NotSolved::new_err((text, Some(residual.relative), Some(tolerance), found.iterations)))
                }
            }
        })
    };
    // Factorisations of large matrices do not look at their watch.
    let (found, states, residual): (Found, Vec<_>, _) = if large { wait(py, work)? } else { compute(py, work)? }?;
    let residual = (residual.absolute, residual.relative);
    let (r, s) = (owned(py, found.solved.r), owned(py, found.solved.s));
    Ok((r, s, states, residual, found.iterations, found.solver, found.unique, found.undetermined))
}

/// The residual of forces r: absolute and relative.
#[pyfunction]
fn inclusion_residual(
    py: Python<'_>,
    w: PyReadonlyArray1<f64>,
    b: PyReadonlyArray1<f64>,
    c: Vec<Named>,
    r: PyReadonlyArray1<f64>,
) -> PyResult<(f64, f64)> {
    let (data, r) = (Data::new(&w, &b, &c)?, copied(&r)?);
    if r.len() != data.c.dim() {
        let (found, wanted) = (r.len(), data.c.dim());
        return Err(PyValueError::new_err(format!("r has {found} entries, and the contacts {wanted} components")));
    }
    let residual = compute(py, |_| data.problem().residual(&r))?;
    Ok((residual.absolute, residual.relative))
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(inclusion_solve, module)?)?;
    module.add_function(wrap_pyfunction!(inclusion_residual, module)?)
}
