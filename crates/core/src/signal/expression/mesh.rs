//! Where a formula has corners, and how fine one must look at it.
//!
//! A scheme that chooses its own steps sees a signal only at the points of its steps: a pulse between them is lost without a
//! trace, and a corner costs many small steps. So a formula is looked at before a run: corners and jumps of its functions are
//! found by bisection to neighbouring numbers, and what is smooth between them is cut into cells on which a polynomial
//! follows it. Ends of cells are breaks, which no step crosses.

use super::program::Program;

/// Points of a cell's polynomial; about as many as a step has, so that cells are hardly shorter than steps.
const POINTS: usize = 16;

/// How far the polynomial may be from the formula, relative to its greatest value.
const MISFIT: f64 = 1e-9;

/// Looks at a formula over the whole run, at the least: pulses longer than two of them are seen.
const LOOKS: f64 = 8192.0;

/// Shortest cell as a share of the run: shorter ones are steep places without a corner, which steps find by their error.
const SHORTEST: f64 = 1e-7;

/// Most breaks that are kept.
const MOST: usize = 400_000;

/// The ends of cells in ]0, end], in order; none where there are too many. The end itself is one only if another piece begins
/// there: what the last step sees must be the limit from before it.
pub(super) fn breaks(program: &Program, end: f64) -> Option<Vec<f64>> {
    let mut mesh = Mesh { program, end, scale: 0.0, found: Vec::new() };
    for k in 0..=LOOKS as u32 {
        let value = program.at(end * (f64::from(k) / LOOKS)).abs();
        mesh.scale = if value > mesh.scale { value } else { mesh.scale };
    }
    mesh.corners(0.0, end)?;
    let corners = std::mem::take(&mut mesh.found);
    let mut start = 0.0;
    for corner in corners {
        mesh.cells(start, corner)?;
        mesh.found.push(corner);
        start = corner;
    }
    mesh.cells(start, end)?;
    (mesh.found.len() <= MOST).then_some(mesh.found)
}

struct Mesh<'a> {
    program: &'a Program,
    end: f64,
    scale: f64,
    found: Vec<f64>,
}

impl Mesh<'_> {
    fn piece(&self, t: f64) -> u64 {
        self.program.piece(t).1
    }

    /// Instants in ]from, to] at which another piece of the formula begins.
    fn corners(&mut self, from: f64, to: f64) -> Option<()> {
        let (mut at, mut candidates) = (from, 0);
        // What lies just behind a corner may be a short piece that no look falls into.
        while at < to {
            let here = self.piece(at);
            let width = self.end / LOOKS;
            let mut ahead = at;
            let other = loop {
                let next = (ahead + width).min(to);
                if next <= ahead {
                    return Some(());
                }
                if self.piece(next) != here {
                    break next;
                }
                ahead = next;
            };
            at = self.first_other(ahead, other, here);
            if self.shows(at) {
                self.found.push(at);
            }
            candidates += 1;
            if candidates > MOST {
                return None;
            }
        }
        Some(())
    }

    /// Whether a change of piece shows in the formula. Where rounding alone tells the pieces apart, as in the sign of a
    /// difference that is zero for a while, it does not.
    fn shows(&self, corner: f64) -> bool {
        let value = |t: f64| self.program.at(t.clamp(0.0, self.end));
        [1e-6, 1e-8, 1e-10, 1e-12, 0.0].iter().any(|share| {
            let (before, after) = ((corner - share * self.end).min(corner.next_down()), corner + share * self.end);
            let bend = value(before) - 2.0 * value(corner) + value(after);
            bend.abs() > 64.0 * f64::EPSILON * self.scale
        })
    }

    /// The first number at which another piece than `here` is found, which holds at `a` and not at `b`.
    fn first_other(&self, mut a: f64, mut b: f64, here: u64) -> f64 {
        loop {
            let middle = a + 0.5 * (b - a);
            if middle <= a || middle >= b {
                return b;
            }
            if self.piece(middle) == here {
                a = middle;
            } else {
                b = middle;
            }
        }
    }

    /// Cuts a smooth stretch until a polynomial follows the formula on every cell.
    fn cells(&mut self, from: f64, to: f64) -> Option<()> {
        let mut open = vec![(from, to)];
        while let Some((a, b)) = open.pop() {
            if b - a > SHORTEST * self.end && !self.follows(a, b) {
                let middle = a + 0.5 * (b - a);
                open.push((middle, b));
                open.push((a, middle));
            } else if b < to {
                self.found.push(b);
                if self.found.len() > MOST {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether the polynomial through Chebyshev's points of a cell follows the formula between them.
    fn follows(&self, a: f64, b: f64) -> bool {
        let angle = |j: usize| (j as f64 + 0.5) * std::f64::consts::PI / POINTS as f64;
        let place = |x: f64| a + 0.5 * (1.0 + x) * (b - a);
        let nodes: [f64; POINTS] = std::array::from_fn(|j| -angle(j).cos());
        let values = nodes.map(|x| self.program.at(place(x)));
        let weights: [f64; POINTS] = std::array::from_fn(|j| if j % 2 == 0 { angle(j).sin() } else { -angle(j).sin() });
        let looks = (2 * POINTS).max(((b - a) / self.end * LOOKS).ceil() as usize);
        (0..looks).all(|k| {
            let x = 2.0 * ((k as f64 + 0.5) / looks as f64) - 1.0;
            let (mut above, mut below) = (0.0, 0.0);
            for (weight, (node, value)) in weights.iter().zip(nodes.iter().zip(&values)) {
                let share = weight / (x - node);
                if !share.is_finite() {
                    return true;
                }
                above += share * value;
                below += share;
            }
            let misfit = above / below - self.program.at(place(x));
            // What is no number is refused elsewhere, by its time.
            misfit.abs() <= MISFIT * self.scale || misfit.is_nan()
        })
    }
}
