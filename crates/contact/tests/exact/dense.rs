//! Small contacts against the general solver of the core, which knows K as a matrix and uses Newton's method.

use stickslip_contact::grid::Grid;
use stickslip_contact::influence::Influence;
use stickslip_contact::material::Material;
use stickslip_contact::normal::Contact;
use stickslip_contact::tangential::{Motion, Settings, Steady, Transport};
use stickslip_core::inclusion::{Problem, Settings as DenseSettings, solve};
use stickslip_core::law::{Disk, Law, Product};
use stickslip_linalg::Matrix;

const NX: usize = 8;
const NY: usize = 6;

/// Direct sums for K, element by element.
fn matrix(grid: &Grid, material: &Material, transport: Transport) -> Matrix {
    let w = Influence::new(grid, material, NX + 2, NY);
    let displacement = |k: usize, ahead: i64, l: usize| {
        let di = (k / 2 % NX) as i64 + ahead - (l / 2 % NX) as i64;
        let dj = (k / 2 / NX) as i64 - (l / 2 / NX) as i64;
        let at = w.index(di.unsigned_abs() as usize, dj.unsigned_abs() as usize);
        match (k % 2, l % 2) {
            (0, 0) => w.xx[at],
            (1, 1) => w.yy[at],
            _ => (di.signum() * dj.signum()) as f64 * w.xy[at],
        }
    };
    Matrix::from_fn(2 * NX * NY, 2 * NX * NY, |k, l| {
        let u = |ahead| displacement(k, ahead, l);
        match transport {
            Transport::First | Transport::Edge => (u(0) - u(1)) / grid.dx(),
            Transport::Second => (3.0 * u(0) - 4.0 * u(1) + u(2)) / (2.0 * grid.dx()),
        }
    })
}

#[test]
fn agrees_with_newton_on_the_matrix() {
    let material = Material::new(1.0, 0.28).expect("valid");
    let grid = Grid::centred(NX, NY, 1.0, 0.6).expect("valid");
    let pressure: Vec<f64> = (0..grid.len())
        .map(|k| {
            let (i, j) = grid.at(k);
            1e-3 * (1.0 - grid.x(i).powi(2) - (grid.y(j) / 0.6).powi(2)).max(0.0).sqrt()
        })
        .collect();
    let contact = Contact::from_pressure(grid, material, pressure.clone()).expect("valid");
    let mu = 0.4;
    for transport in [Transport::First, Transport::Second] {
        let settings = Settings { transport, tolerance: 1e-11, ..Settings::default() };
        let mut steady = Steady::new(&contact, mu, settings).expect("valid");
        let k = matrix(&grid, &material, transport);
        let disk = |p: &f64| Law::Disk(Disk::new(mu * p).expect("valid"));
        let disks = Product::new(pressure.iter().map(disk).collect());
        for (xi, eta, spin) in
            [(2e-4, 0.0, 0.0), (1e-4, -2e-4, 1e-4), (0.0, 0.0, 3e-4), (5e-3, 0.0, 0.0), (1e-6, 1e-6, 0.0)]
        {
            let ours = steady.solve(Motion::creepage(xi, eta, spin)).expect("solves");
            let mut b = Vec::new();
            for k in 0..grid.len() {
                let (i, j) = grid.at(k);
                b.push(xi - spin * grid.y(j));
                b.push(eta + spin * (grid.x(i) + grid.dx() / 6.0));
            }
            let problem = Problem { w: &k, b: &b, c: &disks };
            let theirs = solve(&problem, &vec![0.0; b.len()], &DenseSettings::default()).expect("solves");
            for (k, pressed) in pressure.iter().enumerate() {
                let miss = (ours.traction_x[k] - theirs.r[2 * k]).hypot(ours.traction_y[k] - theirs.r[2 * k + 1]);
                // Residuals of 1e-11, worsened by the condition of K (some 1e2 on this grid).
                assert!(miss < 1e-8 * mu * 1e-3, "{transport:?} {xi} {eta} {spin}: {miss}");
                let sliding = (ours.slip_x[k] - theirs.s[2 * k]).hypot(ours.slip_y[k] - theirs.s[2 * k + 1]);
                if *pressed > 0.0 {
                    assert!(sliding < 1e-8 * 1e-3, "{sliding}");
                }
            }
        }
    }
}
