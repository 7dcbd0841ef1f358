//! Which contacts stick and which slip from an instant on, by the inclusion.
//!
//! Contacts with s ≠ 0 slip, and their forces are known. For those at rest (the set Z) the same inclusion holds for
//! accelerations, −s' ∈ N_C(r): one that gets s' ≠ 0 slips from now on. Where s' = 0 and the force is on the edge of
//! its set (a contact that has just been loaded up to its bound always is) the next derivative tells: r' may not leave
//! the set, −s'' ∈ N_T(r') with T the cone of directions into C, shifted by a'. For a disk and the direction n in
//! which it would slip, T is the half-plane n·r' ≥ −a'. A friction that drops when slip begins changes the forces of
//! the others, so that they are asked again.

use stickslip_linalg::Matrix;

use super::evaluate::{Grasp, Layout, norm};
use crate::inclusion::{Problem, Settings, Solution, solve};
use crate::law::{Disk, Interval, Law, LawError, Product};
use crate::mechanics::{At, Flow, Grip, Smooth, SystemError};

/// Accelerations and forces this share of the greatest in the problem are ties.
const TIE: f64 = 1e-11;

/// The same for their derivatives, which are differences.
const SLOPE_TIE: f64 = 1e-7;

/// A direction; the second component is 0 for contacts on a line.
pub(super) type Direction = [f64; 2];

/// Modes from an instant on.
#[derive(Debug, Clone)]
pub(super) struct Decision {
    pub grasps: Vec<Grasp>,
    /// s' and s'' of contacts that leave rest, 0 elsewhere.
    pub rates: Vec<f64>,
    pub curvatures: Vec<f64>,
    /// Contacts that stick with their force on the edge of the set.
    pub on_edge: Vec<bool>,
}

/// An instant to decide at.
pub(super) struct Instant<'a, S> {
    pub system: &'a S,
    pub layout: &'a Layout,
    pub flow: &'a Flow,
    /// Direction in which a contact slips that has just come to its bound.
    pub at_bound: &'a [Option<Direction>],
    /// A time short against that in which anything changes \[s\].
    pub short: f64,
    /// Signals are not looked at from here on.
    pub limit: f64,
}

/// Slip rates without the forces of Z, and bounds.
struct Free {
    acceleration: Vec<f64>,
    rates: Vec<f64>,
    bounds: Vec<f64>,
}

impl<S: Smooth> Instant<'_, S> {
    fn resting(&self, contact: usize) -> bool {
        self.flow.s[self.layout.of(contact)].iter().all(|s| *s == 0.0)
    }

    /// Forces of the contacts that slip or leave, then accelerations and slip rates without the others, `later`.
    fn free(&self, leaving: &[Option<Direction>], later: f64, acceleration: &[f64], rates: &[f64]) -> Free {
        let flow = self.flow;
        let mut v = flow.v.clone();
        v.iter_mut().zip(acceleration).for_each(|(v, a)| *v += later * a);
        let mut q = flow.q.clone();
        if later != 0.0 {
            let mut drift = [vec![0.0; q.len()], vec![0.0; q.len()]];
            self.system.drift(flow.at(), &mut drift[0]);
            let [first, second] = &mut drift;
            self.system.drift(At { v: &v, ..flow.at() }, second);
            for (i, q) in q.iter_mut().enumerate() {
                *q += 0.5 * later * (first[i] + second[i]);
            }
        }
        let at = At { t: (flow.t + later).min(self.limit), q: &q, v: &v, sides: &flow.sides };
        let mut forces = vec![0.0; self.layout.slips()];
        let mut bounds = vec![0.0; self.layout.contacts()];
        for contact in 0..self.layout.contacts() {
            let own = self.layout.of(contact);
            if let Some(d) = leaving[contact] {
                let speed = later * norm(&rates[own.clone()]);
                let bound = self.system.bound(contact, at, Grip::Slips(speed));
                forces[own].iter_mut().zip(d).for_each(|(r, d)| *r = -bound * d);
            } else if self.resting(contact) {
                bounds[contact] = self.system.bound(contact, at, Grip::Sticks);
            } else {
                let slip: Vec<f64> = own.clone().map(|k| flow.s[k] + later * rates[k]).collect();
                let speed = norm(&slip);
                let bound = self.system.bound(contact, at, Grip::Slips(speed));
                forces[own].iter_mut().zip(&slip).for_each(|(r, s)| *r = -bound * s / speed);
            }
        }
        let mut acceleration = vec![0.0; v.len()];
        self.system.acceleration(at, &mut acceleration);
        self.system.push(at, &forces, &mut acceleration);
        let mut rates = vec![0.0; self.layout.slips()];
        self.system.slip_rates(at, &acceleration, &mut rates);
        Free { acceleration, rates, bounds }
    }

    /// Time derivatives of slip rates and bounds, from three instants.
    fn slopes(&self, leaving: &[Option<Direction>], acceleration: &[f64], rates: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = |later: f64| self.free(leaving, later, acceleration, rates);
        let (a, b, c) = (at(0.0), at(self.short), at(2.0 * self.short));
        let slope = |a: &[f64], b: &[f64], c: &[f64]| -> Vec<f64> {
            (0..a.len()).map(|i| (-3.0 * a[i] + 4.0 * b[i] - c[i]) / (2.0 * self.short)).collect()
        };
        (slope(&a.rates, &b.rates, &c.rates), slope(&a.bounds, &b.bounds, &c.bounds))
    }

    /// The modes.
    pub fn decide(&self) -> Result<Decision, SystemError> {
        let (layout, flow) = (self.layout, self.flow);
        let contacts = layout.contacts();
        let w = self.system.influence(flow.at());
        let influence = |contact: usize| layout.of(contact).map(|k| w[(k, k)]).fold(0.0, f64::max);
        let mut leaving: Vec<Option<Direction>> = vec![None; contacts];
        let mut decision = Decision {
            grasps: vec![Grasp::Free; contacts],
            rates: vec![0.0; layout.slips()],
            curvatures: vec![0.0; layout.slips()],
            on_edge: vec![false; contacts],
        };
        let stays = |leaving: &[Option<Direction>], c: usize| self.resting(c) && leaving[c].is_none();
        for _ in 0..=contacts {
            let free = self.free(&leaving, 0.0, &vec![0.0; flow.v.len()], &vec![0.0; layout.slips()]);
            let drops = |c: usize| {
                let begins = self.system.bound(c, flow.at(), Grip::Slips(0.0));
                begins < free.bounds[c] * (1.0 - TIE)
            };
            // First order: forces and slip rates.
            let size = greatest(&free.rates) + (0..contacts).map(|c| influence(c) * free.bounds[c]).fold(0.0, f64::max);
            let small = TIE * size;
            let without = |c: usize| free.bounds[c] * influence(c) <= small;
            let resting: Vec<usize> = (0..contacts).filter(|&c| stays(&leaving, c) && !without(c)).collect();
            let laws = resting.iter().map(|&c| law(layout.of(c).len(), free.bounds[c])).collect::<Result<_, _>>()?;
            let components: Vec<usize> = resting.iter().flat_map(|&c| layout.of(c)).collect();
            let start: Vec<f64> = components.iter().map(|&k| flow.forces[k]).collect();
            let first = inclusion(&w, &components, &free.rates, laws, &start)?;
            let mut forces = vec![0.0; layout.slips()];
            components.iter().zip(&first.r).for_each(|(&k, r)| forces[k] = *r);
            let mut acceleration = free.acceleration.clone();
            self.system.push(flow.at(), &forces, &mut acceleration);
            let mut rates = vec![0.0; layout.slips()];
            self.system.slip_rates(flow.at(), &acceleration, &mut rates);
            components.iter().zip(&first.s).filter(|(_, s)| **s == 0.0).for_each(|(&k, _)| rates[k] = 0.0);
            let mut again = false;
            for c in (0..contacts).filter(|&c| self.resting(c)) {
                let rate = &rates[layout.of(c)];
                if leaving[c].is_none() && self.at_bound[c].is_none() && norm(rate) > small {
                    leaving[c] = Some(direction(rate));
                    again |= drops(c);
                }
            }
            if again {
                continue;
            }
            for (c, leaves) in leaving.iter().enumerate() {
                for k in layout.of(c) {
                    decision.rates[k] = if leaves.is_some() { rates[k] } else { 0.0 };
                    decision.curvatures[k] = 0.0;
                }
            }
            // Second order where the first leaves it open.
            let gap = |c: usize| free.bounds[c] - norm(&forces[layout.of(c)]);
            let tied = |c: usize| without(c) || self.at_bound[c].is_some() || gap(c) * influence(c) <= small;
            let ties: Vec<usize> = (0..contacts).filter(|&c| stays(&leaving, c) && tied(c)).collect();
            let mut idle = vec![false; contacts];
            decision.on_edge = (0..contacts).map(|c| ties.contains(&c)).collect();
            if !ties.is_empty() {
                let (slip_slopes, bound_slopes) = self.slopes(&leaving, &acceleration, &rates);
                let size = greatest(&slip_slopes)
                    + (0..contacts).map(|c| influence(c) * bound_slopes[c].abs()).fold(0.0, f64::max);
                // Differences know a slope no better than to the rounding of what they are differences of.
                let small = SLOPE_TIE * size + 1e-14 * (greatest(&free.rates) + size * self.short) / self.short;
                let mut frame = Frame::new(layout);
                let mut laws = Vec::new();
                let mut asked = Vec::new();
                for c in (0..contacts).filter(|&c| stays(&leaving, c)) {
                    let own = layout.of(c);
                    let slope = bound_slopes[c];
                    if !ties.contains(&c) {
                        own.clone().for_each(|_| laws.push(Interval::new(f64::NEG_INFINITY, f64::INFINITY)));
                    } else if without(c) {
                        if slope * influence(c) <= small {
                            idle[c] = true;
                            continue;
                        }
                        asked.extend(own.clone());
                        // A disk of slopes is a square here: a contact whose bound leaves zero is a rare guest.
                        own.for_each(|_| laws.push(Interval::symmetric(slope)));
                        continue;
                    } else {
                        let edge = self.at_bound[c].unwrap_or_else(|| opposite(&forces[own.clone()]));
                        frame.turn(c, edge);
                        laws.push(Interval::new(-slope, f64::INFINITY));
                        own.clone().skip(1).for_each(|_| laws.push(Interval::new(f64::NEG_INFINITY, f64::INFINITY)));
                    }
                    asked.extend(own);
                }
                let laws = laws.into_iter().map(|law| law.map(Law::Interval)).collect::<Result<Vec<_>, LawError>>()?;
                let turned = frame.turned(&w);
                let start = vec![0.0; asked.len()];
                let second = inclusion(&turned, &asked, &frame.seen(&slip_slopes), laws, &start)?;
                let mut curvatures = vec![0.0; layout.slips()];
                asked.iter().zip(&second.s).for_each(|(&k, s)| curvatures[k] = *s);
                let mut slope_forces = vec![0.0; layout.slips()];
                asked.iter().zip(&second.r).for_each(|(&k, r)| slope_forces[k] = *r);
                // Contacts that transmit nothing follow whatever the others do.
                for c in (0..contacts).filter(|&c| idle[c]) {
                    for k in layout.of(c) {
                        let pull: f64 = (0..layout.slips()).map(|l| turned[(k, l)] * slope_forces[l]).sum();
                        curvatures[k] = frame.seen(&slip_slopes)[k] + pull;
                    }
                }
                let curvatures = frame.back(&curvatures);
                for &c in &ties {
                    let curvature = &curvatures[layout.of(c)];
                    if norm(curvature) > small && !idle[c] {
                        leaving[c] = Some(match self.at_bound[c] {
                            Some(edge) => edge,
                            None if !without(c) => opposite(&forces[layout.of(c)]),
                            None => direction(curvature),
                        });
                        layout.of(c).for_each(|k| decision.curvatures[k] = curvatures[k]);
                        again |= drops(c);
                    }
                }
                if again {
                    continue;
                }
            }
            for c in 0..contacts {
                let line = layout.of(c).len() == 1;
                decision.grasps[c] = match leaving[c] {
                    Some(d) if line => Grasp::Line(d[0]),
                    None if !self.resting(c) && line => Grasp::Line(flow.s[layout.of(c).start].signum()),
                    None if self.resting(c) && idle[c] => Grasp::Free,
                    None if self.resting(c) => Grasp::Stick,
                    _ => Grasp::Plane,
                };
                decision.on_edge[c] &= decision.grasps[c] == Grasp::Stick;
            }
            return Ok(decision);
        }
        // Every round but the last lets a contact go: there are no more rounds than contacts.
        unreachable_rounds(flow.t)
    }
}

/// More rounds than contacts: a bound that is not a number.
fn unreachable_rounds(t: f64) -> Result<Decision, SystemError> {
    Err(SystemError::NotFinite { what: "a friction bound", t, value: f64::NAN })
}

fn law(components: usize, bound: f64) -> Result<Law, LawError> {
    if components == 1 { Interval::symmetric(bound).map(Law::Interval) } else { Disk::new(bound).map(Law::Disk) }
}

/// Solves −(W r + b) ∈ N_C(r) for some components.
fn inclusion(w: &Matrix, at: &[usize], b: &[f64], laws: Vec<Law>, start: &[f64]) -> Result<Solution, SystemError> {
    let w = Matrix::from_fn(at.len(), at.len(), |i, j| w[(at[i], at[j])]);
    let b: Vec<f64> = at.iter().map(|&k| b[k]).collect();
    let c = Product::new(laws);
    Ok(solve(&Problem { w: &w, b: &b, c: &c }, start, &Settings::default())?)
}

fn greatest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn direction(x: &[f64]) -> Direction {
    let size = norm(x);
    [x[0] / size, x.get(1).map_or(0.0, |y| y / size)]
}

/// Direction of slip against a force.
pub(super) fn opposite(force: &[f64]) -> Direction {
    direction(force).map(|x| -x)
}

/// Axes along and across the direction in which a contact would slip.
struct Frame<'a> {
    layout: &'a Layout,
    directions: Vec<Direction>,
}

impl Frame<'_> {
    fn new(layout: &Layout) -> Frame<'_> {
        Frame { layout, directions: vec![[1.0, 0.0]; layout.contacts()] }
    }

    fn turn(&mut self, contact: usize, direction: Direction) {
        self.directions[contact] = direction;
    }

    /// Entry (row, column) of the matrix whose rows are the new axes.
    fn matrix(&self) -> Matrix {
        let n = self.layout.slips();
        let mut q = Matrix::zeros(n, n);
        for (contact, [x, y]) in self.directions.iter().copied().enumerate() {
            let own = self.layout.of(contact);
            let k = own.start;
            if own.len() == 1 {
                q[(k, k)] = x;
            } else {
                (q[(k, k)], q[(k, k + 1)], q[(k + 1, k)], q[(k + 1, k + 1)]) = (x, y, -y, x);
            }
        }
        q
    }

    fn seen(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        self.matrix().apply(x, &mut out);
        out
    }

    fn back(&self, x: &[f64]) -> Vec<f64> {
        let q = self.matrix();
        (0..x.len()).map(|j| (0..x.len()).map(|i| q[(i, j)] * x[i]).sum()).collect()
    }

    /// Q W Qᵀ.
    fn turned(&self, w: &Matrix) -> Matrix {
        let (q, n) = (self.matrix(), self.layout.slips());
        let half = Matrix::from_fn(n, n, |i, j| (0..n).map(|k| q[(i, k)] * w[(k, j)]).sum());
        Matrix::from_fn(n, n, |i, j| (0..n).map(|k| half[(i, k)] * q[(j, k)]).sum())
    }
}
