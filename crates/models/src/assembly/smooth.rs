//! The assembly from event to event.
//!
//! Positions are the coordinates, then the places of the supports' axes. A stop that is a spring has two guards, one for
//! each side of its clearance, and every corner of a table has one, so that no step is made across the corner of a force.
//! Walls (whose velocities jump) and
//! the spring elements of pads (which are no set-valued law) run by steps only.

use stickslip_linalg::Matrix;

use super::corners::Reading;
use super::network::{Drive, Links, Path};
use super::parts::{Buffer, Characteristic, Face, Motion};
use super::{Assembly, AssemblyState, Part};
use stickslip_core::inclusion::Rows;
use stickslip_core::law::{SlipRange, State};
use stickslip_core::mechanics::{At, Flow, Grip, NoClosedForm, Signals, Sizes, Smooth, SystemError, check_signals};
use stickslip_core::scheme::ByEvents;
use stickslip_core::signal::Signal;

impl Assembly {
    fn drive(&self, drive: &Drive, t: f64) -> f64 {
        match *drive {
            Drive::Constant(value) => value,
            Drive::Line(k) => self.network.signals.list[k].2.at(t),
        }
    }

    /// Speeds and accelerations of the supports' axes at t.
    pub(super) fn support_motion(&self, t: f64) -> (Vec<f64>, Vec<f64>) {
        let rate = |drive: &Drive| match *drive {
            Drive::Constant(_) => 0.0,
            Drive::Line(k) => self.network.signals.list[k].2.rate(t).unwrap_or(f64::NAN),
        };
        let curvature = |drive: &Drive| match *drive {
            Drive::Constant(_) => 0.0,
            Drive::Line(k) => self.network.signals.list[k].2.curvature(t).unwrap_or(f64::NAN),
        };
        let motion = self.network.motions.iter().map(|path| match path {
            Path::Still => (0.0, 0.0),
            Path::Speed(drive) => (self.drive(drive, t), rate(drive)),
            Path::Position(drive) => (rate(drive), curvature(drive)),
        });
        motion.unzip()
    }

    /// The load of a pad, and what the spring adds that presses it: below zero where the spring pulls more \[N\].
    pub(super) fn pressed_load(&self, pad: usize, at: At) -> f64 {
        let load = self.drive(&self.network.loads[pad], at.t);
        let Some(spring) = self.parameters.pads[pad].pressed_by else { return load };
        let (q, support) = at.q.split_at(self.network.n);
        let (_, k) = self.network.spring_at[spring];
        let spring = &self.parameters.springs[spring];
        let force = match &spring.characteristic {
            Characteristic::Linear(stiffness) => stiffness * self.network.springs.dot(k, q, support),
            Characteristic::Table(curve) => {
                self.on_piece(Reading::Spring(k), curve, self.network.tabled.dot(k, q, support), at)
            }
        };
        load - spring.preload - force
    }

    /// Forces on the coordinates without contacts \[N\].
    fn load(&self, at: At, speeds: &[f64]) -> Vec<f64> {
        let net = &self.network;
        let (q, support) = at.q.split_at(net.n);
        let mut load = net.constant.clone();
        for (coordinate, drive) in &net.forces {
            load[*coordinate] += self.drive(drive, at.t);
        }
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            net.springs.own.add(k, -stiffness * net.springs.dot(k, q, support), &mut load);
        }
        for (k, damping) in net.damping.iter().enumerate() {
            net.dampers.own.add(k, -damping * net.dampers.dot(k, at.v, speeds), &mut load);
        }
        for k in 0..net.tabled.own.len() {
            net.tabled.own.add(k, -self.guarded_force(k, at), &mut load);
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, at.v, speeds);
            net.tabled_dampers.own.add(k, -self.on_piece(Reading::Damper(k), curve, speed, at), &mut load);
        }
        load
    }

    /// Force of the k-th tabled spring, or of a stop on the side of its clearance that the guards tell.
    fn guarded_force(&self, k: usize, at: At) -> f64 {
        let (q, support) = at.q.split_at(self.network.n);
        let d = self.network.tabled.dot(k, q, support);
        let Some(stop) = k.checked_sub(self.tabled_springs.len()) else {
            return self.on_piece(Reading::Spring(k), &self.tabled_springs[k], d, at);
        };
        let data = &self.parameters.stops[self.spring_stops[stop]];
        let Buffer::Spring(stiffness) = data.buffer else { return 0.0 };
        match (at.sides[2 * stop], at.sides[2 * stop + 1]) {
            (false, _) => stiffness * (d - data.clearance),
            (_, false) => stiffness * (d + data.clearance),
            _ => 0.0,
        }
    }

    /// Energy of the springs and stops at the positions q \[J\]. Preloads are forces on the bodies alone.
    fn elastic(&self, q: &[f64]) -> f64 {
        let net = &self.network;
        let (own, support) = q.split_at(net.n);
        let linear = net.stiffness.iter().enumerate().map(|(k, stiffness)| {
            let e = net.springs.dot(k, own, support);
            0.5 * stiffness * e * e
        });
        let tabled = (0..net.tabled.own.len()).map(|k| self.tabled_energy(k, net.tabled.dot(k, own, support)));
        linear.sum::<f64>() + tabled.sum::<f64>()
    }

    /// The first support whose position jumps at a pad or a damper.
    fn jumps_under_friction(&self) -> Option<usize> {
        let net = &self.network;
        let jumps = |axis: usize| match &net.motions[axis] {
            Path::Position(Drive::Line(k)) => net.signals.list[*k].2.jumps(),
            _ => false,
        };
        let rows = [&net.dampers.supports, &net.tabled_dampers.supports, &net.pads.supports];
        let rubbed = |axis: usize| {
            let sees = |rows: &Rows, k: usize| rows.row(k).any(|(at, part)| at == axis && part != 0.0);
            rows.into_iter().any(|rows| (0..rows.len()).any(|k| sees(rows, k)))
        };
        (0..net.motions.len()).find(|&axis| jumps(axis) && rubbed(axis)).map(|axis| axis / 2)
    }

    /// Pad that contact c of the inclusion is, and its components among all.
    fn pad_of(&self, contact: usize) -> (usize, std::ops::Range<usize>) {
        let first = self.network.contact_first[contact];
        (self.network.contacts[contact], first..first + self.network.contact_dims[contact])
    }

    /// The first part that the scheme `events` does not know, and what it is.
    pub fn unknown_to_events(&self) -> Option<(Part, &'static str)> {
        if let Some(&wall) = self.walls.first() {
            return Some((Part::Stop(wall), "stops that are walls"));
        }
        if let Some(&pad) = self.elements.first() {
            return Some((Part::Pad(pad), "friction elements other than the exact law"));
        }
        let formula = |motion: &Motion| match motion {
            Motion::Speed(signal) | Motion::Position(signal) => matches!(signal, Signal::Expression(_)),
            Motion::Still => false,
        };
        let support = self.parameters.supports.iter().position(|support| support.motion.iter().any(formula));
        if let Some(i) = support {
            return Some((Part::Support(i), "supports that move by an expression (a sine or points would do)"));
        }
        self.jumps_under_friction().map(|i| {
            let what =
                "a support whose position jumps under a pad or a damper, where its speed is infinite (a ramp would do)";
            (Part::Support(i), what)
        })
    }
}

/// Powers: work of forces and supports, heat of dampers.
impl Smooth for Assembly {
    fn sizes(&self) -> Sizes {
        let net = &self.network;
        let positions = net.n + net.motions.len();
        Sizes { positions, velocities: net.n, powers: 2, guards: self.corners.guards }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        self.network.contact_dims.clone()
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let start = AssemblyState::new(self);
        ([start.q, start.support].concat(), start.v)
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        let (q, support) = out.split_at_mut(self.network.n);
        q.copy_from_slice(at.v);
        support.copy_from_slice(&self.support_motion(at.t).0);
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        let load = self.load(at, &self.support_motion(at.t).0);
        out.iter_mut().zip(load.iter().zip(&self.network.mass)).for_each(|(a, (f, m))| *a = f / m);
    }

    /// Elongations are differences of places: a stiff spring between bodies that have come far magnifies their rounding.
    fn parts(&self, at: At, bounds: &[f64], out: &mut [f64]) {
        let net = &self.network;
        let (q, support) = at.q.split_at(net.n);
        let speeds = self.support_motion(at.t).0;
        let sum = |rows: &Rows, k: usize, x: &[f64]| rows.row(k).map(|(i, part)| (part * x[i]).abs()).sum::<f64>();
        let size = |links: &Links, k: usize, own: &[f64], supports: &[f64]| {
            sum(&links.own, k, own) + sum(&links.supports, k, supports)
        };
        out.fill(0.0);
        let mut add = |links: &Links, k: usize, force: f64| {
            links.own.row(k).for_each(|(i, part)| out[i] += (part * force).abs());
        };
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            add(&net.springs, k, stiffness * size(&net.springs, k, q, support));
        }
        for (k, damping) in net.damping.iter().enumerate() {
            add(&net.dampers, k, damping * size(&net.dampers, k, at.v, &speeds));
        }
        for k in 0..net.tabled.own.len() {
            // The steepest that a table or a stop may be where it is.
            let d = net.tabled.dot(k, q, support);
            let slope = if d == 0.0 { 0.0 } else { (self.guarded_force(k, at) / d).abs() };
            let slope = match k.checked_sub(self.tabled_springs.len()).map(|stop| self.spring_stops[stop]) {
                Some(stop) if slope > 0.0 => match self.parameters.stops[stop].buffer {
                    Buffer::Spring(stiffness) => stiffness,
                    Buffer::Wall(_) => slope,
                },
                _ => slope,
            };
            add(&net.tabled, k, slope * size(&net.tabled, k, q, support));
        }
        for (coordinate, drive) in &net.forces {
            out[*coordinate] += self.drive(drive, at.t).abs();
        }
        let sizes = net.contact_dims.iter().zip(bounds).flat_map(|(dim, bound)| std::iter::repeat_n(*bound, *dim));
        for (k, bound) in sizes.enumerate() {
            net.rows.row(k).for_each(|(i, part)| out[i] += (part * bound).abs());
        }
        out.iter_mut().zip(net.constant.iter().zip(&net.mass)).for_each(|(a, (f, m))| *a = (*a + f.abs()) / m);
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        let speeds = self.support_motion(at.t).0;
        let mut out = out.iter_mut();
        for c in 0..self.network.contacts.len() {
            self.pad_of(c).1.zip(&mut out).for_each(|(k, s)| *s = self.network.pads.dot(k, at.v, &speeds));
        }
    }

    fn slip_rates(&self, at: At, acceleration: &[f64], out: &mut [f64]) {
        let rates = self.support_motion(at.t).1;
        let mut out = out.iter_mut();
        for c in 0..self.network.contacts.len() {
            self.pad_of(c).1.zip(&mut out).for_each(|(k, s)| *s = self.network.pads.dot(k, acceleration, &rates));
        }
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        self.network.rows.accelerate(&self.network.mass, forces, y);
    }

    fn influence(&self, _: At) -> Matrix {
        self.network.rows.influence(&self.network.mass)
    }

    fn slip_range(&self, contact: usize) -> Option<SlipRange> {
        self.parameters.pads[self.pad_of(contact).0].coefficient.range()
    }

    fn bound(&self, contact: usize, at: At, grip: Grip) -> f64 {
        let (pad, components) = self.pad_of(contact);
        let data = &self.parameters.pads[pad];
        let (q, support) = at.q.split_at(self.network.n);
        let mut mu = grip.coefficient(&data.coefficient, self.slip_sides(pad, at.sides));
        mu *= self.drive(&self.network.factors[pad], at.t);
        if let Some(curve) = &data.over_place {
            let place = self.network.pads.dot(components.start, q, support);
            // A trial beyond the corner may make it negative; the step then ends at the corner.
            mu *= self.on_piece(Reading::Place(pad), curve, place, at).max(0.0);
        }
        // A trial beyond the corner at zero may be negative; the step then ends at the corner.
        let load = if self.is_pressed(pad, at.sides) { self.pressed_load(pad, at).max(0.0) } else { 0.0 };
        mu * load
    }

    fn powers(&self, at: At, forces: &[f64], out: &mut [f64]) {
        let net = &self.network;
        let (q, support) = at.q.split_at(net.n);
        let (speeds, _) = self.support_motion(at.t);
        let mut work: f64 = net.constant.iter().zip(at.v).map(|(f, v)| f * v).sum();
        work += net.forces.iter().map(|(i, drive)| self.drive(drive, at.t) * at.v[*i]).sum::<f64>();
        let mut damped = 0.0;
        for (k, damping) in net.damping.iter().enumerate() {
            let speed = net.dampers.dot(k, at.v, &speeds);
            damped += damping * speed * speed;
            work += damping * speed * net.dampers.supports.dot(k, &speeds);
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, at.v, &speeds);
            damped += curve.at(speed) * speed;
            work += curve.at(speed) * net.tabled_dampers.supports.dot(k, &speeds);
        }
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            // Without the preload, whose work on bodies stands in the constant forces: stored is ½ k e².
            work += stiffness * net.springs.dot(k, q, support) * net.springs.supports.dot(k, &speeds);
        }
        for k in 0..net.tabled.own.len() {
            work += self.guarded_force(k, at) * net.tabled.supports.dot(k, &speeds);
        }
        // On bodies acts r H v = r s − r u: the supports do the rest.
        let components = (0..net.contacts.len()).flat_map(|c| self.pad_of(c).1);
        work -= components.zip(forces).map(|(k, r)| r * net.pads.supports.dot(k, &speeds)).sum::<f64>();
        (out[0], out[1]) = (work, damped);
    }

    fn guards(&self, at: At, out: &mut [f64]) {
        let (q, support) = at.q.split_at(self.network.n);
        for (i, &stop) in self.spring_stops.iter().enumerate() {
            let d = self.network.tabled.dot(self.tabled_springs.len() + i, q, support);
            let clearance = self.parameters.stops[stop].clearance;
            (out[2 * i], out[2 * i + 1]) = (clearance - d, clearance + d);
        }
        self.corner_guards(at, out);
    }

    fn signals(&self) -> Signals<'_> {
        Box::new(self.network.signals.list.iter().map(|(what, _, signal)| (*what, signal)))
    }

    fn place(&self, t: f64, q: &mut [f64]) {
        for (place, path) in q[self.network.n..].iter_mut().zip(&self.network.motions) {
            if let Path::Position(drive) = path {
                *place = self.drive(drive, t);
            }
        }
    }

    fn jump_work(&self, q: &[f64], to: &[f64], work: &mut [f64]) {
        // The supports pull the springs along: what those store more is work.
        work[0] += self.elastic(to) - self.elastic(q);
    }

    fn rows(&self) -> Option<(&Rows, &[f64])> {
        Some((&self.network.rows, &self.network.mass))
    }

    fn check(&self, t: f64) -> Result<(), SystemError> {
        if let Some((_, what)) = self.unknown_to_events() {
            return Err(SystemError::ByStepsOnly { what });
        }
        check_signals(self.signals(), t)
    }
}

impl ByEvents for Assembly {
    type Closed = NoClosedForm<AssemblyState>;

    fn closed_form(&self) -> Option<&NoClosedForm<AssemblyState>> {
        None
    }

    fn state_at(&self, flow: &Flow) -> AssemblyState {
        let net = &self.network;
        let mut u = AssemblyState::new(self);
        let (q, support) = flow.q.split_at(net.n);
        u.q.copy_from_slice(q);
        u.support.copy_from_slice(support);
        u.support_speed = self.support_motion(flow.t).0;
        u.v.copy_from_slice(&flow.v);
        let mut from = 0;
        for c in 0..net.contacts.len() {
            let (pad, components) = self.pad_of(c);
            let own = from..from + components.len();
            from = own.end;
            for (k, i) in components.zip(own) {
                u.force[k] = flow.forces[i];
                u.slip[k] = flow.s[i];
                u.moved[k] += flow.slid[i];
            }
            u.dissipated[pad] = flow.dissipated[c];
            let disk = self.parameters.pads[pad].face == Face::Disk;
            u.modes[pad] = match flow.states[c] {
                State::Slip(_) if disk => State::Slip([0.0; 2]),
                other => other,
            };
            let grip = match flow.states[c] {
                State::Slip(_) => {
                    let speed = u.slip[self.pad_of(c).1].iter().map(|s| s * s).sum::<f64>().sqrt();
                    Grip::Slips(speed)
                }
                _ => Grip::Sticks,
            };
            u.bound[pad] = self.bound(c, flow.at(), grip);
        }
        for k in 0..net.tabled.own.len() {
            u.stretch[k] = net.shared[k].map_or_else(|| net.tabled.dot(k, &u.q, &u.support), |pad| u.moved[pad]);
        }
        (u.work, u.damped) = (flow.work[0], flow.work[1]);
        (u.residual, u.speed) = (flow.residual, flow.speed);
        u.begun = true;
        u
    }
}
