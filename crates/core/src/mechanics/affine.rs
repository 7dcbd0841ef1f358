//! Systems whose motion between events is a polynomial of time.
//!
//! ```text
//! v' = A (F(t) + Hᵀ r),   s = H v,   r_i ∈ [−a_i(t), a_i(t)],   −s ∈ N_C(r)
//! ```
//!
//! with A = M⁻¹ and H constant, forces F and bounds a affine in t between breaks of the signals. While no
//! contact changes its state the contact forces are affine too, velocities quadratic and positions cubic.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Response, SystemError};
use crate::signal::{Piece, Signal};

/// A list of numbers, one per velocity or per contact: `[f64; N]` where the number is known when compiling
/// (nothing is allocated), `Vec<f64>` where it is not.
pub trait Vector: Send + Clone + Index<usize, Output = f64> + IndexMut<usize> + Serialize + DeserializeOwned {
    /// The list whose i-th number is f(i). Arrays have their own length and do not look at `size`.
    fn from_fn(size: usize, f: impl FnMut(usize) -> f64) -> Self;

    /// How many numbers there are.
    fn size(&self) -> usize;

    /// The numbers f(x_i).
    #[inline(always)]
    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self::from_fn(self.size(), |i| f(self[i]))
    }

    /// max |x_i|; NaN is passed over.
    #[inline(always)]
    fn greatest(&self) -> f64 {
        (0..self.size()).fold(0.0, |m, i| if self[i].abs() > m { self[i].abs() } else { m })
    }
}

impl<const N: usize> Vector for [f64; N]
where
    [f64; N]: Serialize + DeserializeOwned,
{
    #[inline(always)]
    fn from_fn(_: usize, mut f: impl FnMut(usize) -> f64) -> Self {
        // Not `array::from_fn`, which leaves calls to the larger of these closures.
        let mut out = [0.0; N];
        for (i, x) in out.iter_mut().enumerate() {
            *x = f(i);
        }
        out
    }

    #[inline(always)]
    fn size(&self) -> usize {
        N
    }
}

impl Vector for Vec<f64> {
    fn from_fn(size: usize, f: impl FnMut(usize) -> f64) -> Self {
        (0..size).map(f).collect()
    }

    fn size(&self) -> usize {
        self.len()
    }
}

/// A system with constant A and H, forces and bounds affine between breaks, and intervals for contacts.
pub trait Affine {
    /// What observers see.
    type State;
    /// One number per velocity.
    type Velocities: Vector;
    /// One number per contact.
    type Contacts: Vector;

    /// Velocities at t = 0.
    fn initial(&self) -> Self::Velocities;

    /// F, a and their slopes from t on, and the first break after t.
    fn loads(&self, t: f64) -> Result<Loads<Self::Velocities, Self::Contacts>, SystemError>;

    /// A F.
    fn acceleration(&self, force: &Self::Velocities) -> Self::Velocities;

    /// H v.
    fn slips(&self, velocities: &Self::Velocities) -> Self::Contacts;

    /// The diagonal of W = H A Hᵀ [1/kg]: how each contact's force changes its own slip.
    fn influence(&self) -> Self::Contacts;

    /// Solves y = y₀ + A Hᵀ r, s = H y, −s ∈ N_C(r) with C the product of the intervals [lo_i, hi_i].
    ///
    /// Accelerations and forces, their slopes, and velocities and impulses all obey this one inclusion. The
    /// ends may be infinite (a contact that holds whatever comes) or equal (a force that is known; then s is
    /// free). s_i is exactly 0.0 where contact i holds.
    fn respond(
        &self,
        free: &Self::Velocities,
        lo: &Self::Contacts,
        hi: &Self::Contacts,
    ) -> Result<Response<Self::Velocities, Self::Contacts>, SystemError>;

    /// Removes what rounding left of slips that are zero: afterwards H v is exactly 0.0 wherever `signs` is.
    fn settle(&self, signs: &Self::Contacts, velocities: &mut Self::Velocities);

    /// The motion as observers see it.
    fn state(&self, motion: &Motion<Self::Velocities, Self::Contacts>) -> Self::State;

    /// The work done so far, in the parts that the same system as a [`super::Smooth`] one tallies \[J\]; in one sum by
    /// default.
    fn works(&self, motion: &Motion<Self::Velocities, Self::Contacts>) -> Vec<f64> {
        vec![motion.work]
    }
}

/// For systems that never have a closed form: there is no value of it.
#[derive(Debug, Clone, Copy)]
pub struct NoClosedForm<S>(std::convert::Infallible, std::marker::PhantomData<S>);

impl<S> Affine for NoClosedForm<S> {
    type State = S;
    type Velocities = Vec<f64>;
    type Contacts = Vec<f64>;

    fn initial(&self) -> Vec<f64> {
        match self.0 {}
    }

    fn loads(&self, _: f64) -> Result<Loads<Vec<f64>, Vec<f64>>, SystemError> {
        match self.0 {}
    }

    fn acceleration(&self, _: &Vec<f64>) -> Vec<f64> {
        match self.0 {}
    }

    fn slips(&self, _: &Vec<f64>) -> Vec<f64> {
        match self.0 {}
    }

    fn influence(&self) -> Vec<f64> {
        match self.0 {}
    }

    fn respond(&self, _: &Vec<f64>, _: &Vec<f64>, _: &Vec<f64>) -> Result<Response<Vec<f64>, Vec<f64>>, SystemError> {
        match self.0 {}
    }

    fn settle(&self, _: &Vec<f64>, _: &mut Vec<f64>) {
        match self.0 {}
    }

    fn state(&self, _: &Motion<Vec<f64>, Vec<f64>>) -> S {
        match self.0 {}
    }
}

/// The straight piece of a signal that holds at t; an error where the signal is not straight, has no finite value, or
/// is negative although it is a bound.
#[inline]
fn straight(what: &'static str, signal: &Signal, t: f64, bound: bool) -> Result<Piece, SystemError> {
    let piece = signal.piece(t);
    let value = if piece.slope.is_finite() { piece.value } else { piece.slope };
    if !value.is_finite() {
        return Err(SystemError::NotFinite { what, t, value });
    }
    if bound && value < 0.0 {
        return Err(SystemError::Negative { what, t, value });
    }
    if piece.until > t { Ok(piece) } else { Err(SystemError::NotAffine { what, t }) }
}

/// Reads the straight pieces of several signals at one instant, and until when all of them hold.
#[derive(Debug)]
pub struct Pieces {
    t: f64,
    /// The first break of those read so far \[s\].
    pub until: f64,
}

impl Pieces {
    /// At t, none read yet.
    pub fn at(t: f64) -> Pieces {
        Pieces { t, until: f64::INFINITY }
    }

    /// Value and slope of a signal; bounds must not be negative.
    #[inline]
    pub fn read(&mut self, what: &'static str, signal: &Signal, bound: bool) -> Result<(f64, f64), SystemError> {
        let piece = straight(what, signal, self.t, bound)?;
        self.until = self.until.min(piece.until);
        Ok((piece.value, piece.slope))
    }
}

/// Forces and bounds on one straight piece, from one instant on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loads<V, C> {
    /// F, one per velocity \[N\].
    pub force: V,
    /// Slope of F [N/s].
    pub force_slope: V,
    /// a, one per contact, ≥ 0 \[N\].
    pub bound: C,
    /// Slope of a [N/s].
    pub bound_slope: C,
    /// First instant at which another piece holds; infinite for the last one \[s\].
    pub until: f64,
}

impl<V: Vector, C: Vector> Loads<V, C> {
    /// The same piece, seen from `dt` later.
    #[inline(always)]
    pub fn after(&self, dt: f64) -> Loads<V, C> {
        Loads {
            force: V::from_fn(self.force.size(), |i| self.force[i] + self.force_slope[i] * dt),
            force_slope: self.force_slope.clone(),
            // Rounding may take a falling line below zero next to its end; a negative bound is none.
            bound: C::from_fn(self.bound.size(), |i| (self.bound[i] + self.bound_slope[i] * dt).max(0.0)),
            bound_slope: self.bound_slope.clone(),
            until: self.until,
        }
    }
}

/// Where a system is, and what has happened to it since t = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Motion<V, C> {
    /// Velocities v.
    pub velocities: V,
    /// ∫ v dt since t = 0.
    pub paths: V,
    /// Contact forces r on the system \[N\].
    pub forces: C,
    /// Signs of the slips: −1, 0 (sticks) or 1.
    pub signs: C,
    /// ∫ F·v dt \[J\].
    pub work: f64,
    /// −∫ r_i s_i dt = ∫ a_i |s_i| dt of each contact \[J\].
    pub dissipated: C,
    /// Greatest slip that rounding had left where a contact sticks, before it was set to zero [m/s].
    pub residual: f64,
    /// Greatest speed at any event or sample and half-way to it [m/s].
    pub speed: f64,
}

impl<V: Vector, C: Vector> Motion<V, C> {
    /// The start of a system: velocities given, everything else zero.
    pub fn start<S: Affine<Velocities = V, Contacts = C> + ?Sized>(system: &S) -> Motion<V, C> {
        let velocities = system.initial();
        let slips = system.slips(&velocities);
        let none = slips.map(|_| 0.0);
        Motion {
            paths: velocities.map(|_| 0.0),
            speed: velocities.greatest(),
            velocities,
            forces: none.clone(),
            signs: slips.map(sign),
            work: 0.0,
            dissipated: none,
            residual: 0.0,
        }
    }

    /// Whether all of it is a number.
    #[inline]
    pub fn is_finite(&self) -> bool {
        let (v, c) = (self.velocities.size(), self.forces.size());
        let velocities = (0..v).all(|i| self.velocities[i].is_finite() && self.paths[i].is_finite());
        velocities
            && self.work.is_finite()
            && (0..c).all(|i| self.forces[i].is_finite() && self.dissipated[i].is_finite())
    }
}

/// −1.0, 0.0 or 1.0.
#[inline(always)]
pub(crate) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
