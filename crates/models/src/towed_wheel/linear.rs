//! Small motions about straight rolling.
//!
//! Rolling has u = 0, so that the equation of the yaw moment alone, without the ground's force, gives Ω'. To first order in ψ, w
//! and Ω (both forms: what the exact one adds is of second order):
//!
//! ```text
//! ψ' = Ω,      w' = v ψ + LΩ,      J Ω' = −k L w − S v Ω
//! ```

use stickslip_core::analysis::stability::Linearised;
use stickslip_linalg::Matrix;
use stickslip_run::text::number;

use super::TowedWheel;

/// Why a towed wheel has no straight rolling to be linearised about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRolling {
    /// The speed is 0.
    #[error("the towed wheel stands (speed = 0): there is no rolling to look at small motions of; give it a speed")]
    Stands,
    /// The ground gives no force.
    #[error("the ground transmits nothing (friction = 0): the towed wheel cannot roll; give it friction")]
    NoGrip,
}

impl TowedWheel {
    /// Small motions about straight rolling.
    pub fn linearised(&self) -> Result<Linearised, NotRolling> {
        let (p, b) = (&self.parameters, &self.bodies);
        if p.speed == 0.0 {
            return Err(NotRolling::Stands);
        }
        if p.friction == 0.0 {
            return Err(NotRolling::NoGrip);
        }
        let matrix = Matrix::from_rows(&[
            &[0.0, 0.0, 1.0],
            &[p.speed, 0.0, p.length],
            &[0.0, -p.stiffness * p.length / b.inertia, -b.moment * p.speed / b.inertia],
        ]);
        Ok(Linearised {
            names: ["psi [rad]", "w [m]", "Omega [rad/s]"].map(String::from).to_vec(),
            positions: 2,
            matrix,
            state: format!("straight rolling at {} m/s", number(p.speed)),
        })
    }
}
