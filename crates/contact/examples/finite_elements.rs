//! Meshes and solvers of finite elements, on two equal discs: errors of the three transports against elements across, and
//! iterations of the solvers. `cargo run --release -p stickslip-contact --example finite_elements [FOLDER]` prints both tables
//! and, with a folder, draws `finite-elements-error.svg` and `finite-elements-iterations.svg` there.

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::error::Error;

use stickslip_contact::case::{self, Case, Course, Elements};
use stickslip_contact::finite_elements::case::{FiniteElements, Meshing};
use stickslip_contact::finite_elements::{Pair, Rolling, Transport, Way};
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::Creepage;
use stickslip_contact::tangential::{Motion, Settings};
use stickslip_core::inclusion::monotone::Limits;
use stickslip_core::law::Coefficient;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::palette::Role;

/// Q/μP at ξ = 0.0017 by Carter.
const CARTER: f64 = 0.539277;
const XI: f64 = 0.0017;

fn discs(across: usize) -> Result<(Rolling, Pair), Box<dyn Error>> {
    let material = Material::from_young(210e9, 0.3)?;
    let body = case::Body { radii: Radii { x: 0.5, y: f64::INFINITY }, material };
    let case = Case {
        bodies: [body; 2],
        pressing: case::Pressing::LoadPerLength(7.05e6),
        friction: Coefficient::Constant(0.3),
        speed: 0.0,
        elements: Elements { along: None, across: None, length: None, width: None },
        course: Course::Steady(Motion::creepage(XI, 0.0, 0.0)),
        settings: Settings { tolerance: 1e-10, ..Settings::default() },
    };
    let contact = FiniteElements { case, meshing: Meshing { across: Some(across), ..Meshing::default() } };
    let ordered = contact.order(contact.bodies()?, None)?;
    let condensed = vec![contact.condense(1, &ordered[0], &|_| ())?];
    Ok((contact.rolling()?, contact.pair(&ordered, &condensed)?))
}

fn errors() -> Result<Panel, Box<dyn Error>> {
    println!("error of Q at ξ = {XI} in %");
    println!("{:>4} {:>8} {:>8} {:>8}", "n", "first", "second", "edge");
    let kinds = [
        (Transport::First, "first order", Role::Second),
        (Transport::Second, "second order", Role::Third),
        (Transport::Edge, "first order with the edge's row", Role::First),
    ];
    let mut points = [Vec::new(), Vec::new(), Vec::new()];
    for n in [11, 12, 15, 16, 20, 21, 26, 31, 40, 41, 42, 43, 44, 45, 60, 61, 80, 81, 121] {
        let (rolling, pair) = discs(n)?;
        let mut row = Vec::new();
        for ((transport, ..), points) in kinds.iter().zip(&mut points) {
            let rolled = Rolling { transport: *transport, ..rolling }.roll(&pair, Creepage::longitudinal(XI), None)?;
            let error = 100.0 * (-rolled.force[0] / (0.3 * rolled.normal.load) / CARTER - 1.0);
            points.push([n as f64, error.abs()]);
            row.push(error);
        }
        println!("{n:4} {:8.3} {:8.3} {:8.3}", row[0], row[1], row[2]);
    }
    let mut panel = Panel::new(Axis::log("elements across the contact", ""), Axis::log("error of the force", "%"));
    for ((_, name, role), points) in kinds.into_iter().zip(points) {
        panel = panel.with(Series::markers(name, role, points));
    }
    panel.height = 300.0;
    Ok(panel)
}

fn iterations() -> Result<Panel, Box<dyn Error>> {
    println!("iterations at ξ = {XI}, first order, to a residual of 1e-6 (fixed point) or 1e-8; - : more than 4000");
    println!("{:>4} {:>12} {:>12} {:>8} {:>16}", "n", "fixed point", "splitting", "Newton", "splitting+Newton");
    let mut points = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for n in [11, 15, 21, 31, 41, 61, 81, 121, 161] {
        let (rolling, pair) = discs(n)?;
        let rolling = Rolling { transport: Transport::First, ..rolling };
        let count = |way, tolerance| {
            let limits = Limits { tolerance, iterations: 4000 };
            let rolled = Rolling { way, limits, ..rolling }.roll(&pair, Creepage::longitudinal(XI), None).ok()?;
            Some((rolled.found.iterations, rolled.found.steps))
        };
        let steps = [0.03, 0.1, 0.3, 0.6, 1.0, 1.5];
        let fixed = steps.iter().filter_map(|step| count(Way::FixedPoint(*step), 1e-6)).map(|(i, _)| i).min();
        let splitting = count(Way::Splitting, 1e-8);
        let newton = count(Way::Newton, 1e-8);
        let both = count(Way::Both, 1e-8);
        let told = |count: Option<usize>| count.map_or("-".to_string(), |n| n.to_string());
        println!(
            "{n:4} {:>12} {:>12} {:>8} {:>16}",
            told(fixed),
            told(splitting.map(|c| c.0)),
            told(newton.map(|c| c.1)),
            both.map_or("-".into(), |(i, s)| format!("{i}+{s}"))
        );
        let all = [fixed, splitting.map(|c| c.0), newton.map(|c| c.1), both.map(|(i, s)| i + s)];
        for (points, count) in points.iter_mut().zip(all) {
            points.extend(count.map(|count| [n as f64, count as f64]));
        }
    }
    let names = ["fixed point, best of six steps", "splitting", "Newton", "splitting, then Newton"];
    let mut panel = Panel::new(
        Axis::log("elements across the contact", "").from_to(10.0, 170.0),
        Axis::log("iterations", "").from_to(1.0, 4000.0),
    );
    for ((name, points), role) in
        names.into_iter().zip(points).zip([Role::Second, Role::Third, Role::Fourth, Role::First])
    {
        panel = panel.with(Series::line("", role, points.clone())).with(Series::markers(name, role, points));
    }
    panel.height = 300.0;
    Ok(panel)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (errors, iterations) = (errors()?, iterations()?);
    let Some(folder) = std::env::args().nth(1) else { return Ok(()) };
    for (name, title, panel) in [
        ("error", "Two discs: error of the force", errors),
        ("iterations", "Two discs: what the solvers take; the fixed point fails from 81 elements on", iterations),
    ] {
        let path = format!("{folder}/finite-elements-{name}.svg");
        std::fs::write(&path, Figure::stacked(vec![panel]).titled(title).to_svg())?;
        println!("{path}");
    }
    Ok(())
}
