//! `stickslip sweep`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use stickslip::models::MODELS;
use stickslip::run::text::{number_to, seconds};
use stickslip::run::{Scenario, Step};
use stickslip::scenario::sweep::{At, Section, Sweep, seconds as time};
use stickslip::sweep::{
    self, Branches, CSV_ROWS, DataColumn, Estimate, Folder, Manifest, Opened, Plan, Progress, Request, Share,
    SweepError, Tally, Trust, estimate, pair, tally,
};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, table};
use super::output::{Output, say};
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
    /// A bifurcation diagram over the last key that is varied: values of this column of the trajectory, one row each, in place of outputs
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["output_names", "classes", "spectrum", "orbits"])]
    bifurcation: Option<String>,
    /// Where its values are collected: extremes (default), greatest, least, sticks.CONTACT, slips.CONTACT or "every 2 s"
    #[arg(long, value_name = "PLACE", requires = "bifurcation")]
    at: Option<String>,
    /// Spectra of this column over the last key that is varied, one row for each line, in place of outputs
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["output_names", "classes", "orbits"])]
    spectrum: Option<String>,
    /// How long each run of a diagram goes before anything is collected, such as "2 s"; half of it by default
    #[arg(long, value_name = "TIME")]
    transient: Option<String>,
    /// Most values of each run of a diagram (200), or lines of its spectrum (500)
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    most: Option<u64>,
    /// A key at which each run of a diagram starts, and what it takes from the end of the run before: --carry initial.angle=end.psi. With it
    /// the key goes up and down again; without it each run starts as the scenario says
    #[arg(long, value_name = "KEY=FORMULA")]
    carry: Vec<String>,
    /// Group runs by what these columns do in their second half (basins of attraction); may be given several times
    #[arg(long, value_name = "COLUMN")]
    orbits: Vec<String>,
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
    let (mut asked, base) = request(arguments).of(&scenario)?;
    section(arguments, &mut asked)?;
    tell_first(&request(arguments).left_out(&scenario));
    if arguments.outputs {
        return list(&scenario, &asked, &base, console);
    }
    let share = arguments.part.unwrap_or(Share::ALL);
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    if asked.section.is_some() {
        return diagram(arguments, (&scenario, &asked, &base), (share, threads), console);
    }
    let plan = Plan::new(&MODELS, &scenario, &asked, &base)?;
    tell_first(&plan.replaced());
    tell_first(plan.hidden());
    ask(&|| estimate(&plan, share, threads), "points", threads, arguments.yes)?;
    let manifest = Manifest::new(&plan, share);
    let (folder, opened) = match &arguments.out {
        Some(path) => Folder::open(path, manifest, plan.columns())?,
        None => fresh(&file_stem(&scenario.name), &manifest, plan.columns())?,
    };
    let mut bar = Bar::new(arguments.output.is_quiet());
    let mut before = 0;
    let ran = sweep::run(&plan, &folder, threads, &mut |progress| {
        before = progress.before;
        bar.show(shown(progress));
    });
    bar.clear();
    ran?;
    let spent = begin.elapsed().as_secs_f64();
    let points = folder.points();
    let mut lines = vec![Line::title(format!(
        "{}: {}{} in {} on {}",
        scenario.name,
        counted(points.end - points.start, "point"),
        if share == Share::ALL { String::new() } else { format!(" (part {share} of {})", plan.total()) },
        seconds(spent),
        on(threads)
    ))];
    if let Opened::Resumed(whole) = opened {
        let journals = match before - whole.min(before) {
            0 => String::new(),
            rows => format!(" ({rows} of them in blocks that were not whole)"),
        };
        lines.push(Line::text(format!("  went on with a sweep of which {before} points were there{journals}")));
    }
    lines.push(Line::text(format!("  {}", plan.way())));
    let command = format!("stickslip run {}{}", scenario.name, sets(&arguments.overrides));
    let draw = |folder: &Folder| sweep::picture::draw(&plan, folder, &command);
    let kind = if plan.points().is_one_sample() { Kind::Samples } else { Kind::Points };
    finish(&folder, (&draw, None, kind), lines, arguments, console)
}

/// Says what may not be meant, before anything runs.
pub(super) fn tell_first(notes: &[String]) {
    notes.iter().for_each(|note| say(note));
}

/// `--bifurcation` and `--spectrum`.
fn diagram(
    arguments: &Arguments,
    (scenario, asked, base): (&Scenario, &Sweep, &Path),
    (share, threads): (Share, usize),
    console: &mut Console,
) -> Result<ExitCode, Failure> {
    let begin = Instant::now();
    let branches = Branches::new(&MODELS, scenario, asked, base)?;
    let mut notes = branches.plan().replaced();
    if !branches.not_carried().is_empty() {
        notes.push(format!(
            "runs do not start with all of the state in which the run before ended: {} begins as the scenario says",
            branches.not_carried().join(", ")
        ));
    }
    tell_first(&notes);
    ask(&|| branches.estimate(share, threads), "runs", threads, arguments.yes)?;
    let manifest = branches.manifest(share);
    let (folder, opened) = match &arguments.out {
        Some(path) => Folder::open(path, manifest, branches.columns())?,
        None => fresh(&file_stem(&scenario.name), &manifest, branches.columns())?,
    };
    let mut bar = Bar::new(arguments.output.is_quiet());
    let ran = sweep::run_paths(&branches, &folder, threads, &mut |progress| bar.show(shown(progress)));
    bar.clear();
    ran?;
    let own = folder.points();
    let paths = own.end - own.start;
    let spent = begin.elapsed().as_secs_f64();
    let mut lines = Vec::new();
    if let Opened::Resumed(before) = opened {
        lines.push(Line::text(format!("  went on with a sweep of which {before} paths were there as a whole")));
    }
    lines.push(Line::text(format!("  {}", branches.way())));
    let trust = branches.trust(&folder, threads, &mut |done, of| {
        bar.show(Step::Share(
            done as f64 / of.max(1) as f64,
            format!("{done} of {of} runs made again, to know how far to trust them"),
        ));
    });
    bar.clear();
    let trust = trust?;
    let whole = begin.elapsed().as_secs_f64();
    let title = format!(
        "{}: {} on {}{} in {}{} on {}",
        scenario.name,
        counted(paths * branches.runs_of_path(), "run"),
        counted(paths, "path"),
        if share == Share::ALL { String::new() } else { format!(" (part {share} of {})", branches.paths()) },
        seconds(whole),
        if trust.is_some() {
            format!(" ({} of it for runs made again)", seconds(whole - spent))
        } else {
            String::new()
        },
        on(threads)
    );
    lines.insert(0, Line::title(title));
    let command = format!("stickslip run {}{}", scenario.name, sets(&arguments.overrides));
    let draw = |folder: &Folder| sweep::draw_paths(&branches, folder, trust.as_ref(), &command);
    finish(&folder, (&draw, trust.as_ref(), Kind::Paths), lines, arguments, console)
}

/// Draws what is in a folder; says whether it did.
type Draw<'a> = &'a dyn Fn(&Folder) -> Result<bool, SweepError>;

/// What `--set` has set, again.
fn sets(overrides: &[String]) -> String {
    overrides.iter().map(|set| format!(" --set '{set}'")).collect()
}

/// What the rows of a dataset are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Random samples, whose spread is that of chance.
    Samples,
    /// Points that were chosen.
    Points,
    /// Values along paths.
    Paths,
}

/// Tables and words of a dataset that is complete.
fn finish(
    folder: &Folder,
    (draw, trust, kind): (Draw<'_>, Option<&Trust>, Kind),
    mut lines: Vec<Line>,
    arguments: &Arguments,
    console: &mut Console,
) -> Result<ExitCode, Failure> {
    let csv = folder.write_csv()?;
    let tally = tally(folder)?;
    let json = serde_json::to_string_pretty(&tally).map_err(|e| Failure::broken(e.to_string()))? + "\n";
    folder.write("summary.json", json.as_bytes())?;
    let report = draw(folder)?;
    lines.push(Line::text(""));
    lines.extend(told(&tally, kind, console.width()));
    for words in trust.into_iter().flat_map(Trust::words) {
        lines.push(Line::about("trust", words));
    }
    for doubt in trust.into_iter().flat_map(Trust::doubts) {
        lines.push(Line::about("WARNING", doubt.clone()));
    }
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
    let mut doubts = trust.map_or_else(Vec::new, |trust| trust.doubts().to_vec());
    doubts.extend(missing(&tally, kind).filter(|_| kind == Kind::Samples));
    doubts.extend(doubtful(&tally));
    if let Some((point, error)) = &tally.first_error {
        let (errors, points) = (tally.errors, tally.points);
        doubts.push(format!("{errors} of {points} points have errors; the first is point {point}: {error}"));
    }
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
        orbits: arguments.orbits.clone(),
        samples: arguments.samples,
        seed: arguments.seed,
        design: arguments.design.clone(),
        points: arguments.points.clone(),
    }
}

/// What of a diagram is asked for by the command line, in place of the file.
fn section(arguments: &Arguments, sweep: &mut Sweep) -> Result<(), Failure> {
    let wrong = |option: &str, fault: stickslip::scenario::tables::Fault| {
        Failure::input(format!("{option}: {}", fault.message), fault.help.as_deref().unwrap_or("see docs/sweep.md"))
    };
    let asked = match (&arguments.bifurcation, &arguments.spectrum) {
        (Some(column), _) => Some((column, At::Extremes)),
        (_, Some(column)) => Some((column, At::Spectrum)),
        _ => None,
    };
    if let Some((column, at)) = asked {
        // Where runs start does not depend on what is collected of them.
        let carry = sweep.section.take().map_or_else(Vec::new, |own| own.carry);
        sweep.section = Some(Section { column: column.clone(), at, transient: None, most: None, carry });
    }
    let Some(own) = &mut sweep.section else {
        if arguments.transient.is_some() || arguments.most.is_some() || !arguments.carry.is_empty() {
            return Err(Failure::input(
                "--transient, --most and --carry are of diagrams, and none is asked for".into(),
                "say --bifurcation COLUMN or --spectrum COLUMN",
            ));
        }
        return Ok(());
    };
    if let Some(at) = &arguments.at {
        own.at = At::read(at).map_err(|fault| wrong("--at", fault))?;
    }
    if let Some(text) = &arguments.transient {
        own.transient = Some(time(text).map_err(|fault| wrong("--transient", fault))?);
    }
    own.most = arguments.most.or(own.most);
    if !arguments.carry.is_empty() {
        own.carry = arguments
            .carry
            .iter()
            .map(|text| pair(text, "KEY=FORMULA, such as initial.angle=end.psi"))
            .collect::<Result<_, _>>()?;
    }
    Ok(())
}

/// All outputs that runs of the scenario have.
fn list(scenario: &Scenario, asked: &Sweep, base: &Path, console: &mut Console) -> Result<ExitCode, Failure> {
    let asked = Sweep { outputs: Vec::new(), classes: Vec::new(), section: None, orbits: Vec::new(), ..asked.clone() };
    // Where nothing is varied, what may be asked is that of the scenario itself.
    let all: Vec<[String; 3]> = if asked.is_empty() {
        sweep::outputs_of(&MODELS, scenario)?
    } else {
        let plan = Plan::new(&MODELS, scenario, &asked, base)?;
        plan.possible_outputs().map(|(name, unit, words)| [name, unit, words].map(String::from)).collect()
    };
    // What is measured first, and then what every column has.
    let (columns, measures): (Vec<_>, Vec<_>) = all.into_iter().partition(|[name, ..]| name.contains('.'));
    let rows: Vec<[String; 3]> = measures.into_iter().chain(columns).collect();
    let width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let lines: Vec<Line> = rows
        .iter()
        .map(|row| Line::hanging(format!("  {:<width$}  {:<6} {}", row[0], row[1], row[2]), width + 11))
        .collect();
    console.lines(&lines)?;
    Ok(ExitCode::SUCCESS)
}

/// Says how long a large sweep will take, and asks for `--yes`.
fn ask(estimate: &dyn Fn() -> Estimate, what: &str, threads: usize, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    let cost = estimate();
    if !cost.is_large() {
        return Ok(());
    }
    Err(Failure::input(
        format!(
            "{} {what} would take about {} on {} ({} each, by a few that were timed) and {}; nothing was written",
            cost.points,
            long(cost.seconds),
            on(threads),
            seconds(cost.each),
            size(cost.bytes)
        ),
        "say --yes to begin nevertheless, use fewer points, or share the work by --part I/N",
    ))
}

fn on(threads: usize) -> String {
    counted(threads as u64, "thread")
}

/// `1 run`, `2 runs`.
fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

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
fn fresh(name: &str, manifest: &Manifest, columns: &[DataColumn]) -> Result<(Folder, Opened), Failure> {
    let base = Path::new("out");
    for number in 1.. {
        let path = base.join(if number == 1 { format!("{name}-sweep") } else { format!("{name}-sweep-{number}") });
        if !path.exists() {
            return Ok(Folder::open(&path, manifest.clone(), columns)?);
        }
        if let Ok((folder, opened)) = Folder::open(&path, manifest.clone(), columns)
            && !folder.is_complete()
        {
            return Ok((folder, opened));
        }
    }
    Err(Failure::broken("there is no free folder".into()))
}

fn shown(progress: Progress) -> Step {
    let Progress { done, of, left, .. } = progress;
    let left = left.map_or_else(String::new, |left| format!(", {} left", long(left)));
    Step::Share(done as f64 / of.max(1) as f64, format!("{done} of {of} points{left}"))
}

/// What the columns came to.
fn told(tally: &Tally, kind: Kind, width: Option<usize>) -> Vec<Line> {
    let spread = kind == Kind::Samples;
    let mut head = ["", "least", "greatest", "mean", "points with it"].map(String::from).to_vec();
    if spread {
        head.splice(4..4, ["sd", "median"].map(String::from));
    }
    let row = |column: &sweep::Column| {
        let unit =
            if column.unit.is_empty() || column.unit == "1" { String::new() } else { format!(" ({})", column.unit) };
        let [least, greatest] =
            column.range.map_or(["–".into(), "–".into()], |range| range.map(|(_, value)| number_to(value, 6)));
        let mean = column.mean.map_or_else(|| "–".into(), |mean| number_to(mean, 6));
        let mut row = vec![format!("{}{unit}", column.name), least, greatest, mean, column.known.to_string()];
        if spread {
            let all = [column.sd, column.quantiles.map(|all| all[2])];
            row.splice(4..4, all.map(|value| value.map_or_else(|| "–".into(), |value| number_to(value, 6))));
        }
        row
    };
    let rows: Vec<Vec<String>> = tally.columns.iter().map(row).collect();
    let mut lines: Vec<Line> = table(&head, &rows, width).into_iter().map(Line::text).collect();
    if !tally.classes.is_empty() {
        let classes = tally.classes.iter().map(|(name, count)| format!("{name} {count}")).collect();
        lines.push(Line::labelled("classes", classes));
    }
    if let Some(words) = missing(tally, kind) {
        lines.push(Line::about(if spread { "WARNING" } else { "missing" }, words));
    }
    if let Some(words) = doubtful(tally) {
        lines.push(Line::about("warnings", words));
    }
    if let Some((point, error)) = &tally.first_error {
        lines.push(Line::about(
            "errors",
            format!("{} of {} points; the first is point {point}: {error}", tally.errors, tally.points),
        ));
    }
    lines
}

/// Which outputs runs lack, so that what is told of them is of the others.
fn missing(tally: &Tally, kind: Kind) -> Option<String> {
    let lacks = |column: &&sweep::Column| kind != Kind::Paths && column.known > 0 && column.known < tally.points;
    let all: Vec<String> = tally
        .columns
        .iter()
        .filter(lacks)
        .map(|column| format!("{} of {} have no {}", tally.points - column.known, tally.points, column.name))
        .collect();
    let told = match kind {
        Kind::Samples => {
            "mean, sd and median are of the others alone, and are those of all samples only where it is chance that one has no value (not where \
             runs end too early for it)"
        }
        _ => "least, greatest and mean are of the others",
    };
    (!all.is_empty()).then(|| format!("{}: {told}", all.join(", ")))
}

/// How many runs have warnings, with the first.
fn doubtful(tally: &Tally) -> Option<String> {
    let (point, warning) = tally.first_warning.as_ref()?;
    let (warnings, points) = (tally.warnings, tally.points);
    let have = if warnings == 1 { "has" } else { "have" };
    Some(format!("{warnings} of {points} runs {have} warnings; the first is point {point}: {warning}"))
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
    let lines = vec![
        Line::title(format!(
            "{}: {} of {}",
            folder.manifest().scenario,
            counted(points.end - points.start, if folder.manifest().paths { "path" } else { "point" }),
            counted(folders.len() as u64, "part")
        )),
        Line::text(format!(
            "  the command of the sweep, without --part and with --out {}, draws its report from these points",
            out.display()
        )),
    ];
    let kind = if folder.manifest().paths { Kind::Paths } else { Kind::Points };
    finish(&folder, (&|_| Ok(false), None, kind), lines, arguments, console)
}
