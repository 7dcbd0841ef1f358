//! The motion with fixed modes, and what watches over them.

use super::body::Row;
use super::modes::Torques;
use super::{BrakeMode, Energies, Loads, Modes, PlanarBody, PlanarState, WheelMode};
use crate::ode::Flow;

/// The motion with fixed modes.
pub(super) struct Motion<'a> {
    pub body: &'a PlanarBody,
    pub modes: Modes,
    pub torques: Torques<'a>,
    /// Sign of the pitch rate.
    pub pitching: f64,
}

/// Numbers of the guards of the pitch rate, the pitch and the height.
pub(super) const PITCH_RATE: usize = 10;
pub(super) const PITCH: usize = 11;
pub(super) const HEIGHT: usize = 12;

/// Guards: five of each wheel (load or gap, two bounds or the slip, two bounds or the slip of the brake), then pitch rate, pitch,
/// height.
const GUARDS: usize = 13;

/// Accelerations below this share of gravity are rounding of the weight.
const NO_FORCE: f64 = 1e-14;

impl Motion<'_> {
    /// Whether the vehicle stands on both wheels and one of them, held and sticking, holds it.
    pub fn is_still(&self) -> bool {
        let on_ground = self.modes.wheels.iter().all(|mode| *mode != WheelMode::Open);
        let holds = |i: usize| self.modes.wheels[i] == WheelMode::Stick && self.modes.brakes[i] == BrakeMode::Held;
        on_ground && (holds(0) || holds(1))
    }

    pub fn loads(&self, t: f64, y: &[f64]) -> Option<Loads> {
        let (q, v) = halves(y);
        self.body.loads(&self.modes, &self.torques, t, &q, &v)
    }
}

/// Coordinates, velocities, and energies: work of the motors, heat of both ground contacts and of both brakes.
pub(super) const SIZE: usize = 15;

/// Coordinates, velocities and energies, one after the other.
pub(super) fn pack(state: &PlanarState, spent: &Energies) -> [f64; SIZE] {
    let mut y = [0.0; SIZE];
    y[..5].copy_from_slice(&state.q);
    y[5..10].copy_from_slice(&state.v);
    y[10..].copy_from_slice(&[spent.work, spent.ground[0], spent.ground[1], spent.brake[0], spent.brake[1]]);
    y
}

/// What [`pack`] has packed; energies lost in impacts do not change in between.
pub(super) fn unpack(y: &[f64; SIZE], impacts: f64) -> (PlanarState, Energies) {
    let (q, v) = halves(y);
    (PlanarState { q, v }, Energies { work: y[10], ground: [y[11], y[12]], brake: [y[13], y[14]], impacts })
}

fn halves(y: &[f64]) -> (Row, Row) {
    (std::array::from_fn(|k| y[k]), std::array::from_fn(|k| y[5 + k]))
}

impl Flow for Motion<'_> {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        out[..5].copy_from_slice(&y[5..10]);
        let still = self.is_still();
        let Some(loads) = self.loads(t, y) else {
            // Seen by the integrator as a step that fails.
            out[5..].fill(f64::NAN);
            return;
        };
        out[5..10].copy_from_slice(&loads.accelerations);
        // What the modes hold does not move, not even by rounding.
        let level = self.modes.wheels.iter().all(|mode| *mode != WheelMode::Open);
        if level {
            (out[1], out[2], out[6], out[7]) = (0.0, 0.0, 0.0, 0.0);
        }
        if still || (level && out[5].abs() < NO_FORCE * self.body.data.gravity) {
            out[5] = 0.0;
        }
        if still {
            out[0] = 0.0;
            for i in 0..2 {
                if self.modes.wheels[i] == WheelMode::Stick || self.modes.brakes[i] == BrakeMode::Held {
                    (out[3 + i], out[8 + i]) = (0.0, 0.0);
                }
            }
        }
        let (q, v) = halves(y);
        let state = PlanarState { q, v };
        out[10] = 0.0;
        for i in 0..2 {
            let [_, slip, turning] = self.body.slips(i, &state);
            out[10] += self.torques.motor(i, t) * turning;
            // What sticks has no slip but for rounding, and warms nothing.
            let slips = matches!(self.modes.wheels[i], WheelMode::Slip(_));
            let turns = matches!(self.modes.brakes[i], BrakeMode::Slip(_));
            out[11 + i] = if slips { -loads.tangential[i] * slip } else { 0.0 };
            out[13 + i] = if turns { -loads.brake[i] * turning } else { 0.0 };
        }
    }

    fn guards(&self) -> usize {
        GUARDS
    }

    fn watch(&self, t: f64, y: &[f64], out: &mut [f64]) {
        out.fill(1.0);
        let (q, v) = halves(y);
        let Some(loads) = self.loads(t, y) else { return };
        let weight = self.body.data.mass * self.body.data.gravity;
        let state = PlanarState { q, v };
        for i in 0..2 {
            let guards = &mut out[5 * i..5 * i + 5];
            let [_, slip, brake] = self.body.slips(i, &state);
            let bound = self.body.data.wheels[i].friction * loads.normal[i];
            guards[0] = loads.normal[i] / weight;
            match self.modes.wheels[i] {
                WheelMode::Open => guards[0] = self.body.gap(i, &q),
                WheelMode::Stick => {
                    guards[1] = (bound - loads.tangential[i]) / weight;
                    guards[2] = (bound + loads.tangential[i]) / weight;
                }
                WheelMode::Slip(side) => guards[1] = side * slip,
            }
            match self.modes.brakes[i] {
                BrakeMode::Held => {
                    let bound = self.torques.brake(i, t);
                    guards[3] = (bound - loads.brake[i]) / weight;
                    guards[4] = (bound + loads.brake[i]) / weight;
                }
                BrakeMode::Slip(side) => guards[3] = side * brake,
            }
        }
        out[PITCH_RATE] = self.pitching * v[2];
        out[PITCH] = std::f64::consts::FRAC_PI_2 - q[2].abs();
        out[HEIGHT] = q[1];
    }

    /// Loads, bounds, slips and gaps; the pitch may turn and turn.
    fn must_rise(&self, guard: usize) -> bool {
        guard < PITCH_RATE
    }

    /// Constraints that rounding has left: gaps, normal speeds and slips that are zero by mode.
    fn settle(&self, y: &mut [f64]) {
        let (q, v) = halves(y);
        let mut state = PlanarState { q, v };
        settle(self.body, &self.modes, &mut state);
        y[..5].copy_from_slice(&state.q);
        y[5..10].copy_from_slice(&state.v);
    }
}

/// Makes gaps, normal speeds and slips zero that are so by mode.
pub(super) fn settle(body: &PlanarBody, modes: &Modes, state: &mut PlanarState) {
    let PlanarState { q, v } = state;
    let stand_on = |i: usize, q: &mut Row, v: &mut Row| {
        let (xi, zeta) = body.levers(i, q[2]);
        (q[1], v[1]) = (body.data.wheels[i].radius - zeta, -xi * v[2] + 0.0);
    };
    match modes.wheels.map(|mode| mode != WheelMode::Open) {
        [true, true] => (q[1], q[2], v[1], v[2]) = (body.data.height, 0.0, 0.0, 0.0),
        [true, false] => stand_on(0, q, v),
        [false, true] => stand_on(1, q, v),
        [false, false] => {}
    }
    // A wheel that is held and sticks says how fast the vehicle goes; the others follow.
    for i in (0..2).filter(|&i| modes.brakes[i] == BrakeMode::Held) {
        v[3 + i] = v[2];
        if modes.wheels[i] == WheelMode::Stick {
            v[0] = (body.levers(i, q[2]).1 - body.data.wheels[i].radius) * v[2] + 0.0;
        }
    }
    for i in (0..2).filter(|&i| modes.brakes[i] != BrakeMode::Held && modes.wheels[i] == WheelMode::Stick) {
        v[3 + i] = (body.levers(i, q[2]).1 * v[2] - v[0]) / body.data.wheels[i].radius + 0.0;
    }
}

impl Motion<'_> {
    /// How far the law is missed at an instant: forces beyond their bounds as a share of the weight, slips against their
    /// direction as a share of the greatest speed.
    pub fn missed(&self, t: f64, y: &[f64; SIZE]) -> f64 {
        let mut guards = [0.0; GUARDS];
        self.watch(t, y, &mut guards);
        let speed = y[5..7].iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let kinematic = |guard: usize| {
            let (i, which) = (guard / 5, guard % 5);
            match which {
                1 | 2 => matches!(self.modes.wheels[i], WheelMode::Slip(_)),
                3 | 4 => matches!(self.modes.brakes[i], BrakeMode::Slip(_)),
                _ => false,
            }
        };
        let missed = |guard: usize| -guards[guard] / if kinematic(guard) { speed } else { 1.0 };
        (0..PITCH_RATE).map(missed).fold(0.0, f64::max)
    }
}
