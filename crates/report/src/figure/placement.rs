//! Labels of regions: each looks for a place inside its region and off the curves; one that finds none
//! stands outside, with a leader.

use super::curve::clip;
use super::layout::{Frame, SMALL};
use super::svg::{Drawing, Font, Rect};
use super::{Anchor, Region};
use crate::label;
use crate::palette;
use crate::polygon::{self, HalfPlane};

const NAME: f64 = 13.0;
/// Height of a line of digits and brackets.
const LINE: f64 = 11.0;
/// Candidate places per direction.
const GRID: usize = 28;
/// Smaller regions, in square pixels, cannot be seen and get no label.
const VISIBLE: f64 = 60.0;
/// Smaller regions, in square pixels, are not worth a leader.
const NOTABLE: f64 = 400.0;

/// The two lines of a label, or the one line it becomes.
#[derive(Debug, Clone, Copy)]
enum Shape {
    TwoLines,
    OneLine,
}

/// Labels all regions of a panel.
pub(super) fn label_regions(drawing: &mut Drawing, frame: &Frame) {
    let curves = curves_on_paper(frame);
    let mut placed: Vec<Rect> = Vec::new();
    let mut homeless = Vec::new();
    for region in &frame.panel.regions {
        if region.label.is_empty() {
            continue;
        }
        let outline = outline_of(frame, region);
        if polygon::area(&outline) < VISIBLE {
            continue;
        }
        let shapes: &[Shape] = match region.detail.is_empty() {
            true => &[Shape::OneLine],
            false => &[Shape::TwoLines, Shape::OneLine],
        };
        let home = shapes.iter().find_map(|&shape| Some((shape, place_inside(region, shape, &outline, &curves)?)));
        match home {
            Some((shape, r)) => {
                write_label(drawing, region, shape, r);
                placed.push(r);
            }
            None if polygon::area(&outline) > NOTABLE => homeless.push((region, outline)),
            None => {}
        }
    }
    for (region, outline) in homeless {
        place_with_leader(drawing, frame, region, &outline, &curves, &mut placed);
    }
}

/// A region on paper, cut at the frame.
fn outline_of(frame: &Frame, region: &Region) -> Vec<[f64; 2]> {
    let corners = region.polygon.iter();
    let on_paper: Vec<_> = corners.filter_map(|&[x, y]| Some([frame.x.at(x)?, frame.y.at(y)?])).collect();
    let plot = frame.plot;
    [
        HalfPlane::above(1.0, 0.0, plot.x),
        HalfPlane::below(1.0, 0.0, plot.right()),
        HalfPlane::above(0.0, 1.0, plot.y),
        HalfPlane::below(0.0, 1.0, plot.bottom()),
    ]
    .into_iter()
    .fold(on_paper, |outline, edge| polygon::cut(&outline, edge))
}

/// The curves of a panel as segments on paper, short ones joined.
fn curves_on_paper(frame: &Frame) -> Vec<([f64; 2], [f64; 2])> {
    let mut segments = Vec::new();
    for series in &frame.panel.series {
        let mut last: Option<[f64; 2]> = None;
        for &[x, y] in &series.points {
            let (Some(x), Some(y)) = (frame.x.at(x), frame.y.at(y)) else {
                last = None;
                continue;
            };
            match last {
                Some(from) if (x - from[0]).abs() + (y - from[1]).abs() < 2.0 => {}
                Some(from) => {
                    segments.extend(clip(from, [x, y], frame.plot));
                    last = Some([x, y]);
                }
                None => last = Some([x, y]),
            }
        }
    }
    segments
}

fn size(region: &Region, shape: Shape) -> [f64; 2] {
    let name = label::width(&region.label, NAME);
    let detail = label::width(&region.detail, SMALL);
    match shape {
        Shape::TwoLines => [name.max(detail) + 2.0, NAME + SMALL + 5.0],
        Shape::OneLine if region.detail.is_empty() => [name + 2.0, LINE],
        Shape::OneLine => [name + 5.0 + detail + 2.0, LINE],
    }
}

fn corners(r: Rect) -> [[f64; 2]; 4] {
    [[r.x, r.y], [r.right(), r.y], [r.right(), r.bottom()], [r.x, r.bottom()]]
}

fn overlaps(a: Rect, b: Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

/// Rectangles of the wanted size on a grid over a bounding box.
fn candidates(bounds: Rect, [w, h]: [f64; 2]) -> impl Iterator<Item = Rect> {
    let at = move |i: usize, from: f64, room: f64| from + room * i as f64 / (GRID - 1) as f64;
    let fits = bounds.w >= w && bounds.h >= h;
    let count = if fits { GRID * GRID } else { 0 };
    (0..count).map(move |k| Rect {
        x: at(k % GRID, bounds.x, bounds.w - w),
        y: at(k / GRID, bounds.y, bounds.h - h),
        w,
        h,
    })
}

fn bounds_of(outline: &[[f64; 2]]) -> Rect {
    let ends = |k: usize| {
        let values = outline.iter().map(|corner| corner[k]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)))
    };
    let ((x, right), (y, bottom)) = (ends(0), ends(1));
    Rect { x, y, w: right - x, h: bottom - y }
}

/// The roomiest place inside the region that no curve crosses.
fn place_inside(region: &Region, shape: Shape, outline: &[[f64; 2]], curves: &[([f64; 2], [f64; 2])]) -> Option<Rect> {
    let mut best: Option<(f64, Rect)> = None;
    for r in candidates(bounds_of(outline), size(region, shape)) {
        if !corners(r).iter().all(|&c| polygon::contains(outline, c)) {
            continue;
        }
        let tightest = corners(r).iter().map(|&c| polygon::clearance(outline, c)).fold(f64::INFINITY, f64::min);
        // Room beyond a comfortable margin is worth little; the middle of the region is.
        let centre = [r.x + r.w / 2.0, r.y + r.h / 2.0];
        let worth = tightest.min(30.0) + 0.2 * polygon::clearance(outline, centre);
        if tightest > 1.0 && best.is_none_or(|(most, _)| worth > most) && !crossed(r, curves) {
            best = Some((worth, r));
        }
    }
    best.map(|(_, r)| r)
}

fn crossed(r: Rect, curves: &[([f64; 2], [f64; 2])]) -> bool {
    let wide = Rect { x: r.x - 4.0, y: r.y - 3.0, w: r.w + 8.0, h: r.h + 6.0 };
    curves.iter().any(|&(a, b)| clip(a, b, wide).is_some())
}

fn place_with_leader(
    drawing: &mut Drawing,
    frame: &Frame,
    region: &Region,
    outline: &[[f64; 2]],
    curves: &[([f64; 2], [f64; 2])],
    placed: &mut Vec<Rect>,
) {
    let target = roomiest_point(outline);
    let plot = frame.plot;
    let inner = Rect { x: plot.x + 6.0, y: plot.y + 6.0, w: plot.w - 12.0, h: plot.h - 12.0 };
    let distance = |r: &Rect| (target[0] - (r.x + r.w / 2.0)).hypot(target[1] - (r.y + r.h / 2.0));
    // Standing across a boundary is worth a longer leader.
    let outlines: Vec<_> = frame.panel.regions.iter().map(|r| outline_of(frame, r)).collect();
    let cost = |r: &Rect| {
        let within = |o: &Vec<[f64; 2]>| corners(*r).iter().all(|&c| polygon::contains(o, c));
        distance(r) + if outlines.iter().any(within) { 0.0 } else { 60.0 }
    };
    let place = candidates(inner, size(region, Shape::OneLine))
        .filter(|r| distance(r) > 30.0)
        .filter(|r| !placed.iter().any(|other| overlaps(*r, *other)))
        .filter(|r| !crossed(*r, curves))
        .min_by(|a, b| cost(a).total_cmp(&cost(b)));
    let Some(r) = place else { return };
    let nearest = [target[0].clamp(r.x - 2.0, r.right() + 2.0), target[1].clamp(r.y - 1.0, r.bottom() + 1.0)];
    drawing.line(nearest, target, palette::INK, 0.8);
    let dot = Rect { x: target[0] - 1.5, y: target[1] - 1.5, w: 3.0, h: 3.0 };
    drawing.rect(dot, palette::INK, None);
    write_label(drawing, region, Shape::OneLine, r);
    placed.push(r);
}

/// A point well inside the outline, near its middle.
fn roomiest_point(outline: &[[f64; 2]]) -> [f64; 2] {
    let mut best = (f64::NEG_INFINITY, outline.first().copied().unwrap_or([0.0, 0.0]));
    let bounds = bounds_of(outline);
    let middle = [bounds.x + bounds.w / 2.0, bounds.y + bounds.h / 2.0];
    for r in candidates(bounds, [0.0, 0.0]) {
        let point = [r.x, r.y];
        if polygon::contains(outline, point) {
            let room = polygon::clearance(outline, point).min(8.0);
            let off = (point[0] - middle[0]).hypot(point[1] - middle[1]);
            let worth = room - 0.01 * off;
            if worth > best.0 {
                best = (worth, point);
            }
        }
    }
    best.1
}

fn write_label(drawing: &mut Drawing, region: &Region, shape: Shape, r: Rect) {
    let name = Font::new(NAME, palette::INK).bold().halo();
    let detail = Font::new(SMALL, palette::INK).halo();
    let middle = r.x + r.w / 2.0;
    match shape {
        Shape::TwoLines => {
            drawing.text([middle, r.y + 0.85 * NAME], Anchor::Middle, name, &region.label);
            let at = [middle, r.bottom() - 0.25 * SMALL];
            drawing.text(at, Anchor::Middle, detail, &region.detail);
        }
        Shape::OneLine => {
            let y = r.bottom() - 1.0;
            drawing.text([r.x + 1.0, y], Anchor::Start, name, &region.label);
            let x = r.x + 6.0 + label::width(&region.label, NAME);
            drawing.text([x, y], Anchor::Start, detail, &region.detail);
        }
    }
}
