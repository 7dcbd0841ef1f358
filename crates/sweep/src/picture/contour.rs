//! Contour lines of values on a grid, by marching squares.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Round levels strictly between two values, about so many.
pub(super) fn levels(least: f64, greatest: f64, wanted: usize) -> Vec<f64> {
    let raw = (greatest - least) / wanted as f64;
    if !(raw > 0.0 && raw.is_finite()) {
        return Vec::new();
    }
    let unit = 10.0_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * unit).find(|step| *step >= raw).unwrap_or(10.0 * unit);
    let first = (least / step).floor() as i64 + 1;
    (first..).map(|k| k as f64 * step).take_while(|level| *level < greatest).take(4 * wanted).collect()
}

/// A level in few digits.
pub(super) fn label(level: f64) -> String {
    let rounded: f64 = format!("{level:.5e}").parse().unwrap_or(level);
    let size = rounded.abs();
    let text = if size == 0.0 || (1e-3..1e6).contains(&size) { format!("{rounded}") } else { format!("{rounded:e}") };
    text.replace('-', "−")
}

/// Edge of a cell: its lower or left end, and whether it goes up. A line passes an edge at one place, which the cells on both sides share.
pub(super) type Edge = (usize, usize, bool);

/// A step between neighbouring places that is a jump and no slope: at least this share of the span of all values, and so many times the
/// steps before and behind it.
const JUMP: [f64; 2] = [0.15, 4.0];

/// Edges of cells on which values on a grid, x running first, jump.
pub(super) fn jumps(columns: usize, values: &[f64]) -> BTreeSet<Edge> {
    let rows = values.len() / columns.max(1);
    let known = values.iter().copied().filter(|value| value.is_finite());
    let [least, greatest] = known.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, g], v| [l.min(v), g.max(v)]);
    let mut found = BTreeSet::new();
    // A line of so many places, and where each of them is.
    let mut look = |count: usize, place: &dyn Fn(usize) -> (usize, usize), up: bool| {
        let at = |k: usize| {
            let (i, j) = place(k);
            values[i + j * columns]
        };
        let steps: Vec<f64> = (1..count).map(|k| (at(k) - at(k - 1)).abs()).collect();
        for (k, step) in steps.iter().enumerate() {
            let beside = [k.checked_sub(1).and_then(|k| steps.get(k)), steps.get(k + 1)];
            let beside: Vec<f64> = beside.into_iter().flatten().copied().filter(|step| step.is_finite()).collect();
            let usual = beside.iter().copied().fold(0.0, f64::max);
            // Beside nothing that is known, nobody can tell.
            if !beside.is_empty() && *step > JUMP[0] * (greatest - least) && *step > JUMP[1] * usual {
                let (i, j) = place(k);
                found.insert((i, j, up));
            }
        }
    };
    (0..rows).for_each(|j| look(columns, &|i| (i, j), false));
    (0..columns).for_each(|i| look(rows, &|j| (i, j), true));
    found
}

/// Lines along which values on a grid, x running first, pass a level. Cells with a corner without a value have none, and neither have those
/// on an edge of which values jump.
pub(super) fn lines(xs: &[f64], ys: &[f64], values: &[f64], level: f64, jumps: &BTreeSet<Edge>) -> Vec<Vec<[f64; 2]>> {
    let columns = xs.len();
    let at = |i: usize, j: usize| values.get(i + j * columns).copied().unwrap_or(f64::NAN) - level;
    let place = |(i, j, up): Edge| {
        let (a, b) = (at(i, j), if up { at(i, j + 1) } else { at(i + 1, j) });
        let s = a / (a - b);
        if up { [xs[i], ys[j] + (ys[j + 1] - ys[j]) * s] } else { [xs[i] + (xs[i + 1] - xs[i]) * s, ys[j]] }
    };
    let mut segments: Vec<[Edge; 2]> = Vec::new();
    for j in 0..ys.len().saturating_sub(1) {
        for i in 0..columns.saturating_sub(1) {
            // Corners and edges counter-clockwise from the lower left.
            let v = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if v.iter().any(|v| v.is_nan()) {
                continue;
            }
            let edges = [(i, j, false), (i + 1, j, true), (i, j + 1, false), (i, j, true)];
            if edges.iter().any(|edge| jumps.contains(edge)) {
                continue;
            }
            let passed = (0..4).filter(|k| (v[*k] < 0.0) != (v[(k + 1) % 4] < 0.0)).map(|k| edges[k]);
            match passed.collect::<Vec<Edge>>()[..] {
                [a, b] => segments.push([a, b]),
                // A saddle: the mean of the corners decides which ones are joined.
                [a, b, c, d] => {
                    let above = v.iter().sum::<f64>() >= 0.0;
                    segments.extend(if above == (v[0] >= 0.0) { [[a, b], [c, d]] } else { [[d, a], [b, c]] });
                }
                _ => {}
            }
        }
    }
    joined(&segments).into_iter().map(|line| line.into_iter().map(place).collect()).collect()
}

/// Segments with common edges as lines.
fn joined(segments: &[[Edge; 2]]) -> Vec<Vec<Edge>> {
    let mut ends: BTreeMap<Edge, Vec<usize>> = BTreeMap::new();
    for (k, segment) in segments.iter().enumerate() {
        segment.iter().for_each(|edge| ends.entry(*edge).or_default().push(k));
    }
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    for start in 0..segments.len() {
        if std::mem::replace(&mut used[start], true) {
            continue;
        }
        let mut line: VecDeque<Edge> = segments[start].into();
        for forwards in [true, false] {
            while let Some(end) = (if forwards { line.back() } else { line.front() }).copied() {
                let next = ends.get(&end).and_then(|all| all.iter().copied().find(|k| !used[*k]));
                let Some(next) = next else { break };
                used[next] = true;
                let [a, b] = segments[next];
                let other = if a == end { b } else { a };
                if forwards { line.push_back(other) } else { line.push_front(other) }
            }
        }
        lines.push(line.into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contour_of_a_plane_is_a_straight_line() {
        let xs: Vec<f64> = (0..11).map(|i| 0.1 * f64::from(i)).collect();
        let ys: Vec<f64> = (0..21).map(|j| 0.2 * f64::from(j)).collect();
        let values: Vec<f64> = ys.iter().flat_map(|y| xs.iter().map(move |x| 2.0 * x + y)).collect();
        let lines = lines(&xs, &ys, &values, 1.05, &jumps(11, &values));
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|[x, y]| (2.0 * x + y - 1.05).abs() < 1e-12));
        assert!(lines[0].len() > 10);
    }

    #[test]
    fn the_contour_of_a_hill_is_closed() {
        let places: Vec<f64> = (0..41).map(|i| -2.0 + 0.1 * f64::from(i)).collect();
        let values: Vec<f64> = places.iter().flat_map(|y| places.iter().map(move |x| x * x + y * y)).collect();
        let lines = lines(&places, &places, &values, 1.0, &jumps(41, &values));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        // Straight lines between places 0.1 apart are off by at most h²/8 · f'' = 0.0025 of r².
        assert!(lines[0].iter().all(|[x, y]| (x * x + y * y - 1.0).abs() < 3e-3));
    }

    #[test]
    fn no_contour_follows_a_jump() {
        let places: Vec<f64> = (0..21).map(|i| 0.05 * f64::from(i)).collect();
        // A slope along y, which jumps at x = 0.5.
        let values: Vec<f64> =
            places.iter().flat_map(|y| places.iter().map(move |x| y + if *x > 0.5 { 2.0 } else { 0.0 })).collect();
        let jumps = jumps(21, &values);
        for level in [0.52, 2.52] {
            let found = lines(&places, &places, &values, level, &jumps);
            assert_eq!(found.len(), 1);
            assert!(
                found[0].iter().all(|[x, y]| (y - level % 2.0).abs() < 1e-12 && (*x > 0.5) != (level < 1.0)),
                "{found:?}"
            );
        }
        assert!(lines(&places, &places, &values, 1.5, &jumps).is_empty());
    }

    #[test]
    fn a_steep_slope_is_no_jump() {
        let places: Vec<f64> = (0..21).map(|i| 0.05 * f64::from(i)).collect();
        let values: Vec<f64> = places.iter().flat_map(|_| places.iter().map(|x| 1.0 / (1.04 - x))).collect();
        assert!(jumps(21, &values).is_empty());
    }

    #[test]
    fn levels_are_round() {
        assert_eq!(levels(0.3, 4.2, 8), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]);
        assert!(levels(1.0, 1.0, 8).is_empty());
        assert_eq!(label(-0.30000000000000004), "−0.3");
    }
}
