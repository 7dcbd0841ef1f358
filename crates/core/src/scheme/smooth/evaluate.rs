//! The right-hand side: rates and contact forces at one instant, for contacts in given modes.

use stickslip_linalg::{Matrix, pseudo_inverse};

use super::coupling::Coupling;
use super::layout::{ContactMode, Layout, Point, norm};
use super::selection::Selection;
use crate::inclusion::{Choice, SolveError, consistent};
use crate::law::SlipRange;
use crate::mechanics::{At, Grip, Smooth, SystemError};

/// Accelerations this share of those that contacts hold back are rounding.
const ROUNDED: f64 = 1e-13;

/// Forces have no part in the kernel of W if their share of it is below this: a rank is told at 1e-12 or so.
const UNIQUE: f64 = 1e-9;

/// A force this share beyond its bound is on it.
const INSIDE: f64 = 1e-13;

/// The right-hand side for contacts in given modes.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Evaluator {
    pub layout: Layout,
    pub modes: Vec<ContactMode>,
    pub sides: Vec<bool>,
    /// Signals are not looked at from here on: another piece holds there.
    pub limit: f64,
    /// Components of contacts that stick, and the pseudo-inverse of their part of W.
    held: Vec<usize>,
    inverse: Matrix,
    null: Vec<f64>,
    holding: Vec<f64>,
    rates: Vec<f64>,
    stuck: Vec<bool>,
    /// Velocities that contacts which stick determine, and the parts of their slips that are not from velocities.
    selection: Selection,
    parts: Vec<f64>,
    still: Vec<f64>,
    /// Contacts that stick, and what each contact does when its bound is asked for.
    holds: Vec<bool>,
    grips: Vec<Grip>,
    /// Contacts that stick and whose forces are not unique.
    pub open: Vec<bool>,
    /// Slip speeds over which the friction of each contact changes.
    pub ranges: Vec<Option<SlipRange>>,
    /// Accelerations without the forces that hold, and the last forces that contacts were found to hold together with.
    free: Vec<f64>,
    pub carried: Vec<f64>,
    /// Q at the last point that was looked at.
    pub transfer: f64,
}

impl Evaluator {
    pub fn new(system: &dyn Smooth, layout: Layout, sides: Vec<bool>) -> Evaluator {
        Evaluator {
            modes: vec![ContactMode::Free; layout.contacts()],
            sides,
            limit: f64::INFINITY,
            held: Vec::new(),
            inverse: Matrix::zeros(0, 0),
            null: Vec::new(),
            holding: vec![0.0; layout.slips()],
            rates: vec![0.0; layout.slips()],
            stuck: vec![false; layout.contacts()],
            selection: Selection::default(),
            parts: vec![0.0; layout.slips()],
            still: vec![0.0; layout.velocities],
            holds: vec![false; layout.contacts()],
            grips: vec![Grip::Sticks; layout.contacts()],
            open: vec![false; layout.contacts()],
            ranges: (0..layout.contacts()).map(|c| system.slip_range(c)).collect(),
            free: vec![0.0; layout.velocities],
            carried: vec![0.0; layout.slips()],
            transfer: 0.0,
            layout,
        }
    }

    /// Takes new modes.
    pub fn set(
        &mut self,
        system: &dyn Smooth,
        modes: &[ContactMode],
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), SystemError> {
        self.modes.copy_from_slice(modes);
        self.held.clear();
        for (contact, mode) in modes.iter().enumerate() {
            self.holds[contact] = *mode == ContactMode::Stick;
            if self.holds[contact] {
                self.held.extend(self.layout.of(contact));
            }
        }
        if let Some((rows, mass)) = system.rows() {
            self.selection = Selection::new(&self.held, rows, mass);
        }
        self.invert(system, t, q, v)?;
        if system.star().is_some() {
            self.open = locked(&self.holds);
            return Ok(());
        }
        for contact in 0..self.open.len() {
            let held = |k: usize| self.held.iter().position(|held| *held == k);
            let undetermined = |k: usize| held(k).is_some_and(|i| self.null.get(i).is_some_and(|null| *null > UNIQUE));
            self.open[contact] = self.layout.of(contact).any(undetermined);
        }
        Ok(())
    }

    fn invert(&mut self, system: &dyn Smooth, t: f64, q: &[f64], v: &[f64]) -> Result<(), SystemError> {
        self.null.clear();
        let count = self.held.len();
        if count == 0 || system.star().is_some() {
            return Ok(());
        }
        let w = system.influence(At { t, q, v, sides: &self.sides, transfer: self.transfer });
        let held = Matrix::from_fn(count, count, |i, j| w[(self.held[i], self.held[j])]);
        self.inverse = pseudo_inverse(&held).map_err(SolveError::from)?;
        // The diagonal of I − W⁺W: how much of each component lies in the kernel of W.
        let kept = |i: usize| (0..count).map(|j| self.inverse[(i, j)] * held[(j, i)]).sum::<f64>();
        self.null = (0..count).map(|i| 1.0 - kept(i)).collect();
        Ok(())
    }

    /// What unit forces on the components `of` y do to the slips there, while contacts that stick hold:
    /// G = W_ss − W_sh W_hh⁺ W_hs.
    pub fn response(&self, system: &dyn Smooth, t: f64, y: &[f64], of: &[usize]) -> Matrix {
        let (q, v, _) = self.layout.split(y);
        let w = system.influence(At { t: t.min(self.limit), q, v, sides: &self.sides, transfer: self.transfer });
        let first = self.layout.positions + self.layout.velocities;
        let slips: Vec<usize> = of.iter().map(|k| k - first).collect();
        let held = &self.held;
        let answer = |l: usize, k: usize| -> f64 {
            held.iter().enumerate().map(|(m, &h)| self.inverse[(l, m)] * w[(h, k)]).sum()
        };
        let answers = Matrix::from_fn(held.len(), slips.len(), |l, j| answer(l, slips[j]));
        Matrix::from_fn(slips.len(), slips.len(), |i, j| {
            let relief: f64 = held.iter().enumerate().map(|(l, &h)| w[(slips[i], h)] * answers[(l, j)]).sum();
            w[(slips[i], slips[j])] - relief
        })
    }

    /// Rates and forces at (t, y). Where bounds depend on contact forces by Q, for modes that are fixed all forces are
    /// affine in Q, and so is what they make of it.
    pub fn evaluate(&mut self, system: &dyn Smooth, t: f64, y: &[f64], point: &mut Point) -> Result<(), SystemError> {
        if !system.transfers() {
            return self.evaluate_at(system, t, y, point);
        }
        // Forces that are not unique make of Q what they are chosen to be: those inside their sets.
        if self.open.contains(&true) {
            return self.hold_together(system, t, y, point, 1.0, Choice::LeastNorm).map(|_| ());
        }
        self.with_transfer(system, t, y, point, |own, point| own.evaluate_at(system, t, y, point))
    }

    /// Finds Q and what forces are with it.
    fn with_transfer<T>(
        &mut self,
        system: &dyn Smooth,
        t: f64,
        y: &[f64],
        point: &mut Point,
        mut forces: impl FnMut(&mut Self, &mut Point) -> Result<T, SystemError>,
    ) -> Result<T, SystemError> {
        let guess = self.transfer;
        let made = |transfer: f64| {
            self.transfer = transfer;
            let found = forces(self, point)?;
            let (q, v, _) = self.layout.split(y);
            let at = At { t: t.min(self.limit), q, v, sides: &self.sides, transfer };
            Ok::<_, SystemError>((system.transfer(at, &point.forces), found))
        };
        let found = consistent(guess, made)?;
        found.map(|(_, found)| found).ok_or(SystemError::Undecided { t })
    }

    /// The same, with Q as it is.
    fn evaluate_at(&mut self, system: &dyn Smooth, t: f64, y: &[f64], point: &mut Point) -> Result<(), SystemError> {
        let t = t.min(self.limit);
        let (q, v, s) = self.layout.split(y);
        if !system.influence_is_constant() {
            self.invert(system, t, q, v)?;
        }
        let at = At { t, q, v, sides: &self.sides, transfer: self.transfer };
        for (contact, grip) in self.grips.iter_mut().enumerate() {
            let slips = || Grip::Slips(norm(&s[self.layout.of(contact)]));
            *grip = if self.modes[contact].sticks() { Grip::Sticks } else { slips() };
        }
        system.bounds(at, &self.grips, &mut point.bounds);
        for contact in 0..self.layout.contacts() {
            let own = self.layout.of(contact);
            let speed = norm(&s[own.clone()]);
            let mode = self.modes[contact];
            let bound = point.bounds[contact];
            if !bound.is_finite() {
                return Err(SystemError::NotFinite { what: "a friction bound", t, value: bound });
            }
            if bound < 0.0 {
                return Err(SystemError::Negative { what: "a friction bound", t, value: bound });
            }
            let forces = &mut point.forces[own.clone()];
            match mode {
                ContactMode::Stick | ContactMode::Free => forces.fill(0.0),
                ContactMode::Line(sign) => forces[0] = -sign * bound,
                ContactMode::Plane => {
                    let over = if speed > 0.0 { bound / speed } else { 0.0 };
                    forces.iter_mut().zip(&s[own]).for_each(|(r, s)| *r = -over * s);
                }
            }
        }
        let (drift, rest) = point.rate.split_at_mut(self.layout.positions);
        let (acceleration, slip_rates) = rest.split_at_mut(self.layout.velocities);
        system.drift(at, drift);
        system.acceleration(at, acceleration);
        // Large forces may cancel, with friction as with the forces that hold: what cancels leaves its rounding.
        point.gross.copy_from_slice(acceleration);
        system.push(at, &point.forces, acceleration);
        point.gross.iter_mut().zip(&*acceleration).for_each(|(gross, a)| *gross = gross.abs().max(a.abs()));
        self.free.copy_from_slice(acceleration);
        if !self.held.is_empty() {
            if let Some(star) = system.star() {
                star.holding_forces(&self.holds, acceleration, &mut self.holding);
            } else {
                system.slip_rates(at, acceleration, &mut self.rates);
                hold(&self.held, &self.inverse, &self.rates, &mut self.holding);
                system.push(at, &self.holding, acceleration);
            }
            self.held.iter().for_each(|&k| point.forces[k] += self.holding[k]);
        }
        for (contact, stuck) in self.stuck.iter_mut().enumerate() {
            let rests = || s[self.layout.of(contact)].iter().all(|s| *s == 0.0);
            let mode = self.modes[contact];
            *stuck = mode.sticks() || (mode == ContactMode::Free && rests());
        }
        system.slip_rates(at, acceleration, slip_rates);
        let noise = ROUNDED * point.gross.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
        for (contact, mode) in self.modes.iter().enumerate() {
            let rates = &mut slip_rates[self.layout.of(contact)];
            if mode.sticks() || (*mode == ContactMode::Free && norm(rates) <= noise) {
                rates.fill(0.0);
            } else {
                self.stuck[contact] = false;
            }
        }
        if !self.selection.is_empty() {
            system.slip_rates(at, &self.still, &mut self.parts);
            if let Some((_, mass)) = system.rows() {
                self.selection.accelerate(mass, &self.free, &self.parts, acceleration);
            }
        }
        system.select_rates(&self.stuck, acceleration);
        Ok(())
    }

    /// Rates and forces at (t, y), as [`Evaluator::evaluate`] has them, but with forces inside their sets also where
    /// they are not unique: of all that do, those of least norm.
    pub fn carry(&mut self, system: &dyn Smooth, t: f64, y: &[f64], point: &mut Point) -> Result<(), SystemError> {
        self.hold_together(system, t, y, point, 1.0, Choice::LeastNorm).map(|_| ())
    }

    /// The greatest slip rate at (t, y) that contacts which stick cannot hold back together with `share` of their
    /// bounds: 0.0 where they can. With less than all of the bounds it tells how close to the end of their strength they
    /// are. The forces of the point are not for use.
    pub fn excess(
        &mut self,
        system: &dyn Smooth,
        t: f64,
        y: &[f64],
        point: &mut Point,
        share: f64,
    ) -> Result<f64, SystemError> {
        self.hold_together(system, t, y, point, share, Choice::Any)
    }

    /// Of all forces that hold, those of least norm without regard to the bounds are looked at first. Where they leave
    /// their sets, others may not: that is for the inclusion −s' ∈ N_C(r) of all contacts that stick to tell.
    fn hold_together(
        &mut self,
        system: &dyn Smooth,
        t: f64,
        y: &[f64],
        point: &mut Point,
        share: f64,
        choice: Choice,
    ) -> Result<f64, SystemError> {
        match system.transfers() {
            true => self.with_transfer(system, t, y, point, |own, point| {
                own.hold_together_at(system, t, y, point, share, choice)
            }),
            false => self.hold_together_at(system, t, y, point, share, choice),
        }
    }

    /// The same with Q as it is.
    fn hold_together_at(
        &mut self,
        system: &dyn Smooth,
        t: f64,
        y: &[f64],
        point: &mut Point,
        share: f64,
        choice: Choice,
    ) -> Result<f64, SystemError> {
        self.evaluate_at(system, t, y, point)?;
        let inside = |c: usize| norm(&point.forces[self.layout.of(c)]) <= share * point.bounds[c] * (1.0 + INSIDE);
        if (0..self.open.len()).all(|c| !self.open[c] || inside(c)) {
            return Ok(0.0);
        }
        let (q, v, _) = self.layout.split(y);
        let at = At { t: t.min(self.limit), q, v, sides: &self.sides, transfer: self.transfer };
        let mut rates = vec![0.0; self.layout.slips()];
        system.slip_rates(at, &self.free, &mut rates);
        let contacts: Vec<usize> = (0..self.open.len()).filter(|&c| self.holds[c]).collect();
        let start: Vec<f64> = self.held.iter().map(|&k| self.carried[k]).collect();
        let coupling = Coupling::of(system, at);
        let loads = (&self.free[..], &rates[..]);
        let bounds: Vec<f64> = point.bounds.iter().map(|bound| share * bound).collect();
        let solved = coupling.hold(&self.layout, &contacts, loads, &bounds, &start, choice)?;
        for (&k, r) in self.held.iter().zip(&solved.r) {
            (point.forces[k], self.carried[k]) = (*r, *r);
        }
        Ok(solved.s.iter().fold(0.0_f64, |m, s| m.max(s.abs())))
    }

    /// Takes the slips that contacts which rest have by rounding out of v. Returns the greatest of them.
    pub fn settle(&mut self, system: &dyn Smooth, t: f64, q: &[f64], v: &mut [f64], s: &[f64]) -> f64 {
        let rests = |c: usize| s[self.layout.of(c)].iter().all(|s| *s == 0.0);
        let idle = |c: usize| self.modes[c] == ContactMode::Free && rests(c);
        let stuck: Vec<bool> = (0..self.modes.len()).map(|c| self.modes[c].sticks() || idle(c)).collect();
        let before = v.to_vec();
        let at = At { t: t.min(self.limit), q, v: &before, sides: &self.sides, transfer: self.transfer };
        system.slips(at, &mut self.rates);
        let left = self.held.iter().fold(0.0_f64, |m, &k| m.max(self.rates[k].abs()));
        if !self.selection.is_empty() {
            system.slips(At { v: &self.still, ..at }, &mut self.parts);
        }
        if let (Some((_, mass)), false) = (system.rows(), self.selection.is_empty()) {
            // The blow of least energy that takes the slips away, as the accelerations are found.
            if left > 0.0 {
                self.selection.accelerate(mass, &before, &self.parts, v);
            } else {
                self.selection.apply(&self.parts, v);
            }
        } else if left > 0.0 {
            if let Some(star) = system.star() {
                star.holding_forces(&self.holds, v, &mut self.holding);
            } else {
                hold(&self.held, &self.inverse, &self.rates, &mut self.holding);
                system.push(at, &self.holding, v);
            }
        }
        system.select(&stuck, v);
        left
    }
}

/// Contacts of a star whose forces are not unique: ground and brake of wheels that are locked, and what holds the chassis
/// besides, if there are two of those at least. They all hold the chassis, and any of them could do more of it.
fn locked(holds: &[bool]) -> Vec<bool> {
    let pair = |c: usize| c & !1;
    let beside = holds.len() % 2 == 1 && holds[holds.len() - 1];
    let locks = |c: usize| match holds.get(pair(c) + 1) {
        Some(brake) => holds[pair(c)] && *brake,
        None => holds[c],
    };
    let wheels = (0..holds.len() / 2).filter(|wheel| locks(2 * wheel)).count();
    let several = wheels + usize::from(beside) >= 2;
    (0..holds.len()).map(|c| several && locks(c)).collect()
}

/// Forces of least norm that take away the rates of the components that are held, by the pseudo-inverse of their W.
fn hold(held: &[usize], inverse: &Matrix, rates: &[f64], forces: &mut [f64]) {
    forces.fill(0.0);
    for (i, &k) in held.iter().enumerate() {
        forces[k] = inverse.row(i).iter().zip(held).map(|(w, &l)| -w * rates[l]).sum();
    }
}
