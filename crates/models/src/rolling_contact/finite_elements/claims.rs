//! Rolling contact of finite elements (docs/finite-elements.md).

use stickslip_contact::case::Course;
use stickslip_contact::finite_elements::case::{FiniteElements, RolledOn};
use stickslip_contact::finite_elements::{Reach, Rolled, Transport};
use stickslip_contact::tangential::Motion;
use stickslip_run::Spent;
use stickslip_verify::Basis::{ClosedForm, Consistency, Method, Reference};
use stickslip_verify::Expected::{AtMost, Exactly, Near};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim};

use super::{Ready, RollingElements, ready};

/// What finite elements claim.
pub(in super::super) const CHAPTER: Chapter = Chapter {
    title: "Rolling contact of finite elements",
    claims: &[
        Claim::that("Discs, 41 elements across: fitted half-width over Hertz's, off 1")
            .by(ClosedForm, "docs/finite-elements.md 3")
            .expects(AtMost(0.005), |_| {
                let (contact, rolled) = solved("carter-fe", |_| ())?;
                let fitted = rolled.fitted.ok_or("no fit")?;
                Ok(Number((fitted.a / contact.case.outline().map_err(|e| e.to_string())?.a() - 1.0).abs()))
            }),
        Claim::that("Discs: fitted greatest pressure over Hertz's, off 1")
            .by(ClosedForm, "docs/finite-elements.md 3")
            .expects(AtMost(0.005), |_| {
                let (contact, rolled) = solved("carter-fe", |_| ())?;
                let fitted = rolled.fitted.ok_or("no fit")?;
                Ok(Number((fitted.p0 / contact.case.outline().map_err(|e| e.to_string())?.p0() - 1.0).abs()))
            }),
        Claim::that("Discs, leading-edge row: Q/(μP') at ξ = 0.0017")
            .by(ClosedForm, "Carter's closed form")
            .expects(Near(0.539277, 0.0027), |_| Ok(Number(share(&solved("carter-fe", |_| ())?)))),
        Claim::that("Discs, first order: its error in percent")
            .by(Reference, "Carter's closed form; error of an independent code on the same mesh")
            .expects(Near(1.06, 0.1), |_| {
                let found = share(&solved("carter-fe", |contact| contact.meshing.transport = Transport::First)?);
                Ok(Number(100.0 * (found / 0.539277 - 1.0)))
            }),
        Claim::that("Discs at ξ = 0.0055, beyond full slip: nodes that stick")
            .by(ClosedForm, "Carter's closed form")
            .expects(Exactly(0.0), |_| {
                let all = Course::Steady(Motion::creepage(0.0055, 0.0, 0.0));
                let (_, rolled) = solved("carter-fe", |contact| contact.case.course = all)?;
                Ok(Number(rolled.stick_share()))
            }),
        Claim::that("Crowned wheels, 11 × 11 elements, first order, ξ = 0.0017: force over μN")
            .by(Reference, "reference/fe/cylinders-fe-42kn.csv, an independent code on the same mesh")
            .expects(Near(0.580575, 2e-4), |_| {
                Ok(Number(share(&solved("cylinders-fe-42kn", |contact| {
                    contact.meshing.across = Some(11);
                    contact.meshing.transport = Transport::First;
                    contact.case.course = Course::Steady(Motion::creepage(0.0017, 0.0, 0.0));
                })?)))
            }),
        Claim::that("Discs, step of creepage to 0.0017, first order: Q/(μP') after 4 a")
            .by(Reference, "reference/fe/carter-fe-transient.csv, an independent code on the same mesh")
            .expects(Near(0.224366, 0.0022), |_| {
                let (contact, on) = stepped(|contact| {
                    contact.meshing.transport = Transport::First;
                    contact.case.course = transient(100);
                })?;
                let a = on.rolled.fitted.ok_or("no fit")?.a;
                let after = on.stages.windows(2).find(|w| w[1].distance >= 4.0 * a).ok_or("not that far")?;
                let share = (4.0 * a - after[0].distance) / (after[1].distance - after[0].distance);
                let force = after[0].force[0] + share * (after[1].force[0] - after[0].force[0]);
                Ok(Number(-force / (contact.case.friction.sticking() * on.rolled.normal.load)))
            }),
        Claim::that("the same, leading-edge row, with the bodies' compliance, after 50 a: off steady rolling (%)")
            .by(Consistency, "Carter's discs rolled steadily, solved at once")
            .expects(AtMost(1.0), |_| Ok(Number(off_steady(50.0, Reach::Whole)?))),
        Claim::that("the same without what the contact has in common, after 6 a (%)")
            .by(Consistency, "Carter's discs rolled steadily, solved at once")
            .expects(AtMost(1.0), |_| Ok(Number(off_steady(6.0, Reach::Local)?))),
        Claim::that("the same, 200 steps of half an element: what five entries of the ledger leave over, of the drive")
            .by(Consistency, "docs/finite-elements.md 5")
            .expects(AtMost(1e-10), |_| {
                let (_, on) = stepped(|contact| {
                    contact.meshing.stride = Some(0.5);
                    contact.case.course = transient(200);
                })?;
                let energy = on.stages.last().ok_or("no steps")?.energy;
                Ok(Number((energy.missing() / energy.drive).abs()))
            }),
        Claim::that("Unlike bodies, 21 elements across, rolled step by step for 15 a: force off that of pressure and tractions solved at once, over μP")
            .by(Method, "the steady solution by turns, which knows no steps")
            .expects(AtMost(1e-6), |_| {
                let (contact, ready) = made("wheel-on-block-fe", |contact| {
                    (contact.meshing.across, contact.meshing.reach) = (Some(21), Reach::Local);
                    contact.case.course = transient(160);
                })?;
                let on = contact.roll_on(&ready.pair, Reach::Local, &mut |_| ()).map_err(|error| error.to_string())?;
                let limit = contact.case.friction.sticking() * on.steady.normal.load;
                Ok(Number((on.rolled.force[0] - on.steady.force[0]).abs() / limit))
            }),
        Claim::that("Unlike bodies rolling freely: force over μP that is left")
            .by(Consistency, "definition of free rolling")
            .expects(AtMost(1e-9), |_| {
                let (contact, ready) = made("wheel-on-block-fe", |_| ())?;
                let rolling = contact.rolling().map_err(|e| e.to_string())?;
                let free = rolling.free(&ready.pair).map_err(|e| e.to_string())?;
                Ok(Number((free.force[0] / (rolling.friction * free.normal.load)).abs()))
            }),
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

/// ξ = 0.0017 from rest, in so many steps.
fn transient(steps: usize) -> Course {
    Course::Transient { motion: Motion::creepage(0.0017, 0.0, 0.0), steps, shifted: false }
}

fn stepped(change: impl Fn(&mut FiniteElements)) -> Result<(FiniteElements, RolledOn), String> {
    let (contact, ready) = made("creepage-step-fe", change)?;
    let on = contact.roll_on(&ready.pair, contact.meshing.reach, &mut |_| ()).map_err(|error| error.to_string())?;
    Ok((contact, on))
}

/// By how much the force misses the steady one after a distance over a, in percent; 21 elements across.
fn off_steady(distance: f64, reach: Reach) -> Result<f64, String> {
    let (_, on) = stepped(|contact| {
        (contact.meshing.across, contact.meshing.reach) = (Some(21), reach);
        contact.case.course = transient((10.5 * distance).floor() as usize);
    })?;
    Ok(100.0 * (on.rolled.force[0] / on.steady.force[0] - 1.0).abs())
}

/// Force over μP.
fn share((contact, rolled): &(FiniteElements, Rolled)) -> f64 {
    rolled.force[0].hypot(rolled.force[1]) / (contact.case.friction.sticking() * rolled.normal.load)
}
