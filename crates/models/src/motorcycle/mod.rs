//! A motorcycle in its plane: heave and pitch of any size, wheels that lift and land, brakes that react on the frame.
//!
//! q = (X, Z, φ, θ1, θ2): place of the centre of mass, pitch (nose up > 0), angles of the wheels (rolling forward is θ' < 0).
//!
//! ```text
//! m X'' = ΣT_i,   m Z'' = −m g + ΣN_i,   𝒥 φ'' = Σ[ξ_i N_i − ζ_i T_i − B_i − M_i],   I_i θ_i'' = R_i T_i + B_i + M_i,
//! 0 ≤ N_i ⟂ gap_i ≥ 0,     T_i ∈ −μ_i N_i σ(slip_i),     B_i ∈ −α_i(t) σ(θ_i' − φ')
//! ```
//!
//! Equations, levers and impacts are those of [`stickslip_loads::planar`]; see docs/motorcycle.md.

mod charts;
mod claims;
mod events;
mod file;
mod inputs;
mod measures;
mod model;
mod picture;
mod record;
mod solutions;
mod state;
mod system;

pub use model::KIND;
pub use state::{Landing, MotorcycleState, Several};
pub use system::Motorcycle;

use crate::two_wheels::WHEELS;
use stickslip_loads::planar::{PlanarData, PlanarState, Settings};

/// A motorcycle, how it begins, and what is chosen where there are several solutions or none.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Masses, lengths, torques; front wheel first.
    pub data: PlanarData,
    /// Speed X' at t = 0 [m/s].
    pub speed: f64,
    /// Speeds of the rims R θ' at t = 0 [m/s]; −X' rolls.
    pub rims: [f64; 2],
    /// How to choose.
    pub settings: Settings,
}

impl Parameters {
    /// Place and motion at t = 0: level, on both wheels.
    pub(crate) fn start(&self) -> PlanarState {
        let spin = |i: usize| self.rims[i] / self.data.wheels[i].radius;
        PlanarState { q: [0.0, self.data.height, 0.0, 0.0, 0.0], v: [self.speed, 0.0, 0.0, spin(0), spin(1)] }
    }
}
