//! A block that a spring presses on a belt, from the side: x to the right, y upwards.

use stickslip_report::motion::{Affine, Motion, Paint, Reading, Shape, Tone};
use stickslip_run::Trace;
use stickslip_run::view::moving::greatest;

use super::super::{Assembly, Face, Fixture, Freedom, Pad, Spring};
use super::line::{HIGH, LONGEST, WIDE, under};
use super::{FRICTION, explain, key, state, strongest, take};

/// The farthest way that is drawn.
const WAY: f64 = 0.28;

/// The sole that rubs on the belt, and the room for the spring between it and the block.
const SOLE: [f64; 2] = [0.8, 0.13];
const GAP: f64 = 0.62;

/// Length of the springs beside the block, half their width, and half the width of what they are fastened to.
const LONG: f64 = 1.15;
const HALF: f64 = 0.12;
const WALL: f64 = 0.3;

/// A unit vector with less than this across an axis points along it.
const ACROSS: f64 = 1e-9;

/// The pad of a block and the number of the spring that presses it.
pub(super) struct Block<'a> {
    pad: &'a Pad,
    spring: usize,
}

/// What there is to see from the side: one block that moves along x and y without turning, on one pad that a spring along y presses.
pub(super) fn block(assembly: &Assembly) -> Option<Block<'_>> {
    let p = assembly.parameters();
    let ([body], [pad]) = (p.bodies.as_slice(), p.pads.as_slice()) else { return None };
    let spring = pad.pressed_by?;
    let upwards = p.springs.get(spring)?.along[0].abs() < ACROSS;
    let along = matches!(pad.face, Face::Along([_, y]) if y.abs() < ACROSS);
    let seen = body.freedom == Freedom::Point && matches!(pad.link.of.on, Fixture::Body(_));
    (seen && upwards && along).then_some(Block { pad, spring })
}

pub(super) fn picture(assembly: &Assembly, block: &Block<'_>, trace: &Trace, rows: &[usize]) -> Motion {
    let p = assembly.parameters();
    let name = &p.bodies[0].name;
    let columns = ["x", "y"].map(|axis| key("", axis, name));
    let [left, right] = [-0.5 * WIDE - LONG - 0.75, 0.5 * WIDE + LONG + 0.75];
    let middle = SOLE[1] + GAP + 0.5 * HIGH;
    let window = [[left, right], [-0.75, middle + 0.5 * HIGH + 1.0]];
    let mut motion = Motion::new("The block from the side", window, take(trace, rows, "t"));
    motion.text =
        "A block on springs, one of which presses a sole on a belt; arrows are the friction on the block and the speed of the belt.".into();
    explain(assembly, &mut motion);
    let most = columns.iter().map(|column| greatest(trace, column)).fold(0.0, f64::max);
    let scale = if most > 0.0 { WAY / most } else { 1.0 };
    let channel = state(&mut motion, trace, rows, block.pad);
    let [x, y] = columns.map(|column| motion.channel(take(trace, rows, &column)));
    let friction = motion.channel(take(trace, rows, &key("f", "", &block.pad.name)));
    // What moves the block moves its ends of the springs.
    let moved = |[at_x, at_y]: [f64; 2]| -> [Affine; 2] { [x * scale + at_x, y * scale + (at_y + middle)] };
    let mut shapes = under(assembly, &mut motion, 1.0, [left, right]);
    for (_, spring) in p.springs.iter().enumerate().filter(|(k, _)| *k != block.spring) {
        shapes.extend(beside(spring, middle, &moved));
    }
    shapes.push(Shape::Spring { from: [x * scale, SOLE[1].into()], to: moved([0.0, -0.5 * HIGH]), half: HALF });
    let sole = Shape::Rectangle { at: [0.0, 0.5 * SOLE[1]], size: SOLE, round: 0.0, paint: Paint::by_state(channel) };
    shapes.push(Shape::Group { at: [x * scale, 0.0.into()], turn: Affine::default(), shapes: vec![sole] });
    let plate = Shape::Rectangle { at: [0.0; 2], size: [WIDE, HIGH], round: 0.05, paint: Paint::filled(Tone::Body) };
    let words = |y: f64, text: &str, state| Shape::Text { at: [0.0, y], text: text.to_owned(), state, tone: Tone::Ink };
    shapes.push(Shape::Group {
        at: moved([0.0; 2]),
        turn: Affine::default(),
        shapes: vec![plate, words(0.13, name, None), words(-0.15, "", Some(channel))],
    });
    let by = [friction * (-LONGEST / strongest(assembly, trace)), 0.0.into()];
    shapes.push(Shape::Arrow { from: [x * scale, (0.5 * SOLE[1]).into()], by, tone: FRICTION });
    motion.shapes = shapes;
    motion.readings.push(Reading::State { name: block.pad.name.clone(), channel });
    motion.number("x", "mm", x * 1e3, 3);
    motion.number("y", "mm", y * 1e3, 3);
    motion.number(format!("friction on {name} (−f)"), "N", friction * -1.0, 2);
    motion.means(FRICTION, "friction on the block (−f)");
    motion.means(
        Tone::Ink,
        format!("displacements of the block drawn {} times larger", stickslip_run::text::number_to(scale, 2)),
    );
    motion
}

/// A spring from the block to a wall in its direction: to the left along x, else upwards.
fn beside(spring: &Spring, middle: f64, moved: &dyn Fn([f64; 2]) -> [Affine; 2]) -> [Shape; 2] {
    let [x, y] = spring.along;
    let side = if y.abs() < ACROSS { -x.signum() } else { y.signum() };
    let way = [side * x, side * y];
    // From the middle of the block to its edge.
    let edge = (0.5 * WIDE / way[0].abs()).min(0.5 * HIGH / way[1].abs());
    let at = |far: f64| [far * way[0], far * way[1]];
    let [end_x, end_y] = at(edge + LONG);
    let wall = [end_x, middle + end_y];
    let across = [-WALL * way[1], WALL * way[0]];
    [
        Shape::Spring { from: [wall[0].into(), wall[1].into()], to: moved(at(edge)), half: HALF },
        Shape::Polyline {
            points: vec![[wall[0] - across[0], wall[1] - across[1]], [wall[0] + across[0], wall[1] + across[1]]],
            closed: false,
            paint: Paint::outline(Tone::Ink, 4.0),
        },
    ]
}
