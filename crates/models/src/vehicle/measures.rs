//! What is measured of a vehicle.

use stickslip_core::signal::Signal;
use stickslip_run::{Gauge, Part};

use super::record::{self, Of};
use super::{Vehicle, WheelData};
use crate::ride::{Ride, tyre_part, wheel_part};

/// The wheels, and whatever else is in contact, as parts with states of their own.
pub(super) fn parts(vehicle: &Vehicle) -> Vec<Part> {
    let wheels = vehicle.parameters().wheels.iter().enumerate();
    let of = &vehicle.contact_of;
    let part = |(i, wheel): (usize, &WheelData)| match of.ground[i] {
        Some(ground) => wheel_part(&wheel.name, ground, of.brake[i]),
        None => tyre_part(&wheel.name, of.resistance, of.brake[i]),
    };
    let mut parts: Vec<Part> = wheels.map(part).collect();
    parts.extend(of.resistance.map(|k| Part::contact(&vehicle.contacts[k], k)));
    parts
}

/// m x1' + r + Σ f_i = −m g sin θ − c |x1| x1.
pub(super) fn gauge<'a>(vehicle: &'a Vehicle, brakes: &'a [Signal]) -> Box<dyn Gauge + 'a> {
    let p = vehicle.parameters();
    let count = p.wheels.len();
    let [r, slope] = ["r", "slope"].map(|name| record::total(count, name));
    let forces: Vec<usize> = (0..count).map(|i| record::of_wheel(i, Of::Force)).collect();
    let acceleration = move |row: &[f64]| {
        let x1 = row[record::SPEED];
        let ground: f64 = forces.iter().map(|f| row[*f]).sum();
        -(row[r] + ground + p.drag * x1.abs() * x1) / p.mass - p.gravity * row[slope].sin()
    };
    let ride = Ride::new([record::SPEED, record::PLACE], acceleration).on_tyres(!vehicle.contact_of.star);
    let wheels = parts(vehicle).into_iter().zip(brakes);
    Box::new(wheels.fold(ride, |ride, (part, brake)| ride.with(part, brake)))
}
