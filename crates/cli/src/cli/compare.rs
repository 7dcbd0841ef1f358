//! `stickslip compare`.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::run::text::{number_to, seconds};
use stickslip::run::{CompareFailure, ComparedMeasure, Deviation, RunFailure, side_by_side};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::run::{cleared, file_stem, output, void, warned};

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scenario files or names of built-in scenarios; the others are compared with the first
    #[arg(value_name = "FILE-or-NAME", required = true, num_args = 2..=8)]
    scenarios: Vec<String>,
    /// Column of the trajectories to compare, or a measure such as stopping_distance; by default the first friction force
    /// that all have, and all measures
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// Set a value in all scenarios: --set run.duration=5
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Folder to write to; by default out/NAME-compared, or out/NAME-compared-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files in a folder that is not empty: the one of --out, or out/NAME-compared
    #[arg(long)]
    force: bool,
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let mut scenarios = Vec::new();
    for name in &arguments.scenarios {
        let scenario = Source { scenario: name.clone(), overrides: arguments.overrides.clone() }.load()?;
        if matches!(scenario.model.in_time(), Err(RunFailure::Timeless)) {
            let model = scenario.model.name().replace('-', " ");
            return Err(Failure::input(
                format!("{}: a {model} has no course of time to compare", scenario.name),
                "try `stickslip creep`, which compares theories",
            ));
        }
        scenarios.push(scenario);
    }
    let name = format!("{}-compared", file_stem(&scenarios[0].name));
    let folder = output(arguments.out.as_deref(), arguments.force, &name, &scenarios)?;
    let cleared = cleared(&folder);
    let mut bar = Bar::new();
    let compared = side_by_side(&scenarios, arguments.column.as_deref(), folder, &mut |step| bar.show(step));
    bar.clear();
    let compared = compared.map_err(|failure| match failure {
        CompareFailure::Output(failure) => Failure::from(failure),
        run @ CompareFailure::Run { .. } => {
            Failure::input(run.to_string(), "try `stickslip run` on that scenario alone")
        }
        other => Failure::input(other.to_string(), "name a column that all trajectories have with --column"),
    })?;
    let (column, unit) = &compared.column;
    let mut lines = vec![format!("{column} ({unit}) against that of the first"), String::new()];
    let width = compared.rows.iter().map(|row| row.scenario.chars().count()).max().unwrap_or(0);
    let head = ["rms", "rms, stuck", "greatest", "at", "events"];
    lines.push(format!(
        "  {:width$} {:>11} {:>11} {:>11} {:>11} {:>8}",
        "", head[0], head[1], head[2], head[3], head[4]
    ));
    lines.extend(compared.rows.iter().map(|row| {
        let Deviation { scenario, rms, rms_stuck, greatest, events, .. } = row;
        let [rms, stuck] = [rms, rms_stuck].map(|value| value.map_or_else(|| "–".into(), |v| number_to(v, 5)));
        let (most, at) = match rms.as_str() {
            "–" => ("–".into(), "–".into()),
            _ => (number_to(greatest.0, 5), seconds(greatest.1)),
        };
        format!("  {scenario:width$} {rms:>11} {stuck:>11} {most:>11} {at:>11} {events:>8}")
    }));
    lines.push(String::new());
    lines.extend(measured(&compared.measures));
    lines.extend(compared.notes.iter().map(|note| format!("  {note}")));
    lines.extend(compared.warnings.iter().map(|warning| warned(warning, "")));
    for row in &compared.rows {
        let about = format!("{}: ", row.scenario);
        lines.extend(row.warnings.iter().map(|warning| warned(warning, &about)));
    }
    lines.push(String::new());
    lines.push(format!("  table   {}", compared.folder.join("compare.csv").display()));
    lines.push(format!("  report  {}", compared.folder.join("report.html").display()));
    console.text(&(lines.join("\n") + "\n" + &cleared))?;
    compared.rows.iter().try_for_each(|row| void(&row.scenario, &row.warnings, &compared.folder))?;
    Ok(ExitCode::SUCCESS)
}

/// What the runs come to, one beside the other.
fn measured(measures: &[ComparedMeasure]) -> Vec<String> {
    let rows: Vec<(String, Vec<String>)> = measures
        .iter()
        .map(|measure| {
            let unit = if measure.unit == "1" { String::new() } else { format!(" ({})", measure.unit) };
            (format!("{}{unit}", measure.name), measure.in_words())
        })
        .collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let words = rows.iter().flat_map(|(_, words)| words);
    let column = words.map(|word| word.chars().count()).max().unwrap_or(0);
    let line = |(name, words): &(String, Vec<String>)| {
        let values: Vec<String> = words.iter().map(|word| format!("{word:>column$}")).collect();
        format!("  {name:<width$}  {}", values.join("  "))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}
