//! `stickslip stability`.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::core::analysis::stability::{Mode, Root, Tendency, unstable};
use stickslip::models::MODELS;
use stickslip::run::stability::{Found, Stability, StabilityFailure, StabilityOptions, stability};
use stickslip::run::text::number_to;
use stickslip::run::{RunFailure, Scenario};
use stickslip::scenario::Interval;
use stickslip::scenario::tables::listed;

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, Tone, table};
use super::output::Output;
use super::run::{cleared, file_stem, output};

/// Arguments of `stability`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Vary a key over n numbers from a to b: --vary pad.load=10:50:41, or with :log at the end for equal ratios. Two of them
    /// make a map
    #[arg(long, value_name = "KEY=A:B:N", allow_hyphen_values = true)]
    vary: Vec<String>,
    /// Find the critical values of a key between a and b, with all else as in the scenario; may be given several times
    #[arg(long, value_name = "KEY=A:B", allow_hyphen_values = true)]
    find: Vec<String>,
    /// Threads that share the points; by default as many as there are cores. What comes out does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder to write to; by default out/NAME-stability, or out/NAME-stability-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files in a folder that is not empty: the one of --out, or out/NAME-stability
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

fn intervals(option: &str, texts: &[String], counted: bool) -> Result<Vec<Interval>, Failure> {
    let read = |text: &String| {
        Interval::read(text, counted).map_err(|fault| {
            let help = fault.help.as_deref().unwrap_or("see --help");
            Failure::input(format!("{option} {}", fault.message), help)
        })
    };
    texts.iter().map(read).collect()
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let options = StabilityOptions {
        vary: intervals("--vary", &arguments.vary, true)?,
        find: intervals("--find", &arguments.find, false)?,
        threads: arguments.threads.map_or(0, usize::from),
    };
    let scenario = arguments.source.load()?;
    let name = format!("{}-stability", file_stem(&scenario.name));
    let folder = output(arguments.out.as_deref(), arguments.force, &name, std::slice::from_ref(&scenario))?;
    let cleared = cleared(&folder);
    let mut bar = Bar::new(arguments.output.is_quiet());
    let result = stability(&MODELS, &scenario, &options, folder, &mut |step| bar.show(step));
    bar.clear();
    let result = result.map_err(failure)?;
    let mut lines = told(&scenario, &result, console.width());
    lines.extend(cleared);
    let json = || Ok(format!("{:#}\n", result.to_json(&scenario)));
    arguments.output.tell(console, &lines, &result.doubts, json, &result.folder.join("report.html"))?;
    Ok(ExitCode::SUCCESS)
}

fn failure(failure: StabilityFailure) -> Failure {
    match failure {
        StabilityFailure::Asked { message, help } => Failure::input(message, &help),
        StabilityFailure::Run(failure @ RunFailure::NotLinear(_)) => {
            let can = MODELS.linearised();
            Failure::input(failure.to_string(), &format!("models that have one are {}", listed(can)))
        }
        StabilityFailure::Run(failure) => failure.into(),
    }
}

/// Roots that the terminal shows.
const SHOWN: usize = 12;

/// Digits of roots and of critical values.
const DIGITS: usize = 12;

fn told(scenario: &Scenario, result: &Stability, width: Option<usize>) -> Vec<Line> {
    let state = match &result.own {
        Ok(own) => own.system.state.clone(),
        Err(why) => format!("no steady state: {why}"),
    };
    let mut lines = vec![Line::title(format!("{}: {state}", scenario.name)), Line::text("")];
    if let Ok(own) = &result.own {
        lines.extend(modes(&own.modes, width));
    }
    lines.extend(result.found.iter().flat_map(critical));
    if !result.points.is_empty() {
        lines.push(varied(result));
    }
    lines.extend(result.doubts.iter().map(|doubt| Line::about("caution", doubt.as_str()).toned(Tone::Doubtful)));
    lines.push(Line::text(""));
    for (label, file) in [("table", "eigenvalues.csv"), ("report", "report.html")] {
        lines.push(Line::about(label, result.folder.join(file).display().to_string()));
    }
    lines
}

fn modes(modes: &[Mode], width: Option<usize>) -> Vec<Line> {
    let head = ["", "real 1/s", "frequency Hz", "damping ratio"].map(String::from).to_vec();
    let row = |mode: &Mode| {
        let root = &mode.root;
        vec![
            root.tendency().word().to_string(),
            number_to(root.real, DIGITS),
            number_to(root.hertz(), DIGITS),
            number_to(root.damping(), 6),
        ]
    };
    let rows: Vec<Vec<String>> = modes.iter().take(SHOWN).map(row).collect();
    let mut lines: Vec<Line> = table(&head, &rows, width).into_iter().map(Line::text).collect();
    if let left @ 1.. = modes.len().saturating_sub(SHOWN) {
        lines.push(Line::text(format!("  … and {left} more in eigenvalues.csv")));
    }
    lines.push(Line::text(""));
    let roots: Vec<Root> = modes.iter().map(|mode| mode.root).collect();
    let neutral = roots.iter().filter(|root| root.tendency() == Tendency::Neutral).count();
    let verdict = match (unstable(&roots), neutral) {
        (0, 0) => Line::about("verdict", "stable: all modes decay").toned(Tone::Good),
        (0, some) => Line::about("verdict", format!("no mode grows; {some} neither grow nor decay, to rounding")),
        (some, _) => Line::about("verdict", format!("unstable: {some} of {} modes grow", roots.len())).toned(Tone::Bad),
    };
    lines.push(verdict);
    lines
}

fn critical(found: &Found) -> Vec<Line> {
    let of = |c: &stickslip::run::stability::Critical| {
        let side = if c.unstable_above { "above" } else { "below" };
        let within = c.uncertainty.map_or_else(String::new, |u| format!(" ± {}", number_to(u, 2)));
        Line::about(
            "limit",
            format!(
                "{} = {}, at {} Hz; unstable {side}",
                found.range.key,
                found.with_unit(number_to(c.value, DIGITS) + &within),
                number_to(c.root.hertz(), 10)
            ),
        )
    };
    let none = found
        .everywhere
        .iter()
        .map(|whole| Line::about("limit", format!("{} has none: {}", found.range.key, whole.words)));
    found.critical.iter().map(of).chain(none).collect()
}

fn varied(result: &Stability) -> Line {
    let known: Vec<&Vec<Root>> = result.points.iter().filter_map(|point| point.roots.as_ref().ok()).collect();
    let grows = known.iter().filter(|roots| unstable(roots) > 0).count();
    let keys: Vec<&str> = result.vary.iter().map(|range| range.key.as_str()).collect();
    Line::about("varied", format!("{} over {} points: {grows} unstable", listed(keys), result.points.len()))
}
