//! The wheels of reference/squeal.
#![allow(dead_code, reason = "each test file uses a part of it")]

use stickslip_core::law::Coefficient;
use stickslip_squeal::contact::{Contact, Spring};
use stickslip_squeal::motion::{Grip, Motion};
use stickslip_squeal::roughness::Roughness;
use stickslip_squeal::step::{Stepper, Workspace};
use stickslip_squeal::{Friction, Wheel, mode};

/// A table of the reference folder: heads and rows.
pub fn table(name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let path = format!("{}/../../reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let heads = reader.headers().expect("heads").iter().map(String::from).collect();
    let rows = reader.records().map(|row| row.expect("a row").iter().map(String::from).collect()).collect();
    (heads, rows)
}

/// A number in a table.
pub fn cell(heads: &[String], row: &[String], name: &str) -> f64 {
    let k = heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("no column {name}"));
    row[k].parse().unwrap_or(f64::NAN)
}

pub fn fall() -> Friction {
    Friction::Law(Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: 0.15, exponent: 1.0 })
}

pub fn constant(mu: f64) -> Friction {
    Friction::Law(Coefficient::Constant(mu))
}

pub fn creep() -> Contact {
    Contact::Creep { friction: fall(), slope: 335.0, lag: 4.25684e-3 }
}

pub fn patch() -> Contact {
    patch_of(constant(0.35))
}

pub fn patch_of(friction: Friction) -> Contact {
    Contact::Patch { friction, half_length: 4.25684e-3, flexibility: 7.363327e-12 }
}

pub fn wheel(set: &str, contact: Contact, creepage: f64) -> Wheel {
    let path = format!("{}/../../reference/squeal/wheel-modes.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("modes");
    let wheel = Wheel {
        modes: mode::from_csv(&text, Some(set)).expect("modes"),
        speed: 10.0,
        creepage,
        spring: Spring { load: 42e3, approach: 73.571e-6, residual: 0.0 },
        contact,
        roughness: Roughness::default(),
    };
    wheel.check().expect("a wheel");
    wheel
}

/// What a motion comes to over a window.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    pub frequency: f64,
    pub most: f64,
    pub least: f64,
    pub rms: f64,
    pub load: [f64; 2],
    pub stuck: f64,
    pub friction: f64,
    pub closure: f64,
    pub residual: f64,
    pub held: u64,
    pub powers: [f64; 3],
}

/// Runs a wheel to `until` and looks at the last `window` seconds.
pub fn run(wheel: &Wheel, h: f64, start: impl FnOnce(&Stepper<'_>) -> Motion, until: f64, window: f64) -> Seen {
    let step = |stepper: &Stepper<'_>, t: f64, motion: &mut Motion, work: &mut Workspace| {
        stepper.step(t, motion, work).expect("found");
    };
    run_by(wheel, h, start, step, (until, window))
}

/// The same by an integrator.
pub fn run_by(
    wheel: &Wheel,
    h: f64,
    start: impl FnOnce(&Stepper<'_>) -> Motion,
    advance: impl Fn(&Stepper<'_>, f64, &mut Motion, &mut Workspace),
    (until, window): (f64, f64),
) -> Seen {
    Stepper::check(wheel, h).expect("short enough");
    let stepper = Stepper::new(wheel, h, wheel.speed * h).expect("a stepper");
    let (mut motion, mut work) = (start(&stepper), Workspace::default());
    let steps = (until / h).round() as u64;
    let from = ((until - window) / h).round() as u64;
    let begun = stepper.stored(&motion);
    let mut seen = Seen { least: f64::INFINITY, load: [f64::INFINITY, 0.0], ..Seen::default() };
    let (mut before, mut crossings, mut counted) = (0.0, (0_u64, 0.0, 0.0), 0_u64);
    let mut energies = motion.energies;
    for n in 0..steps {
        advance(&stepper, n as f64 * h, &mut motion, &mut work);
        if n == from {
            energies = motion.energies;
        }
        let v = motion.slip - wheel.slip();
        if n > from {
            if before < 0.0 && v >= 0.0 {
                let t = (n as f64 + before / (before - v)) * h;
                if crossings.0 == 0 {
                    crossings.1 = t;
                }
                crossings = (crossings.0 + 1, crossings.1, t);
            }
            seen.most = seen.most.max(v);
            seen.least = seen.least.min(v);
            seen.rms += v * v;
            let load = motion.load / wheel.spring.load;
            seen.load = [seen.load[0].min(load), seen.load[1].max(load)];
            seen.stuck += if motion.grip == Grip::Stick { 1.0 } else { 0.0 };
            seen.friction -= motion.force;
            counted += 1;
        }
        before = v;
    }
    let count = counted.max(1) as f64;
    seen.frequency = crossings.0.saturating_sub(1) as f64 / (crossings.2 - crossings.1);
    seen.rms = (seen.rms / count).sqrt();
    seen.stuck /= count;
    seen.friction /= count;
    let e = motion.energies;
    let lost = begun + e.drive + e.roughness - e.heat - e.damping - stepper.stored(&motion);
    seen.closure = lost / e.drive;
    seen.residual = motion.residual;
    seen.held = motion.held;
    let span = (steps - from - 1) as f64 * h;
    seen.powers = [e.drive - energies.drive, e.heat - energies.heat, e.damping - energies.damping].map(|w| w / span);
    seen
}
