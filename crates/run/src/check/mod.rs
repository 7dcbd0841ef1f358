//! Physics or numerics? One scenario with step h, with h/2, and from event to event.
//!
//! A feature of a result (an event, a stretch of stick, a quantity at the end) is *physics* if all three runs have it and
//! the finer run is as near to the exact one as halving the step says it should be: the difference of the two runs by
//! steps is the error of the finer one at first order, and three times that, with what the dating of events to whole
//! steps adds, is allowed. If it is not even that near, it is *numerics*: the step has made it, missed it or misplaced it.
//! If it is, but not nearer than the coarser run was, nothing says that a smaller step would come nearer still: *not
//! decided*.
//!
//! Events are matched by contact, kind and time, not by number: two are the same if neither has a nearer partner.
//!
//! From the time on at which the three runs have parted (their distances no longer halve with the step) single events mean
//! nothing; then shares, rates and means are compared, each with its uncertainty. That the runs part does not say why:
//! chaotic and unstable motion do so, and regular motion with steps too large to place its events.

mod features;
mod listed;
mod matching;
mod measured;
mod parting;
mod statistics;

pub use features::{Features, Samples};
pub(crate) use features::{exact, finer, stepped};
pub use listed::{Listed, Summed};
pub(crate) use measured::measured;

use serde::Serialize;
use stickslip_core::law::State;
use stickslip_core::scheme::Grid;

use crate::text::{number_to, seconds};

/// Steps that the coarser run by steps has at least, where the run that is checked goes from event to event and has no step.
const FEWEST: u64 = 20_000;

/// Estimated errors that the distance to the exact run may have.
const SAFETY: f64 = 3.0;

/// Share of the coarser run's distance to the exact one that the finer run may keep for the distances to shrink. First order
/// keeps a half, or 3/7 where the exact one has an eighth of the step; a distance that is up to a fifth smaller may as well
/// be so by chance.
const SHRUNK: f64 = 0.8;

/// Steps (of the coarse run) by which the date of an event may be off besides: it is dated to the end of its step and
/// drives are taken at the beginning, two steps in the coarse run and two half ones in the fine one, and the estimate of
/// the error has those of both.
const DATING: f64 = 4.0;

/// Steps (of the coarse run) below which a stretch of stick is too short to be told from a slip that turns round: a blow against a wall takes
/// two steps of the θ-method, whatever their size, and none by events.
const SHORT: f64 = 2.5;

/// Rounding of an end value, as a share of the greatest size of any such quantity of the same unit.
const ROUNDING: f64 = 1e-9;

/// Share of the greatest size of such a quantity from which on the estimated error of an end value decides nothing.
const VAGUE: f64 = 0.5;

/// The same beside the value itself: what is smaller than its estimated error is found only where that is small beside the quantity's
/// greatest size, as at a passage through zero.
const ZERO: f64 = 0.01;

/// Share of the run before its end over which the greatest difference of two runs counts as that at the end, but where contacts change: the
/// difference itself may happen to pass through zero there.
const ENDING: f64 = 0.25;

/// What a feature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The motion has it.
    Physics,
    /// The step has made, missed or misplaced it.
    Numerics,
    /// A mean whose uncertainty is too great to say so, or a feature that half the step does not bring nearer.
    NotDecided,
}

impl Verdict {
    /// The verdict as a word; numerics are loud.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Physics => "physics",
            Verdict::Numerics => "NUMERICS",
            Verdict::NotDecided => "not decided",
        }
    }
}

/// What kind of feature it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A quantity at the end.
    End,
    /// The time of an event \[s\].
    Event,
    /// How long a contact stuck at a time \[s\].
    Stretch,
    /// A share, a rate or a mean over the time after the runs have parted.
    Statistic,
    /// A measure of the model.
    Measure,
}

/// One feature in the three runs; a missing one is absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What it is.
    pub feature: String,
    /// What kind of feature.
    pub kind: Kind,
    /// With step h.
    pub coarse: Option<f64>,
    /// With step h/2.
    pub fine: Option<f64>,
    /// From event to event.
    pub exact: Option<f64>,
    /// How far the finer run may be from the exact one; absent where the feature is missing in one of them.
    pub allowed: Option<f64>,
    /// Physics or numerics.
    pub verdict: Verdict,
    /// Unit of the values, where the name does not end with it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    /// What a measure is held against, where that is no run but a number that it must come near to by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<f64>,
    /// The contact that an event or a stretch of stick belongs to.
    #[serde(skip)]
    pub contact: Option<stickslip_core::Name>,
}

impl Finding {
    /// A feature with its values in the three runs, what they may differ by, and the verdict.
    pub fn new(
        feature: String,
        kind: Kind,
        [coarse, fine, exact]: [Option<f64>; 3],
        allowed: Option<f64>,
        verdict: Verdict,
    ) -> Finding {
        Finding { feature, kind, coarse, fine, exact, allowed, verdict, unit: "", against: None, contact: None }
    }

    /// Its name and unit: `frequency (Hz)`, `growth_rate against eigenvalue: 103.761 (1/s)`.
    pub fn name(&self) -> String {
        let value = self.against.map_or_else(String::new, |value| format!(": {}", number_to(value, 6)));
        let unit = if matches!(self.unit, "" | "1") { String::new() } else { format!(" ({})", self.unit) };
        format!("{}{value}{unit}", self.feature)
    }
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Steps of the two runs by steps \[s\].
    pub steps: [f64; 2],
    /// What was taken for exact: `events`, or another integrator (`kicks`, `shifted`) or `h/8` where the model has no run from event to event.
    pub reference: &'static str,
    /// When the runs had parted, so that means are compared instead of single events \[s\]; absent if they did not.
    pub parted: Option<f64>,
    /// In words, what was compared and how.
    pub words: String,
    /// How many features are physics, numerics, not decided.
    pub counts: [usize; 3],
    /// Feature by feature.
    pub findings: Vec<Finding>,
}

impl Check {
    /// With more findings.
    pub(crate) fn add(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            let which = match finding.verdict {
                Verdict::Physics => 0,
                Verdict::Numerics => 1,
                Verdict::NotDecided => 2,
            };
            self.counts[which] += 1;
            self.findings.push(finding);
        }
    }

    /// What of a list is not shown: `25 more (20 physics, 0 numerics, 5 not decided)`.
    pub fn left_over(findings: &[&Finding]) -> String {
        let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
        let [physics, numerics, open] = [Verdict::Physics, Verdict::Numerics, Verdict::NotDecided].map(count);
        format!("{} more ({physics} physics, {numerics} numerics, {open} not decided)", findings.len())
    }

    /// The same check of a run from event to event whose rows lie on `recorded`, with words about the steps of the others.
    pub(crate) fn of_events(mut self, recorded: Grid) -> Check {
        let parts = (recorded.h / self.steps[0]).round();
        let step = if parts > 1.0 { format!("1/{parts} of that") } else { "the same".into() };
        self.words = format!(
            "This run goes from event to event, and its step of {} only says when to record. It is compared with two runs by \
             steps of {}, {step}, and of half as much; numerics are what those steps do and not what this run does. {}",
            seconds(recorded.h),
            seconds(self.steps[0]),
            self.words
        );
        self
    }
}

/// The grid of the coarser run by steps where the run that is checked goes from event to event: that of its rows, cut into
/// so many parts that there are enough steps to follow the motion.
pub(crate) fn grid_beside_events(recorded: Grid) -> Grid {
    let parts = FEWEST.div_ceil(recorded.steps.max(1)).max(1);
    Grid { h: recorded.h / parts as f64, steps: recorded.steps * parts }
}

/// Compares three runs of one scenario.
pub fn compare(coarse: &Features, fine: &Features, exact: &Features) -> Check {
    let runs = [coarse, fine, exact];
    let parted = parting::parted(runs);
    let mut findings = Vec::new();
    if parted.is_none() {
        findings.extend(ends(runs));
    }
    findings.extend(events(runs, parted.unwrap_or(f64::INFINITY)));
    if let Some(from) = parted {
        findings.extend(statistics::compare(runs, from));
    }
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let counts = [Verdict::Physics, Verdict::Numerics, Verdict::NotDecided].map(count);
    let words = words(parted, exact);
    Check { steps: [coarse.step, fine.step], reference: exact.name, parted, words, counts, findings }
}

fn words(parted: Option<f64>, exact: &Features) -> String {
    let mut words = match parted {
        None => "A feature is physics if all runs have it, if the finer one is as near to the run taken for exact as halving the step says \
                 it should be, and nearer than the coarser one (or as near as steps and rounding can tell); it is not decided if \
                 only the first is so. Of an end value that is asked over the last quarter of the run, but where contacts change; of a force, since the last of these changes."
            .to_string(),
        Some(t) => format!(
            "Sensitive, so verdicts by statistics: from {} on the runs part, their distances no longer halve with the step. \
             Chaotic and unstable motion do so, but so does regular motion whose events these steps place too roughly; this \
             check does not tell which. Events before that are compared one by one; after it, means with three times their \
             standard errors. The end state of a run by steps means nothing.",
            if t > 0.0 { format!("about t = {} s", number_to(t, 4)) } else { "the start".into() }
        ),
    };
    if let Some(doubt) = &exact.doubt {
        words.push_str(&format!(" The run taken for exact is itself doubtful: {doubt}."));
    }
    words
}

/// Quantities at the end.
fn ends(runs: [&Features; 3]) -> Vec<Finding> {
    let [coarse, fine, exact] = runs;
    // Where a contact changes, forces may jump, each run's at its own date, which is a feature by itself.
    let jumps = |t: f64| runs.iter().any(|run| run.changes_near(t, DATING * coarse.step));
    let begin = (1.0 - ENDING) * exact.duration;
    let steady = exact.samples.t.iter().any(|t| *t >= begin && !jumps(*t));
    let look = |t: f64| t >= begin && !(steady && jumps(t));
    // Forces that several contacts share while they hold are not determined, and each scheme has its own: those count that act since the
    // contacts do what they do at the end.
    let last = runs.iter().filter_map(|run| run.events.last()).fold(0.0_f64, |last, event| last.max(event.t));
    let since = begin.max(last + DATING * coarse.step);
    let settled = exact.samples.t.iter().any(|t| *t > since);
    let look_at_force = |t: f64| if settled { t > since } else { look(t) };
    let finding = |(name, value): &(stickslip_core::Name, f64)| {
        let find = |run: &Features| run.end.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        let values = [find(coarse), find(fine), Some(*value)];
        let size = value.abs().max(find(coarse).map_or(0.0, f64::abs)).max(exact.samples.greatest_beside(name));
        let unit = exact.samples.columns.iter().find(|(own, _, _)| own == name).map_or("", |(_, unit, _)| unit);
        let when: &dyn Fn(f64) -> bool = if matches!(unit, "N" | "N m") { &look_at_force } else { &look };
        let distance = |a: &Features, b: &Features| Samples::greatest_distance(&a.samples, &b.samples, name, when);
        let spread =
            Spread { steps: distance(coarse, fine), coarse: distance(coarse, exact), fine: distance(fine, exact) };
        let mut finding = judged(format!("{name} at the end"), Kind::End, values, spread, ROUNDING * size);
        finding.unit = unit;
        // What may be anything is not found right.
        let vague = finding
            .allowed
            .is_some_and(|allowed| allowed > VAGUE * size || (allowed > value.abs() && allowed > ZERO * size));
        // What is the same number in all three, rest above all, is no accident.
        let same = values.iter().all(|found| *found == Some(*value));
        if finding.verdict == Verdict::Physics && vague && !same {
            finding.verdict = Verdict::NotDecided;
        }
        finding
    };
    // What never moves in any of the runs is no feature of the motion.
    let moves = |(name, value): &&(stickslip_core::Name, f64)| {
        runs.iter().any(|run| {
            let column = run.samples.columns.iter().find(|(own, _, _)| own == name);
            column.is_none_or(|(_, _, values)| values.is_empty() || values.iter().any(|own| own != value))
        })
    };
    exact.end.iter().filter(moves).map(finding).collect()
}

/// Greatest distances of a quantity in two runs towards the end.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    /// Between the two runs by steps.
    steps: f64,
    /// From the coarser one to the exact one.
    coarse: f64,
    /// From the finer one to the exact one.
    fine: f64,
}

/// Judges a feature by the error that the difference of the two runs by steps estimates, which is not smaller than
/// that of their `spread`, and by what is allowed besides.
fn judged(
    feature: String,
    kind: Kind,
    [coarse, fine, exact]: [Option<f64>; 3],
    spread: Spread,
    besides: f64,
) -> Finding {
    let finding = |allowed, verdict| Finding::new(feature, kind, [coarse, fine, exact], allowed, verdict);
    let (Some(h), Some(half)) = (coarse, fine) else { return finding(None, Verdict::Numerics) };
    let allowed = SAFETY * (h - half).abs().max(spread.steps) + besides;
    let Some(exact) = exact else { return finding(Some(allowed), Verdict::Numerics) };
    let near = (half - exact).abs() <= allowed;
    let left = (half - exact).abs().max(spread.fine);
    let shrinks = left <= besides || left <= SHRUNK * (h - exact).abs().max(spread.coarse);
    finding(
        Some(allowed),
        match (near, shrinks) {
            (false, _) => Verdict::Numerics,
            (true, true) => Verdict::Physics,
            (true, false) => Verdict::NotDecided,
        },
    )
}

/// Events before a time, and how long contacts stuck from those at which they came to rest.
fn events(runs: [&Features; 3], before: f64) -> Vec<Finding> {
    let mut findings = Vec::new();
    let dating = DATING * runs[0].step;
    for contact in 0..runs[2].contacts.len() {
        let name = &runs[2].contacts[contact];
        let changes = runs.map(|run| matching::changes(run, contact, SHORT * runs[0].step));
        let mut rows = matching::rows(&changes);
        rows.retain(|row| row.first(&changes) < before);
        for row in &rows {
            let times = row.times(&changes);
            let label = format!("{name} {} → {} (s)", row.kind.0, row.kind.1);
            let mut finding = judged(label, Kind::Event, times, Spread::default(), dating);
            finding.contact = Some(name.clone());
            findings.push(finding);
        }
        // A stretch of stick from the start on has no event to begin with.
        let mut stretches = vec![([0, 1, 2].map(|k: usize| matching::stuck_from_start(runs[k], contact)), 0.0)];
        for row in rows.iter().filter(|row| row.kind.1 == State::Stick.name()) {
            let length = |k: usize| row.events[k].map(|event| changes[k][event].lasts);
            stretches.push(([0, 1, 2].map(length), row.first(&changes)));
        }
        for (lengths, from) in stretches {
            // Where one began in one run only, the event that began it says so already; one that reaches beyond the time
            // until which events are compared has no end to compare.
            let [Some(coarse), Some(fine), Some(exact)] = lengths else { continue };
            if from + exact < before {
                let label = format!("{name} stuck from {} s, lasts (s)", number_to(from, 5));
                let lengths = [Some(coarse), Some(fine), Some(exact)];
                let mut finding = judged(label, Kind::Stretch, lengths, Spread::default(), 2.0 * dating);
                finding.contact = Some(name.clone());
                findings.push(finding);
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests;
