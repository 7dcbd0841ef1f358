//! A frame as SVG, and what a script has to change in it to show another one.

use std::fmt::Write;

use serde::Serialize;

use super::{Affine, Motion, Paint, Shape, Tone};
use crate::figure::px;
use crate::label;
use crate::palette;

/// Width of a picture in pixels; the height follows from its window.
pub(crate) const WIDTH: f64 = 720.0;

/// Size of text in pixels.
const TEXT: f64 = 15.0;

/// Length of the head of an arrow.
const HEAD: f64 = 10.0;

/// Distance of the strokes of a hatching.
const PITCH: f64 = 16.0;

/// Distance and length of the dashes of a road.
const DASH: [f64; 2] = [48.0, 24.0];

/// Length of the cross lines of a belt.
const RIB: f64 = 7.0;

/// Teeth of a spring.
const TEETH: usize = 10;

/// A frame: the elements, and how those of class `m` move, in order.
pub(crate) struct Drawn {
    pub(crate) body: String,
    pub(crate) height: f64,
    pub(crate) moves: Vec<Move>,
}

/// How an element moves; expressions are in pixels and degrees.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct Move {
    /// x, y and angle of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<[Affine; 3]>,
    /// Ends of a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<[Affine; 4]>,
    /// Foot and extent of an arrow.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrow: Option<[Affine; 4]>,
    /// Ends of a spring, and half its width.
    #[serde(skip_serializing_if = "Option::is_none")]
    spring: Option<[Affine; 5]>,
    /// Way of a hatching, and its pitch.
    #[serde(skip_serializing_if = "Option::is_none")]
    hatch: Option<[Affine; 2]>,
    /// Channel of the state that fills it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<usize>,
    /// Channel of the state that is written, and the words before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<(usize, String)>,
}

/// Draws the frame of the instant at which the channels have these values.
pub(crate) fn draw(motion: &Motion, channels: &[f64]) -> Drawn {
    let [[x0, x1], [y0, y1]] = motion.window;
    let scale = WIDTH / (x1 - x0);
    let mut pen =
        Pen { motion, channels, scale, origin: [-x0 * scale, y1 * scale], body: String::new(), moves: Vec::new() };
    pen.shapes(&motion.shapes);
    Drawn { body: pen.body, height: (y1 - y0) * scale, moves: pen.moves }
}

struct Pen<'a> {
    motion: &'a Motion,
    channels: &'a [f64],
    scale: f64,
    /// Where the origin of the shapes stands, in pixels.
    origin: [f64; 2],
    body: String,
    moves: Vec<Move>,
}

impl Pen<'_> {
    fn shapes(&mut self, shapes: &[Shape]) {
        shapes.iter().for_each(|shape| self.shape(shape));
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Circle { at, radius, paint } => {
                let [x, y] = self.still(*at);
                let r = px(radius * self.scale);
                self.painted(&format!("circle cx=\"{}\" cy=\"{}\" r=\"{r}\"", px(x), px(y)), paint);
            }
            Shape::Rectangle { at, size, round, paint } => {
                let [x, y] = self.still(*at);
                let [w, h] = size.map(|side| side * self.scale);
                let (left, top, round) = (px(x - w / 2.0), px(y - h / 2.0), px(round * self.scale));
                let element =
                    format!("rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"{round}\"", px(w), px(h));
                self.painted(&element, paint);
            }
            Shape::Polyline { points, closed, paint } => {
                let points: Vec<String> = points.iter().map(|p| self.still(*p).map(px).join(" ")).collect();
                let end = if *closed { "Z" } else { "" };
                self.painted(&format!("path d=\"M{}{end}\"", points.join("L")), paint);
            }
            Shape::Line { from, to, paint } => {
                let ends = [self.point(from), self.point(to)].concat();
                self.line(ends, paint);
            }
            Shape::Arrow { from, by, tone } => {
                let [x, y] = self.point(from);
                let [dx, dy] = self.way(by);
                let commands = arrow([&x, &y, &dx, &dy].map(|v| v.at(self.channels)));
                let colour = tone.colour();
                let style =
                    format!("stroke=\"{colour}\" fill=\"{colour}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"");
                let all = [x, y, dx, dy];
                let still = all.iter().all(Affine::is_constant);
                self.element(
                    &format!("path d=\"{commands}\" {style}"),
                    Move { arrow: Some(all), ..Move::default() },
                    still,
                );
            }
            Shape::Spring { from, to, half } => self.spring(from, to, *half),
            Shape::Ground { y, x, shift } => self.ground(*y, *x, shift),
            Shape::Belt { y, x, thick, shift } => self.belt(*y, *x, *thick, shift),
            Shape::Lane { y, x, shift } => self.lane(*y, *x, shift),
            Shape::Text { at, text, state, tone } => self.text(*at, text, *state, *tone),
            Shape::Group { at, turn, shapes } => self.group(at, turn, shapes),
        }
    }

    fn line(&mut self, ends: Vec<Affine>, paint: &Paint) {
        let Ok(ends) = <[Affine; 4]>::try_from(ends) else { return };
        let [a, b, c, d] = ends.each_ref().map(|v| px(v.at(self.channels)));
        let style = style(paint, None);
        let still = ends.iter().all(Affine::is_constant);
        let element = format!("line x1=\"{a}\" y1=\"{b}\" x2=\"{c}\" y2=\"{d}\" {style}");
        self.element(&element, Move { line: Some(ends), ..Move::default() }, still);
    }

    fn spring(&mut self, from: &super::Point, to: &super::Point, half: f64) {
        let ([a, b], [c, d]) = (self.point(from), self.point(to));
        let all = [a, b, c, d, Affine::from(half * self.scale)];
        let commands = spring(all.each_ref().map(|v| v.at(self.channels)));
        let style = style(&Paint::outline(Tone::Ink, 1.5), None);
        let still = all.iter().all(Affine::is_constant);
        self.element(&format!("path d=\"{commands}\" {style}"), Move { spring: Some(all), ..Move::default() }, still);
    }

    fn ground(&mut self, y: f64, x: [f64; 2], shift: &Affine) {
        let [left, top] = self.still([x[0], y]);
        let [right, _] = self.still([x[1], y]);
        let depth = 12.0;
        let stroke = format!("l-{0} {0}", px(depth));
        self.passing([left, top], [right - left, depth + 2.0], shift, (PITCH, &stroke, 1.2));
        let ends = [[left, top], [right, top]].concat().into_iter().map(Affine::from).collect();
        self.line(ends, &Paint::outline(Tone::Ink, 2.0));
    }

    /// The belt as an outline about two rollers; cross lines on its upper run move.
    fn belt(&mut self, y: f64, [from, to]: [f64; 2], thick: f64, shift: &Affine) {
        let (middle, half) = (y - 0.5 * thick, 0.5 * thick);
        let at = [0.5 * (from + to), middle];
        self.shape(&Shape::Rectangle { at, size: [to - from, thick], round: half, paint: Paint::filled(Tone::Paper) });
        for x in [from + half, to - half] {
            self.shape(&Shape::Circle { at: [x, middle], radius: 0.62 * half, paint: Paint::filled(Tone::Body) });
        }
        let [left, top] = self.still([from + half, y]);
        let [right, _] = self.still([to - half, y]);
        self.passing([left, top], [right - left, RIB], shift, (PITCH, &format!("v{RIB}"), 1.5));
    }

    /// Dashes along a line.
    fn lane(&mut self, y: f64, [from, to]: [f64; 2], shift: &Affine) {
        let [left, top] = self.still([from, y]);
        let [right, _] = self.still([to, y]);
        let [pitch, length] = DASH;
        self.passing([left, top - 1.0], [right - left, 2.0], shift, (pitch, &format!("h{length}"), 4.0));
    }

    /// Equal strokes at equal distances, all of which move to the right.
    fn passing(
        &mut self,
        [left, top]: [f64; 2],
        [w, h]: [f64; 2],
        shift: &Affine,
        (pitch, stroke, width): (f64, &str, f64),
    ) {
        // A window of its own cuts the strokes at its ends, and needs no identifier.
        let [x, y, wide, high] = [left, top, w, h].map(px);
        let _ = write!(self.body, "<svg x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\"><g");
        let mut strokes = String::new();
        let mut foot = -2.0 * pitch;
        while foot < w + 2.0 * pitch {
            let _ = write!(strokes, "M{} 0{stroke}", px(foot));
            foot += pitch;
        }
        let shift = shift.clone() * self.scale;
        let way = shift.at(self.channels).rem_euclid(pitch);
        let class = if shift.is_constant() { "" } else { " class=\"m\"" };
        let _ = write!(self.body, "{class} transform=\"translate({} 0)\">", px(way));
        if !shift.is_constant() {
            self.moves.push(Move { hatch: Some([shift, Affine::from(pitch)]), ..Move::default() });
        }
        let style = format!("stroke=\"{}\" stroke-width=\"{width}\" fill=\"none\"", palette::MUTED);
        let _ = write!(self.body, "<path d=\"{strokes}\" {style}/></g></svg>");
    }

    fn text(&mut self, at: [f64; 2], text: &str, state: Option<super::Channel>, tone: Tone) {
        let [x, y] = self.still(at);
        let head = format!(
            "text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"{TEXT}\" fill=\"{}\"",
            px(x),
            px(y + 0.35 * TEXT),
            tone.colour()
        );
        let Some(channel) = state else {
            let _ = write!(self.body, "<{head}>{}</text>", label::svg(text, TEXT));
            return;
        };
        let number = self.channels.get(channel.number()).copied().unwrap_or(0.0);
        let word = self.motion.appearance(number).map_or("", |appearance| &appearance.word);
        let _ = write!(self.body, "<{head} class=\"m\">{}</text>", label::escape(&format!("{text}{word}")));
        self.moves.push(Move { word: Some((channel.number(), text.to_owned())), ..Move::default() });
    }

    fn group(&mut self, at: &super::Point, turn: &Affine, shapes: &[Shape]) {
        let [x, y] = self.point(at);
        let angle = turn.clone() * -(180.0 / std::f64::consts::PI);
        let place = [x, y, angle];
        let [x, y, angle] = place.each_ref().map(|v| px(v.at(self.channels)));
        let still = place.iter().all(Affine::is_constant);
        let class = if still { "" } else { " class=\"m\"" };
        let _ = write!(self.body, "<g{class} transform=\"translate({x} {y}) rotate({angle})\">");
        if !still {
            self.moves.push(Move { place: Some(place), ..Move::default() });
        }
        let outside = std::mem::replace(&mut self.origin, [0.0; 2]);
        self.shapes(shapes);
        self.origin = outside;
        self.body.push_str("</g>");
    }

    /// An element that may be filled by a state.
    fn painted(&mut self, element: &str, paint: &Paint) {
        let state = paint.state.map(super::Channel::number);
        let number = state.and_then(|k| self.channels.get(k)).copied();
        let tone = number.and_then(|number| self.motion.appearance(number)).map(|appearance| appearance.tone);
        let element = format!("{element} {}", style(paint, tone));
        self.element(&element, Move { fill: state, ..Move::default() }, state.is_none());
    }

    fn element(&mut self, element: &str, motion: Move, still: bool) {
        let class = if still { "" } else { " class=\"m\"" };
        let _ = write!(self.body, "<{element}{class}/>");
        if !still {
            self.moves.push(motion);
        }
    }

    fn still(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.origin[0] + x * self.scale, self.origin[1] - y * self.scale]
    }

    fn point(&self, [x, y]: &super::Point) -> [Affine; 2] {
        [x.clone() * self.scale + self.origin[0], y.clone() * -self.scale + self.origin[1]]
    }

    fn way(&self, [x, y]: &super::Point) -> [Affine; 2] {
        [x.clone() * self.scale, y.clone() * -self.scale]
    }
}

fn style(paint: &Paint, state: Option<Tone>) -> String {
    let fill = state.unwrap_or(paint.fill).colour();
    let mut text = format!("fill=\"{fill}\" stroke=\"{}\"", paint.stroke.colour());
    if paint.stroke != Tone::None {
        let _ = write!(text, " stroke-width=\"{}\" stroke-linejoin=\"round\"", px(paint.width));
    }
    if paint.dashed {
        text.push_str(" stroke-dasharray=\"6 4\"");
    }
    text
}

/// SVG commands of an arrow; none where it is too short to be seen. The script has the same.
fn arrow([x, y, dx, dy]: [f64; 4]) -> String {
    let length = dx.hypot(dy);
    if length < 2.0 {
        return String::new();
    }
    let (ux, uy, head) = (dx / length, dy / length, HEAD.min(length));
    let (tx, ty) = (x + dx, y + dy);
    let (bx, by) = (tx - head * ux, ty - head * uy);
    let wing = 0.45 * head;
    format!(
        "M{} {}L{} {}M{} {}L{} {}L{} {}Z",
        px(x),
        px(y),
        px(bx),
        px(by),
        px(tx),
        px(ty),
        px(bx - wing * uy),
        px(by + wing * ux),
        px(bx + wing * uy),
        px(by - wing * ux)
    )
}

/// SVG commands of a spring. The script has the same.
fn spring([a, b, c, d, half]: [f64; 5]) -> String {
    let (dx, dy) = (c - a, d - b);
    let length = dx.hypot(dy).max(1e-9);
    let (nx, ny) = (-dy / length * half, dx / length * half);
    let mut commands = format!("M{} {}", px(a), px(b));
    for k in 0..=TEETH {
        let share = 0.12 + 0.76 * (k as f64) / TEETH as f64;
        let side = match k {
            0 | TEETH => 0.0,
            k if k % 2 == 1 => 1.0,
            _ => -1.0,
        };
        let _ = write!(commands, "L{} {}", px(a + share * dx + side * nx), px(b + share * dy + side * ny));
    }
    let _ = write!(commands, "L{} {}", px(c), px(d));
    commands
}
