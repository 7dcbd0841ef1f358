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

mod response;
mod solver;

pub use response::TwoIntervals;

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
    /// Slip on the ground y1 + y2: exactly 0.0 while it sticks, never of another sign than f.
    pub slip: f64,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Region {
    /// 3 (ε_G + 1) + ε_B + 1.
    code: u8,
}

/// Region number in the sources' order, counted once around region 0, for each code.
const NUMBERS: [u8; 9] = [6, 5, 4, 7, 0, 3, 8, 1, 2];

impl Region {
    /// The region of the states (ε_G, ε_B).
    #[inline(always)]
    pub const fn new(ground: i8, brake: i8) -> Region {
        Region { code: (3 * (ground + 1) + brake + 1) as u8 }
    }

    /// 3 (ε_G + 1) + ε_B + 1.
    pub const fn code(self) -> u8 {
        self.code
    }

    /// The region of that code; none where there is none.
    pub fn from_code(code: u8) -> Option<Region> {
        (code < 9).then_some(Region { code })
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

    /// 1/d1, 1/d2, 1/(d1 + d2).
    pub fn reciprocals(&self) -> [f64; 3] {
        [self.per_d1, self.per_d2, self.per_sum]
    }

    /// Solves for z = (z1, z2) and the bounds a_G ≥ 0, a_B ≥ 0.
    ///
    /// With a_B = 0 the brake transmits nothing and ε_B is the sign of y2.
    #[inline(always)]
    pub fn solve(&self, z1: f64, z2: f64, a_g: f64, a_b: f64) -> Answer {
        let p = z1 * self.per_d1;
        let f = clamp(p, a_g);
        let q = z2 * self.per_d2 - f;
        // Branches on signs rather than copied signs: states last for many steps, so a processor foresees
        // them and does not wait for q before it goes on.
        if q > a_b {
            self.brake_slips::<1>(z1, z2, a_g, a_b)
        } else if q < -a_b {
            self.brake_slips::<-1>(z1, z2, a_g, -a_b)
        } else if p > a_g {
            self.locked::<1>(z1, z2, f, q)
        } else if p < -a_g {
            self.locked::<-1>(z1, z2, f, q)
        } else {
            let (y1, y2) = (z1 - self.d1 * f, z2 - self.d2 * (f + q));
            // NaN in y2 is in y1 + y2 as well.
            let residual = greater((y1 + y2).abs(), y2.abs());
            Answer { y1: 0.0, y2: 0.0, slip: 0.0, f, g: q, region: Region::new(0, 0), residual }
        }
    }

    /// Regions 1 and 5: the brake holds, the ground slips in the direction E.
    #[inline(always)]
    fn locked<const E: i8>(&self, z1: f64, z2: f64, f: f64, g: f64) -> Answer {
        let (y1, y2) = (z1 - self.d1 * f, z2 - self.d2 * (f + g));
        // z1 lies beyond a bound here and is a number; z2 need not be one.
        let residual = greater(y2.abs(), wrong_sign::<E>(y1));
        Answer { y1, y2: 0.0, slip: same_sign::<E>(y1), f, g, region: Region::new(E, 0), residual }
    }

    /// The brake slips in the direction B: does the wheel roll?
    #[inline(always)]
    fn brake_slips<const B: i8>(&self, z1: f64, z2: f64, a_g: f64, g: f64) -> Answer {
        let f = ((z1 + z2) - self.d2 * g) * self.per_sum;
        if f > a_g {
            self.both_slip::<1, B>(z1, z2, a_g, g)
        } else if f < -a_g {
            self.both_slip::<-1, B>(z1, z2, -a_g, g)
        } else {
            // Regions 3 and 7.
            let y2 = z2 - self.d2 * (f + g);
            let slip = (z1 - self.d1 * f) + y2;
            let residual = greater(slip.abs(), wrong_sign::<B>(y2));
            let y2 = same_sign::<B>(y2);
            Answer { y1: -y2, y2, slip: 0.0, f, g, region: Region::new(0, B), residual }
        }
    }

    /// Regions 2, 4, 6 and 8.
    #[inline(always)]
    fn both_slip<const E: i8, const B: i8>(&self, z1: f64, z2: f64, f: f64, g: f64) -> Answer {
        let (y1, y2) = (z1 - self.d1 * f, z2 - self.d2 * (f + g));
        let slip = y1 + y2;
        let residual = greater(wrong_sign::<E>(slip), wrong_sign::<B>(y2));
        let (y2, slip) = (same_sign::<B>(y2), same_sign::<E>(slip));
        Answer { y1, y2, slip, f, g, region: Region::new(E, B), residual }
    }
}

/// x brought into [−bound, bound]. Unlike `f64::clamp` it compiles to two instructions; NaN stays NaN.
#[inline(always)]
pub fn clamp(x: f64, bound: f64) -> f64 {
    let x = if bound < x { bound } else { x };
    if -bound > x { -bound } else { x }
}

/// y, or 0 where rounding at the edge of a region has given it another sign than SIGN.
#[inline(always)]
fn same_sign<const SIGN: i8>(y: f64) -> f64 {
    if f64::from(SIGN) * y > 0.0 { y } else { 0.0 }
}

/// |y| where y has another sign than SIGN, else 0.
#[inline(always)]
fn wrong_sign<const SIGN: i8>(y: f64) -> f64 {
    if f64::from(SIGN) * y > 0.0 { 0.0 } else { y.abs() }
}

/// The greater of two numbers, and NaN if the first is: one instruction. Of the second, NaN is lost.
#[inline(always)]
pub fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests;
