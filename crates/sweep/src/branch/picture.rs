//! Pictures of paths: bifurcation diagrams, and spectra over a key.

use stickslip_report::figure::{Axis, ColourMap, ColourScale, Figure, Panel, Series, Tint};
use stickslip_report::html::{Content, Fact, Interactive, Report, Section, data_element};
use stickslip_report::palette::Role;
use stickslip_run::VERSION;

use super::collect::Place;
use super::follow::start_of;
use super::trust::moving_rows;
use super::{Branches, Trust, value_column};
use crate::picture::page::{Colours, Head, Points, Row, SCRIPT, every_nth, quoted};
use crate::picture::{Data, MOST_POINTS, edges, is_log};
use crate::{Folder, SweepError};

/// Paths that have a figure of their own; of more the dataset tells.
const FIGURES: usize = 12;

/// Levels below the strongest line that a waterfall shows \[dB\].
const DEPTH: f64 = 80.0;

/// A path in the dataset: its rows.
type Rows = std::ops::Range<usize>;

/// Draws all paths of a complete sweep: files `figures/*.svg` and `report.html`. False where it is too large or only a part.
pub fn draw_paths(
    branches: &Branches<'_>,
    folder: &Folder,
    trust: Option<&Trust>,
    command: &str,
) -> Result<bool, SweepError> {
    let own = folder.points();
    if own.end - own.start != branches.paths() || folder.rows()? > MOST_POINTS {
        return Ok(false);
    }
    let data = Data::read(folder)?;
    let mut paths: Vec<Rows> = Vec::new();
    folder.each_block(|_, cells| {
        let begin = paths.last().map_or(0, |rows| rows.end);
        paths.push(begin..begin + cells.first().map_or(0, stickslip_report::table::dataset::Cells::len));
        Ok(())
    })?;
    let mut figures = Vec::new();
    for (number, rows) in paths.iter().enumerate().take(FIGURES) {
        let figure = match branches.place {
            Place::Spectrum => waterfall(branches, &data, rows),
            _ => Some(diagram(branches, &data, rows)),
        };
        let Some(figure) = figure else { continue };
        let name = if paths.len() == 1 { "diagram".to_string() } else { format!("diagram-{:03}", number + 1) };
        folder.write(&format!("figures/{name}.svg"), figure.to_svg().as_bytes())?;
        figures.push((of_path(branches, &data, rows), figure));
    }
    let page = report(branches, &data, (figures, trust), command);
    folder.write("report.html", page.to_html().as_bytes())?;
    Ok(true)
}

/// What is fixed on a path, in words.
fn of_path(branches: &Branches<'_>, data: &Data, rows: &Rows) -> String {
    let along = branches.key_column();
    let fixed = (0..branches.plan.varied()).filter(|k| *k != along).map(|k| {
        let column = &branches.columns[k];
        let value = match column.text {
            true => data.texts(k).get(rows.start).cloned().flatten().unwrap_or_default(),
            false => stickslip_run::text::number_to(data.numbers(k).get(rows.start).copied().unwrap_or(f64::NAN), 6),
        };
        format!("{} = {value}", column.name)
    });
    let fixed: Vec<String> = fixed.collect();
    if fixed.is_empty() { "Diagram".to_string() } else { fixed.join(", ") }
}

fn key_axis(branches: &Branches<'_>) -> Axis {
    let key = &branches.columns[branches.key_column()];
    match is_log(&branches.plan, branches.key_column()) {
        true => Axis::log(&key.name, &key.unit),
        false => Axis::linear(&key.name, &key.unit),
    }
}

/// How much larger dots of the way up are, so that those of the way down do not hide them.
const UNDER: f64 = 2.0;

/// Values over the key: up and down in colours of their own, and hollow what had not settled.
fn diagram(branches: &Branches<'_>, data: &Data, rows: &Rows) -> Figure {
    let value = value_column(branches);
    let (keys, values) = (data.numbers(branches.key_column()), data.numbers(value));
    let directions = data.texts(branches.plan.varied());
    let (_, name, unit) = &branches.column;
    let mut panel = Panel::new(key_axis(branches), Axis::linear(name, unit));
    panel.height = 360.0;
    panel.title = branches.columns[value].meaning.clone();
    let moves = moving_rows(branches, data);
    for (direction, words, role) in
        [("up", "upwards", Role::First), ("down", "downwards", Role::Second), ("own", "", Role::First)]
    {
        let own = |row: &usize| {
            directions.get(*row).and_then(|d| d.as_deref()) == Some(direction) && values[*row].is_finite()
        };
        let place = |row: usize| [keys[row], values[row]];
        let (moving, settled): (Vec<usize>, Vec<usize>) = rows.clone().filter(own).partition(|row| moves[*row]);
        let mut series = Series::dots(words, role, settled.into_iter().map(place).collect());
        if direction == "up" {
            series.width *= UNDER;
        }
        let ends = ends(moving.into_iter().map(place));
        let both = if words.is_empty() { "not settled".to_string() } else { format!("{words}, not settled") };
        for series in [series, Series::markers(both + ": least and greatest", role, ends)] {
            if !series.points.is_empty() {
                panel = panel.with(series);
            }
        }
    }
    Figure::stacked(vec![panel])
}

/// The least and the greatest of the values at each place; those of a place come one after the other.
fn ends(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let mut all: Vec<[f64; 3]> = Vec::new();
    for [x, value] in points {
        match all.last_mut() {
            Some([at, least, greatest]) if *at == x => (*least, *greatest) = (least.min(value), greatest.max(value)),
            _ => all.push([x, value, value]),
        }
    }
    all.into_iter().flat_map(|[x, least, greatest]| [[x, least], [x, greatest]]).collect()
}

/// Levels of lines over the key and the frequency, of the first way along the key.
fn waterfall(branches: &Branches<'_>, data: &Data, rows: &Rows) -> Option<Figure> {
    let value = value_column(branches);
    let (keys, lines, values) = (data.numbers(branches.key_column()), data.numbers(value - 1), data.numbers(value));
    let directions = data.texts(branches.plan.varied());
    // Of a key that falls and rises again, too, one of the two ways.
    let first = directions.get(rows.start).cloned().flatten();
    let mut up: Vec<usize> = rows
        .clone()
        .filter(|row| directions.get(*row).cloned().flatten() == first && values[*row].is_finite())
        .collect();
    // Lists may be in any order; the lines of a run stay in theirs.
    up.sort_by(|a, b| keys[*a].total_cmp(&keys[*b]));
    let mut along: Vec<f64> = up.iter().map(|row| keys[*row]).collect();
    along.dedup();
    // All runs of a waterfall have the lines of the first; those of runs of other lengths are drawn at the nearest of them.
    let first: Vec<f64> = up.iter().take_while(|row| keys[**row] == along[0]).map(|row| lines[*row]).collect();
    let (width, spacing) = (along.len(), first.get(1)? - first.first()?);
    let greatest = up.iter().map(|row| values[*row]).fold(0.0, f64::max);
    if width < 2 || greatest <= 0.0 || spacing <= 0.0 {
        return None;
    }
    let mut tints = vec![Tint::Empty; width * first.len()];
    let mut column = 0;
    for row in up {
        while column + 1 < width && along[column] != keys[row] {
            column += 1;
        }
        // Lines begin at the first above 0 Hz.
        let line = (lines[row] / spacing).round() as usize;
        if let Some(tint) = line.checked_sub(1).and_then(|line| tints.get_mut(line * width + column)) {
            let level = 20.0 * (values[row] / greatest).max(1e-30).log10();
            *tint = Tint::Value((1.0 + level / DEPTH).clamp(0.0, 1.0));
        }
    }
    let (_, name, unit) = &branches.column;
    let edges = [edges(&along, is_log(&branches.plan, branches.key_column())), edges(&first, false)];
    let mut panel = Panel::new(
        key_axis(branches).from_to(edges[0][0].min(*edges[0].last()?), edges[0][0].max(*edges[0].last()?)),
        Axis::linear("frequency", "Hz").from_to(0.0, *edges[1].last()?),
    );
    panel.height = 360.0;
    panel.title = format!(
        "spectrum of {name} less its mean: 0 dB is an amplitude of {}{}",
        stickslip_run::text::number_to(greatest, 4),
        if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") }
    );
    let scale = ColourScale { axis: Axis::linear("level", "dB"), ends: [-DEPTH, 0.0] };
    panel.colours = Some(ColourMap { edges, tints, scale: Some(scale), contours: Vec::new() });
    Some(Figure::stacked(vec![panel]))
}

fn report(
    branches: &Branches<'_>,
    data: &Data,
    (figures, trust): (Vec<(String, Figure)>, Option<&Trust>),
    command: &str,
) -> Report {
    let scenario = branches.plan.scenario;
    let errors = data.texts(branches.columns.len() - 1).iter().flatten().count();
    let mut sections: Vec<Section> = Vec::new();
    if branches.place != Place::Spectrum {
        sections.push(Section {
            heading: "Values".into(),
            text: "Each point is a value of a run, hollow where the run had not settled. Under the cursor stands what it is; a click shows the \
                   command that makes the run again, from the start that it had."
                .into(),
            content: vec![Content::Interactive(Interactive {
                class: "sweep",
                data: data_element(&points(branches, data, command)),
                script: SCRIPT,
            })],
        });
    }
    sections.extend(figures.into_iter().map(|(heading, figure)| Section {
        heading,
        text: String::new(),
        content: vec![Content::Figure(figure)],
    }));
    sections.extend(trust.map(Trust::section));
    let key = &branches.columns[branches.key_column()].name;
    let what = if branches.place == Place::Spectrum { "Spectra" } else { "Bifurcation diagram" };
    Report {
        title: format!("{}: {what} over {key}", scenario.title.as_deref().unwrap_or(&scenario.name)),
        subtitle: format!(
            "{} of {}; {}",
            branches.columns[value_column(branches)].meaning,
            scenario.name,
            branches.way()
        ),
        key: vec![
            Fact::new("paths", branches.paths().to_string()),
            Fact::new("runs", (branches.paths() * branches.runs_of_path()).to_string()),
            Fact::new("values", data.numbers(value_column(branches)).len().to_string()),
            Fact::new("runs with errors", errors.to_string()),
        ],
        sections,
        files: ["sweep.csv", "trust.csv", "sweep.json", "columns.json", "summary.json", "scenario.toml"]
            .map(String::from)
            .to_vec(),
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
        ..Report::default()
    }
}

fn points<'a>(branches: &'a Branches<'_>, data: &'a Data, command: &'a str) -> Points<'a> {
    let value = value_column(branches);
    let varied: Vec<usize> = (0..branches.plan.varied()).filter(|k| !branches.columns[*k].text).collect();
    let key = branches.key_column();
    // The key that is gone along comes last: that is what a page draws over.
    let mut columns: Vec<usize> = varied.iter().copied().filter(|k| *k != key).collect();
    columns.extend([key, value, value - 1]);
    let shown = every_nth(data.numbers(value).len());
    let row = |k: &usize| Row(columns.iter().map(|column| data.numbers(*column)[*k]).collect());
    let directions = data.texts(branches.plan.varied());
    let (mut settings, mut runs) = (Vec::<String>::new(), Vec::new());
    for k in &shown {
        let own = argument_text(branches, data, *k);
        if settings.last() != Some(&own) {
            settings.push(own);
        }
        runs.push(settings.len() - 1);
    }
    let head = |number: &usize| {
        let column = &branches.columns[*number];
        let name = if column.name == "value" { &branches.column.1 } else { &column.name };
        Head { name, unit: &column.unit, log: *number < branches.plan.varied() && is_log(&branches.plan, *number) }
    };
    Points {
        columns: columns.iter().map(head).collect(),
        varied: varied.len(),
        grid: None,
        rows: shown.iter().map(row).collect(),
        classes: shown.iter().map(|k| directions.get(*k).and_then(|d| d.as_deref())).collect(),
        kinds: if branches.carry.is_empty() { vec!["own"] } else { vec!["up", "down"] },
        command,
        settings,
        runs,
        title: "direction",
        hollow: hollow(branches, data, &shown),
        colours: Colours::OF_FIGURES,
    }
}

/// Places of the rows on a page whose runs had not settled.
fn hollow(branches: &Branches<'_>, data: &Data, shown: &[usize]) -> Vec<usize> {
    let moves = moving_rows(branches, data);
    (0..shown.len()).filter(|place| moves[shown[*place]]).collect()
}

/// What `--set` sets for the run of a row.
fn argument_text(branches: &Branches<'_>, data: &Data, row: usize) -> String {
    let start = start_of(branches, &data.cells, row);
    let arguments = branches.arguments(&branches.values_of(data, row), start.as_deref());
    arguments.iter().map(|set| format!(" --set {}", quoted(set))).collect()
}
