//! `stickslip run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use stickslip::text::{number, number_to, percent, seconds};
use stickslip::trust::{Severity, Warning, between_events};
use stickslip::{Check, Contrast, ExponentNote, Finding, Finished, Options, OutputFolder, Step, Summary, Verdict};

use stickslip_scenario::Model;

use super::Source;
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
    /// Overwrite a run's files in a folder that is not empty
    #[arg(long, requires = "out")]
    force: bool,
}

impl Arguments {
    /// Just this scenario.
    pub(super) fn of(scenario: &str) -> Arguments {
        Arguments {
            source: Source { scenario: scenario.into(), overrides: Vec::new() },
            out: None,
            check: false,
            force: false,
        }
    }
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let scenario = arguments.source.load()?;
    let rolling = matches!(scenario.model, Model::RollingContact(_));
    if rolling && arguments.check {
        return Err(Failure::input(
            "--check compares steps of time, and a rolling contact has none".into(),
            "leave it out; try --set grid.along=88 --set grid.across=88 to see what the grid does",
        ));
    }
    if arguments.check && matches!(scenario.model, Model::RailWheel(_)) {
        return Err(Failure::input(
            "--check compares steps with the scheme events, and a wheel on a creep-force curve runs by steps only"
                .into(),
            "leave it out; try --set run.step=... with half the step to see what the step does",
        ));
    }
    let folder = output(arguments.out.as_deref(), arguments.force, &file_stem(&scenario.name))?;
    let mut bar = Bar::new();
    if let Model::RollingContact(case) = &scenario.model {
        super::rolling::announce(case);
        let rolled = stickslip::rolling::run(&scenario, case, folder, &mut |step| bar.show(step));
        bar.clear();
        console.text(&super::rolling::table(&rolled?, scenario.title.as_deref()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options { check: arguments.check };
    let finished = stickslip::run(&scenario, folder, options, &mut |step| bar.show(step));
    bar.clear();
    let finished = finished.map_err(|failure| Failure::of_run(failure, &scenario))?;
    console.text(&table(&finished, scenario.title.as_deref()))?;
    void(&finished)?;
    Ok(ExitCode::SUCCESS)
}

/// A result that means nothing is a failure, although everything is written: whoever reads only the exit status must not
/// go on with it.
fn void(finished: &Finished) -> Result<(), Failure> {
    if !finished.summary.is_void() {
        return Ok(());
    }
    let errors = finished.summary.warnings.iter().filter(|warning| warning.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|warning| warning.text.as_str()).collect();
    Err(Failure::broken(format!(
        "{}: not to be used: {} (all files were written, to {})",
        finished.summary.scenario,
        errors.join("; "),
        finished.folder.display()
    )))
}

/// The folder asked for, or a fresh one.
pub(super) fn output(asked: Option<&Path>, force: bool, name: &str) -> Result<OutputFolder, Failure> {
    let folder = match asked {
        Some(folder) => OutputFolder::create(folder, force),
        None => OutputFolder::fresh(Path::new("out"), name),
    };
    folder.map_err(|e| Failure::input(e.to_string(), e.help()))
}

pub(super) fn file_stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    // Of `..toml` and `...toml` only dots are left, which mean other folders.
    stem.filter(|stem| stem.chars().any(|c| c != '.')).unwrap_or_else(|| "run".into())
}

/// A progress bar for whatever takes more than a second.
pub(super) struct Bar {
    begin: Instant,
    last: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub(super) fn new() -> Bar {
        Bar { begin: Instant::now(), last: None, bar: None }
    }

    pub(super) fn show(&mut self, step: Step) {
        let now = Instant::now();
        let recently = self.last.is_some_and(|last| now - last < Duration::from_millis(100));
        let stepping = matches!(step, Step::Steps(..));
        if now - self.begin < Duration::from_secs(1) || (recently && stepping) {
            return;
        }
        self.last = Some(now);
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {eta} left");
            ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        match step {
            Step::Steps(n, total) => {
                bar.set_length(total);
                bar.set_position(n);
                bar.set_message(format!("{n} of {total} steps"));
            }
            Step::Convergence => bar.set_message("measuring the order of convergence"),
            Step::Check => bar.set_message("telling physics from numerics"),
            Step::Report => bar.set_message("drawing the report"),
        }
        bar.tick();
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Events that the terminal shows.
const SHOWN: usize = 12;

/// What happened, when, and whether to trust it.
fn table(finished: &Finished, title: Option<&str>) -> String {
    let Finished { folder, summary, trace } = finished;
    let mut lines = Vec::new();
    lines.push(match title {
        Some(title) => format!("{}: {title}", summary.scenario),
        None => summary.scenario.clone(),
    });
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
        seconds(summary.wall_seconds)
    ));
    lines.push(String::new());
    let width = trace.contacts.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for event in trace.events.iter().take(SHOWN) {
        let contact = &trace.contacts[event.contact];
        lines.push(format!(
            "  t = {:<10} {contact:<width$}   {} → {}",
            number(event.t),
            event.from.name(),
            event.to.name()
        ));
    }
    let hidden = trace.event_count.saturating_sub(SHOWN as u64);
    match (trace.event_count, hidden) {
        (0, _) => lines.push("  no contact changed its state".into()),
        (_, 0) => {}
        _ => lines.push(format!("  … and {hidden} more in events.csv")),
    }
    lines.push(String::new());
    let list = |pairs: Vec<String>| few(&pairs).join("   ");
    lines.push(format!(
        "  end     {}",
        list(summary.end.iter().map(|(k, v)| format!("{k} = {}{}", number(*v), trace.unit(k))).collect())
    ));
    lines.push(format!(
        "  stuck   {}",
        list(summary.stuck_fraction.iter().map(|(k, v)| format!("{k} {}", percent(*v))).collect())
    ));
    let energy = &summary.energy;
    let heat: Vec<String> = energy.dissipated.iter().map(|(k, v)| format!("heat {k} {}", number(*v))).collect();
    lines.push(format!(
        "  energy  start {}   work {}   {}   end {} J",
        number(energy.start),
        number(energy.work),
        list(heat),
        number(energy.stored)
    ));
    lines.extend(grip(summary));
    lines.extend(summary.contrast.as_ref().map(smoothed));
    lines.push(format!(
        "  trust   residual {}   energy closes to {}   {}",
        number_to(summary.worst_residual, 2),
        number_to(energy.closure, 2),
        match (&summary.convergence, summary.handovers) {
            (_, Some(0)) => between_events(summary).unwrap_or_default(),
            (_, Some(handovers)) => format!("{handovers} clusters of events passed by implicit steps"),
            (Some(order), None) => order.words(),
            (None, None) if summary.studied => "no error at any step size".into(),
            (None, None) => "order of convergence not measured".into(),
        }
    ));
    lines.push(format!("          velocities {}, forces {}", summary.uniqueness.velocities, summary.uniqueness.forces));
    lines.extend(cost(summary));
    lines.extend(summary.exponents.iter().map(exponent));
    lines.extend(summary.warnings.iter().map(warned));
    if summary.recorded_every > 1 {
        lines.push(format!("  rows    {} of {} steps, one in {}", summary.rows, summary.steps, summary.recorded_every));
    }
    lines.extend(summary.check.iter().flat_map(checked));
    lines.push(String::new());
    lines.push(format!("  report  {}", folder.join("report.html").display()));
    lines.join("\n") + "\n"
}

/// A Lyapunov exponent as a line.
fn exponent(note: &ExponentNote) -> String {
    match note.value {
        Some(_) => format!("  chaos   by {}: exponent {}: {}", note.method, note.value_in_words(None), note.verdict),
        None => format!("  chaos   by {}: no exponent: {}", note.method, note.verdict),
    }
}

/// A warning as a line.
fn warned(warning: &Warning) -> String {
    let word = match warning.severity {
        Severity::Warning => "WARNING",
        Severity::Error => "ERROR",
    };
    format!("  {word:<7} {}", warning.text)
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
    let locked = summary
        .locked_wheels_use
        .map_or(String::new(), |locked| format!("   all wheels locked would use tan θ/μ = {}", percent(locked)));
    lines.push(format!("          least stick margin {}{locked}", percent(least)));
    lines
}

/// The same vehicle with smoothed friction.
fn smoothed(contrast: &Contrast) -> String {
    let closed = contrast.creep.map_or(String::new(), |creep| format!(" (closed form {})", number(creep)));
    format!(
        "  tanh    with μN tanh(slip/{} m/s) instead it moves {} m and ends at {} m/s{closed}",
        number(contrast.tanh_speed),
        number(contrast.distance),
        number(contrast.x1)
    )
}

/// What a step costs, for vehicles.
fn cost(summary: &Summary) -> Option<String> {
    let (step, wheels) = (summary.step_seconds?, summary.friction_used.iter().count());
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

/// Physics or numerics, numerics first where not all can be shown.
fn checked(check: &Check) -> Vec<String> {
    let [physics, numerics, open] = check.counts;
    let mut lines = vec![String::new(), format!("  {}", check.words)];
    let head = ["h", "h/2", check.reference];
    lines.push(format!("  {:<42} {:>13} {:>13} {:>13}", "physics or numerics?", head[0], head[1], head[2]));
    let mut shown: Vec<&Finding> = check.findings.iter().collect();
    if shown.len() > FEATURES {
        shown.sort_by_key(|finding| finding.verdict != Verdict::Numerics);
    }
    lines.extend(shown.iter().take(FEATURES).map(|finding| compared(finding)));
    if shown.len() > FEATURES {
        lines.push(format!("  … and {} more in summary.json", shown.len() - FEATURES));
    }
    lines.push(format!("  {physics} physics, {numerics} numerics, {open} not decided"));
    lines
}

fn compared(finding: &Finding) -> String {
    let value = |value: Option<f64>| value.map_or_else(|| "–".into(), number);
    let Finding { feature, coarse, fine, exact, verdict, .. } = finding;
    let word = verdict.word();
    format!("  {feature:<42} {:>13} {:>13} {:>13}  {word}", value(*coarse), value(*fine), value(*exact))
}
