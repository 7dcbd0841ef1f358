//! Which contacts stick and which slip from an instant on, by the inclusion.
//!
//! Contacts with s ≠ 0 slip, and their forces are known. For those at rest (the set Z) the same inclusion holds for
//! accelerations, −s' ∈ N_C(r): one that gets s' ≠ 0 slips from now on. Where s' = 0 and the force is on the edge of
//! its set (a contact that has just been loaded up to its bound always is) the next derivative tells: r' may not leave
//! the set, −s'' ∈ N_T(r') with T the cone of directions into C, shifted by a'. For a disk and the direction n in
//! which it would slip, T is the half-plane n·r' ≥ −a'. A friction that drops when slip begins changes the forces of
//! the others, so that they are asked again.

mod orders;

use super::coupling::Coupling;
use super::jump::Jump;
use super::layout::{ContactMode, Layout, norm};
use crate::inclusion::SolveError;
use crate::mechanics::{At, Flow, Grip, Smooth, SystemError};

/// Accelerations and forces this share of the greatest in the problem are ties.
const TIE: f64 = 1e-10;

/// The share of the bounds that is left out to see who slips at the greatest load that contacts carry together.
const PUSHED: f64 = 1e-8;

/// Forces this share below their bounds have come to them together with others that share the load.
const ALIKE: f64 = 1e-7;

/// A change of a slip rate that is none, but has a direction.
const BARELY: f64 = 1e-100;

/// What a contact that has just come to its bound may lack of the force that would hold it, as a share of the bound.
const CLEARLY: f64 = 1e-3;

/// A direction; the second component is 0 for contacts on a line.
pub(super) type Direction = [f64; 2];

/// Modes from an instant on.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Decision {
    pub modes: Vec<ContactMode>,
    /// s' and s'' of contacts that slip, 0 elsewhere; s'' only where a contact leaves its rest by it.
    pub rates: Vec<f64>,
    pub curvatures: Vec<f64>,
    /// Contacts that stick with their force on the edge of the set.
    pub on_edge: Vec<bool>,
    /// Bounds from which on a contact is no longer taken to transmit nothing.
    pub wakes: Vec<f64>,
    /// Greatest force that each contact has to do with: bounds and what others ask of it \[N\].
    pub sizes: Vec<f64>,
    /// Contacts that stick and whose forces are not unique.
    pub open: Vec<bool>,
}

/// An instant to decide at.
#[derive(Clone, Copy)]
pub(super) struct Instant<'a> {
    pub system: &'a dyn Smooth,
    pub layout: &'a Layout,
    pub flow: &'a Flow,
    /// Direction in which a contact slips that has just come to its bound.
    pub at_bound: &'a [Option<Direction>],
    /// What slips have just done by themselves.
    pub jump: &'a Jump,
    /// Contacts that are held back with the friction of rest although they slip: they pass through rest.
    pub passing: &'a [bool],
    /// A time short against that in which anything changes \[s\].
    pub short: f64,
    /// Signals are not looked at from here on.
    pub limit: f64,
}

/// Slip rates without the forces of Z, the forces of the others, and bounds.
struct Free {
    forces: Vec<f64>,
    acceleration: Vec<f64>,
    rates: Vec<f64>,
    /// What of the rates is not from accelerations.
    own_rates: Vec<f64>,
    bounds: Vec<f64>,
}

/// Time derivatives, without the forces of Z.
struct Slopes {
    forces: Vec<f64>,
    slips: Vec<f64>,
    bounds: Vec<f64>,
    /// Of the accelerations.
    jerk: Vec<f64>,
}

impl Instant<'_> {
    fn resting(&self, contact: usize) -> bool {
        self.flow.s[self.layout.of(contact)].iter().all(|s| *s == 0.0)
    }

    /// Forces of the contacts that slip or leave, then accelerations and slip rates without the others, `later`, at a
    /// given Q.
    fn free(
        &self,
        leaving: &[Option<Direction>],
        (later, transfer): (f64, f64),
        acceleration: &[f64],
        rates: &[f64],
    ) -> Free {
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
        let at = At { t: (flow.t + later).min(self.limit), q: &q, v: &v, sides: &flow.sides, transfer };
        let contacts = self.layout.contacts();
        let slips: Vec<f64> = flow.s.iter().zip(rates).map(|(s, rate)| s + later * rate).collect();
        let grip = |contact: usize| match leaving[contact] {
            Some(_) => Grip::Slips(later * norm(&rates[self.layout.of(contact)])),
            None if self.resting(contact) || self.passing[contact] => Grip::Sticks,
            None => Grip::Slips(norm(&slips[self.layout.of(contact)])),
        };
        let grips: Vec<Grip> = (0..contacts).map(grip).collect();
        let (mut forces, mut bounds) = (vec![0.0; self.layout.slips()], vec![0.0; contacts]);
        self.system.bounds(at, &grips, &mut bounds);
        for contact in 0..contacts {
            let own = self.layout.of(contact);
            match leaving[contact] {
                None if self.resting(contact) => continue,
                Some(d) => forces[own].iter_mut().zip(d).for_each(|(r, d)| *r = -bounds[contact] * d),
                None => {
                    let slip = &slips[own.clone()];
                    let speed = norm(slip);
                    forces[own].iter_mut().zip(slip).for_each(|(r, s)| *r = -bounds[contact] * s / speed);
                }
            }
            // Only those of contacts at rest are asked for.
            bounds[contact] = 0.0;
        }
        let mut acceleration = vec![0.0; v.len()];
        self.system.acceleration(at, &mut acceleration);
        self.system.push(at, &forces, &mut acceleration);
        let mut rates = vec![0.0; self.layout.slips()];
        self.system.slip_rates(at, &acceleration, &mut rates);
        let mut own_rates = vec![0.0; self.layout.slips()];
        self.system.slip_rates(at, &vec![0.0; v.len()], &mut own_rates);
        Free { forces, acceleration, rates, own_rates, bounds }
    }

    /// Time derivatives of accelerations, slip rates and bounds, from three instants, where Q changes at a given rate.
    fn slopes(&self, leaving: &[Option<Direction>], first: &First, transfer_rate: f64) -> Slopes {
        let transfer = |later: f64| first.transfer + later * transfer_rate;
        let at = |later: f64| self.free(leaving, (later, transfer(later)), &first.acceleration, &first.rates);
        let (a, b, c) = (at(0.0), at(self.short), at(2.0 * self.short));
        let slope = |a: &[f64], b: &[f64], c: &[f64]| -> Vec<f64> {
            (0..a.len()).map(|i| (-3.0 * a[i] + 4.0 * b[i] - c[i]) / (2.0 * self.short)).collect()
        };
        // By way of the accelerations: differences have rounding, and slips that depend on each other must go on to.
        let jerk = slope(&a.acceleration, &b.acceleration, &c.acceleration);
        let mut slopes = vec![0.0; a.rates.len()];
        self.system.slip_rates(self.flow.at(), &jerk, &mut slopes);
        let own = slope(&a.own_rates, &b.own_rates, &c.own_rates);
        for (k, s) in slopes.iter_mut().enumerate() {
            *s += own[k] - a.own_rates[k];
        }
        let forces = slope(&a.forces, &b.forces, &c.forces);
        Slopes { forces, slips: slopes, bounds: slope(&a.bounds, &b.bounds, &c.bounds), jerk }
    }

    /// The modes.
    pub fn decide(&self) -> Result<Decision, SystemError> {
        let contacts = self.layout.contacts();
        let coupling = Coupling::of(self.system, self.flow.at());
        let mut leaving = self.shaken(&coupling)?;
        let mut stays = vec![false; contacts];
        // Every round but the last lets a contact go whose friction drops, or calls one back, which happens once to each.
        for _ in 0..=3 * contacts {
            let first = self.first_order(&coupling, &leaving, 0.0)?;
            let rate = |c: usize| &first.rates[self.layout.of(c)];
            // One that was taken along, or left before others dropped their forces, and does not move is held by others
            // that stick.
            let held = |c: usize| leaving[c].is_some() && norm(rate(c)) <= first.small;
            // One that now would go against the force that took it away needs less than before others dropped theirs.
            let turned = |c: usize| {
                let ahead = |d: Direction| rate(c).iter().zip(d).map(|(s, d)| s * d).sum::<f64>();
                leaving[c].is_some_and(|d| ahead(d) < -first.small)
            };
            if let Some(c) = (0..contacts).find(|&c| !stays[c] && (held(c) || turned(c))) {
                (leaving[c], stays[c]) = (None, true);
                continue;
            }
            let before = leaving.clone();
            let leaves = |c: &usize| {
                // One that has just come to its bound is for the next derivative, unless its force is far beyond.
                let beyond = CLEARLY * first.influence[*c] * first.bounds[*c];
                let clear = first.at_bound[*c].map_or(first.small, |_| beyond.max(first.small));
                self.rests(&before, *c) && norm(rate(*c)) > clear
            };
            let leave: Vec<usize> = (0..contacts).filter(leaves).collect();
            leave.iter().for_each(|&c| leaving[c] = Some(direction(rate(c))));
            let again = leave.iter().any(|&c| self.drops(c));
            if again {
                self.take_along(&coupling, (&first, &before), &stays, &mut leaving);
                continue;
            }
            let before = leaving.clone();
            let (first, second) = match self.second_order(&coupling, &first, &mut leaving) {
                // Forces in the plane at the greatest load that contacts carry together: their disks are curved, and what
                // straight edges say of them may contradict itself. A little less of the bounds tells who slips.
                Err(SystemError::Inclusion(SolveError::NotConverged { .. } | SolveError::NoSolution { .. })) => {
                    let pushed = self.first_order(&coupling, &leaving, PUSHED)?;
                    for c in (0..contacts).filter(|&c| before[c].is_none() && self.resting(c)) {
                        let rate = &pushed.rates[self.layout.of(c)];
                        leaving[c] = (norm(rate) > 0.0).then(|| direction(rate));
                    }
                    (pushed, Second::none(self.layout))
                }
                other => (first, other?),
            };
            if (0..contacts).any(|c| before[c].is_none() && leaving[c].is_some() && self.drops(c)) {
                self.take_along(&coupling, (&first, &before), &stays, &mut leaving);
                continue;
            }
            return Ok(self.decision(&leaving, first, second));
        }
        Err(SystemError::Undecided { t: self.flow.t })
    }

    /// Who leaves its rest because slips have jumped: those that they end from a slip that goes on, and those that cannot hold what
    /// passes through rest.
    fn shaken(&self, coupling: &Coupling) -> Result<Vec<Option<Direction>>, SystemError> {
        let contacts = self.layout.contacts();
        let mut leaving: Vec<Option<Direction>> =
            (0..contacts).map(|c| self.jump.ended[c].filter(|_| self.drops(c))).collect();
        let holds = |c: usize| {
            let bound = |grip| self.system.bound(c, self.flow.at(), grip);
            bound(Grip::Sticks) > bound(Grip::Slips(norm(&self.flow.s[self.layout.of(c)]))) * (1.0 + TIE)
        };
        if !(0..contacts).any(|c| self.jump.through[c] && holds(c)) {
            return Ok(leaving);
        }
        let passing = Instant { passing: &self.jump.through, ..*self };
        let (first, before) = (passing.first_order(coupling, &leaving, 0.0)?, leaving.clone());
        for c in (0..contacts).filter(|&c| self.rests(&before, c) && self.drops(c)) {
            let rate = &first.rates[self.layout.of(c)];
            if norm(rate) > first.small {
                leaving[c] = Some(direction(rate));
            }
        }
        if leaving != before {
            passing.take_along(coupling, (&first, &before), &vec![false; contacts], &mut leaving);
        }
        Ok(leaving)
    }

    /// Where contacts share a load and friction drops as one of them begins to slip, those whose forces are at their
    /// bounds as well begin with it: who of them was first is rounding, and what is symmetric stays so. A force that is not
    /// unique may be at its bound while others have strength left: those at the end of it slip with a little less of
    /// the bounds.
    fn take_along(
        &self,
        coupling: &Coupling,
        (first, before): (&First, &[Option<Direction>]),
        stays: &[bool],
        leaving: &mut [Option<Direction>],
    ) {
        let near = |c: usize| norm(&first.forces[self.layout.of(c)]) >= first.bounds[c] * (1.0 - ALIKE);
        let asked = |c: usize| first.open[c] && !stays[c] && self.rests(leaving, c) && self.drops(c) && near(c);
        let asked: Vec<usize> = (0..leaving.len()).filter(|&c| asked(c)).collect();
        if asked.is_empty() {
            return;
        }
        let less = self.first_order(coupling, before, ALIKE).ok();
        for c in asked {
            let force = &first.forces[self.layout.of(c)];
            let strong = less.as_ref().is_some_and(|less| norm(&less.rates[self.layout.of(c)]) == 0.0);
            if !strong {
                leaving[c] = Some(opposite(force));
            }
        }
    }

    /// Whether a contact is at rest and is not about to leave.
    fn rests(&self, leaving: &[Option<Direction>], contact: usize) -> bool {
        self.resting(contact) && leaving[contact].is_none()
    }

    /// Whether friction drops when the contact begins to slip.
    fn drops(&self, contact: usize) -> bool {
        let bound = |grip| self.system.bound(contact, self.flow.at(), grip);
        bound(Grip::Slips(0.0)) < bound(Grip::Sticks) * (1.0 - TIE)
    }

    fn decision(&self, leaving: &[Option<Direction>], first: First, second: Second) -> Decision {
        let (layout, flow) = (self.layout, self.flow);
        let mode = |c: usize| {
            let line = layout.of(c).len() == 1;
            match leaving[c] {
                Some(d) if line => ContactMode::Line(d[0]),
                None if !self.resting(c) && line => ContactMode::Line(flow.s[layout.of(c).start].signum()),
                None if self.resting(c) && second.idle[c] => ContactMode::Free,
                None if self.resting(c) => ContactMode::Stick,
                _ => ContactMode::Plane,
            }
        };
        let contacts = layout.contacts();
        let modes: Vec<ContactMode> = (0..contacts).map(mode).collect();
        let mut rates = first.rates;
        let mut curvatures = second.curvatures;
        for c in (0..contacts).filter(|&c| leaving[c].is_none() && self.resting(c)) {
            rates[layout.of(c)].fill(0.0);
            curvatures[layout.of(c)].fill(0.0);
        }
        // One that leaves by neither has a direction all the same.
        for (c, direction) in leaving.iter().enumerate().filter_map(|(c, d)| d.map(|d| (c, d))) {
            let own = layout.of(c);
            if norm(&rates[own.clone()]) == 0.0 && norm(&curvatures[own.clone()]) == 0.0 {
                curvatures[own].iter_mut().zip(direction).for_each(|(s, d)| *s = BARELY * d);
            }
        }
        // A bound that leaves zero may have others beside it that carry what it cannot.
        let loose = |c: usize| first.open[c] || (second.tied[c] && first.without[c] && !second.idle[c]);
        Decision {
            on_edge: (0..contacts).map(|c| second.tied[c] && modes[c] == ContactMode::Stick).collect(),
            wakes: first.influence.iter().map(|w| 2.0 * first.small / w).collect(),
            sizes: first.influence.iter().map(|w| first.small / (TIE * w)).collect(),
            open: (0..contacts).map(|c| loose(c) && modes[c] == ContactMode::Stick).collect(),
            modes,
            rates,
            curvatures,
        }
    }
}

/// What the first order says.
struct First {
    /// Accelerations below this are ties.
    small: f64,
    /// Greatest slip rate without the forces of contacts at rest.
    speed: f64,
    /// Greatest self-influence of each contact.
    influence: Vec<f64>,
    bounds: Vec<f64>,
    /// Contacts that transmit nothing.
    without: Vec<bool>,
    /// Contacts whose forces are not unique.
    open: Vec<bool>,
    at_bound: Vec<Option<Direction>>,
    /// Q.
    transfer: f64,
    /// Forces of contacts that slip, and of contacts at rest.
    slipping: Vec<f64>,
    forces: Vec<f64>,
    acceleration: Vec<f64>,
    rates: Vec<f64>,
}

impl First {
    fn all_forces(&self) -> Vec<f64> {
        self.slipping.iter().zip(&self.forces).map(|(slipping, resting)| slipping + resting).collect()
    }
}

/// What the second order says.
struct Second {
    /// r', of all contacts.
    force_slopes: Vec<f64>,
    /// Contacts that the first order left open.
    tied: Vec<bool>,
    /// Those that transmit nothing and go on so.
    idle: Vec<bool>,
    /// s''.
    curvatures: Vec<f64>,
}

impl Second {
    fn none(layout: &Layout) -> Second {
        let (contacts, slips) = (layout.contacts(), layout.slips());
        Second {
            force_slopes: vec![0.0; slips],
            tied: vec![false; contacts],
            idle: vec![false; contacts],
            curvatures: vec![0.0; slips],
        }
    }
}

fn greatest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

pub(super) fn direction(x: &[f64]) -> Direction {
    let size = norm(x);
    [x[0] / size, x.get(1).map_or(0.0, |y| y / size)]
}

/// Direction of slip against a force.
pub(super) fn opposite(force: &[f64]) -> Direction {
    direction(force).map(|x| -x)
}
