//! Maps over two keys: colours of a value with contour lines, or classes with their borders.

use std::collections::BTreeSet;

use stickslip_report::figure::{Anchor, Axis, ColourMap, ColourScale, Contour, Figure, Fill, Note, Panel, Tint};

use super::group::Group;
use super::{Data, axis, class_column, contour, grid_keys, is_numeric, outputs, rising, sorted};
use crate::Plan;

/// Levels of contour lines.
const CONTOURS: usize = 8;

/// A grid of two keys: the places along each.
struct Grid {
    /// Rising, whatever the order of the points.
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// Which point lies at each place, x running first.
    order: Vec<usize>,
    log: [bool; 2],
    /// An empty panel with its axes.
    panel: Panel,
}

impl Grid {
    fn new(
        plan: &Plan<'_>,
        data: &Data,
        (x, columns, log_x): (usize, usize, bool),
        (y, rows, log_y): (usize, usize, bool),
    ) -> Grid {
        let xs: Vec<f64> = data.numbers(x)[..columns].to_vec();
        let ys: Vec<f64> = data.numbers(y).iter().step_by(columns).copied().take(rows).collect();
        let (along, up) = (rising(&xs), rising(&ys));
        let order = up.iter().flat_map(|j| along.iter().map(move |i| j * columns + i)).collect();
        let [xs, ys]: [Vec<f64>; 2] =
            [(&xs, &along), (&ys, &up)].map(|(all, order)| order.iter().map(|k| all[*k]).collect());
        let mut panel = Panel::new(axis(plan, x, log_x), axis(plan, y, log_y));
        panel.height = 420.0;
        let ends = |places: &[f64], log: bool| {
            let edges = edges(places, log);
            let (a, b) = (edges.first().copied().unwrap_or(0.0), edges.last().copied().unwrap_or(1.0));
            (a.min(b), a.max(b))
        };
        let ((left, right), (bottom, top)) = (ends(&xs, log_x), ends(&ys, log_y));
        (panel.x, panel.y) = (panel.x.from_to(left, right), panel.y.from_to(bottom, top));
        Grid { xs, ys, order, log: [log_x, log_y], panel }
    }

    /// What points have, in the order of the places.
    fn in_place<T: Copy>(&self, of_points: &[T]) -> Vec<T> {
        self.order.iter().filter_map(|point| of_points.get(*point).copied()).collect()
    }

    fn panel(&self, title: String, tints: Vec<Tint>, scale: Option<ColourScale>, contours: Vec<Contour>) -> Panel {
        let edges = [edges(&self.xs, self.log[0]), edges(&self.ys, self.log[1])];
        Panel { title, colours: Some(ColourMap { edges, tints, scale, contours }), ..self.panel.clone() }
    }

    /// Lines along which values pass a level, in one list; none where they jump.
    fn lines(&self, values: &[f64], level: f64, jumps: &BTreeSet<contour::Edge>) -> Vec<[f64; 2]> {
        let mut points = Vec::new();
        for line in contour::lines(&self.xs, &self.ys, values, level, jumps) {
            points.extend(line);
            points.push([f64::NAN; 2]);
        }
        points
    }
}

/// The points of a plan over two keys in the order of their places, the last key running first.
pub(super) fn order(plan: &Plan<'_>, data: &Data) -> Vec<usize> {
    match grid_keys(plan)[..] {
        [y, x] => Grid::new(plan, data, x, y).order,
        _ => Vec::new(),
    }
}

/// Edges of cells about places: halfway between neighbours, by ratios on a scale of ratios.
pub(crate) fn edges(places: &[f64], log: bool) -> Vec<f64> {
    let to = |x: f64| if log { x.ln() } else { x };
    let from = |x: f64| if log { x.exp() } else { x };
    // Ranges of ratios may be negative as a whole.
    let sign = if log && places.first().is_some_and(|x| *x < 0.0) { -1.0 } else { 1.0 };
    let at: Vec<f64> = places.iter().map(|x| to(sign * x)).collect();
    let (Some(first), Some(last)) = (at.first(), at.last()) else { return Vec::new() };
    if at.len() == 1 {
        return vec![places[0] - 0.5, places[0] + 0.5];
    }
    let mut all = vec![first - 0.5 * (at[1] - first)];
    all.extend(at.windows(2).map(|two| 0.5 * (two[0] + two[1])));
    all.push(last + 0.5 * (last - at[at.len() - 2]));
    all.into_iter().map(|x| sign * from(x)).collect()
}

/// Each output over two keys, and the classes.
pub(super) fn maps(
    plan: &Plan<'_>,
    data: &Data,
    x: (usize, usize, bool),
    y: (usize, usize, bool),
) -> Vec<(String, Figure)> {
    let grid = Grid::new(plan, data, x, y);
    let mut figures = Vec::new();
    for output in outputs(plan) {
        let values = &grid.in_place(data.numbers(output))[..];
        let all = sorted(values.iter().copied());
        let (Some(least), Some(greatest)) = (all.first().copied(), all.last().copied()) else { continue };
        let span = if greatest > least { greatest - least } else { 1.0 };
        let tints = values.iter().map(|v| if v.is_finite() { Tint::Value((v - least) / span) } else { Tint::Empty });
        let column = &plan.columns()[output];
        let scale = ColourScale { axis: Axis::linear(&column.name, &column.unit), ends: [least, least + span] };
        let jumps = contour::jumps(grid.xs.len(), values);
        let lines = contour::levels(least, greatest, CONTOURS)
            .into_iter()
            .map(|level| Contour { points: grid.lines(values, level, &jumps), label: contour::label(level) });
        let panel = grid.panel(white(values, &column.name), tints.collect(), Some(scale), lines.collect());
        figures.push((column.name.clone(), Figure::stacked(vec![panel])));
    }
    if let Some(class) = class_column(plan) {
        let names: Vec<String> = plan.outputs().classes().map(String::from).collect();
        let numbers: Vec<Option<usize>> =
            data.texts(class).iter().map(|own| names.iter().position(|name| Some(name) == own.as_ref())).collect();
        // The answer first.
        figures.insert(0, ("class".to_string(), class_map(&grid, &names, &numbers)));
    }
    figures
}

/// What white places of a map are, in words; nothing where all have a value.
fn white(values: &[f64], name: &str) -> String {
    match values.iter().filter(|value| !value.is_finite()).count() {
        0 => String::new(),
        missing => format!("white: no value, {missing} of {} runs have no {name}", values.len()),
    }
}

/// The map of groups, where two keys are varied.
pub(super) fn of_groups(
    plan: &Plan<'_>,
    data: &Data,
    groups: &[Group],
    own: &[Option<usize>],
) -> Option<(String, Figure)> {
    let [y, x] = grid_keys(plan)[..] else { return None };
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    (!plan.points().is_random() && is_numeric(plan))
        .then(|| ("basins".to_string(), class_map(&Grid::new(plan, data, x, y), &names, own)))
}

/// Classes over two keys: pale colours with borders, names in the legend and where there is most room.
fn class_map(grid: &Grid, names: &[String], numbers: &[Option<usize>]) -> Figure {
    let numbers = &grid.in_place(numbers)[..];
    let tints = numbers.iter().map(|number| number.map_or(Tint::Empty, Tint::Class)).collect();
    let (mut notes, mut fills) = (Vec::new(), Vec::new());
    for (k, name) in names.iter().enumerate() {
        let inside: Vec<f64> = numbers.iter().map(|own| if *own == Some(k) { 1.0 } else { 0.0 }).collect();
        if inside.iter().all(|inside| *inside == 0.0) {
            continue;
        }
        fills.push((Fill::Class(k), name.clone()));
        if let Some(at) = roomiest(&inside, grid.xs.len()) {
            let at = [grid.xs[at % grid.xs.len()], grid.ys[at / grid.xs.len()]];
            notes.push(Note { at, text: name.clone(), anchor: Anchor::Middle });
        }
    }
    let edges = [edges(&grid.xs, grid.log[0]), edges(&grid.ys, grid.log[1])];
    let borders = vec![Contour { points: borders(&edges, numbers), label: String::new() }];
    let mut panel = grid.panel(String::new(), tints, None, borders);
    (panel.notes, panel.fills) = (notes, fills);
    Figure::stacked(vec![panel])
}

/// The edges between neighbouring cells of different classes, straight runs in one piece: what lies between two points is not known, and the
/// border is drawn where the colours change.
fn borders<T: PartialEq>([xs, ys]: &[Vec<f64>; 2], numbers: &[T]) -> Vec<[f64; 2]> {
    let (columns, rows) = (xs.len().saturating_sub(1), ys.len().saturating_sub(1));
    let at = |i: usize, j: usize| numbers.get(j * columns + i);
    let mut points = Vec::new();
    // `apart` says whether the k-th cell along a line has another class on its other side; `place` where the k-th edge across it lies.
    let mut line = |count: usize, apart: &dyn Fn(usize) -> bool, place: &dyn Fn(usize) -> [f64; 2]| {
        let mut begin = None;
        for k in 0..=count {
            match (begin, k < count && apart(k)) {
                (None, true) => begin = Some(k),
                (Some(from), false) => {
                    points.extend([place(from), place(k), [f64::NAN; 2]]);
                    begin = None;
                }
                _ => {}
            }
        }
    };
    for (i, x) in xs.iter().enumerate().take(columns).skip(1) {
        line(rows, &|j| at(i - 1, j) != at(i, j), &|j| [*x, ys[j]]);
    }
    for (j, y) in ys.iter().enumerate().take(rows).skip(1) {
        line(columns, &|i| at(i, j - 1) != at(i, j), &|i| [xs[i], *y]);
    }
    points
}

/// The cell of a class that is furthest from everything else, in cells; none of a class so thin that its name stands in the legend alone.
fn roomiest(inside: &[f64], columns: usize) -> Option<usize> {
    let rows = inside.len() / columns.max(1);
    let mut far: Vec<usize> = inside.iter().map(|inside| if *inside > 0.0 { usize::MAX } else { 0 }).collect();
    // Distances along rows and columns, by one pass there and one back; the frame counts as something else.
    let step = |far: &mut [usize], i: usize, j: usize, neighbours: [Option<usize>; 2]| {
        let here = j * columns + i;
        let least = neighbours.into_iter().map(|n| n.map_or(0, |n| far[n])).min().unwrap_or(0);
        far[here] = far[here].min(least.saturating_add(1)).min(if far[here] == 0 { 0 } else { usize::MAX });
    };
    for j in 0..rows {
        for i in 0..columns {
            step(&mut far, i, j, [(i > 0).then(|| j * columns + i - 1), (j > 0).then(|| (j - 1) * columns + i)]);
        }
    }
    for j in (0..rows).rev() {
        for i in (0..columns).rev() {
            let right = (i + 1 < columns).then(|| j * columns + i + 1);
            step(&mut far, i, j, [right, (j + 1 < rows).then(|| (j + 1) * columns + i)]);
        }
    }
    (0..far.len()).max_by_key(|k| far[*k]).filter(|k| far[*k] > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_places_are_counted() {
        assert_eq!(white(&[1.0, 2.0], "y"), "");
        assert_eq!(white(&[1.0, f64::NAN, 2.0], "y"), "white: no value, 1 of 3 runs have no y");
    }

    #[test]
    fn edges_lie_halfway() {
        assert_eq!(edges(&[1.0, 2.0, 4.0], false), [0.5, 1.5, 3.0, 5.0]);
        let log = edges(&[1.0, 100.0], true);
        assert!(log.iter().zip([0.1, 10.0, 1000.0]).all(|(a, b)| (a / b - 1.0).abs() < 1e-12), "{log:?}");
        assert_eq!(edges(&[3.0], false), [2.5, 3.5]);
    }

    #[test]
    fn borders_follow_the_edges_of_cells() {
        // A class of 2 × 1 cells in the lower left corner of 3 × 2.
        let edges = [vec![0.0, 1.0, 2.0, 3.0], vec![0.0, 1.0, 2.0]];
        let found = borders(&edges, &[1, 1, 0, 0, 0, 0]);
        let pieces: Vec<&[[f64; 2]]> = found.chunks(3).map(|piece| &piece[..2]).collect();
        assert_eq!(pieces, [[[2.0, 0.0], [2.0, 1.0]], [[0.0, 1.0], [2.0, 1.0]]]);
        assert!(borders(&edges, &[0; 6]).is_empty());
    }

    #[test]
    fn names_stand_where_there_is_most_room() {
        // A class of 3 × 3 cells about the cell 12 of 5 × 5, and one cell apart.
        let inside: Vec<f64> = (0..25)
            .map(|k| if (1..4).contains(&(k % 5)) && (1..4).contains(&(k / 5)) || k == 24 { 1.0 } else { 0.0 })
            .collect();
        assert_eq!(roomiest(&inside, 5), Some(12));
        // A class along a diagonal has no room for its name.
        let thin: Vec<f64> = (0..25).map(|k| if k % 6 == 0 { 1.0 } else { 0.0 }).collect();
        assert_eq!(roomiest(&thin, 5), None);
    }
}
