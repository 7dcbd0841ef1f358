//! How fast a squeal is computed: seconds of motion in a second of one core, inside a limit cycle.
//!
//! `cargo run --release -p stickslip-squeal --example realtime`
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::time::Instant;

use stickslip_core::law::Coefficient;
use stickslip_squeal::contact::Spring;
use stickslip_squeal::roughness::Roughness;
use stickslip_squeal::step::{Start, Stepper, Workspace, lateral};
use stickslip_squeal::{Contact, Friction, Wheel, mode};

const MODES: &str = include_str!("../../../reference/squeal/wheel-modes.csv");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let a = 4.25684e-3;
    let wheel = |contact: Contact, creepage: f64| -> Result<Wheel, Box<dyn std::error::Error>> {
        // The pair that flutters, and eight more modes that it drags along.
        let mut modes = mode::from_csv(MODES, Some("pair"))?;
        let others = mode::from_csv(MODES, Some("wheel"))?;
        modes.extend(others.into_iter().filter(|own| own.name != "4L0").take(8));
        let spring = Spring { load: 42e3, approach: 73.571e-6, residual: 0.0 };
        Ok(Wheel { modes, speed: 10.0, creepage, spring, contact, roughness: Roughness::default() })
    };
    let patch = Contact::Patch { friction: 0.35, half_length: a, flexibility: 7.363327e-12 };
    let constant = Contact::Point { friction: Friction::Law(Coefficient::Constant(0.35)) };
    let fall = Friction::Law(Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: 0.15, exponent: 1.0 });
    let creep = Contact::Creep { friction: fall, slope: 335.0, lag: a };
    for (name, wheel, h) in [
        ("patch, 100 bristles", wheel(patch, 0.02)?, 2.0 * a / 1000.0),
        ("point", wheel(constant, 0.01)?, 4e-6),
        ("creep law", wheel(creep, 0.01)?, 1e-5),
    ] {
        let stepper = Stepper::new(&wheel, h, wheel.speed * h)?;
        let (mut motion, mut work) = (stepper.start(Start::Eigenvector(0.7 * wheel.slip()))?, Workspace::default());
        let (mut n, mut most) = (0_u64, 0.0_f64);
        let mut go = |until: f64, motion: &mut _, work: &mut _| -> Result<f64, Box<dyn std::error::Error>> {
            let begun = Instant::now();
            while (n as f64) * h < until {
                stepper.step(n as f64 * h, motion, work)?;
                n += 1;
            }
            Ok(begun.elapsed().as_secs_f64())
        };
        go(0.5, &mut motion, &mut work)?;
        let seconds = go(1.5, &mut motion, &mut work)?;
        most = most.max(lateral(&wheel, &motion.p).abs());
        println!(
            "{name}, {} modes, {:.0} kHz: {seconds:.3} s for a second ({:.1} x real time); |v| at the end {most:.3} m/s",
            wheel.modes.len(),
            1e-3 / h,
            1.0 / seconds
        );
    }
    let wheel =
        wheel(Contact::Creep { friction: Friction::Law(Coefficient::Constant(0.3)), slope: 335.0, lag: a }, 0.01)?;
    let (begun, mut unstable) = (Instant::now(), 0);
    for i in 0..100 {
        for j in 0..100 {
            let mut own = wheel.clone();
            own.creepage = 0.004 + 4e-4 * f64::from(i);
            let scale = 0.6 + 0.008 * f64::from(j);
            if let Contact::Creep { friction, .. } = &mut own.contact {
                *friction = Friction::Law(Coefficient::Stribeck {
                    sticking: 0.35 * scale,
                    slipping: 0.25 * scale,
                    speed: 0.15,
                    exponent: 1.0,
                });
            }
            unstable += usize::from(own.least_stable()?.re > 0.0);
        }
    }
    println!(
        "map of 100 x 100 eigenvalue problems, 10 modes, one core: {:.2} s ({unstable} unstable)",
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
