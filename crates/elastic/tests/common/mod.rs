//! What the tests share: boxes filled with elements, products with the stiffness element by element, a reproducible noise.
#![allow(dead_code, clippy::unwrap_used)]

use stickslip_elastic::element::{self, Elasticity};
use stickslip_elastic::mesh::{Block, Elements, Grading};
use stickslip_elastic::{Body, Kind, Mesh};

pub const YOUNG: f64 = 2.1e11;
pub const POISSON: f64 = 0.3;

/// Numbers between −1 and 1 that look random and are the same in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        // Knuth's MMIX generator; the upper half of its bits is good.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    /// A whole number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * end as f64) as usize % end
    }
}

/// The unit square (unit cube) in n cells each way, filled with elements of one kind.
pub fn unit(kind: Kind, n: usize) -> Mesh {
    let ny = if kind.is_plane() { 1 } else { n + 1 };
    let at = |i: usize, j: usize, k: usize| ((i * ny + j) * (n + 1) + k) as u32;
    let share = |i: usize| i as f64 / n as f64;
    let mut nodes = Vec::new();
    for i in 0..=n {
        for j in 0..ny {
            nodes.extend((0..=n).map(|k| [share(i), if ny == 1 { 0.0 } else { share(j) }, share(k)]));
        }
    }
    let mut mesh = Mesh::with_nodes(nodes);
    for i in 0..n {
        for k in 0..n {
            let quad = [at(i, 0, k), at(i + 1, 0, k), at(i + 1, 0, k + 1), at(i, 0, k + 1)];
            match kind {
                Kind::Quadrilateral => mesh.push(kind, &quad),
                Kind::Triangle => {
                    mesh.push(kind, &[quad[0], quad[1], quad[2]]);
                    mesh.push(kind, &[quad[0], quad[2], quad[3]]);
                }
                _ => (0..n).for_each(|j| solid(&mut mesh, kind, i, j, k, &at)),
            }
        }
    }
    mesh
}

fn solid(mesh: &mut Mesh, kind: Kind, i: usize, j: usize, k: usize, at: &impl Fn(usize, usize, usize) -> u32) {
    let face = |k| [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)];
    let ([a, b, c, d], [e, f, g, h]) = (face(k), face(k + 1));
    if kind == Kind::Hexahedron {
        mesh.push(kind, &[a, b, c, d, e, f, g, h]);
        return;
    }
    if kind == Kind::Pyramid {
        let middle = mesh.nodes.len() as u32;
        let (low, high) = (mesh.nodes[a as usize], mesh.nodes[g as usize]);
        mesh.nodes.push([0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis])));
        for [p, q, r, s] in [[a, b, c, d], [e, h, g, f], [a, e, f, b], [b, f, g, c], [c, g, h, d], [d, h, e, a]] {
            mesh.push(kind, &[p, q, r, s, middle]);
        }
        return;
    }
    // Kuhn: six tetrahedra around the diagonal a–g.
    for [p, q] in [[b, c], [c, d], [d, h], [h, e], [e, f], [f, b]] {
        mesh.push(kind, &[a, p, q, g]);
    }
}

/// A block 2 × 1 × 1 (plane: 2 × 1) with graded cells and 5 × 3 (plane: 5) contact nodes.
pub fn block(plane: bool, elements: Elements) -> Body {
    Block {
        half_length: 1.0,
        depth: 1.0,
        crown: if plane { None } else { Some((1.0, f64::INFINITY)) },
        cell: [0.1, 0.1, 0.1],
        uniform: [2, 1, 1],
        outside: [Grading::Cells(3), Grading::Cells(2), Grading::Cells(3)],
        contact: [2, 1],
        elements,
        young: YOUNG,
        poisson: POISSON,
    }
    .body()
    .unwrap()
}

/// Moves all nodes that are not on the bounding box by noise of this size.
pub fn jitter(mesh: &mut Mesh, size: f64, noise: &mut Noise) {
    let inner = inside(mesh);
    let axes: &[usize] = if mesh.is_plane() { &[0, 2] } else { &[0, 1, 2] };
    for (node, inner) in mesh.nodes.iter_mut().zip(inner) {
        for &axis in axes {
            let step = size * noise.next();
            node[axis] += if inner { step } else { 0.0 };
        }
    }
}

/// Which nodes are not on the bounding box.
pub fn inside(mesh: &Mesh) -> Vec<bool> {
    let axes: &[usize] = if mesh.is_plane() { &[0, 2] } else { &[0, 1, 2] };
    let range = |axis: usize| {
        let values = mesh.nodes.iter().map(|node| node[axis]);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
    };
    let ranges: Vec<(usize, (f64, f64))> = axes.iter().map(|axis| (*axis, range(*axis))).collect();
    let inner =
        |node: &[f64; 3]| ranges.iter().all(|(axis, (lo, hi))| node[*axis] > lo + 1e-9 && node[*axis] < hi - 1e-9);
    mesh.nodes.iter().map(inner).collect()
}

pub fn places(mesh: &Mesh, corners: &[u32]) -> [[f64; 3]; 8] {
    let mut places = [[0.0; 3]; 8];
    for (place, node) in places.iter_mut().zip(corners) {
        *place = mesh.nodes[*node as usize];
    }
    places
}

/// Stiffness of every element with the unknowns it belongs to.
pub struct Assembly {
    pub unknowns: usize,
    elements: Vec<(Vec<usize>, Vec<f64>)>,
}

impl Assembly {
    pub fn new(mesh: &Mesh, young: f64, poisson: f64) -> Assembly {
        let directions = mesh.directions();
        let elements = mesh.elements().map(|(kind, corners)| {
            let k = element::stiffness(kind, &places(mesh, corners), Elasticity::new(young, poisson));
            let at: Vec<usize> =
                corners.iter().flat_map(|node| (0..directions).map(move |d| *node as usize * directions + d)).collect();
            let entries = (0..at.len()).flat_map(|i| k[i][..at.len()].to_vec()).collect();
            (at, entries)
        });
        Assembly { unknowns: mesh.nodes.len() * directions, elements: elements.collect() }
    }

    /// K u.
    pub fn apply(&self, u: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.unknowns];
        for (at, k) in &self.elements {
            for (row, i) in k.chunks_exact(at.len()).zip(at) {
                out[*i] += row.iter().zip(at).map(|(k, j)| k * u[*j]).sum::<f64>();
            }
        }
        out
    }

    /// All of K, row after row.
    pub fn dense(&self) -> Vec<Vec<f64>> {
        let mut out = vec![vec![0.0; self.unknowns]; self.unknowns];
        for (at, k) in &self.elements {
            for (row, i) in k.chunks_exact(at.len()).zip(at) {
                row.iter().zip(at).for_each(|(k, j)| out[*i][*j] += k);
            }
        }
        out
    }

    /// Free unknowns of K u = f by conjugate gradients, the others as they are in u.
    pub fn solve(&self, f: &[f64], free: &[bool], u: &mut [f64]) {
        let mask = |v: &mut Vec<f64>| v.iter_mut().zip(free).for_each(|(v, free)| *v *= f64::from(u8::from(*free)));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut r: Vec<f64> = f.iter().zip(self.apply(u)).map(|(f, k)| f - k).collect();
        mask(&mut r);
        let (mut p, start) = (r.clone(), dot(&r, &r));
        let mut square = start;
        for _ in 0..20_000 {
            if square <= 1e-26 * start {
                return;
            }
            let mut kp = self.apply(&p);
            mask(&mut kp);
            let alpha = square / dot(&p, &kp);
            u.iter_mut().zip(&p).for_each(|(u, p)| *u += alpha * p);
            r.iter_mut().zip(&kp).for_each(|(r, k)| *r -= alpha * k);
            let next = dot(&r, &r);
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + next / square * *p);
            square = next;
        }
        panic!("conjugate gradients did not converge");
    }
}

/// Unknowns of a field u(place), in the order of the nodes.
pub fn sample(mesh: &Mesh, field: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<f64> {
    let axes: &[usize] = if mesh.is_plane() { &[0, 2] } else { &[0, 1, 2] };
    mesh.nodes.iter().flat_map(|node| axes.iter().map(|a| field(*node)[*a]).collect::<Vec<f64>>()).collect()
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}
