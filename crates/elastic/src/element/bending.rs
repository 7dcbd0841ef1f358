//! What vibration needs of elements besides their stiffness: mass, and bricks that bend.
//!
//! Bilinear quadrilaterals and hexahedra answer bending with shear: an element of length a in a plate of thickness t is too stiff by about
//! (1 − ν)/2 (a/t)². Bubbles 1 − ξ² of each coordinate, which neighbours need not share, take that shear away (Wilson, Taylor, Doherty and
//! Ghaboussi 1973); with their gradients from the middle of the element, scaled by its volume, constant strain stays exact (Taylor,
//! Beresford and Wilson 1976). They are eliminated within the element.

use super::{CORNERS, Elasticity, Point, Stiffness, directions, point, points, stiffness};
use crate::mesh::Kind;

/// Gradients of the nodes and of three bubbles.
const WITH_BUBBLES: usize = 11;

/// Unknowns of an element with its bubbles.
const UNKNOWNS: usize = 3 * WITH_BUBBLES;

/// A matrix over the nodes of an element: the same for each direction.
pub type NodeMatrix = [[f64; 8]; 8];

/// Shape functions of all nodes at a point of the unit element.
pub fn shapes(kind: Kind, at: [f64; 3]) -> [f64; 8] {
    let mut n = [0.0; 8];
    let [x, y, z] = at;
    match kind {
        Kind::Triangle => n[..3].copy_from_slice(&[1.0 - x - y, x, y]),
        Kind::Tetrahedron => n[..4].copy_from_slice(&[1.0 - x - y - z, x, y, z]),
        Kind::Quadrilateral => {
            for (n, c) in n.iter_mut().zip(CORNERS).take(4) {
                *n = 0.25 * (1.0 + c[0] * x) * (1.0 + c[1] * y);
            }
        }
        Kind::Pyramid => {
            n[..4].copy_from_slice(&shapes(Kind::Hexahedron, at)[..4]);
            n[4] = 0.5 * (1.0 + z);
        }
        Kind::Hexahedron => {
            for (n, c) in n.iter_mut().zip(CORNERS) {
                *n = 0.125 * (1.0 + c[0] * x) * (1.0 + c[1] * y) * (1.0 + c[2] * z);
            }
        }
    }
    n
}

/// ∫ N_m N_n dV, consistent with the shape functions: exact for triangles, tetrahedra and parallelepipeds.
pub fn mass(kind: Kind, places: &[[f64; 3]; 8]) -> NodeMatrix {
    let (nodes, mut mass) = (kind.nodes(), [[0.0; 8]; 8]);
    if let Kind::Triangle | Kind::Tetrahedron = kind {
        let volume = point(kind, places, points(kind)[0]).volume;
        let share = volume / (nodes * (nodes + 1)) as f64;
        for (m, row) in mass.iter_mut().enumerate().take(nodes) {
            row[..nodes].fill(share);
            row[m] = 2.0 * share;
        }
        return mass;
    }
    for at in points(kind) {
        let (n, volume) = (shapes(kind, *at), point(kind, places, *at).volume);
        for (row, a) in mass.iter_mut().zip(n).take(nodes) {
            row.iter_mut().zip(n).take(nodes).for_each(|(sum, b)| *sum += volume * a * b);
        }
    }
    mass
}

/// Stiffness for vibration: of quadrilaterals and hexahedra with bubbles, of others as it is.
pub fn bending_stiffness(kind: Kind, places: &[[f64; 3]; 8], elasticity: Elasticity) -> Stiffness {
    let coordinates = match kind {
        Kind::Quadrilateral => 2,
        Kind::Hexahedron => 3,
        _ => return stiffness(kind, places, elasticity),
    };
    let Elasticity { lambda, shear } = elasticity;
    let (nodes, axes) = (kind.nodes(), directions(kind));
    let (dim, all) = (axes.len(), kind.nodes() + coordinates);
    let middle = point(kind, places, [0.0; 3]);
    // ∇ξ in the middle: ξ itself is made of shape functions.
    let mut slopes = [[0.0; 3]; 3];
    for (slope, axis) in slopes.iter_mut().zip(0..coordinates) {
        for (gradient, corner) in middle.gradients.iter().zip(CORNERS).take(nodes) {
            slope.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += corner[axis] * g);
        }
    }
    let mut k = [[0.0; UNKNOWNS]; UNKNOWNS];
    for at in points(kind) {
        let Point { gradients, volume } = point(kind, places, *at);
        let mut g = [[0.0; 3]; WITH_BUBBLES];
        g[..nodes].copy_from_slice(&gradients[..nodes]);
        for axis in 0..coordinates {
            g[nodes + axis] = slopes[axis].map(|slope| -2.0 * at[axis] * slope * middle.volume / volume);
        }
        for m in 0..all {
            for n in 0..=m {
                let both: f64 = g[m].iter().zip(g[n]).map(|(a, b)| a * b).sum();
                for (p, &a) in axes.iter().enumerate() {
                    for (q, &b) in axes.iter().enumerate() {
                        let same = if a == b { both } else { 0.0 };
                        k[m * dim + p][n * dim + q] +=
                            volume * (lambda * g[m][a] * g[n][b] + shear * (same + g[m][b] * g[n][a]));
                    }
                }
            }
        }
    }
    condensed(&mut k, nodes * dim, all * dim)
}

/// Eliminates the last unknowns of a symmetric matrix whose lower triangle is given, the very last first.
fn condensed(k: &mut [[f64; UNKNOWNS]; UNKNOWNS], keep: usize, all: usize) -> Stiffness {
    for pivot in (keep..all).rev() {
        let row = k[pivot];
        for i in 0..pivot {
            let factor = row[i] / row[pivot];
            for j in 0..=i {
                k[i][j] -= factor * row[j];
            }
        }
    }
    let mut out = [[0.0; super::MOST]; super::MOST];
    for i in 0..keep {
        for j in 0..=i {
            (out[i][j], out[j][i]) = (k[i][j], k[i][j]);
        }
    }
    out
}
