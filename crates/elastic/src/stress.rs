//! Stresses from displacements.

use crate::element::{self, Elasticity, Point};
use crate::mesh::Body;

/// Von Mises' stress in the middle of every element \[Pa\]: √(3/2) |deviator|.
pub fn von_mises(body: &Body, u: &[f64]) -> Vec<f64> {
    let directions = body.mesh.directions();
    let Elasticity { lambda, shear } = Elasticity::new(body.young, body.poisson);
    let mut stresses = Vec::with_capacity(body.mesh.len());
    for (kind, corners) in body.mesh.elements() {
        let places = body.mesh.places(corners);
        let axes = element::directions(kind);
        let middle = if kind.nodes() == 3 || (kind.nodes() == 4 && !kind.is_plane()) {
            element::points(kind)[0]
        } else {
            [0.0; 3]
        };
        let Point { gradients, .. } = element::point(kind, &places, middle);
        // ∂u_a/∂x_b.
        let mut slope = [[0.0; 3]; 3];
        for (gradient, node) in gradients.iter().zip(corners) {
            for (k, &a) in axes.iter().enumerate() {
                let moved = u[*node as usize * directions + k];
                for b in 0..3 {
                    slope[a][b] += moved * gradient[b];
                }
            }
        }
        let trace = slope[0][0] + slope[1][1] + slope[2][2];
        let stress =
            |a: usize, b: usize| shear * (slope[a][b] + slope[b][a]) + if a == b { lambda * trace } else { 0.0 };
        let mean = (stress(0, 0) + stress(1, 1) + stress(2, 2)) / 3.0;
        let mut square = 0.0;
        for a in 0..3 {
            for b in 0..3 {
                let deviator = stress(a, b) - if a == b { mean } else { 0.0 };
                square += deviator * deviator;
            }
        }
        stresses.push((1.5 * square).sqrt());
    }
    stresses
}
