//! What is measured of a vehicle.

use stickslip_run::{Gauge, Part};

use super::Vehicle;
use super::record::{self, Of};
use crate::ride::{Ride, wheel_part};

/// The wheels, and whatever else is in contact, as parts with states of their own.
pub(super) fn parts(vehicle: &Vehicle) -> Vec<Part> {
    let wheels = vehicle.parameters().wheels.iter().enumerate();
    let mut parts: Vec<Part> = wheels.map(|(i, wheel)| wheel_part(&wheel.name, 2 * i, 2 * i + 1)).collect();
    let others = vehicle.contacts.iter().enumerate().skip(2 * parts.len());
    parts.extend(others.map(|(k, name)| Part::contact(name, k)));
    parts
}

/// m x1' + r + Σ f_i = −m g sin θ − c |x1| x1.
pub(super) fn gauge(vehicle: &Vehicle) -> Box<dyn Gauge + '_> {
    let p = vehicle.parameters();
    let count = p.wheels.len();
    let [r, slope] = ["r", "slope"].map(|name| record::total(count, name));
    let forces: Vec<usize> = (0..count).map(|i| record::of_wheel(i, Of::Force)).collect();
    let acceleration = move |row: &[f64]| {
        let x1 = row[record::SPEED];
        let ground: f64 = forces.iter().map(|f| row[*f]).sum();
        -(row[r] + ground + p.drag * x1.abs() * x1) / p.mass - p.gravity * row[slope].sin()
    };
    let ride = Ride::new([record::SPEED, record::PLACE], acceleration);
    let wheels = parts(vehicle).into_iter().zip(&vehicle.wheels);
    Box::new(wheels.fold(ride, |ride, (part, wheel)| ride.with(part, &wheel.brake)))
}
