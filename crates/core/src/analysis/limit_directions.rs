//! How slips arrive at zero in the plane, and how they leave it.
//!
//! For a system with one contact in the plane the slip obeys s' = a − B n near s = 0, with n = s/|s|, a the slip rate
//! without friction and B = (bound) W. In polar coordinates s = r (cosφ, sinφ):
//!
//! ```text
//! r' = R(φ) = n·(a − B n),     r φ' = V(φ) = n⊥·(a − B n)          n⊥ = n turned to the left by a right angle
//! ```
//!
//! A *limit direction* is a root of V: along it a slip reaches zero in finite time (R < 0, attracting) or leaves it
//! (R > 0, repelling). Nearby slips turn with dφ/d ln r = V/R, so that a deviation δ behaves as r^(V'/R): where
//! V'/R > 0 an open set of slips arrives (or leaves) along the direction and it is *generic*, else a single orbit does
//! and it is *exceptional*. In axes in which B is diagonal (β1, β2), with δ = β1 − β2,
//!
//! ```text
//! V = −a1 sinφ + a2 cosφ + δ sinφ cosφ
//! 4 roots if |a1|^⅔ + |a2|^⅔ < |δ|^⅔ (inside the astroid), else 2;   sticking goes on iff (a1/β1)² + (a2/β2)² < 1
//! ```
//!
//! and sticking goes on if and only if R < 0 in all limit directions. Source: Antali and Stepan 2017 (there V is printed
//! with n⊥ as the argument of the field; it must be n).

use stickslip_linalg::Matrix;

use crate::mechanics::{At, Grip, Smooth};

/// The slip's own motion next to zero: s' = a − B n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlipField {
    a: [f64; 2],
    /// b11, b12, b22.
    b: [f64; 3],
}

/// A direction along which slips arrive at zero or leave it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitDirection {
    /// Angle φ of the slip in ]−π, π].
    pub angle: f64,
    /// R(φ) = |s|' [m/s²]: negative where slips arrive (attracting), positive where they leave (repelling).
    pub rate: f64,
    /// V'(φ) [m/s²].
    pub turning: f64,
}

impl LimitDirection {
    /// Whether slips arrive along it.
    pub fn attracts(&self) -> bool {
        self.rate < 0.0
    }

    /// Whether an open set of slips arrives or leaves along it, and not a single orbit.
    pub fn is_generic(&self) -> bool {
        self.rate * self.turning > 0.0
    }
}

/// All limit directions at one point: two or four, or none where nothing acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitDirections {
    found: [LimitDirection; 4],
    count: usize,
}

impl LimitDirections {
    /// In increasing order of their angles.
    pub fn as_slice(&self) -> &[LimitDirection] {
        &self.found[..self.count]
    }
}

impl SlipField {
    /// The field with the slip rate a without friction and B = [[b11, b12], [b12, b22]], positive definite.
    pub fn new(a: [f64; 2], b: [f64; 3]) -> SlipField {
        SlipField { a, b }
    }

    /// The field of a system's only contact in the plane; none if it has several contacts or one on a line.
    pub fn of(system: &dyn Smooth, at: At) -> Option<SlipField> {
        if system.contact_sizes() != [2] {
            return None;
        }
        let mut acceleration = vec![0.0; system.sizes().velocities];
        system.acceleration(at, &mut acceleration);
        let mut a = [0.0; 2];
        system.slip_rates(at, &acceleration, &mut a);
        let w: Matrix = system.influence(at);
        let bound = system.bound(0, at, Grip::Slips(0.0));
        Some(SlipField { a, b: [bound * w[(0, 0)], bound * w[(0, 1)], bound * w[(1, 1)]] })
    }

    /// Slip rate for the direction of slip (cosφ, sinφ) given.
    pub fn rate(&self, [cos, sin]: [f64; 2]) -> [f64; 2] {
        let [b11, b12, b22] = self.b;
        [self.a[0] - b11 * cos - b12 * sin, self.a[1] - b12 * cos - b22 * sin]
    }

    /// R(φ).
    pub fn outward(&self, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let [x, y] = self.rate([cos, sin]);
        x * cos + y * sin
    }

    /// V(φ).
    pub fn across(&self, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let [x, y] = self.rate([cos, sin]);
        y * cos - x * sin
    }

    /// V'(φ).
    pub fn turning(&self, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let [b11, b12, b22] = self.b;
        let along = self.a[0] * cos + self.a[1] * sin;
        (b11 - b22) * (cos * cos - sin * sin) + 4.0 * b12 * sin * cos - along
    }

    /// |B⁻¹ a|: the friction force that sticking needs, over the bound. Below 1 sticking goes on.
    pub fn demand(&self) -> f64 {
        let [b11, b12, b22] = self.b;
        let per = 1.0 / (b11 * b22 - b12 * b12);
        let share = [(b22 * self.a[0] - b12 * self.a[1]) * per, (b11 * self.a[1] - b12 * self.a[0]) * per];
        share[0].hypot(share[1])
    }

    /// |a1|^⅔ + |a2|^⅔ over |δ|^⅔ in the principal axes of B: below 1 there are four limit directions, above it two.
    pub fn astroid(&self) -> f64 {
        let (turn, gap) = self.principal();
        let (sin, cos) = turn.sin_cos();
        let a = [self.a[0] * cos + self.a[1] * sin, self.a[1] * cos - self.a[0] * sin];
        let power = |x: f64| (x * x).cbrt();
        (power(a[0]) + power(a[1])) / power(gap)
    }

    /// Angle of the first principal axis of B, and β1 − β2.
    fn principal(&self) -> (f64, f64) {
        let [b11, b12, b22] = self.b;
        if b12 == 0.0 {
            return (0.0, b11 - b22);
        }
        (0.5 * (2.0 * b12).atan2(b11 - b22), (b11 - b22).hypot(2.0 * b12))
    }

    /// All limit directions, from the quartic
    /// −a2 t⁴ − 2 (a1 + δ) t³ − 2 (a1 − δ) t + a2 = 0, t = tan(φ/2), in the principal axes. A double root, which is
    /// what the astroid itself has, is not counted.
    pub fn limit_directions(&self) -> LimitDirections {
        let (turn, gap) = self.principal();
        let (sin, cos) = turn.sin_cos();
        let [a1, a2] = [self.a[0] * cos + self.a[1] * sin, self.a[1] * cos - self.a[0] * sin];
        let scale = a1.abs().max(a2.abs()).max(gap.abs());
        let mut all = LimitDirections { found: [LimitDirection { angle: 0.0, rate: 0.0, turning: 0.0 }; 4], count: 0 };
        if !(scale > 0.0 && scale.is_finite()) {
            return all;
        }
        let [a1, a2, gap] = [a1 / scale, a2 / scale, gap / scale];
        let quartic = [a2, -2.0 * (a1 - gap), 0.0, -2.0 * (a1 + gap), -a2];
        // Half of the circle in t, the other half in 1/t: both in [−1, 1].
        let mut add = |half: f64| {
            let mut angle = 2.0 * half + turn;
            angle -= std::f64::consts::TAU * ((angle - std::f64::consts::PI) / std::f64::consts::TAU).ceil();
            if all.count < 4 {
                let (rate, turning) = (self.outward(angle), self.turning(angle));
                all.found[all.count] = LimitDirection { angle, rate, turning };
                all.count += 1;
            }
        };
        let mut roots = [0.0; 4];
        let found = roots_within(&quartic, &mut roots);
        // The ends ±1 belong to the first half; a root there must not be found in both.
        roots[..found].iter().for_each(|t| add(t.atan()));
        let reversed = [quartic[4], quartic[3], 0.0, quartic[1], quartic[0]];
        let found = roots_within(&reversed, &mut roots);
        let inside = roots[..found].iter().filter(|s| s.abs() < 1.0);
        inside.for_each(|s| add(std::f64::consts::FRAC_PI_2 - s.atan()));
        all.found[..all.count].sort_by(|x, y| x.angle.total_cmp(&y.angle));
        all
    }
}

/// Simple roots of c0 + c1 x + … in [−1, 1], in increasing order: between neighbouring roots of the derivative (found
/// the same way) a polynomial is monotone, and bisection finds its sign changes. Returns their number.
fn roots_within(c: &[f64; 5], roots: &mut [f64; 4]) -> usize {
    // Derivatives of degree 1, 2, 3, then the quartic itself.
    let chain: [[f64; 5]; 4] = [
        [6.0 * c[3], 24.0 * c[4], 0.0, 0.0, 0.0],
        [2.0 * c[2], 6.0 * c[3], 12.0 * c[4], 0.0, 0.0],
        [c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4], 0.0],
        *c,
    ];
    let mut count = 0;
    for polynomial in &chain {
        let value = |x: f64| polynomial.iter().rev().fold(0.0, |sum, c| sum * x + c);
        let mut next = [0.0; 4];
        let mut found = 0;
        let mut lo = -1.0;
        for hi in roots.iter().take(count).copied().chain([1.0]) {
            let (at_lo, at_hi) = (value(lo), value(hi));
            if at_lo == 0.0 && found < 4 && (found == 0 || next[found - 1] != lo) {
                next[found] = lo;
                found += 1;
            } else if at_lo * at_hi < 0.0 && found < 4 {
                next[found] = bisect(value, lo, hi, at_lo < 0.0);
                found += 1;
            }
            lo = hi;
        }
        if value(1.0) == 0.0 && found < 4 && (found == 0 || next[found - 1] != 1.0) {
            next[found] = 1.0;
            found += 1;
        }
        (*roots, count) = (next, found);
    }
    count
}

/// The zero of f between lo and hi, where it changes its sign, to rounding.
fn bisect(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64, rises: bool) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (lo + hi);
        if middle <= lo || middle >= hi {
            break;
        }
        if (f(middle) < 0.0) == rises { lo = middle } else { hi = middle }
    }
    0.5 * (lo + hi)
}

/// Orbits end outside of this many radii, and within this many of zero, which is smaller than a line is wide.
const OUTSIDE: f64 = 1.5;
const MIDDLE: f64 = 2e-3;

/// Steps of orbits, in distances from zero (a corner of that angle is not seen) and at the most in radii; and how many.
const TURN: f64 = 0.04;
const STRIDE: f64 = 0.02;
const MOST_POINTS: usize = 2000;

/// Orbits of s' = a − B n around zero, for a picture of the plane of slips: from points on the circle of the radius
/// given forward until they reach zero or leave the circle, and backward likewise.
///
/// The field only depends on φ, so that one orbit scaled is another. Steps are a share of the distance to zero.
pub fn portrait(field: &SlipField, radius: f64, orbits: usize) -> Vec<Vec<[f64; 2]>> {
    let mut all = Vec::with_capacity(orbits);
    for k in 0..orbits {
        let angle = std::f64::consts::TAU * (k as f64 + 0.5) / orbits as f64;
        let start = [0.55 * radius * angle.cos(), 0.55 * radius * angle.sin()];
        let mut path: Vec<[f64; 2]> = walk(field, start, radius, -1.0);
        path.reverse();
        path.push(start);
        path.extend(walk(field, start, radius, 1.0));
        all.push(path);
    }
    all
}

/// Points after the start, forward or backward in time, by the midpoint rule.
fn walk(field: &SlipField, start: [f64; 2], radius: f64, sense: f64) -> Vec<[f64; 2]> {
    let mut path = Vec::new();
    let mut s = start;
    for _ in 0..MOST_POINTS {
        let size = s[0].hypot(s[1]);
        if size > OUTSIDE * radius || size < MIDDLE * radius {
            break;
        }
        let velocity = |s: [f64; 2]| {
            let size = s[0].hypot(s[1]);
            field.rate([s[0] / size, s[1] / size])
        };
        let first = velocity(s);
        let speed = first[0].hypot(first[1]);
        if speed == 0.0 {
            break;
        }
        let step = sense * (TURN * size).min(STRIDE * radius) / speed;
        let second = velocity([s[0] + 0.5 * step * first[0], s[1] + 0.5 * step * first[1]]);
        s = [s[0] + step * second[0], s[1] + step * second[1]];
        path.push(s);
    }
    path
}

#[cfg(test)]
mod tests;
