//! The vehicle between events: straight signals, a constant slope and no drag give quadratic speeds.
//!
//! Velocities (x1, v_1 … v_n), contacts (ground and brake of each wheel, then rolling resistance), A = diag(1/m, 1/J_i),
//! slips x1 + v_i, v_i and x1, F = (−m g sin θ, 𝓜_i), r = −(f_i, g_i, r).

use super::{Vehicle, VehicleState};
use stickslip_core::inclusion::star::Found;
use stickslip_core::mechanics::{Affine, Loads, Motion, Pieces, Response, SystemError};
use stickslip_core::signal::Signal;

impl Vehicle {
    /// −m g sin θ \[N\] at t = 0.
    pub(super) fn downhill(&self) -> f64 {
        let p = &self.parameters;
        -p.mass * p.gravity * p.slope.at(0.0).sin()
    }

    /// Row k of H, as (1 where x1 counts, the wheel whose speed counts).
    #[inline]
    pub(super) fn row(&self, contact: usize) -> (f64, Option<usize>) {
        self.contact_of.rows[contact]
    }
}

impl Affine for Vehicle {
    type State = VehicleState;
    type Velocities = Vec<f64>;
    type Contacts = Vec<f64>;

    fn initial(&self) -> Vec<f64> {
        [self.parameters.start.x1].into_iter().chain(self.start_speeds()).collect()
    }

    fn loads(&self, t: f64) -> Result<Loads<Vec<f64>, Vec<f64>>, SystemError> {
        let p = &self.parameters;
        if p.drag != 0.0 {
            return Err(SystemError::NotAffine { what: "the air drag", t });
        }
        if !p.road.is_uniform() {
            return Err(SystemError::NotAffine { what: "a road that changes with the place", t });
        }
        let Signal::Constant(slope) = p.slope else {
            return Err(SystemError::NotAffine { what: "the pull of a slope that changes", t });
        };
        let mut pieces = Pieces::at(t);
        let mut loads = Loads {
            force: vec![self.downhill()],
            force_slope: vec![0.0],
            bound: Vec::new(),
            bound_slope: Vec::new(),
            until: f64::INFINITY,
        };
        for wheel in &self.wheels {
            let drive = pieces.read("motor torque / radius", &wheel.drive, false)?;
            loads.force.push(drive.0);
            loads.force_slope.push(drive.1);
            let ground = pieces.read("ground friction bound", &wheel.ground, true)?;
            let brake = pieces.read("brake torque / radius", &wheel.brake, true)?;
            loads.bound.extend([ground.0 * slope.cos(), brake.0]);
            loads.bound_slope.extend([ground.1 * slope.cos(), brake.1]);
        }
        if self.resists() {
            loads.bound.push(self.resistance_at(slope.cos()));
            loads.bound_slope.push(0.0);
        }
        loads.until = pieces.until;
        Ok(loads)
    }

    fn acceleration(&self, force: &Vec<f64>) -> Vec<f64> {
        force.iter().zip(&self.mass).map(|(f, m)| f / m).collect()
    }

    fn slips(&self, v: &Vec<f64>) -> Vec<f64> {
        (0..self.contacts.len()).map(|k| self.contact_of.slip(k, v)).collect()
    }

    fn influence(&self) -> Vec<f64> {
        let of = |k: usize| self.contact_of.h.row(k).fold(0.0, |w, (i, h)| w + h * h / self.mass[i]);
        (0..self.contacts.len()).map(of).collect()
    }

    fn respond(
        &self,
        free: &Vec<f64>,
        lo: &Vec<f64>,
        hi: &Vec<f64>,
    ) -> Result<Response<Vec<f64>, Vec<f64>>, SystemError> {
        let Found { forces, motion, slips, .. } = self.star.respond(free, lo, hi)?;
        Ok(Response { forces, motion, slips })
    }

    /// Rolling wheels and the chassis get the velocity of their common momentum; a wheel that rolls and is locked, or
    /// resistance that holds, stops them all.
    fn settle(&self, signs: &Vec<f64>, velocities: &mut Vec<f64>) {
        let n = self.wheels.len();
        let of = &self.contact_of;
        let rolls = |i: usize| of.ground[i].is_some_and(|ground| signs[ground] == 0.0);
        let locked = |i: usize| signs[of.brake[i]] == 0.0;
        let rests =
            of.resistance.is_some_and(|resistance| signs[resistance] == 0.0) || (0..n).any(|i| rolls(i) && locked(i));
        let mass = self.parameters.mass;
        let rolling = (0..n).filter(|&i| rolls(i));
        let (momentum, inertia) = rolling.fold((mass * velocities[0], mass), |(p, m), i| {
            (p - self.wheels[i].j * velocities[1 + i], m + self.wheels[i].j)
        });
        if rests {
            velocities[0] = 0.0;
        } else if inertia != mass {
            velocities[0] = momentum / inertia;
        }
        for i in 0..n {
            if locked(i) || (rolls(i) && rests) {
                velocities[1 + i] = 0.0;
            } else if rolls(i) {
                velocities[1 + i] = -velocities[0];
            }
        }
    }

    fn state(&self, motion: &Motion<Vec<f64>, Vec<f64>>) -> VehicleState {
        VehicleState::in_motion(self.start_speeds(), &self.parameters.start, self.downhill(), &self.contact_of, motion)
    }

    /// Of the drives, of gravity, of the drag (which is none).
    fn works(&self, motion: &Motion<Vec<f64>, Vec<f64>>) -> Vec<f64> {
        let gravity = self.downhill() * motion.paths[0];
        vec![motion.work - gravity, gravity, 0.0]
    }
}
