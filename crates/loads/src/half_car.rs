//! A half-car on springs, with tyres that can leave the ground: small angles, no impacts.
//!
//! ```text
//! m_s z̈ = ΣS_i,      𝒥 φ̈ = Σ x_i S_i − h F(t),      m_i z̈_i = −S_i + max(0, P_i − k_Ti z_i) − P_i,
//! S_i = −k_i (z + x_i φ − z_i) − c_i (ż + x_i φ̇ − ż_i)
//! ```
//!
//! all counted from the static position; P_i is the static load of the tyre, F the force that decelerates the vehicle, at
//! road level. A tyre carries while k_Ti z_i < P_i. Stiff contact replaces the impact law: landing is smooth.

use stickslip_core::signal::Signal;

use crate::error::{BadNumber, not_negative, positive};
use crate::ode::{Extrapolation, Flow, NotSmooth, Stop};

/// One corner: wheel, spring, damper, tyre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// Place x_i ahead of the centre of mass \[m\].
    pub place: f64,
    /// Mass of the wheel, > 0 \[kg\].
    pub mass: f64,
    /// Stiffness of the spring k_i, > 0 [N/m].
    pub stiffness: f64,
    /// Damping c_i, ≥ 0 [N s/m].
    pub damping: f64,
    /// Stiffness of the tyre k_Ti, > 0 [N/m].
    pub tyre_stiffness: f64,
}

/// The vehicle.
#[derive(Debug, Clone)]
pub struct HalfCar {
    sprung_mass: f64,
    pitch_inertia: f64,
    height: f64,
    corners: [Corner; 2],
    static_loads: [f64; 2],
    force: Signal,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HalfCarEvent {
    /// A tyre (0 front, 1 rear) left the ground.
    Leaves(usize),
    /// A tyre landed.
    Lands(usize),
    /// The gap under a tyre was greatest \[m\].
    GreatestGap(usize, f64),
    /// The pitch turned round \[rad\].
    PitchExtremum(f64),
}

/// Motion with the tyres on their sides of the corner.
struct Motion<'a> {
    car: &'a HalfCar,
    carries: [bool; 2],
    /// Signs of the pitch rate and of the rates of the gaps.
    turning: [f64; 3],
}

impl HalfCar {
    /// The vehicle with a force over time that decelerates it \[N\].
    pub fn new(
        sprung_mass: f64,
        pitch_inertia: f64,
        height: f64,
        gravity: f64,
        corners: [Corner; 2],
        force: Signal,
    ) -> Result<HalfCar, BadNumber> {
        positive("sprung mass", sprung_mass, "kg")?;
        positive("pitch inertia", pitch_inertia, "kg m²")?;
        positive("height", height, "m")?;
        for corner in &corners {
            positive("wheel mass", corner.mass, "kg")?;
            positive("spring stiffness", corner.stiffness, "N/m")?;
            not_negative("damping", corner.damping, "N s/m")?;
            positive("tyre stiffness", corner.tyre_stiffness, "N/m")?;
        }
        let [front, rear] = corners.map(|corner| corner.place);
        positive("wheelbase", front - rear, "m")?;
        let share = [-rear, front].map(|arm| sprung_mass * arm / (front - rear));
        let static_loads = [0, 1].map(|i| (share[i] + corners[i].mass) * gravity);
        Ok(HalfCar { sprung_mass, pitch_inertia, height, corners, static_loads, force })
    }

    /// P_i \[N\].
    pub fn static_loads(&self) -> [f64; 2] {
        self.static_loads
    }

    /// All events from rest up to `end` \[s\].
    pub fn run(&self, end: f64) -> Result<Vec<(f64, HalfCarEvent)>, NotSmooth> {
        let mut motion = Motion { car: self, carries: [true; 2], turning: [1.0; 3] };
        // z, φ, z1, z2 and their rates.
        let mut y = [0.0; 8];
        let mut t = 0.0;
        let mut happened = Vec::new();
        let mut integrator = Extrapolation::new(vec![0.1, 0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 1.0], 5e-3);
        while t < end {
            let until = self.force.next_break(t).min(end);
            motion.turning = self.turning(t, &y, &motion);
            let stop = integrator.advance(&motion, &mut t, &mut y, until)?;
            match stop {
                Stop::End => {}
                Stop::Guard(i @ (0 | 1)) => {
                    happened
                        .push((t, if motion.carries[i] { HalfCarEvent::Leaves(i) } else { HalfCarEvent::Lands(i) }));
                    motion.carries[i] = !motion.carries[i];
                }
                Stop::Guard(2) => {
                    y[5] = 0.0;
                    happened.push((t, HalfCarEvent::PitchExtremum(y[1])));
                }
                Stop::Guard(k) => {
                    y[3 + k] = 0.0;
                    happened.push((t, HalfCarEvent::GreatestGap(k - 3, self.gap(k - 3, &y))));
                }
            }
        }
        Ok(happened)
    }

    /// Directions in which pitch and gaps go, by their accelerations where they have just turned round.
    fn turning(&self, t: f64, y: &[f64], motion: &Motion<'_>) -> [f64; 3] {
        let mut rates = [0.0; 8];
        motion.rates(t, y, &mut rates);
        [5, 6, 7].map(|k| if y[k] == 0.0 { rates[k] } else { y[k] }.signum())
    }

    /// Gap under a tyre, negative while it carries \[m\].
    fn gap(&self, i: usize, y: &[f64]) -> f64 {
        y[2 + i] - self.static_loads[i] / self.corners[i].tyre_stiffness
    }
}

impl Flow for Motion<'_> {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let car = self.car;
        out[..4].copy_from_slice(&y[4..]);
        (out[4], out[5]) = (0.0, -car.height * car.force.at(t) / car.pitch_inertia);
        for (i, corner) in car.corners.iter().enumerate() {
            let stroke = y[0] + corner.place * y[1] - y[2 + i];
            let speed = y[4] + corner.place * y[5] - y[6 + i];
            let spring = -corner.stiffness * stroke - corner.damping * speed;
            out[4] += spring / car.sprung_mass;
            out[5] += corner.place * spring / car.pitch_inertia;
            let tyre = if self.carries[i] { -corner.tyre_stiffness * y[2 + i] } else { -car.static_loads[i] };
            out[6 + i] = (tyre - spring) / corner.mass;
        }
    }

    fn guards(&self) -> usize {
        5
    }

    fn watch(&self, _: f64, y: &[f64], out: &mut [f64]) {
        for i in 0..2 {
            let gap = self.car.gap(i, y);
            out[i] = if self.carries[i] { -gap } else { gap };
            out[3 + i] = if self.carries[i] || self.turning[1 + i] < 0.0 { 1.0 } else { y[6 + i] };
        }
        out[2] = self.turning[0] * y[5];
    }
}
