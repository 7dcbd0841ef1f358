//! The inclusion: find contact forces r with
//!
//! ```text
//! s = W r + b,      −s ∈ N_C(r),      C = C₁ × … × C_k
//! ```
//!
//! s: slip velocities at the contacts; W: how forces change slips; b: the slips without contact forces; C:
//! what the contacts can transmit ([`crate::law`]). There is no mechanics in here.
//!
//! # The measure of a solution
//! r solves the inclusion if and only if r = Proj_C(r − ρ s) for any ρ > 0. The *residual* of contact i is
//!
//! ```text
//! e_i = |r_i − Proj_{C_i}(r_i − ρ_i s_i)| / ρ_i,      ρ_i = 1/w_i,  w_i = greatest diagonal entry of W at i,
//! ```
//!
//! a velocity: a force residual would only show how light the bodies are. The relative residual divides
//! max e_i by max|b| + max w_i|r_i|. Every solver is judged by it and every result carries it. Forces that run away, since nothing
//! bounds them and there is no solution, make it as small as one likes: `unseen.rs` tells such problems.
//!
//! # Solvers
//! Each can be called in its own words and, as a [`Solver`], with W, b and C. `tests/conformance/` asks all of them all problems
//! that they accept.
//!
//! | file | problem |
//! |---|---|
//! | `nine_regions.rs` | two intervals, W = [[d1+d2, d2], [d2, d2]]: the driven, braked wheel, in closed form |
//! | `one_disk.rs` | one disk: a scalar equation by Newton |
//! | `star.rs` | a chassis on n wheels: 2n intervals coupled by one speed, exactly |
//! | `coupled/` | linear assemblies, many steps of one size: W⁺ when all stick, projected iterations, Newton in a band |
//! | `monotone.rs` | many contacts, one dense monotone W, many b: splitting, then Newton |
//! | `dense.rs` | any small W and C: semismooth Newton, splitting when that stalls, least-norm forces; contacts that do the same as one (`alike.rs`), few on lines case by case (`cases.rs`) |

mod alike;
mod cases;
pub mod coupled;
mod dense;
mod drift;
mod least_norm;
pub mod monotone;
mod monotonicity;
mod newton;
pub mod nine_regions;
pub mod one_disk;
mod operator;
pub mod rows;
mod solver;
mod splitting;
pub mod star;
mod transfer;
mod unseen;

pub use coupled::Coupled;
pub(crate) use dense::{Choice, solve_by};
pub use dense::{Dense, Method, Settings, Solution, SolveError, solve, solve_until};
pub use monotone::Monotone;
pub use monotonicity::Monotonicity;
pub use nine_regions::NineRegions;
pub use one_disk::OneDisk;
pub use operator::Operator;
pub use rows::Rows;
pub use solver::{Breach, Solved, Solver};
pub use star::Star;
pub use transfer::{consistent, consistent_along};

use crate::law::{Product, Set};

/// One inclusion: W, b and C.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a, W> {
    /// How contact forces change slips.
    pub w: &'a W,
    /// Slips without contact forces.
    pub b: &'a [f64],
    /// What the contacts can transmit.
    pub c: &'a Product,
}

/// Solution of one inclusion of a whole system, y = y₀ + A Hᵀ r, s = H y, −s ∈ N_C(r).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Response<V, C> {
    /// Contact forces r on the system.
    pub forces: C,
    /// y = y₀ + A Hᵀ r.
    pub motion: V,
    /// s = H y; exactly 0.0 where a contact holds.
    pub slips: C,
}

/// How far r is from a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// max e_i, in the unit of the slips.
    pub absolute: f64,
    /// The same over max|b| + max w_i|r_i|.
    pub relative: f64,
}

impl<W: Operator> Problem<'_, W> {
    /// s = W r + b.
    pub fn slip(&self, r: &[f64], s: &mut [f64]) {
        self.w.apply(r, s);
        for (s, b) in s.iter_mut().zip(self.b) {
            *s += b;
        }
    }

    /// w_i for every component: the greatest self-influence within its contact. A contact that no force
    /// moves by itself is given the greatest of the others; where there is none (W may be a rotation), the greatest entry of W, or 1.
    pub fn weights(&self) -> Vec<f64> {
        let diagonal: Vec<f64> = (0..self.w.dim()).map(|i| self.w.self_influence(i)).collect();
        let greatest = diagonal.iter().copied().fold(0.0, f64::max);
        let rest = if greatest > 0.0 { greatest } else { self.w.greatest_influence() };
        let mut weights = diagonal.clone();
        for (_, at) in self.c.iter() {
            let own = diagonal[at.clone()].iter().copied().fold(0.0, f64::max);
            weights[at].fill(if own > 0.0 { own } else { rest });
        }
        weights
    }

    /// The residual of r.
    pub fn residual(&self, r: &[f64]) -> Residual {
        let mut s = vec![0.0; r.len()];
        self.slip(r, &mut s);
        self.c.correct(&mut s);
        let weights = self.weights();
        let mut absolute = 0.0_f64;
        for (law, at) in self.c.iter() {
            let weight = weights[at.start];
            let mut x = [0.0; 3];
            let x = &mut x[..at.len()];
            for (k, i) in at.clone().enumerate() {
                x[k] = r[i] - s[i] / weight;
            }
            law.project(x);
            x.iter_mut().zip(&r[at]).for_each(|(x, r)| *x -= r);
            absolute = greatest(absolute, weight * length(x));
        }
        let size = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| greatest(m, v.abs()));
        let forces = r.iter().zip(&weights).fold(0.0_f64, |m, (r, w)| greatest(m, w * r.abs()));
        let scale = size(self.b) + forces;
        let relative = if absolute <= underflow(&weights) { 0.0 } else { absolute / scale };
        Residual { absolute, relative }
    }
}

/// The length of a vector, of which the squares may be too small or too large for a number.
fn length(x: &[f64]) -> f64 {
    let most = x.iter().fold(0.0_f64, |m, v| greatest(m, v.abs()));
    let scale = if most > 0.0 && most < f64::INFINITY && !SQUARED.contains(&most) { most } else { 1.0 };
    scale * x.iter().map(|v| (v / scale) * (v / scale)).sum::<f64>().sqrt()
}

/// √(ab) of numbers that are not negative, of which the product may be too small or too large for a number.
fn geometric_mean(a: f64, b: f64) -> f64 {
    let product = a * b;
    if product.is_normal() { product.sqrt() } else { a.sqrt() * b.sqrt() }
}

/// Numbers of which squares and their sums are numbers, too.
const SQUARED: std::ops::Range<f64> = 1e-130..1e130;

/// What slips lose where numbers end: below, forces and slips have fewer digits, and in the end none.
fn underflow(weights: &[f64]) -> f64 {
    f64::MIN_POSITIVE * weights.iter().fold(1.0, |m, w| greatest(m, *w))
}

/// The greater of two numbers, or NaN if either is: a residual that is not a number must not hide.
#[inline(always)]
fn greatest(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}
