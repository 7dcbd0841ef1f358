//! Simpler assemblies, to find the least that shows a fault.

use super::{Assembly, Fixture, Friction, Motion};
use crate::random::three_digits;
use crate::signal::Signal;

fn without<T>(list: &mut Vec<T>, i: usize) {
    list.remove(i);
}

impl Assembly {
    /// Assemblies with a little less in them, the boldest cuts first.
    pub fn simpler(&self) -> Vec<Assembly> {
        let mut list = Vec::new();
        let mut with = |change: &dyn Fn(&mut Assembly)| {
            let mut other = self.clone();
            change(&mut other);
            if other != *self {
                list.push(other);
            }
        };
        for i in (0..self.bodies.len()).rev().filter(|_| self.bodies.len() > 1) {
            with(&|a| a.drop_body(i));
        }
        (0..self.pads.len()).for_each(|i| with(&|a| without(&mut a.pads, i)));
        (0..self.forces.len()).for_each(|i| with(&|a| without(&mut a.forces, i)));
        (0..self.springs.len()).for_each(|i| with(&|a| a.drop_spring(i)));
        (0..self.dampers.len()).for_each(|i| with(&|a| without(&mut a.dampers, i)));
        (0..self.stops.len()).for_each(|i| with(&|a| without(&mut a.stops, i)));
        (0..self.supports.len()).for_each(|i| with(&|a| a.drop_support(i)));
        for (i, pad) in self.pads.iter().enumerate() {
            with(&|a| a.pads[i].over_time = None);
            with(&|a| a.pads[i].over_place = None);
            with(&|a| a.pads[i].pressed_by = None);
            with(&|a| a.pads[i].viscous = 0.0);
            let rest = match &pad.friction {
                Friction::Constant(mu) | Friction::StaticKinetic(mu, _) => *mu,
                Friction::Stribeck(mu, ..) | Friction::Sech(mu, ..) => *mu,
                Friction::Table(points) => points[0].1,
            };
            with(&|a| a.pads[i].friction = Friction::Constant(rest));
            with(&|a| a.pads[i].link.at = [0.0; 2]);
        }
        (0..self.springs.len()).for_each(|i| with(&|a| a.springs[i].preload = 0.0));
        for i in 0..self.bodies.len() {
            with(&|a| a.bodies[i].speed = [0.0; 3]);
            with(&|a| a.bodies[i].place = [0.0; 3]);
        }
        for (i, support) in self.supports.iter().enumerate() {
            for axis in 0..2 {
                if support.motion[axis] != Motion::Still {
                    with(&|a| a.supports[i].motion[axis] = Motion::Still);
                }
            }
        }
        let signals: Vec<Signal> = self.clone().signals_mut().map(|s| s.clone()).collect();
        for (i, signal) in signals.iter().enumerate() {
            for simple in signal.simpler() {
                with(&|a| {
                    if let Some(place) = a.signals_mut().nth(i) {
                        *place = simple.clone();
                    }
                });
            }
        }
        with(&|a| a.cut(0.5));
        with(&|a| a.cut(0.75));
        with(&Assembly::round);
        list
    }

    fn drop_body(&mut self, gone: usize) {
        let stays = |link: &super::Link| link.of != gone && link.against != Fixture::Body(gone);
        for i in (0..self.springs.len()).rev() {
            if !stays(&self.springs[i].link) {
                self.drop_spring(i);
            }
        }
        self.dampers.retain(|part| stays(&part.link));
        self.stops.retain(|part| stays(&part.link));
        self.pads.retain(|part| stays(&part.link));
        self.forces.retain(|force| force.on != gone);
        self.bodies.remove(gone);
        let less = |i: usize| if i > gone { i - 1 } else { i };
        self.links_mut().for_each(|link| {
            link.of = less(link.of);
            if let Fixture::Body(i) = &mut link.against {
                *i = less(*i);
            }
        });
        self.forces.iter_mut().for_each(|force| force.on = less(force.on));
    }

    fn drop_spring(&mut self, gone: usize) {
        self.springs.remove(gone);
        for pad in &mut self.pads {
            pad.pressed_by = pad.pressed_by.filter(|&k| k != gone).map(|k| if k > gone { k - 1 } else { k });
        }
    }

    /// What was fastened to the support is fastened to the ground.
    fn drop_support(&mut self, gone: usize) {
        self.supports.remove(gone);
        self.links_mut().for_each(|link| match link.against {
            Fixture::Support(i) if i == gone => link.against = Fixture::Ground,
            Fixture::Support(i) if i > gone => link.against = Fixture::Support(i - 1),
            _ => {}
        });
    }

    /// A shorter run with rows at the same instants.
    fn cut(&mut self, share: f64) {
        let rows = (self.duration / self.step).round();
        let fewer = (rows * share).round().max(4.0);
        self.duration = fewer * self.step;
    }

    /// Masses and initial values with fewer digits.
    fn round(&mut self) {
        let two = |v: f64| -> f64 { format!("{v:.1e}").parse().unwrap_or(three_digits(v)) };
        for body in &mut self.bodies {
            body.mass = two(body.mass);
            body.place.iter_mut().chain(&mut body.speed).for_each(|v| *v = two(*v));
        }
        self.springs.iter_mut().for_each(|spring| spring.stiffness = two(spring.stiffness));
    }
}
