//! Friction of pads against displacement where that makes loops, and against the slip speed where it does not.

use crate::assembly::{Assembly, Element, Face, Pad};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use super::charts::{CURVE_POINTS, MOST, key, states};
use stickslip_run::text::number;
use stickslip_run::view::rounding::{Kind, kind};
use stickslip_run::view::{spread, untitled};
use stickslip_run::{Summary, Trace};

/// The share of a swing by which its end may miss its beginning for a loop to count as closed.
const CLOSED: f64 = 0.1;

/// The share of its later range that a displacement must go back for a turn to count: bumps at the end of a swing do not.
const TURN: f64 = 0.3;

/// The figure of the pads' friction, under its file name, and its section; none where no pad slips.
pub(super) struct Friction {
    pub figures: Vec<(&'static str, Figure)>,
    pub sections: Vec<Section>,
}

/// What can be drawn of the friction of the first pads.
pub(super) fn friction(assembly: &Assembly, trace: &Trace, summary: &Summary) -> Friction {
    let pads: Vec<&Pad> = assembly.parameters().pads.iter().take(MOST).collect();
    let moves = |pad: &Pad| axes(pad).iter().any(|axis| kind(trace, &key("d", axis, &pad.name)) == Kind::Data);
    let (looping, going): (Vec<_>, Vec<_>) =
        pads.iter().enumerate().filter(|(_, pad)| moves(pad)).partition(|(_, pad)| makes_loops(pad, trace));
    let mut found = Friction { figures: Vec::new(), sections: Vec::new() };
    let mut add = |name, heading: &str, text: String, figure: Figure, table: Option<Content>| {
        let shown = untitled(&figure);
        let content = std::iter::once(shown).chain(table).collect();
        found.sections.push(Section { heading: heading.into(), text, content });
        found.figures.push((name, figure));
    };
    if let Some(figure) = loops_figure(&looping, trace) {
        let plane = looping.iter().any(|(_, pad)| pad.face == Face::Disk);
        let text = match plane {
            true => {
                "The displacements come back: where a cycle repeats itself, the areas of the loops along x and y \
                     together are the energy that the pad turns into heat in it."
            }
            false => {
                "The displacement comes back: where a cycle repeats itself, the area of the loop is the energy that the \
                      pad turns into heat in it."
            }
        };
        let table = cycles(assembly, &looping, trace, summary);
        add("hysteresis", "Hysteresis: friction against displacement", text.into(), figure, Some(table));
    }
    if let Some(figure) = law_figure(&going, trace) {
        let mut text =
            "The displacement does not repeat itself, so that friction against it makes no closed loops; this \
                        is friction against the slip speed."
                .to_string();
        if going.iter().all(|(_, pad)| pad.element == Element::Exact) {
            text.push_str(" At a speed of zero the pad sticks, with any friction up to its bound.");
        }
        add("friction", "Friction against slip speed", text, figure, None);
    }
    found
}

fn axes(pad: &Pad) -> &'static [&'static str] {
    if pad.face == Face::Disk { &["x", "y"] } else { &[""] }
}

/// Whether the displacement of a pad makes loops along each axis in which it moves.
fn makes_loops(pad: &Pad, trace: &Trace) -> bool {
    let columns = axes(pad).iter().map(|axis| key("d", axis, &pad.name));
    columns.filter(|name| kind(trace, name) == Kind::Data).all(|name| comes_back(trace.column(&name)))
}

/// Whether a displacement swings to and fro and comes back to where it turned before, as most of its later swings tell.
fn comes_back(d: &[f64]) -> bool {
    // What is large in the beginning may die away: later swings are measured by what is left of it.
    let late = &d[d.len() / 2..];
    let (least, most) = late.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(*v), hi.max(*v)));
    let turns = turning_points(d, TURN * (most - least));
    let gap = |w: &[f64]| (w[2] - w[0]).abs() / (w[1] - w[0]).abs().max((w[2] - w[1]).abs());
    let gaps: Vec<f64> = turns.windows(3).map(gap).collect();
    let mut later = gaps[gaps.len() / 2..].to_vec();
    later.sort_by(f64::total_cmp);
    later.get(later.len() / 2).is_some_and(|median| *median <= CLOSED)
}

/// The values at which a curve turns and goes back more than `least`, its start left out.
fn turning_points(values: &[f64], least: f64) -> Vec<f64> {
    let mut turns = Vec::new();
    let Some(&first) = values.first() else { return turns };
    // The farthest value since the last turn, and the way it went: +1, −1, or 0 as long as that is open.
    let (mut farthest, mut way) = (first, 0.0);
    for &value in values {
        if way == 0.0 {
            if (value - first).abs() > least {
                (farthest, way) = (value, (value - first).signum());
            }
        } else if way * (value - farthest) > 0.0 {
            farthest = value;
        } else if way * (farthest - value) > least {
            turns.push(farthest);
            (farthest, way) = (value, -way);
        }
    }
    turns
}

/// Friction against displacement, one panel for each direction.
fn loops_figure(pads: &[(usize, &&Pad)], trace: &Trace) -> Option<Figure> {
    let mut panels = Vec::new();
    for (axis, along) in [("", ""), ("x", " along x"), ("y", " along y")] {
        let mut panel = Panel::new(
            Axis::linear(format!("relative displacement{along}"), "m"),
            Axis::linear(format!("friction{along}"), "N"),
        );
        for (k, pad) in pads.iter().filter(|(_, pad)| axes(pad).contains(&axis)) {
            let [d, f] = ["d", "f"].map(|short| key(short, axis, &pad.name));
            if [&d, &f].iter().any(|name| kind(trace, name) != Kind::Data) {
                continue;
            }
            let (d, f) = (trace.column(&d), trace.column(&f));
            let states = states(std::iter::once(**pad), trace);
            let marks: Vec<&[i8]> = states.iter().map(Vec::as_slice).collect();
            let points = rows_to_keep(&[d, f], &marks, CURVE_POINTS).into_iter().map(|i| [d[i], f[i]]).collect();
            panel.series.push(Series::line(pad.name.clone(), Role::DATA[k % Role::DATA.len()], points));
        }
        if !panel.series.is_empty() {
            panel.height = 260.0;
            panels.push(panel);
        }
    }
    (!panels.is_empty()).then(|| Figure::side_by_side(panels).titled("Friction against displacement"))
}

/// Friction against slip speed; of pads that rub in the plane, the sizes of both.
fn law_figure(pads: &[(usize, &&Pad)], trace: &Trace) -> Option<Figure> {
    let plane = pads.iter().any(|(_, pad)| pad.face == Face::Disk);
    let [x, y] = if plane { ["size of the slip speed", "size of the friction"] } else { ["slip speed", "friction"] };
    let mut panel = Panel::new(Axis::linear(x, "m/s"), Axis::linear(y, "N"));
    for (k, pad) in pads {
        let size = |short: &str| -> Vec<f64> {
            let parts: Vec<&[f64]> = axes(pad).iter().map(|axis| trace.column(&key(short, axis, &pad.name))).collect();
            match (parts.as_slice(), plane) {
                ([x, y], _) => x.iter().zip(*y).map(|(x, y)| x.hypot(*y)).collect(),
                (parts, true) => parts[0].iter().map(|v| v.abs()).collect(),
                (parts, false) => parts[0].to_vec(),
            }
        };
        let (s, f) = (size("s"), size("f"));
        let points: Vec<[f64; 2]> =
            rows_to_keep(&[&s, &f], &[], CURVE_POINTS).into_iter().map(|i| [s[i], f[i]]).collect();
        let reach = |k: usize| {
            let ends = points.iter().fold((0.0_f64, 0.0_f64), |(lo, hi), p| (lo.min(p[k]), hi.max(p[k])));
            ends.1 - ends.0
        };
        let points = spread(&points, [reach(0), reach(1)]);
        panel.series.push(Series::markers(pad.name.clone(), Role::DATA[k % Role::DATA.len()], points));
    }
    panel.height = 260.0;
    (!panel.series.is_empty()).then(|| Figure::stacked(vec![panel]).titled("Friction against slip speed"))
}

/// Heat of each pad, in all and in the last period of the slowest prescribed sine.
fn cycles(assembly: &Assembly, pads: &[(usize, &&Pad)], trace: &Trace, summary: &Summary) -> Content {
    let slowest = assembly.parameters().forces.iter().filter_map(|force| match &force.signal {
        stickslip_core::signal::Signal::Sine(sine) if sine.omega != 0.0 => {
            Some(std::f64::consts::TAU / sine.omega.abs())
        }
        _ => None,
    });
    let period = slowest.fold(0.0, f64::max);
    let mut header = vec!["pad".to_string(), "friction work in all (J)".to_string()];
    let cyclic = period > 0.0 && period < trace.end;
    if cyclic {
        header.push(format!("in the last cycle of {} s (J)", stickslip_run::text::number_to(period, 4)));
    }
    let row = |(_, pad): &(usize, &&Pad)| {
        let (mut all, mut last) = (0.0, 0.0);
        for axis in axes(pad) {
            let (d, f) = (trace.column(&key("d", axis, &pad.name)), trace.column(&key("f", axis, &pad.name)));
            for ((d, f), t) in d.windows(2).zip(f.windows(2)).zip(trace.column("t").windows(2)) {
                // The force of a row acted over the step that led to it.
                let work = f[1] * (d[1] - d[0]);
                all += work;
                last += if t[0] >= trace.end - period - 1e-9 { work } else { 0.0 };
            }
        }
        // The ledger has counted every step; the rows in memory are thinned.
        let counted = summary.energy.dissipated.iter().find(|(contact, _)| *contact == pad.name);
        let mut row = vec![pad.name.clone(), number(counted.map_or(all, |(_, energy)| *energy))];
        if cyclic {
            row.push(number(last));
        }
        row
    };
    Content::Table(TextTable { header, rows: pads.iter().map(row).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(f: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..4000).map(|k| f(0.01 * f64::from(k))).collect()
    }

    #[test]
    fn only_what_comes_back_makes_loops() {
        assert!(comes_back(&curve(f64::sin)));
        assert!(comes_back(&curve(|t| 3.0 + t.sin() + 0.02 * (0.7 * t).sin())));
        // A transient that ends in a cycle does.
        assert!(comes_back(&curve(|t| t.sin() + (-t).exp())));
        // So do three periods, from rest.
        assert!(comes_back(&(0..1900).map(|k| 1.0 - (0.01 * f64::from(k)).cos()).collect::<Vec<_>>()));
        // Bumps at the ends of swings do not matter.
        assert!(comes_back(&curve(|t| t.sin() + 0.4 * (3.0 * t).cos())));
        // A belt runs on, evenly or in jerks; a free swing dies away; rest is no loop.
        assert!(!comes_back(&curve(|t| 0.2 * t)));
        assert!(!comes_back(&curve(|t| t + 0.9 * t.sin())));
        assert!(!comes_back(&curve(|t| t + 3.0 * t.sin())));
        assert!(!comes_back(&curve(|t| (14.0 - 2.0 * (t / std::f64::consts::PI).floor()).max(0.0) * t.cos())));
        assert!(!comes_back(&[1.0; 50]));
        assert!(!comes_back(&[]));
    }

    #[test]
    fn turns_are_where_the_way_changes() {
        assert_eq!(turning_points(&[0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 3.0], 0.5), [2.0, 0.0]);
        // Bumps are no turns.
        assert_eq!(turning_points(&[0.0, 1.0, 0.8, 2.0, 1.5, 1.9, 0.0, 0.3, 0.0, 2.0], 0.6), [2.0, 0.0]);
    }
}
