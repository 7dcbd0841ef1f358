//! `stickslip-campaign`: looks for systems that two ways of running them disagree about.
#![allow(clippy::print_stdout, reason = "a command prints")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use stickslip_campaign::{Budget, Case, Finding, Method, News, Settings, SlowCase, campaign};

const HELP: &str = "\
Makes random systems, runs each in ways that must agree, and writes what does not as scenario files.

  --cases N        how many cases (default 200)
  --first N        number of the first case (default 0)
  --seed N         the same seed makes the same cases (default 1)
  --threads N      default 2
  --out FOLDER     where findings are written (default: nowhere)
  --method NAME    only this method; may be given several times
  --model NAME     only cases of this model; may be given several times
  --limit SECONDS  a run that takes longer is a finding (default 10)
  --per-case SECONDS  all work on a case ends after this; it is listed, and is no finding (default 120)
  --shrink SECONDS time to shrink one finding (default 10; 0: not at all)
  --print N        print case N as a scenario file and stop

The exit code is 1 if something was found.
";

fn main() -> ExitCode {
    match settings() {
        Ok(Some(settings)) => go(&settings),
        Ok(None) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn settings() -> Result<Option<Settings>, String> {
    let (mut first, mut cases) = (0_u64, 200_u64);
    let mut print = None;
    let mut settings = Settings {
        cases: 0..0,
        seed: 1,
        threads: 2,
        budget: Budget::default(),
        out: None,
        methods: Vec::new(),
        shrinking: Duration::from_secs(10),
        models: Vec::new(),
        per_case: Duration::from_secs(120),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--help" || word == "-h" {
            println!("{HELP}");
            return Ok(None);
        }
        let value = words.next().ok_or_else(|| format!("`{word}` needs a value"))?;
        let whole = || value.parse::<u64>().map_err(|_| format!("`{word}` needs a whole number, found `{value}`"));
        let seconds = || {
            let number = value.parse::<f64>().ok().filter(|s| (0.0..1e9).contains(s));
            number.map(Duration::from_secs_f64).ok_or_else(|| format!("`{word}` needs seconds, found `{value}`"))
        };
        match word.as_str() {
            "--cases" => cases = whole()?,
            "--first" => first = whole()?,
            "--seed" => settings.seed = whole()?,
            "--threads" => settings.threads = whole()? as usize,
            "--out" => settings.out = Some(PathBuf::from(value)),
            "--limit" => settings.budget.time = seconds()?,
            "--per-case" => settings.per_case = seconds()?,
            "--shrink" => settings.shrinking = seconds()?,
            "--print" => print = Some(whole()?),
            "--model" => settings.models.push(value),
            "--method" => {
                let method = Method::ALL.into_iter().find(|m| m.name() == value);
                settings.methods.push(method.ok_or_else(|| format!("there is no method `{value}`"))?);
            }
            _ => return Err(format!("`{word}` is not known")),
        }
    }
    if let Some(number) = print {
        let case = Case::random(settings.seed, number);
        print!("{}", case.text(case.schemes()[0]));
        return Ok(None);
    }
    if settings.methods.is_empty() {
        settings.methods = Method::ALL.to_vec();
    }
    if let Some(folder) = &settings.out {
        std::fs::create_dir_all(folder).map_err(|e| format!("cannot make the folder {}: {e}", folder.display()))?;
    }
    settings.cases = first..first.saturating_add(cases);
    Ok(Some(settings))
}

fn go(settings: &Settings) -> ExitCode {
    // A panic in a run is caught and becomes a finding; its own message would only disturb the table.
    std::panic::set_hook(Box::new(|_| {}));
    let begin = Instant::now();
    let total = settings.cases.end - settings.cases.start;
    let tell = |news: News| {
        let seconds = begin.elapsed().as_secs_f64();
        match news {
            News::Progress(done, at_work) => {
                let mut line = format!("{seconds:6.0} s: {done} of {total} cases");
                for (case, method, since) in at_work {
                    line.push_str(&format!("; case {case}, {method} for {:.1} s", since.as_secs_f64()));
                }
                eprintln!("{line}");
            }
            News::Slow(SlowCase { case, took, most, most_took }) => {
                let (took, most_took) = (took.as_secs_f64(), most_took.as_secs_f64());
                eprintln!("{seconds:6.0} s: case {case} took {took:.1} s of work, {most} {most_took:.1} s of it");
            }
            News::Found(finding) => eprintln!("{seconds:6.0} s: {}", line(finding)),
        }
    };
    eprintln!("{total} cases from {} on, seed {}, {} threads", settings.cases.start, settings.seed, settings.threads);
    let tally = campaign(settings, &tell);
    println!("{}", tally.table());
    for finding in tally.findings.iter().take(40) {
        println!("{}", line(finding));
    }
    for (case, method, words) in tally.out_of_time.iter().take(20) {
        println!("out of time: case {case} ({method}) {words}");
    }
    for (case, method, words) in tally.sensitive.iter().take(20) {
        println!("sensitive: case {case} ({}): {words}", method.name());
    }
    if tally.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn line(finding: &Finding) -> String {
    format!("case {} ({}, {}): {}", finding.case, finding.method.name(), finding.kind, finding.words)
}
