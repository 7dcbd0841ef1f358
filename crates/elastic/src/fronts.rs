//! The walk of an elimination through the tree of a dissection.
//!
//! Every part has a dense *front*: what its elements say about its own nodes and its boundary, and what its children left.

use std::collections::HashMap;

use stickslip_linalg::Front;

use crate::dissection::{Dissection, Part};
use crate::element::Stiffness;
use crate::mesh::{Body, Kind};

/// Subtrees with more work than this share of all are made by threads of their own.
const THREAD_SHARE: f64 = 0.02;

/// Fronts of a body in the order of a dissection.
pub(crate) struct Fronts<'a, M> {
    pub body: &'a Body,
    pub dissection: &'a Dissection,
    pub directions: usize,
    /// The matrix of an element whose nodes are at these places.
    pub matrix: M,
    /// Work of each part with all that comes before it.
    pub below: Vec<f64>,
}

/// What is left on the boundary of a part, and what each part has kept, by its number.
type Eliminated<T, E> = Result<(Front, Vec<(usize, T)>), E>;

impl<'a, M: Fn(Kind, &[[f64; 3]; 8]) -> Stiffness + Sync> Fronts<'a, M> {
    /// Fronts with these matrices of the elements.
    pub fn new(body: &'a Body, dissection: &'a Dissection, matrix: M) -> Fronts<'a, M> {
        let directions = body.mesh.directions();
        let work_of = |part: &Part| {
            let (p, b) = ((part.own.len() * directions) as f64, (part.boundary.len() * directions) as f64);
            p * p * p / 6.0 + p * p * b / 2.0 + p * b * b / 2.0
        };
        let mut below: Vec<f64> = Vec::with_capacity(dissection.parts.len());
        for part in &dissection.parts {
            let children: f64 = part.children.iter().map(|child| below[*child]).sum();
            below.push(children + work_of(part));
        }
        Fronts { body, dissection, directions, matrix, below }
    }

    /// Work of all parts.
    pub fn whole(&self) -> f64 {
        self.below.last().copied().unwrap_or(0.0)
    }

    /// Unknowns that a part eliminates.
    pub fn pivots(&self, part: &Part) -> usize {
        part.own.len() * self.directions
    }

    /// Walks through all parts, children first. `eliminate` takes the number of a part and its front, and returns what it keeps, with the
    /// front eliminated.
    pub fn walk<T: Send, E: Send>(
        &self,
        eliminate: &(impl Fn(usize, &mut Front) -> Result<T, E> + Sync),
    ) -> Eliminated<T, E> {
        let (front, mut kept) = self.part(self.dissection.parts.len() - 1, eliminate)?;
        kept.sort_by_key(|(index, _)| *index);
        Ok((front, kept))
    }

    fn part<T: Send, E: Send>(
        &self,
        index: usize,
        eliminate: &(impl Fn(usize, &mut Front) -> Result<T, E> + Sync),
    ) -> Eliminated<T, E> {
        let part = &self.dissection.parts[index];
        let whole = self.whole();
        let large = |child: &usize| self.below[*child] > THREAD_SHARE * whole;
        let children: Vec<(usize, Eliminated<T, E>)> = match part.children.as_slice() {
            [first, second] if large(first) && large(second) => std::thread::scope(|scope| {
                let other = scope.spawn(|| self.part(*second, eliminate));
                let one = self.part(*first, eliminate);
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                vec![(*first, one), (*second, other)]
            }),
            children => children.iter().map(|child| (*child, self.part(*child, eliminate))).collect(),
        };
        let directions = self.directions;
        let nodes = || part.own.iter().chain(&part.boundary);
        let mut front = Front::zeros((part.own.len() + part.boundary.len()) * directions);
        let place: HashMap<u32, usize> = nodes().enumerate().map(|(k, node)| (*node, k * directions)).collect();
        self.add_elements(part, &place, &mut front);
        let mut kept = Vec::new();
        for (child, eliminated) in children {
            let (rest, inner) = eliminated?;
            kept.extend(inner);
            let boundary = &self.dissection.parts[child].boundary;
            let to: Vec<usize> = boundary
                .iter()
                .flat_map(|node| (0..directions).map(move |d| (node, d)))
                .map(|(n, d)| place[n] + d)
                .collect();
            for (j, &column) in to.iter().enumerate() {
                for (value, &row) in rest.column(j).iter().zip(&to[j..]) {
                    front.add(row, column, *value);
                }
            }
        }
        kept.push((index, eliminate(index, &mut front)?));
        match self.pivots(part) {
            0 => Ok((front, kept)),
            pivots => Ok((front.rest(pivots), kept)),
        }
    }

    fn add_elements(&self, part: &Part, place: &HashMap<u32, usize>, front: &mut Front) {
        let (mesh, directions) = (&self.body.mesh, self.directions);
        for &number in &part.elements {
            let (kind, corners) = mesh.element(number as usize);
            let k = (self.matrix)(kind, &mesh.places(corners));
            // Clamped nodes have no place.
            let at: Vec<Option<usize>> = corners.iter().map(|node| place.get(node).copied()).collect();
            for (m, row) in at.iter().enumerate() {
                let Some(row) = row else { continue };
                for (n, column) in at.iter().enumerate() {
                    let Some(column) = column else { continue };
                    for a in 0..directions {
                        for b in 0..directions {
                            // Each pair once: the lower triangle.
                            if row + a >= column + b {
                                front.add(row + a, column + b, k[m * directions + a][n * directions + b]);
                            }
                        }
                    }
                }
            }
        }
    }
}
