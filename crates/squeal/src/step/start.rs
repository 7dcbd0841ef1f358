//! How a motion begins.

use stickslip_linalg::SplitMix64;

use super::{Stepper, height, lateral};
use crate::motion::{Energies, Grip, Motion};
use crate::wheel::SquealError;

/// How a motion begins, beside the steady state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// Along the eigenvector with the greatest real part, with this amplitude of ẏ [m/s].
    Eigenvector(f64),
    /// With modal velocities at random: ẏ of each mode within ± this amplitude [m/s].
    Noise {
        /// Amplitude [m/s].
        amplitude: f64,
        /// Seed of the numbers.
        seed: u64,
    },
    /// With a lateral blow at the contact: ẏ of all modes together [m/s].
    Kick(f64),
}

impl Stepper<'_> {
    /// The steady state.
    pub fn steady_state(&self) -> Motion {
        let (wheel, n) = (self.wheel, self.wheel.modes.len());
        Motion {
            q: vec![0.0; n],
            p: vec![0.0; n],
            lag: self.steady,
            bristles: self.patch.as_ref().map_or_else(Vec::new, |patch| patch.bristles().to_vec()),
            slip: wheel.slip(),
            force: -self.steady,
            load: wheel.spring.load,
            roughness: 0.0,
            grip: Grip::Slip(1),
            energies: Energies::default(),
            residual: 0.0,
            held: 0,
        }
    }

    /// The state at t = 0.
    pub fn start(&self, start: Start) -> Result<Motion, SquealError> {
        let wheel = self.wheel;
        let mut motion = self.steady_state();
        match start {
            Start::Eigenvector(amplitude) => {
                let shape = wheel.shape(wheel.least_stable()?);
                if !shape.moves_sideways(wheel) {
                    return Err(SquealError::NoLateralPart { frequency: shape.value.im / std::f64::consts::TAU });
                }
                let shape = shape.scaled(wheel, amplitude);
                for ((q, p), own) in motion.q.iter_mut().zip(&mut motion.p).zip(&shape.modes) {
                    (*q, *p) = (own.re, (own * shape.value).re);
                }
                motion.lag += shape.force.re;
                if let Some(patch) = &self.patch {
                    let velocity = shape.lateral(wheel) * shape.value;
                    patch.disturb(&mut motion.bristles, (velocity, shape.value), wheel.speed);
                }
            }
            Start::Noise { amplitude, seed } => {
                let mut random = SplitMix64(seed);
                for (mode, p) in wheel.modes.iter().zip(&mut motion.p) {
                    let size = mode.lateral.abs().max(mode.vertical.abs());
                    *p = amplitude * (2.0 * random.unit() - 1.0) / size;
                }
            }
            Start::Kick(speed) => {
                let all: f64 = wheel.modes.iter().map(|mode| mode.lateral * mode.lateral).sum();
                for (mode, p) in wheel.modes.iter().zip(&mut motion.p) {
                    *p = speed * mode.lateral / all;
                }
            }
        }
        self.settle(&mut motion);
        Ok(motion)
    }

    /// Contact forces of modes that were set from outside.
    pub fn settle(&self, motion: &mut Motion) {
        let wheel = self.wheel;
        motion.roughness = wheel.roughness.at(0.0);
        motion.slip = wheel.slip() + lateral(wheel, &motion.p);
        motion.load = wheel.spring.load(motion.roughness - height(wheel, &motion.q));
        motion.grip = if motion.load == 0.0 { Grip::Open } else { Grip::slips(motion.slip) };
        motion.force = self.friction_of(motion);
    }
}
