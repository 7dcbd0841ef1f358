//! The driven and braked wheel.
//!
//! ```text
//!            θ̇ > 0 ↺                 x1 = ẋ: speed of the centre, to the right
//!             .─────.                  x2 = Rθ̇: circumferential speed, at the ground to the right
//!   motor M  /   ●   \  → x            x1 + x2: slip on the ground; rolling forward has x2 = −x1 < 0
//!   brake   ( brake   )
//!            \       /                 f: ground friction, against x1 + x2   (f = −T)
//!   ══════════`─────´══════════        g: brake force,     against x2        (g = −M_B/R)
//! ```
//!
//! With J = I/R², 𝓜 = M/R, a_G = μ m g and a_B = α_B/R:
//!
//! ```text
//! m x1' + f = 0,   J x2' + f + g = 𝓜,   f ∈ a_G σ(x1 + x2),   g ∈ a_B σ(x2)
//! ```
//!
//! where σ is the graph of the sign, all of [−1, 1] at 0. Where friction changes with slip, a_G and a_B are multiplied
//! by factors of |x1 + x2| and |x2|, which a step takes at its beginning. Source: Bastien 2013, 2014, with torques divided by
//! R in the second row. M > 0 turns the wheel counter-clockwise, so a drive to the right has M < 0.

mod affine;
mod block;
mod charts;
pub(crate) mod claims;
mod explorer;
pub(crate) mod file;
mod inputs;
mod kernel;
mod measures;
mod model;
pub(crate) mod picture;
mod record;
pub mod regions;
mod smooth;

pub use block::WheelBlock;
pub use kernel::{WheelKernel, WheelState};
pub use model::KIND;

use stickslip_core::Name;
use stickslip_core::law::{LawError, OverSlip, State};
use stickslip_core::mechanics::{Clock, Dissipation, Ledger, System, SystemError, Uniqueness};
use stickslip_core::range::{OutOfRange, SignalOutOfRange};
use stickslip_core::signal::Signal;
use stickslip_scenario::tables::{check, check_signal};

use crate::GRAVITY;

use self::file::{BrakeTable, GroundTable, InitialTable, MotorTable, WheelTable};

/// Data of the driven and braked wheel, before any check.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Mass m of wheel and chassis \[kg\], > 0.
    pub mass: f64,
    /// Inertia I of the wheel about its axle [kg·m²], > 0.
    pub inertia: f64,
    /// Radius R of the wheel \[m\], > 0.
    pub radius: f64,
    /// Gravity g [m/s²], ≥ 0; the normal load is m g.
    pub gravity: f64,
    /// Friction coefficient μ(t) between wheel and ground, ≥ 0.
    pub friction: Signal,
    /// Motor torque M(t) [N·m], positive counter-clockwise: driving forward is negative.
    pub motor: Signal,
    /// Greatest torque α_B(t) that the brake can hold [N·m], ≥ 0.
    pub brake: Signal,
    /// How both change with slip.
    pub over_slip: OverSlip,
    /// State at t = 0.
    pub start: Start,
}

impl Default for Parameters {
    /// The wheel of docs/wheel.md, which carries 400 kg and rests on dry ground with μ = 0.8; without motor and brake.
    fn default() -> Parameters {
        Parameters {
            mass: 400.0,
            inertia: 1.2,
            radius: 0.3,
            gravity: GRAVITY,
            friction: Signal::Constant(0.8),
            motor: Signal::ZERO,
            brake: Signal::ZERO,
            over_slip: OverSlip::default(),
            start: Start::default(),
        }
    }
}

/// Where the wheel is and how it moves at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Start {
    /// Speed ẋ of the wheel centre [m/s].
    pub x1: f64,
    /// Circumferential speed Rθ̇ [m/s]; rolling has x2 = −x1.
    pub x2: f64,
    /// Position x of the wheel centre \[m\].
    pub x: f64,
    /// Angle θ of the wheel \[rad\].
    pub theta: f64,
}

impl Start {
    /// Whether each number is one.
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        check(|table: &InitialTable| &table.speed, "speed", self.x1)?;
        check(|table: &InitialTable| &table.wheel_speed, "wheel speed", self.x2)?;
        check(|table: &InitialTable| &table.position, "position", self.x)?;
        check(|table: &InitialTable| &table.angle, "angle", self.theta)
    }
}

/// Why data do not describe a wheel.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum WheelError {
    /// A number is out of its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A factor over slip makes no sense.
    #[error("friction over slip: {0}")]
    OverSlip(#[from] LawError),
    /// A signal leaves its range at some time.
    #[error(transparent)]
    Signal(#[from] SignalOutOfRange),
}

/// The driven and braked wheel, checked, in the variables of the equations.
#[derive(Debug, Clone)]
pub struct Wheel {
    parameters: Parameters,
    /// J = I/R² \[kg\].
    j: f64,
    /// a_G(t) = μ(t) m g \[N\].
    ground: Signal,
    /// 𝓜(t) = M(t)/R \[N\].
    drive: Signal,
    /// a_B(t) = α_B(t)/R \[N\].
    brake: Signal,
}

/// Names of the two contacts.
static CONTACTS: [Name; 2] = [Name::Borrowed("ground"), Name::Borrowed("brake")];

impl Wheel {
    /// Checks the data and reduces them.
    pub fn new(parameters: Parameters) -> Result<Wheel, WheelError> {
        let p = &parameters;
        check(|table: &WheelTable| &table.mass, "mass", p.mass)?;
        check(|table: &WheelTable| &table.inertia, "inertia", p.inertia)?;
        check(|table: &WheelTable| &table.radius, "radius", p.radius)?;
        check(|table: &GroundTable| &table.gravity, "gravity", p.gravity)?;
        p.start.check()?;
        check_signal(|table: &GroundTable| &table.friction, "friction", &p.friction)?;
        check_signal(|table: &MotorTable| &table.torque, "motor torque", &p.motor)?;
        check_signal(|table: &BrakeTable| &table.torque, "brake torque", &p.brake)?;
        p.over_slip.check()?;
        Ok(Wheel {
            j: p.inertia / (p.radius * p.radius),
            ground: p.friction.scaled(p.mass * p.gravity),
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

    /// a_G at time t \[N\].
    pub fn ground_bound(&self, t: f64) -> f64 {
        self.ground.at(t)
    }

    /// a_B at time t \[N\].
    pub fn brake_bound(&self, t: f64) -> f64 {
        self.brake.at(t)
    }

    /// 𝓜 at time t \[N\].
    pub fn drive(&self, t: f64) -> f64 {
        self.drive.at(t)
    }

    fn kinetic(&self, x1: f64, x2: f64) -> f64 {
        0.5 * self.parameters.mass * x1 * x1 + 0.5 * self.j * x2 * x2
    }
}

impl System for Wheel {
    type State = WheelState;
    type Workspace = ();
    type Kernel<'a> = WheelKernel<'a>;

    fn start(&self) -> WheelState {
        WheelState::at_rest(self.parameters.start)
    }

    fn workspace(&self) {}

    fn kernel(&self, n: u64, clock: Clock) -> Result<(WheelKernel<'_>, u64), SystemError> {
        WheelKernel::new(self, n, clock)
    }

    fn contacts(&self) -> &[Name] {
        &CONTACTS
    }

    fn contact_states(&self, state: &WheelState, out: &mut [State]) {
        let states = state.region().map_or([State::Open; 2], |region| region.states());
        out.copy_from_slice(&states);
    }

    fn velocities(&self, state: &WheelState, out: &mut [f64]) {
        out.copy_from_slice(&[state.x1, state.x2]);
    }

    fn dim(&self) -> usize {
        2
    }

    fn ledger(&self, state: &WheelState) -> Ledger {
        let start = self.parameters.start;
        let [ground, brake] = state.dissipated();
        Ledger {
            passed: 0.0,
            start: self.kinetic(start.x1, start.x2),
            stored: self.kinetic(state.x1, state.x2),
            work: state.work(),
            dissipated: vec![
                Dissipation { contact: CONTACTS[0].clone(), energy: ground },
                Dissipation { contact: CONTACTS[1].clone(), energy: brake },
            ],
        }
    }

    fn worst_residual(&self, state: &WheelState) -> f64 {
        state.worst_residual()
    }

    fn is_finite(&self, state: &WheelState) -> bool {
        let [ground, brake] = state.dissipated();
        let energies = [self.kinetic(state.x1, state.x2), state.work(), ground, brake];
        let rest = [state.x1, state.x2, state.x(), state.theta(), state.f, state.g];
        rest.iter().chain(&energies).all(|v| v.is_finite())
    }

    fn uniqueness(&self) -> Uniqueness {
        Uniqueness {
            velocities: true,
            forces: true,
            reason: "W is symmetric positive definite (det W = h²/(mJ) > 0): every step has exactly one solution"
                .into(),
        }
    }
}
