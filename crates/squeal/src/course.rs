//! What the linear system does over a whole run: x' = A x + b r(t), from the same start, at the same instants.
//!
//! Steady amplitudes at each frequency, [`Wheel::response`], are those of a motion that has gone on for ever. A run has begun some time ago
//! and is looked at through a window; near a resonance that is damped weakly both differ by far. So the linear system is integrated as the
//! run is, and looked at through the same window.
//!
//! ```text
//! x_{n+1} = e^{Ah} x_n + Σ_j w_j r(t_n + jh/5),     w_j = ∫_0^h e^{A(h−s)} b L_j(s) ds,     j = 0 … 5
//! ```
//!
//! L_j: the polynomials of degree five through six heights of a step. A sine with ten steps a period, the shortest that runs have, is met to
//! (ωh)^6 1.1e-3/6! = 1e-7 of it. Heights of a file are straight between its points: steps within which one of them lies are taken in pieces.
//! Exponentials and integrals are sums of Taylor's series over pieces so short that ‖A‖ times their length is at most 1. Where a force lags by so
//! little that there would be many pieces, one exponential carries x and the derivatives of r together, by squaring, and as its difference to 1, so
//! that what is slow beside the lag keeps its digits: e^{2M} − 1 = 2(e^M − 1) + (e^M − 1)².

use std::f64::consts::TAU;

use num_complex::Complex64 as C;
use stickslip_linalg::Matrix;

use crate::linear::Linearised;
use crate::step::{Start, Stepper};
use crate::wheel::{SquealError, Wheel};

/// Heights of a step.
const NODES: usize = 6;

/// Terms of a series at the most; with ‖A‖δ ≤ 1 twenty reach rounding.
const MOST_TERMS: usize = 40;

/// Pieces from which on squaring is less work.
const MANY: f64 = 64.0;

/// A point of a file this share of a step from its end lies at the end.
const AT_END: f64 = 1e-9;

/// A polynomial over a stretch of time: coefficients of the powers of its share.
type Polynomial = [f64; NODES];

/// The linear system in motion.
#[derive(Debug, Clone)]
pub struct Course<'a> {
    wheel: &'a Wheel,
    h: f64,
    steps: u64,
    system: System,
    /// e^{Ah}, and w_j.
    whole: Matrix,
    weights: [Vec<f64>; NODES],
    state: Vec<f64>,
    next: Vec<f64>,
    /// r̂ e^{i(ωt + ψ)} of each line, and e^{iωjh/5}.
    lines: Vec<(C, [C; NODES])>,
    /// The first point of a file that is still ahead.
    ahead: usize,
}

/// A and b for coordinates of like size, ω q in place of q.
#[derive(Debug, Clone)]
struct System {
    a: Matrix,
    b: Vec<f64>,
    norm: f64,
}

impl System {
    /// y after a time d under f(s) = Σ c_m (s/d)^m.
    fn carried(&self, y: &mut [f64], f: &Polynomial, d: f64) {
        if self.norm * d > MANY {
            return self.leapt(y, f, d);
        }
        let parts = (self.norm * d).ceil().max(1.0);
        let step = d / parts;
        let mut term = vec![0.0; y.len()];
        let mut next = term.clone();
        let mut k = 0.0;
        while k < parts {
            // f over this part, in powers of its share: by Horner's scheme about its beginning.
            let mut own: Polynomial = std::array::from_fn(|m| f[m] / parts.powi(m as i32));
            for from in 0..NODES {
                for m in (from..NODES - 1).rev() {
                    own[m] += k * own[m + 1];
                }
            }
            term.copy_from_slice(y);
            for n in 0..MOST_TERMS {
                self.a.apply(&term, &mut next);
                let f = own.get(n).copied().unwrap_or(0.0);
                let factor = step / (n + 1) as f64;
                let (mut size, mut change) = (0.0_f64, 0.0_f64);
                for ((term, next), (b, y)) in term.iter_mut().zip(&next).zip(self.b.iter().zip(y.iter_mut())) {
                    *term = factor * (next + b * f);
                    *y += *term;
                    (size, change) = (size.max(y.abs()), change.max(term.abs()));
                }
                if n >= NODES && change <= 0.1 * f64::EPSILON * size {
                    break;
                }
            }
            k += 1.0;
        }
    }
}

impl System {
    /// The same in one: of x and z_k = f^(k) d^k, x' = A x + b z_0, z_k' = z_{k+1}/d.
    fn leapt(&self, y: &mut [f64], f: &Polynomial, d: f64) {
        let n = y.len();
        // b of size 1, so that it does not add to the squarings.
        let size = self.b.iter().map(|b| b.abs()).fold(f64::MIN_POSITIVE, f64::max);
        let m = Matrix::from_fn(n + NODES, n + NODES, |i, j| match (i < n, j < n) {
            (true, true) => d * self.a[(i, j)],
            (true, false) if j == n => d * self.b[i] / size,
            (false, false) if j == i + 1 => 1.0,
            _ => 0.0,
        });
        let mut from = y.to_vec();
        let mut factorial = 1.0;
        for (k, c) in f.iter().enumerate() {
            factorial *= (k as f64).max(1.0);
            from.push(size * c * factorial);
        }
        let mut change = vec![0.0; n + NODES];
        exponential_less_one(m).apply(&from, &mut change);
        y.iter_mut().zip(change).for_each(|(y, change)| *y += change);
    }
}

/// e^M − 1.
fn exponential_less_one(m: Matrix) -> Matrix {
    let n = m.rows();
    let norm = (0..n).map(|i| m.row(i).iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let squarings = norm.log2().ceil().max(0.0) as i32;
    let product = |a: &Matrix, b: &Matrix| {
        let mut all = Matrix::zeros(n, n);
        for i in 0..n {
            for (k, x) in a.row(i).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                b.row(k).iter().enumerate().for_each(|(j, y)| all[(i, j)] += x * y);
            }
        }
        all
    };
    let small = Matrix::from_fn(n, n, |i, j| m[(i, j)] * 0.5_f64.powi(squarings));
    let (mut term, mut sum) = (small.clone(), small.clone());
    for k in 2..MOST_TERMS {
        let next = product(&term, &small);
        term = Matrix::from_fn(n, n, |i, j| next[(i, j)] / k as f64);
        sum = Matrix::from_fn(n, n, |i, j| sum[(i, j)] + term[(i, j)]);
    }
    for _ in 0..squarings {
        let square = product(&sum, &sum);
        sum = Matrix::from_fn(n, n, |i, j| 2.0 * sum[(i, j)] + square[(i, j)]);
    }
    sum
}

/// The polynomials that are 1 at one of so many equal places from 0 to 1, and 0 at the others.
fn bases() -> [Polynomial; NODES] {
    let place = |k: usize| k as f64 / (NODES - 1) as f64;
    std::array::from_fn(|j| {
        let mut product = [0.0; NODES];
        product[0] = 1.0;
        for other in (0..NODES).filter(|other| *other != j) {
            let scale = 1.0 / (place(j) - place(other));
            for m in (0..NODES).rev() {
                let below = if m > 0 { product[m - 1] } else { 0.0 };
                product[m] = scale * (below - place(other) * product[m]);
            }
        }
        product
    })
}

impl<'a> Course<'a> {
    /// From a start, at instants h apart.
    pub fn new(wheel: &'a Wheel, start: Start, h: f64) -> Result<Course<'a>, SquealError> {
        let Linearised { matrix, roughness, .. } = wheel.linearise()?;
        let begun = Stepper::new(wheel, h, wheel.speed * h)?;
        let (steady, begun) = (begun.steady(), begun.start(start)?);
        let (n, size) = (wheel.modes.len(), matrix.rows());
        // x = scale times what is carried.
        let scale = |i: usize| match i {
            i if i < n => 1.0 / wheel.modes[i].omega(),
            i if i < 2 * n => 1.0,
            _ => wheel.spring.load,
        };
        let a = Matrix::from_fn(size, size, |i, j| matrix[(i, j)] * scale(j) / scale(i));
        let norm = (0..size).map(|i| a.row(i).iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
        let b = roughness.iter().enumerate().map(|(i, b)| b / scale(i)).collect();
        let system = System { a, b, norm };
        let lag = (size > 2 * n).then_some(begun.lag - steady);
        let state = begun.q.iter().chain(&begun.p).copied().chain(lag).enumerate().map(|(i, x)| x / scale(i)).collect();
        let mut whole = Matrix::zeros(size, size);
        for j in 0..size {
            let mut unit = vec![0.0; size];
            unit[j] = 1.0;
            system.carried(&mut unit, &[0.0; NODES], h);
            unit.iter().enumerate().for_each(|(i, x)| whole[(i, j)] = *x);
        }
        let weights = bases().map(|base| {
            let mut weight = vec![0.0; size];
            system.carried(&mut weight, &base, h);
            weight
        });
        let turn =
            |frequency: f64| std::array::from_fn(|j| C::cis(TAU * frequency * h * j as f64 / (NODES - 1) as f64));
        let lines = wheel.roughness.lines.iter();
        let lines = lines.map(|line| (C::from_polar(line.amplitude, line.phase), turn(line.frequency))).collect();
        Ok(Course { wheel, h, steps: 0, system, whole, weights, state, next: vec![0.0; size], lines, ahead: 0 })
    }

    /// Lateral velocity at the contact [m/s].
    pub fn velocity(&self) -> f64 {
        let n = self.wheel.modes.len();
        self.wheel.modes.iter().zip(&self.state[n..]).map(|(mode, p)| mode.lateral * p).sum()
    }

    /// On to the next instant.
    pub fn advance(&mut self) {
        let t = self.steps as f64 * self.h;
        let mut heights = [0.0; NODES];
        for (now, turns) in &mut self.lines {
            for (height, turn) in heights.iter_mut().zip(turns.iter()) {
                *height += (*now * turn).im;
            }
            *now *= turns[NODES - 1];
        }
        self.whole.apply(&self.state, &mut self.next);
        self.pass_points(t, &mut heights);
        for (weight, height) in self.weights.iter().zip(heights) {
            self.next.iter_mut().zip(weight).for_each(|(x, w)| *x += w * height);
        }
        std::mem::swap(&mut self.state, &mut self.next);
        self.steps += 1;
    }

    /// Adds heights of a file to those of a step, or, where a point lies within it, what they do to what comes out.
    fn pass_points(&mut self, t: f64, heights: &mut [f64; NODES]) {
        let points = &self.wheel.roughness.points;
        if points.is_empty() {
            return;
        }
        let (h, end) = (self.h, t + self.h);
        let after = |from: usize, t: f64| from + points[from..].iter().take_while(|point| point[0] <= t).count();
        let from = after(self.ahead, t + AT_END * h);
        let to = from + points[from..].iter().take_while(|point| point[0] < end - AT_END * h).count();
        self.ahead = from;
        let height = |t: f64| self.wheel.roughness.between_points(t);
        if from == to {
            for (j, own) in heights.iter_mut().enumerate() {
                *own += height(t + h * j as f64 / (NODES - 1) as f64);
            }
            return;
        }
        let mut pushed = vec![0.0; self.next.len()];
        let mut begun = t;
        for next in points[from..to].iter().map(|point| point[0]).chain([end]) {
            let (low, high) = (height(begun), height(next));
            let mut straight = [0.0; NODES];
            (straight[0], straight[1]) = (low, high - low);
            self.system.carried(&mut pushed, &straight, next - begun);
            begun = next;
        }
        self.next.iter_mut().zip(pushed).for_each(|(x, pushed)| *x += pushed);
    }
}

impl Wheel {
    /// Lateral velocities of the linear system at the instants nh, n from `first` on, of a run that begins at t = 0 [m/s].
    pub fn linear_course(&self, start: Start, h: f64, first: u64, count: usize) -> Result<Vec<f64>, SquealError> {
        let mut course = Course::new(self, start, h)?;
        for _ in 0..first {
            course.advance();
        }
        let mut velocities = Vec::with_capacity(count);
        for k in 0..count {
            if k > 0 {
                course.advance();
            }
            velocities.push(course.velocity());
        }
        Ok(velocities)
    }
}
