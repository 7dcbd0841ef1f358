//! Tune.
#![allow(clippy::print_stdout, missing_docs, clippy::unwrap_used)]
use stickslip_rolling::{bodies::Bodies, grid::Grid, normal::{self, Contact, Load, Undeformed}, tangential::*};
fn cpu() -> f64 { std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9 }
fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let bodies = Bodies::from_young(210e3, 0.3).unwrap();
    let motions = [(0.0017, 0.0, 0.0), (0.0, 0.001, 0.0), (0.0, 0.003, 0.0), (0.0, 0.0, 0.0002), (0.0, 0.0, 0.001), (0.001, 0.001, 0.0002), (0.0005, -0.0015, 0.0006), (0.003, 0.001, -0.0005), (-0.0002, 0.0001, 0.0001), (0.002, -0.002, 0.0015)];
    for n in sizes {
        let grid = Grid::centred(n, n, 1.1 * 4.25684, 1.1 * 3.20209).unwrap();
        let c = Contact::solve(grid, bodies, Undeformed::Paraboloid { a: 230.0, b: 150.0 }, Load::Force(42e3), &normal::Settings::default()).unwrap();
        for tolerance in [1e-6, 1e-8] {
            let mut s = Steady::new(&c, 0.3, Settings { tolerance, ..Settings::default() }).unwrap();
            let t = cpu();
            let its: Vec<usize> = motions.iter().map(|m| s.solve(Motion::creepage(m.0, m.1, m.2)).unwrap().iterations).collect();
            println!("{n} {tolerance:e} {:.2} ms mean {} {its:?}", (cpu() - t) * 100.0, its.iter().sum::<usize>() as f64 / 10.0);
        }
    }
}
