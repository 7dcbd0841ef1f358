//! Rolling contact on the half-space (docs/rolling.md).

use crate::rail_wheel::{Plan, RailWheel, RailWheelState};
use std::sync::Arc;

use stickslip_contact::case::{Case, Course, Outcome, Outline};
use stickslip_contact::hertz::Ellipse;
use stickslip_contact::kalker::Coefficients;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Creepage, Forces, Friction, Patch};
use stickslip_contact::tangential::{Motion, Status, Transport};
use stickslip_contact::theory::{Exact, Kind, Linear, Theory};
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};

use super::RollingContact;
use super::measures::measures;
use super::summary::closed_form;
use stickslip_run::Model;
use stickslip_verify::Expected::{AtMost, Exactly, Near};
use stickslip_verify::Value::Number;
use stickslip_verify::{Basis, Chapter, Claim, Value};

/// What this model claims.
pub(super) const CHAPTERS: &[Chapter] = &[CHAPTER, super::finite_elements::CHAPTER];

const CHAPTER: Chapter = Chapter {
    title: "Rolling contact of elastic bodies",
    claims: &[
        Claim {
            text: "Hertz, 42 kN: half-axis a (mm)",
            source: "docs/creep.md 2",
            basis: Basis::ClosedForm,
            expected: Near(4.25684, 5e-6),
            measure: |_| Ok(Number(1e3 * ellipse()?.a)),
        },
        Claim {
            text: "Hertz, 42 kN: half-axis b (mm)",
            source: "docs/creep.md 2",
            basis: Basis::ClosedForm,
            expected: Near(3.20209, 5e-6),
            measure: |_| Ok(Number(1e3 * ellipse()?.b)),
        },
        Claim {
            text: "Hertz, 42 kN: greatest pressure (MPa)",
            source: "docs/creep.md 2",
            basis: Basis::ClosedForm,
            expected: Near(1471.19, 5e-3),
            measure: |_| Ok(Number(1e-6 * ellipse()?.p0)),
        },
        Claim {
            // Second order in the element: (2·1.1/44)² = 2.5e-3.
            text: "42 kN on 44 × 44 elements: greatest pressure off Hertz's, relative",
            source: "docs/rolling.md 3",
            basis: Basis::ClosedForm,
            expected: AtMost(2.5e-3),
            measure: |_| {
                let solved = solve(&case("creep-42kn")?)?;
                let greatest = solved.contact.pressure().iter().copied().fold(0.0, f64::max);
                Ok(Number((greatest / ellipse()?.p0 - 1.0).abs()))
            },
        },
        Claim {
            text: "CONTACT, 42 kN, ξ = 0.0017, first order on 44 × 44 elements: force over μN",
            source: "reference/rolling/creep-grid-convergence-42kn.csv",
            basis: Basis::Reference,
            expected: Near(0.56028, 1e-5),
            measure: |_| {
                let mut case = case("creep-42kn")?;
                case.settings.transport = Transport::First;
                Ok(Number(share(&solve(&case)?)))
            },
        },
        Claim {
            text: "42 kN, ξ = 0.0017, second order on 44 × 44 elements: force over μN, limit of refinement",
            source: "reference/rolling/creep-limits-42kn.csv",
            basis: Basis::Reference,
            expected: Near(0.55, 2e-3),
            measure: |_| {
                let mut case = case("creep-42kn")?;
                case.settings.transport = Transport::Second;
                Ok(Number(share(&solve(&case)?)))
            },
        },
        Claim {
            text: "42 kN: greatest slip of all elements that stick",
            source: "exact is exact",
            basis: Basis::Consistency,
            expected: Exactly(0.0),
            measure: |_| {
                let solution = solve(&case("creep-42kn")?)?.solution;
                let stuck = (0..solution.status.len()).filter(|k| solution.status[*k] == Status::Stick);
                Ok(Number(stuck.map(|k| solution.slip_x[k].hypot(solution.slip_y[k])).fold(0.0, f64::max)))
            },
        },
        Claim {
            text: "Carter, 100 elements in contact: Q/(μP')",
            source: "docs/creep.md 5",
            basis: Basis::ClosedForm,
            expected: Near(0.539277, 0.005),
            measure: |_| Ok(Number(share(&solve(&case("carter")?)?))),
        },
        Claim {
            // What is left is the end of the stick zone, somewhere in an element; second order leaves up to 2 %.
            text: "Carter, 20 elements in contact, with the leading edge: Q/(μP')",
            source: "docs/creep.md 5",
            basis: Basis::ClosedForm,
            expected: Near(0.539277, 0.002),
            measure: |_| Ok(Number(share(&solve(&coarse()?)?))),
        },
        Claim {
            // (K + E)p = (x + Δx/2)/A in every row: exact up to the tolerances of pressure and tractions.
            text: "A strip of 20 elements that sticks under spin: force over φA(1−ν)P', with the leading edge",
            source: "docs/rolling.md 4",
            basis: Basis::ClosedForm,
            expected: Near(1.0, 1e-6),
            measure: |_| {
                let mut case = coarse()?;
                // R* = 0.25 m, ν = 0.3; half of the spin that friction holds.
                let spin = 0.5 * 0.3 / (0.25 * 0.7);
                case.course = Course::Steady(Motion::creepage(0.0, 0.0, spin));
                let solution = solve(&case)?.solution;
                Ok(Number(-solution.force[1] / (0.5 * solution.limit)))
            },
        },
        Claim {
            text: "Carter: share that sticks, to one element",
            source: "docs/creep.md 5",
            basis: Basis::ClosedForm,
            expected: Near(0.67877, 0.01),
            measure: |_| Ok(Number(solve(&case("carter")?)?.solution.stick_share)),
        },
        Claim {
            text: "Carter: power_over_speed, summed over the elements, over his force times the creepage",
            source: "Q ξ with Q = μP' (1 − (c/a)²): all work of the creepage becomes heat; second order in the element",
            basis: Basis::ClosedForm,
            expected: Near(1.0, 5e-3),
            measure: |_| Ok(Number(over_carter("power_over_speed")?)),
        },
        Claim {
            text: "Carter: wear_number over the same",
            source: "Q ξ with Q = μP' (1 − (c/a)²)",
            basis: Basis::ClosedForm,
            expected: Near(1.0, 5e-3),
            measure: |_| Ok(Number(over_carter("wear_number")?)),
        },
        Claim {
            text: "Cattaneo's shift on 19 × 19 elements (µm)",
            source: "docs/rolling.md 5, CONTACT",
            basis: Basis::Program,
            expected: Near(8.155, 5e-4),
            measure: |_| Ok(Number(1e6 * solve(&case("cattaneo")?)?.solution.creepage[0])),
        },
        Claim {
            text: "Cattaneo's shift: elements that stick",
            source: "docs/rolling.md 5, CONTACT",
            basis: Basis::Program,
            expected: Exactly(45.0),
            measure: |_| Ok(Number(solve(&case("cattaneo")?)?.solution.count(Status::Stick) as f64)),
        },
        Claim {
            text: "Cattaneo's shift: elements that slip",
            source: "docs/rolling.md 5, CONTACT",
            basis: Basis::Program,
            expected: Exactly(132.0),
            measure: |_| Ok(Number(solve(&case("cattaneo")?)?.solution.count(Status::Slip) as f64)),
        },
        Claim {
            // Printed with seven digits; the scenario's radius has eight.
            text: "Cattaneo to Carter: creepage after 8 steps under a constant force (10⁻³)",
            source: "reference/rolling/cattaneo-to-carter.csv",
            basis: Basis::Reference,
            expected: Near(2.427765, 1e-5),
            measure: |_| {
                let mut case = case("cattaneo-to-carter")?;
                if let Course::Transient { steps, .. } = &mut case.course {
                    *steps = 8;
                }
                Ok(Number(1e3 * solve(&case)?.solution.creepage[0]))
            },
        },
        Claim {
            // One ellipse of 20; all are in the example `kalker`.
            text: "Kalker's C_11, circle, ν = 0.25, by the exact theory over the table's, 44 × 44 elements",
            source: "reference/rolling/kalker-coefficients.csv",
            basis: Basis::Reference,
            expected: Near(1.0, 0.02),
            measure: |_| kalker(Creepage::longitudinal, |c| c.c11, |f| -f.fx),
        },
        Claim {
            text: "Kalker's C_22, likewise",
            source: "reference/rolling/kalker-coefficients.csv",
            basis: Basis::Reference,
            expected: Near(1.0, 0.02),
            measure: |_| kalker(Creepage::lateral, |c| c.c22, |f| -f.fy),
        },
        Claim {
            text: "Railway wheel, braked to rest: speed, rim speed and ground force at the end, greatest",
            source: "exact is exact",
            basis: Basis::Consistency,
            expected: Exactly(0.0),
            measure: |_| {
                let (_, end) = rail_wheel(16.0, Kind::Fastsim)?;
                Ok(Number(end.x1.abs().max(end.x2.abs()).max(end.f.abs())))
            },
        },
        Claim {
            // The table's error is 1.3/400² of μN, a few times that in creepage; V changes by 1e-4 of itself per step.
            text: "Railway wheel, braked steadily: creepage over that of Shen, Hedrick and Elkins in closed form",
            source: "docs/creep.md 6",
            basis: Basis::Consistency,
            expected: Near(1.0, 2e-4),
            measure: |_| {
                let (wheel, end) = rail_wheel(2.9, Kind::ShenHedrickElkins)?;
                let model = builtin("rail-wheel-braking")?;
                let Some(plan) = model.of::<Plan>() else { return Err("another model".into()) };
                let (limit, unit) = (wheel.parameters().curve.limit(), Creepage::longitudinal(1.0));
                let slope = -Linear.forces(&plan.patch, unit).map_err(|error| error.to_string())?.fx;
                let closed = 3.0 * limit / slope * (1.0 - (1.0 - end.f / limit).cbrt());
                Ok(Number(end.creepage() / closed))
            },
        },
    ],
};

fn builtin(name: &str) -> Result<Arc<dyn Model>, String> {
    crate::MODELS.builtin(name, &[]).map(|scenario| scenario.model).map_err(|error| error.to_string())
}

fn case(name: &str) -> Result<Case, String> {
    let model = builtin(name)?;
    let contact = model.of::<RollingContact>().map(|contact| contact.0.clone());
    contact.ok_or_else(|| format!("{name} is a {}", model.name()))
}

/// Carter's cylinders on 22 elements, of which 20 are in contact.
fn coarse() -> Result<Case, String> {
    let mut case = case("carter")?;
    case.elements.along = Some(22);
    case.settings.transport = Transport::Edge;
    Ok(case)
}

/// A coefficient of the linear theory: the force of the exact theory for a creepage so small that hardly anything slips,
/// over that of the table.
fn kalker(
    creepage: fn(f64) -> Creepage,
    coefficient: fn(&Coefficients) -> f64,
    force: fn(&Forces) -> f64,
) -> Result<Value, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let steel = Material::from_young(210e9, 0.25).map_err(|e| told(&e))?;
    let friction = Friction::constant(1.0).map_err(|e| told(&e))?;
    let patch = Patch::new(5e-3, 5e-3, 50e3, steel, friction).map_err(|e| told(&e))?;
    let size = 1e-6;
    let mut exact = Exact::new(44).map_err(|e| told(&e))?;
    let forces = exact.forces(&patch, creepage(size)).map_err(|e| told(&e))?;
    let linear = steel.shear_modulus() * patch.a() * patch.b() * size * coefficient(&patch.coefficients());
    Ok(Number(force(&forces) / linear))
}

/// The built-in rail wheel and its state after a time.
fn rail_wheel(duration: f64, theory: Kind) -> Result<(RailWheel, RailWheelState), String> {
    let model = builtin("rail-wheel-braking")?;
    let Some(plan) = model.of::<Plan>() else { return Err("another model".into()) };
    let wheel = Plan { theory, ..plan.clone() }.wheel().map_err(|error| error.to_string())?;
    let end =
        implicit_euler(&wheel, Grid::cover(duration, 1e-3), &mut NullObserver).map_err(|error| error.to_string())?;
    Ok((wheel, end.state))
}

/// A measure of the scenario `carter` over Carter's force times the creepage.
fn over_carter(name: &str) -> Result<f64, String> {
    let case = case("carter")?;
    let outcome = solve(&case)?;
    let (_, traction) = closed_form(&case, &outcome).ok_or("no closed form")?;
    let solution = &outcome.solution;
    let found = measures(&case, &outcome).into_iter().find(|measure| measure.name == name).ok_or("no such measure")?;
    Ok(found.value / (traction.ratio * solution.limit * solution.creepage[0].abs()))
}

fn solve(case: &Case) -> Result<Outcome, String> {
    case.solve(&mut |_| ()).map_err(|error| error.to_string())
}

fn ellipse() -> Result<Ellipse, String> {
    match case("creep-42kn")?.outline().map_err(|error| error.to_string())? {
        Outline::Ellipse(ellipse) => Ok(ellipse),
        Outline::Strip(_) => Err("a strip".into()),
    }
}

fn share(outcome: &Outcome) -> f64 {
    let solution = &outcome.solution;
    solution.force[0].hypot(solution.force[1]) / solution.limit
}
