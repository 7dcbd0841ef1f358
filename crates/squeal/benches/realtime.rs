//! How fast a squeal is computed: seconds of motion in a second of one core, inside a limit cycle; a dense W in place of bristles; and maps of
//! eigenvalues.
//!
//! `cargo bench -p stickslip-squeal --bench realtime`; with `count patch STEPS` or `count dense STEPS` for callgrind.
//!
//! Yardstick, in the same run: bristles that are shifted and clipped once a step and ten modes that are moved once, with nothing to be found.
#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints its figures")]

#[path = "realtime/dense.rs"]
mod dense;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use stickslip_core::law::Coefficient;
use stickslip_squeal::contact::Spring;
use stickslip_squeal::roughness::Roughness;
use stickslip_squeal::step::{Start, Stepper, Workspace, lateral};
use stickslip_squeal::{Contact, Friction, Wheel, mode};

const MODES: &str = include_str!("../../../reference/squeal/wheel-modes.csv");

/// Half length of the contact \[m\].
const A: f64 = 4.256_84e-3;

/// Flexibility of the bristles [m²/N] and friction.
const L: f64 = 7.363_327e-12;
const MU: f64 = 0.35;

type Done<T> = Result<T, Box<dyn Error>>;

/// The pair that flutters, and eight more modes that it drags along.
fn wheel(contact: Contact, creepage: f64) -> Done<Wheel> {
    let mut modes = mode::from_csv(MODES, Some("pair"))?;
    let others = mode::from_csv(MODES, Some("wheel"))?;
    modes.extend(others.into_iter().filter(|own| own.name != "4L0").take(8));
    let spring = Spring { load: 42e3, approach: 73.571e-6, residual: 0.0 };
    Ok(Wheel { modes, speed: 10.0, creepage, spring, contact, roughness: Roughness::default() })
}

fn falling(scale: f64) -> Friction {
    Friction::Law(Coefficient::Stribeck { sticking: 0.35 * scale, slipping: 0.25 * scale, speed: 0.15, exponent: 1.0 })
}

/// Seconds that one of two has taken for a second of motion inside its limit cycle, the least of three; slip velocity and load of the last steps.
fn cycle(wheel: &Wheel, h: f64, steps: u64) -> Done<(f64, Vec<[f64; 2]>)> {
    let stepper = Stepper::new(wheel, h, wheel.speed * h)?;
    let (mut motion, mut work) = (stepper.start(Start::Eigenvector(0.7 * wheel.slip()))?, Workspace::default());
    let settle = (0.5 / h) as u64;
    for n in 0..settle {
        stepper.step(n as f64 * h, &mut motion, &mut work)?;
    }
    let (mut best, mut n) = (f64::INFINITY, settle);
    for _ in 0..3 {
        let begun = Instant::now();
        for _ in 0..steps {
            stepper.step(n as f64 * h, &mut motion, &mut work)?;
            n += 1;
        }
        best = best.min(begun.elapsed().as_secs_f64());
    }
    let mut course = Vec::new();
    for _ in 0..4000 {
        stepper.step(n as f64 * h, &mut motion, &mut work)?;
        course.push([motion.slip, motion.load]);
        n += 1;
    }
    let most = course.iter().map(|[slip, _]| (slip - wheel.slip()).abs()).fold(0.0, f64::max);
    assert!(most > 0.3 * wheel.slip(), "no cycle: {most} m/s, {}", lateral(wheel, &motion.p));
    Ok((best / (steps as f64 * h), course))
}

/// Seconds a step of the yardstick.
fn yardstick(wheel: &Wheel, bristles: usize) -> f64 {
    let (mut e, bound) = (vec![0.0_f64; bristles], 1e-5);
    let mut modes: Vec<[f64; 4]> =
        wheel.modes.iter().map(|m| [1e-6, 1e-3, (m.omega() * 8.5e-6).cos(), (m.omega() * 8.5e-6).sin()]).collect();
    let steps = 200_000;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let begun = Instant::now();
        for k in 0..steps {
            let gain = if k % 58 < 29 { 1e-6 } else { -1e-6 };
            e.copy_within(..bristles - 1, 1);
            e[0] = 0.0;
            e.iter_mut().for_each(|e| *e = (*e + gain).clamp(-bound, bound));
            let force: f64 = black_box(&e).iter().sum();
            for [q, p, c, s] in &mut modes {
                (*q, *p) = (*c * *q + *s * *p + 1e-9 * force, *c * *p - *s * *q);
            }
        }
        black_box(&modes);
        best = best.min(begun.elapsed().as_secs_f64() / f64::from(steps));
    }
    best
}

fn map(threads: usize) -> Done<(f64, usize)> {
    let base = wheel(Contact::Creep { friction: falling(1.0), slope: 335.0, lag: A }, 0.01)?;
    let row = |i: usize| -> Result<usize, stickslip_squeal::SquealError> {
        let mut unstable = 0;
        for j in 0..100_u32 {
            let mut own = base.clone();
            own.creepage = 0.004 + 4e-4 * i as f64;
            own.contact = Contact::Creep { friction: falling(0.6 + 0.008 * f64::from(j)), slope: 335.0, lag: A };
            unstable += usize::from(own.least_stable()?.re > 0.0);
        }
        Ok(unstable)
    };
    let begun = Instant::now();
    let counts: Vec<Result<usize, _>> = std::thread::scope(|scope| {
        let share = |first: usize| (first..100).step_by(threads).map(row).sum::<Result<usize, _>>();
        let running: Vec<_> = (0..threads).map(|k| scope.spawn(move || share(k))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let unstable = counts.into_iter().sum::<Result<usize, _>>()?;
    Ok((begun.elapsed().as_secs_f64(), unstable))
}

fn main() -> Done<()> {
    let patch = Contact::Patch { friction: Friction::Law(Coefficient::Constant(MU)), half_length: A, flexibility: L };
    let h = 2.0 * A / 1000.0;
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, count, what, steps, ..] = &arguments[..]
        && count == "count"
    {
        let (_, course) = cycle(&wheel(patch, 0.02)?, h, if what == "patch" { steps.parse()? } else { 1 })?;
        if what == "dense" {
            let dense = dense::Dense::new(100, A, L, MU, h);
            println!("{:?}", dense.run(&course[..steps.parse::<usize>()?.min(course.len())], 1e-4));
        }
        return Ok(());
    }
    let flutter = wheel(patch.clone(), 0.02)?;
    let base = yardstick(&flutter, 100);
    println!("yardstick: {:.0} ns a step (100 bristles shifted and clipped, 10 modes moved)", 1e9 * base);
    let (seconds, course) = cycle(&flutter, h, (0.3 / h) as u64)?;
    let step = seconds * h;
    println!(
        "patch, 100 bristles, 10 modes, {:.0} kHz: {seconds:.3} s a second, {:.1} x real time; {:.0} ns a step, {:.1} yardsticks",
        1e-3 / h,
        1.0 / seconds,
        1e9 * step,
        step / base
    );
    let constant = Contact::Point { friction: Friction::Law(Coefficient::Constant(MU)) };
    let creep = Contact::Creep { friction: falling(1.0), slope: 335.0, lag: A };
    for (name, wheel, h) in [("point", wheel(constant, 0.01)?, 4e-6), ("creep law", wheel(creep, 0.01)?, 1e-5)] {
        let (seconds, _) = cycle(&wheel, h, (0.3 / h) as u64)?;
        println!("{name}, 10 modes, {:.0} kHz: {seconds:.3} s a second, {:.1} x real time", 1e-3 / h, 1.0 / seconds);
    }
    for tolerance in [1e-3, 1e-4, 1e-6] {
        let dense = dense::Dense::new(100, A, L, MU, h);
        let (time, sweeps, slides) = dense.run(&course, tolerance);
        println!(
            "dense W, 100 nodes, one component, to {tolerance:e}: {:.1} us a step, {:.0} x the whole step of the bristles, {:.1} x slower than the sound; {sweeps:.1} \
             sweeps a step, {:.0} % of the nodes slide",
            1e6 * time,
            time / step,
            time / h,
            100.0 * slides
        );
    }
    for threads in [1, 2] {
        let (time, unstable) = map(threads)?;
        println!("map of 100 x 100 points, 10 modes, {threads} thread(s): {time:.3} s ({unstable} unstable)");
    }
    Ok(())
}
