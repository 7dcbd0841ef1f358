//! Rolling contact of finite elements against closed forms, half-spaces and an independent code.

mod coupling;
mod errors;
mod plane;
mod space;
mod transient;
mod unlike;

use stickslip_contact::case::{self, Case, Course, Elements};
use stickslip_contact::finite_elements::case::{FiniteElements, Meshing};
use stickslip_contact::finite_elements::{Pair, Rolled, Rolling, Transport};
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::Creepage;
use stickslip_contact::tangential::{Motion, Settings};
use stickslip_core::law::Coefficient;

const FRICTION: f64 = 0.3;
const ALL: [Transport; 3] = [Transport::First, Transport::Second, Transport::Edge];

fn steel() -> Material {
    Material::from_young(210e9, 0.3).expect("steel")
}

fn body(x: f64, y: f64) -> case::Body {
    case::Body { radii: Radii { x, y }, material: steel() }
}

fn contact(bodies: [case::Body; 2], pressing: case::Pressing, meshing: Meshing) -> FiniteElements {
    let case = Case {
        bodies,
        pressing,
        friction: Coefficient::Constant(FRICTION),
        speed: 0.0,
        elements: Elements { along: None, across: None, length: None, width: None },
        course: Course::Steady(Motion::creepage(0.0017, 0.0, 0.0)),
        settings: Settings { tolerance: 1e-10, ..Settings::default() },
    };
    FiniteElements { case, meshing }
}

/// Two equal discs, 7.05 MN/m.
fn discs(across: usize) -> FiniteElements {
    let plane = body(0.5, f64::INFINITY);
    let meshing = Meshing { across: Some(across), ..Meshing::default() };
    contact([plane; 2], case::Pressing::LoadPerLength(7.05e6), meshing)
}

/// Two equal crowned wheels, 42 kN.
fn wheels(across: usize) -> FiniteElements {
    let meshing = Meshing { across: Some(across), ..Meshing::default() };
    contact([body(0.46, 0.3); 2], case::Pressing::Load(42e3), meshing)
}

fn condensed(contact: &FiniteElements) -> Pair {
    let ordered = contact.order(contact.bodies().expect("meshes"), None).expect("orders");
    let condensed: Vec<_> =
        ordered.iter().enumerate().map(|(k, o)| contact.condense(k + 1, o, &|_| ()).expect("condenses")).collect();
    contact.pair(&ordered, &condensed).expect("fits")
}

fn by(contact: &FiniteElements, transport: Transport) -> Rolling {
    Rolling { transport, ..contact.rolling().expect("rolls") }
}

/// −F_x/(μP).
fn used(rolled: &Rolled) -> f64 {
    -rolled.force[0] / (FRICTION * rolled.normal.load)
}

/// The rows of a reference file as text.
fn table(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../reference/fe/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    // Names may hold commas within quotes.
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().expect("a cell").push(c),
            }
        }
        cells
    };
    text.lines().skip(1).map(cells).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("{cell} is no number"))
}

/// Residual, friction, dissipation, recomputed from what came out.
fn obeys(pair: &Pair, rolled: &Rolled) {
    let t = pair.normal();
    assert!(rolled.found.residual.relative <= 1e-10, "{:?}", rolled.found);
    assert!(rolled.normal.residual < 1e-9, "{}", rolled.normal.residual);
    for (i, force) in rolled.normal.force.iter().enumerate() {
        let (r, s) = (&rolled.tangential[i * t..(i + 1) * t], &rolled.slip[i * t..(i + 1) * t]);
        let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        assert!(*force >= 0.0 && size(r) <= FRICTION * force * (1.0 + 1e-12));
        let power: f64 = r.iter().zip(s).map(|(r, s)| r * s).sum();
        assert!(power <= 0.0, "a node gives energy");
        if *force > 0.0 && !rolled.stick[i] {
            assert!(size(r) > FRICTION * force * (1.0 - 1e-6));
        } else {
            assert!(s.iter().all(|s| *s == 0.0));
        }
    }
}

/// Smallest eigenvalue of the symmetric part of the operator over its norm, by the power method on the shifted part.
fn least_eigenvalue(pair: &Pair, rolling: &Rolling) -> f64 {
    let normal = pair.press(rolling.pressing, None, &[]).expect("presses");
    let k = rolling.operator(pair, &normal);
    let n = k.rows();
    let symmetric = stickslip_linalg::Matrix::from_fn(n, n, |i, j| 0.5 * (k[(i, j)] + k[(j, i)]));
    let apply = |m: &dyn Fn(&[f64], &mut [f64])| {
        let mut x: Vec<f64> = (0..n).map(|i| 1.0 + ((i * 7919) % 13) as f64).collect();
        let mut y = vec![0.0; n];
        let mut value = 0.0;
        for _ in 0..3000 {
            let size = x.iter().map(|v| v * v).sum::<f64>().sqrt();
            x.iter_mut().for_each(|v| *v /= size);
            m(&x, &mut y);
            value = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            x.copy_from_slice(&y);
        }
        value
    };
    let norm = apply(&|x, y| {
        let mut z = vec![0.0; n];
        k.apply(x, &mut z);
        for (j, y) in y.iter_mut().enumerate() {
            *y = (0..n).map(|i| k[(i, j)] * z[i]).sum();
        }
    })
    .sqrt();
    let shifted = apply(&|x, y| {
        symmetric.apply(x, y);
        y.iter_mut().zip(x).for_each(|(y, x)| *y = norm * x - *y);
    });
    (norm - shifted) / norm
}

#[test]
fn no_creepage_no_force() {
    for contact in [discs(21), wheels(11)] {
        let pair = condensed(&contact);
        for transport in ALL {
            let rolled = by(&contact, transport).roll(&pair, Creepage::default(), None).expect("rolls");
            assert!(rolled.tangential.iter().all(|f| *f == 0.0) && rolled.stick_share() == 1.0);
        }
    }
}
