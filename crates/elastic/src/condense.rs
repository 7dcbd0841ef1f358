//! From a body to the compliance of its contact surface.
//!
//! Every part of the dissection has a dense *front*: stiffness between its own nodes and its boundary (`fronts.rs`). Elements and
//! what the children left are added up, own unknowns are eliminated, and what is left goes to the parent. The last front holds
//! the contact unknowns alone: S.

use std::sync::atomic::{AtomicU64, Ordering};

use stickslip_linalg::{Factor, Front, Matrix};

use crate::dissection::{Dissection, Part};
use crate::element::{self, Elasticity};
use crate::fronts::Fronts;
use crate::mesh::{Body, MeshError};

/// Least pivot over the stiffness of the same unknown before anything was eliminated. Without support pivots are of the size of rounding,
/// 1e-16 … 1e-13; above this share W has at least five digits.
const LEAST_PIVOT: f64 = 1e-11;

/// A body reduced to its contact nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Condensed {
    /// W: displacements of the contact nodes for forces on them, directions of one node next to each other.
    pub compliance: Matrix,
    /// The way back inside; none if it was not kept.
    pub inside: Option<Inside>,
}

/// Factors of all parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inside {
    /// In the order of the dissection.
    pub factors: Vec<Factor>,
}

/// What a condensation takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Unknowns that are free.
    pub unknowns: usize,
    /// Multiplications.
    pub work: f64,
    /// Entries of the factor.
    pub entries: f64,
    /// Memory at most \[bytes\], estimated.
    pub bytes: f64,
    /// Time \[s\], estimated for one core of a common machine.
    pub seconds: f64,
}

/// Multiplications per second that one core is taken to do, for the estimate of time.
const SPEED: f64 = 5e9;

/// Why there is no condensation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CondenseError {
    /// The body cannot be used.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A part of the body is not held by anything.
    #[error(
        "the stiffness has no positive pivot at node {node} (x = {:.4e} m, y = {:.4e} m, z = {:.4e} m): a part of the body is not \
         held by the clamped nodes, or elements are too distorted",
        place[0], place[1], place[2]
    )]
    NotHeld {
        /// The node.
        node: u32,
        /// Where it is.
        place: [f64; 3],
    },
}

impl Cost {
    /// What the condensation of a body takes in this order.
    pub fn new(body: &Body, dissection: &Dissection) -> Cost {
        let directions = body.mesh.directions();
        let (work, entries) = dissection.work(directions);
        let contact = (body.contact.len() * directions) as f64;
        let size = |part: &Part| ((part.own.len() + part.boundary.len()) * directions) as f64;
        let greatest = dissection.parts.iter().map(size).fold(0.0, f64::max);
        // The factor in single precision; the greatest front twice (itself and a child's rest), S and W.
        let bytes = 4.0 * entries + 8.0 * (2.0 * greatest * greatest + 3.0 * contact * contact);
        // S is inverted: n³.
        let seconds = (work + contact * contact * contact / 2.0) / SPEED;
        Cost { unknowns: body.freedoms(), work, entries, bytes, seconds }
    }
}

/// What all parts need to know to judge their pivots.
struct Pivots<'a> {
    body: &'a Body,
    directions: usize,
    /// Diagonal of the stiffness, node after node.
    diagonal: Vec<f64>,
}

/// W of a body. `progress` hears the share of the work that is done, from any thread.
pub fn condense(
    body: &Body,
    dissection: &Dissection,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Condensed, CondenseError> {
    body.check()?;
    let elasticity = Elasticity::new(body.young, body.poisson);
    let fronts =
        Fronts::new(body, dissection, |kind, places: &[[f64; 3]; 8]| element::stiffness(kind, places, elasticity));
    let judge = Pivots { body, directions: fronts.directions, diagonal: diagonal(body, elasticity) };
    let done = AtomicU64::new(0);
    let (front, factors) = fronts.walk(&|index: usize, front: &mut Front| {
        let part = &dissection.parts[index];
        let pivots = fronts.pivots(part);
        front.eliminate(pivots).map_err(|error| judge.not_held(part, error.pivot))?;
        judge.check(part, pivots, |j| front.at(j, j) * front.at(j, j))?;
        let own = fronts.below[index] - part.children.iter().map(|child| fronts.below[*child]).sum::<f64>();
        let done = done.fetch_add(own as u64, Ordering::Relaxed) as f64 + own;
        progress((done / fronts.whole().max(1.0)).min(1.0));
        Ok::<_, CondenseError>((pivots > 0).then(|| front.factor(pivots)))
    })?;
    let last = &dissection.parts[dissection.parts.len() - 1];
    let compliance = front.inverse().map_err(|error| judge.not_held(last, error.pivot))?;
    judge.check(last, compliance.rows(), |j| 1.0 / compliance.row(j)[j])?;
    let factors = factors.into_iter().filter_map(|(_, factor)| factor).collect();
    Ok(Condensed { compliance, inside: Some(Inside { factors }) })
}

/// The diagonal of the stiffness of a body, node after node.
fn diagonal(body: &Body, elasticity: Elasticity) -> Vec<f64> {
    let directions = body.mesh.directions();
    let mut diagonal = vec![0.0; body.mesh.nodes.len() * directions];
    for (kind, corners) in body.mesh.elements() {
        let own = element::diagonal(kind, &body.mesh.places(corners), elasticity);
        for (node, own) in corners.iter().zip(own.chunks_exact(directions)) {
            let at = &mut diagonal[*node as usize * directions..][..directions];
            at.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }
    diagonal
}

impl Pivots<'_> {
    /// Refuses pivots that are only rounding.
    fn check(&self, part: &Part, count: usize, pivot: impl Fn(usize) -> f64) -> Result<(), CondenseError> {
        let nodes = part.own.iter().chain(&part.boundary);
        let unknowns = nodes.flat_map(|node| (0..self.directions).map(|d| *node as usize * self.directions + d));
        let bad = |(j, at): (usize, usize)| pivot(j).is_nan() || pivot(j) <= LEAST_PIVOT * self.diagonal[at];
        match unknowns.take(count).enumerate().position(bad) {
            Some(j) => Err(self.not_held(part, j)),
            None => Ok(()),
        }
    }

    fn not_held(&self, part: &Part, pivot: usize) -> CondenseError {
        let nodes = part.own.iter().chain(&part.boundary);
        let node = nodes.copied().nth(pivot / self.directions).unwrap_or(0);
        CondenseError::NotHeld { node, place: self.body.mesh.nodes[node as usize] }
    }
}

impl Condensed {
    /// Displacements of all nodes from those of the contact nodes, where forces act on these alone: directions of one node next to
    /// each other. None if the way back was not kept.
    ///
    /// The factor is in single precision: on a disc of 8000 unknowns displacements are right to 2e-7 of the greatest and stresses to
    /// 1e-5, and forces inside balance to 6e-4 of one nodal force of the contact.
    pub fn displacements(&self, body: &Body, dissection: &Dissection, contact: &[f64]) -> Option<Vec<f64>> {
        let directions = body.mesh.directions();
        let inside = self.inside.as_ref()?;
        let mut u = vec![0.0; body.mesh.nodes.len() * directions];
        for (node, known) in body.contact.iter().zip(contact.chunks_exact(directions)) {
            u[*node as usize * directions..][..directions].copy_from_slice(known);
        }
        let parts = dissection.parts.iter().filter(|part| !part.own.is_empty());
        let pairs: Vec<(&Part, &Factor)> = parts.zip(&inside.factors).collect();
        let mut local = Vec::new();
        for (part, factor) in pairs.into_iter().rev() {
            local.clear();
            for node in part.own.iter().chain(&part.boundary) {
                local.extend_from_slice(&u[*node as usize * directions..][..directions]);
            }
            factor.back(&mut local);
            for (node, found) in part.own.iter().zip(local.chunks_exact(directions)) {
                u[*node as usize * directions..][..directions].copy_from_slice(found);
            }
        }
        Some(u)
    }
}
