//! The pictures of a motorcycle.

use stickslip_report::html::{Content, Section};
use stickslip_report::palette::Role;
use stickslip_run::view::{Curve, Group, Thinned, View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

use super::picture::picture;
use super::solutions;
use super::system::Motorcycle;
use crate::two_wheels::{charts, each_wheel, figure};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 2000;

/// Groups of curves that are not folded away.
const SHOWN: usize = 3;

/// Figures and sections of a motorcycle's run.
pub(super) fn motorcycle(motorcycle: &Motorcycle, trace: &Trace, summary: &Summary) -> View {
    let columns = ["x1", "pitch", "z", "N_front", "N_rear", "T_front", "T_rear", "v_front", "v_rear"];
    let thinned = Thinned::new(trace, &columns, &["eps_G_front", "eps_G_rear"], CURVE_POINTS);
    let wheels = |short: &str, factor: f64| each_wheel(&thinned, short, factor);
    let mut speeds = vec![thinned.curve("centre of mass (x_1)", Role::First, "x1", 1.0)];
    speeds.extend(wheels("v", -1.0).into_iter().map(|rim| Curve { name: format!("rim, {}", rim.name), ..rim }));
    let pitch = vec![thinned.curve("pitch, nose up", Role::First, "pitch", 180.0 / std::f64::consts::PI)];
    let groups = [
        Group::new("speed", "m/s", speeds),
        Group::new("pitch", "°", pitch),
        Group::new("load", "N", wheels("N", 1.0)),
        Group::new("height of wheels", "m", wheels("gap", 1.0)),
        Group::new("force of the ground, forward", "N", wheels("T", 1.0)),
    ];
    let mut figures = vec![("time", figure(&thinned, &groups, trace).titled("Speeds, pitch and loads"))];
    figures.extend(order_figure(summary));
    let mut sections = vec![Section {
        heading: "Speeds, pitch and loads".into(),
        text: "A wheel that carries nothing is in the air. It lands with an impact: impulses in no time, which brakes and motors do not \
               share."
            .into(),
        content: charts(&thinned, &groups[..SHOWN], trace),
    }];
    let more = Section {
        heading: "Heights of wheels and forces of the ground".into(),
        text: String::new(),
        content: charts(&thinned, &groups[SHOWN..], trace),
    };
    sections.extend(solutions::chart(motorcycle.parameters()).map(|field| {
        let p = motorcycle.parameters();
        Section {
            heading: "How many solutions".into(),
            text: format!(
                "Friction and loads decide each other. How many motions solve both at the start depends on friction and height; this \
                 scenario has friction {} (front) and {} (rear) and height {} m.",
                p.data.wheels[0].friction, p.data.wheels[1].friction, p.data.height
            ),
            content: vec![Content::Field(field)],
        }
    }));
    let assumptions = vec![
        "Frame and rider are one rigid body: no suspension, and the rider does not move.".to_string(),
        "Tyres are rigid: a wheel that lands stops at once, without bouncing (restitution 0).".to_string(),
        "The road is level, and nothing happens sideways.".to_string(),
    ];
    let folded = std::iter::once(more).chain(order_section(summary, "")).collect();
    View { folded, assumptions, ..View::new(figures, sections) }.moving(picture(motorcycle, trace, &thinned.rows))
}
