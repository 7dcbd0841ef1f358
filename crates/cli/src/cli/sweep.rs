//! `stickslip sweep`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use stickslip::models::MODELS;
use stickslip::run::text::{number_to, seconds};
use stickslip::run::{Scenario, Step};
use stickslip::scenario::sweep::{Axis, Sweep};
use stickslip::sweep::{
    self, CSV_ROWS, Folder, Manifest, Opened, Plan, Progress, Request, Share, Tally, estimate, tally,
};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, table};
use super::output::Output;
use super::run::file_stem;

/// Arguments of `sweep`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A scenario file, or the name of a built-in scenario; with --merge, the folder of a part
    #[arg(value_name = "FILE-or-NAME")]
    scenario: Option<String>,
    /// Set a value of the scenario: --set run.step=1e-4 --set "wheel.mass=350 kg"
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Vary a key: ground.friction=0.2:1:17 (from:to:how many), with :log for equal ratios; "key=[0.2, 0.5]"; or at random by
    /// uniform(a, b), loguniform(a, b), normal(mean, sd), lognormal(median, sd of the logarithm). May be given several times: all are
    /// combined, the last varies fastest. Replaces what [sweep] of the file varies
    #[arg(long, value_name = "KEY=RANGE", allow_hyphen_values = true)]
    vary: Vec<String>,
    /// A key that follows from what is varied: --let "force.1.x.sine.amplitude=A*cos(direction)"
    #[arg(long = "let", value_name = "KEY=FORMULA")]
    follow: Vec<String>,
    /// What to compute of each run: NAME, or NAME=FORMULA of others; --outputs lists all. By default what [sweep] of the file asks
    /// for, or the measures that runs of the scenario list
    #[arg(long = "output", value_name = "NAME")]
    output_names: Vec<String>,
    /// A class of runs and its condition: --class "locks=known(first_lock)"; the first that holds counts
    #[arg(long = "class", value_name = "NAME=CONDITION")]
    classes: Vec<String>,
    /// List all outputs that runs of the scenario have
    #[arg(long)]
    outputs: bool,
    /// How many random samples; 1000 by default
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Which random samples: the same seed gives the same ones; 0 by default
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// How random samples are laid out: random, latin-hypercube or sobol
    #[arg(long, value_name = "NAME")]
    design: Option<String>,
    /// A CSV file of points: a header of dotted keys, a row for each point
    #[arg(long, value_name = "FILE")]
    points: Option<PathBuf>,
    /// Folder to write to; by default out/NAME-sweep, or out/NAME-sweep-2 and so on if that holds something else. A folder that
    /// holds the same sweep is gone on with
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run a share of the points, such as 2/8, in a folder of its own; --merge joins all of them
    #[arg(long, value_name = "I/N")]
    part: Option<Share>,
    /// Join the parts in these folders into the folder --out
    #[arg(long, value_name = "DIR", num_args = 1.., requires = "out", conflicts_with_all = ["vary", "part", "points", "samples"])]
    merge: Vec<PathBuf>,
    /// Threads; by default one for each core
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Begin without asking, however long it takes and however large it will be
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    if !arguments.merge.is_empty() {
        return join(arguments, console);
    }
    let begin = Instant::now();
    let Some(name) = &arguments.scenario else {
        return Err(Failure::input("there is no scenario to sweep".into(), "name a file or a built-in scenario"));
    };
    let scenario = Source { scenario: name.clone(), overrides: arguments.overrides.clone() }.load()?;
    let (asked, base) = request(arguments).of(&scenario)?;
    if arguments.outputs {
        return list(&scenario, &asked, &base, console);
    }
    let plan = Plan::new(&MODELS, &scenario, &asked, &base)?;
    let share = arguments.part.unwrap_or(Share::ALL);
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    ask(&plan, share, threads, arguments.yes)?;
    let manifest = Manifest::new(&plan, share);
    let (folder, opened) = match &arguments.out {
        Some(path) => Folder::open(path, manifest, plan.columns())?,
        None => fresh(&file_stem(&scenario.name), &manifest, &plan)?,
    };
    let mut bar = Bar::new(arguments.output.is_quiet());
    let ran = sweep::run(&plan, &folder, threads, &mut |progress| bar.show(shown(progress)));
    bar.clear();
    ran?;
    let spent = begin.elapsed().as_secs_f64();
    let points = folder.points();
    let mut lines = vec![Line::title(format!(
        "{}: {} points{} in {} on {}",
        scenario.name,
        points.end - points.start,
        if share == Share::ALL { String::new() } else { format!(" (part {share} of {})", plan.total()) },
        seconds(spent),
        if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") }
    ))];
    if let Opened::Resumed(before) = opened {
        lines.push(Line::text(format!("  went on with a sweep of which {before} points were there in whole blocks")));
    }
    lines.push(Line::text(format!("  {}", plan.way())));
    let command = format!("stickslip run {}{}", scenario.name, sets(&arguments.overrides));
    finish(&folder, Some((&plan, &command)), lines, arguments, console)
}

/// What `--set` has set, again.
fn sets(overrides: &[String]) -> String {
    overrides.iter().map(|set| format!(" --set '{set}'")).collect()
}

/// Tables and words of a dataset that is complete.
fn finish(
    folder: &Folder,
    drawn: Option<(&Plan<'_>, &str)>,
    mut lines: Vec<Line>,
    arguments: &Arguments,
    console: &mut Console,
) -> Result<ExitCode, Failure> {
    let csv = folder.write_csv()?;
    let tally = tally(folder)?;
    let json = serde_json::to_string_pretty(&tally).map_err(|e| Failure::broken(e.to_string()))? + "\n";
    folder.write("summary.json", json.as_bytes())?;
    let report = drawn.map_or(Ok(false), |(plan, command)| sweep::picture::draw(plan, folder, command))?;
    lines.push(Line::text(""));
    lines.extend(told(&tally, console.width()));
    lines.push(Line::text(""));
    lines.push(Line::about("dataset", folder.path().join(sweep::DATA).display().to_string()));
    lines.push(if csv {
        Line::about("table", folder.path().join("sweep.csv").display().to_string())
    } else {
        Line::about("table", format!("sweep.csv is left out: it is written up to {CSV_ROWS} rows"))
    });
    if report {
        lines.push(Line::about("report", folder.path().join("report.html").display().to_string()));
    }
    let doubts = match &tally.first_error {
        Some((point, error)) => vec![format!(
            "{} of {} points have errors; the first is point {point}: {error}",
            tally.errors, tally.points
        )],
        None => Vec::new(),
    };
    arguments.output.tell(console, &lines, &doubts, || Ok(json), &folder.path().join("report.html"))?;
    Ok(ExitCode::SUCCESS)
}

/// What is asked for: by the file, and by the command line in place of it.
fn request(arguments: &Arguments) -> Request {
    Request {
        vary: arguments.vary.clone(),
        follow: arguments.follow.clone(),
        outputs: arguments.output_names.clone(),
        classes: arguments.classes.clone(),
        samples: arguments.samples,
        seed: arguments.seed,
        design: arguments.design.clone(),
        points: arguments.points.clone(),
    }
}

/// All outputs that runs of the scenario have.
fn list(scenario: &Scenario, asked: &Sweep, base: &Path, console: &mut Console) -> Result<ExitCode, Failure> {
    let mut sweep = Sweep { outputs: Vec::new(), classes: Vec::new(), ..asked.clone() };
    if sweep.is_empty() {
        // What may be asked does not depend on what is varied; of what is not simulated in time nothing has a duration.
        let key = if scenario.run.duration > 0.0 {
            ("run.duration", scenario.run.duration)
        } else {
            ("contact.friction", 0.3)
        };
        let axis = Axis::read(&format!("[{:?}]", key.1)).map_err(|fault| Failure::broken(fault.message))?;
        sweep.vary.push((key.0.into(), axis));
    }
    let plan = Plan::new(&MODELS, scenario, &sweep, base)?;
    let rows: Vec<Vec<String>> = plan
        .possible_outputs()
        .map(|(name, unit, words)| vec![name.to_string(), unit.to_string(), words.to_string()])
        .collect();
    let width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let lines: Vec<Line> = rows
        .iter()
        .map(|row| Line::hanging(format!("  {:<width$}  {:<6} {}", row[0], row[1], row[2]), width + 11))
        .collect();
    console.lines(&lines)?;
    Ok(ExitCode::SUCCESS)
}

/// Says how long a large sweep will take, and asks for `--yes`.
fn ask(plan: &Plan<'_>, share: Share, threads: usize, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    let points = share.points(plan.total());
    // A few points are timed only where it may matter.
    if points.end - points.start < SMALL {
        return Ok(());
    }
    let cost = estimate(plan, share, threads);
    if !cost.is_large() {
        return Ok(());
    }
    Err(Failure::input(
        format!(
            "{} points would take about {} on {threads} threads ({} each, by a few that were timed) and {}; nothing was written",
            cost.points,
            long(cost.seconds),
            seconds(cost.each),
            size(cost.bytes)
        ),
        "say --yes to begin nevertheless, use fewer points, or share the work by --part I/N",
    ))
}

/// Sweeps of fewer points begin at once.
const SMALL: u64 = 100_000;

/// A time of any length.
fn long(time: f64) -> String {
    let units = [(31_557_600.0, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    match units.iter().find(|(length, _)| time >= 2.0 * length) {
        Some((length, name)) => format!("{} {name}", number_to(time / length, 3)),
        None => seconds(time),
    }
}

fn size(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (length, name) = units.into_iter().find(|(length, _)| bytes >= *length).unwrap_or((1.0, "bytes"));
    format!("{} {name} on the disk", number_to(bytes / length, 3))
}

/// The first of out/NAME-sweep, out/NAME-sweep-2 and so on that is free, or holds this sweep unfinished.
fn fresh(name: &str, manifest: &Manifest, plan: &Plan<'_>) -> Result<(Folder, Opened), Failure> {
    let base = Path::new("out");
    for number in 1.. {
        let path = base.join(if number == 1 { format!("{name}-sweep") } else { format!("{name}-sweep-{number}") });
        if !path.exists() {
            return Ok(Folder::open(&path, manifest.clone(), plan.columns())?);
        }
        if let Ok((folder, opened)) = Folder::open(&path, manifest.clone(), plan.columns())
            && !folder.is_complete()
        {
            return Ok((folder, opened));
        }
    }
    Err(Failure::broken("there is no free folder".into()))
}

fn shown(progress: Progress) -> Step {
    let Progress { done, of, left } = progress;
    let left = left.map_or_else(String::new, |left| format!(", {} left", long(left)));
    Step::Share(done as f64 / of.max(1) as f64, format!("{done} of {of} points{left}"))
}

/// What the columns came to.
fn told(tally: &Tally, width: Option<usize>) -> Vec<Line> {
    let head = ["", "least", "greatest", "mean", "points with it"].map(String::from);
    let row = |column: &sweep::Column| {
        let unit =
            if column.unit.is_empty() || column.unit == "1" { String::new() } else { format!(" ({})", column.unit) };
        let [least, greatest] =
            column.range.map_or(["–".into(), "–".into()], |range| range.map(|(_, value)| number_to(value, 6)));
        let mean = column.mean.map_or_else(|| "–".into(), |mean| number_to(mean, 6));
        vec![format!("{}{unit}", column.name), least, greatest, mean, column.known.to_string()]
    };
    let rows: Vec<Vec<String>> = tally.columns.iter().map(row).collect();
    let mut lines: Vec<Line> = table(&head, &rows, width).into_iter().map(Line::text).collect();
    if !tally.classes.is_empty() {
        let classes = tally.classes.iter().map(|(name, count)| format!("{name} {count}")).collect();
        lines.push(Line::labelled("classes", classes));
    }
    if let Some((point, error)) = &tally.first_error {
        lines.push(Line::about(
            "errors",
            format!("{} of {} points; the first is point {point}: {error}", tally.errors, tally.points),
        ));
    }
    lines
}

/// `--merge`.
fn join(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let mut folders: Vec<PathBuf> = arguments.scenario.iter().map(PathBuf::from).collect();
    folders.extend(arguments.merge.iter().cloned());
    let Some(out) = &arguments.out else {
        return Err(Failure::input("there is no folder to join the parts in".into(), "name one with --out"));
    };
    let mut bar = Bar::new(arguments.output.is_quiet());
    let joined = sweep::merge(&folders, out, &mut |done, of| {
        bar.show(Step::Share(done as f64 / of.max(1) as f64, "joining".into()))
    });
    bar.clear();
    let folder = joined?;
    let points = folder.points();
    let lines = vec![Line::title(format!(
        "{}: {} points of {} parts",
        folder.manifest().scenario,
        points.end - points.start,
        folders.len()
    ))];
    finish(&folder, None, lines, arguments, console)
}
