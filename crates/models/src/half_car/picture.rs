//! The half-car from the side, on its springs, with the loads of its tyres.

use stickslip_report::motion::{Affine, Motion, Paint, Reading, Shape, Tone};
use stickslip_report::palette::Role;
use stickslip_run::Trace;
use stickslip_run::view::moving::{events, greatest};

use super::{Car, WHEELS};
use crate::wheels;

/// Radius of the wheels that are drawn, as a share of the wheelbase and at most of the height of the centre of mass: the
/// equations have none.
const RADIUS: [f64; 2] = [0.12, 0.5];

/// Height of the longest arrow, as a share of the height of the centre of mass.
const LONGEST: f64 = 0.8;

/// How far the road goes on beyond the window, in wheelbases.
const BEYOND: f64 = 4.0;

/// Colour of arrows of loads.
const FORCE: Tone = Tone::Data(Role::Second);

/// What a half-car looked like, at these rows of its trace.
pub(super) fn picture(car: &Car, trace: &Trace, rows: &[usize]) -> Motion {
    let data = &car.parameters.data;
    let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i] + 0.0).collect() };
    let base = data.corners[0].place - data.corners[1].place;
    let radius = (RADIUS[0] * base).min(RADIUS[1] * data.height);
    let heave = trace.column("heave").iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    let window = [[-1.1 * base, 1.1 * base], [-0.2 * base, 1.5 * data.height + heave]];
    let mut motion = Motion::new("The half-car from the side", window, take("t"));
    wheels::explain(&mut motion);
    wheels::explain_flight(&mut motion);
    motion.means(FORCE, "load of a tyre");
    motion.events = events(trace);
    let [x, z, pitch, speed] = ["x", "heave", "pitch", "x1"].map(|name| motion.channel(take(name)));
    motion.number("speed", "m/s", speed, 2);
    motion.number("pitch", "°", pitch * (180.0 / std::f64::consts::PI), 2);
    motion.number("heave", "mm", z * 1000.0, 1);
    let most = WHEELS.map(|name| greatest(trace, &format!("N_{name}"))).into_iter().fold(1.0, f64::max);
    let scale = LONGEST * data.height / most;
    let mut shapes = vec![road(car, trace, x * -1.0, BEYOND * base)];
    let mut front = Vec::new();
    for (i, name) in WHEELS.iter().enumerate() {
        let of = |short: &str| trace.column(&format!("{short}_{name}"));
        let state = |&row: &usize| match of("air")[row] {
            1.0 => wheels::FLIES,
            _ => wheels::state(trace.column("x1")[row], -trace.column("x1")[row], false),
        };
        let state = motion.state_channel(rows.iter().map(state).collect());
        motion.readings.push(Reading::State { name: (*name).to_string(), channel: state });
        let place = data.corners[i].place;
        let [height, under, load] = ["z", "road", "N"].map(|short| motion.channel(take(&format!("{short}_{name}"))));
        let turn = x * (-1.0 / radius);
        let axle: Affine = Affine::from(height) + radius;
        let top = Affine::from(z) + pitch * place + data.height;
        shapes.push(Shape::Spring { from: [place.into(), axle.clone()], to: [place.into(), top], half: 0.05 * base });
        front.push(wheels::wheel([place.into(), axle], radius, turn, state));
        front.push(Shape::Arrow { from: [place.into(), under.into()], by: [0.0.into(), load * scale], tone: FORCE });
    }
    let [a, b] = data.corners.map(|corner| corner.place);
    let hull = vec![Shape::Rectangle {
        at: [0.5 * (a + b), 0.12 * data.height],
        size: [1.15 * base, 0.3 * data.height],
        round: 0.08 * data.height,
        paint: Paint::filled(Tone::Body),
    }];
    let hull = hull.into_iter().chain([Shape::Circle {
        at: [0.0, 0.0],
        radius: 0.04 * data.height,
        paint: Paint::filled(Tone::Ink),
    }]);
    shapes.push(Shape::Group {
        at: [Affine::default(), Affine::from(z) + data.height],
        turn: pitch.into(),
        shapes: hull.collect(),
    });
    shapes.extend(front);
    motion.shapes = shapes;
    motion.text =
        "A half-car from the side: the body heaves and pitches on two springs, each wheel has the colour of its state, and arrows are \
         loads."
            .into();
    motion
}

/// The road as a line that comes towards the vehicle, below it.
fn road(car: &Car, trace: &Trace, shift: Affine, beyond: f64) -> Shape {
    let points = &car.parameters.data.road;
    let last = trace.column("x").last().copied().unwrap_or(0.0);
    let height = |point: Option<&[f64; 2]>| point.map_or(0.0, |point| point[1]);
    let ends = points.first().map_or(0.0, |p| p[0]).min(0.0)..points.last().map_or(0.0, |p| p[0]).max(last);
    let mut line = vec![[ends.start - beyond, height(points.first())]];
    line.extend(points);
    line.push([ends.end + beyond, height(points.last())]);
    let road = Shape::Polyline { points: line, closed: false, paint: Paint::outline(Tone::Ink, 2.0) };
    Shape::Group { at: [shift, Affine::default()], turn: Affine::default(), shapes: vec![road] }
}
