//! Rolling contact of two elastic bodies, solved exactly on the half-space.
//!
//! # The problem
//! Two bodies are pressed together and roll towards +x. With r the tangential traction on body 1, s the local slip
//! of body 1 over body 2 (divided by the rolling speed) and p the pressure, every element of the contact obeys the
//! inclusion of `stickslip_core`,
//!
//! ```text
//! s = K r + b,      −s ∈ N_C(r),      C = Π disk(μ p_i)
//! ```
//!
//! * b: rigid slip, (ξ − φ y, η + φ x) for the creepages ξ, η and the spin φ,
//! * K: what tractions change in it, by elastic deformation carried through the contact: −∂ₓ W r in steady rolling,
//!   W r/Δx in one step of transient rolling, W r in a shift,
//! * W: displacements of body 1 over body 2 for tractions on the surface of the half-space ([`influence`]).
//!
//! The pressure is the same problem with C = Π [0, ∞) ([`normal`]). Both are solved with the Fourier transform, in
//! which W is diagonal ([`tangential`]).
//!
//! # Signs and units
//! Any consistent units (N, mm, MPa or SI). Creepage is (body 1 − body 2)/V; tractions and forces are those on
//! body 1 and so have the opposite sign; M_z = ∫ (x r_y − y r_x).

pub mod bodies;
pub mod error;
mod fourier;
pub mod grid;
pub mod influence;
pub mod normal;
pub mod tangential;
