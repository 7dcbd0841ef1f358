//! Systems whose motion between events is smooth, whatever its formula.
//!
//! ```text
//! q' = G(t, q, v),   v' = A F(t, q, v) + A Hᵀ r,   s = H v + c(t, q),   r_i ∈ C_i,   −s ∈ N_C(r)
//! ```
//!
//! C_i is the interval [−a_i, a_i] or the disk of radius a_i; a_i may depend on time, place and slip speed. What is
//! only smooth in pieces (a stop that touches, a patch of ice) has a *guard*: a function whose sign says on which side
//! of the break the system is. A scheme keeps the sides fixed while it looks for the zeros of the guards, so that it
//! never integrates across a break.

use stickslip_linalg::Matrix;

use super::{SystemError, check_signals, known_until};
use crate::inclusion::{Rows, Star};
use crate::law::{Coefficient, SlipRange, State};
use crate::signal::Signal;

/// Where a system is, at one instant.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// Time \[s\].
    pub t: f64,
    /// Positions q.
    pub q: &'a [f64],
    /// Velocities v.
    pub v: &'a [f64],
    /// Side of each guard: true where its function counts as positive. Forces follow this, not the function.
    pub sides: &'a [bool],
    /// What contact forces do to the loads on the contacts: [`Smooth::transfer`].
    pub transfer: f64,
}

/// How many numbers of each kind a system has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Positions q.
    pub positions: usize,
    /// Velocities v.
    pub velocities: usize,
    /// Powers that are tallied.
    pub powers: usize,
    /// Guards.
    pub guards: usize,
}

/// What a contact does when its bound is asked for.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Grip {
    /// It sticks: the bound is that of rest.
    Sticks,
    /// It slips with this speed, ≥ 0 [m/s]; 0 means that it begins to.
    Slips(f64),
}

impl Grip {
    /// The coefficient of friction of a contact that does this; `sides` are those of the guards of the law's corners.
    pub fn coefficient(self, law: &Coefficient, sides: &[bool]) -> f64 {
        match self {
            Grip::Sticks => law.sticking(),
            Grip::Slips(speed) => law.slipping(speed, passed(sides)),
        }
    }
}

/// How many guards of rising corners count as passed.
pub fn passed(sides: &[bool]) -> usize {
    sides.iter().filter(|side| **side).count()
}

/// Signals, with what each of them is.
pub type Signals<'a> = Box<dyn Iterator<Item = (&'static str, &'a Signal)> + 'a>;

/// A system that is smooth between events.
pub trait Smooth {
    /// Numbers of positions, velocities, powers and guards.
    fn sizes(&self) -> Sizes;

    /// Components of each contact's force: 1 for an interval, 2 for a disk.
    fn contact_sizes(&self) -> Vec<usize>;

    /// Positions and velocities at t = 0.
    fn initial(&self) -> (Vec<f64>, Vec<f64>);

    /// q'; by default v.
    fn drift(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(at.v);
    }

    /// A F: accelerations without contact forces.
    fn acceleration(&self, at: At, out: &mut [f64]);

    /// What the parts of A F, and contact forces of the sizes given, add up to if none of them cancels another: rounding
    /// of accelerations is measured by it. |A F| by default.
    fn parts(&self, at: At, _bounds: &[f64], out: &mut [f64]) {
        self.acceleration(at, out);
        out.iter_mut().for_each(|a| *a = a.abs());
    }

    /// s, component after component; by default H v, where s' is H v'.
    fn slips(&self, at: At, out: &mut [f64]) {
        self.slip_rates(at, at.v, out);
    }

    /// s' for the acceleration a.
    fn slip_rates(&self, at: At, acceleration: &[f64], out: &mut [f64]);

    /// Adds A Hᵀ r to y.
    fn push(&self, at: At, forces: &[f64], y: &mut [f64]);

    /// W = H A Hᵀ.
    fn influence(&self, at: At) -> Matrix;

    /// The star that the system is, if it is one: velocities (x1, v_1 … v_n), contacts on lines with slips x1 + v_i, v_i
    /// and, where there is one more, x1. Its forces are found in O(n), without W. None by default.
    fn star(&self) -> Option<&Star> {
        None
    }

    /// Whether W never changes; true by default.
    fn influence_is_constant(&self) -> bool {
        true
    }

    /// a_i, ≥ 0.
    fn bound(&self, contact: usize, at: At, grip: Grip) -> f64;

    /// a_i of all contacts, which do what `grips` say: one after the other, unless a system knows what they share.
    fn bounds(&self, at: At, grips: &[Grip], out: &mut [f64]) {
        for (contact, (bound, grip)) in out.iter_mut().zip(grips).enumerate() {
            *bound = self.bound(contact, at, *grip);
        }
    }

    /// Whether bounds depend on contact forces, by the number Q that [`Smooth::transfer`] makes of these; false by default.
    fn transfers(&self) -> bool {
        false
    }

    /// Q, affine in the contact forces r: what they do to the loads on the contacts. Bounds depend on it as
    /// [`At::transfer`], so that forces and bounds have to be found together.
    fn transfer(&self, _at: At, _forces: &[f64]) -> f64 {
        0.0
    }

    /// Whether the model still describes the motion where it has come to; an error says what happens there.
    fn describes(&self, _flow: &Flow) -> Result<(), SystemError> {
        Ok(())
    }

    /// Slip speeds over which the friction of a contact changes smoothly, which steps must not pass unseen; none by
    /// default.
    fn slip_range(&self, _contact: usize) -> Option<SlipRange> {
        None
    }

    /// Powers of the forces F, for the energy ledger \[W\]. Contact forces are given for supports that move: what those
    /// do is work from outside.
    fn powers(&self, at: At, forces: &[f64], out: &mut [f64]);

    /// Functions whose zeros are breaks; none by default.
    fn guards(&self, _at: At, _out: &mut [f64]) {}

    /// The signals that it depends on, with what each of them is; none by default.
    fn signals(&self) -> Signals<'_> {
        Box::new(std::iter::empty())
    }

    /// First instant after t at which a signal breaks or jumps; infinite if none does.
    fn next_break(&self, t: f64) -> f64 {
        self.signals().fold(f64::INFINITY, |m, (_, signal)| m.min(signal.next_break(t)))
    }

    /// Until when the breaks of all signals are known \[s\].
    fn known_until(&self) -> f64 {
        known_until(self.signals().map(|(_, signal)| signal))
    }

    /// Sets the positions that are given functions of time (a support that is led), so that they are what their signals
    /// say and not an integral of it; none by default.
    fn place(&self, _t: f64, _q: &mut [f64]) {}

    /// Energies that a jump of given positions from q to `to` brings in, added to `work` (in the order of
    /// [`Smooth::powers`]) \[J\]; none by default.
    fn jump_work(&self, _q: &[f64], _to: &[f64], _work: &mut [f64]) {}

    /// The rows of H and the diagonal of M, if they are constant, M has nothing else and the velocities of contacts that
    /// stick shall be selected by way of them: then [`Smooth::select`] and [`Smooth::select_rates`] have nothing left to
    /// do. None by default.
    fn rows(&self) -> Option<(&Rows, &[f64])> {
        None
    }

    /// Takes what rounding has left out of the velocities of contacts that stick, where a model knows how to be exact.
    /// Comes after a correction that leaves rounding only.
    fn select(&self, _stuck: &[bool], _v: &mut [f64]) {}

    /// The same for accelerations: contacts that stick have none. Then what rests does so to the bit.
    fn select_rates(&self, _stuck: &[bool], _a: &mut [f64]) {}

    /// Whether the system can be run from t on; an error names what is wrong, by default the first signal that has no finite
    /// value.
    fn check(&self, t: f64) -> Result<(), SystemError> {
        check_signals(self.signals(), t)
    }
}

/// Where a smooth motion is, and what has happened since t = 0.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Flow {
    /// Time \[s\].
    pub t: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Slips, component after component; exactly 0.0 where a contact sticks.
    pub s: Vec<f64>,
    /// Contact forces r on the system, component after component.
    pub forces: Vec<f64>,
    /// Modes of the contacts.
    pub states: Vec<State>,
    /// ∫ s dt, component after component: it does not move while a contact sticks.
    pub slid: Vec<f64>,
    /// Integrals of the powers \[J\].
    pub work: Vec<f64>,
    /// −∫ r_i·s_i dt of each contact \[J\].
    pub dissipated: Vec<f64>,
    /// Greatest slip that rounding had left where a contact sticks, before it was set to zero [m/s].
    pub residual: f64,
    /// Greatest speed at any point of a step [m/s].
    pub speed: f64,
    /// Side of each guard.
    pub sides: Vec<bool>,
    /// Q, of the contact forces now: [`Smooth::transfer`].
    pub transfer: f64,
}

impl Flow {
    /// The instant, as a system is asked for it.
    pub fn at(&self) -> At<'_> {
        At { t: self.t, q: &self.q, v: &self.v, sides: &self.sides, transfer: self.transfer }
    }

    /// Whether all of it is a number.
    pub fn is_finite(&self) -> bool {
        let lists = [&self.q, &self.v, &self.s, &self.forces, &self.work, &self.dissipated];
        lists.into_iter().flatten().all(|x| x.is_finite())
    }
}
