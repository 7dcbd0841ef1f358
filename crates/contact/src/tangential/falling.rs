//! Friction that depends on the slip speed of each element.
//!
//! The disks have the radii μ(V|s|) p with the slip s that comes out: −s ∈ N_{C(s)}(r). For given radii it is the
//! inclusion of [`super`]; the radii are corrected by the slips found, from the last tractions on, until the residual
//! formed with the disks of the final slips is small enough:
//!
//! ```text
//! a ← a + ω(μ(V|s(a)|) p − a),      ω = 1, halved where the residual does not fall
//! ```
//!
//! A law that falls more steeply than elastic deformation can follow (|dμ/ds| p V > K_self, about) may have several
//! solutions or none; then the corrections do not settle, and the result is the error that says so.

use std::cell::Cell;

use stickslip_core::law::{Coefficient, State};

use super::level::{End, Level};
use crate::progress::{Iteration, Watch};

/// Corrections after which to give up.
const CORRECTIONS: usize = 200;

/// Least part of a correction.
const LEAST: f64 = 0.05;

/// The law, the rolling speed, and what each element is pressed by.
pub(super) struct Falling {
    law: Coefficient,
    speed: f64,
    pressure: Vec<f64>,
    /// μ(V|s|) p of the present slips.
    wanted: Vec<f64>,
}

impl Falling {
    pub(super) fn new(law: Coefficient, speed: f64, pressure: Vec<f64>) -> Falling {
        Falling { law, speed, wanted: vec![0.0; pressure.len()], pressure }
    }

    /// Solves on a level whose motion is set; slips over `scale` are those over the rolling speed.
    pub(super) fn solve(
        &mut self,
        level: &mut Level,
        from_nothing: bool,
        scale: f64,
        tolerance: f64,
        most: usize,
        watch: Watch,
    ) -> End {
        // Half of the residual is left to the radii.
        let inner = 0.5 * tolerance;
        let stopped = Cell::new(false);
        let mut noted = |now: Iteration| {
            let flow = watch(now);
            stopped.set(stopped.get() || flow.is_break());
            flow
        };
        let mut end = if from_nothing {
            let sticking = self.law.sticking();
            level.bound.iter_mut().zip(&self.pressure).for_each(|(bound, p)| *bound = sticking * p);
            level.solve(inner, most, &mut noted)
        } else {
            level.improve(inner, most, &mut noted)
        };
        let (mut part, mut before) = (1.0_f64, f64::INFINITY);
        for _ in 0..CORRECTIONS {
            self.look(level, scale);
            let residual = level.residual(&self.wanted);
            let done = residual <= tolerance || end.iterations >= most || stopped.get() || residual.is_nan();
            end.residual = residual;
            if done {
                break;
            }
            if residual > 0.9 * before {
                part = (0.5 * part).max(LEAST);
            }
            before = residual;
            for (bound, wanted) in level.bound.iter_mut().zip(&self.wanted) {
                *bound += part * (wanted - *bound);
            }
            let before = end.iterations;
            let mut sum = |now: Iteration| noted(Iteration { count: before + now.count, ..now });
            end.iterations += level.improve(inner, most - before, &mut sum).iterations;
        }
        end
    }

    /// The radii that belong to the present slips.
    fn look(&mut self, level: &Level, scale: f64) {
        for (k, (wanted, p)) in self.wanted.iter_mut().zip(&self.pressure).enumerate() {
            let slip = match level.state(k) {
                State::Slip(_) => level.sx[k].hypot(level.sy[k]) / scale,
                _ => 0.0,
            };
            *wanted = self.law.at(self.speed * slip) * p;
        }
    }
}
