//! Rolling contact of wheel and rail: from geometry and load to creep forces, and wheels that roll on them.
//!
//! # The problem
//! Two elastic bodies roll over each other in the direction +x at the speed V, pressed together by N. The *creepages*
//!
//! ```text
//! ξ = (v_x1 − v_x2)/V,    η = (v_y1 − v_y2)/V,    φ = (ω_z1 − ω_z2)/V  [1/m]
//! ```
//!
//! are what rigid bodies would slip (body 1 is the wheel); elastic deformation takes up a part of it, the rest is
//! slip. Wanted are the forces F_x, F_y and the moment M_z on body 1, with |F| ≤ μN.
//!
//! All quantities are in SI units. Forces act on body 1, so they oppose creepage: F_x < 0 for ξ > 0.
//!
//! # Rooms, each knowing only those before it
//! * [`elliptic`] – the two elliptic integrals of contact mechanics,
//! * [`material`], [`hertz`] – size of the contact area and pressure,
//! * [`carter`] – two-dimensional rolling and shifting in closed form,
//! * [`kalker`] – the coefficients of the linear theory,
//! * [`patch`](mod@patch) – a contact area with its load and friction; creepages and forces,
//! * [`theory`] – from creepages to forces: linear, Shen–Hedrick–Elkins, FASTSIM, Polach,
//! * [`curve`] – one creep-force curve, tabulated; [`chart`] – all theories over a range of creepages,
//! * [`wheel`] – a driven and braked wheel that rolls on such a curve, through standstill.

pub mod carter;
pub mod chart;
pub mod curve;
pub mod elliptic;
pub mod hertz;
pub mod kalker;
pub mod material;
pub mod patch;
pub mod theory;
pub mod wheel;
