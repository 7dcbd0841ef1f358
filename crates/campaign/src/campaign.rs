//! Many cases, by all methods, on several threads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use stickslip_scenario::Scheme;

use crate::case::Case;
use crate::clock::Clock;
use crate::method::{Method, Verdict, failed};
use crate::run::{Budget, Failure, Way, run};
use crate::shrink::shrink;

/// What to do.
#[derive(Debug, Clone)]
pub struct Settings {
    /// First case and how many.
    pub cases: std::ops::Range<u64>,
    /// Seed: the same seed makes the same cases.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// What one run may cost.
    pub budget: Budget,
    /// Where findings are written; nowhere if none.
    pub out: Option<PathBuf>,
    /// Methods to try.
    pub methods: Vec<Method>,
    /// Time to shrink a finding; findings of one kind beyond the first few are not shrunk.
    pub shrinking: Duration,
    /// Models to try; all if empty.
    pub models: Vec<String>,
}

/// Findings of one kind that are shrunk.
const SHRUNK: usize = 5;

/// A disagreement.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Number of the case.
    pub case: u64,
    /// Found by which method.
    pub method: Method,
    /// Kind of fault.
    pub kind: &'static str,
    /// What disagreed.
    pub words: String,
    /// The scenario file, shrunk.
    pub text: String,
}

/// What a campaign has seen.
#[derive(Debug, Default)]
pub struct Tally {
    /// Cases by model.
    pub cases: BTreeMap<&'static str, u64>,
    /// Cases that events refuse.
    pub refused: u64,
    /// Cases that are no scenarios, with the last reason.
    pub invalid: (u64, String),
    /// Runs by events with handovers, and how many of these.
    pub handovers: (u64, u64),
    /// By method: compared, agreed, sensitive, processor time.
    pub methods: BTreeMap<Method, (u64, u64, u64, Duration)>,
    /// All findings.
    pub findings: Vec<Finding>,
    /// Sensitive cases: number, method, words.
    pub sensitive: Vec<(u64, Method, String)>,
    /// Time by the wall.
    pub took: Duration,
}

/// Runs a campaign; `progress` is told how many cases are done.
pub fn campaign(settings: &Settings, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let begin = Instant::now();
    let next = AtomicU64::new(settings.cases.start);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= settings.cases.end {
                        return;
                    }
                    let case = Case::random(settings.seed, number);
                    if settings.models.is_empty() || settings.models.iter().any(|m| m == case.model()) {
                        one(settings, number, &case, &tally);
                    }
                    progress(number + 1 - settings.cases.start);
                }
            });
        }
    });
    let mut tally = tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    tally.took = begin.elapsed();
    tally.findings.sort_by_key(|finding| (finding.case, finding.method));
    tally.sensitive.sort_by_key(|found| (found.0, found.1));
    tally
}

/// All methods on one case.
fn one(settings: &Settings, number: u64, case: &Case, tally: &Mutex<Tally>) {
    let lock = || tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *lock().cases.entry(case.model()).or_default() += 1;
    let text = case.text(Scheme::Events);
    let exact = match run(&text, Way::events(settings.budget)) {
        Ok(exact) => Some(exact),
        Err(Failure::Refused(_)) => {
            lock().refused += 1;
            None
        }
        Err(Failure::Scenario(words)) => {
            let mut tally = lock();
            tally.invalid = (tally.invalid.0 + 1, format!("case {number}: {words}"));
            return;
        }
        Err(failure) => {
            if let Verdict::Finding { kind, words } = failed(failure) {
                found(settings, number, case, Method::Alone, kind, words, tally);
            }
            return;
        }
    };
    if let Some(exact) = exact.as_ref().filter(|exact| exact.handovers > 0) {
        let mut tally = lock();
        tally.handovers = (tally.handovers.0 + 1, tally.handovers.1 + exact.handovers);
    }
    for &method in &settings.methods {
        let begin = Clock::start();
        let verdict = method.judge_run(case, exact.as_ref(), settings.budget);
        let took = begin.elapsed();
        {
            let mut tally = lock();
            let entry = tally.methods.entry(method).or_default();
            entry.3 += took;
            match &verdict {
                Verdict::NotFor => {}
                Verdict::Invalid(words) => tally.invalid = (tally.invalid.0 + 1, format!("case {number}: {words}")),
                Verdict::Agrees => {
                    entry.0 += 1;
                    entry.1 += 1;
                }
                Verdict::Finding { .. } => entry.0 += 1,
                Verdict::Sensitive { words } => {
                    entry.0 += 1;
                    entry.2 += 1;
                    tally.sensitive.push((number, method, words.clone()));
                }
            }
        }
        if let Verdict::Finding { kind, words } = verdict {
            found(settings, number, case, method, kind, words, tally);
        }
    }
}

/// Shrinks a finding, writes it and keeps it.
fn found(
    settings: &Settings,
    number: u64,
    case: &Case,
    method: Method,
    kind: &'static str,
    words: String,
    tally: &Mutex<Tally>,
) {
    let lock = || tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let alike = lock().findings.iter().filter(|f| f.kind == kind && f.method == method).count();
    let (least, shown) = if alike < SHRUNK && !settings.shrinking.is_zero() {
        shrink(case, method, kind, settings.budget, settings.shrinking)
    } else {
        (case.clone(), None)
    };
    let words = shown.unwrap_or(words);
    let mut text = String::new();
    let _ =
        writeln!(text, "# Found by the campaign, seed {}, case {number}: {}, {kind}.", settings.seed, method.name());
    let _ = writeln!(text, "# {words}");
    text.push_str(&least.text(Scheme::Events));
    if let Some(folder) = &settings.out {
        let name = format!("{}-{kind}-{}-{number}.toml", method.name(), settings.seed);
        // A full disk must not end hours of work; the table still tells of the finding.
        if let Err(error) = std::fs::write(folder.join(&name), &text) {
            eprintln!("cannot write {name}: {error}");
        }
    }
    lock().findings.push(Finding { case: number, method, kind, words, text });
}

impl Tally {
    /// The table that a campaign ends with.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let cases: u64 = self.cases.values().sum();
        let by_model: Vec<String> = self.cases.iter().map(|(model, n)| format!("{n} {model}")).collect();
        let _ = writeln!(out, "{cases} cases in {:.1} s: {}", self.took.as_secs_f64(), by_model.join(", "));
        let _ =
            writeln!(out, "refused by events: {}; not scenarios: {} {}", self.refused, self.invalid.0, self.invalid.1);
        let _ = writeln!(out, "runs with handovers: {} ({} in all)\n", self.handovers.0, self.handovers.1);
        let _ =
            writeln!(out, "| method | compared | agree | sensitive | found | time [s] |\n|---|---|---|---|---|---|");
        for (method, (compared, agreed, sensitive, took)) in &self.methods {
            let found = compared - agreed - sensitive;
            let (name, took) = (method.name(), took.as_secs_f64());
            let _ = writeln!(out, "| {name} | {compared} | {agreed} | {sensitive} | {found} | {took:.1} |");
        }
        let mut kinds: BTreeMap<(&str, &str), Vec<u64>> = BTreeMap::new();
        for finding in &self.findings {
            kinds.entry((finding.method.name(), finding.kind)).or_default().push(finding.case);
        }
        let _ = writeln!(out, "\n| method | kind | found | cases |\n|---|---|---|---|");
        for ((method, kind), list) in kinds {
            let few: Vec<String> = list.iter().take(8).map(u64::to_string).collect();
            let dots = if list.len() > few.len() { " …" } else { "" };
            let _ = writeln!(out, "| {method} | {kind} | {} | {}{dots} |", list.len(), few.join(" "));
        }
        out
    }
}
