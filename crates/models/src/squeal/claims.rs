//! What is claimed of squealing wheels.

use stickslip_verify::Chapter;

pub(super) const CHAPTERS: &[Chapter] = &[];
