//! Curves on paper: cut at the edge of the plot, thinned to what the eye can see.

use std::fmt::Write;

use super::range::Mapping;
use super::svg::{Rect, px};

/// Points nearer than this to the last one drawn are left out, in pixels.
const RESOLUTION: f64 = 0.2;

/// SVG commands for a curve through `points`; `step` holds each value until the next point.
pub(super) fn path(
    points: &[[f64; 2]],
    step: bool,
    x: &Mapping,
    y: &Mapping,
    plot: Rect,
) -> String {
    let mut pen = Pen::new(plot);
    for &[px, py] in points {
        match (x.at(px), y.at(py)) {
            (Some(px), Some(py)) => {
                if let (true, Some(last)) = (step, pen.last) {
                    pen.to([px, last[1]]);
                }
                pen.to([px, py]);
            }
            _ => pen.lift(),
        }
    }
    pen.lift();
    pen.commands
}

/// Draws segment after segment, leaving out what cannot be seen.
struct Pen {
    bounds: Rect,
    commands: String,
    /// The last point of the curve that was not thinned away.
    last: Option<[f64; 2]>,
    /// A point that was thinned away; the curve must still end there.
    pending: Option<[f64; 2]>,
    /// Where the drawn path ends.
    drawn: Option<[f64; 2]>,
}

impl Pen {
    fn new(plot: Rect) -> Self {
        let margin = 4.0;
        Self {
            bounds: Rect {
                x: plot.x - margin,
                y: plot.y - margin,
                w: plot.w + 2.0 * margin,
                h: plot.h + 2.0 * margin,
            },
            commands: String::new(),
            last: None,
            pending: None,
            drawn: None,
        }
    }

    fn to(&mut self, point: [f64; 2]) {
        let Some(last) = self.last else {
            self.last = Some(point);
            return;
        };
        if (point[0] - last[0]).abs() + (point[1] - last[1]).abs() < RESOLUTION {
            self.pending = Some(point);
            return;
        }
        self.segment(last, point);
        self.last = Some(point);
        self.pending = None;
    }

    fn lift(&mut self) {
        if let (Some(last), Some(pending)) = (self.last, self.pending) {
            self.segment(last, pending);
        }
        self.last = None;
        self.pending = None;
        self.drawn = None;
    }

    fn segment(&mut self, from: [f64; 2], to: [f64; 2]) {
        let Some((from, to)) = clip(from, to, self.bounds) else {
            return;
        };
        if self.drawn != Some(from) {
            let _ = write!(self.commands, "M{} {}", px(from[0]), px(from[1]));
        }
        let _ = write!(self.commands, "L{} {}", px(to[0]), px(to[1]));
        self.drawn = Some(to);
    }
}

/// The part of a segment inside a rectangle (Liang and Barsky).
pub(super) fn clip(from: [f64; 2], to: [f64; 2], r: Rect) -> Option<([f64; 2], [f64; 2])> {
    let delta = [to[0] - from[0], to[1] - from[1]];
    let lower = [r.x, r.y];
    let upper = [r.right(), r.bottom()];
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..2 {
        if delta[k] == 0.0 {
            if from[k] < lower[k] || from[k] > upper[k] {
                return None;
            }
            continue;
        }
        let a = (lower[k] - from[k]) / delta[k];
        let b = (upper[k] - from[k]) / delta[k];
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    if enter > leave {
        return None;
    }
    let at = |share: f64| [from[0] + share * delta[0], from[1] + share * delta[1]];
    let start = if enter > 0.0 { at(enter) } else { from };
    let end = if leave < 1.0 { at(leave) } else { to };
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Rect = Rect {
        x: 0.0,
        y: 0.0,
        w: 10.0,
        h: 10.0,
    };

    #[test]
    fn segments_are_cut_at_the_edge() {
        assert_eq!(
            clip([-10.0, 5.0], [20.0, 5.0], UNIT),
            Some(([0.0, 5.0], [10.0, 5.0]))
        );
        assert_eq!(clip([-10.0, 5.0], [-1.0, 5.0], UNIT), None);
        assert_eq!(clip([-3.0, 9.0], [1.0, 13.0], UNIT), None);
        assert_eq!(
            clip([2.0, 2.0], [3.0, 3.0], UNIT),
            Some(([2.0, 2.0], [3.0, 3.0]))
        );
    }

    #[test]
    fn a_gap_interrupts_and_the_end_is_kept() {
        let mut pen = Pen::new(UNIT);
        pen.to([0.0, 0.0]);
        pen.to([5.0, 0.0]);
        pen.to([5.1, 0.0]);
        pen.lift();
        pen.to([6.0, 1.0]);
        pen.to([7.0, 1.0]);
        pen.lift();
        assert_eq!(pen.commands, "M0 0L5 0L5.1 0M6 1L7 1");
    }
}
