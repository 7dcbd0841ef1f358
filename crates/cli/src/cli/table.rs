//! `stickslip table`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use stickslip::creep::{Made, Tabulation};
use stickslip::run::text::{number_to, seconds};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, table};
use super::output::Output;
use super::run::file_stem;

/// Arguments of `table`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Folder to write to; by default out/NAME-table, or out/NAME-table-2 and so on if that holds something else. A folder that holds
    /// the same table unfinished is gone on with
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads; by default one for each core
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Begin without asking, however long it takes
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    output: Output,
}

/// Tables that take longer than this are begun only with `--yes` \[s\].
const LONG: f64 = 3600.0;

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let scenario = arguments.source.load()?;
    let tabulation = Tabulation::of(&scenario).map_err(|(message, help)| Failure::input(message, &help))?;
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let time = tabulation.seconds(threads);
    if time > LONG && !arguments.yes {
        return Err(Failure::input(
            format!(
                "{} solutions on {n} × {n} elements would take about {} hours; nothing was written",
                tabulation.spec.cases(),
                number_to(time / 3600.0, 2),
                n = tabulation.spec.elements
            ),
            "say --yes to begin nevertheless, or take fewer points or elements",
        ));
    }
    let folder = arguments.out.clone().unwrap_or_else(|| fresh(&file_stem(&scenario.name), &tabulation));
    let mut bar = Bar::new(arguments.output.is_quiet());
    let made = tabulation.make(&scenario, &folder, threads, &mut |step| bar.show(step));
    bar.clear();
    let made = made?;
    let lines = told(&scenario.name, &tabulation, &made, &folder, console.width());
    let json = || {
        let check = made.check;
        let told = serde_json::json!({
            "table": folder.join("creep-table.csv"), "rows": tabulation.spec.nodes(), "solved": made.solved,
            "points": check.points, "left_out": check.left_out, "seed": check.seed,
            "interpolation_max": check.interpolation.max, "interpolation_rms": check.interpolation.rms,
            "filled_nodes": made.table.unsolved(), "filled_points": check.filled.map(|f| f.points),
            "filled_max": check.filled.map(|f| f.miss.max), "filled_rms": check.filled.map(|f| f.miss.rms),
        });
        Ok(format!("{told:#}\n"))
    };
    arguments.output.tell(console, &lines, &[], json, &folder.join("report.html"))?;
    Ok(ExitCode::SUCCESS)
}

/// The first of out/NAME-table, out/NAME-table-2 and so on that is free, or holds this table unfinished.
fn fresh(name: &str, tabulation: &Tabulation) -> PathBuf {
    let base = Path::new("out");
    let path =
        |number: u32| base.join(if number == 1 { format!("{name}-table") } else { format!("{name}-table-{number}") });
    let mut number = 1;
    while path(number).exists() && (tabulation.is_finished_in(&path(number)) || !tabulation.is_in(&path(number))) {
        number += 1;
    }
    path(number)
}

fn told(name: &str, tabulation: &Tabulation, made: &Made, folder: &Path, width: Option<usize>) -> Vec<Line> {
    let spec = &tabulation.spec;
    let mut lines = vec![Line::title(format!(
        "{name}: {} solutions on {n} × {n} elements in {}, {} per second",
        made.solved,
        seconds(made.seconds),
        number_to(made.solved as f64 / made.seconds.max(1e-9), 3),
        n = spec.elements
    ))];
    if made.before > 0 {
        lines.push(Line::text(format!(
            "  went on with a table of which {} of {} lines were there",
            made.before,
            spec.lines()
        )));
    }
    lines.push(Line::text(""));
    if made.check.points == 0 {
        lines.push(Line::about(
            "WARNING",
            "no random point was compared (table.check): nobody knows how far the table is off",
        ));
    } else {
        lines.extend(compared(spec.elements, made, width));
    }
    if let Some(filled) = &made.check.filled {
        lines.push(Line::about(
            "filled",
            format!(
                "{} % of the nodes, large spin that four times as many elements along each side do not resolve; {} % of random points rest on such nodes, \
                 at most {} off finer elements there",
                number_to(100.0 * made.table.unsolved(), 2),
                number_to(100.0 * filled.share, 2),
                filled.miss.max.map(|value| number_to(value, 2)).join(", ")
            ),
        ));
    }
    lines.push(Line::about("table", format!("{} ({} rows)", folder.join("creep-table.csv").display(), spec.nodes())));
    lines.push(Line::about("report", folder.join("report.html").display().to_string()));
    lines
}

/// How far the table and others are off, at random points.
fn compared(elements: usize, made: &Made, width: Option<usize>) -> Vec<Line> {
    let head = ["off the exact theory by", "F/(μN): greatest", "rms", "M_z/(μNc): greatest", "rms"].map(String::from);
    let told = |value: f64| number_to(value, 2);
    let rows: Vec<Vec<String>> = made
        .rivals
        .iter()
        .map(|rival| {
            let [most, rms] = rival.moment.map_or(["–".to_string(), "–".to_string()], |moment| moment.map(told));
            vec![rival.name.to_string(), told(rival.force[0]), told(rival.force[1]), most, rms]
        })
        .collect();
    let mut lines: Vec<Line> = table(&head, &rows, width).into_iter().map(Line::text).collect();
    let n = 2 * elements;
    lines.push(Line::text(format!(
        "  at {} random points (seed {}), against direct solutions on {n} × {n} elements",
        made.check.points, made.check.seed
    )));
    lines.push(Line::text(""));
    let most = made.check.interpolation.max.map(told).join(", ");
    lines.push(Line::about(
        "between",
        format!("at most {most} off direct solutions on its own elements (F_x, F_y, M_z)"),
    ));
    lines
}
