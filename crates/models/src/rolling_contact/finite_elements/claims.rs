//! Rolling contact of finite elements (docs/finite-elements.md).

use stickslip_contact::case::Course;
use stickslip_contact::finite_elements::case::FiniteElements;
use stickslip_contact::finite_elements::{Rolled, Transport};
use stickslip_contact::tangential::Motion;
use stickslip_run::Spent;
use stickslip_verify::Expected::{AtMost, Exactly, Near};
use stickslip_verify::Value::Number;
use stickslip_verify::{Basis, Chapter, Claim};

use super::{Ready, RollingElements, ready};

/// What finite elements claim.
pub(in super::super) const CHAPTER: Chapter = Chapter {
    title: "Rolling contact of finite elements",
    claims: &[
        Claim {
            text: "Discs, 41 elements across: fitted half-width over Hertz's, off 1",
            source: "docs/finite-elements.md 3",
            basis: Basis::ClosedForm,
            expected: AtMost(0.005),
            measure: |_| {
                let (contact, rolled) = solved("carter-fe", |_| ())?;
                let fitted = rolled.fitted.ok_or("no fit")?;
                Ok(Number((fitted.a / contact.case.outline().map_err(|e| e.to_string())?.a() - 1.0).abs()))
            },
        },
        Claim {
            text: "Discs: fitted greatest pressure over Hertz's, off 1",
            source: "docs/finite-elements.md 3",
            basis: Basis::ClosedForm,
            expected: AtMost(0.005),
            measure: |_| {
                let (contact, rolled) = solved("carter-fe", |_| ())?;
                let fitted = rolled.fitted.ok_or("no fit")?;
                Ok(Number((fitted.p0 / contact.case.outline().map_err(|e| e.to_string())?.p0() - 1.0).abs()))
            },
        },
        Claim {
            text: "Discs, leading-edge row: Q/(μP') at ξ = 0.0017",
            source: "Carter's closed form",
            basis: Basis::ClosedForm,
            expected: Near(0.539277, 0.0027),
            measure: |_| Ok(Number(share(&solved("carter-fe", |_| ())?))),
        },
        Claim {
            text: "Discs, first order: its error in percent",
            source: "Carter's closed form; error of an independent code on the same mesh",
            basis: Basis::Reference,
            expected: Near(1.06, 0.1),
            measure: |_| {
                let found = share(&solved("carter-fe", |contact| contact.meshing.transport = Transport::First)?);
                Ok(Number(100.0 * (found / 0.539277 - 1.0)))
            },
        },
        Claim {
            text: "Discs at ξ = 0.0055, beyond full slip: nodes that stick",
            source: "Carter's closed form",
            basis: Basis::ClosedForm,
            expected: Exactly(0.0),
            measure: |_| {
                let all = Course::Steady(Motion::creepage(0.0055, 0.0, 0.0));
                let (_, rolled) = solved("carter-fe", |contact| contact.case.course = all)?;
                Ok(Number(rolled.stick_share()))
            },
        },
        Claim {
            text: "Crowned wheels, 11 × 11 elements, first order, ξ = 0.0017: force over μN",
            source: "reference/fe/cylinders-fe-42kn.csv, an independent code on the same mesh",
            basis: Basis::Reference,
            expected: Near(0.580575, 2e-4),
            measure: |_| {
                Ok(Number(share(&solved("cylinders-fe-42kn", |contact| {
                    contact.meshing.across = Some(11);
                    contact.meshing.transport = Transport::First;
                    contact.case.course = Course::Steady(Motion::creepage(0.0017, 0.0, 0.0));
                })?)))
            },
        },
        Claim {
            text: "Unlike bodies rolling freely: force over μP that is left",
            source: "definition of free rolling",
            basis: Basis::Consistency,
            expected: AtMost(1e-9),
            measure: |_| {
                let (contact, ready) = made("wheel-on-block-fe", |_| ())?;
                let rolling = contact.rolling().map_err(|e| e.to_string())?;
                let free = rolling.free(&ready.pair).map_err(|e| e.to_string())?;
                Ok(Number((free.force[0] / (rolling.friction * free.normal.load)).abs()))
            },
        },
    ],
};

fn made(name: &str, change: impl Fn(&mut FiniteElements)) -> Result<(FiniteElements, Ready), String> {
    let scenario = crate::MODELS.builtin(name, &[]).map_err(|error| error.to_string())?;
    let Some(RollingElements(contact)) = scenario.model.of() else { return Err("another model".into()) };
    let mut contact = contact.clone();
    change(&mut contact);
    let ready = ready(&contact, None, &mut Spent::default(), &mut |_, _| ()).map_err(|error| error.to_string())?;
    Ok((contact, ready))
}

fn solved(name: &str, change: impl Fn(&mut FiniteElements)) -> Result<(FiniteElements, Rolled), String> {
    let (contact, ready) = made(name, change)?;
    let rolled = contact.roll(&ready.pair).map_err(|error| error.to_string())?;
    Ok((contact, rolled))
}

/// Force over μP.
fn share((contact, rolled): &(FiniteElements, Rolled)) -> f64 {
    rolled.force[0].hypot(rolled.force[1]) / (contact.case.friction.sticking() * rolled.normal.load)
}
