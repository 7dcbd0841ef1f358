//! Makes a table of creep forces and says what it costs and how far it is off.
//!
//! `cargo run --release -p stickslip-contact --example creep_table -- [magnitudes spins directions ratios elements order points]`

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::time::Instant;

use stickslip_contact::table::{Check, Filled, Solver, Spec, Table, filled_places, filled_trial, trial};
use stickslip_contact::tangential::Transport;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let or = |k: usize, usual: usize| given.get(k).copied().unwrap_or(usual);
    let mut spec = Spec::usual(0.3);
    (spec.magnitudes, spec.spins, spec.directions) = (or(0, 16), or(1, 6), or(2, 6));
    let (count, elements) = (or(3, 9), or(4, 22));
    spec.ratios = (0..count).map(|k| 10f64.powf(-1.0 + 2.0 * k as f64 / (count - 1) as f64)).collect();
    spec.elements = elements;
    spec.transport = [Transport::First, Transport::Second, Transport::Edge][or(5, 2).clamp(1, 3) - 1];
    spec.check()?;
    let begin = Instant::now();
    let mut solver = Solver::new(&spec);
    let lines = (0..spec.lines()).map(|line| solver.line(line)).collect::<Result<Vec<_>, _>>()?;
    let spent = begin.elapsed().as_secs_f64();
    println!(
        "{} lines, {} cases in {spent:.2} s: {:.0} per s",
        spec.lines(),
        solver.solved(),
        solver.solved() as f64 / spent
    );
    let table = Table::new(spec, &lines)?;
    for i in 0..table.spec().ratios.len() {
        println!("{:7.4} {:?}", table.spec().ratios[i], table.coefficients(i));
    }
    let trials = (0..or(6, 100) as u64).map(|k| trial(&table, 1, k, true)).collect::<Result<Vec<_>, _>>()?;
    let (places, share) = filled_places(&table, 1, or(6, 100) as u64 / 4)?;
    let filled = places.iter().map(|place| filled_trial(&table, 1, *place)).collect::<Result<Vec<_>, _>>()?;
    let filled = (!filled.is_empty()).then(|| Filled::new(share, &filled));
    let check = Check::new(1, &trials).with_filled(filled);
    print!("unsolved {:.3}\n{}", table.unsolved(), check.written());
    for trial in trials.iter().flatten() {
        let worst = (0..3).map(|c| (trial.table[c] - trial.direct[c]).abs()).fold(0.0, f64::max);
        if worst > 0.6 * check.interpolation.max.into_iter().fold(0.0, f64::max) {
            println!("{trial:?}");
        }
    }
    Ok(())
}
