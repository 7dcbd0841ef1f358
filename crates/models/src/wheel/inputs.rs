//! What drives the wheel from outside.

use super::{Parameters, Wheel};
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

impl Driven for Wheel {
    fn inputs(&self) -> Vec<Input> {
        let inputs = [("motor.torque", "N m"), ("brake.torque", "N m"), ("ground.friction", "1")];
        inputs.into_iter().map(|(name, unit)| Input { name: name.to_string(), unit }).collect()
    }

    fn input(&self, input: usize) -> Option<Signal> {
        let p = &self.parameters;
        [&p.motor, &p.brake, &p.friction].get(input).map(|signal| (*signal).clone())
    }

    fn with_input(&self, input: usize, signal: Signal) -> Result<Wheel, String> {
        let mut p: Parameters = self.parameters.clone();
        match input {
            0 => p.motor = signal,
            1 => p.brake = signal,
            _ => p.friction = signal,
        }
        Wheel::new(p).map_err(|error| error.to_string())
    }
}
