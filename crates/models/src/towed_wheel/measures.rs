//! What is measured of a towed wheel.

use stickslip_run::Gauge;
use stickslip_scenario::Measurable;

use super::record::column;
use crate::oscillation::{Coordinate, Oscillation, PERIOD, STICK_DUTY};

const AMPLITUDE: Measurable = Measurable::whole(
    "amplitude",
    "rad",
    "half of the way between the turning points of the bar's angle in the last period",
);

/// All that may be measured of a towed wheel.
pub(super) const MEASURES: &[Measurable] = &[PERIOD, AMPLITUDE, STICK_DUTY];

/// Angle, its rate, displacement of the pin and slips decide how the motion goes on.
pub(super) fn gauge() -> Box<dyn Gauge> {
    let state = ["psi", "Omega", "w", "u1", "u2"].map(column).to_vec();
    let angle = Coordinate::new(["psi", "Omega"].map(column), "psi", "rad");
    Box::new(Oscillation::new(state, vec![angle], AMPLITUDE, vec!["ground".into()]))
}
