//! Drawing a laid-out figure.

use std::fmt::Write;

use super::layout::{self, BESIDE, Frame, SMALL, STRIP, STRIP_GAP, TEXT, TITLE, axis_label};
use super::svg::{Drawing, Font, Rect, px};
use super::{Anchor, Band, Figure, Fill, Ribbon, Series, Strip, Style, WIDTH, colour, curve, legend, map, placement};
use crate::label;
use crate::palette::{self, Role, State};

/// The whole figure.
pub(super) fn figure(figure: &Figure) -> String {
    let layout = layout::layout(figure);
    let mut drawing = Drawing::default();
    let title = Font::new(TITLE, palette::INK).bold();
    drawing.text([10.0, 24.0], Anchor::Start, title, &figure.title);
    for frame in &layout.frames {
        panel(&mut drawing, frame);
    }
    drawing.finish(layout.width, layout.height, &in_words(figure))
}

/// What is drawn, for those who do not see it: the title, and what is drawn over what.
fn in_words(figure: &Figure) -> String {
    let panel = |panel: &super::Panel| {
        let names: Vec<&str> = panel.series.iter().map(|s| s.name.as_str()).filter(|name| !name.is_empty()).collect();
        let of = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let title = if panel.title.is_empty() { String::new() } else { format!("{}, ", panel.title) };
        format!("{title}{} against {}{of}", panel.y.label, panel.x.label)
    };
    let panels: Vec<String> = figure.panels.iter().map(panel).collect();
    let title = if figure.title.is_empty() { String::new() } else { format!("{}. ", figure.title) };
    format!("{title}{}", panels.join("; "))
}

fn panel(drawing: &mut Drawing, frame: &Frame) {
    let panel = frame.panel;
    let plot = frame.plot;
    let title = Font::new(TEXT + 0.5, palette::INK).bold();
    drawing.text([plot.x, frame.title_y], Anchor::Start, title, &panel.title);
    for entry in &frame.legend {
        legend::draw_entry(drawing, frame, entry);
    }
    for (i, strip) in panel.strips.iter().enumerate() {
        let y = frame.strips_y + i as f64 * (STRIP + STRIP_GAP);
        contact_strip(drawing, frame, strip, y);
    }
    drawing.open_window(plot);
    for band in &panel.bands {
        if let Some(r) = stretch(frame, band, plot.y, plot.h) {
            drawing.rect(r, band.state.wash(), None);
        }
    }
    if panel.regions.is_empty() && panel.colours.is_none() {
        grid(drawing, frame);
    }
    if let Some(colours) = &panel.colours {
        colour::cells(drawing, frame, colours);
        colour::contours(drawing, frame, &colours.contours);
    }
    if let Some(cells) = &panel.map {
        map::map(drawing, frame, cells);
    }
    map::cells(drawing, frame, &panel.cells);
    for region in &panel.regions {
        polygon(drawing, frame, &region.polygon, region.fill);
    }
    for ribbon in &panel.ribbons {
        band(drawing, frame, ribbon);
    }
    for series in &panel.series {
        curve_or_markers(drawing, frame, series);
    }
    map::arrows(drawing, frame, &panel.arrows);
    placement::label_regions(drawing, frame);
    for note in &panel.notes {
        if let (Some(x), Some(y)) = (frame.x.at(note.at[0]), frame.y.at(note.at[1])) {
            if panel.colours.is_some() {
                colour::word(drawing, [x, y], &note.text);
                continue;
            }
            let font = Font::new(SMALL, palette::INK).halo();
            drawing.text([x, y], note.anchor, font, &note.text);
        }
    }
    drawing.close_window();
    drawing.rect(plot, "none", Some(palette::FRAME));
    axes(drawing, frame);
    if let Some(scale) = panel.colours.as_ref().and_then(|colours| colours.scale.as_ref()) {
        colour::scale(drawing, frame, scale);
    }
}

/// A filled band: along its upper edge and back along its lower one, for each stretch without a gap.
fn band(drawing: &mut Drawing, frame: &Frame, ribbon: &Ribbon) {
    let mut commands = String::new();
    for stretch in ribbon.points.split(|point| point.iter().any(|value| !value.is_finite())) {
        let upper = stretch.iter().map(|point| [point[0], point[2]]);
        let lower = stretch.iter().rev().map(|point| [point[0], point[1]]);
        let mut verb = 'M';
        for [x, y] in upper.chain(lower) {
            if let (Some(x), Some(y)) = (frame.x.at(x), frame.y.at(y)) {
                let _ = write!(commands, "{verb}{} {}", px(x), px(y));
                verb = 'L';
            }
        }
        if verb == 'L' {
            commands.push('Z');
        }
    }
    drawing.path(&commands, &ribbon_style(ribbon));
}

pub(super) fn ribbon_style(ribbon: &Ribbon) -> String {
    format!("fill=\"{}\" fill-opacity=\"{}\" stroke=\"none\"", ribbon.role.colour(), px(ribbon.opacity))
}

fn grid(drawing: &mut Drawing, frame: &Frame) {
    let plot = frame.plot;
    for (value, _) in &frame.x_ticks.major {
        if let Some(x) = frame.x.at(*value) {
            drawing.line([x, plot.y], [x, plot.bottom()], palette::GRID, 1.0);
        }
    }
    for (value, _) in &frame.y_ticks.major {
        if let Some(y) = frame.y.at(*value) {
            // The line of zero is what the eye looks for in a signed quantity.
            let colour = if *value == 0.0 { palette::ZERO } else { palette::GRID };
            drawing.line([plot.x, y], [plot.right(), y], colour, 1.0);
        }
    }
}

fn axes(drawing: &mut Drawing, frame: &Frame) {
    let plot = frame.plot;
    let panel = frame.panel;
    let numbers = Font::new(SMALL, palette::MUTED);
    let words = Font::new(TEXT, palette::INK);
    for (value, text) in &frame.x_ticks.major {
        let Some(x) = frame.x.at(*value) else {
            continue;
        };
        drawing.line([x, plot.bottom()], [x, plot.bottom() + 4.0], palette::FRAME, 1.0);
        if frame.x_labelled {
            let at = [x, plot.bottom() + 16.0];
            drawing.text(at, Anchor::Middle, numbers, text);
        }
    }
    for value in &frame.x_ticks.minor {
        if let Some(x) = frame.x.at(*value) {
            drawing.line([x, plot.bottom()], [x, plot.bottom() + 2.5], palette::FRAME, 0.8);
        }
    }
    for (value, text) in &frame.y_ticks.major {
        let Some(y) = frame.y.at(*value) else {
            continue;
        };
        drawing.line([plot.x - 4.0, y], [plot.x, y], palette::FRAME, 1.0);
        drawing.text([plot.x - 7.0, y + 0.36 * SMALL], Anchor::End, numbers, text);
    }
    for value in &frame.y_ticks.minor {
        if let Some(y) = frame.y.at(*value) {
            drawing.line([plot.x - 2.5, y], [plot.x, y], palette::FRAME, 0.8);
        }
    }
    if frame.x_labelled {
        let at = [plot.x + plot.w / 2.0, plot.bottom() + 34.0];
        let text = axis_label(&panel.x, frame.x_ticks.exponent);
        drawing.text(at, Anchor::Middle, words, &text);
    }
    let text = axis_label(&panel.y, frame.y_ticks.exponent);
    // A label longer than its axis shrinks rather than run into its neighbour.
    let size = (TEXT * (plot.h + BESIDE) / label::width(&text, TEXT).max(1.0)).min(TEXT);
    let at = [frame.left + 18.0, plot.y + plot.h / 2.0];
    let words = Font { size, ..words };
    drawing.text_turned(at, Anchor::Middle, words, &text, true);
}

/// A strip: one rectangle per band, with the word in it where there is room.
fn contact_strip(drawing: &mut Drawing, frame: &Frame, strip: &Strip, y: f64) {
    let plot = frame.plot;
    let name = Font::new(SMALL, palette::INK);
    let at = [plot.x - 7.0, y + 0.5 * STRIP + 0.35 * SMALL];
    drawing.text(at, Anchor::End, name, &strip.contact);
    for band in &strip.bands {
        let Some(r) = stretch(frame, band, y, STRIP) else {
            continue;
        };
        // Of short bands nothing but their frames would be seen.
        if r.w < FRAMED {
            state_fill(drawing, r, band.state)
        } else {
            state_rect(drawing, r, band.state)
        }
        let word = band.state.word();
        if r.w > label::width(word, SMALL) + 12.0 {
            let at = [r.x + r.w / 2.0, y + 0.5 * STRIP + 0.32 * SMALL];
            let font = Font::new(SMALL, palette::INK).halo();
            drawing.text(at, Anchor::Middle, font, word);
        }
    }
}

/// Bands of strips that are at least so wide have a frame, in pixels.
const FRAMED: f64 = 4.0;

pub(super) fn state_rect(drawing: &mut Drawing, r: Rect, state: State) {
    state_fill(drawing, r, state);
    drawing.rect(r, "none", Some(palette::FRAME));
}

fn state_fill(drawing: &mut Drawing, r: Rect, state: State) {
    drawing.rect(r, state.tint(), None);
    if let Some((pitch, colour)) = state.hatch() {
        drawing.hatch(r, pitch, colour);
    }
}

/// The part of a band that the plot shows, at least half a pixel wide.
fn stretch(frame: &Frame, band: &Band, y: f64, h: f64) -> Option<Rect> {
    let plot = frame.plot;
    let from = frame.x.at(band.from)?.clamp(plot.x, plot.right());
    let to = frame.x.at(band.to)?.clamp(plot.x, plot.right());
    let range = frame.x.range;
    let outside = band.to < range.lo || band.from > range.hi;
    (!outside && band.to > band.from).then(|| Rect { x: from, y, w: (to - from).max(0.5), h })
}

fn polygon(drawing: &mut Drawing, frame: &Frame, corners: &[[f64; 2]], fill: Fill) {
    let mut commands = String::new();
    for &[x, y] in corners {
        if let (Some(x), Some(y)) = (frame.x.at(x), frame.y.at(y)) {
            let verb = if commands.is_empty() { 'M' } else { 'L' };
            let _ = write!(commands, "{verb}{} {}", px(x), px(y));
        }
    }
    if !commands.is_empty() {
        commands.push('Z');
    }
    let attributes =
        format!("fill=\"{}\" stroke=\"#6b747e\" stroke-width=\"0.9\" stroke-linejoin=\"round\"", fill.colour());
    drawing.path(&commands, &attributes);
}

fn curve_or_markers(drawing: &mut Drawing, frame: &Frame, series: &Series) {
    if series.style == Style::Dots {
        dots(drawing, frame, series);
        return;
    }
    if series.style != Style::Markers {
        let step = series.style == Style::Step;
        let commands = curve::path(&series.points, step, &frame.x, &frame.y, frame.plot);
        drawing.path(&commands, &stroke(series.role, series.width));
    }
    if matches!(series.style, Style::Markers | Style::LineAndMarkers) {
        let mut commands = String::new();
        for &[x, y] in &series.points {
            if let (Some(x), Some(y)) = (frame.x.at(x), frame.y.at(y)) {
                let near = |v: f64, a: f64, b: f64| v > a - 10.0 && v < b + 10.0;
                let plot = frame.plot;
                if near(x, plot.x, plot.right()) && near(y, plot.y, plot.bottom()) {
                    commands.push_str(&marker(series.role, [x, y]));
                }
            }
        }
        drawing.path(&commands, &marker_style(series.role));
    }
}

/// Radius of a dot in pixels, of a series of the usual width: of many, and of few.
const DOT: [f64; 2] = [1.2, 2.0];

/// Dots that are few.
const FEW: usize = 500;

/// Dots that fall on the same place on paper are one.
fn dots(drawing: &mut Drawing, frame: &Frame, series: &Series) {
    let mut places: Vec<(i64, i64)> = Vec::new();
    for [x, y] in &series.points {
        if let (Some(x), Some(y)) = (frame.x.at(*x), frame.y.at(*y)) {
            places.push(((4.0 * x).round() as i64, (4.0 * y).round() as i64));
        }
    }
    places.sort_unstable();
    places.dedup();
    let mut commands = String::new();
    let radius = DOT[usize::from(places.len() < FEW)] * series.width / WIDTH;
    for (x, y) in places {
        commands.push_str(&dot([x as f64 / 4.0, y as f64 / 4.0], radius));
    }
    drawing.path(&commands, &dot_style(series.role));
}

pub(super) fn dot([x, y]: [f64; 2], radius: f64) -> String {
    let (r, d) = (px(radius), px(2.0 * radius));
    format!("M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z", px(x - radius), px(y))
}

pub(super) fn dot_style(role: Role) -> String {
    format!("fill=\"{}\" stroke=\"none\"", role.colour())
}

pub(super) fn stroke(role: Role, width: f64) -> String {
    let mut text =
        format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", role.colour(), px(width));
    let dashes: Vec<String> = role.dash().iter().map(u8::to_string).collect();
    if !dashes.is_empty() {
        let _ = write!(text, " stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    text
}

pub(super) fn marker_style(role: Role) -> String {
    format!("fill=\"#fff\" stroke=\"{}\" stroke-width=\"1.5\"", role.colour())
}

/// A marker of about 8 pixels: circle, square, triangle, diamond, by role.
pub(super) fn marker(role: Role, [x, y]: [f64; 2]) -> String {
    let (x, y) = ((x * 100.0).round() / 100.0, (y * 100.0).round() / 100.0);
    match role {
        Role::Second => format!("M{} {}h7v7h-7Z", px(x - 3.5), px(y - 3.5)),
        Role::Third => format!("M{} {}l4.4 7.6h-8.8Z", px(x), px(y - 5.0)),
        Role::Fourth => format!("M{} {}l4.6 4.6l-4.6 4.6l-4.6 -4.6Z", px(x), px(y - 4.6)),
        _ => format!("M{} {}a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0 -7.4 0Z", px(x - 3.7), px(y)),
    }
}

impl Fill {
    /// The colour of the fill.
    pub fn colour(self) -> &'static str {
        match self {
            Self::Stick => palette::STICK_TINT,
            Self::Mixed => palette::STICK_PALE,
            Self::Slip => palette::SLIP_PALE,
            Self::Plain => "#ffffff",
            Self::Class(class) => colour::class_colour(class),
        }
    }
}
