//! Error of creep forces against the time they cost: first order, second order, and CONTACT's own figures.
//!
//! `cargo run --release -p stickslip-contact --example error_against_time -- docs/rolling-error-against-time.svg`
//! prints the table and draws the figure of docs/rolling.md; a minute or two.
//!
//! The case of 42 kN, six motions with and without spin. The error is the root mean square over the motions of the
//! error of the force over μN. Taken for exact is the second order on 480² elements; how far that may be off is
//! estimated by the same on 320², and drawn as a line below which errors say nothing. Times are those of one
//! motion, mean over all, pressure and influence numbers included, from nothing, to a residual of 1e-6.
//! CONTACT's times are from another, nearly idle machine of the same kind (`reference/rolling`).

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::error::Error;
use std::time::Instant;

use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{self, Contact, Load, Undeformed};
use stickslip_contact::tangential::{Motion, Settings, Steady, Transport};
use stickslip_report::figure::{Anchor, Axis, Figure, Note, Panel, Series};
use stickslip_report::palette::Role;

/// ξ, η, φ per mm: those of the reference file without its slightest spin.
const MOTIONS: [[f64; 3]; 6] = [
    [0.0017, 0.0, 0.0],
    [0.003, 0.0, 0.0],
    [0.0, 0.001, 0.0],
    [0.0, 0.003, 0.0],
    [0.0, 0.0, 1e-3],
    [0.001, 0.001, 2e-4],
];

const TOLERANCE: f64 = 1e-6;

/// −F/(μN).
type Share = [f64; 2];

fn cold(n: usize, transport: Transport, [xi, eta, phi]: [f64; 3]) -> Result<Share, Box<dyn Error>> {
    let grid = Grid::centred(n, n, 1.1 * 4.25684, 1.1 * 3.20209)?;
    let settings = normal::Settings { tolerance: TOLERANCE, ..normal::Settings::default() };
    let shape = Undeformed::Paraboloid { a: 230.0, b: 150.0 };
    let contact = Contact::solve(grid, Material::from_young(210e3, 0.3)?, shape, Load::Force(42e3), &settings)?;
    let settings = Settings { transport, tolerance: TOLERANCE, ..Settings::default() };
    let solution = Steady::new(&contact, 0.3, settings)?.solve(Motion::creepage(xi, eta, phi))?;
    Ok(solution.force.map(|force| -force / solution.limit))
}

/// Seconds of this thread on a processor, where the system tells.
fn processor() -> Option<f64> {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(spent.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// Forces of all motions, and the least mean time of one of them.
fn all(n: usize, transport: Transport, rounds: usize) -> Result<(Vec<Share>, f64), Box<dyn Error>> {
    let (mut shares, mut best) = (Vec::new(), f64::INFINITY);
    for _ in 0..rounds {
        let (begin, wall) = (processor(), Instant::now());
        shares = MOTIONS.iter().map(|motion| cold(n, transport, *motion)).collect::<Result<_, _>>()?;
        let wall = wall.elapsed().as_secs_f64();
        // The system counts in ticks of some milliseconds.
        let time = match (begin, processor()) {
            (Some(begin), Some(end)) if wall > 0.1 => end - begin,
            _ => wall,
        };
        best = best.min(time / MOTIONS.len() as f64);
    }
    Ok((shares, best))
}

/// Root mean square of the differences.
fn error(found: &[Share], exact: &[Share]) -> f64 {
    let squares = found.iter().zip(exact).map(|(f, e)| (f[0] - e[0]).powi(2) + (f[1] - e[1]).powi(2));
    (squares.sum::<f64>() / exact.len() as f64).sqrt()
}

/// CONTACT's rows of the reference file on n² elements, in the order of the motions: mean seconds, and forces.
fn theirs(n: usize) -> Result<(Vec<Share>, f64), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/rolling/creep-grid-convergence-42kn.csv");
    let text = std::fs::read_to_string(path)?;
    let (mut shares, mut time) = (Vec::new(), 0.0);
    for motion in MOTIONS {
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let values = cells[1..].iter().map(|cell| cell.parse()).collect::<Result<Vec<f64>, _>>()?;
            if cells[0] == "CONTACT" && values[0] == n as f64 && values[1..4] == motion {
                shares.push([values[4], values[5]]);
                time += values[7] / MOTIONS.len() as f64;
            }
        }
    }
    Ok((shares, time))
}

/// A straight guide of this slope through a point, over a range of times.
fn guide(slope: f64, through: [f64; 2], times: [f64; 2]) -> Vec<[f64; 2]> {
    times.iter().map(|t| [*t, through[1] * (t / through[0]).powf(slope)]).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let (exact, _) = all(480, Transport::Second, 1)?;
    let (near, _) = all(320, Transport::Second, 1)?;
    let floor = error(&near, &exact);
    println!("error of 320² against 480², second order: {floor:.1e}");
    let mut series = Vec::new();
    for (name, transport) in [("first order", Transport::First), ("second order", Transport::Second)] {
        let mut points = Vec::new();
        for (n, rounds) in [(16, 40), (22, 40), (32, 20), (44, 15), (64, 8), (88, 5), (128, 3), (160, 2)] {
            let (found, time) = all(n, transport, rounds)?;
            let off = error(&found, &exact);
            println!("{name:13} {n:3}²  {:8.2} ms   error {off:.2e}", 1e3 * time);
            points.push([time, off]);
        }
        series.push((name, points));
    }
    let mut points = Vec::new();
    for n in [22, 44, 66, 88, 110] {
        let (found, time) = theirs(n)?;
        let off = error(&found, &exact);
        println!("CONTACT       {n:3}²  {:8.2} ms   error {off:.2e}", 1e3 * time);
        points.push([time, off]);
    }
    series.push(("CONTACT", points));
    let Some(path) = path else { return Ok(()) };
    let mut panel = Panel::new(
        Axis::log("processor time of one contact, from nothing", "s"),
        Axis::log("error of the force over μN, rms of six motions", ""),
    );
    // Where time grows with the number of elements, n², an error of order p falls with its power −p/2.
    for (k, slope, label) in [(0, -0.5, "order 1: slope −½"), (1, -1.0, "order 2: slope −1")] {
        let curve: &[[f64; 2]] = &series[k].1;
        let (start, end) = (curve[1], curve[curve.len() - 2]);
        let through = [start[0], 0.6 * start[1]];
        let line = guide(slope, through, [start[0], if k == 0 { end[0] } else { 12.0 * start[0] }]);
        let at = line[1];
        panel.notes.push(Note { at, text: label.into(), anchor: Anchor::Start });
        panel.series.push(Series::line(if k == 0 { "slopes of orders 1 and 2" } else { "" }, Role::Reference, line));
    }
    let times = [series[0].1[0][0], 20.0];
    panel.series.push(Series::line("320² against 480², second order", Role::Fourth, guide(0.0, [1.0, floor], times)));
    for ((name, points), role) in series.into_iter().zip([Role::Second, Role::First, Role::Third]) {
        panel.series.push(Series::line("", role, points.clone()));
        panel.series.push(Series::markers(name, role, points));
    }
    panel.height = 340.0;
    let figure = Figure::stacked(vec![panel]).titled("What accuracy costs: 42 kN, 16² to 160² elements");
    std::fs::write(&path, figure.to_svg())?;
    println!("{path}");
    Ok(())
}
