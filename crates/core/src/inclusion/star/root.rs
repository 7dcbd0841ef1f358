//! The root of the one scalar equation of a star, on one of its two branches.

use super::{Answer, Load, Star};

/// One side of y1 = 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    /// s = sgn(y1).
    pub sign: f64,
    /// The same as a whole number.
    pub direction: i8,
}

impl Branch {
    pub fn forward() -> Branch {
        Branch { sign: 1.0, direction: 1 }
    }

    pub fn backward() -> Branch {
        Branch { sign: -1.0, direction: -1 }
    }
}

/// Evaluations of Newton's method before the break points of F are sorted. Two are usual.
const PATIENCE: u32 = 12;

/// Wheels that are summed side by side.
pub(super) const LANES: usize = 4;

impl Star {
    /// Newton's method on a branch from the change of speed in the answer. None if it leaves the branch or is not done after
    /// some evaluations: then nothing is known.
    ///
    /// A step of Newton's method depends on nothing but the set of rolling wheels and the directions of the others.
    /// So the step repeats, bit by bit, when this set does, and that is the end.
    #[inline(never)]
    pub(super) fn newton(&self, load: Load<'_>, branch: Branch, answer: &mut Answer) -> Option<f64> {
        let mut change = answer.change;
        for _ in 0..PATIENCE {
            let next = self.step(load, branch, change);
            answer.evaluations += 1;
            if branch.sign * (load.z0 + next) <= 0.0 {
                return None;
            }
            if next == change {
                return Some(change);
            }
            change = next;
        }
        None
    }

    /// The root on a branch that is known to have it: Newton's method kept between bounds, then the break points.
    pub(super) fn bracketed(&self, load: Load<'_>, branch: Branch, answer: &mut Answer) -> f64 {
        let zero = -load.z0;
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut change = zero;
        for _ in 0..PATIENCE {
            let next = self.step(load, branch, change);
            answer.evaluations += 1;
            if next == change {
                return change;
            }
            // F increases and F(change) has the sign of change − next: the root lies on the side of `next`.
            if next > change {
                low = change
            } else {
                high = change
            }
            change = if low < next && next < high { next } else { 0.5 * (low + high) };
        }
        self.between_breaks(load, branch, answer)
    }

    /// The root by bisection of the sorted break points of F, O(n log n) in any case.
    #[cold]
    pub(super) fn between_breaks(&self, load: Load<'_>, branch: Branch, answer: &mut Answer) -> f64 {
        let mut breaks = std::mem::take(&mut answer.breaks);
        breaks.clear();
        for (((z, d), a_g), a_b) in load.z.iter().zip(&self.d).zip(load.a_g).zip(load.a_b) {
            let b = load.z0 + z;
            breaks.push(d * (-a_g - branch.sign * a_b) - b);
            breaks.push(d * (a_g - branch.sign * a_b) - b);
        }
        breaks.sort_unstable_by(f64::total_cmp);
        // Number of break points below the root.
        let (mut below, mut above) = (0, breaks.len());
        while below < above {
            let middle = below + (above - below) / 2;
            answer.evaluations += 1;
            if self.step(load, branch, breaks[middle]) > breaks[middle] { below = middle + 1 } else { above = middle }
        }
        let low = if below > 0 { breaks[below - 1] } else { f64::NEG_INFINITY };
        let high = if below < breaks.len() { breaks[below] } else { f64::INFINITY };
        // F is straight between two break points: a step from any point there is the root.
        let inside = match (low.is_finite(), high.is_finite()) {
            (true, true) => 0.5 * low + 0.5 * high,
            (true, false) => low + 1.0 + low.abs(),
            _ => high - 1.0 - high.abs(),
        };
        let root = self.step(load, branch, inside);
        answer.evaluations += 1;
        answer.breaks = breaks;
        root.max(low).min(high)
    }

    /// The change of speed if the ground contacts keep the states they have in the answer: a step of Newton's method
    /// that compares no forces, so that a processor can foresee all of it but one chain of sums.
    #[inline(always)]
    pub(super) fn step_from_states(&self, load: Load<'_>, branch: Branch, answer: &Answer) -> f64 {
        let n = self.d.len();
        let (z, k, a_g, a_b) = (&load.z[..n], &self.per_d[..n], &load.a_g[..n], &load.a_b[..n]);
        let regions = &answer.regions[..n];
        let (mut force, mut given, mut stiffness) = (0.0, branch.sign * load.a_0, self.per_d0);
        for i in 0..n {
            match regions[i].ground() {
                0 => {
                    force += (load.z0 + z[i]) * k[i];
                    given += branch.sign * a_b[i];
                    stiffness += k[i];
                }
                1 => given += a_g[i],
                _ => given -= a_g[i],
            }
        }
        -(given + force) * (1.0 / stiffness)
    }

    /// Newton's next change of speed: the root of the straight line that F is part of at `change`.
    fn step(&self, load: Load<'_>, branch: Branch, change: f64) -> f64 {
        let s = branch.sign;
        let mut lanes = Lanes::default();
        let mut add = |z: &[f64; LANES], k: &[f64; LANES], a_g: &[f64; LANES], a_b: &[f64; LANES]| {
            for l in 0..LANES {
                let b = load.z0 + z[l];
                let brake = s * a_b[l];
                let force = (b + change) * k[l] + brake;
                let rolls = force.abs() <= a_g[l];
                lanes.force[l] += if rolls { b * k[l] + brake } else { a_g[l].copysign(force) };
                lanes.stiffness[l] += if rolls { k[l] } else { 0.0 };
            }
        };
        let ((z, z_end), (k, k_end)) = (load.z.as_chunks::<LANES>(), self.per_d.as_chunks::<LANES>());
        let ((a_g, a_g_end), (a_b, a_b_end)) = (load.a_g.as_chunks::<LANES>(), load.a_b.as_chunks::<LANES>());
        for (((z, k), a_g), a_b) in z.iter().zip(k).zip(a_g).zip(a_b) {
            add(z, k, a_g, a_b);
        }
        if !z_end.is_empty() {
            // Missing wheels are without inertia and bounds: they add nothing.
            add(&filled(z_end), &filled(k_end), &filled(a_g_end), &filled(a_b_end));
        }
        -(s * load.a_0 + total(lanes.force)) / (self.per_d0 + total(lanes.stiffness))
    }
}

/// Sums over wheels.
#[derive(Default)]
struct Lanes {
    /// Forces that do not depend on the change of speed.
    force: [f64; LANES],
    /// 1/d_i of the rolling wheels.
    stiffness: [f64; LANES],
}

#[inline(always)]
pub(super) fn total(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

#[inline(always)]
fn filled(values: &[f64]) -> [f64; LANES] {
    std::array::from_fn(|l| values.get(l).copied().unwrap_or(0.0))
}
