//! What drives the wheel from outside.

use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

use super::RailWheel;

impl Driven for RailWheel {
    fn inputs(&self) -> Vec<Input> {
        let inputs = [("motor.torque", "N m"), ("brake.torque", "N m"), ("pull", "N")];
        inputs.into_iter().map(|(name, unit)| Input { name: name.to_string(), unit }).collect()
    }

    fn input(&self, input: usize) -> Option<Signal> {
        let p = &self.parameters;
        [&p.motor, &p.brake, &p.pull].get(input).map(|signal| (*signal).clone())
    }

    fn with_input(&self, input: usize, signal: Signal) -> Result<RailWheel, String> {
        let mut p = self.parameters.clone();
        match input {
            0 => p.motor = signal,
            1 => p.brake = signal,
            _ => p.pull = signal,
        }
        RailWheel::new(p).map_err(|error| error.to_string())
    }
}
