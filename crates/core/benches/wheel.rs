//! Steps per second of the wheel through the public call that `run` uses, tallies on, beside a hand-written
//! straight-line loop without tallies. Times of both alternate, so that a noisy machine disturbs both alike;
//! the ratio is the result.
//!
//! `cargo bench -p stickslip-core --bench wheel`; with `count N` it makes N steps and nothing else, for
//! callgrind.

use std::hint::black_box;
use std::time::Instant;

use stickslip_core::model::wheel::{Parameters, Start, Wheel};
use stickslip_core::scheme::{Grid, Nobody, implicit_euler};
use stickslip_core::signal::Signal;

const MASS: f64 = 400.0;
const INERTIA: f64 = 1.2;
const RADIUS: f64 = 0.3;
const A_G: f64 = 0.8 * 400.0 * 9.81;
const TIMES: [f64; 4] = [0.5, 0.7, 2.0, 2.4];
const DURATION: f64 = 6.0;

fn sport_braking() -> Wheel {
    Wheel::new(Parameters {
        mass: MASS,
        inertia: INERTIA,
        radius: RADIUS,
        gravity: 9.81,
        friction: Signal::Constant(0.8),
        motor: Signal::ZERO,
        brake: Signal::trapezoid(TIMES, 2.0 * A_G * RADIUS).expect("sorted"),
        start: Start { x1: 20.0, x2: -20.0, ..Start::default() },
    })
    .expect("valid")
}

/// What one would write by hand for this one manoeuvre: the three clamps, exact zeros, the trapezoid's
/// straight lines one after the other, a constant motor torque (zero here, but the loop does not know). No
/// energy, no residual, no positions, no events.
#[inline(never)]
fn by_hand(steps: u64, drive: f64) -> (f64, f64) {
    let h = DURATION / steps as f64;
    let (d1, d2) = (h / MASS, h * RADIUS * RADIUS / INERTIA);
    let (per_d1, per_d2, per_sum) = (1.0 / d1, 1.0 / d2, 1.0 / (d1 + d2));
    let (mut x1, mut x2) = (20.0_f64, -20.0_f64);
    let breaks = [0.0, TIMES[0], TIMES[1], TIMES[2], TIMES[3], DURATION];
    let values = [0.0, 0.0, 2.0 * A_G, 2.0 * A_G, 0.0, 0.0];
    let mut n = 0_u64;
    for piece in 0..5 {
        let slope = (values[piece + 1] - values[piece]) / (breaks[piece + 1] - breaks[piece]);
        let offset = values[piece] - slope * breaks[piece];
        let end = (breaks[piece + 1] / h).round() as u64;
        while n < end {
            n += 1;
            let a_b = (offset + slope * (n as f64 * h)).max(0.0);
            let (z1, z2) = (x1, x2 + d2 * drive);
            let p = z1 * per_d1;
            let f = p.max(-A_G).min(A_G);
            let q = z2 * per_d2 - f;
            if q.abs() <= a_b {
                x2 = 0.0;
                x1 = if p.abs() <= A_G { 0.0 } else { z1 - d1 * f };
            } else {
                let g = a_b.copysign(q);
                let c = (z1 + z2 - d2 * g) * per_sum;
                if c.abs() <= A_G {
                    x2 = z2 - d2 * (c + g);
                    x1 = -x2;
                } else {
                    let f = A_G.copysign(c);
                    x1 = z1 - d1 * f;
                    x2 = z2 - d2 * (f + g);
                }
            }
        }
    }
    (x1, x2)
}

#[inline(never)]
fn public_call(wheel: &Wheel, steps: u64) -> (f64, f64) {
    let grid = Grid { h: DURATION / steps as f64, steps };
    let end = implicit_euler(wheel, grid, &mut Nobody).expect("runs").state;
    (end.x1, end.x2)
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let begin = Instant::now();
    black_box(work());
    begin.elapsed().as_secs_f64()
}

fn main() {
    let wheel = sport_braking();
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let steps = arguments[at + 1].parse().expect("count takes a number of steps");
        black_box(public_call(&wheel, steps));
        return;
    }
    let steps = 1_000_000;
    let (a, b) = (by_hand(steps, black_box(0.0)), public_call(&wheel, steps));
    assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9, "{a:?} {b:?}");
    let mut pairs: Vec<(f64, f64)> = (0..41)
        .map(|_| {
            (seconds(|| by_hand(black_box(steps), black_box(0.0))), seconds(|| public_call(&wheel, black_box(steps))))
        })
        .collect();
    let per_step = 1e9 / steps as f64;
    let best = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).fold(f64::INFINITY, f64::min) * per_step;
    let (hand, public) = (best(|p| p.0), best(|p| p.1));
    pairs.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let median = pairs[pairs.len() / 2];
    println!("by hand       {hand:7.2} ns per step (best of {})", pairs.len());
    println!("public call   {public:7.2} ns per step, {:.1} million steps per second", 1e3 / public);
    println!(
        "ratio         {:7.3} of the best, {:.3} median of pairs (at most 1.15 wanted)",
        public / hand,
        median.1 / median.0
    );
}
