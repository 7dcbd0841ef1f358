//! What is recorded of a towed wheel.

use super::{TowedState, TowedWheel};
use stickslip_core::Name;
use stickslip_core::record::{Column, Record, place};

static COLUMNS: [Column; 13] = [
    Column::real("t", "s", "time"),
    Column::real("psi", "rad", "angle of the bar against the direction of towing"),
    Column::real("Omega", "rad/s", "its rate"),
    Column::real("w", "m", "displacement of the pin"),
    Column::real("u1", "m/s", "slip along the bar; exactly 0 while rolling"),
    Column::real("u2", "m/s", "slip across the bar; exactly 0 while rolling"),
    Column::real("F1", "N", "force of the ground along the bar"),
    Column::real("F2", "N", "force of the ground across the bar"),
    Column::real("demand", "1", "force of the ground over the greatest friction force C; 1 while slipping"),
    Column::whole("slips", "state of the contact: 0 while rolling, 1 while slipping"),
    Column::real("energy", "J", "energy of the motion relative to straight rolling, spring included"),
    Column::real("work", "J", "work of the towing vehicle so far, in the same frame"),
    Column::real("heat", "J", "energy dissipated in the contact so far"),
];

/// Number of the column of this name, for constants.
pub(super) const fn column(name: &str) -> usize {
    place(&COLUMNS, name)
}

impl Record for TowedWheel {
    fn columns(&self) -> &[Column] {
        &COLUMNS
    }

    fn row(&self, t: f64, x: &TowedState, out: &mut [f64]) {
        let friction = self.parameters.friction;
        let demand = if friction > 0.0 { x.f1.hypot(x.f2) / friction } else { 0.0 };
        out.copy_from_slice(&[
            t,
            x.psi,
            x.omega,
            x.w,
            x.u1,
            x.u2,
            x.f1,
            x.f2,
            demand,
            f64::from(u8::from(!x.rolls())),
            self.energy(x.w, [x.u1, x.u2, x.omega]),
            x.work(),
            x.heat(),
        ]);
    }

    fn step_work(&self, _: &TowedState, _: u64) -> f64 {
        4.0
    }

    fn end(&self, x: &TowedState) -> Vec<(Name, f64)> {
        let end = [("psi", x.psi), ("Omega", x.omega), ("w", x.w), ("u1", x.u1), ("u2", x.u2)];
        end.map(|(name, value)| (name.into(), value)).into()
    }
}
