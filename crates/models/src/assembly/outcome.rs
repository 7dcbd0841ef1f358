//! What a step has found, taken over into the state: velocities, coordinates, displacements, tallies.

use super::Assembly;
use super::parts::Buffer;
use super::state::{AssemblyState, AssemblyWorkspace, shown};
use stickslip_core::inclusion::coupled::{Answer, Mode};
use stickslip_core::law::State;
use stickslip_core::mechanics::Judged;

/// A way this share of a displacement is short: beside the energy stored there, that of the way is half of its digits at the most.
const SHORT: f64 = 1e-6;

impl Assembly {
    /// True if a contact changed.
    #[inline]
    pub(super) fn take(&self, u: &mut AssemblyState, w: &mut AssemblyWorkspace, h: f64) -> bool {
        let (net, theta) = (&self.network, w.theta);
        let late = 1.0 - theta;
        // Out of the state and back: it is read while the rest of the state is written.
        let answer = std::mem::take(&mut u.answer);
        let mut power = 0.0;
        let mut fastest = u.speed;
        if w.judged != Judged::Impact && theta > 0.5 {
            u.numerical += (theta - 0.5) * self.lost_by_steps(u, &answer.v, &u.support_speed, h, theta);
        }
        let before = u.v.iter_mut().zip(&mut u.q);
        let after = answer.v.iter().zip(&mut w.mean).zip(&net.constant);
        for ((v, q), ((new, mean), constant)) in before.zip(after) {
            *mean = if late > 0.0 { theta * new + late * *v } else { *new };
            *v = *new;
            *q += h * *mean;
            power += constant * *mean;
            fastest = if new.abs() > fastest { new.abs() } else { fastest };
        }
        u.speed = fastest;
        for (coordinate, drive) in &net.forces {
            power += drive.at(&w.values) * w.mean[*coordinate];
        }
        u.work += h * power;
        // Written so that what is not a number is kept.
        let worse = !(u.residual.is_nan() || answer.residual <= u.residual);
        if worse && !w.solver.as_ref().is_some_and(|(_, solver)| solver.is_rounding(&answer)) {
            u.residual = answer.residual;
        }
        let mut changed = !u.begun;
        u.begun = true;
        if net.plain && late == 0.0 {
            follow_plain(u, h, &answer);
        } else {
            let mut k = 0;
            for (c, &contact) in net.contacts.iter().enumerate() {
                let dim = net.contact_dims[c];
                let found = (&answer.r[k..k + dim], &answer.s[k..k + dim]);
                self.follow(u, (h, theta, &w.mean), contact, net.contact_first[c], found, w.judged);
                k += dim;
            }
        }
        self.look_beyond_walls(u);
        changed |= self.show(u, w, &answer);
        u.answer = answer;
        if !self.elements.is_empty() {
            changed |= self.follow_elements(u, w, h);
        }
        self.follow_links(u, w, h);
        changed
    }

    /// Force, slip, displacement and heat of a contact whose first component is `first`, over a step h with these mean
    /// speeds.
    #[inline(always)]
    fn follow(
        &self,
        u: &mut AssemblyState,
        over: (f64, f64, &[f64]),
        contact: usize,
        first: usize,
        (r, s): (&[f64], &[f64]),
        judged: Judged,
    ) {
        let (h, theta, mean_speeds) = over;
        let net = &self.network;
        let late = 1.0 - theta;
        let wall = contact >= self.parameters.pads.len();
        let mut heat = 0.0;
        let at = first..first + r.len();
        let places = u.force[at.clone()].iter_mut().zip(&mut u.slip[at.clone()]).zip(&mut u.moved[at]);
        for (j, (((force, slip), moved), (r, s))) in places.zip(r.iter().zip(s)).enumerate() {
            // Of a wall without what the rebound added.
            let new = if wall { net.pads.dot(first + j, &u.v, &u.support_speed) } else { *s };
            // A wall that stays closed in the shifted configuration is at rest by selection, not by subtraction.
            let stays = wall && judged == Judged::Shifted && *s == 0.0 && u.modes[contact] == State::Stick;
            let new = if stays { 0.0 } else { new };
            let rests = new == 0.0 && *slip == 0.0;
            let mean = if late == 0.0 || rests {
                new
            } else if net.pads.supports.is_zero() {
                theta * new + late * *slip
            } else {
                // The support's speed is the mean of the step already: that of the step before has no part in it.
                net.pads.dot(first + j, mean_speeds, &u.support_speed)
            };
            heat -= r * if wall && judged == Judged::Impact { self.lost_in_blow(contact, *r, *slip) } else { mean };
            *force = *r;
            *slip = new;
            *moved += h * mean;
            if !net.pads.supports.is_zero() {
                // On bodies acts r H v = r s − r u: the support does the rest.
                u.work -= h * (r * net.pads.supports.dot(first + j, &u.support_speed));
            }
        }
        u.dissipated[contact] += h * heat;
    }

    /// |Δv|²_M + |Δq|²_K of a step: 1/(θ − ½) of what the θ-method loses besides its contacts and dampers. The part of supports
    /// is booked with the middle of the step.
    fn lost_by_steps(&self, u: &AssemblyState, new: &[f64], support: &[f64], h: f64, theta: f64) -> f64 {
        let net = &self.network;
        let blow: f64 = net.mass.iter().zip(new.iter().zip(&u.v)).map(|(m, (new, old))| m * (new - old).powi(2)).sum();
        let springs: f64 = (net.stiffness.iter().enumerate())
            .map(|(k, stiffness)| {
                let own = theta * net.springs.own.dot(k, new) + (1.0 - theta) * net.springs.own.dot(k, &u.v);
                let supports = if net.springs.supports.is_zero() { 0.0 } else { net.springs.supports.dot(k, support) };
                stiffness * own * (own + supports)
            })
            .sum();
        blow + h * h * springs
    }

    /// The speed that turns the impulse of a wall into heat. A blow changes the kinetic energy by its impulse times the
    /// mean of the speeds s before and −e s after it, whatever θ is: ½ (1 − e) s. What leaves the wall and is pressed
    /// back within the step meets it at rest, and nothing becomes heat.
    #[inline(always)]
    fn lost_in_blow(&self, contact: usize, force: f64, before: f64) -> f64 {
        let stop = &self.parameters.stops[self.walls[contact - self.parameters.pads.len()]];
        let Buffer::Wall(restitution) = stop.buffer else { return 0.0 };
        let leaves = force * before > 0.0;
        if leaves { 0.0 } else { 0.5 * (1.0 - restitution) * before }
    }

    /// Notes how far bodies are beyond their walls.
    #[inline]
    fn look_beyond_walls(&self, u: &mut AssemblyState) {
        let net = &self.network;
        let walls = &net.contact_first[net.contacts.len() - self.walls.len()..];
        for (&stop, &first) in self.walls.iter().zip(walls) {
            let clearance = self.parameters.stops[stop].clearance;
            let depth = u.moved[first].abs() - clearance;
            // The worst is the one that is deepest for its own clearance.
            if clearance > 0.0 && depth > u.beyond[1] * clearance {
                u.beyond = [depth, depth / clearance];
            }
        }
    }

    /// Notes what the contacts do. True if one did something else before.
    #[inline(always)]
    fn show(&self, u: &mut AssemblyState, w: &mut AssemblyWorkspace, answer: &Answer) -> bool {
        let net = &self.network;
        let mut changed = false;
        let seen = w.modes.iter_mut().zip(&answer.modes).zip(net.exact());
        for ((last, mode), pad) in seen.filter(|((last, mode), _)| **last != Some(**mode)) {
            *last = Some(*mode);
            changed |= u.modes[*pad] != shown(*mode);
            u.modes[*pad] = shown(*mode);
        }
        for (c, &wall) in net.contacts.iter().enumerate().skip(net.exact().len()) {
            let pushes = answer.modes[c] == Mode::Stick && u.force[net.contact_first[c]] != 0.0;
            let state = if pushes { State::Stick } else { State::Open };
            changed |= u.modes[wall] != state;
            u.modes[wall] = state;
        }
        changed
    }

    /// Displacements of tabled springs and stops; work of supports; energy in dampers.
    #[inline]
    fn follow_links(&self, u: &mut AssemblyState, w: &AssemblyWorkspace, h: f64) {
        let net = &self.network;
        // Displacements of pads do not change while all stick.
        let still = net.all_shared && w.theta == 1.0 && u.slip.iter().all(|s| *s == 0.0);
        if !still {
            for (k, (stretch, shared)) in u.stretch.iter_mut().zip(&net.shared).enumerate() {
                *stretch = match *shared {
                    Some(component) => u.moved[component],
                    None => *stretch + h * net.tabled.dot(k, &w.mean, &u.support_speed),
                };
            }
        }
        let mut power = 0.0;
        for (k, damping) in net.damping.iter().enumerate() {
            let speed = net.dampers.dot(k, &w.mean, &u.support_speed);
            u.damped += h * damping * speed * speed;
            power += damping * speed * net.dampers.supports.dot(k, &u.support_speed);
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, &w.mean, &u.support_speed);
            u.damped += h * curve.at(speed) * speed;
            power += curve.at(speed) * net.tabled_dampers.supports.dot(k, &u.support_speed);
        }
        if !net.springs.supports.is_zero() {
            for (k, stiffness) in net.stiffness.iter().enumerate() {
                // The mean of the step: right also where the support jumps within it.
                let change = h * net.springs.dot(k, &w.mean, &u.support_speed);
                let stretch = net.springs.dot(k, &u.q, &u.support) - 0.5 * change;
                // Stored is ½ k e², and the preload's work on bodies is counted with the constant forces: what it does on
                // the support is the spring's own, not the support's.
                power += stiffness * stretch * net.springs.supports.dot(k, &u.support_speed);
            }
        }
        if !net.tabled.supports.is_zero() {
            for k in 0..net.tabled.own.len() {
                let change = h * net.tabled.dot(k, &w.mean, &u.support_speed);
                power += self.mean_force(k, u.stretch[k] - change, u.stretch[k])
                    * net.tabled.supports.dot(k, &u.support_speed);
            }
        }
        if power != 0.0 {
            u.work += h * power;
        }
    }

    /// The mean force of a tabled spring or stop on the way between two displacements: right also where a support that
    /// jumps leads it over corners of its force. What is stored at either end tells no short way from rounding.
    fn mean_force(&self, k: usize, from: f64, to: f64) -> f64 {
        let change = to - from;
        if change.abs() > SHORT * from.abs().max(to.abs()) {
            (self.tabled_energy(k, to) - self.tabled_energy(k, from)) / change
        } else {
            0.5 * (self.tabled_force(k, from) + self.tabled_force(k, to))
        }
    }
}

/// Forces, slips, displacements and heat where every pad is a disk on bodies and ground that follows the exact law, and
/// there are no walls.
#[inline(always)]
fn follow_plain(u: &mut AssemblyState, h: f64, answer: &Answer) {
    let (r, s) = (answer.r.as_chunks::<2>().0, answer.s.as_chunks::<2>().0);
    let places = u.force.as_chunks_mut::<2>().0.iter_mut().zip(u.slip.as_chunks_mut::<2>().0);
    let places = places.zip(u.moved.as_chunks_mut::<2>().0).zip(&mut u.dissipated);
    for ((((force, slip), moved), heat), (r, s)) in places.zip(r.iter().zip(s)) {
        *force = *r;
        *slip = *s;
        moved[0] += h * s[0];
        moved[1] += h * s[1];
        *heat += h * (0.0 - r[0] * s[0] - r[1] * s[1]);
    }
}
