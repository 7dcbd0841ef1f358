//! Many contacts with one dense W, for many right-hand sides: rolling on condensed bodies.
//!
//! W need not be symmetric, but monotone (x·Wx ≥ 0) or nearly so; no cones. In forces scaled so that the diagonal of W is 1:
//!
//! * the projected *fixed point* r ← Proj_C(r − ρ s): a contraction only for ρ < 2λ_min/‖W‖², so it fails where there are many contacts;
//! * *splitting* (Douglas–Rachford), z ← z + y − q with q = Proj_C(z), y = (I + W)⁻¹(2q − z − b): one factorisation, converges
//!   for every monotone W;
//! * *Newton* (semismooth) on r = Proj_C(r − ρ s): a few steps from close by; may cycle from afar;
//! * by default splitting to a residual of 1e-2, Newton to the end, splitting to the end where Newton does not get there.
//!
//! All are judged by one residual: max|r − Proj_C(r − s/w)|, a force, over max|r| + min(max|b|/w, the greatest bound). Where b is far
//! larger than any force could take up, the measure of [`Problem::residual`], relative to b, would be content with no force at all.

use stickslip_linalg::{Front, Lu, Matrix, eliminate};

use super::solver::{settle, slips};
use super::{Problem, Residual, SolveError, Solved, Solver, greatest};
use crate::law::{Law, Product, Set};

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Way {
    /// The projected fixed point with this step, in units of one over the norm of W.
    FixedPoint(f64),
    /// Splitting alone.
    Splitting,
    /// Newton alone.
    Newton,
    /// Splitting until Newton is near, Newton, splitting where that fails.
    #[default]
    Both,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Relative residual to reach; 1e-10 by default.
    pub tolerance: f64,
    /// Iterations of the fixed point, or of the splitting; 4000 by default.
    pub iterations: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { tolerance: 1e-10, iterations: 4000 }
    }
}

/// Residual at which Newton takes over.
const NEAR: f64 = 1e-2;

/// Newton steps after which it has lost its way: a dozen are enough from close by.
const MOST_STEPS: usize = 40;

/// How a solution was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Residual of the forces.
    pub residual: Residual,
    /// Iterations of the fixed point or of the splitting.
    pub iterations: usize,
    /// Newton steps.
    pub steps: usize,
}

/// The residual asked for was not reached.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("relative residual {:.2e} after {} iterations and {} Newton steps; {asked:.1e} was asked for", found.residual.relative, found.iterations, found.steps)]
pub struct NotReached {
    /// What was reached.
    pub found: Found,
    /// The residual asked for.
    pub asked: f64,
}

/// W with its resolvent.
#[derive(Debug, Clone)]
pub struct Monotone {
    w: Matrix,
    /// w_i of every component: the greatest diagonal entry of its contact, or of all where that has none.
    weight: Vec<f64>,
    /// √w_i: in forces scaled by it one step serves all.
    scale: Vec<f64>,
    /// (I + Ŵ)⁻¹ of the scaled W.
    resolvent: Resolvent,
}

/// Up to this many unknowns inverses are kept as they are and Newton eliminates by itself: then nothing is allocated.
const SMALL: usize = 96;

/// (I + Ŵ)⁻¹.
#[derive(Debug, Clone)]
enum Resolvent {
    Inverse(Matrix),
    Factors(Lu),
}

impl Resolvent {
    fn new(shifted: &Matrix) -> Resolvent {
        let (n, factors) = (shifted.rows(), Lu::new(shifted));
        if n > SMALL {
            return Resolvent::Factors(factors);
        }
        let mut inverse = Matrix::zeros(n, n);
        let mut column = vec![0.0; n];
        for j in 0..n {
            column.fill(0.0);
            column[j] = 1.0;
            factors.solve(&mut column);
            column.iter().enumerate().for_each(|(i, value)| inverse[(i, j)] = *value);
        }
        Resolvent::Inverse(inverse)
    }

    /// Replaces y by (I + Ŵ)⁻¹ y.
    fn apply(&self, y: &mut [f64], room: &mut [f64]) {
        match self {
            Resolvent::Factors(factors) => factors.solve(y),
            Resolvent::Inverse(inverse) => {
                inverse.apply(y, room);
                y.copy_from_slice(room);
            }
        }
    }
}

/// Room for solutions of one size: what is solved in it allocates nothing while there are few unknowns (96).
#[derive(Debug, Clone, Default)]
pub struct Room {
    s: Vec<f64>,
    z: Vec<f64>,
    y: Vec<f64>,
    inside: Vec<f64>,
    best: Vec<f64>,
    near: Vec<f64>,
    delta: Vec<f64>,
    right: Vec<f64>,
    /// Rows of Newton's matrix that are left, each with its row of P over its contact.
    rows: Vec<(usize, [usize; 2], [f64; 3])>,
    /// Unknowns whose change is known at once.
    taken: Vec<usize>,
    matrix: Vec<f64>,
}

impl Room {
    /// For so many unknowns.
    pub fn new(n: usize) -> Room {
        let zeros = || vec![0.0; n];
        Room {
            s: zeros(),
            z: zeros(),
            y: zeros(),
            inside: zeros(),
            best: zeros(),
            near: zeros(),
            delta: zeros(),
            right: Vec::with_capacity(n),
            rows: Vec::with_capacity(n),
            taken: Vec::with_capacity(n),
            matrix: Vec::with_capacity(if n <= SMALL { n * n } else { 0 }),
        }
    }
}

impl Monotone {
    /// Takes a square W for contacts of so many components each and factorises I + Ŵ.
    pub fn new(w: Matrix, components: usize) -> Monotone {
        let n = w.rows();
        let contacts = (0..n.div_ceil(components.max(1))).map(|c| c * components..((c + 1) * components).min(n));
        Monotone::over(w, contacts)
    }

    /// The same for the contacts of a product of sets.
    pub fn of(w: Matrix, c: &Product) -> Monotone {
        Monotone::over(w, c.iter().map(|(_, at)| at))
    }

    fn over(w: Matrix, contacts: impl Iterator<Item = std::ops::Range<usize>>) -> Monotone {
        let n = w.rows();
        let greatest = (0..n).map(|i| w[(i, i)]).fold(0.0, f64::max);
        let rest = if greatest > 0.0 { greatest } else { 1.0 };
        let mut weight = vec![rest; n];
        for at in contacts {
            let own = at.clone().map(|i| w[(i, i)]).fold(0.0, f64::max);
            weight[at].fill(if own > 0.0 { own } else { rest });
        }
        let scale: Vec<f64> = weight.iter().map(|w| w.sqrt()).collect();
        let shifted = Matrix::from_fn(n, n, |i, j| f64::from(i == j) + w[(i, j)] / (scale[i] * scale[j]));
        Monotone { resolvent: Resolvent::new(&shifted), w, weight, scale }
    }

    /// W.
    pub fn operator(&self) -> &Matrix {
        &self.w
    }

    /// w_i of every component.
    pub fn weights(&self) -> &[f64] {
        &self.weight
    }

    /// Replaces the forces r, a start, by a solution of −(W r + b) ∈ N_C(r).
    pub fn solve(&self, b: &[f64], c: &Product, r: &mut [f64], way: Way, limits: Limits) -> Result<Found, NotReached> {
        self.solve_in(&mut Room::new(r.len()), b, c, r, way, limits)
    }

    /// The same in a room that is kept from one solution to the next.
    pub fn solve_in(
        &self,
        room: &mut Room,
        b: &[f64],
        c: &Product,
        r: &mut [f64],
        way: Way,
        limits: Limits,
    ) -> Result<Found, NotReached> {
        let problem = Problem { w: &self.w, b, c };
        c.project(r);
        let mut found = Found { residual: self.residual(&problem, r, &mut room.s), iterations: 0, steps: 0 };
        let done = |found: &Found| found.residual.relative <= limits.tolerance;
        match way {
            Way::FixedPoint(step) => self.fixed_point(&problem, r, room, step, limits, &mut found),
            Way::Splitting => self.split(&problem, r, room, limits.tolerance, limits.iterations, &mut found),
            Way::Newton => self.newton(&problem, r, room, limits.tolerance, &mut found),
            Way::Both => {
                self.split(&problem, r, room, NEAR.max(limits.tolerance), limits.iterations, &mut found);
                if !done(&found) {
                    room.near.copy_from_slice(r);
                    self.newton(&problem, r, room, limits.tolerance, &mut found);
                    if !done(&found) {
                        r.copy_from_slice(&room.near);
                        self.split(&problem, r, room, limits.tolerance, limits.iterations, &mut found);
                    }
                }
            }
        }
        if done(&found) { Ok(found) } else { Err(NotReached { found, asked: limits.tolerance }) }
    }

    fn fixed_point(
        &self,
        problem: &Problem<'_, Matrix>,
        r: &mut [f64],
        room: &mut Room,
        step: f64,
        limits: Limits,
        found: &mut Found,
    ) {
        let rho = step / norm(&self.w);
        while found.iterations < limits.iterations && found.residual.relative > limits.tolerance {
            problem.slip(r, &mut room.s);
            r.iter_mut().zip(&room.s).for_each(|(r, s)| *r -= rho * s);
            problem.c.project(r);
            found.iterations += 1;
            found.residual = self.residual(problem, r, &mut room.s);
        }
    }

    fn split(
        &self,
        problem: &Problem<Matrix>,
        r: &mut [f64],
        room: &mut Room,
        tolerance: f64,
        most: usize,
        found: &mut Found,
    ) {
        let Room { s, z, y, .. } = room;
        problem.slip(r, s);
        // z = r − ρ s reproduces r as its projection at a solution; all in scaled forces.
        let scale = &self.scale;
        z.iter_mut().enumerate().for_each(|(i, z)| *z = scale[i] * r[i] - s[i] / scale[i]);
        found.residual = self.residual(problem, r, s);
        for _ in 0..most {
            if found.residual.relative <= tolerance {
                return;
            }
            for (i, r) in r.iter_mut().enumerate() {
                *r = z[i] / scale[i];
            }
            problem.c.project(r);
            for (i, y) in y.iter_mut().enumerate() {
                *y = 2.0 * scale[i] * r[i] - z[i] - problem.b[i] / scale[i];
            }
            self.resolvent.apply(y, s);
            for (i, z) in z.iter_mut().enumerate() {
                *z += y[i] - scale[i] * r[i];
            }
            found.iterations += 1;
            found.residual = self.residual(problem, r, s);
        }
    }

    /// How far r is from a solution: relative in forces.
    fn residual(&self, problem: &Problem<Matrix>, r: &[f64], s: &mut [f64]) -> Residual {
        problem.slip(r, s);
        let weights = &self.weight;
        let (mut miss, mut absolute, mut bound) = (0.0_f64, 0.0_f64, 0.0_f64);
        for (law, at) in problem.c.iter() {
            let weight = weights[at.start];
            let mut x = [0.0; 3];
            let x = &mut x[..at.len()];
            for (k, i) in at.clone().enumerate() {
                x[k] = r[i] - s[i] / weight;
            }
            law.project(x);
            let off = x.iter().zip(&r[at]).map(|(x, r)| (x - r) * (x - r)).sum::<f64>().sqrt();
            miss = greatest(miss, off);
            absolute = greatest(absolute, weight * off);
            bound = bound.max(match law {
                Law::Interval(c) => c.lo().abs().max(c.hi().abs()),
                Law::Disk(c) => c.radius(),
                Law::HalfLine(_) | Law::Cone(_) => f64::INFINITY,
            });
        }
        let free = problem.b.iter().zip(weights).fold(0.0_f64, |m, (b, w)| greatest(m, b.abs() / w));
        let forces = r.iter().fold(0.0_f64, |m, r| greatest(m, r.abs()));
        let relative = if miss == 0.0 { 0.0 } else { miss / (forces + free.min(bound)) };
        Residual { absolute, relative }
    }

    /// Newton from r; keeps the best forces seen.
    fn newton(&self, problem: &Problem<Matrix>, r: &mut [f64], room: &mut Room, tolerance: f64, found: &mut Found) {
        room.best.copy_from_slice(r);
        let mut least = self.residual(problem, r, &mut room.s);
        for _ in 0..MOST_STEPS {
            if least.relative <= tolerance {
                break;
            }
            self.step(problem, r, room);
            if room.delta.iter().any(|v| !v.is_finite()) {
                break;
            }
            r.iter_mut().zip(&room.delta).for_each(|(r, d)| *r += d);
            found.steps += 1;
            // What is judged lies in its sets.
            room.inside.copy_from_slice(r);
            problem.c.project(&mut room.inside);
            let residual = self.residual(problem, &room.inside, &mut room.s);
            if residual.relative < least.relative {
                room.best.copy_from_slice(&room.inside);
                least = residual;
            }
        }
        r.copy_from_slice(&room.best);
        found.residual = least;
    }

    /// Δ with (I − P (I − ρW)) Δ = −(r − Proj_C(r − ρ s)). Rows on which P is zero give Δ at once, and are taken out.
    fn step(&self, problem: &Problem<Matrix>, r: &[f64], room: &mut Room) {
        let (n, weights) = (r.len(), &self.weight);
        let Room { s, delta, right, rows, taken, matrix, .. } = room;
        problem.slip(r, s);
        rows.clear();
        taken.clear();
        for (law, at) in problem.c.iter() {
            let dim = at.len();
            let mut x = [0.0; 3];
            for (k, i) in at.clone().enumerate() {
                x[k] = r[i] - s[i] / weights[i];
            }
            let mut p = [0.0; 9];
            law.derivative(&x[..dim], &mut p[..dim * dim]);
            law.project(&mut x[..dim]);
            for (k, i) in at.clone().enumerate() {
                delta[i] = x[k] - r[i];
                let row = &p[k * dim..(k + 1) * dim];
                if row.iter().any(|v| *v != 0.0) {
                    let mut own = [0.0; 3];
                    own[..dim].copy_from_slice(row);
                    rows.push((i, [at.start, at.end], own));
                } else if delta[i] != 0.0 {
                    taken.push(i);
                }
            }
        }
        // Entry (i, j) of I − P (I − ρW).
        let entry = |i: usize, at: [usize; 2], p: &[f64; 3], j: usize| {
            let change = |l: usize| f64::from(l == j) - problem.w[(l, j)] / weights[l];
            f64::from(i == j) - (at[0]..at[1]).zip(p).map(|(l, p)| p * change(l)).sum::<f64>()
        };
        right.clear();
        right.extend(
            rows.iter()
                .map(|(i, at, p)| delta[*i] - taken.iter().map(|j| entry(*i, *at, p, *j) * delta[*j]).sum::<f64>()),
        );
        let m = rows.len();
        let of = |a: usize, b: usize| {
            let (i, at, p) = &rows[a];
            entry(*i, *at, p, rows[b].0)
        };
        if n <= SMALL {
            matrix.clear();
            matrix.extend((0..m * m).map(|k| of(k / m, k % m)));
            eliminate(matrix, right);
        } else if m > 0 {
            Lu::new(&Matrix::from_fn(m, m, of)).solve(right);
        }
        for ((i, ..), found) in rows.iter().zip(right.iter()) {
            delta[*i] = *found;
        }
    }
}

/// The least eigenvalue that the symmetric part of W, scaled to a diagonal of 1, must have: where it has less, splitting takes
/// thousands of iterations.
const LEAST: f64 = 1e-2;

impl Solver for Monotone {
    const NAME: &'static str = "monotone";

    /// Contacts of one size, no cones, and W strictly monotone.
    fn accept(w: &Matrix, c: &Product) -> Option<Monotone> {
        let components = c.iter().next()?.0.dim();
        let alike = c.iter().all(|(law, _)| law.dim() == components) && !c.has_cones();
        let n = c.dim();
        if !alike || w.rows() != n || w.cols() != n || !(0..n).all(|i| w[(i, i)] > 0.0) {
            return None;
        }
        let mut part = Front::zeros(n);
        for i in 0..n {
            for j in 0..=i {
                let both = 0.5 * (w[(i, j)] + w[(j, i)]) / (w[(i, i)] * w[(j, j)]).sqrt();
                part.add(i, j, both - if i == j { LEAST } else { 0.0 });
            }
        }
        part.eliminate(n).ok()?;
        Some(Monotone::new(w.clone(), components))
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, start: &Solved) -> Result<Solved, SolveError> {
        let limits = Limits { tolerance: 1e-13, iterations: 20_000 };
        let mut r = start.r.clone();
        self.solve(b, c, &mut r, Way::Both, limits).map_err(|NotReached { found, asked }| {
            let iterations = found.iterations + found.steps;
            SolveError::NotConverged { reached: found.residual.relative, asked, iterations }
        })?;
        let problem = Problem { w: &self.w, b, c };
        let states = settle(&problem, &problem.weights(), limits.tolerance * problem.scale(&r), &mut r);
        let residual = Some(problem.residual(&r).absolute);
        Ok(Solved { s: slips(&problem, &r, &states), r, states, residual })
    }
}

/// The norm of W, by iterations of the power method on WᵀW.
fn norm(w: &Matrix) -> f64 {
    let n = w.rows();
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
    let (mut y, mut norm) = (vec![0.0; n], 0.0);
    for _ in 0..60 {
        let size = x.iter().map(|v| v * v).sum::<f64>().sqrt();
        x.iter_mut().for_each(|v| *v /= size);
        w.apply(&x, &mut y);
        norm = y.iter().map(|v| v * v).sum::<f64>().sqrt();
        x.fill(0.0);
        for (i, y) in y.iter().enumerate() {
            x.iter_mut().zip(w.row(i)).for_each(|(x, w)| *x += w * y);
        }
    }
    norm
}
