//! Brake discs that warm up, and brakes that fade with it.
//!
//! ```text
//! C Ṫ = share·|g v| − hA (T − T0),      a_B(t, T) = a_B(t)·c(T)
//! ```
//!
//! A step takes c at the temperature with which it begins. From event to event T is a position like any other: a brake that
//! slips has |g| = a_B(t, T), and one that holds makes no heat, so that Ṫ is a function of time, place and speed. The corners
//! of c are guards.

use stickslip_core::Name;
use stickslip_core::mechanics::{At, Dissipation, Grip};
use stickslip_loads::heat::{Disc, Warmth};

use super::{Vehicle, VehicleState};

impl Vehicle {
    /// Wheels with brake discs, with these.
    pub(super) fn discs(&self) -> impl Iterator<Item = (usize, &Disc)> {
        self.wheels.iter().enumerate().filter_map(|(i, wheel)| Some((i, wheel.disc.as_ref()?)))
    }

    /// All discs as cold as the air.
    pub(super) fn cold_discs(&self) -> Vec<Warmth> {
        self.discs().map(|(_, disc)| disc.cold()).collect()
    }

    /// a_B of a wheel at an instant, with what the temperature of its disc leaves of it \[N\].
    pub(super) fn faded_brake(&self, wheel: usize, at: At) -> f64 {
        let cold = self.brake_bound(wheel, at.t);
        self.wheels[wheel].disc.as_ref().map_or(cold, |disc| cold * disc.fade(at.q[self.places.disc[wheel]]))
    }

    /// Power of the brake of a wheel at an instant \[W\].
    pub(super) fn brake_power(&self, wheel: usize, at: At) -> f64 {
        let speed = at.v[1 + wheel].abs();
        let over_slip = self.over_slip(self.contact_of.brake[wheel], at.sides, Grip::Slips(speed));
        self.faded_brake(wheel, at) * over_slip * speed
    }

    /// Energy dissipated by each contact, then by each tyre.
    pub(super) fn dissipated(&self, state: &VehicleState) -> Vec<Dissipation> {
        let mut all = state.dissipated(&self.contacts, &self.contact_of);
        let deflected = self.treads().filter(|(wheel, _)| self.contact_of.ground[*wheel].is_none());
        all.extend(deflected.map(|(wheel, _)| Dissipation {
            contact: Name::Owned(format!("{} tyre", self.parameters.wheels[wheel].name)),
            energy: state.ground_heat(wheel),
        }));
        all
    }
}

/// Where the states of tyres and discs stand among the positions of a smooth motion, by wheel; of no account for others.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub tread: Vec<usize>,
    pub disc: Vec<usize>,
    /// How many treads and discs there are.
    pub treads: usize,
    pub discs: usize,
}

impl Places {
    pub fn new(treads: &[bool], discs: &[bool]) -> Places {
        let mut next = 1 + treads.len();
        let mut number = |list: &[bool]| -> Vec<usize> {
            let place = |there: &bool| {
                next += usize::from(*there);
                next - usize::from(*there)
            };
            list.iter().map(place).collect()
        };
        let count = |list: &[bool]| list.iter().filter(|there| **there).count();
        Places { tread: number(treads), disc: number(discs), treads: count(treads), discs: count(discs) }
    }
}
