//! Which data make an assembly.

use std::collections::HashSet;

use super::parts::{Buffer, Characteristic, Element, Face, Fixture, Freedom, Link, Motion};
use super::{AssemblyError, Parameters, Part, Place};
use stickslip_core::law::Curve;
use stickslip_core::record::column_part;
use stickslip_core::signal::Signal;

pub(super) fn check(p: &Parameters) -> Result<(), AssemblyError> {
    if p.bodies.is_empty() {
        return Err(AssemblyError::NoBodies);
    }
    names(p)?;
    for (i, body) in p.bodies.iter().enumerate() {
        let part = Part::Body(i);
        positive(p, part, "mass", body.mass)?;
        if let Freedom::Plane { inertia } = body.freedom {
            positive(p, part, "inertia", inertia)?;
        }
        for k in 0..3 {
            for (what, value) in [("position", body.position[k]), ("velocity", body.velocity[k])] {
                number(p, part, what, value, value.is_finite(), "a finite number")?;
                number(p, part, what, value, k < body.freedom.dim() || value == 0.0, "0 where the body cannot move")?;
            }
        }
    }
    for (i, spring) in p.springs.iter().enumerate() {
        let part = Part::Spring(i);
        link(p, part, &spring.link, Some(spring.along))?;
        characteristic(p, part, "stiffness", &spring.characteristic)?;
        number(p, part, "preload", spring.preload, spring.preload.is_finite(), "a finite number")?;
    }
    for (i, damper) in p.dampers.iter().enumerate() {
        link(p, Part::Damper(i), &damper.link, Some(damper.along))?;
        characteristic(p, Part::Damper(i), "damping", &damper.characteristic)?;
    }
    for (i, stop) in p.stops.iter().enumerate() {
        let part = Part::Stop(i);
        link(p, part, &stop.link, Some(stop.along))?;
        not_negative(p, part, "clearance", stop.clearance)?;
        match stop.buffer {
            Buffer::Spring(k) => positive(p, part, "stiffness", k)?,
            Buffer::Wall(e) => number(p, part, "restitution", e, (0.0..=1.0).contains(&e), "between 0 and 1")?,
        }
    }
    for i in 0..p.pads.len() {
        pad(p, i)?;
    }
    for (i, force) in p.forces.iter().enumerate() {
        let good = p.bodies.get(force.body).is_some_and(|b| force.component < b.freedom.dim());
        if !good {
            return Err(AssemblyError::Force { force: i });
        }
    }
    connected(p)
}

fn pad(p: &Parameters, i: usize) -> Result<(), AssemblyError> {
    let (part, pad) = (Part::Pad(i), &p.pads[i]);
    let along = match pad.face {
        Face::Along(along) => Some(along),
        Face::Disk => None,
    };
    link(p, part, &pad.link, along)?;
    pad.coefficient.check().map_err(|fault| AssemblyError::Law { part: named(p, part), fault })?;
    for (what, signal) in [("load", &pad.load), ("friction factor", &pad.over_time)] {
        if let Some((t, value)) = signal.extremes().map(|e| e.least).filter(|least| least.1 < 0.0) {
            return Err(AssemblyError::Negative { part: named(p, part), what, t, value });
        }
    }
    if pad.pressed_by.is_none() && matches!(pad.load, Signal::Constant(load) if load == 0.0) {
        return Err(AssemblyError::NoLoad { part: named(p, part) });
    }
    if pad.pressed_by.is_some_and(|s| s >= p.springs.len()) {
        return Err(AssemblyError::Link { part: named(p, part), fault: "it is pressed by a spring that is not there" });
    }
    not_negative(p, part, "viscous part", pad.viscous)?;
    if let Some(curve) = &pad.over_place {
        curve.values().iter().try_for_each(|v| not_negative(p, part, "friction factor over place", *v))?;
    }
    match pad.element {
        Element::Exact => Ok(()),
        Element::Vampire { stiffness, damping } => {
            positive(p, part, "stiffness of the element", stiffness)?;
            not_negative(p, part, "damping of the element", damping)
        }
        Element::Kolsch { stiffness, parallel, exponent } => {
            if pad.face == Face::Disk {
                return Err(AssemblyError::Link {
                    part: named(p, part),
                    fault: "the Kolsch element is one-dimensional: give the pad a direction",
                });
            }
            positive(p, part, "stiffness of the element", stiffness)?;
            not_negative(p, part, "parallel stiffness of the element", parallel)?;
            positive(p, part, "exponent of the element", exponent)
        }
    }
}

/// Ends that are there, different, and able to move against each other in the direction.
fn link(p: &Parameters, part: Part, link: &Link, along: Option<[f64; 2]>) -> Result<(), AssemblyError> {
    let fail = |fault| Err(AssemblyError::Link { part: named(p, part), fault });
    for end in [link.of, link.against] {
        let there = match end.on {
            Fixture::Body(i) => i < p.bodies.len(),
            Fixture::Support(i) => i < p.supports.len(),
            Fixture::Ground => true,
        };
        if !there {
            return fail("one of its ends is on a body or support that is not there");
        }
        if !end.at.iter().all(|v| v.is_finite()) {
            return fail("a point at which it is fastened is not finite");
        }
    }
    let body = |on| matches!(on, Fixture::Body(_));
    if !body(link.of.on) && !body(link.against.on) {
        return fail("neither of its ends is on a body");
    }
    if link.of.on == link.against.on {
        return fail("both of its ends are on the same body");
    }
    let axes: &[[f64; 2]] = &along.map_or_else(|| [[1.0, 0.0], [0.0, 1.0]], |a| [a, a]);
    for axis in axes {
        if (axis[0].hypot(axis[1]) - 1.0).abs() > 1e-9 {
            return fail("its direction has no length");
        }
        // A body that only moves along x has no part in y.
        let moves = |on: Fixture| match on {
            Fixture::Body(i) => p.bodies[i].freedom.dim() > 1 || axis[0].abs() > 1e-12,
            _ => false,
        };
        if !moves(link.of.on) && !moves(link.against.on) {
            return fail("its bodies cannot move in its direction");
        }
    }
    Ok(())
}

/// Every body is reached from the others, from the ground or from a support by links.
fn connected(p: &Parameters) -> Result<(), AssemblyError> {
    // Bodies, then one node for ground and supports.
    let rest = p.bodies.len();
    let mut group: Vec<usize> = (0..=rest).collect();
    let node = |on: Fixture| if let Fixture::Body(i) = on { i } else { rest };
    let springs = p.springs.iter().map(|s| s.link);
    let links = springs.chain(p.dampers.iter().map(|d| d.link)).chain(p.stops.iter().map(|s| s.link));
    for link in links.chain(p.pads.iter().map(|pad| pad.link)) {
        let (from, to) = (group[node(link.of.on)], group[node(link.against.on)]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    match (0..rest).find(|&i| group[i] != group[0]) {
        Some(i) => {
            Err(AssemblyError::Disconnected { body: i, name: p.bodies[i].name.clone(), from: p.bodies[0].name.clone() })
        }
        None => Ok(()),
    }
}

fn names(p: &Parameters) -> Result<(), AssemblyError> {
    let bodies = p.bodies.iter().map(|b| &b.name).chain(p.supports.iter().map(|s| &s.name));
    let pads = p.pads.iter().map(|pad| &pad.name).chain(p.stops.iter().map(|s| &s.name));
    for list in [bodies.collect::<Vec<_>>(), pads.collect()] {
        let mut known = HashSet::new();
        if let Some(twice) = list.into_iter().find(|name| !known.insert(column_part(name))) {
            return Err(AssemblyError::SameName { name: twice.clone() });
        }
    }
    for (i, support) in p.supports.iter().enumerate() {
        for motion in &support.motion {
            if let Motion::Speed(Signal::Constant(v)) | Motion::Position(Signal::Constant(v)) = motion {
                number(p, Part::Support(i), "motion", *v, v.is_finite(), "a finite number")?;
            }
        }
    }
    Ok(())
}

fn characteristic(p: &Parameters, part: Part, what: &'static str, c: &Characteristic) -> Result<(), AssemblyError> {
    match c {
        Characteristic::Linear(value) => not_negative(p, part, what, *value),
        Characteristic::Table(curve) => finite(p, part, what, curve),
    }
}

fn finite(p: &Parameters, part: Part, what: &'static str, curve: &Curve) -> Result<(), AssemblyError> {
    curve.values().iter().try_for_each(|v| number(p, part, what, *v, v.is_finite(), "a finite number"))
}

fn positive(p: &Parameters, part: Part, what: &'static str, value: f64) -> Result<(), AssemblyError> {
    number(p, part, what, value, value > 0.0, "a finite number > 0")
}

fn not_negative(p: &Parameters, part: Part, what: &'static str, value: f64) -> Result<(), AssemblyError> {
    number(p, part, what, value, value >= 0.0, "a finite number ≥ 0")
}

fn number(
    p: &Parameters,
    part: Part,
    what: &'static str,
    value: f64,
    good: bool,
    wanted: &'static str,
) -> Result<(), AssemblyError> {
    if value.is_finite() && good {
        Ok(())
    } else {
        Err(AssemblyError::Number { part: named(p, part), what, value, wanted })
    }
}

/// The part with its name.
pub(super) fn named(p: &Parameters, part: Part) -> Place {
    let name = match part {
        Part::Body(i) => &p.bodies[i].name,
        Part::Support(i) => &p.supports[i].name,
        Part::Spring(i) => &p.springs[i].name,
        Part::Damper(i) => &p.dampers[i].name,
        Part::Stop(i) => &p.stops[i].name,
        Part::Pad(i) => &p.pads[i].name,
    };
    Place { part, name: name.clone() }
}
