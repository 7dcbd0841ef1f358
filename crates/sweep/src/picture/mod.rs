//! Pictures of a parameter space: curves over one key, maps over two, bands and a ranking from random samples.

pub(crate) mod contour;
mod group;
mod map;
pub(crate) mod page;
mod sensitivity;

pub(crate) use group::FEATURES;
pub use group::{Group, group};
pub(crate) use map::edges;
pub use sensitivity::{Ranked, ranking};

use stickslip_report::figure::{Axis as FigureAxis, Figure, Panel, Ribbon, Series, Style};
use stickslip_report::palette::Role;
use stickslip_report::table::dataset::Cells;
use stickslip_scenario::sweep::Axis;

use crate::{Folder, Plan, SweepError};

/// Points of which pictures are drawn; larger sweeps are for other programs.
pub const MOST_POINTS: u64 = 250_000;

/// The dataset in memory.
pub(crate) struct Data {
    pub cells: Vec<Cells>,
}

impl Data {
    pub fn read(folder: &Folder) -> Result<Data, SweepError> {
        let mut cells: Vec<Cells> = folder.columns().iter().map(Cells::of).collect();
        folder.each_block(|_, block| {
            for (own, more) in cells.iter_mut().zip(block) {
                own.append(more.clone());
            }
            Ok(())
        })?;
        Ok(Data { cells })
    }

    pub fn numbers(&self, column: usize) -> &[f64] {
        match self.cells.get(column) {
            Some(Cells::Numbers(values)) => values,
            _ => &[],
        }
    }

    pub fn texts(&self, column: usize) -> &[Option<String>] {
        match self.cells.get(column) {
            Some(Cells::Texts(texts)) => texts,
            _ => &[],
        }
    }
}

/// Draws what a complete sweep shows: files `figures/*.svg`, `sensitivity.csv` and `report.html`. False where it is too large or only
/// a part.
pub fn draw(plan: &Plan<'_>, folder: &Folder, command: &str) -> Result<bool, SweepError> {
    let points = folder.points();
    if points.end - points.start != plan.total() || plan.total() > MOST_POINTS {
        return Ok(false);
    }
    let data = Data::read(folder)?;
    let mut figures = figures(plan, &data);
    let groups = group::of_plan(plan, &data);
    if let Some((found, own)) = &groups {
        folder.write("groups.csv", group::csv(plan, found, own).as_bytes())?;
        // The answer first.
        figures.splice(0..0, map::of_groups(plan, &data, found, own));
    }
    let mut files: Vec<String> = Vec::new();
    for (heading, figure) in &figures {
        // Names that differ in other signs alone are numbered.
        let plain = file_name(heading);
        let numbered = (2..).map(|k| format!("{plain}-{k}"));
        let name =
            std::iter::once(plain.clone()).chain(numbered).find(|name| !files.contains(name)).unwrap_or(plain.clone());
        folder.write(&format!("figures/{name}.svg"), figure.to_svg().as_bytes())?;
        files.push(name);
    }
    // Beside keys on a grid what matters is another thing at each of its places, and their spread is none of chance's.
    let ranked = if plan.points().is_random() && !beside_a_grid(plan) { ranking_of(plan, &data) } else { Vec::new() };
    if !ranked.is_empty() {
        folder.write("sensitivity.csv", sensitivity::csv(&ranked).as_bytes())?;
    }
    let page = page::report(plan, folder, &data, (figures, &ranked, groups.as_ref()), command);
    folder.write("report.html", page.to_html().as_bytes())?;
    Ok(true)
}

fn ranking_of(plan: &Plan<'_>, data: &Data) -> Vec<Ranked> {
    let columns = plan.columns();
    let random = random_keys(plan);
    let mut all = Vec::new();
    for output in outputs(plan) {
        let named: Vec<(&str, &[f64])> =
            random.iter().map(|key| (columns[*key].name.as_str(), data.numbers(*key))).collect();
        all.extend(ranking(&columns[output].name, &named, data.numbers(output), plan.points().design()));
    }
    all
}

/// Whether random keys are taken anew at each place of a grid, or at each row of a table.
fn beside_a_grid(plan: &Plan<'_>) -> bool {
    plan.points().is_random() && !plan.points().is_one_sample()
}

/// Columns of random keys.
fn random_keys(plan: &Plan<'_>) -> Vec<usize> {
    let first = plan.varied() - plan.points().axes().len();
    let axes = plan.points().axes().iter().enumerate();
    axes.filter(|(_, (_, axis))| matches!(axis, Axis::Random(_))).map(|(k, _)| first + k).collect()
}

/// Columns of keys that go through ranges and lists of several numbers.
fn grid_keys(plan: &Plan<'_>) -> Vec<(usize, usize, bool)> {
    let first = plan.varied() - plan.points().axes().len();
    let axes = plan.points().axes().iter().enumerate();
    let several = axes.filter_map(|(k, (_, axis))| match axis {
        Axis::Range { count, log, .. } if *count > 1 => Some((first + k, *count as usize, *log)),
        Axis::List(entries) if entries.len() > 1 => Some((first + k, entries.len(), false)),
        _ => None,
    });
    several.collect()
}

/// Whether keys on a grid are numbers, and no rows of a table.
fn is_numeric(plan: &Plan<'_>) -> bool {
    grid_keys(plan).iter().all(|(key, ..)| !plan.columns()[*key].text) && !plan.points().has_table()
}

/// Whether what is varied in a column lies on a scale of ratios.
pub(crate) fn is_log(plan: &Plan<'_>, column: usize) -> bool {
    let first = plan.varied() - plan.points().axes().len();
    let own = column.checked_sub(first).and_then(|k| plan.points().axes().get(k));
    own.is_some_and(|(_, axis)| matches!(axis, Axis::Range { log: true, .. }))
}

/// Columns of outputs.
fn outputs(plan: &Plan<'_>) -> std::ops::Range<usize> {
    plan.varied()..plan.varied() + plan.outputs().len()
}

/// The column of classes.
fn class_column(plan: &Plan<'_>) -> Option<usize> {
    plan.outputs().classes().next().map(|_| plan.varied() + plan.outputs().len())
}

/// Figures with their headings, which are the names of their files but for signs that files do not have.
fn figures(plan: &Plan<'_>, data: &Data) -> Vec<(String, Figure)> {
    let (grid, random) = (grid_keys(plan), random_keys(plan));
    let numeric = is_numeric(plan);
    match (&grid[..], &random[..]) {
        ([x], []) if numeric => curves(plan, data, *x),
        ([x], [_, ..]) if numeric => bands_on_grid(plan, data, *x),
        ([y, x], []) if numeric => map::maps(plan, data, *x, *y),
        ([], [_, ..]) => bands(plan, data, &random),
        _ => Vec::new(),
    }
}

fn axis(plan: &Plan<'_>, column: usize, log: bool) -> FigureAxis {
    let description = &plan.columns()[column];
    if log {
        FigureAxis::log(&description.name, &description.unit)
    } else {
        FigureAxis::linear(&description.name, &description.unit)
    }
}

/// Each output over one key. What is a formula of the key alone is a line to compare with in the picture of the output before it, where both
/// are of one size.
fn curves(plan: &Plan<'_>, data: &Data, (x, _, log): (usize, usize, bool)) -> Vec<(String, Figure)> {
    let over = data.numbers(x);
    let points = |output: usize| -> Vec<[f64; 2]> {
        // Lists may be in any order: a curve goes along the key.
        let mut points: Vec<[f64; 2]> = over.iter().zip(data.numbers(output)).map(|(x, y)| [*x, *y]).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let mut panels: Vec<(usize, Panel)> = Vec::new();
    for output in outputs(plan).filter(|output| data.numbers(*output).iter().any(|v| v.is_finite())) {
        let name = &plan.columns()[output].name;
        let compared = plan.outputs().is_of_varied_alone(output - plan.varied());
        let before = panels.last_mut().filter(|(before, _)| compared && overlap(data, *before, output));
        if let Some((before, panel)) = before {
            // What was run, as markers on the line.
            for series in panel.series.iter_mut().filter(|series| series.name.is_empty()) {
                (series.name, series.style) = (plan.columns()[*before].name.clone(), Style::Markers);
            }
            panel.series.insert(0, Series::line(name.as_str(), Role::Reference, points(output)));
            continue;
        }
        let points = points(output);
        let style = if points.len() <= 60 { Style::LineAndMarkers } else { Style::Line };
        let missing = points.iter().filter(|[_, y]| !y.is_finite()).count();
        let title = match missing {
            0 => String::new(),
            missing => format!("{missing} of {} runs have no {name}", points.len()),
        };
        let series = Series { style, ..Series::line("", Role::First, points) };
        let mut panel = Panel::new(axis(plan, x, log), axis(plan, output, false)).with(series);
        (panel.height, panel.title) = (260.0, title);
        panels.push((output, panel));
    }
    let named = |(output, panel): (usize, Panel)| (plan.columns()[output].name.clone(), Figure::stacked(vec![panel]));
    panels.into_iter().map(named).collect()
}

/// Whether values of two columns lie between the same ends in part.
fn overlap(data: &Data, one: usize, other: usize) -> bool {
    let ends = |column: usize| {
        let known = sorted(data.numbers(column).iter().copied());
        known.first().copied().zip(known.last().copied())
    };
    matches!((ends(one), ends(other)), (Some((a, b)), Some((c, d))) if a <= d && c <= b)
}

/// Bands of samples: shares below their edges, and how much each hides.
const BANDS: [([f64; 2], &str, f64); 2] = [([0.05, 0.95], "nine tenths", 0.16), ([0.25, 0.75], "middle half", 0.32)];

/// Bands and the median of groups of values, each at a place.
fn band_panel(panel: Panel, groups: &[(f64, Vec<f64>)]) -> Panel {
    let mut panel = panel;
    panel.height = 260.0;
    for ([low, high], name, opacity) in BANDS {
        let points = groups.iter().map(|(x, values)| [*x, quantile(values, low), quantile(values, high)]).collect();
        panel.ribbons.push(Ribbon { name: name.into(), points, role: Role::Stick, opacity });
    }
    let median = groups.iter().map(|(x, values)| [*x, quantile(values, 0.5)]).collect();
    panel.with(Series::line("median", Role::First, median))
}

/// The value that a share of sorted ones lies below, on straight lines between them; NaN of none.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = share * last as f64;
    let k = at.floor() as usize;
    let next = sorted[(k + 1).min(last)];
    sorted[k] + (next - sorted[k]) * at.fract()
}

/// The order in which values rise: lists may be in any order, and ranges may fall.
pub(crate) fn rising(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Share of the samples at a place that must have a value, so that its bands are those of the samples and not of the lucky ones.
const KNOWN: f64 = 0.95;

/// What a figure of bands leaves out, in words; nothing where all samples have a value.
fn left_out(known: usize, total: usize) -> String {
    match total - known {
        0 => String::new(),
        missing => format!("{missing} of {total} samples have none; bands only where at least 19 of 20 have one"),
    }
}

/// Quantiles of the samples at each place of a range.
fn bands_on_grid(plan: &Plan<'_>, data: &Data, (x, count, log): (usize, usize, bool)) -> Vec<(String, Figure)> {
    let samples = plan.points().samples() as usize;
    let figure = |output: usize| {
        let values = data.numbers(output);
        let mut groups: Vec<(f64, Vec<f64>)> = (0..count)
            .map(|k| (data.numbers(x)[k * samples], sorted(values[k * samples..(k + 1) * samples].iter().copied())))
            .map(|(x, values)| (x, if values.len() as f64 >= KNOWN * samples as f64 { values } else { Vec::new() }))
            .collect();
        groups.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut panel = Panel::new(axis(plan, x, log), axis(plan, output, false));
        panel.title = left_out(sorted(values.iter().copied()).len(), values.len());
        let panel = band_panel(panel, &groups);
        (plan.columns()[output].name.clone(), Figure::stacked(vec![panel]))
    };
    outputs(plan).map(figure).collect()
}

/// Quantiles of samples (x, y) about their trend, at the x in the middle: those of the residuals of the parabola that fits them best, so that
/// what rises along x is not taken for scatter. Residuals are widened by √(n/(n − 3)) for the three numbers that were fitted to them, and
/// nothing goes beyond the samples that there are.
fn about_trend(pairs: &[(f64, f64)]) -> Vec<f64> {
    let known: Vec<(f64, f64)> = pairs.iter().copied().filter(|(_, y)| y.is_finite()).collect();
    let values = sorted(known.iter().map(|(_, y)| *y));
    let (Some(least), Some(greatest), n) = (values.first(), values.last(), known.len()) else { return Vec::new() };
    let middle = pairs[pairs.len() / 2].0;
    let size = known.iter().map(|(x, _)| (x - middle).abs()).fold(0.0, f64::max);
    let Some(fit) = (n > FITTED && size > 0.0).then(|| parabola(&known, middle, size)).flatten() else {
        return values;
    };
    let widened = (n as f64 / (n - FITTED) as f64).sqrt();
    let at = |x: f64| {
        let u = (x - middle) / size;
        fit[0] + u * (fit[1] + u * fit[2])
    };
    sorted(known.iter().map(|(x, y)| (fit[0] + widened * (y - at(*x))).clamp(*least, *greatest)))
}

/// Numbers of a parabola.
const FITTED: usize = 3;

/// a + b u + c u², u = (x − middle)/size, by least squares: by orthogonal polynomials on the places there are. None where there are fewer
/// than three places.
fn parabola(pairs: &[(f64, f64)], middle: f64, size: f64) -> Option<[f64; FITTED]> {
    let n = pairs.len() as f64;
    let u = |x: f64| (x - middle) / size;
    let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| f(u(*x), *y)).sum::<f64>();
    // p₁ = u − m, p₂ = u² − e p₁ − q: orthogonal to 1, and to each other.
    let m = sum(&|u, _| u) / n;
    let of_first = sum(&|u, _| (u - m).powi(2));
    let q = sum(&|u, _| u * u) / n;
    let e = sum(&|u, _| u * u * (u - m)) / of_first;
    let second = |u: f64| u * u - e * (u - m) - q;
    let of_second = sum(&|u, _| second(u).powi(2));
    // Rounding is no place of its own.
    if !(of_first > 1e-12 * n && of_second > 1e-12 * n) {
        return None;
    }
    let a = sum(&|_, y| y) / n;
    let b = sum(&|u, y| (y - a) * (u - m)) / of_first;
    let c = sum(&|u, y| (y - a - b * (u - m)) * second(u)) / of_second;
    Some([a - b * m + c * (e * m - q), b - c * e, c])
}

/// Quantiles of the samples over each random key, in shares of equally many samples, about the trend in each.
fn bands(plan: &Plan<'_>, data: &Data, random: &[usize]) -> Vec<(String, Figure)> {
    let mut all = Vec::new();
    for output in outputs(plan) {
        for key in random {
            let mut pairs: Vec<(f64, f64)> =
                data.numbers(*key).iter().copied().zip(data.numbers(output).iter().copied()).collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let known = pairs.iter().filter(|(_, y)| y.is_finite()).count();
            let size = (pairs.len() / 20).max(20);
            let groups: Vec<(f64, Vec<f64>)> = pairs
                .chunks(size)
                .filter(|chunk| chunk.len() * 2 >= size)
                .map(|chunk| (chunk[chunk.len() / 2].0, chunk.len(), about_trend(chunk)))
                .map(|(x, all, values)| {
                    (x, if values.len() as f64 >= KNOWN * all as f64 { values } else { Vec::new() })
                })
                .collect();
            let mut panel = Panel::new(axis(plan, *key, false), axis(plan, output, false));
            panel.title = left_out(known, pairs.len());
            let mut panel = band_panel(panel, &groups);
            let shown = pairs.iter().filter(|(_, y)| y.is_finite()).step_by(known.div_ceil(600).max(1));
            let points = shown.map(|(x, y)| [*x, *y]).collect();
            panel.series.insert(0, Series::dots("samples", Role::Reference, points));
            let name = format!("{} over {}", plan.columns()[output].name, plan.columns()[*key].name);
            all.push((name, Figure::stacked(vec![panel])));
        }
    }
    all
}

/// A name that a file may have.
pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_without_a_value_are_told() {
        assert_eq!(left_out(20, 20), "");
        assert!(left_out(18, 20).starts_with("2 of 20 samples have none"));
    }

    #[test]
    fn a_trend_is_no_scatter() {
        let xs = (0..40).map(|k| 3.0 + 0.01 * (f64::from(k) + 0.3 * f64::from(k * 7 % 5)));
        let pairs = |f: &dyn Fn(f64) -> f64| xs.clone().map(|x| (x, f(x))).collect::<Vec<_>>();
        let width = |values: &[f64]| quantile(values, 0.95) - quantile(values, 0.05);
        // Straight lines and parabolas to rounding.
        for f in [&(|x: f64| 7.0 - 2.0 * x) as &dyn Fn(f64) -> f64, &|x| (x - 1.0).powi(2), &|_| 4.0] {
            let found = about_trend(&pairs(f));
            assert!(width(&found) < 1e-13, "{found:?}");
            assert!((quantile(&found, 0.5) - f(pairs(f)[20].0)).abs() < 1e-13);
        }
        // Others but for a cubic over half the width h: Legendre's x³ has (h/2)³ y‴/6 · 2/5 at its ends, and y‴ h is the span of an exponential.
        let exact = pairs(&|x| x.exp());
        let own = exact[39].1 - exact[0].1;
        assert!(
            width(&about_trend(&exact)) < 2.0 * 0.2_f64.powi(3) / 15.0 * own / 0.4 * 1.3,
            "{}",
            width(&about_trend(&exact)) / own
        );
        // Scatter is kept: ± 1 by turns on a slope.
        let both: Vec<(f64, f64)> =
            pairs(&|x| 100.0 * x).into_iter().zip(0..).map(|((x, y), k)| (x, y + [-1.0, 1.0][k % 2])).collect();
        let found = about_trend(&both);
        assert!((width(&found) - 2.0 * (40.0_f64 / 37.0).sqrt()).abs() < 0.2, "{}", width(&found));
        // Few places, and few samples, are as they are.
        assert_eq!(about_trend(&[(1.0, 2.0), (1.0, 3.0), (2.0, 1.0), (2.0, 5.0)]), [1.0, 2.0, 3.0, 5.0]);
        assert!(about_trend(&[(1.0, f64::NAN)]).is_empty());
    }

    #[test]
    fn quantiles_lie_on_straight_lines() {
        let values = [0.0, 1.0, 2.0, 10.0];
        assert_eq!((quantile(&values, 0.0), quantile(&values, 1.0)), (0.0, 10.0));
        assert_eq!(quantile(&values, 0.5), 1.5);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
