//! Steps per second of the wheel through the public call that `run` uses, tallies on, beside a hand-written
//! straight-line loop without tallies. Times of both alternate, so that a noisy machine disturbs both alike;
//! the ratio is the result.
//!
//! `cargo bench -p stickslip-models --bench wheel`; with `count N` it makes N steps and nothing else, for
//! callgrind; with `calls N` the same by N calls of the object's `step`.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Simulation, Stepped};
use stickslip_models::wheel::{Parameters, Start, Wheel};

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
        brake: Signal::trapezoid(TIMES, 2.0 * A_G * RADIUS).expect("sorted"),
        start: Start { x1: 20.0, x2: -20.0, ..Start::default() },
        ..Parameters::default()
    })
    .expect("valid")
}

/// What one would write by hand for this one manoeuvre: the three clamps, exact zeros, the trapezoid's
/// straight lines one after the other, a constant motor torque (zero here, but the loop does not know). No
/// energy, no residual, no positions, no events. TUNED branches on the signs of the slips as our solver does,
/// so that a processor can foresee them; plain copies signs, as one would write at first.
#[inline(never)]
fn by_hand<const TUNED: bool>(steps: u64, drive: f64) -> (f64, f64) {
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
            let f = p.clamp(-A_G, A_G);
            let q = z2 * per_d2 - f;
            if q.abs() <= a_b {
                x2 = 0.0;
                x1 = if p.abs() <= A_G { 0.0 } else { z1 - d1 * f };
            } else if !TUNED {
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
            } else {
                let slipping = |g: f64| {
                    let c = (z1 + z2 - d2 * g) * per_sum;
                    if c > A_G {
                        (z1 - d1 * A_G, z2 - d2 * (A_G + g))
                    } else if c < -A_G {
                        (z1 + d1 * A_G, z2 - d2 * (g - A_G))
                    } else {
                        let y2 = z2 - d2 * (c + g);
                        (-y2, y2)
                    }
                };
                (x1, x2) = if q > 0.0 { slipping(a_b) } else { slipping(-a_b) };
            }
        }
    }
    (x1, x2)
}

#[inline(never)]
fn public_call(wheel: &Wheel, steps: u64) -> (f64, f64) {
    let grid = Grid { h: DURATION / steps as f64, steps };
    let end = implicit_euler(wheel, grid, &mut NullObserver).expect("runs").state;
    (end.x1, end.x2)
}

/// The same as an object, a thousand steps in a call.
#[inline(never)]
fn as_object(wheel: &Wheel, steps: u64) -> (f64, f64) {
    let h = DURATION / steps as f64;
    let mut simulation: Box<dyn Simulation> = Box::new(Stepped::new(wheel.clone(), h));
    for call in 1..=steps / CALL {
        simulation.advance_to((call * CALL) as f64 * h).expect("runs");
    }
    let mut row = vec![0.0; simulation.columns().len()];
    simulation.row(&mut row);
    (row[1], row[2])
}

/// The same by one call of the object a step.
#[inline(never)]
fn by_calls(wheel: &Wheel, steps: u64) -> f64 {
    let h = DURATION / steps as f64;
    let mut simulation: Box<dyn Simulation> = Box::new(Stepped::new(wheel.clone(), h));
    for _ in 0..steps {
        simulation.step(black_box(h)).expect("runs");
    }
    simulation.time()
}

/// Steps in a call of the object.
const CALL: u64 = 1000;

fn seconds<T>(work: impl Fn() -> T) -> f64 {
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
    if let Some(at) = arguments.iter().position(|a| a == "calls") {
        let steps = arguments[at + 1].parse().expect("calls takes a number of steps");
        black_box(by_calls(&wheel, steps));
        return;
    }
    let steps = 1_000_000;
    let plain = || by_hand::<false>(black_box(steps), black_box(0.0));
    let tuned = || by_hand::<true>(black_box(steps), black_box(0.0));
    let public = || public_call(&wheel, black_box(steps));
    for other in [plain(), tuned()] {
        let ours = public();
        assert!((other.0 - ours.0).abs() < 1e-9 && (other.1 - ours.1).abs() < 1e-9, "{other:?} {ours:?}");
    }
    let object = || as_object(&wheel, black_box(steps));
    assert_eq!(object(), public(), "the same bits");
    let rounds: Vec<[f64; 4]> =
        (0..41).map(|_| [seconds(plain), seconds(tuned), seconds(public), seconds(object)]).collect();
    let best = |k: usize| rounds.iter().map(|r| r[k]).fold(f64::INFINITY, f64::min) * 1e9 / steps as f64;
    let median = |k: usize| {
        let mut ratios: Vec<f64> = rounds.iter().map(|r| r[2] / r[k]).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    println!("public call, tallies on   {:6.2} ns per step, {:.0} million steps per second", best(2), 1e3 / best(2));
    for (k, name) in [(0, "straight loop by hand"), (1, "the same, tuned")] {
        println!(
            "{name:<25} {:6.2} ns per step; we take {:.2} times that at best, {:.2} in the median (at most 1.15 wanted)",
            best(k),
            best(2) / best(k),
            median(k)
        );
    }
    println!(
        "as an object, {CALL} steps a call {:6.2} ns per step: {:.3} times the public call at best, {:.3} in the median (at most \
         1.05 wanted)",
        best(3),
        best(3) / best(2),
        1.0 / median(3)
    );
}
