//! Implicit steps: one inclusion of two half-lines each.
//!
//! ```text
//! (M + hC + h²K) u⁺ = M u − hK q + h e + h Σ w_i (N_i − P_i),      0 ≤ N_i ⟂ gap_i(q + h u⁺, x⁺) + N_i/k_Ti ≥ 0
//! ```
//!
//! The matrix is symmetric and positive definite, and N_i falls with the gap, so that exactly one of the four sets of tyres that carry
//! fits.

use serde::{Deserialize, Serialize};

use super::{HalfCar, HalfCarState};

/// A half-car by steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// Place and motion.
    pub state: HalfCarState,
    /// Tyres that carry.
    pub carries: [bool; 2],
}

impl Steps {
    /// From the start.
    pub fn new(car: &HalfCar) -> Steps {
        Steps { state: car.start(), carries: [true; 2] }
    }

    /// A step of size h with the brake force of its end. Returns how far the law is missed, as a share of the static loads.
    pub fn advance(&mut self, car: &HalfCar, brake: f64, h: f64) -> f64 {
        let (data, old) = (&car.data, self.state);
        let mut new = old;
        // What slows the vehicle down: no more than all of it.
        new.speed = (old.speed - h * brake / car.mass).max(0.0);
        let force = car.mass * (old.speed - new.speed) / h;
        new.x = old.x + h * new.speed;
        let road = [0, 1].map(|i| car.road(i, &new));
        let inertia = [data.sprung_mass, data.pitch_inertia, data.corners[0].mass, data.corners[1].mass];
        let mut matrix = [[0.0; 4]; 4];
        let mut right: [f64; 4] = std::array::from_fn(|k| inertia[k] * old.v[k]);
        (0..4).for_each(|k| matrix[k][k] = inertia[k]);
        right[1] -= h * data.height * force;
        for (i, corner) in data.corners.iter().enumerate() {
            let mut row = [1.0, corner.place, 0.0, 0.0];
            row[2 + i] = -1.0;
            let (damper, spring) = (h * (corner.damping + h * corner.stiffness), h * corner.stiffness);
            let stroke = car.stroke(i, &old);
            for k in 0..4 {
                right[k] -= spring * stroke * row[k];
                (0..4).for_each(|l| matrix[k][l] += damper * row[k] * row[l]);
            }
        }
        let mut best = (f64::INFINITY, new, self.carries);
        for flip in 0..4 {
            let carries = [self.carries[0] ^ (flip & 1 == 1), self.carries[1] ^ (flip & 2 == 2)];
            let (mut a, mut b) = (matrix, right);
            for i in 0..2 {
                let stiffness = data.corners[i].tyre_stiffness;
                if carries[i] {
                    a[2 + i][2 + i] += h * h * stiffness;
                    b[2 + i] -= h * stiffness * (old.q[2 + i] - road[i]);
                } else {
                    b[2 + i] -= h * car.static_loads[i];
                }
            }
            let u = cholesky(a, b);
            let mut tried = new;
            (0..4).for_each(|k| (tried.v[k], tried.q[k]) = (u[k], old.q[k] + h * u[k]));
            let wrong = |i: usize| {
                let gap = car.gap(i, &tried) * data.corners[i].tyre_stiffness / car.static_loads[i];
                if carries[i] { gap } else { -gap }
            };
            let missed = wrong(0).max(wrong(1)).max(0.0);
            if missed < best.0 || flip == 0 {
                best = (missed, tried, carries);
            }
            if missed == 0.0 {
                break;
            }
        }
        (new, self.carries) = (best.1, best.2);
        // Heat by the speeds of the end, which cannot be negative; work by the way that was gone.
        for (i, corner) in data.corners.iter().enumerate() {
            let rate = new.v[0] + corner.place * new.v[1] - new.v[2 + i];
            new.dampers[i] += h * corner.damping * rate * rate;
            new.lifted += car.load(i, &new) * (road[i] - car.road(i, &old));
        }
        new.braked += h * force * 0.5 * (old.speed + new.speed + data.height * (old.v[1] + new.v[1]));
        self.state = new;
        best.0
    }
}

/// Solves A x = b, A symmetric and positive definite.
fn cholesky(mut a: [[f64; 4]; 4], mut b: [f64; 4]) -> [f64; 4] {
    for k in 0..4 {
        a[k][k] = a[k][k].sqrt();
        for i in k + 1..4 {
            a[i][k] /= a[k][k];
        }
        for j in k + 1..4 {
            for i in j..4 {
                a[i][j] -= a[i][k] * a[j][k];
            }
        }
    }
    for k in 0..4 {
        b[k] = (b[k] - (0..k).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    for k in (0..4).rev() {
        b[k] = (b[k] - (k + 1..4).map(|j| a[j][k] * b[j]).sum::<f64>()) / a[k][k];
    }
    b
}
