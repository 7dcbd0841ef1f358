//! What a run looks like: figures and report.

mod assembly;
mod loops;
mod rail_wheel;
mod recurrence;
mod rounding;
mod towed_wheel;
mod vehicle;
mod wheel;

pub(crate) use assembly::assembly;
pub(crate) use rail_wheel::rail_wheel;
pub(crate) use recurrence::{Look, recurrence};
pub(crate) use towed_wheel::towed_wheel;
pub(crate) use vehicle::vehicle;
use wheel::spread;
pub(crate) use wheel::wheel;

use stickslip_core::scheme::Event;
use stickslip_report::figure::{Axis, Figure, Panel, Series, Style};
use stickslip_report::html::{Fact, Grade, Report, Section, TextTable, Verdict};
use stickslip_report::palette::Role;
use stickslip_scenario::Scenario;

use crate::summary::Order;
use crate::text::{number, number_to, percent, seconds};
use crate::{Summary, Trace, VERSION};

/// The pictures of a run.
pub(crate) struct View {
    /// Figures by file name, without ending.
    pub figures: Vec<(&'static str, Figure)>,
    /// The report's sections about the model.
    pub sections: Vec<Section>,
}

/// The report of any run: what happened, how far to trust it, the model's sections, all events.
pub(crate) fn report(scenario: &Scenario, summary: &Summary, trace: &Trace, mut sections: Vec<Section>) -> Report {
    sections.extend(recurrence::stuck_section(trace));
    sections.push(events_section(trace));
    Report {
        title: scenario.title.clone().unwrap_or_else(|| scenario.name.clone()),
        subtitle: first_paragraph(scenario.description.as_deref().unwrap_or_default()),
        facts: facts(summary, trace),
        verdicts: verdicts(summary, trace),
        sections,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
    }
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
    for (name, value) in summary.end.iter().take(MOST_FACTS) {
        let (value, remark) = rounding::listed(trace, name, *value);
        facts.push(Fact::new(format!("{name} at the end"), number(value) + &trace.unit(name)).noted(remark));
    }
    for (contact, share) in summary.stuck_fraction.iter().take(MOST_FACTS) {
        facts.push(Fact::new(format!("{contact} stuck"), percent(*share)).noted("share of the time"));
    }
    for (contact, energy) in summary.energy.dissipated.iter().take(MOST_FACTS) {
        facts.push(Fact::new(format!("heat, {contact}"), format!("{} J", number(*energy))));
    }
    facts.push(Fact::new("work of the drive", format!("{} J", number(summary.energy.work))));
    facts
}

fn verdicts(summary: &Summary, trace: &Trace) -> Vec<Verdict> {
    let grade = |good: bool, fair: bool| match (good, fair) {
        (true, _) => Grade::Sound,
        (false, true) => Grade::Caution,
        (false, false) => Grade::Fault,
    };
    let residual = summary.worst_residual;
    let closure = summary.energy.closure;
    let exact = summary.handovers == Some(0);
    let closed = exact && summary.between_events == Some("closed form");
    let energy_allowed = match (exact, closed) {
        (_, true) => 1e-12,
        (true, false) => 1e-9,
        (false, _) => 1e-2,
    };
    let mut verdicts = vec![
        Verdict {
            grade: grade(residual <= 1e-12, residual <= 1e-8),
            text: format!("Worst residual of all inclusions: {} of the greatest speed.", number_to(residual, 2)),
        },
        Verdict {
            grade: grade(closure <= energy_allowed, closure <= 10.0 * energy_allowed),
            text: format!(
                "Energy closes to {} of its greatest amount; the scheme lost {} J ({}).",
                number_to(closure, 2),
                number_to(summary.energy.lost, 3),
                match (exact, closed) {
                    (_, true) => "rounding",
                    (true, false) => "the tolerance of the integration",
                    (false, _) => "first order in the step",
                }
            ),
        },
        Verdict {
            grade: grade(summary.uniqueness.forces == "unique", true),
            text: format!(
                "Velocities {}, contact forces {}: {}.",
                summary.uniqueness.velocities, summary.uniqueness.forces, summary.uniqueness.reason
            ),
        },
    ];
    verdicts.push(match (&summary.convergence, summary.handovers) {
        (_, Some(0)) => Verdict {
            grade: Grade::Sound,
            text: if closed {
                "Closed form from event to event: no error but rounding.".into()
            } else {
                "Integrated from event to event by collocation of order 17, to 1e-12 of each quantity's greatest value."
                    .into()
            },
        },
        (_, Some(handovers)) => Verdict {
            grade: Grade::Caution,
            text: format!(
                "From event to event, but {handovers} clusters of events were passed by short implicit steps."
            ),
        },
        (Some(order), None) => Verdict {
            grade: grade((order.order - 1.0).abs() <= 0.05, (order.order - 1.0).abs() <= 0.3),
            text: format!(
                "Measured order {:.2}; at this step the greatest error of any speed is about {} m/s.",
                order.order,
                number_to(order.error_at_step, 2)
            ),
        },
        (None, None) if !summary.studied => Verdict {
            grade: Grade::Caution,
            text: "The order of convergence was not measured: try half the step.".into(),
        },
        (None, None) => Verdict {
            grade: Grade::Sound,
            text: "No error at any step size: the steps are exact here, or nothing moves.".into(),
        },
    });
    if trace.event_count as usize > trace.events.len() {
        verdicts.push(Verdict {
            grade: Grade::Caution,
            text: format!(
                "{} changes of state; strips and the table below show the first {}. Rapid changes may be chatter of the \
                 scheme: try a smaller step.",
                trace.event_count,
                trace.events.len()
            ),
        });
    }
    verdicts
}

fn events_section(trace: &Trace) -> Section {
    let row = |event: &Event| {
        vec![
            number_to(event.t, 9),
            trace.contacts[event.contact].to_string(),
            event.from.name().to_string(),
            event.to.name().to_string(),
        ]
    };
    let header = ["t (s)", "contact", "from", "to"].map(String::from).to_vec();
    let shown = 200;
    let table = TextTable { header, rows: trace.events.iter().take(shown).map(row).collect() };
    let text = match trace.event_count {
        0 => "No contact changed its state.".to_string(),
        n if n as usize > shown => format!("The first {shown} of {n}; all are in events.csv."),
        _ => "An event is dated to the end of the first step in the new state.".to_string(),
    };
    Section {
        heading: "When contacts stuck and slipped".into(),
        text,
        content: if table.rows.is_empty() { vec![] } else { vec![stickslip_report::html::Content::Table(table)] },
    }
}

/// Error against step size with the fitted order and the place of this run.
pub(crate) fn order_figure(order: &Order, step: f64) -> Figure {
    let points: Vec<[f64; 2]> = order.errors.iter().map(|&(h, e)| [h, e]).collect();
    let (first, last) = (order.errors[0], order.errors[order.errors.len() - 1]);
    let line = |h: f64| order.error_at_step * (h / step).powf(order.order);
    let span = [first.0.max(step), last.0.min(step)];
    let fitted = span.iter().map(|&h| [h, line(h)]).collect();
    let mut panel = Panel::new(Axis::log("step h", "s"), Axis::log("greatest error of any speed", "m/s"))
        .with(Series::line(format!("fitted order {:.3}", order.order), Role::Reference, fitted))
        .with(Series::markers("measured", Role::Second, points));
    let here = Series::markers("this run, by the fit", Role::Third, vec![[step, order.error_at_step]]);
    panel = panel.with(Series { style: Style::Markers, ..here });
    panel.height = 260.0;
    Figure::stacked(vec![panel]).titled("Error against step size")
}
