//! Which contact is whose.

use stickslip_core::Name;

use super::{Parameters, TyreForm};

/// The contacts of a vehicle: of each wheel the ground, where it is dry friction, and the brake; then rolling resistance, if there is any.
///
/// A wheel on a tyre that deflects has no contact with the ground: its tyre is a spring that relaxes, no set of forces. One on a tyre
/// in its steady form has, for standstill: its name is that of the tyre.
#[derive(Debug, Clone)]
pub(super) struct Contacts {
    /// Row k of H, as (1 where x1 counts, the wheel whose speed counts).
    pub rows: Vec<(f64, Option<usize>)>,
    /// Contact with the ground of each wheel; none on a tyre that deflects.
    pub ground: Vec<Option<usize>>,
    /// The brake of each wheel.
    pub brake: Vec<usize>,
    /// Rolling resistance.
    pub resistance: Option<usize>,
    /// Whether all wheels have both, so that the vehicle is a star of the core.
    pub star: bool,
}

impl Contacts {
    pub fn new(p: &Parameters) -> (Contacts, Vec<Name>) {
        let mut contacts = Contacts {
            rows: Vec::new(),
            ground: Vec::new(),
            brake: Vec::new(),
            resistance: None,
            star: p.wheels.iter().all(|wheel| wheel.tyre.is_none()),
        };
        let mut names = Vec::new();
        let mut add = |row: (f64, Option<usize>), name: String| {
            contacts.rows.push(row);
            names.push(Name::Owned(name));
            contacts.rows.len() - 1
        };
        for (i, wheel) in p.wheels.iter().enumerate() {
            let name = match &wheel.tyre {
                None => Some("ground"),
                Some(tyre) => (tyre.form == TyreForm::Steady).then_some("tyre"),
            };
            contacts.ground.push(name.map(|name| add((1.0, Some(i)), format!("{} {name}", wheel.name))));
            contacts.brake.push(add((0.0, Some(i)), format!("{} brake", wheel.name)));
        }
        if p.resistance > 0.0 || p.road.rolling > 0.0 {
            contacts.resistance = Some(add((1.0, None), "rolling resistance".to_string()));
        }
        (contacts, names)
    }
}
