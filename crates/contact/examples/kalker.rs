//! Kalker's table of linear creepage coefficients from the exact solver: 20 ellipses, three ν, four coefficients.
//!
//! `cargo run --release -p stickslip-contact --example kalker [nx ny]`, elements along and across the rolling direction.
//! A coefficient is the limit of force over creepage for small creepages.

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use stickslip_contact::error::Error;
use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::Contact;
use stickslip_contact::tangential::{Motion, Settings, Steady, Transport};

/// C11, C22, C23 (from the moment of lateral creepage), C33 on nx × ny elements over an ellipse with the semi-axes a and 1/a.
fn coefficients(a: f64, nu: f64, nx: usize, ny: usize) -> Result<[f64; 4], Error> {
    let grid = Grid::centred(nx, ny, a, 1.0 / a)?;
    let pressure = |k: usize| {
        let (i, j) = grid.at(k);
        (1.0 - (grid.x(i) / a).powi(2) - (grid.y(j) * a).powi(2)).max(0.0).sqrt()
    };
    let contact = Contact::from_pressure(grid, Material::new(1.0, nu)?, (0..grid.len()).map(pressure).collect())?;
    let settings =
        Settings { tolerance: 1e-6, slip_point: Some(0.0), transport: Transport::Second, ..Settings::default() };
    let mut steady = Steady::new(&contact, 1.0, settings)?;
    let tiny = 1e-6;
    let mut force = |xi: f64, eta: f64, spin: f64| {
        let solution = steady.solve(Motion::creepage(tiny * xi, tiny * eta, tiny * spin))?;
        Ok::<_, Error>([-solution.force[0] / tiny, -solution.force[1] / tiny, -solution.moment / tiny])
    };
    let (x, y, spin) = (force(1.0, 0.0, 0.0)?, force(0.0, 1.0, 0.0)?, force(0.0, 0.0, 1.0)?);
    Ok([x[0], y[1], -y[2], spin[2]])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<usize> = std::env::args().skip(1).map(|a| a.parse()).collect::<Result<_, _>>()?;
    let [nx, ny] = given.try_into().unwrap_or([160, 40]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/rolling/kalker-coefficients.csv");
    let mut worst = 0.0_f64;
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let g: f64 = row[1].parse()?;
        let a = if row[0] == "a/b" { g.sqrt() } else { 1.0 / g.sqrt() };
        for (k, nu) in [0.0, 0.25, 0.5].into_iter().enumerate() {
            let fine = coefficients(a, nu, nx, ny)?;
            print!("{} = {g:.1} ν = {nu:<4}", row[0]);
            for c in 0..4 {
                let table: f64 = row[2 + 3 * c + k].parse()?;
                let error = fine[c] / table - 1.0;
                worst = worst.max(error.abs());
                print!("  {table:6} {:8.4} {:+5.1} %", fine[c], 100.0 * error);
            }
            println!();
        }
    }
    println!("worst: {:.2} % on {nx} × {ny} elements", 100.0 * worst);
    Ok(())
}
