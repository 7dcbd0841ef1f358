//! Maps: a value or a state for each element of a regular grid, and arrows over it.

use std::fmt::Write;

use super::colour::colour_at;
use super::layout::Frame;
use super::svg::{Drawing, Rect, px};
use crate::palette::{self, State};

/// Colours of the elements of a regular grid, drawn under the curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Elements in a row.
    pub columns: usize,
    /// Corner of the first element, with the smallest x and y.
    pub origin: [f64; 2],
    /// Sides of an element.
    pub size: [f64; 2],
    /// What each element shows, x running first.
    pub shades: Vec<Shade>,
}

/// What an element of a [`Map`] shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shade {
    /// Nothing.
    Empty,
    /// A state, in its colour; slip is hatched.
    State(State),
    /// A share of the greatest value, 0…1, in one of [`LEVELS`] greys.
    Level(f64),
}

/// A filled polygon of a mesh, in the units of the axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Its corners, in order.
    pub corners: Vec<[f64; 2]>,
    /// A share of the greatest value, 0…1, in one of [`LEVELS`] colours of the scale of maps.
    pub level: f64,
}

/// An arrow in the units of the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrow {
    /// Where it begins.
    pub from: [f64; 2],
    /// Where it points to.
    pub to: [f64; 2],
}

/// Greys between white and the darkest.
pub const LEVELS: usize = 10;

/// The darkest grey; black would hide the curves.
const DARKEST: f64 = 90.0;

/// The grey of one of the [`LEVELS`].
pub(super) fn grey(level: usize) -> String {
    let share = (level as f64 + 1.0) / LEVELS as f64;
    let value = (244.0 - (244.0 - DARKEST) * share).round() as u8;
    format!("#{value:02x}{value:02x}{value:02x}")
}

/// What the elements of one colour have in common.
fn key(shade: Shade) -> Option<usize> {
    match shade {
        Shade::Empty | Shade::State(State::Open) => None,
        Shade::Level(share) => Some(((share * LEVELS as f64) as usize).min(LEVELS - 1)),
        Shade::State(State::Stick) => Some(LEVELS),
        // Maps show contacts, and these stick or slip.
        Shade::State(_) => Some(LEVELS + 1),
    }
}

/// Draws a map: one path for all elements of a colour, runs of equal neighbours as one rectangle.
pub(super) fn map(drawing: &mut Drawing, frame: &Frame, map: &Map) {
    let mut paths = vec![String::new(); LEVELS + 2];
    let mut slipping = Vec::new();
    for (j, row) in map.shades.chunks(map.columns.max(1)).enumerate() {
        let mut begin = 0;
        for i in 1..=row.len() {
            if i < row.len() && key(row[i]) == key(row[begin]) {
                continue;
            }
            if let (Some(key), Some(r)) = (key(row[begin]), rectangle(frame, map, begin, i, j)) {
                // Edges and not widths: neighbours have the same edge, with no gap of rounding between them.
                let (left, top, right, bottom) = (px(r.x), px(r.y), px(r.x + r.w), px(r.y + r.h));
                let _ = write!(paths[key], "M{left} {top}H{right}V{bottom}H{left}Z");
                if key == LEVELS + 1 {
                    slipping.push(r);
                }
            }
            begin = i;
        }
    }
    for (key, path) in paths.iter().enumerate() {
        let colour = match key {
            LEVELS => palette::STICK_TINT.to_owned(),
            key if key > LEVELS => palette::SLIP_TINT.to_owned(),
            level => grey(level),
        };
        drawing.path(path, &format!("fill=\"{colour}\" stroke=\"none\" shape-rendering=\"crispEdges\""));
    }
    for r in slipping {
        drawing.hatch(r, palette::HATCH, palette::SLIP);
    }
}

fn rectangle(frame: &Frame, map: &Map, begin: usize, end: usize, j: usize) -> Option<Rect> {
    let x = |i: usize| frame.x.at(map.origin[0] + i as f64 * map.size[0]);
    let y = |j: usize| frame.y.at(map.origin[1] + j as f64 * map.size[1]);
    let (left, right, bottom, top) = (x(begin)?, x(end)?, y(j)?, y(j + 1)?);
    Some(Rect { x: left, y: top, w: right - left, h: bottom - top })
}

/// Draws the cells of a mesh: one path for all of a colour, with thin outlines.
pub(super) fn cells(drawing: &mut Drawing, frame: &Frame, cells: &[Cell]) {
    let mut paths = vec![String::new(); LEVELS];
    for cell in cells {
        let corners: Option<Vec<String>> = cell
            .corners
            .iter()
            .map(|[x, y]| Some(format!("{} {}", px(frame.x.at(*x)?), px(frame.y.at(*y)?))))
            .collect();
        let Some(corners) = corners else { continue };
        let level = ((cell.level * LEVELS as f64) as usize).min(LEVELS - 1);
        let _ = write!(paths[level], "M{}Z", corners.join("L"));
    }
    for (level, path) in paths.iter().enumerate() {
        let colour = colour_at((level as f64 + 0.5) / LEVELS as f64);
        drawing.path(
            path,
            &format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.3\" stroke-linejoin=\"round\""),
        );
    }
}

/// Draws arrows; those shorter than a pixel and a half as nothing.
pub(super) fn arrows(drawing: &mut Drawing, frame: &Frame, arrows: &[Arrow]) {
    let mut path = String::new();
    for arrow in arrows {
        let at = |p: [f64; 2]| Some([frame.x.at(p[0])?, frame.y.at(p[1])?]);
        let (Some(from), Some(to)) = (at(arrow.from), at(arrow.to)) else {
            continue;
        };
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]);
        if length < 1.5 {
            continue;
        }
        let unit = [along[0] / length, along[1] / length];
        let head = (0.4 * length).min(4.0);
        let wing = |side: f64| {
            let x = to[0] - head * (unit[0] + side * 0.5 * unit[1]);
            let y = to[1] - head * (unit[1] - side * 0.5 * unit[0]);
            format!("{} {}", px(x), px(y))
        };
        let (x, y) = (px(to[0]), px(to[1]));
        let _ = write!(path, "M{} {}L{x} {y}M{}L{x} {y}L{}", px(from[0]), px(from[1]), wing(1.0), wing(-1.0));
    }
    let style = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1\" stroke-linejoin=\"round\"", palette::INK);
    drawing.path(&path, &style);
}
