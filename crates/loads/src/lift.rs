//! Which axles carry: loads of two contacts with heave and pitch free at an instant, and when they lift, in closed form.
//!
//! With both contacts sliding in known directions the normal accelerations are
//!
//! ```text
//! w_i = q_i + Σ_j A_ij N_j,      0 ≤ N_i ⟂ w_i ≥ 0,
//! A_ij = 1/m + x_i (x_j − μ_j s_j H_j)/𝒥,      q_i = −g − x_i M/𝒥,
//! ```
//!
//! the inclusion with half-lines. H_j is the height of the centre of mass for a wheel that is held by its brake, and less by R
//! for one that spins; M is the motor torque on the wheels, which pushes back on the frame. 𝒥 is the pitch inertia with all
//! held wheels. A need not be symmetric: there may be one solution, or two, three, none.

use serde::{Deserialize, Serialize};

use crate::transfer::{Branch, Solution};

/// A vehicle with two contacts that slide at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sliding {
    /// Mass m \[kg\].
    pub mass: f64,
    /// Pitch inertia 𝒥, wheels that are held included [kg m²].
    pub pitch_inertia: f64,
    /// Acceleration of gravity [m/s²].
    pub gravity: f64,
    /// Motor torque on all wheels \[N·m\].
    pub motor: f64,
    /// Front and rear contact.
    pub contacts: [SlidingContact; 2],
}

/// One of its contacts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SlidingContact {
    /// Place x_i ahead of the centre of mass \[m\].
    pub place: f64,
    /// μ_i.
    pub friction: f64,
    /// Direction s_i in which it slips, ±1.
    pub direction: f64,
    /// Arm H_i of its friction about the centre of mass \[m\]: h of a held wheel, h − R of one that spins.
    pub arm: f64,
}

impl Sliding {
    /// A.
    pub fn influence(&self) -> [[f64; 2]; 2] {
        let entry = |i: usize, j: usize| {
            let c = &self.contacts[j];
            let arm = c.place - c.friction * c.direction * c.arm;
            1.0 / self.mass + self.contacts[i].place * arm / self.pitch_inertia
        };
        [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
    }

    /// q.
    pub fn free(&self) -> [f64; 2] {
        self.contacts.map(|c| -self.gravity - c.place * self.motor / self.pitch_inertia)
    }

    /// All solutions with their indices, in the order: all closed, rear lifted, front lifted, both in the air.
    pub fn solutions(&self) -> impl Iterator<Item = Solution<[f64; 2]>> + use<> {
        let (a, q) = (self.influence(), self.free());
        let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        let closed = [(a[0][1] * q[1] - a[1][1] * q[0]) / determinant, (a[1][0] * q[0] - a[0][0] * q[1]) / determinant];
        let sign = |x: f64| if x > 0.0 { 1 } else { -1 };
        let alone = |i: usize| {
            let load = -q[i] / a[i][i];
            let opens = q[1 - i] + a[1 - i][i] * load > 0.0;
            (load >= 0.0 && opens).then_some(load)
        };
        let both = closed.iter().all(|load| *load >= 0.0).then_some(Solution {
            branch: Branch::Closed,
            place: closed,
            index: sign(determinant),
        });
        let rear =
            alone(0).map(|load| Solution { branch: Branch::RearLifted, place: [load, 0.0], index: sign(a[0][0]) });
        let front =
            alone(1).map(|load| Solution { branch: Branch::FrontLifted, place: [0.0, load], index: sign(a[1][1]) });
        let air = q.iter().all(|free| *free > 0.0).then_some(Solution {
            branch: Branch::Airborne,
            place: [0.0; 2],
            index: 1,
        });
        [both, rear, front, air].into_iter().flatten()
    }
}

/// Front brake torque at which the rear lifts while the front wheel rolls \[N·m\]:
/// α = a m g/[1 + (h − R) m/(R (m + J1))].
///
/// A rear wheel that turns freely slips a little before: its load goes to zero, what spins it down does not.
pub fn rear_lifts_at(mass: f64, gravity: f64, ahead: f64, height: f64, radius: f64, wheel_mass: f64) -> f64 {
    ahead * mass * gravity / (1.0 + (height - radius) * mass / (radius * (mass + wheel_mass)))
}

/// The friction above which locked (or massless) wheels lift an axle: the rear one of a vehicle that brakes with
/// `distance` = a, the front one of a vehicle that is driven by its rear wheels with `distance` = b: μ h > distance.
pub fn lifting_friction(distance: f64, height: f64) -> f64 {
    distance / height
}

/// Whether one contact alone is free of Painlevé's paradox: A_ii = 1/m + x (x − μ s H)/𝒥 > 0.
pub fn painleve_free(mass: f64, pitch_inertia: f64, contact: &SlidingContact) -> bool {
    1.0 / mass + contact.place * (contact.place - contact.friction * contact.direction * contact.arm) / pitch_inertia
        > 0.0
}

/// How far the moment that springs hand on exceeds that of a lasting deceleration when it sets in at once:
/// 1 + exp(−(π − 2ψ) tan ψ), ψ = asin ζ, for massless wheels and k1 a = k2 b, c1 a = c2 b with the damping ratio
/// 0 ≤ ζ < 1. The rear lifts at (g a/h) over it.
pub fn overshoot(damping_ratio: f64) -> f64 {
    let psi = damping_ratio.asin();
    1.0 + (-(std::f64::consts::PI - 2.0 * psi) * psi.tan()).exp()
}
