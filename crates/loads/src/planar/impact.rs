//! Landings: Moreau's impact without restitution, with friction on impulses.
//!
//! ```text
//! u⁺ = u⁻ + W P,     0 ≤ P_N ⟂ u_N⁺ ≥ 0,     −u_T⁺ ∈ N_[−μ P_N, μ P_N](P_T)
//! ```
//!
//! over all wheels that touch the ground, also the one that carries already. Brakes and motors are bounded and carry no
//! impulse. Energy never rises: E⁻ − E⁺ = ½ ‖q̇⁺ − q̇⁻‖²_M + Σ μ P_N |u_T⁺|.

use serde::{Deserialize, Serialize};

use super::body::{dot, influence, push};
use super::{PlanarBody, PlanarState, WheelMode};
use crate::small;

/// Impulses below this share of m times the speed of approach are none.
const NOTHING: f64 = 1e-12;

/// The impulses of a landing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// P_N of front and rear \[N s\].
    pub normal: [f64; 2],
    /// P_T \[N s\].
    pub tangential: [f64; 2],
    /// What the wheels do on impulses: `Open` leaves the ground, or has not touched it.
    pub modes: [WheelMode; 2],
    /// Energy before and after \[J\].
    pub energy: [f64; 2],
    /// Ẋ and φ̇ before [m/s, rad/s].
    pub before: [f64; 2],
}

/// Impulses N and T of the front wheel, then of the rear wheel.
const IMPULSES: usize = 4;

impl PlanarBody {
    /// The impact of the wheels that touch the ground, and the motion after it. With `collision` false an impulse without a
    /// collision is looked for: one that is not zero although nothing approaches.
    pub(super) fn impact(
        &self,
        state: &PlanarState,
        touches: [bool; 2],
        collision: bool,
    ) -> Option<(Impact, PlanarState)> {
        let candidates = |i: usize| -> &'static [WheelMode] {
            const ALL: [WheelMode; 4] =
                [WheelMode::Stick, WheelMode::Slip(1.0), WheelMode::Slip(-1.0), WheelMode::Open];
            if touches[i] { &ALL } else { &ALL[3..] }
        };
        let before = self.energy(state);
        for front in candidates(0) {
            for rear in candidates(1) {
                let modes = [*front, *rear];
                let Some((impulses, after)) = self.with_modes(state, modes) else { continue };
                let moved = impulses.iter().any(|p| p.abs() > NOTHING * self.data.mass);
                if self.lawful(&impulses, &after, modes, touches) && (collision || moved) {
                    let impact = Impact {
                        normal: [impulses[0], impulses[2]],
                        tangential: [impulses[1], impulses[3]],
                        modes,
                        energy: [before, self.energy(&after)],
                        before: [state.v[0], state.v[2]],
                    };
                    return Some((impact, after));
                }
            }
        }
        None
    }

    fn with_modes(&self, state: &PlanarState, modes: [WheelMode; 2]) -> Option<([f64; IMPULSES], PlanarState)> {
        let mobility = self.mobility();
        let rows = [0, 1].map(|i| self.rows(i, state.q[2]));
        let row = |j: usize| &rows[j / 2][j % 2];
        let mut a = [[0.0; IMPULSES]; IMPULSES];
        let mut b = [0.0; IMPULSES];
        for line in 0..IMPULSES {
            let (i, tangential) = (line / 2, line % 2 == 1);
            match modes[i] {
                WheelMode::Open => a[line][line] = 1.0,
                WheelMode::Slip(side) if tangential => {
                    (a[line][line], a[line][line - 1]) = (1.0, side * self.data.wheels[i].friction);
                }
                _ => {
                    a[line] = std::array::from_fn(|j| influence(row(line), &mobility, row(j)));
                    b[line] = -dot(row(line), &state.v);
                }
            }
        }
        let (impulses, _) = small::solve(a, b)?;
        let mut after = *state;
        for (j, impulse) in impulses.iter().enumerate() {
            push(&mobility, row(j), *impulse, &mut after.v);
        }
        Some((impulses, after))
    }

    fn lawful(
        &self,
        impulses: &[f64; IMPULSES],
        after: &PlanarState,
        modes: [WheelMode; 2],
        touches: [bool; 2],
    ) -> bool {
        let rounding = NOTHING * after.v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        (0..2).all(|i| {
            let [normal, slip, _] = self.slips(i, after);
            let (p_n, p_t) = (impulses[2 * i], impulses[2 * i + 1]);
            match modes[i] {
                WheelMode::Open => !touches[i] || normal >= -rounding,
                WheelMode::Stick => p_n >= 0.0 && p_t.abs() <= self.data.wheels[i].friction * p_n,
                WheelMode::Slip(side) => p_n >= 0.0 && side * slip > 0.0,
            }
        })
    }
}
