//! `stickslip explain`: the equations of a scenario and the numbers in them.

use stickslip_contact::case::{Case, Outline};
use stickslip_core::law::Coefficient;
use stickslip_core::signal::Signal;
use stickslip_models::assembly::{
    Assembly, Buffer, Characteristic, Element, End, Face, Fixture, Freedom, Link, Motion, Parameters,
};
use stickslip_models::rail_wheel::Plan;
use stickslip_models::towed_wheel::TowedWheel;
use stickslip_models::vehicle;
use stickslip_scenario::{Model, Scenario};

use crate::RunFailure;
use crate::text::{number, number_to};

/// Lists are cut after this many parts.
const MOST: usize = 40;

/// The equations of a scenario and the numbers in them, as text.
pub fn explain(scenario: &Scenario) -> Result<String, RunFailure> {
    let mut lines =
        vec![format!("{}: {}", scenario.name, scenario.title.as_deref().unwrap_or("a scenario without a title"))];
    match &scenario.model {
        Model::Wheel(p) => lines.extend([
            "m x1' + f = 0,  J x2' + f + g = M/R,  f in a_G sigma(x1 + x2),  g in a_B sigma(x2)".to_string(),
            "J = I/R^2, a_G = mu m g, a_B = brake torque / R; see docs/wheel.md".to_string(),
            format!(
                "m = {} kg   J = {} kg   m g = {} N",
                number(p.mass),
                number(p.inertia / (p.radius * p.radius)),
                number(p.mass * p.gravity)
            ),
            driven(p.radius, p.mass * p.gravity, [&p.friction, &p.motor, &p.brake]),
        ]),
        Model::Vehicle(p) => lines.extend(vehicle(p)),
        Model::TowedWheel(parameters) => {
            let wheel = TowedWheel::new(*parameters)?;
            let c = wheel.coefficients();
            lines.extend([
                "u1' = -v Omega sin(psi) - B3 (C/m) u1/|u|,  u2' = -v Omega cos(psi) - B4 k w/m - B5 (C/m) u2/|u|,"
                    .into(),
                "Omega' = -B1 k w/(m L) + B2 C/(m L) u2/|u| while it slips; rolling has u = 0; see docs/towed-wheel.md"
                    .into(),
                format!(
                    "A1 = {}   A2 = {}: rolling is {}",
                    number(c.a1),
                    number(c.a2),
                    if c.a2 > 1.0 { "stable" } else { "unstable" }
                ),
                format!("period 2 pi/omega = {} s   linear growth {} 1/s", number(c.period()), number(c.growth())),
            ]);
        }
        Model::RollingContact(case) => lines.extend(contact(case)?),
        Model::RailWheel(plan) => lines.extend(rail_wheel(plan)?),
        Model::Assembly(parameters) => {
            let assembly = Assembly::new(parameters.clone())?;
            lines.extend(parts(parameters));
            lines.extend(facts(&assembly));
        }
    }
    Ok(lines.join("\n") + "\n")
}

fn vehicle(p: &vehicle::Parameters) -> Vec<String> {
    let mut lines = vec![
        "m x1' + r + sum f_i = -m g sin(slope) - c |x1| x1,  J_i v_i' + f_i + g_i = M_i/R_i".to_string(),
        "f_i in a_Gi sigma(x1 + v_i),  g_i in a_Bi sigma(v_i); see docs/vehicle.md".to_string(),
        format!(
            "m = {} kg   m g = {} N   c = {} N s^2/m^2   rolling resistance {} of the load",
            number(p.mass),
            number(p.mass * p.gravity),
            number(p.drag),
            number(p.resistance)
        ),
    ];
    let wheel = |w: &vehicle::WheelData| {
        let load = w.share * p.mass * p.gravity;
        let j = number(w.inertia / (w.radius * w.radius));
        format!(
            "{}: J = {j} kg   load {} N   {}",
            w.name,
            number(load),
            driven(w.radius, load, [&w.friction, &w.motor, &w.brake])
        )
    };
    lines.extend(p.wheels.iter().take(MOST).map(wheel));
    if p.wheels.len() > MOST {
        lines.push(format!("and {} more wheels", p.wheels.len() - MOST));
    }
    lines
}

/// Bounds and drive of a wheel with a load: numbers where they are constant.
fn driven(radius: f64, load: f64, [friction, motor, brake]: [&Signal; 3]) -> String {
    let force = |signal: &Signal, factor: f64| match signal {
        Signal::Constant(value) => format!("{} N", number(value * factor)),
        other => format!("{} N x [{}]", number(factor), signal_text(other)),
    };
    let per_radius = 1.0 / radius;
    format!("a_G = {}   a_B = {}   M/R = {}", force(friction, load), force(brake, per_radius), force(motor, per_radius))
}

fn contact(case: &Case) -> Result<Vec<String>, RunFailure> {
    let (material, outline, grid) = (case.material(), case.outline()?, case.grid()?);
    let mut lines = vec![
        "pressure   0 <= p, g = h + W p - delta >= 0, p g = 0".to_string(),
        "tractions  s = K r + b,  -s in N_C(r),  C = disks of radius mu p; see docs/rolling.md".to_string(),
        format!(
            "combined   G = {} Pa, nu = {}, difference {}",
            number(material.shear_modulus()),
            number(material.poisson()),
            number(material.difference())
        ),
    ];
    lines.push(match outline {
        Outline::Ellipse(e) => format!(
            "Hertz      a = {} m, b = {} m, p0 = {} Pa, approach {} m, load {} N",
            number(e.a),
            number(e.b),
            number(e.p0),
            number(e.approach),
            number(e.load)
        ),
        Outline::Strip(s) => {
            format!("Hertz      a = {} m, p0 = {} Pa, load {} N/m", number(s.a), number(s.p0), number(s.load))
        }
    });
    lines.push(format!("grid       {} x {} elements, {} m long", grid.nx(), grid.ny(), number(grid.dx())));
    Ok(lines)
}

fn rail_wheel(plan: &Plan) -> Result<Vec<String>, RunFailure> {
    let (wheel, patch) = (plan.wheel()?, &plan.patch);
    let curve = &wheel.parameters().curve;
    Ok(vec![
        "m x1' + f = W,  J x2' + f + g = M/R,  g in a_B sigma(x2),  |f| <= mu N".to_string(),
        "f'/k + V xi(f) + N(f) contains x1 + x2,  V = |x1 - x2|/2; see docs/creep.md 6".to_string(),
        format!(
            "contact    a = {} m, b = {} m, mu N = {} N, k = {} N/m",
            number(patch.a()),
            number(patch.b()),
            number(patch.limit()),
            number(patch.stiffness())
        ),
        format!(
            "curve      {}, {} points, full slip from a creepage of {}",
            plan.theory.name(),
            plan.points(),
            number(curve.full_slip())
        ),
        format!("J = I/R^2  {} kg", number(wheel.j())),
    ])
}

fn parts(p: &Parameters) -> Vec<String> {
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
    let body = |b: &stickslip_models::assembly::Body| match b.freedom {
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
    let support = |s: &stickslip_models::assembly::Support| {
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
    let damper = |d: &stickslip_models::assembly::Damper| {
        format!("  {}: {}, {}", d.name, joined(p, &d.link), linear(&d.characteristic, "c", "N s/m"))
    };
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

fn facts(assembly: &Assembly) -> Vec<String> {
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

fn signal_text(signal: &Signal) -> String {
    match signal {
        Signal::Constant(value) => number(*value),
        Signal::Points(points) => format!("{} points", points.times().len()),
        Signal::Sine(s) => {
            let offset = if s.offset == 0.0 { String::new() } else { format!("{} + ", number(s.offset)) };
            let phase = if s.phase == 0.0 { String::new() } else { format!(" + {}", number(s.phase)) };
            format!("{offset}{} sin({} t{phase})", number(s.amplitude), number(s.omega))
        }
        Signal::Expression(e) => e.text().to_string(),
    }
}

fn coefficient(c: &Coefficient) -> String {
    match c {
        Coefficient::Constant(mu) => number(*mu),
        Coefficient::StaticKinetic { sticking, slipping } => {
            format!("{} stuck, {} slipping", number(*sticking), number(*slipping))
        }
        Coefficient::Stribeck { sticking, slipping, speed, exponent } => {
            let fall = number(sticking - slipping);
            format!("{} + {fall} exp(-(|s|/{})^{})", number(*slipping), number(*speed), number(*exponent))
        }
        Coefficient::Sech { sticking, slipping, alpha } => {
            format!("{} + {} sech({} |s|)", number(*slipping), number(sticking - slipping), number(*alpha))
        }
        Coefficient::Table(curve) => format!("table of {} points", curve.places().len()),
    }
}
