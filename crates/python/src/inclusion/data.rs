//! W, b and C, and what they and a solution of theirs tell by their own rows.

use std::ops::Range;

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stickslip::core::inclusion::{Monotonicity, Problem, Solved};
use stickslip::core::law::{Law, Product, Set};
use stickslip::linalg::Matrix;

use crate::arrays::copied;
use crate::law::{Named, set};

/// Slips may be off by this share of what their row is the sum of.
const TORN: f64 = 1e-6;

/// Roundings of each term of a row that its slip may be off by.
const ROUNDINGS: f64 = 16.0;

/// W, b and C as they came from Python.
pub struct Data {
    pub w: Matrix,
    pub b: Vec<f64>,
    pub c: Product,
}

impl Data {
    pub fn new(w: &PyReadonlyArray1<f64>, b: &PyReadonlyArray1<f64>, c: &[Named]) -> PyResult<Data> {
        let (w, b) = (copied(w)?, copied(b)?);
        let c = Product::new(c.iter().map(set).collect::<PyResult<_>>()?);
        let n = c.dim();
        if b.len() != n || Some(w.len()) != n.checked_mul(n) {
            let (w, b) = (w.len(), b.len());
            return Err(PyValueError::new_err(format!("W has {w} entries, b {b}, and the contacts {n} components")));
        }
        if let Some(bad) = w.iter().chain(&b).find(|v| !v.is_finite()) {
            return Err(PyValueError::new_err(format!("an entry of W or b is {bad}: all must be finite")));
        }
        Ok(Data { w: Matrix::from_fn(n, n, |i, j| w[i * n + j]), b, c })
    }

    pub fn problem(&self) -> Problem<'_, Matrix> {
        Problem { w: &self.w, b: &self.b, c: &self.c }
    }

    /// Contacts in groups that act on each other, each in rising order.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        let contacts: Vec<Range<usize>> = self.c.iter().map(|(_, at)| at).collect();
        let act = |a: usize, b: usize| {
            contacts[a].clone().any(|i| contacts[b].clone().any(|j| self.w[(i, j)] != 0.0 || self.w[(j, i)] != 0.0))
        };
        let mut left: Vec<usize> = (0..contacts.len()).collect();
        let mut parts = Vec::new();
        while let Some(&first) = left.first() {
            let mut part = vec![first];
            let mut next = 0;
            left.retain(|&contact| contact != first);
            while next < part.len() {
                let (near, far) = left.iter().partition(|&&contact| act(part[next], contact));
                part.extend::<Vec<usize>>(near);
                left = far;
                next += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// A contact whose force and slip do not obey the law, or a slip that is not W r + b, by what its own rows are the sums of, in words: residuals are
    /// relative to the largest row and the largest force, beside which small ones are lost.
    pub fn torn(&self, solved: &Solved) -> Option<String> {
        let problem = self.problem();
        let weights = problem.weights();
        let mut slips = vec![0.0; self.b.len()];
        problem.slip(&solved.r, &mut slips);
        let size = |k: usize| -> f64 {
            solved.r.iter().enumerate().map(|(j, r)| (self.w[(k, j)] * r).abs()).sum::<f64>() + self.b[k].abs()
        };
        // Forces of least norm are known to the rounding of the greatest one that has to do with them, scaled by √w as solvers scale them.
        let scaled = |k: usize| weights[k].sqrt() * solved.r[k].abs();
        let mut greatest = vec![0.0; self.b.len()];
        let contacts: Vec<Range<usize>> = self.c.iter().map(|(_, at)| at).collect();
        for part in self.parts() {
            let components = || part.iter().flat_map(|&contact| contacts[contact].clone());
            let most = components().map(scaled).fold(0.0, f64::max);
            components().for_each(|k| greatest[k] = most);
        }
        // What is lost where numbers end is not torn, nor what rounding makes of slips that others of the same body have: the fourth leg of a table that stands on
        // three has a slip that is the rounding of theirs. A slip |b_j| at j goes with a force |b_j|/w_j, which makes |w_kj| |b_j|/w_j at k.
        let lost = |k: usize| {
            let row = self.w.row(k);
            let end = f64::MIN_POSITIVE * row.iter().fold(1.0, |m: f64, w| m.max(w.abs()));
            let shared: f64 = row.iter().enumerate().map(|(j, w)| w.abs() * self.b[j].abs() / weights[j]).sum();
            end + ROUNDINGS * f64::EPSILON * row.len() as f64 * (shared + weights[k].sqrt() * greatest[k])
        };
        let but = "rows of W and b, or forces, differ so much in size that the small ones are lost in rounding. Scale them, or solve contacts \
                   that do not act on each other apart";
        let slip = |k: usize| {
            let off = (slips[k] - solved.s[k]).abs();
            (off > TORN * size(k) + lost(k)).then(|| {
                let (found, told) = (slips[k], solved.s[k]);
                format!("not solved: component {k} has the slip {found:e} and not {told:e}: {but}")
            })
        };
        let mut corrected = slips.clone();
        self.c.correct(&mut corrected);
        let contact = |(contact, (law, at)): (usize, (&Law, Range<usize>))| {
            let weight = weights[at.start];
            let mut x = [0.0; 3];
            at.clone().enumerate().for_each(|(k, i)| x[k] = solved.r[i] - corrected[i] / weight);
            law.project(&mut x[..at.len()]);
            let off = at.clone().enumerate().fold(0.0, |m: f64, (k, i)| m.max(weight * (x[k] - solved.r[i]).abs()));
            let most = at.clone().map(|k| TORN * size(k) + lost(k)).sum::<f64>();
            (off > most).then(|| {
                format!("not solved: contact {contact} is off the law by a slip of {off:e}, which is not small in its own rows: {but}")
            })
        };
        (0..self.b.len()).find_map(slip).or_else(|| self.c.iter().enumerate().find_map(contact))
    }

    /// Contacts whose forces can run away.
    pub fn running_away(&self) -> Vec<usize> {
        match self.problem().runaway() {
            Ok(Some(d)) => {
                let grows = |at: Range<usize>| d[at].iter().any(|d| *d != 0.0);
                let which = self.c.iter().enumerate().filter(|(_, (_, at))| grows(at.clone()));
                which.map(|(contact, _)| contact).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether W has negative directions, in words that end a message.
    pub fn remark(&self) -> &'static str {
        match self.problem().monotonicity() {
            Monotonicity::None => "; W has negative directions (x·Wx < 0), so there may be no solution, or several",
            _ if self.c.has_cones() => "; with cones there may be no solution, or several",
            _ => "",
        }
    }
}
