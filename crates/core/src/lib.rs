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
//! 5. [`model`] – the wheel, the vehicle, the towed wheel, bodies on a line, an oscillator,
//! 6. [`simulation`] – a run as an object: advanced, fed, saved, restored,
//! 7. [`analysis`] – convergence order, limit directions, Lyapunov exponents, sections.
//!
//! # Example
//! ```
//! use stickslip_core::law::OverSlip;
//! use stickslip_core::model::wheel::{Parameters, Start, Wheel};
//! use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
//! use stickslip_core::signal::Signal;
//!
//! let wheel = Wheel::new(Parameters {
//!     mass: 400.0,
//!     inertia: 1.2,
//!     radius: 0.3,
//!     gravity: 9.81,
//!     friction: Signal::Constant(0.8),
//!     motor: Signal::ZERO,
//!     brake: Signal::Constant(2000.0),
//!     over_slip: OverSlip::default(),
//!     start: Start { x1: 5.0, x2: -5.0, ..Start::default() },
//! })?;
//! let end = implicit_euler(&wheel, Grid::cover(2.0, 1e-3), &mut NullObserver)?.state;
//! assert_eq!((end.x1, end.x2), (0.0, 0.0)); // parked: exactly at rest
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// A name of a contact or column: fixed for a model, or made for each of its parts (`wheel 3`).
pub type Name = std::borrow::Cow<'static, str>;

pub mod analysis;
pub mod inclusion;
pub mod law;
pub mod mechanics;
pub mod record;
pub mod scheme;
pub mod signal;
pub mod simulation;
