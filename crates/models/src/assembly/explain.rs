//! The parts of an assembly and what follows from them, line by line.

use stickslip_run::text::{number, number_to};

use super::{
    Assembly, Body, Buffer, Characteristic, Damper, Element, End, Face, Fixture, Freedom, Link, Motion, Parameters,
    Support,
};
use crate::explain::{MOST, coefficient, signal_text};

/// Equations and parts.
pub(super) fn parts(p: &Parameters) -> Vec<String> {
    let mut lines = vec![
        "M q'' + C q' + K q = F(t) - stops + H^T r,   s = H q' + u(t),   -s in N_C(r)".to_string(),
        String::new(),
        "bodies".to_string(),
    ];
    let cut = |lines: &mut Vec<String>, all: Vec<String>| {
        let more = all.len().saturating_sub(MOST);
        lines.extend(all.into_iter().take(MOST));
        if more > 0 {
            lines.push(format!("  … and {more} more"));
        }
    };
    let body = |b: &Body| match b.freedom {
        Freedom::Line => format!("  {}: x, m = {} kg", b.name, number(b.mass)),
        Freedom::Point => format!("  {}: x, y, m = {} kg", b.name, number(b.mass)),
        Freedom::Plane { inertia } => {
            format!("  {}: x, y, yaw, m = {} kg, I = {} kg m^2", b.name, number(b.mass), number(inertia))
        }
    };
    cut(&mut lines, p.bodies.iter().map(body).collect());
    let mut list = |title: &str, all: Vec<String>| {
        if !all.is_empty() {
            lines.push(title.to_string());
            cut(&mut lines, all);
        }
    };
    let support = |s: &Support| {
        let axis = |m: &Motion, name: &str| match m {
            Motion::Still => String::new(),
            Motion::Speed(signal) => format!(" {name}' = {} m/s", signal_text(signal)),
            Motion::Position(signal) => format!(" {name} = {} m", signal_text(signal)),
        };
        format!("  {}:{}{}", s.name, axis(&s.motion[0], "x"), axis(&s.motion[1], "y"))
    };
    list("supports", p.supports.iter().map(support).collect());
    let linear = |c: &Characteristic, symbol: &str, unit: &str| match c {
        Characteristic::Linear(value) => format!("{symbol} = {} {unit}", number(*value)),
        Characteristic::Table(curve) => format!("table of {} points", curve.places().len()),
    };
    let springs = p.springs.iter().map(|s| {
        let preload = if s.preload == 0.0 { String::new() } else { format!(", preload {} N", number(s.preload)) };
        format!("  {}: {}, {}{preload}", s.name, joined(p, &s.link), linear(&s.characteristic, "k", "N/m"))
    });
    list("springs", springs.collect());
    let dampers = p.dampers.iter();
    let damper =
        |d: &Damper| format!("  {}: {}, {}", d.name, joined(p, &d.link), linear(&d.characteristic, "c", "N s/m"));
    list("dampers", dampers.map(damper).collect());
    let stops = p.stops.iter().map(|s| {
        let beyond = match s.buffer {
            Buffer::Spring(k) => format!("then {} N/m", number(k)),
            Buffer::Wall(e) => format!("then a wall, restitution {}", number(e)),
        };
        format!("  {}: {}, {} m free, {beyond}", s.name, joined(p, &s.link), number(s.clearance))
    });
    list("stops", stops.collect());
    let pads = p.pads.iter().map(|pad| {
        let set = match pad.face {
            Face::Along(_) => "|r| <= mu N",
            Face::Disk => "|(r_x, r_y)| <= mu N",
        };
        let element = match pad.element {
            Element::Exact => "",
            Element::Vampire { .. } => "; Vampire element",
            Element::Kolsch { .. } => "; Kolsch element",
        };
        let pressed = pad.pressed_by.map_or(String::new(), |s| format!(" + compression of {}", p.springs[s].name));
        format!(
            "  {}: {}, {set}, N = {} N{pressed}, mu = {}{element}",
            pad.name,
            joined(p, &pad.link),
            signal_text(&pad.load),
            coefficient(&pad.coefficient)
        )
    });
    list("pads", pads.collect());
    let forces = p.forces.iter().enumerate().map(|(k, f)| {
        let (axis, unit) = [("x", "N"), ("y", "N"), ("yaw", "N m")][f.component.min(2)];
        format!("  {}: on {} along {axis}: {} {unit}", k + 1, p.bodies[f.body].name, signal_text(&f.signal))
    });
    list("forces", forces.collect());
    lines
}

/// Degrees of freedom, ranks, frequencies, thresholds.
pub(super) fn facts(assembly: &Assembly) -> Vec<String> {
    let facts = assembly.facts();
    let p = assembly.parameters();
    let mut lines = vec![
        String::new(),
        format!("degrees of freedom   {}, {} with all pads stuck", facts.freedoms, facts.freedoms_stuck),
        format!("contacts             {} pads, {} force components", facts.pads, facts.components),
        format!("rank of H M^-1 H^T   {}", facts.rank),
    ];
    if !facts.undetermined.is_empty() {
        let names: Vec<&str> = facts.undetermined.iter().map(|&i| p.pads[i].name.as_str()).collect();
        lines.push(format!("not unique in stick  forces of {}: those of least norm are taken", names.join(", ")));
    }
    let moving: Vec<String> = facts.frequencies.iter().filter(|f| **f > 0.0).map(|f| number_to(*f, 6)).collect();
    if moving.is_empty() {
        lines.push("natural frequencies  none: no springs".into());
    } else {
        let free = facts.frequencies.len() - moving.len();
        lines.push(format!("natural frequencies  {} Hz, and {free} free motions", moving.join(", ")));
    }
    for threshold in facts.thresholds.iter().filter(|t| t.used > 0.0) {
        let list: Vec<String> = threshold.forces.iter().map(|f| (f + 1).to_string()).collect();
        let pad = &p.pads[threshold.pad].name;
        lines.push(format!(
            "stick threshold      forces {}: pad {pad} slips first, at {} times their greatest values ({} % used)",
            list.join(", "),
            number_to(threshold.factor, 6),
            number_to(100.0 * threshold.used, 4)
        ));
    }
    lines
}

fn joined(p: &Parameters, link: &Link) -> String {
    let end = |e: &End| match e.on {
        Fixture::Ground => "ground".to_string(),
        Fixture::Support(i) => p.supports[i].name.clone(),
        Fixture::Body(i) if e.at == [0.0; 2] => p.bodies[i].name.clone(),
        Fixture::Body(i) => format!("{} at ({}, {})", p.bodies[i].name, number(e.at[0]), number(e.at[1])),
    };
    format!("{} against {}", end(&link.of), end(&link.against))
}
