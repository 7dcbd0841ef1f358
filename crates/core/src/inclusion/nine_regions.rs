//! Two intervals in closed form: the driven and braked wheel.
//!
//! The unknowns are f (ground friction) and g (brake), both with the sign of the slip they resist
//! (f, g = −r), in
//!
//! ```text
//! y1 = z1 − d1 f,    y2 = z2 − d2 (f + g),    f ∈ a_G σ(y1 + y2),    g ∈ a_B σ(y2),
//! ```
//!
//! which is the inclusion with W = [[d1+d2, d2], [d2, d2]], b = (z1+z2, z2), C = [−a_G,a_G]×[−a_B,a_B], or
//! the resolvent y = (I + hDA)⁻¹ z with d1 = h/m, d2 = h/J. The plane of z falls into nine regions, one for
//! each pair of states; with p = z1/d1, q = z2/d2 three clamps find the right one:
//!
//! ```text
//! f' = clamp(p, ±a_G),   g = clamp(q − f', ±a_B),   f = clamp((z1 + z2 − d2 g)/(d1 + d2), ±a_G).
//! ```
//!
//! y is then set from the region and not from z − d f, so that a stuck slip is exactly 0.0.

use crate::law::State;

/// The constants of the problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NineRegions {
    /// h/m: how the ground force changes the speed of the centre.
    d1: f64,
    /// h/J: how ground and brake change the circumferential speed.
    d2: f64,
    /// 1/d1.
    per_d1: f64,
    /// 1/d2.
    per_d2: f64,
    /// 1/(d1 + d2).
    per_sum: f64,
}

/// Solution of one problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// Speed of the centre.
    pub y1: f64,
    /// Circumferential speed.
    pub y2: f64,
    /// Ground friction.
    pub f: f64,
    /// Brake force.
    pub g: f64,
    /// Which of the nine regions z lies in.
    pub region: Region,
    /// Residual, as a velocity (see [`crate::inclusion`]): what rounding leaves of the slips that are set to
    /// zero. Never below |r − Proj_C(r − ρ s)|/ρ.
    pub residual: f64,
}

/// One of the nine regions: a pair of contact states (ε_G, ε_B), each −1, 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// 3 (ε_G + 1) + ε_B + 1.
    code: u8,
}

/// Region number in the sources' order, counted once around region 0, for each code.
const NUMBERS: [u8; 9] = [6, 5, 4, 7, 0, 3, 8, 1, 2];

impl Region {
    #[inline(always)]
    const fn new(ground: i8, brake: i8) -> Region {
        Region { code: (3 * (ground + 1) + brake + 1) as u8 }
    }

    /// Number 0…8: 0 all at rest, then (ε_G, ε_B) = (+,0), (+,+), (0,+), (−,+), (−,0), (−,−), (0,−), (+,−).
    pub fn number(self) -> u8 {
        NUMBERS[usize::from(self.code)]
    }

    /// ε_G: sign of the slip on the ground, 0 while it sticks (rolls).
    pub fn ground(self) -> i8 {
        (self.code / 3) as i8 - 1
    }

    /// ε_B: sign of the slip in the brake, 0 while it sticks (locked).
    pub fn brake(self) -> i8 {
        (self.code % 3) as i8 - 1
    }

    /// Both contacts, as states.
    pub fn states(self) -> [State; 2] {
        [self.ground(), self.brake()].map(|sign| match sign {
            0 => State::Stick,
            sign => State::Slip([f64::from(sign), 0.0]),
        })
    }
}

impl NineRegions {
    /// The problem with d1 = h/m > 0 and d2 = h/J > 0.
    pub fn new(d1: f64, d2: f64) -> NineRegions {
        NineRegions { d1, d2, per_d1: 1.0 / d1, per_d2: 1.0 / d2, per_sum: 1.0 / (d1 + d2) }
    }

    /// d1 = h/m.
    #[inline]
    pub fn d1(&self) -> f64 {
        self.d1
    }

    /// d2 = h/J.
    #[inline]
    pub fn d2(&self) -> f64 {
        self.d2
    }

    /// Solves for z = (z1, z2) and the bounds a_G ≥ 0, a_B ≥ 0.
    ///
    /// With a_B = 0 the brake transmits nothing and ε_B is the sign of y2.
    #[inline(always)]
    pub fn solve(&self, z1: f64, z2: f64, a_g: f64, a_b: f64) -> Answer {
        let p = z1 * self.per_d1;
        let f_at_rest = clamp(p, a_g);
        let q = z2 * self.per_d2 - f_at_rest;
        if q.abs() <= a_b {
            // The brake holds: y2 = 0, and the ground alone decides about y1.
            let f = f_at_rest;
            let y1 = z1 - self.d1 * f;
            let y2 = z2 - self.d2 * (f + q);
            if p.abs() <= a_g {
                let residual = greater((y1 + y2).abs(), y2.abs());
                return Answer { y1: 0.0, y2: 0.0, f, g: q, region: Region::new(0, 0), residual };
            }
            let forward = p > 0.0;
            let region = if forward { Region::new(1, 0) } else { Region::new(-1, 0) };
            let residual = greater(wrong_sign(y1, forward), y2.abs());
            return Answer { y1, y2: 0.0, f, g: q, region, residual };
        }
        let g = signed(a_b, q);
        let forward = q > 0.0;
        let rolling = ((z1 + z2) - self.d2 * g) * self.per_sum;
        if rolling.abs() <= a_g {
            let y2 = z2 - self.d2 * (rolling + g);
            let slip = (z1 - self.d1 * rolling) + y2;
            let residual = greater(slip.abs(), wrong_sign(y2, forward));
            let y2 = same_sign(y2, forward);
            let region = if forward { Region::new(0, 1) } else { Region::new(0, -1) };
            return Answer { y1: -y2, y2, f: rolling, g, region, residual };
        }
        let f = signed(a_g, rolling);
        let ahead = rolling > 0.0;
        let y1 = z1 - self.d1 * f;
        let y2 = z2 - self.d2 * (f + g);
        let residual = greater(wrong_sign(y1 + y2, ahead), wrong_sign(y2, forward));
        let y2 = same_sign(y2, forward);
        let region = match (ahead, forward) {
            (true, true) => Region::new(1, 1),
            (true, false) => Region::new(1, -1),
            (false, true) => Region::new(-1, 1),
            (false, false) => Region::new(-1, -1),
        };
        Answer { y1, y2, f, g, region, residual }
    }
}

/// x brought into [−bound, bound]. Unlike `f64::clamp` it compiles to two instructions: what becomes of NaN
/// does not matter here.
#[inline(always)]
fn clamp(x: f64, bound: f64) -> f64 {
    let x = if x < bound { x } else { bound };
    if x > -bound { x } else { -bound }
}

/// A bound ≥ 0 with the sign of x: `f64::copysign` without clearing a sign that is not there.
#[inline(always)]
fn signed(bound: f64, x: f64) -> f64 {
    f64::from_bits(bound.to_bits() | (x.to_bits() & (1 << 63)))
}

/// y, or 0 where rounding at the edge of a region has given it the wrong sign.
#[inline(always)]
fn same_sign(y: f64, positive: bool) -> f64 {
    if (y > 0.0) == positive { y } else { 0.0 }
}

/// |y| where y has the wrong sign, else 0.
#[inline(always)]
fn wrong_sign(y: f64, positive: bool) -> f64 {
    if (y > 0.0) == positive { 0.0 } else { y.abs() }
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests;
