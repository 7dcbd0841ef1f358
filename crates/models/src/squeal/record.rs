//! What is recorded of a wheel.

use stickslip_core::Name;
use stickslip_core::record::{Column, Record, column_part};
use stickslip_squeal::Wheel;
use stickslip_squeal::motion::Grip;
use stickslip_squeal::step::{height, lateral};

use super::{Rolling, SquealState};

static FIXED: [Column; OWN] = [
    Column::real("t", "s", "time"),
    Column::real("v", "m/s", "lateral velocity of the wheel at the contact, from the steady state"),
    Column::real("y", "m", "lateral displacement of the wheel at the contact, from the steady state"),
    Column::real("z", "m", "vertical displacement of the wheel at the contact, up"),
    Column::real("slip", "m/s", "slip velocity V s0 + v; 0 while a point sticks"),
    Column::real("F", "N", "lateral force of the rail on the wheel"),
    Column::real("N", "N", "normal load; 0 while wheel and rail are apart"),
    Column::real("roughness", "m", "height of the roughness under the wheel"),
    Column::real("energy", "J", "energy of the modes, kinetic and elastic, from steady sliding"),
    Column::whole("state", "contact: 0 sticks (a part of a patch does), 1 and -1 slips, 2 apart"),
];

/// Columns before those of single modes.
pub(super) const OWN: usize = 10;

/// Columns of a wheel.
pub(super) fn columns(wheel: &Wheel) -> Vec<Column> {
    let mode = |mode: &stickslip_squeal::Mode| Column {
        name: Name::Owned(format!("v_{}", column_part(&mode.name))),
        unit: "m/s",
        meaning: Name::Owned(format!("lateral velocity at the contact of the mode {}", mode.name)),
        integer: false,
    };
    FIXED.iter().cloned().chain(wheel.modes.iter().map(mode)).collect()
}

impl Record for Rolling {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Forces are functions of the state at the start.
    fn is_decided(&self, column: usize) -> bool {
        self.columns[column].integer
    }

    fn row(&self, t: f64, u: &SquealState, out: &mut [f64]) {
        let (m, wheel) = (&u.motion, self.wheel());
        let y: f64 = wheel.modes.iter().zip(&m.q).map(|(mode, q)| mode.lateral * q).sum();
        let energy: f64 = wheel
            .modes
            .iter()
            .zip(&m.q)
            .zip(&m.p)
            .map(|((mode, q), p)| 0.5 * (p * p + (mode.omega() * q).powi(2)))
            .sum();
        let state = match m.grip {
            Grip::Stick => 0.0,
            Grip::Slip(sign) => f64::from(sign),
            Grip::Open => 2.0,
        };
        let own =
            [t, lateral(wheel, &m.p), y, height(wheel, &m.q), m.slip, m.force, m.load, m.roughness, energy, state];
        out[..OWN].copy_from_slice(&own);
        for ((mode, p), out) in wheel.modes.iter().zip(&m.p).zip(&mut out[OWN..]) {
            *out = mode.lateral * p;
        }
    }

    /// Some nanoseconds a mode, and some hundred a patch.
    fn step_work(&self, u: &SquealState, _: u64) -> f64 {
        20.0 + 3.0 * self.wheel().modes.len() as f64 + 0.8 * u.motion.bristles.len() as f64
    }

    fn end(&self, u: &SquealState) -> Vec<(Name, f64)> {
        let (m, wheel) = (&u.motion, self.wheel());
        let end =
            [("v", lateral(wheel, &m.p)), ("slip", m.slip), ("z", height(wheel, &m.q)), ("F", m.force), ("N", m.load)];
        end.map(|(name, value)| (name.into(), value)).into()
    }

    fn doubts(&self, u: &SquealState) -> Vec<String> {
        let mut doubts = Vec::new();
        if u.motion.held > 0 {
            doubts.push(format!(
                "in {} steps a slip that began could not be told from one that ended, and the contact was held",
                u.motion.held
            ));
        }
        doubts
    }
}
