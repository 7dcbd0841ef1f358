//! How the error falls with the step: a figure and its words.

use stickslip_report::figure::{Axis, Figure, Panel, Series, Style};
use stickslip_report::html::{Grade, Section, Verdict};
use stickslip_report::palette::Role;

use super::untitled;
use crate::Summary;
use crate::order::{Order, OrderVerdict};
use crate::text::number_to;

/// Error of a speed, as a share of the greatest speed, up to which a run by steps is called good without reserve.
const SMALL: f64 = 0.02;

/// Uncertainty up to which a measured order counts as known.
const ORDER_SURE: f64 = 0.25;

/// Error against step size with the fitted order and the place of this run, by the name of its file; none where no error was
/// measured.
pub fn order_figure(summary: &Summary) -> Option<(&'static str, Figure)> {
    summary.convergence.as_ref().map(|order| ("order", error_against_step(order, summary.step)))
}

/// Without a line where there is no order.
fn error_against_step(order: &Order, step: f64) -> Figure {
    let points: Vec<[f64; 2]> = order.errors.iter().map(|&(h, e)| [h, e]).collect();
    let mut panel = Panel::new(Axis::log("step h", "s"), Axis::log("greatest error of any speed", "m/s"));
    if let Some(here) = order.error_at_step {
        let (first, last) = (order.errors[0], order.errors[order.errors.len() - 1]);
        let line = |h: f64| here * (h / step).powf(order.order);
        // Where the line foretells nothing of this run it is not drawn as far as that.
        let (coarse, fine) = if order.is_foretold() { (step, step) } else { (first.0, last.0) };
        let fitted = [first.0.max(coarse), last.0.min(fine)].iter().map(|&h| [h, line(h)]).collect();
        panel = panel.with(Series::line(format!("fitted order {:.3}", order.order), Role::Reference, fitted));
    }
    panel = panel.with(Series::markers("measured", Role::Second, points));
    if let Some(here) = order.error_at_step.filter(|_| order.is_foretold()) {
        let name = if order.extrapolated_from.is_some() { "this run, extrapolated" } else { "this run, by the fit" };
        let here = Series::markers(name, Role::Third, vec![[step, here]]);
        panel = panel.with(Series { style: Style::Markers, ..here });
    }
    panel.height = 260.0;
    Figure::stacked(vec![panel]).titled("Error against step size")
}

/// The section about the order; none where no error was measured. `remark` is what the model has to add.
pub fn order_section(summary: &Summary, remark: &str) -> Option<Section> {
    let order = summary.convergence.as_ref()?;
    let figure = error_against_step(order, summary.step);
    let scheme = match summary.scheme {
        "moreau-jean" => "Moreau–Jean is of second order while no contact changes its state, and of first order else.",
        "theta" => {
            "The θ-method is of second order for θ = ½ while no contact changes its state, and of first order else."
        }
        _ => "Implicit Euler is of first order.",
    };
    let mut text =
        format!("Greatest error of any speed at any time against a run of {} steps. {scheme}", order.reference_steps);
    if order.verdict == OrderVerdict::None {
        text.push_str(
            " Here there is no order: the errors scatter and do not fall with the step, as for an unstable or chaotic \
             motion or for events that such steps misplace, so that no line is drawn.",
        );
    } else if !order.is_foretold() {
        text.push_str(&format!(" It was measured {}.", order.far_finer()));
    } else if let Some(words) = order.extrapolated() {
        text.push_str(&format!(" The error of this run is {words}."));
    }
    if !remark.is_empty() {
        text = format!("{text} {remark}");
    }
    Some(Section { heading: "How the error falls with the step".into(), text, content: vec![untitled(&figure)] })
}

/// The order as one of the verdicts on how far to trust a run, which could go from event to event, or not.
pub(super) fn order_verdict(order: &Order, by_events: bool) -> Verdict {
    let Some(error) = order.error_at_step else {
        let words = order.words();
        return Verdict { grade: Grade::Caution, text: format!("{}.", words.replacen("no order", "No order", 1)) };
    };
    let uncertain = order.order_error.map_or_else(String::new, |by| format!(" ± {}", number_to(by, 1)));
    let how = order.extrapolated().map_or_else(String::new, |words| format!(" ({words})"));
    let rough = order.order_error.is_none_or(|by| by > ORDER_SURE);
    let percent = 100.0 * error / order.greatest_speed;
    let share = if percent.is_finite() {
        format!(", {} % of the greatest speed", number_to(percent, 2))
    } else {
        String::new()
    };
    let grade = match order.verdict {
        // A green tick beside an error of many percent would say that all is well.
        _ if error > SMALL * order.greatest_speed => Grade::Caution,
        // An order that may as well lie far below that of the scheme is not measured well enough to be called reached.
        OrderVerdict::Reached if rough => Grade::Caution,
        OrderVerdict::Reached => Grade::Sound,
        OrderVerdict::NotDecided => Grade::Caution,
        _ if order.order > 0.5 * order.scheme_order => Grade::Caution,
        _ => Grade::Fault,
    };
    if !order.is_foretold() {
        let text = format!("Measured order {:.2}{uncertain} {}.", order.order, order.far_finer());
        return Verdict { grade: Grade::Caution, text };
    }
    Verdict {
        grade,
        text: format!(
            "Measured order {:.2}{uncertain}, {} of the scheme is {}; at this step the greatest error of any speed is about \
             {} m/s{share}{how}.{}",
            order.order,
            match order.verdict {
                OrderVerdict::Reached if rough => "too roughly known to be sure of it, where that",
                OrderVerdict::Reached => "and that",
                OrderVerdict::NotDecided => "so that it is not decided whether it is reached: that",
                _ => "while that",
            },
            number_to(order.scheme_order, 2),
            number_to(error, 2),
            match (grade, by_events) {
                (Grade::Sound, _) => "",
                (_, true) => " What to do: a smaller run.step, or run.scheme = \"events\", which has no such error.",
                (_, false) => " What to do: a smaller run.step.",
            }
        ),
    }
}
