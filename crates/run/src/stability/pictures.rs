//! Root locus, map and mode shapes, drawn.

use stickslip_core::analysis::stability::{Mode, Root, Tendency, unstable};
use stickslip_report::figure::{Anchor, Axis, Cell, Figure, LEVELS, Map, Note, Panel, Series, Shade};
use stickslip_report::palette::Role;
use stickslip_scenario::Interval;

use super::tracks::{Track, tracks};
use super::{Own, Stability, named};
use crate::text::number_to;

/// Modes whose shapes are drawn at the most.
const SHAPES: usize = 4;

/// Curves of a picture that have names.
const NAMED: usize = 12;

/// All figures, by the names of their files.
pub(super) fn figures(result: &Stability) -> Vec<(&'static str, Figure)> {
    let mut figures = Vec::new();
    match &result.vary[..] {
        [] => {}
        [key] => {
            let known: Vec<Option<&[Root]>> = result.points.iter().map(|p| p.roots.as_deref().ok()).collect();
            let (tracks, left_out) = near_the_border(tracks(&known));
            figures.push(("growth", growth(result, key, &tracks, &left_out)));
            figures.push(("root-locus", locus(&tracks, &left_out)));
        }
        [rows, columns, ..] => figures.push(("map", map(result, rows, columns))),
    }
    if let Ok(own) = &result.own {
        figures.push(("modes", shapes(own)));
    }
    figures
}

/// How many times the fastest growth the fastest decay is that is drawn: roots that decay far faster would press all others together.
const SHOWN_DECAY: f64 = 4.0;

/// The tracks without what decays far faster than anything grows, and words about that.
fn near_the_border(mut tracks: Vec<Track>) -> (Vec<Track>, String) {
    let grown = tracks.iter().flat_map(|track| track.iter().flatten()).map(|root| root.real).fold(0.0, f64::max);
    if grown <= 0.0 {
        return (tracks, String::new());
    }
    let floor = -SHOWN_DECAY * grown;
    let mut hidden = false;
    for root in tracks.iter_mut().flatten().filter(|root| root.is_some_and(|root| root.real < floor)) {
        (hidden, *root) = (true, None);
    }
    tracks.retain(|track| track.iter().any(Option::is_some));
    let words = if hidden {
        format!("; what decays faster than {} 1/s is left out", number_to(-floor, 3))
    } else {
        String::new()
    };
    (tracks, words)
}

fn axis(range: &Interval) -> Axis {
    let axis = if range.log { Axis::log(&range.key, "") } else { Axis::linear(&range.key, "") };
    let (lo, hi) = (range.from.min(range.to), range.from.max(range.to));
    axis.from_to(lo, hi)
}

/// A curve for each root; those of an oscillation are named by its frequency where they begin.
fn curves(tracks: &[Track], at: impl Fn(usize, &Root) -> [f64; 2]) -> Vec<Series> {
    let curve = |(t, track): (usize, &Track)| {
        let begin = track.iter().flatten().next();
        let name = match begin {
            Some(root) if t < NAMED && root.frequency > 0.0 => format!("{} Hz", number_to(root.hertz(), 4)),
            Some(_) if t < NAMED => "real".to_string(),
            _ => String::new(),
        };
        let points = track.iter().enumerate();
        let points = points.map(|(k, root)| root.map_or([f64::NAN; 2], |root| at(k, &root))).collect();
        Series::line(name, Role::DATA[t % Role::DATA.len()], points)
    };
    tracks.iter().enumerate().map(curve).collect()
}

/// Real parts over the key.
fn growth(result: &Stability, key: &Interval, tracks: &[Track], left_out: &str) -> Figure {
    let values = &result.values[0];
    let mut panel = Panel::new(axis(key), Axis::linear("real part", "1/s"));
    panel.height = 300.0;
    let ends = [key.from.min(key.to), key.from.max(key.to)];
    panel.series.push(Series::line("", Role::Reference, ends.map(|x| [x, 0.0]).to_vec()).wide(1.0));
    panel.series.extend(curves(tracks, |k, root| [values[k], root.real]));
    let marks = result.found.iter().filter(|found| found.range.key == key.key);
    let marks: Vec<[f64; 2]> = marks
        .flat_map(|found| &found.critical)
        .map(|c| c.value)
        .filter(|v| *v >= ends[0] && *v <= ends[1])
        .map(|v| [v, 0.0])
        .collect();
    if !marks.is_empty() {
        panel.series.push(Series::markers("critical", Role::Slip, marks));
    }
    Figure::stacked(vec![panel]).titled(format!("Growth of every mode: above zero it is unstable{left_out}"))
}

/// Roots in the plane: real part across, frequency upwards.
fn locus(tracks: &[Track], left_out: &str) -> Figure {
    let mut panel = Panel::new(Axis::linear("real part", "1/s"), Axis::linear("frequency", "Hz"));
    panel.height = 380.0;
    let all = || tracks.iter().flat_map(|track| track.iter().flatten());
    let top = all().map(Root::hertz).fold(0.0, f64::max);
    let bottom = all().map(Root::hertz).fold(top, f64::min);
    panel.series.push(Series::line("", Role::Reference, vec![[0.0, bottom], [0.0, top]]).wide(1.0));
    panel.series.extend(curves(tracks, |_, root| [root.real, root.hertz()]));
    let begins = tracks.iter().filter_map(|track| track.iter().flatten().next());
    let begins = begins.map(|root| [root.real, root.hertz()]).collect();
    panel.series.push(Series::markers("first value", Role::Reference, begins));
    let grows: Vec<[f64; 2]> =
        all().filter(|root| root.tendency() == Tendency::Unstable).map(|root| [root.real, root.hertz()]).collect();
    if !grows.is_empty() {
        panel.series.push(Series::markers("unstable", Role::Slip, grows));
    }
    Figure::stacked(vec![panel]).titled(format!("Root locus{left_out}"))
}

/// Edges of the elements about the values of a key: half-way between neighbours, and as far beyond the ends.
pub(super) fn edges(range: &Interval, values: &[f64]) -> Vec<f64> {
    let place = |v: f64| if range.log { v.ln() } else { v };
    let back = |x: f64| if range.log { x.exp() } else { x };
    let n = values.len();
    let step = (place(values[n - 1]) - place(values[0])) / (n - 1) as f64;
    (0..=n).map(|k| back(place(values[0]) + (k as f64 - 0.5) * step)).collect()
}

/// The greys of a map: the lightest for what is stable, darker ones for what grows.
fn level(share: f64) -> f64 {
    let lightest = 1.0 / LEVELS as f64;
    if share > 0.0 { lightest + (1.0 - lightest) * share.min(1.0) } else { 0.0 }
}

/// Growth and number of unstable roots over two keys: the first upwards, the second across.
fn map(result: &Stability, rows: &Interval, columns: &Interval) -> Figure {
    let leads = result.leads();
    let growth: Vec<Option<f64>> = leads.iter().map(|lead| lead.map(|root| root.real)).collect();
    let count = |point: &super::Point| point.roots.as_ref().ok().map(|roots| unstable(roots) as f64);
    let counts: Vec<Option<f64>> = result.points.iter().map(count).collect();
    let greatest = |values: &[Option<f64>]| values.iter().flatten().copied().fold(0.0, f64::max);
    let border = borders(&growth, &result.values, [rows, columns]);
    let panel = |values: &[Option<f64>], title: String| {
        let most = greatest(values);
        let shares: Vec<Option<f64>> =
            values.iter().map(|v| v.map(|v| if most > 0.0 { level(v / most) } else { 0.0 })).collect();
        let ends = |range: &Interval, k: usize| {
            let edges = edges(range, &result.values[k]);
            let (a, b) = (edges[0], edges[edges.len() - 1]);
            axis(range).from_to(a.min(b), a.max(b))
        };
        let mut panel = Panel::new(ends(columns, 1), ends(rows, 0));
        (panel.height, panel.title) = (330.0, title);
        elements(&mut panel, result, [rows, columns], &shares);
        panel.series.push(Series::line("border of stability", Role::Slip, border.clone()).wide(2.0));
        panel
    };
    let fastest = number_to(greatest(&growth), 4);
    let most = number_to(greatest(&counts), 4);
    Figure::side_by_side(vec![
        panel(&growth, format!("growth rate; darkest: {fastest} 1/s")),
        panel(&counts, format!("unstable modes; darkest: {most}")),
    ])
    .titled("Light: stable. Grey: unstable, the darker the more. White: no steady state")
}

/// The elements of a map.
fn elements(panel: &mut Panel, result: &Stability, ranges: [&Interval; 2], shares: &[Option<f64>]) {
    let [rows, columns] = [0, 1].map(|k| edges(ranges[k], &result.values[k]));
    let width = columns.len() - 1;
    let rising = ranges.iter().all(|range| range.to > range.from && !range.log);
    if rising {
        let shade = |share: &Option<f64>| share.map_or(Shade::Empty, Shade::Level);
        panel.map = Some(Map {
            columns: width,
            origin: [columns[0], rows[0]],
            size: [columns[1] - columns[0], rows[1] - rows[0]],
            shades: shares.iter().map(shade).collect(),
        });
        return;
    }
    for (k, share) in shares.iter().enumerate() {
        let (i, j) = (k % width, k / width);
        let Some(level) = *share else { continue };
        let corners = vec![
            [columns[i], rows[j]],
            [columns[i + 1], rows[j]],
            [columns[i + 1], rows[j + 1]],
            [columns[i], rows[j + 1]],
        ];
        panel.cells.push(Cell { corners, level });
    }
}

/// The line on which the growth is zero, through the squares of the grid, straight in each of them.
fn borders(growth: &[Option<f64>], values: &[Vec<f64>], ranges: [&Interval; 2]) -> Vec<[f64; 2]> {
    let [rows, columns] = [values[0].len(), values[1].len()];
    let between = |range: &Interval, a: f64, b: f64, t: f64| {
        if range.log { a * (b / a).powf(t) } else { a + (b - a) * t }
    };
    let mut lines = Vec::new();
    for j in 0..rows - 1 {
        for i in 0..columns - 1 {
            let corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
            let at = corners.map(|[i, j]| growth[j * columns + i]);
            let [Some(a), Some(b), Some(c), Some(d)] = at else { continue };
            let at = [a, b, c, d];
            let mut crossed = Vec::new();
            for side in 0..4 {
                let (from, to) = (side, (side + 1) % 4);
                if (at[from] > 0.0) == (at[to] > 0.0) {
                    continue;
                }
                let t = at[from] / (at[from] - at[to]);
                let value = |axis: usize, k: usize| values[1 - axis][corners[k][axis]];
                let place = |axis: usize| between(ranges[1 - axis], value(axis, from), value(axis, to), t);
                crossed.push([place(0), place(1)]);
            }
            for pair in crossed.chunks_exact(2) {
                lines.extend([pair[0], pair[1], [f64::NAN; 2]]);
            }
        }
    }
    lines
}

/// Components smaller than this have no phase to be read: they would be shown as 0.000.
const NO_SIZE: f64 = 5e-4;

/// Shapes of the modes that grow; of the slowest to decay if none does.
fn shapes(own: &Own) -> Figure {
    let grows = |mode: &&Mode| mode.root.tendency() == Tendency::Unstable;
    let mut shown: Vec<&Mode> = own.modes.iter().filter(grows).take(SHAPES).collect();
    let title = if shown.is_empty() {
        shown.extend(own.modes.first());
        "Shape of the mode that decays slowest: size and phase of each component"
    } else {
        "Shapes of the unstable modes: size and phase of each component"
    };
    let positions = own.system.positions;
    let panel = |mode: &Mode| {
        let x = Axis::linear("component", "").from_to(0.3, positions as f64 + 0.7);
        let mut panel = Panel::new(x, Axis::linear("size", "1").from_to(-0.22, 1.25));
        (panel.height, panel.title) = (170.0, named(&mode.root));
        for (k, [size, phase]) in mode.drawn(positions).into_iter().enumerate() {
            let x = k as f64 + 1.0;
            panel.series.push(Series::line("", Role::First, vec![[x, 0.0], [x, size]]).wide(12.0));
            let note = |y: f64, text: String| Note { at: [x, y], text, anchor: Anchor::Middle };
            let name = own.system.names[k].split(" [").next().unwrap_or_default().to_string();
            panel.notes.push(note(-0.16, name));
            if size > NO_SIZE {
                panel.notes.push(note(size + 0.07, format!("{}°", phase.to_degrees().round() + 0.0)));
            }
        }
        panel.series.push(Series::line("", Role::Reference, vec![[0.3, 0.0], [positions as f64 + 0.7, 0.0]]).wide(1.0));
        panel
    };
    Figure::stacked(shown.into_iter().map(panel).collect()).titled(title)
}
