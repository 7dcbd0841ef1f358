//! Bodies on a line, from the side: blocks on the ground, on belts and on each other.

use stickslip_report::motion::{Affine, Channel, Motion, Paint, Reading, Shape, Tone};
use stickslip_run::Trace;

use super::super::{Assembly, End, Fixture, Motion as Prescribed};
use super::{FRICTION, GIVEN, MOVING, explain, key, state, strongest, take};

/// Size of a block: twice as wide as high.
pub(super) const HIGH: f64 = 0.9;
pub(super) const WIDE: f64 = 1.6;

/// From the upper to the lower side of a belt.
const BELT: f64 = 0.34;

/// Distance of blocks beside each other at rest.
const APART: f64 = 3.0;

/// The longest way that is drawn.
const WAY: f64 = 1.0;

/// Stops are drawn up to so many times the longest way; width and height of a post.
const REACHED: f64 = 1.2;
const POST: [f64; 2] = [0.1, 0.36];

/// Length of the longest arrow.
pub(super) const LONGEST: f64 = 1.0;

/// A block: where it is drawn, and what moves it.
struct Block {
    x: f64,
    level: usize,
    q: Channel,
}

pub(super) fn picture(assembly: &Assembly, trace: &Trace, rows: &[usize]) -> Motion {
    let p = assembly.parameters();
    let name = if p.bodies.len() == 1 { "The block from the side" } else { "The blocks from the side" };
    let mut motion = Motion::new(name, [[0.0, 1.0]; 2], take(trace, rows, "t"));
    motion.text = "Blocks that move along a line, on the ground, on belts or on each other; arrows are friction and prescribed forces.".into();
    explain(assembly, &mut motion);
    let levels = levels(assembly);
    let mut beside = vec![0; p.bodies.len() + 1];
    let mut blocks = Vec::new();
    for (body, level) in p.bodies.iter().zip(&levels) {
        let q = motion.channel(take(trace, rows, &key("", "x", &body.name)));
        blocks.push(Block { x: APART * f64::from(beside[*level]), level: *level, q });
        beside[*level] += 1;
    }
    let way = p.bodies.iter().flat_map(|body| trace.column(&key("", "x", &body.name)));
    let (least, most) = way.fold((0.0_f64, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
    let scale = WAY / most.max(-least).max(1e-300);
    let right = blocks.iter().map(|block| block.x).fold(0.0, f64::max) + 0.5 * WIDE + 1.5 * WAY + 0.3;
    let (left, top) =
        (-0.5 * WIDE - WAY - 1.3, levels.iter().max().map_or(1.0, |level| (level + 1) as f64) * HIGH + 0.35);
    let mut shapes = under(assembly, &mut motion, scale, [left, right]);
    // A belt is thicker than the hatching of the ground, and its arrow stands below it.
    let bottom = if shapes.iter().any(|shape| matches!(shape, Shape::Belt { .. })) { -0.75 } else { -0.5 };
    motion.window = [[left, right], [bottom, top]];
    shapes.extend(springs(assembly, &blocks, scale, left));
    shapes.extend(stops(assembly, &blocks, scale));
    for (body, block) in p.bodies.iter().zip(&blocks) {
        let x = block.q * scale + block.x;
        let pads = p.pads.iter().filter(|pad| is(pad.link.of, &body.name, assembly));
        let states: Vec<Channel> = pads.map(|pad| state(&mut motion, trace, rows, pad)).collect();
        let y = block.level as f64 * HIGH;
        let mut own = vec![
            Shape::Rectangle {
                at: [0.0, 0.5 * HIGH],
                size: [WIDE, HIGH],
                round: 0.05,
                paint: Paint::filled(Tone::Body),
            },
            Shape::Text { at: [0.0, 0.58 * HIGH], text: body.name.clone(), state: None, tone: Tone::Ink },
        ];
        for channel in states {
            // The sole of a block has the colour of its pad's state.
            let sole = [WIDE, 0.13];
            own.push(Shape::Rectangle { at: [0.0, 0.065], size: sole, round: 0.0, paint: Paint::by_state(channel) });
            own.push(Shape::Text { at: [0.0, 0.3 * HIGH], text: String::new(), state: Some(channel), tone: Tone::Ink });
            motion.readings.push(Reading::State { name: body.name.clone(), channel });
        }
        shapes.push(Shape::Group { at: [x, y.into()], turn: Affine::default(), shapes: own });
        motion.number(format!("place of {}", body.name), "m", block.q, 4);
    }
    shapes.extend(arrows(assembly, trace, rows, &mut motion, &blocks, scale));
    motion.shapes = shapes;
    motion
}

/// Whether an end is on the body of this name.
fn is(end: End, name: &str, assembly: &Assembly) -> bool {
    matches!(end.on, Fixture::Body(i) if assembly.parameters().bodies[i].name == name)
}

/// On which level each body lies: one that rubs on another lies on it.
fn levels(assembly: &Assembly) -> Vec<usize> {
    let p = assembly.parameters();
    let mut levels = vec![0; p.bodies.len()];
    // No body lies higher than there are bodies; pads in a ring end there.
    for _ in 0..p.bodies.len() {
        for pad in &p.pads {
            if let (Fixture::Body(upper), Fixture::Body(lower)) = (pad.link.of.on, pad.link.against.on)
                && levels[upper] <= levels[lower]
                && levels[lower] + 1 < p.bodies.len()
            {
                levels[upper] = levels[lower] + 1;
            }
        }
    }
    levels
}

/// The ground; or what moves and is rubbed on, as a belt with an arrow for its speed.
pub(super) fn under(assembly: &Assembly, motion: &mut Motion, scale: f64, [left, right]: [f64; 2]) -> Vec<Shape> {
    let moving = assembly.parameters().supports.iter().map(|support| (support, place(&support.motion[0], &motion.t)));
    let Some((support, way)) = moving.into_iter().find(|(_, way)| way.iter().any(|x| *x != 0.0)) else {
        return vec![Shape::Ground { y: 0.0, x: [3.0 * left, 3.0 * right], shift: Affine::default() }];
    };
    let speed = speed(&way, &motion.t);
    let most = speed.iter().fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()));
    let shift = motion.channel(way) * scale;
    let speed = motion.channel(speed);
    let x = [left + 0.45, right - 0.25];
    let from = [(0.5 * (x[0] + x[1])).into(), (-BELT - 0.17).into()];
    motion.means(MOVING, format!("speed of {}", support.name));
    vec![
        Shape::Belt { y: 0.0, x, thick: BELT, shift },
        Shape::Arrow { from, by: [speed * (LONGEST / most), 0.0.into()], tone: MOVING },
    ]
}

/// How fast something is that is at these places, over each interval.
fn speed(places: &[f64], times: &[f64]) -> Vec<f64> {
    let rate = |(x, t): (&[f64], &[f64])| if t[1] > t[0] { (x[1] - x[0]) / (t[1] - t[0]) } else { 0.0 };
    let rates: Vec<f64> = places.windows(2).zip(times.windows(2)).map(rate).collect();
    rates.first().into_iter().chain(&rates).copied().collect()
}

/// Where a support is at each of the times, from 0 on.
fn place(prescribed: &Prescribed, times: &[f64]) -> Vec<f64> {
    match prescribed {
        Prescribed::Still => vec![0.0; times.len()],
        Prescribed::Position(signal) => times.iter().map(|t| signal.at(*t)).collect(),
        Prescribed::Speed(signal) => {
            let mut place = 0.0;
            let mut places = vec![0.0];
            for pair in times.windows(2) {
                place += 0.5 * (signal.at(pair[0]) + signal.at(pair[1])) * (pair[1] - pair[0]);
                places.push(place);
            }
            places
        }
    }
}

/// Springs between blocks, or from a wall at the left.
fn springs(assembly: &Assembly, blocks: &[Block], scale: f64, left: f64) -> Vec<Shape> {
    let p = assembly.parameters();
    let mut shapes = Vec::new();
    let wall = left + 0.25;
    for spring in &p.springs {
        let (Fixture::Body(one), other) = (spring.link.of.on, spring.link.against.on) else { continue };
        let end = |block: &Block, side: f64| -> [Affine; 2] {
            [block.q * scale + (block.x + side * 0.5 * WIDE), ((block.level as f64 + 0.55) * HIGH).into()]
        };
        let block = &blocks[one];
        let from = match other {
            Fixture::Body(other) => end(&blocks[other], if blocks[other].x < block.x { 1.0 } else { -1.0 }),
            _ => [wall.into(), ((block.level as f64 + 0.55) * HIGH).into()],
        };
        let to = match other {
            Fixture::Body(other) if blocks[other].x > block.x => end(block, 1.0),
            _ => end(block, -1.0),
        };
        shapes.push(Shape::Spring { from, to, half: 0.14 });
        if !matches!(other, Fixture::Body(_)) {
            let points = vec![[wall, 0.0], [wall, 1.3 * HIGH]];
            shapes.push(Shape::Polyline { points, closed: false, paint: Paint::outline(Tone::Ink, 4.0) });
        }
    }
    shapes
}

/// Stops against the ground, as low posts that a block's foot meets on either side; those further off than blocks come are left out.
fn stops(assembly: &Assembly, blocks: &[Block], scale: f64) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for stop in &assembly.parameters().stops {
        let (Fixture::Body(body), false) = (stop.link.of.on, matches!(stop.link.against.on, Fixture::Body(_))) else {
            continue;
        };
        let (block, way) = (&blocks[body], stop.clearance * scale);
        if way > REACHED * WAY {
            continue;
        }
        let foot = block.level as f64 * HIGH;
        for side in [-1.0, 1.0] {
            let x = block.x + side * (0.5 * WIDE + way + 0.5 * POST[0]);
            shapes.push(Shape::Rectangle {
                at: [x, foot + 0.5 * POST[1]],
                size: POST,
                round: 0.0,
                paint: Paint::filled(Tone::Ink),
            });
        }
    }
    shapes
}

/// Friction at the soles, prescribed forces at the middles.
fn arrows(
    assembly: &Assembly,
    trace: &Trace,
    rows: &[usize],
    motion: &mut Motion,
    blocks: &[Block],
    scale: f64,
) -> Vec<Shape> {
    let p = assembly.parameters();
    let by = LONGEST / strongest(assembly, trace);
    let mut shapes = Vec::new();
    for pad in &p.pads {
        let Fixture::Body(body) = pad.link.of.on else { continue };
        let block = &blocks[body];
        let friction = motion.channel(take(trace, rows, &key("f", "", &pad.name)));
        let upper = &p.bodies[body].name;
        let name = if p.pads.len() == 1 { String::new() } else { format!(", {}", pad.name) };
        motion.number(format!("friction on {upper} (−f){name}"), "N", friction * -1.0, 3);
        let from = [block.q * scale + block.x, (block.level as f64 * HIGH + 0.07).into()];
        shapes.push(Shape::Arrow { from, by: [friction * -by, 0.0.into()], tone: FRICTION });
    }
    if !p.pads.is_empty() {
        motion.means(FRICTION, "friction on the upper body (−f)");
    }
    for (force, column) in p.forces.iter().zip(assembly.force_columns()) {
        let block = &blocks[force.body];
        let value = motion.channel(take(trace, rows, &column));
        let from = [block.q * scale + block.x, ((block.level as f64 + 0.85) * HIGH).into()];
        shapes.push(Shape::Arrow { from, by: [value * by, 0.0.into()], tone: GIVEN });
    }
    if !p.forces.is_empty() {
        motion.means(GIVEN, "prescribed force");
    }
    shapes
}
