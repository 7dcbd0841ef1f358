//! Random assemblies.

use super::{
    Along, Assembly, Beyond, Body, Damper, Fixture, Force, Friction, Link, Motion, Pad, Spring, Stop, Support,
};
use crate::random::Random;
use crate::signal::Signal;

/// Rows of a trajectory.
const ROWS: f64 = 100.0;

/// Draws one assembly after the other from a stream of random numbers.
struct Draw<'a> {
    random: &'a mut Random,
    duration: f64,
    plane: bool,
    /// Whether all numbers are taken from a short list, so that events tie and forces are exactly at their bounds.
    round: bool,
}

impl Assembly {
    /// A random assembly: one to three bodies, on a line or in the plane.
    pub fn random(random: &mut Random) -> Assembly {
        let plane = random.chance(0.3);
        let round = random.chance(0.25);
        let duration = random.pick(&[1.0, 2.0, 3.0, 5.0]);
        let mut draw = Draw { random, duration, plane, round };
        let mut assembly = Assembly { duration, step: duration / ROWS, ..Assembly::default() };
        let count = draw.random.pick(&[1, 1, 1, 2, 2, 3]);
        let turns = draw.plane && draw.random.chance(0.3);
        assembly.bodies = (0..count).map(|_| draw.body(turns)).collect();
        let supports = draw.random.pick(&[0, 1, 1, 1, 2]);
        assembly.supports = (0..supports).map(|_| draw.support()).collect();
        for of in 0..count {
            draw.parts_of(of, &mut assembly);
        }
        // A damper on what jumps would be given an infinite amount of heat.
        let jumps: Vec<bool> = assembly.supports.iter().map(Support::jumps).collect();
        let sound = |link: &Link| !matches!(link.against, Fixture::Support(i) if jumps[i]);
        assembly.dampers.retain(|damper| sound(&damper.link));
        assembly.pads.iter_mut().filter(|pad| !sound(&pad.link)).for_each(|pad| pad.viscous = 0.0);
        // And a wall would strike with infinite speed.
        assembly.stops.retain(|stop| matches!(stop.beyond, Beyond::Spring(_)) || sound(&stop.link));
        if random.chance(0.15) {
            assembly.begin_at_rest();
        }
        assembly.begin_between_walls();
        assembly
    }

    /// Makes the clearance of walls wider by as much as what they are between is displaced at t = 0.
    fn begin_between_walls(&mut self) {
        let of_body = |body: &Body| body.place.iter().map(|x| x.abs()).sum::<f64>();
        let of_support = |support: &Support| {
            let at_start =
                |motion: &Motion| if let Motion::Position(signal) = motion { signal.at(0.0).abs() } else { 0.0 };
            support.motion.iter().map(at_start).sum::<f64>()
        };
        for stop in self.stops.iter_mut().filter(|stop| matches!(stop.beyond, Beyond::Wall(_))) {
            let other = match stop.link.against {
                Fixture::Body(i) => of_body(&self.bodies[i]),
                Fixture::Support(i) => of_support(&self.supports[i]),
                Fixture::Ground => 0.0,
            };
            stop.clearance += of_body(&self.bodies[stop.link.of]) + other;
        }
    }

    /// Leaves out what would move it at t = 0 or could not be shifted in time, so that the same can happen later.
    fn begin_at_rest(&mut self) {
        self.bodies.iter_mut().for_each(|body| (body.place, body.speed) = ([0.0; 3], [0.0; 3]));
        self.springs.iter_mut().for_each(|spring| spring.preload = 0.0);
        for signal in self.signals_mut() {
            if let Signal::Sine { offset, .. } = *signal {
                *signal = Signal::Constant(offset);
            }
        }
        for motion in self.supports.iter_mut().flat_map(|support| &mut support.motion) {
            if let Motion::Position(signal) = motion {
                *signal = signal.less(signal.at(0.0));
            }
        }
    }
}

impl Draw<'_> {
    fn number(&mut self, lo: f64, hi: f64) -> f64 {
        if self.round {
            let most = hi.abs().max(lo.abs());
            let list: Vec<f64> = [-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0]
                .into_iter()
                .filter(|v| (lo..=hi).contains(v) && v.abs() <= most)
                .collect();
            if !list.is_empty() {
                return self.random.pick(&list);
            }
        }
        self.random.within(lo, hi)
    }

    fn body(&mut self, turns: bool) -> Body {
        let mut body = Body {
            mass: if self.round { self.random.pick(&[0.5, 1.0, 2.0]) } else { self.random.magnitude(0.3, 4.0) },
            inertia: turns.then(|| self.random.magnitude(0.05, 1.0)),
            plane: self.plane,
            place: [0.0; 3],
            speed: [0.0; 3],
        };
        let coordinates = if turns { 3 } else { 1 + usize::from(self.plane) };
        if self.random.chance(0.6) {
            body.speed.iter_mut().take(coordinates).for_each(|v| *v = self.number(-2.0, 2.0));
        }
        if self.random.chance(0.4) {
            body.place.iter_mut().take(coordinates).for_each(|x| *x = self.number(-0.5, 0.5));
        }
        body
    }

    /// A signal between two values, with jumps and corners, or a sine.
    fn signal(&mut self, lo: f64, hi: f64) -> Signal {
        match self.random.below(5) {
            0 => Signal::Constant(self.number(lo, hi)),
            1 => {
                let amplitude = 0.5 * (hi - lo) * self.random.within(0.1, 1.0);
                let offset = self.random.within(lo + amplitude, hi - amplitude + 1e-9);
                let frequency = self.random.magnitude(0.2, 3.0);
                let phase = if self.random.chance(0.5) { 0.0 } else { self.random.within(0.0, 6.2) };
                // Rounding to three digits must not take a bound below zero.
                let amplitude = if lo >= 0.0 { amplitude.min(offset) } else { amplitude };
                Signal::Sine { offset, amplitude: crate::random::three_digits(0.99 * amplitude), frequency, phase }
            }
            _ => self.points(lo, hi),
        }
    }

    fn points(&mut self, lo: f64, hi: f64) -> Signal {
        let count = 1 + self.random.below(5);
        let duration = self.duration;
        let mut times: Vec<f64> = (0..count)
            .map(|_| {
                if self.round {
                    0.25 * self.random.below(1 + 4 * duration as usize) as f64
                } else {
                    self.random.within(0.0, duration)
                }
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut points = Vec::new();
        for t in times {
            let before = self.number(lo, hi);
            // A plateau now and then, as events like to fall on its ends.
            let held = points.last().map(|p: &(f64, f64)| p.1).filter(|_| self.random.chance(0.3));
            points.push((t, held.unwrap_or(before)));
            if t > 0.0 && self.random.chance(0.35) {
                points.push((t, self.number(lo, hi)));
            }
        }
        Signal::Points(points)
    }

    fn support(&mut self) -> Support {
        let axis = |draw: &mut Self| match draw.random.below(3) {
            0 => Motion::Position(draw.signal(-0.5, 0.5)),
            _ => Motion::Speed(draw.signal(-1.0, 1.0)),
        };
        let x = axis(self);
        let y = if self.plane && self.random.chance(0.5) { axis(self) } else { Motion::Still };
        Support { motion: [x, y] }
    }

    /// Something to be fastened to: the ground, a support, a body before this one.
    fn fixture(&mut self, of: usize, assembly: &Assembly) -> Fixture {
        let mut list = vec![Fixture::Ground];
        list.extend((0..assembly.supports.len()).flat_map(|i| [Fixture::Support(i); 2]));
        list.extend((0..of).flat_map(|i| [Fixture::Body(i); 2]));
        self.random.pick(&list)
    }

    fn link(&mut self, of: usize, assembly: &Assembly) -> Link {
        let turns = assembly.bodies[of].inertia.is_some() && self.random.chance(0.5);
        let at = if turns { [self.number(-0.5, 0.5), self.number(-0.5, 0.5)] } else { [0.0; 2] };
        let along = if !self.plane {
            Along::X
        } else {
            self.random.pick(&[Along::X, Along::Y, Along::Xy, Along::Xy, Along::Xy])
        };
        Link { of, at, against: self.fixture(of, assembly), along }
    }

    fn parts_of(&mut self, of: usize, assembly: &mut Assembly) {
        for _ in 0..self.random.pick(&[0, 1, 1, 2]) {
            let link = self.link(of, assembly);
            let stiffness = if self.round { self.number(0.5, 8.0) } else { self.random.magnitude(0.5, 100.0) };
            let preload = if self.random.chance(0.2) { self.number(-2.0, 2.0) } else { 0.0 };
            assembly.springs.push(Spring { link, stiffness, preload });
        }
        if self.random.chance(0.3) {
            let link = self.link(of, assembly);
            assembly.dampers.push(Damper { link, damping: self.random.magnitude(0.05, 3.0) });
        }
        let first = assembly.pads.len();
        for k in 0..self.random.pick(&[1, 1, 1, 1, 2, 2, 3]) {
            // Several pads of one body often rub on the same thing and share a load.
            let link = match assembly.pads.get(first) {
                Some(pad) if k > 0 && self.random.chance(0.5) => pad.link,
                _ => self.link(of, assembly),
            };
            let pad = self.pad(link, assembly);
            assembly.pads.push(pad);
        }
        if self.random.chance(0.25) {
            let link = Link { at: [0.0; 2], along: Along::X, ..self.link(of, assembly) };
            let beyond = if self.random.chance(0.3) {
                Beyond::Wall(self.random.pick(&[0.0, 0.3, 0.5, 0.8, 1.0]))
            } else {
                Beyond::Spring(self.random.magnitude(20.0, 500.0))
            };
            assembly.stops.push(Stop { link, clearance: self.random.within(0.05, 0.6), beyond });
        }
        for axis in 0..1 + usize::from(self.plane) + usize::from(assembly.bodies[of].inertia.is_some()) {
            if self.random.chance(if axis == 0 { 0.7 } else { 0.4 }) {
                let signal = self.signal(-4.0, 4.0);
                assembly.forces.push(Force { on: of, axis, signal });
            }
        }
    }

    fn pad(&mut self, link: Link, assembly: &Assembly) -> Pad {
        let load =
            if self.random.chance(0.6) { Signal::Constant(self.number(0.5, 6.0)) } else { self.signal(0.0, 6.0) };
        let pressed = !assembly.springs.is_empty() && self.random.chance(0.05);
        let pressed_by = pressed.then(|| self.random.below(assembly.springs.len()));
        // A spring that acts along both axes is two springs, and neither has its name.
        let pressed_by = pressed_by.filter(|&k| assembly.springs[k].link.along != Along::Xy);
        let over_time = self.random.chance(0.12).then(|| self.signal(0.0, 2.0));
        let over_place = self.random.chance(0.05).then(|| {
            let list = [-1.0, 0.0, 1.0];
            list.iter().map(|x| (*x, self.number(0.25, 2.0))).collect()
        });
        let viscous = if self.random.chance(0.1) { self.random.magnitude(0.05, 1.0) } else { 0.0 };
        Pad { link, load, pressed_by, friction: self.friction(), over_time, over_place, viscous }
    }

    fn friction(&mut self) -> Friction {
        let rest = if self.round { 0.5 } else { self.random.within(0.1, 1.0) };
        let slip = self.random.within(0.3 * rest, rest);
        match self.random.below(20) {
            0..14 => Friction::Constant(rest),
            14 => Friction::StaticKinetic(rest, slip),
            15 | 16 => Friction::Stribeck(rest, slip, self.random.magnitude(0.05, 1.0), self.random.pick(&[1.0, 2.0])),
            17 => Friction::Sech(rest, slip, self.random.magnitude(0.5, 10.0)),
            18 => Friction::Table(vec![(0.0, rest), (0.5, slip), (1.0, rest)]),
            _ => Friction::Constant(0.0),
        }
    }
}
