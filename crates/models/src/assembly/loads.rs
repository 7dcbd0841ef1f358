//! Forces on the coordinates at the beginning of a step.

use super::state::{AssemblyState, AssemblyWorkspace};
use super::{Assembly, Characteristic};

impl Assembly {
    /// Momentum without contact forces.
    #[inline]
    pub(super) fn gather(&self, u: &AssemblyState, w: &mut AssemblyWorkspace, h: f64) {
        let (net, theta) = (&self.network, w.theta);
        let late = 1.0 - theta;
        let load = &mut w.load;
        load.iter_mut().zip(&net.constant).for_each(|(to, from)| *to = *from);
        for (coordinate, drive) in &net.forces {
            load[*coordinate] += drive.at(&w.values);
        }
        let supported = !net.springs.supports.is_zero();
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            let mut stretch = net.springs.own.dot(k, &u.q);
            if late > 0.0 {
                stretch += h * theta * late * net.springs.own.dot(k, &u.v);
            }
            if supported {
                // The support in the middle (θ) of the step.
                stretch +=
                    net.springs.supports.dot(k, &u.support) - h * late * net.springs.supports.dot(k, &u.support_speed);
            }
            net.springs.own.add(k, -stiffness * stretch, load);
        }
        if late > 0.0 || !net.dampers.supports.is_zero() {
            for (k, damping) in net.damping.iter().enumerate() {
                let speed = late * net.dampers.own.dot(k, &u.v) + net.dampers.supports.dot(k, &u.support_speed);
                net.dampers.own.add(k, -damping * speed, load);
            }
        }
        self.gather_tabled(u, w, h * late);
        self.gather_elements(u, w, h * late);
        for (((p, m), v), f) in w.momentum.iter_mut().zip(&net.mass).zip(&u.v).zip(&w.load) {
            *p = m * v + h * f;
        }
    }

    /// Tabled springs, stop springs and tabled dampers, `ahead` seconds after the beginning of the step.
    #[inline]
    fn gather_tabled(&self, u: &AssemblyState, w: &mut AssemblyWorkspace, ahead: f64) {
        let net = &self.network;
        for (k, (&stretch, &play)) in u.stretch.iter().zip(&net.play).enumerate() {
            let mut d = stretch;
            if ahead > 0.0 {
                d += ahead * net.tabled.dot(k, &u.v, &u.support_speed);
            }
            if d.abs() <= play {
                continue;
            }
            let force = self.tabled_force(k, d);
            net.tabled.own.add(k, -force, &mut w.load);
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, &u.v, &u.support_speed);
            net.tabled_dampers.own.add(k, -curve.at(speed), &mut w.load);
        }
    }

    /// Force of the k-th tabled spring (then stop spring) at displacement d.
    #[inline]
    pub(super) fn tabled_force(&self, k: usize, d: f64) -> f64 {
        match self.tabled_springs.get(k) {
            Some(curve) => curve.at(d),
            None => self.stop_force(self.spring_stops[k - self.tabled_springs.len()], d),
        }
    }

    /// What a tabled spring, or a stop that is a spring, stores at a displacement: the integral of its force \[J\].
    pub(super) fn tabled_energy(&self, k: usize, d: f64) -> f64 {
        match k.checked_sub(self.tabled_springs.len()) {
            None => self.tabled_springs[k].integral(d),
            Some(stop) => {
                let stop = self.spring_stops[stop];
                let past = (d.abs() - self.parameters.stops[stop].clearance).max(0.0);
                0.5 * self.stop_force(stop, d).abs() * past
            }
        }
    }

    /// Force of a spring in its direction, on the `against` side, with preload: positive in tension \[N\].
    pub(super) fn spring_force(&self, spring: usize, u: &AssemblyState) -> f64 {
        let data = &self.parameters.springs[spring];
        let (_, k) = self.network.spring_at[spring];
        data.preload
            + match &data.characteristic {
                Characteristic::Linear(stiffness) => stiffness * self.network.springs.dot(k, &u.q, &u.support),
                Characteristic::Table(curve) => curve.at(u.stretch[k]),
            }
    }
}
