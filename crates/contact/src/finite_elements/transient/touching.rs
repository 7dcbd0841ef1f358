//! The nodes that touch, and what steps are solved with while they do.

use stickslip_core::inclusion::Problem;
use stickslip_core::inclusion::monotone::{Found, Limits, Monotone, NotReached, Room};
use stickslip_core::law::{Product, Set, State};
use stickslip_linalg::Matrix;

use crate::finite_elements::normal::Normal;
use crate::finite_elements::pair::Pair;
use crate::finite_elements::rolling::{Rolling, Transport};
use crate::patch::Creepage;

/// Residual to which steps are solved, or less: what they leave over adds up in the ledger.
const TIGHT: f64 = 1e-11;

/// What is the same in all steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub rolling: Rolling,
    pub creepage: Creepage,
    /// ℓ \[m\].
    pub length: f64,
    /// Whether displacements are shifted by one node.
    pub shifts: bool,
    /// What is taken out of W \[m per N\].
    pub constant: f64,
    /// Slip along x per force along x, of a structure.
    pub swung: f64,
}

/// The nodes that touch, with their unknowns.
#[derive(Debug)]
pub(super) struct Touching {
    pub nodes: Vec<usize>,
    /// Displacements of all nodes of the surface per tangential force on these.
    pub w: Matrix,
    /// Slips per force without the leading edge, and what that adds.
    without_edge: Matrix,
    pub edge: Matrix,
    pub solver: Monotone,
    laws: Product,
    /// s₀ of the creepages.
    pub rigid: Vec<f64>,
    room: Room,
    pub b: Vec<f64>,
    pub r: Vec<f64>,
    pub slip: Vec<f64>,
}

impl Touching {
    pub(super) fn new(pace: &Pace, pair: &Pair, normal: &Normal) -> Touching {
        let (surface, t, nodes) = (&pair.surface, pair.normal(), normal.touching());
        let n = nodes.len() * t;
        let w = Matrix::from_fn(surface.len() * t, n, |row, column| {
            let own = if row % t == column % t { pace.constant } else { 0.0 };
            pair.w((row / t, row % t), (nodes[column / t], column % t)) - own
        });
        let own = |row: usize, column: usize| w[(nodes[row / t] * t + row % t, column)];
        let carried = |row: usize, column: usize| {
            let stencil = pace.rolling.stencil(&surface.x, nodes[row / t]);
            stencil.iter().map(|(i, c)| c * w[(i * t + row % t, column)]).sum::<f64>()
        };
        let without_edge = Matrix::from_fn(n, n, |row, column| {
            let along = row % t == 0 && column % t == 0;
            let moved = own(row, column) / pace.length + if along { pace.swung } else { 0.0 };
            if pace.shifts { moved } else { moved + carried(row, column) }
        });
        let edge = edge(pace, pair, &nodes, normal);
        let zeros = |n: usize| vec![0.0; n];
        Touching {
            solver: Monotone::new(sum(&without_edge, &edge), t),
            laws: pace.rolling.laws(&nodes, normal, surface.plane),
            rigid: pace.rolling.slips_of_creepage(pair, &nodes, pace.creepage),
            room: Room::new(n),
            b: zeros(n),
            r: zeros(n),
            slip: zeros(n),
            nodes,
            w,
            without_edge,
            edge,
        }
    }

    /// Follows a pressure that has changed.
    pub(super) fn follow(&mut self, pace: &Pace, pair: &Pair, normal: &Normal) {
        if self.nodes != normal.touching() {
            *self = Touching::new(pace, pair, normal);
            return;
        }
        self.laws = pace.rolling.laws(&self.nodes, normal, pair.surface.plane);
        let edge = edge(pace, pair, &self.nodes, normal);
        if edge != self.edge {
            self.solver = Monotone::new(sum(&self.without_edge, &edge), pair.normal());
            self.edge = edge;
        }
    }

    /// Solves for r from what stands there.
    pub(super) fn solve(&mut self, pace: &Pace) -> Result<Found, NotReached> {
        let limits = pace.rolling.limits;
        let limits = Limits { tolerance: limits.tolerance.min(TIGHT), ..limits };
        self.solver.solve_in(&mut self.room, &self.b, &self.laws, &mut self.r, pace.rolling.way, limits)
    }

    /// Slips, zero exactly where nodes stick.
    pub(super) fn select(&mut self) {
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
}

/// What the leading edge adds to slips.
fn edge(pace: &Pace, pair: &Pair, nodes: &[usize], normal: &Normal) -> Matrix {
    let n = nodes.len() * pair.normal();
    let mut edge = Matrix::zeros(n, n);
    if pace.rolling.transport == Transport::Edge {
        pace.rolling.add_edge(pair, nodes, normal, &mut edge);
    }
    edge
}

fn sum(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] + b[(i, j)])
}
