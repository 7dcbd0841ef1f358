//! A star some of whose wheels stand on dampers: tyres within an implicit step.
//!
//! ```text
//! f_i = φ_i + c_i (y1 + v_i),   c_i ≥ 0,      instead of      f_i ∈ a_Gi σ(y1 + v_i)
//! ```
//!
//! A damper adds c_i times the slip to a force that is known, so that W stays symmetric. For a given y1 such a wheel answers
//! in closed form: with p = z_i − d_i (φ_i + c_i y1) it is locked where |p| ≤ d_i a_Bi, and else has the slip
//! (y1 + z_i − d_i φ_i ∓ d_i a_Bi)/(1 + d_i c_i). Its force rises with y1, with the slope c_i or c_i/(1 + d_i c_i), and does
//! not jump at 0. So y1 is the root of one increasing, piecewise linear function as before. With it the forces of the
//! dampers are known, and what is left is a star on dry friction, with which the answer is written down.

use super::{Answer, Branch, Load, Star, clamp, greater};

/// What a wheel stands on instead of dry friction: f = force + damping (y1 + v).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damper {
    /// φ: the force without slip, with the sign of the slip that it resists.
    pub force: f64,
    /// c ≥ 0.
    pub damping: f64,
}

/// What a star on dampers needs to work with, allocated once: the load with the dampers' forces in it.
#[derive(Debug, Clone, Default)]
pub struct DampedRoom {
    z: Vec<f64>,
    a_g: Vec<f64>,
    forces: Vec<f64>,
}

impl DampedRoom {
    /// For n wheels.
    pub fn new(n: usize) -> DampedRoom {
        DampedRoom { z: vec![0.0; n], a_g: vec![0.0; n], forces: vec![0.0; n] }
    }
}

/// Evaluations of Newton's method between bounds; two or three are usual, and halving ends in any case.
const MOST: u32 = 200;

impl Star {
    /// Solves for the load, with dampers under some wheels: their a_G is not looked at. The answer has the forces of
    /// dampers in `f`, and y1 + v in `slip`.
    pub fn solve_damped(&self, load: Load<'_>, dampers: &[Option<Damper>], room: &mut DampedRoom, answer: &mut Answer) {
        let change = self.damped_change(load, dampers, answer.y1 - load.z0);
        let mut total = 0.0;
        for (i, damper) in dampers.iter().enumerate() {
            let force = damper.map_or(0.0, |damper| self.damped(load, i, damper, change).0);
            total += force;
            room.z[i] = load.z[i] - self.d[i] * force;
            room.a_g[i] = if damper.is_some() { 0.0 } else { load.a_g[i] };
            room.forces[i] = force;
        }
        let dry = Load { z0: load.z0 - self.d0 * total, z: &room.z, a_g: &room.a_g, ..load };
        self.solve(dry, answer);
        for (i, damper) in dampers.iter().enumerate() {
            let Some(damper) = damper else { continue };
            let slip = answer.y1 + answer.v[i];
            // The resolvent of the law, as a projection is that of a set: f' = φ + c (s + d (f − f')). A stiff damper misses by a slip.
            let miss = (room.forces[i] - (damper.force + damper.damping * slip)).abs();
            let miss = self.d[i] * miss / (1.0 + self.d[i] * damper.damping);
            answer.residual = greater(miss, answer.residual);
            (answer.f[i], answer.slip[i]) = (room.forces[i], slip);
        }
    }

    /// y1 − z0, from a guess.
    fn damped_change(&self, load: Load<'_>, dampers: &[Option<Damper>], guess: f64) -> f64 {
        let rest = -load.z0;
        let after = self.damped_sum(load, dampers, Branch::forward(), rest).0;
        let before = self.damped_sum(load, dampers, Branch::backward(), rest).0;
        let (branch, mut low, mut high) = if after < 0.0 {
            (Branch::forward(), rest, f64::INFINITY)
        } else if before > 0.0 {
            (Branch::backward(), f64::NEG_INFINITY, rest)
        } else {
            return rest;
        };
        let mut change = if low < guess && guess < high { guess } else { rest };
        for _ in 0..MOST {
            let (value, slope) = self.damped_sum(load, dampers, branch, change);
            let next = change - value / slope;
            if next == change || value == 0.0 || value.is_nan() {
                break;
            }
            if value < 0.0 {
                low = low.max(change);
            } else {
                high = high.min(change);
            }
            if low < next && next < high {
                change = next;
            } else {
                let middle = 0.5 * (low + high);
                // Between two neighbours there is nothing, and beyond the end of the branch nothing is looked for.
                if !middle.is_finite() || middle <= low || middle >= high {
                    break;
                }
                change = middle;
            }
        }
        change
    }

    /// F and its slope at a change of speed.
    fn damped_sum(&self, load: Load<'_>, dampers: &[Option<Damper>], branch: Branch, change: f64) -> (f64, f64) {
        let mut sum = change * self.per_d0 + branch.sign * load.a_0;
        let mut slope = self.per_d0;
        for (i, damper) in dampers.iter().enumerate() {
            if let Some(damper) = damper {
                let (force, rises) = self.damped(load, i, *damper, change);
                sum += force;
                slope += rises;
            } else {
                let force = (load.z0 + load.z[i] + change) * self.per_d[i] + branch.sign * load.a_b[i];
                sum += clamp(force, load.a_g[i]);
                slope += if force.abs() <= load.a_g[i] { self.per_d[i] } else { 0.0 };
            }
        }
        (sum, slope)
    }

    /// Force of a damper at a change of speed, and how it rises with it.
    #[inline]
    fn damped(&self, load: Load<'_>, i: usize, damper: Damper, change: f64) -> (f64, f64) {
        let (z, d, a_b) = (load.z[i], self.d[i], load.a_b[i]);
        let Damper { force, damping } = damper;
        let y1 = load.z0 + change;
        let free = z - d * (force + damping * y1);
        if free.abs() <= d * a_b {
            return (force + damping * y1, damping);
        }
        let gives = 1.0 / (1.0 + d * damping);
        let brake = if free > 0.0 { a_b } else { -a_b };
        let slip = ((load.z0 + z) + change - d * (force + brake)) * gives;
        (force + damping * slip, damping * gives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn load<'a>(z0: f64, a_0: f64, z: &'a [f64], a_g: &'a [f64], a_b: &'a [f64]) -> Load<'a> {
        Load { z0, a_0, z, a_g, a_b }
    }

    proptest! {
        /// Every law holds of the answer, recomputed from its outputs.
        #[test]
        fn the_answer_fits_all_laws(
            wheels in prop::collection::vec(
                (-6.0..6.0_f64, 0.0..3.0_f64, 0.0..3.0_f64, -3.0..3.0_f64, 0.0..200.0_f64, any::<bool>()), 1..6),
            z0 in -3.0..3.0_f64, a_0 in 0.0..2.0_f64,
        ) {
            let n = wheels.len();
            let d = 0.02;
            let star = Star::new(0.01, vec![d; n]);
            let z: Vec<f64> = wheels.iter().map(|w| w.0 * 0.1).collect();
            let (a_g, a_b): (Vec<f64>, Vec<f64>) = wheels.iter().map(|w| (w.1, w.2)).unzip();
            let dampers: Vec<Option<Damper>> =
                wheels.iter().map(|w| w.5.then_some(Damper { force: w.3, damping: w.4 })).collect();
            let z0 = 0.02 * z0;
            let mut answer = Answer::new(n);
            let mut room = DampedRoom::new(n);
            for _ in 0..2 {
                star.solve_damped(load(z0, a_0, &z, &a_g, &a_b), &dampers, &mut room, &mut answer);
                prop_assert!(answer.residual < 1e-13, "{}", answer.residual);
                let total: f64 = answer.f.iter().sum();
                prop_assert!((answer.y1 - (z0 - 0.01 * (answer.r + total))).abs() < 1e-14);
                for i in 0..n {
                    let (f, g, v) = (answer.f[i], answer.g[i], answer.v[i]);
                    prop_assert!((v - (z[i] - d * (f + g))).abs() < 1e-14);
                    prop_assert!(g.abs() <= a_b[i] * (1.0 + 1e-12) && g * v >= 0.0);
                    prop_assert!(v == 0.0 || (g.abs() - a_b[i]).abs() <= 1e-12);
                    match dampers[i] {
                        Some(damper) => {
                            let law = damper.force + damper.damping * (answer.y1 + v);
                            prop_assert!((f - law).abs() <= 1e-9 * (1.0 + damper.damping), "{f} {law}");
                        }
                        None => prop_assert!(f.abs() <= a_g[i] * (1.0 + 1e-12)),
                    }
                }
            }
        }
    }

    #[test]
    fn rest_is_exact() {
        let star = Star::new(0.01, vec![0.02]);
        let dampers = [Some(Damper { force: 1.0, damping: 30.0 })];
        let mut answer = Answer::new(1);
        // The brake holds the force of the damper, the resistance what it does to the chassis.
        star.solve_damped(load(0.0, 1.5, &[0.0], &[0.0], &[2.0]), &dampers, &mut DampedRoom::new(1), &mut answer);
        assert_eq!((answer.y1, answer.v[0], answer.f[0], answer.g[0], answer.r), (0.0, 0.0, 1.0, -1.0, -1.0));
    }
}
