//! What is claimed of the inclusion and its solvers, whatever the model.

mod resolvent;
mod star;

use crate::Chapter;

/// The chapters that belong to no model.
pub const GENERAL: &[Chapter] = &[resolvent::CHAPTER, star::CHAPTER];
