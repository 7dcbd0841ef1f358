//! Meshes of Gmsh: files that it wrote (version 4.15), and small ones by hand with every fault.
#![allow(clippy::unwrap_used)]

mod common;

use common::{POISSON, YOUNG, places};
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::mesh::{Gmsh, GmshError};
use stickslip_elastic::{Body, Kind, condense, element};

const ASK: Gmsh<'static> =
    Gmsh { body: "body", contact: "contact", clamped: "clamped", scale: 1.0, young: YOUNG, poisson: POISSON };

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/data/{name}.msh", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn volume(body: &Body) -> f64 {
    let mesh = &body.mesh;
    let one = |(kind, corners): (Kind, &[u32])| -> f64 {
        let places = places(mesh, corners);
        element::points(kind).iter().map(|at| element::point(kind, &places, *at).volume).sum()
    };
    mesh.elements().map(one).sum()
}

fn kinds(body: &Body) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = body.mesh.elements().map(|(kind, _)| kind).collect();
    kinds.sort_by_key(|kind| kind.nodes());
    kinds.dedup();
    kinds
}

/// A block of 20 mm × 10 mm with its upper face on y = 0, contact at |x| ≤ 2 mm, clamped at the bottom.
#[test]
fn plane_files_of_both_formats() {
    for (name, kind) in [("plane-triangles", Kind::Triangle), ("plane-quads", Kind::Quadrilateral)] {
        let ask = Gmsh { body: "steel", scale: 1e-3, ..ASK };
        let bodies = ["22", "41"].map(|format| ask.body(&file(&format!("{name}-{format}"))).unwrap());
        assert_eq!(bodies[0], bodies[1], "both formats hold the same");
        let [body, _] = bodies;
        assert_eq!(kinds(&body), [kind]);
        assert!((volume(&body) / 2e-4 - 1.0).abs() < 1e-12, "{}", volume(&body));
        assert_eq!(body.contact.len(), 5);
        assert!(body.clamped.len() >= 6);
        assert!(body.contact.iter().all(|node| {
            let [x, y, z] = body.mesh.nodes[*node as usize];
            x.abs() < 2.001e-3 && y == 0.0 && z == 0.0
        }));
        assert!(body.clamped.iter().all(|node| (body.mesh.nodes[*node as usize][2] + 0.01).abs() < 1e-12));
        // The point of the geometry that belongs to nothing is left out.
        assert!(body.mesh.nodes.iter().all(|node| node[0] < 0.0101));
        condense(&body, &Dissection::new(&body), &|_| ()).unwrap();
    }
}

/// A box of 4 × 2 × 2 below z = 0.
#[test]
fn solid_files_of_both_formats() {
    for (name, kind, contact) in [("box-hexahedra", Kind::Hexahedron, 15), ("box-tetrahedra", Kind::Tetrahedron, 0)] {
        let bodies = ["22", "41"].map(|format| ASK.body(&file(&format!("{name}-{format}"))).unwrap());
        assert_eq!(bodies[0], bodies[1], "both formats hold the same");
        let [body, _] = bodies;
        assert_eq!(kinds(&body), [kind]);
        assert!((volume(&body) / 16.0 - 1.0).abs() < 1e-12, "{}", volume(&body));
        assert!(contact == 0 || body.contact.len() == contact);
        assert!(body.contact.iter().all(|node| body.mesh.nodes[*node as usize][2] == 0.0));
        assert!(body.clamped.iter().all(|node| body.mesh.nodes[*node as usize][2] == -2.0));
        condense(&body, &Dissection::new(&body), &|_| ()).unwrap();
    }
}

#[test]
fn files_that_are_not_read() {
    for name in ["box-binary-22", "box-binary-41"] {
        assert_eq!(ASK.body(&file(name)), Err(GmshError::Binary));
    }
    let error = ASK.body(&file("box-prisms-41")).unwrap_err().to_string();
    assert!(error.contains("a prism (type 6)") && error.starts_with("line "), "{error}");
    let error = ASK.body(&file("box-second-41")).unwrap_err().to_string();
    assert!(error.contains("a tetrahedron of higher order (type 11)"), "{error}");
    assert!(error.contains("Mesh.ElementOrder = 1"), "{error}");
}

/// Two squares beside each other, numbered with gaps; a node and a line that are not wanted.
const SQUARES: &str = "$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
0 4 \"tip\"
1 1 \"contact\"
1 2 \"clamped\"
2 3 \"body\"
$EndPhysicalNames
$Nodes
8
10 0 0 0
20 1 0 0
30 2 0 0
11 0 1 0
21 1 1 0
31 2 1 0
99 7 7 7
100 8 8 8
$EndNodes
$Elements
6
1 15 2 4 1 99
2 1 2 1 4 11 21
3 1 2 2 5 10 20
7 1 2 0 6 99 100
8 3 2 3 1 10 20 21 11
9 3 2 3 1 20 30 31 21
$EndElements
";

fn squares(from: &str, to: &str) -> Result<Body, GmshError> {
    assert!(SQUARES.contains(from), "'{from}' is not in the file");
    ASK.body(SQUARES.replacen(from, to, 1).as_bytes())
}

#[test]
fn numbers_may_have_gaps_and_what_is_not_wanted_is_left_out() {
    let body = squares("", "").unwrap();
    assert_eq!(body.mesh.nodes.len(), 6);
    assert_eq!(body.mesh.len(), 2);
    assert_eq!(body.mesh.nodes[0], [0.0, 0.0, 0.0]);
    assert_eq!(body.mesh.nodes[3], [0.0, 0.0, 1.0], "y of the file is z");
    assert_eq!((body.clamped.len(), body.contact.len()), (2, 2));
    // Windows ends lines with two characters.
    assert_eq!(ASK.body(SQUARES.replace('\n', "\r\n").as_bytes()).unwrap(), body);
    // A scale.
    let small = Gmsh { scale: 1e-3, ..ASK }.body(SQUARES.as_bytes()).unwrap();
    assert_eq!(small.mesh.nodes[3], [0.0, 0.0, 1e-3]);
    // Triangles beside quadrilaterals.
    let mixed = squares("9 3 2 3 1 20 30 31 21", "9 2 2 3 1 20 30 31").unwrap();
    assert_eq!(kinds(&mixed), [Kind::Triangle, Kind::Quadrilateral]);
    // A contact may be a group of points.
    let tip = Gmsh { contact: "tip", ..ASK };
    let text = SQUARES.replace("1 15 2 4 1 99", "1 15 2 4 1 31");
    assert_eq!(tip.body(text.as_bytes()).unwrap().contact.len(), 1);
}

#[test]
fn clockwise_surfaces_are_turned_and_folds_refused() {
    let body = squares("", "").unwrap();
    let both = SQUARES.replace("10 20 21 11", "10 11 21 20").replace("20 30 31 21", "20 21 31 30");
    let turned = ASK.body(both.as_bytes()).unwrap();
    assert!((volume(&turned) - volume(&body)).abs() < 1e-15);
    turned.check().unwrap();
    // One of the two, in the same surface.
    let error = squares("20 30 31 21", "20 21 31 30").unwrap_err().to_string();
    assert!(error.contains("line 29") && error.contains("element 9") && error.contains("line 28"), "{error}");
    // The same in a surface of its own.
    assert!(squares("9 3 2 3 1 20 30 31 21", "9 3 2 3 2 20 21 31 30").is_ok());
    // Twisted, and flat.
    for bad in ["20 31 30 21", "20 30 30 20"] {
        let error = squares("20 30 31 21", bad).unwrap_err().to_string();
        assert!(error.contains("line 29: element 9 is inverted or flat"), "{error}");
    }
}

/// A hexahedron, a pyramid on it and a tetrahedron that is not wanted.
const SOLID: &str = "$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
2 2 \"clamped\"
0 1 \"contact\"
3 1 \"body\"
$EndPhysicalNames
$Entities
1 0 1 2
5 0.5 0.5 2 1 1
3 0 0 0 1 1 0 1 2 0
1 0 0 0 1 1 1 1 1 0
2 0 0 1 1 1 2 2 1 7 0
$EndEntities
$Nodes
2 9 1 9
3 1 0 8
1
2
3
4
5
6
7
8
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
0 5 0 1
9
0.5 0.5 2
$EndNodes
$Elements
4 4 1 4
0 5 15 1
1 9
2 3 3 1
2 1 4 3 2
3 1 5 1
3 1 2 3 4 5 6 7 8
3 2 7 1
4 5 6 7 8 9
$EndElements
";

#[test]
fn hexahedra_and_pyramids() {
    let body = ASK.body(SOLID.as_bytes()).unwrap();
    assert_eq!(kinds(&body), [Kind::Pyramid, Kind::Hexahedron]);
    assert!((volume(&body) - 4.0 / 3.0).abs() < 1e-14);
    assert_eq!((body.contact.len(), body.clamped.len()), (1, 4));
    condense(&body, &Dissection::new(&body), &|_| ()).unwrap();
    // Solids are never turned.
    for (from, to, element) in [("3 1 2 3 4 5 6 7 8", "3 4 3 2 1 8 7 6 5", "3"), ("4 5 6 7 8 9", "4 8 7 6 5 9", "4")] {
        let error = ASK.body(SOLID.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(&format!("element {element} is inverted or flat")), "{error}");
    }
    // Parameters after the coordinates.
    let text = SOLID.replace("3 1 0 8", "3 1 1 8").replace("1 1 1\n0 1 1\n", "1 1 1 0 0 0\n0 1 1 0 0 0\n");
    let text = ["0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1"]
        .iter()
        .fold(text, |text, place| text.replacen(&format!("\n{place}\n"), &format!("\n{place} 0 0 0\n"), 1));
    assert_eq!(ASK.body(text.as_bytes()).unwrap(), body);
}

#[test]
fn faults_are_told_with_their_lines() {
    let told = |result: Result<Body, GmshError>, words: &[&str]| {
        let error = result.unwrap_err().to_string();
        for word in words {
            assert!(error.contains(word), "'{word}' is not in: {error}");
        }
    };
    told(ASK.body(b""), &["no section $MeshFormat"]);
    told(ASK.body(b"solid cube\nfacet normal 0 0 1\n"), &["no section $MeshFormat"]);
    told(squares("2.2 0 8", "4.0 0 8"), &["line 2", "4.0", "2.2 and 4.1", "msh41"]);
    told(squares("2.2 0 8", "2.2 1 8"), &["binary", "text"]);
    told(squares("2.2 0 8", "hello"), &["line 2", "4.1 0 8"]);
    let (names, nodes) = (SQUARES.find("$Nodes").unwrap(), SQUARES.find("$Elements").unwrap());
    told(ASK.body(&SQUARES.as_bytes()[..names]), &["no section $Nodes"]);
    told(ASK.body(&SQUARES.as_bytes()[..nodes]), &["no section $Elements"]);
    told(ASK.body(SOLID.replace("Entities", "Comments").as_bytes()), &["no section $Entities"]);
    // Cut off in the middle, and at an end that is missing.
    told(ASK.body(&SQUARES.as_bytes()[..nodes - 20]), &["section $Nodes", "line 11", "cut off"]);
    told(squares("$EndNodes\n", ""), &["section $Nodes", "line 11", "cut off at line 21"]);
    told(squares("$Nodes\n8", "$Nodes\n9"), &["line 21", "$Nodes", "announced more"]);
    told(squares("$Nodes\n8", "$Nodes\n7"), &["line 20", "$Nodes", "more than"]);
    told(squares("$Elements\n6", "$Elements\n5"), &["line 29", "$Elements", "more than"]);
    told(squares("$Elements\n6", "$Elements\nmany"), &["line 23", "'many' is not a number"]);
    told(squares("$EndElements\n", "$EndElements\n$Nodes\n0\n$EndNodes\n"), &["second section $Nodes"]);
    // Numbers.
    for bad in ["nan", "inf", "1e999", "1,5"] {
        told(squares("20 1 0 0", &format!("20 1 {bad} 0")), &["line 14", bad, "finite"]);
    }
    told(squares("20 1 0 0", "20 1 0"), &["line 14", "2 coordinates", "has 3"]);
    told(squares("20 1 0 0", "-20 1 0 0"), &["line 14", "-20"]);
    told(squares("20 1 0 0", "10 1 0 0"), &["line 14", "node 10 was given before", "line 13"]);
    told(squares("10 20 21 11", "10 20 21 12"), &["line 28", "element 8 names node 12", "not in $Nodes"]);
    told(squares("10 20 21 11", "10 20 21"), &["line 28", "element 8 is a quadrilateral", "4 nodes, not 3"]);
    told(squares("8 3 2 3 1 10 20 21 11", "8 3 9 3"), &["line 28", "number of tags"]);
    told(squares("11 0 1 0", "11 0 1 0.1"), &["line 16", "node 11 lies at z = 0.1", "x–y plane"]);
}

#[test]
fn groups_that_are_missing_empty_or_mixed_up() {
    let told = |ask: Gmsh<'_>, text: &str, words: &[&str]| {
        let error = ask.body(text.as_bytes()).unwrap_err().to_string();
        for word in words {
            assert!(error.contains(word), "'{word}' is not in: {error}");
        }
    };
    let all = ["'contact' (curves)", "'body' (surfaces)", "'tip' (points)"];
    told(Gmsh { contact: "contct", ..ASK }, SQUARES, &["'contct'", all[0], all[1], all[2]]);
    told(Gmsh { body: "steel", ..ASK }, SQUARES, &["'steel' of surfaces or volumes", all[1]]);
    told(Gmsh { body: "contact", ..ASK }, SQUARES, &["'contact' of surfaces or volumes"]);
    let (from, to) = (SQUARES.find("$PhysicalNames").unwrap(), SQUARES.find("$Nodes").unwrap());
    let nameless = format!("{}{}", &SQUARES[..from], &SQUARES[to..]);
    told(ASK, &nameless, &["'body'", "names no group at all", "Physical Curve"]);
    told(ASK, &SQUARES.replace("3 1 2 2 5", "3 1 2 0 5"), &["'clamped' has no elements"]);
    told(ASK, &SQUARES.replace("4 11 21", "4 11 99"), &["line 19", "node 99", "'contact'", "no element of the body"]);
    told(ASK, &SQUARES.replace("5 10 20", "5 11 20"), &["line 16", "node 11", "'contact' and 'clamped'"]);
    told(ASK, &SQUARES.replace("3 1 2 2 5 10 20", "3 8 2 2 5 10 20 21"), &["line 26", "'clamped'", "a line of higher"]);
    told(ASK, &SQUARES.replace("4 \"tip\"", "4 tip"), &["line 6", "name in quotes"]);
    told(ASK, &SOLID.replace("3 2 7 1\n", "3 9 7 1\n"), &["part 9 of dimension 3", "$Entities"]);
    told(Gmsh { scale: 0.0, ..ASK }, SQUARES, &["scale = 0", "metres per unit"]);
    told(Gmsh { poisson: 0.5, ..ASK }, SQUARES, &["Poisson's ratio"]);
}

/// No file may end the program: prefixes, and lines left out or doubled.
#[test]
fn damaged_files_are_refused_or_read_but_never_a_panic() {
    for text in [SQUARES, SOLID] {
        for length in 0..text.len() {
            let _ = ASK.body(&text.as_bytes()[..length]);
        }
        let lines: Vec<&str> = text.lines().collect();
        for k in 0..lines.len() {
            let mut without = lines.clone();
            without.remove(k);
            let _ = ASK.body(without.join("\n").as_bytes());
            let mut twice = lines.clone();
            twice.insert(k, lines[k]);
            let _ = ASK.body(twice.join("\n").as_bytes());
        }
        let mut noise = common::Noise(51);
        for _ in 0..3000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..3 {
                let at = noise.below(bytes.len());
                bytes[at] = b" -.0123456789$\"\nE\xff"[noise.below(18)];
            }
            let _ = ASK.body(&bytes);
        }
    }
}
