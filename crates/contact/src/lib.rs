//! Rolling contact of two elastic bodies: exact on the half-space, by the fast theories, and wheels that roll on it.
//!
//! # The problem
//! Two bodies are pressed together by N and roll over each other towards +x at the speed V. The *creepages*
//!
//! ```text
//! ξ = (v_x1 − v_x2)/V,    η = (v_y1 − v_y2)/V,    φ = (ω_z1 − ω_z2)/V  [1/m]
//! ```
//!
//! are what rigid bodies would slip (body 1 is the wheel); elastic deformation takes up a part of it, the rest is slip.
//! With r the tangential traction on body 1, s the local slip of body 1 over body 2 (divided by V) and p the pressure,
//! every element of the contact obeys the inclusion of `stickslip_core`,
//!
//! ```text
//! s = K r + b,      −s ∈ N_C(r),      C = Π disk(μ p_i)
//! ```
//!
//! * b: rigid slip, (ξ − φ y, η + φ x),
//! * K: what tractions change in it, by elastic deformation carried through the contact: −∂ₓ W r in steady rolling,
//!   W r/Δx in one step of transient rolling, W r in a shift,
//! * W: displacements of body 1 over body 2 for tractions on the surface of the half-space ([`influence`]).
//!
//! The pressure is the same problem with C = Π [0, ∞) ([`normal`]). Both are solved with the Fourier transform, in
//! which W is diagonal ([`tangential`]).
//!
//! # Signs and units
//! Tractions and forces are those on body 1 and so oppose creepage: F_x < 0 for ξ > 0; M_z = ∫ (x r_y − y r_x). Any
//! consistent units do for the exact solver; the theories and wheels are in SI units, and so are the messages of all errors.
//!
//! # Rooms
//! * [`material`], [`elliptic`], [`hertz`] – the two materials as one, size of the contact area and pressure,
//! * [`grid`], [`influence`], [`normal`], [`tangential`] – the exact theory on elements; [`edge`] – its leading edge,
//! * [`case`] – one contact from its data to its tractions, as scenario files describe it; [`progress`] – how far it is,
//! * [`carter`] – two-dimensional rolling and shifting in closed form,
//! * [`kalker`], [`patch`](mod@patch), [`theory`] – from creepages to forces: linear, Shen–Hedrick–Elkins, FASTSIM, Polach
//!   in microseconds, and the exact theory behind the same interface,
//! * [`table`] – the exact theory of all Hertzian contacts, solved once, interpolated since,
//! * [`curve`] – one creep-force curve, tabulated; [`chart`] – all theories over a range of creepages.

pub mod carter;
pub mod case;
pub mod chart;
pub mod curve;
pub mod edge;
pub mod elliptic;
pub mod error;
pub mod finite_elements;
mod fourier;
pub mod grid;
pub mod hertz;
pub mod influence;
pub mod kalker;
pub mod material;
pub mod normal;
pub mod patch;
pub mod progress;
pub mod table;
pub mod tangential;
pub mod theory;
