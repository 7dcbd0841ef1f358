//! Spectra of what was heard, as pictures, words and a table.

use stickslip_report::figure::{Anchor, Axis, ColourMap, ColourScale, Figure, Note, Panel, Series, Tint};
use stickslip_report::html::{Field, FieldAxis, Quantity, Shown};
use stickslip_report::palette::Role;
use stickslip_run::text::{number_to, percent};
use stickslip_run::view::DataTable;
use stickslip_squeal::spectrum::{spectrogram, strongest};
use stickslip_squeal::{Mode, Wheel, sound};

use super::charts::{POINTS, shares};
use super::listening::Heard;

/// Rows of names above a spectrum, and the width of a letter over that of the figure.
const NAME_ROWS: usize = 3;
const LETTER: f64 = 0.01;

/// Room above the highest thing that is seen.
const ROOM: f64 = 1.15;

/// Shares of a frequency within which it is that of a line of roughness, and within which it is beside that of a mode.
const AT_LINE: f64 = 1e-3;
const BESIDE: f64 = 0.1;

/// Highest frequencies of pictures over that of the modes and of the lines of roughness, and the share of the power that may be above.
const OF_MODES: f64 = 2.5;
const OF_ROUGHNESS: f64 = 3.3;
const ABOVE: f64 = 1e-3;

/// Range of levels below the strongest line that a spectrum shows \[dB\].
const RANGE: f64 = 100.0;

/// The same that decides how far up a spectrogram goes and what has a pitch, and its times and frequencies.
const SHADES: f64 = 60.0;
const TIMES: usize = 120;
const BINS: usize = 120;

/// Room beside the least and the greatest pitch: of what is between them, and of the pitch itself.
const PITCH_ROOM: [f64; 2] = [0.1, 2e-3];

/// Level of a line \[dB\].
pub(super) fn level(amplitude: f64) -> f64 {
    20.0 * (amplitude / std::f64::consts::SQRT_2 / sound::REFERENCE).max(1e-12).log10()
}

/// How far up pictures may go: the modes and the lines of roughness with their harmonics are below, and all but a small share of the power.
pub(super) fn band(wheel: &Wheel, lines: &[[f64; 2]], rate: f64) -> f64 {
    let highest = |frequencies: &mut dyn Iterator<Item = f64>| frequencies.fold(0.0, f64::max);
    let modes = highest(&mut wheel.modes.iter().map(|mode| mode.frequency));
    let rough = highest(&mut wheel.roughness.lines.iter().map(|line| line.frequency));
    let power = |line: &[f64; 2]| line[1] * line[1];
    let all: f64 = lines.iter().map(power).sum();
    let mut above = 0.0;
    let last = lines.iter().rev().find(|line| {
        above += power(line);
        above > ABOVE * all
    });
    let heard = last.map_or(0.0, |line| ROOM * line[0]);
    (OF_MODES * modes).max(OF_ROUGHNESS * rough).max(heard).min(0.5 * rate)
}

/// The strongest line and the mode that it belongs to, in words; and what of it stands in the table.
pub(super) fn spectrum_words(wheel: &Wheel, lines: &[[f64; 2]], heard: &Heard, linear: bool) -> String {
    let table = format!(
        " All lines up to {} kHz, half as many as there are samples a second, are in spectrum.csv{}.",
        number_to(0.5e-3 * heard.rate, 4),
        if linear { ", beside those of the linear system over the same stretch of time" } else { "" }
    );
    strongest_words(wheel, lines, heard) + &table
}

fn strongest_words(wheel: &Wheel, lines: &[[f64; 2]], heard: &Heard) -> String {
    match strongest(lines).filter(|line| level(line[1]) > 0.0) {
        None => "Nothing is left of the motion that could be heard.".into(),
        Some([frequency, amplitude]) => {
            // Of a motion that comes and goes a window weighs the middle; no line is louder than all of it.
            let amplitude = amplitude.min(std::f64::consts::SQRT_2 * heard.rms());
            let shares = shares(heard);
            let strongest = shares.iter().zip(&wheel.modes).max_by(|a, b| a.0.total_cmp(b.0));
            format!(
                "The strongest line is at {} Hz with {} dB re 5e-8 m/s{}. {}",
                number_to(frequency, 6),
                number_to(level(amplitude), 4),
                whose(wheel, frequency),
                strongest.map_or_else(String::new, |(share, mode)| format!(
                    "The mode {} has {} of the modes' squared velocities at the contact.",
                    mode.name,
                    percent(*share)
                ))
            )
        }
    }
}

/// What a line belongs to, in words: a line of the roughness, or a mode; and which mode is nearest where neither is near.
fn whose(wheel: &Wheel, frequency: f64) -> String {
    let near = |other: f64, share: f64| (other - frequency).abs() <= share * frequency;
    let rough = wheel.roughness.lines.iter().any(|line| near(line.frequency, AT_LINE));
    let apart = |mode: &&Mode| (mode.frequency - frequency).abs();
    let nearest = wheel.modes.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
    let mode = nearest.map_or_else(String::new, |mode| {
        let (name, own) = (&mode.name, number_to(mode.frequency, 5));
        match near(mode.frequency, BESIDE) {
            true => format!(", beside the mode {name} of {own} Hz"),
            false => format!(", far from the nearest mode, {name} of {own} Hz"),
        }
    });
    if rough { format!(", a line of the roughness{mode}") } else { mode }
}

/// Levels over frequency, with the names of modes.
pub(super) fn spectrum_figure(wheel: &Wheel, lines: &[[f64; 2]], top: f64) -> Figure {
    // The greatest of each stretch: lines are narrow, and must not fall between points.
    let loudest = lines.iter().fold(f64::NEG_INFINITY, |m, line| m.max(level(line[1])));
    let top = filled(wheel, lines.iter().filter(|line| level(line[1]) > loudest - RANGE).map(|line| line[0]), top);
    let shown: Vec<&[f64; 2]> = lines.iter().filter(|line| line[0] <= top).collect();
    let every = shown.len().div_ceil(POINTS).max(1);
    let points: Vec<[f64; 2]> = shown
        .chunks(every)
        .filter_map(|chunk| chunk.iter().max_by(|a, b| a[1].total_cmp(&b[1])))
        .map(|line| [1e-3 * line[0], level(line[1])])
        .collect();
    let most = points.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p[1]));
    let most = if most.is_finite() { most } else { 0.0 };
    let floor = most - RANGE;
    let points = points.into_iter().map(|[f, l]| [f, l.max(floor)]).collect();
    let mut panel = Panel::new(
        Axis::linear("frequency", "kHz").from_to(0.0, 1e-3 * top),
        Axis::linear("level of velocity", "dB re 5e-8 m/s").from_to(floor, most + 4.0 + 7.0 * NAME_ROWS as f64),
    );
    panel.height = 260.0;
    panel.series.push(Series::line("", Role::First, points));
    let names = wheel.modes.iter().map(|mode| (1e-3 * mode.frequency, mode.name.as_str())).collect();
    for (f, row, name) in beside_each_other(names, 1e-3 * top) {
        let at = [f, most + 4.0 + 7.0 * row as f64];
        panel.notes.push(Note { at, text: name.to_string(), anchor: Anchor::Middle });
    }
    Figure::stacked(vec![panel]).titled("Spectrum of the velocity at the contact")
}

/// How far up there is something to see: what is above the modes, the lines of roughness and all that is heard is left out.
fn filled(wheel: &Wheel, heard: impl Iterator<Item = f64>, top: f64) -> f64 {
    let modes = wheel.modes.iter().map(|mode| mode.frequency);
    let rough = wheel.roughness.lines.iter().map(|line| line.frequency);
    (ROOM * modes.chain(rough).chain(heard.filter(|f| *f <= top)).fold(0.0, f64::max)).min(top)
}

/// Names at places on an axis of some length, each in the lowest row in which it covers no other; those that find none are left out.
fn beside_each_other(mut names: Vec<(f64, &str)>, length: f64) -> Vec<(f64, usize, &str)> {
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut ends = [f64::NEG_INFINITY; NAME_ROWS];
    let mut placed = Vec::new();
    for (x, name) in names {
        let half = 0.5 * LETTER * length * (name.chars().count() as f64 + 1.0);
        // Within the frame.
        let x = x.clamp(half, (length - half).max(half));
        if let Some(row) = ends.iter().position(|end| *end <= x - half) {
            ends[row] = x + half;
            placed.push((x, row, name));
        }
    }
    placed
}

/// The greatest amplitude in each of so many rows up to a frequency; a row between two lines has the nearest, so that lines that are
/// further apart than rows touch.
fn in_rows(lines: &[[f64; 2]], top: f64, rows: usize) -> Vec<f64> {
    let apart = lines.get(1).map_or(top, |line| line[0]);
    let height = top / rows as f64;
    let from = |j: usize| (j as f64 * height / apart).ceil() as usize;
    let amplitude = |j: usize| {
        let (first, end) = (from(j), from(j + 1).min(lines.len()));
        let nearest = ((j as f64 + 0.5) * height / apart).round() as usize;
        let own = if first < end { first..end } else { nearest..nearest + 1 };
        lines.get(own).unwrap_or_default().iter().map(|line| line[1]).fold(0.0, f64::max)
    };
    (0..rows).map(amplitude).collect()
}

/// Levels over time and frequency, and the pitch.
pub(super) struct Spectrogram {
    /// Both, as a figure.
    pub figure: Figure,
    /// The pitch alone.
    pub pitch: Figure,
    /// The levels, to be read.
    pub field: Field,
}

/// Levels over time and frequency; what nobody hears, below 0 dB, is as quiet as silence. The pitch, of the strongest line of each time, is
/// finer than the rows: between lines that are so far apart by its two highest.
pub(super) fn spectrogram_of(wheel: &Wheel, heard: &Heard, top: f64) -> Spectrogram {
    let piece = (2 * heard.v.len() / (TIMES + 1)).max(64);
    let pieces = spectrogram(&heard.v, heard.rate, piece);
    let all = || pieces.iter().flat_map(|(_, lines)| lines);
    let loudest = all().fold(f64::NEG_INFINITY, |m, line| m.max(level(line[1])));
    let top = filled(wheel, all().filter(|line| level(line[1]) > loudest - SHADES).map(|line| line[0]), top);
    let (columns, rows) = (pieces.len().max(1), BINS);
    let mut levels = vec![0.0; columns * rows];
    for (i, (_, lines)) in pieces.iter().enumerate() {
        for (j, amplitude) in in_rows(lines, top, rows).into_iter().enumerate() {
            levels[j * columns + i] = level(amplitude).max(0.0);
        }
    }
    let most = levels.iter().copied().fold(0.0, f64::max);
    let length = heard.v.len() as f64 / heard.rate;
    let ends = [heard.from, heard.from + length];
    let time = || Axis::linear("time", "s").from_to(ends[0], ends[1]);
    let mut map = Panel::new(time(), Axis::linear("frequency", "kHz").from_to(0.0, 1e-3 * top));
    map.height = 260.0;
    let edges = |count: usize, [from, to]: [f64; 2]| -> Vec<f64> {
        (0..=count).map(|k| from + (to - from) * k as f64 / count as f64).collect()
    };
    let unit = "dB re 5e-8 m/s";
    map.colours = Some(ColourMap {
        edges: [edges(columns, ends), edges(rows, [0.0, 1e-3 * top])],
        tints: levels.iter().map(|level| Tint::Value(if most > 0.0 { level / most } else { 0.0 })).collect(),
        scale: Some(ColourScale { axis: Axis::linear("level", unit), ends: [0.0, most.max(1.0)] }),
        contours: Vec::new(),
    });
    let pitches = |(t, lines): &(f64, Vec<[f64; 2]>)| {
        let found = strongest(lines).filter(|line| level(line[1]) > (loudest - SHADES).max(0.0))?;
        Some([heard.from + t, found[0]])
    };
    let pitches: Vec<[f64; 2]> = pieces.iter().filter_map(pitches).collect();
    let (low, high) = pitches.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), p| (l.min(p[1]), h.max(p[1])));
    let room = (PITCH_ROOM[0] * (high - low)).max(PITCH_ROOM[1] * high);
    let range = if high > 0.0 { [low - room, high + room] } else { [0.0, top] };
    let mut pitch = Panel::new(time(), Axis::linear("strongest line", "Hz").from_to(range[0], range[1]));
    pitch.height = 150.0;
    pitch.series.push(Series::dots("", Role::First, pitches));
    let axis = |label: &str, unit: &str, ends| FieldAxis { label: label.into(), unit: unit.into(), ends };
    let field = Field {
        name: "Spectrogram".into(),
        text: "Level of the velocity at the contact over time and frequency".into(),
        axes: [axis("time", "s", ends), axis("frequency", "kHz", [0.0, 1e-3 * top])],
        count: [columns, rows],
        quantities: vec![Quantity { name: "level".into(), shown: Shown::Values { unit: unit.into(), values: levels } }],
        equal: false,
    };
    Spectrogram {
        figure: Figure::stacked(vec![map, pitch.clone()]).titled("Spectrogram, and the strongest line of each time"),
        pitch: Figure::stacked(vec![pitch]).titled("The strongest line of each time"),
        field,
    }
}

/// All lines, up to half as many as there are samples a second; and those of the linear system, where it has some.
pub(super) fn spectrum_table(lines: &[[f64; 2]], linear: Option<&[[f64; 2]]>) -> DataTable {
    let header = ["frequency [Hz]", "amplitude [m/s]", "linear [m/s]"];
    let mut table = DataTable::new("spectrum", if linear.is_some() { &header } else { &header[..2] });
    for (k, line) in lines.iter().enumerate() {
        match linear.and_then(|linear| linear.get(k)) {
            Some(linear) => table.push(&[line[0], line[1], linear[1]]),
            None => table.push(line),
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_touch_and_none_is_lost() {
        // Lines 100 Hz apart in rows of 40 Hz: each fills the rows up to half-way to its neighbours.
        let wide: Vec<[f64; 2]> = (0..20).map(|k| [100.0 * f64::from(k), if k == 5 { 1.0 } else { 0.0 }]).collect();
        let loud =
            |rows: &[f64]| rows.iter().enumerate().filter(|(_, a)| **a > 0.0).map(|(j, _)| j).collect::<Vec<_>>();
        assert_eq!(loud(&in_rows(&wide, 1000.0, 25)), [11, 12, 13]);
        // Lines 10 Hz apart: each in its own row and in no other.
        for k in 0..100 {
            let fine: Vec<[f64; 2]> = (0..200).map(|i| [10.0 * f64::from(i), if i == k { 1.0 } else { 0.0 }]).collect();
            assert_eq!(loud(&in_rows(&fine, 1000.0, 25)), [(10 * k / 40) as usize], "{k}");
        }
    }

    #[test]
    fn names_do_not_cover_each_other() {
        let names = vec![(2.95, "4L1"), (1.0, "3L0"), (1.01, "0L1"), (1.02, "1C"), (1.03, "1L1"), (2.0, "4L0")];
        let placed = beside_each_other(names, 8.0);
        assert_eq!(placed.len(), 5, "three rows for four names at one place: {placed:?}");
        for (k, a) in placed.iter().enumerate() {
            for b in &placed[..k] {
                assert!(a.1 != b.1 || (a.0 - b.0).abs() > 0.2, "{a:?} {b:?}");
            }
        }
    }
}
