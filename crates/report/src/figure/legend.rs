//! Legends: entries in rows above the plot, each a sample and a name.

use super::draw::{dot, dot_style, marker, marker_style, ribbon_style, state_rect, stroke};
use super::layout::{Frame, TEXT};
use super::svg::{Drawing, Font, Rect, px};
use super::{Anchor, Fill, Panel, Shade, Style, WIDTH};
use crate::label;
use crate::palette::{self, State};

/// Height of a row in pixels.
pub(super) const LEGEND_ROW: f64 = 19.0;

/// Length of the sample before a legend's text.
const SAMPLE: f64 = 26.0;

/// One entry of a legend.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) x: f64,
    pub(super) row: usize,
    pub(super) key: Key,
    pub(super) text: String,
}

/// What an entry of a legend explains.
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    Series(usize),
    Ribbon(usize),
    Fill(Fill),
    State(State),
}

/// Entries of the legend in rows that fit between `left` and `right`.
pub(super) fn legend(panel: &Panel, left: f64, right: f64, explain_states: bool) -> (Vec<Entry>, usize) {
    let series = panel.series.iter().enumerate();
    let mut keys: Vec<(Key, String)> = series
        .filter(|(_, series)| !series.name.is_empty())
        .map(|(i, series)| (Key::Series(i), series.name.clone()))
        .collect();
    let ribbons = panel.ribbons.iter().enumerate().filter(|(_, ribbon)| !ribbon.name.is_empty());
    keys.extend(ribbons.map(|(i, ribbon)| (Key::Ribbon(i), ribbon.name.clone())));
    for (fill, name) in &panel.fills {
        keys.push((Key::Fill(*fill), name.clone()));
    }
    if explain_states {
        let strips = panel.strips.iter().flat_map(|strip| &strip.bands);
        let bands: Vec<_> = strips.chain(&panel.bands).collect();
        for state in State::ALL {
            let mapped = panel.map.as_ref().is_some_and(|map| map.shades.contains(&Shade::State(state)));
            if mapped || bands.iter().any(|band| band.state == state) {
                keys.push((Key::State(state), state.word().to_owned()));
            }
        }
    }
    let (mut x, mut row) = (left, 0);
    let mut entries = Vec::new();
    for (key, text) in keys {
        let width = SAMPLE + 6.0 + label::width(&text, TEXT);
        if x > left && x + width > right {
            x = left;
            row += 1;
        }
        entries.push(Entry { x, row, key, text });
        x += width + 18.0;
    }
    let rows = if entries.is_empty() { 0 } else { row + 1 };
    (entries, rows)
}

/// Draws one entry.
pub(super) fn draw_entry(drawing: &mut Drawing, frame: &Frame, entry: &Entry) {
    let middle = frame.legend_y + entry.row as f64 * LEGEND_ROW + 0.4 * LEGEND_ROW;
    let swatch = Rect { x: entry.x, y: middle - 5.0, w: SAMPLE - 4.0, h: 10.0 };
    match entry.key {
        Key::Series(i) => {
            let series = &frame.panel.series[i];
            if !matches!(series.style, Style::Markers | Style::Dots) {
                let line = format!("M{} {m}L{} {m}", px(entry.x), px(entry.x + SAMPLE), m = px(middle));
                drawing.path(&line, &stroke(series.role, series.width));
            }
            if series.style == Style::Dots {
                let row = [5.0, 13.0, 21.0].map(|x| dot([entry.x + x, middle], 2.0 * series.width / WIDTH)).concat();
                drawing.path(&row, &dot_style(series.role));
            }
            if matches!(series.style, Style::Markers | Style::LineAndMarkers) {
                let centre = [entry.x + SAMPLE / 2.0, middle];
                drawing.path(&marker(series.role, centre), &marker_style(series.role));
            }
        }
        Key::Ribbon(i) => {
            let (x, y) = (px(swatch.x), px(swatch.y));
            let path = format!("M{x} {y}h{}v10h-{0}Z", px(swatch.w));
            drawing.path(&path, &ribbon_style(&frame.panel.ribbons[i]));
        }
        Key::Fill(fill) => drawing.rect(swatch, fill.colour(), Some(palette::FRAME)),
        Key::State(state) => state_rect(drawing, swatch, state),
    }
    let at = [entry.x + SAMPLE + 6.0, middle + 0.35 * TEXT];
    let font = Font::new(TEXT, palette::INK);
    drawing.text(at, Anchor::Start, font, &entry.text);
}
