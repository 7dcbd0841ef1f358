//! What can be told of an assembly before any step.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use stickslip_linalg::{Matrix, kernel, least_norm, singular_values};

use super::Parameters;
use super::network::Network;
use stickslip_core::inclusion::Rows;
use stickslip_core::mechanics::Uniqueness;
use stickslip_core::signal::Signal;

/// Assemblies with more coordinates or force components than this get no dense analysis.
const DENSE: usize = 200;

/// What elimination leaves of a row that follows from others, as a share of its greatest entry, is rounding.
pub(super) const DEPENDENT: f64 = 1e-10;

/// Parts of unit vectors, and of forces, below this share are rounding of dense factors.
const SHARED: f64 = 1e-9;

/// Squares of frequencies below this share of the greatest are none: a few hundred times the rounding of singular values.
const FREE: f64 = 1e-13;

/// What can be told of an assembly before any step.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Coordinates, with nothing stuck.
    pub freedoms: usize,
    /// Coordinates that are left when all pads stick.
    pub freedoms_stuck: usize,
    /// Pads with the set-valued law, and their force components.
    pub pads: usize,
    /// Force components of those pads.
    pub components: usize,
    /// Rank of H M⁻¹ Hᵀ.
    pub rank: usize,
    /// Pads whose forces are not unique when all stick, by number.
    pub undetermined: Vec<usize>,
    /// Natural frequencies without friction \[Hz\], lowest first, zeros for free motion; empty for large assemblies.
    pub frequencies: Vec<f64>,
    /// When forces make pads slip, as far as that can be told ahead.
    pub thresholds: Vec<Threshold>,
    names: Vec<String>,
}

/// A group of forces with one shape over time, acting on the assembly at rest with all pads stuck and springs
/// relaxed.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// Numbers of the forces.
    pub forces: Vec<usize>,
    /// How many times their greatest values the forces must be for the first pad to slip; infinite if no pad feels
    /// them.
    pub factor: f64,
    /// The pad that slips first.
    pub pad: usize,
    /// Its force over its bound at the forces' greatest values.
    pub used: f64,
}

impl Facts {
    pub(super) fn new(p: &Parameters, net: &Network) -> Facts {
        let m = net.rows.len();
        let rank = rank_of(&net.rows, 0..m);
        let exact: Vec<usize> = net.contacts.iter().copied().filter(|&c| c < p.pads.len()).collect();
        let components = exact.iter().map(|&c| p.pads[c].face.dim()).sum();
        let dense = m <= DENSE && net.n <= DENSE;
        Facts {
            freedoms: net.n,
            freedoms_stuck: net.n - rank_of(&net.rows, 0..components),
            pads: exact.len(),
            components,
            rank,
            undetermined: if dense && rank < m { undetermined(p, net) } else { Vec::new() },
            frequencies: if dense { frequencies(net) } else { Vec::new() },
            thresholds: if dense { thresholds(p, net, &exact, components) } else { Vec::new() },
            names: p.pads.iter().map(|pad| pad.name.clone()).collect(),
        }
    }

    pub(super) fn uniqueness(&self) -> Uniqueness {
        let unique = self.rank >= self.components;
        let reason = if unique {
            "H M⁻¹ Hᵀ has full rank: every step has exactly one solution".to_string()
        } else {
            let names: Vec<&str> = self.undetermined.iter().map(|&i| self.names[i].as_str()).collect();
            let which = if names.is_empty() { "some of the pads".to_string() } else { names.join(", ") };
            format!(
                "H M⁻¹ Hᵀ has rank {} for {} force components: while pads stick together, forces of {which} are not all \
                 determined, and those of least norm are taken",
                self.rank, self.components
            )
        };
        Uniqueness { velocities: true, forces: unique, reason: reason.into() }
    }
}

/// Rank of some of the rows, by elimination.
pub(super) fn rank_of(rows: &Rows, which: impl IntoIterator<Item = usize>) -> usize {
    let mut basis: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for k in which {
        let mut row: BTreeMap<usize, f64> = rows.row(k).collect();
        let size = row.values().fold(0.0_f64, |m, v| m.max(v.abs()));
        while let Some((&column, &value)) = row.first_key_value() {
            if value.abs() <= DEPENDENT * size {
                row.remove(&column);
                continue;
            }
            let Some(pivot) = basis.get(&column) else {
                basis.insert(column, row);
                break;
            };
            let factor = value / pivot[&column];
            for (&c, &v) in pivot {
                *row.entry(c).or_insert(0.0) -= factor * v;
            }
            row.remove(&column);
        }
    }
    basis.len()
}

/// H M⁻¹ Hᵀ of the first `m` components.
fn influence(net: &Network, m: usize) -> Matrix {
    let entry = |k: usize, l: usize| {
        let other: BTreeMap<usize, f64> = net.rows.row(l).collect();
        net.rows.row(k).map(|(i, a)| a * other.get(&i).copied().unwrap_or(0.0) / net.mass[i]).sum()
    };
    Matrix::from_fn(m, m, entry)
}

fn undetermined(p: &Parameters, net: &Network) -> Vec<usize> {
    let m = net.rows.len();
    let Ok(null) = kernel(&influence(net, m)) else { return Vec::new() };
    let mut found = Vec::new();
    let mut k = 0;
    for (&contact, &dim) in net.contacts.iter().zip(&net.contact_dims) {
        let touched = (k..k + dim).any(|i| (0..null.cols()).any(|j| null[(i, j)].abs() > SHARED));
        if touched && contact < p.pads.len() {
            found.push(contact);
        }
        k += dim;
    }
    found
}

fn frequencies(net: &Network) -> Vec<f64> {
    let with = net.matrix(0.0, 1.0);
    let n = net.n;
    let mut k = Matrix::zeros(n, n);
    for i in 0..n {
        k[(i, i)] = (with.diagonal[i] - net.mass[i]) / net.mass[i];
    }
    for (i, j, value) in with.below {
        let scaled = value / (net.mass[i] * net.mass[j]).sqrt();
        (k[(i, j)], k[(j, i)]) = (scaled, scaled);
    }
    let Ok(mut squares) = singular_values(&k) else { return Vec::new() };
    squares.reverse();
    let greatest = squares.last().copied().unwrap_or(0.0);
    // Free motion leaves rounding of the stiffest spring.
    squares.iter().map(|s| if *s <= FREE * greatest { 0.0 } else { s.sqrt() / TAU }).collect()
}

/// Groups of forces with one shape, and when they make the first pad slip.
fn thresholds(p: &Parameters, net: &Network, exact: &[usize], components: usize) -> Vec<Threshold> {
    if exact.is_empty() {
        return Vec::new();
    }
    let shape = |signal: &Signal| match signal {
        Signal::Constant(value) => Some(([0.0, 0.0], *value)),
        Signal::Sine(s) if s.offset == 0.0 => Some(([s.omega, s.phase], s.amplitude)),
        _ => None,
    };
    let mut groups: Vec<([f64; 2], Vec<usize>, Vec<f64>)> = Vec::new();
    for (i, force) in p.forces.iter().enumerate() {
        let Some((key, size)) = shape(&force.signal) else { continue };
        let at = net.first[force.body] + force.component;
        let found = groups.iter().position(|g| g.0 == key);
        let k = found.unwrap_or_else(|| {
            groups.push((key, Vec::new(), vec![0.0; net.n]));
            groups.len() - 1
        });
        groups[k].1.push(i);
        groups[k].2[at] += size;
    }
    let w = influence(net, components);
    let mut found = Vec::new();
    for (_, forces, load) in groups {
        let push: Vec<f64> = load.iter().zip(&net.mass).map(|(f, m)| f / m).collect();
        let b: Vec<f64> = (0..components).map(|k| net.rows.dot(k, &push)).collect();
        let Ok(r) = least_norm(&w, &b) else { continue };
        let mut k = 0;
        let mut worst = (0.0, exact[0]);
        for &pad in exact {
            let data = &p.pads[pad];
            let dim = data.face.dim();
            let force = r[k..k + dim].iter().map(|v| v * v).sum::<f64>().sqrt();
            k += dim;
            let bound = data.coefficient.sticking() * data.load.at(0.0) * data.over_time.at(0.0);
            // Rounding of forces that cancel is no force.
            let used =
                if force > SHARED * load.iter().fold(0.0_f64, |m, f| m.max(f.abs())) { force / bound } else { 0.0 };
            if used > worst.0 {
                worst = (used, pad);
            }
        }
        found.push(Threshold { forces, factor: 1.0 / worst.0, pad: worst.1, used: worst.0 });
    }
    found
}
