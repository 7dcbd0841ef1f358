//! What the contacts can transmit in a step.

use super::parts::Buffer;
use super::state::{AssemblyState, AssemblyWorkspace};
use super::{Assembly, BEYOND};
use crate::passed::Passed;
use stickslip_core::inclusion::coupled::{Bounds, Mode};
use stickslip_core::law::Coefficient;
use stickslip_core::law::Curve;
use stickslip_core::law::State;
use stickslip_core::mechanics::Judged;

/// A slip in the plane that passes zero at less than this share of what it is before and after passes through it.
const ASIDE: f64 = 1e-12;

/// A slip that is none, but slip \[m/s\].
const BARELY: f64 = f64::MIN_POSITIVE;

/// What a table over the place has between two places.
fn passed(curve: &Curve, from: f64, to: f64) -> Option<Passed> {
    let points = curve.places().iter().zip(curve.values()).map(|(place, value)| [*place, *value]);
    Passed::between(points, [from, to].map(|place| [place, curve.at(place)]))
}

impl Assembly {
    /// Bounds of the contacts, and the slips that supports and rebounds add.
    #[inline]
    pub(super) fn limit(&self, u: &mut AssemblyState, w: &mut AssemblyWorkspace, h: f64) {
        let net = &self.network;
        let still = u.slip.iter().all(|s| *s == 0.0);
        if net.steady && still && w.still {
            return;
        }
        w.still = still;
        let mut last = (f64::NAN, f64::NAN, usize::MAX);
        for (i, pad) in self.parameters.pads.iter().enumerate() {
            let first = net.pad_first[i];
            let speed = match (&pad.coefficient, pad.face.dim()) {
                (Coefficient::Constant(_), _) => 0.0,
                (_, 1) => u.slip[first].abs(),
                _ => {
                    let (x, y) = (u.slip[first], u.slip[first + 1]);
                    if y == 0.0 { x.abs() } else { (x * x + y * y).sqrt() }
                }
            };
            // Pads that do the same and have the same law share its evaluation.
            let mu = if speed == last.0 && self.alike[i] == last.2 { last.1 } else { pad.coefficient.at(speed) };
            last = (speed, mu, self.alike[i]);
            if let Some(curve) = pad.over_place.as_ref().filter(|_| u.begun) {
                let to = u.moved[first];
                Passed::keep(&mut u.passed, passed(curve, to - h * u.slip[first], to));
            }
            u.bound[i] = self.bound_with(i, mu, u, w);
        }
        for (bounds, &pad) in w.bounds.iter_mut().zip(net.exact()) {
            *bounds = Bounds::symmetric(u.bound[pad]);
        }
        if !net.pads.supports.is_zero() {
            let mut k = 0;
            for (&first, &dim) in net.contact_first.iter().zip(&net.contact_dims) {
                for j in 0..dim {
                    w.added[k + j] = net.pads.supports.dot(first + j, &u.support_speed);
                }
                k += dim;
            }
        }
        let (contacts, rows) = (net.contacts.len(), net.rows.len());
        for wall in 0..self.walls.len() {
            let (c, k) = (contacts - self.walls.len() + wall, rows - self.walls.len() + wall);
            let first = net.contact_first[c];
            if w.struck {
                // A support whose speed jumps strikes with its new speed, also what lay against it.
                u.slip[first] = net.pads.dot(first, &u.v, &u.support_speed);
            }
            if w.judged != Judged::Impact {
                (w.bounds[c], w.added[k]) = self.gap(wall, u, (h, w.theta, w.judged), w.sides[wall]);
                continue;
            }
            let (bounds, rebound) = self.wall(wall, u.moved[first], u.slip[first], h, f64::EPSILON * u.speed);
            w.bounds[c] = bounds;
            w.added[k] = net.pads.supports.dot(first, &u.support_speed) + rebound;
        }
    }

    /// What a wall judged by its gap can transmit, and the speed that closes the gap within the step: 0 ≤ −r ⟂ c − d̃ − h s⁺ ≥ 0 in
    /// the shifted configuration d̃ = d + h(1−θ)s, and the same with θ s⁺ where the end of the step decides. A body at a start, or whose
    /// step became longer, may have d̃ > c with d ≤ c: it is judged with d̃ = c then, since c − d̃ < 0 would throw it back. `side` is the wall that
    /// is looked at, +1 or −1; 0 chooses the one towards which the body goes. A wall without clearance holds both ways.
    fn gap(&self, wall: usize, u: &AssemblyState, (h, theta, judged): (f64, f64, Judged), side: f64) -> (Bounds, f64) {
        let net = &self.network;
        let (stop, contact) = (&self.parameters.stops[self.walls[wall]], self.parameters.pads.len() + wall);
        let first = net.pad_first[contact];
        let (own, support) = (net.pads.own.dot(first, &u.v), net.pads.supports.dot(first, &u.support_speed));
        // At the end of the step only the share θ of the new speed counts.
        let (share, late) = (if judged == Judged::End { theta } else { 1.0 }, 1.0 - theta);
        let ahead = h * late * own;
        let side = match side {
            0.0 if u.moved[first] + ahead + h * (own + support) < 0.0 => -1.0,
            0.0 => 1.0,
            side => side,
        };
        // What is closed has no gap, whatever rounding says: in the shifted configuration, or where it is.
        let same_side = stop.clearance == 0.0 || side * u.force[first] <= 0.0;
        let closed = u.modes[contact] == State::Stick && same_side;
        let beyond = u.moved[first] - side * stop.clearance + ahead;
        let apart = match (closed, judged) {
            (true, Judged::End) => ahead,
            (false, Judged::End) => beyond,
            (true, _) => 0.0,
            (false, _) if stop.clearance == 0.0 || side * beyond > 0.0 => 0.0,
            (false, _) => beyond,
        };
        let bounds = match (stop.clearance > 0.0, side > 0.0) {
            (false, _) => Bounds { lo: f64::NEG_INFINITY, hi: f64::INFINITY },
            (true, true) => Bounds { lo: f64::NEG_INFINITY, hi: 0.0 },
            (true, false) => Bounds { lo: 0.0, hi: f64::INFINITY },
        };
        (bounds, (apart / h + support) / share)
    }

    /// Walls that the step just solved would have passed on their other side, which was not looked at: those are looked at
    /// instead. True if there are any.
    pub(super) fn turn_to_other_walls(&self, u: &AssemblyState, w: &mut AssemblyWorkspace, h: f64) -> bool {
        let net = &self.network;
        let (contacts, rows) = (net.contacts.len(), net.rows.len());
        let mut found = false;
        for wall in 0..self.walls.len() {
            let (c, k) = (contacts - self.walls.len() + wall, rows - self.walls.len() + wall);
            let clearance = self.parameters.stops[self.walls[wall]].clearance;
            if clearance == 0.0 {
                continue;
            }
            let looked_at = if w.bounds[c].hi == 0.0 { 1.0 } else { -1.0 };
            let share = if w.judged == Judged::End { w.theta } else { 1.0 };
            // How far it would be from the wall that was looked at; the other one is two clearances off.
            let beyond = -looked_at * h * share * u.answer.s[k] - 2.0 * clearance;
            if beyond > BEYOND * clearance {
                w.sides[wall] = -looked_at;
                (w.bounds[c], w.added[k]) = self.gap(wall, u, (h, w.theta, w.judged), w.sides[wall]);
                found = true;
            }
        }
        found
    }

    /// μN of a pad with this coefficient of friction.
    #[inline]
    fn bound_with(&self, pad: usize, mut mu: f64, u: &AssemblyState, w: &AssemblyWorkspace) -> f64 {
        let (net, data) = (&self.network, &self.parameters.pads[pad]);
        mu *= net.factors[pad].at(&w.values);
        if let Some(curve) = &data.over_place {
            mu *= curve.at(u.moved[net.pad_first[pad]]);
        }
        let mut load = net.loads[pad].at(&w.values);
        if let Some(spring) = data.pressed_by {
            load -= self.spring_force(spring, u);
        }
        if load > 0.0 { mu * load } else { 0.0 }
    }

    /// Pads that turned round in the step just solved passed through rest. The friction of slip, taken at its beginning,
    /// may have let them pass where that of rest would have held them: those get the bound of rest. True if there are
    /// any.
    pub(super) fn hold_reversals(&self, u: &mut AssemblyState, w: &mut AssemblyWorkspace) -> bool {
        let net = &self.network;
        let (mut found, mut k) = (false, 0);
        for (c, &pad) in net.exact().iter().enumerate() {
            let (first, dim) = (net.pad_first[pad], net.contact_dims[c]);
            let turn: f64 = (0..dim).map(|j| u.slip[first + j] * u.answer.s[k + j]).sum();
            k += dim;
            if turn >= 0.0 {
                continue;
            }
            let sticking = self.bound_with(pad, self.parameters.pads[pad].coefficient.sticking(), u, w);
            if sticking > u.bound[pad] {
                w.reversed[c] = true;
                w.bounds[c] = Bounds::symmetric(sticking);
                found = true;
            }
        }
        found
    }

    /// Those of them in the plane whose slip turned round aside of zero, and which the friction of rest does not hold, never were at
    /// rest: they have the friction of slip before others feel anything else. True if there are any.
    pub(super) fn pass_aside(&self, u: &AssemblyState, w: &mut AssemblyWorkspace) -> bool {
        let net = &self.network;
        let (mut found, mut k) = (false, 0);
        for (c, &pad) in net.exact().iter().enumerate() {
            let (first, dim) = (net.pad_first[pad], net.contact_dims[c]);
            k += dim;
            if dim == 1 || !w.reversed[c] || u.answer.modes[c] == Mode::Stick {
                continue;
            }
            let ([x, y], [to_x, to_y]) = ([u.slip[first], u.slip[first + 1]], [u.answer.s[k - 2], u.answer.s[k - 1]]);
            // How far from zero the straight way from one to the other leads.
            let distance = (x * to_y - y * to_x).abs() / (to_x - x).hypot(to_y - y);
            if distance > ASIDE * (x.hypot(y) + to_x.hypot(to_y)) {
                w.reversed[c] = false;
                w.bounds[c] = Bounds::symmetric(u.bound[pad]);
                found = true;
            }
        }
        found
    }

    /// Those of them that slip all the same have the friction of slip. As they pass through rest others feel the friction
    /// of rest for an instant: those that were at rest and cannot hold that slip from then on, as well. True if there are
    /// any of either.
    pub(super) fn release_reversals(&self, u: &mut AssemblyState, w: &mut AssemblyWorkspace) -> bool {
        let net = &self.network;
        let mut found = false;
        for (c, &pad) in net.exact().iter().enumerate() {
            if !std::mem::take(&mut w.reversed[c]) {
                let first = net.pad_first[pad];
                let rested = u.slip[first..first + net.contact_dims[c]].iter().all(|s| *s == 0.0);
                if rested && u.answer.modes[c] != Mode::Stick {
                    let slipping = self.bound_with(pad, self.parameters.pads[pad].coefficient.at(BARELY), u, w);
                    if slipping < u.bound[pad] {
                        u.bound[pad] = slipping;
                        w.bounds[c] = Bounds::symmetric(slipping);
                        found = true;
                    }
                }
                continue;
            }
            if u.answer.modes[c] == Mode::Stick {
                u.bound[pad] = w.bounds[c].hi;
            } else {
                w.bounds[c] = Bounds::symmetric(u.bound[pad]);
                found = true;
            }
        }
        found
    }

    /// What a wall can transmit, and the speed with which it throws back: none where that is below `least`, rounding of
    /// the greatest speed of the run. A body that has bounced so long rests.
    fn wall(&self, wall: usize, d: f64, speed: f64, h: f64, least: f64) -> (Bounds, f64) {
        let stop = &self.parameters.stops[self.walls[wall]];
        let Buffer::Wall(restitution) = stop.buffer else { return (Bounds::symmetric(0.0), 0.0) };
        let ahead = d + 0.5 * h * speed;
        let back = restitution * speed;
        let back = if back.abs() <= least { 0.0 } else { back };
        if ahead >= stop.clearance {
            (Bounds { lo: f64::NEG_INFINITY, hi: 0.0 }, if back < 0.0 { 0.0 } else { back })
        } else if ahead <= -stop.clearance {
            (Bounds { lo: 0.0, hi: f64::INFINITY }, if back > 0.0 { 0.0 } else { back })
        } else {
            (Bounds::symmetric(0.0), 0.0)
        }
    }
}
