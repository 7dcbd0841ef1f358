//! A vehicle on two wheels in its plane: heave and pitch of any size, wheels that lift and land, brakes that react on the frame.
//!
//! # The problem
//! q = (X, Z, φ, θ1, θ2): place of the centre of mass G, pitch (nose up > 0), angles of the wheels. With x_i the place of a
//! wheel ahead of G, e_i = h − R_i, and the levers ξ_i = x_i cos φ + e_i sin φ, ζ_i = x_i sin φ − e_i cos φ:
//!
//! ```text
//! gap_i = Z + ζ_i − R_i,   u_Ni = Ż + ξ_i φ̇,   slip_i = Ẋ − ζ_i φ̇ + R_i θ̇_i,   brake slip_i = θ̇_i − φ̇,
//! m Ẍ = ΣT_i,   m Z̈ = −m g + ΣN_i,   𝒥 φ̈ = Σ[ξ_i N_i − ζ_i T_i − B_i − M_i],   I_i θ̈_i = R_i T_i + B_i + M_i,
//! 0 ≤ N_i ⟂ gap_i ≥ 0,     T_i ∈ −μ_i N_i σ(slip_i),     B_i ∈ −α_i(t) σ(brake slip_i).
//! ```
//!
//! M_i is the motor torque (driving forward is M < 0), 𝒥 the pitch inertia about G with the wheels as points. Rolling forward
//! is θ̇ < 0.
//!
//! # From event to event
//! Between events the modes are fixed and the motion is integrated with an error of 1e-13 a step. At an event all modes that
//! fit the motion are tried, with forces and accelerations a moment later, and those whose inequalities hold are solutions: one,
//! several (one is chosen, see [`crate::transfer::Select`]) or none. A wheel that lands makes an impact after Moreau: contacts
//! may stick or slip on impulses, brakes and motors are bounded and carry none.
//!
//! | file | what |
//! |---|---|
//! | `body.rs` | data, levers, energy |
//! | `modes.rs` | accelerations with given modes |
//! | `decide.rs` | which modes |
//! | `impact.rs` | landings |
//! | `motion.rs` | motion with given modes, and its guards |
//! | `run.rs` | events |
//! | `step.rs` | implicit steps, for a second opinion |

mod body;
mod decide;
mod impact;
mod modes;
mod motion;
mod run;
mod step;

pub use body::{PlanarBody, PlanarData, PlanarError, PlanarState, PlanarWheel, ranges};
pub use decide::Decision;
pub use impact::Impact;
pub use modes::{BrakeMode, Loads, Modes, WheelMode};
pub use run::{Energies, Kind, OnNone, PlanarEvent, PlanarRun, Seen, Settings, Tell, Unit};
pub use step::{Step, Steps, Torques as StepTorques};
