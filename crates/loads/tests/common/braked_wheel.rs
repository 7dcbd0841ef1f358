//! One braked wheel from event to event on any of three laws: the deflection of a tyre, its steady form, dry friction that falls
//! with the slip.

#![allow(dead_code, reason = "each test uses a part")]

use stickslip_loads::control::{AntiLock, AntiLockState, Clock, Controller};
use stickslip_loads::ode::{Extrapolation, Flow, Stop};
use stickslip_loads::tyre::{Characteristic, Deflection};

#[derive(Clone, Copy)]
pub enum Law {
    Deflection(Deflection),
    Steady(Characteristic),
    /// Force at rest, kinetic share, speed over which it falls [m/s].
    Falling(f64, f64, f64),
}

#[derive(Clone, Copy)]
pub struct Plant {
    pub mass: f64,
    pub inertia: f64,
    pub radius: f64,
    pub law: Law,
    /// Force from outside, forward [N].
    pub push: f64,
    /// Greatest resistance to rolling [N].
    pub resistance: f64,
}

/// y = (x, V, w, z).
pub struct Wheel {
    pub plant: Plant,
    pub t: f64,
    pub y: [f64; 4],
    /// Brake torque and its rate, at `t` [N·m].
    pub torque: f64,
    pub rate: f64,
    integrator: Extrapolation,
}

/// Modes: signs of V, w and of V − w (dry friction) or V_e (tyres).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Modes {
    pub speed: f64,
    pub wheel: f64,
    pub slip: f64,
}

struct Motion {
    plant: Plant,
    modes: Modes,
    start: f64,
    torque: f64,
    rate: f64,
    /// The event is also wanted when V falls to this.
    least: f64,
}

impl Plant {
    /// Fx on the vehicle. Dry friction that rolls has none of its own.
    fn force(&self, y: &[f64], slip: f64) -> f64 {
        match self.law {
            Law::Deflection(tread) => tread.force(y[1], y[2], y[3]),
            Law::Steady(at) => at.force(y[1], y[2]),
            Law::Falling(bound, kinetic, speed) => {
                -slip * bound * (kinetic + (1.0 - kinetic) * (-(y[1] - y[2]).abs() / speed).exp())
            }
        }
    }

    fn dry(&self) -> Option<f64> {
        if let Law::Falling(bound, ..) = self.law { Some(bound) } else { None }
    }

    fn slip(&self, y: &[f64]) -> f64 {
        match self.law {
            Law::Deflection(tread) => tread.effective_slip(y[1], y[2]),
            Law::Steady(at) => (y[1] - y[2]) - at.shift() * y[1],
            Law::Falling(..) => y[1] - y[2],
        }
    }
}

impl Motion {
    fn bound(&self, t: f64) -> f64 {
        (self.torque + self.rate * (t - self.start)) / self.plant.radius
    }

    /// Fx, V', w'.
    fn accelerations(&self, t: f64, y: &[f64]) -> [f64; 3] {
        let (p, m) = (&self.plant, self.modes);
        let outer = p.push - m.speed * p.resistance;
        let brake = m.wheel * self.bound(t);
        if p.dry().is_some() && m.slip == 0.0 {
            let together = (outer - brake) / (p.mass + p.inertia);
            return [p.mass * together - outer, together, together];
        }
        // The steady law jumps at V = 0: a mode has its own side of it.
        let beyond = matches!(p.law, Law::Steady(_)) && m.speed * y[1] <= 0.0;
        let force = if beyond { p.force(&[y[0], m.speed * 1e-12, y[2], y[3]], m.slip) } else { p.force(y, m.slip) };
        let speed = if m.speed == 0.0 { 0.0 } else { (force + outer) / p.mass };
        let wheel = if m.wheel == 0.0 { 0.0 } else { (-force - brake) / p.inertia };
        [force, speed, wheel]
    }
}

impl Flow for Motion {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let [_, speed, wheel] = self.accelerations(t, y);
        let z = if let Law::Deflection(tread) = self.plant.law { tread.rate(y[1], y[2], y[3]).rate } else { 0.0 };
        out.copy_from_slice(&[y[1], speed, wheel, z]);
    }

    fn guards(&self) -> usize {
        3
    }

    fn watch(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let m = self.modes;
        let [force, ..] = self.accelerations(t, y);
        out[0] = if m.speed == 0.0 { 1.0 } else { m.speed * y[1] - self.least };
        let rolls = self.plant.dry().is_some() && m.slip == 0.0;
        // A wheel that rolls stops with the vehicle, and the slip of one that is held ends with it.
        out[1] = match m.wheel {
            0.0 => 1.0 - force.abs() / self.bound(t).max(1e-9),
            _ if rolls => 1.0,
            side => side * y[2],
        };
        out[2] = match self.plant.dry() {
            Some(bound) if rolls => 1.0 - force.abs() / bound,
            _ if m.wheel == 0.0 => 1.0,
            _ => m.slip * self.plant.slip(y),
        };
    }

    fn settle(&self, y: &mut [f64]) {
        if self.modes.speed == 0.0 {
            y[1] = 0.0;
        }
        if self.modes.wheel == 0.0 {
            y[2] = 0.0;
        }
        if self.plant.dry().is_some() && self.modes.slip == 0.0 {
            y[2] = y[1];
        }
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl Wheel {
    pub fn new(plant: Plant, speed: f64, torque: f64) -> Wheel {
        let integrator = Extrapolation::new(vec![1.0, 1.0, 1.0, 1e-2], 2e-2);
        Wheel { plant, t: 0.0, y: [0.0, speed, speed, 0.0], torque, rate: 0.0, integrator }
    }

    /// Modes by the inclusion at this instant; exact zeros of V and w stick where they can.
    pub fn decide(&self) -> Modes {
        let (p, y) = (&self.plant, &self.y);
        let bound = self.torque / p.radius;
        // A torque that rises decides where it is zero now.
        let soon = bound + self.rate * 1e-9;
        let mut modes = Modes { speed: sign(y[1]), wheel: sign(y[2]), slip: sign(p.slip(y)) };
        if let Some(grip) = p.dry() {
            if modes.slip == 0.0 {
                let brake = modes.wheel * soon;
                let force = -p.mass * brake / (p.mass + p.inertia);
                if force.abs() > grip {
                    modes.slip = -force.signum();
                }
            }
            if modes.wheel == 0.0 && modes.speed != 0.0 && p.force(y, modes.slip).abs() > soon {
                modes.wheel = -p.force(y, modes.slip).signum();
            }
            return modes;
        }
        let force = p.force(y, modes.slip);
        if modes.wheel == 0.0 && force.abs() > soon {
            modes.wheel = -force.signum();
        }
        if modes.speed == 0.0 && (force + p.push).abs() > p.resistance {
            modes.speed = (force + p.push).signum();
        }
        if modes.slip == 0.0 {
            // V_e leaves zero with V' − w' at first order.
            modes.slip = sign(modes.speed - modes.wheel);
        }
        modes
    }

    pub fn rests(&self) -> bool {
        let modes = self.decide();
        modes.speed == 0.0 && modes.wheel == 0.0
    }

    /// Goes on to `end` with the torque at its rate, or until V falls to `least` or changes its sign, or w comes to zero.
    /// True if it stopped before `end`.
    pub fn advance(&mut self, end: f64, least: f64) -> bool {
        while self.t < end {
            let mut modes = self.decide();
            if modes.slip == 0.0 && self.plant.dry().is_none() {
                modes.slip = 1.0;
            }
            let motion =
                Motion { plant: self.plant, modes, start: self.t, torque: self.torque, rate: self.rate, least };
            let begin = self.t;
            let stop = self.integrator.advance(&motion, &mut self.t, &mut self.y, end).unwrap();
            self.torque += self.rate * (self.t - begin);
            match stop {
                Stop::End => {}
                Stop::Guard(0) => {
                    if least == 0.0 {
                        self.y[1] = 0.0;
                        if self.plant.dry().is_some() && modes.slip == 0.0 {
                            self.y[2] = 0.0;
                        }
                    }
                    return true;
                }
                Stop::Guard(1) if modes.wheel != 0.0 => {
                    self.y[2] = 0.0;
                    return true;
                }
                Stop::Guard(1) => self.y[2] = -1e-300_f64.copysign(self.plant.force(&self.y, modes.slip)),
                Stop::Guard(2) => self.cross(modes),
                Stop::Guard(_) => {}
            }
        }
        false
    }

    /// The slip has come to zero, or its friction to its bound.
    fn cross(&mut self, modes: Modes) {
        match (self.plant.dry(), self.plant.law) {
            (Some(_), _) if modes.slip == 0.0 => {
                // Slides from here on, by an invisible amount.
                self.y[2] = self.y[1] * (1.0 - f64::EPSILON);
            }
            (Some(_), _) => self.y[2] = self.y[1],
            (None, Law::Deflection(tread)) => {
                let on = self.y[1] * (1.0 - tread.characteristic().shift());
                self.y[2] = if modes.slip > 0.0 { on.next_up() } else { on.next_down() };
            }
            (None, _) => {}
        }
    }

    /// A stop with a controller: samples at k·Ts, torque cut exactly. The state of the controller at the stop.
    pub fn controlled(&mut self, controller: &AntiLock) -> AntiLockState {
        let mut clock = Clock::new(controller.period()).unwrap();
        let mut memory = controller.start();
        let mut rate = [0.0];
        loop {
            let k = clock.taken();
            controller.sample(k, &[self.y[1], self.y[2]], &mut memory, &mut rate);
            let next = clock.due();
            while self.t < next {
                let cut = controller.until_cut(self.torque, rate[0]);
                let at_bound = cut.is_infinite();
                self.rate = if at_bound { 0.0 } else { rate[0] };
                let end = next.min(self.t + cut);
                let cuts = end < next || self.t + cut == next;
                while self.t < end {
                    self.advance(end, 0.0);
                    if self.y[1] == 0.0 {
                        return memory;
                    }
                }
                if cuts {
                    self.torque = if rate[0] > 0.0 { controller.data().demand } else { 0.0 };
                }
            }
        }
    }
}
