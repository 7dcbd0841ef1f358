//! Steady rolling from nothing: pressure, influence numbers and tractions, on one core, in milliseconds and in
//! multiples of the yardstick: one complex two-dimensional transform forth and back on the grid padded to twice its
//! size. Both are timed in turn, so that a noisy machine disturbs both alike; the ratio is the result.
//!
//! `cargo bench -p stickslip-contact --bench rolling`; with `count N TOLERANCE` it solves ξ = 0.0017 on N² elements
//! once and nothing else, for callgrind.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use rustfft::{FftPlanner, num_complex::Complex};
use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{self, Contact, Load, Undeformed};
use stickslip_contact::tangential::{Motion, Settings, Solution, Steady, Transport};

/// Translation alone, then with spin, small and large.
const MOTIONS: [(f64, f64, f64); 10] = [
    (0.0017, 0.0, 0.0),
    (0.0, 0.001, 0.0),
    (0.0, 0.003, 0.0),
    (0.0, 0.0, 2e-4),
    (0.0, 0.0, 1e-3),
    (0.001, 0.001, 2e-4),
    (5e-4, -0.0015, 6e-4),
    (0.003, 0.001, -5e-4),
    (-2e-4, 1e-4, 1e-4),
    (0.002, -0.002, 1.5e-3),
];

/// Seconds of this thread on a processor, where the system tells; it counts in ticks of some milliseconds.
fn processor() -> Option<f64> {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(spent.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// Seconds that work takes: by the wall clock if it is short, else those on the processor.
fn seconds(work: impl FnOnce()) -> f64 {
    let (begin, wall) = (processor(), Instant::now());
    work();
    let (wall, end) = (wall.elapsed().as_secs_f64(), processor());
    match (begin, end) {
        (Some(begin), Some(end)) if wall > 0.1 => end - begin,
        _ => wall,
    }
}

fn contact(n: usize, tolerance: f64) -> Contact {
    let grid = Grid::centred(n, n, 1.1 * 4.25684, 1.1 * 3.20209).expect("valid");
    let shape = Undeformed::Paraboloid { a: 230.0, b: 150.0 };
    let settings = normal::Settings { tolerance, ..normal::Settings::default() };
    Contact::solve(grid, Material::from_young(210e3, 0.3).expect("valid"), shape, Load::Force(42e3), &settings)
        .expect("solves")
}

/// Everything, from nothing.
fn cold(n: usize, tolerance: f64, motion: (f64, f64, f64)) -> Solution {
    let settings = Settings { transport: Transport::Second, tolerance, ..Settings::default() };
    let mut steady = Steady::new(&contact(n, tolerance), 0.3, settings).expect("valid");
    steady.solve(Motion::creepage(motion.0, motion.1, motion.2)).expect("solves")
}

/// The yardstick on m × m points.
struct Pair {
    m: usize,
    plans: [std::sync::Arc<dyn rustfft::Fft<f64>>; 2],
    data: Vec<Complex<f64>>,
    turned: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
}

impl Pair {
    fn new(m: usize) -> Pair {
        let mut planner = FftPlanner::new();
        let plans = [planner.plan_fft_forward(m), planner.plan_fft_inverse(m)];
        let scratch =
            vec![Complex::default(); plans[0].get_inplace_scratch_len().max(plans[1].get_inplace_scratch_len())];
        let data = (0..m * m).map(|k| Complex::new((k as f64).sin(), 0.1)).collect();
        Pair { m, plans, data, turned: vec![Complex::default(); m * m], scratch }
    }

    fn turn(from: &[Complex<f64>], to: &mut [Complex<f64>], m: usize) {
        for j0 in (0..m).step_by(8) {
            for i0 in (0..m).step_by(8) {
                for j in j0..m.min(j0 + 8) {
                    for i in i0..m.min(i0 + 8) {
                        to[i * m + j] = from[j * m + i];
                    }
                }
            }
        }
    }

    fn run(&mut self) {
        self.plans[0].process_with_scratch(&mut self.data, &mut self.scratch);
        Pair::turn(&self.data, &mut self.turned, self.m);
        self.plans[0].process_with_scratch(&mut self.turned, &mut self.scratch);
        self.plans[1].process_with_scratch(&mut self.turned, &mut self.scratch);
        Pair::turn(&self.turned, &mut self.data, self.m);
        self.plans[1].process_with_scratch(&mut self.data, &mut self.scratch);
        let scale = 1.0 / (self.m * self.m) as f64;
        self.data.iter_mut().for_each(|v| *v *= scale);
    }

    /// Best seconds of one pair in a few milliseconds of trials.
    fn seconds(&mut self) -> f64 {
        let times = (80 * 88 * 88 / (self.m * self.m)).max(8);
        let mut best = f64::INFINITY;
        for _ in 0..4 {
            best = best.min(seconds(|| (0..times / 4).for_each(|_| self.run())) / (times / 4) as f64);
        }
        best
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let n = arguments[at + 1].parse().expect("count takes a number of elements");
        let tolerance = arguments[at + 2].parse().expect("and a tolerance");
        black_box(cold(n, tolerance, MOTIONS[0]));
        return;
    }
    println!(
        "second-order transport, everything included, from nothing; a pair is one padded transform forth and back"
    );
    for (n, rounds) in [(44, 25), (88, 5), (160, 2)] {
        let mut pair = Pair::new(2 * n);
        for (tolerance, wanted) in [(1e-6, [11.0, 65.0, 370.0]), (1e-8, [15.0, 100.0, 550.0])] {
            let (mut one, mut mean, mut yard) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
            for _ in 0..rounds {
                yard = yard.min(pair.seconds());
                one = one.min(seconds(|| drop(black_box(cold(n, tolerance, MOTIONS[0])))));
                let all = seconds(|| MOTIONS.iter().for_each(|m| drop(black_box(cold(n, tolerance, *m)))));
                mean = mean.min(all / 10.0);
            }
            let wanted = wanted[[44, 88, 160].iter().position(|m| *m == n).unwrap_or(0)];
            println!(
                "{n:3}² to {tolerance:.0e}: ξ = 0.0017 {:6.1} ms = {:3.0} pairs; mean of ten {:6.1} ms = {:3.0} pairs \
                 (wanted {wanted} ms; pair {:.0} µs)",
                1e3 * one,
                one / yard,
                1e3 * mean,
                mean / yard,
                1e6 * yard
            );
        }
    }
    let mut small = f64::INFINITY;
    let mut curve = f64::INFINITY;
    for _ in 0..9 {
        small = small.min(seconds(|| drop(black_box(cold(22, 1e-6, MOTIONS[0])))));
        let settings = Settings { transport: Transport::Second, tolerance: 1e-6, ..Settings::default() };
        let motions: Vec<Motion> = (0..30).map(|k| Motion::creepage(f64::from(k) * 2e-4, 0.0, 0.0)).collect();
        curve = curve.min(seconds(|| {
            let mut steady = Steady::new(&contact(44, 1e-6), 0.3, settings).expect("valid");
            black_box(steady.curve(&motions).expect("solves"));
        }));
    }
    println!(
        " 22² to 1e-6: {:.2} ms (wanted 3); curve of 30 points on 44²: {:.0} ms (wanted 180)",
        1e3 * small,
        1e3 * curve
    );
}
