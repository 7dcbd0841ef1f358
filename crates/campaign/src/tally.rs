//! What a campaign has seen, and the table that tells it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::method::Method;

/// Slowest cases that are kept for the table.
const SLOWEST: usize = 10;

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

/// A case by the time it took.
#[derive(Debug, Clone, PartialEq)]
pub struct SlowCase {
    /// Number of the case.
    pub case: u64,
    /// Processor time of all methods.
    pub took: Duration,
    /// The run by events alone, or the method that took longest.
    pub most: &'static str,
    /// Time of that.
    pub most_took: Duration,
}

/// What a campaign has seen.
#[derive(Debug, Default)]
pub struct Tally {
    /// Cases by model.
    pub cases: BTreeMap<&'static str, u64>,
    /// Cases that events do not know, run by steps alone.
    pub refused: u64,
    /// Cases that are no scenarios, with the last reason.
    pub invalid: (u64, String),
    /// Runs by events with handovers, and how many of these.
    pub handovers: (u64, u64),
    /// By method.
    pub methods: BTreeMap<Method, Count>,
    /// Cases whose time was over: number, method, what seemed to disagree by then.
    pub out_of_time: Vec<(u64, &'static str, String)>,
    /// The slowest cases, the slowest first.
    pub slowest: Vec<SlowCase>,
    /// All findings.
    pub findings: Vec<Finding>,
    /// Sensitive cases: number, method, words.
    pub sensitive: Vec<(u64, Method, String)>,
    /// Time by the wall.
    pub took: Duration,
}

/// What one method has seen.
#[derive(Debug, Clone, Default)]
pub struct Count {
    /// Cases compared, by model.
    pub compared: BTreeMap<&'static str, u64>,
    /// Of these run by steps alone.
    pub by_steps: u64,
    /// In which all agree.
    pub agreed: u64,
    /// Sensitive ones.
    pub sensitive: u64,
    /// Cases whose time was over before they were decided.
    pub out_of_time: u64,
    /// Processor time.
    pub took: Duration,
}

impl Tally {
    /// Keeps a case if it is among the slowest.
    pub fn keep_if_slow(&mut self, case: SlowCase) {
        self.slowest.push(case);
        self.slowest.sort_by_key(|slow| std::cmp::Reverse(slow.took));
        self.slowest.truncate(SLOWEST);
    }

    /// The table that a campaign ends with.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let cases: u64 = self.cases.values().sum();
        let by_model: Vec<String> = self.cases.iter().map(|(model, n)| format!("{n} {model}")).collect();
        let _ = writeln!(out, "{cases} cases in {:.1} s: {}", self.took.as_secs_f64(), by_model.join(", "));
        let _ = writeln!(out, "run by steps alone, as events do not know them: {}", self.refused);
        let _ = writeln!(out, "not scenarios: {} {}", self.invalid.0, self.invalid.1);
        let _ = writeln!(out, "runs with handovers: {} ({} in all)\n", self.handovers.0, self.handovers.1);
        let _ = writeln!(
            out,
            "| method | compared | of which | by steps alone | agree | sensitive | found | out of time | time [s] |\n\
             |---|---|---|---|---|---|---|---|---|"
        );
        for (method, count) in &self.methods {
            let compared: u64 = count.compared.values().sum();
            let models: Vec<String> = count.compared.iter().map(|(model, n)| format!("{n} {model}")).collect();
            let Count { by_steps, agreed, sensitive, out_of_time, took, .. } = count;
            let (found, took) = (compared - agreed - sensitive, took.as_secs_f64());
            let (name, models) = (method.name(), models.join(", "));
            let _ = writeln!(
                out,
                "| {name} | {compared} | {models} | {by_steps} | {agreed} | {sensitive} | {found} | {out_of_time} | \
                 {took:.1} |"
            );
        }
        let _ = writeln!(out, "\n| slowest cases | time [s] | most of it | time [s] |\n|---|---|---|---|");
        for slow in &self.slowest {
            let (took, most) = (slow.took.as_secs_f64(), slow.most_took.as_secs_f64());
            let _ = writeln!(out, "| {} | {took:.1} | {} | {most:.1} |", slow.case, slow.most);
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
