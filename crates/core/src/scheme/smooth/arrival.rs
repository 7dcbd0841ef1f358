//! What has come to zero or to its bound at the end of a step.

use super::collocation::STAGES;
use super::layout::{ContactMode, norm};
use super::locate::Watch;
use super::mode::opposite;
use super::{ARRIVED, Collocation, TOGETHER};
use crate::mechanics::{At, Smooth};

/// A slip on a line that is this share of the greatest speed is rounding of it.
const NO_SLIP: f64 = 1e-15;

/// A force this share below its bound is on it: with all others it is known no better.
const NO_GAP: f64 = 1e-12;

/// What is carried of a slip that bodies at rest decide, as a share of the greatest speed.
const TAKEN_ALONG: f64 = 1e-12;

/// An instant is not told from another one so many roundings of the time away.
const MANY_ROUNDINGS: f64 = 1e3 * f64::EPSILON;

/// So many times the limits of an arrival are near enough to arrive with another.
const NEARLY: f64 = 1e3;

impl Collocation {
    /// Selects what has become zero and what has come to its bound now.
    pub(super) fn mark(&mut self, system: &dyn Smooth, watch: Option<Watch>) {
        let layout = self.evaluator.layout.clone();
        let first = layout.positions + layout.velocities;
        if let Some(Watch::Guard(k)) = watch {
            self.flow.sides[k] = !self.flow.sides[k];
            self.guard = Some(k);
        }
        self.flip_guards(system);
        let together = self.together();
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            match self.evaluator.modes[c] {
                ContactMode::Line(_) => {
                    let k = own.start;
                    let near = together * self.now.rate[first + k].abs() + NO_SLIP * self.flow.speed;
                    if watch == Some(Watch::Slip(c)) || self.flow.s[k].abs() <= near {
                        self.flow.s[k] = 0.0;
                    }
                }
                // Where forces are not unique none of them is at its bound by itself.
                ContactMode::Stick if self.evaluator.open[c] => {}
                ContactMode::Stick => {
                    let force = &self.now.forces[own.clone()];
                    let gap = self.now.bounds[c] - norm(force);
                    // How fast it closes, from the point before the end of the step.
                    let before = &self.step.points[STAGES - 2];
                    let since = (1.0 - self.rule.nodes[STAGES - 2]) * self.step.h;
                    let closing = (before.bounds[c] - norm(&before.forces[own]) - gap) / since;
                    let soon = closing > 0.0 && gap <= together * closing;
                    if watch == Some(Watch::Bound(c)) || soon || gap <= NO_GAP * self.now.bounds[c] {
                        self.at_bound[c] = (norm(force) > 0.0).then(|| opposite(force));
                    }
                }
                ContactMode::Plane | ContactMode::Free => {}
            }
        }
        // Velocities follow: contacts at rest have none. One that transmits nothing moves nobody: its slip passes zero,
        // and what it was found to be there but for rounding is no velocity of what it rubs on.
        let modes: Vec<ContactMode> = (0..layout.contacts())
            .map(|c| match self.evaluator.modes[c] {
                ContactMode::Free => ContactMode::Free,
                other if self.flow.s[layout.of(c)].iter().any(|s| *s != 0.0) => other,
                _ if self.now.bounds[c] <= self.search.wakes[c] => ContactMode::Free,
                _ => ContactMode::Stick,
            })
            .collect();
        if self.evaluator.set(system, &modes, self.flow.t, &self.flow.q, &self.flow.v).is_ok() {
            let mut v = std::mem::take(&mut self.flow.v);
            let left = self.evaluator.settle(system, self.flow.t, &self.flow.q, &mut v, &self.flow.s);
            self.flow.v = v;
            self.flow.residual = self.flow.residual.max(left - self.rounding());
        }
        // What has come to rest may take others along (a wheel that rolls when the vehicle stops): their slips are zero
        // exactly, and what is carried of them is rounding.
        let mut slips = vec![0.0; layout.slips()];
        system.slips(self.flow.at(), &mut slips);
        for c in 0..layout.contacts() {
            let k = layout.of(c).start;
            let rounding = TAKEN_ALONG * self.flow.speed;
            if layout.of(c).len() == 1 && slips[k] == 0.0 && self.flow.s[k].abs() <= rounding {
                self.flow.s[k] = 0.0;
            }
        }
        // Forces that jump (a guard, a slip that has come to rest) are not at their bounds any more.
        let jumps = !matches!(watch, Some(Watch::Bound(_)));
        if jumps {
            self.at_bound.fill(None);
        }
    }

    /// Changes the sides of guards that reach zero at the same instant as another one.
    pub(super) fn flip_guards(&mut self, system: &dyn Smooth) {
        let Some(found) = self.guard else { return };
        let (mut before, mut now) = (vec![0.0; self.flow.sides.len()], vec![0.0; self.flow.sides.len()]);
        let (q, v, _) = self.evaluator.layout.split(&self.step.stages[STAGES - 2]);
        let since = (1.0 - self.rule.nodes[STAGES - 2]) * self.step.h;
        let earlier =
            At { t: self.flow.t - since, q, v, sides: &self.evaluator.sides, transfer: self.evaluator.transfer };
        system.guards(earlier, &mut before);
        system.guards(self.flow.at(), &mut now);
        for k in (0..now.len()).filter(|&k| k != found) {
            let sign = if self.flow.sides[k] { 1.0 } else { -1.0 };
            let closing = sign * (before[k] - now[k]) / since;
            if closing > 0.0 && sign * now[k] <= self.together() * closing {
                self.flow.sides[k] = !self.flow.sides[k];
            }
        }
    }

    /// Sets slips in the plane to zero that have arrived there. True if there was one.
    pub(super) fn arrivals(&mut self) -> bool {
        if !(0..self.crossed.len()).any(|c| self.arrives(c, 1.0)) {
            return false;
        }
        // Others that are nearly there arrive with it: bodies may tie their slips to each other.
        for c in 0..self.crossed.len() {
            if self.arrives(c, NEARLY) {
                let slip = &mut self.flow.s[self.evaluator.layout.of(c)];
                let size = norm(slip);
                self.crossed[c] = (size > 0.0).then(|| [slip[0] / size, slip[1] / size]);
                slip.fill(0.0);
            }
        }
        true
    }

    /// Whether a slip in the plane is zero to rounding, or will be in less than a tenth of what counts as one instant;
    /// with `wide` times those limits.
    pub(super) fn arrives(&self, contact: usize, wide: f64) -> bool {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let own = layout.of(contact);
        if self.evaluator.modes[contact] != ContactMode::Plane {
            return false;
        }
        let slip = &self.flow.s[own.clone()];
        let size = norm(slip);
        let scale = own.clone().fold(0.0_f64, |m, k| m.max(self.greatest[first + k]));
        let closing: f64 = -own.clone().zip(slip).map(|(k, s)| self.now.rate[first + k] * s).sum::<f64>() / size;
        let instant = 0.1 * TOGETHER.max(MANY_ROUNDINGS * self.flow.t);
        // One that has just left its rest is as small, but grows.
        let shrinks = size <= norm(&self.step.start[first + own.start..first + own.end]);
        (shrinks && size <= wide * ARRIVED * scale) || (closing > 0.0 && size <= wide * instant * closing)
    }
}
