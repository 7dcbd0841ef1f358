//! The pictures of a half-car.

use stickslip_report::html::Section;
use stickslip_report::palette::Role;
use stickslip_run::view::{Group, Thinned, View, order_figure, order_section};
use stickslip_run::{Summary, Trace};

use super::Car;
use super::picture::picture;
use crate::two_wheels::{charts, each_wheel, figure};

/// Points that a curve on a screen has at the most.
const CURVE_POINTS: usize = 2000;

/// Groups of curves that are not folded away.
const SHOWN: usize = 3;

/// Figures and sections of a half-car's run.
pub(super) fn half_car(car: &Car, trace: &Trace, summary: &Summary) -> View {
    let columns = ["heave", "pitch", "N_front", "N_rear", "z_front", "z_rear", "x1"];
    let thinned = Thinned::new(trace, &columns, &["air_front", "air_rear"], CURVE_POINTS);
    let one = |words: &str, column: &str, factor: f64| vec![thinned.curve(words, Role::First, column, factor)];
    let wheels = |short: &str, factor: f64| each_wheel(&thinned, short, factor);
    let groups = [
        Group::new("load", "N", wheels("N", 1.0)),
        Group::new("pitch", "°", one("pitch, nose up", "pitch", 180.0 / std::f64::consts::PI)),
        Group::new("heave", "mm", one("heave of the body", "heave", 1000.0)),
        Group::new("air under tyres", "mm", wheels("gap", 1000.0)),
        Group::new("compression of springs", "mm", wheels("stroke", 1000.0)),
        Group::new("road", "mm", wheels("road", 1000.0)),
        Group::new("speed", "m/s", one("speed", "x1", 1.0)),
    ];
    let mut figures = vec![("time", figure(&thinned, &groups, trace).titled("Loads, pitch and heave"))];
    figures.extend(order_figure(summary));
    let sections = vec![Section {
        heading: "Loads, pitch and heave".into(),
        text: "A tyre that carries nothing is in the air. It lands on its own spring, without an impact.".into(),
        content: charts(&thinned, &groups[..SHOWN], trace),
    }];
    let more = Section {
        heading: "Tyres, springs, road and speed".into(),
        text: String::new(),
        content: charts(&thinned, &groups[SHOWN..], trace),
    };
    let assumptions = vec![
        "Angles are small: levers do not change, and gravity does not turn the body over.".to_string(),
        "Springs and dampers are linear, without end stops; tyres are linear springs that cannot pull, without damping.".to_string(),
        "The brake force is given and acts at road level while the vehicle rolls; bumps do not slow it down.".to_string(),
    ];
    let folded = std::iter::once(more).chain(order_section(summary, "")).collect();
    View { folded, assumptions, ..View::new(figures, sections) }.moving(picture(car, trace, &thinned.rows))
}
