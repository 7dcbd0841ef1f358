//! What drives a motorcycle from outside.

use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

use super::{Motorcycle, WHEELS};

impl Driven for Motorcycle {
    fn inputs(&self) -> Vec<Input> {
        let of = |name: &&str| ["brake", "drive"].map(|what| Input { name: format!("{name}.{what}"), unit: "N m" });
        WHEELS.iter().flat_map(of).collect()
    }

    fn input(&self, input: usize) -> Option<Signal> {
        let wheel = self.parameters.data.wheels.get(input / 2)?;
        Some(if input.is_multiple_of(2) { wheel.brake.clone() } else { wheel.motor.scaled(-1.0) })
    }

    /// Drives count forward, as in files; the equations count counter-clockwise.
    fn with_input(&self, input: usize, signal: Signal) -> Result<Motorcycle, String> {
        let mut p = self.parameters.clone();
        let wheel = &mut p.data.wheels[usize::from(input >= 2)];
        match input % 2 {
            0 => wheel.brake = signal,
            _ => wheel.motor = signal.scaled(-1.0),
        }
        Motorcycle::new(p).map_err(|error| error.to_string())
    }
}
