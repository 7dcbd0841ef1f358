//! What is recorded of a rolling wheel.

use stickslip_core::Name;
use stickslip_core::record::{Column, Grip, Record, place};

use super::{RailWheel, RailWheelState};
use crate::ride::{SLIP_RATIO, slip_ratio};
use stickslip_run::text::{number_to, seconds};

/// A swing of this share of μN is looked at.
const SEEN: f64 = 0.01;

/// What a step may take away of the first swing back.
const LOST: f64 = 0.1;

/// ω times a step that takes away less than that.
const RESOLVED: f64 = 0.06;

/// The share of its amplitude that implicit Euler's method takes from an oscillation in half a period: each step turns it by
/// atan ωh and divides it by √(1 + (ωh)²).
fn lost_in_half_a_swing(turned: f64) -> f64 {
    let steps = std::f64::consts::PI / turned.atan();
    1.0 - (1.0 + turned * turned).powf(-0.5 * steps)
}

static COLUMNS: [Column; 21] = [
    Column::real("t", "s", "time"),
    Column::real("x1", "m/s", "speed of the wheel centre"),
    Column::real("x2", "m/s", "circumferential speed R·dθ/dt; rolling has x2 ≈ −x1"),
    Column::real("f", "N", "ground force, with the sign of the slip x1 + x2"),
    Column::real("g", "N", "brake force (torque / R), with the sign of x2"),
    Column::real("xi", "1", "creepage (x1 + x2)/V, V = |x1 − x2|/2; 0 where nothing rolls"),
    Column::real("utilisation", "1", "|f| over its limit μN"),
    Column::real("slide", "m/s", "sliding of the contact as a whole, 0 while a part of it sticks"),
    Column::whole("eps_G", "state of the ground contact: sign of its slide, 0 while a part of it sticks"),
    Column::whole("eps_B", "state of the brake: sign of its slip, 0 while it holds"),
    Column::real("x", "m", "position of the wheel centre"),
    Column::real("theta", "rad", "angle of the wheel, counter-clockwise"),
    Column::real("energy", "J", "kinetic energy and that of the sheared contact"),
    Column::real("work", "J", "work of motor and pull so far"),
    Column::real("heat_ground", "J", "energy dissipated in the contact area so far"),
    Column::real("heat_brake", "J", "energy dissipated in the brake so far"),
    Column::real("shear", "m", "elastic shear f/k of the contact"),
    Column::real("M", "N m", "motor torque"),
    Column::real("brake_bound", "N m", "greatest torque the brake can hold"),
    Column::real("pull", "N", "force on the wheel centre"),
    Column::real("slip", "1", SLIP_RATIO),
];

/// Number of the column of this name, for constants.
pub(super) const fn column(name: &str) -> usize {
    place(&COLUMNS, name)
}

impl Record for RailWheel {
    fn columns(&self) -> &[Column] {
        &COLUMNS
    }

    fn row(&self, t: f64, u: &RailWheelState, out: &mut [f64]) {
        let p = self.parameters();
        let [ground, brake] = u.signs().unwrap_or([0, 0]);
        let [heat_ground, heat_brake] = u.dissipated();
        out.copy_from_slice(&[
            t,
            u.x1,
            u.x2,
            u.f,
            u.g,
            u.creepage(),
            u.f.abs() / p.curve.limit(),
            u.slide,
            f64::from(ground),
            f64::from(brake),
            u.x(),
            u.theta(),
            self.stored(u.x1, u.x2, u.f),
            u.work(),
            heat_ground,
            heat_brake,
            u.f / p.stiffness,
            self.drive.at(t) * p.radius,
            self.brake_bound(t) * p.radius,
            p.pull.at(t),
            slip_ratio(0.0 - u.x2, u.x1),
        ]);
    }

    /// The ground's force belongs to the sheared contact, which is given at t = 0 as positions are; so does the creepage.
    fn is_decided(&self, column: usize) -> bool {
        let column = &COLUMNS[column];
        let of_contact = ["f", "xi", "utilisation"].contains(&column.name.as_ref());
        !of_contact && (column.integer || ["N", "N m"].contains(&column.unit))
    }

    fn step_work(&self, _: &RailWheelState, _: u64) -> f64 {
        4.0
    }

    fn end(&self, u: &RailWheelState) -> Vec<(Name, f64)> {
        u.named()
    }

    fn doubts(&self, u: &RailWheelState) -> Vec<String> {
        let (p, h) = (self.parameters(), u.h[0]);
        let omega = (p.stiffness / p.mass).sqrt();
        let lost = lost_in_half_a_swing(omega * h);
        if u.swing <= SEEN * p.curve.limit() || lost <= LOST {
            return Vec::new();
        }
        vec![format!(
            "where the brake has stopped it, the wheel swings on its contact at {} Hz with {} N at first; the step of {} takes {} of that away in half a swing, \
             so that forces and speeds after the stop are too small: try {} or less",
            number_to(omega / std::f64::consts::TAU, 2),
            number_to(u.swing, 2),
            seconds(h),
            format!("{} %", number_to(100.0 * lost, 2)),
            seconds(RESOLVED / omega),
        )]
    }

    fn grips(&self) -> Vec<Grip> {
        COLUMNS
            .iter()
            .position(|column| column.name == "utilisation")
            .map(|column| Grip { wheel: "wheel".into(), column })
            .into_iter()
            .collect()
    }
}
