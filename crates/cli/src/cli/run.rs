//! `stickslip run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use stickslip::run::text::{number, number_to, percent, seconds};
use stickslip::run::trust::{Severity, Warning, between_events};
use stickslip::run::{Check, ExponentNote, Finding, FolderError, Listed, Options, OutputFolder, Spent, Summary, ended};
use stickslip::run::{Measure, Measures, Outcome, Scenario, Trace, Verdict};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, Tone, cut, length};
use super::output::{Output, say};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Folder to write to; by default out/NAME, or out/NAME-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run with half the step and by events, too, and say which features are physics and which numerics
    #[arg(long, visible_alias = "check")]
    half_step: bool,
    /// Leave out everything but the run itself: no order, no error at this step, no Poincaré section, no Lyapunov exponent
    #[arg(long)]
    no_study: bool,
    /// Write units behind the names in the headers of CSV files: x1 [m/s]
    #[arg(long)]
    units: bool,
    /// Overwrite a run's files in a folder that is not empty: the one of --out, or out/NAME
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    /// Just this scenario.
    pub(super) fn of(scenario: &str) -> Arguments {
        Arguments {
            source: Source { scenario: scenario.into(), overrides: Vec::new() },
            out: None,
            half_step: false,
            no_study: false,
            units: false,
            force: false,
            output: Output::default(),
        }
    }
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let begin = Instant::now();
    let scenario = arguments.source.load()?;
    if arguments.half_step
        && let Some((message, help)) = scenario.model.no_check()
    {
        return Err(Failure::input(message.into(), help));
    }
    let name = file_stem(&scenario.name);
    let folder = output(arguments.out.as_deref(), arguments.force, &name, std::slice::from_ref(&scenario))?;
    let cleared = cleared(&folder);
    let quiet = arguments.output.is_quiet();
    let mut bar = Bar::new(quiet);
    scenario.model.takes_long(&scenario.run).iter().filter(|_| !quiet).for_each(|words| say(words));
    let options = Options {
        check: arguments.half_step,
        no_study: arguments.no_study,
        units: arguments.units,
        ..Options::default()
    };
    let finished = stickslip::run::run(&scenario, folder, options, &mut |step| bar.show(step));
    bar.clear();
    let finished = finished.map_err(|failure| Failure::of_run(failure, &scenario))?;
    let time = time_spent(begin, &finished.spent);
    let mut lines = vec![Line::title(match &scenario.title {
        Some(title) => format!("{}: {title}", scenario.name),
        None => scenario.name.clone(),
    })];
    let mut doubts = Vec::new();
    match &finished.result {
        Outcome::InTime { summary, trace } => {
            lines.extend(table(summary, trace, &finished.spent, &time, console.width()));
            doubts.extend(summary.warnings.iter().map(|warning| plainly(warning, &format!("{}: ", scenario.name))));
        }
        Outcome::Once { what, lines: told } => {
            lines.extend([Line::text(format!("{what} in {time}")), Line::text("")]);
            lines.extend(told.iter().map(|line| Line::text(format!("  {line}"))));
        }
    }
    let report = finished.folder.join("report.html");
    lines.extend([Line::text(""), Line::about("report", report.display().to_string())]);
    lines.extend(cleared);
    let json = || read(&finished.folder.join("summary.json"));
    arguments.output.tell(console, &lines, &doubts, json, &report)?;
    if let Outcome::InTime { summary, .. } = &finished.result {
        void(&summary.scenario, &summary.warnings, &finished.folder)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A file that was just written.
fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| Failure::broken(format!("cannot read {}: {e}", path.display())))
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
pub(super) fn cleared(folder: &OutputFolder) -> Option<Line> {
    match folder.cleared() {
        [] => None,
        [one] => Some(Line::text(format!("  cleared {}, left by a run that was killed", one.display()))),
        [one, more @ ..] => Some(Line::text(format!(
            "  cleared {} and {} more, left by runs that were killed",
            one.display(),
            more.len()
        ))),
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
fn table(summary: &Summary, trace: &Trace, spent: &Spent, time: &str, width: Option<usize>) -> Vec<Line> {
    let asked = if summary.step == summary.step_asked {
        String::new()
    } else {
        format!(" ({} asked; it does not divide the duration)", seconds(summary.step_asked))
    };
    let mut lines = vec![
        Line::text(format!(
            "{} model, {}, {} {} of {}{asked}, {} in {}",
            summary.model,
            summary.scheme,
            summary.steps,
            if summary.handovers.is_some() { "samples at steps" } else { "steps" },
            seconds(summary.step),
            seconds(summary.duration),
            time
        )),
        Line::text(""),
    ];
    lines.extend(happened(trace));
    lines.push(Line::text(""));
    lines.extend(measured(&summary.measures));
    let end = summary.end.iter().map(|(k, v)| format!("{k} {}", ended(trace, k, *v)));
    lines.push(Line::labelled("end", few(end.collect())));
    let stuck = summary.stuck_fraction.iter().map(|(k, v)| format!("{k} {}", percent(*v)));
    lines.push(Line::labelled("stuck", few(stuck.collect())));
    lines.extend(summary.stuck_means.map(|words| Line::about("", words)));
    lines.push(energy(summary, trace));
    lines.extend(grip(summary));
    lines.extend(summary.lines.iter().map(|line| Line::text(format!("  {line}"))));
    lines.extend(trust(summary));
    lines.extend(cost(summary, spent));
    lines.extend(summary.exponents.iter().map(exponent));
    lines.extend(summary.warnings.iter().map(|warning| warned(warning, "")));
    if summary.recorded_every > 1 {
        lines.push(Line::about(
            "rows",
            format!("{}: the start and one in {} of {} steps", summary.rows, summary.recorded_every, summary.steps),
        ));
    }
    lines.extend(summary.check.iter().flat_map(|check| checked(check, width)));
    lines
}

/// Where the energy came from and went.
fn energy(summary: &Summary, trace: &Trace) -> Line {
    let energy = &summary.energy;
    let mut entries = vec![format!("start {}", number(energy.start))];
    entries.extend(trace.works().map(|(c, v)| format!("{} {}", c.name.replace('_', " "), number(v + 0.0))));
    entries.extend(few(energy.dissipated.iter().map(|(k, v)| format!("heat {k} {}", number(*v))).collect()));
    entries.push(format!("end {} J", number(energy.stored)));
    Line::labelled("energy", entries)
}

/// How far to trust it.
fn trust(summary: &Summary) -> Vec<Line> {
    let step = match (&summary.convergence, summary.handovers) {
        (_, Some(0)) => between_events(summary).unwrap_or_default(),
        (_, Some(1)) => "1 cluster of events not resolved one by one".into(),
        (_, Some(handovers)) => format!("{handovers} clusters of events not resolved one by one"),
        (Some(order), None) => order.words(),
        (None, None) if summary.studied => "no error at any step size".into(),
        (None, None) => format!("order of convergence not measured: {}", no_order(summary)),
    };
    let residual = format!("residual {}", number_to(summary.worst_residual, 2));
    let closure = format!("energy closes to {}", number_to(summary.energy.closure, 2));
    let mut lines = vec![Line::labelled("trust", vec![residual, closure, step])];
    lines.extend(summary.refinement.iter().map(|refinement| Line::about("", refinement.words())));
    let unique = &summary.uniqueness;
    lines.push(Line::about("", format!("velocities {}, forces {}", unique.velocities, unique.forces)));
    lines
}

/// What happened when, in words.
fn happened(trace: &Trace) -> Vec<Line> {
    let told = trace.events.iter().zip(&trace.words).filter_map(|(event, words)| Some((event.t, words.as_ref()?)));
    let count = told.clone().count();
    let mut lines: Vec<Line> =
        told.take(SHOWN).map(|(t, words)| Line::text(format!("  t = {:<10} {words}", number(t)))).collect();
    let hidden = trace.event_count as usize - trace.events.len() + count.saturating_sub(SHOWN);
    match (trace.event_count, hidden) {
        (0, _) => lines.push(Line::text("  no contact changed its state")),
        (_, 0) => {}
        _ => lines.push(Line::text(format!("  … and {hidden} more in events.csv"))),
    }
    lines
}

/// What the run comes to.
fn measured(measures: &Measures) -> Vec<Line> {
    let width = measures.listed().map(|measure| length(&measure.name)).max().unwrap_or(0);
    let line = |measure: &Measure| {
        Line::hanging(format!("  {:<width$}  {}", measure.name, measure.value_in_words()), width + 4)
    };
    let mut lines: Vec<Line> = measures.listed().map(line).collect();
    lines.extend(measures.missing_in_words().map(|words| Line::text(format!("  {words}"))));
    match measures.unlisted() {
        0 => {}
        left => {
            let more = format!("  … and {left} more, of single wheels, bodies or contacts, in summary.json");
            lines.push(Line::text(more));
        }
    }
    if !lines.is_empty() {
        lines.push(Line::text(""));
    }
    lines
}

/// Why there is no order of convergence.
fn no_order(summary: &Summary) -> &str {
    summary.no_order.as_deref().unwrap_or("the scheme has no step")
}

/// A Lyapunov exponent as a line.
fn exponent(note: &ExponentNote) -> Line {
    let found = match note.value {
        Some(_) => format!("by {}: exponent {}: {}", note.method, note.value_in_words(None), note.verdict),
        None => format!("by {}: no exponent: {}", note.method, note.verdict),
    };
    Line::about("chaos", found)
}

/// The word for how bad it is, and how that looks.
fn weight(warning: &Warning) -> (&'static str, Tone) {
    match warning.severity {
        Severity::Warning => ("WARNING", Tone::Doubtful),
        Severity::Error => ("ERROR", Tone::Bad),
    }
}

/// A warning as a line, about a run where there are several.
pub(super) fn warned(warning: &Warning, about: &str) -> Line {
    let (word, tone) = weight(warning);
    Line::about(word, format!("{about}{}", warning.text)).toned(tone)
}

/// A warning in one line of its own.
pub(super) fn plainly(warning: &Warning, about: &str) -> String {
    format!("{} {about}{}", weight(warning).0, warning.text)
}

/// Entries of a line that are shown, and what is left of a line with more of them.
const LISTED: (usize, usize) = (26, 8);

fn few(entries: Vec<String>) -> Vec<String> {
    if entries.len() <= LISTED.0 {
        return entries;
    }
    let more = format!("… and {} more in summary.json", entries.len() - LISTED.1);
    entries.into_iter().take(LISTED.1).chain([more]).collect()
}

/// How much of their friction the wheels used.
fn grip(summary: &Summary) -> Vec<Line> {
    let least = summary.friction_used.iter().map(|(_, used)| used.margin).reduce(f64::min);
    let Some(least) = least else {
        return Vec::new();
    };
    let used = summary.friction_used.iter();
    let mut used: Vec<String> =
        few(used.map(|(wheel, used)| format!("{wheel} {} (most {})", percent(used.end), percent(used.max))).collect());
    if let Some(first) = used.first_mut() {
        *first = format!("used of μN at the end: {first}");
    }
    let mut margin = vec![format!("least stick margin {}", percent(least))];
    margin.extend(
        summary
            .locked_wheels_use
            .map(|locked| format!("all wheels together, locked, would use tan θ/μ = {}", percent(locked))),
    );
    vec![Line::labelled("grip", used), Line::labelled("", margin)]
}

/// What a step costs, for vehicles.
fn cost(summary: &Summary, spent: &Spent) -> Option<Line> {
    let (step, wheels) = (spent.step?, summary.friction_used.iter().count());
    (wheels > 0).then(|| {
        let each = match wheels {
            1 => String::new(),
            _ => format!(": {} for each of {wheels} wheels", seconds(step / wheels as f64)),
        };
        Line::about("cost", format!("{} per step without tables{each}", seconds(step)))
    })
}

/// Features of the check that the terminal shows.
const FEATURES: usize = 40;

/// Columns of a number of the check, and of all of a row behind its name.
const VALUE: usize = 13;
const BEHIND: usize = 3 * (VALUE + 1) + 2 + "not decided".len();

/// Physics or numerics: measures first, many events as one line.
fn checked(check: &Check, terminal: Option<usize>) -> Vec<Line> {
    let [physics, numerics, open] = check.counts;
    let mut lines = vec![Line::text(""), Line::text(format!("  {}", check.words))];
    let Listed { single: shown, summed } = check.listed();
    let question = "physics or numerics?";
    let names = shown.iter().take(FEATURES).map(|finding| length(&finding.name())).chain([length(question)]);
    let widest = names.max().unwrap_or(0);
    // What the terminal leaves for names, and no less than the question has.
    let room = terminal.map_or(usize::MAX, |terminal| terminal.saturating_sub(2 + BEHIND).max(length(question)));
    let width = widest.min(room);
    let [h, half, reference] = ["h", "h/2", check.reference].map(|head| format!("{head:>VALUE$}"));
    lines.push(Line::text(format!("  {question:<width$} {h} {half} {reference}")));
    lines.extend(shown.iter().take(FEATURES).map(|finding| compared(finding, width)));
    if shown.len() > FEATURES {
        lines.push(Line::text(format!("  … and {} in summary.json", Check::left_over(&shown[FEATURES..]))));
    }
    lines.extend(summed.iter().map(|own| {
        let verdict = own.verdict();
        Line::judged(&format!("  {}  ", own.words()), verdict.word(), tone(verdict))
    }));
    lines.push(Line::text(format!("  {physics} physics, {numerics} numerics, {open} not decided")));
    lines
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Physics => Tone::Good,
        Verdict::Numerics => Tone::Bad,
        Verdict::NotDecided => Tone::Doubtful,
    }
}

fn compared(finding: &Finding, width: usize) -> Line {
    let value = |value: Option<f64>| format!("{:>VALUE$}", value.map_or_else(|| "–".into(), number));
    let [coarse, fine, exact] = [finding.coarse, finding.fine, finding.exact].map(value);
    let (name, verdict) = (finding.name(), finding.verdict);
    Line::judged(&format!("  {:<width$} {coarse} {fine} {exact}  ", cut(&name, width)), verdict.word(), tone(verdict))
}
