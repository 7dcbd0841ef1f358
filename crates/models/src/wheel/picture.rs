//! The turning wheel and the forces on it.

use stickslip_report::motion::{Affine, Motion, Paint, Reading, Shape, Tone};
use stickslip_report::palette::Role;
use stickslip_run::Trace;
use stickslip_run::view::moving::{events, greatest};

use crate::wheels;

/// Length of the longest arrow, in radii.
const LONGEST: f64 = 1.5;

/// Colours of the arrows: speed, ground, brake, motor.
const SPEED: Tone = Tone::Data(Role::First);
const GROUND: Tone = Tone::Data(Role::Second);
const BRAKE: Tone = Tone::Data(Role::Sixth);
const MOTOR: Tone = Tone::Data(Role::Third);

/// A wheel that is recorded with the columns of [`super::Wheel`], from the side, at these rows of its trace. Lengths are in radii.
pub(crate) fn picture(radius: f64, trace: &Trace, rows: &[usize]) -> Motion {
    let take = |name: &str| -> Vec<f64> { rows.iter().map(|&i| trace.column(name)[i] + 0.0).collect() };
    let mut motion = Motion::new("The wheel", [[-3.3, 3.3], [-0.45, 2.7]], take("t"));
    motion.text = "A turning wheel on the ground, with arrows for its speed, the force of the ground, the brake and the motor; the tyre \
                   has the colour of its state."
        .into();
    wheels::explain(&mut motion);
    let states = rows.iter().map(|&i| {
        let of = |name: &str| trace.column(name)[i];
        wheels::state(of("x1"), of("x2"), of("eps_G") != 0.0)
    });
    let state = motion.state_channel(states.collect());
    let [x, theta, speed, rim] = ["x", "theta", "x1", "x2"].map(|name| motion.channel(take(name)));
    let [ground, brake, motor] = ["f", "g", "M"].map(|name| motion.channel(take(name)));
    let forces = greatest(trace, "f").max(greatest(trace, "g")).max(greatest(trace, "M") / radius);
    let along =
        |value: Affine, tone, y: f64| Shape::Arrow { from: [0.0.into(), y.into()], by: [value, 0.0.into()], tone };
    motion.shapes = vec![
        Shape::Ground { y: 0.0, x: [-9.0, 9.0], shift: x * (-1.0 / radius) },
        wheels::wheel([0.0.into(), 1.0.into()], 1.0, theta.into(), state),
        // The brake's block above the rim.
        Shape::Rectangle { at: [0.0, 2.13], size: [0.5, 0.16], round: 0.03, paint: Paint::filled(Tone::Body) },
        along(speed * (LONGEST / greatest(trace, "x1").max(greatest(trace, "x2"))), SPEED, 1.0),
        // Friction acts against the slip: on the wheel with −f at the ground, and with −g R about the centre.
        along(ground * (-LONGEST / forces), GROUND, 0.05),
        along(brake * (LONGEST / forces), BRAKE, 2.0),
        along(motor * (LONGEST / forces / radius), MOTOR, 1.0 - 0.45),
        Shape::Text { at: [-2.5, 2.35], text: String::new(), state: Some(state), tone: Tone::Ink },
    ];
    motion.readings.push(Reading::State { name: "wheel".into(), channel: state });
    motion.number("speed", "m/s", speed, 2);
    motion.number("rim", "m/s", rim * -1.0, 2);
    motion.number("ground force", "N", ground * -1.0, 0);
    motion.means(SPEED, "speed of the centre");
    motion.means(GROUND, "force of the ground");
    motion.means(BRAKE, "brake force");
    motion.means(MOTOR, "motor force");
    motion.events = events(trace);
    motion
}
