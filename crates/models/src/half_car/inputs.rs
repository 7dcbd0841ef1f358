//! What drives a half-car from outside.

use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

use super::{Car, Parameters};

impl Driven for Car {
    fn inputs(&self) -> Vec<Input> {
        vec![Input { name: "half_car.brake".into(), unit: "N" }]
    }

    fn input(&self, input: usize) -> Option<Signal> {
        (input == 0).then(|| self.parameters.data.brake.clone())
    }

    fn with_input(&self, _: usize, signal: Signal) -> Result<Car, String> {
        let mut data = self.parameters.data.clone();
        data.brake = signal;
        Car::new(Parameters { data }).map_err(|error| error.to_string())
    }
}
