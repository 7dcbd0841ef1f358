//! Which contact is whose.

use stickslip_core::Name;
use stickslip_core::inclusion::Rows;

use super::{Parameters, TyreForm};

/// The contacts of a vehicle: of each wheel the ground, where it is dry friction, and the brake; then rolling resistance, if there is any.
///
/// A wheel on a tyre that deflects has no contact with the ground: its tyre is a spring that relaxes, no set of forces. One on a tyre
/// in its steady form has, for standstill: its name is that of the tyre.
#[derive(Debug, Clone)]
pub(super) struct Contacts {
    /// Row k of H, as (1 where x1 counts, the wheel whose speed counts).
    pub rows: Vec<(f64, Option<usize>)>,
    /// The same as entries of H, in the order (x1, v_1 … v_n).
    pub h: Rows,
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
    /// Slip (or slip rate) of a contact where velocities (or accelerations) are v.
    #[inline]
    pub fn slip(&self, contact: usize, v: &[f64]) -> f64 {
        let (share, wheel) = self.rows[contact];
        share * v[0] + wheel.map_or(0.0, |i| v[1 + i])
    }

    pub fn new(p: &Parameters) -> (Contacts, Vec<Name>) {
        let mut contacts = Contacts {
            rows: Vec::new(),
            h: Rows::default(),
            ground: Vec::new(),
            brake: Vec::new(),
            resistance: None,
            star: p.wheels.iter().all(|wheel| wheel.tyre.is_none()),
        };
        let mut names = Vec::new();
        let mut add = |row: (f64, Option<usize>), name: String| {
            contacts.h.push([(0, row.0)].into_iter().chain(row.1.map(|i| (1 + i, 1.0))));
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
