//! The wheel between events: straight signals give quadratic speeds.
//!
//! Velocities (x1, x2), contacts (ground, brake), A = diag(1/m, 1/J), H = [[1, 1], [0, 1]], F = (0, 𝓜), r = −(f, g).

use super::{Wheel, WheelState};
use stickslip_core::inclusion::nine_regions::TwoIntervals;
use stickslip_core::mechanics::{Affine, Loads, Motion, Pieces, Response, SystemError};

impl Affine for Wheel {
    type State = WheelState;
    type Velocities = [f64; 2];
    type Contacts = [f64; 2];

    fn initial(&self) -> [f64; 2] {
        [self.parameters.start.x1, self.parameters.start.x2]
    }

    #[inline]
    fn loads(&self, t: f64) -> Result<Loads<[f64; 2], [f64; 2]>, SystemError> {
        let mut pieces = Pieces::at(t);
        let drive = pieces.read("motor torque / radius", &self.drive, false)?;
        let ground = pieces.read("ground friction bound", &self.ground, true)?;
        let brake = pieces.read("brake torque / radius", &self.brake, true)?;
        Ok(Loads {
            force: [0.0, drive.0],
            force_slope: [0.0, drive.1],
            bound: [ground.0, brake.0],
            bound_slope: [ground.1, brake.1],
            until: pieces.until,
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

    #[inline(always)]
    fn respond(
        &self,
        free: &[f64; 2],
        lo: &[f64; 2],
        hi: &[f64; 2],
    ) -> Result<Response<[f64; 2], [f64; 2]>, SystemError> {
        Ok(TwoIntervals { m: self.parameters.mass, j: self.j }.respond(*free, *lo, *hi))
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
