//! Contour lines of values on a grid, by marching squares.

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

/// Lines along which values on a grid, x running first, pass a level. Cells with a corner without a value have none.
pub(super) fn lines(xs: &[f64], ys: &[f64], values: &[f64], level: f64) -> Vec<Vec<[f64; 2]>> {
    let columns = xs.len();
    let at = |i: usize, j: usize| values.get(i + j * columns).copied().unwrap_or(f64::NAN) - level;
    let mut segments: Vec<[[f64; 2]; 2]> = Vec::new();
    for j in 0..ys.len().saturating_sub(1) {
        for i in 0..columns.saturating_sub(1) {
            // Corners counter-clockwise from the lower left.
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let v = corners.map(|(i, j)| at(i, j));
            if v.iter().any(|v| v.is_nan()) {
                continue;
            }
            let mut crossings = Vec::new();
            for k in 0..4 {
                let ((a, b), (p, q)) = ((v[k], v[(k + 1) % 4]), (corners[k], corners[(k + 1) % 4]));
                if (a < 0.0) != (b < 0.0) {
                    let s = a / (a - b);
                    let on = |u: f64, w: f64| u + (w - u) * s;
                    crossings.push([on(xs[p.0], xs[q.0]), on(ys[p.1], ys[q.1])]);
                }
            }
            match crossings[..] {
                [a, b] => segments.push([a, b]),
                // A saddle: the mean of the corners decides which ones are joined.
                [a, b, c, d] => {
                    let above = v.iter().sum::<f64>() >= 0.0;
                    let pairs = if above == (v[0] >= 0.0) { [[a, b], [c, d]] } else { [[d, a], [b, c]] };
                    segments.extend(pairs);
                }
                _ => {}
            }
        }
    }
    joined(segments)
}

/// Segments with common ends as lines. Ends on the edge of two cells come from the same numbers in the same order or in the opposite one,
/// so they are matched up to rounding.
fn joined(segments: Vec<[[f64; 2]; 2]>) -> Vec<Vec<[f64; 2]>> {
    use std::collections::HashMap;
    let scale = segments.iter().flatten().fold([0.0_f64; 2], |m, p| [m[0].max(p[0].abs()), m[1].max(p[1].abs())]);
    let key = |p: [f64; 2]| {
        let part = |v: f64, scale: f64| (v / scale.max(f64::MIN_POSITIVE) * 1e9).round() as i64;
        (part(p[0], scale[0]), part(p[1], scale[1]))
    };
    let mut ends: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    for (k, segment) in segments.iter().enumerate() {
        segment.iter().for_each(|p| ends.entry(key(*p)).or_default().push(k));
    }
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    for start in 0..segments.len() {
        if std::mem::replace(&mut used[start], true) {
            continue;
        }
        let mut line: std::collections::VecDeque<[f64; 2]> = segments[start].into();
        for forwards in [true, false] {
            while let Some(end) = (if forwards { line.back() } else { line.front() }).copied() {
                let next = ends.get(&key(end)).and_then(|all| all.iter().copied().find(|k| !used[*k]));
                let Some(next) = next else { break };
                used[next] = true;
                let [a, b] = segments[next];
                let other = if key(a) == key(end) { b } else { a };
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
        let lines = lines(&xs, &ys, &values, 1.05);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|[x, y]| (2.0 * x + y - 1.05).abs() < 1e-12));
        assert!(lines[0].len() > 10);
    }

    #[test]
    fn the_contour_of_a_hill_is_closed() {
        let places: Vec<f64> = (0..41).map(|i| -2.0 + 0.1 * f64::from(i)).collect();
        let values: Vec<f64> = places.iter().flat_map(|y| places.iter().map(move |x| x * x + y * y)).collect();
        let lines = lines(&places, &places, &values, 1.0);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        // Straight lines between places 0.1 apart are off by at most h²/8 · f'' = 0.0025 of r².
        assert!(lines[0].iter().all(|[x, y]| (x * x + y * y - 1.0).abs() < 3e-3));
    }

    #[test]
    fn levels_are_round() {
        assert_eq!(levels(0.3, 4.2, 8), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]);
        assert!(levels(1.0, 1.0, 8).is_empty());
        assert_eq!(label(-0.30000000000000004), "−0.3");
    }
}
