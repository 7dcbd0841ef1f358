//! Bodies in the plane, from above: x to the right, y downwards, as the right side of a vehicle that drives to the right.

use stickslip_report::motion::{Affine, Channel, Motion, Paint, Reading, Shape, Tone};
use stickslip_run::Trace;

use super::super::{Assembly, Face, Fixture, Link};
use super::{FRICTION, GIVEN, explain, key, state, strongest, take};

/// How far the farthest point of a body is drawn away from where it rested, as a share of the window.
const WAY: f64 = 0.09;

/// Length of the longest arrow, as a share of the window.
const LONGEST: f64 = 0.16;

/// A body: where it rests, what its points span, what moves it.
struct Placed {
    rest: [f64; 2],
    /// Least and greatest coordinates of the points at which links are fastened.
    span: [[f64; 2]; 2],
    at: [Affine; 2],
    turn: Affine,
}

pub(super) fn picture(assembly: &Assembly, trace: &Trace, rows: &[usize]) -> Motion {
    let p = assembly.parameters();
    let mut motion = Motion::new("Seen from above", [[0.0, 1.0]; 2], take(trace, rows, "t"));
    motion.text = "Bodies from above, joined by pads that have the colour of their state; arrows are friction. Dashed squares are the \
                   clearances of stops, dots where the other body is in them."
        .into();
    explain(assembly, &mut motion);
    let rests = rests(assembly);
    let spans = spans(assembly);
    let window = window(&rests, &spans);
    motion.window = window;
    let wide = window[0][1] - window[0][0];
    let scale = enlarged(assembly, trace, wide);
    let bodies = placed(assembly, trace, rows, &mut motion, (rests, spans), scale);
    let mut shapes: Vec<Shape> = Vec::new();
    for (body, placed) in p.bodies.iter().zip(&bodies) {
        shapes.push(plate(placed, &body.name, wide));
    }
    for stop in &p.stops {
        shapes.extend(clearance(&stop.link, stop.clearance * scale, &bodies));
    }
    let by = LONGEST * wide / strongest(assembly, trace);
    for pad in &p.pads {
        let Fixture::Body(body) = pad.link.of.on else { continue };
        let channel = state(&mut motion, trace, rows, pad);
        let [px, py] = pad.link.of.at;
        let dot = Shape::Circle { at: [px, -py], radius: 0.022 * wide, paint: Paint::by_state(channel) };
        let mut own = vec![dot];
        if pad.face == Face::Disk {
            let [fx, fy] = ["x", "y"].map(|axis| motion.channel(take(trace, rows, &key("f", axis, &pad.name))));
            // Friction on the body `of`; the picture's y points the other way.
            let arrow = Shape::Arrow { from: [px.into(), (-py).into()], by: [fx * -by, fy * by], tone: FRICTION };
            own.push(arrow);
        }
        // Words stand outside, in front of the first axle and behind the last.
        let side = if bodies[body].rest[0] < 0.0 { -1.0 } else { 1.0 };
        let at = [px + side * 0.13 * wide, -py];
        own.push(Shape::Text { at, text: format!("{} ", pad.name), state: Some(channel), tone: Tone::Ink });
        shapes.push(group(&bodies[body], own));
        motion.readings.push(Reading::State { name: pad.name.clone(), channel });
    }
    shapes.extend(forces(assembly, trace, rows, &mut motion, &bodies, by));
    if p.pads.iter().any(|pad| pad.face == Face::Disk) {
        motion.means(FRICTION, "friction (−f)");
    }
    if scale.round() > 1.0 {
        motion.means(Tone::Muted, format!("displacements and angles drawn {} times larger", scale.round()));
    }
    motion.shapes = shapes;
    motion
}

/// Where bodies rest, so that the two ends of pads and stops lie on each other; the first at the origin.
fn rests(assembly: &Assembly) -> Vec<[f64; 2]> {
    let p = assembly.parameters();
    let mut rests: Vec<Option<[f64; 2]>> = vec![None; p.bodies.len()];
    let links = || p.pads.iter().map(|pad| &pad.link).chain(p.stops.iter().map(|stop| &stop.link));
    let place = |rests: &[Option<[f64; 2]>], on: Fixture| match on {
        Fixture::Body(i) => rests[i],
        _ => Some([0.0; 2]),
    };
    while let Some(next) = rests.iter().position(Option::is_none) {
        let known = links().find_map(|link| {
            let ends = [(link.of, link.against), (link.against, link.of)];
            ends.into_iter().find_map(|(own, other)| match (own.on, place(&rests, other.on)) {
                (Fixture::Body(i), Some(at)) if rests[i].is_none() => {
                    Some((i, [at[0] + other.at[0] - own.at[0], at[1] + other.at[1] - own.at[1]]))
                }
                _ => None,
            })
        });
        let (body, at) = known.unwrap_or((next, [0.0; 2]));
        rests[body] = Some(at);
    }
    rests.into_iter().flatten().collect()
}

/// What the points of each body span.
fn spans(assembly: &Assembly) -> Vec<[[f64; 2]; 2]> {
    let p = assembly.parameters();
    let links = p.pads.iter().map(|pad| &pad.link).chain(p.stops.iter().map(|stop| &stop.link));
    let links = links.chain(p.springs.iter().map(|spring| &spring.link));
    let mut spans = vec![[[0.0_f64; 2]; 2]; p.bodies.len()];
    for end in links.flat_map(|link| [link.of, link.against]) {
        if let Fixture::Body(i) = end.on {
            for (k, value) in end.at.into_iter().enumerate() {
                spans[i][0][k] = spans[i][0][k].min(value);
                spans[i][1][k] = spans[i][1][k].max(value);
            }
        }
    }
    spans
}

/// A window about all bodies, with room for words and arrows; the picture's y points upwards.
fn window(rests: &[[f64; 2]], spans: &[[[f64; 2]; 2]]) -> [[f64; 2]; 2] {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for (rest, span) in rests.iter().zip(spans) {
        for (k, end) in ends.iter_mut().enumerate() {
            *end = [end[0].min(rest[k] + span[0][k]), end[1].max(rest[k] + span[1][k])];
        }
    }
    let [x, y] = ends;
    let size = (x[1] - x[0]).max(y[1] - y[0]).max(1e-3);
    let (room_x, room_y) = (0.8 * size, 0.3 * size);
    [[x[0] - room_x, x[1] + room_x], [-y[1] - room_y, -y[0] + room_y]]
}

/// By how much ways are enlarged: the farthest way of any body against the first is to be seen well.
fn enlarged(assembly: &Assembly, trace: &Trace, wide: f64) -> f64 {
    let p = assembly.parameters();
    let pads = p.pads.iter().flat_map(|pad| ["", "x", "y"].map(|axis| key("d", axis, &pad.name)));
    let most = pads.flat_map(|name| trace.column(&name)).fold(0.0_f64, |most, d| most.max(d.abs()));
    let clearance = p.stops.iter().map(|stop| stop.clearance).fold(0.0, f64::max);
    let most = most.max(clearance);
    if most > 0.0 { (WAY * wide / most).max(1.0) } else { 1.0 }
}

/// Bodies seen from the first, where nothing holds them to the ground: what they do together is not what pads feel.
fn placed(
    assembly: &Assembly,
    trace: &Trace,
    rows: &[usize],
    motion: &mut Motion,
    (rests, spans): (Vec<[f64; 2]>, Vec<[[f64; 2]; 2]>),
    scale: f64,
) -> Vec<Placed> {
    let p = assembly.parameters();
    let mut place = |name: &str| ["x", "y"].map(|axis| motion.channel(take(trace, rows, &key("", axis, name))));
    let first = place(&p.bodies[0].name);
    let mut yaw = |name: &str| motion.channel(take(trace, rows, &key("", "yaw", name)));
    let turned = yaw(&p.bodies[0].name);
    let turns: Vec<Channel> = p.bodies.iter().map(|body| yaw(&body.name)).collect();
    let mut place = |name: &str| ["x", "y"].map(|axis| motion.channel(take(trace, rows, &key("", axis, name))));
    let mut bodies = Vec::new();
    let origin = rests.first().copied().unwrap_or_default();
    for ((body, rest), span) in p.bodies.iter().zip(rests).zip(spans) {
        let [x, y] = place(&body.name);
        // The first body takes its neighbours along when it turns, as small angles do.
        let arm = [rest[0] - origin[0], rest[1] - origin[1]];
        let x = x * scale - first[0] * scale + turned * (scale * arm[1]);
        let y = y * -scale + first[1] * scale + turned * (scale * arm[0]);
        bodies.push(Placed { at: [x + rest[0], y - rest[1]], turn: Affine::default(), rest, span });
    }
    for (turn, placed) in turns.into_iter().zip(&mut bodies) {
        placed.turn = turn * -scale + turned * scale;
    }
    bodies
}

fn group(placed: &Placed, shapes: Vec<Shape>) -> Shape {
    Shape::Group { at: placed.at.clone(), turn: placed.turn.clone(), shapes }
}

/// A body as a plate about the points at which links are fastened.
fn plate(placed: &Placed, name: &str, wide: f64) -> Shape {
    let [low, high] = placed.span;
    let room = 0.035 * wide;
    let size = [high[0] - low[0] + 2.0 * room, high[1] - low[1] + 2.0 * room];
    let at = [0.5 * (low[0] + high[0]), -0.5 * (low[1] + high[1])];
    let fill = if placed.rest == [0.0; 2] { Tone::Back } else { Tone::Body };
    let plate = Shape::Rectangle { at, size, round: 0.02 * wide, paint: Paint::filled(fill) };
    group(placed, vec![plate, Shape::Text { at, text: name.to_owned(), state: None, tone: Tone::Muted }])
}

/// The clearance of a stop about its point on one body, and the point of the other in it.
fn clearance(link: &Link, half: f64, bodies: &[Placed]) -> Vec<Shape> {
    let (Fixture::Body(of), Fixture::Body(against)) = (link.of.on, link.against.on) else { return Vec::new() };
    let at = [link.against.at[0], -link.against.at[1]];
    let square =
        Shape::Rectangle { at, size: [2.0 * half; 2], round: 0.0, paint: Paint::outline(Tone::Muted, 1.2).dashed() };
    let dot = [link.of.at[0], -link.of.at[1]];
    let dot = Shape::Circle { at: dot, radius: 0.12 * half, paint: Paint::filled(Tone::Ink) };
    vec![group(&bodies[against], vec![square]), group(&bodies[of], vec![dot])]
}

/// Prescribed forces at the middles of bodies.
fn forces(
    assembly: &Assembly,
    trace: &Trace,
    rows: &[usize],
    motion: &mut Motion,
    bodies: &[Placed],
    by: f64,
) -> Vec<Shape> {
    let p = assembly.parameters();
    let mut shapes = Vec::new();
    for (force, column) in p.forces.iter().zip(assembly.force_columns()).filter(|(force, _)| force.component < 2) {
        let value = motion.channel(take(trace, rows, &column));
        let way = if force.component == 0 { [value * by, 0.0.into()] } else { [0.0.into(), value * -by] };
        shapes.push(Shape::Arrow { from: bodies[force.body].at.clone(), by: way, tone: GIVEN });
    }
    if !shapes.is_empty() {
        motion.means(GIVEN, "prescribed force");
    }
    shapes
}
