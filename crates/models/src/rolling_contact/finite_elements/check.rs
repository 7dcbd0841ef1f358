//! Is it physics? Rolling step by step held against half the stride, and against a finer contact.

use stickslip_contact::case::Course;
use stickslip_contact::finite_elements::Pair;
use stickslip_contact::finite_elements::case::{FeError, FiniteElements};
use stickslip_run::{Check, FeatureKind, Finding, Spent, Verdict};

use super::steps::{Steps, StepsNote};
use super::{cache_folder, ready};

/// Differences of the two strides that a finer contact may be off by.
const SAFETY: f64 = 3.0;

/// Share of a number that meshes of the default fineness are off by.
const MESH: f64 = 0.01;

/// Elements of the finer contact over those of the other; and one more, so that they stay odd.
const FINER: usize = 2;

/// What is compared: a name, its number, and by how much it may differ besides.
type Feature = (&'static str, fn(&StepsNote) -> Option<f64>, fn(&StepsNote) -> f64);

const FEATURES: [Feature; 7] = [
    ("force over μN at the end", |note| Some(note.friction_used), |_| 0.0),
    ("force over μN of steady rolling", |note| Some(note.steady_friction_used), |_| 0.0),
    ("share that sticks at the end", |note| Some(note.stick_share), |note| 1.5 * note.node_share),
    ("distance over a to within 1 % of steady", |note| note.within_1_percent_over_a, |note| note.step_over_a),
    ("heat at the end", |note| Some(note.heat), |_| 0.0),
    ("drive at the end", |note| Some(note.drive), |_| 0.0),
    ("stored at the end", |note| Some(note.stored), |_| 0.0),
];

/// Rolls again with half the stride, and on twice the elements across the contact (in space, where that takes long, and on meshes of others with a
/// quarter of the stride), and judges feature by feature.
pub(super) fn check(contact: &FiniteElements, pair: &Pair, own: &StepsNote) -> Result<Check, FeError> {
    let rolled = |contact: &FiniteElements, pair: &Pair| -> Result<StepsNote, FeError> {
        let on = contact.roll_on(pair, contact.meshing.reach, &mut |_| ())?;
        Ok(Steps::new(contact, on, None).note())
    };
    let half = rolled(&with_stride(contact, 2), pair)?;
    let finer = contact.case.is_line() && contact.meshing.given.iter().all(Option::is_none);
    let (reference, third) = if finer {
        let fine = finer_contact(contact);
        let ready = ready(&fine, cache_folder().as_deref(), &mut Spent::default(), &mut |_, _| ())?;
        ("finer mesh", rolled(&fine, &ready.pair)?)
    } else {
        ("h/4", rolled(&with_stride(contact, 4), pair)?)
    };
    let findings: Vec<Finding> = FEATURES.iter().filter_map(|feature| judged(feature, [own, &half, &third])).collect();
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let counts = [Verdict::Physics, Verdict::Numerics, Verdict::NotDecided].map(count);
    let beside = if finer { "on twice the elements across the contact" } else { "with a quarter of the stride" };
    let words = format!(
        "Rolled again with steps of half the length, and {beside}. A feature is physics if the run with half the step is as near to the last one as three times \
         the difference of the two strides and 1 % say. What convection takes is the discretisation's: no feature, but heat falls short by it."
    );
    let steps = [own.step, half.step];
    Ok(Check { steps, reference, parted: None, words, counts, findings })
}

fn judged((name, value, besides): &Feature, notes: [&StepsNote; 3]) -> Option<Finding> {
    let [coarse, fine, exact] = notes.map(value);
    if coarse.is_none() && fine.is_none() && exact.is_none() {
        return None;
    }
    let (allowed, verdict) = match (coarse, fine, exact) {
        (Some(coarse), Some(fine), Some(exact)) => {
            let allowed = SAFETY * (coarse - fine).abs() + MESH * exact.abs() + besides(notes[0]);
            let near = (fine - exact).abs() <= allowed;
            (Some(allowed), if near { Verdict::Physics } else { Verdict::Numerics })
        }
        _ => (None, Verdict::Numerics),
    };
    let feature = (*name).to_string();
    Some(Finding::new(feature, FeatureKind::Measure, [coarse, fine, exact], allowed, verdict))
}

/// The same way in so many times as many steps.
fn with_stride(contact: &FiniteElements, parts: usize) -> FiniteElements {
    let mut other = contact.clone();
    other.meshing.stride = Some(contact.meshing.stride.unwrap_or(1.0) / parts as f64);
    if let Course::Transient { steps, .. } = &mut other.case.course {
        *steps *= parts;
    }
    other
}

/// The same way on a finer contact.
fn finer_contact(contact: &FiniteElements) -> FiniteElements {
    let mut other = contact.clone();
    let across = contact.across();
    let finer = FINER * across + 1;
    other.meshing.across = Some(finer);
    if let Course::Transient { steps, .. } = &mut other.case.course {
        *steps = (*steps as f64 * finer as f64 / across as f64).round() as usize;
    }
    other
}
