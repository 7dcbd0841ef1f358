//! A star whose contacts have intervals with any ends: what schemes ask where contacts change.
//!
//! Forces r act on the system here (the other sign than f, g and r of [`super::Answer`]), contact after contact: ground
//! and brake of each wheel, then, where there is one, the resistance of the chassis:
//!
//! ```text
//! y1 = z0 + d0 (r_0 + Σ r_Gi),   v_i = z_i + d_i (r_Gi + r_Bi),   r ∈ C = Π [lo, hi],   −s ∈ N_C(r)
//! ```
//!
//! with the slips s = (y1 + v_i, v_i, …, y1). An end may be infinite (a contact that holds whatever comes), both may be
//! the same (a force that is known; its slip is free). As for symmetric intervals, y1 > 0 makes a wheel answer with
//! r_Gi = clamp(−(z_i + y1)/d_i − hi_Bi, lo_Gi, hi_Gi), y1 < 0 with lo_Bi for hi_Bi: a sum of clamped straight lines
//! whose zero is y1. The chassis rests where the stopping force −z0/d0 lies between the sums at 0+ and 0−.
//!
//! # At rest
//! r_Gi + r_Bi and r_0 + Σ r_Gi are determined, no more. Of all forces that do, those of least norm are taken: with one
//! λ for all, r_Gi = clamp((p_i + λ)/2), p_i = −z_i/d_i, and r_0 = clamp(λ), once more a sum of clamped straight lines.

use super::Star;
use super::clamped::{Clamped, Sum};
use crate::inclusion::SolveError;

/// How far the force that stops the chassis may be beyond those that contacts can give, as a share of all forces in the
/// sum: rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A sum of forces that misses the speed of the chassis by more than this share of it is spoilt by rounding: the chassis is light.
const SPOILT: f64 = 1e-13;

/// Forces, motion and slips that solve a star with any intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Contact forces on the system: ground and brake of each wheel, then the resistance if there is one.
    pub forces: Vec<f64>,
    /// y1, then v_i: exactly 0.0 at rest and where a wheel is locked, exactly −y1 where it rolls.
    pub motion: Vec<f64>,
    /// Slips: exactly 0.0 where a contact holds.
    pub slips: Vec<f64>,
    /// Whether the force of a contact is not unique; then least norm has chosen it.
    pub open: Vec<bool>,
    /// How often a sum over all wheels was evaluated.
    pub evaluations: u32,
}

/// The forces with which the ground can act on wheel i under a chassis at rest.
struct Reach {
    least: f64,
    greatest: f64,
    /// Whether the wheel is locked; else it spins where it stands, with both forces at the end that the sign tells.
    held: bool,
}

impl Star {
    /// Solves for the free motion (z0, z_1 … z_n) and the ends of the intervals, two for each wheel and, if the chassis
    /// has a resistance of its own, one more.
    pub fn respond(&self, free: &[f64], lo: &[f64], hi: &[f64]) -> Result<Found, SolveError> {
        let n = self.d.len();
        assert!(free.len() == n + 1 && lo.len() == hi.len() && (lo.len() == 2 * n || lo.len() == 2 * n + 1));
        // Comparisons hide what is not a number.
        if free.iter().any(|z| !z.is_finite()) || lo.iter().zip(hi).any(|(lo, hi)| lo.is_nan() || hi.is_nan()) {
            return Err(SolveError::NotFinite);
        }
        let mut found = Found {
            forces: vec![0.0; lo.len()],
            motion: vec![0.0; n + 1],
            slips: vec![0.0; lo.len()],
            open: vec![false; lo.len()],
            evaluations: 1,
        };
        let stop = -free[0] * self.per_d0;
        let chassis = [lo, hi].map(|ends| ends.get(2 * n).copied().unwrap_or(0.0));
        let (mut least, mut greatest) = (chassis[0], chassis[1]);
        let mut size = [stop.abs() + least.abs(), stop.abs() + greatest.abs()];
        for i in 0..n {
            let reach = self.reached(i, free, lo, hi);
            (least, greatest) = (least + reach.least, greatest + reach.greatest);
            size = [size[0] + reach.least.abs(), size[1] + reach.greatest.abs()];
        }
        // Infinite sums have no rounding: nothing is beyond them.
        let moves = if stop < least - ROUNDING * size[0] {
            self.on_branch(1.0, free, lo, hi, &mut found)
        } else if stop > greatest + ROUNDING * size[1] {
            self.on_branch(-1.0, free, lo, hi, &mut found)
        } else {
            false
        };
        if !moves {
            self.resting(stop, free, lo, hi, &mut found);
        }
        Ok(found)
    }

    /// Writes down the solution with a chassis that moves in the direction of `sign`. False if the speed is so small
    /// that rounding gives it the other sign.
    fn on_branch(&self, sign: f64, free: &[f64], lo: &[f64], hi: &[f64], out: &mut Found) -> bool {
        let n = self.d.len();
        let z0 = free[0];
        let forward = sign > 0.0;
        let resistance = if forward { lo } else { hi }.get(2 * n).copied().unwrap_or(0.0);
        // −r_Gi over the change of speed y1 − z0.
        let term = |i: usize| {
            let brake = if forward { hi[2 * i + 1] } else { lo[2 * i + 1] };
            let rate = self.per_d[i];
            // A brake that holds whatever comes lets nothing roll: the ground slips in the direction of the chassis.
            let at = (z0 + free[1 + i]) * rate + brake;
            let (least, greatest) = (-hi[2 * i], -lo[2 * i]);
            if at.is_finite() {
                return Clamped { at, rate, least, greatest };
            }
            let end = if forward { greatest } else { least };
            Clamped { at: end, rate, least: end, greatest: end }
        };
        let terms: Vec<Clamped> = (0..n).map(term).collect();
        let (change, evaluations) = Sum { constant: -resistance, rate: self.per_d0, terms: &terms }.zero();
        out.evaluations += evaluations;
        let y1 = z0 + change;
        if sign * y1 <= 0.0 {
            return false;
        }
        out.motion[0] = y1;
        if let Some(slip) = out.slips.get_mut(2 * n) {
            (*slip, out.forces[2 * n]) = (y1, resistance);
        }
        for (i, term) in terms.iter().enumerate() {
            let (ground, brake) = (2 * i, 2 * i + 1);
            let force = -term.value(change);
            out.forces[ground] = force;
            let end = if forward { hi[brake] } else { lo[brake] };
            if end.is_finite() && term.free(change) == -force {
                out.forces[brake] = end;
                (out.motion[1 + i], out.slips[brake]) = (-y1, -y1);
            } else {
                let (held, v) = self.braked(i, free[1 + i], force, [lo[brake], hi[brake]]);
                out.forces[brake] = held;
                (out.motion[1 + i], out.slips[brake]) = (v, v);
                // What rounding has given another sign than its force is no slip.
                let slip = y1 + v;
                let slips = lo[ground] == hi[ground] || if force == lo[ground] { slip > 0.0 } else { slip < 0.0 };
                out.slips[ground] = if slips { slip } else { 0.0 };
            }
        }
        self.correct_branch(z0, lo, hi, out);
        true
    }

    /// A light chassis between heavy wheels: the forces of rolling are differences that rounding of y1 spoils. The rest of y1 that no
    /// double can hold is given to them, as in [`Star::solve`].
    fn correct_branch(&self, z0: f64, lo: &[f64], hi: &[f64], out: &mut Found) {
        let n = self.d.len();
        let total: f64 = (0..n).map(|i| out.forces[2 * i]).chain(out.forces.get(2 * n).copied()).sum();
        let error = (z0 + self.d0 * total) - out.motion[0];
        if error.abs() <= SPOILT * (z0.abs() + out.motion[0].abs()) {
            return;
        }
        let rolls =
            |i: usize, out: &Found| out.slips[2 * i] == 0.0 && out.motion[1 + i] != 0.0 && lo[2 * i] < hi[2 * i];
        let stiffness: f64 = (0..n).filter(|&i| rolls(i, out)).map(|i| self.per_d[i]).sum();
        let rest = error / (1.0 + self.d0 * stiffness);
        for i in 0..n {
            if rolls(i, out) {
                out.forces[2 * i] = (out.forces[2 * i] - rest * self.per_d[i]).max(lo[2 * i]).min(hi[2 * i]);
            }
        }
    }

    /// The brake of a wheel with a known force from the ground: its force and the speed of the wheel.
    fn braked(&self, i: usize, z: f64, ground: f64, [lo, hi]: [f64; 2]) -> (f64, f64) {
        let lock = -z * self.per_d[i] - ground;
        let force = if lock > hi {
            hi
        } else if lock < lo {
            lo
        } else {
            return (lock, 0.0);
        };
        let v = z + self.d[i] * (ground + force);
        let right = if force == hi { v < 0.0 } else { v > 0.0 };
        (force, if right || lo == hi { v } else { 0.0 })
    }

    fn reached(&self, i: usize, free: &[f64], lo: &[f64], hi: &[f64]) -> Reach {
        let (ground, brake) = (2 * i, 2 * i + 1);
        let p = -free[1 + i] * self.per_d[i];
        let (least, greatest) = (p - hi[brake], p - lo[brake]);
        if least > hi[ground] {
            Reach { least: hi[ground], greatest: hi[ground], held: false }
        } else if greatest < lo[ground] {
            Reach { least: lo[ground], greatest: lo[ground], held: false }
        } else {
            Reach { least: least.max(lo[ground]), greatest: greatest.min(hi[ground]), held: true }
        }
    }

    /// Writes down the solution of least norm with the chassis at rest, which the force `stop` has brought there.
    fn resting(&self, stop: f64, free: &[f64], lo: &[f64], hi: &[f64], out: &mut Found) {
        let n = self.d.len();
        let reaches: Vec<Reach> = (0..n).map(|i| self.reached(i, free, lo, hi)).collect();
        let half = |i: usize, reach: &Reach| {
            let at = -0.5 * free[1 + i] * self.per_d[i];
            Clamped { at, rate: 0.5, least: reach.least, greatest: reach.greatest }
        };
        let mut terms: Vec<Clamped> = reaches.iter().enumerate().map(|(i, reach)| half(i, reach)).collect();
        if lo.len() > 2 * n {
            terms.push(Clamped { at: 0.0, rate: 1.0, least: lo[2 * n], greatest: hi[2 * n] });
        }
        let (lambda, evaluations) = Sum { constant: -stop, rate: 0.0, terms: &terms }.zero();
        out.evaluations += evaluations;
        for (i, reach) in reaches.iter().enumerate() {
            let (ground, brake) = (2 * i, 2 * i + 1);
            let z = free[1 + i];
            let force = terms[i].value(lambda);
            out.forces[ground] = force;
            if reach.held {
                out.forces[brake] = (-z * self.per_d[i] - force).max(lo[brake]).min(hi[brake]);
                (out.open[ground], out.open[brake]) = (true, true);
            } else {
                let (held, v) = self.braked(i, z, force, [lo[brake], hi[brake]]);
                out.forces[brake] = held;
                (out.motion[1 + i], out.slips[ground], out.slips[brake]) = (v, v, v);
            }
        }
        if let Some(term) = terms.get(n) {
            out.forces[2 * n] = term.value(lambda);
            out.open[2 * n] = true;
        }
        self.keep_open(lo, hi, out);
    }

    /// Of the contacts that hold, those are open that can take over from each other: two wheels locked by contacts with
    /// room, or one and the resistance.
    fn keep_open(&self, lo: &[f64], hi: &[f64], out: &mut Found) {
        let n = self.d.len();
        let room = |k: usize| lo[k] < hi[k];
        let mut count = 0;
        for i in 0..n {
            let open = out.open[2 * i] && room(2 * i) && room(2 * i + 1);
            (out.open[2 * i], out.open[2 * i + 1]) = (open, open);
            count += usize::from(open);
        }
        if let Some(open) = out.open.get_mut(2 * n) {
            *open = room(2 * n);
            count += usize::from(*open);
        }
        if count < 2 {
            out.open.fill(false);
        }
    }
}
