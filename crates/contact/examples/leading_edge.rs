//! What the leading edge is worth: first order, second order and the edge on coarse grids, wherever the edge falls.
//!
//! `cargo run --release -p stickslip-contact --example leading_edge` prints the tables of BENCHMARKS.md; about a minute.
//!
//! * Carter's problem (R = 0.5 m, 7.05 MN/m, μ = 0.3): least and greatest error over edges at eight places between two
//!   elements.
//! * The case of 42 kN on n² elements over 1.1 times the ellipse, and the same grid moved by quarters of an element along and
//!   across: errors of force (and moment) as root mean square and as the greatest over the sixteen grids, over μN (μN√(ab)).
//!   Taken for exact is the mean of second order and edge on 320² elements; half their difference is printed beside it.
//!
//! Iterations and times are means over the grids, from nothing to a residual of 1e-8; times are those of one motion, without
//! pressure and influence numbers.

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::error::Error;
use std::time::Instant;

use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{self, Contact, Load, Undeformed};
use stickslip_contact::tangential::{Motion, Settings, Solution, Steady, Transport};

const ORDERS: [(&str, Transport); 3] =
    [("first", Transport::First), ("second", Transport::Second), ("edge", Transport::Edge)];

/// ξ, η, φ per mm.
const MOTIONS: [(&str, [f64; 3]); 7] = [
    ("xi .0017", [0.0017, 0.0, 0.0]),
    ("xi .003", [0.003, 0.0, 0.0]),
    ("eta .001", [0.0, 0.001, 0.0]),
    ("eta .003", [0.0, 0.003, 0.0]),
    ("phi .2/m", [0.0, 0.0, 2e-4]),
    ("phi 1/m", [0.0, 0.0, 1e-3]),
    ("all", [0.001, 0.001, 2e-4]),
];

/// Hertz's semi-axes \[mm\].
const A: f64 = 4.25684;
const B: f64 = 3.20209;

fn steel() -> Result<Material, Box<dyn Error>> {
    Ok(Material::from_young(210e3, 0.3)?)
}

fn solver(contact: &Contact, transport: Transport) -> Result<Steady, Box<dyn Error>> {
    Ok(Steady::new(contact, 0.3, Settings { transport, ..Settings::default() })?)
}

/// Carter: `across` elements over the contact.
fn carter(across: f64, transport: Transport, [xi, spin]: [f64; 2]) -> Result<Solution, Box<dyn Error>> {
    let a = 4.41007;
    let dx = 2.0 * a / across;
    // An even number of them, of which two or more at each side stay free.
    let n = 2 * (0.5 * across + 2.0).ceil() as usize;
    let grid = Grid::line(n, 0.5 * n as f64 * dx)?;
    let shape = Undeformed::Paraboloid { a: 250.0, b: f64::INFINITY };
    let contact = Contact::solve(grid, steel()?, shape, Load::Force(7050.0), &normal::Settings::default())?;
    Ok(solver(&contact, transport)?.solve(Motion::creepage(xi, 0.0, spin))?)
}

fn plane() -> Result<(), Box<dyn Error>> {
    println!("Carter, error of Q in %, least … greatest over eight places of the edge");
    println!("{:>8} {:>8} {:>20} {:>20} {:>20}", "n", "xi", "first", "second", "edge");
    for n in [10.0, 20.0, 40.0, 80.0] {
        for xi in [0.0005, 0.0017, 0.0035, 0.005] {
            let exact = 1.0 - (1.0_f64 - xi / (0.3 * 4.41007 / 250.0)).powi(2);
            print!("{n:8} {xi:8}");
            for (_, transport) in ORDERS {
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                for place in 0..8 {
                    let solution = carter(n + 0.25 * f64::from(place), transport, [xi, 0.0])?;
                    let error = 100.0 * (-solution.force[0] / solution.limit / exact - 1.0);
                    (least, most) = (least.min(error), most.max(error));
                }
                print!(" {:>20}", format!("{least:+.2} … {most:+.2}"));
            }
            println!();
        }
    }
    Ok(())
}

/// n × n elements over 1.1 times the ellipse and one more at each side, moved by parts of an element.
fn pressed(n: usize, moved: [f64; 2]) -> Result<Contact, Box<dyn Error>> {
    let (dx, dy) = (2.2 * A / n as f64, 2.2 * B / n as f64);
    let m = n + 2;
    let first = |d: f64, part: f64| (part - 0.5 * (m - 1) as f64) * d;
    let grid = Grid::new(m, m, dx, dy, first(dx, moved[0]), first(dy, moved[1]))?;
    let shape = Undeformed::Paraboloid { a: 230.0, b: 150.0 };
    Ok(Contact::solve(grid, steel()?, shape, Load::Force(42e3), &normal::Settings::default())?)
}

/// −F/(μN), M/(μN√(ab)).
fn shares(solution: &Solution) -> [f64; 3] {
    let [fx, fy] = solution.force.map(|force| -force / solution.limit);
    [fx, fy, solution.moment / solution.limit / (A * B).sqrt()]
}

fn motion([xi, eta, phi]: [f64; 3]) -> Motion {
    Motion::creepage(xi, eta, phi)
}

fn main() -> Result<(), Box<dyn Error>> {
    plane()?;
    let contact = pressed(320, [0.0; 2])?;
    let (mut second, mut edge) = (solver(&contact, Transport::Second)?, solver(&contact, Transport::Edge)?);
    let mut exact = Vec::new();
    println!("\n42 kN: limits, −Fx/μN, −Fy/μN, Mz/(μN√ab), and half of what second order and edge differ by on 320²");
    for (name, creepage) in MOTIONS {
        let (s, e) = (shares(&second.solve(motion(creepage))?), shares(&edge.solve(motion(creepage))?));
        let mean = [0, 1, 2].map(|k| 0.5 * (s[k] + e[k]));
        let half = [0, 1, 2].map(|k| 0.5 * (s[k] - e[k]));
        println!(
            "{name:>9} {:8.5} {:8.5} {:8.5}    {:+.5} {:+.5} {:+.5}",
            mean[0], mean[1], mean[2], half[0], half[1], half[2]
        );
        exact.push(mean);
    }
    println!(
        "\n{:>9} {:>4} {:>7} {:>9} {:>9} {:>9} {:>9} {:>5} {:>8}",
        "motion", "n", "order", "F mean", "F rms", "F worst", "M rms", "iter", "ms"
    );
    for n in [11, 22, 44] {
        let mut contacts = Vec::new();
        for place in 0..16 {
            contacts.push(pressed(n, [0.25 * f64::from(place % 4), 0.25 * f64::from(place / 4)])?);
        }
        let mut all = [[0.0_f64; 2]; 3];
        for ((name, creepage), exact) in MOTIONS.iter().zip(&exact) {
            for (k, (order, transport)) in ORDERS.into_iter().enumerate() {
                let (mut mean, mut force, mut worst, mut moment) = (0.0, 0.0, 0.0_f64, 0.0);
                let (mut iterations, mut seconds) = (0, 0.0);
                for contact in &contacts {
                    let mut steady = solver(contact, transport)?;
                    let begin = Instant::now();
                    let solution = steady.solve(motion(*creepage))?;
                    seconds += begin.elapsed().as_secs_f64();
                    iterations += solution.iterations;
                    let found = shares(&solution);
                    let off = (found[0] - exact[0]).hypot(found[1] - exact[1]);
                    mean += found[0].hypot(found[1]) - exact[0].hypot(exact[1]);
                    force += off * off;
                    worst = worst.max(off);
                    moment += (found[2] - exact[2]).powi(2);
                }
                let count = contacts.len() as f64;
                all[k] = [all[k][0] + force / count, all[k][1].max(worst)];
                println!(
                    "{name:>9} {n:4} {order:>7} {:+9.5} {:9.5} {worst:9.5} {:9.5} {:5.0} {:8.2}",
                    mean / count,
                    (force / count).sqrt(),
                    (moment / count).sqrt(),
                    iterations as f64 / count,
                    1e3 * seconds / count
                );
            }
        }
        for ((order, _), [sum, worst]) in ORDERS.into_iter().zip(all) {
            println!(
                "{:>9} {n:4} {order:>7} {:9} {:9.5} {worst:9.5}",
                "together",
                "",
                (sum / MOTIONS.len() as f64).sqrt()
            );
        }
    }
    Ok(())
}
