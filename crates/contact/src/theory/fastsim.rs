//! Kalker's FASTSIM.

use super::{Theory, TheoryError, finite};
use crate::patch::{Creepage, Forces, Patch};
use stickslip_core::range::OutOfRange;

/// Strips that are worked on together: a multiple of every vector register's width.
const LANES: usize = 16;

/// Creepages beyond this many times full slip give the forces of this many: squares must stay finite.
const HUGE: f64 = 1e60;

/// The elastic layer, strip by strip.
///
/// Displacement is proportional to traction, u = L q, with one flexibility for each creepage chosen such that the
/// linear theory is met for small creepages:
///
/// ```text
/// L₁ = 8a/(3 C₁₁ G),    L₂ = 8a/(3 C₂₂ G),    L₃ = π a √(a/b)/(4 C₂₃ G)
/// −∂q_x/∂x = ξ/L₁ − φy/L₃ − slip,   −∂q_y/∂x = η/L₂ + φx/L₃ − slip,   |q| ≤ μp,   p = (2N/πab)(1 − x²/a² − y²/b²)
/// ```
///
/// (q: traction on body 2, F = −Σq.) From the leading edge, where q = 0, each cell takes its neighbour's traction, adds the
/// creepage, and projects the sum onto the disk μp: the project's inclusion with a triangular W, solved in one pass.
/// On each strip, of half-length l(y) = √(1 − y²) in units of a and b, τ = q/(l² μp_max) has the same bound
/// c = 1 − ζ² at the same relative place ζ = x/l, so that strips differ by two numbers only and run side by side.
///
/// Strips have equal widths, the cells of a strip equal lengths. Sums are divided by the sum of the bounds, so that
/// full slip gives μN exactly. Source: Kalker 1982.
#[derive(Debug, Clone)]
pub struct Fastsim {
    strips: usize,
    /// In the order of rolling, leading edge first.
    cells: Vec<Cell>,
    groups: Vec<Group>,
    /// 1/Σ l³c: over all cells.
    per_bound: f64,
    /// 1/Σ l: over all cells.
    per_area: f64,
    arch: pulp::Arch,
}

/// Where in its cell a traction is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sampling {
    /// At the centre, half a cell's creepage after its edge: second order in the length of a cell.
    #[default]
    Centred,
    /// The bound at the centre, the creepage of the whole cell, as first published: first order; small creepages give
    /// (1 + 1/n) times the force.
    Kalker,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Length of the step that leads to the sampling point, in units of the strip's half-length.
    step: f64,
    /// Mean ζ on that step.
    mean: f64,
    /// ζ at the sampling point.
    place: f64,
    /// 1 − ζ².
    bound: f64,
}

#[derive(Debug, Clone)]
struct Group {
    /// y in units of b.
    y: [f64; LANES],
    /// l(y) in units of a, 0 for lanes that only fill up.
    half: [f64; LANES],
    /// 1/l(y), 0 for those.
    per_half: [f64; LANES],
}

/// Sums over the cells of each strip of a group.
#[derive(Clone, Copy)]
struct Sums {
    x: [f64; LANES],
    y: [f64; LANES],
    /// Of ζ times y.
    turn: [f64; LANES],
    /// Cells that slip.
    slipping: [f64; LANES],
}

impl Fastsim {
    /// With so many strips across and cells along each, 1 to 10 000; sampled at the centres.
    pub fn new(strips: usize, cells: usize) -> Result<Fastsim, OutOfRange> {
        Fastsim::with_sampling(strips, cells, Sampling::Centred)
    }

    /// The same with a choice of sampling.
    pub fn with_sampling(strips: usize, cells: usize, sampling: Sampling) -> Result<Fastsim, OutOfRange> {
        for (what, count) in [("strips", strips), ("cells", cells)] {
            if !(1..=10_000).contains(&count) {
                return Err(OutOfRange { what, value: count as f64, unit: "", wanted: "between 1 and 10000" });
            }
        }
        let n = cells as f64;
        let cells: Vec<Cell> = (0..cells)
            .map(|k| {
                let place = 1.0 - (2 * k + 1) as f64 / n;
                let step = if k == 0 && sampling == Sampling::Centred { 1.0 / n } else { 2.0 / n };
                let mean = if sampling == Sampling::Centred { place + 0.5 * step } else { place };
                Cell { step, mean, place, bound: (1.0 - place) * (1.0 + place) }
            })
            .collect();
        let strip = |j: usize| {
            let y = (2 * j + 1) as f64 / strips as f64 - 1.0;
            (y, if j < strips { ((1.0 - y) * (1.0 + y)).sqrt() } else { 0.0 })
        };
        let group = |first: usize| {
            let at: [(f64, f64); LANES] = std::array::from_fn(|i| strip(first + i));
            Group {
                y: at.map(|s| s.0),
                half: at.map(|s| s.1),
                per_half: at.map(|s| if s.1 > 0.0 { 1.0 / s.1 } else { 0.0 }),
            }
        };
        let groups: Vec<Group> = (0..strips).step_by(LANES).map(group).collect();
        let along: f64 = cells.iter().map(|c| c.bound).sum();
        let halves = || groups.iter().flat_map(|g| g.half);
        Ok(Fastsim {
            strips,
            per_bound: 1.0 / (along * halves().map(|l| l * l * l).sum::<f64>()),
            per_area: 1.0 / (n * halves().sum::<f64>()),
            cells,
            groups,
            arch: pulp::Arch::new(),
        })
    }

    /// Number of strips.
    pub fn strips(&self) -> usize {
        self.strips
    }

    /// Number of cells of a strip.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }
}

/// Rolls over the cells of 16 strips: τ grows by step·(wx, wy) + step·mean·(0, spin) from cell to cell.
#[inline(always)]
fn roll(cells: &[Cell], wx: &[f64; LANES], wy: &[f64; LANES], spin: f64) -> Sums {
    let none = [0.0; LANES];
    let (mut x, mut y) = (none, none);
    let mut sums = Sums { x: none, y: none, turn: none, slipping: none };
    for cell in cells {
        let add = cell.step * cell.mean * spin;
        let square = cell.bound * cell.bound;
        let mut size = none;
        let mut slips = false;
        for i in 0..LANES {
            x[i] += cell.step * wx[i];
            y[i] += cell.step * wy[i] + add;
            size[i] = x[i] * x[i] + y[i] * y[i];
            slips |= size[i] > square;
        }
        // Roots and divisions only where at least one of the strips slips.
        if slips {
            for i in 0..LANES {
                let out = size[i] > square;
                let factor = if out { cell.bound / size[i].sqrt() } else { 1.0 };
                x[i] *= factor;
                y[i] *= factor;
                sums.slipping[i] += if out { 1.0 } else { 0.0 };
            }
        }
        for i in 0..LANES {
            sums.x[i] += x[i];
            sums.y[i] += y[i];
            sums.turn[i] += cell.place * y[i];
        }
    }
    sums
}

/// All strips for scaled creepages, with whatever vector instructions the machine has.
struct Roll<'a> {
    fastsim: &'a Fastsim,
    /// aξ/L₁ and aη/L₂ over μp_max.
    u: [f64; 2],
    /// abφ/L₃ and a²φ/L₃ over μp_max.
    spin: [f64; 2],
    a: f64,
    b: f64,
}

impl pulp::WithSimd for Roll<'_> {
    /// Σq_x, Σq_y, Σ(xq_y − yq_x), and the sum of l over cells that stick.
    type Output = [f64; 4];

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> [f64; 4] {
        let [mut fx, mut fy, mut mz, mut stuck] = [0.0; 4];
        let cells = &self.fastsim.cells;
        for group in &self.fastsim.groups {
            let (mut wx, mut wy) = ([0.0; LANES], [0.0; LANES]);
            for i in 0..LANES {
                wx[i] = (self.u[0] - self.spin[0] * group.y[i]) * group.per_half[i];
                wy[i] = self.u[1] * group.per_half[i];
            }
            let sums = roll(cells, &wx, &wy, self.spin[1]);
            for i in 0..LANES {
                let l = group.half[i];
                let cube = l * l * l;
                fx += cube * sums.x[i];
                fy += cube * sums.y[i];
                mz += cube * (self.a * l * sums.turn[i] - self.b * group.y[i] * sums.x[i]);
                stuck += l * (cells.len() as f64 - sums.slipping[i]);
            }
        }
        [fx, fy, mz, stuck]
    }
}

impl Theory for Fastsim {
    fn name(&self) -> &'static str {
        "FASTSIM"
    }

    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        let c = finite(creepage)?;
        let limit = patch.friction().at(c) * patch.load();
        if limit == 0.0 {
            return Ok(Forces { fx: 0.0, fy: 0.0, mz: Some(0.0), stick: Some(0.0) });
        }
        let (a, b, k) = (patch.a(), patch.b(), patch.coefficients());
        let g = patch.material().shear_modulus();
        let pi = std::f64::consts::PI;
        // a/(L μp_max) with μp_max = 2μN/(πab).
        let unit = pi * a * b * g / (2.0 * limit);
        let third = unit * 4.0 * k.c23 / pi * (b / a).sqrt();
        let (mut ux, mut uy) = (unit * 0.375 * k.c11 * c.xi, unit * 0.375 * k.c22 * c.eta);
        let (mut sx, mut sy) = (third * b * c.phi, third * a * c.phi);
        let greatest = ux.abs().max(uy.abs()).max(sx.abs()).max(sy.abs());
        if !greatest.is_finite() {
            return Err(TheoryError::OutOfRange {
                theory: "FASTSIM",
                reason: "the creepages are too large for a number",
            });
        }
        if greatest > HUGE {
            [ux, uy, sx, sy] = [ux, uy, sx, sy].map(|u| u * (HUGE / greatest));
        }
        let roll = Roll { fastsim: self, u: [ux, uy], spin: [sx, sy], a, b };
        let [fx, fy, mz, stuck] = self.arch.dispatch(roll);
        let scale = -limit * self.per_bound;
        Ok(Forces {
            fx: scale * fx,
            fy: scale * fy,
            mz: Some(scale * mz),
            stick: Some((stuck * self.per_area).min(1.0)),
        })
    }
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;

    #[test]
    fn any_machine_gives_the_same_bits() {
        let fastsim = Fastsim::new(50, 50).expect("valid");
        for k in 0..40 {
            let s = 0.01 * 1.3_f64.powi(k);
            let roll = || Roll { fastsim: &fastsim, u: [s, -0.3 * s], spin: [0.2 * s, 0.7 * s], a: 4e-3, b: 3e-3 };
            let plain = roll().with_simd(pulp::Scalar::new());
            assert_eq!(plain, fastsim.arch.dispatch(roll()));
        }
    }
}
