//! The wheel between events: straight signals give quadratic speeds.
//!
//! Velocities (x1, x2), contacts (ground, brake), A = diag(1/m, 1/J), H = [[1, 1], [0, 1]], F = (0, 𝓜), r = −(f, g).

use super::{Wheel, WheelState};
use stickslip_core::mechanics::{Affine, Loads, Motion, Response, SystemError, straight};
use stickslip_core::signal::Signal;

impl Affine for Wheel {
    type State = WheelState;
    type Velocities = [f64; 2];
    type Contacts = [f64; 2];

    fn initial(&self) -> [f64; 2] {
        [self.parameters.start.x1, self.parameters.start.x2]
    }

    #[inline]
    fn loads(&self, t: f64) -> Result<Loads<[f64; 2], [f64; 2]>, SystemError> {
        let mut until = f64::INFINITY;
        let mut line = |what: &'static str, signal: &Signal, bound: bool| {
            let piece = straight(what, signal, t, bound)?;
            until = until.min(piece.until);
            Ok::<_, SystemError>((piece.value, piece.slope))
        };
        let drive = line("motor torque / radius", &self.drive, false)?;
        let ground = line("ground friction bound", &self.ground, true)?;
        let brake = line("brake torque / radius", &self.brake, true)?;
        Ok(Loads {
            force: [0.0, drive.0],
            force_slope: [0.0, drive.1],
            bound: [ground.0, brake.0],
            bound_slope: [ground.1, brake.1],
            until,
        })
    }

    #[inline(always)]
    fn acceleration(&self, force: &[f64; 2]) -> [f64; 2] {
        [force[0] * (1.0 / self.parameters.mass), force[1] * (1.0 / self.j)]
    }

    #[inline(always)]
    fn slips(&self, velocities: &[f64; 2]) -> [f64; 2] {
        [velocities[0] + velocities[1], velocities[1]]
    }

    #[inline(always)]
    fn influence(&self) -> [f64; 2] {
        let (d1, d2) = (1.0 / self.parameters.mass, 1.0 / self.j);
        [d1 + d2, d2]
    }

    /// The three clamps of [`stickslip_core::inclusion::nine_regions`], for intervals with any ends: the ground's force with
    /// the brake left free; the brake's with that; if the brake's is at an end, the ground's once more. Each step
    /// minimises the convex dual function over one more constraint, so that it holds for any box.
    #[inline(always)]
    fn respond(
        &self,
        free: &[f64; 2],
        lo: &[f64; 2],
        hi: &[f64; 2],
    ) -> Result<Response<[f64; 2], [f64; 2]>, SystemError> {
        let (m, j) = (self.parameters.mass, self.j);
        let [z1, z2] = *free;
        let (d1, d2) = (1.0 / m, 1.0 / j);
        let stop = -z1 * m;
        let ground = clamp(stop, lo[0], hi[0]);
        let lock = -z2 * j - ground;
        if lo[1] <= lock && lock <= hi[1] {
            let y1 = if ground == stop { 0.0 } else { z1 + d1 * ground };
            return Ok(Response { forces: [ground, lock], motion: [y1, 0.0], slips: [y1, 0.0] });
        }
        let brake = clamp(lock, lo[1], hi[1]);
        // m j/(m + j) (z1 + z2 + brake/j), negative: the force that keeps the wheel rolling.
        let roll = -(j * (z1 + z2) + brake) * (m / (m + j));
        let ground = clamp(roll, lo[0], hi[0]);
        let (y1, y2) = (z1 + d1 * ground, z2 + d2 * (ground + brake));
        let (motion, slips) = if ground != roll {
            ([y1, y2], [y1 + y2, y2])
        } else if m >= j {
            // The heavier part has the smaller rounding.
            ([y1, -y1], [0.0, -y1])
        } else {
            ([-y2, y2], [0.0, y2])
        };
        Ok(Response { forces: [ground, brake], motion, slips })
    }

    #[inline(always)]
    fn settle(&self, signs: &[f64; 2], velocities: &mut [f64; 2]) {
        match (signs[0] == 0.0, signs[1] == 0.0) {
            (true, true) => *velocities = [0.0; 2],
            (false, true) => velocities[1] = 0.0,
            (true, false) => velocities[1] = -velocities[0],
            (false, false) => {}
        }
    }

    #[inline]
    fn state(&self, motion: &Motion<[f64; 2], [f64; 2]>) -> WheelState {
        WheelState::in_motion(self.parameters.start, self.parameters.radius, motion)
    }
}

/// x brought into [lo, hi].
#[inline(always)]
fn clamp(x: f64, lo: f64, hi: f64) -> f64 {
    let x = if x < hi { x } else { hi };
    if x > lo { x } else { lo }
}
