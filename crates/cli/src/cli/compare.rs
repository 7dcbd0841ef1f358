//! `stickslip compare`.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::run::text::{number_to, seconds};
use stickslip::run::{CompareFailure, Compared, ComparedColumn, ComparedMeasure, Deviation, RunFailure, Scenario};
use stickslip::run::{Variant, side_by_side};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, table};
use super::output::Output;
use super::run::{cleared, file_stem, output, plainly, void, warned};

/// Runs that are compared at the most: more cannot be told apart in one picture.
const MOST: usize = 8;

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scenario files or names of built-in scenarios; the others are compared with the first
    #[arg(value_name = "FILE-or-NAME", required = true, num_args = 1..=MOST)]
    scenarios: Vec<String>,
    /// Compare a single scenario with itself where this is changed: --with vehicle.height=0.9 --with vehicle.height=1.1
    /// makes three runs
    #[arg(long, value_name = "KEY=VALUE")]
    with: Vec<String>,
    /// Column of the trajectories to compare, or a measure such as stopping_distance; may be given several times. By
    /// default the first friction force that all have, and all measures
    #[arg(long, value_name = "NAME")]
    column: Vec<String>,
    /// Set a value in all scenarios: --set run.duration=5
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Folder to write to; by default out/NAME-compared, or out/NAME-compared-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files in a folder that is not empty: the one of --out, or out/NAME-compared
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let variants = variants(arguments)?;
    let name = format!("{}-compared", file_stem(&variants[0].scenario.name));
    let scenarios: Vec<Scenario> = variants.iter().map(|variant| variant.scenario.clone()).collect();
    let folder = output(arguments.out.as_deref(), arguments.force, &name, &scenarios)?;
    let cleared = cleared(&folder);
    let mut bar = Bar::new(arguments.output.is_quiet());
    let compared = side_by_side(&variants, &arguments.column, folder, &mut |step| bar.show(step));
    bar.clear();
    let compared = compared.map_err(|failure| match failure {
        CompareFailure::Output(failure) => Failure::from(failure),
        other => Failure::input(other.to_string(), &other.help()),
    })?;
    let mut lines = told(&compared, console.width());
    lines.extend(cleared);
    let mut doubts: Vec<String> = compared.warnings.iter().map(|warning| plainly(warning, "")).collect();
    for run in &compared.runs {
        doubts.extend(run.warnings.iter().map(|warning| plainly(warning, &format!("{}: ", run.name))));
    }
    let json = || Ok(format!("{:#}\n", compared.to_json()));
    arguments.output.tell(console, &lines, &doubts, json, &compared.folder.join("report.html"))?;
    compared.runs.iter().try_for_each(|run| void(&run.name, &run.warnings, &compared.folder))?;
    Ok(ExitCode::SUCCESS)
}

/// The scenarios to run: those that were named, or one and what `--with` makes of it.
fn variants(arguments: &Arguments) -> Result<Vec<Variant>, Failure> {
    let Arguments { scenarios, with, overrides, .. } = arguments;
    let read = |name: &String, change: Option<&String>| {
        let overrides = overrides.iter().chain(change).cloned().collect();
        let scenario = Source { scenario: name.clone(), overrides }.load()?;
        if matches!(scenario.model.in_time(), Err(RunFailure::Timeless)) {
            let model = scenario.model.name().replace('-', " ");
            return Err(Failure::input(
                format!("{}: a {model} has no course of time to compare", scenario.name),
                "try `stickslip creep`, which compares theories",
            ));
        }
        Ok(Variant { scenario, change: change.cloned() })
    };
    match (&scenarios[..], &with[..]) {
        ([only], []) => Err(Failure::input(
            format!("{only} alone has nothing to be compared with"),
            "name other scenarios, too, or change this one: --with run.step=1e-4",
        )),
        ([only], with) if with.len() < MOST => {
            std::iter::once(None).chain(with.iter().map(Some)).map(|change| read(only, change)).collect()
        }
        ([_], with) => Err(Failure::input(
            format!("{} runs are too many for one picture", with.len() + 1),
            &format!("write --with at most {} times", MOST - 1),
        )),
        (_, [_, ..]) => Err(Failure::input(
            format!("--with changes one scenario, and {} are named", scenarios.len()),
            "name one, or change all of them by --set",
        )),
        (several, []) => several.iter().map(|name| read(name, None)).collect(),
    }
}

fn told(compared: &Compared, width: Option<usize>) -> Vec<Line> {
    let mut lines = Vec::new();
    for column in &compared.columns {
        lines.extend([
            Line::title(format!("{} ({}) against that of the first", column.name, column.unit)),
            Line::text(""),
        ]);
        lines.extend(deviations(column, width));
        lines.push(Line::text(""));
    }
    lines.extend(measured(compared, width));
    lines.extend(compared.notes.iter().map(|note| Line::text(format!("  {note}"))));
    lines.extend(compared.warnings.iter().map(|warning| warned(warning, "")));
    for run in &compared.runs {
        let about = format!("{}: ", run.name);
        lines.extend(run.warnings.iter().map(|warning| warned(warning, &about)));
    }
    lines.push(Line::text(""));
    let table = if compared.columns.is_empty() { "measures.csv" } else { "compare.csv" };
    for (label, file) in [("table", table), ("report", "report.html")] {
        lines.push(Line::about(label, compared.folder.join(file).display().to_string()));
    }
    lines
}

/// How far the runs are from the first.
fn deviations(column: &ComparedColumn, width: Option<usize>) -> Vec<Line> {
    let row = |row: &Deviation| {
        let Deviation { scenario, rms, rms_stuck, greatest, events, .. } = row;
        let value = |value: &Option<f64>| value.map_or_else(|| "–".into(), |v| number_to(v, 5));
        let (most, at) = match rms {
            None => ("–".into(), "–".into()),
            Some(_) => (number_to(greatest.0, 5), seconds(greatest.1)),
        };
        vec![scenario.clone(), value(rms), value(rms_stuck), most, at, events.to_string()]
    };
    let head = ["", "rms", "rms, stuck", "greatest", "at", "events"].map(String::from);
    table(&head, &column.rows.iter().map(row).collect::<Vec<_>>(), width).into_iter().map(Line::text).collect()
}

/// What the runs come to, one beside the other.
fn measured(compared: &Compared, width: Option<usize>) -> Vec<Line> {
    if compared.measures.is_empty() {
        return Vec::new();
    }
    let row = |measure: &ComparedMeasure| {
        let unit = if measure.unit == "1" { String::new() } else { format!(" ({})", measure.unit) };
        [vec![format!("{}{unit}", measure.name)], measure.in_words()].concat()
    };
    let rows: Vec<Vec<String>> = compared.measures.iter().map(row).collect();
    let names = compared.runs.iter().map(|run| run.name.clone());
    let head: Vec<String> = std::iter::once(String::new()).chain(names).collect();
    let lines = table(&head, &rows, width);
    lines.into_iter().chain([String::new()]).map(Line::text).collect()
}
