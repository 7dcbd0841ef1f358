//! Where a formula has corners, and how fine one must look at it.
//!
//! A scheme that chooses its own steps sees a signal only at the points of its steps: a pulse between them is lost without a
//! trace, and a corner costs many small steps. So a formula is looked at before a run: corners and jumps of its functions are
//! found by bisection to neighbouring numbers, and what is smooth between them is cut into cells on which a polynomial
//! follows it. Ends of cells are breaks, which no step crosses.
//!
//! Nothing in here is a share of the run's duration, for the motion before t must not depend, not even in its last bit, on how
//! long the run goes on. Time is divided into octaves 2^k…2^(k+1) s; looks have a distance that is a share of their octave, and
//! a cell at the end of a run is judged to its own end, not to that of the run. A longer run only adds breaks. The first one
//! behind the end belongs to the run, too: the last step may go beyond the end, but must not cross a corner there.

use super::program::Program;

/// Points of a cell's polynomial; about as many as a step has, so that cells are hardly shorter than steps.
const POINTS: usize = 16;

/// How far the polynomial may be from the formula, relative to its greatest value so far.
const MISFIT: f64 = 1e-9;

/// How much more than a value's own rounding the polynomial through rounded values may be off (Lebesgue's constant of its
/// points is 2.7).
const UNCERTAIN: f64 = 8.0;

/// Values in SI units that are nothing: what a pulse is long before it comes needs no cells.
const NOTHING: f64 = 1e-30;

/// The first octave goes from zero to here \[s\]: a nanosecond.
const FIRST: f64 = 1.0 / (1_u64 << 30) as f64;

/// Looks at an octave: pulses longer than two of them are seen. A prime, so that no look after look falls on the same place of a
/// period of a binary fraction of a second.
const LOOKS: u32 = 8191;

/// Looks at an octave before [`EARLY`] \[s\], where there are many octaves and little happens.
const EARLY_LOOKS: u32 = 509;
const EARLY: f64 = 1.0 / 1024.0;

/// How far from a corner the formula is compared with its neighbours, as shares of the time: the first that tells more than rounding.
const OFFSETS: [f64; 5] = [0.0, 1e-12, 1e-10, 1e-8, FARTHEST];

/// Shortest cell as a share of its octave: shorter ones are steep places without a corner, which steps find by their error.
const SHORTEST: f64 = 1e-7;

/// Most breaks that are kept.
const MOST: usize = 400_000;

/// The ends of cells in ]0, end] and the first one behind, in order; none where there are too many.
pub(super) fn breaks(program: &Program, end: f64) -> Option<Vec<f64>> {
    let mut mesh = Mesh { program, end, horizon: 2.0 * octave_end(end), scale: NOTHING, found: Vec::new() };
    let corners = mesh.corners()?;
    let mut start = 0.0;
    for corner in corners {
        mesh.cells(start, corner)?;
        mesh.found.push(corner);
        start = corner;
    }
    mesh.cells(start, f64::INFINITY)?;
    let Mesh { mut found, .. } = mesh;
    found.truncate(found.partition_point(|at| *at <= end) + 1);
    (found.len() <= MOST).then_some(found)
}

/// The end of the octave in which `t` ≥ 0 lies; t itself begins its octave.
fn octave_end(t: f64) -> f64 {
    // The power of two at or below t is t without its fraction.
    if t < FIRST { FIRST } else { 2.0 * f64::from_bits(t.to_bits() & (0x7ff << 52)) }
}

/// Start of the octave that ends at `end`, and how many looks it has.
fn octave(end: f64) -> (f64, u32) {
    (if end <= FIRST { 0.0 } else { 0.5 * end }, if end <= EARLY { EARLY_LOOKS } else { LOOKS })
}

/// The first look after `t`.
fn next_look(t: f64) -> f64 {
    let end = octave_end(t);
    let (start, looks) = octave(end);
    let looks = f64::from(looks);
    let look = |k: f64| start + (end - start) * (k / looks);
    let k = ((t - start) / (end - start) * looks).floor() + 1.0;
    let next = if look(k) > t { look(k) } else { look(k + 1.0) };
    next.min(end)
}

/// The farthest from a corner that it is looked for, as a share of its time.
const FARTHEST: f64 = 1e-6;

/// Where another piece of the formula begins, the least distance at which that shows, and how much.
struct Corner {
    at: f64,
    offset: f64,
    bend: f64,
}

/// The corners without those that are but the trace of a sharper one close by: rounding can change the piece of a formula
/// many times just before a corner, and from there one sees its bend.
fn sharpest(corners: &[Corner]) -> Vec<f64> {
    let outdone = |i: usize| {
        let own = &corners[i];
        let close = |other: &&Corner| (other.at - own.at).abs() <= own.offset;
        let sharper = |other: &Corner| other.offset < 0.5 * own.offset || other.bend > own.bend;
        corners[..i].iter().rev().take_while(close).any(sharper)
            || corners[i + 1..].iter().take_while(close).any(sharper)
    };
    (0..corners.len()).filter(|i| !outdone(*i)).map(|i| corners[i].at).collect()
}

struct Mesh<'a> {
    program: &'a Program,
    end: f64,
    /// No break is looked for behind this instant \[s\], at least twice the end.
    horizon: f64,
    /// Greatest value in the cells so far.
    scale: f64,
    found: Vec<f64>,
}

impl Mesh<'_> {
    fn piece(&self, t: f64) -> u64 {
        self.program.piece(t).1
    }

    /// Whether the first break behind the end is found.
    fn complete(&self) -> bool {
        self.found.last().is_some_and(|at| *at > self.end)
    }

    /// Instants in ]0, end] at which another piece of the formula begins, and the first one behind them.
    fn corners(&self) -> Option<Vec<f64>> {
        let last = self.horizon;
        let (mut corners, mut at, mut candidates): (Vec<Corner>, _, _) = (Vec::new(), 0.0, 0);
        // Those a little behind the end decide on the last ones before it.
        while at < last && corners.last().is_none_or(|corner| corner.at <= (1.0 + 10.0 * FARTHEST) * self.end) {
            let here = self.piece(at);
            let mut ahead = at;
            // What lies just behind a corner may be a short piece that no look falls into: the piece at the corner counts.
            let other = loop {
                if ahead >= last {
                    break f64::INFINITY;
                }
                let next = next_look(ahead);
                if self.piece(next) != here {
                    break next;
                }
                ahead = next;
            };
            if other == f64::INFINITY {
                break;
            }
            at = self.first_other(ahead, other, here);
            corners.extend(self.shown(at));
            candidates += 1;
            if candidates > MOST {
                return None;
            }
        }
        let mut sharpest = sharpest(&corners);
        sharpest.truncate(sharpest.partition_point(|corner| *corner <= self.end) + 1);
        Some(sharpest)
    }

    /// How a change of piece shows in the formula. Where rounding alone tells the pieces apart, as in the sign of a difference
    /// that is zero for a while, it does not.
    fn shown(&self, at: f64) -> Option<Corner> {
        let value = |t: f64| self.program.with_error(t);
        OFFSETS.iter().find_map(|share| {
            let offset = share * at;
            let ((a, of_a), (b, of_b), (c, of_c)) =
                (value((at - offset).min(at.next_down())), value(at), value(at + offset));
            let bend = (a - 2.0 * b + c).abs();
            let rounding = of_a + 2.0 * of_b + of_c + 4.0 * f64::EPSILON * (a.abs() + b.abs());
            (bend > rounding).then_some(Corner { at, offset, bend })
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

    /// Cuts a smooth stretch, up to the first break behind the end, into cells on which a polynomial follows the formula: a cell goes
    /// on to the end of the next octave while the polynomial does; an octave with which it cannot go on is halved.
    fn cells(&mut self, from: f64, to: f64) -> Option<()> {
        let (mut start, mut at) = (from, from);
        while at < to.min(self.horizon) && !self.complete() {
            let next = octave_end(at).min(to);
            if !self.follows(start, next) {
                if at > start {
                    self.found.push(at);
                }
                start = self.halve(at, next)?;
            }
            at = next;
        }
        Some(())
    }

    /// Halves until a polynomial follows the formula on every cell, and gives the start of the last of them.
    fn halve(&mut self, from: f64, to: f64) -> Option<f64> {
        let (mut open, mut start) = (vec![(from, to)], from);
        let shortest = SHORTEST * octave_end(from);
        while let Some((a, b)) = open.pop() {
            if self.complete() {
                break;
            }
            if b - a > shortest && !self.follows(a, b) {
                let middle = a + 0.5 * (b - a);
                open.push((middle, b));
                open.push((a, middle));
                continue;
            }
            start = a;
            if b < to {
                self.found.push(b);
                if self.found.len() > MOST {
                    return None;
                }
            }
        }
        Some(start)
    }

    /// Whether the polynomial through Chebyshev's points of a cell follows the formula between them. A cell with and without
    /// values is to be cut; one without any is refused elsewhere, by its time.
    fn follows(&mut self, a: f64, b: f64) -> bool {
        let angle = |j: usize| (j as f64 + 0.5) * std::f64::consts::PI / POINTS as f64;
        let place = |x: f64| a + 0.5 * (1.0 + x) * (b - a);
        let nodes: [f64; POINTS] = std::array::from_fn(|j| -angle(j).cos());
        let values = nodes.map(|x| self.program.with_error(place(x)));
        let weights: [f64; POINTS] = std::array::from_fn(|j| if j % 2 == 0 { angle(j).sin() } else { -angle(j).sin() });
        let finite = values.iter().filter(|(value, _)| value.is_finite());
        let (known, scale, rounding) = finite
            .fold((0, self.scale, 0.0_f64), |(known, scale, rounding), (value, error)| {
                (known + 1, scale.max(value.abs()), rounding.max(*error))
            });
        if known < POINTS {
            return known == 0;
        }
        // As many as the grid of looks has in the last octave of the cell.
        let (octave_start, per_octave) = octave(octave_end(b.next_down()));
        let share = (b - a) / (octave_end(b.next_down()) - octave_start);
        let looks = (2 * POINTS).max((share * f64::from(per_octave)).ceil() as usize);
        let all = (0..looks).all(|k| {
            let x = 2.0 * ((k as f64 + 0.5) / looks as f64) - 1.0;
            let (mut above, mut below) = (0.0, 0.0);
            for (weight, (node, (value, _))) in weights.iter().zip(nodes.iter().zip(&values)) {
                let share = weight / (x - node);
                if !share.is_finite() {
                    return true;
                }
                above += share * value;
                below += share;
            }
            let (value, error) = self.program.with_error(place(x));
            (above / below - value).abs() <= MISFIT * scale + UNCERTAIN * error.max(rounding)
        });
        if all {
            self.scale = scale;
        }
        all
    }
}
