//! What cannot be is refused in words.

use stickslip_contact::case::{Course, Pressing};
use stickslip_contact::finite_elements::case::FeError;
use stickslip_contact::finite_elements::{RollError, Transport};
use stickslip_contact::patch::Creepage;
use stickslip_contact::tangential::Motion;

use crate::{by, condensed, discs, wheels};

#[test]
fn before_any_work() {
    let mut contact = discs(21);
    contact.case.course = Course::Shift(Motion::creepage(1e-6, 0.0, 0.0));
    assert!(matches!(contact.check(), Err(FeError::NotHere { .. })));
    let mut contact = discs(3);
    assert!(matches!(contact.check(), Err(FeError::Number { .. })));
    contact = wheels(201);
    assert!(matches!(contact.check(), Err(FeError::TooMany { .. })));
    let mut contact = wheels(21);
    contact.meshing.width = Some(5e-3);
    assert!(matches!(contact.bodies(), Err(FeError::Mesh { body: 1, .. })));
    contact.meshing.width = None;
    contact.meshing.hub = Some(1.2);
    assert!(matches!(contact.bodies(), Err(FeError::Mesh { .. })));
    contact.meshing.hub = None;
    contact.meshing.growth = Some(0.9);
    assert!(matches!(contact.check(), Err(FeError::Number { .. })));
}

#[test]
fn memory_is_told_before_the_work() {
    let contact = wheels(21);
    let told = contact.order(contact.bodies().expect("meshes"), Some(1e8)).expect_err("too little");
    assert!(told.to_string().contains("GB"), "{told}");
}

#[test]
fn contacts_that_leave_the_fine_zone_or_are_none() {
    let contact = discs(21);
    let pair = condensed(&contact);
    let press = |pressing| pair.press(pressing, None, &[]);
    use stickslip_contact::finite_elements::Pressing as Press;
    assert!(matches!(press(Press::Load(40e6)), Err(RollError::Margin { .. })));
    assert!(matches!(press(Press::Load(1e3)), Err(RollError::Coarse { .. })));
    assert!(matches!(press(Press::Load(-1.0)), Err(RollError::Number { .. })));
    assert!(matches!(press(Press::Load(f64::NAN)), Err(RollError::Number { .. })));
    assert!(matches!(press(Press::Approach(-1e-5)), Err(RollError::NoContact { .. })));
    let rolling = by(&contact, Transport::Edge);
    assert!(rolling.roll(&pair, Creepage::longitudinal(f64::NAN), None).is_err());
    let mut contact = contact;
    contact.case.pressing = Pressing::LoadPerLength(-1.0);
    assert!(contact.check().is_err());
}

/// A mesh that is too small for its load is refused before it is condensed.
#[test]
fn meshes_that_are_brought_in_must_hold_the_contact() {
    let mut contact = discs(21);
    let body = contact.bodies().expect("meshes").first;
    contact.meshing.given[0] = Some(body);
    assert!(contact.bodies().is_ok());
    contact.case.pressing = Pressing::LoadPerLength(20e6);
    assert!(matches!(contact.bodies(), Err(FeError::Roll(RollError::Margin { .. }))));
}
