//! The motorcycle from the side, pitching, with the forces of the ground.

use stickslip_report::motion::{Affine, Motion, Paint, Reading, Shape, Tone};
use stickslip_report::palette::Role;
use stickslip_run::Trace;
use stickslip_run::view::moving::{events, greatest};

use super::WHEELS;
use super::system::Motorcycle;
use crate::wheels;

/// Height of the longest arrow, as a share of the height of the centre of mass.
const LONGEST: f64 = 0.8;

/// How far the ground goes on beyond the window, which may be shown wider than it is.
const BEYOND: f64 = 4.0;

/// Colour of arrows of ground forces.
const FORCE: Tone = Tone::Data(Role::Second);

/// What a motorcycle looked like, at these rows of its trace.
pub(super) fn picture(motorcycle: &Motorcycle, trace: &Trace, rows: &[usize]) -> Motion {
    let data = &motorcycle.parameters().data;
    let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i] + 0.0).collect() };
    let base = data.wheels[0].place - data.wheels[1].place;
    let top = trace.column("z").iter().fold(data.height, |most, z| most.max(*z)) + 1.25 * size(motorcycle);
    let window = [[-1.15 * base, 1.15 * base], [-0.18 * base, top]];
    let mut motion = Motion::new("The motorcycle from the side", window, take("t"));
    wheels::explain(&mut motion);
    wheels::explain_flight(&mut motion);
    motion.means(FORCE, "force of the ground");
    motion.events = with_greatest_pitch(events(trace), trace);
    let [x, z, pitch, speed] = ["x", "z", "pitch", "x1"].map(|name| motion.channel(take(name)));
    motion.number("speed", "m/s", speed, 2);
    motion.number("pitch", "°", pitch * (180.0 / std::f64::consts::PI), 2);
    let scale = WHEELS.map(|name| greatest(trace, &format!("N_{name}"))).into_iter().fold(1.0, f64::max)
        / (LONGEST * data.height);
    let mut shapes = vec![Shape::Ground { y: 0.0, x: [-BEYOND * base, BEYOND * base], shift: x * -1.0 }];
    let mut body = frame(motorcycle);
    let mut arrows = Vec::new();
    for (i, name) in WHEELS.iter().enumerate() {
        let wheel = &data.wheels[i];
        let of = |short: &str| trace.column(&format!("{short}_{name}"));
        let state = |&row: &usize| {
            let held = of("eps_B")[row] == 0.0;
            let rim = if held { 0.0 } else { of("v")[row] };
            match of("eps_G")[row] {
                2.0 => wheels::FLIES,
                slip => wheels::state(trace.column("x1")[row], rim, slip != 0.0),
            }
        };
        let state = motion.state_channel(rows.iter().map(state).collect());
        motion.readings.push(Reading::State { name: (*name).to_string(), channel: state });
        let turned = wheels::angle(trace.column("t"), of("v"), wheel.radius);
        let pitched = trace.column("pitch");
        let turn = motion.channel(rows.iter().map(|&row| turned[row] - pitched[row]).collect());
        let axle = [wheel.place, wheel.radius - data.height];
        body.push(wheels::wheel([axle[0].into(), axle[1].into()], wheel.radius, turn.into(), state));
        let under = motion.channel(rows.iter().map(|&row| motorcycle.body.levers(i, pitched[row]).0).collect());
        let [gap, along, load] = ["gap", "T", "N"].map(|short| motion.channel(take(&format!("{short}_{name}"))));
        let by = [along * (1.0 / scale), load * (1.0 / scale)];
        arrows.push(Shape::Arrow { from: [under.into(), gap.into()], by, tone: FORCE });
    }
    shapes.push(Shape::Group { at: [Affine::default(), z.into()], turn: pitch.into(), shapes: body });
    shapes.extend(arrows);
    motion.shapes = shapes;
    motion.text = "A motorcycle from the side: it pitches, each wheel has the colour of its state, and arrows are forces of the ground.".into();
    motion
}

/// Events, and the instant of the greatest pitch among them.
fn with_greatest_pitch(mut events: Vec<(f64, String)>, trace: &Trace) -> Vec<(f64, String)> {
    let rows = trace.column("t").iter().zip(trace.column("pitch"));
    if let Some((t, pitch)) = rows.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).filter(|(_, pitch)| **pitch != 0.0) {
        let place = events.partition_point(|(event, _)| event <= t);
        let words = if *pitch < 0.0 { "greatest pitch, nose down" } else { "greatest pitch, nose up" };
        events.insert(place, (*t, words.to_string()));
    }
    events
}

/// Height of what is drawn of frame and rider above the centre of mass, about \[m\].
fn size(motorcycle: &Motorcycle) -> f64 {
    let data = &motorcycle.parameters().data;
    data.height.min(0.5 * (data.wheels[0].place - data.wheels[1].place))
}

/// Frame and rider, about the centre of mass.
fn frame(motorcycle: &Motorcycle) -> Vec<Shape> {
    let data = &motorcycle.parameters().data;
    let [a, b] = data.wheels.each_ref().map(|wheel| wheel.place.abs());
    let axles = data.wheels.each_ref().map(|wheel| wheel.radius - data.height);
    let up = size(motorcycle);
    let line = |points: Vec<[f64; 2]>, width: f64| Shape::Polyline {
        points,
        closed: false,
        paint: Paint::outline(Tone::Ink, width),
    };
    let seat = [-0.45 * b, 0.18 * up];
    let bars = [0.52 * a, 0.42 * up];
    let shoulder = [-0.05 * b, 0.78 * up];
    let hull = vec![
        [-0.85 * b, 0.30 * up],
        seat,
        [0.05 * a, 0.26 * up],
        [0.42 * a, 0.34 * up],
        [0.50 * a, 0.05 * up],
        [0.25 * a, -0.45 * up],
        [-0.30 * b, -0.45 * up],
        [-0.35 * b, 0.02 * up],
    ];
    vec![
        line(vec![[a, axles[0]], bars], 5.0),
        line(vec![[-b, axles[1]], [-0.25 * b, -0.3 * up]], 5.0),
        Shape::Polyline { points: hull, closed: true, paint: Paint::filled(Tone::Body) },
        line(vec![seat, shoulder, bars], 7.0),
        line(vec![seat, [0.1 * a, -0.05 * up], [-0.12 * b, -0.42 * up]], 7.0),
        Shape::Circle { at: [0.06 * a, 0.98 * up], radius: 0.15 * up, paint: Paint::filled(Tone::Body) },
        Shape::Circle { at: [0.0, 0.0], radius: 0.035 * up, paint: Paint::filled(Tone::Ink) },
    ]
}
