//! Wheels with vibration modes on a contact with dry friction: when they squeal, how loud, at which frequency.
//!
//! ```text
//! q̈_k + 2ζ_k ω_k q̇_k + ω_k² q_k = φ_y,k (F_y + μ0 N0) + φ_z,k (N − N0)          (modes, mass-normalised at the contact point)
//! y = φ_y·q,   z = φ_z·q,   v = V s0 + ẏ,   N = N0 (1 + (r − z)/δ0)_+^{3/2}
//! ```
//!
//! * q counts from the steady sliding state; y lateral, z up \[m\]; v: slip velocity [m/s], s0: lateral creepage.
//! * F_y, N: forces of the rail on the wheel \[N\]; μ0 = −F_y/N in the steady state.
//! * r: height of the roughness, positive presses \[m\]; δ0: approach of wheel and rail under N0 (a Hertz spring).
//!
//! The contact ([`contact::Contact`]) is a point with set-valued friction, a creep law with a lag, or a patch of bristles.
//!
//! * [`body`]: modes and static compliance of a wheel that is given as a body, by finite elements.
//! * [`characteristic`]: eigenvalues, eigenvectors and linear response of the wheel on the linearised contact, by the two
//!   degrees of freedom of the contact; [`linear`]: the same system as one real matrix.
//! * [`course`]: what the linear system does over a whole run on roughness.
//! * [`step`]: integration in time, of second order: modes exactly, with contact forces that are linear over a step.
//! * [`spectrum`], [`lines`], [`sound`]: what one hears of it.

pub mod body;
pub mod characteristic;
pub mod contact;
pub mod course;
pub mod friction;
pub mod linear;
pub mod lines;
pub mod mode;
pub mod motion;
mod propagate;
pub mod range;
pub mod roughness;
pub mod sound;
pub mod spectrum;
pub mod step;
pub mod wheel;

pub use contact::Contact;
pub use friction::Friction;
pub use mode::Mode;
pub use wheel::{SquealError, Wheel};
