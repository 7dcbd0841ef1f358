//! Which modes: all that fit the motion are tried, those whose inequalities hold are solutions.

use serde::{Deserialize, Serialize};

use super::body::Row;
use super::modes::Torques;
use super::{BrakeMode, Loads, Modes, PlanarBody, PlanarState, WheelMode};
use crate::transfer::{Branch, Solution};

/// Inequalities are asked this much later, with the accelerations that the modes have then: where a force is just at its
/// bound its rate decides \[s\].
const AHEAD: f64 = 1e-7;

/// At the instant itself an inequality may be missed by this share of the weight: what has just reached its bound.
const SLACK: f64 = 1e-6;

/// A moment later: what rounding leaves of forces and accelerations, as a share of the weight and of gravity.
const ROUNDING: f64 = 1e-11;

/// Two solutions whose accelerations differ by less than this share are one: a force exactly at its bound fits two modes.
const SAME: f64 = 1e-9;

/// What contacts may do, as far as the motion tells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Admitted {
    /// Whether each wheel touches the ground and does not leave it with a speed.
    pub touches: [bool; 2],
    /// Whether the slip on the ground is zero.
    pub rolls: [bool; 2],
    /// Whether the slip in the brake is zero.
    pub held: [bool; 2],
}

/// A solution of the inclusion for accelerations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// Its modes.
    pub modes: Modes,
    /// Accelerations and forces.
    pub loads: Loads,
}

impl Decision {
    /// As one of several solutions.
    pub fn solution(&self) -> Solution<[f64; 2]> {
        let open = self.modes.wheels.map(|mode| mode == WheelMode::Open);
        let branch = Branch::of(open);
        Solution { branch, place: self.loads.normal, index: self.loads.index }
    }
}

impl PlanarBody {
    /// All solutions at t.
    pub(super) fn decisions(&self, t: f64, state: &PlanarState, admitted: &Admitted) -> Vec<Decision> {
        let torques = Torques::from(self, t);
        let wheels = [0, 1].map(|i| self.wheel_modes(i, state, admitted));
        let brakes = [0, 1].map(|i| self.brake_modes(i, state, admitted));
        let mut found: Vec<Decision> = Vec::new();
        for front in &wheels[0] {
            for rear in &wheels[1] {
                for front_brake in &brakes[0] {
                    for rear_brake in &brakes[1] {
                        let modes = Modes { wheels: [*front, *rear], brakes: [*front_brake, *rear_brake] };
                        let decision = self.holds(&modes, &torques, t, state, admitted);
                        found.extend(decision.filter(|new| !found.iter().any(|old| same(old, new))));
                    }
                }
            }
        }
        found
    }

    fn wheel_modes(&self, i: usize, state: &PlanarState, admitted: &Admitted) -> Vec<WheelMode> {
        if !admitted.touches[i] {
            return vec![WheelMode::Open];
        }
        if admitted.rolls[i] {
            return vec![WheelMode::Stick, WheelMode::Slip(1.0), WheelMode::Slip(-1.0), WheelMode::Open];
        }
        vec![WheelMode::Slip(self.slips(i, state)[1].signum()), WheelMode::Open]
    }

    fn brake_modes(&self, i: usize, state: &PlanarState, admitted: &Admitted) -> Vec<BrakeMode> {
        if admitted.held[i] {
            vec![BrakeMode::Held, BrakeMode::Slip(1.0), BrakeMode::Slip(-1.0)]
        } else {
            vec![BrakeMode::Slip(self.slips(i, state)[2].signum())]
        }
    }

    /// The solution with these modes, if their inequalities hold a moment later.
    fn holds(
        &self,
        modes: &Modes,
        torques: &Torques<'_>,
        t: f64,
        state: &PlanarState,
        admitted: &Admitted,
    ) -> Option<Decision> {
        let loads = self.loads(modes, torques, t, &state.q, &state.v)?;
        let now = Instant { t, q: state.q, v: state.v, slack: SLACK };
        if !self.fits(modes, torques, &now, &loads, admitted) {
            return None;
        }
        let later = ahead(&now, &loads.accelerations);
        let then = self.loads(modes, torques, later.t, &later.q, &later.v)?;
        self.fits(modes, torques, &later, &then, admitted).then_some(Decision { modes: *modes, loads })
    }

    /// Whether the inequalities of the modes hold.
    fn fits(&self, modes: &Modes, torques: &Torques<'_>, at: &Instant, loads: &Loads, admitted: &Admitted) -> bool {
        let gravity = self.data.gravity;
        let force = at.slack * self.data.mass * gravity;
        (0..2).all(|i| {
            let rates = self.slip_rates(i, &at.q, &at.v, &loads.accelerations);
            let bound = self.data.wheels[i].friction * loads.normal[i];
            let carries = loads.normal[i] >= -force;
            let begins = |side: f64, rate: f64, scale: f64| side * rate > -at.slack * scale;
            let turning = gravity / self.data.wheels[i].radius;
            let wheel = match modes.wheels[i] {
                WheelMode::Open => !admitted.touches[i] || rates[0] >= -at.slack * gravity,
                WheelMode::Stick => carries && loads.tangential[i].abs() <= bound + force,
                WheelMode::Slip(side) => carries && (!admitted.rolls[i] || begins(side, rates[1], gravity)),
            };
            let brake = match modes.brakes[i] {
                BrakeMode::Held => loads.brake[i].abs() <= torques.brake(i, at.t) + force * self.data.wheels[i].radius,
                BrakeMode::Slip(side) => !admitted.held[i] || begins(side, rates[2], turning),
            };
            wheel && brake
        })
    }
}

/// When inequalities are asked, and how far they may be missed, as a share of the weight.
struct Instant {
    t: f64,
    q: Row,
    v: Row,
    slack: f64,
}

/// A moment later, when nothing but rounding may be missed any more.
fn ahead(now: &Instant, accelerations: &Row) -> Instant {
    let v: Row = std::array::from_fn(|k| now.v[k] + AHEAD * accelerations[k]);
    let q = std::array::from_fn(|k| now.q[k] + AHEAD * 0.5 * (now.v[k] + v[k]));
    Instant { t: now.t + AHEAD, q, v, slack: ROUNDING }
}

/// Whether two solutions are the same motion.
fn same(a: &Decision, b: &Decision) -> bool {
    let pairs = a.loads.accelerations.iter().zip(&b.loads.accelerations);
    let size = pairs.clone().fold(1.0_f64, |m, (a, b)| m.max(a.abs()).max(b.abs()));
    a.solution().branch == b.solution().branch && pairs.into_iter().all(|(a, b)| (a - b).abs() <= SAME * size)
}
