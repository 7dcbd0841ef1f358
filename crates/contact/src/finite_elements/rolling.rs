//! Tractions in steady rolling.

use std::sync::Arc;

use stickslip_core::inclusion::Problem;
use stickslip_core::inclusion::monotone::{Found, Limits, Monotone, Way};
use stickslip_core::law::{Disk, Interval, Law, Product};
use stickslip_linalg::Matrix;

use super::normal::{Fitted, Normal};
use super::pair::Pair;
use super::{Pressing, RollError};
use crate::edge::Compliance;
use crate::material::Material;
use crate::patch::Creepage;

/// How displacements are carried through the contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transport {
    /// (u_i − u_{i+1})/h.
    First,
    /// (3u_i − 4u_{i+1} + u_{i+2})/(2h).
    Second,
    /// First order with what a difference across the leading edge misses.
    #[default]
    Edge,
}

/// Turns of pressure and tractions after which to give up.
const MOST_TURNS: usize = 100;
/// A force of this share of μP is none.
const NO_FORCE: f64 = 1e-10;
/// Residual of the tractions while the creepage of a force is looked for.
const TIGHT: f64 = 1e-11;
/// Change of the forces over the load at which they have settled.
const SETTLED: f64 = 1e-9;

/// What rolls and how it is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rolling {
    /// What presses.
    pub pressing: Pressing,
    /// μ.
    pub friction: f64,
    /// Elastic constants of the pair, for the edge.
    pub material: Material,
    /// Transport.
    pub transport: Transport,
    /// Solver.
    pub way: Way,
    /// When to stop.
    pub limits: Limits,
}

/// A solution.
#[derive(Debug, Clone)]
pub struct Rolled {
    /// Creepages.
    pub creepage: Creepage,
    /// The pressure.
    pub normal: Normal,
    /// The ellipse fitted to it.
    pub fitted: Option<Fitted>,
    /// Tangential forces on body 1, one or two per node.
    pub tangential: Vec<f64>,
    /// Slips over the rolling speed, likewise; 0 where nodes do not touch.
    pub slip: Vec<f64>,
    /// Whether each node sticks; meaningless where it does not touch.
    pub stick: Vec<bool>,
    /// Σ F_x, Σ F_y on body 1.
    pub force: [f64; 2],
    /// Σ (x F_y − y F_x).
    pub moment: f64,
    /// How it was solved: residual of the last turn, iterations of all.
    pub found: Found,
    /// Turns of pressure and tractions; 1 for mirror images.
    pub turns: usize,
    /// Ratio of the last two changes; none if there were fewer.
    pub contraction: Option<f64>,
    /// What it was solved with, for the next one with the same pressure.
    kernel: Arc<Kernel>,
}

impl Rolled {
    /// A moment of rolling step by step; `kernel` is that of steady rolling.
    pub(super) fn at(
        kernel: Arc<Kernel>,
        creepage: Creepage,
        (normal, fitted): (Normal, Option<Fitted>),
        (tangential, slip, stick): (Vec<f64>, Vec<f64>, Vec<bool>),
        (force, moment): ([f64; 2], f64),
        (found, turns): (Found, usize),
    ) -> Rolled {
        let contraction = None;
        Rolled { creepage, normal, fitted, tangential, slip, stick, force, moment, found, turns, contraction, kernel }
    }

    /// What it was solved with.
    pub(super) fn kernel(&self) -> Arc<Kernel> {
        self.kernel.clone()
    }

    /// Nodes that touch.
    pub fn touching(&self) -> usize {
        self.normal.force.iter().filter(|f| **f > 0.0).count()
    }

    /// Share of the touching nodes that stick.
    pub fn stick_share(&self) -> f64 {
        let pairs = self.normal.force.iter().zip(&self.stick);
        pairs.filter(|(f, stick)| **f > 0.0 && **stick).count() as f64 / self.touching().max(1) as f64
    }
}

/// The operator on the nodes that touch.
#[derive(Debug)]
pub(super) struct Kernel {
    transport: Transport,
    nodes: Vec<usize>,
    solver: Monotone,
}

impl Rolling {
    /// Rolls a pair with given creepages, from the forces of another solution if there is one.
    pub fn roll(&self, pair: &Pair, creepage: Creepage, start: Option<&Rolled>) -> Result<Rolled, RollError> {
        let mu = self.friction;
        if !(mu.is_finite() && mu > 0.0) {
            let wanted = "it must be a finite number > 0";
            return Err(RollError::Number { what: "coefficient of friction", value: mu, wanted });
        }
        for (what, value) in
            [("creepage along x", creepage.xi), ("creepage along y", creepage.eta), ("spin", creepage.phi)]
        {
            if !value.is_finite() {
                return Err(RollError::Number { what, value, wanted: "it must be a finite number" });
            }
        }
        self.check_spin(pair, creepage.phi)?;
        let mut normal = match start {
            Some(start) if !pair.is_coupled() => start.normal.clone(),
            _ => pair.press(self.pressing, None, &[])?,
        };
        let mut tangential =
            start.map_or_else(|| vec![0.0; pair.surface.len() * pair.normal()], |s| s.tangential.clone());
        let mut kernel = start.map(|start| start.kernel.clone()).filter(|k| k.transport == self.transport);
        let (mut last, mut contraction) = (None, None);
        let (mut iterations, mut steps) = (0, 0);
        for turns in 1..=MOST_TURNS {
            let fitted = pair.fit(&normal);
            let nodes = normal.touching();
            let moved = kernel.as_ref().is_none_or(|k| k.nodes != nodes);
            // The edge moves a little with the pressure: its rows are made anew.
            if moved || (self.transport == Transport::Edge && pair.is_coupled()) {
                let solver = Monotone::new(self.operator(pair, &normal), pair.normal());
                kernel = Some(Arc::new(Kernel { transport: self.transport, nodes, solver }));
            }
            let Some(kernel) = &kernel else { break };
            let before = tangential.clone();
            let mut found = self.tractions(pair, kernel, &normal, creepage, &mut tangential)?;
            (iterations, steps) = (iterations + found.iterations, steps + found.steps);
            (found.iterations, found.steps) = (iterations, steps);
            if !pair.is_coupled() {
                return Ok(self.rolled(pair, kernel, normal, fitted, creepage, (tangential, found, 1, None)));
            }
            let next = pair.press(self.pressing, Some(&tangential), &normal.force)?;
            let change = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
            let change = (change(&next.force, &normal.force) + change(&tangential, &before)) / next.load;
            if let Some(last) = last
                && last > 0.0
            {
                contraction = Some(change / last);
            }
            last = Some(change);
            if change <= SETTLED {
                return Ok(self.rolled(
                    pair,
                    kernel,
                    normal,
                    fitted,
                    creepage,
                    (tangential, found, turns, contraction),
                ));
            }
            normal = next;
        }
        Err(RollError::Turns { change: last.unwrap_or(f64::NAN), rounds: MOST_TURNS })
    }

    /// The creepage along x at which the bodies roll without force along x, and the solution there. Mirror images roll freely
    /// without creepage; other bodies are strained differently by the load.
    pub fn free(&self, pair: &Pair) -> Result<Rolled, RollError> {
        self.with_force(pair, Creepage::default(), 0, 0.0)
    }

    /// The creepage along x (axis 0) or y (1) at which the force on body 1 along it is as given, and the solution there; the
    /// others are held.
    pub fn with_force(&self, pair: &Pair, held: Creepage, axis: usize, force: f64) -> Result<Rolled, RollError> {
        let tight = Rolling { limits: Limits { tolerance: self.limits.tolerance.min(TIGHT), ..self.limits }, ..*self };
        let roll = |value: f64, start: Option<&Rolled>| {
            let creepage = if axis == 0 { Creepage { xi: value, ..held } } else { Creepage { eta: value, ..held } };
            tight.roll(pair, creepage, start)
        };
        let mut one = roll(0.0, None)?;
        let limit = self.friction * one.normal.load;
        // Not a number is more than any friction.
        if !matches!(force.abs().partial_cmp(&limit), Some(std::cmp::Ordering::Less)) {
            return Err(RollError::TooMuch { share: force.abs() / limit });
        }
        let share = |rolled: &Rolled| (rolled.force[axis] - force) / limit;
        // Forces are found no better than the tractions are solved for.
        let near = NO_FORCE.max(2.0 * self.limits.tolerance.min(TIGHT));
        if share(&one).abs() <= near {
            return Ok(one);
        }
        // The force falls with the creepage; from 1 to −1 over about that of full slip.
        let size = one.fitted.map_or(1e-3, |fitted| self.friction * fitted.p0 / self.material.contact_modulus());
        let mut value = size * share(&one);
        let mut other = roll(value, Some(&one))?;
        for _ in 0..40 {
            if share(&one) * share(&other) <= 0.0 {
                break;
            }
            one = other;
            value *= 2.0;
            other = roll(value, Some(&one))?;
        }
        // Secants in a bracket (Illinois).
        let of = |rolled: &Rolled| if axis == 0 { rolled.creepage.xi } else { rolled.creepage.eta };
        let (mut a, mut fa) = (of(&one), share(&one));
        let (mut b, mut fb) = (of(&other), share(&other));
        if fa * fb > 0.0 {
            return Err(RollError::NotFound { creepage: b, share: fb });
        }
        for _ in 0..100 {
            if fb.abs() <= near {
                return Ok(other);
            }
            let c = b - fb * (b - a) / (fb - fa);
            let rolled = roll(c, Some(&other))?;
            let fc = share(&rolled);
            if fc * fb < 0.0 {
                (a, fa) = (b, fb)
            } else {
                fa *= 0.5
            }
            (b, fb, other) = (c, fc, rolled);
        }
        Err(RollError::NotFound { creepage: b, share: fb })
    }

    /// The zone about the pole of spin in which a node may stick must not be smaller than a cell: its slip would change by more
    /// than elasticity takes up, μp over the contact modulus.
    fn check_spin(&self, pair: &Pair, spin: f64) -> Result<(), RollError> {
        if spin == 0.0 {
            return Ok(());
        }
        let normal = pair.press(self.pressing, None, &[])?;
        let pressures = normal.force.iter().zip(&pair.surface.size).map(|(f, size)| f / size);
        let most = self.friction * pressures.fold(0.0, f64::max) / self.material.contact_modulus();
        let row = &pair.surface.rows[pair.surface.rows.len() / 2];
        let cell = pair.surface.x[row.first + 1] - pair.surface.x[row.first];
        if spin.abs() * cell > 4.0 * most {
            return Err(RollError::Spin { spin, limit: 4.0 * most / cell });
        }
        Ok(())
    }

    /// K on the nodes that touch: slips per nodal force.
    pub fn operator(&self, pair: &Pair, normal: &Normal) -> Matrix {
        let (surface, t) = (&pair.surface, pair.normal());
        let nodes = normal.touching();
        let stencils: Vec<[(usize, f64); 3]> = nodes.iter().map(|i| self.stencil(&surface.x, *i)).collect();
        let mut k = Matrix::from_fn(nodes.len() * t, nodes.len() * t, |row, column| {
            let (a, b) = (row % t, column % t);
            let node = nodes[column / t];
            stencils[row / t].iter().map(|(i, c)| if *c == 0.0 { 0.0 } else { c * pair.w((*i, a), (node, b)) }).sum()
        });
        if self.transport == Transport::Edge {
            self.add_edge(pair, &nodes, normal, &mut k);
        }
        k
    }

    /// Coefficients of the upwind difference at a node.
    pub(super) fn stencil(&self, x: &[f64], i: usize) -> [(usize, f64); 3] {
        let d1 = x[i + 1] - x[i];
        match self.transport {
            Transport::First | Transport::Edge => [(i, 1.0 / d1), (i + 1, -1.0 / d1), (i, 0.0)],
            Transport::Second => {
                let d2 = x[i + 2] - x[i];
                [(i, (d1 + d2) / (d1 * d2)), (i + 1, -d2 / (d1 * (d2 - d1))), (i + 2, d1 / (d2 * (d2 - d1)))]
            }
        }
    }

    /// Adds the leading edge: what a difference across it misses, from the gap at the node ahead ([`crate::edge`]).
    pub(super) fn add_edge(&self, pair: &Pair, nodes: &[usize], normal: &Normal, k: &mut Matrix) {
        let (surface, t) = (&pair.surface, pair.normal());
        let fitted = pair.fit(normal);
        for (at, &node) in nodes.iter().enumerate() {
            // The last node of its row that touches.
            if nodes.get(at + 1) == Some(&(node + 1)) {
                continue;
            }
            let Some(row) = surface.rows.iter().find(|row| row.nodes().contains(&node)) else { continue };
            let across = fitted.as_ref().map_or([1.0, 0.0], |fitted| fitted.outward([surface.x[node], row.y]));
            let (ahead, h) = (normal.gap[node + 1], surface.x[node + 1] - surface.x[node]);
            let compliance = Compliance::new(ahead, normal.force[node], h, self.material.poisson(), across);
            let [xx, xy, yy] = compliance.entries();
            let entries = [[xx, xy], [xy, yy]];
            for a in 0..t {
                for b in 0..t {
                    k[(at * t + a, at * t + b)] += if t == 1 { compliance.across } else { entries[a][b] };
                }
            }
        }
    }

    /// Slips without tangential forces, on the nodes that touch.
    fn rigid(&self, pair: &Pair, nodes: &[usize], normal: &Normal, creepage: Creepage) -> Vec<f64> {
        let (surface, t) = (&pair.surface, pair.normal());
        let mut slips = self.slips_of_creepage(pair, nodes, creepage);
        if pair.is_coupled() {
            let moved = pair.pressed(&normal.force);
            for (i, slips) in nodes.iter().zip(slips.chunks_exact_mut(t)) {
                for (j, coefficient) in self.stencil(&surface.x, *i) {
                    slips.iter_mut().enumerate().for_each(|(a, slip)| *slip += coefficient * moved[j * t + a]);
                }
            }
        }
        slips
    }

    /// s₀: slips of bodies that do not deform.
    pub(super) fn slips_of_creepage(&self, pair: &Pair, nodes: &[usize], creepage: Creepage) -> Vec<f64> {
        let (surface, t) = (&pair.surface, pair.normal());
        let ys = surface.y();
        let ahead = if self.transport == Transport::Edge { 0.5 } else { 1.0 / 6.0 };
        let mut slips = Vec::with_capacity(nodes.len() * t);
        for &i in nodes {
            let x = surface.x[i] + ahead * (surface.x[i + 1] - surface.x[i]);
            let mut slip = [creepage.xi - creepage.phi * ys[i], creepage.eta + creepage.phi * x];
            if surface.plane {
                // In the plane spin is a creepage that grows along x.
                slip[0] = creepage.xi + creepage.phi * x;
            }
            slips.extend_from_slice(&slip[..t]);
        }
        slips
    }

    pub(super) fn laws(&self, nodes: &[usize], normal: &Normal, plane: bool) -> Product {
        let law = |i: &usize| {
            let bound = self.friction * normal.force[*i];
            // Bounds are finite and positive: the pressure was checked.
            if plane { Interval::symmetric(bound).map(Law::Interval) } else { Disk::new(bound).map(Law::Disk) }
        };
        Product::new(nodes.iter().filter_map(|i| law(i).ok()).collect())
    }

    fn tractions(
        &self,
        pair: &Pair,
        kernel: &Kernel,
        normal: &Normal,
        creepage: Creepage,
        tangential: &mut [f64],
    ) -> Result<Found, RollError> {
        let t = pair.normal();
        let b = self.rigid(pair, &kernel.nodes, normal, creepage);
        let laws = self.laws(&kernel.nodes, normal, pair.surface.plane);
        let mut r: Vec<f64> = kernel.nodes.iter().flat_map(|i| tangential[i * t..(i + 1) * t].to_vec()).collect();
        let found = kernel.solver.solve(&b, &laws, &mut r, self.way, self.limits)?;
        tangential.fill(0.0);
        for (i, r) in kernel.nodes.iter().zip(r.chunks_exact(t)) {
            tangential[i * t..(i + 1) * t].copy_from_slice(r);
        }
        Ok(found)
    }

    fn rolled(
        &self,
        pair: &Pair,
        kernel: &Arc<Kernel>,
        normal: Normal,
        fitted: Option<Fitted>,
        creepage: Creepage,
        (tangential, found, turns, contraction): (Vec<f64>, Found, usize, Option<f64>),
    ) -> Rolled {
        let (surface, t, nodes) = (&pair.surface, pair.normal(), &kernel.nodes);
        let b = self.rigid(pair, nodes, &normal, creepage);
        let laws = self.laws(nodes, &normal, surface.plane);
        let r: Vec<f64> = nodes.iter().flat_map(|i| tangential[i * t..(i + 1) * t].to_vec()).collect();
        let problem = Problem { w: kernel.solver.operator(), b: &b, c: &laws };
        let mut s = vec![0.0; r.len()];
        problem.slip(&r, &mut s);
        let weights = problem.weights();
        let x: Vec<f64> = r.iter().zip(&s).zip(&weights).map(|((r, s), w)| r - s / w).collect();
        let mut stick = vec![false; surface.len()];
        let mut slip = vec![0.0; surface.len() * t];
        for ((k, i), state) in nodes.iter().enumerate().zip(laws.states(&x)) {
            stick[*i] = state == stickslip_core::law::State::Stick;
            if !stick[*i] {
                slip[i * t..(i + 1) * t].copy_from_slice(&s[k * t..(k + 1) * t]);
            }
        }
        let force = total(&tangential, t);
        let mut moment = 0.0;
        let ys = surface.y();
        for (i, f) in tangential.chunks_exact(t).enumerate() {
            if t == 2 {
                moment += surface.x[i] * f[1] - ys[i] * f[0];
            }
        }
        let kernel = kernel.clone();
        Rolled { creepage, normal, fitted, tangential, slip, stick, force, moment, found, turns, contraction, kernel }
    }
}

/// Σ F along x and y, of forces with t components each.
pub(super) fn total(forces: &[f64], t: usize) -> [f64; 2] {
    let mut total = [0.0; 2];
    for f in forces.chunks_exact(t) {
        total.iter_mut().zip(f).for_each(|(total, f)| *total += f);
    }
    total
}
