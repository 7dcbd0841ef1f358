//! What a run looks like: figures and report.

mod curves;
mod data;
mod exponent;
pub mod moving;
mod order;
mod recurrence;
pub mod rounding;

pub use curves::{Curve, Group, Thinned, found, untitled};
pub use data::DataTable;
pub use exponent::ExponentNote;
pub(crate) use exponent::data as exponents_data;
use order::order_verdict;
pub use order::{order_figure, order_section};
pub use recurrence::{PoincareSection, recurrence};
pub use rounding::ended;

use std::collections::BTreeMap;

use stickslip_core::law::State;
use stickslip_core::scheme::Event;
use stickslip_report::figure::Figure;
use stickslip_report::html::{Content, Fact, Grade, MOST_KEY, Report, Section, TextTable, Verdict};
use stickslip_report::motion::Motion;

use crate::balance::{Balance, by_steps, smaller_step};
use crate::check::{Check, Finding, Listed};
use crate::text::{number, number_to, percent, seconds};
use crate::trust::{self, Severity, Warning};
use crate::{Measure, Measures, Scenario, Summary, Trace, VERSION};

/// What a model shows of a run.
#[derive(Debug, Default)]
pub struct View {
    /// Figures by file name, without ending.
    pub figures: Vec<(&'static str, Figure)>,
    /// What it looked like, in motion.
    pub picture: Vec<Content>,
    /// The report's sections about the model.
    pub sections: Vec<Section>,
    /// Sections for those who look closer; folded.
    pub folded: Vec<Section>,
    /// What the model takes for granted, in sentences.
    pub assumptions: Vec<String>,
    /// Lyapunov exponents, where they were asked for.
    pub exponents: Vec<ExponentNote>,
    /// Tables that become files of their own.
    pub tables: Vec<DataTable>,
    /// Files of other kinds, by name: sounds.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// What else goes into the summary, by name.
    pub more: BTreeMap<&'static str, serde_json::Value>,
    /// The same in words, for the terminal.
    pub lines: Vec<String>,
}

impl View {
    /// Figures and sections.
    pub fn new(figures: Vec<(&'static str, Figure)>, sections: Vec<Section>) -> View {
        View { figures, sections, ..View::default() }
    }

    /// The view with a moving picture.
    #[must_use]
    pub fn moving(mut self, motion: Motion) -> View {
        self.picture.push(Content::Motion(motion));
        self
    }

    /// The moving pictures.
    pub(crate) fn motions(&self) -> impl Iterator<Item = &Motion> {
        self.picture.iter().filter_map(|content| match content {
            Content::Motion(motion) => Some(motion),
            _ => None,
        })
    }
}

/// The report of any run: key numbers, the picture, the model's sections, how far to trust it; the rest is folded.
pub(crate) fn report(scenario: &Scenario, summary: &Summary, trace: &Trace, view: View, files: Vec<String>) -> Report {
    let View { picture, mut sections, mut folded, assumptions, .. } = view;
    sections.splice(0..0, measures_section(&summary.measures));
    folded.extend(summary.check.as_ref().map(check_section));
    folded.extend(recurrence::stuck_section(summary, trace));
    folded.push(events_section(summary, trace));
    Report {
        key: key(summary, trace),
        picture,
        assumptions,
        folded,
        files,
        title: scenario.title.clone().unwrap_or_else(|| scenario.name.clone()),
        subtitle: first_paragraph(scenario.description.as_deref().unwrap_or_default()),
        facts: facts(summary, trace),
        verdicts: verdicts(summary, trace),
        sections,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
    }
}

/// The numbers that a page begins with: what the model measures, then what any run has.
fn key(summary: &Summary, trace: &Trace) -> Vec<Fact> {
    let fact = |measure: &Measure| {
        let unit = if measure.unit == "1" { String::new() } else { format!(" {}", measure.unit) };
        let value = number_to(measure.value, 5) + &unit;
        Fact::new(measure.name.replace('_', " "), value).noted(measure.expected_in_words().unwrap_or_default())
    };
    let mut key: Vec<Fact> = summary.key_measures().into_iter().map(fact).collect();
    let mut more = common(summary, trace);
    if let Some(check) = &summary.check {
        let [physics, numerics, open] = check.counts;
        let fact = Fact::new("numerics", format!("{numerics} of {}", physics + numerics + open));
        more.insert(0, fact.noted("features: see “Physics or numerics?”"));
    }
    more.retain(|fact| key.iter().all(|own| own.name != fact.name));
    key.extend(more);
    key.truncate(MOST_KEY);
    key
}

/// Numbers of any run.
fn common(summary: &Summary, trace: &Trace) -> Vec<Fact> {
    let mut key = Vec::new();
    let end = |name: &str| summary.end.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    if let Some(x) = end("x") {
        let start = trace.column("x").first().copied().unwrap_or(0.0);
        key.push(Fact::new("distance", format!("{} m", number_to(x - start, 4))).noted("in all"));
    }
    if let Some(speed) = end("x1") {
        key.push(Fact::new("speed at the end", format!("{} m/s", number_to(speed, 4))));
    }
    let stuck = summary
        .stuck_fraction
        .iter()
        .next()
        .map(|(contact, share)| Fact::new(format!("{contact} sticks"), percent(*share)).noted("of the time"));
    key.extend(stuck);
    let heat: f64 = summary.energy.dissipated.iter().map(|(_, energy)| *energy).sum();
    key.push(Fact::new("turned into heat", format!("{} J", number_to(heat, 4))));
    key.push(Fact::new("changes of state", trace.event_count.to_string()).noted("stick, slip, or the other way"));
    key
}

/// What a run comes to, as a table.
pub fn measures_section(measures: &Measures) -> Option<Section> {
    let row = |measure: &Measure| vec![measure.name.clone(), measure.value_in_words(), measure.words.clone()];
    let header = ["measure", "value", "what it is"].map(String::from).to_vec();
    let rows: Vec<Vec<String>> = measures.listed().map(row).collect();
    let mut text: Vec<String> = measures.missing_in_words().map(|words| format!("{words}.")).collect();
    if measures.unlisted() > 0 {
        text.push(format!("{} more, of single wheels, bodies or contacts, are in summary.json.", measures.unlisted()));
    }
    (!rows.is_empty() || !text.is_empty()).then(|| Section {
        heading: "What it comes to".into(),
        text: text.join(" "),
        content: vec![stickslip_report::html::Content::Table(TextTable { header, rows })],
    })
}

fn first_paragraph(text: &str) -> String {
    text.trim().split("\n\n").next().unwrap_or_default().replace('\n', " ")
}

/// Facts of one kind that the report begins with; all are in the summary.
const MOST_FACTS: usize = 26;

fn facts(summary: &Summary, trace: &Trace) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("scenario", &summary.scenario).noted(format!("model {}", summary.model)),
        Fact::new("scheme", summary.scheme).noted(match summary.handovers {
            None => format!("{} steps of {}", summary.steps, seconds(summary.step)),
            Some(_) => format!("{}, seen every {}", summary.between_events.unwrap_or_default(), seconds(summary.step)),
        }),
    ];
    let more = |what: &str, count: usize| {
        let left = count.saturating_sub(MOST_FACTS);
        (left > 0).then(|| Fact::new(format!("… {what}"), format!("{left} more")).noted("all are in summary.json"))
    };
    for (name, value) in summary.end.iter().take(MOST_FACTS) {
        let (value, remark) = rounding::listed(trace, name, *value);
        facts.push(Fact::new(format!("{name} at the end"), number(value) + &trace.unit(name)).noted(remark));
    }
    facts.extend(more("at the end", summary.end.iter().count()));
    for (contact, share) in summary.stuck_fraction.iter().take(MOST_FACTS) {
        facts.push(Fact::new(format!("{contact} stuck"), percent(*share)).noted(match summary.stuck_means {
            Some(words) if *contact == "ground" => words,
            _ => "share of the time",
        }));
    }
    facts.extend(more("stuck", summary.stuck_fraction.iter().count()));
    for (contact, energy) in summary.energy.dissipated.iter().take(MOST_FACTS) {
        facts.push(Fact::new(format!("heat, {contact}"), format!("{} J", number(*energy))));
    }
    facts.extend(more("heat", summary.energy.dissipated.iter().count()));
    facts.extend(trace.works().map(|(column, work)| {
        let meaning = column.meaning.replace(" so far", "");
        let (what, remark) = meaning.split_once(", ").unwrap_or((&meaning, ""));
        Fact::new(what, format!("{} J", number(work + 0.0))).noted(remark)
    }));
    facts
}

/// What to do where something is not good.
fn advice(good: bool, summary: &Summary) -> String {
    match (good, summary.handovers) {
        (true, _) => String::new(),
        (false, None) => format!(" What to do: {}.", smaller_step(summary.by_events)),
        (false, Some(_)) => {
            format!(" What to do: run.scheme = \"{}\" with a small run.step, and compare.", by_steps(summary.model))
        }
    }
}

/// Up to which shares residual and energy are sound without reserve: of rounding, of an integration between events, of steps.
const ROUNDING: f64 = 1e-12;
const INTEGRATED: f64 = 1e-9;
const BY_STEPS: f64 = 1e-2;

fn verdicts(summary: &Summary, trace: &Trace) -> Vec<Verdict> {
    let grade = |good: bool, fair: bool| match (good, fair) {
        (true, _) => Grade::Sound,
        (false, true) => Grade::Caution,
        (false, false) => Grade::Fault,
    };
    let mut verdicts: Vec<Verdict> = summary.warnings.iter().map(warned).collect();
    verdicts.extend(summary.check.as_ref().map(|check| Verdict {
        grade: grade(check.counts[1] == 0, true),
        text: format!("Held against half the step, and {}: {}.", check.other_run(), check.in_short()),
    }));
    let residual = summary.worst_residual;
    let closure = summary.energy.closure;
    let exact = summary.handovers == Some(0);
    let closed = exact && summary.between_events == Some("closed form");
    let energy_allowed = match (exact, closed) {
        (_, true) => ROUNDING,
        (true, false) => INTEGRATED,
        (false, _) => BY_STEPS,
    };
    let limit = Balance::of_summary(summary).closure_limit();
    verdicts.extend([
        Verdict {
            grade: grade(residual <= ROUNDING, residual <= trust::RESIDUAL_WARNED),
            text: format!(
                "Worst residual of all inclusions: {} of the greatest speed.{}",
                number_to(residual, 2),
                advice(residual <= trust::RESIDUAL_WARNED, summary)
            ),
        },
        Verdict {
            grade: grade(closure <= energy_allowed, closure <= limit),
            text: format!(
                "Energy closes to {} of its greatest amount; the scheme {} {} J ({}).{}",
                number_to(closure, 2),
                if summary.energy.lost < 0.0 { "gained" } else { "lost" },
                number_to(summary.energy.lost.abs(), 3),
                match (exact, closed) {
                    _ if closure > limit => "more than the scheme accounts for",
                    (_, true) => "rounding",
                    (true, false) => "the tolerance of the integration",
                    (false, _) if summary.scheme == stickslip_scenario::Scheme::SecondOrder.name() =>
                        "second order in the step",
                    (false, _) => "first order in the step",
                },
                advice(closure <= limit, summary)
            ),
        },
        Verdict {
            // Forces that hold something at rest in more than one way are no fault of a run whose motion is the only one.
            grade: grade(summary.uniqueness.velocities == "unique", true),
            text: format!(
                "Velocities {}, contact forces {}: {}.",
                summary.uniqueness.velocities, summary.uniqueness.forces, summary.uniqueness.reason
            ),
        },
    ]);
    let by_steps = summary.handovers.is_none();
    let unmeasured = (by_steps && summary.convergence.is_none() && !summary.studied).then(|| {
        let why = summary.no_order.as_deref().unwrap_or("the scheme has no step");
        format!("The order of convergence was not measured: {why}.")
    });
    verdicts.extend(match (&summary.convergence, summary.handovers) {
        (_, Some(0)) => Some(Verdict {
            grade: grade(summary.achieved <= Some(INTEGRATED), summary.achieved <= Some(trust::CLOSURE_WARNED_EVENTS)),
            text: format!("From event to event: {}.", trust::between_events(summary).unwrap_or_default()),
        }),
        (_, Some(handovers)) => Some(Verdict {
            grade: Grade::Caution,
            text: match handovers {
                1 => "From event to event, but 1 cluster of events was not resolved one by one.".into(),
                _ => format!("From event to event, but {handovers} clusters of events were not resolved one by one."),
            },
        }),
        (Some(order), None) => Some(order_verdict(order, summary.by_events)),
        // Where half the step says how much the step matters, that is the measure, and the one that is graded.
        (None, None) if !summary.studied => unmeasured
            .clone()
            .filter(|_| summary.refinement.is_none())
            .map(|text| Verdict { grade: Grade::Caution, text }),
        (None, None) => Some(Verdict {
            grade: Grade::Sound,
            text: "No error at any step size: the steps are exact here, or nothing moves.".into(),
        }),
    });
    verdicts.extend(summary.refinement.as_ref().map(|refinement| Verdict {
        grade: grade(
            refinement.share <= 0.1 * trust::REFINEMENT_WARNED
                || summary.check.as_ref().is_some_and(|check| check.counts[1] == 0),
            true,
        ),
        text: format!(
            "{}.{}{}",
            refinement.words().replacen("half", "Half", 1).replacen("steps", "Steps", 1),
            match (refinement.share <= 0.1 * trust::REFINEMENT_WARNED, &summary.check) {
                (true, _) | (_, Some(_)) => "",
                _ => " What to do: --half-step tells whether that matters to what is measured (periodic motion shifts in time), or a smaller run.step.",
            },
            unmeasured.map_or_else(String::new, |text| format!(" {text}"))
        ),
    }));
    if trace.event_count as usize > trace.events.len() {
        verdicts.push(Verdict {
            grade: grade(summary.check.as_ref().is_some_and(|check| check.counts[1] == 0), true),
            text: format!(
                "{} changes of state, of which the table below shows the first {}.{}",
                trace.event_count,
                MOST_EVENTS,
                if summary.check.is_some() {
                    ""
                } else {
                    " Whether so many are physics or chatter of the scheme, --half-step tells."
                }
            ),
        });
    }
    verdicts
}

/// Events that the report lists at the most; all are in events.csv.
const MOST_EVENTS: usize = 200;

/// Features of the check that the report lists at the most; all are in the summary.
const MOST_FINDINGS: usize = 200;

/// Physics or numerics, feature by feature: numerics first, then what is not decided.
fn check_section(check: &Check) -> Section {
    let value = |value: Option<f64>| value.map_or_else(|| "–".to_string(), number);
    let row = |finding: &Finding| {
        let Finding { coarse, fine, exact, allowed, verdict, .. } = finding;
        let allowed = allowed.map_or_else(|| "–".into(), |allowed| number_to(allowed, 2));
        vec![finding.name(), value(*coarse), value(*fine), value(*exact), allowed, verdict.word().to_string()]
    };
    let header = ["feature", "h", "h/2", check.reference, "may differ by", "verdict"].map(String::from).to_vec();
    let Listed { single: listed, summed } = check.listed();
    let mut rows: Vec<Vec<String>> = listed.iter().take(MOST_FINDINGS).map(|finding| row(finding)).collect();
    rows.extend(summed.iter().map(|own| {
        let none = || "–".to_string();
        vec![own.words(), none(), none(), none(), none(), own.verdict().word().to_string()]
    }));
    let [physics, numerics, open] = check.counts;
    let more = match listed.len().saturating_sub(MOST_FINDINGS) {
        0 => String::new(),
        _ => format!(" {} are in summary.json.", Check::left_over(&listed[MOST_FINDINGS..])),
    };
    Section {
        heading: "Physics or numerics?".into(),
        text: format!(
            "With the step h = {}, with half of it, and {}. {} {physics} features are physics, {numerics} numerics, {open} not \
             decided.{more}",
            seconds(check.steps[0]),
            check.other_run(),
            check.words
        ),
        content: vec![Content::Table(TextTable { header, rows })],
    }
}

/// A warning as a verdict.
pub(crate) fn warned(warning: &Warning) -> Verdict {
    let (grade, word) = match warning.severity {
        Severity::Warning => (Grade::Caution, "Warning"),
        Severity::Error => (Grade::Fault, "Not to be used"),
    };
    Verdict { grade, text: format!("{word}: {}.", warning.text) }
}

fn events_section(summary: &Summary, trace: &Trace) -> Section {
    let row = |(event, words): (&Event, &Option<String>)| {
        vec![
            number_to(event.t, 9),
            words.clone().unwrap_or_default(),
            trace.contacts[event.contact].to_string(),
            event.from.name().to_string(),
            event.to.name().to_string(),
        ]
    };
    let header = ["t (s)", "what happens", "contact", "from", "to"].map(String::from).to_vec();
    let shown = MOST_EVENTS;
    let table = TextTable { header, rows: trace.events.iter().zip(&trace.words).take(shown).map(row).collect() };
    let mut text = match trace.event_count {
        0 => "No contact changed its state.".to_string(),
        n if n as usize > shown => format!("The first {shown} of {n}; all are in events.csv."),
        _ if summary.handovers.is_some() => "An event is dated to the instant at which it was located.".to_string(),
        _ => "An event is dated to the end of the first step in the new state.".to_string(),
    };
    let turns = |event: &&Event| matches!((event.from, event.to), (State::Slip(_), State::Slip(_)));
    // In the plane a slip has no sign to tell the two ways by.
    if trace.events.iter().take(shown).find(turns).is_some_and(|event| event.from.name() == event.to.name()) {
        text.push_str(" From slip to slip: a slip that passed through zero at that instant and went on another way.");
    }
    Section {
        heading: "When contacts stuck and slipped".into(),
        text,
        content: if table.rows.is_empty() { vec![] } else { vec![Content::Table(table)] },
    }
}

/// Of points that lie on each other only the first: a picture needs no more.
pub fn spread(points: &[[f64; 2]], size: [f64; 2]) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for point in points {
        let near =
            |k: &[f64; 2]| (k[0] - point[0]).abs() < 0.008 * size[0] && (k[1] - point[1]).abs() < 0.018 * size[1];
        if !kept.iter().any(near) {
            kept.push(*point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_lie_on_each_other_are_drawn_once() {
        let points = vec![[0.0, 0.0]; 100];
        assert_eq!(spread(&points, [1.0, 1.0]).len(), 1);
    }
}
