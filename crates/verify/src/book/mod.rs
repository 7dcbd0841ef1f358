//! The chapters.

mod resolvent;
mod star;
mod vehicle;
mod wheel;

use crate::Chapter;

/// All chapters, in order.
pub const BOOK: &[Chapter] = &[resolvent::CHAPTER, wheel::PHASES, wheel::MANOEUVRES, star::CHAPTER, vehicle::CHAPTER];
