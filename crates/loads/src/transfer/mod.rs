//! Load transfer: axle loads that depend on the forces they allow.
//!
//! # The problem
//! A rigid chassis of mass m with its centre of mass G at the height h stands on n axles at x_i ahead of G. Its loads
//! balance weight and pitch without inertia; for n > 2, where that leaves them open, as a rigid body on springs k_i:
//!
//! ```text
//! N_i = N_i⁰ + c_i Q,      Q = Σ_j [(h − R_j) f_j − R_j g_j + M_j],
//! c_i = k_i (x_i − x̄)/S,   N_i⁰ = k_i m g/Σk − k_i (x_i − x̄) x̄ m g/S,   x̄ = Σkx/Σk,   S = Σ k (x − x̄)²
//! ```
//!
//! with f_i the force of the ground and g_i that of the brake at the circumference, both with the sign of the slip that they
//! resist, and M_i the motor torques (letters of vehicles; forward driving is M < 0). Friction is bounded by μ_i N_i, so that
//! one scalar Q couples all contacts. For a given Q the contacts are a star with known bounds and have unique sums, thus
//!
//! ```text
//! Q = Proj_[Q_lo, Q_hi] G(Q),
//! ```
//!
//! an inclusion in one unknown with a continuous, piecewise linear G; at the ends of the range an axle has lost its load.
//!
//! # How many solutions
//! Exactly one if κ* < 1 ([`Axles::uniqueness_bound`]). Otherwise there may be several, with indices ±1 (the sign of
//! 1 − G') that sum to 1; those with −1 are unstable under every contact that yields. All of them are found piece by piece.
//!
//! | file | what |
//! |---|---|
//! | `axles.rs` | places, loads, κ* |
//! | `star.rs` | the contacts at a given Q, and the straight piece of G around it |
//! | `solve.rs` | one solution from the last one, or all of them; the verdict |
//! | `choice.rs` | which of several |
//! | `instant.rs` | accelerations and their rates, for schemes from event to event |

mod axles;
mod choice;
mod instant;
mod solve;
mod star;

pub use axles::{Axle, Axles, AxlesError, shares_at_rest};
pub use choice::{Branch, Choice, Memory, Select, Solution, Verdict, choose};
pub use instant::{Response, SignalRates};
pub use solve::Workspace;
pub use star::{Contact, Forces, Problem, Wheel};
