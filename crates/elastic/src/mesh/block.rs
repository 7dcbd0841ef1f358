//! Blocks: straight rails, fine in the middle of their upper face.

use super::disc::{Towards, fill_plane, fill_solid};
use super::grading::check_cells;
use super::{Body, Elements, Grading, Mesh, MeshError};

/// A block below z = 0, its upper face at z = 0 (crowned across, if it has a lateral radius); clamped at its bottom.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Half of its length along x \[m\].
    pub half_length: f64,
    /// Depth \[m\].
    pub depth: f64,
    /// Width \[m\] and lateral radius \[m\] (infinite: flat); none for a plane block.
    pub crown: Option<(f64, f64)>,
    /// Size of the cells along x, across and in depth, where they are equal \[m\].
    pub cell: [f64; 3],
    /// Equal cells on each side along x and y, and in depth.
    pub uniform: [usize; 3],
    /// Cells beyond those.
    pub outside: [Grading; 3],
    /// Contact nodes on each side of the middle along x and y.
    pub contact: [usize; 2],
    /// What fills it.
    pub elements: Elements,
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Block {
    /// The block as a mesh.
    pub fn body(&self) -> Result<Body, MeshError> {
        let bad = |what, value, wanted: &str| Err(MeshError::Number { what, value, wanted: wanted.to_string() });
        check_cells(self.cell, self.uniform, self.outside, self.contact, self.crown.is_some())?;
        let sizes = [("half length of the block", self.half_length, 0), ("depth of the block", self.depth, 2)];
        for (what, value, axis) in sizes {
            if !(value.is_finite() && value > self.cell[axis] * self.uniform[axis] as f64) {
                return bad(what, value, "it must be a finite number and hold the fine zone");
            }
        }
        let both = |half: Vec<f64>| -> Vec<f64> {
            half.iter().skip(1).rev().map(|v| -v).chain(half.iter().copied()).collect()
        };
        let along = both(self.outside[0].places(self.cell[0], self.uniform[0], self.half_length));
        let across = match self.crown {
            None => vec![0.0],
            Some((width, lateral)) => {
                if !(width.is_finite() && 0.5 * width > self.cell[1] * self.uniform[1] as f64) {
                    return bad("width of the block", width, "it must be a finite number and hold the fine zone");
                }
                if lateral.is_nan() || lateral.abs() < 0.5 * width {
                    return bad("lateral radius", lateral, "it must be at least half the width of the block");
                }
                both(self.outside[1].places(self.cell[1], self.uniform[1], 0.5 * width))
            }
        };
        let depths = self.outside[2].places(self.cell[2], self.uniform[2], self.depth);
        let (nx, ny, nd) = (along.len(), across.len(), depths.len());
        let at = |i: usize, j: usize, k: usize| ((i * ny + j) * nd + k) as u32;
        let mut nodes = Vec::with_capacity(nx * ny * nd);
        for &x in &along {
            for &y in &across {
                let top = -drop(self.crown, y);
                for &d in &depths {
                    nodes.push([x, y, top * (1.0 - d / self.depth) - d]);
                }
            }
        }
        let mut mesh = Mesh::with_nodes(nodes);
        for i in 0..nx - 1 {
            for k in 0..nd - 1 {
                if self.crown.is_none() {
                    let quad = [at(i, 0, k + 1), at(i + 1, 0, k + 1), at(i + 1, 0, k), at(i, 0, k)];
                    fill_plane(&mut mesh, quad, self.elements, k == 0);
                    continue;
                }
                for j in 0..ny - 1 {
                    let face = |k| [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)];
                    let (lower, upper) = (face(k + 1), face(k));
                    let brick = [lower[0], lower[1], lower[2], lower[3], upper[0], upper[1], upper[2], upper[3]];
                    fill_solid(&mut mesh, brick, self.elements, k, Towards::Upper);
                }
            }
        }
        let clamped = (0..nx * ny).map(|column| (column * nd + nd - 1) as u32).collect();
        let (mx, my) = ((nx - 1) / 2, (ny - 1) / 2);
        let [cx, cy] = self.contact;
        let cy = if self.crown.is_none() { 0 } else { cy };
        let mut contact = Vec::new();
        for j in my - cy..=my + cy {
            contact.extend((mx - cx..=mx + cx).map(|i| at(i, j, 0)));
        }
        Ok(Body { mesh, young: self.young, poisson: self.poisson, clamped, contact })
    }
}

/// How far a crowned face lies below its middle at y.
fn drop(crown: Option<(f64, f64)>, y: f64) -> f64 {
    match crown {
        Some((_, lateral)) if lateral.is_finite() => {
            y * y / (lateral + lateral.signum() * (lateral * lateral - y * y).sqrt())
        }
        _ => 0.0,
    }
}
