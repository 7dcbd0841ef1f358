//! Pressure and area: Hertz, and what must not matter.

use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{Contact, Load, Settings, Undeformed};

use crate::case::{A, B, LINE_A, LOAD, SHAPE, contact, grid, line, steel};

/// Hertz's approach 0.073571 mm and pressure 1471.19 MPa; the edge within one element. Displacements are those at
/// element centres under pressures constant by element: the error falls at least linearly.
#[test]
fn ellipse_of_hertz() {
    let (mut errors, mut means) = (Vec::new(), Vec::new());
    for n in [22, 44, 88] {
        let contact = contact(n);
        assert!(contact.residual <= 1e-8);
        assert!((contact.load / LOAD - 1.0).abs() < 1e-12);
        let (_, _, nx, ny) = contact.extent();
        assert!((nx as f64 * contact.grid().dx() - 2.0 * A).abs() <= 2.0 * contact.grid().dx());
        assert!((ny as f64 * contact.grid().dy() - 2.0 * B).abs() <= 2.0 * contact.grid().dy());
        errors.push((contact.approach / 0.073571 - 1.0).abs());
        // Of the greatest pressure: an element of 2.2a/n at the edge, those some elements inside, and the mean of all.
        let (mut edge, mut inner, mut sum, mut count) = (0.0_f64, 0.0_f64, 0.0, 0);
        for (k, p) in contact.pressure().iter().enumerate() {
            let (i, j) = contact.grid().at(k);
            let inside = 1.0 - (contact.grid().x(i) / A).powi(2) - (contact.grid().y(j) / B).powi(2);
            let error = (p / 1471.19 - inside.max(0.0).sqrt()).abs();
            edge = edge.max(error);
            inner = if inside > 8.8 / n as f64 { inner.max(error) } else { inner };
            if inside > 0.0 {
                (sum, count) = (sum + error, count + 1);
            }
        }
        // At the edge the pressure falls like √ and elements are cut: a quarter of what it is one element inside.
        assert!(edge < 0.25 * (4.4 / n as f64).sqrt(), "{n}: {edge}");
        assert!(inner < 2e-3, "{n}: {inner}");
        means.push(sum / f64::from(count));
    }
    // A strip of one element with an error of √h: together h^1.5.
    for pair in means.windows(2) {
        assert!((2.5..3.2).contains(&(pair[0] / pair[1])), "{means:?}");
    }
    assert!(errors[0] < 1e-3 && errors[1] < 0.6 * errors[0] && errors[2] < 0.6 * errors[1], "{errors:?}");
}

/// Plane strain: p0 = 1017.71 MPa; the half-length within one element.
#[test]
fn line_of_hertz() {
    let contact = line(1.1 * LINE_A, 220);
    let greatest = contact.pressure().iter().copied().fold(0.0, f64::max);
    assert!((greatest / 1017.71 - 1.0).abs() < 1e-3, "{greatest}");
    let (_, _, nx, _) = contact.extent();
    assert!((0.5 * nx as f64 * contact.grid().dx() - LINE_A).abs() < contact.grid().dx());
}

/// The approach of a given load gives that load, from the other side.
#[test]
fn load_and_approach_are_inverse() {
    let loaded = contact(44);
    let pushed = Contact::solve(grid(44), steel(), SHAPE, Load::Approach(loaded.approach), &Settings::default())
        .expect("solves");
    assert!((pushed.load / LOAD - 1.0).abs() < 1e-6, "{}", pushed.load);
    for (p, q) in pushed.pressure().iter().zip(loaded.pressure()) {
        assert!((p - q).abs() < 1e-5 * 1471.0);
    }
}

/// A table of heights is the same as the formula, and a constant added to it moves the approach only.
#[test]
fn tables_and_formulas_agree() {
    let formula = contact(22);
    let grid = grid(22);
    for lift in [0.0, 0.5] {
        let heights: Vec<f64> = (0..grid.len())
            .map(|k| {
                let (i, j) = grid.at(k);
                lift + 0.5 * (grid.x(i).powi(2) / 230.0 + grid.y(j).powi(2) / 150.0)
            })
            .collect();
        let shape = Undeformed::Table(&heights);
        let table = Contact::solve(grid, steel(), shape, Load::Force(LOAD), &Settings::default()).expect("solves");
        assert!((table.approach - lift - formula.approach).abs() < 1e-8);
        for (p, q) in table.pressure().iter().zip(formula.pressure()) {
            assert!((p - q).abs() < 1e-6 * 1471.0);
        }
    }
}

/// Bodies of different stiffness carry Hertz's contact of the combined modulus: a³ ∝ (1−ν)/G.
#[test]
fn different_bodies() {
    let soft = Material::new(100.0, 0.45).expect("valid");
    let hard = Material::new(300.0, 0.2).expect("valid");
    let material = Material::pair(soft, hard);
    let compliance = 0.5 * (0.55 / 100.0 + 0.8 / 300.0);
    assert!(((1.0 - material.poisson()) / material.shear_modulus() - compliance).abs() < 1e-15);
    assert!(material.difference() != 0.0 && steel().difference() == 0.0);
    let (radius, load) = (50.0, 9.0);
    let a = (0.75 * load * radius * compliance).cbrt();
    let grid = Grid::centred(60, 60, 1.2 * a, 1.2 * a).expect("valid");
    let shape = Undeformed::Paraboloid { a: radius, b: radius };
    let contact = Contact::solve(grid, material, shape, Load::Force(load), &Settings::default()).expect("solves");
    assert!((contact.approach / (a * a / radius) - 1.0).abs() < 2e-3, "{} {}", contact.approach, a * a / radius);
}
