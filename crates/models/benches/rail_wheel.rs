//! Time per implicit step of the wheel on a creep-force curve, beside the rigid wheel with Coulomb friction in the same run.
//!
//! `cargo bench -p stickslip-contact --bench rail_wheel`

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use stickslip_contact::curve::Curve;
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Friction, Patch};
use stickslip_contact::theory::Fastsim;
use stickslip_core::mechanics::System;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::rail_wheel::{Parameters, RailWheel};
use stickslip_models::wheel::{self as rigid, Start};

/// Few enough for a millisecond or two: longer pieces of work would be interrupted more often on a busy machine.
const STEPS: u64 = 24_000;

fn nanoseconds<S: System>(system: &S) -> f64 {
    let grid = Grid { h: 6.0 / STEPS as f64, steps: STEPS };
    let begin = Instant::now();
    black_box(implicit_euler(system, grid, &mut NullObserver).map(|o| o.events)).expect("runs");
    begin.elapsed().as_secs_f64() * 1e9 / STEPS as f64
}

fn main() {
    let steel = Material::from_young(210e9, 0.3).expect("valid");
    let body = Radii { x: 0.46, y: 0.30 };
    let patch = Patch::hertz(body, body, steel, 42e3, Friction::constant(0.3).expect("valid")).expect("valid");
    let curve = Curve::of(&mut Fastsim::new(50, 50).expect("valid"), &patch, 400).expect("grows");
    let (mass, inertia, radius) = (42e3 / 9.81, 60.0, 0.46);
    let brake = Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 2.0 * patch.limit() * radius).expect("sorted");
    let start = Start { x1: 20.0, x2: -20.0, ..Start::default() };
    let rail = RailWheel::new(Parameters {
        mass,
        inertia,
        radius,
        curve,
        stiffness: patch.stiffness(),
        motor: Signal::ZERO,
        brake: brake.clone(),
        pull: Signal::ZERO,
        start,
    })
    .expect("valid");
    let coulomb = rigid::Wheel::new(rigid::Parameters {
        mass,
        inertia,
        radius,
        friction: Signal::Constant(0.3),
        brake,
        start,
        ..rigid::Parameters::default()
    })
    .expect("valid");
    let mut best = [f64::INFINITY; 2];
    for _ in 0..201 {
        best[0] = best[0].min(nanoseconds(&rail));
        best[1] = best[1].min(nanoseconds(&coulomb));
    }
    println!("wheel on a creep curve   {:6.1} ns per step", best[0]);
    println!("wheel on Coulomb friction{:6.1} ns per step; {:.1} times less", best[1], best[0] / best[1]);
}
