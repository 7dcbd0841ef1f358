//! What is recorded of a vehicle.

use super::{Parameters, Vehicle, VehicleState};
use crate::Name;
use crate::model::{Column, Record};

/// Columns before those of the wheels.
const CHASSIS: [Column; 3] = [
    Column::real("t", "s", "time"),
    Column::real("x1", "m/s", "speed of the chassis"),
    Column::real("x", "m", "position of the chassis"),
];

/// Columns after those of the wheels.
const TOTALS: [Column; 9] = [
    Column::real("r", "N", "rolling resistance, with the sign of x1"),
    Column::real("slope", "rad", "angle of the road, positive uphill"),
    Column::real("energy", "J", "kinetic energy"),
    Column::real("work_motor", "J", "work of the motors so far"),
    Column::real("work_gravity", "J", "work of gravity so far, negative uphill"),
    Column::real("work_drag", "J", "work of the air drag so far, negative"),
    Column::real("heat_ground", "J", "energy dissipated on the ground so far, all wheels"),
    Column::real("heat_brake", "J", "energy dissipated in all brakes so far"),
    Column::real("heat_rolling", "J", "energy dissipated by rolling resistance so far"),
];

/// t, x1, x, then v, f, g, eps_G, eps_B of each wheel, then totals.
pub(super) fn columns(parameters: &Parameters) -> Vec<Column> {
    let mut columns = CHASSIS.to_vec();
    for wheel in &parameters.wheels {
        let name = |short: &str| Name::Owned(format!("{short}_{}", wheel.name.replace(char::is_whitespace, "_")));
        let meaning = |text: &str| Name::Owned(format!("{}: {text}", wheel.name));
        let real = |short, unit, text| Column { name: name(short), unit, meaning: meaning(text), integer: false };
        let whole = |short, text| Column { name: name(short), unit: "1", meaning: meaning(text), integer: true };
        columns.extend([
            real("v", "m/s", "circumferential speed R·dθ/dt; rolling has v = −x1"),
            real("f", "N", "ground friction, with the sign of the slip x1 + v"),
            real("g", "N", "brake force (torque / R), with the sign of v"),
            whole("eps_G", "state of the ground contact: sign of its slip, 0 while it rolls"),
            whole("eps_B", "state of the brake: sign of its slip, 0 while it holds"),
        ]);
    }
    columns.extend(TOTALS);
    columns
}

impl Record for Vehicle {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn row(&self, t: f64, u: &VehicleState, out: &mut [f64]) {
        let (chassis, rest) = out.split_at_mut(CHASSIS.len());
        let (wheels, totals) = rest.split_at_mut(5 * self.wheels.len());
        chassis.copy_from_slice(&[t, u.x1(), u.x()]);
        for (i, cells) in wheels.chunks_exact_mut(5).enumerate() {
            let (ground, brake) = u.region(i).map_or((0, 0), |r| (r.ground(), r.brake()));
            cells.copy_from_slice(&[u.v()[i], u.f()[i], u.g()[i], f64::from(ground), f64::from(brake)]);
        }
        let [ground, brake, rolling] = u.heat();
        totals.copy_from_slice(&[
            u.r(),
            self.parameters.slope.at(t),
            self.kinetic(u.x1(), u.v()),
            u.motor_work(),
            u.gravity_work(),
            u.drag_work(),
            ground,
            brake,
            rolling,
        ]);
    }

    fn end(&self, u: &VehicleState) -> Vec<(Name, f64)> {
        let mut end: Vec<(Name, f64)> = vec![("x1".into(), u.x1()), ("x".into(), u.x())];
        for (i, columns) in self.columns[CHASSIS.len()..].chunks_exact(5).take(self.wheels.len()).enumerate() {
            for (column, value) in columns.iter().zip([u.v()[i], u.f()[i], u.g()[i]]) {
                end.push((column.name.clone(), value));
            }
        }
        end
    }
}
