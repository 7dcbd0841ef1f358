//! Wheels: discs in the plane, crowned rings in space, fine at the bottom where they touch.

use super::grading::check_cells;
use super::{Body, Grading, Kind, Mesh, MeshError};

/// Which elements fill a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Elements {
    /// Quadrilaterals, hexahedra.
    #[default]
    Bricks,
    /// Triangles, tetrahedra: each quadrilateral or hexahedron cut.
    Simplices,
    /// Bricks in the layer that touches, simplices behind it. In space a cell of the layer next to it gets a node in its middle: a
    /// pyramid on the hexahedron above and tetrahedra on its other faces, since tetrahedra alone do not join hexahedra (constant
    /// strain would leave forces of 1 % where cells grow).
    Layer,
}

/// A wheel with its axis along y at z = R, that touches z = 0 from above at x = 0; clamped at its hub.
///
/// The mesh is a product of angles, places across and depths. On the contact surface nodes stand at multiples of the cell
/// size along x (and y), exactly, so that another body may have nodes at the same places.
#[derive(Debug, Clone, PartialEq)]
pub struct Disc {
    /// Radius in the rolling direction \[m\].
    pub radius: f64,
    /// Radius of the hub over that of the disc, between 0 and 1.
    pub hub: f64,
    /// Width \[m\] and lateral radius \[m\] (infinite: a cylinder) of a ring; none for a plane disc.
    pub crown: Option<(f64, f64)>,
    /// Size of the cells along x, across and in depth, where they are equal \[m\].
    pub cell: [f64; 3],
    /// Equal cells on each side along x and y, and in depth.
    pub uniform: [usize; 3],
    /// Cells beyond those.
    pub outside: [Grading; 3],
    /// Contact nodes on each side of the middle along x and y: at most the equal cells.
    pub contact: [usize; 2],
    /// What fills it.
    pub elements: Elements,
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Disc {
    /// The wheel as a mesh.
    pub fn body(&self) -> Result<Body, MeshError> {
        let bad = |what, value, wanted: &str| Err(MeshError::Number { what, value, wanted: wanted.to_string() });
        check_cells(self.cell, self.uniform, self.outside, self.contact, self.crown.is_some())?;
        if !(self.radius > 0.0 && self.radius.is_finite()) {
            return bad("radius of the wheel", self.radius, "it must be a finite number > 0");
        }
        if !(self.hub > 0.0 && self.hub < 1.0) {
            return bad("hub", self.hub, "the radius of the hub over that of the wheel must be between 0 and 1");
        }
        let fine = self.cell[0] * self.uniform[0] as f64;
        if fine > 0.5 * self.radius {
            return bad("length of the fine zone", fine, "it must be at most half the radius of the wheel");
        }
        let deep = self.cell[2] * self.uniform[2] as f64;
        if deep >= self.radius * (1.0 - self.hub) {
            return bad("depth of the fine zone", deep, "it must be less than that from tread to hub");
        }
        let angles = self.angles();
        let across = self.across()?;
        let depth = self.radius * (1.0 - self.hub);
        let depths = self.outside[2].places(self.cell[2], self.uniform[2], depth);
        let (na, ny, nd) = (angles.len(), across.len(), depths.len());
        let at = |i: usize, j: usize, k: usize| (((i % na) * ny + j) * nd + k) as u32;
        let mut nodes = Vec::with_capacity(na * ny * nd);
        for &angle in &angles {
            for &y in &across {
                let tread = self.tread(y);
                for &depth_here in &depths {
                    // The crown fades out towards the hub.
                    let share = depth_here / depth;
                    let r = tread * (1.0 - share) + self.hub * self.radius * share;
                    nodes.push([r * angle.sin(), y, self.radius - r * angle.cos()]);
                }
            }
        }
        // Surface nodes of the fine zone: x is an exact multiple of the cell.
        let middle = (ny - 1) / 2;
        for i in 0..=2 * self.uniform[0] {
            let steps = i as f64 - self.uniform[0] as f64;
            let i = (i + na - self.uniform[0]) % na;
            for (j, &y) in across.iter().enumerate() {
                let (x, tread) = (steps * self.cell[0], self.tread(y));
                nodes[at(i, j, 0) as usize] = [x, y, self.radius - (tread * tread - x * x).sqrt()];
            }
        }
        let mut mesh = Mesh::with_nodes(nodes);
        for i in 0..na {
            for k in 0..nd - 1 {
                if self.crown.is_none() {
                    // Angles grow anticlockwise as seen with x to the right and z up.
                    let quad = [at(i, 0, k), at(i + 1, 0, k), at(i + 1, 0, k + 1), at(i, 0, k + 1)];
                    fill_plane(&mut mesh, quad, self.elements, k == 0);
                    continue;
                }
                for j in 0..ny - 1 {
                    let face = |k| [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)];
                    let (lower, upper) = (face(k), face(k + 1));
                    let brick = [lower[0], lower[1], lower[2], lower[3], upper[0], upper[1], upper[2], upper[3]];
                    fill_solid(&mut mesh, brick, self.elements, k, Towards::Lower);
                }
            }
        }
        let clamped = (0..na * ny).map(|column| (column * nd + nd - 1) as u32).collect();
        let [cx, cy] = self.contact;
        let cy = if self.crown.is_none() { 0 } else { cy };
        let mut contact = Vec::new();
        for j in middle - cy..=middle + cy {
            for i in 0..=2 * cx {
                contact.push(at(i + na - cx, j, 0));
            }
        }
        Ok(Body { mesh, young: self.young, poisson: self.poisson, clamped, contact })
    }

    /// Radius of the tread at y.
    fn tread(&self, y: f64) -> f64 {
        match self.crown {
            Some((_, lateral)) if lateral.is_finite() => {
                // Sagitta, without cancellation; hollow for negative radii.
                let drop = y * y / (lateral + lateral.signum() * (lateral * lateral - y * y).sqrt());
                self.radius - drop
            }
            _ => self.radius,
        }
    }

    /// Angles of the nodes from the bottom on, once around.
    fn angles(&self) -> Vec<f64> {
        let half = std::f64::consts::PI * self.radius;
        let side = self.outside[0].places(self.cell[0], self.uniform[0], half);
        let angle = |place: f64, k: usize| {
            if k <= self.uniform[0] { (k as f64 * self.cell[0] / self.radius).asin() } else { place / self.radius }
        };
        // Both sides meet at the top, which is counted once.
        let right = side.iter().enumerate().map(|(k, place)| angle(*place, k));
        let last = side.len() - 1;
        let left = side.iter().enumerate().take(last).skip(1).rev().map(|(k, place)| -angle(*place, k));
        right.chain(left).collect()
    }

    fn across(&self) -> Result<Vec<f64>, MeshError> {
        let Some((width, lateral)) = self.crown else { return Ok(vec![0.0]) };
        let bad = |what, value, wanted: &str| Err(MeshError::Number { what, value, wanted: wanted.to_string() });
        if !(width > 0.0 && width.is_finite()) {
            return bad("width of the wheel", width, "it must be a finite number > 0");
        }
        if lateral.is_nan() || lateral.abs() < 0.5 * width {
            return bad("lateral radius", lateral, "it must be at least half the width of the wheel");
        }
        if self.cell[1] * self.uniform[1] as f64 > 0.5 * width {
            return bad("width of the wheel", width, "it must hold the contact and a margin of two cells");
        }
        let side = self.outside[1].places(self.cell[1], self.uniform[1], 0.5 * width);
        let left = side.iter().skip(1).rev().map(|y| -y);
        Ok(left.chain(side.iter().copied()).collect())
    }
}

/// Fills a quadrilateral.
pub(super) fn fill_plane(mesh: &mut Mesh, quad: [u32; 4], elements: Elements, touching: bool) {
    let [a, b, c, d] = quad;
    match elements {
        Elements::Bricks => mesh.push(Kind::Quadrilateral, &quad),
        Elements::Layer if touching => mesh.push(Kind::Quadrilateral, &quad),
        _ => {
            mesh.push(Kind::Triangle, &[a, b, c]);
            mesh.push(Kind::Triangle, &[a, c, d]);
        }
    }
}

/// The face of a brick that looks towards the contact surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    /// The first four nodes.
    Lower,
    /// The last four.
    Upper,
}

/// Fills a hexahedron in the layer with this number from the contact surface on: whole, cut into the six tetrahedra of Kuhn around one
/// diagonal, or between both.
pub(super) fn fill_solid(mesh: &mut Mesh, brick: [u32; 8], elements: Elements, layer: usize, contact: Towards) {
    match (elements, layer) {
        (Elements::Bricks, _) | (Elements::Layer, 0) => mesh.push(Kind::Hexahedron, &brick),
        (Elements::Layer, 1) => fill_between(mesh, brick, contact),
        _ => fill_tetrahedra(mesh, brick),
    }
}

/// From corner 0 to corner 6 along the edges, in the six orders of the three directions.
fn fill_tetrahedra(mesh: &mut Mesh, brick: [u32; 8]) {
    for path in [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]] {
        mesh.push(Kind::Tetrahedron, &[brick[0], brick[path[0]], brick[path[1]], brick[6]]);
    }
}

/// One node in the middle, a pyramid from it to the face that a hexahedron shares, two tetrahedra to each other face.
fn fill_between(mesh: &mut Mesh, brick: [u32; 8], contact: Towards) {
    // Anticlockwise seen from the middle, from corner 0 or 6 on: there begin the diagonals of Kuhn's tetrahedra.
    const FACES: [[usize; 4]; 6] = [[0, 1, 2, 3], [6, 5, 4, 7], [0, 4, 5, 1], [0, 3, 7, 4], [6, 2, 1, 5], [6, 7, 3, 2]];
    let places = mesh.places(&brick);
    let middle = mesh.nodes.len() as u32;
    mesh.nodes.push([0, 1, 2].map(|axis| places.iter().map(|place| place[axis]).sum::<f64>() / 8.0));
    for (number, face) in FACES.into_iter().enumerate() {
        let [a, b, c, d] = face.map(|corner| brick[corner]);
        if (number, contact) == (0, Towards::Lower) || (number, contact) == (1, Towards::Upper) {
            mesh.push(Kind::Pyramid, &[a, b, c, d, middle]);
        } else {
            mesh.push(Kind::Tetrahedron, &[a, b, c, middle]);
            mesh.push(Kind::Tetrahedron, &[a, c, d, middle]);
        }
    }
}
