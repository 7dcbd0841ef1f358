//! Tyres: longitudinal forces by the Magic Formula, in a form that holds through standstill.
//!
//! # Signs and units
//! V is the speed of the wheel's centre, w = Ω R the circumferential speed of the wheel, both positive forward, and Fx the
//! force on the vehicle, positive forward; V_s = V − w is the slip speed and κ = −V_s/|V| the slip. In the letters of wheels
//! and vehicles V = x1, w = −x2 and Fx = −f. All numbers are in SI units.
//!
//! # Two forms
//! * *steady* ([`Characteristic::force`]): Fx is what the Magic Formula says at the slip of this instant. It has no
//!   meaning at V = 0, where the slip of a locked wheel jumps from −1 to 1;
//! * *deflection* ([`Deflection`]): the tread is a spring whose deflection z follows the slip speed and relaxes to the steady
//!   form. It holds at any speed, and with brakes and rolling resistance as sets a wheel comes to rest exactly.
//!
//! | file | what |
//! |---|---|
//! | `coefficients.rs` | the numbers of the Magic Formula, and where they hold |
//! | `characteristic.rs` | the formula at one load |
//! | `functions.rs` | arc tangent and sine for it |
//! | `tir.rs` | `.tir` files |
//! | `deflection.rs` | the tread as a contact element: rate, force, energy, derivatives, implicit step |
//! | `step.rs` | one implicit step of a body on braked wheels with tyres, one or many |

mod characteristic;
mod coefficients;
mod deflection;
mod functions;
mod step;
mod tir;

pub use characteristic::{Characteristic, REFERENCE_SLIDING};
pub use coefficients::{Coefficients, Tyre, TyreError, Version, Warning, ranges};
pub use deflection::{Damper, Deflection, Powers, Rate, SHIFT_SPEED, Sensitivity};
pub use step::{Answering, OnTyres, TyreWheel};
pub use tir::{TirError, parse_tir};
