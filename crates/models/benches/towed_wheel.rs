//! Steps per second of the towed wheel through the public call that `run` uses, tallies on, beside a hand-written loop
//! of the same scheme for the small form without tallies. Both alternate, so that a noisy machine disturbs both alike.
//!
//! `cargo bench -p stickslip-models --bench towed_wheel`; with `count N` it makes N steps and nothing else, for callgrind.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_models::towed_wheel::{Form, Parameters, TowedWheel};

const DURATION: f64 = 0.45;

fn p1(form: Form) -> TowedWheel {
    TowedWheel::new(Parameters { form, ..Parameters::default() }).expect("valid")
}

/// What one would write by hand: Newton from s = 0 on Σ (b_i/(s + hβ_i))² = 1. No energy, no residual, no events.
#[inline(never)]
fn by_hand(wheel: &TowedWheel, steps: u64) -> [f64; 3] {
    let (c, p) = (*wheel.coefficients(), *wheel.parameters());
    let h = DURATION / steps as f64;
    let (m, v, k, l, friction) = (c.mass, p.speed, p.stiffness, p.length, p.friction);
    let (hb1, hb2) = (h * c.b3 * friction / m, h * c.b5 * friction / m);
    let (mut psi, mut omega, mut w, mut u1, mut u2) = (p.start.psi, 0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..steps {
        let (sin, cos) = psi.sin_cos();
        let b1 = u1 - h * v * omega * sin;
        let b2 = u2 - h * (v * omega * cos + c.b4 * k / m * w);
        let (mut l1, mut l2) = (b1 / hb1, b2 / hb2);
        if l1 * l1 + l2 * l2 <= 1.0 {
            (u1, u2) = (0.0, 0.0);
        } else {
            let mut s = 0.0_f64;
            for _ in 0..100 {
                (l1, l2) = (b1 / (s + hb1), b2 / (s + hb2));
                let value = l1 * l1 + l2 * l2 - 1.0;
                let slope = -2.0 * (l1 * l1 / (s + hb1) + l2 * l2 / (s + hb2));
                let next = s - value / slope;
                if next <= s * (1.0 + 1e-15) {
                    break;
                }
                s = next;
            }
            (u1, u2) = (s * l1, s * l2);
        }
        omega += h * (-c.b1 * k / (m * l) * w + c.b2 * friction / (m * l) * l2);
        w += h * (u2 + v * sin + l * omega);
        psi += h * omega;
    }
    [psi, omega, w]
}

#[inline(never)]
fn public_call(wheel: &TowedWheel, steps: u64) -> [f64; 3] {
    let grid = Grid { h: DURATION / steps as f64, steps };
    let end = implicit_euler(wheel, grid, &mut NullObserver).expect("runs").state;
    [end.psi, end.omega, end.w]
}

fn seconds<T>(work: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    black_box(work());
    begin.elapsed().as_secs_f64()
}

fn main() {
    let (small, exact) = (p1(Form::Small), p1(Form::Exact));
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let steps = arguments[at + 1].parse().expect("count takes a number of steps");
        black_box(public_call(&small, steps));
        return;
    }
    let steps = 200_000;
    let (ours, other) = (public_call(&small, steps), by_hand(&small, steps));
    assert!(ours.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-9), "{ours:?} {other:?}");
    let rounds: Vec<[f64; 3]> = (0..31)
        .map(|_| {
            [
                seconds(|| public_call(&small, black_box(steps))),
                seconds(|| by_hand(&small, black_box(steps))),
                seconds(|| public_call(&exact, black_box(steps))),
            ]
        })
        .collect();
    let best = |k: usize| rounds.iter().map(|r| r[k]).fold(f64::INFINITY, f64::min) * 1e9 / steps as f64;
    for (k, name) in [(0, "public call, small form"), (1, "loop by hand, no tallies"), (2, "public call, exact form")] {
        println!(
            "{name:<26} {:7.1} ns per step, {:5.1} million steps per second, {:.2} times the loop by hand",
            best(k),
            1e3 / best(k),
            best(k) / best(1)
        );
    }
    println!("wanted: at least 6 million steps per second");
}
