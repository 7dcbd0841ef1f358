//! Vibration: the lowest modes of a body.
//!
//! ```text
//! K φ = ω² M φ,      φᵀ M φ = 1
//! ```
//!
//! K is the stiffness with bricks that bend ([`bending_stiffness`](crate::element::bending_stiffness)), M the consistent mass. The body may be clamped, or float:
//! then its rigid motions come first, with ω = 0.
//!
//! * K + s M, s > 0 small, is positive definite; it is factorised once (`factor.rs`), and blocks of vectors are put
//!   through (K + s M)⁻¹ M (Lanczos's method with shift, in blocks, orthogonalised in full: `lanczos.rs`). Blocks of six hold all rigid
//!   motions of a body, and the pairs that round bodies have.
//! * Each mode is put back into its equation: `residual`.
//! * None is missed: K − σ M, σ just above the highest mode found, has as many negative eigenvalues as modes lie below σ (Sylvester's law
//!   of inertia). These are counted by another factorisation, with pivots of both signs; [`Modes::counted`].

mod factor;
mod lanczos;
mod operator;

use std::f64::consts::TAU;

use crate::condense::CondenseError;
use crate::dissection::Dissection;
use crate::mesh::{Body, MeshError};
use factor::{Factorised, count_below};
use lanczos::Found;
use operator::Operator;

/// Share of E/(ρ L²), L the greatest length of the body, by which K is shifted: well below the lowest mode that bends, well above rounding.
const SHIFT: f64 = 1e-3;

/// Relative distance of ω² within which modes count as one frequency: pairs of round bodies are split by rounding, 1e-12.
const SAME: f64 = 1e-7;

/// How far above the highest mode found it is counted, relative.
const ABOVE: f64 = 1e-6;

/// Rounds of looking for what the count says is missing.
const ROUNDS: usize = 4;

/// Modes at the most.
pub const MOST_MODES: usize = 1000;

/// Which modes are wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// The lowest so many (and the other of a pair, if the last is one of a pair).
    Lowest(usize),
    /// All below this frequency \[Hz\].
    Below(f64),
}

/// A mode of vibration.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// ω² [1/s²]; 0 to rounding for rigid motions.
    pub square: f64,
    /// φ with φᵀMφ = 1 [kg^-1/2] (plane bodies: per metre of width): all nodes, directions of one node next to each other.
    pub shape: Vec<f64>,
    /// |Kφ − ω²Mφ| over |Kφ| + (ω² + s)|Mφ|.
    pub residual: f64,
}

impl Mode {
    /// f = ω/2π \[Hz\].
    pub fn frequency(&self) -> f64 {
        self.square.max(0.0).sqrt() / TAU
    }
}

/// The lowest modes of a body, rising.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// All of them.
    pub modes: Vec<Mode>,
    /// Modes below a frequency just above the highest of them, counted by the inertia of K − σM: as many as were found.
    pub counted: usize,
    /// Static displacement under each load given, all nodes; none for a body that floats.
    pub statics: Vec<Vec<f64>>,
}

/// Why there are no modes.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModesError {
    /// The body cannot be used.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The stiffness is none.
    #[error(transparent)]
    Stiffness(#[from] CondenseError),
    /// Too many.
    #[error("{wanted} modes are asked for: at most {most} can be had of this body")]
    Many {
        /// How many.
        wanted: usize,
        /// How many there are, or are admitted.
        most: usize,
    },
    /// The iteration did not end.
    #[error("{found} of {wanted} modes were found to rounding, and the rest does not settle: is the mesh very uneven?")]
    Unsettled {
        /// Modes that are found.
        found: usize,
        /// Modes that are wanted.
        wanted: usize,
    },
    /// The count does not agree.
    #[error("{counted} modes lie below {frequency} Hz, but {found} were found")]
    Missed {
        /// Counted by the inertia.
        counted: usize,
        /// Found.
        found: usize,
        /// Up to here \[Hz\].
        frequency: f64,
    },
    /// A frequency at which the body vibrates by itself.
    #[error(
        "the modes below {frequency} Hz cannot be counted: that is a mode itself, to rounding; take another frequency"
    )]
    AtMode {
        /// The frequency \[Hz\].
        frequency: f64,
    },
}

/// The lowest modes of a body of this density [kg/m³], and its displacements under static loads (forces on all nodes, directions of one node
/// next to each other), for which it must be held.
pub fn modes(body: &Body, density: f64, wanted: Wanted, loads: &[Vec<f64>]) -> Result<Modes, ModesError> {
    body.check_free()?;
    let number = |what, value: f64, wanted: &str| MeshError::Number { what, value, wanted: wanted.to_string() };
    if !(density > 0.0 && density.is_finite()) {
        return Err(number("density", density, "it must be a finite number > 0").into());
    }
    // No node is left for the end: all are eliminated.
    let body = &Body { contact: Vec::new(), ..body.clone() };
    let dissection = Dissection::new(body);
    let operator = Operator::new(body, density);
    let count = |square: f64| {
        let frequency = square.max(0.0).sqrt() / TAU;
        count_below(body, &dissection, density, square).ok_or(ModesError::AtMode { frequency })
    };
    let mut lowest = match wanted {
        Wanted::Lowest(lowest) => lowest,
        Wanted::Below(frequency) if frequency > 0.0 && frequency.is_finite() => count((TAU * frequency).powi(2))?,
        Wanted::Below(frequency) => return Err(number("frequency", frequency, "it must be a finite number > 0").into()),
    };
    let all = body.freedoms();
    if lowest > MOST_MODES.min(all) {
        return Err(ModesError::Many { wanted: lowest, most: MOST_MODES.min(all) });
    }
    let size = greatest_length(body);
    let shift = SHIFT * body.young / (density * size * size);
    let factorised = Factorised::new(body, &dissection, density, -shift)?;
    let statics = if loads.is_empty() { Vec::new() } else { statics(body, &dissection, density, loads)? };
    for _ in 0..ROUNDS {
        if lowest == 0 {
            return Ok(Modes { modes: Vec::new(), counted: 0, statics });
        }
        let found = lanczos::lowest(&operator, &factorised, lowest, all, SAME)?;
        let highest = found.values.last().map_or(0.0, |theta| 1.0 / theta - shift);
        let counted = count(highest + ABOVE * (highest + shift))?;
        if counted == found.values.len() {
            return Ok(Modes { modes: checked(&operator, &found, shift), counted, statics });
        }
        if counted < found.values.len() {
            let frequency = highest.max(0.0).sqrt() / TAU;
            return Err(ModesError::Missed { counted, found: found.values.len(), frequency });
        }
        lowest = counted;
    }
    Err(ModesError::Unsettled { found: 0, wanted: lowest })
}

/// Displacements under loads.
fn statics(
    body: &Body,
    dissection: &Dissection,
    density: f64,
    loads: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, CondenseError> {
    let held = Factorised::new(body, dissection, density, 0.0)?;
    let mut x: Vec<Vec<f64>> = loads.to_vec();
    held.solve(&mut x);
    Ok(x)
}

/// Modes with their residuals.
fn checked(operator: &Operator<'_>, found: &Found, shift: f64) -> Vec<Mode> {
    let squares = found.values.iter().map(|theta| 1.0 / theta - shift);
    let stiff = operator.stiffness(&found.vectors);
    let heavy: Vec<Vec<f64>> = found.vectors.iter().map(|x| operator.mass(x)).collect();
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    squares
        .zip(&found.vectors)
        .zip(stiff.iter().zip(&heavy))
        .map(|((square, shape), (k, m))| {
            let left: Vec<f64> = k.iter().zip(m).map(|(k, m)| k - square * m).collect();
            let residual = length(&left) / (length(k) + (square.abs() + shift) * length(m));
            Mode { square, shape: shape.clone(), residual }
        })
        .collect()
}

/// The longest side of the box around a body.
fn greatest_length(body: &Body) -> f64 {
    let side = |axis: usize| {
        let places = body.mesh.nodes.iter().map(|node| node[axis]);
        places.clone().fold(f64::NEG_INFINITY, f64::max) - places.fold(f64::INFINITY, f64::min)
    };
    (0..3).map(side).fold(0.0, f64::max)
}
