//! The towed wheel: shimmy with rolling, slipping and everything between.
//!
//! ```text
//!                    e2 ↑                       ψ: angle of the bar against the direction of towing
//!            L          │ w                     w: displacement of the pin along e2, spring k
//!   ┌───┐ ───────────── ● ─── → towed with v    Ω = ψ'
//!   │   │   bar, mass m_b     (pin)             u = (u1, u2): slip of the contact point, along and across the bar
//!   └───┘                                       r = (r1, r2): force of the ground on the wheel, |r| ≤ C
//!   wheel, mass m_w, radius R                   e1 points along the bar to the pin, e2 to the left
//! ```
//!
//! The centre of the wheel moves with V1 e1 + u2 e2, V1 = v cosψ (− wΩ in the exact form), u2 = w' − v sinψ − LΩ.
//! With M = m_w + m_b, S = m_b L/2, J = I_z + m_b L²/3 (the bar is a uniform rod):
//!
//! ```text
//! M (u2' + ΩV1) + SΩ' = −k w + r2
//! S (u2' + ΩV1) + JΩ' = −k w L  (+ w N in the exact form, N the pull of the towing vehicle along the bar)
//! u1' = V1' + (R²/I_a) r1
//! ψ'  = Ω,    w' = u2 + v sinψ + LΩ,    r ∈ C · disk,    −u ∈ N(r)
//! ```
//!
//! Source: Antali and Stepan 2017, with the sign of the friction in the equation of Ω put right (docs/towed-wheel.md
//! lists the misprints). Its equations neglect wΩ against v; [`Form::Exact`] keeps it, and with it the lever arm w of
//! the pull N = M (V1' − Ωu2) − SΩ² − r1. For v = 0 the towing vehicle stands: the wheel is then a body on a spring
//! that can swing about its pin and slide, ψ is only its orientation, and nothing can make it shimmy.
//!
//! **Energy** is counted in a frame that runs ahead along the bar with v cosψ: straight rolling has none, and contact
//! forces do work −|r||u| only.
//!
//! ```text
//! E = ½ (I_a/R²)(u1 + wΩ)² + ½ M (u2² + (wΩ)²) + S u2 Ω + ½ J Ω² + ½ k w²        (without wΩ in the small form)
//! E' = v [k w sinψ − Ω((I_a/R²)(u1 + wΩ) + M wΩ) sinψ − Ω (M u2 + SΩ) cosψ] + r·u
//! ```

mod charts;
mod claims;
mod coefficients;
mod file;
mod inputs;
mod kernel;
mod linear;
mod measures;
mod model;
mod parameters;
mod patience;
mod picture;
mod record;
mod smooth;

pub use coefficients::Coefficients;
pub use kernel::{TowedKernel, TowedState};
pub use linear::NotRolling;
pub use model::KIND;
pub use parameters::{Form, Inertia, Parameters, Start, TowedWheelError};

use self::coefficients::Bodies;
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Clock, Dissipation, Ledger, System, SystemError, Uniqueness};

/// The towed wheel, checked.
#[derive(Debug, Clone)]
pub struct TowedWheel {
    parameters: Parameters,
    bodies: Bodies,
    coefficients: Coefficients,
}

/// Name of the only contact.
static CONTACTS: [Name; 1] = [Name::Borrowed("ground")];

impl TowedWheel {
    /// Checks the data and reduces them.
    pub fn new(parameters: Parameters) -> Result<TowedWheel, TowedWheelError> {
        parameters.check()?;
        let p = &parameters;
        let bodies = Bodies::new(p)?;
        let coefficients = bodies.coefficients(p);
        let checked = [("J M − S²", bodies.determinant()), ("R²/I_a", bodies.spin), ("B4 k/m", coefficients.b4)];
        for (what, value) in checked {
            if !value.is_finite() || (value <= 0.0 && what != "B4 k/m") {
                return Err(TowedWheelError::Degenerate { what, value });
            }
        }
        Ok(TowedWheel { parameters, bodies, coefficients })
    }

    /// The data it was made from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// B1 … B5, A1, A2 and what follows from them.
    pub fn coefficients(&self) -> &Coefficients {
        &self.coefficients
    }

    /// (u1', u2', Ω') without contact forces.
    #[inline(always)]
    fn free(&self, form: Form, [sin, cos]: [f64; 2], w: f64, [_, u2, omega]: [f64; 3]) -> [f64; 3] {
        let (p, b) = (&self.parameters, &self.bodies);
        let (along, across) = (p.speed * cos, p.speed * sin);
        match form {
            Form::Small => {
                let pull = -p.stiffness * w;
                let lateral = b.inverse[1] * pull + b.inverse[0] * pull * p.length - omega * along;
                let yaw = b.inverse[2] * pull * p.length + b.inverse[0] * pull;
                [-across * omega, lateral, yaw]
            }
            Form::Exact => {
                let drift = u2 + across + p.length * omega;
                let ahead = along - w * omega;
                let pull = -p.stiffness * w;
                let first = pull - b.mass * omega * ahead;
                let second = pull * p.length
                    - b.moment * omega * ahead
                    - w * omega * (b.mass * (across + drift + u2) + b.moment * omega);
                let [cross, one, two] = b.inverse_at(w);
                let yaw = cross * first + two * second;
                [-omega * (across + drift) - w * yaw, one * first + cross * second, yaw]
            }
        }
    }

    /// Adds what the contact force r changes in (u1', u2', Ω').
    #[inline(always)]
    fn pushed(&self, form: Form, w: f64, [r1, r2]: [f64; 2], y: &mut [f64]) {
        let b = &self.bodies;
        match form {
            Form::Small => {
                y[0] += b.spin * r1;
                y[1] += b.inverse[1] * r2;
                y[2] += b.inverse[0] * r2;
            }
            Form::Exact => {
                let [cross, one, two] = b.inverse_at(w);
                let yaw = cross * r2 - two * w * r1;
                y[0] += b.spin * r1 - w * yaw;
                y[1] += one * r2 - cross * w * r1;
                y[2] += yaw;
            }
        }
    }

    /// W = [[w11, w12], [w12, w22]]: slip rates per contact force [1/kg].
    #[inline(always)]
    fn influence_at(&self, form: Form, w: f64) -> [f64; 3] {
        let b = &self.bodies;
        match form {
            Form::Small => [b.spin, 0.0, b.inverse[1]],
            Form::Exact => {
                let [cross, one, two] = b.inverse_at(w);
                [b.spin + w * w * two, -w * cross, one]
            }
        }
    }

    /// E of the module's front page \[J\].
    pub fn energy(&self, w: f64, [u1, u2, omega]: [f64; 3]) -> f64 {
        let (p, b) = (&self.parameters, &self.bodies);
        let lever = if p.form == Form::Exact { w * omega } else { 0.0 };
        let spin = 0.5 * (u1 + lever) * (u1 + lever) / b.spin;
        spin + 0.5 * b.mass * (u2 * u2 + lever * lever)
            + b.moment * u2 * omega
            + 0.5 * b.inertia * omega * omega
            + 0.5 * p.stiffness * w * w
    }

    /// E' without the heat of the contact \[W\].
    #[inline(always)]
    fn power(&self, form: Form, [sin, cos]: [f64; 2], w: f64, [u1, u2, omega]: [f64; 3]) -> f64 {
        let (p, b) = (&self.parameters, &self.bodies);
        let turned = match form {
            Form::Small => omega * (u1 / b.spin),
            Form::Exact => {
                let lever = w * omega;
                omega * ((u1 + lever) / b.spin + b.mass * lever)
            }
        };
        p.speed * ((p.stiffness * w - turned) * sin - omega * (b.mass * u2 + b.moment * omega) * cos)
    }
}

impl System for TowedWheel {
    type State = TowedState;
    type Workspace = ();
    type Kernel<'a> = TowedKernel<'a>;

    fn start(&self) -> TowedState {
        TowedState::at(self.parameters.start)
    }

    fn workspace(&self) {}

    fn kernel(&self, _: u64, clock: Clock) -> Result<(TowedKernel<'_>, u64), SystemError> {
        Ok((TowedKernel::new(self, clock.h)?, u64::MAX))
    }

    fn contacts(&self) -> &[Name] {
        &CONTACTS
    }

    fn contact_states(&self, state: &TowedState, out: &mut [State]) {
        out[0] = state.contact();
    }

    fn velocities(&self, state: &TowedState, out: &mut [f64]) {
        out.copy_from_slice(&[state.u1, state.u2, state.omega]);
    }

    fn dim(&self) -> usize {
        3
    }

    fn ledger(&self, state: &TowedState) -> Ledger {
        let s = self.parameters.start;
        Ledger {
            passed: 0.0,
            start: self.energy(s.w, [s.u1, s.u2, s.omega]),
            stored: self.energy(state.w, [state.u1, state.u2, state.omega]),
            work: state.work(),
            dissipated: vec![Dissipation { contact: CONTACTS[0].clone(), energy: state.heat() }],
        }
    }

    fn worst_residual(&self, state: &TowedState) -> f64 {
        state.worst_residual()
    }

    fn is_finite(&self, state: &TowedState) -> bool {
        let energy = self.energy(state.w, [state.u1, state.u2, state.omega]);
        [state.psi, state.f1, state.f2, energy, state.work(), state.heat()].iter().all(|x| x.is_finite())
    }

    fn uniqueness(&self) -> Uniqueness {
        Uniqueness {
            velocities: true,
            forces: true,
            reason: "W is symmetric positive definite: every step has exactly one solution".into(),
        }
    }
}
