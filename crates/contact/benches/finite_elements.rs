//! The default mesh in space, 63 000 unknowns a body: from nothing to a steady solution, and a creep curve of twelve points.
//! Yardstick: a dense elimination in the same run, which does nothing but multiply.
#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use stickslip_contact::case::{self, Case, Course, Elements};
use stickslip_contact::finite_elements::Rolled;
use stickslip_contact::finite_elements::case::{FiniteElements, Meshing};
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::Creepage;
use stickslip_contact::tangential::{Motion, Settings};
use stickslip_core::law::Coefficient;
use stickslip_linalg::Front;

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let done = work();
    let time = begin.elapsed().as_secs_f64();
    println!("{what:44} {time:8.3} s");
    (done, time)
}

/// Multiplications per second of a dense elimination of this size.
fn yardstick(size: usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let mut front = Front::zeros(size);
        for j in 0..size {
            front.add(j, j, size as f64);
            front.add((j * 7 + 3) % size, j, 0.5);
        }
        let begin = Instant::now();
        let _ = front.eliminate(size / 2);
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let (p, b) = (0.5 * size as f64, 0.5 * size as f64);
    (p * p * p / 6.0 + p * p * b / 2.0 + p * b * b / 2.0) / best
}

fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::from_young(210e9, 0.3)?;
    let body = case::Body { radii: Radii { x: 0.46, y: 0.3 }, material };
    let case = Case {
        bodies: [body; 2],
        pressing: case::Pressing::Load(42e3),
        friction: Coefficient::Constant(0.3),
        speed: 0.0,
        elements: Elements { along: None, across: None, length: None, width: None },
        course: Course::Steady(Motion::creepage(0.0, 0.003, 0.0)),
        settings: Settings { tolerance: 1e-8, ..Settings::default() },
    };
    let contact = FiniteElements { case, meshing: Meshing::default() };
    let rate = yardstick(3000);
    println!("yardstick: {:.1}e9 multiplications/s in a dense elimination of 3000 unknowns, two threads", 1e-9 * rate);
    let whole = Instant::now();
    let (bodies, _) = timed("mesh", || contact.bodies());
    let (ordered, _) = timed("order of elimination", || bodies.map(|bodies| contact.order(bodies, None)));
    let ordered = ordered??;
    let cost = ordered[0].cost;
    println!(
        "  {} unknowns, {:.1}e9 multiplications, {:.1}e6 entries",
        cost.unknowns,
        1e-9 * cost.work,
        1e-6 * cost.entries
    );
    let (condensed, time) = timed("condensation", || contact.condense(1, &ordered[0], &|_| ()));
    println!("  {:.2} times what its multiplications take at the yardstick's rate", time * rate / cost.work);
    let condensed = vec![condensed?];
    let (pair, _) = timed("both bodies together", || contact.pair(&ordered, &condensed));
    let pair = pair?;
    let (rolled, _) = timed("pressure and tractions", || contact.roll(&pair));
    let rolled = rolled?;
    println!("{:44} {:8.3} s", "cold to a steady solution", whole.elapsed().as_secs_f64());
    let rolling = contact.rolling()?;
    let (curve, _) = timed("creep curve of twelve points", || {
        let mut last: Rolled = rolled.clone();
        for k in 1..=12 {
            last = rolling.roll(&pair, Creepage::lateral(0.0006 * f64::from(k)), Some(&last))?;
        }
        Ok::<f64, Box<dyn Error>>(last.force[1])
    });
    println!("  F_y at the end: {:.4} of μN", -curve? / (0.3 * 42e3));
    Ok(())
}
