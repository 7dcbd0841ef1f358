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
    const STATE: [usize; 5] = [column("psi"), column("Omega"), column("w"), column("u1"), column("u2")];
    let state = STATE.to_vec();
    let angle = Coordinate::new([STATE[0], STATE[1]], "psi", "rad");
    Box::new(Oscillation::new(state, vec![angle], AMPLITUDE, vec!["ground".into()]))
}
