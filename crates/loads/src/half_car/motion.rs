//! Motion with the tyres on their sides of the corner, on straight pieces of the road.

use serde::{Deserialize, Serialize};

use super::{HalfCar, Piece};
use crate::ode::Flow;

/// Numbers of a packed state.
pub(super) const SIZE: usize = 14;
/// Guards: tyres, turning points of the pitch and of the gaps, standstill, next corners of the road.
pub(super) const PITCH: usize = 2;
pub(super) const GAP: usize = 3;
pub(super) const STANDSTILL: usize = 5;
pub(super) const ROAD: usize = 6;
const GUARDS: usize = 8;

/// Place and motion of a half-car, and energies so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct HalfCarState {
    /// z, φ, z_1, z_2: from the static position on a road of height 0 \[m, rad\].
    pub q: [f64; 4],
    /// Their rates.
    pub v: [f64; 4],
    /// x \[m\].
    pub x: f64,
    /// v ≥ 0 [m/s].
    pub speed: f64,
    /// Heat of the front and of the rear damper \[J\].
    pub dampers: [f64; 2],
    /// ∫F (v + h φ̇) dt: what the brakes have taken \[J\].
    pub braked: f64,
    /// ∫ΣN_i ṙ_i dt: work of the road \[J\].
    pub lifted: f64,
}

impl HalfCarState {
    pub(super) fn pack(&self) -> [f64; SIZE] {
        let mut y = [0.0; SIZE];
        y[..4].copy_from_slice(&self.q);
        y[4..8].copy_from_slice(&self.v);
        y[8..].copy_from_slice(&[self.x, self.speed, self.dampers[0], self.dampers[1], self.braked, self.lifted]);
        y
    }

    pub(super) fn unpack(y: &[f64]) -> HalfCarState {
        HalfCarState {
            q: [y[0], y[1], y[2], y[3]],
            v: [y[4], y[5], y[6], y[7]],
            x: y[8],
            speed: y[9],
            dampers: [y[10], y[11]],
            braked: y[12],
            lifted: y[13],
        }
    }
}

/// What holds between two events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modes {
    /// Tyres that carry.
    pub carries: [bool; 2],
    /// Whether the vehicle rolls, so that its brakes slow it down.
    pub rolls: bool,
    /// Pieces of the road under the tyres.
    pub(super) pieces: [usize; 2],
}

/// Motion with fixed modes.
pub(super) struct Motion<'a> {
    pub car: &'a HalfCar,
    pub modes: Modes,
    pub pieces: [Piece; 2],
    /// Where the brake breaks next \[s\]: what it is from there on is not felt before.
    pub broken: f64,
    /// Signs of the pitch rate and of the rates of the gaps.
    pub turning: [f64; 3],
}

impl Motion<'_> {
    /// Height and slope of the road under a tyre.
    fn road(&self, i: usize, x: f64) -> (f64, f64) {
        let piece = &self.pieces[i];
        (piece.height + piece.slope * (x + self.car.data.corners[i].place - piece.from), piece.slope)
    }

    /// Gap under a tyre and its rate.
    pub fn gap(&self, i: usize, y: &[f64]) -> (f64, f64) {
        let (road, slope) = self.road(i, y[8]);
        let pressed = self.car.static_loads[i] / self.car.data.corners[i].tyre_stiffness;
        (y[2 + i] - road - pressed, y[6 + i] - slope * y[9])
    }

    /// Rates at which tyres are pressed in, 0 in the air, and springs become shorter.
    pub fn swelling(&self, y: &[f64]) -> [f64; 4] {
        let tyre = |i: usize| if self.modes.carries[i] { 0.0 - self.gap(i, y).1 } else { 0.0 };
        let spring = |i: usize| y[6 + i] - y[4] - self.car.data.corners[i].place * y[5];
        [tyre(0), tyre(1), spring(0), spring(1)]
    }
}

impl Flow for Motion<'_> {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let data = &self.car.data;
        let force = if self.modes.rolls { data.brake.at(t.min(self.broken.next_down())) } else { 0.0 };
        out[..4].copy_from_slice(&y[4..8]);
        (out[4], out[5]) = (0.0, -data.height * force / data.pitch_inertia);
        (out[8], out[9]) = (y[9], -force / self.car.mass);
        out[12] = force * (y[9] + data.height * y[5]);
        out[13] = 0.0;
        for (i, corner) in data.corners.iter().enumerate() {
            let stroke = y[0] + corner.place * y[1] - y[2 + i];
            let rate = y[4] + corner.place * y[5] - y[6 + i];
            let spring = -corner.stiffness * stroke - corner.damping * rate;
            out[4] += spring / data.sprung_mass;
            out[5] += corner.place * spring / data.pitch_inertia;
            let static_load = self.car.static_loads[i];
            let (road, slope) = self.road(i, y[8]);
            let tyre = if self.modes.carries[i] { -corner.tyre_stiffness * (y[2 + i] - road) } else { -static_load };
            out[6 + i] = (tyre - spring) / corner.mass;
            out[10 + i] = corner.damping * rate * rate;
            out[13] += (static_load + tyre) * slope * y[9];
        }
    }

    fn guards(&self) -> usize {
        GUARDS
    }

    fn watch(&self, _: f64, y: &[f64], out: &mut [f64]) {
        for i in 0..2 {
            let (gap, rate) = self.gap(i, y);
            let carries = self.modes.carries[i];
            out[i] = if carries { -gap } else { gap };
            out[GAP + i] = if carries || self.turning[1 + i] < 0.0 { 1.0 } else { rate };
            let ahead = self.pieces[i].until - y[8] - self.car.data.corners[i].place;
            out[ROAD + i] = if ahead.is_finite() { ahead } else { 1.0 };
        }
        out[PITCH] = self.turning[0] * y[5];
        // As a share of the speed of the start: slow vehicles stop, too.
        out[STANDSTILL] = if self.modes.rolls { y[9] / self.car.data.speed } else { 1.0 };
    }

    /// Tyres: they may leave the ground or touch it for less than a step.
    fn bend(&self, t: f64, y: &[f64], guard: usize) -> Option<[f64; 3]> {
        if guard >= PITCH {
            return None;
        }
        let mut rates = [0.0; SIZE];
        self.rates(t, y, &mut rates);
        let ((gap, rate), bend) = (self.gap(guard, y), rates[6 + guard] - self.pieces[guard].slope * rates[9]);
        let sign = if self.modes.carries[guard] { -1.0 } else { 1.0 };
        Some([sign * gap, sign * rate, sign * bend])
    }

    /// A tyre that neither leaves the road nor is pressed into it at once does so the other way.
    fn must_rise(&self, guard: usize) -> bool {
        guard < PITCH
    }
}
