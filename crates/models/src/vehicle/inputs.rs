//! What drives a vehicle from outside.

use super::Vehicle;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

impl Driven for Vehicle {
    fn inputs(&self) -> Vec<Input> {
        let of = |name: &str| {
            [("motor", "N m"), ("brake", "N m"), ("friction", "1")]
                .map(|(what, unit)| Input { name: format!("wheel.{name}.{what}"), unit })
        };
        let wheels = self.parameters.wheels.iter().flat_map(|wheel| of(&wheel.name));
        wheels.chain([Input { name: "road.slope".to_string(), unit: "rad" }]).collect()
    }

    fn input(&self, input: usize) -> Option<Signal> {
        let p = &self.parameters;
        Some(match (p.wheels.get(input / 3), input % 3) {
            (Some(wheel), 0) => wheel.motor.clone(),
            (Some(wheel), 1) => wheel.brake.clone(),
            (Some(wheel), _) => wheel.friction.clone(),
            (None, _) => p.slope.clone(),
        })
    }

    fn with_input(&self, input: usize, signal: Signal) -> Result<Vehicle, String> {
        let mut p = self.parameters.clone();
        match (p.wheels.get_mut(input / 3), input % 3) {
            (Some(wheel), 0) => wheel.motor = signal,
            (Some(wheel), 1) => wheel.brake = signal,
            (Some(wheel), _) => wheel.friction = signal,
            (None, _) => p.slope = signal,
        }
        Vehicle::new(p).map_err(|error| error.to_string())
    }
}
