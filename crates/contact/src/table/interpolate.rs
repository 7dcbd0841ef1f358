//! Between the points of a table.
//!
//! In ln(a/b), β and α by polynomials through four points, which symmetry continues beyond 0° and 90°, so that there are always two on
//! either side; in t by cubic pieces with slopes that keep to the sides of Fritsch and Carlson (1980), so that what grows from point to point
//! grows in between.

use super::{Table, TableError, stretch};

/// Forces over μN, the moment over μNc, the share of stick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled {
    /// F_x/(μN).
    pub fx: f64,
    /// F_y/(μN).
    pub fy: f64,
    /// M_z/(μNc).
    pub mz: f64,
    /// Share of stick.
    pub stick: f64,
    /// Whether nodes have a part in it that the elements did not resolve and that were filled in.
    pub filled: bool,
}

/// Four weights and the first of four places, which may lie beyond the ends.
type Window = (i64, [f64; 4]);

/// a/b may be off the table's ends by rounding.
const ROUNDING: f64 = 1e-9;

impl Table {
    /// Forces at scaled creepages (u_x, u_y, u_φ), which must be finite; a/b must lie within the table.
    pub fn at(&self, ratio: f64, u: [f64; 3]) -> Result<Scaled, TableError> {
        let [least, most] = [self.spec.ratios[0], self.spec.ratios[self.spec.ratios.len() - 1]];
        if !(ratio >= least * (1.0 - ROUNDING) && ratio <= most * (1.0 + ROUNDING)) {
            return Err(TableError::Ratio { least, most, found: ratio });
        }
        // (−ξ, η, φ) has (−F_x, F_y, M_z), and (ξ, −η, −φ) has (F_x, −F_y, −M_z).
        let turned = if u[2] < 0.0 || (u[2] == 0.0 && u[1] < 0.0) { -1.0 } else { 1.0 };
        let [sx, sy, sz] = stretch(ratio);
        let [x, y, z] = [u[0].abs() * sx, turned * u[1] * sy, u[2].abs() * sz];
        let across = x.hypot(y);
        let rho = across.hypot(z);
        if rho == 0.0 {
            return Ok(Scaled { fx: 0.0, fy: 0.0, mz: 0.0, stick: 1.0, filled: false });
        }
        let t = rho / (1.0 + rho);
        let found = self.in_quadrant(ratio, t, z.atan2(across), y.atan2(x));
        let fx = if u[0] < 0.0 { -found.fx } else { found.fx };
        Ok(Scaled { fx, fy: turned * found.fy, mz: turned * found.mz, ..found })
    }

    fn in_quadrant(&self, ratio: f64, t: f64, spin_angle: f64, direction: f64) -> Scaled {
        let quarter = std::f64::consts::FRAC_PI_2;
        let beta = uniform(spin_angle / quarter * self.spec.spins as f64, self.spec.spins as i64);
        let place = (direction / quarter + 1.0) * self.spec.directions as f64;
        let alpha = uniform(place, 2 * self.spec.directions as i64);
        let ratios = self.ratio_window(ratio.ln());
        let count = self.spec.magnitudes;
        let (h, m) = (1.0 / count as f64, ((t * count as f64) as usize).min(count - 1));
        // Slopes at either end of the piece need two points on each side.
        let first = m.saturating_sub(2).min(count - 5);
        let (mut near, mut filled) = ([[0.0; 4]; 6], false);
        for (k, near) in near.iter_mut().enumerate() {
            let solved;
            (*near, solved) = self.around_at(&ratios, beta, alpha, first + k);
            filled |= !solved;
            for value in &mut near[..3] {
                // At t = 0 the force is nought, and f/t its slope.
                *value *= if first + k == 0 { 1.0 } else { (first + k) as f64 * h };
            }
        }
        let s = (t - m as f64 * h) / h;
        let force = [0, 1, 2].map(|c| piece(&near.map(|node| node[c]), first, m, count, h, s));
        let stick = near[m - first][3] + s * (near[m + 1 - first][3] - near[m - first][3]);
        // Polynomials may pass the bound by their error; friction does not.
        let size = force[0].hypot(force[1]).max(1.0);
        Scaled { fx: force[0] / size, fy: force[1] / size, mz: force[2], stick: stick.clamp(0.0, 1.0), filled }
    }

    /// Up to four a/b next to this one and their weights.
    fn ratio_window(&self, log: f64) -> Vec<(usize, f64)> {
        let logs = &self.logs;
        let above = logs.partition_point(|known| *known <= log);
        let count = logs.len().min(4);
        let first = above.saturating_sub(2).min(logs.len() - count);
        let weight = |own: usize| {
            let others = (first..first + count).filter(|other| *other != own);
            others.map(|other| (log - logs[other]) / (logs[own] - logs[other])).product()
        };
        (first..first + count).map(|own| (own, weight(own))).collect()
    }

    /// The values at node m of t, interpolated over everything else, and whether all nodes that have a part in them were solved.
    fn around_at(&self, ratios: &[(usize, f64)], beta: Window, alpha: Window, m: usize) -> ([f64; 4], bool) {
        let (mut sum, mut all) = ([0.0; 4], true);
        for &(i, by_ratio) in ratios {
            for (j, by_beta) in (beta.0..).zip(beta.1) {
                for (k, by_alpha) in (alpha.0..).zip(alpha.1) {
                    let weight = by_ratio * by_beta * by_alpha;
                    if weight != 0.0 {
                        let (node, solved) = self.continued(i, j, k, m);
                        all &= solved;
                        (0..4).for_each(|c| sum[c] += weight * node[c]);
                    }
                }
            }
        }
        (sum, all)
    }

    /// A node that may lie beyond the ends of the angles, and whether it was solved.
    fn continued(&self, i: usize, mut j: i64, mut k: i64, m: usize) -> ([f64; 4], bool) {
        let (spins, around) = (self.spec.spins as i64, 2 * self.spec.directions as i64);
        let mut sign = [1.0; 3];
        if j < 0 {
            // (ξ, η, −φ) is (ξ, −η, φ) seen in a mirror.
            (j, k) = (-j, around - k);
            sign = [1.0, -1.0, -1.0];
        } else if j > spins {
            // Past pure spin ξ and η have changed their signs, and a change of ξ alone changes F_x alone.
            (j, k) = (2 * spins - j, around - k);
            sign = [-1.0, 1.0, 1.0];
        }
        if k < 0 || k > around {
            k = if k < 0 { -k } else { 2 * around - k };
            sign[0] = -sign[0];
        }
        let at = self.index((i, j as usize, k as usize, m));
        let [x, y, z, stick] = self.nodes[at];
        ([sign[0] * x, sign[1] * y, sign[2] * z, stick], self.solved[at])
    }
}

/// The cubic through four equally spaced points, the middle two around `place`.
fn uniform(place: f64, last: i64) -> Window {
    let cell = (place.floor() as i64).clamp(0, last - 1);
    let s = place - cell as f64;
    let weights = [
        -s * (s - 1.0) * (s - 2.0) / 6.0,
        (s + 1.0) * (s - 1.0) * (s - 2.0) / 2.0,
        -(s + 1.0) * s * (s - 2.0) / 2.0,
        (s + 1.0) * s * (s - 1.0) / 6.0,
    ];
    (cell - 1, weights)
}

/// The cubic piece from node m to m + 1 at s ∈ [0, 1]; `near` are the values from node `first` on, of which the one at t = 0 is a slope.
fn piece(near: &[f64; 6], first: usize, m: usize, count: usize, h: f64, s: f64) -> f64 {
    let value = |node: usize| if node == 0 { 0.0 } else { near[node - first] };
    let (start, slope) = (value(m), |node: usize| limited(node, count, &value, || h * near[0]));
    let (rise, left, right) = (value(m + 1) - start, slope(m), slope(m + 1));
    // Hermite: start + s left + s² (3 rise − 2 left − right) + s³ (left + right − 2 rise).
    start + s * (left + s * (3.0 * rise - 2.0 * left - right + s * (left + right - 2.0 * rise)))
}

/// The slope at a node, per interval, of the highest order that its neighbours allow, within the bounds of Fritsch and Carlson.
fn limited(node: usize, count: usize, value: &dyn Fn(usize) -> f64, at_zero: impl Fn() -> f64) -> f64 {
    let v = |offset: i64| value((node as i64 + offset) as usize);
    let steps = |offset: i64| v(offset + 1) - v(offset);
    let slope = match node {
        0 => at_zero(),
        // Through the origin with its slope, this point and the next.
        1 => v(0) - 0.5 * at_zero() + 0.25 * v(1),
        _ if node == count => (11.0 * v(0) - 18.0 * v(-1) + 9.0 * v(-2) - 2.0 * v(-3)) / 6.0,
        _ if node + 1 == count => (2.0 * v(1) + 3.0 * v(0) - 6.0 * v(-1) + v(-2)) / 6.0,
        _ => (8.0 * (v(1) - v(-1)) - (v(2) - v(-2))) / 12.0,
    };
    let before = if node == 0 { steps(0) } else { steps(-1) };
    let after = if node == count { steps(-1) } else { steps(0) };
    let most = 3.0 * before.abs().min(after.abs());
    if before * after > 0.0 && slope * before <= 0.0 { 0.0 } else { slope.clamp(-most, most) }
}
