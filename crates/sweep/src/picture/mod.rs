//! Pictures of a parameter space: curves over one key, maps over two, bands and a ranking from random samples.

mod contour;
mod page;
mod sensitivity;

pub use sensitivity::{Ranked, ranking};

use stickslip_report::figure::{Anchor, Axis as FigureAxis, Figure, Map, Note, Panel, Series, Shade, Style};
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
    fn read(folder: &Folder) -> Result<Data, SweepError> {
        let mut cells: Vec<Cells> = folder.columns().iter().map(Cells::of).collect();
        folder.each_block(|_, block| {
            for (own, more) in cells.iter_mut().zip(block) {
                own.append(more.clone());
            }
            Ok(())
        })?;
        Ok(Data { cells })
    }

    fn numbers(&self, column: usize) -> &[f64] {
        match self.cells.get(column) {
            Some(Cells::Numbers(values)) => values,
            _ => &[],
        }
    }

    fn texts(&self, column: usize) -> &[Option<String>] {
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
    let figures = figures(plan, &data);
    for (name, figure) in &figures {
        folder.write(&format!("figures/{name}.svg"), figure.to_svg().as_bytes())?;
    }
    let ranked = if plan.points().is_random() { ranking_of(plan, &data) } else { Vec::new() };
    if !ranked.is_empty() {
        folder.write("sensitivity.csv", sensitivity::csv(&ranked).as_bytes())?;
    }
    let page = page::report(plan, folder, &data, figures, &ranked, command);
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
        all.extend(ranking(&columns[output].name, &named, data.numbers(output)));
    }
    all
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

/// Columns of outputs.
fn outputs(plan: &Plan<'_>) -> std::ops::Range<usize> {
    plan.varied()..plan.varied() + plan.outputs().len()
}

/// The column of classes.
fn class_column(plan: &Plan<'_>) -> Option<usize> {
    plan.outputs().classes().next().map(|_| plan.varied() + plan.outputs().len())
}

fn figures(plan: &Plan<'_>, data: &Data) -> Vec<(String, Figure)> {
    let (grid, random) = (grid_keys(plan), random_keys(plan));
    let numeric = grid.iter().all(|(key, ..)| !plan.columns()[*key].text) && !plan.points().has_table();
    match (&grid[..], &random[..]) {
        ([x], []) if numeric => curves(plan, data, *x),
        ([x], [_, ..]) if numeric => bands_on_grid(plan, data, *x),
        ([y, x], []) if numeric => maps(plan, data, *x, *y),
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

/// Each output over one key.
fn curves(plan: &Plan<'_>, data: &Data, (x, _, log): (usize, usize, bool)) -> Vec<(String, Figure)> {
    let over = data.numbers(x);
    let figure = |output: usize| {
        let points: Vec<[f64; 2]> = over.iter().zip(data.numbers(output)).map(|(x, y)| [*x, *y]).collect();
        let style = if points.len() <= 60 { Style::LineAndMarkers } else { Style::Line };
        let series = Series { style, ..Series::line("", Role::First, points) };
        let mut panel = Panel::new(axis(plan, x, log), axis(plan, output, false)).with(series);
        panel.height = 260.0;
        (file_name(&plan.columns()[output].name), Figure::stacked(vec![panel]))
    };
    outputs(plan).filter(|output| data.numbers(*output).iter().any(|v| v.is_finite())).map(figure).collect()
}

/// Shares of samples that lie below the lines of a band, how each is drawn, and what it is called.
const QUANTILES: [(f64, Role, &str); 5] = [
    (0.5, Role::First, "median"),
    (0.25, Role::Second, "middle half"),
    (0.75, Role::Second, ""),
    (0.05, Role::Fourth, "nine tenths"),
    (0.95, Role::Fourth, ""),
];

/// Lines of a band: groups of values, each at a place.
fn band_panel(panel: Panel, groups: &[(f64, Vec<f64>)]) -> Panel {
    let mut panel = panel;
    panel.height = 260.0;
    for (share, role, name) in QUANTILES {
        let points = groups.iter().map(|(x, values)| [*x, quantile(values, share)]).collect();
        panel = panel.with(Series::line(name, role, points));
    }
    panel
}

/// The value that a share of sorted ones lies below, on straight lines between them; NaN of none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = share * last as f64;
    let k = at.floor() as usize;
    let next = sorted[(k + 1).min(last)];
    sorted[k] + (next - sorted[k]) * at.fract()
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Quantiles of the samples at each place of a range.
fn bands_on_grid(plan: &Plan<'_>, data: &Data, (x, count, log): (usize, usize, bool)) -> Vec<(String, Figure)> {
    let samples = plan.points().samples() as usize;
    let figure = |output: usize| {
        let values = data.numbers(output);
        let groups: Vec<(f64, Vec<f64>)> = (0..count)
            .map(|k| (data.numbers(x)[k * samples], sorted(values[k * samples..(k + 1) * samples].iter().copied())))
            .collect();
        let panel = band_panel(Panel::new(axis(plan, x, log), axis(plan, output, false)), &groups);
        (file_name(&plan.columns()[output].name), Figure::stacked(vec![panel]))
    };
    outputs(plan).map(figure).collect()
}

/// Quantiles of the samples over each random key, in shares of equally many samples.
fn bands(plan: &Plan<'_>, data: &Data, random: &[usize]) -> Vec<(String, Figure)> {
    let mut all = Vec::new();
    for output in outputs(plan) {
        for key in random {
            let mut pairs: Vec<(f64, f64)> = data
                .numbers(*key)
                .iter()
                .copied()
                .zip(data.numbers(output).iter().copied())
                .filter(|(_, y)| y.is_finite())
                .collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let size = (pairs.len() / 20).max(20);
            let groups: Vec<(f64, Vec<f64>)> = pairs
                .chunks(size)
                .filter(|chunk| chunk.len() * 2 >= size)
                .map(|chunk| (chunk[chunk.len() / 2].0, sorted(chunk.iter().map(|(_, y)| *y))))
                .collect();
            let mut panel = band_panel(Panel::new(axis(plan, *key, false), axis(plan, output, false)), &groups);
            let points = pairs.iter().step_by(pairs.len().div_ceil(600).max(1)).map(|(x, y)| [*x, *y]).collect();
            panel.series.insert(0, Series { width: 0.8, ..Series::markers("", Role::Eighth, points) });
            let name =
                format!("{}-over-{}", file_name(&plan.columns()[output].name), file_name(&plan.columns()[*key].name));
            all.push((name, Figure::stacked(vec![panel])));
        }
    }
    all
}

/// Levels of contour lines.
const CONTOURS: usize = 8;

/// Each output over two keys: greys and contour lines; classes with their boundaries and names.
fn maps(
    plan: &Plan<'_>,
    data: &Data,
    (x, columns, log_x): (usize, usize, bool),
    (y, rows, log_y): (usize, usize, bool),
) -> Vec<(String, Figure)> {
    let xs: Vec<f64> = data.numbers(x)[..columns].to_vec();
    let ys: Vec<f64> = data.numbers(y).iter().step_by(columns).copied().take(rows).collect();
    // Cells of equal size: places of ranges of equal ratios by their logarithms, lists by their numbers.
    let even = |values: &[f64], log: bool| -> Option<[f64; 2]> {
        let (first, last) = (*values.first()?, *values.last()?);
        (!log && values.len() > 1).then(|| [first, (last - first) / (values.len() - 1) as f64])
    };
    let base = |output: &str| {
        let mut panel = Panel::new(axis(plan, x, log_x), axis(plan, y, log_y));
        panel.height = 420.0;
        panel.title = output.to_string();
        panel
    };
    let framed = |mut panel: Panel, shades: Vec<Shade>| {
        if let (Some([x0, dx]), Some([y0, dy])) = (even(&xs, log_x), even(&ys, log_y)) {
            let (left, bottom) = (x0 - 0.5 * dx, y0 - 0.5 * dy);
            let (right, top) = (left + columns as f64 * dx, bottom + rows as f64 * dy);
            panel.x = panel.x.from_to(left.min(right), left.max(right));
            panel.y = panel.y.from_to(bottom.min(top), bottom.max(top));
            panel.map = Some(Map { columns, origin: [left, bottom], size: [dx, dy], shades });
        }
        panel
    };
    let mut figures = Vec::new();
    for output in outputs(plan) {
        let values = data.numbers(output);
        let all = sorted(values.iter().copied());
        let (Some(least), Some(greatest)) = (all.first().copied(), all.last().copied()) else { continue };
        let span = if greatest > least { greatest - least } else { 1.0 };
        let shade = |v: &f64| if v.is_finite() { Shade::Level((v - least) / span) } else { Shade::Empty };
        let column = &plan.columns()[output];
        let unit =
            if column.unit.is_empty() || column.unit == "1" { String::new() } else { format!(" ({})", column.unit) };
        let mut panel = framed(base(&format!("{}{unit}", column.name)), values.iter().map(shade).collect());
        for level in contour::levels(least, greatest, CONTOURS) {
            let lines = contour::lines(&xs, &ys, values, level);
            if let Some(line) = lines.iter().max_by_key(|line| line.len()) {
                panel.notes.push(Note {
                    at: line[line.len() / 2],
                    text: contour::label(level),
                    anchor: Anchor::Middle,
                });
            }
            let mut points = Vec::new();
            for line in lines {
                points.extend(line);
                points.push([f64::NAN; 2]);
            }
            panel = panel.with(Series::line("", Role::First, points).wide(0.9));
        }
        figures.push((file_name(&column.name), Figure::stacked(vec![panel])));
    }
    if let Some(class) = class_column(plan) {
        figures.push(("class".to_string(), class_map(plan, data.texts(class), (&xs, &ys), &framed, base("class"))));
    }
    figures
}

/// Classes over two keys.
fn class_map(
    plan: &Plan<'_>,
    classes: &[Option<String>],
    (xs, ys): (&[f64], &[f64]),
    framed: &dyn Fn(Panel, Vec<Shade>) -> Panel,
    panel: Panel,
) -> Figure {
    let names: Vec<&str> = plan.outputs().classes().collect();
    let number = |class: &Option<String>| names.iter().position(|name| Some(*name) == class.as_deref());
    let steps = names.len().max(2) as f64;
    let shade =
        |class: &Option<String>| number(class).map_or(Shade::Empty, |k| Shade::Level(0.5 * k as f64 / (steps - 1.0)));
    let mut panel = framed(panel, classes.iter().map(shade).collect());
    for (k, name) in names.iter().enumerate() {
        let own: Vec<usize> =
            classes.iter().enumerate().filter(|(_, class)| number(class) == Some(k)).map(|(i, _)| i).collect();
        if own.is_empty() {
            continue;
        }
        let inside: Vec<f64> = classes.iter().map(|class| if number(class) == Some(k) { 1.0 } else { 0.0 }).collect();
        let mut points = Vec::new();
        for line in contour::lines(xs, ys, &inside, 0.5) {
            points.extend(line);
            points.push([f64::NAN; 2]);
        }
        panel = panel.with(Series::line("", Role::First, points));
        // At the place of its own that is nearest to the middle of all of them.
        let columns = xs.len();
        let place = |i: usize| [(i % columns) as f64, (i / columns) as f64];
        let middle = own
            .iter()
            .fold([0.0; 2], |m, i| [m[0] + place(*i)[0] / own.len() as f64, m[1] + place(*i)[1] / own.len() as f64]);
        let far = |i: usize| (place(i)[0] - middle[0]).hypot(place(i)[1] - middle[1]);
        if let Some(at) = own.iter().copied().min_by(|a, b| far(*a).total_cmp(&far(*b))) {
            let at = [xs[at % columns], ys[at / columns]];
            panel.notes.push(Note { at, text: (*name).to_string(), anchor: Anchor::Middle });
        }
    }
    Figure::stacked(vec![panel])
}

/// A name that a file may have.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_on_straight_lines() {
        let values = [0.0, 1.0, 2.0, 10.0];
        assert_eq!((quantile(&values, 0.0), quantile(&values, 1.0)), (0.0, 10.0));
        assert_eq!(quantile(&values, 0.5), 1.5);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
