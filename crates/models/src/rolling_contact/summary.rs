//! The numbers of a rolling contact.

use serde::Serialize;
use stickslip_contact::carter::{Carter, Traction};
use stickslip_contact::case::{Case, Course, Moment, Outcome, Outline};
use stickslip_contact::tangential::{Drive, Motion, Status};
use stickslip_core::law::Coefficient;
use stickslip_run::{Measures, Scenario};

use super::finite_elements::FiniteElementsNote;
use super::measures;

use stickslip_run::VERSION;
use stickslip_run::text::{number, number_to, percent};

/// Pressures further off Hertz's than this share are doubtful.
const FAR: f64 = 0.05;
/// Hubs below this share of the radius let a wheel wind up.
const SMALL_HUB: f64 = 0.05;
/// Above this ratio elements lock.
const LOCKING: f64 = 0.45;
/// Tractions that alternate by more than this share from row to row are called rough; with the leading edge it is 0.3 to 1.6 %, without it
/// 3 to 16 %.
const ROUGH: f64 = 0.02;
/// Above this angle contacts are not small; the hardest steels yield below a fifth of it.
const STEEP: f64 = 0.05;
/// Forces of two steps that differ by more than this share of μN are not the same, and those of the step before the last are, if they are nearer by
/// [`AGAIN`].
const SWINGS: f64 = 1e-3;
const AGAIN: f64 = 0.2;

/// What came out of a rolling contact; SI units, per metre in line contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RollingSummary {
    /// The scenario.
    pub scenario: String,
    /// Its hash.
    pub scenario_hash: String,
    /// The model.
    pub model: &'static str,
    /// `shift`, `transient` or `steady`.
    pub kind: &'static str,
    /// Force F_x on body 1 \[N\].
    pub force_x: f64,
    /// Force F_y on body 1 \[N\].
    pub force_y: f64,
    /// Moment M_z on body 1 [N m].
    pub moment: f64,
    /// μN \[N\].
    pub limit: f64,
    /// √(F_x² + F_y²)/(μN).
    pub friction_used: f64,
    /// Longitudinal creepage, given or found; in a shift the distance \[m\].
    pub longitudinal: f64,
    /// Lateral creepage, given or found; in a shift the distance \[m\].
    pub lateral: f64,
    /// Spin [rad/m].
    pub spin: f64,
    /// Share of the elements in contact that stick.
    pub stick_share: f64,
    /// How many stick.
    pub stick_elements: usize,
    /// How many slip.
    pub slip_elements: usize,
    /// Normal load on the grid \[N\].
    pub load: f64,
    /// Area in contact \[m²\]; in line contact its length \[m\].
    pub contact_area: f64,
    /// Greatest pressure \[Pa\].
    pub p0: f64,
    /// Approach of distant points \[m\]; meaningless in line contact and left out there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approach: Option<f64>,
    /// Hertz's solution.
    pub hertz: Hertz,
    /// Carter's or Cattaneo's closed form, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_form: Option<ClosedForm>,
    /// Elements of the grid and their sides \[m\].
    pub grid: GridNote,
    /// p0 over the contact modulus: the angle by which surfaces turn.
    #[serde(skip)]
    pub slope: f64,
    /// By what share of μN the force goes up and down from each of the last steps to the next; none where it does not.
    #[serde(skip)]
    pub alternates: Option<f64>,
    /// Whether it is the shift of half-planes, which have no point at rest.
    #[serde(skip)]
    pub of_half_planes: bool,
    /// Poisson's ratios of the bodies.
    #[serde(skip)]
    pub poisson: [f64; 2],
    /// Kalker's difference parameter: what the coupling of unlike bodies is of the order of; 0 for one material. Half-spaces
    /// neglect it, finite elements do not.
    pub material_difference: f64,
    /// Worst residual of the tractions.
    pub residual: f64,
    /// Residual of the pressure.
    pub pressure_residual: f64,
    /// Iterations for the tractions, all steps together.
    pub iterations: usize,
    /// Steps made; 1 unless rolled step by step.
    pub steps: usize,
    /// Power, wear number, greatest slip: `measures` and `measure_units`.
    #[serde(flatten)]
    pub measures: Measures,
    /// How much tractions alternate from row to row where the contact sticks, as a share (root mean square).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roughness: Option<f64>,
    /// What makes the result doubtful; absent if nothing does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What finite elements add; absent on half-spaces.
    #[serde(flatten)]
    pub finite_elements: Option<FiniteElementsNote>,
    /// The program.
    pub version: &'static str,
}

/// Hertz's solution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hertz {
    /// Half-axis in the rolling direction \[m\].
    pub a: f64,
    /// Half-axis across \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<f64>,
    /// Greatest pressure \[Pa\].
    pub p0: f64,
}

/// A closed form of the same problem.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClosedForm {
    /// `Carter` or `Cattaneo`.
    pub name: &'static str,
    /// Q/(μP').
    pub friction_used: f64,
    /// Share of the contact that sticks.
    pub stick_share: f64,
    /// Size of the creepage that carries the force, where that is given; absent where the creepage is given itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creepage: Option<f64>,
}

/// The grid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GridNote {
    /// Elements in the rolling direction.
    pub along: usize,
    /// Elements across.
    pub across: usize,
    /// Length of an element \[m\].
    pub dx: f64,
    /// Width of an element \[m\]; 1 in line contact.
    pub dy: f64,
}

impl RollingSummary {
    /// What the contact is made of: elements of the half-space, or nodes.
    pub(super) fn cells(&self) -> &'static str {
        if self.finite_elements.is_some() { "nodes" } else { "elements" }
    }

    /// Creepage by the closed form, and the share by which the computed one misses it; none where there is nothing to compare.
    pub fn creepage_error(&self) -> Option<(f64, f64)> {
        let exact = self.closed_form?.creepage.filter(|exact| *exact > 0.0)?;
        Some((exact, (self.longitudinal.abs() / exact - 1.0).abs()))
    }

    /// What makes the result doubtful, in sentences.
    pub(super) fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        if self.material_difference != 0.0 && self.finite_elements.is_none() {
            doubts.push(self.unlike_bodies());
        }
        if let Some(note) = &self.finite_elements {
            if let Some(off) = note.fitted.map(|fitted| fitted.p0 / self.hertz.p0 - 1.0).filter(|off| off.abs() > FAR) {
                doubts.push(format!(
                    "The greatest pressure is {} off Hertz's: the mesh is too coarse around the contact (take a `growth`, or more elements \
                     across), the bodies are small beside it, or radii and meshes do not belong together",
                    percent(off.abs())
                ));
            }
            if let Some(hub) = note.hub.filter(|hub| *hub < SMALL_HUB) {
                doubts.push(format!(
                    "A hub of {hub} of the radius lets the wheel wind up under its own force, which tilts the contact: forces leave \
                     Carter's by 0.2 % at {SMALL_HUB}, 2 % at 0.02 and 25 % at 0.005; take a greater `hub`"
                ));
            }
            if self.poisson.iter().any(|nu| *nu > LOCKING) {
                doubts.push(format!(
                    "Elements become too stiff as Poisson's ratio nears 0.5: with 0.49 forces are 2 % off in the plane and the pressure \
                     13 % in space; half-spaces know no such error (ν = {})",
                    number_to(self.poisson[0].max(self.poisson[1]), 4)
                ));
            }
        }
        if let Some(rough) = self.roughness.filter(|rough| *rough > ROUGH) {
            doubts.push(format!(
                "Tractions alternate by {} from row to row where the contact sticks (root mean square): the leading edge falls elsewhere \
                 between elements in every row. grid.order = \"edge\" accounts for it; forces are hardly touched by it",
                percent(rough)
            ));
        }
        if let Some(share) = self.alternates {
            doubts.push(format!(
                "The force goes up and down by {} of μN from each step to the next: where friction falls with slip a step can have several solutions, and \
                 what stands here is that of the last one. Take one step more or fewer to see the other, or another number of elements",
                percent(share)
            ));
        }
        if self.slope > STEEP {
            doubts.push(format!(
                "The contact is not small: p0 is {} of the contact modulus, so that surfaces turn by about {} rad; small strains and a \
                 plane contact are taken for granted, and steel would have yielded long before",
                number_to(self.slope, 2),
                number_to(self.slope, 2)
            ));
        }
        doubts
    }

    /// What is left out where the bodies are of different materials, in a sentence.
    pub fn unlike_bodies(&self) -> String {
        let theory = self.closed_form.map_or_else(String::new, |exact| {
            format!(
                "; {}'s closed form leaves it out, too, so that agreement with it does not show what that does",
                exact.name
            )
        });
        format!(
            "The bodies differ: the coupling of pressure and tractions (pressure shifts the surfaces against each other), of the \
             order of {}, is left out{theory}",
            number_to(self.material_difference.abs(), 2)
        )
    }

    pub(super) fn new(scenario: &Scenario, case: &Case, outcome: &Outcome) -> RollingSummary {
        let Outcome { contact, outline, solution, history, .. } = outcome;
        let grid = contact.grid();
        let mut summary = RollingSummary {
            scenario: scenario.name.clone(),
            scenario_hash: scenario.hash.clone(),
            model: scenario.model.name(),
            kind: match case.course {
                Course::Shift(_) => "shift",
                Course::Transient { .. } => "transient",
                Course::Steady(_) => "steady",
            },
            force_x: solution.force[0] + 0.0,
            force_y: solution.force[1] + 0.0,
            moment: solution.moment + 0.0,
            limit: solution.limit,
            friction_used: solution.force[0].hypot(solution.force[1]) / solution.limit,
            longitudinal: solution.creepage[0] + 0.0,
            lateral: solution.creepage[1] + 0.0,
            spin: solution.spin + 0.0,
            stick_share: solution.stick_share,
            stick_elements: solution.count(Status::Stick),
            slip_elements: solution.count(Status::Slip),
            load: contact.load,
            contact_area: contact.elements() as f64 * grid.area(),
            p0: contact.pressure().iter().copied().fold(0.0, f64::max),
            approach: (!case.is_line()).then_some(contact.approach),
            hertz: match outline {
                Outline::Ellipse(e) => Hertz { a: e.a, b: Some(e.b), p0: e.p0 },
                Outline::Strip(s) => Hertz { a: s.a, b: None, p0: s.p0 },
            },
            closed_form: closed_form(case, outcome).map(|(name, traction)| ClosedForm {
                name,
                friction_used: traction.ratio,
                stick_share: traction.stick(),
                creepage: carter_creepage(case, outcome),
            }),
            grid: GridNote { along: grid.nx(), across: grid.ny(), dx: grid.dx(), dy: grid.dy() },
            slope: contact.pressure().iter().copied().fold(0.0, f64::max) / case.material().contact_modulus(),
            material_difference: case.material().difference(),
            residual: history.iter().map(|moment| moment.residual).fold(0.0, f64::max),
            pressure_residual: contact.residual,
            iterations: history.iter().map(|moment| moment.iterations).sum(),
            steps: history.len(),
            measures: Measures::new(measures::measures(case, outcome), &scenario.expected),
            finite_elements: None,
            roughness: solution.roughness().filter(|_| !case.is_line()),
            warnings: Vec::new(),
            alternates: alternates(history, solution.limit),
            of_half_planes: case.is_line() && matches!(case.course, Course::Shift(_)),
            poisson: case.bodies.map(|body| body.material.poisson()),
            version: VERSION,
        };
        summary.warnings = summary.doubts();
        summary
    }
}

/// By what share of a force F the forces of the last four steps go up and down; none where they do not.
fn alternates(history: &[Moment], limit: f64) -> Option<f64> {
    let [a, b, c, d] = history.last_chunk::<4>()?;
    let apart = |one: &Moment, other: &Moment| (one.force[0] - other.force[0]).hypot(one.force[1] - other.force[1]);
    let swing = apart(c, d).min(apart(b, c));
    let same = apart(b, d).max(apart(a, c)) < AGAIN * swing;
    (same && swing > SWINGS * limit).then(|| swing / limit)
}

/// Carter's creepage |ξ| = ξ₁ (1 − √(1 − |Q|/(μP'))) under a given force; none for other motions.
fn carter_creepage(case: &Case, outcome: &Outcome) -> Option<f64> {
    let (Outline::Strip(strip), &Coefficient::Constant(friction)) = (outcome.outline, &case.friction) else {
        return None;
    };
    match case.course {
        Course::Steady(Motion { x: Drive::Force(force), .. }) => {
            let share = force.abs() / (friction * strip.load);
            let carter = Carter::new(strip, friction).ok()?;
            (share < 1.0).then(|| carter.full_slip() * (1.0 - (1.0 - share).sqrt()))
        }
        _ => None,
    }
}

/// The closed form of a line contact under longitudinal creepage or force alone, if this is one.
pub(super) fn closed_form(case: &Case, outcome: &Outcome) -> Option<(&'static str, Traction)> {
    let Outline::Strip(strip) = outcome.outline else {
        return None;
    };
    let Coefficient::Constant(friction) = case.friction else {
        return None;
    };
    let carter = Carter::new(strip, friction).ok()?;
    let alone = |motion: Motion| motion.spin == 0.0 && matches!(motion.y, Drive::Creepage(0.0) | Drive::Force(0.0));
    let share = |force: f64| force.abs() / (friction * strip.load);
    match case.course {
        Course::Steady(motion) if alone(motion) => {
            let xi = match motion.x {
                Drive::Creepage(xi) => xi.abs(),
                // Q/(μP') = 1 − (c/a)², c/a = 1 − ξ/ξ₁.
                Drive::Force(force) => carter.full_slip() * (1.0 - (1.0 - share(force)).max(0.0).sqrt()),
            };
            Some(("Carter", carter.rolling(xi).ok()?))
        }
        Course::Shift(motion) if alone(motion) => match motion.x {
            Drive::Force(force) => Some(("Cattaneo", carter.shifted(share(force)).ok()?)),
            Drive::Creepage(_) => None,
        },
        _ => None,
    }
}

impl RollingSummary {
    /// What came out, and whether to trust it, line by line for the terminal.
    pub(super) fn lines(&self) -> Vec<String> {
        let (moved, unit) = if self.kind == "shift" { ("shift   ", " m") } else { ("creep   ", "") };
        let mut lines = Vec::new();
        lines.push(format!(
            "force   F_x = {} N   F_y = {} N   M_z = {} N m   {} of μN = {} N{}",
            number(self.force_x),
            number(self.force_y),
            number(self.moment),
            percent(self.friction_used),
            number(self.limit),
            if self.hertz.b.is_none() { ", all per metre" } else { "" }
        ));
        lines.push(format!(
            "{moved}x {}{unit}   y {}{unit}   spin {} rad/m",
            number(self.longitudinal),
            number(self.lateral),
            number(self.spin)
        ));
        if self.of_half_planes && self.finite_elements.is_none() {
            lines.push(
                "        half-planes have no distant point at rest: only differences of shifts mean something, and forces".into(),
            );
        }
        lines.push(format!(
            "stick   {} of the contact: {} {} stick, {} slip",
            percent(self.stick_share),
            self.stick_elements,
            self.cells(),
            self.slip_elements
        ));
        let across = self.hertz.b.map_or_else(String::new, |b| format!(", b = {} mm", number(1e3 * b)));
        lines.push(format!(
            "contact a = {} mm{across}, p0 = {} MPa by Hertz; {} MPa on the grid",
            number(1e3 * self.hertz.a),
            number(1e-6 * self.hertz.p0),
            number(1e-6 * self.p0)
        ));
        lines.extend(self.finite_elements.as_ref().map(FiniteElementsNote::lines).unwrap_or_default());
        for measure in self.measures.listed() {
            lines.push(format!("{:<18} {}", measure.name, measure.value_in_words()));
        }
        lines.extend(self.measures.missing_in_words());
        if let Some(exact) = &self.closed_form {
            lines.push(format!(
                "exact   {}'s closed form: {} of μN, {} stick{}",
                exact.name,
                percent(exact.friction_used),
                percent(exact.stick_share),
                self.creepage_error().map_or_else(String::new, |(exact, off)| {
                    format!(", creepage {} (computed is {} off)", number(exact), percent(off))
                })
            ));
        }
        lines.extend(self.doubts().iter().map(|doubt| format!("WARNING {doubt}")));
        lines.push(format!(
            "trust   residual {} (tractions), {} (pressure), {} iterations",
            number_to(self.residual, 2),
            number_to(self.pressure_residual, 2),
            self.iterations
        ));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_that_go_up_and_down_are_told() {
        let history = |forces: &[f64]| -> Vec<Moment> {
            let moment = |force: &f64| Moment {
                distance: 0.0,
                creepage: [0.0; 2],
                force: [*force, 0.0],
                stick_share: 0.5,
                residual: 0.0,
                iterations: 1,
            };
            forces.iter().map(moment).collect()
        };
        let told = |forces: &[f64]| alternates(&history(forces), 100.0);
        assert_eq!(told(&[0.0, 59.0, 60.0, 58.0, 60.0, 58.0]), Some(0.02));
        // Settling, swinging ever less, rolling at rest, and too short.
        assert_eq!(told(&[0.0, 40.0, 50.0, 55.0, 57.0, 58.0]), None);
        assert_eq!(told(&[0.0, 80.0, 50.0, 60.0, 57.0, 58.0]), None);
        assert_eq!(told(&[58.0, 58.0, 58.0, 58.001, 58.0]), None);
        assert_eq!(told(&[60.0, 58.0, 60.0]), None);
    }
}
