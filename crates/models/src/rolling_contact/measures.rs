//! What is measured of a rolling contact.

use stickslip_contact::case::{Case, Course, Outcome};
use stickslip_run::{Measure, Place};
use stickslip_scenario::Measurable;

const POWER: Measurable = Measurable::whole(
    "power_over_speed",
    "N",
    "frictional power over the rolling speed, energy dissipated per metre rolled: sum of -traction · slip over the elements",
);
const WEAR: Measurable = Measurable::whole(
    "wear_number",
    "N",
    "wear number Tγ: creep forces times creepages, |F_x ξ + F_y η|, without the moment of spin",
);
const GREATEST_SLIP: Measurable =
    Measurable::whole("greatest_slip", "1", "greatest slip of an element over the rolling speed; in a shift in m");

/// All that may be measured of a rolling contact.
pub(super) const MEASURES: &[Measurable] = &[POWER, WEAR, GREATEST_SLIP];

/// Power and wear number of what rolls (per metre of width in line contact), and the greatest slip.
pub(super) fn measures(case: &Case, outcome: &Outcome) -> Vec<Measure> {
    let solution = &outcome.solution;
    let slips = solution.slip_x.iter().zip(&solution.slip_y);
    let greatest = slips.map(|(x, y)| x.hypot(*y)).fold(0.0, f64::max);
    let greatest = Measure::new(&GREATEST_SLIP, greatest).at(Place::Key);
    if matches!(case.course, Course::Shift(_)) {
        return vec![Measure { unit: "m", ..greatest }];
    }
    let wear = solution.force.iter().zip(&solution.creepage).map(|(force, creepage)| force * creepage).sum::<f64>();
    let unit = if case.is_line() { "N/m" } else { POWER.unit };
    let measure = |of: &Measurable, value: f64| Measure { unit, ..Measure::new(of, value).at(Place::Key) };
    vec![measure(&POWER, solution.power()), measure(&WEAR, wear.abs()), greatest]
}
