//! Bodies that cannot be: each is refused in words that say what and where.
#![allow(clippy::unwrap_used)]

mod common;

use common::{POISSON, YOUNG, block, unit};
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::mesh::{Block, Disc, Elements, Grading};
use stickslip_elastic::{Body, CondenseError, Kind, MeshError, condense};

fn body(kind: Kind) -> Body {
    let mesh = unit(kind, 2);
    let last = mesh.nodes.len() as u32 - 1;
    let low = |k: &u32| mesh.nodes[*k as usize][2] == 0.0;
    let clamped = (0..=last).filter(low).collect();
    Body { mesh: mesh.clone(), young: YOUNG, poisson: POISSON, clamped, contact: vec![last] }
}

fn refused(body: &Body, words: &[&str]) {
    let error = body.check().unwrap_err().to_string();
    for word in words {
        assert!(error.contains(word), "'{word}' is not in: {error}");
    }
}

#[test]
fn inverted_and_flat_elements() {
    for kind in [Kind::Triangle, Kind::Quadrilateral, Kind::Tetrahedron, Kind::Hexahedron] {
        let mut inverted = body(kind);
        let (_, corners) = inverted.mesh.element(0);
        let (a, b) = (corners[0] as usize, corners[1] as usize);
        inverted.mesh.nodes.swap(a, b);
        refused(&inverted, &["element", "inverted or flat"]);
        let mut flat = body(kind);
        flat.mesh.nodes.iter_mut().for_each(|node| node[2] = 0.0);
        refused(&flat, &["element 0", "inverted or flat"]);
    }
    // A quadrilateral with a corner drawn across its diagonal is inverted there, although its area is positive.
    let mut dart = body(Kind::Quadrilateral);
    let corner = dart.mesh.element(0).1[2] as usize;
    dart.mesh.nodes[corner] = [0.2, 0.0, 0.2];
    refused(&dart, &["element 0", "inverted or flat"]);
}

#[test]
fn numbers_that_are_none() {
    let mut place = body(Kind::Hexahedron);
    place.mesh.nodes[5][1] = f64::NAN;
    refused(&place, &["node 5", "NaN", "finite"]);
    for young in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused(&Body { young, ..body(Kind::Triangle) }, &["Young's modulus", "finite number > 0"]);
    }
    for poisson in [0.5, -1.0, 0.7, f64::NAN] {
        refused(&Body { poisson, ..body(Kind::Triangle) }, &["Poisson's ratio", "less than 0.5"]);
    }
}

#[test]
fn elements_and_nodes_that_do_not_fit() {
    let mut mixed = body(Kind::Hexahedron);
    mixed.mesh.push(Kind::Triangle, &[0, 1, 2]);
    refused(&mixed, &["element 8 is plane", "not both"]);
    let mut absent = body(Kind::Triangle);
    absent.mesh.push(Kind::Triangle, &[0, 1, 99]);
    refused(&absent, &["element 8 names node 99", "there are 9"]);
    let mut loose = body(Kind::Triangle);
    loose.mesh.nodes.push([3.0, 0.0, 3.0]);
    refused(&loose, &["node 9 belongs to no element"]);
}

#[test]
fn groups_that_are_empty_or_name_nodes_wrongly() {
    let good = body(Kind::Triangle);
    good.check().unwrap();
    refused(&Body { clamped: vec![], ..good.clone() }, &["no clamped nodes", "float away"]);
    refused(&Body { contact: vec![], ..good.clone() }, &["no contact nodes"]);
    refused(&Body { contact: vec![8, 77], ..good.clone() }, &["contact nodes name node 77", "there are 9"]);
    refused(&Body { clamped: vec![9], ..good.clone() }, &["clamped nodes name node 9", "there are 9"]);
    refused(&Body { contact: vec![8, 7, 8], ..good.clone() }, &["node 8", "twice as contact node"]);
    refused(&Body { clamped: vec![0, 0], ..good.clone() }, &["node 0", "twice as clamped"]);
    refused(&Body { contact: vec![8, 0], ..good.clone() }, &["node 0", "as clamped and as contact node"]);
    let nothing = Body { mesh: stickslip_elastic::Mesh::default(), ..good };
    refused(&nothing, &["no nodes"]);
}

#[test]
fn bodies_that_float() {
    let not_held = |body: &Body| {
        let error = condense(body, &Dissection::new(body), &|_| ()).unwrap_err();
        assert!(matches!(error, CondenseError::NotHeld { .. }), "{error}");
        assert!(error.to_string().contains("not held"), "{error}");
    };
    // One clamped node in the plane, two in space: the body can still turn, and rounding must not hide it.
    for kind in [Kind::Triangle, Kind::Quadrilateral] {
        for n in [2, 5, 20] {
            let mesh = unit(kind, n);
            let last = mesh.nodes.len() as u32 - 1;
            for contact in [vec![last], vec![1, 2, last]] {
                not_held(&Body { mesh: mesh.clone(), young: YOUNG, poisson: POISSON, clamped: vec![0], contact });
            }
        }
    }
    for kind in [Kind::Tetrahedron, Kind::Hexahedron] {
        for n in [2, 4, 7] {
            let mesh = unit(kind, n);
            let last = mesh.nodes.len() as u32 - 1;
            not_held(&Body { mesh, young: YOUNG, poisson: POISSON, clamped: vec![0, 1], contact: vec![last] });
        }
    }
    // A second piece that nothing holds, with the contact on the first or on it.
    let mut pieces = block(true, Elements::Bricks);
    let first = pieces.mesh.nodes.len() as u32;
    let other = unit(Kind::Quadrilateral, 4);
    pieces.mesh.nodes.extend(other.nodes.iter().map(|[x, y, z]| [x + 5.0, *y, *z]));
    for (kind, corners) in other.elements() {
        pieces.mesh.push(kind, &corners.iter().map(|node| node + first).collect::<Vec<u32>>());
    }
    pieces.check().unwrap();
    not_held(&pieces);
    pieces.contact = vec![first, first + 3];
    not_held(&pieces);
}

#[test]
fn measures_of_wheels_and_blocks() {
    let block = Block {
        half_length: 1.0,
        depth: 1.0,
        crown: Some((1.0, 3.0)),
        cell: [0.1; 3],
        uniform: [2, 2, 2],
        outside: [Grading::Growth(1.5); 3],
        contact: [2, 2],
        elements: Elements::Layer,
        young: YOUNG,
        poisson: POISSON,
    };
    let disc = Disc {
        radius: 1.0,
        hub: 0.3,
        crown: Some((1.0, 3.0)),
        cell: [0.1; 3],
        uniform: [2, 2, 2],
        outside: [Grading::Growth(1.5); 3],
        contact: [2, 2],
        elements: Elements::Layer,
        young: YOUNG,
        poisson: POISSON,
    };
    block.body().unwrap().check().unwrap();
    disc.body().unwrap().check().unwrap();
    let no = |result: Result<Body, MeshError>, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words), "'{words}' is not in: {error}");
    };
    for bad in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        no(Block { half_length: bad, ..block.clone() }.body(), "half length");
        no(Block { depth: bad, ..block.clone() }.body(), "depth");
        no(Block { crown: Some((bad, 3.0)), ..block.clone() }.body(), "width");
        no(Block { cell: [0.1, bad, 0.1], ..block.clone() }.body(), "size of the cells across");
        no(Disc { radius: bad, ..disc.clone() }.body(), "radius");
        no(Disc { hub: bad, ..disc.clone() }.body(), "hub");
        no(Disc { crown: Some((bad, 3.0)), ..disc.clone() }.body(), "width");
        no(Disc { cell: [bad, 0.1, 0.1], ..disc.clone() }.body(), "size of the cells along x");
    }
    no(Disc { crown: Some((1.0, f64::NAN)), ..disc.clone() }.body(), "lateral radius");
    no(Block { crown: Some((1.0, 0.2)), ..block.clone() }.body(), "lateral radius");
    no(Block { contact: [3, 2], ..block.clone() }.body(), "2 equal cells on each side");
    no(Disc { contact: [2, 7], ..disc.clone() }.body(), "2 equal cells on each side");
    no(Disc { outside: [Grading::Growth(0.9); 3], ..disc.clone() }.body(), "growth");
    no(Disc { uniform: [6, 2, 2], ..disc.clone() }.body(), "fine zone");
    no(Disc { uniform: [2, 2, 9], ..disc }.body(), "fine zone");
}
