//! Conjugate gradients for the normal problem.

use rustfft::FftPlanner;

use super::Load;
use crate::fourier::Plane;
use crate::grid::Grid;
use crate::influence::Influence;
use crate::material::Material;
use crate::progress::{Iteration, Watch};

/// Grids with fewer elements along their longer side are solved without a coarser one.
const COARSEST: usize = 16;

/// Residual of the coarser grid.
const COARSE_TOLERANCE: f64 = 1e-2;

/// How an iteration ended.
pub(super) struct End {
    pub approach: f64,
    pub residual: f64,
    pub iterations: usize,
}

/// A normal problem with all its working space.
pub(super) struct Gradients {
    grid: Grid,
    load: Load,
    plane: Plane,
    symbol: Vec<f64>,
    /// w, influence of an element on itself.
    own: f64,
    height: Vec<f64>,
    pressure: Vec<f64>,
    /// W p.
    sunk: Vec<f64>,
    gap: Vec<f64>,
    direction: Vec<f64>,
    /// W times the direction.
    carried: Vec<f64>,
}

impl Gradients {
    /// The problem with a first pressure from a grid of half the fineness.
    pub(super) fn new(
        planner: &mut FftPlanner<f64>,
        grid: Grid,
        material: Material,
        height: Vec<f64>,
        load: Load,
        watch: Watch,
    ) -> Gradients {
        let plane = Plane::new(planner, grid.nx(), grid.ny());
        let influence = Influence::new(&grid, &material, plane.px / 2, plane.py / 2);
        let [symbol, _] = plane.symbols(&influence, &influence.zz, &influence.zz, false);
        let n = grid.len();
        let pressure = if grid.nx().max(grid.ny()) >= COARSEST {
            let coarse_grid = grid.halved();
            let coarse_height = halve(&grid, &coarse_grid, &height);
            let mut watch = |iteration: Iteration| watch(iteration.coarser());
            let mut coarse = Gradients::new(planner, coarse_grid, material, coarse_height, load, &mut watch);
            coarse.run(COARSE_TOLERANCE, 100, &mut watch);
            interpolate(&coarse_grid, &grid, &coarse.pressure)
        } else {
            vec![1.0; n]
        };
        let mut problem = Gradients {
            grid,
            load,
            plane,
            symbol,
            own: influence.zz[0],
            height,
            pressure,
            sunk: vec![0.0; n],
            gap: vec![0.0; n],
            direction: vec![0.0; n],
            carried: vec![0.0; n],
        };
        problem.begin();
        problem
    }

    /// Pressure and gap as last measured.
    pub(super) fn into_fields(self) -> (Vec<f64>, Vec<f64>) {
        (self.pressure, self.gap)
    }

    /// Scales the first pressure to the load, or to the greatest one that does not push the bodies apart.
    fn begin(&mut self) {
        if let Load::Approach(approach) = self.load {
            // With Wp ≤ δ − h on average: p ← p·Σ(δ−h)⁺p/ΣpWp, the best multiple.
            for (p, h) in self.pressure.iter_mut().zip(&self.height) {
                if *h >= approach {
                    *p = 0.0;
                } else if *p == 0.0 {
                    *p = f64::MIN_POSITIVE;
                }
            }
            self.plane.scalar(&self.pressure, &self.symbol, &mut self.sunk);
            let (mut work, mut energy) = (0.0, 0.0);
            for ((p, u), h) in self.pressure.iter().zip(&self.sunk).zip(&self.height) {
                work += p * (approach - h).max(0.0);
                energy += p * u;
            }
            let factor = if energy > 0.0 { work / energy } else { 0.0 };
            self.scale(factor);
        } else {
            self.meet_load();
        }
        self.plane.scalar(&self.pressure, &self.symbol, &mut self.sunk);
    }

    fn scale(&mut self, factor: f64) {
        self.pressure.iter_mut().for_each(|p| *p *= factor);
        self.sunk.iter_mut().for_each(|u| *u *= factor);
    }

    fn meet_load(&mut self) {
        if let Load::Force(force) = self.load {
            let sum: f64 = self.pressure.iter().sum::<f64>() * self.grid.area();
            if sum > 0.0 {
                self.scale(force / sum);
            } else {
                self.pressure.fill(force / (self.grid.area() * self.grid.len() as f64));
            }
        }
    }

    /// δ: given, or the mean of h + Wp over the contact.
    fn approach(&self) -> f64 {
        match self.load {
            Load::Approach(approach) => approach,
            Load::Force(_) => {
                let (mut sum, mut count) = (0.0, 0.0);
                for ((p, u), h) in self.pressure.iter().zip(&self.sunk).zip(&self.height) {
                    if *p > 0.0 {
                        sum += u + h;
                        count += 1.0;
                    }
                }
                sum / f64::max(count, 1.0)
            }
        }
    }

    /// Sets the gap for an approach; returns the residual.
    fn measure(&mut self, approach: f64) -> f64 {
        let (mut worst, mut greatest) = (0.0_f64, 0.0_f64);
        let per = 1.0 / self.own;
        for k in 0..self.gap.len() {
            let g = self.sunk[k] + self.height[k] - approach;
            let p = self.pressure[k];
            self.gap[k] = g;
            greatest = greatest.max(p);
            // |p − max(p − g/w, 0)|
            let miss = (g * per).min(p).abs();
            worst = if miss.is_nan() || miss > worst { miss } else { worst };
        }
        if greatest > 0.0 { worst / greatest } else { f64::INFINITY }
    }

    /// Iterates until the residual is reached or the iterations are used up.
    pub(super) fn run(&mut self, tolerance: f64, most: usize, watch: Watch) -> End {
        let elements = [self.grid.nx(), self.grid.ny()];
        let mut iterations = 0;
        let mut last = 0.0;
        let mut fresh = true;
        loop {
            let approach = self.approach();
            let residual = self.measure(approach);
            let now = Iteration { elements, finer: 0, count: iterations, residual, tolerance };
            let stopped = watch(now).is_break();
            // Carried sums drift by rounding: believe them only after a fresh product.
            if residual <= tolerance && !fresh {
                self.plane.scalar(&self.pressure, &self.symbol, &mut self.sunk);
                fresh = true;
                continue;
            }
            if residual <= tolerance || iterations >= most || stopped || residual.is_nan() {
                return End { approach, residual, iterations };
            }
            fresh = self.advance(&mut last);
            iterations += 1;
        }
    }

    /// One step; whether Wp was formed anew. `last` is the last Σg², 0 to begin anew.
    fn advance(&mut self, last: &mut f64) -> bool {
        let forced = matches!(self.load, Load::Force(_));
        let (mut now, mut count) = (0.0, 0.0_f64);
        for (p, g) in self.pressure.iter().zip(&self.gap) {
            if *p > 0.0 {
                now += g * g;
                count += 1.0;
            }
        }
        let keep = if *last > 0.0 { now / *last } else { 0.0 };
        *last = now;
        for ((t, p), g) in self.direction.iter_mut().zip(&self.pressure).zip(&self.gap) {
            *t = if *p > 0.0 { g + keep * *t } else { 0.0 };
        }
        self.plane.scalar(&self.direction, &self.symbol, &mut self.carried);
        let mut mean = 0.0;
        if forced {
            for (p, r) in self.pressure.iter().zip(&self.carried) {
                if *p > 0.0 {
                    mean += r;
                }
            }
            mean /= count.max(1.0);
        }
        let (mut work, mut energy) = (0.0, 0.0);
        for k in 0..self.gap.len() {
            if self.pressure[k] > 0.0 {
                work += self.gap[k] * self.direction[k];
                energy += (self.carried[k] - mean) * self.direction[k];
            }
        }
        let step = if energy > 0.0 { work / energy } else { 0.0 };
        let mut changed = false;
        for k in 0..self.gap.len() {
            let p = &mut self.pressure[k];
            if *p > 0.0 {
                *p -= step * self.direction[k];
                if *p <= 0.0 {
                    *p = 0.0;
                    changed = true;
                }
            }
        }
        // Elements outside that overlap come in with the pressure that the step suggests.
        let entering = if step > 0.0 { step } else { 1.0 / self.own };
        for k in 0..self.gap.len() {
            if self.pressure[k] == 0.0 && self.gap[k] < 0.0 {
                self.pressure[k] = -entering * self.gap[k];
                changed = true;
                *last = 0.0;
            }
        }
        if changed {
            self.meet_load();
            self.plane.scalar(&self.pressure, &self.symbol, &mut self.sunk);
        } else {
            for (u, r) in self.sunk.iter_mut().zip(&self.carried) {
                *u -= step * r;
            }
            self.meet_load();
        }
        changed
    }
}

/// Means over the (up to four) elements in each coarse one.
fn halve(fine: &Grid, coarse: &Grid, values: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; coarse.len()];
    let mut count = vec![0.0; coarse.len()];
    for (k, v) in values.iter().enumerate() {
        let (i, j) = fine.at(k);
        let at = i / 2 + (if fine.ny() > 1 { j / 2 } else { 0 }) * coarse.nx();
        out[at] += v;
        count[at] += 1.0;
    }
    out.iter_mut().zip(&count).for_each(|(o, c)| *o /= c);
    out
}

/// Bilinear interpolation from the coarse grid's centres.
fn interpolate(coarse: &Grid, fine: &Grid, values: &[f64]) -> Vec<f64> {
    let neighbour = |i: usize, n: usize| {
        let near = i / 2;
        let far = if i.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(n - 1) };
        (near, far)
    };
    (0..fine.len())
        .map(|k| {
            let (i, j) = fine.at(k);
            let (i0, i1) = neighbour(i, coarse.nx());
            let (j0, j1) = if fine.ny() > 1 { neighbour(j, coarse.ny()) } else { (0, 0) };
            let row = |j: usize| 0.75 * values[i0 + j * coarse.nx()] + 0.25 * values[i1 + j * coarse.nx()];
            0.75 * row(j0) + 0.25 * row(j1)
        })
        .collect()
}
