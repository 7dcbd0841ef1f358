//! Making a step: its size, its first guess, and its end on an event.

use super::collocation::STAGES;
use super::layout::{ContactMode, Layout, norm};
use super::locate::{Found, Watch};
use super::mode::Direction;
use super::{Collocation, FLOOR, TOLERANCE};
use crate::mechanics::{At, Smooth, SystemError};

/// A step that leaves less than this share of the way to a stop goes all of it.
const SLIVER: f64 = 1e-9;

/// The next step aims at this share of the error that is allowed; one that is made again at less of it.
const SAFE: f64 = 0.5;
const SAFE_AFTER_FAILURE: f64 = 0.3;

/// A step that is made again is between these shares of what it was; this one where nothing is known of its error.
const LEAST_SHRINK: f64 = 0.1;
const MOST_SHRINK: f64 = 0.7;
const SHRINK: f64 = 0.3;

/// The next step is between these multiples of the last: what is beyond one that much shorter or longer it says nothing of.
const LEAST_GROWTH: f64 = 0.2;
const MOST_GROWTH: f64 = 3.0;

/// The end of a step that moves by no more than this share of the time is on its event.
const SETTLED: f64 = 1e-15;

/// Errors below this are none, and let steps grow as far as they may.
const LEAST_ERROR: f64 = 1e-30;

/// Steps that are tried, each shorter than the one before.
const TRIES: usize = 200;

/// Steps are not shorter than the rounding of the time, or of this instant \[s\].
const SHORTEST: f64 = 1e-3;

/// Forces and bounds of contacts that stick are resolved to this share of the bounds: enough to see where a force comes
/// near its bound, since it is located by the forces themselves and not by their polynomials.
const RESOLVED_FORCES: f64 = 1e-3;

/// A slip in the plane that comes nearer to zero than this share of what it was in the same step is looked at in
/// shorter steps.
const FAR: f64 = 0.2;

/// Slip speeds of points next to each other may differ by so many scales of a law of friction...
const SEEN: f64 = 2.0;

/// ...or by this share of the smaller one.
const NEARBY_SPEED: f64 = 1.0;

/// How often the end of a step is moved onto its event at the most; two or three times do it.
const CORRECTIONS: usize = 8;

/// The end of a step is moved by this share of it at the most.
const NEARBY: f64 = 0.1;

/// How far of the way to where a slip in the plane is zero (or least) a step may lead.
const TOWARDS: f64 = 0.8;

/// How many times a step may be as long as one whose error is this part of what is allowed.
fn resized(ratio: f64) -> f64 {
    ratio.powf(1.0 / STAGES as f64)
}

impl Collocation {
    /// Scales of the components: their greatest values so far.
    pub(super) fn scales(&self) -> Vec<f64> {
        let Layout { positions, velocities, .. } = self.evaluator.layout;
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let (q, rest) = self.greatest.split_at(positions);
        let (v, s) = rest.split_at(velocities);
        let of = |x: &[f64]| {
            let floor = FLOOR * largest(x);
            x.iter().map(|own| own.max(floor)).collect::<Vec<_>>()
        };
        [of(q), of(v), of(s)].concat()
    }

    /// Makes a step from now that converges and is accurate, cut at `stop`. True if it reaches `stop`.
    pub(super) fn attempt(&mut self, system: &dyn Smooth, stop: f64) -> Result<bool, SystemError> {
        let t = self.flow.t;
        let left = stop - t;
        let arriving = self.arriving();
        let limited = At { t: t.min(self.evaluator.limit), ..self.flow.at() };
        system.parts(limited, &self.now.bounds, &mut self.step.parts);
        // A guess far ahead may leave what the system knows (a road beyond its corner): a shorter step stays inside.
        let mut refused = None;
        for _ in 0..TRIES {
            let h = self.h.min(arriving);
            let stops = h >= left * (1.0 - SLIVER);
            // The last two steps before a stop are equal: no sliver is left.
            let h = if stops {
                left
            } else if h > 0.5 * left {
                0.5 * left
            } else {
                h
            };
            if h <= f64::EPSILON * t.max(SHORTEST) && !stops {
                return Err(refused.unwrap_or(SystemError::StepTooSmall { t, h }));
            }
            self.guess(h);
            let scales = self.scales();
            let solved = self.step.solve(system, &self.rule, &mut self.evaluator, &scales).unwrap_or_else(|error| {
                refused = Some(error);
                false
            });
            let mut error =
                if solved { self.step.error(&self.rule, &self.evaluator.layout, &scales) } else { f64::INFINITY };
            if error <= TOLERANCE {
                error = error.max(self.unresolved_energy(system));
            }
            if error > TOLERANCE || error.is_nan() {
                let shrink = if error.is_finite() {
                    resized(SAFE_AFTER_FAILURE * TOLERANCE / error).clamp(LEAST_SHRINK, MOST_SHRINK)
                } else {
                    SHRINK
                };
                self.h = h * shrink;
                continue;
            }
            if self.passes_law_unseen() {
                self.h = SHRINK * h;
                continue;
            }
            if let Some(theta) = self.passes_zero() {
                // Short of the place where the slip is least: once more from nearer by.
                self.h = TOWARDS * theta * h;
                continue;
            }
            let unresolved = self.search.unresolved(&self.rule, &self.evaluator, &self.step);
            if unresolved > RESOLVED_FORCES {
                self.h = h * resized(SAFE * RESOLVED_FORCES / unresolved).clamp(LEAST_SHRINK, MOST_SHRINK);
                continue;
            }
            let forces = resized(SAFE * RESOLVED_FORCES / unresolved.max(LEAST_ERROR));
            let growth =
                resized(SAFE * TOLERANCE / error.max(LEAST_ERROR)).min(forces).clamp(LEAST_GROWTH, MOST_GROWTH);
            self.last = h;
            self.h = if stops { self.h.max(h * growth) } else { h * growth };
            return Ok(stops);
        }
        Err(refused.unwrap_or(SystemError::StepTooSmall { t, h: self.h }))
    }

    /// Whether a slip goes by so fast where friction depends on it that the points of the step may not see how: then
    /// neither does the error, which knows friction at the points only.
    fn passes_law_unseen(&self) -> bool {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let sliding = |c: &usize| matches!(self.evaluator.modes[*c], ContactMode::Line(_) | ContactMode::Plane);
        (0..layout.contacts()).filter(sliding).any(|c| {
            let Some(range) = self.evaluator.ranges[c] else { return false };
            let slip = |y: &[f64]| -> Direction {
                let own = &y[first + layout.of(c).start..first + layout.of(c).end];
                [own[0], own.get(1).copied().unwrap_or(0.0)]
            };
            let mut before = slip(&self.step.start);
            self.step.stages.iter().any(|y| {
                // From point to point on the chord, and how near to zero that leads.
                let now = slip(y);
                let chord = [now[0] - before[0], now[1] - before[1]];
                let square = chord[0] * chord[0] + chord[1] * chord[1];
                let along = -(before[0] * chord[0] + before[1] * chord[1]);
                let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
                let nearest = norm(&[before[0] + share * chord[0], before[1] + share * chord[1]]);
                before = now;
                nearest < range.end && square.sqrt() > (SEEN * range.scale).max(NEARBY_SPEED * nearest)
            })
        })
    }

    /// The share of the step at which a slip in the plane has become far smaller than it was earlier in the step, if it
    /// grows again from there: its direction turns there, faster than the points of the step can tell. It may even be
    /// zero, where the contact might stick.
    pub(super) fn passes_zero(&self) -> Option<f64> {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let planes = (0..layout.contacts()).filter(|&c| self.evaluator.modes[c] == ContactMode::Plane);
        let least = planes.filter_map(|c| {
            let own = layout.of(c);
            let slip = |integrals: &[f64; STAGES]| -> [f64; 2] {
                let component = |k: usize| {
                    let sum: f64 = integrals.iter().zip(&self.step.points).map(|(a, p)| a * p.rate[k]).sum();
                    self.step.start[k] + self.step.h * sum
                };
                [component(first + own.start), component(first + own.start + 1)]
            };
            let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
            let mut before = [self.step.start[first + own.start], self.step.start[first + own.start + 1]];
            let (mut greatest, mut since, mut falls) = (dot(before, before), 0.0, false);
            let last = (1.0, &self.rule.integrals[STAGES - 1]);
            let fine = self.rule.fine.iter().map(|between| (between.theta, &between.integrals)).chain([last]);
            for (theta, integrals) in fine {
                let now = slip(integrals);
                // The least distance from zero on the chord from instant to instant.
                let chord = [now[0] - before[0], now[1] - before[1]];
                let length = dot(chord, chord);
                let share = if length > 0.0 { (-dot(before, chord) / length).clamp(0.0, 1.0) } else { 0.0 };
                let nearest = [before[0] + share * chord[0], before[1] + share * chord[1]];
                let turns = (share > 0.0 || falls) && share < 1.0;
                if turns && dot(nearest, nearest) < FAR * FAR * greatest {
                    return Some(since + share * (theta - since));
                }
                greatest = greatest.max(dot(now, now));
                (before, since, falls) = (now, theta, share == 1.0);
            }
            None
        });
        least.reduce(f64::min)
    }

    /// The longest step towards the zero of a slip in the plane.
    pub(super) fn arriving(&self) -> f64 {
        let layout = &self.evaluator.layout;
        let first = layout.positions + layout.velocities;
        let mut least = f64::INFINITY;
        let rates = self.decision.as_ref().map_or(&self.now.rate[first..], |decision| &decision.rates);
        for c in (0..layout.contacts()).filter(|&c| self.evaluator.modes[c] == ContactMode::Plane) {
            let slip = &self.flow.s[layout.of(c)];
            let size = norm(slip);
            let rate: f64 = layout.of(c).zip(slip).map(|(k, s)| rates[k] * s / size).sum();
            if size > 0.0 && rate < 0.0 {
                least = least.min(TOWARDS * size / -rate);
            }
        }
        least
    }

    /// Prepares a step of size h: the polynomial of the last one goes on, or the motion as decided.
    pub(super) fn guess(&mut self, h: f64) {
        let first = self.evaluator.layout.positions + self.evaluator.layout.velocities;
        let y = self.y();
        let step = &mut self.step;
        for (j, c) in self.rule.nodes.iter().enumerate() {
            let dt = c * h;
            for (k, y) in y.iter().enumerate() {
                step.stages[j][k] = y + dt * self.now.rate[k];
            }
            if let Some(decision) = &self.decision {
                // Directions are known as decided: those of slips that leave zero now are not in the rates.
                for (k, s) in self.flow.s.iter().enumerate() {
                    step.stages[j][first + k] = s + dt * decision.rates[k] + 0.5 * dt * dt * decision.curvatures[k];
                }
            }
        }
        step.start = y;
        (step.t, step.h) = (self.flow.t, h);
        self.tallied.of = None;
    }

    /// Makes the step again up to the event found, and moves its end onto the event. False where it had to be made
    /// shorter still: then it ends before the event.
    pub(super) fn shorten(&mut self, system: &dyn Smooth, found: &Found) -> Result<bool, SystemError> {
        let mut h = found.theta * self.step.h;
        let scales = self.scales();
        for _ in 0..CORRECTIONS {
            let stages: Vec<Vec<f64>> = self
                .rule
                .nodes
                .iter()
                .map(|c| {
                    let mut y = vec![0.0; self.step.start.len()];
                    self.step.at(&self.rule, c * h / self.step.h, &mut y);
                    y
                })
                .collect();
            self.step.stages = stages;
            self.step.h = h;
            self.tallied.of = None;
            if !self.step.solve(system, &self.rule, &mut self.evaluator, &scales)? {
                let t = self.step.t;
                if h <= self.together() {
                    // Too short to be told from no step at all: the event is now.
                    self.step.stand_still(&self.now);
                    return Ok(true);
                }
                self.h = h;
                return self.attempt(system, t + h);
            }
            // Whether contacts hold together is no function with a zero.
            if found.watch == Watch::Group {
                break;
            }
            let last = STAGES - 1;
            let end = self.step.t + h;
            let (y, point) = (&self.step.stages[last], &self.step.points[last]);
            let value = self.search.value(system, &self.evaluator, found.watch, end, y, point);
            let (y, point) = (&self.step.stages[last - 1], &self.step.points[last - 1]);
            let gap = (1.0 - self.rule.nodes[last - 1]) * h;
            let before = self.search.value(system, &self.evaluator, found.watch, end - gap, y, point);
            // A watch that began on the edge is not led back to it.
            if before <= 0.0 {
                break;
            }
            let correction = value * gap / (before - value);
            if !correction.is_finite() || correction.abs() <= SETTLED * end.abs().max(h) || h + correction <= 0.0 {
                break;
            }
            // Beyond the event the law is not what it was (friction over |s| has a corner at s = 0), so that the polynomial
            // found it only nearly. A step that ends there knows better.
            if correction.abs() > NEARBY * h {
                break;
            }
            // Nor does it know anything beyond the next break of a signal, where the motion goes on otherwise.
            if end + correction > self.piece {
                break;
            }
            h += correction;
        }
        Ok(true)
    }
}
