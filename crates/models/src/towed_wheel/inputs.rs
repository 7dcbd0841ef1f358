//! What drives the towed wheel from outside: nothing but its towing, which is constant.

use super::TowedWheel;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

impl Driven for TowedWheel {
    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }

    fn input(&self, _: usize) -> Option<Signal> {
        None
    }

    fn with_input(&self, _: usize, _: Signal) -> Result<TowedWheel, String> {
        Err("a towed wheel has no inputs".to_string())
    }
}
