//! Time per wheel and evaluation of a tyre, beside the same formula written by hand. Times alternate, so that a noisy
//! machine disturbs both alike.
//!
//! `cargo bench -p stickslip-loads --bench tyre`

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_loads::tyre::{Deflection, OnTyres, TyreWheel, parse_tir};

const WHEELS: usize = 1000;
const ROUNDS: usize = 200;

/// The deflection form as one writes it by hand for one load, every constant out of the loop.
#[inline(never)]
fn by_hand(k: &[f64; 8], v: &[f64], w: &[f64], z: &[f64], rate: &mut [f64], force: &mut [f64]) {
    let [c, d, b, e_brake, e_drive, stiffness, shift, offset] = *k;
    for i in 0..v.len() {
        let effective = v[i] - w[i] - shift * v[i];
        let e = if effective * v[i] >= 0.0 { e_brake } else { e_drive };
        let bk = b * (effective / v[i]).abs();
        let phi = d * (c * (bk - e * (bk - bk.atan())).atan()).sin();
        rate[i] = -effective - stiffness * effective.abs() / phi * z[i];
        force[i] = stiffness * z[i] + offset * v[i] / (v[i].abs() + 0.1);
    }
}

#[inline(never)]
fn by_library(tread: &Deflection, v: &[f64], w: &[f64], z: &[f64], rate: &mut [f64], force: &mut [f64]) {
    for i in 0..v.len() {
        let now = tread.rate(v[i], w[i], z[i]);
        (rate[i], force[i]) = (now.rate, now.force);
    }
}

/// Nanoseconds per wheel, the best of all rounds.
fn best(mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64 / WHEELS as f64
    };
    (0..ROUNDS).map(|_| once(&mut run)).fold(f64::INFINITY, f64::min)
}

fn main() {
    let tyre = parse_tir(include_str!("../../../reference/tyre/synthetic-a.tir")).unwrap();
    let load = 3924.0;
    let tread = Deflection::new(tyre.at(load, 0.0), tyre.stiffness_at(load).unwrap());
    let c = tyre.coefficients;
    let character = tread.characteristic();
    let dfz = load / tyre.nominal_load - 1.0;
    let e = c.pex1 + c.pex2 * dfz;
    let b = character.slip_stiffness() / (c.pcx1 * character.peak());
    let k = [
        c.pcx1,
        character.peak(),
        b,
        e * (1.0 + c.pex4),
        e * (1.0 - c.pex4),
        tread.stiffness(),
        character.shift(),
        character.offset(0.0),
    ];
    let column = |f: &dyn Fn(f64) -> f64| (0..WHEELS).map(|i| f(i as f64 / WHEELS as f64)).collect::<Vec<f64>>();
    let (v, w, z) =
        (column(&|s| 1.0 + 30.0 * s), column(&|s| (1.0 + 30.0 * s) * (1.3 - s)), column(&|s| 0.01 * (s - 0.5)));
    let (mut rate, mut force) = (vec![0.0; WHEELS], vec![0.0; WHEELS]);
    let hand = best(|| by_hand(black_box(&k), &v, &w, &z, &mut rate, &mut force));
    let (by_hand_rate, by_hand_force) = (rate.clone(), force.clone());
    let library = best(|| by_library(black_box(&tread), &v, &w, &z, &mut rate, &mut force));
    let gap = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs() / (1.0 + b.abs())));
    println!("rate and force, by hand  {hand:6.1} ns per wheel");
    println!(
        "rate and force, library  {library:6.1} ns per wheel (greatest difference {:.1e})",
        gap(&rate, &by_hand_rate).max(gap(&force, &by_hand_force))
    );
    let loads = column(&|s| 1000.0 + 8000.0 * s);
    let changing = best(|| {
        for i in 0..WHEELS {
            let tread = Deflection::new(tyre.at(black_box(loads[i]), 0.0), 358_000.0);
            force[i] = tread.rate(v[i], w[i], z[i]).rate;
        }
    });
    println!("the same, load changing  {changing:6.1} ns per wheel");
    let mut body = OnTyres::new(400.0, 30.0);
    let mut wheel = [TyreWheel { brake_bound: 3000.0, ..TyreWheel::new(13.3, 30.0) }];
    let mut room = Vec::new();
    let step = best(|| {
        for _ in 0..WHEELS {
            body.step(black_box(&mut wheel), &[tread], 1e-6, &mut room);
        }
    });
    println!("implicit step, one wheel {step:6.1} ns");
}
