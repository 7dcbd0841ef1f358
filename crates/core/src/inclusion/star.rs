//! A chassis on n driven and braked wheels: 2n intervals that one speed couples, solved exactly.
//!
//! The unknowns are f_i (ground) and g_i (brake) of each wheel and r (resistance of the chassis to rolling),
//! all with the sign of the slip they resist, in
//!
//! ```text
//! y1 = z0 − d0 (r + Σ f_i),    v_i = z_i − d_i (f_i + g_i),
//! f_i ∈ a_Gi σ(y1 + v_i),      g_i ∈ a_Bi σ(v_i),      r ∈ a_0 σ(y1),
//! ```
//!
//! with d0 = h/m and d_i = h/J_i. W has rank n + 1 at most: velocities are unique, forces only while the
//! chassis moves.
//!
//! # One scalar equation
//! For a given y1 ≠ 0 of sign s each wheel answers with f_i = clamp((z_i + y1)/d_i + s a_Bi, ±a_Gi), so that y1
//! is the root of an increasing, piecewise linear function with a jump at 0:
//!
//! ```text
//! F(y1) = (y1 − z0)/d0 + s a_0 + Σ f_i(y1) ∋ 0,
//! F(0±) = −z0/d0 ± a_0 + Σ clamp(z_i/d_i ± a_Bi, ±a_Gi).
//! ```
//!
//! F(0−) ≤ 0 ≤ F(0+) is rest (`rest.rs`). Else Newton's method runs on the branch sgn(y1) (`root.rs`), first with the
//! states of the problem before, which mostly last; sorted break points stand behind it. Its unknown is
//! η = y1 − z0, the change that the contacts make: then all terms are forces of the step and none the momentum of
//! the vehicle, which would drown them.
//!
//! # At rest
//! Only r + Σ f_i = z0/d0 and f_i + g_i = z_i/d_i are determined. One ϑ ∈ [0, 1] for all chooses the forces,
//! f_i = f_i(0−) + ϑ (f_i(0+) − f_i(0−)): every contact is equally far from its bounds.

use super::nine_regions::{Region, clamp, greater};

mod clamped;
mod damped;
mod holding;
mod response;
mod rest;
mod root;
pub mod side_by_side;
mod solver;

pub use damped::{DampedRoom, Damper};
pub use response::Found;
use root::Branch;
pub use solver::{AnyIntervals, Damped};

/// The constants of the problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Star {
    /// h/m: how the ground forces change the speed of the chassis.
    d0: f64,
    /// 1/d0.
    per_d0: f64,
    /// h/J_i: how ground and brake change the circumferential speed of wheel i.
    d: Vec<f64>,
    /// 1/d_i.
    per_d: Vec<f64>,
}

/// What changes from one problem to the next: one entry per wheel in each list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load<'a> {
    /// Speed of the chassis without contact forces.
    pub z0: f64,
    /// Bound of the chassis' own resistance, ≥ 0.
    pub a_0: f64,
    /// Circumferential speeds without contact forces.
    pub z: &'a [f64],
    /// Bounds of the ground friction, ≥ 0.
    pub a_g: &'a [f64],
    /// Bounds of the brakes, ≥ 0.
    pub a_b: &'a [f64],
}

/// Solution of one problem, in lists that are allocated once and used again for the next problem, whose search
/// starts where this one ended.
#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    /// Speed of the chassis: exactly 0.0 at rest.
    pub y1: f64,
    /// Resistance of the chassis.
    pub r: f64,
    /// Circumferential speeds: exactly −y1 where a wheel rolls, exactly 0.0 where it is locked.
    pub v: Vec<f64>,
    /// Slips on the ground y1 + v_i: exactly 0.0 while they stick, never of another sign than f_i.
    pub slip: Vec<f64>,
    /// Ground friction.
    pub f: Vec<f64>,
    /// Brake forces.
    pub g: Vec<f64>,
    /// State of each wheel's two contacts.
    pub regions: Vec<Region>,
    /// Residual, as a velocity (see [`crate::inclusion`]): what rounding leaves of slips that are set to zero.
    /// Never below |r − Proj_C(r − ρ s)|/ρ.
    pub residual: f64,
    /// Whether the forces are unique. Where they are not, one ϑ has chosen them.
    pub unique: bool,
    /// Whether the state of some wheel's contact may differ from that of the problem solved before.
    pub changed: bool,
    /// How often F was evaluated.
    pub evaluations: u32,
    /// y1 − z0.
    change: f64,
    /// Room for the break points of F.
    #[serde(skip)]
    breaks: Vec<f64>,
}

crate::clone_in_place!(Answer {
    y1,
    r,
    v,
    slip,
    f,
    g,
    regions,
    residual,
    unique,
    changed,
    evaluations,
    change,
    breaks
});

impl Answer {
    /// Room for the solution of a problem with n wheels, at rest.
    pub fn new(n: usize) -> Answer {
        let zeros = vec![0.0; n];
        Answer {
            y1: 0.0,
            r: 0.0,
            v: zeros.clone(),
            slip: zeros.clone(),
            f: zeros.clone(),
            g: zeros,
            regions: vec![Region::new(0, 0); n],
            residual: 0.0,
            unique: true,
            changed: false,
            evaluations: 0,
            change: 0.0,
            breaks: Vec::with_capacity(2 * n),
        }
    }
}

/// A difference between the two sides of the equation of the chassis up to this share of its speed is rounding.
const MISS: f64 = 4.0 * f64::EPSILON;

impl Star {
    /// The problem with d0 = h/m > 0 and d_i = h/J_i > 0.
    pub fn new(d0: f64, d: Vec<f64>) -> Star {
        let per_d = d.iter().map(|d| 1.0 / d).collect();
        Star { d0, per_d0: 1.0 / d0, d, per_d }
    }

    /// d0 = h/m.
    #[inline]
    pub fn d0(&self) -> f64 {
        self.d0
    }

    /// d_i = h/J_i.
    #[inline]
    pub fn d(&self) -> &[f64] {
        &self.d
    }

    /// The diagonal of W for ground and brake of each wheel and, if there are more `contacts`, the chassis: how each
    /// force changes its own slip.
    pub fn influence(&self, contacts: usize) -> Vec<f64> {
        let wheels = self.d.iter().flat_map(|d| [self.d0 + d, *d]);
        wheels.chain([self.d0]).take(contacts).collect()
    }

    /// Solves for the load. All its lists, and those of the answer, have one entry per wheel.
    ///
    /// With a_Bi = 0 a brake transmits nothing and its state is the sign of v_i.
    ///
    /// Compiled into the loop that steps: a call of its own would hand all of the load through memory.
    #[inline(always)]
    pub fn solve(&self, load: Load<'_>, answer: &mut Answer) {
        (answer.evaluations, answer.changed) = (0, false);
        let n = self.d.len();
        assert!(load.z.len() == n && load.a_g.len() == n && load.a_b.len() == n && answer.v.len() == n);
        // A moving chassis goes on moving in most steps, one at rest stays.
        if answer.y1 != 0.0 {
            let branch = if answer.y1 > 0.0 { Branch::forward() } else { Branch::backward() };
            // One step of Newton's method is enough while no wheel changes its state: writing down what the wheels do
            // shows it, as a sum of forces that fits.
            let change = self.step_from_states(load, branch, answer);
            answer.evaluations = 1;
            if branch.sign * (load.z0 + change) > 0.0 {
                let error = self.moving(load, branch, change, answer);
                if error.abs() <= self.rounding(load, answer) {
                    return;
                }
                if let Some(change) = self.newton(load, branch, answer) {
                    let error = self.moving(load, branch, change, answer);
                    return self.correct_moving(load, error, answer);
                }
            }
        }
        self.undecided(load, answer);
    }

    /// F(0−) and F(0+) tell whether the chassis rests, and if not, where it goes.
    fn undecided(&self, load: Load<'_>, answer: &mut Answer) {
        let (low, high) = self.jump(load);
        answer.evaluations += 1;
        let p = load.z0 * self.per_d0;
        let branch = if p > high + load.a_0 {
            Branch::forward()
        } else if p < low - load.a_0 {
            Branch::backward()
        } else {
            return self.at_rest(load, low, high, answer);
        };
        let change = self.bracketed(load, branch, answer);
        if branch.sign * (load.z0 + change) > 0.0 {
            let error = self.moving(load, branch, change, answer);
            self.correct_moving(load, error, answer);
        } else {
            // Closer to rest than rounding can tell.
            self.at_rest(load, low, high, answer);
        }
    }

    /// How far the two sides of the equation of the chassis may be apart.
    #[inline(always)]
    fn rounding(&self, load: Load<'_>, answer: &Answer) -> f64 {
        MISS * greater(load.z0.abs(), answer.y1.abs())
    }

    /// Writes down what all wheels do at y1 = z0 + change on a branch. Returns by how much the equation of the chassis
    /// is missed: −d0 F(y1), so that y1 is no farther from the root.
    #[inline(always)]
    fn moving(&self, load: Load<'_>, branch: Branch, change: f64, out: &mut Answer) -> f64 {
        let n = self.d.len();
        let (d, per_d) = (&self.d[..n], &self.per_d[..n]);
        let (z, a_g, a_b) = (&load.z[..n], &load.a_g[..n], &load.a_b[..n]);
        let (v, slip, f, g) = (&mut out.v[..n], &mut out.slip[..n], &mut out.f[..n], &mut out.g[..n]);
        let regions = &mut out.regions[..n];
        let y1 = load.z0 + change;
        let r = branch.sign * load.a_0;
        let rolling = Region::new(0, -branch.direction);
        // In registers: nothing waits for this sum unless it shows that a state has changed.
        let (mut sum, mut residual, mut changed) = (r, 0.0, false);
        for i in 0..n {
            let b = load.z0 + z[i];
            let force = (b + change) * per_d[i] + branch.sign * a_b[i];
            let (region, miss);
            if force.abs() <= a_g[i] {
                let brake = -branch.sign * a_b[i];
                (f[i], g[i], v[i], slip[i]) = (force, brake, -y1, 0.0);
                region = rolling;
                miss = (z[i] - d[i] * (force + brake) + y1).abs();
            } else {
                let wheel = slipping(z[i], d[i], per_d[i], a_g[i], a_b[i], y1, force);
                (f[i], g[i], v[i], slip[i]) = (wheel.f, wheel.g, wheel.v, wheel.slip);
                (region, miss) = (wheel.region, wheel.miss);
            }
            if regions[i] != region {
                (regions[i], changed) = (region, true);
            }
            sum += f[i];
            residual = greater(miss, residual);
        }
        let error = (load.z0 - self.d0 * sum) - y1;
        (out.y1, out.change, out.r, out.unique) = (y1, change, r, true);
        out.changed |= changed;
        out.residual = residual + error.abs();
        error
    }

    /// A light chassis between heavy wheels: the forces of rolling are differences that rounding of y1 spoils. The
    /// rest of y1 that no double can hold, error/(1 + d0 Σ 1/d_i), is given to them.
    #[cold]
    fn correct_moving(&self, load: Load<'_>, error: f64, out: &mut Answer) {
        if error.abs() <= self.rounding(load, out) {
            return;
        }
        let n = self.d.len();
        let rolls = |region: Region| region.ground() == 0;
        let stiffness: f64 = (0..n).filter(|&i| rolls(out.regions[i])).map(|i| self.per_d[i]).sum();
        let rest = error / (1.0 + self.d0 * stiffness);
        let mut total = out.r;
        let mut residual = 0.0;
        for i in 0..n {
            if rolls(out.regions[i]) {
                out.f[i] = clamp(out.f[i] + rest * self.per_d[i], load.a_g[i]);
            }
            total += out.f[i];
            residual = greater((load.z[i] - self.d[i] * (out.f[i] + out.g[i]) - out.v[i]).abs(), residual);
        }
        let error = (load.z0 - self.d0 * total) - out.y1;
        out.residual = residual + error.abs();
    }
}

/// A wheel that slips on the ground.
struct Slipping {
    f: f64,
    g: f64,
    v: f64,
    slip: f64,
    region: Region,
    miss: f64,
}

/// The wheel slips on the ground in the direction of `force`, which is beyond the bound a_G.
#[inline(always)]
fn slipping(z: f64, d: f64, per_d: f64, a_g: f64, a_b: f64, y1: f64, force: f64) -> Slipping {
    let (f, ground) = if force > 0.0 { (a_g, 1) } else { (-a_g, -1) };
    let q = z * per_d - f;
    let (g, brake) = if q > a_b {
        (a_b, 1)
    } else if q < -a_b {
        (-a_b, -1)
    } else {
        (q, 0)
    };
    let speed = z - d * (f + g);
    // What rounding at the edge of a region has given another sign is nothing.
    let v = if f64::from(brake) * speed > 0.0 { speed } else { 0.0 };
    let whole = y1 + v;
    let slip = if f64::from(ground) * whole > 0.0 { whole } else { 0.0 };
    let miss = greater((speed - v).abs(), (whole - slip).abs());
    Slipping { f, g, v, slip, region: Region::new(ground, brake), miss }
}

#[cfg(test)]
mod tests;
