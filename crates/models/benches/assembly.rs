//! Time per step of assemblies: the wagon bogie slipping and stuck, and chains of blocks, through the public call that
//! `run` uses, tallies on, beside the single wheel in the same run. Times alternate, so that a noisy machine disturbs
//! all alike.
//!
//! `cargo bench -p stickslip-models --bench assembly`; with `count WHAT STEPS` it makes STEPS steps of the bogie
//! (`slipping`, `stuck`) or of a chain of so many blocks (`100`) and nothing else, for callgrind.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::f64::consts::PI;
use std::hint::black_box;
use std::time::Instant;

use stickslip_core::law::Coefficient;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::{Signal, Sine};
use stickslip_models::assembly::{
    Assembly, Body, Buffer, Characteristic, Element, End, Face, Fixture, Force, Freedom, Link, Motion, Pad, Parameters,
    Spring, Stop, Support,
};
use stickslip_models::wheel;

fn pad(name: String, link: Link, face: Face, load: f64, coefficient: Coefficient) -> Pad {
    Pad {
        name,
        link,
        face,
        load: Signal::Constant(load),
        pressed_by: None,
        coefficient,
        over_time: Signal::Constant(1.0),
        over_place: None,
        viscous: 0.0,
        element: Element::Exact,
    }
}

/// Both wheelsets shaken lengthwise with the amplitude A.
fn bogie(amplitude: f64) -> Assembly {
    let body = |name: &str, mass: f64, inertia: f64| Body {
        name: name.into(),
        mass,
        freedom: Freedom::Plane { inertia },
        position: [0.0; 3],
        velocity: [0.0; 3],
    };
    let sine = |body: usize| Force {
        body,
        component: 0,
        signal: Signal::Sine(Sine { offset: 0.0, amplitude, omega: 3.0 * PI, phase: 0.0 }),
    };
    let mut p = Parameters {
        bodies: vec![body("frame", 1359.0, 550.0), body("front", 1120.0, 160.0), body("rear", 1120.0, 160.0)],
        forces: vec![sine(1), sine(2)],
        ..Parameters::default()
    };
    let friction = Coefficient::Sech { sticking: 0.4, slipping: 0.3, alpha: 50.0 };
    for (set, x) in [(1, 0.85), (2, -0.85)] {
        for y in [-0.8, 0.8] {
            let link = Link {
                of: End { on: Fixture::Body(set), at: [0.0, y] },
                against: End { on: Fixture::Body(0), at: [x, y] },
            };
            p.pads.push(pad(format!("{set} {y}"), link, Face::Disk, 1359.0 * 9.81 / 4.0, friction.clone()));
            for along in [[1.0, 0.0], [0.0, 1.0]] {
                let name = format!("stop {set} {y} {along:?}");
                p.stops.push(Stop { name, link, along, clearance: 4e-3, buffer: Buffer::Spring(4e6) });
            }
        }
    }
    Assembly::new(p).expect("valid")
}

/// n blocks on a belt, joined by springs: some stick, some slip.
fn chain(n: usize) -> Assembly {
    let mut p = Parameters {
        supports: vec![Support { name: "belt".into(), motion: [Motion::Speed(Signal::Constant(0.1)), Motion::Still] }],
        ..Parameters::default()
    };
    for i in 0..n {
        // Spread evenly, in no order.
        let spread = (i as f64 * 0.618_033_988_749_895).fract();
        p.bodies.push(Body {
            name: format!("b{i}"),
            mass: 1.0,
            freedom: Freedom::Line,
            position: [0.2 * spread, 0.0, 0.0],
            velocity: [0.0; 3],
        });
        let belt = Link { of: End::body(i), against: End { on: Fixture::Support(0), at: [0.0; 2] } };
        let friction = Coefficient::Stribeck { sticking: 1.0, slipping: 0.6, speed: 0.05, exponent: 1.0 };
        p.pads.push(pad(format!("p{i}"), belt, Face::Along([1.0, 0.0]), 1.0 + 0.3 * spread, friction));
        let mut spring = |link: Link, k: f64| {
            p.springs.push(Spring {
                name: format!("s{i}"),
                link,
                along: [1.0, 0.0],
                characteristic: Characteristic::Linear(k),
                preload: 0.0,
            });
        };
        spring(Link { of: End::body(i), against: End::GROUND }, 5.0);
        if i > 0 {
            spring(Link { of: End::body(i), against: End::body(i - 1) }, 50.0);
        }
    }
    Assembly::new(p).expect("valid")
}

fn single() -> wheel::Wheel {
    wheel::Wheel::new(wheel::Parameters {
        brake: Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 1883.52).expect("sorted"),
        start: wheel::Start { x1: 20.0, x2: -20.0, ..wheel::Start::default() },
        ..wheel::Parameters::default()
    })
    .expect("valid")
}

fn drive(assembly: &Assembly, h: f64, steps: u64) -> f64 {
    implicit_euler(assembly, Grid { h, steps }, &mut NullObserver).expect("runs").state.velocities()[0]
}

fn nanoseconds<T>(steps: u64, work: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    black_box(work());
    begin.elapsed().as_secs_f64() * 1e9 / steps as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "count") {
        let steps = arguments[at + 2].parse::<u64>().expect("count takes what and how many steps");
        match arguments[at + 1].as_str() {
            "slipping" => black_box(drive(&bogie(10_000.0), 1e-4, steps)),
            "stuck" => black_box(drive(&bogie(4000.0), 1e-4, steps)),
            n => black_box(drive(&chain(n.parse().expect("a number of blocks")), 1e-3, steps)),
        };
        return;
    }
    let (slipping, stuck) = (bogie(10_000.0), bogie(4000.0));
    let sizes = [10, 100, 1000, 10_000];
    let chains: Vec<_> = sizes.iter().map(|&n| chain(n)).collect();
    let wheel = single();
    let grid = Grid { h: 6e-5, steps: 100_000 };
    let mut best = [f64::INFINITY; 3];
    let mut per = vec![f64::INFINITY; sizes.len()];
    // Short runs, many times: on a busy machine some of them are not interrupted.
    for _ in 0..25 {
        best[0] =
            best[0].min(nanoseconds(grid.steps, || implicit_euler(&wheel, grid, &mut NullObserver).expect("runs")));
        // Four seconds: the whole of case 1.
        best[1] = best[1].min(nanoseconds(40_000, || drive(&slipping, 1e-4, 40_000)));
        best[2] = best[2].min(nanoseconds(40_000, || drive(&stuck, 1e-4, 40_000)));
        for ((per, chain), n) in per.iter_mut().zip(&chains).zip(sizes) {
            let steps = (100_000 / n as u64).clamp(20, 5000);
            *per = per.min(nanoseconds(steps, || drive(chain, 1e-3, steps)));
        }
    }
    println!("single wheel         {:9.1} ns per step", best[0]);
    for (name, time) in [("bogie, case 1 ", best[1]), ("bogie, stuck  ", best[2])] {
        println!("{name}       {time:9.1} ns per step, {:6.1} single wheels", time / best[0]);
    }
    for (n, time) in sizes.iter().zip(&per) {
        println!("chain of {n:6} {time:14.0} ns per step, {:7.1} per block", time / *n as f64);
    }
    println!("wanted: case 1 at most 600 ns: {:.0}; stuck at most 300 ns: {:.0}", best[1], best[2]);
    println!("wanted: 1000 blocks against 100 no worse than n^1.3: n^{:.2}", (per[2] / per[1]).log10());
}
