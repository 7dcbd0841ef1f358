//! Few contacts: dense W, its pseudo-inverse, projected iterations.

use stickslip_linalg::{Matrix, pseudo_inverse, rank, singular_values};

use super::lanes::{self, LANES, Lanes};
use super::sets::{Set, sets};
use super::{Answer, Bounds, Mode, Shape, SolveError, TOLERANCE, project};
use crate::inclusion::{Problem, Rows, Settings, greatest, solve};
use crate::law::Product;

/// Projected iterations before Newton's method takes over.
const PATIENCE: usize = 40;

/// Where large forces cancel, a residual so many times the usual tolerance must do.
const WIDER: f64 = 100.0;

/// A share of a unit vector that differs from 1 by less than this is all of it.
const WHOLE: f64 = 1e-9;

/// Dense matrices of few contacts.
#[derive(Debug, Clone)]
pub(super) struct Few {
    /// W, symmetric to the last bit.
    w: Vec<f64>,
    influence: Lanes,
    /// −W⁺, symmetric to the last bit.
    hold: Lanes,
    /// h S⁻¹ Hᵀ.
    push: Lanes,
    /// H.
    rows: Lanes,
    /// 1/λ, the greatest step of the projected iterations that cannot overshoot.
    rho: f64,
    /// Whether W is singular: then stuck forces are not all determined.
    singular: bool,
    /// For each set of contacts that stick (as bits) what follows from it; empty for many contacts.
    sets: Vec<Set>,
    /// Whether slips may be prescribed that no force can bring to rest (two belts under one body).
    conflict: bool,
    /// Velocities that are zero when all contacts stick to what does not move.
    held: Vec<usize>,
    /// u, b, what is left of b when some contacts are held, and slips or forces.
    u: Room,
    b: Room,
    rest: Room,
    s: Room,
    zeros: Room,
    /// Velocities before and after.
    free: Room,
    v: Room,
}

type Room = Vec<[f64; LANES]>;

impl Few {
    pub(super) fn new(shape: &Shape, push: &[f64], moving: bool) -> Option<Few> {
        let (n, m) = (shape.n, shape.rows.len());
        let full = Matrix::from_fn(m, m, |i, j| shape.rows.dot(i, &push[j * n..(j + 1) * n]));
        let even = |a: &Matrix| Matrix::from_fn(m, m, |i, j| 0.5 * (a[(i, j)] + a[(j, i)]));
        let w = even(&full);
        let (hold, greatest) =
            if m == 0 { (Matrix::zeros(0, 0), 1.0) } else { (pseudo_inverse(&w).ok()?, singular_values(&w).ok()?[0]) };
        let held = if moving || m == 0 { Vec::new() } else { held(shape)? };
        let singular = m > 0 && rank(&w).ok()? < m;
        let rows = dense(&shape.rows, n);
        Some(Few {
            influence: Lanes::from_fn(m, m, |i, j| w[(i, j)]),
            hold: Lanes::from_fn(m, m, |i, j| 0.0 - hold[(i, j)]),
            push: Lanes::from_fn(n, m, |i, j| push[j * n + i]),
            rows: Lanes::from_fn(m, n, |i, j| rows[(i, j)]),
            rho: if greatest > 0.0 { 1.0 / greatest } else { 1.0 },
            sets: sets(shape, &w)?,
            singular,
            held,
            conflict: singular && moving,
            w: w.data().to_vec(),
            u: Lanes::room(m),
            b: Lanes::room(m),
            rest: Lanes::room(m),
            s: Lanes::room(m),
            zeros: Lanes::room(m),
            free: Lanes::room(n),
            v: Lanes::room(n),
        })
    }

    pub(super) fn is_singular(&self) -> bool {
        self.singular
    }

    pub(super) fn influence(&self) -> &[f64] {
        &self.w
    }

    /// Solves by sticking or by projected iterations. False where those are slow or forces not determined; then
    /// `answer` holds the velocities without contact forces and the best start.
    pub(super) fn solve(&mut self, shape: &Shape, u: &[f64], bounds: &[Bounds], answer: &mut Answer) -> bool {
        self.without_forces(u, answer);
        let size = size(&self.b);
        if !size.is_finite() {
            return false;
        }
        if self.stick(shape, size, bounds) {
            lanes::take(&self.s, &mut answer.r);
            answer.modes.fill(Mode::Stick);
            self.finish(shape, u, size, answer);
            return true;
        }
        let solved = self.slide(shape, size, bounds, answer);
        if solved {
            self.finish(shape, u, size, answer);
        }
        solved
    }

    /// b = H v + u.
    #[inline(always)]
    fn without_forces(&mut self, u: &[f64], answer: &Answer) {
        lanes::fill(&mut self.u, u);
        self.rows.multiply(&answer.v, &self.u, &mut self.b);
    }

    /// The forces of least norm that hold all contacts, in `self.s`. True if the contacts can transmit them.
    #[inline(always)]
    fn stick(&mut self, shape: &Shape, size: f64, bounds: &[Bounds]) -> bool {
        self.hold.multiply(self.b.as_flattened(), &self.zeros, &mut self.s);
        let forces = self.s.as_flattened();
        let inside = match shape.dim {
            Some(1) => bounds.iter().zip(forces).all(|(b, r)| *r >= b.lo && *r <= b.hi),
            Some(2) => bounds.iter().zip(forces.as_chunks::<2>().0).all(|(b, r)| b.holds(r)),
            _ => bounds.iter().enumerate().all(|(c, b)| b.holds(&forces[shape.at(c)])),
        };
        inside && (!self.conflict || self.holds(size, self.s.as_flattened(), 0..self.w.len().isqrt()))
    }

    /// Whether W r + b is zero in some components. Forces of least norm are the best there are, but two belts of different
    /// speeds cannot both hold one body.
    fn holds(&self, size: f64, r: &[f64], mut components: impl Iterator<Item = usize>) -> bool {
        let (b, m) = (self.b.as_flattened(), self.w.len().isqrt());
        let left = |i: usize| b[i] + self.w[i * m..(i + 1) * m].iter().zip(r).map(|(w, r)| w * r).sum::<f64>();
        components.all(|i| left(i).abs() <= TOLERANCE * size)
    }

    /// Some contacts slip: those of the last step, or those that projected iterations point to.
    #[inline(always)]
    fn slide(&mut self, shape: &Shape, size: f64, bounds: &[Bounds], answer: &mut Answer) -> bool {
        let mut tried = answer.modes.iter().rev().fold(0, |set, mode| set << 1 | u64::from(*mode == Mode::Stick));
        if self.partly(shape, tried, size, bounds, answer) {
            return true;
        }
        let mut last = tried;
        for _ in 0..PATIENCE {
            self.influence.multiply(&answer.r, &self.b, &mut self.s);
            let sweep = Sweep::over(shape, 0, self.rho, bounds, self.s.as_flattened(), answer);
            if sweep.still(size) && (!self.singular || sweep.slips(size)) {
                answer.residual = sweep.moved / self.rho;
                return true;
            }
            if sweep.stuck == last && sweep.stuck != tried {
                tried = last;
                if self.partly(shape, tried, size, bounds, answer) {
                    return true;
                }
            }
            last = sweep.stuck;
        }
        false
    }

    /// Solves with the given contacts held and the others slipping; their own influence, with the held ones moving
    /// along, decides how fast. False if that is slow or no solution.
    #[inline(always)]
    fn partly(&mut self, shape: &Shape, held: u64, size: f64, bounds: &[Bounds], answer: &mut Answer) -> bool {
        // None held: then the iterations for all do the same. All held: known to be impossible.
        let all = self.sets.len().saturating_sub(1) as u64;
        let known = usize::try_from(held).ok().filter(|_| held != 0 && held != all);
        let Some(set) = known.and_then(|held| self.sets.get(held)) else { return false };
        set.rest.multiply(self.b.as_flattened(), &self.zeros, &mut self.rest);
        for _ in 0..PATIENCE {
            set.influence.multiply(&answer.r, &self.rest, &mut self.s);
            let sweep = Sweep::over(shape, held, set.rho, bounds, self.s.as_flattened(), answer);
            if sweep.stuck != 0 {
                return false;
            }
            if sweep.still(size) {
                set.hold.multiply(self.b.as_flattened(), &self.zeros, &mut self.rest);
                set.carry.multiply(&answer.r, &self.rest, &mut self.s);
                let forces = self.s.as_flattened();
                let inside = |c: usize| held >> c & 1 == 0 || bounds[c].holds(&forces[shape.at(c)]);
                if !(0..bounds.len()).all(inside) || (self.singular && !sweep.slips(size)) {
                    return false;
                }
                for c in (0..bounds.len()).filter(|c| held >> c & 1 == 1) {
                    answer.r[shape.at(c)].copy_from_slice(&forces[shape.at(c)]);
                    answer.modes[c] = Mode::Stick;
                }
                let components = (0..bounds.len()).filter(|c| held >> c & 1 == 1).flat_map(|c| shape.at(c));
                if self.conflict && !self.holds(size, &answer.r, components) {
                    return false;
                }
                answer.residual = sweep.moved / set.rho;
                return true;
            }
        }
        false
    }

    /// Solves by the general solver, from the forces in `answer`.
    pub(super) fn general(
        &mut self,
        shape: &Shape,
        u: &[f64],
        bounds: &[Bounds],
        answer: &mut Answer,
    ) -> Result<(), SolveError> {
        let m = shape.rows.len();
        self.without_forces(u, answer);
        let law = |c: usize| bounds[c].law(shape.at(c).len());
        let laws = (0..shape.contacts()).map(law).collect::<Result<Vec<_>, _>>().map_err(|_| SolveError::NotFinite)?;
        let w = Matrix::from_fn(m, m, |i, j| self.w[i * m + j]);
        let problem = Problem { w: &w, b: &self.b.as_flattened()[..m], c: &Product::new(laws) };
        let usual = Settings::default();
        let solution = match solve(&problem, &answer.r, &usual) {
            // Rounding may keep the residual from its usual tolerance; the line of trust says so.
            Err(SolveError::NotConverged { reached, .. }) if reached <= WIDER * usual.tolerance => {
                solve(&problem, &answer.r, &Settings { tolerance: WIDER * usual.tolerance, ..usual })?
            }
            other => other?,
        };
        answer.r.copy_from_slice(&solution.r);
        for (mode, (state, c)) in answer.modes.iter_mut().zip(solution.states.iter().zip(0..)) {
            *mode = Mode::of(*state, shape.at(c).len());
        }
        answer.residual = solution.residual.absolute;
        self.finish(shape, u, size(&self.b), answer);
        Ok(())
    }

    /// From forces to velocities and slips.
    #[inline(always)]
    fn finish(&mut self, shape: &Shape, u: &[f64], size: f64, answer: &mut Answer) {
        lanes::fill(&mut self.free, &answer.v);
        self.push.multiply(&answer.r, &self.free, &mut self.v);
        lanes::take(&self.v, &mut answer.v);
        self.rows.multiply(&answer.v, &self.u, &mut self.s);
        shape.finish(self.s.as_flattened(), u, TOLERANCE * size, answer);
        self.rest(answer);
    }

    /// Where all contacts stick to what does not move, velocities that they decide are zero.
    #[inline(always)]
    pub(super) fn rest(&self, answer: &mut Answer) {
        if !self.held.is_empty() && answer.modes.iter().all(|mode| *mode == Mode::Stick) {
            self.held.iter().for_each(|&i| answer.v[i] = 0.0);
        }
    }
}

/// The greatest absolute value; NaN if there is any.
#[inline(always)]
fn size(room: &Room) -> f64 {
    let values = room.as_flattened();
    // Two passes, each of which goes several numbers at a time.
    let unknown = values.iter().fold(false, |unknown, b| unknown | b.is_nan());
    let size = values.iter().fold(0.0, |m: f64, b| if b.abs() > m { b.abs() } else { m });
    if unknown { f64::NAN } else { size }
}

/// One projected iteration over all contacts, but those that are held.
struct Sweep {
    rho: f64,
    /// Greatest change and greatest force.
    moved: f64,
    force: f64,
    /// The contacts that stick, as bits.
    stuck: u64,
    /// Least slip of a contact.
    slip: f64,
}

impl Sweep {
    #[inline(always)]
    fn over(
        shape: &Shape,
        held: u64,
        rho: f64,
        bounds: &[Bounds],
        slips: &[f64],
        Answer { r, modes, .. }: &mut Answer,
    ) -> Sweep {
        let mut sweep = Sweep { rho, moved: 0.0, force: 0.0, stuck: 0, slip: f64::INFINITY };
        let contacts = bounds.iter().zip(modes).enumerate().filter(|(c, _)| held >> c & 1 == 0);
        match shape.dim {
            Some(1) => contacts.for_each(|(c, (b, mode))| sweep.visit(c, b, mode, &mut r[c..c + 1], &slips[c..c + 1])),
            Some(2) => {
                let (r, slips) = (r.as_chunks_mut::<2>().0, slips.as_chunks::<2>().0);
                contacts.for_each(|(c, (b, mode))| sweep.visit(c, b, mode, &mut r[c], &slips[c]));
            }
            _ => contacts.for_each(|(c, (b, mode))| {
                sweep.visit(c, b, mode, &mut r[shape.at(c)], &slips[shape.at(c)]);
            }),
        }
        sweep
    }

    /// r ← Proj_C(r − ρ s) for one contact.
    #[inline(always)]
    fn visit(&mut self, c: usize, bounds: &Bounds, mode: &mut Mode, r: &mut [f64], s: &[f64]) {
        let mut x = [0.0; 2];
        for ((x, r), s) in x.iter_mut().zip(&*r).zip(s) {
            *x = r - self.rho * s;
        }
        *mode = project(bounds, 1.0, &mut x[..r.len()]);
        self.stuck |= u64::from(*mode == Mode::Stick) << c;
        let slip = s.iter().fold(0.0, |m: f64, s| if s.abs() > m { s.abs() } else { m });
        self.slip = if slip < self.slip { slip } else { self.slip };
        for (x, r) in x.iter().zip(r) {
            let step = (x - *r).abs();
            self.moved = greatest(self.moved, step);
            self.force = if x.abs() > self.force { x.abs() } else { self.force };
            *r = *x;
        }
    }

    /// Whether all contacts slip: none sticks, none is on its bound without slip. (That would be a solution, but not
    /// that of least norm where forces are not unique.)
    #[inline(always)]
    fn slips(&self, size: f64) -> bool {
        self.stuck == 0 && self.slip > TOLERANCE * size
    }

    /// Whether nothing moves any more, as velocities: a force would only show how light the bodies are.
    #[inline(always)]
    fn still(&self, size: f64) -> bool {
        self.moved <= 0.1 * TOLERANCE * (size * self.rho + self.force)
    }
}

/// The velocities that H v = 0 makes zero: those whose unit vector is in the span of the rows.
fn held(shape: &Shape) -> Option<Vec<usize>> {
    let (n, m) = (shape.n, shape.rows.len());
    let h = dense(&shape.rows, n);
    let back = pseudo_inverse(&h).ok()?;
    let share = |i: usize| (0..m).map(|k| back[(i, k)] * h[(k, i)]).sum::<f64>();
    Some((0..n).filter(|&i| (share(i) - 1.0).abs() < WHOLE).collect())
}

fn dense(rows: &Rows, columns: usize) -> Matrix {
    let mut full = Matrix::zeros(rows.len(), columns);
    for k in 0..rows.len() {
        rows.row(k).for_each(|(i, value)| full[(k, i)] = value);
    }
    full
}
