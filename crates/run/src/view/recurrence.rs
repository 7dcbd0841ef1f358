//! What comes again in a motion, of any model: stuck times, Poincaré section, Lyapunov exponents.

use stickslip_core::analysis::orbit::{Arrival, Point};
use stickslip_core::analysis::poincare;
use stickslip_core::analysis::stuck::stuck_times;
use stickslip_core::law::State;
use stickslip_core::mechanics::Smooth;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::palette::Role;

use super::data::DataTable;
use super::exponent::{self, MEASURED};
use super::{View, untitled};
use crate::text::{number_to, percent};
use crate::{Summary, Trace};

/// Arrivals of a Poincaré section at the most.
const ARRIVALS: usize = 200;

/// Instants of a section by a period at the most.
const INSTANTS: usize = 4000;

/// Contacts whose stuck times are listed at the most.
const CONTACTS: usize = 40;

/// What the Poincaré section of a model shows, and when.
pub struct PoincareSection {
    /// Label and unit of the two numbers of a section.
    pub axes: [(&'static str, &'static str); 2],
    /// The two numbers.
    pub pick: fn(&Point) -> [f64; 2],
    /// Whether forces depend on time by themselves.
    pub forced: bool,
    /// Instants of the section, this far apart \[s\]; arrivals of the first contact at rest if there is none.
    pub period: Option<f64>,
    /// A time to give rates by, besides the second, with its name.
    pub unit: Option<(&'static str, f64)>,
}

impl PoincareSection {
    /// The first coordinate and its velocity.
    pub fn first_coordinate(period: Option<f64>) -> PoincareSection {
        PoincareSection {
            axes: [("first coordinate", "m"), ("its velocity", "m/s")],
            pick: |point| [point.q.first().copied().unwrap_or(0.0), point.v.first().copied().unwrap_or(0.0)],
            forced: true,
            period,
            unit: None,
        }
    }
}

/// Adds the Poincaré section and the exponents of a motion to what is shown of it.
pub fn recurrence(system: &dyn Smooth, section: &PoincareSection, trace: &Trace, view: &mut View) {
    let arrivals = if trace.event_count == 0 { Vec::new() } else { arrivals(system, trace) };
    let (figure, data, text) = match section.period {
        Some(period) => {
            let count = ((trace.end / period) as usize).min(INSTANTS);
            let cut = match count == INSTANTS {
                true => format!(" The first {INSTANTS} such instants are shown."),
                false => String::new(),
            };
            let text = format!(
                "The state every {} s, the first half of the instants in grey and the second in colour: a motion of that \
                 period shows as one point, a chaotic one as a cloud with a structure.{cut}",
                number_to(period, 6)
            );
            let seen = poincare::strobe(system, &Point::start(system), period, count).unwrap_or_default();
            (strobe_figure(section, &seen), strobe_data(section, &seen), text)
        }
        None => {
            let cut = match arrivals.last() {
                Some(last) if arrivals.len() == ARRIVALS => {
                    format!(" The first {ARRIVALS} arrivals are shown, up to t = {} s.", number_to(last.point.t, 4))
                }
                _ => String::new(),
            };
            let text = "The state at each arrival of the slip at zero: a periodic motion shows as few points.";
            (arrivals_figure(section, &arrivals), arrivals_data(section, &arrivals), format!("{text}{cut}"))
        }
    };
    if let Some(figure) = figure {
        view.sections.push(Section { heading: "Poincaré section".into(), text, content: vec![untitled(&figure)] });
        view.figures.push(("poincare", figure));
        view.tables.push(data);
    }
    view.exponents = exponent::exponents(system, section, trace.end, &arrivals);
    view.folded.push(Section {
        heading: "Lyapunov exponent".into(),
        text: format!(
            "The largest exponent by two methods, from the middle of the run on: two runs a share of 1e-7 apart (a direction \
             along the motion itself neither grows nor decays, so a periodic motion of a system that is not driven gives \
             zero), and the derivative of the map from one arrival at zero slip to the next (that direction is left out). \
             Errors are standard errors from 16 parts and one e-fold for the ends. The first method measures over three \
             eighths of the run, so that a longer run makes its error smaller; the second over at most {MEASURED} arrivals."
        ),
        content: vec![Content::Table(exponent::table(&view.exponents, section))],
    });
}

/// Arrivals of the first contact within the run; fewer where one cannot be followed.
fn arrivals(system: &dyn Smooth, trace: &Trace) -> Vec<Arrival> {
    let start = Point::start(system);
    let mut seen = poincare::arrivals(system, &start, 0, ARRIVALS, trace.end, |_| true).unwrap_or_default();
    seen.retain(|arrival| arrival.point.t <= trace.end);
    seen
}

fn panel(section: &PoincareSection) -> Panel {
    let [x, y] = section.axes;
    Panel { height: 340.0, ..Panel::new(Axis::linear(x.0, x.1), Axis::linear(y.0, y.1)) }
}

fn arrivals_figure(section: &PoincareSection, seen: &[Arrival]) -> Option<Figure> {
    if seen.is_empty() {
        return None;
    }
    let half = seen.len() / 2;
    let dots = |part: &[Arrival], sticks: bool| -> Vec<[f64; 2]> {
        let mine = part.iter().filter(|a| (a.event.to == State::Stick) == sticks);
        mine.map(|a| (section.pick)(&a.point)).collect()
    };
    let early = [dots(&seen[..half], true), dots(&seen[..half], false)].concat();
    let panel = panel(section)
        .with(Series::markers("first half of the arrivals", Role::Reference, early))
        .with(Series::markers("second half: sticks", Role::Stick, dots(&seen[half..], true)))
        .with(Series::markers("second half: slips on", Role::Slip, dots(&seen[half..], false)));
    Some(Figure { width: 560.0, ..Figure::stacked(vec![panel]) }.titled("State at arrivals of the slip at zero"))
}

fn strobe_figure(section: &PoincareSection, seen: &[Point]) -> Option<Figure> {
    let dots = |part: &[Point]| -> Vec<[f64; 2]> { part.iter().map(section.pick).collect() };
    let half = seen.len() / 2;
    let panel = panel(section)
        .with(Series::markers("first half", Role::Reference, dots(&seen[..half])))
        .with(Series::markers("second half", Role::Second, dots(&seen[half..])));
    (seen.len() > 1).then(|| Figure { width: 560.0, ..Figure::stacked(vec![panel]) }.titled("State once in a period"))
}

/// Names of the two numbers of a section, with their units.
fn heads(section: &PoincareSection) -> [String; 2] {
    section.axes.map(|(label, unit)| format!("{label} [{unit}]"))
}

fn strobe_data(section: &PoincareSection, seen: &[Point]) -> DataTable {
    let [x, y] = heads(section);
    let mut table = DataTable::new("section", &["t [s]", &x, &y]);
    for point in seen {
        let [x, y] = (section.pick)(point);
        table.push(&[point.t, x, y]);
    }
    table
}

fn arrivals_data(section: &PoincareSection, seen: &[Arrival]) -> DataTable {
    let [x, y] = heads(section);
    let mut table = DataTable::new("section", &["t [s]", &x, &y, "sticks"]);
    for arrival in seen {
        let [x, y] = (section.pick)(&arrival.point);
        table.push(&[arrival.point.t, x, y, f64::from(u8::from(arrival.event.to == State::Stick))]);
    }
    table
}

/// How long contacts stick at a time; none where nothing ever changes.
pub(super) fn stuck_section(summary: &Summary, trace: &Trace) -> Option<Section> {
    let known = match trace.events.last() {
        Some(last) if trace.event_count as usize > trace.events.len() => last.t,
        _ => trace.end,
    };
    let row = |contact: usize| {
        let sticks = trace.last.get(contact) == Some(&State::Stick);
        let times = stuck_times(&trace.events, contact, sticks, 0.0, known);
        let seconds = |time: f64| if time > 0.0 { number_to(time, 4) } else { "–".to_string() };
        vec![
            trace.contacts[contact].to_string(),
            // One number for one thing: stretches are dated to the ends of steps, and their sum is off by a step.
            summary.stuck_fraction.0.get(contact).map_or_else(String::new, |(_, share)| percent(*share)),
            times.stretches.len().to_string(),
            seconds(times.mean),
            seconds(times.shortest),
            seconds(times.longest),
        ]
    };
    let header = ["contact", "stuck, of the whole run", "stretches", "mean (s)", "shortest (s)", "longest (s)"];
    let rows: Vec<Vec<String>> = (0..trace.contacts.len().min(CONTACTS)).map(row).collect();
    (trace.event_count > 0 && !rows.is_empty()).then(|| Section {
        heading: "How long contacts stick".into(),
        text: format!(
            "Stretches of stick from 0 to {} s; mean, shortest and longest are of those that begin and end in that time.",
            number_to(known, 6)
        ),
        content: vec![Content::Table(TextTable { header: header.map(String::from).to_vec(), rows })],
    })
}
