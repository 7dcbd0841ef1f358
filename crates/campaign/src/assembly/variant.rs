//! Assemblies that must move alike.

use super::{Along, Assembly, Fixture, Friction, Motion, Pad};
use crate::random::Random;
use crate::signal::Signal;

/// Factors by which the numbers of mass, length and time grow in other units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// Of masses.
    pub mass: f64,
    /// Of lengths.
    pub length: f64,
    /// Of times.
    pub time: f64,
}

impl Units {
    fn speed(&self) -> f64 {
        self.length / self.time
    }

    /// Of forces.
    pub fn force(&self) -> f64 {
        self.mass * self.length / (self.time * self.time)
    }

    /// By the unit of a column.
    pub fn of(&self, unit: &str) -> f64 {
        match unit {
            "s" => self.time,
            "m" => self.length,
            "m/s" => self.speed(),
            "rad/s" | "1/s" => 1.0 / self.time,
            "N" => self.force(),
            "J" | "N m" => self.force() * self.length,
            _ => 1.0,
        }
    }
}

impl Assembly {
    /// Seen from the other side: x → −x, y → −y, yaw as it is. None where a load hangs on a sign.
    pub fn mirrored(&self) -> Option<Assembly> {
        if self.pads.iter().any(|pad| pad.pressed_by.is_some()) {
            return None;
        }
        let mut other = self.clone();
        for body in &mut other.bodies {
            body.place[..2].iter_mut().chain(&mut body.speed[..2]).for_each(|v| *v = 0.0 - *v);
        }
        for motion in other.supports.iter_mut().flat_map(|support| &mut support.motion) {
            if let Motion::Speed(signal) | Motion::Position(signal) = motion {
                *signal = signal.times(-1.0);
            }
        }
        other.links_mut().for_each(|link| link.at.iter_mut().for_each(|p| *p = 0.0 - *p));
        other.springs.iter_mut().for_each(|spring| spring.preload = 0.0 - spring.preload);
        for pad in &mut other.pads {
            if let Some(points) = &mut pad.over_place {
                points.iter_mut().for_each(|p| p.0 = 0.0 - p.0);
                points.reverse();
            }
        }
        other.forces.iter_mut().filter(|f| f.axis < 2).for_each(|f| f.signal = f.signal.times(-1.0));
        Some(other)
    }

    /// The same motion along x in the plane: bodies that could move along y, pads that are disks. None if it is in the
    /// plane already.
    pub fn in_plane(&self) -> Option<Assembly> {
        if !self.on_a_line() {
            return None;
        }
        let mut other = self.clone();
        other.bodies.iter_mut().for_each(|body| body.plane = true);
        other.pads.iter_mut().for_each(|pad| pad.link.along = Along::Xy);
        other.springs.iter_mut().filter(|s| s.preload == 0.0).for_each(|spring| spring.link.along = Along::Xy);
        // A spring that presses on a pad has to keep its name.
        for pad in &self.pads {
            if let Some(spring) = pad.pressed_by {
                other.springs[spring].link.along = Along::X;
            }
        }
        Some(other)
    }

    /// Every spring and every pad as two halves, first halves first. None where a half would press on a pad.
    pub fn in_halves(&self) -> Option<Assembly> {
        if self.pads.iter().any(|pad| pad.pressed_by.is_some()) {
            return None;
        }
        let mut other = self.clone();
        for spring in &mut other.springs {
            spring.stiffness *= 0.5;
            spring.preload *= 0.5;
        }
        for pad in &mut other.pads {
            pad.load = pad.load.times(0.5);
            pad.viscous *= 0.5;
        }
        let (springs, pads): (Vec<_>, Vec<Pad>) = (other.springs.clone(), other.pads.clone());
        other.springs.extend(springs);
        other.pads.extend(pads);
        Some(other)
    }

    /// The same in other units.
    #[must_use]
    pub fn in_units(&self, units: Units) -> Assembly {
        let mut other = self.clone();
        let (speed, force) = (units.speed(), units.force());
        for body in &mut other.bodies {
            body.mass *= units.mass;
            body.inertia = body.inertia.map(|inertia| inertia * units.mass * units.length * units.length);
            body.place[..2].iter_mut().for_each(|x| *x *= units.length);
            body.speed[..2].iter_mut().for_each(|v| *v *= speed);
            body.speed[2] /= units.time;
        }
        for motion in other.supports.iter_mut().flat_map(|support| &mut support.motion) {
            match motion {
                Motion::Still => {}
                Motion::Speed(signal) => *signal = signal.times(speed),
                Motion::Position(signal) => *signal = signal.times(units.length),
            }
        }
        other.links_mut().for_each(|link| link.at.iter_mut().for_each(|p| *p *= units.length));
        for spring in &mut other.springs {
            spring.stiffness *= force / units.length;
            spring.preload *= force;
        }
        other.dampers.iter_mut().for_each(|damper| damper.damping *= force / speed);
        for stop in &mut other.stops {
            stop.clearance *= units.length;
            if let super::Beyond::Spring(stiffness) = &mut stop.beyond {
                *stiffness *= force / units.length;
            }
        }
        for pad in &mut other.pads {
            pad.load = pad.load.times(force);
            pad.viscous *= force / speed;
            pad.over_place.iter_mut().flatten().for_each(|point| point.0 *= units.length);
            match &mut pad.friction {
                Friction::Stribeck(_, _, v, _) => *v *= speed,
                Friction::Sech(_, _, alpha) => *alpha /= speed,
                Friction::Table(points) => points.iter_mut().for_each(|point| point.0 *= speed),
                Friction::Constant(_) | Friction::StaticKinetic(..) => {}
            }
        }
        for force_on in &mut other.forces {
            let factor = if force_on.axis == 2 { force * units.length } else { force };
            force_on.signal = force_on.signal.times(factor);
        }
        other.signals_mut().for_each(|signal| *signal = signal.slower(units.time));
        other.duration *= units.time;
        other.step *= units.time;
        other
    }

    /// The same after a wait at rest of so many rows. None where it does not begin at rest, or where a signal cannot be
    /// written so.
    pub fn delayed(&self, rows: u64) -> Option<Assembly> {
        let delay = rows as f64 * self.step;
        let still = |list: &[f64; 3]| list.iter().all(|v| *v == 0.0);
        let at_rest = self.bodies.iter().all(|body| still(&body.place) && still(&body.speed));
        if !at_rest || self.springs.iter().any(|spring| spring.preload != 0.0) {
            return None;
        }
        let mut other = self.clone();
        for motion in other.supports.iter_mut().flat_map(|support| &mut support.motion) {
            match motion {
                Motion::Still => {}
                Motion::Speed(signal) => *signal = signal.delayed(delay, 0.0)?,
                Motion::Position(signal) if signal.at(0.0) == 0.0 => *signal = signal.delayed(delay, 0.0)?,
                Motion::Position(_) => return None,
            }
        }
        for pad in &mut other.pads {
            pad.load = pad.load.delayed(delay, pad.load.at(0.0))?;
            if let Some(factor) = &mut pad.over_time {
                *factor = factor.delayed(delay, factor.at(0.0))?;
            }
        }
        for force in &mut other.forces {
            force.signal = force.signal.delayed(delay, 0.0)?;
        }
        other.duration += delay;
        Some(other)
    }

    /// What goes on from time t, where the bodies have these places and speeds. None where a support has moved by then
    /// in a way that cannot be written.
    pub fn from_time(&self, t: f64, places: &[[f64; 3]], speeds: &[[f64; 3]]) -> Option<Assembly> {
        let mut other = self.clone();
        for (body, (place, speed)) in other.bodies.iter_mut().zip(places.iter().zip(speeds)) {
            (body.place, body.speed) = (*place, *speed);
        }
        let moved = |i: usize, axis: usize| match &self.supports[i].motion[axis] {
            Motion::Speed(signal) => signal.integral(t),
            _ => 0.0,
        };
        for (k, spring) in self.springs.iter().enumerate() {
            if let Fixture::Support(i) = spring.link.against {
                let distance = match spring.link.along {
                    Along::X => moved(i, 0),
                    Along::Y => moved(i, 1),
                    Along::Xy if moved(i, 0) == moved(i, 1) => moved(i, 0),
                    Along::Xy => return None,
                };
                other.springs[k].preload -= spring.stiffness * distance;
            }
        }
        let placed = self.stops.iter().map(|stop| stop.link);
        let placed = placed.chain(self.pads.iter().filter(|pad| pad.over_place.is_some()).map(|pad| pad.link));
        for link in placed {
            if let Fixture::Support(i) = link.against
                && (moved(i, 0) != 0.0 || moved(i, 1) != 0.0)
            {
                return None;
            }
        }
        other.signals_mut().for_each(|signal| *signal = signal.from_time(t));
        other.duration -= t;
        Some(other)
    }

    /// A neighbour: loads, places and speeds a little other, by about `size` of their sizes.
    #[must_use]
    pub fn neighbour(&self, size: f64, random: &mut Random) -> Assembly {
        let mut other = self.clone();
        let mut shift = || size * (2.0 * random.unit() - 1.0);
        for body in &mut other.bodies {
            let coordinates = if body.inertia.is_some() { 3 } else { 1 + usize::from(body.plane) };
            for k in 0..coordinates {
                body.place[k] += shift();
                body.speed[k] += shift();
            }
        }
        other.pads.iter_mut().for_each(|pad| pad.load = pad.load.times(1.0 + shift()));
        other.forces.iter_mut().for_each(|force| force.signal = force.signal.times(1.0 + shift()));
        // Things at rest that nothing moves are moved by a touch.
        if other.forces.is_empty() {
            other.forces.push(super::Force { on: 0, axis: 0, signal: Signal::Constant(shift()) });
        }
        other
    }
}
