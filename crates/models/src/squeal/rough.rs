//! What roughness does to a wheel: its lines beside linear theory, and its heights as a picture.

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::palette::Role;
use stickslip_run::text::number_to;
use stickslip_squeal::Wheel;
use stickslip_squeal::lines::{Fitted, fitted};
use stickslip_squeal::roughness::Line;

use super::Parameters;
use super::charts::POINTS;
use super::listening::Heard;
use super::spectra::level;

/// Lines that a table compares at the most.
const MOST_LINES: usize = 24;

/// Share of an amplitude by which it may be wrong and still be called measured.
const MEASURED: f64 = 0.1;

/// Range of levels that is drawn \[dB\].
const RANGE: f64 = 100.0;

/// Waves of the heights that are drawn, about: more of them would be one black block.
const WAVES: f64 = 40.0;

/// What the roughness is made of, for the terminal; none of a smooth rail.
pub(super) fn told(wheel: &Wheel) -> Option<String> {
    let rough = &wheel.roughness;
    let (lines, heights) = (rough.lines.len(), rough.points.len());
    match (lines, heights) {
        (0, 0) => None,
        (1, 0) => Some("roughness: 1 line".into()),
        (_, 0) => Some(format!("roughness: {lines} lines")),
        (0, _) => Some(format!("roughness: {heights} heights of a file, and no lines")),
        _ => Some(format!(
            "roughness: {heights} heights of a file, added to {lines} lines of the scenario; without those: roughness = {{ csv = \"...\" }}"
        )),
    }
}

/// What the linear system does over the same stretch of time on the same roughness from the same start: its lateral velocities at the samples
/// that are looked at closely, or why there are none; nothing on a smooth rail.
pub(super) fn linear(parameters: &Parameters, heard: &Heard) -> Option<Result<Vec<f64>, String>> {
    let wheel = &parameters.wheel;
    if wheel.roughness.is_none() || heard.window < 16 {
        return None;
    }
    let count = heard.window;
    let first = (heard.from * heard.rate).round() as u64 + (heard.v.len() - count) as u64;
    let grows = |v: &[f64]| {
        // Beyond the steady slip velocity a contact would stick, and nothing is linear.
        let most = v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let unstable = wheel.least_stable().ok().filter(|value| value.re > 0.0);
        unstable.filter(|_| most > wheel.slip()).map(|value| {
            format!(
                "steady sliding is unstable ({} 1/s), so that small motion grows by linear theory without end, and far beyond this run",
                number_to(value.re, 4)
            )
        })
    };
    let course = wheel.linear_course(parameters.start, 1.0 / heard.rate, first, count);
    Some(match course {
        Ok(v) if v.iter().all(|v| v.is_finite()) => grows(&v).map_or(Ok(v), Err),
        Ok(_) => Err("steady sliding is unstable, and by linear theory motion has grown beyond all numbers".into()),
        Err(error) => Err(error.to_string()),
    })
}

/// Linear response to lines of roughness beside the time run.
pub(super) fn response(
    parameters: &Parameters,
    heard: &Heard,
    linear: Option<&Result<Vec<f64>, String>>,
) -> Option<Section> {
    let wheel = &parameters.wheel;
    let all = &wheel.roughness.lines;
    if all.is_empty() {
        return None;
    }
    let frequencies: Vec<f64> = all.iter().map(|line| line.frequency).collect();
    // Of the linear system over the same stretch, fitted as those of the run are; its steady response where it has no motion over the run.
    let over_run = linear.and_then(|found| found.as_ref().ok()).map(|v| fitted(v, heard.rate, &frequencies));
    let steady = |line: &Line| settled(wheel, line.frequency) * line.amplitude;
    let foretold = |k: usize| over_run.as_ref().map_or_else(|| steady(&all[k]), |found| found[k].amplitude);
    let found = fitted(heard.close(), heard.rate, &frequencies);
    let mut lines: Vec<(Line, f64, Fitted)> =
        all.iter().copied().zip(found).enumerate().map(|(k, (line, found))| (line, foretold(k), found)).collect();
    lines.sort_by(|a, b| b.0.amplitude.total_cmp(&a.0.amplitude));
    lines.truncate(MOST_LINES);
    lines.sort_by(|a, b| a.0.frequency.total_cmp(&b.0.frequency));
    let header = [
        "frequency (Hz)",
        "roughness (nm)",
        "linear (m/s)",
        "this run (m/s)",
        "± (m/s)",
        "off by (%)",
        "linear, settled (m/s)",
    ];
    let measured = |found: &Fitted| found.uncertainty <= MEASURED * found.amplitude;
    let row = |(line, linear, found): &(Line, f64, Fitted)| {
        let mut row = vec![number_to(line.frequency, 6), number_to(1e9 * line.amplitude, 4), number_to(*linear, 5)];
        if measured(found) {
            row.extend([number_to(found.amplitude, 5), number_to(found.uncertainty, 1)]);
            row.push(number_to(100.0 * (found.amplitude / linear - 1.0), 2));
        } else {
            row.extend(["–".into(), "–".into(), "not measurable".into()]);
        }
        row.push(number_to(steady(line), 5));
        row
    };
    let drowned = lines.iter().filter(|(_, _, found)| !measured(found)).count();
    let drowned = match drowned {
        0 => String::new(),
        1 => " One of them cannot be measured".into(),
        n => format!(" {n} of them cannot be measured"),
    };
    let why = if drowned.is_empty() {
        ""
    } else {
        ": what is beside it in the spectrum (a motion that has not settled, squeal, another line) is more than a tenth of it."
    };
    let from = match linear {
        Some(Err(why)) => format!("linear theory (the settled response, since there is none over the run: {why})"),
        _ => "the linear system on this roughness from this start".into(),
    };
    Some(Section {
        heading: "Response to roughness".into(),
        text: format!(
            "Amplitudes of the lateral velocity at the lines of the roughness: of {from}, and of this run, both over its last {} s, all \
             lines fitted together. They agree where the motion is small; settled is what either comes to in the end where it is stable.{drowned}{why} \
             Of the roughness: {}.",
            number_to(heard.window as f64 / heard.rate, 3),
            parameters.filter.unwrap_or("smooth")
        ),
        content: vec![Content::Table(TextTable {
            header: header.map(String::from).to_vec(),
            rows: lines.iter().map(row).collect(),
        })],
    })
}

/// Amplitude of the lateral velocity over that of the roughness, in the end [1/s].
fn settled(wheel: &Wheel, frequency: f64) -> f64 {
    let response = wheel.response(frequency);
    (response.lateral(wheel) * response.value).norm()
}

/// The heights under the wheel over the way, and lines of the run beside those of the linear system over the same stretch of time.
pub(super) fn heights(
    wheel: &Wheel,
    heard: &Heard,
    linear: Option<&Result<Vec<f64>, String>>,
    [own, foretold]: [&[[f64; 2]]; 2],
    top: f64,
) -> Option<(Figure, String)> {
    let rough = &wheel.roughness;
    if rough.is_none() || heard.v.len() < 16 {
        return None;
    }
    let end = heard.from + (heard.v.len() - 1) as f64 / heard.rate;
    let begin = (end - stretch(wheel, end)).max(0.0);
    let at = |k: usize| begin + (end - begin) * k as f64 / (POINTS - 1) as f64;
    let way = (0..POINTS).map(|k| [wheel.speed * at(k), 1e6 * rough.at(at(k))]).collect();
    let mut over_way = Panel::new(Axis::linear("place along the rail", "m"), Axis::linear("height", "µm"));
    over_way.height = 220.0;
    over_way.series.push(Series::line("", Role::First, way));
    let curve = |lines: &[[f64; 2]]| -> Vec<[f64; 2]> {
        let shown: Vec<&[f64; 2]> = lines.iter().skip(1).filter(|line| line[0] <= top).collect();
        let chunk = shown.len().div_ceil(POINTS / 2).max(1);
        let highest = |chunk: &[&[f64; 2]]| {
            let lines = chunk.iter().map(|line| [1e-3 * line[0], level(line[1])]);
            lines.reduce(|a, b| if b[1] > a[1] { b } else { a })
        };
        shown.chunks(chunk).filter_map(highest).collect()
    };
    let (own, foretold) = (curve(own), curve(foretold));
    let most = foretold.iter().chain(&own).map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    let shown = |curve: Vec<[f64; 2]>| curve.into_iter().map(|[f, l]| [f, l.max(most - RANGE)]).collect();
    let mut over_frequency = Panel::new(
        Axis::linear("frequency", "kHz").from_to(0.0, 1e-3 * top),
        Axis::linear("velocity", "dB re 5e-8 m/s").from_to(most - RANGE, most + 5.0),
    );
    over_frequency.height = 220.0;
    over_frequency.series.push(Series::line("this run", Role::First, shown(own)));
    if !foretold.is_empty() {
        over_frequency.series.push(Series::line("linear system", Role::Second, shown(foretold)));
    }
    let figure = Figure::side_by_side(vec![over_way, over_frequency]).titled("Roughness under the wheel");
    let what = told(wheel).unwrap_or_default();
    let beside = match linear {
        Some(Err(why)) => format!("the linear system is left out: {why}"),
        _ => "and of that of the linear system, driven by this roughness from the same start over the whole run".into(),
    };
    let text = format!(
        "Heights over the last {} m of the way ({}), and spectra of the last {} s: of the velocity at the contact, {beside}.",
        number_to(wheel.speed * (end - begin), 3),
        what.strip_prefix("roughness: ").unwrap_or(&what),
        number_to(heard.window as f64 / heard.rate, 3)
    );
    Some((figure, text))
}

/// Time in which so many waves pass that each of them is seen: of the lines, by their heights; of points, each for half a wave \[s\].
fn stretch(wheel: &Wheel, end: f64) -> f64 {
    let rough = &wheel.roughness;
    let square = |line: &Line| line.amplitude * line.amplitude;
    let sums =
        rough.lines.iter().fold([0.0; 2], |[all, by], line| [all + square(line), by + square(line) * line.frequency]);
    let of_lines = if sums[0] > 0.0 { WAVES * sums[0] / sums[1] } else { f64::INFINITY };
    let last = rough.points.partition_point(|point| point[0] <= end);
    let first = last.saturating_sub(2 * WAVES as usize);
    let of_points = rough.points.get(first).filter(|_| first > 0).map_or(f64::INFINITY, |point| end - point[0]);
    of_lines.min(of_points).min(end)
}
