//! The pressure: where the bodies touch and how hard.
//!
//! On the set A of nodes that touch, W_AA F = δ1 − g₀ (and Σ F = P gives δ): one linear system. Nodes that pull leave A,
//! nodes that overlap enter it, all at once; after some rounds only the worst one, which cannot cycle for long.

use stickslip_linalg::{Lu, Matrix};

use super::pair::Pair;
use super::{Pressing, RollError};

/// Nodes that must touch along x.
const LEAST: usize = 5;
/// Rounds in which all nodes that should change do.
const BOLD: usize = 40;
/// Rounds after which to give up.
const MOST: usize = 400;

/// Nodal forces that press.
#[derive(Debug, Clone, PartialEq)]
pub struct Normal {
    /// F_n of every node.
    pub force: Vec<f64>,
    /// Gap of every node \[m\]: 0 where the bodies touch.
    pub gap: Vec<f64>,
    /// δ \[m\].
    pub approach: f64,
    /// Σ F_n.
    pub load: f64,
    /// Rounds of changing sets.
    pub rounds: usize,
    /// max |F − max(0, F − g/w)| over max F: 0 but for rounding.
    pub residual: f64,
}

/// The ellipse (in the plane the line) of Hertz fitted to the pressure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Half-axis along x \[m\].
    pub a: f64,
    /// Half-axis across \[m\]; none in the plane.
    pub b: Option<f64>,
    /// Greatest pressure \[Pa\].
    pub p0: f64,
    /// Its middle \[m\].
    pub centre: [f64; 2],
}

impl Fitted {
    /// The direction out of the ellipse at a place near its edge.
    pub(super) fn outward(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let Some(b) = self.b else { return [1.0, 0.0] };
        [(x - self.centre[0]) / (self.a * self.a), (y - self.centre[1]) / (b * b)]
    }
}

impl Normal {
    /// Nodes that touch.
    pub fn touching(&self) -> Vec<usize> {
        (0..self.force.len()).filter(|i| self.force[*i] > 0.0).collect()
    }
}

impl Pair {
    /// F_n with the tangential forces frozen (none: zero), from the nodes that touched before (empty: none known).
    pub fn press(&self, pressing: Pressing, tangential: Option<&[f64]>, start: &[f64]) -> Result<Normal, RollError> {
        let (n, normal) = (self.surface.len(), self.normal());
        match pressing {
            Pressing::Load(load) if !(load.is_finite() && load > 0.0) => {
                return Err(RollError::Number { what: "load", value: load, wanted: "it must be a finite number > 0" });
            }
            Pressing::Approach(value) if !value.is_finite() => {
                return Err(RollError::Number { what: "approach", value, wanted: "it must be a finite number" });
            }
            _ => {}
        }
        // Gap without normal forces and approach.
        let mut gap = self.surface.gap.clone();
        if let Some(tangential) = tangential.filter(|_| self.is_coupled()) {
            for (i, gap) in gap.iter_mut().enumerate() {
                for (j, force) in tangential.chunks_exact(normal).enumerate() {
                    *gap += force.iter().enumerate().map(|(b, f)| self.w((i, normal), (j, b)) * f).sum::<f64>();
                }
            }
        }
        let nearest = gap.iter().copied().fold(f64::INFINITY, f64::min);
        if let Pressing::Approach(approach) = pressing
            && approach <= nearest
        {
            return Err(RollError::NoContact { gap: nearest - approach });
        }
        let mut touches: Vec<bool> = if start.iter().any(|f| *f > 0.0) {
            start.iter().map(|f| *f > 0.0).collect()
        } else {
            self.first_guess(pressing, &gap)
        };
        let mut changes = 0;
        for rounds in 1..=MOST {
            let set: Vec<usize> = (0..n).filter(|i| touches[*i]).collect();
            let (forces, approach) = self.on(&set, &gap, pressing);
            let mut force = vec![0.0; n];
            set.iter().zip(&forces).for_each(|(i, f)| force[*i] = *f);
            let open: Vec<f64> = (0..n)
                .map(|i| {
                    gap[i] - approach + set.iter().map(|j| self.w((i, normal), (*j, normal)) * force[*j]).sum::<f64>()
                })
                .collect();
            let w = self.w((n / 2, normal), (n / 2, normal));
            let most = forces.iter().copied().fold(0.0, f64::max);
            // Rounding of the gap, as a force.
            let slack = 1e-12 * most;
            let wrong = |i: usize| if touches[i] { -force[i] } else { -open[i] / w };
            let list: Vec<usize> = (0..n).filter(|i| wrong(*i) > slack).collect();
            if list.is_empty() {
                force.iter_mut().for_each(|f| *f = f.max(0.0));
                let miss = |i: usize| (force[i] - (force[i] - open[i] / w).max(0.0)).abs();
                let residual = (0..n).map(miss).fold(0.0, f64::max) / most;
                let load = force.iter().sum();
                let gap =
                    open.iter().zip(&touches).map(|(gap, touches)| if *touches { 0.0 } else { gap.max(0.0) }).collect();
                let normal = Normal { force, gap, approach, load, rounds, residual };
                self.check(&normal)?;
                return Ok(normal);
            }
            changes = list.len();
            if rounds <= BOLD {
                list.iter().for_each(|i| touches[*i] = !touches[*i]);
            } else if let Some(worst) = list.into_iter().max_by(|a, b| wrong(*a).total_cmp(&wrong(*b))) {
                touches[worst] = !touches[worst];
            }
        }
        Err(RollError::Pressure { changes, rounds: MOST })
    }

    /// Forces on the nodes of a set, and the approach.
    fn on(&self, set: &[usize], gap: &[f64], pressing: Pressing) -> (Vec<f64>, f64) {
        let normal = self.normal();
        let matrix = Matrix::from_fn(set.len(), set.len(), |a, b| self.w((set[a], normal), (set[b], normal)));
        let factors = Lu::new(&matrix);
        // F = δ e − f with W e = 1, W f = g.
        let mut unit = vec![1.0; set.len()];
        let mut forces: Vec<f64> = set.iter().map(|i| gap[*i]).collect();
        factors.solve(&mut unit);
        factors.solve(&mut forces);
        let approach = match pressing {
            Pressing::Approach(approach) => approach,
            Pressing::Load(load) => (load + forces.iter().sum::<f64>()) / unit.iter().sum::<f64>(),
        };
        (forces.iter().zip(&unit).map(|(f, e)| approach * e - f).collect(), approach)
    }

    /// Nodes that touch at a guess: those with the smallest gaps.
    fn first_guess(&self, pressing: Pressing, gap: &[f64]) -> Vec<bool> {
        match pressing {
            Pressing::Approach(approach) => gap.iter().map(|g| *g < approach).collect(),
            Pressing::Load(_) => {
                let mut sorted = gap.to_vec();
                sorted.sort_by(f64::total_cmp);
                let middle = sorted[sorted.len() / 2];
                gap.iter().map(|g| *g <= middle).collect()
            }
        }
    }

    fn check(&self, normal: &Normal) -> Result<(), RollError> {
        let mut longest = 0;
        for (r, row) in self.surface.rows.iter().enumerate() {
            let loaded = row.nodes().filter(|i| normal.force[*i] > 0.0);
            longest = longest.max(loaded.clone().count());
            for node in loaded {
                if self.surface.on_margin(r, node) {
                    return Err(RollError::Margin { place: [self.surface.x[node], row.y] });
                }
            }
        }
        if longest < LEAST { Err(RollError::Coarse { nodes: longest, least: LEAST }) } else { Ok(()) }
    }

    /// Least squares of p² over the nodes with p > 0.4 max p: p² = p0² (1 − (x−x₀)²/a² − (y−y₀)²/b²).
    pub fn fit(&self, normal: &Normal) -> Option<Fitted> {
        let surface = &self.surface;
        let pressure: Vec<f64> = normal.force.iter().zip(&surface.size).map(|(f, size)| f / size).collect();
        let most = pressure.iter().copied().fold(0.0, f64::max);
        let ys = surface.y();
        let chosen: Vec<usize> = (0..surface.len()).filter(|i| pressure[*i] > 0.4 * most).collect();
        let reach = |v: &dyn Fn(usize) -> f64| chosen.iter().map(|i| v(*i).abs()).fold(0.0, f64::max);
        let (lx, ly) = (reach(&|i| surface.x[i]), if surface.plane { 1.0 } else { reach(&|i| ys[i]) });
        let terms = |i: usize| -> Vec<f64> {
            let (x, y) = (surface.x[i] / lx, ys[i] / ly);
            if surface.plane { vec![1.0, x, x * x] } else { vec![1.0, x, x * x, y, y * y] }
        };
        let m = if surface.plane { 3 } else { 5 };
        if chosen.len() < m {
            return None;
        }
        let rows: Vec<Vec<f64>> = chosen.iter().map(|i| terms(*i)).collect();
        let square = |k: usize| (pressure[chosen[k]] / most).powi(2);
        let matrix = Matrix::from_fn(m, m, |a, b| rows.iter().map(|row| row[a] * row[b]).sum());
        let mut c: Vec<f64> =
            (0..m).map(|a| rows.iter().enumerate().map(|(k, row)| row[a] * square(k)).sum()).collect();
        Lu::new(&matrix).solve(&mut c);
        if c[2] >= 0.0 || (!surface.plane && c[4] >= 0.0) {
            return None;
        }
        let x0 = -0.5 * c[1] / c[2];
        let mut top = c[0] - 0.25 * c[1] * c[1] / c[2];
        let mut y0 = 0.0;
        if !surface.plane {
            y0 = -0.5 * c[3] / c[4];
            top -= 0.25 * c[3] * c[3] / c[4];
        }
        let b = (!surface.plane).then(|| ly * (-top / c[4]).sqrt());
        let fitted = Fitted {
            a: lx * (-top / c[2]).sqrt(),
            b,
            p0: most * top.sqrt(),
            centre: [lx * x0, if surface.plane { 0.0 } else { ly * y0 }],
        };
        (fitted.a.is_finite() && fitted.p0.is_finite() && fitted.b.is_none_or(f64::is_finite)).then_some(fitted)
    }
}
