//! Events against the integrator that shares nothing with the library.

use super::{Verdict, sensitive};
use crate::assembly::{Along, Assembly, Beyond, Fixture, Friction as Given, Link, Motion};
use crate::case::Case;
use crate::independent::{Axis, Bond, Course, Direction, Friction, Pad, Problem, Stop, march};
use crate::judge::scales;
use crate::run::{Budget, Run};
use crate::signal::Signal;

/// Difference allowed, relative to the greatest value of its unit. Either side is good to about 1e-10.
const SHARE: f64 = 1e-7;

/// Besides, in SI units: on lines, and in the plane, where the integrator takes a slip of 1e-9 m/s for rest and keeps the
/// first direction of one that leaves rest up to 1e-10 m/s.
const LEAST: [f64; 2] = [1e-10, 1e-8];

/// The greatest difference of a run from what the integrator finds.
pub fn independent(case: &Case, exact: &Run, budget: Budget) -> Verdict {
    let Case::Assembly(assembly) = case else { return Verdict::NotFor };
    let Some(problem) = problem(assembly) else { return Verdict::NotFor };
    // What it gives up on is left to the other methods: shared loads have many solutions.
    let Ok(lines) = march(&problem, exact.asked, exact.h) else { return Verdict::NotFor };
    let scales = scales(exact);
    let least = LEAST[usize::from(problem.pads.iter().any(|pad| pad.faces.len() == 2))];
    let allowed = |unit: &str| {
        let position = crate::judge::UNITS.iter().position(|u| *u == unit);
        SHARE * position.map_or(1.0, |k| scales[k].0) + least
    };
    let breaks = case.breaks();
    let mut worst: Option<(f64, f64, &'static str, String)> = None;
    let mut look = |a: f64, b: f64, unit: &'static str, what: String, t: f64| {
        let ratio = (a - b).abs() / allowed(unit);
        if ratio > 1.0 && worst.as_ref().is_none_or(|w| ratio > w.0) {
            let words = format!("{what} at t = {t:.6}: {a:.12} by events, {b:.12} by the independent integrator");
            worst = Some((ratio, (a - b).abs(), unit, words));
        }
    };
    let column = |name: &str| exact.columns.iter().position(|c| c.name == name);
    let coordinates = coordinates(assembly);
    for row in &exact.rows {
        let Some(line) = (row.n as usize).checked_sub(1).and_then(|n| lines.get(n)) else { continue };
        if breaks.iter().any(|t| (t - row.t).abs() <= 1e-9) {
            continue;
        }
        for (i, (body, axis)) in coordinates.iter().enumerate() {
            let axis = ["x", "y"][*axis];
            let pairs = [("", &line.places, "m"), ("v", &line.speeds, "m/s")];
            for (start, values, unit) in pairs {
                let name = format!("{start}{axis}_b{body}");
                if let Some(k) = column(&name) {
                    look(row.values[k], values[i], unit, name, row.t);
                }
            }
        }
    }
    if let Some(line) = lines.last() {
        for (part, heat) in exact.ledger.dissipated.iter().zip(&line.heat) {
            look(part.energy, *heat, "J", format!("heat of {}", part.contact), line.t);
        }
    }
    let Some((_, size, unit, words)) = worst else { return Verdict::Agrees };
    if sensitive(case, 1e-8, unit, (100.0 * size).min(1e-2), budget) {
        return Verdict::Sensitive { words };
    }
    Verdict::Finding { kind: "independent", words }
}

/// Body and axis of every coordinate.
fn coordinates(assembly: &Assembly) -> Vec<(usize, usize)> {
    let of = |(i, body): (usize, &crate::assembly::Body)| (0..1 + usize::from(body.plane)).map(move |axis| (i, axis));
    assembly.bodies.iter().enumerate().flat_map(of).collect()
}

fn course(signal: &Signal) -> Course {
    match signal {
        Signal::Constant(value) => Course::Constant(*value),
        Signal::Points(points) => Course::Points(points.clone()),
        Signal::Sine { offset, amplitude, frequency, phase } => {
            Course::Sine(*offset, *amplitude, std::f64::consts::TAU * frequency, *phase)
        }
    }
}

/// The case as the integrator knows it; none where it does not.
fn problem(assembly: &Assembly) -> Option<Problem> {
    let unknown = assembly.bodies.iter().any(|body| body.inertia.is_some())
        || assembly.has_walls()
        || assembly.pads.iter().any(|pad| pad.pressed_by.is_some() || pad.over_place.is_some());
    if unknown {
        return None;
    }
    let list = coordinates(assembly);
    let coordinate = |body: usize, axis: usize| list.iter().position(|c| *c == (body, axis));
    let direction = |link: &Link, axis: usize| -> Option<Direction> {
        let mut own = vec![(coordinate(link.of, axis)?, 1.0)];
        let mut supports = Vec::new();
        match link.against {
            Fixture::Body(i) => own.push((coordinate(i, axis)?, -1.0)),
            Fixture::Support(i) => supports.push((2 * i + axis, -1.0)),
            Fixture::Ground => {}
        }
        Some(Direction { own, supports })
    };
    let directions = |link: &Link| -> Option<Vec<Direction>> {
        let axes: &[usize] = match link.along {
            Along::X => &[0],
            Along::Y => &[1],
            Along::Xy => &[0, 1],
        };
        axes.iter().map(|axis| direction(link, *axis)).collect()
    };
    let mut problem = Problem::default();
    for (body, axis) in &list {
        problem.masses.push(assembly.bodies[*body].mass);
        problem.places.push(assembly.bodies[*body].place[*axis]);
        problem.speeds.push(assembly.bodies[*body].speed[*axis]);
    }
    for motion in assembly.supports.iter().flat_map(|support| &support.motion) {
        problem.axes.push(match motion {
            Motion::Still => Axis::Speed(Course::Constant(0.0)),
            Motion::Speed(signal) => Axis::Speed(course(signal)),
            Motion::Position(signal) => Axis::Position(course(signal)),
        });
    }
    for spring in &assembly.springs {
        for along in directions(&spring.link)? {
            problem.springs.push(Bond { along, factor: spring.stiffness, preload: spring.preload });
        }
    }
    for damper in &assembly.dampers {
        for along in directions(&damper.link)? {
            problem.dampers.push(Bond { along, factor: damper.damping, preload: 0.0 });
        }
    }
    for stop in &assembly.stops {
        let Beyond::Spring(stiffness) = stop.beyond else { return None };
        for along in directions(&stop.link)? {
            problem.stops.push(Stop { along, clearance: stop.clearance, stiffness });
        }
    }
    for pad in &assembly.pads {
        let friction = match pad.friction {
            Given::Constant(mu) => Friction::Two(mu, mu),
            Given::StaticKinetic(rest, slip) => Friction::Two(rest, slip),
            Given::Stribeck(rest, slip, speed, exponent) => Friction::Stribeck(rest, slip, speed, exponent),
            Given::Sech(rest, slip, alpha) => Friction::Sech(rest, slip, alpha),
            Given::Table(_) => return None,
        };
        problem.pads.push(Pad {
            faces: directions(&pad.link)?,
            load: course(&pad.load),
            factor: pad.over_time.as_ref().map_or(Course::Constant(1.0), course),
            friction,
            viscous: pad.viscous,
        });
    }
    for force in &assembly.forces {
        problem.forces.push((coordinate(force.on, force.axis)?, course(&force.signal)));
    }
    Some(problem)
}
