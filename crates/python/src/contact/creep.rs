//! Creep forces over arrays of creepages.

use std::time::Instant;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stickslip::contact::kalker::Coefficients;
use stickslip::contact::material::Material;
use stickslip::contact::patch::{Creepage, Forces, Friction, Patch};
use stickslip::contact::tangential::{Settings, Transport};
use stickslip::contact::theory::{Fastsim, Kind, Polach, Sampling, Theory, TheoryError};

use super::{of_theory, refused};
use crate::arrays::{copied, owned};
use crate::border::{Watch, compute, wait};

/// So many points of a theory in closed form take less than a millisecond: Python is asked no more often than that.
const CLOSED_FORMS: usize = 1024;

/// A contact area: half-axes a, b [m], load [N], shear modulus [Pa] and Poisson's ratio of the pair, friction (μ, or μ₀, A, B, V of
/// one that falls), Kalker's coefficients if they are given.
#[derive(FromPyObject)]
struct Area {
    a: f64,
    b: f64,
    load: f64,
    shear_modulus: f64,
    poisson: f64,
    friction: Vec<f64>,
    coefficients: Option<[f64; 4]>,
}

impl Area {
    fn patch(&self) -> PyResult<Patch> {
        let material = Material::new(self.shear_modulus, self.poisson).map_err(refused)?;
        let friction = match self.friction[..] {
            [mu] => Friction::constant(mu),
            [mu, ratio, decay, speed] => Friction::falling(mu, ratio, decay, speed),
            _ => return Err(PyValueError::new_err("friction is one number, or four that fall with slip")),
        };
        let patch = Patch::new(self.a, self.b, self.load, material, friction.map_err(refused)?).map_err(refused)?;
        let Some([c11, c22, c23, c33]) = self.coefficients else { return Ok(patch) };
        let fit = |c: f64| c.is_finite() && c > 0.0;
        if ![c11, c22, c23, c33].into_iter().all(fit) {
            return Err(PyValueError::new_err("coefficients (C11, C22, C23, C33) must be finite numbers > 0"));
        }
        Ok(patch.with_coefficients(Coefficients { c11, c22, c23, c33 }))
    }
}

/// What a theory can be told.
#[derive(FromPyObject)]
struct Options {
    elements: Option<usize>,
    order: String,
    tolerance: f64,
    sampling: Option<String>,
    reduction: Option<(f64, f64)>,
}

/// The order of transport by name.
pub fn transport(name: &str) -> PyResult<Transport> {
    match name {
        "edge" => Ok(Transport::Edge),
        "second" => Ok(Transport::Second),
        "first" => Ok(Transport::First),
        _ => Err(PyValueError::new_err(format!("order {name:?}: there are \"edge\", \"second\" and \"first\""))),
    }
}

fn theory(name: &str, options: &Options) -> PyResult<(Kind, Box<dyn Theory>)> {
    let kind = Kind::named(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        PyValueError::new_err(format!("no theory is called {name:?}; there are {names}"))
    })?;
    let only = |given: bool, what: &str, of: Kind| {
        if given && kind != of {
            return Err(PyValueError::new_err(format!("`{what}` is for {:?}, not for {name:?}", of.name())));
        }
        Ok(())
    };
    only(options.sampling.is_some(), "sampling", Kind::Fastsim)?;
    only(options.reduction.is_some(), "reduction", Kind::Polach)?;
    if options.elements.is_some() && kind.elements().is_none() {
        return Err(PyValueError::new_err(format!("`elements`: {name:?} is a closed form and has none")));
    }
    let settings =
        Settings { transport: transport(&options.order)?, tolerance: options.tolerance, ..Settings::default() };
    let n = options.elements.or(kind.usual_elements()).unwrap_or(1);
    let usual = || kind.build(options.elements, settings).map_err(refused);
    let theory: Box<dyn Theory> = match (kind, options.sampling.as_deref(), options.reduction) {
        (Kind::Fastsim, Some("kalker"), _) => {
            // Refuses the same numbers of elements.
            usual()?;
            Box::new(Fastsim::with_sampling(n, n, Sampling::Kalker).map_err(refused)?)
        }
        (Kind::Fastsim, Some(other), _) if other != "centred" => {
            return Err(PyValueError::new_err(format!("sampling {other:?}: there are \"centred\" and \"kalker\"")));
        }
        (Kind::Polach, _, Some((adhesion, slip))) => Box::new(Polach::new(adhesion, slip).map_err(refused)?),
        _ => usual()?,
    };
    Ok((kind, theory))
}

/// Creepages, point after point.
struct Points {
    xi: Vec<f64>,
    eta: Vec<f64>,
    phi: Vec<f64>,
}

impl Points {
    fn new(xi: &PyReadonlyArray1<f64>, eta: &PyReadonlyArray1<f64>, phi: &PyReadonlyArray1<f64>) -> PyResult<Points> {
        let points = Points { xi: copied(xi)?, eta: copied(eta)?, phi: copied(phi)? };
        let n = points.xi.len();
        if points.eta.len() != n || points.phi.len() != n {
            return Err(PyValueError::new_err("xi, eta and phi differ in length"));
        }
        Ok(points)
    }

    fn iter(&self) -> impl Iterator<Item = Creepage> {
        self.xi.iter().zip(&self.eta).zip(&self.phi).map(|((&xi, &eta), &phi)| Creepage { xi, eta, phi })
    }
}

/// Forces, moments and stick shares; the last two where the theory knows them.
#[derive(Default)]
struct Found {
    fx: Vec<f64>,
    fy: Vec<f64>,
    mz: Vec<f64>,
    stick: Vec<f64>,
}

impl Found {
    fn push(&mut self, forces: Forces) {
        self.fx.push(forces.fx);
        self.fy.push(forces.fy);
        self.mz.extend(forces.mz);
        self.stick.extend(forces.stick);
    }

    fn with_room(n: usize) -> Found {
        let room = || Vec::with_capacity(n);
        Found { fx: room(), fy: room(), mz: room(), stick: room() }
    }
}

/// Forces at all points, until the watch says stop.
fn all((kind, mut theory): (Kind, Box<dyn Theory>), patch: &Patch, points: &Points, watch: &Watch) -> PyResult<Found> {
    let each = if kind.elements().is_some() { 1 } else { CLOSED_FORMS };
    let mut found = Found::with_room(points.xi.len());
    for (k, creepage) in points.iter().enumerate() {
        if k % each == 0 && watch.stop() {
            break;
        }
        let forces = theory.forces_watched(patch, creepage, &mut |_| watch.flow());
        found.push(forces.map_err(|error| of_theory(&error, k))?);
    }
    Ok(found)
}

/// What Python is given; none where the theory knows nothing.
type Told<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Option<Bound<'py, PyArray1<f64>>>,
    Option<Bound<'py, PyArray1<f64>>>,
);

/// Forces on body 1 for all points.
#[pyfunction]
fn contact_creep<'py>(
    py: Python<'py>,
    name: &str,
    area: Area,
    xi: PyReadonlyArray1<f64>,
    eta: PyReadonlyArray1<f64>,
    phi: PyReadonlyArray1<f64>,
    options: Options,
) -> PyResult<Told<'py>> {
    let (patch, points) = (area.patch()?, Points::new(&xi, &eta, &phi)?);
    let n = points.xi.len();
    // An iteration of the exact theory takes long on a fine grid.
    let exact = Kind::named(name) == Some(Kind::Exact);
    let name = name.to_string();
    let work = move |watch: &Watch| all(theory(&name, &options)?, &patch, &points, watch);
    let found = if exact { wait(py, work)? } else { compute(py, work)? }?;
    let known = |list: Vec<f64>| (list.len() == n).then(|| owned(py, list));
    Ok((owned(py, found.fx), owned(py, found.fy), known(found.mz), known(found.stick)))
}

/// What a loop in Rust takes for the same points [s], and the sum of its forces: a yardstick for the above.
#[pyfunction]
fn contact_creep_yardstick(
    py: Python<'_>,
    name: &str,
    area: Area,
    xi: PyReadonlyArray1<f64>,
    eta: PyReadonlyArray1<f64>,
    phi: PyReadonlyArray1<f64>,
    options: Options,
) -> PyResult<(f64, f64)> {
    let (patch, points) = (area.patch()?, Points::new(&xi, &eta, &phi)?);
    compute(py, |_| {
        let (_, mut theory) = theory(name, &options)?;
        let start = Instant::now();
        let sum = points
            .iter()
            .try_fold(0.0, |sum, creepage| theory.forces(&patch, creepage).map(|forces| sum + forces.fx + forces.fy));
        let taken = start.elapsed().as_secs_f64();
        sum.map(|sum| (taken, sum)).map_err(|error: TheoryError| of_theory(&error, 0))
    })?
}

/// Kalker's coefficients C11, C22, C23, C33 of an ellipse.
#[pyfunction]
fn contact_kalker(a: f64, b: f64, poisson: f64) -> PyResult<(f64, f64, f64, f64)> {
    let c = Coefficients::new(a, b, poisson).map_err(refused)?;
    Ok((c.c11, c.c22, c.c23, c.c33))
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contact_creep, module)?)?;
    module.add_function(wrap_pyfunction!(contact_creep_yardstick, module)?)?;
    module.add_function(wrap_pyfunction!(contact_kalker, module)?)?;
    module.add("THEORIES", Kind::ALL.map(Kind::name))
}
