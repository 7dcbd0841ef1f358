//! Few contacts: dense W, its pseudo-inverse, projected iterations.

use stickslip_linalg::{Matrix, pseudo_inverse, rank, singular_values};

use super::{Answer, Bounds, Mode, Shape, SolveError, TOLERANCE, project};
use crate::inclusion::{Problem, Settings, solve};
use crate::law::{Disk, Interval, Law, Product, State};

/// Up to this many contacts all sets of stuck ones are looked at ahead.
const SETS: usize = 8;

/// Projected iterations before Newton's method takes over.
const PATIENCE: usize = 40;

/// Dense matrices of few contacts.
#[derive(Debug, Clone)]
pub(super) struct Few {
    /// W, symmetric to the last bit.
    w: Vec<f64>,
    /// −W⁺, symmetric to the last bit.
    hold: Vec<f64>,
    /// h S⁻¹ Hᵀ, one stretch of velocities per force.
    push: Vec<f64>,
    /// 1/λ, the greatest step of the projected iterations that cannot overshoot.
    rho: f64,
    /// Whether W is singular: then stuck forces are not all determined.
    singular: bool,
    /// For each set of contacts that stick (as bits), whether their forces are determined; empty for many contacts.
    determined: Vec<bool>,
    /// Whether slips may be prescribed that no force can bring to rest (two belts under one body).
    conflict: bool,
    /// Velocities that are zero when all contacts stick to what does not move.
    held: Vec<usize>,
    b: Vec<f64>,
    s: Vec<f64>,
}

impl Few {
    pub(super) fn new(shape: &Shape, push: Vec<f64>, moving: bool) -> Option<Few> {
        let (n, m) = (shape.n, shape.rows.len());
        let full = Matrix::from_fn(m, m, |i, j| shape.rows.dot(i, &push[j * n..(j + 1) * n]));
        let even = |a: &Matrix| Matrix::from_fn(m, m, |i, j| 0.5 * (a[(i, j)] + a[(j, i)]));
        let w = even(&full);
        let (hold, greatest) =
            if m == 0 { (Matrix::zeros(0, 0), 1.0) } else { (pseudo_inverse(&w).ok()?, singular_values(&w).ok()?[0]) };
        let held = if moving || m == 0 { Vec::new() } else { held(shape)? };
        let singular = m > 0 && rank(&w).ok()? < m;
        Some(Few {
            hold: hold.data().iter().map(|v| 0.0 - v).collect(),
            rho: if greatest > 0.0 { 1.0 / greatest } else { 1.0 },
            push,
            determined: if singular { determined(shape, &w)? } else { Vec::new() },
            singular,
            held,
            conflict: singular && moving,
            w: w.data().to_vec(),
            b: vec![0.0; m],
            s: vec![0.0; m],
        })
    }

    pub(super) fn influence(&self) -> &[f64] {
        &self.w
    }

    /// Solves by sticking or by projected iterations. False where those are slow or forces not determined; then
    /// `answer` holds the velocities without contact forces and the best start.
    pub(super) fn solve(&mut self, shape: &Shape, u: &[f64], bounds: &[Bounds], answer: &mut Answer) -> bool {
        let mut size = 0.0_f64;
        for (k, (b, u)) in self.b.iter_mut().zip(u).enumerate() {
            *b = shape.rows.dot(k, &answer.v) + u;
            size = size.max(b.abs());
        }
        if self.stick(shape, size, bounds) {
            answer.r.copy_from_slice(&self.s);
            answer.modes.fill(Mode::Stick);
            self.push(&answer.r, &mut answer.v);
            shape.finish(u, answer);
            self.held.iter().for_each(|&i| answer.v[i] = 0.0);
            return true;
        }
        for _ in 0..PATIENCE {
            multiply(&self.w, &answer.r, &mut self.s);
            let (mut moved, mut force, mut stuck) = (0.0_f64, 0.0_f64, 0_usize);
            for (c, bounds) in bounds.iter().enumerate() {
                let at = shape.at(c);
                let mut x = [0.0; 2];
                let dim = at.len();
                for (x, k) in x.iter_mut().zip(at.clone()) {
                    *x = answer.r[k] - self.rho * (self.s[k] + self.b[k]);
                }
                answer.modes[c] = project(bounds, 1.0, &mut x[..dim]);
                stuck |= usize::from(answer.modes[c] == Mode::Stick) << (c % SETS);
                for (x, k) in x.iter().zip(at) {
                    moved = moved.max((x - answer.r[k]).abs());
                    force = force.max(x.abs());
                    answer.r[k] = *x;
                }
            }
            // Velocities: a force residual would only show how light the bodies are.
            if moved <= 0.1 * TOLERANCE * (size * self.rho + force) {
                let known = self.determined.get(stuck).copied().unwrap_or(false);
                if self.singular && stuck != 0 && !known {
                    return false;
                }
                answer.residual = moved / self.rho;
                self.push(&answer.r, &mut answer.v);
                shape.finish(u, answer);
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
        for (k, (b, u)) in self.b.iter_mut().zip(u).enumerate() {
            *b = shape.rows.dot(k, &answer.v) + u;
        }
        let law = |c: usize| match shape.at(c).len() {
            1 => Interval::new(bounds[c].lo, bounds[c].hi).map(Law::Interval),
            _ => Disk::new(bounds[c].hi).map(Law::Disk),
        };
        let laws = (0..shape.contacts()).map(law).collect::<Result<Vec<_>, _>>().map_err(|_| SolveError::NotFinite)?;
        let w = Matrix::from_fn(m, m, |i, j| self.w[i * m + j]);
        let problem = Problem { w: &w, b: &self.b, c: &Product::new(laws) };
        let solution = solve(&problem, &answer.r, &Settings::default())?;
        answer.r.copy_from_slice(&solution.r);
        for (mode, (state, c)) in answer.modes.iter_mut().zip(solution.states.iter().zip(0..)) {
            *mode = match state {
                State::Slip(_) if shape.at(c).len() == 2 => Mode::Sliding,
                State::Slip([x, _]) if *x > 0.0 => Mode::Forward,
                State::Slip(_) => Mode::Backward,
                State::Stick | State::Open => Mode::Stick,
            };
        }
        answer.residual = solution.residual.absolute;
        self.push(&answer.r, &mut answer.v);
        shape.finish(u, answer);
        Ok(())
    }

    /// The forces of least norm that hold all contacts, in `self.s`. True if the contacts can transmit them.
    #[inline]
    fn stick(&mut self, shape: &Shape, size: f64, bounds: &[Bounds]) -> bool {
        multiply(&self.hold, &self.b, &mut self.s);
        let inside = (0..shape.contacts()).all(|c| {
            let Bounds { lo, hi } = bounds[c];
            match &self.s[shape.at(c)] {
                [r] => *r >= lo && *r <= hi,
                [x, y] => x * x + y * y <= hi * hi,
                _ => true,
            }
        });
        inside && (!self.conflict || self.holds(size))
    }

    /// Whether W r + b is zero.
    fn holds(&self, size: f64) -> bool {
        let m = self.b.len();
        let left = |i: usize| {
            let row = &self.w[i * m..(i + 1) * m];
            self.b[i] + row.iter().zip(&self.s).map(|(w, r)| w * r).sum::<f64>()
        };
        (0..m).all(|i| left(i).abs() <= TOLERANCE * size)
    }

    /// v += h S⁻¹ Hᵀ r.
    #[inline]
    fn push(&self, r: &[f64], v: &mut [f64]) {
        for (r, column) in r.iter().zip(self.push.chunks_exact(v.len())) {
            for (v, b) in v.iter_mut().zip(column) {
                *v += b * r;
            }
        }
    }
}

/// For each set of contacts, whether W of their components has full rank.
fn determined(shape: &Shape, w: &Matrix) -> Option<Vec<bool>> {
    if shape.contacts() > SETS {
        return Some(Vec::new());
    }
    let full = |set: usize| {
        let chosen = (0..shape.contacts()).filter(|c| set >> c & 1 == 1).flat_map(|c| shape.at(c));
        let chosen: Vec<usize> = chosen.collect();
        let part = Matrix::from_fn(chosen.len(), chosen.len(), |i, j| w[(chosen[i], chosen[j])]);
        Some(chosen.is_empty() || rank(&part).ok()? == chosen.len())
    };
    (0..1 << shape.contacts()).map(full).collect()
}

/// The velocities that H v = 0 makes zero: those whose unit vector is in the span of the rows.
fn held(shape: &Shape) -> Option<Vec<usize>> {
    let (n, m) = (shape.n, shape.rows.len());
    let mut h = Matrix::zeros(m, n);
    for k in 0..m {
        shape.rows.row(k).for_each(|(i, value)| h[(k, i)] = value);
    }
    let back = pseudo_inverse(&h).ok()?;
    let share = |i: usize| (0..m).map(|k| back[(i, k)] * h[(k, i)]).sum::<f64>();
    Some((0..n).filter(|&i| (share(i) - 1.0).abs() < 1e-9).collect())
}

/// out = a x for a symmetric matrix: columns are rows, and whole rows at a time suit the processor.
#[inline]
fn multiply(a: &[f64], x: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (x, row) in x.iter().zip(a.chunks_exact(out.len())) {
        for (out, a) in out.iter_mut().zip(row) {
            *out += a * x;
        }
    }
}
