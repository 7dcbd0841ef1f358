//! What a rolling contact comes to, in numbers: the outputs of sweeps and searches, under the names of `summary.json`.

use stickslip_contact::case::{Case, Course, Outcome, Outline};
use stickslip_contact::tangential::Status;
use stickslip_run::{Measure, Place};

use super::measures::measures;

/// Forces, moment, creepages, stick, contact and trust; then power, wear number and greatest slip.
pub(super) fn outputs(case: &Case, outcome: &Outcome) -> Vec<Measure> {
    let Outcome { contact, outline, solution, history, .. } = outcome;
    let [fx, fy] = solution.force;
    let (line, shift) = (case.is_line(), matches!(case.course, Course::Shift(_)));
    let (force, moment, area) = if line { ("N/m", "N", "m") } else { ("N", "N m", "m^2") };
    let moved = if shift { "m" } else { "1" };
    let key = |name, value, unit, words| number(name, value, unit, words, Place::Key);
    let file = |name, value, unit, words| number(name, value, unit, words, Place::File);
    let p0 = contact.pressure().iter().copied().fold(0.0, f64::max);
    let mut all = vec![
        key("force_x", fx, force, "force F_x on body 1"),
        key("force_y", fy, force, "force F_y on body 1"),
        key("moment", solution.moment, moment, "moment M_z on body 1"),
        key("friction_used", fx.hypot(fy) / solution.limit, "1", "force over what friction transmits at most"),
        key("stick_share", solution.stick_share, "1", "share of the elements in contact that stick"),
        file("limit", solution.limit, force, "what friction transmits at most, μN"),
        file(
            "longitudinal",
            solution.creepage[0],
            moved,
            "longitudinal creepage, given or found; in a shift a distance",
        ),
        file("lateral", solution.creepage[1], moved, "lateral creepage, given or found; in a shift a distance"),
        file("spin", solution.spin, if shift { "rad" } else { "rad/m" }, "spin; in a shift the angle turned"),
        file("stick_elements", solution.count(Status::Stick) as f64, "1", "elements that stick"),
        file("slip_elements", solution.count(Status::Slip) as f64, "1", "elements that slip"),
        file("load", contact.load, force, "normal load"),
        file("contact_area", contact.elements() as f64 * contact.grid().area(), area, "area in contact"),
        file("p0", p0, "Pa", "greatest pressure on the grid"),
        file("hertz_a", outline.a(), "m", "half-axis along x by Hertz"),
        file("hertz_p0", outline.p0(), "Pa", "greatest pressure by Hertz"),
    ];
    if let Outline::Ellipse(ellipse) = outline {
        all.push(file("hertz_b", ellipse.b, "m", "half-axis across by Hertz"));
        all.push(file("approach", contact.approach, "m", "approach of distant points"));
    }
    if let Some(roughness) = solution.roughness().filter(|_| !line) {
        all.push(file(
            "roughness",
            roughness,
            "1",
            "how much tractions alternate from row to row where the contact sticks",
        ));
    }
    let worst = history.iter().map(|moment| moment.residual).fold(0.0, f64::max);
    let iterations = history.iter().map(|moment| moment.iterations).sum::<usize>();
    all.extend([
        file("residual", worst, "1", "worst residual of the tractions"),
        file("pressure_residual", contact.residual, "1", "residual of the pressure"),
        file("iterations", iterations as f64, "1", "iterations for the tractions, all steps together"),
        file("steps", history.len() as f64, "1", "steps made; 1 unless rolled step by step"),
    ]);
    all.extend(measures(case, outcome));
    all
}

fn number(name: &str, value: f64, unit: &'static str, words: &str, place: Place) -> Measure {
    Measure { name: name.into(), value: value + 0.0, unit, words: words.into(), place, expected: None }
}
