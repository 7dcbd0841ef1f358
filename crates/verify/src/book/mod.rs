//! The chapters.

mod assembly;
mod events;
mod resolvent;
mod road;
mod rolling;
mod star;
mod vehicle;
mod wheel;

use crate::Chapter;

/// All chapters, in order.
pub const BOOK: &[Chapter] = &[
    resolvent::CHAPTER,
    wheel::PHASES,
    wheel::MANOEUVRES,
    events::CHAPTER,
    star::CHAPTER,
    vehicle::CHAPTER,
    assembly::CHAPTER,
    road::CHAPTER,
    rolling::CHAPTER,
];
