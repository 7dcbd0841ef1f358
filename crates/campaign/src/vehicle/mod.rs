//! Vehicles and single wheels as the campaign makes them.

mod random;
mod variant;

use std::fmt::Write;

use crate::signal::Signal;

/// A vehicle with its road and its run; or a single wheel, which has a model of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Vehicle {
    /// Whether it is written as `model = "wheel"`: one wheel on level ground, nothing else.
    pub single: bool,
    /// Mass of all \[kg\].
    pub mass: f64,
    /// Drag coefficient [N·s²/m²].
    pub drag: f64,
    /// Rolling resistance \[N\].
    pub resistance: f64,
    /// Gravity [m/s²].
    pub gravity: f64,
    /// Friction of the road.
    pub friction: Signal,
    /// Factors of friction at rest and in slip.
    pub over_slip: Option<(f64, f64)>,
    /// Slope over time \[rad\].
    pub slope: Option<Signal>,
    /// Slope by place: points (place, angle).
    pub profile: Option<Vec<(f64, f64)>>,
    /// Patches: from, to, side, friction.
    pub patches: Vec<(f64, f64, Side, f64)>,
    /// Wheels, `w0`, `w1`, …
    pub wheels: Vec<Wheel>,
    /// Speed at t = 0 [m/s].
    pub speed: f64,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Time between two rows \[s\].
    pub step: f64,
}

/// A side of the road.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
    /// Both.
    Both,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
            Side::Both => "both",
        }
    }
}

/// A wheel.
#[derive(Debug, Clone, PartialEq)]
pub struct Wheel {
    /// Radius \[m\].
    pub radius: f64,
    /// Inertia [kg·m²].
    pub inertia: f64,
    /// Share of the weight.
    pub load: f64,
    /// Motor torque [N·m].
    pub motor: Signal,
    /// Greatest torque of the brake [N·m].
    pub brake: Signal,
    /// Circumferential speed at t = 0 [m/s]; rolling if none.
    pub speed: Option<f64>,
    /// How far ahead it stands \[m\].
    pub ahead: f64,
    /// On which side.
    pub side: Side,
}

impl Vehicle {
    /// The text of the scenario file, run by this scheme.
    pub fn toml(&self, scheme: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = if self.single { self.write_wheel(&mut text) } else { self.write(&mut text) };
        let _ =
            write!(text, "\n[run]\nduration = {:?}\nstep = {:?}\nscheme = \"{scheme}\"\n", self.duration, self.step);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "model = \"vehicle\"\n\n[vehicle]\nmass = {:?}", self.mass)?;
        writeln!(out, "drag = {:?}\nrolling_resistance = {:?}", self.drag, self.resistance)?;
        writeln!(out, "\n[road]\nfriction = {}\ngravity = {:?}", self.friction.toml(), self.gravity)?;
        if let Some((rest, slip)) = self.over_slip {
            writeln!(out, "over_slip = {{ static = {rest:?}, kinetic = {slip:?} }}")?;
        }
        if let Some(slope) = &self.slope {
            writeln!(out, "slope = {}", slope.toml())?;
        }
        if let Some(points) = &self.profile {
            let list: Vec<String> = points.iter().map(|(x, angle)| format!("[{x:?}, {angle:?}]")).collect();
            writeln!(out, "profile = [{}]", list.join(", "))?;
        }
        for (from, to, side, friction) in &self.patches {
            let side = side.name();
            writeln!(
                out,
                "\n[[road.patch]]\nfrom = {from:?}\nto = {to:?}\nside = \"{side}\"\nfriction = {friction:?}"
            )?;
        }
        for (i, wheel) in self.wheels.iter().enumerate() {
            writeln!(out, "\n[[wheel]]\nname = \"w{i}\"\nradius = {:?}\ninertia = {:?}", wheel.radius, wheel.inertia)?;
            writeln!(out, "load = {:?}\nside = \"{}\"\nahead = {:?}", wheel.load, wheel.side.name(), wheel.ahead)?;
            writeln!(out, "motor = {}\nbrake = {}", wheel.motor.toml(), wheel.brake.toml())?;
            if let Some(speed) = wheel.speed {
                writeln!(out, "speed = {speed:?}")?;
            }
        }
        writeln!(out, "\n[initial]\nspeed = {:?}", self.speed)
    }

    fn write_wheel(&self, out: &mut String) -> std::fmt::Result {
        let wheel = &self.wheels[0];
        writeln!(out, "model = \"wheel\"\n\n[wheel]\nmass = {:?}\ninertia = {:?}", self.mass, wheel.inertia)?;
        writeln!(out, "radius = {:?}\n\n[ground]\nfriction = {}", wheel.radius, self.friction.toml())?;
        writeln!(out, "gravity = {:?}", self.gravity)?;
        if let Some((rest, slip)) = self.over_slip {
            writeln!(out, "over_slip = {{ static = {rest:?}, kinetic = {slip:?} }}")?;
        }
        writeln!(out, "\n[motor]\ntorque = {}\n\n[brake]\ntorque = {}", wheel.motor.toml(), wheel.brake.toml())?;
        writeln!(out, "\n[initial]\nspeed = {:?}", self.speed)?;
        match wheel.speed {
            Some(speed) => writeln!(out, "wheel_speed = {speed:?}"),
            None => Ok(()),
        }
    }

    /// All signals.
    pub fn signals_mut(&mut self) -> impl Iterator<Item = &mut Signal> {
        let wheels = self.wheels.iter_mut().flat_map(|wheel| [&mut wheel.motor, &mut wheel.brake]);
        std::iter::once(&mut self.friction).chain(&mut self.slope).chain(wheels)
    }

    /// Instants at which a signal has a corner or jumps, within the run.
    pub fn breaks(&self) -> Vec<f64> {
        let mut list: Vec<f64> = self.clone().signals_mut().flat_map(|signal| signal.breaks()).collect();
        list.retain(|t| *t > 0.0 && *t <= self.duration);
        list.sort_by(f64::total_cmp);
        list.dedup();
        list
    }
}
