//! What roughness does to a wheel: its lines beside linear theory, and its heights as a picture.

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::palette::Role;
use stickslip_run::text::number_to;
use stickslip_squeal::lines::{Fitted, fitted};
use stickslip_squeal::roughness::Line;
use stickslip_squeal::spectrum::spectrum;
use stickslip_squeal::{Wheel, sound};

use super::Parameters;
use super::charts::POINTS;
use super::listening::Heard;

/// Lines that a table compares at the most.
const MOST_LINES: usize = 24;

/// Share of an amplitude by which it may be wrong and still be called measured.
const MEASURED: f64 = 0.1;

/// Values of which the spectrum of heights is made at the most, and the range of levels that is drawn \[dB\].
const HEIGHTS: usize = 1 << 16;
const RANGE: f64 = 100.0;

/// What the roughness is made of, for the terminal; none of a smooth rail.
pub(super) fn told(wheel: &Wheel) -> Option<String> {
    let rough = &wheel.roughness;
    let (lines, heights) = (rough.lines.len(), rough.points.len());
    match (lines, heights) {
        (0, 0) => None,
        (_, 0) => Some(format!("roughness: {lines} lines")),
        (0, _) => Some(format!("roughness: {heights} heights of a file, and no lines")),
        _ => Some(format!(
            "roughness: {heights} heights of a file, added to {lines} lines of the scenario; without those: roughness = {{ csv = \"...\" }}"
        )),
    }
}

/// Linear response to lines of roughness beside the time run.
pub(super) fn response(parameters: &Parameters, heard: &Heard) -> Option<Section> {
    let wheel = &parameters.wheel;
    let all = &wheel.roughness.lines;
    if all.is_empty() {
        return None;
    }
    let frequencies: Vec<f64> = all.iter().map(|line| line.frequency).collect();
    let mut lines: Vec<(Line, Fitted)> =
        all.iter().copied().zip(fitted(heard.close(), heard.rate, &frequencies)).collect();
    lines.sort_by(|a, b| b.0.amplitude.total_cmp(&a.0.amplitude));
    lines.truncate(MOST_LINES);
    lines.sort_by(|a, b| a.0.frequency.total_cmp(&b.0.frequency));
    let header = ["frequency (Hz)", "roughness (nm)", "linear (m/s)", "this run (m/s)", "± (m/s)", "off by (%)"];
    let measured = |found: &Fitted| found.uncertainty <= MEASURED * found.amplitude;
    let row = |(line, found): &(Line, Fitted)| {
        let linear = linear(wheel, line.frequency) * line.amplitude;
        let mut row = vec![number_to(line.frequency, 6), number_to(1e9 * line.amplitude, 4), number_to(linear, 5)];
        if measured(found) {
            row.extend([number_to(found.amplitude, 5), number_to(found.uncertainty, 1)]);
            row.push(number_to(100.0 * (found.amplitude / linear - 1.0), 2));
        } else {
            row.extend(["–".into(), "–".into(), "not measurable".into()]);
        }
        row
    };
    let drowned = lines.iter().filter(|(_, found)| !measured(found)).count();
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
    Some(Section {
        heading: "Response to roughness".into(),
        text: format!(
            "Amplitudes of the lateral velocity at the lines of the roughness: linear theory about the steady state, and this run over its last {} s, all \
             lines fitted together. They agree where the motion is small and has settled.{drowned}{why} Of the roughness: {}.",
            number_to(heard.window as f64 / heard.rate, 3),
            parameters.filter.unwrap_or("smooth")
        ),
        content: vec![Content::Table(TextTable {
            header: header.map(String::from).to_vec(),
            rows: lines.iter().map(row).collect(),
        })],
    })
}

/// Amplitude of the lateral velocity over that of the roughness [1/s].
fn linear(wheel: &Wheel, frequency: f64) -> f64 {
    let response = wheel.response(frequency);
    (response.lateral(wheel) * response.value).norm()
}

/// The heights under the wheel over the way, and what linear theory makes of their spectrum beside the run.
pub(super) fn heights(wheel: &Wheel, heard: &Heard, top: f64) -> Option<(Figure, String)> {
    let rough = &wheel.roughness;
    if rough.is_none() || heard.v.len() < 16 {
        return None;
    }
    let h = 1.0 / heard.rate;
    let (first, count) = (heard.from, heard.v.len());
    let height = |k: usize| rough.at(first + k as f64 * h);
    // Least and greatest of each stretch: nothing narrow is lost.
    let every = (2 * count).div_ceil(POINTS).max(1);
    let mut way: Vec<[f64; 2]> = Vec::with_capacity(POINTS + 2);
    let mut sampled = 0;
    while sampled < count {
        let stretch = sampled..count.min(sampled + every);
        // No more than so many looks at a stretch: the picture has no more to show.
        let step = (every / 32).max(1);
        let (mut low, mut high) = ([0.0, f64::INFINITY], [0.0, f64::NEG_INFINITY]);
        for k in stretch.step_by(step) {
            let point = [wheel.speed * (first + k as f64 * h), 1e6 * height(k)];
            if point[1] < low[1] {
                low = point;
            }
            if point[1] > high[1] {
                high = point;
            }
        }
        way.extend(if low[0] <= high[0] { [low, high] } else { [high, low] });
        sampled += every;
    }
    let mut over_way = Panel::new(Axis::linear("place along the rail", "m"), Axis::linear("height", "µm"));
    over_way.height = 220.0;
    over_way.series.push(Series::line("", Role::First, way));
    let used = heard.window.clamp(16, HEIGHTS).min(count);
    let from = count - used;
    let lines = spectrum(&(from..count).map(height).collect::<Vec<f64>>(), heard.rate);
    let level = |amplitude: f64| 20.0 * (amplitude / std::f64::consts::SQRT_2 / sound::REFERENCE).max(1e-12).log10();
    let curve = |lines: &[[f64; 2]], of: &dyn Fn(&[f64; 2]) -> f64| -> Vec<[f64; 2]> {
        let shown: Vec<&[f64; 2]> = lines.iter().skip(1).filter(|line| line[0] <= top).collect();
        let chunk = shown.len().div_ceil(POINTS / 2).max(1);
        let highest = |chunk: &[&[f64; 2]]| {
            chunk.iter().map(|line| [1e-3 * line[0], of(line)]).reduce(|a, b| if b[1] > a[1] { b } else { a })
        };
        shown.chunks(chunk).filter_map(highest).collect()
    };
    let foretold = curve(&lines, &|line| level(line[1] * linear(wheel, line[0])));
    let own = curve(&spectrum(&heard.v[from..], heard.rate), &|line| level(line[1]));
    let most = foretold.iter().chain(&own).map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    let shown = |curve: Vec<[f64; 2]>| curve.into_iter().map(|[f, l]| [f, l.max(most - RANGE)]).collect();
    let mut over_frequency = Panel::new(
        Axis::linear("frequency", "kHz").from_to(0.0, 1e-3 * top),
        Axis::linear("velocity", "dB re 5e-8 m/s").from_to(most - RANGE, most + 5.0),
    );
    over_frequency.height = 220.0;
    over_frequency.series.push(Series::line("this run", Role::First, shown(own)));
    over_frequency.series.push(Series::line("linear theory", Role::Second, shown(foretold)));
    let figure = Figure::side_by_side(vec![over_way, over_frequency]).titled("Roughness under the wheel");
    let what = told(wheel).unwrap_or_default();
    let text = format!(
        "Heights over the way, and spectra of the last {} s: of the velocity at the contact, and of what linear theory about the steady state makes of these \
         heights ({}).",
        number_to(used as f64 * h, 3),
        what.strip_prefix("roughness: ").unwrap_or(&what)
    );
    Some((figure, text))
}
