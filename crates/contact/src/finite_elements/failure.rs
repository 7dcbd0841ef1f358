//! Why a contact of finite elements has no solution.

use stickslip_elastic::{CondenseError, MeshError};

use super::RollError;
use super::surface::SurfaceError;
use crate::case::CaseError;
use crate::error::Error;

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FeError {
    /// The contact cannot be, on half-spaces either.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A body cannot be meshed.
    #[error("body {body}: {error}")]
    Mesh {
        /// 1 or 2.
        body: usize,
        /// Why.
        error: MeshError,
    },
    /// A body cannot be condensed.
    #[error("body {body}: {error}")]
    Condense {
        /// 1 or 2.
        body: usize,
        /// Why.
        error: CondenseError,
    },
    /// The bodies do not fit.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// They do not roll.
    #[error(transparent)]
    Roll(#[from] RollError),
    /// Something that finite elements do not do.
    #[error("{what} is not for finite elements")]
    NotHere {
        /// What it is.
        what: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// A number cannot be.
    #[error("{what} = {value}: {wanted}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// Too many nodes.
    #[error("{across} elements across make about {nodes:.1e} nodes a body: at most {most:.0e} are meshed")]
    TooMany {
        /// Elements across.
        across: usize,
        /// Nodes.
        nodes: f64,
        /// Most.
        most: f64,
    },
    /// The machine has too little memory.
    #[error(
        "{unknowns} unknowns a body need about {:.1} GB of memory, and {:.1} GB are free: take fewer elements across", 1e-9 * needed, 1e-9 * free
    )]
    Memory {
        /// Unknowns of the larger body.
        unknowns: usize,
        /// Bytes needed.
        needed: f64,
        /// Bytes free.
        free: f64,
    },
    /// Steps too long for the structure.
    #[error("steps of {step:.2e} s are too long for a structure of {frequency} Hz: at most {most:.2e} s resolve it")]
    LongStep {
        /// Step \[s\].
        step: f64,
        /// Frequency of the structure \[Hz\].
        frequency: f64,
        /// Longest step \[s\].
        most: f64,
    },
    /// What came out cannot be put on a grid.
    #[error(transparent)]
    Grid(#[from] Error),
}
