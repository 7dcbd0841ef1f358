//! Physics or numerics? One scenario with step h, with h/2, and in closed form.
//!
//! A feature of a result is *physics* if all three have it and halving the step brings it closer to the closed
//! form (or it is there already); else it is *numerics*: the step has made it, missed it or misplaced it.

use serde::Serialize;
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::scheme::Event;

/// What a run is compared by.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// Size of its steps \[s\]; 0 for the closed form.
    pub step: f64,
    /// When it ended \[s\].
    pub duration: f64,
    /// Names of the contacts.
    pub contacts: Vec<Name>,
    /// End state, by name.
    pub end: Vec<(Name, f64)>,
    /// All changes of state.
    pub events: Vec<Event>,
    /// States at the end.
    pub last: Vec<State>,
}

/// What a feature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The motion has it.
    Physics,
    /// The step has made, missed or misplaced it.
    Numerics,
}

/// One feature in the three runs; a missing one is absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What it is.
    pub feature: String,
    /// With step h.
    pub coarse: Option<f64>,
    /// With step h/2.
    pub fine: Option<f64>,
    /// In closed form.
    pub exact: Option<f64>,
    /// Physics or numerics.
    pub verdict: Verdict,
}

/// Compares three runs of one scenario, feature by feature.
pub fn compare(coarse: &Features, fine: &Features, exact: &Features) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, value) in &exact.end {
        let find = |run: &Features| run.end.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        let size = value.abs().max(find(coarse).map_or(0.0, f64::abs));
        let values = [find(coarse), find(fine), Some(*value)];
        findings.push(finding(format!("{name} at the end"), values, 1e-9 * size));
    }
    // An event is dated to the end of its step, and drives are taken at its beginning: two steps are no error. A stuck
    // interval has two such dates.
    for contact in 0..exact.contacts.len() {
        let name = &exact.contacts[contact];
        let changes = [coarse, fine, exact].map(|run| changes(run, contact));
        for (label, times) in align(&changes) {
            findings.push(finding(format!("{name} {label} (s)"), times, 2.0 * fine.step));
        }
        let stuck = [coarse, fine, exact].map(|run| stuck_intervals(run, contact));
        for k in 0..stuck.iter().map(Vec::len).max().unwrap_or(0) {
            let lengths = [0, 1, 2].map(|run: usize| stuck[run].get(k).copied());
            findings.push(finding(format!("{name} stuck, interval {} lasts (s)", k + 1), lengths, 4.0 * fine.step));
        }
    }
    findings
}

/// Judges a feature; errors up to `noise` are none.
fn finding(feature: String, [coarse, fine, exact]: [Option<f64>; 3], noise: f64) -> Finding {
    let verdict = match (coarse, fine, exact) {
        (Some(coarse), Some(fine), Some(exact)) => {
            let (first, second) = ((coarse - exact).abs(), (fine - exact).abs());
            if second <= (0.75 * first).max(noise) { Verdict::Physics } else { Verdict::Numerics }
        }
        _ => Verdict::Numerics,
    };
    Finding { feature, coarse, fine, exact, verdict }
}

/// The changes of one contact: what changed, and when.
fn changes(run: &Features, contact: usize) -> Vec<(String, f64)> {
    let own = run.events.iter().filter(|event| event.contact == contact);
    own.map(|event| (format!("{} → {}", event.from.name(), event.to.name()), event.t)).collect()
}

/// How long a contact stuck each time.
fn stuck_intervals(run: &Features, contact: usize) -> Vec<f64> {
    let mut lengths = Vec::new();
    let mut since = 0.0;
    for event in run.events.iter().filter(|event| event.contact == contact) {
        if event.from == State::Stick {
            lengths.push(event.t - since);
        }
        since = event.t;
    }
    if run.last.get(contact) == Some(&State::Stick) {
        lengths.push(run.duration - since);
    }
    lengths
}

/// The same changes of three runs beside each other: those of the closed form in order, each with the first change
/// of that kind in the other runs that is not taken yet; then what is left over.
fn align(runs: &[Vec<(String, f64)>; 3]) -> Vec<(String, [Option<f64>; 3])> {
    let mut next = [0_usize; 2];
    let mut rows = Vec::new();
    let mut left: [Vec<(String, f64)>; 2] = [Vec::new(), Vec::new()];
    for (label, t) in &runs[2] {
        let mut times = [None, None, Some(*t)];
        for run in 0..2 {
            let rest = &runs[run][next[run]..];
            if let Some(k) = rest.iter().position(|(other, _)| other == label) {
                left[run].extend_from_slice(&rest[..k]);
                times[run] = Some(rest[k].1);
                next[run] += k + 1;
            }
        }
        rows.push((label.clone(), times));
    }
    for run in 0..2 {
        left[run].extend_from_slice(&runs[run][next[run]..]);
        for (label, t) in &left[run] {
            let mut times = [None; 3];
            times[run] = Some(*t);
            rows.push((label.clone(), times));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLIP: State = State::Slip([1.0, 0.0]);

    fn run(step: f64, end: f64, events: &[(f64, State, State)], last: State) -> Features {
        Features {
            step,
            duration: 10.0,
            contacts: vec!["pad".into()],
            end: vec![("x".into(), end)],
            events: events.iter().map(|&(t, from, to)| Event { t, contact: 0, from, to }).collect(),
            last: vec![last],
        }
    }

    #[test]
    fn what_converges_is_physics() {
        let events = |late: f64| [(1.0 + late, State::Stick, SLIP), (4.0 + 2.0 * late, SLIP, State::Stick)];
        let runs = [run(0.1, 5.2, &events(0.1), State::Stick), run(0.05, 5.1, &events(0.04), State::Stick)];
        let findings = compare(&runs[0], &runs[1], &run(0.0, 5.0, &events(0.0), State::Stick));
        assert_eq!(findings.len(), 5, "{findings:#?}");
        assert!(findings.iter().all(|f| f.verdict == Verdict::Physics), "{findings:#?}");
    }

    #[test]
    fn what_the_step_makes_is_numerics() {
        let real = [(1.0, State::Stick, SLIP)];
        let chatter = [(1.0, State::Stick, SLIP), (2.0, SLIP, State::Stick), (2.1, State::Stick, SLIP)];
        let findings =
            compare(&run(0.1, 5.0, &chatter, SLIP), &run(0.05, 5.0, &real, SLIP), &run(0.0, 5.0, &real, SLIP));
        let numerics: Vec<&str> =
            findings.iter().filter(|f| f.verdict == Verdict::Numerics).map(|f| f.feature.as_str()).collect();
        assert_eq!(
            numerics,
            ["pad slip+ → stick (s)", "pad stick → slip+ (s)", "pad stuck, interval 2 lasts (s)"],
            "{findings:#?}"
        );
        // An end that does not come closer.
        let ends = compare(&run(0.1, 6.0, &[], SLIP), &run(0.05, 6.5, &[], SLIP), &run(0.0, 5.0, &[], SLIP));
        assert_eq!(ends[0].verdict, Verdict::Numerics);
    }
}
