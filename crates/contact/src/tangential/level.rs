//! The tangential problem on one grid, begun from the next coarser one.

use rustfft::FftPlanner;
use stickslip_core::law::{Disk, Set, State};

use super::leading::Leading;
use super::operator::{Operator, SlipOperator};
use super::splitting::Splitting;
use super::totals::{Limits, Totals};
use crate::grid::Grid;
use crate::material::Material;
use crate::progress::{Iteration, Watch};

/// Boxes with fewer elements along their longer side begin from zero.
const COARSEST: usize = 16;

/// Residual of coarser grids.
const COARSE_TOLERANCE: f64 = 1e-3;

/// Iterations after which a coarser grid is good enough.
const COARSE_ITERATIONS: usize = 60;

/// How the iteration goes on a grid.
struct Pace {
    /// ρ K_self.
    factor: f64,
    /// Over-relaxation λ: with the acceleration anything from 1 to 1.7 serves.
    relaxation: f64,
    /// Iterates combined.
    memory: usize,
}

/// The pace for so many elements along the longer side, by iterations counted over ten motions. Finer grids have more smooth
/// modes, which a longer step moves faster; from a hundred elements on remembering three iterates takes no more
/// iterations than five, and each is shorter.
fn pace(longer: usize) -> Pace {
    match longer {
        0..60 => Pace { factor: 1.0, relaxation: 1.3, memory: 5 },
        60..100 => Pace { factor: 1.5, relaxation: 1.3, memory: 5 },
        _ => Pace { factor: 1.5, relaxation: 1.5, memory: 3 },
    }
}

/// How a solution ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub residual: f64,
    pub iterations: usize,
}

/// One grid with its operator, bounds, rigid slip and tractions.
pub(super) struct Level {
    grid: Grid,
    pub operator: Operator,
    splitting: Splitting,
    pub bound: Vec<f64>,
    /// Elements before the leading edge, if the transport knows of it.
    pub leading: Vec<Leading>,
    /// Rigid slip without the creepages of `totals`.
    pub bx: Vec<f64>,
    pub by: Vec<f64>,
    /// Tractions.
    pub rx: Vec<f64>,
    pub ry: Vec<f64>,
    /// Slip without the choice of states: K r + b + c.
    pub sx: Vec<f64>,
    pub sy: Vec<f64>,
    pub totals: Totals,
    coarse: Option<Box<Level>>,
}

impl Level {
    pub(super) fn new(
        planner: &mut FftPlanner<f64>,
        grid: Grid,
        material: &Material,
        bound: Vec<f64>,
        carriage: SlipOperator,
    ) -> Level {
        let operator = Operator::new(planner, &grid, material, carriage);
        let longer = grid.nx().max(grid.ny());
        let Pace { factor, relaxation, memory } = pace(longer);
        let splitting = Splitting::new(&operator, factor / operator.own, relaxation, memory);
        let coarse = (longer >= COARSEST).then(|| {
            let halved = grid.halved();
            let mut sums = vec![0.0; halved.len()];
            let full = if grid.ny() > 1 { 4.0 } else { 2.0 };
            gather(&grid, &halved, &bound, |at, v| sums[at] += v / full);
            Box::new(Level::new(planner, halved, material, sums, carriage.coarser()))
        });
        let zeros = || vec![0.0; grid.len()];
        Level {
            operator,
            splitting,
            bx: zeros(),
            by: zeros(),
            rx: zeros(),
            ry: zeros(),
            sx: zeros(),
            sy: zeros(),
            totals: Totals { sum: [None; 2], creepage: [0.0; 2] },
            bound,
            leading: Vec::new(),
            grid,
            coarse,
        }
    }

    /// Solves from nothing: from the coarser grid, if there is one.
    pub(super) fn solve(&mut self, tolerance: f64, most: usize, watch: Watch) -> End {
        if self.coarse.is_some() {
            self.ask_coarse(watch);
        } else {
            self.rx.fill(0.0);
            self.ry.fill(0.0);
        }
        self.improve(tolerance, most, watch)
    }

    /// Solves from the tractions in `rx`, `ry`.
    pub(super) fn improve(&mut self, tolerance: f64, most: usize, watch: Watch) -> End {
        let elements = [self.grid.nx(), self.grid.ny()];
        self.splitting.begin(&mut self.operator, [&self.rx, &self.ry]);
        let mut aim = 0.7 * tolerance;
        let mut iterations = 0;
        loop {
            let sizes = self.splitting.advance(
                &mut self.operator,
                [&self.bx, &self.by],
                Limits { bound: &self.bound, leading: &self.leading },
                &mut self.totals,
                [&mut self.rx, &mut self.ry],
            );
            iterations += 1;
            let size = self.size(sizes.greatest);
            let now = Iteration { elements, finer: 0, count: iterations, residual: sizes.miss / size, tolerance };
            let spent = watch(now).is_break() || iterations >= most;
            if sizes.miss <= aim * size || spent || sizes.miss.is_nan() {
                let b = [&self.bx[..], &self.by[..]];
                let limits = Limits { bound: &self.bound, leading: &self.leading };
                self.splitting.project(b, limits, &mut self.totals, [&mut self.rx, &mut self.ry]);
                let residual = self.measure();
                if residual <= tolerance || spent || sizes.miss.is_nan() {
                    return End { residual, iterations };
                }
                aim *= (0.5 * tolerance / residual).clamp(0.1, 0.7);
            }
        }
    }

    /// What a miss is measured by: max|r| + min(ρ max|b + c|, max μp). The bound keeps large creepages, which tractions
    /// cannot follow, from hiding a miss.
    fn size(&self, greatest: f64) -> f64 {
        let [cx, cy] = self.totals.creepage;
        let (mut rigid, mut bound) = (0.0_f64, 0.0_f64);
        for ((x, y), mu_p) in self.bx.iter().zip(&self.by).zip(&self.bound) {
            if *mu_p > 0.0 {
                rigid = rigid.max((x + cx).powi(2) + (y + cy).powi(2));
                bound = bound.max(*mu_p);
            }
        }
        greatest + bound.min(rigid.sqrt() / self.operator.own)
    }

    /// Slips of the present tractions, and their residual.
    fn measure(&mut self) -> f64 {
        self.operator.apply(&self.rx, &self.ry, &mut self.sx, &mut self.sy);
        let [cx, cy] = self.totals.creepage;
        for k in 0..self.bound.len() {
            self.sx[k] += self.bx[k] + cx;
            self.sy[k] += self.by[k] + cy;
        }
        for leading in &self.leading {
            let k = leading.at;
            let [x, y] = leading.slip([self.rx[k], self.ry[k]]);
            self.sx[k] += x;
            self.sy[k] += y;
        }
        self.residual(&self.bound)
    }

    /// The relative residual of tractions and slips in disks of given radii, max|r − Proj_C(r − ρs)| over
    /// [`Level::size`].
    pub(super) fn residual(&self, bound: &[f64]) -> f64 {
        let rho = 1.0 / self.operator.own;
        let (mut worst, mut greatest) = (0.0_f64, 0.0_f64);
        for (k, &bound) in bound.iter().enumerate() {
            if bound == 0.0 && self.rx[k] == 0.0 && self.ry[k] == 0.0 {
                continue;
            }
            let mut x = [self.rx[k] - rho * self.sx[k], self.ry[k] - rho * self.sy[k]];
            if let Ok(disk) = Disk::new(bound) {
                disk.project(&mut x);
            }
            let miss = (x[0] - self.rx[k]).hypot(x[1] - self.ry[k]);
            worst = if miss.is_nan() || miss > worst { miss } else { worst };
            greatest = greatest.max(self.rx[k].hypot(self.ry[k]));
        }
        if worst == 0.0 { 0.0 } else { worst / self.size(greatest) }
    }

    /// Mode of element k, from r − ρs.
    pub(super) fn state(&self, k: usize) -> State {
        let rho = 1.0 / self.operator.own;
        match Disk::new(self.bound[k]) {
            Ok(disk) if disk.radius() > 0.0 => {
                disk.state(&[self.rx[k] - rho * self.sx[k], self.ry[k] - rho * self.sy[k]])
            }
            _ => State::Open,
        }
    }

    /// Tractions, relative to their bounds, and creepage of the coarser grid.
    fn ask_coarse(&mut self, watch: Watch) {
        let Some(coarse) = &mut self.coarse else { return };
        let each = coarse.grid.area() / self.grid.area();
        coarse.totals = Totals { sum: self.totals.sum.map(|s| s.map(|s| s / each)), ..self.totals };
        for (from, to) in [(&self.bx, &mut coarse.bx), (&self.by, &mut coarse.by)] {
            to.fill(0.0);
            gather(&self.grid, &coarse.grid, from, |at, v| to[at] += v);
            // Blocks at the far ends may have fewer elements.
            let (nx, ny) = (self.grid.nx(), self.grid.ny());
            for (k, v) in to.iter_mut().enumerate() {
                let (i, j) = coarse.grid.at(k);
                let columns = 2.min(nx - 2 * i);
                let rows = if ny > 1 { 2.min(ny - 2 * j) } else { 1 };
                *v /= (columns * rows) as f64;
            }
        }
        coarse.solve(COARSE_TOLERANCE, COARSE_ITERATIONS, &mut |iteration| watch(iteration.coarser()));
        self.totals.creepage = coarse.totals.creepage;
        let (mx, my) = (coarse.grid.nx(), coarse.grid.ny());
        let towards =
            |i: usize, n: usize| if i.is_multiple_of(2) { (i / 2).saturating_sub(1) } else { (i / 2 + 1).min(n - 1) };
        for k in 0..self.bound.len() {
            let (i, j) = self.grid.at(k);
            let (i0, i1) = (i / 2, towards(i, mx));
            let (j0, j1) = if self.grid.ny() > 1 { (j / 2, towards(j, my)) } else { (0, 0) };
            let (mut x, mut y, mut weight) = (0.0, 0.0, 0.0);
            for (at, share) in [(i0 + j0 * mx, 9.0), (i1 + j0 * mx, 3.0), (i0 + j1 * mx, 3.0), (i1 + j1 * mx, 1.0)] {
                let bound = coarse.bound[at];
                if bound > 0.0 {
                    x += share * coarse.rx[at] / bound;
                    y += share * coarse.ry[at] / bound;
                    weight += share;
                }
            }
            let scale = if weight > 0.0 { self.bound[k] / weight } else { 0.0 };
            (self.rx[k], self.ry[k]) = (scale * x, scale * y);
        }
    }
}

/// Calls `add` with the number of the coarse element and the value of every fine element in it.
fn gather(fine: &Grid, coarse: &Grid, values: &[f64], mut add: impl FnMut(usize, f64)) {
    for (k, v) in values.iter().enumerate() {
        let (i, j) = fine.at(k);
        let row = if fine.ny() > 1 { j / 2 } else { 0 };
        add(i / 2 + row * coarse.nx(), *v);
    }
}
