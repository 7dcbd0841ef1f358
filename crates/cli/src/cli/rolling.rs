//! `stickslip creep`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use stickslip::contact::table::{Table, TableFile};
use stickslip::creep::{Creep, CreepContact, CreepOptions, MOST_POINTS, Ranges, THEORIES, Tabulated, creep};
use stickslip::run::text::number_to;

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, table};
use super::output::Output;
use super::run::{cleared, file_stem, output};

/// Arguments of `creep`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Theories to compare, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = THEORIES, default_values = THEORIES)]
    theories: Vec<String>,
    /// Points of each curve
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000), conflicts_with_all = ["xi", "eta", "phi"])]
    points: u16,
    /// Longitudinal creepages instead of the usual curves: 0:0.01:21 is 21 of them from 0 to 0.01; or 0.001, or 0,0.001,0.01. All
    /// that are given are combined; what is not given is held at that of the scenario
    #[arg(long, value_name = "FROM:TO:COUNT", value_parser = values, allow_hyphen_values = true)]
    xi: Option<Values>,
    /// Lateral creepages, likewise
    #[arg(long, value_name = "FROM:TO:COUNT", value_parser = values, allow_hyphen_values = true)]
    eta: Option<Values>,
    /// Spins in 1/m, likewise
    #[arg(long, value_name = "FROM:TO:COUNT", value_parser = values, allow_hyphen_values = true)]
    phi: Option<Values>,
    /// A file creep-table.csv of `stickslip table`, as one more theory
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Folder to write to; by default out/NAME-creep, or out/NAME-creep-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files in a folder that is not empty: the one of --out, or out/NAME-creep
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

/// Creepages of one kind.
#[derive(Debug, Clone, PartialEq)]
struct Values(Vec<f64>);

/// Reads `0.001`, `0,0.001,0.01` or `0:0.01:21`.
fn values(text: &str) -> Result<Values, String> {
    let number = |word: &str| match word.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{word}` is no number; write for example 0.001, or 0:0.01:21 for 21 values from 0 to 0.01")),
    };
    let words: Vec<&str> = text.split(':').collect();
    match words[..] {
        [from, to, count] => {
            let (from, to) = (number(from)?, number(to)?);
            let count = count.trim().parse().ok().filter(|count| (2..=MOST_POINTS).contains(count));
            let count =
                count.ok_or(format!("the third number is how many values there are, from 2 to {MOST_POINTS}"))?;
            let at = |k: usize| if k + 1 == count { to } else { from + (to - from) * k as f64 / (count - 1) as f64 };
            Ok(Values((0..count).map(at).collect()))
        }
        [list] => list.split(',').map(number).collect::<Result<_, _>>().map(Values),
        _ => Err("a range is written FROM:TO:COUNT, such as 0:0.01:21".into()),
    }
}

impl Arguments {
    /// The creepages that were named, if any.
    fn ranges(&self) -> Result<Option<Ranges>, Failure> {
        let [xi, eta, phi] = [&self.xi, &self.eta, &self.phi].map(|values| values.as_ref().map(|v| v.0.clone()));
        if xi.is_none() && eta.is_none() && phi.is_none() {
            return Ok(None);
        }
        let [xi, eta, phi] = [xi, eta, phi].map(Option::unwrap_or_default);
        let ranges = Ranges { xi, eta, phi };
        match ranges.count() {
            count if count > MOST_POINTS => Err(Failure::input(
                format!("the ranges make {count} points, and at most {MOST_POINTS} are computed at once"),
                "take fewer values, or make several tables",
            )),
            _ => Ok(Some(ranges)),
        }
    }
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let ranges = arguments.ranges()?;
    let scenario = arguments.source.load()?;
    let contact = CreepContact::of(&scenario).map_err(|(message, help)| Failure::input(message, help))?;
    let table = arguments.table.as_deref().map(read_table).transpose()?;
    if let Some(file) = &table {
        contact.covered_by(&file.table).map_err(|(message, help)| Failure::input(message, &help))?;
    }
    let name = format!("{}-creep", file_stem(&scenario.name));
    let folder = output(arguments.out.as_deref(), arguments.force, &name, std::slice::from_ref(&scenario))?;
    let cleared = cleared(&folder);
    let options =
        CreepOptions { theories: arguments.theories.clone(), points: usize::from(arguments.points), ranges, table };
    let mut bar = Bar::new(arguments.output.is_quiet());
    let drawn = creep(&scenario, &contact, &options, folder, &mut |step| bar.show(step));
    bar.clear();
    let drawn = drawn?;
    let mut lines = match &drawn.tabulated {
        Some(told) => tabulated(&scenario.name, told, console.width()),
        None => {
            let beside = contact.held().map_or_else(String::new, |held| format!(", {held}"));
            sampled(&format!("{}: creep forces, −F_x/(μN) for longitudinal creepage{beside}", scenario.name), &drawn)
        }
    };
    let doubt = drawn
        .failures
        .first()
        .map(|first| format!("{} points were not solved, the first: {first}", drawn.failures.len()));
    lines.extend(doubt.iter().map(|doubt| Line::text(format!("  {doubt}"))));
    lines.extend(drawn.notes.iter().map(|note| Line::about("note", note.clone())));
    lines.push(Line::text(""));
    let file = drawn.folder.join("creep.csv");
    lines.push(Line::about("table", format!("{} ({} rows)", file.display(), drawn.rows)));
    let report = drawn.folder.join("report.html");
    lines.push(Line::about("report", report.display().to_string()));
    lines.extend(cleared);
    let doubts: Vec<String> = doubt.into_iter().chain(drawn.notes.iter().cloned()).collect();
    arguments.output.tell(console, &lines, &doubts, || data(&file, &drawn), &report)?;
    Ok(ExitCode::SUCCESS)
}

/// The table in a file.
fn read_table(path: &Path) -> Result<TableFile, Failure> {
    let named = |message: String, help: &str| Failure::input(format!("{}: {message}", path.display()), help);
    let text = std::fs::read_to_string(path).map_err(|error| {
        named(format!("cannot be read: {error}"), "name a file creep-table.csv of `stickslip table`")
    })?;
    Table::read(&text).map_err(|error| named(error.to_string(), &error.help()))
}

/// Two points of each curve.
fn sampled(title: &str, drawn: &Creep) -> Vec<Line> {
    let mut lines = vec![Line::title(title), Line::text("")];
    let head = [0.5, 1.0].map(|share| format!("ξ = {}", number_to(share * drawn.unit, 3)));
    lines.push(Line::text(format!("  {:<22} {:>12} {:>12}", "", head[0], head[1])));
    for (theory, half, whole) in &drawn.sample {
        let [half, whole] = [half, whole].map(|share| share.map_or_else(|| "–".into(), |share| format!("{share:.4}")));
        lines.push(Line::text(format!("  {theory:<22} {half:>12} {whole:>12}")));
    }
    lines
}

/// Rows of a table that the terminal shows.
const SHOWN: usize = 25;

fn tabulated(scenario: &str, told: &Tabulated, width: Option<usize>) -> Vec<Line> {
    let mut lines = vec![Line::title(format!("{scenario}: {} by theory", told.what)), Line::text("")];
    let rows: Vec<Vec<String>> = told.rows.iter().take(SHOWN).cloned().collect();
    lines.extend(table(&told.head, &rows, width).into_iter().map(Line::text));
    match told.rows.len().saturating_sub(SHOWN) {
        0 => {}
        left => lines.push(Line::text(format!("  … and {left} more in creep.csv"))),
    }
    lines
}

/// The table as JSON: an object for each row.
fn data(file: &Path, drawn: &Creep) -> Result<String, Failure> {
    let text =
        std::fs::read_to_string(file).map_err(|e| Failure::broken(format!("cannot read {}: {e}", file.display())))?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let value = |cell: &str| match (cell, cell.parse::<f64>()) {
        ("", _) => Value::Null,
        (_, Ok(number)) => json!(number),
        (word, Err(_)) => json!(word),
    };
    let row = |line: &str| -> Map<String, Value> {
        head.iter().zip(line.split(',')).map(|(name, cell)| (name.to_string(), value(cell))).collect()
    };
    let rows: Vec<Map<String, Value>> = lines.map(row).collect();
    Ok(format!("{:#}\n", json!({ "rows": rows, "not_solved": drawn.failures, "notes": drawn.notes })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creepages_are_given_one_by_one_or_as_a_range() {
        let read = |text: &str| values(text).map(|values| values.0);
        assert_eq!(read("0.001"), Ok(vec![0.001]));
        assert_eq!(read("0,-0.5, 1e-3"), Ok(vec![0.0, -0.5, 0.001]));
        assert_eq!(read("0:0.01:3"), Ok(vec![0.0, 0.005, 0.01]));
        assert_eq!(read("-1:1:2"), Ok(vec![-1.0, 1.0]));
        for bad in ["", "x", "0:1", "0:1:1", "0:1:x", "0:inf:3", "nan", "0:1:2:3", "0:1:9999999"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
