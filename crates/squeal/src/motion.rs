//! Where a wheel is, and what has happened so far.

use serde::{Deserialize, Serialize};

/// What the contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grip {
    /// It sticks: v = 0.0 (a point), or a part of it does (a patch).
    Stick,
    /// It slips, as a whole, towards +y or −y: the sign of v.
    Slip(i8),
    /// Wheel and rail are apart: N = 0.0.
    Open,
}

impl Grip {
    /// Slips with this velocity.
    pub fn slips(v: f64) -> Grip {
        Grip::Slip(if v < 0.0 { -1 } else { 1 })
    }
}

/// Energies so far \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Energies {
    /// Work of the creepage: −∫ F_y V s0 dt.
    pub drive: f64,
    /// Work of the roughness: ∫ N dr.
    pub roughness: f64,
    /// Heat of the contact.
    pub heat: f64,
    /// Lost in the damping of the modes.
    pub damping: f64,
}

/// A wheel in motion: plain data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Modal coordinates, from the steady state [m kg^1/2].
    pub q: Vec<f64>,
    /// Their rates.
    pub p: Vec<f64>,
    /// Force T that lags \[N\]; of a creep law.
    pub lag: f64,
    /// Deflections of the bristles \[m\], from the leading edge; of a patch.
    pub bristles: Vec<f64>,
    /// Slip velocity v [m/s]; exactly 0.0 while a point sticks.
    pub slip: f64,
    /// F_y \[N\].
    pub force: f64,
    /// N \[N\]; exactly 0.0 while apart.
    pub load: f64,
    /// r \[m\].
    pub roughness: f64,
    /// What the contact does.
    pub grip: Grip,
    /// Energies so far.
    pub energies: Energies,
    /// Greatest change of forces in the last iteration of a step so far, over N0.
    pub residual: f64,
    /// Steps in which a slip that began could not be told from one that ended, and the contact was held.
    pub held: u64,
}
