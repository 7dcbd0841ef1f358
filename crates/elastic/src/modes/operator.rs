//! Products with stiffness and mass.

use crate::element::{self, Elasticity};
use crate::mesh::Body;

/// Mass of a body as a sparse matrix over its nodes, and its stiffness element by element.
pub(super) struct Operator<'a> {
    body: &'a Body,
    /// Where the entries of a node begin.
    first: Vec<usize>,
    /// (other node, ρ ∫ N_m N_n dV).
    entries: Vec<(u32, f64)>,
    clamped: Vec<bool>,
}

impl Operator<'_> {
    pub fn new(body: &Body, density: f64) -> Operator<'_> {
        let count = body.mesh.nodes.len();
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); count];
        for (kind, corners) in body.mesh.elements() {
            let mass = element::mass(kind, &body.mesh.places(corners));
            for (a, own) in corners.iter().zip(mass) {
                rows[*a as usize].extend(corners.iter().zip(own).map(|(b, value)| (*b, density * value)));
            }
        }
        let (mut first, mut entries) = (vec![0], Vec::new());
        for mut row in rows {
            // Stable: the order of additions is that of the elements.
            row.sort_by_key(|(node, _)| *node);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                entries.push((same[0].0, same.iter().map(|(_, value)| value).sum()));
            }
            first.push(entries.len());
        }
        let mut clamped = vec![false; count];
        body.clamped.iter().for_each(|node| clamped[*node as usize] = true);
        Operator { body, first, entries, clamped }
    }

    /// Unknowns, those of clamped nodes among them.
    pub fn size(&self) -> usize {
        self.clamped.len() * self.body.mesh.directions()
    }

    /// Whether an unknown is free.
    pub fn is_free(&self, unknown: usize) -> bool {
        !self.clamped[unknown / self.body.mesh.directions()]
    }

    /// M x, 0 at clamped nodes.
    pub fn mass(&self, x: &[f64]) -> Vec<f64> {
        let directions = self.body.mesh.directions();
        let mut out = vec![0.0; x.len()];
        for (node, out) in out.chunks_exact_mut(directions).enumerate() {
            if self.clamped[node] {
                continue;
            }
            for (other, value) in &self.entries[self.first[node]..self.first[node + 1]] {
                let x = &x[*other as usize * directions..][..directions];
                out.iter_mut().zip(x).for_each(|(sum, x)| *sum += value * x);
            }
        }
        out
    }

    /// K x of several vectors, 0 at clamped nodes.
    pub fn stiffness(&self, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mesh = &self.body.mesh;
        let directions = mesh.directions();
        let elasticity = Elasticity::new(self.body.young, self.body.poisson);
        let mut out: Vec<Vec<f64>> = vectors.iter().map(|x| vec![0.0; x.len()]).collect();
        for (kind, corners) in mesh.elements() {
            let k = element::bending_stiffness(kind, &mesh.places(corners), elasticity);
            let at: Vec<usize> =
                corners.iter().flat_map(|node| (0..directions).map(move |d| *node as usize * directions + d)).collect();
            for (x, out) in vectors.iter().zip(&mut out) {
                for (row, to) in k.iter().zip(&at).filter(|(_, to)| self.is_free(**to)) {
                    out[*to] += row.iter().zip(&at).map(|(k, from)| k * x[*from]).sum::<f64>();
                }
            }
        }
        out
    }
}
