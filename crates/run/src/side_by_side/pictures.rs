//! One quantity of several runs, drawn.

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use super::Ran;
use super::measure::{Deviation, common_end, differences};

/// Points that a curve has at the most.
const CURVE_POINTS: usize = 3000;

/// Share of the duration that the enlarged panel shows.
const ENLARGED: f64 = 0.02;

/// As many points as a picture can show.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let values: Vec<f64> = points.iter().map(|p| p[1]).collect();
    rows_to_keep(&[&values], &[], CURVE_POINTS).into_iter().map(|i| points[i]).collect()
}

fn curve(run: &Ran<'_>, from: f64, to: f64) -> Vec<[f64; 2]> {
    thinned(&run.course.points(from, to))
}

fn role(k: usize) -> Role {
    Role::DATA[k % Role::DATA.len()]
}

fn end(runs: &[Ran<'_>]) -> f64 {
    runs.iter().map(|run| run.trace.end).fold(0.0, f64::max)
}

/// A panel for each run, all with the same axes, the first drawn over each of the others, which may be crowded.
pub(super) fn whole(runs: &[Ran<'_>], column: &str, unit: &str) -> Figure {
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    for v in runs.iter().flat_map(|run| &run.course.v) {
        (lo, hi) = (lo.min(*v), hi.max(*v));
    }
    let margin = if hi > lo { 0.05 * (hi - lo) } else { 1.0 };
    let mut panels = Vec::new();
    for (k, run) in runs.iter().enumerate() {
        let x = Axis::linear("time", "s").from_to(0.0, end(runs));
        let mut panel = Panel::new(x, Axis::linear(column, unit).from_to(lo - margin, hi + margin));
        panel.height = 150.0;
        panel.strips = run.trace.strips().into_iter().take(4).collect();
        panel.series.push(Series::line(run.name, role(k), curve(run, 0.0, run.trace.end)));
        // What comes later lies above.
        if k > 0 {
            let first = &runs[0];
            panel.series.push(Series::line(first.name, role(0), curve(first, 0.0, first.trace.end)));
        }
        panels.push(panel);
    }
    Figure::stacked(panels).titled(format!("{column}, one run below the other"))
}

/// All runs about the time at which one of them differs most from the first.
pub(super) fn enlarged(runs: &[Ran<'_>], column: &str, unit: &str, rows: &[Deviation]) -> Figure {
    let worst = rows.iter().fold((0.0, 0.0), |w: (f64, f64), row| if row.greatest.0 > w.0 { row.greatest } else { w });
    let (width, until) = (ENLARGED * common_end(runs), common_end(runs));
    let (from, to) = ((worst.1 - 0.25 * width).max(0.0), (worst.1 + width).min(until));
    let mut panel = Panel::new(Axis::linear("time", "s").from_to(from, to), Axis::linear(column, unit));
    panel.height = 260.0;
    for (k, run) in runs.iter().enumerate() {
        panel.series.push(Series::line(run.name, role(k), curve(run, from, to)));
    }
    Figure::stacked(vec![panel]).titled("Where they differ most")
}

/// The differences from the first over time.
pub(super) fn difference(runs: &[Ran<'_>], column: &str, unit: &str) -> Figure {
    let label = format!("{column} − that of {}", runs[0].name);
    let x = Axis::linear("time", "s").from_to(0.0, end(runs));
    let mut panel = Panel::new(x, Axis::linear(label, unit));
    panel.height = 200.0;
    // One difference alone is what the panel is about.
    let role = |k: usize| if runs.len() == 2 { Role::First } else { role(k) };
    for (k, run) in runs.iter().enumerate().skip(1) {
        panel.series.push(Series::line(run.name, role(k), thinned(&differences(run, &runs[0]))));
    }
    Figure::stacked(vec![panel]).titled("Differences from the first")
}
