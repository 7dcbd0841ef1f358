//! Isoparametric elements: their stiffness and strains.
//!
//! Unknowns stand node after node: (u_x, u_z) of plane elements, (u_x, u_y, u_z) of solid ones. Integration: one point in
//! triangles and tetrahedra, 2 × 2 and 2 × 2 × 2 points of Gauss in quadrilaterals and hexahedra, all of them full. Pyramids are
//! hexahedra with one face drawn together to the tip: bilinear on their base, linear on their sides, so that they join hexahedra
//! to tetrahedra without a gap, and constant strains are integrated exactly.

mod bending;

pub use bending::{NodeMatrix, bending_stiffness, mass, shapes};

use crate::mesh::Kind;

/// Unknowns of the largest element.
pub const MOST: usize = 24;

/// A stiffness matrix, row after row of [`MOST`] entries each.
pub type Stiffness = [[f64; MOST]; MOST];

/// 1/√3: where Gauss integrates cubics exactly with two points.
const GAUSS: f64 = 0.577_350_269_189_625_8;

/// Elastic constants of an isotropic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elasticity {
    /// Lamé's λ.
    pub lambda: f64,
    /// The shear modulus.
    pub shear: f64,
}

impl Elasticity {
    /// From Young's modulus and Poisson's ratio.
    pub fn new(young: f64, poisson: f64) -> Elasticity {
        Elasticity {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            shear: young / (2.0 * (1.0 + poisson)),
        }
    }
}

/// A point of integration: gradients of the shape functions and the volume that belongs to it.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// ∂N/∂(x, y, z) of each node; the middle one is 0 in plane elements.
    pub gradients: [[f64; 3]; 8],
    /// Weight times determinant.
    pub volume: f64,
}

/// The points of integration of an element, in order.
pub fn points(kind: Kind) -> &'static [[f64; 3]] {
    const G: f64 = GAUSS;
    match kind {
        Kind::Triangle => &[[1.0 / 3.0, 1.0 / 3.0, 0.0]],
        Kind::Tetrahedron => &[[0.25, 0.25, 0.25]],
        Kind::Quadrilateral => &[[-G, -G, 0.0], [G, -G, 0.0], [G, G, 0.0], [-G, G, 0.0]],
        Kind::Pyramid | Kind::Hexahedron => {
            &[[-G, -G, -G], [G, -G, -G], [G, G, -G], [-G, G, -G], [-G, -G, G], [G, -G, G], [G, G, G], [-G, G, G]]
        }
    }
}

/// Corners of the unit square and cube, in the order of the nodes.
const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// Derivatives of the shape functions with respect to the coordinates of the unit element.
fn local(kind: Kind, at: [f64; 3]) -> [[f64; 3]; 8] {
    let mut d = [[0.0; 3]; 8];
    match kind {
        Kind::Triangle => {
            d[..3].copy_from_slice(&[[-1.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        }
        Kind::Tetrahedron => {
            d[..4].copy_from_slice(&[[-1.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        }
        Kind::Quadrilateral => {
            for (d, c) in d.iter_mut().zip(CORNERS).take(4) {
                *d = [0.25 * c[0] * (1.0 + c[1] * at[1]), 0.25 * c[1] * (1.0 + c[0] * at[0]), 0.0];
            }
        }
        // The shape function of the tip is the sum of those of the upper face: (1 + ζ)/2.
        Kind::Pyramid => {
            d[..4].copy_from_slice(&local(Kind::Hexahedron, at)[..4]);
            d[4] = [0.0, 0.0, 0.5];
        }
        Kind::Hexahedron => {
            for (d, c) in d.iter_mut().zip(CORNERS) {
                let f = [1.0 + c[0] * at[0], 1.0 + c[1] * at[1], 1.0 + c[2] * at[2]];
                *d = [0.125 * c[0] * f[1] * f[2], 0.125 * c[1] * f[0] * f[2], 0.125 * c[2] * f[0] * f[1]];
            }
        }
    }
    d
}

/// Volume of the unit element over its number of points.
fn weight(kind: Kind) -> f64 {
    match kind {
        Kind::Triangle => 0.5,
        Kind::Tetrahedron => 1.0 / 6.0,
        Kind::Quadrilateral | Kind::Pyramid | Kind::Hexahedron => 1.0,
    }
}

/// One point of an element whose nodes are at these places.
pub fn point(kind: Kind, places: &[[f64; 3]; 8], at: [f64; 3]) -> Point {
    let (d, n) = (local(kind, at), kind.nodes());
    if kind.is_plane() {
        // [∂(x, z)/∂(ξ, η)].
        let mut j = [[0.0; 2]; 2];
        for (d, p) in d.iter().zip(places).take(n) {
            for a in 0..2 {
                j[a][0] += d[a] * p[0];
                j[a][1] += d[a] * p[2];
            }
        }
        let determinant = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        let mut gradients = [[0.0; 3]; 8];
        for (g, d) in gradients.iter_mut().zip(&d).take(n) {
            g[0] = (j[1][1] * d[0] - j[0][1] * d[1]) / determinant;
            g[2] = (j[0][0] * d[1] - j[1][0] * d[0]) / determinant;
        }
        return Point { gradients, volume: weight(kind) * determinant };
    }
    let mut j = [[0.0; 3]; 3];
    for (d, p) in d.iter().zip(places).take(n) {
        for a in 0..3 {
            for b in 0..3 {
                j[a][b] += d[a] * p[b];
            }
        }
    }
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let cofactors = [cross(j[1], j[2]), cross(j[2], j[0]), cross(j[0], j[1])];
    let determinant = (0..3).map(|k| j[0][k] * cofactors[0][k]).sum::<f64>();
    let mut gradients = [[0.0; 3]; 8];
    for (g, d) in gradients.iter_mut().zip(&d).take(n) {
        for b in 0..3 {
            g[b] = (0..3).map(|a| cofactors[a][b] * d[a]).sum::<f64>() / determinant;
        }
    }
    Point { gradients, volume: weight(kind) * determinant }
}

/// The least determinant over the points of integration and the corners: not positive if the element is inverted.
pub fn least_volume(kind: Kind, places: &[[f64; 3]; 8]) -> f64 {
    let corners: &[[f64; 3]] = match kind {
        // Not the tip: its determinant is 0.
        Kind::Quadrilateral | Kind::Pyramid => &CORNERS[..4],
        Kind::Hexahedron => &CORNERS,
        _ => &[],
    };
    let all = points(kind).iter().chain(corners);
    // `min` would drop a NaN.
    all.map(|at| point(kind, places, *at).volume).fold(f64::INFINITY, |m, v| if v < m || v.is_nan() { v } else { m })
}

/// The directions in which the nodes of an element move: indices into (x, y, z).
pub fn directions(kind: Kind) -> &'static [usize] {
    if kind.is_plane() { &[0, 2] } else { &[0, 1, 2] }
}

/// K_(ma)(nb) = Σ volume (λ g_ma g_nb + G (δ_ab g_m·g_n + g_mb g_na)): plane strain in the plane.
pub fn stiffness(kind: Kind, places: &[[f64; 3]; 8], elasticity: Elasticity) -> Stiffness {
    let Elasticity { lambda, shear } = elasticity;
    let (nodes, axes) = (kind.nodes(), directions(kind));
    let dim = axes.len();
    let mut k = [[0.0; MOST]; MOST];
    for at in points(kind) {
        let Point { gradients, volume } = point(kind, places, *at);
        for m in 0..nodes {
            for n in 0..nodes {
                let (gm, gn) = (gradients[m], gradients[n]);
                let both = gm[0] * gn[0] + gm[1] * gn[1] + gm[2] * gn[2];
                for (p, &a) in axes.iter().enumerate() {
                    for (q, &b) in axes.iter().enumerate() {
                        let same = if a == b { both } else { 0.0 };
                        k[m * dim + p][n * dim + q] +=
                            volume * (lambda * gm[a] * gn[b] + shear * (same + gm[b] * gn[a]));
                    }
                }
            }
        }
    }
    k
}

/// The diagonal of [`stiffness`] alone.
pub fn diagonal(kind: Kind, places: &[[f64; 3]; 8], elasticity: Elasticity) -> [f64; MOST] {
    let Elasticity { lambda, shear } = elasticity;
    let axes = directions(kind);
    let mut diagonal = [0.0; MOST];
    for at in points(kind) {
        let Point { gradients, volume } = point(kind, places, *at);
        for (m, g) in gradients.iter().enumerate().take(kind.nodes()) {
            let square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
            for (p, &a) in axes.iter().enumerate() {
                diagonal[m * axes.len() + p] += volume * ((lambda + shear) * g[a] * g[a] + shear * square);
            }
        }
    }
    diagonal
}
