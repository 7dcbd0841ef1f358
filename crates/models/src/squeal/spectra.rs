//! Spectra of what was heard, as pictures, words and a table.

use stickslip_report::figure::{Anchor, Axis, Figure, Map, Note, Panel, Series, Shade};
use stickslip_report::palette::Role;
use stickslip_run::text::{number_to, percent};
use stickslip_run::view::DataTable;
use stickslip_squeal::spectrum::{spectrogram, strongest};
use stickslip_squeal::{Wheel, sound};

use super::charts::{POINTS, shares};
use super::listening::Heard;

/// Rows of names above a spectrum, and the width of a letter over that of the figure.
const NAME_ROWS: usize = 3;
const LETTER: f64 = 0.01;

/// Room above the highest thing that is seen.
const ROOM: f64 = 1.15;

/// Range of levels below the strongest line that a spectrum shows \[dB\].
const RANGE: f64 = 100.0;

/// The same of a spectrogram, and its times and frequencies.
const SHADES: f64 = 60.0;
const TIMES: usize = 90;
const BINS: usize = 70;

fn level(amplitude: f64) -> f64 {
    20.0 * (amplitude / std::f64::consts::SQRT_2 / sound::REFERENCE).max(1e-12).log10()
}

/// The strongest line and the mode that it belongs to, in words.
pub(super) fn spectrum_words(wheel: &Wheel, lines: &[[f64; 2]], heard: &Heard) -> String {
    match strongest(lines).filter(|line| level(line[1]) > 0.0) {
        None => "Nothing is left of the motion that could be heard.".into(),
        Some([frequency, amplitude]) => {
            let nearest = wheel
                .modes
                .iter()
                .min_by(|a, b| (a.frequency - frequency).abs().total_cmp(&(b.frequency - frequency).abs()));
            let shares = shares(heard);
            let strongest = shares.iter().zip(&wheel.modes).max_by(|a, b| a.0.total_cmp(b.0));
            format!(
                "The strongest line is at {} Hz with {} dB re 5e-8 m/s{}. {}",
                number_to(frequency, 6),
                number_to(level(amplitude), 4),
                nearest.map_or_else(String::new, |mode| format!(
                    ", beside the mode {} of {} Hz",
                    mode.name,
                    number_to(mode.frequency, 5)
                )),
                strongest.map_or_else(String::new, |(share, mode)| format!(
                    "The mode {} has {} of the modes' squared velocities at the contact.",
                    mode.name,
                    percent(*share)
                ))
            )
        }
    }
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

/// How far up there is something to see: what is above the modes and all that is heard is left out.
fn filled(wheel: &Wheel, heard: impl Iterator<Item = f64>, top: f64) -> f64 {
    let modes = wheel.modes.iter().map(|mode| mode.frequency);
    (ROOM * modes.chain(heard.filter(|f| *f <= top)).fold(0.0, f64::max)).min(top)
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

/// Levels over time and frequency.
pub(super) fn spectrogram_figure(wheel: &Wheel, heard: &Heard, top: f64) -> Figure {
    let piece = (2 * heard.v.len() / (TIMES + 1)).max(64);
    let pieces = spectrogram(&heard.v, heard.rate, piece);
    let all = || pieces.iter().flat_map(|(_, lines)| lines);
    let loudest = all().fold(f64::NEG_INFINITY, |m, line| m.max(level(line[1])));
    let top = filled(wheel, all().filter(|line| level(line[1]) > loudest - SHADES).map(|line| line[0]), top);
    let (columns, rows) = (pieces.len().max(1), BINS);
    let mut levels = vec![f64::NEG_INFINITY; columns * rows];
    for (i, (_, lines)) in pieces.iter().enumerate() {
        for (j, amplitude) in in_rows(lines, top, rows).into_iter().enumerate() {
            levels[j * columns + i] = level(amplitude);
        }
    }
    let most = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shade = |level: &f64| {
        let share = (level - most + SHADES) / SHADES;
        if share > 0.0 { Shade::Level(share.min(1.0)) } else { Shade::Empty }
    };
    let length = heard.v.len() as f64 / heard.rate;
    let mut panel = Panel::new(
        Axis::linear("time", "s").from_to(heard.from, heard.from + length),
        Axis::linear("frequency", "kHz").from_to(0.0, 1e-3 * top),
    );
    panel.height = 260.0;
    panel.map = Some(Map {
        columns,
        origin: [heard.from, 0.0],
        size: [length / columns as f64, 1e-3 * top / rows as f64],
        shades: levels.iter().map(shade).collect(),
    });
    Figure::stacked(vec![panel]).titled("Spectrogram: the darker, the louder (60 dB)")
}

/// Lines up to a frequency.
pub(super) fn spectrum_table(lines: &[[f64; 2]], top: f64) -> DataTable {
    let mut table = DataTable::new("spectrum", &["frequency [Hz]", "amplitude [m/s]"]);
    lines.iter().filter(|line| line[0] <= top).for_each(|line| table.push(line));
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
