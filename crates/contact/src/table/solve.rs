//! Lines of a table, solved by the exact theory.

use super::{Spec, TableError, unit};
use crate::error::Error;
use crate::material::Material;
use crate::patch::{Creepage, Forces, Friction, Patch};
use crate::theory::{Exact, Theory, TheoryError};
use stickslip_core::range::OutOfRange;

/// Elements along each side, over those of the table, that are tried one after the other where spin turns slips faster than elements can
/// follow.
pub(super) const FINER: [usize; 3] = [1, 2, 4];

/// ρ at which slopes of the linear theory are taken: forces bend by about ρ/3 of themselves.
const SMALL: f64 = 1e-6;

/// One point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// F_x/(μN), F_y/(μN), M_z/(μNc), each over t; at t = 0 what that tends to.
    pub over_t: [f64; 3],
    /// Share of stick.
    pub stick: f64,
    /// Whether it was solved, or is known in closed form (t = 0, t = 1).
    pub solved: bool,
}

/// All points of one direction at one a/b, t from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// From the linear theory to full sliding.
    pub nodes: Vec<Node>,
}

/// Solves lines. What belongs to one a/b is kept until another one comes; a line is a function of its number alone, whatever was
/// solved before.
pub struct Solver<'a> {
    spec: &'a Spec,
    ready: Option<Ready>,
    solved: u64,
}

struct Ready {
    ratio: usize,
    patch: Patch,
    /// On the elements of [`FINER`]; the finer ones when they are needed.
    exact: [Option<Exact>; FINER.len()],
    /// Forces per u_x, u_y and u_φ of the linear theory.
    slopes: [[f64; 3]; 3],
}

/// A contact with c = 1, G = 1 and μN = 1, in which creepages and forces are the scaled ones.
pub fn contact(ratio: f64, poisson: f64) -> Result<Patch, OutOfRange> {
    let (a, b) = (ratio.sqrt(), 1.0 / ratio.sqrt());
    Patch::new(a, b, 1.0, Material::new(1.0, poisson)?, Friction::constant(1.0)?)
}

pub(super) fn creepage(u: [f64; 3]) -> Creepage {
    Creepage { xi: u[0], eta: u[1], phi: u[2] }
}

pub(super) fn values(forces: &Forces) -> [f64; 3] {
    [forces.fx, forces.fy, forces.mz.unwrap_or(0.0)]
}

impl Ready {
    /// The exact theory on elements of a level, and the contact.
    fn on(&mut self, spec: &Spec, level: usize) -> Result<(&mut Exact, &Patch), TheoryError> {
        let exact = match self.exact[level].take() {
            Some(exact) => exact,
            None => Exact::with_settings(FINER[level] * spec.elements, spec.settings())?,
        };
        Ok((self.exact[level].insert(exact), &self.patch))
    }
}

impl<'a> Solver<'a> {
    /// For a table that was checked.
    pub fn new(spec: &'a Spec) -> Solver<'a> {
        Solver { spec, ready: None, solved: 0 }
    }

    /// Solutions made so far.
    pub fn solved(&self) -> u64 {
        self.solved
    }

    fn prepare(&mut self, ratio: usize) -> Result<&mut Ready, TheoryError> {
        let ready = match self.ready.take().filter(|ready| ready.ratio == ratio) {
            Some(ready) => ready,
            None => {
                let patch = contact(self.spec.ratios[ratio], self.spec.poisson).map_err(Error::from)?;
                let mut exact = Exact::with_settings(self.spec.elements, self.spec.settings())?;
                let mut slopes = [[0.0; 3]; 3];
                for (k, slope) in slopes.iter_mut().enumerate() {
                    let mut u = [0.0; 3];
                    u[k] = SMALL;
                    exact.begin();
                    *slope = values(&exact.forces(&patch, creepage(u))?).map(|f| f / SMALL);
                }
                let mut on_elements = [const { None }; FINER.len()];
                on_elements[0] = Some(exact);
                Ready { ratio, patch, exact: on_elements, slopes }
            }
        };
        Ok(self.ready.insert(ready))
    }

    /// The line of a number, from small creepages to full sliding, each solution from the ones before it.
    pub fn line(&mut self, number: usize) -> Result<Line, TableError> {
        let spec = self.spec;
        let (i, j, k) = spec.place(number);
        let (ratio, spin_angle, direction) = (spec.ratios[i], spec.spin_angle(j), spec.direction(k));
        let told = |t: f64, error: TheoryError| TableError::Point {
            ratio,
            spin_angle: spin_angle.to_degrees(),
            direction: direction.to_degrees(),
            t,
            error: match error {
                TheoryError::Exact(error) => error,
                _ => Error::NoConvergence { what: "table", residual: 1.0, tolerance: spec.tolerance, iterations: 0 },
            },
        };
        let ready = self.prepare(i).map_err(|error| told(0.0, error))?;
        let d = unit(ratio, spin_angle, direction);
        let slope = [0, 1, 2].map(|c| (0..3).map(|by| ready.slopes[by][c] * d[by]).sum::<f64>());
        let last = ready.on(spec, 0).and_then(|(exact, patch)| exact.sliding(patch, creepage(d)));
        let last = values(&last.map_err(|error| told(1.0, error))?);
        let mut nodes = vec![Node { over_t: slope, stick: 1.0, solved: true }];
        let (mut level, mut begun, mut beyond) = (0, false, None);
        for m in 1..spec.magnitudes {
            let t = spec.t(m);
            let rho = t / (1.0 - t);
            // Spin that turns slips faster than these elements can follow: finer ones, from here to the end of the line.
            while beyond.is_none() {
                let solved = ready.on(spec, level).and_then(|(exact, patch)| {
                    if !std::mem::replace(&mut begun, true) {
                        exact.begin();
                    }
                    exact.forces(patch, creepage(d.map(|d| rho * d)))
                });
                match solved {
                    Ok(forces) => {
                        let stick = forces.stick.unwrap_or(0.0);
                        nodes.push(Node { over_t: values(&forces).map(|f| f / t), stick, solved: true });
                        break;
                    }
                    Err(TheoryError::Exact(Error::Spin { .. })) if level + 1 < FINER.len() => {
                        (level, begun) = (level + 1, false);
                    }
                    Err(TheoryError::Exact(Error::Spin { .. })) if m > 1 => {
                        let before = spec.t(m - 1);
                        beyond = Some((nodes[m - 1].over_t.map(|f| f * before), before / (1.0 - before)));
                    }
                    Err(error) => return Err(told(t, error)),
                }
            }
            if let Some((known, at)) = beyond {
                nodes.push(between(known, at, last, rho, t));
            }
        }
        nodes.push(Node { over_t: last, stick: 0.0, solved: true });
        self.solved += nodes.iter().filter(|node| node.solved).count() as u64 - 2;
        Ok(Line { nodes })
    }
}

/// Between the last solution and full sliding: elastic slip is bounded, rigid slip grows with ρ, and so the difference falls as 1/ρ.
fn between(known: [f64; 3], at: f64, last: [f64; 3], rho: f64, t: f64) -> Node {
    let share = at / rho;
    Node { over_t: [0, 1, 2].map(|c| (last[c] + share * (known[c] - last[c])) / t), stick: 0.0, solved: false }
}
