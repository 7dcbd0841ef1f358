//! What is recorded of a vehicle.

use super::{Parameters, Vehicle, VehicleState, WheelData};
use crate::passed::Passed;
use stickslip_core::Name;
use stickslip_core::record::{Column, Grip, Record, column_part};

use crate::ride::{SLIP_RATIO, slip_ratio};

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

/// Numbers of the columns of the chassis.
pub(super) const SPEED: usize = 1;
pub(super) const PLACE: usize = 2;

/// Columns of each wheel.
const PER_WHEEL: usize = 7;

/// Columns of a wheel that are asked for by number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of {
    /// Ground friction f.
    Force = 1,
    /// Friction used.
    Use = 5,
    /// Slip ratio.
    Slip,
}

/// Number of a column of a wheel.
pub(super) fn of_wheel(wheel: usize, what: Of) -> usize {
    CHASSIS.len() + PER_WHEEL * wheel + what as usize
}

/// Number of a column after those of so many wheels.
pub(super) fn total(wheels: usize, name: &str) -> usize {
    let own = TOTALS.iter().position(|column| column.name == name).unwrap_or(0);
    CHASSIS.len() + PER_WHEEL * wheels + own
}

/// t, x1, x, then v, f, g, eps_G, eps_B, use, slip of each wheel, then totals, then loads where they move.
pub(super) fn columns(parameters: &Parameters) -> Vec<Column> {
    let mut columns = CHASSIS.to_vec();
    for wheel in &parameters.wheels {
        let name = |short: &str| Name::Owned(format!("{short}_{}", column_part(&wheel.name)));
        let meaning = |text: &str| Name::Owned(format!("{}: {text}", wheel.name));
        let real = |short, unit, text| Column { name: name(short), unit, meaning: meaning(text), integer: false };
        let whole = |short, text| Column { name: name(short), unit: "1", meaning: meaning(text), integer: true };
        columns.extend([
            real("v", "m/s", "circumferential speed R·dθ/dt; rolling has v = −x1"),
            real("f", "N", "ground friction, with the sign of the slip x1 + v"),
            real("g", "N", "brake force (torque / R), with the sign of v"),
            whole("eps_G", "state of the ground contact: sign of its slip, 0 while it rolls"),
            whole("eps_B", "state of the brake: sign of its slip, 0 while it holds"),
            real("use", "1", "friction used, |f|/(μN): 1 while it slips; 0 where the ground can transmit nothing"),
            real("slip", "1", SLIP_RATIO),
        ]);
    }
    columns.extend(TOTALS);
    if parameters.loads_move() {
        columns.extend(parameters.wheels.iter().map(|wheel| Column {
            name: Name::Owned(load_column(&wheel.name)),
            unit: "N",
            meaning: Name::Owned(format!("{}: load on the ground", wheel.name)),
            integer: false,
        }));
    }
    columns.extend(element_columns(parameters));
    columns
}

/// Deflections and energies of tyres, then temperatures of brake discs, where there are any.
fn element_columns(parameters: &Parameters) -> Vec<Column> {
    let own = |name: String, unit, meaning: String| Column {
        name: Name::Owned(name),
        unit,
        meaning: Name::Owned(meaning),
        integer: false,
    };
    let tyres: Vec<&WheelData> = parameters.wheels.iter().filter(|wheel| wheel.tyre.is_some()).collect();
    let discs: Vec<&WheelData> = parameters.wheels.iter().filter(|wheel| wheel.disc.is_some()).collect();
    let deflection = |wheel: &&WheelData| {
        let meaning = "deflection of the tyre's tread, with the sign of the force on the vehicle";
        own(deflection_column(&wheel.name), "m", format!("{}: {meaning}", wheel.name))
    };
    let temperature = |wheel: &&WheelData| {
        own(temperature_column(&wheel.name), "°C", format!("{}: temperature of the brake disc", wheel.name))
    };
    let mut columns: Vec<Column> = tyres.iter().map(deflection).collect();
    if !tyres.is_empty() {
        columns.push(own("energy_tyres".into(), "J", "energy stored in the treads of all tyres".into()));
        let meaning = "work of the shifts of the tyres' formulas so far, of either sign";
        columns.push(own("work_shifts".into(), "J", meaning.into()));
    }
    columns.extend(discs.iter().map(temperature));
    if !discs.is_empty() {
        columns.push(own("heat_cooled".into(), "J", "heat that the air has taken from all brake discs so far".into()));
    }
    columns
}

/// The column of a tyre's deflection.
pub(super) fn deflection_column(wheel: &str) -> String {
    format!("z_{}", column_part(wheel))
}

/// The column of a brake disc's temperature.
pub(super) fn temperature_column(wheel: &str) -> String {
    format!("T_{}", column_part(wheel))
}

/// The column of a wheel's load, where loads move.
pub(super) fn load_column(wheel: &str) -> String {
    format!("N_{}", column_part(wheel))
}

impl Record for Vehicle {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn row(&self, t: f64, u: &VehicleState, out: &mut [f64]) {
        let (chassis, rest) = out.split_at_mut(CHASSIS.len());
        let (wheels, rest) = rest.split_at_mut(PER_WHEEL * self.wheels.len());
        let (totals, rest) = rest.split_at_mut(TOTALS.len());
        let moving = if self.transfer.is_some() { self.wheels.len() } else { 0 };
        let (loads, elements) = rest.split_at_mut(moving);
        self.element_cells(u, elements);
        loads.iter_mut().enumerate().for_each(|(i, load)| *load = self.load(i, t, u));
        chassis.copy_from_slice(&[t, u.x1(), u.x()]);
        for (i, cells) in wheels.chunks_exact_mut(PER_WHEEL).enumerate() {
            let (ground, brake) = u.region(i).map_or((0, 0), |r| (r.ground(), r.brake()));
            let (ground, brake) = (f64::from(ground), f64::from(brake));
            let (v, used) = (u.v()[i], self.friction_used(i, t, u));
            let slip = slip_ratio(0.0 - v, u.x1());
            cells.copy_from_slice(&[v, u.f()[i], u.g()[i], ground, brake, used, slip]);
        }
        let [ground, brake, rolling] = u.heat();
        totals.copy_from_slice(&[
            u.r(),
            self.slope(t, u.x()),
            self.kinetic(u.x1(), u.v()),
            u.motor_work(),
            u.gravity_work(),
            u.drag_work(),
            ground,
            brake,
            rolling,
        ]);
    }

    /// Slip ratios are those of speeds, which are given at t = 0.
    fn is_decided(&self, column: usize) -> bool {
        let wheels = self.wheels.len();
        let slip = (0..wheels).any(|i| of_wheel(i, Of::Slip) == column);
        let column = &self.columns[column];
        !slip && (column.integer || matches!(column.unit, "N" | "N m" | "1"))
    }

    fn step_work(&self, _: &VehicleState, _: u64) -> f64 {
        3.0 + 0.5 * self.wheels.len() as f64
    }

    fn end(&self, u: &VehicleState) -> Vec<(Name, f64)> {
        let mut end: Vec<(Name, f64)> = vec![("x1".into(), u.x1()), ("x".into(), u.x())];
        for (i, columns) in self.columns[CHASSIS.len()..].chunks_exact(PER_WHEEL).take(self.wheels.len()).enumerate() {
            for (column, value) in columns.iter().zip([u.v()[i], u.f()[i], u.g()[i]]) {
                end.push((column.name.clone(), value));
            }
        }
        end
    }

    fn grips(&self) -> Vec<Grip> {
        let grip = |(i, wheel): (usize, &WheelData)| Grip { wheel: wheel.name.clone(), column: of_wheel(i, Of::Use) };
        self.parameters.wheels.iter().enumerate().map(grip).collect()
    }

    fn doubts(&self, u: &VehicleState) -> Vec<String> {
        // From event to event a tyre in its steady form is dry friction at standstill.
        let never = self.places.treads > 0 && !self.resists() && (u.stepped || self.deflects());
        let words = "without rolling resistance a vehicle on tyres never comes to rest in finite time, and creeps on a slope \
                     meanwhile: write `rolling` in [road]";
        let mut doubts: Vec<String> = never.then(|| words.to_string()).into_iter().collect();
        for (wheel, data) in self.wheels.iter().zip(&self.parameters.wheels) {
            let warnings = wheel.tread.iter().flat_map(|tread| tread.warnings(wheel.load));
            doubts.extend(warnings.map(|warning| format!("tyre of `{}`: {warning}", data.name)));
        }
        let mut passed = u.passed;
        passed.iter_mut().zip(self.passed(u)).for_each(|(known, now)| Passed::keep(known, now));
        let parts = passed.into_iter().zip(["a patch of the road", "what the slope has"]);
        doubts.extend(parts.filter_map(|(passed, what)| Some(passed?.words(what))));
        doubts
    }

    fn use_of_locked_wheels(&self, t: f64, u: &VehicleState) -> Option<f64> {
        let slope = self.slope(t, u.x());
        let loads = self.parameters.mass * self.parameters.gravity * slope.cos();
        let bounds: f64 = (0..self.wheels.len()).map(|i| self.ground_bound(i, t, u.x())).sum();
        (slope != 0.0 && bounds > 0.0).then(|| slope.tan().abs() * loads / bounds)
    }
}

impl Vehicle {
    /// What tyres and brake discs have to tell.
    fn element_cells(&self, u: &VehicleState, cells: &mut [f64]) {
        let treads = u.treads.iter().copied();
        let of_treads = [self.stored_in_treads(&u.treads), u.shift_work()];
        let discs = u.discs.iter().map(|disc| disc.temperature);
        let cooled = u.discs.iter().map(|disc| disc.cooled).sum::<f64>();
        let tyres = treads.chain(of_treads.into_iter().filter(|_| !u.treads.is_empty()));
        let all = tyres.chain(discs).chain([cooled].into_iter().filter(|_| !u.discs.is_empty()));
        cells.iter_mut().zip(all).for_each(|(cell, value)| *cell = value);
    }

    /// |f|/a_G of a wheel, on a tyre over the peak of its formula; 0 where the ground can transmit nothing.
    pub fn friction_used(&self, wheel: usize, t: f64, u: &VehicleState) -> f64 {
        if let Some(tread) = &self.wheels[wheel].tread {
            let peak = self.tread_of(wheel, tread, t, u).characteristic().peak();
            return if peak > 0.0 { u.f()[wheel].abs() / peak } else { 0.0 };
        }
        let bound = u.ground_bound(wheel).unwrap_or_else(|| self.ground_bound(wheel, t, u.x()));
        let bound = bound * self.load_factor(wheel, u.transfer, self.slope(t, u.x()).cos());
        if bound > 0.0 { u.f()[wheel].abs() / bound } else { 0.0 }
    }
}
