//! Cases per second of a table of creep forces on 22 × 22 elements, second order, residual 1e-6: lines with warm starts on one core and on two,
//! each case from nothing, and a reading of the table. The yardstick is a complex two-dimensional transform forth and back on 44 × 44
//! points, timed in the same run.
//!
//! `cargo bench -p stickslip-contact --bench table`

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use rustfft::{FftPlanner, num_complex::Complex};
use stickslip_contact::patch::Creepage;
use stickslip_contact::table::{Solver, Spec, Table, contact, unit};
use stickslip_contact::theory::{Exact, Fastsim, Theory};

/// Seconds of this thread on a processor, where the system tells: in ticks of some milliseconds, so what is timed must last about a second.
fn processor() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    spent.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(f64::NAN) * 1e-9
}

/// Seconds of a transform forth and back, rows and columns, on m × m points.
fn yardstick(m: usize) -> f64 {
    let mut planner = FftPlanner::new();
    let plans = [planner.plan_fft_forward(m), planner.plan_fft_inverse(m)];
    let mut data: Vec<Complex<f64>> = (0..m * m).map(|k| Complex::new((k as f64).sin(), 0.1)).collect();
    let mut turned = data.clone();
    let times = 40_000;
    let begin = processor();
    for _ in 0..times {
        for plan in &plans {
            plan.process(&mut data);
            for i in 0..m {
                for j in 0..m {
                    turned[i * m + j] = data[j * m + i];
                }
            }
            plan.process(&mut turned);
            std::mem::swap(&mut data, &mut turned);
        }
        let scale = 1.0 / (m * m) as f64;
        data.iter_mut().for_each(|v| *v *= scale);
    }
    black_box(&data);
    (processor() - begin) / f64::from(times)
}

/// Every `stride`-th line; solutions made and processor seconds.
fn lines(spec: &Spec, first: usize, stride: usize) -> (u64, f64) {
    let begin = processor();
    let mut solver = Solver::new(spec);
    for line in (first..spec.lines()).step_by(stride) {
        black_box(solver.line(line).expect("solves"));
    }
    (solver.solved(), processor() - begin)
}

fn main() {
    let spec = Spec::usual(0.3);
    let pair = yardstick(44);
    let (solved, spent) = lines(&spec, 0, 4);
    println!("transform forth and back, 44 x 44: {:.1} us of processor time", 1e6 * pair);
    println!(
        "lines, one core: {solved} cases, {:.3} ms each ({:.1} pairs), {:.0} cases/s per core",
        1e3 * spent / solved as f64,
        spent / solved as f64 / pair,
        solved as f64 / spent
    );
    let begin = Instant::now();
    let halves: Vec<(u64, f64)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            [0, 2].map(|first| scope.spawn(move || lines(&Spec::usual(0.3), first, 4))).into_iter().collect();
        threads.into_iter().map(|thread| thread.join().expect("works")).collect()
    });
    let (count, wall) = (halves.iter().map(|half| half.0).sum::<u64>(), begin.elapsed().as_secs_f64());
    println!("two threads: {count} cases in {wall:.2} s by the clock, {:.0} cases/s (bar 90)", count as f64 / wall);
    let patch = contact(1.33, 0.3).expect("valid");
    let (begin, mut cold) = (processor(), 0);
    for j in (0..6).cycle().take(120) {
        for rho in [0.3, 1.0, 2.0, 4.0] {
            let [xi, eta, phi] = unit(1.33, 0.2 * f64::from(j), 0.3 * f64::from(j) - 0.7).map(|d| rho * d);
            let mut exact = Exact::with_settings(spec.elements, spec.settings()).expect("valid");
            black_box(exact.forces(&patch, Creepage { xi, eta, phi }).expect("solves"));
            cold += 1;
        }
    }
    let cold = (processor() - begin) / f64::from(cold);
    println!("from nothing, with pressure and influence numbers: {:.3} ms ({:.1} pairs)", 1e3 * cold, cold / pair);
    let small = Spec { ratios: vec![0.8, 1.1, 1.4, 1.8], magnitudes: 8, spins: 3, directions: 2, ..Spec::usual(0.3) };
    let mut solver = Solver::new(&small);
    let all: Vec<_> = (0..small.lines()).map(|line| solver.line(line).expect("solves")).collect();
    let table = Table::new(small, &all).expect("whole");
    let (times, begin) = (1_000_000, processor());
    for k in 0..times {
        let x = f64::from(k) / f64::from(times);
        black_box(table.at(1.0 + 0.5 * x, black_box([x, 0.5 - x, 0.3 * x])).expect("inside"));
    }
    let reading = (processor() - begin) / f64::from(times);
    let (mut fastsim, begin) = (Fastsim::new(50, 50).expect("valid"), processor());
    for k in 0..200_000 {
        let x = f64::from(k) / 200_000.0;
        black_box(fastsim.forces(&patch, black_box(Creepage { xi: x, eta: 0.5 - x, phi: 0.3 * x })).expect("finite"));
    }
    println!(
        "a reading of the table: {:.2} us; FASTSIM 50 x 50: {:.2} us",
        1e6 * reading,
        1e6 * (processor() - begin) / 200_000.0
    );
}
