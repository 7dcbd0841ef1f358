//! `stickslip run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use stickslip::run::text::{number, number_to, percent, seconds};
use stickslip::run::trust::{Severity, Warning, between_events};
use stickslip::run::{Check, ExponentNote, Finding, FolderError, Options, OutputFolder, Spent, Summary, ended};
use stickslip::run::{Measure, Measures, Outcome, Scenario, Trace};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Folder to write to; by default out/NAME, or out/NAME-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run with half the step and by events, too, and say which features are physics and which numerics
    #[arg(long)]
    check: bool,
    /// Leave out everything but the run itself: no order, no error at this step, no Poincaré section, no Lyapunov exponent
    #[arg(long)]
    no_study: bool,
    /// Overwrite a run's files in a folder that is not empty: the one of --out, or out/NAME
    #[arg(long)]
    force: bool,
}

impl Arguments {
    /// Just this scenario.
    pub(super) fn of(scenario: &str) -> Arguments {
        Arguments {
            source: Source { scenario: scenario.into(), overrides: Vec::new() },
            out: None,
            check: false,
            no_study: false,
            force: false,
        }
    }
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let begin = Instant::now();
    let scenario = arguments.source.load()?;
    if arguments.check
        && let Some((message, help)) = scenario.model.no_check()
    {
        return Err(Failure::input(message.into(), help));
    }
    let name = file_stem(&scenario.name);
    let folder = output(arguments.out.as_deref(), arguments.force, &name, std::slice::from_ref(&scenario))?;
    let cleared = cleared(&folder);
    let mut bar = Bar::new();
    scenario.model.takes_long(&scenario.run).into_iter().for_each(|words| announce(&words));
    let options = Options { check: arguments.check, no_study: arguments.no_study, no_analyses: false };
    let finished = stickslip::run::run(&scenario, folder, options, &mut |step| bar.show(step));
    bar.clear();
    let finished = finished.map_err(|failure| Failure::of_run(failure, &scenario))?;
    let time = time_spent(begin, &finished.spent);
    let head = match &scenario.title {
        Some(title) => format!("{}: {title}", scenario.name),
        None => scenario.name.clone(),
    };
    let lines = match &finished.result {
        Outcome::InTime { summary, trace } => table(summary, trace, &finished.spent, &time),
        Outcome::Once { what, lines } => {
            let told = lines.iter().map(|line| format!("  {line}"));
            [format!("{what} in {time}"), String::new()].into_iter().chain(told).collect()
        }
    };
    let report = format!("  report  {}", finished.folder.join("report.html").display());
    console.text(&([vec![head], lines, vec![String::new(), report]].concat().join("\n") + "\n" + &cleared))?;
    if let Outcome::InTime { summary, .. } = &finished.result {
        void(&summary.scenario, &summary.warnings, &finished.folder)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells whoever waits, on a terminal or not, why it will take long.
fn announce(words: &str) {
    use std::io::Write;
    // A closed standard error is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{words}");
}

/// A result that means nothing is a failure, although everything is written: whoever reads only the exit status must not
/// go on with it.
pub(super) fn void(scenario: &str, warnings: &[Warning], folder: &Path) -> Result<(), Failure> {
    let errors = warnings.iter().filter(|warning| warning.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|warning| warning.text.as_str()).collect();
    if errors.is_empty() {
        return Ok(());
    }
    Err(Failure::broken(format!(
        "{scenario}: not to be used: {} (all files were written, to {})",
        errors.join("; "),
        folder.display()
    )))
}

/// The time that the whole command took, and what of it went where.
pub(super) fn time_spent(begin: Instant, spent: &Spent) -> String {
    format!("{} ({})", seconds(begin.elapsed().as_secs_f64()), spent.told())
}

/// A line about what killed runs had left, if they had.
pub(super) fn cleared(folder: &OutputFolder) -> String {
    match folder.cleared() {
        [] => String::new(),
        [one] => format!("  cleared {}, left by a run that was killed\n", one.display()),
        [one, more @ ..] => {
            format!("  cleared {} and {} more, left by runs that were killed\n", one.display(), more.len())
        }
    }
}

/// The folder asked for, or a fresh one. What the scenarios read is kept from being overwritten.
pub(super) fn output(
    asked: Option<&Path>,
    force: bool,
    name: &str,
    scenarios: &[Scenario],
) -> Result<OutputFolder, Failure> {
    let folder = match (asked, force) {
        (Some(folder), force) => OutputFolder::create(folder, force),
        (None, true) => OutputFolder::create(&Path::new("out").join(name), true),
        (None, false) => OutputFolder::fresh(Path::new("out"), name),
    };
    let failed = |e: FolderError| Failure::input(e.to_string(), e.help());
    let mut folder = folder.map_err(failed)?;
    scenarios.iter().try_for_each(|scenario| folder.protect(scenario)).map_err(failed)?;
    Ok(folder)
}

pub(super) fn file_stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    // Of `..toml` and `...toml` only dots are left, which mean other folders.
    stem.filter(|stem| stem.chars().any(|c| c != '.')).unwrap_or_else(|| "run".into())
}

/// Events that the terminal shows.
const SHOWN: usize = 12;

/// What happened, when, and whether to trust it.
fn table(summary: &Summary, trace: &Trace, spent: &Spent, time: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let asked = if summary.step == summary.step_asked {
        String::new()
    } else {
        format!(" ({} asked; it does not divide the duration)", seconds(summary.step_asked))
    };
    lines.push(format!(
        "{} model, {}, {} {} of {}{asked}, {} in {}",
        summary.model,
        summary.scheme,
        summary.steps,
        if summary.handovers.is_some() { "samples at steps" } else { "steps" },
        seconds(summary.step),
        seconds(summary.duration),
        time
    ));
    lines.push(String::new());
    lines.extend(happened(trace));
    lines.push(String::new());
    lines.extend(measured(&summary.measures));
    let list = |pairs: Vec<String>| few(&pairs).join("   ");
    lines.push(format!(
        "  end     {}",
        list(summary.end.iter().map(|(k, v)| format!("{k} {}", ended(trace, k, *v))).collect())
    ));
    lines.push(format!(
        "  stuck   {}",
        list(summary.stuck_fraction.iter().map(|(k, v)| format!("{k} {}", percent(*v))).collect())
    ));
    lines.extend(summary.stuck_means.map(|words| format!("          {words}")));
    let energy = &summary.energy;
    let heat: Vec<String> = energy.dissipated.iter().map(|(k, v)| format!("heat {k} {}", number(*v))).collect();
    lines.push(format!(
        "  energy  start {}   {}   {}   end {} J",
        number(energy.start),
        trace
            .works()
            .map(|(c, v)| format!("{} {}", c.name.replace('_', " "), number(v + 0.0)))
            .collect::<Vec<_>>()
            .join("   "),
        list(heat),
        number(energy.stored)
    ));
    lines.extend(grip(summary));
    lines.extend(summary.lines.iter().map(|line| format!("  {line}")));
    lines.push(format!(
        "  trust   residual {}   energy closes to {}   {}",
        number_to(summary.worst_residual, 2),
        number_to(energy.closure, 2),
        match (&summary.convergence, summary.handovers) {
            (_, Some(0)) => between_events(summary).unwrap_or_default(),
            (_, Some(1)) => "1 cluster of events passed by implicit steps".into(),
            (_, Some(handovers)) => format!("{handovers} clusters of events passed by implicit steps"),
            (Some(order), None) => order.words(),
            (None, None) if summary.studied => "no error at any step size".into(),
            (None, None) => format!("order of convergence not measured: {}", no_order(summary)),
        }
    ));
    lines.extend(summary.refinement.iter().map(|refinement| format!("          {}", refinement.words())));
    lines.push(format!("          velocities {}, forces {}", summary.uniqueness.velocities, summary.uniqueness.forces));
    lines.extend(cost(summary, spent));
    lines.extend(summary.exponents.iter().map(exponent));
    lines.extend(summary.warnings.iter().map(|warning| warned(warning, "")));
    if summary.recorded_every > 1 {
        lines.push(format!(
            "  rows    {}: the start and one in {} of {} steps",
            summary.rows, summary.recorded_every, summary.steps
        ));
    }
    lines.extend(summary.check.iter().flat_map(checked));
    lines
}

/// What happened when, in words.
fn happened(trace: &Trace) -> Vec<String> {
    let told = trace.events.iter().zip(&trace.words).filter_map(|(event, words)| Some((event.t, words.as_ref()?)));
    let count = told.clone().count();
    let mut lines: Vec<String> =
        told.take(SHOWN).map(|(t, words)| format!("  t = {:<10} {words}", number(t))).collect();
    let hidden = trace.event_count as usize - trace.events.len() + count.saturating_sub(SHOWN);
    match (trace.event_count, hidden) {
        (0, _) => lines.push("  no contact changed its state".into()),
        (_, 0) => {}
        _ => lines.push(format!("  … and {hidden} more in events.csv")),
    }
    lines
}

/// What the run comes to.
fn measured(measures: &Measures) -> Vec<String> {
    let width = measures.listed().map(|measure| measure.name.chars().count()).max().unwrap_or(0);
    let line = |measure: &Measure| format!("  {:<width$}  {}", measure.name, measure.value_in_words());
    let mut lines: Vec<String> = measures.listed().map(line).collect();
    lines.extend(measures.missing_in_words().map(|words| format!("  {words}")));
    match measures.unlisted() {
        0 => {}
        left => lines.push(format!("  … and {left} more, of single wheels, bodies or contacts, in summary.json")),
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Why there is no order of convergence.
fn no_order(summary: &Summary) -> &str {
    summary.no_order.as_deref().unwrap_or("the scheme has no step")
}

/// A Lyapunov exponent as a line.
fn exponent(note: &ExponentNote) -> String {
    match note.value {
        Some(_) => format!("  chaos   by {}: exponent {}: {}", note.method, note.value_in_words(None), note.verdict),
        None => format!("  chaos   by {}: no exponent: {}", note.method, note.verdict),
    }
}

/// A warning as a line, about a run where there are several.
pub(super) fn warned(warning: &Warning, about: &str) -> String {
    let word = match warning.severity {
        Severity::Warning => "WARNING",
        Severity::Error => "ERROR",
    };
    format!("  {word:<7} {about}{}", warning.text)
}

/// Entries of a line that are shown, and what is left of a line with more of them.
const LISTED: (usize, usize) = (26, 8);

fn few(entries: &[String]) -> Vec<String> {
    if entries.len() <= LISTED.0 {
        return entries.to_vec();
    }
    let more = format!("… and {} more in summary.json", entries.len() - LISTED.1);
    entries.iter().take(LISTED.1).cloned().chain([more]).collect()
}

/// How much of their friction the wheels used.
fn grip(summary: &Summary) -> Vec<String> {
    let least = summary.friction_used.iter().map(|(_, used)| used.margin).reduce(f64::min);
    let Some(least) = least else {
        return Vec::new();
    };
    let used = summary.friction_used.iter();
    let used: Vec<String> =
        used.map(|(wheel, used)| format!("{wheel} {} (most {})", percent(used.end), percent(used.max))).collect();
    let mut lines = vec![format!("  grip    used of μN at the end: {}", few(&used).join("   "))];
    let locked = summary.locked_wheels_use.map_or(String::new(), |locked| {
        format!("   all wheels together, locked, would use tan θ/μ = {}", percent(locked))
    });
    lines.push(format!("          least stick margin {}{locked}", percent(least)));
    lines
}

/// What a step costs, for vehicles.
fn cost(summary: &Summary, spent: &Spent) -> Option<String> {
    let (step, wheels) = (spent.step?, summary.friction_used.iter().count());
    (wheels > 0).then(|| {
        let each = match wheels {
            1 => String::new(),
            _ => format!(": {} for each of {wheels} wheels", seconds(step / wheels as f64)),
        };
        format!("  cost    {} per step without tables{each}", seconds(step))
    })
}

/// Features of the check that the terminal shows.
const FEATURES: usize = 40;

/// Physics or numerics; numerics first and physics last where not all can be shown.
fn checked(check: &Check) -> Vec<String> {
    let [physics, numerics, open] = check.counts;
    let mut lines = vec![String::new(), format!("  {}", check.words)];
    let shown: Vec<&Finding> =
        if check.findings.len() > FEATURES { check.by_weight() } else { check.findings.iter().collect() };
    let question = "physics or numerics?";
    let names = shown.iter().take(FEATURES).map(|finding| finding.feature.as_str()).chain([question]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let head = ["h", "h/2", check.reference];
    lines.push(format!("  {question:<width$} {:>13} {:>13} {:>13}", head[0], head[1], head[2]));
    lines.extend(shown.iter().take(FEATURES).map(|finding| compared(finding, width)));
    if shown.len() > FEATURES {
        lines.push(format!("  … and {} in summary.json", Check::left_over(&shown[FEATURES..])));
    }
    lines.push(format!("  {physics} physics, {numerics} numerics, {open} not decided"));
    lines
}

fn compared(finding: &Finding, width: usize) -> String {
    let value = |value: Option<f64>| value.map_or_else(|| "–".into(), number);
    let Finding { feature, coarse, fine, exact, verdict, .. } = finding;
    let word = verdict.word();
    format!("  {feature:<width$} {:>13} {:>13} {:>13}  {word}", value(*coarse), value(*fine), value(*exact))
}
