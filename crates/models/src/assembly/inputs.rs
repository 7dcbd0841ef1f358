//! What drives an assembly from outside.

use super::{Assembly, Motion, Parameters};
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};

/// Names of axes, and the units of what acts along them.
const AXES: [(&str, &str); 3] = [("x", "N"), ("y", "N"), ("yaw", "N m")];

impl Parameters {
    /// What tells force k from those before it on the same body along the same axis: nothing for the first, `_2` for the second.
    pub(super) fn force_number(&self, k: usize) -> String {
        let Some(force) = self.forces.get(k) else { return String::new() };
        let again = self.forces[..k].iter().filter(|f| f.body == force.body && f.component == force.component).count();
        if again == 0 { String::new() } else { format!("_{}", again + 1) }
    }
}

/// All signals of an assembly with the names of the inputs that they are.
fn signals(p: &mut Parameters) -> Vec<(Input, &mut Signal)> {
    let numbers: Vec<String> = (0..p.forces.len()).map(|k| p.force_number(k)).collect();
    let mut all = Vec::new();
    let mut add = |name: String, unit, signal| all.push((Input { name, unit }, signal));
    for pad in &mut p.pads {
        add(format!("pad.{}.load", pad.name), "N", &mut pad.load);
        add(format!("pad.{}.friction_over_time", pad.name), "1", &mut pad.over_time);
    }
    for (force, number) in p.forces.iter_mut().zip(numbers) {
        let (axis, unit) = AXES[force.component.min(2)];
        add(format!("force.{}.{axis}{number}", p.bodies[force.body].name), unit, &mut force.signal);
    }
    for support in &mut p.supports {
        for (motion, axis) in support.motion.iter_mut().zip(["", "_y"]) {
            match motion {
                Motion::Speed(signal) => add(format!("support.{}.speed{axis}", support.name), "m/s", signal),
                Motion::Position(signal) => add(format!("support.{}.position{axis}", support.name), "m", signal),
                Motion::Still => {}
            }
        }
    }
    all
}

impl Driven for Assembly {
    fn inputs(&self) -> Vec<Input> {
        signals(&mut self.parameters.clone()).into_iter().map(|(input, _)| input).collect()
    }

    fn input(&self, input: usize) -> Option<Signal> {
        signals(&mut self.parameters.clone()).into_iter().nth(input).map(|(_, signal)| signal.clone())
    }

    fn with_input(&self, input: usize, signal: Signal) -> Result<Assembly, String> {
        let mut p = self.parameters.clone();
        if let Some((_, place)) = signals(&mut p).into_iter().nth(input) {
            *place = signal;
        }
        Assembly::of(p).map_err(|error| error.to_string())
    }
}
