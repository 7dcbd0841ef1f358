//! Eigenvalue maps: 100 × 100 points of a wheel with ten modes on a creep law with lag (21 states), shared by two threads, and the
//! same of that wheel and of a block on a belt through the call that `stickslip stability` uses, scenario and all. Beside them, as a yardstick for the
//! machine, products of 21 × 21 matrices in a plain loop.
//!
//! `cargo bench -p stickslip-models --bench stability`

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_core::analysis::stability::{Linearised, unstable};
use stickslip_linalg::Matrix;
use stickslip_models::MODELS;
use stickslip_run::stability::{StabilityOptions, studied};
use stickslip_scenario::Interval;

const SIDE: usize = 100;

/// Frequency [Hz], damping ratio, lateral and vertical amplitude at the contact, set `wheel` of reference/squeal/wheel-modes.csv.
const MODES: [[f64; 4]; 10] = [
    [330.0, 1e-3, 0.110, 0.010],
    [430.0, 5e-4, 0.160, 0.012],
    [1150.0, 4e-4, 0.170, -0.020],
    [1560.0, 8e-3, 0.030, 0.120],
    [1710.0, 1.5e-3, 0.035, 0.140],
    [2050.0, 3e-4, 0.175, 0.030],
    [2390.0, 1e-3, 0.040, 0.150],
    [3050.0, 2.5e-4, 0.180, -0.040],
    [3170.0, 8e-4, 0.045, 0.150],
    [4130.0, 2e-4, 0.185, 0.050],
];

/// The wheel at a creepage s0, with both coefficients of friction times a scale (docs/stability.md 3).
fn wheel(scale: f64, s0: f64) -> Linearised {
    let (speed, load, stiffness, lag, kappa) = (10.0, 42e3, 1.5 * 42e3 / 73.571e-6, 4.25684e-3, 335.0);
    let (e, t) = (0.1 * (-speed * s0 / 0.15).exp(), (kappa * s0).tanh());
    let (mu, slope) = (scale * (0.25 + e), -scale * e / 0.15);
    let (gamma, rate) = (mu * t, speed * slope * t + mu * kappa * (1.0 - t * t));
    let n = MODES.len();
    let mut a = Matrix::zeros(2 * n + 1, 2 * n + 1);
    for (i, [hz, zeta, y, z]) in MODES.into_iter().enumerate() {
        let omega = std::f64::consts::TAU * hz;
        a[(i, n + i)] = 1.0;
        for (j, mode) in MODES.iter().enumerate() {
            a[(n + i, j)] = -stiffness * z * mode[3];
        }
        a[(n + i, i)] -= omega * omega;
        a[(n + i, n + i)] = -2.0 * zeta * omega;
        a[(n + i, 2 * n)] = -y;
        a[(2 * n, i)] = -speed / lag * gamma * stiffness * z;
        a[(2 * n, n + i)] = load * rate / lag * y;
    }
    a[(2 * n, 2 * n)] = -speed / lag;
    Linearised { names: vec![String::new(); 2 * n + 1], positions: n, matrix: a, state: String::new() }
}

/// How many points of a stripe of the map are unstable.
fn stripe(rows: std::ops::Range<usize>) -> usize {
    let at = |k: usize, lo: f64, hi: f64| lo + (hi - lo) * k as f64 / (SIDE - 1) as f64;
    let grows = |j: usize, i: usize| {
        let roots = wheel(at(j, 0.5, 1.5), at(i, 0.002, 0.05)).roots().expect("finite");
        usize::from(unstable(&roots) > 0)
    };
    rows.flat_map(|j| (0..SIDE).map(move |i| (j, i))).map(|(j, i)| grows(j, i)).sum()
}

fn map(threads: usize) -> (f64, usize) {
    let begin = Instant::now();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let unstable = std::thread::scope(|scope| {
        let work = || {
            let mut sum = 0;
            loop {
                let row = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if row >= SIDE {
                    return sum;
                }
                sum += stripe(row..row + 1);
            }
        };
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    (begin.elapsed().as_secs_f64(), unstable)
}

/// Seconds of a product of 21 × 21 matrices in a plain loop.
fn yardstick() -> f64 {
    let a = wheel(1.0, 0.01).matrix;
    let begin = Instant::now();
    const TIMES: usize = 2000;
    for _ in 0..TIMES {
        let a = black_box(&a);
        let mut c = Matrix::zeros(21, 21);
        for i in 0..21 {
            for k in 0..21 {
                for j in 0..21 {
                    c[(i, j)] += a[(i, k)] * a[(k, j)];
                }
            }
        }
        black_box(c);
    }
    begin.elapsed().as_secs_f64() / TIMES as f64
}

/// A map by the library, scenario and all.
fn scenario(name: &str, ranges: [&str; 2], threads: usize) -> f64 {
    let scenario = MODELS.builtin(name, &[]).expect("built in");
    let vary = ranges.iter().map(|text| Interval::read(text, true).expect("a range")).collect();
    let options = StabilityOptions { vary, threads, ..StabilityOptions::default() };
    let begin = Instant::now();
    black_box(studied(&MODELS, &scenario, &options, &mut |_| ()).expect("steady"));
    begin.elapsed().as_secs_f64()
}

fn main() {
    let points = (SIDE * SIDE) as f64;
    for round in 0..3 {
        let unit = yardstick();
        let ((two, count), (one, _)) = (map(2), map(1));
        let belt = scenario("belt-falling-friction", ["pad.pad.load=5:100:100", "support.belt.speed=0.05:0.5:100"], 2);
        let ranges = ["contact.friction.kinetic=0.15:0.35:100", "wheel.creepage=0.002:0.05:100"];
        let whole = scenario("squeal-wheel", ranges, 2);
        println!(
            "round {round}: map of the wheel, 21 states: {two:.3} s on two threads, {one:.3} s on one ({:.0} µs a point, {:.0} products of \
             21 × 21), {count} unstable; scenario and all on two threads: squeal-wheel {whole:.3} s, block on a belt {belt:.3} s",
            1e6 * one / points,
            one / points / unit
        );
    }
}
