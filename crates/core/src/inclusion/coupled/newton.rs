//! Newton's method for velocities and forces together, in a band.
//!
//! Forces are scaled to velocities, r̂ = w r with w the self-influence of the contact. With x̂ = r̂ − s − ε(r̂ − ĉ) and
//! J an element of the generalised Jacobian of the projection at x̂, a step solves
//!
//! ```text
//! (S v)_i/S_ii − Σ h H_ki r̂_k/(S_ii w_k) = p_i/S_ii,
//! (I − (1−ε) J) r̂ + J H v = Proj(x̂₀) − (1−ε) J r̂₀ + J H v₀
//! ```
//!
//! so that a contact that sticks has s + ε(r̂ − ĉ) = 0. Starting from ĉ = 0 and repeating with ĉ = r̂ takes the ε away
//! and leaves the forces of least norm.

use stickslip_linalg::BandLu;

use super::{Answer, Bounds, Mode, Resolvent, Shape, SolveError, Symmetric, TOLERANCE, greatest, project};
use crate::inclusion::drift::Drift;
use crate::law::Set;

/// ε of the contact with the least self-influence; the others have less, so that all have the same in forces and the
/// norm that becomes least is that of the forces.
const SHIFT: f64 = 1e-8;
/// Newton steps for one ĉ.
const STEPS: usize = 60;
/// Repetitions with a new ĉ.
const REPEATS: usize = 40;
/// Accelerated projected iterations when Newton's method fails, half of the first stretch.
const STRETCH: usize = 400;

#[derive(Debug, Clone)]
pub(super) struct Newton {
    /// Where velocity i and force k (after the velocities) stand in the band.
    place: Vec<usize>,
    /// The entries that do not change: rows of S and Hᵀ, scaled.
    fixed: Vec<(usize, usize, f64)>,
    /// 1/S_ii.
    inverse: Vec<f64>,
    /// ε of each contact.
    shift: Vec<f64>,
    pub(super) lu: BandLu,
    /// Modes that the factors in `lu` belong to, and whether there are any.
    factored: Vec<Mode>,
    ready: bool,
    /// Whether all contacts are intervals: the matrix then depends on modes alone.
    intervals: bool,
    rhs: Vec<f64>,
    /// r̂, ĉ and the slips.
    r: Vec<f64>,
    centre: Vec<f64>,
    /// How far r̂ was from ĉ last time.
    drift: Drift,
    s: Vec<f64>,
    modes: Vec<Mode>,
    /// For the accelerated iterations: the forces before, and where to look.
    before: Vec<f64>,
    ahead: Vec<f64>,
    v: Vec<f64>,
    pub(super) solves: u64,
}

impl Newton {
    pub(super) fn new(s: &Symmetric, shape: &Shape) -> Newton {
        let (n, m) = (shape.n, shape.rows.len());
        let mut neighbours = vec![Vec::new(); n + m];
        let mut join = |a: usize, b: usize| {
            neighbours[a].push(b);
            neighbours[b].push(a);
        };
        for &(i, j, _) in &s.below {
            join(i, j);
        }
        for c in 0..shape.contacts() {
            for k in shape.at(c) {
                for l in shape.at(c) {
                    shape.rows.row(l).for_each(|(i, _)| join(n + k, i));
                    if l < k {
                        join(n + k, n + l);
                    }
                }
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let mut place = vec![0; n + m];
        stickslip_linalg::near_order(&neighbours).iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let far = |i: usize| neighbours[i].iter().map(|&j| place[i].abs_diff(place[j])).max().unwrap_or(0);
        let width = (0..n + m).map(far).max().unwrap_or(0);
        let inverse: Vec<f64> = s.diagonal.iter().map(|d| 1.0 / d).collect();
        let least = shape.weight.iter().copied().fold(f64::INFINITY, f64::min);
        let mut fixed = Vec::new();
        for &at in &place[..n] {
            fixed.push((at, at, 1.0));
        }
        for &(i, j, value) in &s.below {
            fixed.push((place[i], place[j], value * inverse[i]));
            fixed.push((place[j], place[i], value * inverse[j]));
        }
        for c in 0..shape.contacts() {
            for k in shape.at(c) {
                for (i, value) in shape.rows.row(k) {
                    fixed.push((place[i], place[n + k], -shape.h * value * inverse[i] / shape.weight[c]));
                }
            }
        }
        Newton {
            place,
            fixed,
            inverse,
            shift: shape.weight.iter().map(|w| SHIFT * least / w).collect(),
            lu: BandLu::new(n + m, width),
            factored: vec![Mode::Stick; shape.contacts()],
            ready: false,
            intervals: (0..shape.contacts()).all(|c| shape.at(c).len() == 1),
            rhs: vec![0.0; n + m],
            r: vec![0.0; m],
            centre: vec![0.0; m],
            drift: Drift::new(m),
            s: vec![0.0; m],
            modes: vec![Mode::Stick; shape.contacts()],
            before: vec![0.0; m],
            ahead: vec![0.0; m],
            v: vec![0.0; n],
            solves: 0,
        }
    }

    /// Solves; `answer.v` holds the velocities without contact forces, `answer.r` the start.
    #[allow(clippy::too_many_arguments, reason = "the parts of one problem, borrowed separately")]
    pub(super) fn solve(
        &mut self,
        shape: &Shape,
        free: &mut Resolvent,
        p: &[f64],
        u: &[f64],
        bounds: &[Bounds],
        answer: &mut Answer,
        stretches: usize,
    ) -> Result<(), SolveError> {
        self.solves += 1;
        let mut reached = f64::INFINITY;
        let mut steps = 0;
        for stretch in 0..=stretches {
            if stretch > 0 {
                self.accelerated(shape, free, p, u, bounds, answer, STRETCH << stretch);
            }
            self.centre.fill(0.0);
            for c in 0..shape.contacts() {
                shape.at(c).for_each(|k| self.r[k] = shape.weight[c] * answer.r[k]);
            }
            answer.v.copy_from_slice(p);
            self.push(shape, &answer.r, &mut answer.v);
            free.apply(&mut answer.v);
            self.drift.restart();
            let (mut repeats, mut jumps) = (0, 0);
            while repeats < REPEATS {
                let Some(taken) = self.inner(shape, p, u, bounds, answer) else { break };
                steps += taken;
                let (residual, scale) = self.residual(shape, u, bounds, answer, false);
                reached = reached.min(if scale > 0.0 { residual / scale } else { residual });
                if residual <= TOLERANCE * scale && scale.is_finite() {
                    let moved = self.hand_over(shape, u, bounds, answer);
                    answer.residual = if moved { self.given_out(shape, free, p, u, bounds, answer) } else { residual };
                    shape.finish(&self.s, u, TOLERANCE * scale, answer);
                    return Ok(());
                }
                let far = self.way_out(shape, bounds);
                if far > 1.0 && far.is_finite() && jumps < shape.contacts() {
                    self.drift.follow(far, &mut self.r);
                    (repeats, jumps) = (0, jumps + 1);
                }
                self.centre.copy_from_slice(&self.r);
                repeats += 1;
            }
        }
        Err(SolveError::NotConverged { reached, asked: TOLERANCE, iterations: steps })
    }

    /// out += h Hᵀ r.
    fn push(&self, shape: &Shape, r: &[f64], out: &mut [f64]) {
        r.iter().enumerate().for_each(|(k, r)| shape.rows.add(k, shape.h * r, out));
    }

    /// How many changes like the last lead to where the first contact that sticks gives way, if that was like the one before; else zero.
    fn way_out(&mut self, shape: &Shape, bounds: &[Bounds]) -> f64 {
        if !self.drift.goes_on(&self.centre, &self.r) {
            return 0.0;
        }
        let way = |(c, bounds): (usize, &Bounds)| {
            let (at, weight) = (shape.at(c), shape.weight[c]);
            let (mut r, mut d) = ([0.0; 2], [0.0; 2]);
            for (k, from) in at.clone().enumerate() {
                (r[k], d[k]) = (self.r[from] / weight, self.drift[from] / weight);
            }
            bounds.law(at.len()).map_or(0.0, |law| law.way_out(&r, &d))
        };
        let sticks = |(c, _): &(usize, &Bounds)| self.modes[*c] == Mode::Stick;
        bounds.iter().enumerate().filter(sticks).map(way).fold(f64::INFINITY, f64::min)
    }

    /// Newton steps for one centre: how many, or none if they did not converge.
    fn inner(&mut self, shape: &Shape, p: &[f64], u: &[f64], bounds: &[Bounds], answer: &mut Answer) -> Option<usize> {
        let mut waited = 0;
        let mut best = f64::INFINITY;
        for step in 0..STEPS {
            let (residual, scale) = self.residual(shape, u, bounds, answer, true);
            // From the second step on: the first centre has not been seen by any step yet.
            if step > 0 && residual <= 0.1 * TOLERANCE * scale {
                return Some(step);
            }
            if !residual.is_finite() {
                return None;
            }
            waited = if residual < best { 0 } else { waited + 1 };
            best = best.min(residual);
            if waited > 12 {
                // Rounding may keep it just above the goal.
                return (best <= TOLERANCE * scale).then_some(step);
            }
            if !self.assemble(shape, p, bounds, answer) {
                return None;
            }
        }
        None
    }

    /// The greatest residual of a contact and what it is relative to; modes and slips on the way. With `shifted` the
    /// residual of the shifted problem.
    fn residual(&mut self, shape: &Shape, u: &[f64], bounds: &[Bounds], answer: &Answer, shifted: bool) -> (f64, f64) {
        let (mut greatest, mut scale) = (0.0_f64, 0.0_f64);
        for (c, bounds) in bounds.iter().enumerate() {
            let at = shape.at(c);
            let epsilon = if shifted { self.shift[c] } else { 0.0 };
            let mut x = [0.0; 2];
            for (x, k) in x.iter_mut().zip(at.clone()) {
                self.s[k] = shape.rows.dot(k, &answer.v) + u[k];
                *x = self.r[k] - self.s[k] - epsilon * (self.r[k] - self.centre[k]);
                scale = scale.max(self.r[k].abs() + self.s[k].abs());
            }
            self.modes[c] = project(bounds, shape.weight[c], &mut x[..at.len()]);
            for (x, k) in x.iter().zip(at) {
                let miss = (x - self.r[k]).abs();
                greatest = if miss > greatest || miss.is_nan() { miss } else { greatest };
            }
        }
        (greatest, scale)
    }

    /// One step: matrix, factors where they changed, solution into `self.r` and `answer.v`.
    fn assemble(&mut self, shape: &Shape, p: &[f64], bounds: &[Bounds], answer: &mut Answer) -> bool {
        let n = shape.n;
        let same = self.ready && self.intervals && self.factored == self.modes;
        if !same {
            self.lu.clear();
            for &(i, j, value) in &self.fixed {
                self.lu.add(i, j, value);
            }
        }
        for ((&at, p), inverse) in self.place.iter().zip(p).zip(&self.inverse) {
            self.rhs[at] = p * inverse;
        }
        for (c, bounds) in bounds.iter().enumerate() {
            let at = shape.at(c);
            let (dim, shift) = (at.len(), self.shift[c]);
            let mut x = [0.0; 2];
            for (x, k) in x.iter_mut().zip(at.clone()) {
                *x = self.r[k] - self.s[k] - shift * (self.r[k] - self.centre[k]);
            }
            let length = (x[0] * x[0] + x[1] * x[1]).sqrt();
            let j = match self.modes[c] {
                Mode::Stick => [[1.0, 0.0], [0.0, 1.0]],
                Mode::Forward | Mode::Backward => [[0.0; 2]; 2],
                Mode::Sliding => {
                    let (a, b, k) = (x[0] / length, x[1] / length, shape.weight[c] * bounds.hi / length);
                    [[k * b * b, -k * a * b], [-k * a * b, k * a * a]]
                }
            };
            project(bounds, shape.weight[c], &mut x[..dim]);
            for (row, k) in at.clone().enumerate() {
                let here = self.place[n + k];
                let stuck = self.modes[c] == Mode::Stick;
                // A stuck contact's row without cancellation: s + ε r̂ = ε ĉ, with u on the right.
                let mut right = if stuck { shift * self.centre[k] } else { x[row] };
                for (column, l) in at.clone().enumerate() {
                    let entry = j[row][column];
                    if !same {
                        let kept = if stuck { shift } else { f64::from(row == column) - (1.0 - shift) * entry };
                        if !stuck || row == column {
                            self.lu.add(here, self.place[n + l], kept);
                        }
                        for (i, value) in shape.rows.row(l).filter(|_| entry != 0.0) {
                            self.lu.add(here, self.place[i], entry * value);
                        }
                    }
                    if entry != 0.0 {
                        let moved = shape.rows.dot(l, &answer.v);
                        right += if stuck {
                            // −u = H v − s.
                            moved - self.s[l]
                        } else {
                            entry * (moved - (1.0 - shift) * self.r[l])
                        };
                    }
                }
                self.rhs[here] = right;
            }
        }
        if !same {
            self.ready = self.lu.factorise();
            self.factored.copy_from_slice(&self.modes);
            if !self.ready {
                return false;
            }
        }
        self.lu.solve(&mut self.rhs);
        for (i, v) in answer.v.iter_mut().enumerate() {
            *v = self.rhs[self.place[i]];
        }
        for (k, r) in self.r.iter_mut().enumerate() {
            *r = self.rhs[self.place[n + k]];
        }
        true
    }

    /// From r̂ within tolerance to forces inside their sets, and the slips that belong to r̂. True if a force moved by more than rounding.
    fn hand_over(&mut self, shape: &Shape, u: &[f64], bounds: &[Bounds], answer: &mut Answer) -> bool {
        let mut moved = false;
        for (c, bounds) in bounds.iter().enumerate() {
            let at = shape.at(c);
            // A disk that slips has its force on its edge, against the slip: r̂ knows it only as well as slips are rounded, which may
            // be far greater than what the force does to them.
            let slips = self.modes[c] == Mode::Sliding;
            let mut x = [0.0; 2];
            for (x, k) in x.iter_mut().zip(at.clone()) {
                *x = if slips { self.r[k] - self.s[k] } else { self.r[k] } / shape.weight[c];
            }
            project(bounds, 1.0, &mut x[..at.len()]);
            for (x, k) in x.iter().zip(at) {
                answer.r[k] = *x;
                moved |= (shape.weight[c] * x - self.r[k]).abs() > 4.0 * f64::EPSILON * self.r[k].abs();
            }
        }
        answer.modes.copy_from_slice(&self.modes);
        for (k, s) in self.s.iter_mut().enumerate() {
            *s = shape.rows.dot(k, &answer.v) + u[k];
        }
        moved
    }

    /// The residual of the forces that are given out, from their own slips: what one contact's force was moved by changes the slips of all.
    fn given_out(
        &mut self,
        shape: &Shape,
        free: &mut Resolvent,
        p: &[f64],
        u: &[f64],
        bounds: &[Bounds],
        answer: &Answer,
    ) -> f64 {
        let mut v = std::mem::take(&mut self.v);
        v.copy_from_slice(p);
        self.push(shape, &answer.r, &mut v);
        free.apply(&mut v);
        let mut most = 0.0;
        for (c, bounds) in bounds.iter().enumerate() {
            let (at, weight) = (shape.at(c), shape.weight[c]);
            let mut x = [0.0; 2];
            for (x, k) in x.iter_mut().zip(at.clone()) {
                *x = answer.r[k] - (shape.rows.dot(k, &v) + u[k]) / weight;
            }
            project(bounds, 1.0, &mut x[..at.len()]);
            for (x, k) in x.iter().zip(at) {
                most = greatest(most, weight * (x - answer.r[k]).abs());
            }
        }
        self.v = v;
        most
    }

    /// Projected iterations with momentum on `answer.r`: slow and sure.
    #[allow(clippy::too_many_arguments, reason = "the parts of one problem, borrowed separately")]
    fn accelerated(
        &mut self,
        shape: &Shape,
        free: &mut Resolvent,
        p: &[f64],
        u: &[f64],
        bounds: &[Bounds],
        answer: &mut Answer,
        iterations: usize,
    ) {
        // λ of Ŵ is at most the greatest number of contacts that meet at a body; found by doubling.
        let mut lambda = 4.0;
        let mut momentum = 1.0_f64;
        self.ahead.copy_from_slice(&answer.r);
        self.before.copy_from_slice(&answer.r);
        let mut last = f64::INFINITY;
        for _ in 0..iterations {
            self.v.copy_from_slice(p);
            for (k, r) in self.ahead.iter().enumerate() {
                shape.rows.add(k, shape.h * r, &mut self.v);
            }
            free.apply(&mut self.v);
            let mut moved = 0.0;
            for (c, bounds) in bounds.iter().enumerate() {
                let at = shape.at(c);
                let mut x = [0.0; 2];
                for (x, k) in x.iter_mut().zip(at.clone()) {
                    let slip = shape.rows.dot(k, &self.v) + u[k];
                    *x = self.ahead[k] - slip / (lambda * shape.weight[c]);
                }
                project(bounds, 1.0, &mut x[..at.len()]);
                for (x, k) in x.iter().zip(at) {
                    let miss = (x - self.ahead[k]) * shape.weight[c];
                    moved += miss * miss;
                    answer.r[k] = *x;
                }
            }
            // Restart the momentum, with a shorter step, where it does harm.
            if moved > last {
                momentum = 1.0;
                lambda = (lambda * 1.1).min(1e6);
            }
            last = moved;
            let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            let share = (momentum - 1.0) / next;
            momentum = next;
            for k in 0..answer.r.len() {
                self.ahead[k] = answer.r[k] + share * (answer.r[k] - self.before[k]);
                self.before[k] = answer.r[k];
            }
        }
    }
}
