//! The inclusion itself: s = W r + b, −s ∈ N_C(r).

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::import_exception;
use pyo3::prelude::*;
use stickslip::core::inclusion::nine_regions::TwoIntervals;
use stickslip::core::inclusion::one_disk::AnyBound;
use stickslip::core::inclusion::star::{AnyIntervals, Damped};
use stickslip::core::inclusion::{
    Coupled, Dense, Method, Monotone, Monotonicity, NineRegions, Problem, Settings, SolveError, Solved, Solver, Star,
    solve_until,
};
use stickslip::core::law::{Law, Product, Set, State};
use stickslip::linalg::Matrix;

use crate::arrays::{copied, owned};
use crate::border::{Watch, compute, wait};
use crate::law::{Named, set};

import_exception!(stickslip.inclusion, NotSolved);

/// Up to this many force components the general solver is the first choice: it tells most about the solution.
const SMALL: usize = 200;

/// Slips may be off by this share of what their row is the sum of.
const TORN: f64 = 1e-6;

/// Roundings of each term of a row that its slip may be off by.
const ROUNDINGS: f64 = 16.0;

/// So many contacts are named in a message.
const LISTED: usize = 6;

/// W, b and C as they came from Python.
struct Data {
    w: Matrix,
    b: Vec<f64>,
    c: Product,
}

impl Data {
    fn new(w: &PyReadonlyArray1<f64>, b: &PyReadonlyArray1<f64>, c: &[Named]) -> PyResult<Data> {
        let (w, b) = (copied(w)?, copied(b)?);
        let c = Product::new(c.iter().map(set).collect::<PyResult<_>>()?);
        let n = c.dim();
        if b.len() != n || Some(w.len()) != n.checked_mul(n) {
            let (w, b) = (w.len(), b.len());
            return Err(PyValueError::new_err(format!("W has {w} entries, b {b}, and the contacts {n} components")));
        }
        if let Some(bad) = w.iter().chain(&b).find(|v| !v.is_finite()) {
            return Err(PyValueError::new_err(format!("an entry of W or b is {bad}: all must be finite")));
        }
        Ok(Data { w: Matrix::from_fn(n, n, |i, j| w[i * n + j]), b, c })
    }

    fn problem(&self) -> Problem<'_, Matrix> {
        Problem { w: &self.w, b: &self.b, c: &self.c }
    }

    /// A contact whose force and slip do not obey the law, or a slip that is not W r + b, by what its own rows are the sums of, in words: residuals are
    /// relative to the largest row and the largest force, beside which small ones are lost.
    fn torn(&self, solved: &Solved) -> Option<String> {
        let problem = self.problem();
        let weights = problem.weights();
        let mut slips = vec![0.0; self.b.len()];
        problem.slip(&solved.r, &mut slips);
        let size = |k: usize| -> f64 {
            solved.r.iter().enumerate().map(|(j, r)| (self.w[(k, j)] * r).abs()).sum::<f64>() + self.b[k].abs()
        };
        // What is lost where numbers end is not torn, nor what rounding makes of slips that others of the same body have: the fourth leg of a table that stands on
        // three has a slip that is the rounding of theirs. A slip |b_j| at j goes with a force |b_j|/w_j, which makes |w_kj| |b_j|/w_j at k.
        let lost = |k: usize| {
            let row = self.w.row(k);
            let end = f64::MIN_POSITIVE * row.iter().fold(1.0, |m: f64, w| m.max(w.abs()));
            let forces = |j: usize| solved.r[j].abs() + self.b[j].abs() / weights[j];
            let shared: f64 = row.iter().enumerate().map(|(j, w)| w.abs() * forces(j)).sum();
            end + ROUNDINGS * f64::EPSILON * row.len() as f64 * shared
        };
        let but = "rows of W and b, or forces, differ so much in size that the small ones are lost in rounding. Scale them, or solve contacts \
                   that do not act on each other apart";
        let slip = |k: usize| {
            let off = (slips[k] - solved.s[k]).abs();
            (off > TORN * size(k) + lost(k)).then(|| {
                let (found, told) = (slips[k], solved.s[k]);
                format!("not solved: component {k} has the slip {found:e} and not {told:e}: {but}")
            })
        };
        let mut corrected = slips.clone();
        self.c.correct(&mut corrected);
        let contact = |(contact, (law, at)): (usize, (&Law, std::ops::Range<usize>))| {
            let weight = weights[at.start];
            let mut x = [0.0; 3];
            at.clone().enumerate().for_each(|(k, i)| x[k] = solved.r[i] - corrected[i] / weight);
            law.project(&mut x[..at.len()]);
            let off = at.clone().enumerate().fold(0.0, |m: f64, (k, i)| m.max(weight * (x[k] - solved.r[i]).abs()));
            let most = at.clone().map(|k| TORN * size(k) + lost(k)).sum::<f64>();
            (off > most).then(|| {
                format!("not solved: contact {contact} is off the law by a slip of {off:e}, which is not small in its own rows: {but}")
            })
        };
        (0..self.b.len()).find_map(slip).or_else(|| self.c.iter().enumerate().find_map(contact))
    }

    /// Why there is no solution, in words.
    fn no_solution(&self) -> String {
        let contacts: Vec<String> = match self.problem().runaway() {
            Ok(Some(d)) => {
                let grows = |at: std::ops::Range<usize>| d[at].iter().any(|d| *d != 0.0);
                let which = self.c.iter().enumerate().filter(|(_, (_, at))| grows(at.clone()));
                which.map(|(contact, _)| contact.to_string()).collect()
            }
            _ => Vec::new(),
        };
        let (more, which) = (contacts.len().saturating_sub(LISTED), contacts.iter().take(LISTED));
        let which = which.cloned().collect::<Vec<_>>().join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "no solution: the forces of contacts {which}{more} have no bound, there is a direction in which they make no slip together (W is \
             singular there), and b drives them on in it for ever. Bound them, or change b"
        )
    }

    /// Whether W has negative directions, in words that end a message.
    fn remark(&self) -> &'static str {
        match self.problem().monotonicity() {
            Monotonicity::None => "; W has negative directions (x·Wx < 0), so there may be no solution, or several",
            _ if self.c.has_cones() => "; with cones there may be no solution, or several",
            _ => "",
        }
    }
}

/// A solution, from any of the solvers.
struct Found {
    solved: Solved,
    solver: &'static str,
    /// Newton steps, where they are counted.
    iterations: Option<usize>,
    unique: Option<bool>,
    undetermined: Vec<usize>,
}

/// By the general solver, which tells more than the others.
fn general(data: &Data, start: &[f64], tolerance: f64, watch: &Watch) -> PyResult<Found> {
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
            let counted = (iterations > 0).then_some(iterations);
            NotSolved::new_err((data.no_solution(), None::<f64>, None::<f64>, counted))
        }
        _ => PyValueError::new_err(error.to_string()),
    }
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
