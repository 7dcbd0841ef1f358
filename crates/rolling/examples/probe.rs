//! Probe.
#![allow(clippy::print_stdout, missing_docs, clippy::unwrap_used)]
use std::time::Instant;
use stickslip_rolling::{bodies::Bodies, grid::Grid, normal::{self, Contact, Load, Undeformed}, tangential::*};
fn main() {
    let bodies = Bodies::from_young(210e3, 0.3).unwrap();
    for n in [22, 44, 88, 160] {
        let t = Instant::now();
        let grid = Grid::centred(n, n, 1.1 * 4.25684, 1.1 * 3.20209).unwrap();
        let c = Contact::solve(grid, bodies, Undeformed::Paraboloid { a: 230.0, b: 150.0 }, Load::Force(42e3), &normal::Settings::default()).unwrap();
        println!("{n} normal {:?} its {} res {:.1e} approach {} elements {} extent {:?} pmax {}", t.elapsed(), c.iterations, c.residual, c.approach, c.elements(), c.extent(), c.pressure().iter().copied().fold(0.0, f64::max));
        for transport in [Transport::First, Transport::Second] {
            let t = Instant::now();
            let mut s = Steady::new(&c, 0.3, Settings { transport, ..Settings::default() }).unwrap();
            println!("  prepared {:?}", t.elapsed());
            for m in [Motion::creepage(0.0017, 0.0, 0.0), Motion::creepage(0.0, 0.003, 0.0), Motion::creepage(0.0, 0.0, 0.001), Motion::creepage(0.001, 0.001, 0.0002)] {
                let t = Instant::now();
                match s.solve(m) {
                    Ok(r) => println!("  {:?} its {} res {:.1e} F {:.7} {:.7} M {:.7} stick {:.5}", t.elapsed(), r.iterations, r.residual, -r.force[0] / r.limit, -r.force[1] / r.limit, r.moment / r.limit / (4.25684f64 * 3.20209).sqrt(), r.stick_share),
                    Err(e) => println!("  {e}"),
                }
            }
        }
    }
}
