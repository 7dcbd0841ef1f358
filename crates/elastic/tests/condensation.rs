//! Condensation against the dense inverse, the way back inside, and the order of elimination.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Assembly, Noise, POISSON, YOUNG, block, jitter, largest, unit};
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::mesh::Elements;
use stickslip_elastic::{Body, Condensed, Cost, Kind, condense};
use stickslip_linalg::{Front, Lu, Matrix};

/// A distorted box with clamped and contact nodes anywhere.
fn scattered(kind: Kind, n: usize, seed: u64) -> Body {
    let mut noise = Noise(seed);
    let mut mesh = unit(kind, n);
    jitter(&mut mesh, 0.15 / n as f64, &mut noise);
    let mut order: Vec<u32> = (0..mesh.nodes.len() as u32).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, noise.below(k + 1));
    }
    let (clamped, contact) = (order[..7].to_vec(), order[7..20].to_vec());
    Body { mesh, young: YOUNG, poisson: POISSON, clamped, contact }
}

/// One body of every sort.
fn bodies() -> Vec<Body> {
    let mut all = vec![
        scattered(Kind::Triangle, 14, 11),
        scattered(Kind::Quadrilateral, 13, 12),
        scattered(Kind::Tetrahedron, 5, 13),
        scattered(Kind::Hexahedron, 5, 14),
        scattered(Kind::Pyramid, 4, 15),
    ];
    for plane in [true, false] {
        for elements in [Elements::Bricks, Elements::Simplices, Elements::Layer] {
            let mut body = block(plane, elements);
            jitter(&mut body.mesh, 0.02, &mut Noise(16));
            all.push(body);
        }
    }
    all
}

fn condensed(body: &Body) -> (Dissection, Condensed) {
    let dissection = Dissection::new(body);
    let condensed = condense(body, &dissection, &|_| ()).unwrap();
    (dissection, condensed)
}

/// (K⁻¹)_cc of the free unknowns: the same as the inverse of the Schur complement.
fn dense_compliance(body: &Body) -> Matrix {
    let directions = body.mesh.directions();
    let k = Assembly::new(&body.mesh, body.young, body.poisson).dense();
    let unknowns = |node: u32| (0..directions).map(move |d| node as usize * directions + d);
    let clamped: Vec<usize> = body.clamped.iter().flat_map(|node| unknowns(*node)).collect();
    let free: Vec<usize> = (0..k.len()).filter(|i| !clamped.contains(i)).collect();
    let contact: Vec<usize> = body
        .contact
        .iter()
        .flat_map(|node| unknowns(*node))
        .map(|i| free.iter().position(|f| *f == i).unwrap())
        .collect();
    let lu = Lu::new(&Matrix::from_fn(free.len(), free.len(), |i, j| k[free[i]][free[j]]));
    let columns: Vec<Vec<f64>> = contact
        .iter()
        .map(|c| {
            let mut b = vec![0.0; free.len()];
            b[*c] = 1.0;
            lu.solve(&mut b);
            contact.iter().map(|i| b[*i]).collect()
        })
        .collect();
    Matrix::from_fn(contact.len(), contact.len(), |i, j| columns[j][i])
}

#[test]
fn condensation_is_the_dense_schur_complement() {
    for (number, body) in bodies().iter().enumerate() {
        let (_, found) = condensed(body);
        let (w, wanted) = (&found.compliance, dense_compliance(body));
        assert_eq!((w.rows(), w.cols()), (wanted.rows(), wanted.cols()));
        let difference = w.data().iter().zip(wanted.data()).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(difference < 1e-12 * largest(wanted.data()), "body {number}: {difference:e}");
        for i in 0..w.rows() {
            (0..i).for_each(|j| assert_eq!(w.row(i)[j], w.row(j)[i], "W is symmetric to the last bit"));
        }
        let mut front = Front::zeros(w.rows());
        for i in 0..w.rows() {
            (0..=i).for_each(|j| front.add(i, j, w.row(i)[j]));
        }
        assert!(front.eliminate(w.rows()).is_ok(), "body {number}: W is positive definite");
    }
}

/// The factor is kept in single precision, so forces inside are zero to 1e-7 … 4e-7 of those that act here, not to 1e-14.
#[test]
fn displacements_inside_are_in_equilibrium() {
    let mut noise = Noise(21);
    for (number, body) in bodies().iter().enumerate() {
        let (dissection, found) = condensed(body);
        let directions = body.mesh.directions();
        let force: Vec<f64> = (0..body.contact.len() * directions).map(|_| noise.next()).collect();
        let mut known = vec![0.0; force.len()];
        found.compliance.apply(&force, &mut known);
        let u = found.displacements(body, &dissection, &known).unwrap();
        let mut rest = Assembly::new(&body.mesh, body.young, body.poisson).apply(&u);
        // Σ K u over all nodes vanishes, so the clamped ones carry what acts on the contact.
        for d in 0..directions {
            let clamped: f64 = body.clamped.iter().map(|node| rest[*node as usize * directions + d]).sum();
            let acting: f64 = force.iter().skip(d).step_by(directions).sum();
            assert!((clamped + acting).abs() < 2e-6 * force.len() as f64, "body {number}: {clamped} and {acting}");
        }
        for (node, force) in body.contact.iter().zip(force.chunks_exact(directions)) {
            (0..directions).for_each(|d| rest[*node as usize * directions + d] -= force[d]);
        }
        for node in &body.clamped {
            (0..directions).for_each(|d| {
                rest[*node as usize * directions + d] = 0.0;
                assert_eq!(u[*node as usize * directions + d], 0.0);
            });
        }
        let worst = largest(&rest);
        assert!(worst < 2e-6, "body {number}: {worst:e}");
    }
}

#[test]
fn a_mirror_image_has_the_mirrored_compliance() {
    for body in bodies() {
        let mirrored = body.mirrored();
        mirrored.check().unwrap();
        let (w, m) = (condensed(&body).1.compliance, condensed(&mirrored).1.compliance);
        let directions = body.mesh.directions();
        let up = |i: usize| i % directions == directions - 1;
        let scale = largest(w.data());
        for i in 0..w.rows() {
            for j in 0..w.rows() {
                let sign = if up(i) == up(j) { 1.0 } else { -1.0 };
                assert!((w.row(i)[j] - sign * m.row(i)[j]).abs() < 1e-12 * scale);
            }
        }
    }
}

#[test]
fn compliance_scales_with_young_and_size() {
    let body = scattered(Kind::Hexahedron, 4, 31);
    let w = condensed(&body).1.compliance;
    let mut other = body.clone();
    other.young *= 3.0;
    other.mesh.nodes.iter_mut().flatten().for_each(|v| *v *= 0.5);
    let v = condensed(&other).1.compliance;
    // In space u ~ F/(E L).
    for (a, b) in w.data().iter().zip(v.data()) {
        assert!((b - a * 2.0 / 3.0).abs() < 1e-12 * largest(w.data()));
    }
}

#[test]
fn every_free_node_is_eliminated_once_and_the_contact_last() {
    for (number, body) in bodies().iter().enumerate() {
        let dissection = Dissection::new(body);
        let mut when = vec![None; body.mesh.nodes.len()];
        for (index, part) in dissection.parts.iter().enumerate() {
            for node in &part.own {
                assert_eq!(when[*node as usize].replace(index), None, "body {number}: node {node} twice");
            }
            assert!(part.children.iter().all(|child| *child < index));
        }
        for (node, when) in when.iter().enumerate() {
            let node = node as u32;
            let stays = body.clamped.contains(&node) || body.contact.contains(&node);
            assert_eq!(when.is_none(), stays, "body {number}: node {node}");
        }
        let last = dissection.parts.last().unwrap();
        assert!(last.own.is_empty());
        assert_eq!(last.boundary, body.contact);
        // Every part has one parent, the last has none.
        let mut parents = vec![0; dissection.parts.len()];
        dissection.parts.iter().flat_map(|part| &part.children).for_each(|child| parents[*child] += 1);
        assert!(parents[..parents.len() - 1].iter().all(|count| *count == 1));
        assert_eq!(parents.last(), Some(&0));
        // Elements: each that has a free node, once.
        let mut count = vec![0; body.mesh.len()];
        dissection.parts.iter().flat_map(|part| &part.elements).for_each(|e| count[*e as usize] += 1);
        for (count, (_, corners)) in count.iter().zip(body.mesh.elements()) {
            let free = corners.iter().any(|node| !body.clamped.contains(node));
            assert_eq!(*count, usize::from(free));
        }
        // What is left on a boundary is eliminated later.
        for (index, part) in dissection.parts.iter().enumerate() {
            for node in &part.boundary {
                assert!(when[*node as usize].is_none_or(|when| when > index));
            }
        }
    }
}

#[test]
fn the_cost_is_what_is_stored_and_done() {
    for body in bodies() {
        let (dissection, found) = condensed(&body);
        let cost = Cost::new(&body, &dissection);
        let factors = &found.inside.as_ref().unwrap().factors;
        let stored: usize = factors.iter().map(|factor| factor.data.len()).sum();
        assert_eq!(cost.entries, stored as f64);
        // Multiplications: with m rows below a pivot, m of the column and m (m + 1)/2 of what is left.
        let pivots = factors.iter().flat_map(|factor| (0..factor.pivots).map(|j| (factor.size - 1 - j) as f64));
        let done: f64 = pivots.map(|m| m + m * (m + 1.0) / 2.0).sum();
        assert!((cost.work / done - 1.0).abs() < 0.05, "{} against {done}", cost.work);
        assert_eq!(cost.unknowns, (body.mesh.nodes.len() - body.clamped.len()) * body.mesh.directions());
    }
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let body = scattered(Kind::Hexahedron, 5, 41);
    let heard = std::sync::Mutex::new(Vec::new());
    condense(&body, &Dissection::new(&body), &|share| heard.lock().unwrap().push(share)).unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(heard.iter().all(|share| (0.0..=1.0).contains(share)));
    assert!(heard.last().is_some_and(|share| *share > 0.999), "{heard:?}");
}
