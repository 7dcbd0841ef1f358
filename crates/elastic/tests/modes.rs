//! Vibration of bodies with closed forms: bars, annuli, rings; none missed.
#![allow(clippy::unwrap_used)]

mod common;

use std::f64::consts::{PI, TAU};

use common::{POISSON, YOUNG, unit};
use stickslip_elastic::mesh::{Disc, Elements, Grading};
use stickslip_elastic::modes::{Mode, Modes, ModesError, Wanted, modes};
use stickslip_elastic::{Body, Kind, Mesh};

const DENSITY: f64 = 7850.0;

/// A bar along x of this length and height (and width in space), nodes with these x clamped.
fn bar(kind: Kind, cells: usize, size: [f64; 3], poisson: f64, clamped: impl Fn(f64) -> bool) -> Body {
    let mut mesh = unit(kind, cells);
    for node in &mut mesh.nodes {
        *node = [0, 1, 2].map(|axis| node[axis] * size[axis]);
    }
    held(mesh, poisson, clamped)
}

fn held(mesh: Mesh, poisson: f64, clamped: impl Fn(f64) -> bool) -> Body {
    let clamped = (0..mesh.nodes.len() as u32).filter(|node| clamped(mesh.nodes[*node as usize][0])).collect();
    Body { mesh, young: YOUNG, poisson, clamped, contact: Vec::new() }
}

/// A plane bar of nx × nz cells.
fn plane_bar(nx: usize, nz: usize, length: f64, height: f64, clamped: impl Fn(f64) -> bool) -> Body {
    let mut nodes = Vec::new();
    for i in 0..=nx {
        nodes.extend((0..=nz).map(|k| [length * i as f64 / nx as f64, 0.0, height * k as f64 / nz as f64]));
    }
    let at = |i: usize, k: usize| (i * (nz + 1) + k) as u32;
    let mut mesh = Mesh::with_nodes(nodes);
    for i in 0..nx {
        for k in 0..nz {
            mesh.push(Kind::Quadrilateral, &[at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)]);
        }
    }
    held(mesh, 0.0, clamped)
}

/// A ring with equal cells all around, clamped at its hub or free.
fn ring(around: usize, layers: usize, hub: f64, width: Option<f64>, free: bool) -> Body {
    let (radius, cells) = (0.4, around / 2);
    let disc = Disc {
        radius,
        hub,
        crown: width.map(|width| (width, f64::INFINITY)),
        cell: [radius * PI / cells as f64, width.unwrap_or(1.0) / 2.0, radius * (1.0 - hub) / layers as f64],
        uniform: [0, 1, 0],
        outside: [Grading::Growth(1.0), Grading::Growth(1.0), Grading::Growth(1.0)],
        contact: [0, 0],
        elements: Elements::Bricks,
        young: YOUNG,
        poisson: POISSON,
    };
    let mut body = disc.body().unwrap();
    if free {
        body.clamped.clear();
    }
    body
}

fn found(body: &Body, wanted: Wanted) -> Modes {
    let found = modes(body, DENSITY, wanted, &[]).unwrap();
    assert_eq!(found.counted, found.modes.len());
    let worst = found.modes.iter().map(|mode| mode.residual).fold(0.0, f64::max);
    // Rounding of Kφ over the shift: ε λ_max/s, some 1e-8 for these meshes and rigid motions; 1e-11 for the others.
    assert!(worst < 1e-7, "residual {worst:e}");
    found
}

fn frequencies(found: &Modes) -> Vec<f64> {
    found.modes.iter().map(Mode::frequency).collect()
}

/// The frequency nearest to one.
fn nearest(found: &Modes, frequency: f64) -> f64 {
    frequencies(found).into_iter().min_by(|a, b| (a - frequency).abs().total_cmp(&(b - frequency).abs())).unwrap()
}

fn order(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

/// Without Poisson's ratio a bar in extension is one-dimensional: f = (2k − 1) c/(4L), clamped at one end, and the error falls as h².
#[test]
fn a_bar_in_extension() {
    let (length, c) = (1.0, (YOUNG / DENSITY).sqrt());
    for mode in [1, 2] {
        let exact = f64::from(2 * mode - 1) * c / (4.0 * length);
        let errors: Vec<f64> = [8, 16, 32]
            .map(|n| {
                let body = plane_bar(n, 2, length, 0.05, |x| x == 0.0);
                nearest(&found(&body, Wanted::Below(1.1 * exact)), exact) / exact - 1.0
            })
            .to_vec();
        // Linear elements with consistent mass: (kh)²/24, from above.
        let k = TAU * exact / c;
        assert!((errors[2] / ((k / 32.0).powi(2) / 24.0) - 1.0).abs() < 0.02, "{errors:?}");
        assert!(order(&errors).iter().all(|p| (p - 2.0).abs() < 0.05), "{errors:?}");
    }
}

/// Timoshenko's beam, simply free: shear and rotary inertia are part of it. Euler's (βL)² = 22.3733 with (h/L)² effects taken from
/// Timoshenko's frequency equation, solved by shooting.
#[test]
fn a_bar_in_bending() {
    let (length, height): (f64, f64) = (1.0, 0.05);
    // Free ends: moment and shear vanish. States: deflection, rotation, moment, shear; per unit of width, ν = 0, shear factor 5/6.
    let (e, g) = (YOUNG, YOUNG / 2.0);
    let (area, inertia) = (height, height.powi(3) / 12.0);
    let shoot = |f: f64| {
        let w2 = (TAU * f).powi(2);
        let rate = |s: [f64; 4]| {
            [
                s[3] / (5.0 / 6.0 * g * area) + s[1],
                s[2] / (e * inertia),
                -s[3] - DENSITY * inertia * w2 * s[1],
                -DENSITY * area * w2 * s[0],
            ]
        };
        let run = |mut s: [f64; 4]| {
            let (n, h) = (2000, length / 2000.0);
            for _ in 0..n {
                let add = |s: [f64; 4], k: [f64; 4], f: f64| [0, 1, 2, 3].map(|i| s[i] + f * k[i]);
                let k1 = rate(s);
                let k2 = rate(add(s, k1, h / 2.0));
                let k3 = rate(add(s, k2, h / 2.0));
                let k4 = rate(add(s, k3, h));
                s = [0, 1, 2, 3].map(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
            }
            s
        };
        let (a, b) = (run([1.0, 0.0, 0.0, 0.0]), run([0.0, 1.0, 0.0, 0.0]));
        a[2] * b[3] - a[3] * b[2]
    };
    let euler = 22.373_285_4 / TAU * (e * inertia / (DENSITY * area)).sqrt() / (length * length);
    let timoshenko = bisected(shoot, 0.9 * euler, euler);
    assert!(timoshenko < euler && timoshenko > 0.98 * euler);
    // One layer of bricks that bend: without their bubbles shear would make it 27 % too stiff at h = 2 height.
    let body = plane_bar(20, 1, length, height, |_| false);
    let bending = nearest(&found(&body, Wanted::Lowest(6)), timoshenko);
    assert!((bending / timoshenko - 1.0).abs() < 0.01, "{bending} {timoshenko}");
    let fine = nearest(&found(&plane_bar(80, 4, length, height, |_| false), Wanted::Lowest(6)), timoshenko);
    assert!((fine / timoshenko - 1.0).abs() < 1e-3, "{fine} {timoshenko}");
}

/// Where a function passes zero.
fn bisected(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let below = f(low) > 0.0;
    assert!((f(high) > 0.0) != below, "no root in {low} … {high}");
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if (f(middle) > 0.0) == below { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// u'' + u'/r + (k² − 1/r²) u = 0 from u(a) = 0, u'(a) = 1: u and u' at b.
fn bessel(k: f64, a: f64, b: f64) -> [f64; 2] {
    let (n, mut s) = (4000, [0.0, 1.0]);
    let h = (b - a) / f64::from(n);
    let rate = |r: f64, s: [f64; 2]| [s[1], -s[1] / r - (k * k - 1.0 / (r * r)) * s[0]];
    for i in 0..n {
        let r = a + f64::from(i) * h;
        let add = |k: [f64; 2], f: f64| [s[0] + f * k[0], s[1] + f * k[1]];
        let k1 = rate(r, s);
        let k2 = rate(r + h / 2.0, add(k1, h / 2.0));
        let k3 = rate(r + h / 2.0, add(k2, h / 2.0));
        let k4 = rate(r + h, add(k3, h));
        s = [0, 1].map(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    s
}

/// The first torsion of an annulus clamped inside, free outside: r (u/r)' = 0 there.
fn torsion(a: f64, b: f64) -> f64 {
    let shear = (YOUNG / (2.0 * (1.0 + POISSON)) / DENSITY).sqrt();
    let edge = |k: f64| {
        let [u, du] = bessel(k, a, b);
        du - u / b
    };
    shear * bisected(edge, 0.3 / (b - a), 2.5 / (b - a)) / TAU
}

/// The first breathing of the same in plane strain: (λ + 2G) u' + λ u/r = 0.
fn breathing(a: f64, b: f64) -> f64 {
    let g = YOUNG / (2.0 * (1.0 + POISSON));
    let lambda = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    let pressure = ((lambda + 2.0 * g) / DENSITY).sqrt();
    let edge = |k: f64| {
        let [u, du] = bessel(k, a, b);
        (lambda + 2.0 * g) * du + lambda * u / b
    };
    pressure * bisected(edge, 0.8 / (b - a), 2.5 / (b - a)) / TAU
}

/// The frequency of the mode that moves the tread of a plane ring most along this field of all (by angle from the bottom on), on average.
fn along(body: &Body, found: &Modes, field: impl Fn(f64) -> [f64; 2]) -> f64 {
    let share = |mode: &Mode| {
        let (mut sum, mut square) = (0.0, 0.0);
        for (node, u) in body.mesh.nodes.iter().zip(mode.shape.chunks(2)) {
            let [x, z] = [node[0], node[2] - 0.4];
            if x.hypot(z) > 0.399_999 {
                let e = field(x.atan2(-z));
                sum += e[0] * u[0] + e[1] * u[1];
                square += u[0] * u[0] + u[1] * u[1];
            }
        }
        sum * sum / square
    };
    found.modes.iter().max_by(|a, b| share(a).total_cmp(&share(b))).unwrap().frequency()
}

/// Torsion and breathing of a disc in its plane, exact solutions of elasticity; the error falls as h².
#[test]
fn an_annulus_in_its_plane() {
    let (a, b) = (0.2, 0.4);
    for (name, exact) in [("torsion", torsion(a, b)), ("breathing", breathing(a, b))] {
        let errors: Vec<f64> = [(24, 4), (48, 8), (96, 16)]
            .map(|(around, layers)| {
                let body = ring(around, layers, a / b, None, false);
                let found = found(&body, Wanted::Below(1.15 * exact));
                let of = |angle: f64| {
                    let (sin, cos) = angle.sin_cos();
                    if name == "torsion" { [cos, sin] } else { [sin, -cos] }
                };
                along(&body, &found, of) / exact - 1.0
            })
            .to_vec();
        assert!(errors[2].abs() < 2e-3, "{name} {errors:?}");
        assert!(order(&errors).iter().all(|p| (p - 2.0).abs() < 0.2), "{name} {errors:?} {:?}", order(&errors));
    }
}

/// A free thin ring bends in its plane: ω² = E'I/(ρAR⁴) n²(n² − 1)²/(n² + 1), in plane strain E' = E/(1 − ν²); and in pairs. Thickness, shear
/// and rotary inertia lower it by (t/R)².
#[test]
fn a_free_ring_bends_in_pairs() {
    let (hub, around) = (0.95, 160);
    let body = ring(around, 2, hub, None, true);
    let found = found(&body, Wanted::Lowest(3 + 6));
    let (t, middle) = (0.4 * (1.0 - hub), 0.4 * 0.5 * (1.0 + hub));
    let f = frequencies(&found);
    let elastic = |n: f64| {
        let e = YOUNG / (1.0 - POISSON * POISSON);
        let square = e * t * t / (12.0 * DENSITY * middle.powi(4)) * (n * (n * n - 1.0)).powi(2) / (n * n + 1.0);
        square.sqrt() / TAU
    };
    // Three rigid motions of a plane body.
    assert!(found.modes[2].square < 1e-9 * found.modes[3].square, "{f:?}");
    for (k, n) in [(3, 2.0), (5, 3.0), (7, 4.0)] {
        assert!((f[k] / f[k + 1] - 1.0).abs() < 1e-9, "{f:?}");
        let off = f[k] / elastic(n) - 1.0;
        assert!(off < 5e-3 && off > -(n * t / middle).powi(2), "n = {n}: {} {}, {off}", f[k], elastic(n));
    }
}

/// Torsion of a ring in space: u_θ(r) leaves its faces free, so that it is the torsion of the plane one.
#[test]
fn a_ring_in_space() {
    let (a, b) = (0.2, 0.4);
    let exact = torsion(a, b);
    let errors: Vec<f64> = [(16, 3), (32, 6)]
        .map(|(around, layers)| {
            let found = found(&ring(around, layers, a / b, Some(0.1), false), Wanted::Below(1.1 * exact));
            nearest(&found, exact) / exact - 1.0
        })
        .to_vec();
    assert!(errors[1].abs() < 1e-2 && order(&errors)[0] > 1.7, "{errors:?}");
}

/// Rigid motions of free bodies: three in the plane, six in space, ω = 0, and Mφ-orthonormal with the others.
#[test]
fn free_bodies_have_rigid_motions() {
    for (kind, rigid) in [
        (Kind::Quadrilateral, 3),
        (Kind::Triangle, 3),
        (Kind::Hexahedron, 6),
        (Kind::Tetrahedron, 6),
        (Kind::Pyramid, 6),
    ] {
        let body = bar(kind, 3, [1.0, 0.3, 0.2], POISSON, |_| false);
        let found = found(&body, Wanted::Lowest(rigid + 4));
        let f = frequencies(&found);
        assert!(found.modes[rigid - 1].square.abs() < 1e-9 * found.modes[rigid].square, "{kind:?} {f:?}");
        // Elastic ones lie apart from them, and in order.
        assert!(f[rigid] > 100.0 && f.windows(2).all(|pair| pair[0] <= pair[1]), "{kind:?} {f:?}");
    }
}

/// Σ φφᵀ/ω² over all modes is the static compliance: modes and factor are of one matrix, and masses are those of the body.
#[test]
fn all_modes_make_the_static_compliance() {
    let body = bar(Kind::Hexahedron, 2, [0.5, 0.2, 0.3], POISSON, |x| x == 0.0);
    let all = body.freedoms();
    let at = (body.mesh.nodes.len() - 1) * 3 + 2;
    let mut load = vec![0.0; body.mesh.nodes.len() * 3];
    load[at] = 1.0;
    let found = modes(&body, DENSITY, Wanted::Lowest(all), &[load]).unwrap();
    assert_eq!((found.modes.len(), found.counted), (all, all));
    let sum: f64 = found.modes.iter().map(|mode| mode.shape[at].powi(2) / mode.square).sum();
    assert!((sum / found.statics[0][at] - 1.0).abs() < 1e-10, "{sum} {}", found.statics[0][at]);
}

/// The pencil must be right, not only its solution: mass of a rigid motion is that of the body.
#[test]
fn rigid_motions_have_the_mass_of_the_body() {
    let size = [0.5, 0.2, 0.3];
    let mass = DENSITY * size[0] * size[1] * size[2];
    for kind in [Kind::Hexahedron, Kind::Tetrahedron, Kind::Pyramid] {
        let body = bar(kind, 2, size, POISSON, |_| false);
        let found = found(&body, Wanted::Lowest(6));
        // Of the six mass-normalised rigid motions the squared amplitudes of the middle add up to 3/m, whatever their mixture.
        let middle = body.mesh.nodes.iter().position(|x| (0..3).all(|k| (x[k] - 0.5 * size[k]).abs() < 1e-12)).unwrap();
        let sum: f64 =
            found.modes.iter().map(|mode| (0..3).map(|d| mode.shape[3 * middle + d].powi(2)).sum::<f64>()).sum();
        assert!((sum * mass / 3.0 - 1.0).abs() < 1e-9, "{kind:?} {}", sum * mass / 3.0);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let body = bar(Kind::Hexahedron, 1, [1.0, 1.0, 1.0], POISSON, |_| false);
    let words = |wanted, density| modes(&body, density, wanted, &[]).unwrap_err().to_string();
    assert!(words(Wanted::Lowest(25), DENSITY).contains("at most 24"));
    assert!(words(Wanted::Below(-1.0), DENSITY).contains("frequency"));
    assert!(words(Wanted::Lowest(1), 0.0).contains("density"));
    let floats = modes(&body, DENSITY, Wanted::Lowest(1), &[vec![1.0; 24]]);
    assert!(matches!(floats, Err(ModesError::Stiffness(_))), "{floats:?}");
}

fn wheel(fine: usize) -> stickslip_elastic::mesh::Wheel {
    stickslip_elastic::mesh::Wheel {
        radius: 0.46,
        width: 0.135,
        rim: 0.05,
        web: 0.025,
        hub: 0.11,
        offset: 0.02,
        cells: [24 * fine, 2 * fine, fine, fine, 3 * fine],
        young: YOUNG,
        poisson: POISSON,
    }
}

/// Unit forces along y and z on the contact of a wheel.
fn loads(mesh: &stickslip_elastic::mesh::WheelMesh) -> [Vec<f64>; 2] {
    [1, 2].map(|axis| {
        let mut load = vec![0.0; mesh.body.mesh.nodes.len() * 3];
        mesh.patch.iter().for_each(|(node, share)| load[*node as usize * 3 + axis] = *share);
        load
    })
}

/// Mean of 1/r over pairs of points of a rectangle, against a sum over cells.
#[test]
fn the_half_space_under_a_rectangle() {
    let sides = [0.03, 0.02];
    let n = 40;
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for i in 0..n * n {
        for j in 0..n * n {
            let at = |k: usize| [k % n, k / n].map(|v| (v as f64 + 0.5) / n as f64);
            let (p, q) = (at(i), at(j));
            let r = (sides[0] * (p[0] - q[0])).hypot(sides[1] * (p[1] - q[1]));
            // A cell with itself: its own mean, by the square of equal area.
            let own = 2.973_210 / (sides[0] * sides[1] / (n * n) as f64).sqrt();
            sum += if i == j { own } else { 1.0 / r };
            count += 1.0;
        }
    }
    let exact = (1.0 - POISSON * POISSON) / (PI * YOUNG) * sum / count;
    let found = stickslip_elastic::mesh::half_space_compliance(sides, YOUNG, POISSON);
    // Neighbours count by their middles: an error of the size of a cell.
    assert!((found / exact - 1.0).abs() < 1e-2, "{found} {exact}");
    // A square: the mean of 1/r is (4 ln(1 + √2) + 4/3 (1 − √2)) over its side.
    let square = 4.0 * (1.0 + 2.0_f64.sqrt()).ln() + 4.0 / 3.0 * (1.0 - 2.0_f64.sqrt());
    let found = stickslip_elastic::mesh::half_space_compliance([0.01, 0.01], YOUNG, POISSON);
    let exact = (1.0 - POISSON * POISSON) / (PI * YOUNG) * square / 0.01;
    assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
}

/// A wheel with rim and web: frequencies settle with the mesh, and so does the static compliance once the local part is taken out of it,
/// though the force is spread over ever smaller cells.
#[test]
fn a_wheel_settles_with_its_mesh() {
    let of = |fine: usize| {
        let mesh = wheel(fine).mesh().unwrap();
        mesh.body.check().unwrap();
        let [_, up] = loads(&mesh);
        let found = modes(&mesh.body, DENSITY, Wanted::Lowest(12), std::slice::from_ref(&up)).unwrap();
        assert_eq!(found.counted, found.modes.len());
        let dot = |u: &[f64]| u.iter().zip(&up).map(|(u, f)| u * f).sum::<f64>();
        let whole = dot(&found.statics[0]);
        let local = stickslip_elastic::mesh::half_space_compliance(mesh.sides, YOUNG, POISSON);
        (frequencies(&found), whole, whole - local)
    };
    let (coarse, fine) = (of(2), of(3));
    for (a, b) in coarse.0.iter().zip(&fine.0) {
        assert!((a / b - 1.0).abs() < 0.03, "{a} {b}");
    }
    // The whole grows without end, the structure's part does not.
    assert!(fine.1 / coarse.1 > 1.03 && (fine.2 / coarse.2 - 1.0).abs() < 0.05, "{coarse:?} {fine:?}");
}
