//! Which data make an assembly.

use std::collections::HashSet;

use super::file::{BodyTable, DamperTable, KolschTable, PadTable, SpringTable, StopTable, SupportTable, VampireTable};
use super::parts::{Buffer, Characteristic, Element, Face, Fixture, Freedom, Link, Motion, Pad};
use super::{AssemblyError, Parameters, Part, Place};
use stickslip_core::range::OutOfRange;
use stickslip_core::record::column_part;
use stickslip_core::signal::Signal;
use stickslip_scenario::tables::{self, Described};

/// Rounding of the components of a direction, a vector of length 1.
const DIRECTION: f64 = 1e-9;

pub(super) fn check(p: &Parameters) -> Result<(), AssemblyError> {
    if p.bodies.is_empty() {
        return Err(AssemblyError::NoBodies);
    }
    names(p)?;
    for (i, body) in p.bodies.iter().enumerate() {
        let part = Part::Body(i);
        number(p, part, |table: &BodyTable| &table.mass, "mass", body.mass)?;
        if let Freedom::Plane { inertia } = body.freedom {
            number(p, part, |table: &BodyTable| &table.inertia, "inertia", inertia)?;
        }
        let [x, y, yaw] = body.position;
        number(p, part, |table: &BodyTable| &table.x, "position", x)?;
        number(p, part, |table: &BodyTable| &table.y, "position", y)?;
        number(p, part, |table: &BodyTable| &table.yaw, "position", yaw)?;
        let [x, y, yaw] = body.velocity;
        number(p, part, |table: &BodyTable| &table.speed, "velocity", x)?;
        number(p, part, |table: &BodyTable| &table.speed_y, "velocity", y)?;
        number(p, part, |table: &BodyTable| &table.yaw_rate, "velocity", yaw)?;
        for k in body.freedom.dim()..3 {
            for (what, value) in [("position", body.position[k]), ("velocity", body.velocity[k])] {
                demand(p, part, what, value, value == 0.0, "0 where the body cannot move")?;
            }
        }
    }
    for (i, spring) in p.springs.iter().enumerate() {
        let part = Part::Spring(i);
        link(p, part, &spring.link, Some(spring.along))?;
        characteristic(p, part, |table: &SpringTable| &table.stiffness, "stiffness", &spring.characteristic)?;
        number(p, part, |table: &SpringTable| &table.preload, "preload", spring.preload)?;
    }
    for (i, damper) in p.dampers.iter().enumerate() {
        let part = Part::Damper(i);
        link(p, part, &damper.link, Some(damper.along))?;
        characteristic(p, part, |table: &DamperTable| &table.damping, "damping", &damper.characteristic)?;
    }
    for (i, stop) in p.stops.iter().enumerate() {
        let part = Part::Stop(i);
        link(p, part, &stop.link, Some(stop.along))?;
        number(p, part, |table: &StopTable| &table.clearance, "clearance", stop.clearance)?;
        match stop.buffer {
            Buffer::Spring(k) => number(p, part, |table: &StopTable| &table.stiffness, "stiffness", k)?,
            Buffer::Wall(e) => number(p, part, |table: &StopTable| &table.restitution, "restitution", e)?,
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

/// That each pad has a load: one that never has any is a mistake in a file. While a run goes on it may be lifted.
pub(super) fn loaded(p: &Parameters) -> Result<(), AssemblyError> {
    let never = |pad: &Pad| pad.pressed_by.is_none() && matches!(pad.load, Signal::Constant(load) if load == 0.0);
    match p.pads.iter().position(never) {
        Some(i) => Err(AssemblyError::NoLoad { part: named(p, Part::Pad(i)) }),
        None => Ok(()),
    }
}

fn pad(p: &Parameters, i: usize) -> Result<(), AssemblyError> {
    let (part, pad) = (Part::Pad(i), &p.pads[i]);
    let along = match pad.face {
        Face::Along(along) => Some(along),
        Face::Disk => None,
    };
    link(p, part, &pad.link, along)?;
    pad.coefficient.check().map_err(|fault| AssemblyError::Law { part: named(p, part), fault })?;
    let loads = tables::check_signal(|table: &PadTable| &table.load, "load", &pad.load);
    let over_time =
        || tables::check_signal(|table: &PadTable| &table.friction_over_time, "friction factor", &pad.over_time);
    loads.and_then(|()| over_time()).map_err(|fault| AssemblyError::Signal { part: named(p, part), fault })?;
    if pad.pressed_by.is_some_and(|s| s >= p.springs.len()) {
        return Err(AssemblyError::Link { part: named(p, part), fault: "it is pressed by a spring that is not there" });
    }
    number(p, part, |table: &PadTable| &table.viscous, "viscous part", pad.viscous)?;
    if let Some(curve) = &pad.over_place {
        let what = "friction factor over place";
        curve.values().iter().try_for_each(|v| demand(p, part, what, *v, *v >= 0.0, "a finite number ≥ 0"))?;
    }
    match pad.element {
        Element::Exact => Ok(()),
        Element::Vampire { stiffness, damping } => {
            number(p, part, |table: &VampireTable| &table.stiffness, "stiffness of the element", stiffness)?;
            number(p, part, |table: &VampireTable| &table.damping, "damping of the element", damping)
        }
        Element::Kolsch { stiffness, parallel, exponent } => {
            if pad.face == Face::Disk {
                return Err(AssemblyError::Link {
                    part: named(p, part),
                    fault: "the Kolsch element is one-dimensional: give the pad a direction",
                });
            }
            number(p, part, |table: &KolschTable| &table.stiffness, "stiffness of the element", stiffness)?;
            number(p, part, |table: &KolschTable| &table.parallel, "parallel stiffness of the element", parallel)?;
            number(p, part, |table: &KolschTable| &table.exponent, "exponent of the element", exponent)
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
        if (axis[0].hypot(axis[1]) - 1.0).abs() > DIRECTION {
            return fail("its direction has no length");
        }
        // A body that only moves along x has no part in y.
        let moves = |on: Fixture| match on {
            Fixture::Body(i) => p.bodies[i].freedom.dim() > 1 || axis[0].abs() > DIRECTION,
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
            let checked = match motion {
                Motion::Still => Ok(()),
                Motion::Speed(signal) => tables::check_signal(|table: &SupportTable| &table.speed, "speed", signal),
                Motion::Position(signal) => {
                    tables::check_signal(|table: &SupportTable| &table.position, "position", signal)
                }
            };
            checked.map_err(|fault| AssemblyError::Signal { part: named(p, Part::Support(i)), fault })?;
        }
    }
    Ok(())
}

fn characteristic<T, D: Described>(
    p: &Parameters,
    part: Part,
    field: fn(&T) -> &D,
    what: &'static str,
    characteristic: &Characteristic,
) -> Result<(), AssemblyError> {
    match characteristic {
        Characteristic::Linear(value) => number(p, part, field, what, *value),
        Characteristic::Table(curve) => {
            curve.values().iter().try_for_each(|v| demand(p, part, what, *v, v.is_finite(), "a finite number"))
        }
    }
}

/// A number in the range of the field that describes it in files.
fn number<T, D: Described>(
    p: &Parameters,
    part: Part,
    field: fn(&T) -> &D,
    what: &'static str,
    value: f64,
) -> Result<(), AssemblyError> {
    let refused = |fault: OutOfRange| AssemblyError::Number { part: named(p, part), what, value, wanted: fault.wanted };
    tables::check(field, what, value).map_err(refused)
}

fn demand(
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
