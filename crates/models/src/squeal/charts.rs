//! The pictures of a squealing wheel.

use std::f64::consts::TAU;

use stickslip_core::analysis::stability::Root;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::palette::Role;
use stickslip_run::stability::{EIGENVALUE_COLUMNS, EIGENVALUES, eigenvalue_row};
use stickslip_run::text::{number_to, percent};
use stickslip_run::view::{DataTable, View, order_figure, order_section};
use stickslip_run::{Summary, Trace};
use stickslip_squeal::Wheel;
use stickslip_squeal::characteristic::fastest_first;
use stickslip_squeal::spectrum::spectrum;
use stickslip_squeal::step::Start;

use super::Parameters;
use super::listening::Heard;
use super::rough;
use super::shapes::shapes;
use super::sounding::sounding;
use super::spectra::{band, spectrogram_of, spectrum_figure, spectrum_table, spectrum_words};

/// Points that a curve in a figure has at the most.
pub(super) const POINTS: usize = 1500;

/// A motion has grown at this share of its greatest velocity, if it began below that one; of its start so many times that are shown.
const GROWN: f64 = 0.8;
const SMALL_AT_FIRST: f64 = 0.2;
const START_SHOWN: f64 = 1.3;

/// Room beside the least and the greatest slip velocity: a share of what is between them.
const BESIDE: f64 = 0.04;

/// Figures and sections of a run.
pub(super) fn squeal(parameters: &Parameters, heard: Option<&Heard>, _: &Trace, summary: &Summary) -> View {
    let wheel = &parameters.wheel;
    let Some(heard) = heard else { return View::default() };
    let lines = spectrum(heard.close(), heard.rate);
    let top = band(wheel, &lines, heard.rate);
    let linear = rough::linear(parameters, heard);
    let linear_lines = linear.as_ref().and_then(|found| found.as_ref().ok()).map(|v| spectrum(v, heard.rate));
    let sound = sounding(heard);
    let over_time = spectrogram_of(wheel, heard, top);
    let mut figures = vec![
        ("growth", growth(wheel, parameters, heard)),
        ("cycle", cycle(heard)),
        ("spectrum", spectrum_figure(wheel, &lines, top)),
        ("spectrogram", over_time.figure),
        ("eigenvalues", eigenvalues(wheel)),
    ];
    let take = |name: &str, figures: &[(&str, Figure)]| {
        figures.iter().find(|(own, _)| *own == name).map(|(_, figure)| Content::Figure(figure.clone()))
    };
    let section = |heading: &str, text: String, names: &[&str], figures: &[(&str, Figure)]| Section {
        heading: heading.into(),
        text,
        content: names.iter().filter_map(|name| take(name, figures)).collect(),
    };
    let mut sections = vec![
        sound.section,
        section("How it grows", growth_words(wheel, parameters, heard, summary), &["growth"], &figures),
        section("The last periods", "Velocity and load over time, and the lateral force over the slip velocity. Where a point sticks its slip velocity is 0; bristles of a patch stick one by one.".into(), &["cycle"], &figures),
        section("Spectrum", spectrum_words(wheel, &lines, heard, linear_lines.is_some()), &["spectrum"], &figures),
        Section {
            heading: "How it changes with time".into(),
            text: "Of each time the spectrum of a short stretch about it. Lines that are nearer than the rows flow together; the strongest of each time is \
                   found between them."
                .into(),
            content: vec![Content::Field(over_time.field), Content::Figure(over_time.pitch)],
        },
    ];
    sections.extend(rough::response(parameters, heard, linear.as_ref()));
    if let Some((figure, text)) =
        rough::heights(wheel, heard, linear.as_ref(), [&lines, linear_lines.as_deref().unwrap_or_default()], top)
    {
        figures.push(("roughness", figure));
        sections.push(section("Roughness under the wheel", text, &["roughness"], &figures));
    }
    let mut folded = vec![
        section("Eigenvalues about the steady state", "What lies above the line grows. Small motion follows these; a squeal that has grown need not: its frequency and the mode that wins are those of the limit cycle.".into(), &["eigenvalues"], &figures),
        modes(wheel, heard),
    ];
    figures.extend(order_figure(summary));
    folded.extend(order_section(summary, ""));
    let mut assumptions = vec![
        "The rail is rigid, and the wheel's modes do not turn with it (no split of waves that run with and against it).".to_string(),
        "Modes are linear; friction, the Hertz spring, stick and lift-off are not.".to_string(),
        "Stored energy counts from steady sliding, and holds the work of the steady forces: where the wheel has gone with the steady friction it is less than zero.".to_string(),
    ];
    let body = parameters.built.as_ref().map(|built| shapes(wheel, built));
    let (mut files, mut told): (Vec<_>, Vec<_>) = (sound.file.into_iter().collect(), vec![sound.line]);
    told.extend(rough::told(wheel));
    told.extend(no_growth(parameters, heard));
    told.extend(silent(wheel));
    if let Some(body) = body {
        figures.extend(body.figures);
        sections.push(body.section);
        files.push(body.file);
        told.push(body.line);
    }
    assumptions.extend(parameters.filter.map(|words| format!("Of roughness: {words}.")));
    View {
        folded,
        assumptions,
        files,
        lines: told,
        tables: vec![spectrum_table(&lines, linear_lines.as_deref()), eigenvalue_table(wheel)],
        ..View::new(figures, sections)
    }
}

fn thin<T: Copy>(list: &[T]) -> Vec<T> {
    let every = list.len().div_ceil(POINTS).max(1);
    list.iter().step_by(every).copied().collect()
}

/// Why a run has no rate of growth, where that is not said as a doubt.
fn no_growth(parameters: &Parameters, heard: &Heard) -> Option<String> {
    let wheel = &parameters.wheel;
    wheel.least_stable().ok()?;
    let why = match parameters.start {
        _ if !wheel.roughness.is_none() => "roughness drives the motion from the start on",
        Start::Kick(_) => {
            "the run begins with a blow, which moves all modes at once; with start.eigenvector it has one"
        }
        Start::Noise { .. } => "the run begins by chance, with all modes at once; with start.eigenvector it has one",
        Start::Eigenvector(_) if heard.growth.is_none() && !heard.faded => {
            "counted from the start on, too few swings lie between 1e-10 and 2e-2 of the slip velocity; begin with less, or take a longer run"
        }
        Start::Eigenvector(_) => return None,
    };
    Some(format!("no growth_rate: {why}"))
}

/// Motions that the contact does not feel and that decay less than any other, in words.
fn silent(wheel: &Wheel) -> Option<String> {
    let (first, felt) = (*fastest_first(wheel.eigenvalues().ok()?).first()?, wheel.least_stable().ok()?);
    (first.re > felt.re).then(|| {
        format!(
            "eigenvalues: that of {} 1/s at {} Hz is of modes that move against each other, and the contact does not feel it; `eigenvalue` is \
             the greatest that it feels",
            number_to(first.re, 4),
            number_to(first.im / TAU, 5)
        )
    })
}

fn growth_words(wheel: &Wheel, parameters: &Parameters, heard: &Heard, summary: &Summary) -> String {
    let of = |name: &str| summary.measures.value(name);
    let Some(eigenvalue) = of("eigenvalue") else { return String::new() };
    let grows = if eigenvalue > 0.0 { "grows" } else { "decays" };
    let none = || no_growth(parameters, heard).map_or_else(String::new, |why| format!(" There is {why}."));
    let seen = of("growth_rate").map_or_else(none, |rate| {
        format!(
            " The run begins along its eigenvector and {} at {} per second, {} % off.",
            if rate > 0.0 { "grows" } else { "decays" },
            number_to(rate.abs(), 6),
            number_to(100.0 * (rate / eigenvalue - 1.0).abs(), 2)
        )
    });
    format!(
        "Greatest velocity of stretches of time, on a logarithmic scale. The steady slip velocity is {} m/s; while the contact sticks, the wheel's own velocity is minus that. The least stable eigenvalue {grows} at {} per second with {} Hz{}.{seen}",
        number_to(wheel.slip(), 3),
        number_to(eigenvalue.abs(), 6),
        number_to(of("eigenfrequency").unwrap_or(0.0), 6),
        if matches!(parameters.start, Start::Eigenvector(_)) { " (the straight line)" } else { "" }
    )
}

/// Greatest velocities over time, beside what the eigenvalue says.
fn growth(wheel: &Wheel, parameters: &Parameters, heard: &Heard) -> Figure {
    let seen: Vec<[f64; 2]> = heard.envelope.iter().copied().filter(|point| point[1] > 0.0).collect();
    let end = seen.last().map_or(1.0, |point| point[0]);
    let whole = growth_until(wheel, parameters, &seen, end);
    // A start that is over soon, drawn beside the whole: there the straight line can be held against the run.
    let most = seen.iter().fold(0.0_f64, |m, point| m.max(point[1]));
    let grown = seen.iter().find(|point| point[1] > GROWN * most).map_or(end, |point| point[0]);
    let from_small = seen.first().is_some_and(|point| point[1] < SMALL_AT_FIRST * most);
    let panels = if from_small && START_SHOWN * grown < 0.5 * end {
        vec![growth_until(wheel, parameters, &seen, START_SHOWN * grown), whole]
    } else {
        vec![whole]
    };
    let against = matches!(parameters.start, Start::Eigenvector(_)) && wheel.least_stable().is_ok();
    let title = if against { "Growth against the eigenvalue" } else { "How the motion grows, or dies away" };
    Figure::side_by_side(panels).titled(title)
}

/// The same up to a time.
fn growth_until(wheel: &Wheel, parameters: &Parameters, seen: &[[f64; 2]], end: f64) -> Panel {
    let seen: Vec<[f64; 2]> = seen.iter().copied().filter(|point| point[0] <= end).collect();
    let most = seen.iter().fold(0.0_f64, |m, point| m.max(point[1]));
    let least = seen.iter().fold(f64::INFINITY, |m, point| m.min(point[1]));
    let mut panel = Panel::new(
        Axis::linear("time", "s").from_to(0.0, end),
        Axis::log("greatest velocity", "m/s").from_to(0.5 * least.min(most), 3.0 * most),
    );
    panel.height = 240.0;
    panel.series.push(Series::line("of the run", Role::First, thin(&seen)));
    if let (Ok(value), Start::Eigenvector(amplitude)) = (wheel.least_stable(), parameters.start) {
        let line = |k: u32| {
            let t = end * f64::from(k) / 200.0;
            [t, amplitude * (value.re * t).exp()]
        };
        let points = (0..=200).map(line).filter(|p| p[1] < 3.0 * most && p[1] > 0.5 * least.min(most)).collect();
        panel.series.push(Series::line("e^{Re λ t}", Role::Second, points));
    }
    panel
}

/// The last periods: v and N over time, F over slip.
fn cycle(heard: &Heard) -> Figure {
    let shown = &heard.last;
    let (from, to) = (shown.first().map_or(0.0, |p| p[0]), shown.last().map_or(1.0, |p| p[0]));
    let over_time = |label: &str, unit: &str, of: usize, factor: f64| {
        let mut panel = Panel::new(
            Axis::linear("time before the end", "ms").from_to(1e3 * (from - to), 0.0),
            Axis::linear(label, unit),
        );
        panel.series.push(Series::line(
            "",
            Role::First,
            thin(shown).iter().map(|p| [1e3 * (p[0] - to), factor * p[of]]).collect(),
        ));
        panel.height = 220.0;
        panel
    };
    let (low, high) =
        shown.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[2]), high.max(p[2])));
    let mut slip = Axis::linear("slip velocity", "m/s");
    // Beside the frame: what sticks stands upright at 0.
    if high > low {
        slip = slip.from_to(low - BESIDE * (high - low), high + BESIDE * (high - low));
    }
    let mut friction = Panel::new(slip, Axis::linear("lateral force", "kN"));
    friction.series.push(Series::line("", Role::First, over_slip(&thin(shown))));
    friction.height = 220.0;
    Figure::side_by_side(vec![over_time("velocity", "m/s", 1, 1.0), over_time("normal load", "kN", 4, 1e-3), friction])
        .titled("The last periods")
}

/// Force over slip velocity \[kN, m/s\]. Between an instant of slip and one of stick the force goes along the curve to 0, and there up or
/// down: a straight line from one to the other would be no force that friction has.
fn over_slip(shown: &[[f64; 5]]) -> Vec<[f64; 2]> {
    let point = |p: &[f64; 5]| [p[2], 1e-3 * p[3]];
    let mut curve: Vec<[f64; 2]> = shown.first().map(point).into_iter().collect();
    for pair in shown.windows(2) {
        let (from, to) = (point(&pair[0]), point(&pair[1]));
        match (from[0] == 0.0, to[0] == 0.0) {
            (true, false) => curve.push([0.0, to[1]]),
            (false, true) => curve.push([0.0, from[1]]),
            _ => {}
        }
        curve.push(to);
    }
    curve
}

/// Shares of the modes in the sum of their squared velocities.
pub(super) fn shares(heard: &Heard) -> Vec<f64> {
    let all: f64 = heard.modes.iter().map(|v| v * v).sum();
    heard.modes.iter().map(|v| if all > 0.0 { v * v / all } else { 0.0 }).collect()
}

fn eigenvalues(wheel: &Wheel) -> Figure {
    let values = wheel.eigenvalues().unwrap_or_default();
    let points = |grows: bool| -> Vec<[f64; 2]> {
        values
            .iter()
            .filter(|value| (value.im > 0.0 || value.re > 0.0) && (value.re > 0.0) == grows)
            .map(|value| [1e-3 * value.im / TAU, value.re])
            .collect()
    };
    let top = values.iter().map(|value| 1e-3 * value.im / TAU).fold(0.1, f64::max) * 1.1;
    let mut panel = Panel::new(Axis::linear("frequency", "kHz").from_to(0.0, top), Axis::linear("real part", "1/s"));
    panel.height = 260.0;
    panel.series.push(Series::line("", Role::First, vec![[0.0, 0.0], [top, 0.0]]));
    for (name, role, grows) in [("grows", Role::Sixth, true), ("decays", Role::Third, false)] {
        if !points(grows).is_empty() {
            panel.series.push(Series::markers(name, role, points(grows)));
        }
    }
    Figure::stacked(vec![panel]).titled("Eigenvalues about the steady state")
}

fn modes(wheel: &Wheel, heard: &Heard) -> Section {
    let header = ["mode", "frequency (Hz)", "damping ratio", "lateral", "vertical", "at the end (m/s)", "share"];
    let row = |((mode, v), share): ((&stickslip_squeal::Mode, &f64), f64)| {
        vec![
            mode.name.clone(),
            number_to(mode.frequency, 6),
            number_to(mode.damping, 3),
            number_to(mode.lateral, 4),
            number_to(mode.vertical, 4),
            number_to(*v, 4),
            percent(share),
        ]
    };
    let rows = wheel.modes.iter().zip(&heard.modes).zip(shares(heard)).map(row).collect();
    Section {
        heading: "Modes and their shares".into(),
        text: "Lateral and vertical amplitudes at the contact (kg^-1/2); root mean squares of the lateral velocities that the modes have there, over the last part of the run, and their shares in the sum of squares.".into(),
        content: vec![Content::Table(TextTable { header: header.map(String::from).to_vec(), rows })],
    }
}

/// Eigenvalues about the steady state, the fastest growing first, as `stickslip stability` writes them.
fn eigenvalue_table(wheel: &Wheel) -> DataTable {
    let mut table = DataTable::new(EIGENVALUES, &EIGENVALUE_COLUMNS);
    for value in fastest_first(wheel.eigenvalues().unwrap_or_default()) {
        table.push(&eigenvalue_row(&Root { real: value.re, frequency: value.im, uncertainty: 0.0 }));
    }
    table
}
