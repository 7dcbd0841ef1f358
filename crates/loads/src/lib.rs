//! Loads that depend on forces, and what stands on them: tyres, axles, lift-off, warm brakes, controllers.
//!
//! # The problem
//! Friction is bounded by the load of its contact. Where that load depends on the forces themselves (a car that brakes presses
//! on its front axle), the inclusion −(W r + b) ∈ N_C(r) of `stickslip_core` has a set C that depends on r. Three answers live
//! here, each without a model, a file format or a report:
//!
//! * [`transfer`] – axles under a chassis without heave and pitch: one scalar Q couples all bounds, C = C(Q). Every solution is
//!   found, and a bound κ* < 1 says when there is only one;
//! * [`lift`], [`planar`], [`half_car`] – heave and pitch free: normal forces are contacts of their own, with half-lines.
//!   Wheels lift, land and may leave several solutions, or none;
//! * [`tyre`] – friction that is not dry: the Magic Formula in a form that holds through standstill, as a damper in an implicit
//!   step.
//!
//! [`heat`] warms the brakes by what they dissipate, [`control`] samples a vehicle and commands it. [`ode`] integrates smooth
//! motion from event to event.
//!
//! # Signs and units
//! SI units. x1 is the speed of a vehicle, v_i = R_i θ̇_i the circumferential speed of a wheel (rolling forward v = −x1), f_i and
//! g_i the forces of ground and brake with the sign of the slip that they resist. Tyres have the signs of their own trade: V = x1
//! and w = −v, both positive forward. Pitch is positive nose up.
//!
//! # Example
//! A car that brakes with sliding wheels, at one instant: loads, forces and accelerations together.
//! ```
//! use stickslip_loads::transfer::{Axle, Axles, Contact, Problem, Select, Wheel, Workspace};
//!
//! let axle = |place| Axle { place, stiffness: 1.0, radius: 0.3 };
//! let axles = Axles::new(0.55, 1200.0 * 9.81, &[axle(1.2), axle(-1.4)])?;
//! let locked = Wheel {
//!     inertia: 26.7, free: 0.0, friction: 0.8, brake_bound: 2e4, motor: 0.0,
//!     ground: Contact::Slips(1.0), brake: Contact::Undecided,
//! };
//! let problem = Problem {
//!     axles: &axles, mass: 1200.0, free: 0.0, resistance_bound: 0.0, resistance_arm: 0.0,
//!     resistance: Contact::Undecided, wheels: &[locked; 2],
//! };
//! let mut workspace = Workspace::new(2);
//! let verdict = workspace.solve(&problem, axles.uniqueness_bound(&[0.8; 2]), Select::Nearest);
//! assert_eq!(verdict.to_string(), "unique, κ* = 0.246154");
//! assert!((workspace.forces.y1 + 0.8 * 9.81).abs() < 1e-12);
//! assert!((workspace.forces.loads[0] - 8330.9538).abs() < 1e-4);
//! # Ok::<(), stickslip_loads::transfer::AxlesError>(())
//! ```

pub mod control;
pub mod half_car;
pub mod heat;
pub mod lift;
pub mod ode;
pub mod planar;
mod root;
mod small;
pub mod transfer;
pub mod tyre;
