//! The row of the leading node.
//!
//! With h the spacing, t = (a − x_k)/h and L the length that the last two nodal forces cover, (t + 3/2)h, their sum is
//! q (2/3) L^{3/2} for a traction q √(a − x). The slip beyond the edge is −C q √(x − a); its mean over the cell ahead of
//! the leading node is −C q (2/3) ((1−t)h)^{3/2}/h. For t < 0 (a node just outside that still carries load) the same integral is
//! split over the two cells it covers.

/// What is added to the rows of the leading node and the one behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EdgeRow {
    /// Slip of the leading node per force on it, and on the node behind, over C.
    pub leading: f64,
    /// The same in the row of the node behind.
    pub behind: f64,
}

/// In the plane a node further out than this carries no load.
const OUTSIDE: f64 = -0.25;

/// Coefficients for a leading node t cells behind the edge; `alone` if no other node of the row carries load.
///
/// In space t < 0 counts as 0: nodes there share the load of two rows, and splitting the integral over two cells was worse
/// in every case tried (42 kN, 11², 15², 21² elements, ξ = .0017: −1.2, −.8, −.5 % split, −.5, −.3, −.1 % not split).
pub(super) fn edge_row(t: f64, h: f64, plane: bool, alone: bool) -> EdgeRow {
    let t = t.clamp(if plane { OUTSIDE } else { 0.0 }, 1.0);
    let covered = if alone { t + 0.5 } else { t + 1.5 } * h;
    let scale = h.sqrt() / covered.powf(1.5);
    let outside = (-t).max(0.0).powf(1.5);
    EdgeRow { leading: ((1.0 - t).powf(1.5) - outside) * scale, behind: outside * scale }
}
