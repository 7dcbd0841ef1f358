//! One implicit step of a body on braked wheels with tyres.
//!
//! ```text
//! m (V⁺ − V)/h = push − r + Σ Fx_i,      J_i (w_i⁺ − w_i)/h = drive_i − Fx_i − g_i,
//! r ∈ a_R σ(V⁺),      g_i ∈ a_Bi σ(w_i⁺),      Fx_i = f0_i − c_i (V⁺ − w_i⁺)
//! ```
//!
//! Tyres are dampers here ([`super::Damper`]), brakes and the resistance to rolling are sets: a vehicle comes to rest exactly,
//! V⁺ = 0.0 and w⁺ = 0.0, and then its tyres do not move any more.
//!
//! For a given V⁺ each wheel answers in closed form, w_i⁺ = shrink(p_i + c_i V⁺, a_Bi)/(J_i/h + c_i) with
//! p_i = J_i w_i/h + drive_i − f0_i, so that V⁺ is the zero of an increasing, piecewise linear function that jumps at 0 only,
//! by 2 a_R.

use serde::{Deserialize, Serialize};

use super::{Damper, Deflection};
use crate::root;

/// A wheel on its tyre: what changes in time, and what acts on it in a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TyreWheel {
    /// Inertia J = I/R² \[kg\], > 0.
    pub inertia: f64,
    /// Circumferential speed w, positive forward [m/s]; exactly 0.0 while the brake holds the wheel.
    pub speed: f64,
    /// Deflection z of the tread \[m\].
    pub deflection: f64,
    /// Force of the motor at the circumference, positive forward \[N\].
    pub drive: f64,
    /// Greatest force of the brake at the circumference, ≥ 0 \[N\].
    pub brake_bound: f64,
    /// Tyre force Fx on the vehicle, positive forward \[N\].
    pub force: f64,
    /// Brake force at the circumference, against w \[N\].
    pub brake: f64,
}

impl TyreWheel {
    /// A wheel of inertia J \[kg\] that rolls at a speed [m/s], without torques.
    pub fn new(inertia: f64, speed: f64) -> TyreWheel {
        TyreWheel { inertia, speed, deflection: 0.0, drive: 0.0, brake_bound: 0.0, force: 0.0, brake: 0.0 }
    }
}

/// A body on wheels with tyres. Wheels are in a list of the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OnTyres {
    /// Mass \[kg\], > 0.
    pub mass: f64,
    /// Speed V, positive forward [m/s]; exactly 0.0 at rest.
    pub speed: f64,
    /// Force on the body from outside, positive forward \[N\]: −m g sin θ on a slope.
    pub push: f64,
    /// Greatest resistance to rolling, ≥ 0 \[N\]. Without any, a vehicle on tyres never rests in finite time.
    pub resistance_bound: f64,
    /// Resistance to rolling, against V \[N\].
    pub resistance: f64,
}

/// One wheel within a step: a damper and a brake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answering {
    damper: Damper,
    /// p = J w/h + drive − f0.
    momentum: f64,
    /// J/h + c.
    inertia: f64,
    bound: f64,
}

impl Answering {
    #[inline]
    fn new(tread: &Deflection, wheel: &TyreWheel, speed: f64, h: f64) -> Answering {
        let damper = tread.damper(speed, wheel.speed, wheel.deflection, h);
        let per_step = wheel.inertia / h;
        Answering {
            momentum: per_step * wheel.speed + wheel.drive - damper.force,
            inertia: per_step + damper.damping,
            bound: wheel.brake_bound,
            damper,
        }
    }

    /// Speed of the wheel and force of its brake at the speed V⁺ of the body: exactly 0.0 where the brake holds.
    #[inline]
    fn at(&self, speed: f64) -> (f64, f64) {
        let free = self.momentum + self.damper.damping * speed;
        if free > self.bound {
            ((free - self.bound) / self.inertia, self.bound)
        } else if free < -self.bound {
            ((free + self.bound) / self.inertia, -self.bound)
        } else {
            (0.0, free)
        }
    }

    /// Fx and −∂Fx/∂V⁺.
    #[inline]
    fn force(&self, speed: f64) -> (f64, f64) {
        let (wheel, _) = self.at(speed);
        let c = self.damper.damping;
        let slope = if wheel == 0.0 { c } else { c * (1.0 - c / self.inertia) };
        (self.damper.force_at(speed - wheel), slope)
    }
}

impl OnTyres {
    /// A body of mass m \[kg\] at a speed [m/s], with nothing else acting on it.
    pub fn new(mass: f64, speed: f64) -> OnTyres {
        OnTyres { mass, speed, push: 0.0, resistance_bound: 0.0, resistance: 0.0 }
    }

    /// One step of size h > 0 \[s\]: all speeds, deflections and forces are those of its end afterwards. `treads` has the
    /// tyre of each wheel under the load of this step; `room` is allocated by the first step and used again.
    pub fn step(&mut self, wheels: &mut [TyreWheel], treads: &[Deflection], h: f64, room: &mut Vec<Answering>) {
        let (before, inertia) = (self.speed, self.mass / h);
        room.clear();
        room.extend(wheels.iter().zip(treads).map(|(wheel, tread)| Answering::new(tread, wheel, before, h)));
        let balance = |speed: f64, resistance: f64| {
            let start = (inertia * (speed - before) - self.push + resistance, inertia);
            room.iter().fold(start, |(sum, slope), wheel| {
                let (force, rate) = wheel.force(speed);
                (sum - force, slope + rate)
            })
        };
        let (still, _) = balance(0.0, 0.0);
        let bound = self.resistance_bound;
        (self.speed, self.resistance) = if still.abs() <= bound {
            (0.0, -still)
        } else {
            let resistance = -bound.copysign(still);
            let (low, high) = if still < 0.0 { (0.0, f64::INFINITY) } else { (f64::NEG_INFINITY, 0.0) };
            (root::increasing(low, high, before, |speed| balance(speed, resistance)), resistance)
        };
        for (wheel, answer) in wheels.iter_mut().zip(room.iter()) {
            (wheel.speed, wheel.brake) = answer.at(self.speed);
            let slip = self.speed - wheel.speed;
            wheel.force = answer.damper.force_at(slip);
            wheel.deflection = answer.damper.deflection_at(slip);
        }
    }
}
