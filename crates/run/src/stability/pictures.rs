//! Root locus, map and mode shapes, drawn.

use stickslip_core::analysis::stability::{Mode, Root, Tendency, unstable};
use stickslip_report::figure::{Anchor, Axis, ColourMap, ColourScale, Figure, Note, Panel, Series, Tint};
use stickslip_report::palette::Role;
use stickslip_scenario::Interval;

use super::tracks::{Track, tracks};
use super::{Own, Stability, named};
use crate::text::number_to;

/// Modes whose shapes are drawn at the most.
const SHAPES: usize = 4;

/// All figures, by the names of their files.
pub(super) fn figures(result: &Stability) -> Vec<(&'static str, Figure)> {
    let mut figures = Vec::new();
    match &result.vary[..] {
        [] => {}
        [key] => {
            let known: Vec<Option<&[Root]>> = result.points.iter().map(|p| p.roots.as_deref().ok()).collect();
            let (branches, left_out) = near_the_border(tracks(&known), &result.parts);
            figures.push(("growth", growth(result, key, &branches, &left_out)));
            figures.push(("root-locus", locus(&branches, &left_out)));
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

/// A track as it is drawn.
struct Branch {
    /// Its name: its greatest component and its frequency where it grows fastest; the frequency with which it begins where that is not known.
    name: String,
    /// Its roots, without those that are not drawn.
    roots: Track,
}

impl Branch {
    fn new(roots: Track, part: Option<&String>) -> Branch {
        let fastest = roots.iter().flatten().max_by(|a, b| a.real.total_cmp(&b.real));
        let named = |root: Option<&Root>| match root {
            Some(root) if root.frequency > 0.0 => format!("{} Hz", number_to(root.hertz(), 4)),
            _ => "real".to_string(),
        };
        let name = match part {
            Some(part) => format!("{part}, {}", named(fastest)),
            None => named(roots.iter().flatten().next()),
        };
        Branch { name, roots }
    }

    /// Its root at the first value of the key, if it has one there and that is drawn.
    fn at_first(&self) -> Option<Root> {
        self.roots.first().copied().flatten()
    }
}

/// The tracks without what decays far faster than anything grows, and words about that.
fn near_the_border(tracks: Vec<Track>, parts: &[Option<String>]) -> (Vec<Branch>, String) {
    let grown = tracks.iter().flat_map(|track| track.iter().flatten()).map(|root| root.real).fold(0.0, f64::max);
    let mut branches: Vec<Branch> = tracks
        .into_iter()
        .enumerate()
        .map(|(k, track)| Branch::new(track, parts.get(k).and_then(Option::as_ref)))
        .collect();
    if grown <= 0.0 {
        return (branches, String::new());
    }
    let floor = -SHOWN_DECAY * grown;
    let mut hidden = false;
    let roots = branches.iter_mut().flat_map(|branch| &mut branch.roots);
    for root in roots.filter(|root| root.is_some_and(|root| root.real < floor)) {
        (hidden, *root) = (true, None);
    }
    branches.retain(|branch| branch.roots.iter().any(Option::is_some));
    let words = if hidden {
        format!("; what decays faster than {} 1/s is left out", number_to(-floor, 3))
    } else {
        String::new()
    };
    (branches, words)
}

/// The axis of a varied key, by its number.
fn axis(result: &Stability, k: usize) -> Axis {
    let (range, unit) = (&result.vary[k], &result.units[k]);
    let axis = if range.log { Axis::log(&range.key, unit) } else { Axis::linear(&range.key, unit) };
    let (lo, hi) = (range.from.min(range.to), range.from.max(range.to));
    axis.from_to(lo, hi)
}

/// A curve for each root, named by its frequency where it begins: as many as there are ways to draw one, those that come nearest to growing
/// first; the others together.
fn curves(branches: &[Branch], at: impl Fn(usize, &Root) -> [f64; 2]) -> Vec<Series> {
    let most = |branch: &Branch| branch.roots.iter().flatten().map(|root| root.real).fold(f64::NEG_INFINITY, f64::max);
    let mut order: Vec<usize> = (0..branches.len()).collect();
    order.sort_by(|a, b| most(&branches[*b]).total_cmp(&most(&branches[*a])).then(a.cmp(b)));
    let (named, others) = order.split_at(Role::DATA.len().min(order.len()));
    let points = |t: usize| {
        let track = branches[t].roots.iter().enumerate();
        track.map(|(k, root)| root.map_or([f64::NAN; 2], |root| at(k, &root))).collect::<Vec<[f64; 2]>>()
    };
    let curve = |(k, t): (usize, &usize)| Series::line(branches[*t].name.clone(), Role::DATA[k], points(*t));
    let mut all: Vec<Series> = named.iter().enumerate().map(curve).collect();
    if !others.is_empty() {
        let between = |t: &usize| points(*t).into_iter().chain([[f64::NAN; 2]]);
        all.push(Series::line("others", Role::Reference, others.iter().flat_map(between).collect()).wide(1.0));
    }
    all
}

/// Real parts over the key.
fn growth(result: &Stability, key: &Interval, branches: &[Branch], left_out: &str) -> Figure {
    let values = &result.values[0];
    let mut panel = Panel::new(axis(result, 0), Axis::linear("real part", "1/s"));
    panel.height = 300.0;
    let ends = [key.from.min(key.to), key.from.max(key.to)];
    panel.series.push(Series::line("", Role::Reference, ends.map(|x| [x, 0.0]).to_vec()).wide(1.0));
    panel.series.extend(curves(branches, |k, root| [values[k], root.real]));
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
fn locus(branches: &[Branch], left_out: &str) -> Figure {
    let mut panel = Panel::new(Axis::linear("real part", "1/s"), Axis::linear("frequency", "Hz"));
    panel.height = 380.0;
    let all = || branches.iter().flat_map(|branch| branch.roots.iter().flatten());
    let top = all().map(Root::hertz).fold(0.0, f64::max);
    let bottom = all().map(Root::hertz).fold(top, f64::min);
    panel.series.push(Series::line("", Role::Reference, vec![[0.0, bottom], [0.0, top]]).wide(1.0));
    let grows: Vec<[f64; 2]> =
        all().filter(|root| root.tendency() == Tendency::Unstable).map(|root| [root.real, root.hertz()]).collect();
    // Under the curves, so that their colours and dashes are seen.
    if !grows.is_empty() {
        panel.series.push(Series::dots("unstable", Role::Slip, grows));
    }
    panel.series.extend(curves(branches, |_, root| [root.real, root.hertz()]));
    let begins: Vec<[f64; 2]> =
        branches.iter().filter_map(Branch::at_first).map(|root| [root.real, root.hertz()]).collect();
    if !begins.is_empty() {
        panel.series.push(Series::markers("first value", Role::Reference, begins));
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

/// Growth and number of unstable roots over two keys: the first upwards, the second across.
fn map(result: &Stability, rows: &Interval, columns: &Interval) -> Figure {
    let leads = result.leads();
    let growth: Vec<Option<f64>> = leads.iter().map(|lead| lead.map(|root| root.real)).collect();
    let count = |point: &super::Point| point.roots.as_ref().ok().map(|roots| unstable(roots) as f64);
    let counts: Vec<Option<f64>> = result.points.iter().map(count).collect();
    let border = borders(&growth, &result.values, [rows, columns]);
    let panel = |values: &[Option<f64>], measured: Axis| {
        let most = values.iter().flatten().copied().fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let tint = |value: &Option<f64>| value.map_or(Tint::Empty, |v| Tint::Value(v.max(0.0) / most));
        let places = [(columns, 1), (rows, 0)].map(|(range, k)| edges(range, &result.values[k]));
        let ends = |k: usize, edges: &[f64]| {
            let (a, b) = (edges[0], edges[edges.len() - 1]);
            axis(result, k).from_to(a.min(b), a.max(b))
        };
        let mut panel = Panel::new(ends(1, &places[0]), ends(0, &places[1]));
        panel.height = 240.0;
        panel.colours = Some(ColourMap {
            edges: places,
            tints: values.iter().map(tint).collect(),
            scale: Some(ColourScale { axis: measured, ends: [0.0, most] }),
            contours: Vec::new(),
        });
        panel.series.push(Series::line("border of stability", Role::Slip, border.clone()).wide(2.0));
        panel
    };
    Figure::stacked(vec![
        panel(&growth, Axis::linear("growth rate", "1/s")),
        panel(&counts, Axis::linear("unstable modes", "")),
    ])
    .titled(legend(result))
}

/// What the colours of a map mean.
pub(super) fn legend(result: &Stability) -> &'static str {
    if result.points.iter().any(|point| point.roots.is_err()) {
        "Palest: stable; the darker, the more unstable. Left empty: no matrix there"
    } else {
        "Palest: stable; the darker, the more unstable"
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

/// Share of the greatest component from which on a component has a phase, and is drawn where not all have room.
const DRAWN: f64 = 0.02;

/// Components that have room for their names, and letters of those.
const COMPONENTS: usize = 14;
const LETTERS: usize = 90;

/// Components to draw: all, or where they are too many for their names those that are great in any of the modes, the greatest first
/// where even they are too many; and whether some are left out.
fn components(shown: &[Vec<[f64; 2]>], names: &[String]) -> (Vec<usize>, bool) {
    let fit = |list: &[usize]| {
        let letters: usize = list.iter().map(|k| names[*k].chars().count() + 1).sum();
        list.len() <= COMPONENTS && letters <= LETTERS
    };
    let most = |k: usize| shown.iter().map(|shape| shape[k][0]).fold(0.0, f64::max);
    let all: Vec<usize> = (0..shown.first().map_or(0, Vec::len)).collect();
    if fit(&all) {
        return (all, false);
    }
    let mut great: Vec<usize> = all.into_iter().filter(|k| most(*k) >= DRAWN).collect();
    while great.len() > 1 && !fit(&great) {
        let least = (0..great.len()).min_by(|a, b| most(great[*a]).total_cmp(&most(great[*b]))).unwrap_or(0);
        great.remove(least);
    }
    (great, true)
}

/// Shapes of the modes that grow; of the slowest to decay if none does.
fn shapes(own: &Own) -> Figure {
    let grows = |mode: &&Mode| mode.root.tendency() == Tendency::Unstable;
    let mut shown: Vec<&Mode> = own.modes.iter().filter(grows).take(SHAPES).collect();
    let all = own.modes.iter().filter(grows).count();
    let mut title = if shown.is_empty() {
        shown.extend(own.modes.first());
        "Shape of the mode that decays slowest: size and phase of each component".to_string()
    } else if all > shown.len() {
        format!(
            "Shapes of {} of the {all} unstable modes, the fastest growing first: size and phase of each component",
            shown.len()
        )
    } else {
        "Shapes of the unstable modes: size and phase of each component".to_string()
    };
    let positions = own.system.positions;
    let names: Vec<String> =
        own.system.names.iter().map(|name| name.split(" [").next().unwrap_or_default().to_string()).collect();
    let drawn: Vec<Vec<[f64; 2]>> = shown.iter().map(|mode| mode.drawn(positions)).collect();
    let (list, some) = components(&drawn, &names);
    if some {
        title += "; small components are left out";
    }
    let end = list.len() as f64 + 0.7;
    let panel = |(mode, shape): (&&Mode, &Vec<[f64; 2]>)| {
        // Names stand where numbers would.
        let x = Axis::linear("", "").from_to(0.3, end);
        let mut panel = Panel::new(x, Axis::linear("size", "1").from_to(-0.22, 1.25));
        (panel.height, panel.title) = (170.0, named(&mode.root));
        for (place, k) in list.iter().enumerate() {
            let (x, [size, phase]) = (place as f64 + 1.0, shape[*k]);
            panel.series.push(Series::line("", Role::First, vec![[x, 0.0], [x, size]]).wide(12.0));
            let note = |y: f64, text: String| Note { at: [x, y], text, anchor: Anchor::Middle };
            panel.notes.push(note(-0.16, names[*k].clone()));
            if size >= DRAWN {
                panel.notes.push(note(size + 0.07, format!("{}°", phase.to_degrees().round() + 0.0)));
            }
        }
        panel.series.push(Series::line("", Role::Reference, vec![[0.3, 0.0], [end, 0.0]]).wide(1.0));
        panel
    };
    Figure::stacked(shown.iter().zip(&drawn).map(panel).collect()).titled(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root that is left out at the first value of the key is not marked where it comes into the picture, and its name stays.
    #[test]
    fn branches_begin_where_they_begin() {
        let root =
            |real: f64, hertz: f64| Some(Root { real, frequency: hertz * std::f64::consts::TAU, uncertainty: 0.0 });
        let into = vec![root(-100.0, 50.0), root(-30.0, 40.0), root(-3.0, 30.0)];
        let within = vec![root(1.0, 7.0), root(1.0, 8.0), root(1.0, 9.0)];
        let late = vec![None, root(-1.0, 3.0), root(-1.0, 2.0)];
        let (branches, words) = near_the_border(vec![into.clone(), within, late], &[]);
        assert!(words.contains("faster than 4 1/s"), "{words}");
        let names: Vec<&str> = branches.iter().map(|branch| branch.name.as_str()).collect();
        assert_eq!(names, ["50 Hz", "7 Hz", "3 Hz"]);
        let named = Branch::new(into, Some(&"3L0".to_string()));
        assert_eq!(named.name, "3L0, 30 Hz", "where it decays slowest");
        assert_eq!(branches[0].roots[..2], [None, None]);
        let first: Vec<bool> = branches.iter().map(|branch| branch.at_first().is_some()).collect();
        assert_eq!(first, [false, true, false]);
        let figure = locus(&branches, "");
        let marked = figure.panels[0].series.iter().find(|series| series.name == "first value").expect("one begins");
        assert_eq!(marked.points.len(), 1);
        assert!((marked.points[0][0] - 1.0).abs() < 1e-12 && (marked.points[0][1] - 7.0).abs() < 1e-12);
    }
}
