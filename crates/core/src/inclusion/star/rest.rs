//! A star whose chassis is at rest.

use super::root::{LANES, total};
use super::{Answer, Load, MISS, Star, clamp, greater, slipping};
use crate::inclusion::nine_regions::Region;

impl Star {
    /// Σ f_i(0−) and Σ f_i(0+).
    pub(super) fn jump(&self, load: Load<'_>) -> (f64, f64) {
        let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
        for i in 0..self.d.len() {
            let (least, greatest) = self.reach(load, i);
            low[i % LANES] += least;
            high[i % LANES] += greatest;
        }
        (total(low), total(high))
    }

    /// Writes down the solution with the chassis at rest, where Σ f_i can lie between `low` and `high`.
    pub(super) fn at_rest(&self, load: Load<'_>, low: f64, high: f64, out: &mut Answer) {
        let n = self.d.len();
        let p = load.z0 * self.per_d0;
        let width = (high - low) + 2.0 * load.a_0;
        // ϑ − ½: counted from the middle, mirrored problems have mirrored answers.
        let mut theta = if width > 0.0 { clamp((p - 0.5 * (low + high)) / width, 0.5) } else { 0.0 };
        // Not a number in, not a number out.
        (out.y1, out.change) = (if p.is_nan() { p } else { 0.0 }, -load.z0);
        let mut held = usize::from(load.a_0 > 0.0);
        let mut residual = 0.0;
        let mut total = 0.0;
        for i in 0..n {
            let (least, greatest) = self.reach(load, i);
            if greatest > least {
                held += 1;
            }
            let f = between(0.5 * (least + greatest) + theta * (greatest - least), least, greatest);
            residual = greater(self.hold(load, i, f, out), residual);
            total += f;
        }
        out.r = 2.0 * theta * load.a_0;
        out.unique = held < 2 || theta.abs() == 0.5;
        let mut error = load.z0 - self.d0 * (out.r + total);
        if error.abs() > MISS * load.z0.abs() && width > 0.0 {
            // What rounding of the middles has cost.
            let more = error * self.per_d0 / width;
            theta = clamp(theta + more, 0.5);
            (residual, total) = (0.0, 0.0);
            for i in 0..n {
                let (least, greatest) = self.reach(load, i);
                let f = between(out.f[i] + more * (greatest - least), least, greatest);
                residual = greater(self.hold(load, i, f, out), residual);
                total += f;
            }
            out.r = 2.0 * theta * load.a_0;
            error = load.z0 - self.d0 * (out.r + total);
        }
        out.residual = residual + error.abs();
    }

    /// f_i(0−) and f_i(0+).
    #[inline(always)]
    fn reach(&self, load: Load<'_>, i: usize) -> (f64, f64) {
        let p = load.z[i] * self.per_d[i];
        (clamp(p - load.a_b[i], load.a_g[i]), clamp(p + load.a_b[i], load.a_g[i]))
    }

    /// Wheel i under a chassis at rest, with the ground force f: locked, or spinning where it stands. Returns the
    /// residual.
    #[inline(always)]
    fn hold(&self, load: Load<'_>, i: usize, f: f64, out: &mut Answer) -> f64 {
        let (z, d, a_g, a_b) = (load.z[i], self.d[i], load.a_g[i], load.a_b[i]);
        let p = z * self.per_d[i];
        if p - a_b > a_g || p + a_b < -a_g {
            let wheel = slipping(z, d, self.per_d[i], a_g, a_b, 0.0, p);
            (out.f[i], out.g[i], out.v[i], out.slip[i]) = (wheel.f, wheel.g, wheel.v, wheel.slip);
            out.changed |= out.regions[i] != wheel.region;
            out.regions[i] = wheel.region;
            wheel.miss
        } else {
            let g = clamp(p - f, a_b);
            (out.f[i], out.g[i], out.v[i], out.slip[i]) = (f, g, 0.0, 0.0);
            let held = Region::new(0, 0);
            out.changed |= out.regions[i] != held;
            out.regions[i] = held;
            (z - d * (f + g)).abs()
        }
    }
}

/// x brought into [low, high].
#[inline(always)]
fn between(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < high { x } else { high };
    if x > low { x } else { low }
}
