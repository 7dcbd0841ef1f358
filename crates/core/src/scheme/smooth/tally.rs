//! The motion within a step and at its end, with work, heat and the way slid.

use super::collocation::STAGES;
use super::layout::{ContactMode, norm};
use super::{Collocation, RESOLVED};
use crate::mechanics::{At, Flow, Smooth, SystemError};

/// Slips of contacts that transmit nothing, as a share of the greatest speed, that are rounding.
const SLOW: f64 = 1e-13;

/// Powers and heats at the points of a step.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Tallied {
    /// Time and size of the step; none while it is being made.
    pub of: Option<(f64, f64)>,
    pub rates: [Vec<f64>; STAGES],
}

impl Collocation {
    /// The motion at a share of the step, with its tallies.
    pub(super) fn flow_at(&mut self, system: &dyn Smooth, theta: f64, t: f64) -> Result<Flow, SystemError> {
        let layout = self.evaluator.layout.clone();
        let first = layout.positions + layout.velocities;
        let mut y = vec![0.0; layout.size()];
        self.step.at(&self.rule, theta, &mut y);
        let mut flow = self.flow.clone();
        let (q, v, s) = layout.split(&y);
        flow.q.copy_from_slice(q);
        flow.v.copy_from_slice(v);
        flow.s.copy_from_slice(s);
        flow.t = t;
        system.place(t.min(self.evaluator.limit), &mut flow.q);
        let weights = self.rule.integral(theta);
        self.tally(system);
        for (weight, rates) in weights.iter().zip(&self.tallied.rates) {
            let dt = weight * self.step.h;
            let (powers, heats) = rates.split_at(flow.work.len());
            flow.work.iter_mut().zip(powers).for_each(|(work, power)| *work += dt * power);
            flow.dissipated.iter_mut().zip(heats).for_each(|(heat, power)| *heat += dt * power);
        }
        for (j, weight) in weights.iter().enumerate() {
            let (_, _, s) = layout.split(&self.step.stages[j]);
            let dt = weight * self.step.h;
            flow.slid.iter_mut().zip(s).for_each(|(slid, s)| *slid += dt * s);
        }
        let left = self.evaluator.settle(system, t, &flow.q, &mut flow.v, &flow.s);
        flow.residual = flow.residual.max(left - self.rounding());
        let points = self.step.stages.iter().zip(&self.rule.nodes).filter(|(_, node)| **node <= theta);
        // Slips count: where a belt moves under bodies at rest, it is their rounding that matters.
        for v in points.map(|(y, _)| layout.split(y).1).chain([&flow.v[..], &flow.s[..]]) {
            flow.speed = v.iter().fold(flow.speed, |m, v| m.max(v.abs()));
        }
        // Slips that the velocities resolve are taken from them; small ones are known better as they are.
        let mut slips = vec![0.0; layout.slips()];
        system.slips(At { t: t.min(self.evaluator.limit), ..flow.at() }, &mut slips);
        for c in 0..layout.contacts() {
            let own = layout.of(c);
            let mode = self.evaluator.modes[c];
            // One that transmits nothing and rests is held by others, which leave rounding.
            let idle = mode == ContactMode::Free && norm(&flow.s[own.clone()]) <= SLOW * flow.speed;
            if mode.sticks() || idle {
                flow.s[own].fill(0.0);
            } else if norm(&slips[own.clone()]) > RESOLVED * flow.speed {
                flow.s[own.clone()].copy_from_slice(&slips[own]);
            }
        }
        // At the beginning of a step forces are those decided there: a slip that is about to leave zero has no direction of
        // its own yet.
        if theta > 0.0 {
            y[first..].copy_from_slice(&flow.s);
            y[layout.positions..first].copy_from_slice(&flow.v);
            self.evaluator.carry(system, t, &y, &mut self.now)?;
            flow.forces.copy_from_slice(&self.now.forces);
            flow.transfer = self.evaluator.transfer;
        }
        Ok(flow)
    }

    /// What rounding makes of the velocities of what sticks: that of the forces in a step, and that of the
    /// greatest slip so far.
    pub(super) fn rounding(&self) -> f64 {
        let layout = &self.evaluator.layout;
        let slips = &self.greatest[layout.positions + layout.velocities..];
        let slip = slips.iter().fold(0.0_f64, |m, s| m.max(*s));
        self.step.rounding() + 8.0 * f64::EPSILON * slip
    }

    /// Powers, and heat of the contacts, at the points of the step: once for all samples in it.
    pub(super) fn tally(&mut self, system: &dyn Smooth) {
        let of = Some((self.step.t, self.step.h));
        if self.tallied.of == of {
            return;
        }
        self.tallied.of = of;
        let layout = &self.evaluator.layout;
        let powers = self.flow.work.len();
        for (j, rates) in self.tallied.rates.iter_mut().enumerate() {
            rates.resize(powers + layout.contacts(), 0.0);
            let (q, v, s) = layout.split(&self.step.stages[j]);
            let time = (self.step.t + self.rule.nodes[j] * self.step.h).min(self.evaluator.limit);
            let forces = &self.step.points[j].forces;
            let mut at = At { t: time, q, v, sides: &self.evaluator.sides, transfer: self.evaluator.transfer };
            if system.transfers() {
                // Q of this point: that of its forces, which hardly depend on it where it is not made of contact forces alone.
                at.transfer = system.transfer(at, forces);
                at.transfer = system.transfer(at, forces);
            }
            system.powers(at, forces, &mut rates[..powers]);
            for (c, heat) in rates[powers..].iter_mut().enumerate() {
                *heat = -layout.of(c).map(|k| forces[k] * s[k]).sum::<f64>();
            }
        }
    }

    /// How much of the energies the last coefficients of their powers make, relative to the greatest so far: a motion may
    /// be simple, or none, while what does work on it is not.
    pub(super) fn unresolved_energy(&mut self, system: &dyn Smooth) -> f64 {
        self.tally(system);
        let (rates, h) = (&self.tallied.rates, self.step.h);
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let so_far = largest(&self.flow.work).max(largest(&self.flow.dissipated));
        let scale = rates.iter().fold(so_far, |m, rates| m.max(h * largest(rates)));
        // Large forces that cancel leave the rounding of their powers.
        let speed = largest(&self.flow.v).max(largest(&self.flow.s));
        let gross = |(i, mass): (usize, &f64)| mass * self.step.gross(i);
        let gross: f64 = system.rows().map_or(0.0, |(_, masses)| masses.iter().enumerate().map(gross).sum());
        let noise = 64.0 * f64::EPSILON * gross * speed;
        (0..rates[0].len()).fold(0.0_f64, |m, i| {
            let left = self.rule.tail(|j| rates[j][i]) - self.step.blur(&self.rule, |j| rates[j][i]) - noise;
            m.max(if left <= 0.0 { 0.0 } else { h * left / scale })
        })
    }
}
