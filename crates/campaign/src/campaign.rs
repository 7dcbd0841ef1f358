//! Many cases, by all methods, on several threads.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use stickslip_scenario::Scheme;

use crate::case::Case;
use crate::clock::Clock;
use crate::method::{Method, Verdict, failed, references};
use crate::run::{Budget, Failure, Until};
use crate::shrink::shrink;
use crate::tally::{Finding, SlowCase, Tally};

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
    /// Processor time of all work on one case; what is not decided by then is counted apart.
    pub per_case: Duration,
}

/// What a campaign tells while it is under way.
#[derive(Debug)]
pub enum News<'a> {
    /// Cases done so far, and what each thread works on: case, method, since when.
    Progress(u64, &'a [(u64, &'static str, Duration)]),
    /// A case took long: which, which method took longest, how long.
    Slow(&'a SlowCase),
    /// A disagreement.
    Found(&'a Finding),
}

/// Cases that take longer are told of at once.
const LONG: Duration = Duration::from_secs(5);

/// Time between two lines of progress.
const BETWEEN: Duration = Duration::from_secs(5);

/// What a thread works on: case, method, since when.
type Busy = Mutex<Option<(u64, &'static str, Instant)>>;

fn lock<T>(what: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    what.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Findings of one kind that are shrunk.
const SHRUNK: usize = 5;

/// Runs a campaign; `tell` gets the news while it is under way.
pub fn campaign(settings: &Settings, tell: &(dyn Fn(News) + Sync)) -> Tally {
    let begin = Instant::now();
    let next = AtomicU64::new(settings.cases.start);
    let tally = Mutex::new(Tally::default());
    let (done, workers) = (AtomicU64::new(0), settings.threads.max(1));
    let busy: Vec<Busy> = (0..workers).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers)
            .map(|k| {
                let (busy, next, tally, done) = (&busy[k], &next, &tally, &done);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= settings.cases.end {
                            *lock(busy) = None;
                            return;
                        }
                        let case = Case::random(settings.seed, number);
                        if settings.models.is_empty() || settings.models.iter().any(|m| m == case.model()) {
                            Work { settings, number, case: &case, tally, busy, tell }.go();
                        }
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let mut told = Instant::now();
        while threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            if told.elapsed() >= BETWEEN {
                told = Instant::now();
                tell(News::Progress(done.load(Ordering::Relaxed), &at_work(&busy)));
            }
        }
    });
    let mut tally = tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    tally.took = begin.elapsed();
    tally.findings.sort_by_key(|finding| (finding.case, finding.method));
    tally.sensitive.sort_by_key(|found| (found.0, found.1));
    tally.out_of_time.sort();
    tally
}

fn at_work(busy: &[Busy]) -> Vec<(u64, &'static str, Duration)> {
    busy.iter().filter_map(|slot| lock(slot).map(|(case, method, since)| (case, method, since.elapsed()))).collect()
}

/// The work on one case.
struct Work<'a> {
    settings: &'a Settings,
    number: u64,
    case: &'a Case,
    tally: &'a Mutex<Tally>,
    busy: &'a Busy,
    tell: &'a (dyn Fn(News) + Sync),
}

impl Work<'_> {
    /// All methods on the case.
    fn go(&self) {
        let clock = Clock::start();
        let mut slow = SlowCase { case: self.number, took: clock.elapsed(), most: "run", most_took: Duration::ZERO };
        self.judge(&mut slow);
        slow.took = clock.elapsed();
        if slow.took >= LONG {
            (self.tell)(News::Slow(&slow));
        }
        lock(self.tally).keep_if_slow(slow);
    }

    fn judge(&self, slow: &mut SlowCase) {
        let Work { settings, number, case, .. } = *self;
        *lock(self.tally).cases.entry(case.model()).or_default() += 1;
        let budget = Budget { until: Some(Until::from_now(settings.per_case)), ..settings.budget };
        *lock(self.busy) = Some((number, "run", Instant::now()));
        let begin = Clock::start();
        let references = references(case, budget);
        slow.most_took = begin.elapsed();
        let references = match references {
            Ok(references) => references,
            Err(failure) => return self.failed(failure),
        };
        let by_steps = references.iter().any(|run| run.way.scheme != Scheme::Events);
        {
            let handovers: u64 = references.iter().map(|run| run.handovers).sum();
            let mut tally = lock(self.tally);
            tally.refused += u64::from(by_steps);
            tally.handovers = (tally.handovers.0 + u64::from(handovers > 0), tally.handovers.1 + handovers);
        }
        for &method in &settings.methods {
            *lock(self.busy) = Some((number, method.name(), Instant::now()));
            let begin = Clock::start();
            let verdict = method.judge_runs(case, &references, budget);
            let took = begin.elapsed();
            if took > slow.most_took {
                (slow.most, slow.most_took) = (method.name(), took);
            }
            self.count(method, &verdict, by_steps, took);
            if let Verdict::Finding { kind, words } = verdict {
                self.found(method, kind, words);
            }
            if budget.is_over() {
                return;
            }
        }
    }

    /// There is no run to hold others against.
    fn failed(&self, failure: Failure) {
        match failed(failure) {
            Verdict::Finding { kind, words } => self.found(Method::Alone, kind, words),
            Verdict::OutOfTime { words } => lock(self.tally).out_of_time.push((self.number, "run", words)),
            Verdict::Invalid(words) => self.invalid(&words),
            Verdict::Agrees | Verdict::NotFor | Verdict::Sensitive { .. } => {}
        }
    }

    fn invalid(&self, words: &str) {
        let mut tally = lock(self.tally);
        tally.invalid = (tally.invalid.0 + 1, format!("case {}: {words}", self.number));
    }

    fn count(&self, method: Method, verdict: &Verdict, by_steps: bool, took: Duration) {
        if let Verdict::Invalid(words) = verdict {
            self.invalid(words);
        }
        let mut tally = lock(self.tally);
        let count = tally.methods.entry(method).or_default();
        count.took += took;
        if matches!(verdict, Verdict::NotFor | Verdict::Invalid(_)) {
            return;
        }
        if let Verdict::OutOfTime { words } = verdict {
            count.out_of_time += 1;
            return tally.out_of_time.push((self.number, method.name(), words.clone()));
        }
        *count.compared.entry(self.case.model()).or_default() += 1;
        count.by_steps += u64::from(by_steps);
        match verdict {
            Verdict::Agrees => count.agreed += 1,
            Verdict::Sensitive { words } => {
                count.sensitive += 1;
                tally.sensitive.push((self.number, method, words.clone()));
            }
            _ => {}
        }
    }

    /// Shrinks a finding, writes it, keeps it and tells of it.
    fn found(&self, method: Method, kind: &'static str, words: String) {
        let Work { settings, number, case, .. } = *self;
        let alike = lock(self.tally).findings.iter().filter(|f| f.kind == kind && f.method == method).count();
        let (least, shown) = if alike < SHRUNK && !settings.shrinking.is_zero() {
            *lock(self.busy) = Some((number, "shrinking", Instant::now()));
            shrink(case, method, kind, settings.budget, settings.shrinking)
        } else {
            (case.clone(), None)
        };
        let words = shown.unwrap_or(words);
        let (name, seed) = (method.name(), settings.seed);
        let mut text = format!("# Found by the campaign, seed {seed}, case {number}: {name}, {kind}.\n# {words}\n");
        text.push_str(&least.text(least.schemes()[0]));
        if let Some(folder) = &settings.out {
            let name = format!("{name}-{kind}-{seed}-{number}.toml");
            // A full disk must not end hours of work; the table still tells of the finding.
            if let Err(error) = std::fs::write(folder.join(&name), &text) {
                eprintln!("cannot write {name}: {error}");
            }
        }
        let finding = Finding { case: number, method, kind, words, text };
        (self.tell)(News::Found(&finding));
        lock(self.tally).findings.push(finding);
    }
}
