//! A driven and braked wheel that rolls on a creep-force curve, through standstill.
//!
//! Signs are those of [`crate::wheel`]: x1 = ẋ to the right, x2 = Rθ̇ counter-clockwise, so that rolling
//! forward has x2 ≈ −x1 < 0 and a drive forward M < 0. With J = I/R², 𝓜 = M/R, a_B = α_B/R and W a force on the centre
//! (a slope, a train):
//!
//! ```text
//! m x1' + f = W,     J x2' + f + g = 𝓜,     g ∈ a_B σ(x2),     |f| ≤ F₁
//! f'/k + V ξ(f) + N(f) ∋ s,       s = x1 + x2,     V = ½|x1 − x2|
//! ```
//!
//! * f: ground force, with the sign of the slip it resists (f = −F_x of the theory).
//! * k: tangential stiffness of the contact at rest [N/m]: f'/k is the speed at which the contact area is sheared.
//! * ξ(f): creepage that steady rolling under f needs, the inverse of the [`Curve`] of any theory; V ξ(f) is what
//!   rolling carries out of the contact area, V the mean speed at which both surfaces run through it.
//! * N(f): 0 for |f| < F₁ = μN, any number ≥ 0 at f = F₁, ≤ 0 at −F₁: sliding as a whole. While it does not slide,
//!   `slide` is exactly 0.0.
//!
//! Nothing is divided by V. Its two limits are the known ones:
//! * steady rolling, f' = 0: s/V = ξ(f), the creep curve (Carter, Kalker);
//! * standstill, V = 0: f' = k s within ±F₁, an elastic contact that slides at F₁ (Cattaneo, Mindlin, with the stiffness of
//!   small loads at all loads: their contact softens towards F₁).
//!
//! In between, for small forces, f relaxes over the rolled distance C/k (C the slope of the curve), about 1.8 half-axes a
//! for a circle, as in transient rolling theory, where it is one exponential only roughly. As k and C grow without bound,
//! s ∈ N(f): the rigid wheel with Coulomb friction. All terms are monotone, so each implicit step has exactly one solution.
//!
//! # Rest
//! The contact is elastic: a wheel that stops swings on it (ω = √(k/m) with a locked brake, 400/s for a car on rails)
//! until creep and the scheme have damped that. Once speeds are below rounding of the greatest speed of the run and f is
//! within m ε x_max/h of W, speeds are exactly 0.0, and f is exactly W if brake and ground can hold that.

mod charts;
mod file;
mod inputs;
mod kernel;
mod measures;
mod model;
mod plan;
mod record;
mod step;

pub use kernel::{RailWheelKernel, RailWheelState};
pub use model::KIND;
pub use plan::{Plan, PlanError};

use crate::wheel::Start;
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Clock, Dissipation, Ledger, System, SystemError, Uniqueness};
use stickslip_core::range::{OutOfRange, SignalOutOfRange, positive};
use stickslip_core::signal::Signal;
use stickslip_scenario::tables::{check, check_signal};

use self::file::{BrakeTable, PullTable, WheelTable};
use crate::wheel::file::MotorTable;
use stickslip_contact::curve::Curve;

/// Data of the wheel, before any check.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Mass m that the wheel carries, its own included \[kg\], > 0.
    pub mass: f64,
    /// Inertia I of the wheel about its axle [kg·m²], > 0.
    pub inertia: f64,
    /// Radius R of the wheel \[m\], > 0.
    pub radius: f64,
    /// Force of the ground against creepage; its limit is μN.
    pub curve: Curve,
    /// Tangential stiffness k of the contact at rest [N/m], > 0: [`stickslip_contact::patch::Patch::stiffness`].
    pub stiffness: f64,
    /// Motor torque M(t) [N·m], positive counter-clockwise: driving forward is negative.
    pub motor: Signal,
    /// Greatest torque α_B(t) that the brake can hold [N·m], ≥ 0.
    pub brake: Signal,
    /// Force W(t) on the centre, to the right \[N\].
    pub pull: Signal,
    /// State at t = 0; the contact area is not sheared then.
    pub start: Start,
}

/// Why data do not describe a wheel.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum WheelError {
    /// A number is out of its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A signal leaves its range at some time.
    #[error(transparent)]
    Signal(#[from] SignalOutOfRange),
}

/// The wheel, checked, in the variables of the equations.
#[derive(Debug, Clone)]
pub struct RailWheel {
    parameters: Parameters,
    /// J = I/R² \[kg\].
    j: f64,
    /// 𝓜(t) = M(t)/R \[N\].
    drive: Signal,
    /// a_B(t) = α_B(t)/R \[N\].
    brake: Signal,
}

static CONTACTS: [Name; 2] = [Name::Borrowed("ground"), Name::Borrowed("brake")];

impl RailWheel {
    /// Checks the data and reduces them.
    pub fn new(parameters: Parameters) -> Result<RailWheel, WheelError> {
        let p = &parameters;
        check(|table: &WheelTable| &table.mass, "mass", p.mass)?;
        check(|table: &WheelTable| &table.inertia, "inertia", p.inertia)?;
        check(|table: &WheelTable| &table.radius, "radius", p.radius)?;
        positive("stiffness", p.stiffness, "N/m")?;
        p.start.check()?;
        check_signal(|table: &MotorTable| &table.torque, "motor torque", &p.motor)?;
        check_signal(|table: &BrakeTable| &table.torque, "brake torque", &p.brake)?;
        check_signal(|table: &PullTable| &table.force, "pull", &p.pull)?;
        Ok(RailWheel {
            j: p.inertia / (p.radius * p.radius),
            drive: p.motor.scaled(1.0 / p.radius),
            brake: p.brake.scaled(1.0 / p.radius),
            parameters,
        })
    }

    /// The data it was made from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// J = I/R² \[kg\].
    pub fn j(&self) -> f64 {
        self.j
    }

    /// a_B at time t \[N\].
    pub fn brake_bound(&self, t: f64) -> f64 {
        self.brake.at(t)
    }

    /// Kinetic energy and that of the sheared contact \[J\].
    fn stored(&self, x1: f64, x2: f64, f: f64) -> f64 {
        let p = &self.parameters;
        0.5 * p.mass * x1 * x1 + 0.5 * self.j * x2 * x2 + 0.5 * f * f / p.stiffness
    }
}

impl System for RailWheel {
    type State = RailWheelState;
    type Workspace = ();
    type Kernel<'a> = RailWheelKernel<'a>;

    fn start(&self) -> RailWheelState {
        RailWheelState::at_rest(self.parameters.start)
    }

    fn workspace(&self) {}

    fn kernel(&self, n: u64, clock: Clock) -> Result<(RailWheelKernel<'_>, u64), SystemError> {
        RailWheelKernel::new(self, n, clock)
    }

    fn contacts(&self) -> &[Name] {
        &CONTACTS
    }

    fn contact_states(&self, state: &RailWheelState, out: &mut [State]) {
        let states = state.signs().map_or([State::Open; 2], |signs| {
            signs.map(|sign| if sign == 0 { State::Stick } else { State::Slip([f64::from(sign), 0.0]) })
        });
        out.copy_from_slice(&states);
    }

    fn velocities(&self, state: &RailWheelState, out: &mut [f64]) {
        out.copy_from_slice(&[state.x1, state.x2]);
    }

    fn dim(&self) -> usize {
        2
    }

    fn ledger(&self, state: &RailWheelState) -> Ledger {
        let start = self.parameters.start;
        let [ground, brake] = state.dissipated();
        Ledger {
            passed: 0.0,
            start: self.stored(start.x1, start.x2, 0.0),
            stored: self.stored(state.x1, state.x2, state.f),
            work: state.work(),
            dissipated: vec![
                Dissipation { contact: CONTACTS[0].clone(), energy: ground },
                Dissipation { contact: CONTACTS[1].clone(), energy: brake },
            ],
        }
    }

    fn worst_residual(&self, state: &RailWheelState) -> f64 {
        state.worst_residual()
    }

    fn is_finite(&self, state: &RailWheelState) -> bool {
        let [ground, brake] = state.dissipated();
        let energies = [self.stored(state.x1, state.x2, state.f), state.work(), ground, brake];
        let rest = [state.x1, state.x2, state.x(), state.theta(), state.f, state.g];
        rest.iter().chain(&energies).all(|v| v.is_finite())
    }

    fn uniqueness(&self) -> Uniqueness {
        Uniqueness {
            velocities: true,
            forces: true,
            reason: "the step's equation for the ground force is strictly increasing: it has exactly one solution"
                .into(),
        }
    }
}
