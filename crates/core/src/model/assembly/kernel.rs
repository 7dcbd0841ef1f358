//! One step of an assembly.
//!
//! ```text
//! (M + hθC + h²θ²K) v⁺ = M v + h [F − (1−θ) C v − K (q + hθ(1−θ) v)] + h Hᵀ r,      −s⁺ ∈ N_C(r),
//! q⁺ = q + h v_θ,      v_θ = θ v⁺ + (1−θ) v
//! ```
//!
//! θ = 1 is implicit Euler with F at the end of the step, θ = ½ the scheme of Moreau and Jean with F in the middle.
//! Stops, tables, loads from springs and μ(|s|) are taken at the beginning of the step (displacements a share 1 − θ
//! into it).

use super::network::{Drive, Path};
use super::parts::{Buffer, Element};
use super::state::{AssemblyState, shown};
use super::{Assembly, Characteristic};
use crate::inclusion::SolveError;
use crate::inclusion::coupled::{Bounds, Coupled, Mode};
use crate::law::{Coefficient, State};
use crate::mechanics::{Kernel, SystemError};
use crate::model::line::{Line, Lines};

/// Signals whose lines travel with the kernel; of assemblies with more the state keeps them.
const CARRIED: usize = 12;

/// Steps of an assembly between two breaks of its signals.
#[derive(Debug, Clone, Copy)]
pub struct AssemblyKernel<'a> {
    assembly: &'a Assembly,
    /// Number of the first step.
    from: u64,
    h: f64,
    lines: [Line; CARRIED],
}

impl<'a> AssemblyKernel<'a> {
    pub(super) fn new(assembly: &'a Assembly, n: u64, h: f64) -> Result<(AssemblyKernel<'a>, u64), SystemError> {
        let mut lines = Lines::new(n, h);
        let mut carried = [Line { value: 0.0, per_step: 0.0 }; CARRIED];
        for k in 0..assembly.network.signals.list.len() {
            let line = assembly.line(k, &mut lines)?;
            if let Some(place) = carried.get_mut(k) {
                *place = line;
            }
        }
        Ok((AssemblyKernel { assembly, from: n, h, lines: carried }, lines.valid()))
    }

    /// Has the solver for this step size and the lines ready in the state.
    #[inline]
    fn prepare(&self, u: &mut AssemblyState) {
        if u.room.filled != Some((self.from, self.h)) {
            self.fill(u);
        }
    }

    fn fill(&self, u: &mut AssemblyState) {
        let net = &self.assembly.network;
        if u.room.solver.as_ref().is_none_or(|(h, _)| *h != self.h) {
            let theta = self.assembly.parameters.theta;
            let s = net.matrix(self.h * theta, self.h * self.h * theta * theta);
            let moving = !net.motions.is_empty() || net.contacts.len() > self.assembly.parameters.pads.len();
            match Coupled::new(&s, net.rows.clone(), &net.contact_dims, self.h, moving) {
                Some(solver) => {
                    let mut answer = solver.answer();
                    answer.v.copy_from_slice(&u.v);
                    u.room.answer = Some(answer);
                    u.room.solver = Some((self.h, Box::new(solver)));
                }
                None => u.failure = Some(SolveError::NotFinite),
            }
        }
        u.room.filled = Some((self.from, self.h));
        let count = net.signals.list.len();
        if count <= CARRIED {
            u.room.lines.copy_from_slice(&self.lines[..count]);
        } else {
            let mut lines = Lines::new(self.from, self.h);
            for (k, line) in u.room.lines.iter_mut().enumerate() {
                // Read once before, by `new`: there is no error left to find.
                if let Ok(read) = self.assembly.line(k, &mut lines) {
                    *line = read;
                }
            }
        }
    }

    fn make(&self, n: u64, u: &mut AssemblyState) -> bool {
        let steps = (n - self.from) as i64 as f64;
        for (value, line) in u.room.values.iter_mut().zip(&u.room.lines) {
            *value = line.at(steps);
        }
        let (h, assembly) = (self.h, self.assembly);
        assembly.move_supports(u, h);
        assembly.gather(u, h);
        assembly.limit(u, h);
        let Some((_, solver)) = &mut u.room.solver else { return true };
        let Some(answer) = &mut u.room.answer else { return true };
        if let Err(error) = solver.solve(&u.room.momentum, &u.room.added, &u.room.bounds, answer) {
            u.failure = Some(error);
            return true;
        }
        assembly.take(u, h)
    }
}

impl Assembly {
    fn line(&self, k: usize, lines: &mut Lines) -> Result<Line, SystemError> {
        let (what, bound, signal) = &self.network.signals.list[k];
        if *bound {
            lines.end_bound(what, signal)
        } else if self.parameters.theta < 1.0 && *what == "a force" {
            lines.within(what, signal, self.parameters.theta)
        } else {
            lines.end(what, signal)
        }
    }

    /// Speeds of the supports at the start.
    pub(super) fn set_support_speeds(&self, u: &mut AssemblyState, t: f64) {
        for (k, motion) in self.network.motions.iter().enumerate() {
            if let Path::Speed(drive) = motion {
                u.support_speed[k] = match *drive {
                    Drive::Constant(value) => value,
                    Drive::Line(line) => self.network.signals.list[line].2.at(t),
                };
            }
        }
    }

    #[inline]
    fn move_supports(&self, u: &mut AssemblyState, h: f64) {
        for (k, motion) in self.network.motions.iter().enumerate() {
            match motion {
                Path::Still => {}
                Path::Speed(drive) => {
                    u.support_speed[k] = drive.at(&u.room.values);
                    u.support[k] += h * u.support_speed[k];
                }
                Path::Position(drive) => {
                    let position = drive.at(&u.room.values);
                    u.support_speed[k] = (position - u.support[k]) / h;
                    u.support[k] = position;
                }
            }
        }
    }

    /// Momentum without contact forces.
    #[inline]
    fn gather(&self, u: &mut AssemblyState, h: f64) {
        let (net, theta) = (&self.network, self.parameters.theta);
        let late = 1.0 - theta;
        let load = &mut u.room.load;
        load.copy_from_slice(&net.constant);
        for (coordinate, drive) in &net.forces {
            load[*coordinate] += drive.at(&u.room.values);
        }
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            let mut stretch = net.springs.own.dot(k, &u.q);
            if late > 0.0 {
                stretch += h * theta * late * net.springs.own.dot(k, &u.v);
            }
            if !net.springs.supports.is_zero() {
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
        self.gather_tabled(u, h * late);
        self.gather_elements(u, h * late);
        for (((p, m), v), f) in u.room.momentum.iter_mut().zip(&net.mass).zip(&u.v).zip(&u.room.load) {
            *p = m * v + h * f;
        }
    }

    /// Tabled springs, stop springs and tabled dampers, `ahead` seconds after the beginning of the step.
    #[inline]
    fn gather_tabled(&self, u: &mut AssemblyState, ahead: f64) {
        let net = &self.network;
        for k in 0..net.tabled.own.len() {
            let mut d = u.stretch[k];
            if ahead > 0.0 {
                d += ahead * net.tabled.dot(k, &u.v, &u.support_speed);
            }
            let force = self.tabled_force(k, d);
            if force != 0.0 {
                net.tabled.own.add(k, -force, &mut u.room.load);
            }
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, &u.v, &u.support_speed);
            net.tabled_dampers.own.add(k, -curve.at(speed), &mut u.room.load);
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

    /// Forces of the spring elements of pads.
    #[inline]
    fn gather_elements(&self, u: &mut AssemblyState, ahead: f64) {
        for &pad in &self.elements {
            for k in self.components(pad) {
                let force = match self.parameters.pads[pad].element {
                    Element::Exact => continue,
                    Element::Vampire { .. } => 0.0 - u.force[k],
                    Element::Kolsch { parallel, .. } => u.memory[k] + parallel * (u.moved[k] + ahead * u.slip[k]),
                };
                self.network.pads.own.add(k, -force, &mut u.room.load);
            }
        }
    }

    /// What the contacts can transmit in this step.
    #[inline]
    fn limit(&self, u: &mut AssemblyState, h: f64) {
        let net = &self.network;
        let mut last = (f64::NAN, f64::NAN, usize::MAX);
        for (i, pad) in self.parameters.pads.iter().enumerate() {
            let at = self.components(i);
            let speed = match (&pad.coefficient, &u.slip[at.clone()]) {
                (Coefficient::Constant(_), _) => 0.0,
                (_, [s]) => s.abs(),
                (_, [x, y]) => {
                    if *y == 0.0 {
                        x.abs()
                    } else {
                        (x * x + y * y).sqrt()
                    }
                }
                _ => 0.0,
            };
            // Pads that do the same and have the same law share its evaluation.
            let mut mu = if speed == last.0 && self.alike[i] == last.2 { last.1 } else { pad.coefficient.at(speed) };
            last = (speed, mu, self.alike[i]);
            mu *= net.factors[i].at(&u.room.values);
            if let Some(curve) = &pad.over_place {
                mu *= curve.at(u.moved[at.start]);
            }
            let mut load = net.loads[i].at(&u.room.values);
            if let Some(spring) = pad.pressed_by {
                load -= self.spring_force(spring, u);
            }
            u.bound[i] = if load > 0.0 { mu * load } else { 0.0 };
        }
        let mut k = 0;
        for (c, &contact) in net.contacts.iter().enumerate() {
            let first = net.contact_first[c];
            let moving = !net.pads.supports.is_zero();
            for j in 0..net.contact_dims[c] {
                u.room.added[k + j] = if moving { net.pads.supports.dot(first + j, &u.support_speed) } else { 0.0 };
            }
            u.room.bounds[c] = match self.parameters.pads.len() {
                pads if contact < pads => Bounds::symmetric(u.bound[contact]),
                pads => {
                    let (bounds, rebound) = self.wall(contact - pads, u.moved[first], u.slip[first], h);
                    u.room.added[k] += rebound;
                    bounds
                }
            };
            k += net.contact_dims[c];
        }
    }

    /// What a wall can transmit, and the speed with which it throws back.
    fn wall(&self, wall: usize, d: f64, speed: f64, h: f64) -> (Bounds, f64) {
        let stop = &self.parameters.stops[self.walls[wall]];
        let Buffer::Wall(restitution) = stop.buffer else { return (Bounds::symmetric(0.0), 0.0) };
        let ahead = d + 0.5 * h * speed;
        if ahead >= stop.clearance {
            (Bounds { lo: f64::NEG_INFINITY, hi: 0.0 }, restitution * speed.max(0.0))
        } else if ahead <= -stop.clearance {
            (Bounds { lo: 0.0, hi: f64::INFINITY }, restitution * speed.min(0.0))
        } else {
            (Bounds::symmetric(0.0), 0.0)
        }
    }

    /// Takes the solution over: velocities, coordinates, displacements, tallies. True if a contact changed.
    #[inline]
    fn take(&self, u: &mut AssemblyState, h: f64) -> bool {
        let (net, theta) = (&self.network, self.parameters.theta);
        let late = 1.0 - theta;
        let Some(answer) = &u.room.answer else { return true };
        let mut power = 0.0;
        for (i, (v, q)) in u.v.iter_mut().zip(&mut u.q).enumerate() {
            let mean = theta * answer.v[i] + late * *v;
            *v = answer.v[i];
            *q += h * mean;
            u.room.mean[i] = mean;
            power += net.constant[i] * mean;
        }
        for (coordinate, drive) in &net.forces {
            power += drive.at(&u.room.values) * u.room.mean[*coordinate];
        }
        let mut changed = !u.begun;
        u.begun = true;
        u.residual = if answer.residual > u.residual { answer.residual } else { u.residual };
        let pads = self.parameters.pads.len();
        let moving = !net.pads.supports.is_zero();
        let mut k = 0;
        for (c, &contact) in net.contacts.iter().enumerate() {
            let first = net.contact_first[c];
            let wall = contact >= pads;
            let mut heat = 0.0;
            for j in 0..net.contact_dims[c] {
                let (r, at) = (answer.r[k + j], first + j);
                let mut slip = answer.s[k + j];
                if wall {
                    // Without what the rebound added.
                    slip = net.pads.dot(at, &u.v, &u.support_speed);
                }
                let mean = if late > 0.0 { theta * slip + late * u.slip[at] } else { slip };
                u.force[at] = r;
                u.slip[at] = slip;
                u.moved[at] += h * mean;
                heat -= r * mean;
                if moving {
                    // On bodies acts r H v = r s − r u: the support does the rest.
                    power -= r * net.pads.supports.dot(at, &u.support_speed);
                }
            }
            u.dissipated[contact] += h * heat;
            let mode = match (wall, answer.modes[c]) {
                (true, Mode::Stick) if answer.r[k] != 0.0 => State::Stick,
                (true, _) => State::Open,
                (false, mode) => shown(mode),
            };
            changed |= u.modes[contact] != mode;
            u.modes[contact] = mode;
            k += net.contact_dims[c];
        }
        u.work += h * power;
        changed |= self.follow_elements(u, h);
        self.follow_links(u, h);
        let speed = u.greatest_speed();
        u.speed = if speed > u.speed { speed } else { u.speed };
        changed
    }

    /// Steps the spring elements of pads.
    fn follow_elements(&self, u: &mut AssemblyState, h: f64) -> bool {
        let (net, theta) = (&self.network, self.parameters.theta);
        let mut changed = false;
        for &pad in &self.elements {
            let bound = u.bound[pad];
            let at = self.components(pad);
            let mut mode = State::Stick;
            let mut heat = 0.0;
            for k in at.clone() {
                let slip = net.pads.dot(k, &u.v, &u.support_speed);
                let mean = theta * slip + (1.0 - theta) * u.slip[k];
                heat -= u.force[k] * mean;
                u.work -= h * u.force[k] * net.pads.supports.dot(k, &u.support_speed);
                u.slip[k] = slip;
                u.moved[k] += h * mean;
            }
            match self.parameters.pads[pad].element {
                Element::Exact => {}
                Element::Vampire { stiffness, damping } => {
                    let mut size = 0.0;
                    for k in at.clone() {
                        u.memory[k] += h * u.slip[k];
                        u.force[k] = -(stiffness * u.memory[k] + damping * u.slip[k]);
                        size += u.force[k] * u.force[k];
                    }
                    let size = size.sqrt();
                    if size > bound {
                        for k in at.clone() {
                            // Direction first: along a line the force is the bound exactly.
                            u.force[k] = bound * (u.force[k] / size);
                            u.memory[k] = (-u.force[k] - damping * u.slip[k]) / stiffness;
                        }
                        mode = State::Slip([0.0; 2]);
                        if at.len() == 1 {
                            mode = State::Slip([-u.force[at.start].signum(), 0.0]);
                        }
                    }
                }
                Element::Kolsch { stiffness, parallel, exponent } => {
                    let k = at.start;
                    let step = |f: f64, slip: f64| {
                        if bound <= 0.0 {
                            return 0.0;
                        }
                        let opposed = if slip * f > 0.0 { (f / bound).abs().powf(exponent) } else { 0.0 };
                        stiffness * slip * (1.0 - opposed)
                    };
                    // Heun's rule for the force with the new slip: velocities with the old force, then the force with the
                    // new velocities, so that an undamped oscillation neither grows nor decays.
                    let first = step(u.memory[k], u.slip[k]);
                    let second = step(u.memory[k] + h * first, u.slip[k]);
                    u.memory[k] += 0.5 * h * (first + second);
                    u.force[k] = -(u.memory[k] + parallel * u.moved[k]);
                    if u.memory[k].abs() > 0.99 * bound {
                        mode = State::Slip([u.memory[k].signum(), 0.0]);
                    }
                }
            }
            u.dissipated[pad] += h * heat;
            changed |= u.modes[pad] != mode;
            u.modes[pad] = mode;
        }
        changed
    }

    /// Displacements of tabled springs and stops; work of supports; energy in dampers.
    #[inline]
    fn follow_links(&self, u: &mut AssemblyState, h: f64) {
        let net = &self.network;
        for k in 0..net.tabled.own.len() {
            u.stretch[k] = match net.shared[k] {
                Some(component) => u.moved[component],
                None => u.stretch[k] + h * net.tabled.dot(k, &u.room.mean, &u.support_speed),
            };
        }
        let mut power = 0.0;
        for (k, damping) in net.damping.iter().enumerate() {
            let speed = net.dampers.dot(k, &u.room.mean, &u.support_speed);
            u.damped += h * damping * speed * speed;
            power += damping * speed * net.dampers.supports.dot(k, &u.support_speed);
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, &u.room.mean, &u.support_speed);
            u.damped += h * curve.at(speed) * speed;
            power += curve.at(speed) * net.tabled_dampers.supports.dot(k, &u.support_speed);
        }
        if !net.springs.supports.is_zero() {
            for (k, stiffness) in net.stiffness.iter().enumerate() {
                let stretch = net.springs.dot(k, &u.q, &u.support);
                power += (stiffness * stretch + net.preload[k]) * net.springs.supports.dot(k, &u.support_speed);
            }
        }
        if !net.tabled.supports.is_zero() {
            for k in 0..net.tabled.own.len() {
                power += self.tabled_force(k, u.stretch[k]) * net.tabled.supports.dot(k, &u.support_speed);
            }
        }
        if power != 0.0 {
            u.work += h * power;
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

impl Kernel for AssemblyKernel<'_> {
    type State = AssemblyState;

    #[inline]
    fn step(&self, n: u64, u: &mut AssemblyState) -> bool {
        self.prepare(u);
        u.failure.is_some() || self.make(n, u)
    }
}
