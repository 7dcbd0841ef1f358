//! The equation of one implicit step.
//!
//! ```text
//! y1 = z1 − d1 f,    y2 = z2 − d2 (f + g),    g ∈ a_B σ(y2)
//! e (f − f0) + V ξ(f) + N(f) ∋ y1 + y2,       e = 1/(kh)
//! ```
//!
//! For a given f the brake answers with g = clamp(z2/d2 − f, ±a_B), so that f is the root of
//! R(f) = e(f − f0) + Vξ(f) − y1(f) − y2(f), strictly increasing and straight on each segment of the curve but for two
//! kinks where the brake begins to slip. The segment is found by bisection from the last step's, the root in it in closed form.

use stickslip_contact::curve::Curve;

/// The constants of the problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem<'a> {
    pub curve: &'a Curve,
    /// h/m.
    pub d1: f64,
    /// h/J.
    pub d2: f64,
    /// J/h.
    pub per_d2: f64,
    /// 1/(kh).
    pub e: f64,
}

/// What changes from step to step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data {
    pub z1: f64,
    pub z2: f64,
    /// Ground force before the step.
    pub f0: f64,
    /// V.
    pub speed: f64,
    /// a_B.
    pub bound: f64,
}

/// Solution of one step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub y1: f64,
    pub y2: f64,
    pub f: f64,
    pub g: f64,
    /// V ξ(f): what rolling carries away [m/s].
    pub creep: f64,
    /// Sliding as a whole [m/s]; exactly 0.0 below the limit.
    pub slide: f64,
    /// −1, 0, 1: sign of the slide, and of y2.
    pub signs: [i8; 2],
    /// What rounding leaves of the equation [m/s].
    pub residual: f64,
    pub segment: usize,
}

/// A segment of the curve, on the side of a sign.
#[derive(Debug, Clone, Copy)]
struct Line {
    sign: f64,
    base: f64,
    xi: f64,
    slope: f64,
    width: f64,
}

impl Problem<'_> {
    /// √(mk), the force on a contact per speed of the mass that swings on it [N s/m].
    pub fn stiffness_of_mass(&self) -> f64 {
        (1.0 / (self.d1 * self.e)).sqrt()
    }

    /// y2 and g for a given f; y2 is exactly 0.0 where the brake holds.
    #[inline(always)]
    fn brake(&self, data: &Data, f: f64) -> (f64, f64, i8) {
        let q = data.z2 * self.per_d2 - f;
        if q > data.bound {
            ((data.z2 - self.d2 * (f + data.bound)).max(0.0), data.bound, 1)
        } else if q < -data.bound {
            ((data.z2 - self.d2 * (f - data.bound)).min(0.0), -data.bound, -1)
        } else {
            (0.0, q, 0)
        }
    }

    /// R(f), with ξ(f) given.
    #[inline(always)]
    fn excess(&self, data: &Data, f: f64, xi: f64) -> f64 {
        self.e * (f - data.f0) + data.speed * xi - (data.z1 - self.d1 * f) - self.brake(data, f).0
    }

    /// Solves; `hint` is the segment of the step before.
    #[inline]
    pub fn solve(&self, data: &Data, hint: usize) -> Answer {
        // Mostly the force stays on its side and in its segment: a root there is the root.
        if data.f0 != 0.0 && hint < self.curve.segments() {
            let (delta, line) = self.root(data, data.f0.signum(), hint);
            let forward = line.sign * delta;
            if forward > 0.0 && forward < line.width {
                return self.answer(data, line.base + delta, line.xi + line.slope * delta, 0.0, hint);
            }
        }
        let rest = self.excess(data, 0.0, 0.0);
        let sign = if rest > 0.0 { -1.0 } else { 1.0 };
        let (limit, full) = (self.curve.limit(), self.curve.full_slip());
        // Sliding: even the limit does not hold.
        let over = -sign * self.excess(data, sign * limit, sign * full);
        if over >= 0.0 {
            return self.answer(data, sign * limit, sign * full, sign * over, self.curve.segments() - 1);
        }
        let segment = self.segment(data, sign, hint);
        let (delta, line) = self.root(data, sign, segment);
        // Rounding may lead out of the segment by a unit; beyond the limit there is nothing.
        let delta = sign * (sign * delta).clamp(0.0, line.width);
        self.answer(data, line.base + delta, line.xi + line.slope * delta, 0.0, segment)
    }

    /// The root δ of R if the whole curve were the straight line of one segment: f = base + δ, ξ = xi + slope δ.
    ///
    /// Where the curve is flat the slope is steep, and ξ must not come from the rounded f.
    #[inline(always)]
    fn root(&self, data: &Data, sign: f64, segment: usize) -> (f64, Line) {
        let ((lo, hi), (from, to)) = (self.curve.ends(segment), self.curve.creepages(segment));
        let line = Line { sign, base: sign * lo, xi: sign * from, slope: (to - from) / (hi - lo), width: hi - lo };
        let base = line.base;
        let held = data.z1 - self.d1 * base - self.e * (base - data.f0) - data.speed * line.xi;
        let weight = self.e + data.speed * line.slope + self.d1;
        // The brake holds, or else slips towards the side on which the force of holding it is missing.
        let locked = held / weight;
        let q = data.z2 * self.per_d2 - base - locked;
        let delta = if q.abs() <= data.bound {
            locked
        } else {
            (held + data.z2 - self.d2 * (base + data.bound.copysign(q))) / (weight + self.d2)
        };
        (delta, line)
    }

    /// The segment in which R changes its sign.
    #[inline]
    fn segment(&self, data: &Data, sign: f64, hint: usize) -> usize {
        // Whether the root lies beyond the upper end of segment i, or below its lower end.
        let above = |i: usize| {
            let ((_, f), (_, xi)) = (self.curve.ends(i), self.curve.creepages(i));
            sign * self.excess(data, sign * f, sign * xi) < 0.0
        };
        let (mut lo, mut hi) = (0, self.curve.segments() - 1);
        let hint = hint.min(hi);
        if above(hint) {
            lo = (hint + 1).min(hi);
        } else if hint == 0 || above(hint - 1) {
            return hint;
        } else {
            hi = hint - 1;
        }
        while lo < hi {
            let middle = usize::midpoint(lo, hi);
            if above(middle) { lo = middle + 1 } else { hi = middle }
        }
        lo
    }

    #[inline(always)]
    fn answer(&self, data: &Data, f: f64, xi: f64, slide: f64, segment: usize) -> Answer {
        let (y2, g, brake) = self.brake(data, f);
        let y1 = data.z1 - self.d1 * f;
        let creep = data.speed * xi;
        let residual = (self.e * (f - data.f0) + creep + slide - y1 - y2).abs();
        let ground = if slide > 0.0 {
            1
        } else if slide < 0.0 {
            -1
        } else {
            0
        };
        Answer { y1, y2, f, g, creep, slide, signs: [ground, brake], residual, segment }
    }
}
