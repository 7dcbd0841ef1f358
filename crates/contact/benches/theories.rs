//! Time per call of the fast theories, beside a plain scalar FASTSIM loop in the same run. Times alternate, so that a noisy
//! machine disturbs all alike.
//!
//! `cargo bench -p stickslip-contact --bench theories`; with `count NAME N` it makes N calls of `fastsim`, `plain`,
//! `polach` or `shen` and nothing else, for callgrind.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Creepage, Friction, Patch};
use stickslip_contact::theory::{Fastsim, Polach, ShenHedrickElkins, Theory};

const N: usize = 50;

/// FASTSIM as one writes it by hand: cell after cell, with a branch where a cell slips, constants out of the loops.
#[inline(never)]
fn plain(patch: &Patch, c: Creepage) -> [f64; 3] {
    let (a, b, k, g) = (patch.a(), patch.b(), patch.coefficients(), patch.material().shear_modulus());
    let pi = std::f64::consts::PI;
    let (wx, wy) = (3.0 * k.c11 * g * c.xi / (8.0 * a), 3.0 * k.c22 * g * c.eta / (8.0 * a));
    let spin = c.phi * 4.0 * k.c23 * g / (pi * a * (a / b).sqrt());
    let p0 = patch.limit() * 2.0 / (pi * a * b);
    let (per_aa, per_bb) = (1.0 / (a * a), 1.0 / (b * b));
    let dy = 2.0 * b / N as f64;
    let (mut fx, mut fy, mut mz) = (0.0, 0.0, 0.0);
    for j in 0..N {
        let y = -b + (j as f64 + 0.5) * dy;
        let strip = 1.0 - y * y * per_bb;
        let edge = a * strip.sqrt();
        let dx = 2.0 * edge / N as f64;
        let along = wx - spin * y;
        let (mut qx, mut qy) = (0.0, 0.0);
        let (mut sx, mut sy, mut turn) = (0.0, 0.0, 0.0);
        for i in 0..N {
            let x = edge - (i as f64 + 0.5) * dx;
            let (step, mean) = if i == 0 { (0.5 * dx, x + 0.25 * dx) } else { (dx, x + 0.5 * dx) };
            qx -= step * along;
            qy -= step * (wy + spin * mean);
            let bound = p0 * (strip - x * x * per_aa);
            let size = qx * qx + qy * qy;
            if size > bound * bound {
                let factor = bound / size.sqrt();
                qx *= factor;
                qy *= factor;
            }
            sx += qx;
            sy += qy;
            turn += x * qy;
        }
        fx += sx * dx * dy;
        fy += sy * dx * dy;
        mz += (turn - y * sx) * dx * dy;
    }
    [fx, fy, mz]
}

/// Creepages from stick to full slip, spin included.
fn cases() -> Vec<Creepage> {
    let at = |k: u32| {
        let s = 1e-4 * 1.17_f64.powi(k as i32);
        Creepage { xi: s, eta: 0.5 * s, phi: 50.0 * s }
    };
    (0..32).map(at).collect()
}

fn main() {
    let steel = Material::from_young(210e9, 0.3).expect("valid");
    let body = Radii { x: 0.46, y: 0.30 };
    let patch = Patch::hertz(body, body, steel, 42e3, Friction::constant(0.3).expect("valid")).expect("valid");
    let cases = cases();
    let mut fastsim = Fastsim::new(N, N).expect("valid");
    let (mut polach, mut shen) = (Polach::default(), ShenHedrickElkins);
    let mut run = |which: usize, calls: usize| {
        let mut sum = 0.0;
        for k in 0..calls {
            let c = black_box(cases[k % cases.len()]);
            sum += match which {
                0 => fastsim.forces(&patch, c).expect("finite").fx,
                1 => plain(&patch, c)[0],
                2 => polach.forces(&patch, c).expect("finite").fx,
                _ => shen.forces(&patch, c).expect("finite").fx,
            };
        }
        black_box(sum)
    };
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let which = match arguments[at + 1].as_str() {
            "fastsim" => 0,
            "plain" => 1,
            "polach" => 2,
            _ => 3,
        };
        run(which, arguments[at + 2].parse().expect("count takes a number of calls"));
        return;
    }
    // The two FASTSIMs are the same but for the sum of the bounds.
    let (ours, theirs) = (run(0, cases.len()), run(1, cases.len()));
    assert!((ours / theirs - 1.0).abs() < 3e-4, "{ours} {theirs}");
    // About a millisecond each: longer pieces of work would be interrupted more often on a busy machine.
    let calls = [320, 32, 32_000, 32_000];
    let mut best = [f64::INFINITY; 4];
    let mut ratios = Vec::new();
    for _ in 0..201 {
        let mut round = [0.0; 4];
        for (which, time) in round.iter_mut().enumerate() {
            let begin = Instant::now();
            run(which, calls[which]);
            *time = begin.elapsed().as_secs_f64() * 1e6 / calls[which] as f64;
            best[which] = best[which].min(*time);
        }
        ratios.push(round[1] / round[0]);
    }
    ratios.sort_by(f64::total_cmp);
    println!("FASTSIM {N}×{N}             {:8.3} µs per call (at most 10 wanted)", best[0]);
    println!(
        "plain scalar loop          {:8.3} µs per call; {:.1} times as long at best, {:.1} in the median",
        best[1],
        best[1] / best[0],
        ratios[ratios.len() / 2]
    );
    println!("Polach                     {:8.3} µs per call (at most 0.1 wanted)", best[2]);
    println!("Shen–Hedrick–Elkins        {:8.3} µs per call", best[3]);
}
