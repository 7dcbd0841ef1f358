//! The vehicle between events where drag, slopes or signals leave no closed form.

use stickslip_linalg::Matrix;

use super::road::half_and_half;
use super::warmth::Places;
use super::{TyreForm, Vehicle, VehicleState};
use stickslip_core::inclusion::Star;
use stickslip_core::law::SlipRange;
use stickslip_core::mechanics::{Affine, At, Flow, Grip, Signals, Sizes, Smooth, SystemError, motion};
use stickslip_core::scheme::ByEvents;
use stickslip_core::signal::Signal;
use stickslip_loads::heat::Warmth;

impl Vehicle {
    /// What the friction of a contact that does this is multiplied with.
    pub(super) fn over_slip(&self, contact: usize, sides: &[bool], grip: Grip) -> f64 {
        if self.over_slip { self.laws.factor(contact, sides, grip) } else { 1.0 }
    }

    /// The vehicle's position, kept inside the stretch of road that the guards tell, and how far it is beyond.
    pub(super) fn position(&self, at: At) -> (f64, f64) {
        let x = self.parameters.start.x + at.q[0];
        let passed = at.sides[..self.breaks.len()].iter().filter(|side| **side).count();
        let from = passed.checked_sub(1).map_or(f64::NEG_INFINITY, |k| self.breaks[k]);
        let until = self.breaks.get(passed).map_or(f64::INFINITY, |b| b.next_down());
        let kept = x.max(from).min(until);
        (kept, x - kept)
    }

    /// θ, on the straight piece of the profile that holds.
    pub(super) fn tilt(&self, at: At) -> f64 {
        match &self.parameters.road.profile {
            Some(profile) => {
                let (kept, beyond) = self.position(at);
                profile.piece(kept).angle(kept + beyond)
            }
            None => self.parameters.slope.at(at.t),
        }
    }

    /// −m g sin θ \[N\].
    fn pull(&self, at: At) -> f64 {
        -self.parameters.mass * self.parameters.gravity * self.tilt(at).sin()
    }
}

/// Number of the first power of tyres and discs.
const OWN_POWERS: usize = 3;

/// Positions ∫x1 and ∫v_i, then deflections of tyres and temperatures of discs; velocities x1 and v_i. Powers: motors,
/// gravity, drag; then heat of each tyre and, of all together, what their shifts give; then the cooling of each disc.
/// Guards: places where the road changes, corners of friction over slip; then, with tyres, V and V_e of each, and where one has its steady
/// form V − v0 and V + v0; then corners of the fading of discs.
impl Smooth for Vehicle {
    fn sizes(&self) -> Sizes {
        let n = 1 + self.wheels.len();
        let Places { treads, discs, .. } = self.places;
        let guarded = if treads > 0 { 1 + treads } else { 0 };
        let fading: usize = self.discs().map(|(_, disc)| disc.corners().len()).sum();
        Sizes {
            positions: n + treads + discs,
            velocities: n,
            powers: OWN_POWERS + guarded + discs,
            guards: self.breaks.len() + self.laws.guards() + guarded + self.standstill_guards(0.0).count() + fading,
        }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![1; self.contacts.len()]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let mut q = vec![0.0; 1 + self.wheels.len() + self.places.treads];
        q.extend(self.cold_discs().iter().map(|disc| disc.temperature));
        (q, Affine::initial(self))
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        out[..at.v.len()].copy_from_slice(at.v);
        if self.has_elements() {
            for (i, tread) in self.treads() {
                let place = self.places.tread[i];
                out[place] = match tread.form {
                    TyreForm::Deflection => self.tread_at(i, tread, at).rate(at.v[0], -at.v[1 + i], at.q[place]).rate,
                    TyreForm::Steady => 0.0,
                };
            }
            for (i, disc) in self.discs() {
                let place = self.places.disc[i];
                out[place] = disc.rate(at.q[place], self.brake_power(i, at));
            }
        }
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        let p = &self.parameters;
        let x1 = at.v[0];
        out[0] = (self.pull(at) - p.drag * x1.abs() * x1) / p.mass;
        out[1..].iter_mut().zip(&self.wheels).for_each(|(a, w)| *a = w.drive.at(at.t) / w.j);
        for (i, tread) in self.treads() {
            let (force, _) = self.tyre(i, tread, at);
            out[0] += force / p.mass;
            out[1 + i] += force / self.wheels[i].j;
        }
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        out.iter_mut().enumerate().for_each(|(k, slip)| *slip = self.contact_of.slip(k, acceleration));
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        self.contact_of.h.accelerate(&self.mass, forces, y);
    }

    fn influence(&self, _: At) -> Matrix {
        self.contact_of.h.influence(&self.mass)
    }

    fn star(&self) -> Option<&Star> {
        self.contact_of.star.then_some(&self.star)
    }

    fn slip_range(&self, contact: usize) -> Option<SlipRange> {
        self.laws.range(contact)
    }

    fn bound(&self, contact: usize, at: At, grip: Grip) -> f64 {
        let over = || self.over_slip(contact, at.sides, grip);
        match self.row(contact) {
            (_, None) => self.resistance_at(self.tilt(at).cos()),
            (0.0, Some(wheel)) => self.faded_brake(wheel, at) * over(),
            (_, Some(wheel)) => {
                if let Some(tread) = &self.wheels[wheel].tread {
                    return self.standstill_bound(wheel, tread, at, grip);
                }
                let cosine = self.tilt(at).cos();
                let moved = self.load_factor(wheel, at.transfer, cosine);
                self.level_bound(wheel, at.t, self.position(at).0) * cosine * moved * over()
            }
        }
    }

    /// The same numbers as `bound` gives, with place and slope of the vehicle found once. Wheels often come in rows: a
    /// signal that is the same as that of the wheel before is not read again, nor are patches.
    fn bounds(&self, at: At, grips: &[Grip], out: &mut [f64]) {
        if self.has_elements() {
            let each = out.iter_mut().zip(grips).enumerate();
            each.for_each(|(contact, (bound, grip))| *bound = self.bound(contact, at, *grip));
            return;
        }
        let (x, cosine) = (self.position(at).0, self.tilt(at).cos());
        let patches: Vec<f64> = self.parameters.road.patches.iter().map(|patch| patch.friction.at(at.t)).collect();
        // Last values read of a ground that is no patch, and of a brake.
        let (mut own, mut brake): (Option<f64>, f64) = (None, 0.0);
        for (i, (wheel, pair)) in self.wheels.iter().zip(out.chunks_exact_mut(2)).enumerate() {
            own = own.filter(|_| wheel.ground_as_before);
            let level = match wheel.track.under(x) {
                [None, None] => *own.get_or_insert_with(|| wheel.ground.at(at.t)),
                under => {
                    let side = |patch: Option<usize>| {
                        patch.map_or_else(|| self.parameters.wheels[i].friction.at(at.t), |patch| patches[patch])
                    };
                    wheel.load * half_and_half(under.map(side))
                }
            };
            pair[0] = level * cosine * self.load_factor(i, at.transfer, cosine);
            if !wheel.brake_as_before {
                brake = wheel.brake.at(at.t);
            }
            pair[1] = brake;
        }
        if let Some(resistance) = out.get_mut(2 * self.wheels.len()) {
            *resistance = self.resistance_at(cosine);
        }
        if self.over_slip {
            for (contact, (bound, grip)) in out.iter_mut().zip(grips).enumerate() {
                *bound *= self.over_slip(contact, at.sides, *grip);
            }
        }
    }

    fn transfers(&self) -> bool {
        self.transfer.is_some()
    }

    fn transfer(&self, at: At, forces: &[f64]) -> f64 {
        let Some(loads) = &self.transfer else { return 0.0 };
        let of = &self.contact_of;
        let ground = |i: usize| {
            let contact = of.ground[i].map_or(0.0, |contact| -forces[contact]);
            self.wheels[i].tread.as_ref().map_or(contact, |tread| contact - self.tyre(i, tread, at).0)
        };
        let wheel = |i: usize| [ground(i), -forces[of.brake[i]], self.wheels[i].drive.at(at.t)];
        loads.made((0..self.wheels.len()).map(wheel), of.resistance.map_or(0.0, |r| -forces[r]))
    }

    fn describes(&self, flow: &Flow) -> Result<(), SystemError> {
        self.check_loads(flow.t, flow.transfer, self.tilt(flow.at()).cos())
    }

    /// One for every place at which the road changes, then one for every slip speed at which a factor has a corner.
    fn guards(&self, at: At, out: &mut [f64]) {
        let x = self.parameters.start.x + at.q[0];
        let places = self.breaks.iter().map(|place| x - place);
        let corners = self.laws.guard_values(|contact| self.contact_of.slip(contact, at.v));
        let speed = self.treads().take(1).map(|_| at.v[0]);
        let slips = self.treads().map(|(i, tread)| self.tread_at(i, tread, at).effective_slip(at.v[0], -at.v[1 + i]));
        let fading = self.discs().flat_map(|(i, disc)| {
            let temperature = at.q[self.places.disc[i]];
            disc.corners().iter().map(move |corner| temperature - corner)
        });
        let all = places.chain(corners).chain(speed).chain(slips).chain(self.standstill_guards(at.v[0])).chain(fading);
        out.iter_mut().zip(all).for_each(|(guard, value)| *guard = value);
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        let x1 = at.v[0];
        out[0] = self.wheels.iter().zip(&at.v[1..]).map(|(w, v)| w.drive.at(at.t) * v).sum();
        out[1] = self.pull(at) * x1;
        out[2] = -self.parameters.drag * x1.abs() * x1 * x1;
        if !self.has_elements() {
            return;
        }
        let (tyres, cooled) = out[OWN_POWERS..].split_at_mut(self.places.treads + usize::from(self.places.treads > 0));
        let mut gave = 0.0;
        for ((i, tread), heat) in self.treads().zip(tyres.iter_mut()) {
            let (_, powers) = self.tyre(i, tread, at);
            *heat = powers.dissipated;
            gave -= powers.shifts;
        }
        if let Some(shifts) = tyres.last_mut() {
            *shifts = gave;
        }
        for ((i, disc), cooled) in self.discs().zip(cooled) {
            *cooled = disc.cooling_power(at.q[self.places.disc[i]]);
        }
    }

    /// Of the wheels and patches, then the slope.
    fn signals(&self) -> Signals<'_> {
        let patches = self.parameters.road.patches.iter().map(|p| ("friction of a road patch", &p.friction));
        let wheels = self.wheels.iter();
        let of_wheels =
            wheels.flat_map(|w| [("motor torque", &w.drive), ("friction", &w.ground), ("brake torque", &w.brake)]);
        Box::new(of_wheels.chain(patches).chain([("slope", &self.parameters.slope)]))
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        let mut velocities = v.to_vec();
        self.settle(&stuck.iter().map(|stuck| f64::from(!stuck)).collect(), &mut velocities);
        v.copy_from_slice(&velocities);
    }

    fn select_rates(&self, stuck: &[bool], a: &mut [f64]) {
        self.select(stuck, a);
    }
}

impl Vehicle {
    /// Tyres and discs of a smooth motion.
    fn take_elements(&self, flow: &Flow, state: &mut VehicleState) {
        let Places { treads, .. } = self.places;
        for (k, (i, tread)) in self.treads().enumerate() {
            let z = flow.q[self.places.tread[i]];
            state.treads.push(z);
            let (force, heat) = (self.tyre(i, tread, flow.at()).0, flow.work[OWN_POWERS + k]);
            match tread.form {
                // Not −0.0 where there is none.
                TyreForm::Deflection => (state.answer.f[i], state.sums.ground[i]) = (0.0 - force, heat),
                // Besides what the contact does at standstill.
                TyreForm::Steady => {
                    state.answer.f[i] -= force;
                    state.sums.ground[i] += heat;
                }
            }
        }
        let mut next = OWN_POWERS + treads;
        if treads > 0 {
            state.sums.shifts = flow.work[next];
            next += 1;
        }
        for (k, (i, disc)) in self.discs().enumerate() {
            state.discs.push(Warmth {
                temperature: flow.q[self.places.disc[i]],
                cooled: flow.work[next + k],
                passed_by: disc.into_pads(flow.dissipated[self.contact_of.brake[i]]),
            });
        }
    }
}

impl ByEvents for Vehicle {
    type Closed = Vehicle;

    fn closed_form(&self) -> Option<&Vehicle> {
        let p = &self.parameters;
        let closed = p.drag == 0.0
            && !self.elements
            && self.transfer.is_none()
            && !self.over_slip
            && p.road.is_uniform()
            && matches!(p.slope, Signal::Constant(_))
            && self.signals().all(|(_, signal)| signal.is_straight());
        closed.then_some(self)
    }

    fn begun_in_closed_form(&self) -> Option<&Vehicle> {
        Some(self)
    }

    fn state_at(&self, flow: &Flow) -> VehicleState {
        let mut state = Affine::state(self, &motion(flow));
        state.sums.power[0] = flow.work[0];
        state.sums.climb = 0.0 - flow.work[1];
        state.sums.drag = 0.0 - flow.work[2];
        state.transfer = flow.transfer;
        if self.has_elements() {
            self.take_elements(flow, &mut state);
        }
        state
    }
}
