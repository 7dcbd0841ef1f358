//! Modes of a wheel that is given as a body: how they move, and where they are kept.

use std::f64::consts::TAU;

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section};
use stickslip_report::palette::Role;
use stickslip_run::text::number_to;
use stickslip_squeal::Wheel;
use stickslip_squeal::body::{Built, Motion, to_csv};

/// File of the modes.
pub(super) const FILE: &str = "modes.csv";

/// Names of the figures: three modes each.
const AROUND: [&str; 3] = ["modes-around-1", "modes-around-2", "modes-around-3"];
const SECTIONS: [&str; 3] = ["modes-section-1", "modes-section-2", "modes-section-3"];

/// Modes beside each other.
const BESIDE: usize = 3;

/// Greatest displacement as drawn, over the radius.
const DRAWN: f64 = 0.22;

/// Pixels of a panel's height.
const HEIGHT: f64 = 205.0;

/// What the report has of a body.
pub(super) struct Shapes {
    pub figures: Vec<(&'static str, Figure)>,
    pub section: Section,
    pub file: (&'static str, Vec<u8>),
    pub line: String,
}

/// Pictures, table and words of a body.
pub(super) fn shapes(wheel: &Wheel, built: &Built) -> Shapes {
    let drawn: Vec<(String, &Motion)> = built
        .modes
        .iter()
        .zip(&built.motions)
        .map(|(mode, motion)| (format!("{}, {} Hz", mode.name, number_to(mode.frequency, 4)), motion))
        .take(BESIDE * AROUND.len())
        .collect();
    let mut figures = Vec::new();
    for (k, row) in drawn.chunks(BESIDE).enumerate() {
        let around = row.iter().map(|(title, motion)| around(title, motion)).collect();
        let section = row.iter().map(|(title, motion)| section(title, motion)).collect();
        figures.push((AROUND[k], Figure::side_by_side(around)));
        figures.push((SECTIONS[k], Figure::side_by_side(section)));
    }
    let residual = wheel.spring.residual;
    let text = format!(
        "Modes by finite elements ({} unknowns): how the tread moves on the line of contact, seen along the axle (lateral motion towards the viewer is drawn \
         outwards, radial motion as it is; the contact is at the bottom), and the section through the contact. {} modes lie in the range, counted by the \
         inertia of the shifted stiffness, none missed; {} of them do not move the contact sideways or up and are left out (the other of each pair, torsion). Each \
         solves its equation to {} of its forces. Static compliance of the wheel at the contact: {} m/N beside the {} m/N of the cells around it that the Hertz spring \
         holds; the modes hold {} m/N, the rest of {} m/N is in series with the Hertz spring, once. The modes are in {FILE}: write `table = \"{FILE}\"` and \
         `compliance = {:e}` into [wheel] instead of [wheel.body] for the same run.",
        built.unknowns,
        built.counted,
        built.silent,
        number_to(built.residual, 1),
        number_to(built.compliance, 4),
        number_to(built.local, 3),
        number_to(wheel.modal_compliance(), 4),
        number_to(residual, 4),
        built.compliance,
    );
    let content = figures.iter().map(|(_, figure)| Content::Figure(figure.clone())).collect();
    Shapes {
        section: Section { heading: "Modes of the body".into(), text, content },
        figures,
        file: (FILE, to_csv(&built.modes).into_bytes()),
        line: format!(
            "modes: {} felt of {} below {} Hz, none missed; {FILE}",
            built.modes.len(),
            built.counted,
            number_to(built.modes.last().map_or(0.0, |mode| mode.frequency), 5)
        ),
    }
}

fn panel(title: &str, x: Axis, y: Axis) -> Panel {
    let mut panel = Panel::new(x, y);
    title.clone_into(&mut panel.title);
    (panel.height, panel.equal) = (HEIGHT, true);
    panel
}

/// The tread seen along the axle, over its radius.
fn around(title: &str, motion: &Motion) -> Panel {
    let reach = 1.0 + 1.4 * DRAWN;
    let axis = |label: &str| Axis::linear(label, "R").from_to(-reach, reach);
    let mut panel = panel(title, axis("x"), axis("z"));
    let count = motion.tread.len();
    let place = |i: usize, out: f64, along: f64| {
        let angle = TAU * (i % count) as f64 / count as f64;
        let (sin, cos) = angle.sin_cos();
        let r = 1.0 + DRAWN * out;
        [r * sin + DRAWN * along * cos, -r * cos + DRAWN * along * sin]
    };
    let line = |of: &dyn Fn(&[f64; 3]) -> (f64, f64)| -> Vec<[f64; 2]> {
        (0..=count)
            .map(|i| {
                let (out, along) = of(&motion.tread[i % count]);
                place(i, out, along)
            })
            .collect()
    };
    panel.series.push(Series::line("at rest", Role::Reference, line(&|_| (0.0, 0.0))));
    panel.series.push(Series::line("lateral", Role::First, line(&|u| (u[0], 0.0))));
    panel.series.push(Series::line("in the plane", Role::Second, line(&|u| (u[1], u[2]))));
    panel
}

/// The section through the contact, mm.
fn section(title: &str, motion: &Motion) -> Panel {
    let all = || motion.section.iter().flatten();
    let extent = |of: usize| {
        let values = all().map(move |s| s[of]);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
    };
    let (low, high) = extent(1);
    let shown = 0.12 * (high - low);
    // As wide as high, so that the shape is not bent by its axes.
    let half = 0.5 * (high - low) + 1.5 * shown;
    let middle = 0.5 * (high + low);
    let mut panel = panel(
        title,
        Axis::linear("y", "mm").from_to(-1e3 * half, 1e3 * half),
        Axis::linear("radius", "mm").from_to(1e3 * (middle - half), 1e3 * (middle + half)),
    );
    let outline = |scale: f64| -> Vec<[f64; 2]> {
        let at = |s: &[f64; 4]| [1e3 * (s[0] + scale * s[2]), 1e3 * (s[1] + scale * s[3])];
        let rows = &motion.section;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
        let mut points: Vec<[f64; 2]> = first.iter().rev().map(at).collect();
        points.extend(rows.iter().filter_map(|row| row.first()).map(at));
        points.extend(last.iter().map(at));
        points.extend(rows.iter().rev().filter_map(|row| row.last()).map(at));
        points
    };
    panel.series.push(Series::line("at rest", Role::Reference, outline(0.0)));
    panel.series.push(Series::line("mode", Role::First, outline(shown)));
    panel
}
