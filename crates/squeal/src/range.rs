//! Ranges of the numbers that describe a wheel on its contact. They stand here and nowhere else: what checks a [`crate::Wheel`]
//! takes them from here, and so do the tables of scenario files.

use stickslip_core::range::{NonNegative, Positive};

/// Natural frequency of a mode.
pub type Frequency = Positive;
/// Rolling speed V.
pub type Speed = Positive;
/// Lateral creepage s0.
pub type Creepage = Positive;
/// Normal load N0.
pub type Load = Positive;
/// Approach δ0.
pub type Approach = Positive;
/// Static compliance of a whole body.
pub type Compliance = Positive;
/// What modes leave of it.
pub type Residual = NonNegative;
/// Initial slope of a creep law over μ.
pub type Slope = Positive;
/// Relaxation length.
pub type Lag = NonNegative;
/// Friction of a patch: without any it would hold nothing.
pub type PatchFriction = Positive;
/// Half length of a patch.
pub type HalfLength = Positive;
/// Flexibility of bristles.
pub type Flexibility = Positive;
