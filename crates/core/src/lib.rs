//! Exact dry friction for wheels, vehicles and wheel/rail contacts.
//!
//! # The problem
//! Every system here is the same problem. At each step find the contact forces r with
//!
//! ```text
//! s = W r + b,      −s ∈ N_C(r),      C = C₁ × … × C_k
//! ```
//!
//! * s: slip velocities at the contacts,
//! * W: how contact forces change slips (H M⁻¹ Hᵀ h, or an elastic influence operator),
//! * b: the slips without contact forces,
//! * C_i: what contact i can transmit: an interval, a disk, a half-line, a cone.
//!
//! −s ∈ N_C(r) is the law: stick (s_i = 0) inside C_i, slip against the force on its boundary. Equivalently
//! r = Proj_C(r − ρ s) for any ρ > 0, and |r − Proj_C(r − ρ s)| is the residual by which every solver is
//! judged. A contact that sticks has slip 0.0, not 1e-9.
//!
//! # Layers, each knowing only those before it
//! 1. [`law`] – the sets C_i,
//! 2. [`inclusion`] – the problem (W, b, C), its residual, its solvers,
//! 3. [`mechanics`] – systems and their energy; [`signal`] – what drives them,
//! 4. [`scheme`] – from a system to a sequence of inclusions,
//! 5. [`simulation`] – a run as an object: advanced, fed, saved, restored; [`record`] – what is written down of it,
//! 6. [`analysis`] – convergence order, limit directions, Lyapunov exponents, sections.
//!
//! # Example
//! A braked wheel in one implicit step: speeds z that it would reach without friction, bounds of ground and brake.
//! ```
//! use stickslip_core::inclusion::NineRegions;
//!
//! let (d1, d2) = (1e-3 / 400.0, 1e-3 / 13.3); // h/m and h/J
//! let y = NineRegions::new(d1, d2).solve(0.004, -0.004, 3139.0, 6278.0);
//! assert_eq!((y.y1, y.y2), (0.0, 0.0)); // at rest, and exactly
//! ```

/// A name of a contact or column: fixed for a model, or made for each of its parts (`wheel 3`).
pub type Name = std::borrow::Cow<'static, str>;

pub mod analysis;
pub mod inclusion;
pub mod law;
pub mod mechanics;
pub mod range;
pub mod record;
pub mod scheme;
pub mod signal;
pub mod simulation;
