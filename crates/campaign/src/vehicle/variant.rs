//! Vehicles that must move alike, neighbours, and simpler ones.

use super::{Side, Vehicle};
use crate::assembly::Units;
use crate::random::Random;
use crate::signal::Signal;

impl Vehicle {
    /// Driving the other way.
    #[must_use]
    pub fn mirrored(&self) -> Vehicle {
        let mut other = self.clone();
        other.speed = 0.0 - self.speed;
        other.slope = self.slope.as_ref().map(|slope| slope.times(-1.0));
        if let Some(points) = &mut other.profile {
            points.iter_mut().for_each(|p| *p = (0.0 - p.0, 0.0 - p.1));
            points.reverse();
        }
        other.patches.iter_mut().for_each(|p| (p.0, p.1) = (0.0 - p.1, 0.0 - p.0));
        for wheel in &mut other.wheels {
            wheel.motor = wheel.motor.times(-1.0);
            wheel.speed = wheel.speed.map(|speed| 0.0 - speed);
            wheel.ahead = 0.0 - wheel.ahead;
        }
        other
    }

    /// Every wheel as two with half of its load, inertia and torques, first halves first. None of single wheels.
    pub fn in_halves(&self) -> Option<Vehicle> {
        if self.single {
            return None;
        }
        let mut other = self.clone();
        for wheel in &mut other.wheels {
            wheel.load *= 0.5;
            wheel.inertia *= 0.5;
            wheel.motor = wheel.motor.times(0.5);
            wheel.brake = wheel.brake.times(0.5);
        }
        let wheels = other.wheels.clone();
        other.wheels.extend(wheels);
        Some(other)
    }

    /// The same in other units.
    #[must_use]
    pub fn in_units(&self, units: Units) -> Vehicle {
        let mut other = self.clone();
        let (speed, force) = (units.length / units.time, units.force());
        other.mass *= units.mass;
        other.drag *= units.mass / units.length;
        other.resistance *= force;
        other.gravity *= speed / units.time;
        other.profile.iter_mut().flatten().for_each(|point| point.0 *= units.length);
        other.patches.iter_mut().for_each(|p| (p.0, p.1) = (p.0 * units.length, p.1 * units.length));
        for wheel in &mut other.wheels {
            wheel.radius *= units.length;
            wheel.inertia *= units.mass * units.length * units.length;
            wheel.motor = wheel.motor.times(force * units.length);
            wheel.brake = wheel.brake.times(force * units.length);
            wheel.speed = wheel.speed.map(|v| v * speed);
            wheel.ahead *= units.length;
        }
        other.signals_mut().for_each(|signal| *signal = signal.slower(units.time));
        other.speed *= speed;
        other.duration *= units.time;
        other.step *= units.time;
        other
    }

    /// Whether nothing moves at t = 0.
    pub fn begins_at_rest(&self) -> bool {
        self.speed == 0.0 && self.wheels.iter().all(|wheel| wheel.speed.unwrap_or(0.0) == 0.0)
    }

    /// The same after a wait of so many rows without torques, on level ground. What moves keeps its speed, if the
    /// ground transmits nothing and nothing else brakes: none where drag or rolling resistance would, or where a signal
    /// cannot be written so.
    pub fn delayed(&self, rows: u64) -> Option<Vehicle> {
        let wait = rows as f64 * self.step;
        let rests = self.begins_at_rest();
        if !rests && (self.drag != 0.0 || self.resistance != 0.0) {
            return None;
        }
        // A patch would hold what coasts over it, and the wait must be on level ground.
        let level = self.profile.iter().flatten().next().is_none_or(|first| first.1 == 0.0 && self.speed >= 0.0);
        if !level || (!rests && !self.patches.is_empty()) {
            return None;
        }
        let distance = self.speed * wait;
        let mut other = self.clone();
        other.move_road(distance);
        other.friction = self.friction.delayed(wait, if rests { self.friction.at(0.0) } else { 0.0 })?;
        if let Some(slope) = &mut other.slope {
            *slope = slope.delayed(wait, 0.0)?;
        }
        for wheel in &mut other.wheels {
            wheel.motor = wheel.motor.delayed(wait, 0.0)?;
            wheel.brake = wheel.brake.delayed(wait, 0.0)?;
        }
        other.duration += wait;
        Some(other)
    }

    /// What goes on from time t, at this place, with this speed and these circumferential speeds.
    #[must_use]
    pub fn from_time(&self, t: f64, place: f64, speed: f64, wheels: &[f64]) -> Vehicle {
        let mut other = self.clone();
        other.move_road(-place);
        other.speed = speed;
        for (wheel, circumferential) in other.wheels.iter_mut().zip(wheels) {
            wheel.speed = Some(*circumferential);
        }
        other.signals_mut().for_each(|signal| *signal = signal.from_time(t));
        other.duration -= t;
        other
    }

    /// All that belongs to a place further ahead by this.
    fn move_road(&mut self, distance: f64) {
        self.profile.iter_mut().flatten().for_each(|point| point.0 += distance);
        self.patches.iter_mut().for_each(|p| (p.0, p.1) = (p.0 + distance, p.1 + distance));
    }

    /// A neighbour: torques, friction and speeds a little other.
    #[must_use]
    pub fn neighbour(&self, size: f64, random: &mut Random) -> Vehicle {
        let mut other = self.clone();
        let mut shift = || size * (2.0 * random.unit() - 1.0);
        other.friction = other.friction.times(1.0 + shift());
        other.speed += 10.0 * shift();
        for wheel in &mut other.wheels {
            wheel.motor = wheel.motor.times(1.0 + shift());
            wheel.brake = wheel.brake.times(1.0 + shift());
            wheel.speed = wheel.speed.map(|speed| speed + 10.0 * shift());
        }
        other
    }

    /// Vehicles with a little less in them.
    pub fn simpler(&self) -> Vec<Vehicle> {
        let mut list = Vec::new();
        let mut with = |change: &dyn Fn(&mut Vehicle)| {
            let mut other = self.clone();
            change(&mut other);
            if other != *self {
                list.push(other);
            }
        };
        for i in (0..self.wheels.len()).filter(|_| self.wheels.len() > 1) {
            with(&|v| {
                let gone = v.wheels.remove(i);
                v.wheels[0].load += gone.load;
            });
        }
        with(&|v| v.patches.clear());
        with(&|v| v.profile = None);
        with(&|v| v.slope = None);
        with(&|v| v.drag = 0.0);
        with(&|v| v.resistance = 0.0);
        with(&|v| v.over_slip = None);
        for i in 0..self.wheels.len() {
            with(&|v| v.wheels[i].speed = None);
            with(&|v| v.wheels[i].motor = Signal::Constant(0.0));
            with(&|v| v.wheels[i].brake = Signal::Constant(0.0));
            with(&|v| v.wheels[i].side = Side::Both);
            with(&|v| v.wheels[i].ahead = 0.0);
        }
        let signals: Vec<Signal> = self.clone().signals_mut().map(|s| s.clone()).collect();
        for (i, signal) in signals.iter().enumerate() {
            for simple in signal.simpler() {
                with(&|v| {
                    if let Some(place) = v.signals_mut().nth(i) {
                        *place = simple.clone();
                    }
                });
            }
        }
        with(&|v| v.duration = ((v.duration / v.step * 0.5).round().max(4.0)) * v.step);
        with(&|v| v.duration = ((v.duration / v.step * 0.75).round().max(4.0)) * v.step);
        list
    }
}
