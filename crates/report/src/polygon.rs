//! Polygons in the plane: cutting by half-planes, area, inside or outside.

/// The points with a·x + b·y ≤ c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfPlane {
    /// The outward normal.
    pub normal: [f64; 2],
    /// How far along the normal the half-plane reaches.
    pub offset: f64,
}

impl HalfPlane {
    /// a·x + b·y ≤ c.
    pub const fn below(a: f64, b: f64, c: f64) -> Self {
        Self { normal: [a, b], offset: c }
    }

    /// a·x + b·y ≥ c.
    pub const fn above(a: f64, b: f64, c: f64) -> Self {
        Self::below(-a, -b, -c)
    }

    /// a·x + b·y − c: negative inside, positive outside.
    pub fn excess(&self, [x, y]: [f64; 2]) -> f64 {
        self.normal[0] * x + self.normal[1] * y - self.offset
    }
}

/// The part of a polygon inside a half-plane (Sutherland and Hodgman); empty or with at least three corners.
///
/// A convex polygon stays convex.
pub fn cut(polygon: &[[f64; 2]], half: HalfPlane) -> Vec<[f64; 2]> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (i, &corner) in polygon.iter().enumerate() {
        let next = polygon[(i + 1) % polygon.len()];
        let (here, there) = (half.excess(corner), half.excess(next));
        if here <= 0.0 {
            out.push(corner);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            let share = here / (here - there);
            out.push([corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])]);
        }
    }
    out.dedup();
    if out.len() > 1 && out.first() == out.last() {
        out.pop();
    }
    if out.len() < 3 {
        out.clear();
    }
    out
}

/// The area a polygon encloses.
pub fn area(polygon: &[[f64; 2]]) -> f64 {
    let Some(&[x0, y0]) = polygon.first() else {
        return 0.0;
    };
    // Relative to one corner, so that a small polygon far from the origin loses no digits.
    let twice: f64 = polygon
        .windows(2)
        .map(|pair| (pair[0][0] - x0) * (pair[1][1] - y0) - (pair[1][0] - x0) * (pair[0][1] - y0))
        .sum();
    twice.abs() / 2.0
}

/// Whether a point lies inside a polygon (even-odd rule).
pub fn contains(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    for (i, &[ax, ay]) in polygon.iter().enumerate() {
        let [bx, by] = polygon[(i + 1) % polygon.len()];
        if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            inside = !inside;
        }
    }
    inside
}

/// Distance of a point from the boundary of a polygon; infinite for no polygon at all.
pub fn clearance(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, &[ax, ay]) in polygon.iter().enumerate() {
        let [bx, by] = polygon[(i + 1) % polygon.len()];
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx * dx + dy * dy;
        let share = match length > 0.0 {
            true => (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0),
            false => 0.0,
        };
        least = least.min((x - ax - share * dx).hypot(y - ay - share * dy));
    }
    least
}
