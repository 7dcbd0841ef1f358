//! Shares, rates and means of runs that have parted, with their uncertainties.

use stickslip_core::law::State;

use super::{Features, Finding, Kind, Verdict};

/// Parts of a run whose scatter gives the standard error of a mean.
const PARTS: usize = 16;

/// Standard errors that two means may be apart.
const STANDARD_ERRORS: f64 = 3.0;

/// Uncertainty of a mean, as a share of it, from which on it decides nothing.
const VAGUE: f64 = 0.5;

/// A mean and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mean {
    value: f64,
    error: f64,
}

impl Mean {
    /// Of numbers that are independent of each other; none of fewer than two.
    fn of(values: &[f64]) -> Option<Mean> {
        let n = values.len() as f64;
        if values.len() < 2 {
            return None;
        }
        let value = values.iter().sum::<f64>() / n;
        let scatter = values.iter().map(|v| (v - value) * (v - value)).sum::<f64>() / (n - 1.0);
        Some(Mean { value, error: (scatter / n).sqrt() })
    }

    /// The root of a mean of squares.
    fn root(self) -> Mean {
        let value = self.value.sqrt();
        Mean { value, error: if value > 0.0 { 0.5 * self.error / value } else { 0.0 } }
    }
}

/// Compares the means of three runs from a time on.
pub(super) fn compare(runs: [&Features; 3], from: f64) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (contact, name) in runs[2].contacts.iter().enumerate() {
        findings.extend(judged(format!("{name} stuck, share of the time"), runs.map(|run| stuck(run, contact, from))));
        findings.extend(judged(format!("{name} changes per second"), runs.map(|run| rate(run, contact, from))));
        let between = runs.map(|run| between_sticks(run, contact, from));
        findings.extend(judged(format!("{name} mean time between sticks (s)"), between));
    }
    for (k, (name, unit, _)) in runs[2].samples.columns.iter().enumerate() {
        if matches!(*unit, "m/s" | "rad/s") {
            findings.extend(judged(format!("{name} root mean square ({unit})"), runs.map(|run| rms(run, k, from))));
        }
    }
    findings
}

/// Judges a mean; none where a run has too little of it.
fn judged(feature: String, means: [Option<Mean>; 3]) -> Option<Finding> {
    let [Some(coarse), Some(fine), Some(exact)] = means else { return None };
    let allowed = STANDARD_ERRORS * fine.error.hypot(exact.error);
    let distance = (fine.value - exact.value).abs();
    let verdict = if distance == 0.0 {
        Verdict::Physics
    } else if allowed >= VAGUE * exact.value.abs().max(fine.value.abs()) {
        Verdict::NotDecided
    } else if distance <= allowed {
        Verdict::Physics
    } else {
        Verdict::Numerics
    };
    let values = [coarse, fine, exact].map(|mean| Some(mean.value));
    Some(Finding::new(feature, Kind::Statistic, values, Some(allowed), verdict))
}

/// The ends of the parts from a time on.
fn parts(run: &Features, from: f64) -> Vec<(f64, f64)> {
    let length = (run.duration - from) / PARTS as f64;
    (0..PARTS).map(|k| (from + k as f64 * length, from + (k + 1) as f64 * length)).collect()
}

/// Share of the time that a contact stuck.
fn stuck(run: &Features, contact: usize, from: f64) -> Option<Mean> {
    let mut stretches = Vec::new();
    let mut since = 0.0;
    for event in run.events.iter().filter(|event| event.contact == contact) {
        if event.from == State::Stick {
            stretches.push((since, event.t));
        }
        since = event.t;
    }
    if run.last.get(contact) == Some(&State::Stick) {
        stretches.push((since, run.duration));
    }
    let share = |(a, b): &(f64, f64)| {
        let inside = stretches.iter().map(|(from, to)| (to.min(*b) - from.max(*a)).max(0.0));
        inside.sum::<f64>() / (b - a)
    };
    Mean::of(&parts(run, from).iter().map(share).collect::<Vec<f64>>())
}

/// Changes of a contact's state per second.
fn rate(run: &Features, contact: usize, from: f64) -> Option<Mean> {
    let per_second = |(a, b): &(f64, f64)| {
        let own = run.events.iter().filter(|e| e.contact == contact && e.t > *a && e.t <= *b);
        own.count() as f64 / (b - a)
    };
    Mean::of(&parts(run, from).iter().map(per_second).collect::<Vec<f64>>())
}

/// Time from one instant at which the contact comes to rest to the next: the period of a motion that has one.
fn between_sticks(run: &Features, contact: usize, from: f64) -> Option<Mean> {
    let sticks = run.events.iter().filter(|e| e.contact == contact && e.t >= from && e.to == State::Stick);
    let times: Vec<f64> = sticks.map(|event| event.t).collect();
    Mean::of(&times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>())
}

/// Root mean square of a quantity.
fn rms(run: &Features, column: usize, from: f64) -> Option<Mean> {
    let (_, _, values) = run.samples.columns.get(column)?;
    let square = |(a, b): &(f64, f64)| {
        let inside = run.samples.t.iter().zip(values).filter(|(t, _)| **t > *a && **t <= *b);
        let (sum, count) = inside.fold((0.0, 0_u64), |(sum, count), (_, v)| (sum + v * v, count + 1));
        (count > 0).then(|| sum / count as f64)
    };
    let squares: Option<Vec<f64>> = parts(run, from).iter().map(square).collect();
    Mean::of(&squares?).map(Mean::root)
}
