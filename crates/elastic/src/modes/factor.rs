//! K − σM of a body, factorised to solve with, or to count its negative eigenvalues.

use stickslip_linalg::{Columns, Front};

use crate::condense::CondenseError;
use crate::dissection::Dissection;
use crate::element::{self, Elasticity, Stiffness};
use crate::fronts::Fronts;
use crate::mesh::{Body, Kind};

/// The matrix of an element: stiffness less σ times mass.
fn shifted(body: &Body, density: f64, shift: f64) -> impl Fn(Kind, &[[f64; 3]; 8]) -> Stiffness + Sync {
    let elasticity = Elasticity::new(body.young, body.poisson);
    move |kind, places| {
        let mut k = element::bending_stiffness(kind, places, elasticity);
        if shift != 0.0 {
            let (mass, directions) = (element::mass(kind, places), element::directions(kind).len());
            for (m, row) in mass.iter().enumerate().take(kind.nodes()) {
                for (n, mass) in row.iter().enumerate().take(kind.nodes()) {
                    (0..directions).for_each(|d| k[m * directions + d][n * directions + d] -= shift * density * mass);
                }
            }
        }
        k
    }
}

/// How many eigenvalues ω² of K φ = ω² M φ are below σ; none if σ is one of them, to rounding.
pub(super) fn count_below(body: &Body, dissection: &Dissection, density: f64, shift: f64) -> Option<usize> {
    let fronts = Fronts::new(body, dissection, shifted(body, density, shift));
    let count =
        |index: usize, front: &mut Front| front.eliminate_counting(fronts.pivots(&dissection.parts[index])).ok_or(());
    let (_, counts) = fronts.walk(&count).ok()?;
    Some(counts.into_iter().map(|(_, count)| count).sum())
}

/// K − σM, σ ≤ 0, ready to solve with.
pub(super) struct Factorised<'a> {
    dissection: &'a Dissection,
    directions: usize,
    columns: Vec<Columns>,
}

impl<'a> Factorised<'a> {
    pub fn new(
        body: &Body,
        dissection: &'a Dissection,
        density: f64,
        shift: f64,
    ) -> Result<Factorised<'a>, CondenseError> {
        let fronts = Fronts::new(body, dissection, shifted(body, density, shift));
        let eliminate = |index: usize, front: &mut Front| {
            let part = &dissection.parts[index];
            let pivots = fronts.pivots(part);
            front.eliminate(pivots).map_err(|error| {
                let node = part.own.get(error.pivot / fronts.directions).copied().unwrap_or(0);
                CondenseError::NotHeld { node, place: body.mesh.nodes[node as usize] }
            })?;
            Ok::<_, CondenseError>(front.columns(pivots))
        };
        let (_, columns) = fronts.walk(&eliminate)?;
        let columns = columns.into_iter().map(|(_, columns)| columns).collect();
        Ok(Factorised { dissection, directions: body.mesh.directions(), columns })
    }

    /// Replaces right-hand sides by solutions; entries of clamped nodes become 0.
    pub fn solve(&self, sides: &mut [Vec<f64>]) {
        let mut out: Vec<Vec<f64>> = sides.iter().map(|side| vec![0.0; side.len()]).collect();
        for (part, columns) in self.dissection.parts.iter().zip(&self.columns) {
            let places = self.places(part.own.iter().chain(&part.boundary));
            let mut local = gathered(sides, &places);
            columns.forward(&mut local);
            scatter(&local, &places, places.len(), sides);
        }
        for (part, columns) in self.dissection.parts.iter().zip(&self.columns).rev() {
            let places = self.places(part.own.iter().chain(&part.boundary));
            let own = part.own.len() * self.directions;
            let mut local = gathered(&out, &places);
            for (local, side) in local.chunks_exact_mut(places.len().max(1)).zip(sides.iter()) {
                local.iter_mut().zip(&places).take(own).for_each(|(value, place)| *value = side[*place]);
            }
            columns.backward(&mut local);
            scatter(&local, &places, own, &mut out);
        }
        for (side, out) in sides.iter_mut().zip(out) {
            *side = out;
        }
    }

    fn places<'b>(&self, nodes: impl Iterator<Item = &'b u32>) -> Vec<usize> {
        let directions = self.directions;
        nodes.flat_map(|node| (0..directions).map(move |d| *node as usize * directions + d)).collect()
    }
}

/// Entries at these places, one right-hand side after the other.
fn gathered(sides: &[Vec<f64>], places: &[usize]) -> Vec<f64> {
    sides.iter().flat_map(|side| places.iter().map(|place| side[*place])).collect()
}

/// Puts the first so many of them back.
fn scatter(local: &[f64], places: &[usize], count: usize, sides: &mut [Vec<f64>]) {
    for (local, side) in local.chunks_exact(places.len().max(1)).zip(sides) {
        local.iter().zip(places).take(count).for_each(|(value, place)| side[*place] = *value);
    }
}
