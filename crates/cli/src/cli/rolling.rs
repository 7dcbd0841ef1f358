//! `stickslip creep`.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::creep::{CreepContact, CreepOptions, THEORIES, creep};
use stickslip::run::text::number_to;

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::Line;
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
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    points: u16,
    /// Folder to write to; by default out/NAME-creep, or out/NAME-creep-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files in a folder that is not empty: the one of --out, or out/NAME-creep
    #[arg(long)]
    force: bool,
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let scenario = arguments.source.load()?;
    let contact = CreepContact::of(&scenario).map_err(|(message, help)| Failure::input(message, help))?;
    let name = format!("{}-creep", file_stem(&scenario.name));
    let folder = output(arguments.out.as_deref(), arguments.force, &name, std::slice::from_ref(&scenario))?;
    let cleared = cleared(&folder);
    let options = CreepOptions { theories: arguments.theories.clone(), points: usize::from(arguments.points) };
    let mut bar = Bar::new(false);
    let drawn = creep(&scenario, &contact, &options, folder, &mut |step| bar.show(step));
    bar.clear();
    let drawn = drawn?;
    let beside = contact.held().map_or_else(String::new, |held| format!(", {held}"));
    let mut lines =
        vec![format!("{}: creep forces, −F_x/(μN) for longitudinal creepage{beside}", scenario.name), String::new()];
    let head = [0.5, 1.0].map(|share| format!("ξ = {}", number_to(share * drawn.unit, 3)));
    lines.push(format!("  {:<22} {:>12} {:>12}", "", head[0], head[1]));
    for (theory, half, whole) in &drawn.sample {
        let [half, whole] = [half, whole].map(|share| share.map_or_else(|| "–".into(), |share| format!("{share:.4}")));
        lines.push(format!("  {theory:<22} {half:>12} {whole:>12}"));
    }
    if let Some(first) = drawn.failures.first() {
        lines.push(format!("  {} points were not solved, the first: {first}", drawn.failures.len()));
    }
    lines.push(String::new());
    lines.push(format!("  table   {} ({} rows)", drawn.folder.join("creep.csv").display(), drawn.rows));
    lines.push(format!("  report  {}", drawn.folder.join("report.html").display()));
    let lines: Vec<Line> = lines.into_iter().map(Line::text).chain(cleared).collect();
    console.lines(&lines)?;
    Ok(ExitCode::SUCCESS)
}
