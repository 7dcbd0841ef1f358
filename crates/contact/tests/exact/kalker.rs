//! Kalker's coefficients of the linear theory as the limit of small creepage.
//!
//! F_x = −abG C11 ξ, F_y = −abG C22 η − (ab)^{3/2}G C23 φ, M_z = (ab)^{3/2}G C23 η − (ab)²G C33 φ. The whole table is
//! `cargo run --release -p stickslip-contact --example kalker`.

use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::Contact;
use stickslip_contact::tangential::{Motion, Settings, Steady, Transport};

use crate::case::{number, table};

/// C11, C22, C23 (from the moment), C33 on nx × ny elements over an ellipse with ab = 1. Rigid slip is taken at the
/// centres of the elements: then moments have no error of first order.
fn coefficients(a: f64, nu: f64, [nx, ny]: [usize; 2]) -> [f64; 4] {
    let grid = Grid::centred(nx, ny, a, 1.0 / a).expect("valid");
    let pressure = (0..grid.len())
        .map(|k| {
            let (i, j) = grid.at(k);
            (1.0 - (grid.x(i) / a).powi(2) - (grid.y(j) * a).powi(2)).max(0.0).sqrt()
        })
        .collect();
    let contact = Contact::from_pressure(grid, Material::new(1.0, nu).expect("valid"), pressure).expect("valid");
    let settings =
        Settings { tolerance: 1e-6, slip_point: Some(0.0), transport: Transport::Second, ..Settings::default() };
    let mut steady = Steady::new(&contact, 1.0, settings).expect("valid");
    let tiny = 1e-6;
    let mut force = |xi, eta, spin| {
        let solution = steady.solve(Motion::creepage(tiny * xi, tiny * eta, tiny * spin)).expect("solves");
        [-solution.force[0] / tiny, -solution.force[1] / tiny, -solution.moment / tiny]
    };
    let (x, y, spin) = (force(1.0, 0.0, 0.0), force(0.0, 1.0, 0.0), force(0.0, 0.0, 1.0));
    [x[0], y[1], -y[2], spin[2]]
}

/// Five ellipses of twenty, all three ν, within 2 %.
#[test]
fn table_of_linear_coefficients() {
    for row in table("kalker-coefficients.csv") {
        let g = number(&row[1]);
        if ![0.1, 0.5, 1.0].contains(&g) || (row[0] == "b/a" && g == 1.0) {
            continue;
        }
        let a = if row[0] == "a/b" { g.sqrt() } else { 1.0 / g.sqrt() };
        for (k, nu) in [0.0, 0.25, 0.5].into_iter().enumerate() {
            // Long contacts need long rows: their moment of spin is a small difference of large ones.
            let elements = if row[0] == "b/a" && g == 0.1 { [160, 40] } else { [64, 32] };
            let ours = coefficients(a, nu, elements);
            for (c, ours) in ours.into_iter().enumerate() {
                let wanted = number(&row[2 + 3 * c + k]);
                assert!((ours / wanted - 1.0).abs() < 0.02, "{} {g} ν = {nu} C{c}: {ours} {wanted}", row[0]);
            }
        }
    }
}
