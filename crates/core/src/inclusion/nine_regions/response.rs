//! The wheel with intervals of any ends, as the accelerations between events need it.
//!
//! ```text
//! y1 = z1 + r_G/m,   y2 = z2 + (r_G + r_B)/J,   r ∈ [lo_G, hi_G] × [lo_B, hi_B],   −s ∈ N_C(r),   s = (y1 + y2, y2)
//! ```
//!
//! Forces r act on the system here (the other sign than f and g of [`super::Answer`]). An end may be infinite (a contact that
//! holds whatever comes), both may be the same (a force that is known; its slip is free).

use super::super::Response;

/// Two masses under two intervals: m of the centre, J of the circumference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoIntervals {
    /// m.
    pub m: f64,
    /// J.
    pub j: f64,
}

impl TwoIntervals {
    /// The three clamps of [`super::NineRegions`], for intervals with any ends: the ground's force with the brake left free; the
    /// brake's with that; if the brake's is at an end, the ground's once more. Each step minimises the convex dual function over
    /// one more constraint, so that it holds for any box.
    #[inline(always)]
    pub fn respond(&self, free: [f64; 2], lo: [f64; 2], hi: [f64; 2]) -> Response<[f64; 2], [f64; 2]> {
        let (m, j) = (self.m, self.j);
        let [z1, z2] = free;
        let (d1, d2) = (1.0 / m, 1.0 / j);
        let stop = -z1 * m;
        let ground = clamp(stop, lo[0], hi[0]);
        let lock = -z2 * j - ground;
        if lo[1] <= lock && lock <= hi[1] {
            let y1 = if ground == stop { 0.0 } else { z1 + d1 * ground };
            return Response { forces: [ground, lock], motion: [y1, 0.0], slips: [y1, 0.0] };
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
        Response { forces: [ground, brake], motion, slips }
    }
}

/// x brought into [lo, hi].
#[inline(always)]
fn clamp(x: f64, lo: f64, hi: f64) -> f64 {
    let x = if x < hi { x } else { hi };
    if x > lo { x } else { lo }
}
