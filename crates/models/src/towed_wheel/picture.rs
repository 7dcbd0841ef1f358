//! Bar and wheel from above, towed to the right.

use stickslip_report::motion::{Affine, Motion, Paint, Reading, Shape, Tone};
use stickslip_report::palette::Role;
use stickslip_run::Trace;
use stickslip_run::view::moving::{events, greatest};

use super::TowedWheel;

/// Colours of the arrows.
const FORCE: Tone = Tone::Data(Role::Second);
const SLIP: Tone = Tone::Data(Role::Sixth);

/// From the middle of the road to its edges, and to the towing vehicle's rail that the spring of the pin is fastened to.
const EDGE: f64 = 1.25;
const RAIL: f64 = 1.05;

/// The towed wheel at these rows of its trace.
pub(super) fn picture(wheel: &TowedWheel, trace: &Trace, rows: &[usize]) -> Motion {
    let p = wheel.parameters();
    let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i] + 0.0).collect() };
    // Lengths of the picture are shares of the larger of bar and wheel; the pin's way is drawn larger, so that it is seen.
    let unit = p.length.max(p.radius);
    let (bar, radius) = (p.length / unit, p.radius / unit);
    let enlarged = (0.45 * unit / greatest(trace, "w")).clamp(1.0, 20.0).round();
    let mut motion = Motion::new("Bar and wheel from above", [[-3.0, 2.2], [-1.4, 1.4]], take("t"));
    motion.text = "A bar that is towed to the right by a pin on a spring, with a wheel at its end that swings to and fro, rolls and slips; \
                   arrows are the force of the ground and the slip."
        .into();
    motion.state("rolls", Tone::Stick);
    motion.state("slips", Tone::Slip);
    let state = motion.state_channel(take("slips"));
    let [psi, w] = ["psi", "w"].map(|name| motion.channel(take(name)));
    let [f1, f2, u1, u2] = ["F1", "F2", "u1", "u2"].map(|name| motion.channel(take(name)));
    let way = motion.channel(take("t").iter().map(|t| t * p.speed).collect());
    let force = greatest(trace, "F1").max(greatest(trace, "F2"));
    let slip = greatest(trace, "u1").max(greatest(trace, "u2"));
    let pin = w * (enlarged / unit);
    let tread = |k: i32| {
        let x = -bar + 0.3 * f64::from(k) * radius;
        let points = vec![[x, -0.16 * radius], [x, 0.16 * radius]];
        Shape::Polyline { points, closed: false, paint: Paint::outline(Tone::Muted, 1.0) }
    };
    let at_contact = |[x, y]: [Affine; 2], tone| Shape::Arrow { from: [(-bar).into(), 0.0.into()], by: [x, y], tone };
    let mut turning = vec![Shape::Rectangle {
        at: [-bar, 0.0],
        size: [2.0 * radius, 0.36 * radius],
        round: 0.08 * radius,
        paint: Paint::by_state(state),
    }];
    turning.extend((-3..=3).map(tread));
    turning.extend([
        Shape::Polyline { points: vec![[-bar, 0.0], [0.0, 0.0]], closed: false, paint: Paint::outline(Tone::Ink, 5.0) },
        at_contact([f1 * (0.9 / force), f2 * (0.9 / force)], FORCE),
        at_contact([u1 * (0.6 / slip), u2 * (0.6 / slip)], SLIP),
    ]);
    // The spring stands clear of the wheel, which reaches beyond the pin where the bar is shorter than its radius.
    let fastened = 0.25 + (radius - bar).max(0.0);
    let tip = fastened + 0.3;
    let edge = |y: f64| Shape::Line {
        from: [(-9.0).into(), y.into()],
        to: [9.0.into(), y.into()],
        paint: Paint::outline(Tone::Frame, 1.5),
    };
    motion.shapes = vec![
        // The road goes by below the wheel.
        edge(-EDGE),
        edge(EDGE),
        Shape::Lane { y: -0.75 * EDGE, x: [-9.0, 9.0], shift: way * (-1.0 / unit) },
        // The line along which the pin would go without its spring.
        Shape::Line {
            from: [(-9.0).into(), 0.0.into()],
            to: [9.0.into(), 0.0.into()],
            paint: Paint::outline(Tone::Frame, 1.0).dashed(),
        },
        Shape::Group { at: [0.0.into(), pin.clone()], turn: psi.into(), shapes: turning },
        Shape::Spring { from: [fastened.into(), RAIL.into()], to: [fastened.into(), pin.clone()], half: 0.1 },
        Shape::Line {
            from: [0.0.into(), pin.clone()],
            to: [tip.into(), pin.clone()],
            paint: Paint::outline(Tone::Ink, 2.5),
        },
        Shape::Arrow { from: [tip.into(), pin.clone()], by: [0.35.into(), 0.0.into()], tone: Tone::Ink },
        Shape::Group {
            at: [0.0.into(), pin],
            turn: Affine::default(),
            shapes: vec![Shape::Circle { at: [0.0; 2], radius: 0.07, paint: Paint::filled(Tone::Paper) }],
        },
        Shape::Polyline {
            points: vec![[fastened - 0.3, RAIL], [fastened + 0.3, RAIL]],
            closed: false,
            paint: Paint::outline(Tone::Ink, 3.0),
        },
        Shape::Text { at: [-2.5, 0.85], text: String::new(), state: Some(state), tone: Tone::Ink },
    ];
    motion.readings.push(Reading::State { name: "wheel".into(), channel: state });
    motion.number("angle (ψ)", "rad", psi, 4);
    motion.number("slip along", "m/s", u1, 3);
    motion.number("across", "m/s", u2, 3);
    motion.means(FORCE, "force of the ground on the wheel");
    motion.means(SLIP, "slip");
    if enlarged > 1.0 {
        motion.means(Tone::Ink, format!("way of the pin, drawn {enlarged} times larger"));
    }
    motion.events = events(trace);
    motion
}
