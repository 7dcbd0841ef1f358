//! scratch
#![allow(missing_docs, clippy::all, clippy::print_stdout, clippy::unwrap_used)]
use stickslip_core::mechanics::System;
use stickslip_core::model::assembly::*;
use stickslip_core::scheme::*;
struct Seen {
    rows: u64,
    every: u64,
    events: Vec<Event>,
    print: bool,
}
impl Observer<AssemblyState> for Seen {
    type Error = std::convert::Infallible;
    fn every(&self) -> u64 {
        self.every
    }
    fn sample(&mut self, _: u64, t: f64, s: &AssemblyState) -> Result<(), Self::Error> {
        self.rows += 1;
        if self.print {
            println!(
                "{t} {:?} {:?} s {:?} f {:?}",
                s.coordinates(),
                s.velocities(),
                s.slips(),
                s.friction().collect::<Vec<_>>()
            );
        }
        Ok(())
    }
    fn event(&mut self, e: &Event) -> Result<(), Self::Error> {
        self.events.push(*e);
        Ok(())
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let verbose = args.iter().any(|a| a == "-v");
    let rows = args.iter().any(|a| a == "-r");
    for f in args[1..].iter().filter(|a| !a.starts_with('-')) {
        let s = match stickslip_scenario::Scenario::from_name_or_path(f, &[]) {
            Ok(s) => s,
            Err(e) => {
                println!("{f}: {e}");
                continue;
            }
        };
        let stickslip_scenario::Model::Assembly(p) = &s.model else { continue };
        let a = Assembly::new(p.clone()).unwrap();
        let grid = Grid::cover(s.run.duration, s.run.step);
        let mut seen = Seen { rows: 0, every: 1, events: vec![], print: rows };
        let begun = std::time::Instant::now();
        match a.by_events(grid, &Default::default(), &mut seen) {
            Err(e) => println!("{f}: error {e}  rows {} of {} {:?}", seen.rows, grid.steps, begun.elapsed()),
            Ok(out) => {
                println!(
                    "{f}: {:?} rows {}/{} events {} spans {} handovers {}",
                    begun.elapsed(),
                    seen.rows,
                    grid.steps,
                    out.events,
                    out.spans,
                    out.handovers
                );
                println!("   q {:?} v {:?} stuck {:?}", out.state.coordinates(), out.state.velocities(), out.stuck);
                println!(
                    "   residual {:e} closure {:e} ledger {:?}",
                    a.worst_residual(&out.state),
                    a.ledger(&out.state).closure(),
                    a.ledger(&out.state)
                );
            }
        }
        if verbose {
            for e in &seen.events {
                println!("   {:.12} {} {} -> {}", e.t, e.contact, e.from.name(), e.to.name());
            }
        }
    }
}
