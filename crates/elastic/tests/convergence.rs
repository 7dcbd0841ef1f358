//! Orders of convergence on smooth solutions, and a ring with a closed form.
#![allow(clippy::unwrap_used, clippy::needless_range_loop)]

mod common;

use common::{Assembly, POISSON, YOUNG, inside, places, sample, unit};
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::element::{self, Elasticity};
use stickslip_elastic::mesh::{Disc, Elements, Grading};
use stickslip_elastic::{Kind, Mesh, condense};

/// u = c sin(k·x + φ).
struct Wave {
    c: [f64; 3],
    k: [f64; 3],
    phase: f64,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Wave {
    fn at(&self, x: [f64; 3]) -> [f64; 3] {
        self.c.map(|c| c * (dot(self.k, x) + self.phase).sin())
    }

    /// ∂u_a/∂x_b.
    fn slope(&self, x: [f64; 3]) -> [[f64; 3]; 3] {
        let cosine = (dot(self.k, x) + self.phase).cos();
        self.c.map(|c| self.k.map(|k| c * k * cosine))
    }

    /// The load −div σ = (G |k|² c + (λ + G)(c·k) k) sin(k·x + φ).
    fn load(&self, x: [f64; 3], Elasticity { lambda, shear }: Elasticity) -> [f64; 3] {
        let sine = (dot(self.k, x) + self.phase).sin();
        let square = dot(self.k, self.k);
        [0, 1, 2].map(|a| sine * (shear * square * self.c[a] + (lambda + shear) * dot(self.c, self.k) * self.k[a]))
    }
}

/// Three points of Gauss on [0, 1] with their weights: quintics exactly.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Points of the unit element in its own coordinates, shape functions there and weights over the volume of the unit element's
/// determinant; simplices are collapsed squares and cubes.
fn quadrature(kind: Kind) -> Vec<([f64; 3], Vec<f64>, f64)> {
    let depth: &[(f64, f64)] = if kind.is_plane() { &[(0.0, 1.0)] } else { &GAUSS };
    let mut out = Vec::new();
    for (r, wr) in GAUSS {
        for (s, ws) in GAUSS {
            for &(t, wt) in depth {
                let weight = wr * ws * wt;
                let line = |v: f64| [1.0 - v, v];
                let (a, b, c) = (line(r), line(s), line(t));
                let face = [a[0] * b[0], a[1] * b[0], a[1] * b[1], a[0] * b[1]];
                let entry = match kind {
                    Kind::Triangle => {
                        let at = [r, s * (1.0 - r), 0.0];
                        (at, vec![1.0 - at[0] - at[1], at[0], at[1]], weight * (1.0 - r))
                    }
                    Kind::Tetrahedron => {
                        let at = [r, s * (1.0 - r), t * (1.0 - r) * (1.0 - s)];
                        let first = 1.0 - at[0] - at[1] - at[2];
                        (at, vec![first, at[0], at[1], at[2]], weight * (1.0 - r).powi(2) * (1.0 - s))
                    }
                    Kind::Quadrilateral => ([2.0 * r - 1.0, 2.0 * s - 1.0, 0.0], face.to_vec(), weight * 4.0),
                    Kind::Pyramid => {
                        let shape = face.iter().map(|f| f * c[0]).chain([c[1]]).collect();
                        ([r, s, t].map(|v| 2.0 * v - 1.0), shape, weight * 8.0)
                    }
                    Kind::Hexahedron => {
                        let shape = face.iter().map(|f| f * c[0]).chain(face.iter().map(|f| f * c[1])).collect();
                        ([r, s, t].map(|v| 2.0 * v - 1.0), shape, weight * 8.0)
                    }
                };
                out.push(entry);
            }
        }
    }
    out
}

/// What a point of integration of the element itself weighs; `point` gives weight times determinant.
fn own_weight(kind: Kind) -> f64 {
    match kind {
        Kind::Triangle => 0.5,
        Kind::Tetrahedron => 1.0 / 6.0,
        _ => 1.0,
    }
}

/// What is done at a point: nodes and shape functions, place, gradients, volume.
type AtPoint<'a> = dyn FnMut(&[u32], &[f64], [f64; 3], &[[f64; 3]; 8], f64) + 'a;

/// Errors of the solution with the wave on the boundary and its load inside: L2 of the displacement, energy.
fn errors(mesh: &Mesh, wave: &Wave) -> [f64; 2] {
    let elasticity = Elasticity::new(YOUNG, POISSON);
    let (axes, directions): (&[usize], usize) = if mesh.is_plane() { (&[0, 2], 2) } else { (&[0, 1, 2], 3) };
    let mut load = vec![0.0; mesh.nodes.len() * directions];
    let each = |act: &mut AtPoint<'_>| {
        for (kind, corners) in mesh.elements() {
            let at = places(mesh, corners);
            for (local, shape, weight) in quadrature(kind) {
                let point = element::point(kind, &at, local);
                let mut x = [0.0; 3];
                for (n, p) in shape.iter().zip(&at) {
                    (0..3).for_each(|a| x[a] += n * p[a]);
                }
                act(corners, &shape, x, &point.gradients, weight * point.volume / own_weight(kind));
            }
        }
    };
    each(&mut |corners, shape, x, _, volume| {
        let force = wave.load(x, elasticity);
        for (node, n) in corners.iter().zip(shape) {
            axes.iter().enumerate().for_each(|(k, a)| load[*node as usize * directions + k] += volume * n * force[*a]);
        }
    });
    let free: Vec<bool> = inside(mesh).iter().flat_map(|free| vec![*free; directions]).collect();
    let mut u = sample(mesh, |x| wave.at(x));
    u.iter_mut().zip(&free).for_each(|(u, free)| *u *= f64::from(u8::from(!free)));
    Assembly::new(mesh, YOUNG, POISSON).solve(&load, &free, &mut u);
    let mut squares = [0.0; 2];
    each(&mut |corners, shape, x, gradients, volume| {
        let (exact, mut slope) = (wave.at(x), wave.slope(x));
        let mut distance = 0.0;
        for (k, &a) in axes.iter().enumerate() {
            let found: f64 = corners.iter().zip(shape).map(|(node, n)| n * u[*node as usize * directions + k]).sum();
            distance += (found - exact[a]).powi(2);
            for (node, g) in corners.iter().zip(gradients) {
                (0..3).for_each(|b| slope[a][b] -= g[b] * u[*node as usize * directions + k]);
            }
        }
        let trace = slope[0][0] + slope[1][1] + slope[2][2];
        let mut energy = elasticity.lambda * trace * trace;
        for a in 0..3 {
            for b in 0..3 {
                energy += 0.5 * elasticity.shear * (slope[a][b] + slope[b][a]).powi(2);
            }
        }
        squares[0] += volume * distance;
        squares[1] += volume * energy;
    });
    squares.map(f64::sqrt)
}

#[test]
fn displacements_converge_with_order_two_and_energy_with_order_one() {
    for kind in [Kind::Triangle, Kind::Quadrilateral, Kind::Tetrahedron, Kind::Pyramid, Kind::Hexahedron] {
        let flat = if kind.is_plane() { 0.0 } else { 1.0 };
        let wave = Wave { c: [1.0, 0.7 * flat, -0.6], k: [1.9, -1.3 * flat, 1.4], phase: 0.3 };
        let sizes: &[usize] = if kind.is_plane() { &[8, 16, 32] } else { &[4, 8, 12] };
        let found: Vec<[f64; 2]> = sizes
            .iter()
            .map(|n| {
                let mut mesh = unit(kind, *n);
                // A smooth map of the box onto itself: no element is a regular one.
                for node in &mut mesh.nodes {
                    let [x, y, z] = node.map(|v| std::f64::consts::PI * v);
                    let bump = 0.06 * x.sin() * z.sin() * if kind.is_plane() { 1.0 } else { y.sin() };
                    (node[0], node[2]) = (node[0] + bump, node[2] - 0.7 * bump);
                    node[1] += 0.5 * flat * bump;
                }
                mesh.check().unwrap();
                errors(&mesh, &wave)
            })
            .collect();
        let last = sizes.len() - 1;
        let ratio = (sizes[last] as f64 / sizes[last - 1] as f64).ln();
        let order = |k: usize| (found[last - 1][k] / found[last][k]).ln() / ratio;
        assert!((order(0) - 2.0).abs() < 0.1, "{kind:?}: displacement of order {:.3}, {found:?}", order(0));
        assert!((order(1) - 1.0).abs() < 0.1, "{kind:?}: energy of order {:.3}, {found:?}", order(1));
    }
}

/// A ring that is clamped inside (r = a) and pulled by the traction p all around (r = b): u = A (r − a²/r) with
/// A (2 (λ + G) + 2 G a²/b²) = p (Lamé, plane strain).
#[test]
fn a_ring_pulled_all_around_is_that_of_lame() {
    let (radius, hub, traction) = (0.5, 0.4, 1e8);
    let Elasticity { lambda, shear } = Elasticity::new(YOUNG, POISSON);
    let slope = traction / (2.0 * (lambda + shear) + 2.0 * shear * hub * hub);
    let exact = slope * radius * (1.0 - hub * hub);
    for (elements, least) in [(Elements::Bricks, 1.9), (Elements::Simplices, 1.9), (Elements::Layer, 1.9)] {
        let error = |n: usize| {
            let cell = std::f64::consts::PI * radius / (2 * n) as f64;
            let depth = radius * (1.0 - hub) / n as f64;
            let mut body = Disc {
                radius,
                hub,
                crown: None,
                cell: [cell, cell, depth],
                uniform: [1, 1, 1],
                outside: [Grading::Cells(2 * n - 1), Grading::Cells(1), Grading::Cells(n - 1)],
                contact: [1, 0],
                elements,
                young: YOUNG,
                poisson: POISSON,
            }
            .body()
            .unwrap();
            // All nodes of the tread, in their order around.
            let distance = |node: &[f64; 3]| node[0].hypot(node[2] - radius);
            let tread = |node: &[f64; 3]| distance(node) > radius * (1.0 - 1e-9);
            body.contact = (0..body.mesh.nodes.len() as u32).filter(|k| tread(&body.mesh.nodes[*k as usize])).collect();
            let around = body.contact.len();
            assert_eq!(around, 4 * n);
            let place = |k: usize| body.mesh.nodes[body.contact[k % around] as usize];
            let mut force = vec![0.0; 2 * around];
            for k in 0..around {
                let (p, q) = (place(k), place(k + 1));
                // Traction on the chord, normal to it, half to each end.
                let half = [0.5 * traction * (q[2] - p[2]), -0.5 * traction * (q[0] - p[0])];
                for node in [k, (k + 1) % around] {
                    (0..2).for_each(|d| force[2 * node + d] += half[d]);
                }
            }
            let found = condense(&body, &Dissection::new(&body), &|_| ()).unwrap();
            let mut u = vec![0.0; 2 * around];
            found.compliance.apply(&force, &mut u);
            let outwards = |k: usize| {
                let p = place(k);
                (u[2 * k] * p[0] + u[2 * k + 1] * (p[2] - radius)) / radius
            };
            ((0..around).map(outwards).sum::<f64>() / around as f64 / exact - 1.0).abs()
        };
        let (coarse, fine) = (error(8), error(16));
        assert!(fine < 6e-3, "{elements:?}: {fine:e}");
        let order = (coarse / fine).log2();
        assert!(order > least && order < 2.1, "{elements:?}: order {order:.3}, {coarse:e}, {fine:e}");
    }
}
