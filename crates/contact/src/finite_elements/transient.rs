//! Rolling step by step: from bodies at rest to steady rolling.
//!
//! Material flows through the contact. Over a step of the length ℓ = V Δt the slip of node i is
//!
//! ```text
//! s = s₀ + D[u] + [u̇]/V:    s_i = s₀ + (D u)_i + (u_i − u_i^before)/ℓ        implicit Euler, K = D W + W/ℓ
//! ℓ = Δx on even nodes:       s_i = s₀ + (u_i − u_{i+1}^before)/Δx              the exact shift, K = W/Δx
//! ```
//!
//! with the leading edge ([`super::Transport::Edge`]) added to either, so that rolling on and on ends in what [`Rolling::roll`] gives.
//! Inertia of the bodies is left out: V is small beside the speed of waves.
//!
//! # The constant in W
//! Steady rolling does not see a displacement that all nodes have in common, for D kills it. Transients do: the bodies' compliance
//! from hub to surface lets the whole contact move as its force rises, and Q relaxes over c dQ/dξ, several half-lengths. With
//! [`Reach::Local`] that constant is taken out, W − c 1 1ᵀ, c the least entry of W among the nodes that touch (what a force at one end of
//! the contact does at the other): for structures that have this compliance in a model of their own.
//!
//! # A structure
//! The displacement that was taken out may move with inertia instead: m ẍ + c ẋ + k x = Σ F_x, s = s₀ + D[u] + [u̇]/V + ẋ/V, an
//! oscillator ([`Structure`]) stepped by the modified θ-method ([`stickslip_core::scheme::theta`]) with Δt = ℓ/V. With k = 1/c its static
//! compliance is the one that [`Reach::Local`] leaves out: it is counted once. [`Reach::Whole`] and a structure count it twice, which is refused.
//!
//! # Energy
//! With U = ½ FᵀWF the step says F·Δu = ℓ F·(s − s₀ − D u), so that stored + heat + convection + numerical = drive with heat −ℓ F·s ≥ 0,
//! drive −ℓ F·s₀, convection ℓ F·D u (of the displacements before, where the shift is exact; edge included) and numerical ½ ΔFᵀWΔF, the
//! loss of implicit Euler.

use std::sync::Arc;

use stickslip_core::inclusion::Problem;
use stickslip_core::inclusion::monotone::{Found, Limits, Monotone, Room};
use stickslip_core::law::{Product, Set, State};
use stickslip_core::scheme::theta::Energy;
use stickslip_linalg::Matrix;

use super::RollError;
use super::normal::{Fitted, Normal};
use super::pair::Pair;
use super::rolling::{Kernel, Rolled, Rolling, Transport, total};
use crate::patch::Creepage;

/// How much of the bodies' compliance a transient sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// All of it, from hub to surface.
    #[default]
    Whole,
    /// What is left without the displacement that all nodes that touch have in common.
    Local,
}

/// The bodies' motion as a whole along x: an oscillator whose static compliance is the one that [`Reach::Local`] takes out of W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Structure {
    /// Its natural frequency \[Hz\], > 0; infinite without mass.
    pub frequency: f64,
    /// Its damping over the critical one, ≥ 0.
    pub damping_ratio: f64,
    /// Rolling speed V [m/s], > 0.
    pub speed: f64,
    /// θ of its steps, ½ to 1; 1 without mass.
    pub theta: f64,
}

impl Structure {
    /// Angle that it swings through within a step of a length.
    pub fn angle(&self, length: f64) -> f64 {
        std::f64::consts::TAU * self.frequency * length / self.speed
    }
}

/// A structure in motion.
#[derive(Debug, Clone, Copy)]
struct Swing {
    of: Structure,
    /// Mass \[kg\], damping [N s/m], stiffness [N/m]; in line contact per metre.
    matrices: [f64; 3],
    /// Δt \[s\], and Δt over m + Δtθc + Δt²θ²k.
    h: f64,
    push: f64,
    x: f64,
    v: f64,
    /// Speed at the end of the step without contact forces.
    free: f64,
}

impl Swing {
    fn new(of: Structure, compliance: f64, length: f64) -> Swing {
        let (h, k) = (length / of.speed, 1.0 / compliance);
        let omega = std::f64::consts::TAU * of.frequency;
        let (m, c) = (k / (omega * omega), 2.0 * of.damping_ratio * k / omega);
        let push = h / (m + h * of.theta * c + h * h * of.theta * of.theta * k);
        Swing { of, matrices: [m, c, k], h, push, x: 0.0, v: 0.0, free: 0.0 }
    }

    fn prepare(&mut self) {
        let ([m, c, k], h, theta, late) = (self.matrices, self.h, self.of.theta, 1.0 - self.of.theta);
        let momentum = (m - h * late * c - h * h * theta * late * k) * self.v - h * k * self.x;
        self.free = momentum * self.push / h;
    }

    /// Takes the step with the force Σ F_x. Damping and numerical loss, and what heat has besides slip: Δt F (v⁺ − v_θ).
    fn take(&mut self, force: f64) -> [f64; 3] {
        let ([m, c, k], h, theta) = (self.matrices, self.h, self.of.theta);
        let new = self.free + self.push * force;
        let mean = theta * new + (1.0 - theta) * self.v;
        let (blow, way) = (new - self.v, h * mean);
        self.v = new;
        self.x += way;
        [h * c * mean * mean, (theta - 0.5) * (m * blow * blow + k * way * way), h * force * (new - mean)]
    }

    fn stored(&self) -> f64 {
        0.5 * (self.matrices[0] * self.v * self.v + self.matrices[2] * self.x * self.x)
    }
}

/// Spacings that differ by less than this share are even: a step of one element is then a shift.
const EVEN: f64 = 1e-6;

/// Residual to which steps are solved, or less.
const TIGHT: f64 = 1e-11;

/// Least and greatest step, in elements.
pub const STRIDES: [f64; 2] = [0.01, 4.0];

/// A contact with a history.
#[derive(Debug)]
pub struct Transient<'a> {
    rolling: Rolling,
    pair: &'a Pair,
    normal: Normal,
    fitted: Option<Fitted>,
    creepage: Creepage,
    steady: Arc<Kernel>,
    nodes: Vec<usize>,
    solver: Monotone,
    laws: Product,
    /// ℓ \[m\], and whether displacements are shifted by one node.
    length: f64,
    shifts: bool,
    /// Displacements of all nodes of the surface per force on the nodes that touch.
    w: Matrix,
    /// What the leading edge adds to slips.
    edge: Matrix,
    /// s₀ on the nodes that touch.
    rigid: Vec<f64>,
    /// The constant that was taken out of W \[m per N\].
    constant: f64,
    swing: Option<Swing>,
    room: Room,
    b: Vec<f64>,
    r: Vec<f64>,
    r_before: Vec<f64>,
    slip: Vec<f64>,
    u: Vec<f64>,
    before: Vec<f64>,
    /// Steps made.
    steps: usize,
    energy: Energy,
    found: Found,
}

impl<'a> Transient<'a> {
    /// Bodies pressed together without tractions, about to roll with given creepages in steps of `stride` elements. `steady` is
    /// where that leads to.
    pub fn new(
        rolling: Rolling,
        pair: &'a Pair,
        steady: &Rolled,
        stride: f64,
        reach: Reach,
        structure: Option<Structure>,
    ) -> Result<Transient<'a>, RollError> {
        if !(STRIDES[0]..=STRIDES[1]).contains(&stride) {
            let wanted = "a step must be at least 0.01 and at most 4 elements long";
            return Err(RollError::Number { what: "length of a step over that of an element", value: stride, wanted });
        }
        if pair.is_coupled() {
            return Err(RollError::Unlike);
        }
        if structure.is_some() && reach == Reach::Whole {
            return Err(RollError::Twice);
        }
        let (surface, t) = (&pair.surface, pair.normal());
        let (normal, nodes) = (steady.normal.clone(), steady.normal.touching());
        let n = nodes.len() * t;
        let dx = surface.x[nodes[0] + 1] - surface.x[nodes[0]];
        let (length, shifts) = (stride * dx, stride == 1.0 && surface.unevenness() < EVEN);
        let constant = match reach {
            Reach::Whole => 0.0,
            Reach::Local => {
                let all = nodes.iter().flat_map(|i| nodes.iter().map(move |j| (*i, *j)));
                all.map(|(i, j)| pair.w((i, 0), (j, 0))).fold(f64::INFINITY, f64::min)
            }
        };
        let w = Matrix::from_fn(surface.len() * t, n, |row, column| {
            let own = if row % t == column % t { constant } else { 0.0 };
            pair.w((row / t, row % t), (nodes[column / t], column % t)) - own
        });
        let mut edge = Matrix::zeros(n, n);
        if rolling.transport == Transport::Edge {
            rolling.add_edge(pair, &nodes, &normal, &mut edge);
        }
        let own = |row: usize, column: usize| w[(nodes[row / t] * t + row % t, column)];
        let carried = |row: usize, column: usize| {
            let stencil = rolling.stencil(&surface.x, nodes[row / t]);
            stencil.iter().map(|(i, c)| c * w[(i * t + row % t, column)]).sum::<f64>()
        };
        let swing = structure.map(|structure| Swing::new(structure, constant, length));
        let k = Matrix::from_fn(n, n, |row, column| {
            let along = row % t == 0 && column % t == 0;
            let swung = swing.filter(|_| along).map_or(0.0, |swing| swing.push / swing.of.speed);
            let moved = own(row, column) / length + edge[(row, column)] + swung;
            if shifts { moved } else { moved + carried(row, column) }
        });
        let zeros = |n: usize| vec![0.0; n];
        let creepage = steady.creepage;
        Ok(Transient {
            rigid: rolling.rigid(pair, &nodes, &normal, creepage),
            laws: rolling.laws(&nodes, &normal, surface.plane),
            solver: Monotone::new(k, t),
            fitted: steady.fitted,
            steady: steady.kernel(),
            room: Room::new(n),
            b: zeros(n),
            r: zeros(n),
            r_before: zeros(n),
            slip: zeros(n),
            u: zeros(surface.len() * t),
            before: zeros(surface.len() * t),
            steps: 0,
            energy: Energy::default(),
            found: steady.found,
            rolling,
            pair,
            normal,
            creepage,
            nodes,
            length,
            shifts,
            w,
            edge,
            constant,
            swing,
        })
    }

    /// Distance rolled \[m\].
    pub fn distance(&self) -> f64 {
        self.steps as f64 * self.length
    }

    /// Σ F on body 1 along x and y.
    pub fn force(&self) -> [f64; 2] {
        total(&self.r, self.pair.normal())
    }

    /// Where the energy went so far.
    pub fn energy(&self) -> &Energy {
        &self.energy
    }

    /// How the last step was solved.
    pub fn found(&self) -> Found {
        self.found
    }

    /// The constant that was taken out of W \[m per N; in the plane m per N/m\].
    pub fn constant(&self) -> f64 {
        self.constant
    }

    /// Displacement of the structure \[m\]; 0 where there is none.
    pub fn structure(&self) -> f64 {
        self.swing.map_or(0.0, |swing| swing.x)
    }

    /// Whether steps shift by one node exactly.
    pub fn shifts(&self) -> bool {
        self.shifts
    }

    /// Share of the touching nodes that stick.
    pub fn stick_share(&self) -> f64 {
        let t = self.pair.normal();
        let stuck = self.slip.chunks_exact(t).filter(|s| s.iter().all(|v| *v == 0.0)).count();
        stuck as f64 / self.nodes.len().max(1) as f64
    }

    /// (D u)_i of displacements, component a of node i.
    fn carried(&self, u: &[f64], i: usize, a: usize) -> f64 {
        let t = self.pair.normal();
        self.rolling.stencil(&self.pair.surface.x, i).iter().map(|(j, c)| c * u[j * t + a]).sum()
    }

    /// Rolls on by one step, from the forces of the last.
    pub fn step(&mut self) -> Result<(), RollError> {
        let (t, length) = (self.pair.normal(), self.length);
        for (k, &i) in self.nodes.iter().enumerate() {
            let came_from = if self.shifts { i + 1 } else { i };
            for a in 0..t {
                self.b[k * t + a] = self.rigid[k * t + a] - self.u[came_from * t + a] / length;
            }
        }
        if let Some(swing) = &mut self.swing {
            swing.prepare();
            self.b.iter_mut().step_by(t).for_each(|b| *b += swing.free / swing.of.speed);
        }
        self.r_before.copy_from_slice(&self.r);
        // What steps leave over adds up in the ledger.
        let limits = Limits { tolerance: self.rolling.limits.tolerance.min(TIGHT), ..self.rolling.limits };
        self.found =
            self.solver.solve_in(&mut self.room, &self.b, &self.laws, &mut self.r, self.rolling.way, limits)?;
        std::mem::swap(&mut self.u, &mut self.before);
        self.w.apply(&self.r, &mut self.u);
        self.select();
        self.book();
        self.steps += 1;
        Ok(())
    }

    /// Slips, zero exactly where nodes stick.
    fn select(&mut self) {
        let problem = Problem { w: self.solver.operator(), b: &self.b, c: &self.laws };
        problem.slip(&self.r, &mut self.slip);
        let weights = self.solver.weights();
        for (law, at) in self.laws.iter() {
            let mut x = [0.0; 2];
            for (x, k) in x.iter_mut().zip(at.clone()) {
                *x = self.r[k] - self.slip[k] / weights[k];
            }
            if law.state(&x[..at.len()]) == State::Stick {
                self.slip[at].fill(0.0);
            }
        }
    }

    /// Books the step just made.
    fn book(&mut self) {
        let (t, length) = (self.pair.normal(), self.length);
        let [mut heat, mut drive, mut convection, mut stored, mut numerical] = [0.0; 5];
        for (k, r) in self.r.iter().enumerate() {
            let (i, a) = (self.nodes[k / t], k % t);
            let edge: f64 = self.edge.row(k).iter().zip(&self.r).map(|(e, r)| e * r).sum();
            let carried = self.carried(if self.shifts { &self.before } else { &self.u }, i, a);
            heat -= length * r * self.slip[k];
            drive -= length * r * self.rigid[k];
            convection += length * r * (carried + edge);
            stored += 0.5 * r * self.u[i * t + a];
            numerical += 0.5 * (r - self.r_before[k]) * (self.u[i * t + a] - self.before[i * t + a]);
        }
        if let Some(swing) = &mut self.swing {
            let force: f64 = self.r.iter().step_by(t).sum();
            let [damped, lost, besides] = swing.take(force);
            self.energy.damping += damped;
            (numerical, heat, stored) = (numerical + lost, heat + besides, stored + swing.stored());
        }
        let energy = &mut self.energy;
        energy.stored = stored;
        energy.heat += heat;
        energy.drive += drive;
        energy.convection += convection;
        energy.numerical += numerical;
    }

    /// The contact as it is now.
    pub fn rolled(&self) -> Rolled {
        let (surface, t) = (&self.pair.surface, self.pair.normal());
        let mut tangential = vec![0.0; surface.len() * t];
        let mut slip = tangential.clone();
        let mut stick = vec![false; surface.len()];
        let mut moment = 0.0;
        let ys = surface.y();
        for (k, &i) in self.nodes.iter().enumerate() {
            let (f, s) = (&self.r[k * t..(k + 1) * t], &self.slip[k * t..(k + 1) * t]);
            tangential[i * t..(i + 1) * t].copy_from_slice(f);
            slip[i * t..(i + 1) * t].copy_from_slice(s);
            stick[i] = s.iter().all(|v| *v == 0.0);
            if t == 2 {
                moment += surface.x[i] * f[1] - ys[i] * f[0];
            }
        }
        Rolled::at(
            self.steady.clone(),
            self.creepage,
            (self.normal.clone(), self.fitted),
            (tangential, slip, stick),
            (self.force(), moment),
            self.found,
        )
    }
}
