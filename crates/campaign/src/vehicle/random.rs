//! Random vehicles.

use super::{Side, Vehicle, Wheel};
use crate::random::Random;
use crate::signal::Signal;

/// Rows of a trajectory.
const ROWS: f64 = 100.0;

impl Vehicle {
    /// A random vehicle of one to four wheels, or a single wheel.
    pub fn random(random: &mut Random, single: bool) -> Vehicle {
        let round = random.chance(0.25);
        let duration = random.pick(&[2.0, 4.0, 6.0]);
        let mass = if round { 1000.0 } else { random.magnitude(300.0, 3000.0) };
        let weight = 9.81 * mass;
        let count = if single { 1 } else { random.pick(&[1, 2, 2, 3, 4]) };
        let shares: &[f64] = match count {
            1 => &[1.0],
            2 => &[0.625, 0.375],
            3 => &[0.5, 0.25, 0.25],
            _ => &[0.25, 0.25, 0.375, 0.125],
        };
        let patched = !single && random.chance(0.25);
        let hilly = !single && random.chance(0.3);
        let mut draw = Draw { random, duration, round };
        let wheels = (0..count).map(|i| draw.wheel(shares[i], weight, mass, i)).collect();
        let friction = if draw.random.chance(0.7) {
            Signal::Constant(if round { 0.5 } else { draw.random.within(0.1, 1.0) })
        } else {
            draw.signal(0.05, 1.0)
        };
        let slope = (hilly && draw.random.chance(0.7)).then(|| draw.signal(-0.3, 0.3));
        let profile = (hilly && slope.is_none()).then(|| {
            let mut list = vec![(0.0, 0.0), (5.0, 0.0)];
            list.push((draw.random.pick(&[5.0, 10.0]), draw.random.within(-0.2, 0.2)));
            list
        });
        let patch = |random: &mut Random| {
            let from = random.within(1.0, 20.0);
            let side = random.pick(&[Side::Left, Side::Right, Side::Both]);
            (from, from + random.within(0.5, 10.0), side, random.within(0.0, 0.5))
        };
        Vehicle {
            single,
            mass,
            drag: if !single && draw.random.chance(0.3) { draw.random.magnitude(0.3, 10.0) } else { 0.0 },
            resistance: if !single && draw.random.chance(0.4) {
                draw.random.magnitude(10.0, 0.05 * weight)
            } else {
                0.0
            },
            gravity: 9.81,
            friction,
            over_slip: draw.random.chance(0.15).then(|| (1.0, draw.random.within(0.5, 1.0))),
            slope,
            profile,
            patches: if patched { vec![patch(draw.random)] } else { Vec::new() },
            wheels,
            speed: draw.random.pick(&[0.0, 0.0, 2.0, 6.0, 6.0, -6.0, 15.0]),
            duration,
            step: duration / ROWS,
        }
    }
}

struct Draw<'a> {
    random: &'a mut Random,
    duration: f64,
    round: bool,
}

impl Draw<'_> {
    fn wheel(&mut self, load: f64, weight: f64, mass: f64, i: usize) -> Wheel {
        let radius = if self.round { 0.3 } else { self.random.within(0.2, 0.6) };
        let most = load * weight * radius;
        let inertia = if self.round { 1.0 } else { self.random.magnitude(0.001, 0.2) * load * mass * radius * radius };
        let motor = if self.random.chance(0.6) { self.signal(-1.2 * most, 1.2 * most) } else { Signal::Constant(0.0) };
        let brake = if self.random.chance(0.7) { self.signal(0.0, 1.5 * most) } else { Signal::Constant(0.0) };
        Wheel {
            radius,
            inertia: crate::random::three_digits(inertia),
            load,
            motor,
            brake,
            speed: self.random.chance(0.2).then(|| self.random.within(-8.0, 8.0)),
            ahead: -(i as f64),
            side: if i.is_multiple_of(2) { Side::Left } else { Side::Right },
        }
    }

    fn signal(&mut self, lo: f64, hi: f64) -> Signal {
        match self.random.below(5) {
            0 => Signal::Constant(self.random.within(lo, hi)),
            1 => {
                let offset = self.random.within(0.75 * lo + 0.25 * hi, 0.25 * lo + 0.75 * hi);
                let most = (hi - offset).min(offset - lo);
                let amplitude = crate::random::three_digits(0.99 * most * self.random.within(0.1, 1.0));
                Signal::Sine { offset, amplitude, frequency: self.random.magnitude(0.2, 2.0), phase: 0.0 }
            }
            2 => {
                // Up, held, down: a pedal.
                let mut times: Vec<f64> = (0..4).map(|_| self.time()).collect();
                times.sort_by(f64::total_cmp);
                let (rest, value) = (lo.max(0.0), self.random.within(lo, hi));
                Signal::Points(times.into_iter().zip([rest, value, value, rest]).collect()).sound()
            }
            _ => {
                let mut times: Vec<f64> = (0..1 + self.random.below(4)).map(|_| self.time()).collect();
                times.sort_by(f64::total_cmp);
                times.dedup();
                let mut points = Vec::new();
                for t in times {
                    points.push((t, self.random.within(lo, hi)));
                    if t > 0.0 && self.random.chance(0.3) {
                        points.push((t, self.random.within(lo, hi)));
                    }
                }
                Signal::Points(points)
            }
        }
    }

    fn time(&mut self) -> f64 {
        if self.round {
            0.5 * self.random.below(1 + 2 * self.duration as usize) as f64
        } else {
            self.random.within(0.0, self.duration)
        }
    }
}
