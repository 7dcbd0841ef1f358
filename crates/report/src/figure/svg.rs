//! An SVG document under construction: shapes in pixels, text in our labels' markup.

use std::fmt::Write;

use super::Anchor;
use crate::label;

/// The typefaces of all figures: a sans-serif that every system has.
pub(crate) const FONT: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// A rectangle on paper, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

impl Rect {
    pub(super) fn right(&self) -> f64 {
        self.x + self.w
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.h
    }
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) colour: &'static str,
    pub(super) bold: bool,
    pub(super) halo: bool,
}

impl Font {
    pub(super) const fn new(size: f64, colour: &'static str) -> Self {
        Self { size, colour, bold: false, halo: false }
    }

    pub(super) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) const fn halo(self) -> Self {
        Self { halo: true, ..self }
    }
}

/// The document.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    body: String,
}

/// A length in pixels: two decimals, no trailing zeros.
pub(crate) fn px(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Drawing {
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"{}\"/>",
            px(from[0]),
            px(from[1]),
            px(to[0]),
            px(to[1]),
            px(width)
        );
    }

    pub(super) fn rect(&mut self, r: Rect, fill: &str, stroke: Option<&str>) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"{}\"/>",
            px(r.x),
            px(r.y),
            px(r.w.max(0.0)),
            px(r.h.max(0.0)),
            stroke.unwrap_or("none")
        );
    }

    /// A path of SVG commands with further attributes, both written by this crate.
    pub(super) fn path(&mut self, commands: &str, attributes: &str) {
        if !commands.is_empty() {
            let _ = writeln!(self.body, "<path d=\"{commands}\" {attributes}/>");
        }
    }

    pub(super) fn text(&mut self, at: [f64; 2], anchor: Anchor, font: Font, text: &str) {
        self.text_turned(at, anchor, font, text, false);
    }

    /// Text that reads upwards when `turned`.
    pub(super) fn text_turned(&mut self, at: [f64; 2], anchor: Anchor, font: Font, text: &str, turned: bool) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (px(at[0]), px(at[1]));
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let mut more = String::new();
        if turned {
            let _ = write!(more, " transform=\"rotate(-90 {x} {y})\"");
        }
        if font.bold {
            more.push_str(" font-weight=\"600\"");
        }
        if font.halo {
            more.push_str(
                " stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" stroke-opacity=\"0.8\" paint-order=\"stroke\"",
            );
        }
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{}\" fill=\"{}\"{more}>{}</text>",
            px(font.size),
            font.colour,
            label::svg(text, font.size)
        );
    }

    /// Opens a window: what is drawn until [`Drawing::close_window`] is cut at the rectangle.
    ///
    /// A nested `svg` needs no identifier, so several figures can stand in one page.
    pub(super) fn open_window(&mut self, r: Rect) {
        let (x, y, w, h) = (px(r.x), px(r.y), px(r.w), px(r.h));
        let _ =
            writeln!(self.body, "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\">");
    }

    pub(super) fn close_window(&mut self) {
        self.body.push_str("</svg>\n");
    }

    /// Lines at 45° over a rectangle, this far apart: the second sign of a state, for greyscale.
    pub(super) fn hatch(&mut self, r: Rect, pitch: f64, colour: &str) {
        let mut commands = String::new();
        let first = ((r.x + r.y) / pitch).ceil();
        let last = ((r.right() + r.bottom()) / pitch).floor();
        let count = (last - first).clamp(-1.0, 4000.0);
        for i in 0..=(count as i64) {
            // On the line x + y = c, from the upper or right edge to the lower or left one.
            let c = (first + i as f64) * pitch;
            let x1 = (c - r.y).min(r.right());
            let x2 = (c - r.bottom()).max(r.x);
            if x1 > x2 {
                let _ = write!(commands, "M{} {}L{} {}", px(x1), px(c - x1), px(x2), px(c - x2));
            }
        }
        let attributes = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.9\" stroke-opacity=\"0.75\"");
        self.path(&commands, &attributes);
    }

    /// The finished document.
    pub(super) fn finish(self, width: f64, height: f64, title: &str) -> String {
        let (w, h) = (px(width), px(height));
        let title = label::escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"{FONT}\" role=\"img\" aria-label=\"{title}\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        )
    }
}
