//! A wheel with vibration modes on a contact with dry friction: it squeals, or it does not.
//!
//! ```text
//! q̈_k + 2ζ_k ω_k q̇_k + ω_k² q_k = φ_y,k (F_y + μ0 N0) + φ_z,k (N − N0),   v = V s0 + ẏ,   N = N0 (1 + (r − z)/δ0)_+^{3/2}
//! ```
//!
//! Equations, eigenvalues and steps are those of [`stickslip_squeal`]; see docs/squeal.md.

mod charts;
mod claims;
mod doubts;
mod file;
mod listening;
mod measures;
mod model;
mod record;
mod rough;
mod shapes;
mod smooth;
mod sounding;
mod spectra;
mod system;

pub use model::KIND;
pub use system::{Rolling, SquealState};

use std::sync::Arc;

use stickslip_squeal::Wheel;
use stickslip_squeal::body::Built;
use stickslip_squeal::step::Start;

/// A squealing wheel as files give it.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Modes, contact, roughness.
    pub wheel: Wheel,
    /// How it begins.
    pub start: Start,
    /// What was done about the length of the contact and its roughness, in words; none without roughness.
    pub filter: Option<&'static str>,
    /// What finite elements say of a wheel that is given as a body.
    pub built: Option<Arc<Built>>,
    /// Step of the run \[s\]; none from event to event.
    pub step: Option<f64>,
}
