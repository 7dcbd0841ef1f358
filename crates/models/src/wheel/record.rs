//! What is recorded of a wheel.

use super::{Wheel, WheelState};
use stickslip_core::Name;
use stickslip_core::record::{Column, Record, place};

use crate::ride::{SLIP_RATIO, slip_ratio};

static COLUMNS: [Column; 18] = [
    Column::real("t", "s", "time"),
    Column::real("x1", "m/s", "speed of the wheel centre"),
    Column::real("x2", "m/s", "circumferential speed R·dθ/dt; rolling has x2 = −x1"),
    Column::real("f", "N", "ground friction, with the sign of the slip x1 + x2"),
    Column::real("g", "N", "brake force (torque / R), with the sign of x2"),
    Column::real("G", "1", "normalised brake force g/a_B in [−1, 1]; 0 where there is no brake (a_B = 0)"),
    Column::whole("eps_G", "state of the ground contact: sign of its slip, 0 while it rolls"),
    Column::whole("eps_B", "state of the brake: sign of its slip, 0 while it holds"),
    Column::real("x", "m", "position of the wheel centre"),
    Column::real("theta", "rad", "angle of the wheel, counter-clockwise"),
    Column::real("energy", "J", "kinetic energy"),
    Column::real("work", "J", "work of the motor so far"),
    Column::real("heat_ground", "J", "energy dissipated on the ground so far"),
    Column::real("heat_brake", "J", "energy dissipated in the brake so far"),
    Column::real("M", "N m", "motor torque"),
    Column::real("brake_bound", "N m", "greatest torque the brake can hold"),
    Column::whole("region", "which of the nine regions of the plane the step fell into"),
    Column::real("slip", "1", SLIP_RATIO),
];

/// Number of the column of this name, for constants.
pub(super) const fn column(name: &str) -> usize {
    place(&COLUMNS, name)
}

impl Record for Wheel {
    fn columns(&self) -> &[Column] {
        &COLUMNS
    }

    fn row(&self, t: f64, u: &WheelState, out: &mut [f64]) {
        let radius = self.parameters.radius;
        let a_b = self.brake_bound(t);
        let (ground, brake, region) = u.region().map_or((0, 0, 0), |r| (r.ground(), r.brake(), r.number()));
        // On the graph of the sign exactly: ±1 while the brake slips, g/a_B while it holds.
        let normalised = match brake {
            _ if a_b == 0.0 => 0.0,
            // Rounding, and a bound that rises in the first step, take nothing beyond the ends.
            0 => (u.g / a_b).clamp(-1.0, 1.0),
            sign => f64::from(sign),
        };
        let [heat_ground, heat_brake] = u.dissipated();
        out.copy_from_slice(&[
            t,
            u.x1,
            u.x2,
            u.f,
            u.g,
            normalised,
            f64::from(ground),
            f64::from(brake),
            u.x(),
            u.theta(),
            self.kinetic(u.x1, u.x2),
            u.work(),
            heat_ground,
            heat_brake,
            self.drive(t) * radius,
            a_b * radius,
            f64::from(region),
            slip_ratio(0.0 - u.x2, u.x1),
        ]);
    }

    /// The slip ratio is one of speeds, which are given at t = 0.
    fn is_decided(&self, column: usize) -> bool {
        let column = &COLUMNS[column];
        column.name != "slip" && (column.integer || matches!(column.unit, "N" | "N m" | "1"))
    }

    fn end(&self, u: &WheelState) -> Vec<(Name, f64)> {
        u.named()
    }
}
