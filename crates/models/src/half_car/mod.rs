//! A half-car on springs: heave and pitch of small size, a road with bumps, tyres that press or leave the ground.
//!
//! ```text
//!            ______G______        z, φ: heave and pitch (nose up > 0) of the body, from the static position
//!           |_____________|
//!        k,c <            < k,c   S_i: what spring and damper push with, beyond what they do at rest
//!          (o) z_2      (o) z_1   z_i: height of a wheel, N_i its load, r_i the height of the road under it
//!   ________k_T__________k_T____ → x
//! ```
//!
//! ```text
//! m_s z'' = ΣS_i,   𝒥 φ'' = Σ x_i S_i − h F,   m_i z_i'' = −S_i + N_i − P_i,   N_i = max(0, P_i − k_Ti (z_i − r_i))
//! ```
//!
//! Equations, energies and steps are those of [`stickslip_loads::half_car`]; see docs/half-car.md.

mod charts;
mod claims;
mod events;
mod file;
mod inputs;
mod measures;
mod model;
mod picture;
mod record;
mod system;

pub use model::KIND;
pub use system::{Car, CarState};

use crate::two_wheels::WHEELS;
use stickslip_loads::half_car::HalfCarData;

/// A half-car as files give it.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Masses, springs, road, brake; front first.
    pub data: HalfCarData,
}
