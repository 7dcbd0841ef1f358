//! Single elements and patches of them: what every finite element must do exactly.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Assembly, Noise, POISSON, YOUNG, block, inside, jitter, largest, sample, unit};
use stickslip_elastic::mesh::Elements;
use stickslip_elastic::stress::von_mises;
use stickslip_elastic::{Body, Kind, Mesh};

const KINDS: [Kind; 5] = [Kind::Triangle, Kind::Quadrilateral, Kind::Tetrahedron, Kind::Pyramid, Kind::Hexahedron];

/// A field with constant strain and rotation.
fn linear(x: [f64; 3]) -> [f64; 3] {
    [
        0.3e-3 * x[0] - 0.7e-3 * x[1] + 0.2e-3 * x[2] + 1e-3,
        0.4e-3 * x[0] + 0.5e-3 * x[1] - 0.6e-3 * x[2],
        -0.1e-3 * x[0] + 0.9e-3 * x[1] + 0.8e-3 * x[2] - 2e-3,
    ]
}

/// Largest force on an inner node under constant strain, over the largest force on any node.
fn patch_residual(mesh: &Mesh) -> f64 {
    mesh.check().unwrap();
    let forces = Assembly::new(mesh, YOUNG, POISSON).apply(&sample(mesh, linear));
    let directions = mesh.directions();
    let inner: Vec<f64> = forces
        .chunks_exact(directions)
        .zip(inside(mesh))
        .filter(|(_, inner)| *inner)
        .flat_map(|(f, _)| f.to_vec())
        .collect();
    assert!(!inner.is_empty());
    largest(&inner) / largest(&forces)
}

#[test]
fn constant_strain_on_distorted_patches_is_in_equilibrium() {
    let mut noise = Noise(1);
    for kind in KINDS {
        for round in 0..5 {
            let mut mesh = unit(kind, 4);
            jitter(&mut mesh, 0.05, &mut noise);
            let residual = patch_residual(&mesh);
            assert!(residual < 1e-13, "{kind:?}, round {round}: {residual:e}");
        }
    }
}

#[test]
fn constant_strain_is_found_from_the_boundary() {
    let mut noise = Noise(2);
    for kind in KINDS {
        let mut mesh = unit(kind, 3);
        jitter(&mut mesh, 0.07, &mut noise);
        let wanted = sample(&mesh, linear);
        let free: Vec<bool> = inside(&mesh).iter().flat_map(|f| vec![*f; mesh.directions()]).collect();
        let mut u: Vec<f64> = wanted.iter().zip(&free).map(|(u, free)| if *free { 0.0 } else { *u }).collect();
        let assembly = Assembly::new(&mesh, YOUNG, POISSON);
        assembly.solve(&vec![0.0; u.len()], &free, &mut u);
        let error = u.iter().zip(&wanted).fold(0.0, |m: f64, (u, w)| m.max((u - w).abs()));
        assert!(error < 1e-12 * largest(&wanted), "{kind:?}: {error:e}");
    }
}

/// In space a pyramid stands between hexahedra and tetrahedra; joined directly they leave 1e-2 here.
#[test]
fn layers_of_both_kinds_pass_the_patch_test() {
    let mut noise = Noise(3);
    for plane in [true, false] {
        for elements in [Elements::Bricks, Elements::Simplices, Elements::Layer] {
            for size in [0.0, 0.02] {
                let mut mesh = block(plane, elements).mesh;
                jitter(&mut mesh, size, &mut noise);
                let residual = patch_residual(&mesh);
                assert!(residual < 1e-13, "plane {plane}, {elements:?}, jitter {size}: {residual:e}");
            }
        }
    }
}

#[test]
fn rigid_motions_cost_nothing_and_nothing_else_is_free() {
    let mut noise = Noise(4);
    for kind in KINDS {
        // One cell, all of its nodes moved.
        let mut mesh = unit(kind, 1);
        for node in &mut mesh.nodes {
            node[0] += 0.15 * noise.next();
            node[1] += if kind.is_plane() { 0.0 } else { 0.15 * noise.next() };
            node[2] += 0.15 * noise.next();
        }
        let assembly = Assembly::new(&mesh, YOUNG, POISSON);
        let rotate = |a: usize, b: usize| {
            move |x: [f64; 3]| {
                let mut u = [0.0; 3];
                (u[a], u[b]) = (-x[b], x[a]);
                u
            }
        };
        let mut modes = vec![sample(&mesh, |_| [1.0, 0.0, 0.0]), sample(&mesh, |_| [0.0, 0.0, 1.0])];
        modes.push(sample(&mesh, rotate(0, 2)));
        if !kind.is_plane() {
            modes.push(sample(&mesh, |_| [0.0, 1.0, 0.0]));
            modes.push(sample(&mesh, rotate(0, 1)));
            modes.push(sample(&mesh, rotate(1, 2)));
        }
        let k = assembly.dense();
        let scale = k.iter().map(|row| largest(row)).fold(0.0, f64::max);
        for mode in &modes {
            let force = largest(&assembly.apply(mode)) / (scale * largest(mode));
            assert!(force < 1e-14, "{kind:?}: {force:e}");
        }
        // No hourglasses: the rank is that of all unknowns but the rigid ones.
        let rows: Vec<&[f64]> = k.iter().map(Vec::as_slice).collect();
        let values = stickslip_linalg::singular_values(&stickslip_linalg::Matrix::from_rows(&rows)).unwrap();
        let zero = values.iter().filter(|v| **v < 1e-10 * values[0]).count();
        assert_eq!(zero, modes.len(), "{kind:?}: {values:?}");
        for (i, row) in k.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                assert!((entry - k[j][i]).abs() < 1e-14 * scale);
            }
        }
    }
}

#[test]
fn von_mises_of_uniform_states() {
    let mut noise = Noise(5);
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    for kind in KINDS {
        let mut mesh = unit(kind, 3);
        jitter(&mut mesh, 0.05, &mut noise);
        let body = Body { mesh, young: YOUNG, poisson: POISSON, clamped: vec![0], contact: vec![1] };
        let check = |what: &str, field: &dyn Fn([f64; 3]) -> [f64; 3], wanted: f64| {
            let stresses = von_mises(&body, &sample(&body.mesh, field));
            assert_eq!(stresses.len(), body.mesh.len());
            for stress in stresses {
                assert!((stress - wanted).abs() < 1e-12 * YOUNG * 1e-3, "{kind:?}, {what}: {stress:e}, not {wanted:e}");
            }
        };
        let e = 1e-3;
        check("rotation", &|x| [e * x[2], 0.0, -e * x[0]], 0.0);
        check("simple shear in (x, z)", &|x| [e * x[2], 0.0, 0.0], 3f64.sqrt() * shear * e);
        if kind.is_plane() {
            // σ_zz = 0 and ε_yy = 0: σ_yy = ν σ_xx, ε_xx = σ_xx (1 − ν²)/E, ε_zz = −σ_xx ν (1 + ν)/E.
            let stress = YOUNG * e / (1.0 - POISSON * POISSON);
            let across = -POISSON / (1.0 - POISSON) * e;
            let wanted = stress * (1.0 - POISSON + POISSON * POISSON).sqrt();
            check("plane strain, one stress", &|x| [e * x[0], 0.0, across * x[2]], wanted);
            // Equal strains in the plane: σ_xx = σ_zz, σ_yy = ν (σ_xx + σ_zz).
            let stress = YOUNG * e / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
            let wanted = stress * (1.0 - 2.0 * POISSON);
            check("plane strain, equal strains", &|x| [e * x[0], 0.0, e * x[2]], wanted);
        } else {
            check("uniaxial", &|x| [e * x[0], -POISSON * e * x[1], -POISSON * e * x[2]], YOUNG * e);
            check("hydrostatic", &|x| [e * x[0], e * x[1], e * x[2]], 0.0);
            check("simple shear in (y, x)", &|x| [0.0, e * x[0], 0.0], 3f64.sqrt() * shear * e);
        }
    }
}
