//! The wheel about its steady sliding state as one real matrix: x' = A x + b r, r the height of the roughness.

use stickslip_linalg::Matrix;

use crate::contact::Contact;
use crate::wheel::Wheel;

/// A system about a state: names of its variables, A and b of x' = A x + b r.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearised {
    /// Names of the variables.
    pub names: Vec<String>,
    /// A.
    pub matrix: Matrix,
    /// b: what the height of the roughness does.
    pub roughness: Vec<f64>,
}

/// Why a wheel has no such matrix.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NotLinear {
    /// A patch that sticks in part.
    #[error(
        "at a creepage of {share:.4} of full sliding a part of the contact patch sticks and passes what has happened on with a delay: there is no \
         matrix of finite size. Take a creepage at which it slides as a whole, or look at the growth of a run"
    )]
    Delayed {
        /// s0/s_f.
        share: f64,
    },
    /// Friction with two slopes.
    #[error(
        "the steady slip velocity of {speed} m/s is at a corner of the table of friction, which has two slopes there, {} and {} s/m: small motions \
         are not linear. Move the creepage, or the table, off the corner", slopes[0], slopes[1]
    )]
    Corner {
        /// V s0 [m/s].
        speed: f64,
        /// dμ/dv below and above it [s/m].
        slopes: [f64; 2],
    },
}

impl Wheel {
    /// Names (q of each mode, its rate, the force that lags) and matrix about the steady sliding state:
    ///
    /// ```text
    /// point, patch in full slip:  q̈ = −(Ω² + k φ_zφ_zᵀ − μ0 k φ_yφ_zᵀ) q − (2ZΩ + N0 μ' φ_yφ_yᵀ) q̇ + k (φ_z − μ0 φ_y) r
    /// creep law with lag:         q̈ = −(Ω² + k φ_zφ_zᵀ) q − 2ZΩ q̇ − φ_y T + k φ_z r,   Ṫ = (V/σ)(N0 Γ' ẏ/V + Γ0 k (r − z) − T)
    /// ```
    ///
    /// Without a lag T is no variable: T = N0 Γ' ẏ/V + Γ0 k (r − z).
    pub fn linearise(&self) -> Result<Linearised, NotLinear> {
        if let Some(share) = self.share_of_full_slip().filter(|share| *share < 1.0) {
            return Err(NotLinear::Delayed { share });
        }
        if let Some(slopes) = self.contact.friction().corner(self.slip()) {
            return Err(NotLinear::Corner { speed: self.slip(), slopes });
        }
        let n = self.modes.len();
        let lag = match self.contact {
            Contact::Creep { lag, .. } if lag > 0.0 => Some(lag),
            _ => None,
        };
        let size = 2 * n + usize::from(lag.is_some());
        let (k, mu, load) = (self.spring.stiffness(), self.steady_friction(), self.spring.load);
        // What friction gains with the slip velocity [N s/m].
        let gain = load
            * match &self.contact {
                Contact::Point { friction } | Contact::Patch { friction, .. } => friction.slope(self.slip()),
                Contact::Creep { .. } => self.creep_slope(self.creepage) / self.speed,
            };
        let mut a = Matrix::zeros(size, size);
        let mut b = vec![0.0; size];
        for (i, mode) in self.modes.iter().enumerate() {
            let (y, z, omega) = (mode.lateral, mode.vertical, mode.omega());
            a[(i, n + i)] = 1.0;
            // Across the contact, and along it where friction follows at once.
            let along = if lag.is_some() { 0.0 } else { mu * y };
            b[n + i] = k * (z - along);
            for (j, other) in self.modes.iter().enumerate() {
                a[(n + i, j)] = -k * (z - along) * other.vertical;
                if lag.is_none() {
                    a[(n + i, n + j)] = -gain * y * other.lateral;
                }
            }
            a[(n + i, i)] -= omega * omega;
            a[(n + i, n + i)] -= mode.rate();
            if let Some(lag) = lag {
                let rate = self.speed / lag;
                a[(n + i, 2 * n)] = -y;
                a[(2 * n, i)] = -rate * mu * k * z;
                a[(2 * n, n + i)] = rate * gain * y;
                a[(2 * n, 2 * n)] = -rate;
                b[2 * n] = rate * mu * k;
            }
        }
        let names = self.modes.iter().map(|mode| format!("q_{}", mode.name));
        let rates = self.modes.iter().map(|mode| format!("v_{}", mode.name));
        let names = names.chain(rates).chain(lag.map(|_| "T".to_string())).collect();
        Ok(Linearised { names, matrix: a, roughness: b })
    }
}
