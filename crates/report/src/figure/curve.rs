//! Curves on paper: cut at the edge of the plot, thinned to what the eye can see.

use std::f64::consts::PI;
use std::fmt::Write;

use super::range::Mapping;
use super::svg::{Rect, px};

/// How far the drawn curve may pass from a point of the data, in pixels.
const TOLERANCE: f64 = 0.1;

/// SVG commands for a curve through `points`; `step` holds each value until the next point.
pub(super) fn path(points: &[[f64; 2]], step: bool, x: &Mapping, y: &Mapping, plot: Rect) -> String {
    let mut pen = Pen::new(plot);
    let mut height = None;
    for &[px, py] in points {
        match (x.at(px), y.at(py)) {
            (Some(px), Some(py)) => {
                if let (true, Some(height)) = (step, height) {
                    pen.to([px, height]);
                }
                pen.to([px, py]);
                height = Some(py);
            }
            _ => {
                pen.lift();
                height = None;
            }
        }
    }
    pen.lift();
    pen.commands
}

/// Draws as few segments as stay within the tolerance of all points.
///
/// From the anchor, every point leaves a cone of directions that pass it closely enough; as long as
/// the cones have a direction in common and the curve moves away, one segment serves them all.
struct Pen {
    bounds: Rect,
    commands: String,
    /// Where the current segment begins.
    anchor: Option<[f64; 2]>,
    /// The last point it has reached.
    last: Option<[f64; 2]>,
    /// Direction of the first point, and the cone about it, in radians.
    cone: Option<(f64, f64, f64)>,
    /// How far from the anchor the segment has come.
    reach: f64,
    /// Where the drawn path ends.
    drawn: Option<[f64; 2]>,
}

impl Pen {
    fn new(plot: Rect) -> Self {
        let margin = 4.0;
        Self {
            bounds: Rect { x: plot.x - margin, y: plot.y - margin, w: plot.w + 2.0 * margin, h: plot.h + 2.0 * margin },
            commands: String::new(),
            anchor: None,
            last: None,
            cone: None,
            reach: 0.0,
            drawn: None,
        }
    }

    fn to(&mut self, point: [f64; 2]) {
        let Some(anchor) = self.anchor else {
            self.anchor = Some(point);
            return;
        };
        if self.extend(anchor, point) {
            self.last = Some(point);
        } else if let Some(last) = self.last {
            self.segment(anchor, last);
            self.begin(last);
            self.extend(last, point);
            self.last = Some(point);
        }
    }

    /// Whether one segment from the anchor can serve this point too; if so, narrows the cone.
    fn extend(&mut self, anchor: [f64; 2], point: [f64; 2]) -> bool {
        let (dx, dy) = (point[0] - anchor[0], point[1] - anchor[1]);
        let distance = dx.hypot(dy);
        if distance < TOLERANCE {
            return self.reach < TOLERANCE;
        }
        let half = (TOLERANCE / distance).asin();
        let angle = dy.atan2(dx);
        let Some((base, lo, hi)) = self.cone else {
            self.cone = Some((angle, -half, half));
            self.reach = distance;
            return true;
        };
        let turn = (angle - base + PI).rem_euclid(2.0 * PI) - PI;
        if turn < lo || turn > hi || distance < self.reach - TOLERANCE {
            return false;
        }
        self.cone = Some((base, lo.max(turn - half), hi.min(turn + half)));
        self.reach = self.reach.max(distance);
        true
    }

    fn begin(&mut self, anchor: [f64; 2]) {
        self.anchor = Some(anchor);
        self.last = None;
        self.cone = None;
        self.reach = 0.0;
    }

    fn lift(&mut self) {
        if let (Some(anchor), Some(last)) = (self.anchor, self.last) {
            self.segment(anchor, last);
        }
        self.begin([0.0, 0.0]);
        self.anchor = None;
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

    const UNIT: Rect = Rect { x: 0.0, y: 0.0, w: 10.0, h: 10.0 };

    #[test]
    fn segments_are_cut_at_the_edge() {
        assert_eq!(clip([-10.0, 5.0], [20.0, 5.0], UNIT), Some(([0.0, 5.0], [10.0, 5.0])));
        assert_eq!(clip([-10.0, 5.0], [-1.0, 5.0], UNIT), None);
        assert_eq!(clip([-3.0, 9.0], [1.0, 13.0], UNIT), None);
        assert_eq!(clip([2.0, 2.0], [3.0, 3.0], UNIT), Some(([2.0, 2.0], [3.0, 3.0])));
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
        assert_eq!(pen.commands, "M0 0L5.1 0M6 1L7 1");
    }

    #[test]
    fn few_segments_follow_a_circle_closely() {
        let mut pen = Pen::new(UNIT);
        for i in 0..=1000 {
            let angle = f64::from(i) * 2.0 * PI / 1000.0;
            pen.to([5.0 + 4.0 * angle.cos(), 5.0 + 4.0 * angle.sin()]);
        }
        pen.lift();
        let corners = pen.commands.matches('L').count();
        assert!((8..40).contains(&corners), "{corners}");
    }

    #[test]
    fn a_turn_back_is_drawn() {
        let mut pen = Pen::new(UNIT);
        for x in [0.0, 3.0, 8.0, 2.0] {
            pen.to([x, 1.0]);
        }
        pen.lift();
        assert_eq!(pen.commands, "M0 1L8 1L2 1");
    }
}
