//! The chapters.

mod assembly;
mod between_events;
mod events;
mod resolvent;
mod road;
mod rolling;
mod star;
mod towed_wheel;
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
    between_events::CHAPTER,
    assembly::CHAPTER,
    road::CHAPTER,
    towed_wheel::CHAPTER,
    rolling::CHAPTER,
];
