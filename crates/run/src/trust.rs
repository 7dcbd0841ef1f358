//! When a result is not to be trusted: thresholds, and what is said beyond them.
//!
//! Every line of trust is a number; beyond its threshold it becomes a warning in words, in the terminal, the report and
//! `summary.json`. Where the result means nothing the command ends with status 1, after everything is written.

use serde::Serialize;

use crate::Scenario;
use stickslip_core::signal::Signal;
use stickslip_scenario::tables::nearest;
use stickslip_scenario::{NamedSignal, Run, Scheme};

use crate::balance::{Balance, smaller_step};
use crate::order::{Order, OrderVerdict};
use crate::summary::Extreme;
use crate::text::{number_to, percent, seconds};
use crate::{Measures, Summary};

/// Worst residual of the inclusions, relative to the greatest speed, above which a run is warned of. Solvers reach 1e-12.
pub const RESIDUAL_WARNED: f64 = 1e-6;

/// The same, from which on the contact forces of a run have nothing to do with the law of friction.
pub const RESIDUAL_VOID: f64 = 1.0;

/// Share of the greatest amount of energy that may be unaccounted for in a run by steps; first order in the step.
pub const CLOSURE_WARNED: f64 = 0.1;

/// The same for a run from event to event, whose ledger closes to the tolerance of the integration.
pub const CLOSURE_WARNED_EVENTS: f64 = 1e-6;

/// The same where clusters of events were passed by short implicit steps, which lose energy in first order.
pub const CLOSURE_WARNED_HANDOVER: f64 = 1e-5;

/// The same, from which on a result means nothing: half of the energy came from nowhere or is gone.
pub const CLOSURE_VOID: f64 = 0.5;

/// Error of a speed at the step of the run, as a share of the greatest speed, above which the step is too large.
pub const ERROR_WARNED: f64 = 0.1;

/// What half the step, or a far finer one, may change of the speeds, by root mean squares over time, where no error at the
/// step is measured. Half the step shows half of the error at first order.
pub const REFINEMENT_WARNED: f64 = 0.1;

/// Share of a signal's greatest value by which it may go up or down and back within a step. A sine does so by this with five
/// steps in a period.
pub const UNSEEN_WARNED: f64 = 0.2;

/// Greatest yaw of a body \[rad\] without a warning, where 1 − cos of it is 2 %: assemblies are linear in it.
pub const YAW_WARNED: f64 = 0.2;

/// By how much a contact may seem to transmit more than all of its friction. Dry friction never does; a tread that bends
/// within a step follows its law of the step's beginning, and overshoots the peak by an error of first order.
pub const OVERUSE_WARNED: f64 = 0.01;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// To be read with care.
    Warning,
    /// The result means nothing; the command ends with status 1.
    Error,
}

/// Something that makes a result doubtful, or void.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What it is about: `residual`, `energy`, `step`, `order`, `model` or `expected`.
    pub about: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what to do, in a sentence.
    pub text: String,
}

/// All that makes a finished run doubtful.
pub fn warnings(scenario: &Scenario, summary: &Summary, doubts: Vec<String>) -> Vec<Warning> {
    let order = summary.convergence.as_ref();
    let step = refined(summary).or_else(|| order.and_then(|order| step(order, summary.step, summary.by_events)));
    let order = order.and_then(no_order);
    let balance = Balance::of_summary(summary);
    let judged = |about, said: Option<(bool, String)>| said.map(|(void, text)| graded(about, void, text));
    let (residual, energy) = (judged("residual", balance.of_residual()), judged("energy", balance.of_energy()));
    [residual, energy, step, unseen(scenario, summary), order, yaw(summary), overused(summary)]
        .into_iter()
        .flatten()
        .chain(doubts.into_iter().map(|text| graded("model", false, text)))
        .chain(unfulfilled(&summary.measures))
        .collect()
}

/// What the scenario expects of measures that the run does not have: of a wheel that is not there, or of a stop that never was.
fn unfulfilled(measures: &Measures) -> impl Iterator<Item = Warning> {
    measures.missing.iter().map(|(name, _)| {
        let near = nearest(name, measures.all.iter().map(|measure| measure.name.as_str()));
        let near = near.map_or_else(String::new, |near| format!(" (it has `{near}`)"));
        graded("expected", false, format!("[expected] names `{name}`, and this run has no such measure{near}"))
    })
}

fn graded(about: &'static str, void: bool, text: String) -> Warning {
    Warning { about, severity: if void { Severity::Error } else { Severity::Warning }, text }
}

/// A step far too coarse for the motion, which a finer one shows.
fn refined(summary: &Summary) -> Option<Warning> {
    let refinement = summary.refinement.as_ref()?;
    let sound = refinement.share <= REFINEMENT_WARNED;
    (!sound).then(|| {
        let unsure = if summary.no_order.is_some() { ", unless the motion is unstable" } else { "" };
        let text = format!(
            "the step of {} is too large{unsure}: {}, and {} is allowed; try {}",
            seconds(summary.step),
            refinement.words(),
            percent(REFINEMENT_WARNED),
            smaller_step(summary.by_events)
        );
        graded("step", false, text)
    })
}

fn step(order: &Order, step: f64, by_events: bool) -> Option<Warning> {
    let error = order.error_at_step?;
    let sound = error <= ERROR_WARNED * order.greatest_speed;
    (!sound).then(|| {
        let how = order.extrapolated().map_or_else(String::new, |words| format!(", {words}"));
        let text = format!(
            "the step of {} is too large: a speed may be wrong by about {} m/s{how}, and the greatest speed is {} m/s; try {}",
            seconds(step),
            number_to(error, 2),
            number_to(order.greatest_speed, 3),
            smaller_step(by_events)
        );
        graded("step", false, text)
    })
}

/// A signal with pulses that fall between the steps.
fn unseen(scenario: &Scenario, summary: &Summary) -> Option<Warning> {
    let run = Run { step: summary.step, duration: summary.duration, ..scenario.run };
    unseen_by_steps(&scenario.signals, &run, || summary.by_events).map(|text| graded("step", false, text))
}

/// What the steps of a run do not see of its signals, in a sentence. `by_events` says whether the model can go from event to event, too.
pub fn unseen_by_steps(signals: &[NamedSignal], run: &Run, by_events: impl FnOnce() -> bool) -> Option<String> {
    if run.scheme == Scheme::Events {
        return None;
    }
    let missed = |named: &NamedSignal| {
        let mut signal = named.signal.clone();
        if let Signal::Expression(formula) = &mut signal {
            // By steps nobody has looked yet where its pulses are.
            formula.explore(run.duration);
        }
        // Steps take signals at their ends, θ-steps forces within them.
        let looks = [1.0, run.scheme.theta()];
        let looks = if looks[1] < 1.0 { &looks[..] } else { &looks[..1] };
        let unseen = looks.iter().filter_map(|share| signal.unseen(run.step, run.duration, *share));
        let worst = unseen.max_by(|a, b| a.share.total_cmp(&b.share))?;
        Some((named.what.clone(), worst))
    };
    let all = signals.iter().filter_map(missed).filter(|(_, unseen)| unseen.share > UNSEEN_WARNED);
    let (what, worst) = all.max_by(|a, b| a.1.share.total_cmp(&b.1.share))?;
    let (share, step, t) = (percent(worst.share), seconds(run.step), number_to(worst.t, 6));
    let try_this = smaller_step(by_events());
    let text = if worst.held {
        format!(
            "{what} goes up or down and back within less than the step of {step} around t = {t} s, and counts as if it stayed for all of \
             a step, {share} of its greatest value too much; try {try_this}"
        )
    } else {
        format!(
            "{what} goes {share} of its greatest value up or down and back within the step of {step} that ends at t = {t} s, which \
             is not seen by the steps; try {try_this}"
        )
    };
    Some(text)
}

/// Angles beyond what a model that is linear in them can tell.
fn yaw(summary: &Summary) -> Option<Warning> {
    let size = |extreme: &Extreme| extreme.min.abs().max(extreme.max.abs());
    let turned = summary.extremes.iter().filter(|(name, _)| name.starts_with("yaw_"));
    let (name, angle) = turned.map(|(name, e)| (name, size(e))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    (angle > YAW_WARNED).then(|| {
        let text = format!(
            "{name} reaches {} rad, but the equations are those of small angles: arms and directions are off by {} there",
            number_to(angle, 2),
            percent(1.0 - angle.min(std::f64::consts::PI).cos())
        );
        graded("model", false, text)
    })
}

/// Forces beyond what the ground can transmit: steps that are too large make them, and from event to event nothing may.
fn overused(summary: &Summary) -> Option<Warning> {
    let most = summary.friction_used.iter().max_by(|a, b| a.1.max.total_cmp(&b.1.max));
    let (wheel, used) = most.filter(|(_, used)| used.max > 1.0 + OVERUSE_WARNED)?;
    let cause = if summary.handovers.is_none() {
        let step = seconds(summary.step);
        format!("the step of {step} is too large for what happens there; try {}", smaller_step(summary.by_events))
    } else {
        "the motion from there on is not that of the law; compare it with run.scheme = \"implicit-euler\"".to_owned()
    };
    let (most, t) = (percent(used.max), number_to(used.t_max, 6));
    let text = format!("{wheel} uses {most} of its friction at t = {t} s, more than there is: {cause}");
    Some(graded("step", false, text))
}

fn no_order(order: &Order) -> Option<Warning> {
    (order.verdict == OrderVerdict::None).then(|| {
        let (least, most) = order.range();
        let text = format!(
            "errors do not fall with the step (unstable or chaotic motion, or events that such steps misplace): at the steps \
             measured, speeds are wrong by {} to {} m/s, and a smaller step may not help; look at shares, rates and other means instead of single instants",
            number_to(least, 2),
            number_to(most, 2)
        );
        graded("order", false, text)
    })
}

/// How the motion between events was found, and how exactly: what was achieved, not what was aimed at.
pub fn between_events(summary: &Summary) -> Option<String> {
    let achieved = summary.achieved?;
    let way = summary.between_events?;
    Some(match (way, achieved <= ROUNDING) {
        ("closed form", true) => "closed form, exact but for rounding".into(),
        ("closed form", false) => format!("closed form between events, exact to about {}", number_to(achieved, 1)),
        (_, true) => "integrated between events to 1e-12".into(),
        (_, false) => format!("integrated between events, exact to about {}", number_to(achieved, 1)),
    })
}

/// Residual and closure up to which a run from event to event is exact but for rounding: many steps of 1e-12 each.
const ROUNDING: f64 = 1e-11;

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_core::analysis::Convergence;

    fn study(error_at_8ms: f64, speed: f64) -> Order {
        let errors = [8e-3_f64, 4e-3, 2e-3].iter().map(|h| (*h, error_at_8ms * h / 8e-3)).collect();
        let study =
            Convergence { errors, reference_steps: 9, pairwise: vec![1.0; 2], order: 1.0, order_error: 0.0, speed };
        Order::new(&study, Scheme::ImplicitEuler, 8e-3, true)
    }

    #[test]
    fn a_step_that_spoils_the_speeds_is_warned_of() {
        assert!(step(&study(0.9, 10.0), 8e-3, true).is_none());
        let warning = step(&study(148.0, 28.0), 8e-3, true).expect("a warning");
        assert!(warning.text.contains("148 m/s") && warning.text.contains("28 m/s"), "{}", warning.text);
        assert_eq!(warning.severity, Severity::Warning);
    }
}
