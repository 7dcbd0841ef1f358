//! Maps of a parameter space: a colour for each cell of a grid whose lines may lie anywhere, contour lines with their values, and a
//! scale beside the plot.

use std::fmt::Write;

use super::curve;
use super::layout::{Frame, SMALL, TEXT, axis_label};
use super::range::{Mapping, Range};
use super::svg::{Drawing, Font, Rect, px};
use super::tick::ticks;
use super::{Anchor, Axis, Scale};
use crate::label;

/// Coloured cells, drawn under everything else.
#[derive(Debug, Clone, PartialEq)]
pub struct ColourMap {
    /// Edges of the cells along x and y, one more than there are cells, in the units of the axes.
    pub edges: [Vec<f64>; 2],
    /// What each cell shows, x running first.
    pub tints: Vec<Tint>,
    /// What colours of values mean; none for classes.
    pub scale: Option<ColourScale>,
    /// Lines of equal values.
    pub contours: Vec<Contour>,
}

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tint {
    /// Nothing.
    Empty,
    /// A value, by its place on the scale, 0…1.
    Value(f64),
    /// A class, by its number.
    Class(usize),
}

/// The scale of a map: what is measured, from its least to its greatest value.
#[derive(Debug, Clone, PartialEq)]
pub struct ColourScale {
    /// What is measured, and its unit.
    pub axis: Axis,
    /// The values at its ends.
    pub ends: [f64; 2],
}

/// A line of equal values, or the border of a class; a point that is not finite interrupts it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    /// Its points, in the units of the axes.
    pub points: Vec<[f64; 2]>,
    /// The value, as it is written on the line; may be empty.
    pub label: String,
}

/// From bright to dark in equal steps of lightness, and never so dark that lines and words on it cannot be read: yellow, green, blue
/// (after ColorBrewer's YlGnBu, which those who do not see red or green can read).
pub const STOPS: [[f64; 3]; 6] = [
    [255.0, 255.0, 217.0],
    [225.0, 243.0, 178.0],
    [176.0, 223.0, 183.0],
    [115.0, 200.0, 189.0],
    [64.0, 176.0, 196.0],
    [42.0, 141.0, 190.0],
];

/// Pale colours of classes, apart in hue and in lightness (after Okabe and Ito).
pub const CLASSES: [&str; 8] = ["#bfe0f2", "#f6d9a0", "#7fbfa5", "#f0c3da", "#f7f1a8", "#e2a587", "#8fb3d9", "#d8d8d8"];

/// Steps of colour: more than the eye tells apart.
const STEPS: usize = 64;

/// Words and lines on the map. They do not change with the paper, since the map does not.
const ON_MAP: &str = "#20293a";

/// Width of the scale and of all that stands beside the plot for it \[pixels\].
const BAR: f64 = 14.0;
const ROOM: f64 = 92.0;

/// The colour of a place on the scale.
pub(crate) fn colour_at(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let k = (at as usize).min(STOPS.len() - 2);
    let mix = |c: usize| (STOPS[k][c] + (at - k as f64) * (STOPS[k + 1][c] - STOPS[k][c])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The colour of a class.
pub(super) fn class_colour(class: usize) -> &'static str {
    CLASSES[class % CLASSES.len()]
}

/// Room that a scale takes beside a plot \[pixels\].
pub(super) fn room(map: Option<&ColourMap>) -> f64 {
    if map.is_some_and(|map| map.scale.is_some()) { ROOM } else { 0.0 }
}

/// What the cells of one colour have in common.
fn key(tint: Tint) -> Option<usize> {
    match tint {
        Tint::Empty => None,
        Tint::Value(share) if !share.is_finite() => None,
        Tint::Value(share) => Some(((share * STEPS as f64) as usize).min(STEPS - 1)),
        Tint::Class(class) => Some(STEPS + class % CLASSES.len()),
    }
}

/// Draws the cells: one path for all of a colour, runs of equal neighbours as one rectangle.
pub(super) fn cells(drawing: &mut Drawing, frame: &Frame, map: &ColourMap) {
    let columns = map.edges[0].len().saturating_sub(1).max(1);
    let mut paths = vec![String::new(); STEPS + CLASSES.len()];
    for (j, row) in map.tints.chunks(columns).enumerate() {
        let mut begin = 0;
        for i in 1..=row.len() {
            if i < row.len() && key(row[i]) == key(row[begin]) {
                continue;
            }
            if let (Some(key), Some(edges)) = (key(row[begin]), edges(frame, map, [begin, i], j)) {
                // Edges and not widths: neighbours have the very same edge, with no gap of rounding between them.
                let [left, right, bottom, top] = edges.map(px);
                let _ = write!(paths[key], "M{left} {top}H{right}V{bottom}H{left}Z");
            }
            begin = i;
        }
    }
    for (key, path) in paths.iter().enumerate() {
        let colour = match key.checked_sub(STEPS) {
            Some(class) => class_colour(class).to_owned(),
            None => colour_at((key as f64 + 0.5) / STEPS as f64),
        };
        drawing.path(path, &format!("fill=\"{colour}\" stroke=\"none\" shape-rendering=\"crispEdges\""));
    }
}

/// Left, right, lower and upper edge of cells begin…end − 1 in row j \[pixels\].
fn edges(frame: &Frame, map: &ColourMap, [begin, end]: [usize; 2], j: usize) -> Option<[f64; 4]> {
    let x = |i: usize| frame.x.at(*map.edges[0].get(i)?);
    let y = |j: usize| frame.y.at(*map.edges[1].get(j)?);
    Some([x(begin)?, x(end)?, y(j)?, y(j + 1)?])
}

/// Draws lines of equal values, each with its value where the line is longest and the word has room.
pub(super) fn contours(drawing: &mut Drawing, frame: &Frame, contours: &[Contour]) {
    let mut taken: Vec<Rect> = Vec::new();
    for contour in contours {
        let path = curve::path(&contour.points, false, &frame.x, &frame.y, frame.plot);
        drawing.path(&path, &format!("fill=\"none\" stroke=\"{ON_MAP}\" stroke-width=\"1\" stroke-linejoin=\"round\""));
    }
    // Words come last, so that no line crosses them.
    for contour in contours.iter().filter(|contour| !contour.label.is_empty()) {
        if let Some(place) = label_place(frame, contour, &taken) {
            word(drawing, [place.x + 0.5 * place.w, place.y + 0.78 * place.h], &contour.label);
            taken.push(place);
        }
    }
}

/// Where the value of a line may stand: on the line, inside the plot, off other words; as near to its middle as can be.
fn label_place(frame: &Frame, contour: &Contour, taken: &[Rect]) -> Option<Rect> {
    let pieces = contour.points.split(|point| !point[0].is_finite() || !point[1].is_finite());
    let longest = pieces.max_by_key(|piece| piece.len())?;
    let (w, h) = (label::width(&contour.label, SMALL) + 6.0, SMALL + 4.0);
    let plot = frame.plot;
    let middle = longest.len() / 2;
    let mut order: Vec<usize> = (0..longest.len()).collect();
    order.sort_by_key(|k| k.abs_diff(middle));
    order.into_iter().find_map(|k| {
        let (x, y) = (frame.x.at(longest[k][0])?, frame.y.at(longest[k][1])?);
        let r = Rect { x: x - 0.5 * w, y: y - 0.5 * h, w, h };
        let inside = r.x > plot.x + 2.0 && r.right() < plot.right() - 2.0 && r.y > plot.y && r.bottom() < plot.bottom();
        let free = taken.iter().all(|t| r.right() < t.x || t.right() < r.x || r.bottom() < t.y || t.bottom() < r.y);
        (inside && free).then_some(r)
    })
}

/// A word on the map.
pub(super) fn word(drawing: &mut Drawing, at: [f64; 2], text: &str) {
    drawing.text(at, Anchor::Middle, Font::new(SMALL, ON_MAP).halo(), text);
}

/// Draws the scale beside the plot: colours, ticks with numbers, what is measured.
pub(super) fn scale(drawing: &mut Drawing, frame: &Frame, scale: &ColourScale) {
    let plot = frame.plot;
    let bar = Rect { x: plot.right() + 14.0, y: plot.y, w: BAR, h: plot.h };
    for k in 0..STEPS {
        let height = plot.h / STEPS as f64;
        // Half a pixel more, so that no paper shines through between two steps.
        let r = Rect { x: bar.x, y: plot.bottom() - (k + 1) as f64 * height, w: BAR, h: height + 0.5 };
        drawing.rect(r, &colour_at((k as f64 + 0.5) / STEPS as f64), None);
    }
    drawing.rect(bar, "none", Some(crate::palette::FRAME));
    let range = Range { lo: scale.ends[0], hi: scale.ends[1] };
    let found = ticks(range, Scale::Linear, (plot.h / 50.0).max(2.0) as usize);
    let mapping = Mapping { scale: Scale::Linear, range, from: plot.bottom(), to: plot.y };
    let mut widest: f64 = 0.0;
    for (value, text) in &found.major {
        let Some(y) = mapping.at(*value) else { continue };
        drawing.line([bar.right(), y], [bar.right() + 4.0, y], crate::palette::FRAME, 1.0);
        let numbers = Font::new(SMALL, crate::palette::MUTED);
        drawing.text([bar.right() + 6.0, y + 0.36 * SMALL], Anchor::Start, numbers, text);
        widest = widest.max(label::width(text, SMALL));
    }
    let text = axis_label(&scale.axis, found.exponent);
    let size = (TEXT * (plot.h + 24.0) / label::width(&text, TEXT).max(1.0)).min(TEXT);
    let at = [(bar.right() + widest + 22.0).min(plot.right() + ROOM - 2.0), plot.y + plot.h / 2.0];
    drawing.text_turned(at, Anchor::Middle, Font::new(size, crate::palette::INK), &text, true);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(colour: &str) -> f64 {
        let part = |k: usize| f64::from(u8::from_str_radix(&colour[k..k + 2], 16).expect("hex")) / 255.0;
        let linear = |c: f64| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
    }

    #[test]
    fn colours_grow_darker_all_the_way_and_words_stand_out() {
        let shades: Vec<f64> = (0..STEPS).map(|k| lightness(&colour_at(k as f64 / (STEPS - 1) as f64))).collect();
        assert!(shades.windows(2).all(|two| two[1] < two[0]), "grey copies keep the order");
        let ink = lightness(ON_MAP);
        let contrast = |light: f64| (light + 0.05) / (ink + 0.05);
        assert!(shades.iter().all(|light| contrast(*light) > 3.8), "{:?}", shades.last());
        assert!(CLASSES.iter().all(|class| contrast(lightness(class)) > 4.5));
    }

    /// Maps in pages have the colours of still ones: words about them hold for both.
    #[test]
    fn pages_have_the_same_colours() {
        let stops: Vec<String> = STOPS.iter().map(|[r, g, b]| format!("[{r}, {g}, {b}]")).collect();
        assert!(include_str!("../../assets/field.js").contains(&format!("const STOPS = [{}];", stops.join(", "))));
    }
}
