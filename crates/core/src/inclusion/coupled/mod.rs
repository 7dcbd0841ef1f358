//! Contacts on bodies that springs couple, for many steps of one size.
//!
//! ```text
//! S v = p + h Hᵀ r,      s = H v + u,      −s ∈ N_C(r)
//! ```
//!
//! S = M + h C + h² K does not change while the step does not, so everything that follows from it is made once:
//! W = h H S⁻¹ Hᵀ, its pseudo-inverse W⁺ and its greatest eigenvalue where there are few contacts, factors of band
//! matrices where there are many. A step then tries, in this order,
//!
//! 1. all contacts stick: r = −W⁺ b, the forces of least norm, inside their sets (`few.rs`);
//! 2. projected iterations r ← Proj_C(r − s/λ) from the last forces; fast where contacts slip (`few.rs`);
//! 3. Newton's method for v and r together with a band factorisation, of cost proportional to the number of bodies
//!    in a chain (`newton.rs`). A multiple of the forces, 1e-8 of their own influence, is added to the slips and
//!    taken away again by repetition from zero: so singular W are no trouble and the forces found are those of least
//!    norm;
//! 4. the general dense solver for few contacts, accelerated projected iterations and Newton again for many.
//!
//! Nothing is allocated in a step, but by the general solver, which is needed where disks are on the edge between stick
//! and slip and their forces are not determined.

mod few;
mod lanes;
mod newton;
mod sets;
mod solver;

use stickslip_linalg::BandCholesky;

use super::rows::Rows;
use super::{SolveError, greatest};
use crate::law::{Disk, Interval, Law, LawError, State};
use few::Few;
use newton::Newton;

/// Contacts with more force components than this are many: no dense matrix is made of them.
const FEW: usize = 48;

/// Stretches of accelerated projected iterations for many contacts, each twice as long as the one before.
const STRETCHES: usize = 4;

/// Relative residual that a solution may have.
const TOLERANCE: f64 = 1e-12;

/// What a contact can transmit in this step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Least force of an interval \[N\]; not used for disks.
    pub lo: f64,
    /// Greatest force of an interval, radius of a disk \[N\].
    pub hi: f64,
}

impl Bounds {
    /// [−a, a], or the disk of radius a.
    pub fn symmetric(a: f64) -> Bounds {
        Bounds { lo: -a, hi: a }
    }

    /// The law of a contact with so many components.
    fn law(&self, components: usize) -> Result<Law, LawError> {
        match components {
            1 => Interval::new(self.lo, self.hi).map(Law::Interval),
            _ => Disk::new(self.hi).map(Law::Disk),
        }
    }

    /// Whether the contact can transmit the force.
    #[inline(always)]
    fn holds(&self, r: &[f64]) -> bool {
        match r {
            [r] => *r >= self.lo && *r <= self.hi,
            [x, y] => x * x + y * y <= self.hi * self.hi,
            _ => true,
        }
    }
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// Its slip is zero.
    #[default]
    Stick,
    /// An interval with positive slip: the force is the least.
    Forward,
    /// An interval with negative slip: the force is the greatest.
    Backward,
    /// A disk that slips.
    Sliding,
}

impl Mode {
    /// The mode of a contact with so many components.
    fn of(state: State, components: usize) -> Mode {
        match state {
            State::Slip(_) if components == 2 => Mode::Sliding,
            State::Slip([x, _]) if x > 0.0 => Mode::Forward,
            State::Slip(_) => Mode::Backward,
            State::Stick | State::Open => Mode::Stick,
        }
    }
}

/// Everything that does not change between steps, and room to work in.
#[derive(Debug, Clone)]
pub struct Coupled {
    shape: Shape,
    free: Resolvent,
    few: Option<Few>,
    newton: Newton,
    /// Solutions by the general solver.
    general: u64,
}

/// Sizes and rows.
#[derive(Debug, Clone)]
struct Shape {
    /// Number of velocities.
    n: usize,
    h: f64,
    /// H.
    rows: Rows,
    /// First component of each contact, and the total at the end.
    first: Vec<usize>,
    /// Components of each contact, where all have as many.
    dim: Option<usize>,
    /// For rows with a single entry: its column and value.
    single: Vec<Option<(usize, f64)>>,
    /// Whether there is none.
    no_single: bool,
    /// Whether forces may be undetermined, so that contacts can relieve each other.
    shared: bool,
    /// Self-influence of each contact, the greatest of its components [m/s per N].
    weight: Vec<f64>,
}

/// What a step gives; lists that live as long as the run.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    /// Velocities.
    pub v: Vec<f64>,
    /// Contact forces; in: where to start.
    pub r: Vec<f64>,
    /// Slips: exactly 0.0 where a contact sticks.
    pub s: Vec<f64>,
    /// What each contact does.
    pub modes: Vec<Mode>,
    /// Greatest residual of a contact, as a velocity.
    pub residual: f64,
}

crate::clone_in_place!(Answer { v, r, s, modes, residual });

impl Answer {
    /// A place for answers: velocities, and no forces of contacts with so many components.
    pub fn new(v: Vec<f64>, components: usize, contacts: usize) -> Answer {
        let zeros = vec![0.0; components];
        Answer { v, r: zeros.clone(), s: zeros, modes: vec![Mode::Stick; contacts], residual: 0.0 }
    }
}

/// S⁻¹.
#[derive(Debug, Clone)]
enum Resolvent {
    /// Diagonal S.
    Diagonal(Vec<f64>),
    /// Any S, with the place of each velocity in the band.
    Band { place: Vec<usize>, factor: BandCholesky, room: Vec<f64> },
}

/// A symmetric matrix by its entries: the diagonal and (i, j, value) with j < i.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    /// The diagonal.
    pub diagonal: Vec<f64>,
    /// What is below it; no place twice.
    pub below: Vec<(usize, usize, f64)>,
}

impl Coupled {
    /// Prepares for steps of size h with the matrix S, contact rows H and one to two components per contact.
    /// `moving` says whether u can be other than zero. None if S is not positive definite or not finite.
    pub fn new(s: &Symmetric, rows: Rows, dims: &[usize], h: f64, moving: bool) -> Option<Coupled> {
        let n = s.diagonal.len();
        let mut first = vec![0];
        for dim in dims {
            first.push(first[first.len() - 1] + dim);
        }
        let mut free = Resolvent::new(s)?;
        let m = rows.len();
        // h S⁻¹ Hᵀ of few contacts; of many only what each contact does to itself.
        let mut push = Vec::new();
        if m <= FEW {
            push.resize(n * m, 0.0);
            for (k, column) in push.chunks_exact_mut(n.max(1)).enumerate() {
                rows.add(k, h, column);
                free.apply(column);
            }
        }
        let own: Vec<f64> = match push.chunks_exact(n.max(1)).len() {
            0 => free.own(&rows, h),
            _ => push.chunks_exact(n).enumerate().map(|(k, column)| rows.dot(k, column)).collect(),
        };
        let greatest = own.iter().copied().fold(0.0, f64::max);
        if !greatest.is_finite() {
            return None;
        }
        let rest = if greatest > 0.0 { greatest } else { 1.0 };
        let weight = first.windows(2).map(|w| own[w[0]..w[1]].iter().copied().fold(0.0, f64::max));
        let weight = weight.map(|w| if w > 0.0 { w } else { rest }).collect();
        let one = |k: usize| {
            let mut row = rows.row(k);
            row.next().filter(|_| row.next().is_none())
        };
        let single: Vec<_> = (0..m).map(one).collect();
        let no_single = single.iter().all(Option::is_none);
        let dim = dims.first().copied().filter(|d| dims.iter().all(|other| other == d));
        let mut shape = Shape { n, h, rows, first, dim, single, no_single, shared: true, weight };
        let few = if m <= FEW { Some(Few::new(&shape, &push, moving)?) } else { None };
        shape.shared = few.as_ref().is_none_or(Few::is_singular);
        let newton = Newton::new(s, &shape);
        Some(Coupled { shape, free, few, newton, general: 0 })
    }

    /// A place for answers.
    pub fn answer(&self) -> Answer {
        Answer::new(vec![0.0; self.shape.n], self.shape.rows.len(), self.shape.weight.len())
    }

    /// Solves for `answer` with the momentum p, the slips u that moving supports add, and the bounds of the contacts.
    ///
    /// What is not a number, or a bound without room between its ends, is an error and never a contact that sticks.
    pub fn solve(&mut self, p: &[f64], u: &[f64], bounds: &[Bounds], answer: &mut Answer) -> Result<(), SolveError> {
        answer.residual = 0.0;
        self.free.without_forces(p, &mut answer.v);
        if self.shape.rows.is_empty() {
            return Ok(());
        }
        // A comparison with NaN is false.
        if !bounds.iter().fold(true, |fit, b| fit & (b.lo <= b.hi)) {
            return Err(SolveError::NotFinite);
        }
        if let Some(few) = &mut self.few
            && few.solve(&self.shape, u, bounds, answer)
        {
            return Ok(());
        }
        let stretches = if self.few.is_some() { 0 } else { STRETCHES };
        let Err(error) = self.newton.solve(&self.shape, &mut self.free, p, u, bounds, answer, stretches) else {
            self.few.iter().for_each(|few| few.rest(answer));
            return Ok(());
        };
        let Some(few) = &mut self.few else { return Err(error) };
        answer.v.copy_from_slice(p);
        self.free.apply(&mut answer.v);
        self.general += 1;
        few.general(&self.shape, u, bounds, answer)
    }

    /// Whether the residual of an answer is no more than the rounding of what its forces do to the slips.
    pub fn is_rounding(&self, answer: &Answer) -> bool {
        let size = |c: usize| self.shape.at(c).fold(0.0, |m: f64, k| greatest(m, answer.r[k].abs()));
        let forces = (0..self.shape.contacts()).fold(0.0, |m, c| greatest(m, self.shape.weight[c] * size(c)));
        answer.residual <= TOLERANCE * forces
    }

    /// Solutions that needed the general dense solver so far.
    pub fn general_solves(&self) -> u64 {
        self.general
    }

    /// Solutions that needed Newton's method so far.
    pub fn newton_solves(&self) -> u64 {
        self.newton.solves
    }

    /// W = h H S⁻¹ Hᵀ of few contacts, row after row.
    pub fn influence(&self) -> Option<&[f64]> {
        self.few.as_ref().map(Few::influence)
    }
}

impl Shape {
    /// Components of contact c.
    #[inline(always)]
    fn at(&self, c: usize) -> std::ops::Range<usize> {
        self.first[c]..self.first[c + 1]
    }

    #[inline(always)]
    fn contacts(&self) -> usize {
        self.weight.len()
    }

    /// From the slips H v + u: exactly zero where contacts stick, and what was left there. Where forces are not unique,
    /// contacts on their bounds whose slip is not above the solver's error (`least`) stick: others share their load. A velocity that a stuck contact
    /// alone decides is made to fit exactly.
    #[inline(always)]
    fn finish(&self, slips: &[f64], u: &[f64], least: f64, answer: &mut Answer) {
        let mut left = answer.residual;
        let least = if self.shared { least } else { 0.0 };
        if self.no_single && answer.modes.iter().all(|mode| *mode == Mode::Stick) {
            for (s, slip) in answer.s.iter_mut().zip(slips) {
                *s = 0.0;
                left = greatest(left, slip.abs());
            }
            answer.residual = left;
            return;
        }
        for (c, mode) in answer.modes.iter_mut().enumerate() {
            let slip = self.at(c).fold(0.0, |m: f64, k| greatest(m, slips[k].abs()));
            let stuck = *mode == Mode::Stick || slip <= least;
            if !stuck {
                self.at(c).for_each(|k| answer.s[k] = slips[k]);
                continue;
            }
            *mode = Mode::Stick;
            left = greatest(left, slip);
            for k in self.at(c) {
                answer.s[k] = 0.0;
                if let Some((i, value)) = self.single[k] {
                    answer.v[i] = if u[k] == 0.0 { 0.0 } else { -u[k] / value };
                }
            }
        }
        answer.residual = left;
    }
}

impl Resolvent {
    fn new(s: &Symmetric) -> Option<Resolvent> {
        let n = s.diagonal.len();
        if s.diagonal.iter().any(|d| !(*d > 0.0 && d.is_finite())) {
            return None;
        }
        if s.below.is_empty() {
            return Some(Resolvent::Diagonal(s.diagonal.iter().map(|d| 1.0 / d).collect()));
        }
        let mut neighbours = vec![Vec::new(); n];
        for &(i, j, _) in &s.below {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
        let mut place = vec![0; n];
        stickslip_linalg::near_order(&neighbours).iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let width = s.below.iter().map(|&(i, j, _)| place[i].abs_diff(place[j])).max().unwrap_or(0);
        let diagonal = (0..n).map(|i| (place[i], place[i], s.diagonal[i]));
        let below = s.below.iter().map(|&(i, j, value)| (place[i].max(place[j]), place[i].min(place[j]), value));
        let factor = BandCholesky::new(n, width, diagonal.chain(below))?;
        Some(Resolvent::Band { factor, room: vec![0.0; n], place })
    }

    /// What each contact's force does to its own slip, h H_k S⁻¹ H_kᵀ. Bodies outside each other's band count apart.
    fn own(&self, rows: &Rows, h: f64) -> Vec<f64> {
        let sum = |k: usize, entry: &dyn Fn(usize, usize) -> f64| {
            let row = || rows.row(k);
            h * row()
                .flat_map(|(i, a)| row().map(move |(j, b)| (i, j, a * b)))
                .map(|(i, j, ab)| ab * entry(i, j))
                .sum::<f64>()
        };
        match self {
            Resolvent::Diagonal(inverse) => {
                (0..rows.len()).map(|k| sum(k, &|i, j| if i == j { inverse[i] } else { 0.0 })).collect()
            }
            Resolvent::Band { place, factor, .. } => {
                let (inverse, width) = (factor.inverse_in_band(), factor.width());
                let entry = |i: usize, j: usize| {
                    let (first, apart) = (place[i].min(place[j]), place[i].abs_diff(place[j]));
                    if apart <= width { inverse[first * (width + 1) + apart] } else { 0.0 }
                };
                (0..rows.len()).map(|k| sum(k, &entry)).collect()
            }
        }
    }

    /// x = S⁻¹ p.
    #[inline(always)]
    fn without_forces(&mut self, p: &[f64], x: &mut [f64]) {
        match self {
            Resolvent::Diagonal(inverse) => {
                x.iter_mut().zip(p).zip(&*inverse).for_each(|((x, p), d)| *x = p * d);
            }
            Resolvent::Band { .. } => {
                x.copy_from_slice(p);
                self.apply(x);
            }
        }
    }

    /// Replaces x by S⁻¹ x.
    #[inline]
    fn apply(&mut self, x: &mut [f64]) {
        match self {
            Resolvent::Diagonal(inverse) => x.iter_mut().zip(inverse).for_each(|(x, d)| *x *= *d),
            Resolvent::Band { place, factor, room } => {
                x.iter().zip(&*place).for_each(|(x, &k)| room[k] = *x);
                factor.solve(room);
                x.iter_mut().zip(&*place).for_each(|(x, &k)| *x = room[k]);
            }
        }
    }
}

/// Proj_C(x) in place for a contact of one or two components, and what the contact does there.
#[inline(always)]
fn project(bounds: &Bounds, scale: f64, x: &mut [f64]) -> Mode {
    let (lo, hi) = (bounds.lo * scale, bounds.hi * scale);
    if let [x] = x {
        if *x > hi {
            *x = hi;
            Mode::Backward
        } else if *x < lo {
            *x = lo;
            Mode::Forward
        } else {
            Mode::Stick
        }
    } else {
        let square = x[0] * x[0] + x[1] * x[1];
        if square > hi * hi {
            let factor = hi / square.sqrt();
            x[0] *= factor;
            x[1] *= factor;
            Mode::Sliding
        } else {
            Mode::Stick
        }
    }
}

#[cfg(test)]
mod tests;
